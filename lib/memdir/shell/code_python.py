"""Python code, run on texts with marks: both branches of an `if`, a loop once, functions at each call."""

from memdir.shell.arguments import ANY, BRACKET, NAME, QUESTION, STAR
from memdir.shell.code_effects import (
    NOT_READ,
    TOO_LONG,
    UNKNOWN_TEXT,
    Effects,
    Value,
    glued,
    joined_path,
    united,
)
from memdir.shell.code_library import OPERATIONS, Library, constant_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

MAX_STEPS = 120_000
MAX_DEPTH = 150  # of expressions
MAX_CALLS = 4  # of functions in functions
_HOLES = {
    ANY: "_hole_any_",
    NAME: "_hole_name_",
    STAR: "_hole_star_",
    QUESTION: "_hole_mark_",
    BRACKET: "_hole_bracket_",
}
_TELLING = frozenset(
    """rmtree rmdir remove unlink rename replace move copy system popen subprocess spawn exec eval write touch open
    shutil truncate symlink""".split()
)


class _Stopped(Exception):
    """The code is too long or too deep."""


def run(code: str, effects: Effects) -> None:
    """Finds what the code does."""
    if not code.strip(ANY + NAME + " \n;"):
        if code.strip():
            effects.doubt(UNKNOWN_TEXT)
        return
    Interpreter(effects).run(code)


