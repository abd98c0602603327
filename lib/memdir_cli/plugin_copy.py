"""The copy of the plugin in Claude Code's configuration directory, which the settings name.

Sessions that are under way call its launcher at any moment, and Claude Code blocks a tool call whose launcher is not
there. So a new copy is made whole beside the old one, and the two are exchanged in one step.
"""

import compileall
import hashlib
import importlib.util
import os
import shutil
import stat

from memdir import exchange, fsio, jsonio, store
from memdir.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# What a user needs; tests, benchmarks and what belongs to git stay behind.
PARTS = (
    ".claude-plugin", "bin", "docs", "hooks", "lib", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md",
    "README.zh-CN.md", "install.sh", "plugin.json", "requirements-detector.txt", "requirements.txt",
)  # fmt: skip
PROGRAMS = ("hooks/py", "bin/memdir", "install.sh")  # to be executed, whatever an archive made of their modes
_NEW, _OLD = ".new-", ".old-"
_SUMS = "sums.json"  # in a copy: what was copied, for doctor
_SUMS_BYTES = 16 << 20


def refresh(source: str, app: str) -> int:
    """Makes `app` a copy of the checkout `source`; how many files it has. Only for who holds the lock of installs.

    Killed at any moment, `app` is the old copy or the new one. Raises OSError, and UserError where `source` is not
    whole.
    """
    for name in (*PROGRAMS, ".claude-plugin/plugin.json", "hooks/hooks.json", "lib/memdir/paths.py"):
        if not os.path.isfile(f"{source}/{name}"):
            raise UserError(f"{store.shown(source)} is not whole: {name} is missing; get memdir anew")
    sweep(app)
    new = f"{app}{_NEW}{os.getpid()}"
    try:
        files = [_copy(f"{source}/{name}", f"{new}/{name}") for name in _names(source)]
        for name in PROGRAMS:
            os.chmod(f"{new}/{name}", os.stat(f"{new}/{name}").st_mode | 0o111)
        fsio.write(f"{new}/{_SUMS}", jsonio.dumps(_sums(new)).encode(), durable=True)
        _compile(source, new, app)
        _sync(new)
        _put(new, app)
    finally:
        remove(new)
    return len(files)


def damaged(app: str) -> "list[str]":
    """The files of a copy that are not what was copied, sorted; none where that is not known, as of a checkout."""
    try:
        noted = jsonio.loads(fsio.read(f"{app}/{_SUMS}", _SUMS_BYTES) or b"{}")
    except ValueError:
        return [_SUMS]
    there = _sums(app)
    return sorted(name for name, sum_ in noted.items() if there.get(name) != sum_) if isinstance(noted, dict) else []


def _sums(root: str) -> "dict[str, str]":
    """The SHA-256 of each file that is copied."""
    names = [name for name in _names(root) if not os.path.islink(f"{root}/{name}")]
    return {name: hashlib.sha256(fsio.read(f"{root}/{name}", _SUMS_BYTES) or b"").hexdigest() for name in names}


def sweep(app: str) -> None:
    """Removes what killed installs left beside `app`. Only for who holds the lock of installs."""
    folder, base = os.path.split(app)
    for name in os.listdir(folder):
        if name.startswith((base + _NEW, base + _OLD)):
            remove(f"{folder}/{name}")


def is_free(app: str) -> bool:
    """Whether nothing is lost where `app` is replaced or removed: it is a copy of memdir, a link, or not there."""
    if os.path.islink(app) or not os.path.lexists(app):
        return True
    if os.path.lexists(f"{app}/.git"):
        return False  # somebody works in there
    try:
        plugin = jsonio.loads(fsio.read(f"{app}/.claude-plugin/plugin.json", 1 << 20) or b"")
    except ValueError:
        plugin = None
    if isinstance(plugin, dict):
        return plugin.get("name") == "memdir"
    return os.path.isfile(f"{app}/lib/memdir_cli/installation.py")  # a damaged copy


def remove(path: str) -> None:
    """Removes a copy, or a link in its place; nothing where there is none. Raises OSError."""
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.unlink(path)


def take_away(app: str) -> None:
    """Removes a copy so that, killed at any moment, `sweep` does the rest. Raises OSError."""
    old = f"{app}{_OLD}{os.getpid()}"
    os.rename(app, old)
    remove(old)


def _put(new: str, app: str) -> None:
    """Puts `new` in the place of `app`; the old copy is removed."""
    folder = os.path.dirname(app)
    if not os.path.lexists(app):
        os.rename(new, app)
    elif not exchange.swap(new, app):  # the system cannot: for a moment there is no copy
        old = f"{app}{_OLD}{os.getpid()}"
        os.rename(app, old)
        os.rename(new, app)
        fsio.sync_dir(folder)
        remove(old)
    fsio.sync_dir(folder)


def _names(source: str) -> "Iterator[str]":
    """The files and links of `source` that are copied, relative to it."""
    waiting = [name for name in PARTS if os.path.lexists(f"{source}/{name}")]
    while waiting:
        name = waiting.pop()
        path = f"{source}/{name}"
        if os.path.isdir(path) and not os.path.islink(path):
            waiting += [f"{name}/{inside}" for inside in os.listdir(path) if inside != "__pycache__"]
        elif not name.endswith((".pyc", ".tmp")):
            yield name


def _copy(source: str, target: str) -> str:
    fsio.make_dir(os.path.dirname(target))
    if os.path.islink(source):
        os.symlink(os.readlink(source), target)
    else:
        shutil.copyfile(source, target)
        status = os.stat(source)
        os.chmod(target, stat.S_IMODE(status.st_mode) & 0o755 | 0o600)
        os.utime(target, ns=(status.st_atime_ns, status.st_mtime_ns))
    return target


def _compile(source: str, new: str, app: str) -> None:
    """Compiles the library of `new`, which is to be `app`: else the first sessions pay for it.

    What `source` has been compiled to already is copied. It counts for a file of the same time and size only; Python
    compares them, and compiles the file where they differ.
    """
    for name in _names(new):
        if name.startswith("lib/") and name.endswith(".py"):
            compiled = importlib.util.cache_from_source(f"{source}/{name}")
            if os.path.isfile(compiled) and not os.path.islink(compiled):
                _copy(compiled, importlib.util.cache_from_source(f"{new}/{name}"))
    compileall.compile_dir(f"{new}/lib", ddir=f"{app}/lib", quiet=2)


def _sync(folder: str) -> None:
    """Waits until a tree is on the disk."""
    for inside, _, names in os.walk(folder):
        for name in names:
            if not os.path.islink(f"{inside}/{name}"):
                fd = os.open(f"{inside}/{name}", os.O_RDONLY)
                try:
                    os.fsync(fd)
                finally:
                    os.close(fd)
        fsio.sync_dir(inside)
