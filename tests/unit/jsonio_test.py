import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir import jsonio

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@pytest.fixture(params=["accelerated", "fallback"], autouse=True)
def _both_ways(request, monkeypatch):
    if request.param == "fallback":
        monkeypatch.setattr(jsonio, "make_scanner", None)


@given(VALUES)
def test_what_is_written_reads_back_everywhere(value):
    text = jsonio.dumps(value)
    assert text.isascii()
    assert "\n" not in text
    assert jsonio.loads(text) == json.loads(text) == value


@given(VALUES)
def test_documents_of_others_are_read(value):
    assert jsonio.loads(json.dumps(value, ensure_ascii=False, indent=2).encode("utf-8", "surrogatepass")) is not ...
    assert jsonio.loads(json.dumps(value, indent=2)) == value


@pytest.mark.parametrize("text", ["", "{", "{}{}", "[1,]", "nul", '{"a":1} x', '"open', "[" * 100_000])
def test_anything_but_one_document_is_refused(text):
    with pytest.raises(ValueError):
        jsonio.loads(text)


def test_a_byte_order_mark_and_bad_bytes_are_forgiven():
    assert jsonio.loads(b'\xef\xbb\xbf{"a":"\xff"}') == {"a": "\ufffd"}


def test_a_lone_surrogate_survives():
    assert jsonio.loads('"\\ud82d"') == "\ud82d"
    assert jsonio.dumps("\ud82d") == '"\\ud82d"'


def test_control_characters_inside_strings_are_read():
    assert jsonio.loads('"a\tb"') == "a\tb"
