"""What the model reads after it changed a memory: the client's words or ours, never both, never twice."""

import itertools

import pytest

pytestmark = pytest.mark.e2e

ENTRIES = "".join(f"- [T{number}](t{number}.md) — x\n" for number in range(260))
NO_DESCRIPTION = "---\nname: x\nmetadata:\n  type: user\n---\n\nBody.\n"
OURS = "memdir checked what this"


@pytest.fixture
def said(client):
    """said(call, ...) has the model make the calls and gives what it read after each."""

    def run(*calls):
        bypass = {"args": ["--permission-mode", "bypassPermissions"], "env": {"IS_SANDBOX": "1"}}
        result = client.run("go", scenario={"turns": list(calls)}, **bypass)
        assert len(result.main) == len(calls) + 1, result.report()
        texts = ["\n".join(request.texts("system")) for request in result.main]
        return [after[len(before) :] for before, after in itertools.pairwise(texts)]

    return run


def _write(path, content):
    return {"tool": "Write", "input": {"file_path": str(path), "content": content}}


def _bash(command):
    return {"tool": "Bash", "input": {"command": command}}


def test_the_client_speaks_after_a_write_of_the_index_and_memdir_after_a_command(memory, said):
    for number in range(260):
        memory.file(f"t{number}.md", "---\nname: t\ndescription: d\n---\nBody.\n")
    index = memory.dir / "MEMORY.md"
    by_write, by_command, by_look = said(_write(index, ENTRIES), _bash(f"touch '{index}'"), _bash(f"cat '{index}'"))
    assert by_write.count("over its 200-line read limit") == 1
    assert OURS not in by_write
    assert by_command.count("this command left the memory index at MEMORY.md at 260 lines") == 1
    assert "60 of 260 lines were cut off" in by_command
    assert OURS not in by_look


def test_a_topic_without_description_is_told_once(memory, said):
    memory.index("- [X](x.md) — x")
    topic, other_file = memory.dir / "x.md", memory.project / "x.txt"
    first, look, other = said(_write(topic, NO_DESCRIPTION), _bash(f"ls '{memory.dir}'"), _write(other_file, "x"))
    assert first.count("x.md:2: the description is missing") == 1
    assert OURS not in look + other
