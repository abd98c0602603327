"""bin/memdir as a person and as a program use it: a real process, from any place, without an installation."""

import json
import os
import subprocess

import pytest

from support.checkout import ROOT, plain_python, running_python
from support.rules import write_rule


@pytest.fixture
def memdir(home, project, tmp_path):
    """memdir(*words, stdin=..., cwd=...) -> (exit code, standard output, standard error)."""
    path = plain_python(tmp_path / "path", running_python()) + ":/usr/bin:/bin"

    def run(*words, stdin="", cwd=None, env=None, program=ROOT / "bin" / "memdir"):
        done = subprocess.run(
            [str(program), *words],
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            cwd=cwd or project,
            env={"PATH": path, "HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1", **(env or {})},
            check=False,
        )
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    return run


@pytest.fixture
def topics(memory):
    memory.topic("staging-deploys", "Staging deploys only happen on Tuesdays", "Never on Fridays.")
    memory.topic("backup", "部署前先备份数据库", "用 pg_dump。", type="feedback")
    for number in range(6):
        memory.topic(f"note-{number}", f"Staging note {number} about the ledger", "x")
    memory.file("MEMORY.md", "- [Staging](project_staging_deploys.md) — Tuesdays\n- [Gone](gone.md) — away\n")
    return memory


def test_recall_shows_what_a_prompt_would_bring(memdir, topics):
    code, out, err = memdir("recall", "when do staging deploys happen?")
    assert (code, err) == (0, "")
    assert out.split("\n")[0].split()[1:3] == ["deliver", "project_staging_deploys.md"]


def test_recall_for_a_program(memdir, topics):
    code, out, _ = memdir("recall", "when do staging deploys happen?", "--dir", str(topics.dir), "--json", "-k", "3")
    answer = json.loads(out)
    assert code == 0
    assert list(answer) == ["query", "abstained", "results"]
    assert answer["query"] == "when do staging deploys happen?"
    assert answer["abstained"] is False
    assert len(answer["results"]) == 3
    first, second = answer["results"][:2]
    assert first["score"] >= second["score"]
    assert (first["file"], first["delivered"], first["type"]) == ("project_staging_deploys.md", True, "project")
    assert first["description"] == "Staging deploys only happen on Tuesdays"


def test_recall_lists_k_files_whether_or_not_they_pass(memdir, topics):
    _, out, _ = memdir("recall", "ledger", "--dir", str(topics.dir), "--json", "-k", "6")
    answer = json.loads(out)
    assert len(answer["results"]) == 6
    assert answer["abstained"] == (not any(result["delivered"] for result in answer["results"]))


def test_recall_may_consider_the_newest_only(memdir, topics):
    os.utime(topics.dir / "project_staging_deploys.md", (1, 1))
    _, out, _ = memdir("recall", "staging deploys", "--dir", str(topics.dir), "--max-files", "7", "--json")
    assert "project_staging_deploys.md" not in out
    _, out, _ = memdir("recall", "staging deploys", "--dir", str(topics.dir), "--json")
    assert "project_staging_deploys.md" in out


def test_abstaining_is_no_error(memdir, topics):
    code, out, _ = memdir("recall", "thanks!", "--dir", str(topics.dir), "--json")
    assert code == 0
    assert json.loads(out) == {"query": "thanks!", "abstained": True, "results": []}


def test_queries_are_answered_line_by_line_in_their_order(memdir, topics, tmp_path):
    lines = [
        '{"query": "staging deploys"}',
        "not JSON",
        '{"prompt": "x"}',
        "",
        '{"query": 7}',
        '{"query": "数据库备份"}',
    ]
    code, out, _ = memdir("recall", "--queries", "-", "--dir", str(topics.dir), "--json", stdin="\n".join(lines) + "\n")
    answers = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [sorted(answer)[0] for answer in answers] == ["abstained", "error", "error", "error", "error", "abstained"]
    assert answers[1]["error"].startswith("line 2: ")
    assert answers[5]["results"][0]["file"] == "feedback_backup.md"
    (tmp_path / "q.jsonl").write_text("\n".join(lines))
    assert memdir("recall", "--queries", str(tmp_path / "q.jsonl"), "--dir", str(topics.dir), "--json")[1] == out


