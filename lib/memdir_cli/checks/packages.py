"""The worker's environment: the packages that only add to memdir."""

import os

from memdir_cli import environment
from memdir_cli.checks.finding import counted, note, ok, problem
from memdir_cli.installation import ROOT
from memdir_cli.interpreter import LEAST_FOR_PACKAGES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memdir_cli.checks.finding import Finding
    from memdir_cli.checks.scene import Scene

_OFF = "the second look for secrets, and what will ask a model, are off"
_DETECTOR = "kingfisher-secret-scanner"  # optional: not every machine can have it


def check(scene: "Scene") -> "Iterator[Finding]":
    if not scene.place:
        return
    site = scene.record("site_packages")
    if not site:
        old = scene.python and () < scene.python.version < LEAST_FOR_PACKAGES
        mend = "install Python 3.10 or newer, then: " + scene.repair if old else scene.repair
        yield note("packages.none", f"no packages are installed: {_OFF}", mend)
    elif not os.path.isdir(site):
        yield problem("packages.gone", f"the recorded packages are gone: no {site}", scene.repair)
    else:
        yield from _environment(scene, site)


def _environment(scene: "Scene", site: str) -> "Iterator[Finding]":
    status = environment.status(site, ROOT)
    sound = True
    python = scene.python.number if scene.python else ""
    if not status.whole:
        sound = False
        yield problem("packages.unfinished", f"{site} was not finished: its installation was cut off", scene.repair)
    elif python and status.version.rstrip("t") != python.rpartition(".")[0]:
        sound = False
        told = f"the packages are for Python {status.version}, the hooks run on {python}"
        yield problem("packages.python", told, scene.repair)
    for name, (pinned, there) in sorted(status.packages.items()):
        if name == _DETECTOR and not there:
            told = f"{name} is not installed: secrets are looked for once, not twice"
            yield note("packages.detector", told, scene.repair)
        elif pinned != there:
            sound = False
            code, what = ("packages.version", there) if there else ("packages.missing", "not installed")
            yield problem(code, f"the package {name} is {what}, this memdir wants {pinned}", scene.repair)
    if sound:
        count = len([there for _, there in status.packages.values() if there])
        yield ok("packages.ok", f"{counted(count, 'package')} in {site}")
