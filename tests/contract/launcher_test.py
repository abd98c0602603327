"""hooks/py: whatever is missing or broken, the hook ends with exit code 0, without output and without noise.

Only pre_tool_use ends with exit code 1 and one line, and only where there is a rule file with a hard key.
"""

import json
import os
import resource
import shutil
import stat
import subprocess
import tempfile

import pytest

from support.checkout import copy_plugin, plain_python, running_python
from support.hooks import HookRunner, read_entries

SILENT = (0, b"", b"")
# A user without files, and without processes: limits count those of all tests that run at the time.
NOBODY = 40_000 + os.getpid() % 20_000


@pytest.fixture
def install(tmp_path, project, home):
    """A plugin of the test's own, and what runs its hooks: install(name of its folder)."""

    def make(name="memdir", **options):
        path = plain_python(tmp_path / "path", running_python())
        return HookRunner(copy_plugin(tmp_path / "plugins" / name, **options), project, home, {"PATH": path})

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


@pytest.mark.parametrize("compiled", [False, True], ids=["its first run", "compiled"])
def test_it_delivers_when_nothing_is_wrong(install, prompt, compiled):
    assert "Never on Fridays." in install(compiled=compiled)("UserPromptSubmit", prompt).context


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
    run("UserPromptSubmit", prompt, env={"PATH": f"{project}:{project}/bin:{run.env['PATH']}"})
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
    run = install(compiled=False)
    before = sorted(path for path in home.rglob("*") if path.is_file())
    (run.plugin / "hooks" / "user_prompt_submit.py").write_text("raise AssertionError('no script may start')")
    assert _result(run, prompt, env={name: "1", "PATH": "/nowhere"}) == SILENT
    for entry in read_entries(run.plugin):
        done = run(entry, payload("Stop"), env={name: "1"})
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


@pytest.mark.parametrize("cat", ["/bin/cat", "/nowhere/cat"], ids=["cat", "no cat"])
@pytest.mark.parametrize("shell", ["dash", "bash", "busybox", "ksh"])
def test_nor_with_settings_in_utf_16_which_claude_code_reads(install, prompt, project, shell, cat):
    (project / ".claude").mkdir()
    (project / ".claude" / "settings.json").write_bytes('\ufeff{"env":{"MEMDIR_DISABLE":"1"}}'.encode("utf-16-le"))
    run = install()
    _use_shell(run, shell)
    launcher = run.plugin / "hooks" / "py"
    assert "$(/bin/cat " in launcher.read_text()
    launcher.write_text(launcher.read_text().replace("$(/bin/cat ", f"$({cat} "))
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
        os.setgid(NOBODY)
        os.setuid(NOBODY)

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


def test_a_launcher_that_cannot_be_executed_blocks_nobody_without_rules(install, payload):
    """After a copy that lost its mode, or on a file system without programs, Claude Code would block every call."""
    run = install()
    (run.plugin / "hooks" / "py").chmod(0o644)
    done = run("PreToolUse", payload("PreToolUse.Bash"))
    assert (done.rc, done.stdout, done.stderr) == SILENT


def test_the_launcher_may_be_executed(plugin):
    assert (plugin / "hooks" / "py").stat().st_mode & stat.S_IXUSR


@pytest.mark.parametrize("shell", ["dash", "bash", "busybox", "ksh", "zsh"])
def test_every_shell_that_may_be_sh_runs_it(install, prompt, shell):
    run = install()
    _use_shell(run, shell)
    assert "Never on Fridays." in run("UserPromptSubmit", prompt).context
    (run.plugin / "hooks" / "user_prompt_submit.py").unlink()
    assert _result(run, prompt) == SILENT


def _use_shell(run, shell):
    path = shutil.which(shell)
    if not path:
        pytest.skip(f"no {shell} here")
    launcher = run.plugin / "hooks" / "py"
    start = f"#!{path}" + {"busybox": " sh", "zsh": " --emulate sh"}.get(shell, "") + "\n"
    launcher.write_text(start + launcher.read_text().split("\n", 1)[1])


# Hard rules: the event is replaced by one that refuses everything, so that an answer shows that it was asked.

HARD = "---\ndeny: [no-recursive-delete]\n---\nText.\n"
SOFT = "---\npaths: [src/**]\n---\ndeny: [no-recursive-delete]\n"
REFUSES = """from memdir import hookio

def handle(event):
    return hookio.decision("deny", "REFUSED")
"""


