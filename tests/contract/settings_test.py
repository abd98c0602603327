"""The settings file of Claude Code survives what machines and other programs do to it while memdir changes it."""

import json
import os
import subprocess
import sys

import pytest

from memdir_cli import settings_file
from support import interruptions
from support.checkout import ROOT, copy_plugin
from support.hooks import read_entries

NOW = 1_790_000_000.0
OLD = b'{\n  "model": "opus",\n  "hooks": {"Stop": []}\n}'
HOOKS = len(read_entries(ROOT))
IMPORTS = "from memdir.errors import MemdirError\nfrom memdir_cli import settings_file\n"
IMPORTS += "from memdir_cli.installation import Installation\nimport hashlib, json, argparse, shlex, ctypes"
PLACE = 'env = {"HOME": args[0], "MEMDIR_DATA_DIR": args[0] + "/state"}\nwhere = Installation(env)\n'
REGISTER = f"{PLACE}print(settings_file.register(where, args[1], {NOW}))"
UNREGISTER = f"{PLACE}print(settings_file.unregister(where, {NOW}))"


class Place:
    """A home with settings, in which processes of their own register and unregister."""

    def __init__(self, folder, root, text):
        self.home = folder
        self.root = root
        self.settings = folder / ".claude" / "settings.json"
        self.settings.parent.mkdir(parents=True)
        if text is not None:
            self.settings.write_bytes(text)

    def text(self):
        return self.settings.read_bytes() if self.settings.exists() else None

    def run(self, code, stop_at=0, root=""):
        return interruptions.run(IMPORTS, code, stop_at, str(self.home), root or self.root)

    def registered(self):
        done = self.run(REGISTER)
        assert done.returncode == 0, done.stderr
        return self.text()

    def leftovers(self):
        return [str(path) for path in self.home.rglob("*.tmp")]


@pytest.fixture
def place(tmp_path, plugin):
    made = iter(range(1000))
    return lambda text=OLD: Place(tmp_path / f"place{next(made)}", str(plugin), text)


@pytest.mark.parametrize("text", [OLD, None], ids=["file", "no file"])
def test_killed_anywhere_while_registering_the_file_is_old_or_new_and_the_way_back_is_kept(place, text):
    new = place(text).registered()
    for stop_at in range(1, 60):
        here = place(text)
        done = here.run(REGISTER, stop_at)
        assert here.text() in (text, new)
        if done.returncode == 0:
            break
        assert done.returncode == -9, done.stderr
        again = here.run(REGISTER)
        assert again.returncode == 0, again.stderr
        assert here.text() == new
        assert here.leftovers() == []
        assert here.run(UNREGISTER).stdout == "restored\n"
        assert here.text() == text
    assert 8 < stop_at < 59


@pytest.mark.parametrize("text", [OLD, None], ids=["file", "no file"])
def test_killed_anywhere_while_registering_the_hooks_can_be_taken_out_at_once(place, text):
    for stop_at in range(1, 60):
        here = place(text)
        done = here.run(REGISTER, stop_at)
        assert here.run(UNREGISTER).returncode == 0
        assert here.text() == text
        if done.returncode == 0:
            break
    assert 8 < stop_at < 59


def test_killed_anywhere_while_an_update_registers_the_first_bytes_come_back(place, tmp_path):
    newer = str(copy_plugin(tmp_path / "newer"))
    for stop_at in range(1, 60):
        here = place()
        first = here.registered()
        done = here.run(REGISTER, stop_at, newer)
        assert here.text() == first or here.text() == first.replace(here.root.encode(), newer.encode())
        assert here.run(UNREGISTER).stdout == "restored\n"
        assert here.text() == OLD
        if done.returncode == 0:
            break
    assert 6 < stop_at < 59


@pytest.mark.parametrize("text", [OLD, None], ids=["file", "no file"])
def test_killed_anywhere_while_unregistering_the_file_is_old_or_new_and_the_next_one_ends_it(place, text):
    for stop_at in range(1, 60):
        here = place(text)
        new = here.registered()
        done = here.run(UNREGISTER, stop_at)
        assert here.text() in (text, new)
        if done.returncode == 0:
            break
        again = here.run(UNREGISTER)
        assert again.returncode == 0, again.stderr
        assert here.text() == text
        assert here.leftovers() == []
        assert sorted(os.listdir(here.home / ".claude" / "memdir")) == []
    assert 6 < stop_at < 59


