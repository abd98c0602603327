"""Where memdir's hooks are registered: once, completely, as hooks.json has them, and not switched off."""

import os
import re

from memdir import fsio
from memdir.errors import UserError
from memdir_cli import settings_file
from memdir_cli.checks.finding import counted, edit, note, ok, problem, quoted
from memdir_cli.checks.scene import LAUNCHER, entries, settings_in
from memdir_cli.installation import ROOT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Optional

    from memdir_cli.checks.finding import Finding
    from memdir_cli.checks.scene import Scene

    Key = tuple[str, str, tuple[str, ...]]  # event, hook, its arguments


def check(scene: "Scene") -> "Iterator[Finding]":
    if not scene.place:
        return
    yield from _settings(scene, scene.place.settings)
    if scene.entries:
        yield from _registered(scene)
    if scene.entries and scene.plugins:
        told = f"installed in the settings and as a plugin ({', '.join(scene.plugins)}): the plugin's hooks stand back,"
        told += " but for the one that checks hard rules, which both run"
        yield note("hooks.both", told, f"{scene.profile}claude plugin uninstall {quoted(scene.plugins[0])}")
    elif scene.plugins:
        yield ok("hooks.plugin", f"the hooks are those of the plugin {', '.join(scene.plugins)}")
    elif not scene.entries:
        told = "no hooks of memdir are registered, and it is no plugin that is switched on"
        if scene.plugins_lacking:
            told = f"settings switch on the plugin {', '.join(scene.plugins_lacking)}, which is not installed, and"
            told += " no hooks of memdir are registered"
        told += " (--plugin-dir is not seen here)"
        yield problem("hooks.none", told, scene.repair)
    yield from _elsewhere(scene)
    yield from _switched_off(scene, scene.place.settings)


def _settings(scene: "Scene", path: str) -> "Iterator[Finding]":
    if scene.settings is None:
        if os.path.isdir(path):
            yield problem(
                "settings.unreadable", f"{path} is a directory", f"mv {quoted(path)} {quoted(path + '.aside')}"
            )
        elif os.path.islink(path) and not os.path.exists(path):
            yield problem("settings.dangling", f"{path} is a link to a file that is not there", f"rm {quoted(path)}")
        elif os.path.lexists(path):
            yield problem("settings.unreadable", f"{path} cannot be read", f"chmod u+rw {quoted(path)}")
        return
    if not scene.settings.strip():
        return
    try:
        settings_file.check(scene.settings, path)
    except UserError as error:
        yield problem("settings.broken", f"{error}; Claude Code leaves the file out", edit(path, _line(str(error))))


def _line(told: str) -> int:
    """The line that an error about a settings file names; 0 for none."""
    found = re.search(r":(\d{1,7}):\d+", told)
    return int(found[1]) if found else 0


def _registered(scene: "Scene") -> "Iterator[Finding]":
    """Whether the user's settings hold what hooks.json of the copy they name says."""
    gone = sorted({one.launcher for one in scene.entries if not os.access(one.launcher, os.R_OK)})
    for launcher in gone:
        yield problem("hooks.stale", f"the settings name {launcher}, which is not there", scene.repair)
    standing = [one for one in scene.entries if one.launcher not in gone]
    recorded = scene.record("hooks")
    launchers = list(dict.fromkeys([one.launcher for one in standing]))
    if not launchers:
        return
    launcher = recorded if recorded in launchers else launchers[0]
    wanted = _wanted(launcher)
    if wanted is None:
        return  # told with the copy itself
    found = _differences(wanted, standing, launcher)
    others = [other for other in launchers if other != launcher]
    if others:
        found.append(("hooks.other_copy", f"name another copy as well: {', '.join(others)}"))
    if recorded and recorded not in launchers:
        found.append(("record.hooks", f"are not those of the record, {recorded}"))
    for code, told in found:
        yield problem(code, f"the hooks in {scene.config}/settings.json {told}", scene.repair)
    if not found and not gone:
        many = counted(len(standing), "hook")
        yield ok("hooks.registered", f"{many} of {launcher[: -len(LAUNCHER)]} registered, each once")


def _differences(
    wanted: "dict[Key, tuple[str, dict[str, Any]]]", standing: "list[settings_file.Entry]", launcher: str
) -> "list[tuple[str, str]]":
    """Codes, and what is different in words."""
    seen: "dict[Key, list[settings_file.Entry]]" = {}
    for one in standing:
        seen.setdefault((one.event, one.name, tuple(one.args)), []).append(one)
    found = []
    doubled = sorted({key[0] for key, many in seen.items() if len(many) > 1})
    if doubled:
        found.append(("hooks.doubled", f"are registered more than once: {', '.join(doubled)}"))
    missing = sorted({key[0] for key in wanted if key not in seen})
    if missing:
        found.append(("hooks.missing", f"are not complete, as in an older version: {', '.join(missing)}"))
    of_ours = [(key, one) for key, many in seen.items() for one in many if one.launcher == launcher]
    lines = [str(one.line) for key, one in of_ours if wanted.get(key) != (one.matcher or "", one.entry)]
    if lines:
        where = f"line {', '.join(lines)}"
        found.append(("hooks.different", f"are not as hooks.json has them ({where}): timeout, onFailure or matcher"))
    return found


def _wanted(launcher: str) -> "Optional[dict[Key, tuple[str, dict[str, Any]]]]":
    """What hooks.json beside a launcher has: key → matcher and entry; None where it cannot be read."""
    try:
        groups = settings_file.wanted(launcher[: -len(LAUNCHER)])
    except (OSError, ValueError, KeyError, UserError):
        return None
    found = {}
    for event, of_event in groups.items():
        for group in of_event:
            for entry in group["hooks"]:
                words = [entry["command"], *entry.get("args", [])]
                words = words[words.index(launcher) + 1 :]
                found[event, words[0], tuple(words[1:])] = str(group.get("matcher") or ""), entry
    return found


def _elsewhere(scene: "Scene") -> "Iterator[Finding]":
    if not scene.entries and not scene.plugins:
        return
    for path in scene.project_settings:
        if entries(fsio.read(path, 64 << 20, follow=True), scene.record("hooks")):
            told = f"{path} registers memdir's hooks once more: here each of them runs twice; take out the entries with"
            yield problem("hooks.project", f"{told} hooks/py", edit(path))


def _switched_off(scene: "Scene", path: str) -> "Iterator[Finding]":
    for file in (path, *scene.managed_settings):
        managed = file != path
        settings = settings_in(file)
        mend = f"ask whoever manages {quoted(file)}" if managed else edit(path)
        if settings.get("disableAllHooks") is True:
            yield problem("hooks.disabled", f"{file} switches off every hook (disableAllHooks)", mend)
        if managed and settings.get("allowManagedHooksOnly") is True:
            told = f"{file} lets only hooks run that it names itself (allowManagedHooksOnly)"
            yield problem("hooks.managed_only", told, mend)


def launchers(scene: "Scene") -> "list[str]":
    """The launchers that the user's settings name and that are there; else that of this memdir."""
    found = [one.launcher for one in scene.entries if os.access(one.launcher, os.R_OK)]
    return list(dict.fromkeys(found)) or [ROOT + LAUNCHER]
