"""Stops new text with PATTERN in the files of GLOB: `no-content(: any in src/**/*.ts)`, or `/regular expression/`.

Leaves alone: text that was there before, text that is replaced, deleted or only looked for, other files.
"""

from memdir import jsonio
from memdir.rules import tool_files
from memdir.rules.effects import WRITE, changes
from memdir.rules.finding import ASK, DENY, Finding
from memdir.rules.globs import PathPattern
from memdir.rules.globs import problem as glob_problem
from memdir.rules.options import parse
from memdir.rules.patterns import WRITERS
from memdir.shell import outputs, substitutions
from memdir.shell.arguments import known, shown
from memdir.shell.wrappers import program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from memdir.shell.calls import Call, Machine

TOOLS = frozenset(WRITERS)
KEYWORDS = frozenset("echo printf cat tee sed perl python python3 node ruby awk dd".split())

_IN = " in "
_CUT = 200_000  # characters; a file of which the machine gives less than all is longer than this


def problem(argument: str) -> str:
    pattern, glob = _split(argument)
    if not pattern:
        return "no-content needs the text that may not be written, as in no-content(console.log in src/**)."
    if glob and glob_problem(glob):
        return f"no-content: {glob_problem(glob)}."
    if not _is_expression(pattern):
        return ""
    import re

    try:
        re.compile(pattern[1:-1])
    except re.error as error:
        return f"`{pattern}` is not a regular expression that Python understands: {error}."
    return ""


def judge(call: "Call", argument: str, machine: "Machine", *, base: str = "") -> "Finding | None":
    pattern, glob = _split(argument)
    files = [file for file in _written(call) if known(file) and _governs(glob, file, call.cwd, base, machine)]
    if not files:
        return None
    count = _counter(pattern)
    before, after = _substituted(call, machine) if program(call.argv) == "sed" else ("", "")
    if count("\n".join(_texts(call, count))) or count(after) > count(before):
        return _finding(pattern, files[0])
    return None


def judge_line(calls: "list[Call]", argument: str, machine: "Machine", *, base: str = "") -> "Finding | None":
    """A line that holds the text somewhere and changes such a file: whether one gets into the other is not followed."""
    pattern, glob = _split(argument)
    count = _counter(pattern)
    texts = [text for call in calls for text in (call.input or "", call.code, " ".join(call.argv))]
    texts += [outputs.printed([call.without_writes()], machine) for call in calls]
    if not count("\n".join(texts)):
        return None
    from memdir.rules import searched  # only for lines that hold the text

    if not searched.may_be_put(calls, pattern, count, machine):
        return None
    for call in calls:
        for effect in changes(call, machine):
            if effect.kind == WRITE and _governs(glob, effect.path, call.cwd, base, machine):
                what = f"`{pattern}` may get into {shown(effect.path)}"
                return Finding(ASK, what, f"Write it without `{pattern}`.")
    return None


def judge_tool(
    tool: str, tool_input: "dict[str, Any]", argument: str, cwd: str, machine: "Machine", *, base: str = ""
) -> "Finding | None":
    pattern, glob = _split(argument)
    changed = [file.path for file in tool_files.named(tool, tool_input) if file.act != tool_files.READ]
    file = tool_input.get("file_path") or tool_input.get("notebook_path") or tool_input.get("path") or (*changed, "")[0]
    if not isinstance(file, str) or not _governs(glob, file, cwd, base, machine):
        return None
    count = _counter(pattern)
    before, after = _change(tool, tool_input, machine.text(_absolute(file, cwd)))
    return _finding(pattern, file) if count(after) > count(before) else None


def _finding(pattern: str, file: str) -> Finding:
    return Finding(DENY, f"it puts `{pattern}` into {file}", f"Write it without `{pattern}`.")


# The argument


def _split(argument: str) -> "tuple[str, str]":
    """Pattern and glob; the glob is "" when all files are meant."""
    text = " " + argument.strip()
    end = text.rfind(_IN)
    if text[1:2] == "/" and "/" + _IN in text[2:]:
        end = text.rfind("/" + _IN) + 1
    elif text[1:2] == text[-1] == "/":
        end = -1
    return (text[:end].strip(), text[end + len(_IN) :].strip()) if end >= 0 else (text[1:], "")


def _is_expression(pattern: str) -> bool:
    return len(pattern) > 2 and pattern[0] == pattern[-1] == "/"


def _counter(pattern: str) -> "Callable[[str], int]":
    """How often the pattern stands in a text."""
    if not _is_expression(pattern):
        return lambda text: _occurrences(pattern, text)
    import re

    try:
        expression = re.compile(pattern[1:-1], re.MULTILINE)
    except re.error:
        return lambda text: 0  # `problem` has said so
    return lambda text: len(expression.findall(text))


def _occurrences(pattern: str, text: str) -> int:
    """How often it stands there by itself, and not as a part of a longer word."""
    count = 0
    at = text.find(pattern)
    while at >= 0:
        end = at + len(pattern)
        longer = _joins(text[at - 1 : at], pattern[0]) or _joins(pattern[-1], text[end : end + 1])
        count += not longer
        at = text.find(pattern, at + 1 if longer else end)
    return count


