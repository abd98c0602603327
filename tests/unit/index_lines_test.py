import os
import resource
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdir import index, index_lines
from memdir.budget import units
from memdir.index_lines import Listed, Wanted

HAND_WRITTEN = """# Memory

## House rules

Never deploy on Friday.
Ask before touching prod.

## Topics

- [Old](old.md) - old topic
"""
NEW = [Wanted("new-topic.md", "New topic", "what it is")]
NEW_LINE = "- [New topic](new-topic.md) — what it is"


def read(text):
    return [(entry.title, entry.file, entry.hook) for entry in index_lines.entries(text)]


def files(text):
    return [entry.file for entry in index_lines.entries(text)]


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("- [Title](file.md) — hook", ("Title", "file.md", "hook")),
        ("- [Title](file.md) – hook", ("Title", "file.md", "hook")),
        ("- [Title](file.md) - hook", ("Title", "file.md", "hook")),
        ("- [Title](file.md): hook: more", ("Title", "file.md", "hook: more")),
        ("- [标题](文件.md)——说明", ("标题", "文件.md", "说明")),
        ("- [标题](文件.md)：说明", ("标题", "文件.md", "说明")),
        ("* [Title](file.md) hook", ("Title", "file.md", "hook")),
        ("+ [Title](file.md)", ("Title", "file.md", "")),
        ("  - [Title](file.md) — hook  ", ("Title", "file.md", "hook")),
        ("-\t[Title](sub/file.md) — hook", ("Title", "sub/file.md", "hook")),
        (r"- [Uses \[tags\]](odd.md) — a \[b\] c", ("Uses [tags]", "odd.md", "a [b] c")),
        ("- [Uses [tags] inside](odd.md) — hook", ("Uses [tags] inside", "odd.md", "hook")),
        ("- [Title](<file name.md>) — hook", ("Title", "file name.md", "hook")),
        ("- [Title](<a (b).md>) — hook", ("Title", "a (b).md", "hook")),
        ("- [Title](file%20name.md) — hook", ("Title", "file name.md", "hook")),
        ("- [Title](%E8%AE%B0.md) — hook", ("Title", "记.md", "hook")),
        ("- [Title](100%.md) — hook", ("Title", "100%.md", "hook")),
        ("- [Title](a_(b).md) — hook", ("Title", "a_(b).md", "hook")),
        (r"- [Title](a\(b.md) — hook", ("Title", "a(b.md", "hook")),
        (r"- [Title](sub\file.md) — hook", ("Title", "sub/file.md", "hook")),
        ("- [Title](./file.md#part) — hook", ("Title", "file.md", "hook")),
        ('- [Title](file.md "note") — hook', ("Title", "file.md", "hook")),
        ("- [Title](file.md) — see [Other](other.md)", ("Title", "file.md", "see [Other](other.md)")),
        ("- [Title](file.md) — -5 degrees — and more", ("Title", "file.md", "-5 degrees — and more")),
        (r"- [C:\dir](file.md) — \d+ and \\ stay", (r"C:\dir", "file.md", r"\d+ and \ stay")),
        ("- [](file.md) — hook", ("", "file.md", "hook")),
    ],
)
def test_entry_is_read(line, entry):
    (found,) = index_lines.entries("# Memory\n" + line + "\n")
    assert (found.title, found.file, found.hook) == entry
    assert found.line == 2


@pytest.mark.parametrize(
    "line",
    [
        "",
        "# [Title](file.md)",
        "Never deploy on Friday.",
        "- plain entry",
        "- see [Title](file.md) — hook",
        "-[Title](file.md)",
        "[Title](file.md)",
        "1. [Title](file.md)",
        "- [Title]",
        "- [Title] (file.md)",
        "- [Title](file.md",
        "- [Title](<file.md",
        "- [Title",
        "- [Title](",
        "- [Title]()",
        "- [Title](#part)",
        "- [Site](https://example.com/file.md)",
        "- [ ] a task",
        "- [x](",
        "\\",
    ],
)
def test_line_that_is_no_entry_is_left_alone(line):
    assert index_lines.entries(line) == []


def test_entries_keep_line_numbers_through_all_line_ends():
    text = "\ufeff# Memory\r\n\r\n- [A](a.md)\r- [B](b.md)\n\u2028- [C](c.md)\x85d"
    assert [(entry.file, entry.line) for entry in index_lines.entries(text)] == [("a.md", 3), ("b.md", 4), ("c.md", 5)]


