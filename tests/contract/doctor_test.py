"""`memdir doctor` on a real installation in which one thing is broken at a time, and mended as it says."""

import fcntl
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from memdir import handover
from support.checkout import CLIENT_VERSION, ROOT, plain_python, running_python
from support.memory import project_key
from support.rules import write_rule

IS_ROOT = os.geteuid() == 0
# Permissions do not hold for root; without its capabilities they do.
PLAIN = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if IS_ROOT and shutil.which("setpriv") else []
DOCUMENT = ROOT / "docs" / "troubleshooting.md"
# Whatever holds it, as every path of the installation below, may reach a shell only between quotes.
HOSTILE = "ann's $(touch hacked)`touch hacked`; touch hacked"
POLICY = 'deny: [no-recursive-delete, "Bash(npm publish *)"]\nask: ["Bash(git push *)"]\nprotect: ["migrations/**"]'


class Sound:
    """An installation without a fault, and what doctor says of it."""

    def __init__(self, home, project, tools):
        self.home = home
        self.project = project
        self.tools = tools
        self.config = home / ".claude"
        self.settings = self.config / "settings.json"
        self.record = self.config / "memdir"
        self.app = self.record / "app"
        self.state = home / ".local" / "state" / "memdir"
        self.memory = self.config / "projects" / project_key(project) / "memory"
        self.env = {"HOME": str(home), "PATH": f"{tools}:/usr/bin:/bin", "LANG": "C.UTF-8"}

    def run(self, words, **env):
        return subprocess.run(
            words,
            capture_output=True,
            text=True,
            cwd=self.project,
            env={name: value for name, value in {**self.env, **env}.items() if value is not None},
            stdin=subprocess.DEVNULL,
            timeout=120,
            check=False,
        )

    def doctor(self, *words, program=None, **env):
        done = self.run([*PLAIN, str(program or self.app / "bin" / "memdir"), "doctor", *words], **env)
        assert done.stderr == ""
        return done.returncode, done.stdout

    def findings(self, **options):
        code, out = self.doctor("--json", **options)
        found = json.loads(out)
        assert code == any(one["level"] == "problem" for one in found)
        assert all(list(one) == ["level", "code", "text", "mend"] for one in found)
        assert all(one["mend"] for one in found if one["level"] == "problem")
        assert [one for one in found if "hacked" in re.sub(r"""'[^']*'|"'\"""", "", one["mend"])] == []
        return found

    def codes(self, **options):
        return {one["code"]: one for one in self.findings(**options) if one["level"] != "ok"}

    def edit_settings(self, change, path=None):
        path = path or self.settings
        value = json.loads(path.read_text()) if path.exists() else {}
        change(value)
        write(path, json.dumps(value, indent=1))

    def mend(self, command):
        """Pastes a command into a shell; an installation without its packages, which need a network."""
        done = self.run(["bash", "-c", command.replace("--no-demo", "--no-demo --no-venv")])
        assert done.returncode == 0, done.stdout + done.stderr
        assert not (self.project / "hacked").exists()


def write(path, text, mode=None):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    if mode is not None:
        path.chmod(mode)
    return path


def tool(folder, name, script):
    return write(folder / name, "#!/bin/sh\n" + script, 0o755)


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """One installation, and a copy of its home to start each test from: its files name their own places."""
    root = tmp_path_factory.mktemp("doctor").resolve() / HOSTILE
    project, tools = root / "project", root / "tools"
    (project / ".git").mkdir(parents=True)
    (root / "home").mkdir()
    plain_python(tools, running_python())
    tool(tools, "claude", f"echo '{CLIENT_VERSION} (Claude Code)'\n")
    tool(tools, "sudo", 'exec "$@"\n')  # a test has no other user's rights, or has them all
    found = Sound(root / "home", project, tools)
    done = found.run(["sh", str(ROOT / "install.sh"), "--no-venv", "--no-demo"])
    assert done.returncode == 0, done.stdout + done.stderr
    (tools / "memdir").symlink_to(found.app / "bin" / "memdir")
    found.doctor()  # compiles the rest
    subprocess.run(["cp", "-a", str(root), f"{root}.aside"], check=True)
    return found


@pytest.fixture
def sound(installed):
    root = installed.project.parent
    subprocess.run(["rm", "-rf", str(root)], check=True)
    subprocess.run(["cp", "-a", f"{root}.aside", str(root)], check=True)
    yield installed
    assert not (installed.project / "hacked").exists()


def test_a_sound_installation_has_nothing_wrong(sound):
    code, out = sound.doctor()
    assert (code, "WRONG" in out) == (0, False)
    assert list(sound.codes()) == ["packages.none"]  # which need a network
    assert out.startswith("0 wrong, 1 to know, ")
    for title in ("Interpreter", "Hooks", "Claude Code", "Memory", "Rules", "State", "This repository"):
        assert f"\n{title}\n" in out
    for line in out.splitlines():
        assert len(line) <= 100 or "->" in line or max(map(len, line.split())) > 60, line
    assert sound.doctor("--report")[1] in out


def test_it_leaves_nothing_behind(sound):
    root = sound.project.parent

    def names():
        return {str(path) for path in root.rglob("*") if "__pycache__" not in path.parts}

    (root / "tmp").mkdir()
    before = names()
    sound.doctor(TMPDIR=str(root / "tmp"))
    assert {name for name in names() - before if not name.startswith(str(sound.state))} == set()


# What breaks one thing. The mend that doctor names is carried out, unless it is an edit: then by `undo`.


def _python(text, mode=0o755):
    def break_it(sound):
        path = write(sound.home / "other" / "python3", text, mode)
        write(sound.record / "python", f"{path}\n")

    return break_it


def _missing_python(sound):
    write(sound.record / "python", "/nowhere/python3\n")


def _shim(sound):
    path = tool(sound.home / ".pyenv" / "shims", "python3", f'exec {running_python()} "$@"\n')
    write(sound.record / "python", f"{path}\n")


def _environment(sound):
    folder = sound.home / "venv"
    subprocess.run([running_python(), "-m", "venv", "--without-pip", str(folder)], check=True)
    write(sound.record / "python", f"{folder}/bin/python3\n")


