"""Programs that copy, move, link and remove files."""

from memdir.rules.effects_list import basename, joined
from memdir.rules.options import Options, parse
from memdir.shell.arguments import known
from memdir.shell.wrappers import program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from memdir.rules.effects_list import Effects
    from memdir.shell.calls import Call, Machine

_COPY_LONG = "target-directory suffix"
RSYNC_LONG = """
    rsh exclude include exclude-from include-from filter files-from log-file temp-dir backup-dir suffix bwlimit
    max-size min-size timeout port password-file link-dest copy-dest compare-dest partial-dir out-format chmod chown
    usermap groupmap block-size compress-level rsync-path info debug max-delete modify-window skip-compress iconv
    address sockopts read-batch write-batch only-write-batch protocol checksum-seed
"""


class Copy:
    """The sources of cp, mv, ln, install, scp or rsync and where each of them goes.

    `folder`: the destination is a directory that they go into.
    """

    __slots__ = ("folder", "options", "sources", "target")

    def __init__(self, effects: "Effects", options: Options, sources: "list[str]", target: str, folder: bool) -> None:
        self.options = options
        self.sources = effects.expanded(sources)
        self.target = target
        self.folder = folder

    def pairs(self) -> "list[tuple[str, str]]":
        """Each source and the path that it gets."""
        return [(source, self._place(source)) for source in self.sources]

    def _place(self, source: str) -> str:
        name = basename(source)
        if not self.folder or name in ("", ".", ".."):
            return self.target
        inside = source.strip("/") if self.options.has("parents") else name
        return self.target.rstrip("/") + "/" + inside if self.target != "/" else "/" + inside


def read_copy(
    effects: "Effects", words: "list[str]", short: str = "tS", long: str = _COPY_LONG, *, links: bool = False
) -> Copy:
    options = parse(words, short, long)
    operands = options.operands
    target = options.value("t", "target-directory") if "t" in short else ""
    if target:
        return Copy(effects, options, operands, target, True)
    if len(operands) < 2:
        return Copy(effects, options, operands, ".", True)
    operands = effects.expanded(operands[:-1]) + operands[-1:]
    target = (effects.expanded(operands[-1:]) or operands)[-1]
    single = "S" in short and options.has("T", "no-target-directory", *["n", "no-dereference"] * links)
    folder = not single and (len(operands) > 2 or effects.is_folder(target))
    return Copy(effects, options, operands[:-1], target, folder)


def copy(effects: "Effects", words: "list[str]") -> None:
    copy = read_copy(effects, words)
    if len(copy.options.operands) < 2 and not copy.options.has("t", "target-directory"):
        return
    whole = copy.options.has("r", "R", "a", "recursive", "archive")
    keeps = copy.options.has("n", "no-clobber")
    for source, path in copy.pairs():
        if not keeps or effects.kind(path) != "file":
            effects.write(path, tree=whole and effects.kind(source) != "file")


def move(effects: "Effects", words: "list[str]") -> None:
    copy = read_copy(effects, words)
    if len(copy.options.operands) < 2 and not copy.options.has("t", "target-directory"):
        return
    for source, path in copy.pairs():
        if copy.options.has("n", "no-clobber") and effects.kind(path) == "file":
            continue
        tree = effects.kind(source) != "file"
        effects.delete(source, tree=tree)
        effects.write(path, tree=tree)


def link(effects: "Effects", words: "list[str]") -> None:
    for _, path in read_copy(effects, words, links=True).pairs():
        effects.write(path)


def install(effects: "Effects", words: "list[str]") -> None:
    copy = read_copy(effects, words, "tSgmo", _COPY_LONG + " group mode owner strip-program")
    if not copy.options.has("d", "directory"):
        for _, path in copy.pairs():
            effects.write(path)


def scp(effects: "Effects", words: "list[str]") -> None:
    copy = read_copy(effects, words, "cDFiJloPSX", "")
    if not is_remote(copy.target):
        for source, path in _local_names(copy):
            effects.write(path, tree=copy.options.has("r") and effects.kind(source) != "file")


def rsync(effects: "Effects", words: "list[str]") -> None:
    copy = read_copy(effects, words, "efBTM", RSYNC_LONG)
    options = copy.options
    if len(options.operands) < 2 or options.has("n", "dry-run", "list-only"):
        return
    if not is_remote(copy.target):
        for source, path in _local_names(copy):
            whole = source.endswith("/")
            path = copy.target if whole else path
            effects.write(path, tree=whole or effects.kind(source) != "file")
            if any([name.startswith("del") for name, _ in options.found]):
                effects.delete(
                    path, tree=True, sure=not options.has("f", "exclude", "exclude-from", "filter", "include")
                )
    if options.has("remove-source-files"):
        for source in copy.sources:
            if not is_remote(source):
                effects.delete(source, tree=True)


def _local_names(copy: Copy) -> "list[tuple[str, str]]":
    copy.sources = [source.split(":", 1)[1] if is_remote(source) else source for source in copy.sources]
    return copy.pairs()


def is_remote(path: str) -> bool:
    return ":" in path.split("/", 1)[0] or path.startswith(("scp://", "rsync://"))


def remove(effects: "Effects", words: "list[str]") -> None:
    options = parse(words)
    for path in options.operands:
        effects.delete(path, tree=options.has("r", "R", "recursive"))


def shred(effects: "Effects", words: "list[str]") -> None:
    options = parse(words, "ns", "iterations size random-source", glued="")
    for path in options.operands:
        (effects.delete if options.has("u", "remove") else effects.write)(path)


def links(call: "Call", machine: "Machine", effects: "Effects") -> "list[tuple[str, str]]":
    """The links that `ln` and `cp -l` or `cp -s` make: absolute paths of each and of what it leads to."""
    name = program(call.argv)
    if name not in ("ln", "cp", "link"):
        return []
    copy = read_copy(effects, call.argv[1:], links=name == "ln")
    symbolic = copy.options.has("s", "symbolic", "symbolic-link")
    if name == "cp" and not symbolic and not copy.options.has("l", "link"):
        return []
    found = []
    for source, path in copy.pairs():
        path = effects.absolute(path)
        # `ln -s` keeps the text as it is, so it counts from the place of the link
        folder = (
            path.rsplit("/", 1)[0] if name == "ln" and symbolic and not copy.options.has("r", "relative") else call.cwd
        )
        target = joined(folder or "/", source, machine)
        if known(path) and known(target) and path[:1] == "/" == target[:1]:
            found.append((path, target))
    return found


PROGRAMS: "dict[str, Callable[[Effects, list[str]], None]]" = {
    "cp": copy,
    "install": install,
    "link": link,
    "ln": link,
    "mv": move,
    "rm": remove,
    "rmdir": remove,
    "rsync": rsync,
    "scp": scp,
    "shred": shred,
    "srm": remove,
    "trash": remove,
    "trash-put": remove,
    "unlink": remove,
}
