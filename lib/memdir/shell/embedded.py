"""Command lines and files inside the arguments of programs: `tar --to-command`, awk's system(), sed's `e` and `w`."""

from memdir.shell.arguments import ANY
from memdir.shell.calls import Call
from memdir.shell.wrappers import program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

# Programs and the options whose value is a command line.
_OPTIONS = {
    "tar": "--to-command --use-compress-program -I --info-script --new-volume-script -F --rsh-command --rmt-command "
    "--checkpoint-action",
    "rsync": "-e --rsh --rsync-path",
    "scp": "-S",
    "sftp": "-S",
    "sort": "--compress-program",
    "split": "--filter",
    "zip": "-TT --unzip-command",
    "man": "-P --pager -H",
}
_GIT_OPTIONS = "--upload-pack --receive-pack --exec --open-files-in-pager --extcmd"
_SSH = ("ssh", "scp", "sftp")
_SSH_COMMANDS = ("proxycommand", "localcommand", "knownhostscommand")
_EDITORS = frozenset("vi vim nvim view ex vimdiff gvim".split())
_AWKS = frozenset("awk gawk mawk nawk".split())
# Languages that are not read, and words of theirs that run programs or delete files.
_UNREAD = frozenset("tclsh wish expect lua luajit gdb lldb octave R Rscript ghci sbcl guile".split())
_TELLING = ("exec", "spawn", "system", "popen", "delete", "remove", "unlink", "shell", "!")
PROGRAMS = frozenset([*_OPTIONS, *_SSH, *_EDITORS, *_AWKS, *_UNREAD, "git", "sed", "ed", "sqlite3", "make", "gmake"])


class Embedded:
    """`texts` are command lines, ANY where one is only known when it runs; `calls` stand for files read and written."""

    def __init__(self) -> None:
        self.texts: "list[str]" = []
        self.calls: "list[Call]" = []

    def reads(self, path: str) -> None:
        self.calls.append(Call(["cat", path]))

    def writes(self, path: str) -> None:
        call = Call([])
        call.writes = [path]
        self.calls.append(call)


def look(argv: "list[str]", stdin: "Optional[str]") -> Embedded:
    """What stands in the arguments, and for programs that take commands there in the text on standard input."""
    found = Embedded()
    name = program(argv)
    words = argv[1:]
    if name in _OPTIONS:
        found.texts += [text.removeprefix("exec=") for text in _values(words, _OPTIONS[name].split())]
    if name in _SSH:
        for setting in _values(words, ["-o"]):
            key, _, value = setting.replace("=", " ", 1).strip().partition(" ")
            found.texts += [value] * (key.lower() in _SSH_COMMANDS)
    elif name == "git":
        _git(found, words)
    elif name in _AWKS:
        _awk(found, words, stdin)
    elif name == "sed":
        for script in _sed_scripts(words):
            _sed(found, script)
    elif name in _EDITORS:
        _editor(found, words)
    elif name in ("ed", "sqlite3", "make", "gmake") or name in _UNREAD:
        _from_text(found, name, words, stdin)
    return found


def _values(words: "list[str]", options: "list[str]") -> "list[str]":
    """The values of these options, in the next word or glued to them; long options may be cut short."""
    found = []
    for place, word in enumerate(words):
        name, equals, value = word.partition("=")
        for option in options:
            if word == option or (len(word) > 5 and word[:2] == "--" and option.startswith(word)):
                found += words[place + 1 : place + 2]
            elif equals and option[:2] == "--" and len(name) > 4 and option.startswith(name):
                found.append(value)
            elif len(option) == 2 and word[:2] == option and len(word) > 2:
                found.append(word[2:].removeprefix("="))
    return found


def _git(found: Embedded, words: "list[str]") -> None:
    found.texts += _values(words, _GIT_OPTIONS.split())
    if "grep" in words:
        found.texts += [word[2:] for word in words if word[:2] == "-O" and len(word) > 2]
    if "clone" in words:
        found.texts += _values(words, ["-u"])
    found.texts += [_ext(word.split("ext::", 1)[1]) for word in words if word.startswith("ext::") or "=ext::" in word]


