"""The fixture `client`: the real Claude Code where it can run; elsewhere its tests are skipped and say why."""

import os
import subprocess

import pytest

from e2e.client import Client, namespace_command
from support.checkout import plain_python, running_python

_BINARY = os.environ.get("MEMDIR_TEST_CLIENT", "")
_MISSING = os.environ.get("MEMDIR_TEST_CLIENT_MISSING", "run `tests/run e2e`, which fetches it")
_REQUIRED = os.environ.get("MEMDIR_TESTS_REQUIRE_CLIENT", "") == "1"


def _why_not():
    if not _BINARY:
        return f"Claude Code is not there: {_MISSING}"
    try:
        probe = subprocess.run([*namespace_command(), "true"], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return "no network namespace: unshare is not installed"
    return f"no network namespace: {probe.stderr.strip()}" if probe.returncode else ""


@pytest.fixture(scope="session")
def client_binary():
    reason = _why_not()
    if reason and _REQUIRED:
        pytest.fail(f"{reason} (MEMDIR_TESTS_REQUIRE_CLIENT=1)")
    if reason:
        pytest.skip(reason)
    return _BINARY


@pytest.fixture
def client(client_binary, plugin, home, project, tmp_path):
    """client.run(prompt, scenario=..., ...) -> Result; shares home and project with `memory` and `run_hook`."""
    path = plain_python(tmp_path / "path", running_python()) + ":" + os.environ["PATH"]
    return Client(client_binary, plugin, home, project, tmp_path / "client", path)
