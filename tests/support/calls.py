"""Calls as the analysis of a command line gives them, written as text, and a machine whose files are a dict."""

import shlex
from collections.abc import Callable
from typing import Any

import pytest

from memdir.rules.finding import Finding
from memdir.shell.arguments import ANY, NAME, QUESTION, STAR
from memdir.shell.calls import Call, Machine

_MARKS = {"<any>": ANY, "<name>": NAME, "<star>": STAR, "<question>": QUESTION}


class Files(Machine):
    """Knows these files by their absolute paths; `links` lead from one path to another."""

    home = "/home/me"

    def __init__(self, files: "dict[str, str] | None" = None, links: "dict[str, str] | None" = None) -> None:
        self._files = files or {}
        self._links = links or {}

    def real(self, path: str) -> str:
        return self._links.get(path, path)

    def kind(self, path: str) -> str:
        path = path.rstrip("/")
        if path in self._files:
            return "file"
        return "dir" if any(file.startswith(path + "/") for file in self._files) else ""

    def names(self, folder: str) -> "list[str]":
        inside = [file[len(folder) + 1 :] for file in self._files if file.startswith(folder + "/")]
        return sorted({name.split("/")[0] for name in inside})

    def text(self, path: str) -> str:
        return self._files.get(path, "")


def call(text: str, cwd: str = "/proj", **attributes: Any) -> Call:
    """`A=1 rm <any>` as a call: words as a shell quotes them, marks in angle brackets, variables in front."""
    for word, mark in _MARKS.items():
        text = text.replace(word, mark)
    words = shlex.split(text)
    made = Call(words, cwd)
    while made.argv and made.argv[0].partition("=")[0].isidentifier() and "=" in made.argv[0]:
        name, _, value = made.argv.pop(0).partition("=")
        made.assigned[name] = value
    for name, value in attributes.items():
        setattr(made, name, value)
    return made


def pipeline(*texts: str) -> "list[Call]":
    """The calls of `a | b | c`."""
    calls: list[Call] = []
    for text in texts:
        calls.append(call(text, feeders=calls[-1:]))
    return calls


def nested(outer: str, *inner: str) -> "list[Call]":
    """The calls of `outer "$(a | b)"`; `outer` holds a mark where the substitution stands."""
    calls = pipeline(*inner)
    for place, each in enumerate(calls):
        each.start, each.end = 10 * place + 10, 10 * place + 19
    return [*calls, call(outer, start=0, end=10 * len(calls) + 20)]


def cases(table: "dict[str, Any]") -> Callable[[Any], Any]:
    """Runs a test for each value of the table as `case`; its key says what the case is."""
    return pytest.mark.parametrize("case", [pytest.param(value, id=name) for name, value in table.items()])


def decision(finding: "Finding | None") -> str:
    """What a guard decides; "" is no opinion. What it says has to be there as well."""
    if finding is None:
        return ""
    assert finding.what and finding.what[-1] != "."
    assert finding.instead[-1] == "."
    return finding.decision
