"""`memdir demo`: five moments of a session in a temporary home, played by the hooks that are registered."""

import argparse
import io
import os
import signal
import sys
import time

from memdir import fsio, jsonio, log, store, summary
from memdir.errors import UserError
from memdir_cli import doctor, installation, progress
from memdir_cli.checks import scene
from memdir_cli.demonstration import hooks, page, stage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any, Optional

LANGUAGES = "en", "zh"
_FILE_BYTES = 1 << 20
_OFF = "hooks.disabled", "hooks.managed_only"  # findings of doctor


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--lang", choices=[*LANGUAGES, "both"], help="its language (default: that of the terminal)")
    parser.add_argument("--keep", action="store_true", help="leave the temporary home, and name it")


def run(args: argparse.Namespace) -> int:
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal that has no Chinese
    installed = installation.Installation(os.environ)
    registered = hooks.Hooks(installed)
    languages = LANGUAGES if args.lang == "both" else (args.lang or language(os.environ),)
    # Not what is ignored, as under nohup.
    ends = [one for one in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(one) is signal.SIG_DFL]
    before = {number: signal.signal(number, _end) for number in ends}
    try:
        failed = 0
        for at, name in enumerate(languages):
            if at:
                print()
            failed |= _play(name, registered, installed, keep=args.keep)
        return failed
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def language(env: "os._Environ[str] | dict[str, str]") -> str:
    """The language of the terminal, as far as the demonstration speaks it."""
    chosen = next((env[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if env.get(name)), "")
    return "zh" if chosen.lower().startswith("zh") else "en"


def _end(number: int, _: "Optional[FrameType]") -> None:
    raise SystemExit(128 + number)  # so that the temporary home goes


def _play(name: str, registered: hooks.Hooks, installed: installation.Installation, *, keep: bool) -> int:
    words = _words(name)
    played = stage.Stage(name, registered, installed)
    try:
        return 0 if _Demonstration(words, played, registered).play() else 1
    finally:
        if keep:
            print(f"{words['kept_home']} {store.shown(played.home)}")
        else:
            played.remove()
            if os.path.lexists(played.home):
                print(f"{words['not_removed']} {store.shown(played.home)}", file=sys.stderr)


def _words(name: str) -> "dict[str, Any]":
    path = f"{stage.DATA}/{name}/words.json"
    try:
        return dict(jsonio.loads(fsio.read(path, _FILE_BYTES) or b""))
    except (ValueError, TypeError):
        raise UserError(f"{path} is missing or damaged; {stage.MENDED}") from None


def _switched_off() -> "list[str]":
    """Why Claude Code would run no hook of this user, as doctor finds it; empty if it would."""
    here = scene.Scene(os.environ, installation.ROOT, time.time())
    return [finding.text for finding in doctor.look("registration", here) if finding.code in _OFF]


class _Demonstration:
    """The five steps, in their order: each sends an event, checks what came of it and shows it."""

    def __init__(self, words: "dict[str, Any]", played: stage.Stage, registered: hooks.Hooks) -> None:
        self._words = words
        self._stage = played
        self._hooks = registered
        self._page = page.Page(played.home, colour=page.wants_colour())
        self._failed = 0
        self._told: "set[str]" = set()  # of the log

    def play(self) -> bool:
        """Whether every step happened, and would in a session."""
        show, words = self._page.line, self._words
        show(words["intro"], "bold")
        show(words["home"])
        source = words["registered" if self._hooks.registered else "copy"]
        show(source.format(settings=progress.place(self._hooks.settings)))
        for step in (self._recall, self._rule, self._memory, self._compaction, self._after):
            step()
        show()
        off = _switched_off()
        if off:
            show(words["off"], "red")
            for sentence in off:
                self._page.quotation(sentence)
        if self._failed:
            show(words["failed"].format(count=self._failed), "red")
        elif off:
            self._page.label(words["next"], words["doctor"], "cyan")
        if self._failed or off:
            return False
        show(words["done"], "green")
        for sentence in words["start"]:
            show(sentence)
        return True

    def _recall(self) -> None:
        words = self._words
        self._page.heading(1, words["recall"], "UserPromptSubmit")
        self._page.label(words["you_ask"], words["prompt"], "cyan")
        answer = self._stage.send("UserPromptSubmit", prompt=words["prompt"], permission_mode="default")
        text = answer.output("additionalContext")
        if f'file="{words["topic"]}"' not in text or words["content"] not in text:
            lacking = self._stage.lacking(f"memory/{words['topic']}")
            self._fail(words["not_delivered"].format(topic=words["topic"]), [*answer.trouble, *lacking])
            return
        counts = {"count": text.count("<memory file="), "total": len(self._stage.topics())}
        self._page.line(words["claude_gets"].format(**counts), indent=3)
        self._page.quotation(text)
        self._look(f"{self._stage.memory}/{words['topic']}", words["recall_yours"])

    def _rule(self) -> None:
        words = self._words
        self._page.heading(2, words["rule"], "PreToolUse")
        self._page.label(words["claude_runs"], words["denied"], "cyan")
        answer = self._call(words["denied"])
        reason = answer.output("permissionDecisionReason")
        if answer.output("permissionDecision") != "deny" or f"/{words['rule_file']}:" not in reason:
            self._fail(
                words["not_denied"].format(rule_file=words["rule_file"]),
                [*answer.trouble, reason, *self._rules_trouble()],
            )
            return
        self._page.line(words["claude_is_told"], indent=3)
        self._page.quotation(reason)
        answer = self._call(words["passes"])
        if answer.text.strip() or answer.trouble:
            reason = answer.output("permissionDecisionReason")
            self._fail(words["not_passed"], [*answer.trouble, reason, *self._rules_trouble()])
            return
        self._page.label(words["no_opinion"], words["passed"].format(command=words["passes"]))
        self._look(f"{self._stage.project}/.claude/rules/{words['rule_file']}", words["rule_yours"])

    def _call(self, command: str) -> stage.Answer:
        tool = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "toolu_0001"}
        return self._stage.send("PreToolUse", "Bash", permission_mode="default", **tool)

    def _rules_trouble(self) -> "list[str]":
        """What may be the cause: a rule that is missing, or others that no place for the temporary home was free of."""
        lacking = self._stage.lacking(f"rules/{self._words['rule_file']}")
        found = self._stage.foreign_rules
        return [*lacking, *([self._words["foreign_rules"].format(folders=", ".join(found))] if found else [])]

    def _memory(self) -> None:
        words, folder = self._words, self._stage.memory
        self._page.heading(3, words["memory"], "Stop")
        self._page.label(words["you_said"], words["said"], "cyan")
        before = self._stage.topics()
        answer = self._stage.send("Stop", permission_mode="default", stop_hook_active=False, last_assistant_message="")
        trouble = answer.trouble or [self._stage.wait_for_worker()]
        new = sorted(self._stage.topics() - before)
        text = (store.text(f"{folder}/{new[0]}") or "") if len(new) == 1 else ""
        if words["statement"] not in text:
            self._fail(words["not_written"], trouble)
            return
        lines = [line for line in (store.index_text(folder) or "").split("\n") if f"({new[0]})" in line]
        if not lines:
            self._fail(words["not_indexed"], trouble)
            return
        self._page.line(words["wrote"], indent=3)
        self._page.quotation(text.split("\n---\n", 1)[-1])  # the header has times
        self._page.line(words["indexed"], indent=3)
        self._page.quotation(lines[0])
        self._look(f"{folder}/{new[0]}", words["memory_yours"])

    def _compaction(self) -> None:
        words = self._words
        self._page.heading(4, words["compaction"], "PreCompact")
        answer = self._stage.send("PreCompact", "auto", trigger="auto", custom_instructions=None)
        if words["limit"] not in answer.text or words["todo"] not in answer.text:
            self._fail(words["no_brief"], answer.trouble)
            return
        path = summary.path_of(self._stage.state, self._stage.session)
        text = store.text(path) or ""
        if words["limit"] not in text:
            self._fail(words["no_summary"], answer.trouble)
            return
        self._page.line(words["brief"], indent=3)
        self._page.quotation(answer.text)
        self._page.line(words["kept"], indent=3)
        self._page.quotation(text, 1)
        self._look(os.path.dirname(path) + "/", words["compaction_yours"])

    def _after(self) -> None:
        words = self._words
        self._page.heading(5, words["after"], "SessionStart")
        answer = self._stage.send("SessionStart", "compact", source="compact", model="claude-opus-5-5")
        text = answer.output("additionalContext")
        sections = [line for line in text.split("\n") if line.startswith("## ")]
        if words["limit"] not in text or not sections:
            self._fail(words["not_returned"], answer.trouble)
            return
        self._page.line(words["delivered"].format(count=len(sections), first=sections[0][3:]), indent=3)
        self._look(log.path(self._stage.state), words["after_yours"])

    def _look(self, path: str, command: str) -> None:
        self._page.labels((self._words["look"], path, ""), (self._words["yours"], command, "cyan"))

    def _fail(self, what: str, trouble: "list[str]") -> None:
        self._failed += 1
        words = self._words
        self._page.label(words["went_wrong"], what, "red")
        for sentence in [*trouble, *self._stage.failures()]:
            if sentence.strip() and sentence not in self._told:
                self._page.quotation(sentence)
                self._told.add(sentence)
        self._page.label(words["log"], words["log_kept"].format(log=log.path(self._stage.state)))
        self._page.label(words["next"], words["doctor"], "cyan")
