"""The walk through a command line: what each command finds when its turn comes.

Variables and directories are followed through lists, loops, functions and subshells, input through pipes and
redirections. What a call itself does is up to `perform`.
"""

from memdir.shell import outputs, redirections
from memdir.shell.arguments import ANY, NAME
from memdir.shell.calls import Call, CommandLine, Doubt
from memdir.shell.expansion import MOST, Expander, State
from memdir.shell.made_files import MadeFiles
from memdir.shell.reader import read
from memdir.shell.syntax import Block, Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

    from memdir.shell.calls import Machine
    from memdir.shell.syntax import Node, Script

MAX_DEPTH = 12  # shells within shells
MAX_CALLS = 2_000
MAX_NODES = 600  # commands and blocks of one text
MAX_STEPS = 3_000  # commands and blocks come to, in whatever text, function or substitution
MAX_WORDS = 1_000  # of one command
MAX_LINE_WORDS = 5_000  # of all commands that are come to, since each word may have to be looked for on the disk
MAX_REDIRECTIONS = 200
LOOPS = ("for", "select", "while", "until")
_PROCESS = "/dev/fd/memdir-"  # the path that stands for a process substitution


class TooMany(Exception):
    """The command line runs more than is followed."""


class Walk(Expander):
    """One text of commands. `_via` is what it stands in and `_place` where that is, for texts inside others."""

    def __init__(
        self,
        machine: "Machine",
        line: CommandLine,
        depth: int,
        via: "tuple[str, ...]",
        place: "Optional[tuple[int, int]]" = None,
    ) -> None:
        super().__init__(machine)
        self.line = line
        self._depth = depth
        self._via = via
        self._place = place
        self._by_node: "list[tuple[Node, Call]]" = []  # what each command became, for pipes
        self.processes: "dict[str, Block]" = {}
        self._script: "Optional[Script]" = None
        self._nodes: "list[Node]" = []
        self.files = MadeFiles(machine)  # shared with the texts inside
        self._called: "set[str]" = set()
        self._active: "list[Block]" = []  # functions that are running
        self._scripts: "list[str]" = []  # files of this command line that are running
        self._steps = [0]  # shared with the texts inside
        self._words = [0]  # likewise
        self.input: "Optional[str]" = None  # what the text as a whole has on standard input
        self.feeders: "list[Call]" = []  # or what feeds it
        self.text = ""
        self._substituted: "dict[Block, list[Call]]" = {}
        self._deeper: "dict[Block, set[Call]]" = {}  # calls in substitutions inside one
        self._inner: "dict[Call, list[Call]]" = {}  # what runs in place of a call: that prints, and not the call itself

    def run(self, text: str, state: State) -> None:
        """Adds the calls of the text, which a shell in this state runs, and leaves the state it ends in."""
        script = read(text)
        self.text = text
        self._script = script
        for offset, sentence in script.unread:
            self.doubt("syntax", offset, sentence)
        try:
            self._nodes = nodes = _in_order(script)
            if len(nodes) > MAX_NODES:
                self._nodes = nodes = nodes[:MAX_NODES]
                self.doubt("syntax", nodes[-1].start, "this has more commands than memdir follows")
            self._walk([node for node in nodes if node.within("function") is None], state)
            for block in script.blocks:
                if block.kind == "function" and block.name not in self._called:
                    self._walk_uncalled(block, state.copy())
        except TooMany:
            self.doubt("syntax", 0, "this runs more commands than memdir follows")

    def _walk_uncalled(self, block: Block, state: State) -> None:
        state.positional = None
        self._walk(self.of_function(block), state)

    def nested(self, text: str, state: State, call: Call, how: str, stdin: "Optional[str]" = None) -> None:
        """Follows a text that the call hands to a shell in this state."""
        raise NotImplementedError

    def uncertain(self, sentence: str) -> None:
        self.doubt("text", 0, sentence)

    def perform(self, call: Call, node: "Node", state: State) -> None:
        """Adds the call, and all that it runs, to the command line; changes the state if it is a builtin that does."""
        raise NotImplementedError

    # The walk

    def _walk(self, nodes: "list[Node]", state: State) -> None:
        """Follows these nodes in their order; each subshell has a copy of the state in which it began."""
        scopes: "dict[Node, State]" = {}
        for node in nodes:
            self._follow(node, self._scope(node, state, scopes))

    def _scope(self, node: "Node", state: State, scopes: "dict[Node, State]") -> State:
        chain = []
        at: "Optional[Node]" = node
        while at is not None and not (isinstance(at, Block) and at.kind == "function" and at is not node):
            if at.subshell:
                chain.append(at)
            at = at.parent
        for shell in reversed(chain):
            if shell not in scopes:
                scopes[shell] = state.copy()
            state = scopes[shell]
        return state

    def _follow(self, node: "Node", state: State) -> None:
        self._steps[0] += 1
        if self._steps[0] > MAX_STEPS:
            raise TooMany
        if len(node.redirections) > MAX_REDIRECTIONS:
            self.doubt("syntax", node.start, "this has more redirections than memdir follows")
            del node.redirections[MAX_REDIRECTIONS:]
        if state.fallback:
            self._fall_back(node, state)
        if isinstance(node, Command):
            self._command(node, state)
        elif isinstance(node, Block):
            self._block(node, state)

    def _fall_back(self, node: "Node", state: State) -> None:
        held = [
            item for item in state.fallback if (_is_inside(node, item[0]) if item[0] is not None else follows_and(node))
        ]
        for item in state.fallback:
            if item not in held:
                state.cwds = list(dict.fromkeys(state.cwds + item[1]))[:4]
        state.fallback = held

    def _block(self, block: Block, state: State) -> None:
        if block.kind == "function":
            others = state.functions.get(block.name, []) if is_conditional(block) else []
            state.functions[block.name] = [*others[-3:], (self, block)]
            return
        if block.kind in ("for", "select") and block.name:
            words = self.arguments(block.words, state) if block.words else [state.positional or [NAME]]
            values = [value for fields in words for value in fields]
            state.assign(block.name, values or [NAME], add=not values or ANY in values or NAME in values)
        if block.kind in LOOPS:
            self._assign_ahead(block, state)
        if block.kind == "test" and any(["[$(" in (word.text or "") for word in block.words]):
            self.doubt("text", block.start, "`[[` runs what stands in a subscript")
        if block.redirections:
            for cwd in state.cwds:
                call = Call([], cwd, *self._span(block))
                call.writes = redirections.targets(self, block.redirections, state)
                if call.writes:
                    self.add(block, call)
                    self.files.note(call)

    def _assign_ahead(self, loop: Block, state: State) -> None:
        """What a loop assigns is there when it goes round again."""
        for command in self._script.commands if self._script else ():
            if loop.start <= command.start < loop.end and not command.words:
                for assignment in command.assignments:
                    state.assign(assignment.name, self.texts(assignment.value, state), add=True)

    def _command(self, command: Command, state: State) -> None:
        assigned = {item.name: self.texts(item.value, state) for item in command.assignments}
        if not command.words:
            self._assign(command, state)
        if len(command.words) > MAX_WORDS:
            self.doubt("syntax", command.start, "this has more words than memdir follows")
            del command.words[MAX_WORDS:]
        self._words[0] += len(command.words)
        if self._words[0] > MAX_LINE_WORDS:
            raise TooMany
        variants = [(argv, cwd) for argv in self.arguments(command.words, state) for cwd in state.cwds]
        if len(variants) > MOST:
            variants = [([ANY], "")]
        before = state.copy() if len(variants) > 1 else state
        for number, (argv, cwd) in enumerate(variants):
            after = before.copy() if number else state
            after.cwds = [cwd]
            call = Call(argv, cwd, *self._span(command))
            call.via = self._via
            call.writes = redirections.targets(self, command.redirections, after)
            call.assigned = {name: values[-1] for name, values in assigned.items()}
            redirections.connect(self, call, command, after)
            if argv or call.writes or call.assigned or call.source:
                self.perform(call, command, after)
            self.files.note(call)
            if number:
                state.merge(after)

    def _assign(self, command: Command, state: State) -> None:
        maybe = is_conditional(command)
        for item in command.assignments:
            if any(["[$(" in text or "[`" in text for text in self.texts(item.value, state)]):
                self.doubt("text", command.start, f"`{item.name}` holds a subscript that runs commands in arithmetic")
            array = item.value.parts[0] if item.value.parts else None
            if array is not None and array.kind == "array":
                fields = [field for word in array.words for field in self.fields(word, state)[0]]
                fields = state.arrays.get(item.name, []) * item.append + fields
                state.arrays[item.name] = fields if len(fields) <= MAX_WORDS else [ANY]
                continue
            values = self.texts(item.value, state)
            if item.name == "BASH_ALIASES" and item.subscript:
                state.aliases["".join([piece.text for piece in item.subscript])] = values[-1]
            if item.append:
                before = state.variables.get(item.name, [""])
                values = [one + other for one in before for other in values]
            state.assign(item.name, [ANY] if item.subscript else values, add=maybe)

    # Input and output

    def _span(self, node: "Node") -> "tuple[int, int]":
        return self._place or (node.start, node.end)

    def stdin(self, call: Call) -> "Optional[str]":
        """The text on standard input, which may hold marks; None when nothing is known of it."""
        return self.files.input_of(call)

    def calls_of(self, node: "Node") -> "list[Call]":
        """The calls of a node, and of all that stand in it."""
        found = []
        for other, call in self._by_node:
            at: "Optional[Node]" = other
            while at is not None and at is not node:
                at = at.parent
            if at is node:
                found += self.printing(call)
        return found

    def printing(self, call: Call) -> "list[Call]":
        """The calls that print in place of one that only runs others, and so on."""
        found: "list[Call]" = []
        waiting = [call]
        seen: "set[Call]" = set()
        while waiting:
            one = waiting.pop()
            if one not in seen:
                seen.add(one)
                if one in self._inner:
                    waiting += reversed(self._inner[one])
                else:
                    found.append(one)
        return found

    def add(self, node: "Node", call: Call) -> None:
        if len(self.line.calls) >= MAX_CALLS:
            raise TooMany
        if self._place is not None:
            call.start, call.end = self._place
        self._by_node.append((node, call))
        self.line.calls.append(call)

    # Substitutions

    def output(self, block: Block, state: State) -> "list[str]":
        calls = self.calls_in(block, state)
        inner = self._deeper.get(block, ())
        text = outputs.printed([call for call in calls if call not in inner] if inner else calls, self.machine)
        return [text.rstrip("\n")]

    def process(self, block: Block, state: State) -> str:
        path = _PROCESS + str(block.start)
        self.processes[path] = block
        return path

    def calls_in(self, block: Block, state: State) -> "list[Call]":
        """The calls of a substitution, followed for their output alone: the walk adds them when it gets there."""
        if block in self._substituted or self._depth >= MAX_DEPTH:
            return self._substituted.get(block, [])
        line, by_node = self.line, self._by_node
        self.line, self._by_node = CommandLine(), []
        self._depth += 1
        try:
            nodes = [node for node in self._nodes if _is_inside(node, block)]
            self._walk(nodes, state.copy())
            self._substituted[block] = self.line.calls
            deeper = {call for node, call in self._by_node if _substitution_of(node) is not block}
            if deeper:
                self._deeper[block] = deeper
            return self.line.calls
        finally:
            self._depth -= 1
            self.line, self._by_node = line, by_node

    def of_function(self, block: Block) -> "list[Node]":
        return [node for node in self._nodes if node.within("function") is block]

    def doubt(self, kind: str, start: int, sentence: str) -> None:
        place = self._place[0] if self._place else start
        if not any([doubt.start == place and doubt.sentence == sentence for doubt in self.line.doubts]):
            self.line.doubts.append(Doubt(kind, place, sentence))


def _in_order(script: "Script") -> "list[Node]":
    """All commands and blocks in the order of the text: a command before the substitutions in its words."""
    nodes: "list[Node]" = [*script.blocks, *script.commands]
    nodes.sort(key=lambda node: (node.start, isinstance(node, Command)))
    return nodes


def _is_inside(node: "Node", block: Block) -> bool:
    at = node.parent
    while at is not None and at is not block:
        at = at.parent
    return at is block


def _substitution_of(node: "Node") -> "Optional[Node]":
    """The nearest substitution around it."""
    at = node.parent
    while at is not None and not (isinstance(at, Block) and at.kind in ("substitution", "process")):
        at = at.parent
    return at


def is_conditional(node: "Node") -> bool:
    at: "Optional[Node]" = node
    while at is not None and (at is node or not (isinstance(at, Block) and at.kind == "function")):
        if at.conditional:
            return True
        if at.subshell:
            return False
        at = at.parent
    return False


def follows_and(node: "Node") -> bool:
    """Whether it runs only if what stands before it has succeeded."""
    at: "Optional[Node]" = node
    while at is not None and not (isinstance(at, Block) and at.kind == "function"):
        if at.after is not None:
            return True
        at = at.parent
    return False
