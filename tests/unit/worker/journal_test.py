"""The journal: applied any number of times it comes to the same, and it writes over nothing it has not seen."""

import base64
import json
import os

import pytest

from memdir import cursor, index_lines, store
from memdir.errors import MemdirError
from memdir.index_lines import Wanted
from memdir_worker import journal
from memdir_worker.overlay import Change, digest

NOW = 1_800_000_000.0
SESSION = "s1"
TEXT = b"---\nname: a\ndescription: d\n---\nNew.\n"


@pytest.fixture
def state(state_dir):
    return str(state_dir)


@pytest.fixture
def plan(memory, tmp_path):
    """plan({name: (old, new)}) is a journal; `old` is None for a file that is not there yet."""
    (tmp_path / "t.jsonl").write_text("{}\n")

    def make(changes, session=SESSION):
        made = [Change(name, digest(old), new) for name, (old, new) in changes.items()]
        lines = [Wanted(name, name[0].upper(), "what it is", replace=False) for name in changes]
        return journal.Journal(session, str(memory.dir), made, lines, cursor.at(str(tmp_path / "t.jsonl"), 3, "u1"))

    return make


def apply(state, made):
    steps = []
    journal.apply(state, made, NOW, steps.append)
    return steps


def files(memory):
    """Name and content of what lies in the memory directory."""
    return {os.path.relpath(path, memory.dir): path.read_bytes() for path in memory.dir.rglob("*") if path.is_file()}


def listed(memory):
    return [entry.file for entry in index_lines.entries(store.index_text(str(memory.dir)) or "")]


def test_what_was_written_down_is_read_again(state, plan):
    made = plan({"a.md": (None, TEXT), "sub/b.md": (b"old", b"\xff\x00 any bytes")})
    journal.write(state, made)
    assert journal.sessions(state) == [SESSION]
    loaded = journal.load(state, SESSION)
    assert [vars(change) for change in loaded.changes] == [vars(change) for change in made.changes]
    assert [vars(line) for line in loaded.lines] == [vars(line) for line in made.lines]
    assert (loaded.session, loaded.folder, vars(loaded.after)) == (made.session, made.folder, vars(made.after))
    assert os.stat(journal.path(state, SESSION)).st_mode & 0o777 == 0o600


def test_it_makes_files_lines_and_cursor_and_is_gone(state, plan, memory):
    journal.write(state, plan({"a.md": (None, TEXT), "b.md": (None, TEXT)}))
    steps = apply(state, journal.load(state, SESSION))
    assert steps == ["file", "file", "index", "cursor", "journal removed"]
    assert {"a.md", "b.md"} <= set(files(memory))
    assert sorted(listed(memory)) == ["a.md", "b.md"]
    assert cursor.load(state, SESSION).uuid == "u1"
    assert journal.sessions(state) == []


def test_applied_any_number_of_times_it_comes_to_the_same(state, plan, memory):
    memory.file("b.md", b"old")
    made = plan({"a.md": (None, TEXT), "b.md": (b"old", b"new")})
    apply(state, made)
    before = files(memory)
    times = {name: os.stat(memory.dir / name).st_mtime_ns for name in before}
    for _ in range(3):
        journal.write(state, made)
        apply(state, journal.load(state, SESSION))
        assert files(memory) == before
    assert {name: os.stat(memory.dir / name).st_mtime_ns for name in before} == times


class _Stop(Exception):
    pass


def _stop_at(number):
    seen = []

    def step(name):
        seen.append(name)
        if len(seen) == number:
            raise _Stop

    return step


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_ended_after_any_step_it_is_done_to_the_end_the_next_time(state, plan, memory, number):
    memory.file("b.md", b"old")
    journal.write(state, plan({"a.md": (None, TEXT), "b.md": (b"old", b"new")}))
    with pytest.raises(_Stop):
        journal.apply(state, journal.load(state, SESSION), NOW, _stop_at(number))
    apply(state, journal.load(state, SESSION))
    assert (files(memory)["a.md"], files(memory)["b.md"], sorted(listed(memory))) == (TEXT, b"new", ["a.md", "b.md"])
    assert journal.sessions(state) == []


def _edit(path):
    path.write_bytes(b"a person's")


def _delete(path):
    path.unlink()


def _make_directory(path):
    path.unlink()
    path.mkdir()


def _make_link(path):
    path.rename(path.with_name("real.txt"))
    path.symlink_to("real.txt")


def _make_link_to_the_new_text(path):
    path.unlink()
    path.with_name("real.txt").write_bytes(b"new")
    path.symlink_to("real.txt")


@pytest.mark.parametrize("change", [_edit, _delete, _make_directory, _make_link, _make_link_to_the_new_text])
def test_a_file_that_is_not_as_it_was_is_a_conflict_and_stays(state, plan, memory, change):
    path = memory.file("b.md", b"old")
    journal.write(state, plan({"b.md": (b"old", b"new")}))
    change(path)
    before = files(memory), path.is_symlink(), path.is_dir()
    with pytest.raises(journal.Conflict):
        apply(state, journal.load(state, SESSION))
    assert (files(memory), path.is_symlink(), path.is_dir()) == before
    assert journal.sessions(state) == []
    assert cursor.load(state, SESSION) is None


