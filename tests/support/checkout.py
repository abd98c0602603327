"""The checkout under test, and copies of what a user's installation has of it."""

import shutil
import sys
from pathlib import Path

from memdir_cli import plugin_copy

ROOT = Path(__file__).resolve().parents[2]
CLIENT_VERSION = (ROOT / "tests" / "e2e" / "CLIENT_VERSION").read_text().strip()


def copy_plugin(target: Path) -> Path:
    """Copies the plugin to `target`: hooks write their bytecode where they lie, whatever the environment says."""
    target.mkdir(parents=True)
    for name in plugin_copy.PARTS:
        source = ROOT / name
        if source.is_symlink() or source.is_file():
            shutil.copy2(source, target / name, follow_symlinks=False)
        elif source.is_dir():
            shutil.copytree(source, target / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    return target


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
