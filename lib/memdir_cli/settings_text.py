"""memdir's hooks in the text of a settings file: found, put in and taken out, and every other byte stays as it is."""

import codecs
import json

from memdir.errors import UserError
from memdir_cli import json_text, own_entries
from memdir_cli.json_text import Item
from memdir_cli.own_entries import Entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional


def check(raw: bytes, path: str) -> "dict[str, Any]":
    """The parsed settings; {} for a blank file.

    Raises UserError, which names `path`, line and column, for what is no JSON text in UTF-8, and for one whose hooks
    cannot be hooks.
    """
    return _Document(raw, path).settings


def entries(raw: bytes, launcher: str = "") -> "list[Entry]":
    """memdir's own entries, in the order of the text; `launcher` is one that is known to be ours.

    Raises UserError as `check` does.
    """
    return _Document(raw).own(_known(launcher))


def plugins_enabled(raw: bytes) -> "list[str]":
    """The keys by which these settings enable memdir as a plugin. Raises UserError as `check` does."""
    enabled = check(raw, "settings.json").get("enabledPlugins")
    found = enabled if isinstance(enabled, dict) else {}
    return [key for key, value in found.items() if key.startswith("memdir@") and value]


def with_hooks(raw: "Optional[bytes]", hooks: "dict[str, list[dict[str, Any]]]", launcher: str = "") -> bytes:
    """The settings with these entries of ours and none besides, in groups of their own behind those of others.

    Where they stand there already nothing changes. `raw`: None for no file. Raises UserError as `check` does.
    """
    known = _known(launcher) | {entry.launcher for entry in own_entries.entries_of(hooks)}
    document = _Document(raw or b"")
    if document.text.strip(json_text.BLANK):
        if _as_hooks(document.own(known)) == _as_hooks(own_entries.entries_of(hooks)):
            return document.raw
        document = _Document(document.without(known))
        return document.added(hooks) if hooks else document.raw
    text = json.dumps({"hooks": hooks}, indent=2, ensure_ascii=False) + "\n"
    return document.mark + text.encode()


def without_hooks(raw: bytes, launcher: str = "", before: "Optional[bytes]" = None) -> bytes:
    """The settings without our entries, and without the groups, events and `hooks` that are empty then.

    `before`: what the file held before ours were put in; what was empty there stays. Raises UserError as `check` does.
    """
    return _Document(raw).without(_known(launcher), _Document(before or b"").empty())


def _as_hooks(found: "list[Entry]") -> "list[str]":
    """What the client makes of entries, wherever they stand in the text."""
    return sorted(json.dumps([one.event, one.matcher, one.entry], sort_keys=True) for one in found)


def _known(launcher: str) -> "frozenset[str]":
    return frozenset([launcher] if launcher else [])


def _hides(item: Item, items: "list[Item]") -> bool:
    """Whether another of the same key, which does not count now, would count without this one."""
    return sum([other.key == item.key for other in items]) > 1


class _Group:
    """One element of an event's array, and the entries in it: our own as Entry, None for another's."""

    def __init__(self, item: Item, hooks: "Optional[Item]", items: "list[Item]", owners: "list[Optional[Entry]]"):
        self.item = item
        self.hooks = hooks
        self.items = items
        self.owners = owners


