"""What a long command tells the person meanwhile: numbered steps, and paths as they are said."""

import io
import os
import re
import sys

from memdir import paths, store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_WIDTH = 80


class Progress:
    """Numbers the steps of a command, of which there are `steps`."""

    def __init__(self, steps: int) -> None:
        self._steps = steps
        self._done = 0

    def step(self, text: str) -> None:
        self._done += 1
        print(f"[{self._done}/{self._steps}] {text}", flush=True)

    def detail(self, text: str) -> None:
        """A sentence about the step that is under way."""
        for line in wrapped(text, _WIDTH - 6):
            print(f"      {line}", flush=True)

    def command(self, text: str) -> None:
        """What to do about it, on one line: it is to be copied."""
        print(f"      -> {text}", flush=True)


def place(path: str) -> str:
    """A path for a person: the home directory as ~, nothing that a terminal would act on."""
    home = paths.home(os.environ)
    if home and (path + "/").startswith(home + "/"):
        path = "~" + path[len(home) :]
    return store.shown(path)


def wrapped(text: str, width: int) -> "list[str]":
    """The words of a text in lines of at most `width` characters; a longer word has a line of its own.

    What stands in backquotes is one word: it is to be copied.
    """
    lines: "list[str]" = []
    for word in re.findall(r"(?:`[^`]*`|[^ ])+", text):
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines


class _Output(io.FileIO):
    """Standard output that goes to the null device from the first failure on: a pipe without a reader, a full disk."""

    def write(self, data: "Any") -> int:
        try:
            return super().write(data) or 0
        except OSError:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, self.fileno())
            os.close(null)
            return memoryview(data).nbytes


def lasting_output() -> None:
    """Lets nothing that happens to the output stop a command half-way, nor a letter that its encoding lacks."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    sys.stdout.flush()
    output = io.BufferedWriter(_Output(1, "w", closefd=False))
    sys.stdout = io.TextIOWrapper(output, encoding, "replace", line_buffering=True)
    if hasattr(sys.stderr, "reconfigure"):
        sys.stderr.reconfigure(errors="replace")


def yes(question: str) -> bool:
    """Asks at the terminal; Enter means yes, the end of the input no."""
    try:
        return input(f"{question} [Y/n] ").strip().lower() in ("", "y", "yes")
    except EOFError:
        print()
        return False