def test_two_that_register_at_once_put_each_hook_in_once(place):
    here = place()
    script = f"import sys\nsys.path[:0] = [{str(ROOT / 'lib')!r}]\nargs = sys.argv[1:]\n{IMPORTS}\n{REGISTER}"
    command = [sys.executable, "-I", "-S", "-c", script, str(here.home), here.root]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(4)]
    said = sorted(one.communicate(timeout=60)[0] for one in running)
    assert said == [b"False\n", b"False\n", b"False\n", b"True\n"]
    assert len(settings_file.entries(here.text())) == HOOKS
    assert here.run(UNREGISTER).stdout == "restored\n"
    assert here.text() == OLD


WRITER = """
import json, os, sys
path, end = sys.argv[1:]
number = 0
while not os.path.exists(end) or number < 50:
    number += 1
    try:
        with open(path, "rb") as file:
            settings = json.load(file)
        settings["number"] = settings["seen"] = number
        with open(path + ".x", "w") as file:
            json.dump(settings, file, indent=2)
        os.replace(path + ".x", path)
    except OSError:
        pass
    for _ in range(200000):
        pass
print(number)
"""


def test_what_an_editor_writes_meanwhile_is_never_lost(place, tmp_path):
    """Each round the editor reads, counts up and renames; a registration may give up, but undoes no count."""
    here = place()
    end = tmp_path / "end"
    editor = subprocess.Popen([sys.executable, "-c", WRITER, str(here.settings), str(end)], stdout=subprocess.PIPE)
    outcomes = []
    seen = 0
    for code in [REGISTER, UNREGISTER] * 6:
        done = here.run(f"try:\n    {code.replace(chr(10), chr(10) + '    ')}\nexcept MemdirError as e:\n    print(e)")
        outcomes.append(done.stdout)
        number = json.loads(here.text()).get("number", 0)
        assert number >= seen
        seen = number
    end.touch()
    last = int(editor.communicate(timeout=60)[0])
    assert json.loads(here.text())["number"] == last
    assert last >= 50
    assert {one for one in outcomes if "again and again" not in one} & {"True\n", "removed entries\n"}
    assert here.leftovers() == []


@pytest.mark.parametrize("times", [1, 4, 5], ids=["once", "four times", "always"])
def test_an_editor_that_saves_between_reading_and_replacing_keeps_its_text(place, times):
    """Ours is about to be written: at that moment somebody saves."""
    here = place()
    code = f"""
saves = 0
def save(event, details):
    global saves
    if event == "open" and ".claude/.memdir-" in str(details[0]) and details[2] & os.O_CREAT and saves < {times}:
        saves += 1
        with open(args[0] + "/.claude/settings.json", "w") as file:
            file.write('{{"saved": %d}}' % saves)
sys.addaudithook(save)
try:
    {REGISTER.replace(chr(10), chr(10) + "    ")}
except MemdirError as error:
    print(error)
"""
    done = here.run(code)
    assert done.returncode == 0, done.stderr
    if times == 5:
        assert "is being changed by another program again and again" in done.stdout
        assert here.text() == b'{"saved": 5}'
        return
    assert done.stdout == "True\n"
    assert json.loads(here.text())["saved"] == times
    assert len(settings_file.entries(here.text())) == HOOKS
    assert here.run(UNREGISTER).stdout == "restored\n"
    assert here.text() == b'{"saved": %d}' % times


ORDINARY = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []
APART = ["unshare", *([] if os.geteuid() == 0 else ["-r"]), "-m"]


def _cli(here, code, *wrapper):
    """The code as the command line would run it: what is wrong is printed."""
    if wrapper and subprocess.run([*wrapper, "true"], capture_output=True, check=False).returncode:
        pytest.skip(f"no {wrapper[0]} here")
    body = f"try:\n    {code.replace(chr(10), chr(10) + '    ')}\nexcept MemdirError as error:\n    print(error)"
    script = f"import sys\nsys.path[:0] = [{str(ROOT / 'lib')!r}]\nargs = sys.argv[1:]\n{IMPORTS}\n{body}"
    command = [*wrapper, sys.executable, "-I", "-S", "-c", script, str(here.home), here.root]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


