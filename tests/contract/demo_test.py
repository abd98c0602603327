"""`memdir demo`: it plays the hooks that are registered, leaves nothing behind, and says so where one does not work."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import unicodedata
import xml.etree.ElementTree
from pathlib import Path

import pytest

from memdir_cli import demo as demo_command
from memdir_cli import settings_file
from memdir_cli.demonstration import page
from support.checkout import ROOT, copy_plugin, plain_python, running_python

HOOKS = "UserPromptSubmit", "PreToolUse", "Stop", "PreCompact", "SessionStart"
BROKEN = {"en": "This did not happen:", "zh": "这一步没有发生："}
# What has to be seen: the memory, the refusal, the new memory with its line, the summary.
SHOWN = {
    "en": (
        "Production deploys go out on Tuesdays and Thursdays before 15:00.",
        "no-recursive-delete, .claude/rules/deleting.md:2",
        "**Why:** the import runs then",
        "- [Staging is reloaded at 2 am](project_staging_reloaded_2_am.md)",
        "- “Good. Do not touch the migrations, Ana is rewriting them.”",
        "- pending: “Deploy to staging”",
        "# The checkout answers 500 with a gift card.",
    ),
    "zh": (
        "生产环境只在周二和周四 15:00 之前部署。",
        "no-force-push, .claude/rules/pushing.md:2",
        "**Why:** 那时在导入价格",
        "- [预发数据库每天凌晨两点重新加载](project_预发数据库每天凌晨两点重新.md)",
        "- “不要动数据库迁移文件，小安正在重写。”",
        "- pending: “部署到预发环境”",
        "# 用礼品卡结账返回 500，请修好。",
    ),
}


class Demo:
    """demo("--lang", "zh") runs the command line of `plugin`; the temporary home is made in `folder`."""

    def __init__(self, plugin: Path, home: Path, folder: Path, path: str) -> None:
        self.plugin = plugin
        self.home = home
        self.folder = folder
        self.folder.mkdir(parents=True)
        self.env = {"PATH": path, "HOME": str(home), "TMPDIR": str(folder), "LANG": "C.UTF-8"}

    def start(self, *words, env=None, **options):
        command = [str(self.plugin / "bin" / "memdir"), "demo", *words]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, env={**self.env, **(env or {})}, **pipes)

    def __call__(self, *words, env=None):
        """Exit code, standard output, standard error."""
        process = self.start(*words, env=env)
        out, err = process.communicate(timeout=120)
        return process.returncode, out.decode(), err.decode()

    def register(self, plugin: "Path | None" = None) -> Path:
        """The settings of this home get the plugin's hooks, as the installer writes them."""
        path = self.home / ".claude" / "settings.json"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(settings_file.with_hooks(None, settings_file.wanted(str(plugin or self.plugin))))
        return path


@pytest.fixture
def path(tmp_path):
    return plain_python(tmp_path / "path", running_python()) + ":/usr/bin:/bin"


@pytest.fixture
def demo(plugin, home, tmp_path, path):
    return Demo(plugin, home, tmp_path / "tmp é", path)


@pytest.fixture
def own(plugin, home, tmp_path, path):
    """A demonstration of a copy of the plugin that a test may damage, with the bytecode that is there already."""
    shutil.copytree(plugin, tmp_path / "memdir", symlinks=True)
    return Demo(tmp_path / "memdir", home, tmp_path / "tmp é", path)


class Played:
    """What is looked at from many sides: a run in each language that the terminal speaks, and one in both.

    The home cannot be written to, its settings name none of our hooks, and the last run gets variables of a person.
    """

    def __init__(self, plugin: Path, base: Path) -> None:
        self.home = base / "home"
        self.folder = base / "tmp é"
        self.persons = [base / name for name in ("mine", "xdg", "memory")]
        (self.home / ".claude").mkdir(parents=True)
        (self.home / ".claude" / "settings.json").write_text('{"hooks": {"Stop": []}}')
        demo = Demo(plugin, self.home, self.folder, plain_python(base / "path", running_python()) + ":/usr/bin:/bin")
        self.before = _files(self.home)
        self.home.chmod(0o555)
        try:
            self.one = {"en": demo(env={"LANG": "de_DE.UTF-8"}), "zh": demo(env={"LANG": "zh_CN.UTF-8"})}
            self.both = demo("--lang", "both", env={
                "MEMDIR_DISABLE": "1", "MEMDIR_DATA_DIR": str(self.persons[0]), "XDG_STATE_HOME": str(self.persons[1]),
                "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE": str(self.persons[2]),
            })  # fmt: skip
        finally:
            self.home.chmod(0o755)


