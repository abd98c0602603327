"""`Bash(PATTERN)`: a pattern of a command, compared with a call.

Every word of the pattern is asked for in its turn. `*` in a word is any run of characters, `*` as a word any run of
words, none included. A word that begins with a dash is looked for among all options, however they are clustered;
options that the pattern does not name, and a word behind each that may be its value, do not matter.
"""

from memdir.rules import plain, twins
from memdir.rules.globs import normal
from memdir.rules.wildcards import Wildcard
from memdir.shell import git, wrappers
from memdir.shell.arguments import ANY, NAME, known, may_start, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memdir.shell.calls import Call, Machine

_NO, _MAYBE, _YES = 0, 1, 2
VERDICTS = ("no", "maybe", "yes")
_PAIRS = 3  # options of a pattern whose next word is also tried as their value
_JOINTS = frozenset("| || & && ; |& > >> < << 2> 2>&1".split())
_SCRIPT_RUNNERS = frozenset("sh bash dash zsh ksh source . python python3 node ruby perl php".split())


def words(pattern: str) -> "list[str]":
    """The words of a pattern. Raises ValueError with a sentence when it can never match a call."""
    text = pattern.strip()
    if text.endswith(":*"):
        text = text[:-2] + " :*"
    if text.count("'") % 2 or text.count('"') % 2:
        raise ValueError(f"`{pattern[:60]}` has a quote that is not closed")
    found = git.split(text.replace("\\", "\\\\"))
    joints = _JOINTS.intersection(found)
    if joints:
        raise ValueError(
            f"`{pattern[:60]}` is more than one command: each is compared alone, so write one entry for each, "
            f"without `{min(joints)}`"
        )
    if not found:
        raise ValueError("the command is missing: write `Bash` alone for every command")
    return found if found[0] != ":*" else ["*", *found[1:]]


def keywords(pattern: str) -> "frozenset[str]":
    """Words one of which is in every plain command line that can match; "*" if there is no such word."""
    found = [word for word in words(pattern) if word != ":*"]
    while len(found) > 1 and _is_assignment(found[0]):
        found.pop(0)
    inner = _unwrapped(found)
    if inner:
        return keywords(inner)
    program, rest = plain.base_name(found[0]), found[1:]
    # A word behind an option may be its value, which can also be glued to it.
    operands = [
        word for before, word in zip(found, rest) if not _is_option(word) and (not _is_option(before) or "=" in before)
    ]
    first = operands[0] if operands else "*"
    if program == "git":
        return frozenset({"git", plain.base_name(first)}) if "*" not in first else frozenset({"git"}) | plain.READING
    if "*" not in program:
        # A subcommand tells more than its program; what other programs do as well has no one word.
        telling = first if "*" not in first and program not in _IMPLIED else ""
        return frozenset({plain.base_name(telling)} if telling else {program, *_IMPLIED.get(program, ())})
    for word in operands:
        if "*" not in word:
            return frozenset({plain.base_name(word)})
    return frozenset({"*"})


def _unwrapped(found: "list[str]") -> str:
    """The pattern without a wrapper that it begins with; "" if it names none, or anything in it."""
    inner = wrappers.unwrap(found)
    argv = found[1:] if found[0] == "time" and len(found) > 1 else inner.argv if inner else []
    return " ".join(map(shown, argv)) if argv and "*" not in argv[0] and argv[0][:1] != "-" else ""


_IMPLIED = {"rm": ("find", "rsync", "rimraf")}


