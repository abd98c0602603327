"""`memdir rules test`: the examples of the rule files, run, and told to a person, to a program and to a CI."""

import sys

from memdir import enforcement, jsonio, store
from memdir.errors import UserError
from memdir.rules.finding import NO_OPINION
from memdir_cli import near_misses, tool_calls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any
    from xml.etree.ElementTree import Element

    from memdir.rulebook import RuleBook
    from memdir.rules.decision import Judgement
    from memdir.rules.rule import RuleFile

STDOUT = "-"
_NO_RULES = "no hard rules are in force here; `memdir rules list` shows where they are looked for"
_BEFORE_ANYTHING = (
    "An example is a call in a session in which nothing has been run: for `require` it comes out as allow only with "
    "the check before it in the same line, joined with `&&`"
)


class Result:
    """One example: its rule file and line, what was wanted and what came out, by which rule and why."""

    def __init__(self, file: "RuleFile", line: int, wanted: str, call: str) -> None:
        self.path = file.path
        self.line = line
        self.wanted = wanted
        self.call = call
        self.got = "allow"
        self.rule = ""
        self.reason = ""
        self.why = ""

    @property
    def is_wrong(self) -> bool:
        return self.wanted != self.got

    def document(self) -> "dict[str, Any]":
        decision = NO_OPINION if self.got == "allow" else self.got
        return {**vars(self), "decision": decision}

    def sentence(self) -> str:
        return f"`{self.call}` should be {self.wanted}, but is {self.got}"


def run(session: enforcement.Session, book: "RuleBook", *, as_json: bool, junit: str) -> int:
    """Runs all examples. 0: all as wanted; 1: one is wrong, or a rule is broken. Raises UserError without rules."""
    results = [
        _result(session, book, file, line, wanted, text) for file in book.files for wanted, text, line in file.examples
    ]
    broken = [problem for problem in book.problems if problem[2]]
    failed = bool(broken) or any([result.is_wrong for result in results])
    if as_json:
        print(jsonio.dumps([result.document() for result in results]))
    if junit:
        _write_junit(junit, book, results)
    if not book.files:
        raise UserError(_NO_RULES)
    if as_json:
        return 1 if failed else 0
    for line in _lines(results, broken, len(book.files)):
        print(line, file=sys.stderr if junit == STDOUT else sys.stdout)
    return 1 if failed else 0


def _result(
    session: enforcement.Session, book: "RuleBook", file: "RuleFile", line: int, wanted: str, text: str
) -> Result:
    result = Result(file, line, wanted, text)
    try:
        tool, tool_input = tool_calls.parse(text)
    except UserError as error:
        result.got, result.why = "no call", str(error)
        return result
    call, found = enforcement.judge(session, book, tool, tool_input)
    result.rule, result.reason = found.rule, found.reason
    if found.decision != NO_OPINION:
        result.got, result.why = found.decision, found.reason
        if result.wanted == "allow" and _is_by_requirement(book, found):
            result.why += f" {_BEFORE_ANYTHING}"
    elif result.is_wrong:
        result.why = _why_nothing(session, book, call)
    return result


def _is_by_requirement(book: "RuleBook", found: "Judgement") -> bool:
    named = [entry for file in book.files if file.path == found.path for entry in file.entries]
    return any([(entry.kind, entry.line, entry.text) == ("require", found.line, found.name) for entry in named])


def _why_nothing(session: enforcement.Session, book: "RuleBook", call: "Any") -> str:
    from memdir.rules import decision  # this and the next: only for an example that came out wrong

    machine = session.machine()
    near = near_misses.find(call, decision.line_of(call, machine), book.files, machine)
    told = [f"{entry.kind}: {entry.text} ({file.path}:{entry.line}): {why}" for file, entry, why in near]
    return "; ".join(told) or "no rule has an opinion on it"


def _lines(results: "list[Result]", broken: "list[tuple[str, int, str]]", files: int) -> "list[str]":
    wrong = [result for result in results if result.is_wrong]
    found = []
    for result in wrong:
        by = f" by {result.rule}" if result.rule else ""
        found.append(_shown(f"{result.path}:{result.line}: {result.sentence()}{by}"))
        found.append(_shown(f"    {result.why}"))
    found += [_shown(f"{path}:{number}: {sentence}") for path, number, sentence in broken]
    return [*found, f"{len(results)} examples, {len(wrong)} wrong; {len(broken)} problems in {files} rule files"]


def _shown(text: str) -> str:
    return store.shown(text.replace("\n", " "))


# JUnit


def _write_junit(path: str, book: "RuleBook", results: "list[Result]") -> None:
    from xml.etree import ElementTree  # only a CI asks for it

    raw = ElementTree.tostring(_suites(book, results), encoding="utf-8", xml_declaration=True) + b"\n"
    if path == STDOUT:
        sys.stdout.flush()
        sys.stdout.buffer.write(raw)
        return
    try:
        with open(path, "wb") as file:
            file.write(raw)
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror}; give --junit another file") from None


def _suites(book: "RuleBook", results: "list[Result]") -> "Element":
    """A suite for each rule file, a case for each example and each broken entry; one that fails without any file."""
    from xml.etree.ElementTree import Element

    root = Element("testsuites", name="memdir rules")
    totals = [0, 0]
    suites = {file.path: [_case(result) for result in results if result.path == file.path] for file in book.files}
    for path, line, sentence in book.problems:
        suites[path].append(_broken(path, line, sentence))
    for path, cases in (suites or {"memdir rules": [_without_rules()]}).items():
        failures = len([case for case in cases if len(case)])
        suite = Element(
            "testsuite", name=_clean(path), tests=str(len(cases)), failures=str(failures), errors="0", skipped="0"
        )
        suite.extend(cases)
        root.append(suite)
        totals = [totals[0] + len(cases), totals[1] + failures]
    root.set("tests", str(totals[0]))
    root.set("failures", str(totals[1]))
    return root


def _case(result: Result) -> "Element":
    case = _new_case(f"{result.wanted}: {result.call}", result.path, result.line)
    if result.is_wrong:
        by = f" by {result.rule}" if result.rule else ""
        _fail(case, result.sentence() + by, f"{result.path}:{result.line}: {result.sentence()}{by}\n{result.why}")
    return case


def _broken(path: str, line: int, sentence: str) -> "Element":
    case = _new_case(f"line {line} can be read", path, line)
    _fail(case, sentence, f"{path}:{line}: {sentence}")
    return case


def _without_rules() -> "Element":
    """What a CI sees when the rules are gone."""
    from xml.etree.ElementTree import Element

    case = Element("testcase", name="there are hard rules", classname="memdir rules")
    _fail(case, _NO_RULES, _NO_RULES)
    return case


def _new_case(name: str, path: str, line: int) -> "Element":
    from xml.etree.ElementTree import Element

    return Element("testcase", name=_clean(name), classname=_clean(path), file=_clean(path), line=str(line))


def _fail(case: "Element", message: str, text: str) -> None:
    from xml.etree.ElementTree import SubElement

    SubElement(case, "failure", message=_clean(message)).text = _clean(text)


def _clean(text: str) -> str:
    """The text without what XML 1.0 cannot hold: control characters, half surrogates, noncharacters."""
    return "".join([char if char in "\n\t" or store.shown(char) == char else "\ufffd" for char in text])
