"""Where an installation lies: Claude Code's configuration directory, our copy, the install record, the settings."""

import os

from memdir import fsio, paths
from memdir.errors import UserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # of the memdir that runs here
RECORDS = ("python", "state_dir", "site_packages", "hooks")


class Installation:
    """The places of one profile of Claude Code; nothing has to be there. Raises UserError without a home directory."""

    def __init__(self, env: "Mapping[str, str]") -> None:
        self._env = env
        self.config = paths.claude_config_dir(env)
        self.state = paths.state_dir(env)
        if not self.config or not self.state:
            raise UserError("no home directory: set HOME")
        self.folder = self.config + "/memdir"  # ours in there
        self.app = self.folder + "/app"  # the copy of the plugin
        self.settings = self.config + "/settings.json"  # may be a link

    def record(self, name: str) -> str:
        """One line of the install record, "" when it is not there.

        `python`: the interpreter of hooks and worker; `state_dir`; `site_packages`: of the worker's environment;
        `hooks`: the launcher (…/hooks/py) that the settings name, where hooks are registered there.
        """
        return paths.record(name, self._env)

    def write_record(self, name: str, line: str) -> None:
        """Raises OSError."""
        fsio.write(f"{self.folder}/{name}", os.fsencode(line) + b"\n", durable=True)

    def forget(self, name: str) -> None:
        fsio.remove(f"{self.folder}/{name}")
