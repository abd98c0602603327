"""A program at a terminal, and what a person types there."""

import os
import pty
import select
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path


def converse(
    command: "list[str]", answers: "tuple[str | bytes | None, ...]", *, cwd: Path, env: "Mapping[str, str]"
) -> "tuple[int, str]":
    """The exit code and what the terminal showed. Each answer is typed where the program asks, after `] `.

    None ends the input, "^C" interrupts; bytes are typed without the key that sends an answer off.
    """
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=cwd, env=env, start_new_session=True
    )
    os.close(theirs)
    shown = ""
    for answer in answers:
        shown += _until(ours, b"] ")
        if answer == "^C":
            os.killpg(process.pid, signal.SIGINT)
        else:
            os.write(
                ours, b"\x04" if answer is None else answer if isinstance(answer, bytes) else f"{answer}\n".encode()
            )
    shown += _until(ours, b"\0")
    os.close(ours)
    return process.wait(), shown.replace("\r\n", "\n")


def _until(terminal: int, mark: bytes) -> str:
    """What the terminal shows up to a mark, or to its end."""
    shown = b""
    while not shown.endswith(mark):
        assert select.select([terminal], [], [], 60)[0], shown
        try:
            chunk = os.read(terminal, 1)
        except OSError:  # how Linux says that the other side is closed
            break
        if not chunk:
            break
        shown += chunk
    return shown.decode("utf-8", "replace")
