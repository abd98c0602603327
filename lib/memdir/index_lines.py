"""The lines of an index, `- [Title](file.md) — hook`, one a memory: read, written, and all else left as it is."""

from memdir import links
from memdir.budget import cut_units, units
from memdir.markdown import JS_BLANK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LINE_UNITS = 200  # of one line; what Claude Code asks for
TYPES = ("user", "feedback", "project", "reference")  # in this order in a new index; others follow
_FULL_LINES, _FULL_UNITS = 200, 25_000  # what a session loads at most (`index.MAX_LINES`, `index.MAX_UNITS`)
_TARGET = 0.7  # of that, after a rewrite that had to leave out something: the client's own target, with room to grow
_SHORTEST_UNITS = 100  # of a line that has to give way to others
_LEAST_UNITS = 16  # of a hook or a title that was cut
_SEPARATORS = "\u2014\u2013-:\uff1a"  # dashes and colons, as people write them
_JOINERS = "\u200c\u200d"  # invisible, and part of words and emoji


class Entry:
    """One line of an index as it was read; `line` counts from 1, `file` is a path with `/`."""

    def __init__(self, title: str, file: str, hook: str, line: int) -> None:
        self.title = title
        self.file = file
        self.hook = hook
        self.line = line


class Wanted:
    """A line that an index should have; `replace` puts it in the place of one that the file has already.

    `name` is the one in the file's header: an index may call it so.
    """

    def __init__(self, file: str, title: str, hook: str, *, replace: bool = False, name: str = "") -> None:
        self.file = file
        self.title = title
        self.hook = hook
        self.replace = replace
        self.name = name


class Named:
    """The files that an index names in any way: with an entry, or with a link, `[[name]]` or file name elsewhere."""

    def __init__(self, text: str) -> None:
        lines = links.split(text.lstrip("\ufeff"))
        seen = [old.strip(JS_BLANK) if is_shown else "" for old, is_shown in zip(lines, links.shown(lines))]
        files = {entry.file for entry in entries(text)}
        names = set()
        for old in links.without_comments("\n".join(seen)).split("\n"):
            files |= links.targets(old)
            names |= links.names(old)
            if ".md" in old and _entry(old, 0) is None:  # a hook may well speak of another file
                files |= links.words(old)
        self._files = {key(file) for file in files}
        self._names = {key(name) for name in names}

    def has(self, file: str, name: str = "") -> bool:
        """Whether a topic file, with this name in its header, is among them."""
        file = key(file)
        if file in self._files:
            return True
        spellings = [file, file.rpartition("/")[2]]
        spellings += [each.rpartition(".")[0] for each in spellings]
        return any([each in self._names for each in (*spellings, key(name)) if each])


class Listed:
    """A topic for a new index; `written` in seconds since 1970."""

    def __init__(self, file: str, title: str, hook: str, kind: str, written: float) -> None:
        self.file = file
        self.title = title
        self.hook = hook
        self.kind = kind
        self.written = written


def key(file: str) -> str:
    """What two spellings of one file's name have in common: composed letters, no `./`, bytes that are text."""
    name = file.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    while name.startswith("./"):
        name = name[2:]
    if name.isascii():
        return name
    import unicodedata  # a shared library that plain names do without

    return unicodedata.normalize("NFC", name)


def entries(text: str) -> "list[Entry]":
    """The entries of an index in their order; all else is somebody's own text, also what a comment or a fence holds."""
    lines = links.split(text.lstrip("\ufeff"))
    shown = links.shown(lines)
    read = [_entry(old.strip(JS_BLANK), number) for number, old in enumerate(lines, 1) if shown[number - 1]]
    return [entry for entry in read if entry is not None]


def line(title: str, file: str, hook: str, limit_units: int = LINE_UNITS) -> str:
    """One entry of at most `limit_units`, which reads back as this file: the hook gives way first, then the title.

    Only a file name that is longer than that makes the line longer.
    """
    title, hook = _plain(title) or _stem(file), _plain(hook)
    link = f"]({_linked(file)})"
    title = _fitted(title, max(limit_units - units(link) - 3, _LEAST_UNITS))
    text = f"- [{title}{link}"
    room = limit_units - units(text) - 3
    hook = _fitted(hook, room) if room >= _LEAST_UNITS or units(hook) <= room else ""
    return f"{text} \u2014 {hook}" if hook else text


