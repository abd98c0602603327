"""hooks/py: whatever is missing or broken, the hook ends with exit code 0, without output and without noise."""

import os
import resource
import shutil
import stat
import subprocess
import tempfile

import pytest

from support.checkout import copy_plugin, plain_python, running_python
from support.hooks import HookRunner

SILENT = (0, b"", b"")


@pytest.fixture
def install(tmp_path, project, home):
    """A plugin of the test's own, and what runs its hooks: install(name of its folder)."""

    def make(name="memdir"):
        path = plain_python(tmp_path / "path", running_python())
        return HookRunner(copy_plugin(tmp_path / "plugins" / name), project, home, {"PATH": path})

    return make


@pytest.fixture
def prompt(payload, memory):
    memory.topic("staging-deploys", "Staging deploys only happen on Tuesdays", "Never on Fridays.")
    return payload("UserPromptSubmit.text", prompt="when do staging deploys happen?")


def _result(run, prompt, **options):
    done = run("UserPromptSubmit", prompt, **options)
    return done.rc, done.stdout, done.stderr


def _record(home, python):
    folder = home / ".claude" / "memdir"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "python").write_text(f"{python}\n")
    return folder / "last_failure"


def test_it_delivers_when_nothing_is_wrong(install, prompt):
    assert "Never on Fridays." in install()("UserPromptSubmit", prompt).context


@pytest.mark.parametrize("name", ["a b", "it's", 'say "x"', "$HOME", "`id`", "插件 é", "a;b&c", "new\nline", "-n", "*"])
def test_any_path_will_do(install, prompt, name):
    assert "Never on Fridays." in install(name)("UserPromptSubmit", prompt).context


@pytest.mark.parametrize(
    "missing",
    ["hooks/user_prompt_submit.py", "lib", "lib/memdir/hookio.py", "lib/memdir/jsonio.py",
     "lib/memdir/events/user_prompt_submit.py", "lib/memdir/rank.py"],
)  # fmt: skip
def test_a_part_that_is_missing_lets_the_prompt_through(install, prompt, missing):
    run = install()
    target = run.plugin / missing
    if target.is_dir():
        shutil.rmtree(target)
    else:
        target.unlink()
    assert _result(run, prompt) == SILENT


@pytest.mark.parametrize(
    "text",
    ["def broken(:\n", "raise SystemExit(2)\n", "import os; os._exit(2)\n", "1/0\n", "\x00", "é = 'ü",
     "import sys; print('x', file=sys.stderr); sys.exit(1)\n"],
)  # fmt: skip
@pytest.mark.parametrize("part", ["hooks/user_prompt_submit.py", "lib/memdir/rank.py"])
def test_a_part_that_is_broken_lets_the_prompt_through(install, prompt, part, text):
    run = install()
    (run.plugin / part).write_text(text)
    assert _result(run, prompt) == SILENT


def test_a_failure_is_kept_for_doctor_in_one_line(install, prompt, home):
    kept = _record(home, running_python())
    run = install()
    (run.plugin / "hooks" / "user_prompt_submit.py").unlink()
    _result(run, prompt)
    assert _result(run, prompt) == SILENT
    assert kept.read_text() == "user_prompt_submit: the script is missing: install memdir again\n"


@pytest.mark.parametrize(
    "body",
    ["#!/bin/sh\nexit 2\n", "#!/bin/sh\necho noise; echo noise >&2; exit 1\n", "#!/nowhere\n", "\x7fELF broken", "",
     "#!/bin/sh\nkill -9 $$\n"],
)  # fmt: skip
def test_a_recorded_interpreter_that_does_not_work_lets_the_prompt_through(install, prompt, home, tmp_path, body):
    python = tmp_path / "python"
    python.write_text(body)
    python.chmod(0o755)
    _record(home, python)
    assert _result(install(), prompt) == SILENT


@pytest.mark.parametrize(
    "recorded", ["/nowhere/python3", "", "relative/python3", "/tmp", "a\nb", "$(id)", "python3 -c 1"]
)
def test_a_record_that_leads_nowhere_falls_back_to_path(install, prompt, home, recorded):
    _record(home, recorded)
    assert "Never on Fridays." in install()("UserPromptSubmit", prompt).context


