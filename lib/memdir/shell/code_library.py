"""What the functions and objects of Python's standard library do to files, and which programs they run."""

from memdir.shell.arguments import ANY, NAME
from memdir.shell.code_effects import (
    UNKNOWN_FUNCTION,
    UNKNOWN_TEXT,
    Effects,
    Value,
    choices,
    globbed,
    glued,
    joined_path,
    quoted,
    several,
    united,
)
from memdir.shell.git import split

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

# The command, and the parameters that are its paths.
_FILES = {
    "shutil.rmtree": ("rm -rf", "path"), "os.remove": ("rm", "path"), "os.unlink": ("rm", "path"),
    "os.rmdir": ("rmdir", "path"), "os.removedirs": ("rmdir -p", "name"), "shutil.copy": ("cp", "src dst"),
    "shutil.copy2": ("cp", "src dst"), "shutil.copyfile": ("cp", "src dst"), "shutil.copytree": ("cp -r", "src dst"),
    "shutil.move": ("mv", "src dst"), "os.rename": ("mv", "src dst"), "os.renames": ("mv", "old new"),
    "os.replace": ("mv", "src dst"), "os.link": ("ln", "src dst"), "os.symlink": ("ln -s", "src dst"),
    "os.mkdir": ("mkdir", "path"), "os.makedirs": ("mkdir -p", "name"), "runpy.run_path": ("python3", "path_name"),
}  # fmt: skip
_METHODS = {
    "unlink": "rm", "rmdir": "rmdir", "read_text": "cat", "read_bytes": "cat", "mkdir": "mkdir -p", "rmtree": "rm -rf",
}  # fmt: skip
_METHODS_TO = {
    "rename": "mv", "replace": "mv", "move": "mv", "copy": "cp", "symlink_to": "ln -s", "hardlink_to": "ln",
}  # fmt: skip
_WRITERS = frozenset("write_text write_bytes touch".split())
_ON_ANYTHING = frozenset("unlink rmtree write_text write_bytes read_text read_bytes".split())
_SAVERS = frozenset("to_csv to_excel to_parquet to_pickle to_json savefig".split())
_OPENERS = frozenset(
    """open io.open codecs.open gzip.open bz2.open lzma.open tarfile.open zipfile.ZipFile tarfile.TarFile
    gzip.GzipFile bz2.BZ2File lzma.LZMAFile io.FileIO FileIO file""".split()
)
_SHELLS = frozenset(
    """os.system os.popen subprocess.getoutput subprocess.getstatusoutput asyncio.create_subprocess_shell
    commands.getoutput commands.getstatusoutput os.popen2 os.popen3""".split()
)
_RUNNERS = frozenset("run call check_call check_output Popen".split())
_EXECUTORS = frozenset(
    """execv execve execvp execvpe execl execle execlp execlpe spawnv spawnve spawnvp spawnvpe spawnl spawnle spawnlp
    spawnlpe posix_spawn posix_spawnp""".split()
)
_WRITING_FLAGS = ("O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND")
_LISTS = frozenset("list sorted tuple set reversed frozenset iter chain itertools.chain tqdm tqdm.tqdm filter".split())
_SAME = frozenset(
    """str bytes os.fspath os.path.abspath os.path.realpath os.path.normpath os.fsencode os.fsdecode repr.str compile
    textwrap.dedent inspect.cleandoc bytearray os.path.expandvars""".split()
)
_SAME_METHODS = frozenset(
    """strip rstrip lstrip encode decode resolve absolute as_posix __str__ __fspath__ readlink lower upper casefold
    expandtabs copy""".split()
)
_PATHS = frozenset("pathlib.Path pathlib.PosixPath pathlib.PurePath pathlib.PurePosixPath Path".split())
_TEMPORARY = frozenset("mkdtemp mkstemp mktemp TemporaryDirectory NamedTemporaryFile".split())
_LOOKS_ONLY = frozenset(
    "getattr hasattr isinstance print type callable functools.wraps inspect.getsource help repr id dir".split()
)
_MODULES = frozenset("os shutil subprocess builtins pathlib __builtins__ posix".split())
_ALIASES = {"builtins.": "", "__builtins__.": "", "posix.": "os.", "nt.": "os.", "_io.": "io.", "os.path.os.": "os."}
OPERATIONS = frozenset(
    [*_FILES, *_SHELLS, *_OPENERS, *_PATHS, "os.open", "os.truncate", "os.chmod", "os.chown", "os.chdir", "pty.spawn"]
    + ["exec", "eval", "glob.glob", "os.listdir", "os.walk", "os.path", "shutil.chown"]
    + ["subprocess." + name for name in _RUNNERS]
    + ["os." + name for name in _EXECUTORS]
)


