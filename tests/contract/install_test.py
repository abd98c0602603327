"""install.sh with real files: where it may lie, what it finds and leaves alone, and what is left if it is killed."""

import json
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from memdir_cli import plugin_copy
from support.checkout import ROOT, copy_plugin, running_python
from support.installer import Installer
from support.rules import write_rule

EVENTS = sorted(json.loads((ROOT / "hooks" / "hooks.json").read_bytes())["hooks"])
PAYLOADS = {
    "SessionStart": "SessionStart.startup",
    "UserPromptSubmit": "UserPromptSubmit.text",
    "PreToolUse": "PreToolUse.Bash",
    "PostToolUse": "PostToolUse.Bash",
    "PostToolUseFailure": "PostToolUseFailure.Bash",
    "Stop": "Stop",
    "StopFailure": "StopFailure",
    "SubagentStop": "SubagentStop.general-purpose",
    "SessionEnd": "SessionEnd.other",
    "PreCompact": "PreCompact.manual",
    "PostCompact": "PostCompact.manual",
}
# Read here: a test has none of the caller's variables.
WHEELS = os.environ.get("MEMDIR_TEST_WHEELS", "")
WHEELS_MISSING = os.environ.get("MEMDIR_TEST_WHEELS_MISSING") or "MEMDIR_TEST_WHEELS is not set; tests/run does that"
SHELLS = sorted({os.path.realpath(path) for path in ("/bin/sh", "/bin/dash", "/bin/bash") if os.path.exists(path)})
LINKED = ("--no-venv", "--no-demo", "--link")  # quicker, where the copy does not matter
# A user whom permissions stop, for root as well.
ORDINARY = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []
FOREIGN = '{\r\n\t"model": "opus",\r\n\t"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say ok"}]}]}}'


@pytest.fixture(scope="session")
def checkout(tmp_path_factory):
    """Shared: who would change it makes a copy."""
    return copy_plugin(tmp_path_factory.mktemp("checkout") / "Ünser Code" / "memdir")


@pytest.fixture
def installer(home, tmp_path):
    return Installer(home, tmp_path)


@pytest.fixture(scope="session")
def first(checkout, tmp_path_factory):
    """A first installation, and what it printed. Shared: nobody changes it."""
    folder = tmp_path_factory.mktemp("first")
    (folder / "home").mkdir()
    installer = Installer(folder / "home", folder)
    out = installer.install(checkout)
    return installer.keep(folder / "kept"), out


@pytest.fixture
def installed(first, tmp_path):
    """The same in the same place, to be changed."""
    return Installer(first[0].home, tmp_path).put_back(first[0].home.parent / "kept")


def own_per_event(installer):
    counts: dict[str, int] = {}
    for entry in installer.entries():
        counts[entry.event] = counts.get(entry.event, 0) + 1
    return counts


def hooks_json_per_event(checkout):
    groups = json.loads((checkout / "hooks" / "hooks.json").read_bytes())["hooks"]
    return {event: sum(len(group["hooks"]) for group in listed) for event, listed in groups.items()}


def test_a_first_installation_has_everything_in_place(first, checkout):
    installer, out = first
    home = installer.home
    assert [line[:5] for line in out.splitlines() if line[0] == "["] == [f"[{step}/5]" for step in range(1, 6)]
    assert f"[3/5] hooks → ~/.claude/settings.json ({len(EVENTS)} events)" in out
    assert str(home) + "/.claude" not in out.split("doctor")[0]
    assert own_per_event(installer) == hooks_json_per_event(checkout)
    assert {entry.launcher for entry in installer.entries()} == {str(installer.app / "hooks" / "py")}
    assert Path(installer.record("python")).resolve() == Path(running_python())
    assert installer.state == home / ".local/state/memdir" or sys.platform == "darwin"
    assert installer.memdir("--version").stdout.startswith("memdir ")
    assert not (installer.app / "tests").exists()


