"""Where things stand in a JSON text: members, elements and their places, and the first fault in a person's words."""

import json
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

BLANK = " \t\r\n"
_BLANKS = re.compile(r"[ \t\r\n]*")
_BREAK = re.compile(r"\r\n|\n|\r")
_CONSTANT = re.compile(r'"(?:[^"\\]|\\.)*"|(-?Infinity|NaN)')
_LONGEST_INT = 4000  # digits; Python refuses to read integers from 4301 on


class Fault(ValueError):
    """What is wrong at a place of the text; `position` counts characters from 0."""

    def __init__(self, position: int, what: str) -> None:
        super().__init__(what)
        self.position = position
        self.what = what


class Item:
    """A member of an object or an element of an array.

    `start` and `end` are its whole span; `at` is where its value begins: after the key, for an element the start.
    """

    __slots__ = ("at", "end", "key", "start", "value")

    def __init__(self, start: int, at: int, end: int, key: str, value: "Any") -> None:
        self.start = start
        self.at = at
        self.end = end
        self.key = key
        self.value = value


class _Constant(ValueError):
    """NaN and its like, which JSON does not have."""


def _refuse(name: str) -> None:
    raise _Constant(name)


def _integer(digits: str) -> "int | float":
    return int(digits) if len(digits) <= _LONGEST_INT else float(digits)


_DECODER = json.JSONDecoder(parse_constant=_refuse, parse_int=_integer)


def parse(text: str) -> "Any":
    """The value of exactly one document; of a key that is there twice the last counts, as for the client.

    Raises Fault.
    """
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise _explain(text, error.pos, error.msg) from None
    except _Constant:
        found = next(match for match in _CONSTANT.finditer(text) if match[1])
        raise Fault(found.start(), f"{found[1]}, a number that JSON does not have") from None
    except RecursionError:
        raise Fault(0, "nested too deeply") from None


def members(text: str, start: int) -> "list[Item]":
    """What is in the object that begins at `start` of a text that `parse` accepts."""
    found = []
    at = skip(text, start + 1)
    while text[at] != "}":
        key, end = _DECODER.raw_decode(text, at)
        begin = skip(text, skip(text, end) + 1)
        value, end = _DECODER.raw_decode(text, begin)
        found.append(Item(at, begin, end, key, value))
        at = _next(text, end)
    return found


def elements(text: str, start: int) -> "list[Item]":
    """What is in the array that begins at `start` of a text that `parse` accepts."""
    found = []
    at = skip(text, start + 1)
    while text[at] != "]":
        value, end = _DECODER.raw_decode(text, at)
        found.append(Item(at, at, end, "", value))
        at = _next(text, end)
    return found


def member(items: "list[Item]", key: str) -> "Optional[Item]":
    """The one that counts: JavaScript takes the last of those with the same key."""
    return next((item for item in reversed(items) if item.key == key), None)


def skip(text: str, at: int) -> int:
    """Where the next character that is no white space stands."""
    return _BLANKS.match(text, at).end()  # type: ignore[union-attr]


def _next(text: str, end: int) -> int:
    at = skip(text, end)
    return skip(text, at + 1) if text[at] == "," else at


def place(text: str, position: int) -> "tuple[int, int]":
    """Line and column as an editor counts them: from 1, in characters."""
    line, begin = 1, 0
    for found in _BREAK.finditer(text, 0, position):
        line, begin = line + 1, found.end()
    return line, position - begin + 1


def _explain(text: str, position: int, message: str) -> Fault:
    """Pythons differ in where they see a fault and how they call it; this does not."""
    if message.startswith(("Invalid control character", "Invalid \\")):
        control = "a line break or another control character inside a string (a quotation mark missing?)"
        return Fault(position, control if message.startswith("Invalid control") else "a backslash that escapes nothing")
    if message.startswith("Unterminated string"):
        return Fault(position, "a string that is never closed")
    at = skip(text, position)
    before = len(text[:at].rstrip(BLANK)) - 1  # the last character in front of it, or -1
    after = text[skip(text, at + 1) : skip(text, at + 1) + 1] if at < len(text) else ""
    if text.startswith(("//", "/*", "#"), at):
        return Fault(at, "a comment, which JSON does not have")
    if text.startswith(",", at) and (after in ("]", "}") or text[before : before + 1] in ("{", "[", ",")):
        return Fault(at, "a comma too many")
    if at < len(text) and text[at] in "]}" and before >= 0 and text[before] == ",":
        return Fault(before, "a comma too many")
    return Fault(at, _unexpected(text, at, message))


def _unexpected(text: str, at: int, message: str) -> str:
    if at >= len(text):
        return "the end of the file, where something is still open"
    if message.startswith("Extra data"):
        return "text after the end of the settings"
    if text[at] == "\ufeff":
        return "a byte order mark in the middle of the text"
    if text[at] == "'":
        return "a single quotation mark; JSON has only double ones"
    if message.startswith("Expecting ','") and text[at] in '"{[':
        return "a comma is missing in front of this"
    if message.startswith("Expecting ':'"):
        return "a colon is missing in front of this"
    if message.startswith("Expecting property name"):
        return "no key in double quotation marks, which has to stand here"
    return f"{text[at]!a}, which cannot stand here"
