"""What overwrites the history of a remote, and what does not."""

import pytest

from memdir.rules.guards import no_force_push
from memdir.rules.guards.no_force_push import STRICT
from memdir.rules.plain import is_plain
from memdir.shell.calls import Machine
from support.calls import Files, call, cases, decision

DENIED = {
    "the long option": "git push --force origin main",
    "the short option at the end": "git push origin main -f",
    "the short option in a cluster": "git push -uf origin main",
    "the long option cut short": "git push --forc origin main",
    "all refs of a mirror": "git push --mirror origin",
    "a plus before the refspec": "git push origin +main",
    "a plus before a refspec that is not known": "git push origin +<name>",
    "a plus before all that match": "git push origin +:",
    "a plus after two dashes": "git push -- origin +main",
    "force after it was taken back": "git push --no-force -f origin main",
    "force beside a lease, which it overrides": "git push --force-with-lease --force origin main",
    "options of git before push": "git -C ../other -c color.ui=never push -f",
    "an alias that the call brings": "git -c alias.p='push --force' p origin main",
    "a refspec that the call brings as a setting": "git -c remote.origin.push=+refs/heads/main push",
    "a mirror that the call brings as a setting": "git -c remote.origin.mirror=true push origin",
    "a mirror by a setting without a value": "git -c remote.origin.mirror push origin",
    "a setting in the environment": (
        "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.origin.push GIT_CONFIG_VALUE_0=+refs/heads/main git push"
    ),
    "git-push by its own name": "/usr/lib/git-core/git-push --force origin main",
    "hub, which passes on what it is given": "hub push -f origin main",
    "the plumbing below push": "git send-pack --force host:repo main",
    "a subtree with a plus": "git subtree push --prefix=docs origin +main",
    "a fork that gh resets": "gh repo sync me/fork --branch main --force",
    "a branch that the API sets": "gh api -X PATCH repos/o/r/git/refs/heads/main -f sha=abc -F force=true",
}
ASKED = {
    "an operand that may be an option": "git push <any>",
    "a refspec that may begin with a plus": "git push origin <any>",
    "a refspec after two dashes that may begin with a plus": "git push -- origin <any>",
    "a cluster that is not known to its end": "git push -u<any> origin main",
    "a setting whose value is not known": "git --config-env=remote.origin.push=SPEC push",
    "a setting that later pushes use": "git config remote.origin.push +refs/heads/*:refs/heads/*",
    "a setting in the newer form": "git config set remote.origin.mirror true",
    "a remote that is mirrored": "git remote add --mirror=push backup host:repo",
    "a command that is not known": "git <any> origin main",
}
LEFT_ALONE = {
    "a plain push": "git push -u origin main",
    "force with a lease": "git push --force-with-lease=main:abc origin main",
    "a condition on the lease": "git push --force-with-lease --force-if-includes origin main",
    "force that is taken back": "git push --force --no-force origin main",
    "force in a dry run": "git push --dry-run --force origin main",
    "the letter of a push option": "git push -of origin main",
    "a push option that looks like force": "git push -o -f origin main",
    "the value of a long option": "git push --push-option --force origin main",
    "a branch with force in its name": "git push -q origin HEAD:refs/heads/docs/force-push-f",
    "the branch that is checked out": "git push -u origin <name>",
    "a branch that is deleted": "git push origin --delete old",
    "a branch that is deleted with a colon": "git push origin :old",
    "tags": "git push origin --tags --follow-tags",
    "a fetch with force": "git fetch --force origin +refs/heads/*:refs/remotes/origin/*",
    "a setting of fetches": "git config remote.origin.fetch +refs/heads/*:refs/remotes/origin/*",
    "a setting that is only read": "git config remote.origin.push",
    "a mirror that is turned off": "git -c remote.origin.mirror=false push origin",
    "a mirror to fetch from": "git remote add --mirror=fetch origin host:repo",
    "a stash": "git stash push -f",
    "a fork that gh brings forward": "gh repo sync me/fork",
    "the clone that gh resets to its remote": "gh repo sync --force",
    "a branch that the API makes": "gh api repos/o/r/git/refs -f ref=refs/heads/x -f sha=abc",
    "another program": "docker push -f image",
}


class Aliased(Machine):
    def git_alias(self, name, cwd):
        return {"pf": "push --force", "pl": "push --force-with-lease"}.get(name, "")


def judge(text, argument="", machine=None):
    return decision(no_force_push.judge(call(text), argument, machine or Files()))


@cases(DENIED)
def test_denies(case):
    assert judge(case) == "deny"
    assert judge(case, STRICT) == "deny"


@cases(ASKED)
def test_asks(case):
    assert judge(case) == "ask"


@cases(LEFT_ALONE)
def test_leaves_alone(case):
    assert judge(case) == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("git push --force-with-lease", "deny", id="a lease"),
        pytest.param("git push --force-with-lease=main:abc origin main", "deny", id="a lease with a value"),
        pytest.param("git push --force-with-l", "deny", id="a lease cut short"),
        pytest.param("git push --force-with-lease --no-force-with-lease", "", id="a lease that is taken back"),
        pytest.param("git push origin main", "", id="a plain push"),
    ],
)
def test_strict_counts_a_lease_as_force(text, expected):
    assert judge(text, STRICT) == expected


def test_an_alias_of_the_configuration_is_what_it_stands_for():
    assert judge("git pf origin main", machine=Aliased()) == "deny"
    assert judge("git pl origin main", machine=Aliased()) == ""
    assert judge("git pl origin main", STRICT, Aliased()) == "deny"


def test_only_without_strict_a_lease_is_what_to_do_instead():
    forced = call("git push -f")
    assert "--force-with-lease" in no_force_push.judge(forced, "", Files()).instead
    assert "--force-with-lease" not in no_force_push.judge(forced, STRICT, Files()).instead


def test_no_argument_but_strict_has_a_meaning():
    assert no_force_push.problem("") == no_force_push.problem(STRICT) == ""
    assert "`main`" in no_force_push.problem("main")


@cases({**DENIED, **ASKED})
def test_no_line_that_it_concerns_is_taken_for_plain(case):
    assert not is_plain(case, no_force_push.KEYWORDS)
