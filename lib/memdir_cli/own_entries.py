"""What makes an entry of the settings one of memdir's: its launcher and the name of a hook."""

import json
import os
import re
import shlex

from memdir import fsio, jsonio
from memdir.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

HOOK_NAMES = frozenset(
    "session_start user_prompt_submit pre_tool_use post_tool_use post_tool_use_failure stop stop_failure subagent_stop"
    " session_end pre_compact post_compact".split()
)  # all that hooks.json has ever named
_LAUNCHER = "/hooks/py"
_COPY = "/memdir/app/hooks/py"  # where the installer puts it
_PLAIN = re.compile(r"[A-Za-z0-9_.-]+")


class Entry:
    """One of memdir's own entries.

    `matcher`: that of its group, None without; `entry`: as parsed; `launcher`: the path of hooks/py; `name`: of the
    hook, `args` what follows it; `line`: where it begins, from 1.
    """

    def __init__(self, event: str, matcher: "Optional[str]", entry: "dict[str, Any]", words: "list[str]") -> None:
        self.event = event
        self.matcher = matcher
        self.entry = entry
        self.launcher, self.name, *self.args = words
        self.line = 0


def wanted(plugin_root: str) -> "dict[str, list[dict[str, Any]]]":
    """The hooks of the plugin in `plugin_root`, as they have to stand in the settings. Raises UserError."""
    path = plugin_root + "/hooks/hooks.json"
    try:
        json.dumps(plugin_root, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise UserError(f"the path {plugin_root!a} is not UTF-8, so settings cannot name it; use another") from None
    raw = fsio.read(path, 1 << 20, follow=True)
    try:
        hooks = json.loads(raw or b"")["hooks"]
    except (ValueError, KeyError, TypeError):
        raise UserError(f"{path} cannot be read as JSON; this copy of memdir is damaged, fetch it anew") from None
    return {event: [_rooted(group, plugin_root) for group in groups] for event, groups in hooks.items()}


def _rooted(value: "Any", root: str) -> "Any":
    if isinstance(value, str):
        return value.replace("${CLAUDE_PLUGIN_ROOT}", root)
    if isinstance(value, list):
        return [_rooted(item, root) for item in value]
    return {key: _rooted(item, root) for key, item in value.items()} if isinstance(value, dict) else value


def entries_of(hooks: "dict[str, list[dict[str, Any]]]") -> "list[Entry]":
    found = []
    for event, groups in hooks.items():
        for group in groups:
            found += [Entry(event, group.get("matcher"), entry, words_of(entry)) for entry in group["hooks"]]
    return found


def words_of(entry: "Any") -> "list[str]":
    """Launcher, hook name and what follows, where an entry has the form of one of ours; else []."""
    if not isinstance(entry, dict) or entry.get("type") != "command" or not isinstance(entry.get("command"), str):
        return []
    words = entry.get("args")
    if words is None:
        try:
            words = shlex.split(entry["command"])
        except ValueError:
            return []
    elif isinstance(words, list) and all(isinstance(word, str) for word in words):
        words = [entry["command"], *words]
    else:
        return []
    if words and words[0] in ("/bin/sh", "/usr/bin/sh", "sh"):
        words = words[1:]
    if len(words) < 2 or not words[0].endswith(_LAUNCHER) or words[1] not in HOOK_NAMES:
        return []
    return words if all(map(_PLAIN.fullmatch, words[1:])) else []  # a longer command line is a person's


def altered(found: "list[Entry]", hooks: "dict[str, list[dict[str, Any]]]") -> "list[str]":
    """What a person changed by hand in entries that were put in as `hooks`, as "timeout of Stop"; what is gone too."""
    told = []
    for one in found:
        twins = [other.entry for other in entries_of(hooks) if _key(other) == _key(one)]
        if twins and one.entry not in twins:
            fields = [name for name in {**one.entry, **twins[0]} if one.entry.get(name) != twins[0].get(name)]
            told.append(f"{', '.join(fields)} of {one.event}")
    return list(dict.fromkeys(told))


def _key(entry: Entry) -> "tuple[Any, ...]":
    return entry.event, entry.matcher, entry.launcher, entry.name, *entry.args


def is_ours(launcher: str, known: "frozenset[str]") -> bool:
    """Whether a path that ends in /hooks/py is of a memdir, as those of other plugins may."""
    if launcher in known or launcher.endswith(_COPY):
        return True
    if not launcher.startswith("/") or "\0" in launcher:
        return False
    try:
        os.stat(launcher)
    except (FileNotFoundError, NotADirectoryError):  # a disk may be away only for now: the name has to say whose it is
        return any(part.startswith("memdir") for part in launcher.split("/"))
    except (OSError, ValueError):
        return False
    manifest = fsio.read(launcher[: -len(_LAUNCHER)] + "/.claude-plugin/plugin.json", 1 << 20, follow=True)
    try:
        plugin = jsonio.loads(manifest or b"")
    except ValueError:
        return False
    return isinstance(plugin, dict) and plugin.get("name") == "memdir"
