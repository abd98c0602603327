"""Ranking and the decision to deliver, on small collections and on a labelled set."""

import json
import marshal
from pathlib import Path

import pytest

from memdir import rank, tokens

DATA = Path(__file__).parent.parent / "data" / "recall"

Topic = tuple[str, str, str]

UNRELATED: "list[Topic]" = [
    (f"{what}-{how}", f"{what} {how} for the {who}", "")
    for what in ("invoice", "calendar", "avatar", "newsletter", "printer")
    for how, who in (("layout", "lawyers"), ("archive", "museum"), ("import", "press"), ("colours", "fair"))
]


def ask(topics: "list[Topic]", prompt: str) -> "list[rank.Match]":
    return rank.rank(tokens.windows(prompt), rank.MemoryIndex([rank.document(*topic) for topic in topics]))


def delivered(topics: "list[Topic]", prompt: str) -> "list[str]":
    windows = tokens.windows(prompt)
    return [topics[match.doc][0] for match in ask(topics, prompt) if rank.passes(match, windows)]


@pytest.mark.parametrize(
    ("topics", "prompt", "first"),
    [
        pytest.param(
            [
                ("rollout", "上线顺序：先备份再部署", "昨天定的。"),
                ("canteen", "食堂地点", ""),
                ("style", "code style", ""),
            ],
            "部署前要做什么？",
            "rollout",
            id="chinese sentence without blanks",
        ),
        pytest.param(
            [("misc", "random note", ""), ("expenses", "経費の承認フロー", "課長の承認が先。")],
            "承認フローはどうなってる？",
            "expenses",
            id="japanese",
        ),
        pytest.param(
            [("misc", "random note", ""), ("deploy-ko", "배포 순서와 확인 목록", "백업 후 배포.")],
            "배포 순서 알려줘",
            "deploy-ko",
            id="korean",
        ),
        pytest.param(
            [("x", "drops in the queue", "metrics"), ("config-reader", "parse_config loses comments on write", "")],
            "parseConfig drops comments",
            "config-reader",
            id="identifier in another case style",
        ),
        pytest.param(
            [(f"ci-note-{n}", "test fails in CI, rerun the test in CI", "") for n in range(20)]
            + [("outbox-flaky", "OutboxOrderIT is timing dependent", "")],
            "the test OutboxOrderIT fails in CI again",
            "outbox-flaky",
            id="rare identifier against common words",
        ),
        pytest.param(
            [*UNRELATED, ("retry-policy", "Outbound calls", "Retries of the processor need an Idempotency-Key.")],
            "add retries to the processor client, with an idempotency key",
            "retry-policy",
            id="what only the body says",
        ),
        pytest.param(
            [*UNRELATED, ("cache-keys", "Every redis key has a prefix and an expiry", "")],
            "给 redis 的缓存加一个 key，prefix 用什么",
            "cache-keys",
            id="chinese prompt, english note",
        ),
    ],
)
def test_the_fitting_topic_comes_first_and_is_delivered(topics: "list[Topic]", prompt: str, first: str) -> None:
    assert topics[ask(topics, prompt)[0].doc][0] == first
    assert delivered(topics, prompt)[0] == first


@pytest.mark.parametrize(
    "prompt",
    [
        *["ok", "thanks!", "continue", "yes", "👍", "go on", "try again", "hello", "lgtm", "looks good to me"],
        *["继续", "好的", "不对，重来", "谢谢", "可以，就这么改", "再看看"],
        *["はい", "続けて", "ありがとう", "お願いします"],
        *["네", "계속", "고마워"],
        *["", "2", "...", "a AND (b", "pre-edit check", "GB/s * ^ : {x}", "NOT", "it's [a-z]+(?<x>", "%s {0} ${HOME}"],
        *["what does this function do?", "run it and show me the result", "这个方法是做什么的？"],
    ],
)
def test_small_talk_brings_nothing(prompt: str) -> None:
    topics = [
        *UNRELATED,
        ("continue-on-error", "Pipelines continue on error only in the nightly job", ""),
        ("重试规则", "失败的任务重新执行三次后告警", "好的日志要保留"),
    ]
    assert delivered(topics, prompt) == []


def test_one_common_word_in_common_is_not_enough() -> None:
    assert delivered([*UNRELATED, ("errors", "Wrap every error with its operation", "")], "fix this error") == []


