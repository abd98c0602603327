"""`require`: what counts as having succeeded, what takes it back, and what the model is told."""

import json
import os
import subprocess

import pytest

from memdir import enforcement, evidence, paths
from memdir.rules import entries
from support.checkout import ROOT
from support.rules import write_rule

LINT = 'require: ["Bash(git commit *) after Bash(pnpm lint)"]'
EDITS = ("Edit", "Write", "NotebookEdit")


class Story:
    """A session in which one call follows the other."""

    def __init__(self, project, state_dir, session_id="5e55"):
        self.project = project
        self.state_dir = str(state_dir)
        self.session_id = session_id
        self.count = 0

    def judge(self, tool, given, cwd=None):
        """memdir's decision on a call, which is then running."""
        self.count += 1
        session = self.session(cwd)
        call_id = f"toolu_{self.session_id}_{self.count}"
        return enforcement.judge(session, session.rules(), tool, given, call_id)[1]

    def session(self, cwd=None):
        where = str(cwd or self.project)
        return enforcement.Session(where, str(self.project), os.environ, self.state_dir, self.session_id)

    def end(self, outcome=evidence.SUCCEEDED, back=0):
        """How the last call ended, or the one so many before it."""
        self.session().evidence().end(f"toolu_{self.session_id}_{self.count - back}", outcome)

    def bash(self, command, outcome=evidence.SUCCEEDED, cwd=None):
        found = self.judge("Bash", {"command": command}, cwd)
        if found.decision != "deny":
            self.end(outcome)
        return found

    def edit(self, path, tool="Edit", outcome=evidence.SUCCEEDED):
        key = "notebook_path" if tool == "NotebookEdit" else "file_path"
        assert self.judge(tool, {key: str(path)}).decision == "no_opinion"
        self.end(outcome)

    def commit(self):
        return self.judge("Bash", {"command": "git commit -m x"})


@pytest.fixture
def story(project, state_dir):
    (project / "src").mkdir()
    for name in ("src/a.ts", "b.txt"):
        (project / name).write_text("x\n")
    return Story(project, state_dir)


@pytest.fixture
def linted(story):
    write_rule(story.project, "commit", LINT, "Clean.")
    story.bash("pnpm lint")
    assert story.commit().decision == "no_opinion"
    return story


def test_the_denial_says_exactly_what_to_run(story):
    write_rule(story.project, "commit", LINT, "Clean.")
    found = story.commit()
    assert found.decision == "deny"
    assert found.reason == (
        "Clean. memdir denied this: `git commit -m x` has to come after `pnpm lint`, which has not been run in this "
        "session (require: Bash(git commit *) after Bash(pnpm lint), .claude/rules/commit.md:2). Run `pnpm lint` "
        "first; when it succeeds, go on."
    )


