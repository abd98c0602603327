import os

import pytest

from memdir import config, endpoint, paths


@pytest.fixture
def user_file(home):
    from pathlib import Path

    path = Path(paths.config_file(os.environ))
    path.parent.mkdir(parents=True)
    return path


def test_without_a_file_the_defaults_are_in_force(project):
    settings = config.load(os.environ, str(project))
    assert settings.problems == []
    assert settings.count("recall.limit") == 5


def test_values_are_taken(user_file, project):
    user_file.write_text("# mine\nrecall.limit: 2\nrecall.threshold: 0.6\nexclude:\n  - ~/secret\n  - /srv/x\n")
    settings = config.load(os.environ, str(project))
    assert settings.problems == []
    assert (settings.count("recall.limit"), settings.number("recall.threshold")) == (2, 0.6)
    assert settings.values["exclude"] == ["~/secret", "/srv/x"]


@pytest.mark.parametrize(
    ("text", "line"),
    [("{", 1), ("[]", 1), ("null", 1), ('{"limit":"many"}', 1), ("a: 1\nrecall.limit: many", 2),
     ("recall.limit: -5", 1), ("recall.limit: nan", 1),
     ("\n\nrecall.max_files: 0", 3), ("recal.limit: 3", 1), ("recall.limit: [1]", 1)],
)  # fmt: skip
def test_a_value_that_cannot_be_used_leaves_the_default_and_names_its_line(user_file, project, text, line):
    user_file.write_text(text)
    settings = config.load(os.environ, str(project))
    assert settings.count("recall.limit") == 5
    assert settings.count("recall.max_files") == 10_000
    assert (str(user_file), line) in [(path, number) for path, number, _ in settings.problems]


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [("llm: claude", "llm", "claude"), ("llm: Off", "llm", "off"), ("llm.model: claude-haiku-5-5", "llm.model",
     "claude-haiku-5-5"), ('llm.model: ""', "llm.model", ""), ("caps.usd_day: 0", "caps.usd_day", 0.0),
     ("llm.base_url: http://127.0.0.1:8080/v1", "llm.base_url", "http://127.0.0.1:8080/v1")],
)  # fmt: skip
def test_what_a_person_says_of_a_model_is_taken(user_file, project, text, name, value):
    user_file.write_text(text)
    settings = config.load(os.environ, str(project))
    assert (settings.problems, settings.values[name]) == ([], value)


@pytest.mark.parametrize(
    ("text", "name", "line"),
    [("llm: gpt", "llm", 1), ("llm: [claude]", "llm", 1), ("llm:", "llm", 1), ("llm.model: --help", "llm.model", 1),
     ("llm: off\nllm.model: a b", "llm.model", 2), ("llm.model: claude\nllm: many", "llm", 2),
     ("caps.usd_day: inf", "caps.usd_day", 1), ("caps.calls_hour: -1", "caps.calls_hour", 1),
     ("llm.base_url: http://example.com", "llm.base_url", 1), ("extract.on: [on]", "extract.on", 1)],
)  # fmt: skip
def test_a_model_that_cannot_be_meant_is_a_problem_and_not_asked(user_file, project, text, name, line):
    user_file.write_text(text)
    settings = config.load(os.environ, str(project))
    assert [number for _, number, _ in settings.problems] == [line]
    assert settings.values[name] == config.KEYS[name].default


NUMBERS = {"negative zero": "-0", "full-width": "１", "an underscore": "1_0", "an exponent": "1e-9", "a sign": "+1",
           "no digit before the point": ".5", "none after it": "1.", "two points": "1.2.3", "superscript": "²",
           "many decimals": "0.00001", "infinite": "inf", "none": "nan", "hexadecimal": "0x1", "huge": "9" * 400,
           "Arabic digits": "٣"}  # fmt: skip


@pytest.mark.parametrize("text", NUMBERS.values(), ids=NUMBERS)
@pytest.mark.parametrize("name", ["caps.usd_day", "caps.calls_hour", "recall.threshold"])
def test_only_plain_numbers_are_taken(user_file, project, name, text):
    user_file.write_text(f"{name}: {text}", encoding="utf-8")
    settings = config.load(os.environ, str(project))
    assert settings.values[name] == config.KEYS[name].default
    assert len(settings.problems) == 1
    assert f"`{name}` must be a " in settings.problems[0][2]


@pytest.mark.parametrize(("text", "wanted"), [("7", ""), ("0", ""), ("1.9", "a whole number from 0 to 10000"),
                                              ("0.5", "a whole number"), ("10001", "a whole number")])  # fmt: skip
def test_calls_are_counted_whole(text, wanted):
    assert config.wanted_of("caps.calls_hour", text).startswith(wanted)
    assert bool(config.wanted_of("caps.calls_hour", text)) == bool(wanted)


@pytest.mark.parametrize("text", ["0", "0.25", "1000", "1000.0000", "0.0001"])
def test_dollars_have_up_to_four_decimals(text):
    assert config.wanted_of("caps.usd_day", text) == ""


