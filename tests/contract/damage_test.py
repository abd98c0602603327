"""What memdir needs is full, closed or damaged: its hooks stay silent, nothing is lost, and the next start mends it."""

import os
import shutil

import pytest

from memdir import queue
from support.worlds import World

ROOT = os.geteuid() == 0
THIRD = "33333333-3333-3333-3333-333333333333"


def _all_hooks(world):
    """Every hook of a turn and of the session's end; `hook` asserts that none fails and none writes to its errors."""
    world.hook("session_start", "1", source="resume")
    world.hook("user_prompt_submit", prompt="when do staging deploys happen?")
    world.hook("subagent_stop", agent_type="general-purpose", agent_id="a1")
    world.hook("pre_compact", trigger="auto")
    world.hook("post_compact", compact_summary="<summary>All is well.</summary>")
    world.hook("session_start", "4", source="compact")
    assert world.hook("stop").silent
    assert world.hook("session_end", reason="other").silent


FILL = """
set -e
folder=$1 aside=$1.aside
mkdir "$aside"
cp -a "$folder/." "$aside"
find "$folder" -mindepth 1 -delete
mount -t tmpfs -o size=1m,mode=700 none "$folder"
cp -a "$aside/." "$folder"
rm -r "$aside"
head -c $((($(stat -f -c %f "$folder") - $2) * 4096)) /dev/zero >"$folder/balloon"
"""
RELIEVE = """
set -e
folder=$1 aside=$1.aside
mkdir "$aside"
rm "$folder/balloon"
cp -a "$folder/." "$aside"
umount "$folder"
cp -a "$aside/." "$folder"
rm -r "$aside"
"""


def _shell(stage, script, *args):
    done = stage.command("sh", "-c", script, "sh", *map(str, args))
    assert done.rc == 0, done.err


@pytest.mark.parametrize("full", [("state",), ("memory",), ("state", "memory")], ids="+".join)
def test_a_disk_that_fills_up_anywhere_loses_and_doubles_nothing(apart, tmp_path, full):
    """File systems of their own with room for so many pages of 4 KB; each file that is written needs one."""
    failed = 0
    for pages in (0, 1, 2, 3, 4, 5, 6, 8, 10, 12):
        world = World(tmp_path / str(pages), apart).begin().say()
        folders = [getattr(world, name) for name in full]
        for folder in folders:
            _shell(apart, FILL, folder, pages)
        if pages % 2:
            assert world.hook("stop").silent
        else:
            _all_hooks(world)
        done = world.command("queue", "run")  # after the worker that the hooks have started
        assert "fault in memdir" not in done.err
        failed += done.rc != 0
        for folder in folders:
            _shell(apart, RELIEVE, folder)
        world.start()
        world.work()
        assert world.faults() == [], f"room for {pages} pages"
    assert failed > 1


def _in_use(root, stage):
    """A world with a memory of each of two turns: every file and directory is there that memdir ever makes."""
    world = World(root, stage).begin()
    for text in ("Remember that the bank reads the CSV header.", None):
        world.say(*([text] if text else [])).hook("pre_compact", trigger="auto")
        world.hook("post_compact", compact_summary="<summary>All is well.</summary>")
        world.hook("stop")
        world.work()
        world.hook("user_prompt_submit", prompt="when do staging deploys happen?")
    assert world.faults(2) == []
    return world


CLOSED = [
    ("memory", ""), ("memory", "MEMORY.md"), ("memory", "*staging*.md"), ("state", ""),
    *[("state", inside) for inside in (
        "queue", "queue/pending", "queue/running", "queue/tries", "cursors", "apply", "written", "backup", "open",
        "catalog", "sessions/*", "sessions/*/state", "log.jsonl", "worker.lock",
    )],
]  # fmt: skip
SOMEBODY_S = [
    ("memory", ""),
    ("memory", "MEMORY.md"),
    ("state", ""),
    ("state", "queue/pending"),
    ("state", "log.jsonl"),
]


def _close(place, how):
    if how == "somebody else's":
        place.chmod(0o755 if place.is_dir() else 0o644)
        os.chown(place, 65534, 65534)
    else:
        place.chmod(0 if how == "closed" else 0o555 if place.is_dir() else 0o444)