@pytest.mark.parametrize("what", ["file", "directory", "link"])
def test_a_name_that_somebody_took_meanwhile_is_a_conflict(state, plan, memory, what):
    path = memory.dir / "a.md"
    if what == "file":
        path.write_bytes(b"a person's")
    elif what == "directory":
        path.mkdir()
    else:
        path.symlink_to("nowhere")
    with pytest.raises(journal.Conflict):
        apply(state, plan({"a.md": (None, TEXT)}))
    assert not (memory.dir / "a.md").is_file() or (memory.dir / "a.md").read_bytes() == b"a person's"


def test_a_link_on_the_way_leads_nowhere(state, plan, memory, tmp_path):
    (tmp_path / "outside").mkdir()
    (memory.dir / "sub").symlink_to(tmp_path / "outside")
    with pytest.raises(journal.Conflict):
        apply(state, plan({"sub/a.md": (None, TEXT)}))
    assert os.listdir(tmp_path / "outside") == []


@pytest.mark.parametrize("name", ["../a.md", "sub/../../a.md", "{outside}/a.md", "..", "sub/../../../a.md"])
def test_no_name_in_a_journal_leads_out_of_its_directory(state, plan, memory, tmp_path, name):
    (tmp_path / "outside").mkdir()
    (memory.dir / "sub").mkdir()
    made = plan({"a.md": (None, TEXT)})
    made.changes[0].file = made.lines[0].file = name.format(outside=tmp_path / "outside")
    journal.write(state, made)
    before = {path for path in tmp_path.rglob("*") if not path.is_relative_to(state)}
    with pytest.raises((journal.Conflict, MemdirError, OSError)):
        apply(state, journal.load(state, SESSION))
    after = {path for path in tmp_path.rglob("*") if not path.is_relative_to(state)}
    assert after - before <= {memory.dir / store.INDEX}


def _good(state, plan):
    journal.write(state, plan({"a.md": (None, TEXT)}))
    with open(journal.path(state, SESSION), "rb") as file:
        return json.loads(file.read())


DAMAGE = {
    "no cursor": lambda fields: fields.pop("cursor"),
    "no changes": lambda fields: fields.pop("changes"),
    "no session": lambda fields: fields.pop("session"),
    "changes are no list": lambda fields: fields.update(changes=7),
    "a change is no object": lambda fields: fields.update(changes=[7]),
    "a line is no object": lambda fields: fields.update(index=["x"]),
    "content is not base64": lambda fields: fields["changes"][0].update(new="not base64!"),
    "content with a letter that is none": lambda fields: fields["changes"][0].update(new="b25l\n!!"),
    "content is no text": lambda fields: fields["changes"][0].update(new=7),
    "a bad cursor": lambda fields: fields["cursor"].update(offset=-1),
    "a line without a title": lambda fields: fields["index"][0].pop("title"),
    "a title that is no text": lambda fields: fields["index"][0].update(title=7),
    "a line without a file": lambda fields: fields["index"][0].update(file=None),
    "of another session": lambda fields: fields.update(session="another"),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_journal_that_is_not_whole_is_put_aside_and_nothing_of_it_is_done(state, plan, memory, damage):
    fields = _good(state, plan)
    damage(fields)
    raw = json.dumps(fields).encode()
    with open(journal.path(state, SESSION), "wb") as file:
        file.write(raw)
    assert journal.load(state, SESSION) is None
    assert journal.sessions(state) == []
    with open(journal.path(state, SESSION) + ".damaged", "rb") as file:
        assert file.read() == raw
    assert files(memory) == {}


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"null", b"7", b"\0" * 50, b'"x"'])
def test_what_is_no_journal_is_put_aside(state, raw):
    os.makedirs(state + "/apply")
    with open(journal.path(state, SESSION), "wb") as file:
        file.write(raw)
    assert (journal.sessions(state), journal.load(state, SESSION)) == ([], None)
    assert os.listdir(state + "/apply") == ["s1.json.damaged"]


def test_half_a_journal_is_put_aside(state, plan):
    raw = json.dumps(_good(state, plan)).encode()
    for size in range(1, len(raw), 37):
        with open(journal.path(state, SESSION), "wb") as file:
            file.write(raw[:size])
        assert journal.load(state, SESSION) is None


def test_a_directory_or_a_link_in_its_place_is_put_aside(state, plan, tmp_path):
    (tmp_path / "mine").write_text(json.dumps(_good(state, plan)))
    os.unlink(journal.path(state, SESSION))
    os.symlink(tmp_path / "mine", journal.path(state, SESSION))
    assert journal.load(state, SESSION) is None
    os.mkdir(journal.path(state, SESSION))
    assert journal.load(state, SESSION) is None
    journal.write(state, plan({"a.md": (None, TEXT)}))
    assert journal.load(state, SESSION)
    assert (tmp_path / "mine").exists()


@pytest.mark.parametrize("session", ["../../x", "/abs", "..", "a\0b", "é", "a" * 300])
def test_no_session_id_leads_out_of_the_directory(state, plan, session):
    journal.write(state, plan({"a.md": (None, TEXT)}, session))
    assert len(os.listdir(state + "/apply")) == 1
    assert journal.sessions(state) == [session]
    journal.remove(state, session)
    journal.remove(state, session)
    assert os.listdir(state + "/apply") == []


def test_the_content_is_text_that_any_byte_survives_in(state, plan):
    journal.write(state, plan({"a.md": (None, bytes(range(256)))}))
    with open(journal.path(state, SESSION), "rb") as file:
        (change,) = json.loads(file.read())["changes"]
    assert base64.b64decode(change["new"]) == bytes(range(256))