def _joins(one: str, other: str) -> bool:
    return all([char.isalnum() or char == "_" for char in (one or " ", other or " ")])


def _governs(glob: str, file: str, cwd: str, base: str, machine: "Machine") -> bool:
    if not file:
        return False
    path = _absolute(file, cwd)
    if not glob or glob_problem(glob):
        return not glob
    return path[:1] == "/" and PathPattern(glob, base or cwd, machine.home).matches(path, machine)


def _absolute(file: str, cwd: str) -> str:
    return file if file[:1] == "/" or not cwd else cwd + "/" + file


# Tools


def _change(tool: str, tool_input: "dict[str, Any]", held: str) -> "tuple[str, str]":
    """The text that changes, before and after."""
    if tool == "NotebookEdit":
        return _cell(tool_input, held), _text(tool_input, "new_source")
    edits = tool_input.get("edits")
    if not isinstance(edits, list):
        edits = [tool_input]
    if any([_OLD & set(edit) for edit in edits if isinstance(edit, dict)]):
        return _edited([edit for edit in edits if isinstance(edit, dict)], held)
    content = _text(tool_input, "content", "text", "file_text", "contents")
    return held, content[: len(held)] if len(held) > _CUT else content


_OLD = {"old_string", "oldText", "old_str", "new_string", "newText", "new_str"}


def _edited(edits: "list[dict[str, Any]]", held: str) -> "tuple[str, str]":
    before, after = [held], held
    for edit in edits:
        old = _text(edit, "old_string", "oldText", "old_str")
        new = _text(edit, "new_string", "newText", "new_str")
        if old and old in after:
            after = after.replace(old, new) if edit.get("replace_all") else after.replace(old, new, 1)
        else:
            before.append(old)
            after += "\n" + new
    return "\n".join(before), after


def _text(values: "dict[str, Any]", *keys: str) -> str:
    return next((values[key] for key in keys if isinstance(values.get(key), str)), "")


def _cell(tool_input: "dict[str, Any]", held: str) -> str:
    """The source of the cell that is replaced; "" for a new one, or where the notebook cannot be read."""
    if tool_input.get("edit_mode") == "insert":
        return ""
    try:
        cells = jsonio.loads(held)["cells"]
        sources = [cell["source"] for cell in cells if cell.get("id") == tool_input.get("cell_id")]
    except (ValueError, KeyError, TypeError, AttributeError):
        return ""
    return "".join(sources[0]) if sources else ""


# Command lines


def _written(call: "Call") -> "list[str]":
    """The files into which the call puts text of its own."""
    name = program(call.argv)
    found = list(call.writes)
    if name == "tee":
        found += parse(call.argv[1:]).operands
    elif name == "sed":
        options = parse(call.argv[1:], "efl", "expression file", glued="i")
        scripts = 0 if options.has("e", "expression", "f", "file") else 1
        found += options.operands[scripts:] if options.has("i", "in-place") else []
    return found


def _texts(call: "Call", count: "Callable[[str], int]") -> "list[str]":
    """The constant text that the call writes, its own or what it is fed."""
    texts: "list[str]" = []
    seen = set()
    waiting = [call]
    while waiting:
        each = waiting.pop()
        if id(each) not in seen:
            seen.add(id(each))
            waiting += each.feeders
            fed = "" if each.code and each.input == each.code else each.input or ""
            texts += [fed, _put(each) if count(each.code) else each.code, *_own_texts(each)]
    return texts


def _put(call: "Call") -> str:
    """The program of a call; only what it surely puts somewhere, where it also looks for texts."""
    from memdir.rules import searched  # only for programs that hold the text

    return searched.put(call)


def _own_texts(call: "Call") -> "list[str]":
    name = program(call.argv)
    if name in ("echo", "printf"):
        return [" ".join(call.argv[1:])]
    return [_replacement(word) for word in call.argv[1:]] if name == "sed" else []


def _substituted(call: "Call", machine: "Machine") -> "tuple[str, str]":
    """What the files of a call of sed hold, and what they hold once its `s` of plain text is done."""
    words = parse(call.argv[1:], "efl", "expression file line-length", glued="i").operands
    before = "\n".join([machine.text(_absolute(word, call.cwd)) for word in words if known(word)])
    after = before
    for script in call.argv[1:]:
        mark = script[1:2]
        parts = script[2:].split(mark) if script[:1] == "s" and mark and not mark.isalnum() else []
        if len(parts) == 3 and parts[0] and not set("\\.*[]^$") & set(parts[0]):
            after = after.replace(parts[0], parts[1], -1 if "g" in parts[2] else 1)
    return before, after


def _replacement(script: str) -> str:
    """What a sed script puts in: the third part of an `s`, else all of it (`a`, `i` and `c` hold text)."""
    found = substitutions.pairs(script)
    if found is not None:
        return "\n".join([new for _, new in found])
    place = script.find("s")
    mark = script[place + 1 : place + 2]
    parts = script[place + 2 :].split(mark) if place >= 0 and mark and not mark.isalnum() else []
    return parts[1] if len(parts) > 1 else script
