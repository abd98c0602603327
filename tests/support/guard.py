"""Keeps a test run from touching what it must not: the person's own files and the network."""

import ipaddress
import os
import sys
from typing import Any

REAL_HOME = os.path.realpath(os.path.expanduser("~"))
_FORBIDDEN = tuple(
    os.path.join(REAL_HOME, name)
    for name in (".claude", ".claude.json", ".config", ".local", "Library/Application Support")
)
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_CHANGES = {"os.mkdir", "os.remove", "os.rmdir", "os.rename", "os.link", "os.symlink", "os.truncate"}


def _is_personal(path: Any) -> bool:
    if not isinstance(path, (str, bytes)):
        return False
    absolute = os.path.abspath(os.fsdecode(path))
    return any(absolute == place or absolute.startswith(place + os.sep) for place in _FORBIDDEN)


def _is_loopback(host: Any) -> bool:
    if host in (None, "", "localhost", b"localhost"):
        return True
    try:
        return ipaddress.ip_address(os.fsdecode(host).split("%")[0]).is_loopback
    except ValueError:
        return False


def _audit(event: str, args: "tuple[Any, ...]") -> None:
    if event == "open":
        path, _, flags = args
        if flags & _WRITES and _is_personal(path):
            raise PermissionError(f"a test opened {path!r} of the real home for writing")
    elif event in _CHANGES:
        for path in args[:2]:
            if _is_personal(path):
                raise PermissionError(f"a test would change {path!r} of the real home ({event})")
    elif event in ("socket.connect", "socket.sendto"):
        address = args[1]
        if isinstance(address, tuple) and not _is_loopback(address[0]):
            raise PermissionError(f"a test would reach {address!r}: only loopback is allowed")
    elif event == "socket.getaddrinfo" and not _is_loopback(args[0]):
        raise PermissionError(f"a test would look up {args[0]!r}: only loopback is allowed")


def install() -> None:
    """For the whole process, for good: an audit hook cannot be removed. Child processes get their own HOME instead."""
    sys.addaudithook(_audit)
