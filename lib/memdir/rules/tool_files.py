"""Which files the input of a tool names, and whether the tool reads or changes them; for a shell tool, its command.

Claude Code's own tools are known by name. One of an MCP server is taken by the words of its name and the fields of its
input: `writeFile(filePath)`, `move_file(source, destination)`, `apply(edits: [{path}])`.
"""

from memdir.rules import patches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Optional

READ = "read"
CHANGE = "change"
REMOVE = "remove"  # what lies below a directory goes with it

_DEEPEST = 4  # objects in objects
_MOST = 2_000  # values that are looked at
# What Claude Code 2.1.332 has, with names of older versions; all others that name files are not about their contents.
_OWN = {
    "Read": (READ, ("file_path",)),
    "NotebookRead": (READ, ("notebook_path", "file_path")),
    "SendFile": (READ, ("files", "file", "path")),
    "SendUserFile": (READ, ("files",)),
    "WebFetch": (READ, ("url",)),
    "ReadMcpResource": (READ, ("uri",)),
    "ReadMcpResourceTool": (READ, ("uri",)),
    "Edit": (CHANGE, ("file_path",)),
    "MultiEdit": (CHANGE, ("file_path",)),
    "Write": (CHANGE, ("file_path",)),
    "NotebookEdit": (CHANGE, ("notebook_path",)),
}
READERS = frozenset([tool for tool, (act, _) in _OWN.items() if act == READ] + ["Grep", "mcp__*"])
# Fields of MCP servers' inputs, without `_` and in small letters.
_FIELDS = frozenset(
    """path paths file files filepath filepaths filename filenames target targetpath targetfile source sourcepath
    sourcefile src srcpath destination destinationpath destinationfile dest destpath dst oldpath newpath relativepath
    absolutepath pathinproject notebookpath notebook outputpath outputfile savepath inputpath inputfile directory
    folder dir uri fileuri""".split()
)
_TARGETS = frozenset("destination destinationpath destinationfile dest destpath dst newpath target targetpath".split())
_CODEX = ("*** Update File", "*** Add File", "*** Delete File", "*** Move to")
_URLS = frozenset(["url", "urls", "href"])  # a file only with the scheme of one
_TEXTS = frozenset("content contents text body data newtext oldtext newstr oldstr newstring oldstring".split())
# With these a relative path is one in a repository or a bucket elsewhere.
_ELSEWHERE = frozenset("projectid reposlug repositoryid bucket bucketname driveid siteid".split())
_CHANGES = tuple(
    "write edit create delete remove move rename append patch update replace insert save overwrite truncate modify "
    "undo copy reformat format touch trash unlink prepend restore".split()
)
_REMOVES = ("delete", "remove", "move", "rename", "trash", "unlink")
_TELLS = tuple("list info stat exist metadata tree glob watch open reveal diagnostic problem add".split())
_ASKS = ("get", "read", "list", "search", "find", "view", "show", "fetch", "describe", "query", "check", "is")
_SHELLS = ("bash", "shell", "terminal")
_RUNS = ("exec", "command", "run", "process")  # of a shell as a rule, or of a database, an editor, a browser
_OTHER_LANGUAGES = frozenset(
    """sql postgres postgresql mysql sqlite redis mongo mongodb cypher neo4j db database query vscode editor ide browser
    blender unity unreal godot figma""".split()
)
_EDITOR_COMMANDS = {name: name for name in "view read create write edit insert delete rename".split()}
_EDITOR_COMMANDS.update(str_replace="replace", undo_edit="undo")
_SHELL_FIELDS = ("command", "cmd", "script", "commandline", "shellcommand")
_FOLDER_FIELDS = ("cwd", "workdir", "workingdirectory", "workingdir", "workingfolder")


class ToolFile:
    """A file as the input names it: `act` is READ, CHANGE or REMOVE. A relative path counts from the session's."""

    __slots__ = ("act", "path")

    def __init__(self, act: str, path: str) -> None:
        self.act = act
        self.path = path


