"""Sessions that were cut off, and jobs that fail: nothing said in them is lost, whoever comes by meanwhile."""

import json
import os
import subprocess
import time

import pytest

from memdir import index_lines, locks, queue, store
from support.conversation import SESSION, Conversation

OTHER = "22222222-2222-2222-2222-222222222222"
SAID = "Please remember that staging deploys only happen on Tuesdays."
LATER = "Remember that the bank reads the CSV header."


@pytest.fixture(scope="session")
def dead():
    """The number of a process that has ended."""
    process = subprocess.Popen(["true"])
    process.wait()
    return str(process.pid)


@pytest.fixture
def hook(run_hook, payload, conversation, dead):
    """Runs a hook of the session, whose client is dead when others look; its context."""

    def call(event, recorded, **fields):
        env = {"CLAUDE_PID": dead, **fields.pop("env", {})}
        content = {"session_id": SESSION, "transcript_path": str(conversation.path), **fields}
        done = run_hook.all(event, payload(recorded, **content), env=env)[0]
        assert (done.rc, done.stderr) == (0, b"")
        return done.context

    return call


@pytest.fixture
def cut_off(hook, conversation):
    """The session was asked something, answered, and then killed."""
    hook("UserPromptSubmit", "UserPromptSubmit.text", prompt="hello")
    return conversation.user(SAID).claude("Noted.")


@pytest.fixture
def start(hook, conversation):
    """Starts another session of the project; what it is told."""
    return lambda **fields: hook(
        "SessionStart", "SessionStart.startup", **{"session_id": OTHER, "transcript_path": "", **fields}
    )


@pytest.fixture
def work(run_hook, state_dir):
    """Works off the queue as a person would; the finished process."""

    def call(*words, env=None):
        known = {**run_hook.env, "HOME": str(run_hook.home), "MEMDIR_DATA_DIR": str(state_dir), **(env or {})}
        command = [str(run_hook.plugin / "bin" / "memdir"), "queue", *(words or ("run",))]
        return subprocess.run(command, env=known, cwd=run_hook.project, capture_output=True, text=True, check=False)

    return call


def _topics(memory):
    return sorted(path.name for path in memory.dir.glob("*.md") if path.name != store.INDEX)


def _add(conversation, memory, state_dir, **fields):
    known = {"session": conversation.session, "transcript": str(conversation.path), "memory": str(memory.dir)}
    queue.add(str(state_dir), queue.Job({**known, "upto": conversation.path.stat().st_size, **fields}))


def test_a_session_that_was_cut_off_is_taken_over_and_named_once(cut_off, start, work, memory):
    told = start()
    assert f"claude --resume {SESSION}" in told
    assert "Please remember that staging" in told
    assert "ended without a farewell" not in told or "was cut off" not in told
    work()
    assert len(_topics(memory)) == 1
    assert start() == ""


def test_without_the_note_it_is_taken_over_all_the_same(cut_off, start, work, memory, project):
    (project / ".claude").mkdir()
    (project / ".claude" / "memdir.yaml").write_text("resume_note: off\n")
    assert start() == ""
    work()
    assert len(_topics(memory)) == 1


def test_after_a_clean_end_nothing_is_named(cut_off, hook, start):
    hook("SessionEnd", "SessionEnd.other")
    assert start() == ""


def test_a_live_session_is_not_named_nor_one_whose_client_is_not_known(conversation, hook, start):
    for pid in (str(os.getpid()), None):
        hook("UserPromptSubmit", "UserPromptSubmit.text", prompt="hello", env={"CLAUDE_PID": pid})
        conversation.user(SAID)
        assert start() == ""


def test_a_session_of_another_project_is_taken_over_here_and_named_there(
    cut_off, start, work, memory, run_hook, tmp_path
):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    there = {"CLAUDE_PROJECT_DIR": str(elsewhere)}
    assert start(env=there, cwd=str(elsewhere)) == ""
    work()
    assert len(_topics(memory)) == 1
    assert start(env=there, cwd=str(elsewhere)) == ""
    assert f"claude --resume {SESSION}" in start()


def test_a_start_under_another_configuration_of_the_client_forgets_nothing(cut_off, start, work, memory, home):
    (home / ".claude-work").mkdir()
    assert start(env={"CLAUDE_CONFIG_DIR": str(home / ".claude-work")}) == ""
    assert f"claude --resume {SESSION}" in start()
    work()
    assert len(_topics(memory)) == 1


def test_a_worker_under_another_configuration_does_the_job(conversation, memory, state_dir, work, home):
    conversation.user(SAID).claude("Noted.")
    _add(conversation, memory, state_dir)
    (home / ".claude-work").mkdir()
    work(env={"CLAUDE_CONFIG_DIR": str(home / ".claude-work")})
    assert len(_topics(memory)) == 1


def test_a_relative_configuration_directory_loses_no_job(conversation, memory, hook, run_hook, state_dir, work, home):
    conversation.user(SAID).claude("Noted.")
    relative = os.path.relpath(home / ".claude", run_hook.project)
    hook("Stop", "Stop", env={"CLAUDE_CONFIG_DIR": relative})
    work(env={"CLAUDE_CONFIG_DIR": relative})
    assert len(_topics(memory)) == 1


