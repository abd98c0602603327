"""SIGKILL at every change of the file system that memdir makes and after every step of the worker.

After each the next hook or worker has to bring everything to the same end: once, and nothing left over.
"""

import pytest

from memdir import queue
from memdir_worker import worker
from support.worlds import OTHER, SAID, SESSION, World

THIRD = "33333333-3333-3333-3333-333333333333"


@pytest.fixture
def world(tmp_path, stage):
    made = []

    def make():
        made.append(World(tmp_path / f"world-{len(made)}", stage))
        return made[-1]

    return make


def _each(begin, act):
    """A world from `begin` for each change that `act` makes, in which `act` was killed before it; and which it was."""
    changes = act(begin(), 0).changes
    assert len(changes) > 3
    for number, change in enumerate(changes, 1):
        broken = begin()
        assert act(broken, number).killed
        yield broken, f"killed at number {number}, {change}"


def test_a_turn_becomes_a_memory(world):
    done = world().say().queue()
    done.work()
    assert done.faults() == []


def test_a_worker_killed_anywhere_loses_and_doubles_nothing(world):
    kills = 0
    for broken, where in _each(lambda: world().say().queue(), lambda one, number: one.worker(kill_at=number)):
        broken.work()
        assert broken.faults() == [], where
        kills += 1
    assert kills > 40


def test_a_session_that_kills_every_worker_is_given_up_and_comes_to_its_end_when_it_is_tried_anew(world):
    broken = world().say().queue()
    number = 1
    while broken.worker(kill_at=number).killed:
        number += 1
        broken.queue()
    assert number > queue.MAX_TRIES
    assert [job.session for job in queue.read(str(broken.state), queue.FAILED)] == [SESSION]
    assert broken.command("queue", "retry", "--all").rc == 0
    broken.work()
    assert broken.faults() == []


def test_an_update_of_a_topic_is_made_once_as_well(world):
    def begin():
        updated = world().say().queue()
        updated.work()
        return updated.say("Remember that staging deploys only happen on Wednesdays.").queue()

    for broken, where in _each(begin, lambda one, number: one.worker(kill_at=number)):
        broken.work()
        assert broken.has_once("Wednesdays"), where
        assert broken.faults() == [], where


@pytest.mark.parametrize("name", ["stop", "session_end", "stop_failure"])
def test_a_hook_killed_anywhere_loses_nothing(world, name):
    """The client is killed with it: what the hook did not do, the next session's start has to."""
    for broken, where in _each(lambda: world().begin().say(), lambda one, number: one.hook(name, kill_at=number)):
        broken.start()
        broken.work()
        assert broken.faults() == [], where


def test_a_session_start_killed_anywhere_leaves_the_cut_off_session_to_the_next(world):
    for broken, where in _each(lambda: world().begin().say(), lambda one, number: one.start(OTHER, kill_at=number)):
        broken.start(THIRD)
        broken.work()
        assert broken.faults() == [], where


def test_a_prompt_hook_killed_anywhere_loses_no_turn(world):
    """The start of the session has noted it as well."""

    def begin():
        begun = world()
        begun.hook("session_start", "1", source="startup")
        return begun

    def act(one, number):
        return one.hook("user_prompt_submit", prompt="hello", kill_at=number)

    for broken, where in _each(begin, act):
        broken.say().start(THIRD)
        broken.work()
        assert broken.faults() == [], where


def _two_topics(world):
    return world.say(f"{SAID} Remember that the bank reads the CSV header.")


def test_a_plain_job_passes_every_step_in_the_documented_order(world):
    steps = world().say().queue().steps().changes
    assert steps == list(worker.STEPS)


@pytest.mark.parametrize("topics", [1, 2])
def test_a_worker_killed_after_any_step_loses_and_doubles_nothing(world, topics):
    def begin():
        return (_two_topics(world()) if topics == 2 else world().say()).queue()

    seen = []
    for broken, where in _each(begin, lambda one, number: one.steps(number)):
        seen.append(where.rpartition(", ")[2])
        broken.work()
        assert broken.faults(topics) == [], where
    assert set(seen) == set(worker.STEPS)
    assert seen.count("file") == topics


def test_a_long_transcript_is_extracted_part_by_part_wherever_the_worker_is_killed(world):
    def begin():
        return world().say("hello").say().say("and on").say("Remember that the bank reads the CSV header.").queue()

    def act(one, number):
        return one.steps(number, slice_bytes=2_000)

    lasting = ["planned", "journal", "file", "index", "cursor", "journal removed"]
    nothing = ["planned", "index", "cursor", "journal removed"]
    parts = [step for part in (nothing, lasting, nothing, lasting) for step in ("read", *part)]
    assert act(begin(), 0).changes == ["locked", "tidied", "recovered", "claimed", *parts, "job removed", "released"]
    for broken, where in _each(begin, act):
        assert act(broken, 0).changes
        assert broken.faults(2) == [], where


def _updated(world):
    """Two topics are there; what was said since changes both and adds one. The name of a topic to come in between."""
    two = _two_topics(world).queue()
    two.work()
    two.say("Remember that staging deploys only happen on Wednesdays.")
    two.say("Remember that the office in Lyon closes at noon on Fridays.").queue()
    (deploys,) = [name for name in two.topics() if "deploy" in name]
    return two, two.memory / deploys


