"""Whether the files of a copy of memdir are whole, by the files alone: one that was emptied or cut off names itself.

Words are counted, not parsed: a syntax tree of all files would cost more than all other checks together.
"""

import collections
import os
import re

from memdir import fsio

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_BYTES = 4 << 20
_PARTS = ("hooks", "lib")
_WORD = re.compile(r"[A-Za-z_]\w*")
_CALL = re.compile(r"(?<![\w.])(_[a-z]\w*)\(")  # of a helper, which stands below its caller in these files
_BOUND = re.compile(r"\b(?:def|class|as|import) +(_\w+)|(?<![\w.])(_\w+)(?:: [^=\n]+)? = ")
_IMPORT = re.compile(r"^ *(?:from [\w.]+ )?import ([^#()\n]+)", re.MULTILINE)


def damaged(root: str) -> "list[str]":
    """The files that are empty or cut off, or cannot be read."""
    return sorted(name for name in _names(root) if not _is_whole(f"{root}/{name}"))


def _names(root: str) -> "Iterator[str]":
    for part in _PARTS:
        for folder, _, names in os.walk(f"{root}/{part}"):
            for name in names:
                if os.path.basename(folder) != "__pycache__" and name != "__init__.py":
                    yield f"{folder}/{name}"[len(root) + 1 :]


def _is_whole(path: str) -> bool:
    raw = fsio.read(path, _BYTES, follow=True)
    if not raw or not path.endswith(".py"):
        return bool(raw)
    return raw.endswith(b"\n") and _fits(raw.decode("utf-8", "replace"))


def _fits(text: str) -> bool:
    """Whether a module has the helpers that it calls, and uses what it imports: else its end is missing."""
    bound = {name for pair in _BOUND.findall(text) for name in pair}
    if not bound.issuperset(_CALL.findall(text)):
        return False
    parts = [part for line in _IMPORT.findall(text) for part in line.split(",")]
    imported = {part.split(" as ")[-1].strip().split(".")[0] for part in parts}
    words = collections.Counter(_WORD.findall(text))
    return all([words[name] > 1 for name in imported if name])
