"""What puts a text into files where it may not stand, and what does not."""

import json

import pytest

from memdir.rules.guards import no_content
from memdir.shell.analysis import analyse
from support.calls import Files, call, cases, decision, pipeline

RULE = "console.log in src/**"
HELD = "a()\nconsole.log(1)\n"
NOTEBOOK = json.dumps({"cells": [{"id": "c1", "source": ["console.log(1)\n"]}, {"id": "c2", "source": "1"}]})
FILES = Files({"/proj/src/held.ts": HELD, "/proj/src/any.ts": "let a: unknown = 1\n", "/proj/src/n.ipynb": NOTEBOOK})


def judge_tool(tool, tool_input, rule=RULE, base="/proj", cwd="/proj"):
    return decision(no_content.judge_tool(tool, tool_input, rule, cwd, FILES, base=base))


def write(content, path="/proj/src/new.ts"):
    return "Write", {"file_path": path, "content": content}


def edit(old, new, path="/proj/src/held.ts", **more):
    return "Edit", {"file_path": path, "old_string": old, "new_string": new, **more}


DENIED = {
    "a new file": write("console.log(1)\n"),
    "a file below a folder": write("console.log(1)\n", "/proj/src/deep/a.ts"),
    "a relative path": write("console.log(1)\n", "src/new.ts"),
    "a file that gets it once more": write(HELD + "console.log(2)\n", "/proj/src/held.ts"),
    "an edit": edit("a()", "console.log(0)"),
    "an edit of all places": edit("a()", "console.log(0)", replace_all=True),
    "an edit of text that is not known": edit("not there", "console.log(0)"),
    "one of several edits": (
        "MultiEdit",
        {
            "file_path": "/proj/src/held.ts",
            "edits": [
                {"old_string": "a()", "new_string": "b()"},
                {"old_string": "b()", "new_string": "console.log(2)"},
            ],
        },
    ),
    "a cell of a notebook": (
        "NotebookEdit",
        {"notebook_path": "/proj/src/n.ipynb", "cell_id": "c2", "new_source": "console.log(2)"},
    ),
    "a new cell of a notebook": (
        "NotebookEdit",
        {"notebook_path": "/proj/src/n.ipynb", "cell_id": "c1", "edit_mode": "insert", "new_source": "console.log(2)"},
    ),
    "a tool of a server": ("mcp__files__write_file", {"path": "/proj/src/a.ts", "content": "console.log(1)"}),
    "an edit by a tool of a server": (
        "mcp__files__edit_file",
        {"path": "/proj/src/held.ts", "edits": [{"oldText": "a()", "newText": "console.log(2)"}]},
    ),
}
LEFT_ALONE = {
    "another text": write("logger.info(1)\n"),
    "a longer word": write("console.logger(1)\nmyconsole.log(1)\n"),
    "another folder": write("console.log(1)\n", "/proj/tests/a.ts"),
    "a file outside": write("console.log(1)\n", "/tmp/src/a.ts"),
    "a file that keeps what it has": write(HELD + "b()\n", "/proj/src/held.ts"),
    "a file that loses it": write("a()\n", "/proj/src/held.ts"),
    "an edit that keeps it": edit("console.log(1)", "console.log(2)"),
    "an edit that takes it away": edit("console.log(1)\n", ""),
    "an edit beside it": edit("a()", "b()"),
    "several edits that move it": (
        "MultiEdit",
        {
            "file_path": "/proj/src/held.ts",
            "edits": [
                {"old_string": "console.log(1)\n", "new_string": ""},
                {"old_string": "a()", "new_string": "console.log(1)"},
            ],
        },
    ),
    "a cell that has it already": (
        "NotebookEdit",
        {"notebook_path": "/proj/src/n.ipynb", "cell_id": "c1", "new_source": "console.log(2)"},
    ),
    "a file that is read": ("Read", {"file_path": "/proj/src/held.ts"}),
    "a tool without a path": ("WebFetch", {"url": "https://example.com", "prompt": "console.log"}),
    "values of another type": ("Write", {"file_path": 1, "content": ["console.log"]}),
}


