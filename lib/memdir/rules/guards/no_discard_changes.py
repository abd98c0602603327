"""Stops git commands that throw away uncommitted work: `checkout -- FILE`, `restore`, `reset --hard`, `clean -f`.

Leaves alone: `git restore --staged`, `git reset --soft`, `git clean -n`, `git stash pop`, changing the branch, `rm
FILE`.
"""

from memdir.rules.finding import ASK, DENY, Finding
from memdir.rules.options import Options, last, parse, uncertain
from memdir.shell import git
from memdir.shell.arguments import NAME, has_glob, known, open_ended, shown_line
from memdir.shell.wrappers import program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memdir.shell.calls import Call, Machine
    from memdir.shell.git import Git

TOOLS = frozenset({"Bash"})
KEYWORDS = frozenset(
    """git hub git-checkout git-switch git-restore git-reset git-clean git-stash git-checkout-index git-read-tree
    git-worktree git-submodule git-rm""".split()
)

_PATHS = "throws away uncommitted changes of the files it names"
_ALL = "throws away all uncommitted changes"
_STASH = "`git stash push [-- FILE...]` takes the changes away and keeps them."
_INSTEAD = {
    "reset": "`git stash push -u` keeps the changes; then `git reset --keep COMMIT` moves the branch.",
    "clean": "`git clean -n` lists the files; `git stash push -u` takes them away and keeps them.",
    "stash": "Leave the stash where it is; `git stash apply` uses it and keeps it.",
    "worktree": "Commit or stash in that work tree first, then remove it without --force.",
    "submodule": "Commit or stash inside the submodule first, then do it without --force.",
    "rm": "Leave -f away: git then refuses where changes would be lost. `git rm --cached` keeps the file.",
}
_FALSE = ("0", "false", "no", "off", "")


def problem(argument: str) -> str:
    return f"no-discard-changes takes no argument; `{argument}` has no meaning." if argument else ""


def judge(call: "Call", argument: str, machine: "Machine", *, base: str = "") -> "Finding | None":
    command = git.of_call(call, machine)
    if command is None:
        return None
    instead = _INSTEAD.get(command.subcommand, _STASH)
    if open_ended(command.subcommand):
        found = ASK, "may throw away uncommitted work: its command is only known when it runs"
    else:
        look = _COMMANDS.get(command.subcommand)
        found = look(_Git(command, call, machine)) if look else _NOTHING
    return Finding(found[0], f"`{shown_line(call.argv)}` {found[1]}", instead) if found[0] else None


def judge_line(calls: "Sequence[Call]", argument: str, machine: "Machine", *, base: str = "") -> "Finding | None":
    """`git checkout` of what another call of the line lists: names of files, and not of a branch."""
    for call in calls:
        command = git.of_call(call, machine)
        if command and command.subcommand == "checkout" and NAME in command.args:
            options = parse(command.args, "bB", "orphan")
            inside = [one for one in calls if call.start < one.start and one.end <= call.end]
            if not options.has("b", "B", "orphan") and any([_lists_files(one) for one in [*inside, *call.feeders]]):
                what = "throws away uncommitted changes where the names that it is given are those of files"
                return Finding(ASK, f"`{shown_line(call.argv)}` {what}", _STASH)
    return None


def _lists_files(call: "Call") -> bool:
    words = call.argv[1:]
    name = program(call.argv)
    if name in ("git", "hub"):
        return "ls-files" in words or "--name-only" in words or ("grep" in words and "-l" in words)
    listed = name in ("grep", "rg") and any([word in ("-l", "-rl", "-lr", "--files-with-matches") for word in words])
    return listed or name in ("find", "fd", "fdfind")


_NOTHING = "", ""


class _Git:
    """A command of git, and where it runs."""

    def __init__(self, command: "Git", call: "Call", machine: "Machine") -> None:
        self.args = command.args
        self.settings = git.settings(command)
        self.machine = machine
        self.folder = call.cwd
        for folder in command.folders:
            self.folder = folder if folder[:1] == "/" else self.folder and self.folder + "/" + folder

    def doubt(self, options: Options) -> "tuple[str, str]":
        if uncertain(self.args, options):
            return ASK, "may throw away uncommitted work: what stands for `…` could be the option for that"
        return _NOTHING

    def is_path(self, word: str) -> bool:
        """Whether git takes the only operand of checkout for a path and not for a branch."""
        if has_glob(word) or word in (".", "..") or word.startswith((":", "./", "../", "/")):
            return True
        if not known(word) or not self.folder or not word:
            return word[-1:] == "/"
        return word[-1] == "/" or "*" in word or bool(self.machine.kind(self.folder + "/" + word))


