"""What the redirections of a command open: the files it writes, its standard input, and other descriptors to read."""

from memdir.shell.arguments import ANY, joined, known
from memdir.shell.calls import Call
from memdir.shell.syntax import Block

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

    from memdir.shell.expansion import State
    from memdir.shell.syntax import Node, Redirection
    from memdir.shell.walk import Walk

_WRITES = frozenset([">", ">>", ">|", "&>", "&>>", "<>", ">&"])


def targets(walk: "Walk", redirections: "list[Redirection]", state: "State") -> "list[str]":
    """The files that these redirections write."""
    found = []
    for item in redirections:
        if item.operator in _WRITES:
            texts = walk.texts(item.target, state)
            found += [text for text in texts if not (item.operator == ">&" and (text.isdigit() or text == "-"))]
    return found


def connect(walk: "Walk", call: Call, node: "Node", state: "State") -> None:
    """Finds what the call has on standard input: its own redirections, the pipe, or those of what it stands in."""
    _open_descriptors(walk, call, node, state)
    at: "Optional[Node]" = node
    while at is not None and not (isinstance(at, Block) and at.kind in ("function", "process")):
        for item in reversed(at.redirections):
            if item.fd in (None, 0) and item.operator[0] == "<":
                _open_input(walk, call, item, state)
                return
        if at.input is not None:
            call.feeders = walk.calls_of(at.input)
            return
        at = at.parent if not isinstance(at, Block) or at.kind != "substitution" else None
    if isinstance(at, Block) and at.kind == "process" and at.parent is not None and walk.text[at.start] == ">":
        call.feeders = [other.without_writes() for other in walk.calls_of(at.parent)]
        return
    call.input = state.descriptors.get(0, walk.input)
    call.feeders = walk.feeders if call.input is None else []


def _open_input(walk: "Walk", call: Call, item: "Redirection", state: "State") -> None:
    if item.operator[:2] == "<<":
        call.input = _here_text(walk, item, state)
        return
    targets = walk.texts(item.target, state)
    target = next((one for one in targets if known(one)), targets[0])
    if item.operator == "<&":
        call.input = state.descriptors.get(int(target), ANY) if target.isdecimal() and len(target) < 9 else ANY
    else:
        call.source = _source_path(walk, call, target, state)


def _here_text(walk: "Walk", item: "Redirection", state: "State") -> str:
    word = item.target if item.operator == "<<<" else item.body
    return (walk.texts(word, state)[0] if word is not None else "") + "\n" * (item.operator == "<<<")


def _open_descriptors(walk: "Walk", call: Call, node: "Node", state: "State") -> None:
    """What is opened beside the standard input stays so after `exec`; here it always does."""
    moves = call.argv == ["exec"]
    for item in node.redirections:
        number = 0 if item.fd is None and moves else item.fd
        if item.operator[0] != "<" or (number in (None, 0) and not moves):
            continue
        text = ANY
        if item.operator == "<&":
            source = walk.texts(item.target, state)[0].rstrip("-")
            text = state.descriptors.get(int(source), ANY) if source.isdecimal() and len(source) < 9 else ANY
        elif item.operator[:2] == "<<":
            text = _here_text(walk, item, state)
        else:
            target = walk.texts(item.target, state)[0]
            text = walk.files.texts.get(joined(call.cwd, target, walk.machine.home)) or ANY
            opened = Call(["cat", target], call.cwd, call.start, call.end)
            opened.implied = True
            walk.line.calls.append(opened)
        if isinstance(number, int):
            state.descriptors[number] = text


def _source_path(walk: "Walk", call: Call, target: str, state: "State") -> str:
    if target in walk.processes:
        call.feeders = walk.calls_in(walk.processes[target], state)
        return ""
    return target
