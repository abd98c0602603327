import os
import time
from pathlib import Path

import pytest

from memdir import fsio, rulebook
from memdir.rules import rule
from memdir.rules.patterns import WRITERS

HARD = "---\ndeny: Agent\n---\nNo.\n"


@pytest.fixture
def write(project):
    def write(text, name="a.md", folder=None, age=60.0):
        path = Path(folder or project) / ".claude/rules" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        settle(path, age)
        return path

    return write


@pytest.fixture
def clock(monkeypatch):
    """An hour later: what the test has written has settled."""
    now = [time.time_ns() + 3600 * 10**9]
    monkeypatch.setattr(rulebook.time, "time_ns", lambda: now[0])
    return now


@pytest.fixture
def parsed(monkeypatch):
    """The paths that were parsed."""
    seen = []
    real = rule.parse
    monkeypatch.setattr(rule, "parse", lambda path, *rest, **keys: (seen.append(path), real(path, *rest, **keys))[1])
    return seen


@pytest.fixture
def read(monkeypatch):
    """The rule files that were read."""
    seen = []
    real = fsio.read

    def note(path, *rest, **keys):
        if path.endswith(".md"):
            seen.append(path)
        return real(path, *rest, **keys)

    monkeypatch.setattr(fsio, "read", note)
    return seen


def settle(path, age):
    moment = time.time() - age
    os.utime(path, (moment, moment))


def load(project, state_dir, home, cwd=None, project_dir=None):
    env = {"HOME": str(home)}
    return rulebook.load(str(cwd or project), str(project if project_dir is None else project_dir), env, str(state_dir))


def names(book, project):
    return [os.path.relpath(file.path, project) for file in book.files]


def test_without_rule_files_nothing_is_opened_or_written(project, state_dir, home, monkeypatch):
    monkeypatch.setattr(os, "open", lambda *_, **__: pytest.fail("a file was opened"))
    book = load(project, state_dir, home)
    assert (book.files, book.keywords, book.problems) == ([], frozenset(), [])
    assert f"{project}/.claude/rules" in book.folders
    assert not state_dir.exists()


def test_rules_of_all_folders_from_the_root_down_are_found(project, state_dir, home, write):
    inner = project / "web/app"
    inner.mkdir(parents=True)
    write(HARD, folder=project.parent)
    write(HARD)
    write(HARD, "deep/er/b.md", folder=inner)
    write("Soft.", "soft.md")
    write(HARD, "other.txt")
    write(HARD, ".hidden.md")
    write(HARD, ".dot/c.md")
    book = load(project, state_dir, home, cwd=inner)
    assert names(book, project) == ["../.claude/rules/a.md", ".claude/rules/a.md", "web/app/.claude/rules/deep/er/b.md"]
    assert [file.base for file in book.files] == [str(project.parent), str(project), str(inner)]


def test_the_project_s_rules_hold_where_the_call_is_made_elsewhere(project, state_dir, home, write, tmp_path):
    write(HARD)
    assert names(load(project, state_dir, home, cwd=tmp_path / "elsewhere"), project) == [".claude/rules/a.md"]


def test_the_user_s_rules_begin_in_the_project(project, state_dir, home, write):
    write(HARD, folder=home)
    inside = home / "work"
    inside.mkdir()
    (file,) = load(inside, state_dir, home).files
    assert (file.base, file.user) == (str(inside), True)
    assert [file.base for file in load(inside, state_dir, home, project_dir="").files] == [str(inside)]


def test_links_are_followed_and_no_file_comes_twice(project, state_dir, home, write, tmp_path):
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "s.md").write_text(HARD)
    path = write(HARD)
    (path.parent / "linked").symlink_to(shared)
    (path.parent / "again.md").symlink_to(path)
    (path.parent / "loop").symlink_to(path.parent)
    (path.parent / "gone.md").symlink_to("nowhere")
    (path.parent / "folder.md").mkdir()
    assert names(load(project, state_dir, home), project) == [".claude/rules/a.md", ".claude/rules/linked/s.md"]


def test_folders_are_looked_into_eight_deep(project, state_dir, home, write):
    write(HARD, "/".join("12345678") + "/in.md")
    write(HARD, "/".join("123456789") + "/out.md")
    assert [os.path.basename(file.path) for file in load(project, state_dir, home).files] == ["in.md"]


def test_an_unchanged_file_is_neither_read_nor_parsed_again(project, state_dir, home, write, clock, parsed, read):
    write(HARD)
    write("Soft.", "soft.md")
    first = load(project, state_dir, home)
    assert len(parsed) == 2
    read.clear()
    second = load(project, state_dir, home)
    assert [file.pack() for file in second.files] == [file.pack() for file in first.files]
    assert second.keywords == first.keywords
    assert len(parsed) == 2
    assert read == []


