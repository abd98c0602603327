"""Whether a text that stands in a command line may get into a file, or is only looked for (`no-content`)."""

from memdir.rules.options import parse
from memdir.shell import code, outputs, programs, substitutions
from memdir.shell.code_searches import searches
from memdir.shell.wrappers import program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from memdir.shell.calls import Call, Machine

_LISTING = ("l", "L", "c", "q", "files-with-matches", "files-without-match", "count", "quiet", "silent")
_MOST_PAIRS = 200
_FINDERS = frozenset("grep egrep fgrep rg".split())
# Programs that put nothing into a file but by a script or program of their own; "" are calls that code makes.
_BESIDE = frozenset(["", *_FINDERS, *"sed perl python python3 node find xargs cd ls echo head tail wc cat git".split()])
_RUNS = frozenset(["-exec", "-execdir", "-ok", "-okdir"])


def put(call: "Call") -> str:
    """What the program of a call surely puts somewhere; all of it, where it looks for nothing."""
    language = _language(call)
    if language == "perl" and substitutions.pairs(call.code, perl=True) is not None:
        return "\n".join([new for _, new in substitutions.pairs(call.code, perl=True) or []])
    found = searches(language, call.code) if language else None
    return call.code if found is None or not found.any else "\n".join(found.put)


def may_be_put(calls: "list[Call]", pattern: str, count: "Callable[[str], int]", machine: "Machine") -> bool:
    """Whether the line holds the text elsewhere than where it is looked for, or may put it together."""
    line = _Line(calls, pattern, count)
    rest = [line.rest(call) for call in calls]
    rest += [outputs.printed([call.without_writes()], machine) for call in calls]
    return line.may_hold("\n".join(rest))


class _Line:
    def __init__(self, calls: "list[Call]", pattern: str, count: "Callable[[str], int]") -> None:
        self._calls = calls
        self._count = count
        self._words = _words(pattern)
        self._any = len(pattern) > 2 and pattern[0] == pattern[-1] == "/"  # of an expression, one word may be enough
        self._pairs: "list[tuple[str, str]]" = []

    def may_hold(self, text: str) -> bool:
        news = "\n".join([new for _, new in self._pairs])
        have = [word in news for word in self._words]
        if self._pairs and (any(have) if self._any or not have else all(have)):
            return True  # which may come together from what is put in
        if self._count(text) or len(self._pairs) > _MOST_PAIRS:
            return True
        for old, new in dict.fromkeys(self._pairs):
            text = text.replace(old, new) if old else text
            if self._count(text):
                return True
        return False

    def rest(self, call: "Call") -> str:
        name = program(call.argv)
        if call.code:
            return self._of_code(call)
        words = call.argv[1:]
        fed = [call.input] if call.input else []
        if name in _FINDERS or (name == "git" and "grep" in words[:1]):
            words = [] if self._is_shown(call) else _of_finder(name, words)
        elif name == "sed":
            words = [self._of_script(word) for word in words]
        elif name == "find":
            words = _without_runs(words)
        elif name in programs.SHELLS:
            return "" if self._is_read(call, [*words, *fed]) else "\n".join([*words, *fed])
        return "\n".join([" ".join(words), *fed])

    def _of_code(self, call: "Call") -> str:
        lines = "\n" + call.code + "\n"
        words = [word for word in call.argv[1:] if "\n" + word + "\n" not in lines]
        fed = [call.input] if call.input and call.input != call.code else []
        language = _language(call)
        pairs = substitutions.pairs(call.code, perl=True) if language == "perl" else None
        if pairs is not None:
            self._pairs += pairs
            text = "\n".join([new for _, new in pairs])
        else:
            found = searches(language, call.code)
            self._pairs += found.pairs[: _MOST_PAIRS + 1]
            text = found.rest
        return "\n".join([" ".join(words), text, *fed])

    def _of_script(self, word: str) -> str:
        lead = next((lead for lead in ("--expression=", "-e") if word.startswith(lead)), "")
        pairs = substitutions.pairs(word[len(lead) :])
        self._pairs += pairs or []
        return word if pairs is None else "\n".join([new for _, new in pairs])

    def _is_shown(self, call: "Call") -> bool:
        """Whether its output can only be seen: nothing is beside it that could take it up."""
        if call.via or call.writes or any([word[:1] == "-" and not word[1:].isalpha() for word in call.argv[1:]]):
            return False
        for one in self._calls:
            around = one is not call and one.start <= call.start and call.end <= one.end
            if around or call in one.feeders or (one.writes and not one.implied) or one.name not in _BESIDE:
                return False
        return not any([word[:1] == "-" and {"O", "r"} & set(word) for word in call.argv[1:]]) or call.name != "git"

    def _is_read(self, call: "Call", texts: "list[str]") -> bool:
        """Whether a shell's commands hold it as often as what the shell is given: they are calls of their own."""
        via, place = call.via, (call.start, call.end)
        inside = [one for one in self._calls if len(one.via) > len(via) and one.via[: len(via)] == via]
        inside = [one for one in inside if not one.implied and (one.start, one.end) == place]
        held = [" ".join(one.argv) + "\n" + (one.input or "") for one in inside]
        return self._count("\n".join(texts)) <= self._count("\n".join(held))


def _language(call: "Call") -> str:
    name = programs.interpreter(call.argv) if call.argv else ""
    if not name:  # what its code does, as a call of its own
        name = call.via[-1].rpartition(" ")[0] if call.via and call.via[-1].endswith(" code") else ""
    return code.language(name)


def _of_finder(name: str, words: "list[str]") -> "list[str]":
    """Without the pattern of a search that prints names or numbers alone."""
    options = parse(words[1:] if name == "git" else words, "efmABCdDtTgj", "regexp file max-count include exclude")
    running = name in ("git", "rg") and options.has("O", "r", "open-files-in-pager", "replace", "pre")
    return [] if options.has(*_LISTING) and not running else words


def _without_runs(words: "list[str]") -> "list[str]":
    """The words of find without the commands that it runs, which are calls of their own."""
    found: "list[str]" = []
    inside = False
    for word in words:
        if word in _RUNS:
            inside = True
        elif inside:
            inside = word not in (";", "+")
        else:
            found.append(word)
    return found


def _words(pattern: str) -> "list[str]":
    """The words of the pattern, without the escapes of an expression."""
    text = pattern.replace("\\b", " ").replace("\\w", " ").replace("\\s", " ").replace("\\d", " ")
    return "".join([char if char.isalnum() or char == "_" else " " for char in text]).split()
