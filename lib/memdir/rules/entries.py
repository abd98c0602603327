"""The entries of a rule file's header, each a guard, a pattern of tool calls, a path or a requirement."""

from memdir.rules import globs, patterns
from memdir.rules.patterns import Pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

# The built-in guards and their modules in `memdir.rules.guards`.
GUARDS = {
    "no-recursive-delete": "no_recursive_delete",
    "no-force-push": "no_force_push",
    "no-discard-changes": "no_discard_changes",
    "no-secrets-read": "no_secrets_read",
    "no-pipe-to-shell": "no_pipe_to_shell",
    "no-skip-hooks": "no_skip_hooks",
    "no-content": "no_content",
    "protect-memdir": "protect_memdir",
}
_EVERYTHING = frozenset(patterns.WRITERS)
# Hook events, which somebody may take for what `require` can wait at; `Stop` is the only one.
_EVENTS = frozenset(
    "stop stopfailure subagentstop sessionstart sessionend userpromptsubmit pretooluse posttooluse precompact".split()
)


class Entry:
    """One entry. `kind` is its key: deny, ask, protect or require; `line` is the file's, from 1.

    It has one of: `guard`, the name of a built-in one; `pattern`; a path in `argument` (protect); `pattern` (None for
    Stop) and `after` (require). A broken one has only `problem`, a sentence, and `governs`: names of tools that it may
    have been about, of which `mcp__*` stands for all that begin so.
    """

    __slots__ = ("after", "argument", "governs", "guard", "kind", "line", "pattern", "problem", "text")

    def __init__(self, kind: str, text: str, line: int) -> None:
        self.kind = kind
        self.text = text
        self.line = line
        self.guard = ""
        self.argument = ""
        self.pattern: "Optional[Pattern]" = None
        self.after: "list[Pattern]" = []
        self.problem = ""
        self.governs: "frozenset[str]" = frozenset()

    def may_govern(self, tool: str) -> bool:
        """Whether a broken entry may be about this tool."""
        return tool in self.governs or (tool.startswith("mcp__") and "mcp__*" in self.governs)

    def pack(self) -> "tuple[Any, ...]":
        pattern = (self.pattern.tool, self.pattern.argument) if self.pattern else None
        after = tuple([(one.tool, one.argument) for one in self.after])
        governs = tuple(sorted(self.governs))
        return self.kind, self.text, self.line, self.guard, self.argument, pattern, after, self.problem, governs

    def keywords(self) -> "frozenset[str]":
        """Words one of which is in every plain command line that this is about; "*" stands for every word."""
        if self.problem:
            return frozenset({"*"} if "Bash" in self.governs else ())
        if self.guard:
            return guard_module(self.guard).KEYWORDS  # type: ignore[no-any-return]
        if self.kind == "protect":
            from memdir.rules import effects  # only where a path is protected, and only when compiling

            return effects.KEYWORDS  # type: ignore[no-any-return, unused-ignore]
        if self.kind == "require":
            from memdir.rules import changes, checks  # likewise

            asked = [checks.keywords(pattern) for pattern in self.after]
            asked += [patterns.keywords(self.pattern)] if self.pattern else []
            return changes.KEYWORDS.union(*asked)  # type: ignore[no-any-return, unused-ignore]
        return patterns.keywords(self.pattern) if self.pattern else frozenset()

    def tools(self) -> "frozenset[str]":
        """The tools that it may have an opinion on; "*" stands for every tool, `mcp__*` for all that begin so."""
        if self.problem:
            return self.governs
        if self.guard:
            return guard_module(self.guard).TOOLS  # type: ignore[no-any-return]
        if self.kind == "protect" or (self.kind == "require" and self.pattern is None):
            return _EVERYTHING
        if self.kind == "require":
            return _EVERYTHING | self._named()
        return self._named()

    def _named(self) -> "frozenset[str]":
        """The tools that its pattern is about."""
        if self.pattern is None or "*" in self.pattern.tool:
            return frozenset({"*"} if self.pattern else ())
        if self.pattern.tool.startswith("mcp__"):
            return frozenset({"mcp__*"})
        return frozenset([tool for tool in (self.pattern.tool, *patterns.TOOLS) if self.pattern.covers(tool)])


