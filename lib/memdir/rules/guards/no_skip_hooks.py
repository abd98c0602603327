"""Stops what keeps git's hooks from running: `--no-verify`, `commit -n`, `core.hooksPath`, `HUSKY=0`, deleted hooks.

Leaves alone: `git push -n` (a dry run), `core.hooksPath` set to a directory that holds hooks.
"""

from memdir.rules.effects import changes
from memdir.rules.finding import ASK, DENY, Finding
from memdir.rules.options import last, parse, uncertain
from memdir.shell import git, outputs
from memdir.shell.arguments import ANY, known, open_ended, shown, shown_line
from memdir.shell.wrappers import program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memdir.shell.calls import Call, Machine

TOOLS = frozenset({"Bash"})
KEYWORDS = frozenset(
    """git hub git-commit git-push git-merge git-am git-rebase git-pull chmod rm mv unlink export declare typeset
    pre-commit husky lefthook""".split()
)
_HOOK_NAMES = frozenset(
    """applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg
    post-commit pre-rebase post-checkout post-merge pre-push""".split()
)
KEYWORDS |= _HOOK_NAMES

_INSTEAD = "Run it with the hooks, and mend what they report; if a hook itself is broken, tell the user."
_OFF = ("0", "false", "no", "off", "")
_HOOKS_PATH = "core.hookspath"
# The letters and names of options with a value; what means --no-verify besides.
_COMMANDS = {
    "commit": ("mFcCt", "message file author date template reuse-message reedit-message fixup squash cleanup trailer "
               "pathspec-from-file", "Su", "n"),
    "merge": ("mFsX", "message file strategy strategy-option into-name cleanup", "S", ""),
    "pull": ("sXjo", "strategy strategy-option jobs server-option upload-pack depth", "S", ""),
    "push": (git.PUSH_SHORT, git.PUSH_LONG, "", ""),
    "am": ("Cp", "whitespace directory exclude include patch-format quoted-cr empty", "S", "n"),
    "rebase": ("sxXC", "onto exec strategy strategy-option whitespace empty", "S", ""),
}  # fmt: skip
_OWN_HOOKS = ("pre-commit", "husky", "lefthook")


def problem(argument: str) -> str:
    return f"no-skip-hooks takes no argument; `{argument}` has no meaning." if argument else ""


def judge(call: "Call", argument: str, machine: "Machine", *, base: str = "") -> "Finding | None":
    name = program(call.argv)
    command = git.of_call(call, machine)
    if command:
        decision = _skipping(call.assigned) or _git(command, call, machine)
    elif name in ("export", "declare", "typeset"):
        decision = _exported(call)
    elif name in ("chmod", "rm", "mv", "unlink"):
        decision = _hook_files(name, call)
    else:
        decision = DENY if name in _OWN_HOOKS and call.argv[1:2] == ["uninstall"] else _overwrites(call, machine)
    if decision == DENY:
        return Finding(DENY, f"`{_shown(call)}` keeps git's hooks from running", _INSTEAD)
    return Finding(ASK, f"`{_shown(call)}` may keep git's hooks from running", _INSTEAD) if decision else None


def judge_line(calls: "Sequence[Call]", argument: str, machine: "Machine", *, base: str = "") -> "Finding | None":
    """What a group of commands, or nothing at all, puts into a hook: `{ echo ...; } > .husky/pre-commit`."""
    for call in calls:
        if not call.argv and any([_is_named_hook(path) for path in call.writes]):
            inner = [one for one in calls if call.start < one.start and one.end <= call.end]
            decision = _hollow(outputs.printed(inner, machine))
            if decision:
                verb = "keeps" if decision == DENY else "may keep"
                return Finding(decision, f"`{shown_line([], call.writes)}` {verb} git's hooks from running", _INSTEAD)
    return None


def _overwrites(call: "Call", machine: "Machine") -> str:
    """Whether it takes away what a hook does, or changes one that is there."""
    hooks = [effect for effect in changes(call, machine) if _is_named_hook(effect.path)] if call.argv else []
    hollow = _hollow(_given(call, machine)) if hooks and program(call.argv) != "touch" else ""
    changed = [hook.path for hook in hooks if "/.git/hooks/" in "/" + hook.path]
    return hollow or (ASK if any([machine.kind(path) for path in changed]) else "")


def _is_named_hook(path: str) -> bool:
    folder, _, name = path.rpartition("/")
    return name in _HOOK_NAMES and ("/" + folder).endswith(("/.git/hooks", "/.husky"))


def _given(call: "Call", machine: "Machine") -> str:
    """What a call leaves in the file that it writes; ANY where that is not known."""
    name = program(call.argv)
    options = parse(call.argv[1:], "s" if name == "truncate" else "", "size suffix mode owner group target-directory")
    sources = options.operands[:-1] if name in ("cp", "install", "ln") else []
    if name == "dd":
        sources = [word[3:] for word in call.argv[1:] if word[:3] == "if="]
    if name == "cat" and call.writes:
        sources = options.operands
    if sources:
        return "" if all([source in _EMPTY for source in sources]) else ANY
    if name == "truncate":
        return "" if options.value("s", "size").strip() == "0" else ANY
    if name in ("tee", "cat"):
        if call.input is not None or call.source == "/dev/null":
            return call.input or ""
        return outputs.printed(call.feeders, machine) if call.feeders else ANY
    return outputs.printed([call.without_writes()], machine) if call.writes else ANY


