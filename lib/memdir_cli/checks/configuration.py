"""memdir's settings, and the variables that change what it does."""

import os

from memdir import config, paths
from memdir_cli.checks.finding import NOTE, PROBLEM, Finding, edit, note, ok, problem, quoted, unset
from memdir_cli.checks.scene import settings_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memdir_cli.checks.scene import Scene


def check(scene: "Scene") -> "Iterator[Finding]":
    settings = config.load(scene.env, scene.cwd)
    file = paths.config_file(scene.env)
    for path, line, sentence in settings.problems:
        yield problem("configuration.problem", f"{path}:{line}: {sentence}", edit(path, line))
    if not settings.problems and file:
        yield ok(
            "configuration.ok", f"configuration {file}" + ("" if os.path.exists(file) else ", not there: defaults")
        )
    if settings.excludes(scene.cwd, scene.env):
        yield note("configuration.excluded", "memdir does nothing here: the directory is in `exclude`", edit(file))
    for name in sorted(scene.env):
        yield from _variable(scene.env[name], name, "", unset(name))
    yield from _in_settings(scene)


def _variable(value: str, name: str, where: str, mend: str) -> "Iterator[Finding]":
    if value in ("", "0"):
        return
    if name in ("MEMDIR_DISABLE", "MEMDIR_CHILD"):
        level = PROBLEM if where else NOTE  # there it is so for every session
        yield Finding(level, "environment.disabled", f"{name} is set{where}: every hook is off where it is", mend)
    elif name.startswith("MEMDIR_"):
        yield note("environment.variable", f"{name} is set{where}", mend)


def _in_settings(scene: "Scene") -> "Iterator[Finding]":
    """What the user's own settings, or managed ones, set for every hook."""
    own = scene.place.settings if scene.place else ""
    for path in (own, *scene.managed_settings):
        variables = settings_in(path).get("env") if path else None
        for name, value in sorted(variables.items()) if isinstance(variables, dict) else ():
            mend = edit(path) if path == own else f"ask whoever manages {quoted(path)}"
            chosen = paths.expand(str(value), scene.env) if name == "MEMDIR_DATA_DIR" else ""
            if chosen and os.path.realpath(chosen) != os.path.realpath(scene.state):
                told = f"{path} sets MEMDIR_DATA_DIR: hooks use {chosen}, the command line {scene.state}"
                yield note("record.state_dir", told, mend)
            else:
                yield from _variable(str(value), name, f" in {path}", mend)
