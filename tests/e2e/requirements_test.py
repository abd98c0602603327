"""`require` with the real client: a commit has to come after a lint that succeeded since the last change."""

import json
import subprocess
import uuid

import pytest

from support.rules import write_rule

pytestmark = pytest.mark.e2e

COMMIT = 'require: ["Bash(git commit *) after Bash(./lint)"]'
ARGS = ["--dangerously-skip-permissions"]


@pytest.fixture
def shop(project):
    """A project with a lint that fails where a file says so."""
    lint = project / "lint"
    lint.write_text('#!/bin/sh\nif grep -q BAD a.txt; then echo "a.txt: BAD" >&2; exit 1; fi\necho clean\n')
    lint.chmod(0o755)
    (project / "a.txt").write_text("one\n")
    for name, value in (("user.name", "Dev"), ("user.email", "dev@example.com")):
        subprocess.run(["git", "config", name, value], cwd=project, check=True)
    subprocess.run(["git", "add", "-A"], cwd=project, check=True)
    return project


def _bash(command, **more):
    return {"tool": "Bash", "input": {"command": command, "description": "d", **more}}


def _commit(message):
    return _bash(f"git commit --allow-empty -m {message}")


def _run(client, *turns, **options):
    result = client.run(
        "go on", scenario={"turns": [*turns, {"text": "done"}]}, args=ARGS, env={"IS_SANDBOX": "1"}, **options
    )
    assert result.rc == 0, result.report()
    return result


def _answers(result):
    """What the last request tells about its tool calls: (text, whether as an error)."""
    content = [message["content"] for message in result.main[-1].body["messages"] if message["role"] == "user"]
    blocks = [block for part in content if isinstance(part, list) for block in part if block["type"] == "tool_result"]
    return [(json.dumps(block["content"], ensure_ascii=False), block.get("is_error", False)) for block in blocks]


def _log(project):
    done = subprocess.run(["git", "log", "--format=%s"], cwd=project, capture_output=True, text=True, check=False)
    return done.stdout.split()


def test_a_commit_is_denied_until_lint_has_succeeded_and_again_after_an_edit(client, shop):
    write_rule(shop, "commit", COMMIT, "A commit has to be clean.")
    edit = {"file_path": str(shop / "a.txt"), "old_string": "one", "new_string": "two"}
    result = _run(
        client,
        _commit("c1"),
        _bash("./lint"),
        _commit("c2"),
        {"tool": "Read", "input": {"file_path": str(shop / "a.txt")}},
        {"tool": "Edit", "input": edit},
        _commit("c3"),
        _bash("./lint && git commit --allow-empty -m c4"),
        _bash("echo BAD >> a.txt"),
        _bash("./lint"),
        _commit("c5"),
    )
    first, linted, second, _, edited, third, both, _, failed, last = _answers(result)
    assert first[1]
    assert (
        "A commit has to be clean. memdir denied this: `git commit --allow-empty -m c1` has to come after `./lint`, "
        "which has not been run in this session (require: Bash(git commit *) after Bash(./lint), "
        ".claude/rules/commit.md:2). Run `./lint` first; when it succeeds, go on." in first[0]
    )
    assert not linted[1] and not second[1] and not edited[1] and not both[1]
    assert third[1] and "which succeeded before the last change (a.txt, Edit)" in third[0]
    assert failed[1] and "a.txt: BAD" in failed[0]
    assert last[1] and "which failed the last time" in last[0]
    assert _log(shop) == ["c4", "c2"]


def test_it_survives_the_end_of_the_client_and_compaction(client, shop):
    write_rule(shop, "commit", COMMIT, "Clean.")
    session = str(uuid.uuid4())
    _run(client, _bash("./lint"), session=session)
    client.run("/compact", scenario={"default": {"text": "<summary>so far</summary>"}}, args=ARGS, resume=session)
    result = _run(client, _commit("c1"), _bash("echo x > b.txt"), _commit("c2"), resume=session)
    assert _log(shop) == ["c1"]
    assert "which succeeded before the last change (b.txt, Bash)" in _answers(result)[-1][0]


def test_what_a_subagent_runs_and_changes_counts(client, shop):
    write_rule(shop, "commit", COMMIT, "Clean.")

    def agent(word):
        given = {"description": "d", "prompt": word, "subagent_type": "general-purpose", "run_in_background": False}
        return {"tool": "Agent", "input": given}

    def does(word, command):
        return {"match": word, "in": "first_user", "turns": [_bash(command), {"text": "did it"}], "times": 2}

    scenario = {
        "rules": [does("LINTER", "./lint"), does("CHANGER", "echo two >> a.txt")],
        "turns": [agent("LINTER"), _commit("c1"), agent("CHANGER"), _commit("c2"), {"text": "done"}],
    }
    result = client.run("go on", scenario=scenario, args=ARGS, env={"IS_SANDBOX": "1"})
    assert result.rc == 0, result.report()
    assert _log(shop) == ["c1"]
    assert "which succeeded before the last change (a.txt, Bash)" in _answers(result)[-1][0]


def test_a_lint_in_the_background_or_in_a_pipe_proves_nothing(client, shop):
    write_rule(shop, "commit", COMMIT, "Clean.")
    result = _run(
        client, _bash("./lint", run_in_background=True), _commit("c1"), _bash("./lint | tail -5"), _commit("c2")
    )
    assert _log(shop) == []
    _, background, _, hidden = _answers(result)
    assert "was sent to the background" in background[0]
    assert "what stands around it in its command line hid whether it succeeded" in hidden[0]


def test_a_turn_that_changed_something_is_sent_back_once_to_run_the_tests(client, shop):
    write_rule(shop, "stop", 'require: ["Stop after Bash(./lint)"]', "改完要跑 lint。")
    result = _run(client, _bash("echo x >> a.txt"), {"text": "changed"}, {"text": "no, I will not"})
    texts = [request.texts("user")[-1] for request in result.main]
    sent_back = [text for text in texts if "sends you back" in text]
    assert len(sent_back) == 1
    said = "改完要跑 lint。 memdir sends you back once: the end of this turn has to come after `./lint`, which has not"
    assert said in sent_back[0]
    assert "no, I will not" in result.stdout


def test_a_turn_that_ran_the_tests_or_changed_nothing_ends(client, shop):
    write_rule(shop, "stop", 'require: ["Stop after Bash(./lint)"]', "Lint.")
    for turns in ([_bash("cat a.txt")], [_bash("echo x >> a.txt"), _bash("./lint")]):
        result = _run(client, *turns)
        assert not any("sends you back" in request.text for request in result.main)
