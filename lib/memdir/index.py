"""MEMORY.md, the index: what Claude Code loads of it, and the entries it holds. Writing it is not done here."""

from memdir.budget import cut_units, cut_units_at_line, units
from memdir.markdown import JS_BLANK, without_block_comments, without_frontmatter

# Claude Code 2.1.332 (recorded in tests/data/index_loads.json)
MAX_LINES = 200
MAX_UNITS = 25_000
NEAR = 0.8
_QUOTED_UNITS = 80  # of the first lost line, in the notice

_SEPARATORS = "\u2014\u2013-:\uff1a"  # dashes and colons, as people write them


class LoadedIndex:
    """What a session gets of an index.

    `lines` and `units` measure all that would be loaded without limits, `lost_lines` and `lost_units` what is not.
    `state` is "within", "near" (from 80 % of a limit) or "over"; `notice` is what the client then appends.
    """

    def __init__(self, text: str) -> None:
        whole = without_block_comments(without_frontmatter(text[1:] if text[:1] == "\ufeff" else text))
        whole = whole.strip(JS_BLANK)
        lines = whole.split("\n") if whole else []
        kept = cut_units_at_line("\n".join(lines[:MAX_LINES]), MAX_UNITS)
        kept_lines = kept.count("\n") + 1 if whole else 0
        self.lines = len(lines)
        self.units = units(whole)
        self.lost_lines = self.lines - kept_lines
        self.lost_units = self.units - units(kept)
        self.text = (kept[:-1] if kept[-1:] == "\r" else kept).replace("\r\n", "\n").replace("\r", "\n")
        self.notice = ""
        self.state = "within"
        if self.lines > MAX_LINES or self.units > MAX_UNITS:
            self.state = "over"
            in_first_line = kept_lines == 1 and len(kept) < len(lines[0])
            self.notice = self._notice("" if in_first_line else lines[kept_lines], in_first_line=in_first_line)
        elif self.lines >= MAX_LINES * NEAR or self.units > MAX_UNITS * NEAR:
            self.state = "near"

    def _notice(self, first_lost: str, *, in_first_line: bool) -> str:
        size = _size(self.units)
        if self.units <= MAX_UNITS:
            what = f"{self.lines} lines (limit: {MAX_LINES})"
        elif self.lines <= MAX_LINES:
            what = f"{size} (limit: {_size(MAX_UNITS)}) — index entries are too long"
        else:
            what = f"{self.lines} lines and {size}"
        if in_first_line:
            lost = f"everything after the first {MAX_UNITS} characters of line 1 was cut off"
        else:
            start = self.lines - self.lost_lines + 1
            lost = f"{self.lost_lines} of {self.lines} lines were cut off, starting at line {start}"
            quoted = _shortened(first_lost.strip(JS_BLANK))
            if quoted:
                lost += f' ("{quoted}")'
        return (
            f"> WARNING: MEMORY.md is {what}. Only part of it was loaded: {lost}. "
            "Keep index entries to one line under ~200 chars; move detail into topic files."
        )


def load(text: str) -> LoadedIndex:
    return LoadedIndex(text)


def _shortened(text: str) -> str:
    """At most 80 units; cut between words if that keeps more than half."""
    if units(text) <= _QUOTED_UNITS:
        return text
    kept = cut_units(text, _QUOTED_UNITS - 1)
    last_word = max([at for at, char in enumerate(kept) if char in JS_BLANK], default=0)
    if units(kept[:last_word]) > _QUOTED_UNITS // 2:
        kept = kept[:last_word]
    return kept.rstrip(JS_BLANK) + "…"


