"""A project and its memory directory, laid out and written as Claude Code 2.1.332 does."""

import os
import re
from datetime import datetime
from pathlib import Path


def project_key(path: Path) -> str:
    """The folder name under projects/ for a directory: every UTF-16 unit outside [a-zA-Z0-9] is a dash.

    Over 200 units it is cut there and a hash follows. Written anew here, so that it can judge the plugin's own.
    """
    raw = str(path).encode("utf-16-le", "surrogatepass")
    units = [int.from_bytes(raw[i : i + 2], "little") for i in range(0, len(raw), 2)]
    key = re.sub("[^a-zA-Z0-9]", "-", "".join(map(chr, units)))
    if len(key) <= 200:
        return key
    value = 0
    for unit in units:
        value = (value * 31 + unit) & 0xFFFFFFFF
    value = abs(value - (1 << 32) if value >> 31 else value)
    digits = ""
    while value:
        value, digit = divmod(value, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return f"{key[:200]}-{digits or '0'}"


class Memory:
    """The memory directory of one project; the file names and forms are the native ones."""

    def __init__(self, home: Path, project: Path) -> None:
        self.project = project
        self.dir = home / ".claude" / "projects" / project_key(project) / "memory"
        self.dir.mkdir(parents=True, exist_ok=True)

    def topic(
        self, name: str, description: str, body: str, *, type: str = "project", modified: "str | None" = None
    ) -> Path:
        """Writes `<type>_<name>.md`. `modified` is ISO 8601 with a zone; it also becomes the file's time."""
        lines = ["---", f"name: {name}", f"description: {description}", "metadata:", "  node_type: memory"]
        lines += [f"  type: {type}"]
        lines += [f"  modified: {modified}"] if modified else []
        path = self.file(f"{type}_{name.replace('-', '_')}.md", "\n".join([*lines, "---", "", body, ""]))
        if modified:
            seconds = datetime.fromisoformat(modified.replace("Z", "+00:00")).timestamp()
            os.utime(path, (seconds, seconds))
        return path

    def index(self, *lines: str) -> Path:
        """Writes MEMORY.md with these lines."""
        return self.file("MEMORY.md", "".join(line + "\n" for line in lines))

    def file(self, name: str, text: "str | bytes") -> Path:
        """Writes any file, as it is, below the memory directory."""
        path = self.dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path
