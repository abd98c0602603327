"""The files that the text of a patch changes."""

from memdir.rules.effects_list import DELETE, WRITE

NOTHING = "/dev/null"


def targets(text: str, strip: int) -> "list[tuple[str, str]]":
    """Pairs of write or delete and a relative path; `strip` leading parts of the names are taken off, -1 takes all."""
    found: "list[tuple[str, str]]" = []
    lines = text.split("\n")
    for place, line in enumerate(lines):
        after = lines[place + 1] if place + 1 < len(lines) else ""
        word, _, rest = line.partition(" ")
        if (word, after[:4]) in (("---", "+++ "), ("***", "--- ")):
            old, new = _name(rest), _name(after[4:])
            names = [(DELETE, old)] if new == NOTHING else [(WRITE, new)]
            if old not in (NOTHING, new) and _stripped(old, strip) != _stripped(new, strip) and new != NOTHING:
                names.append((WRITE, old))  # patch takes the one that exists
            found += [(kind, _stripped(name, strip)) for kind, name in names]
        elif line.startswith(("rename from ", "rename to ", "copy to ")):
            kind = DELETE if line.startswith("rename from") else WRITE
            # these names have no a/ and b/ in front
            found.append((kind, _stripped(_unquoted(line.split(" ", 2)[2]), max(strip - 1, 0) if strip >= 0 else -1)))
        elif word == "diff" and rest.startswith("--git "):
            found += [(WRITE, _stripped(name, strip)) for name in _git_names(rest[6:]) if name]
        elif line.startswith("Index: "):
            found.append((WRITE, _stripped(line[7:].strip(), strip if strip >= 0 else -1)))
    return [(kind, path) for kind, path in dict.fromkeys(found) if path]


def _git_names(rest: str) -> "list[str]":
    """The new name of `diff --git a/x b/x`, which is all that a patch of a mode or an empty file has."""
    if rest[:1] == '"':
        return [_unquoted(rest.partition('" ')[2].strip())]
    half = len(rest) // 2
    if rest[2:half] == rest[half + 3 :]:
        return [rest[half + 1 :]]
    name = rest.rpartition(" b/")[2]
    return ["b/" + name] if name != rest else []


def _name(rest: str) -> str:
    return _unquoted(rest.partition("\t")[0].rstrip("\r"))


def _unquoted(name: str) -> str:
    """The name without quotes; escapes of letters outside ASCII stay, as no pattern names them so."""
    name = name.strip()
    return (
        name[1:-1].replace('\\"', '"').replace("\\\\", "\\") if name[:1] == '"' == name[-1:] and len(name) > 1 else name
    )


def _stripped(name: str, strip: int) -> str:
    if name == NOTHING:
        return ""
    parts = [part for part in name.split("/") if part or name[:1] == "/"]
    return parts[-1] if strip < 0 else "/".join(parts[strip:])
