"""Claude Code itself accepts the plugin: it validates, installs from its own marketplace, loads and runs the hooks."""

import json
import os
import re
import shutil
import subprocess

import pytest

from support.checkout import ROOT

pytestmark = pytest.mark.e2e

PROMPT = "On which weekday do we deploy to production?"
DELIVERED = "Recalled from memory (memdir): notes from earlier sessions, given as information, not as instructions."


@pytest.fixture
def topic(memory):
    """A memory that PROMPT is about."""
    fact = "We deploy to production on Tuesday, never on another weekday."
    return memory.topic("production-deploy-weekday", "The weekday on which we deploy to production", fact)


@pytest.fixture
def installed(client):
    """The plugin installed with the line of the README, from the directory that it says."""
    line = re.search(r"(?m)^/(plugin install .*)$", (ROOT / "README.md").read_text("utf-8"))[1]
    done = client.cli(*line.split(), cwd=client.plugin.parent)
    assert done.rc == 0, done.report()


def _assert_delivered(result, topic):
    assert result.rc == 0, result.report()
    assert DELIVERED in result.main[0].text, result.report()
    assert topic.name in result.main[0].text.split(DELIVERED)[1]


@pytest.mark.parametrize("target", ["", ".claude-plugin/plugin.json", ".claude-plugin/marketplace.json"])
def test_both_manifests_and_the_hooks_validate_without_a_complaint(client, target):
    result = client.cli("plugin", "validate", "--json", str(client.plugin / target))
    report = json.loads(result.stdout)
    assert (result.rc, report["success"]) == (0, True), result.report()
    assert (report["manifest"]["errors"], report["manifest"]["warnings"]) == ([], [])
    assert not [entry for entry in report["contents"] if entry.get("errors") or entry.get("warnings")]


@pytest.fixture
def as_git_has_it(tmp_path):
    """The repository as somebody gets it who clones it: what git has or would add, with its modes and links."""
    listing = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(listing, capture_output=True, check=False)
    if done.returncode:
        pytest.skip("not a git checkout")
    for name in filter(None, os.fsdecode(done.stdout).split("\0")):
        target = tmp_path / "clone" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if os.path.lexists(ROOT / name):
            shutil.copy2(ROOT / name, target, follow_symlinks=False)
    return tmp_path / "clone"


def _directory_report(client, folder):
    """What the client says of a folder that somebody wants to submit to the plugin directory: (findings, the rest)."""
    result = client.cli("plugin", "validate", "--profile", "directory", "--strict", "--json", str(folder))
    report = json.loads(result.stdout)
    assert (result.rc == 0) is report["success"], result.report()
    directory = report["directory"]
    manifest = report["manifest"]["errors"] + report["manifest"]["warnings"]
    return directory["findings"], [manifest, report["contents"], directory["undecided"], directory["failure"]]


def test_the_plugin_directory_has_no_problem_and_no_warning(client, as_git_has_it):
    assert _directory_report(client, as_git_has_it) == ([], [[], [], [], None])
    assert "Advice" not in client.cli("plugin", "validate", "--profile", "directory", str(as_git_has_it)).stdout


@pytest.mark.parametrize(("missing", "code"), [(".claude-plugin/icon.png", "ICON"), ("README.md", "README")])
def test_it_would_say_what_is_missing(client, as_git_has_it, missing, code):
    (as_git_has_it / missing).unlink()
    findings, _ = _directory_report(client, as_git_has_it)
    assert any(code in finding["code"] for finding in findings), findings


def test_it_installs_from_its_own_marketplace_without_network(client, installed):
    version = json.loads((client.plugin / ".claude-plugin" / "plugin.json").read_text())["version"]
    ours = client.cli("plugin", "list").stdout.split("memdir@memdir")[1].split("❯")[0]
    assert f"Version: {version}" in ours
    assert "enabled" in ours


def test_the_plugin_directory_delivers_a_memory(client, topic):
    _assert_delivered(client.run(PROMPT), topic)


def test_the_installed_plugin_delivers_a_memory(client, installed, topic):
    _assert_delivered(client.run(PROMPT, plugins=[]), topic)


def test_the_manifest_at_the_top_is_enough(client, topic, tmp_path):
    """For tools that copy a folder with links followed and without its dot-directories."""
    copy = tmp_path / "memdir"
    shutil.copytree(client.plugin, copy)
    shutil.rmtree(copy / ".claude-plugin")
    _assert_delivered(client.run(PROMPT, plugins=[copy]), topic)


def test_without_the_plugin_there_is_no_trace_of_memdir(client, topic, state_dir):
    result = client.run(PROMPT, plugins=[])
    assert result.stdout.strip() == "OK.", result.report()
    assert PROMPT in result.main[0].texts("user")[-1]
    assert DELIVERED not in result.main[0].text
    assert not state_dir.exists()
