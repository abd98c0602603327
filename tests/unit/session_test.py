from memdir.session import Session


def _session(tmp_path, name="s-1"):
    return Session(str(tmp_path / "state"), name)


def test_what_was_delivered_is_remembered(tmp_path):
    _session(tmp_path).add("prompt", 1.0, files=["a.md", "b.md"])
    _session(tmp_path).add("prompt", 2.0, files=["c.md"])
    assert _session(tmp_path).delivered() == {"a.md", "b.md", "c.md"}


def test_a_compaction_takes_it_out_of_the_context(tmp_path):
    _session(tmp_path).add("prompt", 1.0, files=["a.md"])
    _session(tmp_path).add("compacted", 2.0)
    _session(tmp_path).add("prompt", 3.0, files=["b.md"])
    assert _session(tmp_path).delivered() == {"b.md"}


def test_sessions_do_not_mix(tmp_path):
    _session(tmp_path, "one").add("prompt", 1.0, files=["a.md"])
    assert _session(tmp_path, "two").delivered() == set()


def test_a_line_that_was_cut_off_costs_only_itself(tmp_path):
    _session(tmp_path).add("prompt", 1.0, files=["a.md"])
    with open(_session(tmp_path).path, "ab") as file:
        file.write(b'{"e":"prompt","files":["b.m')
    _session(tmp_path).add("prompt", 2.0, files=["c.md"])
    assert _session(tmp_path).delivered() == {"a.md", "c.md"}


def test_damaged_lines_are_passed_over(tmp_path):
    session = _session(tmp_path)
    session.add("prompt", 1.0)
    with open(session.path, "ab") as file:
        file.write(b'\0\0\xff\n[1]\n"x"\n{"e":"prompt"}\n{"e":"prompt","files":7}\n')
    assert len(_session(tmp_path).records("prompt")) == 3
    assert _session(tmp_path).delivered() == set()


def test_without_a_state_directory_nothing_is_kept_and_nothing_fails(tmp_path):
    Session("", "s-1").add("prompt", 1.0, files=["a.md"])
    Session(str(tmp_path / "state"), "").add("prompt", 1.0, files=["a.md"])
    assert Session("", "s-1").delivered() == set()
    assert not (tmp_path / "state").exists()
