"""SIGKILL at every change of the file system that memdir makes, full disks, read-only directories, many at once.

After each the next hook or worker has to bring everything to the same end: once, and nothing left over.
"""

import pytest

from support.worlds import World


@pytest.fixture
def world(tmp_path, plugin):
    made = []

    def make():
        made.append(World(tmp_path / f"world-{len(made)}", plugin))
        return made[-1]

    return make


def test_a_turn_becomes_a_memory(world):
    done = world().say().queue()
    done.work()
    assert done.faults() == []


def test_a_worker_killed_anywhere_loses_and_doubles_nothing(world):
    changes = world().say().queue().work(kill_at=0)
    assert len(changes) > 40
    for number in range(1, len(changes) + 1):
        broken = world().say().queue()
        assert broken.work(kill_at=number)
        broken.work()
        assert broken.faults() == [], f"killed before change {number}, {changes[number - 1]}"


def test_killed_at_every_change_one_after_the_other_it_comes_to_an_end(world):
    broken = world().say().queue()
    number = 1
    while broken.work(kill_at=number):
        number += 1
        broken.queue()
    assert number > 5
    broken.work()
    assert broken.faults() == []


def test_an_update_of_a_topic_is_made_once_as_well(world):
    def begin():
        updated = world().say()
        updated.queue().work()
        return updated.say("Remember that staging deploys only happen on Wednesdays.").queue()

    changes = begin().work(kill_at=0)
    for number in range(1, len(changes) + 1):
        broken = begin()
        assert broken.work(kill_at=number)
        broken.work()
        text = next(path for path in broken.memory.glob("*staging*.md")).read_text("utf-8")
        assert text.partition("\n---\n")[2].count("Wednesdays") == 1, (number, changes[number - 1], text)
        assert broken.faults() == [], f"killed before change {number}, {changes[number - 1]}"


@pytest.mark.parametrize("name", ["stop", "session_end", "stop_failure"])
def test_a_hook_killed_anywhere_loses_nothing(world, name):
    """The client is killed with it: what the hook did not do, the next session's start has to."""

    def begin():
        begun = world()
        begun.hook("user_prompt_submit", prompt="hello")
        return begun.say()

    changes = begin().hook(name, kill_at=0)
    assert len(changes) > 5
    for number in range(1, len(changes) + 1):
        broken = begin()
        assert broken.hook(name, kill_at=number)
        broken.hook("session_start", "1", source="startup", session_id="22222222-2222-2222-2222-222222222222")
        broken.work()
        assert broken.faults() == [], f"killed before change {number}, {changes[number - 1]}"


def test_a_session_start_killed_anywhere_leaves_the_cut_off_session_to_the_next(world):
    def begin():
        begun = world()
        begun.hook("user_prompt_submit", prompt="hello")
        return begun.say()

    other = {"source": "startup", "session_id": "22222222-2222-2222-2222-222222222222"}
    changes = begin().hook("session_start", "1", kill_at=0, **other)
    for number in range(1, len(changes) + 1):
        broken = begin()
        assert broken.hook("session_start", "1", kill_at=number, **other)
        broken.hook("session_start", "1", source="startup", session_id="33333333-3333-3333-3333-333333333333")
        broken.work()
        assert broken.faults() == [], f"killed before change {number}, {changes[number - 1]}"


def test_a_prompt_hook_killed_anywhere_loses_no_turn(world):
    """The start of the session has noted it as well."""

    def begin():
        begun = world()
        begun.hook("session_start", "1", source="startup")
        return begun

    changes = begin().hook("user_prompt_submit", prompt="hello", kill_at=0)
    for number in range(1, len(changes) + 1):
        broken = begin()
        assert broken.hook("user_prompt_submit", prompt="hello", kill_at=number)
        broken.say()
        broken.hook("session_start", "1", source="startup", session_id="33333333-3333-3333-3333-333333333333")
        broken.work()
        assert broken.faults() == [], f"killed before change {number}, {changes[number - 1]}"
