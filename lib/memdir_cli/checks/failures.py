"""What went wrong lately, as the log has it."""

import time

from memdir import ages
from memdir_cli import log as log_command
from memdir_cli.checks.finding import counted, note, ok, problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from memdir_cli.checks.finding import Finding
    from memdir_cli.checks.scene import Scene


def check(scene: "Scene") -> "Iterator[Finding]":
    failed = runs(scene)
    if not failed:
        yield ok("log.ok", "no failed run in the log")
        return
    last = failed[-1]
    when = seconds(last)
    errors = "; ".join([str(error) for error in last["errors"]])
    text = f"{counted(len(failed), 'run')} in the log failed, the last {ages.ago(when, scene.now)}"
    text += f": {last.get('hook')}: {errors}"
    mend = f"{scene.memdir} log --errors"
    recent = scene.now - when < ages.DAY_S
    yield problem("log.errors", text, mend) if recent else note("log.errors", text, mend)


def runs(scene: "Scene") -> "list[dict[str, Any]]":
    """The failed runs in the log, oldest first."""
    return [line for line in log_command.read(scene.state) if line.get("errors")] if scene.state else []


def seconds(line: "dict[str, Any]") -> float:
    when = line.get("t")
    return float(when) if isinstance(when, (int, float)) and 0 <= when <= time.time() + ages.DAY_S else 0.0
