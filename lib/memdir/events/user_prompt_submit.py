"""UserPromptSubmit: the memories that matter for this prompt go into the request that answers it."""

from memdir import catalog, config, delivery, hookio, presence, projects, recall
from memdir.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

    from memdir.hookio import Event


def handle(event: "Event") -> "Optional[dict[str, Any]]":
    if event.agent_id:
        return None  # a subagent's prompt is written by Claude; its own memory is another matter
    settings = config.load(event.env, event.project_dir())
    if settings.excludes(event.project_dir(), event.env):
        event.outcome = "excluded"
        return None
    session = Session(event.state_dir, event.session_id)
    text, files = _memories(event, session, settings)
    where = event.text("transcript_path"), event.cwd
    event.afterwards(lambda: session.add("prompt", event.now, transcript=where[0], cwd=where[1], files=files))
    event.afterwards(
        lambda: presence.note(event.state_dir, event.session_id, *where, event.project_dir(), event.env, event.now)
    )
    return hookio.context("UserPromptSubmit", text) if text else None


def _memories(event: "Event", session: Session, settings: "config.Config") -> "tuple[str, list[str]]":
    """The text to deliver and the topic files in it."""
    prompt = event.text("prompt")
    if not recall.is_question(prompt, event.text("source")):
        event.outcome = "not a question"
        return "", []
    memory = projects.Project(event.project_dir(), event.env).memory_dir()
    if memory is None or not settings.count("recall.limit"):
        event.outcome = "off"
        return "", []
    known, stale = catalog.open_for_prompt(memory.path, event.state_dir, event.now)
    if stale and known.n + known.unread <= catalog.SMALL and event.state_dir:
        event.afterwards(lambda: catalog.refresh_if_free(memory.path, event.state_dir, event.now))
    limits = recall.Limits(
        settings.count("recall.limit"), settings.number("recall.threshold"), settings.count("recall.max_files")
    )
    ranked = recall.choose(prompt, known, limits, session.delivered())
    wanted = [item for item in ranked if item.fate == recall.DELIVER]
    loaded = [memory_file for item in wanted if (memory_file := recall.load(memory.path, item, event.now))]
    event.outcome = f"of {known.n} topics none fits"
    if not loaded:
        return "", []
    text, held = delivery.compose(memory.path, loaded, event.now)
    event.outcome = f"delivered {len(held)} of {known.n} topics"
    return text, [item.file for item in held]
