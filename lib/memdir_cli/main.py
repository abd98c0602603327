"""The command line: a table of commands, each loaded when it is asked for, and the one boundary for errors."""

import argparse
import contextlib
import importlib
import os
import sys
import traceback

from memdir.errors import MemdirError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

COMMANDS = {
    "recall": "show which topic files a prompt would bring, and why",
    "status": "show the memory of this project: directory, index, topic files",
    "rules": "show the hard rules in force, check a call against them, explain, test and adopt them",
    "queue": "show and work off the sessions that wait to become memories",
    "log": "show what the hooks did",
    "setup": "choose what memdir may do: a model to ask, a memory directory to write into",
    "doctor": "check everything that can be wrong, and say how to mend it",
    "demo": "show what memdir does, in a temporary home, with the hooks that are installed",
    "install": "install this copy's hooks into Claude Code's settings, or mend the installation",
    "uninstall": "take memdir out of Claude Code's settings again; memories stay",
}


def version() -> str:
    """The version in plugin.json, the only place that holds it."""
    from memdir import jsonio

    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    with open(os.path.join(root, ".claude-plugin", "plugin.json"), "rb") as file:
        return str(jsonio.loads(file.read())["version"])


def main(argv: "Optional[list[str]]" = None) -> int:
    """Exit codes: 0 done, 1 an error that the message explains, 2 wrong usage, 3 a fault in memdir, 130 interrupted."""
    if _open_what_is_closed():
        _tell("standard output is closed; to run it without output, add >/dev/null")
        return 1
    try:
        code = _run(sys.argv[1:] if argv is None else argv)
    except SystemExit as end:  # argparse, after its help and its complaints
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    reason = _unwritable()
    if reason:
        _tell(f"standard output cannot be written: {reason}")
    try:
        sys.stderr.flush()
    except OSError:
        _to_nowhere(2)
    return code or (1 if reason else 0)


def _run(words: "list[str]") -> int:
    parser = argparse.ArgumentParser(
        prog="memdir",
        description="A memory for Claude Code that a person can read.",
        epilog="\n".join(["commands:", *(f"  {name:9} {summary}" for name, summary in COMMANDS.items())]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"memdir {version()}")
    parser.add_argument("command", metavar="COMMAND", choices=list(COMMANDS), help="one of the commands below")
    parser.add_argument("rest", nargs="*", metavar="...", help="its arguments; COMMAND --help lists them")
    try:
        if not words:
            parser.print_help()
            return 2
        name = parser.parse_args(words[:1]).command
        command = importlib.import_module("memdir_cli." + name)
        own = argparse.ArgumentParser(prog=f"memdir {name}", description=COMMANDS[name].capitalize() + ".")
        command.add_arguments(own)
        return int(command.run(own.parse_args(words[1:])))
    except MemdirError as error:
        _tell(str(error))
        return 1
    except BrokenPipeError:
        _to_nowhere(1)  # the reader has gone
        return 0
    except OSError as error:
        reason = _unwritable()
        _tell(f"standard output cannot be written: {reason}" if reason else f"{error}; `memdir doctor` may say more")
        return 1
    except KeyboardInterrupt:
        return 130
    except Exception:  # noqa: BLE001 - the boundary: a fault of ours is told as one
        with contextlib.suppress(OSError):
            traceback.print_exc()
        _tell("this is a fault in memdir; please report the lines above")
        return 3


def _open_what_is_closed() -> bool:
    """Opens the null device in the place of standard streams that are closed; whether the output is one of them.

    Else the next file that is opened would be taken for the stream.
    """
    while True:
        number = os.open(os.devnull, os.O_RDWR)
        if number > 2:
            os.close(number)
            break
        os.set_inheritable(number, True)
    without_output = sys.stdout is None
    sys.stdin = sys.stdin or os.fdopen(0, closefd=False)
    sys.stdout = sys.stdout or os.fdopen(1, "w", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", closefd=False)
    return without_output


def _unwritable() -> str:
    """Why standard output does not take what was printed; "" if it does, or if its reader has gone."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _to_nowhere(1)
    except OSError as error:
        _to_nowhere(1)
        return error.strerror or str(error)
    return ""


def _tell(text: str) -> None:
    try:
        print(f"memdir: {text}", file=sys.stderr, flush=True)
    except OSError:
        _to_nowhere(2)


def _to_nowhere(number: int) -> None:
    """What is left for a standard stream goes to the null device: the flush at exit must not complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), number)
