"""`memdir rules explain` and `memdir rules test` as real processes: what a surprised person reads, what a CI gets."""

import json
import os
import re
import subprocess
from xml.etree import ElementTree

import pytest

from memdir import enforcement
from memdir_cli import askings, explanation
from memdir_cli.demonstration.page import width
from support.checkout import ROOT, copy_plugin, plain_python, running_python
from support.rules import write_rule

PROGRAM = ROOT / "bin" / "memdir"


@pytest.fixture
def memdir(home, project, tmp_path):
    """memdir(*words, stdin=..., cwd=..., env=...) -> (exit code, standard output, standard error)."""
    path = plain_python(tmp_path / "path", running_python()) + ":/usr/bin:/bin"

    def run(*words, stdin="", cwd=None, env=None):
        env = {"HOME": str(home)} if env is None else env
        done = subprocess.run(
            [str(PROGRAM), "rules", *words],
            input=stdin.encode(),
            capture_output=True,
            cwd=cwd or project,
            env={"PATH": path, "PYTHONDONTWRITEBYTECODE": "1", **env},
            check=False,
        )
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    return run


@pytest.fixture
def explain(memdir):
    """explain(call) is the text, without its line breaks, as a person reads it."""

    def run(*words, **options):
        code, out, err = memdir("explain", *words, **options)
        assert (code, err) == (0, "")
        assert max(width(line) for line in out.splitlines()) <= 80
        return " ".join(out.split())

    return run


@pytest.fixture
def told(memdir):
    """told(call) is what `--json` says of a call."""

    def run(*words, **options):
        code, out, err = memdir("explain", "--json", *words, **options)
        assert (code, err) == (0, "")
        return json.loads(out)

    return run


# What is read, which entry matches, and why


def test_a_surprising_denial_is_explained_in_one_reading(explain, project):
    write_rule(project, "policy", "deny: [no-recursive-delete]", "As agreed.")
    (project / "src").mkdir()
    text = explain('flags="-fr build"; cd src; sudo rm $flags')
    assert "3 rm -fr build written: sudo rm $flags in sudo, at" in text
    assert f"{project}/src" in text.replace(" ", "")
    assert "denies deny: no-recursive-delete" in text
    assert ".claude/rules/policy.md:2" in text.replace(" ", "")
    assert "command 3: `rm -fr build`" in text
    assert "enough for it: rm -fr …" in text
    assert "-fr is --force --recursive" in text
    assert "it leaves alone: `rm FILE`" in text
    assert "It is the only entry with an opinion." in text
    assert "The model reads: As agreed. memdir denied this:" in text
    assert "What to do: - Name the files" in text


def test_a_path_is_told_with_where_it_leads(told, project):
    write_rule(project, "policy", 'protect: ["src/gen/**"]', "As agreed.")
    (project / "src" / "gen").mkdir(parents=True)
    (project / "other").symlink_to("src/gen")
    assert told("echo x > other/a.ts")["opinions"][0]["read_as"] == [f"other/a.ts leads to {project}/src/gen/a.ts"]
    (by_directory,) = told("cd src; touch x; sed -n p gen/a.ts > gen/a.ts")["opinions"]
    assert by_directory["read_as"] == [f"gen/a.ts is {project}/src/gen/a.ts, by the directory of the command"]
    assert by_directory["commands"] == [3]


