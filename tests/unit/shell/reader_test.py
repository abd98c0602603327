"""The shell reader: sources and the commands, words, redirections and places that it finds in them."""

import random

import pytest

from memdir.shell.reader import read
from memdir.shell.syntax import ARRAY, BRACES, COMMAND, GLOB, LITERAL, PARAMETER, TILDE, Block


def texts(source: str) -> "list[list[str | None]]":
    """The words of each command; None for one that is not constant."""
    found = read(source)
    assert found.unread == []
    return [[word.text for word in command.words] for command in found.commands]


def command(source: str, index: int = 0):
    return read(source).commands[index]


def parts(source: str) -> "list[tuple[str, str]]":
    """Kind and text of the parts of the last word."""
    return [(part.kind, part.text) for part in command(source).words[-1].parts]


def places(source: str) -> "dict[str, list[str]]":
    """For each command's first word, the blocks and commands it stands in, from the inside out."""
    found = {}
    for simple in read(source).commands:
        node, chain = simple.parent, []
        while node is not None:
            chain.append(node.kind if isinstance(node, Block) else "command")
            node = node.parent
        found[simple.words[0].text] = chain[:-1]
    return found


# Where commands stand


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("a; b & c && d || e | f |& g\nh", "abcdefgh", id="lists and pipelines"),
        pytest.param("(a; b) && { c; d; }", "abcd", id="subshell and group"),
        pytest.param("if a; then b; elif c; then d; else e; fi", "abcde", id="if"),
        pytest.param("while a; do b; done; until c; do d; done", "abcd", id="while and until"),
        pytest.param("for x in 1 2; do a; done; for x; { b; }", "ab", id="for"),
        pytest.param("for ((i = 0; i < $(a); i++)); do b; done", "ab", id="arithmetic for"),
        pytest.param("select x in 1; do a; done", "a", id="select"),
        pytest.param("case x in 1|2) a;; (3) b;& *) c;;& 4) esac; d", "abcd", id="case"),
        pytest.param("f() { a; }; function g { b; }; function h () (c)", "abc", id="functions"),
        pytest.param("[[ -n $(a) && ! ( x < y ) || x =~ ^(a|b)$ ]] && b", "ab", id="test"),
        pytest.param("(( x = $(a) )); ((b); c)", "abc", id="arithmetic or subshells"),
        pytest.param("! a; time -p b; ! time c", "abc", id="not and time"),
        pytest.param("coproc a; coproc N { b; }", "ab", id="coproc"),
        pytest.param("echo $(a) `b` <(c) >(d) $((1 + $(e))) ${x:-$(f)}", ["echo", *"abcdef"], id="substitutions"),
        pytest.param('echo "$(a "$(b)") `c` ${x:-`d`}"', ["echo", *"abcd"], id="substitutions in quotes"),
        pytest.param("echo `a \\`b \\\\\\`c\\\\\\`\\``", ["echo", *"abc"], id="backquotes in backquotes"),
        pytest.param('echo "`a \\"x\\" && b`"', ["echo", *"ab"], id="escaped quotes in backquotes"),
        pytest.param("cat <<E\n$(a) `b` \\$(not)\nE\nc", ["cat", *"abc"], id="here-document"),
        pytest.param("cat <<'E'\n$(not)\nE\na", ["cat", "a"], id="quoted here-document"),
        pytest.param("x=$(a) y=(1 $(b)) z[$(c)]=1; >$(d) e", [None, "e", *"abcd"], id="assignments and redirections"),
        pytest.param("echo ${ a; } ${| b; }", ["echo", *"ab"], id="substitution in this shell"),
        pytest.param("echo $\\\n(a) <\\\n(b) `\\\na`; c &\\\n& d", ["echo", *"abacd"], id="divided operators"),
        pytest.param("true # (\na#b # 'c", ["true", "a#b"], id="comments"),
        pytest.param("echo 'a; $(b)' \"; c\" \\; d", ["echo"], id="nothing but arguments"),
        pytest.param("echo if then { } do [[ time ! coproc", ["echo"], id="reserved words as arguments"),
        pytest.param("\\if; 'if'; x=1 if; >f if", ["if", "if", "if", "if"], id="reserved words that are not"),
    ],
)
def test_every_simple_command_is_found(source, expected):
    found = [line[0] if line else None for line in texts(source)]
    assert sorted(map(str, found)) == sorted(map(str, expected))