# A line as memdir writes it


@pytest.mark.parametrize(
    ("title", "file", "hook", "line"),
    [
        ("Title", "file.md", "hook", "- [Title](file.md) — hook"),
        ("Title", "file.md", "", "- [Title](file.md)"),
        ("", "sub/file.md", "hook", "- [file](sub/file.md) — hook"),
        ("odd-text", "odd-text.md", "uses [tags](and parens)\nand a second line",
         r"- [odd-text](odd-text.md) — uses \[tags\](and parens) and a second line"),
        ("a\u2028b\x85c\x0bd", "f.md", "e\r\n\tf\u3000g", "- [a b c d](f.md) — e f g"),
        ("a]", "f.md", "<!-- x", r"- [a\]](f.md) — \<!-- x"),
        ("a < b", "f.md", "</memory> 3<4", r"- [a < b](f.md) — \</memory> 3<4"),
        ("C:\\dir\\", "f.md", "\\d+ \\[", r"- [C:\dir\\](f.md) — \d+ \\\["),
        ("one ` tick", "f.md", "`code`", r"- [one \` tick](f.md) — `code`"),
        ("标题", "记 (b) #1.md", "说明", "- [标题](记%20%28b%29%20%231.md) — 说明"),
        ("100%", "100%.md", "50%", "- [100%](100%.md) — 50%"),
        ("T", "a%20b.md", "h", "- [T](a%2520b.md) — h"),
        ("T\u202egnp", "a\u202eb.md", "\ud800", "- [Tgnp](a%E2%80%AEb.md) — \ufffd"),
        ("👩‍👩‍👧", "f.md", "क्‍ष", "- [👩‍👩‍👧](f.md) — क्‍ष"),
    ],
)  # fmt: skip
def test_a_line_is_written(title, file, hook, line):
    assert index_lines.line(title, file, hook) == line


NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="/\0"), min_size=1, max_size=40)


@given(title=st.text(max_size=300), name=NAMES, hook=st.text(max_size=600))
def test_every_line_reads_back_as_one_entry_of_its_file(title, name, hook):
    file = f"{name}.md"
    line = index_lines.line(title, file, hook)
    (entry,) = index_lines.entries(line)
    assert index_lines.key(entry.file) == index_lines.key(file)
    assert len(line.splitlines()) == 1
    assert units(line) <= index_lines.LINE_UNITS + max(0, units(line.partition("](")[2]) - 150)
    line.encode("utf-8")


@given(title=st.text("[]()<>\\`*_- ab。", min_size=1, max_size=30), hook=st.text("[]()<>\\`*_- ab。", max_size=60))
def test_title_and_hook_read_back_as_they_were(title, hook):
    (entry,) = index_lines.entries(index_lines.line(title, "f.md", "x" + hook))
    assert entry.title == (" ".join(title.split()) or "f")
    assert entry.hook == " ".join(("x" + hook).split())


def test_a_long_hook_is_cut_between_words():
    line = index_lines.line("Title", "file.md", "word " * 100)
    assert 190 <= units(line) <= 200
    assert line.endswith("word…")
    assert units(index_lines.line("題" * 300, "file.md", "記" * 300)) <= 200
    assert units(index_lines.line("🧪" * 300, "file.md", "[" * 300)) <= 200


# Lines are added