def test_a_start_that_cannot_queue_forgets_nothing(cut_off, start, work, memory, state_dir):
    (state_dir / "queue").mkdir(parents=True, exist_ok=True)
    (state_dir / "queue" / "pending").write_text("")  # as on a full disk
    start()
    (state_dir / "queue" / "pending").unlink()
    start()
    work()
    assert len(_topics(memory)) == 1


def test_the_words_of_any_other_file_are_not_told(hook, start, tmp_path):
    outside = Conversation(tmp_path / "outside.jsonl", tmp_path, SESSION).user("words of another file")
    hook("UserPromptSubmit", "UserPromptSubmit.text", prompt="hello", transcript_path=str(outside.path))
    assert "words of another" not in start()


def test_a_cut_off_session_with_half_a_line_is_queued_once(cut_off, start, work, state_dir, tmp_path):
    with cut_off.path.open("a") as file:
        file.write('{"type":"user","mess')
    elsewhere = {"env": {"CLAUDE_PROJECT_DIR": str(tmp_path)}, "cwd": str(tmp_path)}
    start(**elsewhere)
    work()
    for _ in range(2):
        start(**elsewhere)
        assert not queue.is_left(str(state_dir))


# Jobs that fail


@pytest.fixture
def given_up(conversation, memory, state_dir, work):
    """The job of a session whose memories could not be written, tried as often as it may be."""
    conversation.user(SAID).claude("Noted.")
    (memory.dir / store.INDEX).symlink_to("/nowhere")
    _add(conversation, memory, state_dir)
    for _ in range(queue.MAX_TRIES):
        assert work().returncode == 1
    return queue.given_up(str(state_dir), SESSION)


def test_a_job_that_was_given_up_is_left_alone(given_up, work, state_dir):
    before = (state_dir / "log.jsonl").read_text().count('"worker"')
    assert work().returncode == 0
    assert (state_dir / "log.jsonl").read_text().count('"worker"') == before
    assert vars(queue.given_up(str(state_dir), SESSION)) == vars(given_up)


def test_what_was_said_after_a_failure_comes_with_the_next_try(
    given_up, conversation, memory, state_dir, work, start, hook
):
    hook("UserPromptSubmit", "UserPromptSubmit.text", prompt="hello")
    conversation.user(LATER).claude("Noted.")  # and the client is killed
    start()
    (memory.dir / store.INDEX).unlink()
    work("retry", "--all")
    work()
    assert len(_topics(memory)) == 2
    listed = [entry.file for entry in index_lines.entries(store.index_text(str(memory.dir)))]
    assert sorted(listed) == _topics(memory)


def test_a_conflict_leaves_no_memory_without_its_line(conversation, memory, state_dir, monkeypatch):
    from memdir_worker import worker

    conversation.user(SAID).user(LATER).claude("Noted.")
    _add(conversation, memory, state_dir)
    journal = state_dir / "apply" / f"{SESSION}.json"

    def step(name):
        if name == "journal" and not (memory.dir / "taken").exists():  # just now somebody makes the second file
            (memory.dir / "taken").touch()
            (memory.dir / json.loads(journal.read_text())["changes"][1]["file"]).write_text("mine\n")

    assert worker.run(str(state_dir), step=step) == 0
    listed = {entry.file for entry in index_lines.entries(store.index_text(str(memory.dir)))}
    ours = {name for name in _topics(memory) if (memory.dir / name).read_text() != "mine\n"}
    assert len(ours) == 2
    assert ours <= listed


def test_switched_off_after_the_queueing_it_stays_off(conversation, memory, state_dir, project, work):
    conversation.user(SAID).claude("Noted.")
    _add(conversation, memory, state_dir, project=str(project))
    (project / ".claude").mkdir()
    (project / ".claude" / "memdir.yaml").write_text("extract.on: off\n")
    work()
    assert _topics(memory) == []


# What the queue holds


def test_no_answer_lies_in_the_queue_that_the_transcript_has(conversation, hook, state_dir):
    answer = 'The password is hunter2xyz9, and\n"it" has <private>Kim</private> in it.'
    conversation.user("hello").claude(answer)
    with locks.held(queue.lock(str(state_dir))):
        hook("Stop", "Stop", last_assistant_message=answer)
        (job,) = queue.read(str(state_dir), queue.PENDING)
    assert job.answer == ""


def test_an_answer_that_the_transcript_lacks_waits_without_what_is_private(conversation, hook, state_dir):
    conversation.user("hello")
    with locks.held(queue.lock(str(state_dir))):
        hook("Stop", "Stop", last_assistant_message="It is done. <private>Kim is ill</private> password: hunter2xyz9")
        (job,) = queue.read(str(state_dir), queue.PENDING)
    assert job.answer.startswith("It is done. ")
    assert "Kim" not in job.answer
    assert "hunter2" not in job.answer


