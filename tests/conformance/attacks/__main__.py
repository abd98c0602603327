"""Attacks every guard with command lines made by composition, each run for real, and records what memdir makes of them.

    python3 tests/conformance/attacks              # run all, record them, bring the tables in docs/rules.md up to date
    python3 tests/conformance/attacks --judge      # run nothing: only decide anew on what is recorded
    python3 tests/conformance/attacks --seed 2     # other attacks: how much of what nobody has mended for gets past

Linux with bash, git, unshare and setpriv; as root, or where a user may have namespaces. Twenty minutes on two cores.
Attempts without an effect are dropped. Whatever passes in silence is listed at the end: mend it, or give its line in
tests/data/rules/composed.jsonl a `class`, words of a bullet of docs/rules.md that says why it cannot be known.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

_TESTS = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(_TESTS), str(_TESTS.parent / "lib")]

from conformance.attacks import cell, corpus, results, world  # noqa: E402 - after the path
from conformance.attacks.families import FAMILIES  # noqa: E402

ATTEMPTS = 470  # of each family; some nine of ten have their effect


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--judge", action="store_true", help="decide anew on the recorded attacks")
    parser.add_argument("--cells", type=int, default=os.cpu_count(), help="how many run at once")
    parser.add_argument("--seed", type=int, default=1, help="of the attacks; those of 1 are recorded")
    options = parser.parse_args()
    known = {
        one["command"]: one["class"] for one in (results.load() if results.RECORD.exists() else []) if "class" in one
    }
    if options.judge:
        with tempfile.TemporaryDirectory() as folder:
            found = world.judged(results.load(), Path(folder).resolve() / "w")
    elif not cell.is_possible():
        print("this machine gives no namespaces to run attacks in", file=sys.stderr)
        return 1
    else:
        attempts = [one for family in FAMILIES for one in corpus.attempts(family, ATTEMPTS, options.seed)]
        found = cell.run(attempts, options.cells)
    for one in found:
        one.pop("class", None)
        if one["decision"] == "no_opinion" and one["command"] in known:
            one["class"] = known[one["command"]]
    if options.seed == 1:
        results.save(found)
        results.show(results.table(found))
    else:
        print(results.table(found))
    silent = [one for one in found if one["decision"] == "no_opinion" and "class" not in one]
    for one in silent:
        print(f"{one['family']}: {one['command']!r}")
    print(f"{len(found)} attacks had their effect, {len(silent)} of them pass without a class that is listed")
    return 1 if silent else 0


if __name__ == "__main__":
    sys.exit(main())
