"""Records which memory directory Claude Code uses, and whether, into tests/data/memory_dirs.json.

    python3 tests/conformance/memory_dirs.py CLAUDE_BINARY [NAME...]

Runs the client once in each situation of tests/support/situations.py (or in those named), without network, against the
scripted API. No key is needed.
"""

import json
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from e2e.client import Client
from support.situations import DIRS, KEYS, NATIVE, Situation, portable

RECORD = Path(__file__).parent.parent / "data" / "memory_dirs.json"
_ANNOUNCED = re.compile(r"persistent file-based memory at `([^`]*)`")


def ask(binary: str, situation: Situation, root: Path) -> "str | None":
    """The memory directory that the client announces; None when its auto memory is off."""
    cwd, env = situation.build(root)
    if (root / "etc").is_dir():
        binary = _with_etc(binary, root)
    client = Client(binary, root, root / "home", cwd, root / "out", os.environ["PATH"])
    result = client.run("hello", plugins=[], env=env)
    if not result.main:
        raise SystemExit(f"no request: {result.report()}")
    found = _ANNOUNCED.search(result.main[0].text)
    return found[1] if found else None


def _with_etc(binary: str, root: Path) -> str:
    """The client in a mount namespace where `root/etc` lies over /etc; needs Linux and root."""
    script = root / "client"
    mount = f"mount -t overlay overlay -o lowerdir={root}/etc:/etc /etc"
    script.write_text(f'#!/bin/sh\nexec unshare -m sh -ec \'{mount}; exec "$0" "$@"\' \'{binary}\' "$@"\n')
    script.chmod(0o755)
    return str(script)


def _in_new_root(binary: str, situation: Situation) -> "tuple[str | None, Path]":
    root = Path(tempfile.mkdtemp(prefix="md-")).resolve()
    try:
        answer = ask(binary, situation, root)
        return (portable(answer, root) if answer else None), root
    finally:
        shutil.rmtree(root)


def main() -> None:
    binary, *names = sys.argv[1:]
    record = json.loads(RECORD.read_text("utf-8")) if RECORD.exists() else {"dirs": {}, "native": {}, "keys": {}}
    for table, situations in (("dirs", DIRS), ("native", NATIVE)):
        for name, situation in situations.items():
            if not names or name in names:
                answer, _ = _in_new_root(binary, situation)
                record[table][name] = answer if table == "dirs" else answer is not None
                print(f"{table}: {name}: {record[table][name]}", flush=True)
        if not names:
            record[table] = {name: record[table][name] for name in situations}
    for path in KEYS if not names else ():
        with tempfile.TemporaryDirectory() as home:
            shutil.rmtree("/tmp/mk", ignore_errors=True)
            Path(path).mkdir(parents=True)
            client = Client(binary, Path(home), Path(home), Path(path), Path(home) / "out", os.environ["PATH"])
            found = _ANNOUNCED.search(client.run("hello", plugins=[]).main[0].text)
            record["keys"][path] = Path(found[1]).parent.name if found else None
    shutil.rmtree("/tmp/mk", ignore_errors=True)
    RECORD.write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
