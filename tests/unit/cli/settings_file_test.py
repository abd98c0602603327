"""The settings file is changed as a whole or not at all, through links, and goes back to what it held."""

import json
import os
import stat
from pathlib import Path

import pytest

from memdir.errors import UserError
from memdir_cli import settings_file
from memdir_cli.installation import Installation
from support.checkout import ROOT, copy_plugin
from support.hooks import read_entries

NOW = 1_790_000_000.0
ENTRIES = len(read_entries(ROOT))
FOREIGN = b'{\n  "model": "opus",\n  "hooks": {"Stop": []}\n}'


class Profile:
    """A configuration directory of Claude Code, and memdir's calls on it."""

    def __init__(self, home):
        self.folder = home / ".claude"
        self.folder.mkdir()
        self.settings = self.folder / "settings.json"
        self.app = str(self.folder / "memdir" / "app")
        copy_plugin(self.folder / "memdir" / "app")
        self.installation = Installation(os.environ)

    def register(self, root="", now=NOW):
        return settings_file.register(self.installation, root or self.app, now)

    def unregister(self, now=NOW):
        return settings_file.unregister(self.installation, now)

    def names(self):
        """Of the hooks of ours that the settings have."""
        return [one.name for one in settings_file.entries(self.settings.read_bytes())]

    def backups(self):
        return [path.read_bytes() for path in sorted(Path(self.installation.state, "backup").glob("*"))]

    def notes(self):
        return sorted(name for name in os.listdir(self.folder / "memdir") if name != "app")


@pytest.fixture
def profile(home):
    return Profile(home)


def test_the_bytes_before_come_back_where_the_file_is_still_what_memdir_wrote(profile):
    profile.settings.write_bytes(FOREIGN)
    assert profile.register()
    assert len(profile.names()) == ENTRIES
    assert profile.installation.record("hooks") == profile.app + "/hooks/py"
    assert profile.backups() == [FOREIGN]
    assert not profile.register()
    assert profile.unregister() == "restored"
    assert profile.settings.read_bytes() == FOREIGN
    assert profile.notes() == []
    assert profile.unregister() == "nothing"


def test_where_there_was_no_file_none_is_left(profile):
    assert profile.register()
    assert stat.S_IMODE(profile.settings.stat().st_mode) == 0o600
    assert profile.unregister() == "restored"
    assert not profile.settings.exists()
    assert profile.unregister() == "nothing"


def test_what_somebody_wrote_since_stays_and_only_our_entries_go(profile):
    profile.settings.write_bytes(FOREIGN)
    profile.register()
    profile.settings.write_bytes(profile.settings.read_bytes().replace(b"opus", b"haiku"))
    assert profile.unregister() == "removed entries"
    assert profile.settings.read_bytes() == FOREIGN.replace(b"opus", b"haiku")
    assert profile.notes() == []


def test_after_an_update_the_bytes_before_the_first_installation_come_back(profile, tmp_path):
    profile.settings.write_bytes(FOREIGN)
    profile.register()
    other = str(copy_plugin(tmp_path / "checkout"))
    assert profile.register(other)
    assert profile.installation.record("hooks") == other + "/hooks/py"
    assert {one.launcher for one in settings_file.entries(profile.settings.read_bytes())} == {other + "/hooks/py"}
    assert profile.unregister() == "restored"
    assert profile.settings.read_bytes() == FOREIGN


def test_a_change_between_two_installations_is_never_undone(profile, tmp_path):
    profile.settings.write_bytes(FOREIGN)
    profile.register()
    profile.settings.write_bytes(profile.settings.read_bytes().replace(b"opus", b"haiku"))
    profile.register(str(copy_plugin(tmp_path / "checkout")))
    profile.register()
    assert profile.unregister() == "removed entries", "nobody knows what it held before memdir"
    assert profile.settings.read_bytes() == FOREIGN.replace(b"opus", b"haiku")


def test_a_note_that_does_not_fit_its_bytes_restores_nothing(profile):
    profile.settings.write_bytes(FOREIGN)
    profile.register()
    (profile.folder / "memdir" / "settings.before").write_bytes(b"{}")
    assert profile.unregister() == "removed entries"
    assert json.loads(profile.settings.read_bytes()) == {"model": "opus"}


@pytest.mark.parametrize("note", [b"", b"{", b"[]", b'{"before": "none"}', b'{"before": "none", "written": 5}'])
def test_a_damaged_note_restores_nothing(profile, note):
    profile.settings.write_bytes(FOREIGN)
    profile.register()
    (profile.folder / "memdir" / "settings.written").write_bytes(note)
    assert profile.unregister() == "removed entries"
    assert json.loads(profile.settings.read_bytes())["model"] == "opus"


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o640, 0o444], ids=oct)
def test_the_file_keeps_its_mode(profile, mode):
    profile.settings.write_bytes(FOREIGN)
    profile.settings.chmod(mode)
    profile.register()
    assert stat.S_IMODE(profile.settings.stat().st_mode) == mode
    profile.unregister()
    assert stat.S_IMODE(profile.settings.stat().st_mode) == mode


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_the_file_keeps_owner_and_group(profile):
    profile.settings.write_bytes(FOREIGN)
    os.chown(profile.settings, 4321, 1234)
    profile.register()
    assert (profile.settings.stat().st_uid, profile.settings.stat().st_gid) == (4321, 1234)


