"""A person's file is removed only while it holds what was read; for replacing it see worker/replacement_test.py."""

import os

import pytest

from memdir import exchange, fsio


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "folder").mkdir()
    return tmp_path / "folder"


def test_a_file_that_is_as_it_was_read_goes(folder):
    path = folder / "a.json"
    path.write_bytes(b"ours")
    assert exchange.remove(str(path), b"ours")
    assert os.listdir(folder) == []


def _link(path):
    path.with_name("real").write_bytes(b"ours")
    path.symlink_to("real")


@pytest.mark.parametrize(
    "make",
    [lambda path: path.write_bytes(b"theirs"), _link, os.mkfifo, os.mkdir, lambda path: None],
    ids=["other text", "link", "pipe", "directory", "nothing"],
)
def test_anything_else_stays(folder, make):
    path = folder / "a.json"
    make(path)
    before = sorted(os.listdir(folder))
    assert not exchange.remove(str(path), b"ours")
    assert sorted(os.listdir(folder)) == before


@pytest.mark.parametrize("again", [False, True], ids=["once", "twice"])
def test_what_is_saved_at_the_last_moment_stays(folder, monkeypatch, again):
    """Between the comparison and the removal; a second save while the first is put back wins over it."""
    path = folder / "a.json"
    path.write_bytes(b"ours")
    rename = os.rename

    def rename_after_a_save(old, new):
        path.write_bytes(b"saved")
        rename(old, new)
        if again:
            path.write_bytes(b"saved again")

    monkeypatch.setattr(os, "rename", rename_after_a_save)
    assert not exchange.remove(str(path), b"ours")
    assert path.read_bytes() == (b"saved again" if again else b"saved")
    fsio.sweep(str(folder))
    assert os.listdir(folder) == ["a.json"]
