"""What was done in a session: files, commands, errors and how they ended, to-dos. Bounded: the oldest goes first."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

    from memdir.transcript import ToolUse, Turn

KEPT = 400  # files, commands, failures, to-dos, each
CHANGES = {"Edit": "edited", "MultiEdit": "edited", "NotebookEdit": "edited", "Write": "written"}
# The inputs that tell one call of a tool from another; the first that is there counts.
_SUBJECTS = ("command", "file_path", "notebook_path", "url", "query", "pattern", "path", "name", "description", "skill")
_ANSWERS_NO = "Exit code 1"  # the whole output of a command that found nothing, or no difference: no error


class Command:
    def __init__(self) -> None:
        self.text = ""  # as it ran the last time
        self.outcome = ""  # of the last time that has one
        self.times = 0
        self.failed = 0


class Failure:
    """A call that failed. `fixed`: the same succeeded later."""

    def __init__(self) -> None:
        self.what = ""
        self.output = ""  # of the last time
        self.times = 0
        self.fixed = False


class Activity:
    def __init__(self) -> None:
        self.files: "dict[str, dict[str, int]]" = {}  # path → what was done, how often
        self.commands: "dict[str, Command]" = {}
        self.failures: "dict[tuple[str, str], Failure]" = {}
        self.todos: "dict[str, tuple[str, str]]" = {}  # number → status, text
        self.last: "Optional[ToolUse]" = None

    def take(self, tool: "ToolUse") -> None:
        """Notes one call; calls come in their order."""
        self.last = tool
        what = subject(tool)
        if tool.name == "Bash" and what:
            command = _renew(self.commands, _same(what), Command())
            command.text = what
            command.times += 1
            command.failed += tool.outcome == "error"
            command.outcome = tool.outcome or command.outcome
        done = CHANGES.get(tool.name) or ("read" if tool.name == "Read" else "")
        if done and what and tool.outcome != "error":
            counts = _renew(self.files, what, {})
            counts[done] = counts.get(done, 0) + 1
        if tool.outcome != "error":
            self._take_todos(tool)
        self._take_outcome(tool, what)

    def open_failures(self) -> "list[Failure]":
        """Newest first."""
        return [failure for failure in reversed(list(self.failures.values())) if not failure.fixed]

    def open_todos(self) -> "list[tuple[str, str]]":
        """Those that are not completed, the one in progress first."""
        waiting = [item for item in self.todos.values() if item[0] != "completed"]
        return sorted(waiting, key=lambda item: item[0] != "in_progress")

    def _take_outcome(self, tool: "ToolUse", what: str) -> None:
        kind = "change" if tool.name in CHANGES else tool.name
        key = kind, _same(what) if tool.name == "Bash" else what
        if tool.outcome == "error" and (tool.name != "Bash" or tool.output.strip() != _ANSWERS_NO):
            failure = _renew(self.failures, key, Failure())
            failure.what = called(tool)
            failure.output = tool.output
            failure.times += 1
            failure.fixed = False
        elif tool.outcome == "ok":
            missing = ("Read", what) if kind == "change" else key  # a file that could not be read was made
            for fixed in (key, missing):
                if fixed in self.failures:
                    self.failures[fixed].fixed = True

    def _take_todos(self, tool: "ToolUse") -> None:
        given = tool.input
        items = given.get("todos")
        if tool.name == "TodoWrite" and isinstance(items, list):
            items = [item for item in items if isinstance(item, dict)][:KEPT]
            self.todos = {str(at): (_text(item, "status"), _text(item, "content")) for at, item in enumerate(items)}
        elif tool.name == "TaskCreate":
            number = tool.output.partition("Task #")[2].partition(" ")[0]  # "Task #3 created successfully: …"
            _renew(self.todos, number or f"new {len(self.todos)}", ("pending", _text(given, "subject")))
        elif tool.name == "TaskUpdate":
            number = _text(given, "taskId").lstrip("#")
            status, words = self.todos.pop(number, ("pending", f"task {number}"))
            status = _text(given, "status") or status
            if status != "deleted":
                _renew(self.todos, number, (status, _text(given, "subject") or words))


def changed(turn: "Turn") -> "set[str]":
    """The files that a turn changed."""
    return {subject(tool) for tool in turn.tools if tool.name in CHANGES and tool.outcome == "ok"}


def subject(tool: "ToolUse") -> str:
    """What a call was about: its command, path, address and so on; "" if it has none of these."""
    return next((text for text in [_text(tool.input, key) for key in _SUBJECTS] if text), "")


def called(tool: "ToolUse") -> str:
    """A call in words: the command itself, else the tool and what it was about."""
    return subject(tool) if tool.name == "Bash" else f"{tool.name} {subject(tool)}".strip()


def _same(command: str) -> str:
    """What two runs of a command have in common: without a `cd` before it and what only shortens its output."""
    text = " ".join(command.split())
    if text.startswith("cd ") and " && " in text:
        text = text.partition(" && ")[2]
    for mark in (" | tail", " | head"):
        before, found, after = text.rpartition(mark)
        if found and not after.strip(" -n0123456789"):
            text = before
    return text[:-5] if text.endswith(" 2>&1") else text


def _text(values: "dict[str, Any]", key: str) -> str:
    value = values.get(key)
    return value if isinstance(value, str) else str(value) if isinstance(value, int) else ""


def _renew(items: "dict[Any, Any]", key: object, new: "Any") -> "Any":
    """The item under `key`, else `new`, as the newest of `items`."""
    item = items.pop(key, new)
    items[key] = item
    while len(items) > KEPT:
        del items[next(iter(items))]
    return item
