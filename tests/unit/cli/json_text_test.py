"""A JSON text is read as strictly as the client does, and what is wrong is told with its line and column."""

import json
import subprocess

import pytest

from memdir_cli import json_text
from support.checkout import ROOT

FAULTS = {
    "line comment": ('{\n  "a": 1, // why\n  "b": 2\n}', 2, 11, "a comment"),
    "comment in front": ('// mine\n{"a": 1}', 1, 1, "a comment"),
    "block comment": ('{\n  /* why */ "a": 1}', 2, 3, "a comment"),
    "comment at the end": ('{"a": 1}\n# end\n', 2, 1, "a comment"),
    "comment between key and value": ('{"a" /* x */: 1}', 1, 6, "a comment"),
    "comment behind a value": ('{"a": 1 // x\n}', 1, 9, "a comment"),
    "comma at the end of an object": ('{\n  "a": 1,\n}', 2, 9, "a comma too many"),
    "comma at the end of an array": ('{"a": [1, 2,]}', 1, 12, "a comma too many"),
    "two commas": ('{"a": [1,, 2]}', 1, 10, "a comma too many"),
    "comma in front": ('{, "a": 1}', 1, 2, "a comma too many"),
    "comma in front in an array": ('{"a": [,1]}', 1, 8, "a comma too many"),
    "comma missing": ('{"a": 1\n "b": 2}', 2, 2, "a comma is missing"),
    "colon missing": ('{"a" 1}', 1, 6, "a colon is missing"),
    "key without quotation marks": ("{a: 1}", 1, 2, "no key"),
    "single quotation marks": ("{'a': 1}", 1, 2, "single quotation mark"),
    "cut off": ('{"a": {"b": 1}\n', 2, 1, "the end of the file"),
    "cut off in a string": ('{"a": "bc', 1, 7, "never closed"),
    "quotation mark missing": ('{"a: 1\n}', 1, 7, "line break"),
    "tab in a string": ('{"日本": "\t"}', 1, 9, "control character"),
    "odd escape": ('{"a": "\\x"}', 1, 8, "backslash"),
    "text behind": ('{"a": 1} x', 1, 10, "after the end"),
    "NaN": ('{"NaN": "NaN \\" NaN", "b":\r\n NaN}', 2, 2, "NaN"),
    "minus infinity": ("[-Infinity]", 1, 2, "-Infinity"),
    "byte order mark in the middle": ('{"a":\n\ufeff1}', 2, 1, "byte order mark"),
    "a word": ('{"a": True}', 1, 7, "'T'"),
    "nested too deeply": ("[" * 200_000, 1, 1, "too deeply"),
}


@pytest.mark.parametrize(("text", "line", "column", "what"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_told_with_its_place(text, line, column, what):
    with pytest.raises(json_text.Fault) as caught:
        json_text.parse(text)
    assert what in caught.value.what
    assert json_text.place(text, caught.value.position) == (line, column)


def test_line_breaks_of_every_kind_count_once():
    text = "a\r\nb\rc\n日d"
    assert json_text.place(text, text.index("d")) == (4, 2)


def test_items_are_where_they_stand():
    text = ' { "a" : [1 , {"b": "]}"} ],"a\\u0062":null }'
    start = text.index("{")
    found = [
        (item.key, text[item.start : item.end], text[item.at : item.end]) for item in json_text.members(text, start)
    ]
    assert found == [("a", '"a" : [1 , {"b": "]}"} ]', '[1 , {"b": "]}"} ]'), ("ab", '"a\\u0062":null', "null")]
    inside = json_text.elements(text, text.index("["))
    assert [(text[item.start : item.end], item.value) for item in inside] == [("1", 1), ('{"b": "]}"}', {"b": "]}"})]


def test_of_two_members_with_one_key_the_last_counts():
    items = json_text.members('{"a": 1, "b": 2, "a": 3}', 0)
    assert json_text.member(items, "a").value == 3
    assert json_text.member(items, "c") is None


def test_an_integer_of_any_length_is_read():
    assert json_text.parse("[1" + "0" * 300 + "]") == [10**300]
    assert json_text.parse(f'[{"9" * 5000}, "x"]')[1] == "x"


@pytest.mark.parametrize("text", ["{}", "[]", '[1e5, -0, "\\ud800", true, null]'])
def test_what_is_json_is_read(text):
    assert json_text.parse(text) == json.loads(text)


def test_every_python_finds_the_same_faults_in_the_same_places(each_python):
    texts = [text for text, *_ in FAULTS.values()]
    code = (
        "import json, sys\n"
        "sys.path.insert(0, sys.argv[1])\n"
        "from memdir_cli import json_text\n"
        "for text in json.load(sys.stdin):\n"
        "    try:\n"
        "        json_text.parse(text)\n"
        "    except json_text.Fault as fault:\n"
        "        print(json.dumps([fault.position, fault.what]))\n"
    )
    command = [each_python, "-I", "-S", "-c", code, str(ROOT / "lib")]
    done = subprocess.run(command, input=json.dumps(texts), capture_output=True, text=True, check=False)
    assert done.stderr == ""
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == len(FAULTS)
    for (text, line, column, what), (position, said) in zip(FAULTS.values(), found, strict=True):
        assert what in said
        assert json_text.place(text, position) == (line, column)
