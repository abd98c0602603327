"""Excerpts of text from outside, as they may stand in a document: redacted, bounded, and never part of its structure.

A token is taken to be four ASCII characters or one other character, which is rather too much.
"""

from memdir import redact

LINE_TOKENS = 100


def line(text: str, tokens: int = LINE_TOKENS) -> str:
    """One line, without secrets and control characters; the two ends of one with more than `tokens`."""
    return ends(" ".join(redact.clean(_printable(text)).split()), tokens)


def said(text: str, tokens: int = LINE_TOKENS) -> str:
    return f"“{line(text, tokens)}”"


def code(text: str) -> str:
    shown = line(text)
    fence = "`"
    while fence in shown:
        fence += "`"
    return f"{fence} {shown} {fence}" if len(fence) > 1 else f"`{shown}`"


def quote(text: str, tokens: int) -> str:
    """The lines of a quotation: a heading, list or fence in it is none of the document's."""
    lines = ends(redact.clean(_printable(text)).strip(), tokens).split("\n")
    return "\n".join([f"> {item}".rstrip() for item in lines])


def fit(entries: "list[str]", limit: int) -> str:
    """As many entries as `limit` quarters of a token hold, and how many more there are."""
    kept: "list[str]" = []
    left = limit - 24  # for the last line
    for at, entry in enumerate(entries):
        left -= quarters(entry) + 1
        if left < 0:
            return "\n".join([*kept, f"- and {len(entries) - at} more"]).strip("\n") if kept else ""
        kept.append(entry)
    return "\n".join(kept).strip("\n")


def ends(text: str, tokens: int) -> str:
    """The text, or so much of its beginning and its end as `tokens` hold."""
    if quarters(text) <= 4 * tokens:
        return text
    last = _head(text[::-1], tokens // 3)[::-1]
    return f"{_head(text, tokens - tokens // 3)} […] {last}"


def quarters(text: str) -> int:
    """An estimate of the tokens of a text, in quarters."""
    return len(text) if text.isascii() else sum([1 if char < "\x80" else 4 for char in text])


def _head(text: str, tokens: int) -> str:
    left = 4 * tokens
    kept = text[:left]
    for at, char in enumerate(kept):
        left -= 1 if char < "\x80" else 4
        if left < 0:
            return kept[:at]
    return kept


def _printable(text: str) -> str:
    """Every line end as \\n, without a terminal's colours and control characters."""
    if "\x1b[" in text:
        first, *rest = text.split("\x1b[")
        text = first + "".join([piece.lstrip("0123456789;?")[1:] for piece in rest])
    lines = [item.rstrip().expandtabs(4) for item in text.splitlines()]
    return "\n".join([item if item.isprintable() else _blanked(item) for item in lines])


def _blanked(text: str) -> str:
    return "".join([char if char.isprintable() else " " for char in text])
