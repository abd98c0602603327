"""What the rules need to know of this machine: real paths, directories, git worktrees and aliases."""

import os

from memdir import fsio, paths
from memdir.shell.calls import Machine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

FILE_BYTES = 262_144
CONFIG_BYTES = 65_536
_VARIABLES = (
    "CLAUDE_PROJECT_DIR",
    "CLAUDE_CONFIG_DIR",
    "TMPDIR",
    "USER",
    "LOGNAME",
    "XDG_CONFIG_HOME",
    "XDG_STATE_HOME",
)


class ThisMachine(Machine):
    """Asks the file system, each question once: a decision is over before the answers change."""

    def __init__(self, env: "Mapping[str, str]") -> None:
        self._env = env
        self.home = paths.home(env)
        self.variables = {"TMPDIR": "/tmp", **{name: env[name] for name in _VARIABLES if env.get(name)}}
        self._real: "dict[str, str]" = {}
        self._folds: "dict[str, bool]" = {}
        self._worktrees: "dict[str, tuple[str, str]]" = {}

    def real(self, path: str) -> str:
        found = self._real.get(path)
        if found is None:
            try:
                found = os.path.realpath(path)
            except (OSError, ValueError):
                found = path
            self._real[path] = found
        return found

    def kind(self, path: str) -> str:
        try:
            return "dir" if os.path.isdir(path) else "file" if os.path.lexists(path) else ""
        except ValueError:
            return ""

    def names(self, folder: str) -> "list[str]":
        try:
            return sorted(os.listdir(folder))
        except (OSError, ValueError):
            return []

    def text(self, path: str) -> str:
        raw = fsio.read(path, FILE_BYTES, follow=True) if os.path.isfile(path) else None
        return raw.decode("utf-8", "replace") if raw else ""

    def same_file(self, one: str, other: str) -> bool:
        try:
            return os.path.samefile(one, other)
        except (OSError, ValueError):
            return False

    def folds_case(self, path: str) -> bool:
        folder = path
        while folder not in ("", "/") and not os.path.isdir(folder):
            folder = os.path.dirname(folder)
        found = self._folds.get(folder)
        if found is None:
            swapped = folder.swapcase()
            found = swapped != folder and self.same_file(folder, swapped)
            self._folds[folder] = found
        return found

    def worktree(self, path: str) -> "tuple[str, str]":
        from memdir import projects  # where nothing is protected nobody asks

        folder = path
        passed = []
        while folder not in ("", "/") and folder not in self._worktrees:
            passed.append(folder)
            if os.path.lexists(folder + "/.git"):
                root = os.path.realpath(folder)
                self._worktrees[folder] = (root, projects.main_root(root) or root)
                break
            folder = os.path.dirname(folder)
        found = self._worktrees.get(folder, ("", ""))
        for folder in passed:
            self._worktrees[folder] = found
        return found

    def git_alias(self, name: str, cwd: str) -> str:
        root, common = self.worktree(cwd)
        files = [f"{common}/.git/config", f"{root}/.git/config.worktree"] if root else []
        xdg = self._env.get("XDG_CONFIG_HOME") or self.home + "/.config"
        found = ""
        for file in (f"{xdg}/git/config", self.home + "/.gitconfig", *files):
            raw = fsio.read(file, CONFIG_BYTES, follow=True)
            found = (_alias(raw.decode("utf-8", "replace"), name.lower()) if raw else "") or found
        return found


def _alias(text: str, name: str) -> str:
    """The last value of `alias.NAME` in a configuration file of git; its includes are not followed."""
    found = ""
    inside = False
    for line in text.replace("\\\n", "").split("\n"):
        line = line.strip()
        if line[:1] == "[":
            section, _, rest = line[1:].partition("]")
            inside = section.strip().lower() == "alias" or section.strip().lower() == f'alias "{name}"'
            line = rest.strip()
        key, equals, value = line.partition("=")
        if inside and equals and key.strip().lower() in (name, "command"):
            value = value.strip()
            quoted = len(value) > 1 and value[0] == value[-1] == '"'
            found = value[1:-1].replace('\\"', '"').replace("\\\\", "\\") if quoted else value
    return found
