"""SubagentStop: a long turn may die before its end, so what came before it is queued; no worker starts yet."""

from memdir import handover

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.hookio import Event


def handle(event: "Event") -> None:
    if event.text("agent_type"):
        handover.queue_session(event, ended=False, replace=False)
    else:
        event.outcome = "Claude Code's own"  # its compaction and its memory run as agents without a type
