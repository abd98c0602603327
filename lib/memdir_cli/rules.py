"""`memdir rules`: which hard rules are in force here, and what they say about a call."""

import argparse
import os
import sys

from memdir import enforcement, jsonio, paths
from memdir.errors import UserError
from memdir.rules import decision, entries
from memdir.rules.finding import NO_OPINION
from memdir.shell.arguments import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from memdir.rulebook import RuleBook
    from memdir.rules.rule import RuleFile

STDIN_BYTES = 64 << 20
_USAGE = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, summary in (
        ("list", "the rules in force in this directory, and what is wrong with any"),
        ("check", "the decision on a call, read as a PreToolUse payload from standard input"),
        ("explain", "how a call is read, what matches and why"),
        ("test", "run the examples that the rule files carry; exit code 1 if one has another outcome"),
    ):
        action = actions.add_parser(name, help=summary, description=summary[0].upper() + summary[1:] + ".")
        action.add_argument("--json", action="store_true", help="one JSON document")
        if name == "explain":
            action.add_argument("call", nargs="+", help="a command line, or a call such as 'Edit(src/a.ts)'")


def run(args: argparse.Namespace) -> int:
    if args.action == "check":
        return _check(as_json=args.json)
    session = _session(os.getcwd(), os.environ.get("CLAUDE_PROJECT_DIR", ""))
    book = session.rules()
    if args.action == "list":
        return _list(book, session, as_json=args.json)
    if args.action == "explain":
        return _explain(" ".join(args.call), session, book, as_json=args.json)
    return _test(session, book, as_json=args.json)


def _session(cwd: str, project_dir: str) -> enforcement.Session:
    return enforcement.Session(cwd, project_dir, os.environ, paths.state_dir(os.environ))


# check


def _check(*, as_json: bool) -> int:
    try:
        payload = jsonio.loads(sys.stdin.buffer.read(STDIN_BYTES))
    except ValueError as error:
        payload = error
    if not isinstance(payload, dict):
        print("memdir rules check: standard input is not a PreToolUse payload (a JSON object)", file=sys.stderr)
        return _USAGE
    cwd = payload.get("cwd")
    tool = payload.get("tool_name")
    session = _session(cwd if isinstance(cwd, str) else os.getcwd(), os.environ.get("CLAUDE_PROJECT_DIR", ""))
    if session.in_force():
        found = enforcement.judge(
            session, session.rules(), tool if isinstance(tool, str) else "", payload.get("tool_input")
        )[1]
    else:
        found = decision.Judgement()
    if as_json:
        print(jsonio.dumps(_document(found)))
    else:
        print(_sentence(found))
    return 0


def _document(found: decision.Judgement) -> "dict[str, Any]":
    return {"decision": found.decision, "rule": found.rule, "reason": found.reason}


def _sentence(found: decision.Judgement) -> str:
    return found.decision + (f"\n  {found.rule}\n  {found.reason}" if found.rule else "")


# list


def _list(book: "RuleBook", session: enforcement.Session, *, as_json: bool) -> int:
    if as_json:
        print(jsonio.dumps({"in_force": session.in_force(), "files": [_listed(file) for file in book.files]}))
        return 0
    if not book.files:
        print("No hard rules are in force here. Looked into:")
        print("\n".join([f"  {folder}" for folder in book.folders]))
        return 0
    if not session.in_force():
        print("The configuration switches hard rules off here (rules.on, exclude). There are:")
    for file in book.files:
        print(f"{file.path}{'  (yours)' if file.user else ''}")
        for entry in file.entries:
            print(f"  {entry.line:>4}  {entry.kind:8} {entry.text}")
            print(f"        {'BROKEN: ' + entry.problem if entry.problem else _meaning(entry)}")
        for line, sentence in file.problems:
            print(f"  {line:>4}  note: {sentence}")
    print("protect-memdir is on as long as one of these is: rule files and memdir's own files cannot be changed,")
    print("settings of Claude Code only when you say yes.")
    return 0


