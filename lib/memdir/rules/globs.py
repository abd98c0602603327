"""Paths as rules name them: patterns as in a .gitignore, compared with files by what they really are."""

from memdir.rules.wildcards import Wildcard, alternatives
from memdir.shell.arguments import ANY, NAME, has_glob, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Optional

    from memdir.shell.calls import Machine

LONGEST = 4096
WALK = 2_000  # names that `below` looks at
_UNWALKED = (".git", "node_modules")


def problem(text: str) -> str:
    """What is wrong with a path pattern, and how to write it; "" if nothing."""
    try:
        PathPattern(text, "/", "/")
    except ValueError as error:
        return str(error)
    return ""


def normal(path: str) -> str:
    """An absolute path without empty, `.` and `..` segments."""
    parts: "list[str]" = []
    for part in path.split("/"):
        if part == "..":
            del parts[-1:]
        elif part not in ("", "."):
            parts.append(part)
    return "/" + "/".join(parts)


class PathPattern:
    """`a.txt` and `*.pem` match at any depth below `base`; with a slash in it, or before it, from `base` on.

    What a pattern matches, it matches with everything below; `x/` and `x/**` say so. `**` stands for any folders,
    `{a,b}` for either, `~/x` begins in `home`, `//x` at the root, `../x` beside `base`. `/home/me/x` is below `base`,
    as in a .gitignore, unless it begins with `home` or `base`: then it is taken for both. A name in brackets, `[id]`,
    also matches itself. Raises ValueError with a sentence when the text cannot be read.
    """

    def __init__(self, text: str, base: str, home: str) -> None:
        self.text = text
        self._base = normal(base)
        self._forms = [
            form for alternative in _alternatives(text) for form in _forms(alternative, self._base, home.rstrip("/"))
        ]

    def matches(self, path: str, machine: "Machine") -> bool:
        """Whether an absolute path is, or with its marks could be, one of these."""
        return self.verdict(path, machine) != "no"

    def verdict(self, path: str, machine: "Machine") -> str:
        """As `matches`: "yes"; "maybe" when it depends on what the path's marks stand for; or "no"."""
        found = "no"
        for form in self._forms:
            for parts, states in _places(form, path, machine):
                fold = machine.folds_case(form.root)
                if form.accepts(parts, states, fold=fold, sure=True):
                    return "yes"
                if not known(path) and form.accepts(parts, states, fold=fold, sure=False):
                    found = "maybe"
            if form.file and known(path) and machine.same_file(path, form.file):
                return "yes"
        return found

    def below(self, folder: str, machine: "Machine") -> str:
        """ "yes" if something that exists at or below the folder matches, else "no".

        Of a large folder the WALK names nearest to it are looked at, without what lies in .git and node_modules.
        """
        if not machine.kind(folder):
            return "no"
        if self.verdict(folder, machine) == "yes":
            return "yes"
        budget = [WALK]
        for form in self._forms:
            if form.file and machine.kind(form.file) and _under(machine.real(form.file), machine.real(folder)):
                return "yes"
            for start, parts, states in _starts(form, folder, machine):
                if _walk(form, start, form.after(parts, states, machine.folds_case(form.root)), machine, budget):
                    return "yes"
        return "no"


