"""Hard rules with the real client, its permission checks off: what is forbidden does not happen, and it is told why."""

import json

import pytest

from support.rules import write_rule

pytestmark = pytest.mark.e2e


def _session(client, *calls, prompt="go on"):
    """A session in which the model makes these calls, (tool, input), one after the other."""
    turns = [{"tool": tool, "input": tool_input} for tool, tool_input in calls]
    result = client.run(
        prompt,
        scenario={"turns": [*turns, {"text": "done"}]},
        args=["--dangerously-skip-permissions"],
        env={"IS_SANDBOX": "1"},
    )
    assert result.rc == 0, result.report()
    return result


def _answers(result):
    """What the model was told about its calls: (text, whether as an error)."""
    blocks = [
        block
        for message in result.main[-1].body["messages"]
        if message["role"] == "user" and isinstance(message["content"], list)
        for block in message["content"]
        if block["type"] == "tool_result"
    ]
    return [(json.dumps(block["content"], ensure_ascii=False), block.get("is_error", False)) for block in blocks]


def _bash(command):
    return "Bash", {"command": command, "description": "d"}


def test_a_forbidden_edit_does_not_happen(client, project):
    (project / "migrations").mkdir()
    file = project / "migrations" / "001.sql"
    file.write_text("create table a;\n")
    write_rule(project, "migrations", 'protect: ["migrations/**"]', "Applied migrations are immutable. Add a new one.")
    result = _session(
        client,
        ("Read", {"file_path": str(file)}),
        ("Edit", {"file_path": str(file), "old_string": "table a", "new_string": "table b"}),
        ("Write", {"file_path": str(project / "migrations" / "002.sql"), "content": "x"}),
        _bash("sed -i s/a/b/ migrations/001.sql; echo x > migrations/003.sql"),
    )
    assert [path.name for path in (project / "migrations").iterdir()] == ["001.sql"]
    assert file.read_text() == "create table a;\n"
    read, *denied = _answers(result)
    assert read[1] is False
    for text, is_error in denied:
        assert is_error
        assert "Applied migrations are immutable. Add a new one. memdir denied this" in text
        assert ".claude/rules/migrations.md:2" in text


def test_a_forbidden_command_does_not_run_and_others_do(client, project, home):
    (project / "victim").mkdir()
    write_rule(home, "mine", "deny: [no-recursive-delete]", "删除目录前先问我。")
    result = _session(
        client, _bash("rm -rf victim"), _bash("cd . && sudo -n env A=1 bash -c 'rm -r victim'"), _bash("touch made")
    )
    assert (project / "victim").is_dir()
    assert (project / "made").exists()
    first, second, third = _answers(result)
    for text, is_error in (first, second):
        assert is_error
        assert "删除目录前先问我。" in text
        assert "~/.claude/rules/mine.md:2" in text
    assert third[1] is False


def test_where_nobody_can_answer_asking_means_no(client, project):
    write_rule(project, "careful", 'ask: ["Bash(touch *)"]', "Ask before you touch anything.")
    result = _session(client, _bash("touch made"))
    assert not (project / "made").exists()
    ((text, is_error),) = _answers(result)
    assert is_error
    assert "Ask before you touch anything." in text


def test_a_subagent_is_held_too(client, project):
    (project / "victim").mkdir()
    write_rule(project, "policy", "deny: [no-recursive-delete]", "As agreed.")
    agent = {"description": "d", "prompt": "say rm -rf victim", "subagent_type": "general-purpose"}
    result = _session(client, ("Agent", agent), _bash("rm -rf victim"))
    assert (project / "victim").is_dir()
    assert any("As agreed. memdir denied this" in json.dumps(request.body) for request in result.requests)


def test_the_rules_of_the_directory_that_a_session_moves_to_hold(client, project):
    (project / "packages" / "web" / "victim").mkdir(parents=True)
    write_rule(project / "packages" / "web", "policy", "deny: [no-recursive-delete]", "As agreed.")
    result = _session(client, _bash("cd packages/web"), _bash("rm -rf victim"))
    assert (project / "packages" / "web" / "victim").is_dir()
    assert "As agreed." in _answers(result)[1][0]


def test_a_broken_rule_is_named_with_its_line(client, project):
    write_rule(project, "policy", "deny:\n  - no-recursiv-delete", "As agreed.")
    text, is_error = _answers(_session(client, _bash("touch made")))[0]
    assert is_error
    assert "policy.md:3" in text
    assert not (project / "made").exists()


def test_the_repository_s_settings_do_not_switch_it_off(client, project, home):
    (project / "victim").mkdir()
    write_rule(home, "mine", "deny: [no-recursive-delete]", "Mine.")
    (project / ".claude").mkdir()
    (project / ".claude" / "settings.json").write_text('{"env":{"MEMDIR_DISABLE":"1","MEMDIR_CHILD":"1"}}')
    (project / ".claude" / "memdir.yaml").write_text("rules.on: off\n")
    assert _answers(_session(client, _bash("rm -rf victim")))[0][1] is True
    assert (project / "victim").is_dir()


def test_without_a_hard_rule_nothing_is_different(client, project, state_dir):
    (project / "victim").mkdir()
    write_rule(project, "soft", "description: never delete", "Never run rm -rf.")
    ((text, is_error),) = _answers(_session(client, _bash("rm -rf victim")))
    assert not is_error
    assert "memdir" not in text
    assert not (project / "victim").exists()
    assert "pre_tool_use" not in (state_dir / "log.jsonl").read_text()
