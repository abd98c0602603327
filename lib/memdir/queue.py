"""The queue: one job file a session says that new lines of its transcript wait to be extracted.

`queue/pending` → `queue/running` by rename, gone after success, `queue/failed` after too many tries. A job says where
to look, not what to do there: the cursor knows how far the session has been extracted, so a job may be done twice, and
a later job of a session takes the place of an earlier one. Hooks write pending jobs; only the holder of `worker.lock`
takes them, and never writes over one: what it knows of earlier tries lies in `queue/tries`.
"""

import os

from memdir import fsio, jsonio, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

PENDING, RUNNING, FAILED = "pending", "running", "failed"
MAX_TRIES = 5
_BACK_OFF_S = 60.0  # after the first failure, four times as long after each one more
_LONGEST_S = _BACK_OFF_S * 4**MAX_TRIES
_FILE_BYTES = 1 << 20
_TEXT = ("session", "transcript", "cwd", "project", "memory", "answer", "error")
_NUMBERS = ("upto", "queued_at", "tries", "not_before")


class Job:
    """New lines of a session: `transcript` is to be read for memories that go into the directory `memory`.

    Turns that begin before the byte `upto` are over (-1: all but the last). `answer` is Claude's last answer, which the
    transcript may not hold yet. `queued_at` and `not_before` are seconds since 1970; `error` is a traceback.
    """

    def __init__(self, fields: "dict[str, Any]") -> None:
        """Takes the fields of a job file; what is missing or of another type is empty."""
        text = {name: value for name in _TEXT if isinstance(value := fields.get(name), str)}
        number = {name: value for name in _NUMBERS if isinstance(value := fields.get(name), (int, float))}
        self.session = text.get("session", "")
        self.transcript = text.get("transcript", "")
        self.cwd = text.get("cwd", "")
        self.project = text.get("project", "")
        self.memory = text.get("memory", "")
        self.answer = text.get("answer", "")
        self.error = text.get("error", "")
        self.upto = int(number.get("upto", -1))
        self.queued_at = float(number.get("queued_at", 0.0))
        self.tries = int(number.get("tries", 0))
        self.not_before = float(number.get("not_before", 0.0))

    @property
    def name(self) -> str:
        """The session's file name in every directory of the queue."""
        return paths.session_name(self.session) + ".json"


def lock(state_dir: str) -> str:
    """The lock of the one process that takes jobs."""
    return state_dir + "/worker.lock"


def folder(state_dir: str, state: str) -> str:
    return f"{state_dir}/queue/{state}"


def add(state_dir: str, job: Job, *, replace: bool = True) -> None:
    """Puts a job into the queue, on the disk when this returns. Raises OSError.

    It takes the place of a waiting job of its session; without `replace`, that one stays.
    """
    waiting = _load(state_dir, PENDING, job.name)  # a damaged one is put aside
    if replace or waiting is None:
        _write(f"{folder(state_dir, PENDING)}/{job.name}", vars(job))


def is_left(state_dir: str) -> bool:
    """Whether there is work for a worker: jobs that wait, or that a killed worker left."""
    return bool(state_dir and (_names(state_dir, PENDING) or _names(state_dir, RUNNING)))


def unreadable(state_dir: str) -> "list[str]":
    """Files and directories of the queue that this user cannot read: what is in them is not done."""
    found = []
    for place in ("", PENDING, RUNNING, FAILED, "tries"):
        inside = folder(state_dir, place).rstrip("/")
        if os.path.lexists(inside) and not (os.path.isdir(inside) and os.access(inside, os.R_OK | os.X_OK)):
            found.append(inside)
        found += [f"{inside}/{name}" for name in _names(state_dir, place) if not os.access(f"{inside}/{name}", os.R_OK)]
    return found


def given_up(state_dir: str, session_id: str) -> "Optional[Job]":
    """The job of a session that failed too often."""
    return _load(state_dir, FAILED, paths.session_name(session_id) + ".json")


def read(state_dir: str, state: str) -> "list[Job]":
    """The jobs in one state, the oldest first. A file that is no job is put aside, as NAME.damaged among the failed."""
    found = [job for name in _names(state_dir, state) if (job := _load(state_dir, state, name))]
    return sorted(found, key=lambda job: (job.queued_at, job.name))


def recover(state_dir: str) -> None:
    """Back into the queue with what a killed worker left: its process is gone, or we would not hold its lock."""
    for name in _names(state_dir, RUNNING):
        _return(state_dir, name)


def due(state_dir: str, now: float, *, at_once: bool = False) -> "list[Job]":
    """The waiting jobs that could be done now (all of them with `at_once`), the oldest first."""
    # a time beyond any back-off comes from a clock that was ahead
    return [job for job in read(state_dir, PENDING) if at_once or not now < job.not_before <= now + _LONGEST_S]


