"""The checkout under test, and copies of what a user's installation has of it."""

import compileall
import functools
import importlib.util
import os
import shutil
import sys
from pathlib import Path

from memdir_cli import plugin_copy

ROOT = Path(__file__).resolve().parents[2]
CLIENT_VERSION = (ROOT / "tests" / "e2e" / "CLIENT_VERSION").read_text().strip()


def copy_plugin(target: Path, *, compiled: bool = True) -> Path:
    """Copies the plugin to `target`: hooks write their bytecode where they lie, whatever the environment says.

    `compiled`: with the bytecode of the running Python, as after a first session, since to compile takes longer than
    most tests.
    """
    target.mkdir(parents=True)
    for name in plugin_copy.PARTS:
        source = ROOT / name
        if source.is_symlink() or source.is_file():
            shutil.copy2(source, target / name, follow_symlinks=False)
        elif source.is_dir():
            shutil.copytree(source, target / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    for name, bytecode in _bytecode().items() if compiled else ():
        (target / name).parent.mkdir(exist_ok=True)
        (target / name).write_bytes(bytecode)
    return target


@functools.cache
def _bytecode() -> "dict[str, bytes]":
    """The compiled library by the names that a copy has it under; of a file edited meanwhile it is just not used."""
    compileall.compile_dir(ROOT / "lib", quiet=2)  # tests/run says where to, and there it stays for the next run
    found = {}
    for source in (ROOT / "lib").rglob("*.py"):
        file = importlib.util.cache_from_source(str(source))
        if os.path.exists(file):  # not of a file that is being edited
            found[f"{source.parent.relative_to(ROOT)}/__pycache__/{os.path.basename(file)}"] = Path(file).read_bytes()
    return found


def plain_python(folder: Path, interpreter: str) -> str:
    """A directory for the front of PATH in which `python3` is `interpreter`, outside any virtual environment."""
    folder.mkdir(parents=True, exist_ok=True)
    link = folder / "python3"
    link.unlink(missing_ok=True)
    link.symlink_to(interpreter)
    return str(folder)


def running_python() -> str:
    """The real executable behind this process, links and virtual environment resolved."""
    return str(Path(getattr(sys, "_base_executable", None) or sys.executable).resolve())
