"""Runs a script of memdir's in this process and kills it with SIGKILL right before its Nth change of the file system.

python -I -S killer.py N REPORT SCRIPT [ARGUMENT...]; with N 0 it runs to its end and writes the changes to REPORT, a
line each. Every call of `os` that changes a file or a directory or starts a process counts.
"""

import os
import signal
import sys

CHANGES = ("write", "fsync", "replace", "rename", "unlink", "link", "mkdir", "rmdir", "fork", "execve", "ftruncate")
number, report, script, *args = sys.argv[1:]
seen: "list[str]" = []
plain_open, plain_exit = os.open, os._exit


def due(what: str) -> None:
    seen.append(what)
    if len(seen) == int(number):
        os.kill(os.getpid(), signal.SIGKILL)


def watched(name: str) -> None:
    plain = getattr(os, name)

    def call(*values: object, **named: object) -> object:
        due(name)
        return plain(*values, **named)

    setattr(os, name, call)


def watched_open(path: str, flags: int, *values: int, **named: int) -> int:
    if flags & (os.O_CREAT | os.O_TRUNC):
        due("open")
    return plain_open(path, flags, *values, **named)


def finish(status: int) -> None:
    if number == "0":
        with open(report, "w", encoding="utf-8") as file:
            file.write("\n".join(seen))
    plain_exit(status)


sys.argv = [script, *args]
with open(script, encoding="utf-8") as source:
    code = compile(source.read(), script, "exec")
for change in CHANGES:
    watched(change)
os.open = watched_open  # type: ignore[assignment]
os._exit = finish  # type: ignore[assignment]
exec(code, {"__name__": "__main__", "__file__": script})
finish(0)
