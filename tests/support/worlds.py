"""A home with a project, its memory directory and a session whose turn is over: what fault tests break."""

import functools
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memdir import cursor, index_lines, queue, store
from support.checkout import running_python
from support.conversation import SESSION, Conversation
from support.memory import project_key

KILLER = Path(__file__).with_name("killer.py")
OTHER = "22222222-2222-2222-2222-222222222222"
SAID = "Remember that staging deploys only happen on Tuesdays."


class Done:
    """How a run ended. `changes`: what it changed in the file system, or the worker's steps, where it was watched."""

    def __init__(self, rc: int, out: str, err: str, changes: "list[str]") -> None:
        self.rc = rc
        self.out = out
        self.err = err
        self.changes = changes

    @property
    def killed(self) -> bool:
        return self.rc == -9

    @property
    def silent(self) -> bool:
        return (self.rc, self.out, self.err) == (0, "", "")


class Stage:
    """Where the processes of a copy of the plugin run: killer.py, started with the command `wrapper`."""

    def __init__(self, plugin: Path, *wrapper: str) -> None:
        self.plugin = plugin
        self._process = subprocess.Popen(
            [*wrapper, running_python(), "-I", "-S", str(KILLER), str(plugin)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={"PATH": os.environ["PATH"]},
        )

    def close(self) -> None:
        self._process.communicate(timeout=60)

    def run(self, script: str, args: "list[str]", env: "dict[str, str]", **options: Any) -> Done:
        """Runs `script`, or where it is "" the worker itself."""
        plain = {"stdin": "", "kill_at": None, "clock_s": 0, "slice_bytes": 0, "edit": None}
        return self._ask({**plain, "script": script, "args": args, "env": env, **options})

    def command(self, *words: str) -> Done:
        """Any command, where these processes are."""
        return self._ask({"command": words})

    def _ask(self, request: "dict[str, Any]") -> Done:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        return Done(**json.loads(self._process.stdout.readline()))


class World:
    """One home of its own below `root`; hooks and the worker run in it as processes on `stage`."""

    def __init__(self, root: Path, stage: Stage) -> None:
        self.stage = stage
        self.home = root / "home"
        self.project = root / "project"
        (self.project / ".git").mkdir(parents=True)
        projects = self.home / ".claude" / "projects" / project_key(self.project)
        self.memory = projects / "memory"
        self.memory.mkdir(parents=True)
        self.state = self.home / "state"
        self.conversation = Conversation(projects / f"{SESSION}.jsonl", self.project, SESSION)
        self.clock_s = 0.0  # by how much the clock of what runs here is ahead
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

    def begin(self) -> "World":
        """A prompt, as its hook notes it."""
        self.hook("user_prompt_submit", prompt="hello")
        return self

    def command(self, *words: str) -> Done:
        """memdir's command line."""
        return self._run(str(self.stage.plugin / "lib" / "memdir_cli" / "__main__.py"), list(words))

    def work(self) -> Done:
        """Works off the queue; waits for a worker that a hook has started."""
        done = self.command("queue", "run")
        assert (done.rc, done.err) == (0, ""), done.out + done.err
        return done

    def worker(self, **options: Any) -> Done:
        """A worker as hooks start it. With `kill_at` it is killed before that change, or (0) tells all its changes."""
        script = self.stage.plugin / "lib" / "memdir_worker" / "__main__.py"
        return self._run(str(script), [str(self.state)], **options)

    def steps(self, kill_at: int = 0, **options: Any) -> Done:
        """A worker that is killed after that one of its steps, or (0) tells them all."""
        return self._run("", [str(self.state)], kill_at=kill_at, **options)

    def hook(self, name: str, *args: str, kill_at: "int | None" = None, **payload: object) -> Done:
        """A hook script likewise, without its launcher."""
        content = {
            "session_id": SESSION,
            "transcript_path": str(self.conversation.path),
            "cwd": str(self.project),
            **payload,
        }
        script = str(self.stage.plugin / "hooks" / f"{name}.py")
        done = self._run(script, list(args), stdin=json.dumps(content) + "\n", kill_at=kill_at)
        assert done.killed or (done.rc, done.err) == (0, ""), (name, done.rc, done.err)
        return done

    def start(self, session: str = OTHER, **options: Any) -> Done:
        """The start of a session in this project."""
        path = str(self.conversation.path.with_name(session + ".jsonl"))
        return self.hook("session_start", "1", session_id=session, transcript_path=path, source="startup", **options)

    def _run(self, script: str, args: "list[str]", **options: Any) -> Done:
        return self.stage.run(script, args, self.env, **{"clock_s": self.clock_s, **options})

    def errors(self) -> "list[str]":
        """The errors in the log."""
        lines = [json.loads(line) for line in (self.state / "log.jsonl").read_text().splitlines() if line]
        return [error for line in lines for error in line.get("errors", [])]

    def topics(self) -> "list[str]":
        return sorted(path.name for path in self.memory.glob("*.md") if path.name != store.INDEX)

    def bodies(self) -> str:
        texts = [(self.memory / name).read_text("utf-8") for name in self.topics()]
        return "\n".join(text.partition("\n---\n")[2] for text in texts)

    def has_once(self, words: str) -> bool:
        """Whether the bodies of the topics say this, and only once."""
        return self.bodies().lower().count(words.lower()) == 1

    def faults(self, topics: int = 1) -> "list[str]":
        """What is not as it has to be when all work is done: everything once, nothing left over."""
        found = []
        names = self.topics()
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
        return found + [f"left over {name}" for name in self.left_over()]

    def left_over(self) -> "Iterator[str]":
        """Jobs, journals, temporary files and what was damaged."""
        for folder, dirs, files in os.walk(self.home):
            inside = os.path.relpath(folder, self.state)
            for name in (*files, *dirs):
                left = (inside.startswith("queue/") or inside == "apply") and name in files
                if left or name.startswith(".memdir-") or name.endswith(".damaged"):
                    yield f"{inside}/{name}"


@functools.cache
def _ended_process() -> int:
    process = subprocess.Popen(["true"])
    process.wait()
    return process.pid
