"""Arguments of a call as text, with marks for what is only known when it runs.

The marks are Unicode noncharacters, which no file name and no program text holds. An argument without one is what the
program will get, to the letter.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

ANY = "\ufdd0"  # any text, the empty one included, or several words
NAME = "\ufdd1"  # as ANY, but from where no option comes: the environment, a command that prints names, find's {}
STAR = "\ufdd2"  # `*`, `?` and `[` that match file names
QUESTION = "\ufdd3"
BRACKET = "\ufdd4"
_HOLES = frozenset(ANY + NAME)
_GLOBS = frozenset(STAR + QUESTION + BRACKET)
_MARKS = _HOLES | _GLOBS


def known(argument: str) -> bool:
    """Whether the program gets exactly this text."""
    return _MARKS.isdisjoint(argument)


def open_ended(argument: str) -> bool:
    """Whether a part of it is any text: it could be an option, a path, or several words."""
    return ANY in argument


def has_glob(argument: str) -> bool:
    return not _GLOBS.isdisjoint(argument)


def may_be(argument: str, text: str) -> bool:
    """Whether the argument can be exactly `text`. A NAME that stands alone cannot be an option or a refspec's `+`."""
    if known(argument):
        return argument == text
    if argument == NAME and text[:1] in ("-", "+"):
        return False
    return fits(argument, text)


def may_start(argument: str, prefix: str) -> bool:
    """Whether the argument can begin with `prefix`."""
    if known(argument):
        return argument.startswith(prefix)
    if argument[0] == NAME and prefix[:1] in ("-", "+"):
        return False
    head = min([argument.find(mark) % (len(argument) + 1) for mark in _MARKS])
    return argument[:head].startswith(prefix) or prefix.startswith(argument[:head])


def fits(pattern: str, text: str) -> bool:
    """Whether the text can be what the argument stands for; `[...]` is taken for any one character."""
    pieces = _collapsed(pattern)
    at = mark = 0
    star = -1
    while at < len(text):
        piece = pieces[mark] if mark < len(pieces) else ""
        if piece == STAR:
            star, resume = mark, at
            mark += 1
        elif piece and piece in (QUESTION, text[at]):
            mark += 1
            at += 1
        elif star >= 0:
            resume += 1
            mark, at = star + 1, resume
        else:
            return False
    return all([piece == STAR for piece in pieces[mark:]])


def _collapsed(pattern: str) -> str:
    """The pattern with all holes as STAR and each bracket expression as QUESTION."""
    found = []
    at = 0
    while at < len(pattern):
        char = pattern[at]
        if char == BRACKET:
            close = pattern.find("]", at + 2)
            at = close if close > 0 else at
            char = QUESTION
        found.append(STAR if char in _HOLES else char)
        at += 1
    return "".join(found)


def literal(argument: str) -> str:
    """The argument with its glob characters as text, which is what a shell leaves where no file matches."""
    return argument.replace(STAR, "*").replace(QUESTION, "?").replace(BRACKET, "[")


def joined(cwd: str, path: str, home: str) -> str:
    """The path from `cwd`; as it is when that is not known."""
    if path[:15] == "/proc/self/cwd/" and cwd:
        path = path[15:]
    if path[:1] == "/" or not cwd:
        return path
    while path[:2] == "./":
        path = path[2:].lstrip("/")
    return cwd.rstrip("/") + "/" + path if path not in ("", ".") else cwd


def lexical(path: str) -> str:
    """The path without dot segments, as `cd` has it."""
    found: "list[str]" = []
    for name in path.split("/"):
        if name == ".." and found and found[-1] not in ("", ".."):
            found.pop()
        elif name not in ("", "."):
            found.append(name)
    return ("/" if path[:1] == "/" else "") + "/".join(found) if path else ""


_SHOWN = {ANY: "…", NAME: "…", STAR: "*", QUESTION: "?", BRACKET: "["}


def shown(argument: str) -> str:
    """For people: marks as they were written, holes as an ellipsis, quotes where a shell would need them."""
    text = "".join([_SHOWN.get(char, char) for char in argument])
    plain = all([char.isalnum() or char in "_-./:=,@%+*?~…[]{}^#" or char > "\x7f" for char in text])
    return text if text and plain else "'" + text.replace("'", "'\\''") + "'"


def shown_line(words: "list[str]", writes: "Sequence[str]" = (), *, most: int = 120) -> str:
    """Words and targets of redirections as one line for people, of at most so many characters."""
    pieces = ["<(…)" if word[:8] == "/dev/fd/" else shown(word) for word in words]
    text = " ".join(pieces + ["> " + shown(target) for target in writes])
    return text if len(text) <= most else text[: most - 1] + "…"
