"""`memdir setup`: what memdir does only after a person said so."""

import argparse
import os
import sys

from memdir import config, endpoint, jsonio, paths, projects, store
from memdir.errors import UserError
from memdir_cli import backends, config_file, disclosure, questions, trust

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

    from memdir_cli.config_file import Value

# Each setting and the attribute of the arguments that sets it.
OPTIONS = {
    "llm": "llm",
    "llm.model": "model",
    "llm.base_url": "base_url",
    "caps.usd_day": "cap_usd_day",
    "caps.calls_hour": "cap_calls_hour",
}
_MODEL = "the built-in choice, a small one such as claude-haiku-5-5"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--llm", choices=config.LLMS, help="the model to ask; naming one is your consent to asking it")
    parser.add_argument("--model", metavar="NAME", help=f"its name; '' is {_MODEL}")
    parser.add_argument("--base-url", metavar="URL", help=f"where requests to the API go; '' is {config.BASE_URL}")
    parser.add_argument("--cap-usd-day", metavar="USD", help="what the model may cost in a day; 0 asks it nothing")
    parser.add_argument("--cap-calls-hour", metavar="N", help="calls to the model in an hour, at most")
    parser.add_argument(
        "--trust-dir",
        nargs="?",
        const="",
        metavar="DIR",
        help="let memdir write memories into this project's memory directory (DIR), though its own settings chose it",
    )
    parser.add_argument(
        "--untrust-dir", nargs="?", const="", metavar="DIR", help="take that back, for DIR or for all of this project"
    )
    parser.add_argument("--show", action="store_true", help="show what is chosen and found; change nothing")
    parser.add_argument("--json", action="store_true", help="the same as one JSON document")


def run(args: argparse.Namespace) -> int:
    backends.refuse_foreign(os.getcwd(), os.environ)
    place = Place()
    given = {name: str(getattr(args, option)) for name, option in OPTIONS.items() if getattr(args, option) is not None}
    changing = given or args.trust_dir is not None or args.untrust_dir is not None
    if changing and (args.show or args.json):
        raise UserError("--show and --json change nothing; leave them out to change something")
    if (given not in ({}, {"llm": "off"}) or args.trust_dir is not None) and os.environ.get("CLAUDECODE"):
        raise UserError("this is for a person to decide: run it in a terminal of your own, not in Claude Code's")
    if args.json:
        print(jsonio.dumps(_document(place)))
    elif changing:
        _change(place, given, args)
    elif args.show or not all([stream and stream.isatty() for stream in (sys.stdin, sys.stdout)]):  # None: closed
        _show(place)
        print("To change something: memdir setup in a terminal, or its options (memdir setup --help).")
    else:
        _converse(place)
    return 0


class Place:
    """What counts where this was called: the settings in force, what was found, the memory directory."""

    def __init__(self) -> None:
        self.settings = config.load(os.environ, "")
        self.found = backends.Found(os.getcwd(), os.environ)
        self.memory = projects.Project(os.getcwd(), os.environ).memory_dir()
        self.topics = len(store.scan(self.memory.path).files) if self.memory else 0

    def disclosure(self) -> "list[str]":
        return disclosure.lines(self.settings, store.shown(self.found.claude), self.topics)

    def choose(self, changes: "dict[str, Value]") -> None:
        """Puts changes in force here, so that what they mean can be told before they are written."""
        self.settings.values.update(changes)


def _change(place: Place, given: "dict[str, str]", args: argparse.Namespace) -> None:
    """Everything is checked before anything is written."""
    changes = {name: _checked(name, text, f"--{OPTIONS[name].replace('_', '-')}") for name, text in given.items()}
    if args.trust_dir is not None and args.untrust_dir is not None:
        raise UserError("give --trust-dir or --untrust-dir, not both")
    line = trust.line(place.memory, args.trust_dir) if args.trust_dir is not None else ""
    if changes:
        _record(place, changes)
    if line:
        trust.add(line)
    if args.untrust_dir is not None:
        trust.remove(args.untrust_dir)


def _checked(name: str, text: str, option: str) -> "Value":
    wanted = config.wanted_of(name, text)
    if wanted:
        shown = endpoint.shown(text) if name == "llm.base_url" else text
        raise UserError(f"{option} must be {wanted}, not {store.shown(shown)!r}")
    default = config.KEYS[name].default
    if isinstance(default, float):
        return float(text)
    if isinstance(default, int):
        return int(text)
    if config.KEYS[name].choices:
        return text.lower()
    return text.rstrip("/") if name == "llm.base_url" else text


def _record(place: Place, changes: "dict[str, Value]", *, disclosed: bool = False) -> None:
    """Writes the choice down, and says what follows from it."""
    place.choose(changes)
    llm = place.settings.text("llm")
    if llm == "anthropic" and not place.settings.text("llm.base_url"):
        place.choose({"llm.base_url": config.BASE_URL})
        changes["llm.base_url"] = config.BASE_URL  # written out, so that no variable can stand for it
    if not disclosed:
        for text in place.disclosure():
            print(text)
    file = store.shown(paths.config_file(os.environ))
    changed = config_file.write(changes, os.environ)
    said = ", ".join([f"{name}: {config_file.written(value)}" for name, value in changes.items()])
    print(f"Written to {file}: {said}." if changed else f"{file} says so already: {said}.")
    if llm == "off":
        print("memdir asks no model.")
        return
    print(f"{disclosure.NOT_YET} To take it back: memdir setup --llm off.")
    if llm == "anthropic" and not place.found.keys:
        print(f"No key was found: set {' or '.join(backends.KEYS)} where you start Claude Code.")
    if llm == "claude" and not place.found.claude:
        print("No `claude` was found in PATH.")
    if place.found.base_url and place.found.base_url != place.settings.text("llm.base_url") and llm == "anthropic":
        print(f"{backends.ADDRESS} ({_address(place.found)}) does not count; --base-url would record it.")