class Guard:
    """The hook pre_tool_use of one installation."""

    def __init__(self, run, call):
        self.plugin = run.plugin
        self._run = run
        self._call = call

    def __call__(self, **options):
        done = self._run("PreToolUse", self._call, **options)
        return done.rc, done.stdout, done.stderr

    def refuses(self, **options):
        rc, out, err = self(**options)
        assert (rc, err) == (0, b"")
        return b'"REFUSED"' in out

    def fails(self, file, **options):
        """The line on standard error of a call that is blocked."""
        rc, out, err = self(**options)
        assert (rc, out, err.count(b"\n")) == (1, b"", 1)
        line = err.decode()
        assert line.startswith("memdir: hard rules are in force but could not be checked: ")
        assert line.endswith(f", or move the rule files away: {file}\n")
        return line


@pytest.fixture
def install_guard(install, payload):
    def make(name="memdir", event=REFUSES):
        run = install(name)
        (run.plugin / "lib" / "memdir" / "events" / "pre_tool_use.py").write_text(event)
        return Guard(run, payload("PreToolUse.Bash"))

    return make


@pytest.fixture
def guard(install_guard):
    return install_guard()


@pytest.fixture
def rules(project):
    folder = project / ".claude" / "rules"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def hard(rules):
    file = rules / "hard.md"
    file.write_text(HARD)
    return file


def _as_nobody(folders, call):
    """What `call` returns when neither root's rights nor an owner's open the files of the test."""
    if os.geteuid() != 0:
        return call({})
    for path in [place for top in folders for place in (top, *top.parents)]:
        if path.is_relative_to(tempfile.gettempdir()):
            path.chmod(path.stat().st_mode | 0o011)
    return call({"user": NOBODY, "group": NOBODY})


def test_only_a_hard_rule_starts_an_interpreter(guard, hard, tmp_path):
    trace = tmp_path / "started"
    (guard.plugin / "hooks" / "pre_tool_use.py").write_text(f"open({str(trace)!r}, 'w'); print('{{}}')")
    hard.write_text(SOFT)
    assert (guard(), trace.exists()) == (SILENT, False)
    hard.write_text(HARD)
    assert (guard(), trace.exists()) == (SILENT, True)


@pytest.mark.parametrize("name", ["a b", "it's", "$HOME", "`id`", "插件 é", "new\nline", "-n", "*"])
def test_hard_rules_are_checked_from_any_path(install_guard, hard, name):
    assert install_guard(name).refuses()


def test_no_opinion_is_silence(install_guard, hard):
    assert install_guard(event="def handle(event): return None")() == SILENT


def _without(part):
    def remove(plugin, home):
        target = plugin / part
        if target.is_dir():
            shutil.rmtree(target)
        else:
            target.unlink()

    return remove


def _with_script(text):
    return lambda plugin, home: (plugin / "hooks" / "pre_tool_use.py").write_text(text)


def _with_python(body):
    def replace(plugin, home):
        python = home / "python"
        python.write_text(body)
        python.chmod(0o755)
        _record(home, python)

    return replace


def _without_python(plugin, home):
    _record(home, "/nowhere/python3")
    launcher = plugin / "hooks" / "py"
    usual = " /usr/local/bin /opt/homebrew/bin /usr/bin; do"
    assert usual in launcher.read_text()
    launcher.write_text(launcher.read_text().replace(usual, " /nowhere; do"))


