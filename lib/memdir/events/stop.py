"""Stop: a turn is over. What was said in it goes into the queue, and a worker starts; nobody waits for that one.

Unless a rule requires something first: then the model is sent back, once, and the turn goes on.
"""

import os

from memdir import handover, hookio, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

    from memdir.hookio import Event


def handle(event: "Event") -> "Optional[dict[str, Any]]":
    if event.agent_id:
        return None
    reasons: "list[str]" = []
    event.attempt(lambda: reasons.append(_sent_back(event)))
    if any(reasons):
        event.outcome = "sent back"
        return hookio.block(reasons[0])
    handover.end_turn(event, event.text("last_assistant_message"))
    return None


def _sent_back(event: "Event") -> str:
    """Why the model has to go on; "" in a turn that goes on already, whoever sent it back, or waits for subagents."""
    noted = paths.session_file(event.state_dir, event.session_id, "evidence")
    if not noted or not os.path.lexists(noted) or event.payload.get("stop_hook_active") or _waits(event):
        return ""
    from memdir import enforcement  # only where a rule requires something

    session = enforcement.Session(event.cwd, event.project_dir(), event.env, event.state_dir, event.session_id)
    session.transcript = event.text("transcript_path")
    return enforcement.at_stop(session)


def _waits(event: "Event") -> bool:
    tasks = event.payload.get("background_tasks")
    tasks = tasks if isinstance(tasks, list) else []
    return any([isinstance(task, dict) and task.get("type") in ("subagent", "workflow") for task in tasks])
