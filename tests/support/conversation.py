"""Writes a transcript as Claude Code 2.1.332 does: one JSON line a record, each naming the one before."""

import json
import uuid
from pathlib import Path
from typing import Any

SESSION = "11111111-1111-1111-1111-111111111111"


class Conversation:
    """One session's transcript; every method adds a line, at once on the disk."""

    def __init__(self, path: Path, cwd: Path, session: str) -> None:
        self.path = path
        self.cwd = cwd
        self.session = session
        self._last: "str | None" = None
        self._calls = 0
        path.parent.mkdir(parents=True, exist_ok=True)

    def user(self, text: "str | list[dict[str, Any]]", **fields: Any) -> "Conversation":
        return self._add("user", {"role": "user", "content": text}, promptSource="sdk", **fields)

    def claude(self, text: str, **usage: int) -> "Conversation":
        return self._answer([{"type": "text", "text": text}], usage)

    def call(self, tool: str, result: str = "done", *, error: bool = False, **tool_input: Any) -> "Conversation":
        """A tool call and its result."""
        self._calls += 1
        name = f"toolu_{self._calls:04}"
        self._answer([{"type": "tool_use", "id": name, "name": tool, "input": tool_input}], {})
        block = {"type": "tool_result", "tool_use_id": name, "content": result, "is_error": error}
        return self._add("user", {"role": "user", "content": [block]}, toolUseResult={})

    def line(self, record: "dict[str, Any] | str") -> "Conversation":
        """Any line, as it is."""
        text = record if isinstance(record, str) else json.dumps(record, ensure_ascii=False)
        with self.path.open("a", encoding="utf-8", errors="surrogatepass") as file:
            file.write(text + "\n")
        return self

    def bookkeeping(self) -> "Conversation":
        """What stands between the records of every turn."""
        self.line({"type": "api-request", "sessionId": self.session, "id": "x", "body": "y" * 500})
        return self.line({"type": "last-prompt", "lastPrompt": "p", "leafUuid": self._last, "sessionId": self.session})

    def _answer(self, blocks: "list[dict[str, Any]]", usage: "dict[str, int]") -> "Conversation":
        message = {"id": f"msg_{uuid.uuid4().hex[:8]}", "type": "message", "role": "assistant", "content": blocks}
        tokens = {"input_tokens": 12_000, "output_tokens": 10, **usage}
        return self._add("assistant", {**message, "model": "claude-opus-5-5", "usage": tokens})

    def _add(self, kind: str, message: "dict[str, Any]", **fields: Any) -> "Conversation":
        record = {
            "parentUuid": self._last,
            "isSidechain": False,
            "type": kind,
            "message": message,
            "uuid": str(uuid.uuid4()),
            "timestamp": "2026-11-30T02:40:24.787Z",
            "cwd": str(self.cwd),
            "sessionId": self.session,
            "version": "2.1.332",
            **fields,
        }
        self._last = record["uuid"]
        return self.line(record)
