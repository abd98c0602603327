"""JavaScript, Perl, Ruby, PHP and AppleScript: their expressions one after the other, blocks as they come."""

from memdir.shell.arguments import ANY, NAME
from memdir.shell.code_effects import TOO_LONG, UNKNOWN_TEXT, Effects, Value, glued, united
from memdir.shell.code_functions import Functions
from memdir.shell.code_tokens import CODE, COMMAND, GLOB, LAST, LINE, NUMBER, REGEX, SIGN, TEXT, WORD, Token, tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

MAX_TOKENS = 100_000
MAX_DEPTH = 60
MAX_INNER = 6  # code in texts of code
_PREFIXES = frozenset("! - + ~ \\ & * ** ... ++ --".split())
_PREFIX_WORDS = frozenset(
    """typeof new await not void return yield my our local const let var delete throw async export default then else
    static public private protected echo print""".split()
)
_ENDS = frozenset(") ] } , ; :".split())
# Words after which a call without parentheses is over, and those that stand between expressions.
_MODIFIERS = frozenset("if unless while until for foreach and or not do end then else elsif rescue ensure xor".split())
_MEMBERS = {
    "javascript": (".", "?."),
    "perl": ("->",), "ruby": (".", "::", "&."), "php": ("->", "::", "?->"), "applescript": (),
}  # fmt: skip
_JOINS = {"javascript": "+", "perl": ".", "ruby": "+", "php": ".", "applescript": "&"}
_ALTERNATIVES = ("||", "??", "//", "or")
_ASSIGNMENTS = frozenset("= ||= ??= //= := += .= <<=".split())


class _Stopped(Exception):
    """The code is too deep or too long."""


def run(language: str, code: str, effects: Effects) -> None:
    """Finds what the code does."""
    if not code.strip(ANY + NAME + " \n;"):
        if code.strip():
            effects.doubt(UNKNOWN_TEXT)
        return
    try:
        Script(language, effects).run(code)
    except (_Stopped, RecursionError):
        effects.doubt(TOO_LONG)


