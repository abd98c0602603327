"""Programs that change a file where it lies: stream editors, editors, formatters."""

from memdir.rules.effects_outputs import generic
from memdir.rules.options import Options, parse
from memdir.rules.wildcards import alternatives
from memdir.shell.arguments import known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from memdir.rules.effects_list import Effects


def sed(effects: "Effects", words: "list[str]") -> None:
    options = parse(words, "efl", "expression file line-length", glued="iI")
    scripts, files = sed_parts(options)
    for script in scripts:
        for path in _sed_outputs(script):
            effects.write(path, sure=False)
    for suffix in options.values("i", "I", "in-place")[-1:]:
        for path in files:
            effects.write(path)
            if suffix and known(path):
                effects.write(suffix.replace("*", path) if "*" in suffix else path + suffix)


def sed_parts(options: Options) -> "tuple[list[str], list[str]]":
    """The scripts in the arguments, and the files that they are for."""
    if options.has("e", "f", "expression", "file"):
        return options.values("e", "expression"), options.operands
    operands = options.operands
    if operands[:1] == [""]:  # `sed -i '' s/a/b/ file`, as BSD has it
        operands = operands[1:]
    return operands[:1], operands[1:]


def _sed_outputs(script: str) -> "list[str]":
    """The files of `w FILE` and `s/a/b/w FILE`; text that only looks like it may be among them."""
    found = []
    for line in script.split("\n"):
        place = line.find("w ")
        while place >= 0:
            if not place or not line[place - 1].isalpha() or line[place - 1] in "gpIiMme":
                found.append(line[place + 2 :].strip())
            place = line.find("w ", place + 2)
    return [path for path in found if path and path not in ("/dev/stdout", "/dev/stderr")]


def awk(effects: "Effects", words: "list[str]") -> None:
    options = parse(words, "fvFiElo", "file assign field-separator include exec load source", leading=True)
    files = options.operands if options.has("f", "file", "source") else options.operands[1:]
    if "inplace" in options.values("i", "include"):
        for path in files:
            effects.write(path)
    for program in options.values("source") or options.operands[:1]:
        for piece in program.split(">")[1:]:
            text = piece.lstrip()
            if text[:1] == '"' and '"' in text[1:]:
                effects.write(text[1:].partition('"')[0], sure=False)


def script(effects: "Effects", words: "list[str]") -> None:
    """perl and ruby with -i."""
    options = parse(words, "eErI", "", glued="0lFMmCxDdiTKW", leading=True)
    files = options.operands if options.has("e", "E") else options.operands[1:]
    for suffix in options.values("i")[-1:]:
        for path in files:
            effects.write(path)
            if suffix and "*" not in suffix:
                effects.write(path + suffix)


def editor(effects: "Effects", words: "list[str]") -> None:
    options = parse(words, "cSuUiTpwWlfL", "cmd eval load funcall")
    if not options.has("R"):
        for path in options.operands:
            if path[:1] != "+":
                effects.write(path)


def ed(effects: "Effects", words: "list[str]") -> None:
    for path in parse(words, "p", "prompt").operands:
        effects.write(path)


# Formatters: the options with which they write (none: they always do), and those with which they do not.
_FORMATTERS = {
    "autoflake": ("--in-place -i", ""),
    "autopep8": ("--in-place -i", ""),
    "biome": ("--write --apply --fix --apply-unsafe", ""),
    "black": ("", "--check --diff"),
    "clang-format": ("-i", "--dry-run -n"),
    "djlint": ("--reformat", ""),
    "dos2unix": ("", "-n --newfile"),
    "eslint": ("--fix", "--fix-dry-run"),
    "gofmt": ("-w", ""),
    "gofumpt": ("-w", ""),
    "goimports": ("-w", ""),
    "isort": ("", "--check --diff -c --check-only"),
    "jpegoptim": ("", ""),
    "mac2unix": ("", ""),
    "markdownlint": ("--fix -f", ""),
    "markdownlint-cli2": ("--fix", ""),
    "mogrify": ("", ""),
    "nixfmt": ("", "--check"),
    "optipng": ("", ""),
    "prettier": ("--write -w", ""),
    "pyupgrade": ("", ""),
    "rubocop": ("-a -A --autocorrect --autocorrect-all --auto-correct", ""),
    "ruff": ("--fix format --fix-only", "--check --diff"),
    "rustfmt": ("", "--check"),
    "shfmt": ("-w --write", ""),
    "sqlfluff": ("fix format", ""),
    "strip": ("", "-o"),
    "stylelint": ("--fix", ""),
    "stylua": ("", "--check"),
    "taplo": ("format fmt", "--check"),
    "unix2dos": ("", "-n --newfile"),
    "yapf": ("--in-place -i", ""),
}


