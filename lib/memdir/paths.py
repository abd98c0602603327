"""Where things are: the state directory, memdir's configuration, the install record, a session's files."""

import os
import sys

from memdir import fsio

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

LONGEST = 4096  # bytes of a path, Linux's PATH_MAX; macOS has 1024
_ID_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-")


def home(env: "Mapping[str, str]") -> str:
    """The home directory: HOME when it is absolute, else the password database's word, else ""."""
    value = env.get("HOME", "")
    if value.startswith("/"):
        return value.rstrip("/")
    try:
        import pwd  # only where a service runs without HOME

        return pwd.getpwuid(os.getuid()).pw_dir
    except (ImportError, KeyError):
        return ""


def expand(value: str, env: "Mapping[str, str]") -> str:
    """An absolute path from a setting: `~/x` and `$HOME/x` are understood, a relative path is refused as ""."""
    for prefix in ("~", "$HOME", "${HOME}"):
        if value == prefix or value.startswith(prefix + "/"):
            user = home(env)
            return user + value[len(prefix) :] if user else ""
    return value if value.startswith("/") else ""


def is_path(text: str) -> bool:
    """Whether the system can take it for an absolute path: no NUL, no lone surrogate, not too long."""
    try:
        raw = os.fsencode(text)
    except UnicodeEncodeError:
        return False
    return raw[:1] == b"/" and b"\0" not in raw and len(raw) <= LONGEST


def composed(path: str) -> str:
    """A path with composed letters (NFC), as the client has those it is given by name."""
    if path.isascii():
        return path
    import unicodedata  # a shared library that plain paths do without

    return unicodedata.normalize("NFC", path)


def claude_config_dir(env: "Mapping[str, str]") -> str:
    """Claude Code's configuration directory: CLAUDE_CONFIG_DIR, else ~/.claude; "" when neither can be known.

    The client takes the variable as it is, composed (NFC) and relative to the working directory, even when empty.
    """
    chosen = env.get("CLAUDE_CONFIG_DIR")
    if chosen is not None:
        return os.path.abspath(composed(chosen))
    user = home(env)
    return user + "/.claude" if user else ""


def record(name: str, env: "Mapping[str, str]") -> str:
    """One line of the install record (`python`, `state_dir`, `site_packages`); "" when it is not there."""
    folder = claude_config_dir(env)
    raw = fsio.read(f"{folder}/memdir/{name}", 4096) if folder else None
    return raw.decode("utf-8", "surrogateescape").split("\n", 1)[0] if raw else ""


def state_dir(env: "Mapping[str, str]") -> str:
    """memdir's own files: MEMDIR_DATA_DIR, else the install record, else the user state directory of the system.

    The last equals platformdirs' `user_state_dir("memdir")`, known by heart because importing it costs three
    interpreter starts; only a relative XDG path, which the XDG specification forbids, is ignored here. "" when there is
    no home directory either.
    """
    chosen = expand(env.get("MEMDIR_DATA_DIR", ""), env) or expand(record("state_dir", env), env)
    if chosen:
        return chosen
    if sys.platform != "darwin" and env.get("XDG_STATE_HOME", "").startswith("/"):
        return os.path.join(env["XDG_STATE_HOME"], "memdir")
    user = home(env)
    if not user:
        return ""
    return user + ("/Library/Application Support/memdir" if sys.platform == "darwin" else "/.local/state/memdir")


def config_file(env: "Mapping[str, str]") -> str:
    """The user's configuration file: MEMDIR_CONFIG, else config.yaml where platformdirs' `user_config_dir` says."""
    chosen = expand(env.get("MEMDIR_CONFIG", ""), env)
    if chosen:
        return chosen
    if sys.platform != "darwin" and env.get("XDG_CONFIG_HOME", "").startswith("/"):
        return os.path.join(env["XDG_CONFIG_HOME"], "memdir", "config.yaml")
    user = home(env)
    if not user:
        return ""
    folder = "/Library/Application Support/memdir" if sys.platform == "darwin" else "/.config/memdir"
    return user + folder + "/config.yaml"


def session_name(session_id: str) -> str:
    """The one way from a session id to a file name: itself if harmless, else `x-` and 32 hex of its SHA-256."""
    if 0 < len(session_id) <= 64 and _ID_LETTERS.issuperset(session_id):
        return session_id
    import hashlib  # never for the ids that Claude Code gives

    return "x-" + hashlib.sha256(session_id.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def session_file(state_dir: str, session_id: str, name: str) -> str:
    """A file with what memdir knows of a session; "" without a state directory or a session."""
    return f"{state_dir}/sessions/{session_name(session_id)}/{name}" if state_dir and session_id else ""


def under(path: str, folder: str) -> bool:
    """Whether `path`, links resolved, lies below `folder`."""
    real, root = os.path.realpath(path), os.path.realpath(folder)
    return real.startswith(root.rstrip("/") + "/")
