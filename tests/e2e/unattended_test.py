"""Questions of memdir where nobody can be asked, with the real client: what refuses them, what lets them through."""

import json
import shutil
import sys

import pytest

from e2e.interactive import drive
from support.rules import write_rule

pytestmark = pytest.mark.e2e
NOBODY = "Nobody is there to be asked in this session (`claude -p`), so the call is refused"
_TOUCH = {"tool": "Bash", "input": {"command": "touch made", "description": "d"}}
_ANSWERING_SERVER = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    result = {}
    if message["method"] == "initialize":
        version = message["params"]["protocolVersion"]
        info = {"name": "p", "version": "1"}
        result = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info}
    elif message["method"] == "tools/list":
        result = {"tools": [{"name": "ask", "description": "d", "inputSchema": {"type": "object", "properties": {}}}]}
    elif message["method"] == "tools/call":
        answer = {"behavior": "allow", "updatedInput": message["params"]["arguments"]["input"]}
        result = {"content": [{"type": "text", "text": json.dumps(answer)}]}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


@pytest.fixture
def asked(project):
    """A project with a rule that asks before `touch`."""
    write_rule(project, "careful", 'ask: ["Bash(touch *)"]', "Ask before you touch anything.")
    return project


def _told(result):
    """What the model was told about its calls."""
    return [
        json.dumps(block["content"], ensure_ascii=False)
        for message in result.main[-1].body["messages"]
        if message["role"] == "user" and isinstance(message["content"], list)
        for block in message["content"]
        if block["type"] == "tool_result"
    ]


def _run(client, *args, **options):
    result = client.run("go on", scenario={"turns": [_TOUCH, {"text": "done"}]}, args=args, **options)
    assert result.rc == 0, result.report()
    return result


@pytest.mark.parametrize(
    ("args", "settings"),
    [
        ((), {}),
        (("--allowedTools", "Bash"), {}),
        ((), {"permissions": {"allow": ["Bash"]}}),
        (("--permission-mode", "bypassPermissions"), {}),
    ],
    ids=["as it is", "--allowedTools", "permissions.allow", "bypassPermissions"],
)
def test_with_p_a_question_is_refused_and_says_how_to_allow_it(client, asked, args, settings):
    (text,) = _told(_run(client, *args, settings=settings, env={"IS_SANDBOX": "1"}))
    assert not (asked / "made").exists()
    assert "Ask before you touch anything." in text
    assert NOBODY in text
    assert "takes `Bash(touch *)` out of `ask` in line 2 of the rule file" in text


def test_a_permission_prompt_tool_lets_it_through(client, asked, tmp_path):
    server = tmp_path / "server.py"
    server.write_text(_ANSWERING_SERVER)
    config = {"mcpServers": {"p": {"command": sys.executable, "args": [str(server)]}}}
    result = _run(client, "--mcp-config", json.dumps(config), "--permission-prompt-tool", "mcp__p__ask")
    assert (asked / "made").exists()
    assert NOBODY not in "".join(_told(result))


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux, which types for us, is not installed")
def test_a_person_is_asked_without_a_word_about_nobody(client, asked):
    steps = [
        ["wait", "❯", 30],
        ["send", "hello"],
        ["wait", "Do you want to proceed", 30],
        ["shot", "question"],
        ["key", "Enter"],
        ["wait", "It works", 30],
        ["send", "/exit"],
        ["ended", 30],
    ]
    result = drive(client, steps, scenario={"turns": [_TOUCH, {"text": "It works."}]})
    assert result.rc == 0, result.report()
    assert "Ask before you touch anything." in result.stdout
    assert "Nobody is there" not in result.stdout
    assert (asked / "made").exists()
