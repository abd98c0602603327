import re

import pytest

from memdir.rules import patterns, plain
from memdir.shell.arguments import ANY, NAME, STAR
from memdir.shell.calls import Call, Machine


class Known(Machine):
    """A machine of which the tests say what is there."""

    home = "/home/me"

    def __init__(self, files=(), aliases=None, folds=False):
        self.files = set(files)
        self.aliases = aliases or {}
        self.folds = folds

    def kind(self, path):
        if path in self.files:
            return "file"
        return "dir" if any(file.startswith(path.rstrip("/") + "/") for file in self.files) else ""

    def names(self, folder):
        start = folder.rstrip("/") + "/"
        return sorted({file[len(start) :].split("/")[0] for file in self.files if file.startswith(start)})

    def folds_case(self, path):
        return self.folds

    def git_alias(self, name, cwd):
        return self.aliases.get(name, "")


def verdict(pattern, argv, machine=None, cwd="/p", **fields):
    call = Call(argv if isinstance(argv, list) else argv.split(), cwd)
    for name, value in fields.items():
        setattr(call, name, value)
    return patterns.match(patterns.parse(pattern), call, machine or Known(), "/p")


ALIKE = [
    ("the same words", "npm publish", "npm publish"),
    ("an option that the pattern does not name, with a value", "npm publish", "npm publish --access public"),
    ("an option before the subcommand", "npm publish", "npm --prefix web publish"),
    ("a star for no argument", "git push *", "git push"),
    ("a star for many arguments", "git push *", "git push origin main dev"),
    ("a colon and star for no argument", "git push:*", "git push"),
    ("a colon and star for arguments", "git push:*", "git push origin"),
    ("a colon and star for a longer word", "npm run test:*", "npm run test:unit"),
    ("a star within a word", "npm run deploy-*", "npm run deploy-prod"),
    ("a star between words", "kubectl * delete", "kubectl -n prod pods delete"),
    ("a star for the program", "npm* publish", "npm publish"),
    ("a program by its path", "rm *", "/usr/bin/rm x"),
    ("every command", "*", "ls -l"),
    ("every command, written as a prefix", ":*", "ls -l"),
    ("options apart", "rm -rf *", "rm -r -f x"),
    ("options in another order", "rm -rf *", "rm -fr x"),
    ("options behind the operand", "rm -rf *", "rm x -rf"),
    ("options among others", "rm -rf *", "rm -vfdr x"),
    ("long options", "rm -rf *", "rm --recursive --force x"),
    ("a long and a short option", "rm -rf *", "rm --force -R x"),
    ("an upper-case twin", "rm -r *", "rm -R x"),
    ("a short option for a long one", "git push --force *", "git push -uf origin"),
    ("a long option with a value", "npm publish --tag *", "npm publish --tag=beta"),
    ("a value in the next word", "npm publish --tag=beta", "npm publish --tag beta"),
    ("a value behind the equals sign", "kubectl --namespace prod delete *", "kubectl delete pod x --namespace=prod"),
    ("a value elsewhere", "kubectl -n prod delete *", "kubectl delete pod x -n prod"),
    ("a glued value", "kubectl -n prod delete *", "kubectl -nprod delete pod x"),
    ("a long option with one dash", "terraform apply -auto-approve", "terraform apply -auto-approve"),
    ("git's options before the subcommand", "git push *", "git -C sub -c a=b push origin"),
    ("git's options in the pattern", "git -c core.hooksPath=* commit *", "git -c core.hooksPath=x commit -m y"),
    ("a separator that the pattern asks for", "git checkout -- *", "git checkout -q -- a"),
    ("a separator that it does not ask for", "rm x", "rm -- x"),
    ("a quoted word", 'git commit -m "wip *"', ["git", "commit", "-m", "wip of today"]),
    ("a number", "kill -9 *", "kill -9 4711"),
    ("a script by its place", "./deploy.sh *", "./deploy.sh prod"),
    ("a script from another folder", "./bin/deploy.sh *", "../p/bin/deploy.sh"),
    ("a script that a shell runs", "./deploy.sh *", "bash -e deploy.sh prod"),
    ("a bare name for an absolute pattern", "/bin/rm *", "rm x"),
]
DIFFERENT = [
    ("another operand", "npm publish", "npm publish ./dir"),
    ("another subcommand", "git push *", "git pull"),
    ("a subcommand that begins alike", "npm run test:*", "npm run tests"),
    ("a word of another command", "git push *", "echo git push"),
    ("a missing option", "git push --force *", "git push --force-with-lease"),
    ("an option that is longer", "git push --force-with-lease *", "git push --force"),
    ("one of two options", "rm -rf *", "rm -r x"),
    ("a letter in a value", "git commit -n *", "git commit -mnew"),
    ("an option behind the separator", "rm -f *", "rm -- -f"),
    ("a word that looks like an option, given as a value", "git commit --amend *", "git commit -m --amend"),
    ("letters of a word option", "find -e *", "find . -name x"),
    ("other order", "docker rm web", "docker web rm"),
    ("another value", "kubectl -n prod delete *", "kubectl -n dev delete pod prod"),
    ("an operand before the separator", "git checkout -- *", "git checkout main -- a"),
    ("no separator", "git checkout -- *", "git checkout main"),
    ("a script of the same name elsewhere", "./deploy.sh *", "sub/deploy.sh"),
    ("a program from PATH for a relative pattern", "./gradlew *", "gradlew build"),
    ("other case", "rm *", "RM x"),
    ("a call without a program", "rm *", []),
]


