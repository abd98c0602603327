"""The hard rules of the working directory."""

from memdir import enforcement
from memdir_cli.checks.finding import counted, edit, note, ok, problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memdir_cli.checks.finding import Finding
    from memdir_cli.checks.scene import Scene


def check(scene: "Scene") -> "Iterator[Finding]":
    session = enforcement.Session(scene.cwd, "", scene.env, scene.state)
    book = session.rules()
    for path, line, sentence in book.problems:
        yield problem("rules.problem", f"{path}:{line}: {sentence}", edit(path, line))
    entries = counted(sum([len(file.entries) for file in book.files]), "hard rule")
    count = f"{entries} in {counted(len(book.files), 'file')}"
    if not book:
        yield ok("rules.none", "no hard rules here")
    elif not session.in_force():
        yield note("rules.off", f"{count}, switched off (rules.on or exclude)", f"{scene.memdir} rules list")
    else:
        yield ok("rules.ok", f"{count}, in force here")
