"""From a prohibition that was spoken to a rule that holds: nothing is enforced before a person said so."""

import json
import re
import subprocess

import pytest

from support import terminal
from support.checkout import ROOT, plain_python, running_python
from support.conversation import SESSION
from support.rules import write_rule

SAID = "Never push to main yourself."
TOPIC = "feedback_never_push_main_yourself.md"
RULE = "never-push-main-yourself.md"
PUSH = {"command": "git push origin main"}


@pytest.fixture
def environment(home, tmp_path):
    path = plain_python(tmp_path / "path", running_python()) + ":/usr/bin:/bin"
    return {"PATH": path, "HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1", "LANG": "C.UTF-8"}


@pytest.fixture
def memdir(environment, project):
    """memdir(*words) -> (exit code, standard output, standard error); it has no terminal."""

    def run(*words, stdin="", cwd=None, env=None):
        done = subprocess.run(
            [str(ROOT / "bin" / "memdir"), *words],
            input=stdin.encode(),
            capture_output=True,
            cwd=cwd or project,
            env={**environment, **(env or {})},
            check=False,
        )
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    return run


@pytest.fixture
def at_a_terminal(environment, project):
    """at_a_terminal(words, *answers) -> (exit code, what was on the screen); None ends the input."""

    def run(words, *answers, env=None):
        command = [str(ROOT / "bin" / "memdir"), "rules", "adopt", *words]
        return terminal.converse(command, answers, cwd=project, env={**environment, **(env or {})})

    return run


@pytest.fixture
def spoken(run_hook, payload, conversation, memdir, memory):
    """spoken("Never …") is said in a session, and extracted; the topic's path."""

    def say(*said):
        before = set(memory.dir.glob("*.md"))
        for words in said:
            conversation.user(words).claude("Noted.").bookkeeping()
        fields = {"session_id": SESSION, "transcript_path": str(conversation.path), "last_assistant_message": ""}
        assert run_hook("Stop", payload("Stop", **fields)).rc == 0
        assert memdir("queue", "run")[0] == 0
        return sorted(set(memory.dir.glob("*.md")) - before - {memory.dir / "MEMORY.md"})

    return say


@pytest.fixture
def decided(memdir):
    """decided(tool, input) is what `memdir rules check` decides."""

    def check(tool, tool_input):
        stdin = json.dumps({"tool_name": tool, "tool_input": tool_input})
        code, out, err = memdir("rules", "check", "--json", stdin=stdin)
        assert code == 0, err
        return json.loads(out)["decision"]

    return check


@pytest.fixture
def topic(memory):
    """topic(rule) is a topic that anybody may have written, with this text (or value) as its proposal."""

    def write(rule, name=TOPIC, description="never push to main yourself"):
        text = rule if isinstance(rule, str) else json.dumps(rule, ensure_ascii=False)
        quoted = text.replace("'", "''")
        header = f"---\nname: x\ndescription: {json.dumps(description)}\nmetadata:\n  type: feedback\n"
        return memory.file(name, f"{header}  proposedRule: '{quoted}'\n---\n\nnever push to main yourself\n")

    return write


def _rules(project):
    folder = project / ".claude" / "rules"
    return sorted(path.name for path in folder.glob("*")) if folder.is_dir() else []


def test_a_spoken_prohibition_is_enforced_once_a_person_adopted_it(spoken, memdir, decided, project):
    (made,) = spoken(SAID)
    assert made.name == TOPIC
    assert decided("Bash", PUSH) == "no_opinion"
    code, out, _ = memdir("rules", "adopt", TOPIC)
    assert (code, "+deny: [" in out, _rules(project)) == (1, True, [])
    assert decided("Bash", PUSH) == "no_opinion"
    code, out, err = memdir("rules", "adopt", TOPIC, "--yes")
    assert (code, err, _rules(project)) == (0, "", [RULE])
    assert "would deny: git push origin main" in out
    assert decided("Bash", PUSH) == "deny"
    assert decided("Bash", {"command": "git push"}) == "ask"
    assert decided("Bash", {"command": "git push origin topic"}) == "no_opinion"
    assert memdir("rules", "test")[:2] == (0, "5 examples, 0 wrong; 0 problems in 1 rule files\n")
    assert (project / ".claude" / "rules" / RULE).stat().st_mode & 0o777 == 0o644
    before = (project / ".claude" / "rules" / RULE).read_bytes()
    code, out, _ = memdir("rules", "adopt", TOPIC, "--yes")
    assert (code, "It is adopted" in out) == (0, True)
    assert (_rules(project), (project / ".claude" / "rules" / RULE).read_bytes()) == ([RULE], before)


