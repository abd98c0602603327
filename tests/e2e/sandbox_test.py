"""The sandbox that the real client runs in: no network, nothing left running, a clear word when the time is up."""

import os
import time

import pytest

pytestmark = pytest.mark.e2e

# The way a worker leaves a hook: a new session, a second fork, nothing of the parent's kept open.
_DETACH = "(setsid sh -c '{}' </dev/null >/dev/null 2>&1 &)"


def test_a_detached_process_may_finish_within_the_time_to_linger(client):
    client.execute(["sh", "-c", _DETACH.format("sleep 0.3; touch finished")], linger_s=20)
    assert (client.project / "finished").exists()


def test_a_detached_process_that_stays_is_ended(client):
    client.execute(["sh", "-c", _DETACH.format("echo $$ >pid; exec sleep 100") + "; until [ -s pid ]; do :; done"])
    pid = int((client.project / "pid").read_text())
    deadline = time.monotonic() + 5
    while os.path.exists(f"/proc/{pid}") and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not os.path.exists(f"/proc/{pid}")


def test_there_is_no_interface_but_loopback(client):
    lines = client.execute(["tail", "-n", "+3", "/proc/net/dev"]).stdout.splitlines()
    assert [line.split(":")[0].strip() for line in lines] == ["lo"]


def test_a_client_that_hangs_is_ended_and_reported(client):
    with pytest.raises(AssertionError, match="not done after 2 s"):
        client.run("hello", scenario={"default": {"delay": 60}}, timeout_s=2, plugins=[])
