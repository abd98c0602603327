"""Writes MEMORY.md: one process of memdir at a time, and beside writers that know nothing of its lock.

Claude Code replaces the file whole, from what it read earlier. So what was read is compared again at the last moment,
the two files are exchanged in one step where the system can, and lines of memdir's own that another writer dropped are
added once more.
"""

import os
import stat
import sys
import time

from memdir import catalog, fsio, index, index_lines, jsonio, locks, store
from memdir.errors import MemdirError
from memdir.index_lines import Listed, Wanted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Optional

    from memdir_worker.overlay import IndexLine

TRIES = 20  # against writers that keep changing the file
BACKUP_S = 14 * 86_400.0
_LOCK_S = 30.0
_SETTLED_S = 0.05  # a file that changed this short ago may be half written
_MARKS = ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


class Outcome:
    """What an update did: the files whose lines were `added` or `replaced`, and those that came back (`again`).

    `state` is that of the index now: "within", "near" or "over" its limits.
    """

    def __init__(self) -> None:
        self.added: "list[str]" = []
        self.replaced: "list[str]" = []
        self.again: "list[str]" = []
        self.state = ""


class _Version:
    """The index as it was read: its bytes (None: there is none), its text, and how that is encoded."""

    def __init__(self, raw: "Optional[bytes]") -> None:
        self.raw = raw
        self._codec = next((codec for mark, codec in _MARKS if (raw or b"").startswith(mark)), "utf-8")
        self.text = (raw or b"").decode(self._codec, "surrogatepass" if self._codec != "utf-8" else "surrogateescape")

    def encoded(self, text: str) -> bytes:
        return text.encode(self._codec, "surrogatepass" if self._codec != "utf-8" else "surrogateescape")


def update(folder: str, state_dir: str, wanted: "Sequence[Wanted | IndexLine]", now: float) -> Outcome:
    """Gives the index of `folder` these lines, and those that memdir wrote and another writer dropped.

    Any number of times the same. Without an index one is made from all topics. `now`: seconds since 1970. Raises
    MemdirError where the index is a link or no text file, or others are at it all the time, and OSError.
    """
    fsio.make_dir(folder)
    record = written_path(state_dir, folder)
    with locks.held(record + ".lock", wait_s=_LOCK_S) as got:
        if not got:
            raise MemdirError(f"another process of memdir has the index of {folder} for over {_LOCK_S:g} s; try again")
        fsio.sweep(folder)
        written = _read_written(record)
        for _ in range(TRIES):
            outcome = Outcome()
            version = _read(folder)
            text = _planned(folder, version, wanted, written, now, outcome)
            if text == version.text or _replace(folder, state_dir, version, version.encoded(text), now):
                _note(record, written, text, wanted, outcome)
                _expire(state_dir, now)
                outcome.state = index.load(text).state
                return outcome
    raise MemdirError(f"{folder}/{store.INDEX} keeps changing while memdir adds to it; try again later")


def written_path(state_dir: str, folder: str) -> str:
    """Where the lines are kept that memdir wrote: JSON lines with `file` and `line`, and `again` when it came back."""
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


def _planned(
    folder: str,
    version: _Version,
    wanted: "Sequence[Wanted | IndexLine]",
    written: "dict[str, dict[str, Any]]",
    now: float,
    outcome: Outcome,
) -> str:
    """The text that the index should have."""
    lines = [Wanted(item.file, item.title, item.hook, replace=item.replace) for item in wanted]
    if version.raw is None:
        text = index_lines.rebuild(_topics(folder, now))
        for item in lines:
            item.replace = True  # the caller knows title and hook better than the header of the file does
    else:
        text = version.text
        dropped = _dropped(folder, text, lines, written)
        outcome.again = [str(each["file"]) for each in dropped]
        lines = [*[_wanted(each) for each in dropped], *lines]
    again = {index_lines.key(file) for file in outcome.again}
    before = {index_lines.key(entry.file): entry for entry in index_lines.entries(text)}
    planned = index_lines.with_lines(text, lines)
    for entry in index_lines.entries(planned):
        old = before.get(index_lines.key(entry.file))
        if old is None and index_lines.key(entry.file) not in again:
            outcome.added.append(entry.file)
        elif old is not None and (old.title, old.hook) != (entry.title, entry.hook):
            outcome.replaced.append(entry.file)
    return planned


def _topics(folder: str, now: float) -> "list[Listed]":
    found = []
    for file, version in store.scan(folder).files.items():
        topic = store.read(folder, file, version[0] / 1e9, now)
        if topic:
            title = topic.name if " " in topic.name else topic.name.replace("-", " ").replace("_", " ")
            found.append(Listed(file, title[:1].upper() + title[1:], topic.description, topic.type, topic.written))
    return found


def _dropped(
    folder: str, text: str, wanted: "list[Wanted]", written: "dict[str, dict[str, Any]]"
) -> "list[dict[str, Any]]":
    """What memdir wrote and another writer took out, where the file is still there: once, for twice is a decision."""
    there = {index_lines.key(entry.file) for entry in index_lines.entries(text)}
    there.update([index_lines.key(item.file) for item in wanted])
    return [
        each
        for name, each in written.items()
        if name not in there and not each.get("again") and store.version_of(os.path.join(folder, each["file"]))
    ]


