"""`memdir uninstall`: takes memdir out of Claude Code again. Memories are never touched.

The order is what makes it safe to stop anywhere: first the settings, so that they never name a launcher that is gone,
last the record that says where the state directory is, so that a second run finds the rest.
"""

import argparse
import contextlib
import os
import shlex
import sys
import time

from memdir import fsio, locks, paths, queue, store
from memdir.errors import UserError
from memdir_cli import bin_link, environment, plugin_copy, precautions, profiles, settings_file, state_directory
from memdir_cli.install import LOCK_S, SETTINGS_BYTES
from memdir_cli.installation import ROOT, Installation
from memdir_cli.progress import lasting_output, place, wrapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_WORKER_S = 5.0  # for a worker that is at it
# Sessions under way read changed settings anew within two seconds. Until then they call the launcher, and where it were
# gone Claude Code would block every tool call of theirs.
_NOTICED_S = 3.0
# What is ours beside the copy; whatever else lies there stays.
_FOLDER = ("last_failure", "python", "settings.before", "settings.written", "site_packages", "hooks", "state_dir")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--purge", action="store_true", help="remove memdir's state as well, without asking")
    choice.add_argument("--keep-state", action="store_true", help="keep it, without asking")


def run(args: argparse.Namespace) -> int:
    lasting_output()
    installation = precautions.profile(os.environ)
    done: "list[str]" = []
    launcher = installation.record("hooks")
    with _alone(installation.state):
        _clear_settings(installation, done)
        if done and _may_be_in_use(installation):
            print("Waiting for sessions of Claude Code that are open to read their settings anew ...", flush=True)
            time.sleep(_NOTICED_S)
        others = profiles.others(installation.state, installation.config)
        kept = _clear_state(args, installation, others, done)
        _remove_links(installation, launcher, others, done)
        _remove_copy(installation, done)
    if kept == "":
        _remove_directory(installation.state, done)
    for line in done or ["Nothing to do: memdir is not installed here."]:
        print(line)
    _tell_what_stays(installation, kept)
    return 0


@contextlib.contextmanager
def _alone(state: str) -> "Iterator[None]":
    """Waits for an installation and a worker that are under way. Raises UserError if they take too long."""
    if not os.path.isdir(state):
        yield
        return
    with (
        locks.held(f"{state}/{state_directory.LOCK}", LOCK_S) as first,
        locks.held(queue.lock(state), _WORKER_S) as second,
    ):
        if not first or not second:
            what = "a worker is at it (`memdir queue list`)" if first else "an installation is under way"
            raise UserError(f"{what}; nothing was changed, run this again when it is done")
        yield


def _clear_settings(installation: Installation, done: "list[str]") -> None:
    raw = fsio.read(installation.settings, SETTINGS_BYTES, follow=True)
    if not os.path.isdir(installation.folder) and b"hooks" not in (raw or b""):
        return  # no state directory is made to find that out
    outcome = settings_file.unregister(installation, time.time())
    if outcome != "nothing":
        did = {"restored": "as it was before memdir", "removed entries": "memdir's entries removed, the rest left"}
        done.append(f"{place(installation.settings)}: {did[outcome]}")


def _may_be_in_use(installation: Installation) -> bool:
    """Whether a session may be under way: by the client's word, or by what the hooks noted."""
    for folder in (f"{installation.config}/sessions", f"{installation.state}/open"):
        with contextlib.suppress(OSError):
            if os.listdir(folder):
                return True
    return bool(os.environ.get("CLAUDECODE"))


