"""`require` over real hooks: what was run and changed is known whatever is killed, full or gone in between."""

import json

import pytest

from support.rules import write_rule
from support.worlds import World

LINT = 'require: ["Bash(git commit *) after Bash(pnpm lint)"]'


class Shop(World):
    """A world with a rule, and the calls of its session."""

    def pre(self, tool, given, number, **options):
        return self.hook("pre_tool_use", tool_name=tool, tool_input=given, tool_use_id=f"toolu_{number}", **options)

    def post(self, number, *, failed=False, **options):
        name = "post_tool_use_failure" if failed else "post_tool_use"
        fields = {"tool_name": "Bash", "tool_input": {"command": "x"}, "tool_response": {"stdout": ""}}
        return self.hook(name, tool_use_id=f"toolu_{number}", **{**fields, **options})

    def lint(self, number, **options):
        self.pre("Bash", {"command": "pnpm lint"}, number)
        return self.post(number, **options)

    def edit(self, number, **options):
        answer = self.pre("Edit", {"file_path": str(self.project / "a.txt")}, number)
        assert answer.out == "{}\n"
        return self.post(number, **options)

    def commit(self):
        """Why a commit is denied; "" if it is not."""
        answer = json.loads(self.pre("Bash", {"command": "git commit -m x"}, 999).out)
        return answer.get("hookSpecificOutput", {}).get("permissionDecisionReason", "")


@pytest.fixture
def shop(tmp_path, stage):
    return _shop(tmp_path / "world", stage)


def _shop(folder, stage):
    made = Shop(folder, stage)
    write_rule(made.project, "commit", LINT, "Clean.")
    return made


def test_the_hooks_together(shop):
    assert "has not been run in this session" in shop.commit()
    shop.lint(1)
    assert shop.commit() == ""
    shop.edit(2)
    assert "which succeeded before the last change (a.txt, Edit)" in shop.commit()
    shop.lint(3, failed=True)
    assert "failed the last time" in shop.commit()
    shop.lint(4, tool_response={"stdout": "", "backgroundTaskId": "b1"})
    assert "was sent to the background" in shop.commit()
    shop.lint(5, tool_response={"stdout": "", "interrupted": True})
    assert "failed the last time" in shop.commit()
    shop.lint(6)
    shop.hook("pre_compact", trigger="auto")
    shop.hook("session_end", reason="other")
    assert shop.commit() == ""


def test_a_turn_is_sent_back_once_and_then_handed_over(shop):
    write_rule(shop.project, "stop", 'require: ["Stop after Bash(pnpm lint)"]', "Lint first.")
    shop.say()
    shop.edit(1)
    waits = [{"id": "a1", "type": "subagent", "status": "running", "description": "d"}]
    assert shop.hook("stop", background_tasks=waits).out == ""
    answer = json.loads(shop.hook("stop", stop_hook_active=False, background_tasks=[]).out)
    assert answer["decision"] == "block"
    assert answer["reason"].startswith("Lint first. memdir sends you back once: the end of this turn")
    assert shop.hook("stop", stop_hook_active=True).out == ""
    assert shop.hook("stop", stop_hook_active=False).out == "", "the same change is not held against the next turn"
    shop.work()
    assert len(shop.topics()) == 1


def test_who_was_sent_back_by_another_hook_is_not_sent_back_again(shop):
    write_rule(shop.project, "stop", 'require: ["Stop after Bash(pnpm lint)"]', "Lint first.")
    shop.edit(1)
    assert shop.hook("stop", stop_hook_active=True).out == ""


def test_killed_at_any_change_no_commit_goes_through_unchecked(tmp_path, stage):
    for name in ("lint", "edit"):
        kills = 0
        while True:
            kills += 1
            shop = _shop(tmp_path / f"{name}-{kills}", stage)
            if name == "edit":
                shop.lint(1)
            done = getattr(shop, name)(2, kill_at=kills)
            if not done.killed:
                break
            if name == "edit":
                assert "(a.txt, Edit)" in shop.commit(), kills
            shop.lint(3)
            assert shop.commit() == "", kills
        assert kills > 2


def test_a_change_that_is_killed_while_it_is_noted_is_refused_or_noted(tmp_path, stage):
    for number in range(1, 20):
        shop = _shop(tmp_path / str(number), stage)
        shop.lint(1)
        done = shop.pre("Edit", {"file_path": str(shop.project / "a.txt")}, 2, kill_at=number)
        if not done.killed:
            break
        noted = "(a.txt, Edit)" in shop.commit()
        assert noted or not done.out, "killed before its answer, the launcher blocks the call"
    assert number > 2


def test_on_a_full_disk_a_change_takes_back_what_was_run(tmp_path, apart):
    shop = _shop(tmp_path / "world", apart)
    shop.lint(1)
    fill = 'mount -t tmpfs -o size=1m,mode=700 none "$1" && cp -a "$2/." "$1" && cat /dev/zero >"$1/zeros" 2>/dev/null'
    kept = tmp_path / "kept"
    apart.command("cp", "-a", str(shop.state), str(kept))
    apart.command("sh", "-c", fill, "sh", str(shop.state), str(kept))
    big = {"file_path": str(shop.project / ("a" * 200)), "old_string": "x"}
    for number in range(2, 60):  # the last page of the file takes some notes
        assert shop.pre("Edit", big, number).out == "{}\n", "an edit goes on"
    assert "What is run cannot be noted: the disk of" in shop.commit()
    apart.command("umount", str(shop.state))


def test_where_nothing_can_be_written_the_denial_says_so(tmp_path, ordinary):
    shop = _shop(tmp_path / "world", ordinary)
    shop.lint(1)
    session = shop.state / "sessions"
    (folder,) = session.iterdir()
    for name in ("evidence", "state"):
        if (folder / name).exists():
            (folder / name).unlink()
    folder.chmod(0o500)
    try:
        assert shop.pre("Edit", {"file_path": str(shop.project / "a.txt")}, 2).out == "{}\n"
        assert f"What is run cannot be noted: memdir may not write to {folder}" in shop.commit()
    finally:
        folder.chmod(0o700)


def test_a_change_that_cannot_take_back_what_was_run_is_refused(tmp_path, ordinary):
    shop = _shop(tmp_path / "world", ordinary)
    shop.lint(1)
    (folder,) = (shop.state / "sessions").iterdir()
    (folder / "evidence").chmod(0o400)
    folder.chmod(0o500)
    try:
        answer = shop.pre("Edit", {"file_path": str(shop.project / "a.txt")}, 2).out
        assert "memdir could not check the hard rules (PermissionError" in answer
    finally:
        folder.chmod(0o700)


def test_without_a_rule_that_requires_something_nothing_is_noted(shop):
    write_rule(shop.project, "commit", "deny: [no-force-push]", "x")
    shop.lint(1)
    shop.edit(2)
    shop.post(3, failed=True)
    assert not list(shop.state.glob("sessions/*/evidence"))
