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
        help="let memdir write memories into DIR (default: this project's), though settings of a project chose it",
    )


def run(args: argparse.Namespace) -> int:
    state = paths.state_dir(os.environ)
    folder = os.path.abspath(args.trust_dir) if args.trust_dir else _memory_dir()
    if not state or not os.path.isdir(os.path.dirname(folder)):
        raise UserError(f"there is no directory {store.shown(os.path.dirname(folder))}")
    real = os.path.realpath(folder)
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
