"""The hard rules in force for a session, and what they say about a tool call: the hook and `memdir rules` ask here."""

import os

from memdir import config, log, paths, rulebook
from memdir.rules import decision
from memdir.rules.finding import DENY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Optional

    from memdir.evidence import Evidence, Note
    from memdir.machine import ThisMachine
    from memdir.rulebook import RuleBook
    from memdir.rules.guards.protect_memdir import Guarded

_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Session:
    """Where a session is: `cwd` moves with `cd`, `project_dir` is where it was started. No id: no past."""

    def __init__(
        self, cwd: str, project_dir: str, env: "Mapping[str, str]", state_dir: str, session_id: str = ""
    ) -> None:
        self.project_dir = project_dir if paths.is_path(project_dir) else ""
        self.cwd = cwd if paths.is_path(cwd) else self.project_dir
        self.project_dir = self.project_dir or self.cwd
        self.env = env
        self.state_dir = state_dir
        self.session_id = session_id
        self.transcript = ""  # its path, where that is known
        self.faults: "list[str]" = []  # what went wrong and did not stop anything

    def in_force(self) -> bool:
        """Whether the user wants rules at all, here."""
        settings = config.load(self.env, "")
        return settings.on("rules.on") and not settings.excludes(self.project_dir, self.env)

    def rules(self) -> "RuleBook":
        return rulebook.load(self.cwd, self.project_dir, self.env, self.state_dir)

    def machine(self) -> "ThisMachine":
        from memdir.machine import ThisMachine  # not for a plain command

        return ThisMachine(self.env)

    def evidence(self) -> "Evidence":
        """What was run and changed in it."""
        from memdir.evidence import FILE, Evidence  # only where a rule requires something

        return Evidence(paths.session_file(self.state_dir, self.session_id, FILE), self.transcript)

    def guarded(self, book: "RuleBook") -> "Guarded":
        """What the rules hang on."""
        from memdir.rules.guards.protect_memdir import Guarded

        folder = paths.claude_config_dir(self.env)
        own = [file.path for file in book.files]
        own += [folder + "/memdir" if folder else "", self.state_dir, paths.config_file(self.env)]
        if not paths.under(_ROOT, self.project_dir):  # who develops memdir works on these
            own += [_ROOT + "/hooks", _ROOT + "/lib"]
        homes = {folder, self.project_dir + "/.claude", self.cwd + "/.claude"}
        settings = [f"{home}/{name}" for home in homes if home for name in ("settings.json", "settings.local.json")]
        return Guarded(_with_real(own), _with_real(settings))


def judge(
    session: Session, book: "RuleBook", tool: str, tool_input: "Any", call_id: "Optional[str]" = None
) -> "tuple[decision.ToolCall, decision.Judgement]":
    """The decision on a call; `tool_input` is taken as it comes.

    It goes as far as it has to: most calls are settled by their words, before a rule file is unpacked. With its id, a
    call that may run is noted for what rules require. Raises OSError where a change must not happen for want of that.
    """
    call = decision.ToolCall(tool, tool_input, session.cwd)
    if not book or decision.is_settled(call, book.keywords, book.tools):
        return call, decision.Judgement()
    machine = session.machine()
    line = decision.line_of(call, machine)
    if (
        line is not None
        and call.tool == "Bash"
        and not call.unreadable
        and decision.is_line_settled(line, book.keywords)
    ):
        return call, decision.Judgement()
    required = any([entry.kind == "require" for file in book.files for entry in file.entries])
    evidence = session.evidence() if required else None
    judgement = decision.Bench(call, line, book.files, session.guarded(book), machine, evidence).judgement()
    if evidence is not None and call_id is not None and judgement.decision != DENY:
        from memdir.rules.checks import Deeds  # loaded where something is required

        _note(session, evidence, call_id, Deeds(call, line, machine).note(book.files))
    return call, judgement


def at_stop(session: Session) -> str:
    """Why the turn must not end yet, for the model; "" where no rule says so. Raises OSError.

    Said once for each change: a rule that nobody can meet must not hold a session.
    """
    if not session.in_force():
        return ""
    evidence = session.evidence()
    reason = decision.at_stop(session.rules().files, session.cwd, evidence, session.machine())
    if reason:
        evidence.stopped()
    return reason


def _note(session: Session, evidence: "Evidence", call_id: str, note: "Note") -> None:
    try:
        if note:
            evidence.begin(call_id, note)
    except OSError as error:
        if note.inside and os.path.lexists(evidence.path):
            raise  # what was run before this change would still count
        session.faults.append(log.describe(error))


def _with_real(names: "list[str]") -> "list[str]":
    return sorted({form for name in names if name for form in (name, os.path.realpath(name))})
