"""The documents say what the code does: generated blocks are up to date, and examples of settings load."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from memdir import config
from support.checkout import ROOT

CONFIGURATION = (ROOT / "docs" / "configuration.md").read_text("utf-8")
EXAMPLES = re.findall(r"(?s)```yaml\n(.*?)```", CONFIGURATION)


def _generate(root, *words):
    program = [sys.executable, str(root / "docs" / "generate"), *words]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def test_generated_blocks_are_up_to_date():
    assert _generate(ROOT, "--check") == (0, "")


@pytest.fixture
def copy(tmp_path):
    """The documents and what they are generated from."""
    root = tmp_path / "copy"
    root.mkdir()
    for name in ("docs", "lib"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    return root


@pytest.mark.parametrize("block", ["config", "config llm exclude", "commands", "help setup", "config zh", "help queue"])
def test_a_stale_block_is_named_and_brought_up_to_date(copy, block):
    page = copy / "docs" / "page.md"
    page.write_text(f"Before.\n\n<!-- generated: {block} -->\nstale\n<!-- /generated -->\nAfter.\n")
    code, told = _generate(copy, "--check")
    assert (code, f"page.md: {block}: out of date" in told) == (1, True)
    assert "stale" in page.read_text()
    assert _generate(copy)[0] == 0
    assert _generate(copy, "--check") == (0, "")
    text = page.read_text()
    assert text.startswith("Before.\n\n<!-- generated:")
    assert text.endswith("<!-- /generated -->\nAfter.\n")
    assert "\n|---|" in text


@pytest.mark.parametrize("text", ["<!-- generated: confg -->\n<!-- /generated -->\n", "<!-- generated: config -->\n"])
def test_a_block_that_cannot_be_generated_is_an_error(copy, text):
    (copy / "docs" / "page.md").write_text(text)
    assert _generate(copy, "--check")[0] == 1
    assert (copy / "docs" / "page.md").read_text() == text


def test_every_setting_stands_in_the_document():
    assert [name for name in config.KEYS if f"| `{name}` |" not in CONFIGURATION] == []


@pytest.mark.parametrize("text", EXAMPLES, ids=lambda text: text.split("\n")[0])
def test_an_example_of_settings_loads_without_a_problem(tmp_path, text):
    of_project = config.PROJECT_FILE in text
    path = tmp_path / (config.PROJECT_FILE if of_project else "config.yaml")
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    env = {**os.environ, "MEMDIR_CONFIG": "/nowhere" if of_project else str(path)}
    settings = config.load(env, str(tmp_path) if of_project else "")
    assert settings.problems == []
    assert settings.values != config.Config().values
