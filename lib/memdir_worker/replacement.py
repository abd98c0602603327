"""Replaces a file of a memory directory, and never without keeping what it held."""

import os

from memdir import catalog, exchange, fsio, store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

BACKUP_S = 14 * 86_400.0
_BASE_BYTES = 200  # of the name of an old version: a file's name may take 255, and this has more in front


def replace(folder: str, file: str, expected: "Optional[bytes]", data: bytes, state_dir: str, now: float) -> bool:
    """Puts `data` in the place of `file` in the memory directory `folder`, where that holds what is `expected`.

    None: there is no such file. If it holds something else nothing has changed, and False is returned. A file that is
    there keeps mode, group and owner, and the old version is kept for 14 days; a new one is private. When it returns
    True all is on the disk. `now`: seconds since 1970. Raises OSError.
    """
    path = os.path.join(folder, file)
    if expected is not None:
        if exchange.status(path) is None:
            return False
        _keep(folder, file, expected, state_dir, now)
    if not exchange.replace(path, expected, data):
        return False
    _expire(state_dir, now)
    return True


def _keep(folder: str, file: str, raw: bytes, state_dir: str, now: float) -> None:
    of = os.path.basename(catalog.path(state_dir, folder))
    base = os.fsdecode(os.fsencode(os.path.basename(file))[-_BASE_BYTES:])
    name = f"{of}-{int(now * 1000):015}-{fsio.checksum(raw):08x}-{base}"
    fsio.write(f"{state_dir}/backup/{name}", raw, durable=True)


def _expire(state_dir: str, now: float) -> None:
    """Removes old versions that are past their time, but never the newest index of a directory."""
    folder = state_dir + "/backup"
    found = []
    for name in os.listdir(folder) if os.path.isdir(folder) else []:
        of, _, rest = name.partition("-")
        written, _, rest = rest.partition("-")
        file = rest.partition("-")[2]
        if file.endswith(".md") and len(written) == 15 and written.isdecimal():
            found.append((of, int(written) / 1000, file, name))
    newest = {of: name for of, _, file, name in sorted(found) if file == store.INDEX}
    for of, written_at, _, name in found:
        if written_at < now - BACKUP_S and newest.get(of) != name:
            fsio.remove(f"{folder}/{name}")
