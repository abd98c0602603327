"""The terminal interface starts with the plugin, delivers into the first request and ends cleanly."""

import shutil

import pytest

from e2e.interactive import drive

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux, which types for us, is not installed"),
]


def test_a_prompt_typed_by_hand_is_answered(client):
    steps = [
        ["wait", "❯", 30],
        ["send", "hello"],
        ["wait", "It works", 30],
        ["send", "/exit"],
        ["ended", 30],
    ]
    result = drive(client, steps, scenario={"turns": [{"text": "It works."}]})
    assert result.rc == 0, result.report()
    assert "hello" in result.main[0].text
