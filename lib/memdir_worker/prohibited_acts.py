"""What a person forbids, as the keys of a rule: the acts that `proposals` knows the words for.

Each has calls that it stops, and calls beside them that it leaves alone, as the examples of the rule.
"""

from memdir_worker import prohibited_paths
from memdir_worker.commands_said import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import Any, Optional

    # deny, ask, protect, require → entries; examples → decision → calls
    Rule = dict[str, Any]

_WITHOUT_BRANCH = ("git push", "git push origin", "git push * HEAD")  # which one it is shows when they run


def denied(deny: "list[str]", stopped: "list[str]", free: "list[str]") -> "Rule":
    return {"deny": deny, "examples": {"deny": stopped, "allow": free}}


def asked(act: "Rule") -> "Rule":
    """The same as a question. What is protected cannot be asked about; the edits can."""
    paths = act.get("protect", [])
    examples = act["examples"]
    calls = [call for call in examples["deny"] if not paths or call.startswith("Edit(")]
    wanted = [*act.get("deny", []), *act.get("ask", []), *[f"Edit({path})" for path in paths]]
    return {"ask": wanted, "examples": {"ask": calls + examples.get("ask", []), "allow": examples.get("allow", [])}}


def joined(rules: "list[Rule]", *, alike: bool) -> "Rule":
    """Several as one. What one of them leaves alone another may stop, unless they are `alike`."""
    whole: "Rule" = {"examples": {}}
    for rule in rules:
        for key, listed in rule.items():
            for inner, calls in listed.items() if key == "examples" else ((key, listed),):
                into = whole["examples"] if key == "examples" else whole
                if alike or key != "examples" or inner == "deny" or len(rules) == 1:
                    into[inner] = list(dict.fromkeys([*into.get(inner, []), *calls]))
    return whole


def amend(_: "re.Match[str]") -> "Rule":
    return denied(["Bash(git commit --amend *)"], ["git commit --amend"], ["git commit -m x"])


def rebase(_: "re.Match[str]") -> "Rule":
    return denied(["Bash(git rebase *)"], ["git rebase main"], ["git merge main"])


def commits(_: "re.Match[str]") -> "Rule":
    return denied(["Bash(git commit *)"], ["git commit -m x"], ["git status"])


def pushes(_: "re.Match[str]") -> "Rule":
    return denied(["Bash(git push *)"], ["git push"], ["git pull"])


def push_to(found: "re.Match[str]") -> "Rule":
    branch = found["branch"]
    sample = branch.replace("*", "1.2")
    forms = [branch, f"+{branch}", f"*:{branch}", f"refs/heads/{branch}", f"*:refs/heads/{branch}"]
    stopped = [f"git push origin {sample}", f"git push origin HEAD:{sample}"]
    rule = denied([f"Bash(git push * {form} *)" for form in forms], stopped, ["git push origin my-branch", "git pull"])
    rule["ask"] = [f"Bash({words})" for words in _WITHOUT_BRANCH]
    rule["examples"]["ask"] = ["git push"]
    return rule


def force_push(_: "re.Match[str]") -> "Rule":
    return denied(["no-force-push"], ["git push --force", "git push origin +main"], ["git push"])


def force_push_to(found: "re.Match[str]") -> "Rule":
    branch = found["branch"]
    sample = branch.replace("*", "1.2")
    forms = [f"--force * {branch}", f"--force * *:{branch}", f"* +{branch}"]
    stopped = [f"git push --force origin {sample}", f"git push origin +{sample}"]
    rule = denied([f"Bash(git push {form} *)" for form in forms], stopped, [f"git push origin {sample}"])
    rule["ask"] = ["Bash(git push --force)", "Bash(git push --force origin)"]
    return rule


def skip_hooks(_: "re.Match[str]") -> "Rule":
    return denied(["no-skip-hooks"], ["git commit --no-verify -m x"], ["git commit -m x"])


def discard(_: "re.Match[str]") -> "Rule":
    return denied(["no-discard-changes"], ["git reset --hard"], ["git stash"])


def read_secrets(found: "re.Match[str]") -> "Rule":
    name = found["secret"]
    sample = name.replace("*", "").rstrip(".")
    entry = "no-secrets-read" if name in (".env", ".env.local") else f"no-secrets-read({name})"
    return denied([entry], [f"cat {sample}", f"Read({sample})"], ["cat README.md"])


def delete_branches(found: "re.Match[str]") -> "Rule":
    there, stopped = ["Bash(git push --delete *)"], ["git push origin --delete topic"]
    if found["remote"]:
        return denied(there, stopped, ["git branch -D topic"])
    here = ["Bash(git branch -d *)", "Bash(git branch -D *)"]
    return denied(here + there, ["git branch -D topic", *stopped], ["git branch topic"])


def pull_requests(found: "re.Match[str]") -> "Rule":
    act = "merge" if found["act"].lower().startswith("merg") else "create"
    return denied([f"Bash(gh pr {act} *)"], [f"gh pr {act}"], ["gh pr view"])


def run(found: "re.Match[str]") -> "Optional[Rule]":
    words = command(found["command"], used=found["used"] is not None)
    if words in ("git push --force", "git push -f"):
        return force_push(found)
    return denied([f"Bash({words} *)"], [words], []) if words else None


def protect(found: "re.Match[str]", project: str) -> "Optional[Rule]":
    folder = found["folder"] is not None or bool(found["inside"])
    paths = prohibited_paths.patterns(found["path"], project, folder=folder)
    if not paths:
        return None
    samples = [prohibited_paths.sample(path) for path in paths[:2]]
    stopped = [f"Edit({name})" for name in samples] + [f"sed -i s/a/b/ {samples[0]}"]
    return {"protect": paths, "examples": {"deny": stopped, "allow": [f"Read({samples[0]})"]}}
