"""Sentences that correct or limit are told from those that only ask or tell."""

import pytest

from memdir import corrections

LIMITS = [
    "No, the other file.",
    "nope, revert that",
    "Use pnpm instead of npm.",
    "Don't touch the migrations.",
    "don’t touch the migrations",
    "You must run the linter first",
    "Only change src/api",
    "Never push to main!",
    "Please make sure the tests pass",
    "that's wrong, the port is 8080",
    "Keep it at most 200 lines",
    "不要改动测试文件",
    "不对，应该用 pnpm",
    "把函数名改成 load_user",
    "必须兼容 Python 3.9",
    "只改登录页",
    "別用 eval",
    "npmではなくpnpmを使ってください",
    "テストは必ず実行して",
    "設定ファイルは変更しないでください",
]
OTHERS = [
    "Add a login page",
    "What should the port be?",
    "Why do we never see the error?",
    "Show me the commonly used options",
    "Now the notes of the donor",
    "thanks, that is fine",
    "加一个登录页",
    "应该用哪个端口？",
    "特别好",
    "ログイン画面を追加して",
    "",
    "   ",
]


@pytest.mark.parametrize("text", LIMITS)
def test_a_correction_or_limit_is_found(text):
    assert corrections.sentences(text) == [text]


@pytest.mark.parametrize("text", OTHERS)
def test_another_sentence_is_none(text):
    assert corrections.sentences(text) == []


def test_only_the_sentences_that_limit_are_taken():
    text = "Add a login page. Use only pnpm. Where is the config? Thanks!\n不要改动测试。加一个按钮。"
    assert corrections.sentences(text) == ["Use only pnpm.", "不要改动测试。"]


def test_a_bare_no_stays_with_what_follows():
    assert corrections.sentences("No. Use pnpm. Thanks.") == ["No. Use pnpm."]


def test_what_is_pasted_in_a_code_fence_limits_nothing():
    assert corrections.sentences("fix this\n```\nassert x, 'must not be empty'\n```\nnever use eval") == [
        "never use eval"
    ]


def test_a_pasted_text_does_not_flood_the_list():
    assert len(corrections.sentences("You must do this.\n" * 500)) == corrections.MOST
