"""What words become when a shell expands them, given what is known of its variables and its directory.

A word has alternatives where a variable has: one for each value that it may have by then. Each alternative is a list of
fields, as in `arguments`.
"""

from memdir.shell.arguments import ANY, BRACKET, NAME, QUESTION, STAR, known
from memdir.shell.syntax import ARITHMETIC, ARRAY, COMMAND, GLOB, LITERAL, PARAMETER, PROCESS, TILDE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

    from memdir.shell.calls import Machine
    from memdir.shell.syntax import Block, Part, Word

MOST = 16  # alternatives of a word, a variable or a command; more of them are ANY
LONGEST_LIST = 2_000  # words
LONGEST = 20_000  # characters of a variable; what is longer is ANY
_GLOB_MARKS = {"*": STAR, "?": QUESTION, "[": BRACKET}
_FIXED = {"_": ANY, "IFS": " \t\n", "SHELL": "/bin/bash", "BASH": "/bin/bash", "0": "bash"}


class State:
    """What a shell knows at one point: variables and arrays with the values they may have, its directory, the rest."""

    __slots__ = (
        "aliases",
        "arrays",
        "before",
        "cwds",
        "descriptors",
        "fallback",
        "functions",
        "positional",
        "variables",
    )

    def __init__(self, cwd: str) -> None:
        self.cwds = [cwd]  # "" is a directory that is not known
        # Where it also may be once a chain of `&&` (None) or a loop is over: a `cd` in it may not have run.
        self.fallback: "list[tuple[Optional[Block], list[str]]]" = []
        self.before = [cwd]  # for `cd -`
        self.variables: "dict[str, list[str]]" = {}
        self.arrays: "dict[str, list[str]]" = {}
        self.positional: "Optional[list[str]]" = None  # None: what the caller's shell has
        # All that may have been defined by then, each with the analysis that knows its block.
        self.functions: "dict[str, list[tuple[Any, Block]]]" = {}
        self.aliases: "dict[str, str]" = {}
        self.descriptors: "dict[int, str]" = {}  # what can be read from them; ANY if that is not known

    def copy(self) -> "State":
        other = State("")
        other.cwds, other.fallback, other.before = list(self.cwds), list(self.fallback), list(self.before)
        other.variables, other.arrays = dict(self.variables), dict(self.arrays)
        other.positional = self.positional
        other.functions, other.aliases = dict(self.functions), dict(self.aliases)
        other.descriptors = dict(self.descriptors)
        return other

    def merge(self, other: "State") -> None:
        """Afterwards either this state or the other may hold."""
        self.cwds = list(dict.fromkeys(self.cwds + other.cwds))[:4]
        if self.positional != other.positional:
            self.positional = _either(self.positional, other.positional)
        for name, values in other.variables.items():
            if self.variables.get(name) != values:
                self.assign(name, values, add=True)

    def assign(self, name: str, values: "list[str]", *, add: bool = False) -> None:
        """Gives a variable these values, or with `add` these as well as those it has."""
        if add:
            values = self.variables.get(name, [NAME]) + values
        values = list(dict.fromkeys([value if len(value) <= LONGEST else ANY for value in values]))
        if "!" + name in self.variables:
            self.variables[self.variables["!" + name][0]] = [ANY]  # given by its other name
        self.variables[name] = values if len(values) <= MOST else [ANY]
        if not add:
            self.arrays.pop(name, None)


