"""Programs that write what they make to a file named among their arguments."""

from memdir.rules.options import output_files, parse
from memdir.shell.arguments import NAME, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from memdir.rules.effects_list import Effects


def tee(effects: "Effects", words: "list[str]") -> None:
    for path in parse(words).operands:
        effects.write(path)


def truncate(effects: "Effects", words: "list[str]") -> None:
    for path in parse(words, "srlo", "size reference length offset").operands:
        effects.write(path)


def touch(effects: "Effects", words: "list[str]") -> None:
    options = parse(words, "drt", "date reference time")
    for path in [] if options.has("c", "h", "no-create", "no-dereference") else effects.expanded(options.operands):
        if not effects.kind(path):
            effects.write(path)


def first(effects: "Effects", words: "list[str]") -> None:
    for path in parse(words, "mZ", "mode").operands[:1]:
        effects.write(path)


def second(effects: "Effects", words: "list[str]") -> None:
    for path in parse(words, "fsw", "skip-fields skip-chars check-chars").operands[1:2]:
        effects.write(path)


def xxd(effects: "Effects", words: "list[str]") -> None:
    values = ("-c", "-cols", "-g", "-l", "-len", "-n", "-name", "-o", "-R", "-s", "-seek")
    files = [
        word
        for place, word in enumerate(words)
        if word[:1] != "-" and words[place - 1 : place] not in [[v] for v in values]
    ]
    for path in files[1:2]:
        effects.write(path)


def dd(effects: "Effects", words: "list[str]") -> None:
    for word in words:
        if word.startswith("of="):
            effects.write(word[3:])


def sort(effects: "Effects", words: "list[str]") -> None:
    for path in parse(words, "kotST", "key field-separator output buffer-size temporary-directory parallel").values(
        "o", "output"
    ):
        effects.write(path)


def split(effects: "Effects", words: "list[str]") -> None:
    options = parse(words, "abClntu", "suffix-length bytes line-bytes lines number separator additional-suffix filter")
    effects.write((options.operands[1:2] or ["x"])[0] + NAME, sure=False)


def csplit(effects: "Effects", words: "list[str]") -> None:
    effects.write((parse(words, "fnb", "prefix digits suffix-format").value("f", "prefix") or "xx") + NAME, sure=False)


_SUFFIXES = {
    "gzip": ".gz",
    "bzip2": ".bz2",
    "xz": ".xz",
    "lzma": ".lzma",
    "zstd": ".zst",
    "compress": ".Z",
    "lz4": ".lz4",
}
_UNPACKERS = {
    "gunzip": "gzip", "bunzip2": "bzip2", "unxz": "xz", "unlzma": "lzma", "unzstd": "zstd", "uncompress": "compress",
    "unlz4": "lz4", "pigz": "gzip", "unpigz": "gzip", "pbzip2": "bzip2",
}  # fmt: skip


def compress(effects: "Effects", words: "list[str]", name: str) -> None:
    options = parse(words, "SFTCoDp" if name != "gzip" else "Sp", "suffix format threads check memlimit", glued="M")
    unpacks = (
        name.startswith("un") or name == "bunzip2" or name == "gunzip" or options.has("d", "decompress", "uncompress")
    )
    packer = _UNPACKERS.get(name, name)
    keeps = options.has("k", "keep") or (packer in ("zstd", "lz4") and not options.has("rm", "m"))
    if options.has("c", "stdout", "to-stdout", "t", "test", "l", "list"):
        return
    suffix = options.value("S", "suffix") or _SUFFIXES[packer]
    output = options.value("o") if packer == "zstd" else ""
    for path in effects.expanded(options.operands):
        if effects.is_folder(path):
            if options.has("r", "recursive"):
                effects.write(path, tree=True, sure=False)
            continue
        if unpacks and not path.endswith((suffix, ".tgz", ".tbz2", ".txz")) and not output and known(path):
            path += suffix  # `gunzip f` takes f.gz
        if not keeps:
            effects.delete(path)
        stem = path[: -len(suffix)] if path.endswith(suffix) else path.rpartition(".")[0] + ".tar"
        effects.write(output or (stem if unpacks else path + suffix))


def find(effects: "Effects", words: "list[str]") -> None:
    for place, word in enumerate(words):
        if word in ("-fprint", "-fprint0", "-fprintf", "-fls"):
            for path in words[place + 1 : place + 2]:
                effects.write(path)


def openssl(effects: "Effects", words: "list[str]") -> None:
    for place, word in enumerate(words):
        if word in ("-out", "-keyout", "-writerand", "-CAserial"):
            for path in words[place + 1 : place + 2]:
                effects.write(path)


def ffmpeg(effects: "Effects", words: "list[str]") -> None:
    if len(words) > 1 and words[-1][:1] != "-" and words[-2] != "-i":
        effects.write(words[-1])


def keygen(effects: "Effects", words: "list[str]") -> None:
    options = parse(words, "fbtCNPOmaIVnrDsYZ")
    if not options.has("l", "y", "F", "H", "Y"):
        for path in options.values("f"):
            effects.write(path)
            effects.write(path + ".pub")


def generic(effects: "Effects", words: "list[str]") -> None:
    """Any program that is given `-o FILE`."""
    for path in output_files(words):
        effects.write(path)


def nothing(effects: "Effects", words: "list[str]") -> None:
    """For programs whose -o is no file that they write."""


PROGRAMS: "dict[str, Callable[[Effects, list[str]], None]]" = {
    "csplit": csplit,
    "dd": dd,
    "fallocate": truncate,
    "ffmpeg": ffmpeg,
    "find": find,
    "json.tool": second,
    "mkfifo": tee,
    "mknod": first,
    "openssl": openssl,
    "sort": sort,
    "split": split,
    "sponge": tee,
    "ssh-keygen": keygen,
    "tee": tee,
    "touch": touch,
    "truncate": truncate,
    "uniq": second,
    "xxd": xxd,
}
NAMED: "dict[str, Callable[[Effects, list[str], str], None]]" = dict.fromkeys([*_SUFFIXES, *_UNPACKERS], compress)
# Their -o is no file that they write.
WITHOUT_OUTPUT = frozenset(
    """
    ag ack aws az cat column date df dig docker echo egrep false fgrep findmnt fuser gcloud gh grep head helm ip
    jq kubectl ls lsblk lsof mkdir mount nc netstat nmap ping pgrep pkill printf ps rg set shopt ss ssh sshd
    stat systemctl tail terraform test tmux top tr tree true useradd vmstat wc xargs zgrep
    """.split()
)
