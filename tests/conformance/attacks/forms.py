"""A command line as disguises see it: words and operators that can be changed one by one."""

import re
from collections.abc import Callable
from random import Random

OPERATORS = ("|", "||", "&", "&&", ";", "<", ">", ">>", "<<<", "(", ")", ">|", "2>", "&>")
PLAIN = re.compile(r"[A-Za-z0-9_./~:@+,%-]+")
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")


class Form:
    """A command line: `setup` stands before the `pieces` (words and operators as they are written)."""

    def __init__(self, pieces: "list[str]", setup: str = "") -> None:
        self.pieces = pieces
        self.setup = setup

    @property
    def text(self) -> str:
        return self.setup + " ".join(self.pieces)

    def is_simple(self) -> bool:
        """One command, without redirections and variables before it."""
        first = self.pieces[0]
        return not _ASSIGNMENT.match(first) and not any(piece in OPERATORS or "\n" in piece for piece in self.pieces)

    def plain(self) -> "list[int]":
        """The places of words without quotes and expansions."""
        found = []
        for at, piece in enumerate(self.pieces):
            if PLAIN.fullmatch(piece) and piece not in OPERATORS and not piece.startswith("~"):
                found.append(at)
        return found

    def with_piece(self, at: int, piece: str, setup: str = "") -> "Form":
        return Form([*self.pieces[:at], piece, *self.pieces[at + 1 :]], setup + self.setup)


def pieces_of(text: str) -> "list[str]":
    """The words and operators of a command line of one line, quotes and substitutions kept as they are."""
    found = []
    for match in re.finditer(
        r"""(?:'[^']*'|"(?:\\.|[^"\\])*"|\$?\((?:[^()]|\([^()]*\))*\)|<\([^)]*\)|\\.|[^\s'"])+""", text
    ):
        found.append(match[0])
    return found


def chosen(random: Random, form: Form) -> "list[int]":
    """One or two places of plain words, or all of them."""
    places = form.plain()
    return sorted(random.sample(places, min(len(places), random.choice((1, 2, 2, 99)))))


def each(random: Random, form: Form, change: "Callable[[str], str]") -> "Form | None":
    places = chosen(random, form)
    for at in places:
        form = form.with_piece(at, change(form.pieces[at]))
    return form if places else None


IN_BIN = frozenset(
    "rm git cat find python3 perl node sed tee cp mv dd truncate head tail grep awk base64 bash sh touch".split()
)
FOLDERS = frozenset("build build/ ./build migrations .claude .claude/rules .git/hooks".split())
FILES = FOLDERS | frozenset(
    """notes.txt scratch.txt .env migrations/001.sql migrations/002.sql src/a.ts src/new.ts .claude/rules/policy.md
    .claude/settings.json .git/hooks/pre-commit ~/.ssh/id_ed25519 ~/.aws/credentials ~/.claude/memdir/python
    ~/.claude/memdir/state_dir ~/.config/memdir/config.yaml ~/.local/state/memdir ~/.claude/settings.json
    migrations/new.sql build/css ~/.local/state/memdir/rules/x""".split()
)
