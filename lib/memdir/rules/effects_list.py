"""What one call does to files, as a list of effects that its program's module fills in."""

from memdir.shell.arguments import ANY, BRACKET, NAME, QUESTION, STAR, fits, has_glob, known, literal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

    from memdir.shell.calls import Call, Machine

WRITE = "write"
DELETE = "delete"
READ = "read"
MOST_NAMES = 1000
_HOLES = (ANY, NAME)
_OWN_GLOBS = frozenset("*?[")


class Effect:
    """`kind` is write, delete or read. `path` is absolute where the call's directory is known, else as it was written;
    it may hold marks, and stays as it was written when it begins with one. `tree`: all that is below it as well.
    `sure` is False when it depends on what the program finds, or on its input, whether this file is touched.
    `chosen`: the program itself chooses among all that the path stands for.
    """

    __slots__ = ("chosen", "kind", "path", "sure", "tree")

    def __init__(self, kind: str, path: str, tree: bool = False, sure: bool = True, *, chosen: bool = False) -> None:
        self.kind = kind
        self.path = path
        self.tree = tree
        self.sure = sure
        self.chosen = chosen

    def __repr__(self) -> str:
        return f"Effect({self.kind}, {self.path!r}, tree={self.tree}, sure={self.sure})"


class Effects:
    """Gathers the effects of a call. Paths are given as arguments, relative to `cwd`."""

    def __init__(self, call: "Call", machine: "Machine") -> None:
        self.call = call
        self.machine = machine
        self.cwd = call.cwd
        self.found: "list[Effect]" = []

    def write(self, path: str, *, tree: bool = False, sure: bool = True) -> None:
        self._add(WRITE, path, tree, sure)

    def write_chosen(self, path: str) -> None:
        """What the program itself chooses in a folder, or by a glob of its own."""
        pieces = path.rstrip("/").split("/")
        marked = [not _OWN_GLOBS.isdisjoint(piece) for piece in pieces]
        if True not in marked:
            pieces.append(NAME)
        elif "**" in pieces:
            first = pieces.index("**")
            pieces = [*(pieces[:first] or ["."]), NAME, *(pieces[-1:] if pieces[-1] != "**" else [])]
        whole = "/".join(pieces).replace("*", STAR).replace("?", QUESTION).replace("[", BRACKET)
        self.found.append(Effect(WRITE, self.absolute(whole), chosen=True))

    def delete(self, path: str, *, tree: bool = False, sure: bool = True) -> None:
        self._add(DELETE, path, tree, sure)

    def read(self, path: str, *, tree: bool = False, sure: bool = True) -> None:
        if path != "-":
            self._add(READ, path, tree, sure)

    def _add(self, kind: str, path: str, tree: bool, sure: bool) -> None:
        for each in self.expanded([path]) or ([literal(path)] if kind == WRITE else []):
            if each and not each.startswith("/dev/fd/") and each != "/dev/null":
                self.found.append(Effect(kind, self.absolute(each), tree, sure and BRACKET not in path))

    def absolute(self, path: str) -> str:
        return joined(self.cwd, path, self.machine)

    def kind(self, path: str) -> str:
        """ "file", "dir" or "": nothing is there, or it cannot be known."""
        path = self.absolute(path)
        return self.machine.kind(path) if path[:1] == "/" and known(path) else ""

    def is_folder(self, path: str) -> bool:
        return path.endswith(("/", "/.", "/..")) or path in (".", "..") or self.kind(path) == "dir"

    def expanded(self, arguments: "list[str]") -> "list[str]":
        """The arguments with globs replaced by the names that are there, as far as that can be known."""
        found: "list[str]" = []
        for argument in arguments:
            names = None
            if has_glob(argument):
                names = glob(self.absolute(argument), self.machine)
            found += [argument] if names is None else names
        return found

    def text(self, path: str) -> "Optional[str]":
        """What a file holds; None if it cannot be known as a whole."""
        path = self.absolute(path)
        text = self.machine.text(path) if path[:1] == "/" and known(path) else ""
        return text if text and len(text) < 200_000 else None


def joined(folder: str, path: str, machine: "Machine") -> str:
    """The path seen from the folder, without dot segments; unchanged if it begins with a mark or the folder is ""."""
    if path[:15] == "/proc/self/cwd/" and folder:
        path = path[15:]
    if path[:1] in _HOLES or (path[:1] != "/" and not folder):
        return path
    whole = path if path[:1] == "/" else folder + "/" + path
    if "//" not in whole and "/." not in whole and (whole[-1] != "/" or whole == "/"):
        return whole
    parts: "list[str]" = []
    for part in whole.split("/"):
        if part == "..":
            above = "/" + "/".join(parts)
            parts = (machine.real(above) if known(above) else above).strip("/").split("/")[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/" + "/".join(parts)


def glob(path: str, machine: "Machine") -> "Optional[list[str]]":
    """The existing paths that an absolute path with globs stands for, sorted; None if that cannot be known."""
    if path[:1] != "/" or ANY in path or NAME in path:
        return None
    found = [""]
    last = ""
    for last in path.split("/")[1:]:
        if not has_glob(last):
            found = [folder + "/" + last for folder in found]
            continue
        folders = [folder for folder in found if machine.kind(folder or "/") == "dir"]
        if last == STAR * 2 or (not folders and machine.kind("/") != "dir"):
            return None
        found = [
            folder + "/" + name
            for folder in folders
            for name in sorted(machine.names(folder or "/"))
            if fits(last, name) and (name[0] != "." or last[0] == ".")
        ]
        if len(found) > MOST_NAMES:
            return None
    return found if has_glob(last) else [each for each in found if machine.kind(each)]


def basename(path: str) -> str:
    return path.rstrip("/").rsplit("/", 1)[-1]
