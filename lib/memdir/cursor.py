"""How far a session's transcript has been extracted, and whether a file is still the one that this was said of."""

import os

from memdir import fsio, jsonio, paths, transcript
from memdir.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Optional

MARK_BYTES = 1_024  # of the file's beginning, and before the offset, that have to be the same
FILE_BYTES = 65_536


class Cursor:
    """A position in a transcript: `offset` in bytes, behind the record `uuid`.

    `head` and `tail` are checksums of what stands at the file's beginning and right before the offset: a file that was
    rewritten has others. `ahead` is the checksum of an answer that was taken from the hook before the file had it.
    """

    def __init__(self, path: str, offset: int, head: int, tail: int, uuid: str, ahead: int) -> None:
        self.path = path
        self.offset = offset
        self.head = head
        self.tail = tail
        self.uuid = uuid
        self.ahead = ahead

    def fields(self) -> "dict[str, Any]":
        return {
            "transcript": self.path,
            "offset": self.offset,
            "head": self.head,
            "tail": self.tail,
            "uuid": self.uuid,
            "ahead": self.ahead,
        }


def at(path: str, offset: int, uuid: str, ahead: int = 0) -> Cursor:
    """The cursor for a position of a file as it is now. Raises OSError."""
    head, tail = _marks(path, offset)
    return Cursor(path, offset, head, tail, uuid, ahead)


def from_fields(fields: "Any") -> "Optional[Cursor]":
    """The cursor of a parsed file; None if it is not one."""
    if not isinstance(fields, dict):
        return None
    path, uuid = fields.get("transcript"), fields.get("uuid")
    numbers = [fields.get(name) for name in ("offset", "head", "tail", "ahead")]
    if not isinstance(path, str) or not isinstance(uuid, str):
        return None
    offset, head, tail, ahead = (number if isinstance(number, int) else -1 for number in numbers)
    return None if min(offset, head, tail, ahead) < 0 else Cursor(path, offset, head, tail, uuid, ahead)


def file(state_dir: str, session_id: str) -> str:
    return f"{state_dir}/cursors/{paths.session_name(session_id)}.json"


def load(state_dir: str, session_id: str) -> "Optional[Cursor]":
    """The session's cursor; None if there is none. A damaged file is kept aside as `.damaged`."""
    name = file(state_dir, session_id)
    raw = fsio.read(name, FILE_BYTES)
    if raw is None:
        fsio.make_room(name)
        return None
    found = _parse(raw)
    if found is None:
        fsio.put_aside(name)
    return found


def save(state_dir: str, session_id: str, cursor: Cursor) -> None:
    """Raises OSError."""
    fsio.write(file(state_dir, session_id), jsonio.dumps(cursor.fields()).encode("ascii"), durable=True)


def position(state_dir: str, session_id: str, path: str) -> "tuple[int, int]":
    """Where the transcript `path` of a session has to be read on (bytes), and the cursor's `ahead`.

    A file that is no longer the one the cursor was made for is searched for the last record that was extracted. So is
    one that no cursor is known of: a fork begins with a copy of its origin. Raises OSError.
    """
    known = load(state_dir, session_id)
    if known and _is_same(known, path):
        return known.offset, known.ahead
    records = Session(state_dir, session_id).records("extracted")
    done = {uuid for record in records for uuid in (record.get("uuid"), record.get("prompt")) if isinstance(uuid, str)}
    found = transcript.position_after(path, {*done, known.uuid if known else ""})
    if not found and not known:
        found = transcript.position_after(path, {other.uuid for other in _others(state_dir, os.path.dirname(path))})
    return found, known.ahead if known and found else 0


def _others(state_dir: str, folder: str) -> "Iterator[Cursor]":
    """The cursors of all sessions whose transcripts lie in `folder`."""
    try:
        names = os.listdir(state_dir + "/cursors")
    except OSError:
        return
    for name in names:
        raw = fsio.read(f"{state_dir}/cursors/{name}", FILE_BYTES) if name.endswith(".json") else None
        cursor = _parse(raw) if raw else None
        if cursor and os.path.dirname(cursor.path) == folder:
            yield cursor


def _parse(raw: bytes) -> "Optional[Cursor]":
    try:
        return from_fields(jsonio.loads(raw))
    except ValueError:
        return None


def _is_same(cursor: Cursor, path: str) -> bool:
    return os.stat(path).st_size >= cursor.offset and _marks(path, cursor.offset) == (cursor.head, cursor.tail)


def _marks(path: str, offset: int) -> "tuple[int, int]":
    with open(path, "rb") as opened:
        head = opened.read(min(MARK_BYTES, offset))
        opened.seek(max(0, offset - MARK_BYTES))
        return fsio.checksum(head), fsio.checksum(opened.read(min(MARK_BYTES, offset)))
