"""What speaks against an installation or its removal, asked before anything is changed."""

import os
import shlex
import stat

from memdir import paths, store
from memdir.errors import UserError
from memdir_cli import interpreter, plugin_copy, settings_file, state_directory
from memdir_cli.installation import ROOT, Installation
from memdir_cli.progress import place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def profile(env: "Mapping[str, str]") -> Installation:
    """The installation of the profile that CLAUDE_CONFIG_DIR or the home directory names.

    Raises UserError where that is the working directory's, or another user's: what root makes there, its owner's Claude
    Code could not read, and it would block every call of a tool.
    """
    chosen = env.get("CLAUDE_CONFIG_DIR")
    if chosen is not None and not chosen.startswith("/"):
        what = f"is {store.shown(chosen)}, which depends on the working directory" if chosen else "is empty"
        raise UserError(f"CLAUDE_CONFIG_DIR {what}; unset it, or set it to a whole path, then run this again")
    installation = Installation(env)
    settings = os.path.realpath(installation.settings)
    for path in (paths.home(env), installation.config, installation.folder, installation.state, settings):
        there = _first_there(path)
        if _is_anothers(there):
            raise UserError(
                f"{place(there)} belongs to {_user(os.stat(there).st_uid)}, and this runs as {_user(os.geteuid())}: "
                "run it without sudo, as the user whose Claude Code it is; nothing was changed"
            )
    return installation


def check(installation: Installation, root: str) -> None:
    """Raises UserError where an installation would be refused later. `root`: what the settings are to name."""
    for path in (installation.config, installation.state, root, interpreter.real()):
        if "\n" in path:
            raise UserError(f"{store.shown(path)} has a line break in its name; memdir cannot note that down")
    try:
        root.encode()
    except UnicodeEncodeError:
        raise UserError(f"{store.shown(root)} is not UTF-8, so settings cannot name it; use another") from None
    for path in (installation.folder, installation.state):
        _check_writable(_first_there(path))
    settings_file.look(installation)
    _check_writable(_first_there(os.path.dirname(os.path.realpath(installation.settings))))
    _check_state(installation)
    app = installation.app
    if root == app and os.path.realpath(ROOT) != os.path.realpath(app) and not plugin_copy.is_free(app):
        raise UserError(f"{place(app)} is no copy that memdir made; move it away, then run this again")


def _check_writable(there: str) -> None:
    if not os.path.isdir(there):
        raise UserError(f"{place(there)} is no directory; move it away, then run this again")
    if os.access(there, os.W_OK | os.X_OK):
        return
    mend = "chmod u+rwx it or mount it writable"
    if os.stat(there).st_uid != os.geteuid() and _first_there(paths.home(os.environ)) != there:
        mend = f"`sudo chown -R {os.geteuid()} {shlex.quote(store.shown(there))}` if it is yours"
    raise UserError(f"{place(there)} cannot be written: {mend}, then run this again")


def _check_state(installation: Installation) -> None:
    state = installation.state
    fault = state_directory.fault(state, paths.home(os.environ), installation.config)
    if not fault and (os.path.realpath(state) + "/").startswith(os.path.realpath(installation.app) + "/"):
        fault = "is in the copy of memdir, which is replaced as a whole"
    if fault:
        raise UserError(
            f"{place(state)} is to be memdir's state directory, but {fault}; set MEMDIR_DATA_DIR to a directory "
            "of its own, then run this again"
        )


def _first_there(path: str) -> str:
    """The path, or the first directory above it that exists."""
    while not os.path.lexists(path):
        path = os.path.dirname(path)
    return path


def _is_anothers(path: str) -> bool:
    """Whether it is a user's who is not the one that runs this. What is root's or everybody's, permissions decide."""
    try:
        status = os.stat(path)
    except OSError:
        return False
    shared = stat.S_ISDIR(status.st_mode) and status.st_mode & stat.S_ISVTX
    return status.st_uid not in (os.geteuid(), 0) and not shared


def _user(number: int) -> str:
    import pwd  # only for those words

    try:
        return store.shown(pwd.getpwuid(number).pw_name)
    except KeyError:
        return f"user {number}"
