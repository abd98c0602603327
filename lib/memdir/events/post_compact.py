"""PostCompact: Claude's own summary is kept beside memdir's, a file a compaction."""

import os

from memdir import config, fsio, locks, paths, redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.hookio import Event

KEPT = 20  # of a session, the newest
FILE_BYTES = 1 << 20  # read of one
WAIT_S = 5.0  # for another process that archives; it takes milliseconds
_NAME = "compact-", ".md"


def handle(event: "Event") -> None:
    if event.agent_id:
        return
    settings = config.load(event.env, event.project_dir())
    if not settings.on("summary.on") or settings.excludes(event.project_dir(), event.env):
        event.outcome = "off"
        return
    text = redact.clean(_summary(event.text("compact_summary"))).strip()
    if not text or not event.state_dir or not event.session_id:
        event.outcome = "nothing to keep"
        return
    folder = f"{event.state_dir}/sessions/{paths.session_name(event.session_id)}"
    with locks.held(folder + "/compact.lock", WAIT_S) as free:
        event.outcome = _archive(folder, text.encode("utf-8", "replace") + b"\n") if free else "busy"


def _summary(text: str) -> str:
    """What Claude wrote, without its preparations in `<analysis>` and without the tags."""
    before, opening, rest = text.partition("<analysis>")
    _, closing, after = rest.partition("</analysis>")
    if opening and closing:
        text = before + after
    _, opening, rest = text.partition("<summary>")
    if opening:
        text = rest.rpartition("</summary>")[0] or rest
    return text


def _archive(folder: str, data: bytes) -> str:
    """Adds a file with the next number, unless the newest says the same. The lock is held. Raises OSError."""
    first, last = _NAME
    numbers = sorted([int(name[len(first) : -len(last)]) for name in os.listdir(folder) if _is_archive(name)])
    if numbers and fsio.read(f"{folder}/{first}{numbers[-1]}{last}", FILE_BYTES) == data[:FILE_BYTES]:
        return "kept already"
    number = numbers[-1] + 1 if numbers else 1
    fsio.write(f"{folder}/{first}{number}{last}", data, durable=True)
    for old in [*numbers, number][:-KEPT]:
        os.unlink(f"{folder}/{first}{old}{last}")
    return f"kept as {first}{number}{last}"


def _is_archive(name: str) -> bool:
    first, last = _NAME
    number = name[len(first) : -len(last)]
    return name == f"{first}{number}{last}" and number.isascii() and number.isdigit() and number[0] != "0"
