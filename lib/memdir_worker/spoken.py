"""What a person asked, in so many words, to remember or never to do again.

What is kept, and the rule behind every pattern: the person speaks to Claude, at the beginning of a clause, and says
that it lasts. Three things say so:

- *asked*: "remember that …", "keep in mind that …", "for later: …", 记住…, …覚えておいて. What follows is kept as it
  is. Without "that" or a colon it has to say something in the present ("remember staging is down on Sundays"), and
  not only name it ("remember kim from accounting").
  "Remember to …", 记住跑… and …するのを覚えておいて are orders for the task at hand, and need a word that lasts
  ("always", "before every …"). "Remember that and run the tests" means the sentence before.
- *from now on*: "from now on …", "next time …", 以后…, 今後は…. What follows has to be an order to Claude, not a plan
  and not a property of the product.
- *in general*: "never …", "always …", "whenever you …", 永远不要…, 不要再…, 二度と…ないで. What follows has to be
  something Claude does while it works (commit, push, edit), not something the product does (return, expire, show), or
  does to its users, accounts and errors, nor a rule that the next sentence says to implement. And it has to stand for
  itself: "this", "it", 这个 and この point at the task at hand. 不要碰 migrations is one where the prompt says nothing
  else; "don't touch migrations" bounds a task.

What bounds it in time ("for now", 这次, 今回), a question, a condition before it, somebody else's words and mockery
take it back. An order for now behind it ("…; please implement it now") is left away. What is of the moment is no
memory, whoever asks for it: how somebody is ("I'm in a hurry"), what was just done ("you already changed the file"),
what is broken at the time, a role to play, and things without a name ("x is 3", "the loop starts at 0").

Of a prompt at most 20 statements are kept, the first ones: a paste that holds more of them is a document, and gives
none beyond these. Control characters, and format characters that nobody sees, are never part of a statement.
Precision goes before volume: a memory that nobody asked for costs trust at every later prompt.
"""

import re

from memdir_worker import chinese, english, japanese, marks, quotations, wording

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Optional

LONGEST = 600  # characters of a statement; what is longer is an essay, not a fact
MOST = 20  # statements of a prompt
# A terminal's colours, control characters, and characters that show nothing or turn what stands behind them around.
_UNSEEN = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)?)"
    r"|[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e"
    r"\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffc\U000e0000-\U000e0fff]"
)
# Joiners belong into emoji and into Arabic and Indic words; elsewhere they show nothing either.
_JOINED = r"[\u0600-\u1fff\u2600-\u27bf\ufe0f\U0001f000-\U0001faff]"
_JOINER = re.compile(rf"(?<!{_JOINED})[\u200c\u200d]+|[\u200c\u200d]+(?!{_JOINED})")
_SENTENCE = re.compile(
    r"(?:[^\n.!?。！？!?；]|[.!?](?![\s)”\"]|$)|(?<=\be\.g)\.|(?<=\bi\.e)\.|(?<=\bvs)\.|(?<=\betc)\.)+[.!?。！？；)”\"]*"
)
_ITEM = re.compile(r"[ \t]*(?:[-*•](?=[ \t])|\(?\d{1,2}[.)、](?!\d))[ \t]*(?=\S)")
_INLINE_ITEM = re.compile(r"(?:^|[\s,;，；])\(?\d{1,2}[.)、](?!\d)[ \t]*(?=\S)")
_WORD = re.compile(r"[^\W\d_\u3400-\u9fff](?:[./@-]?[^\W\u3400-\u9fff])*")  # a path is one
_KANA = re.compile("[\u3041-\u30ff]")
_HAN = re.compile("[\u3400-\u9fff]")
_BEFORE = " \t\n,;:，；：、。!！—–"  # `.env` and `--force` keep their marks
_AFTER = _BEFORE + ".-*"
_QUOTES = ('""', "''", "“”", "「」", "『』", "‘’", "``")
_LANGUAGES = {"en": english, "zh": chinese, "ja": japanese}


class Statement:
    """One thing to remember.

    `text`: a sentence in the person's words. `kind`: "keep" or "forbid". `type`: of the memory. `language`: "en", "zh"
    or "ja". `reason`: why, in the person's words, or "".
    """

    __slots__ = ("kind", "language", "reason", "text", "type")

    def __init__(self, text: str, *, kind: str, type: str, language: str, reason: str = "") -> None:
        self.text = text
        self.kind = kind
        self.type = type
        self.language = language
        self.reason = reason


class _Sentence:
    """A sentence: `seen` has quotations masked, `said` is what was typed; `listed`: of a list; `line`: its number."""

    __slots__ = ("line", "listed", "said", "seen")

    def __init__(self, said: str, seen: str, line: int, *, listed: bool) -> None:
        self.said = said
        self.seen = seen
        self.line = line
        self.listed = listed


def statements(said: str) -> "list[Statement]":
    """What a prompt asks to remember, in its order."""
    found: "dict[str, Statement]" = {}  # said twice is one
    sentences = list(_sentences(_JOINER.sub("", _UNSEEN.sub("", said))))
    free = 0  # the first sentence that no statement has used
    opens = True  # nothing was said before, but that Claude did something wrong
    for at, sentence in enumerate(sentences):
        first, opens = opens, opens and wording.REPROACH.match(sentence.seen) is not None
        if len(found) >= MOST:
            break
        if at < free or wording.MOCKING.search(sentence.seen):
            continue
        for tongue in _tongues(sentence.seen):
            speech = _LANGUAGES[tongue]
            alone = at == 0 and len(sentences) <= 2 and all([speech.reason(one.said) for one in sentences[1:]])
            span = speech.heard(sentence.seen, opens=first, alone=alone, listed=sentence.listed)
            if span is not None and not (
                span[3] and at + 1 < len(sentences) and wording.BUILDS.match(sentences[at + 1].seen)
            ):
                new, free = _taken(sentences, at, span, tongue)
                found.update({one.text: one for one in new})
                break
    return list(found.values())[:MOST]


