"""The journal: what one extraction changes, on the disk as a whole before any of it is done.

Whoever is killed before it is written has changed nothing, and the transcript is read again; whoever is killed after it
has only to do what it says, which can be done any number of times.
"""

import base64
import os

from memdir import cursor, fsio, jsonio, paths
from memdir.errors import MemdirError
from memdir.index_lines import Wanted
from memdir_worker import index_file, replacement
from memdir_worker.overlay import FILE_BYTES, Change, digest, is_inside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Optional

    Step = Callable[[str], None]

_FILE_BYTES = 64 << 20


class Conflict(Exception):
    """A file is no longer what it was when the plan was made: the plan has to be made again."""


class Journal:
    """Changes of a memory directory, the lines of its index, and the cursor that holds once both are done."""

    def __init__(
        self, session: str, folder: str, changes: "list[Change]", lines: "list[Wanted]", after: cursor.Cursor
    ) -> None:
        self.session = session
        self.folder = folder
        self.changes = changes
        self.lines = lines
        self.after = after


def path(state_dir: str, session: str) -> str:
    return f"{state_dir}/apply/{paths.session_name(session)}.json"


def write(state_dir: str, journal: Journal) -> None:
    """From here on what the journal says will happen. Raises OSError."""
    fields = {
        "session": journal.session,
        "memory": journal.folder,
        "changes": [
            {"file": change.file, "old": change.old, "new": base64.b64encode(change.new).decode("ascii")}
            for change in journal.changes
        ],
        "index": [vars(line) for line in journal.lines],
        "cursor": journal.after.fields(),
    }
    fsio.write(path(state_dir, journal.session), jsonio.dumps(fields).encode("ascii"), durable=True)


def sessions(state_dir: str) -> "list[str]":
    """The sessions whose journals wait to be applied."""
    try:
        names = sorted(os.listdir(state_dir + "/apply"))
    except OSError:
        return []
    found = [_read(f"{state_dir}/apply/{name}") for name in names if name.endswith(".json")]
    return [journal.session for journal in found if journal]


def load(state_dir: str, session: str) -> "Optional[Journal]":
    return _read(path(state_dir, session))


def apply(state_dir: str, journal: Journal, now: float, step: "Step") -> str:
    """Does what the journal says, and removes it; the state of the index where it was written, else "".

    Raises Conflict (then it has removed it), MemdirError where a file may not be written, and OSError.
    """
    try:
        for change in journal.changes:
            _content(journal, change)  # all of them before the first is written: half a plan helps nobody
        for change in journal.changes:
            _apply_change(state_dir, journal, change, now)
            step("file")
    except Conflict:
        remove(state_dir, journal.session)
        raise
    state = ""
    if journal.lines:
        state = index_file.update(journal.folder, state_dir, journal.lines, now).state
    step("index")
    cursor.save(state_dir, journal.session, journal.after)
    step("cursor")
    remove(state_dir, journal.session)
    step("journal removed")
    return state


def remove(state_dir: str, session: str) -> None:
    """For good, also if the power fails now."""
    try:
        os.unlink(path(state_dir, session))
        fsio.sync_dir(state_dir + "/apply")
    except FileNotFoundError:
        return


def _apply_change(state_dir: str, journal: Journal, change: Change, now: float) -> None:
    fsio.sweep(os.path.dirname(os.path.join(journal.folder, change.file)))
    raw = _content(journal, change)
    if raw != change.new and not replacement.replace(journal.folder, change.file, raw, change.new, state_dir, now):
        raise Conflict(f"{change.file} has changed")


def _content(journal: Journal, change: Change) -> "Optional[bytes]":
    """A file as it is. Raises Conflict where that is neither what it was nor what it is to become, or not its place.

    Raises MemdirError where it may not be written.
    """
    target = os.path.join(journal.folder, change.file)
    raw = fsio.read(target, FILE_BYTES)
    if not is_inside(journal.folder, change.file) or digest(raw) not in (change.old, digest(change.new)):
        raise Conflict(f"{target} has changed, or is behind a link")
    if raw is not None and raw != change.new and not os.access(target, os.W_OK):
        raise MemdirError(f"{target} is write-protected; run `chmod u+w` on it")
    return raw


def _read(file: str) -> "Optional[Journal]":
    """The journal in a file; a damaged one is kept aside as `.damaged`: nothing of it is done, the cursor stays."""
    raw = fsio.read(file, _FILE_BYTES)
    if raw is None:
        fsio.make_room(file)
        return None
    try:
        found = _parsed(jsonio.loads(raw))
        if file.endswith(f"/{paths.session_name(found.session)}.json"):
            return found
    except (ValueError, TypeError, KeyError, AttributeError):
        pass
    fsio.put_aside(file)
    return None


def _parsed(fields: "dict[str, Any]") -> Journal:
    after = cursor.from_fields(fields["cursor"])
    if after is None:
        raise ValueError("no cursor")
    changes = [
        Change(_text(each, "file"), _text(each, "old"), base64.b64decode(each["new"], validate=True))
        for each in fields["changes"]
    ]
    lines = [
        Wanted(_text(each, "file"), _text(each, "title"), _text(each, "hook"), replace=bool(each["replace"]))
        for each in fields["index"]
    ]
    return Journal(_text(fields, "session"), _text(fields, "memory"), changes, lines, after)


def _text(fields: "dict[str, Any]", name: str) -> str:
    value = fields[name]
    if not isinstance(value, str):
        raise TypeError(name)
    return value
