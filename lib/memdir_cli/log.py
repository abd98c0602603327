"""`memdir log`: what the hooks did, newest last."""

import argparse
import os
import time

from memdir import fsio, jsonio, log, paths
from memdir.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


READ_BYTES = 16 * log.ROTATE_BYTES  # a file is put aside before it gets near that


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-n", type=int, default=20, metavar="N", help="how many runs (default: 20)")
    parser.add_argument("--errors", action="store_true", help="only runs that failed")
    parser.add_argument("--rules", action="store_true", help="only calls that a hard rule stopped")
    parser.add_argument("--json", action="store_true", help="the lines as they are in the file")


def run(args: argparse.Namespace) -> int:
    state = paths.state_dir(os.environ)
    if not state:
        raise UserError("no state directory: HOME is not set")
    wanted = [key for key, asked in (("errors", args.errors), ("decision", args.rules)) if asked]
    lines = [line for line in read(state) if all([line.get(key) for key in wanted])]
    lines = lines[-args.n :] if args.n > 0 else []
    if not lines and not args.json:
        print(
            "No run failed."
            if args.errors
            else "No call was stopped."
            if args.rules
            else f"Nothing in {log.path(state)} yet."
        )
    for line in lines:
        print(jsonio.dumps(line) if args.json else _row(line))
    return 0


def read(state_dir: str) -> "list[dict[str, Any]]":
    """The runs of both log files, oldest first; lines that are no JSON are left out."""
    names = (log.path(state_dir) + ".1", log.path(state_dir))
    found = [line for name in names for line in jsonio.read_lines(fsio.read(name, READ_BYTES) or b"")]
    return [line for line in found if isinstance(line.get("errors", []), list)]


def _row(line: "dict[str, Any]") -> str:
    when = line.get("t")
    clock = (
        time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(when))
        if isinstance(when, (int, float)) and 0 <= when < 1e11
        else "?"
    )
    if line.get("decision"):
        call = f"{line['decision']!s:4}  {line.get('tool')!s}: {line.get('call')!s}"
        return f"{clock}  {line.get('session', '')!s:8}  {call}\n{'':21}{line.get('rule')!s}"
    outcome = "; ".join([str(error) for error in line["errors"]]) if line.get("errors") else line.get("outcome", "")
    return (
        f"{clock}  {line.get('session', '')!s:8}  {line.get('hook', '?')!s:18}  {line.get('ms', 0)!s:>7} ms  {outcome}"
    )
