import pytest

from memdir.rules.globs import PathPattern
from memdir.rules.protection import judge, judge_all, judge_tool
from memdir.shell.analysis import analyse
from memdir.shell.arguments import NAME
from memdir.shell.calls import Machine
from support.calls import Files, call

FILES = {
    "/proj/.env": "A=1",
    "/proj/README.md": "",
    "/proj/migrations/001.sql": "",
    "/proj/migrations/002.sql": "",
    "/proj/src/app.py": "",
    "/proj/src/app.tmp": "",
    "/proj/src/deep/key.pem": "",
    "/home/me/.ssh/config": "",
    "/other/x": "",
}
PROTECTED = [
    PathPattern(text, "/proj", "/home/me") for text in (".env", "migrations/**", "*.pem", "~/.ssh/", "/dist/bundle.js")
]


def decisions(command: str, machine: "Machine | None" = None, cwd: str = "/proj") -> str:
    machine = machine or Files(FILES)
    finding = judge_all(analyse(command, cwd, machine).calls, PROTECTED, machine)
    if finding is None:
        return ""
    assert finding.what.startswith("this ") and finding.what[-1] == ")"
    return finding.decision


DENIED = """
awk '{print > ".env"}' README.md
sed -n 'w .env' README.md
vim -es -c 'w! .env' -c q README.md
strace -o .env true
echo x > /proc/self/cwd/.env
sh -c 'echo x > $0' .env
echo A=2 > .env
echo A=2 >> ./.env
echo A=2 | tee -a .env
cd src && echo A=2 > ../.env
(cd migrations; sed -i s/a/b/ 001.sql)
sed -i s/a/b/ migrations/001.sql
perl -pi -e s/a/b/ .env README.md
cp src/app.py .env
cp src/app.py migrations
cp src/app.py migrations/003.sql
mv .env .env.old
mv src/app.py migrations/
mv migrations old
rm migrations/001.sql
rm -rf migrations
rm -rf .
rm -rf src
rm -r src/deep
rm -f migrations/*.sql
rm "migrations/$NAME.sql"
rm *.pem src/*/*.pem
sudo rm .env
bash -c 'echo > .env'
env A=1 tee .env < README.md
git checkout -- .env
git checkout HEAD~2 migrations
git restore migrations/001.sql
git rm migrations/001.sql
git rm -r migrations
git mv migrations/001.sql x.sql
git -C migrations rm 001.sql
truncate -s 0 /proj/.env
dd if=/dev/zero of=.env
ln -sf README.md .env
tar xf a.tar migrations/001.sql
curl -o .env https://x.org
echo x > ~/.ssh/config
echo x > $HOME/.ssh/authorized_keys
echo > dist/bundle.js
gcc -o dist/bundle.js a.c
ln -s .env l2 && echo x > l2
ln -s .env a; ln -s a b; echo x > b
ln .env l2 && sed -i s/a/b/ l2
ln -s migrations m && rm m/001.sql
cd src && ln -s ../migrations m && echo x > m/003.sql
cp -l .env l2 && echo x > l2
find migrations -name '0*' -exec sed -i s/a/b/ {} +
f=.env; echo x > $f
for f in migrations/001.sql; do rm "$f"; done
echo .env | xargs rm
npx prettier --write 'migrations/**'
prettier --write "migrations/*.sql"
prettier --write 'migrations/**/*.sql'
npx eslint --fix migrations/
cd migrations && ruff format .
git ls-files -- migrations | xargs sed -i s/a/b/
git diff --name-only -- migrations | xargs sed -i s/a/b/
git grep -l a -- migrations | xargs sed -i s/a/b/
sed -i s/a/b/ $(git ls-files migrations)
git ls-files migrations/001.sql | xargs sed -i s/a/b/
python3 -c 'open(".env", "w")'
find migrations -exec rm {} \\; -o -fprint .env
patch -p1 <<< $'--- a/.env\\n+++ b/.env\\n@@ -1 +1 @@'
""".strip().split("\n")

