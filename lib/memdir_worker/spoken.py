"""What a person asked, in so many words, to remember or never to do again.

What is kept, and the rule behind every pattern: the person speaks to Claude, at the beginning of a clause, and says
that it lasts. Three things say so:

- *asked*: "remember that …", "keep in mind that …", 记住…, …覚えておいて. The words that follow are kept as they are.
  "Remember to …" alone is an order for the task at hand, and needs a word that lasts ("always", "before every …").
- *from now on*: "from now on …", "next time …", 以后…, 今後は…. What follows has to be an order to Claude, not a plan
  and not a property of the product.
- *in general*: "never …", "always …", "whenever you …", 永远不要…, 不要再…, 二度と…ないで. What follows has to be
  something Claude does while it works (commit, push, edit), not something the product does (return, expire, show),
  and has to stand for itself: "this", "it", 这个 and この point at the task at hand.

What bounds it in time ("for now", 这次, 今回), a question, a condition before it, somebody else's words and mockery
take it back. Precision goes before volume: a memory that nobody asked for costs trust at every later prompt.
"""

import re

from memdir_worker import chinese, english, japanese, quotations, wording

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Optional

LONGEST = 600  # characters of a statement; what is longer is an essay, not a fact
_SENTENCE = re.compile(
    r"(?:[^\n.!?。！？!?；]|[.!?](?![\s)”\"]|$)|(?<=\be\.g)\.|(?<=\bi\.e)\.|(?<=\bvs)\.|(?<=\betc)\.)+[.!?。！？；)”\"]*"
)
_ITEM = re.compile(r"[ \t]*(?:[-*•](?=[ \t])|\(?\d{1,2}[.)、](?!\d))[ \t]*(?=\S)")
_INLINE_ITEM = re.compile(r"(?:^|[\s,;，；])\(?\d{1,2}[.)、](?!\d)[ \t]*(?=\S)")
_WORD = re.compile(r"[^\W\d_\u3400-\u9fff][^\W\u3400-\u9fff]*")
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
    found: "list[Statement]" = []
    sentences = list(_sentences(said))
    free = 0  # the first sentence that no statement has used
    for at, sentence in enumerate(sentences):
        if at < free or wording.MOCKING.search(sentence.seen):
            continue
        for tongue in _tongues(sentence.seen):
            span = _LANGUAGES[tongue].heard(sentence.seen, opens=at == 0, listed=sentence.listed)
            if span is not None:
                new, free = _taken(sentences, at, span, tongue)
                found += new
                break
    return list({one.text: one for one in found}.values())  # said twice is one


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
    masked = quotations.mask(said)
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
    sentence = sentences[at]
    if start < end:
        return _of_words(sentences, at, span, tongue)
    before = sentences[at - 1] if at and sentence.line - sentences[at - 1].line <= 1 else None
    after = sentences[at + 1 :]
    if start == end and (sentence.seen.rstrip().endswith((":", "：")) or before is None or (after and after[0].listed)):
        items = after[:1]
        if items and items[0].listed:
            items = []
            for one in after:
                if not one.listed and (not items or one.line != items[-1].line):
                    break
                items.append(one)
        made = [_statement(one.said, prefix="", order=order) for one in items]
        return [one for one in made if one], at + 1 + len(items)
    if before is None or before.seen.rstrip().endswith(("?", "？")):
        return [], at + 1
    made = [_statement(_opened(before.said, before.seen, tongue), prefix="", order=False)]
    return [one for one in made if one], at + 1


def _of_words(
    sentences: "list[_Sentence]", at: int, span: "tuple[int, int, str, bool]", tongue: str
) -> "tuple[list[Statement], int]":
    """The statements in a part of a sentence, with the reason that stands in it, before it or in the next."""
    start, end, prefix, order = span
    sentence = sentences[at]
    words = sentence.said[start:end]
    items = [words[one.end() :] for one in _INLINE_ITEM.finditer(words)]
    if len(items) > 1:
        cuts = [*_INLINE_ITEM.finditer(words)]
        ends = [one.start() for one in cuts[1:]] + [len(words)]
        made = [_statement(words[one.end() : stop], prefix="", order=order) for one, stop in zip(cuts, ends)]
        return [one for one in made if one], at + 1
    speech = _LANGUAGES[tongue]
    made = [_statement(words, prefix=prefix, order=order, reason=speech.cause(sentence.said[:start]))]
    free = at + 1
    following = sentences[at + 1] if at + 1 < len(sentences) else None
    if made[0] and not made[0].reason and following and not following.listed and following.line == sentence.line:
        made[0].reason = _clean(speech.reason(following.said.strip().rstrip(".!。！")))
        free += made[0].reason != ""
    return [one for one in made if one], free


def _statement(words: str, *, prefix: str, order: bool, reason: str = "") -> "Optional[Statement]":
    """A statement in these words; None if they say nothing by themselves."""
    text = _clean(words)
    tongue = language(text)
    speech = _LANGUAGES[tongue]
    text, because = speech.reasoned(text)
    text = prefix + _clean(text)
    words_said = len(_WORD.findall(text)) + len(_HAN.findall(text)) / 2
    if len(text) > LONGEST or (words_said < 2 and not _KANA.search(text)):
        return None
    kind = "forbid" if speech.forbids(text) else "keep"
    return Statement(
        text,
        kind=kind,
        type="feedback" if order or kind == "forbid" else wording.type_of(text),
        language=tongue,
        reason=_clean(because or reason),
    )


def _opened(said: str, seen: str, tongue: str) -> str:
    return said[_LANGUAGES[tongue].opened(seen, 0) :]


def _clean(words: str) -> str:
    """One line without the marks around it; quotation marks around the whole go, within it they stay."""
    text = " ".join(words.split()).lstrip(_BEFORE).rstrip(_AFTER)
    for pair in _QUOTES:
        first, last = pair[0], pair[1]
        inner = text[1:-1]
        if text[:1] == first and text[-1:] == last and len(text) > 2 and first not in inner and last not in inner:
            return inner.lstrip(_BEFORE).rstrip(_AFTER)
    return text
