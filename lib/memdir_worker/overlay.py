"""A memory directory with changes that are not written yet: what extraction works on until its plan is complete."""

import hashlib
import os
import time

from memdir import fsio, paths, store
from memdir.index_lines import Wanted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

FILE_BYTES = 4 << 20  # a topic file that is larger is not changed


class Change:
    """A file (name relative to the directory) that becomes `new`; `old` is the digest of what it was before."""

    def __init__(self, file: str, old: str, new: bytes) -> None:
        self.file = file
        self.old = old
        self.new = new


class Overlay:
    """The topic files of a directory, with the changes put over them."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.changes: "dict[str, Change]" = {}
        self.lines: "dict[str, Wanted]" = {}
        self._versions = store.scan(folder).files
        self._topics: "dict[str, store.Topic]" = {}

    def taken(self) -> "set[str]":
        """Names that a new file cannot have: those of topics, and of whatever else lies in the directory."""
        try:
            others = os.listdir(self.folder)
        except OSError:
            others = []
        return {*self._versions, *self.changes, *others}

    def topics(self) -> "list[store.Topic]":
        """All topics as they would be with the changes; unreadable files are left out."""
        for file, version in self._versions.items():
            if file not in self._topics:
                topic = store.read(self.folder, file, version[0] / 1e9, time.time())
                if topic is not None:
                    self._topics[file] = topic
        return list(self._topics.values())

    def text(self, file: str) -> "Optional[str]":
        """The whole text of a topic file; None if there is none, or it is too large or no UTF-8 to be written again."""
        change = self.changes.get(file)
        raw = change.new if change else fsio.read(os.path.join(self.folder, file), FILE_BYTES)
        if raw is None or len(raw) >= FILE_BYTES:
            return None
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            return None

    def write(self, file: str, text: str, line: Wanted) -> None:
        """Puts a topic file into the plan. Raises ValueError for a name that leads out of the directory."""
        if file.startswith("/") or any(part in ("", ".", "..") for part in file.split("/")):
            raise ValueError(f"not a name in a memory directory: {file!r}")
        before = self.changes.get(file)
        old = before.old if before else digest(fsio.read(os.path.join(self.folder, file), FILE_BYTES))
        self.changes[file] = Change(file, old, text.encode("utf-8", "replace"))
        self.lines[file] = line
        now = time.time()
        self._topics[file] = store.Topic(file, text, now, now)

    def add_line(self, line: Wanted) -> None:
        """Puts a line of the index alone into the plan."""
        self.lines[line.file] = line


def digest(data: "Optional[bytes]") -> str:
    """The SHA-256 of a file's content in hex; "" for no file."""
    return "" if data is None else hashlib.sha256(data).hexdigest()


def is_inside(folder: str, file: str) -> bool:
    """Whether a file's real place is where its name says: no link on the way leads out of the directory."""
    path = os.path.join(folder, file)
    return not os.path.islink(path) and paths.under(os.path.dirname(path) + "/x", folder)