def _without_hook(sound, event="Stop"):
    sound.edit_settings(lambda value: value["hooks"].pop(event))


def _doubled(sound):
    sound.edit_settings(lambda value: value["hooks"]["Stop"].append(value["hooks"]["Stop"][0]))


def _without_on_failure(sound):
    sound.edit_settings(lambda value: value["hooks"]["PreToolUse"][0]["hooks"][0].pop("onFailure"))


def _other_matcher(sound):
    sound.edit_settings(lambda value: value["hooks"]["PostToolUse"][0].update(matcher="Bash"))


def _other_timeout(sound):
    sound.edit_settings(lambda value: value["hooks"]["Stop"][0]["hooks"][0].update(timeout=600))


def _stale(sound):
    sound.settings.write_text(sound.settings.read_text().replace(str(sound.app), str(sound.home / "memdir-gone")))


def _second_copy(sound):
    other = sound.home / "checkout"
    shutil.copytree(sound.app, other, symlinks=True)
    entry = json.loads(
        json.dumps(json.loads(sound.settings.read_text())["hooks"]["Stop"][0]).replace(str(sound.app), str(other))
    )
    sound.edit_settings(lambda value: value["hooks"]["Stop"].append(entry))


def _record(name):
    return lambda sound: (sound.record / name).unlink()


def _foreign_record(sound):
    write(sound.record / "hooks", f"{ROOT}/hooks/py\n")


def _in_project(sound):
    hooks = {"Stop": json.loads(sound.settings.read_text())["hooks"]["Stop"]}
    write(sound.project / ".claude" / "settings.local.json", json.dumps({"hooks": hooks}))


def _remove(*parts):
    return lambda sound: (sound.project.joinpath(*parts)).unlink()


def _set(**values):
    return lambda sound: sound.edit_settings(lambda value: value.update(values))


def _unset(*names):
    return lambda sound: sound.edit_settings(lambda value: [value.pop(name) for name in names])


def _flag(name):
    text = json.dumps({"cachedGrowthBookFeatures": {name: True}})
    return lambda sound: write(sound.home / ".claude.json", text)


def _no_flags(sound):
    write(sound.home / ".claude.json", "{}")


def _memory_file(name, text):
    return lambda sound: write(sound.memory / name, text)


def _no_memory(sound):
    shutil.rmtree(sound.memory)


def _dangling_memory(sound):
    sound.memory.parent.mkdir(parents=True, exist_ok=True)
    sound.memory.symlink_to(sound.home / "nowhere")


def _memory_is_a_file(sound):
    write(sound.memory, "x")


def _mode(place, mode):
    def break_it(sound):
        path = getattr(sound, place)
        path.mkdir(parents=True, exist_ok=True)
        path.chmod(mode)

    return break_it


def _given_away(place):
    def break_it(sound):
        path = getattr(sound, place)
        path.mkdir(parents=True, exist_ok=True)
        path.chmod(0o755)
        os.chown(path, 65534, 65534)

    return break_it


def _project_settings(**values):
    return lambda sound: write(sound.project / ".claude" / "settings.json", json.dumps(values))


def _no_project_settings(sound):
    shutil.rmtree(sound.project / ".claude")


def _untrusted(sound):
    _project_settings(autoMemoryDirectory=str(sound.home / "chosen"))(sound)


def _gone_project(sound):
    gone = sound.home / "gone"
    tab = sound.home / "a\tb"
    tab.mkdir()
    lines = [f"{tab}\t{sound.memory}", f"{gone}\t{gone}/memory", f"{sound.project}\t{sound.memory}"]
    write(sound.state / handover.TRUSTED, "\n".join([*lines, ""]))


def _plugin(name="memdir@memdir"):
    def break_it(sound):
        sound.edit_settings(lambda value: value.update(enabledPlugins={name: True}))
        listed = {name: [{"scope": "user", "installPath": "/x", "version": "0.1.0"}]}
        write(sound.config / "plugins" / "installed_plugins.json", json.dumps({"version": 2, "plugins": listed}))

    return break_it


def _log_is_a_directory(sound):
    (sound.state / "log.jsonl").unlink(missing_ok=True)
    (sound.state / "log.jsonl").mkdir()


def _trusted_is_a_pipe(sound):
    os.mkfifo(sound.state / handover.TRUSTED)


def _job(place, **fields):
    two_days_ago = time.time() - 2 * 86_400 - 60

    def break_it(sound):
        text = json.dumps({"session": "s1", "queued_at": two_days_ago, **fields})
        write(sound.state / "queue" / place / "s1.json", text)

    return break_it


def _drop_jobs(sound):
    shutil.rmtree(sound.state / "queue")


def _log(t, **fields):
    def break_it(sound):
        line = {"t": time.time() - t, "hook": "stop", "errors": ["OSError 28 at fsio.py:90"], **fields}
        write(sound.state / "log.jsonl", json.dumps(line) + "\n")

    return break_it


def _no_log(sound):
    (sound.state / "log.jsonl").unlink()


def _future(sound):
    later = time.time() + 3 * 86_400
    os.utime(write(sound.state / "cursors" / "s1.json", "{}"), (later, later))


def _lock_is_a_directory(sound):
    (sound.state / "worker.lock").mkdir()


def _app_without(name):
    return lambda sound: (sound.app / name).unlink()


def _broken_library(sound):
    with (sound.app / "lib" / "memdir" / "enforcement.py").open("a") as file:
        file.write("\nraise RuntimeError\n")


def _old_client(sound):
    tool(sound.tools, "claude", "echo '2.1.200 (Claude Code)'\n")
    tool(sound.tools, "claude.new", f"echo '{CLIENT_VERSION} (Claude Code)'\n")


def _new_client(sound):
    (sound.tools / "claude.new").replace(sound.tools / "claude")


