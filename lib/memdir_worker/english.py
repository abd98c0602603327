"""English: what in a sentence asks to remember something. The rule is told in `spoken`."""

import re

from memdir_worker.quotations import GAP
from memdir_worker.wording import BEFORE, ONLY_BEFORE, clauses, opened, without_task

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

    from memdir_worker.wording import Span

_I = re.IGNORECASE

_DONT = r"(?:don[’']?t|do\s+not)"
_IT = r"(?:this|that|it|these)"
_LATER = (
    r"(?:(?:all )?(?:the future|(?:future|later)(?: (?:reference|sessions|conversations|use|runs|chats))?)|next time)"
)
_ON = r"(?:from (?:now|here) on(?: out| forward)?|(?:going|moving) forward|in (?:the )?future)"
_CAN_YOU = r"(?:can|could|will|would) (?:you|u) "
# What may stand before the marker in its clause, any number of times.
OPENING = re.compile(
    r"(?:(?:ok(?:ay)?|great|good|nice|thanks?(?: you)?|thx|perfect|cool|no+|nope|stop(?=\s*[,.!;:—-])|wait|hey|hi"
    r"|hello"
    r"|oh|btw|by the way|ps|fyi|also|and|but|so|then|again|please|pls|plz|claude|yes|yep|well|alright|just|important"
    r"|reminder|note(?=\s*:)|(?:(?:a|one|another) )?(?:new )?rule|one (?:more|last) thing|another thing|seriously"
    r"|looks good|lgtm|(?:let me|to) be clear|listen|to repeat)\b[\s,.!:;*—–-]*)+",
    _I,
)
# Where a clause may begin inside a sentence.
_CLAUSE = re.compile(r"(?:[,;—–]|\s-)\s*(?:(?:and|but|so|also|then|please|pls)[\s,]+)*|\b(?:and|but|so)\s+", _I)
_ASKED = re.compile(
    rf"(?:(?:from (?:now|here) on|going forward)[\s,]+)?(?:let[’']?s )?"
    rf"(?:(?P<polite>{_CAN_YOU})(?:please )?|you (?:should|must|need to|have to) |i(?:[’']d like| want"
    rf"| need) you to )?"
    r"(?:please )?(?:always )?"
    rf"(?P<verb>remember|re(?:m|me|mme|meme)be?r|memori[sz]e|(?:keep|bear) (?:{_IT} )?in mind"
    rf"|(?:make|take) a (?:mental )?note|{_DONT} (?:ever )?forget|never forget|(?:put|keep) (?:it )?in your memory"
    rf"|note (?:this |it )?(?:down )?for (?:{_LATER}|yourself)|note to your future self"
    rf"|(?:add|save|put|commit|write|store) (?:(?:{_IT}|the following) )?(?:down )?(?:to|in|into) "
    r"(?:your |the |long[- ]term |auto ?)*memory)\b(?P<rest>.*)",
    _I | re.DOTALL,
)
_THESE = r"(?:this|these|the following(?: (?:things|points|rules))?|(?:two|three|four|a few|some) things|please|pls)"
# Nothing but "this" and a colon after the verb: what follows is a list.
_LIST = re.compile(rf"(?:\s*(?:{_THESE}|that|for [\w ]+))*\s*[:：]?\s*$", _I)
# After the verb: what leads to the words that are kept.
_LEADS = re.compile(
    rf"(?:\s*(?:,\s*)?(?:{_THESE}|for (?:{_LATER}|good)|{_ON}))*"
    r"(?:\s*(?:[:,—–]|\s-)\s*(?:that\s+)?|\s+that\s+)(?!\s*$)",
    _I,
)
# "For next time: …": kept as it is behind a colon; without one, and for "later", where one notes what is to be done, a
# clause has to follow.
_FOR_LATER = re.compile(
    rf"(?:(?:quick )?note |fyi |you know )?(?P<when>for {_LATER})(?:(?P<colon>\s*:)\s*|[\s,]+)(?:that\s+)?"
    r"(?P<content>\S.*)",
    _I | re.DOTALL,
)
# "remember we use pnpm": a clause follows without "that". A verb in the present makes it one; "remember kim from
# accounting" and "remember we talked about this" call up what was, and are none.
_SAYS_OF_PERSON = (
    r"(?:(?:i|we|you|he|she|they|there)(?:[’']?(?:m|re|s|ve|ll|d))?|it(?:[’']?s| is| has| must| should| needs"
    r"| takes))"
    r"\s(?!(?:just|had|did|was|were|saw|said|spoke|met|went|got|tried|fixed|talked|discussed|used to"
    r"|\w+ed (?:it|this|that))\b)"
)
_SAYS_OF_THING = (
    r"(?!(?:to|not|never|always|mode|it|that|these|those|(?:(?:the|our|an?) )?(?:user|last))\b"
    r"|this (?!project|repo|codebase|team))(?:(?!(?:that|who|which|when|where|if)\b)[\w./@#’'-]+\s+){1,6}?"
    r"(?:(?:is|are|has|have|does|do|must|should|can|cannot|will|never|always|only|still|(?:is|are|do|does|must|should"
    r"|ca|wo)n[’']?t|needs|uses|lives|runs|goes|means|expects|requires|takes|happens|belongs|owns|works|depends|comes"
    r"|stays|gets)\b|(?<!\bthe\s)(?<!\bour\s)(?<!\bmy\s)(?<!\ba\s)[a-z]+[^\Wsu]s\s+(?:the|an?|our|its|all|every|any"
    r"|no"
    r"|to)\b|(?<=s\s)(?:happen|need|use|run|live|go|belong|depend|require|expect|share|come|stay|get|take|work|fail"
    r"|break)\b)"
)
_SAYS = re.compile(f"{_SAYS_OF_PERSON}|{_SAYS_OF_THING}", _I)
_BARE_TO = re.compile(r"\s+(?P<to>to\s+never|never\s+to|not\s+to|to(?:\s+not)?)\s+(?P<content>.*)", _I | re.DOTALL)
_NOT_KEPT = re.compile(
    r"\s*(?:(?:me|when|how|what|where|who|why|the time|to (?:self|myself))\b|\?"
    r"|that (?:time|day|week|one|guy|thing|bug) (?:we|i|you|he|she|they|with|when)\b)",
    _I,
)
_LASTING = re.compile(
    r"\b(?:always|never|(?:before|after|on|for|at|in|with) (?:every|each|any)|every ?time|each time|whenever"
    rf"|any ?time you|{_ON})\b",
    _I,
)
# The sentence that only says "remember that"; it means the one before, or what stands before it in its own.
_THAT = re.compile(
    rf"(?P<before>.*?)(?:^|[,;.—–]|\s-|\band\b|\bso\b)\s*(?:(?:and|so|but|also)\s+)?(?:{_CAN_YOU})?"
    rf"(?:please |pls |plz )?(?:always )?(?:(?:remember|memori[sz]e) {_IT}|(?<=please )remember"
    rf"|(?:remember|memori[sz]e|keep|bear|save|note)(?: {_IT})?(?: in mind| for {_LATER}| (?:to"
    rf"|in) (?:your )?memory))"
    rf"(?: for {_LATER})?(?: please| pls| ok)?$",
    _I | re.DOTALL,
)
_THAT_AND = re.compile(rf"\s+{_IT}\s*(?:[,;]\s*|\s)(?:and|then|so|now)\s", _I)  # the task goes on
_FROM_NOW = re.compile(
    r"(?:(?:in|for) (?:all |any )?(?:future|later) (?:sessions|conversations|chats|tasks|work|prs?)|next time"
    rf"|(?:starting|beginning) now|henceforth|{_ON})\b[\s,:;—–-]*(?P<content>.*)",
    _I | re.DOTALL,
)
_FROM_NOW_AFTER = re.compile(
    rf"(?P<content>.*?)[\s,]*\b(?:in (?:all )?future sessions|{_ON})\b[\s,]*(?:please|pls|ok)?$", _I | re.DOTALL
)
_FROM_NOW_AMID = re.compile(
    r"(?:when|whenever|if|before|after|for|in|with)\b[^,]*\bfrom (?:now|here) on(?: out)?,\s+(?P<content>.+)",
    _I | re.DOTALL,
)
# `bare`: it may be said of a product too.
_GENERAL = re.compile(
    r"(?:(?P<bare>(?:never(?:\s+ever)?|always)\s)|(?:you|claude) (?:must|should|may|can|are to)\s+(?:never|always)\s"
    rf"|{_DONT}\s+ever\s|(?:under no circumstances|at no time)(?: (?:should|may|must) you)?\s"
    r"|i (?:never|don[’']?t ever) want you to\s)"
    r"\s*(?:(?:again|just|even|directly|ever|please|first)\s+)*(?P<verb>[a-z]+(?:-[a-z]+)?)\b(?P<object>.*)",
    _I | re.DOTALL,
)
_AGAIN = re.compile(rf"{_DONT}\s+(?P<verb>[a-z]+(?:-[a-z]+)?)\s+(?P<object>\S.*)\s+(?:ever )?again$", _I | re.DOTALL)
_WHENEVER = re.compile(
    r"(?:whenever|every ?time|each time|any ?time)\s+(?:you|claude)\s+(?!see\b|click|get\b|are asked|crash)\w+.*,?.*",
    _I | re.DOTALL,
)
# "Push notifications": a noun, not an order; and words that are no object.
_OF_USERS = re.compile(
    r"\b(?:users?|customers?|visitors?|accounts?|passwords?|pages?|screens?|buttons?|errors?|output|spinners?|requests?"
    r"|responses?|rows?|records?|carts?|orders?|handles?)\b",
    _I,
)
_IS_CLAUDES = re.compile(r"\b(?:me|my|prod|production|staging)\b", _I)
# Nobody's product does these, whatever they are done to.
_OWN_WORK = frozenset(
    """
    push commit merge rebase amend squash cherry-pick force-push stash checkout edit touch refactor reformat hardcode
    hard-code run execute deploy publish install uninstall
    """.split()
)
_ONCE_MORE = re.compile(r"\bagain\W*$", _I)  # Claude did it before
_PUSHED = re.compile(r"\s*(?:notifications?|messages?)\b", _I)
_NOW_LAST = re.compile(r"\bnow$", _I)
_OBJECT_ENDS = re.compile(r"[,;:(—–]|\s-\s|\b(?:because|again|i)\b", _I)
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
    r"|mrs?|pull requests?|migrations?|main|master|prod|production|staging|lockfiles?|dependenc\w+|packages?"
    r"|librar\w+"
    r"|npm|yarn|pnpm|pip|git|types?|any|tabs|spaces|mocks?|fixtures?|sed|console|prints?|push|formatter|linter"
    r"|emojis?|german|english|french|chinese|hooks?|vendor"
    r"|generated|schema)\b|\ufffc|--?\w",
    _I,
)
_ORDER = re.compile(
    r"(?:please\s+|pls\s+|also\s+|just\s+|only\s+|always\s+|never\s+|ever\s+|first\s+|do\s+not\s+|don[’']?t\s+)*"
    r"(?P<verb>[a-z]+(?:-[a-z]+)?)\b",
    _I,
)
_OF_PRODUCT = re.compile(r"(?:you|u)\s+(?:crash|hang|freeze|time ?out|see|click|fail)\b", _I)
_WE = re.compile(r"we\s", _I)
_TO_CLAUDE = re.compile(
    r"(?:please\b|pls\b|(?:you|u)\b|i(?:[’']d| would)? (?:want|like|prefer|need|expect)\b|(?:no|all|every|each|any)\s"
    r"|prefer\b|avoid\b|stop\b|(?:if|when|whenever|before|after|once|unless|every time|each time) (?:you|u)\b"
    r"|no more\b|(?:for|with) (?:every|each|any|all)\b|let[’']?s\s|your\s)",
    _I,
)
_PLAN = re.compile(
    r"\b(?:might|could|may|would|will|probably|maybe|perhaps|going to|planning|hopefully)\b|[’'](?:ll|d)\b", _I
)
_ONLY = re.compile(r"(?:[\w-]+ ){1,4}(?:only|please|pls)$", _I)  # "plain text only"
_QUESTION = re.compile(r"(?:\?|\b(?:right|huh|correct|isn[’']?t it))\s*[.!]*\s*$", _I)
_FOR_NOW = re.compile(
    r"\b(?:for now|for the moment|right now|at the moment|this time|just (?:this )?once|today|tonight|this (?:session"
    r"|task|pr|mr|branch|commit|change|sprint|conversation|chat|run)|in this (?:file|one)|yet|while you[’']?re at it"
    r"|when you[’']?re done|until (?:i|we|you|the|it|tomorrow|then|monday|friday|next)|temporarily|only for this"
    r"|(?:while (?:doing|refactoring|fixing|implementing|migrating|rewriting|working on|debugging)|during) (?:the|this"
    r"|it)"
    r" ?(?:refactor\w*|migration|rewrite|fix|task|change|bug|rework)?)\b",
    _I,
)
_POINTS = re.compile(
    r"\bthere\b(?! (?:is|are|must|should|can|will)\b)|\b(?:this|these|those|it|them|here)\b(?! (?:repo|project"
    r"|codebase|repository|team|company))"
    r"|\bthe (?:other|remaining) (?:files?|tests?|code|parts?|functions?|lines?|things?|changes?|tasks?|ones?)\b"
    r"|\bthe rest\b"
    r"|\bthat\b(?!\s+(?:is|are|was|were|has|have|can|must|should|do|does|you|u|i|we|\w+s)\b)",
    _I,
)
_UNSURE = re.compile(
    r"\b(?:if|unless|whether|suppose|imagine|assuming|hypothetically|what if|said|says|say|told|tells|asked|wrote"
    r"|thinks?|claims?|insists?|wants|reminded|mentioned|recommends?|e\.?g|for example|would|used to)\b",
    _I,
)
_I_AM_SO = re.compile(r"\b(?P<reason>i(?:[’']?m| am| have| can[’']?t| don[’']?t) [^,;]+?),?\s+so\s+$", _I)
_REASON = re.compile(
    r"(?:because|the reason(?: is|:)|reason:|that[’']?s because|this is because|otherwise|or else)"
    r"\s*,?\s*(?:that\s+)?(?P<reason>\S.*)$",
    _I | re.DOTALL,
)
_DID_HARM = (
    r"(?:it|they|that|this|those|we|last time\b.*?|someone)\s+(?:\w+ ){0,2}?(?:broke|breaks|hid|hides|lost|lose"
    r"|caused|causes|failed|fails|cost|costs|took|takes|burned|burnt|deleted|wiped|bit|slows|confuses|leaked|leaks)\b.*"
)
_HARM = re.compile(_DID_HARM, _I | re.DOTALL)
_BECAUSE = re.compile(
    r"(?:,?\s+(?:[—–-]\s+)?(?:because|bc|cuz|[’']cause)\s+(?P<reason>\S.*)|(?:,|(?<=\bagain))\s+(?P<harm>"
    + _DID_HARM
    + r"))$",
    _I | re.DOTALL,
)
_FORBIDS = re.compile(
    r"(?:please\s+|also\s+)*(?:never\b|do\s+not\b|don[’']?t\b|stop\b|no more\b|avoid\b|you (?:must|should|may"
    r"|can) ?(?:not|never)\b|you (?:mustn|shouldn|can)[’']?t\b|under no circumstances|at no time|i (?:never"
    r"|don[’']?t) (?:ever )?want)",
    _I,
)


