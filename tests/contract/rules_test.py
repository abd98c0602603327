"""Hard rules through the real hook: calls that public reports tell of, and the form of the answer."""

import json
import os
import subprocess

import pytest

from support.checkout import ROOT
from support.rules import write_rule

CASES = [
    json.loads(line) for line in (ROOT / "tests" / "data" / "rules" / "cases.jsonl").read_text("utf-8").splitlines()
]
ALL_GUARDS = (
    "no-recursive-delete, no-force-push, no-discard-changes, no-secrets-read, no-pipe-to-shell, no-skip-hooks, "
    '"no-content(: any in src/**/*.ts)"'
)


@pytest.fixture
def shop(project):
    """A project with the files that the cases are about."""
    for name in ("victim/a/b.txt", "sub/s.txt", "pool-refund-f/old-rf.txt", "-rf", "keep.txt", "untracked.txt",
                 "decoy.txt", ".env", ".env.example", "migrations/001.sql", "src/a.ts"):  # fmt: skip
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text("KEY=1\n")
    (project / "link-to-env").symlink_to(".env")
    return project


@pytest.fixture
def ask(run_hook, payload, shop):
    """ask(tool, input) -> (decision, reason) of the hook; "" without an opinion."""

    def call(tool, tool_input, **fields):
        done = run_hook("PreToolUse", payload("PreToolUse.Bash", tool_name=tool, tool_input=tool_input, **fields))
        assert (done.rc, done.stderr) == (0, b"")
        if not done.stdout:
            return "no_opinion", ""
        output = done.json["hookSpecificOutput"]
        assert set(output) == {"hookEventName", "permissionDecision", "permissionDecisionReason"}
        assert output["hookEventName"] == "PreToolUse"
        return output["permissionDecision"], output["permissionDecisionReason"]

    return call


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['id']} {case['title']}")
def test_a_reported_call_gets_the_right_decision(ask, shop, home, case):
    key = 'protect: ["/.env"]' if case["rule"] == "protect" else f"deny: [{case['rule']}]"
    write_rule(shop, "policy", key, "The team agreed on this.")
    text = json.dumps(case["input"]).replace("{project}", str(shop)).replace("{home}", str(home))
    decision, reason = ask(case["tool"], json.loads(text))
    assert decision in (case["decision"], case.get("or"))
    if decision != "no_opinion":
        assert "The team agreed on this." in reason
        assert ".claude/rules/policy.md:2" in reason


@pytest.mark.parametrize("case", CASES[::5], ids=lambda case: case["id"])
def test_the_command_line_decides_as_the_hook_does(ask, shop, home, payload, case):
    write_rule(shop, "policy", f"deny: [{ALL_GUARDS}]\nprotect: [.env]", "As agreed.")
    text = json.dumps(case["input"]).replace("{project}", str(shop)).replace("{home}", str(home))
    fields = {"tool_name": case["tool"], "tool_input": json.loads(text)}
    done = subprocess.run(
        [str(ROOT / "bin" / "memdir"), "rules", "check", "--json"],
        input=json.dumps(payload("PreToolUse.Bash", **fields)),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "CLAUDE_PROJECT_DIR": str(shop)},
    )
    answer = json.loads(done.stdout)
    assert set(answer) == {"decision", "rule", "reason"}
    assert (answer["decision"], answer["reason"]) == ask(case["tool"], json.loads(text))


# What a guard says without a rule file in front of it.


@pytest.mark.parametrize("key", ["", "paths: [src/**]\n", "description: deny all\n"])
def test_without_a_hard_rule_there_is_never_an_opinion(ask, shop, state_dir, key):
    (shop / ".claude" / "rules").mkdir(parents=True)
    (shop / ".claude" / "rules" / "soft.md").write_text(f"---\n{key}---\nNever run rm -rf. deny: everything\n")
    assert ask("Bash", {"command": "rm -rf victim"}) == ("no_opinion", "")
    assert not state_dir.exists()  # not even a line in the log


