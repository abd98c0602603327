"""memdir's hooks go into a settings text and out of it, and every byte that is not memdir's stays."""

import json

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from memdir.errors import UserError
from memdir_cli import own_entries, settings_text
from support.checkout import ROOT

DATA = ROOT / "tests" / "data" / "settings"
APP = "/home/me/.claude/memdir/app"
OURS = own_entries._rooted(json.loads((ROOT / "hooks" / "hooks.json").read_bytes())["hooks"], APP)


def ours(name="stop", launcher=APP + "/hooks/py", **fields):
    return {"type": "command", "command": launcher, "args": name.split(), **fields}


def with_hooks(raw, hooks=OURS):
    return settings_text.with_hooks(raw, hooks)


def text_of(value, **layout):
    return json.dumps(value, ensure_ascii=False, **layout).encode()


def others(raw):
    """What the settings say, without entries of memdir and what is empty without them."""
    found = json.loads(raw.decode("utf-8-sig"))
    hooks = {
        event: [one for one in map(_other, groups) if one != OURS] for event, groups in found.get("hooks", {}).items()
    }
    found["hooks"] = {event: groups for event, groups in hooks.items() if groups}
    return found


def _other(group):
    """A group without entries of memdir; OURS where there were no others."""
    if not isinstance(group, dict) or not isinstance(group.get("hooks"), list):
        return group
    left = [one for one in group["hooks"] if APP not in json.dumps(one)]
    return OURS if group["hooks"] and not left else {**group, "hooks": left}


FOREIGN = {"type": "command", "command": "node /opt/guard/scan.js", "timeout": 5}
_scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
_values = st.recursive(
    _scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3), max_leaves=8
)
_groups = st.lists(
    st.fixed_dictionaries(
        {"hooks": st.lists(st.just(FOREIGN) | st.dictionaries(st.text(), _scalars, max_size=2), max_size=3)},
        optional={"matcher": st.text(), "note": _values},
    )
    | _values,
    max_size=3,
)
_hooks = st.dictionaries(st.sampled_from([*OURS, "Notification", "é"]), _groups, max_size=4)
_rest = st.dictionaries(st.text().filter(lambda key: key != "hooks"), _values, max_size=3)
_blanks = st.sampled_from(["", "", " ", "  ", "\t", "\n", "\r\n", "\n  ", "\n\n "])


@st.composite
def _documents(draw):
    """Settings of any layout: of a serializer, or with any white space anywhere."""
    settings_ = draw(_rest)
    if draw(st.booleans()):
        items = list(settings_.items())
        items.insert(draw(st.integers(0, len(items))), ("hooks", draw(_hooks)))
        settings_ = dict(items)
    ascii_ = draw(st.booleans())
    if draw(st.booleans()):
        indent = draw(st.sampled_from([None, None, 0, 1, 2, 4, "\t"]))
        separators = draw(st.sampled_from([None, (",", ":"), (", ", ": "), (",", ": "), (" ,", " :")]))
        text = json.dumps(settings_, indent=indent, separators=separators, ensure_ascii=ascii_)
        text = text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))
    else:
        text = _spread(draw, settings_, ascii_)
    text = draw(_blanks) + text + draw(_blanks)
    return draw(st.sampled_from([b"", b"\xef\xbb\xbf"])) + text.encode("utf-8", "surrogatepass")


def _spread(draw, value, ascii_):
    if isinstance(value, dict):
        parts = [
            draw(_blanks) + json.dumps(key, ensure_ascii=ascii_) + draw(_blanks) + ":" + draw(_blanks)
            + _spread(draw, item, ascii_) + draw(_blanks)
            for key, item in value.items()
        ]  # fmt: skip
        return "{" + (",".join(parts) or draw(_blanks)) + "}"
    if isinstance(value, list):
        parts = [draw(_blanks) + _spread(draw, item, ascii_) + draw(_blanks) for item in value]
        return "[" + (",".join(parts) or draw(_blanks)) + "]"
    return json.dumps(value, ensure_ascii=ascii_)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(_documents())
