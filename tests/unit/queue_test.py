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


def claim(state, now, *, at_once=False):
    """The next job, as a worker takes it."""
    waiting = queue.due(state, now, at_once=at_once)
    return next((taken for one in waiting if (taken := queue.take(state, one))), None)


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
    taken = claim(state, NOW)
    assert (taken.session, taken.tries) == ("s1", 1)
    assert _states(state) == {"running": ["s1"]}
    assert claim(state, NOW) is None
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
    assert [claim(state, NOW).session for _ in range(3)] == ["s1", "s2", "s3"]


def test_a_job_added_while_its_session_is_worked_on_waits_for_its_turn(state):
    queue.add(state, job(upto=10))
    taken = claim(state, NOW)
    queue.add(state, job(upto=20))
    queue.done(state, taken)
    assert [one.upto for one in queue.read(state, queue.PENDING)] == [20]


def test_what_a_killed_worker_left_comes_back(state):
    queue.add(state, job())
    claim(state, NOW)
    queue.recover(state)
    assert _states(state) == {"pending": ["s1"]}
    assert claim(state, NOW).tries == 2


def test_it_does_not_come_back_over_a_later_job(state):
    queue.add(state, job(upto=10))
    claim(state, NOW)
    queue.add(state, job(upto=20))
    queue.recover(state)
    assert [one.upto for one in queue.read(state, queue.PENDING)] == [20]
    assert _states(state) == {"pending": ["s1"]}
    assert claim(state, NOW).tries == 2  # a session that kills its worker does not do so for ever


def test_a_job_that_fails_waits_longer_each_time_and_is_then_given_up(state):
    queue.add(state, job())
    now, waits = NOW, []
    for _ in range(queue.MAX_TRIES - 1):
        assert queue.put_back(state, claim(state, now), "Traceback", now)
        (waiting,) = queue.read(state, queue.PENDING)
        waits.append(waiting.not_before - now)
        assert claim(state, waiting.not_before - 1) is None
        now = waiting.not_before
        assert queue.due(state, now)
    assert waits == [60, 240, 960, 3840]
    assert not queue.put_back(state, claim(state, now), "Traceback: the last", now)
    (failed,) = queue.read(state, queue.FAILED)
    assert (failed.error, failed.tries) == ("Traceback: the last", 5)
    assert _files(state) == ["failed/s1.json"]
    assert queue.given_up(state, "s1").error == "Traceback: the last"


def test_a_clock_that_went_back_holds_no_job_up(state):
    queue.add(state, job())
    queue.put_back(state, claim(state, NOW), "", NOW)
    assert claim(state, NOW - 30 * 86_400)


def test_at_once_means_without_waiting(state):
    queue.add(state, job())
    queue.put_back(state, claim(state, NOW), "", NOW)
    assert claim(state, NOW) is None
    assert claim(state, NOW, at_once=True)


def test_a_job_whose_worker_is_killed_each_time_is_given_up_and_holds_up_no_other(state):
    queue.add(state, job("killer", queued_at=NOW - 1))
    queue.add(state, job("other"))
    for _ in range(queue.MAX_TRIES):
        assert claim(state, NOW).session == "killer"
        queue.recover(state)
    assert claim(state, NOW).session == "other"
    assert "killed 5 times" in queue.given_up(state, "killer").error
    assert _states(state) == {"running": ["other"], "failed": ["killer"]}


def test_what_is_given_up_keeps_no_answer(state):
    queue.add(state, job(answer="a secret"))
    for _ in range(queue.MAX_TRIES):
        queue.put_back(state, claim(state, NOW, at_once=True), "T", NOW)
    assert queue.given_up(state, "s1").answer == ""


def test_a_failed_job_can_be_tried_anew(state):
    queue.add(state, job())
    for _ in range(queue.MAX_TRIES):
        queue.put_back(state, claim(state, NOW, at_once=True), "T", NOW)
    (failed,) = queue.read(state, queue.FAILED)
    queue.retry(state, failed)
    (waiting,) = queue.read(state, queue.PENDING)
    assert (waiting.tries, waiting.error, waiting.not_before) == (0, "", 0)
    assert _files(state) == ["pending/s1.json"]


def test_success_forgets_an_earlier_failure_of_the_session(state):
    queue.add(state, job())
    for _ in range(queue.MAX_TRIES):
        queue.put_back(state, claim(state, NOW, at_once=True), "T", NOW)
    queue.add(state, job())
    queue.done(state, claim(state, NOW))
    assert _files(state) == []


def test_a_dropped_job_is_nowhere(state):
    queue.add(state, job())
    queue.put_back(state, claim(state, NOW), "", NOW)
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
    assert claim(state, NOW).session == "s2"
    with open(queue.folder(state, queue.FAILED) + "/s1.json.damaged", "rb") as file:
        assert file.read() == raw
    queue.add(state, job())
    assert claim(state, NOW).session == "s1"


def test_damaged_notes_of_earlier_tries_count_as_none(state):
    queue.add(state, job())
    os.makedirs(queue.folder(state, "tries"))
    with open(queue.folder(state, "tries") + "/s1.json", "w") as file:
        file.write('{"tries": "many", "not_bef')
    assert claim(state, NOW).tries == 1


IDS = ["../../etc/cron.d/evil", "/tmp/abs", "a/b", "..", ".", "x\0y", "a\nb", "é日本", "a" * 400]


@pytest.mark.parametrize("session", IDS)
def test_no_session_id_leads_out_of_the_queue(state, session):
    queue.add(state, job(session))
    taken = claim(state, NOW)
    assert taken.session == session
    assert len(_files(state)) == 2
    queue.done(state, taken)
    assert _files(state) == []


def test_a_job_file_is_private_and_one_json_document(state):
    queue.add(state, job(answer="“ü”"))
    path = queue.folder(state, queue.PENDING) + "/s1.json"
    assert os.stat(path).st_mode & 0o777 == 0o600
    assert json.loads(Path(path).read_text("ascii"))["answer"] == "“ü”"
