"""Working directories and settings in which a session may start: recipes that any machine can follow.

The recorder (tests/conformance/memory_dirs.py) starts the real client in each; the tests ask memdir.
In every text `{root}` stands for the directory that holds the situation; `{root}/home` is HOME, and
`{root}/etc/claude-code` the folder of managed settings.
"""

import json
import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from support.memory import project_key

GIT = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a",
       "GIT_COMMITTER_EMAIL": "a@b", "GIT_ALLOW_PROTOCOL": "file"}  # fmt: skip
LONG = "d" * 60
REPO = (("git", "init", "-q", "repo"), ("git", "-C", "repo", "commit", "-q", "--allow-empty", "-m", "x"))
WORKTREE = (*REPO, ("git", "-C", "repo", "worktree", "add", "-q", "../wt"))
SUPER = (
    *REPO,
    ("git", "init", "-q", "super"),
    ("git", "-C", "super", "submodule", "--quiet", "add", "{root}/repo", "sub"),
    ("git", "-C", "super", "commit", "-q", "-m", "x"),
)


@dataclass(frozen=True)
class Situation:
    """`steps` in order: ("git", …), ("mkdir", path), ("link", path, target), ("write", path, text), ("move", a, b)."""

    cwd: str
    steps: "tuple[tuple[str, ...], ...]" = ()
    env: "dict[str, str]" = field(default_factory=dict)

    def build(self, root: Path) -> "tuple[Path, dict[str, str]]":
        """Follows the recipe below `root`; the working directory and the variables of the session."""
        (root / "home" / ".claude").mkdir(parents=True)
        for kind, *words in self.steps:
            _follow(root, kind, [word.replace("{root}", str(root)) for word in words])
        cwd = root / self.cwd
        cwd.mkdir(parents=True, exist_ok=True)
        env = {name: value.replace("{root}", str(root)) for name, value in self.env.items()}
        return cwd, {"HOME": str(root / "home"), **env}


def _follow(root: Path, kind: str, words: "list[str]") -> None:
    if kind == "git":
        env = {**os.environ, **GIT, "HOME": str(root / "home")}
        subprocess.run(["git", *words], cwd=root, env=env, check=True, capture_output=True)
        return
    path = root / words[0]
    if kind == "mkdir":
        path.mkdir(parents=True)
    elif kind == "link":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(words[1])
    elif kind == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(words[1].encode("utf-8", "surrogateescape"))
    elif kind == "move":
        path.rename(root / words[1])
    else:
        raise ValueError(kind)


def portable(answer: str, root: Path) -> str:
    """A path of the client's answer, its project key replaced by the directory that has it: `{key of repo/sub}`."""
    answer = answer.rstrip("/")
    keys = {project_key(root): "."}
    for folder, names, _ in os.walk(root):
        for name in names:
            path = Path(folder, name)
            keys[project_key(path)] = os.path.relpath(path, root)
    for key, name in sorted(keys.items(), key=lambda pair: -len(pair[0])):
        if f"projects/{key}/" in answer:
            answer = answer.replace(f"projects/{key}/", f"projects/{{key of {name}}}/", 1)
            break
    return answer.replace(str(root), "{root}")


def absolute(answer: str, root: Path) -> str:
    """The path that `portable` came from, below this `root`."""
    before, found, rest = answer.partition("{key of ")
    if found:
        name, _, rest = rest.partition("}")
        answer = before + project_key(root if name == "." else root / name) + rest
    return answer.replace("{root}", str(root))


def _settings(scope: str, **values: object) -> "tuple[str, str, str]":
    path = {"user": "home/.claude/settings.json", "project": "repo/.claude/settings.json",
            "local": "repo/.claude/settings.local.json",
            "managed": "etc/claude-code/managed-settings.json"}[scope]  # fmt: skip
    return ("write", path, json.dumps(values))


def _drop_in(name: str, **values: object) -> "tuple[str, str, str]":
    return ("write", f"etc/claude-code/managed-settings.d/{name}", json.dumps(values))


def _memory(scope: str, value: object, *more: "tuple[str, ...]", cwd: str = "repo") -> Situation:
    return Situation(cwd, (*REPO, _settings(scope, autoMemoryDirectory=value), *more))


