"""From a command line to the calls in it: wrappers off, nested shells read, variables and directories followed.

What may happen counts as happening: both branches of an `if`, every value that a variable may have.
"""

from memdir.shell import embedded, git, outputs, programs, wrappers
from memdir.shell.arguments import ANY, NAME, joined, known, open_ended, shown
from memdir.shell.builtins import BUILTINS
from memdir.shell.calls import Call, CommandLine
from memdir.shell.expansion import State
from memdir.shell.syntax import COMMAND, Command
from memdir.shell.walk import MAX_DEPTH, Walk, is_conditional

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

    from memdir.shell.calls import Machine
    from memdir.shell.syntax import Block, Node


def analyse(text: str, cwd: str, machine: "Machine") -> CommandLine:
    """The calls of a command line that starts in `cwd`, an absolute path, or "" when it is not known. Never raises."""
    line = CommandLine()
    state = State(cwd)
    state.positional = []  # a command line has none
    Analysis(machine, line, 0, ()).run(text, state)
    return line


_GIT_FILES = (".git/config", ".gitconfig", "/git/config", ".git/config.worktree")
_GIT_VARIABLES = ("GIT_", "HUSKY", "LEFTHOOK", "OVERCOMMIT", "PRE_COMMIT", "SKIP")


class Analysis(Walk):
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
            for target in inner.writes:
                self._imply(call, ["tee", target], call.via[-1])
            if inner.cwd:
                call.cwd = joined(call.cwd, inner.cwd, self.machine.home)
            if inner.appends:
                text = self.stdin(call)
                inner.argv, *others = wrappers.runs(inner, ANY if text is None else text)
                for argv in others:
                    self._imply(call, argv, call.via[-1], node, state)
            if inner.text is not None:
                self.nested(inner.text, state.copy(), call, call.via[-1])
                if not inner.argv or call.via[-1] in ("watch", "parallel"):
                    return
            call.argv = inner.argv
        else:
            self.doubt("syntax", call.start, f"wrapped more than {MAX_DEPTH} times")
        for name in sorted(programs.COMMAND_VARIABLES & set(call.assigned)):
            self.nested(call.assigned[name], state.copy(), call, name)
        for name in programs.FILE_VARIABLES:
            if name in call.assigned:
                self._run_file(call, call.assigned[name], state.copy())
        self._copied_program(call)
        self._added(call, node, state)
        self._embedded(call, state)

    def _copied_program(self, call: Call) -> None:
        """A program that this command line has copied or linked goes by its first name again."""
        if call.argv and known(call.argv[0]):
            original = self.files.original(call.cwd, call.argv[0])
            if original:
                call.argv = [original, *call.argv[1:]]

    def _embedded(self, call: Call, state: State) -> None:
        name = wrappers.program(call.argv)
        if name not in embedded.PROGRAMS:
            return
        found = embedded.look(call.argv, self.stdin(call))
        if name in ("make", "gmake"):
            folder = call.cwd.rstrip("/") + "/"
            files = ["Makefile", "makefile", "GNUmakefile", *embedded.makefiles(call.argv)]
            made = [self.files.texts[folder + file] for file in files if folder + file in self.files.texts]
            found.texts += [text for makefile in made for text in embedded.recipes(makefile or ANY)]
        for text in found.texts:
            self.nested(text, self.subshell(call, state, []), call, name)
        for other in found.calls:
            other.cwd, other.start, other.end = call.cwd, call.start, call.end
            other.via, other.implied = (*call.via, name), True
            self.line.calls.append(other)
            self.files.note(other)

    def _own_name(self, call: Call, node: "Node", state: State) -> bool:
        """A function or an alias of this command line."""
        name = call.argv[0] if call.argv else ""
        before = len(self.line.calls)
        if name in state.aliases and self._depth < MAX_DEPTH:
            text, inner = state.aliases[name], state.copy()
            del inner.aliases[name]
            self.nested(" ".join([text, *map(_quoted, call.argv[1:])]), inner, call, "alias", call.input)
            self._by_node += [(node, other) for other in self.line.calls[before:]]
            return self._inner.pop(call, None) is None  # not every shell knows aliases: the program runs, too
        functions = state.functions.get(name, [])
        if not functions or self._depth >= MAX_DEPTH or call.via[len(self._via) :]:
            return False  # what a wrapper starts is never a function
        for analysis, block in functions:
            if analysis._active.count(block) > 1:
                self.doubt("syntax", call.start, f"`{name}` calls itself, which is not followed")
            else:
                self._call_function(analysis, block, call, state)
        self._by_node += [(node, inner) for inner in self.line.calls[before:]]
        return not any([is_conditional(block) for _, block in functions])

    def _call_function(self, analysis: "Analysis", block: "Block", call: Call, state: State) -> None:
        analysis._called.add(block.name)
        analysis._substituted = {}  # what a substitution prints may depend on the arguments
        outer, state.positional = state.positional, call.argv[1:]
        depth, analysis._depth = analysis._depth, self._depth + 1
        before = analysis.input, analysis.feeders
        analysis.input, analysis.feeders = call.input, call.feeders
        analysis._active.append(block)
        analysis._walk(analysis.of_function(block), state)
        analysis._active.pop()
        analysis.input, analysis.feeders = before
        analysis._depth = depth
        state.positional = outer

    def _added(self, call: Call, node: "Node", state: State) -> None:
        name = wrappers.program(call.argv)
        self.add(node, call)
        if self.files.links and name != "ln":
            from memdir.shell import links  # few command lines make any

            self.line.calls += links.through(call, self.files.links, self.machine.home)
        if name in BUILTINS:
            BUILTINS[name](self, call, node, state)
        elif name in _RUNS_TEXT:
            _RUNS_TEXT[name](self, call, node, state)
        elif name in programs.SHELLS or name in programs.READ_COMMANDS:
            self._shell(call, node, state)
        elif programs.interpreter(call.argv):
            from memdir.shell import code_calls  # few commands start an interpreter

            code_calls.follow(self, call, node, state)
        elif name == "find":
            self._find(call, node, state)
        elif name == "git":
            self._git(call, state)
        elif name in ("fd", "fdfind"):
            self._fd(call, node, state)
        elif call.argv and open_ended(call.argv[0]) and ANY in call.name:
            self.doubt("program", call.start, f"which program `{shown(call.argv[0])}` is, is only known when it runs")
        elif call.argv and not known(call.name) and (call.name != NAME or _is_printed(node)):
            self.doubt("program", call.start, f"which program `{shown(call.argv[0])}` is, depends on the files there")
        elif call.argv and ("/" in call.argv[0] or self.files.found(call.cwd, call.argv[0])):
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
            self.line.calls.append(implied)

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
        inner = Analysis(self.machine, self.line, self._depth + 1, (*call.via, how), place)
        inner.files, inner._inner = self.files, self._inner
        inner._steps, inner._words, inner._scripts = self._steps, self._words, self._scripts
        inner.input = stdin
        inner.feeders = call.feeders
        before = len(self.line.calls)
        inner.run(text, state)
        self._inner.setdefault(call, []).extend(self.line.calls[before:])

    # Shells

    def _shell(self, call: Call, node: "Node", state: State) -> None:
        run = programs.shell_run(call.argv)
        name = wrappers.program(call.argv)
        if run.version:
            return
        inner = self.subshell(call, state, run.args)
        if run.first:
            self._run_file(call, run.first, inner.copy())
        if run.text is not None:
            if run.args:
                inner.positional = run.args[1:]
                inner.assign("0", run.args[:1])
            self.nested(run.text, inner, call, f"{name} -c")
            self.feed(call, node, state, run.text)
        elif run.file == ANY:
            self.doubt("text", call.start, f"the commands that `{name}` runs are only known when it runs")
        elif run.file and name not in programs.READ_COMMANDS:
            self._run_file(call, run.file, inner)
        else:
            self._run_input(call, inner, name)

    def subshell(self, call: Call, state: State, args: "list[str]") -> State:
        inner = state.copy()
        inner.functions, inner.aliases = {}, {}
        inner.cwds = [call.cwd]
        inner.positional = args
        for name, value in call.assigned.items():
            inner.assign(name, [value])
        return inner

    def _run_input(self, call: Call, state: State, name: str) -> None:
        text = self.stdin(call)
        if text is not None and NAME in text:
            self.doubt("text", call.start, f"the commands that `{name}` runs are only known when it runs")
        if text is not None:
            self.nested(text, state, call, name)
        elif call.feeders or joined(call.cwd, call.source, self.machine.home) in self.files.texts:
            self.doubt("text", call.start, f"the commands that `{name}` runs are only known when it runs")

    def _run_file(self, call: Call, file: str, state: State) -> None:
        """A script: read if this very command line made it. Others are programs like any other."""
        path = file
        if file in self.processes:
            calls = self.calls_in(self.processes[file], state)
            self._imply(call, ["sh"], shown(call.name))
            self.line.calls[-1].feeders = calls
            text: "Optional[str]" = outputs.printed(calls, self.machine)
        elif file in ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
            self._run_input(call, state, call.name)
            return
        elif file.startswith(("/dev/fd/", "/proc/self/fd/")):
            number = file.rsplit("/", 1)[-1]
            text = state.descriptors.get(int(number), ANY) if number.isdecimal() and len(number) < 9 else ANY
        else:
            path = self.files.found(call.cwd, file)
            if not path or self._scripts.count(path) > 1:  # a script may write itself anew, once
                return
            text = self.files.texts[path]
        if text is None or text.strip() == NAME:
            self.doubt("text", call.start, f"the commands in `{shown(file)}` are only known when it runs")
        elif text:
            first = text.split("\n", 1)[0]
            name = programs.interpreter([first.split()[-1]]) if first[:2] == "#!" and first.split() else ""
            if name:
                from memdir.shell import code_calls  # few command lines make a script

                code_calls.read(self, call, name, text, state)
            else:
                self._scripts.append(path)
                self.nested(text, state, call, shown(file))
                self._scripts.pop()

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
        for name in state.variables:
            if name.startswith(_GIT_VARIABLES):
                call.assigned.setdefault(name, state.variables[name][-1])
        parsed = git.parse(call.argv, self.machine, call.cwd, call.assigned)
        for name in sorted(programs.COMMAND_VARIABLES & set(state.variables)):
            self.nested(state.variables[name][-1], state.copy(), call, name)
        if parsed.subcommand == "config":
            self._git_config(parsed, state)
        elif self._depends_on_a_file(parsed, call):
            self.doubt("program", call.start, f"what `git {shown(parsed.subcommand)}` is, depends on a file made here")
        if parsed.shell:
            self.nested(" ".join([parsed.shell, *map(_quoted, parsed.args)]), state.copy(), call, "git alias")
        for text in programs.git_texts(parsed.config, parsed.subcommand, parsed.args):
            inner = state.copy()
            inner.assign("0", [ANY])
            self.nested(text, inner, call, "git")
        if open_ended(parsed.subcommand):
            self.doubt("program", call.start, "which command of git this is, is only known when it runs")

    def _depends_on_a_file(self, parsed: git.Git, call: Call) -> bool:
        """Whether configuration or a program that this command line has written decides what git does."""
        if "git-" + parsed.subcommand in [path.rsplit("/", 1)[-1] for path in self.files.texts]:
            return True
        brought = {"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"} & set(call.assigned)
        included = any([setting.lower().startswith("include") for setting in parsed.config])
        return bool(brought) or included or any([path.endswith(_GIT_FILES) for path in self.files.texts])

    def _git_config(self, parsed: git.Git, state: State) -> None:
        """What `git config KEY VALUE` sets counts for the calls of git that follow, as if variables brought it."""
        words = [word for word in parsed.operands() if word not in ("set", "add")]
        if parsed.has("f", "file") and len(words) == 3:
            words = words[1:]
        if len(words) == 2:
            number = str(len(state.variables))
            state.variables["GIT_CONFIG_KEY_" + number] = [words[0]]
            state.variables["GIT_CONFIG_VALUE_" + number] = [words[1]]

    def _eval(self, call: Call, node: "Node", state: State) -> None:
        self.nested(" ".join(call.argv[1:]), state, call, "eval", self.stdin(call))
        self.feed(call, node, state, " ".join(call.argv[1:]))

    def _trap(self, call: Call, node: "Node", state: State) -> None:
        words = [word for word in call.argv[1:] if word != "--"]
        if len(words) > 1 and words[0] not in ("-", "-p", "-l"):
            self.nested(words[0], state.copy(), call, "trap")

    def _source(self, call: Call, node: "Node", state: State) -> None:
        if len(call.argv) > 1:
            self._run_file(call, call.argv[1], state)

    def feed(self, call: Call, node: "Node", state: State, text: str) -> None:
        """Where substitutions print the program text of a call: adds a shell that gets it on standard input."""
        if known(text):
            return
        blocks = [part.block for word in getattr(node, "words", ()) for part in word.parts if part.block is not None]
        feeders = [other for block in blocks for other in self.calls_in(block, state)]
        if feeders and NAME in text:
            self.doubt("text", call.start, f"the commands that `{call.name}` runs are only known when it runs")
        if feeders:
            self._imply(call, [programs.interpreter(call.argv) or "sh"], call.name)
            self.line.calls[-1].feeders = feeders


_RUNS_TEXT = {"eval": Analysis._eval, "trap": Analysis._trap, "source": Analysis._source, ".": Analysis._source}


def _is_printed(node: "Node") -> bool:
    """Whether the program's name is what another command prints."""
    first = node.words[0] if isinstance(node, Command) and node.words else None
    return first is not None and any([part.kind == COMMAND for part in first.parts])


def _quoted(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'"
