"""The hard rules that topic files propose, read as what anybody may have written, and the rule files they would be."""

import json
import os
import re

from memdir import frontmatter, fsio, jsonio, paths, store
from memdir.errors import UserError
from memdir.rules import entries, rule
from memdir_worker.proposals import HARD, KEY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

    from memdir.rulebook import RuleBook
    from memdir.rules.rule import RuleFile

_DECISIONS = ("deny", "ask", "allow")
_JSON_CHARS = 4096
_MOST = 20  # entries of a key, and examples of a decision
_LONGEST = 300  # characters of one of them
_NAME_BYTES = 60
_REASON_CHARS = 600


class Proposed:
    """`file`: the topic, relative to the memory directory. `statement`: what it says. `keys`: hard key → entries.

    `examples`: decision → calls. `problem`: why it cannot be adopted; then there are no keys.
    """

    def __init__(self, file: str, statement: str) -> None:
        self.file = file
        self.statement = statement
        self.keys: "dict[str, list[str]]" = {}
        self.examples: "dict[str, list[str]]" = {}
        self.problem = ""

    @property
    def name(self) -> str:
        """Of a rule file: letters, digits and dashes of the topic's name."""
        words = re.sub(r"\A(?:feedback|project|user|reference)_", "", os.path.basename(self.file)[: -len(".md")])
        plain = re.sub(r"[\W_]+", "-", words).encode("utf-8", "ignore")[:_NAME_BYTES].decode("utf-8", "ignore")
        return (plain.strip("-") or "adopted") + ".md"

    def text(self, examples: "dict[str, list[str]]") -> str:
        """The rule file. Its text is the statement, in one paragraph that cannot be taken for a heading or a header."""
        lines = ["---", *[f"{key}: {_listed(self.keys[key])}" for key in HARD if key in self.keys]]
        if any(examples.values()):
            lines.append("examples:")
            lines += [
                f"  {decision}: {_listed(examples[decision])}" for decision in _DECISIONS if examples.get(decision)
            ]
        said = self.statement if self.statement[:1].isalnum() else "The user said: " + self.statement
        return "\n".join([*lines, "---", said, ""])

    def compiled(self, examples: "dict[str, list[str]]", path: str, base: str, *, user: bool) -> "RuleFile":
        """What the text means. Raises UserError where that is not exactly the keys: it would not hold what is shown."""
        made = rule.parse(path, self.text(examples), base, user=user)
        wanted = [(key, entry) for key in HARD for entry in self.keys.get(key, [])]
        if made is None or made.problems or [(one.kind, one.text) for one in made.entries if not one.problem] != wanted:
            said = store.shown(self.file)
            raise UserError(f"the rule that {said} proposes cannot be written down; write it by hand (docs/rules.md)")
        return made


def read(folder: str, file: str) -> "Optional[Proposed]":
    """What a topic file proposes; None if it proposes nothing, or cannot be read."""
    content = store.text(os.path.join(folder, file))
    if content is None or KEY not in content:
        return None
    document = frontmatter.parse(content)
    value = document.field(KEY)
    if not value:
        return None
    found = Proposed(file, _one_line(document.get("description")) or _one_line(document.body.strip().split("\n")[0]))
    try:
        _take(found, value)
    except ValueError as error:
        found.keys, found.examples, found.problem = {}, {}, str(error)
    return found


def read_all(folder: str) -> "list[Proposed]":
    """All that the topics of a memory directory propose, by their names."""
    found = [read(folder, file) for file in sorted(store.scan(folder).files)]
    return [one for one in found if one]


def holder(proposed: Proposed, book: "RuleBook", folder: str = "") -> str:
    """The rule file in force, below `folder` if that is given, that holds all of it; "" if there is none."""
    wanted = {(key, entry) for key, listed in proposed.keys.items() for entry in listed}
    for file in book.files if wanted else ():
        held = {(entry.kind, entry.text) for entry in file.entries if not entry.problem}
        if wanted <= held and (not folder or paths.under(file.path, folder)):
            return str(file.path)
    return ""


def topic_file(folder: str, given: str) -> str:
    """The topic that a person names, by its name or path, relative to the memory directory. Raises UserError."""
    for named in (given, given + ".md"):
        for path in (os.path.join(folder, named), os.path.abspath(named)):
            if "\0" in path or not os.path.lexists(path):
                continue
            real = os.path.realpath(path)
            if os.path.islink(path) or not paths.under(path, folder):
                raise UserError(
                    f"{store.shown(path)} is not a file of this project's memory directory, {store.shown(folder)}"
                )
            if os.path.isfile(real) and store.is_topic(os.path.basename(real)):
                return os.path.relpath(real, os.path.realpath(folder))
    raise UserError(f"no topic file {store.shown(given)} in {store.shown(folder)}; `memdir rules adopt` lists them")


def existing(path: str) -> "Optional[str]":
    """What a file holds already; None if there is none."""
    if not os.path.lexists(path):
        return None
    return (fsio.read(path, 1 << 20, follow=True) or b"").decode("utf-8", "replace")


def _take(found: Proposed, value: str) -> None:
    """Raises ValueError with a sentence for anything that is not a rule."""
    if len(value) > _JSON_CHARS:
        raise ValueError(f"`{KEY}` is longer than {_JSON_CHARS} characters")
    made = jsonio.loads(value)
    if not isinstance(made, dict) or not made.keys() <= {*HARD, "examples"}:
        raise ValueError(f"`{KEY}` is not an object of {', '.join(HARD)} and examples")
    examples = made.pop("examples", {})
    if not isinstance(examples, dict) or not examples.keys() <= set(_DECISIONS):
        raise ValueError(f"`examples` is not an object of {', '.join(_DECISIONS)}")
    found.examples = {decision: _texts(decision, calls) for decision, calls in examples.items()}
    found.keys = {key: _texts(key, made[key]) for key in HARD if made.get(key)}
    if not found.keys:
        raise ValueError(f"`{KEY}` holds no rule")
    for key, listed in found.keys.items():
        for entry in entries.read(key, listed, list(range(1, len(listed) + 1))):
            if entry.problem:
                raise ValueError(f"{key}: {entry.problem}")


def _texts(key: str, value: "Any") -> "list[str]":
    if not isinstance(value, list) or len(value) > _MOST or not all([isinstance(one, str) for one in value]):
        raise ValueError(f"`{key}` is not a list of at most {_MOST} texts")
    for one in value:
        if not 0 < len(one) <= _LONGEST or not one.isprintable() or one != one.strip():
            raise ValueError(f"`{key}` holds a text that is empty, too long, or has characters that do not show")
    return value


def _listed(texts: "list[str]") -> str:
    return json.dumps(texts, ensure_ascii=False)


def _one_line(text: str) -> str:
    return store.shown(" ".join(text.split()))[:_REASON_CHARS]
