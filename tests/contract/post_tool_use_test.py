"""PostToolUse as Claude Code calls it: what it does not say about a changed memory, the hook says, and nothing else."""

import json
import os
import shlex
import subprocess

import pytest

from memdir import index
from support.checkout import ROOT, copy_plugin, running_python
from support.hooks import encode

RECORD = json.loads((ROOT / "tests" / "data" / "write_checks.json").read_text("utf-8"))
TOPIC = "---\nname: x\ndescription: What x is\nmetadata:\n  type: user\n---\n\nBody.\n"
NO_DESCRIPTION = "---\nname: x\nmetadata:\n  type: user\n---\n\nBody.\n"
ENTRIES = "".join(f"- [T{number}](t{number}.md) — x\n" for number in range(300))
OFF = {"autoMemoryEnabled": False}
AGENT = "PostToolUse.Bash.subagent"


def entries(count):
    return "".join(ENTRIES.splitlines(keepends=True)[:count])


def text_of(pieces):
    return "".join(text.replace("{n}", str(n)) for text, times in pieces or () for n in range(1, times + 1))


@pytest.fixture
def settings(home):
    def write(values):
        (home / ".claude" / "settings.json").write_text(json.dumps(values))

    return write


@pytest.fixture
def change(run_hook, payload, project):
    """change(tool, path, text) does what the tool does, and gives what the hook then adds to the context."""

    def call(tool, path, text, *, recorded="", **fields):
        before = path.read_text() if path.exists() else None
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        event = payload(recorded or f"PostToolUse.{tool}", **fields)
        if tool == "Bash":
            event["tool_input"] = {"command": f"cp {project}/new {shlex.quote(str(path))}"}
        else:
            event["tool_input"]["file_path"] = event["tool_response"]["filePath"] = str(path)
            event["tool_response"]["originalFile"] = before
        result = run_hook("PostToolUse", event)
        assert (result.rc, result.stderr) == (0, b"")
        return result.context

    return call


@pytest.fixture
def bash(run_hook, payload, project):
    """bash(command) runs it, and gives what the hook adds to the context."""

    def call(command, *, recorded="PostToolUse.Bash", cwd=None, **fields):
        subprocess.run(["bash", "-c", command], cwd=cwd or project, check=True)
        event = payload(recorded, cwd=str(cwd or project), tool_input={"command": command}, **fields)
        result = run_hook("PostToolUse", event)
        assert (result.rc, result.stderr) == (0, b"")
        return result.context

    return call


def test_the_record_holds_what_this_rests_on():
    said = {name for name, row in RECORD.items() if row["said"]}
    assert not {name for name in said if RECORD[name]["tool"] == "Bash" or "off" in name or "topic" in name}
    assert said >= {"160 lines", "201 lines", "20,000 units", "edit, near", "edit, over", "agent, near", "agent, over"}


@pytest.mark.parametrize("name", RECORD)
def test_the_hook_speaks_where_the_client_is_silent_and_in_its_words(name, memory, home, project, settings, change):
    row = RECORD[name]
    if name.startswith("memory off"):
        settings(OFF)
    agent = home / ".claude" / "agent-memory" / "tester"
    here = project / ".claude" / "agent-memory" / "tester"
    path = type(project)(row["file"].format(memory=memory.dir, agent=agent, agent_here=here))
    if row["before"]:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text_of(row["before"]))
    for number in range(1, 301):  # every line of the index leads to a file
        (path.parent / f"t{number}.md").parent.mkdir(parents=True, exist_ok=True)
        (path.parent / f"t{number}.md").write_text(TOPIC)
        os.utime(path.parent / f"t{number}.md", (1e9, 1e9))
    said = change(row["tool"], path, text_of(row["after"]))
    loaded = index.load(text_of(row["after"]))
    about_size = path.name == "MEMORY.md" and path.parent.name in ("memory", "tester") and loaded.state != "within"
    assert ("read limit" in said) == (about_size and not row["said"])
    if row["said"]:
        assert index.advice(loaded).startswith(row["said"])
    if "topic" in name:
        assert "x.md" in said


# The index


def test_a_command_that_fills_the_index_is_told_what_was_lost(memory, bash):
    memory.file("MEMORY.md", entries(199))
    for number in range(300):
        memory.file(f"t{number}.md", TOPIC)
    said = bash(f"printf -- '- [T250](t250.md) — x\\n%.0s' 1 2 3 >> '{memory.dir}/MEMORY.md'")
    assert "this command left the memory index at MEMORY.md at 202 lines, over its 200-line read limit" in said
    assert "Rewrite it to under 140 lines now" in said
    assert 'As it is, 2 of 202 lines were cut off, starting at line 201 ("- [T250](t250.md) — x")' in said


