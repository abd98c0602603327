"""Why an entry that seems to be about a call has no opinion on it."""

from memdir.errors import MemdirError
from memdir.rules import entries, invocations, patterns
from memdir.rules.effects import DELETE, changes
from memdir.rules.globs import PathPattern
from memdir.rules.patterns import Pattern
from memdir.shell.arguments import joined, known, shown, shown_line
from memdir.shell.wrappers import program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

    from memdir.rules.decision import ToolCall
    from memdir.rules.rule import Entry, RuleFile
    from memdir.shell.calls import Call, CommandLine, Machine

MOST = 6  # a person reads no more
MOST_COMMANDS = 100
MOST_WORDS = 100  # of a command
_SHOWN = 3  # files of one call


def find(
    call: "ToolCall", line: "Optional[CommandLine]", files: "list[RuleFile]", machine: "Machine"
) -> "list[tuple[RuleFile, Entry, str]]":
    """The entries nearest to a call, each with a sentence on why it does not hold here."""
    found = []
    for file in files:
        for entry in file.entries:
            why = "" if entry.problem or entry.kind == "require" else _why(call, line, file, entry, machine)
            if why:
                found.append((file, entry, why))
    return found[:MOST]


def _why(call: "ToolCall", line: "Optional[CommandLine]", file: "RuleFile", entry: "Entry", machine: "Machine") -> str:
    if line is None:
        return _of_tool(call, file, entry, machine)
    for one in line.calls[:MOST_COMMANDS]:
        why = _of_command(one, file, entry, machine)
        if why:
            return why
    return ""


def _of_command(call: "Call", file: "RuleFile", entry: "Entry", machine: "Machine") -> str:
    if entry.kind == "protect":
        return _unprotected(call, PathPattern(entry.argument, file.base, machine.home), entry.argument, machine)
    if entry.guard:
        return _of_guard(call, entry)
    if entry.pattern is None:
        return ""
    if entry.pattern.covers("Bash"):
        return _of_pattern(entry.pattern, call, machine, file.base) if entry.pattern.argument else ""
    if entry.pattern.argument and entry.pattern.tool != "WebFetch":
        named = _named(call, PathPattern(entry.pattern.argument, file.base, machine.home), machine)
        if named:
            instead = "no-secrets-read(PATH)" if entry.pattern.tool == "Read" else "protect"
            return f"`{entry.pattern.tool}(…)` is about that tool and not about Bash; `{instead}` holds for both"
    return ""


def _named(call: "Call", pattern: PathPattern, machine: "Machine") -> str:
    """The argument that names a file of the pattern."""
    for word in [*call.argv[1:], *call.writes][:MOST_WORDS]:
        if word and known(word) and pattern.verdict(joined(call.cwd, word, machine.home), machine) == "yes":
            return word
    return ""


def _unprotected(call: "Call", pattern: PathPattern, text: str, machine: "Machine") -> str:
    named = _named(call, pattern, machine)
    effects = changes(call, machine)
    if named and not effects:
        return f"`{program(call.argv)}` is not known to change `{shown(named)}`, and reading is free"
    if not effects:
        return ""
    told = files_of(call, machine)
    return f"`{shown_line(call.argv, call.writes, most=60)}` {told}, and that is not `{text}`"


def files_of(call: "Call", machine: "Machine") -> str:
    """`changes a, deletes b`: what is known of what a call does to files; "" if nothing is."""
    told: "dict[str, None]" = {}
    for effect in changes(call, machine):
        path = effect.path
        inside = path[len(call.cwd) + 1 :] if call.cwd and path.startswith(call.cwd.rstrip("/") + "/") else path
        verb = ("deletes" if effect.kind == DELETE else "changes") if effect.sure else "may change"
        told[f"{verb} {'what is in ' if effect.tree else ''}{shown(inside)}"] = None
    return ", ".join(list(told)[:_SHOWN]) + (f" and {len(told) - _SHOWN} more" if len(told) > _SHOWN else "")


def _of_guard(call: "Call", entry: "Entry") -> str:
    guard = entries.guard_module(entry.guard)
    name = program(call.argv)
    said = guard.__doc__ or ""
    known_words = name.lower() in guard.KEYWORDS
    if not known_words or (name == "git" and not (set(call.argv[1:3]) & set(said.replace("`", " ").split()))):
        return ""
    alone = leaves_alone(entry.guard)
    return f"it knows `{name}`, and this call is none that it stops" + (f"; it leaves alone {alone}" if alone else "")


def leaves_alone(guard: str) -> str:
    """What a guard's docstring says it leaves alone."""
    for paragraph in (entries.guard_module(guard).__doc__ or "").split("\n\n"):
        if paragraph.startswith("Leaves alone: "):
            return " ".join(paragraph.split())[len("Leaves alone: ") :].rstrip(".")
    return ""


def _of_pattern(pattern: Pattern, call: "Call", machine: "Machine", base: str) -> str:
    words = invocations.words(pattern.argument)
    settings = []
    while len(words) > 1 and words[0].partition("=")[0].isidentifier() and "=" in words[0]:
        settings.append(words.pop(0))

    def fits(some: "list[str]") -> bool:
        try:
            return patterns.match(Pattern("Bash", _text(some)), call, machine, base) != "no"
        except (ValueError, MemdirError):
            return False

    if not fits([words[0], "*"]):
        return ""
    if settings and fits(words):
        return f"`{' '.join(settings)}` is not set for it"
    if fits([*words, "*"]):
        return f"the call has further arguments, which only a `*` at its end would take: `Bash({pattern.argument} *)`"
    for at, word in enumerate(words[1:], 1):
        if word[:1] == "-" and fits(words[:at] + words[at + 1 :]):
            return f"the call has no `{word}`"
    for at, word in enumerate(words[1:], 1):
        if fits([*words[:at], "*", *words[at + 1 :]]):
            return f"no `{word}` stands where the entry has it"
    agreed = max([end for end in range(1, len(words)) if fits([*words[:end], "*"])] or [1])
    return f"they agree as far as `{' '.join(words[:agreed])}`, and then the entry has `{' '.join(words[agreed:])}`"


def _text(words: "list[str]") -> str:
    """Words as a pattern has them."""
    return " ".join([word if _is_plain(word) else "'" + word.replace("'", "'\\''") + "'" for word in words])


def _is_plain(word: str) -> bool:
    return bool(word) and not any([char in " \t\"'" for char in word])


def _of_tool(call: "ToolCall", file: "RuleFile", entry: "Entry", machine: "Machine") -> str:
    if entry.guard:
        return ""
    summary = call.summary()
    if entry.kind == "protect":
        if call.tool in ("Read", "Grep", "Glob") and summary:
            path = joined(call.cwd, summary, machine.home)
            verdict = PathPattern(entry.argument, file.base, machine.home).verdict(path, machine)
            return "reading is free" if verdict != "no" else ""
        return f"`{shown(summary)}` is not `{entry.argument}`" if summary and call.tool in patterns.WRITERS else ""
    if entry.pattern is not None and entry.pattern.covers(call.tool) and entry.pattern.argument and summary:
        return f"`{shown(summary)}` is not `{entry.pattern.argument}`"
    return ""