@example(b'{ "hooks" :\r\n{ "Stop":[ ]}}')
@example(b'{"a":1,"hooks":{\n}}')
@example(b"\xef\xbb\xbf{\n \t}\n\n")
def test_hooks_go_in_and_out_and_nothing_else_changes(raw):
    merged = with_hooks(raw)
    assert settings_text.without_hooks(merged, before=raw) == raw
    assert with_hooks(merged) == merged
    assert others(merged) == others(raw)
    found = settings_text.entries(merged)
    assert {(one.event, one.name, *one.args) for one in found} == {
        (event, *own_entries.words_of(entry)[1:])
        for event, groups in OURS.items()
        for g in groups
        for entry in g["hooks"]
    }
    assert settings_text.without_hooks(raw) == raw
    containers = json.loads(raw.decode("utf-8-sig")).get("hooks")
    if containers is None or (containers and all(containers.values())):
        assert settings_text.without_hooks(merged) == raw


LAYOUTS = {
    "two blanks": text_of({"a": {"b": 1}, "hooks": {"Stop": [{"hooks": [FOREIGN]}]}}, indent=2),
    "four blanks": text_of({"a": {"b": 1}, "hooks": {"Stop": [{"hooks": [FOREIGN]}]}}, indent=4),
    "tabs": text_of({"a": {"b": 1}, "hooks": {"Stop": [{"hooks": [FOREIGN]}]}}, indent="\t"),
    "one line": text_of({"a": {"b": 1}, "hooks": {"Stop": [{"hooks": [FOREIGN]}]}}),
    "no blanks": text_of({"a": {"b": 1}, "hooks": {"Stop": [{"hooks": [FOREIGN]}]}}, separators=(",", ":")),
    "without hooks": text_of({"a": {"b": 1}}, indent=2),
    "empty object": b"{}",
}


@pytest.mark.parametrize("raw", LAYOUTS.values(), ids=LAYOUTS)
def test_what_is_put_in_looks_like_the_rest(raw):
    """A serializer that lays out the whole anew as the file was laid out finds nothing to change."""
    merged = with_hooks(raw)
    line = raw.splitlines()[1] if b"\n" in raw else b""
    indent = line[: len(line) - len(line.lstrip())].decode() or (2 if raw == b"{}" else None)
    separators = (",", ":") if raw.startswith(b'{"a":{') else None
    assert merged == text_of(json.loads(merged), indent=indent, separators=separators)


def test_a_file_with_carriage_returns_gets_no_bare_line_feed():
    merged = with_hooks(b'{\r\n  "a": 1\r\n}\r\n')
    assert merged.count(b"\n") == merged.count(b"\r\n") > 20


@pytest.mark.parametrize("raw", [None, b"", b" \n\t\n", b"\xef\xbb\xbf\r\n"], ids=["none", "empty", "blank", "mark"])
def test_where_there_is_nothing_a_whole_file_is_made(raw):
    merged = with_hooks(raw)
    assert json.loads(merged.decode("utf-8-sig")) == {"hooks": OURS}
    assert merged.endswith(b"\n}\n")
    assert merged.startswith(b"\xef\xbb\xbf") == (raw or b"").startswith(b"\xef\xbb\xbf")
    assert with_hooks(merged) == merged
    assert settings_text.without_hooks(merged)[-3:] == b"{}\n"


def test_a_blank_file_stays_as_it_is_when_hooks_are_taken_out():
    assert settings_text.without_hooks(b" \n") == b" \n"


def test_foreign_hooks_in_the_same_events_stay_and_ours_are_in_groups_of_their_own():
    raw = (DATA / "foreign-hooks.json").read_bytes()
    before, after = json.loads(raw), json.loads(with_hooks(raw))
    assert list(after) == list(before)
    assert {key: after[key] for key in after if key != "hooks"} == {
        key: before[key] for key in before if key != "hooks"
    }
    for event, groups in OURS.items():
        assert after["hooks"][event] == before["hooks"].get(event, []) + groups
    assert settings_text.without_hooks(with_hooks(raw)) == raw


def test_a_byte_order_mark_stays():
    raw = (DATA / "byte-order-mark.json").read_bytes()
    merged = with_hooks(raw)
    assert json.loads(merged.decode("utf-8-sig")) == {"model": "opus", "hooks": OURS}
    assert merged.startswith(b"\xef\xbb\xbf{\r\n")
    assert settings_text.without_hooks(merged) == raw


def test_the_order_of_keys_text_and_numbers_stay():
    raw = (DATA / "key-order.json").read_bytes()
    merged = with_hooks(raw)
    assert list(json.loads(merged)) == ["z", "a", "hooks", "m"]
    for part in ('"日本 ü"', '"a": 1e5,', "say \\u0041", "[1,2 ,  3]"):
        assert part.encode() in merged
    assert settings_text.without_hooks(merged) == raw