def heard(sentence: str, *, opens: bool, alone: bool, listed: bool) -> "Optional[Span]":
    """The words of a masked sentence that are to be remembered. `opens`: nothing was said before."""
    said = reasoned(sentence)[0]
    if _FOR_NOW.search(said, 0, without_task(said, order=False)) or (
        _QUESTION.search(sentence) and not _polite(sentence)
    ):
        return None
    end = len(sentence.rstrip(" \t.!?。！"))
    first = opened(OPENING, sentence, 0)
    that = _THAT.match(sentence[:end])
    stop = that.end("before") if that else end
    begin = opened(OPENING, sentence, 0, stop)
    if not any([char.isalnum() for char in sentence[begin:stop]]):
        return BEFORE if that else None
    for start in clauses(OPENING, _CLAUSE, sentence[:end]):
        if start and _UNSURE.search(sentence[:start]):
            break
        found = _asked(sentence, start, end) or _from_now(sentence, start, end)
        if not found and not listed:
            found = _in_general(sentence, start, end, opens=opens and start == first)
        if found:
            return found
    return (begin, stop, "", False) if that else None


def forbids(text: str) -> bool:
    return _FORBIDS.match(text) is not None


def reasoned(text: str) -> "tuple[str, str]":
    """A statement without its reason, and the reason."""
    found = _BECAUSE.search(text)
    return (text[: found.start()], found.group("reason") or found.group("harm")) if found else (text, "")