def constant_of(ref: str, effects: Effects) -> Value:
    """What a dotted name stands for: a text where that is known, else itself."""
    for prefix, real in _ALIASES.items():
        if ref.startswith(prefix):
            ref = real + ref[len(prefix) :]
    if ref in ("sys.argv", "fileinput.input"):
        return several(NAME)
    if ref in ("os.environ", "sys.stdin", "os.environb"):
        return Value(NAME)
    texts = {
        "sys.executable": "python3",
        "os.sep": "/",
        "os.curdir": ".",
        "os.devnull": "/dev/null",
        "os.linesep": "\n",
    }
    value = Value(texts.get(ref, ANY))
    value.ref = "" if ref in texts else ref
    return value


class Library:
    """`apply` calls any function, `execute` runs Python code."""

    def __init__(
        self,
        effects: Effects,
        apply: "Callable[[Value, list[Value], dict[str, Value]], Value]",
        execute: "Callable[[str], None]",
    ) -> None:
        self.effects = effects
        self._apply = apply
        self._execute = execute

    def attribute(self, value: Value, name: str) -> Value:
        if value.ref:
            return constant_of(f"{value.ref}.{name}", self.effects)
        if value.kind == "path" and name in ("parent", "parents"):
            return Value(*[_folder(text) for text in value.texts], kind="path")
        if value.kind == "path" and name in ("name", "stem", "suffix"):
            return Value(*[_last(text) for text in value.texts]) if name == "name" else Value(NAME)
        found = Value(*value.texts) if name in ("name", "path") and value.kind in ("path", "entry") else Value(ANY)
        if value.kind == "entry" and name == "name":
            found = Value(NAME)
        found.owner, found.name = value, name
        return found

    def member(self, value: Value, index: Value) -> Value:
        """`value[index]`."""
        place = index.constant or ""
        if value.items and not value.many and place.isdigit() and int(place) < len(value.items):
            return value.items[int(place)]
        if value.texts == [NAME] and value.items is None:  # the environment
            return Value(self.effects.home) if place == "HOME" and self.effects.home else Value(NAME)
        if value.ref in ("sys.modules", "globals()", "vars()"):
            return Value(ref=place or ANY)
        if value.ref == "__builtins__" or value.ref.endswith(".__dict__"):
            return constant_of(value.ref.replace("__dict__", place or ANY), self.effects)
        return value.each if value.items else Value(ANY)

    def formatted(self, text: str, values: Value) -> Value:
        """`text % values`."""
        parts = text.replace("%%", "\0").split("%s")
        items = values.items if values.items is not None and not values.many else [values]
        if "%" in "".join(parts) or len(items) != len(parts) - 1:
            return Value(ANY if text[:1] == "%" else text.split("%", 1)[0] + ANY)
        pieces = [Value(parts[0])]
        for item, part in zip(items, parts[1:]):
            pieces += [item, Value(part)]
        return glued(*[Value(*[text.replace("\0", "%") for text in piece.texts]) for piece in pieces])

    def call(self, function: Value, args: "list[Value]", keywords: "dict[str, Value]") -> Value:
        if function.owner is not None:
            return self._method(function.owner, function.name, args, keywords)
        ref = function.ref
        if ANY in ref:
            self.effects.doubt(UNKNOWN_FUNCTION)
            return Value(ANY)
        self._handed_on(ref, args, keywords)
        module, _, name = ref.rpartition(".")
        if ref in _FILES:
            command, parameters = _FILES[ref]
            names = parameters.split()
            self.effects.files(command.split(), [_argument(args, keywords, at, name) for at, name in enumerate(names)])
        elif ref in _SHELLS:
            self.effects.shell(_argument(args, keywords, 0, "cmd" if "." in ref else "command"), keywords.get("cwd"))
        elif ref in _OPENERS or ref == "os.open":
            self._open(_argument(args, keywords, 0, "file"), _mode(args, keywords, 1), flags=ref == "os.open")
        elif module == "subprocess" and name in _RUNNERS:
            self._run(_argument(args, keywords, 0, "args"), keywords)
        elif ref in ("exec", "eval"):
            self._text(_argument(args, keywords, 0, "source"))
        elif module == "os" and name in _EXECUTORS:
            self._exec(name, args)
        else:
            return self._other(ref, args, keywords)
        return Value(ANY)

    def _handed_on(self, ref: str, args: "list[Value]", keywords: "dict[str, Value]") -> None:
        """A function that is an argument will be called, most often with the arguments that follow it."""
        given = [*args, *keywords.values()]
        for place, value in enumerate(given):
            if value.function is None and value.ref not in OPERATIONS:
                continue
            if ref in _LOOKS_ONLY:
                continue
            rest = [item for item in args[place + 1 :] if item.function is None]
            if "args" in keywords:
                rest = keywords["args"].items or [Value(ANY)]
            elif ref.endswith("map") or ref == "filter":
                rest = [item.each for item in rest]
            self._apply(value, rest or [Value(ANY)], {})

    def _open(self, path: Value, mode: Value, *, flags: bool = False) -> None:
        if flags:
            writes = any([flag in mode.ref for flag in _WRITING_FLAGS])
        else:
            writes = any([ANY in text or any([sign in text for sign in "wax+"]) for text in mode.texts])
        if path.kind == "file" or all([text.isdigit() for text in path.texts]):
            return  # a descriptor
        if writes:
            self.effects.write(path)
        else:
            self.effects.files(["cat"], [path])

    def _run(self, args: Value, keywords: "dict[str, Value]") -> None:
        """`subprocess.run` and its like."""
        cwd = keywords.get("cwd")
        words = args.items
        if keywords.get("shell", Value("False")).constant not in ("False", "0"):
            self.effects.shell(words[0] if words else args, cwd)
        elif words:
            given = keywords["input"].constant if "input" in keywords else None
            self.effects.program(words, cwd, given)
        elif args.constant is not None:
            self.effects.program([args], cwd)
        else:
            self.effects.doubt(UNKNOWN_TEXT)

    def _exec(self, name: str, args: "list[Value]") -> None:
        args = args[1:] if name.startswith("spawn") else args
        if not args:
            return
        if name in ("execl", "execlp", "spawnl", "spawnlp"):
            words = args[2:]
        elif name in ("execle", "execlpe", "spawnle", "spawnlpe"):
            words = args[2:-1]
        else:
            listed = args[1] if len(args) > 1 else Value(ANY)
            words = listed.items[1:] if listed.items and not listed.many else [Value(ANY)]
        self.effects.program([args[0], *words])

    def _text(self, source: Value) -> None:
        """`exec` and `eval`."""
        for text in source.texts:
            if ANY in text or NAME in text:
                self.effects.doubt(UNKNOWN_TEXT)
            else:
                self._execute(text)

    def _other(self, ref: str, args: "list[Value]", keywords: "dict[str, Value]") -> Value:
        """The functions that give something, or of which there is one only."""
        first = _argument(args, keywords, 0, "path")
        module, _, name = ref.rpartition(".")
        if ref in _PATHS:
            return joined_path(*args).as_path() if args else Value(".", kind="path")
        if ref in (
            "getattr",
            "__import__",
            "importlib.import_module",
            "globals",
            "vars",
            "os.getenv",
            "os.environ.get",
        ):
            return self._named(ref, args, first)
        if ref == "os.truncate":
            self.effects.write(first)
        elif ref in ("os.chmod", "os.chown", "shutil.chown", "os.lchown"):
            self.effects.files([name.lstrip("l"), NAME], [first])
        elif ref in ("os.chdir", "contextlib.chdir"):
            self.effects.change_folder(first)
        elif ref == "pty.spawn":
            self.effects.program(first.items if first.items else [first])
        elif ref == "asyncio.create_subprocess_exec":
            self.effects.program(args, keywords.get("cwd"))
        elif ref == "urllib.request.urlretrieve" and (len(args) > 1 or "filename" in keywords):
            self.effects.write(_argument(args, keywords, 1, "filename"))
        elif name in _SAVERS and args and args[0].constant is not None:
            self.effects.write(args[0])
        elif name == "system" and args and module not in ("", "platform"):
            self.effects.shell(args[0])
        elif module == "tempfile" and name in _TEMPORARY:
            folder = keywords.get("dir", Value("/tmp"))
            made = joined_path(folder, Value(NAME))
            made.kind = "entry" if name == "NamedTemporaryFile" else ""
            return Value(items=[Value(ANY), made]) if name == "mkstemp" else made
        return self._value(ref, first, args)

    def _named(self, ref: str, args: "list[Value]", first: Value) -> Value:
        """What is chosen by a name that is a text."""
        name = args[0].constant if args else None
        if ref == "getattr":
            name = args[1].constant if len(args) > 1 else None
            if name is None:
                return Value(ref=f"{first.ref}.{ANY}") if first.ref in _MODULES else Value(ANY)
            return self.attribute(first, name)
        if ref in ("globals", "vars"):
            return Value(ref=ref + "()")
        if ref.startswith("os."):
            return united([self.member(Value(NAME), first), *args[1:2]])
        return Value(ref=name if name is not None else ANY)

    def _value(self, ref: str, first: Value, args: "list[Value]") -> Value:
        """The functions that only give something."""
        if ref in ("os.path.join", "os.path.join.str"):
            return joined_path(*args) if args else Value(ANY)
        if ref in _SAME and args:
            return Value(*first.texts)
        if ref in _LISTS and args:
            return Value(items=[args[-1].each], many=True) if args[-1].items is None or args[-1].many else args[-1]
        if ref in ("glob.glob", "glob.iglob"):
            return several(*[globbed(text) for text in first.texts])
        if ref == "os.listdir":
            return several(NAME)
        if ref == "os.scandir":
            return several(*joined_path(first if args else Value("."), Value(NAME)).texts, kind="entry")
        if ref in ("os.walk", "os.fwalk"):
            below = united([first, joined_path(first, Value(NAME))])
            return Value(items=[Value(items=[below, several(NAME), several(NAME)])], many=True)
        if ref in ("os.path.dirname", "os.path.basename") and args:
            cut = _folder if ref.endswith("dirname") else _last
            return Value(*[cut(text) for text in first.texts])
        if ref == "os.path.expanduser":
            return Value(*[_at_home(text, self.effects.home) for text in first.texts])
        if ref in ("os.getcwd", "pathlib.Path.cwd", "pathlib.Path.home", "Path.cwd", "Path.home"):
            where = self.effects.home if ref.endswith("home") else self.effects.cwd
            return Value(where or NAME, kind="path" if "Path" in ref else "")
        if ref == "shlex.split" and first.constant is not None:
            return Value(items=[Value(word) for word in split(first.constant)])
        if ref == "shlex.quote":
            return Value(*[quoted(text) for text in first.texts])
        if ref == "shlex.join" and first.items is not None:
            return Value(*[" ".join([quoted(word) for word in row]) for row in choices(first.items)])
        if ref == "enumerate":
            return Value(items=[Value(items=[Value(ANY), first.each])], many=True)
        if ref == "zip":
            return Value(items=[Value(items=[part.each for part in args])], many=True)
        if ref == "map" and len(args) > 1:
            return Value(items=[args[1].each if args[0].ref in ("str", *_PATHS) else Value(ANY)], many=True)
        if ref == "open":
            return Value(ANY)
        return Value(ANY)

    # Methods

    def _method(self, owner: Value, name: str, args: "list[Value]", keywords: "dict[str, Value]") -> Value:
        first = _argument(args, keywords, 0, "target")
        path = owner.kind == "path" or (owner.kind == "entry" and name in _ON_ANYTHING)
        self._handed_on(name, args, keywords)
        if name in _SAME_METHODS and not (path and name == "copy"):
            return owner if name not in ("lower", "upper") else Value(*[getattr(text, name)() for text in owner.texts])
        if name in _METHODS and (path or name in _ON_ANYTHING):
            self.effects.files(_METHODS[name].split(), [owner])
        elif name in _WRITERS and (path or name in _ON_ANYTHING):
            self.effects.write(owner)
        elif name in _METHODS_TO and path:
            pair = [first, owner] if name.endswith("_to") else [owner, first]
            self.effects.files(_METHODS_TO[name].split(), pair)
            return first.as_path()
        elif name == "open" and (path or _is_mode(args, keywords)):
            self._open(owner, _mode(args, keywords, 0))
        elif name == "chmod" and path:
            self.effects.files(["chmod", NAME], [owner])
        elif name in _SAVERS and args and args[0].constant is not None:
            self.effects.write(args[0])
        elif name == "system" and args:
            self.effects.shell(args[0])
        else:
            return self._path_value(owner, name, args) if path else self._text_value(owner, name, args)
        return Value(ANY)

    def _path_value(self, owner: Value, name: str, args: "list[Value]") -> Value:
        first = args[0] if args else Value(ANY)
        if name == "joinpath":
            return joined_path(owner, *args).as_path()
        if name in ("glob", "rglob"):
            pattern = Value(*[NAME * (name == "rglob") + globbed(text) for text in first.texts])
            return several(*joined_path(owner, pattern).texts, kind="path")
        if name == "iterdir":
            return several(*joined_path(owner, Value(NAME)).texts, kind="path")
        if name in ("with_name", "with_suffix", "with_stem"):
            folder = Value(*[_folder(text) for text in owner.texts])
            return joined_path(folder, first if name == "with_name" else Value(NAME)).as_path()
        if name == "expanduser":
            return Value(*[_at_home(text, self.effects.home) for text in owner.texts], kind="path")
        return Value(NAME if name == "relative_to" else ANY, kind="path" if name == "relative_to" else "")

    def _text_value(self, owner: Value, name: str, args: "list[Value]") -> Value:
        if name == "join" and args:
            parts: "list[Value]" = []
            for item in args[0].items or [Value(ANY)]:
                parts += [owner, item] if parts else [item]
            return glued(*parts)
        if name == "split" and not args and owner.constant is not None:
            return Value(items=[Value(word) for word in owner.constant.split()])
        if name in ("readlines", "splitlines", "split", "items", "values", "keys", "read") and owner.texts == [NAME]:
            return several(NAME) if name != "read" else Value(NAME)
        if name == "format":
            text = owner.constant or "{"
            return (
                owner
                if "{" not in text
                else self.formatted(text.replace("%", "%%").replace("{}", "%s"), Value(items=args))
            )
        if name == "replace" and len(args) == 2:
            row = [owner.constant, args[0].constant, args[1].constant]
            known = [text for text in row if text is not None]
            return Value(known[0].replace(known[1], known[2])) if len(known) == 3 else Value(ANY)
        return Value(ANY)


def _argument(args: "list[Value]", keywords: "dict[str, Value]", place: int, name: str) -> Value:
    return args[place] if place < len(args) else keywords.get(name, Value(ANY))


def _mode(args: "list[Value]", keywords: "dict[str, Value]", place: int) -> Value:
    mode = args[place] if place < len(args) else keywords.get("mode", Value("r"))
    return mode if mode.ref or mode.texts != [ANY] or place == 1 else Value(ANY)


def _is_mode(args: "list[Value]", keywords: "dict[str, Value]") -> bool:
    """Whether the arguments are those of a path's `open`: what has such a method may be anything."""
    mode = args[0].constant if args else keywords.get("mode", Value("r")).constant
    return bool(mode) and set(mode or "") <= set("rwaxbt+") and len(args) + len(keywords) > 0


def _folder(path: str) -> str:
    return path.rpartition("/")[0] or ("/" if path[:1] == "/" else ".") if path not in (ANY, NAME) else path


def _last(path: str) -> str:
    return path.rpartition("/")[2]


def _at_home(path: str, home: str) -> str:
    return (home or NAME) + path[1:] if path == "~" or path[:2] == "~/" else path
