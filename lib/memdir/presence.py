"""Which sessions are under way: noted at a prompt, gone at a clean end. What stays there was cut off.

A file `open/<session>` for each: {"session", "transcript", "cwd", "project", "pid", "mark", "t"}. A session start looks
through them; so it need not read the state of every session there ever was.
"""

import os

from memdir import fsio, jsonio, paths, processes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Optional

KEPT_S = 30 * 86_400  # after so long a transcript is gone, too (Claude Code's cleanupPeriodDays)
_RENEWED_S = 3_600  # a session that goes on is seen again so often
_FILE_BYTES = 65_536


class Presence:
    """A session that was under way when it was seen last, at `seen_at` (seconds)."""

    def __init__(self, fields: "dict[str, Any]") -> None:
        def text(name: str) -> str:
            value = fields.get(name)
            return value if isinstance(value, str) else ""

        self.session = text("session")
        self.transcript = text("transcript")
        self.cwd = text("cwd")
        self.project = text("project")
        self.mark = text("mark")
        pid, seen_at = fields.get("pid"), fields.get("t")
        self.pid = pid if isinstance(pid, int) else 0
        self.seen_at = float(seen_at) if isinstance(seen_at, (int, float)) else 0.0

    def is_alive(self, now: float) -> bool:
        return processes.alive(self.pid, self.mark, self.seen_at, now)


def note(
    state_dir: str, session_id: str, transcript: str, cwd: str, project: str, env: "Mapping[str, str]", now: float
) -> None:
    """Says that a session is under way in the client that started this hook. Raises OSError."""
    if not state_dir or not session_id:
        return
    pid = int(env.get("CLAUDE_PID", "")) if env.get("CLAUDE_PID", "").isdecimal() else 0
    mark = processes.mark(pid) if pid else ""
    known = _load(_file(state_dir, session_id))
    same = known and (known.pid, known.mark, known.transcript, known.project) == (pid, mark, transcript, project)
    if known and same and 0 <= now - known.seen_at < _RENEWED_S:
        return
    fields = {"session": session_id, "transcript": transcript, "cwd": cwd, "project": project}
    line = jsonio.dumps({**fields, "pid": pid, "mark": mark, "t": round(now, 3)})
    fsio.make_room(_file(state_dir, session_id))
    fsio.write(_file(state_dir, session_id), line.encode("ascii"), durable=True)


def forget(state_dir: str, session_id: str, seen: "Optional[Presence]" = None) -> bool:
    """Whether the session was noted until now: of two that ask at once, one is told so.

    With `seen`, only while the note is that one: the session may have been resumed meanwhile.
    """
    if seen is not None:
        now = _load(_file(state_dir, session_id))
        if now is None or (now.pid, now.mark, now.seen_at) != (seen.pid, seen.mark, seen.seen_at):
            return False
    try:
        os.unlink(_file(state_dir, session_id))
    except OSError:
        return False
    return True


def left(state_dir: str, now: float) -> "list[Presence]":
    """The sessions whose process is gone without a clean end, the latest first."""
    found = []
    for name in _names(state_dir):
        path = f"{state_dir}/open/{name}"
        presence = _load(path)
        if not os.access(path, os.R_OK):
            continue  # somebody else's, or gone
        if presence is None or _is_old(presence, now):
            forget(state_dir, name)
        elif not presence.is_alive(now):
            found.append(presence)
    return sorted(found, key=lambda presence: -presence.seen_at)


def _is_old(presence: Presence, now: float) -> bool:
    """By its own time and by its transcript's: a clock may have been wrong when it was noted."""
    if now - presence.seen_at <= KEPT_S:
        return False
    try:
        return now - os.stat(presence.transcript).st_mtime > KEPT_S
    except (OSError, ValueError):
        return True


def _names(state_dir: str) -> "list[str]":
    try:
        return [name for name in os.listdir(state_dir + "/open") if "." not in name]
    except OSError:
        return []


def _file(state_dir: str, session_id: str) -> str:
    return f"{state_dir}/open/{paths.session_name(session_id)}"


def _load(path: str) -> "Optional[Presence]":
    raw = fsio.read(path, _FILE_BYTES)
    try:
        fields = jsonio.loads(raw) if raw else None
    except ValueError:
        return None
    return Presence(fields) if isinstance(fields, dict) and isinstance(fields.get("session"), str) else None
