"""Where the demonstration plays: a temporary home with a project, memories, rules and a session of its own."""

import contextlib
import os
import shutil
import tempfile
import time

from memdir import fsio, jsonio, locks, paths, queue
from memdir.errors import UserError
from memdir_cli import installation
from memdir_cli import log as log_command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from memdir_cli.demonstration.hooks import Hook, Hooks

DATA = os.path.dirname(os.path.abspath(__file__))
WORKER_S = 30.0  # for a worker that needs less than one
_PREFIX = "memdir-demo-"
_SETTLE_S = 5.0  # for one that is still at work when the demonstration is broken off
_AGE_S = 3_600.0  # of the memories that are there from the beginning
_DATA_BYTES = 1 << 20
_RECORDED_PROJECT = "/home/dev/shop"  # in the sessions that ship
_FOREIGN = ("ANTHROPIC_", "CLAUDE", "GIT_", "MEMDIR_", "XDG_")
_RECORDS = "python", "site_packages"  # of the installation, which the temporary home gets too
PLACES = "/tmp", "/var/tmp"  # for temporary homes, where the chosen one does not do
MENDED = "get memdir again and run its ./install.sh"  # a copy cannot mend itself


class Answer:
    """What one event brought: the text of all its hooks, and in `trouble` what went wrong with them."""

    def __init__(self) -> None:
        self.text = ""
        self.trouble: "list[str]" = []

    def output(self, key: str) -> str:
        """A text of the hooks' JSON answers."""
        found = []
        for line in jsonio.read_lines(self.text.encode("utf-8", "replace")):
            output = line.get("hookSpecificOutput")
            found.append(str(output.get(key) or "") if isinstance(output, dict) else "")
        return "\n".join([text for text in found if text])