def test_answers_come_one_by_one(memdir, topics, home):
    """A program may wait for an answer before it asks again."""
    process = subprocess.Popen(
        [str(ROOT / "bin" / "memdir"), "recall", "--queries", "-", "--dir", str(topics.dir), "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={"PATH": "/usr/bin:/bin", "HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    with process:
        for query in ("staging deploys", "数据库备份"):
            process.stdin.write(json.dumps({"query": query}).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["query"] == query
        process.stdin.close()
    assert process.returncode == 0


def test_recall_writes_only_to_the_state_directory(memdir, topics, home):
    def files():
        return {path for path in home.rglob("*") if path.is_file()}

    before = files()
    memdir("recall", "staging deploys")
    new = files() - before
    assert new
    assert all(".local/state/memdir" in str(path) or "Application Support/memdir" in str(path) for path in new)


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["recall"], 1, "give one QUERY, or --queries FILE"),
        (["recall", "x", "--queries", "-"], 1, "give one QUERY, or --queries FILE"),
        (["recall", "x", "--dir", "/nowhere"], 1, "/nowhere is not a directory"),
        (["recall", "--queries", "/nowhere"], 1, "cannot read /nowhere"),
        (["recall", "x", "-k", "0"], 1, "-k and --max-files take a number from 1"),
        (["recall", "x", "-k", "many"], 2, "invalid int value"),
        (["recal"], 2, "invalid choice"),
        ([], 2, ""),
    ],
)
def test_wrong_usage_is_told_plainly(memdir, words, code, message):
    got, _, err = memdir(*words)
    assert (got, message in err, "Traceback" in err) == (code, True, False)


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["recall", "--help"],
        ["status", "--help"],
        ["doctor", "--help"],
        ["log", "--help"],
        ["rules", "--help"],
        ["rules", "list", "--help"],
        ["queue", "--help"],
        ["queue", "retry", "--help"],
        ["setup", "--help"],
    ],
)
def test_help_is_there(memdir, words):
    code, out, _ = memdir(*words)
    assert (code, out.startswith("usage: memdir")) == (0, True)


def test_the_version_is_that_of_the_manifest(memdir):
    manifest = json.loads((ROOT / ".claude-plugin" / "plugin.json").read_text())
    assert memdir("--version")[1] == f"memdir {manifest['version']}\n"


def test_it_runs_through_links_and_on_every_python(memdir, each_python, tmp_path):
    (tmp_path / "b in").mkdir()
    (tmp_path / "b in" / "m").symlink_to(ROOT / "bin" / "memdir")
    (tmp_path / "memdir").symlink_to("b in/m")
    path = plain_python(tmp_path / "other", each_python)
    assert memdir("--version", program=tmp_path / "memdir", env={"PATH": path + ":/usr/bin:/bin"})[0] == 0


def test_a_reader_that_goes_away_is_no_error(home, topics):
    done = subprocess.run(
        [
            "/bin/sh",
            "-c",
            f'"{ROOT}/bin/memdir" recall --queries - --dir "$1" --json | head -1 >/dev/null',
            "sh",
            str(topics.dir),
        ],
        input=b'{"query": "staging"}\n' * 5000,
        capture_output=True,
        env={"PATH": "/usr/bin:/bin", "HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1"},
        check=False,
    )
    assert done.stderr == b""


def test_status_shows_the_memory_of_the_project(memdir, topics):
    code, out, err = memdir("status")
    assert (code, err) == (0, "")
    assert str(topics.dir) in out
    assert "2 lines" in out
    assert "Topic files       8" in out
    assert max(map(len, out.replace(str(topics.dir), "").splitlines())) <= 80


def test_status_for_a_program_lists_every_file(memdir, topics):
    document = json.loads(memdir("status", "--json")[1])
    assert document["memory_dir"] == str(topics.dir)
    assert document["native_memory"] is True
    assert [file["source"] for file in document["files"]] == ["index", *["topic"] * 8]
    assert all({"path", "source", "scope_path", "chars", "load_reason"} == set(file) for file in document["files"])


def test_status_without_any_memory(memdir):
    code, out, _ = memdir("status")
    assert (code, "none yet" in out, "Topic files       0" in out) == (0, True, True)


def test_log_shows_the_runs(memdir, topics, run_hook, payload):
    assert memdir("log")[1].startswith("Nothing in ")
    run_hook("UserPromptSubmit", payload("UserPromptSubmit.text", prompt="when do staging deploys happen?"))
    run_hook("UserPromptSubmit", payload("UserPromptSubmit.text", prompt="thanks"))
    lines = memdir("log")[1].splitlines()
    assert [line.split("ms  ")[1] for line in lines] == ["delivered 1 of 8 topics", "of 8 topics none fits"]
    assert len(memdir("log", "-n", "1")[1].splitlines()) == 1
    assert memdir("log", "--errors")[1] == "No run failed.\n"
    assert json.loads(memdir("log", "--json", "-n", "1")[1])["hook"] == "user_prompt_submit"


