"""Stop: a turn is over. What was said in it goes into the queue, and a worker starts; nobody waits for that one."""

from memdir import handover

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.hookio import Event


def handle(event: "Event") -> None:
    if not event.agent_id:
        handover.end_turn(event, event.text("last_assistant_message"))
