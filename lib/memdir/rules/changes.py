"""What a call changes of a project: files, what git brings, what a formatter finds.

A `place` is the directory of a rule without links: that which holds its `.claude` or, where something happens in
another worktree of its repository, the same directory there.
"""

from memdir.rules import effects, effects_edits
from memdir.rules.effects_list import joined
from memdir.rules.ignored import Ignored
from memdir.shell import git
from memdir.shell.arguments import ANY, NAME, known, shown
from memdir.shell.wrappers import program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.rules.rule import RuleFile
    from memdir.shell.calls import Call, Machine

_FOLDER_OPTIONS = ("-C", "--dir", "--prefix", "--cwd", "--directory", "--project-dir")
# Subcommands of git that put other contents into the worktree, besides those that `effects` knows of.
_MOVES = frozenset("am checkout cherry-pick merge pull rebase reset revert switch stash".split())
_FORMATTERS = frozenset(
    [
        *("cargo fmt", "cargo fix", "dart format", "deno fmt", "dotnet format", "go fmt", "go generate"),
        *("mix format", "terraform fmt", "tofu fmt", "zig fmt"),
    ]
)
_PACKAGES = {
    "npm": frozenset(["install", "i", "add", "uninstall", "remove", "update", "audit fix", "version", "pkg set"]),
    "pnpm": frozenset(["install", "i", "add", "remove", "update", "up", "version"]),
    "yarn": frozenset(["add", "remove", "up", "upgrade", "version"]),
    "bun": frozenset(["install", "i", "add", "remove", "update"]),
    "uv": frozenset(["add", "remove", "lock", "version"]),
    "poetry": frozenset(["add", "remove", "update", "lock", "version"]),
    "pdm": frozenset(["add", "remove", "update", "lock"]),
    "cargo": frozenset(["add", "remove", "update", "upgrade"]),
    "go": frozenset(["get", "mod tidy", "mod edit"]),
    "bundle": frozenset(["add", "remove", "update"]),
    "composer": frozenset(["require", "remove", "update"]),
    "git": frozenset(["submodule update"]),
    "pre-commit": frozenset(["run"]),
}
KEYWORDS = effects.KEYWORDS | _MOVES | {"cargo", "dart", "deno", "dotnet", "go", "mix", "terraform", "tofu", "zig"}
KEYWORDS |= {act.split()[0] for acts in _PACKAGES.values() for act in acts} | {"pre-commit"}
# With these a formatter only says what it would do.
_ONLY_LOOKS = frozenset(
    """--check -check --check-formatted --verify-no-changes --dry-run --diff -diff --output=none -w=false
    --list-different""".split()
)
# What lies in a project and is none of its files.
_APART = ("/.git", "/.claude/agent-memory", "/.claude/agent-memory-local", "/.claude/plans")


