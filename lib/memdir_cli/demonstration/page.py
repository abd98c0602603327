"""The demonstration's output: text of 80 columns, Chinese counted as two, with a little colour on a terminal."""

import os
import re
import sys
import unicodedata

from memdir import store

COLUMNS = 80
_COLOURS = {"bold": "1", "dim": "2", "red": "31", "green": "32", "cyan": "36"}
_WIDE = "\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6"
_CLOSING = "，。、：；！？）」』】》”’"  # may not begin a line
# What stays on one line: a wide letter or a word, with the punctuation and the blanks behind it.
_PIECE = re.compile(f"(?:[{_WIDE}]|[^ {_WIDE}]+)[{_CLOSING}]* *| +")


class Page:
    """Prints at once, so that a person can follow. `home` is shown as ~."""

    def __init__(self, home: str, *, colour: bool) -> None:
        self._home = home
        self._colour = colour

    def line(self, text: str = "", colour: str = "", *, indent: int = 0) -> None:
        """A paragraph, wrapped."""
        for part in wrap(self._clean(text), COLUMNS - indent) or [""]:
            self._print(" " * indent + self._in(part, colour) if part else "")

    def label(self, name: str, text: str, colour: str = "") -> None:
        """A paragraph behind its name."""
        indent = 3 + width(_head(name))
        for at, part in enumerate(wrap(self._clean(text), COLUMNS - indent) or [""]):
            head = "   " + self._in(_head(name), "dim") if at == 0 else " " * indent
            self._print(head + self._in(part, colour))

    def labels(self, *several: "tuple[str, str, str]") -> None:
        """Names with their texts and colours: in one line where there is room, else a line each."""
        shown = [(_head(name), self._clean(text), colour) for name, text, colour in several]
        if width("   ".join(["", *[name + text for name, text, _ in shown]])) <= COLUMNS:
            parts = [f"   {self._in(name, 'dim')}{self._in(text, colour)}" for name, text, colour in shown]
            self._print("".join(parts))
        else:
            for one in several:
                self.label(*one)

    def heading(self, number: int, title: str, hook: str) -> None:
        self._print("")
        space = COLUMNS - 3 - width(title) - width(hook)
        self._print(f"{number}  {self._in(title, 'bold')}{' ' * space}{self._in(hook, 'dim')}")

    def quotation(self, text: str, most: int = 100) -> None:
        """Real output, without its blank lines; of `most` lines and more the rest is left out."""
        lines = [line for line in text.split("\n") if line.strip()]
        bar = "   " + self._in("│", "dim") + " "
        for line in lines[:most]:
            for part in wrap(self._clean(line), COLUMNS - 5):
                self._print(bar + part)
        if len(lines) > most:
            self._print(bar + self._in("…", "dim"))

    def _clean(self, text: str) -> str:
        """The home as ~, and nothing in it that a terminal obeys."""
        return store.shown(text.replace(self._home, "~") if self._home else text)

    def _in(self, text: str, colour: str) -> str:
        return f"\033[{_COLOURS[colour]}m{text}\033[0m" if colour and self._colour else text

    def _print(self, text: str) -> None:
        print(text, flush=True)


def _head(name: str) -> str:
    """A name with the blank behind it; a wide colon has its own."""
    return name if name[-1:] == "：" else name + " "


def wants_colour() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "") not in ("", "dumb")


def width(text: str) -> int:
    """Columns of a terminal."""
    spacing = [char for char in text if not unicodedata.combining(char)]
    return len(spacing) + len([char for char in spacing if unicodedata.east_asian_width(char) in "WF"])


def wrap(text: str, columns: int) -> "list[str]":
    """The lines of one paragraph, none wider; broken at blanks, between wide letters, and in paths behind a slash."""
    lines: "list[str]" = []
    line = ""
    for piece in _PIECE.findall(text):
        if line.strip() and width(line + piece.rstrip()) > columns:
            lines.append(line.rstrip())
            line = ""
        line += piece
        while width(line.rstrip()) > columns:
            at = _longest(line, columns)
            lines.append(line[:at])
            line = line[at:]
    return [*lines, line.rstrip()] if line.strip() else lines


def _longest(text: str, columns: int) -> int:
    """How many characters of a word that is too wide go into one line."""
    at = min(len(text), columns)
    while at > 1 and width(text[:at]) > columns:
        at -= 1
    slash = text.rfind("/", 0, at) + 1
    return slash if slash > at // 3 else at