DIRS = {
    "git repository": Situation("repo", REPO),
    "repository without a commit": Situation("repo", (("git", "init", "-q", "repo"),)),
    "subdirectory": Situation("repo/a/b", REPO),
    "linked worktree": Situation("wt", (*REPO, ("git", "-C", "repo", "worktree", "add", "-q", "../wt"))),
    "subdirectory of a worktree": Situation("wt/a", (*REPO, ("git", "-C", "repo", "worktree", "add", "-q", "../wt"))),
    "worktree inside its repository": Situation(
        "repo/.claude/worktrees/x", (*REPO, ("git", "-C", "repo", "worktree", "add", "-q", ".claude/worktrees/x"))
    ),
    "worktree with relative paths": Situation(
        "wt",
        (
            *REPO,
            ("git", "-C", "repo", "worktree", "add", "-q", "../wt"),
            ("write", "wt/.git", "gitdir: ../repo/.git/worktrees/wt\n"),
        ),
    ),
    "worktree whose repository was moved away": Situation(
        "wt", (*REPO, ("git", "-C", "repo", "worktree", "add", "-q", "../wt"), ("move", "repo", "elsewhere"))
    ),
    "worktree that was moved by hand": Situation(
        "moved", (*REPO, ("git", "-C", "repo", "worktree", "add", "-q", "../wt"), ("move", "wt", "moved"))
    ),
    "worktree file that names a foreign repository": Situation(
        "trap", (*REPO, ("write", "trap/.git", "gitdir: {root}/repo/.git/worktrees/none\n"))
    ),
    "git file that names the repository itself": Situation(
        "trap", (*REPO, ("write", "trap/.git", "gitdir: {root}/repo/.git\n"))
    ),
    "submodule": Situation("super/sub", SUPER),
    "subdirectory of a submodule": Situation("super/sub/a", SUPER),
    "repository with a submodule": Situation("super", SUPER),
    "worktree of a submodule": Situation(
        "subwt", (*SUPER, ("git", "-C", "super/sub", "worktree", "add", "-q", "{root}/subwt"))
    ),
    "worktree of a repository with a submodule": Situation(
        "wt", (*SUPER, ("git", "-C", "super", "worktree", "add", "-q", "../wt"))
    ),
    "bare repository": Situation("bare.git", (("git", "init", "-q", "--bare", "bare.git"),)),
    "directory inside a bare repository": Situation("bare.git/refs", (("git", "init", "-q", "--bare", "bare.git"),)),
    "worktree of a bare repository": Situation(
        "wt",
        (
            *REPO,
            ("git", "clone", "-q", "--bare", "repo", "b.git"),
            ("git", "-C", "b.git", "worktree", "add", "-q", "../wt"),
        ),
    ),
    "worktree beside a bare repository named .bare": Situation(
        "proj/main",
        (
            *REPO,
            ("git", "clone", "-q", "--bare", "repo", "proj/.bare"),
            ("write", "proj/.git", "gitdir: ./.bare\n"),
            ("git", "-C", "proj", "worktree", "add", "-q", "main2"),
            ("git", "-C", "proj", "worktree", "add", "-q", "--force", "main"),
        ),
    ),
    "directory that holds a bare repository named .bare": Situation(
        "proj",
        (*REPO, ("git", "clone", "-q", "--bare", "repo", "proj/.bare"), ("write", "proj/.git", "gitdir: ./.bare\n")),
    ),
    "worktree of a bare repository named .git": Situation(
        "wt",
        (
            *REPO,
            ("git", "clone", "-q", "--bare", "repo", "proj/.git"),
            ("git", "-C", "proj/.git", "worktree", "add", "-q", "{root}/wt"),
        ),
    ),
    "worktree whose commondir is a link": Situation(
        "wt",
        (
            *WORKTREE,
            ("move", "repo/.git/worktrees/wt/commondir", "common"),
            ("link", "repo/.git/worktrees/wt/commondir", "{root}/common"),
        ),
    ),
    "worktree whose gitdir is a link": Situation(
        "wt",
        (
            *WORKTREE,
            ("move", "repo/.git/worktrees/wt/gitdir", "gitdir"),
            ("link", "repo/.git/worktrees/wt/gitdir", "{root}/gitdir"),
        ),
    ),
    "worktree whose .git file is a link": Situation(
        "wt", (*WORKTREE, ("move", "wt/.git", "dotgit"), ("link", "wt/.git", "{root}/dotgit"))
    ),
    "worktree file with blanks": Situation(
        "wt", (*WORKTREE, ("write", "wt/.git", "gitdir:   {root}/repo/.git/worktrees/wt  \n"))
    ),
    "separate git directory": Situation(
        "repo", (("mkdir", "store"), ("git", "init", "-q", "--separate-git-dir", "store/g", "repo"))
    ),
    "worktree with a separate git directory": Situation(
        "wt",
        (
            ("mkdir", "store"),
            ("git", "init", "-q", "--separate-git-dir", "store/g", "repo"),
            ("git", "-C", "repo", "commit", "-q", "--allow-empty", "-m", "x"),
            ("git", "-C", "repo", "worktree", "add", "-q", "../wt"),
        ),
    ),
    "inside the .git directory": Situation("repo/.git/hooks", REPO),
    "working directory through a link": Situation("door", (*REPO, ("link", "door", "repo"))),
    "subdirectory through a link": Situation("door", (*REPO, ("mkdir", "repo/a"), ("link", "door", "repo/a"))),
    "parent through a link": Situation(
        "door/repo", (("mkdir", "real"), ("link", "door", "real"), ("git", "init", "-q", "real/repo"))
    ),
    ".git is a link": Situation("copy", (*REPO, ("mkdir", "copy"), ("link", "copy/.git", "../repo/.git"))),
    "no repository": Situation("plain"),
    "subdirectory without a repository": Situation("plain/a/b"),
    "empty .git directory": Situation("repo/a", (("mkdir", "repo/.git"),)),
    "empty .git file": Situation("repo/a", (("write", "repo/.git", ""),)),
    ".git file of rubbish": Situation("repo/a", (("write", "repo/.git", "rubbish\n\0\xff"),)),
    ".git file that names nothing": Situation("repo/a", (("write", "repo/.git", "gitdir: /nowhere/at/all\n"),)),
    ".git is a dangling link": Situation("repo/a", (("link", "repo/.git", "nowhere"),)),
    "repository inside a repository": Situation("repo/inner/a", (*REPO, ("git", "init", "-q", "repo/inner"))),
    "GIT_DIR set": Situation("plain", REPO, {"GIT_DIR": "{root}/repo/.git", "GIT_WORK_TREE": "{root}/repo"}),
    "blanks and punctuation": Situation("my app_1.0 (x)", (("git", "init", "-q", "my app_1.0 (x)"),)),
    "Chinese": Situation("项目/前端", (("git", "init", "-q", "项目"),)),
    "composed accents": Situation("caf\u00e9", (("git", "init", "-q", "caf\u00e9"),)),
    "decomposed accents": Situation("cafe\u0301", (("git", "init", "-q", "cafe\u0301"),)),
    "decomposed accents without a repository": Situation("e\u0301te\u0301/x"),
    "emoji": Situation("🧪 lab", (("git", "init", "-q", "🧪 lab"),)),
    "over 200 characters": Situation("/".join([LONG] * 4), (("git", "init", "-q", "/".join([LONG] * 4)),)),
    "over 200 characters of Chinese": Situation("/".join(["记忆" * 30] * 4)),
    "over 200 units, emoji all along": Situation("/".join(["🧪" * 40] * 3)),
    "over 200 characters, decomposed": Situation("/".join(["e\u0301" * 30] * 4)),
    "own directory, user settings": _memory("user", "{root}/mem"),
    "own directory, home form": _memory("user", "~/mem"),
    "own directory, trailing slash": _memory("user", "{root}/mem/"),
    "own directory, dots inside": _memory("user", "{root}/a/../mem"),
    "own directory, relative": _memory("user", "mem"),
    "own directory, dot relative": _memory("user", "./mem"),
    "own directory, empty": _memory("user", ""),
    "own directory, a number": _memory("user", 7),
    "own directory, a variable": _memory("user", "$HOME/mem"),
    "own directory, bare tilde": _memory("user", "~"),
    "own directory, tilde slash": _memory("user", "~/"),
    "own directory, the root": _memory("user", "/"),
    "own directory, near the root": _memory("user", "/x"),
    "own directory, through a link": _memory("user", "{root}/door/mem", ("mkdir", "real"), ("link", "door", "real")),
    "own directory, project settings": _memory("project", "{root}/mem"),
    "own directory, local settings": _memory("local", "{root}/mem"),
    "own directory, project settings, from below": _memory("project", "{root}/mem", cwd="repo/a"),
    "own directory, project and user": _memory(
        "project", "{root}/p", _settings("user", autoMemoryDirectory="{root}/u")
    ),
    "own directory, local and project": _memory(
        "local", "{root}/l", _settings("project", autoMemoryDirectory="{root}/p")
    ),
    "own directory, relative in local, good in user": _memory(
        "local", "mem", _settings("user", autoMemoryDirectory="{root}/u")
    ),
    "own directory, a number in local, good in user": _memory(
        "local", 7, _settings("user", autoMemoryDirectory="{root}/u")
    ),
    "own directory, home form in the project": _memory("project", "~/mem"),
    "own directory, project settings, worktree": _memory(
        "project", "{root}/mem", ("git", "-C", "repo", "worktree", "add", "-q", "../wt"), cwd="wt"
    ),
    "own directory, local settings, worktree": _memory(
        "local", "{root}/mem", ("git", "-C", "repo", "worktree", "add", "-q", "../wt"), cwd="wt"
    ),
    "own directory, local settings, from below": _memory("local", "{root}/mem", cwd="repo/a"),
    "own directory, local settings below and above": _memory(
        "local",
        "{root}/up",
        ("write", "repo/a/.claude/settings.local.json", '{"autoMemoryDirectory":"{root}/low"}'),
        cwd="repo/a",
    ),
    "own directory, local settings in worktree and repository": _memory(
        "local",
        "{root}/repository",
        ("git", "-C", "repo", "worktree", "add", "-q", "../wt"),
        ("write", "wt/.claude/settings.local.json", '{"autoMemoryDirectory":"{root}/worktree"}'),
        cwd="wt",
    ),
    "own directory, local settings of the worktree, from below": _memory(
        "project",
        "{root}/p",
        ("git", "-C", "repo", "worktree", "add", "-q", "../wt"),
        ("write", "wt/.claude/settings.local.json", '{"autoMemoryDirectory":"{root}/worktree"}'),
        cwd="wt/a",
    ),
    "own directory, local settings of the worktree alone": Situation(
        "wt",
        (
            *REPO,
            ("git", "-C", "repo", "worktree", "add", "-q", "../wt"),
            ("write", "wt/.claude/settings.local.json", '{"autoMemoryDirectory":"{root}/mem"}'),
        ),
    ),
    "own directory, local settings of the subdirectory alone": Situation(
        "repo/a", (*REPO, ("write", "repo/a/.claude/settings.local.json", '{"autoMemoryDirectory":"{root}/mem"}'))
    ),
    "own directory, local settings of the repository, worktree inside it": _memory(
        "local",
        "{root}/mem",
        ("git", "-C", "repo", "worktree", "add", "-q", ".claude/worktrees/x"),
        cwd="repo/.claude/worktrees/x",
    ),
    "own directory, local settings above, no repository": Situation(
        "plain/a", (("write", "plain/.claude/settings.local.json", '{"autoMemoryDirectory":"{root}/mem"}'),)
    ),
    "own directory, local settings of the repository, submodule": Situation(
        "super/sub", (*SUPER, ("write", "super/.claude/settings.local.json", '{"autoMemoryDirectory":"{root}/mem"}'))
    ),
    "own directory, local settings in the main directory of a bare repository": Situation(
        "wt",
        (
            *REPO,
            ("git", "clone", "-q", "--bare", "repo", "proj/.git"),
            ("git", "-C", "proj/.git", "worktree", "add", "-q", "{root}/wt"),
            ("write", "proj/.claude/settings.local.json", '{"autoMemoryDirectory":"{root}/mem"}'),
        ),
    ),
    "own directory, home form that leaves home": _memory("user", "~/../mem"),
    "own directory, home form with a way back": _memory("user", "~/a/../mem"),
    "own directory, two slashes at the start": _memory("user", "/{root}/mem"),
    "own directory, decomposed": _memory("user", "{root}/cafe\u0301"),
    "own directory, managed over all": _memory(
        "managed",
        "{root}/m",
        _settings("user", autoMemoryDirectory="{root}/u"),
        _settings("project", autoMemoryDirectory="{root}/p"),
        _settings("local", autoMemoryDirectory="{root}/l"),
    ),
    "own directory, relative in managed, good in user": _memory(
        "managed", "mem", _settings("user", autoMemoryDirectory="{root}/u")
    ),
    "own directory, managed drop-in over managed": _memory(
        "managed", "{root}/m", _drop_in("10-a.json", autoMemoryDirectory="{root}/drop")
    ),
    "own directory, managed drop-ins in order": Situation(
        "repo",
        (*REPO, _drop_in("a.json", autoMemoryDirectory="{root}/a"), _drop_in("B.json", autoMemoryDirectory="{root}/B")),
    ),
    "own directory, managed drop-ins that do not count": Situation(
        "repo",
        (*REPO, _drop_in(".a.json", autoMemoryDirectory="{root}/a"), _drop_in("b.txt", autoMemoryDirectory="{root}/b")),
    ),
    "settings with a byte order mark": Situation(
        "repo", (*REPO, ("write", "home/.claude/settings.json", '\ufeff{"autoMemoryDirectory":"{root}/mem"}'))
    ),
    "settings with a comment": Situation(
        "repo", (*REPO, ("write", "home/.claude/settings.json", '{"autoMemoryDirectory":"{root}/mem" // why\n}'))
    ),
    "settings with a trailing comma": Situation(
        "repo", (*REPO, ("write", "home/.claude/settings.json", '{"autoMemoryDirectory":"{root}/mem",}'))
    ),
    "settings that are cut off": Situation(
        "repo", (*REPO, ("write", "home/.claude/settings.json", '{"autoMemoryDirectory":"{root}/mem"'))
    ),
    "settings that are a list": Situation("repo", (*REPO, ("write", "home/.claude/settings.json", "[]"))),
    "settings through a link": Situation(
        "repo",
        (
            *REPO,
            ("write", "dot/settings.json", '{"autoMemoryDirectory":"{root}/mem"}'),
            ("link", "home/.claude/settings.json", "{root}/dot/settings.json"),
        ),
    ),
    "settings with another key that is wrong": Situation(
        "repo",
        (
            *REPO,
            ("write", "home/.claude/settings.json", '{"cleanupPeriodDays":"x","autoMemoryDirectory":"{root}/mem"}'),
        ),
    ),
    "user settings.local.json in the configuration directory": Situation(
        "repo", (*REPO, ("write", "home/.claude/settings.local.json", '{"autoMemoryDirectory":"{root}/mem"}'))
    ),
    "session in the home directory": Situation("home", (_settings("user", autoMemoryDirectory="{root}/mem"),)),
    "session in the home directory, default": Situation("home"),
    "other configuration directory": Situation("repo", REPO, {"CLAUDE_CONFIG_DIR": "{root}/conf"}),
    "other configuration directory, trailing slash": Situation("repo", REPO, {"CLAUDE_CONFIG_DIR": "{root}/conf/"}),
    "other configuration directory, relative": Situation("repo", REPO, {"CLAUDE_CONFIG_DIR": "conf"}),
    "other configuration directory, home form": Situation("repo", REPO, {"CLAUDE_CONFIG_DIR": "~/conf"}),
    "other configuration directory, empty": Situation("repo", REPO, {"CLAUDE_CONFIG_DIR": ""}),
    "other configuration directory, decomposed": Situation("repo", REPO, {"CLAUDE_CONFIG_DIR": "{root}/cafe\u0301"}),
    "other configuration directory with its settings": Situation(
        "repo",
        (
            *REPO,
            ("write", "conf/settings.json", '{"autoMemoryDirectory":"{root}/mem"}'),
            ("write", "home/.claude/settings.json", '{"autoMemoryDirectory":"{root}/wrong"}'),
        ),
        {"CLAUDE_CONFIG_DIR": "{root}/conf"},
    ),
    "project name without configuration directory": Situation("repo", REPO, {"CLAUDE_CODE_PROJECT_DIR_NAME": "chosen"}),
    "project name": Situation(
        "repo", REPO, {"CLAUDE_CONFIG_DIR": "{root}/conf", "CLAUDE_CODE_PROJECT_DIR_NAME": "chosen_1-A"}
    ),
    "project name, illegal": Situation(
        "repo", REPO, {"CLAUDE_CONFIG_DIR": "{root}/conf", "CLAUDE_CODE_PROJECT_DIR_NAME": "../x"}
    ),
    "project name of 65 letters": Situation(
        "repo", REPO, {"CLAUDE_CONFIG_DIR": "{root}/conf", "CLAUDE_CODE_PROJECT_DIR_NAME": "a" * 65}
    ),
    "project name, empty": Situation(
        "repo", REPO, {"CLAUDE_CONFIG_DIR": "{root}/conf", "CLAUDE_CODE_PROJECT_DIR_NAME": ""}
    ),
    "own directory, local settings in a home that is a repository": Situation(
        "home/a",
        (
            ("git", "init", "-q", "home"),
            ("write", "home/.claude/settings.local.json", '{"autoMemoryDirectory":"{root}/m"}'),
        ),
    ),
    "own directory, local settings in a bare repository, from its worktree": Situation(
        "wt",
        (
            *REPO,
            ("git", "clone", "-q", "--bare", "repo", "b.git"),
            ("git", "-C", "b.git", "worktree", "add", "-q", "../wt"),
            ("write", "b.git/.claude/settings.local.json", '{"autoMemoryDirectory":"{root}/m"}'),
        ),
    ),
    "project name of a Windows device": Situation(
        "repo", REPO, {"CLAUDE_CONFIG_DIR": "{root}/conf", "CLAUDE_CODE_PROJECT_DIR_NAME": "Con"}
    ),
    "project name, configuration directory empty": Situation(
        "repo", REPO, {"CLAUDE_CONFIG_DIR": "", "CLAUDE_CODE_PROJECT_DIR_NAME": "chosen"}
    ),
    "remote memory directory": Situation("repo", REPO, {"CLAUDE_CODE_REMOTE_MEMORY_DIR": "{root}/remote"}),
    "memory directory by variable": Situation("repo", REPO, {"CLAUDE_COWORK_MEMORY_PATH_OVERRIDE": "{root}/cowork"}),
    "memory directory by variable, relative": Situation("repo", REPO, {"CLAUDE_COWORK_MEMORY_PATH_OVERRIDE": "cowork"}),
    "home with a slash at its end": Situation("repo", REPO, {"HOME": "{root}/home/"}),
    "home through a link": Situation("repo", (*REPO, ("link", "door", "home")), {"HOME": "{root}/door"}),
}


