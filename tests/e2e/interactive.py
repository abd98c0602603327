"""Drives the client's terminal interface through tmux, inside the sandbox: what a person would type and see.

Steps are lists: ["send", TEXT] types a line and Enter, ["key", NAME...] presses keys as tmux names them,
["wait", REGEX, SECONDS] until the screen shows it, ["shot", NAME] prints the screen under that
name, ["ended", SECONDS] until the client is gone.
"""

import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from e2e.client import Client, Result

Step = Sequence[Any]
_KEY_S = 0.5  # between typing and Enter: the interface takes a fast burst for a paste


def drive(client: Client, steps: "Sequence[Step]", *args: str, timeout_s: float = 120, **options: Any) -> Result:
    """One interactive session with the plugin; a step that fails ends it with return code 1 and the screen printed."""
    _answer_first_questions(client)
    command = [client.binary, "--plugin-dir", str(client.plugin), *args]
    script = json.dumps({"command": command, "steps": [list(step) for step in steps]})
    return client.execute([sys.executable, "-B", __file__, script], timeout_s=timeout_s, **options)


def _answer_first_questions(client: Client) -> None:
    """What the first start asks: theme, key (the client keeps its last 20 characters) and trust in the folder."""
    answers = {
        "hasCompletedOnboarding": True,
        "theme": "dark",
        "customApiKeyResponses": {"approved": ["dummy-key"]},
        "projects": {str(client.project): {"hasTrustDialogAccepted": True}},
    }
    path = client.home / ".claude.json"
    if not path.exists():
        path.write_text(json.dumps(answers), "utf-8")


class _Terminal:
    def __init__(self, socket: str) -> None:
        self._tmux = ["tmux", "-S", socket, "-f", "/dev/null"]

    def do(self, *words: str) -> str:
        return subprocess.run([*self._tmux, *words], capture_output=True, text=True, check=True).stdout

    def screen(self) -> str:
        return self.do("capture-pane", "-p", "-t", "s")

    def step(self, kind: str, *words: Any) -> bool:
        if kind == "send":
            self.do("send-keys", "-t", "s", "-l", words[0])
            time.sleep(_KEY_S)
            self.do("send-keys", "-t", "s", "Enter")
        elif kind == "key":
            self.do("send-keys", "-t", "s", *words)
        elif kind == "shot":
            print(f"--- {words[0]}\n{self.screen()}")
        elif kind == "wait":
            return _until(lambda: re.search(words[0], self.screen()) is not None, words[1])
        elif kind == "ended":
            # Not tmux's own word: it sometimes leaves an ended process unreaped and the pane alive.
            pid = self.do("list-panes", "-F", "#{pane_pid}").strip()
            return _until(lambda: _has_ended(pid), words[0])
        else:
            raise ValueError(f"no such step: {kind}")
        return True


def _until(condition: "Callable[[], bool]", seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.2)
    return True


def _has_ended(pid: str) -> bool:
    try:
        return Path("/proc", pid, "stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def _inside(script: "dict[str, Any]") -> int:
    # Not below the test's directory: the path of a socket has at most 107 bytes.
    with tempfile.TemporaryDirectory(prefix="mt-", dir="/tmp") as folder:
        terminal = _Terminal(f"{folder}/s")
        terminal.do("new-session", "-d", "-s", "s", "-x", "160", "-y", "50", *script["command"])
        terminal.do("set-option", "-g", "remain-on-exit", "on")
        failed = next((step for step in script["steps"] if not terminal.step(*step)), None)
        if failed:
            print(f"--- failed: {failed}\n{terminal.screen()}")
        terminal.do("kill-server")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(_inside(json.loads(sys.argv[1])))
