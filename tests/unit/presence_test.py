import os
import subprocess
import time

import pytest

from memdir import presence

NOW = 1_800_000_000.0


@pytest.fixture
def note(state_dir):
    def call(session="s1", pid=None, now=NOW, **changes):
        fields = {"transcript": "/t/s1.jsonl", "cwd": "/p/sub", "project": "/p", **changes}
        env = {"CLAUDE_PID": str(os.getpid() if pid is None else pid)}
        presence.note(str(state_dir), session, env=env, now=now, **fields)

    return call


def _left(state_dir, now=NOW):
    return [session.session for session in presence.left(str(state_dir), now)]


@pytest.fixture
def dead():
    process = subprocess.Popen(["true"])
    process.wait()
    return process.pid


def test_a_session_whose_client_runs_is_not_left(note, state_dir):
    note()
    assert _left(state_dir) == []


def test_a_session_whose_client_is_gone_is_left_with_all_that_is_known(note, state_dir, dead):
    note("older", dead, now=NOW - 60)
    note("newer", dead)
    assert _left(state_dir) == ["newer", "older"]
    first = presence.left(str(state_dir), NOW)[0]
    assert (first.transcript, first.cwd, first.project) == ("/t/s1.jsonl", "/p/sub", "/p")


def test_a_session_is_written_down_once_and_again_when_its_client_is_another(note, state_dir, dead):
    note()
    before = os.stat(state_dir / "open" / "s1").st_mtime_ns
    note(now=NOW + 5)
    assert os.stat(state_dir / "open" / "s1").st_mtime_ns == before
    note(pid=dead)
    assert _left(state_dir) == ["s1"]
    note()
    assert _left(state_dir) == []


def test_one_that_is_forgotten_is_told_once(note, state_dir):
    note()
    assert presence.forget(str(state_dir), "s1")
    assert not presence.forget(str(state_dir), "s1")
    assert _left(state_dir) == []


def test_an_unknown_client_counts_as_gone_after_a_day(note, state_dir):
    note(pid="")
    assert _left(state_dir) == []
    assert _left(state_dir, NOW + 2 * 86_400) == ["s1"]


def test_a_session_that_goes_on_is_seen_again_every_hour(note, state_dir):
    note(pid="")
    for hours in range(1, 60):
        note(pid="", now=NOW + 3_601 * hours)
    assert _left(state_dir, NOW + 3_601 * 60) == []


def test_a_session_noted_by_a_wrong_clock_is_kept_as_long_as_its_transcript_is_young(note, state_dir, dead, tmp_path):
    (tmp_path / "t.jsonl").touch()
    note(pid=dead, now=1_000.0, transcript=str(tmp_path / "t.jsonl"))
    assert _left(state_dir, time.time()) == ["s1"]


def test_after_a_month_it_is_forgotten(note, state_dir, dead):
    note(pid=dead, now=NOW - 31 * 86_400)
    assert _left(state_dir) == []
    assert os.listdir(state_dir / "open") == []


def test_a_damaged_file_is_no_session(state_dir):
    (state_dir / "open").mkdir(parents=True)
    for name, raw in (("a", b""), ("b", b"{"), ("c", b"[]"), ("d", b'{"session":1}')):
        (state_dir / "open" / name).write_bytes(raw)
    assert _left(state_dir, time.time()) == []
    assert os.listdir(state_dir / "open") == []


@pytest.mark.parametrize("session", ["../../x", "/abs", "..", "a\0b", "é", "a" * 300])
def test_no_session_id_leads_out_of_the_directory(note, state_dir, dead, session):
    note(session, dead)
    assert _left(state_dir) == [session]
    assert len(os.listdir(state_dir / "open")) == 1


def test_a_note_that_was_renewed_meanwhile_is_not_forgotten(note, state_dir, dead):
    note(pid=dead)
    (seen,) = presence.left(str(state_dir), NOW)
    note()  # resumed by another client
    assert not presence.forget(str(state_dir), "s1", seen)
    note(pid=dead)
    (seen,) = presence.left(str(state_dir), NOW)
    assert presence.forget(str(state_dir), "s1", seen)
