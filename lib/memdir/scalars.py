"""The values of YAML, as text: quoted, folded, block and flow forms, and the one form that is written.

Only \\n separates lines here; the caller has split at \\r\\n and \\r already.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional, Union

    Nested = Union[str, "list[str]"]
    Value = Union[str, "list[str]", "dict[str, Nested]"]

BLANK = " \t"
_ESCAPES = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "\t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", "e": "\x1b",
    " ": " ", '"': '"', "/": "/", "\\": "\\", "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029",
}  # fmt: skip
_HEX_DIGITS = {"x": 2, "u": 4, "U": 8}
_NULLS = ("~", "null", "Null", "NULL")
_NOT_TEXT = (*_NULLS, "true", "false", "yes", "no", "on", "off", "y", "n")  # in any case, to some YAML reader


def without_comment(text: str) -> "tuple[str, bool]":
    """A plain scalar up to its comment, and whether there was one."""
    for mark in (" #", "\t#"):
        cut = text.find(mark)
        if cut >= 0:
            return without_comment(text[:cut])[0].rstrip(BLANK), True
    return text.rstrip(BLANK), False


def is_ignorable(text: str) -> bool:
    """Whether nothing but a comment stands here."""
    text = text.lstrip(BLANK)
    return not text or text[0] == "#"


def plain(text: str) -> str:
    return "" if text in _NULLS else text


def fold(lines: "list[str]") -> str:
    """Lines joined as YAML does in plain scalars: one break is a blank, an empty line is a break."""
    folded = lines[0]
    breaks = 0
    for line in lines[1:]:
        if not line:
            breaks += 1
            continue
        folded += ("\n" * breaks or " ") + line
        breaks = 0
    return folded


def marker(text: str) -> "Optional[str]":
    """What YAML would see in the first character of a plain scalar: an anchor, an alias or a tag."""
    if text[:1] == "!":
        return "a tag"
    if text[:1] not in ("&", "*"):
        return None
    name = text[1:].split(" ", 1)[0]
    if not (name.isascii() and name.replace("-", "").replace("_", "").isalnum()):
        return None  # `*.ts`, `**bold**`: YAML refuses these, they can only be text
    return "an anchor" if text[0] == "&" else "an alias"


def quoted(text: str, start: int) -> "tuple[str, int]":
    """The quoted scalar that opens at `start`, and the offset after its closing quote.

    Escapes that YAML does not know are kept as they stand. Raises ValueError when it never closes.
    """
    quote_mark = text[start]
    end = text.find(quote_mark, start + 1)
    simple = text[start + 1 : end]
    if end >= 0 and "\n" not in simple and "\\" not in simple and text[end + 1 : end + 2] != "'":
        return simple, end + 1
    return _quoted_slowly(text, start + 1, quote_mark)


def _quoted_slowly(text: str, at: int, quote_mark: str) -> "tuple[str, int]":
    chunks: "list[str]" = []
    blanks = ""  # dropped if a line ends after them
    while at < len(text):
        char = text[at]
        if char in BLANK:
            blanks += char
            at += 1
            continue
        if char == "\n":
            breaks, at = _line_breaks(text, at)
            chunks.append("\n" * (breaks - 1) or " ")
            blanks = ""
            continue
        if blanks:
            chunks.append(blanks)
            blanks = ""
        if char == quote_mark:
            if quote_mark == '"' or text[at + 1 : at + 2] != "'":
                return _joined_surrogates("".join(chunks)), at + 1
            at += 1
        elif char == "\\" and quote_mark == '"':
            char, at = _escape(text, at)
            chunks.append(char)
            continue
        chunks.append(char)
        at += 1
    raise ValueError("a quoted text is never closed")


def _line_breaks(text: str, at: int) -> "tuple[int, int]":
    """How many line breaks stand at `at`, and where the next text begins."""
    breaks = 0
    while at < len(text) and text[at] in " \t\n":
        breaks += text[at] == "\n"
        at += 1
    return breaks, at


def _escape(text: str, at: int) -> "tuple[str, int]":
    """What the backslash at `at` stands for, and the offset after it."""
    code = text[at + 1 : at + 2]
    if code == "\n":
        breaks, after = _line_breaks(text, at + 1)
        return "\n" * (breaks - 1), after
    if code in _HEX_DIGITS:
        after = at + 2 + _HEX_DIGITS[code]
        digits = text[at + 2 : after]
        try:
            if len(digits) == _HEX_DIGITS[code] and digits.isalnum():
                return chr(int(digits, 16)), after
        except (ValueError, OverflowError):
            pass
    elif code in _ESCAPES:
        return _ESCAPES[code], at + 2
    return "\\", at + 1


def _joined_surrogates(text: str) -> str:
    """JSON writes an emoji as two escapes; half of one cannot be written as UTF-8."""
    if text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def block_header(text: str) -> "Optional[tuple[bool, str, int]]":
    """Folded or not, chomping ("", "-" or "+") and indentation (0: find it) of a line like `>-` or `|2`."""
    indicators, _ = without_comment(text)
    chomping = ""
    indent = 0
    for char in indicators[1:]:
        if char in "+-" and not chomping:
            chomping = char
        elif char in "123456789" and not indent:
            indent = int(char)
        else:
            return None
    return indicators[0] == ">", chomping, indent


def block_text(lines: "list[str]", *, folded: bool, chomping: str) -> str:
    """The text of a block scalar whose lines have lost their indentation."""
    content = len(lines)
    while content and not lines[content - 1]:
        content -= 1
    text = ""
    breaks = 0
    previous = None
    for line in lines[:content]:
        if not line:
            breaks += 1
            continue
        if previous is not None:
            joins = folded and previous[0] not in BLANK and line[0] not in BLANK
            text += ("" if breaks else " ") if joins else "\n"
        text += "\n" * breaks + line
        breaks = 0
        previous = line
    if chomping != "-" and previous is not None:
        text += "\n"
    return text + "\n" * (len(lines) - content) if chomping == "+" else text


class Flow:
    """One `[…]` or `{…}` at the start of a text: a list of texts, or a mapping to texts and lists of them.

    What nests deeper is kept as text. `end` is the offset after it, `entries` where each entry of a list begins,
    `inner` the same for each key of a mapping, `notes` what a person should know, by offset. Raises ValueError when it
    is malformed or never closes.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self.entries: "list[int]" = []
        self.inner: "dict[str, list[int]]" = {}
        self.notes: "list[tuple[int, str]]" = []
        self.value: "Value" = self._list() if text[0] == "[" else self._mapping()
        self.end = self._at

    def _note(self, offset: int, sentence: str) -> None:
        self.notes.append((offset, sentence))

    def _next(self) -> str:
        """The next character that is neither blank nor comment."""
        text = self._text
        while self._at < len(text):
            char = text[self._at]
            if char == "#" and text[self._at - 1] in " \t\n":
                end = text.find("\n", self._at)
                self._at = len(text) if end < 0 else end
            elif char not in " \t\n":
                return char
            else:
                self._at += 1
        raise ValueError(f"`{text[0]}` is never closed")

    def _more(self, close: str) -> bool:
        """Whether another entry follows; steps over commas and over the closing bracket."""
        while (char := self._next()) == ",":
            self._at += 1
        if char == close:
            self._at += 1
        return char != close

    def _between(self, allowed: str) -> str:
        char = self._next()
        if char not in allowed:
            raise ValueError(f"`{char}` follows a complete value, a comma is missing")
        return char

    def _list(self) -> "list[str]":
        found = []
        self.entries = []
        self._at += 1
        while self._more("]"):
            self.entries.append(self._at)
            found.append(self._scalar(key=False))
            self._between(",]")
        return found

    def _mapping(self) -> "dict[str, Nested]":
        found: "dict[str, Nested]" = {}
        self._at += 1
        while self._more("}"):
            start = self._at
            key = self._scalar(key=True)
            if key in found:
                self._note(start, f"`{key[:60]}` stands here twice; the last one counts")
            found[key] = ""
            if self._between(",:}") == ":":
                self._at += 1
                char = self._next()
                if char not in ",}":
                    start = self._at
                    found[key] = self._list() if char == "[" else self._scalar(key=False)
                    self.inner[key] = self.entries if char == "[" else [start]
            self._between(",}")
        return found

    def _scalar(self, *, key: bool) -> str:
        start = self._at
        if self._text[start] in "\"'":
            value, self._at = quoted(self._text, start)
            return value
        raw = self._plain_end(start, key=key)
        kind = marker(raw)
        if kind:
            self._note(start, f"`{raw[:60]}` begins with {kind} in YAML; kept as text, quote it if it is meant as text")
        elif (raw[0], raw[-1]) in (("[", "]"), ("{", "}")):
            self._note(start, f"`{raw[:60]}` nests deeper than memdir reads; kept as text")
        elif not key and is_word_pair(raw):
            self._note(start, f"`{raw[:60]}` is a mapping to YAML; kept as text, quote it if it is meant as text")
        return plain(raw)

    def _plain_end(self, start: int, *, key: bool) -> str:
        """Steps over a plain scalar and returns it. Brackets inside it, as in `*.{ts,js}`, belong to it."""
        text = self._text
        depth = 0
        at = start
        while at < len(text):
            char = text[at]
            if char in "[{":
                depth += 1
            elif char in "]}":
                if not depth:
                    break
                depth -= 1
            elif not depth and (
                char == ","
                or (char == "#" and text[at - 1] in " \t\n")
                or (key and char == ":" and text[at + 1 : at + 2] in " \t\n,[]{}")
            ):
                break
            at += 1
        if at == start:
            raise ValueError(f"`{text[start]}` stands where a value should be")
        self._at = at
        return fold([line.strip(BLANK) for line in text[start:at].rstrip(" \t\n").split("\n")])


def is_word_pair(text: str) -> bool:
    """Whether this is `word: …`, which YAML reads as a mapping, and not prose or a command with a colon in it."""
    word, colon, rest = text.partition(":")
    return bool(colon) and (not rest or rest[0] in " \t") and word.replace("-", "").replace("_", "").isalnum()


def quote(text: str) -> str:
    """One line that YAML, and this reader, read back as exactly this text (half surrogates become U+FFFD)."""
    if (
        text[:1].isalpha()
        and text[-1] != " "
        and text.lower() not in _NOT_TEXT
        and all(char.isalnum() or char in " _-./" for char in text)
    ):
        return text
    return '"' + "".join([_quoted_char(char) for char in text]) + '"'


def _quoted_char(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    if " " <= char <= "~" or ("\xa1" <= char <= "\ud7ff" and char not in "\u2028\u2029") or char >= "\U00010000":
        return char
    if char == "\n":
        return "\\n"
    if char == "\t":
        return "\\t"
    if "\ud800" <= char <= "\udfff":
        return "\ufffd"
    if "\ue000" <= char <= "\ufffd" and char != "\ufeff":
        return char
    return f"\\u{ord(char):04x}"
