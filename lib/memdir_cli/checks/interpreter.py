"""The interpreter that hooks run on, and what else the install record says."""

import os
import sys

from memdir import paths
from memdir_cli.checks.finding import note, ok, problem, quoted, unset
from memdir_cli.checks.scene import is_shim

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memdir_cli.checks.finding import Finding
    from memdir_cli.checks.scene import Python, Scene

LEAST = (3, 9)


def check(scene: "Scene") -> "Iterator[Finding]":
    if not scene.place:
        return  # told with the state directory
    if scene.python:
        yield from _recorded(scene, scene.python)
    elif scene.is_installed:
        yield note("record.incomplete", "the install record does not say which interpreter to use", scene.repair)
    else:
        yield note("interpreter.unrecorded", "no interpreter is recorded; the next session that starts records one")
    if sys.version_info < LEAST:
        here = f"{sys.executable} is Python {sys.version.split()[0]}; memdir needs 3.9 or newer"
        yield problem("interpreter.old", here, "install Python 3.9 or newer")
    yield from _on_path(scene)
    yield from _record(scene)


def _recorded(scene: "Scene", python: "Python") -> "Iterator[Finding]":
    # without hooks in the settings, the next session's start records what it runs on
    mend = scene.repair if scene.is_installed else f"rm {quoted(scene.config + '/memdir/python')}"
    what = f"the recorded interpreter {python.path}"
    if python.failure == "is not there":
        yield problem("interpreter.missing", f"{what} is not there", mend)
    elif python.failure == "cannot be executed":
        yield problem("interpreter.not_executable", f"{what} cannot be executed", mend)
    elif python.failure:
        yield problem("interpreter.broken", f"{what} {python.failure}", mend)
    elif python.version < LEAST:
        yield problem("interpreter.old", f"{what} is Python {python.number}; memdir needs 3.9 or newer", mend)
    elif is_shim(python.path):
        yield problem("interpreter.shim", f"{what} is a version manager's shim: every hook pays ten starts", mend)
    elif python.is_of_an_environment:
        yield problem("interpreter.environment", f"{what} is a virtual environment's, and goes away with it", mend)
    else:
        yield ok("interpreter.ok", f"hooks run on {python.path} (Python {python.number})")


def _on_path(scene: "Scene") -> "Iterator[Finding]":
    """Only a note: the record is what counts."""
    for folder in scene.env.get("PATH", "").split(":"):
        path = f"{folder}/python3"
        if not folder.startswith("/") or not (os.path.isfile(path) and os.access(path, os.X_OK)):
            continue
        if is_shim(path):
            kept = "the record spares the hooks that" if scene.python else "start a session: it records the real one"
            yield note("interpreter.path_shim", f"python3 on PATH is a version manager's shim ({path}); {kept}")
        return


def _record(scene: "Scene") -> "Iterator[Finding]":
    recorded = paths.expand(scene.record("state_dir"), scene.env)
    if scene.is_installed:
        missing = [name for name in ("state_dir", "hooks") if not scene.record(name)]
        if missing:
            names = " and ".join(missing)
            yield note("record.incomplete", f"the install record in {scene.config}/memdir has no {names}", scene.repair)
    chosen = paths.expand(scene.env.get("MEMDIR_DATA_DIR", ""), scene.env)
    if chosen and recorded and os.path.realpath(chosen) != os.path.realpath(recorded):
        told = f"MEMDIR_DATA_DIR says {chosen}, the install record {recorded}: a session without it uses the other"
        yield note("record.state_dir", told, unset("MEMDIR_DATA_DIR"))
    if recorded and not chosen:
        plain = {name: value for name, value in scene.env.items() if name in ("HOME", "XDG_STATE_HOME")}
        other = paths.state_dir({**plain, "CLAUDE_CONFIG_DIR": "/nonexistent"})
        if os.path.realpath(other) != os.path.realpath(recorded) and os.path.isdir(other + "/queue"):
            told = f"an earlier state directory lies in {other}; the install record says {recorded}, which is used"
            yield note("record.state_dir", told, f"MEMDIR_DATA_DIR={quoted(other)} {scene.memdir} queue list")
