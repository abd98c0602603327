"""`memdir queue`: the sessions whose turns wait to become memories."""

import argparse
import os
import sys
import time

from memdir import ages, cursor, jsonio, locks, paths, queue, store
from memdir.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

WAIT_S = 60.0  # for a worker that is at it


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="list|run|retry|drop", required=True)
    listed = actions.add_parser("list", help="the jobs: waiting, running, failed")
    listed.add_argument("--json", action="store_true", help="one JSON document")
    actions.add_parser("run", help="work off the queue here and now; exit code 1 if a job failed")
    for name, what in (("retry", "let failed jobs wait again"), ("drop", "give up jobs and what they would extract")):
        action = actions.add_parser(name, help=what)
        action.add_argument("session", nargs="?", default="", help="a session id, or enough of its beginning")
        action.add_argument("--all", action="store_true", help="all of them")


def run(args: argparse.Namespace) -> int:
    state = paths.state_dir(os.environ)
    if not state:
        raise UserError("no state directory: HOME is not set")
    actions: "dict[str, Callable[[str, argparse.Namespace], int]]" = {
        "list": _list, "run": _run, "retry": _retry, "drop": _drop,
    }  # fmt: skip
    return actions[args.action](state, args)


def _list(state: str, args: argparse.Namespace) -> int:
    rows = [(name, job) for name in (queue.RUNNING, queue.PENDING, queue.FAILED) for job in queue.read(state, name)]
    if args.json:
        print(jsonio.dumps([_fields(name, job) for name, job in rows]))
        return 0
    for name, job in rows:
        tries = f", {job.tries} tries" if job.tries else ""
        waits = job.not_before - time.time()
        again = f", again in {int(waits) // 60 + 1} min" if name == queue.PENDING and waits > 0 else ""
        print(f"{name:8}  {store.shown(job.session)}  queued {ages.ago(job.queued_at, time.time())}{tries}{again}")
        if job.error:
            print(f"          {store.shown(job.error.strip().rpartition(chr(10))[2])}")
    if not rows:
        print("No job can be read." if queue.unreadable(state) else "The queue is empty.")
    return _complain(state)


def _complain(state: str) -> int:
    """Names what cannot be read; the exit code."""
    closed = queue.unreadable(state)
    for path in closed:
        print(f"memdir: {path} cannot be read; `memdir doctor` says what to do", file=sys.stderr)
    return 1 if closed else 0


def _fields(state: str, job: queue.Job) -> "dict[str, Any]":
    return {
        "session": job.session,
        "state": state,
        "tries": job.tries,
        "queued_at": job.queued_at,
        "error": job.error,
    }


def _run(state: str, args: argparse.Namespace) -> int:
    from memdir_worker import worker

    failed = worker.run(state, wait_s=WAIT_S, at_once=True)
    if failed is None:
        raise UserError(f"another worker has been busy for {WAIT_S:.0f} s; `memdir queue list` shows with what")
    left = len(queue.read(state, queue.PENDING))
    if failed or left:
        print(f"{failed} jobs failed, {left} wait; `memdir queue list` shows why")
        return 1
    print("No job is left that can be read." if queue.unreadable(state) else "The queue is empty.")
    return _complain(state)


def _retry(state: str, args: argparse.Namespace) -> int:
    for job in _chosen(args, queue.read(state, queue.FAILED)):
        queue.retry(state, job)
        print(f"{store.shown(job.session)} waits again; `memdir queue run` does it now")
    return 0


def _drop(state: str, args: argparse.Namespace) -> int:
    from memdir_worker import journal

    with locks.held(queue.lock(state), WAIT_S) as got:
        if not got:
            raise UserError(f"a worker has been busy for {WAIT_S:.0f} s; try again when it is done")
        jobs = {
            job.session: job for name in (queue.FAILED, queue.RUNNING, queue.PENDING) for job in queue.read(state, name)
        }
        for job in _chosen(args, list(jobs.values())):
            if os.path.isfile(job.transcript):
                known = cursor.load(state, job.session)
                size = os.stat(job.transcript).st_size
                end = min(job.upto, size) if job.upto >= 0 else size
                after = cursor.at(job.transcript, end, known.uuid if known else "")
                cursor.save(state, job.session, after)  # else the next turn brings the same lines again
            journal.remove(state, job.session)
            queue.drop(state, job)
            print(f"{store.shown(job.session)} dropped: what was said in it until then becomes no memory")
    return 0


def _chosen(args: argparse.Namespace, jobs: "list[queue.Job]") -> "list[queue.Job]":
    if not args.session and not args.all:
        raise UserError("which one? Name a session, or give --all; `memdir queue list` shows them")
    found = [job for job in jobs if args.all or job.session.startswith(args.session)]
    if len(found) > 1 and not args.all:
        raise UserError(f"{len(found)} sessions begin with {store.shown(args.session)}; give more of the id, or --all")
    if not found and not args.all:
        raise UserError(f"no such job: {store.shown(args.session)}; `memdir queue list` shows them")
    return found
