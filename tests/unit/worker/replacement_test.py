"""A file is replaced where it still holds what was read, and what it held is kept."""

import os

import pytest

from memdir import exchange, fsio
from memdir_worker import replacement
from support import interruptions

NOW = 1_790_000_000.0
DAY_S = 86_400.0


@pytest.fixture
def replace(memory, state_dir):
    def call(file, expected, data, now=NOW):
        return replacement.replace(str(memory.dir), file, expected, data, str(state_dir), now)

    return call


def kept(state_dir):
    """The old versions, by name."""
    folder = state_dir / "backup"
    return {path.name: path.read_bytes() for path in folder.iterdir()} if folder.is_dir() else {}


def files(memory):
    return {os.path.relpath(path, memory.dir): path.read_bytes() for path in memory.dir.rglob("*") if path.is_file()}


def mode(path):
    return oct(os.stat(path).st_mode & 0o777)


def test_a_file_that_is_as_it_was_read_is_replaced_and_kept(memory, state_dir, replace):
    memory.file("sub/a-b.md", b"old")
    assert replace("sub/a-b.md", b"old", b"new")
    assert files(memory) == {"sub/a-b.md": b"new"}
    ((name, raw),) = kept(state_dir).items()
    assert raw == b"old"
    assert name.endswith(f"-{int(NOW * 1000):015}-{fsio.checksum(b'old'):08x}-a-b.md")
    assert mode(state_dir / "backup" / name) == "0o600"


def test_a_new_file_is_private_and_nothing_is_kept_for_it(memory, state_dir, replace):
    assert replace("sub/a.md", None, b"new")
    assert files(memory) == {"sub/a.md": b"new"}
    assert mode(memory.dir / "sub/a.md") == "0o600"
    assert kept(state_dir) == {}


@pytest.mark.parametrize("mode_now", [0o600, 0o644, 0o664, 0o640, 0o666], ids=oct)
def test_a_file_keeps_its_mode(memory, replace, mode_now):
    path = memory.file("a.md", b"old")
    path.chmod(mode_now)
    before = os.stat(path)
    assert replace("a.md", b"old", b"new")
    after = os.stat(path)
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_file_keeps_owner_and_group_where_that_is_allowed(memory, replace):
    path = memory.file("a.md", b"old")
    os.chown(path, 4321, 1234)
    path.chmod(0o664)
    assert replace("a.md", b"old", b"new")
    assert (os.stat(path).st_uid, os.stat(path).st_gid, mode(path)) == (4321, 1234, "0o664")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_who_may_not_give_a_file_its_group_gives_the_group_nothing(memory, tmp_path):
    """Else another group would get what the old one had."""
    path = memory.file("a.md", b"old")
    os.chown(path, 4321, 1234)
    path.chmod(0o664)
    like = os.stat(path)
    shared = tmp_path / "shared"
    shared.mkdir()
    os.chown(shared, 4321, 4321)
    child = os.fork()
    if not child:
        try:
            os.chdir(shared)
            os.setgroups([])
            os.setgid(4321)
            os.setuid(4321)
            fsio._make_like(os.open("new", os.O_CREAT | os.O_WRONLY, 0o600), like)
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    assert mode(shared / "new") == "0o644"


def _link(path):
    path.symlink_to("real.txt")


def _pipe(path):
    os.mkfifo(path)


@pytest.mark.parametrize("make", [lambda path: path.write_bytes(b"theirs"), _link, _pipe, os.mkdir])
@pytest.mark.parametrize("expected", [b"old", None])
@pytest.mark.parametrize("links", [True, False], ids=["links", "no links"])
def test_what_is_not_as_it_was_read_stays(memory, replace, monkeypatch, make, expected, links):
    memory.file("real.txt", b"old")
    make(memory.dir / "a.md")
    if not links:
        monkeypatch.setattr(os, "link", _no_links)
    before = sorted(os.listdir(memory.dir)), os.lstat(memory.dir / "a.md")
    assert not replace("a.md", expected, b"new")
    after = sorted(os.listdir(memory.dir)), os.lstat(memory.dir / "a.md")
    assert (after[0], after[1].st_ino, after[1].st_mtime_ns) == (before[0], before[1].st_ino, before[1].st_mtime_ns)
    assert (memory.dir / "real.txt").read_bytes() == b"old"


def _no_links(*_, **__):
    raise PermissionError(1, "no links here")


def test_a_file_that_was_deleted_is_not_made_again(memory, replace):
    assert not replace("a.md", b"old", b"new")
    assert os.listdir(memory.dir) == []


def test_where_there_are_no_links_a_new_file_is_made_all_the_same(memory, replace, monkeypatch):
    monkeypatch.setattr(os, "link", _no_links)
    assert replace("a.md", None, b"new")
    assert files(memory) == {"a.md": b"new"}


