"""The scripts of sed and perl that only replace and delete: what they put in, and what they only look for."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

_PAIRS = {"{": "}", "(": ")", "[": "]", "<": ">"}
_PLAIN_ESCAPES = {"n": "\n", "t": "\t", "/": "/", "'": "'", '"': '"'}
_BETWEEN = " \t\n;"


def pairs(script: str, *, perl: bool = False) -> "Optional[list[tuple[str, str]]]":
    """What each substitution looks for and puts in its place; None for a script that does more, or is not understood.

    Deletions (sed's `d`) are left out: they put nothing in. A replacement is constant text: with a reference to what
    was found, or an escape that may be any character, the script is not understood.
    """
    found: "list[tuple[str, str]]" = []
    at = 0
    while at < len(script):
        if script[at] in _BETWEEN:
            at += 1
            continue
        at = at if perl else _after_address(script, at)
        letter = script[at : at + 1]
        if letter == "d" and not perl:
            at += 1
        elif letter == "s":
            parts = _parts(script, at + 1, perl=perl)
            replacement = parts and plain(parts[1], "$@" if perl else "&\n")
            if parts is None or replacement is None:
                return None
            found.append((parts[0], replacement))
            at = parts[2]
        else:
            return None
        if script[at : at + 1] not in ("", *_BETWEEN):
            return None
    return found


def plain(text: str, special: str) -> "Optional[str]":
    """The text with its escapes resolved; None if it holds one of the special characters, or another escape."""
    found = []
    at = 0
    while at < len(text):
        char = text[at]
        if char == "\\":
            at += 1
            char = _PLAIN_ESCAPES.get(text[at : at + 1], "")
            if not char:
                return None
        elif char in special:
            return None
        found.append(char)
        at += 1
    return "".join(found)


def _after_address(script: str, at: int) -> int:
    """Past `1,/x/!`; where it stands if nothing of the kind is there."""
    for _ in range(2):
        if script[at : at + 1] == "/":
            end = _until(script, at + 1, "/")
            at = end + 1 if end >= 0 else at
            at += script[at : at + 1] == "I"
        elif script[at : at + 1] == "$":
            at += 1
        else:
            while script[at : at + 1].isdigit():
                at += 1
        if script[at : at + 1] != ",":
            break
        at += 1
    while script[at : at + 1] in (" ", "!"):
        at += 1
    return at


def _parts(script: str, at: int, *, perl: bool) -> "Optional[tuple[str, str, int]]":
    """Both texts of a substitution from its first delimiter on, and where it ends."""
    mark = script[at : at + 1]
    if not mark or mark.isalnum() or mark in " \t\n\\_;":
        return None
    close = _PAIRS.get(mark, mark) if perl else mark
    middle = _until(script, at + 1, close)
    start = middle + 1
    if middle >= 0 and close != mark:
        while script[start : start + 1] in (" ", "\n"):
            start += 1
        close = _PAIRS.get(script[start : start + 1], "")
        start += 1
    end = _until(script, start, close) if middle >= 0 and close else -1
    if end < 0:
        return None
    after = end + 1
    while script[after : after + 1] and script[after] in ("gimsx" if perl else "gIi0123456789"):
        after += 1
    return script[at + 1 : middle], script[start:end], after


def _until(script: str, at: int, close: str) -> int:
    """Where the closing delimiter stands; -1 if nowhere."""
    while at < len(script):
        if script[at] == close:
            return at
        at += 1 + (script[at] == "\\")
    return -1
