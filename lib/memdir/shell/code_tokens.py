"""Tokens of JavaScript, Perl, Ruby, PHP and AppleScript, as far as calls and their arguments need them."""

from memdir.shell.arguments import ANY, NAME
from memdir.shell.code_effects import globbed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

WORD, TEXT, COMMAND, NUMBER, SIGN, REGEX, GLOB, CODE, LINE, LAST = range(10)
END = "\0"
_DIGITS = frozenset("0123456789")
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") | _DIGITS | {ANY, NAME}
_PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "e": "\x1b", "a": "\a"}
_SIGNS = (
    ">>>=", "**=", "...", "===", "!==", "<=>", "||=", "&&=", "??=", "//=", "<<=", ">>=", "=>", "->", "?.", "::", "||",
    "&&", "??", "==", "!=", "<=", ">=", "=~", "!~", "+=", "-=", "*=", "/=", ".=", "|=", "&=", "%=", "^=", "++", "--",
    "**", "..", "<<", ">>", "//",
)  # fmt: skip
# Words that an operand follows, so that a slash after them begins a regular expression.
_BEFORE_OPERAND = frozenset(
    """return if unless and or not while until when case in of typeof delete void throw new else elsif do then split
    grep map join push print puts p x xor cmp eq ne lt gt le ge yield await instanceof begin""".split()
)
_QUOTES = {"q": 1, "qq": 1, "qw": 1, "qx": 1, "m": 1, "qr": 1, "s": 2, "tr": 2, "y": 2}  # Perl's, with their parts


class Token:
    """`text` is a word, number or sign. `parts` of texts are literal pieces and, marked by True, pieces of code.

    `spaced` says whether a blank stands before it, `words` whether it is a list of words; `start` and `end` where it
    stands in the code.
    """

    __slots__ = ("end", "kind", "parts", "spaced", "start", "text", "words")

    def __init__(self, kind: int, text: str = "", *, spaced: bool = False) -> None:
        self.kind = kind
        self.text = text
        self.spaced = spaced
        self.words = False
        self.parts: "list[tuple[bool, str]]" = []
        self.start = self.end = 0

    def __repr__(self) -> str:
        return f"Token({self.kind}, {self.text!r}, {self.parts})"


def tokens(language: str, code: str) -> "list[Token]":
    """All tokens of the code, with one of kind LAST at their end. What is not closed ends with the code."""
    return _Scanner(language, code).run()


