"""The command line: a table of commands, each loaded when it is asked for, and the one boundary for errors."""

import argparse
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
    "rules": "show the hard rules in force, check a call against them, explain and test them",
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
    words = sys.argv[1:] if argv is None else argv
    parser = argparse.ArgumentParser(
        prog="memdir",
        description="A memory for Claude Code that a person can read.",
        epilog="\n".join(["commands:", *(f"  {name:9} {summary}" for name, summary in COMMANDS.items())]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"memdir {version()}")
    parser.add_argument("command", metavar="COMMAND", choices=list(COMMANDS), help="one of the commands below")
    parser.add_argument("rest", nargs="*", metavar="...", help="its arguments; COMMAND --help lists them")
    if not words:
        parser.print_help()
        return 2
    args = parser.parse_args(words[:1])
    command = importlib.import_module("memdir_cli." + args.command)
    own = argparse.ArgumentParser(prog=f"memdir {args.command}", description=COMMANDS[args.command].capitalize() + ".")
    command.add_arguments(own)
    try:
        return int(command.run(own.parse_args(words[1:])))
    except MemdirError as error:
        print(f"memdir: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the reader has gone; the flush at exit must not complain
        return 0
    except OSError as error:
        print(f"memdir: {error}; `memdir doctor` may say more", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except Exception:  # noqa: BLE001 - the boundary: a fault of ours is told as one
        traceback.print_exc()
        print("memdir: this is a fault in memdir; please report the lines above", file=sys.stderr)
        return 3
