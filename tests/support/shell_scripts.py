"""Shell scripts made at random from every form that the reader knows, with the commands that went into them."""

from random import Random

NAMES = "git ls cat npm make echo rm grep docker sed kubectl cp mv python3 tee".split()
PLAIN = (
    "status -a --long=x file.txt ./dir/a-b /usr/bin 12 a=b x:y user@host 100% HEAD~1 a,b 日本語 +x -- if done a#b"
).split()
VARIABLES = "x HOME foo_1 PATH".split()
OPERATORS = ": :- := :+ - + # ## % %% / // ^ ^^ , ,,".split()


class Script:
    """`commands`: the words of each simple command as they stand in the text; `forms`: what it is made of."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._depth = 0
        self._delimiters = 0
        self._substitutions = 0
        self._bodies: "list[str]" = []  # of here-documents that begin after this line
        self.commands: "list[list[str]]" = []
        self.forms: "set[str]" = set()
        self.text = self._list(self._random.randint(1, 3))
        self.text += self._line_end() if self._bodies or self._chance(0.5) else ""

    def _chance(self, probability: float) -> bool:
        return self._random.random() < probability

    def _one(self, *choices: str) -> str:
        return self._random.choice(choices)

    def _form(self, name: str) -> str:
        self.forms.add(name)
        return name

    def _line_end(self) -> str:
        text = self._one("\n", "\n", ' # it\'s a "comment" $( `\n', "\n\n") + "".join(self._bodies)
        self._bodies.clear()
        return text

    # Lists

    def _list(self, count: int = 1) -> str:
        text = self._pipeline()
        for _ in range(count - 1):
            link = self._one(
                " && ", "&&", " || ", "; ", " ; ", " & ", "NEWLINE", " &&NEWLINE", " | ", "|", " |& ", " ||NEWLINE "
            )
            if "NEWLINE" in link:
                link = link.replace("NEWLINE", self._line_end())
            text += link
            piped = "|" in link.replace("||", "")
            text += self._command() if piped else self._pipeline()
        return text

    def _closed_list(self) -> str:
        """A list that a reserved word may follow."""
        return self._list(self._random.randint(1, 2)) + (
            self._one("; ", ";", " & ") if self._chance(0.7) else self._line_end()
        )

    def _pipeline(self) -> str:
        if self._chance(0.06):
            return self._form(self._one("!", "time", "time -p", "! time")) + " " + self._simple()
        return self._command()

    def _command(self) -> str:
        if self._depth > 3 or self._chance(0.72):
            return self._simple()
        self._depth += 1
        kind = self._one(
            "if",
            "while",
            "for",
            "case",
            "group",
            "subshell",
            "function",
            "test",
            "arithmetic",
            "for_arithmetic",
            "select",
            "coproc",
        )
        text = getattr(self, "_" + self._form(kind))()
        if kind != "coproc" and self._chance(0.2):
            text += " " + self._redirection()
        self._depth -= 1
        return str(text)

    def _if(self) -> str:
        text = f"if {self._closed_list()}then {self._closed_list()}"
        if self._chance(0.3):
            text += f"elif {self._closed_list()}then {self._closed_list()}"
        if self._chance(0.4):
            text += f"else {self._closed_list()}"
        return text + "fi"

    def _while(self) -> str:
        return f"{self._one('while', 'until')} {self._closed_list()}do {self._closed_list()}done"

    def _for(self) -> str:
        words = "".join([" " + self._word() for _ in range(self._random.randint(0, 3))])
        self.forms.add("for" if words else "for without words")
        return f"for x in{words}; do {self._closed_list()}done"

    def _select(self) -> str:
        return f"select x in {self._word()}; do {self._closed_list()}done"

    def _for_arithmetic(self) -> str:
        return f"for (( i = 0; i < {self._random.randint(1, 9)}; i++ )); do {self._closed_list()}done"

    def _case(self) -> str:
        text = f"case {self._word()} in "
        items = self._random.randint(0, 3)
        self.forms.add("case" if items else "empty case")
        for _ in range(items):
            patterns = self._one("a|b", "*.txt", '"x y"', "[0-9]*", "(a", "-h | --help")
            body = self._list() if self._chance(0.8) else ""
            body += self._line_end() if self._bodies else ""
            end = self._form(self._one(";&", ";;&")) if self._chance(0.2) else ";;"
            text += f"{patterns}) {body} {end} "
        return text + "esac"

    def _group(self) -> str:
        return "{ " + self._closed_list() + "}"

    def _subshell(self) -> str:
        text = self._list(self._random.randint(1, 2))
        return f"({' ' if text[0] == '(' else ''}{text}{self._line_end() if self._bodies else ''})"

    def _function(self) -> str:
        return self._one("f() ", "function f ", "f-g () ", "function f() ") + self._group()

    def _test(self) -> str:
        test = self._one(
            "-f FILE", "FILE == *.txt", "-n FILE && ! ( FILE < b )", "FILE =~ ^(a|b)+$", "FILE != x || -z FILE"
        )
        operand = self._quoted() if self._chance(0.3) else self._one("$x", "a")
        return f"[[ {test.replace('FILE', operand, 1).replace('FILE', 'b')} ]]"

    def _arithmetic(self) -> str:
        return self._one("(( x = 1 + 2 ))", "((x++))", "(( (x + 1) * 2 > 3 ))")

    def _coproc(self) -> str:
        return "coproc " + self._one("", "N ") + self._group()

    # Simple commands

    def _simple(self) -> str:
        pieces = []
        if self._chance(0.05):
            self._form("redirection first")
            pieces.append(self._redirection())
        pieces += [self._assignment() for _ in range(self._random.choice((0, 0, 0, 0, 1, 2)))]
        if pieces and self._chance(0.2):
            return self._join(pieces)
        words = [self._one(*NAMES)]
        pieces.append(words[0])
        for _ in range(self._random.randint(0, 4)):
            if self._chance(0.15):
                pieces.append(self._redirection())
            else:
                words.append(self._word())
                pieces.append(words[-1])
        self.commands.append(words)
        return self._join(pieces)

    def _join(self, pieces: "list[str]") -> str:
        text = pieces[0]
        for piece in pieces[1:]:
            text += (
                self._form("continuation") and " \\\n  " if self._chance(0.05) else self._one(" ", " ", " ", "  ", "\t")
            )
            text += piece
        return text

    def _assignment(self) -> str:
        name = self._one(*VARIABLES)
        if not self._substitutions and self._chance(0.15):  # in one, bash 5.2 loses escapes, and arrays after `time`
            self._form("array")
            return f"{name}{self._one('=', '+=')}({' '.join([self._part() for _ in range(2)])})"
        if self._chance(0.1):
            return self._form("subscript") and f"{name}[{self._one('1', '$x', 'i + 1')}]={self._word()}"
        value = self._word() if self._chance(0.8) else ""
        self.forms.add("assignment" if value else "empty assignment")
        return f"{name}{self._one('=', '=', '+=')}{value}"

    def _redirection(self) -> str:
        kind = self._random.random()
        if kind < 0.2 and self._depth < 3:
            return self._here_document()
        if kind < 0.3:
            return self._form("here-string") and "<<<" + self._one("", " ") + self._word()
        if kind < 0.45:
            return self._form(">&-") if self._chance(0.3) else self._one("2>&1", ">&2", "<&3")
        if kind < 0.5:
            return self._form("named descriptor") and "{fd}>" + self._one(*PLAIN[:4])
        if kind < 0.53:
            return self._form("<>") + "file"
        operator = self._one(">", ">>", "<", "2>", "2>>", "&>", "&>>", ">|")
        return operator + self._one("", " ") + self._one("out.txt", "/dev/null", '"$x/log"', "'a b'", "$x")

    def _here_document(self) -> str:
        self._form("here-document")
        strip = self._one("", "-")
        self._delimiters += 1
        delimiter = f"EOF{self._delimiters}"
        word = self._one(delimiter, f"'{delimiter}'", f'"{delimiter}"', f"\\{delimiter}")
        lines = ["it's text", 'a "b" c', "", "  rm -rf x", "EOF"]
        self._random.shuffle(lines)
        lines = lines[: self._random.randint(0, 4)]
        if word != delimiter:
            lines.append("$(not a command) `nor this` \\")
        elif self._chance(0.4):
            self.commands.append(["ls", '"$x"'])
            lines.append('${x:-y} $(ls "$x") \\$(not this) $x')
        tab = "\t" if strip and self._chance(0.7) else ""
        self._bodies.append("".join([f"{tab}{line}\n" for line in [*lines, delimiter]]))
        return f"<<{strip}{word}"

    # Words

    def _word(self) -> str:
        if self._chance(0.45):
            return self._one(*PLAIN)
        return "".join([self._part() for _ in range(self._random.choice((1, 1, 1, 2, 3)))])

    def _part(self) -> str:
        choice = self._random.randint(0, 13)
        if choice < 3:
            return self._quoted()
        if choice < 5:
            return self._parameter(quoted=False)
        if choice < 7:
            return self._substitution()
        if choice == 7:
            return self._form("ansi-c") and self._one(r"$'a\tb'", r"$'\x41\u00e9'", r"$'it\'s'")
        if choice == 8:
            return self._form("glob") and self._one("*", "*.py", "[a-c]x", "?")
        if choice == 9:
            return self._form("braces") and self._one("{a,b}", "{1..3}", "x{,.bak}", "{}")
        if choice == 10:
            return self._form("arithmetic expansion") and self._one("$((1+2))", "$(( (x + 1) * 2 ))", "$((x<<2))")
        if choice == 11:
            self._form("escape")
            return self._one(r"\ ", r"\$", r"a\"b", r"\\", r"\;")
        if choice == 12 and self._depth < 3:
            self._form("process substitution")
            text = self._inside()
            return f"{self._one('<', '>')}({' ' if text[0] == '(' else ''}{text})"
        if choice == 13 and self._chance(0.1):
            return self._form("{")
        return self._one("word", "~", "é", "a.b", "'x'")

    def _quoted(self) -> str:
        if self._chance(0.4):
            return self._one("'a b'", "'$(not)'", "''", "'\"'", "'# no'", "'a\nb'", "'\\'", "'中文 字'")
        inside = [
            self._one(
                "a b", "it's", '\\"q\\"', "# no", " ; rm ", "\\$x", "\n", "日本", "$ ", "a\\b", "{a,b}", "*", "\\\n"
            )
            for _ in range(self._random.randint(0, 2))
        ]
        if self._chance(0.3):
            inside.append(self._parameter(quoted=True))
        if self._chance(0.2):
            self._form("substitution in quotes")
            inside.append(self._substitution(quoted=True))
        if "\\\n" in inside:
            self._form("continuation")
        return '"' + "".join(inside) + '"'

    def _parameter(self, *, quoted: bool) -> str:
        name = self._one(*VARIABLES, "1", "@", "?")
        if self._chance(0.5):
            return f"${name}"
        self._form("parameter expansion")
        if self._chance(0.3):
            return self._one(f"${{{name}}}", "${#x}", "${!x}", "${x[0]}", "${x[@]}", "${#x[@]}", "${x@Q}", "${x:1:2}")
        argument = self._one("a", "", "$x", "a*b") if quoted else self._one("a", "", "'a}b'", '"a b"', "$x", "a b")
        argument = self._substitution(quoted=quoted) if self._chance(0.15) else argument
        return f"${{x{self._one(*OPERATORS)}{argument}}}"

    def _substitution(self, *, quoted: bool = False) -> str:
        if self._chance(0.2):
            self._form("backquotes")
            self.commands.append(["date", "+%s"])
            return "`date +%s`"
        if self._depth > 3:
            self.commands.append(["pwd"])
            return "$(pwd)"
        self._form("substitution")
        text = self._inside()
        return f"$({' ' if text[0] == '(' else ''}{text})"

    def _inside(self) -> str:
        """A list with the bodies of its own here-documents."""
        outer, self._bodies = self._bodies, []
        self._depth += 1
        self._substitutions += 1
        text = self._list(self._random.randint(1, 2))
        text += self._line_end() if self._bodies else ""
        self._depth -= 1
        self._substitutions -= 1
        self._bodies = outer
        return text


def mutated(text: str, seed: int) -> str:
    """The text with one character or operator taken out, put in or replaced, as people mistype."""
    random = Random(seed)
    at = random.randrange(len(text))
    piece = random.choice(
        ["", "(", ")", "'", '"', "`", "{", "}", ";", "|", "&", "fi", " done ", " do ", "\\", "\n", ";;", "$("]
    )
    return text[:at] + piece + text[at + random.randint(0, 1) :]


_PIECES = (
    "a b x1 -f / . = , .. { } {a,b} {1..3} {c..a} {01..3} {,x} {} 日本 1 5 é : % + ^ @ ! ] {1..9..4} {-2..2} {a,{b,c}} "
    "{a} a,b"
).split()
_QUOTED = [
    *["'a b'", "''", "'{a,b}'", "'\\'", "'\"'", '"a b"', '""', '"\'"', '"\\""', '"\\\\"', '"\\$x"', '"\\a"', '"{a,b}"'],
    *['"a\\\nb"', "\\ ", "\\\\", "\\'", "\\{", "\\,", "\\*", "\\~", "\\\n", "'中文 ；'", "\\é", '"*"', "'a\nb'", '"#"'],
    *['$"a b"', "'$(rm)'", "'a;b|c&d'", "'`'"],
]
_ESCAPES = r"""
    a é \n \t \x41 \x4 \xe4\xb8\xad \101 \7 \u4e2d \u41 \u00e9 \U0001f600 \cA \' \" \\ \q \e \? \0 \x \u \c \c? \c[ \777
""".split()


def constant_word(seed: int) -> str:
    """A word of literals, quotes, escapes and braces: nothing in it depends on anything, and it cannot do anything."""
    random = Random(seed)
    word = ""
    for _ in range(random.randint(1, 7)):
        choice = random.random()
        if choice < 0.55:
            word += random.choice(_PIECES)
        elif choice < 0.85:
            word += random.choice(_QUOTED)
        else:
            word += "$'" + "".join([random.choice(_ESCAPES) for _ in range(random.randint(0, 3))]) + "'"
    return word
