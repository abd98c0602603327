"""Whether the header of a rule file holds a hard key, told from its lines alone, as the launcher does in shell."""

HARD_KEYS = ("deny", "ask", "protect", "require")
_LINES = 1000
_BLANK = " \t"


def has_hard_key(text: str) -> bool:
    """Whether a line from the opening `---` to the closing one, or to the 1000th, begins with a hard key.

    Blanks, a quote and, for a header written as one flow mapping, `{` or `,` may stand before it. A key with escapes
    may be one.
    """
    lines = split_lines(text[text[:1] == "\ufeff" :])[: _LINES + 1]
    if lines[0].rstrip(_BLANK) != "---":
        return False
    for line in lines[1:]:
        if line.rstrip(_BLANK) in ("---", "..."):
            return False
        if is_hard_line(line):
            return True
    return False


def split_lines(text: str) -> "list[str]":
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def is_hard_line(line: str) -> bool:
    line = line.lstrip(_BLANK)
    before, colon, _ = line.partition(":")
    if colon and line[0] == '"' and "\\" in before:
        return True
    if line[:1] != "{":
        return _begins_with_key(line)
    return any([_begins_with_key(part.lstrip(_BLANK)) for part in line[1:].replace("{", ",").split(",")])


def _begins_with_key(text: str) -> bool:
    quote = text[:1] if text[:1] in ("'", '"') else ""
    text = text[len(quote) :]
    for key in HARD_KEYS:
        if text.startswith(key):
            rest = text[len(key) :]
            return (rest[len(quote) :] if rest.startswith(quote) else rest).lstrip(_BLANK)[:1] == ":"
    return False


def is_hard(lines: "list[str]", at: int) -> bool:
    """Whether the line at this index belongs to a hard key of the top, or could be one that is not readable."""
    while 0 < at < len(lines):
        line = lines[at]
        if is_hard_line(line) and line[0] not in _BLANK:
            return True
        if line[:1] not in ("", " ", "\t", "-", "#", "]", "}"):
            return False
        at -= 1
    return False
