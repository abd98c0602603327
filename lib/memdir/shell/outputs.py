"""What a call prints, where its text tells: constant text, names, or anything."""

from memdir.shell import programs
from memdir.shell.arguments import ANY, NAME, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.shell.calls import Call, Machine

LONGEST_PIPE = 30
_LISTS_NAMES = frozenset(
    """basename date dirname fd find git hostname id ls nproc pgrep pidof readlink realpath rg seq stat tput
    uname uuidgen wc whoami""".split()
)
_KEEPS_NAMES = frozenset("cut egrep fgrep grep head sort tail uniq".split())
# They print what sets a shell up; what that is does not depend on the command line.
_SETS_UP_SHELLS = frozenset(
    """asdf brew conda dircolors direnv docker-machine fnm fzf goenv keychain lesspipe luarocks micromamba minikube mise
    nodenv opam pyenv rbenv register-python-argcomplete rtx ssh-agent starship thefuck zoxide""".split()
)
TEMPORARY = "XXXXXXXXXX"  # what mktemp replaces
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b"}


def printed(calls: "list[Call]", machine: "Machine", depth: int = 0) -> str:
    """What the calls of one list print together; those that feed another one of them print nothing themselves."""
    if depth > LONGEST_PIPE:
        return ANY
    feeding = {feeder for call in calls for feeder in call.feeders}
    return "".join([_printed(call, machine, depth) for call in calls if call not in feeding and not call.implied])


def _printed(call: "Call", machine: "Machine", depth: int) -> str:
    name, args = call.name, call.argv[1:]
    if call.writes:
        return ""
    if name == "echo":
        return _echoed(args)
    if name == "printf":
        return _formatted(args)
    if name in ("cat", "tee") and not [word for word in args if word[:1] != "-"]:
        return call.input if call.input is not None else _fed(call, machine, depth)
    if name in (":", "true", "false", "cd", "test", "[", "set", "export", "sleep"):
        return ""
    if name == "pwd":
        return (call.cwd or NAME) + "\n"
    if name in ("which", "command", "type", "whence") and args:
        return ("" if "/" in args[-1] or not known(args[-1]) else "/usr/bin/") + args[-1] + "\n"
    if name == "git" and args == ["rev-parse", "--show-toplevel"]:
        return (machine.worktree(call.cwd)[0] or NAME) + "\n"
    if name in ("basename", "dirname") and len(args) == 1 and known(args[0]):
        folder, _, last = args[0].rstrip("/").rpartition("/")
        return (last if name == "basename" else folder or ("/" if args[0][:1] == "/" else ".")) + "\n"
    if name in ("find", "ls"):
        return "\n".join(programs.found_paths(call.argv)) + "\n"
    if name in _SETS_UP_SHELLS or "completion" in args:
        return ""
    if name == "mktemp":
        return _temporary(args, machine)
    if name == "git":
        return _listed(args, call.cwd, machine)
    if name in _LISTS_NAMES:
        return NAME
    if name in _KEEPS_NAMES and call.feeders:
        text = _fed(call, machine, depth)
        return ANY if ANY in text or NAME not in text else NAME if name == "cut" else text
    return ANY


def _listed(args: "list[str]", cwd: str, machine: "Machine") -> str:
    """What a call of git prints: where it lists files, names below the paths that it is given."""
    command = args[0] if args else ""
    listing = command == "ls-files" or (command in ("diff", "grep") and not _NAMES_ONLY.isdisjoint(args))
    if "--" in args:
        paths = args[args.index("--") + 1 :]
    else:
        paths = [word for word in args[1:] if word[:1] != "-"] if command == "ls-files" else []
    from_root = command == "diff" and "--relative" not in args and machine.worktree(cwd)[0] not in ("", cwd)
    if not listing or not paths or from_root or any([word[:1] in ("", ":", "-") for word in paths]):
        return NAME
    return "\n".join([_below(word, cwd, machine) for word in paths]) + "\n"


