"""Runs a hook script in this process and writes what it imported, opened and started; for tests/contract/cost_test.py.

python -I -S probe.py REPORT SCRIPT [ARGUMENT...]
"""

import sys

STARTS = {"os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.spawn", "os.system", "subprocess.Popen"}
report, script, *args = sys.argv[1:]
before = set(sys.modules)
opened = []
started = []


def watch(event, details):
    if event == "open" and isinstance(details[0], (str, bytes)):
        opened.append(details[0] if isinstance(details[0], str) else details[0].decode("utf-8", "replace"))
    elif event in STARTS or event.startswith("socket."):
        started.append(event)


with open(script, encoding="utf-8") as file:
    source = file.read()
sys.argv = [script, *args]
sys.addaudithook(watch)


def finish(status):
    lines = [
        *(f"import {name}" for name in sorted(set(sys.modules) - before)),
        *(f"open {name}" for name in opened),
        *(f"start {name}" for name in started),
    ]
    with open(report, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    leave(status)


posix = sys.modules["posix"]
leave, posix._exit = posix._exit, finish  # a hook ends its process at once
exec(compile(source, script, "exec"), {"__name__": "__main__", "__file__": script})