def test_every_entry_with_an_opinion_is_told_and_the_first_decides(told, explain, project, home):
    write_rule(project, "theirs", 'deny: ["Bash(git push --force *)"]\nask: ["Bash(git *)"]', "Theirs.")
    write_rule(home, "mine", "deny: [no-force-push]", "Mine.")
    found = told("git push -f origin main")
    assert [(one["name"], one["decision"], one["user"], one["wins"]) for one in found["opinions"]] == [
        ("no-force-push", "deny", True, True),
        ("Bash(git push --force *)", "deny", False, False),
        ("Bash(git *)", "ask", False, False),
    ]
    assert found["why"] == "The first one decides: of equal answers yours comes before a project's."
    assert "(yours)" in explain("git push -f origin main")
    write_rule(home, "mine", "ask: [no-force-push]", "Mine.")
    found = told("git push -f")
    assert found["why"].startswith("The first one gives the reason") is False
    assert [one["name"] for one in found["opinions"] if one["wins"]] == ["Bash(git push --force *)"]
    assert explain("git push -f").index("Bash(git push --force *)") < explain("git push -f").index("no-force-push")


def test_an_entry_that_needs_several_commands_names_none(told, project):
    write_rule(project, "policy", "deny: [no-pipe-to-shell]", "As agreed.")
    opinion, doubt = told("curl -o x.sh https://example.com && sh x.sh")["opinions"]
    assert (doubt["decision"], doubt["doubted"], doubt["commands"]) == ("ask", True, [])
    assert (opinion["decision"], opinion["commands"], opinion["enough"]) == ("deny", [], "")


@pytest.mark.parametrize(
    ("text", "line", "caret"),
    [
        ("echo 'x && rm -rf b", "    echo 'x && rm -rf b", 9),
        ("ls\nprintf 删除 'x", "    printf 删除 'x", 16),
        ("true " * 30 + "; echo 'x", None, None),
    ],
    ids=["one line", "second line, wide letters", "far to the right"],
)
def test_a_doubt_is_shown_in_its_place(memdir, project, text, line, caret):
    write_rule(project, "policy", "deny: [no-recursive-delete]", "As agreed.")
    code, out, _ = memdir("explain", text)
    lines = out.splitlines()
    at = next(number for number, shown in enumerate(lines) if shown.strip() == "^")
    assert (code, "Decision: ask" in out) == (0, True)
    assert "Write the command out plainly." in out
    if line is not None:
        assert (lines[at - 1], len(lines[at]) - 1) == (line, caret)
    before = 0
    for char in lines[at - 1]:
        if before == len(lines[at]) - 1:
            assert char == "'"
        before += width(char)
    assert width(lines[at - 1]) <= 80


@pytest.mark.parametrize(
    ("entry", "command", "why"),
    [
        ('deny: ["Bash(npm test)"]', "npm test src", "further arguments, which only a `*` at its end would take"),
        ('deny: ["Bash(git push --force *)"]', "git push origin", "the call has no `--force`"),
        ('deny: ["Bash(git push origin main)"]', "git push origin dev", "no `main` stands where the entry has it"),
        ('deny: ["Bash(docker rm *)"]', "docker container rm x", "no `rm` stands where the entry has it"),
        ('deny: ["Bash(a b c d)"]', "a b x y", "they agree as far as `a b`, and then the entry has `c d`"),
        ('deny: ["Bash(CI=1 make *)"]', "make x", "`CI=1` is not set for it"),
        ("deny: [no-recursive-delete]", "rm a.txt", "it leaves alone `rm FILE`"),
        ('protect: ["src/**"]', "cat src/a.ts", "is not known to change `src/a.ts`, and reading is free"),
        ('protect: ["src/**"]', "touch a.ts", "changes a.ts, and that is not `src/**`"),
        ('deny: ["Edit(src/**)"]', "sed -i s/a/b/ src/a.ts", "`protect` holds for both"),
        ('protect: ["src/**"]', "Read(src/a.ts)", "reading is free"),
        ('protect: ["src/**"]', "Edit(b.ts)", "`b.ts` is not `src/**`"),
    ],
)
def test_without_an_opinion_the_nearest_entry_says_why(told, project, entry, command, why):
    write_rule(project, "policy", entry, "As agreed.")
    found = told(command)
    assert (found["decision"], found["opinions"]) == ("no_opinion", [])
    assert found["why"] == "No rule has an opinion: Claude Code decides as if memdir were not there."
    ((path, text),) = [(one["path"], one["why"]) for one in found["near"]]
    assert path.endswith("policy.md")
    assert why in text


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("./scripts/wipe.sh", "what ./scripts/wipe.sh does is in its file"),
        ("sh x.sh", "what the script x.sh does is in its file"),
        ("make clean", "what make runs or changes elsewhere"),
        ("frobnicate -x", "frobnicate is no program that memdir knows"),
    ],
)
def test_what_is_not_followed_is_said_with_where_to_read_on(told, explain, project, command, sentence):
    write_rule(project, "policy", "deny: [no-recursive-delete]", "As agreed.")
    assert sentence in told(command)["calls"][0]["not_followed"]
    assert "`What is not covered, and why`" in explain(command)
    assert "## What is not covered, and why" in (ROOT / "docs" / "rules.md").read_text("utf-8")
    assert told("rm a.txt")["calls"][0]["not_followed"] == ""


