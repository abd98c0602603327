"""`memdir install`, which install.sh starts: puts memdir into Claude Code's settings, or mends what is there.

Everything that can refuse is asked before anything is changed. What follows can be stopped anywhere and run again: the
settings name a launcher only when it is there, and the packages, which need the network, come after all else works.
"""

import argparse
import os
import subprocess
import sys
import time

from memdir import jsonio, locks, queue, store
from memdir.errors import MemdirError, UserError
from memdir_cli import (
    bin_link,
    environment,
    interpreter,
    own_entries,
    plugin_copy,
    precautions,
    profiles,
    settings_file,
    state_directory,
)
from memdir_cli.installation import ROOT, Installation
from memdir_cli.progress import Progress, lasting_output, place, yes

LOCK_S = 60.0  # for another installation that is under way
SETTINGS_BYTES = 64 << 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--link", action="store_true", help="register this checkout itself instead of a copy of it")
    parser.add_argument("--no-venv", action="store_true", help="do without the packages that the worker can use")
    parser.add_argument("--no-demo", action="store_true", help="do not show at the end what memdir does")
    parser.add_argument("--interactive", action="store_true", help="ask before the settings are changed, and the rest")
    parser.add_argument("--python", metavar="PATH", help="use this interpreter instead of looking for one")


def run(args: argparse.Namespace) -> int:
    lasting_output()
    installation = precautions.profile(os.environ)
    root = _root(installation, link=args.link)
    precautions.check(installation, root)
    if args.interactive and not _agreed(installation, root):
        print("Nothing was changed.")
        return 1
    with locks.held(f"{installation.state}/{state_directory.LOCK}", LOCK_S) as got:
        if not got:
            raise UserError("another installation of memdir is under way; run this again when it is done")
        return _install(args, installation, root, Progress(7 - args.no_venv - args.no_demo))


def _root(installation: Installation, *, link: bool) -> str:
    """The directory whose launcher the settings are to name."""
    copied = os.path.realpath(ROOT) == os.path.realpath(installation.app)
    if link and copied:
        raise UserError(f"this is the copy in {place(ROOT)}; run ./install.sh --link in your checkout")
    return ROOT if link else installation.app


def _agreed(installation: Installation, root: str) -> bool:
    if not sys.stdin.isatty():
        raise UserError("--interactive needs a terminal to ask at")
    print(f"memdir would be copied to {place(installation.app)}," if root == installation.app else "This checkout")
    print(f"and these hooks be added to {place(installation.settings)}, each calling {place(root)}/hooks/py:")
    print(f"  {', '.join(settings_file.wanted(ROOT))}")
    return yes("Go on?")


def _install(args: argparse.Namespace, installation: Installation, root: str, progress: Progress) -> int:
    python = interpreter.real()
    progress.step(f"interpreter → {place(python)} (Python {sys.version.split()[0]})")
    installation.write_record("python", python)
    installation.write_record("state_dir", installation.state)
    profiles.add(installation.state, installation.config)
    progress.step(f"memdir → {place(root)}{' (this checkout)' if args.link else ''}")
    altered = _altered(installation)
    if root != ROOT and os.path.realpath(ROOT) != os.path.realpath(root):
        plugin_copy.refresh(ROOT, installation.app)
    _register(installation, root, altered, progress)
    _link(args, root, progress)
    if not args.no_venv:
        _packages(installation, python, root, progress)
    _doctor(root, progress)
    if args.interactive:
        _memdir(root, "setup")
    if not args.no_demo:
        progress.step("demonstration: what memdir does, in a temporary home")
        if _memdir(root, "demo"):
            raise MemdirError(
                "the demonstration failed: memdir is installed, but does not work yet; run `memdir doctor`"
            )
    return 0


def _altered(installation: Installation) -> "list[str]":
    """What a person changed in our entries. Asked before the copy is replaced: it says what they were put in as."""
    launcher = installation.record("hooks")
    raw = settings_file.look(installation)
    try:
        hooks = settings_file.wanted(launcher[: -len("/hooks/py")])
    except UserError:
        return []  # the memdir that put them in is gone
    return own_entries.altered(settings_file.entries(raw, launcher), hooks) if raw else []


def _register(installation: Installation, root: str, altered: "list[str]", progress: Progress) -> None:
    hooks = settings_file.wanted(root)
    changed = settings_file.register(installation, root, time.time())
    progress.step(f"hooks → {place(installation.settings)} ({len(hooks)} events{'' if changed else ', unchanged'})")
    if altered:
        progress.detail(f"Changed by hand, and memdir's own again: {store.shown('; '.join(altered))}.")
    for name in settings_file.plugins_enabled(settings_file.look(installation) or b"{}"):
        shown = store.shown(name)
        progress.detail(f"The plugin {shown} is enabled too; its hooks stand back. `claude plugin uninstall {shown}`")


def _link(args: argparse.Namespace, root: str, progress: Progress) -> None:
    if args.interactive and not yes("Link `memdir` into a directory of programs?"):
        progress.step(f"command → {place(root)}/bin/memdir")
        return
    progress.step(f"command → {bin_link.make(root, os.environ)}")


def _packages(installation: Installation, python: str, root: str, progress: Progress) -> None:
    progress.step(f"packages → {place(installation.state)}")
    built = environment.build(installation.state, python, root, progress.detail)
    try:
        _use_packages(installation, python, built, progress)
    except OSError as error:
        progress.detail(f"Not noted down: {store.shown(str(error))}; `memdir install` tries again.")


def _use_packages(installation: Installation, python: str, built: environment.Built, progress: Progress) -> None:
    if built.reason:
        progress.detail(f"Not there: {built.reason}")
        progress.detail("Everything but model features works without them; `memdir install` tries again.")
        if not environment.fits(installation.record("site_packages"), python):
            installation.forget("site_packages")
        return
    installation.write_record("site_packages", built.site_packages)
    if built.note:
        progress.detail(built.note)
    others = profiles.others(installation.state, installation.config)
    with locks.held(queue.lock(installation.state)) as got:
        if got:  # else a worker may be using the old one: the next time
            keep = [built.site_packages, *map(profiles.site_packages, others)]
            environment.remove_others(installation.state, keep)


def _doctor(root: str, progress: Progress) -> None:
    """Shows what `memdir doctor` of the installed memdir finds; a problem does not undo the installation."""
    done = subprocess.run(
        _command(root, "doctor", "--json"), capture_output=True, stdin=subprocess.DEVNULL, cwd="/", check=False
    )  # the working directory may be gone, and its repository is not what was installed
    try:
        findings = jsonio.loads(done.stdout)
    except ValueError:
        progress.step("doctor: it did not run")
        progress.detail(store.shown(done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]))
        return
    levels = [one["level"] for one in findings]
    counts = [f"{levels.count(level)} {name}" for level, name in (("problem", "problems"), ("note", "notes"))]
    progress.step(f"doctor: {levels.count('ok')} checks well, {', '.join(counts)}")
    for one in findings:
        if one["level"] != "ok":
            progress.detail(f"{'PROBLEM' if one['level'] == 'problem' else 'note'}: {store.shown(one['text'])}")
            if one["mend"]:
                progress.command(store.shown(one["mend"]))


def _memdir(root: str, *words: str) -> int:
    """Runs a command of the installed memdir at this terminal; its exit code."""
    return subprocess.run(_command(root, *words), cwd="/", check=False).returncode


def _command(root: str, *words: str) -> "list[str]":
    return [interpreter.real(), "-I", "-S", f"{root}/lib/memdir_cli/__main__.py", *words]
