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
# A word with a dot is a file's name where its end is one of these: `console.log` and `Node.js` are none.
_ENDS = frozenset(
    """
    avsc bash bat bzl c cc cfg cjs cpp cs css csproj csv cts cxx dart ex exs fish gif go gql gradle graphql h hcl hpp
    html ini ipynb java jpg js json json5 jsonc jsx kt kts less lock lua m md mdx mjs mk mod mts nix patch pbxproj pdf
    pem php plist png po prisma properties proto ps1 psd1 py pyi r rake rb rs rst sass scala scss sh snap sql sum
    svelte svg swift tex tf tfvars thrift toml ts tsv tsx txt vue xml yaml yml zig zsh
    """.split()
)
_PRODUCTS = frozenset(
    "alpine.js backbone.js d3.js ember.js express.js next.js node.js nuxt.js p5.js react.js three.js vue.js".split()
)
# Where a path begins that is not there (yet). "CI/CD" and "and/or" begin nowhere.
_TOPS = frozenset(
    ".circleci .github .vscode build cmd config db dist generated infra internal lib migrations packages pkg scripts"
    " src third_party vendor".split()
)
_ROOTS = frozenset("Applications Library Users etc home opt private srv tmp usr var".split())
_LOCK_WORDS = frozenset(("lockfile", "lockfiles", "lock file", "lock files"))
_UNWALKED = frozenset((".git", "node_modules", ".venv", "venv", "__pycache__"))
_WALK = 3_000  # directories that are looked at
_ALL = re.compile(r"(?<=[^/])/\*{1,2}\Z")  # "src/*" is the folder, with all below it
_MOST = 5  # directories of one name, and paths in one sentence


def patterns(said: str, project: str, *, folder: bool) -> "list[str]":
    """The patterns for what a sentence names; none where one of them is not clearly a path.

    `folder`: the sentence says that it is a directory. `project`: where it would be, "" if that is not known.
    """
    if said.lower() in _LOCK_WORDS:
        return [name for name in _LOCKS if project and os.path.isfile(f"{project}/{name}")]
    names = _JOINED.split(said)
    found = [_pattern(name.rstrip("."), project, folder=folder) for name in names]
    return [pattern for each in found for pattern in each] if len(names) <= _MOST and all(found) else []


def sample(pattern: str) -> str:
    """A file that a pattern of `patterns` means."""
    return pattern.replace("**", "x").replace("*", "x")


def _pattern(name: str, project: str, *, folder: bool) -> "list[str]":
    name = _ALL.sub("/", name)
    parts = name.strip("/").split("/")
    if not _NAME.match(name) or ".." in parts or not any([char.isalnum() for char in name]) or len(name) > 200:
        return []
    name = name[2:] if name.startswith("./") else name
    if not _is_path(name, parts, project):
        return []
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


def _is_path(name: str, parts: "list[str]", project: str) -> bool:
    """Whether a name is one of a file or directory, and not words with a slash or a dot between them."""
    if project and os.path.lexists(os.path.join(project, name.lstrip("/"))):
        return name[0] != "/"  # the root of the file system, or the project's? Nobody knows.
    if name[0] == "/":
        return parts[0] in _ROOTS
    end = parts[-1].rpartition(".")[2].lower()
    is_file = end in _ENDS and "." in parts[-1][1:] and name.lower() not in _PRODUCTS
    if "/" in name:
        return is_file or name[0] == "~" or (name.endswith("/") and len(parts) == 1) or parts[0] in _TOPS
    return is_file or "*" in name or name[0] == "." or "." not in name


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
