"""`memdir doctor`: everything that can be wrong, the command that mends it, and a block to paste into a report."""

import argparse
import importlib
import io
import os
import re
import signal
import sys
import textwrap
import time

from memdir import jsonio, log, paths
from memdir_cli.checks.finding import Finding, problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType
    from typing import Optional

    from memdir_cli.checks.scene import Scene

# What a person reads together, and the modules of memdir_cli.checks that look at it.
SECTIONS = (
    ("Interpreter", ("interpreter", "packages")),
    ("Hooks", ("registration", "copy_of_plugin", "failures")),
    ("Claude Code", ("client",)),
    ("Memory", ("memory",)),
    ("Rules", ("rules",)),
    ("State", ("state", "queue", "configuration")),
    ("This repository", ("repository",)),
)
_WIDTH = 96
_MARKS = {"problem": "WRONG", "note": "note ", "ok": "ok   "}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="the findings as one JSON document")
    form.add_argument("--report", action="store_true", help="only the block to paste into a report")


def run(args: argparse.Namespace) -> int:
    from memdir_cli.checks.scene import Scene

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _end)
    scene = Scene(os.environ, os.getcwd(), time.time())
    sections = [(title, [finding for name in names for finding in look(name, scene)]) for title, names in SECTIONS]
    findings = [finding for _, found in sections for finding in found]
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    if args.json:
        text = jsonio.dumps([vars(finding) for finding in findings])
    elif args.report:
        text = _report(scene, findings)
    else:
        rule = "-" * 72
        told = "Paste this into a report; it names no person, project or path:"
        text = "\n".join([*_lines(sections), "", told, "", rule, _report(scene, findings), rule])
    print(text)
    return 1 if any(finding.level == "problem" for finding in findings) else 0


def look(name: str, scene: "Scene") -> "Iterator[Finding]":
    """The findings of one check. What breaks it is a finding, too, and costs the others nothing."""
    try:
        yield from importlib.import_module("memdir_cli.checks." + name).check(scene)
    except Exception as error:  # noqa: BLE001 - doctor is for when things are broken
        yield _failed(name, error)


def _end(number: int, _: "Optional[FrameType]") -> None:
    """Lets what is under way clean up: the home of a trial, and the programs that run there."""
    signal.signal(number, signal.SIG_IGN)
    raise SystemExit(128 + number)


def _failed(name: str, error: Exception) -> Finding:
    told = f"the check of {name.replace('_', ' ')} could not be finished: {log.describe(error)}"
    return problem("doctor.failed", told, "install memdir again; if that does not help, report it with the block below")


def _report(scene: "Scene", findings: "list[Finding]") -> str:
    try:
        from memdir_cli.checks import report

        return report.block(scene, findings)
    except Exception as error:  # noqa: BLE001 - as above
        return f"no report could be made: {log.describe(error)}"


def _lines(sections: "list[tuple[str, list[Finding]]]") -> "Iterator[str]":
    """What is wrong comes first in its section, then what is good to know."""
    levels = [finding.level for _, found in sections for finding in found]
    yield f"{levels.count('problem')} wrong, {levels.count('note')} to know, {levels.count('ok')} in order"
    for title, found in sections:
        yield ""
        yield title
        for finding in sorted(found, key=lambda finding: list(_MARKS).index(finding.level)):
            yield from _wrapped(f"  {_MARKS[finding.level]}  ", _placed(finding.text))
            if finding.mend:
                yield f"         -> {finding.mend}"  # in one line: it may be a command


def _placed(text: str) -> str:
    """A text with the home directory as ~; in a command it stays, for quotes keep a shell from knowing it."""
    home = paths.home(os.environ)
    return re.sub(rf"(?<![^\s(:;,]){re.escape(home)}(?=/)", "~", text) if home else text


def _wrapped(start: str, text: str) -> "list[str]":
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=start,
        subsequent_indent=" " * len(start),
        break_long_words=False,
        break_on_hyphens=False,
    ) or [start.rstrip()]
