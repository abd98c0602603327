"""Which commands of a text have succeeded: when another one of it begins, and when the text as a whole ends with 0.

`a && b` runs b only after a success; of `a; b` and `a | b` the status of a is lost. What is not certain is left out.
"""

from memdir.shell.reader import read
from memdir.shell.syntax import PARAMETER, Block, Command, Pipeline
from memdir.shell.walk import LOOPS, is_conditional

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

    from memdir.shell.syntax import Node, Word

    Span = tuple[int, int]  # where a command stands in the text
    Known = frozenset[Span]

# After these the status of a text may be another one's, or its commands may be others.
_ENDS = ("exit", "return", "exec", "trap", "kill", "eval", "alias")


class Outcomes:
    """`after`: the commands that have succeeded if the text ends with 0. Each is named by where it stands."""

    def __init__(self, text: str) -> None:
        self._before: "dict[Node, Known]" = {}
        self._pipefail = False
        self._errexit = False
        self._refusals: "set[Node]" = set()  # `exit 1` and its like where they only follow a failure
        self._certain: "set[Node]" = set()  # what is only passed after a success
        script = read(text)
        self._commands = script.commands
        self._loops = [_span(block) for block in script.blocks if block.kind in LOOPS]
        success = self._block(script.whole, frozenset())
        for block in script.blocks:
            if block.kind in ("substitution", "process"):
                self._errexit = self._pipefail = False  # bash does not hand `-e` on to them
                self._block(block, self._around(block))
        success |= self._handed_on(script.whole)
        ends = self._ends_early(script.whole) or script.unread
        self.after: "Known" = frozenset() if ends else success
        self._by_span = {_span(node): known for node, known in self._before.items() if isinstance(node, Command)}

    def before(self, start: int, end: int) -> "Known":
        """The commands that have succeeded whenever this one begins."""
        return self._by_span.get((start, end), frozenset())

    def loop(self, start: int, other: int) -> "Optional[Span]":
        """The widest loop in which a command at `start` stands, and not one at `other`."""
        around = [loop for loop in self._loops if loop[0] < start < loop[1] and not loop[0] < other < loop[1]]
        return min(around, default=None)

    def _around(self, block: Block) -> "Known":
        at: "Optional[Node]" = block.parent
        while at is not None and at not in self._before:
            at = at.parent
        return self._before[at] if at is not None else frozenset()

    def _block(self, block: Block, known: "Known", *, tested: bool = False) -> "Known":
        """What is known if a block that is one list ended with 0."""
        return self._list(block.lists[0], known, tested=tested)[1] if block.lists else known

    def _list(self, pipelines: "list[Pipeline]", known: "Known", *, tested: bool = False) -> "tuple[Known, Known]":
        success = known
        for chain in _chains(pipelines):
            success, known = self._chain(chain, known, tested=tested)
        return known, success

    def _chain(self, chain: "list[Pipeline]", known: "Known", *, tested: bool) -> "tuple[Known, Known]":
        """One `a && b || c`: what is known if its status is 0, and what is known whatever its status is."""
        if chain[0].background:
            for pipeline in chain:
                self._pipeline(pipeline, known, tested=True)
            return known, known
        single = len(chain) == 1
        success = self._pipeline(chain[0], known, tested=tested or not single)
        certain = False  # whether the text goes on only after a success
        for pipeline in chain[1:]:
            if pipeline.joined == "&&":
                success = self._pipeline(pipeline, success, tested=True)
                certain = False
            elif self._refuses(pipeline):
                self._pipeline(pipeline, known, tested=True)
                certain = True
            elif self._fails(pipeline):
                self._pipeline(pipeline, known, tested=True)
                certain = False
            else:
                success &= self._pipeline(pipeline, known, tested=True)
                certain = False
        if single and self._errexit and not tested and not chain[0].negated and _may_stop(chain[0]):
            certain = True
        if single and len(chain[0].nodes) == 1 and chain[0].nodes[0] in self._certain:
            certain = True
        return success, success if certain else known

    def _refuses(self, pipeline: Pipeline, *, bare: bool = True) -> bool:
        """Whether a pipeline ends the text with a failure; `bare`: it runs right after one, which `exit` hands on."""
        if len(pipeline.nodes) != 1 or pipeline.negated:
            return False
        node: "Optional[Node]" = pipeline.nodes[0]
        if isinstance(node, Block) and node.kind == "group" and node.lists[0]:
            last = node.lists[0][-1]
            node = last.nodes[0] if len(last.nodes) == 1 and not last.joined and not last.background else None
            if isinstance(node, Command) and len(node.words) < 2:
                return False  # `exit` alone ends with the status of what stands before it in the braces
        if not isinstance(node, Command) or _word(node, 0) != "exit" or len(node.words) > 2:
            return False
        status = _word(node, 1)
        if len(node.words) == 1 and not bare:
            return False
        if len(node.words) == 2 and not (status.isdecimal() and int(status) % 256):
            return False
        self._refusals.add(node)
        return True

    def _fails(self, pipeline: Pipeline) -> bool:
        """Whether a pipeline always ends with a failure: `false`, or `(echo no; exit 1)`."""
        node = pipeline.nodes[0] if len(pipeline.nodes) == 1 and not pipeline.negated else None
        if isinstance(node, Block) and node.kind == "subshell":
            return self._gives_up(node.lists[0])
        return isinstance(node, Command) and _word(node, 0) == "false"

    def _handed_on(self, block: Block) -> "Known":
        """What has succeeded if a text ends with `exit $status` of what stood before, and that is 0."""
        chains = _chains(block.lists[0]) if block.lists else []
        last = _simple(chains[-1]) if chains else None
        if last is None or len(last.words) != 2 or _word(last, 0) != "exit":
            return frozenset()
        at, source = len(chains) - 1, _parameter(last.words[1])
        if source not in ("?", "PIPESTATUS"):  # a variable, which is set once
            setting = [one for one in self._commands if source in [item.name for item in one.assignments]]
            for place in reversed(range(at)) if len(setting) == 1 else ():
                setter = _simple(chains[place])
                if setter is not None and not setter.words and [one.name for one in setter.assignments] == [source]:
                    at, source = place, _parameter(setter.assignments[0].value)
                    break
        before = chains[at - 1] if at else []
        if source not in ("?", "PIPESTATUS") or len(before) != 1 or before[0].negated or before[0].background:
            return frozenset()
        self._refusals.add(last)  # it ends the text, but with that status
        nodes = before[0].nodes
        node = nodes[0] if source == "PIPESTATUS" else nodes[-1]
        return frozenset([_span(node)]) if isinstance(node, Command) else frozenset()

    def _pipeline(self, pipeline: Pipeline, known: "Known", *, tested: bool) -> "Known":
        """What is known if a pipeline that begins with this ended with 0."""
        options = self._errexit, self._pipefail
        success = known
        for node in pipeline.nodes:
            found = self._node(node, known, tested=tested or pipeline.negated)
            if len(pipeline.nodes) > 1 and self._ends_early(node):
                found = known | {_span(node)}
            if node is pipeline.nodes[-1] or self._pipefail:
                success |= found
        if len(pipeline.nodes) > 1 or pipeline.background:  # each ran in a shell of its own
            self._errexit, self._pipefail = options
        return known if pipeline.negated else success

    def _node(self, node: "Node", known: "Known", *, tested: bool) -> "Known":
        self._before[node] = known
        if isinstance(node, Command):
            self._set(node)
            return known | {_span(node)} | self._printed(node, known)
        if not isinstance(node, Block) or node.kind == "function":
            return known
        if node.kind in ("group", "subshell"):
            options = self._errexit, self._pipefail
            success = self._block(node, known, tested=tested)
            if node.kind == "subshell":
                self._errexit, self._pipefail = options
                return known if self._ends_early(node) else success
            return success
        if node.kind == "if":
            return self._if(node, known, tested=tested)
        for number, pipelines in enumerate(node.lists):
            tests = node.kind in ("while", "until") and number == 0
            success = self._list(pipelines, known, tested=tested or tests)[1]
            if tests and node.kind == "while":
                known = success
        return self._before[node]

    def _printed(self, command: Command, known: "Known") -> "Known":
        """`out=$(lint)` has the status of the lint."""
        parts = command.assignments[-1].value.parts if command.assignments and not command.words else []
        blocks = [part.block for part in parts if part.block is not None]
        if not blocks:
            return known
        options, self._errexit, self._pipefail = (self._errexit, self._pipefail), False, False
        success = self._block(blocks[-1], known)
        self._errexit, self._pipefail = options
        return known if self._ends_early(blocks[-1]) else success

    def _ends_early(self, node: "Node") -> bool:
        """Whether something in a shell of its own may end it with 0 before its last command."""
        inside = [one for one in self._commands if node.start <= one.start < node.end]
        return any([_may_end(one) and one not in self._refusals for one in inside])

    def _if(self, block: Block, known: "Known", *, tested: bool) -> "Known":
        """Conditions and branches take turns; a last one that is left over is `else`."""
        ends: "list[Known]" = []
        lists = block.lists
        outside = known
        if len(lists) in (2, 3):
            held, failed = self._condition(lists[0], known)
            if self._gives_up(lists[1]) and len(lists) == 2:
                self._list(lists[1], held, tested=tested)
                self._certain.add(block)
                return failed
            if len(lists) == 3 and self._gives_up(lists[2]):
                success = self._list(lists[1], held, tested=tested)[0]
                self._list(lists[2], failed, tested=tested)
                self._certain.add(block)
                return success | held
        for at in range(0, len(lists) - 1, 2):
            known, held = self._list(lists[at], known, tested=True)
            ends.append(self._list(lists[at + 1], held, tested=tested)[1])
        if len(lists) % 2 == 0:
            return outside  # none of the conditions may hold
        ends.append(self._list(lists[-1], known, tested=tested)[1])
        return frozenset.intersection(*ends)

    def _condition(self, pipelines: "list[Pipeline]", known: "Known") -> "tuple[Known, Known]":
        """What is known if a condition held, and if it did not: of `! lint` the latter is that it has succeeded."""
        held = self._list(pipelines, known, tested=True)[1]
        if len(pipelines) != 1 or not pipelines[0].negated or pipelines[0].background:
            return held, known
        plain = Pipeline()
        plain.nodes = pipelines[0].nodes
        return held, self._pipeline(plain, known, tested=True)

    def _gives_up(self, pipelines: "list[Pipeline]") -> bool:
        """Whether a branch always ends the text with a failure."""
        last = pipelines[-1] if pipelines else None
        return last is not None and not last.joined and not last.background and self._refuses(last, bare=False)

    def _set(self, command: Command) -> None:
        """`set -e`, `set -o pipefail` and their like; what may not run switches nothing on."""
        if _word(command, 0) != "set":
            return
        sure = not is_conditional(command)
        for at, word in enumerate(command.words[1:], 1):
            text = word.text or ""
            on = text[:1] == "-" and sure
            named = _word(command, at + 1) if text[1:2] and text[-1:] == "o" else ""
            if text[:1] in ("-", "+") and "e" in text:
                self._errexit = on
            if named == "errexit":
                self._errexit = on
            elif named == "pipefail":
                self._pipefail = on


