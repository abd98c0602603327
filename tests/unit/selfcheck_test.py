import os
import time

import pytest

from memdir import selfcheck, store
from memdir.session import Session

TOPIC = "---\nname: x\ndescription: What x is\ntype: user\n---\n\nBody.\n"
NO_DESCRIPTION = "---\nname: x\n---\n\nBody.\n"


@pytest.fixture
def check(project):
    def call(tool, tool_input, **fields):
        payload = {"tool_name": tool, "tool_input": tool_input, "cwd": str(project), "duration_ms": 5, **fields}
        made = selfcheck.Call(payload, str(project), os.environ, time.time())
        return selfcheck.check(made), made

    return call


def sentences(found):
    return [finding.sentence for finding in found[0]]


def test_a_write_is_about_its_own_file_alone(memory, check):
    memory.file("bad.md", NO_DESCRIPTION)
    memory.file("x.md", TOPIC)
    memory.index("- [X](x.md) — x")
    found, call = check("Write", {"file_path": f"{memory.dir}/x.md"})
    assert (found, call.outcome) == ([], "nothing to say")
    assert check("Write", {"file_path": f"{memory.project}/x.md"})[1].outcome == "no memory changed"


def test_a_relative_path_begins_at_the_working_directory(memory, check):
    memory.file("x.md", NO_DESCRIPTION)
    assert len(sentences(check("Write", {"file_path": "x.md"}, cwd=str(memory.dir)))) == 2
    assert sentences(check("Write", {"file_path": "x.md"})) == []


@pytest.mark.parametrize("name", [".hidden.md", ".git/x.md", "x.sync-conflict-1.md", "notes.txt", "sub/MEMORY.md"])
def test_what_is_no_topic_is_left_alone(memory, check, name):
    memory.file(name, "Text.\n")
    assert sentences(check("Write", {"file_path": f"{memory.dir}/{name}"})) == []
    assert sentences(check("Bash", {"command": f"touch {memory.dir}/{name}"})) == []


def test_the_gravest_comes_first(memory, check):
    memory.file("MEMORY.md", "- [X](gone.md) — x\n" * 201)
    memory.file("a.md", NO_DESCRIPTION)
    memory.file("b.md", TOPIC)
    said = sentences(check("Bash", {"command": f"rm {memory.dir}/gone.md"}))
    assert [word for text in said for word in ("read limit", "description", "no file", "no line") if word in text] == [
        "read limit", "description", *["no file"] * 201, "no line", "no line",
    ]  # fmt: skip


def test_a_moved_file_is_new_although_its_time_is_old(memory, check, tmp_path):
    source = tmp_path / "x.md"
    source.write_text(NO_DESCRIPTION)
    os.utime(source, (1e9, 1e9))
    os.replace(source, memory.dir / "x.md")
    assert "x.md:2: the description is missing" in sentences(check("Bash", {"command": f"mv x.md {memory.dir}"}))[0]


def test_a_problem_in_one_line_and_the_same_line_of_another_file_are_two(memory, check):
    for name in ("a.md", "b.md"):
        memory.file(name, NO_DESCRIPTION)
    found, _ = check("Bash", {"command": f"touch {memory.dir}/*"})
    assert len({finding.mark for finding in found}) == len(found) == 4


def test_what_a_session_was_told_is_no_news_to_it(memory, check, state_dir):
    memory.file("x.md", NO_DESCRIPTION)
    session = Session(str(state_dir), "s")
    found, _ = check("Write", {"file_path": f"{memory.dir}/x.md"})
    assert selfcheck.news(found, session) == found
    session.add("checked", 1.0, marks=[found[0].mark])
    session.add("checked", 1.0, marks="odd")
    assert selfcheck.news(found, Session(str(state_dir), "s")) == found[1:]
    assert selfcheck.news(found, Session(str(state_dir), "other")) == found


def test_an_edit_that_makes_no_new_line_is_not_told_of_old_ones(memory, check):
    memory.index("- [X](gone.md) — x", "More.")
    edit = {"file_path": f"{memory.dir}/{store.INDEX}"}
    before = {"originalFile": "- [X](gone.md) — x\n"}
    assert sentences(check("Edit", edit, tool_response=before)) == []
    assert len(sentences(check("Edit", edit, tool_response={"originalFile": None}))) == 1


@pytest.mark.parametrize(
    ("form", "is_named"),
    [("- **[X](x.md)**", True), ("See [X](x.md).", True), ("[[the name]]", True), ("| `x.md` | x |", True),
     ("<!-- [X](x.md) -->", False), ("```\n[X](x.md)\n```", False), ("[[other]]", False)],
)  # fmt: skip
def test_no_line_is_asked_for_where_the_index_names_the_file(memory, check, form, is_named):
    memory.file("x.md", TOPIC.replace("name: x", "name: the name"))
    memory.index("# Mine", "", form)
    said = sentences(check("Write", {"file_path": f"{memory.dir}/x.md"}))
    assert [text for text in said if "has no line" in text] == ([] if is_named else said)
    assert len(said) == (0 if is_named else 1)