def with_lines(text: str, wanted: "Iterable[Wanted]") -> str:
    """The index with these lines in it; every other byte stays.

    New ones follow the last entry of the list that has most entries; without any list they end the text. A file that
    the index names already gets no second line, and a new one in the place of its entry only if asked.
    """
    mark = "\ufeff" if text[:1] == "\ufeff" else ""
    lines = links.split(text[len(mark) :])
    listed: "dict[str, int]" = {}
    for entry in entries(text):
        listed.setdefault(key(entry.file), entry.line - 1)
    named = Named(text)
    added: "dict[str, str]" = {}
    for item in wanted:
        number = listed.get(key(item.file), -1)
        new = line(item.title, item.file, item.hook)
        if number < 0:
            if not named.has(item.file, item.name) and (item.replace or key(item.file) not in added):
                added[key(item.file)] = new
        elif item.replace:
            old = lines[number]
            lines[number] = old[: len(old) - len(old.lstrip(" \t"))] + new + _end(old)
    new_lines = list(added.values())
    planned = mark + "".join(_with_added(lines, sorted(listed.values()), new_lines))
    if set(added) <= {key(entry.file) for entry in entries(planned)}:
        return planned
    return mark + "".join(_in_front(lines, new_lines))  # there they would be in a fence or comment that never closes


def rebuild(topics: "Iterable[Listed]") -> str:
    """An index for topics that have none: by type, the newest of each first; "" for no topics.

    Where all of them are more than a session loads, hooks are shortened, then the oldest are left out, down to the
    target of a rewrite, so that there is room to grow; the last line says how many.
    """
    newest = sorted(topics, key=lambda topic: (-topic.written, topic.file))
    total = len(newest)
    width, limit = LINE_UNITS, _FULL_UNITS
    if total > _FULL_LINES or not _fits(newest, width, limit):
        limit = int(limit * _TARGET) - LINE_UNITS  # the last line has its room
        newest = newest if total <= _FULL_LINES else newest[: int(_FULL_LINES * _TARGET) - 2]
        while width > _SHORTEST_UNITS and not _fits(newest, width, limit):
            width -= 10
        if not _fits(newest, width, _FULL_UNITS):
            while not _fits(newest, width, limit):
                newest.pop()
    order = {kind: place for place, kind in enumerate(TYPES)}
    listed = sorted(newest, key=lambda topic: order.get(topic.kind, len(order)))
    text = "".join([line(topic.title, topic.file, topic.hook, width) + "\n" for topic in listed])
    if len(listed) < total:
        text += (
            f"\nNot listed here, for lack of room: the {total - len(listed)} oldest topic files of this directory.\n"
        )
    return text


def _fits(topics: "Sequence[Listed]", width: int, limit_units: int) -> bool:
    return sum([units(line(topic.title, topic.file, topic.hook, width)) + 1 for topic in topics]) <= limit_units


def _with_added(lines: "list[str]", listed: "list[int]", added: "list[str]") -> "list[str]":
    """The lines with the new ones behind the list that has most of the `listed` ones."""
    if not added:
        return lines
    after = _end_of_list(lines, listed) if listed else len(lines)
    before, rest = lines[:after], lines[after:]
    end = next((found for old in [*before[-1:], *lines] if (found := _end(old))), "\n")
    new = [text + end for text in added]
    if before and not _end(before[-1]):
        before[-1] += end
        new[-1] = added[-1]
    if not listed and before and before[-1].strip(JS_BLANK):
        before.append(end)
    return [*before, *new, *rest]


def _in_front(lines: "list[str]", added: "list[str]") -> "list[str]":
    """The lines with the new ones before all others but the header."""
    texts = [old.strip(JS_BLANK) for old in lines]
    start = texts.index("---", 1) + 1 if texts[:1] == ["---"] and "---" in texts[1:] else 0
    end = next((found for old in lines if (found := _end(old))), "\n")
    return [*lines[:start], *[text + end for text in added], end, *lines[start:]]


