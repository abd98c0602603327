import os
import subprocess
import sys
import threading
import time

import pytest

from memdir import exchange, fsio, index, index_lines, store
from memdir.errors import MemdirError
from memdir.index_lines import Wanted
from memdir_worker import index_file
from support import interruptions
from support.checkout import ROOT

NOW = 1_790_000_000.0
DAY_S = 86_400.0


def wanted(name, hook="what it is", *, replace=False):
    return Wanted(f"{name}.md", name.upper(), hook, replace=replace)


@pytest.fixture
def update(memory, state_dir):
    def call(*lines, now=NOW):
        return index_file.update(str(memory.dir), str(state_dir), lines, now)

    return call


@pytest.fixture
def topic(memory):
    def write(*names):
        for name in names:
            memory.file(f"{name}.md", f"---\nname: {name}\ndescription: what {name} is\ntype: user\n---\nBody.\n")

    return write


def text(memory):
    return (memory.dir / "MEMORY.md").read_bytes().decode()


def listed(memory):
    return [entry.file for entry in index_lines.entries(text(memory))]


def backups(state_dir):
    return sorted((state_dir / "backup").glob("*")) if (state_dir / "backup").is_dir() else []


def test_a_line_is_added_and_the_old_index_is_kept(memory, state_dir, topic, update):
    memory.file("MEMORY.md", "# Mine\r\n\r\n- [Old](old.md) - old\r\n")
    topic("a")
    assert update(wanted("a")).state == "within"
    assert text(memory) == "# Mine\r\n\r\n- [Old](old.md) - old\r\n- [A](a.md) — what it is\r\n"
    (backup,) = backups(state_dir)
    assert backup.read_bytes() == b"# Mine\r\n\r\n- [Old](old.md) - old\r\n"
    assert backup.stat().st_mode & 0o777 == 0o600


def test_nothing_is_written_where_nothing_changes(memory, state_dir, topic, update):
    memory.index("- [A](a.md) — mine")
    topic("a")
    before = store.version_of(str(memory.dir / "MEMORY.md"))
    update(wanted("a"))
    update()
    assert store.version_of(str(memory.dir / "MEMORY.md")) == before
    assert backups(state_dir) == []
    assert sorted(os.listdir(memory.dir)) == ["MEMORY.md", "a.md"]


def test_no_topics_and_no_lines_make_no_index(memory, update):
    update()
    assert os.listdir(memory.dir) == []


def test_a_missing_index_is_made_from_all_topics(memory, topic, update):
    topic("some-old-thing", "new")
    memory.file("sub/deep.md", "No header.\n")
    update(Wanted("new.md", "New", "as the caller says", replace=False))
    assert sorted(text(memory).splitlines()) == [
        "- [Deep](sub/deep.md) — No header.",
        "- [New](new.md) — as the caller says",
        "- [Some old thing](some-old-thing.md) — what some-old-thing is",
    ]


def test_a_file_with_an_odd_text_has_one_line_that_leads_to_it(memory, update):
    memory.file(
        "odd-text.md", "---\nname: odd-text\ndescription: |\n  uses [tags](and parens)\n  and a second line\n---\n"
    )
    update()
    assert listed(memory) == ["odd-text.md"]
    assert len(text(memory).splitlines()) == 1


def test_a_topic_without_description_gets_no_word_none(memory, update):
    memory.file("empty.md", "---\nname:\ndescription:\nmetadata:\n---\n")
    update()
    assert text(memory) == "- [Empty](empty.md)\n"


# Lines that another writer dropped


def test_a_dropped_line_comes_back_once(memory, state_dir, topic, update):
    topic("a")
    memory.index("Mine.")
    update(wanted("a"))
    memory.index("Mine.", "Changed.")
    for _ in range(2):
        update()
        assert text(memory) == "Mine.\nChanged.\n\n- [A](a.md) — what it is\n"
    memory.index("Mine.")
    update()
    assert text(memory) == "Mine.\n"


def test_it_comes_back_as_it_was_last(memory, topic, update):
    topic("a")
    memory.index("Mine.")
    update(wanted("a"))
    memory.index("- [By hand](a.md) — better")
    update(wanted("a"))
    memory.index("Mine.")
    update()
    assert "- [By hand](a.md) — better\n" in text(memory)


@pytest.mark.parametrize("hook", ["renewed", "what it is"])
def test_a_memory_that_is_renewed_may_come_back_again(memory, topic, update, hook):
    topic("a")
    memory.index("Mine.")
    update(wanted("a"))
    for _ in range(2):
        memory.index("Mine.")
        update()
    assert text(memory) == "Mine.\n"
    update(wanted("a", hook, replace=True))
    memory.index("Mine.")
    update()
    assert hook in text(memory)