def _meaning(entry: "Any") -> str:
    if entry.guard:
        doc = entries.guard_module(entry.guard).__doc__ or ""
        return str(doc.split("\n\n")[0].replace("\n", " ").strip())
    if entry.kind == "protect":
        return "No tool may change this, Bash included."
    if entry.kind == "require":
        return "Parsed; memdir does not enforce requirements yet."
    return "Asks before such a call." if entry.kind == "ask" else "No such call."


def _listed(file: "RuleFile") -> "dict[str, Any]":
    return {
        "path": file.path,
        "user": file.user,
        "base": file.base,
        "reason": file.reason,
        "entries": [
            {"kind": entry.kind, "text": entry.text, "line": entry.line, "problem": entry.problem}
            for entry in file.entries
        ],
        "examples": [{"decision": wanted, "call": text} for wanted, text in file.examples],
        "problems": [{"line": line, "sentence": sentence} for line, sentence in file.problems],
    }


# explain and test


def _call_of(text: str) -> "tuple[str, dict[str, Any]]":
    """Tool and input of a call as people write it: `Edit(path)`, else a command line."""
    tool, opened, rest = text.strip().partition("(")
    if opened and rest.endswith(")") and tool[:1].isupper() and tool.isalnum():
        key = {"NotebookEdit": "notebook_path", "Bash": "command", "WebFetch": "url", "Grep": "path", "Glob": "path"}
        return tool, {key.get(tool, "file_path"): rest[:-1]}
    return "Bash", {"command": text}


def _explain(text: str, session: enforcement.Session, book: "RuleBook", *, as_json: bool) -> int:
    tool, tool_input = _call_of(text)
    call, found = enforcement.judge(session, book, tool, tool_input)
    line = decision.line_of(call, session.machine()) if call.command is not None else None
    calls = line.calls if line else []
    doubts = line.doubts if line else []
    if as_json:
        document = _document(found)
        document["calls"] = [
            {"argv": [shown(word) for word in one.argv], "cwd": one.cwd, "writes": one.writes, "via": list(one.via)}
            for one in calls
        ]
        document["doubts"] = [{"offset": doubt.start, "sentence": doubt.sentence} for doubt in doubts]
        print(jsonio.dumps(document))
        return 0
    if line is not None:
        print("Read as:")
    for one in calls:
        words = [shown(word) for word in one.argv] + [f"> {shown(target)}" for target in one.writes]
        words = [f"{name}={shown(value)}" for name, value in one.assigned.items()] + words
        inside = f"   in {' in '.join(reversed(one.via))}" if one.via else ""
        where = "" if one.cwd == session.cwd else f"   at {one.cwd or 'a directory that is only known then'}"
        print(f"  {' '.join(words)}{inside}{where}")
    for doubt in doubts:
        print(f"  not known: {doubt.sentence} (at character {doubt.start})")
    if not book.files:
        print("No hard rules are in force here.")
    print(f"Decision: {_sentence(found)}")
    return 0


def _test(session: enforcement.Session, book: "RuleBook", *, as_json: bool) -> int:
    results = []
    for file in book.files:
        for wanted, text in file.examples:
            found = enforcement.judge(session, book, *_call_of(text))[1]
            got = "allow" if found.decision == NO_OPINION else found.decision
            results.append((file.path, wanted, got, text, found))
    wrong = [result for result in results if result[1] != result[2]]
    if as_json:
        keys = ("path", "wanted", "got", "call")
        print(jsonio.dumps([dict(zip(keys, result)) | _document(result[4]) for result in results]))
        return 1 if wrong else 0
    if not book.files:
        raise UserError("no hard rules are in force here; `memdir rules list` shows where they are looked for")
    for path, wanted, got, text, found in wrong:
        print(f"{path}: `{text}` should be {wanted}, but is {got}{f' by {found.rule}' if found.rule else ''}")
    broken = [problem for problem in book.problems if problem[2]]
    for path, number, sentence in broken:
        print(f"{path}:{number}: {sentence}")
    print(f"{len(results)} examples, {len(wrong)} wrong; {len(broken)} problems in {len(book.files)} rule files")
    return 1 if wrong or broken else 0