class _Scanner:
    def __init__(self, language: str, code: str) -> None:
        self._code = code.replace(END, " ") + END
        self._at = 0
        self._language = language
        self._perl = language == "perl"
        self._ruby = language == "ruby"
        self._found: "list[Token]" = []
        self._spaced = False
        self._waiting: "list[tuple[Token, str, bool, bool]]" = []  # here-documents: token, delimiter, raw, indented
        self._hashes = language in ("perl", "ruby", "php", "applescript")
        self._slashes = language in ("javascript", "php")
        self._variables = "$@" if self._perl or self._ruby else "$" if language in ("php", "javascript") else ""

    def run(self) -> "list[Token]":
        while self._code[self._at] != END:
            if not self._blank():
                start, count = self._at, len(self._found)
                self._token()
                for token in self._found[count:]:
                    token.start, token.end = start, self._at
                self._spaced = False
        self._add(LAST)
        return self._found

    def _add(self, kind: int, text: str = "") -> Token:
        token = Token(kind, text, spaced=self._spaced)
        self._found.append(token)
        return token

    def _blank(self) -> bool:
        """Steps over a blank, a line break or a comment."""
        code, at = self._code, self._at
        char, two = code[at], code[at : at + 2]
        if char == "\n":
            self._at += 1
            self._add(LINE)
            self._here_documents()
            if self._perl and code[self._at] == "=" and code[self._at + 1].isalpha():  # documentation
                self._at = self._after("\n=cut", self._at)
                self._at = self._line_end()
        elif char.isspace() or (char == "\\" and code[at + 1] == "\n"):
            self._at += 1 + (char == "\\")
        elif (char == "#" and self._hashes) or (two == "//" and self._slashes) or two == self._dashes():
            self._at = self._line_end()
        elif two == "/*" and self._slashes:
            self._at = self._after("*/", at + 2)
        elif code.startswith(("__END__\n", "__DATA__\n"), at) and (self._perl or self._ruby):
            self._at = len(code) - 1
        else:
            return False
        self._spaced = True
        return True

    def _dashes(self) -> str:
        return "--" if self._language == "applescript" else "no"

    def _line_end(self) -> int:
        end = self._code.find("\n", self._at)
        return len(self._code) - 1 if end < 0 else end

    def _after(self, text: str, at: int) -> int:
        found = self._code.find(text, at)
        return len(self._code) - 1 if found < 0 else found + len(text)

    def _operand(self) -> bool:
        """Whether an operand is due here, not an operator."""
        last = self._found[-1] if self._found else None
        if last is None or last.kind == LINE:
            return True
        if last.kind == SIGN:
            return last.text not in (")", "]", "}")
        if last.kind != WORD:
            return False
        if last.text in _BEFORE_OPERAND:
            return True
        spaced = self._spaced and not self._code[self._at + 1].isspace() and last.text[0] not in "$@%&"
        return spaced and (self._perl or self._ruby)

    def _token(self) -> None:
        code, at = self._code, self._at
        char = code[at]
        if char in _DIGITS:
            self._at += 1
            while code[self._at] in _LETTERS or (code[self._at] == "." and code[self._at + 1] in _DIGITS):
                self._at += 1
            self._add(NUMBER, code[at : self._at])
        elif char in _LETTERS or char in self._variables or char > "\x7f":
            self._word()
        elif char in "'\"`":
            self._quoted(char)
        elif char == "/" and self._operand():
            self._regex()
        elif char in "<%?:&" and self._special(char):
            pass
        else:
            sign = next((sign for sign in _SIGNS if code.startswith(sign, at)), char)
            self._at += len(sign)
            self._add(SIGN, sign)

    def _word(self) -> None:
        code, start = self._code, self._at
        self._at += 1
        first = code[start]
        if first in "$@" and self._perl and self._sigils(first):
            return
        if first == "@" and code[self._at] == "@":
            self._at += 1
        while True:
            char = code[self._at]
            more = char in _LETTERS or char > "\x7f" or (char == "$" and self._language == "javascript")
            if not more and self._perl and code.startswith("::", self._at) and code[self._at + 2] in _LETTERS:
                self._at += 1
                more = True
            if not more:
                break
            self._at += 1
        if first == "$" and self._ruby and self._at == start + 1 and code[self._at] not in " \t\n" + END:
            self._at += 1  # a variable such as $!
        if self._ruby and code[self._at] in "?!" and code[self._at + 1] != "=" and first not in "$@":
            self._at += 1
        word = code[start : self._at]
        quoted = (
            self._perl and word in _QUOTES and code[start - 1 : start] not in ("-", ">", "{") and self._perl_quote(word)
        )
        if not quoted:
            self._add(WORD, word)

    def _sigils(self, first: str) -> bool:
        """Perl's special variables and dereferences; whether it was one."""
        code = self._code
        char = code[self._at]
        if char in "{$@":
            name_end = self._at + 1
            while code[name_end] in _LETTERS:
                name_end += 1
            if char == "{" and code[name_end] == "}" and name_end > self._at + 1:
                self._add(WORD, first + code[self._at + 1 : name_end])
                self._at = name_end + 1
            elif char == "$" and name_end > self._at + 1:
                self._add(WORD, code[self._at : name_end])
                self._at = name_end
            elif char != "{":
                self._at += 1
                self._add(WORD, first + char)
            return True
        if char == "#" and first == "$":
            self._at += 1
            return code[self._at] in "{$"
        if char in _LETTERS or char > "\x7f" or (char == ":" and code[self._at + 1] == ":"):
            return False
        self._at += char != END and (first == "$" or char in "-+_")
        self._add(WORD, code[self._at - 2 : self._at])
        return True

    # Texts

    def _quoted(self, quote: str) -> None:
        self._at += 1
        body = self._until(quote, quote)
        if quote == "`" and self._language != "javascript":
            self._add(COMMAND).parts = self._parts(body)
        elif quote == "'":
            self._add(TEXT).parts = [(False, _plain(body) if self._language != "javascript" else _escaped(body))]
        else:
            self._add(TEXT).parts = self._parts(body)

    def _until(self, opening: str, closing: str) -> str:
        """The text to the closing sign, with its escapes; pairs of signs nest."""
        code, start = self._code, self._at
        depth = 1
        template = closing == "`" and self._language == "javascript"
        while code[self._at] != END:
            char = code[self._at]
            if char == "\\":
                self._at += 1 + (code[self._at + 1] != END)
                continue
            if (template and code.startswith("${", self._at)) or (
                closing == '"' and self._ruby and code.startswith("#{", self._at)
            ):
                self._at = _hole_end(code, self._at + 2)
                continue
            depth += (char == opening != closing) - (char == closing)
            if depth == 0:
                break
            self._at += 1
        body = code[start : self._at]
        self._at += code[self._at] != END
        return body

    def _parts(self, body: str) -> "list[tuple[bool, str]]":
        """The pieces of a text in which variables and code stand."""
        parts: "list[tuple[bool, str]]" = []
        closed = body + END
        start = at = 0
        opening = {"javascript": "${", "ruby": "#{", "php": "{$"}.get(self._language, "\0")
        variables = {"perl": "$@", "php": "$"}.get(self._language, "")
        while at < len(body):
            char = body[at]
            end = at
            if char == "\\":
                at += 2
                continue
            if body.startswith(opening, at):
                end = _hole_end(closed, at + 2)
                hole = body[at + (1 if opening == "{$" else 2) : end - 1]
            elif char in variables and at + 1 < len(body):
                hole, end = _variable(closed, at)
            if end > at:
                parts += [(False, _escaped(body[start:at])), (True, hole)]
                start = at = end
            else:
                at += 1
        return [*parts, (False, _escaped(body[start:]))]

    def _regex(self) -> None:
        code = self._code
        self._at += 1
        inside = False
        while code[self._at] not in ("\n", END):
            char = code[self._at]
            self._at += 1 + (char == "\\" and code[self._at + 1] != END)
            if char == "/" and not inside:
                break
            inside = char == "[" or (inside and char != "]")
        while code[self._at].isalpha():
            self._at += 1
        self._add(REGEX)

    def _perl_quote(self, word: str) -> bool:
        """What `q`, `s` and their like quote; False if the word is a name here."""
        code, at = self._code, self._at
        while code[at].isspace():
            at += 1
        opening = code[at]
        if opening in "=,;)" + END or opening in _LETTERS or (opening == "#" and at > self._at):
            return False
        if opening == "}" or (self._found and self._found[-1].text == "sub"):
            return False
        self._at = at + 1
        body = self._until(opening, _PAIRS.get(opening, opening))
        replacement = ""
        if _QUOTES[word] == 2:
            if opening in _PAIRS:
                while code[self._at].isspace():
                    self._at += 1
                opening = code[self._at]
                self._at += opening != END
            replacement = self._until(opening, _PAIRS.get(opening, opening))
        flags = self._at
        while word not in ("q", "qq", "qw", "qx") and code[self._at].isalpha() and code[self._at] in "msixpodualngcer":
            self._at += 1
        if word == "s" and "e" in code[flags : self._at]:
            self._add(CODE).parts = [(True, replacement)]
        elif word == "s" and "@{[" in replacement:
            self._add(TEXT).parts = self._parts(replacement)
        elif word in ("q", "qq", "qw", "qx"):
            token = self._add(COMMAND if word == "qx" else TEXT)
            token.words = word == "qw"
            token.parts = [(False, _plain(body))] if word in ("q", "qw") or opening == "'" else self._parts(body)
        else:
            self._add(REGEX)
        return True

    # What begins with a sign

    def _special(self, char: str) -> bool:
        """Here-documents, `<*.c>`, `%w[]`, `?a` and `:a`; False if the sign is an operator."""
        code, at = self._code, self._at
        if code.startswith("<<", at) and self._language != "javascript":
            return self._here_document()
        if char == "<" and self._perl and self._operand():
            end = code.find(">", at, at + 200)
            body = code[at + 1 : end]
            if end > 0 and not any([part.isspace() for part in body]):
                self._at = end + 1
                names = all([part in _LETTERS or part == "$" for part in body])
                self._add(GLOB, NAME if names else globbed(body))
                return True
        if char == "<" and code.startswith("<?php", at):
            self._at += 5
            return True
        if char in "%&" and self._perl and self._operand() and (code[at + 1] in _LETTERS or code[at + 1] in "$+"):
            self._at += 1  # a hash or a call, not an operator
            if char == "%" and code[self._at] in _LETTERS:
                self._word()
            return True
        if not self._ruby:
            return False
        if char == "%" and self._operand():
            return self._percent()
        if char == "?" and self._operand() and not code[at + 1].isspace() and code[at + 2] not in _LETTERS:
            self._at += 2
            self._add(TEXT).parts = [(False, code[at + 1])]
            return True
        if char == ":" and code[at + 1] in _LETTERS - _DIGITS and code[at - 1 : at] not in (":", "?"):
            self._at += 1
            while code[self._at] in _LETTERS:
                self._at += 1
            self._add(TEXT).parts = [(False, code[at + 1 : self._at])]
            return True
        return False

    def _percent(self) -> bool:
        code = self._code
        letter = code[self._at + 1]
        at = self._at + 1 + (letter in "wWiIqQxrs")
        opening = code[at]
        if opening.isspace() or opening in _LETTERS or opening in "=" + END:
            return False
        self._at = at + 1
        body = self._until(opening, _PAIRS.get(opening, opening))
        if letter == "r":
            while code[self._at].isalpha():
                self._at += 1
        token = self._add(COMMAND if letter == "x" else REGEX if letter == "r" else TEXT)
        token.words = letter in "wWiI"
        token.parts = [(False, _plain(body))] if letter in "qwi" else self._parts(body)
        return True

    def _here_document(self) -> bool:
        code = self._code
        at = self._at + 2 + (self._language == "php" and code[self._at + 2] == "<")
        indented = code[at] in "~-" or self._language == "php"
        at += code[at] in "~-"
        while self._language == "php" and code[at] == " ":
            at += 1
        quote = code[at] if code[at] in "'\"`" else ""
        start = at + len(quote)
        at = start
        while code[at] in _LETTERS:
            at += 1
        name = code[start:at]
        if not name or name[0] in _DIGITS or (quote and code[at] != quote) or (not quote and not name[0].isupper()):
            return False
        self._at = at + len(quote)
        token = self._add(COMMAND if quote == "`" else TEXT)
        self._waiting.append((token, name, quote == "'", indented))
        return True

    def _here_documents(self) -> None:
        waiting, self._waiting = self._waiting, []
        for token, name, raw, indented in waiting:
            lines = []
            while self._code[self._at] != END:
                end = self._line_end()
                line = self._code[self._at : end]
                self._at = min(end + 1, len(self._code) - 1)
                bare = line.strip() if indented else line
                if bare.rstrip(";,)") == name:
                    break
                lines.append(line.lstrip() if indented else line)
            body = "\n".join([*lines, ""])
            token.parts = [(False, body)] if raw else self._parts(body)


