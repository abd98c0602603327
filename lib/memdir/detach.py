"""Starts work that outlives the hook: a process of its own session, without the hook's standard streams."""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def run(step: "Callable[[], None]") -> None:
    """Runs `step` in a detached child and returns at once. Raises OSError when no process can be made.

    Fork, setsid, fork: when a hook times out, Claude Code 2.1.332 kills its whole process tree, and only a child of
    a session leader that has ended is out of it (measured). What the step raises ends the child alone.
    """
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    status = 1
    try:
        os.setsid()
        if not os.fork():
            _close_streams()
            os.chdir("/")
            step()
        status = 0
    finally:
        os._exit(status)


def _close_streams() -> None:
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
