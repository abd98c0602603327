"""Which memory directory belongs to a session, and whether Claude Code loads it itself.

The rules are those of Claude Code 2.1.332, recorded from the real client in tests/data/memory_dirs.json. `cwd` is
always the directory that the session was started in: CLAUDE_PROJECT_DIR in a hook, whose payload's `cwd` moves with
`cd`. What a hook cannot see is a `--settings` argument of the client's command line.
"""

import os
import sys

from memdir import fsio, jsonio, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Optional

KEY_UNITS = 200  # a longer key is cut here and ends in a hash
SETTINGS_BYTES = 16 << 20
MANAGED = "/Library/Application Support/ClaudeCode" if sys.platform == "darwin" else "/etc/claude-code"
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_KEPT = frozenset(range(48, 58)) | frozenset(range(65, 91)) | frozenset(range(97, 123))  # 0-9 A-Z a-z
_NAME = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
_ALWAYS_OFF = ("CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_SAFE_MODE", "CLAUDE_CODE_RESTRICTED")  # whatever else is set
_YES, _NO = ("1", "true", "yes", "on"), ("0", "false", "no", "off")


class MemoryDir:
    """A memory directory; its source is "default", "environment" or a scope: user, project, local, managed."""

    def __init__(self, path: str, source: str) -> None:
        self.path = path
        self.source = source


