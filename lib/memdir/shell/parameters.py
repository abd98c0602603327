"""What the operators of a parameter make of its values: `${x:-y}`, `${x#y}`, `${x/y/z}`, `${x:1:2}`, `${x^^}`."""

from memdir.shell.arguments import ANY, BRACKET, NAME, QUESTION, STAR, fits, known

# Whose pieces anybody can cut letters out of; no other unset variable is more than a name.
_GUESSABLE = frozenset(
    "PATH SHELL TERM LANG BASH BASH_VERSION PS1 PS4 HOSTNAME MACHTYPE OSTYPE HOSTTYPE SHELLOPTS".split()
)


def operated(name: str, operator: str, values: "list[str]", arguments: "list[str]", *, known_name: bool) -> "list[str]":
    """The values after `${name OPERATOR argument}`."""
    if operator in (":-", "-", ":=", "="):
        unset = not known_name and values == [NAME]
        kept = [value for value in values if value or operator in ("-", "=")]
        return kept + arguments if unset or len(kept) < len(values) else kept
    if operator in (":+", "+"):
        return ["", *arguments]
    if operator in (":?", "?"):
        return values
    if operator == ":" and (not known_name and name in _GUESSABLE):
        return [ANY]
    if all([known(text) for text in values + arguments]):
        return [edited(operator, value, argument) for value in values for argument in arguments]
    return [NAME if value == NAME and operator != ":" else ANY for value in values]


def _cut(operator: str, value: str, pattern: str) -> str:
    """The value without the shortest or longest part at its beginning or end that the pattern matches."""
    if len(value) > 500:
        return ANY
    front = operator[0] == "#"
    cuts = [cut for cut in range(len(value) + 1) if fits(pattern, value[:cut] if front else value[cut:])]
    if not cuts:
        return value
    if front:
        return value[cuts[0] if len(operator) == 1 else cuts[-1] :]
    return value[: cuts[-1] if len(operator) == 1 else cuts[0]]


def edited(operator: str, value: str, argument: str) -> str:
    if operator in ("^^", "^", ",,", ",") and not argument:
        edit = str.upper if operator[0] == "^" else str.lower
        return edit(value) if len(operator) == 2 else edit(value[:1]) + value[1:]
    if operator == ":":
        start, _, length = argument.partition(":")
        try:
            first = int(start.strip() or 0)
            first = max(0, len(value) + first) if first < 0 else first
            if not length:
                return value[first:]
            last = int(length)
            return value[first : first + last] if last >= 0 else value[first : len(value) + last]
        except ValueError:
            return ANY
    if operator in ("#", "##", "%", "%%"):
        return _cut(operator, value, argument.replace("*", STAR).replace("?", QUESTION).replace("[", BRACKET))
    if operator in ("/", "//"):
        old, _, new = argument.partition("/")
        return value.replace(old, new, 1 if operator == "/" else -1) if old else value
    return ANY
