"""`require`: what has to have succeeded before a call or the end of a turn, and what is said when it has not."""

from memdir import evidence
from memdir.rules import patterns
from memdir.rules.finding import ASK, DENY, Finding
from memdir.shell.arguments import shown_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Optional

    from memdir.evidence import Evidence, Run
    from memdir.rules.checks import Deeds
    from memdir.rules.patterns import Pattern
    from memdir.rules.rule import Entry, RuleFile
    from memdir.shell.calls import Call

_VALUED = ("--message", "--file", "--author", "--date", "--template", "--title", "--body", "--notes", "--tag")
_EDITS = ("Edit", "Write", "MultiEdit", "NotebookEdit")
_WHY = {
    evidence.NEVER: "has not been run in this session",
    evidence.FAILED: "failed the last time that it was run, or the rest of its command line did",
    evidence.BACKGROUND: "was sent to the background, where its outcome is not seen",
    evidence.OPEN: "has not ended yet, or was cut off",
}


class Unmet(Finding):
    """A requirement that is not met: what `subject` has to come after, and how the last runs of that ended.

    `fault`: why a run could not be noted.
    """

    __slots__ = ("fault", "runs", "subject")

    def __init__(self, decision: str, subject: str, runs: "list[tuple[Pattern, Run]]", fault: str = "") -> None:
        super().__init__(decision, f"{subject} has to come after {_clause(runs)}", _todo([runs], fault))
        self.subject = subject
        self.runs = runs
        self.fault = fault


def together(unmet: "list[Unmet]") -> Finding:
    """All that is missing, as one."""
    first = unmet[0]
    clauses = list(dict.fromkeys([_clause(one.runs) for one in unmet]))
    what = f"{first.subject} has to come after {', and after '.join(clauses)}"
    return Finding(first.decision, what, _todo([one.runs for one in unmet], first.fault))


def judge(
    file: "RuleFile",
    entry: "Entry",
    matches: "Iterable[tuple[Optional[Call], str]]",
    deeds: "Deeds",
    known_of: "Evidence",
) -> "Optional[Unmet]":
    """What an entry says. `matches`: the calls that its pattern means with "yes" or "maybe"; None for another tool."""
    asked: "Optional[Unmet]" = None
    for call, verdict in matches:
        place = (
            "" if verdict == "no" or (call and _is_free(call, file, entry, deeds)) else deeds.place_of_call(file, call)
        )
        runs = _runs(entry, place, known_of) if place else []
        if call is not None and runs:
            runs = _with_line(runs, call, file, deeds)
        if not place or any([run.counts for _, run in runs]):
            continue
        subject = f"`{shown_line(call.argv)}`" if call is not None else f"this call of {deeds.call.tool}"
        if verdict == "yes":
            return Unmet(DENY, subject, runs, known_of.fault())
        asked = asked or Unmet(ASK, f"perhaps {subject}", runs, known_of.fault())
    return asked


def _with_line(
    runs: "list[tuple[Pattern, Run]]", call: "Call", file: "RuleFile", deeds: "Deeds"
) -> "list[tuple[Pattern, Run]]":
    """The runs of checks as they are once the command line has come to a call."""
    changed = deeds.changed_before(call, file, [pattern for pattern, _ in runs])
    found = []
    for pattern, run in runs:
        outcome, why = deeds.succeeded_before(call, pattern, file)
        if outcome == "yes":
            run = evidence.Run(evidence.SUCCEEDED)
        elif why and (outcome == "lost" or not run.counts) and run.outcome != evidence.FAILED:
            run = evidence.Run(evidence.HIDDEN, why)
        elif changed and run.counts:
            run.changed, run.tool = changed, "this command line"
        found.append((pattern, run))
    return found


def _is_free(call: "Call", file: "RuleFile", entry: "Entry", deeds: "Deeds") -> bool:
    """Whether a call that the pattern means is a check of the entry itself, or only tells what it would do."""
    if any([deeds.is_check(call, pattern, file) for pattern in entry.after]):
        return True
    written = patterns.words(entry.pattern) if entry.pattern and entry.pattern.argument else []
    words = call.argv[1 : call.argv.index("--")] if "--" in call.argv else call.argv[1:]
    return any(
        [
            word in ("--help", "--dry-run") and word not in written and not _takes_value(before)
            for before, word in zip(["", *words], words)
        ]
    )


def _takes_value(option: str) -> bool:
    """Of what people commit, push and publish with."""
    return option[:1] == "-" and (option[-1] in "mFCct" if option[:2] != "--" else option in _VALUED)


def is_met(file: "RuleFile", entry: "Entry", known_of: "Evidence", deeds: "Deeds") -> bool:
    """For a call of which it is not known whether the entry means it."""
    return any([run.counts for _, run in _runs(entry, deeds.place_of_call(file, None), known_of)])


def at_stop(file: "RuleFile", entry: "Entry", known_of: "Evidence", place: str) -> "Optional[Unmet]":
    """What an entry with `Stop` says at the end of a turn; nothing where no file was changed since it last spoke."""
    runs = _runs(entry, place, known_of)
    if any([run.counts for _, run in runs]) or not known_of.changed_since_stop(place):
        return None
    return Unmet(DENY, "the end of this turn", runs)


def _runs(entry: "Entry", place: str, known_of: "Evidence") -> "list[tuple[Pattern, Run]]":
    pattern = entry.pattern
    edits = pattern is not None and any([pattern.covers(tool) for tool in _EDITS])
    return [(one, known_of.last((place, one.argument), whatever_changed=edits)) for one in entry.after]


def _clause(runs: "list[tuple[Pattern, Run]]") -> str:
    reasons = []
    for pattern, run in runs:
        why = run.why or _WHY.get(run.outcome) or f"succeeded before the last change ({run.changed}, {run.tool})"
        reasons.append(f"`{_command(pattern)}`, which {why}")
    return ", or after ".join(reasons)


def _todo(missing: "list[list[tuple[Pattern, Run]]]", fault: str) -> str:
    if fault:
        return f"What is run cannot be noted: {fault}. A person has to mend that first; see `memdir doctor`."
    each = list(dict.fromkeys([" or ".join([f"`{_command(pattern)}`" for pattern, _ in runs]) for runs in missing]))
    outcomes = [run.outcome for runs in missing for _, run in runs]
    how = ", in the foreground" if evidence.BACKGROUND in outcomes else ""
    return f"Run {', then '.join(each)} first{how}; when {'it succeeds' if len(each) == 1 else 'they succeed'}, go on."


def _command(pattern: "Pattern") -> str:
    """What to type for a pattern."""
    text = pattern.argument.strip()
    for end in (":*", " *"):
        text = text[: -len(end)] if text.endswith(end) else text
    return text
