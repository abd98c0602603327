import os
import stat

import pytest

from memdir import fsio


def test_a_write_replaces_the_whole_file_and_is_private(tmp_path):
    path = str(tmp_path / "a" / "b" / "file")
    fsio.write(path, b"old and long", durable=False)
    fsio.write(path, b"new", durable=True)
    assert fsio.read(path, 100) == b"new"
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(tmp_path / "a").st_mode) == 0o700
    assert os.listdir(tmp_path / "a" / "b") == ["file"]


def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path):
    (tmp_path / "in" / "folder").mkdir(parents=True)
    with pytest.raises(OSError):
        fsio.write(str(tmp_path / "in" / "folder"), b"x", durable=False)
    assert os.listdir(tmp_path / "in") == ["folder"]


def test_a_link_is_followed_only_on_request(tmp_path):
    (tmp_path / "real").write_bytes(b"text")
    (tmp_path / "link").symlink_to("real")
    assert fsio.read(str(tmp_path / "link"), 10) is None
    assert fsio.read(str(tmp_path / "link"), 10, follow=True) == b"text"


def test_what_is_no_file_cannot_be_read_and_does_not_wait(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert fsio.read(str(tmp_path), 10) is None
    assert fsio.read(str(tmp_path / "pipe"), 10) == b""
    assert fsio.read("/nowhere/at/all", 10) is None
    assert fsio.read("nul\0byte", 10) is None


def test_no_more_is_read_than_asked(tmp_path):
    (tmp_path / "big").write_bytes(b"x" * 1000)
    assert fsio.read(str(tmp_path / "big"), 10) == b"x" * 10


def test_lines_of_many_processes_do_not_mix(tmp_path):
    path = str(tmp_path / "lines")
    children = []
    for number in range(8):
        child = os.fork()
        if not child:
            for _ in range(50):
                fsio.append(path, str(number).encode() * 200)
            os._exit(0)
        children.append(child)
    assert all(os.waitpid(child, 0)[1] == 0 for child in children)
    # A line may be seen while it grows over a page; the next then begins with a newline more than it needs.
    lines = [line for line in (tmp_path / "lines").read_bytes().splitlines() if line]
    assert len(lines) == 400
    assert all(line == line[:1] * 200 for line in lines)


def _dead():
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)
    return child


def test_temporary_files_of_dead_processes_are_swept_and_no_others(tmp_path):
    dead = [fsio.temporary_name(pid) for pid in (_dead(), 4_194_305, 10**30)]
    others = [fsio.temporary_name(os.getpid()), fsio.temporary_name(1)]
    others += ["mine.tmp", ".memdir-x.tmp", ".memdir-0-x-1.tmp"]
    folder = tmp_path / "in"
    folder.mkdir()
    for name in (*dead, *others):
        (folder / name).write_text("half")
    fsio.sweep(str(folder))
    assert sorted(os.listdir(folder)) == sorted(others)
    fsio.sweep(str(tmp_path / "nowhere"))


@pytest.mark.parametrize("where", ["another namespace", "another machine"])
def test_what_a_process_elsewhere_writes_is_left_for_an_hour(tmp_path, monkeypatch, where):
    """It has the number of one that is dead here."""
    with monkeypatch.context() as elsewhere:
        if where == "another namespace":
            elsewhere.setattr(fsio, "namespace", lambda: "4026532999")
        else:
            here = os.uname()
            elsewhere.setattr(os, "uname", lambda: os.uname_result((here[0], "elsewhere", *here[2:])))
        name = fsio.temporary_name(_dead())
    path = tmp_path / name
    path.write_text("half")
    now = path.stat().st_mtime
    for age_s in (0, 3_500, -9_000):
        os.utime(path, (now - age_s, now - age_s))
        fsio.sweep(str(tmp_path))
        assert path.exists()
    os.utime(path, (now - 3_700, now - 3_700))
    fsio.sweep(str(tmp_path))
    assert not path.exists()


@pytest.mark.skipif(not os.path.exists("/proc/self/ns/pid"), reason="this system has no pid namespaces")
def test_the_pid_namespace_is_a_number():
    assert fsio.namespace().isdecimal()


def test_a_temporary_file_that_cannot_be_written_is_removed(tmp_path, monkeypatch):
    def full(fd):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        fsio.write_temporary(str(tmp_path / "in"), b"x", durable=True)
    assert os.listdir(tmp_path / "in") == []
