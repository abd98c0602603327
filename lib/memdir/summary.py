"""The summary of a session that needs no model: what its transcript says, sorted, bounded and redacted.

What was asked stands in the user's own words, the rest as facts. "Learnings" is left to a model: what was learned is a
judgement.
"""

from memdir import activity, budget, corrections, delivery, fsio, paths, redact, transcript
from memdir.excerpts import code, ends, fit, line, quarters, quote, said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.transcript import Turn

FILE_BYTES = 1 << 20  # read of a stored summary
SECTION_TOKENS = 2_000
TOTAL_TOKENS = 12_000
BRIEF_UNITS = 4_000
# In the order in which they are written; the title stands above.
SECTIONS = (
    "Current state",
    "Task",
    "Files and functions",
    "Commands and workflow",
    "Errors and corrections",
    "Learnings",
    "Results",
    "Work log",
)
_PRIORITY = (0, 1, 4, 2, 6, 5, 3, 7)  # places in SECTIONS, in the order in which they get room
_SHARE_UNITS = 2_000  # what every section gets of a delivery before one gets more
_PROMPTS = 100  # kept, and as many sentences that correct or limit
_STEPS = 200
_SHOWN = 80  # entries of a list
_PROMPT_TOKENS = 600
_ANSWER_TOKENS = 1_600
_SENTENCE_TOKENS = 80
_SHORT_TOKENS = 6  # a prompt below that ("go on") says little: the one before it is shown too
_OUTCOMES = {"ok": "ok", "error": "failed", "": "no result yet"}


class Step:
    """A turn, for the work log."""

    def __init__(self, turn: "Turn", words: str) -> None:
        self.started = turn.started
        self.words = words
        self.calls = len(turn.tools)
        self.changed = len(activity.changed(turn))
        self.interrupted = turn.interrupted