def _chains(pipelines: "list[Pipeline]") -> "list[list[Pipeline]]":
    found: "list[list[Pipeline]]" = []
    for pipeline in pipelines:
        if pipeline.joined and found:
            found[-1].append(pipeline)
        else:
            found.append([pipeline])
    return found


def _may_end(command: Command) -> bool:
    """Whether the text may end here, with a status that is not that of what it ran."""
    first = _word(command, 0)
    if first in ("builtin", "command"):
        first = _word(command, 1)
    return first in _ENDS or (first == "set" and "n" in _word(command, 1)[1:])


def _may_stop(pipeline: Pipeline) -> bool:
    """Whether `set -e` ends the text at its failure: not at that of a block whose last command failed where `-e` is
    ignored, as in `{ a && b; }`.
    """
    node = pipeline.nodes[0] if len(pipeline.nodes) == 1 else None
    return not isinstance(node, Block) or node.kind == "subshell"


def _simple(chain: "list[Pipeline]") -> "Optional[Command]":
    """The command that a chain is, if it is one alone."""
    node = chain[0].nodes[0] if len(chain) == 1 and len(chain[0].nodes) == 1 and not chain[0].background else None
    return node if isinstance(node, Command) and not chain[0].negated else None


def _parameter(word: "Word") -> str:
    """The name in a word that is `$name` or `${PIPESTATUS[0]}` and nothing else; "" for any other."""
    part = word.parts[0] if len(word.parts) == 1 else None
    if part is None or part.kind != PARAMETER:
        return ""
    first = part.name == "PIPESTATUS" and part.text.strip('"') in ("${PIPESTATUS[0]}", "$PIPESTATUS", "${PIPESTATUS}")
    return part.name if first or (part.name != "PIPESTATUS" and not part.operator) else ""


def _word(command: Command, at: int) -> str:
    return (command.words[at].text or "") if at < len(command.words) else ""


def _span(node: "Node") -> "Span":
    return node.start, node.end
