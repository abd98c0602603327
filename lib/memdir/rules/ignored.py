"""What git is told to ignore, by the `.gitignore` files of a worktree."""

from memdir.rules import globs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.rules.globs import PathPattern
    from memdir.shell.calls import Machine


class Ignored:
    """Reads each file once."""

    def __init__(self, machine: "Machine") -> None:
        self._machine = machine
        self._patterns: "dict[str, list[tuple[PathPattern, bool]]]" = {}

    def has(self, path: str, place: str, *, tree: bool) -> bool:
        root = self._machine.worktree(path)[0] or place
        files = [(root, root + "/.git/info/exclude")]
        folder = root
        for name in path[len(root) :].strip("/").split("/"):
            files.append((folder, folder + "/.gitignore"))
            folder += "/" + name
        ignored = False
        for base, file in files:
            for pattern, holds in self._read(base, file):
                if ignored != holds and pattern.matches(path + "/x" * tree, self._machine):
                    ignored = holds
        return ignored

    def _read(self, base: str, file: str) -> "list[tuple[PathPattern, bool]]":
        if file not in self._patterns:
            found = []
            for line in self._machine.text(file).split("\n"):
                text = line.rstrip().removeprefix("\\")
                holds = line[:1] != "!"
                text = text if holds else text[1:]
                if text and line[:1] != "#" and not globs.problem(text):
                    found.append((globs.PathPattern(text, base, self._machine.home), holds))
            self._patterns[file] = found
        return self._patterns[file]