def language(text: str) -> str:
    """The language of a text: "ja" where there is kana, "zh" where most of it is Chinese characters, else "en"."""
    if _KANA.search(text):
        return "ja"
    wide = len(_HAN.findall(text))
    return "zh" if wide and wide >= len(_WORD.findall(text)) else "en"


def _tongues(seen: str) -> "list[str]":
    """The languages in which a sentence may ask; a sentence of one may be in the words of another."""
    if _KANA.search(seen):
        return ["ja", "en"]
    return ["zh", "en"] if _HAN.search(seen) else ["en"]


def _sentences(said: str) -> "Iterator[_Sentence]":
    masked = marks.hide(quotations.mask(said))
    at = 0
    for number, line in enumerate(masked.split("\n")):
        item = _ITEM.match(line)
        begin = item.end() if item else 0
        for found in _SENTENCE.finditer(line, begin):
            start, end = at + found.start(), at + found.end()
            if masked[start:end].strip() and end - start <= 2 * LONGEST:
                listed = item is not None and found.start() == begin
                yield _Sentence(said[start:end], masked[start:end], number, listed=listed)
        at += len(line) + 1


def _taken(
    sentences: "list[_Sentence]", at: int, span: "tuple[int, int, str, bool]", tongue: str
) -> "tuple[list[Statement], int]":
    """The statements a find stands for, and the first sentence that none of them has used."""
    start, end, _, order = span
    if start < end:
        return _of_words(sentences, at, span, tongue)
    only_before = span == wording.ONLY_BEFORE
    sentence = sentences[at]
    before = sentences[at - 1] if at and sentence.line - sentences[at - 1].line <= 1 else None
    after = sentences[at + 1 :]
    colon = sentence.seen.rstrip().endswith((":", "："))
    if not only_before and (colon or before is None or (after and after[0].listed)):
        items = _items(after)
        made = [_statement(one.said, prefix="", order=order) for one in items]
        return [one for one in made if one], at + 1 + len(items)
    if before is None or before.seen.rstrip().endswith(("?", "？")):
        return [], at + 1
    opening = wording.opened(_LANGUAGES[tongue].OPENING, before.seen, 0)
    one = _statement(before.said[opening:], prefix="", order=False)
    return [one] if one else [], at + 1


def _items(after: "list[_Sentence]") -> "list[_Sentence]":
    """The list that follows, with what stands on the lines of its items; or one sentence."""
    if not after or not after[0].listed:
        return after[:1]
    items = after[:1]
    for one in after[1:]:
        if not one.listed and one.line != items[-1].line:
            break
        items.append(one)
    return items


def _of_words(
    sentences: "list[_Sentence]", at: int, span: "tuple[int, int, str, bool]", tongue: str
) -> "tuple[list[Statement], int]":
    """The statements in a part of a sentence, with the reason that stands in it, before it or in the next."""
    start, end, prefix, order = span
    sentence = sentences[at]
    words = sentence.said[start:end]
    cuts = [*_INLINE_ITEM.finditer(words)]
    if len(cuts) > 1:
        stops = [*[one.start() for one in cuts[1:]], len(words)]
        made = [_statement(words[one.end() : stop], prefix="", order=order) for one, stop in zip(cuts, stops)]
        return [one for one in made if one], at + 1
    speech = _LANGUAGES[tongue]
    one = _statement(words, prefix=prefix, order=order, reason=speech.cause(sentence.said[:start]))
    if one is None:
        return [], at + 1
    following = sentences[at + 1] if at + 1 < len(sentences) else None
    if one.reason or following is None or following.listed or following.line != sentence.line:
        return [one], at + 1
    one.reason = _clean(speech.reason(following.said.strip().rstrip(".!。！")))
    return [one], at + 1 + (one.reason != "")


def _statement(words: str, *, prefix: str, order: bool, reason: str = "") -> "Optional[Statement]":
    """A statement in these words; None if they say nothing by themselves."""
    text = _clean(words)
    tongue = language(text)
    speech = _LANGUAGES[tongue]
    seen = marks.hide(quotations.mask(text))
    length = wording.without_task(seen, order=order)
    if wording.is_passing(speech.reasoned(seen[:length].rstrip(_AFTER))[0].rstrip(_AFTER)):
        return None
    text, because = speech.reasoned(_clean(text[:length]))
    text = prefix + _clean(text)
    words_said = len(_WORD.findall(text)) + len(_HAN.findall(text)) / 2
    if len(text) > LONGEST or (words_said < 2 and not _KANA.search(text)):
        return None
    kind = "forbid" if any([one.forbids(text) for one in _LANGUAGES.values()]) else "keep"
    return Statement(
        text,
        kind=kind,
        type="feedback" if order or kind == "forbid" else wording.type_of(text),
        language=tongue,
        reason=_clean(because or reason),
    )


def _clean(words: str) -> str:
    """One line without the marks around it; quotation marks around the whole go, within it they stay."""
    text = marks.strip(" ".join(words.split()).lstrip(_BEFORE), _AFTER)
    for pair in _QUOTES:
        first, last = pair[0], pair[1]
        inner = text[1:-1]
        if text[:1] == first and text[-1:] == last and len(text) > 2 and first not in inner and last not in inner:
            return inner.strip() if first == "`" else marks.strip(inner.lstrip(_BEFORE), _AFTER)
    return text
