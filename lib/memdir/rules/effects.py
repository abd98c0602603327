"""What a call does to files, as far as its arguments tell: what it writes, deletes and reads."""

from memdir.rules import (
    effects_archives,
    effects_copies,
    effects_edits,
    effects_git,
    effects_outputs,
    effects_reads,
)
from memdir.rules.effects_list import DELETE, READ, WRITE, Effect, Effects
from memdir.rules.options import OUTPUT_OPTIONS
from memdir.shell.wrappers import program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.shell.calls import Call, Machine

__all__ = ["DELETE", "KEYWORDS", "READ", "READERS", "WRITE", "Effect", "changes", "links", "reads"]

_PROGRAMS = {
    **effects_outputs.PROGRAMS,
    **effects_edits.PROGRAMS,
    **effects_copies.PROGRAMS,
    **effects_archives.PROGRAMS,
    "git": effects_git.changes,
    **dict.fromkeys(effects_outputs.WITHOUT_OUTPUT, effects_outputs.nothing),
}
_NAMED = {**effects_outputs.NAMED, **effects_edits.NAMED}
# Without one of these words, and without a redirection, no command line has an effect that is known here. A word that
# begins with `-o` or `--out` counts as one; aliases of git have to be resolved first.
KEYWORDS = frozenset([word.lower() for word in (*_PROGRAMS, *_NAMED, *effects_git.SUBCOMMANDS, *OUTPUT_OPTIONS)]) - {
    "git",
    *effects_outputs.WITHOUT_OUTPUT,
}
READERS = frozenset(effects_reads.PROGRAMS)


def changes(call: "Call", machine: "Machine") -> "list[Effect]":
    """The files that a call writes or deletes."""
    effects = Effects(call, machine)
    for path in call.writes:
        effects.write(path)
    argv = call.argv
    name = program(argv)
    if name.startswith("python") and argv[1:2] == ["-m"] and len(argv) > 2:  # python -m black
        argv = argv[2:]
        name = argv[0]
    if name in _NAMED:
        _NAMED[name](effects, argv[1:], name)
    else:
        _PROGRAMS.get(name, effects_outputs.generic)(effects, argv[1:])
    return effects.found


def reads(call: "Call", machine: "Machine") -> "list[Effect]":
    """The files whose contents a call reads: to show, send, copy or load them."""
    effects = Effects(call, machine)
    if call.source:
        effects.read(call.source)
    name = program(call.argv)
    if name in effects_reads.PROGRAMS:
        effects_reads.PROGRAMS[name](effects, call.argv[1:], name)
    return effects.found


def links(call: "Call", machine: "Machine") -> "list[tuple[str, str]]":
    """The links that a call makes: absolute paths of each and of what it leads to."""
    return effects_copies.links(call, machine, Effects(call, machine))
