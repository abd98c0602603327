"""SessionStart: the index, where Claude Code does not load it itself; after a compaction, the session's summary.

hooks.json has three entries for the index, because one answer holds 10,000 UTF-16 units and an index 25,000. Each
delivers the part of its number; the parts may arrive in any order. The first one also gets memdir ready and looks for
sessions that were cut off. The fourth is called after a compaction alone.
"""

import os
import sys

from memdir import config, fsio, hookio, paths, projects
from memdir.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

    from memdir.hookio import Event

PARTS = 3  # entries in hooks.json
PART_UNITS = 8_900  # of the 10,000 in an answer; the rest is for the lines above a part and the notice below


def handle(event: "Event") -> "Optional[dict[str, Any]]":
    if event.agent_id:
        return None
    number = int(event.args[0]) if event.args and event.args[0].isdecimal() else 1
    settings = config.load(event.env, event.project_dir())
    excluded = settings.excludes(event.project_dir(), event.env)
    if number > PARTS:
        text = "" if excluded or not settings.on("summary.on") else _summary(event)
        return hookio.context("SessionStart", text) if text else None
    session = Session(event.state_dir, event.session_id)
    project = projects.Project(event.project_dir(), event.env)
    memory = None if excluded else project.memory_dir()
    texts = []
    if number == 1:
        _get_ready(event, session, memory.path if memory else "")
        if not excluded and event.text("source") != "compact":
            event.attempt(lambda: texts.append(_unfinished(event, settings)))
            event.attempt(lambda: _note_presence(event))
    if not memory:
        event.outcome = "off"
    elif project.native_memory_on():
        event.outcome = "Claude Code loads the index"
    else:
        texts.append(_index_part(event, session, memory.path, number))
    text = "\n\n".join([text for text in texts if text])
    return hookio.context("SessionStart", text) if text else None


def _note_presence(event: "Event") -> None:
    """As at every prompt: one of the two hooks may be cut off."""
    from memdir import presence

    where = event.text("transcript_path"), event.cwd, event.project_dir()
    presence.note(event.state_dir, event.session_id, *where, event.env, event.now)


def _unfinished(event: "Event", settings: "config.Config") -> str:
    """What was said before sessions were cut off is taken over; the line that names one of them."""
    from memdir import presence, queue

    left = presence.left(event.state_dir, event.now) if event.state_dir else []
    if not left and not queue.is_left(event.state_dir):
        return ""
    from memdir import unfinished  # rare, and dear: it reads transcripts

    return unfinished.take_over(event, left, note=settings.on("resume_note"))


def _summary(event: "Event") -> str:
    from memdir import summary  # after a compaction alone

    text = summary.after_compaction(event.state_dir, event.session_id)
    event.outcome = "delivered the session's summary" if text else "no summary of this session"
    return text


def _get_ready(event: "Event", session: Session, folder: str) -> None:
    """The side effects of a session's start, which must happen once: entry 1 has them."""
    if event.text("source") == "compact":
        event.attempt(lambda: session.add("compacted", event.now))
    event.attempt(lambda: _record_interpreter(event))
    if folder and event.state_dir:
        event.afterwards(lambda: _refresh_catalog(event, folder))


def _refresh_catalog(event: "Event", folder: str) -> None:
    from memdir import catalog, detach  # of the three entries one gets here

    def refresh() -> None:
        catalog.refresh_if_free(folder, event.state_dir, event.now)

    if catalog.is_large(folder, event.state_dir):
        detach.run(refresh)
    else:
        refresh()


def _record_interpreter(event: "Event") -> None:
    """Saves the launcher its search, and ten interpreter starts where PATH has a version manager's shim first."""
    folder = paths.claude_config_dir(event.env)
    python = getattr(sys, "_base_executable", "") or sys.executable
    if folder and python and os.path.isdir(folder) and not os.access(paths.record("python", event.env), os.X_OK):
        fsio.write(folder + "/memdir/python", os.fsencode(python) + b"\n", durable=True)


def _index_part(event: "Event", session: Session, folder: str, number: int) -> str:
    from memdir import delivery, index, store  # only where Claude Code does not load the index

    loaded = index.load(store.index_text(folder) or "")
    parts = index.parts(delivery.harmless(loaded.text), PART_UNITS)
    event.outcome = "no such part of the index"
    if number > len(parts):
        return ""
    part = parts[number - 1]
    mark = fsio.checksum(part.encode("utf-8", "surrogatepass"))
    before = [record.get("hash") for record in session.records("index") if record.get("part") == number]
    if event.text("source") == "resume" and before[-1:] == [mark]:
        event.outcome = "this part of the index is in the context already"
        return ""
    event.afterwards(lambda: session.add("index", event.now, part=number, hash=mark))
    event.outcome = f"part {number} of {len(parts)} of the index"
    where = f"{delivery.harmless(store.shown(folder))}/{store.INDEX}"
    lines = [
        delivery.PROVENANCE,
        f"Memory index, part {number} of {len(parts)}, from {where}: each line names a topic file in that directory;"
        " read the file when its line matters for the task.",
        "",
        part,
    ]
    if number == min(PARTS, len(parts)) and loaded.notice:
        lines += ["", delivery.harmless(loaded.notice)]
    if number == PARTS and len(parts) > PARTS:
        lines += ["", f"> The rest of the index did not fit here: read {where} from this line on."]
    return "\n".join(lines)
