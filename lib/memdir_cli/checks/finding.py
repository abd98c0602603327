"""What a check has to say: one thing looked at, how bad it is, and the command that mends it."""

import os
import shlex

from memdir import store

OK, NOTE, PROBLEM = "ok", "note", "problem"


class Finding:
    """`code` is stable and names the kind of finding; `mend` is a command to paste, or says what to edit."""

    def __init__(self, level: str, code: str, text: str, mend: str = "") -> None:
        self.level = level
        self.code = code
        self.text = store.shown(text)
        self.mend = store.shown(mend)


def ok(code: str, text: str) -> Finding:
    return Finding(OK, code, text)


def note(code: str, text: str, mend: str = "") -> Finding:
    return Finding(NOTE, code, text, mend)


def problem(code: str, text: str, mend: str) -> Finding:
    return Finding(PROBLEM, code, text, mend)


def quoted(path: str) -> str:
    """A path as a word of a shell command; with $'…' (bash, zsh) where it holds what a terminal must not get."""
    if store.shown(path) == path:
        return shlex.quote(path)
    letters = [chr(byte) if 32 <= byte < 127 and byte not in b"'\\" else f"\\x{byte:02x}" for byte in os.fsencode(path)]
    return "$'" + "".join(letters) + "'"


def edit(path: str, line: int = 0) -> str:
    """The command that opens a file of text, at a line where that is known."""
    return f"${{EDITOR:-vi}} {f'+{line} ' if line else ''}{quoted(path)}"


def own(path: str) -> str:
    """The command that makes this user the owner of all in a directory: only for one that is memdir's alone."""
    return f'sudo chown -R "$(id -un)" {quoted(path)}'


def unset(name: str) -> str:
    return f"unset {shlex.quote(name)}"


def counted(number: int, thing: str) -> str:
    """ "1 rule file", "2 rule files"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
