"""install.sh and `memdir` of a checkout as a person runs them: real processes in a home of their own, offline."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from memdir_cli import settings_file
from support.checkout import plain_python, running_python
from support.hooks import encode


class Installer:
    """One home; `config` is the profile of Claude Code in it."""

    def __init__(self, home: Path, folder: Path, config: "Path | None" = None) -> None:
        self.home = home
        self.config = config or home / ".claude"
        self.path = plain_python(folder / "python", running_python()) + ":/usr/bin:/bin"
        self.env = {
            "HOME": str(home),
            "PATH": self.path,
            "LANG": "C.UTF-8",
            "PIP_NO_INDEX": "1",
            "PIP_CONFIG_FILE": os.devnull,
            "UV_OFFLINE": "1",
        }
        if config:
            self.env["CLAUDE_CONFIG_DIR"] = str(config)

    @property
    def state(self) -> Path:
        return Path(self.record("state_dir"))

    @property
    def app(self) -> Path:
        return self.config / "memdir" / "app"

    @property
    def settings(self) -> Path:
        return self.config / "settings.json"

    def record(self, name: str) -> str:
        file = self.config / "memdir" / name
        return file.read_text("utf-8").rstrip("\n") if file.exists() else ""

    def keep(self, aside: Path) -> "Installer":
        """Keeps the home as it is, for `put_back`: the paths in an installation bind it to its place."""
        shutil.copytree(self.home, aside, symlinks=True)
        return self

    def put_back(self, aside: Path) -> "Installer":
        shutil.rmtree(self.home)
        shutil.copytree(aside, self.home, symlinks=True)
        return self

    def run(self, *command: "str | Path", **options: Any) -> "subprocess.CompletedProcess[str]":
        env = {**self.env, **options.pop("env", {})}
        given = {"capture_output": True, "text": True, "stdin": subprocess.DEVNULL, "timeout": 300, "cwd": "/"}
        return subprocess.run([str(word) for word in command], env=env, check=False, **{**given, **options})

    def install(self, checkout: Path, *options: str, **more: Any) -> str:
        """A plain installation that has to end well; what it printed."""
        words = options or ("--no-venv", "--no-demo")
        done = self.run(checkout / "install.sh", *words, **more)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def memdir(self, *words: str, program: "Path | None" = None, **more: Any) -> "subprocess.CompletedProcess[str]":
        return self.run(program or self.app / "bin" / "memdir", *words, **more)

    def entries(self) -> "list[settings_file.Entry]":
        """memdir's entries in the settings."""
        return settings_file.entries(self.settings.read_bytes()) if self.settings.exists() else []

    def call(
        self, entry: settings_file.Entry, payload: "dict[str, Any]", cwd: Path
    ) -> "subprocess.CompletedProcess[bytes]":
        """One entry as Claude Code starts it: no shell, no CLAUDE_PLUGIN_ROOT."""
        words = [entry.entry["command"], *entry.entry["args"]]
        env = {**self.env, "CLAUDE_PROJECT_DIR": str(cwd), "CLAUDE_PID": str(os.getpid())}
        return subprocess.run(
            words, input=encode(payload), capture_output=True, env=env, cwd=cwd, start_new_session=True, check=False,
            timeout=60,
        )  # fmt: skip

    def logged(self) -> "list[str]":
        """The hooks that have really run, by the log."""
        file = self.state / "log.jsonl"
        lines = file.read_text("utf-8").splitlines() if file.exists() else []
        return [json.loads(line)["hook"] for line in lines]
