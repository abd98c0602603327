"""Records what Claude Code says after a tool changed a memory directory, into tests/data/write_checks.json.

    python3 tests/conformance/write_checks.py CLAUDE_BINARY [NAME...]

Runs the client once for each situation of `SITUATIONS` (or those named), without network, against the scripted API. In
texts {memory} is the project's memory directory, {agent} and {agent_here} are an agent's, below home and the project.
"""

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from e2e.client import Client
from support.memory import Memory

RECORD = Path(__file__).parent.parent / "data" / "write_checks.json"
SAID = "PostToolUse:{tool} hook additional context: "
ENTRY = "- [T{n}](t{n}.md) — note {n}\n"
INDEX, TOPIC = "{memory}/MEMORY.md", "{memory}/x.md"
_TOPIC = "---\nname: x\ndescription: d\nmetadata:\n  type: user\n---\n\nBody.\n"

# name -> tool, file, what it holds before (None: nothing), what it holds after; both as pieces, each repeated
SITUATIONS: "dict[str, tuple[str, str, list | None, list]]" = {
    "within": ("Write", INDEX, None, [(ENTRY, 100)]),
    "159 lines": ("Write", INDEX, None, [("a\n", 159)]),
    "160 lines": ("Write", INDEX, None, [("a\n", 160)]),
    "200 lines": ("Write", INDEX, None, [(ENTRY, 200)]),
    "201 lines": ("Write", INDEX, None, [(ENTRY, 201)]),
    "19,999 units": ("Write", INDEX, None, [("x" * 199 + "\n", 99), ("x" * 199, 1)]),
    "20,000 units": ("Write", INDEX, None, [("x" * 199 + "\n", 99), ("x" * 200, 1)]),
    "25,000 units": ("Write", INDEX, None, [("x" * 249 + "\n", 99), ("x" * 250, 1)]),
    "25,001 units": ("Write", INDEX, None, [("x" * 249 + "\n", 99), ("x" * 251, 1)]),
    "29 KB": ("Write", INDEX, None, [("x" * 199 + "\n", 150)]),
    "near both limits": ("Write", INDEX, None, [("x" * 129 + "\n", 165)]),
    "over both limits": ("Write", INDEX, None, [("x" * 199 + "\n", 250)]),
    "over the lines, near the units": ("Write", INDEX, None, [("x" * 92 + "\n", 230)]),
    "near the lines, over the units": ("Write", INDEX, None, [("x" * 156 + "\n", 165)]),
    "one long line": ("Write", INDEX, None, [("x", 30_000)]),
    "a long entry": ("Write", INDEX, None, [("- [T](t1.md) — " + "y" * 400 + "\n", 1)]),
    "a line without a file": ("Write", INDEX, None, [("- [X](gone.md) — x\n", 1)]),
    "frontmatter, near": ("Write", INDEX, None, [("---\nname: x\n---\n", 1), (ENTRY, 165)]),
    "edit, near": ("Edit", INDEX, [(ENTRY, 164)], [(ENTRY, 165)]),
    "edit, over": ("Edit", INDEX, [(ENTRY, 200)], [(ENTRY, 201)]),
    "bash, near": ("Bash", INDEX, [(ENTRY, 164)], [(ENTRY, 165)]),
    "bash, over": ("Bash", INDEX, [(ENTRY, 200)], [(ENTRY, 260)]),
    "memory off, near": ("Write", INDEX, None, [(ENTRY, 165)]),
    "memory off, over": ("Edit", INDEX, [(ENTRY, 200)], [(ENTRY, 201)]),
    "memory off, agent": ("Write", "{agent}/MEMORY.md", None, [(ENTRY, 260)]),
    "agent, near": ("Write", "{agent}/MEMORY.md", None, [(ENTRY, 165)]),
    "agent, over": ("Edit", "{agent}/MEMORY.md", [(ENTRY, 200)], [(ENTRY, 201)]),
    "agent in the project, over": ("Write", "{agent_here}/MEMORY.md", None, [(ENTRY, 260)]),
    "agent, topic without description": ("Write", "{agent}/x.md", None, [("---\nname: x\n---\nBody.\n", 1)]),
    "index in a subdirectory": ("Write", "{memory}/sub/MEMORY.md", None, [(ENTRY, 260)]),
    "topic without an index line": ("Write", TOPIC, None, [(_TOPIC, 1)]),
    "topic without frontmatter": ("Write", TOPIC, None, [("Text.\n", 1)]),
    "topic without description": ("Write", TOPIC, None, [("---\nname: x\ntype: user\n---\nBody.\n", 1)]),
    "topic with broken YAML": ("Write", TOPIC, None, [("---\nname: [x\nmetadata: {\n---\nBody.\n", 1)]),
    "topic whose header never ends": ("Write", TOPIC, None, [("---\nname: x\ndescription: d\n\nBody.\n", 1)]),
    "topic by edit, without description": ("Edit", TOPIC, [(_TOPIC, 1)], [("---\nname: x\n---\n\nBody.\n", 1)]),
    "topic by bash, without description": ("Bash", TOPIC, None, [("---\nname: x\n---\nBody.\n", 1)]),
}


