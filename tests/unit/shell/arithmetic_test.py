"""Values of arithmetic, with bash as the oracle."""

import subprocess
from random import Random

import pytest

from memdir.shell import arithmetic


def _expressions(count):
    random = Random(5)
    signs = ("+", "-", "*", "/", "%", "&", "|", "^", "<", ">", "<=", ">=", "==", "!=", "&&", "||", "<<", ">>")
    for _ in range(count):
        text = str(random.randint(0, 30))
        for _ in range(random.randint(0, 4)):
            text = f"{text}{random.choice(('', ' '))}{random.choice(signs)} {random.choice(('', '-', '! ', '~'))}"
            text += random.choice((f"{random.randint(1, 9)}", f"({random.randint(1, 9)} + 1)", "0x1f", "017"))
        yield text


def test_it_computes_as_bash_does():
    texts = list(_expressions(300))
    script = "".join([f'( echo "$(( {text} ))" ) 2>/dev/null || echo none\n' for text in texts])
    shown = subprocess.run(["bash"], input=script, capture_output=True, text=True, check=True).stdout.split("\n")[:-1]
    wrong = [
        (text, bash, arithmetic.value(text))
        for text, bash in zip(texts, shown, strict=True)
        if arithmetic.value(text) not in ((None if bash == "none" else int(bash)), None)
    ]
    assert wrong == []
    assert sum(arithmetic.value(text) is not None for text in texts) > 200


@pytest.mark.parametrize(
    "text", ["", "x", "1 +", "(1", "1)", "1 / 0", "9" * 300, "(" * 150 + "1", "1 << 99", "a[1]", "08"]
)
def test_what_cannot_be_computed_is_not_known(text):
    assert arithmetic.value(text) is None
