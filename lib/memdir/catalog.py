"""The catalog: what recall knows of a memory directory, kept on disk so that a prompt reads little of it.

One file in the state directory: a head, a table of offsets, a record for each topic file (newest first), the inverted
terms in shards, all versions, and each file's own terms for the next rebuild. A query reads the head, the shards of
its terms and the records of its results. Every block carries its checksum; anything unexpected means "build again",
and deleting the file costs only that.
"""

import marshal
import os
import sys

from memdir import fsio, rank, store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Optional

    # file, version, type, description, written (s since 1970), where the body begins (characters)
    Record = tuple[str, tuple[int, int, int], str, str, float, int]

MAGIC = b"memdir%02d" % rank.TERMS
SMALL = 1_000  # up to so many files every one is looked at for each prompt; above, directories and results only
HOOK_READS = 300  # files that a hook reads itself before it leaves the rest to the next refresh
DESCRIPTION_CHARS = 600
_SHARD_TERMS = 200  # a shard's usual number of terms


class Catalog:
    """A memory directory as recall sees it; the index that `rank.rank` asks.

    Documents from `base` on are files read just now, which the catalog file does not hold yet.
    """

    def __init__(self, stored: "Optional[_Stored]") -> None:
        self._stored = stored
        self.base = stored.n if stored else 0
        self.n = self.base
        self.unread = 0  # files that are neither in the catalog nor were read now
        self._extra: "list[Record]" = []
        self._extra_postings: "dict[str, list[int]]" = {}
        self._gone: "set[str]" = set()

    def postings(self, term: str) -> "Sequence[int]":
        """See `rank.Index`."""
        stored = self._stored.postings(term) if self._stored else ()
        extra = self._extra_postings.get(term)
        return [*stored, *extra] if extra else stored

    def record(self, doc: int) -> "Optional[Record]":
        """The record of a document; None if its file has changed or gone since, or the record is damaged."""
        if doc >= self.base:
            return self._extra[doc - self.base]
        record = self._stored.record(doc) if self._stored else None
        return None if record is None or record[0] in self._gone else record

    def _add(self, record: "Record", terms: "dict[str, int]") -> None:
        for term, weight in terms.items():
            self._extra_postings.setdefault(term, []).append(self.n << 8 | weight)
        self._extra.append(record)
        self.n += 1


def path(state_dir: str, folder: str) -> str:
    name = os.fsencode(folder)
    return f"{state_dir}/catalog/{fsio.checksum(name):08x}{len(name):04x}"


def open_for_prompt(folder: str, state_dir: str, now: float) -> "tuple[Catalog, bool]":
    """The catalog for one prompt, and whether the file should be refreshed.

    Reads at most HOOK_READS topic files, the newest that are new. A small directory is compared file by file; of a
    large one only the directories' times are, so that a file changed in place is ranked by its old terms until the
    next refresh (its text is always read anew).
    """
    stored = _Stored.open(path(state_dir, folder), folder)
    if stored and stored.n > SMALL and stored.dirs == _dir_times(folder, stored.dirs):
        return Catalog(stored), False
    scan = store.scan(folder)
    known = stored.versions() if stored else {}
    catalog = Catalog(stored)
    catalog._gone = {file for file, version in known.items() if scan.files.get(file) != version}
    fresh = [file for file, version in scan.files.items() if known.get(file) != version]
    fresh.sort(key=lambda file: -scan.files[file][0])
    catalog.unread = len(fresh[HOOK_READS:])
    for file in fresh[:HOOK_READS]:
        entry = _entry(folder, file, scan.files[file], now)
        if entry:
            catalog._add(*entry)
    return catalog, bool(fresh or catalog._gone)


def is_large(folder: str, state_dir: str) -> bool:
    """Whether a refresh takes longer than a hook should."""
    stored = _Stored.open(path(state_dir, folder), folder)
    return (stored.n if stored else len(store.scan(folder).files)) > SMALL


def refresh(folder: str, state_dir: str, now: float) -> Catalog:
    """Brings the catalog file up to date with the whole directory, reading only what changed.

    Where the file cannot be written (disk full, read-only home) the catalog lives for this process alone.
    """
    name = path(state_dir, folder)
    stored = _Stored.open(name, folder)
    scan = store.scan(folder)
    if stored and stored.dirs == scan.dirs and stored.versions() == scan.files:
        return Catalog(stored)
    kept = stored.entries() if stored else {}
    entries = []
    for file, version in scan.files.items():
        entry = kept.get(file)
        if entry is None or entry[0][1] != version:
            entry = _entry(folder, file, version, now)
        if entry:
            entries.append(entry)
    # Newest first; among equals the names decide, as after a clone, where all files have the same time.
    entries.sort(key=lambda entry: (-entry[0][4], entry[0][0]))
    written = None
    try:
        fsio.write(name, _pack(folder, scan.dirs, entries), durable=False)
        written = _Stored.open(name, folder)
    except OSError:
        pass
    catalog = Catalog(written)
    for entry in entries if written is None else ():
        catalog._add(*entry)
    return catalog


