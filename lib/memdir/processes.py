"""Whether the process that was seen at some time still runs: a number alone may belong to another one by now."""

import os
import sys

from memdir import fsio

UNKNOWN_S = 86_400  # a process of another machine or container with the same home counts as alive so long
_CLOCKS_S = 60  # by how much a start and a record may disagree where only the clock tells


def mark(pid: int) -> str:
    """What tells a process from a later one of the same number; "" where the system does not say (or it is gone).

    On Linux where it runs (host, pid namespace, boot) and its start in clock ticks since boot, which no change of the
    clock moves.
    """
    raw = fsio.read(f"/proc/{pid}/stat", 4096)
    if not raw:
        return ""
    fields = raw.rpartition(b")")[2].split()  # the name before it may hold anything
    if len(fields) < 20 or fields[0] in (b"Z", b"X"):
        return ""
    return f"{'/'.join(_here())}:{fields[19].decode('ascii', 'replace')}"


def alive(pid: int, marked: str, seen_at: float, now: float) -> bool:
    """Whether the process `pid` (0: unknown), marked so and seen at `seen_at` (seconds), still runs."""
    if pid <= 0:
        return now - seen_at < UNKNOWN_S
    if marked:
        there, here = marked.rpartition(":")[0].split("/"), _here()
        if len(there) == 3 and there[0] == here[0] and there[2] != here[2]:
            return False  # this machine has been started again
        if there != here:
            return now - seen_at < UNKNOWN_S
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        pass  # somebody else's: it exists
    if marked:
        return mark(pid) == marked
    started = _started(pid, now) if sys.platform == "darwin" else None
    return started is None or started <= seen_at + _CLOCKS_S


def _here() -> "list[str]":
    """Where this process runs: the machine, its pid namespace, and its boot."""
    boot = fsio.read("/proc/sys/kernel/random/boot_id", 64) or b""
    return [os.uname().nodename.replace("/", "-"), fsio.namespace(), boot[:8].decode("ascii", "replace")]


def _started(pid: int, now: float) -> "float | None":
    """When a process was started, by what `ps` says of its age; None if that is not known."""
    import subprocess  # on macOS, for a process that may be a leftover's: never at a prompt

    try:
        command = ["/bin/ps", "-o", "etime=", "-p", str(pid)]
        answer = subprocess.run(command, capture_output=True, text=True, timeout=5, check=False).stdout.strip()
        days, _, clock = answer.rpartition("-")
        seconds = 0
        for part in clock.split(":"):
            seconds = seconds * 60 + int(part)
        return now - seconds - 86_400 * int(days or 0)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
