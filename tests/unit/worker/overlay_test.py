import os

import pytest

from memdir import store
from memdir.index_lines import Wanted
from memdir_worker import overlay
from memdir_worker.overlay import Overlay


def line(file, **changes):
    fields = {"title": "A title", "hook": "what it is", "replace": False, **changes}
    return Wanted(file, **fields)


def write(over, file, text):
    over.write(file, text, line(file))


@pytest.fixture
def over(memory):
    """over() is an overlay of the directory as it is now."""
    memory.topic("deploys", "when to deploy", "On Tuesdays.")
    return lambda: Overlay(str(memory.dir))


def test_a_change_is_seen_above_the_directory_and_not_in_it(over, memory):
    one = over()
    write(one, "new.md", "---\nname: new\ndescription: d\n---\nText.\n")
    assert {topic.file for topic in one.topics()} == {"project_deploys.md", "new.md"}
    assert one.text("new.md").endswith("Text.\n")
    assert os.listdir(memory.dir) == ["project_deploys.md"]


def test_a_changed_topic_is_seen_as_it_will_be(over):
    one = over()
    write(one, "project_deploys.md", one.text("project_deploys.md").replace("Tuesdays", "Wednesdays"))
    (topic,) = one.topics()
    assert topic.body.strip() == "On Wednesdays."
    assert "Wednesdays" in one.text("project_deploys.md")


def test_two_changes_of_a_file_are_one_from_the_content_on_the_disk(over, memory):
    before = (memory.dir / "project_deploys.md").read_bytes()
    one = over()
    write(one, "project_deploys.md", "one")
    write(one, "project_deploys.md", "two")
    (change,) = one.changes.values()
    assert (change.old, change.new) == (overlay.digest(before), b"two")


def test_two_changes_of_a_new_file_are_one_from_nothing(over):
    one = over()
    write(one, "new.md", "one")
    write(one, "new.md", "two")
    (change,) = one.changes.values()
    assert (change.old, change.new) == ("", b"two")


def test_an_empty_file_is_not_the_same_as_none():
    assert overlay.digest(None) == ""
    assert overlay.digest(b"") != ""


def test_names_of_whatever_lies_there_are_taken(over, memory):
    (memory.dir / "notes").mkdir()
    (memory.dir / "link.md").symlink_to("nowhere")
    memory.file("deep/topic.md", "x")
    one = over()
    write(one, "new.md", "x")
    assert one.taken() >= {"project_deploys.md", "notes", "link.md", "deep/topic.md", "new.md"}


def test_a_directory_that_is_not_there_is_empty(tmp_path):
    one = Overlay(str(tmp_path / "missing"))
    assert (one.topics(), one.taken(), one.text("x.md")) == ([], set(), None)


@pytest.mark.parametrize("name", ["/etc/x.md", "../x.md", "a/../../x.md", "a//b.md", "", "./x.md", "a/", ".."])
def test_no_name_leads_out_of_the_directory(over, name):
    one = over()
    with pytest.raises(ValueError):
        write(one, name, "x")
    assert one.changes == {}


@pytest.mark.parametrize(
    "raw", [b"\xff\xfeT\x00", b"caf\xe9", b"x" * overlay.FILE_BYTES], ids=["utf-16", "latin", "huge"]
)
def test_what_could_not_be_written_again_as_it_was_has_no_text(over, memory, raw):
    memory.file("odd.md", raw)
    assert over().text("odd.md") is None


def test_a_link_is_not_read(over, memory, tmp_path):
    (tmp_path / "mine.md").write_text("mine")
    (memory.dir / "link.md").symlink_to(tmp_path / "mine.md")
    one = over()
    assert one.text("link.md") is None
    assert {topic.file for topic in one.topics()} == {"project_deploys.md"}


def test_half_a_surrogate_pair_does_not_hold_up_the_plan(over):
    one = over()
    write(one, "new.md", "half \ud83d")
    assert one.changes["new.md"].new == b"half ?"


def test_a_line_of_the_index_can_be_planned_alone(over):
    one = over()
    one.add_line(line("other.md"))
    assert (one.changes, list(one.lines)) == ({}, ["other.md"])


@pytest.mark.parametrize(
    ("name", "inside"),
    [("plain.md", True), ("sub/plain.md", True), ("link.md", False), ("out/x.md", False), ("to_sub/x.md", False)],
)
def test_a_file_is_inside_where_no_link_leads_out(memory, tmp_path, name, inside):
    """A link that stays within the directory is none that memdir makes, but its target is where its name says."""
    (tmp_path / "outside").mkdir()
    memory.file("sub/plain.md", "x")
    (memory.dir / "link.md").symlink_to("sub/plain.md")
    (memory.dir / "out").symlink_to(tmp_path / "outside")
    (memory.dir / "to_sub").symlink_to("sub")
    expected = inside or name.startswith("to_sub")
    assert overlay.is_inside(str(memory.dir), name) is expected


def test_the_directory_itself_may_be_a_link(memory, tmp_path):
    (tmp_path / "linked").symlink_to(memory.dir)
    memory.file("a.md", "x")
    assert overlay.is_inside(str(tmp_path / "linked"), "a.md")
    assert store.INDEX not in Overlay(str(tmp_path / "linked")).taken()
