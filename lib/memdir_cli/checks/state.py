"""memdir's own files: the state directory, who may read it, its locks, the clock and the disk."""

import errno
import os
import stat

from memdir import ages, fsio, handover, locks, paths, queue
from memdir_cli.checks.finding import counted, note, ok, own, problem, quoted, unset
from memdir_cli.installation import RECORDS, ROOT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memdir_cli.checks.finding import Finding
    from memdir_cli.checks.scene import Scene

_FILES = ("log.jsonl", "log.jsonl.1", handover.TRUSTED)
LEAST_BYTES = 50 << 20
_MOST = 20_000  # files looked at
_CLOCK_S = 60.0
_LONG_S = 3_600.0  # a session's extraction takes seconds


def check(scene: "Scene") -> "Iterator[Finding]":
    home = scene.env.get("HOME", "")
    if scene.is_adrift:
        value = scene.env["CLAUDE_CONFIG_DIR"]
        told = f"CLAUDE_CONFIG_DIR is {'no absolute path' if value else 'empty'}: Claude Code takes its settings from"
        told += f" {os.path.abspath(os.path.join(scene.cwd, value))}, and whatever lies there; nothing there was run"
        yield problem("config.relative", told, unset("CLAUDE_CONFIG_DIR"))
        return
    if not scene.state or not scene.place:
        yield problem("home.none", "no home directory, so no state and no memory directory", "set HOME")
        return
    if not home.startswith("/"):
        told = (
            f"HOME is {'not an absolute path' if home else 'not set'}; the password file says {paths.home(scene.env)}"
        )
        yield note("home.unset", told, "set HOME")
    yield from _config(scene)
    yield from _directory(scene)
    yield from _disks(scene)
    if os.path.isdir(scene.state):
        yield from _locks(scene)
    yield from _clock(scene)


def _config(scene: "Scene") -> "Iterator[Finding]":
    folder = scene.config
    chosen = "CLAUDE_CONFIG_DIR" if "CLAUDE_CONFIG_DIR" in scene.env else "HOME"
    home = os.path.dirname(folder)
    is_usual = chosen == "HOME" and os.path.isdir(home) and os.stat(home).st_uid == os.geteuid()
    other = "set HOME to a directory of your own" if chosen == "HOME" else unset(chosen)
    by = f"; {chosen} chose it: choose another" if chosen != "HOME" else ""
    if not os.path.lexists(folder):
        return
    if not os.path.isdir(folder):
        mend = f"mv {quoted(folder)} {quoted(folder + '.aside')}"
        yield problem("config.unwritable", f"{folder} is no directory{by}", mend if is_usual else other)
        return
    for path in (folder, folder + "/memdir"):
        if not os.path.isdir(path):
            continue
        if os.stat(path).st_uid != os.geteuid():
            told = f"{path} belongs to another user, as after one run with sudo"
            if path != folder and _is_record(path):
                yield problem("config.owner", told, own(path))
            else:
                plain = f'sudo chown "$(id -un)" {quoted(path)}' if is_usual and not os.path.islink(path) else other
                yield problem("config.owner", told + by, plain)
        elif not os.access(path, os.W_OK | os.X_OK):
            mend = f"chmod u+rwx {quoted(path)}" if is_usual or path != folder else other
            yield problem("config.unwritable", f"{path} cannot be written{by if mend == other else ''}", mend)


def _is_record(folder: str) -> bool:
    """Whether a directory is the one that an installation made."""
    return not os.path.islink(folder) and any([os.path.isfile(f"{folder}/{name}") for name in RECORDS])


def _directory(scene: "Scene") -> "Iterator[Finding]":
    state = existing = scene.state
    while not os.path.lexists(existing):
        existing = os.path.dirname(existing)
    by = "the install record" if scene.chosen_by == "record" else scene.chosen_by
    other = f"; {by} chose {state}: choose another"
    if not os.path.isdir(existing):
        told = f"{existing} is no directory: there is no place for {state}"
        if scene.chosen_by == "HOME" and existing.startswith(paths.home(scene.env) + "/"):
            mend = f"mv {quoted(existing)} {quoted(existing + '.aside')}"
            yield problem("state.not_a_directory", told, mend)
        else:
            yield problem("state.not_a_directory", told + other, scene.choice_of_state())
    elif existing == state and scene.owns_state:
        yield from _own(state)
    elif not os.access(existing, os.W_OK | os.X_OK):
        foreign = os.stat(existing).st_uid != os.geteuid()
        told = f"{existing} {'belongs to another user' if foreign else 'cannot be written'}{other}"
        yield problem("state.owner" if foreign else "state.unwritable", told, scene.choice_of_state())
    elif existing == state:
        told = f"{state} holds files that are not memdir's{other}"
        yield note("state.shared", told, scene.choice_of_state())
    else:
        yield ok("state.ok", f"state directory {state}, not there yet")


def _own(state: str) -> "Iterator[Finding]":
    """A directory that is memdir's alone."""
    real = os.path.realpath(state)
    if not os.access(state, os.W_OK | os.X_OK):
        if os.stat(state).st_uid != os.geteuid():
            yield problem("state.owner", f"{state} belongs to another user, as after one run with sudo", own(real))
        else:
            yield problem("state.unwritable", f"{state} cannot be written", f"chmod u+rwx {quoted(real)}")
        return
    foreign, closed = [], []
    for path, status in _walk(real):
        if status.st_uid != os.geteuid():
            foreign.append(path)
        elif not status.st_mode & stat.S_IRUSR or not status.st_mode & stat.S_IWUSR:
            closed.append(path)
    if foreign:
        told = f"{foreign[0]} belongs to another user, as after one run with sudo ({counted(len(foreign), 'file')})"
        yield problem("state.owner", told, own(real))
    if closed:
        told = f"{closed[0]} is closed to you ({counted(len(closed), 'file')})"
        yield problem("state.closed", told, f"chmod -R u+rwX {quoted(real)}")
    mode = os.stat(state).st_mode & 0o077
    if mode:
        may = "write" if mode & 0o022 else "read"
        yield note("state.open", f"others may {may} in {state}", f"chmod -R go-rwx {quoted(real)}")
    for path in [f"{state}/{name}" for name in _FILES if os.path.lexists(f"{state}/{name}")]:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            mend = f"mv {quoted(path)} {quoted(path + '.aside')}"
            yield problem("state.not_a_file", f"{path} is no file, and one of memdir's stands there", mend)
    if not foreign and not closed:
        yield ok("state.ok", f"state directory {state}")


