"""Keeps Claude's hands off what the rules hang on: rule files, memdir's own files, and the settings that load it."""

from memdir.rules import effects, protection
from memdir.rules.finding import ASK, Finding
from memdir.rules.globs import PathPattern
from memdir.rules.patterns import WRITERS
from memdir.shell.arguments import known, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

    from memdir.shell.calls import Call, Machine

TOOLS = frozenset(WRITERS)
KEYWORDS = effects.KEYWORDS | {"claude", "memdir", "memdir_cli", "memdir_cli.__main__"}
_INSTEAD = "A person can change it in an editor, outside of Claude Code."
_OTHER_HOME = ("CLAUDE_CONFIG_DIR", "HOME")
_SWITCHES = ("MEMDIR_", "CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_SAFE_MODE", "CLAUDE_CODE_RESTRICTED")
_WITHOUT_HOOKS = ("--bare", "--safe-mode", "--setting-sources", "--restricted")


class Guarded:
    """Absolute paths: `own` may not be changed at all, `settings` only when a person says yes."""

    def __init__(self, own: "list[str]", settings: "list[str]") -> None:
        self._own = [PathPattern("/" + path, "/", "/") for path in own]
        self._settings = [PathPattern("/" + path, "/", "/") for path in settings]

    def judge_line(self, calls: "list[Call]", machine: "Machine") -> "Optional[Finding]":
        for call in calls:
            if _starts_without_rules(call):
                return Finding("deny", f"`{shown(call.name)}` would run without the hard rules", "Run it without that.")
        found = self._found(
            protection.judge_all(calls, self._own, machine, unpacked=False),
            protection.judge_all(calls, self._settings, machine, unpacked=False),
        )
        if found is None and any([_adopts(call) for call in calls]):
            return Finding(ASK, "this makes a hard rule of a memory", "A person does that, in a terminal of their own.")
        return found

    def judge_tool(self, tool: str, tool_input: "dict[str, Any]", cwd: str, machine: "Machine") -> "Optional[Finding]":
        return self._found(
            protection.judge_tool(tool, tool_input, cwd, self._own, machine),
            protection.judge_tool(tool, tool_input, cwd, self._settings, machine),
        )

    def _found(self, own: "Optional[Finding]", settings: "Optional[Finding]") -> "Optional[Finding]":
        if own is not None:
            return Finding(own.decision, own.what, _INSTEAD)
        if settings is not None:
            return Finding(
                ASK, settings.what, "These settings can switch the hard rules off: look at the change first."
            )
        return None


def problem(argument: str) -> str:
    return "`protect-memdir` takes no argument; it is on wherever a hard rule is" if argument else ""


def judge(call: "Call", argument: str, machine: "Machine", *, base: str = "") -> "Optional[Finding]":
    return None  # what is guarded is no matter of a rule file: see Guarded


def _adopts(call: "Call") -> bool:
    """`memdir rules adopt` with more than its list, by whatever program runs it."""
    words = call.argv
    for at in range(len(words) - 1):
        if words[at : at + 2] == ["rules", "adopt"] and any(["memdir" in word for word in words[:at]]):
            return not {"--json", "--help", "-h"}.issuperset(words[at + 2 :])
    return False


def _starts_without_rules(call: "Call") -> bool:
    """Another Claude whose hooks are switched off, or memdir as a plugin taken away from this one."""
    if call.name != "claude" or call.argv[1:] in (["--version"], ["--help"]):
        return False
    if call.argv[1:2] == ["plugin"] or call.argv[1:2] == ["plugins"]:
        return any([word in ("disable", "uninstall", "remove", "rm") for word in call.argv[2:]]) and any(
            [word.split("@")[0] == "memdir" or not known(word) or word == "--all" for word in call.argv[3:]]
        )
    switched = any([name.startswith(_SWITCHES) or name in _OTHER_HOME for name in call.assigned])
    return switched or any(
        [word.split("=", 1)[0] in _WITHOUT_HOOKS or "disableAllHooks" in word for word in call.argv[1:]]
    )