@pytest.mark.parametrize("how", ["read-only", "closed", "somebody else's"])
def test_what_may_not_be_written_is_named_and_made_good_when_it_may_be(ordinary, tmp_path, how):
    if how == "somebody else's" and not ROOT:
        pytest.skip("only root gives files away")
    world = _in_use(tmp_path, ordinary)
    named = 0
    for number, (where, inside) in enumerate(CLOSED if how != "somebody else's" else SOMEBODY_S):
        place = next(getattr(world, where).glob(inside)) if inside else getattr(world, where)
        mode = place.stat().st_mode & 0o777
        (world.state / "log.jsonl").write_text("")
        said = "staging deploys only happen on Wednesdays" if "staging" in inside else f"port {number} is the proxy's"
        world.begin().say(f"Remember that {said}.")
        _close(place, how)
        _all_hooks(world)
        done = world.command("queue", "run")
        told = world.command("doctor") if how != "closed" else None
        os.chown(place, os.geteuid(), os.getegid())
        place.chmod(mode)
        assert "fault in memdir" not in done.err, (inside, done.err)
        if told and not world.has_once(said):
            assert told.rc == 1 and told.out.count("WRONG") > 1, (inside, told.out)  # one: no hooks are registered
            named += 1
        world.start()
        world.work()
        assert world.has_once(said), inside
        assert world.faults(len(world.topics())) == [], inside
    assert named or how == "closed"


def _everything(root, stage):
    """A world with a file of every kind below the state directory, and what was said in it and is not done yet."""
    world = _in_use(root, stage)
    gone = world.job(session=THIRD)
    queue.add(str(world.state), gone)
    for _ in range(queue.MAX_TRIES):
        queue.put_back(str(world.state), queue.take(str(world.state), gone), "Traceback", 1e9)
    world.say("Remember that port 8081 is the proxy's.").queue()
    steps = world.stage.run("", [str(world.state)], world.env, kill_at=7)  # with a journal, before it is carried out
    assert steps.killed
    world.say("Remember that port 9090 is the dashboard's.").say("and go on")
    world.hook("subagent_stop", agent_type="general-purpose", agent_id="a1")
    return world


WORTH = {"apply", "cursors", "pending", "running"}  # kept aside when it is damaged
GARBAGE = b"\x00\xff\xfe{]\n" + bytes(range(256)) * 3
MINE = b'{"mine": "keep this"}\n'


def _cut(path, mine):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _empty(path, mine):
    path.write_bytes(b"")


def _zero(path, mine):
    path.write_bytes(bytes(path.stat().st_size))


def _scramble(path, mine):
    path.write_bytes(GARBAGE)


def _turn_into_a_directory(path, mine):
    path.unlink()
    path.mkdir()
    (path / "inside").write_bytes(b"x")


def _turn_into_a_link(path, mine):
    path.unlink()
    path.symlink_to(mine)


def _remove(path, mine):
    path.unlink()


@pytest.mark.parametrize("damage", [_cut, _empty, _zero, _scramble, _turn_into_a_directory, _turn_into_a_link, _remove])
def test_a_damaged_file_of_memdir_s_own_costs_no_memory_and_no_file_of_the_person(stage, tmp_path, damage):
    world = _everything(tmp_path, stage)
    shutil.copytree(world.home, tmp_path / "kept")
    files = sorted(path.relative_to(world.home) for path in world.state.rglob("*") if path.is_file())
    assert {file.parts[1] for file in files} == set(os.listdir(world.state))
    mine = tmp_path / "mine.json"
    mine.write_bytes(MINE)
    for file in files:
        shutil.rmtree(world.home)
        shutil.copytree(tmp_path / "kept", world.home)
        damage(world.home / file, mine)
        world.start()
        if file.suffix == ".lock" and damage in (_turn_into_a_directory, _turn_into_a_link):
            assert world.command("queue", "run").rc == 1 or "compact" in file.name or "catalog" in file.parts, file
            _all_hooks(world)
            shutil.rmtree(world.home / file) if damage is _turn_into_a_directory else (world.home / file).unlink()
        world.work()
        if damage in (_scramble, _turn_into_a_directory, _turn_into_a_link):
            _all_hooks(world)
        world.hook("stop")
        world.work()
        for said in ("CSV header", "on Tuesdays", "port 8081 is", "port 9090 is"):
            assert world.has_once(said), (file, said)
        left = [f"left over {name}" for name in world.left_over() if "damaged" in name or THIRD in name]
        assert [fault for fault in world.faults(4) if fault not in left] == [], file
        assert (mine.read_bytes(), mine.stat().st_mode & 0o777) == (MINE, 0o644), file
        kept_aside = any("damaged" in name for name in left)
        assert kept_aside or not set(file.parts[1:3]) & WORTH or damage is _remove, file
