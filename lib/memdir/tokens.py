"""Turns text into the terms that recall compares: words of any case style, and pieces of scripts without blanks."""

from memdir.glossary import MEANS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

PROMPT_CHARS = 8_000  # of a longer prompt the two ends are read: a pasted log has its question before or after it
WINDOWS = 40  # sentences of a prompt that are ranked
_SHORT = 3  # a sentence with fewer distinct terms joins the next
_LONG = 28  # a sentence with more terms is cut into windows that overlap by half
_MEMO = 50_000  # words whose terms are remembered
_LONGEST = 10  # characters of a word in the glossary

_STOP = frozenset(
    """
    a about above after again all also am an and any are as at be been before being below both but by bye can
    cannot continue continued continues cool could did do does doing don done down each else few fine for from
    further get gets getting give given go goes going gonna good got great had has have having he hello her here
    hers hey hi him his how i if in into is isn it its itself just let lets lgtm like ll look looks make makes
    me more most much my myself nice no nope nor not now of off ok okay on once one only or other our ours out
    over own perfect please plz proceed put re same see shall she should so some sorry still such sure than
    thank thanks that the their them then there these they thing things this those through thx to too until up
    us use uses using ve very want wants was way we well were what when where which while who whom whose why
    will with would yeah yep yes yet you your yours
    """.split()
)
# Characters that only tie Chinese or Japanese words together: neither they nor pairs with them are terms.
_PARTICLES = frozenset(
    "的了在里个是有和与或吗呢吧啊这那哪什么怎我你他们把被就都也还很到不没请给让而得着过为何如"
    + "はがをにでともへのやねよ"
)
_STOP_WIDE = frozenset(
    """
    一 下 上 中 能 会 去 来 用 改 再 好 对 行 看 帮 多少 一下 看看 可以 要 继续 谢谢
    た て し い る れ な だ す ま さ ら り う き く け こ っ
    ます した する して いる ある から って これ それ どう ない くだ ださ さい てく いつ
    """.split()
)
_SUFFIXES = tuple("ations ation ating ated ators ator ate ingly edly ing ed ment ness ly er ion".split())
_VOWELS = frozenset("aeiouy0123456789")


def wide(text: str) -> bool:
    """Whether a text begins in a script (Chinese, kana, hangul) that is cut into characters, not at blanks."""
    return text >= "\u2e80"


def single(term: str) -> bool:
    """Whether a term is one character of such a script."""
    return len(term) == 1 and term >= "\u2e80"


