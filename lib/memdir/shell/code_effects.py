"""What a program's text does, gathered as calls of ordinary programs, and the values that it hands to its functions."""

from memdir.shell.arguments import ANY, BRACKET, NAME, QUESTION, STAR, known
from memdir.shell.calls import Call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Optional

UNKNOWN_TEXT = "runs text that is only known when it runs"
UNKNOWN_FUNCTION = "calls a function whose name is only known when it runs"
NOT_READ = "holds code that is not understood"
TOO_LONG = "holds code that is too long to be read"
MAX_TEXT = 1 << 14  # of one value: what is longer ends with any text
MOST = 8  # values that one expression can have before it counts as any


class Found:
    """What a program does: calls, command lines for a shell (with marks, as arguments have), and a sentence of doubt.

    Where nothing is known of a command line, there is a doubt instead.
    """

    __slots__ = ("calls", "commands", "doubt")

    def __init__(self) -> None:
        self.calls: "list[Call]" = []
        self.commands: "list[str]" = []
        self.doubt = ""

    def __repr__(self) -> str:
        return f"Found({self.calls}, commands={self.commands}, doubt={self.doubt!r})"


class Value:
    """What an expression can be.

    `texts` are the alternatives, as arguments. `items` are the members of a list, which has any number of them if
    `many`. `ref` is the dotted name of a module, function or class; `owner` and `name` those of a method. `kind` says
    what a text is the name of: "path" (an object with methods) or "". `options` are the members of an object literal.
    """

    __slots__ = ("function", "items", "kind", "many", "name", "options", "owner", "ref", "texts")

    def __init__(
        self,
        *texts: str,
        items: "Optional[list[Value]]" = None,
        many: bool = False,
        ref: str = "",
        kind: str = "",
    ) -> None:
        self.texts = list(texts) or [ANY]
        self.items = items
        self.many = many
        self.ref = ref
        self.kind = kind
        self.owner: "Optional[Value]" = None
        self.name = ""
        self.options: "dict[str, Value]" = {}
        self.function: "Any" = None

    @property
    def constant(self) -> "Optional[str]":
        """The text, when there is one only."""
        return self.texts[0] if len(self.texts) == 1 and known(self.texts[0]) else None

    @property
    def each(self) -> "Value":
        """What a loop over it gives."""
        return united(self.items) if self.items else Value(NAME if self.texts == [NAME] else ANY)

    def as_path(self) -> "Value":
        return Value(*self.texts, kind="path")


def several(*names: str, kind: str = "") -> Value:
    """Any number of values of this shape."""
    return Value(items=[Value(*names, kind=kind)], many=True)


def united(values: "Iterable[Value]") -> Value:
    """A value that is one of these."""
    found = list(values)
    if len(found) == 1:
        return found[0]
    texts = list(dict.fromkeys([text for value in found for text in value.texts]))
    both = Value(*(texts if len(texts) <= MOST else [ANY]))
    both.kind = found[0].kind if found and all([value.kind == found[0].kind for value in found]) else ""
    if found and all([value.items is not None for value in found]):
        items = [item for value in found for item in value.items or []]
        if found[0].items and all([value.items == found[0].items for value in found]):
            both.items, both.many = found[0].items, found[0].many
        else:
            both.items, both.many = items[: MOST * MOST], True
    refs = {value.ref for value in found}
    if len(refs) == 1:
        both.ref = refs.pop()
    functions = [value.function for value in found if value.function is not None]
    both.function = functions[0] if functions else None
    return both


def choices(values: "list[Value]") -> "list[list[str]]":
    """All combinations of the alternatives; where there are too many, the parts with several become any text."""
    count = 1
    for value in values:
        count *= len(value.texts)
    if count > MOST:
        values = [value if len(value.texts) == 1 else Value(ANY) for value in values]
    rows: "list[list[str]]" = [[]]
    for value in values:
        rows = [[*row, text] for row in rows for text in value.texts]
    return rows


def glued(*values: Value) -> Value:
    """The texts one after the other."""
    return Value(*dict.fromkeys([_cut("".join(row)) for row in choices(list(values))]))


def _cut(text: str) -> str:
    return text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + ANY


def joined_path(*values: Value) -> Value:
    return Value(*dict.fromkeys([_joined(row) for row in choices(list(values))]))


def _joined(parts: "list[str]") -> str:
    path = ""
    for part in parts:
        path = part if part[:1] == "/" or not path else path + "/" * (path[-1] != "/") + part
    return path


def globbed(pattern: str) -> str:
    """A pattern for file names as an argument; `**` goes through any number of directories."""
    deep = pattern.replace("**/", NAME).replace("**", NAME)
    return deep.replace("*", STAR).replace("?", QUESTION).replace("[", BRACKET)


def words_of(values: "list[Value]") -> "list[Value]":
    """The members of lists in the place of the lists."""
    words: "list[Value]" = []
    for value in values:
        words += words_of(value.items) if value.items is not None else [value]
    return words


class Effects:
    """Puts calls into a Found; `cwd` is where the program is, "" when that is not known."""

    def __init__(self, found: Found, cwd: str, home: str) -> None:
        self.found = found
        self.cwd = cwd
        self.home = home
        self.moved = False  # whether the program has changed its directory
        self._seen: "set[tuple[str, ...]]" = set()

    def program(self, words: "list[Value]", cwd: "Optional[Value]" = None, text: "Optional[str]" = None) -> None:
        """Runs a program with arguments; `text` is its standard input."""
        where = self.place(cwd)
        for argv in choices(words_of(words)):
            if argv and not argv[0].strip(ANY + NAME):
                self.doubt(UNKNOWN_TEXT)
            elif argv:
                self._add(argv, where).input = text

    def files(self, command: "list[str]", paths: "list[Value]") -> None:
        """What the command would do to the paths; they are never options."""
        for row in choices(words_of(paths)):
            paths_only = any([not path or path[0] == "-" or not known(path[0]) for path in row])
            self._add(command + ["--"] * paths_only + row, self.cwd)

    def write(self, path: Value) -> None:
        for text in path.texts:
            self._add([], self.cwd, text)

    def shell(self, command: Value, cwd: "Optional[Value]" = None) -> None:
        """Runs a command line in a shell."""
        for text in command.texts:
            if not text.strip(ANY + NAME + " \n"):
                if text.strip():
                    self.doubt(UNKNOWN_TEXT)
                continue
            moved = cwd is not None or self.moved
            line = f"cd -- {quoted(self.place(cwd) or ANY)} && {text}" if moved else text
            if line not in self.found.commands:
                self.found.commands.append(line)

    def change_folder(self, folder: Value) -> None:
        self.cwd = self.place(folder)
        self.moved = True

    def place(self, folder: "Optional[Value]") -> str:
        """The directory that a relative one leads to from here; "" when it cannot be known."""
        if folder is None:
            return self.cwd
        text = folder.constant
        if text is None or (text[:1] != "/" and not self.cwd):
            return ""
        return _joined([self.cwd, text])

    def doubt(self, sentence: str) -> None:
        self.found.doubt = self.found.doubt or sentence

    def _add(self, argv: "list[str]", cwd: str, write: str = "") -> Call:
        call = Call(argv, cwd)
        if write:
            call.writes.append(write)
        key = (cwd, write, *argv)
        if key not in self._seen:
            self._seen.add(key)
            self.found.calls.append(call)
        return call


def quoted(text: str) -> str:
    """As one word of a command line; marks are themselves."""
    return "'" + text.replace("'", "'\\''") + "'"
