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
MOST_BYTES = 256 << 10  # a change makes what is before it worthless, so then the file begins anew
READ_BYTES = 4 << 20

# How the last run of a check ended.
SUCCEEDED = "succeeded"
FAILED = "failed"
BACKGROUND = "background"  # its outcome is never seen
HIDDEN = "hidden"  # the command line ended well, which does not tell that this part of it did
OPEN = "open"  # running, or cut off
NEVER = "never"

RUNS_COMMANDS = ("Bash",)  # one that failed may have changed files before


class Run:
    """The last run of a check. `changed` is what was changed after it began, by `tool`; "" if nothing was."""

    def __init__(self, outcome: str = NEVER, changed: str = "", tool: str = "") -> None:
        self.outcome = outcome
        self.changed = changed
        self.tool = tool

    @property
    def counts(self) -> bool:
        return self.outcome == SUCCEEDED and not self.changed


class Note:
    """A call that may matter: the checks that it runs, and the directories of rules in which it changes a file.

    `hidden` are checks whose outcome the call does not show. `changed` names one of the files for a person.
    """

    def __init__(self) -> None:
        self.runs: "list[Check]" = []
        self.hidden: "list[Check]" = []
        self.inside: "list[str]" = []
        self.changed = ""
        self.tool = ""

    def __bool__(self) -> bool:
        return bool(self.runs or self.hidden or self.inside)


class Evidence:
    """The file of a session, which need not exist. `path` "": nothing is noted, and nothing was run."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._records: "Optional[list[dict[str, Any]]]" = None
        self._ends: "dict[str, str]" = {}  # how calls ended

    def begin(self, call_id: str, note: Note) -> None:
        """Notes a call that is about to run.

        Raises OSError where that fails: a check then counts as not run, and a change takes back all that was noted
        before it. If the file is still there then, the change must not happen.
        """
        if not self.path:
            return
        record: "dict[str, Any]" = {"id": call_id}
        for key, value in (("runs", note.runs), ("hidden", note.hidden), ("in", note.inside)):
            if value:
                record[key] = value
        if note.inside:
            record.update(changed=note.changed, tool=note.tool)
        line = jsonio.dumps(record).encode("ascii")
        self._records = None
        try:
            if note.inside and self._size() > MOST_BYTES:
                fsio.write(self.path, line + b"\n", durable=False)
            else:
                fsio.append(self.path, line)
        except OSError:
            if note.inside:
                fsio.remove(self.path)
            raise

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

    def end(self, call_id: str, outcome: str) -> bool:
        """Notes how a call ended (SUCCEEDED, FAILED or BACKGROUND), if its beginning was noted. Raises OSError."""
        raw = fsio.read(self.path, READ_BYTES) if self.path else None
        if not raw or not call_id or jsonio.dumps({"id": call_id})[1:-1].encode("ascii") not in raw:
            return False
        fsio.append(self.path, jsonio.dumps({"end": call_id, "as": outcome}).encode("ascii"))
        return True

    def last(self, check: "Check", *, whatever_changed: bool = False) -> Run:
        """The run of a check that counts, else its last one. With `whatever_changed`, changes since do not matter."""
        newest = Run()
        for at, record in reversed(list(enumerate(self._all()))):
            shown = list(check) in record.get("runs", [])
            if not shown and list(check) not in record.get("hidden", []):
                continue
            run = Run(self._outcome(record, shown=shown))
            if not whatever_changed:
                run.changed, run.tool = self._changed_after(at, check[0])
            if run.counts:
                return run
            newest = newest if newest.outcome != NEVER else run
            if run.outcome == FAILED:
                break
        return newest

    def stopped(self) -> None:
        """Notes that the model was sent back at the end of a turn. Raises OSError."""
        if self.path:
            fsio.append(self.path, jsonio.dumps({"stopped": True}).encode("ascii"))

    def changed_since_stop(self, base: str) -> bool:
        """Whether a file in there was changed since the last `stopped`, or at all."""
        places = [at for at, record in enumerate(self._all()) if "stopped" in record]
        return bool(self._changed_after(places[-1] if places else -1, base)[1])

    def _changed_after(self, at: int, base: str) -> "tuple[str, str]":
        """The last change of a file in `base` that began or ended after a record, and the tool; ("", "") if none."""
        records = self._all()
        own = records[at].get("id") if at >= 0 else None
        begun = {record["id"]: record for record in records if "id" in record}
        for record in reversed(records[at + 1 :]):
            change = record if "id" in record else begun.get(record.get("end"), {})
            if base not in change.get("in", []) or change["id"] == own:
                continue
            tool = str(change.get("tool", ""))
            if tool in RUNS_COMMANDS or self._ends.get(change["id"]) != FAILED:
                return str(change.get("changed", "")) or "a file", tool
        return "", ""

    def _outcome(self, record: "dict[str, Any]", *, shown: bool) -> str:
        end = self._ends.get(record.get("id", ""), OPEN)
        return HIDDEN if end == SUCCEEDED and not shown else end

    def _all(self) -> "list[dict[str, Any]]":
        if self._records is None:
            raw = fsio.read(self.path, READ_BYTES) if self.path else None
            self._records = jsonio.read_lines(raw or b"")
            self._ends = {record["end"]: str(record.get("as")) for record in self._records if "end" in record}
        return self._records

    def _size(self) -> int:
        try:
            return os.lstat(self.path).st_size
        except OSError:
            return 0
