"""Simple commands: their assignments, words and redirections, and the here-documents that follow their line."""

from memdir.shell.cursor import DIGITS, END, METACHARACTERS, NAME, NotRead
from memdir.shell.syntax import ARRAY, BRACES, LITERAL, UNREAD, Assignment, Command, Node, Part, Redirection, Word
from memdir.shell.words import BRACKETS, HERE_DOCUMENT, WORD, WordReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Union

_REDIRECTIONS = ("&>>", "&>", "<<<", "<<-", "<<", "<&", "<>", "<", ">>", ">&", ">|", ">")
_TAKES_ARRAYS = frozenset("declare typeset local export readonly alias eval let".split())


class CommandReader(WordReader):
    """Reads simple commands; functions are read by the class that knows compound commands."""

    def function_definition(self, name: Command, start: int) -> Node:
        """Reads what follows `name()`, which began at `start`."""
        raise NotImplementedError

    def simple_command(self) -> Node:
        script = self._script
        place = len(script.commands)
        start = end = self._at
        outer = self._node
        command = Command(outer, self._offsets[start])
        script.commands.append(command)
        self._node = command
        while True:
            self._blanks()
            word_start = self._at
            if self._redirection(command):
                end = self._at
                continue
            if self._ends_word():
                break
            head = None if command.words else self._assignment()
            if isinstance(head, Assignment):
                command.assignments.append(head)
            else:
                command.words += self.words(head, word_start)
                if end == start and self.function_parentheses():
                    del script.commands[place]
                    self._node = outer
                    return self.function_definition(command, start)
                self._array_argument(command)
            end = self._at
        if end == start:
            raise self._unexpected()
        command.end = self._offset_after(end)
        self._node = outer
        return command

    def _ends_word(self) -> bool:
        """Whether no word begins at the cursor; `<(` and `>(` begin one."""
        char = self._text[self._at]
        return char in METACHARACTERS and not (char in "<>" and self._text[self._joined(self._at + 1)] == "(")

    def _assignment(self) -> "Union[Assignment, list[Part], None]":
        """The assignment at the cursor; or the parts of a word that began like one, as `name[...]` does."""
        start = self._at
        name, self._at = self._run(start, NAME)
        subscript = None
        if name and name[0] not in DIGITS:
            if self._text[self._at] == "[":
                self._at += 1
                subscript = self._balanced(BRACKETS, self._at - 1)
            append = self._take("+=")
            if append or self._take("="):
                return Assignment(name, subscript, self._assigned(), append=append)
            if subscript is not None:
                return [Part(LITERAL, name + "["), *subscript, Part(LITERAL, "]")]
        self._at = start
        return None

    def _assigned(self) -> Word:
        if self._text[self._at] != "(":
            return self.value()
        start = self._at
        return self._word([self._array()], start)

    def function_parentheses(self) -> bool:
        start = self._at
        self._blanks()
        if self._take("("):
            self._blanks()
            if self._take(")"):
                return True
        self._at = start
        return False

    def _array(self) -> Part:
        start = self._at
        self._deeper()
        self._at += 1
        part = Part(ARRAY, "")
        self._newlines()
        while not self._ends_word():
            word_start = self._at
            head = None
            if self._take("["):
                subscript = self._balanced(BRACKETS, word_start)
                head = [Part(LITERAL, "["), *subscript, Part(LITERAL, "]")]
            part.words += self.words(head, word_start)
            self._newlines()
        self._expect(")")
        self._depth -= 1
        part.text = self._text[start : self._at]
        return part

    def _array_argument(self, command: Command) -> None:
        """`(...)` after `name=` as an argument of a command that declares variables."""
        if self._text[self._at] == "(" and command.words and command.words[0].text in _TAKES_ARRAYS:
            last = command.words[-1]
            if last.text and last.text[-1] == "=":
                command.words[-1] = Word([*last.parts, self._array()], last.start, self._offset_after(self._at))

    # Redirections

    def _redirection(self, node: Node) -> bool:
        """Takes the redirection at the cursor, if there is one."""
        start = self._at
        fd, self._at = self._descriptor()
        operator = ""
        if self._text[self._at] in "<>&":
            operator = next((operator for operator in _REDIRECTIONS if self._take(operator)), "")
        if (
            not operator
            or (operator[0] == "&" and fd is not None)
            or (len(operator) == 1 and self._sees("("))  # a process substitution
        ):
            self._at = start
            return False
        self._blanks()
        if self._ends_word():
            raise self._unexpected()
        redirection = Redirection(fd, operator, self._target(operator), self._offsets[start])
        if operator in ("<<", "<<-"):
            redirection.quoted = any([part.quoted for part in redirection.target.parts])
            self._waiting.append((redirection, node))
        node.redirections.append(redirection)
        return True

    def _descriptor(self) -> "tuple[Union[int, str, None], int]":
        """The number or `{name}` before a redirection's operator, and where that begins."""
        start = self._at
        if self._text[start] in DIGITS:
            digits, after = self._run(start, DIGITS)
            if len(digits) < 10 and self._text[after] in "<>":
                return int(digits), after
        elif self._text[start] == "{":
            name, after = self._run(start + 1, NAME)
            if name and self._text[after] == "}" and self._text[after + 1] in "<>":
                return name, after + 1
        return None, start

    def _target(self, operator: str) -> Word:
        start = self._at
        if operator == "<<<":
            return self.value()
        if operator in ("<<", "<<-"):
            return self._word(self._parts(WORD), start)
        words = self.words()
        return words[0] if len(words) == 1 else self._word([Part(BRACES, self._text[start : self._at])], start)

    # Here-documents

    def _newlines(self) -> None:
        """Steps over blanks, comments and line breaks, and the here-documents after them."""
        self._blanks()
        while self._text[self._at] == "\n":
            self._at += 1
            if self._waiting:
                self._here_documents()
            self._blanks()

    def _here_documents(self) -> None:
        waiting, self._waiting = self._waiting, []
        for redirection, node in waiting:
            pieces = self._here_document(redirection, node)
            inner = self._inside(pieces, node)
            parts = [Part(LITERAL, "".join([self._text[start:end] for start, end in pieces]), quoted=True)]
            if not redirection.quoted:
                try:
                    parts = inner._parts(HERE_DOCUMENT)
                except NotRead as refused:
                    self.note(refused)
                    parts[0].kind = UNREAD
            redirection.body = Word(parts, inner._offsets[0], inner._offsets[-1])

    def _here_document(self, redirection: Redirection, node: Node) -> "list[tuple[int, int]]":
        """Steps over the body and the delimiter, or to the end of the text; the pieces of the body."""
        text = self._text
        delimiter = "".join([part.text for part in redirection.target.parts])
        pieces = [(self._at, self._at)]
        while text[self._at] != END:
            start = self._at
            line = self._line(redirection)
            content = "".join([text[begin:end] for begin, end in line])
            if content.rstrip("\n") == delimiter:
                break
            if content.startswith(delimiter) and ")" in content and node.within("substitution"):
                self._at = text.index(delimiter, start) + len(delimiter)  # `EOF)` closes both, to bash
                break
            pieces += line
        return pieces

    def _line(self, redirection: Redirection) -> "list[tuple[int, int]]":
        """The next line of a here-document, with its end, in the pieces that are left of it."""
        text = self._text
        at = self._at
        if redirection.operator == "<<-":
            while text[at] == "\t":
                at += 1
        pieces = []
        while True:
            end = text.find("\n", at)
            if end < 0:
                end = len(text) - 2
            line = text[at:end]
            if redirection.quoted or text[end] != "\n" or (len(line) - len(line.rstrip("\\"))) % 2 == 0:
                pieces.append((at, max(at, end + 1)))
                self._at = max(at, end + 1)
                return pieces
            pieces.append((at, end - 1))
            at = end + 1
