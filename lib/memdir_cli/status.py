"""`memdir status`: the memory of the project in the working directory."""

import argparse
import os
import time

from memdir import ages, catalog, index, jsonio, paths, projects, queue, store
from memdir.errors import UserError
from memdir_cli import adopt
from memdir_cli import log as log_command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from memdir.catalog import Record

_BAR = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON document with every file")


def run(args: argparse.Namespace) -> int:
    project = projects.Project(os.getcwd(), os.environ)
    memory = project.memory_dir()
    if memory is None:
        raise UserError("no memory directory belongs to this directory: HOME is not set")
    now = time.time()
    known = catalog.refresh(memory.path, paths.state_dir(os.environ), now)
    topics = [record for record in map(known.record, range(known.n)) if record]
    content = store.index_text(memory.path)
    native = project.native_memory_on()
    if args.json:
        print(jsonio.dumps(_document(memory, native, content, topics)))
        return 0
    print(f"Memory directory  {store.shown(memory.path)}")
    print(f"  chosen by       {memory.source}")
    print(f"Index             {_index_line(content)}")
    print(f"  delivered by    {'Claude Code (auto memory is on)' if native else 'memdir, at the start of a session'}")
    print(f"Queue             {_queue_line()}")
    waiting = adopt.waiting(memory.path)
    if waiting:
        print(f"Hard rules        {waiting} of what you said could be one: memdir rules adopt")
    print(f"Topic files       {len(topics)}")
    for record in topics[:10]:
        print(f"  {ages.phrase(record[4], now):>12}  {store.shown(record[0])}")
        if record[3]:
            print(f"                {store.shown(' '.join(record[3].split()))[:62]}")
    if len(topics) > 10:
        print(f"  … and {len(topics) - 10} older ones")
    return 0


def _queue_line() -> str:
    """What waits to be extracted, and what the worker did last."""
    state = paths.state_dir(os.environ)
    counts = [(name, len(queue.read(state, name))) for name in (queue.PENDING, queue.RUNNING, queue.FAILED)]
    jobs = ", ".join([f"{count} {name}" for name, count in counts if count]) or "empty"
    runs = [line for line in log_command.read(state) if line.get("hook") == "worker"]
    if not runs:
        return jobs
    return f"{jobs}; last worked {ages.ago(float(runs[-1].get('t') or 0), time.time())}: {runs[-1].get('outcome')}"


def _index_line(content: "str | None") -> str:
    if content is None:
        return "none yet"
    loaded = index.load(content)
    share = max(loaded.lines / index.MAX_LINES, loaded.units / index.MAX_UNITS)
    bar = "#" * min(_BAR, round(share * _BAR))
    return f"[{bar:.<{_BAR}}] {loaded.lines} lines, {loaded.units} units: {loaded.state} its limits"


def _document(
    memory: "projects.MemoryDir", native: bool, content: "str | None", topics: "list[Record]"
) -> "dict[str, Any]":
    files: "list[dict[str, Any]]" = []
    if content is not None:
        loaded = index.load(content)
        files.append(_file(memory.path, store.INDEX, "index", len(loaded.text), "session_start"))
    for record in topics:
        text = store.text(os.path.join(memory.path, record[0])) or ""
        files.append(_file(memory.path, record[0], "topic", len(text), "recall"))
    return {"memory_dir": store.shown(memory.path), "chosen_by": memory.source, "native_memory": native, "files": files}


def _file(folder: str, file: str, source: str, chars: int, load_reason: str) -> "dict[str, Any]":
    path = store.shown(os.path.join(folder, file))
    return {"path": path, "source": source, "scope_path": folder, "chars": chars, "load_reason": load_reason}
