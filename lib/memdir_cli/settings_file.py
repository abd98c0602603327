"""The settings file of Claude Code on the disk: memdir's hooks put in and taken out, and the way back to what it held.

What the file held before lies beside our copy, in `settings.before`; `settings.written` says by hashes with which texts
of ours it goes. So the old bytes come back only where the file is still, to the byte, what was made of them.
"""

import contextlib
import errno
import hashlib
import json
import os
import stat

from memdir import exchange, fsio, jsonio, locks
from memdir.errors import UserError
from memdir_cli.own_entries import Entry, wanted
from memdir_cli.settings_text import check, entries, plugins_enabled, with_hooks, without_hooks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Optional

    from memdir_cli.installation import Installation

    Hooks = dict[str, list[dict[str, Any]]]

__all__ = ["Entry", "check", "entries", "look", "plugins_enabled", "register", "unregister", "wanted", "with_hooks",
           "without_hooks"]  # fmt: skip

_BEFORE = "settings.before"
_WRITTEN = "settings.written"
_TRIES = 5  # against a program that writes the file at the same time
_WAIT_S = 30.0  # for another memdir
_BACKUPS = 10  # are kept
_FILE_BYTES = 64 << 20
_HINTS = {
    errno.EACCES: "give yourself the permission",
    errno.EPERM: "give yourself the permission",
    errno.EROFS: "make it writable",
    errno.ENOSPC: "make room on the disk",
    errno.EDQUOT: "make room on the disk",
}
_NONE = "none"  # in the place of a hash: there was no file


def register(installation: "Installation", plugin_root: str, now: float) -> bool:
    """Puts the hooks of the plugin in `plugin_root` into the settings, older ones of ours out; whether that changed it.

    The version before is kept in the state directory. `now`: seconds since 1970. Raises UserError.
    """
    hooks = wanted(plugin_root)
    with _alone(installation):
        changed = _put_in(installation, hooks, now)
        if installation.record("hooks") != plugin_root + "/hooks/py":
            with _telling("write to", installation.folder, "the hooks are in the settings, but that is not recorded"):
                installation.write_record("hooks", plugin_root + "/hooks/py")
    return changed


def look(installation: "Installation") -> "Optional[bytes]":
    """What the settings hold, None where there is no file. Raises UserError where `register` would refuse them."""
    path = _target(installation)
    current = _read(path)
    if current is not None:
        check(current, path)
    return current


def unregister(installation: "Installation", now: float) -> str:
    """Takes our hooks out of the settings; what that came to.

    "restored": the file was what we had written, so it holds again what it held before, or is gone where there was
    none; "removed entries": it had been changed since, or had entries of ours before; "nothing": none of ours was in
    it. `now`: seconds since 1970. Raises UserError.
    """
    with _alone(installation):
        done = _take_out(installation, now)
        for name in (_WRITTEN, _BEFORE, "hooks"):
            installation.forget(name)
    return done


def _put_in(installation: "Installation", hooks: "Hooks", now: float) -> bool:
    launcher = installation.record("hooks")
    for _ in range(_TRIES):
        path = _target(installation)
        current = _read(path)
        with _unchanged():
            check(current or b"", path)
            text = with_hooks(current, hooks, launcher)
            if text == current:
                return False
            before, known, stripped = _base(installation, current)
            if known:
                text = with_hooks(before, hooks, launcher)
            else:
                before = None if current is None else without_hooks(current, launcher, before)
                stripped = before != current
        _remember(installation, before, [current] if known else [], text, stripped=stripped)
        if _replace(installation, path, current, text, now):
            return True
    raise _busy(path)


def _take_out(installation: "Installation", now: float) -> str:
    for _ in range(_TRIES):
        path = _target(installation)
        current = _read(path)
        if current is None:
            return "nothing"
        before, known, stripped = _base(installation, current)
        text = before
        if not known:
            with _unchanged():
                check(current, path)
                text = without_hooks(current, installation.record("hooks"), before)
        if text == current:
            return "nothing"
        if _replace(installation, path, current, text, now):
            return "restored" if known and not stripped else "removed entries"
    raise _busy(path)


def _base(installation: "Installation", current: "Optional[bytes]") -> "tuple[Optional[bytes], bool, bool]":
    """What the file held before our hooks came (None: there was no file), and whether it is still what we wrote.

    The third: whether entries had to be taken out of what is kept as held before.
    """
    raw = fsio.read(f"{installation.folder}/{_WRITTEN}", 1 << 16)
    try:
        note = jsonio.loads(raw or b"")
        kept, written = note["before"], note["written"]
    except (ValueError, KeyError, TypeError):
        return None, False, False
    before = None if kept == _NONE else fsio.read(f"{installation.folder}/{_BEFORE}", _FILE_BYTES)
    if _hash(before) != kept or not isinstance(written, list):
        return None, False, False
    return before, current is not None and _hash(current) in written, bool(note.get("stripped"))