def test_a_broken_rule_asks_and_says_where_to_mend_it(explain, project):
    write_rule(project, "policy", "deny:\n  - no-recursiv-delete", "As agreed.")
    text = explain("make")
    assert "asks deny: no-recursiv-delete" in text
    assert "policy.md:3" in text
    assert "did you mean `no-recursive-delete`" in text
    assert "Mend the rule" in text


@pytest.mark.parametrize(
    ("entry", "call", "decision"),
    [
        ('deny: ["Edit(src/**)"]', "Edit(src/a.ts)", "deny"),
        ('ask: ["WebFetch(domain:example.com)"]', "WebFetch(https://example.com/x)", "ask"),
        ('deny: ["mcp__db__drop*"]', 'mcp__db__drop_table({"table": "x"})', "deny"),
        ('deny: ["mcp__db"]', "mcp__db__list", "deny"),
        ('protect: ["src/**"]', 'mcp__fs__write_file({"path": "src/a.ts"})', "deny"),
        ('deny: ["no-content(x: any in src/**)"]', 'Write({"file_path": "src/a.ts", "content": "x: any"})', "deny"),
        ('deny: ["Bash(echo *)"]', "echo Edit(x)", "deny"),
    ],
)
def test_calls_of_other_tools_are_written_as_in_a_rule(told, project, entry, call, decision):
    write_rule(project, "policy", entry, "As agreed.")
    assert told(call)["decision"] == decision


def test_an_input_that_is_no_json_is_an_error(memdir, project):
    write_rule(project, "policy", "deny: [mcp__db]", "As agreed.")
    code, out, err = memdir("explain", "mcp__db__drop({table})")
    assert (code, out) == (1, "")
    assert err.startswith("memdir: the input of mcp__db__drop is not JSON")


def test_a_payload_is_explained_as_check_decides_it(memdir, told, project, tmp_path):
    write_rule(project, "policy", "deny: [no-recursive-delete]", "As agreed.")
    payload = {"tool_name": "Bash", "tool_input": {"command": "rm -rf x"}, "cwd": str(project), "session_id": "s"}
    found = told("--payload", stdin=json.dumps(payload), cwd=tmp_path)
    checked = json.loads(memdir("check", "--json", stdin=json.dumps(payload), cwd=tmp_path)[1])
    assert {key: found[key] for key in checked} == checked
    assert found["cwd"] == str(project)
    code, _, err = memdir("explain", "--payload", stdin="[]")
    assert (code, "PreToolUse payload" in err) == (2, True)


@pytest.mark.parametrize("words", [[], ["ls", "--last"], ["--payload", "--last"]], ids=["nothing", "two", "no call"])
def test_explain_wants_one_call(memdir, words):
    assert memdir("explain", *words)[0] == 2


