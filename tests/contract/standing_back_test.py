"""Two copies of memdir, one in the user's settings and one a plugin: the plugin's hooks stand back, never both."""

import json
import os
import shutil
import subprocess

import pytest

from support.checkout import copy_plugin, plain_python, running_python
from support.hooks import HookRunner, read_entries

SILENT = (0, b"", b"")
HARD = "---\ndeny: [no-recursive-delete]\n---\nText.\n"


class Copies:
    """The plugin, and the copy that the settings of one profile name as an installation leaves them."""

    def __init__(self, run, config):
        self.plugin = run
        self.config = config
        self.launcher = config / "memdir" / "app" / "hooks" / "py"
        self.record = config / "memdir" / "hooks"
        self.settings = config / "settings.json"
        self.registered = HookRunner(copy_plugin(config / "memdir" / "app"), run.project, run.home, run.env)
        self.register(self.launcher)

    def register(self, launcher, indent=2):
        """Writes the entries of hooks.json with this launcher into the settings, and the launcher on record."""
        text = (self.plugin.plugin / "hooks" / "hooks.json").read_text()
        hooks = json.loads(text.replace("${CLAUDE_PLUGIN_ROOT}/hooks/py", json.dumps(str(launcher))[1:-1]))["hooks"]
        self.settings.write_text(json.dumps({"theme": "dark", "hooks": hooks}, indent=indent, ensure_ascii=False))
        self.record.write_text(f"{launcher}\n")


@pytest.fixture
def install(tmp_path, project, home):
    """install(its Claude configuration directory) makes both copies."""

    def make(config=None):
        path = plain_python(tmp_path / "path", running_python())
        run = HookRunner(copy_plugin(tmp_path / "plugins" / "memdir"), project, home, {"PATH": path})
        config = config or home / ".claude"
        config.mkdir(parents=True, exist_ok=True)
        return Copies(run, config)

    return make


@pytest.fixture
def copies(install):
    return install()


@pytest.fixture
def delivers(payload, memory):
    """delivers(runner): whether that copy answers a prompt with the memory it is about; else it must be silent."""
    memory.topic("staging-deploys", "Staging deploys only happen on Tuesdays", "Never on Fridays.")
    prompt = payload("UserPromptSubmit.text", prompt="when do staging deploys happen?")

    def ask(run, **options):
        options["env"] = {**_OF_SETTINGS, **options.get("env", {})} if "app" in run.plugin.parts else options.get("env")
        fields = {"session_id": f"s-{len(asked)}"}  # to one session it delivers a topic once
        asked.append(run)
        done = run("UserPromptSubmit", {**prompt, **fields}, **options)
        found = "Never on Fridays." in done.context
        assert found or (done.rc, done.stdout, done.stderr) == SILENT
        return found

    asked = []
    return ask


_OF_SETTINGS = {"CLAUDE_PLUGIN_ROOT": None, "CLAUDE_PLUGIN_DATA": None}  # as hooks of the settings have them


def test_the_plugin_stands_back_and_the_settings_copy_delivers(copies, delivers):
    assert delivers(copies.registered)
    assert not delivers(copies.plugin)


def test_alone_the_plugin_delivers(copies, delivers):
    shutil.rmtree(copies.config / "memdir")
    copies.settings.unlink()
    assert delivers(copies.plugin)


def test_no_hook_of_it_starts_an_interpreter_but_that_of_rules(copies, payload, tmp_path, home):
    (home / ".claude" / "rules").mkdir()
    (home / ".claude" / "rules" / "hard.md").write_text(HARD)
    entries = read_entries(copies.plugin.plugin)
    for path in (copies.plugin.plugin / "hooks").glob("*.py"):
        path.write_text(f"open({str(tmp_path / 'started')!r}, 'a').write('{path.stem} ')\n")
    for entry in entries:
        done = copies.plugin(entry, payload("Stop"))
        assert (done.rc, done.stdout) == (1 if entry.event == "PreToolUse" else 0, b"")
    assert (tmp_path / "started").read_text() == "pre_tool_use "


@pytest.mark.parametrize("indent", [None, 2, 4, "\t"], ids=["one line", "two blanks", "four", "tabs"])
def test_however_the_settings_are_laid_out(copies, delivers, indent):
    copies.register(copies.launcher, indent)
    assert not delivers(copies.plugin)


def test_whatever_the_order_of_the_keys(copies, delivers):
    document = json.loads(copies.settings.read_bytes())
    copies.settings.write_text(json.dumps(document, sort_keys=True))
    assert not delivers(copies.plugin)


