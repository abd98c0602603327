"""The worker's environment: a directory `venv-HASH` of the state directory with the packages of requirements.txt.

HASH stands for the packages and the Python they are for, so an environment is made once and replaced by another, never
changed. Its stamp is written last: without one it is the remains of a build that was killed.
"""

import hashlib
import os
import re
import shutil
import subprocess
import time

from memdir import fsio, jsonio, redact, store
from memdir_cli import programs
from memdir_cli.interpreter import LEAST_FOR_PACKAGES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

STAMP = "memdir.json"
REQUIREMENTS, DETECTOR = "requirements.txt", "requirements-detector.txt"
_PREFIX = "venv-"
_NAME = re.compile(_PREFIX + r"[0-9a-f]{12}")
_TIMEOUT_S = 900.0  # for one step of a build, on a slow line
_TOLD_LINES, _TOLD_CHARS = 4, 300  # of what a failed step printed
# The person's own configuration of pip and uv counts (a mirror, a proxy, a certificate), except what would put the
# packages elsewhere or start another Python.
_LEFT_OUT = ("PYTHON", "CONDA", "VIRTUAL_ENV", "__PYVENV", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_USER",
             "PIP_PYTHON", "PIP_REQUIREMENT", "PIP_REQUIRE", "UV_PYTHON", "UV_PROJECT", "UV_SYSTEM", "UV_TARGET",
             "UV_PREFIX", "MEMDIR_")  # fmt: skip


class Built:
    """How a build ended: `site_packages` or, if it is "", the reason; `note`: what is missing nevertheless."""

    def __init__(self, site_packages: str = "", reason: str = "", note: str = "") -> None:
        self.site_packages = site_packages
        self.reason = reason
        self.note = note


class Status:
    """What `memdir doctor` wants to know of an environment."""

    def __init__(self, stamp: "dict[str, Any]", packages: "dict[str, tuple[str, str]]") -> None:
        self.whole = bool(stamp)  # False: its build was killed
        self.python = str(stamp.get("python", ""))  # the interpreter it was made for
        self.version = str(stamp.get("version", ""))  # of that, as "3.12"
        self.packages = packages  # name → (version that is pinned, version that is there or "")


def status(site_packages: str, root: str) -> Status:
    """The environment that the install record names, next to the requirements of the memdir in `root`."""
    there = {}
    for entry in os.listdir(site_packages) if os.path.isdir(site_packages) else []:
        name, _, version = entry[: -len(".dist-info")].partition("-") if entry.endswith(".dist-info") else ("", "", "")
        there[_normal(name)] = version
    pinned = {**_pins(f"{root}/{REQUIREMENTS}"), **_pins(f"{root}/{DETECTOR}")}
    packages = {name: (version, there.get(_normal(name), "")) for name, version in pinned.items()}
    return Status(_stamp(site_packages.rpartition("/lib/")[0]), packages)


def build(state: str, python: str, root: str, say: "Callable[[str], None]") -> Built:
    """Makes the environment for the interpreter `python`, unless it is there; `say` gets sentences for the person.

    Whatever prevents it is the reason in what comes back.
    """
    try:
        return _build(state, python, root, say)
    except OSError as error:
        return Built(reason=store.shown(f"{error.filename or state}: {error.strerror or error}"))
    except subprocess.SubprocessError as error:
        return Built(reason=store.shown(str(error)))


