"""Hands what a session said over to the worker: a job in the queue first, then a process that takes it."""

import os
import sys

from memdir import config, detach, fsio, locks, paths, projects, queue, transcript
from memdir.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from memdir.hookio import Event

TRUSTED = "trusted"  # in the state directory, a line each: a project's root and the memory directory it may have
TRUSTED_BYTES = 16 << 20
ANSWER_CHARS = 20_000
_TAIL_BYTES = 262_144  # of a transcript, in which its last answer is looked for
_PIECE = 120  # characters of an answer by which it is known
_ESCAPED = {ord(char): "\n" for char in '"\\\t\b\f\r/'}  # what JSON may write otherwise
_WORKER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "memdir_worker", "__main__.py")
NOT_TRUSTED = "the project chose the memory directory, and you have not trusted it"
OF_A_PROJECT = ("project", "local")  # settings that may come with a repository


def end_turn(event: "Event", answer: str) -> None:
    """A turn is over: its session is queued and a worker starts. `answer` is Claude's last one. Raises OSError."""
    event.attempt(lambda: Session(event.state_dir, event.session_id).add("stop", event.now))
    if queue_session(event, answer):
        event.attempt(lambda: start_worker(event.state_dir))


def queue_session(event: "Event", answer: str = "", *, ended: bool = True, replace: bool = True) -> bool:
    """Queues the new lines of the event's session. Where there is no need, the event's outcome says why not.

    With `ended` the turn is over; else the one under way is left for later. Raises OSError.
    """
    path = event.text("transcript_path")
    if not event.state_dir or not event.session_id or not transcript.is_transcript(path, event.env):
        event.outcome = "no transcript"
        return False
    memory = writable_memory(event.project_dir(), event.env, event.state_dir)
    if isinstance(memory, str):
        event.outcome = memory
        return False
    if event.cwd == event.state_dir or paths.under(event.cwd, event.state_dir):
        event.outcome = "a session of memdir's own"
        return False
    job = queue.Job({"session": event.session_id, "transcript": path, "cwd": event.cwd, "project": event.project_dir()})
    job.memory = memory.path
    job.queued_at = event.now
    job.answer = _missing(answer, path)
    job.upto = os.stat(path).st_size if ended else -1
    queue.add(event.state_dir, job, replace=replace)
    event.outcome = "queued"
    return True


def writable_memory(project: str, env: "Mapping[str, str]", state_dir: str) -> "projects.MemoryDir | str":
    """The memory directory of a project, or in a few words why memdir writes nothing there."""
    settings = config.load(env, project)
    if not settings.on("extract.on") or settings.excludes(project, env):
        return "off"
    memory = projects.Project(project, env).memory_dir()
    if memory is None:
        return "no memory directory"
    if memory.source in OF_A_PROJECT and not is_trusted(project, memory.path, state_dir):
        return NOT_TRUSTED
    return memory


def is_trusted(project: str, folder: str, state_dir: str) -> bool:
    """Whether a person let memdir write into `folder` for this project: another one may name the same directory."""
    raw = fsio.read(f"{state_dir}/{TRUSTED}", TRUSTED_BYTES)
    return raw is not None and os.fsencode(trust(project, folder)) in raw.split(b"\n")


def trust(project: str, folder: str) -> str:
    """The line of TRUSTED for a project and a memory directory."""
    return f"{projects.main_root(os.path.realpath(project))}\t{os.path.realpath(folder)}"


def _missing(answer: str, path: str) -> str:
    """Claude's last answer where the transcript does not hold it yet, without what is private; else ""."""
    pieces = answer.translate(_ESCAPED).splitlines()
    piece = max(pieces, key=len, default="").strip()[:_PIECE]
    with open(path, "rb") as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - _TAIL_BYTES))
        if not piece or piece.encode("utf-8", "replace") in file.read(_TAIL_BYTES):
            return ""
    from memdir import redact  # dear, and seldom needed

    return redact.clean(answer)[:ANSWER_CHARS]


def start_worker(state_dir: str) -> None:
    """Starts the worker, unless one is at work: before it ends it looks for jobs once more. Raises OSError."""
    with locks.held(queue.lock(state_dir)) as free:
        pass
    if free:
        detach.run(lambda: _become_worker(state_dir))


def _become_worker(state_dir: str) -> None:
    python = getattr(sys, "_base_executable", "") or sys.executable
    # MEMDIR_CHILD: whatever the worker starts may start hooks, and these have to stand back
    os.execve(python, [python, "-I", "-S", _WORKER, state_dir], {**os.environ, "MEMDIR_CHILD": "1"})
