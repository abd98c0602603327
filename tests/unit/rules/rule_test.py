import marshal
import sys

import pytest

from memdir import budget
from memdir.rules import entries, rule
from memdir.rules.patterns import WRITERS


def parse(header, body="Do it by hand.\n"):
    return rule.parse("/p/.claude/rules/a.md", f"---\n{header}\n---\n{body}", "/p", user=False)


def only(header):
    (entry,) = parse(header).entries
    return entry


def test_entries_know_their_line_and_kind():
    found = parse(
        "paths: ['**']\ndeny:\n  - Bash(git push *)\n\n  - Edit(src/**)\nask: Agent\nprotect: [.env, '*.pem']"
    )
    assert [(entry.kind, entry.text, entry.line) for entry in found.entries] == [
        ("deny", "Bash(git push *)", 4),
        ("deny", "Edit(src/**)", 6),
        ("ask", "Agent", 7),
        ("protect", ".env", 8),
        ("protect", "*.pem", 8),
    ]
    assert not [entry.problem for entry in found.entries if entry.problem]
    assert found.entries[3].argument == ".env"
    assert (found.entries[0].pattern.tool, found.entries[0].pattern.argument) == ("Bash", "git push *")


@pytest.mark.parametrize(
    "text",
    [
        "Soft.",
        "---\npaths: ['**']\ndescription: never deny: anything\n---\nSoft.",
        "---\npaths: x\n---\ndeny: Bash\n",
        "---\nmetadata:\n  deny: Bash\n---\n",
        "---\nexamples:\n  deny: [x]\n---\n",
        "---\n---\ndeny: Bash\n",
        "\n---\ndeny: Bash\n---\n",
        "---\nDeny: Bash\n---\n",
        "---\ndenying: Bash\n---\n",
        '---\n"d\\x65nied": Bash\n---\n',
        "",
    ],
)
def test_a_soft_rule_is_not_ours(text):
    assert rule.parse("/p/.claude/rules/a.md", text, "/p", user=False) is None


@pytest.mark.parametrize(
    "text",
    [
        "---\ndeny: Bash\n---\n",
        "\ufeff---\ndeny: Bash\n---\n",
        "---\r\ndeny: Bash\r\n---\r\n",
        "--- \ndeny : Bash\n--- \n",
        "---\n'deny': Bash\n---\n",
        '---\n"deny" : Bash\n---\n',
        "---\n  deny: Bash\n---\n",
        "---\ndeny: Bash\n...\n",
        '---\n"d\\x65ny": Bash\n---\n',
        "---\na: b\rdeny: Bash\n---\n",
        "---\rdeny: Bash\r---\r",
        "---\n" + "a: b\n" * 999 + "deny: Bash\n---\n",
    ],
)
def test_a_hard_key_is_found_however_it_is_spelled(text):
    (entry,) = rule.parse("/p/.claude/rules/a.md", text, "/p", user=False).entries
    assert (entry.text, entry.problem) == ("Bash", "")


@pytest.mark.parametrize(
    "header",
    ["{deny: [Bash]}", "{ paths: x, 'deny': [Bash] }", "{paths: x,deny: Bash", "a:\n b:\n  c:\n   - d\n{ask: x}"],
)
def test_a_header_that_cannot_be_read_may_govern_every_tool_that_writes(header):
    found = parse(header)
    assert all(entry.problem for entry in found.entries)
    assert found.entries[0].governs == frozenset(WRITERS)
    assert found.keywords == {"*"}


def test_a_header_that_is_never_closed_is_broken():
    found = rule.parse("/p/a.md", "---\ndeny: Bash\n", "/p", user=False)
    assert "not closed" in found.entries[0].problem


@pytest.mark.parametrize(
    ("header", "told"),
    [
        ("deny: Bash\ndeny: Agent", "twice"),
        ("deny:\n  - Bash\n    - Agent", "continues the value above"),
        ("deny: {Bash: x}", "mapping"),
    ],
)
def test_what_is_lost_of_a_hard_key_is_a_broken_entry(header, told):
    assert told in " ".join(entry.problem for entry in parse(header).entries)


