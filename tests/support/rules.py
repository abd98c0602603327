"""Rule files for tests, and the commands that developers and their assistants type."""

from pathlib import Path

from support.checkout import ROOT

COMMANDS = ROOT / "tests" / "data" / "commands"
_STOPPED = "stopped.txt"


def write_rule(folder: Path, name: str, header: str, text: str) -> Path:
    """A rule file in the folder's `.claude/rules`."""
    path = folder / ".claude" / "rules" / f"{name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"---\n{header}\n---\n{text}\n", encoding="utf-8")
    return path


def ordinary_commands() -> "list[str]":
    """Commands that no rule may stop; those that do what a rule is for are `stopped_commands`."""
    return [block for path in sorted(COMMANDS.glob("*.txt")) if path.name != _STOPPED for block in _blocks(path)]


def stopped_commands() -> "list[tuple[str, str]]":
    """Commands that are as ordinary, each with the entry that stops it."""
    pairs = [block.split("\n", 1) for block in _blocks(COMMANDS / _STOPPED)]
    return [(entry, command) for entry, command in pairs]


def _blocks(path: Path) -> "list[str]":
    return [block.strip("\n") for block in path.read_text("utf-8").split("\n%\n")[1:]]
