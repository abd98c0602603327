"""Whether the process that was seen at some time still runs: a number alone may belong to another one by now."""

import os
import sys

from memdir import fsio

UNKNOWN_S = 86_400  # a process of another pid namespace (a container with the same home) counts as alive so long
_CLOCKS_S = 60  # by how much a start and a record may disagree where only the clock tells


def mark(pid: int) -> str:
    """What tells a process from a later one of the same number; "" where the system does not say (or it is gone).

    On Linux the pid namespace and the start in clock ticks since boot, which no change of the clock moves.
    """
    raw = fsio.read(f"/proc/{pid}/stat", 4096)
    if not raw:
        return ""
    fields = raw.rpartition(b")")[2].split()  # the name before it may hold anything
    if len(fields) < 20 or fields[0] in (b"Z", b"X"):
        return ""
    return f"{_namespace()}:{fields[19].decode('ascii', 'replace')}"


def alive(pid: int, marked: str, seen_at: float, now: float) -> bool:
    """Whether the process `pid`, marked so and seen at `seen_at` (seconds), still runs."""
    if pid <= 0:
        return False
    if marked and marked.partition(":")[0] != _namespace():
        return now - seen_at < UNKNOWN_S
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass  # somebody else's: it exists
    if marked:
        return mark(pid) == marked
    started = _started(pid, now) if sys.platform == "darwin" else None
    return started is None or started <= seen_at + _CLOCKS_S


def _namespace() -> str:
    try:
        return os.readlink("/proc/self/ns/pid")[5:-1]  # pid:[4026531836]
    except OSError:
        return ""


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
