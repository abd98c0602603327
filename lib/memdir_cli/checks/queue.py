"""The queue, and what was damaged and put aside."""

import os

from memdir import ages, queue
from memdir_cli.checks.finding import counted, note, ok, own, problem, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memdir_cli.checks.finding import Finding
    from memdir_cli.checks.scene import Scene


def check(scene: "Scene") -> "Iterator[Finding]":
    if not scene.state:
        return
    state, now = scene.state, scene.now
    closed = queue.unreadable(state)
    for path in closed:
        mend = f"{own(path)}; chmod -R u+rwX {quoted(path)}"
        mend = mend if scene.owns_state else scene.choice_of_state()
        yield problem("queue.unreadable", f"{path} cannot be read", mend)
    failed, waiting = queue.read(state, queue.FAILED), queue.read(state, queue.PENDING)
    if failed:
        told = (
            f"{counted(len(failed), 'session')} could not be extracted, the last {ages.ago(failed[-1].queued_at, now)}"
        )
        yield problem(
            "queue.failed",
            f"{told}: {_last_line(failed[-1].error)}",
            f"{scene.memdir} queue retry --all && {scene.memdir} queue run",
        )
    if waiting and now - waiting[0].queued_at > ages.DAY_S:
        told = f"{counted(len(waiting), 'session')} in the queue, the first since {ages.ago(waiting[0].queued_at, now)}"
        yield problem("queue.waiting", told, f"{scene.memdir} queue run")
    for job in waiting:
        if job.error:
            told = f"{job.session} failed {counted(job.tries, 'time')} so far: {_last_line(job.error)}"
            yield note("queue.tries", told, f"{scene.memdir} queue run")
    if not failed and not closed:
        text = f"{counted(len(waiting), 'session')} in the queue" if waiting else "the queue is empty"
        yield ok("queue.ok", text)
    yield from _damaged(state)


def _last_line(error: str) -> str:
    return error.strip().rpartition("\n")[2]


def _damaged(state: str) -> "Iterator[Finding]":
    for folder in [f"{state}/{inside}" for inside in ("queue/failed", "cursors", "apply")]:
        try:
            names = sorted(os.listdir(folder))
        except FileNotFoundError:
            continue
        except OSError as error:
            yield problem("state.closed", f"{folder} cannot be read: {error.strerror}", f"chmod u+rwx {quoted(folder)}")
            continue
        for path in [f"{folder}/{name}" for name in names if name.endswith(".damaged")]:
            yield note("state.damaged", f"{path} was damaged and put aside; look at it", f"rm -r {quoted(path)}")
