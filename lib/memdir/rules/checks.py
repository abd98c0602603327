"""What a tool call does for `require`: the checks that it runs, whether their success shows, and what it changes."""

from memdir import evidence
from memdir.rules import patterns, tool_files
from memdir.rules.changes import Changes
from memdir.rules.effects_list import joined
from memdir.shell.arguments import known, shown, shown_line
from memdir.shell.calls import Call
from memdir.shell.outcomes import Outcomes
from memdir.shell.wrappers import program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

    from memdir.rules.decision import ToolCall
    from memdir.rules.patterns import Pattern
    from memdir.rules.rule import RuleFile
    from memdir.shell.calls import CommandLine, Machine

# Wrappers that end with the status of what they run.
_HONEST = frozenset(
    """sudo doas env command builtin exec nohup time timeout nice ionice chrt taskset stdbuf unbuffer caffeinate npx
    pnpx corepack bunx npm pnpm yarn bun uv uvx poetry pdm pipenv pipx hatch bundle dotenv direnv mise asdf op doppler
    conda mamba rye xvfb-run
    """.split()
)
# Options with which a check does not do its work, or hides that it failed; where its pattern names them, it does.
_IDLE = frozenset(
    """--help --version --dry-run --just-print --recon --question --collect-only --co --list --list-tests --listTests
    --showConfig --show-config --print-config --no-run --if-present --ignore-errors --fail-never""".split()
)
_MVN_IDLE = frozenset("-DskipTests -Dmaven.test.skip -Dmaven.test.failure.ignore -fn".split())
_IDLE_OF = {
    **dict.fromkeys(["make", "gmake"], frozenset("-n -q -t -i -h -v".split())),
    **dict.fromkeys(["mvn", "mvnw"], _MVN_IDLE),
    "go": frozenset("-list -n -c".split()),
    "rake": frozenset("-n -P -T".split()),
}
# And with which it does a part of it.
_NARROWING = frozenset(
    """--filter --grep --onlyChanged --changed --changedSince --since --shard --affected --testNamePattern --exclude
    --findRelatedTests --testPathPattern --only-failures --group --exclude-group --testsuite --skip --tests""".split()
)
_NARROWING_OF = {
    "pytest": frozenset("-k -m --lf --last-failed --deselect --ignore --ignore-glob --sw --stepwise".split()),
    "cargo": frozenset("-p --package --lib --doc --bins --bin --test --example --examples".split()),
    "go": frozenset("-run -short -skip".split()),
    **dict.fromkeys(["mvn", "mvnw"], frozenset("-Dtest -Dit.test -pl --projects".split())),
    **dict.fromkeys(["gradle", "gradlew"], frozenset("-x --exclude-task".split())),
    **dict.fromkeys(["rspec", "npm", "pnpm", "yarn", "jest", "vitest"], frozenset("-t -e --example --tag".split())),
}
# They take several things to do at once.
_TASK_RUNNERS = ("make", "gmake", "gradle", "gradlew", "mvn", "mvnw", "rake", "just", "task", "invoke")
_SCRIPT_RUNNERS = ("npm", "pnpm", "yarn", "bun")


