"""The arguments of a program as options and operands, the way getopt_long reads them."""

from memdir.shell.arguments import ANY, NAME, known, may_start, open_ended

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

_HOLES = (ANY, NAME)


class Options:
    """`operands` are the arguments that belong to no option, in their order; options are asked for by their names.

    A name of one letter is a short option, a longer one a long option, which may stand cut short.
    """

    __slots__ = ("found", "operands")

    def __init__(self) -> None:
        self.found: "list[tuple[str, Optional[str]]]" = []  # names as they were written, without dashes
        self.operands: "list[str]" = []

    def has(self, *names: str) -> bool:
        return any([_means(given, names) for given, _ in self.found])

    def values(self, *names: str) -> "list[str]":
        """The values of these options, "" for one that stands without a value."""
        return [value or "" for given, value in self.found if _means(given, names)]

    def value(self, *names: str) -> str:
        """The last value; "" if there is none."""
        return ["", *self.values(*names)][-1]


def _means(given: str, names: "tuple[str, ...]") -> bool:
    return given in names or (len(given) > 1 and any([name.startswith(given) for name in names if len(name) > 1]))


def parse(words: "list[str]", short: str = "", long: str = "", *, glued: str = "", leading: bool = False) -> Options:
    """Reads the words after a program's name.

    `short` are the letters and `long` the names of options with a value that may be the next word; `glued` the letters
    with a value that can only stand in the same word. `leading`: options end at the first operand.
    """
    options = Options()
    names = long.split()
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word == "--":
            options.operands += words[at:]
            break
        if len(word) < 2 or word[0] != "-" or word[1] in _HOLES:
            options.operands.append(word)
            if leading:
                options.operands += words[at:]
                break
        elif word[1] == "-":
            given, equals, value = word[2:].partition("=")
            takes = not equals and any([name.startswith(given) for name in names])
            if takes and at < len(words):
                value = words[at]
                at += 1
            options.found.append((given, value if equals or takes else None))
        else:
            at += _cluster(options, word, words[at : at + 1], short, glued)
    return options


def _cluster(options: Options, word: str, after: "list[str]", short: str, glued: str) -> int:
    """Reads `-abc`; returns how many of the words after it are its value."""
    for place, letter in enumerate(word[1:], 2):
        if letter in glued:
            options.found.append((letter, word[place:]))
            return 0
        if letter in short:
            rest = word[place:]
            options.found.append((letter, rest or (after[0] if after else "")))
            return 0 if rest else len(after)
        options.found.append((letter, None))
    return 0


def output_files(words: "list[str]") -> "list[str]":
    """The values of `-o FILE` and its long forms, for a program whose options are not known."""
    found = []
    for place, word in enumerate(words):
        name, equals, value = word.partition("=")
        if word == "--":
            break
        if name in OUTPUT_OPTIONS:
            found += [value] if equals else words[place + 1 : place + 2]
        elif word[:2] == "-o" and len(word) > 2:
            found.append(word[2:])
    return [path for path in found if path and path != "-"]


OUTPUT_OPTIONS = frozenset(
    "-o --output --out --outfile --outFile --out-file --output-file --output-path -out --log-file --report-file".split()
)


def last(options: Options, on: "tuple[str, ...]", off: "tuple[str, ...]") -> bool:
    """Whether the last one of these options is one of `on`."""
    state = False
    for found in options.found:
        one = Options()
        one.found = [found]
        state = one.has(*on) or (state and not one.has(*off))
    return state


def uncertain(words: "list[str]", options: Options) -> bool:
    """Whether one of the words may be an option that is not written there; `options` is what was read from them."""
    after = len(words) - words.index("--") - 1 if "--" in words else 0
    before = options.operands[: len(options.operands) - after]
    return any([not known(name) for name, _ in options.found]) or any(
        [(open_ended(word) and may_start(word, "-")) or (word[:1] == "-" and not known(word)) for word in before]
    )