@pytest.mark.parametrize(
    ("arguments", "reads"),
    [
        (["-p", "go on"], True),
        (["--setting-sources", "user,project"], True),
        (["--setting-sources=project,user", "-p", "x"], True),
        (["--setting-sources", "project,local", "-p", "user"], False),
        (["--setting-sources", "", "--plugin-dir", "user"], False),
        (["--setting-sources=local"], False),
    ],
    ids=str,
)
def test_settings_that_the_session_does_not_read_silence_nobody(copies, delivers, arguments, reads):
    waits = "import sys; sys.stdin.read()"
    with subprocess.Popen([running_python(), "-c", waits, *arguments], stdin=subprocess.PIPE) as client:
        assert delivers(copies.plugin, env={"CLAUDE_PID": str(client.pid)}) is not reads


def _settings(text):
    return lambda copies: copies.settings.write_text(text)


def _without_hook(name):
    def take_out(copies):
        document = json.loads(copies.settings.read_bytes())
        assert document["hooks"].pop(name)
        copies.settings.write_text(json.dumps(document))

    return take_out


def _record(text):
    return lambda copies: copies.record.write_text(text)


def _foreign(copies):
    entry = {"type": "command", "command": "/opt/memdir-like/hooks/py", "args": ["user_prompt_submit"]}
    copies.settings.write_text(json.dumps({"hooks": {"UserPromptSubmit": [{"hooks": [entry]}]}}))


def _named_elsewhere(copies):
    rule = f"Bash({copies.launcher} user_prompt_submit)"
    copies.settings.write_text(json.dumps({"permissions": {"allow": [rule]}}))


def _other_copy(copies):
    """Edited by hand: the settings name another copy than the one on record."""
    moved = copies.config.parent / "app" / "memdir"
    shutil.copytree(copies.config / "memdir" / "app", moved)
    copies.settings.write_text(copies.settings.read_text().replace(str(copies.launcher), f"{moved}/hooks/py"))
    copies.registered.plugin = moved


def _hook_of_others_in_its_place(copies):
    document = json.loads(copies.settings.read_bytes())
    entry = {"type": "command", "command": "/opt/other", "args": ["user_prompt_submit"]}
    document["hooks"]["UserPromptSubmit"] = [{"hooks": [entry]}]
    copies.settings.write_text(json.dumps(document))


