"""The lines of a Markdown text, which of them a reader sees, and the files that those name."""

from memdir.markdown import JS_BLANK

_ESCAPABLE = "[]()<>\\*_`#!~|&.+-"  # what a backslash may stand before
_FENCES = ("```", "~~~")
_AROUND = (
    "`*_\"'()[]<>|,;:.!?\u3001\u3002\uff0c\uff1a\uff1b\uff08\uff09\u201c\u201d\u300c\u300d"  # a word in a sentence
)


def split(text: str) -> "list[str]":
    """The lines with their ends, which are \\n, \\r\\n or \\r and nothing else."""
    lines = []
    start = at = 0
    for piece in text.splitlines(keepends=True):
        at += len(piece)
        if piece[-1] in "\r\n":
            lines.append(text[start:at])
            start = at
    if start < len(text):
        lines.append(text[start:])
    return lines


def shown(lines: "list[str]") -> "list[bool]":
    """Whether each line is text that a reader sees: not of a header, a code fence or a comment."""
    texts = [line.strip(JS_BLANK) for line in lines]
    last_close = max([number for number, text in enumerate(texts) if "-->" in text], default=-1)
    header = texts.index("---", 1) if texts[:1] == ["---"] and "---" in texts[1:] else -1
    found = []
    fence, in_comment = "", False
    for number, text in enumerate(texts):
        hidden = True
        if number <= header:
            pass
        elif in_comment:
            in_comment = "-->" not in text
        elif fence:
            if text.startswith(fence) and not text.strip(fence[0]):
                fence = ""
        elif text.startswith(_FENCES) and (text[0] == "~" or "`" not in text.lstrip("`")):
            fence = text[: len(text) - len(text.lstrip(text[0]))]
        elif text.startswith("<!--") and "-->" not in text and number < last_close:
            in_comment = True
        else:
            hidden = False
        found.append(not hidden)
    return found


def targets(line: str) -> "set[str]":
    """The files that the links of a line lead to."""
    if "](" not in line and "]: " not in line:
        return set()
    found = set()
    pieces = line.split("](")
    for before, piece in zip(pieces, pieces[1:]):
        if not _ends_escaped(before):
            end = piece.find(">") + 1 if piece[:1] == "<" else closing(f"({piece}", "(", ")") - 1
            found.add(target(piece[:end]) if end > 0 else "")
    name, colon, rest = line.partition("]: ")
    if colon and name[:1] == "[":  # what `[Title][name]` means
        found.add(target(rest.strip(JS_BLANK).partition(" ")[0]))
    return found - {""}


def names(line: str) -> "set[str]":
    """What a line calls by name: `[[name]]`."""
    if "[[" not in line:
        return set()
    found = set()
    pieces = line.split("[[")
    for before, piece in zip(pieces, pieces[1:]):
        name, close, _ = piece.partition("]]")
        if close and not _ends_escaped(before):
            found.add(name.partition("|")[0].partition("#")[0].strip(JS_BLANK))
    return found - {""}


def words(line: str) -> "set[str]":
    """The names of Markdown files that stand in a line as they are, or as code."""
    return {word for word in [each.strip(_AROUND) for each in line.split()] if word.endswith(".md")}


def without_comments(text: str) -> str:
    """The text without comments, also those within a line; none goes on after an empty line."""
    first, *rest = text.split("<!--")
    kept = [first]
    for piece in rest:
        comment, close, after = piece.partition("-->")
        is_comment = close and "\n\n" not in comment and not _ends_escaped(kept[-1])
        kept.append(after if is_comment else "<!--" + piece)
    return "".join(kept)


def closing(text: str, opening: str, close: str) -> int:
    """The offset of the bracket that closes the one at the start of the text, -1 without one."""
    depth = 0
    at = 0
    while at < len(text):
        char = text[at]
        if char == "\\":
            at += 1
        elif char == opening:
            depth += 1
        elif char == close:
            depth -= 1
            if not depth:
                return at
        elif not depth:
            break
        at += 1
    return -1


def target(link: str) -> str:
    """The file that a link names: without `<>`, title, `./` and fragment, `%20` decoded, `\\` as `/`."""
    link = link.strip(" \t")
    link = link[1:].partition(">")[0] if link[:1] == "<" else link.split(' "', 1)[0]
    if "://" in link:
        return ""
    link = _percent_decoded(unescaped(link).replace("\\", "/").partition("#")[0])
    while link.startswith("./"):
        link = link[2:]
    return link


def unescaped(text: str) -> str:
    """Without the backslashes that Markdown allows before punctuation."""
    if "\\" not in text:
        return text
    kept = []
    escaped = False
    for char in text:
        if escaped:
            if char not in _ESCAPABLE:
                kept.append("\\")
            kept.append(char)
            escaped = False
        elif char == "\\":
            escaped = True
        else:
            kept.append(char)
    return "".join(kept) + "\\" * escaped


def is_escapable(char: str) -> bool:
    return char in _ESCAPABLE


def _ends_escaped(text: str) -> bool:
    return (len(text) - len(text.rstrip("\\"))) % 2 == 1


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
