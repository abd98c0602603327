"""The generated transcripts of the benches read as Claude Code's own do."""

import json

from memdir import transcript
from support import transcripts


def test_a_generated_transcript_has_the_size_and_whole_turns_of_its_own(tmp_path):
    path = tmp_path / "projects" / "x.jsonl"
    transcripts.write(path, 1_000_000, session_id="bench", cwd=tmp_path)
    assert 1_000_000 <= path.stat().st_size < 1_300_000
    found = transcript.read(str(path), session_id="bench")
    assert found.skipped == 0
    assert len(found.turns) > 10
    assert len({turn.uuid for turn in found.turns}) == len(found.turns)
    assert len({turn.said[0] for turn in found.turns}) == len(found.turns)
    assert all(len(turn.tools) == 6 and turn.answers for turn in found.turns)
    assert "TS2345" in found.turns[-1].tools[4].output


def test_it_has_the_bulk_of_a_real_one(tmp_path):
    path = tmp_path / "x.jsonl"
    transcripts.write(path, 1, session_id="bench", cwd=tmp_path)
    kinds = [json.loads(line)["type"] for line in path.read_text("utf-8").splitlines()]
    assert {"api-request-shape", "api-request-blob", "api-request", "attachment"} <= set(kinds)
    assert "<elided" not in path.read_text("utf-8")