def test_a_very_long_answer_is_no_damage(conversation, hook, state_dir, memory, work):
    conversation.user(SAID)
    hook("Stop", "Stop", last_assistant_message="漢字" * 100_000)
    work()
    assert len(_topics(memory)) == 1
    assert not list((state_dir / "queue").rglob("*.damaged"))


def test_a_dropped_job_of_a_running_turn_does_not_come_back(conversation, hook, memory, work):
    conversation.user(SAID).claude("Noted.").user("go on")
    hook("SubagentStop", "SubagentStop.general-purpose")
    assert "dropped" in work("drop", "--all").stdout
    conversation.claude("Done.")
    hook("Stop", "Stop")
    work()
    assert _topics(memory) == []


def test_a_beginning_that_several_sessions_have_is_not_enough(state_dir, work):
    for number in "123":
        queue.add(str(state_dir), queue.Job({"session": f"aa-{number}", "transcript": "/x", "queued_at": time.time()}))
    told = work("drop", "aa")
    assert (told.returncode, "3 sessions begin with aa" in told.stderr) == (1, True)
    assert len(queue.read(str(state_dir), queue.PENDING)) == 3


def test_a_transcript_without_its_last_record_is_not_read_again(conversation, hook, memory, work):
    """Claude Code takes back a message by cutting the file."""
    conversation.user(SAID).claude("Noted.")
    hook("Stop", "Stop")
    work()
    (memory.dir / _topics(memory)[0]).unlink()  # the person did not want it
    conversation.user("And now?").claude("Nothing.").bookkeeping()
    hook("Stop", "Stop")
    hook("SessionEnd", "SessionEnd.other")
    work()
    lines = conversation.path.read_bytes().splitlines(keepends=True)
    conversation.path.write_bytes(b'{"type":"summary"}\n' + b"".join(lines[:-3]))
    conversation.user(LATER).claude("Noted.")
    hook("Stop", "Stop")
    work()
    (topic,) = _topics(memory)
    assert "CSV" in (memory.dir / topic).read_text()


def test_a_directory_is_trusted_for_one_project_alone(
    conversation, memory, hook, work, run_hook, project, tmp_path, state_dir
):
    chosen, hostile = tmp_path / "chosen", tmp_path / "hostile"
    for folder in (project, hostile):
        (folder / ".claude").mkdir(parents=True)
        (folder / ".claude" / "settings.json").write_text(json.dumps({"autoMemoryDirectory": str(chosen)}))
    chosen.mkdir()
    env = {**run_hook.env, "HOME": str(run_hook.home), "MEMDIR_DATA_DIR": str(state_dir)}
    setup = [str(run_hook.plugin / "bin" / "memdir"), "setup", "--trust-dir"]
    subprocess.run(setup, env=env, cwd=project, capture_output=True, check=True)
    conversation.user(SAID).claude("Noted.")
    hook("Stop", "Stop", cwd=str(hostile), env={"CLAUDE_PROJECT_DIR": str(hostile)})
    work()
    assert os.listdir(chosen) == []
    hook("Stop", "Stop")
    work()
    assert len(os.listdir(chosen)) == 2


def test_a_session_whose_directory_is_not_trusted_yet_waits_for_that(
    cut_off, start, work, run_hook, project, tmp_path, state_dir
):
    chosen = tmp_path / "chosen"
    chosen.mkdir()
    (project / ".claude").mkdir()
    (project / ".claude" / "settings.json").write_text(json.dumps({"autoMemoryDirectory": str(chosen)}))
    start()
    env = {**run_hook.env, "HOME": str(run_hook.home), "MEMDIR_DATA_DIR": str(state_dir)}
    setup = [str(run_hook.plugin / "bin" / "memdir"), "setup", "--trust-dir"]
    refused = subprocess.run([*setup, "/etc"], env=env, cwd=project, capture_output=True, text=True, check=False)
    assert (refused.returncode, str(chosen) in refused.stderr) == (1, True)
    subprocess.run(setup, env=env, cwd=project, capture_output=True, check=True)
    start()
    work()
    assert len(os.listdir(chosen)) == 2


def test_many_sessions_of_another_configuration_hold_none_up(cut_off, start, work, memory, state_dir, tmp_path):
    for number in range(60):
        known = json.loads((state_dir / "open" / SESSION).read_text())
        known.update(session=f"s{number}", transcript=str(tmp_path), t=known["t"] + number + 1, pid=2**40)
        (state_dir / "open" / f"s{number}").write_text(json.dumps(known))
    start()
    work()
    assert len(_topics(memory)) == 1


def test_a_queue_that_cannot_be_read_is_told(work, state_dir):
    (state_dir / "queue").mkdir(parents=True)
    (state_dir / "queue" / "pending").write_text("")  # in the place of a directory
    for words in (["list"], ["run"]):
        told = work(*words)
        assert (told.returncode, "queue/pending cannot be read" in told.stderr) == (1, True)
        assert "The queue is empty" not in told.stdout
