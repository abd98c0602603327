"""The second detector finds what our own forms do not know, and works offline; without its package nothing is lost."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memdir import redact
from memdir_worker import detector
from support.checkout import ROOT

CASES = [
    json.loads(line) for line in (ROOT / "tests/data/secrets.jsonl").read_text("utf-8").replace("␟", "").splitlines()
]
SECRETS = [case for case in CASES if "secrets" in case]
NEAR_MISSES = {case["label"]: case["text"] for case in CASES if "secrets" not in case}


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The detector in place, with one directory for its compiled rules: compiling takes seconds."""
    patch = pytest.MonkeyPatch()
    patch.setattr(redact, "_detector", None)
    patch.setenv("MEMDIR_DATA_DIR", str(tmp_path_factory.mktemp("state")))
    detector._scanner.cache_clear()  # another test's, in another directory
    assert detector.install()
    yield Path(os.environ["MEMDIR_DATA_DIR"])
    patch.undo()


def test_whoever_asked_for_it_before_it_is_in_place_again(installed, monkeypatch):
    """An earlier extraction of this process has loaded it: that must not be taken for this one's."""
    monkeypatch.setattr(redact, "_detector", None)
    assert detector.install()
    assert redact._detector is not None


def _missed():
    cleaned = [(case, redact.clean(case["text"])) for case in SECRETS]
    return {case["label"] for case, text in cleaned if any(secret in text for secret in case["secrets"])}


def test_it_finds_keys_that_our_own_forms_do_not_know(installed, monkeypatch):
    together = _missed()
    monkeypatch.setattr(redact, "_detector", None)
    alone = _missed()
    assert together < alone
    assert len(together) <= 2


@pytest.mark.parametrize("case", NEAR_MISSES)
def test_it_leaves_alone_what_is_no_secret(installed, case):
    assert redact.clean(NEAR_MISSES[case]) == NEAR_MISSES[case]


def test_it_leaves_documents_alone(installed):
    text = (ROOT / "docs/rules.md").read_text("utf-8")
    assert redact.clean(text) == text


def test_a_key_far_into_a_long_text_is_found(installed):
    key = next(case for case in SECRETS if case["label"] == "rare: Pulumi")
    filler = "the gateway waits for the queue\n" * ((1 << 20) // 32)
    across = (
        filler[: -len(key["text"]) // 2] + "\n\ud800 " + key["text"] + "\n" + filler[:1000]
    )  # where the first scan ends
    assert key["secrets"][0] not in redact.clean(across)


def test_its_compiled_rules_lie_in_our_own_directory(installed, tmp_path):
    """Wherever a variable, which a repository can set, would have them."""
    folder = installed / "detector"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert list(folder.iterdir())
    env = {**os.environ, "KF_RULE_CACHE_DIR": str(tmp_path / "elsewhere"), "MEMDIR_DATA_DIR": str(installed)}
    program = "import sys; sys.path[:0] = sys.argv[1:]; from memdir_worker import detector; assert detector.install()"
    subprocess.run([sys.executable, "-I", "-c", program, str(ROOT / "lib")], env=env, check=True)
    assert not (tmp_path / "elsewhere").exists()


def test_a_scan_that_breaks_off_costs_only_itself(monkeypatch):
    class Broken:
        def scan(self, data, timeout):
            raise TimeoutError

    monkeypatch.setattr(redact, "_detector", lambda text: detector._secrets(Broken(), text))
    assert redact.clean("password=hunter22 for ops") == "password=[redacted] for ops"


def test_without_the_package_it_says_so_on_each_python(each_python):
    program = (
        "import sys; sys.path[:0] = sys.argv[1:]\n"
        "from memdir_worker import detector\nfrom memdir import redact\n"
        "print(detector.install(), redact.clean('password=hunter22'))"
    )
    done = subprocess.run(
        [each_python, "-I", "-S", "-c", program, str(ROOT / "lib")], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False password=[redacted]\n"