def _checkout(git: _Git) -> "tuple[str, str]":
    options = parse(git.args, "bB", "orphan conflict pathspec-from-file")
    if last(options, ("f", "force"), ("no-force",)):
        return DENY, _ALL
    if options.has("b", "B", "orphan", "detach", "d"):
        return _NOTHING
    after = git.args[git.args.index("--") + 1 :] if "--" in git.args else []
    before = options.operands[: len(options.operands) - len(after)]
    paths = after or before[1:] or [word for word in before if git.is_path(word)]
    if paths or options.has("p", "patch", "pathspec-from-file"):
        return _one_side(options) or (DENY, _PATHS)
    return (ASK, _MAYBE_PATH) if any([open_ended(word) for word in before]) else git.doubt(options)


_MAYBE_PATH = "may throw away uncommitted changes: what stands for `…` could be a path or an option"


def _one_side(options: Options) -> "tuple[str, str] | None":
    """Ours or theirs is how conflicts are resolved, and also how a resolution is lost."""
    if options.has("ours", "theirs"):
        return ASK, "throws away what the files hold now, for one side of the merge"
    return None


def _switch(git: _Git) -> "tuple[str, str]":
    options = parse(git.args, "cC", "create force-create orphan conflict")
    if last(options, ("f", "force"), ("no-force",)) or last(options, ("discard-changes",), ("no-discard-changes",)):
        return DENY, _ALL
    return git.doubt(options)


def _restore(git: _Git) -> "tuple[str, str]":
    options = parse(git.args, "s", "source conflict pathspec-from-file")
    staged = last(options, ("S", "staged"), ("no-staged",))
    if last(options, ("W", "w", "worktree"), ("no-worktree",)) or not staged:
        return _one_side(options) or (DENY, _PATHS)
    return git.doubt(options)


def _reset(git: _Git) -> "tuple[str, str]":
    options = parse(git.args, "U", "pathspec-from-file unified inter-hunk-context")
    if last(options, ("hard", "h", "merge"), ("soft", "mixed", "keep")):
        return DENY, _ALL
    return git.doubt(options)


def _clean(git: _Git) -> "tuple[str, str]":
    options = parse(git.args, "e", "exclude")
    if last(options, ("n", "dry-run"), ("no-dry-run",)):
        return _NOTHING
    unguarded = [value for key, value in git.settings if key == "clean.requireforce"][-1:]
    if last(options, ("f", "force"), ("no-force",)) or (unguarded and unguarded[0].lower() in _FALSE):
        return DENY, "deletes files that git does not have"
    if options.has("i", "interactive"):
        return ASK, "deletes files that git does not have"
    return git.doubt(options)


def _stash(git: _Git) -> "tuple[str, str]":
    words = [word for word in git.args if word not in ("-q", "--quiet")]
    if words[:1] in (["drop"], ["clear"]):
        return DENY, "throws away saved work"
    return (ASK, "may throw away saved work") if words and open_ended(words[0]) else _NOTHING


def _checkout_index(git: _Git) -> "tuple[str, str]":
    options = parse(git.args, "", "prefix stage")
    if options.has("prefix", "temp"):
        return _NOTHING
    return (DENY, _PATHS) if last(options, ("f", "force"), ("no-force",)) else git.doubt(options)


def _read_tree(git: _Git) -> "tuple[str, str]":
    options = parse(git.args, "", "prefix index-output exclude-per-directory")
    if options.has("reset") and options.has("u") and not options.has("n", "dry-run"):
        return DENY, _ALL
    return git.doubt(options)


def _worktree(git: _Git) -> "tuple[str, str]":
    options = parse(git.args)
    if options.operands[:1] == ["remove"] and last(options, ("f", "force"), ("no-force",)):
        return DENY, "deletes a work tree with its uncommitted changes"
    return _NOTHING


def _submodule(git: _Git) -> "tuple[str, str]":
    options = parse(git.args, "bj", "branch reference depth jobs name")
    if options.operands[:1] in (["update"], ["deinit"]) and last(options, ("f", "force"), ("no-force",)):
        return DENY, "throws away uncommitted changes in submodules"
    return _NOTHING


def _rm(git: _Git) -> "tuple[str, str]":
    options = parse(git.args, "", "pathspec-from-file")
    if options.has("cached", "n", "dry-run"):
        return _NOTHING
    if last(options, ("f", "force"), ("no-force",)):
        return DENY, "deletes files together with their uncommitted changes"
    return git.doubt(options)


_COMMANDS = {
    "checkout": _checkout,
    "switch": _switch,
    "restore": _restore,
    "reset": _reset,
    "clean": _clean,
    "stash": _stash,
    "checkout-index": _checkout_index,
    "read-tree": _read_tree,
    "worktree": _worktree,
    "submodule": _submodule,
    "rm": _rm,
}
