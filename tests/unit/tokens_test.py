"""The terms of texts and the sentences of prompts."""

import time

import pytest

from memdir import tokens
from memdir.glossary import COMMON, MEANS


def shared(one: str, other: str) -> "set[str]":
    return set(tokens.terms(one)) & set(tokens.terms(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("parseConfig", "parse config", id="camel case"),
        pytest.param("parse_config", "parse config", id="snake case"),
        pytest.param("parse-config", "parse config", id="kebab case"),
        pytest.param("parseConfig", "parse_config", id="camel and snake"),
        pytest.param("HTTPServer", "http server", id="acronym in front"),
        pytest.param("ClickHouse", "clickhouse", id="written together"),
        pytest.param("deploys deployed deploying deployment", "deploy", id="inflected"),
        pytest.param("migrations", "migrate", id="verb and noun"),
        pytest.param("retries", "retry", id="plural of -y"),
        pytest.param("502s", "502", id="plural of a number"),
        pytest.param("URLs", "url", id="plural of an acronym"),
        pytest.param("café", "cafe", id="accent"),
        pytest.param("ＡＢＣ１２３", "abc123", id="full width"),
        pytest.param("部署前要做什么", "部署方案", id="chinese word in a sentence"),
        pytest.param("購買リスト", "購買部", id="japanese characters"),
        pytest.param("ﾃﾞﾌﾟﾛｲ手順", "デプロイ", id="half-width katakana"),
        pytest.param("배포 순서 알려줘", "배포 순서와 확인", id="korean word with a particle"),
        pytest.param("kafka的消费者", "Kafka", id="two scripts in one chunk"),
        pytest.param("部署", "deploy", id="chinese and english"),
        pytest.param("デプロイ", "deployment", id="japanese and english"),
        pytest.param("배포", "deployed", id="korean and english"),
        pytest.param("prod db", "production database", id="abbreviation"),
    ],
)
def test_texts_that_mean_the_same_meet(one: str, other: str) -> None:
    assert shared(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("the of and with", "the of and with", id="stop words"),
        pytest.param("string", "sting", id="similar words"),
        pytest.param("of 1 x", "at 1 x", id="single characters"),
        pytest.param("我的", "你的", id="chinese particles"),
        pytest.param("これは", "それは", id="japanese particles"),
        pytest.param("ログイン", "ログ", id="the longest word counts"),
        pytest.param("parse.config", "parser/conform", id="parts of another name"),
    ],
)
def test_texts_that_share_nothing_do_not_meet(one: str, other: str) -> None:
    assert not shared(one, other) - {"pars"}


@pytest.mark.parametrize("prompt", ["ok", "thanks!", "yes", "continue", "👍", "", " \n", "!?", "\ud800", "\x00"])
def test_small_talk_has_no_terms(prompt: str) -> None:
    assert tokens.windows(prompt) == []


@pytest.mark.parametrize(
    "text", ['say "hello', "a AND (b", "GB/s * ^ : {x}", "NOT", "it's [a-z]+(?<x>", "%s {0} ${HOME}"]
)
def test_signs_are_only_blanks(text: str) -> None:
    assert all(term.isalnum() for term in tokens.terms(text))


def test_sentences_are_ranked_apart() -> None:
    assert len(tokens.windows("The settlement cutoff test fails. Where are gateway logs stored?")) == 2


def test_a_tiny_sentence_joins_the_next() -> None:
    assert len(tokens.windows("New task. The settlement cutoff test fails")) == 1


def test_a_version_or_file_name_does_not_end_a_sentence() -> None:
    assert len(tokens.windows("bump golang 1.22 inside go.mod and the Dockerfile")) == 1


def test_a_long_sentence_is_cut_and_nothing_of_it_lost() -> None:
    words = [f"word{number}" for number in range(300)]
    found = tokens.windows(" ".join(words))
    assert len(found) > 5
    assert {term for window in found for term in window} == set(words)


def test_a_pasted_log_costs_little_and_keeps_both_ends() -> None:
    log = "".join([f"2030-01-01 ERROR worker-{number} lost connection {number * 7919:x}\n" for number in range(8000)])
    before = time.process_time()
    found = tokens.windows("Payout ledger broken, why?\n" + log + "\nLook at zebra handling.")
    assert time.process_time() - before < 1  # some milliseconds; the limit only tells linear from hopeless
    assert len(found) <= tokens.WINDOWS
    terms = {term for window in found for term in window}
    assert {"payout", "zebra"} <= terms


def test_every_word_of_the_glossary_is_found() -> None:
    for word, stands_for in MEANS.items():
        assert MEANS[stands_for] == stands_for, word
        if tokens.wide(word):
            assert tokens.terms(word) == [stands_for], word
            assert len(word) <= tokens._LONGEST, word


@pytest.mark.parametrize(
    "text", ["databases", "db", "dependencies", "packages", "removed", "shipping", "released", "envs"]
)
def test_english_words_of_the_glossary_are_written_as_stems(text: str) -> None:
    assert tokens.terms(text)[0] in {"databas", "dependenci", "delet", "deploi", "environ"}


def test_common_words_are_written_as_terms() -> None:
    for text in ("add", "changes", "files", "returned", "please fix this error", "问题", "確認", "확인"):
        assert set(tokens.terms(text)) & COMMON, text
