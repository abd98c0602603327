"""What the functions and methods of JavaScript, Perl, Ruby and PHP do to files, and which programs they run."""

from memdir.shell.arguments import ANY, NAME
from memdir.shell.code_effects import (
    UNKNOWN_FUNCTION,
    UNKNOWN_TEXT,
    Effects,
    Value,
    globbed,
    glued,
    joined_path,
    several,
    words_of,
)
from memdir.shell.code_tables import METHODS, TABLES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

_NAMES_FROM_OUTSIDE = {
    "javascript": "process.argv process.env Deno.args Deno.env Bun.argv Bun.env process.stdin",
    "perl": "@ARGV $ARGV %ENV $ENV $_ @_ <> shift @INC $0",
    "ruby": "ARGV ENV ARGF $stdin STDIN gets $0 __FILE__",
    "php": "$argv $_SERVER $_ENV $_GET $_POST STDIN",
}
_SAME_METHODS = frozenset(
    """toString trim to_s to_str to_path expand_path realpath cleanpath strip chomp stringify absolute valueOf dup
    freeze then catch""".split()
)
_LIST_METHODS = frozenset("filter sort select reject map! sort_by uniq reverse to_a compact slice take first".split())
_WRITE_MODES = frozenset("wax+>")


class Functions:
    """`execute` runs code of the same language."""

    def __init__(self, language: str, effects: Effects, execute: "Callable[[str], Value]") -> None:
        self.effects = effects
        self._language = language
        self._execute = execute
        self._table = TABLES.get(language, {})
        self._outside = frozenset(_NAMES_FROM_OUTSIDE.get(language, "").split())

    # Names

    def variable(self, name: str) -> Value:
        """A name that nothing has been assigned to."""
        if name in (ANY, NAME):
            return Value(name)
        if name in self._outside:
            return several(NAME) if name in ("@ARGV", "ARGV", "$argv") else Value(NAME)
        name = name.lstrip("\\").removeprefix("CORE::GLOBAL::").removeprefix("CORE::")
        if self._language == "php":
            name = name if name[:1] == "$" else name.lower()
        if name[:1] in ("$", "@") and name != "$":
            value = Value(ANY)
            value.ref = name
            return value
        if name in ("true", "false"):
            return Value(name)
        return Value(ref=self._plain(name))

    def _plain(self, ref: str) -> str:
        for prefix in ("File::Path::", "File::Copy::", "File::Copy::Recursive::", "Kernel.", "Process.", "IPC::Open3::",
                       "globalThis.", "global.", "IPC::Run::", "POSIX::", "Object."):  # fmt: skip
            if ref.startswith(prefix) and prefix + ref[len(prefix) :] not in self._table:
                return ref[len(prefix) :]
        return ref

    def module(self, name: Value) -> str:
        """The module of an `import` or `require`, without what does not matter."""
        text = name.constant
        if text is None:
            return ANY if any([part in name.texts[0] for part in ("fs", "child", ANY)]) and name.texts != [NAME] else ""
        text = text.removeprefix("node:").replace("/promises", "").replace("npm:", "")
        return {"fs-extra": "fs", "graceful-fs": "fs", "fs/promises": "fs", "cross-spawn": "child_process.spawn"}.get(
            text, text
        )

    def is_function(self, value: Value) -> bool:
        return bool(self._operation(value)) or (value.owner is not None and value.name in METHODS)

    def _operation(self, value: Value) -> str:
        return self._table.get(value.ref, "") if value.ref else ""

    def member(self, value: Value, name: str) -> Value:
        if value.ref and value.ref[:1] not in ("$", "@") and len(value.ref) < 100:
            ref = f"{value.ref}.{name}"
            if ref in self._outside:
                return several(NAME) if name in ("argv", "args") else Value(NAME)
            if value.ref.startswith("fs"):
                ref = "fs." + name.removesuffix("Sync") if name != "promises" else "fs"
            elif name == "default" or (name == "sync" and value.ref in ("rimraf", "glob", "del")):
                ref = value.ref
            elif name == "require" or (name in ("call", "apply") and value.ref in self._table):
                ref = name if name == "require" else value.ref
            found = Value(ref=self._plain(ref))
            found.owner, found.name = value, name
            return found
        if value.texts == [NAME] and value.items is None:
            if name in ("HOME",) and self.effects.home:
                return Value(self.effects.home)
            return Value(NAME)
        found = Value(ANY)
        found.owner, found.name = value, name
        return found

    def subscript(self, value: Value, key: Value) -> Value:
        name = key.constant
        if name is None and key.items and len(key.items) == 1:
            name = key.items[0].constant
        if value.ref and value.ref[:1] not in ("$", "@"):
            if name is not None:
                return self.member(value, name)
            return Value(ref=f"{value.ref}.{ANY}") if value.ref in ("fs", "child_process") else Value(ANY)
        if value.items and not value.many and name is not None and name.isdigit() and int(name) < len(value.items):
            return value.items[int(name)]
        if name is not None and name in value.options:
            return value.options[name]
        if value.texts == [NAME] or (value.items and value.each.texts == [NAME]):
            return Value(NAME)
        return value.each if value.items else Value(ANY)

    def joined(self, values: "list[Value]") -> Value:
        return joined_path(*values).as_path()

    # Calls

    def call(self, function: Value, args: "list[Value]") -> Value:
        if function.ref.endswith("." + ANY) or (self._language == "php" and function.ref[:1] == "$"):
            self.effects.doubt(UNKNOWN_FUNCTION)
            return Value(ANY)
        operation = self._operation(function)
        if not operation and self._language == "php" and function.constant is not None:
            operation = self._table.get(function.constant.lower(), "")
        if operation:
            return self._do(operation, args, function)
        if function.owner is None:
            return Value(ANY)
        for handed in args:
            if self._operation(handed) and function.owner.items:  # files.forEach(fs.unlinkSync)
                self.call(handed, [function.owner.each])
        return self._method(function.owner, function.name, args)

    def _do(self, operation: str, args: "list[Value]", function: Value) -> Value:
        kind, _, command = operation.partition(" ")
        given = [value for value in args if value.kind not in ("function", "group")]
        paths = words_of(given)
        if kind == "each":
            for path in paths or ([Value(NAME)] if self._language == "perl" else []):
                self.effects.files(command.split(), [path])
        elif kind == "one" and given:
            self.effects.files(command.split(), paths[:1])
        elif kind == "last" and given:
            self.effects.files(command.split(), paths[-1:])
        elif kind == "rm" and given:
            self.effects.files(["rm", "-rf"] if _recursive(args) else command.split(), paths[:1])
        elif kind == "pair" and len(args) > 1:
            self.effects.files(command.split(), words_of(args[:2]))
        elif kind == "write" and given:
            self.effects.write(given[0])
        elif kind == "writes":
            for path in paths:
                self.effects.write(path)
        elif kind == "mode":
            self.effects.files([command, NAME], paths[1:] if self._language != "php" else paths[:1])
        elif hasattr(self, "_do_" + kind):
            method: "Callable[[list[Value], str], Value | None]" = getattr(self, "_do_" + kind)
            value = method(args, command)
            return value if value is not None else Value(ANY)
        return Value(ANY)

    def _do_read(self, args: "list[Value]", _: str) -> None:
        """Reads, or with a bar at its start runs a command."""
        for path in args[:1]:
            piped = Value(*[text[1:] for text in path.texts if text[:1] == "|"]) if self._language == "ruby" else path
            if piped.texts != [ANY] and self._language == "ruby":
                self.effects.shell(piped)
            elif path.kind not in ("group", "number"):
                self.effects.files(["cat"], [path])

    def _do_open(self, args: "list[Value]", _: str) -> "Value | None":
        """`open(path, mode)`; without a mode it reads."""
        if not args:
            return None
        if self._language == "ruby" and args[0].texts[0][:1] == "|":
            self._do_read(args, "")
            return None
        mode = args[1] if len(args) > 1 and args[1].kind not in ("function", "group") else Value("r")
        named = args[-1].options.get("mode") or args[-1].options.get("flags")
        mode = named if named is not None else mode
        writes = mode.kind != "number" and any(
            [ANY in text or not _WRITE_MODES.isdisjoint(text) for text in mode.texts]
        )
        options = args[-1].options
        if any([options.get(name, Value("false")).constant != "false" for name in ("write", "append", "create")]):
            writes = True  # Deno
        if mode.ref:
            writes = any([flag in mode.ref for flag in ("WR", "CREAT", "TRUNC", "APPEND")]) or mode.ref[:1] == "$"
        if writes:
            self.effects.write(args[0])
        else:
            self.effects.files(["cat"], args[:1])
        return args[0].as_path() if self._language == "ruby" else None

    def _do_perlopen(self, args: "list[Value]", _: str) -> None:
        """`open(F, ">", path)`, `open(F, "> path")` and the pipes."""
        if len(args) < 2:
            return
        for text in args[1].texts:
            mode = text.lstrip()
            sign = mode[: len(mode) - len(mode.lstrip("+<>|-"))]
            rest = Value(mode[len(sign) :].strip())
            if len(args) > 2 and "|" in sign:
                self._do_exec(args[2:], "")
            elif len(args) > 2:
                self._opened(args[2], ">" in sign or "+" in sign or ANY in mode or NAME in mode)
            elif sign[:1] == "|" or mode[-1:] == "|":
                self.effects.shell(Value(rest.texts[0].rstrip("| ")))
            elif rest.texts[0]:
                self._opened(rest, ">" in sign or "+" in sign or mode == ANY)

    def _opened(self, path: Value, writes: bool) -> None:
        if path.texts[0][:1] == "&" or path.ref.startswith("\\"):
            return
        if writes:
            self.effects.write(path)
        else:
            self.effects.files(["cat"], [path])

    def _do_sysopen(self, args: "list[Value]", _: str) -> None:
        if len(args) > 2:
            flags = args[2].ref
            self._opened(args[1], flags == "" or any([flag in flags for flag in ("WR", "CREAT", "TRUNC", "APPEND")]))

    def _do_shell(self, args: "list[Value]", _: str) -> None:
        if args:
            options = next((value.options for value in args if value.kind == "group"), {})
            self.effects.shell(args[0].items[0] if args[0].items else args[0], options.get("cwd", options.get("chdir")))

    def _do_exec(self, args: "list[Value]", skip: str) -> None:
        """One text is for a shell, several are a program and its arguments; `skip` are those before them."""
        args = args[int(skip or "0") :]
        options = args[-1].options if args else {}
        if args and args[0].kind == "group":  # the environment
            args = args[1:]
        words = words_of([value for value in args if value.kind not in ("function", "group")])
        folder = options.get("chdir")
        if len(words) == 1 and not (args[0].items or []):
            self.effects.shell(words[0], folder)
        elif words:
            self.effects.program(words, folder)

    def _do_argv(self, args: "list[Value]", _: str) -> None:
        """`spawn(program, arguments, options)`, or a list of all words."""
        options = next((value.options for value in args if value.kind == "group"), {})
        words = words_of([value for value in args if value.kind not in ("function", "group")])
        for name in ("cmd", "args"):
            words += words_of([options[name]]) if name in options else []
        if options.get("shell", Value("false")).constant != "false":
            spaced = [part for word in words for part in (Value(" "), word)]
            self.effects.shell(glued(*spaced[1:]), options.get("cwd"))
        elif words:
            self.effects.program(words, options.get("cwd"))

    def _do_program(self, args: "list[Value]", name: str) -> None:
        """The function is named like the program."""
        self.effects.program([*[Value(word) for word in name.split()], *args])

    def _do_eval(self, args: "list[Value]", _: str) -> "Value | None":
        value = None
        for argument in args[-1:]:
            if argument.kind in ("group", "function", "number") or argument.items is not None:
                continue
            for text in argument.texts:
                if ANY in text or NAME in text:
                    self.effects.doubt(UNKNOWN_TEXT)
                else:
                    value = self._execute(text)
        return value

    def _do_send(self, args: "list[Value]", _: str) -> Value:
        """`send(:system, "ls")`, `call_user_func("system", "ls")`."""
        name = args[0].constant if args else None
        if name is None:
            self.effects.doubt(UNKNOWN_FUNCTION)
            return Value(ANY)
        return self.call(Value(ref=name), args[1:])

    def _do_map(self, args: "list[Value]", _: str) -> None:
        """`array_map("unlink", $names)`."""
        if args and args[0].constant is not None:
            self.call(Value(ref=args[0].constant), [args[1].each if len(args) > 1 else Value(ANY)])

    def _do_function(self, args: "list[Value]", _: str) -> Value:
        """`method(:system)`: the function itself."""
        return Value(ref=args[0].constant or ANY) if args else Value(ANY)

    def _do_require(self, args: "list[Value]", _: str) -> Value:
        if not args or self._language != "javascript":
            return Value(ANY)
        module = self.module(args[0])
        if module[:1] in (".", "/"):
            if module.endswith((".json", ".js", ".cjs", ".mjs")):
                self.effects.files(["cat"], args[:1])
            return Value(ANY)
        return Value(ref=module or ANY) if module != ANY else Value(ref="fs." + ANY)

    def _do_cd(self, args: "list[Value]", _: str) -> None:
        if args:
            self.effects.change_folder(args[0])

    # What only gives something

    def _do_join(self, args: "list[Value]", _: str) -> Value:
        return joined_path(*words_of(args)) if args else Value(ANY)

    def _do_same(self, args: "list[Value]", _: str) -> Value:
        return args[0] if args else Value(NAME)

    def _do_path(self, args: "list[Value]", _: str) -> Value:
        return joined_path(*args[-1:]).as_path() if args else Value(ANY)

    def _do_names(self, args: "list[Value]", _: str) -> Value:
        return several(NAME)

    def _do_name(self, args: "list[Value]", _: str) -> Value:
        return Value(NAME)

    def _do_glob(self, args: "list[Value]", _: str) -> Value:
        found = [globbed(text) for value in words_of(args[:1]) for text in value.texts]
        return several(*found) if found else several(NAME)

    def _do_here(self, args: "list[Value]", _: str) -> Value:
        return Value(self.effects.cwd or NAME)

    def _do_home(self, args: "list[Value]", _: str) -> Value:
        return Value(self.effects.home or NAME)

    def _do_temporary(self, args: "list[Value]", _: str) -> Value:
        return Value("/tmp")

    # Methods of objects that are no modules

    def _method(self, owner: Value, name: str, args: "list[Value]") -> Value:
        if name in _SAME_METHODS:
            return owner
        if name in _LIST_METHODS and owner.items is not None:
            return Value(items=owner.items, many=True)
        if name == "join" and owner.items is not None:
            return self._joined_text(owner, args)
        if name in ("concat", "flat", "push") and owner.items is not None:
            return Value(items=owner.items + words_of(args), many=True)
        if name == "join" and owner.kind == "path":
            return joined_path(owner, *args).as_path()
        if name in ("split", "readlines", "lines") and owner.texts == [NAME]:
            return several(NAME)
        if name == "method" and owner.ref and args and args[0].constant is not None:
            return Value(ref=f"{owner.ref}.{args[0].constant}")
        operation = METHODS.get(name, "") if owner.kind == "path" else ""
        if operation:
            return self._do(operation, [owner, *args], owner)
        if name in ("children", "glob", "entries", "each_child") and owner.kind == "path":
            return several(*joined_path(owner, Value(NAME)).texts, kind="path")
        if name in ("send", "public_send", "__send__", "instance_eval", "class_eval"):
            return self._do_eval(args, "") if name.endswith("eval") and args else self._do_send(args, "")  # type: ignore[return-value]
        return Value(ANY)

    def _joined_text(self, owner: Value, args: "list[Value]") -> Value:
        between = args[0] if args else Value("," if self._language == "javascript" else "")
        parts: "list[Value]" = []
        for item in owner.items or []:
            parts += [between, item] if parts else [item]
        return glued(*parts) if parts and not owner.many else Value(ANY)


def _recursive(args: "list[Value]") -> bool:
    """Whether the options of a deletion make it recursive; unknown ones do."""
    for value in args[1:]:
        if value.kind == "group":
            if value.options.get("recursive", Value("false")).constant != "false":
                return True
        elif value.kind != "function":
            return True
    return False