@pytest.mark.parametrize(
    ("said", "stopped", "free"),
    [
        (
            "不要碰 migrations",
            ("Write", {"file_path": "migrations/1.sql", "content": "x"}),
            ("Bash", {"command": "ls"}),
        ),
        ("二度とforce pushしないで", ("Bash", {"command": "git push -f"}), ("Bash", {"command": "git push"})),
        ("Never run npm publish.", ("Bash", {"command": "npm publish"}), ("Bash", {"command": "npm test"})),
        (
            "Never run npm publish, npm version.",
            ("Bash", {"command": "npm version 2"}),
            ("Bash", {"command": "npm test"}),
        ),
        ("Never use `git add .`.", ("Bash", {"command": "git add ."}), ("Bash", {"command": "git add src/a.ts"})),
    ],
    ids=["zh", "ja", "en", "list", "dot"],
)
def test_in_every_language_what_is_adopted_holds(spoken, memdir, decided, said, stopped, free):
    (made,) = spoken(said)
    assert decided(*stopped) == "no_opinion"
    assert memdir("rules", "adopt", made.name, "--yes")[0] == 0
    assert (decided(*stopped), decided(*free)) == ("deny", "no_opinion")
    assert memdir("rules", "test")[0] == 0


def test_what_no_rule_follows_from_is_a_memory_like_any_other(spoken, memdir):
    (made,) = spoken("Never use mocks for the database.")
    assert "proposedRule" not in made.read_text()
    code, _, err = memdir("rules", "adopt", made.name)
    assert (code, "none that a rule follows from" in err) == (1, True)


def test_status_counts_what_could_be_a_rule_until_it_is_one(spoken, memdir):
    assert "Hard rules" not in memdir("status")[1]
    spoken(SAID)
    assert "1 of what you said could be one: memdir rules adopt" in memdir("status")[1]
    memdir("rules", "adopt", TOPIC, "--yes")
    assert "Hard rules" not in memdir("status")[1]


def test_without_a_file_it_lists_what_there_is(spoken, memdir, project):
    assert "No topic in " in memdir("rules", "adopt")[1]
    spoken(SAID, "Never run npm publish.")
    memdir("rules", "adopt", TOPIC, "--yes")
    code, out, _ = memdir("rules", "adopt")
    assert code == 0
    assert f"{TOPIC}  (adopted: {project}/.claude/rules/{RULE})" in out
    assert "feedback_never_run_npm_publish.md  (not adopted)" in out
    listed = json.loads(memdir("rules", "adopt", "--json")[1])
    assert [(one["file"], bool(one["adopted"])) for one in listed] == [
        (TOPIC, True),
        ("feedback_never_run_npm_publish.md", False),
    ]


def test_for_a_program_it_answers_with_one_document(spoken, memdir, project):
    spoken(SAID)
    code, out, _ = memdir("rules", "adopt", TOPIC, "--json")
    told = json.loads(out)
    assert (code, told["state"], _rules(project)) == (1, "proposed", [])
    code, out, _ = memdir("rules", "adopt", TOPIC, "--json", "--yes")
    written = json.loads(out)
    assert (code, written["state"]) == (0, "written")
    assert (project / ".claude" / "rules" / RULE).read_text() == written["text"] == told["text"]
    assert json.loads(memdir("rules", "adopt", TOPIC, "--json")[1])["state"] == "adopted"


def test_it_can_be_a_rule_of_the_users_own(spoken, memdir, decided, home, project):
    spoken(SAID)
    assert memdir("rules", "adopt", TOPIC, "--user", "--yes")[0] == 0
    assert (home / ".claude" / "rules" / RULE).is_file()
    assert (_rules(project), decided("Bash", PUSH)) == ([], "deny")


def test_below_the_project_it_is_written_at_its_root(spoken, memdir, project):
    spoken(SAID)
    (project / "src").mkdir()
    assert memdir("rules", "adopt", TOPIC, "--yes", cwd=project / "src")[0] == 0
    assert _rules(project) == [RULE]


@pytest.mark.parametrize(("answer", "code", "written"), [("y", 0, [RULE]), ("n", 1, []), ("", 1, []), (None, 1, [])])
def test_at_a_terminal_it_asks(spoken, at_a_terminal, project, answer, code, written):
    spoken(SAID)
    ended, screen = at_a_terminal([TOPIC], answer)
    assert "would deny: git push origin main" in screen
    assert (ended, _rules(project)) == (code, written)