@pytest.mark.parametrize(
    "command",
    [
        "pnpm lint",
        "pnpm lint --max-warnings 0",
        "cd src && pnpm lint",
        "pnpm lint 2>&1",
        "pnpm lint > /dev/null",
        "pnpm lint > /tmp/lint.log 2>&1",
        "CI=1 timeout 60 pnpm lint",
        "set -o pipefail; pnpm lint | tail -5",
        "pnpm lint || exit 1",
        "sed -i s/a/b/ src/a.ts && pnpm lint",
        "pnpm test; pnpm lint",
        "pnpm lint && pnpm test",
        "npx pnpm lint",
        "pnpm lint && git add -A && git status",
        "pnpm run lint",
        "corepack pnpm lint",
        "pnpm -C . lint",
        "pnpm lint -- --max-warnings 0",
        "pnpm lint > lint.log 2>&1",
        "if ! pnpm lint; then exit 1; fi",
        "out=$(pnpm lint 2>&1)",
        'MSG=$(mktemp) && pnpm lint && echo x > "$MSG"',
    ],
)
def test_it_counts(story, command):
    write_rule(story.project, "commit", LINT, "Clean.")
    story.bash(command)
    assert story.commit().decision == "no_opinion"


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("pnpm lint | tail -5", "hid whether it succeeded"),
        ("pnpm lint || true", "hid whether it succeeded"),
        ("pnpm lint; echo done", "hid whether it succeeded"),
        ("! pnpm lint", "hid whether it succeeded"),
        ("pnpm lint & wait", "hid whether it succeeded"),
        ("if pnpm lint; then echo ok; fi", "hid whether it succeeded"),
        ("bash -c 'pnpm lint'", "was run in `bash -c`, where its outcome is not seen"),
        ("find . -name x -exec pnpm lint \\;", "has not been run"),
        ("pnpm lint --help", "was run with `--help`, with which it does not do its work"),
        ("echo pnpm lint", "has not been run"),
        ("pnpm() { true; }; pnpm lint", "has not been run"),
        ("npm lint", "has not been run"),
        ("pnpm lint src", "has not been run"),
        ("pnpm -C /tmp lint", "was run in /tmp, not in "),
        ("pnpm --dir /tmp lint", "was run in /tmp, not in "),
        ("pnpm --filter web lint", "was run with `--filter`, which leaves out a part of it"),
        ("pnpm lint --if-present", "with which it does not do its work"),
        ("cd /tmp && pnpm lint", "was run in /tmp, not in "),
        ('cd "$(cat dir)" && pnpm lint', "was run in another directory, not in "),
        ("pnpm lint && sed -i s/a/b/ src/a.ts", "but its command line changed src/a.ts after it"),
        ("pnpm lint && git pull", "but its command line changed the files of another commit after it"),
    ],
)
def test_it_does_not_count(story, command, told):
    write_rule(story.project, "commit", LINT, "Clean.")
    story.bash(command)
    found = story.commit()
    assert (found.decision, told in found.reason) == ("deny", True), found.reason


def test_the_denial_is_as_the_documentation_shows_it(story):
    write_rule(story.project, "commit", LINT, "A commit has to be clean.")
    story.bash("pnpm lint")
    story.edit(story.project / "src" / "a.ts")
    assert f"```\n{story.commit().reason}\n```" in (ROOT / "docs" / "rules.md").read_text("utf-8")


@pytest.mark.parametrize("tool", EDITS)
def test_an_edit_takes_it_back(linted, tool):
    linted.edit(linted.project / "src" / "a.ts", tool)
    assert f"which succeeded before the last change (src/a.ts, {tool})" in linted.commit().reason


@pytest.mark.parametrize(
    ("command", "named"),
    [
        ("sed -i s/a/b/ src/a.ts", "src/a.ts"),
        ("echo x >> b.txt", "b.txt"),
        ("cd src; rm a.ts", "src/a.ts"),
        ('python3 -c \'open("src/a.ts", "w")\'', "src/a.ts"),
        ("for f in src/*.ts; do sed -i s/a/b/ $f; done", "src/a.ts"),
        ("grep -rl x src | xargs sed -i s/x/y/", "…"),
        ("tar xf x.tar", "this directory"),
        ("git pull --rebase", "the files of another commit"),
        ("git checkout main", "the files of another commit"),
        ("git stash pop", "the files of another commit"),
        ("git reset --hard", "this directory"),
        ("cd ..; rm -rf project/src", "src"),
        ("git apply x.patch", "this directory"),
        ("npx prettier --write .", "what a formatter finds"),
        ("cd src && ruff format", "what a formatter finds"),
        ("python -m black src", "what a formatter finds"),
        ("cargo fmt", "what a formatter finds"),
    ],
)
def test_a_command_that_changes_files_takes_it_back(linted, command, named):
    linted.bash(command)
    found = linted.commit()
    assert (found.decision, f"before the last change ({named}" in found.reason) == ("deny", True), found.reason


@pytest.mark.parametrize(
    "command",
    [
        "ls -la",
        "git status && git diff",
        "git add -A",
        "git checkout -b topic",
        "git switch -c topic",
        "git stash list",
        "git fetch origin",
        "git -C /tmp/other pull",
        "echo x > /tmp/out.txt",
        "pnpm test",
        "mkdir -p build",
        "rm -rf /tmp/x",
        "git reset HEAD~1",
        "ruff check .",
        "black --check .",
        "cargo test",
    ],
)
def test_what_changes_no_file_of_the_project_does_not(linted, command):
    linted.bash(command)
    assert linted.commit().decision == "no_opinion"


