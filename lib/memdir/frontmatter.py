"""Frontmatter: the small part of YAML that memory files, rules and configuration are written in, read as text.

Every scalar is text: `no` is "no", `1.10` is "1.10", an empty value and null are "". What YAML allows beyond one
level of nesting is kept as its own text and noted. Anchors, aliases and tags are never followed. Lines end at \\n,
\\r\\n and \\r only. The work grows linearly with the header.
"""

from memdir.scalars import (
    BLANK,
    Flow,
    block_header,
    block_text,
    fold,
    is_ignorable,
    is_word_pair,
    marker,
    plain,
    quote,
    quoted,
    without_comment,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Optional

    from memdir.scalars import Nested, Value

__all__ = ["HEADER_LINES", "Document", "parse", "parse_block", "quote"]

HEADER_LINES = 1000  # a header that has not closed after so many lines is not one


class Document:
    """A file's header and body.

    `problems` are (line of the file from 1, sentence). `degraded`: something that looks like a header could not be
    read in full; `meta` then holds what could, and `body` is the whole text where lines would be lost otherwise.
    `lines` gives, for each key, the line of its value, or of each entry when the value is a list; `inner_lines` the
    same for a key inside of a key.
    """

    def __init__(self, body: str) -> None:
        self.meta: "dict[str, Value]" = {}
        self.body = body
        self.problems: "list[tuple[int, str]]" = []
        self.lines: "dict[str, list[int]]" = {}
        self.inner_lines: "dict[tuple[str, str], list[int]]" = {}
        self.degraded = False

    def get(self, key: str, default: str = "") -> str:
        """The value of a key that holds text."""
        value = self.meta.get(key)
        return value if isinstance(value, str) else default

    def field(self, key: str, default: str = "") -> str:
        """The value of a memory's field, which stands under `metadata` or, in the old form, at the top."""
        metadata = self.meta.get("metadata")
        value = metadata.get(key) if isinstance(metadata, dict) else None
        return value if isinstance(value, str) else self.get(key, default)


def parse(text: str) -> Document:
    """The document; never raises. Its body is the text after the header, without a byte order mark."""
    text = text[1:] if text[:1] == "\ufeff" else text
    document = Document(text)
    if text[:3] != "---":
        return document
    lines = _lines(text)
    if next(lines)[0].rstrip(BLANK) != "---":
        return document
    header: "list[str]" = []
    for line, after in lines:
        if line[:3] in ("---", "...") and len(line.rstrip(BLANK)) == 3:
            _read_header(document, header, text[after:])
            return document
        header.append(line)
        if len(header) > HEADER_LINES:
            break
    document.degraded = True
    document.problems.append((1, f"the header is not closed by a line `---` within {HEADER_LINES} lines"))
    return document


def _read_header(document: Document, header: "list[str]", body: str) -> None:
    block = _Block(header, 2)
    document.meta = block.read()
    document.problems = block.problems
    document.lines = block.entry_lines
    document.inner_lines = block.inner_lines
    document.degraded = block.degraded
    if not block.lost_lines:
        document.body = body


def parse_block(lines: "list[str]", first_line: int = 1) -> "tuple[dict[str, Value], list[tuple[int, str]]]":
    """`key: value` lines without fences, as in a configuration file: the values and the problems."""
    block = _Block(lines, first_line)
    return block.read(), block.problems


def _lines(text: str) -> "Iterator[tuple[str, int]]":
    """Each line without its end, and the offset of the next one."""
    at = 0
    newline = carriage = -1
    while at < len(text):
        if newline < at:
            newline = text.find("\n", at) % (len(text) + 1)  # -1, not found, becomes the end of the text
        if carriage < at:
            carriage = text.find("\r", at) % (len(text) + 1)
        end = min(newline, carriage)
        after = min(len(text), end + (2 if newline == carriage + 1 else 1))
        yield text[at:end], after
        at = after


def _lines_at(text: str, offsets: "list[int]") -> "list[int]":
    """The line, from 0, of each of these ascending offsets."""
    found = []
    line = last = 0
    for offset in offsets:
        line += text.count("\n", last, offset)
        last = offset
        found.append(line)
    return found


def _split_key(text: str) -> "Optional[tuple[str, str]]":
    """Key and rest of a line `key: rest`."""
    if text[0] in "\"'":
        try:
            key, end = quoted(text, 0)
        except ValueError:
            return None
        rest = text[end:].lstrip(BLANK)
        return (key, rest[1:].lstrip(BLANK)) if rest[:1] == ":" and rest[1:2] in ("", " ", "\t") else None
    if text[0] in "[{#" or _is_entry(text) or text[:2] == "? ":
        return None
    cut = text.find(": ")
    tab = text.find(":\t")
    if cut < 0 or 0 <= tab < cut:
        cut = tab
    if cut < 0:
        if text[-1] != ":":
            return None
        cut = len(text) - 1
    key, commented = without_comment(text[:cut])
    return None if commented else (key, text[cut + 1 :].lstrip(BLANK))


def _is_entry(text: str) -> bool:
    return text[0] == "-" and text[1:2] in ("", " ", "\t")


class _Block:
    """Reads a header from its lines, `_at` being the next one; every method leaves it after what it has read."""

    def __init__(self, lines: "list[str]", first_line: int) -> None:
        self._lines = lines
        self._first_line = first_line
        self._at = 0
        self._entries: "list[int]" = []  # where the entries of the list read last begin
        self.problems: "list[tuple[int, str]]" = []
        self.entry_lines: "dict[str, list[int]]" = {}
        self.inner_lines: "dict[tuple[str, str], list[int]]" = {}
        self._inner: "dict[str, list[int]]" = {}  # the same of the mapping read last
        self.degraded = False
        self.lost_lines = False

    def read(self) -> "dict[str, Value]":
        first = self._peek()
        if first is None:
            return {}
        meta: "dict[str, Value]" = {}
        for key, value, at in self._pairs(first[0], 0):
            meta[key] = value
            self.entry_lines[key] = self._entries if isinstance(value, list) else [self._first_line + at]
            if isinstance(value, dict):
                self.inner_lines.update({(key, inner): lines for inner, lines in self._inner.items()})
        self.problems.sort()
        return meta

    def _note(self, at: int, sentence: str) -> None:
        self.problems.append((self._first_line + at, sentence))

    def _peek(self) -> "Optional[tuple[int, str]]":
        """Steps over empty lines and comments; indentation and text of the next line."""
        while self._at < len(self._lines):
            line = self._lines[self._at]
            text = line.lstrip(BLANK)
            if text and text[0] != "#":
                return len(line) - len(text), text.rstrip(BLANK)
            self._at += 1
        return None

    def _pairs(self, indent: int, depth: int) -> "Iterator[tuple[str, Value, int]]":
        """Key, value and line of a mapping. At the top (depth 0) it takes every line, below only what is indented."""
        seen = set()
        reported = False
        while (line := self._peek()) is not None:
            width, text = line
            if depth and width < indent:
                return
            at = self._at
            pair = _split_key(text) if width == indent else None
            if pair is None:
                if not reported:
                    self._note(at, f"`{text[:60]}` is not a `key: value` line" + " of this level" * (width != indent))
                reported = self.degraded = self.lost_lines = True
                self._at += 1
                continue
            reported = False
            key, rest = pair
            if key in seen:
                self._note(at, f"`{key}` stands here twice; the last one counts")
            seen.add(key)
            self._note_marker(at, key)
            if is_ignorable(rest):
                self._at += 1
                yield key, self._value_below(indent, depth), at
            else:
                yield key, self._value(rest, indent, depth), at

    def _value_below(self, indent: int, depth: int) -> "Value":
        """The value of a key (depth 0 or 1) or a list entry (depth 2) with nothing behind it on its line."""
        line = self._peek()
        if line is None:
            return ""
        width, text = line
        if _is_entry(text) and depth < 2 and width >= indent:
            return self._list(width)
        if width <= indent:
            return ""
        if _is_entry(text) or _split_key(text) is not None:
            if depth:
                return self._too_deep(text, indent)
            return self._mapping(width)
        return self._value(text, indent, depth)

    def _mapping(self, indent: int) -> "dict[str, Nested]":
        found: "dict[str, Nested]" = {}
        lines = {}
        for key, value, at in self._pairs(indent, 1):
            if not isinstance(value, dict):  # for the type only
                found[key] = value
                lines[key] = self._entries if isinstance(value, list) else [self._first_line + at]
        self._inner = lines
        return found

    def _list(self, indent: int) -> "list[str]":
        found = []
        entries = []
        while (line := self._peek()) is not None:
            width, text = line
            if width != indent or not _is_entry(text):
                break
            entries.append(self._first_line + self._at)
            text = text[1:].lstrip(BLANK)
            if is_ignorable(text):
                self._at += 1
                value = self._value_below(indent, 2)
            elif _is_entry(text) or is_word_pair(text):
                value = self._too_deep(text, indent)
            else:
                value = self._value(text, indent, 2)
            found.append(value if isinstance(value, str) else "")
        self._entries = entries
        return found

    def _value(self, text: str, indent: int, depth: int) -> "Value":
        """The value that begins with `text` in the current line, for a key or dash that stands at `indent`."""
        if text[0] in "|>":
            header = block_header(text)
            if header is not None:
                return self._block_scalar(header, indent)
        elif text[0] in "\"'[{":
            value = self._spanning(text, indent, depth)
            if value is not None:
                return value
        return self._plain(text, indent)

    def _too_deep(self, text: str, indent: int) -> str:
        """The text of a structure inside a list or a nested mapping, `text` being its first line."""
        self._note(self._at, "this nests deeper than memdir reads; it is kept as text")
        self.degraded = True
        width = len(self._lines[self._at].rstrip(BLANK)) - len(text)
        kept = [text]
        self._at += 1
        while self._at < len(self._lines):
            line = self._lines[self._at]
            inner = line.lstrip(BLANK)
            if inner and len(line) - len(inner) <= indent:
                break
            kept.append(line[min(width, len(line) - len(inner)) :])
            self._at += 1
        return "\n".join(kept).rstrip()

    def _note_marker(self, at: int, text: str) -> None:
        kind = marker(text)
        if kind:
            self._note(at, f"`{text[:60]}` begins with {kind} in YAML; kept as text, quote it if it is meant as text")

    def _plain(self, text: str, indent: int) -> str:
        self._note_marker(self._at, text)
        if _is_entry(text):
            self._note(self._at, "a list begins on a line of its own; kept as text")
        first, commented = without_comment(text)
        parts = [first]
        self._at += 1
        ahead = self._at
        while not commented and ahead < len(self._lines):
            line = self._lines[ahead]
            text = line.lstrip(BLANK)
            if text:
                if len(line) - len(text) <= indent or text[0] == "#":
                    break
                if _is_entry(text) or _split_key(text.rstrip(BLANK)) is not None:
                    self._note(ahead, "this looks like an entry of its own, but continues the value above")
                text, commented = without_comment(text)
            parts.append(text)
            ahead += 1
            if text:
                self._at = ahead
        return fold(parts) if len(parts) > 1 else plain(first)

    def _spanning(self, text: str, indent: int, depth: int) -> "Optional[Value]":
        """A quoted text or a flow collection, over as many lines as it takes; None if it is plain text after all."""
        start = self._at
        after = self._extent(indent)
        source = "\n".join([text, *self._lines[start + 1 : after]])
        value: "Value"
        flow = None
        try:
            if text[0] in "[{":
                flow = Flow(source)
                value, end = flow.value, flow.end
            else:
                value, end = quoted(source, 0)
        except ValueError as error:
            self._note(start, f"{error}; kept as text")
            self.degraded = True
            self._at = after
            return source.rstrip()
        rest = source[end:].split("\n", 1)[0]
        if rest[:1] not in ("", " ", "\t") or not is_ignorable(rest):
            if flow is None:
                self._note(start, "text follows the closing quote; all of it is kept as text")
            return None
        self._at = start + 1 + source.count("\n", 0, end)
        if flow is None:
            return value
        if depth > (1 if text[0] == "[" else 0):
            self._note(start, "this nests deeper than memdir reads; it is kept as text")
            self.degraded = True
            return source[:end]
        for line, (_, sentence) in zip(_lines_at(source, [offset for offset, _ in flow.notes]), flow.notes):
            self._note(start + line, sentence)
        self._entries = [self._first_line + start + line for line in _lines_at(source, flow.entries)]
        self._inner = {
            key: [self._first_line + start + line for line in _lines_at(source, offsets)]
            for key, offsets in flow.inner.items()
        }
        return value

    def _extent(self, indent: int) -> int:
        """The line at which a value that began in the current one must be over."""
        after = self._at + 1
        while after < len(self._lines):
            line = self._lines[after]
            text = line.strip(BLANK)
            if text and len(line) - len(line.lstrip(BLANK)) <= indent and (_is_entry(text) or _split_key(text)):
                break
            after += 1
        return after

    def _block_scalar(self, header: "tuple[bool, str, int]", indent: int) -> str:
        folded, chomping, extra = header
        self._at += 1
        width = indent + extra if extra else 0
        kept = []
        while self._at < len(self._lines):
            line = self._lines[self._at]
            text = line.lstrip(" ")
            if not width:
                if not text:
                    kept.append("")
                    self._at += 1
                    continue
                width = max(indent + 1, len(line) - len(text))
            if text and len(line) - len(text) < width:
                break
            kept.append(line[width:])
            self._at += 1
        return block_text(kept, folded=folded, chomping=chomping)
