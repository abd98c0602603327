"""What a person has to know of a decision: how the call was read, which entries say what of it, and why one wins."""

from memdir import enforcement
from memdir.rules import decision
from memdir.rules.effects import changes, reads
from memdir.rules.finding import ASK, DENY, NO_OPINION
from memdir.rules.globs import normal
from memdir.shell.arguments import joined, known, shown, shown_line
from memdir.shell.calls import Call
from memdir_cli import near_misses, progress, requirements_met, unfollowed
from memdir_cli.askings import Askings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

    from memdir.rulebook import RuleBook
    from memdir.rules.finding import Finding
    from memdir.rules.rule import Entry, RuleFile

PROTECT_MEMDIR = "protect-memdir"
MOST_CHARS = 2_000  # of a command that is also shown as it was written
MOST_PLACES = 6
_NEVER_RUN = "has not been run in this session"
_ABOUT_PATHS = ("no-secrets-read", "no-content", "no-recursive-delete", "no-skip-hooks")


class Command:
    """One program of the line. `written`: its part of the text where that differs from the words it became."""

    def __init__(self, number: int, call: Call, text: str) -> None:
        self.number = number
        self.call = call
        short = call.end - call.start <= MOST_CHARS
        part = " ".join(text[call.start : call.end].split()) if short else ""
        self.written = part if part and any([shown(word) not in part for word in [*call.argv, *call.writes]]) else ""
        self.files = ""
        self.unfollowed = ""

    @property
    def line(self) -> str:
        words = [f"{name}={shown(value)}" for name, value in self.call.assigned.items()]
        words += [shown(word) for word in self.call.argv] + [f"> {shown(target)}" for target in self.call.writes]
        return " ".join(words)

    def document(self) -> "dict[str, Any]":
        call = self.call
        return {
            "number": self.number,
            "argv": [shown(word) for word in call.argv],
            "assigned": {name: shown(value) for name, value in call.assigned.items()},
            "cwd": call.cwd,
            "writes": [shown(target) for target in call.writes],
            "via": list(call.via),
            "implied": call.implied,
            "start": call.start,
            "end": call.end,
            "written": self.written,
            "files": self.files,
            "not_followed": self.unfollowed,
        }


class Opinion:
    """What one entry says. `commands`: numbers of those found to be enough for it, none if it takes several together.

    `enough`: the words without which it would say nothing; `read_as` what they mean.
    """

    def __init__(self, file: "Optional[RuleFile]", entry: "Optional[Entry]", finding: "Finding") -> None:
        self.path = file.path if file else ""
        self.line = entry.line if entry else 0
        self.kind = entry.kind if entry else ""
        self.name = entry.text if entry else PROTECT_MEMDIR
        self.user = bool(file and file.user)
        self.broken = bool(entry and entry.problem)
        self.doubted = False  # it speaks because the line cannot be read
        self.decision = finding.decision
        self.what = finding.what
        self.instead = finding.instead
        self.wins = False
        self.commands: "list[int]" = []
        self.enough = ""
        self.read_as: "list[str]" = []
        self.leaves_alone = near_misses.leaves_alone(entry.guard) if entry and entry.guard else ""

    def document(self) -> "dict[str, Any]":
        return dict(vars(self))