def test_files_beside_the_project_and_its_own_notes_do_not(linted, home):
    for path in (
        home / "notes.md",
        linted.project / ".git" / "x",
        linted.project / ".claude" / "agent-memory" / "a.md",
    ):
        linted.edit(path)
    assert linted.commit().decision == "no_opinion"


def test_an_edit_that_failed_changed_nothing_and_a_command_that_failed_may_have(linted):
    linted.edit(linted.project / "b.txt", outcome=evidence.FAILED)
    assert linted.commit().decision == "no_opinion"
    linted.bash("sed -i s/a/b/ b.txt", outcome=evidence.FAILED)
    assert linted.commit().decision == "deny"


def test_a_change_that_was_cut_off_counts(linted):
    linted.judge("Edit", {"file_path": str(linted.project / "b.txt")})
    assert "before the last change (b.txt, Edit)" in linted.commit().reason


def test_a_change_that_runs_beside_the_check_counts_whichever_ends_first(story):
    write_rule(story.project, "commit", LINT, "Clean.")
    story.judge("Bash", {"command": "sleep 9; echo x > b.txt"})
    story.judge("Bash", {"command": "pnpm lint"})
    story.end()
    assert story.commit().decision == "no_opinion"
    story.end(back=2)
    assert story.commit().decision == "deny"


@pytest.mark.parametrize(
    ("outcome", "told"),
    [
        (evidence.FAILED, "failed the last time that it was run, or the rest of its command line did"),
        (evidence.BACKGROUND, "was sent to the background, where its outcome is not seen"),
        (None, "has not ended yet, or was cut off"),
    ],
)
def test_a_check_that_did_not_succeed_does_not_count_and_it_says_why(story, outcome, told):
    write_rule(story.project, "commit", LINT, "Clean.")
    story.judge("Bash", {"command": "pnpm lint"})
    if outcome:
        story.end(outcome)
    assert told in story.commit().reason


def test_a_failure_takes_back_a_success_and_a_hidden_outcome_does_not(linted):
    linted.bash("pnpm lint | tail")
    assert linted.commit().decision == "no_opinion"
    linted.bash("pnpm lint", evidence.FAILED)
    assert linted.commit().decision == "deny"


@pytest.mark.parametrize(
    ("command", "decision"),
    [
        ("pnpm lint && git commit -m x", "no_opinion"),
        ("pnpm lint && git add -A && git commit -m x && git push", "no_opinion"),
        ("set -e\npnpm lint\ngit commit -m x", "no_opinion"),
        ("pnpm lint || exit 1; git commit -m x", "no_opinion"),
        ("if pnpm lint; then git commit -m x; fi", "no_opinion"),
        ("pnpm lint; git commit -m x", "deny"),
        ("pnpm lint | tail && git commit -m x", "deny"),
        ("pnpm lint || git commit -m x", "deny"),
        ("git commit -m x && pnpm lint", "deny"),
        ("pnpm lint && sed -i s/a/b/ b.txt && git commit -m x", "deny"),
        ("pnpm lint --help && git commit -m x", "deny"),
        ("git co -m x", "no_opinion"),
        ("git commit -m x --no-edit", "deny"),
        ("git -C . commit --amend", "deny"),
        ("echo git commit", "no_opinion"),
        ("git $(cat what)", "ask"),
        ("git 'commit", "ask"),
    ],
)
def test_a_command_line_that_runs_both(story, command, decision):
    write_rule(story.project, "commit", LINT, "Clean.")
    assert story.bash(command).decision == decision


def test_what_is_not_understood_is_free_once_the_check_has_succeeded(linted):
    assert linted.bash("git 'commit").decision == "no_opinion"


def test_all_that_is_missing_is_told_at_once(story):
    rule = """require:
  - Bash(git commit *) after Bash(pnpm lint)
  - Bash(git commit *) after Bash(pnpm test *) or Bash(make check)"""
    write_rule(story.project, "commit", rule, "Clean.")
    found = story.commit()
    assert (
        "has to come after `pnpm lint`, which has not been run in this session, and after `pnpm test`, which has not "
        "been run in this session, or after `make check`, which has not been run in this session" in found.reason
    )
    assert "Run `pnpm lint`, then `pnpm test` or `make check` first; when they succeed, go on." in found.reason
    story.bash("pnpm lint")
    assert "Run `pnpm test` or `make check` first; when it succeeds, go on." in story.commit().reason
    story.bash("make check")
    assert story.commit().decision == "no_opinion"


