"""Which texts in the program of an interpreter are only looked for, and which are surely put somewhere."""

from memdir.shell.arguments import known
from memdir.shell.substitutions import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

    from memdir.shell.code_tokens import Token

_LONGEST = 1 << 16  # characters; what is longer is taken as a whole
_REPLACING = frozenset("replace replaceAll sub subn gsub gsub! sub!".split())
_ASKING = frozenset(
    """count find index rfind rindex startswith endswith removeprefix removesuffix includes indexOf lastIndexOf
    startsWith endsWith include? start_with? end_with? split""".split()
)
_PUTTING = frozenset(
    """write writelines write_text write_bytes writeFile writeFileSync appendFile appendFileSync
    append insert join concat file_put_contents""".split()
)
_MATCHING = frozenset("search match fullmatch findall".split())
_EQUAL = frozenset(["==", "===", "!=", "!==", "eq", "ne"])
_REMEMBERING = ("RegExp", "$&", "$~", "$`", "$'", "$+", "$MATCH", "last_match", "LAST_MATCH", "@-", "@+")


class Searches:
    """`rest` is the program without what it only looks for, `pairs` what it replaces by what, `put` what it surely
    puts somewhere. `any`: it looks for something, so that another text may be there to be looked for as well.
    """

    def __init__(self, code: str) -> None:
        self.rest = code
        self.pairs: "list[tuple[str, str]]" = []
        self.put: "list[str]" = []
        self.any = False


_read: "dict[tuple[str, str], Searches]" = {}  # of the call at hand: all that a program does has its code


def searches(language: str, code: str) -> Searches:
    found = _read.get((language, code))
    if found is None:
        if len(_read) > 8:
            _read.clear()
        found = _read[language, code] = Searches(code)
        if len(code) <= _LONGEST:
            _look(found, language, code)
    return found


def _look(found: Searches, language: str, code: str) -> None:
    spans: "list[tuple[int, int]]" = []
    if language == "python":
        _Python(found, spans).read(code)
    else:
        _Script(found, spans, language, code).read()
    pieces, at = [], 0
    for start, end in sorted(set(spans)):
        pieces.append(code[at:start])
        at = max(at, end)
    found.rest = "".join([*pieces, code[at:]])


