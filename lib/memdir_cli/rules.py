"""`memdir rules`: which hard rules are in force here, and what they say about a call."""

import argparse
import io
import os
import sys
import time

from memdir import enforcement, jsonio, paths, store
from memdir.errors import UserError
from memdir.rules import decision, entries
from memdir_cli import adopt, progress, tool_calls
from memdir_cli.demonstration.page import wants_colour

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

    from memdir.rulebook import RuleBook
    from memdir.rules.rule import RuleFile

_USAGE = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    made = {}
    for name, summary in (
        ("list", "the rules in force in this directory, and what is wrong with any"),
        ("check", "the decision on a call, read as a PreToolUse payload from standard input"),
        ("explain", "how a call is read, which rules have an opinion on it and why"),
        ("test", "run the examples that the rule files carry; exit code 1 if one has another outcome"),
    ):
        made[name] = actions.add_parser(name, help=summary, description=summary[0].upper() + summary[1:] + ".")
        made[name].add_argument("--json", action="store_true", help="one JSON document")
    summary = "what you have forbidden in words, as a hard rule: shown, and written when you say so"
    adopt.add_arguments(actions.add_parser("adopt", help=summary, description=summary[0].upper() + summary[1:] + "."))
    explain, test = made["explain"], made["test"]
    explain.add_argument("call", nargs="*", help="a command line, or a call such as 'Edit(src/a.ts)'")
    explain.add_argument("--payload", action="store_true", help="read a PreToolUse payload from standard input instead")
    explain.add_argument("--last", action="store_true", help="the last call that was stopped, as the log kept it")
    explain.add_argument(
        "--session",
        metavar="ID",
        help="with what was run and changed in this session; its first letters do",
    )
    test.add_argument("--junit", metavar="FILE", help="write JUnit XML as well; - is standard output")
    test.add_argument("--dir", help="the directory whose rules are tested (default: this one)")
    test.add_argument("--project-only", action="store_true", help="without the rules of the user's own")


def run(args: argparse.Namespace) -> int:
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    if args.action == "check":
        return _check(as_json=args.json)
    if args.action == "explain":
        return _explain(args)
    if args.action == "test":
        return _test(args)
    if args.action == "adopt":
        return adopt.run(args)
    session = _session(os.getcwd(), os.environ.get("CLAUDE_PROJECT_DIR", ""))
    return _list(session.rules(), session, as_json=args.json)


def _session(cwd: str, project_dir: str, session_id: str = "") -> enforcement.Session:
    return enforcement.Session(cwd, project_dir, os.environ, paths.state_dir(os.environ), session_id)


def _session_of(payload: "dict[str, Any]") -> enforcement.Session:
    cwd, session_id = payload.get("cwd"), payload.get("session_id")
    return enforcement.Session(
        cwd if isinstance(cwd, str) else os.getcwd(),
        os.environ.get("CLAUDE_PROJECT_DIR", ""),
        os.environ,
        paths.state_dir(os.environ),
        session_id if isinstance(session_id, str) else "",
    )


def _payload(action: str) -> "Optional[dict[str, Any]]":
    try:
        return tool_calls.read_payload(sys.stdin.buffer)
    except ValueError:
        print(f"memdir rules {action}: standard input is not a PreToolUse payload (a JSON object)", file=sys.stderr)
        return None


# check


def _check(*, as_json: bool) -> int:
    payload = _payload("check")
    if payload is None:
        return _USAGE
    session = _session_of(payload)
    found = decision.Judgement()
    if session.in_force():
        found = enforcement.judge(session, session.rules(), *tool_calls.of_payload(payload))[1]
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
        return "Not before that has succeeded since the last change of a project file."
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
        "examples": [{"decision": wanted, "call": text, "line": line} for wanted, text, line in file.examples],
        "problems": [{"line": line, "sentence": sentence} for line, sentence in file.problems],
    }


# explain and test