def match(pattern: str, call: "Call", machine: "Machine", base: str) -> str:
    """ "yes", "no", or "maybe" when it depends on what is only known at run time. `base`: where `./x` begins."""
    if not call.argv:
        return "no"
    wanted = words(pattern)
    while len(wanted) > 1 and _is_assignment(wanted[0]):
        name, _, value = wanted.pop(0).partition("=")
        if not Wildcard(value, sets=False).overlaps(call.assigned.get(name, "\n")):
            return "no"
    best = _NO
    if any([wrapper.split()[0].rsplit("/", 1)[-1] == wanted[0] for wrapper in call.via if wrapper.strip()]):
        inner = [word for word in wanted[1:] if word[:1] != "-" and word != ":*"] or ["*"]
        best = _best(inner, call, machine, base)
    inside = _inside(wanted, call.via)
    if inside:
        best = max(best, _best(inside, call, machine, base))
    return VERDICTS[max(best, _best(wanted, call, machine, base))]


def _inside(wanted: "list[str]", via: "Sequence[str]") -> "list[str]":
    """What a pattern such as `uv run pytest` says of the program in its wrappers, if a call stands in these."""
    tail = [":*"] * (wanted[-1] == ":*")
    rest = wanted[: len(wanted) - len(tail)]
    around = [step.split()[0].rsplit("/", 1)[-1] for step in via if step.strip()]
    unwrapped = False
    while len(rest) > 1:
        if rest[0] == "time" and rest[1][:1] not in "-*":  # a word of the shell, which is not in `via`
            rest, unwrapped = rest[1:], True
            continue
        inner = wrappers.unwrap(rest)
        if inner is None or not inner.argv or any([word[:1] == "-" for word in rest[: -len(inner.argv)]]):
            break
        if plain.base_name(rest[0]) not in around:
            return []
        around = around[around.index(plain.base_name(rest[0])) + 1 :]
        rest, unwrapped = inner.argv, True
    return rest + tail if unwrapped else []


def _is_assignment(word: str) -> bool:
    name, equals, _ = word.partition("=")
    return bool(equals) and name.isidentifier()


def _best(wanted: "list[str]", call: "Call", machine: "Machine", base: str) -> int:
    best = _NO
    for argv in _readings(call, machine):
        if _is_literal(wanted, argv):
            return _YES
        program = _program(wanted[0], argv[0], call, machine, base)
        if len(wanted) == 1 and wanted[0] == "*":
            return _YES
        if program:
            best = max(best, min(program, _Arguments(argv).verdict(wanted[1:])))
        if best == _YES:
            break
    return best


def _is_literal(wanted: "list[str]", argv: "list[str]") -> bool:
    """Whether the words stand there exactly as they were written, and after them at most what a last `*` is for."""
    words = wanted[:-1] if wanted[-1] in ("*", ":*") else wanted
    given = argv if words is wanted else argv[: len(words)]
    return len(words) > 1 and given == words and not any(["*" in word for word in words])


def _readings(call: "Call", machine: "Machine") -> "Iterator[list[str]]":
    yield call.argv
    if call.name == "git":
        read = git.parse(call.argv, machine, call.cwd, call.assigned)
        if not read.shell:
            yield ["git", read.subcommand, *read.args] if read.subcommand else ["git"]
    if call.name in _SCRIPT_RUNNERS:
        at = 1
        while at < len(call.argv) and call.argv[at][:1] == "-" and call.argv[at] != "-":
            at += 1
        if at < len(call.argv) and call.argv[at] != "-":  # which is standard input
            script = call.argv[at]
            yield [script if "/" in script else "./" + script, *call.argv[at + 1 :]]


def _program(wanted: str, given: str, call: "Call", machine: "Machine", base: str) -> int:
    if "/" not in wanted:
        name = given.rsplit("/", 1)[-1]
        found = _compare(Wildcard(wanted, sets=False), name)
        if not found and known(name) and name.lower() == wanted.lower() and machine.folds_case("/bin/" + name):
            found = _YES
        return found
    if not known(given):
        return _MAYBE
    if "/" not in given:
        # A bare name is looked for in PATH, where an absolute pattern points to.
        return _compare(Wildcard(wanted.rsplit("/", 1)[-1], sets=False), given) if wanted[0] == "/" else _NO
    if given[0] != "/" and not call.cwd:
        return _MAYBE if wanted.rsplit("/", 1)[-1] == given.rsplit("/", 1)[-1] else _NO
    at = _located(given, call.cwd, machine)
    if wanted[:2] == "~/":
        wanted = machine.home + wanted[1:]
    return _compare(Wildcard(_located(wanted, base, machine), sets=False), at)


