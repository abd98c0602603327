"""The memory directory of the project: there, ours to write, trusted, its topics and index in order."""

import os
import stat

from memdir import handover, index, index_lines, store
from memdir_cli.checks.finding import counted, note, ok, problem, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memdir_cli.checks.finding import Finding
    from memdir_cli.checks.scene import Scene

_ME = '"$(id -un)"'


def check(scene: "Scene") -> "Iterator[Finding]":
    memory = scene.memory
    if memory is None:
        yield problem("memory.none", "no memory directory belongs to this directory", "set HOME")
        return
    yield from _trust(scene)
    usable = True
    for finding in _directory(memory.path, memory.source):
        usable = usable and finding.level != "problem"
        yield finding
    if usable or os.access(memory.path, os.R_OK | os.X_OK):
        yield from _topics(memory.path, scene.now)
        yield from _index(memory.path)


def _directory(path: str, source: str) -> "Iterator[Finding]":
    if os.path.islink(path) and not os.path.exists(path):
        yield problem("memory.dangling", f"{path} is a link to a directory that is not there", f"rm {quoted(path)}")
    elif not os.path.exists(path):
        yield ok("memory.ok", f"memory directory {path} ({source}), not there yet: the first memory makes it")
    elif not os.path.isdir(path):
        mend = f"mv {quoted(path)} {quoted(path + '.aside')}"
        yield problem("memory.not_a_directory", f"{path} is no directory", mend)
    else:
        yield from _access(path, source)


def _access(path: str, source: str) -> "Iterator[Finding]":
    status = os.stat(path)
    place = quoted(os.path.realpath(path))
    if status.st_uid != os.geteuid():
        yield problem("memory.owner", f"{path} belongs to another user", f"sudo chown -R {_ME} {place}")
    elif not os.access(path, os.R_OK | os.X_OK):
        yield problem("memory.unreadable", f"{path} cannot be read", f"chmod u+rwx {place}")
    elif not os.access(path, os.W_OK):
        yield problem("memory.unwritable", f"{path} cannot be written", f"chmod u+rwx {place}")
    elif status.st_mode & stat.S_IWOTH:
        told = f"everybody on this machine may write into {path}, and Claude reads what is there"
        yield problem("memory.open", told, f"chmod o-w {place}")
    else:
        yield ok("memory.ok", f"memory directory {path} ({source})")


def _trust(scene: "Scene") -> "Iterator[Finding]":
    writable = handover.writable_memory(scene.cwd, scene.env, scene.state)
    if writable == handover.NOT_TRUSTED:
        yield note(
            "memory.untrusted", f"memdir writes no memories here: {writable}", f"{scene.memdir} setup --trust-dir"
        )
    try:
        with open(f"{scene.state}/{handover.TRUSTED}", encoding="utf-8", errors="surrogateescape") as file:
            lines = file.read().split("\n")
    except OSError:
        return
    gone = [number for number, line in enumerate(lines, 1) if line and not os.path.isdir(line.split("\t")[0])]
    if gone:
        path = f"{scene.state}/{handover.TRUSTED}"
        told = f"{path} trusts {counted(len(gone), 'project')} that {'is' if len(gone) == 1 else 'are'} gone"
        command = f"sed {quoted(';'.join([f'{number}d' for number in gone]))} {quoted(path)} >{quoted(path + '.new')}"
        yield note("memory.trust_gone", told, f"{command} && mv {quoted(path + '.new')} {quoted(path)}")


def _topics(folder: str, now: float) -> "Iterator[Finding]":
    files = store.scan(folder).files
    broken = 0
    for file, version in sorted(files.items()):
        topic = store.read(folder, file, version[0] / 1e9, now)
        path = os.path.join(folder, file)
        if topic is None:
            broken += 1
            yield problem("memory.topic", f"{path} cannot be read", f"chmod u+r {quoted(path)}")
            continue
        for line, sentence in topic.problems:
            broken += 1
            told = f"{path}:{line}: {sentence}"
            if topic.degraded:
                yield problem("memory.topic", told, f"edit {path}")
            else:
                yield note("memory.topic", told, f"edit {path}")
    if not broken:
        yield ok("memory.topics", f"{counted(len(files), 'topic file')}, every one readable")


def _index(folder: str) -> "Iterator[Finding]":
    path = os.path.join(folder, store.INDEX)
    content = store.index_text(folder)
    if content is None:
        if os.path.lexists(path):
            yield problem("memory.index", f"{path} cannot be read", f"chmod u+r {quoted(path)}")
        else:
            yield ok("memory.index", "no index yet")
        return
    loaded = index.load(content)
    size = f"{path}: {counted(loaded.lines, 'line')}, {counted(loaded.units, 'unit')}"
    if loaded.state == "over":
        told = f"{size}: the last {loaded.lost_lines} lines are not loaded"
        yield problem("memory.index_full", told, f"edit {path}: shorten it to {index.MAX_LINES} lines")
    elif loaded.state == "near":
        yield note("memory.index_full", f"{size}, near its limits", f"edit {path}: shorten it")
    else:
        yield ok("memory.index", f"{size}, within its limits")
    for entry in index_lines.entries(content):
        if store.version_of(os.path.join(folder, entry.file)) is None:
            yield note("memory.index_line", f"{path}:{entry.line}: no file {entry.file}", f"edit {path}")
