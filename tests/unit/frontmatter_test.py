"""The reader against PyYAML's BaseLoader, which reads every scalar as text as well."""

import random
import re

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdir.frontmatter import HEADER_LINES, parse, parse_block, quote
from memdir.scalars import without_comment
from support.frontmatter_corpus import BOTH_READ, ONLY_WE_READ, ONLY_YAML_READS, READ_DIFFERENTLY


def header(*lines):
    return parse("---\n" + "\n".join(lines) + "\n---\nbody\n")


def as_yaml(text):
    return yaml.load(text, Loader=yaml.BaseLoader)


# Known trouble of other readers


def test_colon_in_a_plain_value_belongs_to_it():  # FM-01
    found = parse(
        "---\nname: release-steps\ndescription: Release order: tag first, then build\ntype: feedback\n---\n\nWhy: x\n"
    )
    assert found.meta["description"] == "Release order: tag first, then build"
    assert found.get("type") == "feedback"
    assert found.body == "\nWhy: x\n"
    assert not found.problems


def test_byte_order_mark_before_the_fence_is_not_content():  # FM-04
    found = parse("\ufeff---\nname: bom-file\ntype: user\n---\nBody after BOM.\n")
    assert found.meta == {"name": "bom-file", "type": "user"}
    assert found.body == "Body after BOM.\n"


def test_byte_order_mark_goes_without_a_header_too():  # FM-05
    found = parse("\ufeff# Hand notes\n\nplain file\n")
    assert found.meta == {}
    assert found.body == "# Hand notes\n\nplain file\n"


def test_dashes_inside_a_value_close_nothing():  # FM-07
    found = header("name: md-separator", "pattern: ^---$")
    assert found.get("pattern") == "^---$"
    assert found.body == "body\n"


def test_rules_in_a_text_without_header_are_text():  # FM-08
    text = "# Deploy notes\n\nFirst part.\n\n---\n\nkey: not a header\n\n---\n\nLast part.\n"
    found = parse(text)
    assert (found.meta, found.body, found.degraded) == ({}, text, False)


def test_header_ends_at_its_first_closing_fence():  # FM-09
    found = parse("---\nname: two-rules\n---\nPart one: a\n\n---\n\nPart two: b\n\n---\n")
    assert list(found.meta) == ["name"]
    assert found.body == "Part one: a\n\n---\n\nPart two: b\n\n---\n"


def test_header_never_closed_is_body_and_a_problem():  # FM-10
    text = "---\nname: never-closed\ndescription: the closing fence is missing\n\nText goes on.\n"
    found = parse(text)
    assert (found.meta, found.body, found.degraded) == ({}, text, True)
    assert found.problems == [(1, f"the header is not closed by a line `---` within {HEADER_LINES} lines")]


def test_every_scalar_is_text():  # FM-11
    found = header("name: no", "version: 1.10", "ticket: 0123", "on: yes", "when: 2026-01-02", "size: 1_000")
    assert found.meta == {
        "name": "no", "version": "1.10", "ticket": "0123", "on": "yes", "when": "2026-01-02", "size": "1_000",
    }  # fmt: skip


