"""What a text tells about success: every claim is compared with what bash does."""

import random
import subprocess

import pytest

from memdir.shell.outcomes import Outcomes
from support.shell_oracles import BASH

SCRIPTS = 400

FORMS = (
    "( LIST )",
    "{ LIST; }",
    "if LIST; then LIST; fi",
    "if LIST; then LIST; exit 1; fi",
    "if ! PIPE; then LIST; exit 1; fi",
    "if LIST; then LIST; else exit 2; fi",
    "v=$( LIST )",
    "if LIST; then LIST; elif LIST; then LIST; else LIST; fi",
    "for x in 1 2; do LIST; done",
    "until LIST; do LIST; break; done",
    "while LIST; do LIST; break; done",
    "echo $( LIST ) >/dev/null",
    "set +e",
)
# `c N` says when it begins and how it ends; its status is the N-th of $statuses.
PRELUDE = """c() {
    echo "begin $1" >&9
    if [ "${statuses:$1:1}" = 0 ]; then echo "ok $1" >&9; return 0; fi
    echo "bad $1" >&9; return 1
}
"""


def _names(text, spans):
    return {text[start:end] for start, end in spans}


def _before(text, command):
    start = text.index(command)
    return _names(text, Outcomes(text).before(start, start + len(command)))


@pytest.mark.parametrize(
    ("text", "certain"),
    [
        ("lint", {"lint"}),
        ("cd app && lint && test", {"cd app", "lint", "test"}),
        ("lint; test", {"test"}),
        ("lint\ntest", {"test"}),
        ("lint | tail", {"tail"}),
        ("lint | tail; echo ${PIPESTATUS[0]}", {"echo ${PIPESTATUS[0]}"}),
        ("set -o pipefail; lint | tail", {"lint", "tail"}),
        ("set -euo pipefail\nlint | tail\ntest", {"set -euo pipefail", "lint", "tail", "test"}),
        ("lint || exit 1; test", {"lint", "test"}),
        ("lint || { echo no >&2; exit 2; }\ntest", {"lint", "test"}),
        ("lint || exit 0", set()),
        ("lint || exit $code", set()),
        ("lint || true", set()),
        ("lint && test || echo no", set()),
        ("a || lint && test", {"test"}),
        ("! lint", set()),
        ("! ! lint", {"lint"}),
        ("time lint", {"lint"}),
        ("lint &", set()),
        ("lint && test &", set()),
        ("(lint && test)", {"lint", "test"}),
        ("{ lint; test; }", {"test"}),
        ("if lint; then test; fi", set()),
        ("if a; then lint && b; else lint; fi", set()),
        ("for x in a b; do lint; done", set()),
        ("exit 0; lint", set()),
        ("trap 'exit 0' EXIT; lint", set()),
        ("false && set -e; lint; test", {"test"}),
        ("set -e; lint; set +e; test; push", {"set -e", "lint", "push"}),
        ("echo 'lint", set()),
        ("x=$(lint)", {"x=$(lint)", "lint"}),
        ("lint || (echo no; exit 1)", {"lint"}),
        ("lint || false", {"lint"}),
        ("lint 2>&1 | tee f; exit ${PIPESTATUS[0]}", {"lint 2>&1", "exit ${PIPESTATUS[0]}"}),
        ("lint | tail; exit $?", {"tail", "exit $?"}),
        ("lint > f 2>&1; rc=$?; tail -20 f; exit $rc", {"lint > f 2>&1", "exit $rc"}),
        ('lint | tail; rc=${PIPESTATUS[0]}; echo "$rc"; exit "$rc"', {"lint", 'exit "$rc"'}),
        ("lint | tail; echo x; exit ${PIPESTATUS[0]}", {"echo x", "exit ${PIPESTATUS[0]}"}),
        ("lint; rc=$?; rc=0; exit $rc", set()),
        ("lint; rc=$?; if x; then rc=0; fi; exit $rc", set()),
        ("lint | tail; exit ${PIPESTATUS[1]}", set()),
        ("a && lint; exit $?", set()),
        ("x=$(lint | tail)", {"x=$(lint | tail)", "tail"}),
        ("x=$(lint) y=$(test)", {"x=$(lint) y=$(test)", "test"}),
        ("if ! lint; then echo no; exit 1; fi; test", {"lint", "test"}),
        ("if lint; then a; else exit 1; fi", {"lint"}),
        ("if ! lint; then echo no; fi; test", {"test"}),
        ("if lint; then exit 1; fi; test", {"test"}),
        ("if ! lint; then exit; fi; test", set()),
        ("eval 'exit 0'; lint", set()),
        ("command exit 0; lint", set()),
        ("alias lint=true; lint", set()),
    ],
)
def test_what_has_succeeded_when_a_text_ends_with_0(text, certain):
    assert _names(text, Outcomes(text).after) - {"set -o pipefail"} == certain