def test_commands_come_in_the_order_of_the_text():
    assert [line[0] for line in texts("a $(b `c`) && (d; e <(f)) | g")] == list("abcdefg")


def test_more_commands_than_anybody_writes_are_all_read():
    assert texts("true; " * 500 + "rm -rf x")[-1] == ["rm", "-rf", "x"]


def test_a_place_names_what_surrounds_the_command():
    assert places('f() { if a; then b "$(c)"; fi; }; (d; while e; do g; done); h') == {
        "a": ["if", "group", "function"],
        "b": ["if", "group", "function"],
        "c": ["substitution", "command", "if", "group", "function"],
        "d": ["subshell"],
        "e": ["while", "subshell"],
        "g": ["while", "subshell"],
        "h": [],
    }


def test_functions_and_loops_have_names_and_words():
    found = read("deploy() { for target in a {b,c} $x; do run; done; }").commands[0]
    assert found.within("function").name == "deploy"
    loop = found.within("for")
    assert (loop.name, [word.text for word in loop.words]) == ("target", ["a", "b", "c", None])
    assert found.within("while") is None


def test_neighbours_in_a_pipeline_know_each_other():
    first, second, third = read("echo x | base64 -d | sh").commands
    assert (first.input, first.output, second.input, third.input) == (None, second, first, second)
    inside, after = read("{ cat; } | sh").commands
    assert after.input is inside.parent


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("a && b || c; d", "bc", id="lists"),
        pytest.param("if a; then b; elif c; then d; else e; fi; f", "bcde", id="if"),
        pytest.param("while a; do b; done; for x in 1; do c; done", "bc", id="loops"),
        pytest.param("case x in 1) a;; esac; b", "a", id="case"),
        pytest.param("a && { b; }", "", id="the group is, what stands in it follows"),
    ],
)
def test_what_may_not_run_is_conditional(source, expected):
    assert "".join([found.words[0].text for found in read(source).commands if found.conditional]) == expected


@pytest.mark.parametrize(
    ("source", "own"),
    [
        pytest.param("cd x", False, id="plain"),
        pytest.param("cd x && y", False, id="list"),
        pytest.param("{ cd x; }", False, id="group"),
        pytest.param("(cd x)", True, id="subshell"),
        pytest.param("cd x | y", True, id="pipeline"),
        pytest.param("cd x && y &", True, id="background"),
        pytest.param("y $(cd x)", True, id="substitution"),
        pytest.param("y <(cd x)", True, id="process substitution"),
    ],
)
def test_what_runs_in_a_shell_of_its_own_is_marked(source, own):
    node = next(found for found in read(source).commands if found.words[0].text == "cd")
    marks = []
    while node is not None:
        marks.append(node.subshell)
        node = node.parent
    assert any(marks) is own


def test_offsets_lead_back_to_the_text():
    source = "a 'b c' >d # e\n  x=1 f `g \\`h\\` i` <<E\n\tj $(k l)\nE"
    found = [source[simple.start : simple.end] for simple in read(source).commands]
    assert found == ["a 'b c' >d", "x=1 f `g \\`h\\` i` <<E", "g \\`h\\` i", "h", "k l"]


# Words


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        pytest.param("'a b'\"c d\"e", "a bc de", id="quotes join"),
        pytest.param("''", "", id="empty"),
        pytest.param(r"\r\m", "rm", id="backslashes"),
        pytest.param("r\\\nm", "rm", id="line continuation"),
        pytest.param('"a\\\nb\\$\\"\\`\\\\\\n"', 'ab$"`\\\\n', id="backslashes in double quotes"),
        pytest.param("'a\\\nb'", "a\\\nb", id="single quotes keep everything"),
        pytest.param(r"$'\x72\155\t\u4e2d\cA\'\q'", "rm\t中\x01'\\q", id="ansi-c"),
        pytest.param(r"$'\xe4\xb8\xad'", "中", id="bytes that make a character"),
        pytest.param(r"$'a\0b'c", "ac", id="a NUL ends the quotes' text"),
        pytest.param('$"r"m', "rm", id="translated"),
        pytest.param("a$", "a$", id="a dollar alone"),
        pytest.param("a#b", "a#b", id="number sign inside"),
        pytest.param("{a", "{a", id="brace alone"),
        pytest.param("'*'\\?", "*?", id="quoted glob characters"),
        pytest.param("a~", "a~", id="tilde inside"),
        pytest.param("[", "[", id="bracket alone"),
        pytest.param("日本語", "日本語", id="any script"),
    ],
)
def test_a_constant_word_has_its_value(word, expected):
    assert texts(f"p {word}") == [["p", expected]]