def cause(before: str) -> str:
    """The reason in the part of a sentence that stands before the statement: what the person is or has."""
    found = _I_AM_SO.search(before)
    return found.group("reason") if found else ""


def reason(sentence: str) -> str:
    """The reason that a sentence of its own gives for the one before; "" if it does not."""
    found = _REASON.match(sentence)
    if found:
        return found.group("reason")
    return sentence if _HARM.match(sentence) else ""


def _polite(sentence: str) -> bool:
    """Whether a question is an order: "can you remember that …?"."""
    found = _ASKED.match(sentence, opened(OPENING, sentence, 0))
    return found is not None and found.group("polite") is not None


def _asked(sentence: str, start: int, end: int) -> "Optional[Span]":
    """Asked in so many words."""
    later = _FOR_LATER.match(sentence, start, end)
    if later:
        at = later.start("content")
        asked = _asked(sentence, opened(OPENING, sentence, at), end)
        planned = _PLAN.search(" ".join(sentence[at:end].split()[:6]))
        says = not planned and (
            (later.group("colon") and later.group("when").lower() != "for later") or _is_clause(sentence, at)
        )
        return asked or ((at, end, "", False) if says else None)
    found = _ASKED.match(sentence, start, end)
    if not found:
        return None
    rest = found.start("rest")
    if _NOT_KEPT.match(sentence, rest, end):
        return None
    if _THAT_AND.match(sentence, rest, end):
        return ONLY_BEFORE
    lead = _LEADS.match(sentence, rest, end)
    if lead:
        return None if _POINTS.match(sentence, lead.end(), end) else (lead.end(), end, "", False)
    if sentence[:end].endswith((":", "：")) and _LIST.match(sentence, rest, end):
        return end, end, "", False
    if "forget" in found.group("verb"):
        return None
    to = _BARE_TO.match(sentence, rest, end)
    if to and (_LASTING.search(sentence, to.start("to"), end) or cause(sentence[:start])):
        words = to.group("to").lower()
        return to.start("content"), end, "never " if "never" in words else "do not " if "not" in words else "", True
    return (rest + 1, end, "", False) if _is_clause(sentence, rest + 1) else None


