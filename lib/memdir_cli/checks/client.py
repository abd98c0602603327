"""Claude Code itself: its version, and what of its own does the same as memdir."""

import functools
import os

from memdir import paths
from memdir_cli import programs
from memdir_cli.checks.finding import edit, note, ok, problem, quoted, unset
from memdir_cli.checks.scene import output, settings_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memdir_cli.checks.finding import Finding
    from memdir_cli.checks.scene import Scene

LEAST = (2, 1, 295)  # the first that knows `onFailure` in a hook (changelog of Claude Code)
_KEPT = (
    "HOME",
    "PATH",
    "LANG",
    "TMPDIR",
    "XDG_DATA_HOME",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "VOLTA_HOME",
)


def check(scene: "Scene") -> "Iterator[Finding]":
    yield from _version(scene)
    if not scene.place:
        return
    native = scene.project.native_memory_on()
    yield ok("client.memory", f"its own auto memory is {'on' if native else 'off: memdir delivers the index'}")
    yield from _own_recall(scene)


def program(scene: "Scene") -> str:
    """The `claude` of PATH; relative places are no word of the user's."""
    return programs.find("claude", scene.env)


@functools.cache
def version(scene: "Scene") -> "tuple[int, ...] | None":
    """() where it does not tell, None where it does not run."""
    env = {name: scene.env[name] for name in _KEPT if name in scene.env}
    code, answer = output([program(scene), "--version"], env)
    if code != 0:
        return None
    parts = answer.split(" ", 1)[0].strip().split(".")
    return tuple(int(part) for part in parts) if len(parts) == 3 and all(part.isdecimal() for part in parts) else ()


def _version(scene: "Scene") -> "Iterator[Finding]":
    path = program(scene)
    if not path:
        yield note("client.missing", "no `claude` in PATH", "put Claude Code's directory into PATH, or install it")
        return
    found = version(scene)
    least, number = (".".join([str(part) for part in parts]) for parts in (LEAST, found or ()))
    if found is None:
        yield problem("client.broken", f"{path} does not run", f"{quoted(path)} --version")
    elif not found:
        yield note("client.version", f"{path} does not tell its version", f"{quoted(path)} --version")
    elif found < LEAST:
        told = f"Claude Code {number} does not know `onFailure`: hard rules need {least} or newer"
        yield problem("client.old", told, "claude update")
    else:
        yield ok("client.ok", f"Claude Code {number}")


def _own_recall(scene: "Scene") -> "Iterator[Finding]":
    """What Anthropic can switch on for an account (measured with Claude Code 2.1.332)."""
    for code, flag, variable, told in (
        ("client.recall", "tengu_moth_copse", "CLAUDE_MEMORY_STORES", "recall of memories is on: both deliver"),
        ("client.extraction", "tengu_passport_quail", "CLAUDE_CODE_POST_TURN_MEMORY", "extraction is on: both write"),
    ):
        if variable in scene.env and scene.env[variable].strip():
            yield note(code, f"Claude Code's own {told} ({variable} is set)", unset(variable))
        elif _flag(scene, flag):
            line = "recall.limit: 0" if code == "client.recall" else "extract.on: off"
            told = f"Claude Code's own {told} (switched on for your account); leave both, or set {line}"
            yield note(code, told, edit(paths.config_file(scene.env)))


def _flag(scene: "Scene", name: str) -> bool:
    home = os.path.dirname(scene.config) if os.path.basename(scene.config) == ".claude" else scene.config
    for path in (f"{scene.config}/.claude.json", f"{home}/.claude.json"):
        flags = settings_in(path).get("cachedGrowthBookFeatures")
        if isinstance(flags, dict) and flags.get(name) is True:
            return True
    return False
