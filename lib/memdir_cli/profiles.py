"""Which profiles of Claude Code share a state directory: `profiles` in it, a configuration directory a line."""

import os

from memdir import fsio

_FILE_BYTES = 1 << 20


def add(state: str, config: str) -> None:
    """Notes a profile down. Raises OSError."""
    known = _read(state)
    if config not in known:
        _write(state, [*known, config])


def remove(state: str, config: str) -> None:
    """Forgets a profile, and those that are gone. Raises OSError."""
    left = others(state, config)
    if not _read(state):
        return
    if left:
        _write(state, left)
    else:
        fsio.remove(f"{state}/profiles")


def others(state: str, config: str) -> "list[str]":
    """The configuration directories, but `config`, in which memdir is installed with this state directory."""
    found = [other for other in _read(state) if other != config and _is_installed(other, state)]
    return [other for other in found if os.path.realpath(other) != os.path.realpath(config)]


def site_packages(config: str) -> str:
    """What the install record of another profile says of the worker's packages."""
    return _record(config, "site_packages")


def _is_installed(config: str, state: str) -> bool:
    return bool(_record(config, "hooks")) and _record(config, "state_dir") == state


def _record(config: str, name: str) -> str:
    raw = fsio.read(f"{config}/memdir/{name}", 4096) or b""
    return os.fsdecode(raw).split("\n", 1)[0]


def _read(state: str) -> "list[str]":
    raw = fsio.read(f"{state}/profiles", _FILE_BYTES) or b""
    lines = [line for line in os.fsdecode(raw).split("\n") if line]
    return lines if all(line.startswith("/") for line in lines) else []  # of another program


def _write(state: str, configs: "list[str]") -> None:
    fsio.write(f"{state}/profiles", b"".join([os.fsencode(config) + b"\n" for config in configs]), durable=True)
