"""Stops running what was just downloaded: `curl ... | sh`, `bash <(curl ...)`, `curl -o x.sh URL && sh x.sh`.

Leaves alone: a download, and a script in a later call.
"""

from memdir.rules.finding import DENY, Finding
from memdir.rules.options import parse
from memdir.shell import programs
from memdir.shell.arguments import known, shown_line
from memdir.shell.wrappers import program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memdir.shell.calls import Call, Machine

_NETWORK = frozenset(
    "curl wget wget2 fetch http https xh aria2c axel lynx w3m nc ncat netcat socat telnet ftp tftp ssh scp sftp".split()
)
TOOLS = frozenset({"Bash"})
KEYWORDS = frozenset([*_NETWORK, "gh", "aws", "gsutil"])

_INSTEAD = "Save it to a file (`curl -fsSLo FILE URL`), read that file, and run it in a call of its own."
_STDIN = ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0")
_PROCESS = "/dev/fd/"
_OTHERS = frozenset(["csh", "tcsh", "pwsh", "powershell", "lua", "rscript", "tclsh"])  # that read a program from a pipe


def problem(argument: str) -> str:
    return f"no-pipe-to-shell takes no argument; `{argument}` has no meaning." if argument else ""


def judge(call: "Call", argument: str, machine: "Machine", *, base: str = "") -> "Finding | None":
    source = _download(call.feeders)
    if source is None or call.implied or not _runs_what_it_gets(call):
        return None
    return _finding(call, source)


def _finding(call: "Call", source: "Call") -> Finding:
    return Finding(
        DENY, f"`{shown_line(call.argv)}` runs what `{shown_line(source.argv)}` brings from the network", _INSTEAD
    )


def judge_line(calls: "Sequence[Call]", argument: str, machine: "Machine", *, base: str = "") -> "Finding | None":
    """What one call cannot show: text from a substitution, and files that were downloaded a moment before."""
    downloads = [call for call in calls if _is_download(call)]
    saved: "dict[str, Call]" = {}
    for call in calls:
        sources = [saved[path] for path in [_path(file, call.cwd) for file in _run_files(call)] if path in saved]
        if downloads and _runs_substitution(call):
            sources += [other for other in downloads if call.start < other.start and other.end <= call.end]
        if sources:
            return _finding(call, sources[0])
        source = call if _is_download(call) else _download(call.feeders)
        if source is not None:
            saved.update({_path(file, call.cwd): source for file in _saved_files(call)})
        _follow_copy(call, saved)
    return None


# Where text comes from


def _download(calls: "Sequence[Call]") -> "Call | None":
    """The call among these, or among those that feed them, that brings something from the network."""
    waiting = list(calls)
    seen = set()
    while waiting:
        call = waiting.pop()
        if _is_download(call):
            return call
        if id(call) not in seen:
            seen.add(id(call))
            waiting += call.feeders
    return None


def _is_download(call: "Call") -> bool:
    name = program(call.argv)
    if name in _NETWORK:
        return True
    words = call.argv[1:3]
    if name in ("gh", "aws", "gsutil"):
        return words[:1] in (["api"], ["cat"]) or words in (["gist", "view"], ["s3", "cp"])
    return any([word in call.code for word in ("urllib", "requests.", "http.client", "fetch(")])


def _runs_substitution(call: "Call") -> bool:
    """Whether a part of the program comes from a substitution: `sh -c "$(...)"`, `sh <<< "$(...)"`, `sh <(...)`."""
    text = _program_text(call)
    if text is None and call.input is not None and _runs_what_it_gets(call):
        text = call.input
    return (text is not None and not known(text)) or any([file.startswith(_PROCESS) for file in _run_files(call)])


def _program_text(call: "Call") -> "str | None":
    """The text among the arguments that the call runs as a program; None if there is none."""
    name = program(call.argv)
    if name == "eval":
        return " ".join(call.argv[1:])
    if name in programs.SHELLS:
        return programs.shell_run(call.argv).text
    interpreter = programs.interpreter(call.argv)
    return programs.interpreter_run(call.argv, interpreter).text if interpreter else None


# What is run


def _runs_what_it_gets(call: "Call") -> bool:
    """Whether the program that the call runs is what feeds it, and not data for another one."""
    name = program(call.argv)
    if name in ("source", "."):
        return any([_is_input(word) for word in call.argv[1:2]])
    if name in programs.SHELLS:
        run = programs.shell_run(call.argv)
    elif programs.interpreter(call.argv):
        run = programs.interpreter_run(call.argv, programs.interpreter(call.argv))
    else:
        return name in _OTHERS and not [word for word in call.argv[1:] if word[:1] != "-" and not _is_input(word)]
    if run.version:
        return False
    if run.text is not None:
        return "xargs" in call.via and not known(run.text)
    return not run.file or _is_input(run.file)


def _is_input(file: str) -> bool:
    return file in _STDIN or file.startswith(_PROCESS)


def _run_files(call: "Call") -> "list[str]":
    """The files that the call runs as programs."""
    name = program(call.argv)
    if name in ("source", "."):
        return call.argv[1:2]
    if name in programs.SHELLS:
        run = programs.shell_run(call.argv)
        return [call.source] if not run.file and run.text is None and call.source else [run.file] * bool(run.file)
    if programs.interpreter(call.argv):
        run = programs.interpreter_run(call.argv, programs.interpreter(call.argv))
        return [call.source] if not run.file and run.text is None and call.source else [run.file] * bool(run.file)
    return call.argv[:1] if call.argv and "/" in call.argv[0] else []


# Files on their way


def _saved_files(call: "Call") -> "list[str]":
    """The files in which a call leaves what comes from the network."""
    name = program(call.argv)
    found = list(call.writes)
    if name == "curl":
        options = parse(call.argv[1:], "AbcCdDeEFhHKmoQrTuUwxXyYz", _CURL_LONG)
        found += options.values("o", "output")
        if options.has("O", "remote-name", "remote-name-all", "J"):
            found += [_last_name(url) for url in options.operands]
    elif name in ("wget", "wget2", "aria2c", "axel"):
        options = parse(call.argv[1:], "oOaetTwQPUDARXIlijdsx", "output-document output-file header user-agent out dir")
        named = options.values("O", "output-document") if name[0] == "w" else options.values("o", "out")
        found += named or [_last_name(url) for url in options.operands]
    elif name == "tee":
        found += parse(call.argv[1:]).operands
    elif name in ("scp", "sftp"):
        found += call.argv[-1:]
    return [file for file in found if file != "-" and not file.startswith("/dev/")]


_CURL_LONG = """output header data data-raw data-binary request user user-agent referer cookie cookie-jar proxy max-time
connect-timeout retry retry-delay retry-max-time form upload-file write-out config cacert cert key range resolve"""


def _last_name(url: str) -> str:
    return url.split("?", 1)[0].split("#", 1)[0].rstrip("/").rsplit("/", 1)[-1]


def _follow_copy(call: "Call", saved: "dict[str, Call]") -> None:
    operands = [word for word in call.argv[1:] if word[:1] != "-"]
    if program(call.argv) in ("mv", "cp", "install", "ln") and len(operands) == 2:
        source = saved.get(_path(operands[0], call.cwd))
        if source is not None:
            saved[_path(operands[1], call.cwd)] = source


def _path(file: str, cwd: str) -> str:
    while file[:2] == "./":
        file = file[2:]
    return file if file[:1] == "/" else cwd + "/" + file
