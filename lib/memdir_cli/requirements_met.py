"""What meets a requirement: what its session has run, or the command line itself."""

from memdir.rules.finding import NO_OPINION
from memdir.shell.arguments import shown_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

    from memdir.rules.rule import Entry, RuleFile
    from memdir.shell.calls import Call, CommandLine
    from memdir_cli.askings import Askings

_SHOWN = 40  # characters of a command


def by(line: "Optional[CommandLine]", file: "RuleFile", entry: "Entry", askings: "Askings") -> str:
    """A sentence on why an entry that has no opinion on a call would have one otherwise; "" if it would not."""
    if entry.problem or entry.pattern is None:
        return ""
    checks = " or ".join([f"`{pattern.argument}`" for pattern in entry.after])
    in_session = f"{checks} has succeeded in this session, and that still counts"
    if line is None:
        return in_session if askings.of_tool(file, entry, past=False) != NO_OPINION else ""
    about = [call for call in line.calls if askings.of([call], file, entry, past=False) != NO_OPINION]
    if not about:
        return ""
    before = line.calls[: line.calls.index(about[0])]
    if askings.of([*before, about[0]], file, entry, past=False) != NO_OPINION:
        return in_session
    begins = f"command {len(before) + 1} begins"
    for at, call in enumerate(before):
        without = [*before[:at], *before[at + 1 :], about[0]]
        if askings.of(without, file, entry, past=False) != NO_OPINION:
            return f"command {at + 1} (`{shown_line(call.argv, most=_SHOWN)}`) has succeeded when {begins}"
    return f"{checks} has succeeded in this line when {begins}"


def left_over(
    calls: "list[Call]", about: "list[Call]", file: "RuleFile", entry: "Entry", askings: "Askings"
) -> "list[Call]":
    """Those of the commands that an entry is about for which the line itself does not meet it."""
    found = []
    for call in about:
        before = [other for other in calls[: calls.index(call)] if other not in about]
        if not before or askings.of([*before, call], file, entry) != NO_OPINION:
            found.append(call)
    return found