def named(tool: str, tool_input: "dict[str, Any]") -> "list[ToolFile]":
    """The files of a call, in the order of its input. Search tools of Claude Code have none: they name folders."""
    if tool in _OWN:
        act, fields = _OWN[tool]
        address = fields[0] in ("url", "uri")
        texts = [text for name in fields for text in _texts(tool_input.get(name))]
        return [ToolFile(act, path) for text in texts for path in (file_of_address(text) if address else [text])]
    if tool[:5] != "mcp__":
        return []
    words = [_editor_command(tool_input)] if _editor_command(tool_input) else _words(tool)
    values = list(_paths(tool_input, 0, [_MOST]))
    if _is_elsewhere(tool_input):
        values = [(field, path) for field, path in values if path[:1] in ("/", "~")]
    found = [ToolFile(act, path) for field, path in values for act in _acts(words, field, path, values)]
    return found + [
        ToolFile(CHANGE, path) for path in (_patched(tool_input) if _any(words, ("apply", "patch")) else [])
    ]


def _patched(tool_input: "dict[str, Any]") -> "list[str]":
    """The files that a patch among the input is for; `*** Update File: x` is Codex's way to name one."""
    found = []
    for name in ("patch", "diff", "input"):
        text = tool_input.get(name)
        if isinstance(text, str):
            found += [path for _, path in patches.targets(text, 1)]
            lines = [line.partition(": ") for line in text.split("\n")]
            found += [path.strip() for sign, _, path in lines if sign in _CODEX and path]
    return found


def _acts(words: "list[str]", field: str, path: str, values: "list[tuple[str, str]]") -> "list[str]":
    """What a tool of an MCP server does to a path in one of its fields."""
    if _any(words, ("create", "make")) and not {"directory", "folder", "dir"}.isdisjoint(words):
        return []  # which is no file
    changes = _any(words, _CHANGES) and (words[0] not in _ASKS or "replace" in words)
    changes = changes or ("apply" in words and _any(words, ("change", "diff")))
    removes = changes and _any(words, _REMOVES)
    if changes and _any(words, ("copy", "move", "rename")):
        if field in _TARGETS:
            return [CHANGE]
        names = {other.rsplit("/", 1)[-1] for name, other in values if name in _TARGETS}
        passed_on = bool(names - {path.rsplit("/", 1)[-1], ""})  # by another name it is no longer known for what it is
        return [REMOVE] * removes + [READ] * passed_on
    if changes:
        return [REMOVE if removes else CHANGE]
    return [] if _any(words, _TELLS) else [READ]


def _editor_command(tool_input: "dict[str, Any]") -> str:
    """What an editor that is one tool is asked to do, as in `str_replace_editor(command: view)`; "" if it is none."""
    command = tool_input.get("command")
    if not isinstance(command, str) or not any([_plain(str(name)) in _FIELDS for name in tool_input]):
        return ""
    return _EDITOR_COMMANDS.get(command, "")


def _any(words: "list[str]", verbs: "tuple[str, ...]") -> bool:
    """Whether a word is one of the verbs or begins with one, as in `writefile`; an editor is none."""
    return any([word.startswith(verbs) and word not in ("editor", "formatter") for word in words])


def _words(tool: str) -> "list[str]":
    """The words of an MCP tool's own name: `mcp__files__writeTextFile` has write, text and file."""
    name = tool.partition("__")[2].partition("__")[2]
    spaced = ""
    for before, char in zip(" " + name, name):
        spaced += " " if char in "_-." else (" " + char if char.isupper() and not before.isupper() else char)
    return spaced.lower().split() or [""]


def _plain(field: str) -> str:
    return field.replace("_", "").replace("-", "").lower()


def _is_elsewhere(tool_input: "dict[str, Any]") -> bool:
    fields = {_plain(str(name)) for name, value in tool_input.items() if value}
    return {"owner", "repo"} <= fields or not _ELSEWHERE.isdisjoint(fields)