def test_the_copy_is_the_checkout_with_modes_and_links_compiled(first, checkout):
    installer = first[0]

    def listing(folder):
        inside = [path for name in plugin_copy.PARTS for path in (folder / name, *(folder / name).rglob("*"))]
        files = [path for path in inside if path.is_file() and "__pycache__" not in path.parts]
        return {
            str(path.relative_to(folder)): (path.is_symlink(), path.stat().st_mode & 0o111, path.read_bytes())
            for path in files
        }

    assert listing(installer.app) == listing(checkout)
    assert list(installer.app.rglob("lib/memdir/__pycache__/hookio.*.pyc"))
    assert sorted(os.listdir(installer.app.parent)) == sorted(
        {"app", "hooks", "python", "settings.written", "state_dir"}
        | ({"settings.before"} & set(os.listdir(installer.app.parent)))
    )


def test_what_the_checkout_was_compiled_to_comes_along_where_it_is_of_the_same_file(installer, tmp_path):
    checkout = copy_plugin(tmp_path / "memdir")
    with (checkout / "lib" / "memdir_worker" / "japanese.py").open("a") as file:
        file.write("# changed\n")
    os.utime(file.name, (1e9, 1e9))
    installer.install(checkout)

    def bytecode(root, name):
        folder = (root / "lib" / name).parent / "__pycache__"
        return (folder / f"{os.path.basename(name)}.{sys.implementation.cache_tag}.pyc").read_bytes()

    taken, changed = "memdir_worker/chinese", "memdir_worker/japanese"
    assert bytecode(installer.app, taken) == bytecode(checkout, taken)
    assert bytecode(installer.app, changed) != bytecode(checkout, changed)
    assert int.from_bytes(bytecode(installer.app, changed)[8:12], "little") == 10**9


def test_every_registered_entry_runs_from_an_odd_path(home, tmp_path, project, payload):
    """INS-07, for the configuration directory and the checkout."""
    name = "My Hooks/O'Brien/a$b/größe (1)"
    checkout = copy_plugin(tmp_path / f"src {name}" / name)
    for config, options in ((tmp_path / "x" / name, ()), (tmp_path / "linked" / name, ("--link",))):
        installer = Installer(home, tmp_path, config)
        installer.env["MEMDIR_DATA_DIR"] = str(tmp_path / f"state {len(options)}" / name)
        installer.install(checkout, "--no-venv", "--no-demo", *options)
        del installer.env["MEMDIR_DATA_DIR"]  # the record is what a hook has
        write_rule(project, "strict", "deny: no-recursive-delete", "")
        entries = installer.entries()
        assert {entry.event for entry in entries} == set(PAYLOADS)
        for entry in entries:
            before = len(installer.logged())
            done = installer.call(
                entry, payload(PAYLOADS[entry.event], transcript_path=str(tmp_path / "none.jsonl")), project
            )
            assert (done.returncode, done.stderr) == (0, b""), entry.name
            ran = installer.logged()[before:]
            assert entry.name in ran, (entry.name, entry.args, done.stdout)


def test_the_second_run_changes_nothing_in_the_settings(installer, checkout):
    """INS-02."""
    installer.config.mkdir()
    installer.settings.write_bytes(FOREIGN.encode())
    installer.install(checkout)
    first = installer.settings.read_bytes()
    out = installer.install(checkout)
    assert installer.settings.read_bytes() == first
    assert own_per_event(installer) == hooks_json_per_event(checkout)
    assert "unchanged" in out
    assert b"say ok" in first


def test_another_configuration_directory_is_used_alone(home, tmp_path, checkout):
    """INS-12."""
    installer = Installer(home, tmp_path, tmp_path / "cfg")
    installer.install(checkout)
    assert own_per_event(installer) == hooks_json_per_event(checkout)
    assert not (home / ".claude").exists()


def test_an_upgrade_from_a_checkout_that_is_gone_leaves_none_of_it(installer, tmp_path, home):
    """INS-13: from a copy to a copy, to a link, to a link and back."""
    (home / ".local" / "bin").mkdir(parents=True)
    options = {"copy": ("--no-venv", "--no-demo"), "link": ("--no-venv", "--no-demo", "--link")}
    old = None
    for number, kind in enumerate(["copy", "copy", "link", "link", "copy"]):
        new = copy_plugin(tmp_path / f"v{number}" / "memdir")
        (new / "LICENSE").write_text(f"the one of v{number}")
        if old:
            shutil.rmtree(old.parent)
        installer.install(new, *options[kind])
        root = installer.app if kind == "copy" else new
        assert own_per_event(installer) == hooks_json_per_event(new)
        assert {entry.launcher for entry in installer.entries()} == {str(root / "hooks" / "py")}
        assert (root / "LICENSE").read_text() == f"the one of v{number}"
        assert (home / ".local/bin/memdir").resolve() == root / "bin" / "memdir"
        assert f"v{number - 1}".encode() not in installer.settings.read_bytes()
        old = new