def test_what_is_forbidden_is_told_before_what_is_missing(story):
    write_rule(story.project, "commit", LINT + '\ndeny: ["Bash(git commit *)"]', "Never.")
    assert "(deny: Bash(git commit *)" in story.commit().reason


def test_another_session_has_its_own_evidence(linted):
    assert Story(linted.project, linted.state_dir, "0ther").commit().decision == "deny"


def test_a_rule_of_the_user_is_about_the_project_of_the_session(story, home):
    write_rule(home, "mine", LINT, "Clean.")
    story.bash("pnpm lint")
    assert story.commit().decision == "no_opinion"
    story.edit(story.project / "b.txt")
    assert story.commit().decision == "deny"


def test_each_project_of_a_repository_has_its_own_check(story):
    write_rule(story.project / "web", "commit", LINT, "Clean.")
    story.bash("pnpm lint")
    commit = {"command": "git commit -m x"}
    assert story.judge("Bash", commit, cwd=story.project / "web").decision == "deny"
    story.bash("pnpm lint", cwd=story.project / "web")
    story.edit(story.project / "b.txt")
    assert story.judge("Bash", commit, cwd=story.project / "web").decision == "no_opinion"


def test_other_tools_can_need_a_check_too(story):
    write_rule(
        story.project, "gen", 'require: ["Edit(src/**) after Bash(make gen)", "mcp__db after Bash(make up)"]', "x"
    )
    given = {"file_path": str(story.project / "src" / "a.ts")}
    found = story.judge("Edit", given)
    assert found.decision == "deny"
    assert "this call of Edit has to come after `make gen`" in found.reason
    assert story.judge("mcp__db__query", {}).decision == "deny"
    story.bash("make gen && make up")
    story.edit(story.project / "src" / "a.ts")
    assert story.judge("Edit", given).decision == "no_opinion", "an edit does not take back what edits need"


def test_an_mcp_tool_that_writes_takes_it_back(linted):
    linted.judge("mcp__filesystem__write_file", {"path": str(linted.project / "b.txt"), "content": "x"})
    assert linted.commit().decision == "deny"


def test_two_copies_of_memdir_note_twice_and_it_means_the_same(linted):
    note = evidence.Note()
    note.runs = [(os.path.realpath(linted.project), "pnpm lint")]
    for _ in range(2):
        linted.session().evidence().begin("twice", note)
    linted.session().evidence().end("twice", evidence.SUCCEEDED)
    assert linted.commit().decision == "no_opinion"


def test_a_line_that_was_cut_off_is_passed_over(linted):
    path = paths.session_file(linted.state_dir, linted.session_id, evidence.FILE)
    with open(path, "ab") as file:
        file.write(b'{"id":"toolu_9","in":["')
    linted.edit(linted.project / "b.txt")
    assert linted.commit().decision == "deny"
    linted.bash("pnpm lint")
    assert linted.commit().decision == "no_opinion"


def test_a_long_session_does_not_grow_a_long_file(linted):
    for number in range(3_000):
        linted.session().evidence().begin(f"many_{number}", _change(linted.project))
    path = paths.session_file(linted.state_dir, linted.session_id, evidence.FILE)
    assert os.path.getsize(path) < evidence.MOST_BYTES + 1_000
    assert linted.commit().decision == "deny"
    linted.bash("pnpm lint")
    assert linted.commit().decision == "no_opinion"


def _change(project):
    note = evidence.Note("Edit")
    note.inside = {os.path.realpath(project): "x" * 80}
    return note


def test_a_check_cannot_be_forged_by_names(linted):
    linted.edit(linted.project / 'a","runs":[["x')
    assert linted.commit().decision == "deny"


def test_without_an_entry_that_requires_nothing_is_noted(story):
    write_rule(story.project, "p", 'protect: ["migrations/**"]', "x")
    story.bash("echo x > b.txt")
    story.edit(story.project / "b.txt")
    assert not os.path.exists(paths.session_file(story.state_dir, story.session_id, evidence.FILE))


# The end of a turn


STOP = 'require: ["Stop after Bash(pnpm test)"]'


