"""Topic files as they are written: a new one for a statement, or an old one brought up to date. Nothing is read here.

A topic in memdir's own form is rewritten: the statement becomes its description and leads the body, and what it said
before stays below under its date. Any other is somebody's text: the statement is put in front of it, dated, and
description and body stay as they are. Other keys, line ends and a byte order mark always stay. What `proposals` made
of the newest statement lies in the header as one quoted text, so that a hard rule is never in force by it.
"""

import re
import time
import unicodedata

from memdir import frontmatter
from memdir_worker.proposals import KEY
from memdir_worker.subjects import DATED, same_subject

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Optional

    from memdir_worker.spoken import Statement

__all__ = ["Draft", "new", "same_subject", "updated"]

DESCRIPTION_CHARS = 250
NAME_BYTES = 60  # of a file name, its ending included
_TITLE_CHARS = 60
_SLUG_WORDS = 7
_ASKED = {
    "en": "The user asked to remember this ({date}).",
    "zh": "用户要求记住（{date}）。",
    "ja": "ユーザーが覚えておくように求めた（{date}）。",
}
_APPLY = {
    ("en", "keep"): "Follow this in every session, until the user says otherwise.",
    ("en", "forbid"): "Do not do this, also not as a step of another task; ask first where it seems necessary.",
    ("en", "project"): "Take this as given; where the project now says otherwise, tell the user.",
    ("zh", "keep"): "每次会话都照此执行，直到用户另有说明。",
    ("zh", "forbid"): "不要这样做，作为其他任务的一步也不行；确有必要时先询问。",
    ("zh", "project"): "以此为准；如果项目现状与之不符，告诉用户。",
    ("ja", "keep"): "ユーザーが変更するまで、毎回これに従う。",
    ("ja", "forbid"): "他の作業の途中でも行わない。必要と思われるときは先に確認する。",
    ("ja", "project"): "これを前提とする。現状と異なるときはユーザーに伝える。",
}
_UNTIL = {"en": "Until {date} this said:", "zh": "{date} 之前的内容：", "ja": "{date} までの内容："}
_UNTIL_LINE = re.compile(
    "|".join(["^" + re.escape(words).replace(r"\{date\}", r"\d{4}-\d\d-\d\d") + "$" for words in _UNTIL.values()]),
    re.MULTILINE,
)
# In front of a text that is not memdir's; read as `DATED`.
_SAID = {
    "en": "On {date} the user said: {text}",
    "zh": "{date} 用户说：{text}",
    "ja": "{date} にユーザーが言ったこと：{text}",
}
_SAID_WHY = {"en": " (why: {reason})", "zh": "（原因：{reason}）", "ja": "（理由：{reason}）"}
_OWN = re.compile(r"(?P<lead>[^\n]+)(?:\n\n\*\*Why:\*\* [^\n]+)?(?:\n\n\*\*How to apply:\*\* [^\n]+)?\Z")
_LIST_MARKS = re.compile(r"(?:[#*+>-]+ )+")
# Letters and digits, what stands between two numbers, and the marks that change a number or a path.
_TELLING = re.compile(
    r"(?<=\d)[\W_]+(?=\d)|[^\W_]|[+#%$€£¥]|(?<![^\W_])-(?=\.?\d)|[<>≤≥](?==? ?[-$€£¥]?\.?\d)|(?<=[^\W_])/(?=[^\W_])"
)
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")
_SMALL = frozenset(
    "a an and are as at be been by for from has have i in is it its of on or our that the this to was we with".split()
)


class Draft:
    """A topic file to write.

    `file`: its name relative to the memory directory. `text`: all of it. `title` and `hook` are for its index line.
    """

    __slots__ = ("file", "hook", "text", "title")

    def __init__(self, file: str, text: str, statement: "Statement") -> None:
        self.file = file
        self.text = text
        self.title = _capitalised(_cut(statement.text, _TITLE_CHARS))
        self.hook = _cut(statement.text if self.title[-1:] == "…" else statement.reason, DESCRIPTION_CHARS)


def new(statement: "Statement", *, session_id: str, now: float, taken: "Iterable[str]", proposed: str = "") -> Draft:
    """A new topic file. `taken`: the relative names that are in use; `now`: seconds; `proposed`: a rule's text."""
    slug = _slug(statement.text)
    names = {_same_name(name) for name in taken}
    number = 1
    while _same_name(file := _file_name(statement.type, slug, number)) in names:
        number += 1
    header = ["---", f"name: {frontmatter.quote(slug + (f'-{number}' if number > 1 else ''))}"]
    header += [f"description: {frontmatter.quote(_cut(statement.text, DESCRIPTION_CHARS))}"]
    header += ["metadata:", "  node_type: memory", f"  type: {frontmatter.quote(statement.type)}"]
    session = session_id if _UUID.match(session_id) else frontmatter.quote(session_id)
    header += [f"  originSessionId: {session}"] if session_id else []
    header += [f"  modified: {_stamp(now)}"] + ([f"  {_proposal(proposed)}"] if proposed else []) + ["---", ""]
    return Draft(file, "\n".join([*header, _body(statement, now), ""]), statement)