def test_the_installed_copy_mends_itself(installed, checkout):
    installer = installed
    installer.settings.unlink()
    (installer.config / "memdir" / "python").write_text("/gone/python3\n")
    done = installer.memdir("install", "--no-venv", "--no-demo")
    assert done.returncode == 0, done.stderr
    assert own_per_event(installer) == hooks_json_per_event(checkout)
    assert os.access(installer.record("python"), os.X_OK)


def test_the_installed_copy_is_no_checkout_to_link(first):
    done = first[0].memdir("install", "--link")
    assert done.returncode == 1
    assert "run ./install.sh --link in your checkout" in done.stderr


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_runs_it_from_everywhere(shell, installer, tmp_path, checkout):
    elsewhere = tmp_path / "a link"
    elsewhere.symlink_to(checkout / "install.sh")
    for script, cwd in [("install.sh", checkout), (elsewhere, "/"), (f"../{checkout.name}/install.sh", checkout)]:
        done = installer.run(shell, script, "--no-vnev", cwd=cwd)  # refused by the Python that it has found
        assert "unrecognized arguments: --no-vnev" in done.stderr
    done = installer.run(shell, elsewhere, "--no-venv", "--no-demo", "--link", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert own_per_event(installer) == hooks_json_per_event(checkout)


def test_every_option_is_in_the_help_of_both(installer, checkout):
    short, long = (
        installer.run(checkout / "install.sh", "--help"),
        installer.run(running_python(), "-I", "-S", checkout / "lib/memdir_cli/__main__.py", "install", "--help"),
    )
    assert set(re.findall(r"--[a-z-]+", short.stdout)) == set(re.findall(r"--[a-z-]+", long.stdout))
    assert short.returncode == long.returncode == 0


def test_an_unknown_option_is_refused(installer, checkout, home):
    done = installer.run(checkout / "install.sh", "--no-vnev")
    assert (done.returncode, list(home.iterdir())) == (2, [])
    assert "--no-vnev" in done.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [('{"a": 1,\n  // mine\n}', "settings.json:2:3"), ('{"hooks": []}', "hooks"), ("[]", "settings.json")],
    ids=["comment", "hooks-no-object", "no-object"],
)
def test_settings_that_cannot_be_merged_stop_it_before_anything_is_changed(installer, checkout, home, text, said):
    installer.config.mkdir()
    installer.settings.write_text(text)
    done = installer.run(checkout / "install.sh")
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert [str(path.relative_to(home)) for path in home.rglob("*")] == [".claude", ".claude/settings.json"]
    assert installer.settings.read_text() == text


def test_a_link_that_leads_nowhere_stops_it_as_well(installer, checkout, home):
    installer.config.mkdir()
    installer.settings.symlink_to(home / "dotfiles" / "settings.json")
    done = installer.run(checkout / "install.sh")
    assert done.returncode == 1
    assert "there is no such directory" in done.stderr
    assert os.listdir(installer.config) == ["settings.json"]


@pytest.mark.skipif(os.geteuid() == 0 and not os.path.exists("/usr/bin/python3"), reason="root may write anywhere")
def test_a_home_that_cannot_be_written_is_said_so(home, tmp_path, checkout):
    installer = Installer(home, tmp_path)
    home.chmod(0o555)
    as_nobody = os.geteuid() == 0  # whom the directories of this test are closed to
    for path in [place for top in (tmp_path, checkout) for place in (top, *top.parents) if as_nobody]:
        if path.is_relative_to(tempfile.gettempdir()):
            path.chmod(path.stat().st_mode | 0o011)
    python = "/usr/bin/python3" if as_nobody else running_python()
    done = installer.run(checkout / "install.sh", "--python", python, user=65534 if as_nobody else None)
    home.chmod(0o755)
    assert done.returncode == 1
    assert "memdir: ~ cannot be written" in done.stderr
    assert list(home.iterdir()) == []


