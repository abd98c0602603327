"""What of a prompt is not the person's own voice: quoted text, code, logs, diffs, letters, text to be worked on."""

import re

_HEAD = 400  # characters at either end of a line that tell what it is
GAP = "\ufffc"  # stands for each character of a quotation inside a sentence

_PRIVATE = re.compile(r"<private>.*?(?:</private>|\Z)", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<(/?)([A-Za-z][\w-]{0,40})(?:\s[^<>]{0,200})?>")
_FENCED = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1[^\n]*$|\Z)", re.MULTILINE | re.DOTALL)
_LETTER = re.compile(
    r"^[ \t]*(?:(?:from|to|subject|sent|cc):[ \t]*\S.*|on .{4,80} wrote:|-{3,} ?(?:original|forwarded) message.*"
    r"|(?:发件人|收件人|主题|差出人|宛先|件名)[：:].*)$.*\Z",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)
# A line that is not prose: a quotation, a comment, code, a log, a diff, a shell session, a stack trace.
_FOREIGN_LINE = re.compile(
    r"""[ \t]*(?:>|//|/\*|\*/|\#+(?!\S)|--\ |<!--|;;|[$%]\ |@@|diff\ --git|index\ [0-9a-f]{7}|[-+]{3}\ [ab/]
    |\[?\d{4}-\d\d-\d\d[T\ ]\d|\[?\d\d:\d\d:\d\d|(?:\[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\]?[:\ ])
    |at\ \S+\s?\(|File\ "|Traceback|Caused\ by
    |(?:(?:export|public|private|static|async)\ )*(?:(?:def|class|function|func|fn)\ \w+.*[:({].*$
    |(?:const|let|var)\ \w+\ *[:=]|(?:import|from)\ [\w.{}*,\ ]+\ (?:import|from)\ )|import\ [\w.]+;?$)
    |(?:[ ]{4}|\t)(?![ \t]*(?:[-*•]|\d+[.)、])\ )[ \t]*\S""",
    re.VERBOSE,
)
_DIFF = re.compile(r"^(?:diff --git|@@ )", re.MULTILINE)
_SPEAKER = re.compile(
    r"[ \t]*(?!(?i:remember|note|important|reminder|ps|pps|btw|fyi|also|rule|memory|claude|ok|please|task|bug|fix"
    r"|goal)\b)"
    r"(?:[A-Z][\w.-]{1,20}|me|you)(?: \(?[\d:]+(?: ?[AP]M)?\)?)?: ",
)
# A line that ends in a colon and says whose words follow.
_ANNOUNCED = re.compile(
    r"(?:mail|message|log|output|ticket|issue|comment|slack|chat|docs?|readme|contributing|transcript|error|prompt"
    r"|says?|said|wrote|writes|reads|text|notes?\b.*\bfrom|post|article|review|thread|file|following (?:notes|rules)"
    r"|邮件|消息|日志|报错|聊天|文案|文档|文章|评论|内容|原文|写道|说|メール|ログ|メッセージ|文章|原文|コメント|エラー)"
    r"[^\n:：]{0,40}[:：]?[ \t]*$",
    re.IGNORECASE,
)
_ANNOUNCED_SENTENCE = re.compile(r"(?:メールです|メッセージです|ログです|文章です|コメントです)。?[ \t]*$")
# An order to work on a text: what stands after it, or before it when it comes last, is that text.
_TEXT_WORK = re.compile(
    r"[ \t]*(?:(?:please|pls|can you|could you|now|then|and)[ ,]+)*"
    r"(?:translat|summari[sz]e|proofread|rephrase|paraphrase|reword|rewrite (?:this|the following|the text)|shorten th"
    r"|repl(?:y|ies) to|respond to|(?:write|draft) (?:a|an|the|me a)(?: \w+){0,2} (?:reply|response|answer)\b"
    r"|(?:fix|correct) the (?:grammar|spelling|typos|wording))"
    r"|[ \t]*(?:请|請|帮我|麻烦|幫我)*(?:把.{0,12})?(?:翻译|翻譯|总结一?下|總結|润色|校对|改写|写个回复|写一?封?回信"
    r"|回复一下)"
    r"|.{0,12}(?:訳して|翻訳して|要約して|校正して|返信を書いて|返事を書いて|添削して)",
    re.IGNORECASE,
)
_INLINE = re.compile(
    r'``[^`\n]{1,400}``|`[^`\n]{1,400}`|"[^"\n]{0,600}"|“[^”\n]{0,600}”|„[^“”\n]{0,600}[“”]|«[^»\n]{0,600}»'
    r"|「[^」\n]{0,400}」|『[^』\n]{0,400}』|‘[^’\n]{0,400}’(?!\w)"
    r"|(?<![\w'])'(?=\S)(?:[^'\n]|(?<=\w)'(?=\w)){1,400}(?<=\S)'(?!\w)"
)


