"""Entries asked one by one about parts of a call, to find what matters to each; the work is bounded, not the time."""

from memdir import enforcement
from memdir.evidence import Evidence
from memdir.rules import decision
from memdir.rules.finding import NO_OPINION
from memdir.rules.guards.protect_memdir import Guarded
from memdir.rules.rule import RuleFile
from memdir.shell.calls import Call, CommandLine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

    from memdir.rulebook import RuleBook
    from memdir.rules.rule import Entry
    from memdir.shell.calls import Machine

WORDS = 30_000  # that are asked about for one explanation
ONE_BY_ONE = 30  # words of a command; of more, halves and quarters are left out first
_OVERHEAD = 5  # words that an asking counts for, whatever it is about
_LETTERS = 20  # that count as a word


class Askings:
    """`left`: how many words may still be asked about. `short`: whether there was more to ask about than that."""

    def __init__(
        self, session: enforcement.Session, book: "RuleBook", call: decision.ToolCall, machine: "Machine"
    ) -> None:
        self.left = WORDS
        self.short = False
        self._call = call
        self._machine = machine
        self._guarded = session.guarded(book)
        self._evidence = session.evidence()

    def is_too_long(self, line: "Optional[CommandLine]") -> bool:
        """Whether a call is not even asked about as a whole once more."""
        return line is not None and _total(line.calls) > WORDS

    def opinions(self, line: "Optional[CommandLine]", files: "list[RuleFile]") -> "list[decision.Opinion]":
        """What all entries say about the whole call, for which nothing is counted."""
        return decision.Bench(self._call, line, files, self._guarded, self._machine, self._evidence).opinions()

    def of(
        self, calls: "list[Call]", file: "Optional[RuleFile]", entry: "Optional[Entry]", *, past: bool = True
    ) -> str:
        """What an entry, or protect-memdir, says about these commands; NO_OPINION where they are more than is left.

        Without `past` as in a session in which nothing has been run.
        """
        line = CommandLine()
        line.calls = calls
        again = len(self._call.command or "") // _LETTERS if entry and entry.kind == "require" else 0  # it is read anew
        return self._ask(line, _total(calls) + again, file, entry, past=past)

    def of_tool(self, file: RuleFile, entry: "Entry", *, past: bool) -> str:
        """The same about the call of another tool."""
        return self._ask(None, 0, file, entry, past=past)

    def _ask(
        self,
        line: "Optional[CommandLine]",
        size: int,
        file: "Optional[RuleFile]",
        entry: "Optional[Entry]",
        *,
        past: bool,
    ) -> str:
        if size > self.left:
            self.short = True
            return NO_OPINION
        self.left -= size
        alone = RuleFile(file.path if file else "", file.base if file else "", user=bool(file and file.user))
        alone.entries = [entry] if entry else []
        guarded = Guarded([], []) if entry else self._guarded
        evidence = self._evidence if past else Evidence("")
        for _, one, finding in decision.Bench(self._call, line, [alone], guarded, self._machine, evidence).opinions():
            if one is entry:
                return finding.decision
        return NO_OPINION

    def commands(
        self, calls: "list[Call]", file: "Optional[RuleFile]", entry: "Optional[Entry]", said: str
    ) -> "list[Call]":
        """Those of which each is enough for what an entry said; none if it takes several together."""
        reserve = self.left // 2  # for their words
        found: "list[Call]" = []
        for call in calls:
            if self.left < reserve:
                self.short = True
                break
            if self.of([call], file, entry) == said:
                found.append(call)
        return found

    def least(self, call: Call, file: "Optional[RuleFile]", entry: "Optional[Entry]", said: str) -> Call:
        """The command with every word left out that does not matter to the entry, as far as askings go."""
        least = call
        if call.writes and self.of([_copy(call, call.argv, [])], file, entry) == said:
            least = _copy(call, call.argv, [])
        size = 1 if len(call.argv) <= ONE_BY_ONE else len(call.argv) // 2
        while size:
            end = len(least.argv)
            while end > 1:
                start = max(1, end - size)
                shorter = _copy(least, least.argv[:start] + least.argv[end:], least.writes)
                least = shorter if self.of([shorter], file, entry) == said else least
                end = start
            size //= 2
        return least


def _total(calls: "list[Call]") -> int:
    return sum(map(_size, calls))


def _size(call: Call) -> int:
    letters = sum(map(len, call.argv)) + len(call.code) + len(call.input or "")
    return _OVERHEAD + len(call.argv) + len(call.writes) + letters // _LETTERS


def _copy(call: Call, argv: "list[str]", writes: "list[str]") -> Call:
    other = Call(argv, call.cwd, call.start, call.end)
    for name in Call.__slots__:
        setattr(other, name, getattr(call, name))
    other.argv, other.writes = argv, writes
    return other