HOSTILE = [
    'He said "no": done', "- starts with dash", "{braces} and [brackets]", "ends with colon:", "  leading blanks",
    "tab\there", "line one\nline two", "null", "@handle & *star", "100%", "emoji 🧪 and 日本", "back\\slash", "",
    "~", "yes", "1.10", "#hash", "a #b", "'", '"', "\\", "trailing ", "\r\n", "a, b", "nbsp\xa0", "\x00\x1b\x7f\x85",
    "\u2028\u2029\ufeff\ufffe\uffff", "!tag", "&a", "*a", "|", ">", "%x", "`x`", "? x", "---", "...", "=", "<<", "0x1f",
    "1:30", ".inf", "e", "é", "ß", "a: b", "a:", ": a", "{}", "[]", "Nein", "O'Brien", "y", "\U0010ffff",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_quoted_text_reads_back(text):  # FM-13
    line = quote(text)
    assert "\n" not in line
    assert yaml.safe_load(f"description: {line}\nlist: [x, {line}]\n") == {"description": text, "list": ["x", text]}
    found = header(f"description: {line}", f"list: [x, {line}]", "items:", f"- {line}")
    assert found.meta == {"description": text, "list": ["x", text], "items": [text]}
    assert not found.problems


@given(st.text(st.one_of(st.sampled_from(list(" \t\n:#-\"'\\[]{}~\x85\u2028")), st.characters(codec="utf-8"))))
def test_any_text_reads_back_once_quoted(text):
    line = f"k: {quote(text)}"
    assert yaml.safe_load(line) == {"k": text}
    assert header(line).meta == {"k": text}


def test_plain_words_are_written_without_quotes():
    assert quote("Release order v1.2 - tag/build_all") == "Release order v1.2 - tag/build_all"
    assert quote("half a pair \ud83d") == '"half a pair \ufffd"'


def test_aliases_are_never_expanded():  # FM-14
    lines = ["name: bomb", 'a: &a ["x","x","x","x","x","x","x","x","x"]']
    lines += [f"{new}: &{new} [{','.join(['*' + old] * 9)}]" for old, new in zip("abcdefgh", "bcdefghi", strict=True)]
    found = header(*lines, "description: *i")
    assert found.get("name") == "bomb"
    assert found.get("description") == "*i"
    assert sum(len(str(value)) for value in found.meta.values()) < 1_000
    assert [line for line, _ in found.problems] == list(range(3, 13))
    assert not found.degraded


def test_tags_run_nothing():  # FM-15
    found = header("name: tag", 'description: !!python/object/apply:os.system ["touch PWNED"]')
    assert found.get("description") == '!!python/object/apply:os.system ["touch PWNED"]'
    assert [line for line, _ in found.problems] == [3]


def test_empty_and_null_are_the_empty_text():  # FM-17
    found = header("name:", "description:   ", "type: ~", "a: null", "b: # comment", 'c: ""', "d: [~, x]")
    assert found.meta == {
        "name": "", "description": "", "type": "", "a": "", "b": "", "c": "", "d": ["", "x"],
    }  # fmt: skip


def test_escapes_count_in_double_quotes_only():  # FM-18
    found = header(r'double: "\\d+\\.\\d+"', r"single: '\d+'", r"plain: \bword\b", r'unknown: "\d \q \x4"')
    assert found.meta == {"double": r"\d+\.\d+", "single": r"\d+", "plain": r"\bword\b", "unknown": r"\d \q \x4"}


def test_blanks_after_a_fence_are_nothing():  # FM-20
    found = parse("---  \nname: blank-fence\ndescription: d\n--- \t\nx\n")
    assert found.get("name") == "blank-fence"
    assert found.body == "x\n"


@pytest.mark.parametrize("block", ["- a\n- b", "just words", "- a: b", "{a: b}", "[a, b]", "http://x/y"])
def test_header_that_is_no_mapping_is_body_and_a_problem(block):  # FM-21
    text = f"---\n{block}\n---\nx\n"
    found = parse(text)
    assert (found.meta, found.body, found.degraded) == ({}, text, True)
    assert found.problems[0][0] == 2


@pytest.mark.parametrize("block", ["", "\n", "# comment\n", "  \n\t\n"])
def test_hollow_header_is_no_problem(block):  # FM-21
    found = parse(f"---\n{block}---\ntext\n")
    assert (found.meta, found.body, found.problems) == ({}, "text\n", [])


# Lines, fences, problems


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_of_every_system(end):
    lines = ["---", "name: x", "list:", "  - a", "bad", "text: |", "  one", "  two", "---", "body", ""]
    found = parse(end.join(lines))
    assert found.meta == {"name": "x", "list": ["a"], "text": "one\ntwo\n"}
    assert [line for line, _ in found.problems] == [5]
    assert parse(end.join(lines[:4] + lines[5:])).body == "body" + end


def test_other_separators_end_no_line():
    found = header("a: one\u2028two", "b: one\x85two", "c: one\x0ctwo", "d: one\x0btwo\x1c")
    assert found.meta == {"a": "one\u2028two", "b": "one\x85two", "c": "one\x0ctwo", "d": "one\x0btwo\x1c"}


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("---\na: b\n---", ""),
        ("---\na: b\n---\n\n\nx", "\n\nx"),
        ("---\na: b\n...\nx", "x"),
        ("---\na: b\n ---\n---\nx", "x"),
        ("---\na: b\n---- \n---\nx", "---\na: b\n---- \n---\nx"),
    ],
)
def test_only_a_fence_at_the_margin_closes(text, body):
    assert parse(text).body == body
    assert parse(text).get("a")[:1] == "b"


