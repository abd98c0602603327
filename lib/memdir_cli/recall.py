"""`memdir recall`: the ranking of a prompt, as the hook does it."""

import argparse
import os
import sys
import time

from memdir import catalog, config, jsonio, paths, projects, recall, store
from memdir.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", nargs="?", metavar="QUERY", help="the prompt")
    parser.add_argument("--queries", metavar="FILE", help='lines of {"query": …}, an answer each (-: standard input)')
    parser.add_argument("--dir", metavar="DIR", help="the memory directory (default: this project's)")
    parser.add_argument("-k", type=int, default=5, metavar="N", help="how many files to list (default: 5)")
    parser.add_argument("--max-files", type=int, metavar="N", help="rank the newest N files only (default: all)")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of a table")


def run(args: argparse.Namespace) -> int:
    if (args.query is None) == (args.queries is None):
        raise UserError("give one QUERY, or --queries FILE")
    if args.k < 1 or (args.max_files is not None and args.max_files < 1):
        raise UserError("-k and --max-files take a number from 1")
    folder = memory_folder(args.dir)
    settings = config.load(os.environ, "")
    limits = recall.Limits(
        settings.count("recall.limit"), settings.number("recall.threshold"), args.max_files or 1 << 24
    )
    known = catalog.refresh(folder, paths.state_dir(os.environ), time.time())
    if args.query is not None:
        found = recall.choose(args.query, known, limits, keep=args.k)[: args.k]
        if args.json:
            print(jsonio.dumps(_answer(args.query, found)))
        else:
            _print_table(found, known.n, folder)
        return 0
    for query in _queries(args.queries):
        if isinstance(query, UserError):
            answer: "dict[str, Any]" = {"error": str(query)}
        else:
            answer = _answer(query, recall.choose(query, known, limits, keep=args.k)[: args.k])
        print(jsonio.dumps(answer), flush=True)
    return 0


def memory_folder(chosen: "str | None") -> str:
    """The directory named on the command line, or that of the project in the working directory."""
    if chosen is None:
        memory = projects.Project(os.getcwd(), os.environ).memory_dir()
        if memory is None:
            raise UserError("no memory directory belongs to this directory; name one with --dir")
        return memory.path
    if not os.path.isdir(chosen):
        raise UserError(f"{chosen} is not a directory")
    return os.path.abspath(chosen)


def _queries(name: str) -> "Iterator[str | UserError]":
    """The queries of a file, an error in place of a line that is none."""
    try:
        file = sys.stdin.buffer if name == "-" else open(name, "rb")  # noqa: SIM115 - closed with the process
    except OSError as error:
        raise UserError(f"cannot read {name}: {error.strerror}") from None
    for number, line in enumerate(file, 1):
        try:
            value = jsonio.loads(line)
        except ValueError as error:
            yield UserError(f"line {number}: {error}")
            continue
        query = value.get("query") if isinstance(value, dict) else None
        yield query if isinstance(query, str) else UserError(f'line {number}: not an object with a text "query"')


def _answer(query: str, found: "list[recall.Ranked]") -> "dict[str, Any]":
    return {
        "query": query,
        "abstained": not any(item.fate == recall.DELIVER for item in found),
        "results": [
            {
                "file": store.shown(item.file),
                "score": round(item.score, 4),
                "delivered": item.fate == recall.DELIVER,
                "type": item.type,
                "description": item.description,
            }
            for item in found
        ],
    }


def _print_table(found: "list[recall.Ranked]", total: int, folder: str) -> None:
    if not found:
        print(f"None of {total} topic files in {folder} shares a word with this prompt.")
    for item in found:
        print(f"{item.score:5.2f}  {item.fate:21}  {store.shown(item.file)}  ({', '.join(item.terms[:8])})")
        if item.description:
            print(f"       {store.shown(' '.join(item.description.split()))[:100]}")
