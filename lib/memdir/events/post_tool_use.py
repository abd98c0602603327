"""PostToolUse: that a call succeeded, for rules that require it, and what it has left in a memory directory.

The latter where Claude Code says nothing about it.
"""

import os

from memdir import fsio, hookio, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

    from memdir.hookio import Event

_OWN_DIRECTORY = b"autoMemoryDirectory"
_SETTINGS_BYTES = 16 << 20


def handle(event: "Event") -> "Optional[dict[str, Any]]":
    noted = paths.session_file(event.state_dir, event.session_id, "evidence")  # there where a rule requires something
    if noted and os.path.lexists(noted):
        event.attempt(lambda: _note_end(event, noted))
    if not _may_concern_memory(event):
        event.outcome = "not about memory"
        return None
    from memdir import selfcheck  # what follows is for the few calls that may have changed a memory
    from memdir.session import Session

    call = selfcheck.Call(event.payload, event.project_dir(), event.env, event.now)
    session = Session(event.state_dir, event.session_id)
    findings = selfcheck.news(selfcheck.check(call), session)
    event.outcome = f"{len(findings)} findings" if findings else call.outcome
    if not findings:
        return None
    marks = [finding.mark for finding in findings]
    event.afterwards(lambda: session.add("checked", event.now, marks=marks))
    return hookio.context("PostToolUse", selfcheck.report(call, findings))


def _note_end(event: "Event", path: str) -> None:
    from memdir import evidence

    response = event.payload.get("tool_response")
    response = response if isinstance(response, dict) else {}
    outcome = evidence.SUCCEEDED
    if response.get("backgroundTaskId"):
        outcome = evidence.BACKGROUND
    elif response.get("interrupted") or response.get("returnCodeInterpretation"):
        outcome = evidence.FAILED  # the latter where Claude Code takes a status that is not 0 for no error, as of grep
    evidence.Evidence(path).end(event.text("tool_use_id"), outcome)


def _may_concern_memory(event: "Event") -> bool:
    """A look at the words of the call: every other one ends here."""
    tool_input = event.payload.get("tool_input")
    if not isinstance(tool_input, dict) or (event.agent_id and not event.text("agent_type")):
        return False  # compaction and Claude Code's own extraction are agents without a type
    if event.text("tool_name") != "Bash":
        return str(tool_input.get("file_path", "")).endswith(".md")
    words = f"{tool_input.get('command', '')}\n{event.cwd}"
    return "memory" in words.lower() or ".md" in words or _has_own_directory(event)


def _has_own_directory(event: "Event") -> bool:
    """Whether settings name a memory directory, which then need not have `memory` in its path."""
    if event.agent_id:
        return False
    files = [paths.claude_config_dir(event.env) + "/settings.json"]
    files += [f"{event.project_dir()}/.claude/{name}" for name in ("settings.json", "settings.local.json")]
    return any([_OWN_DIRECTORY in (fsio.read(file, _SETTINGS_BYTES, follow=True) or b"") for file in files])