def _clear_state(args: argparse.Namespace, installation: Installation, others: "list[str]", done: "list[str]") -> str:
    """Removes the worker's environment, and the rest of the state directory if the person wants so.

    Why the rest is kept, "" if it is not.
    """
    state = installation.state
    fault = state_directory.fault(state, paths.home(os.environ), installation.config)
    if not os.path.isdir(state):
        return "there is none"
    before = environment.folders(state)
    environment.remove_others(state, [profiles.site_packages(other) for other in others])
    gone = len(before) - len(environment.folders(state))
    if gone:
        done.append(f"{place(state)}: the worker's packages removed")
    profiles.remove(state, installation.config)
    if others:
        return f"{place(others[0])} uses it, too"
    if fault:
        return f"it {fault}, so nothing else in it was removed"
    if args.keep_state or not (args.purge or _agreed(state)):
        return _how_to_remove(state)
    waiting = _waiting(state)
    if waiting and args.purge:
        print(f"Given up: {waiting} in the queue, not yet made into memories.")
    state_directory.clear(state)
    done.append(f"{place(state)}: memdir's state removed")
    return ""


def _how_to_remove(state: str) -> str:
    """For later, when no `memdir` is there to do it."""
    others = state_directory.foreign(state)
    if others:
        return f"with what is not memdir's: {state_directory.names(others)}"
    quoted = shlex.quote(state)
    return f"`rm -r {quoted}` removes it" if store.shown(quoted) == quoted else "remove it when you like"


def _agreed(state: str) -> bool:
    if not sys.stdin.isatty():
        return False
    print(f"{place(state)} holds memdir's own state: summaries of sessions, backups of indexes and topics, the log,")
    print(f"and the queue ({_waiting(state) or 'empty'}). Memories are elsewhere and stay.")
    try:
        return input("Remove it? [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        print()
        return False


def _waiting(state: str) -> str:
    """What the queue holds, in words; "" if it is empty."""
    count = sum([len(queue.read(state, name)) for name in (queue.PENDING, queue.RUNNING, queue.FAILED)])
    return f"{count} session{'' if count == 1 else 's'}" if count else ""


def _remove_links(installation: Installation, launcher: str, others: "list[str]", done: "list[str]") -> None:
    roots = [installation.app, ROOT, launcher[: -len("/hooks/py")]]
    for root in dict.fromkeys(filter(None, roots)):
        done += bin_link.remove(root, os.environ, [f"{other}/memdir/app" for other in others])


def _remove_copy(installation: Installation, done: "list[str]") -> None:
    folder = installation.folder
    if not os.path.isdir(folder):
        return
    if os.path.lexists(installation.app) and plugin_copy.is_free(installation.app):
        plugin_copy.take_away(installation.app)
        done.append(f"{place(installation.app)} removed")
    plugin_copy.sweep(installation.app)
    fsio.sweep(folder)
    for name in _FOLDER:
        fsio.remove(f"{folder}/{name}")
    _remove_directory(folder, done)


def _remove_directory(folder: str, done: "list[str]") -> None:
    """Removes what should be empty now; what is in there nevertheless is not ours, and is named."""
    fsio.remove(f"{folder}/{state_directory.LOCK}")
    if not os.path.isdir(folder):
        return
    left = sorted(os.listdir(folder))
    if left:
        done.append(f"{place(folder)} stays, for what is not memdir's: {state_directory.names(left)}")
    elif os.path.islink(folder):
        done.append(f"{place(folder)} stays: it is a link, to a directory that is empty now")
    else:
        os.rmdir(folder)


def _tell_what_stays(installation: Installation, kept: str) -> None:
    lines = [f"Memories stay: {place(installation.config)}/projects/*/memory, and where your settings put them."]
    if kept and os.path.isdir(installation.state):
        lines.append(f"State stays: {place(installation.state)} ({kept}).")
    file = paths.config_file(os.environ)
    if os.path.lexists(file):
        lines.append(f"Your configuration stays: {place(file)}.")
    raw = fsio.read(installation.settings, SETTINGS_BYTES, follow=True)
    with contextlib.suppress(UserError):  # broken settings, in which memdir has no business any more
        for name in map(store.shown, settings_file.plugins_enabled(raw or b"{}")):
            lines.append(f"The plugin {name} is still enabled: `claude plugin uninstall {name}` removes it.")
    for line in lines:
        print("\n".join(wrapped(line, 80)))
