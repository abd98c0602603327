"""Locks between processes that end with the process: the kernel holds them, so a killed holder leaves none behind.

The file says nothing and is never deleted: whoever removes a lock file lets two processes lock two files of one name.
"""

import fcntl
import os
import time

from memdir import fsio

_TRY_S = 0.05  # between two looks at a lock that another process has


class held:
    """Holds the lock `path` inside the `with`, which gets False where another process has it for more than `wait_s`.

    Raises OSError when the file cannot be made or is a link: to open one would be to open what it leads to.
    """

    def __init__(self, path: str, wait_s: float = 0.0) -> None:
        self._path = path
        self._wait_s = wait_s

    def __enter__(self) -> bool:
        fsio.make_dir(os.path.dirname(self._path))
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0)
        self._fd = os.open(self._path, flags, 0o600)
        try:
            return self._take()
        except BaseException:
            os.close(self._fd)
            raise

    def __exit__(self, *_: object) -> None:
        os.close(self._fd)

    def _take(self) -> bool:
        deadline = time.monotonic() + self._wait_s
        while True:
            try:
                fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return True
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    return False
            time.sleep(_TRY_S)
