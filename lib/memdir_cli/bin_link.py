"""The link `memdir` in a directory of programs: where there is a sensible one, and only if the name is free or ours."""

import os

from memdir import paths
from memdir_cli.progress import place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_PLACES = (".local/bin", "bin")  # below the home directory, where people keep programs of their own
_PROGRAM = "/bin/memdir"


def make(root: str, env: "Mapping[str, str]") -> str:
    """Links `memdir` to the program of `root`; what came of it, for the person."""
    program = root + _PROGRAM
    folder = _folder(env)
    if not folder:
        return f"no ~/.local/bin and no ~/bin: call {place(program)}"
    path = folder + "/memdir"
    if os.path.lexists(path) and not is_ours(path):
        return f"{place(path)} is another program and stays: call {place(program)}"
    try:
        os.makedirs(folder, exist_ok=True)
        _point(path, program)
    except OSError as error:
        return f"{place(path)} could not be made ({error.strerror}): call {place(program)}"
    if folder not in _search_path(env):
        return f"{place(path)}; {place(folder)} is not in your PATH, so call it by this path or add it"
    return place(path)


def remove(root: str, env: "Mapping[str, str]", others: "list[str]") -> "list[str]":
    """Removes the links to the program of `root`, or points them to the first of `others` that has one; says which."""
    done = []
    for path in [f"{paths.home(env)}/{folder}/memdir" for folder in _PLACES]:
        if not os.path.islink(path) or not is_ours(path) or not _leads_to(path, root):
            continue
        heirs = [other for other in others if os.access(other + _PROGRAM, os.X_OK)]
        if heirs:
            _point(path, heirs[0] + _PROGRAM)
            done.append(f"{place(path)} leads to {place(heirs[0])} now")
        else:
            os.unlink(path)
            done.append(f"{place(path)} removed")
    return done


def is_ours(path: str) -> bool:
    """Whether a link leads to a program of memdir, or led to one that is gone."""
    if not os.path.islink(path):
        return False
    real = os.path.realpath(path)
    if not real.endswith(_PROGRAM):
        return False
    root = real[: -len(_PROGRAM)]
    return not os.path.lexists(real) or os.path.isfile(root + "/lib/memdir_cli/installation.py")


def _leads_to(path: str, root: str) -> bool:
    real = os.path.realpath(path)
    return real == os.path.realpath(root + _PROGRAM) or not os.path.lexists(real)


def _folder(env: "Mapping[str, str]") -> str:
    """The directory for the link: one that is in PATH, else one that is there; "" where there is none."""
    home = paths.home(env)
    folders = [f"{home}/{folder}" for folder in _PLACES] if home else []
    listed = [folder for folder in folders if folder in _search_path(env)]
    there = [folder for folder in folders[:1] if os.path.isdir(folder)]
    return next(iter([folder for folder in listed if os.path.isdir(folder)] + listed + there), "")


def _search_path(env: "Mapping[str, str]") -> "list[str]":
    return [folder.rstrip("/") for folder in env.get("PATH", "").split(":")]


def _point(path: str, program: str) -> None:
    """Makes or changes the link in one step."""
    temporary = f"{path}.{os.getpid()}"
    if os.path.islink(path) and os.readlink(path) == program:
        return
    os.symlink(program, temporary)
    try:
        os.replace(temporary, path)
    except OSError:
        os.unlink(temporary)
        raise
