"""Programs that run another program which stands among their arguments."""

from memdir.shell.arguments import ANY

MOST_RUNS = 20  # of xargs that are looked at
XARGS = "\ufdd8"  # stands for a word of xargs' input until the analysis knows it

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional


class Inner:
    """What is left when a wrapper is taken off.

    `argv` is the program inside, or `text` the command line for a shell; `cwd` the directory if the wrapper changes
    it; `assigned` the variables it sets. `appends`: the program also gets what is on standard input, as xargs does.
    """

    __slots__ = ("appends", "argv", "assigned", "cwd", "one_each", "separator", "text", "writes")

    def __init__(self, argv: "list[str]", text: "Optional[str]" = None) -> None:
        self.argv = argv
        self.text = text
        self.cwd = ""
        self.assigned: "dict[str, str]" = {}
        self.appends = False
        self.separator = ""  # of the words that it appends
        self.one_each = False  # runs the program once for each of them
        self.writes: "list[str]" = []  # files of its own, as strace -o has one


_LOGS = ("-o", "--output", "--log-out", "-O")


class Wrapper:
    """How a wrapper's own arguments look.

    `short` and `long` are its options with a value of their own, `skip` the operands before the program (`timeout 5
    make`), `words` those it has to begin with (`uv run`), `variables` whether NAME=VALUE may come first, `cwd` the
    options that change the directory, `text` those whose value is a command line, `joined` whether all that follows is
    one command line, `never` the options with which nothing is run. All are words with a blank between them.
    """

    __slots__ = ("cwd", "joined", "long", "never", "short", "skip", "text", "variables", "words")

    def __init__(
        self,
        short: str = "",
        long: str = "",
        *,
        skip: int = 0,
        words: str = "",
        variables: bool = False,
        cwd: str = "",
        text: str = "",
        joined: bool = False,
        never: str = "",
    ) -> None:
        self.short = short
        self.long = long
        self.skip = skip
        self.words = words
        self.variables = variables
        self.cwd = cwd
        self.text = text
        self.joined = joined
        self.never = never


_PLAIN = Wrapper()
_SU = Wrapper(
    "cCgGsw", "--command --session-command --shell --group --supp-group", text="-c --command --session-command", skip=99
)
_UV_RUN = Wrapper(
    "pm",
    "--python --with --project --directory --package --extra --group --env-file",
    words="run",
    cwd="--directory",
)
_NPM, _NPM_LONG = "pcwC", "--package --call --prefix --workspace"
_PACKAGE = Wrapper("pcw", "--package --call --cwd --prefix --workspace", text="-c --call", cwd="--cwd -C")

