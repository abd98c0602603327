"""From a command line to the calls in it: wrappers off, nested shells read, variables and directories followed.

What may happen counts as happening: both branches of an `if`, every value that a variable may have.
"""

from memdir.shell import git, outputs, programs, wrappers
from memdir.shell.arguments import ANY, NAME, known, open_ended, shown
from memdir.shell.calls import Call, CommandLine, Doubt
from memdir.shell.expansion import MOST, Expander, State
from memdir.shell.reader import read
from memdir.shell.syntax import Block, Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

    from memdir.shell.calls import Machine
    from memdir.shell.syntax import Node, Redirection, Script

MAX_DEPTH = 12  # shells within shells
MAX_CALLS = 4_000
_LOOPS = ("for", "select", "while", "until")
_DECLARES = frozenset("export declare typeset local readonly".split())
_WRITES = frozenset([">", ">>", ">|", "&>", "&>>", "<>", ">&"])
_PROCESS = "/dev/fd/memdir-"  # the path that stands for a process substitution


def analyse(text: str, cwd: str, machine: "Machine") -> CommandLine:
    """The calls of a command line that starts in `cwd`, an absolute path, or "" when it is not known. Never raises."""
    line = CommandLine()
    _Analysis(machine, line, 0, ()).run(text, State(cwd))
    return line


class _TooMany(Exception):
    pass


