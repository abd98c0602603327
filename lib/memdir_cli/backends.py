"""What this machine has to ask a model with: keys, Claude Code, an address; and whose word each of them is."""

from memdir import paths, store
from memdir.errors import UserError
from memdir_cli import programs, repository_settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
ADDRESS = "ANTHROPIC_BASE_URL"
# What decides which files are memdir's. HOME comes first: settings in the home directory are taken for the user's.
_PLACES = ("HOME", "CLAUDE_CONFIG_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "MEMDIR_CONFIG", "MEMDIR_DATA_DIR")


class Found:
    """`keys`: the variables that hold one, never their values. `claude`: its path. `base_url`: what ADDRESS says.

    `of_repository`: the settings file of this repository that sets ADDRESS, "" if none does.
    """

    def __init__(self, cwd: str, env: "Mapping[str, str]") -> None:
        self.keys = [name for name in KEYS if env.get(name)]
        self.claude = programs.find("claude", env)
        self.of_repository, theirs = repository_settings.set_by(ADDRESS, repository_settings.files(cwd, env))
        self.base_url = env.get(ADDRESS, "") or theirs


def refuse_foreign(cwd: str, env: "Mapping[str, str]") -> None:
    """Raises UserError where a repository's settings say which files are memdir's: that is for the person to say."""
    registered = {name: value for name, value in env.items() if name != "HOME"}  # home: the password database's word
    for name in _PLACES:
        if name not in env or (name == "HOME" and paths.home(env) == paths.home(registered)):
            continue
        files = repository_settings.files(cwd, registered if name == "HOME" else env)
        path, _ = repository_settings.set_by(name, files)
        if path:
            told = f"{store.shown(path)} sets {name}"
            raise UserError(f"{told}; unset it in this shell, or run memdir setup in another directory")
