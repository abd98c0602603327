"""Words of shell text, with the quotes and expansions in them."""

from memdir.shell import braces
from memdir.shell.cursor import DIGITS, END, NAME, Cursor, NotRead
from memdir.shell.escapes import decode_ansi_c
from memdir.shell.syntax import (
    ARITHMETIC,
    COMMAND,
    GLOB,
    LITERAL,
    PARAMETER,
    PROCESS,
    Node,
    Part,
    Redirection,
    Script,
    Word,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Optional

_SPECIAL_PARAMETERS = frozenset("@*#?-$!")
_OPERATORS = (
    ":-", ":=", ":?", ":+", "##", "%%", "//", "/#", "/%", "^^", ",,", "-", "=", "?", "+", "#", "%", "/", "^", ",", ":",
    "@", "*",
)  # fmt: skip
_EXPANDED = frozenset("{~*?[")  # what braces.py looks for


class Context:
    """How characters are read: which end the text, which are active in it, and what a backslash takes the sense of."""

    __slots__ = ("ends", "escapes", "quoted", "quotes", "stops")

    def __init__(self, ends: str, active: str, escapes: str = "") -> None:
        self.ends = frozenset(ends + END)
        self.stops = frozenset(ends + END + active)
        self.escapes = escapes  # none: of any character
        self.quoted = escapes != ""
        self.quotes = "'" in active  # whether $'...' and $"..." are quotes, too


WORD = Context(" \t\n;&|()<>", "\\$`\"'")
REGULAR_EXPRESSION = Context(" \t\n;&()<>", "\\$`\"'")
ARGUMENT = Context("}", "\\$`\"'<>")
QUOTES = Context('"', "\\$`", '$`"\\')
QUOTED_ARGUMENT = Context("}'", '\\$`"', '$`"\\}')
APOSTROPHES = Context("'", "\\$`", '$`"\\')
PARENTHESES = Context("()", "\\$`\"'", '$`"\\')
BRACKETS = Context("[]", "\\$`\"'", '$`"\\')
HERE_DOCUMENT = Context("", "\\$`", "$`\\")


class WordReader(Cursor):
    """Reads words; the commands inside them are read by the class that knows their grammar."""

    def __init__(self, text: str, offsets: "Sequence[int]", script: Script, node: Node, depth: int) -> None:
        super().__init__(text, offsets, script, node, depth)
        self._waiting: "list[tuple[Redirection, Node]]" = []  # here-documents whose bodies begin after this line

    def compound_list(self, *, conditional: bool = False) -> bool:
        """Reads commands as far as they go; whether there were any."""
        raise NotImplementedError

    def whole(self) -> None:
        """Reads commands up to the end of the text."""
        raise NotImplementedError

    # Words

    def words(self, before: "Optional[list[Part]]" = None, start: "Optional[int]" = None) -> "list[Word]":
        """What the word at the cursor is after brace expansion; the parts `before` were read from `start` on."""
        start = self._at if start is None else start
        parts = self._parts(WORD, before)
        if all([part.quoted or part.kind != LITERAL or _EXPANDED.isdisjoint(part.text) for part in parts]):
            return [self._word(parts, start)]
        expanded = [braces.mark_tildes(word, value=False) for word in braces.expand_braces(parts) if word]
        return [self._word(braces.mark_globs(word), start) for word in expanded]

    def value(self, context: Context = WORD) -> Word:
        """The word at the cursor, which may be empty, where there is no brace or pathname expansion."""
        start = self._at
        return self._word(braces.mark_tildes(self._parts(context), value=True), start)

    def _word(self, parts: "list[Part]", start: int) -> Word:
        return Word(parts if len(parts) == 1 else _merged(parts), self._offsets[start], self._offset_after(self._at))

    def _parts(self, context: Context, before: "Optional[list[Part]]" = None) -> "list[Part]":
        """Parts up to a character that ends the context."""
        text = self._text
        stops = context.stops
        parts: "list[Part]" = [] if before is None else before
        while True:
            start = at = self._at
            while text[at] not in stops:
                at += 1
            self._at = at
            if at > start:
                parts.append(Part(LITERAL, text[start:at], quoted=context.quoted))
            char = text[at]
            if char in "<>" and text[self._joined(at + 1)] == "(":
                self._at = self._joined(at + 1) + 1
                parts.append(self._substitution(PROCESS, at, ")", quoted=False))
            elif char == "(" and context is WORD and self._is_pattern(parts):
                self._pattern(parts)
            elif char == "(" and context is REGULAR_EXPRESSION:
                self._parenthesized(parts, "(")
            elif char in context.ends:
                return parts
            elif char in "<>":
                parts.append(Part(LITERAL, char, quoted=False))
                self._at += 1
            else:
                self._active(char, parts, context)

    def _active(self, char: str, parts: "list[Part]", context: Context) -> None:
        """Reads what a backslash, a quote, a backquote or a dollar begins."""
        if char == "\\":
            self._escape(parts, context)
        elif char == "'":
            parts.append(Part(LITERAL, self._single_quotes(), quoted=True))
        elif char == '"':
            self._double_quotes(parts)
        elif char == "`":
            parts.append(self._backquotes(context))
        else:
            self._dollar(parts, context)

    def _escape(self, parts: "list[Part]", context: Context) -> None:
        char = self._text[self._at + 1]
        self._at += 2
        if char == END:
            self._at -= 1
            parts.append(Part(LITERAL, "\\", quoted=True))
        elif char != "\n":
            kept = "\\" if context.escapes and char not in context.escapes else ""
            parts.append(Part(LITERAL, kept + char, quoted=True))

    def _is_pattern(self, parts: "list[Part]") -> bool:
        """Whether a parenthesis after these parts belongs to `@(...)` or the like."""
        return bool(parts) and parts[-1].kind == LITERAL and not parts[-1].quoted and parts[-1].text[-1] in "@?*+!"

    def _pattern(self, parts: "list[Part]") -> None:
        last = parts[-1]
        mark = last.text[-1]
        last.text = last.text[:-1]
        if not last.text:
            parts.pop()
        self._parenthesized(parts, mark + "(")

    def _parenthesized(self, parts: "list[Part]", mark: str) -> None:
        start = self._at
        self._at += 1
        parts.append(Part(GLOB, mark))
        parts += self._balanced(PARENTHESES, start)
        parts.append(Part(GLOB, ")"))

    def _balanced(self, context: Context, start: int) -> "list[Part]":
        """Parts up to the closing bracket that belongs to one before the cursor; that one is stepped over."""
        self._deeper()
        depth = 1
        parts = self._parts(context)
        while (char := self._text[self._at]) != END:
            self._at += 1
            depth += 1 if char in "([" else -1
            if not depth:
                self._depth -= 1
                return parts
            parts.append(Part(LITERAL, char, quoted=True))
            parts = self._parts(context, parts)
        raise self._refused("this bracket is never closed", start)

    # Quotes

    def _single_quotes(self) -> str:
        start = self._at + 1
        end = self._text.find("'", start)
        if end < 0:
            raise self._refused("this quote is never closed")
        self._at = end + 1
        return self._text[start:end]

    def _double_quotes(self, parts: "list[Part]") -> None:
        start = self._at
        self._at += 1
        inner = self._parts(QUOTES)
        if self._text[self._at] == END:
            raise self._refused("this quote is never closed", start)
        self._at += 1
        parts += inner or [Part(LITERAL, "", quoted=True)]

    def _ansi_c_quotes(self) -> str:
        text = self._text
        start = at = self._at + 1
        while text[at] != "'":
            at += text[at] == "\\"
            if text[at] == END:
                raise self._refused("this quote is never closed")
            at += 1
        self._at = at + 1
        return decode_ansi_c(text[start:at])

    # Expansions

    def _dollar(self, parts: "list[Part]", context: Context) -> None:
        start = self._at
        self._at = after = self._joined(start + 1)
        char = self._text[after]
        if char == "{":
            parts.append(self._parameter_expansion(start, quoted=context.quoted))
        elif char == "(":
            second = self._joined(after + 1)
            if self._text[second] == "(" and self.is_arithmetic(second + 1):
                self._at = second + 1
                parts.append(self._arithmetic(start, PARENTHESES, quoted=context.quoted))
            else:
                self._at = after + 1
                parts.append(self._substitution(COMMAND, start, ")", quoted=context.quoted))
        elif char in NAME or char in _SPECIAL_PARAMETERS:
            single = char in DIGITS or char not in NAME
            name, self._at = (char, after + 1) if single else self._run(after, NAME)
            part = Part(PARAMETER, "$" + name, quoted=context.quoted)
            part.name = name
            parts.append(part)
        elif char == "[":
            self._at = after + 1
            parts.append(self._arithmetic(start, BRACKETS, quoted=context.quoted))
        elif char == "'" and context.quotes:
            parts.append(Part(LITERAL, self._ansi_c_quotes(), quoted=True))
        elif char == '"' and context.quotes:
            self._double_quotes(parts)
        else:
            parts.append(Part(LITERAL, "$", quoted=context.quoted))

    def _parameter_expansion(self, start: int, *, quoted: bool) -> Part:
        text = self._text
        self._at += 1
        if text[self._at] in " \t\n|":  # bash 5.3: runs commands as $(...) does, but in this shell
            self._at += text[self._at] == "|"
            return self._substitution(COMMAND, start, "}", quoted=quoted)
        self._deeper()
        part = Part(PARAMETER, "", quoted=quoted)
        self._parameter_name(part)
        if text[self._at] != "}":
            part.operator += next((operator for operator in _OPERATORS if self._take(operator)), "")
        part.argument = self._argument(QUOTED_ARGUMENT if quoted else ARGUMENT)
        if text[self._at] == END:
            raise self._refused("`${` is never closed", start)
        self._at += 1
        self._depth -= 1
        part.text = text[start : self._at]
        if not part.name or (part.argument and not part.operator):
            self._script.unread.append((self._offsets[start], f"`{part.text[:60]}` is no parameter expansion"))
        return part

    def _parameter_name(self, part: Part) -> None:
        """Reads name and subscript, and the `!` or `#` before them."""
        text = self._text
        at = self._joined(self._at)
        if text[at] in "!#":
            after = self._joined(at + 1)
            if text[after] in NAME or (text[after] in _SPECIAL_PARAMETERS and text[after + 1] == "}"):
                part.operator = text[at]
                at = after
        part.name, self._at = (text[at], at + 1) if text[at] in _SPECIAL_PARAMETERS else self._run(at, NAME)
        if part.name and self._take("["):
            self._balanced(BRACKETS, self._at - 1)

    def _argument(self, context: Context) -> "list[Part]":
        """In double quotes, bash lets apostrophes hide a brace, but expands what is between them and keeps them."""
        parts = self._parts(context)
        while self._text[self._at] == "'":
            start = self._at
            parts.append(Part(LITERAL, "'", quoted=True))
            self._at += 1
            self._parts(APOSTROPHES, parts)
            if self._text[self._at] == END:
                raise self._refused("this quote is never closed", start)
            parts.append(Part(LITERAL, "'", quoted=True))
            self._at += 1
            self._parts(context, parts)
        return parts

    def is_arithmetic(self, at: int) -> bool:
        """Whether the second of two parentheses, the one before `at`, is closed right before the first."""
        text = self._text
        depth = 1
        while depth:
            char = text[at]
            if char == END:
                return False
            if char == "\\":
                at += text[at + 1] != END
            elif char in "'\"":
                at = text.find(char, at + 1)
                if at < 0:
                    return False
            depth += (char == "(") - (char == ")")
            at += 1
        return text[self._joined(at)] == ")"

    def _arithmetic(self, start: int, context: Context, *, quoted: bool) -> Part:
        """`$((...))` or `$[...]` from its contents on."""
        self._balanced(context, start)
        if context is PARENTHESES:
            self._expect(")")
        return Part(ARITHMETIC, self._text[start : self._at], quoted=quoted)

    def _substitution(self, kind: str, start: int, close: str, *, quoted: bool) -> Part:
        """`$(...)`, `${ ...}` or `<(...)` from its commands on."""
        block = self._open("process" if kind == PROCESS else "substitution", start)
        outer, self._waiting = self._waiting, []
        self.compound_list()
        self._expect(close)
        outer += self._waiting
        self._waiting = outer
        self._close(block)
        return Part(kind, self._text[start : self._at], quoted=quoted, block=block)

    def _backquotes(self, context: Context) -> Part:
        text = self._text
        start = self._at
        pieces = []
        at = piece = start + 1
        while text[at] != "`":
            if text[at] == END:
                raise self._refused("this backquote is never closed")
            if text[at] == "\\":
                if text[at + 1] in "$`\\" or (text[at + 1] == '"' and '"' in context.escapes):
                    pieces.append((piece, at))
                    piece = at + 1
                at += text[at + 1] != END
            at += 1
        pieces.append((piece, at))
        block = self._open("substitution", start)
        self._at = at + 1
        try:
            self._inside(pieces, block).whole()
        except NotRead as refused:
            self.note(refused)
        self._close(block)
        return Part(COMMAND, text[start : self._at], quoted=context.quoted, block=block)

    def _inside(self, pieces: "list[tuple[int, int]]", node: Node) -> "WordReader":
        """A reader of these pieces of the text, joined."""
        offsets: "list[int]" = []
        for start, end in pieces:
            offsets += self._offsets[start:end]
        offsets.append(self._offsets[pieces[-1][1]])
        text = "".join([self._text[start:end] for start, end in pieces])
        return type(self)(text, offsets, self._script, node, self._depth + 1)

    def note(self, refused: NotRead) -> None:
        """Keeps what was not understood. Bash parses backquotes and here-documents late: what is around them stands."""
        self._script.unread.append((refused.offset, refused.sentence))


def _merged(parts: "list[Part]") -> "list[Part]":
    """The parts with neighbouring literals of the same kind in one."""
    merged: "list[Part]" = []
    at = 0
    while at < len(parts):
        part = parts[at]
        end = at + 1
        if part.kind == LITERAL:
            while end < len(parts) and parts[end].kind == LITERAL and parts[end].quoted == part.quoted:
                end += 1
            if end > at + 1:
                part = Part(LITERAL, "".join([piece.text for piece in parts[at:end]]), quoted=part.quoted)
        merged.append(part)
        at = end
    return merged
