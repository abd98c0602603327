"""The worker: takes the jobs of the queue one after the other, alone, and ends when none is due."""

import contextlib
import os
import sys
import time
import traceback

from memdir import fsio, locks, log, paths, queue, redact
from memdir.errors import MemdirError
from memdir_worker import extraction, journal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

    from memdir.queue import Job
    from memdir_worker.journal import Step

# Between each two of these the worker may be killed: the tests do so at every one. A job passes them in this order,
# "file" once for each file, those from "read" on once for each part of a long transcript.
STEPS = (
    "locked", "tidied", "recovered", "claimed", "read", "planned", "journal", "file", "index", "cursor",
    "journal removed", "job removed", "released",
)  # fmt: skip
_ERROR_CHARS = 8_000  # the end of a traceback, which says most
_TEMPORARY = ("", "/apply", "/backup", "/cursors", "/queue/pending", "/queue/running", "/queue/failed", "/queue/tries",
              "/open", "/catalog", "/written")  # fmt: skip


def _nothing(_: str) -> None:
    return


def run(state_dir: str, *, wait_s: float = 0.0, at_once: bool = False, step: "Step" = _nothing) -> "Optional[int]":
    """Works off the queue; how many jobs failed, or None if another worker holds the lock for longer than `wait_s`.

    `at_once` also takes jobs that wait for a later try. `step` is told each of STEPS that is done. Raises MemdirError
    where the state directory cannot be used.
    """
    started = time.monotonic()
    try:
        return _run(state_dir, wait_s=wait_s, at_once=at_once, step=step)
    except OSError as error:
        _log(state_dir, started, "", "error", [log.describe(error)])
        raise MemdirError(f"the state directory cannot be used: {error}; `memdir doctor` looks at it") from error


def _run(state_dir: str, *, wait_s: float, at_once: bool, step: "Step") -> "Optional[int]":
    failed = 0
    while True:
        with locks.held(queue.lock(state_dir), wait_s) as got:
            if not got:
                return None
            step("locked")
            failed += _drain(state_dir, at_once=at_once, step=step)
        step("released")
        # A hook that saw the lock held has not started another worker: what it queued is ours.
        if not queue.due(state_dir, time.time()):
            return failed
        at_once = False


def _drain(state_dir: str, *, at_once: bool, step: "Step") -> int:
    for inside in _TEMPORARY:
        fsio.sweep(state_dir + inside)
    fsio.sweep(paths.claude_config_dir(os.environ) + "/memdir")
    step("tidied")
    queue.recover(state_dir)
    for session in journal.sessions(state_dir):
        if queue.given_up(state_dir, session) is None:
            queue.add(state_dir, queue.Job({"session": session}), replace=False)  # its own job may be lost
    step("recovered")
    failed = 0
    while jobs := queue.due(state_dir, time.time(), at_once=at_once):
        for waiting in jobs:
            job = queue.take(state_dir, waiting)
            if job is None:
                failed += 1
                continue
            step("claimed")
            failed += not _do(state_dir, job, step)
        at_once = False  # what has failed just now waits
    return failed


def _do(state_dir: str, job: "Job", step: "Step") -> bool:
    """Whether the job is done; else it waits for its next try, or is given up."""
    started = time.monotonic()
    errors: "list[str]" = []
    try:
        fsio.sweep(f"{state_dir}/sessions/{paths.session_name(job.session)}")
        if job.memory:
            fsio.sweep(job.memory)
        result = extraction.run(state_dir, job, step)
        queue.done(state_dir, job)
        step("job removed")
        outcome = result.told()
    except Exception as error:  # noqa: BLE001 - the boundary of a job: one that fails must not hold up the others
        text = redact.clean("".join(traceback.format_exception(*sys.exc_info())))[-_ERROR_CHARS:]
        errors = [log.describe(error)]
        outcome = "error"
        _put_back(state_dir, job, text, errors)
    _log(state_dir, started, paths.session_name(job.session)[:8], outcome, errors)
    return not errors


def _log(state_dir: str, started: float, session: str, outcome: str, errors: "list[str]") -> None:
    line = {"t": round(time.time(), 3), "hook": "worker", "ms": round((time.monotonic() - started) * 1000, 1)}
    more = {"errors": errors} if errors else {}
    with contextlib.suppress(OSError):  # a full disk: the job matters, not the line about it
        log.write(state_dir, {**line, "session": session, "outcome": outcome, **more})


def _put_back(state_dir: str, job: "Job", text: str, errors: "list[str]") -> None:
    try:
        if not queue.put_back(state_dir, job, text, time.time()):
            errors.append(f"given up after {queue.MAX_TRIES} tries")
    except OSError as error:
        errors.append(log.describe(error))  # it stays among the running, and comes back with the next worker
