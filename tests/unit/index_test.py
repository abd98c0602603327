import hashlib
import json
import unicodedata
from pathlib import Path

import pytest

from memdir import index
from memdir.budget import units

RECORD = json.loads((Path(__file__).parent.parent / "data" / "index_loads.json").read_text("utf-8"))
ENTRY = "- [T{n:03}](t{n:03}.md) - note {n}\n"


def text_of(pieces):
    return "".join(text.replace("{n}", str(n)) for text, times in pieces for n in range(1, times + 1))


def as_sent(loaded):
    """Text and notice after the client's transport: invisible characters dropped, all lines ended by \\n, trimmed."""
    text = loaded.text + "\n\n" * bool(loaded.notice) + loaded.notice
    text = text.replace("\u2028", "\n").replace("\u2029", "\n")
    text = "".join(c for c in text if c in "\n\t\u200c\u200d" or unicodedata.category(c) not in ("Cc", "Cf"))
    text, mark, notice = text.strip().partition("\n\n> WARNING")
    return text, mark.strip() + notice


@pytest.mark.parametrize("name", RECORD["loads"])
def test_index_loads_as_the_client_loads_it(name):
    recorded = RECORD["loads"][name]
    text, notice = as_sent(index.load(text_of(recorded["input"])))
    if isinstance(recorded["loaded"], dict):
        assert units(text) == recorded["loaded"]["units"]
        assert hashlib.sha256(text.encode("utf-8")).hexdigest() == recorded["loaded"]["sha256"]
    else:
        assert text == (recorded["loaded"] or "")
    assert notice == recorded.get("notice", "")


def test_lines_past_200_are_not_loaded_and_the_notice_says_so():  # IDX-01
    loaded = index.load("".join(ENTRY.format(n=n) for n in range(1, 261)))
    assert loaded.text.count("\n") + 1 == 200
    assert "T200" in loaded.text
    assert "T201" not in loaded.text
    assert (loaded.lines, loaded.lost_lines, loaded.state) == (260, 60, "over")
    assert "60 of 260 lines were cut off, starting at line 201" in loaded.notice


def test_wide_characters_are_never_cut_in_two():  # IDX-03; the limit counts UTF-16 units, not bytes
    chinese = index.load("# Index\n" + ("記" * 99 + "\n") * 400)
    assert units(chinese.text) <= 25_000
    assert set(chinese.text) == set("# Index\n記")
    emoji = index.load("x" + "🧪" * 20_000)
    assert emoji.text == "x" + "🧪" * 12_499
    emoji.text.encode("utf-8")


def test_one_very_long_line_is_loaded_in_part():  # IDX-04
    loaded = index.load("x" * 40_000)
    assert loaded.text == "x" * 25_000
    assert (loaded.lost_lines, loaded.lost_units) == (0, 15_000)


def test_comments_and_frontmatter_do_not_count():  # IDX-07
    comment = "<!--\n" + "a line for maintainers\n" * 28 + "-->\n"
    body = "".join(ENTRY.format(n=n) for n in range(1, 191))
    loaded = index.load("---\nname: index\ntype: x\n---\n" + comment + body)
    assert loaded.text == body.strip()
    assert (loaded.lines, loaded.lost_lines, loaded.notice, loaded.state) == (190, 0, "", "near")


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("", "within"),
        ("a\n" * 159, "within"),
        ("a\n" * 160, "near"),
        ("a\n" * 200, "near"),
        ("a\n" * 201, "over"),
        ("x" * 19_999, "within"),
        ("x" * 20_000, "near"),
        ("x" * 25_000, "near"),
        ("x" * 25_001, "over"),
    ],
    ids=lambda value: value if len(value) < 10 else f"{value.count(chr(10))} lines, {len(value)} units",
)
def test_state_follows_the_limits(text, state):
    loaded = index.load(text)
    assert loaded.state == state
    assert bool(loaded.notice) == (state == "over")


def test_advice_has_the_words_that_the_client_has_after_a_write():
    rows = json.loads((Path(__file__).parent.parent / "data" / "write_checks.json").read_text("utf-8"))
    said = {name: row for name, row in rows.items() if row["said"]}
    assert len(said) > 10
    for name, row in said.items():
        loaded = index.load(text_of(row["after"]))
        advice, _, lost = index.advice(loaded).partition(" As it is, ")
        assert advice == row["said"], name
        assert bool(lost) == (loaded.state == "over")


def test_advice_says_what_was_lost_and_nothing_of_an_index_within_its_limits():
    assert index.advice(index.load("a\n" * 159)) == ""
    said = index.advice(index.load(ENTRY.format(n=1) * 260), "command")
    assert said.startswith(
        "Error: this command left the memory index at MEMORY.md at 260 lines, over its 200-line read"
    )
    assert said.endswith('As it is, 60 of 260 lines were cut off, starting at line 201 ("- [T001](t001.md) - note 1").')


@pytest.mark.parametrize("limit", [2, 60, 9_000])
def test_parts_lose_no_line(limit):
    text = "# Index\n\n" + "".join(ENTRY.format(n=n) for n in range(1, 150)) + "長い行\n" * 9
    parts = index.parts(text, limit)
    assert all(units(part) <= limit for part in parts)
    assert "".join(parts).replace("\n", "") == text.replace("\n", "")
    if limit >= 60:
        assert "\n".join(parts) == text


def test_parts_hold_as_many_lines_as_fit():
    assert index.parts("aa\nbb\ncc\ndd", 5) == ["aa\nbb", "cc\ndd"]
    assert index.parts("aa\nbb\ncc\ndd", 4) == ["aa", "bb", "cc", "dd"]
    assert index.parts("", 5) == []


def test_only_a_line_longer_than_a_part_is_divided_and_never_within_a_character():
    assert index.parts("a\n🧪🧪🧪\nb", 5) == ["a", "🧪🧪", "🧪\nb"]


def test_whole_index_at_the_limit_fits_three_parts():
    text = ("x" * 124 + "\n") * 199 + "x" * 125
    assert units(text) == 25_000
    assert len(index.parts(text, 9_000)) == 3