def test_our_old_entries_go_wherever_they_stand():
    old = ours("stop", "/gone/memdir-0.1/hooks/py")
    shell = {"type": "command", "command": f"'{APP}/hooks/py' stop"}
    stop = [{"hooks": [old]}, {"matcher": "x", "hooks": [shell, FOREIGN, old]}, {"hooks": [FOREIGN, old]}]
    raw = text_of({"hooks": {"Stop": stop, "Gone": [{"hooks": [old]}, {"hooks": [shell, old]}]}}, indent=2)
    left = {"Stop": [{"matcher": "x", "hooks": [FOREIGN]}, {"hooks": [FOREIGN]}]}
    assert json.loads(settings_text.without_hooks(raw)) == {"hooks": left}
    assert json.loads(with_hooks(raw, {"Stop": OURS["Stop"]})) == {"hooks": {"Stop": left["Stop"] + OURS["Stop"]}}


def test_entries_that_stand_there_already_stay_where_a_person_put_them():
    mine = text_of({"hooks": {**OURS, "Stop": [*OURS["Stop"], {"hooks": [FOREIGN]}]}, "a": 1}, indent=1)
    assert with_hooks(mine) == mine
    assert with_hooks(mine.replace(b'"timeout": 60', b'"timeout": 61')) != mine


def test_what_was_empty_before_stays():
    raw = b'{"hooks": {"Stop": [], "PreCompact": [{"hooks": []}]}}'
    assert settings_text.without_hooks(raw) == raw
    assert settings_text.without_hooks(with_hooks(raw), before=raw) == raw
    for empty in (b'{"hooks": {}}', b'{"hooks": {"Stop": []}, "a": 1}'):
        assert settings_text.without_hooks(with_hooks(empty), before=empty) == empty


def test_of_hooks_that_are_there_twice_the_last_are_meant():
    raw = b'{"hooks": {"Stop": 5}, "x": 1, "hooks": {"Stop": [], "Stop": [{"hooks": []}]}}'
    merged = with_hooks(raw)
    assert merged.startswith(raw[:-4])
    assert json.loads(merged)["hooks"]["Stop"] == [{"hooks": []}, *OURS["Stop"]]
    assert settings_text.without_hooks(merged) == raw


def test_an_entry_tells_where_and_what_it_is():
    raw = text_of(
        {"hooks": {"SessionStart": [{"matcher": "compact", "hooks": [FOREIGN, ours("session_start 4")]}]}}, indent=1
    )
    (found,) = settings_text.entries(raw)
    assert (found.event, found.matcher, found.name, found.args) == ("SessionStart", "compact", "session_start", ["4"])
    assert (found.launcher, found.entry) == (APP + "/hooks/py", ours("session_start 4"))
    assert raw.splitlines()[found.line - 1].strip() == b"{"
    assert b"hooks/py" in raw.splitlines()[found.line + 1]


OF_OTHERS = {
    "product name in the path": {"type": "command", "command": "python3 /home/u/memdir-notes/my_hook.py"},
    "script of a person beside ours": {"type": "command", "command": f"{APP}/hooks/mine stop"},
    "no hook of ours": ours("lint"),
    "hook of ours without a name": ours(""),
    "command line of a person": {"type": "command", "command": f"{APP}/hooks/py stop | tee /tmp/log"},
    "reads like ours to echo": {"type": "command", "command": f"echo {APP}/hooks/py stop"},
    "open quotation": {"type": "command", "command": f"{APP}/hooks/py 'stop"},
    "prompt": {"type": "prompt", "prompt": f"{APP}/hooks/py stop"},
    "no command": {"type": "command", "args": ["stop"]},
    "odd arguments": {"type": "command", "command": f"{APP}/hooks/py", "args": ["stop", 1]},
    "relative": ours("stop", "./x/hooks/py"),
    "text": f"{APP}/hooks/py stop",
    "on a disk that is away": {"type": "command", "command": "/mnt/work/guard/hooks/py stop"},
    "on a disk that is away, a name with ours in it": ours("stop", "/mnt/work/not-memdir/hooks/py"),
}
OF_MEMDIR = {
    "exec form": ours("stop"),
    "through sh": {"type": "command", "command": "/bin/sh", "args": [APP + "/hooks/py", "pre_tool_use"]},
    "shell form": {"type": "command", "command": f'"{APP}/hooks/py" session_start 1'},
    "shell form through sh": {"type": "command", "command": f"/bin/sh {APP}/hooks/py stop"},
    "in a home": {"type": "command", "command": "$HOME/.claude/memdir/app/hooks/py stop"},
    "launcher is gone": ours("stop", "/gone/memdir-0.1/hooks/py"),
}


