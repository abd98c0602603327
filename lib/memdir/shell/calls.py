"""What a command line does, as far as its text tells: the programs it calls, and what cannot be known beforehand."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Optional


class Machine:
    """What there is to know about the machine. This one knows nothing; `memdir.machine` asks the file system.

    Paths are absolute and need not exist.
    """

    home = ""
    variables: "Mapping[str, str]" = {}  # of the environment that the command gets; only some are known

    def real(self, path: str) -> str:
        """The path without links and dot segments, as far as it exists."""
        return path

    def kind(self, path: str) -> str:
        """ "file" or "dir", links followed; "" if there is nothing."""
        return ""

    def names(self, folder: str) -> "list[str]":
        """The names in a directory; empty if it cannot be read."""
        return []

    def text(self, path: str) -> str:
        """The first 256 KB of a file; "" if it cannot be read."""
        return ""

    def same_file(self, one: str, other: str) -> bool:
        """Whether both paths exist and lead to one file (hard links included)."""
        return False

    def folds_case(self, path: str) -> bool:
        """Whether `a` and `A` are one name in the directory that holds the path."""
        return False

    def worktree(self, path: str) -> "tuple[str, str]":
        """The git worktree that holds the path, and what all worktrees of its repository share; ("", "") if none."""
        return "", ""

    def git_alias(self, name: str, cwd: str) -> str:
        """What the configuration of the repository at `cwd` or of the user has for `alias.NAME`; "" if nothing."""
        return ""


class Call:
    """A program that a command line runs, without what it is wrapped in: `sudo -u x env A=1 rm f` is `rm f`.

    `argv` holds arguments as in `arguments`. `cwd` is absolute, or "" when it cannot be known. `writes` are the targets
    of redirections that write, as arguments. `input` is the text on standard input when that is known, `feeders` the
    calls whose output it gets, `source` the file. `via` says what it stood in, outermost first: ("sudo", "bash -c").
    `implied` calls stand for an effect of another program: `find -delete` is also `rm -r`, with `via` saying so.
    `code` is the text of the program in a call such as `python3 -c`.
    """

    __slots__ = (
        "argv", "assigned", "code", "cwd", "end", "feeders", "implied", "input", "source", "start", "via", "writes",
    )  # fmt: skip

    def __init__(self, argv: "list[str]", cwd: str = "", start: int = 0, end: int = 0) -> None:
        self.argv = argv
        self.cwd = cwd
        self.start = start  # where the simple command stands in the text of the tool call
        self.end = end
        self.assigned: "dict[str, str]" = {}  # variables set for this call
        self.writes: "list[str]" = []
        self.input: "Optional[str]" = None
        self.source = ""
        self.feeders: "list[Call]" = []
        self.via: "tuple[str, ...]" = ()
        self.implied = False
        self.code = ""

    @property
    def name(self) -> str:
        """The program without its directory; "" when there is none, as in `> file`. It may hold marks."""
        return self.argv[0].rsplit("/", 1)[-1] if self.argv else ""

    def without_writes(self) -> "Call":
        """The same call with its output where it is seen."""
        other = Call(self.argv, self.cwd, self.start, self.end)
        other.input, other.feeders = self.input, self.feeders
        return other

    def __repr__(self) -> str:
        return f"Call({self.argv}, cwd={self.cwd!r}, writes={self.writes}, via={self.via})"


class Doubt:
    """A place where the text does not tell what runs. `kind`: syntax, program (its name), or text (run as commands)."""

    __slots__ = ("kind", "sentence", "start")

    def __init__(self, kind: str, start: int, sentence: str) -> None:
        self.kind = kind
        self.start = start
        self.sentence = sentence

    def __repr__(self) -> str:
        return f"Doubt({self.kind}, {self.start}, {self.sentence!r})"


class CommandLine:
    """All calls of a command line, in the order of the text, and all doubts."""

    __slots__ = ("calls", "doubts")

    def __init__(self) -> None:
        self.calls: "list[Call]" = []
        self.doubts: "list[Doubt]" = []