def test_at_a_terminal_one_is_chosen_from_the_list(spoken, at_a_terminal, project):
    spoken(SAID, "Never run npm publish.")
    ended, screen = at_a_terminal([], "9", "2", "y")
    assert "1. " in screen and "This must be one of none, 1, 2." in screen
    assert (ended, _rules(project)) == (0, ["never-run-npm-publish.md"])
    assert at_a_terminal([], "none")[0] == 0
    assert _rules(project) == ["never-run-npm-publish.md"]


# Only a person


def test_a_command_of_claude_s_shows_and_writes_nothing(spoken, memdir, at_a_terminal, project):
    spoken(SAID)
    code, out, err = memdir("rules", "adopt", TOPIC, "--yes", env={"CLAUDECODE": "1"})
    assert (code, "+deny: [" in out, "a terminal of your own" in err) == (1, True, True)
    assert at_a_terminal([TOPIC], env={"CLAUDECODE": "1"})[0] == 1
    assert _rules(project) == []


@pytest.mark.parametrize(
    ("command", "decision"),
    [
        ("memdir rules adopt x --yes", "ask"),
        ("env -u CLAUDECODE memdir rules adopt x --yes", "ask"),
        ("CLAUDECODE= ~/.claude/memdir/app/bin/memdir rules adopt x", "ask"),
        ("cd /srv/memdir/lib && python3 -m memdir_cli rules adopt x --yes", "ask"),
        ("memdir rules adopt $WHICH", "ask"),
        ("bash -c 'memdir rules adopt x'", "ask"),
        ("memdir rules adopt", "no_opinion"),
        ("memdir rules adopt --json", "no_opinion"),
        ("memdir rules list", "no_opinion"),
        ("echo memdir rules adopt x --yes", "ask"),  # erring towards a question
    ],
)
def test_while_a_rule_is_in_force_an_adoption_by_bash_asks(decided, project, command, decision):
    write_rule(project, "some", "deny: [no-force-push]", "As agreed.")
    assert decided("Bash", {"command": command}) == decision


# What anybody may have written


GOOD = {"deny": ["Bash(npm publish *)"]}


@pytest.mark.parametrize(
    "rule",
    [
        "not json",
        '["deny"]',
        {},
        {"deny": []},
        {"deny": "Bash(x *)"},
        {"deny": [1]},
        {"deny": ["no-such-guard"]},
        {"deny": ["Bash(a && b)"]},
        {"allow": ["Bash(*)"]},
        {"deny": ["Bash(npm publish *)"], "paths": ["x"]},
        {"deny": ["Bash(npm publish *)\nask: [x]"]},
        {"deny": ["Bash(npm \u001b[2J *)"]},
        {"deny": ["Bash(npm \u202e *)"]},
        {"deny": ["Bash(npm publish *)"] * 21},
        {"deny": ["Bash(" + "x" * 400 + ")"]},
        {"protect": ["a" * 200] * 20, "deny": ["Bash(" + "x" * 200 + ")"] * 20},
        {"deny": ["Bash(npm publish *)"], "examples": {"deny": ["x\u0007"]}},
        {"deny": ["Bash(npm publish *)"], "examples": {"never": ["x"]}},
    ],
    ids=[
        "no JSON", "a list", "empty", "no entry", "a text", "a number", "unknown guard", "broken pattern", "allow",
        "another key", "a line end", "an escape sequence", "turned around", "too many", "too long", "too long in all",
        "a bell in an example", "unknown example",
    ],
)  # fmt: skip
def test_a_proposal_that_is_no_rule_is_refused_and_told(topic, memdir, project, rule):
    topic(rule)
    code, out, err = memdir("rules", "adopt", TOPIC, "--yes")
    assert (code, out, _rules(project)) == (1, "", [])
    assert err.startswith("memdir: ") and len(err.splitlines()) == 1 and err.strip().isprintable()
    assert "Hard rules" not in memdir("status")[1]


@pytest.mark.parametrize(
    "said",
    [
        "---\ndeny: [x]",
        "# heading",
        "<!-- hidden",
        "a\x1b]0;title\x07b",
        "",
        "- list",
        "`code`",
        "x" * 5000,
        "deny: everything",
    ],
    ids=["header", "heading", "comment", "title", "nothing", "list", "code", "long", "key"],
)
def test_whatever_the_topic_says_the_rule_file_holds_the_keys_and_no_more(topic, memdir, project, said):
    topic(GOOD, description=said)
    code, out, err = memdir("rules", "adopt", TOPIC, "--yes")
    assert (code, err) == (0, "")
    assert "\x1b" not in out and "\x07" not in out
    (file,) = json.loads(memdir("rules", "list", "--json")[1])["files"]
    assert [(entry["kind"], entry["text"]) for entry in file["entries"]] == [("deny", "Bash(npm publish *)")]
    assert (file["problems"], len((project / ".claude/rules" / RULE).read_text()) < 2000) == ([], True)


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("feedback_..md", "adopted.md"),
        ("feedback_a b;$(x).md", "a-b-x.md"),
        ("feedback_" + "長" * 60 + ".md", "長" * 20 + ".md"),
        ("sub/feedback_x.md", "x.md"),
    ],
)
def test_the_name_of_a_rule_file_is_harmless(topic, memory, memdir, project, name, written):
    (memory.dir / "sub").mkdir()
    topic(GOOD, name=name)
    assert memdir("rules", "adopt", name, "--yes")[0] == 0
    assert _rules(project) == [written]


