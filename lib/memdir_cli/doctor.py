"""`memdir doctor`: everything that can be wrong, and the way to mend it."""

import argparse
import os
import shutil
import subprocess
import sys
import time

from memdir import ages, config, enforcement, fsio, handover, index, index_lines, jsonio, paths, projects, queue, store
from memdir_cli import log as log_command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

LEAST_CLIENT = (2, 1, 295)  # the first that knows `onFailure` in a hook (changelog of Claude Code)
_MARKS = {"ok": "  ok ", "note": " note", "problem": "WRONG"}
_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Finding:
    """One thing looked at: level "ok", "note" or "problem", what it is, and for a problem what to do."""

    def __init__(self, level: str, text: str, mend: str = "") -> None:
        self.level = level
        self.text = text
        self.mend = mend


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="the findings as one JSON document")


def run(args: argparse.Namespace) -> int:
    findings = [finding for check in CHECKS for finding in check()]
    if args.json:
        print(jsonio.dumps([{"level": one.level, "text": one.text, "mend": one.mend} for one in findings]))
    else:
        for one in findings:
            print(f"{_MARKS[one.level]}  {one.text}")
            if one.mend:
                print(f"       -> {one.mend}")
    return 1 if any(one.level == "problem" for one in findings) else 0


def _interpreter() -> "Iterator[Finding]":
    recorded = paths.record("python", os.environ)
    if not recorded:
        yield Finding("note", "no interpreter is recorded yet; the first session that starts records one")
    elif not os.access(recorded, os.X_OK):
        yield Finding(
            "problem", f"the recorded interpreter {recorded} cannot be run", "start a session: it records a new one"
        )
    else:
        yield Finding("ok", f"the hooks run on {recorded}")
    if sys.version_info < (3, 9):  # noqa: UP036 - the hooks may meet an older one than we are written for
        yield Finding("problem", f"{sys.executable} is Python {sys.version.split()[0]}", "install Python 3.9 or newer")


def _hooks() -> "Iterator[Finding]":
    launcher = os.path.join(_ROOT, "hooks", "py")
    if not os.access(launcher, os.X_OK):
        yield Finding("problem", f"{launcher} cannot be executed", f"chmod +x '{launcher}'")
    else:
        yield Finding("ok", f"hooks of {_ROOT}")
    folder = paths.claude_config_dir(os.environ)
    name = os.path.join(folder, "memdir", "last_failure")
    try:
        with open(name, encoding="utf-8", errors="replace") as file:
            reason = file.read(500).strip()
        age = ages.ago(os.stat(name).st_mtime, time.time())
        yield Finding("problem", f"a hook could not run, {age}: {reason}", f"mend it, then remove '{name}'")
    except OSError:
        yield Finding("ok", "no hook failed to start")


