"""Calls of interpreters: which program each gets as text, and what that program does."""

from memdir.shell import outputs, programs
from memdir.shell.arguments import ANY, shown
from memdir.shell.syntax import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.shell.analysis import Analysis
    from memdir.shell.calls import Call
    from memdir.shell.expansion import State
    from memdir.shell.syntax import Node


def follow(analysis: "Analysis", call: "Call", node: "Node", state: "State") -> None:
    """Follows the program of an interpreter's call, where its text is known."""
    name = programs.interpreter(call.argv)
    run = programs.interpreter_run(call.argv, name)
    text, files = run.text, analysis.files
    if (text is None and not run.file and not run.version) or run.file == "-":
        text = analysis.stdin(call)
        if text is None and call.feeders:
            analysis.doubt("text", call.start, f"the program that `{name}` gets is only known when it runs")
    elif text is not None:
        analysis.feed(call, node, state, text)
    elif ANY in run.file and run.file.strip(ANY) == "":
        analysis.doubt("text", call.start, f"which program `{name}` runs, is only known when it runs")
    elif run.file in analysis.processes:
        text = outputs.printed(analysis.calls_in(analysis.processes[run.file], state), analysis.machine)
    elif (run.file and name != "python") or "/" in run.file or "." in run.file:
        path = files.found(call.cwd, run.file) or (name == "node" and files.found(call.cwd, run.file + ".js"))
        if path:
            text = files.texts[path]
            if text is None:
                analysis.doubt("text", call.start, f"the program in `{shown(run.file)}` is only known when it runs")
    elif name == "python" and run.file and files.found(call.cwd, run.file + ".py"):
        text = files.texts[files.found(call.cwd, run.file + ".py")]  # `-m`
    if text is not None:
        read(analysis, call, name, text, state)


def read(analysis: "Analysis", call: "Call", name: str, text: str, state: "State") -> None:
    """Follows what a program in the language of this interpreter does, as if the call did it."""
    from memdir.shell import code  # only where an interpreter gets a program as text

    call.code = text
    if ANY in text:
        analysis.doubt("text", call.start, f"the program that `{name}` runs is only known when it runs")
    found = code.implied(name, text, call.cwd, analysis.machine.home)
    for implied in found.calls:
        implied.via = (*call.via, f"{name} code")
        implied.start, implied.end = call.start, call.end
        implied.cwd = call.cwd
        implied.implied = True
        implied.code = text
        if implied.argv:
            analysis.perform(implied, Command(None, call.start), state.copy())
        else:
            analysis.line.calls.append(implied)
            analysis.files.note(implied)
    for command in found.commands:
        analysis.nested(command, analysis.subshell(call, state, []), call, f"{name} code")
    if found.doubt:
        analysis.doubt("text", call.start, f"the {name} program {found.doubt}")
