"""The worker's environment where it cannot be made, and what is said of one that is there."""

import json
import os
from pathlib import Path

import pytest

from memdir_cli import environment
from support.checkout import ROOT, running_python


@pytest.fixture
def build(state_dir, monkeypatch):
    """build(python=...) -> (what came of it, what the person was told); without any network."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)

    def call(python=None):
        told = []
        return environment.build(str(state_dir), str(python or running_python()), str(ROOT), told.append), told

    return call


def script(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def pretend_python(path, version="3.12", more="exit 0"):
    """An interpreter that tells its version, and does `more` when it is asked for something else."""
    return script(path, f'case "$*" in *abiflags*) echo {version} ;; *) {more} ;; esac')


def made(state_dir, site="lib/python3.12/site-packages", **stamp):
    """An environment as a build leaves it."""
    folder = state_dir / "venv-0123456789ab"
    (folder / site).mkdir(parents=True)
    if stamp:
        (folder / environment.STAMP).write_text(json.dumps({"site_packages": str(folder / site), **stamp}))
    return folder / site


def test_an_old_python_is_told_at_once(build, tmp_path):
    built, told = build(pretend_python(tmp_path / "python3", "3.9"))
    assert built.reason == "they need Python 3.10 or newer, and this is 3.9; install one, then run again"
    assert told == []


@pytest.mark.parametrize("text", ["exit 1", "exec /nowhere"])
def test_a_python_that_does_not_run_is_told(build, tmp_path, text):
    built, _ = build(script(tmp_path / "python3", text))
    assert built.reason == f"{tmp_path}/python3 does not run"


def test_a_python_without_ensurepip_is_told_what_to_install(build, tmp_path):
    built, _ = build(pretend_python(tmp_path / "python3", more='case "$*" in *ensurepip*) exit 1 ;; esac'))
    assert "cannot make virtual environments" in built.reason
    assert "then `memdir install`" in built.reason


def test_a_uv_that_fails_gives_way_to_pip(build, tmp_path, state_dir, monkeypatch):
    used = tmp_path / "used"
    uv = script(tmp_path / "bin" / "uv", f'echo "$@" >> "{used}"; exit 1')
    monkeypatch.setenv("PATH", f"{uv.parent}:{os.environ['PATH']}")
    built, _ = build(pretend_python(tmp_path / "python3", more="echo pip was here; exit 1"))
    assert used.read_text().startswith("venv ")
    assert "cannot make virtual environments" in built.reason
    assert environment.folders(str(state_dir)) == []


def test_a_uv_in_a_relative_directory_is_not_started(build, tmp_path, monkeypatch):
    ran = tmp_path / "ran"
    script(tmp_path / "bin" / "uv", f'touch "{ran}"')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"bin:{os.environ['PATH']}")
    build(pretend_python(tmp_path / "python3", more="exit 1"))
    assert not ran.exists()


@pytest.mark.parametrize(
    "address",
    [
        "https://jane:hunter22@mirror.example/",
        "https://tok3n@mirror.example/",
        "https://jane:hunt@er22@mirror.example/",
        "https://jane:hunt/er22@mirror.example/x",
        "jane:hunter22@mirror.example:3128",
        "'jane@corp:hunt/er22@mirror.example:3128'",
    ],
)
def test_credentials_of_a_mirror_are_not_shown(build, tmp_path, address):
    (tmp_path / "said").write_text(f"Looking in {address} now\n")
    more = f'case "$*" in *ensurepip*) ;; *) cat "{tmp_path}/said"; exit 1 ;; esac'
    built, _ = build(pretend_python(tmp_path / "python3", more=more))
    assert "Looking in" in built.reason
    assert "mirror.example" in built.reason
    for secret in ("jane", "hunt", "er22", "tok3n"):
        assert secret not in built.reason


def test_what_a_step_prints_cannot_act_on_the_terminal(build, tmp_path):
    more = 'case "$*" in *ensurepip*) ;; *) printf "bad \\033[2J\\007\\n"; exit 1 ;; esac'
    built, _ = build(pretend_python(tmp_path / "python3", more=more))
    assert built.reason.startswith("bad")
    assert built.reason.isprintable()


def test_variables_that_lead_astray_do_not_reach_it(build, tmp_path, monkeypatch):
    seen = tmp_path / "seen"
    for name in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "PIP_TARGET", "MEMDIR_CHILD"):
        monkeypatch.setenv(name, "/astray")
    monkeypatch.setenv("PIP_INDEX", "the person's own")
    build(pretend_python(tmp_path / "python3", more=f'env > "{seen}"; exit 1'))
    assert "/astray" not in seen.read_text()
    assert "PIP_INDEX=the person's own" in seen.read_text()


def test_the_status_tells_what_is_pinned_and_what_is_there(state_dir):
    site = made(state_dir, python="/usr/bin/python3", version="3.12")
    for name in ("PyYAML-6.0.4", "platformdirs-1.0", "typing_extensions-4.0"):
        (site / f"{name}.dist-info").mkdir()
    status = environment.status(str(site), str(ROOT))
    assert (status.whole, status.python, status.version) == (True, "/usr/bin/python3", "3.12")
    assert set(status.packages) == {"PyYAML", "platformdirs", "anthropic", "kingfisher-secret-scanner"}
    assert status.packages["PyYAML"][1] == "6.0.4" == status.packages["PyYAML"][0]
    assert status.packages["platformdirs"][1] == "1.0" != status.packages["platformdirs"][0]
    assert status.packages["anthropic"][1] == ""


@pytest.mark.parametrize("stamp", [None, "", "[]", "{"], ids=["none", "empty", "array", "cut"])
def test_without_a_whole_stamp_the_build_was_cut_off(state_dir, stamp):
    site = made(state_dir)
    if stamp is not None:
        Path(state_dir / "venv-0123456789ab" / environment.STAMP).write_text(stamp)
    assert not environment.status(str(site), str(ROOT)).whole
    assert not environment.status(str(state_dir / "gone"), str(ROOT)).whole


def test_packages_fit_one_version_of_python(state_dir, tmp_path):
    site = str(made(state_dir, version="3.12"))
    assert environment.fits(site, str(pretend_python(tmp_path / "same", "3.12")))
    assert not environment.fits(site, str(pretend_python(tmp_path / "newer", "3.13")))
    assert not environment.fits("", str(pretend_python(tmp_path / "any", "3.12")))


def test_only_what_nobody_uses_is_removed(state_dir):
    used = made(state_dir, version="3.12")
    for name in ("venv-ba9876543210", "venv-000000000000", "venv-mine", "backup"):
        (state_dir / name / "lib").mkdir(parents=True)
    environment.remove_others(str(state_dir), [str(used), ""])
    assert sorted(os.listdir(state_dir)) == ["backup", "venv-0123456789ab", "venv-mine"]
    environment.remove_others(str(state_dir), [""])
    assert sorted(os.listdir(state_dir)) == ["backup", "venv-mine"]


UV = """
case $1 in venv) ;; *) exit 0 ;; esac
for folder; do :; done
mkdir -p "$folder/bin" "$folder/site" "$folder/{stamp}"
printf '#!/bin/sh\\necho %s/site\\n' "$folder" > "$folder/bin/python"
chmod +x "$folder/bin/python"
"""


@pytest.mark.parametrize(
    ("text", "said"),
    [("exit 0", "cannot make virtual environments"), (UV.replace("{stamp}", "memdir.json/x"), "directory")],
    ids=["makes nothing", "leaves no room for the stamp"],
)
def test_whatever_stops_a_build_is_told_and_leaves_nothing(build, tmp_path, state_dir, monkeypatch, text, said):
    uv = script(tmp_path / "bin" / "uv", text)
    monkeypatch.setenv("PATH", f"{uv.parent}:{os.environ['PATH']}")
    built, _ = build(pretend_python(tmp_path / "python3", more='case "$*" in *ensurepip*) exit 1 ;; esac'))
    assert built.site_packages == ""
    assert said in built.reason
    assert environment.folders(str(state_dir)) == []


def test_a_state_directory_that_cannot_be_written_is_told(build, tmp_path, state_dir):
    state_dir.parent.mkdir(parents=True)
    state_dir.write_text("a file")
    built, _ = build(pretend_python(tmp_path / "python3"))
    assert built.site_packages == ""
    assert built.reason