def test_the_last_call_that_was_stopped_comes_from_the_log(explain, run_hook, payload, project, memdir):
    assert "the log holds no call that was stopped" in memdir("explain", "--last")[2]
    write_rule(project, "policy", "deny: [no-recursive-delete]\nask: [WebFetch]", "As agreed.")
    command = "TOKEN=sk-ant-abcdefghijklmnopqrstuv rm -rf victim"
    run_hook("PreToolUse", payload("PreToolUse.Bash", tool_name="Bash", tool_input={"command": command}))
    run_hook("PreToolUse", payload("PreToolUse.Bash", tool_name="Bash", tool_input={"command": "ls"}))
    text = explain("--last")
    assert "From the log: deny at 20" in text
    assert "without its secrets and its directory" in text
    assert "rm -rf victim" in text
    assert "sk-ant-abcdefg" not in text
    url = {"url": "https://example.com/", "prompt": "x"}
    run_hook("PreToolUse", payload("PreToolUse.Bash", tool_name="WebFetch", tool_input=url))
    assert "WebFetch https://example.com/ Decision: ask" in explain("--last")


def test_nothing_in_a_call_or_a_rule_is_obeyed_by_the_terminal(memdir, project):
    write_rule(project, "policy", 'deny: ["Bash(\\e]0;rule* *)", no-recursive-delete]', "As \x1b[31magreed.")
    for text in ("rm -rf \x1b]0;x\x07", "echo 'a\x1b[2J", "\x1b]0;rule x", "Edit(\x1b[2J)", "cd \x1b[2J; rm -r x"):
        code, out, _ = memdir("explain", text)
        assert code == 0
        assert out.replace("\n", "").isprintable()


def test_switched_off_rules_are_said_to_be_so(explain, project, home):
    write_rule(project, "policy", "deny: [no-recursive-delete]", "As agreed.")
    config = home / ".config" / "memdir" / "config.yaml"
    config.parent.mkdir(parents=True)
    config.write_text("rules.on: off\n")
    assert "Your configuration switches hard rules off here" in explain(
        "ls", env={"HOME": str(home), "MEMDIR_CONFIG": str(config)}
    )


def test_without_rules_it_says_so(explain):
    assert "No hard rules are in force here" in explain("rm -rf x")


# Long calls


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (f"git commit -m '{'x' * 90_000}'", "Decision: deny"),
        (f"git commit -m '{'删除' * 15_000}'", "Decision: deny"),
        (f"echo '{'y' * 90_000}' 'x", "Decision: ask"),
        (
            f"git push {' '.join(f'--o{at}' for at in range(900))} --force origin main",
            "enough for it: git push … --force",
        ),
        ("; ".join(f"rm -rf word{at}" for at in range(590)), "commands 1, 2, 3,"),
        (f"rm -rf src/{'a/' * 40_000}", "Decision: deny"),
    ],
    ids=["a word", "a wide word", "a doubt", "options", "commands", "a path"],
)
def test_a_long_call_is_explained_in_a_page(memdir, project, command, said):
    rules = 'deny: [no-recursive-delete, no-force-push]\nprotect: ["src/**"]'
    write_rule(project, "policy", rules + '\nrequire: ["Bash(git commit *) after Bash(pnpm lint)"]', "As agreed.")
    code, out, _ = memdir("explain", command)
    assert code == 0
    assert said in " ".join(out.split())
    assert max(width(line) for line in out.splitlines()) <= 80
    assert len(out.splitlines()) < 900
    assert max(map(len, out.split())) <= 80


def test_what_is_left_out_of_a_long_word_is_counted(explain, project):
    write_rule(project, "policy", "deny: [no-recursive-delete]", "As agreed.")
    assert "characters more)" in explain("rm -rf " + "x" * 5_000)
    assert "characters more)" not in explain("rm -rf " + "x" * 1_500)