@pytest.mark.parametrize(("pattern", "argv"), [case[1:] for case in ALIKE], ids=[case[0] for case in ALIKE])
def test_a_call_matches(pattern, argv):
    assert verdict(f"Bash({pattern})", argv) == "yes"


@pytest.mark.parametrize(("pattern", "argv"), [case[1:] for case in DIFFERENT], ids=[case[0] for case in DIFFERENT])
def test_another_call_does_not_match(pattern, argv):
    assert verdict(f"Bash({pattern})", argv) == "no"


@pytest.mark.parametrize(
    ("pattern", "argv", "expected"),
    [
        pytest.param("git push --force *", ["git", "push", ANY], "maybe", id="any text could be the option"),
        pytest.param("git push --force *", ["git", "push", NAME], "no", id="a name is no option"),
        pytest.param("git push --force *", ["git", "push", "x" + ANY], "no", id="text behind a letter is no option"),
        pytest.param("git push --force *", ["git", "push", "-" + ANY], "maybe", id="letters behind a dash could be it"),
        pytest.param("git commit -n *", ["git", "commit", "-m", ANY], "no", id="a message is no option"),
        pytest.param("git push --force *", ["git", "push", "--forc"], "maybe", id="a long option cut short"),
        pytest.param(
            "git push origin main", ["git", "push", "origin", NAME], "maybe", id="a name could be the operand"
        ),
        pytest.param("git push origin main", ["git", "push", ANY], "maybe", id="any text could be two operands"),
        pytest.param("git push origin main", ["git", "push", ANY, "dev"], "no", id="a later word that differs"),
        pytest.param("git push *", ["git", "push", ANY], "yes", id="a star takes any text"),
        pytest.param("rm *.pem", ["rm", STAR + ".pem"], "yes", id="the same wildcard"),
        pytest.param("rm a.pem", ["rm", STAR + ".pem"], "maybe", id="a wildcard that could be the name"),
        pytest.param("rm a.pem", ["rm", STAR + ".key"], "no", id="a wildcard that cannot be the name"),
        pytest.param("rm *", [NAME, "x"], "maybe", id="an unknown program"),
        pytest.param("rm *", ["r" + ANY, "x"], "maybe", id="a program known in part"),
        pytest.param("git push *", ["ls" + ANY, "push"], "no", id="a program that begins differently"),
    ],
)
def test_what_is_known_only_when_it_runs_makes_the_difference(pattern, argv, expected):
    assert verdict(f"Bash({pattern})", argv) == expected


