"""Sessions that were cut off: what was said in them is queued, and a new session of the project names the last one."""

import os

from memdir import ages, budget, cursor, delivery, handover, paths, presence, projects, queue, redact, transcript
from memdir.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.hookio import Event
    from memdir.presence import Presence

_TAIL_BYTES = 1 << 20  # of a transcript, in which its last prompt is looked for
_QUOTED_UNITS = 160


def take_over(event: "Event", left: "list[Presence]", *, note: bool) -> str:
    """Queues what the sessions in `left` said, starts the worker, and gives the line that names one of this project.

    A session is named once. Those of other projects stay noted, for a start there. Raises OSError.
    """
    for session in left:
        event.attempt(lambda session=session: _queue(event, session))  # type: ignore[misc]
    if queue.is_left(event.state_dir):
        event.attempt(lambda: handover.start_worker(event.state_dir))
    line = ""
    root = _root(event.project_dir())
    for session in left:
        # of two starts at the same time one is told that it was noted
        if _root(session.project) == root and presence.forget(event.state_dir, session.session):
            wanted = note and not line and session.session != event.session_id
            line = line or (_line(event, session) if wanted else "")
    return line


def _queue(event: "Event", left: "Presence") -> None:
    if not transcript.is_transcript(left.transcript, event.env) or queue.has_failed(event.state_dir, left.session):
        return  # `memdir doctor` tells of what failed; to try it at every start would be no end of it
    size = os.stat(left.transcript).st_size
    known = cursor.load(event.state_dir, left.session)
    memory = handover.writable_memory(left.project, event.env, event.state_dir)
    if isinstance(memory, str) or (known and known.offset >= size):
        return
    job = queue.Job({"session": left.session, "transcript": left.transcript, "cwd": left.cwd, "project": left.project})
    job.memory = memory.path
    job.queued_at = event.now
    job.upto = size
    queue.add(event.state_dir, job)


def _line(event: "Event", left: "Presence") -> str:
    """One line about a session without a clean end; "" if it had one, or nothing was said in it."""
    known = Session(event.state_dir, left.session)
    last = {
        kind: max([record["t"] for record in known.records(kind)], default=0.0) for kind in ("prompt", "stop", "end")
    }
    said = _last_words(left) if last["end"] < last["prompt"] else ""
    if not said:
        return ""
    how = "was cut off while Claude worked on" if last["stop"] < last["prompt"] else "ended without a farewell after"
    when = ages.ago(last["prompt"], event.now)
    name = paths.session_name(left.session)
    resume = f" `claude --resume {name}` goes on with it." if name == left.session else ""
    return (
        f"Note from memdir: an earlier session in this project {how} this prompt, {when}: \u201c{said}\u201d.{resume}"
    )


def _last_words(left: "Presence") -> str:
    """The beginning of the last prompt of a transcript, on one line."""
    try:
        size = os.stat(left.transcript).st_size
        turns = transcript.read(left.transcript, max(0, size - _TAIL_BYTES), session_id=left.session).turns
    except OSError:
        return ""
    said = [turn.said[-1] for turn in turns if turn.said]
    text = " ".join(redact.clean(said[-1]).split()) if said else ""
    short = budget.cut_units(text, _QUOTED_UNITS)
    return delivery.harmless(short + ("\u2026" if short != text else ""))


def _root(folder: str) -> str:
    return projects.main_root(os.path.realpath(folder)) if folder else ""