def test_a_topic_that_a_person_edits_before_the_plan_is_carried_out_keeps_the_edit(world):
    for at in ("read", "planned", "journal", "file", "index", "cursor"):
        two, edited = _updated(world())
        two.steps(edit={"at": at, "path": str(edited), "text": "Kim wrote this.\n"})
        two.work()
        assert two.has_once("Kim wrote this.") and two.has_once("Wednesdays"), (at, two.bodies())
        assert two.faults(3) == [], at


def test_a_topic_edited_after_a_kill_keeps_the_edit(world):
    steps = _updated(world())[0].steps().changes
    for number in range(steps.index("journal") + 1, len(steps)):
        two, edited = _updated(world())
        assert two.steps(number).killed
        with edited.open("a", encoding="utf-8") as file:
            file.write("Kim wrote this.\n")
        two.work()
        assert two.has_once("Kim wrote this.") and two.has_once("Wednesdays"), (steps[number - 1], two.bodies())
        assert two.faults(3) == [], steps[number - 1]


def _is_summary(text):
    return text.startswith("# ") and "## Work log" in text and text.endswith("\n")


def test_a_compaction_s_hooks_killed_anywhere_leave_whole_files(world):
    """The old summary or the new one, and what Claude wrote whole or not at all."""
    said = "<summary>The first part.\n" + "More of it. " * 500 + "The end.</summary>"

    def begin():
        begun = world().begin().say("Look at the parser.")
        begun.hook("pre_compact", trigger="auto")
        return begun.say()

    for broken, where in _each(begin, lambda one, number: one.hook("pre_compact", trigger="auto", kill_at=number)):
        folder = broken.state / "sessions" / SESSION
        assert _is_summary((folder / "summary.md").read_text("utf-8")), where
        broken.hook("post_compact", compact_summary=said)
        broken.hook("stop")
        broken.work()
        assert broken.faults() == [], where

    def act(one, number):
        return one.hook("post_compact", compact_summary=said, kill_at=number)

    for broken, where in _each(begin, act):
        folder = broken.state / "sessions" / SESSION
        kept = [path.read_text("utf-8") for path in folder.glob("compact-*.md")]
        assert all(text.endswith("The end.\n") for text in kept), where
        broken.hook("post_compact", compact_summary=said)
        assert [path.name for path in folder.glob("compact-*")] == ["compact-1.md"], where
        broken.hook("stop")
        broken.work()
        assert broken.faults() == [], where


def test_a_subagent_s_end_killed_anywhere_loses_nothing(world):
    def act(one, number):
        return one.hook("subagent_stop", agent_type="general-purpose", agent_id="a1", kill_at=number)

    for broken, where in _each(lambda: world().begin().say(), act):
        broken.hook("stop")
        broken.work()
        assert broken.faults() == [], where


DAYS = 10 * 86_400


@pytest.mark.parametrize("jump", [DAYS, -DAYS])
def test_a_clock_that_jumps_within_a_session_costs_nothing(world, jump):
    jumped = world().begin()
    jumped.clock_s = jump
    jumped.say().hook("stop")
    jumped.work()
    assert jumped.faults() == []
    cut_off = world().begin().say()
    cut_off.clock_s = jump
    cut_off.start()
    cut_off.work()
    assert cut_off.faults() == []


@pytest.mark.parametrize("jump", [DAYS, -DAYS])
def test_a_job_that_failed_before_the_clock_was_set_right_is_not_put_off_for_days(world, jump):
    wrong = world().say().queue()
    wrong.clock_s = jump
    (wrong.memory / "MEMORY.md").symlink_to("nowhere")
    assert wrong.worker().silent
    assert wrong.errors()
    (wrong.memory / "MEMORY.md").unlink()
    wrong.clock_s = 0
    if jump < 0:
        wrong.clock_s = 61  # its time to wait is over long ago
    assert wrong.worker().silent
    assert wrong.faults() == []


def test_a_clock_that_went_back_makes_no_clean_end_a_cut_off_one(world):
    ended = world().begin().say()
    before = (ended.state / "open" / SESSION).read_bytes()
    ended.clock_s = -DAYS
    ended.hook("stop")
    ended.hook("session_end", reason="other")
    (ended.state / "open" / SESSION).write_bytes(before)  # the hook was killed before its last step
    assert "memdir" not in ended.start().out
    ended.work()
    assert ended.faults() == []


def test_old_versions_of_the_index_outlive_a_clock_that_went_back(world):
    """By their names the newer one is the older: neither is removed before its time."""
    ahead = world().say().queue()
    (ahead.memory / "MEMORY.md").write_text("- [Mine](https://example.org/) - by hand\n")
    ahead.clock_s = DAYS
    ahead.work()
    ahead.clock_s = 0
    ahead.say("Remember that the bank reads the CSV header.").queue().work()
    assert len(list((ahead.state / "backup").iterdir())) == 2
    assert ahead.faults(2) == []
