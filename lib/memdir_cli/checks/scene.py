"""What doctor looks at: this user's installation and the working directory, each part of it found out once."""

import contextlib
import functools
import os
import subprocess

from memdir import fsio, jsonio, paths, projects
from memdir.errors import UserError
from memdir_cli import settings_file
from memdir_cli.checks.finding import quoted
from memdir_cli.installation import ROOT, Installation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Optional

LAUNCHER = "/hooks/py"
_SETTINGS_BYTES = 64 << 20
_NAMES = ("settings.json", "settings.local.json")
# Asked of a recorded interpreter: what it is. Python 2 must be able to say so, too.
_ASK = "import sys; sys.stdout.write('%d.%d.%d\\n%s' % (sys.version_info[:3] + (sys.executable,)))"


class Python:
    """An interpreter: `version` is () and `failure` says why where it does not run."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.version: "tuple[int, ...]" = ()
        self.failure = ""
        if not os.path.isfile(path):
            self.failure = "is not there"
        elif not os.access(path, os.X_OK):
            self.failure = "cannot be executed"
        else:
            self._ask()

    def _ask(self) -> None:
        code, answer = output([self.path, "-I", "-S", "-c", _ASK], {"PATH": os.defpath})
        number = answer.split("\n", 1)[0]
        self.version = tuple(int(part) for part in number.split(".") if part.isdecimal())
        if code or len(self.version) != 3:
            self.version = ()
            self.failure = "does not run" + ("" if code is None else f" (it ends with status {code})")

    @property
    def number(self) -> str:
        return ".".join([str(part) for part in self.version])

    @property
    def is_of_an_environment(self) -> bool:
        """Whether it belongs to a virtual environment, which goes away with its project."""
        folder = os.path.dirname(self.path)
        return any(os.path.isfile(f"{place}/pyvenv.cfg") for place in (folder, os.path.dirname(folder)))


class Scene:
    """`place` is None, and `state` empty, where there is no home directory."""

    def __init__(self, env: "Mapping[str, str]", cwd: str, now: float) -> None:
        self.env = env
        self.cwd = cwd
        self.now = now
        self.place: "Optional[Installation]" = None
        with contextlib.suppress(UserError):
            self.place = Installation(env)
        self.config = self.place.config if self.place else ""
        self.state = paths.state_dir(env)

    def record(self, name: str) -> str:
        return paths.record(name, self.env)

    @functools.cached_property
    def python(self) -> "Optional[Python]":
        """The recorded interpreter."""
        recorded = self.record("python")
        return Python(recorded) if recorded else None

    @functools.cached_property
    def settings(self) -> "Optional[bytes]":
        """The user's settings; None where there is no such file or it cannot be read."""
        return fsio.read(self.place.settings, _SETTINGS_BYTES, follow=True) if self.place else None

    @functools.cached_property
    def entries(self) -> "list[settings_file.Entry]":
        """memdir's hooks in the user's settings; none where these are broken."""
        return entries(self.settings, self.record("hooks"))

    @functools.cached_property
    def plugins(self) -> "list[str]":
        """Names under which memdir is switched on as a plugin, in any settings that count here."""
        places = [self.place.settings if self.place else "", *self.project_settings, *self.managed_settings]
        found = []
        for raw in [fsio.read(path, _SETTINGS_BYTES, follow=True) for path in places if path]:
            if raw is not None and parsed(raw):
                found += settings_file.plugins_enabled(raw)
        return sorted(set(found))

    @functools.cached_property
    def project(self) -> "projects.Project":
        return projects.Project(self.cwd, self.env)

    @functools.cached_property
    def memory(self) -> "Optional[projects.MemoryDir]":
        return self.project.memory_dir()

    @functools.cached_property
    def project_settings(self) -> "list[str]":
        """The settings files that may come with a repository and are there; those of the home directory are not."""
        real = os.path.realpath(self.cwd)
        home = os.path.realpath(paths.home(self.env) or "/")
        folders = [real, projects.worktree_root(real), projects.main_root(real)]
        own = os.path.realpath(self.place.settings) if self.place else ""
        files = [f"{folder}/.claude/{name}" for folder in dict.fromkeys(folders) if folder for name in _NAMES]
        if real != home:
            files = [file for file in files if not file.startswith(home + "/.claude/")]
        return [file for file in files if os.path.lexists(file) and os.path.realpath(file) != own]

    @functools.cached_property
    def managed_settings(self) -> "list[str]":
        folder = projects.MANAGED + "/managed-settings.d"
        try:
            drop_ins = [f"{folder}/{name}" for name in sorted(os.listdir(folder)) if name.endswith(".json")]
        except OSError:
            drop_ins = []
        return [file for file in (projects.MANAGED + "/managed-settings.json", *drop_ins) if os.path.isfile(file)]

    @functools.cached_property
    def memdir(self) -> str:
        """How to call memdir from a shell: by its name where PATH leads to it."""
        folders = [folder for folder in self.env.get("PATH", "").split(":") if folder.startswith("/")]
        known = any([os.access(folder + "/memdir", os.X_OK) for folder in folders])
        return "memdir" if known else quoted(ROOT + "/bin/memdir")

    @property
    def repair(self) -> str:
        """The command that installs this memdir (again)."""
        return f"sh {quoted(ROOT + '/install.sh')} --no-demo"

    @property
    def is_installed(self) -> bool:
        """Whether the user's settings hold memdir's hooks, or the record says that they should."""
        return bool(self.entries or self.record("hooks"))


def is_shim(path: str) -> bool:
    """Whether a python3 is a version manager's: a script or a directory of them, which looks for the real one."""
    return "shims" in path.split("/") or fsio.read(path, 2, follow=True) == b"#!"


def entries(raw: "Optional[bytes]", launcher: str) -> "list[settings_file.Entry]":
    try:
        return settings_file.entries(raw, launcher) if raw else []
    except (UserError, ValueError):
        return []


def parsed(raw: "Optional[bytes]") -> "dict[str, Any]":
    """The object of a settings file; empty for anything else."""
    try:
        value = jsonio.loads(raw) if raw else None
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def settings_in(path: str) -> "dict[str, Any]":
    return parsed(fsio.read(path, _SETTINGS_BYTES, follow=True))


def version_of(root: str) -> str:
    """The version of the memdir in `root`; "" where its manifest cannot be read."""
    return str(parsed(fsio.read(root + "/.claude-plugin/plugin.json", 1 << 20, follow=True)).get("version", ""))


def output(
    words: "list[str]",
    env: "Mapping[str, str]",
    *,
    given: bytes = b"",
    cwd: "Optional[str]" = None,
    timeout_s: float = 15.0,
) -> "tuple[Optional[int], str]":
    """Exit code (None: it did not start or end) and standard output of a program."""
    try:
        done = subprocess.run(
            words,
            input=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(env),
            cwd=cwd,
            timeout=timeout_s,
            start_new_session=True,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None, ""
    return done.returncode, done.stdout.decode("utf-8", "replace")
