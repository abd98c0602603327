"""PreToolUse: what the hard rules say about a tool call. Without an opinion it says nothing; it never allows."""

import os

from memdir import enforcement, hookio
from memdir.rules.decision import REASON_CHARS
from memdir.rules.finding import ASK, NO_OPINION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

    from memdir.hookio import Event
    from memdir.rulebook import RuleBook
    from memdir.rules.decision import Judgement, ToolCall

ENTRY_CHARS = 200  # of an entry in a reason


def handle(event: "Event") -> "Optional[dict[str, Any]]":
    cwd = event.cwd or os.environ.get("PWD", "")
    session = enforcement.Session(cwd, event.project_dir(), event.env, event.state_dir, event.session_id)
    session.transcript = event.text("transcript_path")
    if not session.in_force():
        event.outcome = "off"
        return None
    tool, given = event.text("tool_name"), event.payload.get("tool_input")
    book = session.rules()
    call, judgement = enforcement.judge(session, book, tool, given, event.text("tool_use_id"))
    event.errors += session.faults
    event.outcome = judgement.decision
    if judgement.decision == NO_OPINION:
        return None
    event.details = _audit(call, judgement)
    reason = judgement.reason
    if judgement.decision == ASK and event.env.get("CLAUDE_CODE_SESSION_ATTENDED") == "0":
        sentence = _unattended(judgement, book)
        reason = reason[: REASON_CHARS - len(sentence)] + sentence
    return hookio.decision(judgement.decision, reason)


def _unattended(judgement: "Judgement", book: "RuleBook") -> str:
    """What a reason says of a question that nobody will be asked; Claude Code 2.1.332 refuses the call with `-p`.

    The model reads it only then: a permission prompt tool that says yes lets the call through. Who has put the call
    under `ask` means the call itself, so only of what could not be told for certain it says that it can be written so.
    """
    place = judgement.path, judgement.line, judgement.name
    kinds = [
        "broken" if entry.problem else entry.kind
        for file in book.files
        for entry in file.entries
        if (file.path, entry.line, entry.text) == place
    ]
    way = ""
    if ASK in kinds:
        way = f", or takes `{judgement.name[:ENTRY_CHARS]}` out of `ask` in line {judgement.line} of the rule file"
    elif kinds and "broken" not in kinds:
        way = ". Or write the call out, with nothing in it that is only known when it runs: then the rule can decide"
    return (
        " Nobody is there to be asked in this session (`claude -p`), so the call is refused; --allowedTools and "
        "permission modes do not change that. To allow it, the user runs it in an interactive session or starts "
        f"Claude Code with a --permission-prompt-tool{way}."
    )


def _audit(call: "ToolCall", judgement: "Judgement") -> "dict[str, str]":
    """What was stopped, for `memdir log --rules`: the call as it was, with secrets taken out."""
    from memdir import redact  # a call that is stopped may take its time

    summary = redact.clean(call.summary())[:300]
    return {"decision": judgement.decision, "rule": judgement.rule, "tool": call.tool, "call": summary}
