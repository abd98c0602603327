"""`memdir rules adopt`: makes a hard rule of a prohibition that was spoken, once a person has seen it and said so."""

import argparse
import difflib
import os
import sys

from memdir import enforcement, exchange, jsonio, paths, projects, store
from memdir.errors import UserError
from memdir.rulebook import RuleBook
from memdir.rules.finding import NO_OPINION
from memdir_cli import proposed, questions, tool_calls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.rules.rule import RuleFile
    from memdir_cli.proposed import Proposed

    Outcome = tuple[str, str, str]  # what is wanted, what comes out, the call

_EVERY = frozenset({"*"})
_WORDS = {"deny": "would deny", "ask": "would ask about", "allow": "has no opinion on"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", default="", metavar="FILE", help="a topic file; without it: which there are")
    place = parser.add_mutually_exclusive_group()
    place.add_argument("--project", action="store_true", help="into .claude/rules of this project (the default)")
    place.add_argument("--user", action="store_true", help="into your own rules, for every project")
    parser.add_argument("--yes", action="store_true", help="write without asking")
    parser.add_argument("--json", action="store_true", help="one JSON document; nothing is asked")


def run(args: argparse.Namespace) -> int:
    memory = projects.Project(os.getcwd(), os.environ).memory_dir()
    if memory is None:
        raise UserError("no memory directory belongs to this directory: HOME is not set")
    place = _Place(user=args.user)
    asks = not args.json and not args.yes and _is_terminal() and not _is_claudes()
    file = args.file or _choose(memory.path, place, args, asks=asks)
    if not file:
        return 0
    found = proposed.read(memory.path, proposed.topic_file(memory.path, file))
    if found is None or found.problem:
        why = f"cannot be used: {store.shown(found.problem)}" if found else "is none that a rule follows from"
        raise UserError(f"what {store.shown(file)} says {why}; docs/rules.md says how to write a rule yourself")
    return _adopt(found, place, args, asks=asks)


def waiting(memory: str) -> int:
    """How many topics propose a rule that no rule file in force holds."""
    found = [one for one in proposed.read_all(memory) if not one.problem]
    book = _Place(user=False).book if found else None
    return len([one for one in found if book is not None and not proposed.holder(one, book)])


class _Place:
    """Where a rule would be written: `folder`, its paths counting from `base`; and the rules in force there."""

    def __init__(self, *, user: bool) -> None:
        cwd = os.getcwd()
        self.user = user
        self.base = projects.worktree_root(cwd) or cwd
        config = paths.claude_config_dir(os.environ)
        self.folder = (config if user else self.base + "/.claude") + "/rules"
        if user and not config:
            raise UserError("there is no directory for your own rules: HOME is not set")
        self.session = enforcement.Session(self.base, self.base, os.environ, paths.state_dir(os.environ))
        self.book = self.session.rules()

    def refuse_links(self) -> None:
        """A repository may come with a `.claude` that leads elsewhere; the user's own links are the user's."""
        if not self.user and not paths.under(self.folder, self.base):
            raise UserError(
                f"{store.shown(self.folder)} leads out of the project by a link; mend the link, or adopt with --user"
            )

    def outcomes(self, made: "RuleFile", examples: "dict[str, list[str]]") -> "list[Outcome]":
        """What the calls would get with this rule file besides those that are in force."""
        packed = [file.pack() for file in (*self.book.files, made)]
        book = RuleBook(packed, [], _EVERY, _EVERY)
        found = []
        for wanted, calls in examples.items():
            for call in calls:
                try:
                    decision = enforcement.judge(self.session, book, *tool_calls.parse(call))[1].decision
                except UserError:
                    continue  # no call
                found.append((wanted, "allow" if decision == NO_OPINION else decision, call))
        return found


def _is_terminal() -> bool:
    return all([stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout)])


def _is_claudes() -> bool:
    """Whether Claude Code runs this: the model's own commands and a person's `!` look the same from here."""
    return bool(os.environ.get("CLAUDECODE"))


