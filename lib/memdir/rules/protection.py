"""Files that no call may change: whether what a call does touches one of them."""

from memdir.rules import tool_files
from memdir.rules.effects import DELETE, Effect, changes, links
from memdir.rules.effects_list import joined
from memdir.rules.finding import ASK, DENY, Finding
from memdir.shell.arguments import ANY, NAME, QUESTION, STAR, fits, has_glob, known, shown, shown_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Optional

    from memdir.rules.globs import PathPattern
    from memdir.shell.calls import Call, Machine

LONGEST = 80  # characters of a command line in a sentence
WALK = 2_000  # names that are looked at to see whether a search would find a protected file
DEEPEST = 12  # links through links
_ANYTHING = ANY + NAME + STAR + QUESTION + "/"
_UNWALKED = (".git", "node_modules")
_NAME_IT = "Write out the path of the file that is meant."


def judge(call: "Call", patterns: "Sequence[PathPattern]", machine: "Machine") -> "Optional[Finding]":
    """Whether a call changes a protected file: deny if it does, ask if that is only known when it runs."""
    return judge_all([call], patterns, machine)


def judge_all(
    calls: "Sequence[Call]", patterns: "Sequence[PathPattern]", machine: "Machine", *, unpacked: bool = True
) -> "Optional[Finding]":
    """The same for the calls of a command line, in their order: what one of them links to counts for the next.

    Without `unpacked`, what may or may not be written in a whole folder (an archive, a patch, a stash) does not count.
    """
    made: "list[tuple[str, str]]" = []
    asked: "Optional[Finding]" = None
    for call in calls if patterns else []:
        for effect in changes(call, machine):
            if not unpacked and effect.tree and not effect.sure and effect.kind != DELETE:
                continue
            finding = _finding(call, effect, made, patterns, machine)
            if finding is not None and finding.decision == DENY:
                return finding
            asked = asked or finding
        made += links(call, machine)
    return asked


def _finding(
    call: "Call", effect: Effect, made: "list[tuple[str, str]]", patterns: "Sequence[PathPattern]", machine: "Machine"
) -> "Optional[Finding]":
    found = None
    for path in _names(effect, made):
        for pattern in patterns:
            decision = _decision(call, effect, path, pattern, machine)
            if decision == DENY:
                return Finding(DENY, _clause(effect, path, call, machine, sure=True))
            if decision == ASK and found is None:
                found = Finding(ASK, _clause(effect, path, call, machine, sure=False), "" if known(path) else _NAME_IT)
    return found


def _names(effect: Effect, made: "list[tuple[str, str]]") -> "list[str]":
    """The path, and what it is when links are followed that the same command line has made."""
    names = [effect.path]
    for name in names:
        for link, target in made:
            through = name.startswith(link + "/")
            # to delete a link leaves what it leads to
            if (through or (name == link and effect.kind != DELETE)) and len(names) < DEEPEST:
                followed = target + name[len(link) :]
                names += [followed] * (followed not in names)
    return names


def _decision(call: "Call", effect: Effect, path: str, pattern: "PathPattern", machine: "Machine") -> str:
    if not known(path) and not has_glob(path[:1]) and not path.strip(_ANYTHING):
        return ASK if ANY in path else ""
    verdict = pattern.verdict(path, machine)
    if verdict == "yes":
        # a path from an unknown directory could lead elsewhere
        return DENY if effect.sure and path[:1] == "/" else ASK
    if effect.chosen:
        return ""  # what of it is protected may be what the program leaves out
    if not known(path):
        if path[0] in (ANY, NAME) and not _ends_alike(path, pattern, machine):
            return ""
        return ASK if _existing(call, effect, path, pattern, machine, guess=verdict == "maybe") else ""
    return _below(effect, path, pattern, machine) if effect.tree else ""