@pytest.mark.parametrize("entry", OF_OTHERS.values(), ids=OF_OTHERS)
def test_an_entry_of_others_is_never_taken_out(entry):
    raw = text_of({"hooks": {"Stop": [{"hooks": [entry]}, {"hooks": [ours()]}]}})
    assert len(settings_text.entries(raw)) == 1
    assert json.loads(settings_text.without_hooks(raw)) == {"hooks": {"Stop": [{"hooks": [entry]}]}}


@pytest.mark.parametrize("entry", OF_MEMDIR.values(), ids=OF_MEMDIR)
def test_an_entry_of_memdir_is_known_in_every_form(entry):
    raw = text_of({"hooks": {"Stop": [{"hooks": [entry]}]}, "a": 1})
    assert len(settings_text.entries(raw)) == 1
    assert settings_text.without_hooks(raw) == b'{"a": 1}'


def test_a_launcher_that_is_there_is_ours_where_the_plugin_beside_it_is_memdir_or_it_is_recorded(tmp_path):
    for name, plugin in (("other", {"name": "other"}), ("checkout", {"name": "memdir"}), ("bare", None), ("odd", [])):
        (tmp_path / name / "hooks").mkdir(parents=True)
        (tmp_path / name / "hooks" / "py").touch()
        if plugin is not None:
            (tmp_path / name / ".claude-plugin").mkdir()
            (tmp_path / name / ".claude-plugin" / "plugin.json").write_text(json.dumps(plugin))
    names = ("bare", "checkout", "odd", "other")
    raw = text_of({"hooks": {"Stop": [{"hooks": [ours("stop", f"{tmp_path}/{name}/hooks/py") for name in names]}]}})

    def own(launcher=""):
        return [one.launcher.split("/")[-3] for one in settings_text.entries(raw, launcher)]

    assert own() == ["checkout"]
    assert own(f"{tmp_path}/bare/hooks/py") == ["bare", "checkout"]


def test_a_launcher_that_is_gone_is_ours_where_it_is_recorded():
    raw = text_of({"hooks": {"Stop": [{"hooks": [ours("stop", "/gone/away/hooks/py")]}]}, "a": 1})
    assert settings_text.without_hooks(raw, "/gone/away/hooks/py") == b'{"a": 1}'


@pytest.mark.parametrize(
    ("raw", "left"),
    [
        ('{"hooks": {"Stop": [{"hooks": [1]}]}, "hooks": {"Stop": [OURS]}}', {"hooks": {}}),
        ('{"hooks": {"Stop": [{"hooks": [1]}], "Stop": [OURS]}}', {"hooks": {"Stop": []}}),
    ],
    ids=["hooks", "event"],
)
def test_what_a_later_key_of_that_name_has_switched_off_stays_so(raw, left):
    raw = raw.replace("OURS", json.dumps({"hooks": [ours()]}))
    assert json.loads(settings_text.without_hooks(raw.encode())) == left


def test_what_a_person_changed_in_an_entry_is_told():
    text = text_of({"hooks": OURS})
    assert own_entries.altered(settings_text.entries(text), OURS) == []
    changed = json.loads(text)["hooks"]
    changed["Stop"][0]["hooks"][0]["timeout"] = 5
    changed["PreToolUse"][0]["hooks"][0]["x"] = 1
    found = settings_text.entries(text_of({"hooks": changed}))
    assert own_entries.altered(found, OURS) == ["x of PreToolUse", "timeout of Stop"] or own_entries.altered(
        found, OURS
    ) == ["timeout of Stop", "x of PreToolUse"]


def test_all_names_of_hooks_json_are_known():
    entries = [entry for groups in OURS.values() for group in groups for entry in group["hooks"]]
    assert {own_entries.words_of(entry)[1] for entry in entries} == own_entries.HOOK_NAMES


