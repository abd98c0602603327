"""Runs the plugin's hooks as Claude Code does: the exact command of hooks.json, as a process, in its environment."""

import json
import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class HookEntry:
    """One command of hooks.json, as written there."""

    event: str
    matcher: str
    command: str
    args: tuple[str, ...]
    timeout_s: "float | None"
    on_failure: str

    def matches(self, subject: str) -> bool:
        """Whether Claude Code calls this entry for a tool name, a SessionStart source and so on."""
        return self.matcher in ("", "*") or re.fullmatch(self.matcher, subject) is not None


@dataclass(frozen=True)
class HookResult:
    rc: int
    stdout: bytes
    stderr: bytes

    @property
    def json(self) -> "dict[str, Any]":
        """The answer; {} when there is none. Raises ValueError when stdout is anything but one JSON object."""
        answer = json.loads(self.stdout) if self.stdout else {}
        if not isinstance(answer, dict):
            raise ValueError(f"not an object: {self.stdout!r}")
        return answer

    @property
    def context(self) -> str:
        """What the model would get to read; "" for nothing."""
        return str(self.json.get("hookSpecificOutput", {}).get("additionalContext", ""))

    @property
    def reason(self) -> str:
        """Why a tool call is refused or the person asked; "" if it is not."""
        return str(self.json.get("hookSpecificOutput", {}).get("permissionDecisionReason", ""))


def read_entries(plugin: Path) -> "list[HookEntry]":
    """All entries of a plugin's hooks/hooks.json, in its order."""
    document = json.loads((plugin / "hooks" / "hooks.json").read_bytes())
    return list(_entries(document["hooks"]))


def _entries(events: "Mapping[str, Any]") -> "Iterator[HookEntry]":
    for event, groups in events.items():
        for group in groups:
            for hook in group["hooks"]:
                yield HookEntry(
                    event=event,
                    matcher=group.get("matcher", ""),
                    command=hook["command"],
                    args=tuple(hook.get("args", ())),
                    timeout_s=hook.get("timeout"),
                    on_failure=hook.get("onFailure", "continue"),
                )


class HookRunner:
    """The hooks of one copy of the plugin, for one project and home."""

    def __init__(self, plugin: Path, project: Path, home: Path, env: "Mapping[str, str]") -> None:
        self.plugin = plugin
        self.project = project
        self.home = home
        self.env = dict(env)

    def entries(self, event: str) -> "list[HookEntry]":
        return [entry for entry in read_entries(self.plugin) if entry.event == event]

    def __call__(
        self,
        entry: "HookEntry | str",
        payload: "Mapping[str, Any] | bytes",
        *,
        env: "Mapping[str, str | None] | None" = None,
        cwd: "Path | None" = None,
        timeout_s: float = 60,
    ) -> HookResult:
        """One call. An event's name stands for its entry if it has exactly one; `env` adds, or with None removes."""
        if isinstance(entry, str):
            (entry,) = self.entries(entry)
        done = subprocess.run(
            [self._substitute(word) for word in (entry.command, *entry.args)],
            input=payload if isinstance(payload, bytes) else encode(payload),
            capture_output=True,
            env=self._environment(payload, env or {}),
            cwd=cwd or self.project,
            timeout=timeout_s,
            start_new_session=True,  # as Claude Code does
            check=False,
        )
        return HookResult(done.returncode, done.stdout, done.stderr)

    def all(self, event: str, payload: "Mapping[str, Any]", **options: Any) -> "list[HookResult]":
        """What Claude Code gets from one event: the results of every entry whose matcher fits the payload."""
        subject = next((str(payload[key]) for key in ("tool_name", "source", "trigger") if key in payload), "")
        return [self(entry, payload, **options) for entry in self.entries(event) if entry.matches(subject)]

    def _substitute(self, word: str) -> str:
        for name, value in (("CLAUDE_PLUGIN_ROOT", self.plugin), ("CLAUDE_PROJECT_DIR", self.project)):
            word = word.replace("${" + name + "}", str(value))
        return word

    def _environment(
        self, payload: "Mapping[str, Any] | bytes", changes: "Mapping[str, str | None]"
    ) -> "dict[str, str]":
        session = "" if isinstance(payload, bytes) else str(payload.get("session_id", ""))
        environment: dict[str, str | None] = {
            **self.env,
            "HOME": str(self.home),
            "CLAUDECODE": "1",
            "CLAUDE_CODE_ENTRYPOINT": "cli",
            "CLAUDE_CODE_SESSION_ID": session or None,
            "CLAUDE_PID": str(os.getpid()),
            "CLAUDE_PLUGIN_DATA": str(self.home / ".claude" / "plugins" / "data" / "memdir-inline"),
            "CLAUDE_PLUGIN_ROOT": str(self.plugin),
            "CLAUDE_PROJECT_DIR": str(self.project),
            **changes,
        }
        return {name: value for name, value in environment.items() if value is not None}


def encode(payload: "Mapping[str, Any]") -> bytes:
    """A payload as Claude Code writes it: one line, characters outside ASCII as they are."""
    return json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass") + b"\n"