@cases(DENIED)
def test_denies(case):
    assert judge_tool(*case) == "deny"


@cases(LEFT_ALONE)
def test_leaves_alone(case):
    assert judge_tool(*case) == ""


def test_text_that_comes_together_in_the_file_counts():
    assert judge_tool(*edit("unknown", "any", "/proj/src/any.ts"), rule=": any in src/**/*.ts") == "deny"
    assert judge_tool(*edit("unknown", "anyone", "/proj/src/any.ts"), rule=": any in src/**/*.ts") == ""


@pytest.mark.parametrize(
    ("rule", "content", "expected"),
    [
        pytest.param(": any in **/*.ts", "let a: any = 1", "deny", id="text"),
        pytest.param(": any in **/*.ts", "let a: anyone", "", id="text in a longer word"),
        pytest.param(": any in **/*.ts", "let a: anyone, b: any", "deny", id="text after a longer word"),
        pytest.param("TODO", "// TODO: x", "deny", id="text in all files"),
        pytest.param("TODO", "// TODOS", "", id="a longer word in all files"),
        pytest.param("größe", "die größe", "deny", id="letters of any script"),
        pytest.param("größe", "die größen", "", id="a longer word in any script"),
        pytest.param("/api/v1 in src/**", "fetch('/api/v1/x')", "deny", id="text that begins with a slash"),
        pytest.param(r"/\bas any\b/ in src/**", "x as any", "deny", id="an expression"),
        pytest.param(r"/\bas any\b/ in src/**", "x as anyone", "", id="an expression that does not match"),
        pytest.param(r"/^import x/", "a\nimport x", "deny", id="an expression at the start of a line"),
        pytest.param(r"/for \w+ in \w+/ in src/**", "for a in b", "deny", id="an expression with the word in"),
        pytest.param(r"/(/ in src/**", "(", "", id="a broken expression"),
        pytest.param("x in tests/**", "x", "", id="a glob that does not match"),
    ],
)
def test_a_pattern_is_text_or_an_expression(rule, content, expected):
    assert judge_tool(*write(content), rule=rule) == expected


def test_globs_are_seen_from_the_folder_of_the_rule():
    assert judge_tool(*write("console.log(1)"), base="/proj/src") == ""
    assert judge_tool(*write("console.log(1)", "/proj/src/src/a.ts"), base="/proj/src") == "deny"


def test_the_part_of_a_long_file_that_is_not_known_is_not_compared():
    long = Files({"/proj/src/long.ts": "x" * 250_000})
    tool_input = {"file_path": "/proj/src/long.ts", "content": "x" * 250_000 + " console.log"}
    assert no_content.judge_tool("Write", tool_input, RULE, "/proj", long, base="/proj") is None


WRITTEN = {
    "echo into a file": call("echo 'console.log(1)'", writes=["src/a.ts"]),
    "printf into a file": call("printf '%s\\n' 'console.log(1)'", writes=["/proj/src/a.ts"]),
    "a here-document": call("cat", writes=["src/a.ts"], input="console.log(1)\n"),
    "a file seen from another directory": call("cat", cwd="/proj/src", writes=["a.ts"], input="console.log(1)\n"),
    "tee": pipeline("echo 'console.log(1)'", "tee -a src/a.ts")[-1],
    "a filter between": pipeline("echo 'console.log(1)'", "sort", "tee src/a.ts")[-1],
    "sed that puts it in": call("sed -i 's/log/console.log/' src/a.ts"),
    "sed with an expression of its own": call("sed -i.bak -e 's|log|console.log|g' src/a.ts"),
    "sed that adds a line": call("sed -i '1i console.log(1)' src/a.ts"),
    "code that writes the file": call("python3 -", writes=["src/a.ts"], code="print('console.log(1)')"),
}
NOT_WRITTEN = {
    "echo on the screen": call("echo 'console.log(1)'"),
    "echo into another file": call("echo 'console.log(1)'", writes=["notes.md"]),
    "another text": call("echo 'log(1)'", writes=["src/a.ts"]),
    "a file that is not known": call("echo 'console.log(1)'", writes=["\ufdd0"]),
    "grep for it": call("grep console.log src/a.ts", writes=["src/found.txt"]),
    "sed that takes it away": call("sed -i 's/console.log/log/' src/a.ts"),
    "sed that only prints": call("sed 's/log/console.log/' src/a.ts"),
    "tee of another text": pipeline("echo x", "tee src/a.ts")[-1],
}


