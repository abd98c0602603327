"""What git does to the files of a worktree: only what takes contents back, moves, removes or writes them.

Commands that move history (switch, pull, merge, rebase, cherry-pick, revert) are no edits of a file.
"""

from memdir.rules import patches
from memdir.rules.effects_archives import given_text, within
from memdir.rules.effects_copies import read_copy
from memdir.rules.effects_list import DELETE, joined
from memdir.rules.options import Options, parse
from memdir.shell.arguments import ANY, known
from memdir.shell.git import parse as parse_git

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from memdir.rules.effects_list import Effects
    from memdir.shell.git import Git

_GLOBS = frozenset("*?[")


def base_folder(effects: "Effects", words: "list[str]") -> "tuple[str, str]":
    """Where paths of the command line count from, and the root of its worktree; "" where that cannot be known."""
    folder = effects.cwd
    tree = effects.call.assigned.get("GIT_WORK_TREE", "")
    at = 0
    while at < len(words) and words[at][:1] == "-":
        option, equals, value = words[at].partition("=")
        separate = not equals and option in ("-C", "-c", "--work-tree", "--git-dir", "--namespace", "--config-env")
        value = words[at + 1] if separate and at + 1 < len(words) else value
        if option == "-C":
            folder = joined(folder, value, effects.machine)
        elif option == "--work-tree":
            tree = value
        at += 2 if separate else 1
    if folder[:1] != "/":
        return "", ""
    if tree:
        tree = joined(folder, tree, effects.machine)
        # git goes to the top of a worktree that it is not in
        return (folder if (folder + "/").startswith(tree + "/") else tree), tree
    return folder, (effects.machine.worktree(folder)[0] if known(folder) else "") or folder


class GitCall:
    """One call of git, with what its handlers need."""

    __slots__ = ("effects", "git", "root")

    def __init__(self, effects: "Effects", git: "Git", root: str) -> None:
        self.effects = effects
        self.git = git
        self.root = root

    def options(self, short: str = "", long: str = "", *, glued: str = "") -> Options:
        return parse(self.git.args, short, long + " pathspec-from-file", glued=glued)

    def specs(self, options: Options, operands: "list[str]") -> "list[tuple[str, bool]]":
        """Each path of pathspecs, and whether it stands for files that match below it."""
        found = []
        if options.has("pathspec-from-file"):
            found.append((self.root or ".", True))
        for spec in self.effects.expanded(operands):
            path = spec
            if spec[:2] in (":!", ":^") or spec.startswith(":(exclude"):
                continue
            if spec[:2] == ":/":
                path = within(self.root, spec[2:] or ".")
            elif spec[:2] == ":(":
                magic, _, path = spec.partition(")")
                path = within(self.root, path or ".") if "top" in magic else path or "."
            pieces = path.split("/")
            literal = [piece for piece in pieces if not _GLOBS & set(piece)]
            if len(literal) < len(pieces):
                path = "/".join(pieces[: [bool(_GLOBS & set(piece)) for piece in pieces].index(True)]) or (
                    path[:1] if path[:1] == "/" else "."
                )
            found.append((path, len(literal) < len(pieces)))
        return found

    def whole(self, kind: str = "write") -> None:
        add = self.effects.delete if kind == DELETE else self.effects.write
        add(self.root or ".", tree=True, sure=False)

    def take_back(self, options: Options, operands: "list[str]") -> None:
        """The contents of these pathspecs are written anew."""
        for path, several in self.specs(options, operands):
            self.effects.write(path, tree=self.effects.kind(path) != "file", sure=not several and path != ".")


def changes(effects: "Effects", words: "list[str]") -> None:
    git = parse_git(effects.call.argv, effects.machine, effects.cwd, effects.call.assigned)
    folder, root = base_folder(effects, words)
    effects.cwd = folder
    handler = SUBCOMMANDS.get(git.subcommand)
    if handler is not None and not git.shell:
        handler(GitCall(effects, git, root))


def checkout(call: GitCall) -> None:
    args = call.git.args
    options = call.options("bB", "orphan conflict")
    operands = options.operands
    if "--" in args:
        after = args[args.index("--") + 1 :]
        before = operands[: len(operands) - len(after)]
        operands = after
        branch = before[:1]
    elif operands and not call.effects.kind(operands[0]) and operands[0] not in (".", ".."):
        branch, operands = operands[:1], operands[1:]
    else:
        branch = []
    if operands or options.has("pathspec-from-file"):
        if not options.has("b", "B", "orphan"):
            call.take_back(options, operands)
    elif options.has("f", "force") or branch == [ANY]:
        call.whole()


def restore(call: GitCall) -> None:
    options = call.options("s", "source conflict")
    if not options.has("S", "staged") or options.has("W", "worktree"):
        call.take_back(options, options.operands)


def reset(call: GitCall) -> None:
    if call.options().has("hard", "merge", "keep"):
        call.whole()


def switch(call: GitCall) -> None:
    if call.options("cC", "create force-create orphan conflict").has("f", "force", "discard-changes"):
        call.whole()


def clean(call: GitCall) -> None:
    options = call.options("e", "exclude")
    free = any([pair.lower() in ("clean.requireforce=false", "clean.requireforce=0") for pair in call.git.config])
    if options.has("n", "dry-run") or not (free or options.has("f", "force", "i", "interactive")):
        return
    for path, _ in call.specs(options, options.operands or ["."]):
        call.effects.delete(path, tree=True, sure=False)