def tree(code: str) -> "Any":
    """The syntax tree; None if there is none."""
    import warnings

    for mark, name in _HOLES.items():
        code = code.replace(mark, name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # on escapes that Python does not know
        try:
            return compile(code, "", "exec", 0x400, True)  # PyCF_ONLY_AST: without `ast`, which takes 20 ms to load
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
            return None


class Interpreter:
    """`names` are the variables, `stars` the modules of `from x import *`."""

    def __init__(self, effects: Effects) -> None:
        self.effects = effects
        self.names: "dict[str, Value]" = {}
        self.stars: "list[str]" = []
        self._library = Library(effects, self.apply, self.run)
        self._waiting: "list[Value]" = []  # functions that nothing has called yet
        self._called: "set[int]" = set()
        self._returned: "list[Value]" = []
        self._steps = 0
        self._depth = 0
        self._calls = 0
        self._running = 0

    def run(self, code: str) -> None:
        """Runs the code; may be called by itself, for `exec` of a constant."""
        root = tree(code)
        if root is None:
            if any([word in code for word in _TELLING]):
                self.effects.doubt(NOT_READ)
            return
        if self._running > MAX_CALLS:
            self.effects.doubt(TOO_LONG)
            return
        self._running += 1
        try:
            self._body(root.body)
            while self._waiting:
                function = self._waiting.pop(0)
                if id(function.function) not in self._called:
                    self.call(function, [], {})
        except (_Stopped, RecursionError):
            self.effects.doubt(TOO_LONG)
        self._running -= 1

    def _step(self, count: int = 1) -> None:
        self._steps += count
        if self._steps > MAX_STEPS:
            raise _Stopped

    # Statements

    def _body(self, statements: "list[Any]") -> None:
        for statement in statements:
            self._evaluate(statement)

    def _evaluate(self, node: "Any") -> Value:
        """Runs a statement or finds the value of an expression."""
        self._step()
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise _Stopped
        method: "Callable[[Any], Value | None]" = getattr(self, "_" + type(node).__name__, self._parts)
        value = method(node)
        self._depth -= 1
        return value if value is not None else Value(ANY)

    def _parts(self, node: "Any") -> None:
        """What has no meaning of its own: all that is in it."""
        for field in node._fields:
            part = getattr(node, field)
            for item in part if isinstance(part, list) else [part]:
                if hasattr(item, "_fields"):
                    self._evaluate(item)

    def _Expr(self, node: "Any") -> None:
        if type(node.value).__name__ == "Name" and node.value.id in (_HOLES[ANY], _HOLES[NAME]):
            self.effects.doubt(UNKNOWN_TEXT)
        self._evaluate(node.value)

    def _Import(self, node: "Any") -> None:
        for alias in node.names:
            name = alias.name if alias.asname else alias.name.split(".")[0]
            self.names[alias.asname or name] = Value(ref=name)

    def _ImportFrom(self, node: "Any") -> None:
        for alias in node.names:
            if alias.name == "*":
                self.stars.append(node.module or "")
            else:
                self.names[alias.asname or alias.name] = constant_of(f"{node.module}.{alias.name}", self.effects)

    def _Assign(self, node: "Any") -> None:
        value = self._evaluate(node.value)
        for target in node.targets:
            self._bind(target, value)

    def _AnnAssign(self, node: "Any") -> None:
        if node.value is not None:
            self._bind(node.target, self._evaluate(node.value))

    def _NamedExpr(self, node: "Any") -> Value:
        value = self._evaluate(node.value)
        self._bind(node.target, value)
        return value

    def _AugAssign(self, node: "Any") -> None:
        self._bind(node.target, self._combined(type(node.op).__name__, self._target(node.target), node.value))

    def _target(self, target: "Any") -> Value:
        return self.names.get(target.id, Value(ANY)) if type(target).__name__ == "Name" else self._evaluate(target)

    def _bind(self, target: "Any", value: Value) -> None:
        kind = type(target).__name__
        if kind == "Name":
            self.names[target.id] = value
        elif kind in ("Tuple", "List"):
            items = value.items or []
            fits = not value.many and len(items) == len(target.elts)
            for place, part in enumerate(target.elts):
                self._bind(part, items[place] if fits else value.each)
        elif kind == "Starred":
            self._bind(target.value, Value(items=[value], many=True))
        else:
            self._parts(target)

    def _branches(self, *bodies: "list[Any]") -> None:
        """Runs each from here, and goes on with all that the names can then be."""
        before = self.names
        after: "list[dict[str, Value]]" = []
        for body in bodies:
            self._step(len(before))
            self.names = dict(before)
            self._body(body)
            after.append(self.names)
        self.names = {
            name: united([names[name] for names in after if name in names]) if len(after) > 1 else after[0][name]
            for name in dict.fromkeys([name for names in after for name in names])
        }

    def _If(self, node: "Any") -> None:
        self._evaluate(node.test)
        self._branches(node.body, node.orelse)

    def _Try(self, node: "Any") -> None:
        self._body(node.body)
        self._branches([], *[handler.body for handler in node.handlers])
        self._body(node.orelse)
        self._body(node.finalbody)

    _TryStar = _Try

    def _For(self, node: "Any") -> None:
        members = self._evaluate(node.iter).each
        self._forget(node.body)
        self._bind(node.target, members)
        self._branches([], node.body)
        self._body(node.orelse)

    _AsyncFor = _For

    def _While(self, node: "Any") -> None:
        self._forget(node.body)
        self._evaluate(node.test)
        self._branches([], node.body)
        self._body(node.orelse)

    def _forget(self, statements: "list[Any]") -> None:
        """A loop's body may begin with what its last round has assigned."""
        waiting = list(statements)
        while waiting:
            self._step()
            node = waiting.pop()
            for field in node._fields:
                part = getattr(node, field)
                waiting += [item for item in (part if isinstance(part, list) else [part]) if hasattr(item, "_fields")]
            kind = type(node).__name__
            if kind == "AugAssign" and node.target in waiting and hasattr(node.target, "id"):
                self.names[node.target.id] = Value(ANY)
            elif kind == "Name" and type(node.ctx).__name__ == "Store" and node.id in self.names:
                self.names[node.id] = Value(ANY)

    def _With(self, node: "Any") -> None:
        for item in node.items:
            value = self._evaluate(item.context_expr)
            if item.optional_vars is not None:
                self._bind(item.optional_vars, value)
        self._body(node.body)

    _AsyncWith = _With

    # Functions

    def _FunctionDef(self, node: "Any") -> None:
        for part in [*node.decorator_list, *node.args.defaults, *[part for part in node.args.kw_defaults if part]]:
            self._evaluate(part)
        self.names[node.name] = self._function(node)

    _AsyncFunctionDef = _FunctionDef

    def _Lambda(self, node: "Any") -> Value:
        return self._function(node)

    def _function(self, node: "Any") -> Value:
        function = Value(ANY)
        function.function = node
        self._waiting.append(function)
        return function

    def _ClassDef(self, node: "Any") -> None:
        for part in [*node.decorator_list, *node.bases]:
            self._evaluate(part)
        outside = dict(self.names)
        self._step(len(outside))
        self._body(node.body)
        self.names = outside
        self.names[node.name] = Value(ANY)

    def _Return(self, node: "Any") -> None:
        if node.value is not None:
            self._returned.append(self._evaluate(node.value))

    def call(self, function: Value, args: "list[Value]", keywords: "dict[str, Value]") -> Value:
        """Runs the body of a function of the code with these arguments."""
        node = function.function
        if self._calls >= MAX_CALLS:
            return Value(ANY)
        self._called.add(id(node))
        self._step(len(self.names))
        outside, self.names = self.names, dict(self.names)
        returned, self._returned = self._returned, []
        self._calls += 1
        self._parameters(node.args, args, keywords)
        if type(node).__name__ == "Lambda":
            self._returned.append(self._evaluate(node.body))
        else:
            self._body(node.body)
        self._calls -= 1
        self.names = outside
        values, self._returned = self._returned, returned
        return united(values) if values else Value(ANY)

    def _parameters(self, signature: "Any", args: "list[Value]", keywords: "dict[str, Value]") -> None:
        parameters = [*signature.posonlyargs, *signature.args]
        defaults = [None] * (len(parameters) - len(signature.defaults)) + list(signature.defaults)
        every = list(zip(parameters, defaults)) + list(zip(signature.kwonlyargs, signature.kw_defaults))
        for place, (parameter, default) in enumerate(every):
            if place < len(args) and place < len(parameters):
                value = args[place]
            elif parameter.arg in keywords:
                value = keywords[parameter.arg]
            else:
                value = self._evaluate(default) if default is not None and (args or keywords) else Value(ANY)
            self.names[parameter.arg] = value
        if signature.vararg:
            rest = args[len(parameters) :]
            self.names[signature.vararg.arg] = Value(items=rest or [Value(ANY)], many=not rest)
        if signature.kwarg:
            self.names[signature.kwarg.arg] = Value(ANY)

    def apply(self, function: Value, args: "list[Value]", keywords: "dict[str, Value]") -> Value:
        """Calls a function of the code or of the library."""
        if function.function is not None:
            return self.call(function, args, keywords)
        return self._library.call(function, args, keywords)

    def _Call(self, node: "Any") -> Value:
        function = self._evaluate(node.func)
        args: "list[Value]" = []
        for part in node.args:
            value = self._evaluate(part)
            if type(part).__name__ == "Starred" and value.items is not None and not value.many:
                args += value.items
            else:
                args.append(value)
        keywords = {}
        for keyword in node.keywords:
            value = self._evaluate(keyword.value)
            if keyword.arg is not None:
                keywords[keyword.arg] = value
        return self.apply(function, args, keywords)

    # Expressions

    def _Name(self, node: "Any") -> Value:
        if node.id in self.names:
            return self.names[node.id]
        for mark, name in _HOLES.items():
            if node.id == name:
                return Value(mark)
        for module in self.stars:
            if f"{module}.{node.id}" in OPERATIONS:
                return Value(ref=f"{module}.{node.id}")
        return Value(ref=node.id)

    def _Attribute(self, node: "Any") -> Value:
        return self._library.attribute(self._evaluate(node.value), node.attr)

    def _Constant(self, node: "Any") -> Value:
        value = node.value
        if isinstance(value, bytes):
            value = value.decode("utf-8", "surrogateescape")
        if isinstance(value, str):
            for mark, name in _HOLES.items():
                value = value.replace(name, mark)
            return Value(value)
        if not isinstance(value, int) or not -(2**40) < value < 2**40:
            return Value(ANY)
        number = Value(str(value))
        number.kind = "number"
        return number

    def _JoinedStr(self, node: "Any") -> Value:
        return glued(*[self._evaluate(part) for part in node.values]) if node.values else Value("")

    def _FormattedValue(self, node: "Any") -> Value:
        value = self._evaluate(node.value)
        if node.format_spec is not None or node.conversion == 114:  # !r
            return Value(ANY)
        return value

    def _BinOp(self, node: "Any") -> Value:
        return self._combined(type(node.op).__name__, self._evaluate(node.left), node.right)

    def _combined(self, operator: str, left: Value, node: "Any") -> Value:
        right = self._evaluate(node)
        if operator == "Div" and "path" in (left.kind, right.kind):
            return joined_path(left, right).as_path()
        if operator == "Add":
            if left.items is not None or right.items is not None:
                sides = [side.items if side.items is not None else [Value(ANY)] for side in (left, right)]
                return Value(items=sides[0] + sides[1], many=left.many or right.many)
            return Value(ANY) if left.kind == right.kind == "number" else glued(left, right)
        if operator == "Mod" and left.constant is not None:
            return self._library.formatted(left.constant, right)
        if operator == "BitOr":
            return Value(ref=f"{left.ref}|{right.ref}")
        return Value(ANY)

    def _BoolOp(self, node: "Any") -> Value:
        return united([self._evaluate(part) for part in node.values])

    def _IfExp(self, node: "Any") -> Value:
        self._evaluate(node.test)
        return united([self._evaluate(node.body), self._evaluate(node.orelse)])

    def _List(self, node: "Any") -> Value:
        items: "list[Value]" = []
        many = False
        for part in node.elts:
            value = self._evaluate(part)
            if type(part).__name__ == "Starred":
                items += value.items if value.items is not None else [value.each]
                many = many or value.many or value.items is None
            else:
                items.append(value)
        return Value(items=items, many=many)

    _Tuple = _Set = _List

    def _Starred(self, node: "Any") -> Value:
        return self._evaluate(node.value)

    def _Await(self, node: "Any") -> Value:
        return self._evaluate(node.value)

    def _Subscript(self, node: "Any") -> Value:
        value = self._evaluate(node.value)
        index = self._evaluate(node.slice)
        if type(node.slice).__name__ == "Slice":
            return Value(items=value.items, many=True) if value.items is not None else Value(ANY)
        return self._library.member(value, index)

    _Index = _Await  # Python 3.8 and older wrap an index

    def _ListComp(self, node: "Any") -> Value:
        outside = dict(self.names)
        self._step(len(outside))
        for part in node.generators:
            self._bind(part.target, self._evaluate(part.iter).each)
            for condition in part.ifs:
                self._evaluate(condition)
        value = self._evaluate(node.elt)
        self.names = outside
        return Value(items=[value], many=True)

    _SetComp = _GeneratorExp = _ListComp

    def _DictComp(self, node: "Any") -> None:
        node.elt = node.value
        self._ListComp(node)
        node.elt = node.key
        self._ListComp(node)