class Summary:
    """What is kept of a session while its transcript passes by; all of it is bounded."""

    def __init__(self, session_id: str) -> None:
        self.session_id = session_id
        self.cwd = ""
        self.turns = 0
        self.tokens = 0  # of the context at the last answer; 0: unknown
        self.first = ""
        self.prompts: "list[tuple[str, bool]]" = []  # after the first, and whether they correct or limit
        self.limits: "list[str]" = []  # the sentences that do, of all prompts
        self.done = activity.Activity()
        self.steps: "list[Step]" = []
        self.answer = ""

    @property
    def empty(self) -> bool:
        return not self.turns

    def add(self, turn: "Turn") -> None:
        if not (turn.said or turn.answers or turn.tools):
            return  # a command of the client alone, as /model
        prompts = [ends(redact.clean(text).strip(), _PROMPT_TOKENS) for text in turn.said or [turn.command]]
        for text in prompts:
            self._ask(text)
        self.turns += 1
        self.cwd = self.cwd or turn.cwd
        self.steps = [*self.steps, Step(turn, prompts[0])][-_STEPS:]
        for tool in turn.tools:
            self.done.take(tool)
        if turn.answers:
            self.answer = turn.answers[-1]

    def _ask(self, text: str) -> None:
        if not text:
            return
        sentences = [ends(sentence, _SENTENCE_TOKENS) for sentence in corrections.sentences(text)]
        self.limits = [*[old for old in self.limits if old not in sentences], *sentences][-_PROMPTS:]
        if not self.first:
            self.first = text
            return
        self.prompts.append((text, bool(sentences)))
        if len(self.prompts) > _PROMPTS:
            plain = next((at for at, (_, limits) in enumerate(self.prompts[:-1]) if not limits), 0)
            del self.prompts[plain]

    def current(self) -> "list[str]":
        """The last prompt, after the one that a short one ("go on") refers to."""
        prompts = [text for text, _ in self.prompts[-4:]] or ([self.first] if self.first else [])
        telling = [at for at, text in enumerate(prompts) if quarters(text) >= 4 * _SHORT_TOKENS]
        return prompts[telling[-1] if telling else 0 :]

    def text(self) -> str:
        """The document, in Markdown: at most SECTION_TOKENS a section and TOTAL_TOKENS in all (see `excerpts`)."""
        title = f"# {line(self.first, 20) or 'Session without a prompt'}\n\n{self._origin()}"
        entries = {
            "Current state": self._state(),
            "Task": self._task(),
            "Files and functions": self._files(),
            "Commands and workflow": self._commands(),
            "Errors and corrections": self._errors(),
            "Results": ["Claude's last answer:\n\n" + quote(self.answer, _ANSWER_TOKENS)] if self.answer else [],
            "Work log": self._log(),
        }
        bodies = {}
        left = 4 * TOTAL_TOKENS - quarters(title)
        for name in [SECTIONS[at] for at in _PRIORITY if SECTIONS[at] in entries]:
            heading = f"\n\n## {name}\n\n"
            body = fit(entries[name], min(4 * SECTION_TOKENS, left) - quarters(heading))
            if body:
                bodies[name] = heading + body
                left -= quarters(bodies[name])
        return title + "".join([bodies.get(name, "") for name in SECTIONS]) + "\n"

    def _origin(self) -> str:
        where = f" in {code(self.cwd)}" if self.cwd else ""
        since = f" since {line(self.steps[0].started[:16])}" if self.steps and self.steps[0].started else ""
        return (
            f"Collected by memdir from the transcript of session {code(self.session_id)}{where}: "
            f"{_count(self.turns, 'turn')}{since}. Lists: what is open, changed or frequent first, then the newest."
        )

    def _state(self) -> "list[str]":
        found = []
        if self.steps and self.steps[-1].interrupted:
            found.append("- The user stopped the last turn.")
        if self.done.last is not None:
            outcome = _OUTCOMES.get(self.done.last.outcome, "")
            found.append(f"- Last call of a tool: {code(activity.called(self.done.last))}: {outcome}")
        if self.done.open_failures():
            found.append(f"- Open errors: {len(self.done.open_failures())}")
        if self.tokens:
            found.append(f"- Context at the last answer: {self.tokens} tokens")
        if self.done.todos:
            waiting = self.done.open_todos()
            found.append(f"- To-dos: {len(self.done.todos)}, done: {len(self.done.todos) - len(waiting)}")
            found += [f"- {item}" for item in _todos(waiting)]
        return found

    def _task(self) -> "list[str]":
        found = [f"The first prompt:\n\n{quote(self.first, _PROMPT_TOKENS)}"] if self.first else []
        current = self.current() if self.prompts else []
        if current:
            found.append("\nThe current prompt:\n\n" + quote("\n\n".join(current), _PROMPT_TOKENS))
        rest = [item for item in reversed(self.prompts) if item[0] not in current]
        for heading, wanted in (("Corrections and limits", True), ("Other prompts", False)):
            items = [f"- {said(text)}" for text, limits in rest if limits is wanted]
            found += [f"\n{heading}, in the user's words:\n\n{items[0]}", *items[1:]] if items else []
        return found

    def _files(self) -> "list[str]":
        files = list(reversed(list(self.done.files.items())))
        files.sort(key=lambda item: not {"edited", "written"} & set(item[1]))
        return [
            f"- {code(self._relative(path))}: " + ", ".join([f"{what} {times}×" for what, times in counts.items()])
            for path, counts in files[:_SHOWN]
        ]

    def _relative(self, path: str) -> str:
        return path[len(self.cwd) + 1 :] if self.cwd and path.startswith(self.cwd + "/") else path

    def _commands(self) -> "list[str]":
        commands = sorted(reversed(list(self.done.commands.values())), key=lambda command: -command.times)
        return [
            f"- {code(command.text)}: {_OUTCOMES.get(command.outcome, '')}"
            + (f" at last; {command.times} times, failed {command.failed}" if command.times > 1 else "")
            for command in commands[:_SHOWN]
        ]

    def _errors(self) -> "list[str]":
        failures = sorted(reversed(list(self.done.failures.values())), key=lambda failure: failure.fixed)
        return [
            f"- {code(failure.what)}: {'fixed' if failure.fixed else 'open'}"
            + (f", failed {failure.times} times" if failure.times > 1 else "")
            + (f": {said(failure.output)}" if failure.output.strip() else "")
            for failure in failures[:_SHOWN]
        ]

    def _log(self) -> "list[str]":
        found = []
        for step in reversed(self.steps):
            when = line(step.started[:16]) + " " if step.started else ""
            parts = [when + (said(step.words, 40) if step.words else "a prompt without words")]
            parts += [_count(step.calls, "tool call")] if step.calls else []
            parts += [_count(step.changed, "file") + " changed"] if step.changed else []
            parts += ["stopped by the user"] if step.interrupted else []
            found.append("- " + ", ".join(parts))
        return found

    def brief(self, limit_units: int = BRIEF_UNITS) -> str:
        """Plain text for the prompt that asks Claude for its own summary; "" when there is nothing to say.

        It stands where the user's instructions stand: so it has words of the user and of Claude, as facts, and none
        that a tool put out.
        """
        request = [said(prompt, 200) for prompt in self.current()]
        limits = [line(sentence, _SENTENCE_TOKENS) for sentence in reversed(self.limits)]
        limits = [f"“{text}”" for text in limits if not any([text in prompt for prompt in request])]
        failed = [code(failure.what) for failure in self.done.open_failures()[:5]]
        lists = (
            ("Limits and corrections in the user's words:", limits),
            ("The user's current request:", request),
            ("To-dos that are not done:", _todos(self.done.open_todos())[:15]),
            ("Calls that failed and have not succeeded since:", failed),
        )
        text = "Facts of this conversation, collected from its transcript by memdir:"
        left = limit_units - budget.units(text)
        kept = []
        for heading, items in lists:
            room = left // 2 if items is limits else left  # the limits come first, and leave some to the others
            taken = ""
            for item in items:
                part = delivery.harmless(f"\n- {item}" if taken else f"\n{heading}\n- {item}")
                if budget.units(taken + part) > room:
                    break
                taken += part
            kept.append(taken)
            left -= budget.units(taken)
        return text + "".join(kept) if any(kept) else ""


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")


