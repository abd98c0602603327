"""The memory directory as it lies on the disk: which topic files there are, and what one of them says."""

import os
import stat

from memdir import ages, fsio

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

INDEX = "MEMORY.md"
INDEX_BYTES = 4 << 20  # of the index; far more than is ever loaded
HEAD_BYTES = 16_384  # read of a topic file: its header and more body than is ever ranked or delivered
DEPTH = 16  # directories inside each other
_CONFLICTS = (".sync-conflict-", "(conflicted copy", "'s conflicted copy")  # Syncthing, Nextcloud, Dropbox

# What tells a version of a file from another: (mtime in ns, bytes, inode).
TYPE_KEY = "tuple[int, int, int]"


class Scan:
    """Topic files (relative name → version) and the directories they lie in (relative name → mtime in ns)."""

    def __init__(self) -> None:
        self.files: "dict[str, tuple[int, int, int]]" = {}
        self.dirs: "dict[str, int]" = {}


class Topic:
    """One memory: the fields of its header and where its body begins in the decoded text."""

    def __init__(self, file: str, text: str, mtime: float, now: float) -> None:
        from memdir import frontmatter  # not for what the catalog already knows

        document = frontmatter.parse(text)
        self.file = file
        self.body = document.body
        self.body_at = len(text) - len(document.body)
        self.degraded = document.degraded
        self.problems = document.problems
        self.name = document.get("name").strip() or os.path.splitext(os.path.basename(file))[0]
        self.type = document.field("type").strip()
        self.description = document.get("description").strip() or _first_line(document.body)
        self.written = ages.written(document.field("modified") or document.get("modified"), mtime, now)


def is_topic(name: str) -> bool:
    """Whether a file of this name holds a memory: Markdown, not the index, not what editors and sync tools leave."""
    if not name.endswith(".md") or name == INDEX or name[0] in ".#":
        return False
    return "conflict" not in name or not any([mark in name for mark in _CONFLICTS])


def scan(folder: str) -> Scan:
    """All topic files below `folder`; links and names with a leading dot are left out. A missing folder is empty."""
    found = Scan()
    waiting = [("", 0)]
    while waiting:
        inside, depth = waiting.pop()
        try:
            found.dirs[inside] = os.stat(os.path.join(folder, inside)).st_mtime_ns
            with os.scandir(os.path.join(folder, inside)) as entries:
                for entry in entries:
                    if is_topic(entry.name) and entry.is_file(follow_symlinks=False):
                        found.files[inside + entry.name] = version(entry.stat(follow_symlinks=False))
                    elif depth < DEPTH and entry.name[0] != "." and entry.is_dir(follow_symlinks=False):
                        waiting.append((inside + entry.name + "/", depth + 1))
        except OSError:
            continue  # vanished, or not ours to read: doctor tells, the others stay
    return found


def version(status: os.stat_result) -> "tuple[int, int, int]":
    return status.st_mtime_ns, status.st_size, status.st_ino


def version_of(path: str) -> "Optional[tuple[int, int, int]]":
    """The version of a regular file; None when it is gone or something else."""
    try:
        status = os.lstat(path)
    except (OSError, ValueError):
        return None
    return version(status) if stat.S_ISREG(status.st_mode) else None


def text(path: str, limit: int = HEAD_BYTES) -> "Optional[str]":
    """The beginning of a text file, without a byte order mark; UTF-8, or UTF-16 if its mark says so.

    Bytes that are not text become U+FFFD, but a character that the limit cut is left out. None if unreadable.
    """
    raw = fsio.read(path, limit)
    if raw is None:
        return None
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return raw.decode("utf-16", "replace")
    if len(raw) == limit:
        raw = _whole_characters(raw)
    decoded = raw.decode("utf-8", "replace")
    return decoded[1:] if decoded[:1] == "\ufeff" else decoded


def index_text(folder: str) -> "Optional[str]":
    """The text of the index; None if there is none."""
    return text(os.path.join(folder, INDEX), INDEX_BYTES)


def read(folder: str, file: str, mtime: float, now: float) -> "Optional[Topic]":
    """The topic in `file` (relative to `folder`); None if it cannot be read any more. `now`, `mtime`: seconds."""
    content = text(os.path.join(folder, file))
    return None if content is None else Topic(file, content, mtime, now)


def shown(file: str) -> str:
    """A file name as it may stand in text: bytes that are no UTF-8 and control characters replaced."""
    name = file.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return name if name.isprintable() else "".join([char if char.isprintable() else "\ufffd" for char in name])


def _whole_characters(raw: bytes) -> bytes:
    """`raw` without the first bytes of a UTF-8 character at its end."""
    for back in range(1, min(4, len(raw)) + 1):
        byte = raw[-back]
        if byte < 0x80:
            break
        if byte >= 0xC0:
            needed = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return raw[:-back] if needed > back else raw
    return raw


def _first_line(body: str) -> str:
    """The first line with text, a heading's marks removed."""
    for line in body[:4096].split("\n"):
        words = line.strip().lstrip("#").strip()
        if words.strip("-=*_ "):
            return words[:300]
    return ""
