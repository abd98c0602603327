"""What a hook costs, counted exactly: modules imported, files opened, processes started."""

import os
import subprocess

import pytest

from support.checkout import ROOT, copy_plugin, running_python
from support.hooks import encode

PROBE = ROOT / "tests" / "support" / "probe.py"

# Of the standard library, beyond what the bare interpreter has loaded. Some are built into some interpreters.
STANDARD = {"_collections_abc", "_json", "_stat", "errno", "gc", "genericpath", "os", "os.path", "posixpath", "select",
            "stat"}  # fmt: skip
BOUNDARY = {"memdir", "memdir.events", "memdir.fsio", "memdir.hookio", "memdir.jsonio", "memdir.log", "memdir.paths"}
START = {*BOUNDARY, "memdir.config", "memdir.events.session_start", "memdir.projects", "memdir.session"}
RECALL = {"memdir.ages", "memdir.budget", "memdir.catalog", "memdir.glossary", "memdir.rank", "memdir.store",
          "memdir.tokens"}  # fmt: skip
PROMPT = {*BOUNDARY, *RECALL, "memdir.config", "memdir.delivery", "memdir.events.user_prompt_submit", "memdir.projects",
          "memdir.recall", "memdir.session"}  # fmt: skip
SETTINGS = [
    "config.yaml",
    "memdir.yaml",
    "settings.json",
    "settings.json",
    "settings.local.json",
    "managed-settings.json",
]


class Probed:
    def __init__(self, report: str) -> None:
        lines = [line.split(" ", 1) for line in report.splitlines()]
        self.imported = {name for kind, name in lines if kind == "import"}
        self.ours = {name for name in self.imported if name.startswith("memdir")}
        self.standard = self.imported - self.ours
        code = (".py", "/lib/memdir/__pycache__/", "/events/__pycache__/")  # compiled by the first run
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
        recorded = "SessionStart.startup" if name == "session_start" else "UserPromptSubmit.text"
        subprocess.run(
            [running_python(), "-I", "-S", str(PROBE), str(report), str(plugin / "hooks" / f"{name}.py"), *args],
            input=encode(payload(recorded, **fields)),
            env={"HOME": str(home), "CLAUDE_PROJECT_DIR": str(project)},
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
    assert cost.opened_names() == ["state_dir", *SETTINGS, catalog, "state", *memory, "state", "log.jsonl"]


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
    assert cost.ours == {*START, *RECALL, "memdir.detach"} - {"memdir.budget"}
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


def test_only_a_large_directory_gets_a_process_of_its_own(probe, memory):
    for number in range(1_001):
        memory.file(f"t{number}.md", f"---\nname: t{number}\ndescription: topic {number}\n---\n")
    assert probe("session_start", "1").started == ["os.fork"]  # that one forks again, out of our sight
    assert probe("user_prompt_submit", prompt=PROMPT_TEXT).started == []