def _packages(python="", missing="", version="", stamp=True):
    def break_it(sound):
        folder = sound.state / "venv-0123456789ab"
        number = ".".join(running_version().split(".")[:2])
        site = folder / "lib" / f"python{number}" / "site-packages"
        site.mkdir(parents=True)
        for name in ("requirements.txt", "requirements-detector.txt"):
            for line in (ROOT / name).read_text().splitlines():
                found = re.match(r"([\w-]+)==([\d.]+)", line)
                if found and found[1] != missing:
                    there = "0.0.1" if found[1] == version else found[2]
                    (site / f"{found[1].replace('-', '_').lower()}-{there}.dist-info").mkdir()
        if stamp:
            write(
                folder / "memdir.json",
                json.dumps({"python": "x", "version": python or number, "site_packages": str(site)}),
            )
        write(sound.record / "site_packages", f"{site}\n")

    return break_it


def running_version():
    return subprocess.run([running_python(), "-c", "import platform; print(platform.python_version())"],
                          capture_output=True, text=True, check=True).stdout.strip()  # fmt: skip


def _no_packages(sound):
    (sound.record / "site_packages").unlink()


def _settings_text(text):
    return lambda sound: write(sound.settings, text)


def _settings_again(sound):
    sound.settings.unlink()
    sound.mend(f"sh {shlex.quote(str(sound.app))}/install.sh --no-demo")


def _settings_closed(sound):
    sound.settings.chmod(0)


def _settings_dangle(sound):
    sound.settings.unlink()
    sound.settings.symlink_to(sound.home / "nowhere.json")


def _config_file(text):
    return lambda sound: write(sound.home / ".config" / "memdir" / "config.yaml", text)


def _no_config_file(sound):
    shutil.rmtree(sound.home / ".config")


def _rule(header):
    return lambda sound: write_rule(sound.project, "policy", header, "As agreed.")


def _earlier_state(sound):
    # the record says another directory than the plain one, where files of an older installation lie
    (sound.home / ".local" / "state" / "memdir" / "queue").mkdir()
    write(sound.record / "state_dir", f"{sound.home}/new state\n")


def _plain_state(sound):
    write(sound.record / "state_dir", f"{sound.state}\n")