class Explanation:
    """The whole of it, for `memdir rules explain` to print."""

    def __init__(self, session: enforcement.Session, book: "RuleBook", tool: str, tool_input: "Any") -> None:
        self.session = session
        self._book = book
        self.call, self.found = enforcement.judge(session, book, tool, tool_input)
        self._machine = session.machine()
        self._askings = Askings(session, book, self.call, self._machine)
        self._line = decision.line_of(self.call, self._machine)
        self.text = self.call.command or ""
        self.commands = self._commands()
        self.doubts = self._line.doubts if self._line else []
        decided = self.found.decision != NO_OPINION
        self._is_too_long = bool(book) and self._askings.is_too_long(self._line)
        self.opinions = self._opinions() if decided and not self._is_too_long else []
        nothing = bool(book) and not decided and not self._is_too_long
        self.near = near_misses.find(self.call, self._line, book.files, self._machine) if nothing else []
        self.met = self._met() if not self._is_too_long else []
        self.why = self._why()
        self.advice = self._advice()
        self.notes = self._notes()

    def document(self) -> "dict[str, Any]":
        return {
            "decision": self.found.decision,
            "rule": self.found.rule,
            "reason": self.found.reason,
            "tool": self.call.tool,
            "cwd": self.session.cwd,
            "calls": [command.document() for command in self.commands],
            "doubts": [{"offset": doubt.start, "sentence": doubt.sentence} for doubt in self.doubts],
            "opinions": [opinion.document() for opinion in self.opinions],
            "why": self.why,
            "near": [
                {"path": file.path, "line": entry.line, "kind": entry.kind, "name": entry.text, "why": why}
                for file, entry, why in self.near
            ],
            "met": [
                {"path": file.path, "line": entry.line, "kind": entry.kind, "name": entry.text, "by": by}
                for file, entry, by in self.met
            ],
            "advice": self.advice,
            "notes": self.notes,
        }

    def _commands(self) -> "list[Command]":
        found = []
        for number, call in enumerate(self._line.calls if self._line else [], 1):
            command = Command(number, call, self.text)
            command.files = near_misses.files_of(call, self._machine)
            command.unfollowed = unfollowed.sentence(call)
            found.append(command)
        return found

    @property
    def is_without_session(self) -> bool:
        """Whether the answer would be another one in a session that has run what is required."""
        required = [opinion for opinion in self.opinions if opinion.kind == "require" and not opinion.broken]
        return bool(required) and not self.session.session_id

    def _met(self) -> "list[tuple[RuleFile, Entry, str]]":
        """The requirements that the call is about and that are met, and by what."""
        unmet = {(opinion.path, opinion.line, opinion.name) for opinion in self.opinions}
        if any([opinion.doubted for opinion in self.opinions]):
            return []
        found: "list[tuple[RuleFile, Entry, str]]" = []
        for file in self._book.files:
            for entry in file.entries:
                if entry.kind == "require" and (file.path, entry.line, entry.text) not in unmet:
                    by = requirements_met.by(self._line, file, entry, self._askings)
                    found += [(file, entry, by)] if by else []
        return found

    def _opinions(self) -> "list[Opinion]":
        found: "list[tuple[Opinion, Optional[RuleFile], Optional[Entry]]]" = []
        for file, entry, finding in self._askings.opinions(self._line, self._book.files):
            opinion = Opinion(file, entry, finding)
            opinion.wins = (opinion.path, opinion.line, opinion.name, opinion.decision) == (
                self.found.path, self.found.line, self.found.name, self.found.decision,
            ) and not any([other.wins for other, _, _ in found])  # fmt: skip
            first = self.doubts[0].sentence if self.doubts else "\n"
            opinion.doubted = bool(self.call.unreadable) or opinion.what.startswith(first)
            if opinion.kind == "require" and not self.session.session_id:
                unknown = "is not known to have been run, since no session was given"
                opinion.what = opinion.what.replace(_NEVER_RUN, unknown)
            found.append((opinion, file, entry))
        # The one that decides first: askings may come to an end.
        for opinion, file, entry in sorted(found, key=lambda one: not one[0].wins):
            if not opinion.broken and not opinion.doubted:
                self._attribute(opinion, file, entry)
        return [opinion for opinion, _, _ in found]

    def _attribute(self, opinion: Opinion, file: "Optional[RuleFile]", entry: "Optional[Entry]") -> None:
        """Finds the commands, and of the first one the words, that are enough for an opinion."""
        calls = [command.call for command in self.commands]
        enough = self._askings.commands(calls, file, entry, opinion.decision)
        if file and entry and entry.kind == "require":
            enough = requirements_met.left_over(calls, enough, file, entry, self._askings)
        opinion.commands = [command.number for command in self.commands if command.call in enough]
        if not enough:
            return
        call = enough[0]
        least = self._askings.least(call, file, entry, opinion.decision)
        if least.argv != call.argv and all([known(word) for word in least.argv]):
            opinion.enough = _with_gaps(call, least)
        opinion.read_as = unfollowed.meanings(call, least.argv)[:MOST_PLACES]
        if file is None or (entry and (entry.kind == "protect" or entry.guard in _ABOUT_PATHS)):
            opinion.read_as += self._places(call, [*least.argv[1:], *least.writes])

    def _places(self, call: Call, words: "list[str]") -> "list[str]":
        """Where relative paths, and those that lead through a link, end."""
        touched = {effect.path for effect in [*changes(call, self._machine), *reads(call, self._machine)]}
        found: "list[str]" = []
        for word in words:
            if len(found) == MOST_PLACES:
                break
            full = joined(call.cwd, word, self._machine.home)
            if full not in touched or not known(word) or full[:1] != "/":
                continue
            real = self._machine.real(full)
            straight = joined(self._machine.real(call.cwd), word, self._machine.home) if call.cwd else full
            if real not in (full, normal(straight)):
                found.append(f"{shown(word)} leads to {progress.place(real)}")
            elif word[:1] != "/" and call.cwd != self.session.cwd:
                found.append(f"{shown(word)} is {progress.place(full)}, by the directory of the command")
        return found

    def _notes(self) -> "list[str]":
        found: "list[str]" = []
        if not self.session.in_force():
            found.append("Your configuration switches hard rules off here (rules.on, exclude).")
        if self.is_without_session:
            found.append(
                "No session was given, so this is the answer in one that has run nothing. `--session ID` counts what "
                "a session has run and changed (its first letters do, `memdir log` shows them); `--last` is the last "
                "call that was stopped, with its session."
            )
        if self._askings.short:
            found.append("The call is long: only a part of it was searched for the commands and words that matter.")
        return found

    def _why(self) -> str:
        """Why this decision and no other."""
        if not self._book:
            return "No hard rules are in force here; `memdir rules list` shows where they are looked for."
        if self._is_too_long and self.found.decision != NO_OPINION:
            return f"This is by {self.found.rule}; what other entries say of so long a call is not told."
        if not self.opinions:
            return "No rule has an opinion: Claude Code decides as if memdir were not there."
        winner = next((opinion for opinion in self.opinions if opinion.wins), self.opinions[0])
        others = [opinion for opinion in self.opinions if opinion is not winner]
        if winner.doubted:
            return "It is the first rule that the call might break; what the call does cannot be told from its text."
        if not others:
            return "It is the only entry with an opinion."
        same = [opinion for opinion in others if opinion.decision == winner.decision]
        if winner.decision == DENY and not same:
            return "The first one decides: a denial counts before a question."
        if winner.user and not all([opinion.user for opinion in same]):
            return "The first one decides: of equal answers yours comes before a project's."
        return "The first one gives the reason; each of those that say the same would be enough."

    def _advice(self) -> "list[str]":
        winner = next((opinion for opinion in self.opinions if opinion.wins), None)
        if winner is None:
            unseen = self.found.decision == NO_OPINION and any([command.unfollowed for command in self.commands])
            return ["docs/rules.md, `What is not covered, and why`, says what no rule sees."] * unseen
        found = [winner.instead] if winner.instead else []
        if winner.decision == ASK:
            found.append("Claude Code asks you. Where nobody can be asked (`claude -p`) the call is refused.")
        if winner.broken or winner.doubted or not winner.path:
            return found
        if winner.decision == ASK and winner.kind != ASK:
            found.append("It asks, since this is only known when the call runs; written out, the rule can decide.")
        else:
            entry = f"`{winner.name}` in line {winner.line} of {progress.place(winner.path)}"
            found.append(f"To let such calls through, a person changes {entry}.")
        return found


def _with_gaps(call: Call, least: Call) -> str:
    """The words that are left, with … for those that were taken out."""
    words: "list[str]" = []
    left = list(least.argv)
    for word in call.argv:
        if left and word == left[0]:
            words.append(shown(left.pop(0)))
        elif words[-1:] != ["…"]:
            words.append("…")
    return " ".join(words) + (f" {shown_line([], least.writes).strip()}" if least.writes else "")