def _wanted(record: "dict[str, Any]") -> Wanted:
    entry = index_lines.entries(str(record["line"]))[0]
    return Wanted(str(record["file"]), entry.title, entry.hook)


def _read_written(record: str) -> "dict[str, dict[str, Any]]":
    """The last record of each file that can be used."""
    last = {}
    for each in jsonio.read_lines(fsio.read(record, 64 << 20) or b""):
        if isinstance(each.get("file"), str) and index_lines.entries(str(each.get("line"))):
            last[index_lines.key(each["file"])] = each
    return last


def _note(
    record: str,
    written: "dict[str, dict[str, Any]]",
    text: str,
    wanted: "Sequence[Wanted | IndexLine]",
    outcome: Outcome,
) -> None:
    """Records the lines as they stand now. After the write: who is killed before writes, and notes, once more."""
    lines = {index_lines.key(entry.file): entry for entry in index_lines.entries(text)}
    touched = {index_lines.key(file) for file in (*outcome.added, *outcome.replaced)}
    for item in wanted:
        name = index_lines.key(item.file)
        entry = lines.get(name)
        if entry is None:
            continue
        line = index_lines.line(entry.title, item.file, entry.hook)
        if name in touched or written.get(name, {}).get("line") != line:
            fields: "dict[str, Any]" = {"file": item.file, "line": line}
            if written.get(name) != fields:
                fsio.append(record, jsonio.dumps(fields).encode("ascii"))
                written[name] = fields
    for file in outcome.again:
        fields = {**written[index_lines.key(file)], "again": True}
        fsio.append(record, jsonio.dumps(fields).encode("ascii"))


def _replace(folder: str, state_dir: str, version: _Version, data: bytes, now: float) -> bool:
    """Puts `data` in the place of what was read, which is kept; False, and nothing has changed, if it was not there."""
    path = os.path.join(folder, store.INDEX)
    if version.raw is not None:
        of = os.path.basename(catalog.path(state_dir, folder))
        name = f"{of}-{int(now * 1000):015}-{fsio.checksum(version.raw):08x}-{store.INDEX}"
        fsio.write(f"{state_dir}/backup/{name}", version.raw, durable=True)
    ours = os.path.join(folder, f".memdir-{os.getpid()}-{time.monotonic_ns()}.tmp")
    fsio.write(ours, data, durable=True)
    try:
        if fsio.read(path, store.INDEX_BYTES) != version.raw:
            return False
        if version.raw is None:
            return _link(ours, path)
        if not _exchange(ours, path):
            os.replace(ours, path)
        elif not _took_out(ours, path, version.raw, data):
            return False
        fsio.sync_dir(folder)
        return True
    finally:
        if os.path.lexists(ours):
            os.unlink(ours)


def _took_out(ours: str, path: str, expected: "Optional[bytes]", data: bytes) -> bool:
    """Whether the exchange took out what was expected; if not, somebody wrote just before, and gets the place back."""
    inside: "Optional[bytes]" = data
    outside = fsio.read(ours, store.INDEX_BYTES)
    if outside == expected:
        return True
    for _ in range(TRIES):
        if not _exchange(ours, path):
            break
        before, inside, outside = inside, outside, fsio.read(ours, store.INDEX_BYTES)
        if outside == before:
            break  # nobody wrote meanwhile: the newest version is in its place
    return False


def _link(ours: str, path: str) -> bool:
    """Gives a new file its name, unless another process has just made one."""
    try:
        os.link(ours, path, follow_symlinks=False)
    except FileExistsError:
        return False
    except OSError:  # a file system without links
        os.replace(ours, path)
    fsio.sync_dir(os.path.dirname(path))
    return True


def _exchange(one: str, other: str) -> bool:
    """Exchanges two files in one step; False where the system or the file system cannot."""
    try:
        import ctypes  # some builds of Python have none

        libc = ctypes.CDLL(None, use_errno=True)
        names = os.fsencode(one), os.fsencode(other)
        if sys.platform == "darwin":
            return bool(libc.renamex_np(*names, 2) == 0)  # RENAME_SWAP
        return bool(libc.renameat2(-100, names[0], -100, names[1], 2) == 0)  # AT_FDCWD, RENAME_EXCHANGE
    except (ImportError, OSError, AttributeError):
        return False


def _expire(state_dir: str, now: float) -> None:
    """Removes old versions that are past their time, but never the newest of a directory."""
    folder = state_dir + "/backup"
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return
    for name, following in zip(names, names[1:]):
        parts = name.split("-")
        ours = len(parts) == 4 and parts[1].isdecimal() and parts[3] == store.INDEX
        if ours and following.startswith(parts[0] + "-") and int(parts[1]) / 1000 < now - BACKUP_S:
            os.unlink(f"{folder}/{name}")