def _ext(command: str) -> str:
    """The command of git's transport `ext::`, in which `% ` is a blank within a word, as a shell would have it."""
    if "%" not in command:
        return command
    words = command.replace("%%", "\0").replace("% ", "\1").split(" ")
    words = [word.replace("\0", "%").replace("\1", " ") for word in words]
    return " ".join(["'" + word.replace("'", "'\\''") + "'" for word in words if word])


def _awk(found: Embedded, words: "list[str]", stdin: "Optional[str]") -> None:
    source = ""
    at = 0
    while at < len(words) and words[at][:1] == "-" and words[at] != "--":
        if words[at] in ("-f", "--file"):
            found.texts += [ANY] * (words[at + 1 : at + 2] == ["-"] or "/dev/fd/" in "".join(words[at + 1 : at + 2]))
            return
        at += 2 if words[at] in ("-F", "-v", "-i", "-e", "--source", "-E") else 1
    source = "".join(words[at : at + 1])
    tokens = _awk_tokens(source)
    for place, token in enumerate(tokens):
        after = "".join(tokens[place + 1 : place + 2])
        before = tokens[place - 1] if place else ""
        if token == "system":
            single = tokens[place + 1 : place + 2] == ["("] and tokens[place + 3 : place + 4] == [")"]
            inner = "".join(tokens[place + 2 : place + 3])
            found.texts.append(inner[1:] if single and inner[:1] == '"' else ANY)
        elif token == "|":
            text = after if after[:1] == '"' else before if before[:1] == '"' else ""
            found.texts.append(text[1:] if text else ANY)
        elif token == ">" and after[:1] == '"':
            found.writes(after[1:])
        elif (token == "<" and before == "getline") or (token == "<" and tokens[place - 2 : place - 1] == ["getline"]):
            found.reads(after[1:] if after[:1] == '"' else ANY)


_AWK_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


def _awk_tokens(source: str) -> "list[str]":
    """Words and signs of an awk program; a string begins with its quote and has no other, `||` and `>>` are one."""
    tokens: "list[str]" = []
    at = 0
    while at < len(source):
        char = source[at]
        start = at
        at += 1
        if char == '"':
            text = ['"']
            while at < len(source) and source[at] != '"':
                escaped = source[at] == "\\"
                at += escaped
                text.append(_AWK_ESCAPES.get(source[at : at + 1], source[at : at + 1]) if escaped else source[at])
                at += 1
            at += 1
            tokens.append("".join(text))
        elif char.isalnum() or char == "_":
            while at < len(source) and (source[at].isalnum() or source[at] == "_"):
                at += 1
            tokens.append(source[start:at])
        elif char == "#":
            at = source.find("\n", at) if "\n" in source[at:] else len(source)
        elif char == "/" and (not tokens or tokens[-1][-1:] in "({,;~!&|"):
            while at < len(source) and source[at] not in "/\n":
                at += 2 if source[at] == "\\" else 1
            at += 1
        elif source[start : start + 2] == "||":
            at += 1
            tokens.append("||")
        elif source[start : start + 2] == ">>":
            at += 1
            tokens.append(">")
        elif not char.isspace():
            tokens.append(char)
    return tokens


def _sed_scripts(words: "list[str]") -> "list[str]":
    scripts = _values(words, ["--expression"])
    plain = True
    for place, word in enumerate(words):
        if word[:1] == "-" and word[:2] != "--" and len(word) > 1 and word[1] != "i" and "e" in word:
            glued = word.split("e", 1)[1]
            scripts += [glued] if glued else words[place + 1 : place + 2]
            plain = False
        plain = plain and word.split("=")[0] not in ("-f", "--file", "--expression")
    operands = [word for word in words if word[:1] != "-"]
    return scripts + (operands[:1] if plain else [])


def _sed(found: Embedded, script: str) -> None:
    """The commands of a sed script that run programs (`e`, `s///e`) or name files (`r`, `R`, `w`, `W`)."""
    at = 0
    while at < len(script):
        at = _sed_address(script, at)
        command = script[at : at + 1]
        at += 1
        if command in ("s", "y"):
            at, parts = _sed_parts(script, at)
            end = at
            while end < len(script) and script[end] not in ";\n}":
                end += 1
            flags = script[at:end]
            if command == "s" and "w" in flags:
                found.writes(flags.split("w", 1)[1].strip())
            elif command == "s" and "e" in flags:
                found.texts.append(parts[1] if parts[0] in (".*", "^.*$") and "&" not in parts[1] else ANY)
            at = end
        elif command and command in "erRwWaic":
            end = script.find("\n", at)
            end = len(script) if end < 0 else end
            value = script[at:end].strip()
            if command == "e":
                found.texts.append(value or ANY)
            elif command in "rR":
                found.reads(value)
            elif command in "wW":
                found.writes(value)
            at = end


