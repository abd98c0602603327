"""The boundary of every hook: any input, one JSON answer or nothing, exit code 0, no noise, one log line, no traces.

PreToolUse is called with a hard rule in force here; without one it is not even started (launcher_test).
"""

import json
import os
import random
import select
import subprocess
import tempfile
import time

import pytest

from memdir import hookio
from support.checkout import CLIENT_VERSION, ROOT
from support.hooks import encode, read_entries

PAYLOADS = sorted((ROOT / "tests" / "payloads" / CLIENT_VERSION).glob("*.json"))
ENTRIES = read_entries(ROOT)


def _label(entry):
    return "-".join([arg for arg in entry.args if "/" not in arg])


@pytest.fixture
def topics(memory):
    memory.topic("staging-deploys", "Staging deploys only happen on Tuesdays", "Never on Fridays. CANARY-BODY")
    memory.topic("zh", "部署前先备份数据库", "先备份。🧠 – ü")
    (memory.dir / "MEMORY.md").write_text("- [Staging](project_staging_deploys.md) — Tuesdays\n")
    return memory


def _log(state_dir):
    path = state_dir / "log.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def _is_clean(done):
    assert (done.rc, done.stderr) == (0, b"")
    if done.stdout:
        assert done.stdout.isascii()
        assert done.stdout.count(b"\n") == 1
        answer = done.json
        assert set(answer) == {"hookSpecificOutput"}
        if answer["hookSpecificOutput"]["hookEventName"] == "PreToolUse":
            _is_refusal(answer["hookSpecificOutput"])
        else:
            assert set(answer["hookSpecificOutput"]) == {"hookEventName", "additionalContext"}


def _is_refusal(output):
    assert set(output) == {"hookEventName", "permissionDecision", "permissionDecisionReason"}
    assert output["permissionDecision"] in ("deny", "ask")
    assert output["permissionDecisionReason"]


@pytest.fixture
def rule(project):
    """A hard rule that no payload of these tests breaks."""
    folder = project / ".claude" / "rules"
    folder.mkdir(parents=True)
    (folder / "rule.md").write_text('---\ndeny: ["Bash(never-called *)"]\n---\n')


@pytest.mark.parametrize("entry", ENTRIES, ids=_label)
@pytest.mark.parametrize("recorded", PAYLOADS, ids=lambda path: path.stem)
def test_every_recorded_payload_gets_an_answer_or_nothing(run_hook, topics, rule, state_dir, payload, entry, recorded):
    content = payload(recorded.stem)
    done = run_hook(entry, content)
    _is_clean(done)
    if done.stdout:
        assert done.json["hookSpecificOutput"]["hookEventName"] == entry.event
    assert len(_log(state_dir)) == 1
    # The same payload over several lines, as a person would replay it from a file.
    _is_clean(run_hook(entry, json.dumps(content, indent=2).encode()))


BROKEN = {
    "empty": b"",
    "a newline": b"\n",
    "blanks": b"  \n\n",
    "cut off": b'{"session_id":"s","prompt":"staging dep',
    "not JSON": b"hello\n",
    "a list": b"[1,2]\n",
    "null": b"null\n",
    "a number": b"17\n",
    "a string": b'"x"\n',
    "two documents": b"{}{}\n",
    "empty object": b"{}\n",
    "NUL bytes": b"\0\0\0\n",
    "not UTF-8": bytes.fromhex("7b2270726f6d7074223a22fffe80c0227d"),
    "UTF-16": '{"prompt":"x"}\n'.encode("utf-16"),
    "wrong types": b'{"session_id":7,"cwd":[],"prompt":{"a":1},"transcript_path":null,"source":3,"agent_id":true}\n',
    "null fields": b'{"session_id":null,"cwd":null,"prompt":null,"source":null}\n',
    "deep": b'{"prompt":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n",
    "huge number": b'{"session_id":"s","prompt":"x","n":' + b"9" * 10_000 + b"}\n",
    "hostile id": b'{"session_id":"../../../etc/x","cwd":"/","prompt":"staging deploys"}\n',
    "NUL in cwd": b'{"session_id":"s","cwd":"/\\u0000","prompt":"staging deploys"}\n',
    "surrogates": b'{"session_id":"s","cwd":"/\\ud800","prompt":"build fails \\ud82d here \\udcb2"}\n',
    "long cwd": b'{"session_id":"s","cwd":"/' + b"a/" * 20_000 + b'","prompt":"staging deploys"}\n',
}  # fmt: skip

NO_OBJECT = {"cut off", "not JSON", "a list", "null", "a number", "a string", "two documents", "NUL bytes", "deep"}


