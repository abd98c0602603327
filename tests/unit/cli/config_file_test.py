import os
import stat
import subprocess
import sys

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from memdir import config, paths
from memdir.errors import UserError
from memdir_cli import config_file
from support.checkout import ROOT

CHOICE = {"llm": "anthropic", "llm.model": "", "llm.base_url": "https://api.anthropic.com", "caps.usd_day": 0.25}
FILES = {
    "none": None,
    "empty": b"",
    "a comment": b"# mine\n",
    "other keys": b"recall.limit: 2\nexclude:\n  - ~/a\n  - /b\n",
    "our keys": b"llm: off\nllm.model: \"x\"\nllm.base_url: 'http://localhost'\ncaps.usd_day: 5\n",
    "comments behind": b"llm: off   # not yet\n\n# limits\ncaps.usd_day: 1 # a lot\n",
    "no last line end": b"recall.limit: 2",
    "carriage returns": b"# mine\r\nllm: off\r\nrecall.limit: 2\r\n",
    "byte order mark": b"\xef\xbb\xbfllm: off\n",
    "byte order mark alone": b"\xef\xbb\xbf",
    "quoted keys": b"\"llm\": off\n'caps.usd_day' : 1\n",
    "indented": b"  recall.limit: 2\n  llm: off\n",
    "a list first": b"exclude:\n  - ~/a\nrecall.limit: 2\n",
    "a list of two first": b"# mine\n\nexclude:\n  - ~/a\n  - /b\n",
    "an indented list in an indented file": b"   # mine\n  exclude:\n    - ~/a\n    - /b\n",
    "a list beside its key": b"exclude:\n- ~/a\n- /b\n",
    "a list over lines in brackets": b"exclude: [\n    ~/a,\n    /b]\n",
    "no value": b"llm:\nllm.model: # none\nrecall.limit: 2\n",
    "value of another kind": b"llm: gpt\ncaps.usd_day: many\n",
    "a list at the end": b"llm: off\nexclude: [a, b]",
    "letters of many scripts": "# 我的设置\nexclude: [~/書類]\n".encode(),
}


def _yaml(raw):
    return yaml.safe_load(raw.decode("utf-8-sig")) or {}


@pytest.mark.parametrize("raw", FILES.values(), ids=FILES)
def test_to_pyyaml_the_file_says_what_was_chosen_and_nothing_else_changed(raw):
    written = config_file.changed(raw, CHOICE, "/f")
    assert _yaml(written) == {**_yaml(raw or b""), **CHOICE}


@pytest.mark.parametrize("raw", FILES.values(), ids=FILES)
def test_what_is_not_ours_keeps_every_byte(raw):
    def others(text):
        lines = text.removeprefix(b"\xef\xbb\xbf").splitlines()
        return [line for line in lines if line.strip() and b"llm" not in line and b"caps" not in line]

    written = config_file.changed(raw, CHOICE, "/f")
    if raw:
        assert others(written) == others(raw)
        assert written.startswith(b"\xef\xbb\xbf") == raw.startswith(b"\xef\xbb\xbf")
        assert (b"\r" in raw) == (written.count(b"\r\n") == written.count(b"\n"))
    for comment in (b"   # not yet", b" # a lot", b"# limits", b"# none"):
        assert (comment in written) == (comment in (raw or b""))


@pytest.mark.parametrize("raw", FILES.values(), ids=FILES)
def test_a_second_time_changes_nothing(raw):
    once = config_file.changed(raw, CHOICE, "/f")
    assert config_file.changed(once, CHOICE, "/f") == once


@given(st.floats(0, 1000).map(lambda value: round(value, config.DECIMALS)))
def test_any_cap_reads_back(cap):
    assert _yaml(config_file.changed(None, {"caps.usd_day": cap}, "/f"))["caps.usd_day"] == cap


