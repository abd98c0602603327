"""memdir's settings: the user's file, and what a project may turn down.

One table names every key, its meaning for a person (`memdir doctor` and the documentation show it) and its limits.
A value that cannot be used leaves the default and a problem for doctor; a hook never fails for its configuration.
"""

from memdir import fsio, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Union

    Setting = Union[bool, int, float, str, "list[str]"]

FILE_BYTES = 65_536
PROJECT_FILE = ".claude/memdir.yaml"
LLMS = ("off", "anthropic", "claude")
BASE_URL = "https://api.anthropic.com"  # where `llm.base_url` is empty
DECIMALS = 4  # of a number, at most

_SWITCH = {"on": True, "true": True, "yes": True, "1": True, "off": False, "false": False, "no": False, "0": False}


class Key:
    """One setting. Its default says what kind of value it has: a switch, a number from low to high, a text, a list.

    `choices`: all that a text may be; of other texts `endpoint` knows what is wrong with them. `project`: whether a
    project's file may lower it.
    """

    def __init__(
        self,
        default: "Setting",
        low: float,
        high: float,
        meaning: str,
        *,
        project: bool = False,
        choices: "tuple[str, ...]" = (),
    ) -> None:
        self.default = default
        self.low = low
        self.high = high
        self.meaning = meaning
        self.project = project
        self.choices = choices


KEYS = {
    "recall.limit": Key(5, 0, 5, "topic files delivered for one prompt, at most; 0 turns recall off", project=True),
    "recall.max_files": Key(10_000, 1, 1_000_000, "topic files considered, newest first"),
    "recall.threshold": Key(0.0, 0, 100, "least score of a topic file to be delivered; 0 is the built-in decision"),
    "extract.on": Key(True, 0, 0, "whether what you ask to remember becomes a memory (on or off)", project=True),
    "summary.on": Key(True, 0, 0, "whether a compaction gets a summary of the session (on or off)", project=True),
    "resume_note": Key(True, 0, 0, "whether a session start names one that was cut off (on or off)", project=True),
    "rules.on": Key(True, 0, 0, "whether hard rules are in force (on or off)"),
    "llm": Key(
        "off", 0, 0, "the model that memdir may ask: none, Anthropic's API, or your own Claude Code", choices=LLMS
    ),
    "llm.model": Key("", 0, 0, "the name of that model; empty is the built-in choice"),
    "llm.base_url": Key("", 0, 0, f"where requests to the API go; empty is {BASE_URL}"),
    "caps.usd_day": Key(0.5, 0, 1_000, "US dollars that the model may cost in a day; 0 asks it nothing"),
    "caps.calls_hour": Key(60, 0, 10_000, "calls to the model in an hour, at most; 0 asks it nothing"),
    "exclude": Key([], 0, 0, "directories in which memdir does nothing, with all below them (a list)"),
}


class Config:
    """The settings in force, and the problems found on the way as (file, line, sentence)."""

    def __init__(self) -> None:
        self.values: "dict[str, Setting]" = {name: key.default for name, key in KEYS.items()}
        self.problems: "list[tuple[str, int, str]]" = []

    def number(self, name: str) -> float:
        value = self.values[name]
        return value if isinstance(value, (int, float)) else 0

    def count(self, name: str) -> int:
        return int(self.number(name))

    def on(self, name: str) -> bool:
        return self.values[name] is True

    def text(self, name: str) -> str:
        value = self.values[name]
        return value if isinstance(value, str) else ""

    def excludes(self, folder: str, env: "Mapping[str, str]") -> bool:
        """Whether `folder` is one of the directories of `exclude`, or below one."""
        listed = self.values["exclude"]
        roots = [paths.expand(item, env) for item in listed] if isinstance(listed, list) else []
        return any(root and (paths.under(folder, root) or folder == root) for root in roots)


def load(env: "Mapping[str, str]", project_dir: str) -> Config:
    config = Config()
    _read(config, paths.config_file(env), env, from_project=False)
    if project_dir:
        _read(config, project_dir + "/" + PROJECT_FILE, env, from_project=True)
    return config


def of_text(raw: bytes, path: str, env: "Mapping[str, str]") -> Config:
    """What the user's file `path` would put in force if it held this."""
    config = Config()
    _take_all(config, raw[:FILE_BYTES], path, env, from_project=False)
    return config


def _read(config: Config, path: str, env: "Mapping[str, str]", *, from_project: bool) -> None:
    raw = fsio.read(path, FILE_BYTES, follow=True) if path else None
    if raw is not None:
        _take_all(config, raw, path, env, from_project=from_project)