def test_without_record_home_and_path_nothing_fails(install, prompt):
    run = install()
    for changes in ({"HOME": None}, {"PATH": None}, {"HOME": None, "PATH": None}, {"PATH": ""}, {"HOME": ""},
                    {"CLAUDE_PROJECT_DIR": None}, {"CLAUDE_PLUGIN_ROOT": None}, {"CLAUDE_PID": None}):  # fmt: skip
        rc, _, err = _result(run, prompt, env=changes)
        assert (rc, err) == (0, b"")


def test_a_shim_is_the_last_resort(install, prompt, tmp_path):
    shims = tmp_path / "shims"
    shims.mkdir()
    shim = shims / "python3"
    shim.write_text(f'#!/bin/sh\ntouch "{tmp_path}/shim-ran"\nexec "{running_python()}" "$@"\n')
    shim.chmod(0o755)
    run = install()
    assert run("UserPromptSubmit", prompt, env={"PATH": f"{shims}:{run.env['PATH']}"}).context
    assert not (tmp_path / "shim-ran").exists()


def test_a_directory_that_the_project_chooses_is_no_place_for_an_interpreter(install, prompt, project):
    trap = project / "python3"
    trap.write_text("#!/bin/sh\ntouch trapped\n")
    trap.chmod(0o755)
    run = install()
    run("UserPromptSubmit", prompt, env={"PATH": f".:{run.env['PATH']}"})
    run("UserPromptSubmit", prompt, env={"PATH": f":{run.env['PATH']}"})
    assert not (project / "trapped").exists()


def test_a_deleted_working_directory_is_no_problem(install, prompt, tmp_path):
    run = install()
    gone = tmp_path / "gone"
    gone.mkdir()
    command = [str(run.plugin / "hooks" / "py"), "user_prompt_submit"]
    script = 'cd "$1" && /bin/rmdir "$1" && shift && exec "$@"'
    done = subprocess.run(
        ["/bin/sh", "-c", script, "sh", str(gone), *command],
        input=b'{"hook_event_name":"UserPromptSubmit","session_id":"s","cwd":"/gone/too","prompt":"fix the build"}\n',
        capture_output=True,
        env={**run.env, "HOME": str(run.home)},
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, b"")
    # A shell may complain of such a directory before it reads our first line; nothing of ours may.
    assert all(line.startswith((b"sh: 0: getcwd", b"shell-init")) for line in done.stderr.splitlines())


def test_the_first_session_records_the_interpreter(install, payload, home):
    (home / ".claude").mkdir(exist_ok=True)
    run = install()
    run.all("SessionStart", payload("SessionStart.startup"))
    recorded = (home / ".claude" / "memdir" / "python").read_text().strip()
    assert os.access(recorded, os.X_OK)
    assert "venv" not in recorded


@pytest.mark.parametrize("name", ["MEMDIR_DISABLE", "MEMDIR_CHILD"])
def test_a_kill_switch_leaves_no_trace(install, prompt, payload, home, name):
    run = install()
    before = sorted(path for path in home.rglob("*") if path.is_file())
    (run.plugin / "hooks" / "user_prompt_submit.py").write_text("raise AssertionError('no script may start')")
    assert _result(run, prompt, env={name: "1", "PATH": "/nowhere"}) == SILENT
    for done in run.all("SessionStart", payload("SessionStart.startup"), env={name: "1"}):
        assert (done.rc, done.stdout, done.stderr) == SILENT
    assert sorted(path for path in home.rglob("*") if path.is_file()) == before
    assert not list(run.plugin.rglob("__pycache__"))


def test_a_switch_set_to_0_is_not_thrown(install, prompt):
    assert install()("UserPromptSubmit", prompt, env={"MEMDIR_DISABLE": "0", "MEMDIR_CHILD": ""}).context


@pytest.mark.parametrize("file", ["settings.json", "settings.local.json"])
@pytest.mark.parametrize("spelling", ["MEMDIR_DISABLE", "\\u004dEMDIR_DISABLE", "MEMDIR\\u005FDISABLE"])
def test_a_repository_cannot_throw_the_switch(install, prompt, project, file, spelling):
    (project / ".claude").mkdir()
    (project / ".claude" / file).write_text(f'{{"env":{{"{spelling}":"1"}}}}')
    run = install()
    assert "Never on Fridays." in run("UserPromptSubmit", prompt, env={"MEMDIR_DISABLE": "1"}).context


