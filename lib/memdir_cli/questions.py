"""Questions on a terminal; who ends the input answers none of them."""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_YES, _NO = ("y", "yes"), ("", "n", "no")


def ask(question: str, default: str, wanted: "Callable[[str], str]") -> str:
    """An answer that can be used; an empty one is the default. `wanted` says what it should have been, "" if right.

    Raises EOFError when the input ends.
    """
    while True:
        answer = _line(f"{question} [{default}] ") or default
        problem = wanted(answer)
        if not problem:
            return answer
        print(f"  This must be {problem}.")


def agree(question: str) -> bool:
    """Whether the answer is yes; an empty one is no. Raises EOFError when the input ends."""
    while True:
        answer = _line(f"{question} [y/N] ").lower()
        if answer in (*_YES, *_NO):
            return answer in _YES
        print("  Answer y or n.")


def _line(prompt: str) -> str:
    sys.stdout.write(prompt)
    sys.stdout.flush()
    raw = sys.stdin.buffer.readline()
    if not raw.endswith(b"\n"):  # an answer that was not sent off is none
        raise EOFError
    return raw.decode("utf-8", "replace").strip()
