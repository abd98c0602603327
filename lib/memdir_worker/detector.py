"""A second pair of eyes for `redact`: the rules of Kingfisher, which know issuers that we do not.

Optional: where the package is missing, `redact` works with its own forms alone. Rules are only compared with the text;
what Kingfisher has for asking an issuer whether a key is live is never called, so nothing reaches the network.
"""

import functools
import os

from memdir import paths, redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_TIMEOUT_S = 20.0
_CHUNK = 1 << 20  # bytes; rules look at one place at a time, and no key is as long as the overlap
_OVERLAP = 16 << 10


def install() -> bool:
    """Hands the rules to `redact.use`; False when the package is not there or does not work on this machine."""
    scanner = _scanner()
    if scanner is None:
        return False
    redact.use(lambda text: _secrets(scanner, text))
    return True


@functools.cache  # compiling takes seconds
def _scanner() -> "Any":
    """The compiled rules; None without the package. They are machine code in a way: they come from our own directory,
    never from where a variable says."""
    try:
        from kingfisher_sdk import Rules, Scanner
    except ImportError:
        return None
    try:
        state_dir = paths.state_dir(os.environ)
        rules = Rules(cache_dir=state_dir + "/detector") if state_dir else Rules(cache=False)
        return Scanner(rules, base64=False, dedup=False)
    except (OSError, RuntimeError, ValueError):
        return None


def _secrets(scanner: "Any", text: str) -> "list[str]":
    """What the rules take for secrets, as it stands in the text; nothing more where the scan breaks off."""
    data = text.encode("utf-8", "replace")  # a lone surrogate is no part of a key
    found: "set[str]" = set()
    for start in range(0, max(len(data), 1), _CHUNK - _OVERLAP):
        try:
            findings = scanner.scan(data[start : start + _CHUNK], timeout=_TIMEOUT_S)
        except (RuntimeError, TimeoutError):
            break
        found.update(finding.secret for finding in findings if finding.visible)
    return [secret for secret in found if len(secret) >= 8 and not secret.isalpha()]