def _sed_address(script: str, at: int) -> int:
    """The place of the command after its addresses."""
    while at < len(script):
        char = script[at]
        if char == "/" or (char == "\\" and at + 1 < len(script)):
            mark = char if char == "/" else script[at + 1]
            at += 1 if char == "/" else 2
            while at < len(script) and script[at] != mark:
                at += 2 if script[at] == "\\" else 1
        elif not (char.isspace() or char.isdigit() or char in ";{},$!~+IM"):
            break
        at += 1
    return at


def _sed_parts(script: str, at: int) -> "tuple[int, list[str]]":
    mark = script[at : at + 1]
    parts = []
    for _ in range(2):
        start = at = at + 1
        while at < len(script) and script[at] != mark:
            at += 2 if script[at] == "\\" else 1
        parts.append(script[start:at])
    return at + 1, parts


def _editor(found: Embedded, words: "list[str]") -> None:
    commands = _values(words, ["-c", "--cmd"]) + [word[1:] for word in words if word[:1] == "+"]
    for command in commands:
        command = command.lstrip(": ")
        if command[:1] == "!":
            found.texts.append(command[1:])
        elif "!" in command.split(" ", 1)[-1][:1] or "system(" in command or "delete(" in command:
            found.texts.append(ANY)
        elif command.split(" ")[0].rstrip("!") in ("w", "write", "sav", "saveas") and " " in command:
            found.writes(command.split(" ", 1)[1].strip())
    if _values(words, ["-S", "-s"]):
        found.texts.append(ANY)


def _from_text(found: Embedded, name: str, words: "list[str]", stdin: "Optional[str]") -> None:
    """Programs whose commands stand on their standard input or in an argument, a line each."""
    if name in ("make", "gmake"):
        makefiles = _values(words, ["--eval"]) + ([stdin or ANY] if _values(words, ["-f", "--file"]) == ["-"] else [])
        for text in makefiles:
            found.texts += recipes(text)
        return
    if name in _UNREAD:
        scripts = [word for word in words if any([sign in word for sign in _TELLING])]
        if stdin and (ANY in stdin or any([sign in stdin for sign in _TELLING])):
            scripts.append(stdin)
        found.texts += [ANY] * bool(scripts)
        return
    for line in "\n".join([*words, stdin or ""]).split("\n"):
        line = line.strip()
        if name == "ed":
            found.texts += [line[1:]] * (line[:1] == "!")
            if line[:2] in ("w ", "W "):
                found.writes(line[2:].strip())
            elif line[:2] in ("r ", "e ", "E "):
                found.reads(line[2:].strip())
        elif line[:1] == ".":
            command, _, rest = line.partition(" ")
            if command in (".shell", ".system", ".sh", ".sys"):
                found.texts.append(rest)
            elif command in (".output", ".once", ".out", ".excel"):
                (found.texts.append(rest.strip()[1:]) if rest.strip()[:1] == "|" else found.writes(rest.strip()))
            elif command in (".read", ".import"):
                found.reads(rest.split(" ")[0])


def makefiles(argv: "list[str]") -> "list[str]":
    """The files that a call of make is told to read."""
    return _values(argv[1:], ["-f", "--file", "--makefile"])


def recipes(makefile: str) -> "list[str]":
    """The command lines of a makefile: recipes, and what `$(shell …)` runs."""
    if ANY in makefile:
        return [ANY]
    texts = [piece.split(")")[0] for piece in makefile.split("$(shell ")[1:]]
    for line in makefile.split("\n"):
        if line[:1] == "\t":
            texts.append(line.strip().lstrip("@-+"))
        elif ":" in line and ";" in line:
            texts.append(line.split(";", 1)[1].strip())
    return [text.replace("$$", "$") for text in texts]
