"""MEMORY.md, the index: what Claude Code loads of it, its limits, and what is said about them."""

from memdir.budget import cut_units, cut_units_at_line, units
from memdir.markdown import JS_BLANK, without_block_comments, without_frontmatter

# Claude Code 2.1.332 (recorded in tests/data/index_loads.json)
MAX_LINES = 200
MAX_UNITS = 25_000
NEAR = 0.8
TARGET = 0.7  # of a rewrite
_QUOTED_UNITS = 80  # of the first lost line, in the notice


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
        self.lost = ""  # in words
        self.notice = ""
        self.state = "within"
        if self.lines > MAX_LINES or self.units > MAX_UNITS:
            self.state = "over"
            in_first_line = kept_lines == 1 and len(kept) < len(lines[0])
            self.notice = self._notice("" if in_first_line else lines[kept_lines], in_first_line=in_first_line)
        elif self.lines >= MAX_LINES * NEAR or self.units >= MAX_UNITS * NEAR:
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
            self.lost = f"everything after the first {MAX_UNITS} characters of line 1 was cut off"
        else:
            start = self.lines - self.lost_lines + 1
            self.lost = f"{self.lost_lines} of {self.lines} lines were cut off, starting at line {start}"
            quoted = _shortened(first_lost.strip(JS_BLANK))
            if quoted:
                self.lost += f' ("{quoted}")'
        return (
            f"> WARNING: MEMORY.md is {what}. Only part of it was loaded: {self.lost}. "
            "Keep index entries to one line under ~200 chars; move detail into topic files."
        )


def load(text: str) -> LoadedIndex:
    return LoadedIndex(text)


def advice(loaded: LoadedIndex, change: str = "write") -> str:
    """What Claude Code says after a write that left the index near or over a limit, and what was lost; else "".

    It says so after Write and Edit alone; `change` is the word for what it was instead.
    """
    if loaded.state == "within":
        return ""
    over = loaded.state == "over"
    if loaded.units > MAX_UNITS or (not over and loaded.units >= MAX_UNITS * NEAR):
        size, limit, target = _size(loaded.units), _size(MAX_UNITS), _size(round(MAX_UNITS * TARGET))
    else:
        size, limit, target = f"{loaded.lines} lines", f"{MAX_LINES}-line", f"{round(MAX_LINES * TARGET)} lines"
    if not over:
        start = f"The memory index at MEMORY.md is {size}, approaching the {limit} read limit. Compact it"
    else:
        start = (
            f"Error: this {change} left the memory index at MEMORY.md at {size}, over its {limit} read limit. "
            f"The {change} succeeded, but everything past the limit is silently dropped each time the index is loaded "
            "— entries at the end are already invisible to readers. Rewrite it"
        )
    todo = "keep one line per entry, move detail into topic files, and merge or drop stale entries."
    return f"{start} to under {target} now: {todo}" + (f" As it is, {loaded.lost}." if over else "")


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
    pieces, at = [], 0
    limit_units = max(limit_units, 2)
    while True:
        piece = cut_units(line[at : at + limit_units], limit_units)
        pieces.append(piece)
        at += len(piece)
        if at >= len(line):
            return pieces
