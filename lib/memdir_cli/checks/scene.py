"""What doctor looks at: this user's installation and the working directory, each part of it found out once."""

import contextlib
import functools
import os
import signal
import subprocess

from memdir import fsio, handover, jsonio, paths, projects
from memdir.errors import UserError
from memdir_cli import programs, settings_file
from memdir_cli.checks.finding import edit, quoted
from memdir_cli.installation import ROOT, Installation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Optional

LAUNCHER = "/hooks/py"
_OF_STATE = frozenset(
    "log.jsonl queue sessions cursors catalog apply backup profiles trusted worker.lock install.lock".split()
)
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
    """`place` is None, and `state` empty, where there is no home directory, or the working one would be the profile.

    That is so where CLAUDE_CONFIG_DIR is empty or relative: nothing in a repository may name a program to be run here.
    """

    def __init__(self, env: "Mapping[str, str]", cwd: str, now: float) -> None:
        self.env = env
        self.cwd = cwd
        self.now = now
        self.place: "Optional[Installation]" = None
        self.is_adrift = not env.get("CLAUDE_CONFIG_DIR", "/").startswith("/")
        if not self.is_adrift:
            with contextlib.suppress(UserError):
                self.place = Installation(env)
        self.config = self.place.config if self.place else ""
        self.state = "" if self.is_adrift else paths.state_dir(env)

    def record(self, name: str) -> str:
        return "" if self.is_adrift else paths.record(name, self.env)

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
        """Names under which memdir is switched on as a plugin, and installed."""
        return [name for name in self._plugins_on if name in self._plugins_installed]

    @property
    def plugins_lacking(self) -> "list[str]":
        """Those that settings switch on, though nobody installed them: Claude Code then does nothing."""
        return [name for name in self._plugins_on if name not in self._plugins_installed]

    @functools.cached_property
    def _plugins_on(self) -> "list[str]":
        """By the last word of the settings that count here, the weakest of which come first."""
        real = os.path.realpath(self.cwd)
        local = [f"{folder}/.claude/{_NAMES[1]}" for folder in (real, projects.main_root(real))]
        there = [path for path in (f"{real}/.claude/{_NAMES[0]}", *local) if path in self.project_settings]
        found: "dict[str, bool]" = {}
        for path in [self.place.settings if self.place else "", *dict.fromkeys(there), *self.managed_settings]:
            words = settings_in(path).get("enabledPlugins") if path else None
            for name, word in words.items() if isinstance(words, dict) else ():
                if name.startswith("memdir@"):
                    found[name] = bool(word)
        return sorted([name for name, is_on in found.items() if is_on])

    @functools.cached_property
    def _plugins_installed(self) -> "dict[str, Any]":
        """For whichever project: Claude Code (2.1.332) takes an installation for another one as well."""
        folder = self.env.get("CLAUDE_CODE_PLUGIN_CACHE_DIR") or self.config + "/plugins"
        listed = settings_in(folder + "/installed_plugins.json").get("plugins")
        return {name: many for name, many in listed.items() if many} if isinstance(listed, dict) else {}

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
        return self.profile + ("memdir" if programs.find("memdir", self.env) else quoted(ROOT + "/bin/memdir"))

    @functools.cached_property
    def profile(self) -> str:
        """The variables that make a command be about this profile in a plain shell as well; "" for the usual one."""
        plain = {name: value for name, value in self.env.items() if name != "CLAUDE_CONFIG_DIR"}
        chosen = ""
        if self.config and self.config != paths.claude_config_dir(plain):
            chosen += f"CLAUDE_CONFIG_DIR={quoted(self.config)} "
        recorded = {name: value for name, value in self.env.items() if name != "MEMDIR_DATA_DIR"}
        if self.state and self.state != paths.state_dir(recorded):
            chosen += f"MEMDIR_DATA_DIR={quoted(self.state)} "
        return chosen

    @property
    def repair(self) -> str:
        """The command that installs this memdir (again)."""
        return f"{self.profile}sh {quoted(ROOT + '/install.sh')} --no-demo"

    def repair_of(self, root: str) -> str:
        """What mends a copy with files missing: itself it cannot."""
        if os.path.realpath(root) != os.path.realpath(ROOT):
            return self.repair
        return f"get memdir again, and in what you got: {self.profile}./install.sh"

    @functools.cached_property
    def owns_state(self) -> bool:
        """Whether the state directory is memdir's alone, so that a command may change all of it.

        A variable may name any directory, as /tmp, and memdir's files may lie in it among others.
        """
        real = os.path.realpath(self.state) if self.state else ""
        try:
            names = os.listdir(real) if "memdir" in os.path.basename(real) else ["other"]
        except OSError:
            return self.chosen_by == "HOME"  # closed: a usual place is known by its name
        return not names or bool(_OF_STATE.intersection(names))

    @property
    def chosen_by(self) -> str:
        """What chose the state directory: MEMDIR_DATA_DIR, "record", XDG_STATE_HOME or HOME."""
        home = {"HOME": paths.home(self.env), "CLAUDE_CONFIG_DIR": "/nonexistent"}
        names = ("MEMDIR_DATA_DIR", "XDG_STATE_HOME")
        if self.state == paths.state_dir(home):
            return "HOME"
        if paths.expand(self.env.get(names[0], ""), self.env):
            return names[0]
        return "record" if self.record("state_dir") else names[1]

    def choice_of_state(self) -> str:
        """What to do about a state directory that is not to be used: choose another where this one was chosen."""
        home = paths.home(self.env)
        if self.chosen_by in ("MEMDIR_DATA_DIR", "XDG_STATE_HOME"):
            return f"unset {self.chosen_by}"
        if not home or not os.path.isdir(home) or os.stat(home).st_uid != os.geteuid():
            return "set HOME to a directory of your own"
        elsewhere = 'MEMDIR_DATA_DIR="$HOME/.memdir-state"'
        return f"{elsewhere} {self.repair}" if self.is_installed else f"export {elsewhere}"

    def choice_of_memory(self) -> str:
        """What to do about a memory directory that is not to be used: choose another where this one was chosen."""
        source = self.memory.source if self.memory else ""
        files = {"user": [self.place.settings] if self.place else [], "managed": self.managed_settings}
        for path in reversed(files.get(source, self.project_settings if source in handover.OF_A_PROJECT else [])):
            if "autoMemoryDirectory" in settings_in(path):
                return f"ask whoever manages {quoted(path)}" if source == "managed" else edit(path)
        name = "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE"
        return f"unset {name if name in self.env else 'CLAUDE_CODE_REMOTE_MEMORY_DIR'}"

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
    cwd: str = "/",
    timeout_s: float = 15.0,
) -> "tuple[Optional[int], str]":
    """Exit code (None: it did not start or end) and standard output of a program, whose children end with it.

    In `/`: elsewhere, what a project brings along would tell a version manager's shim what to run.
    """
    pipe, null = subprocess.PIPE, subprocess.DEVNULL
    try:
        process = subprocess.Popen(
            words, stdin=pipe, stdout=pipe, stderr=null, env=dict(env), cwd=cwd, start_new_session=True
        )
    except (OSError, ValueError):
        return None, ""
    with process:
        try:
            answer, _ = process.communicate(given, timeout_s)
        except BaseException as error:
            with contextlib.suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)
            if isinstance(error, subprocess.TimeoutExpired):
                return None, ""
            raise
    return process.returncode, answer.decode("utf-8", "replace")
