"""English: what in a sentence asks to remember something. The rule is told in `spoken`."""

import re

from memdir_worker.wording import BEFORE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

    from memdir_worker.wording import Span

_I = re.IGNORECASE

# What may stand before the marker in its clause, any number of times.
_OPENING = re.compile(
    r"(?:(?:ok(?:ay)?|great|good|nice|thanks?(?: you)?|thx|perfect|cool|no+|nope|stop(?=\s*[,.!;:—-])|wait|hey|hi"
    r"|hello|oh|btw|ps|fyi|also"
    r"|and|but|so|then|again|please|pls|plz|claude|yes|yep|well|alright|just|important|reminder|rule|one more thing"
    r"|one last thing|(?:for|in) (?:all )?(?:future|later|other) (?:sessions|conversations|chats)|by the way|seriously"
    r"|looks good|lgtm|another thing|(?:let me|to) be clear|listen|to repeat)\b[\s,.!:;*—–-]*)+",
    _I,
)
# Where a clause may begin inside a sentence.
_CLAUSE = re.compile(r"(?:[,;—–]|\s-)\s*(?:(?:and|but|so|also|then|please|pls)[\s,]+)*|\b(?:and|but|so)\s+", _I)
_TO_MIND = (
    r"(?:remember|memori[sz]e|keep (?:it )?in mind|bear (?:it )?in mind|(?:make|take) a (?:mental )?note"
    r"|don[’']?t (?:ever )?forget"
    r"|do not forget|never forget|(?:put|keep) (?:it )?in your memory|note (?:this |it )?(?:down )?for "
    r"(?:the future|future (?:sessions|reference|runs)|yourself|later|next time)|note to your future self"
    r"|(?:add|save|put|commit|write|store) (?:(?:this|that|it|these|the following) )?(?:down )?(?:to|in|into) "
    r"(?:your |the |long[- ]term |auto ?)*memory)"
)
_ASKING = (
    r"(?:(?:can|could|will|would) (?:you|u) (?:please )?|you (?:should|must|need to|have to) "
    r"|i(?:'d like| want| need) you to )?(?:please )?(?:always )?"
)
_ASKED = re.compile(_ASKING + r"(?P<verb>" + _TO_MIND + r")\b(?P<rest>.*)", _I | re.DOTALL)
_POLITE = re.compile(r"(?:can|could|will|would) (?:you|u) (?:please )?" + _TO_MIND + r"\b", _I)
# Nothing but "this" and a colon after the verb: what follows is a list.
_LIST = re.compile(
    r"(?:\s*(?:this|these|that|the following[\w ]*|(?:two|three|four|a few|some) things|please"
    r"|for [\w ]+))*\s*[:：]?\s*$",
    _I,
)
# After the verb: what leads to the words that are kept.
_LEADS = re.compile(
    r"(?:\s*(?:,\s*)?(?:this|these|the following(?: (?:things|points|rules))?|(?:two|three|four|a few) things|please"
    r"|pls"
    r"|for (?:the future|later|next time|future sessions|future reference|good)|from now on|going forward))*"
    r"(?P<lead>\s*(?:[:,—–]|\s-)\s*(?:that\s+)?|\s+that\s+)(?!\s*$)",
    _I,
)
_REFERENCE_LEAD = re.compile(
    r"for (?:(?:future|later) reference|the future|future sessions)\s*[:,]\s+(?:that\s+)?(?P<content>.*)",
    _I | re.DOTALL,
)
# "remember we use pnpm": a clause follows without "that".
_BARE_CLAUSE = re.compile(
    r"\s+(?:(?:(?:i|we|you|he|she|they|there|this (?:project|repo|codebase|team))(?:[’'](?:m|re|s|ve|ll|d))?"
    r"|it(?:[’']s| is| has| must| should| needs| takes))\s"
    r"|(?:(?:the|our|my|your|all|a)\s(?:(?!that\b|who\b|which\b|when\b|user|last\b)[\w./-]+\s){1,5}|(?:(?!that\b|user"
    r"|mode\b)[\w./-]+\s){1,2})"
    r"(?:is|are|must|should|lives?|runs?|uses|goes|means|needs|cannot|can[’']t|isn[’']t|aren[’']t|never|always)\s)",
    _I,
)
_BARE_TO = re.compile(r"\s+(?P<to>to\s+never|never\s+to|not\s+to|to(?:\s+not)?)\s+(?P<content>.*)", _I | re.DOTALL)
_NOT_KEPT = re.compile(r"\s*(?:me\b|when\b|how\b|what\b|where\b|who\b|why\b|the time\b|\?|to (?:self|myself)\b)", _I)
_LASTING = re.compile(
    r"\b(?:always|never|(?:before|after|on|for|at|in|with) (?:every|each|any)\b|every time|each time|whenever"
    r"|any ?time you"
    r"|from now on|going forward|in (?:the )?future)\b",
    _I,
)
# The sentence that only says "remember that"; it means the one before, or what stands before it in its own.
_THAT = re.compile(
    r"(?P<before>.*?)(?:(?:^|[,;.—–]|\s-|\band\b|\bso\b)\s*)(?:(?:and|so|but|also)\s+)?(?:(?:can|could|will"
    r"|would) you )?"
    r"(?:please |pls |plz )?(?:always )?(?:remember|memori[sz]e|keep|bear|save|note)(?: (?:that|this|it|these))?"
    r"(?: in mind| for (?:the future|later|next time|future sessions)| (?:to|in) (?:your )?memory)?(?: please| pls"
    r"| ok)?$",
    _I | re.DOTALL,
)
_THAT_SAYS = re.compile(
    r"(?:remember|memori[sz]e) (?:that|this|it|these)|in mind|memory|for (?:the f|f|l|n)|please remember$", _I
)
_FROM_NOW = re.compile(
    r"(?:from (?:now|here) on(?: out| forward)?|(?:starting|beginning) now|going forward|moving forward|henceforth"
    r"|in (?:the )?future|next time|(?:in|for) (?:all |any )?(?:future|later) (?:sessions|conversations|chats|tasks"
    r"|work|prs?))"
    r"\b[\s,:;—–-]*(?P<content>.*)",
    _I | re.DOTALL,
)
_FROM_NOW_AFTER = re.compile(
    r"(?P<content>.*?)[\s,]*\b(?:from (?:now|here) on(?: out)?|going forward|moving forward|in (?:the )?future"
    r"|in (?:all )?future sessions)\b[\s,]*(?:please|pls|ok)?$",
    _I | re.DOTALL,
)
_FROM_NOW_AMID = re.compile(
    r"(?:when|whenever|if|before|after|for|in|with)\b[^,]*\bfrom (?:now|here) on(?: out)?,\s+(?P<content>.+)",
    _I | re.DOTALL,
)
_GENERAL = re.compile(
    r"(?:(?:you|claude) (?:must|should|may|can|are to)\s+)?(?P<how>never\s+ever|never|always|don[’']?t\s+ever"
    r"|do\s+not\s+ever)"
    r"\s+(?:(?:again|just|even|directly|ever|please|first)\s+)*(?P<verb>[a-z]+(?:-[a-z]+)?)\b(?P<object>.*)",
    _I | re.DOTALL,
)
_CIRCUMSTANCES = re.compile(
    r"(?:under no circumstances(?: should you| may you| must you)?|at no time(?: should you)?|i (?:never"
    r"|don[’']?t ever) want you to)"
    r"\s+(?:ever\s+)?(?P<verb>[a-z]+(?:-[a-z]+)?)\b(?P<object>.*)",
    _I | re.DOTALL,
)
_AGAIN = re.compile(
    r"(?:don[’']?t|do not)\s+(?P<verb>[a-z]+(?:-[a-z]+)?)\s+(?P<object>\S.*)\s+(?:ever )?again$", _I | re.DOTALL
)
_WHENEVER = re.compile(
    r"(?:whenever|every ?time|each time|any ?time)\s+(?:you|claude)\s+(?!see\b|click|get\b|are asked)\w+.*,?.*",
    _I | re.DOTALL,
)
# "Push notifications": a noun, not an order; and words that are no object.
_PUSHED = re.compile(r"\s*(?:notifications?|messages?)\b", _I)
_THING = re.compile(r"\b(?:first|again|ever|please|directly|yourself|anything)\b", _I)
_REPEATED = frozenset("run try test start read build check install ask open execute".split())
_MUST = re.compile(r"\byou (?:need to|must|should|have to)\b|\bplease\b", _I)
# What Claude does while it works; nobody's product does these.
_WORK = frozenset(
    """
    push commit merge rebase amend squash deploy publish cherry-pick force-push checkout stash edit touch
    refactor reformat run execute install uninstall regenerate bump downgrade hardcode hard-code mock stub
    bypass ask answer reply respond speak talk explain assume guess invent summarize summarise propose suggest
    """.split()
)
# A product may do these too, so they count where nothing was said before, and what they are done to is Claude's work.
_WORK_OR_PRODUCT = frozenset(
    """
    use prefer import do make keep leave include change introduce replace declare define name call cast catch
    generate apply follow give rely trust inline nest split wrap try avoid modify rewrite rename format delete
    remove drop move overwrite test lint build upgrade update migrate tell show claim skip disable ignore
    comment document review check verify read open start stop kill work code create add put paste copy force
    sign link release tag revert reset write describe mention log print store
    """.split()
)
_OF_WORK = re.compile(
    r"\b(?:me|my|tests?|lint\w*|branch(?:es)?|files?|folders?|commits?|code|comments?|docs?|docstrings?|readme|prs?"
    r"|mrs?|pull requests?|migrations?"
    r"|main|master|prod|production|staging|lockfiles?|dependenc\w+|packages?|librar\w+|npm|yarn|pnpm|pip|git|types?"
    r"|any|tabs|spaces"
    r"|mocks?|fixtures?|sed|console|prints?|push|formatter|linter|emojis?|german|english|french|chinese|hooks?|vendor"
    r"|generated|schema)\b|\ufffc|--?\w",
    _I,
)
_ORDER = re.compile(
    r"(?:please\s+|pls\s+|also\s+|just\s+|only\s+|always\s+|never\s+|ever\s+|first\s+|do\s+not\s+|don[’']?t\s+)*"
    r"(?P<verb>[a-z]+(?:-[a-z]+)?)\b",
    _I,
)
_TO_CLAUDE = re.compile(
    r"(?:please\b|pls\b|you\b|i(?:[’']d| would)? (?:want|like|prefer|need|expect)\b|(?:no|only|all|every|each|any)\s"
    r"|prefer\b|avoid\b|stop\b|(?:if|when|whenever|before|after|once|unless|every time|each time) you\b|no more\b"
    r"|for (?:every|each|any|all)\b|with (?:every|each|any|all)\b|we\s|let[’']?s\s|your\s|(?:do not|don[’']?t|never"
    r"|always)\s)",
    _I,
)
_PLAN = re.compile(
    r"\b(?:might|could|may|would|will|probably|maybe|perhaps|going to|planning|hopefully)\b|[’'](?:ll|d)\b", _I
)
_STOP = re.compile(r"stop\s+\w+ing\b", _I)
_FOR_NOW = re.compile(
    r"\b(?:for now|for the moment|right now|at the moment|this time|just (?:this )?once|today|tonight|this (?:session"
    r"|task|pr|mr"
    r"|branch|commit|change|sprint|conversation|chat|run)|in this (?:file|one)|yet|while you[’']?re at it"
    r"|when you[’']?re done"
    r"|until (?:i|we|you|the|it|tomorrow|then|monday|friday|next)|temporarily|only for this)\b",
    _I,
)
_POINTS = re.compile(
    r"\b(?:this|these|those|it|them|here|there)\b(?! (?:repo|project|codebase|repository|team|company))"
    r"|\bthat(?=\s+(?:file|again|way|one)\b|\W|$)",
    _I,
)
_UNSURE = re.compile(
    r"\b(?:if|unless|whether|suppose|imagine|assuming|hypothetically|what if|said|says|say|told|tells|asked|wrote"
    r"|thinks?"
    r"|claims?|insists?|wants|reminded|mentioned|recommends?|e\.?g|for example|would|used to)\b",
    _I,
)
_BECAUSE = re.compile(r",?\s+(?:[—–-]\s+)?(?:because|bc|cuz|’cause|'cause)\s+(?P<reason>\S.*)$", _I | re.DOTALL)
_REASON = re.compile(
    r"(?:because|the reason(?: is|:)|reason:|that[’']?s because|this is because|otherwise"
    r"|or else)\s*,?\s*(?:that\s+)?(?P<reason>\S.*)$",
    _I | re.DOTALL,
)
_HARM = re.compile(
    r"(?:it|they|that|this|those|we|last time\b.*?|someone)\s+(?:\w+ ){0,2}?(?:broke|breaks|hid|hides|lost|lose|caused"
    r"|causes|failed|fails"
    r"|cost|costs|burned|burnt|deleted|wiped|bit|slows|confuses|took down|leaked|leaks)\b.*",
    _I | re.DOTALL,
)
_FORBIDS = re.compile(
    r"(?:please\s+|also\s+)*(?:never\b|do\s+not\b|don[’']?t\b|stop\b|no more\b|avoid\b|you (?:must|should|may"
    r"|can) ?(?:not|never)\b"
    r"|you (?:mustn|shouldn|can)[’']?t\b|under no circumstances|at no time|i (?:never|don[’']?t) (?:ever )?want)",
    _I,
)