def _size(count: int) -> str:
    """As the client writes sizes: one decimal, halves upwards, `.0` left out."""
    name, scale = ("KB", 1024) if count < 1024 * 1024 else ("MB", 1024 * 1024)
    tenths = (count * 10 + scale // 2) // scale
    whole, decimal = divmod(tenths, 10)
    return f"{whole}.{decimal}{name}" if decimal else f"{whole}{name}"


class Entry:
    """One line `- [Title](file.md) — hook` of an index; `line` counts from 1, `file` is a path with `/`."""

    def __init__(self, title: str, file: str, hook: str, line: int) -> None:
        self.title = title
        self.file = file
        self.hook = hook
        self.line = line


def entries(text: str) -> "list[Entry]":
    """The entries of an index in their order; every other line is somebody's own text."""
    found = []
    for number, line in enumerate(text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        entry = _entry(line.strip(JS_BLANK), number)
        if entry is not None:
            found.append(entry)
    return found


def _entry(line: str, number: int) -> "Entry | None":
    if line[:1] not in ("-", "*", "+") or line[1:2] not in (" ", "\t"):
        return None
    text = line[1:].lstrip(" \t")
    close = _closing(text, "[", "]")
    if close < 0 or text[close + 1 : close + 2] != "(":
        return None
    title = text[1:close]
    link = text[close + 1 :]
    close = link.find(">)") + 1 if link.startswith("(<") else _closing(link, "(", ")")
    if close < 1:
        return None
    file = _target(link[1:close])
    hook = link[close + 1 :].lstrip(JS_BLANK)
    hook = hook.lstrip(_SEPARATORS) if hook[:1] in tuple(_SEPARATORS) else hook
    return Entry(_unescaped(title), file, _unescaped(hook.strip(JS_BLANK)), number) if file else None


def _closing(text: str, opening: str, closing: str) -> int:
    """The offset of the bracket that closes the one at the start of the text, -1 without one."""
    depth = 0
    at = 0
    while at < len(text):
        char = text[at]
        if char == "\\":
            at += 1
        elif char == opening:
            depth += 1
        elif char == closing:
            depth -= 1
            if not depth:
                return at
        elif not depth:
            break
        at += 1
    return -1


def _target(link: str) -> str:
    """The file that a link names: without `<>`, title, `./` and fragment, `%20` decoded, `\\` as `/`."""
    link = link.strip(" \t")
    link = link[1:].partition(">")[0] if link[:1] == "<" else link.split(' "', 1)[0]
    if "://" in link:
        return ""
    link = _percent_decoded(_unescaped(link).replace("\\", "/").partition("#")[0])
    while link.startswith("./"):
        link = link[2:]
    return link


def _percent_decoded(text: str) -> str:
    if "%" not in text:
        return text
    first, *rest = text.encode("utf-8", "surrogatepass").split(b"%")
    decoded = [first]
    for piece in rest:
        try:
            decoded.append(bytes([int(piece[:2], 16)]) + piece[2:] if len(piece) > 1 else b"%" + piece)
        except ValueError:
            decoded.append(b"%" + piece)
    return b"".join(decoded).decode("utf-8", "replace")


def _unescaped(text: str) -> str:
    """Without the backslashes that Markdown allows before punctuation."""
    if "\\" not in text:
        return text
    kept = []
    escaped = False
    for char in text:
        if escaped:
            if char not in "[]()<>\\*_`#!~|&.+-":
                kept.append("\\")
            kept.append(char)
            escaped = False
        elif char == "\\":
            escaped = True
        else:
            kept.append(char)
    return "".join(kept) + "\\" * escaped


def parts(text: str, limit_units: int) -> "list[str]":
    """The text in parts of whole lines of at most `limit_units` (2 or more) units; a line that is longer is divided."""
    groups: "list[list[str]]" = []
    size = limit_units
    for line in text.split("\n") if text else []:
        for piece in _divided(line, limit_units):
            cost = units(piece)
            size += 1 + cost
            if size > limit_units:
                groups.append([])
                size = cost
            groups[-1].append(piece)
    return ["\n".join(group) for group in groups]


def _divided(line: str, limit_units: int) -> "list[str]":
    pieces = []
    while units(line) > limit_units:
        piece = cut_units(line, max(limit_units, 2))
        pieces.append(piece)
        line = line[len(piece) :]
    return [*pieces, line]
