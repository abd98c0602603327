"""What memdir knows of one session: a file of JSON lines, only ever added to.

Records, each with a time "t": "prompt" (transcript, cwd, files: the topic files that were delivered), "index" (part,
hash), "compacted", "stop" (a turn ended), "end" (reason), "extracted" (uuid: of the last record, prompt: of the last
turn's first one, topics: files written), "left" (size of the transcript, in bytes, that was queued after the session
was cut off), "checked" (marks: what was told about written memories). A line that was cut off counts as not written.
"""

from memdir import fsio, jsonio, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

READ_BYTES = 8 << 20


class Session:
    """The state file of a session; without a state directory it is empty and takes nothing."""

    def __init__(self, state_dir: str, session_id: str) -> None:
        self.path = paths.session_file(state_dir, session_id, "state")
        self._records: "list[dict[str, Any]] | None" = None

    def records(self, *kinds: str) -> "list[dict[str, Any]]":
        """The records of these kinds, in the order in which they were added: a clock may go back."""
        return [record for record in self._all() if record.get("e") in kinds]

    def delivered(self) -> "set[str]":
        """The topic files that are in the context through us: a compaction takes out what came before it."""
        files: "set[str]" = set()
        for record in self._all():
            if record.get("e") == "compacted":
                files = set()
            names = record.get("files")
            files.update([str(name) for name in names] if isinstance(names, list) else ())
        return files

    def _all(self) -> "list[dict[str, Any]]":
        if self._records is None:
            raw = fsio.read(self.path, READ_BYTES) if self.path else None
            self._records = jsonio.read_lines(raw or b"")
        return self._records

    def add(self, kind: str, now: float, **fields: "Any") -> None:
        """Adds a record. Raises OSError."""
        if not self.path:
            return
        line = jsonio.dumps({"e": kind, "t": round(now, 3), **fields}).encode("ascii")
        fsio.append(self.path, line)
