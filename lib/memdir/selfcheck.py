"""Checks what a tool has just changed in a memory directory, for the model that changed it.

It says what Claude Code 2.1.332 does not (recorded in tests/data/write_checks.json). That one speaks after Write and
Edit of MEMORY.md, in the project's directory and in an agent's, as often as they leave it near or over a limit; not
after Bash, not while its auto memory is off, and never about headers, descriptions, missing lines and missing files.
"""

import os
import time

from memdir import config, delivery, fsio, index, index_lines, paths, projects, store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Optional

    from memdir.session import Session

MOST = 10  # findings in one answer
_AGENTS = ("agent-memory", "agent-memory-local")
_CLOCK_S = 5.0  # the hook starts later than the tool ended, and file systems round their times
_ADVICE = "a line that says when this matters"


class Finding:
    """One sentence, and the mark of what it is about: it is said once."""

    def __init__(self, sentence: str, *about: object) -> None:
        self.sentence = delivery.harmless(store.shown(sentence))
        self.mark = fsio.checksum("\n".join([str(part) for part in about]).encode("utf-8", "surrogatepass"))


class Call:
    """A tool call that succeeded. `outcome` becomes why there is nothing to say."""

    def __init__(self, payload: "Mapping[str, Any]", project: str, env: "Mapping[str, str]", now: float) -> None:
        given, result = payload.get("tool_input"), payload.get("tool_response")
        given = given if isinstance(given, dict) else {}
        self.is_command = payload.get("tool_name") == "Bash"
        cwd = payload.get("cwd")
        self.cwd = cwd if isinstance(cwd, str) and paths.is_path(cwd) else project
        self.command = str(given.get("command", "")) if self.is_command else ""
        self.file = "" if self.is_command else os.path.join(self.cwd, str(given.get("file_path", "")))
        before = result.get("originalFile") if isinstance(result, dict) else None
        self.before = before if isinstance(before, str) else ""
        self.agent = str(payload.get("agent_type") or "") if payload.get("agent_id") else ""
        duration = payload.get("duration_ms")
        self.since = now - (duration / 1000 if isinstance(duration, (int, float)) else 0) - _CLOCK_S
        self.project = project
        self.env = env
        self.outcome = ""

    @property
    def word(self) -> str:
        return "command" if self.is_command else "write"


