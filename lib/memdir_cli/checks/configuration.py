"""memdir's settings, and the variables that change what it does."""

import os

from memdir import config, paths
from memdir_cli.checks.finding import note, ok, problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memdir_cli.checks.finding import Finding
    from memdir_cli.checks.scene import Scene


def check(scene: "Scene") -> "Iterator[Finding]":
    settings = config.load(scene.env, scene.cwd)
    file = paths.config_file(scene.env)
    for path, line, sentence in settings.problems:
        yield problem("configuration.problem", f"{path}:{line}: {sentence}", f"edit {path}")
    if not settings.problems and file:
        yield ok(
            "configuration.ok", f"configuration {file}" + ("" if os.path.exists(file) else ", not there: defaults")
        )
    if settings.excludes(scene.cwd, scene.env):
        yield note("configuration.excluded", "memdir does nothing here: the directory is in `exclude`", f"edit {file}")
    for name in sorted(scene.env):
        if name in ("MEMDIR_DISABLE", "MEMDIR_CHILD") and scene.env[name] not in ("", "0"):
            yield note("environment.disabled", f"{name} is set: every hook is off where it is", f"unset {name}")
        elif name.startswith("MEMDIR_") and scene.env[name] not in ("", "0"):
            yield note("environment.variable", f"{name} is set", f"unset {name}")
