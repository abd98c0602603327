"""Whether Claude itself changed the memory directory in a turn: then nothing is extracted from that turn."""

from memdir.rules import protection
from memdir.rules.finding import DENY
from memdir.rules.globs import PathPattern
from memdir.shell.analysis import analyse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.shell.calls import Machine
    from memdir.transcript import ToolUse, Turn

_WILD = "\\*?[]{}"


def wrote_memory(turn: "Turn", folder: str, machine: "Machine") -> bool:
    """Whether a call that succeeded surely changed a file at or below `folder`, an absolute path.

    What may have changed one, and what failed, does not count: a turn that is left out is lost.
    """
    if folder[:1] != "/":
        return False
    try:
        inside = PathPattern("/" + "".join(["\\" + char if char in _WILD else char for char in folder]) + "/", "/", "/")
    except ValueError:
        return False  # no path that a rule could name, such as one with a line break
    return any([tool.outcome == "ok" and _changes(tool, inside, machine) for tool in turn.tools])


def _changes(tool: "ToolUse", inside: PathPattern, machine: "Machine") -> bool:
    if tool.name == "Bash":
        command = tool.input.get("command")
        calls = analyse(command, tool.cwd, machine).calls if isinstance(command, str) else []
        finding = protection.judge_all(calls, [inside], machine)
    else:
        finding = protection.judge_tool(tool.name, tool.input, tool.cwd, [inside], machine)
    return finding is not None and finding.decision == DENY
