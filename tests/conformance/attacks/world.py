"""The small world that every attack gets a copy of: a home, a project with hooks and secrets, a remote, stubs."""

import gzip
import os
import subprocess
from base64 import b64encode
from pathlib import Path

from conformance.attacks.families import FAMILIES

from memdir import enforcement

CANARY = "tok3n-CaNaRy-8151"
UNSAVED = "unsaved-work-4711"
_SCRIPT = 'echo ran >> "$HOME/ran"\n'
_NPM = "#!/bin/sh\n[ -w {root}/calls ] && printf '%s\\n' \"$*\" >> {root}/calls/{name}\n"
_DOWNLOAD = """#!/bin/sh
printf '%s\\n' "$*" >> {root}/calls/{name}
out= url=
while [ $# -gt 0 ]; do
  case $1 in
    -o|-O-|-qO-) [ "$1" = -o ] && {{ out=$2; shift; }} ;;
    -O) if [ {name} = wget ]; then out=$2; shift; else base=1; fi ;;
    -sO) base=1 ;;
    -d|-F|-T|--data|--data-binary)
      case $2 in @*) cat "${{2#@}}" ;; *=@*) cat "${{2#*=@}}" ;; esac >> {root}/calls/{name}; shift ;;
    http*) url=$1 ;;
  esac
  shift
done
[ -n "$base" ] && out=${{url##*/}}
case $url in *.b64) file=b64 ;; *.gz) file=gz ;; *.py) file=py ;; *) file=sh ;; esac
if [ -n "$out" ]; then cat {root}/served/$file > "$out"; else cat {root}/served/$file; fi
"""
_FILES = {
    "shop/build/index-zq1.js": "1\n",
    "shop/build/css/site-zq2.css": "2\n",
    "shop/build/css/deep/more-zq3.css": "3\n",
    "shop/migrations/001.sql": "create table a;\n",
    "shop/migrations/002.sql": "create table b;\n",
    "shop/src/a.ts": "let n: number = 1;\n",
    "shop/src/gen/b.ts": "let m: number = 2;\n",
    "shop/notes.txt": "first\n",
    "shop/package.json": '{"name": "shop"}\n',
    "shop/pkg/package.json": '{"name": "pkg"}\n',
    "shop/.gitignore": "build\n.env\n.claude\n",
    "shop/.env": f"TOKEN={CANARY}\n",
    "shop/.claude/settings.json": "{}\n",
    ".ssh/id_ed25519": f"-----BEGIN OPENSSH PRIVATE KEY-----\n{CANARY}\n",
    ".aws/credentials": f"[default]\naws_secret_access_key = {CANARY}\n",
    ".claude/settings.json": "{}\n",
    ".claude/memdir/python": "/usr/bin/python3\n",
    ".claude/memdir/state_dir": "~/.local/state/memdir\n",
    ".config/memdir/config.yaml": "rules:\n  on: on\n",
    ".local/state/memdir/log.jsonl": "{}\n",
    ".gitconfig": "[user]\nname = D\nemail = d@example.com\n[init]\ndefaultBranch = main\n[push]\ndefault = current\n",
}
_HOOK = '#!/bin/sh\n[ "$HUSKY" = 0 ] && exit 0\necho {name} >> "$HOME/hooks-ran"\n'


