"""A rule file: what its header forbids, and the reason that its text gives."""

from memdir import budget, frontmatter, markdown
from memdir.rules import entries, header
from memdir.rules.entries import GUARDS, Entry
from memdir.rules.header import has_hard_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

__all__ = ["GUARDS", "REASON_UNITS", "Entry", "RuleFile", "broken", "has_hard_key", "parse", "unpack"]

REASON_UNITS = 600
_DECISIONS = ("deny", "ask", "allow")


class RuleFile:
    """`reason` is the first paragraph of the text, at most REASON_UNITS long. `examples` are (decision, call, line).

    `problems` are (line, sentence) about what is not in force and need not be; a broken entry is in `entries`.
    """

    __slots__ = ("base", "entries", "examples", "keywords", "path", "problems", "reason", "user")

    def __init__(self, path: str, base: str, *, user: bool) -> None:
        self.path = path
        self.base = base
        self.user = user
        self.reason = ""
        self.entries: "list[Entry]" = []
        self.examples: "list[tuple[str, str, int]]" = []
        self.problems: "list[tuple[int, str]]" = []
        self.keywords: "frozenset[str]" = frozenset()

    def pack(self) -> "tuple[Any, ...]":
        """Texts, numbers and tuples of them."""
        packed = tuple([entry.pack() for entry in self.entries])
        words = tuple(sorted(self.keywords))
        return self.path, self.base, self.user, self.reason, packed, tuple(self.examples), tuple(self.problems), words


def unpack(packed: "tuple[Any, ...]") -> RuleFile:
    """What `RuleFile.pack` gave. Raises TypeError or ValueError for anything else."""
    path, base, user, reason, found, examples, problems, words = packed
    rule = RuleFile(path, base, user=user)
    rule.reason = reason
    rule.entries = [entries.unpack(entry) for entry in found]
    rule.examples = list(examples)
    rule.problems = list(problems)
    rule.keywords = frozenset(words)
    return rule


def parse(path: str, text: str, base: str, *, user: bool) -> "Optional[RuleFile]":
    """The rule file; None if no hard key stands in its header. Never raises."""
    if not has_hard_key(text):
        return None
    document = frontmatter.parse(text)
    rule = RuleFile(path, base, user=user)
    hard = [key for key in document.meta if key in header.HARD_KEYS]
    for key in hard:
        rule.entries += entries.read(key, document.meta[key], document.lines[key])
    rule.entries += _unread(text, document, hard)
    if not rule.entries and not hard:
        return None
    rule.entries.sort(key=lambda entry: entry.line)
    rule.reason = _reason(text if document.degraded else document.body)
    _read_examples(rule, document)
    rule.keywords = frozenset().union(*[entry.keywords() for entry in rule.entries])
    return rule


def broken(path: str, base: str, sentence: str, *, user: bool) -> RuleFile:
    """The stand-in for a file that cannot be read: it may govern every tool that writes."""
    rule = RuleFile(path, base, user=user)
    rule.entries = [entries.broken("deny", "", 1, sentence)]
    rule.keywords = rule.entries[0].keywords()
    return rule


def _unread(text: str, document: frontmatter.Document, hard: "list[str]") -> "list[Entry]":
    """A broken entry for each place where a hard key, or a part of one, was not understood."""
    found = []
    lines = header.split_lines(text)
    for line, sentence in document.problems:
        if header.is_hard(lines, line - 1):
            found.append(entries.broken("deny", "", line, f"{sentence}; write `deny:` and a list of entries below it"))
    if not hard and document.degraded and not found:
        line, sentence = document.problems[0]
        found.append(entries.broken("deny", "", line, f"{sentence}, so the header cannot be read"))
    return found


def _read_examples(rule: RuleFile, document: frontmatter.Document) -> None:
    value = document.meta.get("examples")
    if value is None:
        return
    line = document.lines["examples"][0] if document.lines["examples"] else 1
    if not isinstance(value, dict):
        rule.problems.append((line, "`examples` is not a mapping; write `deny:`, `ask:` and `allow:` lists below it"))
        return
    for decision, calls in value.items():
        if decision not in _DECISIONS:
            rule.problems.append((line, f"`{decision[:40]}` in `examples` is not deny, ask or allow"))
            continue
        calls = calls if isinstance(calls, list) else [calls]
        places = document.inner_lines.get(("examples", decision), [])
        places = places if len(places) == len(calls) else [line] * len(calls)
        rule.examples += [(decision, call, place) for call, place in zip(calls, places) if call]


def _reason(body: str) -> str:
    paragraph: "list[str]" = []
    if body[:3] == "---":
        body = markdown.without_frontmatter(body)
    for line in header.split_lines(markdown.without_block_comments(body)):
        words = line.strip()
        if not words.strip("-=*_# ") or words[0] == "#":
            if paragraph:
                break
            continue
        paragraph.append(words)
    return _shortened(" ".join(" ".join(paragraph).split()))


def _shortened(text: str) -> str:
    kept = budget.cut_units(text, REASON_UNITS)
    if kept == text:
        return text
    kept = budget.cut_units(text, REASON_UNITS - 2)
    blank = kept.rfind(" ")
    # Text of a script without blanks is cut at a character.
    return (kept[:blank] if blank > len(kept) // 2 else kept).rstrip() + " …"
