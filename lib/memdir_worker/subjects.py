"""Whether two notes are about the same subject, so that the newer one replaces the older instead of standing beside it.

Two facts about one system are two subjects; one fact with another value is one. A value (a day, a number, a letter, a
language, a package manager) is one of two things. It tells *which* thing is meant: it stands before the verb ("server
1 hosts …", 周一例会在…, 月曜の定例は…), in a condition, in what is forbidden, or with the thing that something is done
to ("restart server 1"). Notes that mean another one are two subjects. Or it is *what is said*: after "is", "needs",
"moved to" and the like, or behind a preposition. Then another value of the kind is another state of the same fact.

Words of change ("now", "moved to", 改为) count as nothing, and what is left has to be nearly the same terms: where each
side has one of its own, they are different. The terms are recall's. In doubt there are two subjects.
"""

import re

from memdir import tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Optional

    from memdir.store import Topic
    from memdir_worker.spoken import Statement

# What `drafts` puts in front of a text that is not memdir's.
DATED = re.compile(
    r"(?:On \d{4}-\d\d-\d\d the user said: |\d{4}-\d\d-\d\d (?:用户说|にユーザーが言ったこと)：)(?P<text>.*?)"
    r"(?: \(why: .*\)|（(?:原因|理由)：.*）)?\Z"
)
_LEAST = 0.72  # of the terms of both that are shared (Dice); see the pairs in tests/data/extract
_SINGLE, _PAIR = 0.3, 0.7  # one character of a script without blanks, and two, against a word, as in `rank`
_DIGITS = "一二三四五六七八九十"
_VALUES = (
    (
        "weekdayvalue",
        r"(?i:\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b)|(?:周|星期|礼拜)[一二三四五六日天1-6]"
        r"|[月火水木金土日]曜日?",
    ),
    (
        "monthvalue",
        r"(?i:\b(?:january|february|march|april|june|july|august|september|october|november|december)\b)"
        rf"|\bMay\b|(?:\d+|[{_DIGITS}]+)月",
    ),
    (
        "languagevalue",
        r"(?i:\b(?:english|german|french|spanish|italian|portuguese|russian|chinese|japanese|korean)\b)"
        r"|[英德法中日韩]文"
        r"|[英中日]语|(?:日本|英|中国)語|中文",
    ),
    ("managervalue", r"(?i:\b(?:npm|pnpm|yarn|bun|pip|uv|poetry|pipenv|conda)\b)"),
    ("indentvalue", r"(?i:\b(?:tabs?|spaces)\b)"),
    ("methodvalue", r"\b(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b"),
    ("runnervalue", r"(?i:\b(?:pytest|unittest|jest|vitest|mocha)\b)"),
    (
        "numbervalue",
        r"(?i:\b(?:two|three|four|five|six|seven|eight|nine|ten|first|second|third)\b"
        r"|(?<![A-Za-z\d.-])[#v]?\d+(?:[.:,]\d+)*(?:\s?(?:am|pm|点|時|时|[kmgt]i?b|ms|s|min|h|k|m))?(?![A-Za-z\d]))"
        rf"|(?<=[A-Za-z]-)\d+(?![A-Za-z\d])|第[{_DIGITS}]+|[{_DIGITS}]+(?=[点時时号番期楼组])",
    ),
    # Plan B, server A; not an "I", nor the article at the beginning.
    ("lettervalue", r"(?<![\w'’.+/-])(?:[B-HJ-Z]|(?<=\w )A|(?<=\w )[b-hj-z])(?![\w'’+#./-])|[A-Z](?=[案号]|\s*组)"),
)
_VALUE = re.compile("|".join([f"(?P<{kind}>{pattern})" for kind, pattern in _VALUES]))
# The verb after which something is said of a thing; the second is one only by what follows it.
_VERB = re.compile(
    r"\b(?P<state>is|are|was|were|be|has|have|needs?|requires?|uses?|takes?|gets?|goes|go|moved?|moves|changed?"
    r"|switch\w*"
    r"|stays?|keeps?|allows?|lasts?|costs?|means?|equals?|happens?|prefers?|wants?|expects?|belongs?|lives?"
    r"|must|should|can(?:not)?|will|became|becomes?)\b",
    re.IGNORECASE,
)
_WEAK_VERB = re.compile(
    r"(?<=\w )\w+(?:s|ed)(?= (?:on|in|at|to|by|from|with|into|the|an?|only|never|always|every|all|no|until)\b)"
    r"|(?<=s )(?!(?:on|in|at|to|by|from|with|of|for|and|or|only)\b)\w+(?= (?:on|in|at|to|by|from|with|into|the|an?|all"
    r"|every)\b)",
    re.IGNORECASE,
)
_FRONTED = re.compile(r"(only (?:on|in|at|for|with) \w+)\s+(.+)", re.IGNORECASE | re.DOTALL)
_PREPOSED = re.compile(
    r"\b(?:on|in|at|to|between|until|till|by|from|with|after|before|and|or|than|of|only|every)\s+(?:(?:the|port"
    r"|version|option|plan|about|only)\s+)*$",
    re.IGNORECASE,
)
# Where a condition or a purpose begins that lasts to the end of its clause.
_CONDITION = re.compile(
    r"\b(?:when|whenever|if|unless|while|once|for(?= (?:the )?[a-z])|(?:before|after) (?:you|we|i|the|every|each"
    r"|\w+ing))\b[^,;]*$",
    re.IGNORECASE,
)
_FOR = re.compile(r"\bfor (?:the )?$", re.IGNORECASE)
_ORDERED = re.compile(
    r"\W*(?:(?:please|always|only|just|never|do not|don[’']?t)\s+)*(?:use|prefer|keep|need)\b", re.IGNORECASE
)
_FORBIDS = re.compile(
    r"\W*(?:please\s+)?(?:never|do not|don[’']?t|no)\b|.*(?:不要|别|不许|不准|禁止|ないで|するな)", re.IGNORECASE
)
_NEGATES = re.compile(r"\b(?:never|do not|don[’']?t|doesn[’']?t|does not)\b", re.IGNORECASE)
# Who is away in May may be away in June too.
_ABSENT = re.compile(
    r"\b(?:is|are|will be)\b.*\b(?:away|off|out|absent|closed|on (?:\w+ )?(?:leave|vacation|holidays?|call|duty))"
    r" (?:all )?(?:on|in|during)\b",
    re.IGNORECASE,
)
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
# Chinese: what something is said with. Japanese: the topic before は or が, and the particle behind a value.
_VERB_WIDE = re.compile(
    "[はが](?!\\w*曜の)|是|在(?!线)|归|改|用(?!户|例)|由|走|有(?!效)|要(?!求)|能(?!力)|只|都|被|必须|需要|一律|叫|变|不"
)
_BEHIND_WIDE = re.compile("(?:で|に|から|まで|へ|と|だけ|\\s*(?:以内|之内))")
# Stems that say that, or how firmly, something holds and not what.
_CHANGE = frozenset(
    tokens.terms(
        "moved now changed switch instead longer new old always never ever only don doesn won shouldn must every each"
        " raised lowered increased decreased became become since next future start begin anymore"
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
    asked = _Subject(statement.text)
    best, found = 0.0, None
    for topic in topics:
        for text in (topic.description, *_leads(topic.body)):
            likeness = _likeness(asked, _Subject(text)) if text else 0.0
            if likeness > best:
                best, found = likeness, topic
    return found


def _leads(body: str) -> "Iterator[str]":
    """What stands in front of a body, and its first line of text."""
    for line in body[:4096].splitlines():
        dated = DATED.match(line)
        if dated:
            yield dated.group("text")[:400]
        elif line.strip("# \t-=*_") and not line.startswith("**"):
            yield line.strip("# \t")[:400]
            return


class _Subject:
    """What a text is about: its terms, with values by their kinds, and the values that tell which thing is meant."""

    def __init__(self, text: str) -> None:
        text = _FRONTED.sub(r"\2 \1", " ".join(text.split()))
        state = _verb(text)
        self.which: "set[str]" = set()
        parts, at = [], 0
        for value in _VALUE.finditer(text):
            said = _is_said(text, value, state)
            if not said:
                self.which.add(_plain(value.group()))
            parts += [text[at : value.start()], f" {value.lastgroup} " if said else " "]
            at = value.end()
        self.negates = _NEGATES.search(text) is not None
        self.terms = frozenset(tokens.terms("".join([*parts, text[at:]]))) - _CHANGE
        sure = state is not None and state.re is _VERB
        self.thing = frozenset(tokens.terms(text[: state.start()])) - _CHANGE if state and sure else frozenset()


def _verb(text: str) -> "Optional[re.Match[str]]":
    if _WIDE.search(text):
        return _VERB_WIDE.search(text)
    return _VERB.search(text) or _WEAK_VERB.search(text)


def _is_said(text: str, value: "re.Match[str]", verb: "Optional[re.Match[str]]") -> bool:
    """Whether a value is what is said of a thing, and does not tell which thing is meant."""
    start, end = value.span()
    if _FORBIDS.match(text):
        return value.lastgroup in ("indentvalue", "managervalue", "runnervalue")  # one is used, the other is not
    if _WIDE.search(text):
        behind = _BEHIND_WIDE.match(text, end) is not None
        if verb is None:
            return behind or end == len(text)
        return verb.start() < start or (behind and verb.group() not in "はが")
    if (verb and start < verb.start()) or _CONDITION.search(text, 0, start) or _ABSENT.search(text, 0, start):
        return False
    if verb and value.lastgroup != "numbervalue" and _FOR.search(text, 0, start):
        return False
    if (verb and verb.re is _VERB) or _ORDERED.match(text) or _PREPOSED.search(text, 0, start):
        return True
    return verb is None and end == len(text) and text[:start].rstrip()[-1:] in (":", "=")


def _plain(value: str) -> str:
    """A value that tells which: Monday and Mondays, 周一 and 星期一 are one."""
    value = re.sub("^(?:周|星期|礼拜)|曜日?$", "", value.casefold().lstrip("#v"))
    return value[:-1] if value.endswith("days") or value == "tabs" else value


def _likeness(first: "_Subject", second: "_Subject") -> float:
    """How much two texts share, 0 to 1; 0 where that is not enough to be one subject."""
    if first.which != second.which or (first.thing and second.thing and first.thing != second.thing):
        return 0.0
    if first.terms == second.terms and first.terms:
        return 1.0
    shared = first.terms & second.terms
    own = [_weight(first.terms - shared), _weight(second.terms - shared)]
    if first.negates != second.negates:
        return 0.0  # never at night stands beside what is done by day
    common = _weight(shared)
    dice = 2 * common / (2 * common + sum(own)) if common else 0.0
    if common < 1.4 or (common < 2 and not _has_value(shared)):
        return 0.0
    return dice if dice >= _LEAST and min(own) < _PAIR + _SINGLE else 0.0


def _has_value(terms: "frozenset[str]") -> bool:
    return any([term.endswith("valu") or term.endswith("value") for term in terms])


def _weight(terms: "frozenset[str]") -> float:
    return sum([(_SINGLE if tokens.single(term) else _PAIR) if tokens.wide(term) else 1.0 for term in terms])
