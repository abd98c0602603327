"""Claude Code's settings that may come with a repository: where they lie, and which variables they set."""

import os

from memdir import fsio, jsonio, paths, projects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

NAMES = ("settings.json", "settings.local.json")
_BYTES = 64 << 20


def files(cwd: str, env: "Mapping[str, str]") -> "list[str]":
    """Those that are there: in `cwd` and all above it, up to the home directory of `env`, and in the main worktree.

    Claude Code takes them where a session starts, which may be above `cwd`. Those in the home directory are the user's.
    """
    found = [f"{folder.rstrip('/')}/.claude/{name}" for folder in _folders(cwd, env) for name in NAMES]
    return [file for file in dict.fromkeys(found) if os.path.lexists(file)]


def set_by(name: str, files: "list[str]") -> "tuple[str, str]":
    """The first of these files that sets a variable, and the value; "" and "" if none does."""
    for path in files:
        try:
            settings = jsonio.loads(fsio.read(path, _BYTES, follow=True) or b"{}")
        except ValueError:
            continue  # the client drops it as well
        variables = settings.get("env") if isinstance(settings, dict) else None
        if isinstance(variables, dict) and name in variables:
            return path, str(variables[name])
    return "", ""


def _folders(cwd: str, env: "Mapping[str, str]") -> "Iterator[str]":
    home = os.path.realpath(paths.home(env) or "/")
    folder = os.path.realpath(cwd)
    root = projects.main_root(folder)
    if root != home:
        yield root
    while folder not in (home, "/"):
        yield folder
        folder = os.path.dirname(folder)