@pytest.mark.parametrize("there", [True, False], ids=["file", "dangling"])
def test_a_chain_of_links_stays_and_its_end_is_written(profile, tmp_path, there):
    dotfiles = tmp_path / "dotfiles"
    dotfiles.mkdir()
    if there:
        (dotfiles / "real.json").write_bytes(FOREIGN)
    (dotfiles / "link.json").symlink_to("real.json")
    profile.settings.symlink_to(dotfiles / "link.json")
    profile.register()
    assert profile.settings.is_symlink()
    assert (dotfiles / "link.json").is_symlink()
    assert len(settings_file.entries((dotfiles / "real.json").read_bytes())) == ENTRIES
    assert sorted(os.listdir(dotfiles)) == ["link.json", "real.json"]
    assert profile.unregister() == "restored"
    assert profile.settings.is_symlink()
    assert (dotfiles / "real.json").exists() == there
    assert not there or (dotfiles / "real.json").read_bytes() == FOREIGN


def _loop(path):
    path.symlink_to("other.json")
    (path.parent / "other.json").symlink_to("settings.json")


BAD_PLACES = {
    "link loop": (_loop, "is a link that leads back to itself"),
    "link to nowhere": (lambda path: path.symlink_to("/nowhere/at/all/settings.json"), "there is no such directory"),
    "directory": (lambda path: path.mkdir(), "is no file"),
    "pipe": (os.mkfifo, "is no file"),
}


@pytest.mark.parametrize(("make", "message"), BAD_PLACES.values(), ids=BAD_PLACES)
def test_what_is_no_file_is_told_and_left_alone(profile, make, message):
    make(profile.settings)
    before = os.lstat(profile.settings)
    for call in (profile.register, profile.unregister):
        with pytest.raises(UserError, match=message):
            call()
    assert os.lstat(profile.settings) == before
    assert profile.notes() == []


BROKEN = {
    "comment": (b'{\n  "a": 1 // mine\n}', ":2:10: a comment"),
    "comma": (b'{"a": 1,}', ":1:8: a comma too many"),
    "cut off": (b'{"a": ', ":1:7: the end of the file"),
    "hooks": (b'{"hooks": 5}', ":1:11: `hooks` has to be an object"),
}


@pytest.mark.parametrize(("raw", "message"), BROKEN.values(), ids=BROKEN)
def test_broken_settings_are_refused_and_nothing_changes(profile, raw, message):
    profile.settings.write_bytes(raw)
    before = os.lstat(profile.settings)
    for call in (profile.register, profile.unregister):
        with pytest.raises(UserError) as caught:
            call()
        assert str(profile.settings) + message in str(caught.value)
        assert "nothing was changed" in str(caught.value)
    assert os.lstat(profile.settings) == before
    assert profile.notes() == []
    assert profile.backups() == []


def test_a_file_without_end_is_refused(profile):
    with profile.settings.open("wb") as file:
        file.truncate(65 << 20)
    with pytest.raises(UserError, match="larger than 64 MB"):
        profile.register()


def test_the_newest_ten_versions_are_kept_and_only_their_owner_reads_them(profile):
    for number in range(12):
        profile.settings.write_bytes(b'{"a": %d}' % number)
        profile.register(now=NOW + number)
    assert profile.backups() == [b'{"a": %d}' % number for number in range(2, 12)]
    kept = Path(profile.installation.state, "backup").iterdir()
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept} == {0o600}


def test_backups_of_memories_stay(profile):
    memory = Path(profile.installation.state, "backup", "00000000-x.md")
    memory.parent.mkdir(parents=True)
    memory.touch()
    for number in range(12):
        profile.settings.write_bytes(b'{"a": %d}' % number)
        profile.register(now=NOW + number)
    assert memory.exists()


def test_an_entry_of_a_launcher_that_only_the_record_knows_goes(profile, tmp_path):
    """The manifest beside it is gone, the launcher is not."""
    checkout = copy_plugin(tmp_path / "checkout")
    profile.register(str(checkout))
    (checkout / ".claude-plugin" / "plugin.json").unlink()
    profile.settings.write_bytes(profile.settings.read_bytes() + b"\n")
    assert profile.unregister() == "removed entries"
    assert json.loads(profile.settings.read_bytes()) == {}


def test_a_registration_that_a_person_took_out_is_made_again(profile):
    profile.settings.write_bytes(FOREIGN)
    profile.register()
    profile.settings.write_bytes(FOREIGN)
    assert profile.register()
    assert profile.unregister() == "restored"
    assert profile.settings.read_bytes() == FOREIGN


def test_a_damaged_copy_is_told_before_anything_changes(profile):
    profile.settings.write_bytes(FOREIGN)
    os.unlink(profile.app + "/hooks/hooks.json")
    with pytest.raises(UserError, match="damaged"):
        profile.register()
    assert profile.settings.read_bytes() == FOREIGN


def test_the_plugin_in_this_checkout_can_be_registered(profile):
    assert profile.register(str(ROOT))
    assert len(profile.names()) == ENTRIES