def test_the_words_of_a_long_command_are_left_out_by_halves(project):
    from memdir.rules import decision

    write_rule(project, "policy", "deny: [no-force-push]", "As agreed.")
    session = enforcement.Session(str(project), str(project), os.environ, "")
    book, machine = session.rules(), session.machine()
    (file,) = book.files
    call = decision.ToolCall("Bash", {"command": "git push " + "--tags " * 450 + "-f " + "x " * 450}, session.cwd)
    (command,) = decision.line_of(call, machine).calls
    asked = askings.Askings(session, book, call, machine)
    assert asked.least(command, file, file.entries[0], "deny").argv == ["git", "push", "-f"]
    assert askings.WORDS - asked.left < 10 * len(command.argv)
    assert not asked.short


def test_a_call_beyond_all_measure_has_its_decision(told, project):
    write_rule(project, "policy", "deny: [no-recursive-delete]", "As agreed.")
    found = told("; ".join(["rm -rf " + "z " * 90] * 400))
    assert found["decision"] == "deny"
    assert "this runs more commands than memdir follows" in [doubt["sentence"] for doubt in found["doubts"]]


@pytest.mark.parametrize(
    ("words", "said"), [(1_300, "only a part of it was searched"), (500, "what other entries say of so long a call")]
)
def test_what_would_take_too_long_to_search_is_said_to_be_missing(project, state_dir, monkeypatch, words, said):
    write_rule(project, "policy", "deny: [no-recursive-delete]", "As agreed.")
    monkeypatch.setattr(askings, "WORDS", words)
    session = enforcement.Session(str(project), str(project), os.environ, str(state_dir))
    command = "; ".join(["rm -rf " + "z " * 90] * 10)
    found = explanation.Explanation(session, session.rules(), "Bash", {"command": command})
    assert found.found.decision == "deny"
    assert said in " ".join([found.why, *found.notes])


# The examples as tests

POLICY = """deny: [no-recursive-delete, "mcp__db__drop*"]
ask: ["Bash(touch *)"]
examples:
  deny: ["rm -rf build", 'mcp__db__drop({"table": "x"})',
    "rm a"]
  allow:
    - npm test
    - touch x
  ask: [touch y]"""


def test_an_example_that_fails_is_told_with_its_line_and_why(memdir, project):
    file = write_rule(project, "policy", POLICY, "As agreed.")
    code, out, err = memdir("test")
    assert (code, err) == (1, "")
    lines = out.splitlines()
    assert lines[0] == f"{file}:6: `rm a` should be deny, but is allow"
    assert "deny: no-recursive-delete" in lines[1]
    assert "it leaves alone" in lines[1]
    assert lines[2] == f"{file}:9: `touch x` should be allow, but is ask by {file}:3 Bash(touch *)"
    assert "memdir asks first: this runs `touch x`" in lines[3]
    assert lines[4:] == ["6 examples, 2 wrong; 0 problems in 1 rule files"]
    results = json.loads(memdir("test", "--json")[1])
    assert [(one["line"], one["wanted"], one["got"]) for one in results][1:4] == [
        (5, "deny", "deny"),
        (6, "deny", "allow"),
        (8, "allow", "allow"),
    ]


def test_an_example_that_is_no_call_is_wrong(memdir, project):
    write_rule(project, "policy", "deny: [mcp__db]\nexamples:\n  deny: ['mcp__db__drop({x})']", "As agreed.")
    code, out, _ = memdir("test")
    assert code == 1
    assert "policy.md:4: `mcp__db__drop({x})` should be deny, but is no call" in out
    assert "is not JSON" in out