WRAPPERS: "dict[str, tuple[Wrapper, ...]]" = {
    "sudo": (
        Wrapper(
            "ugpChRrtTUD",
            "--user --group --prompt --close-from --host --chroot --role --type --command-timeout --other-user --chdir",
            variables=True,
            cwd="-D --chdir",
            never="-e --edit -l --list -v -V",
        ),
    ),
    "doas": (Wrapper("uC"),),
    "su": (_SU,),
    "runuser": (Wrapper("cugGsw", "--command --user --shell --group", text="-c --command"),),
    "env": (Wrapper("uC", "--unset --chdir", variables=True, cwd="-C --chdir"),),
    "command": (Wrapper(never="-v -V"),),
    "builtin": (_PLAIN,),
    "exec": (Wrapper("a"),),
    "nohup": (_PLAIN,),
    "setsid": (_PLAIN,),
    "time": (Wrapper("fo", "--format --output"),),
    "timeout": (Wrapper("ks", "--kill-after --signal", skip=1),),
    "nice": (Wrapper("n", "--adjustment"),),
    "ionice": (Wrapper("cnpPu", "--class --classdata --pid", never="-p --pid"),),
    "chrt": (Wrapper("TPD", "--sched-runtime", skip=1),),
    "taskset": (Wrapper(skip=1, never="-p --pid"),),
    "stdbuf": (Wrapper("ioe", "--input --output --error"),),
    "unbuffer": (_PLAIN,),
    "catchsegv": (_PLAIN,),
    "caffeinate": (Wrapper("tw"),),
    "xvfb-run": (Wrapper("efnpsw", "--server-num --server-args --auth-file --error-file"),),
    "strace": (Wrapper("abeoOpPsSuUEIX", "--output --trace --attach", never="-p --attach"),),
    "ltrace": (Wrapper("aAeFlnopsuw", never="-p"),),
    "setarch": (_PLAIN,),  # with an architecture or none
    **dict.fromkeys("linux32 linux64 i386 i686 x86_64 aarch64 uname26".split(), (_PLAIN,)),
    "chroot": (Wrapper("", "--userspec --groups", skip=1),),
    "unshare": (Wrapper("SGRw", "--setuid --setgid --root --wd --propagation", cwd="-w --wd"),),
    "nsenter": (Wrapper("tSGrw", "--target --setuid --setgid"),),
    "setpriv": (Wrapper("", "--reuid --regid --groups --inh-caps --ambient-caps --bounding-set"),),
    "prlimit": (_PLAIN,),
    "systemd-run": (Wrapper("pEtuHM", "--property --setenv --unit --slice --uid --gid --working-directory"),),
    "sg": (Wrapper("c", "--command", text="-c --command", skip=1, joined=True),),
    **dict.fromkeys("ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-linux.so.2".split(), (_PLAIN,)),
    "flock": (Wrapper("wEc", "--wait --timeout --conflict-exit-code --command", skip=1, text="-c --command"),),
    "script": (Wrapper("cITOBmoE", "--command --log-io --log-out --log-in", text="-c --command", skip=99),),
    "watch": (Wrapper("nq", "--interval --equexit", joined=True),),
    "parallel": (Wrapper("jSaNnI", "--jobs --sshlogin --arg-file --max-args --results --joblog", joined=True),),
    "busybox": (_PLAIN,),
    "toybox": (_PLAIN,),
    "entr": (_PLAIN,),
    "doppler": (Wrapper("pc", "--project --config", words="run", text="--command"),),
    "direnv": (Wrapper(words="exec", skip=1),),
    "dotenv": (Wrapper("ef", "--file", words="run"), Wrapper("ef", "--file")),
    "op": (Wrapper("", "--env-file --account", words="run"),),
    "aws-vault": (Wrapper("dr", "--duration --region", words="exec", skip=1),),
    "uv": (_UV_RUN, Wrapper("p", "--python --with --from", words="tool run")),
    "uvx": (Wrapper("p", "--python --with --from"),),
    "poetry": (Wrapper("C", "--directory --project", words="run", cwd="-C --directory"),),
    "pdm": (Wrapper("p", "--project", words="run"),),
    "pipenv": (Wrapper(words="run"),),
    "pipx": (Wrapper("", "--spec", words="run"),),
    "hatch": (Wrapper("e", "--env", words="run"),),
    "rye": (Wrapper(words="run"),),
    "conda": (Wrapper("np", "--name --prefix --cwd", words="run", cwd="--cwd"),),
    "bundle": (Wrapper(words="exec"),),
    "npx": (_PACKAGE,),
    "bunx": (_PACKAGE,),
    "pnpx": (_PACKAGE,),
    "npm": (
        Wrapper(_NPM, _NPM_LONG, words="exec", text="-c --call"),
        Wrapper(_NPM, _NPM_LONG, words="x", text="-c --call"),
    ),
    "pnpm": (
        Wrapper("CF", "--dir --filter", words="exec", text="-c", cwd="-C --dir"),
        Wrapper("", "--package", words="dlx"),
    ),
    "yarn": (Wrapper(words="exec"), Wrapper("p", "--package", words="dlx")),
    "bun": (Wrapper(words="x"),),
    "mise": (
        Wrapper("cC", "--command --cd", words="exec", text="-c --command", cwd="-C --cd"),
        Wrapper("cC", words="x", text="-c"),
    ),
    "asdf": (Wrapper(words="exec"),),
    "rbenv": (Wrapper(words="exec"),),
    "pyenv": (Wrapper(words="exec"),),
    "nix-shell": (Wrapper("pIA", "--run --command --packages", text="--run --command", skip=99),),
    "ssh-agent": (Wrapper("aEOPt"),),
    "dbus-run-session": (_PLAIN,),
    "faketime": (Wrapper("f", skip=1),),
    "proxychains": (Wrapper("f"),),
    "torsocks": (_PLAIN,),
    "firejail": (_PLAIN,),
    "tsocks": (_PLAIN,),
    "ts": (_PLAIN,),
    "at": (Wrapper("ftq", skip=99),),
    "xargs": (Wrapper("adEILnPs", "--arg-file --delimiter --max-args --max-procs --max-chars --process-slot-var"),),
}  # fmt: skip

# What the GNU programs are called where the system has others of their name.
_GNU = frozenset(
    "rm cp mv ln sed awk find xargs timeout nice env tar dd tee cat chmod chown install truncate shred split sort "
    "nohup stdbuf chroot head tail cut grep rmdir touch readlink".split()
)


def program(argv: "list[str]") -> str:
    """The program's name in lower case (on macOS /bin/RM is rm), with the `g` of GNU programs taken off."""
    name = argv[0].rsplit("/", 1)[-1].lower() if argv else ""
    return name[1:] if name[:1] == "g" and name[1:] in _GNU else name


def unwrap(argv: "list[str]") -> "Optional[Inner]":
    """The call inside, with one wrapper taken off; None if this is no wrapper or runs nothing."""
    for wrapper in WRAPPERS.get(program(argv), ()):
        words = wrapper.words.split()
        if argv[1 : 1 + len(words)] == words:
            inner = _inside(wrapper, argv[1 + len(words) :])
            if inner is not None and program(argv) == "xargs":
                _add_input(inner, argv)
            return inner
    return None


def _unquoted(text: str) -> "list[str]":
    """Words between blanks, with quotes and backslashes taken off as xargs does it."""
    if not {"'", '"', "\\"} & set(text):
        return text.split()
    words, word, quote, at = [], "", "", 0
    started = False
    while at < len(text):
        char = text[at]
        at += 1
        if quote:
            quote, word = ("", word) if char == quote else (quote, word + char)
        elif char in "'\"":
            quote, started = char, True
        elif char.isspace():
            words += [word] * started
            word, started = "", False
        else:
            if char == "\\":
                char = text[at : at + 1]
                at += 1
            word, started = word + char, True
    return words + [word] * started