def _client() -> "Iterator[Finding]":
    claude = shutil.which("claude")
    if not claude:
        yield Finding("note", "no `claude` in PATH")
        return
    try:
        answer = subprocess.run([claude, "--version"], capture_output=True, text=True, timeout=20, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        answer = ""
    number = answer.split(" ", 1)[0].strip()
    parts = tuple(int(part) for part in number.split(".") if part.isdecimal())
    least = ".".join(str(part) for part in LEAST_CLIENT)
    if len(parts) != 3:
        yield Finding("note", f"{claude} does not tell its version")
    elif parts < LEAST_CLIENT:
        yield Finding("problem", f"Claude Code {number}: memdir's hooks need {least} or newer", "claude update")
    else:
        yield Finding("ok", f"Claude Code {number}")


def _state() -> "Iterator[Finding]":
    state = paths.state_dir(os.environ)
    if not state:
        yield Finding("problem", "no state directory: HOME is not set", "set HOME, or MEMDIR_DATA_DIR")
        return
    existing = state
    while not os.path.isdir(existing):
        existing = os.path.dirname(existing)
    if not os.access(existing, os.W_OK | os.X_OK):
        yield Finding("problem", f"{state} cannot be written", f"chmod u+rwx '{existing}'")
    elif shutil.disk_usage(existing).free < 50 << 20:
        yield Finding("problem", f"the disk of {state} has less than 50 MB left", "free some space")
    else:
        yield Finding("ok", f"state in {state}")
    failed = [line for line in log_command.read(state) if line.get("errors")]
    if failed:
        last = failed[-1]
        yield Finding(
            "problem",
            f"{len(failed)} runs in the log failed, the last {ages.ago(float(last.get('t') or 0), time.time())}:"
            f" {last.get('hook')}: {'; '.join([str(error) for error in last['errors']])}",
            "memdir log --errors",
        )
    else:
        yield Finding("ok", "no failed run in the log")


def _configuration() -> "Iterator[Finding]":
    settings = config.load(os.environ, os.getcwd())
    for path, line, sentence in settings.problems:
        yield Finding("problem", f"{path}:{line}: {sentence}", f"edit {path}")
    file = paths.config_file(os.environ)
    if not settings.problems:
        yield Finding("ok", f"configuration {file}" if os.path.exists(file) else f"no configuration {file}: defaults")
    for name in ("MEMDIR_DISABLE", "MEMDIR_CHILD"):
        if os.environ.get(name, "0") not in ("", "0"):
            yield Finding("note", f"{name} is set: every hook is off where it is")


def _rules() -> "Iterator[Finding]":
    session = enforcement.Session(os.getcwd(), "", os.environ, paths.state_dir(os.environ))
    book = session.rules()
    for path, line, sentence in book.problems:
        yield Finding(
            "problem", f"{path}:{line}: {sentence}", f"edit {path}; `memdir rules list` shows what is in force"
        )
    count = f"{sum([len(file.entries) for file in book.files])} entries of hard rules in {len(book.files)} rule files"
    if not book:
        yield Finding("ok", "no hard rules here")
    elif not session.in_force():
        yield Finding("note", f"{count} are switched off (rules.on or exclude)")
    else:
        yield Finding("ok", f"{count} are in force here")
    yield from _repository_settings(bool(book))


def _repository_settings(rules: bool) -> "Iterator[Finding]":
    """What the settings of this repository do to memdir."""
    for name in ("settings.json", "settings.local.json"):
        path = os.path.join(os.getcwd(), ".claude", name)
        try:
            settings = jsonio.loads(fsio.read(path, 1 << 20, follow=True) or b"{}")
        except ValueError:
            continue
        if not isinstance(settings, dict):
            continue
        if settings.get("disableAllHooks"):
            what = "every hook here, the hard rules among them" if rules else "every hook here"
            yield Finding("problem", f"{path} switches off {what} (disableAllHooks)", f"edit {path}")
        variables = settings.get("env")
        for variable in variables if isinstance(variables, dict) else ():
            if variable.startswith("MEMDIR_"):
                yield Finding("note", f"{path} sets {variable}: memdir takes no notice of that")
            elif variable == "ANTHROPIC_BASE_URL":
                yield Finding(
                    "problem", f"{path} sends Claude Code's own requests elsewhere ({variable})", f"edit {path}"
                )
            elif variable == "PATH":
                yield Finding("note", f"{path} sets PATH, which may bring another python3 and other programs")


def _queue() -> "Iterator[Finding]":
    state = paths.state_dir(os.environ)
    now = time.time()
    failed = queue.read(state, queue.FAILED) if state else []
    waiting = queue.read(state, queue.PENDING) if state else []
    if failed:
        last = failed[-1].error.strip().rpartition("\n")[2]
        yield Finding(
            "problem",
            f"{len(failed)} sessions could not be extracted, the last {ages.ago(failed[-1].queued_at, now)}: {last}",
            "memdir queue list; then `memdir queue retry --all` and `memdir queue run`, or `memdir queue drop SESSION`",
        )
    if waiting and now - waiting[0].queued_at > ages.DAY_S:
        yield Finding(
            "problem",
            f"{len(waiting)} sessions wait in the queue, the first since {ages.ago(waiting[0].queued_at, now)}",
            "memdir queue run",
        )
    for job in waiting:
        if job.error:
            last = store.shown(job.error.strip().rpartition("\n")[2])
            yield Finding(
                "note", f"{store.shown(job.session)} failed {job.tries} times so far: {last}", "memdir queue run"
            )
    closed = queue.unreadable(state) if state else []
    for path in closed:
        yield Finding("problem", f"{path} cannot be read", f"sudo chown -R \"$USER\" '{path}', or move it away")
    if not failed and not closed:
        yield Finding("ok", f"{len(waiting)} sessions wait in the queue" if waiting else "the queue is empty")
    yield from _damaged(state)


def _damaged(state: str) -> "Iterator[Finding]":
    for folder in [f"{state}/{inside}" for inside in ("queue/failed", "cursors", "apply")]:
        try:
            names = sorted(os.listdir(folder))
        except FileNotFoundError:
            continue
        except OSError as error:
            yield Finding("problem", f"{folder} cannot be read: {error.strerror}", f"chmod u+rwx '{folder}'")
            continue
        for name in names:
            if name.endswith(".damaged"):
                path = f"{folder}/{name}"
                yield Finding("note", f"{path} was damaged and put aside", f"look at it, then: rm -r '{path}'")


def _memory() -> "Iterator[Finding]":
    project = projects.Project(os.getcwd(), os.environ)
    memory = project.memory_dir()
    if memory is None:
        yield Finding("problem", "no memory directory belongs to this directory", "set HOME")
        return
    native = project.native_memory_on()
    writable = handover.writable_memory(os.getcwd(), os.environ, paths.state_dir(os.environ))
    if isinstance(writable, str) and writable != "off":
        yield Finding("note", f"memdir writes no memories here: {writable}", "memdir setup --trust-dir")
    yield Finding("ok", f"memory directory {store.shown(memory.path)} ({memory.source})")
    yield Finding("ok", f"Claude Code's own auto memory is {'on' if native else 'off: memdir delivers the index'}")
    yield from _topics(memory.path)
    yield from _index(memory.path)


def _topics(folder: str) -> "Iterator[Finding]":
    now = time.time()
    files = store.scan(folder).files
    broken = 0
    for file, version in sorted(files.items()):
        topic = store.read(folder, file, version[0] / 1e9, now)
        path = store.shown(os.path.join(folder, file))
        if topic is None:
            broken += 1
            yield Finding("problem", f"{path} cannot be read", f"chmod u+r '{path}'")
            continue
        for line, sentence in topic.problems:
            broken += 1
            yield Finding("problem" if topic.degraded else "note", f"{path}:{line}: {sentence}", f"edit {path}")
    if not broken:
        yield Finding("ok", f"{len(files)} topic files, every one readable")


def _index(folder: str) -> "Iterator[Finding]":
    path = store.shown(os.path.join(folder, store.INDEX))
    content = store.index_text(folder)
    if content is None:
        yield Finding("note", f"no index {path} yet")
        return
    loaded = index.load(content)
    size = f"{path}: {loaded.lines} lines, {loaded.units} units"
    if loaded.state == "over":
        yield Finding("problem", f"{size}: the last {loaded.lost_lines} lines are not loaded", "shorten the index")
    else:
        yield Finding("note" if loaded.state == "near" else "ok", f"{size}, {loaded.state} its limits")
    for entry in index_lines.entries(content):
        if store.version_of(os.path.join(folder, entry.file)) is None:
            yield Finding("note", f"{path}:{entry.line}: no file {store.shown(entry.file)}", f"edit {path}")


CHECKS = (_interpreter, _hooks, _client, _state, _configuration, _rules, _queue, _memory)
