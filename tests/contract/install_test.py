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
FOREIGN = '{\r\n\t"model": "opus",\r\n\t"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say ok"}]}]}}'


@pytest.fixture(scope="session")
def checkout(tmp_path_factory):
    """Shared: who would change it makes a copy."""
    return copy_plugin(tmp_path_factory.mktemp("checkout") / "Ünser Code" / "memdir")


@pytest.fixture
def installer(home, tmp_path):
    return Installer(home, tmp_path)


def own_per_event(installer):
    counts: dict[str, int] = {}
    for entry in installer.entries():
        counts[entry.event] = counts.get(entry.event, 0) + 1
    return counts


def hooks_json_per_event(checkout):
    groups = json.loads((checkout / "hooks" / "hooks.json").read_bytes())["hooks"]
    return {event: sum(len(group["hooks"]) for group in listed) for event, listed in groups.items()}


def test_a_first_installation_has_everything_in_place(installer, checkout, home):
    out = installer.install(checkout)
    assert [line[:5] for line in out.splitlines() if line[0] == "["] == [f"[{step}/5]" for step in range(1, 6)]
    assert f"[3/5] hooks → ~/.claude/settings.json ({len(EVENTS)} events)" in out
    assert str(home) + "/.claude" not in out.split("doctor")[0]
    assert own_per_event(installer) == hooks_json_per_event(checkout)
    assert {entry.launcher for entry in installer.entries()} == {str(installer.app / "hooks" / "py")}
    assert Path(installer.record("python")).resolve() == Path(running_python())
    assert installer.state == home / ".local/state/memdir" or sys.platform == "darwin"
    assert installer.memdir("--version").stdout.startswith("memdir ")
    assert not (installer.app / "tests").exists()


def test_the_copy_is_the_checkout_with_modes_and_links_compiled(installer, checkout):
    installer.install(checkout)

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


@pytest.mark.parametrize("name", ["My Hooks", "O'Brien", "a$b", "größe (1)"])
def test_every_registered_entry_runs_from_an_odd_path(name, home, tmp_path, project, payload):
    """INS-07, for the configuration directory and the checkout."""
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


@pytest.mark.parametrize("first", ["copy", "link"])
@pytest.mark.parametrize("second", ["copy", "link"])
def test_an_upgrade_from_a_checkout_that_is_gone_leaves_none_of_it(installer, tmp_path, home, first, second):
    """INS-13."""
    (home / ".local" / "bin").mkdir(parents=True)
    options = {"copy": ("--no-venv", "--no-demo"), "link": ("--no-venv", "--no-demo", "--link")}
    old, new = copy_plugin(tmp_path / "v1" / "memdir"), copy_plugin(tmp_path / "v2" / "memdir")
    (new / "LICENSE").write_text("the new one")
    installer.install(old, *options[first])
    shutil.rmtree(old)
    installer.install(new, *options[second])
    assert b"v1" not in installer.settings.read_bytes()
    assert own_per_event(installer) == hooks_json_per_event(new)
    root = installer.app if second == "copy" else new
    assert {entry.launcher for entry in installer.entries()} == {str(root / "hooks" / "py")}
    assert (root / "LICENSE").read_text() == "the new one"
    assert (home / ".local/bin/memdir").resolve() == root / "bin" / "memdir"


def test_the_installed_copy_mends_itself(installer, checkout):
    installer.install(checkout)
    installer.settings.unlink()
    (installer.config / "memdir" / "python").write_text("/gone/python3\n")
    done = installer.memdir("install", "--no-venv", "--no-demo")
    assert done.returncode == 0, done.stderr
    assert own_per_event(installer) == hooks_json_per_event(checkout)
    assert os.access(installer.record("python"), os.X_OK)


def test_the_installed_copy_is_no_checkout_to_link(installer, checkout):
    installer.install(checkout)
    done = installer.memdir("install", "--link")
    assert done.returncode == 1
    assert "run ./install.sh --link in your checkout" in done.stderr


@pytest.mark.parametrize("shell", [path for path in ("/bin/sh", "/bin/dash", "/bin/bash") if os.path.exists(path)])
def test_every_shell_runs_it_from_everywhere(shell, home, tmp_path, checkout):
    elsewhere = tmp_path / "a link"
    elsewhere.symlink_to(checkout / "install.sh")
    for number, (script, cwd) in enumerate(
        [("install.sh", checkout), (elsewhere, "/"), (f"../{checkout.name}/install.sh", checkout)]
    ):
        installer = Installer(home, tmp_path, tmp_path / f"config {number}")
        done = installer.run(shell, script, "--no-venv", "--no-demo", cwd=cwd)
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
        installer.install(checkout, env={"PATH": f"{path}:{installer.path}", "VIRTUAL_ENV": str(tmp_path / "venv")})
        assert Path(installer.record("python")).resolve() == Path(real)
        assert str(tmp_path / "venv") not in installer.record("python")
    installer.install(checkout, "--no-venv", "--no-demo", "--python", str(shim))
    assert Path(installer.record("python")).resolve() == Path(real)


