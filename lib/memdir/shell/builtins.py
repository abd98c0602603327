"""Builtins that change the shell itself: its directory, variables, functions and parameters."""

from memdir.shell import outputs
from memdir.shell.arguments import ANY, BRACKET, NAME, fits, joined, known, lexical
from memdir.shell.calls import Call
from memdir.shell.expansion import State
from memdir.shell.walk import LOOPS, MAX_WORDS, Walk, follows_and, is_conditional

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.shell.syntax import Node


def _cd(walk: Walk, call: Call, node: "Node", state: State) -> None:
    operands = [word for word in call.argv[1:] if word[:1] != "-" or word == "-"]
    before = list(state.cwds)
    if not operands:
        found = state.variables.get("HOME", [walk.machine.home])
    elif operands[0] == "-":
        found = list(state.before)
    elif operands[0][:1] in ("+", "-"):
        found = [""]
    else:
        found = [lexical(joined(cwd, operands[0], walk.machine.home)) for cwd in before]
        found = [path for cwd in found for path in _folders(walk, cwd)]
    if "CDPATH" in state.variables:
        found.append("")
    # What mktemp makes is not there yet.
    missing = [path for path in found if path and not walk.machine.kind(path) and outputs.TEMPORARY not in path]
    state.before = before
    loop = next((block for block in map(node.within, LOOPS) if block is not None), None)
    if follows_and(node) or (loop is not None and not missing):
        state.fallback = [*state.fallback, (None if follows_and(node) else loop, before)]
    elif is_conditional(node) or missing:
        found += before
    state.cwds = list(dict.fromkeys(found))[:4]


def _folders(walk: Walk, path: str) -> "list[str]":
    """The directories that a path with a pattern in its last name can be; "" for one that is not known."""
    if known(path):
        return [path]
    above, _, last = path.rpartition("/")
    if not above or not known(above) or ANY in last or NAME in last:
        return [""]
    there = [f"{above}/{name}" for name in walk.machine.names(above) if fits(last, name)]
    return [each for each in there if walk.machine.kind(each) == "dir"][:4] or [""]


def _popd(walk: Walk, call: Call, node: "Node", state: State) -> None:
    state.cwds = list(dict.fromkeys(state.cwds + state.before))[:4]


def _declare(walk: Walk, call: Call, node: "Node", state: State) -> None:
    _subscripts(walk, call, node, state)
    letters = "".join([word[1:] for word in call.argv[1:] if word[:1] == "-"])
    if "n" in letters and call.name != "export":  # one name for another variable
        for word in call.argv[1:]:
            name, _, target = word.partition("=")
            state.assign(name, [ANY])
            if target.isidentifier():
                state.variables["!" + name] = [target]
        return
    array = ""
    for word in call.argv[1:]:
        name, equals, value = word.partition("=") if word[:1] != BRACKET else ("", "", "")
        if equals and "A" in letters:
            array, name = name, ""
            state.arrays[array] = [ANY]  # whose elements go by names
            word = value
        if array and word[:1] == BRACKET and "]=" in word:
            key, _, value = word[1:].partition("]=")
            state.assign(f"{array}[{key}]", [value])
        if array:
            continue
        if equals and name[:1] != "-":
            local = call.name == "local" or node.within("function") is not None
            state.assign(name.rstrip("+"), [value if name[-1:] != "+" else ANY], add=local or is_conditional(node))


def _read(walk: Walk, call: Call, node: "Node", state: State) -> None:
    _subscripts(walk, call, node, state)
    for place, word in enumerate(call.argv[:-1]):
        if word in ("-C", "-c") and call.name in ("mapfile", "readarray"):
            walk.nested(call.argv[place + 1], state.copy(), call, call.name) if word == "-C" else None
    text = walk.stdin(call)
    names = [word for word in call.argv[1:] if word.isidentifier()]
    value = ANY if text is None else text.strip() if len(names) == 1 else NAME if text.strip() == NAME else ANY
    for name in names or ["REPLY", "MAPFILE"]:
        state.assign(name, [value], add=is_conditional(node))
        state.arrays.pop(name, None)


def _unset(walk: Walk, call: Call, node: "Node", state: State) -> None:
    if is_conditional(node):
        return
    for name in call.argv[1:]:
        state.functions.pop(name, None)
        if "-f" not in call.argv:
            state.variables.pop(name, None)
            state.arrays.pop(name, None)


def _set(walk: Walk, call: Call, node: "Node", state: State) -> None:
    words = call.argv[1:]
    if "--" in words:
        state.positional = words[words.index("--") + 1 :]
        if len(state.positional) > MAX_WORDS:
            state.positional = [ANY]
    elif words and words[0][:1] not in ("-", "+"):
        state.positional = words


def _shift(walk: Walk, call: Call, node: "Node", state: State) -> None:
    if state.positional:
        count = int(call.argv[1]) if call.argv[1:] and call.argv[1].isdecimal() else 1
        state.positional = state.positional[count:] if not is_conditional(node) else [ANY]


def _printf(walk: Walk, call: Call, node: "Node", state: State) -> None:
    if call.argv[1:2] == ["-v"] and len(call.argv) > 3:
        _subscripts(walk, call, node, state)
        made = Call(["printf", *call.argv[3:]], call.cwd)
        name, element, _ = call.argv[2].partition("[")
        state.assign(name, [ANY] if element else [outputs.printed([made], walk.machine)])


def _alias(walk: Walk, call: Call, node: "Node", state: State) -> None:
    for word in call.argv[1:]:
        name, equals, value = word.partition("=")
        if equals:
            state.aliases[name] = value


def _hash(walk: Walk, call: Call, node: "Node", state: State) -> None:
    if call.argv[1:2] == ["-p"] and len(call.argv) == 4:
        state.aliases[call.argv[3]] = call.argv[2]


def _enable(walk: Walk, call: Call, node: "Node", state: State) -> None:
    if "-f" in call.argv:
        walk.doubt("text", call.start, "what `enable -f` loads is only known when it runs")


def _subscripts(walk: Walk, call: Call, node: "Node", state: State) -> None:
    """A subscript is arithmetic, which runs the substitutions in it even where quotes have hidden them so far."""
    if any([("[" in word and "$(" in word) or "`" in word for word in call.argv[1:]]):
        walk.doubt("text", call.start, f"`{call.name}` runs what stands in a subscript")


BUILTINS = {
    "cd": _cd, "chdir": _cd, "pushd": _cd, "popd": _popd, "export": _declare, "declare": _declare,
    "typeset": _declare, "local": _declare, "readonly": _declare, "read": _read, "mapfile": _read, "readarray": _read,
    "let": _subscripts, "test": _subscripts, "[": _subscripts, "hash": _hash, "enable": _enable, "unset": _unset,
    "set": _set, "shift": _shift, "printf": _printf, "alias": _alias,
}  # fmt: skip