def test_two_profiles_share_the_state_and_know_of_each_other(home, tmp_path, checkout):
    one, two = (Installer(home, tmp_path, tmp_path / name) for name in ("one", "two"))
    one.install(checkout)
    two.install(checkout)
    assert one.state == two.state
    assert (one.state / "profiles").read_text().splitlines() == [str(one.config), str(two.config)]
    assert {entry.launcher for entry in two.entries()} == {str(two.app / "hooks" / "py")}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can act for others")
@pytest.mark.parametrize("theirs", ["home", "configuration", "settings", "state"])
@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_root_does_not_act_in_the_home_of_another_user(installer, checkout, home, theirs, command):
    """What root makes there the user's Claude Code could not read: it would block every call of a tool."""
    installer.config.mkdir()
    installer.settings.write_text("{}")
    state = home / "state"
    state.mkdir()
    places = {"home": home, "configuration": installer.config, "settings": installer.settings, "state": state}
    os.chown(places[theirs], 4321, 4321)
    before = sorted(home.rglob("*"))
    program = checkout / ("install.sh" if command == "install" else "bin/memdir")
    words = [] if command == "install" else ["uninstall", "--purge"]
    done = installer.run(program, *words, env={"MEMDIR_DATA_DIR": str(state)})
    assert done.returncode == 1
    assert "belongs to user 4321, and this runs as root: run it without sudo" in done.stderr
    assert sorted(home.rglob("*")) == before


@pytest.mark.parametrize("state", ["", ".claude", "Documents"])
def test_a_state_directory_that_holds_other_things_is_refused(installer, checkout, home, state):
    installer.config.mkdir()
    (home / "Documents" / "rules").mkdir(parents=True)
    before = sorted(home.rglob("*"))
    place = str(home / state).rstrip("/")
    done = installer.run(checkout / "install.sh", env={"MEMDIR_DATA_DIR": place})
    assert done.returncode == 1
    assert "is to be memdir's state directory, but holds" in done.stderr
    assert sorted(home.rglob("*")) == before


@pytest.mark.parametrize("config", ["", "cfg", "./cfg"])
@pytest.mark.parametrize("command", ["install.sh", "bin/memdir"])
def test_a_profile_in_the_working_directory_is_refused(installer, checkout, home, tmp_path, config, command):
    here = tmp_path / "here"
    here.mkdir()
    words = ["uninstall"] if command == "bin/memdir" else []
    done = installer.run(checkout / command, *words, cwd=here, env={"CLAUDE_CONFIG_DIR": config})
    assert done.returncode == 1
    assert "CLAUDE_CONFIG_DIR is" in done.stderr
    assert "Traceback" not in done.stderr
    assert list(here.iterdir()) == list(home.iterdir()) == []


def test_a_settings_link_into_a_directory_that_cannot_be_written_stops_it(installer, checkout, home):
    if subprocess.run([*ORDINARY, "true"], capture_output=True, check=False).returncode:
        pytest.skip("no setpriv here")
    installer.config.mkdir()
    (home / "dotfiles").mkdir()
    (home / "dotfiles" / "settings.json").write_text("{}")
    installer.settings.symlink_to(home / "dotfiles" / "settings.json")
    (home / "dotfiles").chmod(0o500)
    done = installer.run(*ORDINARY, checkout / "install.sh", "--no-venv", "--no-demo")
    (home / "dotfiles").chmod(0o700)
    assert done.returncode == 1
    assert "~/dotfiles cannot be written" in done.stderr
    assert os.listdir(installer.config) == ["settings.json"]


@pytest.mark.parametrize("kind", ["clone", "file", "other plugin"])
def test_what_is_no_copy_of_memdir_is_not_replaced(installer, checkout, kind):
    installer.app.parent.mkdir(parents=True)
    if kind == "file":
        installer.app.write_text("mine")
    elif kind == "clone":
        copy_plugin(installer.app)
        (installer.app / ".git").mkdir()
    else:
        (installer.app / "mine").mkdir(parents=True)
    before = sorted(installer.config.rglob("*"))
    done = installer.run(checkout / "install.sh", "--no-venv", "--no-demo")
    assert done.returncode == 1
    assert "~/.claude/memdir/app is no copy that memdir made; move it away" in done.stderr
    assert sorted(installer.config.rglob("*")) == before


