"""Writes MEMORY.md: one process of memdir at a time, and beside writers that know nothing of its lock.

Claude Code replaces the file whole, from what it read earlier. So the index is replaced only where it is still what
was read, and lines of memdir's own that another writer dropped are added once more. A line that somebody has edited
is theirs from then on.
"""

import os
import stat
import time

from memdir import catalog, fsio, index, index_lines, jsonio, locks, store
from memdir.errors import MemdirError
from memdir.index_lines import Listed, Wanted
from memdir_worker import replacement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Optional


TRIES = 20  # against writers that keep changing the file
_LOCK_S = 30.0
_SETTLED_S = 0.05  # a file that changed this short ago may be half written
_MARKS = ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


class _Version:
    """The index as it was read: its bytes (None: there is none), its text, and how that is encoded."""

    def __init__(self, raw: "Optional[bytes]") -> None:
        self.raw = raw
        self._codec = next((codec for mark, codec in _MARKS if (raw or b"").startswith(mark)), "utf-8")
        self.text = (raw or b"").decode(self._codec, "surrogatepass" if self._codec != "utf-8" else "surrogateescape")

    def encoded(self, text: str) -> bytes:
        return text.encode(self._codec, "surrogatepass" if self._codec != "utf-8" else "surrogateescape")


def update(folder: str, state_dir: str, wanted: "Sequence[Wanted]", now: float) -> index.LoadedIndex:
    """Gives the index of `folder` these lines, and those that memdir wrote and another writer dropped.

    Any number of times the same; returns what a session gets of it then. Without an index one is made from all topics.
    `now`: seconds since 1970. Raises MemdirError where the index is a link or no text file, or others are at it all the
    time, and OSError.
    """
    fsio.make_dir(folder)
    record = written_path(state_dir, folder)
    with locks.held(record + ".lock", wait_s=_LOCK_S) as got:
        if not got:
            raise MemdirError(f"another process of memdir has the index of {folder} for over {_LOCK_S:g} s; try again")
        fsio.sweep(folder)
        written = _read_written(record)
        for _ in range(TRIES):
            version = _read(folder)
            plan = _Plan(folder, version, wanted, written, now)
            data = version.encoded(plan.text)
            if plan.text == version.text or replacement.replace(folder, store.INDEX, version.raw, data, state_dir, now):
                _note(record, written, plan)
                return index.load(plan.text)
    raise MemdirError(f"{folder}/{store.INDEX} keeps changing while memdir adds to it; try again later")


def written_path(state_dir: str, folder: str) -> str:
    """Where the lines are kept that memdir wrote: JSON lines with `file` and `line`.

    Also `again` when it came back, and `theirs` when somebody else gave it its words.
    """
    return f"{state_dir}/written/{os.path.basename(catalog.path(state_dir, folder))}"


def _read(folder: str) -> _Version:
    path = os.path.join(folder, store.INDEX)
    _settle(path)
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return _Version(None)
    if not stat.S_ISREG(status.st_mode):
        kind = "a link" if stat.S_ISLNK(status.st_mode) else "no regular file"
        raise MemdirError(f"{path} is {kind}: memdir does not write through it; put a regular file in its place")
    raw = fsio.read(path, store.INDEX_BYTES)
    if raw is None:
        if not os.path.lexists(path):
            return _Version(None)
        raise MemdirError(f"{path} cannot be read; run `chmod u+rw` on it")
    if len(raw) == store.INDEX_BYTES:
        raise MemdirError(f"{path} is larger than {store.INDEX_BYTES >> 20} MiB: that is no index; move it away")
    if not os.access(path, os.W_OK):
        raise MemdirError(f"{path} is write-protected; run `chmod u+w` on it")
    return _Version(raw)


def _settle(path: str) -> None:
    """Waits, a little, until nobody seems to be within a write: a file that is written anew is empty at first."""
    for _ in range(10):
        try:
            age_s = time.time() - os.lstat(path).st_mtime
        except OSError:
            return
        if not 0 <= age_s < _SETTLED_S:
            return
        time.sleep(_SETTLED_S - age_s)