def heard(sentence: str, *, opens: bool, listed: bool) -> "Optional[Span]":
    """The words of a masked sentence that are to be remembered. `opens`: the prompt begins with this sentence."""
    if _FOR_NOW.search(sentence) or (sentence.rstrip().endswith("?") and not _polite(sentence)):
        return None
    end = len(sentence.rstrip(" \t.!?。！"))
    that = _THAT.match(sentence[:end])
    if that is not None and not _THAT_SAYS.search(sentence, that.end("before"), end):
        that = None
    if that is not None and not _said(sentence[opened(sentence, 0, that.end("before")) : that.end("before")]):
        return BEFORE
    for start in _clauses(sentence[:end]):
        if start and _UNSURE.search(sentence[:start]):
            break
        found = _asked(sentence, start, end) or _from_now(sentence, start, end)
        found = found or (
            None if listed else _in_general(sentence, start, end, alone=opens and start == opened(sentence, 0))
        )
        if found:
            return found
    return (opened(sentence, 0, that.end("before")), that.end("before"), "", False) if that else None


def forbids(text: str) -> bool:
    return _FORBIDS.match(text) is not None


def reasoned(text: str) -> "tuple[str, str]":
    """A statement without its reason, and the reason."""
    found = _BECAUSE.search(text)
    return (text[: found.start()], found.group("reason")) if found and found.start() else (text, "")


