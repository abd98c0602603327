"""What deletes whole directories, and what only looks like it."""

import pytest

from memdir.rules.guards import no_recursive_delete
from memdir.rules.plain import is_plain
from support.calls import Files, call, cases, decision, pipeline

DENIED = {
    "rm with both letters in one word": "rm -rf victim",
    "rm with the letters the other way round": "rm -fr victim",
    "rm with a capital letter in a cluster": "rm -vRf victim",
    "rm with two words for two letters": "rm -r -f victim",
    "rm without force": "rm -r victim",
    "rm with long options": "rm --recursive --force victim",
    "rm with long options cut short": "rm --recurs --forc victim",
    "rm with the shortest long option": "rm --r victim",
    "rm with options after its operand": "rm victim -rf",
    "rm by its path": "/bin/rm -rf victim",
    "rm of GNU on another system": "grm -rf victim",
    "rm by another case, which macOS takes for the same": "RM -rf victim",
    "rm of the root": "rm -rf /",
    "rm of what a glob matches": "rm -rf vic<star>",
    "rm of a name known only when it runs": "rm -rf <name>",
    "an unknown rest of a recursive cluster": "rm -rf<any> victim",
    "find that deletes": "find . -name '*.pyc' -delete",
    "rsync that deletes at its destination": "rsync -a --delete ./ host:/srv/app/",
    "rsync that deletes what it leaves out": "rsync -a --delete-excluded a/ b/",
    "rsync with the short name": "rsync -a --del a/ b/",
    "rimraf": "rimraf dist",
    "git rm that loses changes, with folders": "git rm -r -f src",
    "an alias of git for that": "git -c alias.x='rm -rf' x src",
    "the files of a bucket": "aws --profile prod s3 rm --recursive s3://bucket",
    "gsutil": "gsutil -m rm -r gs://bucket",
    "gcloud storage": "gcloud storage rm --recursive gs://bucket",
    "rclone purge": "rclone purge remote:folder",
}
ASKED = {
    "an operand that may be an option": "rm <any>",
    "an operand that may be one, after another": "rm a.txt <any>",
    "an option that is not known": "rm -<name> victim",
    "a cluster that is not known to its end": "rm -f<any> victim",
    "a long option that is not known to its end": "rm --<any> victim",
    "an action of find that is not known": "find . <any>",
    "an option of rsync that is not known": "rsync -a <any> b/",
}
LEFT_ALONE = {
    "rm of one file": "rm -f pool-refund-f/old-rf.txt",
    "a path that looks like an option": "rm pool-refund-f/old-rf.txt",
    "a file with the name of an option": "rm -- -rf",
    "an unknown file after two dashes": "rm -- <any>",
    "rm of an empty directory": "rm -d empty",
    "rm of what a variable of the environment names": "rm -f <name>",
    "rm of files that a glob matches": "rm -f <star>.log",
    "a long option that only begins alike": "rm --preserve-root file",
    "unlink of one file": "unlink old.txt",
    "rmdir": "rmdir -p a/b",
    "trash": "trash -r victim",
    "find that prints": "find victim -name '*.txt' -print",
    "find with a name that is not known": "find . -name <name>",
    "rsync that deletes nothing": "rsync -a a/ b/",
    "rsync that only says what it would do": "rsync -an --delete a/ b/",
    "a value that looks like an option of rsync": "rsync -a -e --delete a/ b/",
    "git rm without force, which git can give back": "git rm -r src",
    "git rm of the index alone": "git rm -r -f --cached src",
    "git rm that only says what it would do": "git rm -rf --dry-run src",
    "one object of a bucket": "aws s3 rm s3://bucket/file",
    "a bucket that is only copied": "aws s3 cp --recursive . s3://bucket",
    "an option of docker": "docker run --rm -v /proj:/w alpine ls -r /w",
    "words that are printed": "echo 'rm -rf victim'",
    "a redirection without a program": "",
}


def judge(made):
    return decision(no_recursive_delete.judge(made, "", Files()))


@cases(DENIED)
def test_denies(case):
    assert judge(call(case)) == "deny"


@cases(ASKED)
def test_asks(case):
    assert judge(call(case)) == "ask"


@cases(LEFT_ALONE)
def test_leaves_alone(case):
    assert judge(call(case)) == ""


def test_what_another_program_does_is_named():
    implied = call("rm -rf victim", implied=True, via=("sudo", "python code"))
    assert no_recursive_delete.judge(implied, "", Files()).what == (
        "`rm -rf victim`, which is what `python code` does, deletes directories with everything in them"
    )


def test_files_that_find_hands_over_are_whole_directories_too():
    assert judge(call("rm ./<name>", implied=True, via=("find -exec",))) == "deny"
    assert judge(call("rm", implied=True, via=("find -exec",))) == ""


@pytest.mark.parametrize("program", ["rm", "rm -f", "unlink"])
def test_what_a_search_runs_deletes_whatever_is_found(program):
    assert judge(call(f"{program} <name>", implied=True, via=("find -exec",))) == "deny"
    assert judge(call(f"{program} <name>", implied=True, via=("fd --exec",))) == "deny"
    assert judge(pipeline("fd . build", f"{program} <name>")[-1]) == ""
    for search, expected in [("fd . build", "deny"), ("find build", "deny"), ("fd -d 1 . build", ""), ("ls", "")]:
        deletion = pipeline(search, f"{program} <name>")[-1]
        deletion.via = ("xargs",)
        assert judge(deletion) == expected


@pytest.mark.parametrize(
    ("search", "expected"),
    [
        pytest.param("find victim -type f", "deny", id="find goes down all the way"),
        pytest.param("find victim -maxdepth 3 -type f", "deny", id="find goes down some way"),
        pytest.param("find . -maxdepth 1 -name '*.log'", "", id="find stays in one directory"),
        pytest.param("git ls-files -d", "", id="another program names the files"),
    ],
)
def test_files_that_xargs_hands_over_depend_on_where_they_come_from(search, expected):
    deletion = pipeline(search, "rm -f <name>")[-1]
    deletion.via = ("xargs",)
    assert judge(deletion) == expected


def test_a_long_call_is_cut():
    what = no_recursive_delete.judge(call("rm -rf " + "folder " * 100), "", Files()).what
    assert what.startswith("`rm -rf folder") and "…`" in what and len(what) < 250


def test_an_argument_is_a_problem():
    assert no_recursive_delete.problem("") == ""
    assert "`src`" in no_recursive_delete.problem("src")


@cases({**DENIED, **ASKED})
def test_no_line_that_it_concerns_is_taken_for_plain(case):
    assert not is_plain(case, no_recursive_delete.KEYWORDS)