class Deeds:
    """What a tool call does, for the rules of one directory or another; `place` as in `changes`."""

    def __init__(self, call: "ToolCall", line: "Optional[CommandLine]", machine: "Machine") -> None:
        self.call = call
        self.line = line
        self.machine = machine
        self._outcomes: "Optional[Outcomes]" = None
        self._changes = Changes(machine)
        self._known: "dict[tuple[Call, str, str], list[str]]" = {}

    @property
    def outcomes(self) -> Outcomes:
        if self._outcomes is None:
            self._outcomes = Outcomes(self.call.command or "")
        return self._outcomes

    def calls(self) -> "list[Call]":
        return self.line.calls if self.line is not None else []

    def place_of_call(self, file: "RuleFile", call: "Optional[Call]") -> str:
        """Where a call works: "" if that is outside; the rule's directory where it is not known."""
        folder = self._changes.folder(call) if call is not None else self.call.cwd
        if folder[:1] != "/" or not known(folder):
            return self.machine.real(file.base)
        return self._changes.place(file, folder)

    # Checks

    def is_check(self, call: "Call", pattern: "Pattern", file: "RuleFile") -> bool:
        """Whether a call is a check in one spelling or another, whatever its options make of it."""
        return bool(self._spelled(call, pattern, file))

    def _spelled(self, call: "Call", pattern: "Pattern", file: "RuleFile") -> "list[str]":
        """The words in which a call is a check; none if it is not."""
        key = call, pattern.argument, file.base
        if key not in self._known:
            self._known[key] = [] if call.implied else self._look(call, pattern, file)
        return self._known[key]

    def _look(self, call: "Call", pattern: "Pattern", file: "RuleFile") -> "list[str]":
        if self._is_as_written(call, pattern):
            return call.argv
        wanted = patterns.Pattern("Bash", _plain_spelling(pattern.argument))
        for argv in _spellings(call.argv):
            other = Call(argv, call.cwd, call.start, call.end)
            other.via, other.assigned = call.via, call.assigned
            if "yes" in [patterns.match(one, other, self.machine, file.base) for one in (pattern, wanted)]:
                return argv
        return []

    def _is_as_written(self, call: "Call", pattern: "Pattern") -> bool:
        """Whether it stands in the text as in the rule, to the letter, with nothing but redirections behind it."""
        words = pattern.argument.split()
        given = (self.call.command or "")[call.start : call.end].split()
        rest = given[len(words) :]
        return given[: len(words)] == words and (not rest or rest[0][:1] in "<>" or rest[0][:2] in ("2>", "&>"))

    def fault(self, call: "Call", pattern: "Pattern", place: str, file: "RuleFile") -> str:
        """Why a run of a check does not count although it ends well; "" if it does."""
        folder = self._changes.folder(call)
        if not folder or self._changes.place(file, folder) != place:
            return f"was run in {shown(folder) if folder else 'another directory'}, not in {shown(place)}"
        written = patterns.words(pattern)
        argv = self._spelled(call, pattern, file)
        name = program(argv)
        idle = _IDLE | _IDLE_OF.get(name, frozenset())
        narrowing = _NARROWING | _NARROWING_OF.get(name, frozenset())
        for word in argv[1:]:
            option = word.partition("=")[0]
            if option in idle and option not in written:
                return f"was run with `{shown(word)}`, with which it does not do its work"
            if option in narrowing and option not in written and written[-1] not in ("*", ":*"):
                return f"was run with `{shown(word)}`, which leaves out a part of it"
        if not _HONEST.issuperset([step.split(" ")[0] for step in call.via]):
            return f"was run in `{shown_line(call.via[-1].split(' '))}`, where its outcome is not seen"
        return ""

    def succeeded_before(self, call: "Call", pattern: "Pattern", file: "RuleFile") -> "tuple[str, str]":
        """Whether the command line itself has run the check with success when it comes to this call, else why not.

        "yes", "no" (it is not run before, or not as it should be), or "lost": it may have failed.
        """
        place = self.place_of_call(file, call)
        certain = self.outcomes.before(call.start, call.end)
        calls = self.calls()
        found, why = "no", ""
        for at, other in enumerate(calls[: calls.index(call)]):
            if not self.is_check(other, pattern, file):
                continue
            found, why = "no", self.fault(other, pattern, place, file)
            if not why and (other.start, other.end) not in certain:
                found = "lost"
                why = "stands before it in this command line, which goes on if it fails: join them with `&&`"
            if not why:
                name = self.changed_before(call, file, [pattern], after=at)
                if not name:
                    return "yes", ""
                why = f"stands before it in this command line, but {name} is changed in between"
        return found, why

    def changed_before(self, call: "Call", file: "RuleFile", checks: "list[Pattern]", after: int = -1) -> str:
        """A file that the command line changes between its call `after`, or its start, and a call; "" if none."""
        place = self.place_of_call(file, call)
        calls = self.calls()
        end = calls.index(call)
        loop = self.outcomes.loop(call.start, calls[after].start if after >= 0 else -1)
        around = [one for one in calls[end + 1 :] if loop and loop[0] <= one.start < loop[1]]
        return self._changed([*calls[after + 1 : end], *around], checks, file).get(place, "")

    def _changed(self, calls: "list[Call]", checks: "list[Pattern]", file: "RuleFile") -> "dict[str, str]":
        """The places in which calls change files, and the first in each.

        What a check changes itself counts for none: two of them that write could never both have run last.
        """
        found: "dict[str, str]" = {}
        for call in calls:
            if not any([self.is_check(call, pattern, file) for pattern in checks]):
                found = {**self._changes.of(call, file), **found}
        return found

    # What is noted of a call

    def note(self, files: "list[RuleFile]") -> evidence.Note:
        """What this call does for the requirements of these files, and against them."""
        note = evidence.Note(self.call.tool)
        for file in files:
            required = [entry for entry in file.entries if entry.kind == "require" and not entry.problem]
            checks = [pattern for entry in required for pattern in entry.after]
            if checks:
                for place, name in self._changed_by_call(file, checks).items():
                    note.inside.setdefault(place, name)
            for pattern in checks:
                self._note_run(note, pattern, file, checks)
        return note

    def _changed_by_call(self, file: "RuleFile", checks: "list[Pattern]") -> "dict[str, str]":
        found = self._changed(self.calls(), checks, file)
        if self.line is None:
            named = tool_files.named(self.call.tool, self.call.input)
            for path in [one.path for one in named if one.act != tool_files.READ]:
                self._changes.add(found, file, joined(self.call.cwd, path, self.machine))
        elif any([doubt.kind == "syntax" for doubt in self.line.doubts]):
            found.setdefault(self.machine.real(file.base), "what a command that could not be read changes")
        return found

    def _note_run(self, note: evidence.Note, pattern: "Pattern", file: "RuleFile", checks: "list[Pattern]") -> None:
        calls = self.calls() if self.call.tool == "Bash" else []
        for at, call in enumerate(calls):
            if not self.is_check(call, pattern, file):
                continue
            place = self.place_of_call(file, call) or self.machine.real(file.base)
            check = place, pattern.argument
            why = self.fault(call, pattern, place, file)
            if not why and (call.start, call.end) not in self.outcomes.after:
                why = "was run, but what stands around it in its command line hid whether it succeeded"
            if not why:
                name = self._changed(calls[at + 1 :], checks, file).get(place)
                why = f"was run, but its command line changed {name} after it" if name else ""
            if why:
                note.hidden.setdefault(check, why)
            else:
                note.hidden.pop(check, None)
                note.runs += [check] * (check not in note.runs)


