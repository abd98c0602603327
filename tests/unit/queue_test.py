import json
import os
from pathlib import Path

import pytest

from memdir import queue

NOW = 1_800_000_000.0


def job(session="s1", **fields):
    return queue.Job({"session": session, "transcript": "/t", "memory": "/m", "queued_at": NOW, **fields})


@pytest.fixture
def state(state_dir):
    return str(state_dir)


def _states(state):
    return {
        name: [one.session for one in queue.read(state, name)]
        for name in (queue.PENDING, queue.RUNNING, queue.FAILED)
        if queue.read(state, name)
    }


def _files(state):
    return sorted(
        os.path.relpath(os.path.join(folder, name), state + "/queue")
        for folder, _, names in os.walk(state + "/queue")
        for name in names
    )


def test_a_job_is_taken_once_and_gone_when_it_is_done(state):
    queue.add(state, job())
    taken = queue.claim(state, NOW, at_once=False)
    assert (taken.session, taken.tries) == ("s1", 1)
    assert _states(state) == {"running": ["s1"]}
    assert queue.claim(state, NOW, at_once=False) is None
    queue.done(state, taken)
    assert _files(state) == []


def test_a_later_job_of_a_session_takes_the_place_of_the_one_that_waits(state):
    queue.add(state, job(upto=10))
    queue.add(state, job(upto=20))
    queue.add(state, job(upto=30), replace=False)
    assert [one.upto for one in queue.read(state, queue.PENDING)] == [20]


def test_the_oldest_job_comes_first(state):
    for number in (3, 1, 2):
        queue.add(state, job(f"s{number}", queued_at=NOW + number))
    assert [queue.claim(state, NOW, at_once=False).session for _ in range(3)] == ["s1", "s2", "s3"]


def test_a_job_added_while_its_session_is_worked_on_waits_for_its_turn(state):
    queue.add(state, job(upto=10))
    taken = queue.claim(state, NOW, at_once=False)
    queue.add(state, job(upto=20))
    queue.done(state, taken)
    assert [one.upto for one in queue.read(state, queue.PENDING)] == [20]


def test_what_a_killed_worker_left_comes_back(state):
    queue.add(state, job())
    queue.claim(state, NOW, at_once=False)
    queue.recover(state)
    assert _states(state) == {"pending": ["s1"]}
    assert queue.claim(state, NOW, at_once=False).tries == 2


def test_it_does_not_come_back_over_a_later_job(state):
    queue.add(state, job(upto=10))
    queue.claim(state, NOW, at_once=False)
    queue.add(state, job(upto=20))
    queue.recover(state)
    assert [one.upto for one in queue.read(state, queue.PENDING)] == [20]
    assert _states(state) == {"pending": ["s1"]}
    assert queue.claim(state, NOW, at_once=False).tries == 2  # a session that kills its worker does not do so for ever


def test_a_job_that_fails_waits_longer_each_time_and_is_then_given_up(state):
    queue.add(state, job())
    now, waits = NOW, []
    for _ in range(queue.MAX_TRIES - 1):
        assert queue.put_back(state, queue.claim(state, now, at_once=False), "Traceback", now)
        (waiting,) = queue.read(state, queue.PENDING)
        waits.append(waiting.not_before - now)
        assert queue.claim(state, waiting.not_before - 1, at_once=False) is None
        assert not queue.is_due(state, waiting.not_before - 1)
        now = waiting.not_before
        assert queue.is_due(state, now)
    assert waits == [60, 240, 960, 3840]
    assert not queue.put_back(state, queue.claim(state, now, at_once=False), "Traceback: the last", now)
    (failed,) = queue.read(state, queue.FAILED)
    assert (failed.error, failed.tries) == ("Traceback: the last", 5)
    assert _files(state) == ["failed/s1.json"]
    assert queue.has_failed(state, "s1")


def test_a_clock_that_went_back_holds_no_job_up(state):
    queue.add(state, job())
    queue.put_back(state, queue.claim(state, NOW, at_once=False), "", NOW)
    assert queue.claim(state, NOW - 30 * 86_400, at_once=False)


def test_at_once_means_without_waiting_but_not_twice_in_a_row(state):
    queue.add(state, job())
    queue.put_back(state, queue.claim(state, NOW, at_once=False), "", NOW)
    assert queue.claim(state, NOW, at_once=True, but={"s1.json"}) is None
    assert queue.claim(state, NOW, at_once=True)


def test_a_failed_job_can_be_tried_anew(state):
    queue.add(state, job())
    for _ in range(queue.MAX_TRIES):
        queue.put_back(state, queue.claim(state, NOW, at_once=True), "T", NOW)
    (failed,) = queue.read(state, queue.FAILED)
    queue.retry(state, failed)
    (waiting,) = queue.read(state, queue.PENDING)
    assert (waiting.tries, waiting.error, waiting.not_before) == (0, "", 0)
    assert _files(state) == ["pending/s1.json"]


def test_success_forgets_an_earlier_failure_of_the_session(state):
    queue.add(state, job())
    for _ in range(queue.MAX_TRIES):
        queue.put_back(state, queue.claim(state, NOW, at_once=True), "T", NOW)
    queue.add(state, job())
    queue.done(state, queue.claim(state, NOW, at_once=False))
    assert _files(state) == []


def test_a_dropped_job_is_nowhere(state):
    queue.add(state, job())
    queue.put_back(state, queue.claim(state, NOW, at_once=False), "", NOW)
    queue.drop(state, job())
    assert _files(state) == []


DAMAGED = [b"", b"{", b'{"session": "s1", "tran', b"[]", b"null", b"\0\0\0", b'{"session":"other"}']


@pytest.mark.parametrize("raw", DAMAGED)
@pytest.mark.parametrize("place", ["pending", "running"])
def test_a_damaged_job_is_kept_aside_and_holds_up_nothing(state, raw, place):
    folder = queue.folder(state, place)
    os.makedirs(folder)
    with open(folder + "/s1.json", "wb") as file:
        file.write(raw)
    queue.add(state, job("s2"))
    queue.recover(state)
    assert queue.claim(state, NOW, at_once=False).session == "s2"
    with open(queue.folder(state, queue.FAILED) + "/s1.json.damaged", "rb") as file:
        assert file.read() == raw
    queue.add(state, job())
    assert queue.claim(state, NOW, at_once=False).session == "s1"


def test_damaged_notes_of_earlier_tries_count_as_none(state):
    queue.add(state, job())
    os.makedirs(queue.folder(state, "tries"))
    with open(queue.folder(state, "tries") + "/s1.json", "w") as file:
        file.write('{"tries": "many", "not_bef')
    assert queue.claim(state, NOW, at_once=False).tries == 1


IDS = ["../../etc/cron.d/evil", "/tmp/abs", "a/b", "..", ".", "x\0y", "a\nb", "é日本", "a" * 400]


@pytest.mark.parametrize("session", IDS)
def test_no_session_id_leads_out_of_the_queue(state, session):
    queue.add(state, job(session))
    taken = queue.claim(state, NOW, at_once=False)
    assert taken.session == session
    assert len(_files(state)) == 2
    queue.done(state, taken)
    assert _files(state) == []


def test_a_job_file_is_private_and_one_json_document(state):
    queue.add(state, job(answer="“ü”"))
    path = queue.folder(state, queue.PENDING) + "/s1.json"
    assert os.stat(path).st_mode & 0o777 == 0o600
    assert json.loads(Path(path).read_text("ascii"))["answer"] == "“ü”"
