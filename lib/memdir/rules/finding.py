"""What a rule says about a call."""

DENY = "deny"
ASK = "ask"
NO_OPINION = "no_opinion"


class Finding:
    """`decision` is deny or ask; `what` says in a clause what the call does, `instead` in a sentence what to do."""

    __slots__ = ("decision", "instead", "what")

    def __init__(self, decision: str, what: str, instead: str = "") -> None:
        self.decision = decision
        self.what = what
        self.instead = instead

    def __repr__(self) -> str:
        return f"Finding({self.decision}, {self.what!r}, {self.instead!r})"