@pytest.mark.parametrize("how", ["in place", "by a rename"])
@pytest.mark.parametrize("swaps", [True, False])
def test_what_a_person_saves_during_the_write_stays(memory, replace, monkeypatch, how, swaps):
    """A disk that takes its time: an editor saves meanwhile."""
    path = memory.file("a.md", b"old")
    fsync, done = os.fsync, []

    def slow(fd):
        fsync(fd)
        if not done and [name for name in os.listdir(memory.dir) if name.endswith(".tmp")]:
            done.append(1)
            if how == "in place":
                path.write_bytes(b"typed for an hour")
            else:
                (memory.dir / "x").write_bytes(b"typed for an hour")
                os.replace(memory.dir / "x", path)

    monkeypatch.setattr(os, "fsync", slow)
    if not swaps:
        monkeypatch.setattr(exchange, "swap", lambda one, other: False)
    assert not replace("a.md", b"old", b"new")
    assert done
    assert files(memory) == {"a.md": b"typed for an hour"}


def test_who_saves_between_comparison_and_exchange_gets_the_place_back(memory, replace, monkeypatch):
    path = memory.file("a.md", b"old")
    swap, late = exchange.swap, iter([b"late", b"later"])

    def swap_after_a_write(one, other):
        newer = next(late, None)
        if newer:
            (memory.dir / "x").write_bytes(newer)
            os.replace(memory.dir / "x", path)
        return swap(one, other)

    monkeypatch.setattr(exchange, "swap", swap_after_a_write)
    assert not replace("a.md", b"old", b"new")
    assert files(memory) == {"a.md": b"later"}


def test_a_full_disk_leaves_the_old_file_and_no_other(memory, state_dir, replace, monkeypatch):
    memory.file("a.md", b"old")

    def full(fd):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        replace("a.md", b"old", b"new")
    assert files(memory) == {"a.md": b"old"}
    assert not list(state_dir.rglob("*.tmp"))


def test_the_old_version_of_a_topic_is_gone_after_14_days_and_the_newest_index_stays(memory, state_dir, replace):
    memory.file("a.md", b"0")
    memory.file("MEMORY.md", b"0")
    for day in (1, 10):
        for file in ("a.md", "MEMORY.md"):
            assert replace(file, b"%d" % (day // 10), b"%d" % (day // 10 + 1), now=NOW + day * DAY_S)
    (state_dir / "backup" / "settings.json").write_text("something else")
    memory.file("b.md", b"0")

    def left(day):
        assert replace("b.md", files(memory)["b.md"], b"%d" % day, now=NOW + day * DAY_S)
        return sorted(name.split("-", 3)[-1] for name in kept(state_dir))

    assert left(14) == ["MEMORY.md", "MEMORY.md", "a.md", "a.md", "b.md", "settings.json"]
    assert left(16) == ["MEMORY.md", "a.md", "b.md", "b.md", "settings.json"]
    assert left(100) == ["MEMORY.md", "b.md", "settings.json"]
    assert b"1" in kept(state_dir).values()


@pytest.mark.parametrize("name", ["a" * 252 + ".md", "記" * 84 + ".md"], ids=["bytes", "characters"])
def test_a_file_with_the_longest_of_names_is_replaced(memory, state_dir, replace, name):
    memory.file(name, b"old")
    assert replace(name, b"old", b"new")
    assert files(memory) == {name: b"new"}
    ((backup, raw),) = kept(state_dir).items()
    assert raw == b"old"
    assert backup.endswith(".md")
    assert replace(name, b"new", b"newer", now=NOW + 15 * DAY_S)
    assert list(kept(state_dir).values()) == [b"new"]


IMPORTS = "from memdir_worker import replacement"
REPLACE = f"""
old = None if args[2] == "new" else b"old"
print(replacement.replace(args[0], "a.md", old, b"new", args[1], {NOW}))
"""


@pytest.mark.parametrize("how", ["new", "there"])
def test_killed_at_any_point_the_file_holds_the_old_text_or_the_new(memory, state_dir, how):
    for stop_at in range(1, 30):
        (memory.dir / "a.md").unlink(missing_ok=True)
        if how == "there":
            memory.file("a.md", b"old").chmod(0o664)
        done = interruptions.run(IMPORTS, REPLACE, stop_at, str(memory.dir), str(state_dir), how)
        fsio.sweep(str(memory.dir))
        left = files(memory)
        if done.returncode == 0:
            break
        assert left in ({"a.md": b"new"}, {"a.md": b"old"} if how == "there" else {})
        assert how == "new" or mode(memory.dir / "a.md") == "0o664"
        if left == {"a.md": b"new"} and how == "there":
            assert b"old" in kept(state_dir).values()
    assert done.stdout == "True\n"
    assert 3 < stop_at < 29
