"""What a tool call does for `require`: the checks that it runs, whether their success shows, and what it changes."""

from memdir import evidence
from memdir.rules import effects, effects_edits, patterns, tool_files
from memdir.rules.effects_list import joined
from memdir.shell import git
from memdir.shell.arguments import ANY, NAME, known, shown
from memdir.shell.outcomes import Outcomes
from memdir.shell.wrappers import program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

    from memdir.rules.decision import ToolCall
    from memdir.rules.patterns import Pattern
    from memdir.rules.rule import RuleFile
    from memdir.shell.calls import Call, CommandLine, Machine

# Wrappers that end with the status of what they run.
_HONEST = frozenset(
    """sudo doas env command builtin exec nohup time timeout nice ionice chrt taskset stdbuf unbuffer caffeinate npx
    pnpx bunx npm pnpm yarn bun uv uvx poetry pdm pipenv pipx hatch bundle dotenv direnv mise asdf op doppler xvfb-run
    """.split()
)
# Options with which a check does not do its work.
_IDLE = frozenset(
    """--help -h --version --dry-run --collect-only --co --list --list-tests --listTests --showConfig --show-config
    --print-config""".split()
)
# Subcommands of git that put other contents into the worktree, besides those that `effects` knows of.
_MOVES = frozenset("am checkout cherry-pick merge pull rebase reset revert switch stash".split())
KEYWORDS = effects.KEYWORDS | _MOVES | {"cargo", "dart", "deno", "dotnet", "go", "mix", "terraform", "zig"}
_FORMATTERS = frozenset(
    "cargo fmt,cargo fix,dart format,deno fmt,dotnet format,go fmt,go generate,mix format,terraform fmt,zig fmt".split(
        ","
    )
)
# What lies in a project and is none of its files.
_APART = ("/.git", "/.claude/agent-memory", "/.claude/agent-memory-local", "/.claude/plans")