FAILURES = {
    "no script": (_without("hooks/pre_tool_use.py"), "the script is missing"),
    "no lib": (_without("lib"), "status 1"),
    "no boundary": (_without("lib/memdir/hookio.py"), "status 1"),
    "no JSON": (_without("lib/memdir/jsonio.py"), "status 1"),
    "syntax error": (_with_script("def broken(:\n"), "status 1"),
    "NUL bytes": (_with_script("\0"), "status 1"),
    "exception": (_with_script("1/0\n"), "status 1"),
    "exit 2": (_with_script("raise SystemExit(2)\n"), "status 2"),
    "exit 3 with noise": (_with_script("import sys; print('{}'); sys.stderr.write('x'); sys.exit(3)"), "status 3"),
    "killed": (_with_script("import os; os.kill(os.getpid(), 9)"), "status 137"),
    "empty script": (_with_script(""), "gave no answer"),
    "another script": (_with_script("print('hello')"), "gave no answer"),
    "no python": (_without_python, "no python3 found: install Python 3.9 or newer"),
    "a python that fails": (_with_python("#!/bin/sh\necho noise; echo noise >&2; exit 1\n"), "status 1"),
    "a python that does nothing": (_with_python("#!/bin/sh\nexit 0\n"), "gave no answer"),
    "a python that chats": (_with_python("#!/bin/sh\necho noise; echo noise >&2\n"), "gave no answer"),
    "a python that is killed": (_with_python("#!/bin/sh\nkill -9 $$\n"), "status 137"),
    "a python without its interpreter": (_with_python("#!/nowhere\n"), "status 12"),
    "a python that is no program": (_with_python("\x7fELF broken"), "status 12"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_blocks_the_call_where_there_is_a_hard_rule(guard, hard, home, name):
    breaks, why = FAILURES[name]
    kept = _record(home, running_python())
    breaks(guard.plugin, home)
    assert why in guard.fails(hard, env={"PATH": "/nowhere"})
    assert kept.read_text().startswith("pre_tool_use: ")
    assert why in kept.read_text()


@pytest.mark.parametrize("name", FAILURES)
def test_without_one_nobody_hears_of_it(guard, rules, home, name):
    (rules / "soft.md").write_text(SOFT)
    kept = _record(home, running_python())
    FAILURES[name][0](guard.plugin, home)
    assert guard(env={"PATH": "/nowhere"}) == SILENT
    assert not kept.exists()


EVENTS = {
    "missing": (None, "ModuleNotFoundError"),
    "syntax error": ("def broken(:\n", "SyntaxError"),
    "exception": ("def handle(event):\n    return {}['x']\n", "KeyError at pre_tool_use.py:2"),
    "endless recursion": ("def handle(event): return handle(event)", "RecursionError at pre_tool_use.py:1"),
    "an answer that is not JSON": ("def handle(event): return {'x': object()}", "TypeError"),
    "no handle": ("", "AttributeError"),
}


@pytest.mark.parametrize("name", EVENTS)
def test_a_failure_inside_is_an_answer_that_refuses_the_call(guard, hard, name):
    text, error = EVENTS[name]
    event = guard.plugin / "lib" / "memdir" / "events" / "pre_tool_use.py"
    if text is None:
        event.unlink()
    else:
        event.write_text(text)
    rc, out, err = guard()
    answer = json.loads(out)["hookSpecificOutput"]
    assert (rc, err) == (0, b"")
    assert (answer["hookEventName"], answer["permissionDecision"]) == ("PreToolUse", "deny")
    assert answer["permissionDecisionReason"].startswith(f"memdir could not check the hard rules ({error}")


@pytest.mark.parametrize("text", ["raise SystemExit(0)", "import os; os._exit(0)", "import os; os.close(1)"])
def test_an_event_that_ends_the_process_or_its_output_blocks_the_call(install_guard, hard, text):
    guard = install_guard(event=f"def handle(event):\n    {text}\n")
    guard.fails(hard)


def test_a_boundary_that_could_not_refuse_says_so_by_its_status(install_guard, hard):
    assert "ended with status 1" in install_guard(event="def handle(event): raise SystemExit(0)").fails(hard)


def test_an_answer_that_does_not_arrive_blocks_the_call(guard, hard, run_hook):
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full here")
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [str(guard.plugin / "hooks" / "py"), "pre_tool_use"],
            input=b'{"tool_name":"Bash"}\n',
            stdout=full,
            stderr=subprocess.PIPE,
            env={**run_hook.env, "HOME": str(run_hook.home), "CLAUDE_PROJECT_DIR": str(run_hook.project)},
            cwd=run_hook.project,
            check=False,
        )
    assert done.returncode == 1
    assert b"the answer could not be written" in done.stderr


def test_the_noise_of_others_stays_inside(install_guard, hard):
    noisy = "import os\nfor fd in (2, 3):\n    try: os.write(fd, b'noise')\n    except OSError: pass\n"
    assert install_guard(event=noisy + REFUSES).refuses()


@pytest.mark.parametrize("env", [{}, {"MEMDIR_DATA_DIR": "/x"}], ids=["-", "MEMDIR"])
@pytest.mark.parametrize("with_rule", [True, False], ids=["a hard rule", "no rule"])
def test_where_no_process_can_be_made_only_hard_rules_block(guard, project, with_rule, env):
    if os.geteuid() != 0:
        pytest.skip("only root can take another user's processes away")
    folder = project / ".claude" / "rules"
    folder.mkdir(parents=True)
    (project / ".claude" / "settings.json").write_text("{}")
    if with_rule:
        (folder / "hard.md").write_text(HARD)

    def call(user):
        return subprocess.run(
            [str(guard.plugin / "hooks" / "py"), "pre_tool_use"],
            input=b"{}\n",
            capture_output=True,
            env={"PATH": "/usr/bin:/bin", "HOME": "/nowhere", **env},
            cwd=project,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NPROC, (0, 0)),
            check=False,
            **user,
        )

    done = _as_nobody([project, guard.plugin], call)
    assert (done.returncode, done.stdout) == (int(with_rule), b"")
    assert (b"no process could be made" in done.stderr) is with_rule