def _native(scope: str, value: object, *more: "tuple[str, ...]", **env: str) -> Situation:
    return Situation("repo", (*REPO, _settings(scope, autoMemoryEnabled=value), *more), env)


NATIVE = {
    "nothing set": Situation("repo", REPO),
    "off for the user": _native("user", False),
    "on for the user": _native("user", True),
    "off in the project": _native("project", False),
    "off in local settings": _native("local", False),
    "off for the user, on in the project": _native("user", False, _settings("project", autoMemoryEnabled=True)),
    "on for the user, off in the project": _native("user", True, _settings("project", autoMemoryEnabled=False)),
    "off in the project, on in local": _native("project", False, _settings("local", autoMemoryEnabled=True)),
    "off in local, on in project": _native("local", False, _settings("project", autoMemoryEnabled=True)),
    "off in the project, from below": Situation("repo/a", (*REPO, _settings("project", autoMemoryEnabled=False))),
    "off in local settings, from below": Situation("repo/a", (*REPO, _settings("local", autoMemoryEnabled=False))),
    "off in local settings, worktree": Situation(
        "wt",
        (
            *REPO,
            _settings("local", autoMemoryEnabled=False),
            ("git", "-C", "repo", "worktree", "add", "-q", "../wt"),
        ),
    ),
    "a word for the user": _native("user", "false"),
    "null for the user": _native("user", None),
    "variable 1": Situation("repo", REPO, {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"}),
    "variable true": Situation("repo", REPO, {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "true"}),
    "variable yes": Situation("repo", REPO, {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "yes"}),
    "variable on": Situation("repo", REPO, {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "ON"}),
    "variable 2": Situation("repo", REPO, {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "2"}),
    "variable empty": Situation("repo", REPO, {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": ""}),
    "variable 0 over settings": _native("user", False, CLAUDE_CODE_DISABLE_AUTO_MEMORY="0"),
    "variable false over settings": _native("user", False, CLAUDE_CODE_DISABLE_AUTO_MEMORY="false"),
    "variable no over settings": _native("user", False, CLAUDE_CODE_DISABLE_AUTO_MEMORY="no"),
    "variable off over settings": _native("user", False, CLAUDE_CODE_DISABLE_AUTO_MEMORY="off"),
    "variable empty over settings": _native("user", False, CLAUDE_CODE_DISABLE_AUTO_MEMORY=""),
    "variable 1 over settings": _native("user", True, CLAUDE_CODE_DISABLE_AUTO_MEMORY="1"),
    "variable in the user's settings": Situation(
        "repo", (*REPO, _settings("user", env={"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"}))
    ),
    "all instructions off": Situation("repo", REPO, {"CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1"}),
    "simple": Situation("repo", REPO, {"CLAUDE_CODE_SIMPLE": "1"}),
    "simple, but forced on": Situation(
        "repo", REPO, {"CLAUDE_CODE_SIMPLE": "1", "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "0"}
    ),
    "off in managed, on elsewhere": _native("managed", False, _settings("local", autoMemoryEnabled=True)),
    "on in managed, off elsewhere": _native("managed", True, _settings("local", autoMemoryEnabled=False)),
    "off in a managed drop-in, on in managed": _native("managed", True, _drop_in("a.json", autoMemoryEnabled=False)),
    "variable 0 over managed": _native("managed", False, CLAUDE_CODE_DISABLE_AUTO_MEMORY="0"),
    "variable yes with blanks": Situation("repo", REPO, {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": " yes "}),
    "variable 0 with blanks over settings": _native("user", False, CLAUDE_CODE_DISABLE_AUTO_MEMORY=" 0 "),
    "safe mode": Situation("repo", REPO, {"CLAUDE_CODE_SAFE_MODE": "1"}),
    "restricted": Situation("repo", REPO, {"CLAUDE_CODE_RESTRICTED": "1"}),
    "restricted, but forced on": Situation(
        "repo", REPO, {"CLAUDE_CODE_RESTRICTED": "1", "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "0"}
    ),
    "remote, but forced on": Situation(
        "repo", REPO, {"CLAUDE_CODE_REMOTE": "1", "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "0"}
    ),
    "remote with a memory directory": Situation(
        "repo", REPO, {"CLAUDE_CODE_REMOTE": "1", "CLAUDE_CODE_REMOTE_MEMORY_DIR": "{root}/remote"}
    ),
    "remote": Situation("repo", REPO, {"CLAUDE_CODE_REMOTE": "1"}),
    "other configuration directory": Situation(
        "repo",
        (*REPO, ("write", "conf/settings.json", '{"autoMemoryEnabled":false}')),
        {"CLAUDE_CONFIG_DIR": "{root}/conf"},
    ),
    "off in broken settings": Situation(
        "repo", (*REPO, ("write", "home/.claude/settings.json", '{"autoMemoryEnabled":false'))
    ),
}

# Whole paths and their keys are recorded as they are: the hash over 200 characters depends on every letter.
KEYS = (
    "/tmp/mk/" + "a" * 190,
    "/tmp/mk/" + "a" * 192,
    "/tmp/mk/" + "a" * 193,
    "/tmp/mk/" + "/".join(["记忆" * 20] * 6),
    "/tmp/mk/" + "x" * 181 + "🧪" * 10,
    "/tmp/mk/" + "x" * 183 + "/" + "🧪" * 20,
    "/tmp/mk/" + "/".join(["e\u0301" * 40] * 3),
)