def _show(place: Place) -> None:
    file = paths.config_file(os.environ)
    print(f"Chosen in {store.shown(file)}{'' if os.path.exists(file) else ' (no such file: defaults)'}:")
    for name in OPTIONS:
        value = place.settings.values[name]
        empty = {"llm.model": _MODEL, "llm.base_url": config.BASE_URL}.get(name, "")
        print(f"  {name:16} {_plain(value) if value != '' else empty}")
    for path, line, sentence in place.settings.problems:
        print(f"  {store.shown(path)}:{line}: {store.shown(sentence)}")
    print("Found:")
    for text in _found(place.found):
        print(f"  {text}")
    for text in trust.described(place.memory):
        print(text)
    for text in place.disclosure():
        print(text)
    print(disclosure.NOT_YET if place.settings.text("llm") != "off" else "memdir asks no model.")


def _plain(value: object) -> str:
    """As a person types it: 2, not 2.0; and whole, since an empty answer takes it over."""
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def _found(found: backends.Found) -> "list[str]":
    told = [f"{name} is set; memdir uses it after you choose `anthropic`, and never stores it" for name in found.keys]
    told = told or [f"no key ({', '.join(backends.KEYS)})"]
    told.append(f"Claude Code: {store.shown(found.claude)}" if found.claude else "no `claude` in PATH")
    if found.of_repository:
        told.append(
            f"WARNING: {store.shown(found.of_repository)} sets {backends.ADDRESS} to {_address(found)};"
            " that is the repository's word, not yours"
        )
    elif found.base_url:
        told.append(f"{backends.ADDRESS} is {_address(found)}; it counts only if you record it here")
    return told


def _address(found: backends.Found) -> str:
    return store.shown(endpoint.shown(found.base_url))


def _document(place: Place) -> "dict[str, object]":
    found = place.found
    return {
        "file": store.shown(paths.config_file(os.environ)),
        "settings": {name: place.settings.values[name] for name in OPTIONS},
        "problems": [f"{store.shown(path)}:{line}: {sentence}" for path, line, sentence in place.settings.problems],
        "keys": found.keys,
        "claude": store.shown(found.claude),
        "base_url": {"value": _address(found), "set_by_repository": store.shown(found.of_repository)},
        "memory": trust.document(place.memory),
        "asks_a_model": disclosure.ASKS and place.settings.text("llm") != "off",
    }


def _converse(place: Place) -> None:
    """Asks on the terminal; until the last answer nothing is written."""
    _show(place)
    try:
        changes, line = _answers(place)
    except EOFError:
        print()
        raise UserError("the input ended before the last answer; nothing has changed") from None
    except KeyboardInterrupt:
        print("\nNothing has changed.")
        raise
    if changes:
        _record(place, changes, disclosed=True)
    if line:
        trust.add(line)
    if not changes and not line:
        print("Nothing has changed.")


def _answers(place: Place) -> "tuple[dict[str, Value], str]":
    """What is to be written, after the person saw what it means; no settings where they do not agree."""
    settings = place.settings
    before = dict(settings.values)
    print()
    _ask(place, "llm", "Which model may memdir ask: off, anthropic (the API, with your key) or claude (Claude Code)?")
    if settings.text("llm") == "anthropic":
        own = "" if place.found.of_repository or config.wanted_of("llm.base_url", place.found.base_url) else (
            place.found.base_url
        )  # fmt: skip
        _ask(place, "llm.base_url", "Where do requests go?", settings.text("llm.base_url") or own or config.BASE_URL)
    if settings.text("llm") != "off":
        _ask(place, "caps.usd_day", "How many US dollars may it cost in a day?")
        _ask(place, "caps.calls_hour", "How many calls in an hour, at most?")
    changes: "dict[str, Value]" = {
        name: value
        for name in OPTIONS
        if (value := settings.values[name]) != before[name] and not isinstance(value, list)
    }
    if changes and settings.text("llm") != "off":
        print("\n" + "\n".join(place.disclosure()))
        if not questions.agree("Do you agree, and shall memdir write this down?"):
            changes = {}
    return changes, _asked_trust(place)


def _ask(place: Place, name: str, question: str, default: "Optional[str]" = None) -> None:
    if default is None:
        value = place.settings.values[name]
        default = _plain(value)
    text = questions.ask(question, default, lambda text: config.wanted_of(name, text))
    place.choose({name: _checked(name, text, name)})


def _asked_trust(place: Place) -> str:
    """The line to add for this project's memory directory where a person says yes, else ""."""
    if not trust.is_open(place.memory):
        return ""
    line = trust.line(place.memory, "")
    print()
    for text in trust.described(place.memory):
        print(text)
    return line if questions.agree("May memdir write memories there?") else ""