class _Form:
    """One alternative: segments from `root` on. `prefix` is how many of them are literal at its beginning."""

    def __init__(self, root: str, segments: "list[str]", *, tree: bool) -> None:
        self.root = root
        self.tree = tree
        self.segments = segments
        self._compiled: "dict[bool, list[Optional[Wildcard]]]" = {}
        self._plain = [_one_form(segment) for segment in segments]
        plain = [wildcard.literal if wildcard else None for wildcard in self.compiled(False)]
        floating = segments[:1] == ["**"] and len(segments) == 2
        self.prefix = len(plain)
        if None in plain:
            self.prefix = plain.index(None)
        names = [name for name in (plain[1:] if floating else plain[: self.prefix]) if name is not None]
        self.folder = root.rstrip("/") + "".join(["/" + name for name in names]) if names else ""
        self.after_folder = len(segments) if floating else self.prefix
        self.file = self.folder if self.after_folder == len(segments) else ""  # what a pattern without wildcards names

    def compiled(self, fold: bool) -> "list[Optional[Wildcard]]":
        """The segments; None is `**`."""
        if fold not in self._compiled:
            self._compiled[fold] = [
                None if segment == "**" else Wildcard(segment.casefold() if fold else segment, sets=True)
                for segment in self._plain
            ]
        return self._compiled[fold]

    def initial(self) -> "set[int]":
        return self._closed({0})

    def _closed(self, states: "set[int]") -> "set[int]":
        for state in list(states):
            while state < len(self.segments) and self.segments[state] == "**":
                state += 1
                states.add(state)
        return states

    def accepts(self, parts: "list[str]", states: "set[int]", *, fold: bool, sure: bool) -> bool:
        """Whether the path, or a folder that it is in, matches from one of the states on."""
        end = len(self.segments)
        if end in states:
            return True
        for number, part in enumerate(parts):
            states = self.step(states, part, fold=fold, sure=sure)
            # What a path with marks lies in could be anything: only a pattern that means a folder is asked.
            if end in states and (known(part) or self.tree or number == len(parts) - 1):
                return True
        return False

    def after(self, parts: "list[str]", states: "set[int]", fold: bool) -> "set[int]":
        for part in parts:
            states = self.step(states, part, fold=fold, sure=True)
        return states

    def step(self, states: "set[int]", part: str, *, fold: bool, sure: bool) -> "set[int]":
        part = _one_form(part)
        part = part.casefold() if fold else part
        hole = ANY in part or NAME in part
        found = self._next(states, part, fold=fold, sure=sure) if not (sure and hole) else set()
        if hole and not sure:
            # The hole may also hold several segments: its first one, any number, and its last one.
            cut = min([part.find(mark) % (len(part) + 1) for mark in (ANY, NAME)])
            first = self._next(states, part[: cut + 1], fold=fold, sure=False)
            found |= set() if part.strip(ANY + NAME) else states  # or nothing at all
            if first:
                between = set(range(min(first), len(self.segments) + 1))
                last = part[max(part.rfind(ANY), part.rfind(NAME)) :]
                found |= self._next(between, last, fold=fold, sure=False)
                found |= between if last in (ANY, NAME) else set()
                found |= between & {len(self.segments)} if self.tree else set()
        return self._closed(found)

    def _next(self, states: "set[int]", part: str, *, fold: bool, sure: bool) -> "set[int]":
        found = set()
        compiled = self.compiled(fold)
        for state in states:
            if state == len(compiled):
                continue
            segment = compiled[state]
            if segment is None:
                found.add(state)
            elif _meets(segment, self._plain[state], part, sure=sure):
                found.add(state + 1)
        return found


def _meets(segment: Wildcard, text: str, part: str, *, sure: bool) -> bool:
    if segment.fits(part) or part == text:
        return True
    if sure or known(part):
        return False
    if has_glob(part[0]) and segment.tokens[:1] == ["."]:
        return False  # a shell's `*` passes over names with a leading dot
    return segment.overlaps(part)


def _one_form(text: str) -> str:
    if text.isascii():
        return text
    import unicodedata  # a shared library that plain names do without

    return unicodedata.normalize("NFC", text)


def _alternatives(text: str) -> "list[str]":
    text = text.strip(" \t")
    if not text:
        raise ValueError("the path is missing")
    if text[0] == "!":
        raise ValueError(f"`{text[:60]}` begins with `!`: exceptions are not possible, name only what is meant")
    if len(text) > LONGEST or "\n" in text or "\0" in text:
        raise ValueError(f"`{text[:60]}` is no path")
    try:
        return alternatives(text)
    except ValueError as error:
        raise ValueError(f"`{text[:60]}` cannot be read: {error}") from None


def _forms(text: str, base: str, home: str) -> "list[_Form]":
    found = []
    root, rest = base, text
    if text[:1] == "~":
        if text[1:2] not in ("", "/"):
            raise ValueError(f"`{text[:60]}`: of home directories only `~/` is known; write `//` and the whole path")
        if not home:
            return []
        root, rest = home, "/" + text[1:]
    elif text[:2] == "//":
        root = "/"
    elif text[0] == "/" and any(
        [(text + "/").startswith(known_root + "/") for known_root in (home, base) if known_root]
    ):
        found.append(_form("/", text))
    while rest[:2] == "./" or rest[:3] == "../" or rest == "..":
        up, _, rest = rest.partition("/")
        root = root.rsplit("/", 1)[0] or "/" if up == ".." else root
        rest = "/" + rest.lstrip("/")
    found.append(_form(root, rest))
    return found