class World:
    """Where things are in the world below `root`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = root / "home"
        self.project = self.home / "shop"

    def env(self) -> "dict[str, str]":
        path = f"{self.root}/bin:/usr/local/bin:/usr/bin:/bin"
        return {
            "HOME": str(self.home),
            "PATH": path,
            "TMPDIR": f"{self.root}/tmp",
            "LANG": "C.UTF-8",
            "USER": "dev",
            "GIT_CONFIG_NOSYSTEM": "1",
        }

    def session(self) -> enforcement.Session:
        """The session whose tool calls are judged here."""
        state = str(self.home / ".local" / "state" / "memdir")
        env = {**self.env(), "MEMDIR_DATA_DIR": state}
        return enforcement.Session(str(self.project), str(self.project), env, state)


def build(world: World) -> None:
    """Makes the world; the rule file of a family comes later, with `enact`."""
    for folder in ("bin", "calls", "served", "tmp"):
        (world.root / folder).mkdir(parents=True)
    for name, text in _FILES.items():
        _write(world.home / name, text)
    for name, text in (("npm", _NPM), ("claude", _NPM), ("curl", _DOWNLOAD), ("wget", _DOWNLOAD)):
        _write(world.root / "bin" / name, text.format(root=world.root, name=name))
        (world.root / "bin" / name).chmod(0o755)
    served = {"sh": _SCRIPT, "b64": b64encode(_SCRIPT.encode()).decode(), "py": f"import os; os.system({_SCRIPT!r})\n"}
    for name, text in served.items():
        _write(world.root / "served" / name, text)
    (world.root / "served" / "gz").write_bytes(gzip.compress(_SCRIPT.encode(), mtime=0))
    _repositories(world)


def _repositories(world: World) -> None:
    def git(*words: str) -> None:
        subprocess.run(
            ["git", *words], cwd=world.project, env={**world.env(), **_DATES}, check=True, stdout=subprocess.DEVNULL
        )

    git("init", "-q", "--template=", "--bare", str(world.root / "remote.git"))
    git("init", "-q", "--template=")
    git("remote", "add", "origin", "../../remote.git")
    for text in ("one", "two"):
        (world.project / "notes.txt").write_text(f"first\n{text}\n")
        git("add", ".")
        git("commit", "-qm", text)
    git("push", "-q", "origin", "main")
    git("branch", "-q", "--set-upstream-to=origin/main")
    git("commit", "-q", "--amend", "-m", "three")
    (world.project / "notes.txt").write_text("stashed\n")
    git("stash", "-q")
    git("worktree", "add", "-q", "-b", "side", "../tree")
    (world.home / "tree" / "notes.txt").write_text(UNSAVED + "\n")
    (world.project / "src" / "staged.ts").write_text("let s = 1;\n")
    git("add", "src/staged.ts")
    (world.project / "notes.txt").write_text(f"first\ntwo\n{UNSAVED}\n")
    (world.project / "scratch.txt").write_text(UNSAVED + "\n")
    for name in ("pre-commit", "pre-push"):
        hook = world.project / ".git" / "hooks" / name
        _write(hook, _HOOK.format(name=name))
        hook.chmod(0o755)


_DATES = {"GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z"}


def enact(world: World, family: str) -> Path:
    """Puts the family's rule file, and no other, into the project."""
    path = world.project / ".claude" / "rules" / "policy.md"
    _write(path, f"---\n{FAMILIES[family].entries}\n---\nNo.\n")
    return path


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def snapshot(folder: Path) -> "dict[str, str]":
    """What lies below a folder: contents of files, targets of links."""
    found = {}
    for place, folders, files in os.walk(folder):
        for name in [*folders, *files]:
            path = os.path.join(place, name)
            if os.path.islink(path):
                found[path] = "-> " + os.readlink(path)
            elif os.path.isfile(path):
                found[path] = Path(path).read_bytes()[:200_000].decode("utf-8", "replace")
    return found


def judged(attempts: "list[dict]", root: Path) -> "list[dict]":
    """The attempts, in the order of their families, with what memdir decides on each now; nothing is run."""
    world = World(root)
    build(world)
    found = []
    family = ""
    for one in attempts:
        if one["family"] != family:
            family = one["family"]
            enact(world, family)
            session = world.session()
            rules = session.rules()
        command = one["command"].replace("@PROJECT@", str(world.project))
        decision = enforcement.judge(session, rules, "Bash", {"command": command})[1].decision
        found.append({**one, "decision": str(decision)})
    return found
