"""PreCompact: the session's summary goes to the disk before the context goes, and its short form into the request.

Claude Code puts the plain text that this prints after the user's own instructions for the compaction.
"""

from memdir import config, summary, transcript

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

    from memdir.hookio import Event


def handle(event: "Event") -> "Optional[str]":
    if event.agent_id:
        return None  # a subagent's context is not the session's
    settings = config.load(event.env, event.project_dir())
    if not settings.on("summary.on") or settings.excludes(event.project_dir(), event.env):
        event.outcome = "off"
        return None
    path = event.text("transcript_path")
    if not transcript.is_transcript(path, event.env):
        event.outcome = "no transcript"
        return None
    try:
        found = summary.collect(path, event.session_id)
    except OSError:
        event.outcome = "the transcript cannot be read"
        return None
    event.attempt(lambda: summary.write(event.state_dir, event.session_id, found))
    event.outcome = f"a summary of {found.turns} turns" if not found.empty else "nothing to sum up"
    return found.brief() or None