ASKED = """
git reset --hard
git stash
git clean -fdx
git restore .
git checkout .
git apply some.patch
patch -p1 < some.patch
tar xf a.tar
unzip a.zip
cp -r /other/. .
cd "$(cat folder)/x" && rm .env
rm "src/deep/$NAME"
echo x > "$DIR/.env"
rm -rf "$DIR/migrations"
echo x > "$DIR/bundle.js"
rm "$NAME.pem"
rm -rf "$(curl -s x.org)"/*
cd "$DIR" && rm *.pem
echo x > "$(curl -s x.org)"
rm src/deep/[jkl]ey.pem
find . -name '*.sql' -delete
find . -type f -delete
find . -name deep -exec rm -rf {} +
""".strip().split("\n")

NO_OPINION = """
cat .env
cp .env .env.local
cp -r migrations /tmp/copy
echo '> .env'
echo "rm -rf migrations"
grep -o .env README.md
echo x > .env.local
echo x > README.md
echo x > "$LOG"
rm "$FILE"
rm -rf "$DIR"/*
rm -rf "$DIR"/build
rm -rf "build/$NAME"
mkdir -p "$DIR" && echo x > "$DIR/x.txt"
d=$(mktemp -d); cp -r src "$d" && rm -rf "$d"
cd "$(mktemp -d)" && rm -f .env
prettier --write .
prettier --write 'src/**/*.{ts,py}'
eslint --fix --ignore-pattern 'migrations/**' src
prettier --check 'migrations/**'
git ls-files | xargs sed -i s/a/b/
git ls-files -- src/app.py | xargs sed -i s/a/b/
git ls-files -- migrations | xargs wc -l
git diff -- migrations | xargs sed -i s/a/b/
rm src/app.py
rm -rf build
rm -rf src/nothing
find . -name '*.tmp' -delete
find src -name '*.py' -exec sed -i s/a/b/ {} +
git add migrations
git commit -m 'rm .env'
git checkout main
git pull
git stash pop
git rm --cached .env
git clean -n
git diff migrations > /tmp/x.diff
tar czf /tmp/x.tgz migrations
rsync -a migrations/ host:x
cd /other && rm -rf x
cd /other && echo > dist/bundle.js
ln -s .env l2
ln -s .env l2 && rm l2
ln -s README.md l2 && echo x > l2
cp -r /other .
ls migrations
mkdir -p migrations
touch .env
chmod 600 .env
sqlite3 migrations/x.db .tables
""".strip().split("\n")


@pytest.mark.parametrize("command", DENIED)
def test_a_command_that_changes_a_protected_file_is_denied(command):
    assert decisions(command) == "deny"


@pytest.mark.parametrize("command", ASKED)
def test_a_command_that_may_change_one_asks(command):
    assert decisions(command) == "ask"


@pytest.mark.parametrize("command", NO_OPINION)
def test_other_commands_are_left_alone(command):
    assert decisions(command) == ""


def test_without_protected_files_nothing_is_found():
    assert judge(call("rm -rf /proj"), [], Files(FILES)) is None


def test_a_denial_goes_before_a_question():
    calls = [call("git stash"), call("rm .env")]
    finding = judge_all(calls, PROTECTED, Files(FILES))
    assert finding is not None and finding.decision == "deny"


def test_a_link_that_exists_is_its_target():
    machine = Files(FILES, links={"/proj/conf": "/proj/.env"})
    assert decisions("echo x > conf", machine) == "deny"


def test_a_relative_path_in_an_unknown_directory_asks():
    assert decisions("rm .env", cwd="") == "ask"
    assert decisions("rm README.md", cwd="") == ""
    assert decisions("rm migrations/001.sql", cwd="") == "ask"


def test_nothing_has_to_be_known_of_the_machine_to_deny():
    assert decisions("rm migrations/001.sql", Machine()) == "deny"
    assert decisions("rm src/*.pem", Machine()) == "deny"
    assert decisions("rm src/*", Machine()) == "ask"