def test_wanted_hooks_are_those_of_the_plugin_with_its_place(tmp_path):
    (tmp_path / "hooks").mkdir()
    (tmp_path / "hooks" / "hooks.json").write_bytes((ROOT / "hooks" / "hooks.json").read_bytes())
    found = own_entries.wanted(str(tmp_path))
    assert "${" not in json.dumps(found)
    assert found["Stop"][0]["hooks"][0]["command"] == f"{tmp_path}/hooks/py"
    assert found["PreToolUse"][0]["hooks"][0]["args"] == [f"{tmp_path}/hooks/py", "pre_tool_use"]


@pytest.mark.parametrize("text", [None, b"", b"[]", b"{}", b"{"], ids=["none", "empty", "array", "object", "broken"])
def test_a_damaged_plugin_is_told(tmp_path, text):
    (tmp_path / "hooks").mkdir()
    if text is not None:
        (tmp_path / "hooks" / "hooks.json").write_bytes(text)
    with pytest.raises(UserError, match=r"hooks\.json"):
        own_entries.wanted(str(tmp_path))


def test_a_path_that_is_no_text_is_refused():
    with pytest.raises(UserError, match="not UTF-8"):
        own_entries.wanted("/home/\udcff")


REFUSED = {
    "comment": (b'{\n  "a": 1, // x\n}', "2:11: a comment"),
    "comma": (b'\xef\xbb\xbf{"a": 1,}', "1:8: a comma too many"),
    "array": (b"\n []", "2:2: the settings have to be an object"),
    "text": (b'"x"', "1:1: the settings have to be an object"),
    "hooks": (b'{\n "hooks": []}', "2:11: `hooks` has to be an object"),
    "hooks null": (b'{"hooks": null}', "1:11: `hooks` has to be an object"),
    "event": (b'{"hooks": {"Stop": {}}}', "1:20: the event 'Stop' has to be an array"),
    "event of an odd name": (b'{"hooks": {"\\u001b[31m": 1}}', "1:26: the event '\\x1b[31m' has to be an array"),
    "UTF-16": ('{"a": 1}'.encode("utf-16"), "1:1: this is no UTF-8"),
    "UTF-16 without a mark": ('{"a": 1}'.encode("utf-16-be"), "1:1: this is no UTF-8"),
    "not UTF-8": ('{"ü":\n "日'.encode() + b'\xff"}', "2:4: the byte 0xff is not UTF-8"),
    "surrogates": (b'{"a": "\xed\xa0\x80"}', "1:8: the byte 0xed is not UTF-8"),
    "deep": (b'{"a":' + b"[" * 100_000, "1:1: nested too deeply"),
}


@pytest.mark.parametrize(("raw", "message"), REFUSED.values(), ids=REFUSED)
def test_settings_that_cannot_be_read_are_refused_with_their_place(raw, message):
    with pytest.raises(UserError) as caught:
        settings_text.check(raw, "/x/settings.json")
    assert str(caught.value).startswith("/x/settings.json:" + message)
    for call in (with_hooks, settings_text.without_hooks, settings_text.entries, settings_text.plugins_enabled):
        with pytest.raises(UserError, match=r"^settings\.json:"):
            call(raw)


def test_settings_that_can_be_read_are_returned():
    assert settings_text.check(b'\xef\xbb\xbf{"a": 1, "a": 2}', "x") == {"a": 2}
    assert settings_text.check(b"", "x") == settings_text.check(b" \n", "x") == {}


def test_the_plugin_is_enabled_where_a_marketplace_has_it_and_it_is_on():
    enabled = {"memdir@memdir": True, "memdir@other": False, "x@memdir": True, "memdir@dev": True}
    assert settings_text.plugins_enabled(text_of({"enabledPlugins": enabled})) == ["memdir@memdir", "memdir@dev"]
    assert settings_text.plugins_enabled(text_of({"enabledPlugins": []})) == []
    assert settings_text.plugins_enabled(b"") == []


def test_settings_of_several_megabytes_are_merged():
    raw = text_of(
        {"a": ["x" * 70, {"k": [1, 2.5, None]}] * 30_000, "hooks": {"Stop": [{"hooks": [FOREIGN]}]}}, indent=2
    )
    assert len(raw) > 4 << 20
    merged = with_hooks(raw)
    assert settings_text.without_hooks(merged) == raw