@pytest.fixture(scope="module")
def played(plugin, tmp_path_factory):
    return Played(plugin, tmp_path_factory.mktemp("played").resolve())


def _files(folder):
    return {path.relative_to(folder): path.is_file() and path.read_bytes() for path in folder.rglob("*")}


def _broken(out, language="en"):
    """The numbers of the steps that failed, as the output says."""
    steps = re.split(r"^(?=[1-5]  )", out, flags=re.MULTILINE)[1:]
    return [int(step[0]) for step in steps if BROKEN[language] in step]


def _whole(out):
    """The output with its quotations put together again."""
    return re.sub(r"\n +│ ", " ", out).replace("— ", "—")


@pytest.mark.parametrize("language", SHOWN)
def test_every_step_shows_what_really_happened(played, language):
    code, out, err = played.one[language]
    assert (code, err, _broken(out, language)) == (0, "", [])
    whole = re.sub(r"\s+", "", _whole(out))
    assert [text for text in SHOWN[language] if re.sub(r"\s+", "", text) not in whole] == []
    headings = re.findall(r"^\d  .* (\w+)$", out, flags=re.MULTILINE)
    assert tuple(headings) == HOOKS


@pytest.mark.parametrize("language", SHOWN)
def test_no_line_is_wider_than_a_terminal(played, language):
    wide = {"W": 2, "F": 2}
    lines = played.one[language][1].splitlines()
    widths = [sum(wide.get(unicodedata.east_asian_width(char), 1) for char in line) for line in lines]
    assert 70 < max(widths) <= 80
    assert len(widths) < 70


def test_two_runs_print_the_same_bytes_and_leave_nothing(played):
    (_, english, _), (_, chinese, _) = played.one.values()
    assert played.both == (0, f"{english}\n{chinese}", "")
    assert str(played.folder) not in played.both[1]
    assert (list(played.folder.iterdir()), _files(played.home)) == ([], played.before)


def test_variables_of_the_person_do_not_reach_the_hooks(played):
    assert played.both[0] == 0
    assert not any(place.exists() for place in played.persons)


def test_without_hooks_in_the_settings_it_runs_its_own(played):
    code, out, _ = played.one["en"]
    assert (code, "Hooks: hooks/hooks.json of this memdir;" in out) == (0, True)


@pytest.mark.parametrize(
    ("env", "spoken"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "en_US.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_TW.UTF-8", "LC_ALL": ""}, "zh"),
        ({"LANG": ""}, "en"),
    ],
    ids=["zh", "another", "LC_ALL wins", "LC_MESSAGES before LANG", "none"],
)
def test_it_speaks_the_language_of_the_terminal(played, env, spoken):
    assert demo_command.language(env) == spoken
    assert ("五件事都如期发生" in played.one["zh"][1], "All five happened" in played.one["en"][1]) == (True, True)


def test_it_runs_on_every_python(demo, each_python, tmp_path):
    demo.env["PATH"] = plain_python(tmp_path / "other", each_python) + ":/usr/bin:/bin"
    assert demo("--lang", "zh")[0] == 0


def test_keep_leaves_the_home_and_names_it(demo):
    code, out, _ = demo("--keep")
    (left,) = demo.folder.iterdir()
    assert code == 0
    assert out.endswith(f"The temporary home was kept: {left.resolve()}\n")
    memories = left / ".claude" / "projects" / "shop" / "memory"
    assert "staging is reloaded at 2 am" in (memories / "project_staging_reloaded_2_am.md").read_text()
    assert "(project_staging_reloaded_2_am.md)" in (memories / "MEMORY.md").read_text()
    (summary,) = left.rglob("summary.md")
    assert "Do not touch the migrations" in summary.read_text()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["ctrl-c", "end"])