@pytest.mark.parametrize("entry", ENTRIES, ids=_label)
@pytest.mark.parametrize("name", BROKEN)
def test_broken_input_is_a_log_line_and_no_error(run_hook, topics, rule, state_dir, entry, name):
    for changes in ({}, {"CLAUDE_PROJECT_DIR": None}):
        done = run_hook(entry, BROKEN[name], env=changes)
        _is_clean(done)
        if entry.event == "PreToolUse" and name in NO_OBJECT:
            assert "the hook's input is not a JSON object" in done.reason
    assert len(_log(state_dir)) == 2
    for line in _log(state_dir):
        assert "errors" not in line


@pytest.mark.parametrize("kind", ["allow", "defer", "", "DENY"])
def test_no_answer_can_be_made_that_allows_a_call(kind):
    with pytest.raises(ValueError, match=f"^{kind}$"):
        hookio.decision(kind, "because")


@pytest.mark.parametrize("name", ["empty", "a newline", "blanks"])
def test_no_input_is_nothing_to_refuse(run_hook, rule, state_dir, name):
    assert run_hook("PreToolUse", BROKEN[name]).stdout == b""
    assert [line["outcome"] for line in _log(state_dir)] == ["unreadable payload"]


@pytest.mark.parametrize(
    "arguments",
    [b"", b',"tool_input":null', b',"tool_input":[]', b',"tool_input":"rm -rf victim"', b',"tool_input":7',
     b',"tool_input":{"command":null}', b',"tool_input":{"command":["rm","-rf","victim"]}',
     b',"tool_input":{"command":{"a":1}}'],
)  # fmt: skip
@pytest.mark.parametrize("tool", [b'"Bash"', b'"Write"', b"null", b"7", b"[]"])
def test_a_tool_call_of_another_shape_is_no_error(run_hook, rule, state_dir, tool, arguments):
    done = run_hook("PreToolUse", b'{"session_id":"s","tool_name":' + tool + arguments + b"}\n")
    _is_clean(done)
    assert ["errors" in line for line in _log(state_dir)] == [False]


@pytest.mark.parametrize("seed", range(20))
def test_a_payload_with_flipped_bytes_is_no_problem(run_hook, topics, payload, seed):
    chance = random.Random(seed)
    raw = bytearray(encode(payload("UserPromptSubmit.text")))
    for _ in range(1 + seed):
        raw[chance.randrange(len(raw))] = chance.randrange(256)
    _is_clean(run_hook("UserPromptSubmit", bytes(raw)))


def test_ten_megabytes_are_read(run_hook, topics, payload):
    prompt = "noise of a log\n" * 700_000 + "when do staging deploys happen?"
    done = run_hook("UserPromptSubmit", payload("UserPromptSubmit.text", prompt=prompt))
    _is_clean(done)
    assert "CANARY-BODY" in done.context


@pytest.mark.parametrize("end", [b"\n", b""], ids=["with a newline", "without one"])
def test_standard_input_that_nobody_closes_does_not_hold_the_prompt(run_hook, topics, payload, end):
    raw = encode(payload("UserPromptSubmit.text", prompt="when do staging deploys happen?")).rstrip(b"\n") + end
    read, write = os.pipe()
    process = subprocess.Popen(
        [str(run_hook.plugin / "hooks" / "py"), "user_prompt_submit"],
        stdin=read,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**run_hook.env, "HOME": str(run_hook.home), "CLAUDE_PROJECT_DIR": str(run_hook.project)},
    )
    os.close(read)
    os.write(write, raw)
    out, err = process.communicate(timeout=30)  # the other end stays open all the while
    os.close(write)
    assert (process.returncode, err) == (0, b"")
    assert "CANARY-BODY" in json.loads(out)["hookSpecificOutput"]["additionalContext"]


def test_an_input_that_comes_in_pieces_is_put_together(run_hook, topics, payload):
    raw = encode(payload("UserPromptSubmit.text", prompt="when do staging deploys happen?"))
    process = subprocess.Popen(
        [str(run_hook.plugin / "hooks" / "py"), "user_prompt_submit"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**run_hook.env, "HOME": str(run_hook.home), "CLAUDE_PROJECT_DIR": str(run_hook.project)},
    )
    for start in range(0, len(raw), 100):
        process.stdin.write(raw[start : start + 100])
        process.stdin.flush()
        time.sleep(0.01)
    assert select.select([process.stdout], [], [], 30)[0]  # the pipe is still open, the line is complete
    assert b"CANARY-BODY" in process.communicate()[0]


