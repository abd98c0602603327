"""The real Claude Code, one run at a time, against a scripted API: what it sent, printed and left behind."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from e2e.fake_api import text_of
from e2e.sandbox import TIMED_OUT

_SANDBOX = Path(__file__).with_name("sandbox.py")


def namespace_command() -> "list[str]":
    """The prefix that takes the network away from a command."""
    return ["unshare", "-n", "--"] if os.geteuid() == 0 else ["unshare", "-rn", "--"]


@dataclass(frozen=True)
class Request:
    """One request that reached the API."""

    path: str
    body: "dict[str, Any]"
    source: str  # "turn N", "rule N" or "default": what of the scenario answered
    reply: "dict[str, Any] | None"

    @property
    def is_main(self) -> bool:
        """Whether it belongs to the main loop, which alone offers tools."""
        return self.path.split("?")[0].endswith("/v1/messages") and bool(self.body.get("tools"))

    def texts(self, role: str) -> "list[str]":
        """The text of each message of a role: user, assistant or system (mid-conversation system turns)."""
        return [text_of(m.get("content")) for m in self.body.get("messages", []) if m.get("role") == role]

    @property
    def system(self) -> str:
        """The system prompt."""
        return text_of(self.body.get("system"))

    @property
    def text(self) -> str:
        """All that the model can read: the system prompt and every message."""
        return "\n".join([self.system, *(text_of(m.get("content")) for m in self.body.get("messages", []))])


@dataclass(frozen=True)
class Result:
    """What one run left. `home` and `project` go on to the next run."""

    rc: int
    out: Path
    home: Path
    project: Path

    @cached_property
    def requests(self) -> "list[Request]":
        logged = [json.loads(path.read_text("utf-8")) for path in sorted((self.out / "requests").glob("*.json"))]
        return [Request(r["path"], r["body"] or {}, r["source"], r["reply"]) for r in logged]

    @property
    def main(self) -> "list[Request]":
        """The main loop's requests, in order: main[0].text holds what SessionStart and UserPromptSubmit delivered."""
        return [request for request in self.requests if request.is_main]

    @property
    def stdout(self) -> str:
        return (self.out / "stdout").read_text("utf-8", "replace")

    @property
    def stderr(self) -> str:
        return (self.out / "stderr").read_text("utf-8", "replace")

    @property
    def debug_log(self) -> str:
        path = self.out / "debug.log"
        return path.read_text("utf-8", "replace") if path.exists() else ""

    def report(self) -> str:
        """What a person needs when a run went wrong."""
        tail = "\n".join(self.debug_log.splitlines()[-40:])
        return f"rc {self.rc}, {self.out}\n{self.stdout[-2000:]}\n{self.stderr[-2000:]}\n{tail}"


class Client:
    """Runs the client with one home and one project; every run has an output directory of its own."""

    def __init__(self, binary: str, plugin: Path, home: Path, project: Path, out: Path, path: str) -> None:
        self.binary = binary
        self.plugin = plugin
        self.home = home
        self.project = project
        self._out = out
        self._path = path
        self._runs = 0

    def run(
        self,
        prompt: str,
        *,
        scenario: "Mapping[str, Any] | None" = None,
        args: "Sequence[str]" = (),
        settings: "Mapping[str, Any] | None" = None,
        env: "Mapping[str, str] | None" = None,
        session: "str | None" = None,
        resume: "str | None" = None,
        plugins: "Sequence[Path] | None" = None,
        timeout_s: float = 120,
        linger_s: float = 0,
    ) -> Result:
        """One `claude -p`. `session` names a new session (a UUID), `resume` goes on with one.

        `plugins`: the plugin directories in place of memdir's. `linger_s`: how long
        processes that the run left behind may take to end by themselves.
        """
        command = ["-p", prompt]
        for folder in [self.plugin] if plugins is None else plugins:
            command += ["--plugin-dir", str(folder)]
        command += ["--settings", json.dumps(settings)] if settings is not None else []
        command += ["--session-id", session] if session else []
        command += ["--resume", resume] if resume else []
        return self.cli(*command, *args, scenario=scenario, env=env, timeout_s=timeout_s, linger_s=linger_s, debug=True)

    def cli(self, *args: str, debug: bool = False, **options: Any) -> Result:
        """Any command line of the client, such as cli("plugin", "list"); options as for `execute`."""
        out = self._next_out()
        log = ["--debug-file", str(out / "debug.log")] if debug else []
        return self.execute([self.binary, *args, *log], out=out, **options)

    def execute(
        self,
        command: "Sequence[str]",
        *,
        scenario: "Mapping[str, Any] | None" = None,
        env: "Mapping[str, str] | None" = None,
        cwd: "Path | None" = None,
        timeout_s: float = 120,
        linger_s: float = 0,
        out: "Path | None" = None,
    ) -> Result:
        """Any program in the client's place, with its environment. Raises AssertionError when the time is up."""
        out = out or self._next_out()
        result = Result(0, out, self.home, self.project)
        spec = out / "spec.json"
        settled = {
            "command": list(command),
            "scenario": dict(scenario or {}),
            "env": {**self._environment(out), **(env or {})},
            "cwd": str(cwd or self.project),
            "out": str(out),
            "timeout_s": timeout_s,
            "linger_s": linger_s,
        }
        spec.write_text(json.dumps(settled), "utf-8")
        done = subprocess.run(
            [*namespace_command(), sys.executable, str(_SANDBOX), str(spec)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout_s + linger_s + 60,
            check=False,
        )
        if not (out / "stderr").exists():
            raise AssertionError(f"the sandbox did not start: {done.stderr}")
        if done.returncode == TIMED_OUT:
            raise AssertionError(f"not done after {timeout_s} s: {command}\n{result.report()}")
        return Result(done.returncode, out, self.home, self.project)

    def _next_out(self) -> Path:
        self._runs += 1
        out = self._out / f"run-{self._runs}"
        (out / "requests").mkdir(parents=True)
        (out / "tmp").mkdir()
        return out

    def _environment(self, out: Path) -> "dict[str, str]":
        return {
            "PATH": self._path,
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "TMPDIR": str(out / "tmp"),
            "CLAUDE_CODE_TMPDIR": str(out / "tmp"),
            "ANTHROPIC_API_KEY": "dummy-key",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
        }