REFUSED = {
    "no mapping": (b"{", "/f:1: "),
    "a flow mapping": (b"{llm: off}", "/f:1: "),
    "a fence": (b"recall.limit: 2\n---\n", "/f:2: "),
    "a key twice": (b"llm: off\n\nllm: claude\n", "/f:3: "),
    "the value on the next line": (b"a: 1\nllm:\n  off\n", "/f:2: "),
    "the value over lines": (b"llm: off\n  and on\n", "/f:1: "),
    "a quoted value over lines": (b"llm: 'off\n  and on'\n", "/f:1: "),
    "a block": (b"x: 1\nllm: |\n  off\n", "/f:2: "),
    "nested": (b"llm:\n  model: x\n", "/f:1: "),
    "a list": (b"llm: [off]\n", "/f: `llm` is a list"),
    "not UTF-8": (b"a: 1\n# \xff\n", "/f:2: "),
    "UTF-16": ("llm: off\n".encode("utf-16"), "/f:1: "),
    "a NUL": (b"a: 1\n# \0\n", "/f:2: "),
    "a line separator": ("a: 1\nb: x\u2028llm: claude\n".encode(), "/f:2: "),
    "too large": (b"#" * 65_537, "/f is larger"),
    "too many lines": (b"#\n" * 1_100, "/f has more than"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_read_whole_is_refused_with_its_line(name):
    raw, told = REFUSED[name]
    with pytest.raises(UserError) as error:
        config_file.changed(raw, {"llm": "claude"}, "/f")
    assert told in str(error.value)


def test_a_new_file_is_private_and_says_whose_it_is(home):
    assert config_file.write(CHOICE, os.environ) is True
    path = paths.config_file(os.environ)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    with open(path) as file:
        assert file.read().startswith("# memdir's settings")
    assert config.load(os.environ, "").values["llm"] == "anthropic"
    assert config_file.write(CHOICE, os.environ) is False


def test_a_link_stays_and_the_file_keeps_its_mode(home, monkeypatch):
    real = home / "dotfiles" / "memdir.yaml"
    real.parent.mkdir()
    real.write_text("recall.limit: 2\n")
    real.chmod(0o640)
    folder = home / ".config"
    folder.mkdir()
    (home / "elsewhere").mkdir()
    (folder / "memdir").symlink_to(home / "elsewhere")
    (folder / "memdir" / "config.yaml").symlink_to(real)
    monkeypatch.setenv("MEMDIR_CONFIG", str(folder / "memdir" / "config.yaml"))
    config_file.write({"llm": "claude"}, os.environ)
    assert (folder / "memdir" / "config.yaml").is_symlink()
    assert real.read_text() == "recall.limit: 2\nllm: claude\n"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert os.listdir(real.parent) == ["memdir.yaml"]


@pytest.mark.parametrize("kind", ["directory", "pipe", "link to itself", "below a file"])
def test_what_is_no_file_is_refused_and_left_alone(home, monkeypatch, kind):
    path = home / "config.yaml"
    if kind == "directory":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "link to itself":
        path.symlink_to(path)
    else:
        path.write_text("x")
        path = path / "config.yaml"
    monkeypatch.setenv("MEMDIR_CONFIG", str(path))
    before = sorted(os.listdir(home))
    with pytest.raises(UserError, match=r"config\.yaml"):
        config_file.write({"llm": "claude"}, os.environ)
    assert sorted(os.listdir(home)) == before


WRITER = """
import os, sys
sys.path.insert(0, sys.argv[1])
from memdir_cli import config_file
for number in range(40):
    config_file.write({sys.argv[2]: number}, os.environ)
"""


def test_who_writes_next_does_not_make_this_write_a_failure(home, monkeypatch):
    real = config_file.exchange.replace

    def replace_and_be_followed(path, expected, data):
        done = real(path, expected, data)
        with open(path, "wb") as file:
            file.write(b"llm: off\n")
        return done

    monkeypatch.setattr(config_file.exchange, "replace", replace_and_be_followed)
    assert config_file.write({"llm": "claude"}, os.environ) is True


def test_what_would_not_read_back_is_not_written(home):
    with pytest.raises(UserError, match="would not read back"):
        config_file.write({"llm.base_url": "http://example.com"}, os.environ)
    assert not os.path.exists(paths.config_file(os.environ))


def test_two_writers_lose_nothing_of_each_other(home):
    keys = ("caps.calls_hour", "recall.max_files", "caps.usd_day")
    started = [
        subprocess.Popen([sys.executable, "-c", WRITER.replace("range(40)", "range(1, 40)"), str(ROOT / "lib"), key])
        for key in keys
    ]
    ended = [process.wait() for process in started]
    settings = config.load(os.environ, "")
    assert settings.problems == []
    for key, status in zip(keys, ended, strict=True):
        assert (settings.number(key) == 39) == (status == 0)  # 1: it gave up and said so
    assert os.listdir(os.path.dirname(paths.config_file(os.environ))) == ["config.yaml"]