@cases(WRITTEN)
def test_denies_command_lines_that_write_it(case):
    assert decision(no_content.judge(case, RULE, FILES, base="/proj")) == "deny"


@cases(NOT_WRITTEN)
def test_leaves_other_command_lines_alone(case):
    assert decision(no_content.judge(case, RULE, FILES, base="/proj")) == ""


def test_a_long_pipeline_is_followed_to_its_beginning():
    last = pipeline("echo 'console.log(1)'", *["cat"] * 3000, "tee src/a.ts")[-1]
    assert decision(no_content.judge(last, RULE, FILES, base="/proj")) == "deny"


@pytest.mark.parametrize(
    ("argument", "part"),
    [
        pytest.param("", "needs the text", id="nothing"),
        pytest.param(" in src/**", "needs the text", id="a glob alone"),
        pytest.param("/(/ in src/**", "`/(/`", id="a broken expression"),
        pytest.param("x in !src", "`!src`", id="a broken glob"),
    ],
)
def test_what_cannot_be_read_is_a_problem(argument, part):
    assert part in no_content.problem(argument)


@pytest.mark.parametrize("argument", [RULE, "x", "/x+/", "/x+/ in **/*.ts", ": any in {src,lib}/**"])
def test_what_can_be_read_is_none(argument):
    assert no_content.problem(argument) == ""


def judge_command(command, rule=": any in src/**/*.ts"):
    calls = analyse(command, "/proj", FILES).calls
    found = [no_content.judge(one, rule, FILES, base="/proj") for one in calls]
    found.append(no_content.judge_line(calls, rule, FILES, base="/proj"))
    decisions = [decision(one) for one in found]
    return "deny" if "deny" in decisions else "ask" if "ask" in decisions else ""


def python(code):
    return f"python3 - <<'EOF'\n{code}\nEOF\n"


