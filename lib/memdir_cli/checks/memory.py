"""The memory directory of the project: there, ours to write, trusted, its topics and index in order."""

import os
import stat

from memdir import fsio, handover, index, index_lines, store
from memdir_cli.checks.finding import counted, edit, note, ok, own, problem, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memdir_cli.checks.finding import Finding
    from memdir_cli.checks.scene import Scene


def check(scene: "Scene") -> "Iterator[Finding]":
    memory = scene.memory
    if memory is None:
        yield problem("memory.none", "no memory directory belongs to this directory", "set HOME")
        return
    if scene.state:
        yield from _trust(scene)
    usable = True
    is_claudes = memory.source == "default" and memory.path.startswith(scene.config + "/projects/")
    for finding in _directory(memory.path, memory.source, "" if is_claudes else scene.choice_of_memory()):
        usable = usable and finding.level != "problem"
        yield finding
    if usable or os.access(memory.path, os.R_OK | os.X_OK):
        may_change = memory.source not in handover.OF_A_PROJECT
        yield from _topics(memory.path, scene.now, "" if may_change else scene.choice_of_memory())
        yield from _index(memory.path, "" if may_change else scene.choice_of_memory())


def _directory(path: str, source: str, choice: str) -> "Iterator[Finding]":
    """`choice`: what to do instead where settings or variables chose the directory, which may be the system's."""
    if os.path.islink(path) and not os.path.exists(path):
        told = f"{path} is a link to a directory that is not there{_chosen(source, choice)}"
        yield problem("memory.dangling", told, choice or f"rm {quoted(path)}")
    elif not os.path.exists(path):
        yield ok("memory.ok", f"memory directory {path} ({source}), not there yet: the first memory makes it")
    elif not os.path.isdir(path):
        mend = f"mv {quoted(path)} {quoted(path + '.aside')}"
        told = f"{path} is no directory{_chosen(source, choice)}"
        yield problem("memory.not_a_directory", told, choice or mend)
    else:
        yield from _access(path, source, choice)


def _chosen(source: str, choice: str) -> str:
    by = "a variable" if source in ("default", "environment") else f"the {source} settings"
    return f"; {by} chose it: choose another" if choice else ""


def _access(path: str, source: str, choice: str) -> "Iterator[Finding]":
    status = os.stat(path)
    place = quoted(path)
    if not choice and os.path.islink(path):
        choice, chosen = f"rm {place}", "; it is a link: without it a new directory is made"
    else:
        chosen = _chosen(source, choice)
    if status.st_uid != os.geteuid():
        yield problem("memory.owner", f"{path} belongs to another user{chosen}", choice or own(path))
    elif not os.access(path, os.R_OK | os.X_OK):
        yield problem("memory.unreadable", f"{path} cannot be read{chosen}", choice or f"chmod u+rwx {place}")
    elif not os.access(path, os.W_OK):
        yield problem("memory.unwritable", f"{path} cannot be written{chosen}", choice or f"chmod u+rwx {place}")
    elif status.st_mode & stat.S_IWOTH:
        told = f"everybody on this machine may write into {path}, and Claude reads what is there{chosen}"
        yield problem("memory.open", told, choice or f"chmod o-w {place}")
    else:
        yield ok("memory.ok", f"memory directory {path} ({source})")


def _trust(scene: "Scene") -> "Iterator[Finding]":
    writable = handover.writable_memory(scene.cwd, scene.env, scene.state)
    if writable == handover.NOT_TRUSTED:
        yield note(
            "memory.untrusted", f"memdir writes no memories here: {writable}", f"{scene.memdir} setup --trust-dir"
        )
    path = f"{scene.state}/{handover.TRUSTED}"
    lines = os.fsdecode(fsio.read(path, handover.TRUSTED_BYTES) or b"").split("\n")
    gone = [number for number, line in enumerate(lines, 1) if line and not os.path.isdir(line.rpartition("\t")[0])]
    if gone:
        told = f"{path} trusts {counted(len(gone), 'project')} that {'is' if len(gone) == 1 else 'are'} gone"
        numbers = ", ".join([str(number) for number in gone])
        told += f": take out {'line' if len(gone) == 1 else 'lines'} {numbers}"
        yield note("memory.trust_gone", told, edit(path, gone[0]))


def _topics(folder: str, now: float, choice: str) -> "Iterator[Finding]":
    files = store.scan(folder).files
    broken = 0
    for file, version in sorted(files.items()):
        topic = store.read(folder, file, version[0] / 1e9, now)
        path = os.path.join(folder, file)
        if topic is None:
            broken += 1
            yield problem("memory.topic", f"{path} cannot be read", choice or f"chmod u+r {quoted(path)}")
            continue
        for line, sentence in topic.problems:
            broken += 1
            told = f"{path}:{line}: {sentence}"
            if topic.degraded:
                yield problem("memory.topic", told, edit(path, line))
            else:
                yield note("memory.topic", told, edit(path, line))
    if not broken:
        yield ok("memory.topics", f"{counted(len(files), 'topic file')}, every one readable")


def _index(folder: str, choice: str) -> "Iterator[Finding]":
    path = os.path.join(folder, store.INDEX)
    content = store.index_text(folder)
    if content is None:
        if os.path.lexists(path):
            yield problem("memory.index", f"{path} cannot be read", choice or f"chmod u+r {quoted(path)}")
        else:
            yield ok("memory.index", "no index yet")
        return
    loaded = index.load(content)
    size = f"{path}: {counted(loaded.lines, 'line')}, {counted(loaded.units, 'unit')}"
    if loaded.state == "over":
        told = f"{size}: the last {loaded.lost_lines} lines are not loaded; shorten it to {index.MAX_LINES} lines"
        yield problem("memory.index_full", told, edit(path))
    elif loaded.state == "near":
        yield note("memory.index_full", f"{size}, near its limits: shorten it", edit(path))
    else:
        yield ok("memory.index", f"{size}, within its limits")
    for entry in index_lines.entries(content):
        if store.version_of(os.path.join(folder, entry.file)) is None:
            yield note("memory.index_line", f"{path}:{entry.line}: no file {entry.file}", edit(path, entry.line))