def test_a_turn_that_changed_files_has_to_come_after_the_tests(story):
    write_rule(story.project, "stop", STOP, "跑完测试再结束。")
    story.bash("ls")
    assert enforcement.at_stop(story.session()) == ""
    story.edit(story.project / "b.txt")
    assert enforcement.at_stop(story.session()) == (
        "跑完测试再结束。 memdir sends you back once: the end of this turn has to come after `pnpm test`, which has "
        "not been run in this session (require: Stop after Bash(pnpm test), .claude/rules/stop.md:2). Run `pnpm test` "
        "first; when it succeeds, go on."
    )
    assert enforcement.at_stop(story.session()) == "", "once for each change"
    story.edit(story.project / "b.txt")
    story.bash("pnpm test")
    assert enforcement.at_stop(story.session()) == ""
    story.edit(story.project / "b.txt")
    assert "which succeeded before the last change (b.txt" in enforcement.at_stop(story.session())


def test_a_stop_is_no_matter_of_calls(story):
    write_rule(story.project, "stop", STOP, "x")
    assert story.bash("git commit -m x").decision == "no_opinion"
    assert story.bash("git 'commit").decision == "no_opinion"


def test_switched_off_rules_let_a_turn_end(story, monkeypatch, tmp_path):
    write_rule(story.project, "stop", STOP, "x")
    story.edit(story.project / "b.txt")
    config = tmp_path / "config.yaml"
    config.write_text("rules.on: off\n")
    monkeypatch.setenv("MEMDIR_CONFIG", str(config))
    assert enforcement.at_stop(story.session()) == ""


# What a hostile reading found


@pytest.mark.parametrize(
    "check",
    [
        "uv run pytest",
        "poetry run pytest -x",
        "bundle exec rspec",
        "pnpm exec eslint .",
        "timeout 60 make test",
        "time make",
        "conda run -n x pytest",
        "npm publish --dry-run",
        "pytest --collect-only",
        "cargo test -- --list",
        "psql -h localhost -f check.sql",
        "cargo fmt -- --check",
        "terraform plan -out=plan.tfplan",
        "go test ./...",
        "npm run test -- --run",
        "python -m pytest",
        "pytest -k smoke",
        "make -n check",
        "docker compose run --rm app pytest",
    ],
)
def test_a_check_that_is_run_as_the_rule_has_it_counts(story, check):
    write_rule(story.project, "commit", f"require: ['Bash(git commit *) after Bash({check})']", "Clean.")
    assert story.commit().decision == "deny"
    story.bash(check)
    assert story.commit().decision == "no_opinion"
    story.edit(story.project / "b.txt")
    assert story.bash(f"{check} && git commit -m x").decision == "no_opinion"


@pytest.mark.parametrize(
    ("check", "typed"),
    [
        ("npm test", "npm run test"),
        ("npm test", "npm t"),
        ("npm run lint", "npm run-script lint"),
        ("yarn test", "yarn run test"),
        ("npm test", "npm test -- --coverage"),
        ("cargo test", "cargo +nightly test"),
        ("cargo test", "cargo test -- --nocapture"),
        ("tsc --noEmit", "pnpm tsc --noEmit"),
        ("make check", "make lint check"),
        ("pytest", "uv run pytest -q"),
        ("pytest *", "pytest tests/unit -k smoke"),
    ],
)
def test_it_may_be_spelled_in_another_way(story, check, typed):
    write_rule(story.project, "commit", f"require: ['Bash(git commit *) after Bash({check})']", "Clean.")
    story.bash(typed)
    assert story.commit().decision == "no_opinion"


@pytest.mark.parametrize(
    ("check", "typed"),
    [
        ("make check", "make -n check"),
        ("cargo test", "cargo test --no-run"),
        ("go test ./...", "go test -list . ./..."),
        ("go test ./...", "go test -run XXX ./..."),
        ("pytest", "pytest -k foo"),
        ("pytest", "pytest --lf"),
        ("npm test", "npm install test"),
    ],
)
def test_a_run_that_does_a_part_of_the_work_or_none_does_not_count(story, check, typed):
    write_rule(story.project, "commit", f"require: ['Bash(git commit *) after Bash({check})']", "Clean.")
    story.bash(typed)
    assert story.commit().decision == "deny"


