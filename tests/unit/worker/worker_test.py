"""The worker's loop: one at a time, job after job, and no job that fails holds up another."""

import json
import os
import time

import pytest

from memdir import cursor, fsio, locks, queue
from memdir.errors import MemdirError
from memdir.index_lines import Wanted
from memdir_worker import journal, worker
from memdir_worker.overlay import Change
from support.conversation import Conversation


@pytest.fixture
def state(state_dir):
    return str(state_dir)


@pytest.fixture
def add(state, memory, home):
    """add(session, text) queues a session in which that was said."""

    def call(session="s1", text="Remember that staging deploys only happen on Tuesdays.", **fields):
        talk = Conversation(memory.dir.parent / f"{session}.jsonl", home, session).user(text).claude("Noted.")
        known = {"session": session, "transcript": str(talk.path), "memory": str(memory.dir), "queued_at": 1.0}
        queue.add(state, queue.Job({**known, "upto": talk.path.stat().st_size, **fields}))
        return talk

    return call


def _log(state_dir):
    return [json.loads(line) for line in (state_dir / "log.jsonl").read_text().splitlines()]


def _topics(memory):
    return "".join(path.read_text("utf-8") for path in memory.dir.glob("*.md") if path.name != "MEMORY.md")


def test_an_empty_queue_is_no_work(state, state_dir):
    assert worker.run(state) == 0
    assert not (state_dir / "log.jsonl").exists()


def test_while_another_has_the_lock_nothing_is_done(state, add, memory):
    add()
    with locks.held(queue.lock(state)):
        assert worker.run(state) is None
    assert _topics(memory) == ""
    assert len(queue.read(state, queue.PENDING)) == 1


def test_a_job_that_fails_holds_up_no_other(state, state_dir, add, memory, tmp_path):
    (tmp_path / "file").write_text("no directory")
    add("bad", memory=str(tmp_path / "file"), queued_at=0.0)
    add("good")
    assert worker.run(state) == 1
    assert "Tuesdays" in _topics(memory)
    (waiting,) = queue.read(state, queue.PENDING)
    assert (waiting.session, waiting.tries) == ("bad", 1)
    assert "Error" in waiting.error
    assert [bool(line.get("errors")) for line in _log(state_dir)] == [True, False]


def test_a_job_that_keeps_failing_is_given_up_and_the_log_says_so(state, state_dir, add, tmp_path):
    (tmp_path / "file").write_text("no directory")
    add("bad", memory=str(tmp_path / "file"))
    for _ in range(queue.MAX_TRIES):
        assert worker.run(state, at_once=True) == 1
    assert worker.run(state, at_once=True) == 0
    assert [job.session for job in queue.read(state, queue.FAILED)] == ["bad"]
    assert any("given up" in error for error in _log(state_dir)[-1]["errors"])


def test_the_log_holds_neither_text_nor_paths(state, state_dir, add, memory, tmp_path):
    (tmp_path / "file").write_text("no directory")
    add("bad", "Remember that the CANARY sings.", memory=str(tmp_path / "file"))
    add()
    worker.run(state)
    raw = (state_dir / "log.jsonl").read_text()
    assert not any(private in raw for private in ("CANARY", "Tuesdays", str(tmp_path), str(memory.dir)))


def test_a_job_that_comes_when_the_last_is_done_is_taken_by_the_same_worker(state, add, memory):
    """Its hook saw the lock held and has started no other."""
    add()
    waiting = [lambda: add("s2", "Remember that the bank reads the CSV header.")]

    def step(name):
        if name == "released" and waiting:
            waiting.pop()()

    assert worker.run(state, step=step) == 0
    assert "CSV" in _topics(memory)
    assert not queue.is_left(state)


def test_what_waits_for_a_later_try_does_not_keep_it_running(state, add, tmp_path):
    (tmp_path / "file").write_text("no directory")
    add("bad", memory=str(tmp_path / "file"))
    started = time.monotonic()
    assert worker.run(state) == 1
    assert worker.run(state) == 0
    assert time.monotonic() - started < 20


def test_a_journal_whose_job_was_lost_is_carried_out(state, memory, tmp_path):
    (tmp_path / "t.jsonl").write_text("{}\n")
    after = cursor.at(str(tmp_path / "t.jsonl"), 3, "u")
    text = b"---\nname: a\ndescription: d\n---\nText.\n"
    line = Wanted("a.md", "A", "d", replace=False)
    journal.write(state, journal.Journal("s1", str(memory.dir), [Change("a.md", "", text)], [line], after))
    assert worker.run(state) == 0
    assert (memory.dir / "a.md").read_bytes() == text
    assert journal.sessions(state) == []
    assert not queue.is_left(state)


def test_a_transcript_that_was_cleaned_away_is_no_failure(state, add, memory):
    add().path.unlink()
    assert worker.run(state) == 0
    assert not queue.is_left(state)
    assert _topics(memory) == ""


@pytest.mark.parametrize("place", ["worker.lock", "queue/running", "queue/tries"])
def test_a_state_directory_that_cannot_be_used_is_told_in_words(state, state_dir, add, place):
    add()
    target = state_dir / place
    if place == "worker.lock":
        target.symlink_to("elsewhere")
    else:
        target.write_text("no directory")
    with pytest.raises(MemdirError, match="memdir doctor"):
        worker.run(state)
    assert _log(state_dir)[-1]["errors"]
    target.unlink()
    assert worker.run(state) == 0
    assert not queue.is_left(state)


def test_temporary_files_of_killed_processes_are_swept_and_those_of_the_living_stay(state, state_dir, add, memory):
    add()
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)
    dead, alive = fsio.temporary_name(child), fsio.temporary_name(os.getpid())
    folders = [state_dir, state_dir / "queue" / "pending", state_dir / "sessions" / "s1", memory.dir]
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / dead).write_text("half")
        (folder / alive).write_text("half")
    worker.run(state)
    assert [sorted(path.name for path in folder.glob(".memdir-*")) for folder in folders] == [[alive]] * 4
