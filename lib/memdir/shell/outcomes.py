"""Which commands of a text have succeeded: when another one of it begins, and when the text as a whole ends with 0.

`a && b` runs b only after a success; of `a; b` and `a | b` the status of a is lost. What is not certain is left out.
"""

from memdir.shell.reader import read
from memdir.shell.syntax import Block, Command
from memdir.shell.walk import is_conditional

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

    from memdir.shell.syntax import Node, Pipeline

    Span = tuple[int, int]  # where a command stands in the text
    Known = frozenset[Span]

_ENDS = ("exit", "return", "exec", "trap", "kill")  # after these the status of a text may be another one's


class Outcomes:
    """`after`: the commands that have succeeded if the text ends with 0. Each is named by where it stands."""

    def __init__(self, text: str) -> None:
        self._before: "dict[Node, Known]" = {}
        self._pipefail = False
        self._errexit = False
        self._refusals: "set[Node]" = set()  # `exit 1` and its like where they only follow a failure
        script = read(text)
        success = self._block(script.whole, frozenset())
        for block in script.blocks:
            if block.kind in ("substitution", "process"):
                self._errexit = self._pipefail = False  # bash does not hand `-e` on to them
                self._block(block, self._around(block))
        ends = [node for node in script.commands if _word(node, 0) in _ENDS and node not in self._refusals]
        self.after: "Known" = frozenset() if ends or script.unread else success
        self._by_span = {_span(node): known for node, known in self._before.items() if isinstance(node, Command)}

    def before(self, start: int, end: int) -> "Known":
        """The commands that have succeeded whenever this one begins."""
        return self._by_span.get((start, end), frozenset())

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
            else:
                success &= self._pipeline(pipeline, known, tested=True)
                certain = False
        if single and self._errexit and not tested and not chain[0].negated:
            certain = True
        return success, success if certain else known

    def _refuses(self, pipeline: "Pipeline") -> bool:
        """Whether a pipeline that runs after a failure ends the text with a failure."""
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
        if len(node.words) == 2 and not (status.isdecimal() and int(status) % 256):
            return False
        self._refusals.add(node)
        return True

    def _pipeline(self, pipeline: "Pipeline", known: "Known", *, tested: bool) -> "Known":
        """What is known if a pipeline that begins with this ended with 0."""
        options = self._errexit, self._pipefail
        success = known
        for node in pipeline.nodes:
            found = self._node(node, known, tested=tested or pipeline.negated)
            if node is pipeline.nodes[-1] or self._pipefail:
                success |= found
        if len(pipeline.nodes) > 1 or pipeline.background:  # each ran in a shell of its own
            self._errexit, self._pipefail = options
        return known if pipeline.negated else success

    def _node(self, node: "Node", known: "Known", *, tested: bool) -> "Known":
        self._before[node] = known
        if isinstance(node, Command):
            self._set(node)
            return known | {_span(node)}
        if not isinstance(node, Block) or node.kind == "function":
            return known
        if node.kind in ("group", "subshell"):
            options = self._errexit, self._pipefail
            success = self._block(node, known, tested=tested)
            if node.kind == "subshell":
                self._errexit, self._pipefail = options
            return success
        if node.kind == "if":
            return self._if(node, known, tested=tested)
        for number, pipelines in enumerate(node.lists):
            tests = node.kind in ("while", "until") and number == 0
            success = self._list(pipelines, known, tested=tested or tests)[1]
            if tests and node.kind == "while":
                known = success
        return self._before[node]

    def _if(self, block: Block, known: "Known", *, tested: bool) -> "Known":
        """Conditions and branches take turns; a last one that is left over is `else`."""
        ends: "list[Known]" = []
        lists = block.lists
        outside = known
        for at in range(0, len(lists) - 1, 2):
            known, held = self._list(lists[at], known, tested=True)
            ends.append(self._list(lists[at + 1], held, tested=tested)[1])
        if len(lists) % 2 == 0:
            return outside  # none of the conditions may hold
        ends.append(self._list(lists[-1], known, tested=tested)[1])
        return frozenset.intersection(*ends)

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


def _word(command: Command, at: int) -> str:
    return (command.words[at].text or "") if at < len(command.words) else ""


def _span(node: "Node") -> "Span":
    return node.start, node.end
