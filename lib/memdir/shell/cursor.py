"""A cursor over shell text: what stands there, and what may be stepped over.

Line continuations, a backslash before a line break, vanish everywhere but in single quotes and comments. The text ends
with a NUL, which no shell text can hold, so that looking at the next character never fails.
"""

from memdir.shell.syntax import Block, Node, Script

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Optional

END = "\0"
MAX_DEPTH = 40  # which is up to 560 calls deep in Python, that allows 1000
METACHARACTERS = frozenset(" \t\n;&|()<>" + END)
DIGITS = frozenset("0123456789")
NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")


class NotRead(Exception):
    """What stands at an offset is not shell as this reader knows it."""

    def __init__(self, offset: int, sentence: str) -> None:
        super().__init__(sentence)
        self.offset = offset
        self.sentence = sentence


class Cursor:
    """Every method that reads leaves `_at` after what it has read.

    `offsets` are the places of the text's characters, and of its end, in the script. `node` owns what is found.
    """

    def __init__(self, text: str, offsets: "Sequence[int]", script: Script, node: Node, depth: int) -> None:
        self._text = text + END
        self._offsets = offsets
        self._at = 0
        self._script = script
        self._node = node
        self._depth = depth

    def _offset_after(self, at: int) -> int:
        """Where what ends before `at` ends in the script: some of its characters may have been left out here."""
        return self._offsets[at - 1] + 1 if at else self._offsets[0]

    def _joined(self, at: int) -> int:
        """The offset after any line continuations at `at`."""
        text = self._text
        while text[at] == "\\" and text[at + 1] == "\n":
            at += 2
        return at

    def _blanks(self) -> None:
        """Steps over blanks, line continuations and a comment."""
        text = self._text
        at = self._at
        while (char := text[at]) in " \t" or (char == "\\" and text[at + 1] == "\n"):
            at += 2 if char == "\\" else 1
        if char == "#":
            at = text.find("\n", at)
        self._at = at if at >= 0 else len(text) - 1

    def _sees(self, token: str) -> int:
        """The offset after `token` if it stands at the cursor, else 0."""
        at = self._at
        for char in token:
            at = self._joined(at)
            if self._text[at] != char:
                return 0
            at += 1
        return at

    def _take(self, token: str) -> bool:
        after = self._sees(token)
        self._at = after or self._at
        return after > 0

    def _expect(self, token: str) -> None:
        if not self._take(token):
            raise self._unexpected()

    def _run(self, at: int, chars: "frozenset[str]") -> "tuple[str, int]":
        """The run of these characters at `at`, without line continuations, and the offset after it."""
        text = self._text
        run = ""
        while True:
            start = at
            while text[at] in chars:
                at += 1
            run += text[start:at]
            after = self._joined(at)
            if after == at:
                return run, at
            at = after

    def _refused(self, sentence: str, at: "Optional[int]" = None) -> NotRead:
        return NotRead(self._offsets[self._at if at is None else at], sentence)

    def _unexpected(self) -> NotRead:
        text = self._text
        end = at = self._at
        while text[end] not in METACHARACTERS and end < at + 40:
            end += 1
        if text[at] == END:
            return self._refused("the text ends in the middle of a command")
        return self._refused(f"`{text[at : max(end, at + 1)]}` is unexpected here".replace("\n", "\\n"))

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self._refused(f"this nests deeper than {MAX_DEPTH} levels")

    def _open(self, kind: str, start: int) -> Block:
        """A block that began at `start` owns what follows."""
        self._deeper()
        self._node = block = Block(kind, self._node, self._offsets[start])
        self._script.blocks.append(block)
        return block

    def _close(self, block: Block) -> None:
        self._depth -= 1
        block.end = self._offset_after(self._at)
        assert block.parent is not None
        self._node = block.parent
