"""From a finished turn to the next session, with the real client: said in one, it is in the request of the other."""

import json
import os
import shutil
import sys
import uuid

import pytest

from e2e.interactive import drive
from memdir import delivery, index_lines, queue, store

pytestmark = pytest.mark.e2e

SAID = "Please remember that staging deploys only happen on Tuesdays."
FACT = "staging deploys only happen on Tuesdays"
WORK_S = 30  # for the worker that a run leaves behind
OFF = {"autoMemoryEnabled": False}


def _topics(memory):
    return sorted(path.name for path in memory.dir.glob("*.md") if path.name != store.INDEX)


def _listed(memory):
    return [entry.file for entry in index_lines.entries(store.index_text(str(memory.dir)) or "")]


@pytest.mark.parametrize("native", [True, False], ids=["native memory on", "native memory off"])
def test_said_in_one_session_it_is_in_the_request_of_the_next(client, memory, home, native):
    (home / ".claude").mkdir(exist_ok=True)
    (home / ".claude" / "settings.json").write_text(json.dumps({} if native else OFF))
    first = client.run(SAID, linger_s=WORK_S)
    assert first.rc == 0, first.report()
    (topic,) = _topics(memory)
    assert _listed(memory) == [topic]
    text = client.run("when can we deploy to staging?").main[0].text
    delivered = text.partition(delivery.PROVENANCE)[2]
    assert FACT in delivered, (memory.dir / topic).read_text()
    assert f"]({topic})" in text  # the line of the index, by whoever loads it


def test_said_in_chinese_it_is_there_as_well(client, memory):
    client.run("记住：预发布环境只能在周二部署，因为周一要重建数据库。", linger_s=WORK_S)
    assert len(_topics(memory)) == 1
    text = client.run("什么时候可以部署预发布环境？").main[0].text
    assert "只能在周二部署" in text.partition(delivery.PROVENANCE)[2]


def test_said_twice_in_two_sessions_it_is_one_memory(client, memory):
    client.run(SAID, linger_s=WORK_S)
    before = (memory.dir / _topics(memory)[0]).read_text()
    client.run(SAID, linger_s=WORK_S)
    assert [(memory.dir / name).read_text() for name in _topics(memory)] == [before]


def test_a_turn_in_which_claude_itself_wrote_the_memory_is_left_to_it(client, memory):
    own = memory.dir / "project_own.md"
    content = "---\nname: own\ndescription: Staging deploys on Tuesdays\nmetadata:\n  type: project\n---\n\nTuesdays.\n"
    calls = [
        {"tool": "Write", "input": {"file_path": str(own), "content": content}},
        {"text": "I have written it down."},
    ]
    result = client.run(SAID, scenario={"turns": calls}, linger_s=WORK_S)
    assert own.exists(), result.report()
    assert _topics(memory) == ["project_own.md"]


def test_a_failed_write_of_claude_s_does_not_count(client, memory, project):
    calls = [
        {"tool": "Bash", "input": {"command": f"echo x > '{memory.dir}/missing/x.md'", "description": "d"}},
        {"text": "That did not work."},
    ]
    args = ["--dangerously-skip-permissions"]
    client.run(SAID, scenario={"turns": calls}, linger_s=WORK_S, args=args, env={"IS_SANDBOX": "1"})
    assert len(_topics(memory)) == 1


def test_an_answer_that_the_api_refused_loses_nothing(client, memory):
    refused = {"default": {"error": 400, "type": "invalid_request_error", "message": "no"}}
    client.run(SAID, scenario=refused, linger_s=WORK_S)
    # the hook of a refused turn may be killed with the client; what it did not do, the next start does
    client.run("hello", linger_s=WORK_S)
    assert len(_topics(memory)) == 1


def test_nothing_of_memdir_starts_a_client(client, memory, tmp_path, state_dir):
    """A `claude` on PATH that would run the hooks again in its own environment, and counts its starts."""
    count = tmp_path / "count"
    folder = tmp_path / "fake"
    folder.mkdir()
    hook = f"'{client.plugin}/hooks/py' stop </dev/null"
    (folder / "claude").write_text(
        f"#!/bin/sh\necho start >>'{count}'\n{hook}\nexec '{client.plugin}/hooks/py' session_start 1\n"
    )
    (folder / "claude").chmod(0o755)
    client.run(SAID, linger_s=WORK_S, env={"PATH": f"{folder}:{os.environ['PATH']}"})
    assert len(_topics(memory)) == 1
    assert len(count.read_text().split() if count.exists() else []) <= 1
    assert not queue.is_left(str(state_dir))


KILL = """
import os, signal, subprocess, sys, time
process = subprocess.Popen(sys.argv[2:], stdin=subprocess.DEVNULL, start_new_session=True)
deadline = time.monotonic() + 60
requests = sys.argv[1]
while not any(name.endswith(".json") for name in os.listdir(requests)) and time.monotonic() < deadline:
    time.sleep(0.05)
time.sleep(1.0)
os.killpg(process.pid, signal.SIGKILL)
process.wait()
"""


def _kill_while_it_answers(client, prompt, session):
    out = client._next_out()
    command = [client.binary, "-p", prompt, "--plugin-dir", str(client.plugin), "--session-id", session]
    slow = {"default": {"text": "too late", "delay": 60}}
    killer = [sys.executable, "-c", KILL, str(out / "requests"), *command]
    return client.execute(killer, out=out, scenario=slow, linger_s=5)


def test_a_session_that_was_killed_is_named_once_and_what_was_said_in_it_is_kept(client, memory):
    session = str(uuid.uuid4())
    killed = _kill_while_it_answers(client, SAID, session)
    assert killed.main, killed.report()
    assert _topics(memory) == []
    note = f"claude --resume {session}"
    text = client.run("hello", linger_s=WORK_S).main[0].text
    assert text.count(note) == 1
    assert "Please remember that staging" in text
    assert len(_topics(memory)) == 1
    assert note not in client.run("hello again", linger_s=WORK_S).main[0].text


def test_a_clean_end_gets_no_note(client, memory):
    client.run("hello", linger_s=WORK_S)
    assert "claude --resume" not in client.run("hello again").main[0].text


def test_the_session_that_is_resumed_is_not_named_to_itself(client, memory):
    session = str(uuid.uuid4())
    _kill_while_it_answers(client, SAID, session)
    result = client.run("go on", resume=session, linger_s=WORK_S)
    assert "claude --resume" not in result.main[0].text
    assert len(_topics(memory)) == 1


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux, which types for us, is not installed")
def test_a_live_session_is_not_named_and_a_hang_up_loses_nothing(client, memory):
    steps = [
        ["wait", "❯", 30],
        ["send", SAID],
        ["wait", "It works", 30],
    ]
    drive(client, steps, scenario={"turns": [{"text": "It works."}]}, linger_s=WORK_S)  # tmux is then ended under it
    text = client.run("hello", linger_s=WORK_S).main[0].text
    assert len(_topics(memory)) == 1
    assert text.count("claude --resume") <= 1