@pytest.mark.parametrize("text", ["", "---", "--", "----\na: b\n---\n", " ---\na: b\n---\n", "\n---\na: b\n---\n"])
def test_text_without_an_opening_fence_is_all_body(text):
    found = parse(text)
    assert (found.meta, found.body) == ({}, text)


def test_header_longer_than_the_limit_is_not_one():
    lines = [f"k{n}: v" for n in range(HEADER_LINES)]
    assert len(header(*lines).meta) == HEADER_LINES
    too_long = header(*lines, "one: more")
    assert (too_long.meta, too_long.degraded) == ({}, True)


@pytest.mark.parametrize(
    ("lines", "line", "words"),
    [
        (["a: b", "stray text", "c: d"], 3, "stray text"),
        (["a: b", "c:d"], 3, "c:d"),
        (["a: b", "a: c"], 3, "twice"),
        (["a: b", "deny: [x, y", "c: d"], 3, "never closed"),
        (["a: b", "deny: [x, y}", "c: d"], 3, "a comma is missing"),
        (["a: b", 'deny: "x', "c: d"], 3, "never closed"),
        (["a: b", 'deny: ["x" y]', "c: d"], 3, "comma"),
        (["a: b", 'deny: "x" y', "c: d"], 3, "closing quote"),
        (["a: b", "metadata:", "  c:", "    d: e"], 5, "deeper"),
        (["a: b", "deny:", "  - x", "  - y: z"], 5, "deeper"),
        (["a: b", "deny:", "  - - x"], 4, "deeper"),
        (["a: b", "deny:", "  - x", "  - [y]"], 5, "deeper"),
        (["a: b", "deny: [x,", "  y: z]"], 4, "mapping"),
        (["a: b", "deny: [x,", "  [y]]"], 4, "deeper"),
        (["a: b", "deny: [x,", "  *y]"], 4, "alias"),
        (["a: b", "deny: &x y"], 3, "anchor"),
        (["a: b", "deny: !x y"], 3, "tag"),
        (["a: b", "deny: x", "  - y"], 4, "entry of its own"),
        (["a: b", "deny: - x"], 3, "line of its own"),
        (["a: b", "? c", ": d"], 3, "? c"),
        (["a: b", "  c: d"], 3, "entry of its own"),
        (["a: 'b'", "  c: d"], 3, "this level"),
        (["metadata:", "  a: b", "  a: c"], 4, "twice"),
        (["metadata: {a: b, a: c}"], 2, "twice"),
    ],
)
def test_problem_names_its_line(lines, line, words):
    found = header(*lines)
    assert [number for number, _ in found.problems][:1] == [line]
    assert words in found.problems[0][1]
    assert found.meta["a" if "a" in found.meta else "metadata"]


def test_text_that_stands_between_keys_is_not_lost():
    found = header("name: x", "", "Prose under a header that was never closed.", "", "# Title")
    assert found.get("name") == "x"
    assert found.degraded
    assert "Prose under" in found.body


def test_value_that_cannot_be_read_is_kept_as_its_text():
    found = header("name: x", "metadata: {node_type: memory, type:", "description: y")
    assert found.meta == {"name": "x", "metadata": "{node_type: memory, type:", "description": "y"}
    assert found.degraded
    assert found.body == "body\n"