def _remember(
    installation: "Installation",
    before: "Optional[bytes]",
    ours: "list[Optional[bytes]]",
    text: bytes,
    *,
    stripped: bool,
) -> None:
    """Notes what the file held before, ahead of the change: after a kill in between, the note is about no file yet.

    `ours`: what of ours the file holds now. It goes on belonging to the same `before`, which then is not written anew.
    """
    written = [_hash(one) for one in [*ours, text]]
    note = json.dumps({"before": _hash(before), "written": written, "stripped": stripped})
    with _telling("write to", installation.folder):
        if not ours and before is not None:
            fsio.write(f"{installation.folder}/{_BEFORE}", before, durable=True)
        fsio.write(f"{installation.folder}/{_WRITTEN}", note.encode() + b"\n", durable=True)


def _hash(raw: "Optional[bytes]") -> str:
    return _NONE if raw is None else hashlib.sha256(raw).hexdigest()


def _target(installation: "Installation") -> str:
    """The file itself, links followed. Raises UserError where they lead nowhere."""
    path = installation.settings
    real = os.path.realpath(path)
    if os.path.islink(real):
        raise UserError(f"{path} is a link that leads back to itself; mend the link and run this again")
    if os.path.islink(path) and not os.path.isdir(os.path.dirname(real)):
        raise UserError(f"{path} is a link to {real}, and there is no such directory; make it, or mend the link")
    return real


def _read(path: str) -> "Optional[bytes]":
    """What is in the file, None where there is none. Raises UserError."""
    with _telling("read", path):
        try:
            fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        except FileNotFoundError:
            return None
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise UserError(f"{path} is no file; move what lies there out of the way and run this again")
        with _telling("read", path), os.fdopen(fd, "rb", closefd=False) as file:
            raw = file.read(_FILE_BYTES)
    finally:
        os.close(fd)
    if len(raw) == _FILE_BYTES:
        raise UserError(f"{path} is larger than {_FILE_BYTES >> 20} MB; make it smaller and run this again")
    return raw


def _replace(
    installation: "Installation", path: str, current: "Optional[bytes]", text: "Optional[bytes]", now: float
) -> bool:
    """Puts `text` (None: no file) in the place of `current`, which is kept; False where another program has written."""
    if current is not None:
        with _telling("keep a copy of the settings in", installation.state + "/backup"):
            _keep(installation.state + "/backup", current, now)
    with _telling("change a file in", os.path.dirname(path)):
        if text is None:
            return current is None or exchange.remove(path, current)
        return exchange.replace(path, current, text)


def _keep(folder: str, raw: bytes, now: float) -> None:
    name = f"settings-{int(now * 1000):015}-{fsio.checksum(raw):08x}-settings.json"
    fsio.write(f"{folder}/{name}", raw, durable=True)
    for one in sorted(one for one in os.listdir(folder) if one.startswith("settings-"))[:-_BACKUPS]:
        fsio.remove(f"{folder}/{one}")


@contextlib.contextmanager
def _alone(installation: "Installation") -> "Iterator[None]":
    """No other memdir at work on the settings; what a killed one left is swept up. Raises UserError."""
    with contextlib.ExitStack() as stack:
        with _telling("use", installation.state):
            free = stack.enter_context(locks.held(installation.state + "/settings.lock", _WAIT_S))
        if not free:
            raise UserError("another memdir is at work on the settings; run this again when it is done")
        for folder in (os.path.dirname(_target(installation)), installation.folder, installation.state + "/backup"):
            fsio.sweep(folder)
        yield


@contextlib.contextmanager
def _unchanged() -> "Iterator[None]":
    """Adds to what is wrong with the settings that they are as they were."""
    try:
        yield
    except UserError as error:
        raise UserError(f"{error}; nothing was changed: mend this and run it again") from None


@contextlib.contextmanager
def _telling(verb: str, place: str, state: str = "the settings are as they were") -> "Iterator[None]":
    try:
        yield
    except OSError as error:
        hint = _HINTS.get(error.errno or 0, "mend that")
        what = error.strerror or type(error).__name__
        raise UserError(f"cannot {verb} {place}: {what}; {state}: {hint}, run it again") from None


def _busy(path: str) -> UserError:
    return UserError(f"{path} is being changed by another program again and again; close it and run this again")
