"""The block for a report of a fault: what helps to find it, and nothing that says whose machine it is.

No path, name, host, project, prompt, memory or URL gets in: numbers and words that memdir knows by itself, and a few
of the system's, each held against a form that only such a word has.
"""

import builtins
import functools
import os
import re
import sys

from memdir import config, fsio, index, queue, store
from memdir_cli import main
from memdir_cli.checks import client, failures
from memdir_cli.checks.scene import LAUNCHER
from memdir_cli.installation import ROOT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from memdir_cli.checks.finding import Finding
    from memdir_cli.checks.scene import Scene

_ERRORS = 5
_UNKNOWN = "?"
# memdir.log.describe: a type, a number, a place in our code
_ERROR = re.compile(r"([A-Za-z]+)(?: \d{1,5})?(?: at (\w+\.py):\d{1,5})?")
_OUR_ERRORS = ("MemdirError", "UserError", "Unreadable", "JSONDecodeError", "TimeoutExpired", "CalledProcessError")
_HOOK = re.compile(r"worker|[a-z]+(_[a-z]+){0,3}")
_RELEASE = re.compile(r"\d+(\.\d+){0,3}")
_SYSTEMS = (
    "alpine almalinux amzn arch centos debian fedora gentoo kali linuxmint manjaro nixos opensuse-leap"
    " opensuse-tumbleweed pop raspbian rhel rocky sles ubuntu void wolfi"
).split()
_FILE_SYSTEM = re.compile(r"[a-z][a-z0-9]{1,11}(\.(sshfs|ntfs|gcsfuse|s3fs|rclone|portal|encfs|gocryptfs))?")
_LOCALE = re.compile(
    r"(C|POSIX|[a-z]{2}_[A-Z]{2})(\.(utf-?8|iso-?8859-?\d{1,2}|gbk|gb18030|euc-?jp|big5))?", re.IGNORECASE
)


def block(scene: "Scene", findings: "Iterable[Finding]") -> str:
    seen = [one for one in findings if one.level != "ok"]
    problems = sorted({one.code for one in seen if one.level == "problem"})
    notes = sorted({one.code for one in seen if one.level == "note"} - set(problems))
    rows = [
        ("memdir", f"{main.version()} ({_installed_as(scene)})"),
        ("system", _system()),
        ("python", f"{_number(sys.version_info[:3])} here, {_recorded(scene)} recorded"),
        ("client", _number(client.version(scene) or ()) if client.program(scene) else "not on PATH"),
        ("file systems", f"state {_file_system(scene.state)}, memory {_file_system(_memory(scene))}"),
        ("locale", _locale(scene)),
        ("own memory", "on" if scene.project.native_memory_on() else "off"),
        ("back end", _back_end(scene)),
        ("counts", _counts(scene)),
        ("problems", " ".join(problems) or "none"),
        ("notes", " ".join(notes) or "none"),
        ("errors", "; ".join(_errors(scene)) or "none"),
    ]
    return "\n".join([f"{name + ':':13} {value}" for name, value in rows])


def _installed_as(scene: "Scene") -> str:
    names = []
    for root in dict.fromkeys([one.launcher[: -len(LAUNCHER)] for one in scene.entries]):
        names.append("copy" if scene.place and os.path.realpath(root) == os.path.realpath(scene.place.app) else "link")
    names += ["plugin"] if scene.plugins else []
    return ", ".join(names) or ("plugin" if "/plugins/" in ROOT else "checkout")


def _system() -> str:
    system = os.uname()
    kind = system.sysname if system.sysname in ("Linux", "Darwin", "FreeBSD") else _UNKNOWN
    release = _RELEASE.match(system.release)
    wsl = ", WSL" if "microsoft" in system.release.lower() else ""
    machine = system.machine if system.machine in ("x86_64", "aarch64", "arm64", "armv7l", "riscv64") else _UNKNOWN
    parts = [kind, release.group() if release else _UNKNOWN, machine]
    return " ".join(parts) + wsl + "".join([f", {word}" for word in (_distribution(), _libc()) if word])