def _todos(items: "list[tuple[str, str]]") -> "list[str]":
    return [f"{line(status.replace('_', ' '))}: {said(text)}" for status, text in items[:_SHOWN]]


def collect(path: str, session_id: str) -> Summary:
    """The summary of a whole transcript, with what a fork copied from the session it comes from. Raises OSError."""
    summary = Summary(session_id)
    at = 0
    while True:
        found = transcript.read(path, at)
        for turn in found.turns:
            summary.add(turn)
        summary.tokens = found.tokens or summary.tokens
        if not found.more or found.end <= at:
            return summary
        at = found.end


def path_of(state_dir: str, session_id: str) -> str:
    return f"{state_dir}/sessions/{paths.session_name(session_id)}/summary.md"


def write(state_dir: str, session_id: str, summary: Summary) -> None:
    """Stores it, unless there is nothing in it: then the one that is there stays. Raises OSError."""
    if state_dir and session_id and not summary.empty:
        path = path_of(state_dir, session_id)
        fsio.make_room(path)
        fsio.write(path, summary.text().encode("utf-8", "replace"), durable=True)


def after_compaction(state_dir: str, session_id: str) -> str:
    """The stored summary as it is delivered, at most delivery.ANSWER_UNITS, the sections by priority; "": none."""
    path = path_of(state_dir, session_id)
    raw = fsio.read(path, FILE_BYTES) if state_dir and session_id else None
    whole = delivery.harmless((raw or b"").decode("utf-8", "replace")).strip()
    if not whole:
        return ""
    shown = delivery.harmless(line(path, 1_000))
    head = (
        f"{delivery.PROVENANCE}\nWhat memdir noted of this session before its compaction, from the transcript: words of"
        " the user and of Claude, and output of tools as data."
    )
    for note in (f"The file: {shown}", f"Cut here for lack of room; the whole, to be read if it matters: {shown}"):
        text = _shortened(whole, delivery.ANSWER_UNITS - budget.units(f"{head} {note}\n\n"))
        if text == whole:
            break
    return f"{head} {note}\n\n{text}"


def _shortened(text: str, limit_units: int) -> str:
    """At most so many units of a summary: a share for each section, then more for those that matter most."""
    sections = _sections(text)
    sizes = [budget.units(body) + 1 for _, body in sections]
    given = [0] * len(sizes)
    left = limit_units + 1
    for most in (_SHARE_UNITS, limit_units + 1):
        for at in sorted(range(len(sizes)), key=lambda at: sections[at][0]):
            more = max(0, min(sizes[at], most, given[at] + left) - given[at])
            given[at] += more
            left -= more
    kept = [budget.cut_units_at_line(body, max(room - 1, 0)) for (_, body), room in zip(sections, given)]
    return "\n".join([body for body in kept if body])


def _sections(text: str) -> "list[tuple[int, str]]":
    """The sections in their order, each with its rank in what matters; what stands above the first has the highest."""
    rank = {f"## {SECTIONS[at]}": 1 + place for place, at in enumerate(_PRIORITY)}
    found: "list[tuple[int, list[str]]]" = [(0, [])]
    for item in text.split("\n"):
        if item in rank:
            found.append((rank[item], []))
        found[-1][1].append(item)
    return [(place, "\n".join(lines)) for place, lines in found]