def test_the_line_of_a_deleted_topic_does_not_come_back(memory, topic, update):
    topic("a")
    memory.index("Mine.")
    update(wanted("a"))
    (memory.dir / "a.md").unlink()
    memory.index("Mine.")
    update()
    assert text(memory) == "Mine.\n"


def test_a_line_that_memdir_did_not_write_does_not_come_back(memory, topic, update):
    topic("a", "b")
    memory.index("- [A](a.md) — mine", "- [B](b.md) — mine")
    update(wanted("b"))
    memory.index("Mine.")
    update()
    assert listed(memory) == ["b.md"]


# Lines that a person has edited, and files that the index names in another form


def test_a_line_of_memdir_s_is_replaced_by_an_update(memory, topic, update):
    topic("a")
    memory.index("Mine.")
    update(wanted("a"))
    text_before = text(memory)
    (memory.dir / "MEMORY.md").write_text(text_before.replace("- [A](a.md) — ", "  * [A](a.md) - "))
    update(wanted("a", "renewed", replace=True))
    assert text(memory) == "Mine.\n\n  - [A](a.md) — renewed\n"
    update(wanted("a", "and once more", replace=True))
    assert text(memory) == "Mine.\n\n  - [A](a.md) — and once more\n"


@pytest.mark.parametrize("line", ["- [My title](a.md) — what it is", "- [A](a.md) — what it is to me", "- [A](a.md)"])
def test_a_line_that_a_person_has_edited_is_theirs_for_good(memory, topic, update, line):
    topic("a", "b")
    memory.index("Mine.")
    update(wanted("a"))
    memory.index("Mine.", line)
    for hook in ("renewed", "and once more"):
        update(wanted("a", hook, replace=True), wanted("b"))
        assert text(memory) == f"Mine.\n{line}\n- [B](b.md) — what it is\n"


def test_a_line_that_memdir_never_wrote_is_not_replaced(memory, topic, update):
    topic("a")
    memory.index("- [A](a.md) — as the model put it")
    update(wanted("a", "renewed", replace=True))
    assert text(memory) == "- [A](a.md) — as the model put it\n"


def test_a_line_that_was_written_but_not_noted_is_memdir_s(memory, topic, update):
    """Killed between the two, the same is done again."""
    topic("a")
    memory.index("- [A](a.md) — what it is")
    update(wanted("a", replace=True))
    update(wanted("a", "renewed", replace=True))
    assert text(memory) == "- [A](a.md) — renewed\n"


def test_the_lines_of_a_new_index_are_memdir_s_and_do_not_come_back(memory, topic, update):
    topic("a", "b")
    update(wanted("a"))
    update(wanted("b", "renewed", replace=True))
    assert "- [B](b.md) — renewed\n" in text(memory)
    (memory.dir / "MEMORY.md").unlink()
    topic("c")
    update(wanted("a"))
    memory.index("Mine.")
    update()
    assert "c.md" not in text(memory)


FORMS = [
    "1. [T](a.md) - mine", "- **[T](a.md)** - mine", "- [ ] [T](a.md)", "| [T](a.md) | mine |", "## [T](a.md)",
    "- 📌 [T](a.md) mine", "See [T](a.md) for deploys.", "- [[a]] mine", "[[a.md]]", "[[a|mine]]", "- `a.md`: mine",
    "- a.md: mine", "[T][1]\n\n[1]: a.md", "- [T](<a.md>) — mine", "- [Other](other.md) — see [T](a.md)",
    "- [[the name in the header]]",
]  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_a_file_that_the_index_names_in_any_form_gets_no_second_line(memory, update, form):
    memory.file("a.md", "---\nname: the name in the header\ndescription: d\ntype: user\n---\n")
    memory.index("# Mine")
    update(wanted("a"))
    memory.index("# Mine", "", form)
    before = text(memory)
    update(wanted("a", "renewed", replace=True))
    update()
    assert text(memory) == before


HIDDEN = [
    "<!--\n1. [T](a.md)\n-->", "Text <!-- [T](a.md) --> goes on.", "Text <!-- that goes on\n[T](a.md) --> here.",
    "```\n[T](a.md)\n```", "````\n```\n[T](a.md)\n```\n````", "- [Other](other.md) — unlike a.md",
    r"\[T\](a.md)", r"\[[a]]", "[T](https://x.org/a.md)", "[[b]]", "[T](other/a.md)",
]  # fmt: skip


@pytest.mark.parametrize("form", HIDDEN)
def test_a_link_that_is_not_shown_or_leads_elsewhere_names_no_file(memory, topic, update, form):
    topic("a")
    memory.index("# Mine", "", form)
    update(wanted("a"))
    assert listed(memory).count("a.md") == 1


# What is refused