def test_a_new_line_follows_the_list_and_hand_written_text_stays():
    assert index_lines.with_lines(HAND_WRITTEN, NEW) == HAND_WRITTEN + NEW_LINE + "\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", f"{NEW_LINE}\n"),
        ("# Memory\n", f"# Memory\n\n{NEW_LINE}\n"),
        ("# Memory\n\n", f"# Memory\n\n{NEW_LINE}\n"),
        ("# Memory", f"# Memory\n\n{NEW_LINE}"),
        ("- [A](a.md)", f"- [A](a.md)\n{NEW_LINE}"),
        ("- [A](a.md)\r\n", f"- [A](a.md)\r\n{NEW_LINE}\r\n"),
        ("- [A](a.md)\r\n\r\nEnd.", f"- [A](a.md)\r\n{NEW_LINE}\r\n\r\nEnd."),
        ("- [A](a.md)\rEnd.\n", f"- [A](a.md)\rEnd.\n{NEW_LINE}\n"),
        ("\ufeff# M\n- [A](a.md)\n", f"\ufeff# M\n- [A](a.md)\n{NEW_LINE}\n"),
        ("\ufeff", f"\ufeff{NEW_LINE}\n"),
        ("- [A](a.md)\n  goes on\n\n## End\n", f"- [A](a.md)\n  goes on\n{NEW_LINE}\n\n## End\n"),
        ("- [A](a.md)\n  - part\n\n## End\n", f"- [A](a.md)\n{NEW_LINE}\n  - part\n\n## End\n"),
        ("## One\n- [A](a.md)\n## Two\n- [B](b.md)\n\n- [C](c.md)\n## Three\n- [D](d.md)\n",
         f"## One\n- [A](a.md)\n## Two\n- [B](b.md)\n\n- [C](c.md)\n{NEW_LINE}\n## Three\n- [D](d.md)\n"),
        ("- [A](a.md)\n\n- [B](b.md)\n\ntail\x0b\u2028\n",
         f"- [A](a.md)\n\n- [B](b.md)\n{NEW_LINE}\n\ntail\x0b\u2028\n"),
        ("---\nname: x\n---\n<!--\n- [Old](x.md) — example\n-->\n", None),
        ("```\n- [Title](file.md) — hook\n```\n", None),
    ],
    ids=range(16),
)  # fmt: skip
def test_a_new_line_finds_its_place_and_every_other_byte_stays(text, expected):
    assert index_lines.with_lines(text, NEW) == (expected or f"{text}\n{NEW_LINE}\n")


def test_a_line_in_a_comment_or_a_fence_is_no_entry():
    for hidden in ("<!--\n- [Gone](new-topic.md) — x\n-->\n", "~~~ md\n- [Gone](new-topic.md) — x\n~~~\n"):
        text = "- [A](a.md)\n" + hidden
        assert index_lines.with_lines(text, NEW) == f"- [A](a.md)\n{NEW_LINE}\n" + hidden
    open_comment = "<!-- never closed\n- [Here](new-topic.md) — x\n"
    assert index_lines.with_lines(open_comment, NEW) == open_comment


@pytest.mark.parametrize(
    ("listed", "file"),
    [
        ("caf\u00e9.md", "cafe\u0301.md"),
        ("cafe\u0301.md", "caf\u00e9.md"),
        ("a%20b.md", "a b.md"),
        ("<a b.md>", "a b.md"),
        ("./a.md", "a.md"),
        ("sub/a.md#part", "sub/a.md"),
        ("%FF.md", "\udcff.md"),
    ],
)
def test_two_spellings_of_a_name_are_one_file(listed, file):
    text = f"- [A]({listed}) — mine\n"
    assert index_lines.with_lines(text, [Wanted(file, "B", "theirs")]) == text
    assert index_lines.with_lines("", [Wanted(file, "B", "x")] * 2).count("\n") == 1


def test_a_line_is_replaced_only_where_asked_and_keeps_its_place():
    text = "# M\r\n  * [A](a.md) — old\r\n- [B](b.md)\r\n"
    kept = index_lines.with_lines(text, [Wanted("a.md", "A", "new")])
    assert kept == text
    replaced = index_lines.with_lines(text, [Wanted("a.md", "A", "new", replace=True)])
    assert replaced == "# M\r\n  - [A](a.md) — new\r\n- [B](b.md)\r\n"


@given(text=st.text("-[]()ab.md \n\r#>`~<!\ufeff", max_size=80))
def test_adding_takes_nothing_away_and_adding_again_changes_nothing(text):
    once = index_lines.with_lines(text, NEW)
    assert index_lines.with_lines(once, NEW) == once or "new-topic.md" not in files(once)
    rest = once.replace(NEW_LINE, "", 1)
    assert sorted(rest.replace("\n", "").replace("\r", "")) == sorted(text.replace("\n", "").replace("\r", ""))


# A new index


def listed(count, hook="What it is about", kinds=("project", "user")):
    return [Listed(f"t{n:03}.md", f"Topic {n}", hook, kinds[n % len(kinds)], 1_000.0 + n) for n in range(count)]


def test_a_new_index_has_the_newest_first_within_types():
    topics = [
        Listed("old.md", "Old", "h", "feedback", 1.0),
        Listed("odd.md", "Odd", "h", "banana", 9.0),
        Listed("new.md", "New", "h", "feedback", 2.0),
        Listed("me.md", "Me", "h", "user", 0.0),
        Listed("ref.md", "Ref", "", "reference", 5.0),
        Listed("p.md", "P", "h", "project", 4.0),
    ]
    assert files(index_lines.rebuild(topics)) == ["me.md", "new.md", "old.md", "p.md", "ref.md", "odd.md"]
    assert index_lines.rebuild([]) == ""


