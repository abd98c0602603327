"""A few lines of Python in a process of their own that kills itself right before its Nth change of the file system.

Unlike `killer.py`, which counts calls of `os`, this counts the audit events of the interpreter: what is called through
ctypes is seen as well.
"""

import subprocess
import sys

from support.checkout import ROOT

_WATCH = f"""
import os, sys
sys.path[:0] = [{str(ROOT / "lib")!r}]
stop_at, args = int(sys.argv[1]), sys.argv[2:]
CHANGES = ("os.rename", "os.link", "os.remove", "os.mkdir", "os.chmod", "ctypes.call_function")
count = 0
def watch(event, details):
    global count
    if event in CHANGES or event == "open" and isinstance(details[2], int) and details[2] & 3:
        count += 1
        if count == stop_at:
            os.kill(os.getpid(), 9)
"""


def run(imports: str, code: str, stop_at: int, *args: str) -> "subprocess.CompletedProcess[str]":
    """Runs `code`, which finds `args` under that name, and kills it before its change `stop_at` (0: never)."""
    script = f"{_WATCH}\n{imports}\nsys.addaudithook(watch)\n{code}\n"
    command = [sys.executable, "-I", "-S", "-c", script, str(stop_at), *args]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
