"""SessionStart: the index, where Claude Code does not load it itself; the first entry also gets memdir ready.

hooks.json has three entries, because one answer holds 10,000 UTF-16 units and an index 25,000. Each delivers the part
of its number; the parts may arrive in any order.
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
    session = Session(event.state_dir, event.session_id)
    settings = config.load(event.env, event.project_dir())
    project = projects.Project(event.project_dir(), event.env)
    memory = project.memory_dir()
    on = memory is not None and not settings.excludes(event.project_dir(), event.env)
    if number == 1:
        _get_ready(event, session, memory.path if memory and on else "")
    if not memory or not on:
        event.outcome = "off"
    elif project.native_memory_on():
        event.outcome = "Claude Code loads the index"
    else:
        text = _index_part(event, session, memory.path, number)
        if text:
            return hookio.context("SessionStart", text)
    return None


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
