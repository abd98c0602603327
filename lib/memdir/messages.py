"""What a message of a transcript holds: what a person typed, the command that it stands for, a tool's input."""

from memdir import jsonio

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SAID_CHARS = 100_000  # of one prompt; of a longer one its two ends
INPUT_BYTES = 16 << 10  # of a tool's input as JSON
_CUT = "\n[…]\n"

# Elements that the client, its extensions and memdir put into the text of a user's message: no person typed them.
_NOT_TYPED = (
    "system-reminder command-name command-message command-args local-command-caveat local-command-stdout"
    " local-command-stderr bash-input bash-stdout bash-stderr task-notification teammate-message"
    " user-prompt-submit-hook session-start-hook ide_opened_file ide_selection ide_diagnostics memory"
).split()


def string(record: "dict[str, Any]", key: str) -> str:
    value = record.get(key)
    return value if isinstance(value, str) else ""


def mapping(record: "dict[str, Any]", key: str) -> "dict[str, Any]":
    value = record.get(key)
    return value if isinstance(value, dict) else {}


def blocks(content: "Any") -> "list[dict[str, Any]]":
    """The blocks of a message; a bare string is a block of text."""
    parts = content if isinstance(content, list) else [content]
    blocks = [{"type": "text", "text": part} if isinstance(part, str) else part for part in parts]
    return [block for block in blocks if isinstance(block, dict)]


def is_human(record: "dict[str, Any]") -> bool:
    """Whether a person wrote it, by what newer clients note; older ones note nothing."""
    return mapping(record, "origin").get("kind", "human") == "human" and record.get("promptSource") != "system"


def command(text: str) -> str:
    """The command that a message stands for; "" for any other message."""
    if text.startswith("<bash-input>"):
        return f"! {_inside(text, 'bash-input')}"[:SAID_CHARS]
    name = _inside(text, "command-name") if text.startswith("<command-") else ""
    return f"{name} {_inside(text, 'command-args')}".strip()[:SAID_CHARS] if name else ""


def _inside(text: str, tag: str) -> str:
    start = text.find(f"<{tag}>")
    end = text.find(f"</{tag}>", start)
    return text[start + len(tag) + 2 : end].strip() if 0 <= start < end else ""


def text(content: "Any") -> str:
    """The blocks of text of a message, a blank line between them."""
    texts = [string(block, "text") for block in blocks(content) if block.get("type") == "text"]
    return "\n\n".join(texts).strip()


def prompt(content: "Any") -> str:
    """What a person typed of a message, at most SAID_CHARS."""
    return ends(visible(text(content)), SAID_CHARS)


def visible(text: str) -> str:
    """The text without the elements that no person typed."""
    if "</" not in text:
        return text.strip()
    for tag in _NOT_TYPED:
        pieces = []
        start = end = 0
        at = text.find("<" + tag)
        while at >= 0:
            end = text.find(f"</{tag}>", at) if end <= at else end
            if end < 0:
                break  # never closed: a person wrote about it
            after = at + 1 + len(tag)
            if text[after] in "> \n":
                pieces.append(text[start:at])
                start = after = end + len(tag) + 3
            at = text.find("<" + tag, after)
        text = "".join([*pieces, text[start:]])
    return text.strip()


def ends(text: str, limit: int) -> str:
    """The text, or its two ends in at most `limit` characters."""
    if len(text) <= limit:
        return text
    half = (limit - len(_CUT)) // 2
    return text[:half] + _CUT + text[len(text) - half :]


def bounded(given: "dict[str, Any]") -> "dict[str, Any]":
    """A tool's input, its strings cut until its JSON has at most INPUT_BYTES."""
    try:
        for longest in (INPUT_BYTES, 4_000, 400, 40):
            cut = _cut_strings(given, longest)
            if len(jsonio.dumps(cut)) <= INPUT_BYTES and isinstance(cut, dict):
                return cut
    except RecursionError:
        pass  # what is left then is enough to tell the file or the command
    short = [(key, value) for key, value in given.items() if isinstance(value, str) and len(key) <= 40]
    return {key: ends(value, 400) for key, value in short[:5]}


def _cut_strings(value: "Any", longest: int) -> "Any":
    if isinstance(value, str):
        return ends(value, longest)
    if isinstance(value, dict):
        return {key: _cut_strings(item, longest) for key, item in value.items()}
    return [_cut_strings(item, longest) for item in value] if isinstance(value, list) else value