class Project:
    """What the settings and variables say about a session started in `cwd`; they are read once."""

    def __init__(self, cwd: str, env: "Mapping[str, str]") -> None:
        self._env = env
        self._config = paths.claude_config_dir(env)
        real = _is_path(cwd)
        self._absolute = real and cwd.startswith("/")
        self._root = main_root(os.path.realpath(cwd)) if real else ""
        self._scopes = _scopes(cwd, self._root, self._config, env) if real else []

    def memory_dir(self) -> "Optional[MemoryDir]":
        """The memory directory; it need not exist. None when it cannot be known."""
        env = self._env
        if not self._absolute or not self._config:
            return None
        override = env.get("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", "")
        if override.startswith("/"):
            return MemoryDir(override.rstrip("/"), "environment")
        chosen = None
        for scope, settings in self._scopes:
            value = settings.get("autoMemoryDirectory")
            if value is not None:
                chosen = scope, value  # a later scope's word counts, even if it cannot be used
        if chosen:
            path = _usable(str(chosen[1]), env)
            if path:
                return MemoryDir(path, chosen[0])
        remote = env.get("CLAUDE_CODE_REMOTE_MEMORY_DIR", "")
        name = env.get("CLAUDE_CODE_PROJECT_DIR_NAME", "")
        if remote or not env.get("CLAUDE_CONFIG_DIR") or not _is_name(name):
            name = project_key(self._root)
        return MemoryDir(f"{remote.rstrip('/') or self._config}/projects/{name}/memory", "default")

    def native_memory_on(self) -> bool:
        """Whether Claude Code's own auto memory is on: then it loads the index itself."""
        env = self._env
        enabled = True
        switch = env.get("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "")
        for _, settings in self._scopes:
            value = settings.get("autoMemoryEnabled")
            enabled = enabled if value is None else bool(value)
            variables = settings.get("env")
            if isinstance(variables, dict):  # a hook inherits these, the command line does not
                switch = str(variables.get("CLAUDE_CODE_DISABLE_AUTO_MEMORY", switch))
        if any([_word(env.get(name, "")) in _YES for name in _ALWAYS_OFF]):
            return False
        switch = _word(switch)
        if switch in _YES or switch in _NO:
            return switch in _NO
        elsewhere = env.get("CLAUDE_CODE_REMOTE_MEMORY_DIR") or env.get("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE")
        return enabled and bool(elsewhere or _word(env.get("CLAUDE_CODE_REMOTE", "")) not in _YES)


def _is_name(text: str) -> bool:
    """Whether a name may stand for the project: 64 harmless characters, and no device of Windows."""
    device = text.lower() in ("con", "prn", "aux", "nul") or (text[:3].lower() in ("com", "lpt") and len(text) == 4)
    return 0 < len(text) <= 64 and _NAME.issuperset(text) and not device


def _is_path(text: str) -> bool:
    """Whether the system can take it for a path: no NUL, nothing that no file name is written in."""
    try:
        return bool(text) and b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False


def _word(text: str) -> str:
    return text.strip().lower()


def project_key(path: str) -> str:
    """The name under projects/ of a directory: every UTF-16 unit but ASCII letters and digits becomes a dash.

    Over KEY_UNITS it is cut and ends in the hash of the whole path, h = 31 h + unit in 32 bits, in base 36.
    """
    units = list(path.encode("ascii")) if path.isascii() else _utf16(path)
    key = "".join([chr(unit) if unit in _KEPT else "-" for unit in units])
    if len(key) <= KEY_UNITS:
        return key
    value = 0
    for unit in units:
        value = (value * 31 + unit) & 0xFFFFFFFF
    value = abs(value - (1 << 32) if value >> 31 else value)
    digits = "" if value else "0"
    while value:
        value, digit = divmod(value, 36)
        digits = _DIGITS[digit] + digits
    return f"{key[:KEY_UNITS]}-{digits}"


def _utf16(text: str) -> "list[int]":
    raw = text.encode("utf-16-le", "surrogatepass")
    return [low | high << 8 for low, high in zip(raw[::2], raw[1::2])]


def main_root(real_cwd: str) -> str:
    """The root of the main worktree of the repository around a directory; the directory itself where there is none.

    A linked worktree counts only if the repository knows it: its entry there must name this `.git` file, or anybody's
    directory could claim a foreign project's memory. A worktree of a repository without a main one has the
    repository's own directory.
    """
    root = worktree_root(real_cwd)
    marker = root + "/.git"
    if not root or os.path.isdir(marker):
        return root or real_cwd
    entry = _path_in(marker, "gitdir:", root)
    common = _path_in(entry + "/commondir", "", entry) if entry else ""
    if not common or os.path.realpath(_path_in(entry + "/gitdir", "", entry)) != os.path.realpath(marker):
        return root
    common = os.path.realpath(common)
    return os.path.dirname(common) if os.path.basename(common) == ".git" else common


def worktree_root(folder: str) -> str:
    """The nearest directory with a `.git` (directory or file) from `folder` upwards; "" if there is none."""
    while not os.path.isdir(folder + "/.git") and not os.path.isfile(folder + "/.git"):
        parent = os.path.dirname(folder)
        if parent == folder:
            return ""
        folder = parent
    return folder


def _path_in(file: str, prefix: str, base: str) -> str:
    """The path that a file of git's holds, relative to `base`; "" for anything else, a link included."""
    text = (fsio.read(file, 8192) or b"").decode("utf-8", "surrogateescape").strip()
    path = text[len(prefix) :].strip()
    if not text.startswith(prefix) or not path or "\0" in path:
        return ""
    return os.path.normpath(os.path.join(base, path))


def _scopes(cwd: str, root: str, config: str, env: "Mapping[str, str]") -> "list[tuple[str, dict[str, Any]]]":
    """The settings that count, the weakest first.

    Project settings are those of `cwd` itself; so are local ones, but those of `root`, where the main worktree begins,
    are stronger: if it is a worktree of the user's own and not the home directory.
    """
    local = "/.claude/settings.local.json"
    found = [
        ("user", _settings(config + "/settings.json")),
        ("project", _settings(cwd + "/.claude/settings.json")),
        ("local", _settings(cwd + local)),
        ("local", _settings(root + local) if root != cwd and _is_own_worktree(root, env) else {}),
        ("managed", _settings(MANAGED + "/managed-settings.json")),
        *[("managed", _settings(file)) for file in _drop_ins()],
    ]
    return [(scope, settings) for scope, settings in found if settings]


def _drop_ins() -> "list[str]":
    """Further files of managed settings, the last by name being the strongest."""
    folder = MANAGED + "/managed-settings.d"
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    return [f"{folder}/{name}" for name in names if name.endswith(".json") and name[0] != "."]


def _is_own_worktree(root: str, env: "Mapping[str, str]") -> bool:
    try:
        mine = os.stat(root + "/.git").st_uid == os.getuid()
    except OSError:
        return False
    return mine and worktree_root(root) == root and root != os.path.realpath(paths.home(env))


def _settings(file: str) -> "dict[str, Any]":
    """A settings file; empty if it cannot be read or holds a value of the wrong type where we look.

    The client drops a file in which any key has the wrong type; we know only ours.
    """
    raw = fsio.read(file, SETTINGS_BYTES, follow=True)
    try:
        value = jsonio.loads(raw) if raw else None
    except ValueError:
        return {}
    if not isinstance(value, dict):
        return {}
    directory, enabled = value.get("autoMemoryDirectory", ""), value.get("autoMemoryEnabled", True)
    return value if isinstance(directory, str) and isinstance(enabled, bool) else {}


def _usable(value: str, env: "Mapping[str, str]") -> str:
    """The directory that a setting names: absolute or `~/…` below home, and more than one level below the root."""
    if value.startswith("~/"):
        below = os.path.normpath(value[2:] or ".")
        value = f"{paths.home(env)}/{below}" if below.split("/")[0] not in (".", "..") else ""
    if not paths.is_path(value):
        return ""
    path = paths.composed("/" + os.path.normpath(value).lstrip("/"))  # though no project key is
    return path if path.count("/") > 1 else ""