@pytest.mark.parametrize("heading", [b"1  ", b"3  "], ids=["at the first hook", "at the worker"])
def test_one_that_is_broken_off_leaves_nothing(demo, number, heading):
    process = demo.start()
    for line in process.stdout:
        if line.startswith(heading):
            break
    process.send_signal(number)
    process.communicate(timeout=60)
    assert process.returncode == (130 if number == signal.SIGINT else 128 + number)
    if heading == b"3  ":
        time.sleep(0.5)  # a worker that was left would make its folders again
    assert list(demo.folder.iterdir()) == []


def test_colour_is_for_terminals_that_want_it(demo):
    """The first line tells: it is bold, and the picture has the colours of all."""
    pytest.importorskip("pty")
    shown = {}
    for name, env in {"terminal": {}, "NO_COLOR": {"NO_COLOR": "1"}, "dumb": {"TERM": "dumb"}}.items():
        here, there = os.openpty()
        process = demo.start(env={"TERM": "xterm", **env}, stdout=there)
        os.close(there)
        shown[name] = b""
        while b"\n" not in shown[name] and (more := os.read(here, 65_536)):
            shown[name] += more
        process.send_signal(signal.SIGTERM)
        process.communicate()
        os.close(here)
        shown[name] = shown[name].split(b"\r\n")[0]
    assert shown["terminal"] == b"\x1b[1m" + shown["NO_COLOR"] + b"\x1b[0m"
    assert shown["NO_COLOR"] == shown["dumb"]
    assert b"\x1b" not in shown["dumb"]


# Which hooks


def test_it_runs_the_hooks_of_the_settings(demo, own_launcher):
    code, out, _ = demo()
    assert (code, "Hooks: those that are registered in ~/.claude/settings.json." in out) == (0, True)
    assert {line.split()[0] for line in own_launcher.read_text().splitlines()} == {
        "user_prompt_submit", "pre_tool_use", "stop", "pre_compact", "session_start",
    }  # fmt: skip


@pytest.fixture
def own_launcher(demo, tmp_path):
    """Registers another copy of the plugin, whose launcher notes what it is called with; the notes."""
    other = copy_plugin(tmp_path / "registered")
    notes = tmp_path / "notes"
    launcher = other / "hooks" / "py"
    text = launcher.read_text().split("\n", 1)
    launcher.write_text(f"{text[0]}\necho \"$@\" >>'{notes}'\n{text[1]}")
    demo.register(other)
    return notes


def test_the_interpreter_of_the_installation_runs_the_hooks(demo, home, tmp_path):
    notes = tmp_path / "interpreter"
    record = home / ".claude" / "memdir" / "python"
    record.parent.mkdir(parents=True)
    interpreter = tmp_path / "python with a name"
    interpreter.write_text(f"#!/bin/sh\necho \"$3\" >>'{notes}'\nexec '{running_python()}' \"$@\"\n")
    interpreter.chmod(0o755)
    record.write_text(f"{interpreter}\n")
    assert demo()[0] == 0
    assert "user_prompt_submit.py" in notes.read_text()


# What is broken


def test_a_launcher_that_is_gone_fails_every_step(own, tmp_path):
    other = copy_plugin(tmp_path / "memdir registered")
    own.register(other)
    (other / "hooks" / "py").unlink()
    code, out, _ = own()
    assert (code, _broken(out)) == (1, [1, 2, 3, 4, 5])
    assert "memdir doctor" in out
    assert "No such file" in out
    assert list(own.folder.iterdir()) == []


def test_an_entry_that_somebody_took_out_fails_its_step(demo):
    path = demo.register()
    settings = json.loads(path.read_text())
    del settings["hooks"]["PreCompact"]
    path.write_text(json.dumps(settings))
    code, out, _ = demo()
    assert (code, _broken(out)) == (1, [4, 5])
    assert "no hook of memdir is registered for PreCompact" in out


