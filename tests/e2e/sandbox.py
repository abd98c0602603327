"""Runs one command beside the scripted API where there is no network but loopback, and leaves no process behind.

Started as `unshare -n python sandbox.py SPEC.json` by client.py. It adopts whatever the command leaves running, however
detached, so that it can wait for a worker (`linger_s`) and end everything afterwards, also when the test is ended.
"""

import ctypes
import fcntl
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from e2e.fake_api import FakeApi

TIMED_OUT = 124  # what timeout(1) says
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36  # linux/prctl.h
_SIOCGIFFLAGS, _SIOCSIFFLAGS, _IFF_UP = 0x8913, 0x8914, 1  # linux/sockios.h, net/if.h


def _adopt_orphans() -> None:
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _raise_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sh14x", b"lo", 0)
        flags = struct.unpack("16sh14x", fcntl.ioctl(any_socket, _SIOCGIFFLAGS, request))[1]
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", flags | _IFF_UP))


def _descendants() -> "list[int]":
    """Every process that stems from this one, those that have ended and wait to be reaped left out."""
    parents: dict[int, int] = {}
    for entry in os.listdir("/proc"):
        try:
            stat = Path("/proc", entry, "stat").read_text("utf-8", "replace") if entry.isdigit() else ""
        except OSError:
            continue  # it ended meanwhile
        state, _, rest = stat.rpartition(")")[2].strip().partition(" ")
        if state and state != "Z":
            parents[int(entry)] = int(rest.split()[0])
    found = [os.getpid()]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return found[1:]


def _wait_for_descendants(seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while _descendants() and time.monotonic() < deadline:
        time.sleep(0.05)


def _end_descendants() -> None:
    for _ in range(100):  # a process may start another while we look
        pids = _descendants()
        if not pids:
            return
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.02)


def _stop(*_: object) -> NoReturn:
    _end_descendants()
    os._exit(1)


def _run(spec: "dict[str, Any]") -> int:
    out = Path(spec["out"])
    with FakeApi(spec["scenario"], out / "requests") as api:
        with open(out / "stdout", "wb") as stdout, open(out / "stderr", "wb") as stderr:
            command = subprocess.Popen(
                spec["command"],
                cwd=spec["cwd"],
                env={**spec["env"], "ANTHROPIC_BASE_URL": api.url},
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
            )
        try:
            rc = command.wait(spec["timeout_s"])
            _wait_for_descendants(spec["linger_s"])
        except subprocess.TimeoutExpired:
            rc = TIMED_OUT
        _end_descendants()
    return rc


def main() -> int:
    _adopt_orphans()
    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGINT, _stop)
    _raise_loopback()
    return _run(json.loads(Path(sys.argv[1]).read_text("utf-8")))


if __name__ == "__main__":
    sys.exit(main() & 0xFF)
