"""What tools did, counted, and how errors ended."""

import pytest

from memdir import activity
from memdir.transcript import ToolUse


class Tools:
    """Calls of tools, one after the other."""

    def __init__(self):
        self.done = activity.Activity()

    def __call__(self, tool, outcome="ok", output="", **tool_input):
        use = ToolUse("toolu_1", tool, tool_input, "/p")
        use.outcome = outcome
        use.output = output
        self.done.take(use)
        return self

    def bash(self, command, outcome="ok", output="Exit code 2\nboom"):
        return self("Bash", outcome, "" if outcome == "ok" else output, command=command)


@pytest.fixture
def tools():
    return Tools()


def open_errors(tools):
    return [failure.what for failure in tools.done.open_failures()]


def test_files_are_counted_by_what_was_done(tools):
    tools("Read", file_path="/p/a")("Edit", file_path="/p/a")("Edit", file_path="/p/a")("Write", file_path="/p/b")
    tools("NotebookEdit", notebook_path="/p/n.ipynb")("Write", "error", file_path="/p/no")
    assert tools.done.files == {
        "/p/a": {"read": 1, "edited": 2},
        "/p/b": {"written": 1},
        "/p/n.ipynb": {"edited": 1},
    }


def test_the_last_outcome_of_a_command_counts(tools):
    tools.bash("pnpm test", "error").bash("pnpm test", "error").bash("cd /p && pnpm test 2>&1 | tail -20")
    (command,) = tools.done.commands.values()
    assert (command.outcome, command.times, command.failed) == ("ok", 3, 2)
    assert command.text == "cd /p && pnpm test 2>&1 | tail -20"


@pytest.mark.parametrize("other", ["pnpm test --watch", "pnpm test | tail -5; rm x", "cd /p; pnpm test", "pnpm lint"])
def test_another_command_is_another(tools, other):
    tools.bash("pnpm test", "error").bash(other)
    assert len(tools.done.commands) == 2
    assert open_errors(tools) == ["pnpm test"]


def test_an_error_is_fixed_when_the_same_succeeds(tools):
    tools.bash("make", "error").bash("pnpm lint", "error").bash("make")
    tools("Edit", "error", "String to replace not found", file_path="/p/a")("Write", file_path="/p/a")
    tools("Read", "error", "File does not exist", file_path="/p/b")("Write", file_path="/p/b")
    tools("mcp__db__query", "error", "timeout", sql="select 1")("mcp__db__query", sql="select 1")
    assert open_errors(tools) == ["pnpm lint"]
    assert len(tools.done.failures) == 5


def test_a_later_failure_opens_it_again(tools):
    tools.bash("make", "error").bash("make").bash("make", "error", "Exit code 2\nother")
    (failure,) = tools.done.failures.values()
    assert (failure.fixed, failure.times, failure.output) == (False, 2, "Exit code 2\nother")


def test_reading_a_file_does_not_mend_an_edit_of_it(tools):
    tools("Edit", "error", "not read yet", file_path="/p/a")("Read", file_path="/p/a")
    assert open_errors(tools) == ["Edit /p/a"]


def test_a_command_that_finds_nothing_is_no_error(tools):
    tools.bash("grep -r foo src", "error", "Exit code 1").bash("pnpm test", "error", "Exit code 1\n2 failed")
    assert open_errors(tools) == ["pnpm test"]


def test_a_call_without_a_result_is_neither(tools):
    tools.bash("make", "error").bash("make", "")
    assert open_errors(tools) == ["make"]
    assert tools.done.commands["make"].outcome == "error"


def test_the_last_list_of_to_dos_counts(tools):
    tools("TodoWrite", todos=[{"content": "old", "status": "pending"}])
    tools("TodoWrite", todos=[{"content": "a", "status": "completed"}, {"content": "b", "status": "pending"},
                              {"content": "c", "status": "in_progress"}, "junk"])  # fmt: skip
    tools("TodoWrite", "error", todos=[])
    assert tools.done.open_todos() == [("in_progress", "c"), ("pending", "b")]
    assert len(tools.done.todos) == 3


def test_tasks_are_followed_by_their_number(tools):
    tools("TaskCreate", output="Task #1 created successfully: write tests", subject="write tests")
    tools("TaskCreate", output="Task #2 created successfully: ship", subject="ship")
    tools("TaskCreate", output="Task #3 created successfully: rest", subject="rest")
    tools("TaskUpdate", taskId="1", status="completed")(
        "TaskUpdate", taskId="2", status="in_progress", subject="ship it"
    )
    tools("TaskUpdate", taskId="3", status="deleted")("TaskUpdate", taskId="9", status="completed")
    assert tools.done.open_todos() == [("in_progress", "ship it")]
    assert len(tools.done.todos) == 3


@pytest.mark.parametrize("given", [{}, {"command": None}, {"command": 5}, {"todos": {}}, {"file_path": ["x"]}])
@pytest.mark.parametrize("tool", ["Bash", "Read", "Write", "TodoWrite", "TaskUpdate", "TaskCreate", "Unknown"])
@pytest.mark.parametrize("outcome", ["ok", "error", ""])
def test_an_input_of_another_shape_is_no_trouble(tools, tool, given, outcome):
    tools(tool, outcome, **given)
    assert tools.done.last.name == tool


def test_what_is_kept_is_bounded_and_the_newest_stays(tools):
    for number in range(3 * activity.KEPT):
        tools.bash(f"make {number}", "error")("Read", file_path=f"/p/{number}")
    assert len(tools.done.commands) == len(tools.done.files) == len(tools.done.failures) == activity.KEPT
    assert f"make {3 * activity.KEPT - 1}" in tools.done.commands
