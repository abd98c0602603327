"""Where the processes of fault tests run."""

import os
import subprocess

import pytest

from support.worlds import Stage

ROOT = os.geteuid() == 0


def _stage(plugin, *wrapper):
    if wrapper and subprocess.run([*wrapper, "true"], capture_output=True, check=False).returncode:
        pytest.skip(f"no {wrapper[0]} here")
    return Stage(plugin, *wrapper)


@pytest.fixture(scope="module")
def stage(plugin):
    made = _stage(plugin)
    yield made
    made.close()


@pytest.fixture(scope="module")
def apart(plugin):
    """Processes with a table of mounts of their own."""
    made = _stage(plugin, "unshare", *(() if ROOT else ("-r",)), "-m")
    yield made
    made.close()


@pytest.fixture(scope="module")
def ordinary(plugin):
    """Processes that a file's permissions hold for."""
    made = _stage(plugin, *(("setpriv", "--bounding-set=-all", "--inh-caps=-all") if ROOT else ()))
    yield made
    made.close()