def _spellings(argv: "list[str]") -> "list[list[str]]":
    """A command as it is, and as it could have been written as well."""
    found = [argv]
    name = program(argv)
    words = argv[1:]
    if name in _SCRIPT_RUNNERS and words:
        words = words[1:] if words[0] in ("run", "run-script") else words
        words = ["test", *words[1:]] if words[:1] in (["t"], ["tst"]) else words
        found.append([name, *words])
        if name != "npm":
            found.append(words)  # `pnpm tsc`
    elif name == "corepack":
        return _spellings(words)
    elif name == "cargo" and words[:1] and words[0][:1] == "+":
        found.append([name, *words[1:]])
    elif name[:6] == "python" and words[:1] == ["-m"] and len(words) > 1:
        found += [words[1:], ["python", *words]]
    elif name in _TASK_RUNNERS:
        options = [word for word in words if word[:1] == "-"]
        found += [[argv[0], *options, word] for word in words if word[:1] != "-" and "=" not in word]
    return [*found, *[[word for word in other if word != "--"] for other in found if "--" in other]]


def keywords(pattern: "Pattern") -> "frozenset[str]":
    """Words one of which is in every plain command line that runs a check, in whatever spelling."""
    plain = _plain_spelling(pattern.argument)
    found = patterns.keywords(pattern) | patterns.keywords(patterns.Pattern("Bash", plain))
    if plain[:10] == "python -m ":
        found |= {plain.split()[2].lower()}
    return found | ({"t", "tst"} if plain.split()[1:2] == ["test"] else set())


def _plain_spelling(pattern: str) -> str:
    """The same of a pattern's own words."""
    words = pattern.split(" ")
    if words[0][:6] == "python" and words[1:2] == ["-m"]:
        words[0] = "python"
    if words[0] in _SCRIPT_RUNNERS and words[1:2] in (["run"], ["run-script"]):
        del words[1]
    if words[0] in _SCRIPT_RUNNERS and words[1:2] in (["t"], ["tst"]):
        words[1] = "test"
    return " ".join(words)