class _Analysis(Expander):
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
        self._line = line
        self._depth = depth
        self._via = via
        self._place = place
        self._by_node: "list[tuple[Node, Call]]" = []  # what each command became, for pipes
        self._processes: "dict[str, Block]" = {}
        self._script: "Optional[Script]" = None
        self._written: "dict[str, Optional[str]]" = {}  # files made by this command line, and their text if known
        self._called: "set[str]" = set()
        self._input: "Optional[str]" = None  # what the text as a whole has on standard input
        self._substituted: "dict[Block, list[Call]]" = {}
        self._inner: "dict[Call, list[Call]]" = {}  # what runs in place of a call: that prints, and not the call itself

    def run(self, text: str, state: State) -> None:
        """Adds the calls of the text, which a shell in this state runs, and leaves the state it ends in."""
        script = read(text)
        self._script = script
        for offset, sentence in script.unread:
            self._doubt("syntax", offset, sentence)
        try:
            nodes = _in_order(script)
            self._walk([node for node in nodes if node.within("function") is None], state)
            for block in script.blocks:
                if block.kind == "function" and block.name not in self._called:
                    self._walk(self._of_function(block), state.copy())
        except _TooMany:
            self._doubt("syntax", 0, "this runs more commands than memdir follows")

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
        if state.fallback:
            self._fall_back(node, state)
        if isinstance(node, Command):
            self._command(node, state)
        elif isinstance(node, Block):
            self._block(node, state)

    def _fall_back(self, node: "Node", state: State) -> None:
        held = [
            item
            for item in state.fallback
            if (_is_inside(node, item[0]) if item[0] is not None else _follows_and(node))
        ]
        for item in state.fallback:
            if item not in held:
                state.cwds = list(dict.fromkeys(state.cwds + item[1]))[:4]
        state.fallback = held

    def _block(self, block: Block, state: State) -> None:
        if block.kind == "function":
            state.functions[block.name] = (self, block)
            return
        if block.kind in ("for", "select") and block.name:
            values = [value for fields in self.arguments(block.words, state) for value in fields]
            state.assign(block.name, values or [NAME])
        if block.kind in _LOOPS:
            self._assign_ahead(block, state)
        if block.redirections:
            for cwd in state.cwds:
                call = Call([], cwd, *self._span(block))
                call.writes = self._targets(block.redirections, state)
                if call.writes:
                    self._add(block, call)
                    self._note_written(call)

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
        variants = [(argv, cwd) for argv in self.arguments(command.words, state) for cwd in state.cwds]
        if len(variants) > MOST:
            variants = [([ANY], "")]
        before = state.copy() if len(variants) > 1 else state
        for number, (argv, cwd) in enumerate(variants):
            after = before.copy() if number else state
            after.cwds = [cwd]
            call = Call(argv, cwd, *self._span(command))
            call.via = self._via
            call.writes = self._targets(command.redirections, after)
            call.assigned = {name: values[-1] for name, values in assigned.items()}
            self._connect(call, command, after)
            if argv or call.writes or call.assigned:
                self._perform(call, command, after)
            self._note_written(call)
            if number:
                state.merge(after)

    def _assign(self, command: Command, state: State) -> None:
        maybe = _is_conditional(command)
        for item in command.assignments:
            array = item.value.parts[0] if item.value.parts else None
            if array is not None and array.kind == "array":
                fields = [field for word in array.words for field in self.fields(word, state)[0]]
                state.arrays[item.name] = state.arrays.get(item.name, []) * item.append + fields
                continue
            values = self.texts(item.value, state)
            if item.append:
                before = state.variables.get(item.name, [""])
                values = [one + other for one in before for other in values]
            state.assign(item.name, [ANY] if item.subscript else values, add=maybe)

    # One call

    def _perform(self, call: Call, node: "Node", state: State) -> None:
        """Takes wrappers off, follows what changes the shell itself, and adds the call with all that it runs."""
        for _ in range(MAX_DEPTH):
            if call.via[-1:] != ("command",) and self._own_name(call, node, state):
                return
            inner = wrappers.unwrap(call.argv)
            if inner is None:
                break
            call.via += (wrappers.program(call.argv),)
            call.assigned.update(inner.assigned)
            if inner.cwd:
                call.cwd = _joined(call.cwd, inner.cwd, self.machine.home)
            if inner.appends:
                text = self._stdin(call)
                inner.argv = wrappers.with_input(inner.argv, ANY if text is None else text)
            if inner.text is not None:
                self._nested(inner.text, state.copy(), call, call.via[-1])
                if not inner.argv or call.via[-1] in ("watch", "parallel"):
                    return
            call.argv = inner.argv
        else:
            self._doubt("syntax", call.start, f"wrapped more than {MAX_DEPTH} times")
        for name in sorted(programs.COMMAND_VARIABLES & set(call.assigned)):
            self._nested(call.assigned[name], state.copy(), call, name)
        self._added(call, node, state)

    def _own_name(self, call: Call, node: "Node", state: State) -> bool:
        """A function or an alias of this command line."""
        name = call.argv[0] if call.argv else ""
        if name in state.aliases and self._depth < MAX_DEPTH:
            text, state = state.aliases[name], state.copy()
            del state.aliases[name]
            self._nested(" ".join([text, *map(_quoted, call.argv[1:])]), state, call, "alias")
            self._by_node.append((node, call))
            return True
        function = state.functions.get(name)
        if function is None or self._depth >= MAX_DEPTH:
            return False
        analysis, block = function
        analysis._called.add(name)
        analysis._substituted = {}  # what a substitution prints may depend on the arguments
        outer, state.positional = state.positional, call.argv[1:]
        depth, analysis._depth = analysis._depth, self._depth + 1
        before = len(self._line.calls)
        analysis._walk(analysis._of_function(block), state)
        self._by_node += [(node, inner) for inner in self._line.calls[before:]]
        analysis._depth = depth
        state.positional = outer
        return True

    def _added(self, call: Call, node: "Node", state: State) -> None:
        name = wrappers.program(call.argv)
        self._add(node, call)
        if name in _BUILTINS:
            _BUILTINS[name](self, call, node, state)
        elif name in programs.SHELLS or name in programs.READ_COMMANDS:
            self._shell(call, node, state)
        elif programs.interpreter(call.argv):
            self._interpreter(call, node, state)
        elif name == "find":
            self._find(call, node, state)
        elif name == "git":
            self._git(call, state)
        elif name in ("fd", "fdfind"):
            self._fd(call, node, state)
        elif call.argv and open_ended(call.argv[0]) and ANY in call.name:
            self._doubt("program", call.start, f"which program `{shown(call.argv[0])}` is, is only known when it runs")
        elif call.argv and not known(call.name) and call.name != NAME:
            self._doubt("program", call.start, f"which program `{shown(call.argv[0])}` is, depends on the files there")
        elif call.argv and "/" in call.argv[0]:
            self._run_file(call, call.argv[0], state)

    def _add(self, node: "Node", call: Call) -> None:
        if len(self._line.calls) >= MAX_CALLS:
            raise _TooMany
        if self._place is not None:
            call.start, call.end = self._place
        self._by_node.append((node, call))
        self._line.calls.append(call)

    def _imply(
        self, call: Call, argv: "list[str]", how: str, node: "Optional[Node]" = None, state: "Optional[State]" = None
    ) -> None:
        """Adds what another call does besides; with node and state, a program that it starts, followed as any other."""
        implied = Call(argv, call.cwd, call.start, call.end)
        implied.via = (*call.via, how)
        implied.implied = True
        if node is not None and state is not None:
            self._perform(implied, node, state.copy())
        else:
            self._line.calls.append(implied)

    def _nested(self, text: str, state: State, call: Call, how: str, stdin: "Optional[str]" = None) -> None:
        """Reads a text that the call hands to a shell in this state."""
        if ANY in text:
            self._doubt("text", call.start, f"the commands that `{how}` runs are only known when it runs")
        if text.strip() in ("", ANY, NAME):
            return
        if self._depth >= MAX_DEPTH:
            self._doubt("syntax", call.start, f"shells within shells, more than {MAX_DEPTH} deep")
            return
        place = self._place or (call.start, call.end)
        inner = _Analysis(self.machine, self._line, self._depth + 1, (*call.via, how), place)
        inner._written, inner._inner = self._written, self._inner
        inner._input = stdin
        before = len(self._line.calls)
        inner.run(text, state)
        self._inner.setdefault(call, []).extend(self._line.calls[before:])

    # Shells and interpreters

    def _shell(self, call: Call, node: "Node", state: State) -> None:
        run = programs.shell_run(call.argv)
        name = wrappers.program(call.argv)
        if run.version:
            return
        inner = self._subshell(call, state, run.args)
        if run.text is not None:
            self._nested(run.text, inner, call, f"{name} -c")
            self._feed(call, node, state)
        elif run.file and name not in programs.READ_COMMANDS:
            self._run_file(call, run.file, inner)
        else:
            self._run_input(call, inner, name)

    def _subshell(self, call: Call, state: State, args: "list[str]") -> State:
        inner = state.copy()
        inner.functions, inner.aliases = {}, {}
        inner.cwds = [call.cwd]
        inner.positional = args
        for name, value in call.assigned.items():
            inner.assign(name, [value])
        return inner

    def _run_input(self, call: Call, state: State, name: str) -> None:
        text = self._stdin(call)
        if text is not None:
            self._nested(text, state, call, name)
        elif call.feeders or _joined(call.cwd, call.source, self.machine.home) in self._written:
            self._doubt("text", call.start, f"the commands that `{name}` runs are only known when it runs")

    def _run_file(self, call: Call, file: str, state: State) -> None:
        """A script: read if this very command line made it. Others are programs like any other."""
        if file[: len(_PROCESS)] == _PROCESS:
            calls = self._calls_in(self._processes[file], state)
            self._imply(call, ["sh"], shown(call.name))
            self._line.calls[-1].feeders = calls
            text: "Optional[str]" = outputs.printed(calls, self.machine)
        elif file in ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
            self._run_input(call, state, call.name)
            return
        else:
            path = _joined(call.cwd, file, self.machine.home)
            if path not in self._written:
                return
            text = self._written[path]
        if text is None:
            self._doubt("text", call.start, f"the commands in `{shown(file)}` are only known when it runs")
        elif text:
            first = text.split("\n", 1)[0]
            name = programs.interpreter([first.split()[-1]]) if first[:2] == "#!" and first.split() else ""
            if name:
                self._code(call, name, text, state)
            else:
                self._nested(text, state, call, shown(file))

    def _interpreter(self, call: Call, node: "Node", state: State) -> None:
        name = programs.interpreter(call.argv)
        run = programs.interpreter_run(call.argv, name)
        text = run.text
        if (text is None and not run.file and not run.version) or run.file == "-":
            text = self._stdin(call)
            if text is None and call.feeders:
                self._doubt("text", call.start, f"the program that `{name}` gets is only known when it runs")
        elif text is not None:
            self._feed(call, node, state)
        elif (run.file and name != "python") or "/" in run.file or "." in run.file:
            path = _joined(call.cwd, run.file, self.machine.home)
            if path in self._written:
                text = self._written[path]
                if text is None:
                    self._doubt("text", call.start, f"the program in `{shown(run.file)}` is only known when it runs")
        if text is not None:
            self._code(call, name, text, state)

    def _code(self, call: Call, name: str, text: str, state: State) -> None:
        call.code = text
        if ANY in text:
            self._doubt("text", call.start, f"the program that `{name}` runs is only known when it runs")
        from memdir.shell import code  # only where an interpreter gets a program as text

        found = code.implied(name, text, call.cwd, self.machine.home)
        for implied in found.calls:
            implied.via = (*call.via, f"{name} code")
            implied.start, implied.end = call.start, call.end
            implied.cwd = call.cwd
            implied.implied = True
            if implied.argv:
                self._perform(implied, Command(None, call.start), state.copy())
            else:
                self._line.calls.append(implied)
        for command in found.commands:
            self._nested(command, self._subshell(call, state, []), call, f"{name} code")
        if found.doubt:
            self._doubt("text", call.start, f"the {name} program {found.doubt}")

    def _find(self, call: Call, node: "Node", state: State) -> None:
        commands, deleted = programs.find_actions(call.argv)
        for argv in commands:
            self._imply(call, argv, "find -exec", node, state)
        if deleted:
            self._imply(call, ["rm", "-rf", *deleted], "find -delete")

    def _fd(self, call: Call, node: "Node", state: State) -> None:
        for place, word in enumerate(call.argv):
            if word in ("-x", "-X", "--exec", "--exec-batch"):
                words = [part if part != "{}" else NAME for part in call.argv[place + 1 :]]
                self._imply(call, words if NAME in words else [*words, NAME], "fd --exec", node, state)
                return

    def _git(self, call: Call, state: State) -> None:
        parsed = git.parse(call.argv, self.machine, call.cwd)
        if parsed.shell:
            self._nested(" ".join([parsed.shell, *map(_quoted, parsed.args)]), state.copy(), call, "git alias")
        for text in programs.git_texts(parsed.config, parsed.subcommand, parsed.args):
            self._nested(text, state.copy(), call, "git")
        if open_ended(parsed.subcommand):
            self._doubt("program", call.start, "which command of git this is, is only known when it runs")

    # Builtins that change the shell or run text

    def _cd(self, call: Call, node: "Node", state: State) -> None:
        operands = [word for word in call.argv[1:] if word[:1] != "-" or word == "-"]
        before = list(state.cwds)
        if not operands:
            found = [self.machine.home]
        elif operands[0] == "-":
            found = list(state.before)
        elif operands[0][:1] in ("+", "-"):
            found = [""]
        else:
            found = [_lexical(_joined(cwd, operands[0], self.machine.home)) for cwd in before]
            found = ["" if not known(path) else path for path in found]
        missing = [path for path in found if path and not self.machine.kind(path)]
        state.before = before
        loop = next((block for block in map(node.within, _LOOPS) if block is not None), None)
        if _follows_and(node) or (loop is not None and not missing):
            state.fallback = [*state.fallback, (None if _follows_and(node) else loop, before)]
        elif _is_conditional(node) or missing:
            found += before
        state.cwds = list(dict.fromkeys(found))[:4]

    def _popd(self, call: Call, node: "Node", state: State) -> None:
        state.cwds = list(dict.fromkeys(state.cwds + state.before))[:4]

    def _declare(self, call: Call, node: "Node", state: State) -> None:
        for word in call.argv[1:]:
            name, equals, value = word.partition("=")
            if equals and name[:1] != "-":
                state.assign(name.rstrip("+"), [value if name[-1:] != "+" else ANY], add=_is_conditional(node))

    def _read(self, call: Call, node: "Node", state: State) -> None:
        text = self._stdin(call)
        names = [word for word in call.argv[1:] if word.isidentifier()]
        value = ANY if text is None else text.strip() if len(names) == 1 else NAME if text.strip() == NAME else ANY
        for name in names or ["REPLY", "MAPFILE"]:
            state.assign(name, [value], add=_is_conditional(node))
            state.arrays.pop(name, None)

    def _unset(self, call: Call, node: "Node", state: State) -> None:
        for name in call.argv[1:]:
            state.variables.pop(name, None)
            state.arrays.pop(name, None)
            if not _is_conditional(node):
                state.functions.pop(name, None)

    def _set(self, call: Call, node: "Node", state: State) -> None:
        words = call.argv[1:]
        if "--" in words:
            state.positional = words[words.index("--") + 1 :]
        elif words and words[0][:1] not in ("-", "+"):
            state.positional = words

    def _shift(self, call: Call, node: "Node", state: State) -> None:
        if state.positional:
            count = int(call.argv[1]) if call.argv[1:] and call.argv[1].isdecimal() else 1
            state.positional = state.positional[count:] if not _is_conditional(node) else [ANY]

    def _printf(self, call: Call, node: "Node", state: State) -> None:
        if call.argv[1:2] == ["-v"] and len(call.argv) > 3:
            made = Call(["printf", *call.argv[3:]], call.cwd)
            state.assign(call.argv[2], [outputs.printed([made], self.machine)])

    def _alias(self, call: Call, node: "Node", state: State) -> None:
        for word in call.argv[1:]:
            name, equals, value = word.partition("=")
            if equals:
                state.aliases[name] = value

    def _eval(self, call: Call, node: "Node", state: State) -> None:
        self._nested(" ".join(call.argv[1:]), state, call, "eval", self._stdin(call))
        self._feed(call, node, state)

    def _trap(self, call: Call, node: "Node", state: State) -> None:
        words = [word for word in call.argv[1:] if word != "--"]
        if len(words) > 1 and words[0] not in ("-", "-p", "-l"):
            self._nested(words[0], state.copy(), call, "trap")

    def _source(self, call: Call, node: "Node", state: State) -> None:
        if len(call.argv) > 1:
            self._run_file(call, call.argv[1], state)

    # Input, output and redirections

    def _span(self, node: "Node") -> "tuple[int, int]":
        return self._place or (node.start, node.end)

    def _targets(self, redirections: "list[Redirection]", state: State) -> "list[str]":
        found = []
        for item in redirections:
            if item.operator in _WRITES:
                texts = self.texts(item.target, state)
                found += [text for text in texts if not (item.operator == ">&" and (text.isdigit() or text == "-"))]
        return found

    def _connect(self, call: Call, node: "Node", state: State) -> None:
        """Finds what the call has on standard input: its own redirections, the pipe, or those of what it stands in."""
        at: "Optional[Node]" = node
        while at is not None and not (isinstance(at, Block) and at.kind in ("function", "process")):
            for item in reversed(at.redirections):
                if item.operator in ("<<<", "<<", "<<-") and item.fd in (None, 0):
                    word = item.target if item.operator == "<<<" else item.body
                    texts = self.texts(word, state) if word is not None else [""]
                    call.input = texts[0] + "\n" * (item.operator == "<<<")
                    return
                if item.operator in ("<", "<>", "<&") and item.fd in (None, 0):
                    call.source = self._source_path(call, self.texts(item.target, state)[0], state)
                    return
            if at.input is not None:
                call.feeders = self._calls_of(at.input)
                return
            at = at.parent if not isinstance(at, Block) or at.kind != "substitution" else None
        call.input = self._input

    def _source_path(self, call: Call, target: str, state: State) -> str:
        if target[: len(_PROCESS)] == _PROCESS:
            call.feeders = self._calls_in(self._processes[target], state)
            return ""
        return target

    def _stdin(self, call: Call) -> "Optional[str]":
        """The text on standard input, which may hold marks; None when nothing is known of it."""
        if call.input is not None:
            return call.input
        if call.source:
            return self._written.get(_joined(call.cwd, call.source, self.machine.home))
        return outputs.printed(call.feeders, self.machine) if call.feeders else None

    def _calls_of(self, node: "Node") -> "list[Call]":
        """The calls of a node, and of all that stand in it."""
        found = []
        for other, call in self._by_node:
            at: "Optional[Node]" = other
            while at is not None and at is not node:
                at = at.parent
            if at is node:
                found += self._printing(call)
        return found

    def _printing(self, call: Call) -> "list[Call]":
        return (
            [other for inner in self._inner[call] for other in self._printing(inner)] if call in self._inner else [call]
        )

    def _note_written(self, call: Call) -> None:
        """Remembers the files that this command line makes, so that running them can be followed."""
        for target in call.writes:
            text = outputs.printed([_without_writes(call)], self.machine)
            self._remember(call, target, None if ANY in text else text)
        name = wrappers.program(call.argv)
        operands = [word for word in call.argv[1:] if word[:1] != "-"]
        if name == "tee":
            for target in operands:
                self._remember(call, target, self._stdin(call))
        elif name in ("curl", "wget"):
            for place, word in enumerate(call.argv):
                if word in ("-o", "-O", "--output", "--output-document") and place + 1 < len(call.argv):
                    self._remember(call, call.argv[place + 1], None)
                elif word[:2] != "--" and word[:2] in ("-o", "-O") and len(word) > 2:
                    self._remember(call, word[2:], None)
            for word in operands:
                if "/" in word:
                    self._remember(call, word.split("?")[0].rsplit("/", 1)[-1], None)
        elif name in ("cp", "mv", "ln", "install") and len(operands) == 2:
            source = _joined(call.cwd, operands[0], self.machine.home)
            if source in self._written:
                self._remember(call, operands[1], self._written[source])

    def _remember(self, call: Call, target: str, text: "Optional[str]") -> None:
        path = _joined(call.cwd, target, self.machine.home)
        if path[:5] != "/dev/":
            before = self._written.get(path)
            self._written[path] = before + text if before is not None and text is not None else text

    # Substitutions

    def output(self, block: Block, state: State) -> "list[str]":
        text = outputs.printed(self._calls_in(block, state), self.machine)
        return [text.rstrip("\n")]

    def process(self, block: Block, state: State) -> str:
        path = _PROCESS + str(block.start)
        self._processes[path] = block
        return path

    def _calls_in(self, block: Block, state: State) -> "list[Call]":
        """The calls of a substitution, followed for their output alone: the walk adds them when it gets there."""
        if block in self._substituted or self._depth >= MAX_DEPTH:
            return self._substituted.get(block, [])
        line, by_node = self._line, self._by_node
        self._line, self._by_node = CommandLine(), []
        self._depth += 1
        try:
            nodes = [node for node in _in_order(self._script) if _is_inside(node, block)]
            self._walk(nodes, state.copy())
            self._substituted[block] = self._line.calls
            return self._line.calls
        finally:
            self._depth -= 1
            self._line, self._by_node = line, by_node

    def _feed(self, call: Call, node: "Node", state: State) -> None:
        """Where substitutions print the program that a call runs: adds a shell that gets it on standard input."""
        blocks = [part.block for word in getattr(node, "words", ()) for part in word.parts if part.block is not None]
        feeders = [other for block in blocks for other in self._calls_in(block, state)]
        if feeders:
            self._imply(call, [programs.interpreter(call.argv) or "sh"], call.name)
            self._line.calls[-1].feeders = feeders

    def _of_function(self, block: Block) -> "list[Node]":
        return [node for node in _in_order(self._script) if node.within("function") is block]

    def _doubt(self, kind: str, start: int, sentence: str) -> None:
        place = self._place[0] if self._place else start
        if not any([doubt.start == place and doubt.sentence == sentence for doubt in self._line.doubts]):
            self._line.doubts.append(Doubt(kind, place, sentence))


