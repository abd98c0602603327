"""`memdir log`: what the hooks did, newest last."""

import argparse
import os
import time

from memdir import jsonio, log, paths
from memdir.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-n", type=int, default=20, metavar="N", help="how many runs (default: 20)")
    parser.add_argument("--errors", action="store_true", help="only runs that failed")
    parser.add_argument("--json", action="store_true", help="the lines as they are in the file")


def run(args: argparse.Namespace) -> int:
    state = paths.state_dir(os.environ)
    if not state:
        raise UserError("no state directory: HOME is not set")
    lines = [line for line in read(state) if not args.errors or line.get("errors")]
    lines = lines[-args.n :] if args.n > 0 else []
    if not lines and not args.json:
        print(f"Nothing in {log.path(state)} yet." if not args.errors else "No run failed.")
    for line in lines:
        print(jsonio.dumps(line) if args.json else _row(line))
    return 0


def read(state_dir: str) -> "list[dict[str, Any]]":
    """The runs of both log files, oldest first; lines that are no JSON are left out."""
    found = []
    for name in (log.path(state_dir) + ".1", log.path(state_dir)):
        try:
            with open(name, "rb") as file:
                raw = file.read()
        except OSError:
            continue
        for text in raw.split(b"\n"):
            try:
                line = jsonio.loads(text) if text else None
            except ValueError:
                continue
            if isinstance(line, dict) and isinstance(line.get("errors", []), list):
                found.append(line)
    return found


def _row(line: "dict[str, Any]") -> str:
    when = line.get("t")
    clock = (
        time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(when))
        if isinstance(when, (int, float)) and 0 <= when < 1e11
        else "?"
    )
    outcome = "; ".join([str(error) for error in line["errors"]]) if line.get("errors") else line.get("outcome", "")
    return (
        f"{clock}  {line.get('session', '')!s:8}  {line.get('hook', '?')!s:18}  {line.get('ms', 0)!s:>7} ms  {outcome}"
    )
