"""What this machine has to ask a model with: keys, Claude Code, an address; and whose word each of them is."""

import os
import shutil

from memdir import fsio, jsonio, paths, projects
from memdir.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
ADDRESS = "ANTHROPIC_BASE_URL"
_OURS = ("MEMDIR_CONFIG", "MEMDIR_DATA_DIR")
_SETTINGS = ("settings.json", "settings.local.json")
_SETTINGS_BYTES = 1 << 20


class Found:
    """`keys`: the variables that hold one, never their values. `claude`: its path. `base_url`: what ADDRESS says.

    `of_repository`: the settings file of this repository that sets ADDRESS, "" if none does.
    """

    def __init__(self, cwd: str, env: "Mapping[str, str]") -> None:
        self.keys = [name for name in KEYS if env.get(name)]
        self.claude = shutil.which("claude", path=env.get("PATH")) or ""
        self.of_repository, theirs = _set_by_repository(ADDRESS, cwd, env)
        self.base_url = env.get(ADDRESS, "") or theirs


def refuse_foreign(cwd: str, env: "Mapping[str, str]") -> None:
    """Raises UserError where a repository's settings say which files are memdir's: that is for the person to say."""
    for name in _OURS:
        if env.get(name):
            path, _ = _set_by_repository(name, cwd, env)
            if path:
                raise UserError(f"{path} sets {name}; unset it in this shell, or run memdir setup in another directory")


def _set_by_repository(name: str, cwd: str, env: "Mapping[str, str]") -> "tuple[str, str]":
    """The settings file of the repository around `cwd` that sets a variable, and the value; "" and "" if none does."""
    for folder in _folders(cwd, env):
        for file in _SETTINGS:
            path = f"{folder}/.claude/{file}"
            try:
                settings = jsonio.loads(fsio.read(path, _SETTINGS_BYTES, follow=True) or b"{}")
            except ValueError:
                continue  # the client drops it as well
            variables = settings.get("env") if isinstance(settings, dict) else None
            if isinstance(variables, dict) and name in variables:
                return path, str(variables[name])
    return "", ""


def _folders(cwd: str, env: "Mapping[str, str]") -> "Iterator[str]":
    """Where settings of a repository may lie: here and above, up to the home directory, and in the main worktree."""
    home = os.path.realpath(paths.home(env) or "/")
    folder = os.path.realpath(cwd)
    root = projects.main_root(folder)
    if root != home:
        yield root
    while folder not in (home, "/"):
        yield folder
        folder = os.path.dirname(folder)