@pytest.mark.parametrize(
    ("trigger", "check"),
    [("npm publish", "npm publish --dry-run"), ("git push *", "git push --dry-run"), ("pnpm *", "pnpm lint")],
)
def test_a_check_is_never_held_up_by_its_own_entry(story, trigger, check):
    write_rule(story.project, "p", f"require: ['Bash({trigger}) after Bash({check})']", "Clean.")
    assert story.bash(check).decision == "no_opinion"
    assert story.judge("Bash", {"command": trigger.replace("*", "build")}).decision == "no_opinion"


def test_two_checks_that_write_can_both_have_been_run(story):
    rule = "require:\n  - Bash(git commit *) after Bash(prettier --write .)\n"
    write_rule(story.project, "p", rule + "  - Bash(git commit *) after Bash(eslint --fix .)", "Clean.")
    story.bash("prettier --write .")
    story.bash("eslint --fix .")
    assert story.commit().decision == "no_opinion"


@pytest.mark.parametrize(
    "command",
    [
        "cargo fmt --check",
        "cargo fmt --all -- --check",
        "terraform fmt -check",
        "mix format --check-formatted",
        "dotnet format --verify-no-changes",
        "zig fmt --check .",
        "clang-format --dry-run -i src/a.ts",
        "gofmt -l -w=false .",
        'tmp=$(mktemp); pnpm build > "$tmp" 2>&1; tail "$tmp"',
        "T=$(mktemp -d); echo x > $T/a",
        "pnpm build > ${TMPDIR:-/tmp}/o.log",
        "git checkout -B new",
        "rm -rf dist node_modules/.cache",
        "echo x > web/dist/a.js",
        "echo x > debug.log",
    ],
)
def test_these_change_no_file_of_the_project(linted, command):
    (linted.project / ".gitignore").write_text("# built\ndist/\nnode_modules\n*.log\n!kept.log\n")
    linted.bash(command)
    assert linted.commit().decision == "no_opinion"


@pytest.mark.parametrize("name", ["kept.log", "src/x.txt", ".gitignore"])
def test_what_git_does_not_ignore_does(linted, name):
    (linted.project / ".gitignore").write_text("*.log\n!kept.log\n/x.txt\n")
    linted.edit(linted.project / name)
    assert linted.commit().decision == "deny"


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("pnpm lint; git commit -m x", "which goes on if it fails: join them with `&&`"),
        ("pnpm lint 2>&1 | tail -5 && git commit -m x", "which goes on if it fails"),
        ("pnpm lint\ngit add -A\ngit commit -m x", "which goes on if it fails"),
        ("pnpm lint && rm b.txt && git commit -m x", "but b.txt is changed in between"),
        (
            "pnpm lint || exit 1; while read f; do git commit -m x; echo > b.txt; done",
            "but b.txt is changed in between",
        ),
    ],
)
def test_a_line_that_holds_the_check_is_told_what_is_wrong_with_it(story, command, told):
    write_rule(story.project, "commit", LINT, "Clean.")
    assert told in story.judge("Bash", {"command": command}).reason


def test_git_s_questions_and_other_repositories_are_free(story, tmp_path):
    write_rule(story.project, "commit", LINT, "Clean.")
    other = tmp_path / "other"
    other.mkdir()
    for command in (
        "git commit --help",
        "git commit --dry-run",
        f"git -C {other} commit -m x",
        f"cd {other} && git commit",
    ):
        assert story.judge("Bash", {"command": command}).decision == "no_opinion", command
    assert story.judge("Bash", {"command": f"cd {other}; git -C {story.project} commit -m x"}).decision == "deny"