def mask(said: str) -> str:
    """The prompt, as long as before: other people's lines are blanks, quotations within a sentence are `GAP`s."""
    for pattern in (_PRIVATE, _FENCED, _LETTER):
        said = pattern.sub(_blank, said)
    said = _without_elements(said)
    lines = said.split("\n")
    own = _own_lines(lines, diff=_DIFF.search(said) is not None)
    said = "\n".join([line if mine else " " * len(line) for line, mine in zip(lines, own)])
    return _INLINE.sub(lambda found: GAP * len(found.group()), said)


def _blank(found: "re.Match[str]") -> str:
    return re.sub(r"[^\n]", " ", found.group())


def _without_elements(said: str) -> str:
    """Text between a tag and its closing one is pasted, or not the person's."""
    last = {found.group(2): found.start() for found in _TAG.finditer(said) if found.group(1)}
    if not last:
        return said
    parts = []
    at = 0
    opened = ""
    for found in _TAG.finditer(said):
        name = found.group(2)
        if not opened and not found.group(1) and last.get(name, -1) > found.start():
            opened = name
            parts.append(said[at : found.start()])
            at = found.start()
        elif opened == name and found.group(1):
            parts.append(re.sub(r"[^\n]", " ", said[at : found.end()]))
            at = found.end()
            opened = ""
    return "".join([*parts, said[at:]])


def _is_foreign(line: str, *, diff: bool) -> bool:
    """Whether a line is no prose of the person."""
    if _FOREIGN_LINE.match(line[:_HEAD]) or _SPEAKER.match(line[:_HEAD]) or (diff and line[:1] in ("+", "-")):
        return True
    end = line.rstrip()[-1:]
    return end in ("{", "}") or (end == ";" and not {*"=(){}"}.isdisjoint(line))


def _own_lines(lines: "list[str]", *, diff: bool) -> "list[bool]":
    """Which lines the person speaks in."""
    own = [not _is_foreign(line, diff=diff) for line in lines]
    told = [at for at, line in enumerate(lines) if line.strip()]
    for at, line in enumerate(lines):
        if not own[at]:
            continue
        if _TEXT_WORK.match(line[:_HEAD]):
            if told[-1] == at and told[0] != at:
                return [False] * len(lines)
            own[at:] = [False] * (len(lines) - at)
            return own
        announced = line.rstrip()[-1:] in (":", "：") and _ANNOUNCED.search(line[-_HEAD:])
        if announced or _ANNOUNCED_SENTENCE.search(line[-_HEAD:]):
            _hide_paragraph(lines, own, at + 1)
    return own


def _hide_paragraph(lines: "list[str]", own: "list[bool]", at: int) -> None:
    """Takes the first paragraph from line `at` on out of what the person speaks in."""
    while at < len(lines) and not lines[at].strip():
        at += 1
    while at < len(lines) and lines[at].strip():
        own[at] = False
        at += 1
