"""Attempts made by composition: each family's seeds, crossed with disguises, alone and in chains of two and three."""

from random import Random

from conformance.attacks.disguises import CLASSES
from conformance.attacks.families import FAMILIES
from conformance.attacks.forms import Form, pieces_of

LONGEST = 700  # characters
_CHAINS = ((1, 0.55), (2, 0.35), (3, 0.10))


def attempts(family: str, count: int, seed: int = 1) -> "list[dict]":
    """So many different attempts, the plain seeds first; the same ones each time."""
    random = Random(f"{family} {seed}")
    seeds = FAMILIES[family].seeds
    found = {text: _attempt(family, text, [], text) for text in seeds}
    names = list(CLASSES)
    turn = 0
    while len(found) < count:
        length = random.choices([length for length, _ in _CHAINS], [share for _, share in _CHAINS])[0]
        chain = [names[turn % len(names)], *random.sample(names, length - 1)]
        turn += 1
        text = random.choice(seeds)
        command = disguised(random, text, random.sample(chain, length))
        if command and len(command) <= LONGEST and command not in found:
            found[command] = _attempt(family, text, chain, command)
    return list(found.values())


def _attempt(family: str, seed: str, chain: "list[str]", command: str) -> "dict":
    return {"family": family, "seed": seed, "disguises": sorted(chain), "command": command}


def disguised(random: Random, text: str, chain: "list[str]") -> str:
    """The command line in these disguises, one after the other; "" where one has nothing to get hold of."""
    form = Form(pieces_of(text))
    for name in chain:
        changed = CLASSES[name](random, form)
        if changed is None:
            return ""
        form = changed
    return form.text