def test_an_interpreter_that_does_not_work_fails_every_step(demo, home, tmp_path):
    """The launcher finds it executable, so the command line is started with another one."""
    interpreter = tmp_path / "broken"
    interpreter.write_text("#!/bin/sh\nexit 7\n")
    interpreter.chmod(0o755)
    (home / ".claude" / "memdir").mkdir(parents=True)
    (home / ".claude" / "memdir" / "python").write_text(f"{interpreter}\n")
    main = demo.plugin / "lib" / "memdir_cli" / "__main__.py"
    done = subprocess.run(
        [running_python(), "-I", "-S", str(main), "demo"], capture_output=True, env=demo.env, check=False
    )
    out = done.stdout.decode()
    assert (done.returncode, _broken(out)) == (1, [1, 2, 3, 4, 5])
    assert re.search(r"user_prompt_submit: .*broken ended\s+.*with status 7", _whole(out))
    assert "Log: ~/" in out


def _without_rules(plugin):
    shutil.rmtree(plugin / "lib" / "memdir_cli" / "demonstration" / "en" / "rules")


def _worker_that_cannot_write(plugin):
    with (plugin / "lib" / "memdir_worker" / "overlay.py").open("a") as file:
        file.write("\n\ndef _refuse(*_):\n    raise OSError(30, 'read only')\n\n\nOverlay.write = _refuse\n")


def _summary_that_cannot_be_written(plugin):
    with (plugin / "lib" / "memdir" / "summary.py").open("a") as file:
        file.write("\n\ndef write(*_):\n    raise OSError(28, 'No space left on device')\n")


def _recall_that_fails(plugin):
    (plugin / "lib" / "memdir" / "recall.py").write_text("raise ImportError\n")


def _hook_that_waits(plugin):
    hooks = plugin / "hooks" / "hooks.json"
    document = json.loads(hooks.read_text())
    document["hooks"]["UserPromptSubmit"][0]["hooks"][0]["timeout"] = 0.3
    hooks.write_text(json.dumps(document))
    (plugin / "hooks" / "user_prompt_submit.py").write_text("import time\ntime.sleep(60)\n")


@pytest.mark.parametrize(
    ("damages", "steps"),
    [
        ({_without_rules: "not denied by the rule in deleting.md",
          _summary_that_cannot_be_written: "pre_compact: OSError 28"}, [2, 4, 5]),
        ({_recall_that_fails: "user_prompt_submit: ImportError",
          _worker_that_cannot_write: "the worker failed: OSError 30"}, [1, 3]),
        ({_hook_that_waits: "no answer within 0.3 s"}, [1]),
    ],
    ids=["no rule file, no room for the summary", "module broken, worker cannot write", "hook hangs"],
)  # fmt: skip
def test_what_is_broken_fails_the_right_step(own, damages, steps):
    for damage in damages:
        damage(own.plugin)
    code, out, err = own()
    assert (code, _broken(out), err) == (1, steps, "")
    assert [told for told in damages.values() if told not in _whole(out)] == []
    lacks = "demonstration/en/rules/deleting.md is missing; get memdir again and run its ./install.sh"
    assert (re.sub(r"\s+", "", lacks) in re.sub(r"\s+", "", _whole(out))) == (_without_rules in damages)
    assert out.rstrip().endswith(f"{len(steps)} of 5 did not happen. Run memdir doctor.")
    assert list(own.folder.iterdir()) == []


def test_settings_that_cannot_be_read_are_told_before_anything_runs(demo, home):
    (home / ".claude").mkdir()
    (home / ".claude" / "settings.json").write_text('{"hooks": {},}')
    code, out, err = demo()
    assert (code, out) == (1, "")
    assert "settings.json:1:" in err
    assert list(demo.folder.iterdir()) == []


@pytest.mark.parametrize("name", ["words.json", "session.jsonl"])
def test_what_the_copy_lacks_is_not_mended_by_the_copy(own, name):
    (own.plugin / "lib" / "memdir_cli" / "demonstration" / "en" / name).unlink()
    code, out, err = own()
    assert (code, out) == (1, "")
    assert err.endswith(f"/en/{name} is missing or damaged; get memdir again and run its ./install.sh\n")
    assert list(own.folder.iterdir()) == []