HEADERS = {
    "deny": ("---\ndeny: [x]\n---\n", True),
    "ask": ("---\nask: x\n---\n", True),
    "protect": ("---\npaths: [a]\nprotect:\n  - x\n---\n", True),
    "require": ("---\nrequire: x\n---\n", True),
    "byte order mark": ("\ufeff---\ndeny: x\n---\n", True),
    "CRLF": ("---\r\npaths: a\r\ndeny: x\r\n---\r\n", True),
    "CR": ("---\rpaths: a\rdeny: x\r---\rText.\r", True),
    "blanks after the fence": ("--- \t\ndeny: x\n---\n", True),
    "indented": ("---\n  deny: x\n---\n", True),
    "tabs": ("---\n\tdeny\t:\tx\n---\n", True),
    "blank before the colon": ("---\ndeny : x\n---\n", True),
    "double quotes": ('---\n"deny": x\n---\n', True),
    "single quotes": ("---\n'deny' : x\n---\n", True),
    "escapes": ('---\n"d\\u0065ny": x\n---\n', True),
    "flow mapping": ("---\n{deny: [x]}\n---\n", True),
    "flow mapping, second key": ('---\n{ "paths":["a"],"deny":["x"]}\n---\n', True),
    "flow mapping on two lines": ("---\n{paths: [a],\n b: c, deny: [x]}\n---\n", True),
    "line 40": ("---\n" + "# comment\n" * 38 + "deny: x\n---\n", True),
    "line 1000": ("---\n" + "# comment\n" * 998 + "deny: x\n---\n", True),
    "never closed": ("---\ndeny: x\n", True),
    "no newline at the end": ("---\ndeny: x", True),
    "bytes that are not UTF-8": ("---\n\udcff: \udcfe\ndeny: \udcff\n---\n", True),
    "empty": ("", False),
    "one fence": ("---", False),
    "no header": ("# Title\ndeny: x\n", False),
    "a word before the fence": ("Title ---\ndeny: x\n---\n", False),
    "a rule of dashes": ("-----\ndeny: x\n---\n", False),
    "text after the fence": ("--- text\ndeny: x\n---\n", False),
    "soft": ("---\npaths: [a]\n---\n", False),
    "in the body": (SOFT, False),
    "in the body, CRLF": (SOFT.replace("\n", "\r\n"), False),
    "after three dots": ("---\npaths: a\n...\ndeny: x\n", False),
    "longer words": ("---\ndenying: x\nasks: y\n---\n", False),
    "in a value": ("---\ndescription: we deny: this, ask: that\n---\n", False),
    "in a comment": ("---\n# deny: x\n---\n", False),
    "beyond the 1000 lines of a header": ("---\n" + "# comment\n" * 1001 + "deny: x\n---\n", False),
}


@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
@pytest.mark.parametrize("name", HEADERS)
def test_a_hard_key_is_found_in_the_header_alone(guard, rules, name, locale):
    text, wanted = HEADERS[name]
    (rules / "rule.md").write_bytes(text.encode("utf-8", "surrogateescape"))
    assert guard.refuses(env={"LC_ALL": locale}) is wanted


