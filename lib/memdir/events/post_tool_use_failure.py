"""PostToolUseFailure: that a call failed, for rules that require its success."""

from memdir import paths
from memdir.evidence import FAILED, FILE, Evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.hookio import Event


def handle(event: "Event") -> None:
    evidence = Evidence(paths.session_file(event.state_dir, event.session_id, FILE))
    noted = evidence.end(event.text("tool_use_id"), FAILED)
    event.outcome = "noted" if noted else "nothing requires it"
