"""Commands that were written to get past the rules. Each was run, and had the effect that is named.

`seen` are those that are denied or asked about. The others have a `class`, the words with which a bullet of
docs/rules.md begins that says why it is not covered; one that becomes seen is marked so, and none may be lost again.
"""

import json

import pytest

from support.checkout import ROOT
from support.rules import write_rule

LINES = (ROOT / "tests" / "data" / "rules" / "attacks.jsonl").read_text("utf-8").splitlines()
ATTACKS = [json.loads(line) for line in LINES]
HEADER = """deny: [no-recursive-delete, no-force-push, no-discard-changes, no-secrets-read, no-pipe-to-shell,
  no-skip-hooks, "no-content(: any in src/**/*.ts)", "Bash(npm publish *)", "Edit(src/gen/**)", "Read(private/**)"]
protect: ["migrations/**", ".env", "prod.cfg"]"""


@pytest.fixture
def shop(project):
    for name in ("build/x", "migrations/1.sql", "private/s.txt", "src/a.ts", "src/c.ts", ".env", "prod.cfg", "Makefile",
                 "package.json", "sub/x"):  # fmt: skip
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text("x\n")
    for name in ("pre-commit", "commit-msg"):
        (project / ".git" / "hooks" / name).write_text("#!/bin/sh\n")
    write_rule(project, "policy", HEADER, "x")
    return project


def test_every_attack_that_was_seen_is_seen(shop, judge):
    silent = [
        attack["command"]
        for attack in ATTACKS
        if attack["seen"] and judge("Bash", {"command": attack["command"]}).decision == "no_opinion"
    ]
    assert silent == []
    assert sum(attack["seen"] for attack in ATTACKS) > 200


def test_every_attack_that_is_not_seen_is_of_a_kind_that_the_page_names():
    page = (ROOT / "docs" / "rules.md").read_text("utf-8")
    listed = " ".join(page.partition("## What is not covered")[2].partition("\n## ")[0].split())
    for attack in ATTACKS:
        assert ("class" in attack) == (not attack["seen"]), attack
        assert f"**{attack.get('class', '')}" in listed, attack


def test_the_page_counts_the_attacks_as_they_are():
    page = " ".join((ROOT / "docs" / "rules.md").read_text("utf-8").split())
    assert f"has {len(ATTACKS)} commands that people" in page
    assert f"{sum(attack['seen'] for attack in ATTACKS)} of them are denied or asked about now" in page


def test_no_attack_is_an_error(shop, judge):
    for attack in ATTACKS:
        assert judge("Bash", {"command": attack["command"]}).decision in ("deny", "ask", "no_opinion")