@pytest.mark.parametrize("shell", ["dash", "bash", "busybox", "ksh", "zsh"])
def test_every_shell_that_may_be_sh_finds_hard_rules(guard, rules, shell):
    _use_shell(guard, shell)
    (rules / "a b").mkdir()
    for name, (text, wanted) in HEADERS.items():
        (rules / "a b" / "new\nline.md").write_bytes(text.encode("utf-8", "surrogateescape"))
        assert guard.refuses(env={"LC_ALL": "C.UTF-8"}) is wanted, name
    (rules / "a b" / "new\nline.md").write_text(HARD)
    (guard.plugin / "hooks" / "pre_tool_use.py").unlink()
    guard.fails(rules / "a b" / "new")  # a name with a newline is cut there


@pytest.mark.parametrize(
    ("name", "wanted"),
    [("a b.md", True), ("new\nline.md", True), ("*.md", True), ("[x].md", True), ("?", False), ("-n.md", True),
     ("规则.md", True), ("sub/x.md", True), ("a b/*/x.md", True), ("x.md/y.md", True), ("1/2/3/4/5/6/7/8/x.md", True),
     ("1/2/3/4/5/6/7/8/9/x.md", False), ("x.txt", False), ("x.md.bak", False), ("md", False), (".x.md", False),
     (".sub/x.md", False)],
)  # fmt: skip
def test_a_rule_file_counts_by_its_name_and_depth(guard, rules, name, wanted):
    file = rules / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(HARD)
    assert guard.refuses() is wanted