def refresh_if_free(folder: str, state_dir: str, now: float) -> None:
    """As `refresh`, unless another process is at it."""
    from memdir import locks  # nothing else on the path of a prompt needs it

    with locks.held(path(state_dir, folder) + ".lock") as got:
        if got:
            refresh(folder, state_dir, now)


def _dir_times(folder: str, dirs: "dict[str, int]") -> "dict[str, int]":
    times = {}
    for inside in dirs:
        try:
            times[inside] = os.stat(os.path.join(folder, inside)).st_mtime_ns
        except OSError:
            continue
    return times


def _entry(
    folder: str, file: str, version: "tuple[int, int, int]", now: float
) -> "Optional[tuple[Record, dict[str, int]]]":
    topic = store.read(folder, file, version[0] / 1e9, now)
    if topic is None:
        return None
    terms = rank.document(topic.name, topic.description, topic.body)
    return (file, version, topic.type, topic.description[:DESCRIPTION_CHARS], topic.written, topic.body_at), terms


def _pack(folder: str, dirs: "dict[str, int]", entries: "list[tuple[Record, dict[str, int]]]") -> bytes:
    postings: "dict[str, list[int]]" = {}
    for number, (_, terms) in enumerate(entries):
        for term, weight in terms.items():
            postings.setdefault(term, []).append(number << 8 | weight)
    count = max(1, len(postings) // _SHARD_TERMS)
    shards: "list[dict[str, bytes]]" = [{} for _ in range(count)]
    for term, found in postings.items():
        shards[_shard(term, count)][term] = b"".join([posting.to_bytes(4, sys.byteorder) for posting in found])
    blocks = [_block(record) for record, _ in entries]
    blocks += [_block(shard) for shard in shards]
    blocks.append(_block({record[0]: record[1] for record, _ in entries}))
    blocks.append(_block([terms for _, terms in entries]))
    offsets = [0]
    for block in blocks:
        offsets.append(offsets[-1] + len(block))
    head = _block((folder, dirs, len(entries), count))
    table = b"".join([offset.to_bytes(8, "little") for offset in offsets])
    return b"".join([MAGIC, len(head).to_bytes(4, "little"), head, table, *blocks])


def _shard(term: str, count: int) -> int:
    return fsio.checksum(term.encode("utf-8", "surrogatepass")) % count


def _block(value: "Any") -> bytes:
    data = marshal.dumps(value, 4)
    return fsio.checksum(data).to_bytes(4, "little") + data


def _unblock(raw: "bytes | memoryview") -> "Any":
    """Raises ValueError for a damaged block."""
    data = raw[4:]
    if len(raw) < 5 or fsio.checksum(data) != int.from_bytes(raw[:4], "little"):
        raise ValueError("damaged block")
    return marshal.loads(data)


class _Stored:
    """A catalog file, read block by block. A damaged block holds nothing, and its file is removed: the next use heals.

    `open` gives None for a file that is not there, of another directory or version, or damaged at its head.
    """

    def __init__(self, fd: int, name: str, folder: str) -> None:
        self._fd = fd
        self._name = name
        raw = os.pread(fd, 12, 0)
        if raw[:8] != MAGIC:
            raise ValueError("not a catalog of this version")
        size = int.from_bytes(raw[8:], "little")
        of, self.dirs, self.n, self._shards = _unblock(os.pread(fd, size, 12))
        if of != folder:
            raise ValueError("the catalog of another directory")
        self._table = 12 + size
        self._blocks = self._table + 8 * (self.n + self._shards + 3)
        self._read: "dict[int, dict[str, bytes]]" = {}

    @classmethod
    def open(cls, name: str, folder: str) -> "Optional[_Stored]":
        try:
            fd = os.open(name, os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0))
        except OSError:
            return None
        try:
            return cls(fd, name, folder)
        except (ValueError, EOFError, TypeError, OSError, MemoryError):
            return None

    def __del__(self) -> None:
        os.close(self._fd)  # also after an __init__ that raised

    def _load(self, number: int) -> "Any":
        """The value of a block; None if it is damaged."""
        try:
            span = os.pread(self._fd, 16, self._table + 8 * number)
            start, end = int.from_bytes(span[:8], "little"), int.from_bytes(span[8:], "little")
            return _unblock(os.pread(self._fd, max(0, end - start), self._blocks + start))
        except (ValueError, EOFError, TypeError, OSError, MemoryError, OverflowError):
            if os.path.exists(self._name):
                os.unlink(self._name)
            return None

    def record(self, doc: int) -> "Optional[Record]":
        return self._load(doc)  # type: ignore[no-any-return]

    def postings(self, term: str) -> "Sequence[int]":
        number = _shard(term, self._shards)
        shard = self._read.get(number)
        if shard is None:
            shard = self._read[number] = self._load(self.n + number) or {}
        return memoryview(shard.get(term, b"")).cast("I")

    def versions(self) -> "dict[str, tuple[int, int, int]]":
        return self._load(self.n + self._shards) or {}

    def entries(self) -> "dict[str, tuple[Record, dict[str, int]]]":
        """Every file's record with its terms, the damaged ones left out."""
        terms = self._load(self.n + self._shards + 1) or []
        records = [self.record(doc) for doc in range(self.n)]
        return {record[0]: (record, own) for record, own in zip(records, terms) if record}