def _choose(memory: str, place: _Place, args: argparse.Namespace, *, asks: bool) -> str:
    """Tells what could be adopted; the topic that a person at a terminal chooses, or ""."""
    found = proposed.read_all(memory)
    if args.json:
        print(jsonio.dumps([_document(one, place) for one in found]))
        return ""
    if not found:
        print(f"No topic in {store.shown(memory)} says anything that a hard rule follows from.")
        return ""
    open_ones = []
    for one in found:
        held = proposed.holder(one, place.book)
        if not one.problem and not held:
            open_ones.append(one.file)
        number = f"{len(open_ones)}. " if asks and open_ones[-1:] == [one.file] else ""
        state = f"cannot be used: {one.problem}" if one.problem else f"adopted: {held}" if held else "not adopted"
        print(store.shown(f"{number}{one.file}  ({state})"))
        print(f"   {one.statement}")
        for key, listed in one.keys.items():
            print(store.shown(f"   {key}: {', '.join(listed)}"))
    if not open_ones:
        return ""
    if not asks:
        print("`memdir rules adopt FILE` shows the rule file that one of them would be.")
        return ""
    answers = ["none", *[str(number + 1) for number in range(len(open_ones))]]
    try:
        answer = questions.ask(
            "Which one?", "none", lambda said: "" if said in answers else f"one of {', '.join(answers)}"
        )
    except EOFError:
        answer = "none"
    return "" if answer == "none" else open_ones[int(answer) - 1]


def _document(one: "Proposed", place: _Place) -> "dict[str, object]":
    return {
        "file": one.file,
        "statement": one.statement,
        "rule": one.keys,
        "adopted": proposed.holder(one, place.book),
        "problem": one.problem,
    }


def _adopt(found: "Proposed", place: _Place, args: argparse.Namespace, *, asks: bool) -> int:
    held = proposed.holder(found, place.book, place.folder)
    if held:
        _tell(args, found, place, held, state="adopted")
        if not args.json:
            print(f"It is adopted: {store.shown(held)} holds it.")
        return 0
    place.refuse_links()
    path = f"{place.folder}/{found.name}"
    outcomes = place.outcomes(found.compiled({}, path, place.base, user=place.user), found.examples)
    kept = {key: [call for wanted, got, call in outcomes if wanted == got == key] for key in _WORDS}
    found.compiled(kept, path, place.base, user=place.user)
    text, before = found.text(kept), proposed.existing(path)
    if not args.json:
        _show(path, before, text, outcomes)
    if before is not None:
        raise UserError(
            f"{store.shown(path)} is there already and says something else: put the keys above into it in an editor, "
            "or move it away"
        )
    if _is_claudes():
        raise UserError("nothing is written: this is for a person to decide; run it in a terminal of your own")
    if not args.yes and not asks:
        _tell(args, found, place, path, state="proposed", text=text)
        raise UserError("nothing is written: run it in a terminal, or with --yes when you have read the above")
    if asks and not _agrees():
        print("Nothing is written.")
        return 1
    _write(path, text)
    _tell(args, found, place, path, state="written", text=text)
    if not args.json:
        print(f"Written to {store.shown(path)}; it holds from the next tool call on.")
        print("`memdir rules test` runs its examples.")
        if not place.session.in_force():
            print("But your configuration switches hard rules off here (rules.on, exclude).")
    return 0


def _tell(args: argparse.Namespace, found: "Proposed", place: _Place, path: str, *, state: str, text: str = "") -> None:
    if args.json:
        print(jsonio.dumps({**_document(found, place), "path": path, "state": state, "text": text}))


def _show(path: str, before: "str | None", text: str, outcomes: "list[Outcome]") -> None:
    source = "/dev/null" if before is None else path
    lines = difflib.unified_diff((before or "").splitlines(), text.splitlines(), source, path, lineterm="")
    print("\n".join([store.shown(line) for line in lines]))
    for wanted, got, call in outcomes:
        note = "" if wanted == got else f"   (proposed as an example of {wanted}; left out)"
        print(store.shown(f"{_WORDS[got]}: {call}{note}"))


def _agrees() -> bool:
    try:
        return questions.agree("Adopt it as a hard rule?")
    except EOFError:
        print()
        return False


def _write(path: str, text: str) -> None:
    """Raises UserError where somebody else has made such a file meanwhile, or it cannot be written."""
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if not exchange.replace(path, None, text.encode("utf-8")):
            raise UserError(f"{store.shown(path)} has just been made by another program; run this again")
        os.chmod(path, 0o644)  # a project's rules are for all who work on it
    except OSError as error:
        raise UserError(f"{store.shown(path)} cannot be written: {error.strerror}") from None