def test_an_index_that_is_a_link_is_refused(memory, update, tmp_path):
    target = tmp_path / "important.md"
    target.write_text("keep me")
    (memory.dir / "MEMORY.md").symlink_to(target)
    with pytest.raises(MemdirError, match=r"MEMORY\.md is a link"):
        update(wanted("a"))
    assert target.read_text() == "keep me"
    assert (memory.dir / "MEMORY.md").is_symlink()


def test_an_index_that_is_no_file_or_too_large_is_refused(memory, update):
    path = memory.dir / "MEMORY.md"
    path.mkdir()
    with pytest.raises(MemdirError, match="no regular file"):
        update(wanted("a"))
    path.rmdir()
    path.write_bytes(b"x" * store.INDEX_BYTES)
    with pytest.raises(MemdirError, match="larger than 4 MiB"):
        update(wanted("a"))
    assert path.stat().st_size == store.INDEX_BYTES


@pytest.mark.parametrize(
    "raw",
    [
        b"caf\xe9 \xff\n",
        "\ufeff# Mine 記\r\n".encode(),
        "\ufeff# Mine 記\r\n".encode("utf-16-le"),
        "\ufeffx".encode("utf-16-be"),
    ],
    ids=["no UTF-8", "UTF-8 with a mark", "UTF-16", "UTF-16, the other way round"],
)  # fmt: skip
def test_every_byte_of_the_person_stays(memory, update, raw):
    memory.file("MEMORY.md", raw)
    update(wanted("a"))
    after = (memory.dir / "MEMORY.md").read_bytes()
    assert after.startswith(raw)
    codec = "utf-16" if raw[:1] in (b"\xff", b"\xfe") else "latin-1"
    assert "[A](a.md)" in after.decode(codec)


def test_backups_stay_14_days_and_the_newest_of_a_directory_for_good(memory, state_dir, update):
    kept = [state_dir / "backup" / name for name in ("settings.json", f"{0:012}-{0:015}-{0:08}-MEMORY.md")]

    def ours():
        return [path.read_text() for path in backups(state_dir) if path not in kept]

    for day in (0, 1, 2, 10, 14):
        memory.index(f"Day {day}.")
        update(wanted("a"), now=NOW + day * DAY_S)
    assert len(ours()) == 5
    for path in kept:
        path.write_text("of something else, and the only one of another directory")
    memory.index("Day 20.")
    update(wanted("a"), now=NOW + 20 * DAY_S)
    assert ours() == ["Day 10.\n", "Day 14.\n", "Day 20.\n"]
    memory.index("The clock went back.")
    update(wanted("a"), now=NOW - 1_000 * DAY_S)
    assert ours() == ["The clock went back.\n", "Day 10.\n", "Day 14.\n", "Day 20.\n"]
    memory.index("Next year.")
    update(wanted("a"), now=NOW + 400 * DAY_S)
    assert ours() == ["Next year.\n"]
    assert all(path.exists() for path in kept)


# Killed, and side by side with others

IMPORTS = "from memdir.index_lines import Wanted; from memdir_worker import index_file"
UPDATE = f'index_file.update(args[0], args[1], [Wanted("a.md", "A", "what it is")], {NOW})'


def _child(memory, state_dir, stop_at):
    return interruptions.run(IMPORTS, UPDATE, stop_at, str(memory.dir), str(state_dir))


@pytest.mark.parametrize("first", ["- [Old](old.md) — x\n", None], ids=["with an index", "without"])
def test_killed_at_any_point_and_run_again_the_index_is_the_same(memory, state_dir, topic, update, first):
    topic("a", "b")

    def start():
        (memory.dir / "MEMORY.md").unlink(missing_ok=True)
        if first:
            memory.file("MEMORY.md", first)
        for path in (state_dir / "written").glob("*"):
            path.unlink()

    start()
    assert _child(memory, state_dir, 0).returncode == 0
    expected = text(memory)
    for stop_at in range(1, 30):
        start()
        if _child(memory, state_dir, stop_at).returncode == 0:
            break
        left = text(memory) if (memory.dir / "MEMORY.md").exists() else None
        assert left in (first, expected), "a mixture"
        for _ in range(2):
            update(wanted("a"))
            assert text(memory) == expected
        assert sorted(os.listdir(memory.dir)) == ["MEMORY.md", "a.md", "b.md"]
    assert 5 < stop_at < 29


WRITER = f"""
import sys
sys.path[:0] = [{str(ROOT / "lib")!r}]
from memdir.index_lines import Wanted
from memdir_worker import index_file
folder, state, name = sys.argv[1:]
for number in range(20):
    open(f"{{folder}}/{{name}}{{number}}.md", "w").write("---\\nname: x\\ndescription: y\\n---\\n")
    index_file.update(folder, state, [Wanted(f"{{name}}{{number}}.md", "T", "hook")], {NOW})
"""


def _start_writer(memory, state_dir, name):
    return subprocess.Popen([sys.executable, "-I", "-S", "-c", WRITER, str(memory.dir), str(state_dir), name])


def test_two_processes_that_add_20_topics_each_lose_none(memory, state_dir):
    memory.index("# Mine")
    writers = [_start_writer(memory, state_dir, name) for name in "ab"]
    assert [writer.wait(120) for writer in writers] == [0, 0]
    assert sorted(listed(memory)) == sorted(f"{name}{number}.md" for name in "ab" for number in range(20))
    assert text(memory).startswith("# Mine\n")


def test_what_another_writer_drops_comes_back_at_the_next_run(memory, state_dir, update):
    """It replaces the whole file by what it read before both began."""
    memory.index("# Mine")
    writers = [_start_writer(memory, state_dir, name) for name in "ab"]
    assert [writer.wait(120) for writer in writers] == [0, 0]
    memory.index("# Mine", "Line of the person.")
    update()
    assert sorted(listed(memory)) == sorted(f"{name}{number}.md" for name in "ab" for number in range(20))
    assert text(memory).startswith("# Mine\nLine of the person.\n")


def test_beside_a_writer_without_a_lock_nothing_of_the_person_is_lost(memory, state_dir, update):
    """It replaces the whole file by what it read some time ago and a line more, as Claude Code's Write does."""
    path = memory.dir / "MEMORY.md"
    memory.index("# Mine")
    writers = [_start_writer(memory, state_dir, name) for name in "ab"]
    lines = 0
    while any(writer.poll() is None for writer in writers):
        known = path.read_text()
        time.sleep(0.1)  # the model thinks
        known += f"Line {lines} of the person.\n"
        lines += 1
        (memory.dir / "write.tmp").write_text(known)
        os.replace(memory.dir / "write.tmp", path)
        time.sleep(0.03)
    assert [writer.wait(120) for writer in writers] == [0, 0]
    assert lines > 5
    assert [number for number in range(lines) if f"Line {number} of the person.\n" not in text(memory)] == []
    files = listed(memory)
    assert len(files) == len(set(files))


def test_a_version_that_comes_in_at_the_last_moment_is_not_lost(memory, state_dir, update, monkeypatch):
    memory.index("Mine.")
    swap = exchange.swap
    late = iter(["Mine.\nLate.\n", "Mine.\nLate.\nLater.\n"])

    def swap_after_a_write(one, other):
        newer = next(late, None)
        if newer and other.endswith("MEMORY.md"):
            (memory.dir / "write.tmp").write_text(newer)
            os.replace(memory.dir / "write.tmp", other)
        return swap(one, other)

    monkeypatch.setattr(exchange, "swap", swap_after_a_write)
    update(wanted("a"))
    assert text(memory) == "Mine.\nLate.\nLater.\n\n- [A](a.md) — what it is\n"


def test_where_files_cannot_be_exchanged_what_was_read_is_compared(memory, update, monkeypatch):
    memory.index("Mine.")
    write, late = fsio.write_temporary, iter(["Mine.\nLate.\n"])

    def write_while_another_does(folder, data, **options):
        path = write(folder, data, **options)
        newer = next(late, None) if folder == str(memory.dir) else None
        if newer:
            (memory.dir / "MEMORY.md").write_text(newer)
        return path

    monkeypatch.setattr(exchange, "swap", lambda one, other: False)
    monkeypatch.setattr(fsio, "write_temporary", write_while_another_does)
    update(wanted("a"))
    assert text(memory) == "Mine.\nLate.\n\n- [A](a.md) — what it is\n"


def test_a_file_that_is_being_written_is_given_a_moment(memory, update):
    path = memory.dir / "MEMORY.md"
    memory.index("# Mine", "Line.")

    def write_slowly():
        with path.open("w") as file:
            time.sleep(0.03)
            file.write("# Mine\nLine.\nAnother.\n")

    writer = threading.Thread(target=write_slowly)
    writer.start()
    time.sleep(0.005)
    update(wanted("a"))
    writer.join()
    assert text(memory).startswith("# Mine\nLine.\nAnother.\n")


def test_an_update_waits_for_the_lock_of_another_process(memory, state_dir, update, monkeypatch):
    from memdir import locks

    monkeypatch.setattr(index_file, "_LOCK_S", 0.05)
    memory.index("Mine.")
    with (
        locks.held(index_file.written_path(str(state_dir), str(memory.dir)) + ".lock") as got,
        pytest.raises(MemdirError, match="another process of memdir"),
    ):
        assert got
        update(wanted("a"))
    assert text(memory) == "Mine.\n"


def test_an_index_over_its_limits_is_told(memory, update):
    memory.index(*[f"- [T{number}](t{number}.md) — x" for number in range(index.MAX_LINES)])
    assert update(wanted("a")).state == "over"