def test_a_byte_order_mark_changes_nothing(run_hook, topics, payload):
    raw = encode(payload("UserPromptSubmit.text", prompt="when do staging deploys happen?"))
    assert "CANARY-BODY" in run_hook("UserPromptSubmit", b"\xef\xbb\xbf" + raw).context


def test_the_locale_does_not_matter(run_hook, topics, payload):
    done = run_hook(
        "UserPromptSubmit",
        payload("UserPromptSubmit.text", prompt="数据库部署要注意什么"),
        env={"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"},
    )
    assert "先备份。🧠 – ü" in done.context


def test_variables_and_files_for_python_change_nothing(run_hook, topics, payload, project):
    for name in ("json.py", "os.py", "select.py", "memdir.py", "sitecustomize.py"):
        (project / name).write_text("raise SystemExit(2)")
    done = run_hook(
        "UserPromptSubmit",
        payload("UserPromptSubmit.text", prompt="when do staging deploys happen?"),
        env={"PYTHONPATH": str(project), "PYTHONSTARTUP": str(project / "os.py"), "PYTHONHOME": "/nowhere"},
    )
    assert "CANARY-BODY" in done.context


def test_every_run_leaves_one_line_without_private_text(run_hook, topics, state_dir, payload):
    run_hook("UserPromptSubmit", payload("UserPromptSubmit.text", prompt="when do staging deploys happen, SECRETWORD?"))
    for done in run_hook.all("SessionStart", payload("SessionStart.startup")):
        _is_clean(done)
    lines = _log(state_dir)
    assert sorted(line["hook"] for line in lines) == ["session_start"] * 3 + ["user_prompt_submit"]
    assert all({"t", "hook", "ms", "bytes", "outcome", "session"} == set(line) for line in lines)
    raw = (state_dir / "log.jsonl").read_text()
    assert not any(private in raw for private in ("SECRETWORD", "CANARY", "staging", str(topics.project), "Tuesdays"))


def test_the_log_does_not_grow_without_end(run_hook, payload, state_dir):
    state_dir.mkdir(parents=True)
    (state_dir / "log.jsonl").write_text('{"old":1}\n' * 150_000)
    run_hook("UserPromptSubmit", payload("UserPromptSubmit.text"))
    assert len(_log(state_dir)) == 1
    assert (state_dir / "log.jsonl.1").stat().st_size > 10**6


@pytest.mark.skipif(os.geteuid() == 0 and not os.path.exists("/usr/bin/python3"), reason="root may write anywhere")
def test_a_home_that_cannot_be_written_does_not_hold_the_prompt(run_hook, topics, payload, home, tmp_path):
    for path in (home, *home.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    as_nobody = os.geteuid() == 0  # whom the directories of this test are closed to
    for path in [place for top in (tmp_path, run_hook.plugin) for place in (top, *top.parents) if as_nobody]:
        if path.is_relative_to(tempfile.gettempdir()):
            path.chmod(path.stat().st_mode | 0o011)
    raw = encode(payload("UserPromptSubmit.text", prompt="when do staging deploys happen?"))
    done = subprocess.run(
        [str(run_hook.plugin / "hooks" / "py"), "user_prompt_submit"],
        input=raw,
        capture_output=True,
        cwd="/",
        user=65534 if as_nobody else None,
        env={**run_hook.env, "HOME": str(home), "CLAUDE_PROJECT_DIR": str(run_hook.project)},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"CANARY-BODY" in done.stdout


def test_a_full_disk_does_not_hold_the_prompt(run_hook, topics, payload, state_dir):
    """A file system of 64 KB, filled to the last byte, in the place of the state directory."""
    state_dir.mkdir(parents=True)
    fill = 'mount -t tmpfs -o size=64k none "$1" && { cat /dev/zero >"$1/zeros" 2>/dev/null; shift; exec "$@"; }'
    namespace = ["unshare", *(() if os.geteuid() == 0 else ("-r",)), "-m", "sh", "-c", fill, "sh", str(state_dir)]
    if subprocess.run([*namespace, "true"], capture_output=True, check=False).returncode:
        pytest.skip("no mount namespace here")
    done = subprocess.run(
        [*namespace, str(run_hook.plugin / "hooks" / "py"), "user_prompt_submit"],
        input=encode(payload("UserPromptSubmit.text", prompt="when do staging deploys happen?")),
        capture_output=True,
        env={**run_hook.env, "HOME": str(run_hook.home), "CLAUDE_PROJECT_DIR": str(run_hook.project)},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"CANARY-BODY" in done.stdout
