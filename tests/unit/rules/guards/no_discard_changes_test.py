"""What throws uncommitted work away, and what keeps it."""

import pytest

from memdir.rules.guards import no_discard_changes
from memdir.rules.plain import is_plain
from support.calls import Files, call, cases, decision, nested, pipeline

DENIED = {
    "paths after two dashes": "git checkout -- .",
    "the directory without dashes": "git checkout .",
    "a file that exists": "git checkout keep.txt",
    "a folder that exists": "git checkout src",
    "a file seen from another directory": "git -C src checkout app.py",
    "a file above": "git checkout ../other.txt",
    "a path with a slash at its end": "git checkout docs/",
    "files that a glob matches": "git checkout <star>.txt",
    "a glob that git expands": "git checkout '*.txt'",
    "a pathspec with magic": "git checkout ':!keep.txt'",
    "files of another commit": "git checkout main -- src/app.py",
    "files of another commit without dashes": "git checkout main keep.txt",
    "an unknown file after two dashes": "git checkout -- <name>",
    "a list of files": "git checkout --pathspec-from-file=list.txt",
    "parts of files": "git checkout -p",
    "checkout with force": "git checkout -q -f main",
    "checkout with force and a new branch": "git checkout --force -b topic",
    "switch with force": "git switch -f main",
    "switch that says what it does": "git switch -q --discard-changes main",
    "the same cut short": "git switch --disc main",
    "restore": "git restore keep.txt",
    "restore of the work tree too": "git restore --staged --worktree keep.txt",
    "restore of the work tree too, in letters": "git restore -SW .",
    "restore from another commit": "git restore -s HEAD~1 .",
    "reset --hard": "git reset -q --hard",
    "reset --hard to a commit": "git reset HEAD~1 --hard",
    "reset --hard cut short": "git reset --ha",
    "reset --merge, which loses what is staged": "git reset --merge",
    "reset where the last mode is hard": "git reset --soft --hard",
    "clean with force": "git clean -f",
    "clean with force in a cluster": "git clean -xdf",
    "clean with long options behind -C": "git -C . clean --force -d -q",
    "clean where a setting stands for force": "git -c clean.requireForce=false clean -d",
    "clean with force after a dry run is taken back": "git clean -n --no-dry-run -f",
    "a stash that is dropped": "git stash drop stash@{1}",
    "a stash that is dropped quietly": "git stash -q drop",
    "all stashes": "git stash clear",
    "the plumbing of checkout": "git checkout-index -f -a",
    "the plumbing of reset": "git read-tree --reset -u HEAD",
    "a work tree with its changes": "git worktree remove --force ../fix",
    "submodules": "git submodule update --init --force",
    "a submodule that goes": "git submodule deinit -f lib",
    "a file with its changes": "git rm -f keep.txt",
    "git by the name of its command": "git-reset --hard",
    "an alias that the call brings": "git -c alias.undo='reset --hard' undo",
}
ASKED = {
    "an operand that may be a path": "git checkout <any>",
    "an operand of switch that may be an option": "git switch <any>",
    "an operand of reset that may be an option": "git reset <any>",
    "an operand of restore that may be an option": "git restore --staged <any>",
    "an operand of clean that may be an option": "git clean <any>",
    "a command of stash that is not known": "git stash <any>",
    "a command of git that is not known": "git <any> main",
    "one side of a merge": "git checkout --ours -- keep.txt",
    "one side of a merge by restore": "git restore --theirs keep.txt",
    "clean that asks somebody": "git clean -i",
}
LEFT_ALONE = {
    "a branch": "git checkout main",
    "a branch that is not known": "git checkout <name>",
    "the branch before": "git checkout -",
    "a new branch": "git checkout -q -b topic",
    "a new branch from another": "git checkout -b topic origin/main",
    "a branch that is set anew": "git checkout -B topic origin/main",
    "a new branch with the name of a file": "git checkout -b keep.txt",
    "a commit": "git checkout --detach HEAD~2",
    "two dashes with nothing after them": "git checkout main --",
    "switch": "git switch -c hotfix-1.2.3",
    "switch to a branch that is set anew": "git switch --force-create topic",
    "switch that merges": "git switch -m main",
    "restore of the index": "git restore --staged src/app.py",
    "restore of the index in a letter": "git restore -S .",
    "a soft reset": "git reset -q --soft HEAD",
    "a mixed reset of a file": "git reset HEAD keep.txt",
    "a reset that keeps changes": "git reset --keep HEAD~1",
    "a reset where the last mode is soft": "git reset --hard --soft",
    "clean that only lists": "git clean -fdn",
    "clean that only lists, in long": "git clean --dry-run --force",
    "clean without force, which git refuses": "git clean -d",
    "a value of clean that looks like force": "git clean -n -e -f",
    "a stash that is made": "git stash push -m 'before rebase' -- src/",
    "a stash that is made with a message": "git stash push -m drop",
    "a stash that comes back": "git stash pop",
    "checkout-index to another place": "git checkout-index -a -f --prefix=/tmp/export/",
    "read-tree of the index alone": "git read-tree --reset HEAD",
    "read-tree that merges": "git read-tree -m -u HEAD main",
    "a clean work tree": "git worktree remove ../fix",
    "a work tree on a branch in use": "git worktree add --force ../fix main",
    "submodules without force": "git submodule update --init --recursive",
    "a file that git refuses to lose": "git rm keep.txt",
    "a file that stays on disk": "git rm --cached -f keep.txt",
    "a branch that is deleted": "git branch -D topic",
    "a merge that is given up": "git merge --abort",
    "a rebase": "git rebase --onto main feature~3 feature",
    "a forced push": "git push --force",
    "a message that speaks of it": "git commit -m 'no git reset --hard'",
    "another program": "svn checkout -- .",
}
FILES = Files({"/proj/keep.txt": "", "/proj/src/app.py": "", "/proj/other.txt": ""})