@pytest.mark.parametrize(
    "word",
    [
        "$x",
        '"$x"',
        "${x}y",
        "$(a)",
        "`a`",
        "$((1))",
        "$[1]",
        "<(a)",
        "*.c",
        "a?",
        "[ab]",
        "~",
        "~/x",
        "a=~",
        "$1",
        "$@",
    ],
)
def test_a_word_that_depends_on_something_has_none(word):
    assert command(f"p {word}").words[-1].text is None


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        pytest.param("{rm,-rf,x}", ["rm", "-rf", "x"], id="list"),
        pytest.param("a{b,}c", ["abc", "ac"], id="empty item"),
        pytest.param("{a,b{1..2}}", ["a", "b1", "b2"], id="nested"),
        pytest.param("{1..10..4}{x,y}", ["1x", "1y", "5x", "5y", "9x", "9y"], id="product"),
        pytest.param("{08..10}", ["08", "09", "10"], id="padded"),
        pytest.param("{c..a}", ["c", "b", "a"], id="letters"),
        pytest.param("{'a,b',c}", ["a,b", "c"], id="quoted comma"),
        pytest.param("x{a}{}{..}\\{a\\,b}'{a,b}'", ["x{a}{}{..}{a,b}{a,b}"], id="none"),
        pytest.param("{a}{}'b,'c,d}", ["a}{}b,c", "d"], id="brackets that close nothing"),
        pytest.param("{a,$x}", ["a", None], id="with something dynamic"),
        pytest.param("{,}", [], id="nothing left"),
    ],
)
def test_braces_expand_as_in_bash(word, expected):
    assert texts(f"p {word}") == [["p", *expected]]


@pytest.mark.parametrize("word", ["{1..99999999999}", "{a..Z}", "{1..99}{1..99}", "{a,b}" * 60, "{" * 30_000])
def test_braces_beyond_measure_are_one_dynamic_word(word):
    assert parts(f"p {word}") == [(BRACES, word)]


def test_parts_keep_what_text_cannot():
    assert parts("p a'b'*\"$x$(c)\"") == [
        (LITERAL, "a"),
        (LITERAL, "b"),
        (GLOB, "*"),
        (PARAMETER, "$x"),
        (COMMAND, "$(c)"),
    ]
    assert parts("p ~me/{x}") == [(TILDE, "~me"), (LITERAL, "/{x}")]
    assert parts("p !(a|b)") == [(GLOB, "!("), (LITERAL, "a|b"), (GLOB, ")")]


def test_a_substitution_leads_to_its_commands():
    found = read("p $(a; b)")
    block = found.commands[0].words[1].parts[0].block
    assert [simple.words[0].text for simple in found.commands if simple.parent is block] == ["a", "b"]


@pytest.mark.parametrize(
    ("word", "name", "operator", "argument"),
    [
        ("$x", "x", "", ""),
        ("${10}", "10", "", ""),
        ("${x:-a b}", "x", ":-", "a b"),
        ("${x##*/}", "x", "##", "*/"),
        ("${x//a/b}", "x", "//", "a/b"),
        ("${x:1:2}", "x", ":", "1:2"),
        ("${x@Q}", "x", "@", "Q"),
        ("${#x}", "x", "#", ""),
        ("${#}", "#", "", ""),
        ("${!x}", "x", "!", ""),
        ("${!x*}", "x", "!*", ""),
        ("${x[1]:+'}'}", "x", ":+", "}"),
    ],
)
def test_a_parameter_expansion_has_name_operator_and_argument(word, name, operator, argument):
    (part,) = command(f"p {word}").words[1].parts
    assert (part.name, part.operator, "".join([piece.text for piece in part.argument])) == (name, operator, argument)


def test_apostrophes_in_a_quoted_expansion_hide_braces_only():
    assert texts("""p "${x:-'}$(a)'}" b""") == [["p", None, "b"], ["a"]]


# Assignments


