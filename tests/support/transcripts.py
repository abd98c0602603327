"""Transcripts of any size: a recorded turn of Claude Code 2.1.332 again and again, each with ids and texts of its own.

What the client writes for its own use, requests and attachments, is as large as it was when it was recorded.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from support.checkout import CLIENT_VERSION, ROOT

RECORDED = ROOT / "tests" / "transcripts" / CLIENT_VERSION / "tools.jsonl"
PROMPT = "do the things"
UUID = re.compile(r'"([0-9a-f]{8})(-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"')
ELIDED = re.compile(r"<elided (\d+) chars>")
PROMPTS = (
    "why does the export of warehouse {turn} time out?",
    "no, do not touch the generated client in src/part-{turn}; fix the retry instead",
    "run the tests of part {turn} again and show me what fails",
    "记住：第 {turn} 个仓库的导出在周二进行",
    "ワークスペース{turn}のテストを直してください",
)
OUTPUT = "src/part-{turn}/export.ts:{line}: error TS2345: Argument of type 'string' is not assignable to 'number'.\\n"


def write(path: Path, size: int, *, session_id: str, cwd: Path) -> None:
    """A transcript of about `size` bytes, in whole turns, at least one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        for turn in _turns(session_id, str(cwd)):
            file.write(turn)
            if file.tell() >= size:
                return


def _turns(session_id: str, cwd: str) -> Iterator[str]:
    lines = RECORDED.read_text("utf-8").splitlines(keepends=True)
    recorded_id = json.loads(lines[0])["sessionId"]
    template = ELIDED.sub(lambda elided: "x" * int(elided[1]), "".join(lines))
    template = template.replace("/home/dev/proj", cwd).replace(recorded_id, session_id)
    number = 0
    while True:
        yield _turn(template, number)
        if number == 0:  # what the client writes once in a session
            kept = [line for line in template.splitlines(keepends=True) if _repeats(json.loads(line)["type"])]
            template = "".join(kept)
        number += 1


def _repeats(kind: str) -> bool:
    return kind not in ("attachment", "api-request-shape", "queue-operation", "cost-state")


def _turn(template: str, number: int) -> str:
    prompt = PROMPTS[number % len(PROMPTS)].format(turn=number)
    output = "".join(OUTPUT.format(turn=number, line=line) for line in range(3 + number * 7 % 40))
    text = template.replace(json.dumps(PROMPT), json.dumps(prompt)).replace("Exit code 3", "Exit code 3\\n" + output)
    text = text.replace("msg_00", f"msg_{number}_00").replace("toolu_00", f"toolu_{number}_00")
    return UUID.sub(lambda uuid: f'"{int(uuid[1], 16) ^ number:08x}{uuid[2]}"', text)
