"""The disguises: ways to write a command line so that it says less than it does, each by the name of its class.

A function takes a `Form` and gives another one that does the same, or None where it has nothing to get hold of. What it
chooses comes from the `Random` alone.
"""

from collections.abc import Callable
from random import Random

from conformance.attacks import by_constructs, by_programs, by_text, by_words
from conformance.attacks.forms import Form

CLASSES: "dict[str, Callable[[Random, Form], Form | None]]" = {
    "quoting": by_words.quoting,
    "splitting": by_words.splitting,
    "globbing": by_words.globbing,
    "variables": by_words.variables,
    "encodings": by_text.encodings,
    "links": by_words.links,
    "relative paths": by_words.relative_paths,
    "wrappers": by_programs.wrappers,
    "nested shells": by_programs.nested_shells,
    "interpreters": by_programs.interpreters,
    "git plumbing": by_programs.git_plumbing,
    "here-documents": by_text.here_documents,
    "functions": by_text.functions,
    "aliases": by_text.aliases,
    "process substitution": by_text.process_substitution,
    "file descriptors": by_text.file_descriptors,
    "brace expansion": by_words.brace_expansion,
    "arithmetic": by_constructs.arithmetic,
    "unusual blanks": by_words.unusual_blanks,
    "substitutions": by_constructs.substitutions,
    "control flow": by_constructs.control_flow,
    "scripts": by_constructs.scripts,
    "traps and jobs": by_constructs.traps_and_jobs,
}
