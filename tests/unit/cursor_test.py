"""Where a session's transcript is read on, whatever became of the file meanwhile."""

import json
import os
import shutil

import pytest

from memdir import cursor, transcript
from memdir.session import Session
from support.checkout import ROOT
from support.conversation import Conversation

CASES = ROOT / "tests" / "data" / "transcripts"
SESSION = "s1"


@pytest.fixture
def state(state_dir):
    return str(state_dir)


@pytest.fixture
def talk(tmp_path):
    made = Conversation(tmp_path / "t.jsonl", tmp_path, SESSION)
    for number in range(4):
        made.user(f"question {number}, with some more words").claude(f"answer {number}").bookkeeping()
    return made


def extract(state, path, session=SESSION, *, ahead=0):
    """As if everything in a file had been extracted; the offset of its end."""
    found = transcript.read(str(path))
    cursor.save(state, session, cursor.at(str(path), found.end, found.last_uuid, ahead))
    return found.end


def left(state, path, session=SESSION):
    """What is said in the turns that wait."""
    start, _ = cursor.position(state, session, str(path))
    return [turn.said for turn in transcript.read(str(path), start, session_id=session).turns if turn.said]


def test_a_session_that_was_never_seen_is_read_from_its_beginning(state, talk):
    assert cursor.position(state, SESSION, str(talk.path)) == (0, 0)


def test_a_file_is_read_on_where_it_was_left(state, talk):
    end = extract(state, talk.path, ahead=7)
    assert cursor.position(state, SESSION, str(talk.path)) == (end, 7)
    talk.user("new").claude("yes")
    assert cursor.position(state, SESSION, str(talk.path)) == (end, 7)
    assert left(state, talk.path) == [["new"]]


def test_a_file_that_moved_is_the_same(state, talk):
    end = extract(state, talk.path)
    moved = talk.path.with_name("elsewhere.jsonl")
    talk.path.rename(moved)
    assert cursor.position(state, SESSION, str(moved)) == (end, 0)


def test_a_file_that_was_copied_over_and_has_another_inode_is_the_same(state, talk):
    end = extract(state, talk.path)
    shutil.copy(talk.path, talk.path.with_name("copy"))
    os.replace(talk.path.with_name("copy"), talk.path)
    os.utime(talk.path, (1, 1))
    assert cursor.position(state, SESSION, str(talk.path)) == (end, 0)


def test_a_file_of_the_same_length_with_another_content_is_not_the_same(state, tmp_path):
    path = tmp_path / "t.jsonl"
    shutil.copy(CASES / "TRN-04" / "old.jsonl", path)
    end = extract(state, path, "t01")
    shutil.copy(CASES / "TRN-04" / "new.jsonl", path)
    assert path.stat().st_size == end
    assert cursor.position(state, "t01", str(path)) == (0, 0)


def _without_a_line(talk, number):
    lines = talk.path.read_bytes().splitlines(keepends=True)
    del lines[number]
    talk.path.write_bytes(b"".join(lines))


@pytest.mark.parametrize("number", [0, 1, 5], ids=["the first", "the second", "one within"])
def test_a_file_that_lost_a_line_is_read_on_after_the_last_record_that_was_extracted(state, talk, number):
    extract(state, talk.path)
    _without_a_line(talk, number)
    talk.user("new").claude("yes")
    assert left(state, talk.path) == [["new"]]


def test_a_file_that_was_cut_back_behind_the_last_record_is_read_from_its_beginning_again(state, talk):
    """What was in it may be extracted once more; what is in it now is not lost."""
    extract(state, talk.path)
    lines = talk.path.read_bytes().splitlines(keepends=True)
    talk.path.write_bytes(b"".join(lines[:4]))
    assert cursor.position(state, SESSION, str(talk.path)) == (0, 0)


def test_a_file_that_lost_only_bookkeeping_at_its_end_is_read_on(state, talk):
    extract(state, talk.path, ahead=7)
    lines = talk.path.read_bytes().splitlines(keepends=True)
    talk.path.write_bytes(b"".join(lines[:-2]))
    talk.user("new").claude("yes")
    assert left(state, talk.path) == [["new"]]
    assert cursor.position(state, SESSION, str(talk.path))[1] == 7


def test_a_change_between_the_marks_is_not_seen_and_shifts_nothing(state, talk):
    """Claude Code only adds lines; a whole checksum would read a file of megabytes at every turn."""
    end = extract(state, talk.path)
    raw = bytearray(talk.path.read_bytes())
    middle = raw.index(b"question 1")
    assert cursor.MARK_BYTES < middle < end - cursor.MARK_BYTES
    raw[middle : middle + 8] = b"QUESTION"
    talk.path.write_bytes(raw)
    assert cursor.position(state, SESSION, str(talk.path)) == (end, 0)


@pytest.mark.parametrize("place", ["head", "tail"])
def test_a_change_at_the_beginning_or_before_the_position_is_seen(state, talk, place):
    end = extract(state, talk.path)
    raw = bytearray(talk.path.read_bytes())
    at = 40 if place == "head" else end - 200
    raw[at] = raw[at] ^ 1
    talk.path.write_bytes(raw)
    assert cursor.position(state, SESSION, str(talk.path))[0] != end


