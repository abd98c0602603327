"""The rule files that are in force for a call, compiled once and kept until one of them changes."""

import errno
import marshal
import os
import stat
import time

from memdir import fsio, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Optional

    from memdir.rules.rule import RuleFile

    Words = tuple[tuple[str, ...], tuple[str, ...]]
    # mtime and ctime in ns, bytes, inode
    Version = tuple[int, int, int, int]

MAGIC = b"rules003"  # changes with the format of what is compiled
FILE_BYTES = 256 << 10
DEPTH = 8  # directories inside each other
_CACHE_BYTES = 32 << 20
_SETTLED_NS = 2_000_000_000  # a file that changed later than this may change again without a new time
_HERE = os.path.dirname(os.path.abspath(__file__))


class RuleBook:
    """The rules in force: false if there are none.

    `folders` are all that were looked into, whether they exist or not. `keywords` as `rules.plain.is_plain` takes them,
    empty without files; `tools` as `rules.entries.Entry.tools` names them.
    """

    def __init__(
        self,
        packed: "list[tuple[Any, ...]]",
        folders: "list[str]",
        keywords: "frozenset[str]" = frozenset(),
        tools: "frozenset[str]" = frozenset(),
    ) -> None:
        self._packed = packed
        self._files: "Optional[list[RuleFile]]" = None
        self.folders = folders
        self.keywords = keywords
        self.tools = tools

    def __bool__(self) -> bool:
        return bool(self._packed)

    @property
    def files(self) -> "list[RuleFile]":
        """Those with a hard key, the user's first, then from the root down."""
        if self._files is None:
            from memdir.rules import rule  # for a plain command the keywords suffice

            self._files = [rule.unpack(packed) for packed in self._packed]
        return self._files

    def of_projects(self) -> "RuleBook":
        """Those that are not the user's own."""
        return RuleBook([packed for packed in self._packed if not packed[2]], self.folders, self.keywords, self.tools)

    @property
    def problems(self) -> "list[tuple[str, int, str]]":
        """(file, line, sentence): broken rules, and what is not in force and need not be."""
        found = []
        for file in self.files:
            found += [(file.path, entry.line, entry.problem) for entry in file.entries if entry.problem]
            found += [(file.path, line, sentence) for line, sentence in file.problems]
        return found


class _Found:
    """A rule file on disk. `version` is None for a file or folder that is there and cannot be looked at."""

    __slots__ = ("base", "path", "user", "version")

    def __init__(self, path: str, base: str, user: bool, version: "Optional[Version]") -> None:
        self.path = path
        self.base = base
        self.user = user
        self.version = version

    def same_place(self) -> "tuple[str, str, bool]":
        return self.path, self.base, self.user


def load(cwd: str, project_dir: str, env: "Mapping[str, str]", state_dir: str) -> RuleBook:
    """The rules for a call made in `cwd` in a session of `project_dir` ("" if not known). Never raises OSError."""
    places = _places(cwd, project_dir, env)
    found = _scan(places)
    folders = [folder for folder, _, _ in places]
    if not found:
        return RuleBook([], folders)
    name = _cache_name(state_dir, found)
    before, words = _read_cache(name)
    kept = {(record[0], record[1], record[2]): record for record in before}
    now = time.time_ns()
    records = [record for record in [_record(file, kept.get(file.same_place()), now) for file in found] if record]
    packed = [record[5] for record in records if record[5]]
    if packed != [record[5] for record in before if record[5]]:
        words = _words(RuleBook(packed, folders).files)
    if name and records != before:
        _write_cache(name, (records, words))
    return RuleBook(packed, folders, *map(frozenset, words))


def _places(cwd: str, project_dir: str, env: "Mapping[str, str]") -> "list[tuple[str, str, bool]]":
    """Folder, base and whether it is the user's, of all places where rule files may lie."""
    config = paths.claude_config_dir(env)
    # First: the home directory is above most projects, and its rules are the user's nevertheless.
    found = [(config + "/rules", project_dir or cwd, True)] if config else []
    seen = set()
    for start in (cwd, project_dir):
        chain = []
        folder = os.path.normpath(start) if paths.is_path(start) else ""
        while folder and folder not in seen:
            seen.add(folder)
            chain.append((folder.rstrip("/") + "/.claude/rules", folder, False))
            folder = os.path.dirname(folder)
        found += reversed(chain)
    return found


def _scan(places: "list[tuple[str, str, bool]]") -> "list[_Found]":
    found: "list[_Found]" = []
    folders: "set[tuple[int, int]]" = set()
    files: "dict[tuple[int, int], list[str]]" = {}
    for place, base, user in places:
        waiting = [(place, 0)]
        while waiting:
            folder, depth = waiting.pop()
            try:
                status = os.stat(folder)
                if (status.st_dev, status.st_ino) in folders:
                    continue  # seen by another way, or a loop of links
                folders.add((status.st_dev, status.st_ino))
                if not os.access(folder, os.X_OK):
                    raise PermissionError(errno.EACCES, "what is in it cannot be looked at", folder)
                with os.scandir(folder) as entries:
                    inside = sorted([entry.path for entry in entries if entry.name[0] != "."])
            except OSError as error:
                # A place that cannot even be asked for is in somebody else's `.claude`.
                if error.errno in (errno.EACCES, errno.EPERM, errno.EIO) and (depth or os.path.exists(folder)):
                    found.append(_Found(folder, base, user, None))
                continue
            below = []
            for path in inside:
                below += _look(path, base, user, found, files)
            if depth < DEPTH:
                waiting += [(path, depth + 1) for path in reversed(below)]
    return found


