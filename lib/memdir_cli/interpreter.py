"""The real interpreter behind the one that runs this: no shim, no virtual environment.

install.sh also runs this file with interpreters that may be too old for memdir, so it keeps to old syntax.
"""

import os
import sys

LEAST_FOR_PACKAGES = (3, 10)
# The parts of the standard library that a cut-down Python may lack and memdir cannot do without.
_PARTS = ("argparse", "fcntl", "hashlib", "json", "subprocess", "unicodedata")


def real() -> str:
    """The executable to start memdir with: a stable link to an interpreter, as /usr/bin/python3, stays that link."""
    path = getattr(sys, "_base_executable", None) or sys.executable
    for _ in range(4):
        home = _home_of_environment(path)
        names = (os.path.basename(path), "python3", "python%d.%d" % sys.version_info[:2])  # noqa: UP031 - old syntax
        found = [os.path.join(home, name) for name in names if home and os.path.exists(os.path.join(home, name))]
        if not found:
            break
        path = found[0]
    return path


def _home_of_environment(path: str) -> str:
    """The directory of the interpreter that a virtual environment was made from; "" where `path` is in none."""
    folder = os.path.dirname(path)
    for place in (folder, os.path.dirname(folder)):
        try:
            with open(os.path.join(place, "pyvenv.cfg"), encoding="utf-8", errors="surrogateescape") as file:
                lines = file.read().split("\n")
        except OSError:
            continue
        for line in lines:
            key, _, value = line.partition("=")
            if key.strip().lower() == "home":
                return value.strip()
    return ""


def main(least_minor: int) -> int:
    """Prints `real()`, if it is Python 3 of at least that minor version and has what memdir needs; else 1."""
    if sys.version_info[0] != 3 or sys.version_info[1] < least_minor:
        return 1
    for name in _PARTS:
        __import__(name)
    sys.stdout.buffer.write(os.fsencode(real()) + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