@pytest.mark.parametrize("change", ["text", "same length and time", "new file", "removed"])
def test_a_change_is_seen(change, project, state_dir, home, write, clock):
    path = write(HARD)
    times = os.stat(path)
    load(project, state_dir, home)
    if change == "text":
        write("---\ndeny: WebSearch\n---\n")
    elif change == "same length and time":
        path.write_text(HARD.replace("Agent", "Skill"))
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    elif change == "new file":
        write(HARD, "b.md")
    else:
        path.unlink()
    found = [entry.text for file in load(project, state_dir, home).files for entry in file.entries]
    expected = {"text": ["WebSearch"], "same length and time": ["Skill"], "new file": ["Agent", "Agent"], "removed": []}
    assert found == expected[change]


def test_a_file_that_has_just_changed_is_read_until_its_time_has_settled(
    project, state_dir, home, write, clock, parsed, read
):
    write(HARD)
    later = clock[0]
    clock[0] -= 3600 * 10**9
    load(project, state_dir, home)
    load(project, state_dir, home)
    assert len(read) == 2
    assert len(parsed) == 1
    clock[0] = later
    load(project, state_dir, home)
    load(project, state_dir, home)
    assert len(read) == 3
    assert len(parsed) == 1


def test_a_touched_file_is_read_but_not_parsed_again(project, state_dir, home, write, clock, parsed):
    path = write(HARD)
    load(project, state_dir, home)
    settle(path, 30)
    load(project, state_dir, home)
    assert len(parsed) == 1


@pytest.mark.parametrize("damage", [b"", b"rubbish", None])
def test_a_damaged_cache_is_made_again(damage, project, state_dir, home, write, clock):
    write(HARD)
    expected = [file.pack() for file in load(project, state_dir, home).files]
    (cache,) = (state_dir / "rules").iterdir()
    whole = cache.read_bytes()
    cache.write_bytes(whole[:-3] + b"xxx" if damage is None else damage)
    assert [file.pack() for file in load(project, state_dir, home).files] == expected
    assert cache.read_bytes() == whole


def test_without_a_state_directory_to_write_to_rules_hold_as_well(project, home, write, tmp_path):
    write(HARD)
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert len(load(project, blocked / "state", home).files) == 1


def test_an_unreadable_file_may_govern_every_tool_that_writes(project, state_dir, home, write, monkeypatch):
    path = write(HARD)
    load(project, state_dir, home)
    write(HARD)  # a new version, which must be read
    real = fsio.read
    monkeypatch.setattr(
        fsio, "read", lambda name, *rest, **keys: None if name == str(path) else real(name, *rest, **keys)
    )
    for _ in range(2):
        book = load(project, state_dir, home)
        assert book.files[0].entries[0].governs == frozenset(WRITERS)
        assert "*" in book.keywords
        assert book.problems == [(str(path), 1, "this cannot be read: its rules are not known")]


def test_an_unreadable_folder_may_govern_every_tool_that_writes(project, state_dir, home, write, monkeypatch):
    folder = str(write(HARD).parent)
    real = os.scandir

    def refuse(path):
        if path == folder:
            raise PermissionError(13, "no")
        return real(path)

    monkeypatch.setattr(os, "scandir", refuse)
    (file,) = load(project, state_dir, home).files
    assert file.path == folder
    assert file.entries[0].governs == frozenset(WRITERS)


def test_a_hard_rule_that_is_not_utf8_is_in_force_and_broken(project, state_dir, home, write):
    write(HARD.encode() + b"na\xefve\n")
    write(b"---\npaths: x\n---\nna\xefve\n", "soft.md")
    (file,) = load(project, state_dir, home).files
    assert [entry.text for entry in file.entries if not entry.problem] == ["Agent"]
    assert "UTF-8" in file.entries[-1].problem


def test_a_replacement_character_of_the_author_breaks_nothing(project, state_dir, home, write):
    write(HARD + "\ufffd")
    assert load(project, state_dir, home).problems == []


def test_a_rule_that_is_too_long_is_broken(project, state_dir, home, write):
    write(HARD + "x" * rulebook.FILE_BYTES)
    write("Soft." + "x" * rulebook.FILE_BYTES, "soft.md")
    ((path, line, sentence),) = load(project, state_dir, home).problems
    assert (os.path.basename(path), line) == ("a.md", 1)
    assert "256 KB" in sentence


def test_problems_name_file_and_line(project, state_dir, home, write):
    path = write("---\ndeny:\n  - no-such-thing\nexamples: x\n---\n")
    assert [(file, line) for file, line, _ in load(project, state_dir, home).problems] == [
        (str(path), 3),
        (str(path), 4),
    ]


def test_the_keywords_of_all_files_are_joined(project, state_dir, home, write, monkeypatch):
    write("---\ndeny: Bash(npm publish)\n---\n")
    write("---\ndeny: Bash(terraform destroy)\n---\n", "b.md")
    assert {"publish", "destroy"} <= load(project, state_dir, home).keywords
