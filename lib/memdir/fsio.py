"""Reads and writes files so that an interruption leaves the old content or the new, never a mixture."""

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


def read(path: str, limit: int, *, follow: bool = False) -> "Optional[bytes]":
    """The first `limit` bytes of a file, or None when there is none or it cannot be read.

    A link in the last place is followed only if asked: in memory and state directories a link leads elsewhere.
    """
    try:
        # O_NONBLOCK: opening a pipe that somebody put there must not wait for its other end
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | (0 if follow else _NOFOLLOW))
    except (OSError, ValueError):
        return None
    try:
        chunks = []
        while limit > 0:
            chunk = os.read(fd, min(limit, 1 << 20))
            if not chunk:
                break
            chunks.append(chunk)
            limit -= len(chunk)
        return b"".join(chunks)
    except OSError:
        return None
    finally:
        os.close(fd)


def checksum(data: "bytes | memoryview") -> int:
    """32 bits that tell damaged bytes from whole ones: the remainder by a prime.

    Not zlib's CRC: that is a shared library to find and load, a twentieth of a hook.
    """
    return int.from_bytes(data, "little") % 0xFFFFFFFB


def make_dir(path: str) -> None:
    """Makes a private directory (0700), and those above it that are missing likewise. Raises OSError."""
    if not os.path.isdir(path):
        make_dir(os.path.dirname(path))
        try:
            os.mkdir(path, 0o700)
        except FileExistsError:
            if not os.path.isdir(path):
                raise


def write(path: str, data: bytes, *, durable: bool) -> None:
    """Replaces a file in one step (temporary file beside it, rename), mode 0600. Raises OSError.

    `durable` waits until the bytes are on the disk: for what cannot be made again.
    """
    folder = os.path.dirname(path)
    make_dir(folder)
    temporary = os.path.join(folder, f".memdir-{os.getpid()}-{time.monotonic_ns()}.tmp")
    fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW, 0o600)
    try:
        try:
            _write_all(fd, data)
            if durable:
                os.fsync(fd)
        finally:
            os.close(fd)
        os.replace(temporary, path)
    except BaseException:
        _remove(temporary)
        raise
    if durable:
        sync_dir(folder)


def sweep(folder: str) -> None:
    """Removes the temporary files of processes that were killed while they wrote."""
    try:
        names = [name for name in os.listdir(folder) if name.startswith(".memdir-") and name.endswith(".tmp")]
    except OSError:
        return
    for name in names:
        pid = name[8:].partition("-")[0]
        try:
            os.kill(int(pid) if pid.isdecimal() and pid != "0" else os.getpid(), 0)
        except ProcessLookupError:
            _remove(os.path.join(folder, name))
        except OSError:
            continue  # another user's process: it lives


def append(path: str, line: bytes) -> None:
    """Adds one line (without its newline) in a single write, so that processes do not mix theirs. Raises OSError.

    After a line that was cut off, by a kill or a full disk, ours begins anew.
    """
    make_dir(os.path.dirname(path))
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | _NOFOLLOW, 0o600)
    try:
        size = os.fstat(fd).st_size
        whole = not size or os.pread(fd, 1, size - 1) == b"\n"
        os.write(fd, (b"" if whole else b"\n") + line + b"\n")
    finally:
        os.close(fd)


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return


def sync_dir(folder: str) -> None:
    """Waits until the names in a directory are on the disk: which files there are, and which no more."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