DAMAGES = {
    "no settings": lambda copies: copies.settings.unlink(),
    "empty settings": _settings(""),
    "settings without hooks": _settings('{"theme": "dark"}'),
    "settings without this hook": _without_hook("UserPromptSubmit"),
    "settings with a hook of others": _foreign,
    "settings with a hook of others in the place of this one": _hook_of_others_in_its_place,
    "settings that only name the launcher": _named_elsewhere,
    "settings that are a folder": lambda copies: (copies.settings.unlink(), copies.settings.mkdir()),
    "settings that are a pipe": lambda copies: (copies.settings.unlink(), os.mkfifo(copies.settings)),
    "settings of zeros": lambda copies: copies.settings.write_bytes(b"\0" * 5000),
    "no record": lambda copies: copies.record.unlink(),
    "an empty record": _record(""),
    "a blank record": _record("  \n"),
    "a record of a relative path": _record("memdir/app/hooks/py\n"),
    "a record of a launcher that is gone": _record("/nowhere/hooks/py\n"),
    "a record of zeros": lambda copies: copies.record.write_bytes(b"\0" * 100),
    "a record that is a folder": lambda copies: (copies.record.unlink(), copies.record.mkdir()),
    "a record of another file": _record("/etc/passwd\n"),
    "an app that is gone": lambda copies: shutil.rmtree(copies.config / "memdir" / "app"),
    "settings that name another copy": _other_copy,
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damage_never_silences_both(copies, delivers, name):
    DAMAGES[name](copies)
    assert delivers(copies.plugin)


@pytest.mark.parametrize("name", ["a record of another file", "no record", "settings that name another copy"])
def test_nor_does_the_copy_that_the_settings_name_stand_back_then(copies, delivers, name):
    DAMAGES[name](copies)
    assert delivers(copies.registered)


@pytest.mark.parametrize("end", ["", "\n", "\r\n", "\r", "\nmore\n"], ids=repr)
def test_a_record_may_end_as_it_likes(copies, delivers, end):
    copies.record.write_bytes(os.fsencode(copies.launcher) + end.encode())
    assert not delivers(copies.plugin)
    assert delivers(copies.registered)


@pytest.mark.parametrize("name", ["a b", "it's", "$HOME", "`id`", "插件 é", "größe (1)", "a$b", "*", "[x]", "-n"])
def test_any_configuration_directory_will_do(install, delivers, tmp_path, name):
    copies = install(tmp_path / "profiles" / name)
    env = {"CLAUDE_CONFIG_DIR": str(copies.config)}
    (tmp_path / "home" / ".claude" / "projects").rename(copies.config / "projects")
    assert delivers(copies.registered, env=env)
    assert not delivers(copies.plugin, env=env)


def test_of_two_profiles_each_has_its_own_word(copies, delivers, tmp_path):
    shutil.copytree(copies.config / "projects", tmp_path / "other" / "projects")
    assert delivers(copies.plugin, env={"CLAUDE_CONFIG_DIR": str(tmp_path / "other")})
    assert not delivers(copies.plugin)


@pytest.mark.parametrize("config", ["", "."], ids=["empty", "relative"])
def test_the_files_of_a_repository_silence_nobody_by_an_empty_directory(copies, project, delivers, config):
    shutil.copytree(copies.config, project, dirs_exist_ok=True, symlinks=True)
    env = {"CLAUDE_CONFIG_DIR": config}
    assert delivers(copies.plugin, env=env) is (config == "")


def test_a_link_to_the_settings_or_the_directory_is_followed(copies, delivers, tmp_path):
    copies.settings.rename(tmp_path / "dotfiles.json")
    copies.settings.symlink_to(tmp_path / "dotfiles.json")
    assert not delivers(copies.plugin)
    copies.config.rename(tmp_path / "claude")
    copies.config.symlink_to(tmp_path / "claude")
    assert not delivers(copies.plugin)
    assert delivers(copies.registered)


def test_a_checkout_that_is_the_plugin_and_in_the_settings_works_once(copies, delivers, payload, memory):
    """A marketplace on this machine is read in place, and install.sh --link registers the checkout itself."""
    copies.register(copies.plugin.plugin / "hooks" / "py")
    assert not delivers(copies.plugin)
    assert delivers(copies.plugin, env=_OF_SETTINGS)


def test_the_copy_that_is_called_by_a_link_works_beside_the_one_on_record(copies, delivers, tmp_path):
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "link").symlink_to(copies.config / "memdir" / "app")
    copies.settings.write_text(
        copies.settings.read_text().replace(str(copies.launcher), str(tmp_path / "app" / "link" / "hooks" / "py"))
    )
    linked = HookRunner(tmp_path / "app" / "link", copies.plugin.project, copies.plugin.home, copies.plugin.env)
    assert delivers(linked)
    assert delivers(copies.plugin)  # twice rather than not at all


@pytest.mark.parametrize("layout", ["one line", "many lines"])
def test_settings_of_a_megabyte_are_no_hindrance(copies, delivers, layout):
    document = json.loads(copies.settings.read_bytes())
    document = {"x": ["y" * 99] * 10_000, **document}
    copies.settings.write_text(json.dumps(document, indent=None if layout == "one line" else 1))
    assert not delivers(copies.plugin, timeout_s=8)


@pytest.mark.parametrize("shell", ["dash", "bash", "busybox", "ksh", "zsh"])
def test_every_shell_that_may_be_sh_stands_back(copies, delivers, shell):
    path = shutil.which(shell)
    if not path:
        pytest.skip(f"no {shell} here")
    start = f"#!{path}" + {"busybox": " sh", "zsh": " --emulate sh"}.get(shell, "") + "\n"
    for run in (copies.plugin, copies.registered):
        launcher = run.plugin / "hooks" / "py"
        body = launcher.read_text().split("\n", 1)[1]
        launcher.write_text(start + body)
    assert not delivers(copies.plugin)
    assert delivers(copies.registered)
    copies.settings.write_text("{}")
    assert delivers(copies.plugin)


def test_a_hook_that_stands_back_leaves_no_file(copies, payload, memory, home):
    before = sorted(path for path in home.rglob("*"))
    for entry in read_entries(copies.plugin.plugin):
        copies.plugin(entry, payload("Stop"))
    assert sorted(path for path in home.rglob("*")) == before


def test_called_by_a_relative_path_it_stands_back_as_well(copies, payload, memory):
    memory.topic("staging-deploys", "Staging deploys only happen on Tuesdays", "Never on Fridays.")
    prompt = payload("UserPromptSubmit.text", prompt="when do staging deploys happen?")

    def call():
        return subprocess.run(
            ["hooks/py", "user_prompt_submit"],
            input=json.dumps(prompt).encode(),
            capture_output=True,
            env={**copies.plugin.env, "HOME": str(copies.plugin.home)},
            cwd=copies.plugin.plugin,
            check=True,
        ).stdout

    assert call() == b""
    copies.record.unlink()
    assert b"Never on Fridays." in call()
