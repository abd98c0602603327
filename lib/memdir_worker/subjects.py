"""Whether two notes are about the same subject, so that the newer one replaces the older instead of standing beside it.

Two facts about one system are two subjects; one fact with another value is one. So values of a kind (days, numbers,
languages, package managers) count as the same, words of change ("now", "moved to", 改为) count as nothing, and what is
left has to be nearly the same terms: where each side has one of its own, they are different. The terms are recall's.
"""

import re

from memdir import tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Optional

    from memdir.store import Topic
    from memdir_worker.spoken import Statement

_LEAST = 0.72  # of the terms of both that are shared (Dice); see the pairs in tests/data/extract
_SINGLE, _PAIR = 0.3, 0.7  # one character of a script without blanks, and two, against a word, as in `rank`
# Values of which a fact has one: another of the kind is another state of the same fact.
_VALUES = (
    (
        "weekdayvalue",
        r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|(?:周|星期|礼拜)[一二三四五六日天1-6]|[月火水木金土日]曜日?",
    ),
    ("monthvalue", r"\b(?:january|february|march|april|june|july|august|september|october|november|december)\b|\d+月"),
    (
        "languagevalue",
        r"\b(?:english|german|french|spanish|chinese|japanese|korean)\b|[英德法中日韩]文|[英中日]语|(?:日本|英|中国)語"
        r"|中文",
    ),
    ("managervalue", r"\b(?:npm|pnpm|yarn|bun|pip|uv|poetry|pipenv|conda)\b"),
    ("indentvalue", r"\b(?:tabs?|spaces)\b"),
    ("runnervalue", r"\b(?:pytest|unittest|jest|vitest|mocha)\b"),
    (
        "numbervalue",
        r"\b(?:two|three|four|five|six|seven|eight|nine|ten)\b|(?<![A-Za-z\d.-])v?\d+(?:[.:,]\d+)*(?:\s?(?:am|pm|点|時"
        r"|时))?(?![A-Za-z\d])",
    ),
)
_KINDS = [(f" {name} ", re.compile(pattern, re.IGNORECASE)) for name, pattern in _VALUES]
# Stems that say that, or how firmly, something holds and not what.
_CHANGE = frozenset(
    tokens.terms(
        "moved now changed switch instead longer new old always never ever only don doesn won shouldn must every each"
        " raised lowered increased decreased become became since next future start begin anymore"
        " still already agreed remember rather go run write everywhere called"
    )
) | frozenset(
    """
    改成 改为 改到 现在 变成 变为 不再 从现 今后 以后 永远 一律 统一 都用 要用 必须 不要 今後 必ず 常に 絶対
    変わ 変更 なっ 每次 二度 改 变 成 现 只 仅 每 必 须 统 律 变 今 後 必 常 絶 対
    変 わ っ ず く 別 别 永 远 以 后 号 跑 度
    """.split()
)


def same_subject(statement: "Statement", topics: "Iterable[Topic]") -> "Optional[Topic]":
    """The topic that a statement is about, the nearest one; None if there is none."""
    asked = _terms(statement.text)
    best, found = 0.0, None
    for topic in topics:
        for text in (topic.description, _lead(topic.body)):
            likeness = _likeness(asked, _terms(text)) if text else 0.0
            if likeness > best:
                best, found = likeness, topic
    return found


def _lead(body: str) -> str:
    """The first line of a body that is text."""
    for line in body[:4096].splitlines():
        if line.strip("# \t-=*_") and not line.startswith("**"):
            return line.strip("# \t")[:400]
    return ""


def _terms(text: str) -> "frozenset[str]":
    """What a text is about: its terms, its values by their kinds."""
    for kind, pattern in _KINDS:
        text = pattern.sub(kind, text)
    return frozenset(tokens.terms(text)) - _CHANGE


def _likeness(first: "frozenset[str]", second: "frozenset[str]") -> float:
    """How much two texts share, 0 to 1; 0 where that is not enough to be one subject."""
    shared = first & second
    own = [_weight(first - shared), _weight(second - shared)]
    common = _weight(shared)
    dice = 2 * common / (2 * common + sum(own)) if common else 0.0
    if first == second and first:
        return 1.0
    if common < 1.4 or (common < 2 and not _has_value(shared)):
        return 0.0
    return dice if dice >= _LEAST and min(own) < _PAIR + _SINGLE else 0.0


def _has_value(terms: "frozenset[str]") -> bool:
    return any([term.endswith("valu") or term.endswith("value") for term in terms])


def _weight(terms: "frozenset[str]") -> float:
    return sum([(_SINGLE if tokens.single(term) else _PAIR) if tokens.wide(term) else 1.0 for term in terms])
