"""Whether the words of a command line are ones that no rule is about: then nothing more has to be looked at."""

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_PLAIN = frozenset(_LETTERS + " \t_-./:=,@%+^;|&\n")

# They run files or text that the line does not show.
_READERS = frozenset("env xargs sh bash dash zsh ksh ash fish busybox source eval alias".split())
_BEFORE_COMMAND = frozenset("; if then elif else while until do time command builtin".split())

# Subcommands of git that neither change files nor run what the line does not show.
READING = frozenset(
    """status log diff show fetch add branch blame describe rev-parse rev-list ls-files ls-tree ls-remote shortlog
    cat-file merge-base remote tag reflog""".split()
)
_WRITING_OPTIONS = ("--out", "-o")


def base_name(word: str) -> str:
    return word.rsplit("/", 1)[-1].lower()


def is_plain(command: str, keywords: "frozenset[str]") -> bool:
    """Whether a shell takes every word as it stands, and none is a keyword.

    A word counts by its base name in lower case, `name=value` by both parts too. The keyword "*" means every word;
    "-o" also `--output` and whatever begins so. `git status` and its like are not the keyword `git`, and a subcommand
    that git does not have may be an alias, which is never plain.
    """
    if "*" in keywords or not _PLAIN.issuperset(command):
        return False
    apart = command.replace(";", " ; ").replace("|", " ; ").replace("&", " ; ").replace("\n", " ; ")
    words = apart.lower().split()
    found = set(words)
    if "=" in command:
        for word in words:
            found.update(word.split("="))
    if "/" in command:
        found = {word.rsplit("/", 1)[-1] for word in found}
        words = [word.rsplit("/", 1)[-1] for word in words]
    if not _READERS.isdisjoint(found) or ("." in found and _sources(words)):
        return False
    return _matter_not(words, found, keywords)


def are_plain(commands: "list[list[str]]", keywords: "frozenset[str]") -> bool:
    """The same for the words of commands that have been read, with all that they run among them."""
    if "*" in keywords:
        return False
    words = [base_name(word) for command in commands for word in (";", *command)]
    found = {base_name(part) for command in commands for word in command for part in word.split("=")}
    return _matter_not(words, found | set(words), keywords)


def _matter_not(words: "list[str]", found: "set[str]", keywords: "frozenset[str]") -> bool:
    if "-o" in keywords and _writes(words):
        return False
    hits = keywords & found
    return hits <= {"git"} and ("git" not in found or _only_reads(words, keywords))


def _sources(words: "list[str]") -> bool:
    return any([word == "." and before in _BEFORE_COMMAND for before, word in zip([";", *words], words)])


def _writes(words: "list[str]") -> bool:
    return any([word.startswith(_WRITING_OPTIONS) for word in words])


def _only_reads(words: "list[str]", keywords: "frozenset[str]") -> bool:
    """Whether every git is followed by a subcommand of READING, or by another of its own if no rule is about git."""
    about_git = "git" in keywords
    if "git" not in words or (about_git and _writes(words)):
        return False
    for word, subcommand in zip(words, [*words[1:], ""]):
        if word == "git" and (subcommand not in READING or subcommand in keywords):
            if about_git:
                return False
            from memdir.shell.git import COMMANDS  # not for what is in READING

            if subcommand not in COMMANDS:
                return False
    return True
