"""`memdir uninstall` with real files: what goes, what stays, and that it says which."""

import json
import os

import pytest

from support.checkout import copy_plugin
from support.installer import Installer
from support.worlds import Stage, World

FOREIGN = b'\xef\xbb\xbf{\r\n\t"model": "opus", "n": 1e5,\r\n\t"hooks": {"Stop": []}}'


@pytest.fixture(scope="session")
def checkout(tmp_path_factory):
    return copy_plugin(tmp_path_factory.mktemp("checkout") / "memdir")


@pytest.fixture
def installer(home, tmp_path):
    (home / ".local" / "bin").mkdir(parents=True)
    return Installer(home, tmp_path)


@pytest.fixture(scope="session")
def kept(checkout, tmp_path_factory):
    folder = tmp_path_factory.mktemp("installed")
    (folder / "home" / ".local" / "bin").mkdir(parents=True)
    installer = Installer(folder / "home", folder)
    installer.install(checkout)
    return installer.keep(folder / "kept")


@pytest.fixture
def installed(kept, tmp_path):
    """A first installation, made once and put back in its place for each test."""
    return Installer(kept.home, tmp_path).put_back(kept.home.parent / "kept")


def tree(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def said(done):
    """What a command that ended well printed, lines joined: where they break depends on the test's paths."""
    assert done.returncode == 0, done.stderr
    return " ".join(done.stdout.split())


def test_everything_but_memories_is_as_it_was(installer, checkout, home):
    memory = installer.config / "projects" / "-x" / "memory" / "MEMORY.md"
    memory.parent.mkdir(parents=True)
    memory.write_text("- [A](a.md)\n")
    installer.settings.write_bytes(FOREIGN)
    before = tree(home)
    installer.install(checkout)
    out = said(installer.memdir("uninstall", "--purge"))  # run by the copy that goes
    assert tree(home) == sorted({*before, ".local/state"})
    assert installer.settings.read_bytes() == FOREIGN
    assert memory.read_text() == "- [A](a.md)\n"
    for line in (
        "~/.claude/settings.json: as it was before memdir",
        "~/.local/bin/memdir removed",
        "~/.claude/memdir/app removed",
        "Memories stay: ~/.claude/projects/*/memory",
    ):
        assert line in out


def test_settings_that_were_not_there_are_gone_again(installed):
    said(installed.memdir("uninstall"))
    assert not installed.settings.exists()


def test_what_a_person_changed_since_stays(installed):
    settings = json.loads(installed.settings.read_bytes())
    settings["hooks"]["Stop"].append({"hooks": [{"type": "command", "command": "/opt/memdir/bin/say"}]})
    settings["model"] = "opus"
    installed.settings.write_text(json.dumps(settings))
    assert "memdir's entries removed, the rest left" in said(installed.memdir("uninstall"))
    left = json.loads(installed.settings.read_bytes())
    assert left == {
        "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/opt/memdir/bin/say"}]}]},
        "model": "opus",
    }


def test_without_a_terminal_the_state_stays_and_is_named(installed):
    state = installed.state
    out = said(installed.memdir("uninstall"))
    assert f"State stays: ~/.local/state/memdir (`rm -r {state}` removes it)." in out
    assert (state / "backup").is_dir() or state.is_dir()
    assert not list(state.glob("venv-*"))


def test_the_second_time_there_is_nothing_to_do(installed, checkout):
    program = checkout / "bin" / "memdir"
    said(installed.memdir("uninstall", "--purge"))
    after = tree(installed.home)
    assert "Nothing to do" in said(installed.memdir("uninstall", "--purge", program=program))
    assert "Nothing to do" in said(installed.memdir("uninstall", program=program))
    assert tree(installed.home) == after


def test_a_full_state_directory_is_removed_whole(installed, tmp_path):
    """By what a session and a worker have really written there."""
    stage = Stage(installed.app)
    world = World(tmp_path / "world", stage)
    world.env["MEMDIR_DATA_DIR"] = str(installed.state)
    world.state = installed.state
    world.say().begin().queue().work()
    world.say("And remember that production deploys need two reviews.").queue()
    world.hook("pre_compact", trigger="manual", custom_instructions="")
    stage.close()
    state = installed.state
    assert len(list(state.iterdir())) > 8
    out = said(installed.memdir("uninstall", "--purge"))
    assert "Given up: 1 session in the queue, not yet made into memories." in out
    assert not state.exists()
    assert world.topics()


@pytest.mark.parametrize("place", ["state", "folder"])
def test_what_is_not_ours_stays_and_is_named(installed, place):
    folder = installed.state if place == "state" else installed.config / "memdir"
    (folder / "my notes.txt").write_text("mine")
    out = said(installed.memdir("uninstall", "--purge"))
    assert "stays, for what is not memdir's: my notes.txt" in out
    assert tree(folder) == ["my notes.txt"]