def _plain(body: str) -> str:
    """Single quotes: only the quote and the backslash are escaped."""
    return body.replace("\\\\", END).replace("\\'", "'").replace(END, "\\")


def _escaped(body: str) -> str:
    if "\\" not in body:
        return body
    pieces = []
    at = 0
    while at < len(body):
        cut = body.find("\\", at)
        if cut < 0 or cut + 1 >= len(body):
            break
        pieces.append(body[at:cut])
        char = body[cut + 1]
        at = cut + 2
        digits = ""
        if char in "xu":
            closed = body.find("}", at) if body[at : at + 1] == "{" else -1
            digits = body[at + 1 : closed] if closed > 0 else body[at : at + (2 if char == "x" else 4)]
            at += len(digits) + 2 * (closed > 0)
        number = _number(digits)
        pieces.append(chr(number) if number else "" if char == "\n" else _ESCAPES.get(char, char))
    return "".join([*pieces, body[at:]])


def _number(digits: str) -> int:
    """Of hexadecimal digits; 0 if it is no character."""
    valid = 0 < len(digits) < 7 and all([digit in "0123456789abcdefABCDEF" for digit in digits])
    number = int(digits, 16) if valid else 0
    return number if number < 0x110000 else 0


def _hole_end(code: str, at: int) -> int:
    """The place after the brace that closes a hole; braces in texts of the hole do not count."""
    depth = 1
    quote: "Optional[str]" = None
    while code[at] != END:
        char = code[at]
        if char == "\\":
            at += code[at + 1] != END
        elif quote:
            quote = None if char == quote else quote
        elif char in "'\"":
            quote = char
        else:
            depth += (char == "{") - (char == "}")
            if depth == 0:
                return at + 1
        at += 1
    return at


def _variable(body: str, at: int) -> "tuple[str, int]":
    """The variable of a Perl or PHP text at `$` or `@`, and where it ends; there at once if there is none.

    The text ends with END.
    """
    end = at + 1
    if body[end] == "{":
        close = _hole_end(body, end + 1)
        inner = body[end + 1 : close - 1]
        plain = all([char in _LETTERS for char in inner])
        return (body[at] + inner if plain else inner.strip("[] ")), close
    while body[end] in _LETTERS or (body[end] == "$" and end == at + 1):
        end += 1
    if end == at + 1:
        special = body[at] == "$" and body[end] in "&!@.,;/0"
        return (ANY, end + 1) if special else ("", at)
    name = body[at:end]
    if body[end : end + 2] in ("->", "[$") or body[end : end + 1] in ("[", "{"):
        opening = body.find("[" if "[" in body[end : end + 3] else "{", end, end + 3)
        close = body.find("]" if body[opening] == "[" else "}", end, end + 100) if opening >= 0 else -1
        return (name + body[end : close + 1], close + 1) if close > 0 else (name, end)
    return name, end
