"""Programs of PATH. A relative entry is whatever the working directory holds, which is no word of the user's."""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def folders(env: "Mapping[str, str]") -> "list[str]":
    """The absolute entries of PATH."""
    return [folder for folder in env.get("PATH", "").split(":") if folder.startswith("/")]


def find(name: str, env: "Mapping[str, str]") -> str:
    """The first program of that name, "" if there is none."""
    names = [f"{folder}/{name}" for folder in folders(env)]
    return next((path for path in names if os.path.isfile(path) and os.access(path, os.X_OK)), "")