def _distribution() -> str:
    fields = {}
    for line in (fsio.read("/etc/os-release", 65_536, follow=True) or b"").decode("utf-8", "replace").splitlines():
        name, _, value = line.partition("=")
        fields[name] = value.strip("\"'")
    if fields.get("ID") not in _SYSTEMS:
        return ""
    version = _RELEASE.fullmatch(fields.get("VERSION_ID", ""))
    return fields["ID"] + (f" {version.group()}" if version else "")


def _libc() -> str:
    try:
        name = os.confstr("CS_GNU_LIBC_VERSION") or ""
    except (ValueError, OSError):
        name = ""
    return name if re.fullmatch(r"glibc \d+\.\d+", name) else "no glibc" if sys.platform == "linux" else ""


def _recorded(scene: "Scene") -> str:
    return (scene.python.number or "a broken one") if scene.python else "none"


def _number(parts: "tuple[int, ...]") -> str:
    return ".".join([str(part) for part in parts]) or _UNKNOWN


def _memory(scene: "Scene") -> str:
    return scene.memory.path if scene.memory else ""


def _file_system(path: str) -> str:
    """The type of the file system that a path lies on, or would."""
    mounts = (fsio.read("/proc/self/mounts", 1 << 20) or b"").decode("utf-8", "surrogateescape").splitlines()
    real = os.path.realpath(path) if path else ""
    best, kind = "", ""
    for line in mounts:
        fields = line.split(" ")
        point = re.sub(r"\\([0-7]{3})", lambda found: chr(int(found.group(1), 8)), fields[1]) if len(fields) > 2 else ""
        if point and (real + "/").startswith(point.rstrip("/") + "/") and len(point) >= len(best):
            best, kind = point, fields[2]
    return kind if _FILE_SYSTEM.fullmatch(kind) else _UNKNOWN


def _locale(scene: "Scene") -> str:
    value = next((scene.env[name] for name in ("LC_ALL", "LC_CTYPE", "LANG") if scene.env.get(name)), "")
    return value if _LOCALE.fullmatch(value) else "other" if value else "not set"


def _back_end(scene: "Scene") -> str:
    value = str(config.load(scene.env, "").values.get("llm", "off"))
    return value if value in ("off", "anthropic", "claude") else _UNKNOWN


def _counts(scene: "Scene") -> str:
    folder = _memory(scene)
    content = store.index_text(folder) if folder else None
    from memdir import enforcement

    book = enforcement.Session(scene.cwd, "", scene.env, scene.state).rules()
    jobs = [len(queue.read(scene.state, place)) for place in (queue.PENDING, queue.RUNNING, queue.FAILED)]
    return (
        f"{len(store.scan(folder).files) if folder else 0} topics, {index.load(content or '').lines} index lines,"
        f" {len(book.files)} rule files, queue {jobs[0]} pending {jobs[1]} running {jobs[2]} failed"
    )


def _errors(scene: "Scene") -> "list[str]":
    """The last errors of the log: they hold nothing private, unless somebody else wrote them there."""
    found = []
    for line in failures.runs(scene)[-_ERRORS:]:
        hook = line.get("hook")
        name = hook if isinstance(hook, str) and _HOOK.fullmatch(hook) and _is_ours(hook) else _UNKNOWN
        errors = [str(error) for error in line["errors"][:3]]
        found += [f"{name}: {error if _is_described(error) else '(not shown)'}" for error in errors]
    return found


def _is_described(error: str) -> bool:
    """Whether a text is what memdir.log.describe makes: a known kind of error, in a file of ours or of Python's."""
    parts = _ERROR.fullmatch(error)
    if not parts:
        return False
    known = getattr(builtins, parts[1], None)
    kind = parts[1] in _OUR_ERRORS or (isinstance(known, type) and issubclass(known, BaseException))
    return kind and (parts[2] is None or parts[2] in _files())


@functools.cache
def _files() -> "frozenset[str]":
    ours = [name for part in ("lib", "hooks") for _, _, names in os.walk(f"{ROOT}/{part}") for name in names]
    return frozenset([*ours, *os.listdir(os.path.dirname(os.__file__))])


def _is_ours(hook: str) -> bool:
    return hook == "worker" or os.path.isfile(f"{ROOT}/lib/memdir/events/{hook}.py")