def _inside(wrapper: Wrapper, words: "list[str]") -> "Optional[Inner]":
    inner = Inner([])
    skip = wrapper.skip
    while words:
        word = words[0]
        if word == "-" and wrapper.variables:  # env - is env -i
            words = words[1:]
            continue
        if word == "--":
            words = words[1:]
            skip_now, skip = skip, 0
            words = words[skip_now:]
            break
        if word[:1] == "-" and len(word) > 1:
            option, value, words = _option(wrapper, words)
            if option in wrapper.never.split():
                return None
            if option in wrapper.text.split():
                inner.text = value
            elif option in _LOGS and value:
                inner.writes.append(value)
            elif option in wrapper.cwd.split():
                inner.cwd = value
            elif option in ("-S", "--split-string") and wrapper.variables:
                words = _unquoted(value.replace("\\_", " ")) + words
            continue
        name, equals, value = word.partition("=")
        if wrapper.variables and equals and name.isidentifier():
            inner.assigned[name] = value
        elif skip:
            skip -= 1
        else:
            break
        words = words[1:]
    if inner.text is None and wrapper.joined and words:
        inner.text = " ".join(words)
    inner.argv = words
    return inner if words or inner.text is not None else None


def _option(wrapper: Wrapper, words: "list[str]") -> "tuple[str, str, list[str]]":
    """The option at the front, its value if it takes one, and the words after both."""
    word = words[0]
    if word[:2] == "--":
        option, equals, value = word.partition("=")
        if not equals and option in wrapper.long.split():
            return option, words[1] if len(words) > 1 else "", words[2:]
        return option, value, words[1:]
    if word[1:].isdigit():  # `nice -5`
        return word, "", words[1:]
    for place, letter in enumerate(word[1:], 2):
        if letter == "S" and wrapper.variables and "S" not in wrapper.short:  # env -S
            glued = word[place:]
            return "-S", glued or (words[1] if len(words) > 1 else ""), words[1 if glued else 2 :]
        if letter in wrapper.short:
            if place < len(word):
                return "-" + letter, word[place:], words[1:]
            return "-" + letter, words[1] if len(words) > 1 else "", words[2:]
    letters = ["-" + letter for letter in word[1:]]
    return next((option for option in letters if option in wrapper.never.split()), word), "", words[1:]


def _add_input(inner: Inner, argv: "list[str]") -> None:
    """Marks the places of xargs' input: where its replacement string stands, else at the end."""
    own = argv[1 : len(argv) - len(inner.argv)]
    replaced = ""
    inner.separator = _separator(own)
    for place, word in enumerate(own):
        if word in ("-I", "-J") and place + 1 < len(own):
            replaced = own[place + 1]
        elif word[:2] in ("-I", "-J"):
            replaced = word[2:]
        elif word in ("-i", "--replace"):
            replaced = "{}"
        elif word[:2] == "-i" or word[:10] == "--replace=":
            replaced = word[2:] if word[1] == "i" else word[10:]
    inner.appends = True
    if not replaced:
        inner.argv = [*inner.argv, XARGS]
    else:
        inner.separator = inner.separator or "\n"
        inner.one_each = True
        inner.argv = [word.replace(replaced, XARGS) for word in inner.argv]


def _separator(options: "list[str]") -> str:
    """What is between the words of xargs' input; "" where blanks are, and quotes count."""
    for place, word in enumerate(options):
        if word == "--null" or (
            word[:2] not in ("--", "-I", "-E", "-d", "-a") and word[:1] == "-" and "0" in word[1:2] + word[-1:]
        ):
            return "\0"
        value = word[12:] if word[:12] == "--delimiter=" else word[2:] if word[:2] == "-d" else ""
        if word in ("-d", "--delimiter"):
            value = "".join(options[place + 1 : place + 2])
        if value:
            return {"\\n": "\n", "\\0": "\0", "\\t": "\t"}.get(value, value)
    return ""


def runs(inner: Inner, text: str) -> "list[list[str]]":
    """The calls that xargs makes of this input."""
    if not inner.one_each or ANY in text:
        return [with_input(inner.argv, text, inner.separator)]
    words = [word for word in text.split(inner.separator) if word][:MOST_RUNS]
    return [[argument.replace(XARGS, word) for argument in inner.argv] for word in words] or [[]]


def with_input(argv: "list[str]", text: str, separator: str = "") -> "list[str]":
    """The argv of xargs' program with the words of this input in it; `text` may hold marks."""
    if ANY in text:
        words = [ANY]
    elif separator:
        words = [word for word in text.split(separator) if word]
    else:
        words = _unquoted(text)
    found: "list[str]" = []
    for argument in argv:
        if argument == XARGS:
            found += words
        elif XARGS in argument:
            found += [argument.replace(XARGS, word) for word in words]
        else:
            found.append(argument)
    return found