def _paths(value: "Any", depth: int, left: "list[int]") -> "Iterator[tuple[str, str]]":
    """The fields of an input that hold paths, and these."""
    for name, inner in value.items() if isinstance(value, dict) else []:
        field = _plain(str(name))
        left[0] -= 1
        if left[0] < 0:
            return
        if field in _FIELDS or field in _URLS:
            # `files: {"src/a.ts": "its text"}` has them as names
            for text in _texts(list(inner) if isinstance(inner, dict) and field == "files" else inner)[:_MOST]:
                if field in _URLS or field[-3:] == "uri" or text[:5].lower() == "file:":
                    yield from [(field, path) for path in file_of_address(text, plain=field not in _URLS)]
                else:
                    yield field, text
        if depth < _DEEPEST and field not in _TEXTS:
            for each in inner if isinstance(inner, list) else [inner]:
                yield from _paths(each, depth + 1, left)


def _texts(value: "Any") -> "list[str]":
    return [text for text in (value if isinstance(value, list) else [value]) if isinstance(text, str) and text]


def file_of_address(address: str, *, plain: bool = False) -> "list[str]":
    """The paths that a `file:` address can mean, its escapes undone; none for another scheme.

    `plain` says that what has no scheme at all is a path. `file://x/y` is `/y` on the machine `x` or, to readers that
    are less strict, `x/y`.
    """
    text = "".join([char for char in address.strip() if char not in "\t\r\n"]).replace("\\", "/")
    scheme, colon, rest = text.partition(":")
    if scheme.lower() != "file" or not colon:
        return [address] if plain and "://" not in text else []
    for sign in "#?":
        rest = rest.partition(sign)[0]
    rest = decoded(rest)
    if rest[:2] != "//":
        return [rest] if rest else []
    host, slash, path = rest[2:].partition("/")
    found = [slash + path.lstrip("/")] if path else []
    if host and host.lower() not in ("localhost", "127.0.0.1", "::1", "[::1]"):
        found.append(host + slash + path)
    return found


def decoded(text: str) -> str:
    """A text with `%2E` and its like undone."""
    raw = bytearray()
    source = text.encode("utf-8", "surrogatepass")
    at = 0
    while at < len(source):
        code = source[at + 1 : at + 3]
        if source[at] == 0x25 and len(code) == 2 and all([char in b"0123456789abcdefABCDEF" for char in code]):
            raw.append(int(code, 16))
            at += 3
        else:
            raw.append(source[at])
            at += 1
    return raw.decode("utf-8", "replace")


def command_of(tool: str, tool_input: "dict[str, Any]") -> "Optional[tuple[str, str]]":
    """The command line that a tool other than Bash gives to a shell, and the directory that it names for it, or ""."""
    if tool != "Monitor" and (tool[:5] != "mcp__" or not _is_shell(tool) or _editor_command(tool_input)):
        return None
    fields = {_plain(str(name)): value for name, value in tool_input.items()}
    given = next((fields[name] for name in _SHELL_FIELDS if fields.get(name)), None)
    command = given if isinstance(given, str) else _line(given)
    more = _line(fields.get("args") or fields.get("arguments"))
    if isinstance(given, str) and more:
        command += " " + more
    folder = next((fields[name] for name in _FOLDER_FIELDS if isinstance(fields.get(name), str)), "")
    return (command, folder) if command.strip() else None


def _is_shell(tool: str) -> bool:
    """Whether an MCP tool is named for a shell; one for running something is, if its language is no other."""
    words = _words(tool) + _words("mcp____" + tool[5:].partition("__")[0])
    return _any(words, _SHELLS) or (_any(words, _RUNS) and _OTHER_LANGUAGES.isdisjoint(words))


def _line(words: "Any") -> str:
    """A list of arguments as a command line."""
    texts = [word for word in words if isinstance(word, str)] if isinstance(words, list) else []
    return " ".join(["'" + word.replace("'", "'\\''") + "'" for word in texts])