def updated(statement: "Statement", file: str, text: str, *, now: float, proposed: str = "") -> "Optional[Draft]":
    """The topic file with the statement taken in; None if that is what it says already. `text` is the whole file.

    `proposed` as for `new`: what was proposed before goes, since the statement that it would hold has been overruled.
    """
    document = frontmatter.parse(text)
    if _says(document, statement.text):
        return None
    mark = "\ufeff" if text[:1] == "\ufeff" else ""
    head, body = text[len(mark) : len(text) - len(document.body)], document.body
    end = _line_end(body, default=_line_end(head, default="\n"))
    date = _stamp(now)[:10]
    said = _SAID[statement.language].format(date=date, text=statement.text)
    said += _SAID_WHY[statement.language].format(reason=statement.reason) if statement.reason else ""
    if document.degraded and not head:
        return Draft(file, mark + body.rstrip("\r\n") + end * 2 + said + end, statement)  # the header stays in front
    if head:
        head = _with_field(head, "modified", f"modified: {_stamp(now)}")
        head = _with_field(head, KEY, _proposal(proposed) if proposed else "")
    blank = body[: len(body) - len(body.lstrip("\r\n"))] or (end if head else "")
    if not _is_own(document):
        below = body.lstrip("\r\n")
        return Draft(file, mark + head + blank + said + end * (2 if below else 1) + below, statement)
    until = _UNTIL[statement.language].format(date=date)
    parts = [_body(statement, now).replace("\n", end), until, body.strip("\r\n")]
    return Draft(file, mark + _with_description(head, statement.text) + blank + (end * 2).join(parts) + end, statement)


def _says(document: "frontmatter.Document", statement: str) -> bool:
    """Whether a file says that at present: what it says since a date stands first, and overrules the rest."""
    body = document.body.replace("\r\n", "\n")
    lines = body.strip("\n").split("\n")
    newest = DATED.match(lines[-1 if document.degraded and body[:3] == "---" else 0])
    current = _UNTIL_LINE.split(body)[0]
    told = [document.get("description"), *re.split(r"\n|(?<=[.!?])(?=\s)|(?<=[。！？])", current)]
    return _plain(statement) in [_plain(line) for line in ([newest.group("text")] if newest else told) if _plain(line)]


def _is_own(document: "frontmatter.Document") -> bool:
    """Whether a file has the form that `new` gives it: one paragraph, which its description says too, why and how."""
    found = _OWN.match(_UNTIL_LINE.split(document.body.replace("\r\n", "\n"))[0].strip("\n"))
    lead, described = _plain(found.group("lead") if found else ""), document.get("description")
    return lead != "" and lead[: len(_plain(described)) if described.endswith("…") else None] == _plain(described)


def _line_end(text: str, *, default: str) -> str:
    """How the first line of a text ends. A header and its body may differ: Claude Code writes headers with \\n."""
    at = text.find("\n")
    return default if at < 0 else "\r\n" if text[:at].endswith("\r") else "\n"


def _body(statement: "Statement", now: float) -> str:
    """The statement, and for what guides work why it holds and how it is applied."""
    lead = statement.text
    if lead[:3] in ("---", "..."):
        lead = "\\" + lead
    if statement.type not in ("feedback", "project"):
        return lead + (f"\n\n**Why:** {statement.reason}" if statement.reason else "")
    why = statement.reason or _ASKED[statement.language].format(date=_stamp(now)[:10])
    how = _APPLY[statement.language, "project" if statement.type == "project" else statement.kind]
    return f"{lead}\n\n**Why:** {why}\n\n**How to apply:** {how}"


def _with_description(head: str, statement: str) -> str:
    """A header with another description. It is read back: as many lines are replaced as the old one had.

    A header in which it cannot be replaced alone stays as it is.
    """
    lines = head.split("\n")
    before = frontmatter.parse(head)
    wanted = _cut(statement, DESCRIPTION_CHARS)
    line = "description: " + frontmatter.quote(wanted)
    carriage = _line_end(head, default="\n")[:-1]
    start = before.lines["description"][0] - 1
    old = {key: value for key, value in before.meta.items() if key != "description"}
    for stop in range(start + 1, len(lines)):
        following = next((one for one in lines[stop:] if one.strip()), "")
        if following[:1] in (" ", "\t"):
            continue  # still of the old value, though it may look like a comment
        comment = _comment(lines[start]) if stop == start + 1 else ""
        tried = "\n".join([*lines[:start], line + comment + carriage, *lines[stop:]])
        after = frontmatter.parse(tried)
        rest = {key: value for key, value in after.meta.items() if key != "description"}
        if after.get("description") == wanted and rest == old and len(after.problems) <= len(before.problems):
            return tried
    return head


