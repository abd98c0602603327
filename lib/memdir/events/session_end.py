"""SessionEnd: a clean end. What is left goes into the queue; Claude Code waits 1.5 s for all hooks together."""

from memdir import handover, presence
from memdir.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.hookio import Event


def handle(event: "Event") -> None:
    if event.agent_id:
        return
    session = Session(event.state_dir, event.session_id)
    event.attempt(lambda: session.add("end", event.now, reason=event.text("reason")))
    queued = handover.queue_session(event)
    # Only now: whatever ends this hook before leaves the session to be found at the next start.
    presence.forget(event.state_dir, event.session_id)
    if queued:
        event.attempt(lambda: handover.start_worker(event.state_dir))
