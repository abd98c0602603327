"""The copy of memdir whose hooks are registered: whole, of this version, and able to answer."""

import os
import tempfile

from memdir import ages, fsio, jsonio
from memdir.errors import UserError
from memdir_cli import plugin_copy, settings_file
from memdir_cli.checks.finding import counted, note, ok, problem, quoted
from memdir_cli.checks.registration import launchers
from memdir_cli.checks.scene import LAUNCHER, output, version_of
from memdir_cli.installation import ROOT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memdir_cli.checks.finding import Finding
    from memdir_cli.checks.scene import Scene

_TOPIC = "memdir-doctor.md"
_RULE = b"---\ndeny: [no-recursive-delete]\n---\nA trial of memdir doctor.\n"
_COMPARED = ("hooks", "lib")
_NAMED = 5  # files that are not in order
_MOST_BYTES = 4 << 20  # of a file of the plugin


def check(scene: "Scene") -> "Iterator[Finding]":
    recorded = scene.record("hooks")
    if recorded and not os.access(recorded, os.R_OK):
        yield problem(
            "app.missing", f"the installed copy is gone: no {recorded}", scene.repair_of(recorded[: -len(LAUNCHER)])
        )
    for launcher in launchers(scene):
        root = launcher[: -len(LAUNCHER)]
        if not os.access(launcher, os.X_OK):
            yield problem("app.not_executable", f"{launcher} cannot be executed", f"chmod +x {quoted(launcher)}")
            continue
        missing = _missing(root)
        damaged = missing or plugin_copy.damaged(root)
        if damaged:
            more = f" and {len(damaged) - _NAMED} more" if len(damaged) > _NAMED else ""
            told = f"{root} is not what was installed: {', '.join(damaged[:_NAMED])}{more}"
            yield problem("app.incomplete", told, scene.repair_of(root))
        if missing:
            continue
        told = trial(root, scene.record("python"), scene.env.get("PATH", os.defpath))
        if told:
            yield problem("app.trial", f"the hooks of {root}, tried in an empty home: {told}", scene.repair_of(root))
        else:
            yield ok("app.ok", f"{root} is memdir {version_of(root)}; its hooks, tried in an empty home, answer")
        yield from _other(scene, root)
    yield from _last_failure(scene)


def _missing(root: str) -> "list[str]":
    """What a copy lacks or does not let be read."""
    needed = {"hooks/hooks.json", "lib/memdir/hookio.py", "lib/memdir_worker/__main__.py", ".claude-plugin/plugin.json"}
    try:
        groups = [group for event in settings_file.wanted(root).values() for group in event]
    except (OSError, ValueError, KeyError, UserError):
        return ["hooks/hooks.json"]
    for entry in [entry for group in groups for entry in group["hooks"]]:
        words = [entry["command"], *entry.get("args", [])]
        name = words[words.index(root + LAUNCHER) + 1]
        needed |= {f"hooks/{name}.py", f"lib/memdir/events/{name}.py"}
    return sorted(name for name in needed if not os.access(f"{root}/{name}", os.R_OK))


def trial(root: str, python: str, path: str) -> str:
    """Runs two hooks for real: one must deliver an index, the other deny a call. What went wrong; "" for nothing."""
    with tempfile.TemporaryDirectory(prefix="memdir-doctor-") as folder:
        home, project, memory = f"{folder}/home", f"{folder}/project", f"{folder}/memory"
        for place in (home + "/.claude/memdir", home + "/.claude/rules", project, memory):
            os.makedirs(place)
        fsio.write(home + "/.claude/rules/trial.md", _RULE, durable=False)
        fsio.write(memory + "/MEMORY.md", f"- [Trial]({_TOPIC}) - of memdir doctor\n".encode(), durable=False)
        if python:
            fsio.write(home + "/.claude/memdir/python", os.fsencode(python) + b"\n", durable=False)
        env = {"HOME": home, "PATH": path, "CLAUDE_PROJECT_DIR": project, "CLAUDE_CODE_SIMPLE": "1"}
        env["CLAUDE_COWORK_MEMORY_PATH_OVERRIDE"] = memory
        payload = {"session_id": "memdir-doctor", "cwd": project, "transcript_path": f"{folder}/none.jsonl"}
        launcher = root + LAUNCHER
        failure = home + "/.claude/memdir/last_failure"
        for words, more, expected in (
            ([launcher, "session_start", "1"], {"hook_event_name": "SessionStart", "source": "startup"}, _TOPIC),
            (["/bin/sh", launcher, "pre_tool_use"], _CALL, "no-recursive-delete"),
        ):
            given = jsonio.dumps({**payload, **more}).encode() + b"\n"
            code, answer = output(words, env, given=given, cwd=project)
            if code is None:
                return f"{words[-1]} does not start, or does not end within 15 s"
            if expected not in answer:
                reason = (fsio.read(failure, 300) or b"").decode("utf-8", "replace").strip()
                return reason.replace(folder, "…") or f"{words[1]} gives no answer"
    return ""


_CALL: "dict[str, object]" = {
    "hook_event_name": "PreToolUse",
    "tool_name": "Bash",
    "tool_input": {"command": "rm -rf /"},
}


def _other(scene: "Scene", root: str) -> "Iterator[Finding]":
    """Whether the registered copy is the memdir that runs here."""
    if os.path.realpath(root) == os.path.realpath(ROOT):
        return
    here, there = version_of(ROOT), version_of(root)
    if here != there:
        told = f"the hooks are those of memdir {there or 'unknown'} in {root}, this is memdir {here} in {ROOT}"
        yield note("app.version", told, scene.repair)
        return
    changed = [name for name in _sources(ROOT) | _sources(root) if _bytes(f"{ROOT}/{name}") != _bytes(f"{root}/{name}")]
    if changed:
        told = f"{root} is not the same as {ROOT}: {counted(len(changed), 'file')} differ, as {min(changed)}"
        yield note("app.changed", told, scene.repair)


def _sources(root: str) -> "set[str]":
    found = set()
    for part in _COMPARED:
        for folder, _, names in os.walk(f"{root}/{part}"):
            if os.path.basename(folder) != "__pycache__":
                found |= {f"{folder}/{name}"[len(root) + 1 :] for name in names if not name.endswith(".pyc")}
    return found


def _bytes(path: str) -> "bytes | None":
    return fsio.read(path, _MOST_BYTES, follow=True)


def _last_failure(scene: "Scene") -> "Iterator[Finding]":
    path = scene.config + "/memdir/last_failure"
    raw = fsio.read(path, 500) if scene.config else None
    if raw is None:
        yield ok("hooks.no_failure", "no hook failed to start")
        return
    reason = raw.decode("utf-8", "replace").strip()
    when = ages.ago(os.stat(path).st_mtime, scene.now)
    yield problem("hooks.failure", f"a hook could not run, {when}: {reason}", f"rm {quoted(path)}")