def cause(before: str) -> str:
    """The reason in the part of a sentence that stands before the statement; English puts it behind."""
    return ""


def reason(sentence: str) -> str:
    """The reason that a sentence of its own gives for the one before; "" if it does not."""
    found = _REASON.match(sentence)
    if found:
        return found.group("reason")
    return sentence if _HARM.match(sentence) else ""


def _polite(sentence: str) -> bool:
    """Whether a question is an order: "can you remember that …?"."""
    return _POLITE.match(sentence, opened(sentence, 0)) is not None


def _said(text: str) -> bool:
    return any([char.isalnum() for char in text])


def opened(sentence: str, start: int, end: "Optional[int]" = None) -> int:
    """Where the clause at `start` begins to say something."""
    while start < len(sentence) and not sentence[start].isalnum() and sentence[start] not in "<#@/.~$\ufffc":
        start += 1
    found = _OPENING.match(sentence, start, len(sentence) if end is None else end)
    return found.end() if found else start


def _clauses(sentence: str) -> "list[int]":
    """Where clauses may begin, behind the words that open them."""
    starts = [opened(sentence, 0)]
    starts += [opened(sentence, found.end()) for found in _CLAUSE.finditer(sentence)]
    return sorted(set(starts))


def _asked(sentence: str, start: int, end: int) -> "Optional[Span]":
    """Asked in so many words."""
    reference = _REFERENCE_LEAD.match(sentence, start, end)
    if reference:
        return reference.start("content"), end, "", False
    found = _ASKED.match(sentence, start, end)
    if not found:
        return None
    rest = found.start("rest")
    if _NOT_KEPT.match(sentence, rest, end):
        return None
    lead = _LEADS.match(sentence, rest, end)
    if lead:
        return None if _POINTS.match(sentence, lead.end(), end) else (lead.end(), end, "", False)
    if sentence[:end].endswith((":", "：")) and _LIST.match(sentence, rest, end):
        return end, end, "", False
    to = _BARE_TO.match(sentence, rest, end)
    if to and _LASTING.search(sentence, to.start("to"), end) and "forget" not in found.group("verb"):
        words = to.group("to").lower()
        return to.start("content"), end, "never " if "never" in words else "do not " if "not" in words else "", True
    return (
        (rest + 1, end, "", False)
        if _BARE_CLAUSE.match(sentence + " ", rest) and "forget" not in found.group("verb")
        else None
    )