def _build(state: str, python: str, root: str, say: "Callable[[str], None]") -> Built:
    version = _version(python)
    if not version:
        return Built(reason=f"{store.shown(python)} does not run")
    if tuple(int(part) for part in version.rstrip("t").split(".")) < LEAST_FOR_PACKAGES:
        least = "{}.{}".format(*LEAST_FOR_PACKAGES)
        return Built(reason=f"they need Python {least} or newer, and this is {version}; install one, then run again")
    folder = _folder(state, python, version, root)
    stamp = _stamp(folder)
    if stamp and os.path.isdir(str(stamp.get("site_packages"))):
        if not stamp.get("note"):
            return Built(str(stamp["site_packages"]))
    else:
        shutil.rmtree(folder, ignore_errors=True)
        say(f"{store.shown(os.path.basename(folder))}: this may take a minute")
        stamp = {}
    try:
        return _make(folder, python, version, root, stamp)
    except BaseException:
        if not stamp:  # what is there already, without its detector, stays
            shutil.rmtree(folder, ignore_errors=True)
        raise


def remove_others(state: str, keep: "list[str]") -> None:
    """Removes the environments of `state` but those that hold one of the directories `keep`."""
    for folder in folders(state):
        if not [path for path in keep if path.startswith(folder + "/")]:
            fsio.remove(f"{folder}/{STAMP}")  # first: killed half-way, it is no environment
            shutil.rmtree(folder, ignore_errors=True)


def folders(state: str) -> "list[str]":
    """The environments that are there, whole or not."""
    names = os.listdir(state) if os.path.isdir(state) else []
    return [f"{state}/{name}" for name in names if is_one(name)]


def is_one(name: str) -> bool:
    """Whether an environment of ours may have this name: people call theirs venv-something, too."""
    return bool(_NAME.fullmatch(name))


def fits(site_packages: str, python: str) -> bool:
    """Whether these packages are there, whole, and for the version of the interpreter `python`."""
    stamp = _stamp(site_packages.rpartition("/lib/")[0])
    return os.path.isdir(site_packages) and stamp.get("version") == _version(python)


def _make(folder: str, python: str, version: str, root: str, stamp: "dict[str, Any]") -> Built:
    """Makes what is missing, and the stamp."""
    uv = programs.find("uv", os.environ)
    if not stamp:
        reason = _with_uv(uv, folder, python, root) if uv else "no uv"
        tool = "uv" if not reason else "pip"
        reason = reason and _with_pip(folder, python, root)
        if reason:
            shutil.rmtree(folder, ignore_errors=True)
            return Built(reason=reason)
        site = _site_packages(folder)
        if not os.path.isdir(site):
            shutil.rmtree(folder, ignore_errors=True)
            return Built(reason=f"{tool} made no place for packages in {store.shown(folder)}")
        stamp = {"python": python, "version": version, "tool": tool, "site_packages": site}
    detector = ["--only-binary", ":all:", "-r", f"{root}/{DETECTOR}"]
    install = _pip(folder) if stamp.get("tool") == "pip" else _uv(uv or "uv", folder)
    failed = _run([*install, *detector], folder)
    note = f"no second look for secrets, redaction works without: {failed}" if failed else ""
    fsio.write(f"{folder}/{STAMP}", jsonio.dumps({**stamp, "note": note, "t": int(time.time())}).encode(), durable=True)
    return Built(str(stamp["site_packages"]), note=note)


def _with_uv(uv: str, folder: str, python: str, root: str) -> str:
    """Why it could not be done, "" if it was."""
    made = _run([uv, "venv", "--quiet", "--no-project", "--python", python, folder], os.path.dirname(folder))
    if not made and not os.path.exists(f"{folder}/bin/python"):
        made = "uv made no virtual environment"
    made = made or _run([*_uv(uv, folder), "-r", f"{root}/{REQUIREMENTS}"], folder)
    if made:
        shutil.rmtree(folder, ignore_errors=True)
    return made


def _with_pip(folder: str, python: str, root: str) -> str:
    """Why it could not be done, "" if it was."""
    if _run([python, "-I", "-c", "import ensurepip, venv"], os.path.dirname(folder)):
        mend = "sudo apt-get install python3-venv" if shutil.which("apt-get") else "install its venv and ensurepip"
        return f"{store.shown(python)} cannot make virtual environments: {mend}, then `memdir install`"
    made = _run([python, "-I", "-m", "venv", folder], os.path.dirname(folder))
    return made or _run([*_pip(folder), "-r", f"{root}/{REQUIREMENTS}"], folder)