def test_hooks_that_are_switched_off_are_not_all_well(demo):
    path = demo.register()
    path.write_text(json.dumps(json.loads(path.read_text()) | {"disableAllHooks": True}))
    code, out, _ = demo()
    assert (code, _broken(out), "All five happened" in out) == (1, [], False)
    assert f"{path} switches off every hook (disableAllHooks)" in _whole(out).replace("/ ", "/")
    assert out.endswith("Next: memdir doctor\n")


# Where the temporary home lies

FOREIGN = "---\ndeny: [no-recursive-delete]\n---\nA rule of somebody else.\n"


@pytest.mark.parametrize("name", ["line\nbreak", "below rules/tmp"], ids=["a line break", "rules above"])
def test_a_temporary_directory_that_would_disturb_it_is_not_taken(demo, played, tmp_path, name):
    chosen = tmp_path / name
    chosen.mkdir(parents=True)
    rules = tmp_path / "below rules" / ".claude" / "rules"
    rules.mkdir(parents=True)
    (rules / "foreign.md").write_text(FOREIGN)
    assert demo(env={"TMPDIR": str(chosen), "XDG_RUNTIME_DIR": str(demo.folder)}) == played.one["en"]
    assert (list(chosen.iterdir()), list(demo.folder.iterdir())) == ([], [])


def test_a_temporary_directory_with_letters_of_patterns_and_shells_is_taken(demo, played, tmp_path):
    chosen = tmp_path / "a[b]*? 'q' \"r\" \\ $HOME `x`"
    chosen.mkdir()
    assert demo(env={"TMPDIR": str(chosen)}) == played.one["en"]
    assert list(chosen.iterdir()) == []


_SCRIPT = """
import os, signal, sys
sys.path.insert(0, sys.argv[1])
from memdir_cli import main
from memdir_cli.demonstration import stage
"""


def _scripted(demo, text):
    """The demonstration in a process that does something before; (status, output, errors)."""
    command = [running_python(), "-I", "-S", "-c", _SCRIPT + text, str(demo.plugin / "lib")]
    done = subprocess.run(command, capture_output=True, text=True, env=demo.env, stdin=subprocess.DEVNULL, check=False)
    return done.returncode, done.stdout, done.stderr


def test_where_no_place_is_without_rules_they_are_named_as_the_cause(demo, tmp_path):
    rules = tmp_path / ".claude" / "rules"
    rules.mkdir(parents=True)
    (rules / "foreign.md").write_text(FOREIGN.replace("deny", "protect").replace("no-recursive-delete", '"**"'))
    code, out, _ = _scripted(demo, "stage.PLACES = ()\nsys.exit(main.main(['demo']))\n")
    assert (code, 2 in _broken(out)) == (1, True)
    told = f"the temporary home lies below other rules: {rules.resolve()}; set TMPDIR to a directory without"
    assert re.sub(r"\s+", "", told) in re.sub(r"\s+", "", _whole(out))


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_one_that_is_broken_off_while_a_hook_starts_ends_as_at_any_other_moment(demo, name):
    """The signal comes to both processes, as from a terminal, before the new one is the hook."""
    code, out, err = _scripted(
        demo,
        f"""
end = lambda: os.kill(os.getpid(), signal.{name})
os.register_at_fork(after_in_child=end, after_in_parent=end)
code = main.main(['demo', '--lang', 'en'])
print('blocked:', sorted(signal.pthread_sigmask(signal.SIG_BLOCK, ())))
sys.exit(code)
""",
    )
    assert (code, err) == (128 + getattr(signal, name), "")
    assert out.endswith("blocked: []\n")
    assert list(demo.folder.iterdir()) == []


# Standard streams that are closed or take nothing

COMMANDS = (["demo"], ["doctor"], ["setup"], ["status"], ["rules", "list"], ["demo", "--help"], ["--version"], [])


