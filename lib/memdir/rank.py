"""Ranks topic files for a prompt by the terms they share, and decides which are worth delivering.

An index has `n`, the number of documents, and `postings(term)`: one integer a document that holds the term,
`number << 8 | weight`. Documents are numbered newest first, so the newer of two equal notes wins.
"""

from memdir import tokens
from memdir.glossary import COMMON

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    class Index(Protocol):
        n: int

        def postings(self, term: str) -> "Sequence[int]": ...


TERMS = 1  # goes up with every change of the terms or weights of a document: catalogs of another number are built anew
# A score of 1 is one rare word in common that stands once in a description of usual length.
THRESHOLD = 1.7
BODY_BYTES = 4_096  # of the body that count
_NAME = 2.5  # a term in the name counts as so many in the description
_BODY = 0.5
_HEAD_TERMS, _BODY_TERMS = 16, 50  # the usual lengths; terms of longer texts count less
_SATURATION = 2.0  # BM25's k1
_POSTINGS = 10_000  # read for one prompt, a few milliseconds: beyond it a sentence's commonest terms do not count
# Rarity is counted as if beside the documents stood a hundred more, in ten of which every common term stands:
# else a term would be rare in a small directory only because there are few files.
_BACKGROUND, _BACKGROUND_COMMON = 100, 10
_SENTENCES = 0.1  # how much the threshold rises with the logarithm of the number of sentences
_PAIR, _SINGLE = 0.7, 0.3  # two neighbouring characters of a script without blanks, and one, against a word


class Match:
    """A document, how well it fits, and the terms that say so, the weightiest first."""

    __slots__ = ("doc", "score", "terms")

    def __init__(self, doc: int, score: float, terms: "list[str]") -> None:
        self.doc = doc
        self.score = score
        self.terms = terms


class MemoryIndex:
    """An index over `document` results that lives in memory."""

    def __init__(self, documents: "list[dict[str, int]]") -> None:
        self.n = len(documents)
        self._postings: dict[str, list[int]] = {}
        for number, weights in enumerate(documents):
            for term, weight in weights.items():
                self._postings.setdefault(term, []).append(number << 8 | weight)

    def postings(self, term: str) -> "Sequence[int]":
        return self._postings.get(term, ())


def document(name: str, description: str, body: str) -> "dict[str, int]":
    """The terms of a topic file, each with a weight of 1 to 255 that depends on this file alone."""
    named = _counts(name)
    described = _counts(description)
    told = _counts(body.encode("utf-8", "replace")[:BODY_BYTES].decode("utf-8", "ignore"))
    head = _fit(_NAME * _length(named) + _length(described), _HEAD_TERMS)
    rest = _BODY * _fit(_length(told), _BODY_TERMS)
    often = {term: _NAME * count * head for term, count in named.items()}
    for term, count in described.items():
        often[term] = often.get(term, 0.0) + count * head
    for term, count in told.items():
        more = count - described.get(term, 0)  # bodies often open with the description
        if more > 0:
            often[term] = often.get(term, 0.0) + more * rest
    return {term: int(255 * count / (count + _SATURATION)) or 1 for term, count in often.items()}


def _counts(text: str) -> "dict[str, int]":
    counts: dict[str, int] = {}
    for term in tokens.terms(text):
        counts[term] = counts.get(term, 0) + 1
    return counts


def _length(counts: "dict[str, int]") -> int:
    return sum([count for term, count in counts.items() if not tokens.single(term)])


def _fit(length: float, usual: int) -> float:
    return float((usual / max(1.0, length)) ** 0.5)


def rank(windows: "list[list[str]]", index: "Index", limit: int = 50) -> "list[Match]":
    """The documents that share a term with a sentence of the prompt, best first, at most `limit`.

    A document's score is that of its best sentence: it can be compared between prompts and between directories.
    """
    asked = {term: index.postings(term) for window in windows for term in window}
    weights = {term: _weight(term, len(found), index.n) for term, found in asked.items()}
    read = [_rarest(window, asked, _POSTINGS // len(windows)) for window in windows]
    best: dict[int, float] = {}
    origin: dict[int, int] = {}
    for number, window in enumerate(read):
        sums: dict[int, float] = {}
        for term in window:
            weight = weights[term]
            for posting in asked[term]:
                doc = posting >> 8
                sums[doc] = sums.get(doc, 0.0) + weight * (posting & 255)
        for doc, score in sums.items():
            if score > best.get(doc, 0.0):
                best[doc] = score
                origin[doc] = number
    least = sorted(best.values())[-limit:][0] if best else 0.0
    chosen = sorted([(-score, doc) for doc, score in best.items() if score >= least])[:limit]
    shared: dict[int, list[str]] = {doc: [] for _, doc in chosen}
    for term in sorted({term for window in read for term in window}, key=lambda term: (-weights[term], term)):
        for posting in asked[term]:
            if posting >> 8 in shared:
                shared[posting >> 8].append(term)
    return [Match(doc, -loss, [term for term in shared[doc] if term in read[origin[doc]]]) for loss, doc in chosen]


def _rarest(window: "list[str]", asked: "dict[str, Sequence[int]]", postings: int) -> "list[str]":
    """The distinct terms of a sentence, fewest documents first, as far as so many postings go."""
    terms = sorted([(len(asked[term]), term) for term in set(window) if asked[term]])
    kept: list[str] = []
    for found, term in terms:
        postings -= found
        if postings < 0 and kept:
            break
        kept.append(term)
    return kept


def _weight(term: str, found: int, documents: int) -> float:
    """BM25's inverse document frequency, as a share of a term's that no document holds, in units of THRESHOLD."""
    if term in COMMON:
        found += _BACKGROUND_COMMON
    every = documents + _BACKGROUND + 1
    rarity = _log(every / (found + 0.5)) / _log(every / 0.5)
    if tokens.wide(term):
        rarity *= _SINGLE if tokens.single(term) else _PAIR
    return rarity * (1 + _SATURATION) / 255


def _log(x: float) -> float:
    """The natural logarithm, to four digits, without importing math (a shared library to find and load)."""
    return float(x**1e-6 - 1) * 1e6


def least_score(windows: "list[list[str]]", threshold: float = THRESHOLD) -> float:
    """The score a prompt of so many sentences asks for: the best of many is higher by chance."""
    return threshold * (1 + _SENTENCES * _log(max(1, len(windows))))


def passes(match: Match, windows: "list[list[str]]", threshold: float = THRESHOLD) -> bool:
    """Whether a match is delivered: it shares terms worth `threshold` rare words with one sentence of the prompt."""
    return match.score >= least_score(windows, threshold)
