"""Programs that show, send or copy what is in the files that they are given."""

from memdir.rules.effects_archives import Tar, curl_options, within
from memdir.rules.effects_copies import RSYNC_LONG, is_remote, read_copy
from memdir.rules.effects_edits import sed_parts
from memdir.rules.effects_git import base_folder
from memdir.rules.options import Options, parse
from memdir.rules.wildcards import alternatives
from memdir.shell.arguments import NAME, QUESTION, STAR, known
from memdir.shell.git import parse as parse_git

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from memdir.rules.effects_list import Effects

# Programs that read all their operands, with the options that take a value.
_SHORT = {
    item.partition(":")[0]: item.partition(":")[2]
    for item in """
        base32:w base64:wi bat:lrHm batcat:lrHm bzcat bzip2 bzless cat cmp:in code:g colordiff:UCIFxXSW
        column:cons comm csplit:fnb cut:bcdf diff:UCIFxXSWL ed:p emacs:lf ex:cS expand:t fmt:wpg fold:w glow:sw
        gpg:oru gunzip:S gzcat gzip:S head:nc hexdump:nsef hexyl:nsc iconv:fto join:12jeot less:bhjopPtTxyz
        mapfile micro more:n most nano:Trs nl:bdfhilnsvw nvim:cS od:AjNStw open:ab paste:d pico pr:DNSWehilnosw
        rev sdiff:wo shuf:inor sort:kotST sponge strings:nte tac:s tail:ncs unexpand:t uniq:fsw vi:cS view:cS
        vim:cS vimdiff:c w3m xdg-open xxd:cglosnR xz:FCSTM xzcat zcat zip:bntsP zless zstd:oDT zstdcat
    """.split()
}
_LONG = """bytes lines delimiter fields characters width language line-range key field-separator output format from to
    skip-bytes read-bytes recipient local-user passphrase-file"""
_GREP_LONG = """
    regexp file max-count context after-context before-context include exclude include-dir exclude-dir glob iglob
    type type-not type-add max-depth threads replace sort engine colors max-columns ignore-file
"""
_GREPS = {
    "ack": "mABC",
    "ag": "mABCGp",
    "egrep": "efmABCDd",
    "fgrep": "efmABCDd",
    "grep": "efmABCDd",
    "rg": "efmABCgtTjrEMd",
    "zgrep": "efmABC",
}
_FIRST_IS_NONE = {"jq": "fL", "yq": "opI", "awk": "fvF", "gawk": "fvFi", "mawk": "fvF", "nawk": "fvF"}
_COPIES = {
    "cp": ("tS", ""),
    "install": ("tSgmo", ""),
    "ln": ("tS", ""),
    "link": ("", ""),
    "mv": ("tS", ""),
    "scp": ("cDFiJloPSX", ""),
    "rsync": ("efBTM", RSYNC_LONG),
}


def operands(effects: "Effects", words: "list[str]", name: str) -> None:
    for path in parse(words, _SHORT[name], _LONG).operands:
        if path[:1] != "+":
            effects.read(path, tree=name == "zip" and effects.kind(path) == "dir")


def grep(effects: "Effects", words: "list[str]", name: str) -> None:
    options = parse(words, _GREPS[name], _GREP_LONG)
    for path in options.values("f", "file"):
        effects.read(path)
    deep = name in ("ack", "ag", "rg") or options.has("r", "R", "recursive", "dereference-recursive")
    files = options.operands
    if not options.has("e", "f", "regexp", "file") and not (name == "rg" and options.has("files")):
        files = files[1:]
    fed = effects.call.feeders or effects.call.source or effects.call.input is not None
    for path in files or ["."] * (deep and not fed):
        effects.read(path, tree=deep and effects.kind(path) != "file")
        for included in _included(options, name) if deep and effects.kind(path) != "file" else []:
            effects.read(f"{path.rstrip('/')}/{NAME}/{included}")  # however deep


def _included(options: Options, name: str) -> "list[str]":
    """The names of the files to which a search in folders is confined, with marks."""
    if name == "rg" and options.has("files"):
        return []  # their names are all that it prints
    found = options.values("include") + (options.values("g", "glob", "iglob") if name == "rg" else [])
    names = [each for one in found if one[:1] not in ("", "!") for each in _alternatives(one)]
    return [each.rsplit("/", 1)[-1].replace("*", STAR).replace("?", QUESTION) for each in names]


def _alternatives(glob: str) -> "list[str]":
    try:
        return alternatives(glob)
    except ValueError:
        return [glob]


def filtered(effects: "Effects", words: "list[str]", name: str) -> None:
    """jq and awk: the first operand is their program."""
    options = parse(words, _FIRST_IS_NONE[name], "from-file file arg argjson slurpfile rawfile assign field-separator")
    for path in options.operands if options.has("f", "file", "from-file") else options.operands[1:]:
        if "=" not in path:
            effects.read(path)