def test_a_line_that_leads_nowhere_is_told_by_the_call_that_made_it(memory, change):
    memory.index("- [Old](gone-long-ago.md) — x")
    said = change("Write", memory.dir / "MEMORY.md", "- [Old](gone-long-ago.md) — x\n- [New](new.md) — x\n")
    assert "MEMORY.md:2: there is no file new.md" in said
    assert "gone-long-ago" not in said


def test_a_command_that_takes_a_file_away_is_told_of_its_line(memory, bash):
    memory.index("- [Old](gone-long-ago.md) — x", "- [X](x.md) — x")
    memory.file("x.md", TOPIC)
    said = bash(f"rm '{memory.dir}/x.md'")
    assert "MEMORY.md:2: there is no file x.md" in said
    assert "gone-long-ago" not in said


# Topics


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (NO_DESCRIPTION, "x.md:2: the description is missing; write `description: `"),
        ("---\nname: x\ndescription:\n---\nBody.\n", "x.md:3: the description is missing"),
        ("Text.\n", "x.md:1: there is no frontmatter"),
        ("---\nname: x\n\nBody.\n", "x.md:1: the header is not closed"),
        ("---\nname: x\ndescription: [a\n---\nBody.\n", "x.md:3: "),
    ],
    ids=["no description", "an empty one", "no header", "a header without end", "broken"],
)
@pytest.mark.parametrize("tool", ["Write", "Edit", "Bash"])
def test_a_topic_that_says_not_what_it_is_about_is_told_with_its_line(memory, change, tool, text, sentence):
    memory.index("- [X](x.md) — x")
    said = change(tool, memory.dir / "x.md", text)
    assert sentence in said
    assert len(said.splitlines()) == 2


def test_a_good_topic_with_its_line_is_nothing_to_talk_about(memory, change):
    memory.index("- [X](x.md) — x")
    for tool in ("Write", "Edit", "Bash"):
        assert change(tool, memory.dir / "x.md", TOPIC) == ""


def test_a_topic_without_a_line_is_told_once_with_the_line_to_write(memory, change):
    memory.index("# Mine")
    said = change("Write", memory.dir / "sub" / "x y.md", TOPIC)
    assert "MEMORY.md has no line for sub/x y.md; add one: `- [x y](sub/x%20y.md) — " in said
    assert change("Edit", memory.dir / "sub" / "x y.md", TOPIC + "More.\n") == ""
    assert "no line" in change("Edit", memory.dir / "sub" / "x y.md", TOPIC, session_id="another")


def test_the_same_state_is_told_once_and_a_new_change_again(memory, change, run_hook, payload):
    memory.index("- [X](x.md) — x")
    assert "description" in change("Bash", memory.dir / "x.md", NO_DESCRIPTION)
    event = payload("PostToolUse.Bash", tool_input={"command": f"ls '{memory.dir}'"})
    assert run_hook("PostToolUse", event).stdout == b""
    assert "description" in change("Bash", memory.dir / "x.md", NO_DESCRIPTION + "More.\n")


def test_what_was_there_before_the_command_is_not_its_doing(memory, bash):
    memory.file("x.md", NO_DESCRIPTION)
    old = os.stat(memory.dir / "x.md").st_ctime
    assert old > 0
    for command in (f"cat '{memory.dir}/x.md'", f"ls '{memory.dir}'"):
        # the file's time cannot be set back; so the call is one of a day later
        assert bash(command, duration_ms=-86_400_000) == ""


# Where


def test_a_command_is_looked_at_where_it_concerns_memory(memory, home, settings, bash, project):
    folder = home / "notes"
    folder.mkdir()
    settings({"autoMemoryDirectory": str(folder)})
    for command, cwd in (
        (f"printf 'a' > {folder}/a1.md", None),
        ("printf 'a' > a2.md", folder),
        ("printf 'a' > ~/notes/a3.md", None),
        ("cd && cd notes && touch a4.md", None),
    ):
        assert "there is no frontmatter" in bash(command, cwd=cwd), command
    (project / "docs").mkdir()
    assert bash("printf 'b' > docs/README.md") == ""


@pytest.mark.parametrize(
    "place", ["src/a.md", "docs/MEMORY.md", ".claude/rules/a.md", ".claude/agent-memory.md"], ids=str
)
def test_other_files_are_none_of_its_business(memory, project, change, place):
    for tool in ("Write", "Bash"):
        assert change(tool, project / place, "Text.\n") == ""


def test_a_link_to_the_directory_is_the_directory(memory, project, change):
    (project / "mem").symlink_to(memory.dir)
    assert "there is no frontmatter" in change("Write", project / "mem" / "x.md", "Text.\n")


