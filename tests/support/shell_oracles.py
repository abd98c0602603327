"""What bash and tree-sitter make of shell text. Text given to `rejected_by_bash` is parsed and never run."""

import os
import shutil
import subprocess
from pathlib import Path

import tree_sitter
import tree_sitter_bash

_TREE_SITTER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))
BASH = shutil.which("bash") or "/bin/bash"
_ENV = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
_SIMPLE_COMMANDS = ("command", "declaration_command", "unset_command")
_REDIRECTIONS = ("file_redirect", "heredoc_redirect", "herestring_redirect")

# What bash says of each script, between NULs, which no script can hold.
_CHECK_ALL = """
for script in *; do
    printf '%s\\0' "$script"
    bash -n "$script" 2>&1
    printf '\\0'
done
"""


def rejected_by_bash(scripts: "list[str]", folder: Path) -> "set[int]":
    """Which of these scripts bash calls wrong. It exits with 0 after errors inside [[ ]], so what it says counts."""
    place = folder / "scripts"
    place.mkdir()
    for number, script in enumerate(scripts):
        (place / str(number)).write_bytes(script.encode())
    run = subprocess.run([BASH, "-c", _CHECK_ALL], cwd=place, env=_ENV, capture_output=True, check=True)
    fields = run.stdout.decode("utf-8", "replace").split("\0")
    said = zip(fields[0::2], fields[1::2], strict=False)
    return {int(name) for name, text in said if any([": warning: " not in line for line in text.splitlines()])}


def words_of_bash(sources: "list[str]", folder: Path) -> "list[list[bytes]]":
    """The words that bash makes of each source, which must hold nothing but literals, quotes and braces.

    Should one hold more, a restricted shell without commands, files and environment is all it finds.
    """
    empty = folder / "empty"
    empty.mkdir()
    lines = "".join([f"printf '%s\\0' {source}\nprintf '\\377\\376\\n'\n" for source in sources])
    run = subprocess.run(
        [BASH, "--norc", "--noprofile", "-r"],
        input=lines.encode(),
        cwd=empty,
        env={"PATH": os.devnull, "LC_ALL": "C.UTF-8"},
        capture_output=True,
        check=False,
    )
    assert not run.stderr, run.stderr
    return [words.split(b"\0")[:-1] for words in run.stdout.split(b"\xff\xfe\n")[:-1]]


class TreeSitterReading:
    """The simple commands that have words: `commands` are the words, `redirections` (operator, target), as written."""

    def __init__(self, text: str) -> None:
        self._source = text.encode()
        root = _TREE_SITTER.parse(self._source).root_node
        self.failed = root.has_error
        self._commands: "dict[int, list[tuple[int, str]]]" = {}
        self._redirections: "list[tuple[int, str, str]]" = []
        waiting = [root]
        while waiting:
            node = waiting.pop()
            if node.type in _SIMPLE_COMMANDS:
                self._command(node)
            elif node.type in _REDIRECTIONS:
                self._redirection(node)
            waiting += node.children
        self.commands = [[word for _, word in sorted(words)] for _, words in sorted(self._commands.items())]
        self.redirections = [(operator, target) for _, operator, target in sorted(self._redirections)]

    def _text(self, node: tree_sitter.Node) -> str:
        return self._source[node.start_byte : node.end_byte].decode()

    def _command(self, node: tree_sitter.Node) -> None:
        words = self._commands.setdefault(node.start_byte, [])
        for child in node.children:
            assigns = child.type == "variable_assignment" and node.type == "command"
            if not assigns and child.type not in _REDIRECTIONS:
                words.append((child.start_byte, self._text(child)))

    def _redirection(self, node: tree_sitter.Node) -> None:
        parts = [child for child in node.children if child.type != "file_descriptor"]
        if node.type == "heredoc_redirect":
            self._redirections.append((node.start_byte, self._text(parts[0]), self._text(parts[1])))
            return
        target = self._text(parts[1]) if len(parts) > 1 else "-"
        self._redirections.append((node.start_byte, self._text(parts[0]).removesuffix("-"), target))
        command = node.parent
        while command is not None and command.type in ("redirected_statement", "pipeline", "list", "negated_command"):
            command = command.child_by_field_name("body") or command.named_children[-1]
        if command is not None and command.type in _SIMPLE_COMMANDS:  # it takes words after the target for more targets
            words = self._commands.setdefault(command.start_byte, [])
            words += [(part.start_byte, self._text(part)) for part in parts[2:]]