def test_only_topics_of_this_project_s_memory_are_adopted(topic, memory, memdir, project, tmp_path):
    path = topic(GOOD)
    elsewhere = tmp_path / "feedback_x.md"
    elsewhere.write_bytes(path.read_bytes())
    (memory.dir / "feedback_link.md").symlink_to(elsewhere)
    (memory.dir / "folder").symlink_to(tmp_path)
    for named in (
        str(elsewhere),
        "feedback_link.md",
        "folder/feedback_x.md",
        "../memory/../../x.md",
        "MEMORY.md",
        "no",
    ):
        code, out, err = memdir("rules", "adopt", named, "--yes")
        assert (named, code, out) == (named, 1, "") and err.startswith("memdir: ")
    assert _rules(project) == []
    for named in (str(path), TOPIC[:-3], TOPIC):
        assert memdir("rules", "adopt", named, "--yes")[0] == 0


def test_a_file_that_is_there_is_shown_and_not_overwritten(topic, memdir, project):
    topic(GOOD)
    mine = write_rule(project, RULE[:-3], "deny: [no-force-push]", "Mine.")
    before = mine.read_bytes()
    code, out, err = memdir("rules", "adopt", TOPIC, "--yes")
    assert (code, mine.read_bytes(), "move it away" in err) == (1, before, True)
    assert "-deny: [no-force-push]" in out and '+deny: ["Bash(npm publish *)"]' in out


def test_a_rule_of_other_keys_and_name_that_holds_it_counts_as_adopted(topic, memdir, project):
    topic(GOOD)
    write_rule(project, "mine", 'deny: [no-force-push, "Bash(npm publish *)"]', "Mine.")
    assert memdir("rules", "adopt", TOPIC, "--yes")[1].startswith("It is adopted: ")
    assert _rules(project) == ["mine.md"]


def test_a_folder_of_the_repository_that_leads_elsewhere_is_not_written_into(topic, memdir, project, tmp_path):
    topic(GOOD)
    (tmp_path / "elsewhere").mkdir()
    (project / ".claude").symlink_to(tmp_path / "elsewhere")
    code, _, err = memdir("rules", "adopt", TOPIC, "--yes")
    assert (code, "by a link" in err, list((tmp_path / "elsewhere").iterdir())) == (1, True, [])


def test_an_example_that_comes_out_otherwise_is_left_out_and_told(topic, memdir):
    topic({**GOOD, "examples": {"deny": ["npm publish", "npm test"], "allow": ["npm publish --dry-run"]}})
    code, out, _ = memdir("rules", "adopt", TOPIC, "--yes")
    assert code == 0
    assert "has no opinion on: npm test   (proposed as an example of deny; left out)" in out
    assert memdir("rules", "test")[:2] == (0, "1 examples, 0 wrong; 0 problems in 1 rule files\n")


def test_a_topic_among_the_rule_files_is_soft(spoken, project, decided, run_hook, payload):
    (made,) = spoken(SAID)
    folder = project / ".claude" / "rules"
    folder.mkdir(parents=True)
    (folder / "copied.md").write_bytes(made.read_bytes())
    assert decided("Bash", PUSH) == "no_opinion"
    done = run_hook("PreToolUse", payload("PreToolUse.Bash", tool_input=PUSH), env={"PATH": ""})
    assert (done.rc, done.stdout, done.stderr) == (0, b"", b"")  # the launcher sees no hard key: no interpreter starts


def test_the_document_shows_what_is_printed(spoken, memdir, project):
    spoken(SAID)
    text = (ROOT / "docs" / "rules.md").read_text("utf-8")
    section = text.partition("## From a spoken prohibition to a rule")[2].partition("\n## ")[0]
    (shown,) = re.findall(r"(?s)```\n\$ memdir rules adopt feedback\S+\n(.*?)```", section)
    _, out, _ = memdir("rules", "adopt", TOPIC)
    assert out.replace(str(project), "/home/dev/shop") == shown