def test_junit_holds_a_case_for_each_example_and_each_broken_rule(memdir, project, tmp_path):
    file = write_rule(project, "a", POLICY.replace("npm test", "'echo <&\"\\\\x01 ''删除'"), "As agreed.")
    broken = write_rule(project, "b", "deny:\n  - no-recursiv-delete", "As agreed.")
    write_rule(project, "c", 'deny: ["Bash(x)"]\nexamples: {allow: ["echo \\e[31m \\x00 \\uFFFE"]}', "As agreed.")
    report = tmp_path / "rules.xml"
    code, out, _ = memdir("test", "--junit", str(report))
    root = ElementTree.parse(report).getroot()
    assert code == 1
    assert out.endswith(" problems in 3 rule files\n")
    suites = {suite.get("name"): suite for suite in root}
    assert (root.tag, len(suites)) == ("testsuites", 3)
    for suite in root:
        assert suite.get("tests") == str(len(suite.findall("testcase")))
        assert suite.get("failures") == str(len(suite.findall("testcase/failure")))
    (failure,) = suites[str(broken)].findall("testcase/failure")
    assert "did you mean `no-recursive-delete`" in failure.get("message")
    first = suites[str(file)].find("testcase")
    assert (first.get("name"), first.get("file"), first.get("line")) == ("deny: rm -rf build", str(file), "5")
    assert (root.get("tests"), root.get("failures")) == (
        str(len(root.findall("*/testcase"))),
        str(len(root.findall("*/testcase/failure"))),
    )


def test_junit_goes_to_standard_output_alone(memdir, project):
    write_rule(project, "policy", POLICY, "As agreed.")
    code, out, err = memdir("test", "--junit", "-")
    assert code == 1
    assert ElementTree.fromstring(out).get("failures") == "2"
    assert "6 examples, 2 wrong" in err
    assert memdir("test", "--junit", "-", "--json")[0] == 2
    code, _, err = memdir("test", "--junit", "/nowhere/x.xml")
    assert (code, "cannot be written" in err) == (1, True)


def test_a_checkout_is_tested_without_a_home_or_an_installation(memdir, project, tmp_path):
    write_rule(project, "policy", POLICY.replace("rm a", "rm -r a").replace("    - touch x\n", ""), "As agreed.")
    empty = tmp_path / "empty"
    empty.mkdir()
    assert memdir("test", "--dir", str(project), cwd=empty, env={})[:2] == (
        0,
        "5 examples, 0 wrong; 0 problems in 1 rule files\n",
    )
    assert "no hard rules are in force here" in memdir("test", cwd=empty, env={})[2]
    assert memdir("test", "--dir", str(empty / "gone"))[0] == 1


def test_the_user_s_own_rules_can_be_left_out(memdir, project, home):
    write_rule(home, "mine", 'deny: ["Bash(npm *)"]\nexamples: {allow: [npm x]}', "Mine.")
    write_rule(project, "policy", 'deny: ["Bash(x)"]\nexamples: {allow: [npm test]}', "As agreed.")
    assert memdir("test")[0] == 1
    assert memdir("test", "--project-only")[:2] == (0, "1 examples, 0 wrong; 0 problems in 1 rule files\n")


REQUIREMENT = 'require: ["Bash(git commit *) after Bash(pnpm lint)"]'


def test_an_example_of_a_requirement_says_how_it_could_be_allowed(memdir, project):
    examples = 'examples: {allow: [git commit -m x, "pnpm lint && git commit -m x"], deny: [ls]}'
    write_rule(project, "policy", f"{REQUIREMENT}\n{examples}", "As agreed.")
    code, out, _ = memdir("test")
    first, why, other, nothing, _ = out.splitlines()
    assert code == 1
    assert "`git commit -m x` should be allow, but is deny" in first
    assert "allow only with the check before it in the same line, joined with `&&`" in why
    assert "`ls` should be deny, but is allow" in other
    assert "same line" not in nothing
    write_rule(project, "policy", "deny: ['Bash(git commit *)']\nexamples: {allow: [git commit]}", "As agreed.")
    assert "same line" not in memdir("test")[1]


