"""A compaction keeps the task, with the real client: by hand and automatic, the summary is in the request after it."""

import uuid

import pytest

pytestmark = pytest.mark.e2e

TASK = "Port the invoice export to the new gateway. Never change the CSV header, the bank reads it."
CONSTRAINT = "Never change the CSV header"
COMPACTED = {"text": "<analysis>a</analysis><summary>nothing of note</summary>"}
IS_COMPACTION = {"match": "Your task is to create a detailed summary", "in": "last_user", "turns": [COMPACTED]}


def test_by_hand_the_task_is_in_the_request_after_it(client, memory, project):
    session = str(uuid.uuid4())
    turns = [
        {"tool": "Bash", "input": {"command": "echo step-one", "description": "first step"}},
        {"tool": "Write", "input": {"file_path": str(project / "export.py"), "content": "x = 1\n"}},
        {"text": "The export is ported, the tests are open."},
    ]
    args = ["--dangerously-skip-permissions"]
    sandbox = {"IS_SANDBOX": "1"}
    client.run(TASK, session=session, scenario={"turns": turns}, args=args, env=sandbox)
    compact = client.run("/compact keep the names", resume=session, scenario={"default": COMPACTED})
    (asked,) = [request for request in compact.requests if "create a detailed summary" in request.text]
    instructions = asked.texts("user")[-1]
    assert instructions.count("keep the names") == 1
    assert instructions.count(CONSTRAINT) == 1
    after = client.run("go on", resume=session).main[0].text
    for kept in (CONSTRAINT, "export.py", "echo step-one"):
        assert kept in after, after[-6000:]
    assert "nothing of note" in after


def test_an_automatic_one_in_the_middle_of_a_turn_as_well(client, memory, project):
    full = {"usage": {"input_tokens": 98_000}}
    call = {"tool": "Bash", "input": {"command": "echo step-one", "description": "first step"}}
    scenario = {
        "rules": [IS_COMPACTION],
        "turns": [{**call, "usage": {"input_tokens": 50_000}}, {**call, **full}, {"text": "finished"}],
    }
    result = client.run(TASK, scenario=scenario, args=["--autocompact", "100000", "--allowedTools", "Bash"])
    assert result.rc == 0, result.report()
    compaction = next(n for n, one in enumerate(result.requests) if "create a detailed summary" in one.text)
    after = next(one for one in result.requests[compaction + 1 :] if one.is_main)
    assert "nothing of note" in after.text
    assert CONSTRAINT in after.text.partition("nothing of note")[2]


def test_a_compaction_of_a_session_with_nothing_in_it_says_nothing(client, memory):
    session = str(uuid.uuid4())
    client.run("/help", session=session)
    result = client.run("/compact", resume=session, scenario={"default": COMPACTED})
    assert "memdir" not in "".join(request.texts("user")[-1] for request in result.requests if request.texts("user"))
