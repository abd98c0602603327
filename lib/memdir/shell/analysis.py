"""From a command line to the calls in it: wrappers off, nested shells read, variables and directories followed.

What may happen counts as happening: both branches of an `if`, every value that a variable may have.
"""

from memdir.shell import git, outputs, programs, wrappers
from memdir.shell.arguments import ANY, NAME, known, open_ended, shown
from memdir.shell.builtins import BUILTINS
from memdir.shell.calls import Call, CommandLine
from memdir.shell.expansion import State
from memdir.shell.syntax import Command
from memdir.shell.walk import MAX_DEPTH, PROCESS, Walk, joined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

    from memdir.shell.calls import Machine
    from memdir.shell.syntax import Node


def analyse(text: str, cwd: str, machine: "Machine") -> CommandLine:
    """The calls of a command line that starts in `cwd`, an absolute path, or "" when it is not known. Never raises."""
    line = CommandLine()
    _Analysis(machine, line, 0, ()).run(text, State(cwd))
    return line


class _Analysis(Walk):
    """A walk that takes each call apart."""

    def perform(self, call: Call, node: "Node", state: State) -> None:
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
                call.cwd = joined(call.cwd, inner.cwd, self.machine.home)
            if inner.appends:
                text = self.stdin(call)
                inner.argv = wrappers.with_input(inner.argv, ANY if text is None else text)
            if inner.text is not None:
                self.nested(inner.text, state.copy(), call, call.via[-1])
                if not inner.argv or call.via[-1] in ("watch", "parallel"):
                    return
            call.argv = inner.argv
        else:
            self.doubt("syntax", call.start, f"wrapped more than {MAX_DEPTH} times")
        for name in sorted(programs.COMMAND_VARIABLES & set(call.assigned)):
            self.nested(call.assigned[name], state.copy(), call, name)
        self._added(call, node, state)

    def _own_name(self, call: Call, node: "Node", state: State) -> bool:
        """A function or an alias of this command line."""
        name = call.argv[0] if call.argv else ""
        if name in state.aliases and self._depth < MAX_DEPTH:
            text, state = state.aliases[name], state.copy()
            del state.aliases[name]
            self.nested(" ".join([text, *map(_quoted, call.argv[1:])]), state, call, "alias")
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
        analysis._walk(analysis.of_function(block), state)
        self._by_node += [(node, inner) for inner in self._line.calls[before:]]
        analysis._depth = depth
        state.positional = outer
        return True

    def _added(self, call: Call, node: "Node", state: State) -> None:
        name = wrappers.program(call.argv)
        self.add(node, call)
        if name in BUILTINS:
            BUILTINS[name](self, call, node, state)
        elif name in _RUNS_TEXT:
            _RUNS_TEXT[name](self, call, node, state)
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
            self.doubt("program", call.start, f"which program `{shown(call.argv[0])}` is, is only known when it runs")
        elif call.argv and not known(call.name) and call.name != NAME:
            self.doubt("program", call.start, f"which program `{shown(call.argv[0])}` is, depends on the files there")
        elif call.argv and "/" in call.argv[0]:
            self._run_file(call, call.argv[0], state)

    def _imply(
        self, call: Call, argv: "list[str]", how: str, node: "Optional[Node]" = None, state: "Optional[State]" = None
    ) -> None:
        """Adds what another call does besides; with node and state, a program that it starts, followed as any other."""
        implied = Call(argv, call.cwd, call.start, call.end)
        implied.via = (*call.via, how)
        implied.implied = True
        if node is not None and state is not None:
            self.perform(implied, node, state.copy())
        else:
            self._line.calls.append(implied)

    def nested(self, text: str, state: State, call: Call, how: str, stdin: "Optional[str]" = None) -> None:
        """Reads a text that the call hands to a shell in this state."""
        if ANY in text:
            self.doubt("text", call.start, f"the commands that `{how}` runs are only known when it runs")
        if text.strip() in ("", ANY, NAME):
            return
        if self._depth >= MAX_DEPTH:
            self.doubt("syntax", call.start, f"shells within shells, more than {MAX_DEPTH} deep")
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
            self.nested(run.text, inner, call, f"{name} -c")
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
        text = self.stdin(call)
        if text is not None:
            self.nested(text, state, call, name)
        elif call.feeders or joined(call.cwd, call.source, self.machine.home) in self._written:
            self.doubt("text", call.start, f"the commands that `{name}` runs are only known when it runs")

    def _run_file(self, call: Call, file: str, state: State) -> None:
        """A script: read if this very command line made it. Others are programs like any other."""
        if file[: len(PROCESS)] == PROCESS:
            calls = self.calls_in(self._processes[file], state)
            self._imply(call, ["sh"], shown(call.name))
            self._line.calls[-1].feeders = calls
            text: "Optional[str]" = outputs.printed(calls, self.machine)
        elif file in ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
            self._run_input(call, state, call.name)
            return
        else:
            path = joined(call.cwd, file, self.machine.home)
            if path not in self._written:
                return
            text = self._written[path]
        if text is None:
            self.doubt("text", call.start, f"the commands in `{shown(file)}` are only known when it runs")
        elif text:
            first = text.split("\n", 1)[0]
            name = programs.interpreter([first.split()[-1]]) if first[:2] == "#!" and first.split() else ""
            if name:
                self._code(call, name, text, state)
            else:
                self.nested(text, state, call, shown(file))

    def _interpreter(self, call: Call, node: "Node", state: State) -> None:
        name = programs.interpreter(call.argv)
        run = programs.interpreter_run(call.argv, name)
        text = run.text
        if (text is None and not run.file and not run.version) or run.file == "-":
            text = self.stdin(call)
            if text is None and call.feeders:
                self.doubt("text", call.start, f"the program that `{name}` gets is only known when it runs")
        elif text is not None:
            self._feed(call, node, state)
        elif (run.file and name != "python") or "/" in run.file or "." in run.file:
            path = joined(call.cwd, run.file, self.machine.home)
            if path in self._written:
                text = self._written[path]
                if text is None:
                    self.doubt("text", call.start, f"the program in `{shown(run.file)}` is only known when it runs")
        if text is not None:
            self._code(call, name, text, state)

    def _code(self, call: Call, name: str, text: str, state: State) -> None:
        call.code = text
        if ANY in text:
            self.doubt("text", call.start, f"the program that `{name}` runs is only known when it runs")
        from memdir.shell import code  # only where an interpreter gets a program as text

        found = code.implied(name, text, call.cwd, self.machine.home)
        for implied in found.calls:
            implied.via = (*call.via, f"{name} code")
            implied.start, implied.end = call.start, call.end
            implied.cwd = call.cwd
            implied.implied = True
            implied.code = text
            if implied.argv:
                self.perform(implied, Command(None, call.start), state.copy())
            else:
                self._line.calls.append(implied)
        for command in found.commands:
            self.nested(command, self._subshell(call, state, []), call, f"{name} code")
        if found.doubt:
            self.doubt("text", call.start, f"the {name} program {found.doubt}")

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
            self.nested(" ".join([parsed.shell, *map(_quoted, parsed.args)]), state.copy(), call, "git alias")
        for text in programs.git_texts(parsed.config, parsed.subcommand, parsed.args):
            self.nested(text, state.copy(), call, "git")
        if open_ended(parsed.subcommand):
            self.doubt("program", call.start, "which command of git this is, is only known when it runs")

    def _eval(self, call: Call, node: "Node", state: State) -> None:
        self.nested(" ".join(call.argv[1:]), state, call, "eval", self.stdin(call))
        self._feed(call, node, state)

    def _trap(self, call: Call, node: "Node", state: State) -> None:
        words = [word for word in call.argv[1:] if word != "--"]
        if len(words) > 1 and words[0] not in ("-", "-p", "-l"):
            self.nested(words[0], state.copy(), call, "trap")

    def _source(self, call: Call, node: "Node", state: State) -> None:
        if len(call.argv) > 1:
            self._run_file(call, call.argv[1], state)

    def _feed(self, call: Call, node: "Node", state: State) -> None:
        """Where substitutions print the program that a call runs: adds a shell that gets it on standard input."""
        blocks = [part.block for word in getattr(node, "words", ()) for part in word.parts if part.block is not None]
        feeders = [other for block in blocks for other in self.calls_in(block, state)]
        if feeders:
            self._imply(call, [programs.interpreter(call.argv) or "sh"], call.name)
            self._line.calls[-1].feeders = feeders


_RUNS_TEXT = {"eval": _Analysis._eval, "trap": _Analysis._trap, "source": _Analysis._source, ".": _Analysis._source}


def _quoted(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'"
