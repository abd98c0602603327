"""Programs that run what they are given as text: shells, interpreters, and find with its actions."""

from memdir.shell.arguments import NAME, STAR, has_glob, known
from memdir.shell.wrappers import program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

SHELLS = frozenset("sh bash zsh dash ksh ksh93 mksh ash rbash fish".split())
MOST_PATHS = 20  # that a search begins with; with more of them nothing is known of what it finds
READ_COMMANDS = frozenset("at batch su sudo doas".split())  # with nothing to run, they read their standard input
# Interpreters, and the options whose value is a program; also those with a value that is none.
_INTERPRETERS = {
    "python": (("-c",), "WXm"),
    "node": (("-e", "--eval", "-p", "--print", "-pe"), "rC"),
    "deno": (("eval",), ""),
    "bun": (("-e", "--eval", "-p", "--print"), "r"),
    "perl": (("-e", "-E"), "IMm"),
    "ruby": (("-e",), "IrEK"),
    "php": (("-r", "--run"), "dcz"),
    "osascript": (("-e",), "l"),
}
# Variables whose value is a command line for some other program.
COMMAND_VARIABLES = frozenset(
    """BROWSER EDITOR GIT_ASKPASS GIT_EDITOR GIT_EXTERNAL_DIFF GIT_PAGER GIT_PROXY_COMMAND GIT_SEQUENCE_EDITOR GIT_SSH
    GIT_SSH_COMMAND LESSOPEN MANPAGER PAGER PROMPT_COMMAND PS0 PS1 PS4 RSYNC_RSH VISUAL""".split()
)
FILE_VARIABLES = ("BASH_ENV", "ENV")  # whose value is a file that a shell reads first
# Settings of git whose value is a command line.
_COMMAND_SETTINGS = (
    "core.pager", "core.editor", "core.sshcommand", "core.fsmonitor", "core.askpass", "core.gitproxy", "diff.external",
    "sequence.editor", "credential.helper", "interactive.difffilter", "gpg.program",
)  # fmt: skip


_COMMAND_ENDINGS = (
    ".textconv", ".clean", ".smudge", ".driver", ".cmd", ".command", ".helper", ".uploadpack", ".receivepack",
)  # fmt: skip


def interpreter(argv: "list[str]") -> str:
    """The interpreter's name without its version (python3.12 is python); "" if it is none."""
    name = program(argv)
    plain = name.rstrip("0123456789.")
    plain = {"pythonw": "python", "nodejs": "node", "pypy": "python", "jruby": "ruby"}.get(plain, plain)
    return plain if plain in _INTERPRETERS else ""


class Run:
    """What a shell or interpreter is asked to run: `text` is the program, if the arguments hold it, `file` its file.

    Neither: it reads its standard input. `first` is a file that it reads before. `args` are the program's own
    arguments. `version`: it only tells something.
    """

    __slots__ = ("args", "file", "first", "text", "version")

    def __init__(self) -> None:
        self.text: "Optional[str]" = None
        self.file = ""
        self.first = ""
        self.args: "list[str]" = []
        self.version = False


def shell_run(argv: "list[str]") -> Run:
    run = Run()
    words = argv[1:]
    command = reads_input = False
    while words and words[0][:1] in ("-", "+") and len(words[0]) > 1:
        word = words[0]
        words = words[1:]
        if word == "--":
            break
        if word[:2] == "--":
            run.version = run.version or word in ("--version", "--help")
            if word in ("--rcfile", "--init-file"):
                run.first = (words or [""])[0]
                words = words[1:]
            continue
        command = command or (word[0] == "-" and "c" in word)
        reads_input = reads_input or (word[0] == "-" and "s" in word)
        run.version = run.version or (word[0] == "-" and "n" in word)  # only checks the syntax
        if "o" in word or "O" in word:
            words = words[1:]
    if command:
        run.text = words[0] if words else ""
        run.args = words[1:]
    elif words and not reads_input:
        run.file, run.args = words[0], words[1:]
    else:
        run.args = words
    return run


def interpreter_run(argv: "list[str]", name: str) -> Run:
    run = Run()
    code, valued = _INTERPRETERS[name]
    words = argv[1:]
    while (words and words[0][:1] == "-" and len(words[0]) > 1) or (words and words[0] in code):
        word = words[0]
        words = words[1:]
        if word == "--":
            break
        code_text = _code(word, words, code, valued + ("iIMmxF" if name in ("perl", "ruby") else ""))
        if code_text is not None:
            text, words = code_text
            run.text = text if run.text is None else run.text + "\n" + text
            if name == "python":
                run.args = words
                return run
        elif word in ("--version", "-V", "-v", "--help", "-h"):
            run.version = True
        elif name == "python" and word[:2] == "-m":
            run.file = word[2:] or (words or [""])[0]
            return run
        elif len(word) == 2 and word[1] in valued:
            words = words[1:]
    if run.text is None and words:
        run.file = words[0]
        words = words[1:]
    run.args = words
    return run


