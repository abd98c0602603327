"""Disguises by another program that runs the command: wrappers, shells, interpreters, git."""

from random import Random
from shlex import quote

from conformance.attacks.forms import Form

_WRAPPERS = (
    """command|env|env -u X|env A=1|nohup|timeout 4|nice|nice -n 1|setsid -w|stdbuf -o0|time|time -p|builtin command
exec|xargs -r|env -i HOME="$HOME" PATH="$PATH"|flock .|ionice -c3|taskset 1|setarch -R|prlimit|command --|exec -a x
env -S|timeout --signal=KILL 4|nice nice|setpriv --no-new-privs|linux64|find . -maxdepth 0 -exec|chrt -o 0|coproc|!
unshare -U|strace -o /dev/null|runcon -t x|env -C .|nohup env|busybox|env --|script -qec|chronic
/lib64/ld-linux-x86-64.so.2
""".replace("\n", "|")
    .strip("|")
    .split("|")
)


def wrappers(random: Random, form: Form) -> "Form | None":
    if not form.is_simple():
        return None
    wrapper = random.choice(_WRAPPERS)
    words = list(form.pieces)
    if wrapper == "xargs -r":
        if random.random() < 0.5 and len(words) > 1:
            return Form(["echo", words[-1], "|", "xargs", *words[:-1]], form.setup)
        return Form(["echo", *words, "|", "xargs", "env"], form.setup)
    if wrapper.startswith("find"):
        return Form([*wrapper.split(), *words, "\\;"], form.setup)
    if wrapper in ("env -S", "script -qec"):
        end = ["/dev/null"] if "script" in wrapper else []
        return Form([*wrapper.split(), quote(" ".join(words)), *end], form.setup)
    if wrapper.startswith("/lib64"):
        words[0] = "/usr/bin/" + words[0]
    if wrapper == "exec":
        return Form(["(", "exec", *words, ")"], form.setup)
    if wrapper == "coproc":
        return Form(["coproc", *words, ";", "wait"], form.setup)
    return Form([*wrapper.split(), *words], form.setup)


def nested_shells(random: Random, form: Form) -> Form:
    text = quote(form.text)
    args = " ".join(form.pieces)
    choices = [
        ["bash", "-c", text],
        ["sh", "-c", text],
        ["eval", text],
        ["dash", "-c", text],
        ["bash", "-lc", text],
        ["bash", "--norc", "-ec", text],
        ["/bin/bash", "-c", text],
        ["echo", text, "|", "bash"],
        ["bash", "<<<", text],
        ["printf", "'%s\\n'", text, "|", "sh"],
        ["bash", "-c", "'eval \"$1\"'", "_", text],
        ["(", "eval", text, ")"],
        ["env", "bash", "-c", text],
        ["bash", "-c", quote("bash -c " + text)],
        ["sh", "-c", quote("eval " + text)],
        ["echo", text, "|", "bash", "-s"],
        ["echo", text, "|", "(", "cat", "|", "sh", ")"],
        ["su", "-c", text],
        ["rbash", "-c", text],
        ["sh", "-c", '"$0"', text],
        ["bash", "-O", "extglob", "-c", text],
        ["C=" + text, "bash", "-c", "'eval \"$C\"'"],
        ["export", "C=" + text, ";", "sh", "-c", "'eval \"$C\"'"],
        ["echo", text, "|", "xargs", "-0", "bash", "-c"],
        ["echo", text, "|", "xargs", "-I{}", "sh", "-c", "'{}'"],
        ["echo", text, "|", "while", "read", "-r", "l;", "do", "eval", '"$l";', "done"],
    ]
    if form.is_simple() and not form.setup:
        choices += [["bash", "-c", "'\"$@\"'", "_", args], ["sh", "-c", '\'exec "$0" "$@"\'', args], ["eval", args]]
    return Form(random.choice(choices))


