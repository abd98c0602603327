"""Takes secrets out of text before it is written or leaves the machine."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Match, Pattern
    from typing import Optional

MARK = "[redacted]"

# Forms that are secrets wherever they stand: the issuers' own prefixes.
_TOKENS = (
    r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",  # AWS
    r"\bgh[pousr]_[A-Za-z0-9]{20,}",  # GitHub
    r"\bgithub_pat_[A-Za-z0-9_]{20,}",
    r"\bglpat-[A-Za-z0-9_-]{16,}",  # GitLab
    r"\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{16,}",  # Anthropic, OpenAI
    r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}",  # Stripe
    r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}",  # Slack
    r"\bnpm_[A-Za-z0-9]{30,}",
    r"\bpypi-[A-Za-z0-9_-]{30,}",
    r"\bhf_[A-Za-z0-9]{20,}",
    r"\bAIza[A-Za-z0-9_-]{30,}",  # Google
    r"\bya29\.[A-Za-z0-9_-]{20,}",
    r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?",  # JSON Web Token
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)",
)
# What follows these words is one: the first group stays, the second goes.
_AFTER = (
    r"((?:authorization|proxy-authorization)[\"']?\s*[:=]\s*[\"']?(?:bearer|basic|token)\s+)([^\s\"'\\]{4,})",
    r"(\bbearer\s+)([A-Za-z0-9._~+/-]{12,}=*)",
    r"(\b[a-z][a-z0-9+.-]{0,20}://[^\s/:@\"']{0,80}:)([^\s/@\"']{1,200})(?=@)",
    r"((?:pass(?:word|wd|phrase)?|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?)"
    r"(?:[\"']?\s*[:=]\s*|[\"']\s*,\s*|\s+is\s+)[\"']?)([^\s\"',;&|)]{4,})",
    r"((?:^|\s)--?(?:pass(?:word|wd|phrase)?|secret|token|api[_-]?key|access[_-]?key)(?:\s+|=)[\"']?)([^\s\"']{4,})",
)
_HIGH_ENTROPY = (
    r"\b(?=[A-Za-z0-9+_-]{0,99}[0-9])(?=[A-Za-z0-9+_-]{0,99}[A-Z])(?=[A-Za-z0-9+_-]{0,99}[a-z])[A-Za-z0-9+_-]{40,}"
)

_compiled: "Optional[tuple[Pattern[str], list[Pattern[str]]]]" = None


def secrets(text: str) -> str:
    """The text with what looks like a password, key or token replaced by MARK."""
    whole, after = _patterns()
    for pattern in after:
        text = pattern.sub(_keep_first, text)
    return whole.sub(MARK, text)


def _keep_first(found: "Match[str]") -> str:
    value = found.group(2)
    return found.group(0) if value[:1] in "$<{[" else found.group(1) + MARK  # a variable or a placeholder is none


def _patterns() -> "tuple[Pattern[str], list[Pattern[str]]]":
    global _compiled
    if _compiled is None:
        import re  # half an interpreter start, paid only where something is written or sent

        whole = re.compile("|".join([*_TOKENS, _HIGH_ENTROPY]))
        _compiled = whole, [re.compile(pattern, re.IGNORECASE) for pattern in _AFTER]
    return _compiled