class _Python:
    def __init__(self, found: Searches, spans: "list[tuple[int, int]]") -> None:
        self._found = found
        self._spans = spans

    def read(self, code: str) -> None:
        from memdir.shell.code_python import tree  # most programs never come here

        root = tree(code)
        if root is None:
            return
        self._bytes = code.encode("utf-8", "surrogatepass")  # in which places in the tree are counted
        self._ascii = code.isascii()
        self._starts = [0]
        for line in self._bytes.split(b"\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)
        defined = False
        waiting = [root]
        while waiting:
            node = waiting.pop()
            kind = type(node).__name__
            defined = defined or (kind == "FunctionDef" and node.name in _REPLACING | _ASKING)
            if kind == "Call":
                self._call(node)
            elif kind == "Compare" and all(
                [type(sign).__name__ in ("In", "NotIn", "Eq", "NotEq") for sign in node.ops]
            ):
                for side in [node.left, *node.comparators]:
                    self._drop(side)
            elif kind in ("If", "While", "Assert", "IfExp"):
                self._test(node.test)
            for field in () if kind == "JoinedStr" else node._fields:  # whose parts have no places before 3.12
                part = getattr(node, field)
                waiting += [item for item in (part if isinstance(part, list) else [part]) if hasattr(item, "_fields")]
        if defined or not known(code) or "\r" in code:  # the places are those of another text
            del self._spans[:]

    def _call(self, node: "Any") -> None:
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        args = node.args
        if name in _REPLACING:
            self._found.any = True
            old, new = [_constant(arg) for arg in [*args, None, None][:2]]
            if new is not None:
                self._found.put.append(new)
            if old is not None and new is not None and (name == "replace" or "\\" not in new):
                self._found.pairs.append((old, new))
                self._drop(args[0])
        elif name in _ASKING:
            for arg in args[:1]:
                self._drop(arg, without="(" if name == "split" else "")  # whose groups are in what it gives
        elif name in _PUTTING:
            self._found.put += [text for text in [_constant(part) for part in _inside(args)] if text is not None]

    def _test(self, test: "Any") -> None:
        """Matches of which only the truth counts."""
        waiting = [test]
        while waiting:
            node = waiting.pop()
            kind = type(node).__name__
            if kind == "UnaryOp":
                waiting.append(node.operand)
            elif kind == "BoolOp":
                waiting += node.values
            elif kind == "Call" and getattr(node.func, "attr", "") in _MATCHING:
                for arg in node.args[:1]:
                    self._drop(arg)

    def _drop(self, node: "Any", *, without: str = "") -> None:
        self._found.any = True
        text = _constant(node)
        if text is None or (without and without in text):
            return
        start = self._starts[node.lineno - 1] + node.col_offset
        end = self._starts[node.end_lineno - 1] + node.end_col_offset
        if self._bytes[start : start + 1] in b"rRbBuU'\"" and self._bytes[end - 1 : end] in b"'\"":
            self._spans.append((self._place(start), self._place(end)))

    def _place(self, at: int) -> int:
        return at if self._ascii else len(self._bytes[:at].decode("utf-8", "surrogatepass"))


def _inside(nodes: "list[Any]") -> "list[Any]":
    """The arguments, and the parts of those that are put together or listed."""
    found: "list[Any]" = []
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        kind = type(node).__name__
        if kind == "BinOp":
            waiting += [node.left, node.right]
        elif kind in ("List", "Tuple", "JoinedStr"):
            waiting += getattr(node, "elts", None) or getattr(node, "values", [])
        else:
            found.append(node)
    return found


def _constant(node: "Any") -> "Optional[str]":
    value = getattr(node, "value", None)
    if type(node).__name__ != "Constant":
        return None
    return value.decode("latin-1") if isinstance(value, bytes) else value if isinstance(value, str) else None


class _Script:
    """JavaScript, Perl, Ruby and PHP, by their tokens."""

    def __init__(self, found: Searches, spans: "list[tuple[int, int]]", language: str, code: str) -> None:
        from memdir.shell import code_tokens  # most programs never come here

        self._kinds = code_tokens
        self._found = found
        self._spans = spans
        self._code = code
        self._language = language
        self._tokens = [token for token in code_tokens.tokens(language, code) if token.kind != code_tokens.LINE]

    def read(self) -> None:
        callees: "list[str]" = []
        defined = False
        for at, token in enumerate(self._tokens):
            before = self._tokens[at - 1] if at else token
            if token.text == "(" and token.kind == self._kinds.SIGN:
                callees.append(before.text)
            elif token.text == ")" and token.kind == self._kinds.SIGN and callees:
                callees.pop()
            elif token.kind in (self._kinds.TEXT, self._kinds.REGEX):
                self._text(at, token, callees[-1] if callees else "")
            elif token.kind == self._kinds.WORD and token.text in ("function", "sub", "def"):
                defined = defined or self._text_of(at + 1) in _REPLACING | _ASKING
        remembers = any([word in self._code for word in _REMEMBERING])
        numbered = self._language != "javascript" and any([f"${digit}" in self._code for digit in range(10)])
        if defined or remembers or numbered:
            del self._spans[:]

    def _text(self, at: int, token: "Token", callee: str) -> None:
        before, after = self._text_of(at - 1), self._text_of(at + 1)
        if token.kind == self._kinds.REGEX and (self._slice(token)[:1] == "s" or callee in ("test", "match")):
            self._found.any = True  # Perl's `s///`, or a match
        first = before == "(" and self._tokens[at - 1].kind == self._kinds.SIGN
        if before in _EQUAL or after in _EQUAL:
            self._drop(token)
        elif first and callee in _REPLACING:
            self._found.any = True
            new = self._replacement(at)
            if new is not None:
                self._found.pairs.append((self._slice(token).rstrip("dgimsuyvx")[1:-1], new))
                self._drop(token)
        elif (first and callee in _ASKING and token.kind == self._kinds.TEXT) or (
            token.kind == self._kinds.REGEX and [self._text_of(at + step) for step in (1, 2, 3)] == [".", "test", "("]
        ):
            self._drop(token)
        elif (callee in _REPLACING or callee in _PUTTING or before in _PUTTING) and token.kind == self._kinds.TEXT:
            self._found.put.append(self._slice(token))

    def _replacement(self, at: int) -> "Optional[str]":
        """The constant text that is the other argument; None if there is another thing."""
        if len(self._tokens) <= at + 3 or (self._text_of(at + 1), self._text_of(at + 3)) != (",", ")"):
            return None
        token = self._tokens[at + 2]
        return plain(self._slice(token)[1:-1], "$#") if token.kind == self._kinds.TEXT else None

    def _drop(self, token: "Token") -> None:
        self._found.any = True
        self._spans.append((token.start, token.end))

    def _text_of(self, at: int) -> str:
        inside = 0 <= at < len(self._tokens)
        return self._tokens[at].text if inside and self._tokens[at].kind in (self._kinds.SIGN, self._kinds.WORD) else ""

    def _slice(self, token: "Token") -> str:
        return self._code[token.start : token.end]