def interpreters(random: Random, form: Form) -> Form:
    text = form.text
    hexed = text.encode().hex()
    python = random.choice(
        (
            f"import os; os.system({text!r})",
            f"import subprocess as s; s.run({text!r}, shell=True)",
            f"import subprocess; subprocess.check_call(['bash', '-c', {text!r}])",
            f"__import__('os').system({text!r})",
            f"import os\nos.popen({text!r}).read()",
            f"from os import system as f; f({text!r})",
            f"import os; getattr(os, 'sys' + 'tem')({text!r})",
            f"import os; os.execlp('sh', 'sh', '-c', {text!r})",
            f"import pty; pty.spawn(['sh', '-c', {text!r}])",
            f"exec('import os; os.system(' + repr({text!r}) + ')')",
            f"import os; os.system(bytes.fromhex('{hexed}').decode())",
            f"import subprocess\nx = {text!r}\nsubprocess.Popen(x, shell=True).wait()",
            f"import os\nfor c in [{text!r}]:\n    os.system(c)",
            f"eval(\"__import__('os').system(\" + repr({text!r}) + ')')",
        )
    )
    perl = random.choice(
        (
            f"system({_perl(text)})",
            f"exec {_perl(text)}",
            f"`sh -c {quote(text)}`",
            f"print qx({text})",
            f"system pack(q(H*), q({hexed}))",
            f"open(F, '-|', {_perl(text)}); print <F>",
        )
    )
    node = random.choice(
        (
            f"require('child_process').execSync({_js(text)}, {{stdio: 'inherit'}})",
            f"const {{spawnSync: s}} = require('child_process'); s('sh', ['-c', {_js(text)}], {{stdio: 'inherit'}})",
            "process.binding; require('child_' + 'process')"
            f".execSync(Buffer.from('{hexed}', 'hex') + '', {{stdio: 'inherit'}})",
        )
    )
    awk = f"BEGIN{{system({_js(text)})}}"
    return Form(
        random.choice(
            (
                ["python3", "-c", quote(python)],
                ["python3", "-c", quote(python)],
                ["echo", quote(python), "|", "python3"],
                ["python3", "<<<", quote(python)],
                ["python3", "-", "<<<", quote(python)],
                ["perl", "-e", quote(perl)],
                ["perl", "-e", quote(perl)],
                ["echo", quote(perl), "|", "perl"],
                ["node", "-e", quote(node)],
                ["node", "-p", quote(node)],
                ["awk", quote(awk)],
                ["mawk", quote(awk)],
                ["sed", "-n", quote("1e " + text), "/etc/passwd"],
                ["echo", quote(text), "|", "sed", "e"],
                ["make", "-f", "-", "<<<", quote("x:\n\t@" + text.replace("$", "$$"))],
                ["tclsh", "<<<", quote("exec sh -c {" + text + "} >@stdout")],
                ["vim", "-es", "-c", quote("!" + text), "-c", "q"],
                ["ed", "-s", "<<<", quote("!" + text)],
                ["sqlite3", "-cmd", quote(".shell " + text), ":memory:", ".quit"],
                ["tar", "cf", "/dev/null", "--checkpoint=1", quote("--checkpoint-action=exec=" + text), "package.json"],
                ["find", ".", "-maxdepth", "0", "-exec", "sh", "-c", quote(text), "\\;"],
                ["xargs", "sh", "-c", quote(text), "</dev/null"],
                ["less", "-f", quote("+!" + text), "package.json"],
                ["jq", "-nr", quote("@sh " + _js(text)), "|", "xargs", "sh", "-c"],
                ["echo", quote(python), ">", "zz.py;", "python3", "zz.py"],
                ["pip", "--version;", "python3", "-c", quote(python)],
                ["node", "--input-type=commonjs", "<<<", quote(node)],
                ["python3", "-Ic", quote(python)],
            )
        )
    )


def _perl(text: str) -> str:
    return "q\x01" + text + "\x01" if "'" in text else "'" + text.replace("\\", "\\\\") + "'"


