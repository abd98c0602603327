"""Reads and writes files so that an interruption leaves the old content or the new, never a mixture."""

import os
import stat
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

_OF_OTHERS_S = 3_600.0  # no write takes so long
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
    temporary = write_temporary(folder, data, durable=durable)
    try:
        os.replace(temporary, path)
    except BaseException:
        remove(temporary)
        raise
    if durable:
        sync_dir(folder)


def write_temporary(folder: str, data: bytes, *, durable: bool, like: "Optional[os.stat_result]" = None) -> str:
    """Makes a file in `folder` that `sweep` removes should this process be killed; its path. Raises OSError.

    Mode 0600, or mode, group and owner of the file `like`. Who may not give it that group gives the new one no more
    than everybody has.
    """
    make_dir(folder)
    path = os.path.join(folder, temporary_name(os.getpid()))
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW, 0o600)
    try:
        try:
            _write_all(fd, data)
            if like is not None:
                _make_like(fd, like)
            if durable:
                os.fsync(fd)
        finally:
            os.close(fd)
    except BaseException:
        remove(path)
        raise
    return path


def temporary_name(pid: int) -> str:
    """A name for a file that the process `pid` of this machine and container is writing."""
    return f".memdir-{pid}-{_place()}-{time.monotonic_ns()}.tmp"


def namespace() -> str:
    """The pid namespace of this process: process numbers mean nothing outside it; "" where there is none."""
    try:
        return os.readlink("/proc/self/ns/pid")[5:-1]  # pid:[4026531836]
    except OSError:
        return ""


def _place() -> str:
    """Where the number of this process means something: the machine and the namespace, as 8 hex digits."""
    return f"{checksum(os.fsencode(f'{os.uname().nodename}/{namespace()}')):08x}"


def _make_like(fd: int, like: os.stat_result) -> None:
    made = os.fstat(fd)
    mode = like.st_mode & 0o777
    if (made.st_uid, made.st_gid) != (like.st_uid, like.st_gid):
        try:
            os.fchown(fd, like.st_uid if made.st_uid == 0 else -1, like.st_gid)
        except OSError:
            mode = mode & 0o707 | (mode & 0o007) << 3
    if made.st_mode & 0o777 != mode:
        try:
            os.fchmod(fd, mode)
        except OSError:
            return  # a file system without modes


def put_aside(path: str, target: str = "") -> None:
    """Renames what is damaged to `target` (PATH.damaged), in the place of what was put aside before. Raises OSError."""
    target = target or path + ".damaged"
    try:
        os.replace(path, target)
    except FileNotFoundError:
        return  # another process has done so
    except OSError:  # one of the two is a directory
        os.replace(path, f"{target[: -len('.damaged')]}.{time.time_ns()}.damaged")


def make_room(path: str, target: str = "") -> None:
    """Puts aside what is no regular file, as a directory or a link, in the place of a file of ours. Raises OSError."""
    try:
        status = os.lstat(path)
    except OSError:
        return
    if not stat.S_ISREG(status.st_mode):
        put_aside(path, target)


def sweep(folder: str) -> None:
    """Removes the temporary files of processes that were killed while they wrote.

    Of another machine or container with the same directory, whose processes are not known here, after an hour.
    """
    try:
        names = [name for name in os.listdir(folder) if name.startswith(".memdir-") and name.endswith(".tmp")]
    except OSError:
        return
    for name in names:
        path = os.path.join(folder, name)
        pid, _, rest = name[8:].partition("-")
        if not pid.isdecimal() or pid == "0":
            continue  # not one of ours
        ours = rest.startswith(_place() + "-")
        if not _is_running(int(pid)) if ours else _is_older(path, _OF_OTHERS_S):
            remove(path)


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True  # another user's process
    return True


def _is_older(path: str, age_s: float) -> bool:
    try:
        return time.time() - os.lstat(path).st_mtime > age_s
    except OSError:
        return False


def append(path: str, line: bytes) -> None:
    """Adds one line (without its newline) in a single write, so that processes do not mix theirs. Raises OSError.

    After a line that was cut off, by a kill or a full disk, ours begins anew.
    """
    make_dir(os.path.dirname(path))
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | _NOFOLLOW
    try:
        fd = os.open(path, flags, 0o600)
    except OSError:
        make_room(path)
        fd = os.open(path, flags, 0o600)
    try:
        size = os.fstat(fd).st_size
        whole = not size or os.pread(fd, 1, size - 1) == b"\n"
        _write_all(fd, (b"" if whole else b"\n") + line + b"\n")  # what a full disk took in part is an error
    finally:
        os.close(fd)


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def remove(path: str) -> None:
    """Removes a file, if there is one and it can be."""
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