@pytest.mark.parametrize("place", ["state", "folder"])
def test_a_link_in_its_place_stays_and_is_named(installed, tmp_path, place):
    folder = installed.state if place == "state" else installed.config / "memdir"
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    out = said(installed.memdir("uninstall", "--purge"))
    assert f"/{folder.name} stays: it is a link, to a directory that is empty now" in out
    assert tree(tmp_path / "elsewhere") == []


@pytest.mark.parametrize("state", [".claude", "."])
def test_a_state_directory_that_holds_a_persons_things_is_not_emptied(installed, checkout, state):
    """As an older memdir let it be."""
    place = (installed.home / state).resolve()
    (installed.config / "memdir" / "state_dir").write_text(f"{place}\n")
    (place / "profiles").write_text(f"{installed.config}\n")
    for name in ("rules/strict.md", "backup/thesis.tex", "venv-mine/x"):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text("mine")
    out = said(installed.memdir("uninstall", "--purge", program=checkout / "bin" / "memdir"))
    assert "so nothing else in it was removed" in out
    assert not installed.settings.exists()
    for name in ("rules/strict.md", "backup/thesis.tex", "venv-mine/x"):
        assert (place / name).read_text() == "mine"


def test_a_clone_in_the_place_of_the_copy_stays_and_is_named(installed, checkout):
    (installed.app / ".git").mkdir()
    out = said(installed.memdir("uninstall", program=checkout / "bin" / "memdir"))
    assert "~/.claude/memdir stays, for what is not memdir's: app" in out
    assert (installed.app / "hooks" / "py").exists()


def test_settings_out_of_which_entries_were_taken_are_not_called_as_before(installer, checkout, tmp_path):
    hook = {"type": "command", "command": f"{tmp_path}/memdir-0.1/hooks/py", "args": ["stop"]}
    installer.config.mkdir()
    installer.settings.write_text(json.dumps({"model": "opus", "hooks": {"Stop": [{"hooks": [hook]}]}}))
    installer.install(checkout, "--no-venv", "--no-demo", "--link")
    out = said(installer.memdir("uninstall", program=checkout / "bin" / "memdir"))
    assert "memdir's entries removed, the rest left" in out
    assert "as it was before memdir" not in out
    assert json.loads(installer.settings.read_bytes()) == {"model": "opus"}


def test_a_state_that_another_profile_uses_stays(home, tmp_path, checkout):
    (home / "bin").mkdir()
    one, two = (Installer(home, tmp_path, tmp_path / name) for name in ("one", "two"))
    for each in (one, two):
        each.install(checkout, env={"PATH": f"{home}/bin:{each.path}"})
    state = one.state
    out = said(two.memdir("uninstall", "--purge"))
    assert "one uses it, too" in out
    assert (home / "bin" / "memdir").resolve() == one.app / "bin" / "memdir"
    assert one.memdir("doctor").stdout
    assert (state / "profiles").read_text() == f"{one.config}\n"
    assert len(one.entries()) > 0
    said(one.memdir("uninstall", "--purge"))
    assert not state.exists()
    assert os.listdir(home / "bin") == []


def test_a_linked_checkout_stays_whole(installer, checkout, home, tmp_path):
    mine = copy_plugin(tmp_path / "mine")
    before = [name for name in tree(mine) if "__pycache__" not in name]
    installer.install(mine, "--link", "--no-venv", "--no-demo")
    assert (home / ".local/bin/memdir").is_symlink()
    said(installer.memdir("uninstall", "--purge", program=mine / "bin" / "memdir"))
    assert [name for name in tree(mine) if "__pycache__" not in name] == before
    assert not (home / ".local/bin/memdir").is_symlink()
    assert not installer.settings.exists()


def test_broken_settings_stop_it_before_anything_is_changed(installed):
    installed.settings.write_text('{"a": 1,}')
    before = tree(installed.home)
    done = installed.memdir("uninstall", "--purge")
    assert done.returncode == 1
    assert "settings.json:1:8" in done.stderr
    assert [name for name in tree(installed.home) if not name.endswith(".lock")] == [
        name for name in before if not name.endswith(".lock")
    ]


def test_a_worker_at_work_is_not_cut_off(installed):
    import fcntl

    with open(installed.state / "worker.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = installed.memdir("uninstall", "--purge")
    assert done.returncode == 1
    assert "a worker is at it" in done.stderr
    assert installed.entries()
    said(installed.memdir("uninstall", "--purge"))


def test_a_plugin_that_stays_enabled_is_told(installer, checkout):
    installer.config.mkdir()
    installer.settings.write_text('{"enabledPlugins": {"memdir@memdir": true}}')
    out = installer.install(checkout, "--no-venv", "--no-demo", "--link")
    assert "The plugin memdir@memdir is enabled too" in out
    left = said(installer.memdir("uninstall", program=checkout / "bin" / "memdir"))
    assert "`claude plugin uninstall memdir@memdir` removes it" in left