class Expander:
    """Expands words in a state; what a substitution prints is asked from `output`, which the analysis fills in."""

    def __init__(self, machine: "Machine") -> None:
        self.machine = machine

    def output(self, block: "Block", state: State) -> "list[str]":
        """What the commands of a substitution may print, without the newlines at the end."""
        raise NotImplementedError

    def uncertain(self, sentence: str) -> None:
        """Notes that an expansion runs text which is only known when it runs."""
        raise NotImplementedError

    def process(self, block: "Block", state: State) -> str:
        """The path that a process substitution becomes."""
        raise NotImplementedError

    def arguments(self, words: "list[Word]", state: State) -> "list[list[str]]":
        """The alternatives of a command's arguments."""
        alternatives: "list[list[str]]" = [[]]
        for word in words:
            if word.text is not None:
                for fields in alternatives:
                    fields.append(word.text)
                continue
            found = self.fields(word, state)
            if len(found) * len(alternatives) > MOST:
                found = [[ANY]]
            alternatives = [fields + more for fields in alternatives for more in found]
            if len(alternatives[0]) > LONGEST_LIST or (len(alternatives) > 1 and len(alternatives[0]) > 100):
                alternatives = [[*alternatives[0][:100], ANY]]
        return alternatives

    def texts(self, word: "Word", state: State) -> "list[str]":
        """The alternatives of a word that is not split, as the value of an assignment."""
        if word.text is not None:
            return [word.text]
        return [" ".join(fields) for fields in self._expanded(word.parts, state, split=False)]

    def fields(self, word: "Word", state: State) -> "list[list[str]]":
        return self._expanded(word.parts, state, split=True)

    def _expanded(self, parts: "list[Part]", state: State, *, split: bool) -> "list[list[str]]":
        found = [_Fields()]
        at = 0
        while at < len(parts):
            part = parts[at]
            at += 1
            if part.kind == GLOB and part.text[-1] == "(":
                at = _after_pattern(parts, at)
            values = self._values(part, state)
            if values == [[NAME]] and part.kind == PARAMETER and _breaks_a_word(parts, at - 1):
                values = [[""]] if len(found) > 1 else [[NAME], [""]]
            if len(values) * len(found) > MOST:
                values = [[ANY]]
            if split and not part.quoted and part.kind in (PARAMETER, COMMAND):
                values = [[_broken(text, state) for text in value] for value in values]
                found = [fields.joined(value, breaks=True) for fields in found for value in values]
            else:
                found = [fields.joined(value, breaks=False) for fields in found for value in values]
        return [fields.done(parts) for fields in found]

    def _values(self, part: "Part", state: State) -> "list[list[str]]":
        """The alternatives of a part; more than one text in one of them are several words."""
        if part.kind == LITERAL:
            return [[part.text]]
        if part.kind == GLOB:
            return [[_GLOB_MARKS.get(part.text, STAR if part.text[-1] == "(" else part.text)]]
        if part.kind == TILDE:
            return [[self._tilde(part.text, state)]]
        if part.kind == PARAMETER:
            return self._parameter(part, state)
        if part.kind == COMMAND and part.block is not None:
            return [[text] for text in self.output(part.block, state)]
        if part.kind == PROCESS and part.block is not None:
            return [[self.process(part.block, state)]]
        if part.kind == ARITHMETIC:
            return [[_computed(part.text[3:-2] if part.text[:3] == "$((" else part.text[2:-1])]]
        if part.kind == ARRAY:
            return [[field for word in part.words for field in self.fields(word, state)[0]]]
        return [[ANY]]

    def _tilde(self, text: str, state: State) -> str:
        if text == "~":
            return state.variables.get("HOME", [self.machine.home or NAME])[0]
        if text in ("~+", "~-"):
            return (state.cwds if text == "~+" else state.before)[0] or NAME
        return NAME

    # Parameters

    def _parameter(self, part: "Part", state: State) -> "list[list[str]]":
        name, operator = part.name, part.operator
        if operator[:1] == "!":
            return self._indirect(part, state)
        if operator == "#" and not part.argument and part.text[:3] == "${#":
            return [[NAME]]  # a length
        several = self._several(part, state)
        if several is not None and not operator:
            return [several]
        if several is not None and operator == ":":
            return [self._sliced(part, several, state)]
        values = self._lookup(name, state)
        if not operator or (operator in (":-", "-") and not part.argument):
            return [[value] for value in values]
        argument = [" ".join(fields) for fields in self._expanded(part.argument, state, split=False)]
        if operator == "@" and any(["$(" in text or "`" in text or ANY in text for text in values]):
            self.uncertain(f"`{part.text}` runs what the variable holds")
        known_name = name in state.variables
        if operator in (":=", "="):
            state.assign(name, argument, add=True)
        from memdir.shell import parameters  # most have no operator

        return [[text] for text in parameters.operated(name, operator, values, argument, known_name=known_name)]

    def _several(self, part: "Part", state: State) -> "Optional[list[str]]":
        """The words of `$@`, `$*` and `${array[@]}`; None for a parameter with one value."""
        if part.name in ("@", "*"):
            words = [NAME] if state.positional is None else state.positional
        elif "[@]" in part.text or "[*]" in part.text:
            words = state.arrays.get(part.name, [ANY] if part.name in state.variables else [NAME])
        elif "[" in part.text and part.name in state.arrays:
            index = part.text.partition("[")[2].partition("]")[0]
            array = state.arrays[part.name]
            if f"{part.name}[{index}]" in state.variables:
                return state.variables[f"{part.name}[{index}]"][-1:]
            index = index if index.isdecimal() else _computed(index)
            words = [array[int(index)]] if index.isdecimal() and int(index) < len(array) else [ANY]
        else:
            return None
        return [" ".join(words)] if part.quoted and part.name == "*" else words

    def _sliced(self, part: "Part", words: "list[str]", state: State) -> "list[str]":
        """`${@:2}`, `${array[@]:1:3}`."""
        bounds = " ".join(self._expanded(part.argument, state, split=False)[0]).split(":")
        numbers = [_computed(bound) for bound in bounds]
        if "[" in part.text and "[@]" not in part.text and "[*]" not in part.text:
            from memdir.shell import parameters  # few commands cut letters out of an element

            return [parameters.edited(":", words[0], ":".join(numbers))] if known(words[0]) else [ANY]
        if len(numbers) > 2 or not all([number.isdecimal() for number in numbers]) or words in ([NAME], [ANY]):
            return [ANY]
        if part.name in ("@", "*"):
            words = ["bash", *words]
        first = int(numbers[0])
        return words[first : first + int(numbers[1])] if len(numbers) == 2 else words[first:]

    def _lookup(self, name: str, state: State) -> "list[str]":
        for _ in range(4):
            if "!" + name not in state.variables:  # `declare -n`
                break
            name = state.variables["!" + name][0]
        if name in state.variables:
            return state.variables[name]
        if name in state.arrays:
            return state.arrays[name][:1] or [""]
        if name.isdecimal() and name != "0":
            if state.positional is None:
                return [NAME]
            return [state.positional[int(name) - 1] if 0 < int(name) <= len(state.positional) else ""]
        if name == "PWD":
            return [cwd or NAME for cwd in state.cwds]
        if name == "OLDPWD":
            return [cwd or NAME for cwd in state.before]
        if name == "HOME":
            return [self.machine.home or NAME]
        if name in self.machine.variables:
            return [self.machine.variables[name]]
        return [_FIXED.get(name, NAME)]

    def _indirect(self, part: "Part", state: State) -> "list[list[str]]":
        names = self._lookup(part.name, state)
        if part.operator != "!" or "[" in part.text or not all([known(name) for name in names]):
            return [[ANY]]
        return [[value] for name in names for value in self._lookup(name, state)]


