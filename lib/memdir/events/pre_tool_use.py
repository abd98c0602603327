"""PreToolUse: what the hard rules say about a tool call. Without an opinion it says nothing; it never allows."""

import os

from memdir import enforcement, hookio
from memdir.rules.finding import NO_OPINION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

    from memdir.hookio import Event
    from memdir.rules.decision import Judgement, ToolCall


def handle(event: "Event") -> "Optional[dict[str, Any]]":
    session = enforcement.Session(
        event.cwd or os.environ.get("PWD", ""), event.project_dir(), event.env, event.state_dir
    )
    if not session.in_force():
        event.outcome = "off"
        return None
    call, judgement = enforcement.judge(
        session, session.rules(), event.text("tool_name"), event.payload.get("tool_input")
    )
    event.outcome = judgement.decision
    if judgement.decision == NO_OPINION:
        return None
    event.details = _audit(call, judgement)
    return hookio.decision(judgement.decision, judgement.reason)


def _audit(call: "ToolCall", judgement: "Judgement") -> "dict[str, str]":
    """What was stopped, for `memdir log --rules`: the call as it was, with secrets taken out."""
    from memdir import redact  # a call that is stopped may take its time

    summary = redact.clean(call.summary())[:300]
    return {"decision": judgement.decision, "rule": judgement.rule, "tool": call.tool, "call": summary}