def test_what_nests_too_deeply_is_kept_as_its_text():
    found = header("hooks:", "  Stop:", "    - matcher: x", "      run: y", "after: z")
    assert found.meta == {"hooks": {"Stop": ["matcher: x\nrun: y"]}, "after": "z"}
    assert found.degraded


def test_lines_of_list_entries_are_known():
    found = header("name: x", "deny: [a,", "  b]", "ask:", "  # why", "  - c", "", "  - d", "protect: e")
    assert found.lines == {"name": [2], "deny": [3, 4], "ask": [7, 9], "protect": [10]}


def test_memory_fields_are_found_in_both_forms():
    new = header("name: x", "metadata: ", "  type: user", "  tags: [a]", "type: old")
    assert (new.field("type"), new.field("name"), new.field("tags", "?"), new.get("metadata", "?")) == (
        "user", "x", "?", "?",
    )  # fmt: skip
    assert header("type: feedback").field("type") == "feedback"


def test_configuration_is_read_without_fences():
    meta, problems = parse_block(["# limits", "recall.limit: 5", "exclude: [a, b]", "llm", "", "llm: off"])
    assert meta == {"recall.limit": "5", "exclude": ["a", "b"], "llm": "off"}
    assert [line for line, _ in problems] == [4]


# PyYAML as the oracle


def without_nulls(value):
    if isinstance(value, dict):
        return {key: without_nulls(item) for key, item in value.items()}
    if isinstance(value, list):
        return [without_nulls(item) for item in value]
    return "" if value in ("~", "null", "Null", "NULL") else value


@pytest.mark.parametrize("block", BOTH_READ)
def test_header_is_read_as_yaml_reads_it(block):
    found = parse(f"---\n{block}\n---\nbody")
    assert found.meta == without_nulls(as_yaml(block))
    assert not found.degraded
    assert found.body == "body"


@pytest.mark.parametrize(("block", "meta", "why"), ONLY_WE_READ)
def test_header_that_yaml_refuses_is_read(block, meta, why):
    with pytest.raises(yaml.YAMLError):
        as_yaml(block)
    assert parse(f"---\n{block}\n---\nbody").meta == meta, why


@pytest.mark.parametrize(("block", "meta", "why"), READ_DIFFERENTLY)
def test_header_is_read_otherwise_than_yaml_on_purpose(block, meta, why):
    assert as_yaml(block) != meta
    assert parse(f"---\n{block}\n---\nbody").meta == meta, why


@pytest.mark.parametrize(("block", "why"), ONLY_YAML_READS)
def test_yaml_beyond_this_reader_is_a_problem_and_not_lost(block, why):
    as_yaml(block)
    found = parse(f"---\n{block}\n---\nbody")
    assert found.degraded, why
    assert found.problems
    kept = f"{found.meta} {found.body}".replace("\\n", " ")
    assert set(re.findall(r"\w+", block)) <= set(re.findall(r"\w+", kept))


CHARACTERS = st.one_of(
    st.sampled_from(list(" \t\n:#-?*&!|>'\"%@`{}[],~=/\\.0aZñ記🧪\x07\xa0\ufeff\r\x0c")), st.characters(codec="utf-8")
)
WORDS = st.sampled_from(["a", "b:", "#c", "- d", '"e"', "it's", "記憶", "🧪", "", "long-word-here", "null", "yes"])
VALUES = st.one_of(st.text(CHARACTERS, max_size=40), st.lists(WORDS, max_size=20).map(" ".join))
KEYS = st.text(CHARACTERS, min_size=1, max_size=20).filter(lambda key: not set(key) & set("\n\r\x85\u2028\u2029"))
LISTS = st.lists(VALUES, max_size=4)
NESTED = st.dictionaries(KEYS, st.one_of(VALUES, LISTS), max_size=4)
HEADERS = st.dictionaries(KEYS, st.one_of(VALUES, LISTS, NESTED), min_size=1, max_size=5)
STYLES = st.fixed_dictionaries(
    {
        "width": st.sampled_from([8, 20, 80, 10_000]),
        "default_style": st.sampled_from([None, '"', "'", "|", ">"]),
        "default_flow_style": st.sampled_from([False, None]),
        "allow_unicode": st.booleans(),
        "indent": st.sampled_from([2, 4]),
        "line_break": st.sampled_from(["\n", "\r\n", "\r"]),
    }
)
# what this reader leaves to YAML: other line separators, `? key`, a header in braces, fences inside a value
NOT_OURS = re.compile(r"[\x85\u2028\u2029]|(^|[\r\n ])\? |^\{|(^|[\r\n])(---|\.\.\.)")


