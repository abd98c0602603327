"""Replaces or removes a file of a person: only if it still holds what was read.

Editors and Claude Code write the same files and know nothing of memdir. So what was read is compared again at the last
moment, when the new text is on the disk, and the two files are exchanged in one step where the system can: what comes
out shows whether somebody wrote in between, who then gets the place back.
"""

import os
import stat
import sys

from memdir import fsio

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

_TRIES = 20  # to give the place back to a writer that goes on writing
_FILE_BYTES = 64 << 20  # more than any file that is replaced


def status(path: str) -> "Optional[os.stat_result]":
    """What there is to replace: None where there is no file, or something else in its place. Raises OSError."""
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return None
    return found if stat.S_ISREG(found.st_mode) else None


def replace(path: str, expected: "Optional[bytes]", data: bytes) -> bool:
    """Puts `data` in the place of a file that holds what is `expected`; no link in the last place is followed.

    None: there is no such file. If it holds something else nothing has changed, and False is returned. A file that is
    there keeps mode, group and owner; a new one is private. When it returns True all is on the disk. Raises OSError.
    """
    old = None
    if expected is not None:
        old = status(path)
        if old is None:
            return False
    ours = fsio.write_temporary(os.path.dirname(path), data, durable=True, like=old)
    try:
        if fsio.read(path, _FILE_BYTES) != expected:
            return False
        if expected is None:
            if not _link(ours, path):
                return False
        elif not swap(ours, path):
            os.replace(ours, path)
        elif not _took_out(ours, path, expected, data):
            return False
        fsio.sync_dir(os.path.dirname(path))
    finally:
        fsio.remove(ours)
    return True


def remove(path: str, expected: bytes) -> bool:
    """Removes a file that holds what is `expected`; False, with nothing changed, where it does not. Raises OSError."""
    folder = os.path.dirname(path)
    if status(path) is None or fsio.read(path, _FILE_BYTES) != expected:
        return False
    aside = os.path.join(folder, fsio.temporary_name(os.getpid()))
    os.rename(path, aside)
    if fsio.read(aside, _FILE_BYTES) != expected:
        _link(aside, path)  # in vain where somebody wrote once more: the newest version is in its place
        fsio.remove(aside)
        return False
    fsio.remove(aside)
    fsio.sync_dir(folder)
    return True


def _took_out(ours: str, path: str, expected: bytes, data: bytes) -> bool:
    """Whether the exchange took out what was expected; if not, somebody wrote just before, and gets the place back."""
    inside: "Optional[bytes]" = data
    outside = fsio.read(ours, _FILE_BYTES)
    if outside == expected:
        return True
    for _ in range(_TRIES):
        if not swap(ours, path):
            break
        before, inside, outside = inside, outside, fsio.read(ours, _FILE_BYTES)
        if outside == before:
            break  # nobody wrote meanwhile: the newest version is in its place
    return False


def _link(ours: str, path: str) -> bool:
    """Gives a new file its name, unless another process has just made one."""
    try:
        os.link(ours, path, follow_symlinks=False)
    except FileExistsError:
        return False
    except OSError:  # a file system without links
        if os.path.lexists(path):
            return False
        os.replace(ours, path)
    return True


def swap(one: str, other: str) -> bool:
    """Exchanges two files in one step; False where the system or the file system cannot."""
    try:
        import ctypes  # some builds of Python have none

        libc = ctypes.CDLL(None, use_errno=True)
        names = os.fsencode(one), os.fsencode(other)
        if sys.platform == "darwin":
            return bool(libc.renamex_np(*names, 2) == 0)  # RENAME_SWAP
        return bool(libc.renameat2(-100, names[0], -100, names[1], 2) == 0)  # AT_FDCWD, RENAME_EXCHANGE
    except (ImportError, OSError, AttributeError):
        return False
