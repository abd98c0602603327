"""The shell reader against bash and tree-sitter-bash, on generated scripts and on commands that people write."""

import re

import pytest

from memdir.shell.reader import read
from support.rules import ordinary_commands, stopped_commands
from support.shell_oracles import TreeSitterReading, rejected_by_bash, words_of_bash
from support.shell_scripts import Script, constant_word, mutated

SEEDS = 6000
CHUNKS = [range(start, start + SEEDS // 4) for start in range(0, SEEDS, SEEDS // 4)]
ORDINARY = [*ordinary_commands(), *[command for _, command in stopped_commands()]]

# bash parses these only when it runs them, and then they fail; we say so at once.
PARSED_LATE = ("`", "${", "<<", "((")
# The grammar inside these is bash's own; we look only for the words and commands in them.
STRICTER_IN_BASH = ("[[", "((")

# Forms that tree-sitter-bash 0.25.1 reads wrongly or not at all.
TREE_SITTER_IS_WRONG = {
    "time": "takes it for the command",
    "! time": "takes it for the command",
    "time -p": "takes it for the command",
    "!": "knows it before a command only, not before an assignment",
    "coproc": "takes it for the command",
    "here-document": "loses the words after the delimiter",
    "here-string": "is an error after a compound command",
    "redirection first": "loses the words after it",
    "named descriptor": "is an error",
    "<>": "is an error",
    ">&-": "loses the words after it",
    ";&": "is an error",
    ";;&": "is an error",
    "for without words": "is an error",
    "empty case": "is an error before a pipe",
    "empty assignment": "is an error before a pipe",
    "escape": "begins a new word after an escaped metacharacter",
    "continuation": "loses the words after one that follows a redirection",
    "backquotes": "finds one that begins in a comment",
    "process substitution": "makes it a word of its own",
    "parameter expansion": "knows neither quotes nor substitutions in some operators' arguments",
    "{": "joins two of them",
}
# The same for the commands that people write, as regular expressions.
TREE_SITTER_IS_WRONG_ON = {
    r"(?m)^time [(\w]": "takes `time` for the command",
    r"^coproc ": "takes it for the command",
    r" - <<": "loses the words after a `-`",
    r"> \S+ <<<": "takes the second redirection for one of the first",
    r"cat <<A; cat <<B": "takes the semicolon for a part of the delimiter",
}
EXCUSED = [text for text in ORDINARY if any([re.search(form, text) for form in TREE_SITTER_IS_WRONG_ON])]


class AsWritten:
    """What we found, in the terms of tree-sitter: words before brace expansion, as they stand in the text."""

    def __init__(self, text: str) -> None:
        found = read(text)
        self.unread = found.unread
        self.commands = []
        for command in sorted(found.commands, key=lambda command: command.start):
            spans = dict.fromkeys([(word.start, word.end) for word in command.words])
            if spans:
                self.commands.append([text[start:end] for start, end in spans])
        redirections = [each for node in [*found.commands, *found.blocks] for each in node.redirections]
        redirections.sort(key=lambda redirection: redirection.start)
        self.redirections = [(each.operator, text[each.target.start : each.target.end]) for each in redirections]


def _without_tests(commands: "list[list[str]]") -> "list[list[str]]":
    """tree-sitter does not count `[` as a command."""
    return [words for words in commands if words[0] != "["]


@pytest.mark.parametrize("seeds", CHUNKS, ids=str)
def test_a_generated_script_is_read_as_it_was_made(seeds):
    for seed in seeds:
        script = Script(seed)
        found = AsWritten(script.text)
        assert found.unread == [], script.text
        assert sorted(found.commands) == sorted(script.commands), script.text


def test_bash_accepts_every_generated_script(tmp_path):
    """Many of them in one file, for speed."""
    scripts = ["\n".join([Script(seed).text for seed in range(start, start + 50)]) for start in range(0, SEEDS, 50)]
    assert rejected_by_bash(scripts, tmp_path) == set()


@pytest.mark.parametrize("seeds", CHUNKS, ids=str)
def test_bash_accepts_and_rejects_the_same_slips_of_the_finger(seeds, tmp_path):
    scripts = [mutated(Script(seed).text, seed) for seed in seeds[::2]]
    rejected = rejected_by_bash(scripts, tmp_path)
    assert len(rejected) > len(scripts) // 4
    for number, text in enumerate(scripts):
        if bool(read(text).unread) != (number in rejected):
            excuse = STRICTER_IN_BASH if number in rejected else PARSED_LATE
            assert any([form in text for form in excuse]), (text, number in rejected, read(text).unread)


def test_tree_sitter_finds_the_same_commands_in_generated_scripts():
    compared = 0
    for seed in range(SEEDS):
        script = Script(seed)
        if not script.forms.isdisjoint(TREE_SITTER_IS_WRONG):
            continue
        found, other = AsWritten(script.text), TreeSitterReading(script.text)
        assert not other.failed, script.text
        assert found.commands == other.commands, script.text
        assert found.redirections == other.redirections, script.text
        compared += 1
    assert compared > SEEDS // 8


def test_a_constant_word_is_what_bash_makes_of_it(tmp_path):
    sources = [constant_word(seed) for seed in range(SEEDS)]
    for source, expected in zip(sources, words_of_bash(sources, tmp_path), strict=True):
        found = [word.text for word in read(f"p {source}").commands[0].words[1:]]
        # printf prints one empty word if it gets none
        assert [text.encode("utf-8", "surrogateescape") for text in found or [""]] == expected, source


def test_there_are_enough_ordinary_commands():
    assert len(set(ORDINARY)) == len(ORDINARY) > 2000


def test_bash_and_we_accept_every_ordinary_command(tmp_path):
    assert rejected_by_bash(ORDINARY, tmp_path) == set()
    assert [text for text in ORDINARY if read(text).unread] == []


@pytest.mark.parametrize("text", [text for text in ORDINARY if text not in EXCUSED])
def test_tree_sitter_reads_an_ordinary_command_as_we_do(text):
    found, other = AsWritten(text), TreeSitterReading(text)
    assert not other.failed
    assert _without_tests(found.commands) == other.commands
    assert found.redirections == other.redirections
