"""The boundary between Claude Code and a hook: JSON in, one JSON answer or nothing out, whatever happens inside.

`run(name)` is all that a script in hooks/ calls. A failure of any kind ends in silence towards Claude Code and in one
line of the log, which `memdir doctor` reads. Only where hard rules are checked it ends in a refusal of the call.
"""

import gc
import os
import select
import sys
import time

from memdir import jsonio, log, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Optional, Union

STDIN_S = 2.0  # Claude Code sends the payload at once; a pipe that nobody closes must not hold the prompt
STDIN_BYTES = 64 << 20
GUARD = "pre_tool_use"  # the launcher starts it only where there is a hard rule, and wants `{}` for "no opinion"


class Unreadable(Exception):
    """Standard input holds something, but no JSON object."""


class Event:
    """One hook call: the payload, read defensively, and what the run wants to tell the log."""

    def __init__(self, payload: "dict[str, Any]", args: "list[str]", now: float) -> None:
        self.payload = payload
        self.args = args
        self.now = now
        self.env = os.environ
        self.session_id = self.text("session_id")
        self.cwd = self.text("cwd")
        self.agent_id = self.text("agent_id")
        self.state_dir = paths.state_dir(self.env)
        self.outcome = ""
        self.details: "dict[str, Any]" = {}  # more for the line of the log
        self.errors: "list[str]" = []
        self._later: "list[Callable[[], None]]" = []

    def text(self, key: str) -> str:
        """A string field of the payload; "" when it is missing or of another type."""
        value = self.payload.get(key)
        return value if isinstance(value, str) else ""

    def project_dir(self) -> str:
        """The directory that the session was started in: Claude Code's word for it, else the payload's cwd."""
        return self.env.get("CLAUDE_PROJECT_DIR") or self.cwd

    def afterwards(self, step: "Callable[[], None]") -> None:
        """Does `step` once the answer is written: a hook that is cut off before has not noted what nobody received."""
        self._later.append(step)

    def finish(self) -> None:
        for step in self._later:
            self.attempt(step)

    def attempt(self, step: "Callable[[], object]") -> bool:
        """Runs a step whose failure costs only itself and is logged; whether it succeeded."""
        try:
            step()
        except Exception as error:  # noqa: BLE001 - the promise: a hook never fails for a side effect
            self.errors.append(log.describe(error))
            return False
        return True


def context(event_name: str, text: str) -> "dict[str, Any]":
    """The answer that adds `text` to the context."""
    return {"hookSpecificOutput": {"hookEventName": event_name, "additionalContext": text}}


def decision(decision: str, reason: str) -> "dict[str, Any]":
    """The answer to PreToolUse that blocks the call or has the person asked: "deny" or "ask", and nothing else.

    Raises ValueError for another decision: memdir never allows what Claude Code itself would ask about.
    """
    if decision not in ("deny", "ask"):
        raise ValueError(decision)
    output = {"hookEventName": "PreToolUse", "permissionDecision": decision, "permissionDecisionReason": reason}
    return {"hookSpecificOutput": output}


def block(reason: str) -> "dict[str, Any]":
    """The answer to Stop that has the model go on, for this reason."""
    return {"decision": "block", "reason": reason}


def run(name: str) -> None:
    """Handles the event whose module is memdir.events.NAME, from stdin to stdout, and ends the process.

    With 0, except where GUARD could not even write its refusal.
    """
    started = time.monotonic()
    gc.disable()  # over before a collection pays
    event: "Optional[Event]" = None
    errors: "list[str]" = []
    failure = ""
    out = b""
    sent = 0
    status = 1 if name == GUARD else 0
    try:
        try:
            payload = read_payload(0)
            if payload is not None:
                event = Event(payload, sys.argv[1:], time.time())
                module = __import__("memdir.events." + name, fromlist=["handle"])
                out = _encoded(module.handle(event))
        except Unreadable:
            failure = "the hook's input is not a JSON object"
        except Exception as error:  # noqa: BLE001 - the one boundary: the prompt goes through whatever happens
            failure = log.describe(error)
            errors.append(failure)
        if name == GUARD:
            out = _encoded(_refusal(failure)) if failure else out or b"{}\n"
        sent = len(out)
        while out:
            out = out[os.write(1, out) :]
        status = 0
        if event is not None:
            event.finish()
    except Exception as error:  # noqa: BLE001 - as above
        errors.append(log.describe(error))
    finally:
        if event is not None:
            errors += event.errors
        try:
            _log(name, event, round((time.monotonic() - started) * 1000, 1), sent, errors)
        finally:
            os._exit(status)  # nothing is left to flush; tearing the interpreter down costs a fifth of its start


def _encoded(answer: "Union[dict[str, Any], str, None]") -> bytes:
    if isinstance(answer, str):  # plain text, which PreCompact alone is read as; JSON it must not look like
        return answer.lstrip("{ \n").encode("utf-8", "replace") + b"\n" if answer else b""
    return b"" if answer is None else jsonio.dumps(answer).encode("ascii") + b"\n"


def _refusal(failure: str) -> "dict[str, Any]":
    reason = f"memdir could not check the hard rules ({failure}); the call is blocked until that is mended."
    return decision("deny", reason + " Run `memdir doctor`, install memdir again, or move the rule files away.")


def read_payload(fd: int) -> "Optional[dict[str, Any]]":
    """The JSON object on `fd`; None when nothing but blanks is there.

    Claude Code sends one line; a payload over several lines ends with the input, or after STDIN_S seconds. Raises
    Unreadable for anything else: cut off, another type, not JSON.
    """
    deadline = time.monotonic() + STDIN_S
    raw = bytearray()
    ready = select.poll()
    ready.register(fd, select.POLLIN | select.POLLHUP)
    while len(raw) < STDIN_BYTES:
        wait_s = deadline - time.monotonic()
        if wait_s <= 0 or not ready.poll(wait_s * 1000):
            break
        chunk = os.read(fd, 1 << 20)
        if not chunk:
            break
        raw += chunk
        if chunk.endswith(b"\n"):
            payload = _object(raw)
            if payload is not None:
                return payload
    if not raw.strip():
        return None
    payload = _object(raw)
    if payload is None:
        raise Unreadable
    return payload


def _object(raw: bytearray) -> "Optional[dict[str, Any]]":
    try:
        value = jsonio.loads(bytes(raw))
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _log(name: str, event: "Optional[Event]", ms: float, sent: int, errors: "list[str]") -> None:
    """Best effort: a full disk must not turn into a failed hook."""
    state_dir = event.state_dir if event is not None else paths.state_dir(os.environ)
    if not state_dir:
        return
    line: "dict[str, Any]" = {"t": round(time.time(), 3), "hook": name, "ms": ms, "bytes": sent}
    if event is None:
        line["outcome"] = "unreadable payload"
    else:
        line["session"] = paths.session_name(event.session_id)[:8]
        line["outcome"] = event.outcome
        line.update(event.details)
    if errors:
        line["outcome"] = "error"
        line["errors"] = errors
    try:
        log.write(state_dir, line)
    except OSError:
        return