class _Plan:
    """The `text` that the index should have, the `lines` that memdir has for it, and what comes `again`."""

    def __init__(
        self,
        folder: str,
        version: _Version,
        wanted: "Sequence[Wanted]",
        written: "dict[str, dict[str, Any]]",
        now: float,
    ) -> None:
        self.lines = [
            Wanted(item.file, item.title, item.hook, replace=item.replace, name=_name(folder, item.file, now))
            for item in wanted
        ]
        self.again: "list[str]" = []
        self.is_new = version.raw is None
        before = version.text if version.raw is not None else index_lines.rebuild(_topics(folder, now))
        self.there = {index_lines.key(entry.file): entry for entry in reversed(index_lines.entries(before))}
        for item in self.lines:
            entry, last = self.there.get(index_lines.key(item.file)), written.get(index_lines.key(item.file))
            if self.is_new:
                item.replace = True  # the caller knows title and hook better than the header of the file does
            elif entry is not None and not _is_ours(entry, last):
                item.replace = False
        dropped = [] if self.is_new else _dropped(folder, before, self.lines, written, now)
        self.again = [item.file for item in dropped]
        self.text = index_lines.with_lines(before, [*dropped, *self.lines])


def _name(folder: str, file: str, now: float) -> str:
    topic = store.read(folder, file, now, now)
    return topic.name if topic else ""


def _is_ours(entry: index_lines.Entry, record: "Optional[dict[str, Any]]") -> bool:
    """Whether a line is the one that memdir wrote last."""
    if record is None or record.get("theirs"):
        return False
    (last,) = index_lines.entries(str(record["line"]))
    return (entry.title, entry.hook) == (last.title, last.hook)


def _topics(folder: str, now: float) -> "list[Listed]":
    found = []
    for file, version in store.scan(folder).files.items():
        topic = store.read(folder, file, version[0] / 1e9, now)
        if topic:
            found.append(Listed(file, title(topic), topic.description, topic.type, topic.written))
    return found


def title(topic: store.Topic) -> str:
    """What the index calls a topic whose line is not known: its name in words."""
    words = topic.name if " " in topic.name else topic.name.replace("-", " ").replace("_", " ")
    return words[:1].upper() + words[1:]


def _dropped(
    folder: str, text: str, lines: "list[Wanted]", written: "dict[str, dict[str, Any]]", now: float
) -> "list[Wanted]":
    """What memdir wrote and another writer took out, where the file is still there: once, for twice is a decision."""
    named = index_lines.Named(text)
    wanted = {index_lines.key(item.file) for item in lines}
    found = []
    for key, each in written.items():
        file = str(each["file"])
        if key in wanted or each.get("again") or named.has(file) or not store.version_of(os.path.join(folder, file)):
            continue
        (entry,) = index_lines.entries(str(each["line"]))
        found.append(Wanted(file, entry.title, entry.hook, name=_name(folder, file, now)))
    return [item for item in found if not named.has(item.file, item.name)]


def _read_written(record: str) -> "dict[str, dict[str, Any]]":
    """The last record of each file that can be used."""
    last = {}
    for each in jsonio.read_lines(fsio.read(record, 64 << 20) or b""):
        if isinstance(each.get("file"), str) and len(index_lines.entries(str(each.get("line")))) == 1:
            last[index_lines.key(each["file"])] = each
    return last


def _note(record: str, written: "dict[str, dict[str, Any]]", plan: _Plan) -> None:
    """Records the lines as they stand now. After the write: who is killed before writes, and notes, once more.

    A line that says something else than memdir was to write is `theirs`: it may come back, but is never replaced. Those
    of a new index that nobody asked for are memdir's, but do not come back.
    """
    lines = {index_lines.key(entry.file): entry for entry in reversed(index_lines.entries(plan.text))}
    noted = []
    for item in plan.lines:
        key = index_lines.key(item.file)
        entry, before = lines.pop(key, None), written.get(key)
        if entry is None:
            continue
        fields = _fields(item.file, entry)
        if fields["line"] != index_lines.line(item.title, item.file, item.hook) and not _is_ours(entry, before):
            fields["theirs"] = True
        is_known = before is not None and {**before, "again": True} == {**fields, "again": True}
        if not (is_known and key in plan.there):
            noted.append(fields)
    if plan.is_new:
        noted += [{**_fields(entry.file, entry), "again": True} for entry in lines.values()]
    noted += [{**written[index_lines.key(file)], "again": True} for file in plan.again]
    for fields in noted:
        if written.get(index_lines.key(fields["file"])) != fields:
            fsio.append(record, jsonio.dumps(fields).encode("ascii"))


def _fields(file: str, entry: index_lines.Entry) -> "dict[str, Any]":
    return {"file": file, "line": index_lines.line(entry.title, file, entry.hook)}
