import pytest

from memdir.rules.plain import is_plain

KEYWORDS = frozenset({"git", "push", "rm", "-o", "publish"})


@pytest.mark.parametrize(
    "command",
    [
        "ls -la src",
        "cd web && npm test; npm run build",
        "git status",
        "git log --oneline -5 | head",
        "/usr/bin/git diff HEAD~1".replace("~1", "^"),
        "git add . && git show",
        "pytest -x tests/unit/rules_test.py\nruff check",
        "cat ./rm.txt",
        "NODE_ENV=test node app.js",
        "cp -r a/. b",
        "",
    ],
)
def test_ordinary_words_are_plain(command):
    assert is_plain(command, KEYWORDS)


@pytest.mark.parametrize(
    "command",
    [
        "rm x",
        "RM x",
        "/bin/rm x",
        "ls;rm x",
        "ls&&rm x",
        "ls\nrm x",
        "ls|rm",
        "x=rm",
        "x=/bin/rm",
        "--exec=rm",
        "rm=1",
        "git push",
        "git p",
        "git",
        "git -C x status",
        "git;status",
        "xargs git\nstatus",
        "git status; git p",
        "git diff --output=x",
        "npm publish",
        "tool -o x",
        "tool --outfile x",
        "bash x.sh",
        "source x",
        ". x",
        "ls && . ./x",
        "if . x",
    ],
)
def test_a_keyword_or_a_reader_is_not(command):
    assert not is_plain(command, KEYWORDS)


@pytest.mark.parametrize("char", list("'\"$\\`<>(){}*?[]~!#\r\v\f\u00a0é\u3000\0"))
def test_no_character_that_could_mean_something_is_plain(char):
    assert is_plain("ls ab", frozenset())
    assert not is_plain(f"ls a{char}b", frozenset())


def test_the_keyword_star_means_every_command():
    assert not is_plain("ls", frozenset({"*"}))


def test_a_subcommand_that_a_rule_names_is_not_plain():
    assert is_plain("git status", frozenset({"git", "push"}))
    assert not is_plain("git status", frozenset({"git", "status"}))


@pytest.mark.parametrize("command", ["git nuke", "git -C x status", "ls | xargs git", "git publish-all"])
def test_what_may_be_an_alias_of_git_is_not_plain_whatever_the_rule(command):
    assert not is_plain(command, frozenset({"publish"}))
    assert is_plain("git push origin", frozenset({"publish"}))


def test_an_output_option_counts_only_if_it_is_a_keyword():
    assert is_plain("cc -o x y.c", frozenset({"rm"}))
    assert not is_plain("cc -o x y.c", frozenset({"-o"}))
    assert not is_plain("cc -ox y.c", frozenset({"-o"}))