def test_a_fork_is_read_on_after_what_it_copied(state, talk):
    end = extract(state, talk.path)
    fork = Conversation(talk.path.with_name("fork.jsonl"), talk.cwd, "fork")
    fork.path.write_bytes(talk.path.read_bytes())
    fork.user("new").claude("yes")
    assert cursor.position(state, "fork", str(fork.path)) == (_after_last_record(talk.path), 0)
    assert left(state, fork.path, "fork") == [["new"]]
    assert cursor.position(state, SESSION, str(talk.path)) == (end, 0)


def _after_last_record(path):
    return transcript.position_after(str(path), {transcript.read(str(path)).last_uuid})


def test_a_fork_of_a_session_in_another_project_s_directory_is_another_one(state, talk, tmp_path):
    extract(state, talk.path)
    (tmp_path / "other").mkdir()
    copy = tmp_path / "other" / "t.jsonl"
    copy.write_bytes(talk.path.read_bytes())
    assert cursor.position(state, "fork", str(copy)) == (0, 0)


def test_the_recorded_fork(state):
    """The origin's line is in the fork as well, in its place."""
    folder = CASES / "TRN-17"
    origin, fork = folder / "origin.jsonl", folder / "fork.jsonl"
    names = [json.loads(path.read_text("utf-8").splitlines()[-1])["sessionId"] for path in (origin, fork)]
    extract(state, origin, names[0])
    copied = transcript.position_after(str(fork), {transcript.read(str(origin)).last_uuid})
    assert cursor.position(state, names[1], str(fork)) == (copied, 0)


def test_without_a_cursor_the_state_of_the_session_tells_what_was_extracted(state, talk):
    last = transcript.read(str(talk.path)).last_uuid
    Session(state, SESSION).add("extracted", 1.0, uuid=last, topics=["a.md"])
    talk.user("new").claude("yes")
    assert left(state, talk.path) == [["new"]]


def test_damaged_records_of_what_was_extracted_are_passed_over(state, talk):
    for uuid in (None, 7, ["x"], ""):
        Session(state, SESSION).add("extracted", 1.0, uuid=uuid)
    assert cursor.position(state, SESSION, str(talk.path)) == (0, 0)


def test_a_transcript_that_is_gone_is_an_error(state, talk):
    extract(state, talk.path)
    talk.path.unlink()
    with pytest.raises(OSError):
        cursor.position(state, SESSION, str(talk.path))


DAMAGED = [
    b"", b"{", b"[]", b"null", b"\0" * 100, b'{"transcript": "/t"}',
    b'{"transcript": 1, "offset": 1, "head": 1, "tail": 1, "uuid": "u", "ahead": 0}',
    b'{"transcript": "/t", "offset": -1, "head": 1, "tail": 1, "uuid": "u", "ahead": 0}',
    b'{"transcript": "/t", "offset": 1.5, "head": 1, "tail": 1, "uuid": "u", "ahead": 0}',
    b'{"transcript": "/t", "offset": "1", "head": 1, "tail": 1, "uuid": "u", "ahead": 0}',
    b'{"transcript": "/t", "offset": 1, "head": 1, "tail": 1, "uuid": null, "ahead": 0}',
]  # fmt: skip


@pytest.mark.parametrize("raw", DAMAGED)
def test_a_damaged_cursor_is_kept_aside_and_the_next_one_has_its_place(state, talk, raw):
    name = cursor.file(state, SESSION)
    os.makedirs(os.path.dirname(name))
    with open(name, "wb") as file:
        file.write(raw)
    assert cursor.load(state, SESSION) is None
    with open(name + ".damaged", "rb") as file:
        assert file.read() == raw
    end = extract(state, talk.path)
    assert cursor.load(state, SESSION).offset == end


@pytest.mark.parametrize("times", [1, 3])
def test_what_is_no_file_in_its_place_is_put_aside(state, talk, tmp_path, times):
    name = cursor.file(state, SESSION)
    (tmp_path / "mine").write_text("keep me")
    for _ in range(times):
        os.makedirs(os.path.dirname(name), exist_ok=True)
        os.mkdir(name)
        assert cursor.load(state, SESSION) is None
        os.symlink(tmp_path / "mine", name)
        assert cursor.load(state, SESSION) is None
    extract(state, talk.path)
    assert cursor.load(state, SESSION)
    assert (tmp_path / "mine").read_text() == "keep me"


def test_a_cursor_says_the_same_after_it_was_saved(state, talk):
    extract(state, talk.path, ahead=5)
    loaded = cursor.load(state, SESSION)
    made = cursor.at(str(talk.path), loaded.offset, loaded.uuid, 5)
    assert loaded.fields() == made.fields()
    assert os.stat(cursor.file(state, SESSION)).st_mode & 0o777 == 0o600


@pytest.mark.parametrize("session", ["../../x", "/abs", "..", "a\0b", "é", "a" * 300])
def test_no_session_id_leads_out_of_the_directory(state, talk, session):
    extract(state, talk.path, session)
    assert len(os.listdir(state + "/cursors")) == 1
    assert cursor.load(state, session)