_NAMES_ONLY = frozenset(["--name-only", "-l", "--files-with-matches"])


def _below(path: str, cwd: str, machine: "Machine") -> str:
    if "*" in path:
        return path.replace("*", NAME)  # which matches `/` too
    whole = path if path[:1] == "/" or not cwd else f"{cwd}/{path}"
    return path if known(path) and machine.kind(whole) == "file" else path.rstrip("/") + "/" + NAME


def _temporary(args: "list[str]", machine: "Machine") -> str:
    """The name that mktemp prints, as it is before its letters are filled in: so two of them are taken for one."""
    templates = [word for word in args if word[:1] != "-"]
    name = templates[0] if templates else "tmp." + TEMPORARY
    if any([word[:2] == "-p" or word[:8] == "--tmpdir" for word in args]) or not known(name):
        return NAME
    if not templates or "-t" in args:
        name = machine.variables.get("TMPDIR", "/tmp").rstrip("/") + "/" + name
    return name + "\n"


def _fed(call: "Call", machine: "Machine", depth: int) -> str:
    return printed(call.feeders, machine, depth + 1) if call.feeders else ANY


def _echoed(args: "list[str]") -> str:
    newline, escapes = "\n", False
    while args and args[0][:1] == "-" and args[0] != "-" and set(args[0][1:]) <= set("neE"):
        newline = "" if "n" in args[0] else newline
        escapes = "e" in args[0] or escapes
        args = args[1:]
    text = " ".join(args)
    return (_unescaped(text) if escapes else text) + newline


def _formatted(args: "list[str]") -> str:
    if args[:1] == ["--"]:
        args = args[1:]
    if not args or args[0] == "-v":
        return ""
    layout, values = _unescaped(args[0]), args[1:]
    text, used = _filled(layout, values)
    while used and used < len(values):
        more, step = _filled(layout, values[used:])
        text += more
        used += step
    return text


def _filled(layout: str, values: "list[str]") -> "tuple[str, int]":
    """The format with values in place of its directives, and how many of them it took."""
    pieces = layout.split("%")
    found = [pieces[0]]
    used = at = 0
    while at + 1 < len(pieces):
        at += 1
        piece = pieces[at]
        if not piece:  # `%%`
            at += 1
            found.append("%" + (pieces[at] if at < len(pieces) else ""))
            continue
        value = values[used] if used < len(values) else ""
        used += 1
        if piece[0] in "sb":
            found.append((_unescaped(value) if piece[0] == "b" else value) + piece[1:])
        else:
            rest = piece.lstrip("-+ #0123456789.*")
            found.append(_number(value if rest == piece else "", rest[:1]) + rest[1:])
    return "".join(found), used


def _number(value: str, directive: str) -> str:
    """A value as printf's `%d`, `%x` and `%o` show it; NAME where it is not known, ANY for other directives."""
    if directive not in ("d", "i", "x", "o", "u"):
        return ANY
    if not value.isdecimal() or not value.isascii() or len(value) > 18:
        return NAME
    return format(int(value), {"x": "x", "o": "o"}.get(directive, "d"))


def _unescaped(text: str) -> str:
    """Escapes as printf and `echo -e` have them."""
    if "\\" not in text:
        return text
    found = []
    at = 0
    while at < len(text):
        char = text[at]
        code = text[at + 1 : at + 2]
        if char != "\\" or not code:
            found.append(char)
            at += 1
        elif code in _ESCAPES:
            found.append(_ESCAPES[code])
            at += 2
        elif code in "01234567x":
            base, digits = (16, "0123456789abcdefABCDEF") if code == "x" else (8, "01234567")
            end = at + 2 if code == "x" else at + 1
            first = end
            while end < min(len(text), first + (2 if code == "x" else 4)) and text[end] in digits:
                end += 1
            found.append(chr(int(text[first:end], base) & 0xFF) if end > first else text[at:end])
            at = end
        else:
            found.append(char + code)
            at += 2
    return "".join(found)