class Changes:
    """Of calls on one machine."""

    def __init__(self, machine: "Machine") -> None:
        self._machine = machine
        self._ignored = Ignored(machine)
        self._found: "dict[tuple[Call, str], dict[str, str]]" = {}

    def place(self, file: "RuleFile", path: str) -> str:
        """The place of a rule that a path lies in; "" if it lies in none."""
        base = self._machine.real(file.base)
        real = self._machine.real(path) if known(path) else path
        root, repository = self._machine.worktree(real)
        own, same = self._machine.worktree(base)
        if root and own and root != own and repository == same and _is_inside(base, own):
            base = root + base[len(own) :]
        return base if _is_inside(real, base) else ""

    def folder(self, call: "Call") -> str:
        """The directory that a call works in, as its options have it; "" if it cannot be known."""
        folder = call.cwd
        words = [*call.argv[1:], ""]
        for at, word in enumerate(words):
            name, equals, value = word.partition("=")
            if name in _FOLDER_OPTIONS and folder and (equals or words[at + 1 :]):
                folder = joined(folder, value if equals else words[at + 1], self._machine)
        return folder if folder[:1] == "/" and known(folder) else ""

    def of(self, call: "Call", file: "RuleFile") -> "dict[str, str]":
        """The places of a rule in which a call may change files, and one of these in each."""
        key = call, file.base
        if key not in self._found:
            self._found[key] = self._look(call, file)
        return self._found[key]

    def _look(self, call: "Call", file: "RuleFile") -> "dict[str, str]":
        found: "dict[str, str]" = {}
        for effect in effects.changes(call, self._machine):
            if not effect.chosen:  # see _formatted
                self.add(found, file, effect.path, tree=effect.tree)
        if self._moves(call):
            self.add(found, file, self.folder(call) or ANY, tree=True, name="the files of another commit")
        if _writes_packages(call):
            self.add(found, file, self.folder(call) or ANY, tree=True, name="what names the packages")
        for path in self._formatted(call):
            self.add(found, file, path, tree=True, name="what a formatter finds")
        return found

    def add(self, found: "dict[str, str]", file: "RuleFile", path: str, *, tree: bool = False, name: str = "") -> None:
        place = self._concerned(file, path, tree=tree)
        if place:
            found.setdefault(place, name or _called(path, place))

    def _concerned(self, file: "RuleFile", path: str, *, tree: bool) -> str:
        """The place in which a change of a path, or with `tree` of all below it, may be one of a project's files."""
        base = self._machine.real(file.base)
        if path[:1] != "/":
            return base  # nobody knows where
        holes = [at for at in (path.find(ANY), path.find(NAME)) if at >= 0]
        start = path[: min(holes)].rpartition("/")[0] if holes else path
        place = self.place(file, start or "/")
        real = self._machine.real(start) if known(start) else start
        if not place:
            return base if (tree or holes) and _is_inside(base, real) else ""
        if any([_is_inside(real, place + folder) for folder in _APART]) or _in_a_worktree(real[len(place) :]):
            return ""
        ignored = known(start) and real != place and self._ignored.has(real, place, tree=tree and not holes)
        return "" if ignored else place

    def _moves(self, call: "Call") -> bool:
        """Whether git brings the files of another commit."""
        if program(call.argv) != "git":
            return False
        found = git.parse(call.argv, self._machine, call.cwd, call.assigned)
        words = found.operands()
        if found.subcommand not in _MOVES:
            return False
        if found.subcommand == "stash":
            return words[:1] in (["pop"], ["apply"], ["branch"])
        if found.subcommand in ("checkout", "switch") and len(words) < 2:
            new = {"-b", "-B", "-c", "-C", "--create", "--force-create", "--orphan"}
            return new.isdisjoint(found.args)  # a new branch has the same files
        return found.subcommand != "reset"  # with --hard and its like it is an effect

    def _formatted(self, call: "Call") -> "list[str]":
        """Where a formatter looks for files that it writes."""
        name, words = program(call.argv), call.argv[1:]
        if name.startswith("python") and words[:1] == ["-m"]:
            name, words = "".join(words[1:2]), words[2:]
        writes = " ".join([name, *words[:1]]) in _FORMATTERS or effects_edits.is_formatting(name, words)
        if not writes or any([word.partition("=")[0] in _ONLY_LOOKS or word in _ONLY_LOOKS for word in words]):
            return []
        paths = [joined(call.cwd, word, self._machine) for word in words if word[:1] != "-"]
        return [*[path for path in paths if self._machine.kind(path)], call.cwd or ANY]


def _writes_packages(call: "Call") -> bool:
    """Whether a package manager changes the files that name the packages."""
    words = [word for word in call.argv[1:] if word[:1] != "-"]
    acts = _PACKAGES.get(program(call.argv), frozenset())
    if len(words) > 1 and " ".join(words[:2]) in acts:
        return True
    if words[:1] in (["install"], ["i"]):
        return words[0] in acts and len(words) > 1  # alone it installs what the files name
    return bool(words) and words[0] in acts


def _called(path: str, place: str) -> str:
    """A file for a person."""
    if path == place:
        return "this directory"
    return shown(path[len(place) + 1 :] if _is_inside(path, place) else path)


def _in_a_worktree(inside: str) -> bool:
    """Whether a path in a project lies in a worktree that Claude Code keeps there for its agents."""
    return inside.startswith("/.claude/worktrees/")


def _is_inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")
