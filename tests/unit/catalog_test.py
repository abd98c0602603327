import os
import random
import time
from pathlib import Path

import pytest

from memdir import catalog, rank, recall, tokens

NOW = 1_790_000_000.0


class Folder:
    def __init__(self, root):
        self.path = root / "memory"
        self.path.mkdir()
        self.state = str(root / "state")
        self.file = catalog.path(self.state, str(self.path))

    def write(self, name, description, age_s=0):
        path = self.path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"---\nname: {path.stem}\ndescription: {description}\ntype: project\n---\nBody of it.\n")
        os.utime(path, (NOW - age_s, NOW - age_s))

    def refresh(self):
        return catalog.refresh(str(self.path), self.state, NOW)

    def open(self):
        return catalog.open_for_prompt(str(self.path), self.state, NOW)

    def found(self, prompt, known=None):
        return [item.file for item in recall.choose(prompt, known or self.open()[0], recall.Limits())]


@pytest.fixture
def folder(tmp_path):
    folder = Folder(tmp_path)
    folder.write("deploy.md", "staging deploys happen on Tuesdays", 300)
    folder.write("lint.md", "run the linter before a commit", 200)
    folder.write("zh.md", "每周日凌晨备份数据库", 100)
    return folder


def test_files_are_found_with_and_without_a_catalog_file(folder):
    before = folder.found("when do staging deploys happen")
    folder.refresh()
    assert folder.found("when do staging deploys happen") == before == ["deploy.md"]
    assert folder.found("数据库备份") == ["zh.md"]


def test_a_fresh_catalog_needs_no_refresh(folder):
    assert folder.open()[1]
    folder.refresh()
    assert not folder.open()[1]


def test_a_changed_a_new_and_a_deleted_file_are_seen_at_once(folder):
    folder.refresh()
    folder.write("lint.md", "the formatter is black")
    folder.write("sub/new.md", "tokens expire after an hour")
    (folder.path / "deploy.md").unlink()
    known, stale = folder.open()
    assert stale
    assert folder.found("which formatter", known) == ["lint.md"]
    assert folder.found("when do tokens expire", known) == ["sub/new.md"]
    assert folder.found("staging deploys", known) == []
    assert folder.found("before a commit", known) == []


def test_a_refresh_reads_only_what_changed(folder, monkeypatch):
    folder.refresh()
    folder.write("lint.md", "the formatter is black")
    read = []
    original = catalog.store.read
    monkeypatch.setattr(catalog.store, "read", lambda of, file, *rest: read.append(file) or original(of, file, *rest))
    folder.refresh()
    assert read == ["lint.md"]


def test_newer_files_come_first_and_equal_times_follow_the_names(folder):
    for name in ("b.md", "a.md", "c.md"):
        folder.write(name, "port of the admin server", 5000)
    folder.write("newer.md", "port of the admin server", 10)
    path = folder.path / "future.md"
    folder.write("future.md", "port of the admin server")
    os.utime(path, (NOW + 1e9, NOW + 1e9))
    known = folder.refresh()
    order = [known.record(doc)[0] for doc in range(known.n)]
    assert [name for name in order if name in ("a.md", "b.md", "c.md")] == ["a.md", "b.md", "c.md"]
    assert order[0] == "newer.md"
    assert order[-1] == "future.md"
    assert [known.record(doc)[0] for doc in range(known.n)] == order


@pytest.mark.parametrize("seed", range(60))
def test_a_damaged_catalog_is_built_again_or_finds_less_but_never_fails(folder, seed):
    folder.refresh()
    chance = random.Random(seed)
    raw = bytearray(Path(folder.file).read_bytes())
    if seed % 3 == 0:
        del raw[chance.randrange(len(raw)) :]
    else:
        for _ in range(1 if seed % 3 == 1 else 40):
            raw[chance.randrange(len(raw))] = chance.randrange(256)
    Path(folder.file).write_bytes(raw)
    known, _ = folder.open()
    rank.rank(tokens.windows("when do staging deploys happen, 数据库备份?"), known)
    assert set(folder.found("when do staging deploys happen", known)) <= {"deploy.md", "zh.md"}
    folder.refresh()
    folder.found("数据库备份")  # whatever block this finds damaged, it is the last time
    folder.refresh()
    assert folder.found("数据库备份") == ["zh.md"]


def test_a_deleted_catalog_comes_back(folder):
    folder.refresh()
    os.unlink(folder.file)
    assert folder.found("数据库备份") == ["zh.md"]
    folder.refresh()
    assert os.path.exists(folder.file)


def test_the_catalog_of_another_directory_does_not_count(folder, tmp_path):
    folder.refresh()
    other = tmp_path / "other"
    other.mkdir()
    os.replace(folder.file, catalog.path(folder.state, str(other)))
    known, _ = catalog.open_for_prompt(str(other), folder.state, NOW)
    assert known.n == 0


def test_where_nothing_can_be_written_recall_works_without(folder):
    (folder.path.parent / "state").write_text("a file in the place of the directory")
    assert folder.found("数据库备份", folder.refresh()) == ["zh.md"]
    assert folder.found("数据库备份") == ["zh.md"]


def test_one_process_refreshes_at_a_time(folder):
    import fcntl

    catalog.refresh_if_free(str(folder.path), folder.state, NOW)
    os.unlink(folder.file)
    with open(folder.file + ".lock") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        catalog.refresh_if_free(str(folder.path), folder.state, NOW)
        assert not os.path.exists(folder.file)
    catalog.refresh_if_free(str(folder.path), folder.state, NOW)
    assert os.path.exists(folder.file)


def test_parallel_prompts_and_refreshes_agree(folder):
    children = []
    for number in range(6):
        child = os.fork()
        if not child:
            status = 1
            try:
                for turn in range(15):
                    folder.write(f"n{number}-{turn}.md", f"note {number} {turn}")
                    folder.refresh()
                    if folder.found("数据库备份") != ["zh.md"]:
                        break
                else:
                    status = 0
            finally:
                os._exit(status)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 6
    assert folder.refresh().n == 93


def test_a_large_directory_is_not_read_whole_for_one_prompt(folder, monkeypatch):
    monkeypatch.setattr(catalog, "SMALL", 2)
    monkeypatch.setattr(catalog, "HOOK_READS", 2)
    known, stale = folder.open()
    assert (known.n, known.unread, stale) == (2, 1, True)
    assert folder.found("数据库备份", known) == ["zh.md"]
    folder.refresh()
    known, stale = folder.open()
    assert (known.n, known.unread, stale) == (3, 0, False)
    folder.write("zz.md", "an added note about kubernetes")
    time.sleep(0.01)
    known, stale = folder.open()
    assert (known.n, stale) == (4, True)
    assert folder.found("kubernetes", known) == ["zz.md"]
