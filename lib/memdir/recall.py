"""Recall: from a prompt to the few topic files that are worth delivering, without a model."""

import os

from memdir import rank, store, tokens
from memdir.delivery import Memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container

    from memdir.catalog import Catalog, Record

# Prompts that no person typed (measured: background tasks, echoes of local commands).
_NOT_TYPED = ("<task-notification", "<local-command-", "<command-", "<bash-", "<system-reminder")
_TYPED_SOURCES = ("", "user", "sdk")
DELIVER = "deliver"


def is_question(prompt: str, source: str) -> bool:
    """Whether a prompt is one that memories can help with: typed, and not a slash command."""
    text = prompt.lstrip()
    if source not in _TYPED_SOURCES or not text or text.startswith(_NOT_TYPED):
        return False
    # A path may open a prompt: `/etc/hosts is wrong` is a question, `/review src` is a command.
    return text[0] != "/" or "/" in text.split(None, 1)[0][1:]


class Ranked:
    """One topic file, its score, the terms that matched, and its fate: DELIVER, or the reason why not."""

    def __init__(self, record: "Record", match: rank.Match, fate: str) -> None:
        self.file, self.version, self.type, self.description, self.written, self.body_at = record
        self.score = match.score
        self.terms = match.terms
        self.fate = fate


class Limits:
    """How much is delivered: files for one prompt, the least score (0: the built-in one), files considered."""

    def __init__(self, files: int = 5, threshold: float = 0.0, newest: int = 1 << 24) -> None:
        self.files = files
        self.threshold = threshold or rank.THRESHOLD
        self.newest = newest


def choose(
    prompt: str, catalog: "Catalog", limits: Limits, already: "Container[str]" = (), keep: int = 0
) -> "list[Ranked]":
    """Ranks the newest topics, best first, and decides each one's fate; nothing in `already` is delivered.

    The list goes on past those that are delivered until `keep` files are in it.
    """
    windows = tokens.windows(prompt)
    found: "list[Ranked]" = []
    delivered = 0
    # Documents count from the newest; what was read just now comes after them, unless nothing else is there.
    among = catalog.base or catalog.n
    for match in rank.rank(windows, catalog, max(50, keep) if limits.newest >= among else catalog.n):
        record = catalog.record(match.doc)
        if record is None or limits.newest <= match.doc < among:
            continue
        if not rank.passes(match, windows, limits.threshold):
            fate = "below the threshold"
        elif record[0] in already:
            fate = "already in this session"
        elif delivered >= limits.files:
            fate = "over the limit"
        else:
            fate = DELIVER
            delivered += 1
        if fate != DELIVER and delivered >= limits.files and len(found) >= keep:
            break
        found.append(Ranked(record, match, fate))
    return found


def load(folder: str, item: Ranked, now: float) -> "Memory | None":
    """The text of a ranked file as it is now; None if it has vanished."""
    path = os.path.join(folder, item.file)
    version = store.version_of(path)
    if version == item.version:
        text = store.text(path)
        if text is not None:
            return Memory(item.file, item.type, item.description, text[item.body_at :], item.written)
    topic = store.read(folder, item.file, version[0] / 1e9, now) if version else None
    if topic is None:
        return None
    return Memory(topic.file, topic.type, topic.description, topic.body, topic.written)
