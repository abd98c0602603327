"""Paths in a person's sentence, as a rule's `protect` names them: with what the project holds under that name."""

import os
import re

_NAME = re.compile(r"(?:~/|/|\./)?[\w.*@-]+(?:/[\w.*@-]+)*/?\Z")
_JOINED = re.compile(r"\s*[,、]\s*|\s+(?:and|or)\s+|\s*[和或と]\s*")
# Names that are directories where nothing says so.
_FOLDERS = frozenset("migrations vendor node_modules dist generated legacy third_party __snapshots__".split())
_LOCKS = (
    "package-lock.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "Cargo.lock", "poetry.lock", "uv.lock",
    "Pipfile.lock", "Gemfile.lock", "composer.lock", "go.sum",
)  # fmt: skip
_LOCK_WORDS = frozenset(("lockfile", "lockfiles", "lock file", "lock files"))
_UNWALKED = frozenset((".git", "node_modules", ".venv", "venv", "__pycache__"))
_WALK = 3_000  # directories that are looked at
_MOST = 5  # directories of one name, and paths in one sentence


def patterns(said: str, project: str, *, folder: bool) -> "list[str]":
    """The patterns for what a sentence names; none where one of them is not clearly a path.

    `folder`: the sentence says that it is a directory. `project`: where it would be, "" if that is not known.
    """
    if said.lower() in _LOCK_WORDS:
        return [name for name in _LOCKS if project and os.path.isfile(f"{project}/{name}")]
    found: "list[str]" = []
    names = _JOINED.split(said)
    for name in names:
        found += _pattern(name.rstrip(".") if not name.endswith(".*") else name, project, folder=folder)
        if not found or len(names) > _MOST:
            return []
    return found if len(found) >= len(names) else []


def sample(pattern: str) -> str:
    """A file that a pattern of `patterns` means."""
    return pattern.replace("**", "x").replace("*", "x")


def _pattern(name: str, project: str, *, folder: bool) -> "list[str]":
    parts = name.strip("/").split("/")
    if not _NAME.match(name) or ".." in parts or not any([char.isalnum() for char in name]) or len(name) > 200:
        return []
    name = name[2:] if name.startswith("./") else name
    if name[0] == "/":
        name = "/" + name  # the root of the file system; one slash is the project
    if "/" in name:
        rest = name.rstrip("/")
        return [rest if _is_file(parts[-1], os.path.join(project or "/", rest), name) else rest + "/**"]
    if folder or name in _FOLDERS:
        return _folders(name, project) or [name + "/**"]
    if "." not in name and "*" not in name:
        return []  # a word of the sentence
    return [name + "/**"] if project and os.path.isdir(f"{project}/{name}") else [name]


def _is_file(last: str, path: str, name: str) -> bool:
    if name.endswith("/") or os.path.isdir(path):
        return False
    return "*" in last or "." in last[1:] or last[0] == "." or os.path.isfile(path)


def _folders(name: str, project: str) -> "list[str]":
    """The directories of this name in the project, the nearest; none where there are too many to mean one thing."""
    if project and os.path.isdir(f"{project}/{name}"):
        return [name + "/**"]
    found = []
    for number, (folder, below, _) in enumerate(os.walk(project) if project else ()):
        if number >= _WALK:
            return []
        below[:] = [one for one in below if one not in _UNWALKED]
        inside = os.path.relpath(f"{folder}/{name}", project)
        if name in below and _NAME.match(inside):
            found.append(inside + "/**")
    return sorted(found) if len(found) <= _MOST else []