def take(state_dir: str, waiting: Job) -> "Optional[Job]":
    """Takes a waiting job to work on it: as it is now, for a hook may have put a later one into its place.

    None when it is gone, or given up because its worker was killed as often as it may be tried. Raises OSError.
    """
    fsio.make_dir(folder(state_dir, RUNNING))
    try:
        os.replace(f"{folder(state_dir, PENDING)}/{waiting.name}", f"{folder(state_dir, RUNNING)}/{waiting.name}")
    except FileNotFoundError:
        return None
    job = _load(state_dir, RUNNING, waiting.name)
    if job is None:
        return None
    if job.tries >= MAX_TRIES:
        _give_up(state_dir, job, job.error or f"the worker was killed {job.tries} times while it was at this session")
        return None
    job.tries += 1  # before the work: else a session that kills the worker would do so for ever
    _write_tries(state_dir, job)
    return job


def done(state_dir: str, job: Job) -> None:
    """Forgets a job that was done, and an earlier failure of its session: the cursor has passed both."""
    for place in ("tries", FAILED, RUNNING):
        _remove(f"{folder(state_dir, place)}/{job.name}")


def put_back(state_dir: str, job: Job, error: str, now: float) -> bool:
    """Returns a job that failed to the queue for a later try; after MAX_TRIES to the failed. Whether it goes on."""
    job.error = error
    if job.tries >= MAX_TRIES:
        _give_up(state_dir, job, error)
        return False
    job.not_before = now + _BACK_OFF_S * 4 ** (job.tries - 1)
    _write_tries(state_dir, job)
    _return(state_dir, job.name)
    return True


def _give_up(state_dir: str, job: Job, error: str) -> None:
    _write(f"{folder(state_dir, FAILED)}/{job.name}", {**vars(job), "answer": "", "error": error})
    for place in ("tries", RUNNING):
        _remove(f"{folder(state_dir, place)}/{job.name}")


def retry(state_dir: str, job: Job) -> None:
    """A failed job waits again, as if it was new. Raises OSError."""
    add(state_dir, Job({**vars(job), "tries": 0, "not_before": 0.0, "error": ""}), replace=False)
    _remove(f"{folder(state_dir, FAILED)}/{job.name}")


def drop(state_dir: str, job: Job) -> None:
    """Takes a job out of the queue, whatever its state. Only for the holder of the lock."""
    for place in (PENDING, RUNNING, FAILED, "tries"):
        _remove(f"{folder(state_dir, place)}/{job.name}")


def _return(state_dir: str, name: str) -> None:
    """From the running back to the pending, unless a later job of the session waits there."""
    running = f"{folder(state_dir, RUNNING)}/{name}"
    fsio.make_dir(folder(state_dir, PENDING))
    pending = f"{folder(state_dir, PENDING)}/{name}"
    if _load(state_dir, RUNNING, name) is None:
        return
    if _load(state_dir, PENDING, name) is not None:
        _remove(running)
        return
    try:
        os.link(running, pending)  # unlike a rename, it does not replace what a hook puts there just now
    except FileExistsError:
        _remove(running)
    except OSError:  # a file system without links
        os.replace(running, pending)
    else:
        _remove(running)


def _names(state_dir: str, state: str) -> "list[str]":
    try:
        return [name for name in os.listdir(folder(state_dir, state)) if name.endswith(".json") and name[0] != "."]
    except OSError:
        return []


def _load(state_dir: str, state: str, name: str) -> "Optional[Job]":
    path = f"{folder(state_dir, state)}/{name}"
    raw = fsio.read(path, _FILE_BYTES)
    damaged = f"{folder(state_dir, FAILED)}/{name}.damaged"
    if raw is None:
        if os.path.lexists(path):
            fsio.make_dir(folder(state_dir, FAILED))
            fsio.make_room(path, damaged)
        return None
    fields = _fields(raw)
    job = Job({**fields, **_fields(fsio.read(f"{folder(state_dir, 'tries')}/{name}", _FILE_BYTES) or b"")})
    if not fields or job.name != name:
        fsio.make_dir(folder(state_dir, FAILED))
        fsio.put_aside(path, damaged)
        return None
    return job


def _fields(raw: bytes) -> "dict[str, Any]":
    try:
        value = jsonio.loads(raw)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _write_tries(state_dir: str, job: Job) -> None:
    fields = {"tries": job.tries, "not_before": job.not_before, "error": job.error}
    _write(f"{folder(state_dir, 'tries')}/{job.name}", fields)


def _write(path: str, fields: "dict[str, Any]") -> None:
    fsio.make_room(path)
    fsio.write(path, jsonio.dumps(fields).encode("ascii"), durable=True)


def _remove(path: str) -> None:
    fsio.make_room(path)
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