# Hard rules


POLICY = """deny: [no-recursive-delete, "Bash(npm publish *)"]
ask: ["Bash(git push *)"]
protect: ["migrations/**"]
examples:
  deny: ["rm -rf build", "Edit(migrations/001.sql)"]
  ask: [git push origin main]
  allow:
    - npm test
    - Read(migrations/001.sql)"""


def test_rules_are_listed_with_their_lines_and_meaning(memdir, project, home):
    file = write_rule(project, "policy", POLICY, "As agreed.")
    mine = write_rule(home, "mine", "deny: [no-skip-hooks]", "Mine.")
    code, out, err = memdir("rules", "list")
    assert (code, err) == (0, "")
    assert out.index(f"{mine}  (yours)") < out.index(str(file))
    assert "     2  deny     no-recursive-delete\n        Stops " in out
    assert "     4  protect  migrations/**\n        No tool may change this, Bash included." in out
    listed = json.loads(memdir("rules", "list", "--json")[1])
    assert [one["text"] for one in listed["files"][1]["entries"]][-1] == "migrations/**"
    assert listed["in_force"] is True


def test_without_rules_the_list_says_where_it_looked(memdir, project):
    code, out, _ = memdir("rules", "list")
    assert code == 0
    assert f"  {project}/.claude/rules\n" in out


def test_a_broken_rule_is_listed_with_what_is_wrong(memdir, project):
    write_rule(project, "policy", "deny:\n  - no-recursiv-delete", "As agreed.")
    assert "     3  deny     no-recursiv-delete\n        BROKEN: " in memdir("rules", "list")[1]


def test_explain_shows_how_a_command_is_read(memdir, project):
    write_rule(project, "policy", POLICY, "As agreed.")
    code, out, err = memdir("rules", "explain", "sudo bash -c 'rm -rf build' && git push $X | tee log")
    assert (code, err) == (0, "")
    assert "  rm -rf build\n" in out
    assert "      in bash -c in sudo\n" in out
    assert "  git push …\n" in out
    assert "Decision: deny\n  denies  deny: no-recursive-delete\n" in out
    assert "policy.md:2\n" in out
    answer = json.loads(memdir("rules", "explain", "--json", "Edit(migrations/001.sql)")[1])
    assert (answer["decision"], answer["calls"]) == ("deny", [])
    assert "not known: " in memdir("rules", "explain", "echo x | base64 -d | sh")[1]


def test_the_examples_of_a_rule_file_are_tests(memdir, project):
    write_rule(project, "policy", POLICY, "As agreed.")
    assert memdir("rules", "test")[:2] == (0, "5 examples, 0 wrong; 0 problems in 1 rule files\n")
    write_rule(project, "policy", POLICY.replace("- npm test", "- npm publish"), "As agreed.")
    code, out, _ = memdir("rules", "test")
    assert code == 1
    assert "`npm publish` should be allow, but is deny by" in out
    assert [one["got"] for one in json.loads(memdir("rules", "test", "--json")[1])] == [
        "deny",
        "deny",
        "ask",
        "deny",
        "allow",
    ]


def test_test_without_rules_is_an_error(memdir):
    code, out, err = memdir("rules", "test")
    assert (code, out) == (1, "")
    assert "no hard rules are in force here" in err


@pytest.mark.parametrize("stdin", ["", "{", "[]", "null", b"\xff"])
def test_check_refuses_what_is_no_payload(memdir, stdin):
    code, out, err = memdir("rules", "check", "--json", stdin=stdin)
    assert (code, out) == (2, "")
    assert "PreToolUse payload" in err


def test_check_answers_in_one_line_for_a_program(memdir, project):
    write_rule(project, "policy", POLICY, "As agreed.")
    payload = {"tool_name": "Bash", "tool_input": {"command": "npm test"}, "cwd": str(project)}
    assert memdir("rules", "check", "--json", stdin=json.dumps(payload))[:2] == (
        0,
        '{"decision":"no_opinion","rule":"","reason":""}\n',
    )


def test_an_unknown_action_is_wrong_usage(memdir):
    assert memdir("rules")[0] == 2
    assert memdir("rules", "enforce")[0] == 2