def test_a_soft_key_that_cannot_be_read_breaks_nothing():
    found = parse("metadata:\n  a:\n    b:\n      c: d\ndeny: Bash")
    assert [entry.problem for entry in found.entries] == [""]


def test_a_block_of_lines_is_a_list():
    assert [entry.text for entry in parse("deny: |\n  Bash(a)\n  Bash(b)").entries] == ["Bash(a)", "Bash(b)"]


@pytest.mark.parametrize(
    ("header", "told", "governs"),
    [
        ("deny: no-forc-push", "did you mean `no-force-push`", frozenset(WRITERS)),
        ("deny: no_force_push", "did you mean `no-force-push`", frozenset(WRITERS)),
        ("deny: bash(rm *)", "did you mean `Bash(…)`", {"Bash"}),
        ("deny: Bsah(rm *)", "did you mean `Bash(…)`", {"Bash"}),
        ("deny: Edti", "did you mean `Edit`", {"Edit", "Write", "MultiEdit", "NotebookEdit"}),
        ("deny: git push --force", "write `Bash(git push --force)`", {"Bash"}),
        ("deny: no-such-thing", "is not known", frozenset(WRITERS)),
        ("deny: '*.env'", "belongs to `protect`", frozenset(WRITERS)),
        ("deny: ''", "an entry is empty", frozenset(WRITERS)),
        ("deny: 'Bash(('", "not closed", {"Bash"}),
        ("deny: 'Edit(!x)'", "exceptions", {"Edit", "Write", "MultiEdit", "NotebookEdit"}),
        ("deny: [Bash(a, b)]", "put it in quotes", {"Bash"}),
        ("protect: '!x'", "exceptions", frozenset(WRITERS)),
        ("protect: no-force-push", "is no path", frozenset(WRITERS)),
        ("protect: Edit(x)", "is no path", frozenset(WRITERS)),
        ("require: Bash(a)", "after", {"Bash"}),
        ("require: Bash(a) after Edit(b)", "after", {"Bash"}),
    ],
)
def test_a_broken_entry_says_what_to_write_and_what_it_may_govern(header, told, governs):
    header = header.replace("''", '[""]')
    entry = only(header)
    assert told in entry.problem
    assert entry.governs == governs
    assert parse(header).keywords == ({"*"} if "Bash" in governs else frozenset())


def test_a_broken_entry_may_govern_every_tool_of_a_server():
    entry = only("deny: no-such-thing")
    assert entry.may_govern("mcp__files__write")
    assert not entry.may_govern("Read")


def test_a_comma_without_quotes_breaks_its_entry_alone():
    broken, whole = parse("deny: [Bash(a, b), Bash(c)]").entries
    assert (broken.text, whole.text, whole.problem) == ("Bash(a, b)", "Bash(c)", "")


@pytest.mark.parametrize("name", [name for name in rule.GUARDS if name not in ("no-content", "protect-memdir")])
def test_a_guard_is_an_entry_of_deny_and_ask(name):
    entry = only(f"ask: {name}")
    assert (entry.guard, entry.problem) == (name, "")


def test_a_guard_can_have_an_argument():
    entry = only("deny: no-content(debugger in src/**)")
    assert (entry.guard, entry.argument) == ("no-content", "debugger in src/**")


def test_a_guard_s_keywords_are_the_file_s():
    from memdir.rules.guards import no_force_push

    assert parse("deny: [no-force-push, Bash(npm publish)]").keywords == no_force_push.KEYWORDS | {"publish"}


def test_a_missing_guard_is_a_broken_entry(monkeypatch):
    monkeypatch.setitem(entries.GUARDS, "no-force-push", "not_there")
    assert "install memdir again" in only("deny: no-force-push").problem