@pytest.mark.parametrize(
    ("text", "certain"),
    [
        ("lint && commit", {"lint"}),
        ("lint; commit", set()),
        ("lint || commit", set()),
        ("lint || exit 1\ncommit", {"lint"}),
        ("(cd app && lint) && commit", {"cd app", "lint"}),
        ("if lint; then commit; fi", {"lint"}),
        ("if lint; then a; else commit; fi", set()),
        ("while lint; do commit; done", {"lint"}),
        ("until lint; do commit; done", set()),
        ("lint && for x in a b; do commit; done", {"lint"}),
        ("lint && echo $(commit)", {"lint"}),
        ("set -e; lint; commit", {"set -e", "lint"}),
        ("lint && x | commit", {"lint"}),
        ("f() { commit; }; lint && f", set()),
    ],
)
def test_what_has_succeeded_when_a_command_begins(text, certain):
    assert _before(text, "commit") == certain


class _Scripts:
    """Texts of numbered commands, in forms whose statuses matter."""

    def __init__(self, seed):
        self._random = random.Random(seed)
        self.count = 0

    def text(self):
        self.count = 0
        head = self._random.choice(["", "", "set -e\n", "set -o pipefail; ", "set -eo pipefail\n"])
        text = head + self._list(2)
        tail = self._random.choice(["", "", "; exit $?", "; exit ${PIPESTATUS[0]}", "; rc=$?; WORK; exit $rc",
                                    "; rc=${PIPESTATUS[0]}; WORK; exit $rc"])  # fmt: skip
        return text + tail.replace("WORK", self._list(1) if "WORK" in tail else "")

    def _list(self, depth):
        joint = self._random.choice(["; ", "\n", "; "])
        return joint.join(self._and_or(depth) for _ in range(self._random.randint(1, 3)))

    def _and_or(self, depth):
        text = self._pipeline(depth)
        for _ in range(self._random.choice([0, 0, 1, 1, 2])):
            text += self._random.choice([" && ", " && ", " || "]) + self._pipeline(depth)
        if self._random.random() < 0.12:
            text += self._random.choice([" || exit 1", " || exit", " || { exit 3; }", " || exit 0"])
        return text

    def _pipeline(self, depth):
        text = self._command(depth)
        if self._random.random() < 0.15:
            text += " | " + self._command(depth)
        return ("! " if self._random.random() < 0.1 else "") + text

    def _command(self, depth):
        if not depth or self._random.random() < 0.7:
            self.count += 1
            return f"c {self.count - 1}"
        form = self._random.choice(FORMS)
        while "PIPE" in form:
            form = form.replace("PIPE", self._pipeline(0), 1)
        while "LIST" in form:
            form = form.replace("LIST", self._list(depth - 1), 1)
        return form


def test_bash_never_contradicts_a_claim():
    scripts = _Scripts(20261130)
    cases = []
    for number in range(SCRIPTS):
        text = scripts.text()
        statuses = "".join(random.Random(number).choices("01", weights=[3, 1], k=max(scripts.count, 1)))
        cases.append((text, statuses))
    program = "".join(
        f"exec 9>&1; statuses={statuses}; bash -c \"$PRELUDE$(cat <<'EOT'\n{text}\nEOT\n)\" >/dev/null 2>&1; "
        f"echo end $?; echo ---\n"
        for text, statuses in cases
    )
    program = f"export PRELUDE statuses\n{program}"
    run = subprocess.run([BASH], input=program, env={"PRELUDE": PRELUDE, "PATH": "/usr/bin:/bin"},
                         capture_output=True, text=True, check=True)  # fmt: skip
    logs = run.stdout.split("---\n")[:-1]
    assert len(logs) == SCRIPTS
    claims = 0
    for (text, _), log in zip(cases, logs, strict=True):
        outcomes = Outcomes(text)
        last = {}
        for line in log.splitlines():
            word, value = line.split()
            command = f"c {value}"
            if word == "begin":
                start = next(at for at in range(len(text)) if text[at : at + len(command)] == command
                             and not text[at + len(command) : at + len(command) + 1].isdigit())  # fmt: skip
                certain = _names(text, outcomes.before(start, start + len(command)))
            elif word == "end" and value == "0":
                certain = _names(text, outcomes.after)
            else:
                last[command] = word
                continue
            for name in certain:
                if name.startswith("c "):
                    claims += 1
                    assert last.get(name) == "ok", (text, log, command, name)
    assert claims > SCRIPTS // 2
