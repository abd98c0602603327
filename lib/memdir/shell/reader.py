"""Reads POSIX shell and the bash forms that people use into the simple commands in it; see `syntax` for what it finds.

One method for each production of the grammar. Nothing is expanded that depends on anything but the text itself, and
aliases do not exist. At the first syntax error reading ends; a shell would have run what stands on the lines before.
"""

from memdir.shell.commands import CommandReader
from memdir.shell.cursor import END, METACHARACTERS, NAME, NotRead
from memdir.shell.syntax import Block, Command, Node, Pipeline, Script
from memdir.shell.words import PARENTHESES, REGULAR_EXPRESSION, WORD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Optional

_RESERVED = frozenset(
    "if then elif else fi while until for select in do done case esac function coproc time { } ! [[".split()
)
_LONGEST_RESERVED = 8
_STARTS_RESERVED = frozenset([word[0] for word in _RESERVED] + ["\\"])
_LETTERS = frozenset("".join(_RESERVED))
_ENDS_LIST = frozenset("then elif else fi do done esac }".split())


def read(text: str) -> Script:
    """All commands in the text, and what was not understood. Never raises; the work grows with the length."""
    script = Script()
    if END in text:
        script.unread.append((text.index(END), "a NUL character"))
        text = text[: text.index(END)]
    script.whole.end = len(text)
    reader = _Reader(text, range(len(text) + 1), script, script.whole, 0)
    try:
        reader.whole()
    except NotRead as refused:
        reader.note(refused)
    script.unread.sort()
    return script