def _breaks_a_word(parts: "list[Part]", at: int) -> bool:
    """Whether a variable that nobody has set here stands where it would cut a word in two: `pu${x}sh`."""
    before, after = parts[at - 1] if at else None, parts[at + 1] if at + 1 < len(parts) else None
    if before is None or after is None or before.kind != LITERAL or after.kind != LITERAL:
        return False
    ends = before.text[-1:], after.text[:1]
    return all([end.isalnum() or end in ("-", ".") for end in ends]) and any([end.isalpha() for end in ends])


def _either(one: "Optional[list[str]]", other: "Optional[list[str]]") -> "list[str]":
    """Words that stand for both lists; a NAME gives way to what may be there in its place."""
    if one is None or other is None or len(one) != len(other):
        return [ANY]
    return [
        first if first == second or second == NAME else second if first == NAME else ANY
        for first, second in zip(one, other)
    ]


def _computed(source: str) -> str:
    from memdir.shell import arithmetic  # few commands compute

    value = arithmetic.value(source)
    return NAME if value is None else str(value)


def _broken(text: str, state: State) -> str:
    """The text with blanks in place of the characters that words are split at."""
    marks = state.variables.get("IFS")
    if marks is None:
        return text
    if len(marks) > 1 or not known(marks[0]):
        return ANY
    text = text if " " in marks[0] else text.replace(" ", NAME)  # a blank that splits nothing
    for mark in marks[0]:
        text = text.replace(mark, " ")
    return text


class _Fields:
    """The fields of one word as its parts are joined; the last one is still open."""

    __slots__ = ("_closed", "_fields", "_open")

    def __init__(self) -> None:
        self._fields: "list[str]" = []
        self._open = ""
        self._closed = True  # nothing, not even empty quotes, stands in the open field

    def joined(self, texts: "list[str]", *, breaks: bool) -> "_Fields":
        """These fields and what a part adds; with `breaks` it is split at blanks."""
        other = _Fields()
        other._fields, other._open, other._closed = list(self._fields), self._open, self._closed
        if not texts:
            return other
        for number, text in enumerate(texts):
            if number:
                other._close()
            if breaks:
                other._split(text)
            else:
                other._open += text
                other._closed = False
        return other

    def _split(self, text: str) -> None:
        words = text.split()
        if text[:1].isspace():
            self._close()
        for number, word in enumerate(words):
            if number:
                self._close()
            self._open += word
            self._closed = False
        if words and text[-1:].isspace():
            self._close()

    def _close(self) -> None:
        if not self._closed:
            self._fields.append(self._open)
            self._open = ""
            self._closed = True

    def done(self, parts: "list[Part]") -> "list[str]":
        # `"$@"` without arguments is no word; `""` is one
        empty_quotes = any([part.kind == LITERAL and part.quoted for part in parts])
        if not self._closed or (empty_quotes and not self._fields):
            return [*self._fields, self._open]
        return self._fields


def _after_pattern(parts: "list[Part]", at: int) -> int:
    """The place after the bracket that closes an extended pattern, which as a whole is STAR."""
    depth = 1
    while at < len(parts) and depth:
        if parts[at].kind == GLOB:
            depth += (parts[at].text[-1] == "(") - (parts[at].text == ")")
        at += 1
    return at
