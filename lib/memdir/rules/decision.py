"""The decision on one tool call: what the hard rules in force say, and the words for it.

`Bench` is the only way to a decision; the hook and `memdir rules` both take it.
"""

from memdir.rules import plain
from memdir.rules.finding import ASK, DENY, NO_OPINION, Finding
from memdir.shell.arguments import open_ended, shown_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

    from memdir.evidence import Evidence
    from memdir.rules.checks import Deeds
    from memdir.rules.guards.protect_memdir import Guarded
    from memdir.rules.rule import Entry, RuleFile
    from memdir.shell.calls import Call, CommandLine, Machine

    Opinion = tuple[Optional[RuleFile], Optional[Entry], Finding]

REASON_CHARS = 2_000
WHAT_CHARS = 400
_NOWHERE = frozenset(["/dev/null", "/dev/stdout", "/dev/stderr"])
_EDITS = ("Edit", "Write", "MultiEdit", "NotebookEdit")


class Judgement:
    """`decision`, and where there is one: the rule file's `path`, its line, the entry's text (`name`), and `reason`."""

    def __init__(
        self, decision: str = NO_OPINION, path: str = "", line: int = 0, name: str = "", reason: str = ""
    ) -> None:
        self.decision = decision
        self.path = path
        self.line = line
        self.name = name
        self.reason = reason

    @property
    def rule(self) -> str:
        """`path:line name`; "" without an opinion."""
        return f"{self.path}:{self.line} {self.name}" if self.path else self.name


class ToolCall:
    """What Claude is about to do. `command` is the command line of Bash or a tool like it, else None."""

    def __init__(self, tool: str, tool_input: "Any", cwd: str) -> None:
        self.tool = tool
        self.cwd = cwd
        self.input: "dict[str, Any]" = tool_input if isinstance(tool_input, dict) else {}
        self.command: "Optional[str]" = None
        self.unreadable = "" if isinstance(tool_input, dict) else "its input is no object"
        if tool == "Bash" and not self.unreadable:
            self._read_command(self.input.get("command"))
        elif tool == "Monitor" or tool[:5] == "mcp__":
            self._look_for_a_command()
        elif tool in _EDITS and not isinstance(self.input.get("notebook_path", self.input.get("file_path")), str):
            self.unreadable = "it names no file"

    def summary(self) -> str:
        """The call in one line."""
        named = [self.input[key] for key in ("file_path", "notebook_path", "path", "url") if key in self.input]
        return self.command if self.command is not None else str(named[0]) if named else ""

    def _look_for_a_command(self) -> None:
        from memdir.rules import tool_files  # not for Bash

        found = tool_files.command_of(self.tool, self.input)
        if found is not None:
            self.command, folder = found
            if folder and folder[0] != "~":
                self.cwd = folder if folder[0] == "/" else f"{self.cwd}/{folder}"

    def _read_command(self, command: object) -> None:
        if isinstance(command, list) and command and all([isinstance(word, str) for word in command]):
            self.command = " ".join(["'" + word.replace("'", "'\\''") + "'" for word in command])
            self.unreadable = "its command is a list, not a text"
        elif isinstance(command, str):
            self.command = command
        else:
            self.unreadable = "it has no command"


def is_settled(call: ToolCall, keywords: "frozenset[str]", tools: "frozenset[str]") -> bool:
    """Whether a look at the tool's name, or at the words of its command, shows that no rule has an opinion."""
    if call.unreadable:
        return False
    if call.command is None or call.tool != "Bash":
        if call.tool in tools or "*" in tools or (call.tool[:5] == "mcp__" and "mcp__*" in tools):
            return False
        return call.command is None or plain.is_plain(call.command, keywords)
    return plain.is_plain(call.command, keywords)


def line_of(call: ToolCall, machine: "Machine") -> "Optional[CommandLine]":
    """The calls that a command makes; None for a tool that runs none."""
    if call.command is None:
        return None
    from memdir.shell.analysis import analyse  # which a plain command does without

    return analyse(call.command, call.cwd, machine)


def is_line_settled(line: "CommandLine", keywords: "frozenset[str]") -> bool:
    """The same for a command line that has been read: nothing in doubt, and no word that a rule is about."""
    if line.doubts:
        return False
    commands = []
    for call in line.calls:
        if call.source or not _NOWHERE.issuperset(call.writes) or any([open_ended(word) for word in call.argv]):
            return False
        wrapped = [step.split(" ")[0] for step in call.via]
        commands.append([*wrapped, *[f"{name}={value}" for name, value in call.assigned.items()], *call.argv])
    return plain.are_plain(commands, keywords)


