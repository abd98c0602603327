"""Imports point one way: a module imports only from layers below its own. A new module is one line in the table."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.checkout import ROOT

LIB = ROOT / "lib"
HOT = LIB / "memdir"

# lib/memdir from the ground up; events may be imported by nobody, each other included.
LAYERS = (
    ("ages", "budget", "corrections", "errors", "glossary", "jsonio", "markdown", "redact", "scalars", "shell"),
    ("endpoint", "excerpts", "frontmatter", "fsio", "links", "messages", "tokens"),
    ("evidence",),
    ("exchange", "index", "index_lines", "locks", "log", "paths", "processes", "rank", "rules"),
    ("config", "detach", "hookio", "rulebook", "session", "store", "transcript"),
    ("activity", "catalog", "cursor", "delivery", "presence", "projects", "queue"),
    ("handover", "machine", "recall", "selfcheck", "summary"),
    ("enforcement", "unfinished"),
    ("events",),
)
LAYER = {name: height for height, names in enumerate(LAYERS) for name in names}

# lib/memdir_worker likewise; it may use all of lib/memdir.
WORKER = LIB / "memdir_worker"
WORKER_LAYERS = (
    ("commands_said", "detector", "marks", "memory_writes", "overlay", "prohibited_paths", "quotations", "replacement"),
    ("wording",),
    ("chinese", "english", "japanese", "index_file", "prohibited_acts"),
    ("journal", "spoken"),
    ("proposals", "subjects"),
    ("drafts",),
    ("extraction",),
    ("worker",),
    ("__main__",),
)
WORKER_LAYER = {name: height for height, names in enumerate(WORKER_LAYERS) for name in names}

# What the interpreter has loaded anyway or loads in next to no time. Everything else costs the user at every prompt.
STANDARD = {"errno", "fcntl", "gc", "_json", "marshal", "os", "select", "stat", "sys", "time", "unicodedata", "zlib"}


def _modules(package: Path) -> "list[Path]":
    return sorted(path for path in package.rglob("*.py") if path != package / "__init__.py")


def _imports(tree: ast.AST) -> "Iterator[str]":
    """Dotted names, `from a import b` as a.b: b may be a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _at_start(tree: ast.Module) -> "Iterator[str]":
    """What is imported when the module is: not inside functions, nor for the type checker alone."""
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            continue
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from _imports(node)
        waiting += ast.iter_child_nodes(node)


def _parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), str(path))


def _name(path: Path) -> str:
    """The entry of the table that a module of lib/memdir belongs to."""
    return path.relative_to(HOT).with_suffix("").parts[0]


def _own(names: "Iterator[str]") -> "set[str]":
    return {parts[1] for parts in (name.split(".") for name in names) if parts[0] == "memdir" and len(parts) > 1}


def _label(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_every_module_has_its_place_in_the_table():
    assert {_name(path) for path in _modules(HOT)} == set(LAYER)


@pytest.mark.parametrize("path", _modules(HOT), ids=_label)
def test_a_module_imports_only_from_lower_layers(path):
    mine = _name(path)
    allowed = {name for name in LAYER if LAYER[name] < LAYER[mine]}
    if mine != "events" and path.parent != HOT:
        allowed.add(mine)  # the parts of a package belong together; only events stay apart
    assert _own(_imports(_parse(path))) <= allowed


@pytest.mark.parametrize("path", _modules(WORKER), ids=_label)
def test_a_module_of_the_worker_imports_only_from_lower_layers(path):
    names = [name.split(".") for name in _imports(_parse(path))]
    used = {parts[1] for parts in names if parts[0] == "memdir_worker" and len(parts) > 1}
    assert used <= {name for name in WORKER_LAYER if WORKER_LAYER[name] < WORKER_LAYER[path.stem]}
    assert "memdir_cli" not in {parts[0] for parts in names}


@pytest.mark.parametrize("path", [*_modules(HOT / "rules"), *_modules(HOT / "shell")], ids=_label)
def test_rules_and_the_shell_take_values_and_return_values(path):
    """They know neither files nor processes nor the time."""
    tree = _parse(path)
    assert {name.split(".")[0] for name in _imports(tree)} <= {
        "memdir",
        "collections",
        "re",
        "typing",
        "unicodedata",
        "warnings",
    }
    assert not {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} & {"open", "print", "exec", "eval"}


@pytest.mark.parametrize("path", _modules(HOT), ids=_label)
def test_the_hot_path_knows_nothing_of_worker_and_command_line(path):
    assert not {name.split(".")[0] for name in _imports(_parse(path))} & {"memdir_cli", "memdir_worker"}


@pytest.mark.parametrize("path", _modules(HOT), ids=_label)
def test_the_hot_path_starts_with_cheap_modules_only(path):
    assert {name.split(".")[0] for name in _at_start(_parse(path))} - STANDARD - {"memdir"} == set()


@pytest.mark.parametrize("path", sorted((ROOT / "hooks").glob("*.py")), ids=_label)
def test_a_hook_script_is_short_and_imports_one_thing(path):
    """A main script is compiled at every run."""
    assert len(path.read_text("utf-8").splitlines()) <= 12
    assert [name for name in _imports(_parse(path)) if name.startswith("memdir")] == ["memdir.hookio"]


@pytest.mark.parametrize("path", sorted(LIB.rglob("__init__.py")), ids=_label)
def test_a_package_file_is_empty(path):
    assert path.read_bytes() == b""