def test_an_alias_of_git_is_what_it_stands_for():
    machine = Known(aliases={"p": "push --force"})
    assert verdict("Bash(git push --force *)", "git p origin", machine) == "yes"
    assert verdict("Bash(git p *)", "git p origin", machine) == "yes"
    assert verdict("Bash(git pull *)", "git p origin", machine) == "no"


def test_a_wrapper_is_matched_by_its_name():
    assert verdict("Bash(sudo *)", "rm x", via=("sudo",)) == "yes"
    assert verdict("Bash(sudo rm *)", "rm x", via=("sudo",)) == "yes"
    assert verdict("Bash(sudo rm *)", "rm x") == "no"
    assert verdict("Bash(sudo rm *)", "ls x", via=("sudo",)) == "no"


def test_a_variable_in_front_has_to_be_set():
    assert verdict("Bash(HUSKY=0 git commit *)", "git commit", assigned={"HUSKY": "0"}) == "yes"
    assert verdict("Bash(HUSKY=0 git commit *)", "git commit", assigned={"HUSKY": "1"}) == "no"
    assert verdict("Bash(HUSKY=0 git commit *)", "git commit") == "no"


def test_where_file_names_fold_case_so_do_programs():
    assert verdict("Bash(rm *)", "RM x", Known(folds=True)) == "yes"


def test_a_relative_script_in_an_unknown_folder_may_be_the_one():
    assert verdict("Bash(./deploy.sh *)", "x/deploy.sh", cwd="") == "maybe"
    assert verdict("Bash(./deploy.sh *)", "x/other.sh", cwd="") == "no"


def test_thousands_of_arguments_and_stars_are_no_work():
    assert verdict("Bash(x " + "* a " * 20 + ")", ["x", *["a"] * 1000, "b"]) == "no"
    assert verdict("Bash(x " + "a*" * 200 + "b)", ["x", "a" * 100_000]) == "no"


TOOLS = [
    ("Edit means every tool that edits", "Edit(src/**)", "Write", {"file_path": "/p/src/a.ts"}, "yes"),
    ("MultiEdit too", "Edit(src/**)", "MultiEdit", {"file_path": "/p/src/a.ts"}, "yes"),
    ("notebooks too", "Edit(*.ipynb)", "NotebookEdit", {"notebook_path": "/p/a.ipynb"}, "yes"),
    ("a relative path begins in the working directory", "Edit(src/**)", "Edit", {"file_path": "src/a.ts"}, "yes"),
    ("another folder", "Edit(src/**)", "Edit", {"file_path": "/p/test/a.ts"}, "no"),
    ("Edit does not mean Read", "Edit(src/**)", "Read", {"file_path": "/p/src/a.ts"}, "no"),
    ("Write is Write alone", "Write(src/**)", "Edit", {"file_path": "/p/src/a.ts"}, "no"),
    ("a tool alone", "Edit", "Write", {"file_path": "/x"}, "yes"),
    ("Read means Grep of the file", "Read(.env)", "Grep", {"path": "/p/.env", "pattern": "KEY"}, "yes"),
    ("Grep that names it in its glob", "Read(.env)", "Grep", {"pattern": "KEY", "glob": ".env"}, "yes"),
    ("Grep whose glob could be it", "Read(.env)", "Grep", {"pattern": "KEY", "glob": ".e*"}, "maybe"),
    ("Grep whose glob cannot be it", "Read(.env)", "Grep", {"pattern": "KEY", "glob": "*.ts"}, "no"),
    ("Grep that shows lines of the folder", "Read(.env)", "Grep", {"pattern": "K", "output_mode": "content"}, "maybe"),
    ("Grep that names files", "Read(.env)", "Grep", {"pattern": "KEY"}, "no"),
    ("Glob for it", "Read(.env)", "Glob", {"pattern": ".env"}, "yes"),
    ("Glob for others", "Read(.env)", "Glob", {"pattern": "**/*.ts"}, "no"),
    ("a path that is no text", "Edit(src/**)", "Edit", {"file_path": 7}, "maybe"),
    ("no path", "Edit(src/**)", "Edit", {}, "maybe"),
    ("the home directory", "Read(~/.ssh/**)", "Read", {"file_path": "~/.ssh/id_rsa"}, "yes"),
    ("a host", "WebFetch(domain:example.com)", "WebFetch", {"url": "https://example.com/x"}, "yes"),
    (
        "a host with port and user",
        "WebFetch(domain:example.com)",
        "WebFetch",
        {"url": "http://u@EXAMPLE.com:8/"},
        "yes",
    ),
    ("a host below", "WebFetch(domain:example.com)", "WebFetch", {"url": "https://api.example.com"}, "yes"),
    ("a host that ends alike", "WebFetch(domain:example.com)", "WebFetch", {"url": "https://myexample.com"}, "no"),
    ("a host in the path", "WebFetch(domain:example.com)", "WebFetch", {"url": "https://x.org/example.com"}, "no"),
    ("a server", "mcp__db", "mcp__db__query", {}, "yes"),
    ("a server that begins alike", "mcp__db", "mcp__dbx__query", {}, "no"),
    ("a server's tools", "mcp__db__*", "mcp__db__query", {}, "yes"),
    ("one tool", "mcp__db__query", "mcp__db__drop", {}, "no"),
    ("any tool", "*", "WebSearch", {}, "yes"),
    ("a bare tool", "Agent", "Agent", {}, "yes"),
]