class Stage:
    """The temporary home `home` with the session of one language. `remove` has to be called."""

    def __init__(self, language: str, hooks: "Hooks", installed: "installation.Installation") -> None:
        self._hooks = hooks
        self._data = f"{DATA}/{language}"
        self.home = _new_home()
        self.foreign_rules = _rules_above(os.path.dirname(self.home))
        self.project = self.home + "/shop"
        self.config = self.home + "/.claude"
        self.memory = self.config + "/projects/shop/memory"
        self.session = ""
        self.transcript = ""
        self.env = {name: value for name, value in os.environ.items() if not name.startswith(_FOREIGN)}
        self.env["HOME"] = self.home
        self.state = paths.state_dir(self.env)
        self._worker_may_run = False
        try:
            self._furnish(installed)
        except BaseException:
            self.remove()
            raise

    def _furnish(self, installed: "installation.Installation") -> None:
        for name in _RECORDS:
            value = installed.record(name)
            if value:
                fsio.write(f"{self.config}/memdir/{name}", os.fsencode(value) + b"\n", durable=False)
        for folder in (".git", "build", "src"):  # .git: what lies above the temporary directory is not this project's
            os.makedirs(f"{self.project}/{folder}")
        self._copy("memory", self.memory)
        self._copy("rules", self.project + "/.claude/rules")
        text = (fsio.read(self._data + "/session.jsonl", _DATA_BYTES) or b"").decode()
        here = jsonio.dumps(self.project)[1:-1]
        first = next(iter(jsonio.read_lines(text.encode())), {})
        self.session = str(first.get("sessionId", ""))
        self.transcript = f"{self.config}/projects/shop/{self.session}.jsonl"
        if not self.session:
            raise UserError(f"{self._data}/session.jsonl is missing or damaged; {MENDED}")
        fsio.write(self.transcript, text.replace(_RECORDED_PROJECT, here).encode(), durable=False)

    def _copy(self, name: str, target: str) -> None:
        """The files of a folder that ships, as old as `_AGE_S`; a folder that is missing stays empty."""
        os.makedirs(target)
        when = time.time() - _AGE_S
        folder = f"{self._data}/{name}"
        for file in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            fsio.write(f"{target}/{file}", fsio.read(f"{folder}/{file}", _DATA_BYTES) or b"", durable=False)
            os.utime(f"{target}/{file}", (when, when))

    def lacking(self, name: str) -> "list[str]":
        """What to do about a file that does not ship with this copy, as it should."""
        return [] if os.path.isfile(f"{self._data}/{name}") else [f"{self._data}/{name} is missing; {MENDED}"]

    def topics(self) -> "set[str]":
        return {name for name in os.listdir(self.memory) if name.endswith(".md")} - {"MEMORY.md"}

    def send(self, event: str, subject: str = "", **fields: "Any") -> Answer:
        """Runs every hook of an event whose matcher fits `subject`, as Claude Code does."""
        payload = {
            "session_id": self.session,
            "transcript_path": self.transcript,
            "cwd": self.project,
            "prompt_id": "0d8f4f5e-6f3a-4b1c-9d27-3e5a8c1b7f60",
            "hook_event_name": event,
            **fields,
        }
        answer = Answer()
        wanted = [hook for hook in self._hooks.all if hook.event == event and hook.fits(subject)]
        if not wanted:
            answer.trouble.append(f"no hook of memdir is registered for {event}")
        self._worker_may_run |= event == "Stop"
        for hook in wanted:
            self._run(hook, (jsonio.dumps(payload) + "\n").encode(), answer)
        return answer

    def _run(self, hook: "Hook", payload: bytes, answer: Answer) -> None:
        env = {
            **self.env,
            "CLAUDECODE": "1",
            "CLAUDE_CODE_ENTRYPOINT": "cli",
            "CLAUDE_CODE_SESSION_ID": self.session,
            "CLAUDE_PID": str(os.getpid()),
            "CLAUDE_PROJECT_DIR": self.project,
            # A fixed place, whatever managed settings say: nothing of the person's is written to.
            "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE": self.memory,
        }
        if not self._hooks.registered:
            env["CLAUDE_PLUGIN_ROOT"] = installation.ROOT
        out, trouble = hook.run(payload, self.project, env)
        answer.text += out
        answer.trouble += [trouble] if trouble else []

    def wait_for_worker(self, most_s: float = WORKER_S) -> str:
        """Waits until the worker has done what Stop queued; what went wrong, or ""."""
        outcomes = [line.get("outcome") for line in self.log() if line.get("hook") == "stop"]
        if outcomes[-1:] != ["queued"]:
            return "the session was not queued" + (f": {outcomes[-1]}" if outcomes else "")
        deadline = time.monotonic() + most_s
        while time.monotonic() < deadline:
            runs = [line for line in self.log() if line.get("hook") == "worker"]
            if runs:
                self._worker_may_run = False
                return "; ".join([f"the worker failed: {error}" for error in runs[-1].get("errors", [])])
            time.sleep(0.05)
        return f"the worker has not ended within {most_s:g} s"

    def log(self) -> "list[dict[str, Any]]":
        return log_command.read(self.state)

    def failures(self) -> "list[str]":
        """What launcher and log say of runs that failed."""
        found = [text] if (text := paths.record("last_failure", self.env)) else []
        lines = [line for line in self.log() if line.get("errors")]
        return found + [f"{line.get('hook')}: {'; '.join(map(str, line['errors']))}" for line in lines]

    def remove(self) -> None:
        """Removes the home, once no worker is left that could make its folders again."""
        deadline = time.monotonic() + _SETTLE_S
        states = queue.PENDING, queue.RUNNING
        while self._worker_may_run and time.monotonic() < deadline:
            self._worker_may_run = any([queue.read(self.state, name) for name in states])
            time.sleep(0.05)
        if os.path.isdir(self.state):
            with contextlib.suppress(OSError), locks.held(queue.lock(self.state), _SETTLE_S):
                pass
        shutil.rmtree(self.home, ignore_errors=True)


def _new_home() -> str:
    """A new directory for a home, best where no rule file lies above it and its path holds no line break."""
    chosen = tempfile.gettempdir(), os.environ.get("XDG_RUNTIME_DIR", "")
    for place in [os.path.realpath(place) for place in (*chosen, *PLACES) if place.startswith("/")]:
        if place.isprintable() and not _rules_above(place):
            with contextlib.suppress(OSError):
                return tempfile.mkdtemp(prefix=_PREFIX, dir=place)
    return os.path.realpath(tempfile.mkdtemp(prefix=_PREFIX))


def _rules_above(folder: str) -> "list[str]":
    """The folders of rules that are in force for all that lies in `folder`."""
    found = []
    while True:
        rules = folder.rstrip("/") + "/.claude/rules"
        found += [rules] if os.path.lexists(rules) else []
        if folder == os.path.dirname(folder):
            return found
        folder = os.path.dirname(folder)
