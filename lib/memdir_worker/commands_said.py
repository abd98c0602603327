"""Commands in a person's sentence: which words are one, and not the sentence going on; and a check, as a pattern."""

import re

COMMAND = (
    r"`[^`\n]{1,120}`|[\"'“「][^\"'”」\n]{1,120}[\"'”」]|[A-Za-z.][A-Za-z0-9_./:@+=-]*(?: [A-Za-z0-9_./:@+=-]+){0,5}?"
)
_WORD = re.compile(r"[A-Za-z0-9_./:@+=-]+\Z")
# Programs whose name means nothing else in a sentence.
_PROGRAMS = frozenset(
    """
    alembic ansible-playbook apt apt-get aws az black brew bun bundle cargo chmod chown composer conda curl deno
    docker docker-compose eslint firebase flyctl gcloud gem gh git gradle helm heroku kubectl mongosh mvn mysql
    mypy netlify npm npx nvm pip pip3 pipenv pipx pnpm podman poetry prettier psql pulumi pyright pytest redis-cli rm
    rsync ruff rustup sed sqlite3 sudo systemctl terraform tofu tsc uv vercel vitest wget wrangler yarn
    """.split()
)
# Programs that are words of a sentence, too: only with something behind them.
_WORDS = frozenset(
    """
    ant awk bash cat dd env find flask go grep jest just kill make mv node python python3 rails rake ruby sh task
    """.split()
)
# What goes on with the sentence behind a command.
_SENTENCE = frozenset(
    """
    a again against all alone and any anything anywhere are as at because by changes code command commands commits
    directly ever everything files for from globally here i in inside into is it like locally manually mode my not of
    on or our over packages please prod production scripts so stuff tests that the their them things this to twice
    unless until using we when with without yet you your
    """.split()
)
# Things, and what is done to them: "docker containers" is no command.
_NOUN = re.compile(r"(?!(?:ls|ps|logs|status|rmi)\Z)[a-z]+(?:s|ing)\Z", re.IGNORECASE)
_MOST_WORDS = 3  # of a command that nothing marks as one, options not counted
# A dot that ends the sentence and not the word: "." and "./..." are arguments.
_STOP = re.compile(r"(?<=[A-Za-z0-9_])\.\Z")
# What runs another program, and the programs that take paths, for which the whole project is meant where none is said.
_RUNNERS = re.compile(
    r"(?:(?:npx|bunx|pnpx|uvx|pnpm(?: exec)?|yarn(?: exec)?|bundle exec|(?:uv|poetry|pipenv|hatch|pdm) run"
    r"|python3? -m) )*"
)
_TAKES_PATHS = (
    r"(?:pytest|eslint|stylelint|mypy|pyright|flake8|pylint|black|jest|vitest(?: run)?|prettier|rubocop|rspec"
    r"|ruff(?: check| format)?|golangci-lint(?: run)?|go (?:test|vet|build|fmt)|cargo (?:test|clippy)"
    r"|(?:deno|bun) (?:test|lint|fmt)|shellcheck|phpunit|biome (?:check|lint|format))"
)
_WHOLE = re.compile(rf"{_RUNNERS.pattern}{_TAKES_PATHS}(?: -[^ ]*)*\Z")
# Behind these a dot or a star may have been meant that was glued to the word and went as a mark of the sentence.
_CUT_SHORT = re.compile(
    r"(?:^|\s)(?:git (?:add|checkout|restore|rm|diff|clean)|docker build|pip3? install|npm pack"
    rf"|{_TAKES_PATHS}|go (?:run|install|generate|get)|kubectl (?:apply|delete)|find|grep|cp|mv|chmod|chown|code)"
    r"(?: -[^ ]*)*\Z"
)
_USED = re.compile(r"(?:\bus(?:e|ing)|用)\s*[a-z0-9]+\Z", re.IGNORECASE)
# Options with which a program does not do its work.
_IDLE = frozenset("--dry-run --help -h --version --collect-only --co --list --list-tests --listTests".split())


def command(said: str, *, used: bool) -> str:
    """The words of a command, one blank between; "" where it is none, or more than one simple command.

    `used`: it is said to be used, and not to be run; one may use what is no program.
    """
    marked = said[:1] in "`\"'“「"
    words = (said[1:-1] if marked else said).split()
    if not words or not all([_WORD.match(word) for word in words]):
        return ""
    words[-1] = _STOP.sub("", words[-1])
    name = words[0]
    runs = name in _PROGRAMS or (name in _WORDS and len(words) > 1) or _is_script(name)
    if marked and not used:
        runs = runs or len(words) > 1 or name in _WORDS
    plain = [word for word in words if word[0] != "-"]
    if not runs or "=" in name or name[0] == "-":
        return ""
    if not marked:
        most = 1 if used and name != "git" else _MOST_WORDS
        follow = [word for word in words[1:] if word.lower() in _SENTENCE or _NOUN.match(word)]
        only = name == "just" and words[1] in _PROGRAMS | _WORDS
        if len(plain) > most or follow or only or words[-1] in ("./", ".."):  # `.` and a full stop, or half of ./...
            return ""
    return " ".join(words)


def check(said: str) -> str:
    """The pattern of a command that is to be run before a commit or a push; "" where it is one, or no command.

    Where a program takes paths and none is named, any will do: who asks for `go test` means `go test ./...`.
    """
    words = command(said, used=False)
    if not words or re.match(r"git .*\b(?:commit|push)\b", words):
        return ""
    return words + " *" if _WHOLE.match(words) and _IDLE.isdisjoint(words.split()) else words


def may_be_cut_short(text: str) -> bool:
    """Whether a dot or a star may have stood behind the command with which a statement ends: `git add .`."""
    return _CUT_SHORT.search(text) is not None and _USED.search(text) is None


def _is_script(name: str) -> bool:
    return "/" in name and name.endswith((".sh", ".py", ".js", ".ts", ".rb", ".pl")) and ".." not in name
