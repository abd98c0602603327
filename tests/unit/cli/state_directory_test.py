"""Which directory may be memdir's state, and what of it is memdir's."""

import json
import os

import pytest

from memdir_cli import state_directory

LINE = json.dumps({"t": 1, "hook": "stop"}) + "\n"
OWN = {
    "nothing": {},
    "an installation": {"profiles": "/home/me/.claude\n", "my notes.txt": ""},
    "a log": {"log.jsonl": LINE, "rules/mine.md": ""},
    "a log that was put aside, the new one cut off": {"log.jsonl": '{"t"', "log.jsonl.1": "damage\n" + LINE},
    "an installation that was killed": {"install.lock": "", ".memdir-1-00000000-1.tmp": ""},
    "the state of a plugin without its log": {"worker.lock": "", "queue/pending/x": "", "venv-0123456789ab/lib/x": ""},
}
OF_OTHERS = {
    "files": {"thesis.tex": ""},
    "names that memdir uses, too": {
        "rules/a.md": "",
        "queue/x": "",
        "backup/x": "",
        "sessions/x": "",
        "profiles/x": "",
    },
    "another program's list of profiles": {"profiles": "default\nwork\n"},
    "another program's log": {"log.jsonl": '{"level": "info"}\n'},
    "a lock and more": {"install.lock": "", "thesis.tex": ""},
}


def made(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    folder.mkdir(exist_ok=True)
    return str(folder)


@pytest.mark.parametrize("files", OWN.values(), ids=OWN)
def test_a_directory_in_which_memdir_has_worked_is_its_own(tmp_path, files):
    assert state_directory.fault(made(tmp_path / "state", files), "/home/me", "/home/me/.claude") == ""


@pytest.mark.parametrize("files", OF_OTHERS.values(), ids=OF_OTHERS)
def test_a_directory_of_others_is_not(tmp_path, files):
    fault = state_directory.fault(made(tmp_path / "state", files), "/home/me", "/home/me/.claude")
    assert fault.startswith("holds other things than memdir's (")


@pytest.mark.parametrize("state", ["home", "home/.claude", ".", "link"])
def test_what_holds_home_or_configuration_is_not_whatever_is_in_it(tmp_path, state):
    made(tmp_path / "home" / ".claude", {"profiles": "/x\n"})
    made(tmp_path / "home", {"profiles": "/x\n"})
    (tmp_path / "link").symlink_to("home")
    fault = state_directory.fault(str(tmp_path / state), str(tmp_path / "home"), str(tmp_path / "home" / ".claude"))
    assert fault.startswith("holds ")
    assert "other things" not in fault


def test_only_what_is_memdirs_is_removed(tmp_path):
    ours = {"log.jsonl": LINE, "queue/pending/x": "", "rules/0123456789ab": "", "x.damaged": ""}
    state = made(tmp_path / "state", {**ours, "my notes.txt": "", "venv-mine/x": ""})
    assert state_directory.foreign(state) == ["my notes.txt", "venv-mine"]
    state_directory.clear(state)
    assert sorted(os.listdir(state)) == ["my notes.txt", "venv-mine"]


def test_rules_that_a_person_wrote_stay(tmp_path):
    state = made(tmp_path / "state", {"log.jsonl": LINE, "rules/strict.md": ""})
    assert state_directory.foreign(state) == ["rules"]
    state_directory.clear(state)
    assert os.listdir(state) == ["rules"]
