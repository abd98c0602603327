"""Which memory directories that a project's own settings chose memdir may write into: the person's word."""

import contextlib
import os

from memdir import fsio, handover, locks, paths, projects, store
from memdir.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Optional

_WAIT_S = 10.0


def line(memory: "Optional[projects.MemoryDir]", folder: str) -> str:
    """What has to be recorded to let memdir write into this project's directory; `folder`: what a person called it.

    "" where that is recorded already. Raises UserError where it cannot be, or `folder` is another one.
    """
    if memory is None:
        raise UserError("no memory directory belongs to this directory")
    real = os.path.realpath(memory.path)
    if folder and os.path.realpath(folder) != real:
        raise UserError(
            f"the memory directory of this project is {store.shown(real)}; run this in the project whose settings name"
            f" {store.shown(os.path.abspath(folder))}"
        )
    entry = handover.trust(os.getcwd(), memory.path)
    root = projects.main_root(os.path.realpath(os.getcwd()))
    for name, marks in ((root, "\n"), (real, "\n\t")):  # a tab ends the first of the two in the record
        if any([mark in name for mark in marks]):
            raise UserError(f"{store.shown(name)} has a line break or a tab in its name; it cannot be recorded")
    if handover.is_trusted(os.getcwd(), memory.path, _state()):
        print(f"memdir may write into {store.shown(real)} already.")
        return ""
    return entry


def add(entry: str) -> None:
    """Raises OSError."""
    path = f"{_state()}/{handover.TRUSTED}"
    with _alone():
        fsio.append(path, os.fsencode(entry))
    real = entry.rpartition("\t")[2]
    print(f"memdir writes this project's memories into {store.shown(real)} from now on ({store.shown(path)}).")


def remove(folder: str) -> None:
    """Takes the word back for a directory, or with "" for all of this project. Raises OSError, UserError."""
    path = f"{_state()}/{handover.TRUSTED}"
    gone = os.fsencode(handover.trust(os.getcwd(), folder)) if folder else b""
    project = os.fsencode(handover.trust(os.getcwd(), "/")).rpartition(b"\t")[0] + b"\t"
    with _alone():
        entries = (fsio.read(path, handover.TRUSTED_BYTES) or b"").split(b"\n")
        kept = [entry for entry in entries if not _is_meant(entry, project, gone)]
        if kept == entries:
            raise UserError(f"no such directory is trusted for this project ({store.shown(path)})")
        fsio.write(path, b"\n".join(kept), durable=True)
    print("memdir no longer writes there.")


@contextlib.contextmanager
def _alone() -> "Iterator[None]":
    """No other memdir changes the record meanwhile, or one would take the other's word back."""
    with locks.held(f"{_state()}/settings.lock", _WAIT_S) as free:
        if not free:
            raise UserError("another memdir is at work on the settings; run this again when it is done")
        yield


def _is_meant(entry: bytes, project: bytes, gone: bytes) -> bool:
    return entry == gone if gone else entry.startswith(project)


def is_open(memory: "Optional[projects.MemoryDir]") -> bool:
    """Whether this project's settings chose its memory directory, and nobody has trusted that."""
    return bool(
        memory
        and memory.source in handover.OF_A_PROJECT
        and not handover.is_trusted(os.getcwd(), memory.path, paths.state_dir(os.environ))
    )


def described(memory: "Optional[projects.MemoryDir]") -> "list[str]":
    if memory is None:
        return ["No memory directory belongs to this directory."]
    place = f"Memory directory of this project: {store.shown(memory.path)}"
    if memory.source not in handover.OF_A_PROJECT:
        return [place]
    word = "no memories are written there without your word (--trust-dir)" if is_open(memory) else "you trust it"
    return [place, f"  chosen by the settings of the project ({memory.source}); {word}"]


def document(memory: "Optional[projects.MemoryDir]") -> "Optional[dict[str, object]]":
    if memory is None:
        return None
    return {"dir": store.shown(memory.path), "source": memory.source, "writable": not is_open(memory)}


def _state() -> str:
    state = paths.state_dir(os.environ)
    if not state:
        raise UserError("no state directory: HOME is not set")
    return state