def text_of(pieces: "list | None") -> str:
    return "".join(text.replace("{n}", str(n)) for text, times in pieces or () for n in range(1, times + 1))


def places(home: Path, project: Path, memory: Path) -> "dict[str, str]":
    here = f"{project}/.claude/agent-memory/tester"
    return {"memory": str(memory), "agent": f"{home}/.claude/agent-memory/tester", "agent_here": here}


def ask(binary: str, name: str, root: Path) -> "str | None":
    """What the client adds to the tool's result."""
    tool, file, before, after = SITUATIONS[name]
    home, project = root / "home", root / "project"
    project.mkdir(parents=True)
    memory = Memory(home, project)
    if name.startswith("memory off"):
        (home / ".claude" / "settings.json").write_text('{"autoMemoryEnabled": false}')
    path = Path(file.format(**places(home, project, memory.dir)))
    path.parent.mkdir(parents=True, exist_ok=True)
    if before is not None:
        path.write_text(text_of(before))
    new = text_of(after)
    given: dict[str, str] = {"file_path": str(path), "content": new}
    if tool == "Edit":
        given = {"file_path": str(path), "old_string": text_of(before), "new_string": new}
    elif tool == "Bash":
        (root / "new").write_text(new)
        given = {"command": f"cp '{root}/new' '{path}'"}
    client = Client(binary, root, home, project, root / "out", os.environ["PATH"])
    result = client.run(
        "go",
        scenario={"turns": [{"tool": tool, "input": given}]},
        plugins=[],
        args=["--permission-mode", "bypassPermissions"],
        env={"IS_SANDBOX": "1"},
    )
    if len(result.main) != 2 or path.read_text()[-5:] != new[-5:]:
        raise SystemExit(f"{name}: {result.report()}")
    start = SAID.format(tool=tool)
    said = [text for text in result.main[1].texts("system") if text.startswith(start)]
    return said[0][len(start) :] if said else None


def main(binary: str, *names: str) -> None:
    record = json.loads(RECORD.read_text("utf-8")) if RECORD.exists() else {}
    for name in names or SITUATIONS:
        root = Path(tempfile.mkdtemp(prefix="md-")).resolve()
        try:
            tool, file, before, after = SITUATIONS[name]
            said = ask(binary, name, root)
            record[name] = {"tool": tool, "file": file, "before": before, "after": after, "said": said}
            print(f"{name}: {said}", flush=True)
        finally:
            shutil.rmtree(root)
    rows = [(name, record[name]) for name in SITUATIONS if name in record]
    lines = [f"{json.dumps(name)}: {json.dumps(row, ensure_ascii=False)}" for name, row in rows]
    RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
