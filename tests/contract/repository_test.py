"""What holds for every file of the repository, and for the files that have to agree with each other."""

import json
import os
import re
import stat
import subprocess
from pathlib import Path

import pytest

from support.checkout import ROOT

MANIFEST = ROOT / ".claude-plugin" / "plugin.json"

# /bin/sh of Debian and bash 3.2 of macOS, BSD tools beside GNU's: a parse error there would make a guard do nothing.
NOT_PORTABLE = {
    "associative array": r"\bdeclare\s+-\w*A",
    "mapfile": r"\bmapfile\b",
    "readarray": r"\breadarray\b",
    "${x,,}": r"\$\{\w+,,?\}",
    "${x^^}": r"\$\{\w+\^\^?\}",
    "&>>": r"&>>",
    "|&": r"\|&",
    "case inside $( )": r"\$\([^()]*\bcase\s",
    "sed -i without a suffix": r"\bsed\s+(-\w+\s+)*-i(\s|$)",
    "readlink -f": r"\breadlink\s+-f\b",
    "date -d": r"\bdate\s+(-u\s+)?-d\b",
    "grep -P": r"\bgrep\s+-\w*P",
}


def _files() -> "list[Path]":
    """What git has or would add; in a copy without git, everything but caches."""
    listing = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(listing, capture_output=True, check=False)
    if done.returncode == 0:
        found = [ROOT / os.fsdecode(name) for name in done.stdout.split(b"\0") if name]
    else:
        found = [path for path in ROOT.rglob("*") if "__pycache__" not in path.parts]
    return sorted(path for path in found if path.is_file())


FILES = _files()


def _is_shell(path: Path) -> bool:
    with path.open("rb") as file:
        return re.match(rb"#!.*\b(ba)?sh\b", file.readline(200)) is not None


SHELL_SCRIPTS = [path for path in FILES if _is_shell(path)]


def _label(path: Path) -> str:
    return str(path.relative_to(ROOT))


def _holding(pattern: str) -> "list[str]":
    wanted = re.compile(pattern.encode())
    return [_label(path) for path in FILES if path != Path(__file__) and wanted.search(path.read_bytes())]


def test_no_file_holds_the_address_of_a_package_registry():
    assert _holding(r"https?://[^\s)\"']*\b(registry|pypi|npm|npmjs|simple)\b|index-url|find-links|trusted-host") == []


def test_no_file_holds_a_path_of_this_machine():
    places = (f"{ROOT}", f"{ROOT.parent}/shared", f"{Path.home()}/.")
    assert _holding("|".join(map(re.escape, places))) == []


def test_no_text_file_has_carriage_returns():
    texts = [path for path in FILES if path.suffix != ".png" and ROOT / "tests" / "data" not in path.parents]
    assert [_label(path) for path in texts if b"\r\n" in path.read_bytes()] == []


@pytest.mark.parametrize("path", SHELL_SCRIPTS, ids=_label)
def test_a_shell_script_is_executable(path):
    assert path.stat().st_mode & stat.S_IXUSR


@pytest.mark.parametrize("path", SHELL_SCRIPTS, ids=_label)
def test_a_shell_script_is_portable(path):
    code = re.sub(r"(?m)^\s*#.*$", "", path.read_text("utf-8"))
    assert [name for name, pattern in NOT_PORTABLE.items() if re.search(pattern, code)] == []


def test_the_manifest_at_the_top_is_the_real_one():
    assert (ROOT / "plugin.json").read_bytes() == MANIFEST.read_bytes()


def test_the_newest_entry_of_the_changelog_is_the_version_of_the_manifest():
    changelog = ROOT / "CHANGELOG.md"
    if not changelog.exists():
        pytest.skip("no CHANGELOG.md yet")
    newest = re.search(r"(?m)^## \[?v?(\d+\.\d+\.\d+)", changelog.read_text("utf-8"))
    assert newest is not None
    assert newest[1] == json.loads(MANIFEST.read_bytes())["version"]


def test_the_version_stands_in_the_manifest_alone():
    marketplace = json.loads((ROOT / ".claude-plugin" / "marketplace.json").read_bytes())
    assert all("version" not in plugin for plugin in marketplace["plugins"])
    assert not re.search(r"(?m)^version\s*=", (ROOT / "pyproject.toml").read_text("utf-8"))