def test_of_two_equal_notes_the_newer_is_first() -> None:
    topics = [("port-new", "Admin server port", "9090"), ("port-old", "Admin server port", "8080")]
    matches = ask(topics, "which port does the admin server use")
    assert [match.doc for match in matches] == [0, 1]
    assert matches[0].terms == matches[1].terms


def test_evidence_names_the_shared_terms_the_rarest_first() -> None:
    match = ask([*UNRELATED, ("zebra", "zebra import", "")], "the zebra import")[0]
    assert match.terms == ["zebra", "import"]


def test_a_question_inside_a_long_prompt_is_found() -> None:
    noise = "Yesterday the weather was lovely near our lake. "
    topics = [*UNRELATED, ("payout-hold", "Payouts stay on hold until the bank has confirmed", "")]
    prompt = noise * 12 + "Release the payout hold when the bank has confirmed. " + noise * 12
    assert delivered(topics, prompt) == ["payout-hold"]


def test_many_sentences_ask_for_more() -> None:
    assert rank.least_score([["a"]]) == rank.THRESHOLD
    assert rank.least_score([["a"]] * 40) > rank.THRESHOLD


def test_the_threshold_can_be_set() -> None:
    windows = tokens.windows("zebra import")
    match = ask([*UNRELATED, ("zebra", "zebra import", "")], "zebra import")[0]
    assert rank.passes(match, windows, 0.1)
    assert not rank.passes(match, windows, 99.0)


def test_a_body_that_repeats_the_description_changes_nothing() -> None:
    plain = rank.document("deploy-order", "Ledger first, then gateway", "")
    assert rank.document("deploy-order", "Ledger first, then gateway", "Ledger first, then gateway") == plain


def test_only_the_first_part_of_a_body_counts() -> None:
    body = "word " * (rank.BODY_BYTES // 5) + "zebra"
    assert "zebra" not in rank.document("name", "description", body)


def test_weights_fit_into_a_posting_and_can_be_marshalled() -> None:
    document = rank.document("zebra " * 400, "zebra " * 400, "zebra mouse " * 300)
    assert all(1 <= weight <= 255 for weight in document.values())
    assert marshal.loads(marshal.dumps(document)) == document


@pytest.mark.parametrize("size", [0, 1, 2])
def test_tiny_collections_are_ranked(size: int) -> None:
    assert len(ask([("zebra", "zebra stripes", "")] * size, "zebra stripes")) == size


def test_no_more_than_the_limit_is_ranked() -> None:
    index = rank.MemoryIndex([rank.document("zebra", "stripes", "")] * 100)
    assert [match.doc for match in rank.rank([["zebra"]], index, 7)] == list(range(7))


def test_what_a_prompt_reads_is_bounded() -> None:
    class Counting(rank.MemoryIndex):
        asked = 0

        def postings(self, term: str) -> "list[int]":
            self.asked += 1
            return [doc << 8 | 9 for doc in range(self.n)]

    index = Counting([{}] * 30_000)
    prompt = " ".join([f"word{number}" for number in range(20)])
    assert len(rank.rank(tokens.windows(prompt), index)[0].terms) == 1
    assert index.asked == 20


def test_the_labelled_set_keeps_its_recall_and_its_silence() -> None:
    lines = (DATA / "topics.jsonl").read_text(encoding="utf-8").splitlines()
    topics = [(topic["id"], topic["description"], topic["body"]) for topic in map(json.loads, lines)]
    prompts = [json.loads(line) for line in (DATA / "prompts.jsonl").read_text(encoding="utf-8").splitlines()]
    asked = [prompt for prompt in prompts if prompt["relevant"]]
    found = [
        prompt
        for prompt in asked
        if prompt["relevant"][0] in [topics[m.doc][0] for m in ask(topics, prompt["text"])[:5]]
    ]
    told = [prompt for prompt in asked if prompt["relevant"][0] in delivered(topics, prompt["text"])[:5]]
    noise = [prompt for prompt in prompts if not prompt["relevant"] and delivered(topics, prompt["text"])]
    assert len(found) >= 0.95 * len(asked)
    assert len(told) >= 0.8 * len(asked)
    assert len(noise) <= 1
