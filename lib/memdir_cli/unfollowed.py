"""What memdir knows of a program's words, and which programs it does not look into."""

from memdir.rules import entries, twins
from memdir.rules.effects import KEYWORDS, READERS
from memdir.rules.effects_outputs import WITHOUT_OUTPUT
from memdir.shell import embedded, programs
from memdir.shell.arguments import known, shown
from memdir.shell.builtins import BUILTINS
from memdir.shell.wrappers import WRAPPERS, program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memdir.shell.calls import Call

# They run what other files, other machines or containers hold.
_ELSEWHERE = frozenset(
    """make gmake npm pnpm yarn bun just task rake gradle mvn ant bazel cargo go tox nox pytest docker podman nerdctl
    kubectl ssh tmux screen psql mysql sqlite3 gdb expect lua tclsh pwsh nix crontab systemd-run""".split()
)
_BUILT_IN = frozenset(". : [ [[ true false echo exit return break continue eval trap wait jobs source".split())


def sentence(call: "Call") -> str:
    """What of a command memdir does not follow; "" if its effects are known."""
    name = program(call.argv)
    if not call.argv or call.implied or not known(name):
        return ""
    script = _script(call)
    if script:
        return f"what the script {shown(script)} does is in its file, which is not read"
    if name in _ELSEWHERE:
        return f"what {shown(name)} runs or changes elsewhere is not in this line, and is not followed"
    if "/" in call.argv[0] and not call.argv[0].startswith(("/bin/", "/usr/bin/", "/usr/local/bin/")):
        return f"what {shown(call.argv[0])} does is in its file, which is not read"
    return "" if _is_known(name) else f"{shown(name)} is no program that memdir knows: only its words are looked at"


def _script(call: "Call") -> str:
    """The file that a shell or an interpreter is given to run."""
    name = program(call.argv)
    if name not in programs.SHELLS and not programs.interpreter(call.argv):
        return ""
    if call.code or "-c" in call.argv[1:] or "-e" in call.argv[1:] or "-m" in call.argv[1:2]:
        return ""
    operands = [word for word in call.argv[1:] if word[:1] != "-" and known(word)]
    return operands[0] if operands else ""


def _is_known(name: str) -> bool:
    name = name.lower()
    tables = (KEYWORDS, READERS, WITHOUT_OUTPUT, BUILTINS, WRAPPERS, embedded.PROGRAMS, programs.SHELLS, _BUILT_IN)
    if name == "git" or any([name in table for table in tables]) or programs.interpreter([name]):
        return True
    return any([name in entries.guard_module(guard).KEYWORDS for guard in entries.GUARDS])


def meanings(call: "Call", words: "list[str]") -> "list[str]":
    """What clustered and short options among these words stand for: `-fr is --force --recursive`."""
    name = program(call.argv)
    if name == "git":
        operands = [word for word in call.argv[1:] if word[:1] != "-"]
        name = f"git {operands[0]}" if operands else name
    found = []
    for word in words[1:]:
        if len(word) < 2 or word[0] != "-" or word[1] == "-" or not known(word) or not twins.clusters(name):
            continue
        longs = []
        for letter in word[1:]:
            long = twins.long_of(name, letter)
            longs += ["--" + long if long else "-" + letter]
            if twins.takes_value(name, letter):
                break
        if any([long.startswith("--") for long in longs]):
            found.append(f"{word} is {' '.join(longs)}")
    return found