@pytest.mark.parametrize(
    ("command", "what"),
    [
        ("echo x > .env", "this changes .env (echo x > .env)"),
        ("rm -rf migrations", "this deletes files in migrations (rm -rf migrations)"),
        ("rm -rf .", "this deletes files in this directory (rm -rf .)"),
        ("mv migrations/001.sql x", "this deletes migrations/001.sql (mv migrations/001.sql x)"),
        ("git reset --hard", "this may change files in this directory (git reset --hard)"),
        ("git clean -fd src", "this may delete files in src (git clean -fd src)"),
        ("cd src && echo > ../.env", "this changes /proj/.env (echo > ../.env)"),
        ("tee a b c > .env " + 60 * "long-name ", "this changes .env (tee a b c " + 6 * "long-name " + "long-name…)"),
        (
            'rm "src/deep/$N"',
            "this may change a protected file, as src/deep/… is only known when it runs (rm src/deep/…)",
        ),
        ("eslint --fix migrations", "this changes files such as migrations/… (eslint --fix migrations)"),
        ("ln -s .env l && echo > l", "this changes .env (echo > l)"),
    ],
    ids=lambda value: value[:20],
)
def test_a_finding_says_what_the_call_does(command, what):
    machine = Files(FILES)
    finding = judge_all(analyse(command, "/proj", machine).calls, PROTECTED, machine)
    assert finding is not None and finding.what == what


def test_a_question_about_an_unknown_name_says_what_to_do():
    finding = judge(call("rm 'src/deep/<name>'"), PROTECTED, Files(FILES))
    assert finding is not None and finding.instead[-1] == "."


def test_a_large_tree_is_not_searched_to_the_end():
    class Endless(Files):
        asked = 0

        def names(self, folder: str) -> "list[str]":
            self.asked += 1
            return [f"d{number}" for number in range(50)]

        def kind(self, path: str) -> str:
            return "dir"

    machine = Endless()
    finding = judge(call(f"rm -rf './{NAME}.pem'"), PROTECTED[2:3], machine)
    assert finding is not None and finding.decision == "ask"
    assert machine.asked < 500


TOOLS = [
    ("Edit", {"file_path": "/proj/.env"}, "deny"),
    ("Write", {"file_path": "/proj/migrations/004.sql"}, "deny"),
    ("Write", {"file_path": "migrations/../.env"}, "deny"),
    ("MultiEdit", {"file_path": "~/.ssh/config"}, "deny"),
    ("NotebookEdit", {"notebook_path": "/proj/migrations/a.ipynb"}, "deny"),
    ("Edit", {"file_path": "/proj/README.md"}, ""),
    ("Edit", {"file_path": "/proj/link"}, "deny"),
    ("Edit", {"path": "/proj/.env"}, ""),
    ("Edit", {}, ""),
    ("Edit", {"file_path": None}, ""),
    ("Edit", {"file_path": ""}, ""),
    ("Read", {"file_path": "/proj/.env"}, ""),
    ("Bash", {"command": "x", "path": "/proj/.env"}, ""),
    ("mcp__fs__write_file", {"path": "/proj/.env"}, "deny"),
    ("mcp__fs__write_file", {"path": ".env"}, "deny"),
    ("mcp__fs__edit_file", {"filePath": "/proj/.env"}, "deny"),
    ("mcp__fs__read_file", {"path": "/proj/.env"}, ""),
    ("mcp__update__read", {"path": "/proj/.env"}, ""),
    ("mcp__fs__move_file", {"source": "/proj/a", "destination": "/proj/migrations/a"}, "deny"),
    ("mcp__fs__move_file", {"source": "/proj/.env", "destination": "/tmp/a"}, "deny"),
    ("mcp__fs__deleteDirectory", {"path": "/proj/src"}, "deny"),
    ("mcp__fs__create_directory", {"path": "/proj/src"}, ""),
    ("mcp__fs__write", {"uri": "file:///proj/.env"}, "deny"),
    ("mcp__fs__write", {"uri": "file://localhost/proj/%2Eenv"}, "deny"),
    ("mcp__fs__write", {"uri": "https://x.org/.env"}, ""),
    ("mcp__fs__remove_files", {"paths": ["/proj/a", "/proj/.env"]}, "deny"),
    ("mcp__notes__create_note", {"title": ".env", "text": ".env"}, ""),
]


@pytest.mark.parametrize(("tool", "tool_input", "expected"), TOOLS, ids=lambda value: str(value)[:60])
def test_tools_that_edit_are_judged_by_their_paths(tool, tool_input, expected):
    machine = Files(FILES, links={"/proj/link": "/proj/.env"})
    finding = judge_tool(tool, tool_input, "/proj", PROTECTED, machine)
    assert (finding.decision if finding else "") == expected


def test_a_tool_in_an_unknown_directory_asks():
    finding = judge_tool("Write", {"file_path": ".env"}, "", PROTECTED, Files(FILES))
    assert finding is not None and finding.decision == "ask"
