"""What keeps git's hooks from running, and what lets them run."""

import pytest

from memdir.rules.guards import no_skip_hooks
from memdir.rules.plain import is_plain
from memdir.shell.analysis import analyse
from support.calls import Files, call, cases, decision

DENIED = {
    "a commit with the long option": "git commit --no-verify -m x",
    "a commit with the short option": "git commit -n -m x",
    "a commit with the short option in a cluster": "git commit -anm x",
    "a commit with the option after a value": "git commit -m x -n",
    "the option cut short": "git commit --no-veri -m x",
    "the option after it was taken back": "git commit --verify --no-verify",
    "a push": "git push --no-verify origin main",
    "a merge": "git merge --no-verify topic",
    "a pull": "git pull --no-verify",
    "mailed patches": "git am -n fix.patch",
    "a rebase": "git rebase --no-verify main",
    "a command of git from elsewhere": "git town-sync --no-verify",
    "git by the name of its command": "git-commit --no-verify -m x",
    "an alias that the call brings": "git -c alias.ci='commit -n' ci -m x",
    "no directory for hooks": "git -c core.hooksPath=/dev/null commit -m x",
    "no directory for hooks, in small letters": "git -c core.hookspath= push",
    "no directory for hooks, from a variable": "git --config-env=core.hooksPath=NOTHING commit -m x",
    "no directory for hooks, in the environment": (
        "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/dev/null git commit -m x"
    ),
    "no directory for hooks, in git's own variable": "GIT_CONFIG_PARAMETERS=\"'core.hooksPath=/x'\" git commit -m x",
    "a setting for all later calls": "git config core.hooksPath /dev/null",
    "a setting in the newer form": "git config set --global core.hooksPath /dev/null",
    "a setting without a value": "git config core.hooksPath ''",
    "husky turned off": "HUSKY=0 git commit -m x",
    "an older husky turned off": "HUSKY_SKIP_HOOKS=1 git push",
    "lefthook turned off": "LEFTHOOK=false git commit -m x",
    "a part of lefthook left out": "LEFTHOOK_EXCLUDE=lint git commit -m x",
    "a hook of pre-commit left out": "SKIP=flake8 git commit -m x",
    "overcommit turned off": "OVERCOMMIT_DISABLE=1 git commit -m x",
    "husky turned off for what follows": "export HUSKY=0",
    "husky turned off, with another variable": "export SKIP=a HUSKY=0",
    "a hook that cannot run": "chmod -x .git/hooks/pre-commit",
    "a hook that its owner cannot run": "chmod u-x,g+r .git/hooks/pre-commit",
    "a hook that cannot run, in numbers": "chmod 644 .husky/pre-commit",
    "a hook that can only be read": "chmod a=r .git/hooks/pre-commit",
    "all hooks that cannot run": "chmod -R a-x .git/hooks",
    "a hook that is deleted": "rm .git/hooks/pre-commit",
    "hooks that a glob matches": "rm -f .git/hooks/<star>",
    "hooks by an absolute path": "rm -rf /proj/.husky",
    "a hook that is moved away": "mv .git/hooks/pre-commit /tmp/",
    "a hook whose link goes": "unlink .git/hooks/pre-push",
    "pre-commit taken out": "pre-commit uninstall",
    "husky taken out": "husky uninstall",
}
ASKED = {
    "an operand that may be the option": "git commit <any>",
    "a cluster that is not known to its end": "git commit -a<any>",
    "a variable with an unknown value": "HUSKY=<any> git commit -m x",
    "a variable that has other uses": "export SKIP=flake8",
    "a directory of which nothing is known": "git config core.hooksPath .empty",
    "a directory that is not known": "git config core.hooksPath <name>",
    "a commit without commit": "git commit-tree -m x abc",
    "a command of git that is not known": "git <any> -m x",
}
LEFT_ALONE = {
    "a commit": "git commit -am x",
    "a message in one word with its option": "git commit -mn",
    "a message that looks like the option": "git commit -m -n",
    "a message that speaks of it": "git commit -m 'drop --no-verify'",
    "a message that is not known": "git commit -m <any>",
    "a file of that name": "git commit -m x -- --no-verify",
    "a key to sign with": "git commit -Snobody -m x",
    "the option when it is taken back": "git commit --no-verify --verify -m x",
    "a push that is only tried": "git push -n origin main",
    "a merge without its summary": "git merge -n topic",
    "a rebase without its summary": "git rebase -n main",
    "a pick that does not commit": "git cherry-pick -n abc",
    "the log": "git log -n 5",
    "clean that only lists": "git clean -n",
    "the setting when it is read": "git config core.hooksPath",
    "the setting when it is read in the newer form": "git config get core.hooksPath",
    "the setting when it goes": "git config --unset core.hooksPath",
    "a directory that holds hooks": "git config core.hooksPath .githooks",
    "another setting": "git config core.editor vim",
    "husky left on": "HUSKY=1 git commit -m x",
    "husky turned off for an installation": "HUSKY=0 npm ci",
    "another variable": "GIT_AUTHOR_NAME=n git commit -m x",
    "another variable for what follows": "export EDITOR=vim",
    "a hook that can run": "chmod +x .git/hooks/pre-commit",
    "a hook that can run, in numbers": "chmod 755 .git/hooks/pre-commit",
    "a hook that others cannot run": "chmod go-x .git/hooks/pre-commit",
    "a script that cannot run": "chmod -x scripts/old.sh",
    "a hook that nobody can write": "chmod -w .git/hooks/pre-commit",
    "git's examples": "rm .git/hooks/pre-commit.sample",
    "a file elsewhere": "rm src/hooks/useUser.ts",
    "a hook that is put in place": "mv pre-commit .git/hooks/pre-commit",
    "pre-commit put in place": "pre-commit install",
    "pre-commit run by hand": "pre-commit run --all-files",
}
FILES = Files({"/proj/.githooks/pre-commit": "#!/bin/sh\n", "/proj/.empty/README": ""})