def test_output_that_nobody_reads_does_not_stop_it(installer, checkout):
    ours, theirs = os.pipe()
    os.close(ours)
    done = installer.run(
        checkout / "install.sh", "--no-venv", "--no-demo", "--link", capture_output=False, stdout=theirs,
        stderr=subprocess.PIPE,
    )  # fmt: skip
    os.close(theirs)
    assert (done.returncode, done.stderr) == (0, "")
    assert own_per_event(installer) == hooks_json_per_event(checkout)
    with open("/dev/full", "w") as full:
        done = installer.run(
            checkout / "bin/memdir", "uninstall", "--purge", capture_output=False, stdout=full, stderr=subprocess.PIPE
        )
    assert (done.returncode, done.stderr) == (0, "")
    assert os.listdir(installer.home / ".claude") == []


def test_a_working_directory_that_is_gone_is_none_to_doctor(installer, checkout, tmp_path):
    code = "import os, sys; os.mkdir(sys.argv[1]); os.chdir(sys.argv[1]); os.rmdir(sys.argv[1])\n"
    code += "os.execv(sys.argv[2], sys.argv[2:])"
    words = (checkout / "install.sh", *LINKED)
    done = installer.run(running_python(), "-c", code, tmp_path / "gone", *words)
    assert done.returncode == 0, done.stderr
    assert "checks well" in done.stdout


def test_what_a_person_changed_in_the_entries_is_told_when_it_is_set_back(installed, checkout):
    settings = json.loads(installed.settings.read_bytes())
    settings["hooks"]["Stop"][0]["hooks"][0]["timeout"] = 5
    installed.settings.write_text(json.dumps(settings))
    out = installed.memdir("install", "--no-venv", "--no-demo").stdout
    assert "Changed by hand, and memdir's own again: timeout of Stop." in out
    assert "Changed by hand" not in installed.memdir("install", "--no-venv", "--no-demo").stdout


# The interpreter