def _form(root: str, text: str) -> _Form:
    segments = [segment for segment in text.split("/") if segment not in ("", ".")]
    if ".." in segments:
        raise ValueError(f"`{text[:60]}` has `..` in the middle: write the path without it")
    tree = text[-1:] == "/" or segments[-1:] == ["**"]
    anchored = "/" in text.rstrip("/") or not segments
    while segments[-1:] == ["**"]:
        segments.pop()
    shorter = ["**"] if not anchored and segments else []
    for segment in segments:
        if segment != "**" or shorter[-1:] != ["**"]:
            shorter.append(segment)
    return _Form(root, shorter, tree=tree)


def _under(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _relative(path: str, folder: str) -> "Optional[list[str]]":
    """The segments of `path` from `folder` on; None if it is not below."""
    if not _under(path, folder):
        return None
    return [part for part in path[len(folder) :].split("/") if part]


def _real(path: str, machine: "Machine") -> str:
    """The real path, of one with marks as far as it is known."""
    if known(path):
        return machine.real(path)
    parts = path.split("/")
    first = [known(part) for part in parts].index(False)
    return normal(machine.real("/".join(parts[:first]) or "/") + "/" + "/".join(parts[first:]))


def _names(path: str, root: str, machine: "Machine") -> "Iterator[tuple[str, str]]":
    """The names of a path with the root that each is to be compared with: as given, real, and from another worktree."""
    real, real_root = _real(path, machine), machine.real(root)
    yield normal(path), root
    yield real, real_root
    yield normal(path), real_root
    yield real, root
    if root == "/" or _under(real, real_root):
        return
    worktree, common = machine.worktree(real)
    own, own_common = machine.worktree(real_root)
    if common and common == own_common and worktree != own and _under(real, worktree):
        yield own + real[len(worktree) :], real_root


def _places(form: _Form, path: str, machine: "Machine") -> "Iterator[tuple[list[str], set[int]]]":
    """The segments to compare, and the states to begin with; each pair is another way to name the same file."""
    if path[:1] != "/":
        # Nothing is known of where it begins: anywhere, if it begins with a hole, else below the root.
        yield path.split("/"), form.initial()
        return
    seen = set()
    for name, root in _names(path, form.root, machine):
        parts = None if (name, root) in seen else _relative(name, root)
        seen.add((name, root))
        if parts is not None:
            yield parts, form.initial()
    if form.folder:
        # What the pattern names may be a link itself; then its target is meant as well.
        target = machine.real(form.folder)
        parts = _relative(_real(path, machine), target)
        if parts is not None and target != form.folder:
            yield parts, form._closed({form.after_folder})


def _starts(form: _Form, folder: str, machine: "Machine") -> "Iterator[tuple[str, list[str], set[int]]]":
    """Where a walk begins: the folder with its segments, or the root of the pattern when that lies below the folder."""
    for parts, states in _places(form, folder, machine):
        if not [part for part in parts if part in _UNWALKED and part not in form.segments]:
            yield folder, parts, states
    real, root = machine.real(folder), machine.real(form.root)
    if root != real and _under(root, real):
        yield root, [], form.initial()


def _walk(form: _Form, folder: str, states: "set[int]", machine: "Machine", budget: "list[int]") -> bool:
    """Whether a name below the folder matches; nearest names first."""
    fold = machine.folds_case(form.root)
    waiting = [(folder, states)]
    for inside, reached in waiting:
        if not reached:
            continue
        real = ""
        for name in machine.names(inside):
            budget[0] -= 1
            if budget[0] < 0:
                return False
            following = form.step(reached, name, fold=fold, sure=True)
            path = f"{inside.rstrip('/')}/{name}"
            if len(form.segments) in following:
                return True
            if not following or (name in _UNWALKED and name not in form.segments) or machine.kind(path) != "dir":
                continue
            real = real or machine.real(inside).rstrip("/")
            if machine.real(path) == f"{real}/{name}":  # not a link: what it leads to lies elsewhere
                waiting.append((path, following))
    return False
