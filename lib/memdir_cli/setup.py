"""`memdir setup`: what memdir does only after a person said so."""

import argparse
import os

from memdir import fsio, handover, paths, projects, store
from memdir.errors import UserError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--trust-dir",
        nargs="?",
        const="",
        metavar="DIR",
        required=True,
        help="let memdir write memories into this project's memory directory (DIR), though its own settings chose it",
    )


def run(args: argparse.Namespace) -> int:
    state = paths.state_dir(os.environ)
    folder = _memory_dir()
    real = os.path.realpath(folder)
    if not state:
        raise UserError("no state directory: HOME is not set")
    if args.trust_dir and os.path.realpath(args.trust_dir) != real:
        raise UserError(
            f"the memory directory of this project is {store.shown(real)}; run this in the project whose settings name"
            f" {store.shown(os.path.abspath(args.trust_dir))}"
        )
    if "\n" in handover.trust(os.getcwd(), folder):
        raise UserError(f"{store.shown(real)} has a line break in its name; memdir does not write there")
    if handover.is_trusted(os.getcwd(), folder, state):
        print(f"memdir may write into {store.shown(real)} already.")
        return 0
    fsio.append(f"{state}/{handover.TRUSTED}", os.fsencode(handover.trust(os.getcwd(), folder)))
    print(f"memdir writes this project's memories into {store.shown(real)} from now on ({state}/{handover.TRUSTED}).")
    return 0


def _memory_dir() -> str:
    memory = projects.Project(os.getcwd(), os.environ).memory_dir()
    if memory is None:
        raise UserError("no memory directory belongs to this directory")
    return memory.path