def _js(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def git_plumbing(random: Random, form: Form) -> Form:
    text = form.text
    if form.is_simple() and form.pieces[0] == "git" and random.random() < 0.7:
        rest = form.pieces[1:]
        alias = quote(" ".join(rest))
        return random.choice(
            (
                Form(["git", "-C", ".", *rest], form.setup),
                Form(["git", "--git-dir=.git", "--work-tree=.", *rest], form.setup),
                Form(["git", "-c", "alias.zz=" + alias, "zz"], form.setup),
                Form(["git", "-c", "color.ui=never", "-P", *rest], form.setup),
                Form(["git", "config", "alias.zz", alias, "&&", "git", "zz"], form.setup),
                Form(["GIT_DIR=.git", "git", *rest], form.setup),
                Form(["git", "--exec-path=/usr/lib/git-core", *rest], form.setup),
                Form(["git", "--no-pager", "--literal-pathspecs", *rest], form.setup),
                Form(["/usr/lib/git-core/git-" + rest[0] if rest else "git", *rest[1:]], form.setup),
                Form(
                    ["GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=alias.zz", "GIT_CONFIG_VALUE_0=" + alias, "git", "zz"],
                    form.setup,
                ),
                Form(["GIT_CONFIG_PARAMETERS=\"'alias.zz=" + " ".join(rest) + "'\"", "git", "zz"], form.setup),
                Form(["cd", "src", "&&", "git", "-C", "..", *rest], form.setup),
                Form(
                    ["printf", quote("[alias]\n\tzz = " + " ".join(rest) + "\n"), ">>", ".git/config;", "git", "zz"],
                    form.setup,
                ),
                Form(
                    [
                        "printf",
                        quote("[alias]\n\tzz = " + " ".join(rest) + "\n"),
                        ">",
                        "zz;",
                        "git",
                        "-c",
                        "include.path=$PWD/zz",
                        "zz",
                    ],
                    form.setup,
                ),
            )
        )
    return Form(
        random.choice(
            (
                ["git", "-c", quote("alias.zz=!" + text), "zz"],
                ["git", "config", "alias.zz", quote("!" + text), ";", "git", "zz"],
                [
                    "git",
                    "bisect",
                    "start",
                    "HEAD",
                    "HEAD~1",
                    ">/dev/null;",
                    "git",
                    "bisect",
                    "run",
                    "sh",
                    "-c",
                    quote(text),
                ],
                ["git", "-c", quote("core.pager=" + text), "-p", "log", "-1"],
                ["GIT_PAGER=" + quote(text), "git", "-p", "log", "-1"],
                ["git", "-c", quote("core.editor=" + text + " #"), "tag", "-a", "zz"],
                ["GIT_EDITOR=" + quote(text + " #"), "git", "tag", "-a", "zz"],
                ["git", "-c", quote("core.fsmonitor=" + text + " #"), "status", "-s"],
                ["GIT_SSH_COMMAND=" + quote(text + " #"), "git", "ls-remote", "ssh://x/y"],
                ["git", "-c", quote("core.sshCommand=" + text + " #"), "ls-remote", "ssh://x/y"],
                ["git", "-c", quote("diff.external=" + text + " #"), "diff", "--ext-diff", "HEAD"],
                ["GIT_EXTERNAL_DIFF=" + quote(text + " #"), "git", "diff", "HEAD"],
                ["git", "ls-remote", quote("ext::sh -c " + text.replace("%", "%%").replace(" ", "% "))],
                [
                    "git",
                    "-c",
                    "protocol.ext.allow=always",
                    "ls-remote",
                    quote("ext::sh -c " + text.replace("%", "%%").replace(" ", "% ")),
                ],
                ["git", "ls-remote", quote("--upload-pack=" + text + ";:"), "."],
                ["git", "grep", "-q", quote("--open-files-in-pager=" + text + " #"), "shop"],
                ["git", "filter-branch", "-f", "--tree-filter", quote(text), "HEAD"],
                ["git", "rebase", "-q", "--autostash", "-x", quote(text), "HEAD~1"],
                ["git", "-c", quote("sequence.editor=" + text + " #"), "rebase", "-i", "--autostash", "HEAD~1"],
                ["git", "difftool", "-y", "-x", quote(text + " #"), "HEAD"],
                [
                    "git",
                    "-c",
                    quote("credential.helper=!" + text + " #"),
                    "credential",
                    "fill",
                    "<<<",
                    "protocol=https",
                ],
                [
                    "printf",
                    quote(
                        '[alias]\n\tzz = "!'
                        + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
                        + '"\n'
                    ),
                    ">>",
                    ".git/config;",
                    "git",
                    "zz",
                ],
                ["git", "submodule", "foreach", quote(text)],
                ["git", "-c", quote("interactive.diffFilter=" + text + " #"), "add", "-p", "<<<", "q"],
            )
        )
    )