def test_rules_that_are_gone_fail_in_every_form(memdir, project, tmp_path):
    report = tmp_path / "rules.xml"
    assert memdir("test")[:2] == (1, "")
    code, out, err = memdir("test", "--json")
    assert (code, json.loads(out)) == (1, [])
    assert "no hard rules are in force here" in err
    code, out, err = memdir("test", "--junit", str(report))
    assert (code, out) == (1, "")
    assert "no hard rules are in force here" in err
    root = ElementTree.parse(report).getroot()
    assert (root.get("tests"), root.get("failures")) == ("1", "1")
    assert "no hard rules are in force here" in root.find("testsuite/testcase/failure").get("message")
    code, out, _ = memdir("test", "--junit", "-", "--project-only")
    assert (code, ElementTree.fromstring(out).get("failures")) == (1, "1")


@pytest.mark.parametrize(
    "words",
    [("test", "--junit", ""), ("test", "--dir="), ("test", "--dir", " "), ("explain", "--session", "", "ls")],
    ids=["junit", "dir", "blank", "session"],
)
def test_an_option_without_a_value_is_wrong_usage(memdir, project, words):
    write_rule(project, "policy", "deny: [no-force-push]\nexamples: {deny: [git push -f]}", "As agreed.")
    code, out, err = memdir(*words)
    assert (code, out) == (2, "")
    assert f"{words[1].rstrip('=')} is empty" in err


# The documents


def _ci_commands():
    text = (ROOT / "docs" / "rules.md").read_text("utf-8")
    github, gitlab = re.findall(r"(?s)```yaml\n(# \.git.*?)```", text)
    return [
        pytest.param(re.findall(r"- run: (.*)", github), id="GitHub"),
        pytest.param(re.findall(r"(?m)^    - (.*)", gitlab), id="GitLab"),
    ]