def test_a_worktree_has_its_own_check(story):
    main = story.project
    write_rule(main, "commit", LINT, "Clean.")
    tree = main / ".claude" / "worktrees" / "agent"
    commit = ["git", "-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "-q", "--allow-empty", "-m", "x"]
    subprocess.run(commit, cwd=main, check=True)
    subprocess.run(["git", "worktree", "add", "-q", str(tree)], cwd=main, check=True)
    story.bash("pnpm lint")
    story.edit(tree / "a.txt")
    assert story.commit().decision == "no_opinion", "the edit was elsewhere"
    assert story.judge("Bash", {"command": "git commit -m x"}, cwd=tree).decision == "deny"
    story.bash("pnpm lint", cwd=tree)
    assert story.judge("Bash", {"command": "git commit -m x"}, cwd=tree).decision == "no_opinion"
    story.edit(main / "b.txt")
    assert story.commit().decision == "deny"
    assert story.judge("Bash", {"command": "git commit -m x"}, cwd=tree).decision == "no_opinion"


def test_an_edit_that_the_person_declined_is_no_change(linted, tmp_path):
    call = {"file_path": str(linted.project / "b.txt")}
    linted.judge("Edit", call)
    said = {"type": "tool_result", "content": "The user doesn't want to proceed", "is_error": True}
    said["tool_use_id"] = f"toolu_{linted.session_id}_{linted.count}"
    transcript = tmp_path / "t.jsonl"
    transcript.write_text(json.dumps({"message": {"content": [said]}}, separators=(",", ":")) + "\n")
    session = linted.session()
    assert "(b.txt, Edit)" in enforcement.judge(session, session.rules(), "Bash", {"command": "git commit"})[1].reason
    session.transcript = str(transcript)
    found = enforcement.judge(session, session.rules(), "Bash", {"command": "git commit"})[1]
    assert found.decision == "no_opinion"


def test_a_change_without_an_id_counts(linted):
    session = linted.session()
    enforcement.judge(session, session.rules(), "Edit", {"file_path": str(linted.project / "b.txt")}, "")
    assert linted.commit().decision == "deny"


def test_a_question_of_the_command_line_notes_nothing(linted):
    session = linted.session()
    enforcement.judge(session, session.rules(), "Edit", {"file_path": str(linted.project / "b.txt")})
    assert linted.commit().decision == "no_opinion"


def test_what_is_not_read_to_its_end_counts_as_a_change(linted):
    linted.judge("Bash", {"command": "echo x > /tmp/a; " * 3_000 + "echo x > b.txt"})
    assert linted.commit().decision == "deny"


@pytest.mark.parametrize("line", ['{"end":[1]}', '{"id":"q","in":7}', '{"id":"q","runs":7}', '{"id":7}', "[]", "{}"])
def test_a_damaged_line_of_the_evidence_is_passed_over(linted, line):
    path = paths.session_file(linted.state_dir, linted.session_id, evidence.FILE)
    with open(path, "a", encoding="utf-8") as file:
        file.write(line + "\n")
    assert linted.commit().decision == "no_opinion"


def test_many_runs_without_an_outcome_are_looked_through_once(linted):
    path = paths.session_file(linted.state_dir, linted.session_id, evidence.FILE)
    check = [os.path.realpath(linted.project), "pnpm lint", "was run, but"]
    with open(path, "a", encoding="utf-8") as file:
        for number in range(20_000):
            file.write(json.dumps({"id": f"t{number}", "tool": "Bash", "hidden": [check]}) + "\n")
    reads = []
    known = linted.session().evidence()
    known._changed_after = lambda *args, **named: reads.append(args) or ("", "")
    assert known.last((check[0], check[1])).counts
    assert len(reads) < 20_100
    assert linted.commit().decision == "no_opinion"


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ("stop after Bash(npm test)", "write one such as `Bash(git commit *)`, or `Stop`"),
        ("SubagentStop after Bash(npm test)", "or `Stop`"),
        ("no-force-push after Bash(npm test)", "or `Stop`"),
        ("src/** after Bash(npm test)", "a path belongs to `protect`"),
        ("Bash(git commit *) after Bash(a), Bash(b)", "asks for two"),
        ("Bash(git commit *) after Bash(a) and Bash(b)", "asks for two"),
        ("Bash(git commit *) after Edit(x)", "write `Bash(git commit *) after Bash(npm test)`"),
    ],
)
def test_a_slip_in_an_entry_is_told(entry, told):
    (made,) = entries.read("require", [entry], [1])
    assert told in made.problem