class Deeds:
    """What a tool call does. Directories of rules (`base`) are given without links."""

    def __init__(self, call: "ToolCall", line: "Optional[CommandLine]", machine: "Machine") -> None:
        self.call = call
        self.line = line
        self.machine = machine
        self._outcomes: "Optional[Outcomes]" = None

    @property
    def outcomes(self) -> Outcomes:
        if self._outcomes is None:
            self._outcomes = Outcomes(self.call.command or "")
        return self._outcomes

    def calls(self) -> "list[Call]":
        return self.line.calls if self.line is not None else []

    def runs(self, call: "Call", pattern: "Pattern", base: str) -> bool:
        """Whether a call is the check itself, in the directory of the rule, doing its work."""
        if call.implied or not call.cwd or not _IDLE.isdisjoint(call.argv):
            return False
        within = _is_inside(self.machine.real(call.cwd), base)
        return within and patterns.match(pattern, call, self.machine, base) == "yes"

    def succeeded_before(self, call: "Call", pattern: "Pattern", base: str) -> bool:
        """Whether the command line itself has run the check with success when it comes to this call."""
        certain = self.outcomes.before(call.start, call.end)
        calls = self.calls()
        for at, other in enumerate(calls):
            if other is call:
                return False
            if self._shows(other, certain) and self.runs(other, pattern, base):
                between = calls[at + 1 : calls.index(call)]
                if not any([self.changed(one, base) for one in between]):
                    return True
        return False

    def _shows(self, call: "Call", certain: "frozenset[tuple[int, int]]") -> bool:
        return (call.start, call.end) in certain and _HONEST.issuperset(call.via)

    def changed(self, call: "Call", base: str) -> str:
        """A file in `base` that a call may change, for a person; "" if none."""
        for effect in effects.changes(call, self.machine):
            if self._concerns(effect.path, base, tree=effect.tree):
                return _called(effect.path, base)
        if self._moves(call, base):
            return "the files of another commit"
        return "what a formatter found" if self._formats(call, base) else ""

    def _formats(self, call: "Call", base: str) -> bool:
        name, words = program(call.argv), call.argv[1:]
        if name.startswith("python") and words[:1] == ["-m"]:
            name, words = "".join(words[1:2]), words[2:]
        if " ".join([name, *words[:1]]) not in _FORMATTERS and not effects_edits.is_formatting(name, words):
            return False
        paths = [joined(call.cwd, word, self.machine) for word in words if word[:1] != "-"]
        return any([self._concerns(path, base, tree=True) for path in [*paths, call.cwd or ANY]])

    def _moves(self, call: "Call", base: str) -> bool:
        if program(call.argv) != "git":
            return False
        found = git.parse(call.argv, self.machine, call.cwd, call.assigned)
        folder = call.cwd
        for name in found.folders:
            folder = joined(folder, name, self.machine)
        words = found.operands()
        if found.subcommand not in _MOVES or not self._is_here(folder, base):
            return False
        if found.subcommand == "stash":
            return words[:1] in (["pop"], ["apply"], ["branch"])
        if found.subcommand in ("checkout", "switch") and len(words) < 2:
            return not (found.has("b", "no-such") or found.has("c", "create"))  # a new branch has the same files
        return found.subcommand != "reset"  # with --hard and its like it is an effect

    def _is_here(self, folder: str, base: str) -> bool:
        """Whether a worktree that git is called in may hold files of the project."""
        real = self.machine.real(folder) if known(folder) else folder
        return folder[:1] != "/" or _is_inside(real, base) or _is_inside(base, real)

    def _concerns(self, path: str, base: str, *, tree: bool = False) -> bool:
        """Whether a path that a call changes, or with `tree` all below it, may be a file of the project in `base`."""
        if path[:1] != "/":
            return True  # nobody knows where
        holes = [at for at in (path.find(ANY), path.find(NAME)) if at >= 0]
        start = path[: min(holes)].rpartition("/")[0] if holes else path
        real = self.machine.real(start) if known(start) else start
        if any([_is_inside(real, base + folder) for folder in _APART]):
            return False
        return _is_inside(real, base) or ((tree or bool(holes)) and _is_inside(base, real))

    # What is noted of a call

    def note(self, files: "list[RuleFile]") -> evidence.Note:
        """What this call does for the requirements of these files, and against them."""
        note = evidence.Note()
        note.tool = self.call.tool
        for file in files:
            required = [entry for entry in file.entries if entry.kind == "require" and not entry.problem]
            base = self.machine.real(file.base)
            if not required:
                continue
            if base not in note.inside:
                changed = self._changed_by_call(base)
                note.inside += [base] * bool(changed)
                note.changed = note.changed or changed
            for pattern in [pattern for entry in required for pattern in entry.after]:
                self._note_run(note, (base, pattern.argument), pattern)
        return note

    def _changed_by_call(self, base: str) -> str:
        if self.line is not None:
            return next(filter(None, [self.changed(call, base) for call in self.calls()]), "")
        files = tool_files.named(self.call.tool, self.call.input)
        for path in [file.path for file in files if file.act != tool_files.READ]:
            full = joined(self.call.cwd, path, self.machine)
            if self._concerns(full, base):
                return _called(full, base)
        return ""

    def _note_run(self, note: evidence.Note, check: "tuple[str, str]", pattern: "Pattern") -> None:
        if self.call.tool != "Bash" or check in note.runs or check in note.hidden:
            return
        calls = self.calls()
        places = [at for at, call in enumerate(calls) if self.runs(call, pattern, check[0])]
        if not places:
            return
        shown_ones = [at for at in places if self._shows(calls[at], self.outcomes.after)]
        last = shown_ones[-1] if shown_ones else -1
        stands = bool(shown_ones) and not any([self.changed(call, check[0]) for call in calls[last + 1 :]])
        (note.runs if stands else note.hidden).append(check)


def _called(path: str, base: str) -> str:
    if path == base:
        return "this directory"
    return shown(path[len(base) + 1 :] if _is_inside(path, base) else path)


def _is_inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")