def _uv(uv: str, folder: str) -> "list[str]":
    return [uv, "pip", "install", "--quiet", "--python", f"{folder}/bin/python"]


def _pip(folder: str) -> "list[str]":
    options = ["--quiet", "--disable-pip-version-check", "--no-input", "--retries", "1", "--timeout", "15"]
    return [f"{folder}/bin/python", "-I", "-m", "pip", "install", *options]


def _run(command: "list[str]", cwd: str) -> str:
    """Runs one step of a build; "" if it went well, else the end of what it printed, without credentials."""
    fsio.make_dir(cwd)
    env = {name: value for name, value in os.environ.items() if not name.startswith(_LEFT_OUT)}
    env = {"UV_HTTP_TIMEOUT": "15", "UV_HTTP_RETRIES": "1", **env, "UV_PYTHON_DOWNLOADS": "never"}
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env, cwd=cwd,
            timeout=_TIMEOUT_S, check=False,
        )  # fmt: skip
    except OSError as error:
        return f"{store.shown(command[0])}: {error.strerror}"
    except subprocess.TimeoutExpired:
        return f"{os.path.basename(command[0])} took longer than {_TIMEOUT_S:.0f} s"
    if done.returncode == 0:
        return ""
    text = redact.clean(_without_users(done.stdout.decode("utf-8", "replace")))
    lines = [store.shown(" ".join(line.split())) for line in text.splitlines() if line.strip()]
    told = [line if len(line) <= _TOLD_CHARS else line[:_TOLD_CHARS] + "…" for line in lines[-_TOLD_LINES:]]
    return " | ".join(told) or f"{os.path.basename(command[0])} ended with status {done.returncode}"


def _without_users(text: str) -> str:
    """Addresses without user and password, which may have any letter: all of a word up to its last @ goes."""
    return re.sub(r"\S*@(?=\S)", "", re.sub(r"(?<=://)\S*@", "", text))


def _version(python: str) -> str:
    """The version of an interpreter as its packages know it, "3.12" or "3.13t"; "" if it does not run."""
    code = "import sys; print('%d.%d%s' % (*sys.version_info[:2], getattr(sys, 'abiflags', '')))"
    command = [python, "-I", "-S", "-c", code]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    version = done.stdout.decode("ascii", "replace").strip()
    return version if re.fullmatch(r"3\.[0-9]+t?", version) else ""


def _folder(state: str, python: str, version: str, root: str) -> str:
    parts = [fsio.read(f"{root}/{name}", 1 << 16, follow=True) or b"" for name in (REQUIREMENTS, DETECTOR)]
    name = hashlib.sha256(b"\0".join([*parts, version.encode(), os.fsencode(python)])).hexdigest()[:12]
    return f"{state}/{_PREFIX}{name}"


def _site_packages(folder: str) -> str:
    command = [f"{folder}/bin/python", "-I", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)
    return os.fsdecode(done.stdout).strip()


def _stamp(folder: str) -> "dict[str, Any]":
    try:
        stamp = jsonio.loads(fsio.read(f"{folder}/{STAMP}", 1 << 16) or b"")
    except ValueError:
        return {}
    return stamp if isinstance(stamp, dict) else {}


def _pins(path: str) -> "dict[str, str]":
    """What a requirements file pins: name → version."""
    lines = (fsio.read(path, 1 << 16, follow=True) or b"").decode("utf-8", "replace").splitlines()
    found = [line.split(";")[0].partition("==") for line in lines if "==" in line and not line.startswith("#")]
    return {name.strip(): version.strip() for name, _, version in found}


def _normal(name: str) -> str:
    """The one spelling of a package's name that its index, its files and its users share."""
    return re.sub(r"[-_.]+", "_", name).lower()