def test_links_are_followed_and_loops_end(guard, rules, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (rules / "gone.md").symlink_to("/nowhere")
    (rules / "self.md").symlink_to("self.md")
    os.mkfifo(rules / "pipe.md")
    (rules / "once").symlink_to(tmp_path / "elsewhere")
    (rules / "loop").symlink_to(rules)
    (rules / "other").symlink_to("loop")
    assert not guard.refuses()
    (tmp_path / "elsewhere" / "x.md").write_text(HARD)
    assert guard.refuses()
    (tmp_path / "elsewhere" / "x.md").rename(tmp_path / "x")
    (rules / "link.md").symlink_to(tmp_path / "x")
    assert guard.refuses()


def test_links_that_multiply_do_not_take_the_time_of_a_call(guard, rules):
    for name in "abcdef":
        (rules / name).symlink_to(rules)
    guard(timeout_s=8)


@pytest.mark.parametrize(
    ("closed", "mode", "wanted"),
    [("rule.md", 0, True), (".", 0, True), (".", 0o444, True), (".", 0o111, True), ("..", 0, False)],
    ids=["file", "folder", "folder without search", "folder without reading", "folder that may hold none"],
)
def test_what_is_there_and_cannot_be_read_counts_as_hard(guard, rules, project, closed, mode, wanted):
    (rules / "rule.md").write_text(SOFT)
    (guard.plugin / "hooks" / "pre_tool_use.py").unlink()
    target = rules / closed

    def call(user):
        target.chmod(mode)
        try:
            return subprocess.run(
                [str(guard.plugin / "hooks" / "py"), "pre_tool_use"],
                input=b"{}\n",
                capture_output=True,
                env={"HOME": "/nowhere"},
                cwd=project,
                check=False,
                **user,
            )
        finally:
            target.chmod(0o755)

    assert _as_nobody([rules, guard.plugin], call).returncode == int(wanted)


@pytest.mark.parametrize("place", ["project", "above", "below", "elsewhere", "link", "home", "config", "empty config"])
def test_rules_are_found_in_all_places(guard, project, home, tmp_path, place):
    below = project / "a b" / "c"
    below.mkdir(parents=True)
    (tmp_path / "link").symlink_to(below)
    (tmp_path / "other").mkdir()
    config = tmp_path / "config"
    folder, cwd, env = {
        "project": (project / ".claude", below, {}),
        "above": (tmp_path / ".claude", below, {}),
        "below": (project / "a b" / ".claude", below, {}),
        "elsewhere": (project / ".claude", tmp_path / "other", {}),
        "link": (project / "a b" / ".claude", tmp_path / "link", {"PWD": str(tmp_path / "link")}),
        "home": (home / ".claude", below, {}),
        "config": (config, below, {"CLAUDE_CONFIG_DIR": str(config)}),
        "empty config": (below, below, {"CLAUDE_CONFIG_DIR": ""}),
    }[place]
    assert not guard.refuses(cwd=cwd, env=env)
    (folder / "rules").mkdir(parents=True)
    (folder / "rules" / "x.md").write_text(HARD)
    assert guard.refuses(cwd=cwd, env=env)


def test_rules_of_a_neighbour_do_not_count(guard, project, tmp_path):
    for folder in (project / "sub", tmp_path / "neighbour", tmp_path / "projec"):
        (folder / ".claude" / "rules").mkdir(parents=True)
        (folder / ".claude" / "rules" / "x.md").write_text(HARD)
    assert not guard.refuses()


def test_where_the_home_is_not_known_python_looks_for_it(guard, tmp_path):
    trace = tmp_path / "started"
    (guard.plugin / "hooks" / "pre_tool_use.py").write_text(f"open({str(trace)!r}, 'w'); 1/0")
    assert guard(env={"HOME": None}) == SILENT
    assert trace.exists()


@pytest.mark.parametrize("name", ["MEMDIR_DISABLE", "MEMDIR_CHILD"])
def test_a_kill_switch_comes_before_hard_rules(guard, hard, name):
    (guard.plugin / "hooks" / "pre_tool_use.py").unlink()
    assert guard(env={name: "1"}) == SILENT


@pytest.mark.parametrize("file", ["settings.json", "settings.local.json"])
@pytest.mark.parametrize("name", ["MEMDIR_DISABLE", "MEMDIR_CHILD"])
def test_a_repository_cannot_switch_its_or_the_user_s_hard_rules_off(guard, project, home, file, name):
    (home / ".claude" / "rules").mkdir(parents=True)
    (home / ".claude" / "rules" / "x.md").write_text(HARD)
    (project / ".claude").mkdir()
    (project / ".claude" / file).write_text(f'{{"env":{{"{name}":"1"}}}}')
    assert guard.refuses(env={name: "1"})


# bin/memdir finds its interpreter as the launcher does, except that it may be started in the home directory.


@pytest.fixture
def command(install, project, home, tmp_path):
    """command(PATH, ...) is what `memdir --help` prints where it is started in the project."""

    def call(*path, cwd=project, word="--help"):
        done = subprocess.run(
            [str(memdir), word],
            capture_output=True,
            text=True,
            env={"PATH": ":".join([*path, os.environ["PATH"]]), "HOME": str(home)},
            cwd=cwd,
            check=False,
        )
        return done.stdout + done.stderr

    memdir = install().plugin / "bin" / "memdir"
    return call


def _trap(folder, tmp_path):
    """A python3 in the folder that only leaves a trace."""
    folder.mkdir(exist_ok=True, parents=True)
    (folder / "python3").write_text(f'#!/bin/sh\necho "{folder}" >>"{tmp_path}/trapped"\n')
    (folder / "python3").chmod(0o755)
    return str(folder)


@pytest.mark.parametrize("place", [".", "sub"])
def test_the_command_line_takes_no_interpreter_that_a_directory_or_project_chooses(command, project, tmp_path, place):
    inside = _trap(project / ".venv" / "bin", tmp_path)
    _trap(project / place, tmp_path)
    assert "usage: memdir" in command(".", "", ".venv/bin", "../.venv/bin", inside, cwd=project / place)
    assert not (tmp_path / "trapped").exists()


def test_nor_does_doctor_when_the_recorded_one_does_not_run(command, project, home, tmp_path):
    _record(home, "/bin/false")
    _trap(project, tmp_path)
    assert "/bin/false" in command(".", "", word="doctor")
    assert not (tmp_path / "trapped").exists()


def test_of_the_command_line_too_a_shim_is_the_last_resort(command, tmp_path):
    shims = _trap(tmp_path / "shims", tmp_path)
    assert "usage: memdir" in command(shims, plain_python(tmp_path / "path", running_python()))
    assert not (tmp_path / "trapped").exists()


@pytest.mark.parametrize("recorded", ["python3", "/tmp", "/nowhere/python3", ""])
def test_a_record_that_is_no_program_is_passed_over(command, project, home, tmp_path, recorded):
    _trap(project, tmp_path)
    _record(home, recorded)
    assert "usage: memdir" in command()
    assert not (tmp_path / "trapped").exists()


def test_in_the_home_directory_an_interpreter_below_it_is_the_user_s(command, home, tmp_path):
    (home / ".git").mkdir()  # as those have it who keep their dotfiles so
    _trap(home / "bin", tmp_path)
    command(str(home / "bin"), cwd=home)
    assert (tmp_path / "trapped").exists()
