"""Replaces a file of a person: only if it still holds what was read, and never without keeping that.

Editors and Claude Code write the same files and know nothing of memdir. So what was read is compared again at the last
moment, when the new text is on the disk, and the two files are exchanged in one step where the system can: what comes
out shows whether somebody wrote in between, who then gets the place back.
"""

import os
import stat
import sys

from memdir import catalog, fsio, store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

BACKUP_S = 14 * 86_400.0
_TRIES = 20  # to give the place back to a writer that goes on writing
_BASE_BYTES = 200  # of the name of an old version: a file's name may take 255, and this has more in front
_FILE_BYTES = 64 << 20  # more than any file that is replaced


def replace(folder: str, file: str, expected: "Optional[bytes]", data: bytes, state_dir: str, now: float) -> bool:
    """Puts `data` in the place of `file` in the memory directory `folder`, where that holds what is `expected`.

    None: there is no such file. If it holds something else nothing has changed, and False is returned. A file that is
    there keeps mode, group and owner, and the old version is kept for 14 days; a new one is private. When it returns
    True all is on the disk. `now`: seconds since 1970. Raises OSError.
    """
    path = os.path.join(folder, file)
    old = None
    if expected is not None:
        try:
            old = os.lstat(path)
        except FileNotFoundError:
            return False
        if not stat.S_ISREG(old.st_mode):
            return False
        _keep(folder, file, expected, state_dir, now)
    ours = fsio.write_temporary(os.path.dirname(path), data, durable=True, like=old)
    try:
        if fsio.read(path, _FILE_BYTES) != expected:
            return False
        if expected is None:
            if not _link(ours, path):
                return False
        elif not _exchange(ours, path):
            os.replace(ours, path)
        elif not _took_out(ours, path, expected, data):
            return False
        fsio.sync_dir(os.path.dirname(path))
    finally:
        fsio.remove(ours)
    _expire(state_dir, now)
    return True


def _keep(folder: str, file: str, raw: bytes, state_dir: str, now: float) -> None:
    of = os.path.basename(catalog.path(state_dir, folder))
    base = os.fsdecode(os.fsencode(os.path.basename(file))[-_BASE_BYTES:])
    name = f"{of}-{int(now * 1000):015}-{fsio.checksum(raw):08x}-{base}"
    fsio.write(f"{state_dir}/backup/{name}", raw, durable=True)


def _took_out(ours: str, path: str, expected: bytes, data: bytes) -> bool:
    """Whether the exchange took out what was expected; if not, somebody wrote just before, and gets the place back."""
    inside: "Optional[bytes]" = data
    outside = fsio.read(ours, _FILE_BYTES)
    if outside == expected:
        return True
    for _ in range(_TRIES):
        if not _exchange(ours, path):
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


def _exchange(one: str, other: str) -> bool:
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


def _expire(state_dir: str, now: float) -> None:
    """Removes old versions that are past their time, but never the newest index of a directory."""
    folder = state_dir + "/backup"
    found = []
    for name in os.listdir(folder) if os.path.isdir(folder) else []:
        of, _, rest = name.partition("-")
        written, _, rest = rest.partition("-")
        file = rest.partition("-")[2]
        if file.endswith(".md") and len(written) == 15 and written.isdecimal():
            found.append((of, int(written) / 1000, file, name))
    newest = {of: name for of, _, file, name in sorted(found) if file == store.INDEX}
    for of, written_at, _, name in found:
        if written_at < now - BACKUP_S and newest.get(of) != name:
            fsio.remove(f"{folder}/{name}")