def _from_now(sentence: str, start: int, end: int) -> "Optional[Span]":
    """From now on."""
    found = _FROM_NOW.match(sentence, start, end)
    amid = _FROM_NOW_AMID.match(sentence, start, end)
    if amid and _is_order(amid.group("content")):
        return start, end, "", True
    if not found:
        found = _FROM_NOW_AFTER.match(sentence, start, end)
        if not found or _POINTS.search(found.group("content")) or not _is_order(found.group("content")):
            return None
        return start, found.end("content"), "", True
    at = found.start("content")
    if at == end:
        return (end, end, "", True) if sentence[found.start() : end].rstrip().endswith((":", "：")) else None
    return (at, end, "", True) if _is_order(sentence[at:end]) else None


def _is_order(content: str) -> bool:
    """Whether words after "from now on" tell Claude what to do, and are no plan."""
    if not content.isascii() and content[:1] >= "\u2e80" and content[:1] != "\ufffc":
        return True
    if _PLAN.search(" ".join(content.split()[:6])) and not _TO_CLAUDE.match(
        content[:2] if content[:2].lower() == "i " else content
    ):
        return False
    if _TO_CLAUDE.match(content) and not re.match(r"we\s", content, _I):
        return not re.match(r"(?:do not|don[’']t|never|always|only)\s", content, _I) or _works(content)
    if re.match(r"we\s", content, _I):
        return not _PLAN.search(content)
    return _works(content)