def _look(
    path: str, base: str, user: bool, found: "list[_Found]", files: "dict[tuple[int, int], list[str]]"
) -> "list[str]":
    """Adds a rule file to `found`; the path itself if it is a folder."""
    try:
        status = os.stat(path)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EPERM, errno.EIO) and path.endswith(".md"):
            found.append(_Found(path, base, user, None))
        return []
    if stat.S_ISDIR(status.st_mode):
        return [path]
    if not path.endswith(".md") or not stat.S_ISREG(status.st_mode):
        return []
    same = files.setdefault((status.st_dev, status.st_ino), [])
    if not same or os.path.realpath(path) not in [os.path.realpath(other) for other in same]:
        same.append(path)
        version = (status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)
        found.append(_Found(path, base, user, version))
    return []


def _is_current(record: "Optional[tuple[Any, ...]]", file: _Found) -> bool:
    return record is not None and record[3] == file.version and record[6]


def _record(file: _Found, kept: "Optional[tuple[Any, ...]]", now: int) -> "Optional[tuple[Any, ...]]":
    """Path, base, user's, version, hash, packed rule (None: a soft one), and whether the version can be relied on.

    None for a file that has gone.
    """
    if _is_current(kept, file):
        return kept
    raw = fsio.read(file.path, FILE_BYTES + 1, follow=True) if file.version else None
    if raw is None:
        if file.version and not os.path.lexists(file.path):
            return None
        from memdir.rules import rule  # this and the next: only where a file has changed

        missing = rule.broken(file.path, file.base, "this cannot be read: its rules are not known", user=file.user)
        return (*file.same_place(), file.version, b"", missing.pack(), False)
    version = file.version or (0, 0, 0, 0)
    settled = max(version[0], version[1]) < now - _SETTLED_NS
    digest = _hash(raw)
    if kept is not None and kept[4] == digest:
        packed = kept[5]
    else:
        compiled = _compile(file, raw)
        packed = compiled.pack() if compiled else None
    return (*file.same_place(), file.version, digest, packed, settled)


def _hash(raw: bytes) -> bytes:
    import hashlib  # only where a file has changed

    return hashlib.blake2b(raw, digest_size=32).digest()


def _compile(file: _Found, raw: bytes) -> "Optional[RuleFile]":
    from memdir.rules import rule

    text = raw.decode("utf-8", "replace")
    if len(raw) > FILE_BYTES:
        sentence = f"this is longer than {FILE_BYTES >> 10} KB: its rules are not read; shorten it"
        large = rule.broken(file.path, file.base, sentence, user=file.user)
        return large if rule.has_hard_key(text) else None
    found = rule.parse(file.path, text, file.base, user=file.user)
    if found and "\ufffd" in text and not _is_utf8(raw):
        bad = rule.broken(file.path, file.base, "this is not UTF-8: save it as UTF-8", user=file.user)
        found.entries += bad.entries
        found.keywords |= bad.keywords
    return found


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _words(files: "list[RuleFile]") -> "Words":
    """Keywords and tools of all files, and of what is protected while there is one."""
    if not files:
        return (), ()
    from memdir.rules.guards import protect_memdir

    keywords = protect_memdir.KEYWORDS.union(*[file.keywords for file in files])
    tools = protect_memdir.TOOLS.union(*[entry.tools() for file in files for entry in file.entries])
    return tuple(sorted(keywords)), tuple(sorted(tools))


def _cache_name(state_dir: str, found: "list[_Found]") -> str:
    """One for each set of folders and each installed version of these modules; "" where nothing can be kept."""
    if not state_dir:
        return ""
    parts = sorted({f"{os.path.dirname(file.path)}\0{file.base}" for file in found})
    identity = os.fsencode("\0".join([_HERE, *parts]))
    return f"{state_dir}/rules/{fsio.checksum(identity):08x}{len(identity):04x}"


def _code_version() -> "list[int]":
    """Changes when modules are put in place; an installed plugin of another version lies in another folder."""
    return [os.stat(_HERE + inside).st_mtime_ns for inside in ("", "/rules", "/rules/guards")]


def _read_cache(name: str) -> "tuple[list[Any], Words]":
    """The records and words of the last time; nothing where they cannot be used."""
    nothing: "tuple[list[Any], Words]" = ([], ((), ()))
    raw = fsio.read(name, _CACHE_BYTES) if name else None
    if not raw or raw[:8] != MAGIC or fsio.checksum(raw[12:]) != int.from_bytes(raw[8:12], "little"):
        return nothing
    try:
        here, versions, records, words = marshal.loads(raw[12:])
        return (records, words) if here == _HERE and versions == _code_version() else nothing
    except (ValueError, EOFError, TypeError, OSError):
        return nothing


def _write_cache(name: str, content: "tuple[list[Any], Words]") -> None:
    try:
        data = marshal.dumps((_HERE, _code_version(), *content), 4)
        fsio.write(name, MAGIC + fsio.checksum(data).to_bytes(4, "little") + data, durable=False)
    except (OSError, ValueError):
        return  # read-only or full: the next call compiles again