def at_stop(files: "list[RuleFile]", cwd: str, evidence: "Evidence", machine: "Machine") -> str:
    """What the requirements with `Stop` say at the end of a turn, for the model; "" if nothing."""
    from memdir.rules import requirements
    from memdir.rules.changes import Changes

    changes = Changes(machine)
    found: "list[Opinion]" = []
    for file in files:
        for entry in [one for one in file.entries if one.kind == "require" and not one.pattern and not one.problem]:
            place = changes.place(file, cwd) or machine.real(file.base)
            unmet = requirements.at_stop(file, entry, evidence, place)
            found += [(file, entry, unmet)] if unmet else []
    if not found:
        return ""
    finding = requirements.together([unmet for _, _, unmet in found if isinstance(unmet, requirements.Unmet)])
    return _worded(*found[0][:2], finding, machine.home, "memdir sends you back once").reason


def _broken(call: ToolCall, files: "list[RuleFile]") -> "list[tuple[RuleFile, Entry]]":
    """The rules that cannot be read and might have an opinion on the call."""
    return [(file, entry) for file in files for entry in file.entries if entry.problem and entry.may_govern(call.tool)]


class Bench:
    """One tool call before all rules; without rule files there is nothing to say."""

    def __init__(
        self,
        call: ToolCall,
        line: "Optional[CommandLine]",
        files: "list[RuleFile]",
        guarded: "Guarded",
        machine: "Machine",
        evidence: "Optional[Evidence]" = None,
    ) -> None:
        self._call = call
        self._line = line
        self._files = sorted(files, key=lambda file: not file.user)
        self._guarded = guarded
        self._machine = machine
        self._evidence = evidence
        self._done: "Optional[Deeds]" = None

    def judgement(self) -> Judgement:
        """The strictest word on the call: a denial before a question, the user's rules before a project's."""
        found = self.opinions()
        strictest = [opinion for opinion in found if opinion[2].decision == DENY] or found
        if not strictest:
            return Judgement()
        file, entry, finding = strictest[0]
        if entry is not None and entry.kind == "require":
            from memdir.rules import requirements

            unmet = [other for _, _, other in strictest if isinstance(other, requirements.Unmet)]
            if finding in unmet:  # all that is missing at once, so that the model need not come back for each
                finding = requirements.together(unmet)
        return _worded(file, entry, finding, self._machine.home)

    def opinions(self) -> "list[Opinion]":
        """What each entry says, in the order that counts among equals; protect-memdir has neither file nor entry."""
        if not self._files:
            return []
        found = self._findings()
        for file, entry in _broken(self._call, self._files):
            sentence = f"this rule cannot be read: {entry.problem}"
            found.append((file, entry, Finding(ASK, sentence, "Mend the rule, or move its file away.")))
        return found + self._doubtful()

    def _findings(self) -> "list[Opinion]":
        found: "list[Opinion]" = []
        for file in self._files:
            for entry in file.entries:
                finding = None if entry.problem else self._apply(file, entry)
                if finding is not None:
                    found.append((file, entry, finding))
        own = self._on_memdir()
        if own is not None:
            found.append((None, None, own))
        # What is forbidden stays so whatever was run before it.
        found.sort(key=lambda opinion: opinion[1] is not None and opinion[1].kind == "require")
        return found

    def _on_memdir(self) -> "Optional[Finding]":
        if self._line is not None:
            return self._guarded.judge_line(self._line.calls, self._machine)
        return self._guarded.judge_tool(self._call.tool, self._call.input, self._call.cwd, self._machine)

    def _apply(self, file: "RuleFile", entry: "Entry") -> "Optional[Finding]":
        if entry.kind == "require":
            return self._require(file, entry)
        if entry.kind == "protect":
            return self._protect(file, entry)
        finding = self._guard(file, entry) if entry.guard else self._pattern(file, entry)
        if finding is not None and entry.kind == ASK:
            finding.decision = ASK
        return finding

    def _require(self, file: "RuleFile", entry: "Entry") -> "Optional[Finding]":
        if entry.pattern is None:
            return None  # asked at the end of a turn
        matches: "list[tuple[Optional[Call], str]]" = []
        call = self._call
        if self._line is not None:
            from memdir.rules import patterns

            base = file.base
            matches += [(one, patterns.match(entry.pattern, one, self._machine, base)) for one in self._line.calls]
        if self._line is None or call.tool != "Bash":
            matches.append((None, self._match_tool(file, entry)))
        if all([verdict == "no" for _, verdict in matches]):
            return None
        from memdir.rules import requirements

        return requirements.judge(file, entry, matches, self._deeds(), self._known())

    def _deeds(self) -> "Deeds":
        if self._done is None:
            from memdir.rules.checks import Deeds

            self._done = Deeds(self._call, self._line, self._machine)
        return self._done

    def _known(self) -> "Evidence":
        from memdir.evidence import Evidence

        self._evidence = self._evidence or Evidence("")
        return self._evidence

    def _protect(self, file: "RuleFile", entry: "Entry") -> "Optional[Finding]":
        from memdir.rules import protection
        from memdir.rules.globs import PathPattern

        patterns = [PathPattern(entry.argument, file.base, self._machine.home)]
        if self._line is not None:
            return protection.judge_all(self._line.calls, patterns, self._machine)
        return protection.judge_tool(self._call.tool, self._call.input, self._call.cwd, patterns, self._machine)

    def _guard(self, file: "RuleFile", entry: "Entry") -> "Optional[Finding]":
        from memdir.rules import entries  # loaded with the rule files, not for a plain command

        guard = entries.guard_module(entry.guard)
        argument = entry.argument
        if self._line is None:
            judge = getattr(guard, "judge_tool", None)
            return judge and judge(
                self._call.tool, self._call.input, argument, self._call.cwd, self._machine, base=file.base
            )
        calls = guard.relevant(self._line.calls) if hasattr(guard, "relevant") else self._line.calls
        found = [guard.judge(call, argument, self._machine, base=file.base) for call in calls]
        if hasattr(guard, "judge_line"):
            found.append(guard.judge_line(self._line.calls, argument, self._machine, base=file.base))
        return _strictest(found)

    def _pattern(self, file: "RuleFile", entry: "Entry") -> "Optional[Finding]":
        from memdir.rules import patterns

        if entry.pattern is None:
            return None
        if self._line is None or self._call.tool != "Bash":
            verdict = self._match_tool(file, entry)
            if verdict != "no" or self._line is None:
                return _matched(verdict, f"this is a call of {self._call.tool}")
        verdicts = [(patterns.match(entry.pattern, call, self._machine, file.base), call) for call in self._line.calls]
        matches = [(verdict, call) for verdict, call in verdicts if verdict != "no"]
        return _strictest([_matched(verdict, f"this runs {_command(call)}") for verdict, call in matches])

    def _match_tool(self, file: "RuleFile", entry: "Entry") -> str:
        from memdir.rules import patterns

        call = self._call
        assert entry.pattern is not None
        return patterns.match_tool(entry.pattern, call.tool, call.input, call.cwd, self._machine, file.base)

    def _doubtful(self) -> "list[Opinion]":
        """A question about what was not understood, in the name of the first rule that it might break."""
        if self._call.unreadable:
            doubts = [self._call.unreadable]
        else:
            doubts = [doubt.sentence for doubt in self._line.doubts] if self._line is not None else []
        if not doubts:
            return []
        for file in self._files:
            for entry in file.entries:
                if not entry.problem and self._could_apply(file, entry):
                    sentence = f"{doubts[0]}, so this rule cannot be checked"
                    return [(file, entry, Finding(ASK, sentence, "Write the command out plainly."))]
        return []

    def _could_apply(self, file: "RuleFile", entry: "Entry") -> bool:
        """Whether the entry is about calls of this kind at all."""
        if entry.kind == "require":
            from memdir.rules import requirements

            if entry.pattern is None or requirements.is_met(file, entry, self._known(), self._deeds()):
                return False
        return entry.pattern is None or entry.pattern.covers("Bash" if self._line is not None else self._call.tool)


