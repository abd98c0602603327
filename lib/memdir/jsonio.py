"""JSON in and out without importing `json`, which would cost as much as the interpreter's own start.

`_json` holds CPython's C scanner and string encoder. Where it is missing (another implementation, a build
without it), the `json` package serves; tests run both ways.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

try:
    from _json import encode_basestring_ascii, make_scanner
except ImportError:  # PyPy, or a build without the accelerator
    make_scanner = None  # type: ignore[assignment, misc]


class _Context:
    """What the C scanner reads its settings from."""

    strict = False  # control characters inside strings are accepted, as transcripts hold them
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    memo: "dict[str, str]" = {}


_BLANK = " \t\r\n"


def loads(text: "str | bytes") -> "Any":
    """The value of one JSON document. Bytes are read as UTF-8, a byte order mark and invalid bytes forgiven.

    Raises ValueError for anything that is not exactly one document.
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    text = text.lstrip("\ufeff").strip(_BLANK)
    if make_scanner is None:
        import json  # the fallback only: costly

        try:
            return json.loads(text, strict=False)
        except RecursionError:
            raise ValueError("JSON nested too deeply") from None
    try:
        value, end = make_scanner(_Context)(text, 0)  # type: ignore[arg-type]
    except (StopIteration, SystemError):  # the latter where it would raise the `json` package's error, not imported
        raise ValueError("not a JSON document") from None
    except RecursionError:
        raise ValueError("JSON nested too deeply") from None
    if end != len(text):
        raise ValueError("text after the JSON document")
    return value


def read_lines(raw: bytes) -> "list[dict[str, Any]]":
    """The objects of a file of JSON lines; a line that was cut off, or is anything else, is passed over."""
    found = []
    for line in raw.split(b"\n"):
        try:
            value = loads(line) if line else None
        except ValueError:
            continue
        if isinstance(value, dict):
            found.append(value)
    return found


def dumps(value: "Any") -> str:
    """One line of ASCII JSON for str, int, float, bool, None, list, tuple and dict with str keys."""
    if make_scanner is None:
        import json  # the fallback only: costly

        return json.dumps(value, separators=(",", ":"))
    if isinstance(value, str):
        return encode_basestring_ascii(value)
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, (int, float)):
        if value != value or value in (float("inf"), float("-inf")):
            return "null"  # JSON has no such number
        return repr(value)
    if isinstance(value, dict):
        return "{" + ",".join([dumps(str(key)) + ":" + dumps(item) for key, item in value.items()]) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join([dumps(item) for item in value]) + "]"
    raise TypeError(f"not JSON: {type(value).__name__}")
