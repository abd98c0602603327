"""The hooks that are registered, run as Claude Code runs them."""

import os
import re
import signal
import subprocess

from memdir import fsio
from memdir_cli import installation, settings_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Optional

_DEFAULT_S = 60.0  # for an entry without a timeout of its own
_SETTINGS_BYTES = 64 << 20
_ENDS = signal.SIGINT, signal.SIGTERM, signal.SIGHUP


class Hook:
    """One entry: `words` is its command line."""

    def __init__(self, event: str, matcher: "Optional[str]", words: "list[str]", entry: "dict[str, Any]") -> None:
        self.event = event
        self.words = words
        timeout = entry.get("timeout")
        self.timeout_s = float(timeout) if isinstance(timeout, (int, float)) and timeout > 0 else _DEFAULT_S
        self._matcher = matcher

    def fits(self, subject: str) -> bool:
        if not self._matcher or self._matcher == "*":
            return True
        try:
            return re.fullmatch(self._matcher, subject) is not None
        except re.error:
            return False

    def run(self, payload: bytes, cwd: str, env: "Mapping[str, str]") -> "tuple[str, str]":
        """What it prints, and what went wrong: a session of its own, the payload on its standard input."""
        process: "Optional[subprocess.Popen[bytes]]" = None
        # An interruption while it starts would leave a process of which nobody knows.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDS)
        try:
            try:
                process = self._start(cwd, env, before)
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
            out, err = process.communicate(payload, self.timeout_s)
        except subprocess.TimeoutExpired:
            return "", f"{self.words[0]}: no answer within {self.timeout_s:g} s"
        except (OSError, ValueError) as error:
            return "", f"{self.words[0]}: {getattr(error, 'strerror', None) or error}"
        finally:
            if process and process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
        said = err.decode("utf-8", "replace").strip().split("\n")[0]
        failed = process.returncode or said
        trouble = f"{' '.join(self.words)} ended with status {process.returncode}: {said}" if failed else ""
        return out.decode("utf-8", "replace"), trouble

    def _start(
        self, cwd: str, env: "Mapping[str, str]", mask: "set[int | signal.Signals]"
    ) -> "subprocess.Popen[bytes]":
        """The process, with these signals blocked. Raises OSError, and ValueError for words that no system takes."""

        def unblock() -> None:
            # One that waits already ends the process here; Python's handler would raise in the middle of the start.
            for number in _ENDS:
                if signal.getsignal(number) is not signal.SIG_IGN:
                    signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)

        return subprocess.Popen(
            self.words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env=env,
            start_new_session=True,
            preexec_fn=unblock,
        )


class Hooks:
    """The hooks of this profile's settings; where memdir has none there, those of the copy that runs here.

    `settings` is that file, and `registered` says whether the hooks are from it. Raises UserError for broken settings.
    """

    def __init__(self, installed: "installation.Installation") -> None:
        self.settings = installed.settings
        raw = fsio.read(installed.settings, _SETTINGS_BYTES, follow=True)
        if raw is not None:
            settings_file.check(raw, installed.settings)
        found = settings_file.entries(raw, installed.record("hooks")) if raw is not None else []
        self.registered = bool(found)
        self.all = [Hook(one.event, one.matcher, _words(one), one.entry) for one in found] or _of_this_copy()


def _words(one: "settings_file.Entry") -> "list[str]":
    """The command line of an entry of the settings. One in shell form is run without the shell."""
    args = one.entry.get("args")
    return [str(one.entry["command"]), *map(str, args)] if args else [one.launcher, one.name, *one.args]


def _of_this_copy() -> "list[Hook]":
    return [
        Hook(event, group.get("matcher"), [hook["command"], *hook.get("args", ())], hook)
        for event, groups in settings_file.wanted(installation.ROOT).items()
        for group in groups
        for hook in group["hooks"]
    ]
