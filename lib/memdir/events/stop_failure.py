"""StopFailure: the API refused and the turn ended without an answer. What the person said in it counts."""

from memdir import handover

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.hookio import Event


def handle(event: "Event") -> None:
    if not event.agent_id:
        handover.end_turn(event, "")  # the last message of the payload is the error