def test_assignments_stand_before_the_words():
    found = command("A=1 B+='x y' c[2]=$x d=(1 {2,3}) e= cmd f=2")
    assert [(assigned.name, assigned.append, assigned.value.text) for assigned in found.assignments] == [
        ("A", False, "1"),
        ("B", True, "x y"),
        ("c", False, None),
        ("d", False, None),
        ("e", False, ""),
    ]
    assert "".join([part.text for part in found.assignments[2].subscript]) == "2"
    (array,) = found.assignments[3].value.parts
    assert (array.kind, [word.text for word in array.words]) == (ARRAY, ["1", "2", "3"])
    assert [word.text for word in found.words] == ["cmd", "f=2"]


@pytest.mark.parametrize("source", ["1x=2", "x-y=1", "'x'=1", "x\\=1", "$x=1"])
def test_what_only_looks_like_an_assignment_is_a_word(source):
    assert not command(source).assignments
    assert len(command(source).words) == 1


def test_a_value_is_not_expanded_like_an_argument():
    assert [assigned.value.text for assigned in command("a={1,2} b=*.c c=~/x").assignments] == ["{1,2}", "*.c", None]


def test_declarations_take_arrays_and_others_do_not():
    assert [part.kind for part in command("declare -a x=(1 2) y").words[2].parts] == [LITERAL, ARRAY]
    assert read("echo x=(1)").unread


# Redirections


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("a > b", [(None, ">", "b")], id="blank"),
        pytest.param("a>>b", [(None, ">>", "b")], id="no blank"),
        pytest.param("a 2>b 10<c", [(2, ">", "b"), (10, "<", "c")], id="numbers"),
        pytest.param("a 2 >b x2>c", [(None, ">", "b"), (None, ">", "c")], id="arguments before"),
        pytest.param("a >|b <>c", [(None, ">|", "b"), (None, "<>", "c")], id="clobber, both ways"),
        pytest.param("a &>b &>>c 2>&1", [(None, "&>", "b"), (None, "&>>", "c"), (2, ">&", "1")], id="both streams"),
        pytest.param("a >&- <&3-", [(None, ">&", "-"), (None, "<&", "3-")], id="closed and moved"),
        pytest.param("a {fd}>b", [("fd", ">", "b")], id="named"),
        pytest.param("> b", [(None, ">", "b")], id="alone"),
        pytest.param("a <<<'b c'", [(None, "<<<", "b c")], id="here-string"),
        pytest.param("a > '.e'n\"v\"", [(None, ">", ".env")], id="quoted"),
        pytest.param("a > $x > *.c", [(None, ">", None), (None, ">", None)], id="dynamic"),
        pytest.param("a >\\\n> b 2\\\n>c", [(None, ">>", "b"), (2, ">", "c")], id="divided"),
    ],
)
def test_redirections_have_descriptor_operator_and_target(source, expected):
    found = command(source)
    assert [(each.fd, each.operator, each.target.text) for each in found.redirections] == expected
    assert read(source).unread == []


@pytest.mark.parametrize("source", ["a '>' b", "a \\> b", 'a "2>b"', "a <(b)", "a x=1"])
def test_other_words_are_not_redirections(source):
    assert command(source).redirections == []


def test_a_compound_command_has_its_own_redirections():
    loop = command("while read x; do y; done < in > out").within("while")
    assert [(each.operator, each.target.text) for each in loop.redirections] == [("<", "in"), (">", "out")]


def test_a_block_without_commands_can_write_as_well():
    for source in ("[[ a ]] > x", "(( 1 )) > x", "case a in esac > x"):
        (block,) = read(source).blocks
        assert [each.target.text for each in block.redirections] == ["x"]


@pytest.mark.parametrize(
    ("source", "body", "quoted"),
    [
        pytest.param("a <<E\nb $x\nE\n", None, False, id="expands"),
        pytest.param('a <<E\nb \\$x "c"\nE\n', 'b $x "c"\n', False, id="constant"),
        pytest.param("a <<'E'\nb $x `\nE\n", "b $x `\n", True, id="quoted"),
        pytest.param("a <<\\E\n$x\nE\n", "$x\n", True, id="backslash"),
        pytest.param("a <<-E\n\tb\n\t c\n\tE\n", "b\n c\n", False, id="tabs"),
        pytest.param("a <<E | b\nc\nE\n", "c\n", False, id="the line goes on"),
        pytest.param("a <<E\nb\\\nc\nE\\\n\n", "bc\n", False, id="line continuations"),
        pytest.param("a <<E\nE", "", False, id="empty"),
        pytest.param("a <<E\nb", "b", False, id="ends with the text"),
        pytest.param("a <<'E F'\nb\nE F\n", "b\n", True, id="delimiter with a blank"),
        pytest.param("a <<$x\nb\n$x\n", "b\n", False, id="delimiter is not expanded"),
    ],
)
def test_a_here_document_has_a_body(source, body, quoted):
    (found,) = [each for each in command(source).redirections if each.operator in ("<<", "<<-")]
    assert (found.body.text, found.quoted) == (body, quoted)
    assert read(source).unread == []