def test_205_long_descriptions_make_an_index_that_is_loaded_whole():
    text = index_lines.rebuild(listed(205, "x" * 296 + ".", ("user", "feedback", "project", "reference")))
    loaded = index.load(text)
    assert loaded.state == "within"
    assert (loaded.lines, loaded.units) <= (index.MAX_LINES * index.TARGET, index.MAX_UNITS * index.TARGET)
    kept = files(text)
    assert 100 <= len(kept) < 205
    assert max(len(line.encode()) for line in text.splitlines()) <= 400
    assert f"{205 - len(kept)} oldest topic files" in text
    assert "t204.md" in kept
    assert "t000.md" not in kept


@pytest.mark.parametrize(("count", "hook"), [(200, "x " * 200), (150, "記" * 300), (200, "short")])
def test_hooks_are_shortened_before_a_topic_is_left_out(count, hook):
    text = index_lines.rebuild(listed(count, hook))
    assert len(files(text)) == count
    assert index.load(text).state != "over"
    assert "Not listed" not in text


def test_10_000_topics_and_very_long_names_still_make_a_loadable_index():
    assert index.load(index_lines.rebuild(listed(10_000, "x" * 300))).state == "within"
    long = [Listed(f"{n}{'x' * 200}.md", "T", "h", "user", n) for n in range(200)]
    text = index_lines.rebuild(long)
    assert index.load(text).state == "within"
    assert "Not listed here" in text


def test_composed_and_decomposed_letters_have_one_key():
    assert index_lines.key("cafe\u0301.md") == index_lines.key("café.md") == unicodedata.normalize("NFC", "café.md")


def test_the_limits_of_a_new_index_are_those_of_a_session():
    full = (index_lines._FULL_LINES, index_lines._FULL_UNITS, index_lines._TARGET)
    assert full == (index.MAX_LINES, index.MAX_UNITS, index.TARGET)


# Other ways to name a file (index_file_test has all of them)


def test_a_named_file_gets_no_line():
    text = "See [T](a.md) and [[b]].\n"
    assert index_lines.with_lines(text, [Wanted("a.md", "A", "x"), Wanted("b.md", "B", "x")]) == text
    assert index_lines.with_lines("[[the name]]\n", [Wanted("a.md", "A", "x", name="the name")]) == "[[the name]]\n"
    added = index_lines.with_lines(text, [Wanted("sub/a.md", "A", "x"), Wanted("c.md", "C", "x")])
    assert files(added) == ["sub/a.md", "c.md"]


@given(title=st.text(max_size=60), hook=st.text("[]()<>\\`!- ab.md", max_size=60))
def test_a_line_as_memdir_writes_it_names_its_own_file_alone(title, hook):
    named = index_lines.Named(index_lines.line(title, "f.md", f"{hook} [T](other.md) [[other]] other.md"))
    assert named.has("f.md")
    assert not named.has("other.md")


@pytest.mark.parametrize(
    "unit",
    ["<!-- x\n", "<!--", "<!-- x -->\n", "-->", "---\n", "```\n", "````\n", "~~~\n", "\u2028", "a\x0b", "\n", "[",
     "](", "](<", "](a", "[[", "[[a", "\\[", "- [",
     "- [a](b.md)\n", "- [a](", "[a](b.md) ", "a.md ", "[a]: ", "%20", "(", "\\"],
)  # fmt: skip
def test_no_index_takes_more_than_linear_time(unit):
    text = "- [A](a.md)\n" + unit * (200_000 // len(unit))
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (20, 20))  # seconds: it takes one, and where it was quadratic far more
        index_lines.with_lines(text, NEW)
        index.parts(index.load(text).text + text, 1_000)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Mine\n```\ncode\n", "- [A](a.md) — h\n\n# Mine\n```\ncode\n"),
        ("---\nx: y\n---\n~~~\n- [B](b.md)\n", "---\nx: y\n---\n- [A](a.md) — h\n\n~~~\n- [B](b.md)\n"),
    ],
    ids=["fence", "header and fence"],
)
def test_a_line_is_put_before_a_fence_that_never_closes_and_once(text, expected):
    added = index_lines.with_lines(text, [Wanted("a.md", "A", "h")])
    assert added == expected
    assert index_lines.with_lines(added, [Wanted("a.md", "A", "h")]) == expected