class _Fold(dict):  # type: ignore[type-arg]
    """For str.translate: letters and digits stay, accents go, everything else becomes a blank; filled as it is used."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if char.isalnum():
            folded = char if wide(char) else _normal("NFKD", char)
            folded = "".join([part for part in folded if part.isalnum()]) or " "
        else:
            folded = "_" if char == "_" else " "
        self[code] = folded
        return folded


def _normal(form: "Literal['NFKC', 'NFKD']", text: str) -> str:
    import unicodedata  # a shared library that plain English does without

    return unicodedata.normalize(form, text)


_starts = {word[0] for word in MEANS if wide(word)}
_fold = _Fold()
_ascii = "".join([chr(code) if chr(code).isalnum() or chr(code) == "_" else " " for code in range(128)])
_memo: "dict[str, tuple[str, ...]]" = {}


def terms(text: str) -> "list[str]":
    """The terms of a text in its order, repeated as often as they occur."""
    text = text.translate(_ascii) if text.isascii() else _normal("NFKC", text).translate(_fold)
    found: list[str] = []
    for chunk in text.split():
        known = _memo.get(chunk)
        if known is None:
            known = tuple(_word(chunk) if chunk.isascii() else _mixed(chunk))
            if len(_memo) >= _MEMO:
                _memo.clear()
            _memo[chunk] = known
        found += known
    return found


def windows(prompt: str) -> "list[list[str]]":
    """The sentences of a prompt as terms, the first and last of them when there are too many."""
    if len(prompt) > PROMPT_CHARS:
        prompt = prompt[: PROMPT_CHARS // 2] + "\n" + prompt[-PROMPT_CHARS // 2 :]
    found: list[list[str]] = []
    waiting: list[str] = []
    for sentence in _sentences(prompt):
        waiting += terms(sentence)
        if len(set(waiting)) < _SHORT:
            continue
        found += _cut(waiting)
        waiting = []
    if waiting:
        found.append(waiting)
    return found if len(found) <= WINDOWS else found[: WINDOWS // 2] + found[-WINDOWS // 2 :]


_ends = {ord(char): "\n" for char in "!?;。！？；…｡\r"}


def _sentences(prompt: str) -> "list[str]":
    return prompt.translate(_ends).replace(". ", "\n").split("\n")


def _cut(sentence: "list[str]") -> "list[list[str]]":
    mostly_wide = sum([wide(term) for term in sentence]) * 2 > len(sentence)
    size = _LONG * 2 if mostly_wide else _LONG  # two terms to a character there
    if len(sentence) <= size:
        return [sentence]
    step = size // 3
    return [sentence[start : start + 2 * step] for start in range(0, len(sentence) - step, step)]


def _mixed(chunk: str) -> "list[str]":
    """The terms of a chunk in which scripts meet."""
    found: list[str] = []
    start = 0
    for at in range(1, len(chunk) + 1):
        if at == len(chunk) or wide(chunk[at]) != wide(chunk[start]):
            run = chunk[start:at]
            found += _pieces(run) if wide(run) else _word(run)
            start = at
    return found


def _pieces(run: str) -> "list[str]":
    """The words of a run without blanks that the glossary knows, as English, and pieces of what is between them."""
    found = []
    start = at = 0
    while at < len(run):
        size = _known(run, at)
        if size:
            found += _grams(run[start:at])
            found.append(MEANS[run[at : at + size]])
            start = at + size
        at += size or 1
    return found + _grams(run[start:])


def _known(run: str, at: int) -> int:
    """The length of the longest word of the glossary that begins here, or 0."""
    if run[at] in _starts:
        for size in range(_LONGEST, 1, -1):
            if run[at : at + size] in MEANS:
                return size
    return 0


def _grams(run: str) -> "list[str]":
    """Every two neighbours and every single character; words are seldom longer, and blanks do not tell them apart."""
    pairs = [first + second for first, second in zip(run, run[1:]) if not (first in _PARTICLES or second in _PARTICLES)]
    return [gram for gram in [*pairs, *run] if gram not in _STOP_WIDE and gram not in _PARTICLES]


def _word(word: str) -> "list[str]":
    """The stems of an identifier's or word's parts; an identifier also as a whole."""
    parts = [part.lower() for piece in word.split("_") for part in _humps(piece) if part]
    stems = [_stem(part) for part in parts if len(part) > 1 and part not in _STOP]
    found = [MEANS.get(stem, stem) for stem in stems]
    if len(parts) > 1:
        found.append(_stem("".join(parts)))
    return found


def _humps(word: str) -> "list[str]":
    """parseHTTPConfig as parse, HTTP, Config; plurals of acronyms (URLs) stay whole."""
    if word.islower() or word.isupper() or word.isdigit():
        return [word]
    parts = []
    start = 0
    for at in range(1, len(word)):
        rises = word[at].isupper() and not word[at - 1].isupper()
        falls = word[at].isupper() and word[at + 1 : at + 2].islower() and word[at + 1 :] != "s"
        if rises or falls:
            parts.append(word[start:at])
            start = at
    parts.append(word[start:])
    return parts


def _stem(word: str) -> str:
    """Harman's S-stemmer and the commonest verb and noun endings: enough for plurals, tenses and -ation."""
    if len(word) < 4 or not word.isascii():
        return word
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith("sses") or (word.endswith("es") and len(word) > 4 and word[-3] in "sxzo"):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            base = word[: -len(suffix)]
            if _VOWELS.isdisjoint(base):
                break
            if len(base) > 3 and base[-1] == base[-2] and base[-1] not in "lsz":
                base = base[:-1]
            word = base
            break
    if word.endswith("e") and len(word) > 3:
        word = word[:-1]
    if word.endswith("y") and len(word) > 3:
        word = word[:-1] + "i"
    return word