def stash(call: GitCall) -> None:
    args = call.git.args
    if args and args[0] not in ("push", "save") and args[0][:1] != "-":
        return
    rest = args[1:] if args and args[0] in ("push", "save") else args
    options = parse(rest, "m", "message pathspec-from-file")
    if options.operands and args[0] != "save":
        for path, _ in call.specs(options, options.operands):
            call.effects.write(path, tree=call.effects.kind(path) != "file", sure=False)
        return
    call.whole()
    if options.has("u", "a", "include-untracked", "all"):
        call.whole(DELETE)


def remove(call: GitCall) -> None:
    options = call.options()
    if options.has("cached", "n", "dry-run"):
        return
    for path, several in call.specs(options, options.operands):
        tree = several or (options.has("r") and call.effects.kind(path) != "file")
        call.effects.delete(path, tree=tree, sure=not several)


def move(call: GitCall) -> None:
    options = call.options()
    if options.has("n", "dry-run"):
        return
    for source, path in read_copy(call.effects, options.operands, "", "").pairs():
        tree = call.effects.kind(source) != "file"
        call.effects.delete(source, tree=tree)
        call.effects.write(path, tree=tree)


def apply(call: GitCall) -> None:
    options = call.options("pC", "directory include exclude whitespace exclude build-fake-ancestor")
    if options.has("cached") or (options.has("check", "stat", "numstat", "summary") and not options.has("apply")):
        return
    strip = options.value("p")
    _apply(call, options.operands, int(strip) if strip.isdecimal() else 1, options.value("directory"))


def apply_mails(call: GitCall) -> None:
    options = call.options("pCS", "directory include exclude whitespace patch-format", glued="S")
    if not options.has("abort", "continue", "skip", "quit", "r", "resolved", "show-current-patch", "retry"):
        _apply(call, options.operands, 1, options.value("directory"))


def _apply(call: GitCall, files: "list[str]", strip: int, folder: str) -> None:
    effects = call.effects
    for text in [effects.text(file) for file in files if file != "-"] or [given_text(effects)]:
        if text is None:
            effects.write(call.root or ".", tree=True, sure=False)
            continue
        for kind, path in patches.targets(text, strip):
            path = within(folder, path)
            # Names count from the root in a patch by git, and from the directory in another.
            path = within(call.root, path) if "diff --git " in text else path
            (effects.delete if kind == DELETE and not call.git.has("R", "reverse") else effects.write)(path)


def checkout_index(call: GitCall) -> None:
    options = call.options("", "prefix stage")
    prefix = options.value("prefix")
    if options.has("a", "all", "stdin"):
        if prefix:
            call.effects.write(prefix.rstrip("/") or "/", tree=True, sure=False)
        else:
            call.whole()
    for path in options.operands:
        call.effects.write(within(call.root, prefix + path) if prefix else path)


def read_tree(call: GitCall) -> None:
    if call.options("", "prefix index-output exclude-per-directory").has("u"):
        call.whole()


def worktree(call: GitCall) -> None:
    if call.git.args[:1] == ["remove"]:
        for path in parse(call.git.args[1:]).operands:
            call.effects.delete(path, tree=True)


def sparse(call: GitCall) -> None:
    if call.git.args[:1] in (["set"], ["reapply"], ["add"], ["disable"]):
        call.whole(DELETE)


def merge_file(call: GitCall) -> None:
    options = call.options("L", "marker-size")
    for path in [] if options.has("p", "stdout") else options.operands[:1]:
        call.effects.write(path)


def bundle(call: GitCall) -> None:
    if call.git.args[:1] == ["create"]:
        for path in parse(call.git.args[1:]).operands[:1]:
            call.effects.write(path)


def config(call: GitCall) -> None:
    options = call.options("f", "file blob type default comment value")
    if len(options.operands) > 1 or options.has("unset", "unset-all", "add", "replace-all", "e", "edit"):
        for path in options.values("f", "file"):
            call.effects.write(path)


def output(call: GitCall) -> None:
    options = call.options("o", "output output-directory")
    for path in options.values("output"):
        call.effects.write(path)


def archive(call: GitCall) -> None:
    for path in call.options("o", "output prefix format remote exec add-file").values("o", "output"):
        call.effects.write(path)


def format_patch(call: GitCall) -> None:
    options = call.options("o", "output-directory output")
    if not options.has("stdout", "output"):
        call.effects.write(within(options.value("o", "output-directory"), "0" + ANY + ".patch"), sure=False)
    output(call)


SUBCOMMANDS: "dict[str, Callable[[GitCall], None]]" = {
    "am": apply_mails, "apply": apply, "archive": archive, "bundle": bundle, "checkout": checkout,
    "checkout-index": checkout_index, "clean": clean, "config": config, "diff": output, "format-patch": format_patch,
    "log": output, "merge-file": merge_file, "mv": move, "read-tree": read_tree, "reset": reset, "restore": restore,
    "rm": remove, "show": output, "sparse-checkout": sparse, "stash": stash, "switch": switch, "worktree": worktree,
}  # fmt: skip
