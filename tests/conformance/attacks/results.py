"""The recorded attacks: where they lie, what is counted of them, and the table in docs/rules.md that is made of it."""

import json
from collections import Counter
from pathlib import Path

from conformance.attacks.disguises import CLASSES
from conformance.attacks.families import FAMILIES

_ROOT = Path(__file__).resolve().parents[3]
RECORD = _ROOT / "tests" / "data" / "rules" / "composed.jsonl"
PAGE = _ROOT / "docs" / "rules.md"
DECISIONS = ("deny", "ask", "no_opinion")
_BEGIN, _END = "<!-- composed attacks -->\n", "<!-- end of composed attacks -->\n"


def load() -> "list[dict]":
    """Every attempt that had its effect, with the `decision` on it and, where that is none, the `class` of the hole."""
    return [json.loads(line) for line in RECORD.read_text("utf-8").splitlines()]


def save(attempts: "list[dict]") -> None:
    kept = [{key: value for key, value in one.items() if key != "effect"} for one in attempts]
    lines = [json.dumps(one, ensure_ascii=False, separators=(",", ":")) + "\n" for one in kept]
    RECORD.write_text("".join(lines), "utf-8")


def table(attempts: "list[dict]") -> str:
    """The two tables of docs/rules.md: by family, and by disguise."""
    by_family = Counter((one["family"], one["decision"]) for one in attempts)
    by_class = Counter((name, one["decision"]) for one in attempts for name in set(one["disguises"]) or {"none"})
    lines = _rows("guard", {f"`{name}`": [by_family[name, each] for each in DECISIONS] for name in FAMILIES})
    lines += [
        "",
        *_rows("disguise", {name: [by_class[name, each] for each in DECISIONS] for name in ("none", *CLASSES)}),
    ]
    return "\n".join(lines) + "\n"


def _rows(title: str, counts: "dict[str, list[int]]") -> "list[str]":
    rows = [f"| {title} | attacks with effect | denied | asked | passed |", "|---|---|---|---|---|"]
    return rows + [
        f"| {name} | {sum(found)} | {found[0]} | {found[1]} | {found[2]} |" for name, found in counts.items()
    ]


def shown_table() -> str:
    """What docs/rules.md says now."""
    return PAGE.read_text("utf-8").partition(_BEGIN)[2].partition(_END)[0].strip("\n") + "\n"


def show(text: str) -> None:
    """Puts the tables into docs/rules.md."""
    before, begin, rest = PAGE.read_text("utf-8").partition(_BEGIN)
    after = rest.partition(_END)[2]
    if not begin:
        raise RuntimeError(f"{PAGE} has no place for the tables: {_BEGIN.strip()}")
    PAGE.write_text(before + _BEGIN + "\n" + text + "\n" + _END + after, "utf-8")