def test_nor_can_it_from_its_root_when_the_session_starts_below(install, prompt, project):
    (project / ".claude").mkdir()
    (project / ".claude" / "settings.local.json").write_text('{"env":{"MEMDIR_DISABLE":"1"}}')
    (project / "a" / "b").mkdir(parents=True)
    run = install()
    changes = {"MEMDIR_DISABLE": "1", "CLAUDE_PROJECT_DIR": str(project / "a" / "b")}
    assert "Never on Fridays." in run("UserPromptSubmit", prompt, env=changes).context


def test_nor_from_the_main_worktree_when_the_session_starts_in_a_linked_one(install, prompt, project, tmp_path):
    git = ["git", "-C", str(project), "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", str(tmp_path / "wt")], check=True)
    (project / ".claude").mkdir()
    (project / ".claude" / "settings.local.json").write_text('{"env":{"MEMDIR_DISABLE":"1"}}')
    changes = {"MEMDIR_DISABLE": "1", "CLAUDE_PROJECT_DIR": str(tmp_path / "wt")}
    assert "Never on Fridays." in install()("UserPromptSubmit", prompt, env=changes).context


def test_where_no_process_can_be_made_the_prompt_goes_through(install, prompt):
    if os.geteuid() != 0:
        pytest.skip("only root can take another user's processes away")
    run = install()
    for path in (run.plugin, *run.plugin.parents):
        if path.is_relative_to(tempfile.gettempdir()):
            path.chmod(path.stat().st_mode | 0o011)

    def nobody_without_processes():
        resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
        os.setgid(65534)
        os.setuid(65534)

    done = subprocess.run(
        [str(run.plugin / "hooks" / "py"), "user_prompt_submit"],
        input=b"{}\n",
        capture_output=True,
        env={"PATH": "/usr/bin:/bin"},
        cwd="/",
        preexec_fn=nobody_without_processes,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == SILENT


def test_the_user_s_own_settings_may(install, prompt, home, project):
    (home / ".claude" / "settings.json").write_text('{"env":{"MEMDIR_DISABLE":"1"}}')
    below = home / "work"
    below.mkdir()
    changes = {"MEMDIR_DISABLE": "1", "CLAUDE_PROJECT_DIR": str(below)}
    assert _result(install(), prompt, env=changes) == SILENT


def test_a_repository_cannot_move_the_state(install, prompt, project, home, tmp_path):
    (project / ".claude").mkdir()
    (project / ".claude" / "settings.json").write_text('{"env":{"MEMDIR_DATA_DIR":"/x"}}')
    run = install()
    run("UserPromptSubmit", prompt, env={"MEMDIR_DATA_DIR": str(tmp_path / "elsewhere")})
    assert not (tmp_path / "elsewhere").exists()


def test_the_settings_of_a_repository_that_do_not_speak_of_us_change_nothing(install, prompt, project):
    (project / ".claude").mkdir()
    (project / ".claude" / "settings.json").write_text('{"env":{"OTHER":"\\u4e2d\\u00e9"}}')
    assert _result(install(), prompt, env={"MEMDIR_DISABLE": "1"}) == SILENT


def test_the_launcher_may_be_executed(plugin):
    assert (plugin / "hooks" / "py").stat().st_mode & stat.S_IXUSR


@pytest.mark.parametrize("shell", ["dash", "bash", "busybox", "ksh", "zsh"])
def test_every_shell_that_may_be_sh_runs_it(install, prompt, shell):
    path = shutil.which(shell)
    if not path:
        pytest.skip(f"no {shell} here")
    run = install()
    launcher = run.plugin / "hooks" / "py"
    start = f"#!{path}" + {"busybox": " sh", "zsh": " --emulate sh"}.get(shell, "") + "\n"
    launcher.write_text(start + launcher.read_text().split("\n", 1)[1])
    assert "Never on Fridays." in run("UserPromptSubmit", prompt).context
    (run.plugin / "hooks" / "user_prompt_submit.py").unlink()
    assert _result(run, prompt) == SILENT
