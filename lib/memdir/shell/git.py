"""The command line of git: its global options, its subcommand, aliases and what follows."""

from memdir.shell.arguments import ANY, NAME
from memdir.shell.wrappers import program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Optional

    from memdir.shell.calls import Call, Machine

_WITH_VALUE = frozenset(
    "-C -c --git-dir --work-tree --namespace --super-prefix --exec-path --config-env --attr-source".split()
)
MAX_ALIASES = 8
# The options of `git push` that take a value.
PUSH_SHORT = "o"
PUSH_LONG = "push-option receive-pack exec repo recurse-submodules"


class Git:
    """`git -C dir -c a=b push -f` as dir ["dir"], config ["a=b"], subcommand "push", args ["-f"].

    `shell` is the command line of an alias that begins with `!`, whose arguments `args` are. `args` may hold marks; a
    subcommand with a mark is not known. `folders` are those of -C, --work-tree and --git-dir, in their order.
    """

    __slots__ = ("args", "config", "folders", "shell", "subcommand")

    def __init__(self) -> None:
        self.folders: "list[str]" = []
        self.config: "list[str]" = []
        self.subcommand = ""
        self.args: "list[str]" = []
        self.shell = ""

    def operands(self) -> "list[str]":
        """The arguments that do not begin with a dash, and all after `--`. Values of options are among them."""
        before = self._before_dashes()
        return [word for word in before if word[:1] != "-"] + self.args[len(before) + 1 :]

    def has(self, short: str, long: str) -> bool:
        """Whether an option is there before `--`: the letter in a cluster, or the long form, perhaps cut short."""
        for word in self._before_dashes():
            if word[:1] == "-" and word[:2] != "--" and short in word[1:]:
                return True
            if word[:2] == "--" and len(word) > 4 and ("--" + long).startswith(word.split("=", 1)[0]):
                return True
        return False

    def _before_dashes(self) -> "list[str]":
        return self.args[: self.args.index("--")] if "--" in self.args else self.args


def parse(argv: "list[str]", machine: "Machine", cwd: str, assigned: "Optional[Mapping[str, str]]" = None) -> Git:
    """What `git ...` does, aliases resolved; `assigned` are variables that its configuration may come from."""
    git = Git()
    git.config = [f"{key}={value}" for key, value in _from_variables(assigned or {})]
    words = argv[1:]
    while words and words[0][:1] == "-":
        option, glued, value = words[0].partition("=")
        words = words[1:]
        if option in _WITH_VALUE and not glued:
            value = words[0] if words else ""
            words = words[1:]
        elif option[:2] in ("-C", "-c") and len(option) > 2:
            option, value = option[:2], option[2:] + glued + value
        if option in ("-C", "--work-tree", "--git-dir"):
            git.folders.append(value)
        elif option == "-c":
            git.config.append(value)
        elif option == "--config-env":
            git.config.append(value.split("=", 1)[0] + "=" + ANY)
    git.subcommand = words[0] if words else ""
    git.args = words[1:]
    _resolve_alias(git, machine, cwd)
    return git


def of_call(call: "Call", machine: "Machine") -> "Optional[Git]":
    """What a call of git does, also by the name `git-push` or through hub; None if it is something else."""
    name = program(call.argv)
    if name[:4] == "git-" and name[4:] in COMMANDS | {"subtree"}:
        return parse(["git", name[4:], *call.argv[1:]], machine, call.cwd, call.assigned)
    return parse(call.argv, machine, call.cwd, call.assigned) if name in ("git", "hub") else None


def settings(git: Git) -> "list[tuple[str, str]]":
    """Keys (in lower case) and values of git's configuration that the call itself brings, as options or variables."""
    given = [pair.partition("=") for pair in git.config]
    return [(key.lower(), value if equals else "true") for key, equals, value in given]


def _from_variables(assigned: "Mapping[str, str]") -> "list[tuple[str, str]]":
    found = []
    for name, key in assigned.items():
        if name.startswith("GIT_CONFIG_KEY_"):
            found.append((key, assigned.get("GIT_CONFIG_VALUE_" + name[15:], ANY)))
    for pair in split(assigned.get("GIT_CONFIG_PARAMETERS", "")):
        found.append((pair.partition("=")[0], pair.partition("=")[2]))
    return found


def _resolve_alias(git: Git, machine: "Machine", cwd: str) -> None:
    for _ in range(MAX_ALIASES):
        name = git.subcommand
        if not name or name in COMMANDS or ANY in name or NAME in name:
            return
        chosen = [
            pair.partition("=")[2] for pair in git.config if pair.partition("=")[0].lower() == f"alias.{name}".lower()
        ]
        text = chosen[-1] if chosen else machine.git_alias(name, cwd)
        if not text:
            return
        if text[0] == "!":
            git.shell = text[1:]
            return
        words = split(text)
        while words[:1] == ["-c"] and len(words) > 2:
            git.config.append(words[1])
            words = words[2:]
        if not words:
            return
        git.subcommand, git.args = words[0], words[1:] + git.args


def split(text: str) -> "list[str]":
    """The words of an alias, with git's quoting."""
    words: "list[str]" = []
    word: "list[str]" = []
    quote = ""
    begun = False
    at = 0
    while at < len(text):
        char = text[at]
        if not quote and char in " \t\n":
            if begun:
                words.append("".join(word))
            word, begun = [], False
        elif char == "\\" and quote != "'" and at + 1 < len(text):
            at += 1
            word.append(text[at])
            begun = True
        elif char == quote:
            quote = ""
        elif not quote and char in "\"'":
            quote = char
            begun = True
        else:
            word.append(char)
            begun = True
        at += 1
    return words + ["".join(word)] * begun


# What git 2.39 to 2.51 have themselves: an alias of such a name does not count.
COMMANDS = frozenset(
    """add am annotate apply archive backfill bisect blame branch bugreport bundle cat-file check-attr check-ignore
    check-mailmap check-ref-format checkout checkout-index cherry cherry-pick clean clone column commit commit-graph
    commit-tree config count-objects credential daemon describe diff diff-files diff-index diff-tree difftool
    fast-export fast-import fetch fetch-pack filter-branch for-each-ref for-each-repo format-patch fsck gc
    get-tar-commit-id grep gui hash-object help hook index-pack init init-db instaweb interpret-trailers log ls-files
    ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base merge-file merge-index merge-tree mergetool mktag
    mktree multi-pack-index mv name-rev notes p4 pack-objects pack-redundant pack-refs patch-id prune prune-packed pull
    push range-diff read-tree rebase receive-pack reflog refs remote repack replace replay request-pull rerere reset
    restore rev-list rev-parse revert rm send-email send-pack shortlog show show-branch show-index show-ref
    sparse-checkout stage stash status stripspace submodule switch symbolic-ref tag unpack-file unpack-objects
    update-index update-ref update-server-info upload-archive upload-pack var verify-commit verify-pack verify-tag
    version whatchanged worktree write-tree""".split()
)
