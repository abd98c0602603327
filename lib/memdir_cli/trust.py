"""Which memory directories that a project's own settings chose memdir may write into: the person's word."""

import os

from memdir import fsio, handover, paths, projects, store
from memdir.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

_OF_A_PROJECT = ("project", "local")  # settings that may come with a repository


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
    if "\n" in entry:
        raise UserError(f"{store.shown(real)} has a line break in its name; memdir does not write there")
    if handover.is_trusted(os.getcwd(), memory.path, _state()):
        print(f"memdir may write into {store.shown(real)} already.")
        return ""
    return entry


def add(entry: str) -> None:
    """Raises OSError."""
    path = f"{_state()}/{handover.TRUSTED}"
    fsio.append(path, os.fsencode(entry))
    real = entry.rpartition("\t")[2]
    print(f"memdir writes this project's memories into {store.shown(real)} from now on ({store.shown(path)}).")


def remove(folder: str) -> None:
    """Takes the word back for a directory, or with "" for all of this project. Raises OSError, UserError."""
    path = f"{_state()}/{handover.TRUSTED}"
    raw = fsio.read(path, 1 << 24) or b""
    gone = os.fsencode(handover.trust(os.getcwd(), folder)) if folder else b""
    project = os.fsencode(handover.trust(os.getcwd(), "/")).rpartition(b"\t")[0] + b"\t"
    kept = [entry for entry in raw.splitlines(keepends=True) if not _is_meant(entry.rstrip(b"\n"), project, gone)]
    if b"".join(kept) == raw:
        raise UserError(f"no such directory is trusted for this project ({store.shown(path)})")
    fsio.write(path, b"".join(kept), durable=True)
    print("memdir no longer writes there.")


def _is_meant(entry: bytes, project: bytes, gone: bytes) -> bool:
    return entry == gone if gone else entry.startswith(project)


def is_open(memory: "Optional[projects.MemoryDir]") -> bool:
    """Whether this project's settings chose its memory directory, and nobody has trusted that."""
    return bool(
        memory
        and memory.source in _OF_A_PROJECT
        and not handover.is_trusted(os.getcwd(), memory.path, paths.state_dir(os.environ))
    )


def described(memory: "Optional[projects.MemoryDir]") -> "list[str]":
    if memory is None:
        return ["No memory directory belongs to this directory."]
    place = f"Memory directory of this project: {store.shown(memory.path)}"
    if memory.source not in _OF_A_PROJECT:
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