def _ends_alike(path: str, pattern: "PathPattern", machine: "Machine") -> bool:
    """Whether the known end of a path that begins with a hole is what the pattern names, not just any file."""
    rest = path.lstrip(ANY + NAME).lstrip("/")
    last = pattern.text.rstrip("/*").rpartition("/")[2]
    return bool(rest) and (pattern.matches(rest, machine) or rest.rpartition("/")[2] == last)


def _below(effect: Effect, folder: str, pattern: "PathPattern", machine: "Machine") -> str:
    """What a change of everything below a folder means for a pattern."""
    if folder[:1] != "/":
        return ASK if folder in (".", "..") or folder[:3] == "../" else ""
    if pattern.below(folder, machine) != "yes":
        return ""
    return DENY if effect.sure and effect.kind == DELETE else ASK


def _existing(
    call: "Call", effect: Effect, path: str, pattern: "PathPattern", machine: "Machine", *, guess: bool
) -> bool:
    """Whether a path with marks can be a protected file; where only files that exist are meant, whether there is one.

    `find . -name '*.tmp' -delete` finds what is there. `guess` is the answer where that cannot be looked up.
    """
    if effect.kind != DELETE and not any([step.startswith("find") for step in call.via]):
        return guess
    first = min([path.find(mark) % (len(path) + 1) for mark in (ANY, NAME)])
    folder = path[:first].rpartition("/")[0] or "/"
    if first == len(path) or path[:1] != "/" or not known(folder):
        return guess
    if machine.kind(folder) != "dir":
        return guess and machine.kind("/") != "dir"  # nothing is there, unless the machine knows nothing at all
    if not guess and not effect.tree:
        return False
    waiting = [folder]
    left = WALK
    for inside in waiting:
        for name in machine.names(inside):
            left -= 1
            if not left:
                return guess
            each = f"{inside.rstrip('/')}/{name}"
            if fits(path, each) and _touches(effect, each, pattern, machine):
                return True
            inner = name not in _UNWALKED and machine.kind(each) == "dir"
            if inner and machine.real(each) == machine.real(inside).rstrip("/") + "/" + name:  # no link
                waiting.append(each)
    return False


def _touches(effect: Effect, path: str, pattern: "PathPattern", machine: "Machine") -> bool:
    return pattern.verdict(path, machine) == "yes" or (effect.tree and pattern.below(path, machine) == "yes")


def _clause(effect: Effect, path: str, call: "Call", machine: "Machine", *, sure: bool) -> str:
    verb = "deletes" if effect.kind == DELETE else "changes"
    name = _short(path, call.cwd)
    command = shown_line(call.argv, call.writes, most=LONGEST)
    if effect.chosen and sure:
        return f"this changes files such as {name} ({command})"
    if not known(path):
        return f"this may change a protected file, as {name} is only known when it runs ({command})"
    if effect.tree and (not sure or path != effect.path or machine.kind(path) != "file"):
        name = f"files in {'this directory' if name == '.' else name}"
    return f"this {verb if sure else 'may ' + verb[:-1]} {name} ({command})"


def _short(path: str, cwd: str) -> str:
    if cwd and path == cwd:
        return "."
    return shown(path[len(cwd) + 1 :] if cwd and path.startswith(cwd.rstrip("/") + "/") else path)


def judge_tool(
    tool: str, tool_input: "dict[str, Any]", cwd: str, patterns: "Sequence[PathPattern]", machine: "Machine"
) -> "Optional[Finding]":
    """Whether a call of an editing tool changes a protected file. Of MCP servers, tools that are named for a change."""
    for file in tool_files.named(tool, tool_input):
        if file.act == tool_files.READ:
            continue
        path = machine.home + file.path[1:] if file.path == "~" or file.path[:2] == "~/" else file.path
        full = joined(cwd, path, machine)
        for pattern in patterns:
            if pattern.verdict(full, machine) == "yes":
                return Finding(DENY if full[:1] == "/" else ASK, f"this changes {_short(full, cwd)} ({tool})")
            if file.act == tool_files.REMOVE and pattern.below(full, machine) == "yes":
                return Finding(DENY, f"this changes files in {_short(full, cwd)} ({tool})")
    return None