@pytest.mark.parametrize(
    ("text", "lines"),
    [("exclude: private", [1]), ("exclude: [/a, private]", [1]),
     ("# mine\nexclude:\n  - /a\n  - private\n\n  - ~user/x\n", [4, 6]),
     ("exclude: [/a,\n  ./b]", [2]), ("recall.limit: 1\nexclude:\n- ../x\n", [3]), ("exclude: [$PROJECTS/x]", [1]),
     ("exclude: ['']", [1]), ("exclude: [~]", [1]), ("exclude:\n  - ~/clients/*\n", [2]), ("exclude:\n  a: /b\n", [1]),
     ("exclude: {a: /b}", [1])],
)  # fmt: skip
def test_what_excludes_nothing_is_a_problem_with_its_line(user_file, project, text, lines):
    user_file.write_text(text)
    problems = config.load(os.environ, str(project)).problems
    assert [line for _, line, sentence in problems if "exclude" in sentence] == lines


@pytest.mark.parametrize("text", ["exclude: ~/a", "exclude: [/a, $HOME/b, '${HOME}/c']", "exclude:", "exclude: []"])
def test_directories_that_are_excluded_are_no_problem(user_file, project, text):
    user_file.write_text(text)
    assert config.load(os.environ, str(project)).problems == []


ADDRESSES = {
    "https://proxy.example:8443/v1": "https://proxy.example:8443/v1",
    "https://[::1]:80/x": "https://[::1]:80/x",
    "https://user:s3cr3t@proxy/": "https://…@proxy/",
    "https://s3cr3t@proxy": "https://…@proxy",
    "https://us@er:s3cr3t@proxy/v1": "https://…@proxy/v1",
    "https://proxy/v1?key=s3cr3t": "https://proxy/v1…",
    "https://proxy/v1#s3cr3t": "https://proxy/v1…",
    "https://user:pa/s3cr3t@proxy/": "https://user:……",
    "https://evil.example/@api.anthropic.com": "https://evil.example…",
    "user:s3cr3t@proxy": "…@proxy",
    "https:/user:s3cr3t@proxy": "https:……",
}


@pytest.mark.parametrize("url", ADDRESSES)
def test_an_address_is_shown_without_what_is_secret_in_it(url):
    assert endpoint.shown(url) == ADDRESSES[url]


@pytest.mark.parametrize("text", ["https://user:s3cr3t@proxy/", "[https://user:s3cr3t@proxy/]"])
def test_a_problem_with_an_address_does_not_tell_its_password(user_file, project, text):
    user_file.write_text(f"llm.base_url: {text}")
    ((_, line, sentence),) = config.load(os.environ, str(project)).problems
    assert (line, "s3cr3t" in sentence) == (1, False)


@pytest.mark.parametrize("raw", [b"\xef\xbb\xbfrecall.limit: 5\r\n", b""])
def test_a_byte_order_mark_is_no_problem(user_file, project, raw):
    user_file.write_bytes(raw)
    assert config.load(os.environ, str(project)).problems == []


def test_a_linked_file_is_read(user_file, home, project):
    (home / "dotfiles").write_text("recall.limit: 1")
    user_file.symlink_to(home / "dotfiles")
    assert config.load(os.environ, str(project)).count("recall.limit") == 1


def _project_file(project, text):
    (project / ".claude").mkdir()
    (project / ".claude" / "memdir.yaml").write_text(text)


def test_a_project_may_turn_recall_down(user_file, project):
    user_file.write_text("recall.limit: 3")
    _project_file(project, "recall.limit: 0")
    assert config.load(os.environ, str(project)).count("recall.limit") == 0


def test_a_project_may_not_turn_anything_up(user_file, project):
    user_file.write_text("recall.limit: 1")
    _project_file(project, "recall.limit: 5\nrecall.threshold: 0.01\nexclude: [/]\n")
    settings = config.load(os.environ, str(project))
    assert settings.count("recall.limit") == 1
    assert settings.number("recall.threshold") == 0
    assert settings.values["exclude"] == []
    assert len(settings.problems) == 2


def test_excluded_directories_are_known_by_their_real_place(user_file, tmp_path):
    user_file.write_text(f"exclude: [{tmp_path}/secret]")
    (tmp_path / "secret" / "deep").mkdir(parents=True)
    (tmp_path / "door").symlink_to(tmp_path / "secret")
    settings = config.load(os.environ, "")
    for name, excluded in (("secret", True), ("secret/deep", True), ("door/deep", True), ("secrets", False)):
        assert settings.excludes(str(tmp_path / name), os.environ) is excluded


@pytest.mark.parametrize("text", ["llm: claude", "llm.model: x", "llm.base_url: https://x.example", "caps.usd_day: 0.1",
                                  "caps.calls_hour: 1", "rules.on: off"])  # fmt: skip
def test_a_project_has_no_say_on_models_and_rules(user_file, project, text):
    _project_file(project, text)
    settings = config.load(os.environ, str(project))
    assert settings.values == config.Config().values
    assert len(settings.problems) == 1