class _Reader(CommandReader):
    # Lists and pipelines

    def whole(self) -> None:
        self.compound_list()
        if self._text[self._at] != END:
            raise self._unexpected()
        self._here_documents()

    def compound_list(self, *, conditional: bool = False) -> bool:
        found: "list[Pipeline]" = []
        assert isinstance(self._node, Block)  # commands in a word stand in a block of their own
        self._node.lists.append(found)
        while True:
            self._newlines()
            char = self._text[self._at]
            if (char in ";&|)" + END and not self._sees("&>")) or self._reserved_word() in _ENDS_LIST:
                return bool(found)
            pipelines = self._and_or(conditional=conditional)
            found += pipelines
            self._blanks()
            char = self._text[self._at]
            if char == "&":
                for pipeline in pipelines:
                    pipeline.background = True
                    for node in pipeline.nodes:
                        node.subshell = True
                self._at += 1
            elif char == ";" and self._text[self._joined(self._at + 1)] not in ";&":
                self._at += 1
            elif char != "\n":
                return True

    def _body(self, *, conditional: bool) -> None:
        """A compound list that has to have a command."""
        if not self.compound_list(conditional=conditional):
            raise self._unexpected()

    def _and_or(self, *, conditional: bool) -> "list[Pipeline]":
        found = [self._pipeline(conditional=conditional)]
        while self._text[self._at] in "&|" and ((both := self._take("&&")) or self._take("||")):
            self._newlines()
            before = next((pipeline.nodes[-1] for pipeline in reversed(found) if pipeline.nodes), None)
            found.append(self._pipeline(conditional=True))
            found[-1].joined = "&&" if both else "||"
            for node in found[-1].nodes:
                node.after = before if both else None
        return found

    def _pipeline(self, *, conditional: bool) -> Pipeline:
        pipeline = Pipeline()
        bare = True
        while (word := self._reserved_word()) in ("!", "time"):
            self._take(word)
            self._blanks()
            bare = False
            if word == "time":
                self._time_options()
            else:
                pipeline.negated = not pipeline.negated
        if not bare and self._text[self._at] in ";\n&)" + END:
            return pipeline  # `!` and `time` may stand alone
        nodes = pipeline.nodes
        nodes.append(self._command())
        self._blanks()
        while self._text[self._at] == "|" and not self._sees("||"):
            if not self._take("|&"):
                self._take("|")
            self._newlines()
            nodes.append(self._command())
            nodes[-2].output, nodes[-1].input = nodes[-1], nodes[-2]
            self._blanks()
        for node in nodes:
            node.conditional = conditional
            node.subshell = node.subshell or len(nodes) > 1
        return pipeline

    def _time_options(self) -> None:
        for option in ("-p", "--"):
            after = self._sees(option)
            if after and self._text[after] in METACHARACTERS:
                self._at = after
                self._blanks()

    # Commands

    def _reserved_word(self) -> str:
        """The reserved word at the cursor, which stays there."""
        text = self._text
        start = end = self._at
        if text[start] not in _STARTS_RESERVED:
            return ""
        while text[end] not in METACHARACTERS and end - start <= _LONGEST_RESERVED:
            end += 1
        word = text[start:end]
        if "\\" in word:
            word, end = self._run(start, _LETTERS)
            word = word if text[end] in METACHARACTERS else ""
        return word if word in _RESERVED else ""

    def _take_reserved(self, word: str) -> bool:
        return self._reserved_word() == word and self._take(word)

    def _expect_reserved(self, word: str) -> None:
        self._newlines()
        if not self._take_reserved(word):
            raise self._unexpected()

    def _command(self) -> Node:
        if self._text[self._at] == "(":
            return self._compound_command("(")
        word = self._reserved_word()
        if not word:
            return self.simple_command()
        if word not in _COMPOUND_COMMANDS:
            raise self._unexpected()
        return self._compound_command(word)

    def _compound_command(self, word: str) -> Block:
        kind, read_rest = _COMPOUND_COMMANDS[word]
        if word == "(" and (after := self._sees("((")) and self.is_arithmetic(after):
            kind, read_rest = "arithmetic", _Reader._arithmetic_command
        block = self._open(kind, self._at)
        if kind != "arithmetic":
            self._take(word)
        read_rest(self, block)
        block.end = self._offset_after(self._at)
        self._blanks()
        while self._redirection(block):
            block.end = self._offset_after(self._at)
            self._blanks()
        self._close(block)
        return block

    # Compound commands

    def _subshell(self, block: Block) -> None:
        self._body(conditional=False)
        self._expect(")")

    def _arithmetic_command(self, block: Block) -> None:
        start = self._at
        self._take("((")
        self._balanced(PARENTHESES, start)
        self._expect(")")
        if _has_neighbours(self._text[start + 2 : self._at - 2]):
            self._script.unread.append(
                (self._offsets[start], "this is arithmetic to bash, and commands to other shells")
            )

    def _group(self, block: Block) -> None:
        self._body(conditional=False)
        self._expect_reserved("}")

    def _if(self, block: Block) -> None:
        self._body(conditional=False)
        self._expect_reserved("then")
        self._body(conditional=True)
        while self._take_reserved("elif"):
            self._body(conditional=True)
            self._expect_reserved("then")
            self._body(conditional=True)
        if self._take_reserved("else"):
            self._body(conditional=True)
        self._expect_reserved("fi")

    def _while(self, block: Block) -> None:
        self._body(conditional=False)
        self._do_group()

    def _do_group(self) -> None:
        self._expect_reserved("do")
        self._body(conditional=True)
        self._expect_reserved("done")

    def _for(self, block: Block) -> None:
        self._blanks()
        if block.kind == "for" and self._sees("(("):
            self._arithmetic_command(block)
        else:
            block.name = self._name()
            self._newlines()
            if self._take_reserved("in"):
                self._blanks()
                while not self._ends_word():
                    block.words += self.words()
                    self._blanks()
                if self._text[self._at] not in ";\n":
                    raise self._unexpected()
        self._blanks()
        self._take(";")
        self._newlines()
        if self._take_reserved("{"):
            self._body(conditional=True)
            self._expect_reserved("}")
        else:
            self._do_group()

    def _name(self) -> str:
        if self._ends_word():
            raise self._unexpected()
        return self.value().text or ""

    def _case(self, block: Block) -> None:
        self._blanks()
        block.words.append(self.value())
        self._expect_reserved("in")
        self._newlines()
        while not self._take_reserved("esac"):
            self._take("(")
            self._case_patterns()
            self.compound_list(conditional=True)
            if not any([self._take(end) for end in (";;&", ";;", ";&")]):
                self._expect_reserved("esac")
                return
            self._newlines()

    def _case_patterns(self) -> None:
        while True:
            self._blanks()
            if self._ends_word():
                raise self._unexpected()
            self.value()
            self._blanks()
            if not self._take("|"):
                return self._expect(")")

    def _test(self, block: Block) -> None:
        """`[[ ... ]]`, as words and operators in any order."""
        last: "Optional[str]" = None
        while last != "]]":
            self._newlines()
            if not self._ends_word():
                block.words.append(self.value(REGULAR_EXPRESSION if last == "=~" else WORD))
                last = block.words[-1].text
            elif not any([self._take(operator) for operator in ("&&", "||", "(", ")", "<", ">")]):
                raise self._unexpected()
        block.words.pop()

    def _function(self, block: Block) -> None:
        """From the name after the word `function` on."""
        self._blanks()
        block.name = self._name()
        self.function_parentheses()
        self._function_body()

    def function_definition(self, name: Command, start: int) -> Node:
        block = self._open("function", start)
        block.name = (name.words[0].text if name.words else None) or ""
        self._function_body()
        self._close(block)
        return block

    def _function_body(self) -> None:
        self._newlines()
        if not self._sees_compound_command():
            raise self._unexpected()
        self._command()

    def _sees_compound_command(self) -> bool:
        word = self._reserved_word()
        return self._text[self._at] == "(" or (word in _COMPOUND_COMMANDS and word not in ("function", "coproc"))

    def _coproc(self, block: Block) -> None:
        self._blanks()
        start = self._at
        if not self._reserved_word():
            block.name, self._at = self._run(start, NAME)
            self._blanks()
            if not (block.name and self._sees_compound_command()):
                block.name = ""
                self._at = start
        self._command()


def _has_neighbours(text: str) -> bool:
    """Whether two words stand side by side, which they never do in arithmetic."""
    words = text.split()
    return any(
        [one[-1].isalnum() and (other[0].isalpha() or other[0] in "._~") for one, other in zip(words, words[1:])]
    )


_COMPOUND_COMMANDS: "dict[str, tuple[str, Callable[[_Reader, Block], None]]]" = {
    "(": ("subshell", _Reader._subshell),
    "{": ("group", _Reader._group),
    "[[": ("test", _Reader._test),
    "if": ("if", _Reader._if),
    "while": ("while", _Reader._while),
    "until": ("until", _Reader._while),
    "for": ("for", _Reader._for),
    "select": ("select", _Reader._for),
    "case": ("case", _Reader._case),
    "function": ("function", _Reader._function),
    "coproc": ("coproc", _Reader._coproc),
}