def _take_all(config: Config, raw: bytes, path: str, env: "Mapping[str, str]", *, from_project: bool) -> None:
    from memdir import frontmatter  # only for those who have a configuration file

    lines = raw.decode("utf-8-sig", "replace").splitlines()
    values, problems = frontmatter.parse_block(lines)
    config.problems += [(path, line, sentence) for line, sentence in problems]
    for name, value in values.items():
        sentence = _take(config, name, value, from_project=from_project)
        if sentence:
            config.problems.append((path, _line(lines, name), sentence))
        elif name == "exclude":
            config.problems += [(path, line, sentence) for line, sentence in _not_excluded(config, lines, env)]


def _line(lines: "list[str]", name: str) -> int:
    """The line, from 1, of a key: the last one, which counts."""
    found = 1
    for number, text in enumerate(lines, 1):
        text = text.lstrip("\"' \t")
        if text.startswith(name) and text[len(name) : len(name) + 1] in tuple("\"': \t"):
            found = number
    return found


def _not_excluded(config: Config, lines: "list[str]", env: "Mapping[str, str]") -> "Iterator[tuple[int, str]]":
    """Line and sentence for each item of `exclude` that names no directory: nobody may take it for a private one."""
    listed = config.values["exclude"]
    items = listed if isinstance(listed, list) else []
    wrong = [at for at, item in enumerate(items) if not paths.expand(item, env) or "*" in item]
    if not wrong:
        return
    from memdir import frontmatter  # loaded already, to read the file

    # read once more, now with the line of each item; the fence in front makes it one more
    found = frontmatter.parse("\n".join(["---", *lines, "---", ""])).lines.get("exclude", [])
    for at in wrong:
        line = found[at] - 1 if len(found) == len(items) else _line(lines, "exclude")
        why = "patterns are not understood" if "*" in items[at] else "it must be absolute or begin with ~/ or $HOME/"
        yield line, f"`{items[at]}` in `exclude` excludes nothing: {why}"


def _take(config: Config, name: str, value: object, *, from_project: bool) -> str:
    """Puts one value in force, or says in a sentence why not."""
    key = KEYS.get(name)
    if key is None:
        return f"`{name}` is not a setting of memdir; known are {', '.join(KEYS)}"
    if from_project and not key.project:
        return f"`{name}` cannot be set by a project; put it into your own configuration"
    if isinstance(key.default, list):
        if isinstance(value, dict):
            return f"`{name}` must be a list of directories; nothing is excluded"
        one = [value] if isinstance(value, str) and value else []
        config.values[name] = list(value) if isinstance(value, list) else one
        return ""
    text = value if isinstance(value, str) else "\n"  # no single value of any kind
    if wanted := wanted_of(name, text):
        used = ("off", "on")[key.default] if isinstance(key.default, bool) else key.default
        if name == "llm.base_url":
            from memdir import endpoint  # loaded already, to look at the address

            value = endpoint.shown(text) if text != "\n" else "a list"
        return f"`{name}` must be {wanted}, not `{value}`; {'the built-in choice' if used == '' else used} is used"
    if isinstance(key.default, bool):
        config.values[name] = _SWITCH[text.lower()] and (config.on(name) or not from_project)
    elif isinstance(key.default, str):
        config.values[name] = text.lower() if key.choices else text
    else:
        number = min(float(text), config.number(name)) if from_project else float(text)
        config.values[name] = number if isinstance(key.default, float) else int(number)
    return ""


def wanted_of(name: str, text: str) -> str:
    """What the value of a setting should have been, "" if this text is one. Not for lists."""
    key = KEYS[name]
    if isinstance(key.default, bool):
        return "" if text.lower() in _SWITCH else "on or off"
    if key.choices:
        return "" if text.lower() in key.choices else f"one of {', '.join(key.choices)}"
    if isinstance(key.default, str):
        from memdir import endpoint  # only for those who chose a model

        return endpoint.PROBLEMS[name](text)
    whole, point, decimals = text.partition(".")
    is_plain = text.isascii() and whole.isdecimal()
    if isinstance(key.default, float):
        is_plain = is_plain and (not point or (decimals.isdecimal() and len(decimals) <= DECIMALS))
        kind, end = "a number", f" with at most {DECIMALS} decimals"
    else:
        is_plain = is_plain and not point
        kind, end = "a whole number", ""
    usable = is_plain and key.low <= float(text) <= key.high
    return "" if usable else f"{kind} from {key.low:.0f} to {key.high:.0f}{end}"
