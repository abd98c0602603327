"""Runs memdir's scripts, each in a process of its own, and kills one with SIGKILL where it is told to.

python -I -S killer.py PLUGIN takes requests from standard input and answers each, a JSON line both. It has imported
what the scripts need and forks for every run, so that a run costs no start of an interpreter. Whatever a script starts
in the place of its process (a hook its worker) runs here, too, in the process that was forked for it.
"""

import json
import os
import signal
import subprocess
import sys
import time
import traceback
from typing import Any, NoReturn

# Every call of `os` that changes a file or a directory, or starts a process; `open` where it makes or empties a file.
CHANGES = ("write", "fsync", "replace", "rename", "unlink", "link", "mkdir", "rmdir", "fork", "execve", "ftruncate")
RUN_S = 60
plain_open, plain_exit, plain_time = os.open, os._exit, time.time


class Run:
    """One script in this process, with the number of the change, or of the worker's step, before which it ends."""

    def __init__(self, request: "dict[str, Any]", report: int) -> None:
        self.request = request
        self.report = report
        self.pid = os.getpid()
        self.seen: "list[str]" = []

    def due(self, what: str) -> None:
        self.seen.append(what)
        if len(self.seen) == self.request["kill_at"]:
            os.kill(os.getpid(), signal.SIGKILL)

    def step(self, name: str) -> None:
        """What the worker calls after each of its steps; at one of them a person may write into a file."""
        edit = self.request["edit"]
        if edit and edit["at"] == name and name not in self.seen:
            with open(edit["path"], "a", encoding="utf-8") as file:
                file.write(edit["text"])
        self.due(name)

    def finish(self, status: int) -> "NoReturn":
        sys.stdout.flush()
        sys.stderr.flush()
        if os.getpid() == self.pid:
            os.set_blocking(self.report, False)
            plain_write(self.report, json.dumps(self.seen).encode())
        plain_exit(status)

    def script(self, path: str, args: "list[str]") -> "NoReturn":
        sys.argv = [path, *args]
        status = 0
        try:
            with open(path, encoding="utf-8") as source:
                exec(compile(source.read(), path, "exec"), {"__name__": "__main__", "__file__": path})
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
        except BaseException:  # noqa: BLE001 - as the interpreter does it
            traceback.print_exc()
            status = 1
        self.finish(status)

    def become(self, _: str, argv: "list[str]", env: "dict[str, str]") -> "NoReturn":
        """In the place of execve: python -I -S SCRIPT ARGUMENT... It is not killed, only what leads to it."""
        self.request["kill_at"] = None
        os.environ.clear()
        os.environ.update(env)
        self.script(argv[3], argv[4:])

    def start(self) -> "NoReturn":
        request = self.request
        os.environ.clear()
        os.environ.update(request["env"])
        time.time = lambda: plain_time() + request["clock_s"]
        os._exit = self.finish
        os.execve = self.become  # type: ignore[assignment]
        if request["slice_bytes"]:
            from memdir import transcript

            transcript.read.__kwdefaults__.update(limit=request["slice_bytes"])  # type: ignore[union-attr]
        if request["script"]:
            if request["kill_at"] is not None:
                self.watch()
            self.script(request["script"], request["args"])
        from memdir_worker import worker

        worker.run(*request["args"], step=self.step)
        self.finish(0)

    def watch(self) -> None:
        for name in CHANGES:
            setattr(os, name, self.watched(name, getattr(os, name)))
        os.open = self.open  # type: ignore[assignment]

    def watched(self, name: str, plain: "Any") -> "Any":
        def call(*values: object, **named: object) -> object:
            self.due(name)
            return plain(*values, **named)

        return call

    def open(self, path: str, flags: int, *values: int, **named: int) -> int:
        if flags & (os.O_CREAT | os.O_TRUNC):
            self.due("open")
        return plain_open(path, flags, *values, **named)


def answer(request: "dict[str, Any]") -> "dict[str, Any]":
    if "command" in request:
        done = subprocess.run(request["command"], capture_output=True, text=True, check=False, timeout=RUN_S)
        return {"rc": done.returncode, "out": done.stdout, "err": done.stderr, "changes": []}
    pipes = [os.pipe() for _ in range(4)]  # input, output, errors, report
    os.write(pipes[0][1], request["stdin"].encode("utf-8", "surrogatepass"))
    os.close(pipes[0][1])
    child = os.fork()
    if not child:
        signal.alarm(RUN_S)  # whatever it forks has none
        for number, fd in enumerate((pipes[0][0], pipes[1][1], pipes[2][1])):
            os.dup2(fd, number)
        Run(request, pipes[3][1]).start()
    status = os.waitpid(child, 0)[1]
    texts = []
    for reader, writer in pipes[1:]:
        os.close(writer)
        os.set_blocking(reader, False)  # a worker that goes on may have its other end
        texts.append(received(reader))
    os.close(pipes[0][0])
    rc = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    return {"rc": rc, "out": texts[0], "err": texts[1], "changes": json.loads(texts[2] or "[]")}


def received(fd: int) -> str:
    found = b""
    try:
        while chunk := os.read(fd, 1 << 16):
            found += chunk
    except BlockingIOError:
        pass
    os.close(fd)
    return found.decode("utf-8", "replace")


def serve(plugin: str) -> None:
    lib = plugin + "/lib"
    sys.path.insert(0, lib)
    for name in ("memdir_worker.worker", "memdir_cli.queue", "memdir_cli.doctor", "memdir.unfinished"):
        __import__(name)
    for name in os.listdir(lib + "/memdir/events"):
        if name.endswith(".py") and name[0] != "_":
            __import__("memdir.events." + name[:-3])
    out = os.dup(1)  # 1 belongs to the runs
    for line in sys.stdin.buffer:
        os.write(out, json.dumps(answer(json.loads(line))).encode() + b"\n")


plain_write = os.write
if __name__ == "__main__":
    serve(sys.argv[1])
