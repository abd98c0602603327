"""What every test gets: a home of its own, no network, and the plugin's hooks as real processes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from support import guard
from support.checkout import CLIENT_VERSION, ROOT, copy_plugin, plain_python, running_python
from support.conversation import SESSION, Conversation
from support.hooks import HookRunner
from support.memory import Memory, project_key

guard.install()

PYTHONS = [path for path in os.environ.get("MEMDIR_TEST_PYTHONS", "").split(":") if path] or [running_python()]
_FOREIGN = ("AI_AGENT", "ANTHROPIC_", "CLAUDE", "GIT_", "MEMDIR_", "XDG_", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """The test's own home directory: HOME, XDG_* and MEMDIR_DATA_DIR lead there; the caller's settings are gone."""
    folder = tmp_path.resolve() / "home"
    folder.mkdir()
    for name in list(os.environ):
        if name.upper().startswith(_FOREIGN):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / ".config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(folder / ".local" / "state"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / ".cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / ".local" / "share"))
    monkeypatch.setenv("MEMDIR_DATA_DIR", str(_state_dir(folder)))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    return folder


def _state_dir(folder: Path) -> Path:
    inside = "Library/Application Support" if sys.platform == "darwin" else ".local/state"
    return folder / inside / "memdir"


@pytest.fixture
def state_dir(home):
    """Where memdir keeps its own files in this test; hooks find the same place without MEMDIR_DATA_DIR."""
    return _state_dir(home)


@pytest.fixture(scope="session")
def plugin(tmp_path_factory):
    """A copy of the plugin in a path with a blank and a non-ASCII letter. Shared: who would damage it makes a copy."""
    return copy_plugin(tmp_path_factory.mktemp("plugin") / "0.1.0 é" / "memdir")


@pytest.fixture
def project(tmp_path):
    """An empty git repository."""
    folder = tmp_path.resolve() / "project"
    folder.mkdir()
    subprocess.run(["git", "init", "-q", "-b", "main", "--template=", str(folder)], check=True)
    (folder / ".git" / "hooks").mkdir()
    return folder


@pytest.fixture
def memory(home, project):
    """The project's memory directory: memory.dir, memory.topic(...), memory.index(...), memory.file(...)."""
    return Memory(home, project)


@pytest.fixture
def conversation(home, project):
    """The transcript of a session of the project: conversation.user("..."), .claude("..."), .call("Bash", ...)."""
    path = home / ".claude" / "projects" / project_key(project) / f"{SESSION}.jsonl"
    return Conversation(path, project, SESSION)


@pytest.fixture
def run_hook(plugin, project, home, tmp_path):
    """run_hook(event or entry, payload or bytes) calls one hook; run_hook.all(event, payload) every matching one."""
    path = plain_python(tmp_path / "path", running_python())
    env = {"PATH": path + ":" + os.environ["PATH"], "LANG": "C.UTF-8"}
    env.update({name: value for name, value in os.environ.items() if name.startswith("XDG_")})
    return HookRunner(plugin, project, home, env)


@pytest.fixture
def judge(project, state_dir):
    """judge(tool, input, cwd=...) is memdir's decision on a call in this test's project, asked in this process."""
    from memdir import enforcement

    def call(tool, tool_input, cwd=None):
        session = enforcement.Session(str(cwd or project), str(project), os.environ, str(state_dir))
        return enforcement.judge(session, session.rules(), tool, tool_input)[1]

    return call


@pytest.fixture(params=PYTHONS, ids=os.path.basename)
def each_python(request):
    """The path of each Python, from 3.9 on, that tests/run found on this machine."""
    return request.param


@pytest.fixture
def payload(project, home):
    """payload("Stop.active", cwd=...) is a recorded payload, moved into this test's project, with fields replaced."""
    folder = ROOT / "tests" / "payloads" / CLIENT_VERSION

    def load(name, **fields):
        text = (folder / f"{name}.json").read_text(encoding="utf-8")
        for recorded, ours in (
            ("/home/dev/proj", str(project)),
            ("-home-dev-proj", project_key(project)),
            ("/home/dev", str(home)),
        ):
            text = text.replace(recorded, ours)
        return json.loads(text) | fields

    return load
