"""Extraction: from the new turns of a session to memories. Here without a model: what the person asked to remember.

`run` reads on from the cursor, plans on an overlay of the memory directory, writes the plan down as a journal and
applies it. It may be killed anywhere: run again, it ends with the same files.
"""

import os
import time

from memdir import config, cursor, fsio, redact, transcript
from memdir.index_lines import Wanted
from memdir.machine import ThisMachine
from memdir.queue import Job
from memdir.session import Session
from memdir_worker import detector, drafts, index_file, journal, proposals, spoken
from memdir_worker.memory_writes import wrote_memory
from memdir_worker.overlay import Overlay

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.transcript import Slice, Turn
    from memdir_worker.journal import Step

_PLANS = 3  # as often as that files may change under a plan before the job is put off


class Result:
    """What a job came to: turns read, those left out because Claude itself wrote memories, topic files written.

    `index` is the state of the index where it was written: "within", "near" or "over" its limits.
    """

    def __init__(self) -> None:
        self.turns = 0
        self.skipped = 0
        self.topics = 0
        self.index = ""

    def told(self) -> str:
        """For the log."""
        own = f", {self.skipped} left to Claude's own memories" if self.skipped else ""
        over = ", the index is over its limits" if self.index == "over" else ""
        turns, topics = "turn" + "s" * (self.turns != 1), "topic" + "s" * (self.topics != 1)
        return f"{self.turns} {turns}, {self.topics} {topics} written{own}{over}"


def run(state_dir: str, job: Job, step: "Step") -> Result:
    """Extracts what is new in a session. Raises OSError, and whatever a fault in a transcript brings about."""
    result = Result()
    left = journal.load(state_dir, job.session)
    if left:
        _apply(state_dir, left, result, step)
    settings = config.load(os.environ, job.project)
    if not settings.on("extract.on") or settings.excludes(job.project, os.environ):
        return result  # switched off since the job was queued
    more = os.path.lexists(job.transcript)  # else Claude Code has cleaned it away, with all that was in it
    while more:
        more = _run_slice(state_dir, job, result, step)
    return result


def _run_slice(state_dir: str, job: Job, result: Result, step: "Step") -> bool:
    """Extracts one part of the transcript; whether there is more."""
    for _ in range(_PLANS):
        start, ahead = cursor.position(state_dir, job.session, job.transcript)
        known = cursor.load(state_dir, job.session)
        found = transcript.read(job.transcript, start, session_id=job.session)
        turns, end, ahead = _finished(found, job, ahead)
        step("read")
        if end <= start:
            return False
        overlay = Overlay(job.memory)
        skipped = _plan(turns, job, overlay)
        step("planned")
        # by its uuid the place is found again in a copy of the file, so it is never lost
        last = found.last_uuid if end == found.end else turns[-1].last_uuid if turns else ""
        after = cursor.at(job.transcript, end, last or (known.uuid if known else ""), ahead)
        changes, lines = list(overlay.changes.values()), list(overlay.lines.values())
        plan = journal.Journal(job.session, job.memory, changes, lines, after)
        if changes:
            fsio.make_dir(job.memory)
            journal.write(state_dir, plan)
            step("journal")
        if _apply(state_dir, plan, result, step):
            if turns:
                files = [change.file for change in changes]
                done = {"uuid": after.uuid, "prompt": turns[-1].uuid, "topics": files}
                Session(state_dir, job.session).add("extracted", time.time(), **done)
            result.turns += len(turns)
            result.skipped += skipped
            return found.more
    raise OSError(f"the files of {job.memory} changed under {_PLANS} plans in a row")


def _apply(state_dir: str, plan: journal.Journal, result: Result, step: "Step") -> bool:
    """Whether the plan could be carried out; else it has to be made again."""
    try:
        result.index = journal.apply(state_dir, plan, time.time(), step) or result.index
    except journal.Conflict:
        return False
    result.topics += len(plan.changes)
    return True


def _finished(found: "Slice", job: Job, ahead: int) -> "tuple[list[Turn], int, int]":
    """The turns that are over, where they end in the file, and the checksum of an answer that the file lacks yet.

    A turn that began after the job was queued is left for its own job. The answer that Claude Code told the hook is
    taken where the file does not have it; when the file has it, that line is passed over once.
    """
    running = [turn for turn in found.turns if _is_running(turn, found, job)]
    turns = found.turns[: len(found.turns) - len(running)]  # they are the last
    end = running[0].start if running else found.end
    for turn in turns:
        for answer in turn.answers:
            if ahead and _checksum(answer) == ahead:
                turn.answers.remove(answer)
                ahead = 0
                break
    if turns and job.answer and job.answer.strip() not in "".join(turns[-1].answers[-1:]):
        turns[-1].answers.append(job.answer)
        ahead = _checksum(job.answer)
    return [turn for turn in turns if turn.said or turn.answers or turn.tools or turn.command], end, ahead


def _is_running(turn: "Turn", found: "Slice", job: Job) -> bool:
    if job.upto >= 0:
        return turn.start >= job.upto
    return turn is found.turns[-1] and not found.more


def _checksum(answer: str) -> int:
    return fsio.checksum(answer.strip().encode("utf-8", "replace")) + 1  # 0 means none


def _plan(turns: "list[Turn]", job: Job, overlay: Overlay) -> int:
    """Puts what the person asked to remember over the directory; how many turns were left out."""
    machine = ThisMachine(os.environ)
    skipped = 0
    for turn in turns:
        if wrote_memory(turn, overlay.folder, machine):
            skipped += 1
            continue
        for said in turn.said:
            for statement in _statements(said):
                _take(statement, job, overlay)
    return skipped


def _statements(said: str) -> "list[spoken.Statement]":
    """What a prompt asks to remember, without secrets; of one that is nothing but a secret nothing is left."""
    found = spoken.statements(redact.clean(said))
    if found and detector.install():  # dear to load, and needed where something will be written
        found = spoken.statements(redact.clean(said))
    return [statement for statement in found if redact.MARK not in statement.text]


def _take(statement: spoken.Statement, job: Job, overlay: Overlay) -> None:
    """Makes a topic of a statement, or brings the topic on the same subject up to date."""
    now = time.time()
    topics = overlay.topics()
    topic = drafts.same_subject(statement, topics)
    while topic and overlay.text(topic.file) is None:  # it could not be written again as it is
        topics = [other for other in topics if other is not topic]
        topic = drafts.same_subject(statement, topics)
    text = overlay.text(topic.file) if topic else None
    proposed = proposals.text(proposals.rule(statement, job.project))
    if topic and text is not None:
        draft = drafts.updated(statement, topic.file, text, now=now, proposed=proposed)
    else:
        draft = drafts.new(statement, session_id=job.session, now=now, taken=overlay.taken(), proposed=proposed)
    if draft is not None:
        overlay.write(draft.file, draft.text, Wanted(draft.file, draft.title, draft.hook, replace=topic is not None))
    elif topic:  # it says so already; but a plan may have been given up before it came to the index
        overlay.add_line(Wanted(topic.file, index_file.title(topic), topic.description))
