import signal
import subprocess
import sys

import pytest

from memdir import locks
from support.checkout import ROOT

_HOLD = "import sys, time; sys.path.insert(0, sys.argv[1]); from memdir import locks\n"
_HOLD += "with locks.held(sys.argv[2]) as got: print(got, flush=True); time.sleep(60)"


@pytest.fixture
def holder(tmp_path):
    """A process that holds the lock."""
    process = subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(ROOT / "lib"), str(tmp_path / "lock")], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "True\n"
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def _free(path):
    with locks.held(str(path)) as got:
        return got


def test_a_lock_that_is_held_is_not_taken(tmp_path, holder):
    assert not _free(tmp_path / "lock")


def test_a_killed_holder_leaves_no_lock(tmp_path, holder):
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    assert _free(tmp_path / "lock")
    assert (tmp_path / "lock").exists()


def test_a_holder_that_is_stopped_keeps_its_lock(tmp_path, holder):
    """Nobody can take it over, so it can never give free what is somebody else's by now."""
    holder.send_signal(signal.SIGSTOP)
    assert not _free(tmp_path / "lock")
    holder.send_signal(signal.SIGCONT)
    assert not _free(tmp_path / "lock")


def test_it_waits_for_a_lock_as_long_as_asked(tmp_path, holder):
    process = subprocess.Popen(["sh", "-c", f"sleep 0.3; kill -9 {holder.pid}"])
    with locks.held(str(tmp_path / "lock"), wait_s=30) as got:
        assert got
    process.wait()


@pytest.mark.parametrize("content", [b"", b"{", b"not-a-pid\n", b"\0\0", b'{"pid": 1, "host": "other", "t": 4e9}'])
def test_what_stands_in_the_file_means_nothing(tmp_path, content):
    """Neither process numbers that were used again nor clocks nor half-written files can hold it."""
    (tmp_path / "lock").write_bytes(content)
    assert _free(tmp_path / "lock")
    assert (tmp_path / "lock").read_bytes() == content


def test_a_link_is_refused_and_what_it_leads_to_is_left_alone(tmp_path):
    (tmp_path / "important").write_text("keep me")
    (tmp_path / "lock").symlink_to("important")
    with pytest.raises(OSError), locks.held(str(tmp_path / "lock")):
        pass
    assert (tmp_path / "important").read_text() == "keep me"


def test_a_child_that_runs_another_program_does_not_keep_it(tmp_path):
    with locks.held(str(tmp_path / "lock")) as got:
        assert got
        child = subprocess.Popen(["sleep", "30"], close_fds=False)
    assert _free(tmp_path / "lock")
    child.kill()
    child.wait()