def script(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def test_a_shim_and_a_virtual_environment_lead_to_the_real_interpreter(installer, checkout, tmp_path):
    real = running_python()
    subprocess.run([real, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    shim = script(tmp_path / "shims" / "python3", f'exec "{real}" "$@"')
    for path in (tmp_path / "venv" / "bin", shim.parent):
        shutil.rmtree(installer.config, ignore_errors=True)
        env = {"PATH": f"{path}:{installer.path}", "VIRTUAL_ENV": str(tmp_path / "venv")}
        installer.install(checkout, *LINKED, env=env)
        assert Path(installer.record("python")).resolve() == Path(real)
        assert str(tmp_path / "venv") not in installer.record("python")
    installer.install(checkout, *LINKED, "--python", str(shim))
    assert Path(installer.record("python")).resolve() == Path(real)


def test_what_a_project_brings_along_is_not_started(installer, checkout, project, tmp_path):
    ran = tmp_path / "ran"
    trap = script(project / ".venv" / "bin" / "python3", f'touch "{ran}"; exit 1')
    env = {"PATH": f"{trap.parent}:bin:{installer.path}"}
    installer.install(checkout, *LINKED, cwd=project / ".venv", env=env)
    assert not ran.exists()


def test_a_broken_interpreter_is_passed_over(installer, checkout, tmp_path):
    broken = script(tmp_path / "broken" / "python3", "exit 127")
    installer.install(checkout, *LINKED, env={"PATH": f"{broken.parent}:{installer.path}"})
    assert Path(installer.record("python")).resolve() == Path(running_python())


@pytest.mark.parametrize("shell", SHELLS)
def test_an_interpreter_that_hangs_is_passed_over(shell, installer, checkout, tmp_path):
    """Also one that leaves a process behind which keeps the pipe open; then one more question, without an answer."""
    hangs = script(tmp_path / "hangs" / "python3", 'sleep 60 & echo $! > "$0.pid"; wait')
    impatient = copy_plugin(tmp_path / "impatient")
    text = (impatient / "install.sh").read_text()
    (impatient / "install.sh").write_text(text.replace("limit_s=10", "limit_s=2"))
    env = {"PATH": f"{hangs.parent}:{installer.path}"}
    done = installer.run(shell, impatient / "install.sh", "--no-vnev", env=env)
    os.kill(int((hangs.parent / "python3.pid").read_text()), 9)
    assert f"{hangs} does not answer within 2 seconds; passed over" in done.stderr
    assert "unrecognized arguments: --no-vnev" in done.stderr


@pytest.mark.parametrize("given", ["/bin/false", "no-such-python", "/"])
def test_an_interpreter_that_is_none_is_refused(installer, checkout, home, given):
    done = installer.run(checkout / "install.sh", "--python", given)
    assert (done.returncode, list(home.iterdir())) == (1, [])
    assert f"{given} is no Python 3.9 or newer" in done.stderr


def test_each_python_of_this_machine_installs(installer, checkout, each_python):
    installer.install(checkout, "--no-demo", "--no-venv", "--python", each_python)
    assert Path(installer.record("python")).resolve() == Path(each_python).resolve()


def test_without_an_index_everything_else_works(installer, checkout):
    out = " ".join(installer.install(checkout, "--no-demo").split())  # it is wrapped
    assert "this may take a minute" in out
    assert "No matching distribution found" in out
    assert "Everything but model features works without them" in out
    assert installer.record("site_packages") == ""
    assert not list(installer.state.glob("venv-*"))
    assert installer.entries()


# The command


def test_the_command_is_linked_where_people_keep_programs(first, installer, checkout, home):
    assert "no ~/.local/bin and no ~/bin: call ~/.claude/memdir/app/bin/memdir" in first[1]
    folder = home / ".local" / "bin"
    folder.mkdir(parents=True)
    assert "is not in your PATH" in installer.install(checkout, *LINKED)
    out = installer.install(checkout, *LINKED, env={"PATH": f"{folder}:{installer.path}"})
    assert "command → ~/.local/bin/memdir\n" in out
    assert installer.memdir("--version", program=folder / "memdir").returncode == 0


@pytest.mark.parametrize("kind", ["file", "link"])
def test_another_program_of_that_name_stays(installer, checkout, home, kind, tmp_path):
    program = home / "bin" / "memdir"
    other = script(tmp_path / "other" / "bin" / "memdir", "echo other")
    program.parent.mkdir()
    program.write_text("mine") if kind == "file" else program.symlink_to(other)
    out = installer.install(checkout, *LINKED, env={"PATH": f"{home}/bin:{installer.path}"})
    assert f"~/bin/memdir is another program and stays: call {checkout}/bin/memdir" in out
    assert program.read_text() in ("mine", "#!/bin/sh\necho other\n")


# While sessions are under way, and killed


def test_a_running_session_finds_its_launcher_at_every_moment(installed, checkout, project, payload):
    installer = installed
    entry = next(entry for entry in installer.entries() if entry.name == "pre_tool_use")
    stop, codes = threading.Event(), []

    def hammer():
        while not stop.is_set():
            codes.append(installer.call(entry, payload("PreToolUse.Bash"), project).returncode)

    thread = threading.Thread(target=hammer)
    thread.start()
    try:
        for _ in range(3):
            installer.install(checkout)
    finally:
        stop.set()
        thread.join()
    assert len(codes) > 20
    assert set(codes) == {0}


# Shares of the changes that a run makes: most of an installation is copying, what matters comes at the end.
POINTS = (0.01, 0.7, 0.95, 0.975, 0.99)
WATCH = """
import os, sys
stop_at, count, parent = int(sys.argv[1]), 0, os.getpid()
CHANGES = "rename link symlink remove rmdir mkdir chmod".split()
def watch(event, details):
    global count
    writes = event == "open" and isinstance(details[2], int) and details[2] & 3
    if writes or event == "ctypes.call_function" or event[:3] == "os." and event[3:] in CHANGES:
        count += 1
        if count == stop_at and os.getpid() == parent:
            os.kill(parent, 9)
from memdir_cli import main
sys.addaudithook(watch)
status = main.main(sys.argv[2:])
print("changes:%d" % count)
sys.exit(status)
"""


@pytest.mark.parametrize(
    ("words", "older"),
    [
        (("install", "--no-venv", "--no-demo"), False),
        (("install", "--no-venv", "--no-demo"), True),
        (("uninstall",), True),
    ],
    ids=["a first installation", "one over an older", "an uninstallation"],
)
def test_killed_anywhere_it_can_be_run_again(tmp_path, checkout, words, older):
    code = f"import sys; sys.path.insert(0, {str(checkout / 'lib')!r})\n{WATCH}"

    def run(stop_at):
        return installer.run(running_python(), "-I", "-S", "-c", code, str(stop_at), *words)

    (tmp_path / "place" / ".local" / "bin").mkdir(parents=True)
    installer = Installer(tmp_path / "place", tmp_path)
    installer.run(running_python(), "-I", "-S", checkout / "lib/memdir_cli/__main__.py", words[0], "--help")
    installer.config.mkdir()
    installer.settings.write_bytes(FOREIGN.encode())
    if older:
        installer.install(checkout)
    installer.keep(tmp_path / "kept")
    count = int(run(0).stdout.rpartition("changes:")[2])
    assert count > 100
    for share in POINTS:
        installer.put_back(tmp_path / "kept")
        done = run(round(count * share))
        assert done.returncode == -9, (share, done.stderr)
        for entry in installer.entries():
            assert os.access(entry.launcher, os.X_OK), (share, entry.launcher)
        if words[0] == "install":
            installer.install(checkout)
            assert own_per_event(installer) == hooks_json_per_event(checkout)
            assert not [name for name in os.listdir(installer.app.parent) if name.startswith("app.")]
        again = installer.memdir("uninstall", "--purge", program=checkout / "bin" / "memdir")
        assert again.returncode == 0, again.stderr
        assert installer.settings.read_bytes() == FOREIGN.encode()
        assert os.listdir(installer.config) == ["settings.json"]
        assert os.listdir(installer.home / ".local" / "bin") == []


def test_two_at_once_end_as_one(installer, checkout):
    started = [
        subprocess.Popen(
            [checkout / "install.sh", "--no-venv", "--no-demo"], env=installer.env, stdout=subprocess.DEVNULL
        )
        for _ in range(3)
    ]
    assert [process.wait(120) for process in started] == [0, 0, 0]
    assert own_per_event(installer) == hooks_json_per_event(checkout)


# Asking


def answer(installer, command, keys):
    """Runs a command at a terminal and types `keys`; exit code and what the terminal showed."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command, env={**installer.env, "TERM": "dumb"}, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    os.write(ours, keys.encode())
    shown = b""
    try:
        while chunk := os.read(ours, 4096):
            shown += chunk
    except OSError:
        pass  # Linux: the last process has closed its end
    os.close(ours)
    return process.wait(60), shown.decode()


def test_interactive_shows_what_would_be_added_and_takes_no_for_an_answer(installer, checkout, home):
    code, shown = answer(installer, [checkout / "install.sh", "--interactive"], "n\n")
    assert code == 1
    assert ", ".join(EVENTS[:1]) in shown
    assert "Nothing was changed." in shown
    assert list(home.iterdir()) == []


def test_interactive_without_a_terminal_is_refused(installer, checkout, home):
    done = installer.run(checkout / "install.sh", "--interactive")
    assert done.returncode == 1
    assert "needs a terminal" in done.stderr
    assert list(home.iterdir()) == []


# All of it


def test_a_whole_installation_shows_that_it_works(installer, checkout):
    out = installer.install(checkout, "--no-venv")
    assert "[6/6] demonstration" in out
    assert "All five happened as they should" in out


# The worker's packages


@pytest.fixture
def wheels(installer):
    if not WHEELS:
        pytest.skip(WHEELS_MISSING)
    installer.env["PIP_FIND_LINKS"] = WHEELS


def test_the_packages_are_there_for_the_worker_and_replaced_only_by_others(installer, tmp_path, wheels):
    checkout = copy_plugin(tmp_path / "Mein Code" / "memdir")
    options = ("--no-demo", "--python", running_python())
    installer.install(checkout, *options)
    packages = Path(installer.record("site_packages"))
    imports = (
        "import sys; sys.path.append(sys.argv[1]); import yaml, platformdirs, anthropic; print(anthropic.__file__)"
    )
    done = installer.run(installer.record("python"), "-I", "-S", "-c", imports, packages)
    assert done.stdout.startswith(str(packages)), done.stderr

    assert "may take a minute" not in installer.install(checkout, *options, env={"PIP_FIND_LINKS": "/nowhere"})
    (checkout / "requirements.txt").write_text("platformdirs\n")
    installer.install(checkout, *options)
    assert Path(installer.record("site_packages")) != packages
    assert not packages.exists()