class _Change:
    """What a call changed in one directory: the index, topic files, and whether names came or went."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.index = False
        self.topics: "list[str]" = []
        self.names = False


def check(call: Call) -> "list[Finding]":
    """What there is to say about the call, the gravest first."""
    if config.load(call.env, call.project).excludes(call.project, call.env):
        call.outcome = "excluded"
        return []
    project = projects.Project(call.project, call.env)
    changes = _by_command(call, project) if call.is_command else _by_path(call, project)
    call.outcome = "nothing to say" if changes else "no memory changed"
    found: "list[Finding]" = []
    unlisted: "list[Finding]" = []
    for change in changes:
        text = store.index_text(change.folder)
        entries = index_lines.entries(text or "")
        if change.index and text is not None and (call.is_command or not project.native_memory_on()):
            found += _size(call, change, text)
        found += _headers(change)
        found += _missing_files(call, change, entries)
        unlisted += _missing_lines(change, text or "")
    return found + unlisted


def news(findings: "list[Finding]", session: "Session") -> "list[Finding]":
    """The findings that the session has not been told."""
    if not findings:
        return []
    told: "set[object]" = set()
    for record in session.records("checked"):
        marks = record.get("marks")
        told.update(marks if isinstance(marks, list) else ())
    return [finding for finding in findings if finding.mark not in told]


def report(call: Call, findings: "list[Finding]") -> str:
    lines = [f"memdir checked what this {call.word} left in memory:"]
    lines += [f"- {finding.sentence}" for finding in findings[:MOST]]
    if len(findings) > MOST:
        lines.append(f"- and {len(findings) - MOST} more of the kind")
    return "\n".join(lines)


def _by_path(call: Call, project: "projects.Project") -> "list[_Change]":
    if not paths.is_path(call.file):
        return []
    real = os.path.join(os.path.realpath(os.path.dirname(call.file)), os.path.basename(call.file))
    for folder in [*_own(call, project), *_agents(call, real)]:
        root = os.path.realpath(folder) + "/"
        if real.startswith(root):
            change = _Change(folder)
            file = real[len(root) :]
            change.index = file == store.INDEX
            if store.is_topic(os.path.basename(file)) and "/." not in "/" + file:
                change.topics.append(file)
            return [change]
    return []


def _by_command(call: Call, project: "projects.Project") -> "list[_Change]":
    folders = [folder for folder in _own(call, project) if _is_meant(call, folder)]
    if any(["agent-memory" in words for words in (call.command, call.cwd)]):
        folders += [folder for folder in _agents(call, "") if _is_meant(call, folder)]
    return [change for folder in folders if (change := _fresh(call, folder))]


def _own(call: Call, project: "projects.Project") -> "list[str]":
    """The project's memory directory, which is none of a subagent's business."""
    memory = None if call.agent else project.memory_dir()
    return [memory.path] if memory else []


def _agents(call: Call, real: str) -> "list[str]":
    """The memory directories of agents: the one that a path lies in, or all; a subagent has but its own."""
    own = (call.agent, call.agent.replace(":", "-"))
    roots = [f"{paths.claude_config_dir(call.env)}/{_AGENTS[0]}"]
    roots += [f"{call.project}/.claude/{name}" for name in _AGENTS]
    found = []
    for root in roots:
        start = os.path.realpath(root) + "/"
        if real:
            names = [real[len(start) :].split("/")[0]] if real.startswith(start) else []
        else:
            names = os.listdir(root) if os.path.isdir(root) else []
        found += [f"{root}/{name}" for name in names if not call.agent or name in own]
    return found


def _is_meant(call: Call, folder: str) -> bool:
    """Whether a command may be about a directory: by its name, the working directory, or a file in it."""
    if os.path.basename(folder) in call.command or call.cwd == folder or paths.under(call.cwd, folder):
        return True
    words = call.command.replace('"', " ").replace("'", " ").split()
    names = [os.path.basename(word) for word in words if word.endswith(".md")]
    return any([os.path.lexists(os.path.join(folder, name)) for name in names])


def _fresh(call: Call, folder: str) -> "Optional[_Change]":
    """What has changed since the command began; not content alone: a moved file keeps its time, but not this one."""

    def is_fresh(file: str) -> bool:
        try:
            return os.lstat(os.path.join(folder, file)).st_ctime >= call.since
        except OSError:
            return False

    scan = store.scan(folder)
    change = _Change(folder)
    change.index = is_fresh(store.INDEX)
    change.topics = sorted([file for file in scan.files if is_fresh(file)])
    change.names = any([is_fresh(inside) for inside in scan.dirs])
    return change if change.index or change.topics or change.names else None


def _size(call: Call, change: _Change, text: str) -> "list[Finding]":
    advice = index.advice(index.load(text), call.word)
    version = store.version_of(os.path.join(change.folder, store.INDEX))
    return [Finding(advice, change.folder, store.INDEX, version)] if advice else []


def _headers(change: _Change) -> "list[Finding]":
    found = []
    for file in change.topics:
        path = os.path.join(change.folder, file)
        version, text = store.version_of(path), store.text(path)
        if version is not None and text is not None:
            found += [Finding(f"{file}:{line}: {sentence}", path, version, line) for line, sentence in _problems(text)]
    return found


def _missing_lines(change: _Change, text: str) -> "list[Finding]":
    if not change.topics:
        return []
    named = index_lines.Named(text)
    found = []
    for file in change.topics:
        path = os.path.join(change.folder, file)
        version = store.version_of(path)
        if version is None or named.has(file):
            continue
        topic = store.read(change.folder, file, version[0] / 1e9, time.time())
        if topic is None or not named.has(file, topic.name):
            line = index_lines.line("", file, _ADVICE)
            found.append(Finding(f"{store.INDEX} has no line for {file}; add one: `{line}`", path, "no line"))
    return found


def _problems(text: str) -> "list[tuple[int, str]]":
    """What is wrong with a topic's header, by line: it cannot be read, or it does not say what the memory is about."""
    from memdir import frontmatter

    document = frontmatter.parse(text)
    if document.degraded:
        return [(line, f"{sentence}; mend the header") for line, sentence in document.problems[:2]]
    if not document.meta and not text.startswith("---"):
        return [(1, f"there is no frontmatter; begin the file with ---, name, description ({_ADVICE}) and ---")]
    if not document.get("description").strip():
        line = (document.lines.get("description") or [2])[0]
        return [(line, f"the description is missing; write `description: ` and {_ADVICE}")]
    return []


def _missing_files(call: Call, change: _Change, entries: "list[index_lines.Entry]") -> "list[Finding]":
    """Lines that lead nowhere since this call: new ones, or those whose files a command took away."""
    if not change.index and not change.names:
        return []
    before = {index_lines.key(entry.file) for entry in index_lines.entries(call.before)}
    found = []
    for entry in entries:
        if os.path.exists(os.path.join(change.folder, entry.file)):
            continue
        if _is_named(call.command, entry.file) if call.is_command else index_lines.key(entry.file) not in before:
            sentence = f"{store.INDEX}:{entry.line}: there is no file {entry.file}; write it, or take the line out"
            found.append(Finding(sentence, change.folder, entry.file, "no file"))
    return found


def _is_named(command: str, file: str) -> bool:
    """Whether a command names a file, or may have with a glob."""
    return "*" in command or os.path.basename(file) in command or os.path.splitext(os.path.basename(file))[0] in command
