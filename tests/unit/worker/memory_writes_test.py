"""Whether a turn changed the memory directory: the calls that did, and those that only look like it."""

import os

import pytest

from memdir.machine import ThisMachine
from memdir.transcript import ToolUse, Turn
from memdir_worker.memory_writes import wrote_memory


@pytest.fixture
def folder(memory):
    memory.dir.mkdir(parents=True, exist_ok=True)
    (memory.dir / "old.md").write_text("old")
    return memory.dir


@pytest.fixture
def wrote(folder, project):
    """wrote(tool, input, outcome=..., folder=...) for a turn with that one call."""

    def call(name, given, outcome="ok", cwd=project, folder=folder):
        turn = Turn({}, 0)
        turn.tools.append(ToolUse("toolu_1", name, given, str(cwd)))
        turn.tools[0].outcome = outcome
        return wrote_memory(turn, str(folder), ThisMachine(os.environ))

    return call


FIELDS = {"Write": "file_path", "Edit": "file_path", "MultiEdit": "file_path", "NotebookEdit": "notebook_path"}


@pytest.mark.parametrize("tool", FIELDS)
def test_an_edit_below_the_directory_is_a_write(wrote, folder, project, tool):
    for path in (folder / "new.md", folder / "deep/new.md", folder / "../memory/new.md"):
        assert wrote(tool, {FIELDS[tool]: str(path)})
    for path in (project / "new.md", folder.parent / "new.md", f"{folder}-not/new.md", folder / "../new.md"):
        assert not wrote(tool, {FIELDS[tool]: str(path)})


def test_a_relative_path_begins_where_the_call_was_made(wrote, folder, project):
    assert wrote("Write", {"file_path": "new.md"}, cwd=folder)
    assert not wrote("Write", {"file_path": "new.md"}, cwd=project)


COMMANDS = [
    "echo x > {memory}/new.md",
    "cat >> {memory}/MEMORY.md <<'EOF'\n- [A](a.md)\nEOF",
    "cd {memory} && echo x > new.md",
    "cd {memory} && rm old.md",
    "rm -rf {memory}",
    "mv {memory}/old.md /tmp/elsewhere.md",
    "cp /etc/hostname {memory}/new.md",
    "sed -i s/a/b/ {memory}/old.md",
    "tee {memory}/new.md < /dev/null",
    "mkdir -p x && printf x >{memory}/new.md",
]
HARMLESS = [
    "cat {memory}/old.md",
    "ls {memory}",
    "grep -r x {memory} > /tmp/found.txt",
    "echo 'rm -rf {memory}'",
    "git commit -m 'echo > {memory}/new.md'",
    "cp {memory}/old.md /tmp/",
    "echo x > $UNKNOWN/new.md",
    "make memory",
    "rm -rf build",
    "",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_that_changes_a_memory_is_a_write(wrote, folder, command):
    assert wrote("Bash", {"command": command.format(memory=folder)})


@pytest.mark.parametrize("command", HARMLESS)
def test_a_command_that_changes_none_is_no_write(wrote, folder, command):
    assert not wrote("Bash", {"command": command.format(memory=folder)})


@pytest.mark.parametrize("outcome", ["error", ""])
def test_a_call_that_did_not_succeed_wrote_nothing(wrote, folder, outcome):
    assert not wrote("Write", {"file_path": str(folder / "new.md")}, outcome)
    assert not wrote("Bash", {"command": f"echo x > {folder}/new.md"}, outcome)


def test_links_are_followed_to_the_real_directory(wrote, folder, tmp_path):
    (tmp_path / "link").symlink_to(folder)
    (tmp_path / "file.md").symlink_to(folder / "old.md")
    for path in (tmp_path / "link/new.md", tmp_path / "file.md"):
        assert wrote("Write", {"file_path": str(path)})
        assert wrote("Bash", {"command": f"echo x > {path}"})
    assert wrote("Write", {"file_path": str(folder / "new.md")}, folder=tmp_path / "link")


@pytest.mark.parametrize("name", ["a b", "[id]", "a*b", "what?", "{a,b}", "back\\slash", "größer", "漢字", "!x", "#x"])
def test_every_name_of_a_directory_is_taken_literally(wrote, tmp_path, name):
    inside = tmp_path / name / "memory"
    inside.mkdir(parents=True)
    assert wrote("Write", {"file_path": str(inside / "new.md")}, folder=inside)
    assert not wrote("Write", {"file_path": str(tmp_path / "other/memory/new.md")}, folder=inside)


@pytest.mark.parametrize("name", ["*", "?", "[a-z]", "{a,b}"])
def test_a_wild_name_is_no_other_directory(wrote, tmp_path, name):
    (tmp_path / name / "memory").mkdir(parents=True)
    (tmp_path / "a/memory").mkdir(parents=True)
    assert not wrote("Write", {"file_path": str(tmp_path / "a/memory/new.md")}, folder=tmp_path / name / "memory")


def test_tools_that_only_read_and_odd_inputs_write_nothing(wrote, folder):
    assert not wrote("Read", {"file_path": str(folder / "old.md")})
    assert not wrote("Grep", {"path": str(folder)})
    for given in ({}, {"command": None}, {"command": 7}, {"file_path": None}, {"file_path": 7}):
        assert not wrote("Bash", given)
        assert not wrote("Write", given)
    assert not wrote("Write", {"file_path": str(folder / "new.md")}, folder=f"{folder}\n")
    assert not wrote("Write", {"file_path": "/x"}, folder="")


def test_one_call_of_many_is_enough(folder, project):
    turn = Turn({}, 0)
    for number, path in enumerate([project / "a", folder / "new.md", project / "b"]):
        turn.tools.append(ToolUse(f"t{number}", "Write", {"file_path": str(path)}, str(project)))
        turn.tools[-1].outcome = "ok"
    machine = ThisMachine(os.environ)
    assert wrote_memory(turn, str(folder), machine)
    del turn.tools[1]
    assert not wrote_memory(turn, str(folder), machine)
