"""The state directory as a whole: whether it is memdir's own, and what in it is."""

import os
import re
import stat

from memdir import fsio, jsonio, store
from memdir_cli import environment, plugin_copy

# What memdir makes in there; whatever else lies there stays. The lock of installs is held until the end.
LOCK = "install.lock"
_PLAIN = ("backup", "log.jsonl", "log.jsonl.1", "open", "profiles", "queue", "rules", "sessions")
_UNMISTAKABLE = ("apply", "catalog", "cursors", "detector", "settings.lock", "trusted", "worker.lock", "written", LOCK)
_CACHE = re.compile(r"[0-9a-f]{12}")  # a file in `rules`
_FILE_BYTES = 1 << 16


def fault(state: str, home: str, config: str) -> str:
    """Why a directory cannot be memdir's state, as the end of a sentence about it; "" if it can, or is not there."""
    for path, name in ((config, "Claude Code's configuration"), (home, "your home directory")):
        if path and (os.path.realpath(path) + "/").startswith(os.path.realpath(state).rstrip("/") + "/"):
            return f"holds {name}"
    if not os.path.isdir(state) or not os.listdir(state) or _is_marked(state):
        return ""
    return f"holds other things than memdir's ({names(sorted(os.listdir(state)))})"


def foreign(state: str) -> "list[str]":
    """The names in there that are not memdir's, sorted."""
    found = [name for name in os.listdir(state) if not _is_ours(name) and not environment.is_one(name)]
    return sorted([*found, *(["rules"] if _others_in_rules(state) else [])])


def clear(state: str) -> None:
    """Removes what is memdir's, but for the lock of installs. Raises OSError."""
    for name in os.listdir(state):
        if _is_ours(name) and name != LOCK and not (name == "rules" and _others_in_rules(state)):
            plugin_copy.remove(f"{state}/{name}")


def names(listed: "list[str]") -> str:
    """The first of some names, for a person."""
    return ", ".join([store.shown(name) for name in listed[:5]]) + (" …" if len(listed) > 5 else "")


def _is_ours(name: str) -> bool:
    return name in _PLAIN or name in _UNMISTAKABLE or _is_leftover(name)


def _is_leftover(name: str) -> bool:
    """Whether it is what a write that was cut off, or damage that was put aside, left in a directory of ours."""
    return (name.startswith(".memdir-") and name.endswith(".tmp")) or name.endswith(".damaged")


def _others_in_rules(state: str) -> bool:
    """Whether `rules` holds a person's rules: nothing else of ours has a name that people give to what they write."""
    folder = f"{state}/rules"
    if os.path.islink(folder) or not os.path.isdir(folder):
        return False
    return not all(_CACHE.match(name) or _is_leftover(name) for name in os.listdir(folder))


def _is_marked(state: str) -> bool:
    """Whether memdir has worked in there: by the list of profiles, by its log, or by names that only it gives."""
    profiles = _regular(f"{state}/profiles").splitlines()
    if profiles and all(line.startswith(b"/") for line in profiles):
        return True
    if any(map(_is_log, (f"{state}/log.jsonl", f"{state}/log.jsonl.1"))):
        return True
    return not foreign(state) and any(name in _UNMISTAKABLE for name in os.listdir(state))


def _is_log(path: str) -> bool:
    for line in _regular(path).splitlines()[:50]:
        try:
            said = jsonio.loads(line)
        except ValueError:
            continue
        if isinstance(said, dict) and "hook" in said and "t" in said:
            return True
    return False


def _regular(path: str) -> bytes:
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return b""
    except OSError:
        return b""
    return fsio.read(path, _FILE_BYTES) or b""
