"""Sessions that were cut off: what was said in them is queued, and a new session of the project names the last one."""

import os

from memdir import ages, budget, cursor, delivery, handover, log, paths, presence, projects, queue, redact, transcript
from memdir.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

    from memdir.hookio import Event
    from memdir.presence import Presence

_TAIL_BYTES = 1 << 20  # of a transcript, in which its last prompt is looked for
_QUOTED_UNITS = 160
_AT_ONCE = 50  # sessions that one start takes over; the others wait for the next
_ELSEWHERE = 20  # sessions of other projects that stay noted, the newest


def take_over(event: "Event", left: "list[Presence]", *, note: bool) -> str:
    """Queues what the sessions in `left` said, starts the worker, and gives the line that names one of this project.

    A session is named once. Those of other projects stay noted, for a start there; so do those of another
    configuration of Claude Code, and all that could not be queued.
    """
    line = ""
    here = _root(event.project_dir())
    elsewhere = 0
    for session in [one for one in left if _is_ours(event, one)][:_AT_ONCE]:
        try:
            taken = _queue(event, session)
        except OSError as error:
            event.errors.append(log.describe(error))
            continue
        if not taken:
            continue
        if _root(session.project) != here:
            elsewhere += 1
            if elsewhere > _ELSEWHERE:
                presence.forget(event.state_dir, session.session, session)
        # of two starts at a time one is told that it was there
        elif presence.forget(event.state_dir, session.session, session):
            wanted = note and not line and session.session != event.session_id
            line = line or (_line(event, session) if wanted else "")
    if queue.is_left(event.state_dir):
        event.attempt(lambda: handover.start_worker(event.state_dir))
    return line


def _is_ours(event: "Event", session: "Presence") -> bool:
    """Whether there is something to take over, and it is for a client with this configuration to do."""
    if os.path.lexists(session.transcript):
        return transcript.is_transcript(session.transcript, event.env)
    presence.forget(event.state_dir, session.session, session)  # Claude Code has cleaned it away, or never wrote it
    return False


def _queue(event: "Event", left: "Presence") -> bool:
    """Queues what is new in a session; False where that may become possible one day. Raises OSError."""
    size = os.stat(left.transcript).st_size
    known = cursor.load(event.state_dir, left.session)
    failed = queue.given_up(event.state_dir, left.session)
    memory = handover.writable_memory(left.project, event.env, event.state_dir)
    state = Session(event.state_dir, left.session)
    # what failed is not tried at every start: `memdir doctor` tells of it
    done = max(known.offset if known else 0, failed.upto if failed else 0)
    if memory == handover.NOT_TRUSTED:
        return False
    if isinstance(memory, str) or done >= size or _was_queued(state, size):
        return True
    job = queue.Job({"session": left.session, "transcript": left.transcript, "cwd": left.cwd, "project": left.project})
    job.memory = memory.path
    job.queued_at = event.now
    job.upto = size
    queue.add(event.state_dir, job)
    event.attempt(lambda: state.add("left", event.now, size=size))
    return True


def _was_queued(state: Session, size: int) -> bool:
    """Whether another start has queued all of it: a last line that was cut off stays behind the cursor for ever."""
    return any([record.get("size") == size for record in state.records("left")])


def _line(event: "Event", left: "Presence") -> str:
    """One line about a session without a clean end; "" if it had one, or nothing was said in it."""
    asked = left.seen_at
    after: "Optional[set[object]]" = None  # what came after the last prompt
    for record in Session(event.state_dir, left.session).records("prompt", "stop", "end"):
        if record["e"] == "prompt":
            asked = record["t"] if isinstance(record.get("t"), (int, float)) else asked
            after = set()
        elif after is not None:
            after.add(record["e"])
    said = _last_words(left) if after is not None and "end" not in after else ""
    if after is None or not said:
        return ""
    how = "ended without a farewell after" if "stop" in after else "was cut off while Claude worked on"
    when = ages.ago(asked, event.now)
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
