"""From the Stop hook to the memory directory, with real hooks, real workers and real signals."""

import contextlib
import json
import os
import signal
import subprocess
import time

import pytest

from memdir import cursor, index_lines, locks, queue, store
from support.conversation import SESSION, Conversation
from support.hooks import encode

SAID = "Please remember that staging deploys only happen on Tuesdays."


@pytest.fixture
def stop(run_hook, payload, conversation, state_dir):
    """Runs an ending's hook and waits for the worker: stop(), stop("SessionEnd"), stop(wait=False)."""

    def call(event="Stop", recorded=None, *, wait=True, env=None, **fields):
        name = recorded or {"SessionEnd": "SessionEnd.other", "SubagentStop": "SubagentStop.general-purpose"}.get(
            event, event
        )
        content = {"session_id": SESSION, "transcript_path": str(conversation.path), "last_assistant_message": ""}
        done = run_hook(event, payload(name, **{**content, **fields}), env=env)
        assert (done.rc, done.stdout, done.stderr) == (0, b"", b"")
        if wait:
            _wait(state_dir)

    return call


def _wait(state_dir):
    """Until no worker runs and nothing is due."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with locks.held(queue.lock(str(state_dir)), 60) as got:
            if got and not queue.is_left(str(state_dir)):
                return
        time.sleep(0.1)
    raise AssertionError(f"still there: {[vars(job) for job in queue.read(str(state_dir), queue.PENDING)]}")


def _topics(memory):
    return sorted(path.name for path in memory.dir.rglob("*.md") if path.name != store.INDEX)


def _text(memory):
    return "\n".join((memory.dir / name).read_text("utf-8") for name in _topics(memory))


def _listed(memory):
    return [entry.file for entry in index_lines.entries(store.index_text(str(memory.dir)) or "")]


def _worker_lines(state_dir):
    lines = [json.loads(line) for line in (state_dir / "log.jsonl").read_text().splitlines() if line]
    return [line for line in lines if line["hook"] == "worker"]


@pytest.mark.parametrize("event", ["Stop", "StopFailure", "SessionEnd"])
def test_what_the_person_asked_to_remember_is_a_topic_with_a_line_in_the_index(
    stop, conversation, memory, event, state_dir
):
    conversation.user(SAID).claude("Noted.").bookkeeping()
    stop(event)
    (topic,) = _topics(memory)
    assert _listed(memory) == [topic]
    text = _text(memory)
    assert "staging deploys only happen on Tuesdays" in text
    assert "originSessionId: " in text and SESSION in text
    assert cursor.load(str(state_dir), SESSION).offset == conversation.path.stat().st_size
    assert not list(state_dir.rglob("*.tmp")) + list(memory.dir.rglob("*.tmp"))


def test_a_topic_that_cannot_be_written_again_hides_no_other_on_the_subject(stop, conversation, memory):
    header = "---\nname: x\ndescription: staging deploys only happen on Mondays\n---\n"
    memory.file("notes.md", (header + "café\n").encode("latin-1"))
    for day in ("Tuesdays", "Wednesdays"):
        conversation.user(f"Remember that staging deploys only happen on {day}.").claude("Noted.")
        stop()
    assert len(_topics(memory)) == 2
    (ours,) = set(_topics(memory)) - {"notes.md"}
    assert "Wednesdays" in (memory.dir / ours).read_text("utf-8")


def test_a_stop_without_new_lines_changes_nothing(stop, conversation, memory):
    conversation.user(SAID).claude("Noted.")
    stop()
    before = _text(memory), (memory.dir / store.INDEX).read_text()
    stop()
    conversation.bookkeeping()
    stop("SessionEnd")
    assert (_text(memory), (memory.dir / store.INDEX).read_text()) == before


def test_a_stop_says_nothing_though_a_summary_with_open_tasks_is_there(stop, conversation, state_dir):
    """Next steps that a hook named would set the model to work again, without end."""
    (state_dir / "sessions" / SESSION).mkdir(parents=True)
    (state_dir / "sessions" / SESSION / "summary.md").write_text("# Current state\n\n- open: write the tests\n")
    conversation.user("hello").claude("Hi.")
    stop()


def test_each_turn_is_read_once(stop, conversation, state_dir):
    for number in range(3):
        conversation.user(f"Look at part {number}.").claude("Done.").bookkeeping()
        stop()
    stop()
    assert [line["outcome"].split()[0] for line in _worker_lines(state_dir)] == ["1", "1", "1", "0"]


def test_a_subagent_s_end_queues_and_starts_nothing(stop, conversation, memory, state_dir):
    conversation.user(SAID).claude("Noted.").user("and now go on")
    stop("SubagentStop", wait=False)
    (job,) = queue.read(str(state_dir), queue.PENDING)
    assert job.upto == -1
    assert not os.path.exists(queue.lock(str(state_dir)))
    stop()
    assert len(_topics(memory)) == 1


def test_the_client_s_own_agents_are_no_subagents(stop, conversation, state_dir):
    conversation.user(SAID).claude("Noted.")
    stop("SubagentStop", "SubagentStop.compaction", wait=False)
    assert not queue.is_left(str(state_dir))


def test_a_turn_under_way_waits_for_its_own_end(stop, conversation, memory, run_hook, state_dir):
    """The agent may still write the memory itself."""
    conversation.user("hello").claude("Hi.").user(SAID)
    stop("SubagentStop", wait=False)
    assert _queue_run(run_hook, state_dir).returncode == 0
    assert _topics(memory) == []
    conversation.call("Write", "File created successfully", file_path=str(memory.dir / "own.md"), content="x").claude(
        "Written."
    )
    stop()
    assert _topics(memory) == []


def _queue_run(run_hook, state_dir, *words):
    env = {**run_hook.env, "HOME": str(run_hook.home), "MEMDIR_DATA_DIR": str(state_dir)}
    command = [str(run_hook.plugin / "bin" / "memdir"), "queue", *(words or ("run",))]
    return subprocess.run(
        command, env=env, cwd=run_hook.project, capture_output=True, text=True, timeout=90, check=False
    )


def test_fifty_stops_make_one_worker_and_one_memory(run_hook, payload, conversation, memory, state_dir):
    content = encode(payload("Stop", session_id=SESSION, transcript_path=str(conversation.path)))
    conversation.user("hello").claude("Hi.")
    started, most = [], 0
    for number in range(50):
        conversation.user(SAID if number == 49 else f"part {number}").claude("Done.")
        process = subprocess.Popen(
            [str(run_hook.plugin / "hooks" / "py"), "stop"],
            stdin=subprocess.PIPE,
            env={**run_hook.env, "HOME": str(run_hook.home), "CLAUDE_PROJECT_DIR": str(run_hook.project)},
            start_new_session=True,
        )
        process.stdin.write(content)
        process.stdin.close()
        started.append(process)
        most = max(most, len(queue.read(str(state_dir), queue.PENDING)))
    assert {process.wait() for process in started} == {0}
    _wait(state_dir)
    assert most <= 1
    assert len(_topics(memory)) == 1
    assert sum(int(line["outcome"].split()[0]) for line in _worker_lines(state_dir)) == 51


def test_two_workers_do_not_work_at_once(run_hook, conversation, memory, state_dir):
    conversation.user(SAID).claude("Noted.")
    with locks.held(queue.lock(str(state_dir))):
        _add(conversation, memory, state_dir)
        workers = [_worker(run_hook, state_dir) for _ in range(3)]
        assert [worker.wait(60) for worker in workers] == [0, 0, 0]
        assert _topics(memory) == []
    workers = [_worker(run_hook, state_dir) for _ in range(3)]
    assert [worker.wait(60) for worker in workers] == [0, 0, 0]
    _wait(state_dir)
    assert len(_topics(memory)) == 1
    assert len(_worker_lines(state_dir)) == 1


def test_the_worker_runs_on_every_python(each_python, run_hook, conversation, memory, state_dir):
    conversation.user(SAID).user("记住：金额一律用分存。").claude("Noted.")
    _add(conversation, memory, state_dir)
    script = run_hook.plugin / "lib" / "memdir_worker" / "__main__.py"
    env = {"HOME": str(run_hook.home), "PATH": "/usr/bin:/bin", "LC_ALL": "C"}
    done = subprocess.run(
        [each_python, "-I", "-S", str(script), str(state_dir)], env=env, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert len(_listed(memory)) == len(_topics(memory)) == 2


def _add(conversation, memory, state_dir, **fields):
    known = {"session": conversation.session, "transcript": str(conversation.path), "memory": str(memory.dir)}
    queue.add(str(state_dir), queue.Job({**known, "upto": conversation.path.stat().st_size, **fields}))


def _worker(run_hook, state_dir):
    script = run_hook.plugin / "lib" / "memdir_worker" / "__main__.py"
    env = {**run_hook.env, "HOME": str(run_hook.home)}
    return subprocess.Popen(
        [run_hook.env["PATH"].split(":")[0] + "/python3", "-I", "-S", str(script), str(state_dir)], env=env
    )


def test_the_worker_outlives_the_hook_s_whole_process_group(run_hook, payload, conversation, memory, state_dir):
    """As when a hook times out, `claude -p` ends or the terminal hangs up."""
    conversation.user(SAID).claude("Noted.")
    for how in (signal.SIGTERM, signal.SIGKILL, signal.SIGHUP):
        process = subprocess.Popen(
            [str(run_hook.plugin / "hooks" / "py"), "stop"],
            stdin=subprocess.PIPE,
            env={**run_hook.env, "HOME": str(run_hook.home), "CLAUDE_PROJECT_DIR": str(run_hook.project)},
            start_new_session=True,
        )
        process.communicate(encode(payload("Stop", session_id=SESSION, transcript_path=str(conversation.path))))
        with contextlib.suppress(ProcessLookupError):  # nobody of the group may be left
            os.killpg(process.pid, how)
    _wait(state_dir)
    assert len(_topics(memory)) == 1


def test_lines_that_come_while_the_worker_reads_are_for_the_next_job(stop, conversation, memory, state_dir):
    conversation.user("hello").claude("Hi.")
    size = conversation.path.stat().st_size
    conversation.user(SAID).claude("Noted.")
    _add(conversation, memory, state_dir, upto=size)
    stop("SubagentStop", "SubagentStop.compaction", wait=False)
    from memdir_worker import worker

    assert worker.run(str(state_dir)) == 0
    assert _topics(memory) == []
    assert cursor.load(str(state_dir), SESSION).offset == size
    stop()
    assert len(_topics(memory)) == 1


def test_an_answer_that_the_file_lacks_is_taken_from_the_hook_once(conversation, memory, state_dir):
    from memdir import transcript
    from memdir_worker import extraction

    answer = "The limit is 40 requests per minute."
    conversation.user("What is the limit?")
    job = queue.Job({"session": SESSION, "transcript": str(conversation.path), "upto": 10**9, "answer": answer})
    first = transcript.read(str(conversation.path))
    turns, end, ahead = extraction._finished(first, job, 0)
    assert [turn.answers for turn in turns] == [[answer]]
    conversation.claude(answer).user("And per hour?").claude("1,000.")
    job.answer = "1,000."
    later, end, ahead = extraction._finished(transcript.read(str(conversation.path), end), job, ahead)
    assert [turn.answers for turn in later] == [["1,000."]]
    assert ahead == 0


def test_a_project_can_switch_it_off_and_so_can_the_person(stop, conversation, memory, project, home, state_dir):
    conversation.user(SAID).claude("Noted.")
    (project / ".claude").mkdir()
    (project / ".claude" / "memdir.yaml").write_text("extract.on: off\n")
    stop()
    (project / ".claude" / "memdir.yaml").unlink()
    config = home / ".config" / "memdir"
    config.mkdir(parents=True)
    (config / "config.yaml").write_text(f"exclude: [{project}]\n")
    stop()
    (config / "config.yaml").write_text("extract.on: off\n")
    stop()
    (project / ".claude" / "memdir.yaml").write_text("extract.on: on\n")
    stop()
    assert _topics(memory) == []
    assert not queue.is_left(str(state_dir))
    (config / "config.yaml").unlink()
    stop()
    assert len(_topics(memory)) == 1


def test_a_directory_that_the_project_chose_is_written_only_when_it_is_trusted(
    stop, conversation, memory, project, home, tmp_path, run_hook, state_dir
):
    chosen = tmp_path / "chosen"
    chosen.mkdir()
    (project / ".claude").mkdir()
    (project / ".claude" / "settings.json").write_text(json.dumps({"autoMemoryDirectory": str(chosen)}))
    conversation.user(SAID).claude("Noted.")
    stop()
    assert os.listdir(chosen) == []
    env = {**run_hook.env, "HOME": str(home), "MEMDIR_DATA_DIR": str(state_dir)}
    told = subprocess.run(
        [str(run_hook.plugin / "bin" / "memdir"), "setup", "--trust-dir"],
        env=env, cwd=project, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert str(chosen) in told.stdout
    stop()
    assert sorted(os.listdir(chosen))[0] == "MEMORY.md"


def test_nothing_private_reaches_a_memory_the_queue_or_the_log(stop, conversation, memory, state_dir):
    secret = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6"
    conversation.user(
        "Remember that staging deploys only happen on Tuesdays. <private>Remember that Kim is ill.</private>"
    )
    conversation.user(f"Remember that the token of the bot is {secret}.").claude(f"I will use {secret}.")
    stop(last_assistant_message=f"I will use {secret}.")
    everything = "".join(
        path.read_text("utf-8", "replace") for path in [*state_dir.rglob("*"), *memory.dir.rglob("*")] if path.is_file()
    )
    assert "Tuesdays" in everything
    assert "Kim" not in everything
    assert secret not in everything


def test_a_session_in_memdir_s_own_directory_is_no_source(stop, conversation, memory, state_dir):
    state_dir.mkdir(parents=True)
    conversation.user(SAID).claude("Noted.")
    stop(cwd=str(state_dir), wait=False)
    assert not queue.is_left(str(state_dir))


@pytest.mark.parametrize(
    "path", ["", "/etc/passwd", "relative.jsonl", "{home}/outside.jsonl", "{projects}/link.jsonl", "{projects}"]
)
def test_only_a_regular_file_below_the_projects_directory_is_a_transcript(
    stop, conversation, home, state_dir, path, memory
):
    conversation.user(SAID).claude("Noted.")
    projects = conversation.path.parent
    (home / "outside.jsonl").write_bytes(conversation.path.read_bytes())
    (projects / "link.jsonl").symlink_to(conversation.path)
    stop(transcript_path=path.format(home=home, projects=projects), wait=False)
    assert not queue.is_left(str(state_dir))


IDS = ["../../etc/cron.d/evil", "/tmp/abs", "a/b/c", "..", ".", "", "x\0y", "con\nline", "a'b\"c", "é日本", "A" * 400]


RECORDED = {
    "PostCompact": "PostCompact.auto",
    "PreCompact": "PreCompact.auto",
    "SessionEnd": "SessionEnd.other",
    "SessionStart": "SessionStart.startup",
    "Stop": "Stop",
    "SubagentStop": "SubagentStop.general-purpose",
    "UserPromptSubmit": "UserPromptSubmit.text",
}


@pytest.mark.parametrize("session", IDS)
@pytest.mark.parametrize("event", RECORDED)
def test_no_session_id_leads_out_of_the_state_directory(
    run_hook, payload, conversation, memory, home, state_dir, event, session
):
    conversation.user(SAID).claude("Noted.")
    before = {path for path in home.rglob("*") if not path.is_relative_to(state_dir)}
    content = payload(RECORDED[event], session_id=session, transcript_path=str(conversation.path))
    for done in run_hook.all(event, content, env={"CLAUDE_CODE_SESSION_ID": None}):
        assert (done.rc, done.stderr) == (0, b"")
    assert _queue_run(run_hook, state_dir).returncode == 0
    ours = {home / ".claude" / "memdir", home / ".claude" / "memdir" / "python", *state_dir.parents}
    made = {path for path in home.rglob("*") if not path.is_relative_to(state_dir)} - before - ours
    assert {path.parent for path in made} <= {memory.dir}


def test_a_failed_job_is_listed_retried_and_dropped(conversation, memory, state_dir, run_hook):
    conversation.user(SAID).claude("Noted.")
    (memory.dir / store.INDEX).symlink_to("/nowhere")
    _add(conversation, memory, state_dir, queued_at=time.time())
    for _ in range(queue.MAX_TRIES):
        assert _queue_run(run_hook, state_dir).returncode == 1
    (row,) = json.loads(_queue_run(run_hook, state_dir, "list", "--json").stdout)
    assert (row["session"], row["state"], row["tries"]) == (SESSION, "failed", queue.MAX_TRIES)
    assert "MEMORY.md" in row["error"]
    assert "failed" in _queue_run(run_hook, state_dir, "list").stdout
    (memory.dir / store.INDEX).unlink()
    assert _queue_run(run_hook, state_dir, "retry", SESSION[:8]).returncode == 0
    assert _queue_run(run_hook, state_dir).returncode == 0
    assert len(_listed(memory)) == 1


def test_a_dropped_job_does_not_come_back_with_the_next_turn(conversation, memory, state_dir, run_hook, stop):
    conversation.user(SAID).claude("Noted.")
    _add(conversation, memory, state_dir, queued_at=time.time())
    assert "dropped" in _queue_run(run_hook, state_dir, "drop", "--all").stdout
    assert _queue_run(run_hook, state_dir, "list").stdout == "The queue is empty.\n"
    conversation.user("Remember that the bank reads the CSV header.").claude("Noted.")
    stop()
    assert "Tuesdays" not in _text(memory)
    assert "CSV" in _text(memory)


@pytest.mark.parametrize("words", [["retry"], ["drop"], ["retry", "nosuch"], ["drop", "nosuch"]])
def test_a_command_that_names_no_job_says_so(run_hook, state_dir, words):
    done = _queue_run(run_hook, state_dir, *words)
    assert (done.returncode, done.stdout) == (1, "")
    assert "memdir queue list" in done.stderr


def test_topics_in_the_queue_of_another_memory_directory_stay_there(stop, conversation, memory, home, state_dir):
    """A job says where its memories belong; the worker of another project carries it there."""
    other = home / ".claude" / "projects" / "other"
    elsewhere = (
        Conversation(other / "s2.jsonl", home, "s2").user("Remember that the other project uses yarn.").claude("Noted.")
    )
    known = {"session": "s2", "transcript": str(elsewhere.path), "memory": str(other / "memory")}
    queue.add(str(state_dir), queue.Job({**known, "upto": 10**9}))
    conversation.user(SAID).claude("Noted.")
    stop()
    assert "yarn" not in _text(memory)
    assert "yarn" in "".join(path.read_text() for path in (other / "memory").glob("*.md"))


def test_a_fork_brings_nothing_of_its_origin_again(stop, conversation, memory):
    conversation.user(SAID).claude("Noted.")
    stop()
    (memory.dir / _topics(memory)[0]).unlink()  # the person did not want it
    fork = Conversation(conversation.path.with_name("fork.jsonl"), conversation.cwd, "fork")
    fork.path.write_bytes(conversation.path.read_bytes())
    fork.user("Remember that the bank reads the CSV header.").claude("Noted.")
    stop(session_id="fork", transcript_path=str(fork.path))
    assert "Tuesdays" not in _text(memory)
    assert "CSV" in _text(memory)


def test_a_rewritten_transcript_is_read_on_after_what_was_extracted(stop, conversation, memory):
    conversation.user("hello, with some more words").claude("Hi.").user(SAID).claude("Noted.")
    stop()
    (memory.dir / _topics(memory)[0]).unlink()
    lines = conversation.path.read_bytes().splitlines(keepends=True)
    conversation.path.write_bytes(b"".join(lines[2:]))  # its beginning was cut away
    conversation.user("Remember that the bank reads the CSV header.").claude("Noted.")
    stop()
    assert "Tuesdays" not in _text(memory)
    assert "CSV" in _text(memory)


def test_a_damaged_cursor_is_put_aside_and_what_was_extracted_is_not_again(stop, conversation, memory, state_dir):
    conversation.user(SAID).claude("Noted.")
    stop()
    (memory.dir / _topics(memory)[0]).unlink()
    path = cursor.file(str(state_dir), SESSION)
    with open(path, "w") as file:
        file.write('{"transcript": "/x", "off')
    conversation.user("Remember that the bank reads the CSV header.").claude("Noted.")
    stop()
    assert "Tuesdays" not in _text(memory)
    assert "CSV" in _text(memory)
    assert os.path.exists(path + ".damaged")