@pytest.mark.parametrize("commands", _ci_commands())
def test_the_ci_of_the_documents_runs(project, tmp_path, commands):
    source = copy_plugin(tmp_path / "source")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "init", "-q", str(source)], check=True)
    subprocess.run([*git, "-C", str(source), "add", "-A"], check=True)
    subprocess.run([*git, "-C", str(source), "commit", "-q", "-m", "x"], check=True)
    write_rule(project, "policy", "deny: [no-force-push]\nexamples: {deny: [git push -f]}", "As agreed.")
    env = {"PATH": plain_python(tmp_path / "path", running_python()) + ":" + os.environ["PATH"]}
    assert len(commands) == 2
    for command in commands:
        line = command.replace("URL", f"file://{source}")
        done = subprocess.run(
            ["/bin/sh", "-ec", line], cwd=project, env=env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
    assert done.stdout == "1 examples, 0 wrong; 0 problems in 1 rule files\n"
    if "--junit" in commands[1]:
        assert ElementTree.parse(project / "rules.xml").getroot().get("tests") == "1"


def test_guards_leave_alone_what_the_documents_say():
    from memdir_cli import near_misses

    text = (ROOT / "docs" / "rules.md").read_text("utf-8").split("\n## Guards\n")[1].split("\n## ")[0]
    rows = re.findall(r"(?m)^\| `(no-[a-z-]+)` \| .* \| (.*?) \| [^|]* \|$", text)
    assert len(rows) == 7
    assert {name: near_misses.leaves_alone(name) for name, _ in rows} == dict(rows)


# A question that nobody can be asked


@pytest.mark.parametrize(
    ("attended", "command", "said"),
    [
        ("0", "touch x", "takes `Bash(touch *)` out of `ask` in line 2 of the rule file."),
        ("0", "rm $(cat flags)", "with nothing in it that is only known when it runs"),
        ("0", "touch " + "x" * 3000, "takes `Bash(touch *)` out of `ask`"),
        ("1", "touch x", ""),
        ("", "touch x", ""),
    ],
    ids=["an entry of ask", "a part that is not known", "a very long call", "a person is there", "not said"],
)
def test_a_question_says_when_nobody_is_there_and_how_to_allow_it(run_hook, payload, project, attended, command, said):
    write_rule(project, "policy", 'ask: ["Bash(touch *)"]\ndeny: [no-recursive-delete]', "As agreed. " * 100)
    event = payload("PreToolUse.Bash", tool_name="Bash", tool_input={"command": command})
    done = run_hook("PreToolUse", event, env={"CLAUDE_CODE_SESSION_ATTENDED": attended} if attended else {})
    output = done.json["hookSpecificOutput"]
    reason = output["permissionDecisionReason"]
    assert output["permissionDecision"] == "ask"
    assert len(reason) <= 2000
    assert ("Nobody is there to be asked" in reason) is bool(said)
    assert reason.endswith(said or ".claude/rules/policy.md:2).") or said in reason


def test_a_requirement_is_explained_with_what_its_session_has_done(explain, memdir, run_hook, payload, project):
    write_rule(project, "commit", 'require: ["Bash(git commit *) after Bash(pnpm lint)"]', "Clean.")
    lint = {"tool_name": "Bash", "tool_input": {"command": "pnpm lint"}, "tool_use_id": "toolu_1"}
    pre = payload("PreToolUse.Bash", **lint)
    assert run_hook("PreToolUse", pre).rc == 0
    run_hook("PostToolUse", payload("PostToolUse.Bash", **lint, session_id=pre["session_id"]))
    assert "Decision: deny" in explain("git commit -m x")
    text = explain("--session", pre["session_id"][:8], "git commit -m x")
    assert "Decision: no_opinion" in text
    assert "Met: `pnpm lint` has succeeded in this session, and that still counts." in text
    check = {**pre, "tool_input": {"command": "git commit -m x"}, "tool_use_id": "toolu_2"}
    assert json.loads(memdir("check", "--json", stdin=json.dumps(check))[1])["decision"] == "no_opinion"
    run_hook(
        "PreToolUse", {**check, "tool_name": "Write", "tool_input": {"file_path": str(project / "a"), "content": ""}}
    )
    assert "before the last change (a, Write)" in explain("--session", pre["session_id"], "git commit -m x")
    assert "knows no session with an id that begins with ffff" in memdir("explain", "--session", "ffff", "ls")[2]


def test_without_a_session_a_requirement_says_so_and_how_to_give_one(explain, told, project):
    write_rule(project, "policy", f"{REQUIREMENT}\ndeny: ['Bash(rm *)']", "As agreed.")
    text = explain("git commit -m x")
    assert text.startswith("No session was given")
    assert "--session ID" in text
    assert "--last" in text
    assert "which is not known to have been run, since no session was given" in text
    assert "The model reads, in a session that has run nothing: As agreed." in text
    assert told("rm x")["notes"] == told("pnpm lint && git commit -m x")["notes"] == []
    assert "The model reads: As agreed." in explain("rm x")


@pytest.mark.parametrize(
    ("command", "by"),
    [
        ("pnpm lint && git commit -m x", "command 1 (`pnpm lint`) has succeeded when command 2 begins"),
        ("ls; pnpm lint && ls && git commit -m x", "command 2 (`pnpm lint`) has succeeded when command 4 begins"),
        ("pnpm lint && pnpm lint && git commit", "`pnpm lint` has succeeded in this line when command 3 begins"),
        ("git push", None),
        ("pnpm lint", None),
        ("git commit --dry-run", None),
        ("pnpm lint; git commit -m x", None),
    ],
)
def test_a_requirement_that_is_met_is_told_with_what_meets_it(told, project, command, by):
    file = write_rule(project, "policy", REQUIREMENT, "As agreed.")
    found = told(command)
    assert [(one["path"], one["name"][:18], one["by"]) for one in found["met"]] == (
        [(str(file), "Bash(git commit *)", by)] if by else []
    )


def test_of_several_commits_those_that_come_too_early_are_named(told, project):
    write_rule(project, "policy", REQUIREMENT, "As agreed.")
    (opinion,) = told("git commit -m a; pnpm lint && git commit -m b")["opinions"]
    assert opinion["commands"] == [1]