def unpack(packed: "tuple[Any, ...]") -> Entry:
    kind, text, line, guard, argument, pattern, after, problem, governs = packed
    entry = Entry(kind, text, line)
    entry.guard, entry.argument, entry.problem, entry.governs = guard, argument, problem, frozenset(governs)
    entry.pattern = Pattern(*pattern) if pattern else None
    entry.after = [Pattern(*one) for one in after]
    return entry


def broken(kind: str, text: str, line: int, sentence: str, governs: "frozenset[str]" = _EVERYTHING) -> Entry:
    entry = Entry(kind, text, line)
    entry.problem = sentence
    entry.governs = governs
    return entry


def read(kind: str, value: "Any", lines: "list[int]") -> "list[Entry]":
    """The entries of a hard key; one that holds nothing has none."""
    if isinstance(value, dict):
        return [broken(kind, "", lines[0] if lines else 1, f"`{kind}` is a mapping; write a list of entries")]
    texts = value if isinstance(value, list) else [part for part in value.split("\n") if part.strip()]
    lines = lines if isinstance(value, list) else lines * len(texts)
    found: "list[Entry]" = []
    joined = ""
    for text, line in zip(texts, lines):
        if joined and line == found[-1].line:
            # `[Bash(a, b)]` without quotes ends at its comma: the pieces are one entry, which cannot be trusted.
            joined += ", " + text
            found[-1] = _entry(kind, joined, line)
            found[-1] = broken(kind, joined, line, f"`{joined[:80]}` holds a comma: put it in quotes", _governs(joined))
            joined = "" if text.rstrip().endswith(")") else joined
            continue
        entry = _entry(kind, text.strip(), line)
        joined = text if entry.problem and "(" in text and not text.rstrip().endswith(")") else ""
        found.append(entry)
    return found


def _entry(kind: str, text: str, line: int) -> Entry:
    entry = Entry(kind, text, line)
    try:
        if kind == "protect":
            _read_path(entry)
        elif kind == "require":
            _read_requirement(entry)
        else:
            _read_call(entry)
    except ValueError as error:
        return broken(kind, text, line, str(error), _governs(text) if kind != "protect" else _EVERYTHING)
    return entry


def _read_path(entry: Entry) -> None:
    name, opened, _ = entry.text.partition("(")
    if entry.text in GUARDS or (opened and name in patterns.TOOLS):
        raise ValueError(f"`{entry.text[:80]}` is no path: `protect` takes paths, the rest belongs to `deny` or `ask`")
    wrong = globs.problem(entry.text)
    if wrong:
        raise ValueError(wrong)
    entry.argument = entry.text


def _read_requirement(entry: Entry) -> None:
    wanted = f"`{entry.text[:80]}`: write `Bash(git commit *) after Bash(npm test)`, or `Stop after Bash(npm test)`"
    trigger, cut, rest = entry.text.partition(" after Bash(")
    if not cut:
        raise ValueError(wanted)
    entry.pattern = _read_trigger(trigger) if trigger != "Stop" else None
    rest = "Bash(" + rest
    if ") and " in rest.lower() or "), " in rest:
        raise ValueError(f"`{entry.text[:80]}` asks for two: write an entry for each, or `or` where one will do")
    rest = rest.replace(") OR ", ") or ")
    steps = rest.strip().split(") or ")
    entry.after = [patterns.parse(step + ")") for step in steps[:-1]] + [patterns.parse(steps[-1])]
    if any([pattern.tool != "Bash" or not pattern.argument for pattern in entry.after]):
        raise ValueError(wanted)


