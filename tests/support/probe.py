"""Runs a hook script in this process and writes what it imported, opened and started; for tests/contract/cost_test.py.

python -I -S probe.py REPORT SCRIPT [ARGUMENT...]
"""

import os
import sys

STARTS = {"os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.spawn", "os.system", "subprocess.Popen"}
report, script, *args = sys.argv[1:]
before = set(sys.modules) - {"os", "os.path", "posixpath", "genericpath", "stat", "_stat", "_collections_abc"}
opened: "list[str]" = []
started: "list[str]" = []


def watch(event: str, details: "tuple[object, ...]") -> None:
    name = details[0] if details else None
    if event == "open" and isinstance(name, (str, bytes)):
        opened.append(name if isinstance(name, str) else name.decode("utf-8", "replace"))
    elif event in STARTS or event.startswith("socket."):
        started.append(event)


with open(script, encoding="utf-8") as file:
    source = file.read()
sys.argv = [script, *args]
sys.addaudithook(watch)


def finish(status: int) -> None:
    lines = [
        *(f"import {name}" for name in sorted(set(sys.modules) - before)),
        *(f"open {name}" for name in opened),
        *(f"start {name}" for name in started),
    ]
    with open(report, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    leave(status)


leave = os._exit
os._exit = finish  # type: ignore[assignment]  # a hook ends its process at once
exec(compile(source, script, "exec"), {"__name__": "__main__", "__file__": script})
