"""Hard rules that cannot be checked, with the real client: where there is one the call is blocked, and told why."""

import json
import shutil

import pytest

from support.checkout import copy_plugin

pytestmark = pytest.mark.e2e

HARD = "---\ndeny: [no-recursive-delete]\n---\nText.\n"
BLOCKED = 'blocking because onFailure is "block"'


@pytest.fixture
def own(client, tmp_path):
    """The client with a plugin that may be damaged, and whose time is up soon."""
    plugin = copy_plugin(tmp_path / "plugins" / "memdir")
    hooks = plugin / "hooks" / "hooks.json"
    document = json.loads(hooks.read_text())
    (group,) = document["hooks"]["PreToolUse"]
    (entry,) = group["hooks"]
    assert (entry["onFailure"], entry["timeout"], group.get("matcher")) == ("block", 10, None)
    entry["timeout"] = 2
    hooks.write_text(json.dumps(document))
    (client.home / ".claude" / "memdir").mkdir(parents=True)
    client.plugin = plugin
    return client


@pytest.fixture
def hard(project):
    folder = project / ".claude" / "rules"
    folder.mkdir(parents=True)
    (folder / "hard.md").write_text(HARD)
    return folder / "hard.md"


def _touch(client, *before):
    """A session without permissions whose model touches `touched`, after other commands."""
    commands = [*before, "touch touched"]
    turns = [{"tool": "Bash", "input": {"command": command, "description": "d"}} for command in commands]
    return client.run(
        "go on",
        scenario={"turns": [*turns, {"text": "done"}]},
        args=["--dangerously-skip-permissions"],
        env={"IS_SANDBOX": "1"},
    )


def _answer(result):
    """What the model was told about its last call: the text, and whether as an error."""
    assert result.rc == 0, result.report()
    (block,) = [block for block in _last_user(result) if block["type"] == "tool_result"]
    return json.dumps(block["content"], ensure_ascii=False), block.get("is_error", False)


def _last_user(result):
    return [message for message in result.main[-1].body["messages"] if message["role"] == "user"][-1]["content"]


def _script(text):
    return lambda own: (own.plugin / "hooks" / "pre_tool_use.py").write_text(text)


def _event(text):
    return lambda own: (own.plugin / "lib" / "memdir" / "events" / "pre_tool_use.py").write_text(text)


def _remove(part):
    return lambda own: shutil.rmtree(own.plugin / part)


def _without_python(own):
    (own.home / ".claude" / "memdir" / "python").write_text("/nowhere/python3\n")
    launcher = own.plugin / "hooks" / "py"
    usual = "for dir in ${PATH-} /usr/local/bin /opt/homebrew/bin /usr/bin; do"
    assert usual in launcher.read_text()
    launcher.write_text(launcher.read_text().replace(usual, "for dir in /nowhere; do"))


FAILURES = {
    "crash": (_script("1/0\n"), "ended with status 1: install memdir again"),
    "exit 3": (_script("raise SystemExit(3)\n"), "ended with status 3: install memdir again"),
    "exit 2": (_script("raise SystemExit(2)\n"), "ended with status 2: install memdir again"),
    "killed": (_script("import os\nos.kill(os.getpid(), 9)\n"), "ended with status 137: install memdir again"),
    "timeout": (_script("import time\ntime.sleep(60)\n"), "timed out; blocking because onFailure is"),
    "no answer": (_script(""), "gave no answer: install memdir again"),
    "no interpreter": (_without_python, "no python3 found: install Python 3.9 or newer"),
    "no lib": (_remove("lib"), "ended with status 1: install memdir again"),
    "no event": (_remove("lib/memdir/events"), "memdir could not check the hard rules (ModuleNotFoundError"),
    "no script": (lambda own: (own.plugin / "hooks" / "pre_tool_use.py").unlink(), "the script is missing"),
    "an error in the event": (
        _event("def handle(event):\n    raise KeyError('x')\n"),
        "memdir could not check the hard rules (KeyError at pre_tool_use.py:2)",
    ),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_blocks_the_call_where_there_is_a_hard_rule(own, hard, name):
    breaks, why = FAILURES[name]
    breaks(own)
    result = _touch(own)
    text, is_error = _answer(result)
    assert (is_error, (own.project / "touched").exists()) == (True, False), result.report()
    assert text.startswith('"PreToolUse:Bash hook error: ')
    assert why in text
    assert "Traceback" not in text
    if why.startswith(("ended", "gave", "no python3", "the script")):
        assert f"or move the rule files away: {hard}" in text
        assert BLOCKED.replace('"', '\\"') in text


@pytest.mark.parametrize("name", ["crash", "timeout", "no script"])  # no interpreter starts, whatever is wrong with it
def test_without_one_the_call_runs_and_nobody_hears_of_it(own, name):
    FAILURES[name][0](own)
    result = _touch(own)
    _, is_error = _answer(result)
    assert (is_error, (own.project / "touched").exists()) == (False, True), result.report()
    assert not any("memdir" in json.dumps(request.body["messages"]) for request in result.main)
    assert result.stdout.strip() == "done"


def test_a_plugin_that_is_gone_before_the_session_is_nothing(own):
    shutil.rmtree(own.plugin)
    result = _touch(own)
    assert (_answer(result)[1], (own.project / "touched").exists()) == (False, True), result.report()


def test_a_plugin_deleted_under_a_session_blocks_its_calls_without_any_rule(own):
    """The client's own doing, before it would start a program: nothing in hooks.json but `onFailure` changes it."""
    result = _touch(own, f"rm -r '{own.plugin}'")
    text, is_error = _answer(result)
    assert (is_error, (own.project / "touched").exists()) == (True, False), result.report()
    assert "Plugin directory does not exist" in text
    assert "run /plugin to reinstall" in text
