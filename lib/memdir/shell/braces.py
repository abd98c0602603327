"""What a word becomes before it is a command's argument: brace expansion, tildes and glob characters, as bash has them.

A word's parts come in with `{`, `~`, `*` and the like still inside unquoted literals.
"""

from memdir.shell.syntax import BRACES, GLOB, LITERAL, TILDE, Part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional, Union

    Atom = Union[str, Part]  # an unquoted character, or anything that braces cannot look into
    Atoms = list[Atom]

MAX_WORDS = 500
MAX_ATOMS = 20_000  # of all words together
_MAX_BRACES = 50  # in one word; bash looks for the end of each one again
_LOGIN_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-")


class _TooMany(Exception):
    pass


def _unquoted(part: Part) -> bool:
    return part.kind == LITERAL and not part.quoted


def _merged(atoms: "Atoms") -> "list[Part]":
    parts = []
    run: "list[str]" = []
    for atom in atoms:
        if isinstance(atom, str):
            run.append(atom)
            continue
        if run:
            parts.append(Part(LITERAL, "".join(run)))
            run = []
        parts.append(atom)
    if run:
        parts.append(Part(LITERAL, "".join(run)))
    return parts


def _atoms(parts: "list[Part]") -> "Atoms":
    atoms: "Atoms" = []
    for part in parts:
        if _unquoted(part):
            atoms.extend(part.text)
        else:
            atoms.append(part)
    return atoms


# Brace expansion


def expand_braces(parts: "list[Part]") -> "list[list[Part]]":
    """The parts of each word that this one becomes. Where those would be too many it stays one, with a BRACES part."""
    braces = sum([part.text.count("{") for part in parts if _unquoted(part)])
    if not braces:
        return [parts]
    if braces > _MAX_BRACES:
        return [[Part(BRACES, "".join([part.text for part in parts]))]]
    try:
        return [_merged(atoms) for atoms in _expanded(_atoms(parts)) if atoms]
    except _TooMany:
        return [[Part(BRACES, "".join([part.text for part in parts]))]]


def _expanded(atoms: "Atoms") -> "list[Atoms]":
    """Everything before the first brace that has a partner, times what it stands for, times the expanded rest."""
    at = 1 if atoms[:2] == ["{", "}"] else 0  # find's {} stays as it is
    while at < len(atoms):
        close = _closing(atoms, at) if atoms[at] == "{" else 0
        if close:
            break
        at += 1
    else:
        return [atoms]
    inner = atoms[at + 1 : close]
    if "," in inner:
        middle = [words for item in _items(inner) for words in _expanded(item)]
    else:
        sequence = _sequence(inner)
        if sequence is None and close + 1 == len(atoms):
            return [atoms]
        middle = [atoms[at : close + 1]] if sequence is None else [list(text) for text in sequence]
    rest = _expanded(atoms[close + 1 :])
    longest = at + max([len(words) for words in middle]) + max([len(words) for words in rest])
    if len(middle) * len(rest) > MAX_WORDS or len(middle) * len(rest) * longest > MAX_ATOMS:
        raise _TooMany
    return [atoms[:at] + words + end for words in middle for end in rest]


def _closing(atoms: "Atoms", start: int) -> int:
    """The offset of the `}` that ends the brace at `start`: the first after a comma or `..` of its own level; or 0."""
    depth = 0
    divided = False
    for at in range(start + 1, len(atoms)):
        atom = atoms[at]
        if atom == "{":
            depth += 1
        elif atom == "}" and depth:
            depth -= 1
        elif atom == "}" and divided:
            return at
        elif not depth and (atom == "," or (atoms[at : at + 2] == [".", "."] and atoms[at + 2 : at + 3] != ["}"])):
            divided = True
    return 0


def _items(atoms: "Atoms") -> "list[Atoms]":
    items: "list[Atoms]" = [[]]
    depth = 0
    for atom in atoms:
        if atom == "," and not depth:
            items.append([])
            continue
        depth = max(0, depth + (atom == "{") - (atom == "}"))
        items[-1].append(atom)
    return items


def _sequence(atoms: "Atoms") -> "Optional[list[str]]":
    """`1..5`, `01..10..3`, `a..e`; None if it is not one. Raises _TooMany also for `Z..a`, which bash quotes oddly."""
    ends = "".join([atom if isinstance(atom, str) else "\0" for atom in atoms]).split("..")
    if not 2 <= len(ends) <= 3:
        return None
    step = abs(_number(ends[2]) or 0) if len(ends) == 3 else 1
    if len(ends) == 3 and _number(ends[2]) is None:
        return None
    first, last = _number(ends[0]), _number(ends[1])
    if first is not None and last is not None:
        padded = any([end.lstrip("+-")[:1] == "0" and len(end.lstrip("+-")) > 1 for end in ends[:2]])
        width = max(len(ends[0]), len(ends[1])) if padded else 0
        return [f"{number:0{width}d}" if width else str(number) for number in _range(first, last, step)]
    one, other = ends[:2]
    if not (len(one) == len(other) == 1 and (one + other).isascii() and one.isalpha() and other.isalpha()):
        return None
    if one.isupper() != other.isupper():
        raise _TooMany
    return [chr(code) for code in _range(ord(one), ord(other), step)]


def _number(text: str) -> "Optional[int]":
    digits = text[1:] if text[:1] in ("+", "-") else text
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 18 else None


def _range(first: int, last: int, step: int) -> "range":
    step = step or 1
    numbers = range(first, last + 1, step) if first <= last else range(first, last - 1, -step)
    if len(numbers) > MAX_WORDS:
        raise _TooMany
    return numbers


# Tildes and glob characters


def mark_tildes(parts: "list[Part]", *, value: bool) -> "list[Part]":
    """The parts with `~` and `~name` split off; in a value, or an argument like `name=value`, also after each colon."""
    if not any(["~" in part.text for part in parts if _unquoted(part)]):
        return parts
    atoms = _atoms(parts)
    marked: "Atoms" = []
    at = 0
    starts = True
    while at < len(atoms):
        atom = atoms[at]
        end = at + 1
        if starts and atom == "~":
            while end < len(atoms) and atoms[end] in _LOGIN_NAME:
                end += 1
            if end == len(atoms) or atoms[end] == "/" or (value and atoms[end] == ":"):
                atom = Part(TILDE, "".join([str(char) for char in atoms[at:end]]))
            else:
                end = at + 1
        if atom == "=" and not value:
            value = starts = "".join([str(char) for char in atoms[:at]]).isidentifier()
        else:
            starts = value and atom == ":"
        marked.append(atom)
        at = end
    return _merged(marked)


def mark_globs(parts: "list[Part]") -> "list[Part]":
    """The parts with `*`, `?` and each `[` that is closed within its path segment split off."""
    if not any([char in part.text for part in parts if _unquoted(part) for char in "*?["]):
        return parts
    marked: "Atoms" = []
    closed = False
    for atom in reversed(_atoms(parts)):
        if atom in ("]", "/"):
            closed = atom == "]"
        marked.append(Part(GLOB, str(atom)) if atom in ("*", "?") or (atom == "[" and closed) else atom)
    marked.reverse()
    return _merged(marked)
