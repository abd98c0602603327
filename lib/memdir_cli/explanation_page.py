"""An explanation as text: 80 columns, a little colour on a terminal, nothing that a terminal would obey."""

from memdir import store
from memdir.rules.finding import ASK, DENY
from memdir_cli import progress
from memdir_cli.demonstration.page import COLUMNS, width, wrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memdir_cli.explanation import Command, Explanation, Opinion

MOST_CHARS = 2_000  # of one paragraph: as many as a reason may have
_VERBS = {DENY: "denies", ASK: "asks"}
_COLOURS = {"bold": "1", "dim": "2", DENY: "31", ASK: "33"}


class Text:
    """Builds the lines; `colour` if they may hold escape sequences."""

    def __init__(self, *, colour: bool) -> None:
        self._colour = colour

    def of(self, told: "Explanation") -> str:
        return "\n".join(self._lines(told))

    def _lines(self, told: "Explanation") -> "Iterator[str]":
        for note in told.notes:
            yield from wrap(note, COLUMNS)
        if told.commands:
            yield self._in("Read as:", "bold")
            for before, command in zip([None, *told.commands], told.commands):
                yield from self._command(command, told, again=before is not None and _is_again(before, command))
        elif told.call.command is None:
            yield self._in("Read as:", "bold")
            yield from _wrapped("  ", f"{told.call.tool} {_clean(told.call.summary())}".strip(), "     ")
        for doubt in told.doubts:
            yield from self._doubt(told.text, doubt.start, doubt.sentence)
        said = told.found.decision
        yield self._in("Decision: ", "bold") + self._in(said, said)
        for opinion in sorted(told.opinions, key=lambda opinion: not opinion.wins):
            yield from self._opinion(opinion, told)
        yield from _wrapped("  ", told.why, "  ")
        for file, entry, why in told.near:
            yield from _wrapped("  - ", f"{entry.kind}: {entry.text}  ({_place(file.path, entry.line)})", "    ")
            yield from _wrapped("    ", f"{why[0].upper()}{why[1:]}.", "    ")
        for file, entry, by in told.met:
            yield from _wrapped("  - ", f"{entry.kind}: {entry.text}  ({_place(file.path, entry.line)})", "    ")
            yield from _wrapped("    ", f"Met: {by}.", "    ")
        if told.found.reason:
            required = told.is_without_session and any([one.wins and one.kind == "require" for one in told.opinions])
            where = ", in a session that has run nothing" if required else ""
            yield self._in(f"The model reads{where}:", "bold")
            yield from _wrapped("  ", told.found.reason, "  ")
        if told.advice:
            yield self._in("What to do:", "bold")
            for sentence in told.advice:
                yield from _wrapped("  - ", sentence, "    ")

    def _command(self, command: "Command", told: "Explanation", *, again: bool) -> "Iterator[str]":
        yield from _wrapped(f"  {command.number:>2}  ", command.line, " " * 8)
        call = command.call
        if command.written:
            yield from self._dim(f"written: {command.written}")
        placed = ["the same, if `cd` fails"] if again else []
        placed += [f"in {' in '.join(reversed(call.via))}"] if call.via else []
        if call.implied:
            placed.append("which it does besides")
        if call.cwd != told.session.cwd:
            placed.append("at " + (progress.place(call.cwd) if call.cwd else "a directory that is only known then"))
        if placed:
            yield from self._dim(", ".join(placed))
        if not told.opinions:
            for sentence in (command.files, command.unfollowed):
                yield from self._dim(sentence) if sentence else ()

    def _dim(self, text: str) -> "Iterator[str]":
        for line in wrap(_clean(text), COLUMNS - 6):
            yield " " * 6 + self._in(line, "dim")

    def _doubt(self, text: str, at: int, sentence: str) -> "Iterator[str]":
        """The line of the text in which the doubt is, with a caret under its place."""
        yield from _wrapped("  not known: ", f"{sentence} (at character {at})", "    ")
        at = min(at, len(text))
        start = text.rfind("\n", 0, at) + 1
        end = text.find("\n", at)
        before = store.shown(text[max(start, at - COLUMNS) : at])
        after = store.shown(text[at : end if end >= 0 else len(text)][:COLUMNS])
        if width(before) > COLUMNS // 2:
            while width(before) > COLUMNS // 2 - 1:
                before = before[1:]
            before = "…" + before
        while width(before + after) > COLUMNS - 4:
            after = after[:-2] + "…"
        yield f"    {before}{after}"
        yield " " * (4 + width(before)) + self._in("^", ASK)

    def _opinion(self, opinion: "Opinion", told: "Explanation") -> "Iterator[str]":
        name = f"{opinion.kind}: {opinion.name}" if opinion.kind else opinion.name
        head = f"  {_VERBS[opinion.decision]:6}  "
        lines = _wrapped(" " * len(head), name, " " * len(head))
        yield self._in(head, opinion.decision) + next(lines)[len(head) :]
        yield from lines
        if opinion.path:
            yield from _detail(_place(opinion.path, opinion.line) + ("  (yours)" * opinion.user))
        numbers = ", ".join(map(str, opinion.commands))
        many = len(told.commands) > 1
        which = f"command{'s' * (len(opinion.commands) > 1)} {numbers}: " if numbers and many else ""
        yield from _detail(which + opinion.what)
        if opinion.enough:
            yield from _detail(f"enough for it: {opinion.enough}")
        for sentence in opinion.read_as:
            yield from _detail(sentence)
        if opinion.leaves_alone and opinion.wins and not opinion.doubted:
            yield from _detail(f"it leaves alone: {opinion.leaves_alone}")

    def _in(self, text: str, colour: str) -> str:
        code = _COLOURS.get(colour, "")
        return f"\033[{code}m{text}\033[0m" if code and self._colour else text


def _is_again(before: "Command", command: "Command") -> bool:
    """Whether it is the command before, in the directory that it has if a `cd` fails."""
    one, other = before.call, command.call
    same = (one.start, one.end, one.argv, one.via) == (other.start, other.end, other.argv, other.via)
    return same and one.cwd != other.cwd


def _place(path: str, line: int) -> str:
    return f"{progress.place(path)}:{line}"


def _detail(text: str) -> "Iterator[str]":
    """Part of what is told of one opinion."""
    return _wrapped(" " * 10, text, " " * 10)


def _clean(text: str) -> str:
    """One line with nothing in it that a terminal obeys, and no more than a person reads."""
    text = " ".join(text.split())
    more = f"… ({len(text) - MOST_CHARS:,} characters more)" if len(text) > MOST_CHARS else ""
    return store.shown(text[:MOST_CHARS]) + more


def _wrapped(first: str, text: str, rest: str) -> "Iterator[str]":
    parts = wrap(_clean(text), COLUMNS - max(len(first), len(rest))) or [""]
    for at, part in enumerate(parts):
        yield ((rest if at else first) + part).rstrip()