READ, WRITE = 's = open("src/any.ts").read()\n', '\nopen("src/any.ts", "w").write(s)'
REMOVED = {
    "sed": "sed -i 's/: any/: unknown/g' src/any.ts",
    "sed with text around it": "sed -i 's/foo: any/foo: string/' src/any.ts",
    "sed that deletes its lines": "sed -i '/: any/d' src/any.ts",
    "sed at an address": "sed -i '/x: any/,$s|number|string|' src/any.ts",
    "sed with several scripts": "sed -i -e 's/: any/: unknown/' -e 's/as any/as unknown/' src/any.ts",
    "sed into another file": "sed 's/: any/: unknown/' src/any.ts > src/new.ts",
    "sed in a shell": "bash -c \"sed -i 's/: any/: unknown/' src/any.ts\"",
    "sed in a here-document": "bash <<'EOF'\nsed -i 's/: any/: unknown/' src/any.ts\nEOF\n",
    "sed run by find": "find src -name '*.ts' -exec sed -i 's/: any/: unknown/' {} +",
    "perl": "perl -pi -e 's/: any\\b/: unknown/g' src/any.ts",
    "perl with braces": "perl -pi -e 's{: any}{: unknown}g' src/any.ts",
    "ruby": "ruby -pi -e 'gsub(/: any/, \": unknown\")' src/any.ts",
    "files that grep lists": "grep -rl ': any' src --include='*.ts' | xargs -r sed -i 's/: any\\b/: unknown/g'",
    "files that git lists": "git grep -l ': any' | xargs sed -i 's/: any/: unknown/'",
    "a search before it": "grep -n ': any' src/any.ts; sed -i 's/: any/: unknown/' src/any.ts",
    "python": python(READ + 's = s.replace(": any", ": unknown")' + WRITE),
    "python's re": python("import re\n" + READ + 's = re.sub(r": any\\b", ": unknown", s)' + WRITE),
    "python that makes sure": python(READ + 'assert ": any" not in s' + WRITE),
    "python that counts": python("# größe\n" + READ + 'if ": any" in s or s.count(": any") > 1: s = s.upper()' + WRITE),
    "node": "node -e \"fs.writeFileSync('src/any.ts', fs.readFileSync('x').replace(/: any/g,': unknown'))\"",
    "node that tests": "node -e \"if (s.includes(': any') || /: any/.test(s)) fs.writeFileSync('src/any.ts', s)\"",
}
PERHAPS_PUT_IN = {
    "sed that keeps what it found": "sed -i 's/x: any/& | null/' src/new.ts",
    "sed that keeps a group": "sed -i 's/\\(: any\\)/\\1[]/' src/new.ts",
    "sed in two steps": "sed -i 's/: any/: XX/; s/XX/any/' src/new.ts",
    "sed with escapes": "sed -i 's/: any/\\x3a \\x61ny/' src/new.ts",
    "perl that keeps a group": "perl -pi -e 's/(: any)/$1 | null/' src/new.ts",
    "perl that does more": "perl -pi -e 's/: any/x/; $_ .= \": any\"' src/new.ts",
    "python in two steps": python(READ + 's = s.replace(": any", ": XX").replace("XX", "any")' + WRITE),
    "python that puts it together": python('open("src/new.ts", "w").write("x: a: anyny".replace(": any", ""))'),
    "python that keeps a group": python("import re\n" + READ + 's = re.sub("(: any)", r"\\1[]", s)' + WRITE),
    "python with a variable": python('old = ": any"\n' + READ + 's = s.replace(old, ": unknown")' + WRITE),
    "python with a replace of its own": python(READ + 'def replace(a, b): return a\nreplace(": any", "")' + WRITE),
    "node that keeps what it found": 'node -e \'fs.writeFileSync("src/new.ts", s.replace(/: any/g, "$&[]"))\'',
    "a search whose lines are written": "(grep ': any' x.txt) > src/new.ts",
    "a search whose lines are kept": "v=$(grep ': any' x.txt); echo \"$v\" > src/new.ts",
    "a search beside another program": "coproc grep ': any' x.txt; cat <&${COPROC[0]} > src/new.ts",
}
SURELY_PUT_IN = {
    "sed's replacement": "sed -i 's/number/x: any/' src/new.ts",
    "sed's second replacement": "sed -i 's/a/b/; s/number/x: any/' src/new.ts",
    "a replacement in python": python(READ + 's = s.replace(": number", ": any")' + WRITE),
    "a replacement in node": "node -e \"fs.writeFileSync('src/new.ts', s.replace(/: number/g, ': any'))\"",
    "text that looks like a replacement": python("open('src/new.ts', 'w').write('y.replace(\": any\", 1)')"),
    "a script as text": "echo 's/: any/: unknown/' > src/new.ts",
    "what is written after a test": python(READ + 'if ": any" not in s: open("src/new.ts", "w").write("x: any")'),
}


@cases(REMOVED)
def test_text_that_is_taken_away_or_looked_for_is_left_alone(case):
    assert judge_command(case) == ""


@cases(PERHAPS_PUT_IN)
def test_asks_where_what_is_looked_for_may_be_put_in_as_well(case):
    assert judge_command(case) == "ask"


@cases(SURELY_PUT_IN)
def test_denies_what_is_put_in_the_place_of_another_text(case):
    assert judge_command(case) == "deny"
