"""Stops programs that delete directories with everything in them: `rm -r`, `find -delete`, `rsync --delete`.

Leaves alone: `rm FILE`, `rmdir`, `git rm -r`, `rsync -n --delete`.
"""

from memdir.rules.finding import ASK, DENY, Finding
from memdir.rules.options import parse, uncertain
from memdir.shell import git
from memdir.shell.arguments import may_be, open_ended, shown_line
from memdir.shell.wrappers import program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.shell.calls import Call, Machine

TOOLS = frozenset({"Bash"})
KEYWORDS = frozenset("rm grm srm unlink find gfind rsync git rimraf aws gsutil gcloud rclone".split())

_INSTEAD = "Name the files (`rm FILE...`, then `rmdir` for the empty directories), or ask the user to delete it."
# Programs that keep their files elsewhere: the words that begin the deletion, and the options that make it recursive.
_STORES = {
    "aws": (["s3", "rm"], ("recursive",)),
    "gsutil": (["rm"], ("r", "R", "recursive")),
    "gcloud": (["storage", "rm"], ("r", "R", "recursive")),
    "rclone": (["purge"], ()),
}


def problem(argument: str) -> str:
    return f"no-recursive-delete takes no argument; `{argument}` has no meaning." if argument else ""


def judge(call: "Call", argument: str, machine: "Machine", *, base: str = "") -> "Finding | None":
    look = _PROGRAMS.get(program(call.argv))
    decision, what = look(call, machine) if look else ("", "")
    if not decision:
        return None
    stands_for = f", which is what `{call.via[-1]}` does," if call.implied and call.via else ""
    return Finding(decision, f"`{shown_line(call.argv)}`{stands_for} {what}", _INSTEAD)


_NOTHING = "", ""
_TREE = DENY, "deletes directories with everything in them"
_FOUND = DENY, "deletes whatever is found, however deep"
_MAYBE = ASK, "may delete directories with everything in them: what stands for `…` could be the option for that"


def _rm(call: "Call", machine: "Machine") -> "tuple[str, str]":
    words = call.argv[1:]
    options = parse(words)
    if options.has("r", "R", "recursive"):
        return _TREE
    if options.operands and _gets_what_is_found(call):
        return _FOUND
    return _MAYBE if uncertain(words, options) else _NOTHING


def _gets_what_is_found(call: "Call") -> bool:
    """Whether `find` or `fd` hands over all files below a directory, one by one."""
    if call.via[-1:] in (("find -exec",), ("fd --exec",)):
        return True
    searches = [feeder.argv for feeder in call.feeders if program(feeder.argv) in ("find", "fd", "fdfind")]
    return "xargs" in call.via and any([not _is_shallow(words) for words in searches])


def _is_shallow(words: "list[str]") -> bool:
    given = [*words, *[f"{word} {value}" for word, value in zip(words, words[1:])]]
    return not _SHALLOW.isdisjoint(given)


_SHALLOW = frozenset(["-maxdepth 0", "-maxdepth 1", "-d 1", "-d1", "--max-depth 1", "--max-depth=1"])


def _unlink(call: "Call", machine: "Machine") -> "tuple[str, str]":
    return _FOUND if _gets_what_is_found(call) else _NOTHING


def _find(call: "Call", machine: "Machine") -> "tuple[str, str]":
    words = call.argv[1:]
    if "-delete" in words:
        return _FOUND
    return _MAYBE if any([open_ended(word) and may_be(word, "-delete") for word in words]) else _NOTHING


def _rsync(call: "Call", machine: "Machine") -> "tuple[str, str]":
    words = call.argv[1:]
    options = parse(words, "efMBT@", "rsh rsync-path filter exclude include exclude-from include-from files-from")
    names = [name for name, _ in options.found]
    if "n" in names or "dry-run" in names:
        return _NOTHING
    if any([name == "del" or name[:6] == "delete" for name in names]):
        return DENY, "deletes all that the source does not have"
    return _MAYBE if uncertain(words, options) else _NOTHING


def _rimraf(call: "Call", machine: "Machine") -> "tuple[str, str]":
    return _TREE if parse(call.argv[1:]).operands else _NOTHING


def _git_rm(call: "Call", machine: "Machine") -> "tuple[str, str]":
    """Without --force git deletes only what it can give back."""
    command = git.parse(call.argv, machine, call.cwd, call.assigned)
    options = parse(command.args, "", "pathspec-from-file")
    if command.subcommand != "rm" or options.has("cached", "n", "dry-run"):
        return _NOTHING
    return _TREE if options.has("r") and options.has("f", "force") else _NOTHING


def _store(call: "Call", machine: "Machine") -> "tuple[str, str]":
    words, recursive = _STORES[program(call.argv)]
    options = parse(call.argv[1:], "o", "profile region project")
    if options.operands[: len(words)] != words or options.has("dryrun", "dry-run"):
        return _NOTHING
    return _TREE if not recursive or options.has(*recursive) else _NOTHING


_PROGRAMS = {
    "rm": _rm,
    "srm": _rm,
    "unlink": _unlink,
    "find": _find,
    "rsync": _rsync,
    "rimraf": _rimraf,
    "git": _git_rm,
    **dict.fromkeys(_STORES, _store),
}
