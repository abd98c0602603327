"""What was run and changed in a session, for rules that require one before the other: JSON lines, only added to.

A call is noted before it runs, so that a change counts although the session was cut off in it, and again when it has
ended. The order of the lines is the order of events; no clock is asked. Subagents are the same session.
"""

import os

from memdir import fsio, jsonio

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

    # The directory that a rule is about, and the pattern of a command, as `Bash(PATTERN)` has it.
    Check = tuple[str, str]

FILE = "evidence"  # among the files of a session
MOST_BYTES = 256 << 10  # then the file begins anew: what is forgotten has to be run again
READ_BYTES = 4 << 20
TRANSCRIPT_BYTES = 4 << 20  # of its end, in which the answer to a call is looked for

# How the last run of a check ended.
SUCCEEDED = "succeeded"
FAILED = "failed"
BACKGROUND = "background"  # its outcome is never seen
HIDDEN = "hidden"  # its command line ended well, which does not tell that the check did
OPEN = "open"  # running, or cut off
NEVER = "never"

RUNS_COMMANDS = ("Bash",)  # one that failed may have changed files before


class Run:
    """The last run of a check. `why`: what hides its outcome. `changed`: what was changed after it began, by `tool`."""

    def __init__(self, outcome: str = NEVER, why: str = "") -> None:
        self.outcome = outcome
        self.why = why
        self.changed = ""
        self.tool = ""

    @property
    def counts(self) -> bool:
        return self.outcome == SUCCEEDED and not self.changed


class Note:
    """A call that may matter: the checks that it runs, and the directories of rules in which it changes a file.

    `hidden` are checks whose outcome the call does not show, and why. `inside` has a file of each directory, for a
    person.
    """

    def __init__(self, tool: str = "") -> None:
        self.tool = tool
        self.runs: "list[Check]" = []
        self.hidden: "dict[Check, str]" = {}
        self.inside: "dict[str, str]" = {}

    def __bool__(self) -> bool:
        return bool(self.runs or self.hidden or self.inside)


class _Call:
    """A call that was noted, at its place in the file; how it ended, and where that is noted."""

    def __init__(self, record: "dict[str, Any]", begun: int) -> None:
        self.id = str(record.get("id", ""))
        self.tool = str(record.get("tool", ""))
        self.runs = [tuple(check) for check in _lists(record.get("runs")) if len(check) == 2]
        self.hidden = {(check[0], check[1]): str(check[2]) for check in _lists(record.get("hidden")) if len(check) == 3}
        self.inside = {str(place[0]): str(place[1]) for place in _lists(record.get("in")) if len(place) == 2}
        self.begun = begun
        self.ended = -1
        self.outcome = OPEN

    def changes(self, place: str) -> bool:
        return place in self.inside and (self.tool in RUNS_COMMANDS or self.outcome != FAILED)