def judge(text, cwd="/proj"):
    return decision(no_skip_hooks.judge(call(text, cwd), "", FILES))


EMPTYING = r"""
: > .husky/pre-commit
> .husky/pre-push
echo 'exit 0' > .husky/pre-commit
printf '#!/bin/sh\nexit 0\nnpm test\n' > .git/hooks/pre-push
echo true > /proj/.git/hooks/commit-msg
truncate -s0 .git/hooks/pre-commit
truncate --size=0 .husky/pre-commit
cp /dev/null .husky/pre-commit
cat /dev/null > .husky/pre-commit
ln -sf /bin/true .git/hooks/pre-commit
dd if=/dev/null of=.husky/pre-commit
echo 'exit 0' | tee .husky/pre-commit
tee .husky/pre-commit < /dev/null
{ echo '#!/bin/sh'; echo 'exit 0'; } > .husky/pre-commit
""".strip().split("\n")
WRITING = r"""
echo 'npm test' > .husky/pre-commit
echo 'npm test' >> .husky/pre-commit
printf '#!/bin/sh\nnpm test\nexit 0\n' > .husky/pre-commit
echo 'npx lint-staged' | tee .husky/pre-commit
{ echo '#!/bin/sh'; echo 'npm test'; } > .husky/pre-commit
cat hook.sh > .husky/pre-commit
cp scripts/hook.sh .git/hooks/pre-push
touch .husky/pre-push
truncate -s 100 .husky/pre-commit
: > .husky/notes.md
echo true > src/pre-commit
""".strip().split("\n")


def judge_all(text):
    calls = analyse(text, "/proj", FILES).calls
    found = [no_skip_hooks.judge(each, "", FILES) for each in calls]
    decisions = [decision(each) for each in [*found, no_skip_hooks.judge_line(calls, "", FILES)]]
    return max(decisions, key=["", "ask", "deny"].index)


@pytest.mark.parametrize("text", EMPTYING)
def test_denies_emptying_a_hook(text):
    assert judge_all(text) == "deny"
    assert not is_plain(text, no_skip_hooks.KEYWORDS)


@pytest.mark.parametrize("text", WRITING)
def test_writing_a_real_hook_is_left_alone(text):
    assert judge_all(text) == ""


def test_asks_about_a_hook_that_has_only_its_first_line():
    assert judge_all("echo '#!/bin/sh' > .husky/pre-commit") == "ask"
    assert judge_all("{ echo '#!/bin/sh'; } > .husky/pre-commit") == "ask"


@cases(DENIED)
def test_denies(case):
    assert judge(case) == "deny"


@cases(ASKED)
def test_asks(case):
    assert judge(case) == "ask"


@cases(LEFT_ALONE)
def test_leaves_alone(case):
    assert judge(case) == ""


def test_a_hook_is_one_also_where_it_lies():
    assert judge("rm pre-commit", cwd="/proj/.git/hooks") == "deny"
    assert judge("rm pre-commit", cwd="/proj/src") == ""


def test_variables_are_told_with_the_call():
    what = no_skip_hooks.judge(call("SKIP=flake8 git commit -m x"), "", FILES).what
    assert what == "`SKIP=flake8 git commit -m x` keeps git's hooks from running"


def test_where_the_directory_is_unknown_the_setting_is_asked_about():
    assert judge("git config core.hooksPath .githooks", cwd="") == "ask"


def test_an_argument_is_a_problem():
    assert no_skip_hooks.problem("") == ""
    assert "`push`" in no_skip_hooks.problem("push")


@cases({**DENIED, **ASKED})
def test_no_line_that_it_concerns_is_taken_for_plain(case):
    assert not is_plain(case, no_skip_hooks.KEYWORDS)


@pytest.mark.parametrize("value", ["0", "false", "no", "off", "False"])
def test_what_is_off_can_be_written_in_some_ways(value):
    assert judge(f"HUSKY={value} git commit -m x") == "deny"
    assert judge(f"OVERCOMMIT_DISABLE={value} git commit -m x") == ""