class Script:
    """`names` are the variables that hold something known; one that is assigned twice is any text."""

    def __init__(self, language: str, effects: Effects) -> None:
        self.language = language
        self.effects = effects
        self.names: "dict[str, Value]" = {}
        self._functions = Functions(language, effects, self.run)
        self._tokens: "list[Token]" = []
        self._at = 0
        self._depth = 0
        self._inner = 0
        self._read = 0
        self._twice: "set[str]" = set()
        self._element: "Optional[Value]" = None  # what the block or arrow function that comes gets

    def run(self, code: str) -> Value:
        """Runs code, that of a text in the code included; gives the value of its last expression."""
        if self._inner >= MAX_INNER:
            raise _Stopped
        outside = self._tokens, self._at
        self._inner += 1
        self._tokens, self._at = tokens(self.language, code), 0
        self._read += len(self._tokens)
        if self._read > MAX_TOKENS:
            raise _Stopped
        self._count_assignments()
        value = Value(ANY)
        while self._token.kind != LAST:
            before = self._at
            value = self._expression()
            if self._at == before:
                self._at += 1
        self._inner -= 1
        self._tokens, self._at = outside
        return value

    def _count_assignments(self) -> None:
        once: "set[str]" = set()
        for token, after in zip(self._tokens, self._tokens[1:]):
            if token.kind == WORD and after.kind == SIGN and after.text in _ASSIGNMENTS:
                (self._twice if token.text in once else once).add(token.text)

    # Tokens

    @property
    def _token(self) -> Token:
        return self._tokens[self._at]

    def _sign(self, *texts: str) -> bool:
        token = self._token
        return token.kind == SIGN and token.text in texts

    def _take(self, *texts: str) -> bool:
        taken = self._sign(*texts)
        self._at += taken
        return taken

    def _lines(self) -> None:
        while self._token.kind == LINE:
            self._at += 1

    def _next(self) -> Token:
        """The token after this one, which is not the last."""
        return self._tokens[min(self._at + 1, len(self._tokens) - 1)]

    # Expressions

    def _expression(self) -> Value:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise _Stopped
        self._lines()
        name = self._token.text if self._token.kind == WORD else ""
        left = self._operand()
        while True:
            if self.language != "ruby" and self._token.kind == LINE:
                self._lines()
            token = self._token
            if token.kind == WORD and token.text in ("of", "in"):
                self._at += 1
                variable = self._last_name(name)
                self._assign(variable, left, self._expression().each)
            elif token.kind != SIGN or token.text in _ENDS or token.text in ("(", "[", "{", "|"):
                break
            elif token.text in _ASSIGNMENTS:
                self._at += 1
                variable = self._last_name(name)
                value = self._expression()
                self._assign(variable, left, value if token.text in ("=", "||=", "??=", "//=") else Value(ANY))
                left = value
            else:
                left = self._operation(token.text, left)
        self._depth -= 1
        return left

    def _operation(self, sign: str, left: Value) -> Value:
        """Takes an operator and what is right of it."""
        self._at += 1
        if sign == "=>" and self.language == "javascript":
            arrow = self._expression()
            arrow.kind = "function"
            return arrow
        right = self._operand()
        if sign == _JOINS[self.language] and not (left.kind == right.kind == "number"):
            return glued(left, right)
        if sign in _ALTERNATIVES:
            return united([left, right])
        if sign == "/" and left.kind == "path":
            return self._functions.joined([left, right])
        return Value(ANY)

    _seen_name = ""

    def _last_name(self, name: str) -> str:
        """The variable left of `=`, after `const` and its like."""
        return self._seen_name if name in _PREFIX_WORDS or name in ("for", "foreach") else name

    def _assign(self, name: str, target: Value, value: Value) -> None:
        if target.options and value.ref:  # const {rm, cp: copy} = require("fs")
            for key, alias in target.options.items():
                self.names[alias.ref or key] = self._functions.member(value, key)
        elif target.items is not None and target.items:
            for item in target.items:
                if item.ref:
                    self._bind(item.ref, value.each)
        elif name:
            self._bind(name, value)

    def _bind(self, name: str, value: Value) -> None:
        self.names[name] = value if name not in self._twice or value.ref else Value(ANY)
        if self.language == "perl" and name[:1] in "$@":
            other = ("@" if name[0] == "$" else "$") + name[1:]
            if value.items is not None:
                self.names[other] = value

    def _operand(self) -> Value:
        self._lines()
        token = self._token
        while (token.kind == SIGN and token.text in _PREFIXES) or (token.kind == WORD and token.text in _PREFIX_WORDS):
            if token.kind == WORD and self._next().kind == SIGN and self._next().text in (".", "->", "=>", ":", "="):
                break
            self._at += 1
            self._lines()
            token = self._token
        if token.kind == LAST or (token.kind == SIGN and token.text in _ENDS):
            return Value(ANY)
        if token.kind == WORD:
            return self._postfix(self._word())
        self._at += 1
        if token.kind == TEXT:
            return self._postfix(self._text(token))
        if token.kind == SIGN:
            return self._postfix(self._grouped(token.text)) if token.text in ("(", "[", "{") else Value(ANY)
        if token.kind == COMMAND:
            self.effects.shell(self._text(token))
        elif token.kind == CODE:
            self._text(token)
        elif token.kind == GLOB:
            return Value(token.text) if token.text == NAME else Value(items=[Value(token.text)], many=True)
        elif token.kind == NUMBER:
            number = Value(token.text)
            number.kind = "number"
            return self._postfix(number)
        elif token.kind == REGEX:
            return self._postfix(Value(ANY))
        return Value(ANY)

    def _text(self, token: Token) -> Value:
        pieces = [self._hole(part) if code else Value(part) for code, part in token.parts]
        if token.words and len(pieces) == 1:
            return Value(items=[Value(word) for word in pieces[0].texts[0].split()])
        return glued(*pieces) if pieces else Value("")

    def _hole(self, code: str) -> Value:
        if code in self.names:
            return self.names[code]
        if code[:1] in ("$", "@") and code[1:].isidentifier():
            return self._functions.variable(code)
        value = self.run(code)
        return value if value.items is None or self.language != "perl" else value.each

    def _grouped(self, opening: str) -> Value:
        """What stands in brackets; a block and an object literal are read alike."""
        element, self._element = self._element, None
        if opening == "{" and element is not None and self._take("|"):
            self._block_parameters(element)
        closing = {"(": ")", "[": "]", "{": "}"}[opening]
        values: "list[Value]" = []
        options: "dict[str, Value]" = {}
        key = ""
        self._lines()
        while self._token.kind != LAST and not self._sign(closing):
            if self._take(",", ";", ":"):
                self._lines()
                continue
            before = self._at
            token = self._token
            value = self._expression()
            if self._take(":") or (
                opening == "{" and self.language == "ruby" and self._tokens[self._at - 1].text == "=>"
            ):
                key = token.text or (value.constant or "")
            elif key:
                options[key] = value
                key = ""
            else:
                values.append(value)
                if opening == "{" and token.kind == WORD:
                    options.setdefault(token.text, value)
            if self._at == before:
                if self._sign(")", "]", "}"):
                    break
                self._at += 1
            self._lines()
        self._take(closing)
        if opening == "(" and len(values) == 1:
            return values[0]
        group = Value(ANY)
        group.options = options
        if opening != "{":
            group.items = values
        else:
            group.kind = "group"
        return group

    def _block_parameters(self, element: Value) -> None:
        """`|name|` after its first bar."""
        if self._token.kind == WORD:
            self._bind(self._token.text, element)
        while self._token.kind not in (LAST, LINE) and not self._take("|"):
            self._at += 1

    # Names and calls

    def _word(self) -> Value:
        word = self._token.text
        self._at += 1
        if word == "import" and self.language == "javascript" and not self._sign("("):
            self._import()
            return Value(ANY)
        if word in ("do", "sub", "function", "def", "if", "unless", "while", "for", "foreach", "elsif", "end", "class"):
            if word == "do" and self._element is not None and self._take("|"):
                element, self._element = self._element, None
                self._block_parameters(element)
            elif word == "foreach" or (word == "for" and self.language == "perl"):
                self._perl_loop()
            elif word in ("sub", "function", "def", "class") and self._token.kind == WORD:
                self._at += 1
            return Value(ANY)
        if word == "shell" and self.language == "applescript" and self._token.text == "script":
            self._at += 1
            return Value(ref="do shell script")
        self._seen_name = word
        if word in self.names:
            return self.names[word]
        return self._functions.variable(word)

    def _perl_loop(self) -> None:
        """`for my $x (...)`, whose list comes after the variable; `for (...)` sets $_."""
        if self._token.kind == WORD and self._token.text in ("my", "our"):
            self._at += 1
        name = "$_"
        if self._token.kind == WORD and self._token.text[:1] == "$":
            name = self._token.text
            self._at += 1
        if self.language == "perl" and self._take("("):
            values = self._grouped("(")
            self.names[name] = values.each if values.items is not None else united([values])

    def _import(self) -> None:
        """`import fs, {rm as remove} from "fs"` after its first word; `import "fs"` has no name."""
        names: "list[tuple[str, str]]" = []
        while self._token.kind not in (LAST, TEXT) and not self._sign(";"):
            token = self._token
            self._at += 1
            if token.kind == WORD and token.text == "as":
                member = names.pop()[0] if names else ""
                names.append((member, self._token.text))
                self._at += 1
            elif token.kind == WORD and token.text not in ("from", "type"):
                inside = self._sign(",", "}") or (self._token.kind == WORD and self._token.text == "as")
                names.append((token.text if inside else "", token.text))
            elif token.kind == SIGN and token.text == "*":
                names.append(("", "*"))
        if self._token.kind == TEXT:
            module = self._functions.module(self._text(self._token))
            self._at += 1
            for member, name in names:
                whole = member in ("", "*", "default")
                found = Value(ref=module)
                self.names[name] = found if whole else self._functions.member(found, member)

    def _postfix(self, value: Value) -> Value:
        """Members, subscripts and calls that follow an operand."""
        while True:
            token = self._token
            if token.kind == LINE and self._continues():
                self._lines()
            elif token.kind == SIGN and token.text in _MEMBERS[self.language] and self._next().kind in (WORD, SIGN):
                self._at += 1
                if self._token.kind == WORD:
                    value = self._functions.member(value, self._token.text)
                    self._at += 1
            elif token.kind == SIGN and token.text == "(" and self._calls(value, token):
                self._at += 1
                value = self._functions.call(value, self._arguments(value))
            elif token.kind == SIGN and token.text == "[" and not (token.spaced and self._bare(value)):
                self._at += 1
                value = self._functions.subscript(value, self._grouped("["))
            elif token.kind == SIGN and token.text == "{" and self.language == "perl" and not token.spaced:
                if not self._hash(value):
                    return value
                self._at += 1
                key = self._grouped("{")
                value = self._functions.subscript(value, key)
            elif token.kind == TEXT and value.ref == "$" and self.language == "javascript":
                self._at += 1
                self.effects.shell(self._text(token))
            elif self._bare(value) and self._begins_operand(token):
                value = self._functions.call(value, self._bare_arguments())
            elif self.language == "ruby" and self._block_follows(value):
                pass
            elif self._bare(value) and self.language in ("perl", "ruby") and not self._sign("=>", "=", "}", ":"):
                value = self._functions.call(value, [])
            else:
                return value

    def _continues(self) -> bool:
        """Whether the next line goes on with a member."""
        at = self._at
        while self._tokens[at].kind == LINE:
            at += 1
        token = self._tokens[at]
        return token.kind == SIGN and token.text in _MEMBERS[self.language]

    def _calls(self, value: Value, token: Token) -> bool:
        return not (self.language == "ruby" and token.spaced and not self._bare(value))

    def _hash(self, value: Value) -> bool:
        """Whether a brace after it is a subscript: `$x{`, `->{`, `}{`."""
        before = self._tokens[self._at - 1]
        return before.text[:1] in ("$", "%", "@") or before.text in ("->", "}", "]", "ENV")

    def _bare(self, value: Value) -> bool:
        """Whether it is a function that is called without parentheses too."""
        return self.language != "javascript" and self._functions.is_function(value)

    def _begins_operand(self, token: Token) -> bool:
        if token.kind == WORD:
            return token.text not in _MODIFIERS and token.spaced
        if token.kind == SIGN:
            return token.text == "[" or (
                token.text in ("-", "*", "\\", "&") and token.spaced and not self._next().spaced
            )
        return token.kind in (TEXT, COMMAND, NUMBER, GLOB)

    def _bare_arguments(self) -> "list[Value]":
        args = [self._expression()]
        while self._take(",", "=>"):
            self._lines()
            args.append(self._expression())
        return args

    def _arguments(self, function: Value) -> "list[Value]":
        """Those in parentheses, after the opening one."""
        element = function.owner.each if function.owner is not None and function.owner.items else None
        args: "list[Value]" = []
        self._lines()
        while self._token.kind != LAST and not self._sign(")"):
            before = self._at
            if element is not None:
                self._arrow_parameter(element)
            args.append(self._argument())
            if not self._take(",", "=>") and self._at == before:
                if self._sign("]", "}"):
                    break
                self._at += 1
            self._lines()
        self._take(")")
        return args

    def _argument(self) -> Value:
        """One argument; a named one, `recursive: true`, is an object of one member."""
        name = self._token.text
        value = self._expression()
        if self.language in ("ruby", "php") and self._take(":"):
            named = Value(ANY)
            named.kind = "group"
            named.options = {name: self._expression()}
            return named
        return value

    def _arrow_parameter(self, element: Value) -> None:
        """`f => ...` and `(f) => ...` as an argument of a list's method."""
        at = self._at + self._sign("(")
        name, after = self._tokens[at], self._tokens[min(at + 1, len(self._tokens) - 1)]
        if (
            name.kind == WORD
            and after.kind == SIGN
            and (after.text in (")", ",") if at > self._at else after.text == "=>")
        ):
            self._bind(name.text, element)

    def _block_follows(self, value: Value) -> bool:
        """Ruby's `.each { |x|` and `.each do |x|`: the parameter is a member of what it is called on."""
        token, after = self._token, self._next()
        opens = (token.kind == SIGN and token.text == "{") or (token.kind == WORD and token.text == "do")
        if not opens or after.kind != SIGN or after.text != "|":
            return False
        owner = value.owner if value.owner is not None else value
        self._element = owner.each if owner.items else Value(NAME) if owner.texts == [NAME] else Value(ANY)
        if token.text == "do":
            self._at += 2
            element, self._element = self._element, None
            self._block_parameters(element)
            return True
        self._at += 1
        self._grouped("{")
        return True