_BUILTINS = {
    "cd": _Analysis._cd, "chdir": _Analysis._cd, "pushd": _Analysis._cd, "popd": _Analysis._popd,
    "export": _Analysis._declare, "declare": _Analysis._declare, "typeset": _Analysis._declare,
    "local": _Analysis._declare, "readonly": _Analysis._declare, "read": _Analysis._read, "mapfile": _Analysis._read,
    "readarray": _Analysis._read, "unset": _Analysis._unset, "set": _Analysis._set, "shift": _Analysis._shift,
    "printf": _Analysis._printf, "alias": _Analysis._alias, "eval": _Analysis._eval, "trap": _Analysis._trap,
    "source": _Analysis._source, ".": _Analysis._source,
}  # fmt: skip


def _in_order(script: "Optional[Script]") -> "list[Node]":
    """All commands and blocks in the order of the text: a command before the substitutions in its words."""
    if script is None:
        return []
    nodes: "list[Node]" = [*script.blocks, *script.commands]
    nodes.sort(key=lambda node: (node.start, isinstance(node, Command)))
    return nodes


def _is_inside(node: "Node", block: Block) -> bool:
    at = node.parent
    while at is not None and at is not block:
        at = at.parent
    return at is block


def _is_conditional(node: "Node") -> bool:
    at: "Optional[Node]" = node
    while at is not None and not (isinstance(at, Block) and at.kind == "function"):
        if at.conditional:
            return True
        if at.subshell:
            return False
        at = at.parent
    return False


def _follows_and(node: "Node") -> bool:
    """Whether it runs only if what stands before it has succeeded."""
    at: "Optional[Node]" = node
    while at is not None and not (isinstance(at, Block) and at.kind == "function"):
        if at.after is not None:
            return True
        at = at.parent
    return False


def _joined(cwd: str, path: str, home: str) -> str:
    """The path from `cwd`; as it is when that is not known."""
    if path[:1] == "/" or not cwd:
        return path
    while path[:2] == "./":
        path = path[2:].lstrip("/")
    return cwd.rstrip("/") + "/" + path if path not in ("", ".") else cwd


def _lexical(path: str) -> str:
    """The path without dot segments, as `cd` has it."""
    found: "list[str]" = []
    for name in path.split("/"):
        if name == ".." and found and found[-1] not in ("", ".."):
            found.pop()
        elif name not in ("", "."):
            found.append(name)
    return ("/" if path[:1] == "/" else "") + "/".join(found) if path else ""


def _without_writes(call: Call) -> Call:
    other = Call(call.argv, call.cwd)
    other.input, other.feeders = call.input, call.feeders
    return other


def _quoted(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'"
