"""Stops a push that overwrites what others have on the remote; `no-force-push(strict)` stops --force-with-lease too.

Leaves alone: `git push`, `--force-with-lease`, `push --dry-run`, deleting a remote branch.
"""

from memdir.rules.finding import ASK, DENY, Finding
from memdir.rules.options import last, parse, uncertain
from memdir.shell import git
from memdir.shell.arguments import may_start, open_ended, shown_line
from memdir.shell.wrappers import program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.shell.calls import Call, Machine

TOOLS = frozenset({"Bash"})
KEYWORDS = frozenset("git remote hub gh git-push git-send-pack git-subtree".split())
STRICT = "strict"

_OFF = ("0", "false", "no", "off", "")


def problem(argument: str) -> str:
    if argument in ("", STRICT):
        return ""
    return f"`{argument}` has no meaning in no-force-push; its only argument, strict, forbids --force-with-lease too."


def judge(call: "Call", argument: str, machine: "Machine", *, base: str = "") -> "Finding | None":
    if program(call.argv) == "gh":
        decision = _gh(call.argv[1:])
    else:
        command = git.of_call(call, machine)
        decision = _git(command, call, argument) if command else ""
    if decision == DENY:
        return Finding(DENY, f"`{shown_line(call.argv)}` overwrites what others have on the remote", _instead(argument))
    if decision == ASK:
        return Finding(ASK, f"`{shown_line(call.argv)}` may lead to a forced push", _instead(argument))
    return None


def _instead(argument: str) -> str:
    lease = "" if argument == STRICT else "; for a branch that is yours alone, `git push --force-with-lease`"
    return f"Take up what the remote has (`git pull --rebase`) and push without force{lease}."


def _git(command: git.Git, call: "Call", argument: str) -> str:
    args = command.args
    if command.subcommand == "push":
        return _push(args, git.settings(command), argument)
    if command.subcommand == "send-pack" or (command.subcommand == "subtree" and args[:1] == ["push"]):
        return _push(args, [], argument)
    if command.subcommand == "config":
        return _config(args)
    if command.subcommand == "remote":
        options = parse(args, "tm")
        return ASK if options.operands[:1] == ["add"] and "push" in options.values("mirror") else ""
    return ASK if open_ended(command.subcommand) else ""


def _push(args: "list[str]", configured: "list[tuple[str, str]]", argument: str) -> str:
    options = parse(args, git.PUSH_SHORT + "P", git.PUSH_LONG + " prefix")
    if last(options, ("n", "dry-run"), ("no-dry-run",)):
        return ""
    forced = last(options, ("f", "force"), ("no-force",)) or last(options, ("mirror", "m"), ("no-mirror",))
    if forced or any([word[:1] == "+" for word in options.operands]):
        return DENY
    if argument == STRICT and last(options, ("force-with-lease",), ("no-force-with-lease",)):
        return DENY
    decisions = [_setting(key, value) for key, value in configured]
    if DENY in decisions:
        return DENY
    doubtful = uncertain(args, options) or any([open_ended(word) and may_start(word, "+") for word in options.operands])
    return ASK if doubtful or ASK in decisions else ""


def _setting(key: str, value: str) -> str:
    """What a setting does to pushes: `remote.NAME.push` with a `+`, or `remote.NAME.mirror`."""
    if key[:7] != "remote.":
        return ""
    if key.endswith(".push"):
        return DENY if value[:1] == "+" else ASK if open_ended(value) and may_start(value, "+") else ""
    return DENY if key.endswith(".mirror") and value.lower() not in _OFF else ""


def _config(args: "list[str]") -> str:
    """`git config [set] remote.NAME.push +...`: every later push would overwrite."""
    options = parse(args, "f", "file blob type comment value default")
    words = options.operands
    if words[:1] == ["set"]:
        words = words[1:]
    return ASK if len(words) > 1 and _setting(words[0].lower(), words[1]) else ""


def _gh(words: "list[str]") -> str:
    """`gh repo sync OWNER/FORK --force`, or a branch that is set through the API with `force`."""
    options = parse(words, "RbsXFfHq", "repo branch source method field raw-field header jq")
    operands = options.operands
    if operands[:2] == ["repo", "sync"] and len(operands) > 2:
        return DENY if ("force", None) in options.found or ("force", "true") in options.found else ""
    if operands[:1] == ["api"] and any(["/git/refs/" in word for word in operands]):
        return DENY if "force=true" in options.values("F", "f", "field", "raw-field") else ""
    return ""
