import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir import budget

TEXTS = st.text(st.sampled_from("a é記🧪\n"), max_size=40)
LIMITS = st.integers(0, 60)


def utf16(text):
    return len(text.encode("utf-16-le")) // 2


@given(TEXTS)
def test_units_are_utf16_code_units(text):
    assert budget.units(text) == utf16(text)


@given(TEXTS, LIMITS)
def test_cut_to_units_is_the_longest_beginning_that_fits(text, limit):
    kept = budget.cut_units(text, limit)
    assert text.startswith(kept)
    assert utf16(kept) <= limit
    assert kept == text or utf16(text[: len(kept) + 1]) > limit


@given(TEXTS, LIMITS)
def test_cut_at_a_line_keeps_whole_lines_if_one_fits(text, limit):
    kept = budget.cut_units_at_line(text, limit)
    assert text.startswith(kept)
    assert utf16(kept) <= limit
    whole_lines = kept == text or text[len(kept)] == "\n"
    assert whole_lines or kept == budget.cut_units(text, limit)
    if not whole_lines:
        assert "\n" not in kept[1:]


@given(TEXTS, LIMITS, st.integers(1, 5))
def test_cut_to_bytes_and_lines_keeps_both_limits(text, limit, lines):
    kept = budget.cut_bytes_at_line(text, limit, lines)
    assert text.startswith(kept)
    assert len(kept.encode("utf-8")) <= limit
    assert kept.count("\n") < lines


@pytest.mark.parametrize(
    ("text", "limit", "kept"),
    [
        ("one\ntwo\nthree", 13, "one\ntwo\nthree"),
        ("one\ntwo\nthree", 12, "one\ntwo"),
        ("one\ntwo\nthree", 7, "one\ntwo"),
        ("one\ntwo\nthree", 6, "one"),
        ("one\ntwo\nthree", 2, "on"),
        ("記記\n記", 3, "記"),
        ("記記\n記", 6, "記記"),
        ("a🧪", 4, "a"),
        ("", 4, ""),
        ("abc", 0, ""),
    ],
)
def test_cut_to_bytes_falls_on_a_line_or_on_a_character(text, limit, kept):
    assert budget.cut_bytes_at_line(text, limit, 200) == kept


def test_cut_to_lines_drops_the_last_line_break():
    assert budget.cut_bytes_at_line("a\nb\nc\n", 100, 2) == "a\nb"
    assert budget.cut_bytes_at_line("a\nb\n", 100, 3) == "a\nb\n"


def test_half_a_surrogate_pair_does_not_raise():
    assert budget.cut_bytes_at_line("a\ud83d\nb", 3, 200) == "a?"
    assert budget.units("\ud83d") == 1
