import os
import sys

import platformdirs
import pytest

from memdir import paths


def test_the_two_places_are_those_of_platformdirs(home, monkeypatch):
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "MEMDIR_DATA_DIR"):
        monkeypatch.delenv(name, raising=False)
    assert paths.state_dir(os.environ) == platformdirs.user_state_dir("memdir", appauthor=False)
    assert os.path.dirname(paths.config_file(os.environ)) == platformdirs.user_config_dir("memdir", appauthor=False)


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS has no XDG directories")
def test_xdg_directories_count_as_in_platformdirs(home, monkeypatch):
    monkeypatch.delenv("MEMDIR_DATA_DIR", raising=False)
    for name, value in (("XDG_STATE_HOME", home / "s"), ("XDG_CONFIG_HOME", home / "c")):
        monkeypatch.setenv(name, str(value))
    assert paths.state_dir(os.environ) == platformdirs.user_state_dir("memdir", appauthor=False)
    assert os.path.dirname(paths.config_file(os.environ)) == platformdirs.user_config_dir("memdir", appauthor=False)


def test_the_variable_comes_before_the_install_record_and_that_before_the_default(home):
    env = {"HOME": str(home)}
    default = paths.state_dir(env)
    (home / ".claude" / "memdir").mkdir(parents=True)
    (home / ".claude" / "memdir" / "state_dir").write_text("/recorded\n")
    assert (paths.state_dir(env), default != "/recorded") == ("/recorded", True)
    assert paths.state_dir({**env, "MEMDIR_DATA_DIR": "/chosen"}) == "/chosen"


@pytest.mark.parametrize(
    ("value", "meant"),
    [("~/mem", "/h/mem"), ("$HOME/mem", "/h/mem"), ("${HOME}/mem", "/h/mem"), ("~", "/h"), ("/abs", "/abs")],
)
def test_home_forms_are_expanded(value, meant):
    assert paths.expand(value, {"HOME": "/h"}) == meant


@pytest.mark.parametrize("value", ["mem", "./mem", "~other/mem", "", "$OTHER/mem"])
def test_a_path_that_depends_on_the_working_directory_is_refused(value):
    assert paths.expand(value, {"HOME": "/h"}) == ""


def test_without_home_the_password_database_answers():
    assert os.path.isabs(paths.home({}))


def test_a_harmless_session_id_is_its_own_file_name():
    assert paths.session_name("e5ef4547-b692-407c-83a6-c004d17731ab") == "e5ef4547-b692-407c-83a6-c004d17731ab"


@pytest.mark.parametrize("hostile", ["../../etc", "a/b", "", ".", "a" * 65, "a\0b", "会话", "a b", "\ud800"])
def test_a_hostile_session_id_cannot_name_a_path(hostile):
    name = paths.session_name(hostile)
    assert name.startswith("x-")
    assert len(name) == 34
    assert name == paths.session_name(hostile) != paths.session_name(hostile + "x")


def test_under_resolves_links(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "in" / "link").symlink_to(tmp_path / "out")
    assert paths.under(str(tmp_path / "in" / "x"), str(tmp_path / "in"))
    assert not paths.under(str(tmp_path / "in" / "link" / "x"), str(tmp_path / "in"))
    assert not paths.under(str(tmp_path / "inner"), str(tmp_path / "in"))