def _code(word: str, words: "list[str]", code: "tuple[str, ...]", valued: str) -> "Optional[tuple[str, list[str]]]":
    """The program that an option brings (`-c CODE`, `-cCODE`, `-lane CODE`, `--eval=CODE`), and the words after it."""
    option, equals, value = word.partition("=")
    if word[:2] == "--" or word in code:
        if option in code and equals:
            return value, words
        return ((words or [""])[0], words[1:]) if word in code else None
    letters = [option[1] for option in code if len(option) == 2]
    for place, letter in enumerate(word[1:], 2):
        if letter in letters:
            return (word[place:], words) if word[place:] else ((words or [""])[0], words[1:])
        if letter in valued:  # the rest of the word is this option's value
            return None
    return None


def found_paths(argv: "list[str]") -> "list[str]":
    """What the paths look like that a call of find, or of ls with patterns, prints; [NAME] if nothing is known."""
    if program(argv) == "find":
        return _found_paths(*_starts(argv))
    operands = [word for word in argv[1:] if word[:1] != "-"]
    return operands if operands and all([has_glob(word.rsplit("/", 1)[-1]) for word in operands]) else [NAME]


def find_actions(argv: "list[str]") -> "tuple[list[list[str]], list[str]]":
    """The programs that `find` runs, and the paths that it deletes itself (empty: it does not)."""
    starts, words = _starts(argv)
    found = _found_paths(starts, words)
    commands = []
    at = 0
    while at < len(words):
        if words[at] in ("-exec", "-execdir", "-ok", "-okdir"):
            end = at + 1
            while end < len(words) and words[end] not in (";", "+"):
                end += 1
            commands.append([piece for word in words[at + 1 : end] for piece in _with_paths(word, found)])
            at = end
        at += 1
    return commands, found if "-delete" in words else []


def _starts(argv: "list[str]") -> "tuple[list[str], list[str]]":
    """Where find begins, and its expression."""
    starts: "list[str]" = []
    words = argv[1:]
    while words and words[0] in ("-H", "-L", "-P"):
        words = words[1:]
    while words and words[0][:1] not in ("-", "(", "!"):
        starts.append(words[0])
        words = words[1:]
    return starts or ["."], words


def _found_paths(starts: "list[str]", words: "list[str]") -> "list[str]":
    """What the paths that find finds look like: below its starting points, with the last name if `-name` tells it."""
    last = NAME
    if "-name" in words and "-o" not in words and "-or" not in words:
        name = words[words.index("-name") + 1 : words.index("-name") + 2]
        last = NAME + (name[0].replace("*", STAR) if name else "")
    paths = [start.rstrip("/") + "/" + last if start != "/" else "/" + last for start in starts]
    return paths if len(paths) <= MOST_PATHS else [NAME]


def _with_paths(word: str, paths: "list[str]") -> "list[str]":
    return [word.replace("{}", path) for path in paths] if "{}" in word else [word]


def git_texts(settings: "list[str]", subcommand: str, args: "list[str]") -> "list[str]":
    """Command lines that a call of git runs: values of settings, `rebase --exec`, `submodule foreach` and the like."""
    texts = []
    for setting in settings:
        name, _, value = setting.partition("=")
        if name.lower() in _COMMAND_SETTINGS or name.lower().endswith(_COMMAND_ENDINGS):
            texts.append(value.lstrip("!"))
    options = {
        "rebase": ("-x", "--exec"),
        "difftool": ("-x", "--extcmd"),
        "filter-branch": ("--tree-filter", "--index-filter", "--env-filter", "--msg-filter", "--commit-filter"),
    }.get(subcommand, ())
    for place, word in enumerate(args):
        option, equals, value = word.partition("=")
        if option in options:
            texts.append(value if equals else (args[place + 1 : place + 2] or [""])[0])
    if subcommand == "submodule" and args[:1] == ["foreach"]:
        words = [word for word in args[1:] if word != "--recursive" and word != "-q" and word != "--quiet"]
        texts.append(" ".join(words))
    if subcommand == "bisect" and args[:1] == ["run"]:
        texts.append(" ".join(["'" + word.replace("'", "'\\''") + "'" for word in args[1:]]))
    return [text for text in texts if text and (known(text) or text != NAME)]