def sed(effects: "Effects", words: "list[str]", name: str) -> None:
    options = parse(words, "efl", "expression file line-length", glued="iI")
    scripts, paths = sed_parts(options)
    in_place = options.values("i", "I", "in-place")
    if in_place and not any(in_place) and scripts and all([_only_substitutes(script) for script in scripts]):
        return  # what it reads goes back to where it was
    for path in paths:
        effects.read(path)


def _only_substitutes(script: str) -> bool:
    """Whether a script of sed is one `s/a/b/` without a flag that writes or runs anything."""
    parts = script[1:].split(script[1:2]) if script[:1] == "s" and script[1:2] else []
    return len(parts) == 4 and known(script.replace(NAME, "")) and set(parts[3]) <= set("gpiIm0123456789")


def script(effects: "Effects", words: "list[str]", name: str) -> None:
    """perl and ruby that go through files with -n or -p."""
    options = parse(words, "eErI", "", glued="0lFMmCxDdiTKW", leading=True)
    if options.has("n", "p"):
        for path in options.operands if options.has("e", "E") else options.operands[1:]:
            effects.read(path)


def copies(effects: "Effects", words: "list[str]", name: str) -> None:
    short, long = _COPIES[name]
    copy = read_copy(effects, words, short, long or "target-directory suffix mode owner group")
    if name == "install" and copy.options.has("d", "directory"):
        return
    for source in copy.sources:
        if not is_remote(source):
            effects.read(source, tree=effects.kind(source) != "file")


def dd(effects: "Effects", words: "list[str]", name: str) -> None:
    for word in words:
        if word.startswith("if="):
            effects.read(word[3:])


def tar(effects: "Effects", words: "list[str]", name: str) -> None:
    tar = Tar(words)
    if tar.mode in ("c", "r", "u"):
        for member in tar.options.operands:
            effects.read(within(tar.folder, member), tree=True)


def curl(effects: "Effects", words: "list[str]", name: str) -> None:
    for given, value in curl_options(words).found:
        if not value:
            continue
        if given in ("T", "K", "E", "cert", "key") or (
            len(given) > 2 and "upload-file config netrc-file".find(given) >= 0
        ):
            effects.read(value)
        elif value[0] == "@" and (given == "d" or given.startswith("data")) and given != "data-raw":
            effects.read(value[1:])
        elif given == "data-urlencode" and "@" in value:
            effects.read(value.partition("@")[2])
        elif given == "F" or "form".startswith(given):
            content = value.partition("=")[2]
            if content[:1] in ("@", "<"):
                effects.read(content[1:].partition(";")[0])
        elif given in ("H", "b", "header", "cookie") and (
            value[0] == "@" or (given in ("b", "cookie") and "=" not in value)
        ):
            effects.read(value.lstrip("@"))
    for url in curl_options(words).operands:
        if url.startswith("file://"):
            effects.read(url[7:])


def named(effects: "Effects", words: "list[str]", name: str) -> None:
    """Programs that name the files they read with an option."""
    options = _NAMING[name]
    for place, word in enumerate(words):
        option, equals, value = word.partition("=")
        if option in options:
            for path in [value] if equals else words[place + 1 : place + 2]:
                effects.read(path.lstrip("@"))


_NAMING = {
    "docker": ("--env-file",),
    "kubectl": ("--from-file", "--from-env-file", "-f", "--filename"),
    "nerdctl": ("--env-file",),
    "openssl": ("-in", "-inkey"),
    "podman": ("--env-file",),
    "wget": ("--post-file", "--body-file", "-i", "--input-file"),
}


def source(effects: "Effects", words: "list[str]", name: str) -> None:
    for path in parse(words, leading=True).operands[:1]:
        effects.read(path)


def git(effects: "Effects", words: "list[str]", name: str) -> None:
    call = parse_git(effects.call.argv, effects.machine, effects.cwd, effects.call.assigned)
    effects.cwd, root = base_folder(effects, words)
    operands = call.operands()
    files = call.args[call.args.index("--") + 1 :] if "--" in call.args else []
    if call.subcommand in ("show", "cat-file", "blame", "annotate", "diff", "log", "grep", "archive"):
        for operand in operands:
            _, colon, path = operand.partition(":")
            if colon and path and "://" not in operand:
                effects.read(path if path[:2] in ("./", "..") else within(root, path))
            elif operand in files or effects.kind(operand):
                effects.read(operand, tree=effects.kind(operand) == "dir")
    if call.subcommand == "grep" and len(operands) < 2:
        effects.read(root or ".", tree=True, sure=False)


PROGRAMS: "dict[str, Callable[[Effects, list[str], str], None]]" = {
    **dict.fromkeys(_SHORT, operands),
    **dict.fromkeys(_GREPS, grep),
    **dict.fromkeys(_FIRST_IS_NONE, filtered),
    **dict.fromkeys(_COPIES, copies),
    **dict.fromkeys(_NAMING, named),
    ".": source, "bsdtar": tar, "curl": curl, "dd": dd, "git": git, "perl": script, "ruby": script, "sed": sed,
    "source": source, "tar": tar,
}  # fmt: skip