def _worded(
    file: "Optional[RuleFile]", entry: "Optional[Entry]", finding: Finding, home: str, verb: str = ""
) -> Judgement:
    """The rule's own words first, then what the call does, which rule that is, and what to do instead."""
    verb = verb or ("memdir denied this" if finding.decision == DENY else "memdir asks first")
    what = finding.what if len(finding.what) <= WHAT_CHARS else finding.what[:WHAT_CHARS] + "…"
    if file is None or entry is None:
        name = "protect-memdir"
        return Judgement(finding.decision, "", 0, name, f"{verb}: {what} ({name}). {finding.instead}"[:REASON_CHARS])
    rule = f"{entry.kind}: {entry.text}, {_place(file, home)}:{entry.line}"
    sentences = [file.reason, f"{verb}: {what} ({rule}).", finding.instead]
    reason = " ".join([sentence for sentence in sentences if sentence])
    return Judgement(finding.decision, file.path, entry.line, entry.text, reason[:REASON_CHARS])


def _matched(verdict: str, what: str) -> "Optional[Finding]":
    if verdict == "no":
        return None
    return Finding(DENY, what) if verdict == "yes" else Finding(ASK, what.replace("this ", "perhaps this ", 1))


def _command(call: "Call") -> str:
    return f"`{shown_line(call.argv)}`" + (f" (in {' in '.join(reversed(call.via))})" if call.via else "")


def _strictest(found: "list[Optional[Finding]]") -> "Optional[Finding]":
    there = [finding for finding in found if finding is not None]
    return next((finding for finding in there if finding.decision == DENY), there[0] if there else None)


def _place(file: "RuleFile", home: str) -> str:
    """The file as a person would name it: from the project or from home."""
    for folder, sign in ((file.base, ""), (home, "~/")):
        if folder and file.path.startswith(folder.rstrip("/") + "/") and not (file.user and not sign):
            return sign + file.path[len(folder.rstrip("/")) + 1 :]
    return file.path
