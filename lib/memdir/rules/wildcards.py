"""Text with `*`, `?`, `[a-z]` and `{a,b}`, compared with names and with arguments that are only partly known.

No comparison goes back more than once over the same text, whatever the pattern.
"""

from memdir.shell.arguments import ANY, BRACKET, NAME, QUESTION, STAR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

ALTERNATIVES = 256
_MARKS = frozenset(ANY + NAME + STAR + QUESTION + BRACKET)
_RUNS = frozenset(ANY + NAME + STAR)
_STEPS = 200_000  # of a comparison of two texts with wildcards; what takes more is taken for a match


class Wildcard:
    """One compiled text. `literal` is the text it stands for if there is nothing wild in it, else None.

    A token is a character, STAR, QUESTION, or BRACKET with what stands in the brackets.
    """

    __slots__ = ("_chunks", "literal", "tokens")

    def __init__(self, text: str, *, sets: bool) -> None:
        """`sets`: `?`, `[a-z]` and a backslash have a meaning too, not only `*`."""
        self.tokens = _tokens(text, sets=sets)
        wild = any([token in (STAR, QUESTION) or len(token) > 1 for token in self.tokens])
        self.literal: "Optional[str]" = None if wild else "".join(self.tokens)
        self._chunks = _chunks(self.tokens) if wild else []

    def fits(self, text: str) -> bool:
        """Whether all that the text can be fits: a mark in it is only covered by a `*`."""
        if self.literal is not None:
            return text == self.literal
        first, *others = self._chunks
        if not _is_at(first, text, 0):
            return False
        at = len(first)
        if not others:
            return at == len(text)
        last = others.pop()
        for chunk in others:
            at = _find(chunk, text, at)
            if at < 0:
                return False
            at += len(chunk)
        return at <= len(text) - len(last) and _is_at(last, text, len(text) - len(last))

    def overlaps(self, argument: str) -> bool:
        """Whether the argument, which may hold marks, can become a text that fits."""
        if _MARKS.isdisjoint(argument):
            return self.fits(argument)
        pieces = _pieces(argument)
        if len(pieces) * len(self.tokens) > _STEPS:
            return True
        reached = _skipped({0}, pieces)
        for token in self.tokens:
            following: "set[int]" = set()
            if token == STAR:
                following.update(range(min(reached), len(pieces) + 1))
            for at in () if token == STAR else reached:
                if at < len(pieces) and _can_meet(token, pieces[at]):
                    following.add(at if pieces[at] == STAR else at + 1)
            if not following:
                return False
            reached = _skipped(following, pieces)
        return len(pieces) in reached


def _tokens(text: str, *, sets: bool) -> "list[str]":
    found: "list[str]" = []
    at = 0
    while at < len(text):
        char = text[at]
        at += 1
        if char == "*":
            if found[-1:] != [STAR]:
                found.append(STAR)
            continue
        if sets and char == "\\" and at < len(text):
            char = text[at]
            at += 1
        elif sets and char == "?":
            char = QUESTION
        elif sets and char == "[":
            close = text.find("]", at + 1 + (text[at : at + 1] in ("!", "^")))
            if close > 0:
                char = BRACKET + text[at:close]
                at = close + 1
        found.append(char)
    return found


def _chunks(tokens: "list[str]") -> "list[str | list[str]]":
    """What stands between the stars; a text where it is one."""
    found: "list[str | list[str]]" = []
    chunk: "list[str]" = []
    for token in [*tokens, STAR]:
        if token == STAR:
            wild = any([piece == QUESTION or len(piece) > 1 for piece in chunk])
            found.append(chunk if wild else "".join(chunk))
            chunk = []
        else:
            chunk.append(token)
    return found


def _find(chunk: "str | list[str]", text: str, start: int) -> int:
    if isinstance(chunk, str):
        return text.find(chunk, start)
    for at in range(start, len(text) - len(chunk) + 1):
        if _is_at(chunk, text, at):
            return at
    return -1


def _is_at(chunk: "str | list[str]", text: str, at: int) -> bool:
    if isinstance(chunk, str):
        return text.startswith(chunk, at)
    if at + len(chunk) > len(text):
        return False
    return all([_covers(token, text[at + offset]) for offset, token in enumerate(chunk)])


def _covers(token: str, char: str) -> bool:
    if token == QUESTION:
        return char not in _MARKS
    return _in_set(token, char) if len(token) > 1 else token == char


def _in_set(token: str, char: str) -> bool:
    negated = token[1:2] in ("!", "^")
    members = token[2:] if negated else token[1:]
    at = 0
    while at < len(members):
        if members[at + 1 : at + 2] == "-" and at + 2 < len(members):
            if members[at] <= char <= members[at + 2]:
                return not negated
            at += 3
        elif members[at] == char:
            return not negated
        else:
            at += 1
    return negated and char not in _MARKS


def _pieces(argument: str) -> "list[str]":
    """The characters of an argument, with every hole as STAR and a bracket expression as QUESTION."""
    found = []
    at = 0
    while at < len(argument):
        char = argument[at]
        if char == BRACKET:
            close = argument.find("]", at + 2)
            at = close if close > 0 else at
            char = QUESTION
        found.append(STAR if char in _RUNS else char)
        at += 1
    return found


def _skipped(reached: "set[int]", pieces: "list[str]") -> "set[int]":
    """These places, and those behind runs that may be empty."""
    for at in list(reached):
        while at < len(pieces) and pieces[at] == STAR:
            at += 1
            reached.add(at)
    return reached


def _can_meet(token: str, piece: str) -> bool:
    return piece in (STAR, QUESTION) or _covers(token, piece)


def alternatives(text: str) -> "list[str]":
    """The texts that `{a,b}` stands for. Raises ValueError with a clause: too many, or a brace is not closed."""
    done: "list[str]" = []
    waiting = [text]
    while waiting:
        current = waiting.pop()
        span = _first_braces(current)
        if span is None:
            done.append(current)
        else:
            start, end, cuts = span
            parts = [current[one + 1 : other] for one, other in zip([start, *cuts], [*cuts, end])]
            waiting += [current[:start] + part + current[end + 1 :] for part in reversed(parts)]
        if len(done) + len(waiting) > ALTERNATIVES:
            raise ValueError(f"its braces stand for more than {ALTERNATIVES} paths")
    return done


def _first_braces(text: str) -> "Optional[tuple[int, int, list[int]]]":
    """Where the first `{…,…}` begins and ends, and its commas."""
    opened: "list[tuple[int, list[int]]]" = []
    at = 0
    closed = []
    while at < len(text):
        char = text[at]
        if char == "\\":
            at += 1
        elif char == "{":
            opened.append((at, []))
        elif char == "," and opened:
            opened[-1][1].append(at)
        elif char == "}" and opened:
            start, cuts = opened.pop()
            if cuts:
                closed.append((start, at, cuts))
                if not opened:
                    return min(closed)
        at += 1
    if opened:
        raise ValueError("a `{` in it is not closed")
    return min(closed) if closed else None