@pytest.mark.parametrize(
    ("tool_input", "decision"),
    [(None, "ask"), ([], "ask"), ("rm -rf x", "ask"), ({}, "ask"), ({"command": None}, "ask"), ({"command": 7}, "ask"),
     ({"command": ["rm", "-rf", "victim"]}, "deny"), ({"command": ["ls"]}, "ask"), ({"command": ""}, "no_opinion"),
     ({"command": "ls"}, "no_opinion"), ({"command": "ls \ud800"}, "no_opinion")],
)  # fmt: skip
def test_an_input_that_cannot_be_read_asks(ask, shop, tool_input, decision):
    write_rule(shop, "policy", "deny: [no-recursive-delete]", "As agreed.")
    assert ask("Bash", tool_input)[0] == decision


@pytest.mark.parametrize("stdin", [b"{", b'{"tool_name":"Bash"', b"[]\n", b"null\n", b"\xff\xfe\n"])
def test_a_payload_that_cannot_be_read_is_never_allowed(run_hook, shop, stdin):
    write_rule(shop, "policy", "deny: [no-recursive-delete]", "As agreed.")
    done = run_hook("PreToolUse", stdin)
    assert (done.rc, done.stderr) == (0, b"")
    assert done.json["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_the_reason_is_in_the_words_of_the_rule(ask, shop):
    write_rule(shop, "migrations", 'protect: ["migrations/**"]', "# 数据库\n\n已执行的迁移不可修改，请新增一个迁移。")
    decision, reason = ask(
        "Edit", {"file_path": str(shop / "migrations/001.sql"), "old_string": "a", "new_string": "b"}
    )
    assert decision == "deny"
    assert reason.startswith("已执行的迁移不可修改，请新增一个迁移。 memdir denied this: ")
    assert "migrations/001.sql" in reason
    assert "protect: migrations/**, .claude/rules/migrations.md:2" in reason


def test_a_broken_rule_asks_with_file_and_line(ask, shop):
    write_rule(shop, "policy", "deny:\n  - no-force-push\n  - no-recursiv-delete", "As agreed.")
    decision, reason = ask("Bash", {"command": "make"})
    assert decision == "ask"
    assert "policy.md:4" in reason
    assert "no-recursive-delete" in reason  # what was probably meant
    assert ask("Bash", {"command": "git push --force"})[0] == "deny"  # what can be read holds
    assert ask("Read", {"file_path": str(shop / "keep.txt")})[0] == "no_opinion"


def test_a_denial_is_in_the_log_without_its_secrets(ask, shop, state_dir):
    write_rule(shop, "policy", "deny: [no-recursive-delete]", "As agreed.")
    ask("Bash", {"command": "TOKEN=sk-ant-abcdefghijklmnopqrstuv rm -rf victim"})
    ask("Bash", {"command": "ls"})
    log = (state_dir / "log.jsonl").read_text()
    assert "sk-ant-abcdefg" not in log
    shown = subprocess.run(
        [str(ROOT / "bin" / "memdir"), "log", "--rules"],
        capture_output=True,
        text=True,
        check=True,
        env=dict(os.environ),
    ).stdout
    assert "deny  Bash: TOKEN=[redacted] rm -rf victim" in shown
    assert "no-recursive-delete" in shown
    assert "ls" not in shown.replace("rules", "")


# Whose rules hold


def test_a_project_cannot_loosen_the_user_s_rules(ask, shop, home):
    write_rule(home, "mine", "deny: [no-force-push]", "Mine.")
    write_rule(shop, "mine", "deny: []", "Nothing is forbidden here.")
    (shop / ".claude" / "memdir.yaml").write_text("rules.on: off\nexclude: [/]\n")
    (shop / ".claude" / "settings.json").write_text('{"env":{"MEMDIR_DISABLE":"1","MEMDIR_CONFIG":"/x"}}')
    assert ask("Bash", {"command": "git push -f"})[0] == "deny"


def test_the_user_s_word_comes_before_the_project_s(ask, shop, home):
    write_rule(shop, "theirs", 'deny: ["Bash(git push *)"]', "Theirs.")
    write_rule(home, "mine", "deny: [no-force-push]", "Mine.")
    assert ask("Bash", {"command": "git push -f"})[1].startswith("Mine.")
    write_rule(home, "mine", 'ask: ["Bash(git push *)"]', "Mine.")
    assert ask("Bash", {"command": "git push -f"}) == (
        "deny",
        ask("Bash", {"command": "git push"})[1].replace("git push`", "git push -f`"),
    )


def test_the_user_can_switch_rules_off(ask, shop, home):
    write_rule(shop, "policy", "deny: [no-force-push]", "As agreed.")
    (home / ".config" / "memdir").mkdir(parents=True)
    (home / ".config" / "memdir" / "config.yaml").write_text("rules.on: off\n")
    assert ask("Bash", {"command": "git push -f"})[0] == "no_opinion"


@pytest.mark.parametrize("place", ["root", "cwd", "project dir"])
def test_rules_are_found_from_the_root_down(run_hook, payload, project, place):
    below = project / "packages" / "web"
    below.mkdir(parents=True)
    write_rule(
        {"root": project, "cwd": below, "project dir": project / "packages"}[place],
        "policy",
        "deny: [no-force-push]",
        "x",
    )
    fields = {"tool_name": "Bash", "tool_input": {"command": "git push -f"}, "cwd": str(below)}
    done = run_hook(
        "PreToolUse",
        payload("PreToolUse.Bash", **fields),
        cwd=below,
        env={"CLAUDE_PROJECT_DIR": str(project / "packages")},
    )
    assert done.json["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_a_changed_rule_holds_at_once(ask, shop):
    write_rule(shop, "policy", "deny: [no-force-push]", "x")
    assert ask("Bash", {"command": "git push -f"})[0] == "deny"
    file = write_rule(shop, "policy", "deny: [no-skip-hooks]", "x")
    assert ask("Bash", {"command": "git push -f"})[0] == "no_opinion"
    stat = file.stat()
    file.write_text(file.read_text().replace("no-skip-hooks", "no-force-push"))
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert ask("Bash", {"command": "git push -f"})[0] == "deny"


# What the rules hang on

OWN = {
    "rule file by Edit": ("Edit", {"file_path": "{project}/.claude/rules/policy.md", "old_string": "a"}),
    "rule file by Write": ("Write", {"file_path": "{project}/.claude/rules/policy.md", "content": "x"}),
    "rule file by Bash": ("Bash", {"command": "echo > .claude/rules/policy.md"}),
    "rule file by sed": ("Bash", {"command": "sed -i s/deny/d/ .claude/rules/policy.md"}),
    "rule file moved away": ("Bash", {"command": "mv .claude/rules/policy.md /tmp/x"}),
    "folder deleted": ("Bash", {"command": "rm -rf .claude"}),
    "folder renamed": ("Bash", {"command": "mv .claude claude"}),
    "rule file of the user": ("Bash", {"command": "rm ~/.claude/rules/mine.md"}),
    "interpreter on record": ("Bash", {"command": "echo /bin/false > ~/.claude/memdir/python"}),
    "state": ("Bash", {"command": "rm -rf ~/.local/state/memdir"}),
    "configuration": ("Bash", {"command": "echo 'rules.on: off' >> ~/.config/memdir/config.yaml"}),
    "Claude without hooks": ("Bash", {"command": "claude -p hello --settings '{\"disableAllHooks\":true}'"}),
    "Claude with another home": ("Bash", {"command": "CLAUDE_CONFIG_DIR=/tmp/x claude -p hello"}),
    "plugin switched off": ("Bash", {"command": "claude plugin disable memdir@memdir"}),
    "Claude with the switch": ("Bash", {"command": "MEMDIR_DISABLE=1 claude -p hello"}),
}  # fmt: skip


@pytest.mark.parametrize("name", OWN)
def test_nobody_touches_what_the_rules_hang_on(ask, shop, home, state_dir, name):
    write_rule(shop, "policy", "deny: [no-skip-hooks]", "x")
    write_rule(home, "mine", "deny: [no-skip-hooks]", "x")
    (home / ".claude" / "memdir").mkdir()
    (home / ".claude" / "memdir" / "python").write_text("/usr/bin/python3\n")
    state_dir.mkdir(parents=True)
    (state_dir / "log.jsonl").write_text("")
    tool, tool_input = OWN[name]
    decision, reason = ask(tool, json.loads(json.dumps(tool_input).replace("{project}", str(shop))))
    assert decision == "deny"
    assert "protect-memdir" in reason


@pytest.mark.parametrize("file", [".claude/settings.json", ".claude/settings.local.json", "~/.claude/settings.json"])
def test_settings_are_changed_only_when_a_person_says_yes(ask, shop, file):
    write_rule(shop, "policy", "deny: [no-skip-hooks]", "x")
    assert ask("Bash", {"command": f"echo '{{}}' > {file}"})[0] == "ask"
    assert ask("Write", {"file_path": file.replace("~", os.environ["HOME"]), "content": "{}"})[0] == "ask"
    assert ask("Read", {"file_path": file})[0] == "no_opinion"


@pytest.mark.parametrize(
    "command", ["git stash", "git stash push -m x", "tar xzf a.tgz", "git apply x.patch", "unzip a.zip"]
)
def test_what_is_unpacked_over_the_project_is_no_matter_of_its_rule_files(ask, shop, command):
    write_rule(shop, "policy", "deny: [no-skip-hooks]", "x")
    assert ask("Bash", {"command": command})[0] == "no_opinion"


@pytest.mark.parametrize(
    ("rule", "command"),
    [("Bash(sudo *)", "sudo ls"), ("Bash(timeout *)", "timeout 5 make 2>/dev/null"), ("Bash(npx *)", "npx 'x'"),
     ("Bash(bash *)", "bash -c 'make'"), ("Bash(eval *)", "eval 'make'")],
)  # fmt: skip
def test_a_rule_about_a_wrapper_holds_on_its_own(ask, shop, rule, command):
    write_rule(shop, "policy", f'deny: ["{rule}"]', "x")
    assert ask("Bash", {"command": command})[0] == "deny"


@pytest.mark.parametrize(
    ("command", "decision"),
    [(": > .git/hooks/pre-commit", "deny"), ("cp /bin/true .git/hooks/pre-commit", "deny"),
     ("cp b.sh .git/hooks/pre-commit", "ask"),
     ("HUSKY=0; export HUSKY; git commit -m x", "deny"), ("cp a.sh .git/hooks/commit-msg", "no_opinion")],
)  # fmt: skip
def test_a_hook_that_is_there_is_changed_only_with_a_person_s_yes(ask, shop, command, decision):
    write_rule(shop, "policy", "deny: [no-skip-hooks]", "x")
    (shop / ".git" / "hooks").mkdir(exist_ok=True)
    (shop / ".git" / "hooks" / "pre-commit").write_text("#!/bin/sh\n")
    assert ask("Bash", {"command": command})[0] == decision


@pytest.mark.parametrize(
    ("command", "decision"),
    [("echo 'let x: any' > src/n.ts", "deny"), ("{ echo 'let x: any'; } > src/n.ts", "ask"),
     ("sed -i 's/orig/x: any/' src/*.ts", "ask"), ("echo 'let x: any' > n.ts; mv n.ts src/", "ask"),
     ("printf 'x\\072 any' > src/n.ts", "ask"), ("perl -pi -e 's/orig/x: any/' src/a.ts", "ask"),
     ("python3 -c \"open('src/n.ts','w').write('x: any')\"", "deny"), ("git commit -m 'no more : any'", "no_opinion"),
     ("grep -rn ': any' src > found.txt", "no_opinion"), ("echo 'x: any' > notes.md", "no_opinion")],
)  # fmt: skip
def test_forbidden_text_does_not_get_into_a_file(ask, shop, command, decision):
    write_rule(shop, "policy", 'deny: ["no-content(: any in src/**/*.ts)"]', "x")
    assert ask("Bash", {"command": command})[0] == decision


@pytest.mark.parametrize(
    "command", ['echo "$(<.env)"', "x=$(<.env); echo $x", "exec 3<.env; cat <&3", "cat 3<.env <&3"]
)
def test_a_secret_is_not_read_through_a_redirection(ask, shop, command):
    write_rule(shop, "policy", "deny: [no-secrets-read]", "x")
    assert ask("Bash", {"command": command})[0] == "deny"


def test_new_rule_files_and_other_files_may_be_written(ask, shop):
    write_rule(shop, "policy", "deny: [no-skip-hooks]", "x")
    for path in (".claude/rules/style.md", ".claude/commands/x.md", "CLAUDE.md"):
        assert ask("Write", {"file_path": str(shop / path), "content": "x"})[0] == "no_opinion"
