"""Sizes as Claude Code counts them, UTF-16 code units, and cuts that never split a character."""


def units(text: str) -> int:
    """The length in UTF-16 code units: characters beyond U+FFFF count two."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def cut_units(text: str, limit: int) -> str:
    """The longest beginning of at most `limit` units."""
    limit = max(limit, 0)
    kept = text[:limit]
    over = units(kept) - limit
    while over > 0:
        end = len(kept) - (over + 1) // 2  # at least so many characters must go
        over -= units(kept[end:])
        kept = kept[:end]
    return kept


def cut_units_at_line(text: str, limit: int) -> str:
    """The longest run of whole lines of at most `limit` units, without its last line break.

    A first line that is longer is cut within.
    """
    kept = cut_units(text, limit)
    if len(kept) == len(text) or text[len(kept)] == "\n":
        return kept
    end = kept.rfind("\n")
    return kept[:end] if end > 0 else kept


def cut_bytes_at_line(text: str, limit: int, lines: int) -> str:
    """The longest run of whole lines of at most `limit` UTF-8 bytes and `lines` lines, without its last line break.

    A first line that is longer is cut at a character.
    """
    kept = "\n".join(text.split("\n", lines)[:lines])
    data = kept.encode("utf-8", "replace")
    if len(data) <= limit:
        return kept
    within = data[: max(limit, 0)].decode("utf-8", "ignore")
    if kept[len(within)] == "\n":
        return within
    end = within.rfind("\n")
    return within[:end] if end > 0 else within
