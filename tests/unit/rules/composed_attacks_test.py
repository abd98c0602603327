"""The attacks of tests/conformance/attacks: what was seen stays seen, and the published tables are true."""

import re
from pathlib import Path
from random import Random

import pytest
from conformance.attacks import cell, corpus, results, world
from conformance.attacks.disguises import CLASSES
from conformance.attacks.families import FAMILIES

_TEXT = results.PAGE.read_text("utf-8")
NOT_COVERED = re.sub(r"\s+", " ", _TEXT.partition("## What is not covered")[2].partition("\n## ")[0])
POSSIBLE = cell.is_possible()


@pytest.fixture(scope="module")
def recorded():
    return results.load()


def test_every_composed_attack_is_judged_as_it_was(recorded, tmp_path_factory):
    """Stricter than recorded is a change for the better, and for the record as well."""
    now = world.judged(recorded, tmp_path_factory.mktemp("attacks").resolve() / "w")
    changed = [
        (before["decision"], after["decision"], after["command"])
        for before, after in zip(recorded, now, strict=True)
        if before["decision"] != after["decision"]
    ]
    assert changed == []


def test_there_are_four_hundred_attacks_on_each_guard(recorded):
    for family in FAMILIES:
        commands = {one["command"] for one in recorded if one["family"] == family}
        assert len(commands) >= 400, family


def test_every_disguise_is_used(recorded):
    assert {name for one in recorded for name in one["disguises"]} == set(CLASSES)


def test_what_passes_is_of_a_kind_that_the_page_names(recorded):
    for one in recorded:
        assert ("class" in one) == (one["decision"] == "no_opinion"), one
        assert f"**{one.get('class', '')}" in NOT_COVERED, one


def test_the_published_tables_are_those_of_the_record(recorded):
    assert results.shown_table() == results.table(recorded)


def test_attacks_are_made_the_same_each_time():
    assert corpus.attempts("protect", 60) == corpus.attempts("protect", 60)


@pytest.mark.skipif(not POSSIBLE, reason="no namespaces to run attacks in")
class TestForReal:
    def test_a_sample_of_the_record_has_its_effect(self, recorded):
        sample = Random(7).sample([one for one in recorded if "sleep" not in one["command"]], 30)
        found = {one["command"] for one in cell.run(sample)}
        assert [one["command"] for one in sample if one["command"] not in found] == []

    def test_commands_that_do_no_harm_have_no_effect(self):
        harmless = [{"family": family, "seed": "", "disguises": [], "command": command} for family, command in HARMLESS]
        assert cell.run(harmless) == []

    def test_an_attempt_changes_nothing_outside(self, tmp_path):
        outside = tmp_path / "outside"
        outside.mkdir()
        outside.chmod(0o777)
        command = f"echo x > {outside}/made; rm -rf {Path(__file__)} build; touch /tmp/zz /dev/shm/zz"
        found = cell.run([{"family": "no-recursive-delete", "seed": "", "disguises": [], "command": command}])
        assert len(found) == 1
        assert list(outside.iterdir()) == []
        assert Path(__file__).exists()


HARMLESS = [
    ("no-recursive-delete", "rm build/index-zq1.js"),
    ("no-recursive-delete", "mv build old"),
    ("no-force-push", "git push origin HEAD:refs/heads/topic"),
    ("no-discard-changes", "git checkout -q -b topic; git status"),
    ("no-secrets-read", "cat .env > /dev/null; cat package.json"),
    ("no-pipe-to-shell", "curl -s https://get.example.com/install -o inst"),
    ("no-skip-hooks", "git commit -qm x"),
    ("no-content", "echo 'let x: many' > src/new.ts; echo 'let x: any' > new.txt"),
    ("protect", "cat migrations/001.sql; touch src/001.sql"),
    ("protect-memdir", "cat .claude/rules/policy.md ~/.claude/settings.json"),
    ("Bash(PATTERN)", "npm run publish; npm test publish"),
]