_EMPTY = ("/dev/null", "/bin/true", "/usr/bin/true")
_NO_ACTS = frozenset(["", "true", ":", "/bin/true"])
_ENDS = ("exit", "exit 0")


def _hollow(text: str) -> str:
    """What to say of a hook with this text: deny if it is empty or a bare `exit 0`. More may follow a mere `#!`."""
    lines = [line.strip().rstrip(";") for line in text.split("\n")]
    acts = [line for line in lines if line not in _NO_ACTS and line[:1] != "#"]
    if acts:
        return DENY if acts[0] in _ENDS else ""
    return ASK if text[:2] == "#!" and _NO_ACTS.isdisjoint([line for line in lines if line]) else DENY


def _shown(call: "Call") -> str:
    assigned = [f"{name}={shown(value)}" for name, value in call.assigned.items() if name in _VARIABLES]
    return " ".join([*assigned, shown_line(call.argv)])


# Variables

_ZERO = ("0", "false", "no", "off")
_VARIABLES: "dict[str, Callable[[str], bool]]" = {
    "HUSKY": lambda value: value in _ZERO,
    "LEFTHOOK": lambda value: value in _ZERO,
    "HUSKY_SKIP_HOOKS": lambda value: value not in _OFF,
    "SKIP_SIMPLE_GIT_HOOKS": lambda value: value not in _OFF,
    "OVERCOMMIT_DISABLE": lambda value: value not in _OFF,
    "PRE_COMMIT_ALLOW_NO_CONFIG": lambda value: value not in _OFF,
    "LEFTHOOK_EXCLUDE": lambda value: value != "",
    "SKIP": lambda value: value != "",
}


def _skipping(assigned: "dict[str, str]") -> str:
    decisions = [
        (DENY if known(value) else ASK)
        for name, value in assigned.items()
        if name in _VARIABLES and (open_ended(value) or (known(value) and _VARIABLES[name](value.lower())))
    ]
    return DENY if DENY in decisions else ASK if decisions else ""


def _exported(call: "Call") -> str:
    """SKIP is a word that other programs use too."""
    pairs = [word.partition("=") for word in call.argv[1:] if word[:1] != "-" and "=" in word]
    decision = _skipping({name: value for name, _, value in pairs if name != "SKIP"})
    return decision or (ASK if _skipping({name: value for name, _, value in pairs}) else "")


# Options and settings of git


def _git(command: git.Git, call: "Call", machine: "Machine") -> str:
    if any([key == _HOOKS_PATH for key, _ in git.settings(command)]):
        return DENY
    if command.subcommand == "config":
        return _config(command.args, call.cwd, machine)
    if command.subcommand == "commit-tree" or open_ended(command.subcommand):
        return ASK
    if command.subcommand not in _COMMANDS:
        foreign = command.subcommand not in git.COMMANDS
        return DENY if foreign and "--no-verify" in command.args else ""
    short, long, glued, letters = _COMMANDS[command.subcommand]
    options = parse(command.args, short, long, glued=glued)
    if last(options, ("no-verify", *letters), ("verify",)):
        return DENY
    return ASK if uncertain(command.args, options) else ""


def _config(args: "list[str]", cwd: str, machine: "Machine") -> str:
    """Setting core.hooksPath: fine for a directory that holds hooks."""
    options = parse(args, "f", "file blob type comment value default")
    words = options.operands[1:] if options.operands[:1] == ["set"] else options.operands
    reads = options.has("get", "get-all", "get-regexp", "unset", "unset-all") or words[:1] in (["get"], ["unset"])
    if reads or len(words) < 2 or words[0].lower() != _HOOKS_PATH:
        return ""
    folder = words[1]
    if not folder.strip() or folder.startswith("/dev/"):
        return DENY
    if not known(folder) or (folder[0] != "/" and not cwd):
        return ASK
    names = machine.names(folder if folder[0] == "/" else cwd + "/" + folder)
    return "" if any([name in _HOOK_NAMES for name in names]) else ASK


# Files


def _hook_files(name: str, call: "Call") -> str:
    words = call.argv[1:]
    options = parse([word for word in words if not (name == "chmod" and word[:1] == "-" and _is_mode(word))])
    operands = options.operands
    if name == "chmod":
        modes = [word for word in words if _is_mode(word)][:1]
        if not modes or _stays_executable(modes[0]):
            return ""
        operands = [word for word in operands if word != modes[0]]
    if name == "mv":
        operands = operands[:-1]
    return DENY if any([_is_hook(word, call.cwd) for word in operands]) else ""


def _is_mode(word: str) -> bool:
    return word.isdigit() or (set(word) <= set("ugoa+-=rwxXst,") and not set(word).isdisjoint("+-="))


def _stays_executable(mode: str) -> bool:
    """Whether the owner can run the file afterwards; what does not speak of running leaves it as it was."""
    if mode.isdigit():
        return bool(int(mode[-3:].zfill(3)[0]) & 1)
    for clause in mode.split(","):
        who, sign, what = clause.rstrip("rwxXst"), clause.rstrip("rwxXst")[-1:], clause[len(clause.rstrip("rwxXst")) :]
        concerned = not set(who) & set("ugo") or "u" in who
        if concerned and ((sign == "-" and "x" in what) or (sign == "=" and "x" not in what)):
            return False
    return True


def _is_hook(path: str, cwd: str) -> bool:
    whole = (path if path[:1] == "/" else cwd + "/" + path) + "/"
    return ("/.git/hooks/" in whole or "/.husky/" in whole) and not path.endswith(".sample")
