"""What a reader of shell text finds: commands and blocks, their words and redirections, and what it did not read."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional, Union

# The kinds of parts. Only literals are constant; all others depend on what is there when the command runs.
LITERAL = "literal"
GLOB = "glob"  # one of `*`, `?`, `[`, or the brackets of `@(...)`, not quoted
TILDE = "tilde"  # `~` or `~name`
PARAMETER = "parameter"  # `$name` or `${...}`
COMMAND = "command"  # `$(...)` or `...` in backquotes
ARITHMETIC = "arithmetic"  # `$((...))`
PROCESS = "process"  # `<(...)` or `>(...)`
ARRAY = "array"  # `(...)` after `name=`
BRACES = "braces"  # `{...}` that would expand to more than anybody wants to see
UNREAD = "unread"


class Part:
    """A piece of a word.

    `text` is the value of a literal, and the source of anything else. `quoted` also means: after a backslash.
    A parameter has a `name`, an `operator` such as `:-` or `#`, `!` for an indirect one, and `argument`, what follows
    the operator. `block` holds the commands of a substitution, `words` the elements of an array.
    """

    __slots__ = ("argument", "block", "kind", "name", "operator", "quoted", "text", "words")

    def __init__(self, kind: str, text: str, *, quoted: bool = False, block: "Optional[Block]" = None) -> None:
        self.kind = kind
        self.text = text
        self.quoted = quoted
        self.block = block
        self.name = ""
        self.operator = ""
        self.argument: "list[Part]" = []
        self.words: "list[Word]" = []

    def __repr__(self) -> str:
        return f"Part({self.kind}, {self.text!r})"


class Word:
    """A word after brace expansion; `text` is its value if that is the same whenever the command runs, else None."""

    __slots__ = ("end", "parts", "start", "text")

    def __init__(self, parts: "list[Part]", start: int, end: int) -> None:
        self.parts = parts
        self.start = start
        self.end = end
        self.text: "Optional[str]" = None
        if all([part.kind == LITERAL for part in parts]):
            self.text = parts[0].text if len(parts) == 1 else "".join([part.text for part in parts])

    def __repr__(self) -> str:
        return f"Word({self.text!r})" if self.text is not None else f"Word({self.parts})"


class Assignment:
    """`name=value`, `name+=value` or `name[subscript]=value`; the value of `name=(...)` is an array part."""

    __slots__ = ("append", "name", "subscript", "value")

    def __init__(self, name: str, subscript: "Optional[list[Part]]", value: Word, *, append: bool) -> None:
        self.name = name
        self.subscript = subscript
        self.value = value
        self.append = append


class Redirection:
    """`fd operator target`: fd is a number, the name in `{name}>file`, or None for the operator's own.

    The target of `<<` and `<<-` is the delimiter and `body` the text, whose literals are quoted; it is constant if the
    delimiter was quoted (`quoted`) or nothing in it expands. The target of `<<<` is the text itself.
    """

    __slots__ = ("body", "fd", "operator", "quoted", "start", "target")

    def __init__(self, fd: "Union[int, str, None]", operator: str, target: Word, start: int) -> None:
        self.fd = fd
        self.operator = operator
        self.target = target
        self.start = start
        self.body: "Optional[Word]" = None
        self.quoted = False


class Node:
    """Anything that stands in a list. Offsets are those of the text that was read.

    `parent` is the block it stands in or, for a substitution, the command whose word holds it. `input` and `output`
    are its neighbours in a pipeline. `subshell`: it runs in a shell of its own, what it changes there is lost.
    `conditional`: whether it runs depends on an earlier command, or on how often its block goes round. `after`: it
    follows this one and `&&`.
    """

    __slots__ = ("after", "conditional", "end", "input", "output", "parent", "redirections", "start", "subshell")

    def __init__(self, parent: "Optional[Node]", start: int) -> None:
        self.parent = parent
        self.start = self.end = start
        self.redirections: "list[Redirection]" = []
        self.input: "Optional[Node]" = None
        self.output: "Optional[Node]" = None
        self.after: "Optional[Node]" = None
        self.subshell = False
        self.conditional = False

    def within(self, kind: str) -> "Optional[Block]":
        """The nearest block of this kind around it."""
        node = self.parent
        while node is not None and not (isinstance(node, Block) and node.kind == kind):
            node = node.parent
        return node if isinstance(node, Block) else None


class Command(Node):
    """A simple command."""

    __slots__ = ("assignments", "words")

    def __init__(self, parent: "Optional[Node]", start: int) -> None:
        super().__init__(parent, start)
        self.assignments: "list[Assignment]" = []
        self.words: "list[Word]" = []

    def __repr__(self) -> str:
        return f"Command({self.words})"


class Pipeline:
    """Commands joined by `|`, one most of the time; none after a `!` that stands alone.

    `joined` is what stands before it, `&&`, `||`, or "" at the beginning of a list. `negated`: after `!`. `background`:
    its list ends with `&`.
    """

    __slots__ = ("background", "joined", "negated", "nodes")

    def __init__(self) -> None:
        self.nodes: "list[Node]" = []
        self.joined = ""
        self.negated = False
        self.background = False


class Block(Node):
    """A compound command, function, substitution or the whole script.

    `kind` is script, subshell, group, if, while, until, for, select, case, function, coproc, test (`[[ ]]`),
    arithmetic (`(( ))`), substitution or process. `name` is the function or the variable of a loop; `words` are what
    a loop goes over, what `case` compares with its patterns, or the words of a test. `lists` are its lists of commands
    in the order of the text: of `if` the condition, what follows `then`, and so on.
    """

    __slots__ = ("kind", "lists", "name", "words")

    def __init__(self, kind: str, parent: "Optional[Node]", start: int) -> None:
        super().__init__(parent, start)
        self.kind = kind
        self.name = ""
        self.words: "list[Word]" = []
        self.lists: "list[list[Pipeline]]" = []
        self.subshell = kind in _OWN_SHELL

    def __repr__(self) -> str:
        return f"Block({self.kind})"


_OWN_SHELL = ("subshell", "coproc", "substitution", "process")


class Script:
    """All simple commands and all blocks, wherever they stand, in the order in which they begin to be read.

    That is the order of the text, but for here-documents. Blocks count as well: `[[ x ]] >file` has no command.
    `unread` says what was not understood: offset and sentence. After a syntax error nothing more is read. `whole` is
    the block that holds all the others, and none of `blocks`.
    """

    __slots__ = ("blocks", "commands", "unread", "whole")

    def __init__(self) -> None:
        self.whole = Block("script", None, 0)
        self.blocks: "list[Block]" = []
        self.commands: "list[Command]" = []
        self.unread: "list[tuple[int, str]]" = []