def test_here_documents_follow_their_line_in_order():
    found = command('a <<A 3<<B "x\ny" && b\n1\nA\n2\nB\nc')
    assert [each.body.text for each in found.redirections] == ["1\n", "2\n"]
    assert texts("a <<A\n1\nA\nc") == [["a"], ["c"]]


def test_a_here_document_in_a_substitution_may_end_with_it():
    assert texts("x=$(a <<E\nb\nE)\nc") == [[], ["a"], ["c"]]
    assert texts("x=$(a <<E); b\n$(c)\nE\nd") == [[], ["a"], ["b"], ["c"], ["d"]]


# What is not understood


@pytest.mark.parametrize(
    ("source", "offset"),
    [
        ("a; (b", 5),
        ("a 'b", 2),
        ('a "b$(c', 7),
        ("a `b", 2),
        ("a ${b", 2),
        ("if a; b; fi", 9),
        ("a )", 2),
        ("a;;b", 1),
        ("a | | b", 4),
        ("echo a(b)", 6),
        ("a >", 3),
        ("for x in a; b", 12),
        ("f() a", 4),
        ("a \0 b", 2),
        ("a ${b c}", 2),
        ("a `b)`", 4),
        ("cat <<E\n$(a\nE\n", 12),
        ("a[1 x", 1),
        ("fi", 0),
    ],
)
def test_what_is_not_understood_is_said_with_its_place(source, offset):
    assert [found for found, _ in read(source).unread] == [offset]


def test_what_stands_before_an_error_is_kept():
    found = read("rm -rf x\necho )")
    assert [word.text for word in found.commands[0].words] == ["rm", "-rf", "x"]
    assert found.unread == [(14, "`)` is unexpected here")]


def test_an_error_inside_backquotes_or_a_here_document_stays_there():
    assert [simple.words[0].text for simple in read("a `(`\nb").commands] == ["a", "b"]
    assert [simple.words[0].text for simple in read("a <<E\n${\nE\nb").commands] == ["a", "b"]


@pytest.mark.parametrize(
    "piece",
    ["$(", "`", '"', "'", "{", "<<", "<<E\n", "${", "$((", "((", "[[ ", "a[", "$[", "\\", "\\\n", '"${', '"$(',
     "$(cat <<E\n", "{a,", "*", "[", ":~", "! ", "time ", "f(){ ", "if ", "case x in a) ", "for x in ", "a|", "<(",
     "@(", "a=(", "$'", "#", "$(x <<E)\n", "${a[", "${a:-", '"${a:-"', "`\\`", '"$((1)" ', "coproc ", "1>", "a b ",
     "declare a=(", "x=`y` ", "<<-E\n\tb\n", "{}", ";;"],
)  # fmt: skip
def test_no_repetition_is_too_much(piece):
    source = piece * (20_000 // len(piece))
    assert all([0 <= offset <= len(source) for offset, _ in read(source).unread])


def test_nesting_has_an_end_that_is_said():
    assert read("$(" * 30 + "a" + ")" * 30).unread == []
    assert read("$(" * 100 + "a" + ")" * 100).unread == [(82, "this nests deeper than 40 levels")]


def test_no_text_makes_it_raise():
    pieces = [*" \n\t;&|()<>'\"`$\\{}[]#!*?~=abc1,.-é\0\ud800", "$(", "${", "<<E", "EOF\n", "if ", "then ", "fi",
              "do ", "done", "case ", " in ", "esac", "[[ ", " ]]", "$((", "))", "f() {", "for x in ", "\\\n", "<<<",
              "&>", "declare ", "a=(", "time ", "coproc ", "$'", "\\x", "\\c", "{1..3}", "{a,b}"]  # fmt: skip
    for seed in range(5000):
        choose = random.Random(seed)
        source = "".join([choose.choice(pieces) for _ in range(choose.randint(1, 40))])
        found = read(source)
        assert all([0 <= simple.start <= simple.end <= len(source) for simple in found.commands]), source