def _end_of_list(lines: "list[str]", listed: "list[int]") -> int:
    """The line after the last entry, with what belongs to that, of the list with most entries; the last of equals."""
    shown = links.shown(lines)
    best = most = count = 0
    before = listed[0]
    for number in listed:
        if any([shown[at] and _is_prose(lines[at]) for at in range(before + 1, number)]):
            count = 0
        count += 1
        if count >= most:
            best, most = number, count
        before = number
    after = best + 1
    while after < len(lines) and lines[after].strip(JS_BLANK) and lines[after].lstrip(" \t")[0] not in "-*+#>`~<|":
        after += 1  # the entry goes on in this line
    return after


def _is_prose(old: str) -> bool:
    """Whether a line ends a list: a heading or a paragraph."""
    return bool(old.strip(JS_BLANK)) and old[0] not in " \t-*+"


def _end(old: str) -> str:
    return old[len(old.rstrip("\r\n")) :]


def _plain(text: str) -> str:
    """One line of what can be seen: blanks and line ends of all kinds become a blank, marks without a shape go."""
    words = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").split()
    return " ".join([word for word in map(_visible, words) if word])


def _visible(word: str) -> str:
    return word if word.isprintable() else "".join([char for char in word if char.isprintable() or char in _JOINERS])


def _stem(file: str) -> str:
    return _plain(file.rpartition("/")[2].rpartition(".")[0]) or "memory"


def _fitted(text: str, room_units: int) -> str:
    """The text, escaped, in at most so many units: cut between words if that keeps more than half."""
    escaped = _escaped(text)
    if units(escaped) <= room_units:
        return escaped
    kept = cut_units(text, room_units - 1)
    while kept:
        word_end = kept.rfind(" ")
        escaped = _escaped((kept[:word_end] if word_end > len(kept) // 2 else kept).rstrip()) + "\u2026"
        over = units(escaped) - room_units
        if over <= 0:
            return escaped
        kept = cut_units(kept, units(kept) - max(1, over // 2))  # a backslash goes with its character
    return ""


def _escaped(text: str) -> str:
    """The text with a backslash before what Markdown, or `links.unescaped`, would take for more than a character."""
    odd = text.count("`") % 2 == 1  # a code span that never closes could swallow the link
    kept = []
    for at, char in enumerate(text):
        after = text[at + 1 : at + 2]
        if (
            char in "[]"
            or (char == "\\" and (not after or links.is_escapable(after)))
            or (char == "<" and (after.isalpha() or after in ("/", "!", "?")))
            or (char == "`" and odd)
        ):
            kept.append("\\")
        kept.append(char)
    return "".join(kept)


def _linked(file: str) -> str:
    """A file's name as the target of a link; `links.target` reads it back."""
    kept = []
    for at, char in enumerate(file):
        encoded = char in ' ()<>#\\"' or not (char.isprintable() or char in _JOINERS)
        if encoded or (char == "%" and _is_hex(file[at + 1 : at + 3])):
            raw = char.encode("utf-8", "surrogateescape" if "\udc80" <= char <= "\udcff" else "replace")
            kept += [f"%{byte:02X}" for byte in raw]
        else:
            kept.append(char)
    return "".join(kept)


def _is_hex(digits: str) -> bool:
    return len(digits) == 2 and all([digit in "0123456789abcdefABCDEF" for digit in digits])


def _entry(line: str, number: int) -> "Entry | None":
    if line[:1] not in ("-", "*", "+") or line[1:2] not in (" ", "\t"):
        return None
    text = line[1:].lstrip(" \t")
    close = links.closing(text, "[", "]")
    if close < 0 or text[close + 1 : close + 2] != "(":
        return None
    title = text[1:close]
    link = text[close + 1 :]
    close = link.find(">)") + 1 if link.startswith("(<") else links.closing(link, "(", ")")
    if close < 1:
        return None
    file = links.target(link[1:close])
    hook = link[close + 1 :].lstrip(JS_BLANK)
    hook = hook.lstrip(_SEPARATORS) if hook[:1] in tuple(_SEPARATORS) else hook
    return Entry(links.unescaped(title), file, links.unescaped(hook.strip(JS_BLANK)), number) if file else None