@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(HEADERS, STYLES)
def test_whatever_yaml_writes_is_read_as_yaml_reads_it(meta, style):
    block = yaml.safe_dump(meta, sort_keys=False, **style)
    if NOT_OURS.search(block):
        return
    try:
        expected = as_yaml(block)
    except yaml.YAMLError:  # PyYAML cannot read some of what it writes
        return
    found = parse(f"---\n{block}---\nbody")
    assert found.meta == expected
    assert found.body == "body"
    assert not found.degraded


PIECES = [
    "a", "b:", "k: v", "\n", "\n", "\n  ", "\n    ", "- ", "-", '"', "'", "[", "]", "{", "}", ", ", ",", ": ", ":",
    " #c", "# c", " ", "|", ">", "|-", ">2", "x y", "\\n", "\\", "~", "*a", "&a", "!t", "**", "記", "🧪", "--",
    "\n---\n", "\t", '""', "\r", "\r\n", "\u2028", "\x00", "\ud83d", "? ", "\n-\n",
]  # fmt: skip


def test_no_text_raises_or_grows():
    chance = random.Random(36)
    for _ in range(4_000):
        text = "---\n" + "".join(chance.choice(PIECES) for _ in range(chance.randint(1, 30)))
        for whole in (text, text + "\n---\nbody"):
            found = parse(whole)
            held = [str(item) for item in found.meta.items()]
            assert sum(map(len, held)) <= 4 * len(whole) + 20 * len(held)
            assert len(found.problems) <= 2 * len(whole)
            assert all(1 <= line <= len(whole) and sentence for line, sentence in found.problems)
            assert whole.endswith(found.body)


@given(st.binary(max_size=300))
def test_no_bytes_raise(data):
    parse("---\n" + data.decode("utf-8", "replace") + "\n---\n")
    parse(data.decode("latin-1"))


@pytest.mark.parametrize(
    "block",
    [
        "a: " + "[" * 100_000,
        "a: " + "{a: " * 100_000,
        "a: [" + "*a, " * 100_000 + "]",
        "a: '" + "''" * 100_000,
        'a: "' + "\\x" * 100_000,
        "a: " + " #" * 100_000,
        "a: [" + "\n" * 900 + "]",
        "\n".join(f"k{n}: [" for n in range(900)),
        "\n".join(f"k{n}: 'x" for n in range(900)),
        "\n".join(" " * n + f"k{n}: [x," for n in range(900)),
        "\n".join(" " * n + f"- 'x{n}'" for n in range(900)),
        "a: |\n" + "\n".join(" " * n for n in range(900)),
        "a" * 1_000_000,
        "a: " + "b: " * 300_000,
    ],
    ids=lambda block: f"{block[:8]!r}…",
)
def test_hostile_header_is_read_within_bounds(block):
    found = parse(f"---\n{block}\n---\n")
    assert sum(len(str(value)) for value in found.meta.values()) <= 2 * len(block) + 100
    assert all(len(sentence) < 250 for _, sentence in found.problems)


def test_comment_of_a_plain_scalar_begins_after_a_blank():
    assert without_comment("a#b #c #d") == ("a#b", True)
    assert without_comment("a\t#b #c") == ("a", True)
    assert without_comment("a#b ") == ("a#b", False)