def test_what_a_project_brings_along_is_not_started(installer, checkout, project, tmp_path):
    ran = tmp_path / "ran"
    trap = script(project / ".venv" / "bin" / "python3", f'touch "{ran}"; exit 1')
    installer.install(checkout, cwd=project / ".venv", env={"PATH": f"{trap.parent}:bin:{installer.path}"})
    assert not ran.exists()


def test_a_broken_interpreter_is_passed_over(installer, checkout, tmp_path):
    broken = script(tmp_path / "broken" / "python3", "exit 127")
    installer.install(checkout, env={"PATH": f"{broken.parent}:{installer.path}"})
    assert Path(installer.record("python")).resolve() == Path(running_python())


@pytest.mark.parametrize("given", ["/bin/false", "no-such-python", "/"])
def test_an_interpreter_that_is_none_is_refused(installer, checkout, home, given):
    done = installer.run(checkout / "install.sh", "--python", given)
    assert (done.returncode, list(home.iterdir())) == (1, [])
    assert f"{given} is no Python 3.9 or newer" in done.stderr


def test_each_python_of_this_machine_installs(installer, checkout, each_python):
    out = installer.install(checkout, "--no-demo", "--python", each_python)
    assert Path(installer.record("python")).resolve() == Path(each_python).resolve()
    assert "Everything but model features works without them" in out
    assert installer.record("site_packages") == ""


# The command


def test_the_command_is_linked_where_people_keep_programs(installer, checkout, home):
    folder = home / ".local" / "bin"
    out = installer.install(checkout)
    assert "no ~/.local/bin and no ~/bin: call ~/.claude/memdir/app/bin/memdir" in out
    folder.mkdir(parents=True)
    assert "is not in your PATH" in installer.install(checkout)
    out = installer.install(checkout, env={"PATH": f"{folder}:{installer.path}"})
    assert "command → ~/.local/bin/memdir\n" in out
    assert installer.memdir("--version", program=folder / "memdir").returncode == 0


@pytest.mark.parametrize("kind", ["file", "link"])
def test_another_program_of_that_name_stays(installer, checkout, home, kind, tmp_path):
    program = home / "bin" / "memdir"
    other = script(tmp_path / "other" / "bin" / "memdir", "echo other")
    program.parent.mkdir()
    program.write_text("mine") if kind == "file" else program.symlink_to(other)
    out = installer.install(checkout, env={"PATH": f"{home}/bin:{installer.path}"})
    assert "~/bin/memdir is another program and stays: call ~/.claude/memdir/app/bin/memdir" in out
    assert program.read_text() in ("mine", "#!/bin/sh\necho other\n")


# While sessions are under way, and killed


def test_a_running_session_finds_its_launcher_at_every_moment(installer, checkout, project, payload):
    installer.install(checkout)
    entry = next(entry for entry in installer.entries() if entry.name == "pre_tool_use")
    stop, codes = threading.Event(), []

    def hammer():
        while not stop.is_set():
            codes.append(installer.call(entry, payload("PreToolUse.Bash"), project).returncode)

    thread = threading.Thread(target=hammer)
    thread.start()
    try:
        for _ in range(4):
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

    def begin(name):
        (tmp_path / name / "home" / ".local" / "bin").mkdir(parents=True)
        installer = Installer(tmp_path / name / "home", tmp_path / name)
        installer.config.mkdir()
        installer.settings.write_bytes(FOREIGN.encode())
        if older:
            installer.install(checkout)
        return installer

    def run(installer, stop_at):
        return installer.run(running_python(), "-I", "-S", "-c", code, str(stop_at), *words)

    for name in ("compiles the checkout", "counts"):
        count = int(run(begin(name), 0).stdout.rpartition("changes:")[2])
    assert count > 100
    for share in POINTS:
        installer = begin(str(share))
        done = run(installer, round(count * share))
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
    (checkout / "requirements.txt").write_text("no-such-package-of-memdir==1\n")
    assert "Not there: " in installer.install(checkout, *options)
    assert Path(installer.record("site_packages")) == packages
    assert packages.is_dir()

    (checkout / "requirements.txt").write_text("platformdirs\n")
    installer.install(checkout, *options)
    assert Path(installer.record("site_packages")) != packages
    assert not packages.exists()
