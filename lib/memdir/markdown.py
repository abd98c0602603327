"""What Claude Code drops from a Markdown file before it loads it: frontmatter and block-level HTML comments.

Measured on Claude Code 2.1.332 (tests/data/index_loads.json).
"""

# what JavaScript's trim() and \s take for blank; Python's strip() differs
JS_BLANK = (
    "\t\n\v\f\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_FENCES = ("```", "~~~")


def without_frontmatter(text: str) -> str:
    """The text after a header, which the client ends at the first `---`, even within a line."""
    if text[:3] != "---":
        return text
    body = text[3:].lstrip(JS_BLANK)
    if "\n" not in text[3 : len(text) - len(body)]:
        return text
    end = body.find("---")
    return body[end + 3 :].lstrip(JS_BLANK) if end >= 0 else text


def without_block_comments(text: str) -> str:
    """The text without the comments that begin a line outside code fences and list entries.

    Whatever follows a comment on its last line stays; so does a comment that never closes. Where one is dropped,
    every line end becomes \\n.
    """
    if "<!--" not in text:
        return text
    original = text
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    found = False
    kept = []
    blocks = _Blocks()
    at = 0
    while at < len(text):
        end = text.find("\n", at) + 1 or len(text)
        line = text[at:end]
        if blocks.holds_comment(line):
            close = text.find("-->", at + line.find("<!--") + 4)
            if close < 0:
                kept.append(text[at:])
                break
            found = True
            end = text.find("\n", close) + 1 or len(text)
            while text[end : end + 1] == "\n":
                end += 1
            rest = _without_comments(text[at:end])
            if rest.strip(JS_BLANK):
                kept.append(rest)
        else:
            kept.append(line)
        at = end
    return "".join(kept) if found else original


def _without_comments(text: str) -> str:
    first, *rest = text.split("<!--")
    kept = [first]
    for piece in rest:
        comment, close, after = piece.partition("-->")
        kept.append(after if close else "<!--" + comment)
    return "".join(kept)


class _Blocks:
    """Where the lines of a Markdown text stand: at the margin, in a code fence, a list entry or an HTML block."""

    def __init__(self) -> None:
        self._fence = ""
        self._list_indent = 0  # where the text of the current list entry begins
        self._in_html = False
        self._after_blank = True

    def holds_comment(self, line: str) -> bool:
        """Whether this line, the next of the text, begins a block-level comment."""
        text = line.lstrip(" ")
        indent = len(line) - len(text)
        text = text.rstrip(" \t\n")
        if self._fence:
            if indent < 4 and text.startswith(self._fence) and not text.strip(self._fence[0]):
                self._fence = ""
            return False
        after_blank, self._after_blank = self._after_blank, not text
        if not text or self._in_html:
            self._in_html = self._in_html and bool(text)
            return False
        if self._list_indent and indent >= self._list_indent:
            return False
        bullet = _bullet_width(text)
        if indent < 4 and bullet:
            self._list_indent = indent + bullet
            return False
        if text.startswith("<!--"):
            self._list_indent = 0
            return indent < 4 and not text.startswith(("<!-->", "<!--->"))
        if after_blank or text[0] == "#":
            self._list_indent = 0
        if indent < 4:
            self._open_block(text)
        return False

    def _open_block(self, text: str) -> None:
        if text.startswith(_FENCES):
            fence = text[: len(text) - len(text.lstrip(text[0]))]
            if fence[0] == "~" or "`" not in text[len(fence) :]:
                self._fence = fence
                self._list_indent = 0
        elif text[0] == "<" and text[-1] == ">" and (text[1].isalpha() or text[1] == "/"):
            self._in_html = True


def _bullet_width(text: str) -> int:
    """The width of the mark of a list entry with the blanks after it, 0 for any other text."""
    digits = len(text) - len(text.lstrip("0123456789"))
    mark = text[digits : digits + 1]
    if not mark or mark not in (".)" if digits else "-*+"):
        return 0
    rest = text[digits + 1 :]
    blanks = len(rest) - len(rest.lstrip(" "))
    if rest and not blanks:
        return 0
    return digits + 1 + (blanks if 0 < blanks < 5 else 1)