@pytest.mark.parametrize(
    ("pattern", "tool", "tool_input", "expected"), [case[1:] for case in TOOLS], ids=[case[0] for case in TOOLS]
)
def test_a_tool_call_is_matched(pattern, tool, tool_input, expected):
    machine = Known(files=["/p/.env", "/p/src/a.ts"])
    assert patterns.match_tool(patterns.parse(pattern), tool, tool_input, "/p", machine, "/p") == expected


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Bash(", "not closed"),
        ("Bash((", "not closed"),
        ("Bash()", "nothing stands"),
        ("Bash(a | b)", "more than one command"),
        ("Bash(a && b)", "more than one command"),
        ('Bash(git commit -m "x)', "quote"),
        ("Bash(a))", "parentheses"),
        ("Agent(x)", "write `Agent` alone"),
        ("mcp__db__query(x)", "takes nothing"),
        ("WebFetch(example.com)", "domain:example.com"),
        ("WebFetch(domain:)", "domain:example.com"),
        ("Grep(src)", "write `Read(src)`"),
        ("Edit(!src)", "exceptions"),
    ],
)
def test_a_broken_pattern_says_how_to_write_it(text, told):
    with pytest.raises(ValueError, match=re.escape(told)):
        patterns.parse(text)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("Bash", {"*"}),
        ("Bash(*)", {"*"}),
        ("Bash(git push *)", {"git", "push"}),
        ("Bash(git -C x push)", {"git", "push"}),
        ("Bash(git *)", {"git"} | plain.READING),
        ("Bash(npm publish)", {"publish"}),
        ("Bash(npm*)", {"*"}),
        ("Bash(npm* publish)", {"publish"}),
        ("Bash(kubectl -n prod delete *)", {"delete"}),
        ("Bash(kubectl -n prod)", {"kubectl"}),
        ("Bash(./bin/Deploy.sh *)", {"deploy.sh"}),
        ("Bash(rm -rf *)", {"rm", "find", "rsync", "rimraf"}),
        ("Edit(x)", set()),
    ],
)
def test_keywords_are_in_every_plain_line_that_can_match(pattern, expected):
    assert patterns.keywords(patterns.parse(pattern)) == expected


PLAIN_LINES = [case for case in ALIKE if isinstance(case[2], str)]


@pytest.mark.parametrize(("pattern", "line"), [case[1:] for case in PLAIN_LINES], ids=[case[0] for case in PLAIN_LINES])
def test_no_line_that_matches_is_taken_for_plain(pattern, line):
    assert not plain.is_plain(line, patterns.keywords(patterns.parse(f"Bash({pattern})")))
