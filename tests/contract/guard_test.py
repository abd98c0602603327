"""The guard of the tests themselves holds."""

import os
import socket

import pytest

from support.guard import REAL_HOME


@pytest.mark.parametrize("place", [".claude", ".claude/memdir", ".config/memdir", ".local/state/memdir"])
def test_the_real_home_cannot_be_written(place):
    harmless = os.path.join(REAL_HOME, place, "no-such-file")  # opened without O_CREAT: nothing appears if this fails
    with pytest.raises(PermissionError, match="real home"):
        os.open(harmless, os.O_WRONLY)


def test_the_home_of_a_test_can_be_written(home):
    (home / ".claude").mkdir()
    assert os.path.expanduser("~") == str(home)


@pytest.mark.parametrize("address", ["198.51.100.1", "2001:db8::1"])  # reserved for documentation
def test_no_connection_leaves_the_machine(address):
    with pytest.raises(PermissionError, match="only loopback"):
        socket.create_connection((address, 80), timeout=1)


def test_no_name_is_looked_up():
    with pytest.raises(PermissionError, match="only loopback"):
        socket.getaddrinfo("example.org", 80)


def test_loopback_is_open():
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()):
        pass