@pytest.mark.parametrize(
    ("text", "trigger", "after"),
    [
        ("Bash(git commit *) after Bash(pnpm lint)", "git commit *", ["pnpm lint"]),
        (
            "Bash(git commit *) after Bash(pnpm lint) or Bash(npm run lint)",
            "git commit *",
            ["pnpm lint", "npm run lint"],
        ),
        ("Stop after Bash(npm test)", None, ["npm test"]),
    ],
)
def test_a_requirement_has_a_trigger_and_alternatives(text, trigger, after):
    entry = only(f"require: {text}")
    assert not entry.problem
    assert (entry.pattern.argument if entry.pattern else None) == trigger
    assert [pattern.argument for pattern in entry.after] == after


def test_examples_are_read_in_both_forms():
    block = parse('deny: Bash\nexamples:\n  deny: ["git push --force"]\n  allow:\n    - git push\n  ask: Edit(x)')
    assert block.examples == [("deny", "git push --force", 4), ("allow", "git push", 6), ("ask", "Edit(x)", 7)]
    flow = parse("deny: Bash\nexamples: {deny: [a b], allow: [c]}")
    assert flow.examples == [("deny", "a b", 3), ("allow", "c", 3)]


def test_an_example_has_the_line_on_which_it_begins():
    block = parse(
        'deny: Bash\nexamples:\n  deny: [a,\n    "b\n    c",\n    d]\n\n  # note\n  allow:\n  - e\n\n  - f\nask: x'
    )
    assert [(call, line) for _, call, line in block.examples] == [("a", 4), ("b c", 5), ("d", 7), ("e", 11), ("f", 13)]
    flow = parse("deny: Bash\nexamples: {deny: [a,\n  b], allow: c,\n  ask: [d]}")
    assert [(call, line) for _, call, line in flow.examples] == [("a", 3), ("b", 4), ("c", 4), ("d", 5)]


@pytest.mark.parametrize("examples", ["examples: x", "examples:\n  forbid: [x]"])
def test_examples_of_another_shape_are_a_problem(examples):
    found = parse("deny: Bash\n" + examples)
    assert found.examples == []
    assert len(found.problems) == 1
    assert [entry.problem for entry in found.entries] == [""]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("# Title\n\nApplied  once.\nAdd a new one.\n\nMore.", "Applied once. Add a new one."),
        ("Title\n=====\n\nText.", "Title"),
        ("<!-- note -->\nText.", "Text."),
        ("Text.\n# Next\nOther.", "Text."),
        ("\r\nText.\r\n", "Text."),
        ("# Title only\n", ""),
        ("", ""),
    ],
)
def test_the_reason_is_the_first_paragraph_of_prose(body, reason):
    assert parse("deny: Bash", body).reason == reason


def test_a_long_reason_is_cut_at_a_word():
    reason = parse("deny: Bash", "wörd " * 300).reason
    assert 590 < budget.units(reason) <= 600
    assert reason.endswith("wörd …")


def test_a_long_reason_without_blanks_is_cut_at_a_character():
    reason = parse("deny: Bash", "迁移文件不可更改" * 100).reason
    assert 590 < budget.units(reason) <= 600


def test_a_rule_survives_being_packed():
    found = parse(
        "deny: [Bash(git push *), no-force-push, 'Bash((', mcp__db]\nprotect: .env\n"
        "require: Bash(a) after Bash(b) or Bash(c)\nexamples: {deny: [x], odd: [y]}"
    )
    packed = found.pack()
    again = rule.unpack(marshal.loads(marshal.dumps(packed)))
    assert again.pack() == packed
    assert (again.path, again.base, again.user, again.reason) == (found.path, "/p", False, "Do it by hand.")
    assert again.keywords == found.keywords
    assert again.entries[0].pattern.argument == "git push *"


def test_unpacking_imports_no_guard(monkeypatch):
    packed = parse("deny: no-force-push").pack()
    monkeypatch.delitem(sys.modules, "memdir.rules.guards.no_force_push")
    assert rule.unpack(packed).entries[0].guard == "no-force-push"
    assert "memdir.rules.guards.no_force_push" not in sys.modules