# What Python 3.8 would answer.
OLD = """#!/bin/sh
case $* in *"< (3, 9)"* | *interpreter.py*) exit 1 ;; esac
printf '3.8.2\\n/x'
"""
RUN = "the command"
BROKEN = {
    # Interpreter
    "interpreter.missing": (_missing_python, "problem", RUN),
    "interpreter.not_executable": (_python("#!/bin/sh\n", 0o644), "problem", RUN),
    "interpreter.broken": (_python("#!/bin/sh\nexit 7\n"), "problem", RUN),
    "interpreter.old": (_python(OLD), "problem", RUN),
    "interpreter.shim": (_shim, "problem", RUN),
    "interpreter.environment": (_environment, "problem", RUN),
    "interpreter.path_shim": (lambda s: tool(s.tools / "shims", "python3", "sleep 60\n"), "note", None),
    "record.incomplete": (_record("state_dir"), "note", RUN),
    "record.incomplete no interpreter": (_record("python"), "note", RUN),
    "record.incomplete no hooks": (_record("hooks"), "note", RUN),
    "record.hooks": (_foreign_record, "problem", RUN),
    "record.state_dir": (_earlier_state, "note", _plain_state),
    # Packages
    "packages.gone": (lambda s: write(s.record / "site_packages", "/nowhere\n"), "problem", _no_packages),
    "packages.unfinished": (_packages(stamp=False), "problem", _no_packages),
    "packages.python": (_packages(python="3.2"), "problem", _no_packages),
    "packages.missing": (_packages(missing="PyYAML"), "problem", _no_packages),
    "packages.version": (_packages(version="PyYAML"), "problem", _no_packages),
    "packages.detector": (_packages(missing="kingfisher-secret-scanner"), "note", _no_packages),
    # Hooks
    "settings.broken": (_settings_text('{\n "a": 1,\n}'), "problem", _settings_again),
    "settings.unreadable": (_settings_closed, "problem", RUN),
    "settings.dangling": (_settings_dangle, "problem", RUN),
    "hooks.none": (_settings_text("{}"), "problem", RUN),
    "hooks.missing": (_without_hook, "problem", RUN),
    "hooks.doubled": (_doubled, "problem", RUN),
    "hooks.different onFailure": (_without_on_failure, "problem", RUN),
    "hooks.different matcher": (_other_matcher, "problem", RUN),
    "hooks.different timeout": (_other_timeout, "problem", RUN),
    "hooks.stale": (_stale, "problem", RUN),
    "hooks.other_copy": (_second_copy, "problem", RUN),
    "hooks.project": (_in_project, "problem", _remove(".claude", "settings.local.json")),
    "hooks.both": (_plugin(), "note", _unset("enabledPlugins")),
    "hooks.disabled": (_set(disableAllHooks=True), "problem", _unset("disableAllHooks")),
    "hooks.failure": (lambda s: write(s.record / "last_failure", "stop: x\n"), "problem", RUN),
    "app.not_executable": (lambda s: (s.app / "hooks" / "py").chmod(0o644), "problem", RUN),
    "log.errors": (_log(60), "problem", _no_log),
    "log.errors long ago": (_log(2 * 86_400), "note", _no_log),
    # Claude Code
    "client.old": (_old_client, "problem", _new_client),
    "client.broken": (lambda s: (_old_client(s), tool(s.tools, "claude", "exit 3\n")), "problem", _new_client),
    "client.version": (lambda s: (_old_client(s), tool(s.tools, "claude", "echo hello\n")), "note", _new_client),
    "client.missing": (lambda s: (_old_client(s), (s.tools / "claude").unlink()), "note", _new_client),
    "client.recall": (_flag("tengu_moth_copse"), "note", _no_flags),
    "client.extraction": (_flag("tengu_passport_quail"), "note", _no_flags),
    # Memory
    "memory.dangling": (_dangling_memory, "problem", RUN),
    "memory.not_a_directory": (_memory_is_a_file, "problem", RUN),
    "memory.unwritable": (_mode("memory", 0o555), "problem", RUN),
    "memory.unreadable": (_mode("memory", 0o000), "problem", RUN),
    "memory.open": (_mode("memory", 0o777), "problem", RUN),
    "memory.owner": (_given_away("memory"), "problem", RUN),
    "memory.untrusted": (_untrusted, "note", RUN),
    "memory.trust_gone": (_gone_project, "note", lambda s: (s.state / handover.TRUSTED).unlink()),
    "memory.topic": (_memory_file("bad.md", "---\nname: [x\ndescription: d\n---\n"), "problem", _no_memory),
    "memory.topic closed": (lambda s: write(s.memory / "a.md", "x", 0), "problem", RUN),
    "memory.index": (lambda s: write(s.memory / "MEMORY.md", "x", 0), "problem", RUN),
    "memory.index_full": (_memory_file("MEMORY.md", "- [A](a.md)\n" * 250), "problem", _no_memory),
    "memory.index_full nearly": (_memory_file("MEMORY.md", "- [A](a.md)\n" * 170), "note", _no_memory),
    "memory.index_line": (_memory_file("MEMORY.md", "- [A](gone.md)\n"), "note", _no_memory),
    # Rules
    "rules.problem": (_rule("deny: [no-recursiv-delete]"), "problem", _no_project_settings),
    "rules.off": (lambda s: (_rule(POLICY)(s), _config_file("rules.on: off\n")(s)), "note", _no_config_file),
    # State
    "config.unwritable": (lambda s: s.config.chmod(0o555), "problem", RUN),
    "config.owner": (_given_away("record"), "problem", RUN),
    "state.unwritable": (_mode("state", 0o555), "problem", RUN),
    "state.not_a_directory": (lambda s: (shutil.rmtree(s.state), write(s.state, "x")), "problem", RUN),
    "state.open": (_mode("state", 0o755), "note", RUN),
    "state.owner": (_given_away("state"), "problem", RUN),
    "state.closed": (lambda s: write(s.state / "log.jsonl", "", 0o000), "problem", RUN),
    "state.lock": (_lock_is_a_directory, "problem", RUN),
    "state.not_a_file a directory": (_log_is_a_directory, "problem", RUN),
    "state.not_a_file a pipe": (_trusted_is_a_pipe, "problem", RUN),
    "state.damaged": (lambda s: write(s.state / "cursors" / "s1.json.damaged", "{"), "note", RUN),
    "clock.future": (_future, "note", RUN),
    "queue.failed": (_job("failed", error="Traceback\nOSError: no room"), "problem", RUN),
    "queue.waiting": (_job("pending"), "problem", RUN),
    "queue.tries": (_job("pending", tries=2, error="Traceback\nOSError: no room"), "note", RUN),
    "queue.unreadable": (lambda s: (_job("pending")(s), (s.state / "queue").chmod(0)), "problem", RUN),
    "configuration.problem": (_config_file("recall.limit: 9\n"), "problem", _no_config_file),
    "configuration.excluded": (lambda s: _config_file(f"exclude: [{s.project}]\n")(s), "note", _no_config_file),
    "environment.disabled in the settings": (_set(env={"MEMDIR_DISABLE": "1"}), "problem", _unset("env")),
    "environment.variable in the settings": (_set(env={"MEMDIR_CONFIG": "/x"}), "note", _unset("env")),
    "record.state_dir in the settings": (_set(env={"MEMDIR_DATA_DIR": "/x"}), "note", _unset("env")),
    # This repository
    "repository.hooks_off": (_project_settings(disableAllHooks=True), "problem", _no_project_settings),
    "repository.requests": (
        _project_settings(env={"ANTHROPIC_BASE_URL": "http://x"}), "problem", _no_project_settings),
    "repository.variable": (_project_settings(env={"MEMDIR_DISABLE": "1"}), "note", _no_project_settings),
    "repository.programs": (_project_settings(env={"SHELLOPTS": "noexec"}), "problem", _no_project_settings),
    "repository.path": (_project_settings(env={"PATH": "/x"}), "note", _no_project_settings),
    "repository.memory_directory": (_project_settings(autoMemoryDirectory="/x/y"), "note", _no_project_settings),
    "repository.memory_off": (_project_settings(autoMemoryEnabled=False), "note", _no_project_settings),
    "repository.hooks": (
        _project_settings(hooks={"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}),
        "note", _no_project_settings),
    "repository.settings": (
        lambda s: write(s.project / ".claude" / "settings.json", "{,}"), "note", _no_project_settings),
    "repository.turned_down": (
        lambda s: write(s.project / ".claude" / "memdir.yaml", "recall.limit: 0\n"), "note", _no_project_settings),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_broken_is_named_and_mended(sound, case):
    break_it, level, mend = BROKEN[case]
    code = case.partition(" ")[0]
    if code.endswith(".owner") and not IS_ROOT:
        pytest.skip("only root gives files away")
    break_it(sound)
    env = {"PATH": f"{sound.tools}/shims:{sound.env['PATH']}"} if mend is None else {}
    found = sound.codes(**env)
    assert code in found, found
    assert found[code]["level"] == level, found
    if mend is RUN:
        sound.mend(found[code]["mend"])
    elif mend:
        mend(sound)
    assert code not in sound.codes(), sound.codes()


@pytest.mark.parametrize("break_it", [_app_without("hooks/stop.py"), _app_without("hooks/py"), _broken_library],
                         ids=["a script is missing", "the launcher is missing", "the library is broken"])  # fmt: skip
def test_a_damaged_copy_is_named_and_mended_from_the_checkout(sound, break_it):
    break_it(sound)
    found = sound.codes(program=ROOT / "bin" / "memdir")
    code = next(code for code in found if code in ("app.incomplete", "app.missing", "app.trial"))
    sound.mend(found[code]["mend"])
    assert code not in sound.codes(program=ROOT / "bin" / "memdir")


@pytest.mark.parametrize(
    ("name", "kept"),
    [("lib/memdir/recall.py", 0), ("lib/memdir_worker/extraction.py", 0.5)],
    ids=["emptied", "cut off"],
)
def test_a_copy_with_a_file_cut_off_says_that_it_cannot_mend_itself(sound, name, kept):
    """It looks at itself here, and `install.sh` of the copy has nothing to copy from."""
    lines = (sound.app / name).read_text().splitlines(keepends=True)
    write(sound.app / name, "".join(lines[: int(len(lines) * kept)]))
    found = sound.codes()["app.incomplete"]
    assert name in found["text"]
    assert found["mend"].startswith("get memdir again, and in what you got: ")
    if not kept:
        sound.mend(f"cd {shlex.quote(str(ROOT))} && {found['mend'].rpartition(': ')[2]} --no-demo")
        assert "app.incomplete" not in sound.codes()


def test_a_copy_of_another_version_is_named_and_mended(sound):
    def codes():
        return sound.codes(program=ROOT / "bin" / "memdir")

    manifest = sound.app / ".claude-plugin" / "plugin.json"
    manifest.write_text(re.sub(r'"version": "[^"]*"', '"version": "0.0.1"', manifest.read_text()))
    sound.mend(codes()["app.version"]["mend"])
    assert not {"app.version", "app.changed"} & set(codes())
    with (sound.app / "lib" / "memdir" / "ages.py").open("a") as file:
        file.write("# changed\n")
    sound.mend(codes()["app.changed"]["mend"])
    assert "app.changed" not in codes()


def test_a_plugin_alone_is_in_order(sound):
    sound.edit_settings(lambda value: value.pop("hooks"))
    _plugin()(sound)
    for name in ("hooks", "state_dir"):
        (sound.record / name).unlink()
    assert set(sound.codes()) == {"packages.none"}
    assert "memdir:       " in sound.doctor("--report")[1]
    assert "(plugin)" in sound.doctor("--report")[1]
    write(sound.record / "python", "/nowhere/python3\n")  # the next session's start records another
    sound.mend(sound.codes()["interpreter.missing"]["mend"])
    assert sound.codes()["interpreter.unrecorded"]["level"] == "note"


@pytest.mark.parametrize(
    ("env", "code"),
    [
        ({"MEMDIR_DISABLE": "1"}, "environment.disabled"),
        ({"MEMDIR_CONFIG": "/nowhere/config.yaml"}, "environment.variable"),
        ({"MEMDIR_DATA_DIR": "{root}/other"}, "record.state_dir"),
        ({"CLAUDE_MEMORY_STORES": "[]"}, "client.recall"),
        ({"CLAUDE_CODE_POST_TURN_MEMORY": "1"}, "client.extraction"),
    ],
    ids=["off", "configuration", "state directory", "recall", "extraction"],
)
def test_a_variable_that_changes_something_is_named(sound, env, code):
    env = {name: value.format(root=sound.home) for name, value in env.items()}
    found = sound.codes(**env)
    assert found[code]["level"] == "note"
    assert found[code]["mend"] == f"unset {next(iter(env))}"


def test_a_home_that_is_no_path_is_named(sound):
    places = {"CLAUDE_CONFIG_DIR": str(sound.config), "XDG_CONFIG_HOME": str(sound.home / ".config")}
    assert "home.unset" in sound.codes(HOME="home", **places)


def test_a_worker_that_hangs_is_named(sound):
    _job("running")(sound)
    tries = write(sound.state / "queue" / "tries" / "s1.json", "{}")
    with (sound.state / "worker.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert "state.lock_held" not in sound.codes()
        os.utime(tries, (1e9, 1e9))
        found = sound.codes()["state.lock_held"]
    assert found["level"] == "note"
    assert not os.path.exists("/proc/locks") or str(os.getpid()) in found["text"] + found["mend"]
    assert "state.lock_held" not in sound.codes()


@pytest.mark.parametrize(("options", "code"), [("size=1m", "disk.full"), ("size=90m,nr_inodes=1", "disk.inodes")])
def test_a_full_disk_is_named(sound, options, code):
    if not IS_ROOT or sound.run(["unshare", "-m", "true"]).returncode:
        pytest.skip("only root mounts")
    script = f"mount -t tmpfs -o {options},mode=700 none {shlex.quote(str(sound.state))} && exec memdir doctor --json"
    found = {one["code"]: one["level"] for one in json.loads(sound.run(["unshare", "-m", "sh", "-c", script]).stdout)}
    assert found[code] == "problem"
    assert "state.no_locks" not in found


def test_what_breaks_a_check_is_a_finding_and_the_others_go_on(sound):
    whole = {one["code"] for one in sound.findings()}
    with (sound.app / "lib" / "memdir_cli" / "checks" / "memory.py").open("a") as file:
        file.write("\n\ndef check(scene):\n    raise ZeroDivisionError\n")
    (sound.app / "lib" / "memdir_cli" / "checks" / "queue.py").unlink()
    found = sound.findings()
    failed = [one["text"] for one in found if one["code"] == "doctor.failed"]
    assert [text.split(" could")[0] for text in failed] == ["the check of memory", "the check of queue"]
    assert "ZeroDivisionError at memory.py:" in failed[0]
    assert {code for code in whole if not code.startswith(("memory.", "queue."))} <= {one["code"] for one in found}
    assert "doctor.failed" in sound.doctor("--report")[1]


def test_a_mend_is_about_the_profile_that_was_looked_at(sound):
    """It is pasted into a shell that knows nothing of the variables."""
    other, state = sound.home / HOSTILE, sound.home / "state of memdir"
    other.mkdir()
    before = sound.settings.read_bytes()
    env = {"CLAUDE_CONFIG_DIR": str(other), "MEMDIR_DATA_DIR": str(state)}
    sound.mend(sound.codes(**env)["hooks.none"]["mend"])
    assert (sound.settings.read_bytes(), (other / "memdir" / "state_dir").read_text()) == (before, f"{state}\n")
    assert "hooks.none" not in sound.codes(**env)
    _untrusted(sound)
    del env["MEMDIR_DATA_DIR"]  # it is recorded now
    sound.mend(sound.codes(**env)["memory.untrusted"]["mend"])
    assert (state / handover.TRUSTED).exists()


@pytest.mark.parametrize("value", ["", ".", "below/.."])
def test_nothing_of_a_repository_is_run_where_it_would_be_the_profile(sound, value):
    hacked = f"#!/bin/sh\ntouch {shlex.quote(str(sound.project / 'hacked'))}\n"
    (sound.project / "below").mkdir()
    for name in ("python", "app/hooks/py"):
        write(sound.project / "memdir" / name, hacked, 0o755)
    launcher = str(sound.project / "memdir" / "app" / "hooks" / "py")
    write(sound.project / "memdir" / "python", f"{sound.project}/memdir/app/hooks/py\n")
    write(sound.project / "memdir" / "state_dir", f"{sound.project}/state\n")
    write(sound.project / "memdir" / "hooks", f"{launcher}\n")
    write(sound.project / "settings.json", sound.settings.read_text().replace(str(sound.app / "hooks/py"), launcher))
    words = [running_python(), "-I", "-S", str(ROOT / "lib" / "memdir_cli" / "__main__.py"), "doctor", "--json"]
    found = {one["code"]: one for one in json.loads(sound.run(words, CLAUDE_CONFIG_DIR=value).stdout)}
    assert found["config.relative"]["level"] == "problem"
    assert found["config.relative"]["mend"] == "unset CLAUDE_CONFIG_DIR"
    assert "doctor.failed" not in found
    assert not (sound.project / "state").exists()


def test_programs_are_asked_where_no_project_says_what_they_are(sound):
    tool(sound.tools, "claude", f"[ \"$(pwd)\" = / ] || exit 3; echo '{CLIENT_VERSION} (Claude Code)'\n")
    _python(f'#!/bin/sh\ncase $* in *-c*) [ "$(pwd)" = / ] || exit 3 ;; esac\nexec {running_python()} "$@"\n')(sound)
    assert not {"client.broken", "interpreter.broken"} & set(sound.codes())


def test_settings_of_a_repository_that_are_broken_leave_the_other_checks_whole(sound):
    _project_settings(hooks={"Stop": {}}, enabledPlugins=["memdir@memdir"])(sound)
    found = {one["code"] for one in sound.findings()}
    assert {"hooks.registered", "repository.settings"} <= found
    assert "doctor.failed" not in found


@pytest.mark.parametrize(
    ("user", "in_project", "local", "is_on"),
    [
        (True, None, None, True),
        (True, False, None, False),
        (True, False, True, True),
        (None, True, None, True),
        (None, None, False, False),
    ],
    ids=["user", "not in the project", "here again", "only the project", "not here"],
)
def test_the_last_word_on_the_plugin_counts(home, project, user, in_project, local, is_on):
    from memdir_cli.checks.scene import Scene

    listed = {"memdir@memdir": [{"scope": "user", "installPath": "/x", "version": "0.1.0"}]}
    write(home / ".claude" / "plugins" / "installed_plugins.json", json.dumps({"version": 2, "plugins": listed}))
    for path, word in (
        (home / ".claude" / "settings.json", user),
        (project / ".claude" / "settings.json", in_project),
        (project / ".claude" / "settings.local.json", local),
    ):
        write(path, json.dumps({"enabledPlugins": {} if word is None else {"memdir@memdir": word}}))
    assert Scene(os.environ, str(project), time.time()).plugins == (["memdir@memdir"] if is_on else [])


def test_a_plugin_that_a_repository_switches_on_and_nobody_installed_is_none(sound):
    sound.edit_settings(lambda value: value.pop("hooks"))
    (sound.record / "hooks").unlink()
    _project_settings(enabledPlugins={f"memdir@{HOSTILE}": True})(sound)
    found = sound.codes()["hooks.none"]
    assert "which is not installed" in found["text"]
    assert "claude plugin" not in found["mend"]  # a repository does not say what to install


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_doctor_that_is_ended_leaves_nothing_behind(sound, number):
    """It is so in the trial of the hooks: the interpreter tells through a pipe that it has been started for one."""
    pipe, folder = sound.home / "pipe", sound.home / "tmp"
    os.mkfifo(pipe)
    folder.mkdir()
    script = f'#!/bin/sh\ncase $* in *-c*) exec {running_python()} "$@" ;; esac\n'
    _python(f"{script}exec sleep 600 >{shlex.quote(str(pipe))}\n")(sound)
    words = [running_python(), "-I", "-S", str(sound.app / "lib" / "memdir_cli" / "__main__.py"), "doctor"]
    env = {**sound.env, "TMPDIR": str(folder)}
    with subprocess.Popen(words, cwd=sound.project, env=env, stderr=subprocess.PIPE) as process, pipe.open() as end:
        assert len(list(folder.iterdir())) == 1
        process.send_signal(number)
        assert end.read() == ""  # nobody has it open any more: the hook was ended as well
        _, error = process.communicate(timeout=60)
    assert (process.returncode, error, list(folder.iterdir())) == (128 + number, b"", [])


def test_what_a_program_started_ends_with_it(tmp_path):
    from memdir_cli.checks import scene

    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    end = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    script = f"sleep 600 >{shlex.quote(str(pipe))} & wait"
    assert scene.output(["sh", "-c", script], {"PATH": os.defpath}, timeout_s=1) == (None, "")
    os.set_blocking(end, True)
    assert os.read(end, 1) == b""
    os.close(end)


@pytest.mark.parametrize(
    ("to", "code"), [(">/dev/full", 1), (">&-", 1), ("| :", 0)], ids=["a full disk", "closed", "nobody reads"]
)
def test_an_output_that_cannot_be_written_is_no_fault(sound, to, code):
    if "full" in to and not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full")
    done = sound.run(["sh", "-c", f"memdir doctor {to}"])
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr
    assert ("cannot be written" in done.stderr) is ("full" in to)


def test_the_home_directory_is_a_tilde_in_sentences_and_whole_in_commands(sound):
    sound.state.chmod(0o755)
    out = sound.doctor()[1]
    assert "others may read in ~/.local/state/memdir" in " ".join(out.split())
    assert f"chmod -R go-rwx {shlex.quote(str(sound.state))}" in out


def test_hostile_names_do_not_reach_the_terminal(sound):
    name = "evil\x1b]0;x\x07\nname.md"
    write(sound.memory / name, "---\nname: [x\n---\n", 0)
    write(sound.memory / "MEMORY.md", "- [A](\x1b[2J.md)\n")
    write(sound.state / "log.jsonl", json.dumps({"t": time.time(), "hook": "\x1b[31m", "errors": ["\x9b\u202e"]}))
    write(sound.record / "last_failure", "stop: \x1b[31mred\n")
    _, out = sound.doctor()
    assert {char for char in out if not char.isprintable()} == {"\n"}
    sound.mend(next(one["mend"] for one in sound.findings() if one["text"].endswith("cannot be read")))
    assert (sound.memory / name).stat().st_mode & 0o400


PRIVATE = ("jane", "roe-ledger", "acme", "sk-ant-", "hunter2", "example.com", "Paris", "/", "@", "://", "\\")


def test_the_report_names_nobody(sound):
    """Whatever a home and a project hold of a person, the block for a report does not."""
    sound.edit_settings(lambda value: value.update(
        env={"ANTHROPIC_API_KEY": "sk-ant-hunter2", "ANTHROPIC_BASE_URL": "https://jane.example.com/v1"},
        enabledPlugins={"memdir@acme-jane": True}, model="jane@example.com"))  # fmt: skip
    project = sound.project / "roe-ledger for jane@example.com"
    write(
        project / ".claude" / "settings.json", json.dumps({"env": {"MEMDIR_ACME": "hunter2"}, "disableAllHooks": True})
    )
    write_rule(project, "acme-policy", "deny: [no-such-guard-acme]", "For jane.")
    write(
        sound.home / ".config" / "memdir" / "config.yaml", "llm.base_url: https://jane:hunter2@example.com\nacme: 1\n"
    )
    write(sound.memory / "project_acme_jane.md", "---\nname: [jane\n---\nParis\n")
    write(sound.memory / "MEMORY.md", "- [Acme](acme.md) — jane@example.com in Paris\n")
    _job("failed", session="jane", error="OSError: /home/jane/acme")(sound)
    lines = [
        {"t": time.time(), "hook": "stop", "errors": ["FileNotFoundError 2 at fsio.py:7", "ValueError: jane in Paris"]},
        {"t": time.time(), "hook": "acme_jane", "errors": ["Jane", "OSError 2 at acme.py:1", "JaneError"]},
    ]
    write(sound.state / "log.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    write(sound.record / "last_failure", "stop: /home/jane/python ended\n")
    write(sound.record / "python", "/home/jane/acme/python3\n")
    tool(sound.tools, "claude", "echo '2.1.332-jane@acme (Claude Code)'\n")
    env = {"LANG": "jane_ACME.UTF-8", "USER": "jane", "TOKEN": "hunter2", "ANTHROPIC_API_KEY": "sk-ant-hunter2"}
    words = [*PLAIN, str(sound.app / "bin" / "memdir"), "doctor"]
    if IS_ROOT and not sound.run(["unshare", "-u", "true"]).returncode:
        words = ["unshare", "-u", "sh", "-c", 'hostname jane-acme && exec "$@"', "sh", *words]
    sound.project, root = project, sound.project
    try:
        reports = [sound.run([*words, "--report"], **env).stdout, sound.run(words, **env).stdout.split("-" * 72)[1]]
    finally:
        sound.project = root
    for report in reports:
        assert report.count("\n") >= 12
        assert [word for word in PRIVATE if word.lower() in report.lower()] == []
        assert "FileNotFoundError 2 at fsio.py:7" in report
        assert "repository.hooks_off" in report
        assert os.path.basename(root.parent) not in report


def test_a_project_file_that_does_not_count_here_is_named(sound):
    write(sound.project / ".claude" / "memdir.yaml", "recall.limit: 0\n")
    below = sound.project / "below"
    below.mkdir()
    done = sound.run(["sh", "-c", "cd below && exec memdir doctor --json"])
    found = {one["code"]: one for one in json.loads(done.stdout)}
    assert found["repository.settings_elsewhere"]["level"] == "note"
    assert "repository.turned_down" not in found


@pytest.mark.parametrize("words", [["--json", "--report"], ["extra"]])
def test_wrong_usage_is_told(sound, words):
    done = sound.run([str(sound.app / "bin" / "memdir"), "doctor", *words])
    assert (done.returncode, "usage: memdir doctor" in done.stderr) == (2, True)


# What only a machine's administrator can break, in this process


@pytest.fixture
def look(project, monkeypatch):
    """look(check) -> the codes of what one check finds that is not in order."""
    from memdir_cli import doctor
    from memdir_cli.checks.scene import Scene

    def call(name, *, clock_s=0.0):
        scene = Scene(os.environ, str(project), time.time() + clock_s)
        return {one.code: one.level for one in doctor.look(name, scene) if one.level != "ok"}

    return call


@pytest.mark.parametrize(
    ("settings", "code"),
    [({"disableAllHooks": True}, "hooks.disabled"), ({"allowManagedHooksOnly": True}, "hooks.managed_only")],
    ids=["all hooks", "all but managed ones"],
)
def test_managed_settings_that_switch_hooks_off_are_named(look, monkeypatch, tmp_path, settings, code):
    from memdir import projects

    monkeypatch.setattr(projects, "MANAGED", str(tmp_path / "etc"))
    assert code not in look("registration")
    write(tmp_path / "etc" / "managed-settings.d" / "1.json", json.dumps(settings))
    assert look("registration")[code] == "problem"


def test_a_clock_that_is_wrong_is_named(look, state_dir):
    state_dir.mkdir(parents=True)
    assert look("state") == {"state.open": "note"}
    state_dir.chmod(0o700)
    assert look("state") == {}
    assert look("state", clock_s=-3600) == {"clock.file_system": "problem"}
    assert look("state", clock_s=-time.time()) == {
        "clock.file_system": "problem", "clock.past": "problem", "clock.future": "note"}  # fmt: skip


def test_a_file_system_without_locks_is_named(look, state_dir, monkeypatch):
    def flock(*_):
        raise OSError(37, "No locks available")

    state_dir.mkdir(parents=True, mode=0o700)
    monkeypatch.setattr(fcntl, "flock", flock)
    assert look("state") == {"state.no_locks": "problem"}


def test_no_home_at_all_is_named(look, monkeypatch):
    for name in [name for name in os.environ if name.startswith(("XDG_", "MEMDIR_"))] + ["HOME"]:
        monkeypatch.delenv(name)
    monkeypatch.setattr(os, "getuid", lambda: 2**31 - 2)  # a user whom the password file does not know
    assert look("state") == {"home.none": "problem"}
    assert look("memory") == {"memory.none": "problem"}
    for name in ("interpreter", "packages", "registration", "copy_of_plugin", "failures", "client", "rules", "queue"):
        assert "doctor.failed" not in look(name)


# Directories that are not memdir's alone: no command there may change more than one of them.


@pytest.fixture
def as_nobody(tmp_path):
    """as_nobody(check, **env) -> what one check finds for a user without rights, in a process of its own."""
    from memdir_cli import doctor
    from memdir_cli.checks import memory, queue, state  # noqa: F401 - loaded while they can be read
    from memdir_cli.checks.scene import Scene

    if not IS_ROOT:
        pytest.skip("only root becomes somebody else")
    tmp_path.chmod(0o777)

    def call(name, *, uid=65534, **env):
        receiver, sender = os.pipe()
        child = os.fork()
        if not child:
            try:
                os.setgroups([])
                os.setresgid(uid, uid, uid)
                os.setresuid(uid, uid, uid)
                found = [vars(one) for one in doctor.look(name, Scene({"PATH": "/bin", **env}, "/", time.time()))]
                os.write(sender, json.dumps(found).encode())
            finally:
                os._exit(0)
        os.close(sender)
        with os.fdopen(receiver) as file:
            found = json.loads(file.read())
        os.waitpid(child, 0)
        return [one for one in found if one["level"] != "ok"]

    return call


@pytest.mark.parametrize("uid", [0, 65534], ids=["root", "nobody"])
@pytest.mark.parametrize(
    ("env", "mend"),
    [
        ({"HOME": "/nonexistent"}, "HOME"),
        ({"HOME": "/home/new"}, "HOME"),
        ({"HOME": "/"}, "HOME"),
        ({"XDG_STATE_HOME": "/var/lib"}, "unset XDG_STATE_HOME"),
        ({"XDG_STATE_HOME": "/"}, "unset XDG_STATE_HOME"),
        ({"MEMDIR_DATA_DIR": "/opt/memdir"}, "unset MEMDIR_DATA_DIR"),
        ({"MEMDIR_DATA_DIR": "/tmp"}, "unset MEMDIR_DATA_DIR"),
        ({"MEMDIR_DATA_DIR": "/usr/lib"}, "unset MEMDIR_DATA_DIR"),
        ({"MEMDIR_DATA_DIR": "/etc/passwd"}, "unset MEMDIR_DATA_DIR"),
        ({"CLAUDE_CONFIG_DIR": "/etc"}, "unset CLAUDE_CONFIG_DIR"),
        ({"CLAUDE_CONFIG_DIR": "/etc/passwd"}, "unset CLAUDE_CONFIG_DIR"),
    ],
    ids=lambda value: "=".join(*value.items()) if isinstance(value, dict) else "",
)
def test_no_mend_changes_a_directory_that_is_not_memdirs(as_nobody, home, uid, env, mend):
    os.chown(home, 65534, 65534)
    (home / ".local" / "state").mkdir(parents=True)
    (home / ".local" / "state").chmod(0o777)
    found = as_nobody("state", uid=uid, **{"HOME": str(home), **env})
    assert [one for one in found if re.search(r"chown|chmod|mv |touch ", one["mend"])] == []
    assert "doctor.failed" not in [one["code"] for one in found]
    if uid:
        assert mend in [one["mend"].partition(" to ")[0].replace("set HOME", "HOME") for one in found], found


@pytest.mark.parametrize("chosen", ["/usr/lib", "/var/tmp", "/etc/passwd", "{home}/secret"])
def test_no_mend_changes_what_a_repository_calls_its_memory(look, home, project, monkeypatch, chosen):
    from memdir_cli import doctor
    from memdir_cli.checks.scene import Scene

    secret = write(home / "secret", "x", 0)
    write(project / ".claude" / "settings.json", json.dumps({"autoMemoryDirectory": chosen.format(home=home)}))
    for folder in ("/usr/lib", str(secret)):
        if folder == chosen.format(home=home) and not os.path.isdir(folder):
            assert "memory.not_a_directory" in look("memory")
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    found = [one for one in doctor.look("memory", Scene(os.environ, str(project), time.time())) if one.level != "ok"]
    assert {one.code for one in found} & {"memory.owner", "memory.not_a_directory", "memory.untrusted"}
    for one in found:
        assert one.code == "memory.untrusted" or one.mend.startswith("${EDITOR:-vi} "), vars(one)


def test_a_directory_that_is_shared_is_named(look, monkeypatch, tmp_path):
    monkeypatch.setenv("MEMDIR_DATA_DIR", str(write(tmp_path / "all" / "queue" / "x", "").parent.parent))
    assert look("state") == {"state.shared": "note"}


# The document

ELSEWHERE = """app.changed app.incomplete app.missing app.trial app.version clock.file_system clock.past config.relative
disk.full disk.inodes doctor.failed environment.disabled environment.variable home.none home.unset hooks.managed_only
interpreter.unrecorded memory.none packages.none repository.settings_elsewhere state.lock_held state.no_locks
state.shared""".split()


def _codes():
    """The codes of findings that are no ok, as the source has them."""
    found = set()
    for path in [*(ROOT / "lib" / "memdir_cli" / "checks").glob("*.py"), ROOT / "lib" / "memdir_cli" / "doctor.py"]:
        calls = re.sub(r'\bok\(\s*"[a-z_.]+"', "", path.read_text())
        found |= set(re.findall(r'"([a-z]+\.[a-z_]+)"(?=,)', calls))
    return {code for code in found if not code.endswith((".json", ".jsonl", ".py", ".yaml"))}


def test_every_code_stands_in_the_document_and_none_besides():
    text = DOCUMENT.read_text("utf-8")
    told = re.findall(r"^\| `([a-z]+\.[a-z_]+)` \|", text, re.MULTILINE)
    assert sorted(told) == sorted(_codes())


def test_every_code_is_broken_by_a_test():
    text = re.sub(r'ELSEWHERE = """.*?"""', "", Path(__file__).read_text("utf-8"), flags=re.DOTALL)
    assert [code for code in ELSEWHERE if f'"{code}"' not in text] == []
    assert {case.partition(" ")[0] for case in BROKEN} | set(ELSEWHERE) == _codes()
