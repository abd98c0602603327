"""Which tool calls an entry of `deny` or `ask` means: `Bash(git push *)`, `Edit(src/**)`, `mcp__server`, `Agent`."""

from memdir.rules import globs, invocations, tool_files
from memdir.rules.wildcards import Wildcard
from memdir.shell.arguments import STAR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

    from memdir.shell.calls import Call, Machine

# The tools that a name stands for, where it takes a path.
_PATH_TOOLS = {
    "Edit": ("Edit", "Write", "MultiEdit", "NotebookEdit"),
    "Write": ("Write",),
    "MultiEdit": ("MultiEdit",),
    "NotebookEdit": ("NotebookEdit",),
    "Read": ("Read", "Grep", "Glob"),
}
_FETCHES = ("WebFetch", "ReadMcpResource", "ReadMcpResourceTool")  # which read a file by an address such as file:///x
_SEARCHES = ("Grep", "Glob")
WRITERS = ("Bash", "Edit", "Monitor", "MultiEdit", "NotebookEdit", "Write", "mcp__*")
TOOLS = (
    *_PATH_TOOLS,
    *_SEARCHES,
    *_FETCHES[1:],
    "Agent",
    "Bash",
    "LS",
    "Skill",
    "Task",
    "TodoWrite",
    "WebFetch",
    "WebSearch",
)


class Pattern:
    """A tool's name, which may hold `*`, and what stands in its parentheses; "" without any."""

    __slots__ = ("argument", "tool")

    def __init__(self, tool: str, argument: str = "") -> None:
        self.tool = tool
        self.argument = argument

    def covers(self, tool: str) -> bool:
        """Whether it speaks about calls of this tool."""
        if tool in _PATH_TOOLS.get(self.tool, ()) or tool == self.tool:
            return True
        if self.tool == "Read" and self.argument and tool in _FETCHES:
            return True
        if "*" in self.tool:
            return Wildcard(self.tool, sets=False).fits(tool)
        return self.tool.startswith("mcp__") and tool.startswith(self.tool + "__")


def split(text: str) -> "tuple[str, Optional[str]]":
    """`Name(argument)` as its parts; the argument is None without parentheses. Raises ValueError with a sentence."""
    name, opened, rest = text.strip().partition("(")
    if not opened:
        return name, None
    if not rest.endswith(")") or rest == ")":
        missing = "`(` is not closed" if rest != ")" else "nothing stands in the parentheses"
        raise ValueError(f"`{text[:80]}`: {missing}; write `{name or 'Bash'}(…)`, in quotes if there is a comma in it")
    return name.strip(), rest[:-1].strip()


def parse(text: str) -> Pattern:
    """The pattern of an entry whose name is a tool's. Raises ValueError with a sentence when it is broken."""
    tool, argument = split(text)
    if argument is None:
        return Pattern(tool)
    if tool == "Bash":
        invocations.words(argument)
        if not _balanced(argument):
            raise ValueError(f"`{text[:80]}`: its parentheses do not match; quote a parenthesis that is meant as text")
    elif tool in _PATH_TOOLS:
        wrong = globs.problem(argument)
        if wrong:
            raise ValueError(wrong)
    elif tool == "WebFetch":
        host = argument[len("domain:") :]
        if not argument.startswith("domain:") or not host.strip(".*") or "/" in host or " " in host:
            raise ValueError(f"`{text[:80]}`: write `WebFetch(domain:example.com)`")
    elif tool in _SEARCHES:
        raise ValueError(f"`{text[:80]}`: write `Read({argument[:60]})`, which means Grep and Glob too")
    else:
        raise ValueError(f"`{text[:80]}`: `{tool[:40]}` takes nothing in parentheses; write `{tool[:40]}` alone")
    return Pattern(tool, argument)


def _balanced(text: str) -> bool:
    depth = 0
    quote = ""
    for char in text:
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char in "()":
            depth += 1 if char == "(" else -1
            if depth < 0:
                return False
    return not depth


