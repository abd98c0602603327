"""A home with a project, its memory directory and a session whose turn is over: what fault tests break."""

import json
import os
import subprocess
import sys
from pathlib import Path

from memdir import cursor, index_lines, queue, store
from support.checkout import running_python
from support.conversation import Conversation
from support.memory import project_key

KILLER = Path(__file__).with_name("killer.py")
SESSION = "11111111-1111-1111-1111-111111111111"
SAID = "Remember that staging deploys only happen on Tuesdays."


class World:
    """One home of its own below `root`; hooks and the worker run in it as processes of the copy `plugin`."""

    def __init__(self, root: Path, plugin: Path) -> None:
        self.plugin = plugin
        self.home = root / "home"
        self.project = root / "project"
        (self.project / ".git").mkdir(parents=True)
        projects = self.home / ".claude" / "projects" / project_key(self.project)
        self.memory = projects / "memory"
        self.memory.mkdir(parents=True)
        self.state = self.home / "state"
        self.conversation = Conversation(projects / f"{SESSION}.jsonl", self.project, SESSION)
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "MEMDIR_DATA_DIR": str(self.state),
            "CLAUDE_PROJECT_DIR": str(self.project),
            "CLAUDE_PID": str(_ended_process()),
        }

    def say(self, text: str = SAID, answer: str = "Noted.") -> "World":
        """A whole turn."""
        self.conversation.user(text).claude(answer).bookkeeping()
        return self

    def job(self, **fields: object) -> queue.Job:
        known = {"session": SESSION, "transcript": str(self.conversation.path), "memory": str(self.memory)}
        size = self.conversation.path.stat().st_size
        return queue.Job({**known, "project": str(self.project), "upto": size, "queued_at": 1.0, **fields})

    def queue(self, **fields: object) -> "World":
        queue.add(str(self.state), self.job(**fields))
        return self

    def work(self, *, kill_at: "int | None" = None) -> "list[str]":
        """Works off the queue; or kills the worker before a change, or (0) gives the list of its changes."""
        if kill_at is None:  # waits for a worker that a hook has started
            return self._run(self.plugin / "lib" / "memdir_cli" / "__main__.py", ["queue", "run"], b"", None)
        return self._run(self.plugin / "lib" / "memdir_worker" / "__main__.py", [str(self.state)], b"", kill_at)

    def hook(self, name: str, *args: str, kill_at: "int | None" = None, **payload: object) -> "list[str]":
        """Runs a hook script likewise, without its launcher."""
        content = {
            "session_id": SESSION,
            "transcript_path": str(self.conversation.path),
            "cwd": str(self.project),
            **payload,
        }
        return self._run(
            self.plugin / "hooks" / f"{name}.py", list(args), json.dumps(content).encode() + b"\n", kill_at
        )

    def _run(self, script: Path, args: "list[str]", stdin: bytes, kill_at: "int | None") -> "list[str]":
        report = self.home / "report"
        killer = [] if kill_at is None else [str(KILLER), str(kill_at), str(report)]
        done = subprocess.run(
            [running_python(), "-I", "-S", *killer, str(script), *args],
            input=stdin,
            env=self.env,
            capture_output=True,
            timeout=60,
            check=False,
        )
        if kill_at and done.returncode == -9:
            return ["killed"]
        assert (done.returncode, done.stderr) == (0, b"")
        if kill_at != 0:
            return []
        changes = report.read_text().split()
        report.unlink()
        return changes

    def faults(self, topics: int = 1) -> "list[str]":
        """What is not as it has to be when all work is done: everything once, nothing left over."""
        found = []
        names = sorted(path.name for path in self.memory.glob("*.md") if path.name != store.INDEX)
        if len(names) != topics:
            found.append(f"topics {names}")
        for name in names:
            text = (self.memory / name).read_text("utf-8")
            if (
                "Tuesdays" in text
                and text.partition("\n---\n")[2].count("staging deploys only happen on Tuesdays") != 1
            ):
                found.append(f"the statement is not once in {text!r}")
        listed = [entry.file for entry in index_lines.entries(store.index_text(str(self.memory)) or "")]
        if sorted(listed) != names:
            found.append(f"index {listed}")
        at = cursor.load(str(self.state), SESSION)
        if at is None or at.offset != self.conversation.path.stat().st_size:
            found.append(f"cursor {at and at.offset}")
        for folder, _, files in os.walk(self.home):
            inside = os.path.relpath(folder, self.state)
            for name in files:
                left = inside.startswith("queue") or inside == "apply"
                if left or name.startswith(".memdir-") or name.endswith(".damaged"):
                    found.append(f"left over {inside}/{name}")
        return found


def _ended_process() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid
