import os

import pytest

from memdir import store

NOW = 1_790_000_000.0
GOOD = "---\nname: good\ndescription: A good topic\ntype: project\n---\n\nBody.\n"


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "memory"
    folder.mkdir()
    (folder / "good.md").write_text(GOOD)
    return folder


def _listed(folder):
    return set(store.scan(str(folder)).files)


def _read(folder, name):
    return store.read(str(folder), name, NOW, NOW)


def test_topics_are_found_in_subdirectories_under_their_relative_names(folder):
    (folder / "team" / "deep").mkdir(parents=True)
    (folder / "team" / "deep" / "a.md").write_text(GOOD)
    (folder / "team" / "MEMORY.md").write_text("- [A](deep/a.md)")
    (folder / "MEMORY.md").write_text("- [G](good.md)")
    assert _listed(folder) == {"good.md", "team/deep/a.md"}
    assert set(store.scan(str(folder)).dirs) == {"", "team/", "team/deep/"}


def test_a_missing_folder_is_empty_and_is_not_made(tmp_path):
    assert store.scan(str(tmp_path / "none")).files == {}
    assert not (tmp_path / "none").exists()


def test_links_are_not_followed(folder, tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "leak.md").write_text("SECRET")
    (folder / "broken.md").symlink_to("nowhere.md")
    (folder / "leak.md").symlink_to(tmp_path / "outside" / "leak.md")
    (folder / "loop").symlink_to(".")
    (folder / "door").symlink_to(tmp_path / "outside")
    assert _listed(folder) == {"good.md"}


@pytest.mark.parametrize(
    "name",
    ["good.md~", ".good.md.swp", "#good.md#", ".hidden.md", "good.md.tmp", "good.md.bak", "notes.txt", ".#good.md",
     "good.sync-conflict-20260101-120000-ABCDEFG.md", "good (conflicted copy 2026-01-01).md", "MEMORY.md"],
)  # fmt: skip
def test_what_editors_and_sync_tools_leave_is_no_topic(folder, name):
    (folder / name).write_text(GOOD)
    assert _listed(folder) == {"good.md"}


def test_what_is_no_regular_file_is_no_topic(folder):
    os.mkfifo(folder / "pipe.md")
    (folder / "folder.md").mkdir()
    assert _listed(folder) == {"good.md"}


def test_fields_are_read_in_both_forms(folder):
    (folder / "new.md").write_text(
        "---\nname: new\ndescription: d\nmetadata: \n  node_type: memory\n  type: feedback\n"
        "  modified: 2026-07-30T07:40:18.191Z\n---\n\nB\n"
    )
    new, old = _read(folder, "new.md"), _read(folder, "good.md")
    assert (new.name, new.type, new.description, new.body) == ("new", "feedback", "d", "\nB\n")
    assert new.written == 1785397218.191
    assert (old.type, old.written) == ("project", NOW)


@pytest.mark.parametrize(
    ("text", "name", "description"),
    [
        ("# Hand notes\n\ntext\n", "x", "Hand notes"),
        ("\n\n---\n* * *\nfirst words\n", "x", "first words"),
        ("", "x", ""),
        ("---\nname:\ndescription:\n---\nThe body says it.\n", "x", "The body says it."),
        ("---\nname: [broken\ndescription: still here\n", "x", "name: [broken"),
        ("---\n- a\n- b\n---\ntext\n", "x", "- a"),
    ],
)
def test_a_file_without_a_usable_header_keeps_its_name_and_first_words(folder, text, name, description):
    (folder / "x.md").write_text(text)
    topic = _read(folder, "x.md")
    assert (topic.name, topic.description) == (name, description)


@pytest.mark.parametrize(
    "raw",
    [GOOD.encode("utf-8-sig"), GOOD.encode("utf-16"), GOOD.replace("\n", "\r\n").encode()],
    ids=["utf-8 with a mark", "utf-16", "crlf"],
)
def test_other_encodings_and_line_ends_are_read(folder, raw):
    (folder / "x.md").write_bytes(raw)
    topic = _read(folder, "x.md")
    assert (topic.name, topic.description) == ("good", "A good topic")
    assert topic.body.split() == ["Body."]


def test_bytes_that_are_not_text_do_not_stop_the_others(folder):
    (folder / "latin.md").write_bytes("---\nname: latin\ndescription: Größe\n---\nx\n".encode("latin-1"))
    assert _read(folder, "latin.md").description == "Gr\ufffd\ufffde"
    assert _listed(folder) == {"good.md", "latin.md"}


def test_a_character_at_the_reading_limit_is_not_broken(folder):
    for shift in range(4):
        (folder / "x.md").write_text("a" * shift + "記🧠" * 9000)
        assert "\ufffd" not in store.text(str(folder / "x.md"))


def test_a_large_file_is_read_only_at_its_head(folder):
    (folder / "big.md").write_text(GOOD + "x" * (30 << 20))
    assert len(_read(folder, "big.md").body) < store.HEAD_BYTES


def test_a_file_name_is_shown_without_tricks():
    assert store.shown("a\nb\x1b[31m.md") == "a\ufffdb\ufffd[31m.md"
    assert store.shown("\udcff.md") == "\ufffd.md"
    assert store.shown("部署 é.md") == "部署 é.md"