def _located(path: str, folder: str, machine: "Machine") -> str:
    """The path with its folder made real; its last name stays, whatever it links to."""
    place = normal(path if path[0] == "/" else folder + "/" + path)
    above, _, name = place.rpartition("/")
    return machine.real(above or "/").rstrip("/") + "/" + name


def _compare(wanted: Wildcard, given: str) -> int:
    if wanted.fits(given) and given[:1] not in (ANY, NAME):
        return _YES
    return _MAYBE if wanted.overlaps(given) and not known(given) else _NO


class _Arguments:
    """The arguments of one call: `is_option` for each word, and where an option could come from nowhere visible."""

    def __init__(self, argv: "list[str]") -> None:
        self.program = argv[0].rsplit("/", 1)[-1]
        if self.program == "git" and len(argv) > 1:
            self.program = "git " + argv[1]
        self.words = argv[1:]
        self.is_option: "list[bool]" = []
        self.hidden = False
        ended = value = False
        for word in self.words:
            option = not ended and not value and len(word) > 1 and word[0] == "-"
            self.is_option.append(option)
            self.hidden = self.hidden or (not ended and not value and ANY in word and may_start(word, "-"))
            ended = ended or (word == "--" and not value)
            value = option and word[:2] != "--" and bool(word[1:]) and self._expects_value(word)

    def _expects_value(self, word: str) -> bool:
        for at, letter in enumerate(word[1:], 1):
            if twins.takes_value(self.program, letter):
                return at == len(word) - 1
        return False

    def verdict(self, wanted: "list[str]") -> int:
        pairs = [
            at
            for at, word in enumerate(wanted[:-1])
            if _is_option(word) and not _is_option(wanted[at + 1]) and wanted[at + 1] not in ("*", ":*", "--")
        ][:_PAIRS]
        best = _NO
        for chosen in range(1 << len(pairs)):
            valued = {at for number, at in enumerate(pairs) if chosen >> number & 1}
            best = max(best, self._with_values(wanted, valued))
            if best == _YES:
                break
        return best

    def _with_values(self, wanted: "list[str]", valued: "set[int]") -> int:
        """As `verdict`, the words behind these options being their values."""
        found = _YES
        operands: "list[list[Wildcard]]" = []  # the forms of each; none: any run of words
        at = 0
        while at < len(wanted) and found:
            word = wanted[at]
            if at in valued:
                at += 1
                found = min(found, self._option(word, Wildcard(wanted[at], sets=False)))
            elif _is_option(word):
                found = min(found, self._option(word, None))
            elif word in ("*", ":*"):
                operands.append([])
            else:
                forms = [word, word + ":*"] if wanted[at + 1 : at + 2] == [":*"] else [word]
                operands.append([Wildcard(form, sets=False) for form in forms])
            at += 1
        return min(found, self._operands(operands)) if found else _NO

    def _option(self, wanted: str, value: "Wildcard | None") -> int:
        best = _MAYBE if self.hidden else _NO
        if wanted[:2] == "--" and "=" in wanted:
            wanted, _, text = wanted.partition("=")
            value = Wildcard(text, sets=False)
        if value is None and wanted[:2] != "--" and len(wanted) > 2 and self._is_cluster(wanted):
            letters = min([self._option("-" + letter, None) for letter in wanted[1:]])
            best = max(best, letters)
        for at, given in enumerate(self.words):
            if self.is_option[at] and best < _YES:
                following = self.words[at + 1] if at + 1 < len(self.words) else None
                best = max(best, self._same_option(wanted, given, value, following))
        return best

    def _is_cluster(self, word: str) -> bool:
        return twins.clusters(self.program) and word[1:].isalpha() and "*" not in word

    def _same_option(self, wanted: str, given: str, value: "Wildcard | None", following: "str | None") -> int:
        name, glued, text = given.partition("=")
        found = _compare(Wildcard(wanted, sets=False), name)
        rest = text if glued else following
        if not found and given[:2] == "--":
            found = self._same_long(wanted, name)
        elif not found:
            found, tail = self._in_cluster(wanted, given)
            rest = tail or rest
        if value is None or not found:
            return found
        return min(found, _compare(value, rest)) if rest is not None else _NO

    def _same_long(self, wanted: str, name: str) -> int:
        option = wanted
        if wanted[:2] != "--":
            long = twins.long_of(self.program, wanted[1:]) if len(wanted) == 2 else ""
            if not long:
                return _NO
            option = "--" + long
        if name == option:
            return _YES
        return _MAYBE if twins.abbreviates(name, option) else _NO

    def _in_cluster(self, wanted: str, given: str) -> "tuple[int, str]":
        """Whether a short option is among the letters, and what stands behind it as its value."""
        if wanted[:2] == "--":
            letters = twins.shorts_of(self.program, wanted[2:])
        else:
            long = twins.long_of(self.program, wanted[1:]) if len(wanted) == 2 else ""
            letters = (twins.shorts_of(self.program, long) if long else "") or wanted[1:]
            letters = letters if len(wanted) == 2 else ""
        if not letters or not twins.clusters(self.program) or "-" in given[1:]:
            return _NO, ""
        for at, letter in enumerate(given[1:], 1):
            if letter in letters:
                return _YES, given[at + 1 :].removeprefix("=")
            if twins.takes_value(self.program, letter):
                break
        return (_MAYBE, "") if ANY in given and self._open_cluster(given) else (_NO, "")

    def _open_cluster(self, given: str) -> bool:
        return given[1:2] != "-" and (given[1:2] == ANY or ANY in given[-1:])

    def _operands(self, wanted: "list[list[Wildcard]]") -> int:
        """Whether the other words of the pattern stand among the arguments, one after the other and without gaps."""
        count = len(self.words)
        below = [_YES if not any(wanted[at:]) else _NO for at in range(len(wanted) + 1)]  # behind the last argument
        after = list(below)  # behind the next one
        for at in range(count - 1, -1, -1):
            given = self.words[at]
            row = [_NO] * (len(wanted) + 1)
            uncertain = given[:1] in (ANY, NAME)
            for number in range(len(wanted), -1, -1):
                best = below[number] if self.is_option[at] and number not in self._dashes(wanted, given) else _NO
                if self.is_option[at] and at + 1 < count and "=" not in given and given != "--":
                    best = max(best, after[number] if not self.is_option[at + 1] else _NO)
                if uncertain:
                    best = max(best, min(_MAYBE, below[number]))
                if number < len(wanted):
                    best = max(
                        best, self._step(wanted[number], given, row[number + 1], below[number], below[number + 1])
                    )
                    if uncertain:
                        best = max(best, min(_MAYBE, row[number + 1]))
                row[number] = best
            after, below = below, row
        return below[0]

    def _dashes(self, wanted: "list[list[Wildcard]]", given: str) -> "tuple[int, ...]":
        """Where the pattern asks for `--` itself."""
        if given != "--":
            return ()
        return tuple([number for number, forms in enumerate(wanted) if forms and forms[0].literal == "--"])

    def _step(self, forms: "list[Wildcard]", given: str, skipped: int, same: int, following: int) -> int:
        if not forms:
            return max(skipped, same)
        return min(max([_compare(form, given) for form in forms]), following)


def _is_option(word: str) -> bool:
    return len(word) > 1 and word[0] == "-" and word != "--"