def _is_clause(sentence: str, at: int) -> bool:
    """Whether words say something of something, and do not only name it."""
    return _SAYS.match(sentence + " ", at) is not None


def _from_now(sentence: str, start: int, end: int) -> "Optional[Span]":
    """From now on."""
    amid = _FROM_NOW_AMID.match(sentence, start, end)
    if amid and _is_order(amid.group("content")):
        return start, end, "", True
    found = _FROM_NOW.match(sentence, start, end)
    if found:
        at = found.start("content")
        if at == end:
            return (end, end, "", True) if sentence[start:end].rstrip().endswith((":", "：")) else None
        return (at, end, "", True) if _is_order(found.group("content")) else None
    after = _FROM_NOW_AFTER.match(sentence, start, end)
    if after and not _POINTS.search(after.group("content")) and _is_order(after.group("content")):
        return start, after.end("content"), "", True
    return None


def _is_order(content: str) -> bool:
    """Whether words after "from now on" tell Claude what to do, and are no plan."""
    if _OF_PRODUCT.match(content):
        return False
    if _ONLY.match(content) or (content[:1] >= "\u2e80" and content[:1] != GAP):
        return True
    if _WE.match(content):
        return not _PLAN.search(content)
    if _TO_CLAUDE.match(content):
        return True
    return not _PLAN.search(" ".join(content.split()[:6])) and _works(content)