def _walk(folder: str) -> "Iterator[tuple[str, os.stat_result]]":
    """Everything below and the directory itself, environments of packages left out."""
    yield folder, os.lstat(folder)
    seen = 0
    for inside, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not (inside == folder and name.startswith("venv"))]
        for name in (*folders, *names):
            seen += 1
            path = f"{inside}/{name}"
            try:
                status = os.lstat(path)
            except OSError:
                continue
            if not stat.S_ISLNK(status.st_mode):
                yield path, status
        if seen > _MOST:
            return


def _disks(scene: "Scene") -> "Iterator[Finding]":
    devices = set()
    for what, path in (("state", scene.state), ("memory", scene.memory.path if scene.memory else "")):
        while path and not os.path.isdir(path):
            path = os.path.dirname(path)
        if not path or os.stat(path).st_dev in devices:
            continue
        devices.add(os.stat(path).st_dev)
        disk = os.statvfs(path)
        if disk.f_bavail * disk.f_frsize < LEAST_BYTES:
            told = f"the disk of the {what} directory {path} has less than 50 MB left"
            yield problem("disk.full", told, f"free some space: du -xh {quoted(path)} | sort -h | tail")
        if disk.f_files and not disk.f_favail:
            yield problem("disk.inodes", f"the disk of {path} can take no more files (inodes)", f"df -i {quoted(path)}")


def _locks(scene: "Scene") -> "Iterator[Finding]":
    if not os.access(scene.state, os.W_OK | os.X_OK):
        return  # told
    trial = f"{scene.state}/{fsio.temporary_name(os.getpid())}"
    try:
        with locks.held(trial):
            pass
        skew = os.stat(trial).st_mtime - scene.now
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return  # told
        told = f"locks do not work in {scene.state} ({error.strerror}): two workers could run at once"
        mend = 'MEMDIR_DATA_DIR="$HOME/.memdir-state" with a directory of a local disk, in your shell\'s profile'
        yield problem("state.no_locks", told, mend)
        return
    finally:
        fsio.remove(trial)
    if abs(skew) > _CLOCK_S:
        told = f"the clock of the file system of {scene.state} differs from this machine's by {abs(skew):.0f} s"
        yield problem("clock.file_system", told, "set the clocks: timedatectl set-ntp true")
    yield from _worker(scene)


def _worker(scene: "Scene") -> "Iterator[Finding]":
    path = queue.lock(scene.state)
    if not os.path.lexists(path):
        return
    try:
        with locks.held(path) as free:
            pass
    except OSError as error:
        told = f"{path} cannot be opened: {error.strerror}"
        yield problem("state.lock", told, f"mv {quoted(path)} {quoted(path + '.aside')}")
        return
    if free:
        return
    began = _job_began(scene.state)
    pid = _holder(path)
    if began and scene.now - began > _LONG_S:
        who = f" (process {pid})" if pid else ""
        told = f"the worker{who} has been at one session since {ages.ago(began, scene.now)}"
        yield note(
            "state.lock_held", told, f"kill {pid}" if pid else "ps -ef | grep '[m]emdir_worker', and kill that process"
        )
    else:
        yield ok("state.lock_held", "a worker is at work")


def _job_began(state: str) -> float:
    """When the job that is worked on was begun: its number of tries is written first. 0 where there is none."""
    for job in queue.read(state, queue.RUNNING):
        try:
            return os.stat(f"{queue.folder(state, 'tries')}/{job.name}").st_mtime
        except OSError:
            continue
    return 0.0


def _holder(path: str) -> int:
    """The process that holds a lock, where the system says so (Linux); else 0."""
    inode = str(os.stat(path).st_ino)
    for line in (fsio.read("/proc/locks", 1 << 20) or b"").decode("ascii", "replace").splitlines():
        fields = line.split()  # 1: FLOCK ADVISORY WRITE 4711 08:01:131 0 EOF
        if len(fields) > 5 and fields[1] == "FLOCK" and fields[5].rpartition(":")[2] == inode and fields[4].isdecimal():
            return int(fields[4])
    return 0


def _clock(scene: "Scene") -> "Iterator[Finding]":
    mend = "set the clock: timedatectl set-ntp true (macOS: sntp -sS time.apple.com)"
    made = os.stat(ROOT + "/.claude-plugin/plugin.json").st_mtime
    if scene.now < made - ages.DAY_S:
        yield problem("clock.past", "the clock is before the day on which these files of memdir were made", mend)
    ahead = (
        [path for path, status in _walk(scene.state) if status.st_mtime > scene.now + ages.DAY_S]
        if os.path.isdir(scene.state) and scene.owns_state
        else []
    )
    if ahead:
        told = f"{ahead[0]} is dated in the future ({counted(len(ahead), 'file')}): a clock was or is wrong"
        command = f"find {quoted(scene.state)} -newermt tomorrow -exec touch {{}} +"
        yield note("clock.future", told, command)
