"""Links that a command line makes, in the calls that follow."""

import pytest

from memdir.shell.analysis import analyse
from memdir.shell.calls import Machine


def calls(text):
    line = analyse(text, "/p", Machine())
    return [(call.argv, call.writes) for call in line.calls if call.implied]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ln -s src x; cat x/a", [(["cat", "/p/src/a"], [])]),
        ("ln -s src x; echo a > x/b", [(["echo", "a"], ["/p/src/b"])]),
        ("ln -s /etc x && rm x/", [(["rm", "/etc"], [])]),
        ("ln a.txt b.txt; cat b.txt", [(["cat", "/p/a.txt"], [])]),
        ("ln -s src x; bash -c 'cat x/a'", [(["cat", "/p/src/a"], [])]),
    ],
)
def test_a_path_through_a_link_is_also_where_it_leads(text, expected):
    assert calls(text) == expected


@pytest.mark.parametrize("text", ["ln -s src x; rm x", "ln -s src x; mv x y", "ln -s src x; cat xa src/x", "cat x/a"])
def test_what_means_the_link_or_another_path_is_left(text):
    assert calls(text) == []