def judge(text, cwd="/proj"):
    return decision(no_discard_changes.judge(call(text, cwd), "", FILES))


@cases(DENIED)
def test_denies(case):
    assert judge(case) == "deny"


@cases(ASKED)
def test_asks(case):
    assert judge(case) == "ask"


@cases(LEFT_ALONE)
def test_leaves_alone(case):
    assert judge(case) == ""


def test_where_the_directory_is_unknown_a_name_is_a_branch():
    assert judge("git checkout keep.txt", cwd="") == ""
    assert judge("git checkout -- keep.txt", cwd="") == "deny"


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        pytest.param("git checkout -- a.txt", "git stash push", id="checkout"),
        pytest.param("git reset --hard HEAD~1", "git reset --keep", id="reset"),
        pytest.param("git clean -fd", "git clean -n", id="clean"),
        pytest.param("git stash drop", "git stash apply", id="stash"),
    ],
)
def test_it_says_how_to_keep_the_work(text, advice):
    assert f"`{advice}" in no_discard_changes.judge(call(text), "", FILES).instead


LISTS = ["git diff --name-only", "git ls-files -m", "git grep -l x", "find src", "grep -rl x .", "rg -l x", "fd . src"]
OTHERS = ["git branch --show-current", "git rev-parse main", "git log -1 --format=%H", "cat branch.txt", "git grep x"]


def judge_line(calls):
    return decision(no_discard_changes.judge_line(calls, "", FILES))


@pytest.mark.parametrize("text", LISTS)
def test_asks_before_what_lists_files_names_what_is_checked_out(text):
    assert judge_line(nested("git checkout <name>", text)) == "ask"
    assert judge_line(nested("git checkout -q <name>", text, "grep src")) == "ask"
    assert judge_line(pipeline(text, "git checkout <name>")) == "ask"
    assert judge_line(nested("git checkout -b <name>", text)) == judge_line(nested("git add <name>", text)) == ""


@pytest.mark.parametrize("text", OTHERS)
def test_a_branch_that_another_call_names_is_checked_out(text):
    assert judge_line(nested("git checkout <name>", text)) == judge_line(pipeline(text, "git checkout <name>")) == ""


def test_an_argument_is_a_problem():
    assert no_discard_changes.problem("") == ""
    assert "`src`" in no_discard_changes.problem("src")


@cases({**DENIED, **ASKED})
def test_no_line_that_it_concerns_is_taken_for_plain(case):
    assert not is_plain(case, no_discard_changes.KEYWORDS)
