"""Writes settings into the user's configuration file, and leaves every other byte of it as it is."""

import os
import stat

from memdir import config, exchange, frontmatter, paths, scalars
from memdir.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Optional, Union

    Value = Union[bool, int, float, str]
    Settings = Mapping[str, Value]

_TOP = "# memdir's settings; `memdir setup` writes some of them, docs/configuration.md explains all.\n"
_BOM = "\ufeff"
_TRIES = 5
_ODD = "\0\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"  # line ends to some readers and text to others


def write(settings: "Settings", env: "Mapping[str, str]") -> bool:
    """Puts these settings into the file that counts for `env`; whether it changed.

    Raises UserError where the file cannot be read as the hooks read it, or not be written: then nothing has changed.
    """
    named = paths.config_file(env)
    if not named:
        raise UserError("no configuration file: set HOME, or MEMDIR_CONFIG to an absolute path")
    path = os.path.realpath(named)  # a link to a file among others that a person keeps stays one
    try:
        for _ in range(_TRIES):
            raw = _read(path)
            data = changed(raw, settings, path)
            if data == raw:
                return False
            _check(config.of_text(data, path, env), settings, path)
            if raw is not None and not os.access(path, os.W_OK):
                raise UserError(f"{path} is read-only; chmod u+w it and try again")
            if exchange.replace(path, raw, data):
                break
        else:
            raise UserError(f"{path} keeps changing: another program writes it; close that and try again")
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror}; nothing has changed there") from error
    return True


def changed(raw: "Optional[bytes]", settings: "Settings", path: str) -> bytes:
    """The content of the file with these settings; comments, order, line ends and a byte order mark stay.

    `raw` None: there is no file yet. Raises UserError with `path` and a line for what memdir does not read whole.
    """
    text = _text(raw, path) if raw is not None else _TOP
    mark, text = (_BOM, text[1:]) if text[:1] == _BOM else ("", text)
    lines = text.splitlines(keepends=True)
    before = _parsed(text, path)
    end = "\r\n" if lines and lines[0].endswith("\r\n") else "\r" if lines and lines[0].endswith("\r") else "\n"
    indent = _indent(lines)
    for name, value in settings.items():
        if isinstance(before.meta.get(name), list):
            raise UserError(f"{path}: `{name}` is a list; write one value and try again")
        if name in before.meta:
            at = before.lines[name][0] - 2  # the fence that `_parsed` puts in front, and lines from 0
            lines[at] = _with_value(lines[at], written(value), f"{path}:{at + 1}")
        else:
            if lines and not lines[-1].endswith(("\n", "\r")):
                lines[-1] += end
            lines.append(f"{indent}{name}: {written(value)}{end}")
            at = len(lines) - 1
        before.meta[name] = _unquoted(written(value))
        if frontmatter.parse_block("".join(lines).splitlines()) != (before.meta, []):
            raise UserError(f"{path}:{at + 1}: memdir cannot set `{name}` here; put its value into one line, try again")
    return (mark + "".join(lines)).encode("utf-8")


def _indent(lines: "list[str]") -> str:
    """What stands before the first key, which is the first line with text: every other key stands at the same place."""
    for line in lines:
        text = line.lstrip(scalars.BLANK)
        if text.rstrip("\r\n") and text[0] != "#":
            return line[: len(line) - len(text)]
    return ""


def written(value: "Value") -> str:
    """A value as YAML that reads back as what it is: numbers plain, texts quoted where another reader needs it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float):  # never 1e-05, which is a text to YAML
        whole, _, part = f"{value:.{config.DECIMALS}f}".partition(".")
        return f"{whole}.{part.rstrip('0') or '0'}"
    return frontmatter.quote(value) if isinstance(value, str) else str(value)


def _unquoted(text: str) -> str:
    return scalars.quoted(text, 0)[0] if text[:1] == '"' else text


def _text(raw: bytes, path: str) -> str:
    """Raises UserError with the line of what is no text that every reader takes alike."""
    if len(raw) > config.FILE_BYTES:
        raise UserError(f"{path} is larger than {config.FILE_BYTES:,} bytes, of which the hooks read no more")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise UserError(f"{path}:{line}: this is not UTF-8; save the file as UTF-8 and try again") from error
    for at, char in enumerate(text):
        if char in _ODD:
            line = text.count("\n", 0, at) + 1
            raise UserError(f"{path}:{line}: the character U+{ord(char):04X} stands here; remove it and try again")
    return text


def _parsed(text: str, path: str) -> frontmatter.Document:
    """The settings and their lines, one more than in the file. Raises UserError where the hooks would read less."""
    problems = frontmatter.parse_block(text.splitlines())[1]
    if problems:
        line, sentence = problems[0]
        raise UserError(f"{path}:{line}: {sentence}; mend that and try again")
    document = frontmatter.parse(f"---\n{text}{'' if text.endswith(chr(10)) else chr(10)}---\n")
    if document.degraded or document.body:
        raise UserError(f"{path} has more than {frontmatter.HEADER_LINES} lines, too many to change it safely")
    return document


def _with_value(line: str, value: str, place: str) -> str:
    """A line `key: old  # comment` with another value. Raises UserError where the old one does not end in it."""
    content = line.rstrip("\r\n")
    start = len(content) - len(content.lstrip(scalars.BLANK))
    if content[start : start + 1] in ("'", '"'):
        start = scalars.quoted(content, start)[1]
    colon = content.index(":", start)
    begin = colon + 1
    while content[begin : begin + 1] in (" ", "\t"):
        begin += 1
    rest = content[begin:]
    if rest[:1] in ("'", '"'):
        try:
            length = scalars.quoted(rest, 0)[1]
        except ValueError as error:
            raise UserError(f"{place}: this text spans lines; put it into one line and try again") from error
    elif rest[:1] == "#":
        length, rest = 0, " " + rest
    else:
        length = len(scalars.without_comment(rest)[0])
    gap = content[colon + 1 : begin] if length else ""
    return f"{content[: colon + 1]}{gap or ' '}{value}{rest[length:]}{line[len(content) :]}"


def _read(path: str) -> "Optional[bytes]":
    """Raises OSError, and UserError where something else than a file lies there."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise UserError(f"{path} is no file; move it away, then try again")
    with open(path, "rb") as file:
        return file.read(config.FILE_BYTES + 1)


def _check(settings: config.Config, wanted: "Settings", path: str) -> None:
    """What is about to be written, read as the hooks will; not the file, which the next writer may have by then."""
    for name, value in wanted.items():
        if settings.values[name] != value:
            raise UserError(f"{path}: `{name}` would not read back as {written(value)}; nothing has changed there")
