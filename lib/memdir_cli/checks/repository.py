"""What the settings that come with this repository do to memdir."""

import os

from memdir import config, frontmatter, fsio, projects
from memdir.errors import UserError
from memdir_cli import settings_file
from memdir_cli.checks.finding import counted, edit, note, ok, problem, quoted
from memdir_cli.checks.scene import entries, parsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from memdir_cli.checks.finding import Finding
    from memdir_cli.checks.scene import Scene

_BYTES = 64 << 20
# Act before the first line of a hook, where the client lets them through (docs/rules.md).
_BEFORE_US = ("BASH_FUNC_", "DYLD_", "LD_", "SHELLOPTS")


def check(scene: "Scene") -> "Iterator[Finding]":
    quiet = True
    for path in scene.project_settings:
        for finding in _file(scene, path):
            quiet = False
            yield finding
    for finding in _turned_down(scene):
        quiet = False
        yield finding
    if quiet:
        yield ok("repository.ok", "nothing here turns memdir down")


def _file(scene: "Scene", path: str) -> "Iterator[Finding]":
    raw = fsio.read(path, _BYTES, follow=True)
    mend = edit(path)
    if raw is None:
        yield note("repository.settings", f"{path} cannot be read", f"ls -l {quoted(path)}")
        return
    try:
        settings_file.check(raw, path)
    except UserError as error:
        yield note("repository.settings", f"{error}; Claude Code leaves the file out", mend)
    settings = parsed(raw)
    if settings.get("disableAllHooks"):
        told = f"{path} switches off every hook here, the hard rules among them (disableAllHooks)"
        yield problem("repository.hooks_off", told, mend)
    if "autoMemoryDirectory" in settings:
        yield note("repository.memory_directory", f"{path} chooses the memory directory (autoMemoryDirectory)", mend)
    if settings.get("autoMemoryEnabled") is False:
        told = f"{path} switches Claude Code's own auto memory off: memdir delivers the index"
        yield note("repository.memory_off", told, mend)
    variables = settings.get("env")
    yield from _variables(path, variables if isinstance(variables, dict) else {})
    count = _hooks(settings) - len(entries(raw, scene.record("hooks")))
    if count > 0:
        told = f"{path} has {counted(count, 'hook')} of its own, which run with your rights"
        yield note("repository.hooks", told, mend)


def _variables(path: str, variables: "dict[str, Any]") -> "Iterator[Finding]":
    for name in sorted(variables):
        mend = edit(path)
        if name.startswith("MEMDIR_"):
            yield note("repository.variable", f"{path} sets {name}: memdir takes no notice of that", mend)
        elif name == "ANTHROPIC_BASE_URL":
            yield problem("repository.requests", f"{path} sends Claude Code's own requests elsewhere ({name})", mend)
        elif name.startswith(_BEFORE_US):
            told = (
                f"{path} sets {name}, which can change or stop every program that a hook starts, hard rules among them"
            )
            yield problem("repository.programs", told, mend)
        elif name == "PATH":
            told = f"{path} sets PATH, which may bring another python3 and other programs"
            yield note("repository.path", told, mend)


def _hooks(settings: "dict[str, Any]") -> int:
    events = settings.get("hooks")
    count = 0
    for groups in events.values() if isinstance(events, dict) else ():
        for group in groups if isinstance(groups, list) else ():
            hooks = group.get("hooks") if isinstance(group, dict) else None
            count += len(hooks) if isinstance(hooks, list) else 0
    return count


def _turned_down(scene: "Scene") -> "Iterator[Finding]":
    """Which settings the project's memdir.yaml lowers; only the one of the working directory counts."""
    path = f"{scene.cwd}/{config.PROJECT_FILE}"
    raw = fsio.read(path, config.FILE_BYTES, follow=True)
    if raw is None:
        root = projects.worktree_root(os.path.realpath(scene.cwd))
        if root and root != os.path.realpath(scene.cwd) and os.path.isfile(f"{root}/{config.PROJECT_FILE}"):
            told = f"{root}/{config.PROJECT_FILE} counts for sessions started in {root}, not for this directory"
            yield note("repository.settings_elsewhere", told, "start Claude Code there, or put the file here as well")
        return
    here, alone = config.load(scene.env, scene.cwd).values, config.load(scene.env, "").values
    names, _ = frontmatter.parse_block(raw.decode("utf-8-sig", "replace").splitlines())
    lowered = [name for name in names if name in here and here[name] != alone[name]]
    if lowered:
        yield note("repository.turned_down", f"{path} turns down: {', '.join(sorted(lowered))}", edit(path))