CLOSED = {
    "directory": (lambda here: here.settings.parent, 0o500, "cannot write to"),
    "directory with memdir's in it": (lambda here: here.settings.parent, 0o500, "cannot change a file in"),
    "file": (lambda here: here.settings, 0o000, "cannot read"),
    "state": (lambda here: here.home / "state", 0o500, "cannot use"),
    "backups": (lambda here: here.home / "state" / "backup", 0o500, "cannot keep a copy of the settings in"),
}


@pytest.mark.parametrize("what", CLOSED)
def test_where_memdir_may_not_write_it_says_so_and_nothing_changes(place, what):
    here = place()
    which, mode, message = CLOSED[what]
    if "memdir" in what:
        (here.home / ".claude" / "memdir").mkdir()
    (here.home / "state" / "backup").mkdir(parents=True)
    before = which(here).stat().st_mode & 0o777
    which(here).chmod(mode)
    try:
        done = _cli(here, REGISTER, *ORDINARY)
    finally:
        which(here).chmod(before)
    assert done.returncode == 0, done.stderr
    assert f"{message} {which(here)}" in done.stdout
    assert "Permission denied" in done.stdout
    assert here.text() == OLD
    assert here.leftovers() == []
    assert here.run(REGISTER).stdout == "True\n"


def test_a_read_only_file_in_an_open_directory_is_changed_and_stays_read_only(place):
    here = place()
    here.settings.chmod(0o444)
    assert _cli(here, REGISTER, *ORDINARY).stdout == "True\n"
    assert here.settings.stat().st_mode & 0o777 == 0o444


FILL = 'mount -t tmpfs -o size=64k,mode=700 none "$1" && cp -a "$2/." "$1" && head -c "$3" /dev/zero >"$1/zeros"'


@pytest.mark.parametrize("which", [".claude", "state"])
def test_a_full_disk_leaves_the_old_text_complete(place, which):
    """Room for so many pages of 4 KB more; each of memdir's files takes one or two."""
    said = set()
    for pages in range(8):
        here = place()
        (here.home / "state").mkdir()
        full = here.home / which
        full.rename(here.home / "aside")
        full.mkdir()
        mounts = FILL.replace("$3", str(65536 - 4096 * (pages + (which == ".claude"))))
        look = 'cat "$4/.claude/settings.json"; find "$4" -name "*.tmp" >&2'
        script = f"import sys\nsys.path[:0] = [{str(ROOT / 'lib')!r}]\nargs = sys.argv[1:]\n{IMPORTS}\n"
        script += f"try:\n    {REGISTER.replace(chr(10), chr(10) + '    ')}\nexcept MemdirError as e:\n    print(e)\n"
        shell = f'{mounts}; "$5" -I -S -c "$6" "$4" "$7"; echo ----; {look}'
        words = [str(full), str(here.home / "aside"), "", str(here.home), sys.executable, script, here.root]
        done = subprocess.run([*APART, "sh", "-c", shell, "sh", *words], capture_output=True, text=True, check=False)
        if "unshare" in done.stderr or "mount:" in done.stderr:
            pytest.skip("no mount namespace here")
        told, _, text = done.stdout.partition("----\n")
        assert ".tmp" not in done.stderr
        if told == "True\n":
            assert len(settings_file.entries(text.encode())) == HOOKS
        else:
            assert "No space left on device" in told
            assert text.encode() == OLD or "not recorded" in told
        said.add(told)
    assert "True\n" in said
    assert len(said) > 1


def test_a_profile_that_claude_code_has_not_made_yet_is_made(tmp_path, plugin):
    here = Place(tmp_path / "new", str(plugin), None)
    here.settings.parent.rmdir()
    assert here.run(REGISTER).stdout == "True\n"
    assert here.run(UNREGISTER).stdout == "restored\n"
    assert not here.settings.exists()