def _read_trigger(text: str) -> Pattern:
    name, argument = patterns.split(text)
    near = _near(name)
    if text.lower() in _EVENTS or name in GUARDS:
        raise ValueError(f"`{text[:80]}` is no call: write one such as `Bash(git commit *)`, or `Stop`")
    if not _is_tool(name) or (near and name not in patterns.TOOLS):
        raise ValueError(_unknown(text, name, near, argument))
    return patterns.parse(text)


def _read_call(entry: Entry) -> None:
    name, argument = patterns.split(entry.text)
    if name in GUARDS:
        try:
            wrong: str = guard_module(name).problem(argument or "")
        except ImportError:
            raise ValueError(f"the guard `{name}` is missing: install memdir again") from None
        if wrong:
            raise ValueError(wrong)
        entry.guard, entry.argument = name, argument or ""
        return
    near = _near(name)
    if not _is_tool(name) or (near and name not in patterns.TOOLS):
        raise ValueError(_unknown(entry.text, name, near, argument))
    entry.pattern = patterns.parse(entry.text)


def _is_tool(name: str) -> bool:
    letters = name.replace("_", "").replace("-", "").replace("*", "")
    return name == "*" or name.startswith("mcp__") or (letters.isalnum() and name[0].isupper())


def _unknown(text: str, name: str, near: str, argument: "Optional[str]") -> str:
    if near:
        return f"`{name[:60]}` is not known; did you mean `{near}{'(…)' if argument is not None else ''}`?"
    if not name:
        return "an entry is empty: write a guard such as `no-force-push`, or a call such as `Bash(git push *)`"
    if _is_path(text):
        return f"`{text[:80]}` is no call: a path belongs to `protect`, or write `Edit({text[:60]})`"
    if " " in name:
        return f"`{text[:80]}` is no call: write `Bash({text[:60]})`"
    return f"`{name[:60]}` is not known: guards are {', '.join(GUARDS)}; a command is written `Bash({name[:60]} *)`"


def _is_path(text: str) -> bool:
    return " " not in text and ("/" in text or text[0] in ".~" or "*." in text)


def _near(name: str) -> str:
    """A known name that this one is a slip of; "" if there is none, or it is known itself."""
    if name in GUARDS or name in patterns.TOOLS or name.startswith("mcp__") or not 2 < len(name) < 40:
        return ""
    lower = name.lower().replace("_", "-")
    for known in (*GUARDS, *patterns.TOOLS):
        if _distance(lower, known.lower()) <= (2 if len(known) > 7 else 1 if len(known) > 3 else 0):
            return known
    return ""


def _distance(one: str, other: str) -> int:
    """How many letters have to be put in, left out, changed or swapped with their neighbour."""
    before: "list[int]" = []
    row = list(range(len(other) + 1))
    for at, char in enumerate(one, 1):
        before, row, last = row, [at], before
        for to, letter in enumerate(other, 1):
            best = min(before[to] + 1, row[to - 1] + 1, before[to - 1] + (char != letter))
            if at > 1 and to > 1 and char == other[to - 2] and one[at - 2] == letter:
                best = min(best, last[to - 2] + 1)
            row.append(best)
    return row[-1]


def _governs(text: str) -> "frozenset[str]":
    """The tools that a broken entry may be about."""
    name = text.strip().partition("(")[0].strip()
    name = name.partition(" after")[0]
    name = name if name in patterns.TOOLS else _near(name)
    if name in GUARDS:
        return _EVERYTHING
    if name:
        return frozenset([tool for tool in patterns.TOOLS if Pattern(name).covers(tool)])
    return frozenset({"Bash"}) if " " in text and "(" not in text and not _is_path(text) else _EVERYTHING


def guard_module(name: str) -> "Any":
    """The module of a guard, imported only when a rule is compiled or judged."""
    return __import__("memdir.rules.guards." + GUARDS[name], fromlist=["judge"])