def _works(content: str) -> bool:
    found = _ORDER.match(content)
    return found is not None and found.group("verb").lower() in _WORK | _WORK_OR_PRODUCT


def _in_general(sentence: str, start: int, end: int, *, alone: bool) -> "Optional[Span]":
    """Ordered or forbidden in general. `alone`: nothing was said in this prompt before."""
    found = _GENERAL.match(sentence, start, end)
    to_claude = found is not None and not found.group().lower().startswith(("never", "always"))
    if not found:
        found = _CIRCUMSTANCES.match(sentence, start, end)
        to_claude = found is not None
    if not found:
        found = _AGAIN.match(sentence, start, end)
        if found and found.group("verb").lower() in _REPEATED:
            return None
    if found:
        verb = found.group("verb").lower()
        thing = re.split(r"[,;:(—–]|\s-\s|\bbecause\b", found.group("object"))[0]
        if (verb == "push" and _PUSHED.match(thing)) or _POINTS.search(thing) or not _THING.sub("", thing).strip():
            return None
        works = verb in _WORK or (verb in _WORK_OR_PRODUCT and (to_claude or (alone and _OF_WORK.search(thing))))
        return (start, end, "", True) if works else None
    found = _WHENEVER.match(sentence, start, end)
    if not found:
        return None
    after = found.group().partition(", ")[2]
    return (start, end, "", True) if _MUST.search(found.group()) or (after and _is_order(after)) else None
