import json
import os

import pytest

from memdir import projects
from support.checkout import ROOT
from support.situations import DIRS, KEYS, NATIVE, absolute

RECORD = json.loads((ROOT / "tests" / "data" / "memory_dirs.json").read_text("utf-8"))
# The client drops a settings file in which any key at all has the wrong type; memdir does not know the others' types.
NOT_OURS = {"settings with another key that is wrong"}


@pytest.fixture
def root(tmp_path, monkeypatch):
    folder = tmp_path.resolve() / "r"
    monkeypatch.setattr(projects, "MANAGED", str(folder / "etc" / "claude-code"))
    return folder


def test_every_situation_is_recorded():
    assert set(RECORD["dirs"]) == set(DIRS)
    assert set(RECORD["native"]) == set(NATIVE)
    assert set(RECORD["keys"]) == set(KEYS)


@pytest.mark.parametrize("name", sorted(set(DIRS) - NOT_OURS))
def test_the_directory_is_the_client_s(root, monkeypatch, name):
    cwd, env = DIRS[name].build(root)
    monkeypatch.chdir(cwd)
    expected = os.path.join(cwd, absolute(RECORD["dirs"][name], root))
    assert projects.Project(str(cwd), env).memory_dir().path == expected


@pytest.mark.parametrize("name", sorted(NATIVE))
def test_whether_auto_memory_is_on_is_the_client_s_word(root, name):
    cwd, env = NATIVE[name].build(root)
    assert projects.Project(str(cwd), env).native_memory_on() is RECORD["native"][name]


@pytest.mark.parametrize("path", KEYS)
def test_the_key_of_a_long_path_is_the_client_s(path):
    assert projects.project_key(path) == RECORD["keys"][path]


@pytest.mark.parametrize("cwd", ["", "relative", "/nul\0byte", "/half\ud800"])
def test_a_directory_that_is_none_has_no_memory(cwd):
    assert projects.Project(cwd, {"HOME": "/h"}).memory_dir() is None
    assert projects.Project(cwd, {"HOME": "/h"}).native_memory_on()


def test_a_deleted_directory_has_one_all_the_same():
    assert projects.Project("/gone/too", {"HOME": "/h"}).memory_dir().path == "/h/.claude/projects/-gone-too/memory"


@pytest.mark.parametrize(
    "text", ["gitdir: .", "gitdir: .git", "gitdir: ../p", "gitdir: " + "x/" * 4000, "gitdir:\n", "gitdir: \n/x"]
)
def test_a_git_file_that_leads_in_circles_is_its_own_root(root, text):
    (root / "p" / "a").mkdir(parents=True)
    (root / "p" / ".git").write_text(text)
    (root / "p" / "commondir").write_text(".")
    assert projects.main_root(str(root / "p" / "a")) == str(root / "p")


@pytest.mark.parametrize(
    "value", ["/tmp/half\ud800", "/tmp/nul\0byte", "/" + "x" * 5000], ids=["surrogate", "nul", "long"]
)
def test_a_setting_that_is_no_path_chooses_no_directory(root, value):
    (root / "p" / ".claude").mkdir(parents=True)
    (root / "p" / ".claude" / "settings.json").write_text(json.dumps({"autoMemoryDirectory": value}))
    assert projects.Project(str(root / "p"), {"HOME": "/h"}).memory_dir().source == "default"
