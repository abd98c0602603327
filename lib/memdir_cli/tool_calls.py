"""Tool calls as people give them: written as in a rule file, as a hook's payload, or as the log kept one."""

import re

from memdir import jsonio
from memdir.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO

STDIN_BYTES = 64 << 20
_FIELDS = {
    "Bash": "command", "NotebookEdit": "notebook_path", "WebFetch": "url", "Grep": "path", "Glob": "path", "LS": "path",
    "WebSearch": "query", "Agent": "prompt", "Task": "prompt", "Skill": "skill",
}  # fmt: skip
_CALL = re.compile(r"([A-Z][A-Za-z0-9]*|mcp__[\w.-]+)\((.*)\)", re.DOTALL)


def parse(text: str) -> "tuple[str, dict[str, Any]]":
    """Tool and input of `Edit(path)`, `mcp__db__drop({"table": "x"})`, `mcp__db`; anything else is a command line.

    What stands in the parentheses is the input as JSON, or what the tool is mainly about. Raises UserError.
    """
    text = text.strip()
    if text.startswith("mcp__") and re.fullmatch(r"[\w.-]+", text):
        return text, {}
    found = _CALL.fullmatch(text)
    if not found:
        return "Bash", {"command": text}
    tool, inside = found[1], found[2].strip()
    if inside.startswith("{") or tool.startswith("mcp__"):
        return tool, _object(tool, inside)
    return tool, {_FIELDS.get(tool, "file_path"): inside} if inside else {}


def _object(tool: str, text: str) -> "dict[str, Any]":
    try:
        value = jsonio.loads(text) if text else {}
    except ValueError as error:
        raise UserError(f'the input of {tool} is not JSON ({error}): write `{tool}({{"name": "value"}})`') from None
    if not isinstance(value, dict):
        raise UserError(f'the input of {tool} is no JSON object: write `{tool}({{"name": "value"}})`')
    return value


def read_payload(stream: "BinaryIO") -> "dict[str, Any]":
    """What a PreToolUse hook gets. Raises ValueError if it is no JSON object."""
    payload = jsonio.loads(stream.read(STDIN_BYTES))
    if not isinstance(payload, dict):
        raise ValueError("no JSON object")
    return payload


def of_payload(payload: "dict[str, Any]") -> "tuple[str, Any]":
    """Tool and input, which may be of any type, as the hook takes them."""
    tool = payload.get("tool_name")
    return tool if isinstance(tool, str) else "", payload.get("tool_input")


def of_log(line: "dict[str, Any]") -> "tuple[str, dict[str, Any]]":
    """Tool and input of a call that was stopped, as far as the log has kept them."""
    tool, kept = str(line.get("tool", "")), str(line.get("call", ""))
    if tool.startswith("mcp__"):
        return tool, {"command": kept, "path": kept}  # which of the two it was is not in the log
    return tool, {_FIELDS.get(tool, "file_path"): kept}