def _redirected(demo, words, redirection):
    command = ["/bin/sh", "-c", f'"$@" {redirection}', "sh", str(demo.plugin / "bin" / "memdir"), *words]
    done = subprocess.run(command, capture_output=True, text=True, env=demo.env, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_output_that_is_closed_is_told_before_anything_is_done(demo, words):
    told = "memdir: standard output is closed; to run it without output, add >/dev/null\n"
    assert _redirected(demo, words, ">&-") == (1, "", told)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_output_that_takes_nothing_is_told(demo, words):
    code, _, err = _redirected(demo, words, ">/dev/full")
    assert code in (1, 2)
    assert re.fullmatch(
        "memdir: .* could not be written: No space left on device\n", err.replace("cannot", "could not")
    )
    assert list(demo.folder.iterdir()) == []


@pytest.mark.parametrize("words", [["setup"], ["status"], ["rules", "check"]], ids=" ".join)
def test_closed_input_is_an_empty_one(demo, words):
    assert _redirected(demo, words, "<&-") == _redirected(demo, words, "</dev/null")


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full", ">/dev/full 2>&1"])
@pytest.mark.parametrize("words", [["nonsense"], ["demo"]], ids=["usage", "broken settings"])
def test_errors_that_nobody_can_read_are_errors_all_the_same(demo, words, redirection):
    if "/dev/full" in redirection and not os.path.exists("/dev/full"):
        pytest.skip("there is no /dev/full here")
    (demo.home / ".claude").mkdir()
    (demo.home / ".claude" / "settings.json").write_text('{"hooks": {},}')
    code, out, err = _redirected(demo, words, f"</dev/null {redirection}")
    assert (code in (1, 2), out, err) == (True, "", "")  # an older argparse gives up with 1


# Text of other people on a terminal


def test_what_a_hook_complains_of_cannot_act_on_the_terminal(own):
    launcher = own.plugin / "hooks" / "py"
    launcher.write_text("#!/bin/sh\nprintf '\\033[2Jgone\\n' >&2\nexit 1\n")
    code, out, _ = own()
    assert (code, "\x1b" in out, "gone" in out) == (1, False, True)


@pytest.mark.parametrize(
    ("text", "columns", "lines"),
    [
        ("one two three", 8, ["one two", "three"]),
        ("记住这件事。", 8, ["记住这件", "事。"]),
        ("记住这件事，好。", 10, ["记住这件", "事，好。"]),
        ("a/long/path/name.md", 12, ["a/long/path/", "name.md"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("", 8, []),
    ],
    ids=["words", "wide letters", "no comma begins a line", "a path", "a long word", "nothing"],
)
def test_lines_are_broken_where_one_reads_on(text, columns, lines):
    assert page.wrap(text, columns) == lines


# The picture in the README

PICTURES = ("demonstration.svg", "demonstration.zh-CN.svg")
on_linux = pytest.mark.skipif(sys.platform == "darwin", reason="the picture shows the state directory of Linux")


@on_linux
def test_the_pictures_are_what_the_demonstration_shows():
    done = subprocess.run([ROOT / "docs" / "picture", "--check"], capture_output=True, check=False)
    assert (done.returncode, done.stderr.decode()) == (0, "")


@on_linux
def test_another_picture_is_found_out(tmp_path):
    checkout = copy_plugin(tmp_path / "checkout")
    (checkout / "bin" / "memdir").write_text("#!/bin/sh\necho a demonstration of memdir\n")  # a quick one
    picture = checkout / "docs" / "picture"
    assert subprocess.run([picture], check=False).returncode == 0
    stale = checkout / "docs" / PICTURES[1]
    stale.write_text(stale.read_text().replace("memdir", "memdjr"))
    done = subprocess.run([picture, "--check"], capture_output=True, check=False)
    assert done.returncode == 1
    assert PICTURES[1] in done.stderr.decode()
    assert PICTURES[0] not in done.stderr.decode()


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_needs_nothing_but_itself(name):
    raw = (ROOT / "docs" / name).read_bytes()
    assert len(raw) < 60_000
    for element in xml.etree.ElementTree.fromstring(raw).iter():
        assert element.tag.split("}")[1] in ("svg", "title", "style", "rect", "circle", "text")
        assert not [key for key in element.attrib if "href" in key or key.startswith("on")]
    assert not re.search(rb"url\(|@import|@font-face", raw)