def is_formatting(name: str, words: "list[str]") -> bool:
    """Whether a program is a formatter and its arguments have it write, to whatever files it finds."""
    if name not in _FORMATTERS:
        return False
    writing, reading = [names.split() for names in _FORMATTERS[name]]
    given = [word.partition("=")[0] for word in words]
    return not any([word in reading for word in given]) and (not writing or any([word in writing for word in given]))


def formatter(effects: "Effects", words: "list[str]", name: str) -> None:
    if not is_formatting(name, words):
        generic(effects, words)
        return
    for path in effects.expanded(parse(words, "c", _FORMATTER_VALUES).operands):
        if effects.is_folder(path):
            effects.write_chosen(path)
        elif effects.kind(path) == "file" or not known(path):
            effects.write(path, sure=known(path))
        elif not _GLOBS.isdisjoint(path) and path[0] != "!":
            for each in _alternatives(path):
                effects.write_chosen(each)


def _alternatives(glob: str) -> "list[str]":
    try:
        return alternatives(glob)
    except ValueError:
        return [glob]


_GLOBS = frozenset("*?[{")
_FORMATTER_VALUES = """config ignore-path ignore-pattern parser plugin rulesdir ext exclude extend-exclude force-exclude
    include skip skip-glob target-version line-length select ignore extend-select"""


def sd(effects: "Effects", words: "list[str]") -> None:
    options = parse(words, "nf", "max-replacements flags")
    for path in [] if options.has("p", "preview") else options.operands[2:]:
        effects.write(path)


def yq(effects: "Effects", words: "list[str]") -> None:
    options = parse(words, "opI", "output-format input-format indent expression from-file arg argjson")
    if options.has("i", "inplace", "in-place"):
        operands = options.operands[options.operands[:1] in (["e"], ["eval"], ["ea"], ["eval-all"]) :]
        for path in operands if options.has("expression", "from-file") else operands[1:]:
            effects.write(path)


_READING_SQL = (
    "select",
    ".schema",
    ".tables",
    ".dump",
    ".indexes",
    ".headers",
    ".mode",
    "explain",
    ".databases",
    ".help",
)


def sqlite(effects: "Effects", words: "list[str]") -> None:
    values = ("-cmd", "-init", "-separator", "-newline", "-nullvalue")
    places = [
        place for place, word in enumerate(words) if word[:1] != "-" and not (place and words[place - 1] in values)
    ]
    texts = [words[place].strip().lower() for place in places[1:]]
    statements = [line.strip() for text in texts for line in text.split(";")]
    reading = texts and all([not line or line.startswith(_READING_SQL) for line in statements])
    if "-readonly" not in words and not reading:
        for place in places[:1]:
            effects.write(words[place], sure=False)


def rename(effects: "Effects", words: "list[str]") -> None:
    options = parse(words, "e")
    for path in [] if options.has("n", "nono", "no-act") else options.operands:
        if effects.kind(path) or not known(path):
            effects.delete(path, sure=False)


PROGRAMS: "dict[str, Callable[[Effects, list[str]], None]]" = {
    **dict.fromkeys(["awk", "gawk", "mawk", "nawk"], awk),
    **dict.fromkeys(["emacs", "ex", "micro", "nano", "nvim", "pico", "vi", "vim"], editor),
    "ed": ed,
    "perl": script,
    "red": ed,
    "rename": rename,
    "ruby": script,
    "sd": sd,
    "sed": sed,
    "sqlite3": sqlite,
    "yq": yq,
}
NAMED: "dict[str, Callable[[Effects, list[str], str], None]]" = dict.fromkeys(_FORMATTERS, formatter)