def _comment(line: str) -> str:
    """The comment behind the value of a `key: value` line, with the blank before it; "" if there is none."""
    line = line.rstrip("\r")
    value = frontmatter.parse(f"---\n{line}\n---\n").meta
    for found in re.finditer(r"[ \t]+#", line):
        if frontmatter.parse(f"---\n{line[: found.start()]}\n---\n").meta == value:
            return line[found.start() :]
    return ""


def _with_field(head: str, key: str, line: str) -> str:
    """A header with another line for a key, where it has one, or has a block `metadata` to put it in; "" takes it out.

    Lines that stand deeper than the key are of its value.
    """
    lines = head.split("\n")
    carriage = _line_end(head, default="\n")[:-1]
    block = [at for at, one in enumerate(lines) if re.match(r"metadata[ \t]*:[ \t]*(?:#.*)?\r?$", one)]
    inside: "list[int]" = []
    for at in range(block[-1] + 1 if block else len(lines), len(lines)):
        if lines[at].strip() and lines[at][0] not in " \t":
            break
        if lines[at].strip():
            inside.append(at)
    first = lines[inside[0]] if inside else ""
    indent = first[: len(first) - len(first.lstrip())]
    for at in [*inside, *range(1, len(lines))]:
        # Deeper than the other keys it is the text of one of them.
        own = indent if at in inside else ""
        if re.match(own + re.escape(key) + r"[ \t]*:", lines[at]):
            stop = at + 1
            while lines[stop].startswith((own + " ", own + "\t")) and key == KEY:
                stop += 1
            lines[at:stop] = [f"{own}{line}{carriage}"] if line else []
            return "\n".join(lines)
    if inside and line:
        lines.insert(inside[-1] + 1, f"{indent}{line}{carriage}")
    return "\n".join(lines)


def _proposal(proposed: str) -> str:
    """The line of a header: single quotes keep it readable, and in them no line of it begins with a hard key."""
    return f"{KEY}: '" + proposed.replace("'", "''") + "'"


def _plain(text: str) -> str:
    """What a text says, without the marks that change nothing. 1.5 is not 15, -5 not 5, < 5 not > 5, a/b not ab."""
    text = unicodedata.normalize("NFKC", text).casefold().replace("\u2212", "-")
    return "".join(_TELLING.findall(_LIST_MARKS.sub("", " ".join(text.split()))))


def _slug(text: str) -> str:
    """A kebab name: the Latin words of a text, or where there is hardly one its characters."""
    words = re.findall(r"[a-z0-9]+", unicodedata.normalize("NFKD", text.replace("'", "").replace("’", "")).lower())
    told = [word for word in words if word not in _SMALL] or words
    latin = [word for word in told if word.isalpha()]
    wide = re.search("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]", text)
    if len(latin) < (2 if wide else 1):
        told = re.findall(r"\w+", unicodedata.normalize("NFC", text).lower().replace("_", " "))
    return _fitted("-".join(told[:_SLUG_WORDS]), NAME_BYTES - 20) or "note"


def _file_name(kind: str, slug: str, number: int) -> str:
    end = (f"_{number}" if number > 1 else "") + ".md"
    return _fitted(f"{kind}_{slug.replace('-', '_')}", NAME_BYTES - len(end)) + end


def _fitted(slug: str, limit_bytes: int) -> str:
    """As much of a slug as fits, whole words where they are not too long."""
    if len(slug.encode("utf-8", "replace")) <= limit_bytes:
        return slug
    kept = slug.encode("utf-8", "replace")[:limit_bytes].decode("utf-8", "ignore")
    word = max(kept.rfind("-"), kept.rfind("_"))
    return (kept[:word] if word > len(kept) // 2 else kept).rstrip("-_")


def _same_name(file: str) -> str:
    """What two names share that a file system may take for one."""
    return unicodedata.normalize("NFC", file).casefold()


def _cut(text: str, limit: int) -> str:
    """One line of at most so many characters, cut at a blank where there is one."""
    text = " ".join(text.split())
    if len(text) <= limit:
        return text
    kept = text[: limit - 1]
    blank = kept.rfind(" ")
    return (kept[:blank] if blank > limit // 2 else kept).rstrip(" ,;:，、") + "…"


def _capitalised(text: str) -> str:
    first = text.split(" ", 1)[0]
    return text[:1].upper() + text[1:] if first.isalpha() and first.islower() else text


def _stamp(now: float) -> str:
    """ISO 8601 in UTC with milliseconds, as Claude Code writes it."""
    millis = round(now * 1000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(millis // 1000)) + f".{millis % 1000:03d}Z"