class Evidence:
    """The file of a session, which need not exist. `path` "": nothing is noted, and nothing was run.

    `transcript` tells of calls that were noted and never ran, as the person said no.
    """

    def __init__(self, path: str, transcript: str = "") -> None:
        self.path = path
        self._transcript = transcript
        self._calls: "Optional[list[_Call]]" = None
        self._changes: "dict[str, list[_Call]]" = {}  # of a place, the newest first
        self._stopped = -1

    def begin(self, call_id: str, note: Note) -> None:
        """Notes a call that is about to run.

        Raises OSError where that fails: a check then counts as not run, and a change takes back all that was noted
        before it. If the file is still there then, the change must not happen.
        """
        if not self.path:
            return
        record: "dict[str, Any]" = {"id": call_id, "tool": note.tool}
        if note.runs:
            record["runs"] = note.runs
        if note.hidden:
            record["hidden"] = [[*check, why] for check, why in note.hidden.items()]
        if note.inside:
            record["in"] = list(note.inside.items())
        line = jsonio.dumps(record).encode("ascii")
        self._calls, self._changes = None, {}
        try:
            if self._size() > MOST_BYTES:
                fsio.write(self.path, line + b"\n", durable=False)
            else:
                fsio.append(self.path, line)
        except OSError:
            if note.inside:
                fsio.remove(self.path)
            raise

    def end(self, call_id: str, outcome: str) -> bool:
        """Notes how a call ended (SUCCEEDED, FAILED or BACKGROUND), if its beginning was noted. Raises OSError."""
        raw = fsio.read(self.path, READ_BYTES) if self.path else None
        if not raw or not call_id or jsonio.dumps({"id": call_id})[1:-1].encode("ascii") not in raw:
            return False
        fsio.append(self.path, jsonio.dumps({"end": call_id, "as": outcome}).encode("ascii"))
        return True

    def fault(self) -> str:
        """Why nothing can be noted, as the rest of a sentence; "" if it can, as far as that is known."""
        folder = os.path.dirname(self.path)
        while folder and not os.path.lexists(folder):
            folder = os.path.dirname(folder)
        try:
            if folder and not os.access(folder, os.W_OK):
                return f"memdir may not write to {folder}"
            return f"the disk of {folder} is full" if folder and not os.statvfs(folder).f_bavail else ""
        except OSError as error:
            return str(error)

    def last(self, check: "Check", *, whatever_changed: bool = False) -> Run:
        """The run of a check that counts, else its last one. With `whatever_changed`, changes since do not matter."""
        newest = Run()
        for call in reversed(self._all()):
            if check not in call.runs and check not in call.hidden:
                continue
            run = Run(call.outcome)
            if run.outcome == SUCCEEDED and check in call.hidden:
                run = Run(HIDDEN, call.hidden[check])
            if not whatever_changed:
                run.changed, run.tool = self._changed_after(call.begun, check[0], own=call.id)
            if run.counts:
                return run
            newest = newest if newest.outcome != NEVER else run
            if run.outcome == FAILED or run.changed:
                break  # what is older was changed after, too
        return newest

    def stopped(self) -> None:
        """Notes that the model was sent back at the end of a turn. Raises OSError."""
        if self.path:
            fsio.append(self.path, jsonio.dumps({"stopped": True}).encode("ascii"))

    def changed_since_stop(self, place: str) -> bool:
        """Whether a file in there was changed since the last `stopped`, or at all."""
        self._all()
        return bool(self._changed_after(self._stopped, place, own="")[1])

    def _changed_after(self, at: int, place: str, *, own: str) -> "tuple[str, str]":
        """The last change of a file in `place` that began or ended after a line, and the tool; ("", "") if none."""
        calls = self._all()
        if place not in self._changes:
            self._changes[place] = [call for call in reversed(calls) if call.changes(place)]
        for call in self._changes[place]:
            late = call.begun > at or call.ended > at
            if late and not (own and call.id == own) and not self._was_refused(call):
                return call.inside[place] or "a file", call.tool or "?"
        return "", ""

    def _was_refused(self, call: _Call) -> bool:
        """Whether a call that has no end was answered with an error: nobody asks a hook then."""
        if call.outcome != OPEN or call.tool in RUNS_COMMANDS or not self._transcript or not call.id:
            return False
        raw = _end_of(self._transcript)
        mark = b'"tool_use_id":"' + call.id.encode("utf-8", "replace") + b'"'
        for line in raw.split(b"\n"):
            if mark in line and b'"is_error":true' in line:
                call.outcome = FAILED
                return True
        return False

    def _all(self) -> "list[_Call]":
        if self._calls is None:
            raw = fsio.read(self.path, READ_BYTES) if self.path else None
            self._calls = []
            begun: "dict[str, list[_Call]]" = {}
            for at, record in enumerate(jsonio.read_lines(raw or b"")):
                if "stopped" in record:
                    self._stopped = at
                elif isinstance(record.get("end"), str):
                    for call in begun.get(record["end"], []):
                        call.ended, call.outcome = at, str(record.get("as"))
                elif isinstance(record.get("id"), str):
                    self._calls.append(_Call(record, at))
                    begun.setdefault(record["id"], []).append(self._calls[-1])
        return self._calls

    def _size(self) -> int:
        try:
            return os.lstat(self.path).st_size
        except OSError:
            return 0


def _lists(value: object) -> "list[list[Any]]":
    """The lists of texts in a list; a line that somebody damaged may hold anything."""
    listed = value if isinstance(value, list) else []
    return [item for item in listed if isinstance(item, list) and all([isinstance(text, str) for text in item])]


def _end_of(path: str) -> bytes:
    try:
        with open(path, "rb", buffering=0) as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - TRANSCRIPT_BYTES))
            return file.read(TRANSCRIPT_BYTES) or b""
    except OSError:
        return b""