class _Document:
    """A settings text and the places in it. Raises UserError where `check` does."""

    def __init__(self, raw: bytes, path: str = "settings.json") -> None:
        self.raw = raw
        self.mark = codecs.BOM_UTF8 if raw.startswith(codecs.BOM_UTF8) else b""
        self._path = path
        self.text = self._decode(raw)
        self.settings: "dict[str, Any]" = {}
        self._root = json_text.skip(self.text, 0)
        self._members: "list[Item]" = []
        self._events: "list[Item]" = []
        self._hooks: "Optional[Item]" = None
        if self.text.strip(json_text.BLANK):
            self._read()

    def _decode(self, raw: bytes) -> str:
        if raw[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) or b"\0" in raw[:4]:
            raise UserError(f"{self._path}:1:1: this is no UTF-8 (UTF-16 or so); save the file as UTF-8")
        body = raw[len(self.mark) :]
        try:
            return body.decode()
        except UnicodeDecodeError as error:
            head = body[: error.start].decode()
            line, column = json_text.place(head, len(head))
            byte = f"0x{body[error.start]:02x}"
            raise UserError(
                f"{self._path}:{line}:{column}: the byte {byte} is not UTF-8; save the file as UTF-8"
            ) from None

    def _read(self) -> None:
        try:
            settings = json_text.parse(self.text)
        except json_text.Fault as fault:
            raise self._error(fault.position, fault.what) from None
        if not isinstance(settings, dict):
            raise self._error(self._root, "the settings have to be an object, { … }")
        self.settings = settings
        self._members = json_text.members(self.text, self._root)
        self._hooks = json_text.member(self._members, "hooks")
        if self._hooks is None:
            return
        if not isinstance(self._hooks.value, dict):
            raise self._error(self._hooks.at, "`hooks` has to be an object, { … }")
        self._events = json_text.members(self.text, self._hooks.at)
        for event in self._events:
            if not isinstance(event.value, list):
                raise self._error(event.at, f"the event {event.key!a} has to be an array, [ … ]")

    def _error(self, position: int, what: str) -> UserError:
        line, column = json_text.place(self.text, position)
        return UserError(f"{self._path}:{line}:{column}: {what}")

    def _counting(self) -> "list[Item]":
        """The events that the client sees: the last of those with the same name."""
        return [event for event in self._events if json_text.member(self._events, event.key) is event]

    def _groups(self, event: Item, known: "frozenset[str]") -> "list[_Group]":
        found = []
        for item in json_text.elements(self.text, event.at):
            hooks = None
            if isinstance(item.value, dict):
                hooks = json_text.member(json_text.members(self.text, item.at), "hooks")
            if hooks is None or not isinstance(hooks.value, list):
                found.append(_Group(item, None, [], []))
                continue
            items = json_text.elements(self.text, hooks.at)
            found.append(_Group(item, hooks, items, [self._owner(event, item, one, known) for one in items]))
        return found

    def _owner(self, event: Item, group: Item, item: Item, known: "frozenset[str]") -> "Optional[Entry]":
        words = own_entries.words_of(item.value)
        if not words or not own_entries.is_ours(words[0], known):
            return None
        matcher = group.value.get("matcher")
        entry = Entry(event.key, matcher if isinstance(matcher, str) else None, item.value, words)
        entry.line = json_text.place(self.text, item.start)[0]
        return entry

    def own(self, known: "frozenset[str]") -> "list[Entry]":
        groups = [group for event in self._counting() for group in self._groups(event, known)]
        return [owner for group in groups for owner in group.owners if owner]

    def empty(self) -> "frozenset[str]":
        """The events without a group; "" for `hooks` without an event."""
        names = [event.key for event in self._counting() if not event.value]
        return frozenset([*names, ""] if self._hooks and not self._events else names)

    def without(self, known: "frozenset[str]", stays: "frozenset[str]" = frozenset()) -> bytes:
        """The bytes without our entries; the empty containers named in `stays` stay."""
        cuts: "list[tuple[int, int]]" = []
        gone = []
        for event in self._counting():
            groups = self._groups(event, known)
            whole = [group.item for group in groups if group.items and all(group.owners)]
            for group in groups:
                ours = [item for item, owner in zip(group.items, group.owners) if owner]
                if ours and group.item not in whole and group.hooks:
                    cuts += self._cuts(group.hooks.at, group.items, ours)
            if whole and len(whole) == len(groups) and event.key not in stays and not _hides(event, self._events):
                gone.append(event)
            elif whole:
                cuts += self._cuts(event.at, [group.item for group in groups], whole)
        if gone and len(gone) == len(self._events) and self._hooks and not ("" in stays or self._has_two()):
            cuts = self._cuts(self._root, self._members, [self._hooks])
        elif gone and self._hooks:
            cuts += self._cuts(self._hooks.at, self._events, gone)
        return self._changed([(start, end, "") for start, end in cuts])

    def _has_two(self) -> bool:
        return self._hooks is not None and _hides(self._hooks, self._members)

    def _cuts(self, container: int, items: "list[Item]", out: "list[Item]") -> "list[tuple[int, int]]":
        """The spans to take out so that these go, with the commas and blanks that came with them."""
        if len(out) == len(items):
            return [(container + 1, self._closing(container, items))]
        found = []
        kept = False  # one stands in front
        for index, item in enumerate(items):
            if item not in out:
                kept = True
            elif kept:
                found.append((items[index - 1].end, item.end))
            else:
                found.append((item.start, items[index + 1].start))
        return found

    def _closing(self, container: int, items: "list[Item]") -> int:
        """Where the text behind the last item begins that was there before we put them in."""
        end = items[-1].end
        if "\n" in self.text[container + 1 : items[0].start]:
            for newline in ("\r\n", "\n"):
                closing = newline + self._indentation(container)
                if self.text.startswith(closing, end):
                    return end + len(closing)
        return end

    def added(self, hooks: "dict[str, list[dict[str, Any]]]") -> bytes:
        """The bytes with these groups at the end of their events."""
        if self._hooks is None:
            return self._changed([self._insertion(self._root, self._members, [("hooks", hooks)])])
        changes = []
        new: "list[tuple[str, Any]]" = []
        for name, groups in hooks.items():
            event = json_text.member(self._events, name)
            if event is None:
                new.append((name, groups))
                continue
            items = json_text.elements(self.text, event.at)
            changes.append(self._insertion(event.at, items, [("", group) for group in groups]))
        if new:
            changes.append(self._insertion(self._hooks.at, self._events, new))
        return self._changed(changes)

    def _insertion(self, container: int, items: "list[Item]", new: "list[tuple[str, Any]]") -> "tuple[int, int, str]":
        """The change that puts these behind the items of a container, laid out as they are."""
        newline, unit, comma, colon = self._style()
        closing = ""
        if items:
            lead = self._lead(items[-1].start)
            indent = lead[lead.rindex("\n") + 1 :] if "\n" in lead else None
        else:
            indent = None if unit is None else self._indentation(container) + unit
            closing = "" if indent is None else newline + self._indentation(container)
        texts = []
        for key, value in new:
            if indent is None:
                text = json.dumps(value, separators=(comma, colon), ensure_ascii=False)
            else:
                step = "  " if unit is None else unit
                text = json.dumps(value, indent=step, separators=(",", colon), ensure_ascii=False)
                text = text.replace("\n", newline + indent)
            texts.append(f'"{key}"{colon}{text}' if key else text)
        lead = comma if indent is None else "," + newline + indent
        at = items[-1].end if items else container + 1
        first = lead if items else lead[1:].lstrip(" ") if indent is None else lead[1:]
        return at, at, first + lead.join(texts) + closing

    def _style(self) -> "tuple[str, Optional[str], str, str]":
        """Line break, step of indentation (None: all on one line), comma and colon of this text."""
        newline = "\r\n" if "\r\n" in self.text else "\n"
        if not self._members:
            return newline, "  ", ", ", ": "
        first = self._members[0]
        lead = self._lead(first.start)
        spaced = self.text[first.at - 1] != ":"
        if "\n" not in lead:
            return newline, None, ", " if spaced else ",", ": " if spaced else ":"
        indent = lead[lead.rindex("\n") + 1 :]
        base = self._indentation(self._root)
        step = indent[len(base) :] if indent.startswith(base) else indent
        return newline, step, ",", ": " if spaced else ":"

    def _lead(self, position: int) -> str:
        """The white space in front of a place."""
        begin = position
        while begin and self.text[begin - 1] in json_text.BLANK:
            begin -= 1
        return self.text[begin:position]

    def _indentation(self, position: int) -> str:
        """The blanks at the beginning of the line in which a place lies."""
        begin = self.text.rfind("\n", 0, position) + 1
        end = begin
        while self.text[end] in " \t":
            end += 1
        return self.text[begin:end]

    def _changed(self, changes: "list[tuple[int, int, str]]") -> bytes:
        parts = []
        done = 0
        for start, end, text in sorted(changes):
            parts += [self.text[done:start], text]
            done = end
        return self.mark + "".join([*parts, self.text[done:]]).encode() if changes else self.raw
