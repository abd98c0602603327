import os
import subprocess
import sys
import time

import pytest

from memdir import processes

linux = pytest.mark.skipif(sys.platform != "linux", reason="what Linux says of processes")


@pytest.fixture
def child():
    process = subprocess.Popen(["sleep", "60"])
    yield process
    process.kill()
    process.wait()


def test_a_process_that_runs_is_alive(child):
    now = time.time()
    assert processes.alive(child.pid, processes.mark(child.pid), now, now)


def test_one_that_has_ended_is_not(child):
    now, mark = time.time(), processes.mark(child.pid)
    child.kill()
    child.wait()
    assert not processes.alive(child.pid, mark, now, now)
    assert processes.mark(child.pid) == ""


@linux
def test_one_that_waits_to_be_reaped_is_not():
    process = subprocess.Popen(["true"])
    mark = processes.mark(os.getpid())
    while processes.mark(process.pid):
        time.sleep(0.01)
    assert not processes.alive(process.pid, mark, 0, 0)
    process.wait()


@linux
def test_another_process_of_the_same_number_is_not_the_one_that_was_seen(child):
    now = time.time()
    where, _, ticks = processes.mark(child.pid).rpartition(":")
    assert not processes.alive(child.pid, f"{where}:{int(ticks) - 500}", now, now)


@linux
@pytest.mark.parametrize("clock", [-10 * 86_400, 10 * 86_400])
def test_a_clock_that_was_set_changes_nothing(child, clock):
    now = time.time()
    assert processes.alive(child.pid, processes.mark(child.pid), now, now + clock)


@linux
@pytest.mark.parametrize("place", [0, 1, 2], ids=["host", "container", "both"])
def test_of_another_machine_or_container_nothing_is_known_so_it_counts_as_alive_for_a_day(place):
    now = time.time()
    where, _, ticks = processes.mark(os.getpid()).rpartition(":")
    parts = where.split("/")
    parts[:2] = ["elsewhere" if place in (at, 2) else part for at, part in enumerate(parts[:2])]
    marked = f"{'/'.join(parts)}:{ticks}"
    assert processes.alive(os.getpid(), marked, now, now + 3600)
    assert not processes.alive(os.getpid(), marked, now, now + 2 * 86_400)


@linux
def test_after_a_restart_of_the_machine_no_process_is_the_same():
    now = time.time()
    where, _, ticks = processes.mark(os.getpid()).rpartition(":")
    assert not processes.alive(os.getpid(), f"{where[:-8]}00000000:{ticks}", now, now)


def test_an_unknown_process_counts_as_alive_for_a_day():
    assert processes.alive(0, "", 1_000.0, 1_000.0 + 3_600)
    assert not processes.alive(0, "", 1_000.0, 1_000.0 + 2 * 86_400)


@pytest.mark.parametrize("pid", [2**22 + 1, 2**30])
def test_what_is_no_process_is_not_alive(pid):
    assert not processes.alive(pid, processes.mark(pid), 0, 0)


def test_somebody_else_s_process_is_alive():
    assert processes.alive(1, processes.mark(1), time.time(), time.time())
