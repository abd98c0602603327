"""memdir's settings: the user's file, and what a project may turn down.

One table names every key, its meaning for a person (`memdir doctor` and the documentation show it) and its limits.
A value that cannot be used leaves the default and a problem for doctor; a hook never fails for its configuration.
"""

from memdir import fsio, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Union

    Setting = Union[bool, int, float, "list[str]"]

FILE_BYTES = 65_536
PROJECT_FILE = ".claude/memdir.yaml"


_SWITCH = {"on": True, "true": True, "yes": True, "1": True, "off": False, "false": False, "no": False, "0": False}


class Key:
    def __init__(self, default: "Setting", low: float, high: float, meaning: str, *, project: bool = False) -> None:
        self.default = default
        self.low = low
        self.high = high
        self.meaning = meaning
        self.project = project  # whether a project's file may lower it


KEYS = {
    "recall.limit": Key(5, 0, 5, "topic files delivered for one prompt, at most; 0 turns recall off", project=True),
    "recall.max_files": Key(10_000, 1, 1_000_000, "topic files considered, newest first"),
    "recall.threshold": Key(0.0, 0, 100, "least score of a topic file to be delivered; 0 is the built-in decision"),
    "extract.on": Key(True, 0, 0, "whether what you ask to remember becomes a memory (on or off)", project=True),
    "summary.on": Key(True, 0, 0, "whether a compaction gets a summary of the session (on or off)", project=True),
    "resume_note": Key(True, 0, 0, "whether a session start names one that was cut off (on or off)", project=True),
    "rules.on": Key(True, 0, 0, "whether hard rules are in force (on or off)"),
    "exclude": Key([], 0, 0, "directories in which memdir does nothing, with all below them (a list)"),
}


class Config:
    """The settings in force, and the problems found on the way as (file, line, sentence)."""

    def __init__(self) -> None:
        self.values: "dict[str, Setting]" = {name: key.default for name, key in KEYS.items()}
        self.problems: "list[tuple[str, int, str]]" = []

    def number(self, name: str) -> float:
        value = self.values[name]
        return value if not isinstance(value, list) else 0

    def count(self, name: str) -> int:
        return int(self.number(name))

    def on(self, name: str) -> bool:
        return self.values[name] is True

    def excludes(self, folder: str, env: "Mapping[str, str]") -> bool:
        """Whether `folder` is one of the directories of `exclude`, or below one."""
        listed = self.values["exclude"]
        roots = [paths.expand(item, env) for item in listed] if isinstance(listed, list) else []
        return any(root and (paths.under(folder, root) or folder == root) for root in roots)


def load(env: "Mapping[str, str]", project_dir: str) -> Config:
    config = Config()
    _read(config, paths.config_file(env), from_project=False)
    if project_dir:
        _read(config, project_dir + "/" + PROJECT_FILE, from_project=True)
    return config


def _read(config: Config, path: str, *, from_project: bool) -> None:
    raw = fsio.read(path, FILE_BYTES, follow=True) if path else None
    if raw is None:
        return
    from memdir import frontmatter  # only for those who have a configuration file

    lines = raw.decode("utf-8-sig", "replace").splitlines()
    values, problems = frontmatter.parse_block(lines)
    config.problems += [(path, line, sentence) for line, sentence in problems]
    for name, value in values.items():
        sentence = _take(config, name, value, from_project=from_project)
        if sentence:
            line = next((number for number, text in enumerate(lines, 1) if text.lstrip("\"' ").startswith(name)), 1)
            config.problems.append((path, line, sentence))


def _take(config: Config, name: str, value: object, *, from_project: bool) -> str:
    """Puts one value in force, or says in a sentence why not."""
    key = KEYS.get(name)
    if key is None:
        return f"`{name}` is not a setting of memdir; known are {', '.join(KEYS)}"
    if from_project and not key.project:
        return f"`{name}` cannot be set by a project; put it into your own configuration"
    if isinstance(key.default, list):
        config.values[name] = (
            [value] if isinstance(value, str) and value else list(value) if isinstance(value, list) else []
        )
        return ""
    if isinstance(key.default, bool):
        if str(value).lower() not in _SWITCH:
            return f"`{name}` must be on or off, not `{value}`; {'on' if key.default else 'off'} is used"
        config.values[name] = _SWITCH[str(value).lower()] and (config.on(name) or not from_project)
        return ""
    try:
        number = float(str(value))
    except ValueError:
        number = -1.0
    if not key.low <= number <= key.high:  # nan compares false
        return f"`{name}` must be a number from {key.low:g} to {key.high:g}, not `{value}`; {key.default} is used"
    if from_project:
        number = min(number, config.number(name))
    config.values[name] = number if isinstance(key.default, float) else int(number)
    return ""
