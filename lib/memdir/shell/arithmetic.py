"""The value of arithmetic that is made of numbers alone, as in `$((1 + 2))`."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

_SIGNS = ("<<", ">>", "&&", "||", "<=", ">=", "==", "!=", *"-+*/%()&|^~!<>")
_DIGITS = frozenset("0123456789abcdefABCDEFxX")
_LEVELS = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", ">", "<=", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
_LONGEST = 200  # characters
_DEEPEST = 20  # brackets and signs within each other
_LARGEST = 1 << 63


def value(text: str) -> "Optional[int]":
    """None where it holds anything but numbers, or cannot be computed."""
    if len(text) > _LONGEST:
        return None
    try:
        result = _Reader(_tokens(text)).whole()
    except (ValueError, ZeroDivisionError, IndexError):
        return None
    return result if -_LARGEST <= result < _LARGEST else None


def _tokens(text: str) -> "list[str]":
    """Numbers and signs; raises ValueError for anything else."""
    found = []
    at = 0
    while at < len(text):
        start = at
        if text[at] in " \t\n":
            at += 1
            continue
        while at < len(text) and text[at] in _DIGITS:
            at += 1
        if at == start:
            at += len(next((sign for sign in _SIGNS if text.startswith(sign, at)), ""))
        if at == start:
            raise ValueError
        found.append(text[start:at])
    return found


class _Reader:
    def __init__(self, tokens: "list[str]") -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0

    def whole(self) -> int:
        result = self._level(0)
        if self._at < len(self._tokens):
            raise ValueError
        return result

    def _level(self, level: int) -> int:
        if level == len(_LEVELS):
            return self._unary()
        result = self._level(level + 1)
        while self._at < len(self._tokens) and self._tokens[self._at] in _LEVELS[level]:
            sign = self._tokens[self._at]
            self._at += 1
            result = _computed(sign, result, self._level(level + 1))
        return result

    def _unary(self) -> int:
        token = self._tokens[self._at]
        self._at += 1
        if token in "+-~!(":
            self._depth += 1
            if self._depth > _DEEPEST:
                raise ValueError
            inner = self._level(0) if token == "(" else self._unary()
            self._depth -= 1
            if token == "(":
                if self._tokens[self._at] != ")":
                    raise ValueError
                self._at += 1
                return inner
            return {"+": inner, "-": -inner, "~": ~inner, "!": int(not inner)}[token]
        if token[:2] in ("0x", "0X"):
            return int(token, 16)
        return int(token, 8 if token[0] == "0" else 10)


def _computed(sign: str, one: int, other: int) -> int:
    if sign in ("/", "%"):
        quotient = abs(one) // abs(other)
        quotient = quotient if (one < 0) == (other < 0) else -quotient
        return quotient if sign == "/" else one - other * quotient
    if sign in ("<<", ">>"):
        if not 0 <= other < 64:
            raise ValueError
        return one << other if sign == "<<" else one >> other
    return int(
        {
            "+": one + other, "-": one - other, "*": one * other, "&": one & other, "|": one | other, "^": one ^ other,
            "<": one < other, ">": one > other, "<=": one <= other, ">=": one >= other, "==": one == other,
            "!=": one != other, "&&": bool(one and other), "||": bool(one or other),
        }[sign]
    )  # fmt: skip
