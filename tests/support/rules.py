"""Rule files for tests, and the ordinary commands that no guard may stop."""

from pathlib import Path

from support.checkout import ROOT

# Of the ordinary commands, those that do what a guard is there to stop.
ORDINARY = (
    "git stash pop || git stash drop",
    'kubectl get secret db -o jsonpath="{.data.password}" | base64 --decode; echo',
    "rm -rf node_modules dist .cache",
    'find . -name "*.pyc" -delete',
    "find . -type f -name '*.log' -mtime +7 -exec rm {} \\;",
    "rsync -avz --delete --exclude='.git' ./ user@host:/srv/app/",
    "base64 -w0 < key.pem",
    'trap cleanup INT TERM\ncleanup() { rm -rf "$workdir"; exit 130; }\nworkdir=$(mktemp -d)\ncd "$workdir" || exit',
)


def write_rule(folder: Path, name: str, header: str, text: str) -> Path:
    """A rule file in the folder's `.claude/rules`."""
    path = folder / ".claude" / "rules" / f"{name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"---\n{header}\n---\n{text}\n", encoding="utf-8")
    return path


def ordinary_commands() -> "list[str]":
    text = (ROOT / "tests" / "data" / "commands" / "ordinary.txt").read_text("utf-8")
    return [block.strip("\n") for block in text.split("\n%\n")[1:]]