def _works(content: str) -> bool:
    found = _ORDER.match(content)
    return found is not None and found.group("verb").lower() in _WORK | _WORK_OR_PRODUCT


def _in_general(sentence: str, start: int, end: int, *, opens: bool) -> "Optional[Span]":
    """Ordered or forbidden in general. `opens`: nothing was said in this prompt before."""
    found = _GENERAL.match(sentence, start, end)
    again = None if found else _AGAIN.match(sentence, start, end)
    told = found or again
    if told is None:
        found = _WHENEVER.match(sentence, start, end)
        after = found.group().partition(", ")[2] if found else ""
        return (start, end, "", True) if found and (_MUST.search(found.group()) or _is_order(after)) else None
    verb = told.group("verb").lower()
    thing = _OBJECT_ENDS.split(told.group("object"))[0]
    if (again and verb in _REPEATED) or (verb == "push" and _PUSHED.match(thing)):
        return None
    if _POINTS.search(thing) or not _THING.sub("", thing).strip():
        return None
    if (
        verb not in _OWN_WORK
        and _OF_USERS.search(thing)
        and not _IS_CLAUDES.search(thing)
        and not _ONCE_MORE.search(told.group())
    ):
        return None
    addressed = found is not None and not found.group("bare")
    if _NOW_LAST.search(told.group("object")):
        return None
    works = verb in _WORK or (verb in _WORK_OR_PRODUCT and (addressed or (opens and _OF_WORK.search(thing))))
    return (start, end, "", True) if works else None