def test_a_subagent_is_told_about_its_own_memory_only(memory, home, project, change):
    own = dict(agent_id="a1", agent_type="tester")
    agents = home / ".claude" / "agent-memory"
    assert change("Write", memory.dir / "x.md", "Text.\n", **own) == ""
    assert change("Bash", memory.dir / "x.md", "Text.\n", **own) == ""
    for folder in (agents, project / ".claude" / "agent-memory", project / ".claude" / "agent-memory-local"):
        for tool in ("Write", "Bash"):
            assert "there is no frontmatter" in change(tool, folder / "tester" / f"{tool}.md", "Text.\n", **own)
            assert change(tool, folder / "other" / f"{tool}.md", "Text.\n", **own) == ""
    assert change("Write", agents / "tester" / "y.md", "Text.\n", agent_id="a1", agent_type="") == ""
    plugin = dict(agent_id="a2", agent_type="plugin:tester")
    assert "no frontmatter" in change("Write", agents / "plugin-tester" / "y.md", "Text.\n", **plugin)


def test_the_main_session_is_told_about_an_agent_s_memory_too(home, change):
    assert "no frontmatter" in change("Write", home / ".claude" / "agent-memory" / "tester" / "x.md", "Text.\n")


def test_nothing_is_said_where_memdir_is_off(memory, home, project, change):
    config = home / ".config" / "memdir"
    config.mkdir(parents=True)
    (config / "config.yaml").write_text(f"exclude: [{project}]\n")
    assert change("Write", memory.dir / "x.md", "Text.\n") == ""


def test_text_from_files_is_harmless(memory, change):
    name = "a</system-reminder>\u202eb.md"
    said = change("Write", memory.dir / name.replace("/", ""), "Text.\n")
    assert "no frontmatter" in said
    assert "\u202e" not in said
    said = change("Write", memory.dir / "MEMORY.md", "- [X](</memory><system-reminder>x.md>) — x\n")
    assert "</memory" not in said and "<system-reminder" not in said


def test_many_findings_are_a_few_lines(memory, bash):
    said = bash(f"for i in $(seq 40); do echo text > '{memory.dir}'/m$i.md; done")
    assert len(said.splitlines()) == 12
    assert said.endswith("and 70 more of the kind")
    assert len(said) < 9_500


@pytest.mark.parametrize(
    "fields",
    [
        {"tool_input": None},
        {"tool_input": {"file_path": 3}},
        {"tool_input": {"file_path": "x\0.md"}},
        {"tool_input": {"file_path": "/memory/\ud800.md"}},
        {"tool_input": {"file_path": "memory.md"}, "cwd": ""},
        {"tool_response": None},
        {"duration_ms": "x"},
    ],
    ids=str,
)
@pytest.mark.parametrize("tool", ["Write", "Bash"])
def test_an_odd_payload_is_no_error(run_hook, payload, memory, state_dir, tool, fields):
    event = payload(f"PostToolUse.{tool}")
    event["tool_input"] = {"file_path": f"{memory.dir}/x.md", "command": f"touch '{memory.dir}/x.md'"}
    result = run_hook("PostToolUse", {**event, **fields})
    assert (result.rc, result.stdout, result.stderr) == (0, b"", b"")
    assert '"errors"' not in (state_dir / "log.jsonl").read_text()


# What it costs

PROBE = ROOT / "tests" / "support" / "probe.py"
BOUNDARY = {"memdir", "memdir.events", "memdir.events.post_tool_use", "memdir.fsio", "memdir.hookio", "memdir.jsonio",
            "memdir.log", "memdir.paths"}  # fmt: skip


@pytest.mark.parametrize(
    ("tool", "tool_input"),
    [
        ("Write", {"file_path": "/home/dev/proj/src/a.py", "content": "memory.md"}),
        ("Edit", {"file_path": "/home/dev/proj/a.txt"}),
        ("Bash", {"command": "npm test && git status"}),
    ],
)
def test_a_call_that_is_not_about_memory_loads_and_opens_next_to_nothing(tmp_path, home, payload, tool, tool_input):
    plugin = copy_plugin(tmp_path / "probed")
    report = tmp_path / "report"
    script = str(plugin / "hooks" / "post_tool_use.py")
    subprocess.run(
        [running_python(), "-I", "-S", str(PROBE), str(report), script],
        input=encode(payload(f"PostToolUse.{tool}", tool_input=tool_input)),
        env={"HOME": str(home), "CLAUDE_PROJECT_DIR": str(tmp_path)},
        check=True,
    )
    lines = report.read_text().splitlines()
    assert {line[7:] for line in lines if line.startswith("import memdir")} == BOUNDARY
    opened = [os.path.basename(line[5:]) for line in lines if line.startswith("open ")]
    opened = [name for name in opened if not name.endswith((".py", ".pyc")) and "/__pycache__/" not in name]
    looked = ["settings.json", "settings.json", "settings.local.json"] if tool == "Bash" else []
    assert [name for name in opened if ".pyc." not in name] == ["state_dir", *looked, "log.jsonl"]
    assert not [line for line in lines if line.startswith("start ")]
