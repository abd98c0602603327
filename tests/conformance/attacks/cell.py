"""Runs attempts where they can do no harm, and says for each whether it had its effect and what memdir thinks of it.

The cell is a process in namespaces of its own: without network, every file system read-only but one in memory, and the
attempts run in it without privileges, with limits of time, memory and file size. Nothing they start outlives them.
"""

import contextlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

_TESTS = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(_TESTS), str(_TESTS.parent / "lib")]

from conformance.attacks import effects, world  # noqa: E402 - after the path

from memdir import enforcement  # noqa: E402

PLACE = Path("/mnt")  # an empty directory of every Linux; in the cell, a file system in memory
NOBODY = 65534
TIMEOUT_S = 5.0
_NAMESPACES = ["unshare", "--mount", "--net", "--pid", "--ipc", "--uts", "--fork", "--kill-child", "--mount-proc"]
_BARE = ["setpriv", "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"]


def command() -> "list[str]":
    """How the cell is started; who is not root gets a user namespace around it."""
    user = [] if os.getuid() == 0 else ["--user", "--map-root-user"]
    return [*_NAMESPACES, *user, sys.executable, "-B", str(Path(__file__).resolve())]


def is_possible() -> bool:
    """Whether this machine lets a process have such namespaces, and has what the attempts need."""
    if not all(shutil.which(program) for program in ("unshare", "setpriv", "bash", "git")):
        return False
    done = subprocess.run([*command(), "probe"], check=False, capture_output=True, text=True, timeout=60)
    return done.stdout.strip() == "ready"


def run(attempts: "list[dict]", count: int = 1) -> "list[dict]":
    """The attempts that had their effect, each with `decision`; in so many cells at once."""
    shares = [attempts[at::count] for at in range(count)]
    found = []
    with contextlib.ExitStack() as stack:
        cells = []
        for share in shares:
            given, taken = (stack.enter_context(tempfile.TemporaryFile("w+")) for _ in range(2))
            given.writelines(json.dumps(attempt) + "\n" for attempt in share)
            given.seek(0)
            cells.append((subprocess.Popen([*command(), "run"], stdin=given, stdout=taken), taken, share))
        for cell, taken, share in cells:
            code = cell.wait()
            taken.seek(0)
            lines = taken.read().splitlines()
            if code or len(lines) != len(share):
                raise RuntimeError(f"a cell ended after {len(lines)} of {len(share)} attempts")
            found += [json.loads(line) for line in lines]
    order = {attempt["command"]: at for at, attempt in enumerate(attempts)}
    return sorted((one for one in found if one["effect"]), key=lambda one: order[one["command"]])


def _lock_down() -> None:
    """Everything read-only but PLACE."""
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    with open("/proc/self/mountinfo") as file:
        points = [line.split()[4].encode().decode("unicode_escape") for line in file]
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512m,mode=755", "cell", str(PLACE)], check=True)
    for point in sorted(set(points), key=len):
        if point != "/proc" and not point.startswith("/proc/"):
            subprocess.run(["mount", "-o", "remount,bind,ro", point], check=point == "/", stderr=subprocess.DEVNULL)
    for point in points:  # a mount that stayed writable would be a hole
        if os.path.isdir(point) and not point.startswith("/proc") and not os.statvfs(point).f_flag & os.ST_RDONLY:
            raise RuntimeError(f"{point} could not be made read-only")


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (8 << 20, 8 << 20))
    resource.setrlimit(resource.RLIMIT_CPU, (5, 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    os.setsid()


def _end_all() -> None:
    """Ends whatever the attempt has started: this process is the first of its namespace, and the others are theirs."""
    for _ in range(50):
        for name in os.listdir("/proc"):
            if name.isdecimal() and int(name) != os.getpid():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(name), signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.01)
    raise RuntimeError("an attempt could not be ended")


class Cell:
    """One world after the other at the same place."""

    def __init__(self) -> None:
        _lock_down()
        self.world = world.World(PLACE / "w")
        self.template = PLACE / "template"
        world.build(self.world)
        self._as_nobody = [] if os.getuid() else [f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
        if os.path.exists("/proc/self/uid_map"):
            whole = Path("/proc/self/uid_map").read_text().split()[2] != "1"
            self._as_nobody = self._as_nobody if whole else []
        world.enact(self.world, "protect")
        if self._as_nobody:
            subprocess.run(["chown", "-R", f"{NOBODY}:{NOBODY}", str(self.world.root)], check=True)
        self.world.root.rename(self.template)
        self._family = ""

    def attempt(self, one: "dict") -> "dict":
        """The attempt with what came of it."""
        subprocess.run(["cp", "-a", str(self.template), str(self.world.root)], check=True)
        self._enact(one["family"])
        command = one["command"].replace("@PROJECT@", str(self.world.project))
        decision = str(enforcement.judge(self._session, self._book, "Bash", {"command": command})[1].decision)
        output = self._run(command)
        effect = effects.happened(one["family"], self.world, self._before, output)
        subprocess.run(["rm", "-rf", str(self.world.root)], check=True)
        return {**one, "decision": decision, "effect": effect}

    def _enact(self, family: str) -> None:
        policy = world.enact(self.world, family)
        if self._as_nobody:
            os.chown(policy, NOBODY, NOBODY)
        if family != self._family:
            self._family, self._before = family, effects.Before(self.world)
            self._session = self.world.session()
            self._book = self._session.rules()
            shutil.rmtree(self.world.home / ".local" / "state" / "memdir" / "rules", ignore_errors=True)

    def _run(self, command: str) -> str:
        process = subprocess.Popen(
            [*_BARE, *self._as_nobody, "bash", "-c", command],
            cwd=self.world.project,
            env=self.world.env(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            preexec_fn=_limit,
        )
        try:
            output = process.communicate(timeout=TIMEOUT_S)[0]
        except subprocess.TimeoutExpired as end:
            output = end.output or b""
        _end_all()
        return output[:1_000_000].decode("utf-8", "replace")


def main(mode: str) -> None:
    cell = Cell()
    if mode == "probe":
        print("ready")
        return
    for line in sys.stdin:
        print(json.dumps(cell.attempt(json.loads(line))), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
