"""The program text of `python3 -c`, `node -e`, `perl -e` and their like, as calls of ordinary programs."""

from memdir.shell.code_effects import TOO_LONG, Effects
from memdir.shell.code_effects import Found as Found

MAX_CODE = 1 << 18
LANGUAGES = {
    "python": "python", "pypy": "python", "ipython": "python", "node": "javascript", "nodejs": "javascript",
    "deno": "javascript", "bun": "javascript", "tsx": "javascript", "ts-node": "javascript", "perl": "perl",
    "ruby": "ruby", "jruby": "ruby", "php": "php", "osascript": "applescript",
}  # fmt: skip


def language(interpreter: str) -> str:
    """The language that a program of this name runs; "" if none is known. Versions do not count: `python3.11`."""
    name = interpreter.rsplit("/", 1)[-1]
    return LANGUAGES.get(name.removesuffix(".exe").rstrip("0123456789.-"), "")


def implied(interpreter: str, code: str, cwd: str, home: str = "") -> Found:
    """What the code does when the interpreter runs it in `cwd`; nothing for an interpreter that is not known.

    The code may hold marks. Paths of the calls are relative to their `cwd`, as the code has them.
    """
    found = Found()
    which = language(interpreter)
    if not which:
        return found
    if len(code) > MAX_CODE:
        found.doubt = TOO_LONG
    elif which == "python":
        from memdir.shell import code_python

        code_python.run(code, Effects(found, cwd, home))
    else:
        from memdir.shell import code_script

        code_script.run(which, code, Effects(found, cwd, home))
    return found