def _explain(args: argparse.Namespace) -> int:
    from memdir_cli import explanation, explanation_page  # not for the other actions

    if (bool(args.call), args.payload, args.last).count(True) != 1:
        print("memdir rules explain: give a call, --payload or --last", file=sys.stderr)
        return _USAGE
    if _is_empty("explain", "--session", args.session):
        return _USAGE
    session = _session(os.getcwd(), os.environ.get("CLAUDE_PROJECT_DIR", ""))
    session.session_id = _known_session(session.state_dir, args.session) if args.session else ""
    notes: "list[str]" = []
    if args.payload:
        payload = _payload("explain")
        if payload is None:
            return _USAGE
        session = _session_of(payload)
        call = tool_calls.of_payload(payload)
    elif args.last:
        call, notes = _last(session)
    else:
        call = tool_calls.parse(" ".join(args.call))
    told = explanation.Explanation(session, session.rules(), *call)
    told.notes += notes
    colour = wants_colour() and not args.json
    print(jsonio.dumps(told.document()) if args.json else explanation_page.Text(colour=colour).of(told))
    return 0


def _sessions(state_dir: str, start: object) -> "list[str]":
    """The sessions that memdir knows whose id begins so; the log has the first letters."""
    folder = f"{state_dir}/sessions"
    if not isinstance(start, str) or not start or not os.path.isdir(folder):
        return []
    return [name for name in os.listdir(folder) if name.startswith(start)]


def _known_session(state_dir: str, start: str) -> str:
    found = _sessions(state_dir, start)
    if len(found) != 1:
        count = f"{len(found)} sessions" if found else "no session"
        raise UserError(f"memdir knows {count} with an id that begins with {start}; `memdir log` shows them")
    return found[0]


def _last(session: enforcement.Session) -> "tuple[tuple[str, Any], list[str]]":
    """The last call that was stopped, as far as the log has it, and what a person has to know of that."""
    from memdir_cli import log as runs  # only here

    stopped = [line for line in runs.read(session.state_dir) if line.get("decision")] if session.state_dir else []
    if not stopped:
        raise UserError("the log holds no call that was stopped; `memdir log --rules` shows those there are")
    line = stopped[-1]
    session.session_id = "".join(_sessions(session.state_dir, line.get("session"))[:1])
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(line["t"])) if _is_time(line.get("t")) else "?"
    note = (
        f"From the log: {line['decision']} at {when}, session {line.get('session', '?')}, by {line.get('rule')}. "
        f"The log keeps 300 characters of a call, without its secrets and its directory: it is read here as if it were "
        f"made in {progress.place(session.cwd)}."
    )
    return tool_calls.of_log(line), [store.shown(note)]


def _is_time(value: object) -> bool:
    return isinstance(value, (int, float)) and 0 <= value < 1e11


def _test(args: argparse.Namespace) -> int:
    from memdir_cli import rule_tests  # not for the other actions

    if _is_empty("test", "--junit", args.junit) or _is_empty("test", "--dir", args.dir):
        return _USAGE
    if args.json and args.junit:
        print("memdir rules test: give --json or --junit, not both", file=sys.stderr)
        return _USAGE
    folder = os.path.abspath(args.dir) if args.dir else os.getcwd()
    if not os.path.isdir(folder):
        raise UserError(f"{folder} is no directory: give --dir the one that holds .claude")
    session = _session(folder, folder if args.dir else os.environ.get("CLAUDE_PROJECT_DIR", ""))
    book = session.rules().of_projects() if args.project_only else session.rules()
    return rule_tests.run(session, book, as_json=args.json, junit=args.junit or "")


def _is_empty(action: str, option: str, value: "Optional[str]") -> bool:
    """Whether an option was given without anything, as by a variable of a CI that is not set; says so."""
    if value is None or value.strip():
        return False
    print(f"memdir rules {action}: {option} is empty; is the variable set that it comes from?", file=sys.stderr)
    return True
