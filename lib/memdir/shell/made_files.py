"""The files, copies and links that a command line makes, so that running them can be followed."""

from memdir.shell import outputs, wrappers
from memdir.shell.arguments import ANY, fits, joined, lexical

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

    from memdir.shell.calls import Call, Machine


class MadeFiles:
    """`texts` are the files by their paths, None where the text is not known; `links` the symbolic links, and what
    they lead to as it is written.
    """

    def __init__(self, machine: "Machine") -> None:
        self.texts: "dict[str, Optional[str]]" = {}
        self.links: "dict[str, str]" = {}
        self._copies: "dict[str, str]" = {}  # copies and links of other programs
        self._machine = machine

    def note(self, call: "Call") -> None:
        """Remembers the files that the call makes."""
        for target in call.writes:
            text = ANY if call.implied else outputs.printed([call.without_writes()], self._machine)
            self._remember(call, target, None if ANY in text else text)
        name = wrappers.program(call.argv)
        operands = [word for word in call.argv[1:] if word[:1] != "-"]
        if name == "tee":
            for target in operands:
                self._remember(call, target, self.input_of(call))
        elif name in ("dd", "sed", "perl", "ruby"):
            targets = [word[3:] for word in operands if word[:3] == "of="] if name == "dd" else operands
            for target in targets:
                if name == "dd" or self._path(call, target) in self.texts:
                    self._remember(call, target, self.input_of(call) if name == "dd" else None)
        elif name in ("curl", "wget"):
            self._note_downloads(call, operands)
        elif name in ("cp", "mv", "ln", "install") and len(operands) == 2:
            self._note_copy(call, name, *operands)

    def _note_downloads(self, call: "Call", operands: "list[str]") -> None:
        for place, word in enumerate(call.argv):
            if word in ("-o", "-O", "--output", "--output-document") and place + 1 < len(call.argv):
                self._remember(call, call.argv[place + 1], None)
            elif word[:2] != "--" and word[:2] in ("-o", "-O") and len(word) > 2:
                self._remember(call, word[2:], None)
        for word in operands:
            if "/" in word:
                self._remember(call, word.split("?")[0].rsplit("/", 1)[-1], None)

    def _note_copy(self, call: "Call", name: str, original: str, copy: str) -> None:
        source = self._path(call, original)
        if source in self.texts:
            self._remember(call, copy, self.texts[source])
        elif name == "ln" and "/bin/" not in source:
            self.links[self._path(call, copy)] = original
        elif "/bin/" in source:
            target = joined(call.cwd, copy, self._machine.home)
            into = self._machine.kind(target) == "dir" or target.endswith(("/", "/."))
            self._copies[target.rstrip("/.") + source[source.rfind("/") :] if into else target] = source

    def _remember(self, call: "Call", target: str, text: "Optional[str]") -> None:
        path = self._path(call, target)
        if path[:5] != "/dev/" or path[:9] == "/dev/shm/":
            before = self.texts.get(path)
            self.texts[path] = before + text if before is not None and text is not None else text

    def _path(self, call: "Call", path: str) -> str:
        return lexical(joined(call.cwd, path, self._machine.home))

    def input_of(self, call: "Call") -> "Optional[str]":
        """The text on the call's standard input, which may hold marks; None when nothing is known of it."""
        if call.input is not None:
            return call.input
        if call.source:
            return self.texts.get(joined(call.cwd, call.source, self._machine.home))
        return outputs.printed(call.feeders, self._machine) if call.feeders else None

    def found(self, cwd: str, path: str) -> str:
        """The file of this command line that a path leads to, if only by its last name; "" if there is none."""
        whole = lexical(joined(cwd, path, self._machine.home))
        if whole in self.texts:
            return whole
        last = path.rsplit("/", 1)[-1]
        return next((other for other in self.texts if last and fits(last, other.rsplit("/", 1)[-1])), "")

    def original(self, cwd: str, program: str) -> str:
        """The program that this command line has copied or linked to this one, by its path or name; "" if none."""
        copied = self._copies.get(joined(cwd, program, self._machine.home), "")
        if copied or "/" in program:
            return copied
        return next((source for copy, source in self._copies.items() if copy.rsplit("/", 1)[-1] == program), "")
