"""The log: one JSON line a run, without text of prompts or memories; what `memdir log` shows."""

import os

from memdir import fsio, jsonio

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ROTATE_BYTES = 1_000_000


def path(state_dir: str) -> str:
    return state_dir + "/log.jsonl"


def write(state_dir: str, line: "dict[str, Any]") -> None:
    """Adds one line; above ROTATE_BYTES the file becomes `log.jsonl.1` first. Raises OSError."""
    name = path(state_dir)
    try:
        if os.stat(name).st_size > ROTATE_BYTES:
            os.replace(name, name + ".1")
    except FileNotFoundError:
        pass
    fsio.append(name, jsonio.dumps(line).encode("ascii"))


def describe(error: BaseException) -> str:
    """An error without private text: its type, number and the place in our code, never a message or a path."""
    place = ""
    trace = error.__traceback__
    while trace is not None:
        place = f" at {os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}"
        trace = trace.tb_next
    number = f" {error.errno}" if isinstance(error, OSError) and error.errno else ""
    return type(error).__name__ + number + place