def match(pattern: Pattern, call: "Call", machine: "Machine", base: str) -> str:
    """What a pattern for Bash says about a call: "yes", "no", or "maybe" if that is only known when it runs."""
    if not pattern.covers("Bash"):
        return "no"
    return invocations.match(pattern.argument, call, machine, base) if pattern.argument else "yes"


def match_tool(
    pattern: Pattern, tool: str, tool_input: "dict[str, Any]", cwd: str, machine: "Machine", base: str
) -> str:
    """As `match`, for a call of any other tool."""
    if tool == "Bash" or not pattern.covers(tool):
        return "no"
    if not pattern.argument:
        return "yes"
    if pattern.tool == "WebFetch":
        return _fetches(pattern.argument, tool_input.get("url"))
    return _path_verdict(pattern, tool, tool_input, cwd, machine, base)


def _path_verdict(
    pattern: Pattern, tool: str, tool_input: "dict[str, Any]", cwd: str, machine: "Machine", base: str
) -> str:
    paths = globs.PathPattern(pattern.argument, base, machine.home)
    if tool in _FETCHES:
        files = [_absolute(file.path, cwd, machine) for file in tool_files.named(tool, tool_input)]
        return next(
            iter([verdict for verdict in [paths.verdict(file, machine) for file in files] if verdict != "no"]), "no"
        )
    given = tool_input.get("notebook_path") if tool == "NotebookEdit" else tool_input.get("file_path")
    given = tool_input.get("path", "") if tool in _SEARCHES else given
    if not isinstance(given, str) or (not given and tool not in _SEARCHES):
        return "maybe"
    path = _absolute(given, cwd, machine)
    if tool not in _SEARCHES:
        return paths.verdict(path, machine)
    verdict = paths.verdict(path, machine)
    if verdict != "no":
        return verdict
    named = tool_input.get("pattern" if tool == "Glob" else "glob")
    if isinstance(named, str) and named:
        # Both sides have wildcards: what could match is asked about, what must match refused.
        found = paths.verdict(_absolute(_with_marks(named), path, machine), machine)
        return found if "*" not in named or found == "no" else "maybe"
    shows = tool == "Grep" and tool_input.get("output_mode") == "content"
    return "maybe" if shows and paths.below(path, machine) == "yes" else "no"


def _absolute(path: str, folder: str, machine: "Machine") -> str:
    if path == "~" or path[:2] == "~/":
        return machine.home + path[1:]
    return path if path[:1] == "/" else (f"{folder.rstrip('/')}/{path}" if path else folder)


def _with_marks(text: str) -> str:
    """A search tool's own glob as an argument; `**/` is any folder, so it may also be none."""
    while text[:3] == "**/":
        text = text[3:]
    return text.replace("*", STAR)


def _fetches(argument: str, url: "Any") -> str:
    """Whether the host of a URL is the domain, or belongs to it."""
    if not isinstance(url, str):
        return "maybe"
    rest = url.strip().partition("://")[2] or url.strip()
    for end in "/?#\\":
        rest = rest.partition(end)[0]
    host = rest.rpartition("@")[2]
    host = host if host[:1] == "[" else host.partition(":")[0]
    host = host.rstrip(".").lower()
    domain = argument[len("domain:") :].strip().lower().strip(".")
    if not host or "%" in host:
        return "maybe"
    fits = Wildcard(domain, sets=False).fits(host) or Wildcard("*." + domain, sets=False).fits(host)
    return "yes" if fits else "no"


def words(pattern: Pattern) -> "list[str]":
    """The words of a pattern for Bash; an argument that is compared by itself may stand among them."""
    return invocations.words(pattern.argument)


def keywords(pattern: Pattern) -> "frozenset[str]":
    """Words one of which is in every plain command line that it can be about; "*" stands for every word."""
    if not pattern.covers("Bash"):
        return frozenset()
    return invocations.keywords(pattern.argument) if pattern.argument else frozenset({"*"})