def test_or_may_be_written_large():
    (made,) = entries.read("require", ["Bash(git commit *) after Bash(a) OR Bash(b)"], [1])
    assert not made.problem and [pattern.argument for pattern in made.after] == ["a", "b"]


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("sed -i s/a/b/ src/a.ts && git commit -am y", "src/a.ts, this command line"),
        ("echo x > src/a.ts; git commit -am y", "src/a.ts, this command line"),
        ("echo x >> README.md && git add -A && git commit -m y", "README.md, this command line"),
        ("git pull --rebase && git commit -m y", "the files of another commit, this command line"),
        ("npx prettier --write . && git commit -am x", "what a formatter finds, this command line"),
        ("npm install zod && git commit -am x", "what names the packages, this command line"),
        ("for f in a b; do git commit -m $f; echo x > src/$f.ts; done", "this command line"),
        ("pnpm lint || git commit -m x", "which goes on if it fails"),
        ("pnpm lint; git commit -m x", "which goes on if it fails"),
    ],
)
def test_what_the_line_itself_does_before_takes_back_what_was_proved(linted, command, told):
    found = linted.judge("Bash", {"command": command})
    assert (found.decision, told in found.reason) == ("deny", True), found.reason


@pytest.mark.parametrize(
    "command",
    [
        "git commit -m x && echo x > b.txt",
        "git commit -m x; git pull",
        "pnpm lint --filter web && git commit -m x",
        "echo x > /var/tmp/m && git commit -F /var/tmp/m",
        "git add -A && git commit -m x",
    ],
)
def test_what_stands_after_it_or_changes_nothing_does_not(linted, command):
    assert linted.judge("Bash", {"command": command}).decision == "no_opinion"


@pytest.mark.parametrize("command", ["npm install zod", "npm audit fix", "uv add x", "cargo add x", "go mod tidy"])
def test_a_package_manager_that_writes_its_files_takes_it_back(linted, command):
    linted.bash(command)
    assert "what names the packages" in linted.commit().reason


@pytest.mark.parametrize("command", ["npm install", "npm ci", "pnpm i --frozen-lockfile", "uv sync", "npm run version"])
def test_one_that_installs_what_they_name_does_not(linted, command):
    linted.bash(command)
    assert linted.commit().decision == "no_opinion"


@pytest.mark.parametrize(
    ("check", "typed"),
    [
        ("pytest", "python -m pytest -q"),
        ("pytest", ".venv/bin/python -m pytest"),
        ("pytest", "uv run python -m pytest"),
        ("python -m pytest", "python3 -m pytest"),
        ("mvn verify", "mvn -T 1C clean verify"),
        ("./gradlew test", "./gradlew clean test"),
        ("rake test", "bundle exec rake lint test"),
        ("make check", "make -k check"),
        ("pytest", "pytest --ff"),
    ],
)
def test_the_whole_work_in_other_words_counts(story, check, typed):
    write_rule(story.project, "commit", f"require: ['Bash(git commit *) after Bash({check})']", "Clean.")
    story.bash(typed)
    assert story.commit().decision == "no_opinion"


@pytest.mark.parametrize(
    ("check", "typed"),
    [
        ("mvn verify", "mvn verify -DskipTests"),
        ("mvn verify", "mvn -Dmaven.test.skip=true verify"),
        ("mvn test", "mvn test -Dmaven.test.failure.ignore=true"),
        ("mvn test", "mvn -pl api test"),
        ("make check", "make -i check"),
        ("rake test", "rake -n test"),
        ("cargo test", "cargo test --lib"),
        ("go test ./...", "go test -short ./..."),
        ("gradle test", "gradle test --tests X"),
        ("gradle test", "gradle test -x :api:test"),
        ("rspec", "rspec --only-failures"),
        ("pytest", "pytest --ignore=tests/slow"),
        ("npm test", "npm test -- --changedSince=main"),
    ],
)
def test_a_run_that_leaves_tests_or_their_failures_out_does_not_count(story, check, typed):
    write_rule(story.project, "commit", f"require: ['Bash(git commit *) after Bash({check})']", "Clean.")
    story.bash(typed)
    assert "was run with `-" in story.commit().reason


@pytest.mark.parametrize("command", ['git commit -m "--help"', "git commit -m x -- --help", "git commit -am --dry-run"])
def test_the_value_of_an_option_is_no_question(story, command):
    write_rule(story.project, "commit", LINT, "Clean.")
    assert story.judge("Bash", {"command": command}).decision == "deny"
