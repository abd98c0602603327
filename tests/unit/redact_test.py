"""What is private or secret is taken out; what merely talks about secrets, or looks like one from afar, stays."""

import json
import os
import resource
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdir import redact
from support.checkout import ROOT

JOINT = "␟"  # stands inside the invented keys, so that nobody's scanner takes the file for a leak
CASES = [
    json.loads(line) for line in (ROOT / "tests/data/secrets.jsonl").read_text("utf-8").replace(JOINT, "").splitlines()
]
SECRETS = {case["label"]: case for case in CASES if "secrets" in case and not case.get("rare")}
RARE = {case["label"]: case for case in CASES if case.get("rare")}
NEAR_MISSES = {case["label"]: case["text"] for case in CASES if "secrets" not in case}


@pytest.fixture(autouse=True)
def no_detector(monkeypatch):
    monkeypatch.setattr(redact, "_detector", None)


def _found(case):
    cleaned = redact.clean(case["text"])
    return redact.MARK in cleaned and not [secret for secret in case["secrets"] if secret in cleaned]


def test_there_are_cases_of_both_kinds():
    assert len(SECRETS) >= 60
    assert len(NEAR_MISSES) >= 60


@pytest.mark.parametrize("case", SECRETS)
def test_a_secret_is_taken_out(case):
    assert _found(SECRETS[case])


@pytest.mark.parametrize("case", NEAR_MISSES)
def test_what_is_no_secret_stays(case):
    assert redact.clean(NEAR_MISSES[case]) == NEAR_MISSES[case]


def test_most_keys_of_rare_issuers_are_found_as_well():
    assert sum(map(_found, RARE.values())) >= len(RARE) * 0.6


def test_ordinary_code_and_documents_stay():
    """Our own files are full of tokens, keys and passwords that are none. (A tag is one also where it is explained.)"""
    for path in [
        *(ROOT / "lib/memdir/shell").glob("*.py"),
        *(ROOT / "lib/memdir").glob("r[au]*.py"),
        ROOT / "README.md",
    ]:
        text = path.read_text("utf-8").replace("<private>", "").replace("</private>", "")
        assert redact.clean(text) == text, path


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("a <private>x</private> b", "a [private] b"),
        ("a <PRIVATE>x</Private> b", "a [private] b"),
        ('a <private reason="q > r">x</private> b', "a [private] b"),
        ("a <private\n>x\ny</private\n> b", "a [private] b"),
        ("a < private >x< / private > b", "a [private] b"),
        ("a <private>x <private>y</private> z</private> b", "a [private] b"),
        ("a <private>x</private> b <private>y</private> c", "a [private] b [private] c"),
        ("a <private>x", "a [private]"),
        ("a <private>x <private>y</private> z", "a [private]"),
        ("a <private>x</private", "a [private]"),
        ("x</private> b", "[private] b"),
        ("`<private>x</private>` b", "`[private]` b"),
        ("```\n<private>\nx\n</private>\n```", "```\n[private]\n```"),
        ("密码<private>x</private>好", "密码[private]好"),
        ("say<private>x", "say[private]"),
        ("<private></private>", "[private]"),
    ],
)
def test_private_parts_are_taken_out(text, cleaned):
    assert redact.clean(text) == cleaned


@pytest.mark.parametrize(
    "text",
    [
        "a private matter",
        "private: true",
        "PhantomData<Private> and Sealed<Private>",
        "<private-route/> <privateer>",
        "an empty <private/> hides nothing",
        "if a <privateCount: pass",
    ],
)
def test_what_is_no_private_part_stays(text):
    assert redact.clean(text) == text


def test_a_type_that_is_closed_is_a_private_part():
    assert redact.clean("Sealed<Private>x</private> b") == "Sealed[private] b"


def test_a_secret_before_a_private_part_goes_as_well():
    assert redact.clean("password=hunter22 <private>x</private>") == "password=[redacted] [private]"


def test_a_certificate_does_not_hide_the_key_that_follows_it():
    text = (
        "-----BEGIN CERTIFICATE-----\nMIIDdzCC\n{}-----BEGIN"
        + " PRIVATE KEY-----\nMIIEvQIB\n-----END PRIVATE KEY-----\n"
    )
    for end in ("-----END CERTIFICATE-----\n", ""):
        cleaned = redact.clean(text.format(end))
        assert "MIIDdzCC" in cleaned
        assert "MIIEvQIB" not in cleaned


def test_what_a_detector_sees_is_taken_out(monkeypatch):
    seen = []
    redact.use(lambda text: seen.append(text) or ["plum-jam-9", "jam-9", "x"])
    assert redact.clean("box plum-jam-9 and plum-jam-9") == "box [redacted] and [redacted]"
    assert seen[0] == "box plum-jam-9 and plum-jam-9"


def test_a_detector_gets_no_secret_that_is_known_already():
    seen = []
    redact.use(lambda text: seen.append(text) or [])
    redact.clean("password=hunter22 <private>x9</private>")
    assert not [text for text in seen if "hunter22" in text or "x9" in text]


FRAGMENTS = [
    *(case["text"] for case in CASES),
    *"password= token: <private> </private> <Private> -----BEGIN sk- AKIA Bearer :// @ \" ' ` \\ = :".split(),
    *"[redacted] 密码是 は".split(),
    " ",
    "\n",
    "\ud800",
    "\x00",
]
TEXTS = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=12), max_size=8).map("".join)


@settings(max_examples=200, deadline=None)
@given(TEXTS)
def test_cleaning_twice_is_cleaning_once(text):
    once = redact.clean(text)
    assert redact.clean(once) == once


@pytest.mark.parametrize(
    "unit",
    ["password ", "password=", "password is ", "token:\"", "<private ", "a<Private>", "</private>", "-----BEGIN A-----",
     "-----BEGIN A PRIVATE KEY-----", "-----BEGIN PUBLIC KEY-----", "a-", "aB1", "aB1-", "a.b+c://", "a://b:", "-u a:",
     "?key=", "密码 是", "\\\"", "=", "\ud800", "0", "eyJaaaaaaaa.", "eyJ-", "eyJaaaaaaaa-", "eyJ_-", "eyJaaaaaaaa.-",
     "cookie: a=", "bearer a", "api key ", "password='", "sk-", "glpat-", "SG.", "a1Q~", "12345678:AA", "patA.",
     "0123456789abcdef"],
)  # fmt: skip
def test_no_text_takes_more_than_linear_time(unit):
    text = unit * (200_000 // len(unit))
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (20, 20))  # seconds: it takes one, and where it was quadratic over 25
        redact.clean(text)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0


def test_it_runs_on_each_python(each_python, tmp_path):
    program = "import sys; sys.path.insert(0, sys.argv[1]); from memdir import redact; print(redact.clean(sys.argv[2]))"
    done = subprocess.run(
        [each_python, "-I", "-S", "-c", program, str(ROOT / "lib"), "password=hunter22 <private>x"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "password=[redacted] [private]\n"
