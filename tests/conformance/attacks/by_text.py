"""Disguises of a whole command line as text: encoded, in a function, an alias, a file, a descriptor, a substitution."""

import base64
import codecs
from random import Random
from shlex import quote

from conformance.attacks.forms import Form


def encodings(random: Random, form: Form) -> Form:
    text = form.text
    raw = text.encode()
    printed = random.choice(
        (
            f"echo {base64.b64encode(raw).decode()} | base64 -d",
            f"base64 --decode <<< {base64.b64encode(raw).decode()}",
            f"echo {base64.b32encode(raw).decode()} | base32 -d",
            f"echo {raw.hex()} | xxd -r -p",
            "printf '" + "".join(f"\\x{byte:02x}" for byte in raw) + "'",
            "printf '" + "".join(f"\\{byte:03o}" for byte in raw) + "'",
            "echo -e '" + "".join(f"\\x{byte:02x}" for byte in raw) + "'",
            "printf %b '" + "".join(f"\\0{byte:03o}" for byte in raw) + "'",
            f"echo {quote(text[::-1])} | rev" if "\n" not in text else f"echo {raw.hex()} | xxd -r -p",
            f"echo {quote(codecs.encode(text, 'rot13'))} | tr A-Za-z N-ZA-Mn-za-m",
            f"echo {quote(text.replace(' ', '_@_'))} | sed s/_@_/' '/g",
            f"python3 -c 'print(bytes.fromhex(\"{raw.hex()}\").decode())'",
            f'perl -e \'print pack("H*","{raw.hex()}")\'',
            f"openssl base64 -d -A <<< {base64.b64encode(raw).decode()}",
        )
    )
    ansi = "$'" + "".join(random.choice((f"\\x{byte:02x}", f"\\{byte:03o}")) for byte in raw) + "'"
    return Form(
        random.choice(
            (
                ["eval", f'"$({printed})"'],
                [printed, "|", "sh"],
                [printed, "|", "bash"],
                ["bash", "-c", f'"$({printed})"'],
                ["source", f"<({printed})"],
                ["bash", f"<({printed})"],
                ["eval", ansi],
                ["bash", "-c", ansi],
                ["sh", "<<<", f'"$({printed})"'],
            )
        )
    )


def here_documents(random: Random, form: Form) -> Form:
    text = form.text
    tag = random.choice(("E", "'E'", "EOF", '"E O F"', "\\E", "-E"))
    end = tag.strip("'\"\\-")
    body = text if tag[0] in "'\"\\" else text.replace("\\", "\\\\").replace("$", "\\$").replace("`", "\\`")
    target = random.choice(
        (
            "bash",
            "sh",
            "cat | bash",
            "bash -s",
            "source /dev/stdin",
            "bash /dev/stdin",
            "bash /proc/self/fd/0",
            ". /dev/fd/0",
            'eval "$(cat)"',
            'while read -r l; do eval "$l"; done',
            "tee zz | sh",
            "xargs -0 bash -c",
            "env sh",
            "bash -c 'eval \"$(cat)\"'",
            "sed s/QQ// | sh",
            "{ bash; }",
        )
    )
    if random.random() < 0.2:
        start = random.choice(("sh zz.sh", "bash ./zz.sh", ". ./zz.sh", "chmod +x zz.sh; ./zz.sh"))
        return Form([f"cat <<{tag} > zz.sh\n{body}\n{end}\n{start}"])
    if random.random() < 0.2:
        return Form(
            [f"c=$(cat <<{tag}\n{body}\n{end}\n)\n" + random.choice(('eval "$c"', 'bash -c "$c"', 'sh <<< "$c"'))]
        )
    first, pipe, rest = target.partition(" | ")
    return Form([f"{first} <<{tag}{pipe}{rest}\n{body}\n{end}\n"])


def functions(random: Random, form: Form) -> Form:
    text = form.text
    close = "\n}" if "\n" in text else "; }"
    name = random.choice(("f", "build", "_x", "ls", "git-x", "deploy_now"))
    choices = [
        f"{name}() {{ {text}{close}; {name}",
        f"function {name} {{ {text}{close}\n{name}",
        f"{name}() ( {text}\n); {name}",
        f"{name}() {{ {text}{close}\n( {name} )",
        f"{name}() {{ eval {quote(text)}; }}; {name}",
        f"{name}() {{ {text}{close}; g() {{ {name}; }}; g",
        f"{name}() {{ {text}{close}; trap {name} EXIT",
        f"{name}() {{ {text}{close}; export -f {name}; bash -c {name}",
        f"{name}() {{ {text}{close}; $(echo {name})",
        f"{name}() if true; then {text}\nfi; {name}",
        f'{name}() {{ bash -c "$1"; }}; {name} {quote(text)}',
        f'{name}() {{ local c={quote(text)}; eval "$c"; }}; {name}',
        f"eval '{name}() {{ '{quote(text)}'\n}}'; {name}",
    ]
    if form.is_simple():
        words = " ".join(form.pieces)
        choices += [
            f'{form.setup}{name}() {{ "$@"; }}; {name} {words}',
            f"{form.setup}{name}() {{ command $*; }}; {name} {words}",
            f'{form.setup}{name}() {{ {form.pieces[0]} "$@"; }}; {name} {" ".join(form.pieces[1:])}',
            f'{form.setup}{name}() {{ "$1" "${{@:2}}"; }}; {name} {words}',
            f'{form.setup}{name}() {{ shift; "$@"; }}; {name} x {words}',
        ]
    return Form([random.choice(choices)])


def aliases(random: Random, form: Form) -> Form:
    text = quote(form.text)
    on = random.choice(
        ("shopt -s expand_aliases\n", "shopt -s expand_aliases; ", "set -o posix\n", "shopt -qs expand_aliases\n")
    )
    name = random.choice(("zz", "ls", "g", "x1"))
    way = [
        f"{on}alias {name}={text}\n{name}",
        f"{on}alias {name}={text}; eval {name}",
        f"{on}alias a1={name} {name}={text}\na1",
        f"{on}alias {name}={text}\n( {name} )",
        f"{on}alias -- {name}={text}\nif true; then {name}; fi",
        f"sh <<'Q'\nalias {name}={text}\n{name}\nQ\n",
        f"bash -O expand_aliases <<'Q'\nalias {name}={text}\n{name}\nQ\n",
        f"BASH_ALIASES[{name}]={text}; {on}{name}",
        f"{on}alias {name}={text}\n\\eval {name}",
        f'eval "${{BASH_ALIASES[{name}]:={form.text}}}"'
        if not set('"$`\\{}') & set(form.text)
        else f"{on}alias {name}={text}\n{name}",
    ]
    if form.is_simple() and len(form.pieces) > 1:
        first, rest = form.pieces[0], " ".join(form.pieces[1:])
        way += [
            f"{form.setup}{on}alias {name}={quote(first)}\n{name} {rest}",
            f"{form.setup}{on}alias {name}={quote(first + ' ')}\n{name} {rest}",
        ]
    return Form([random.choice(way)])


def process_substitution(random: Random, form: Form) -> Form:
    text = form.text
    echo = random.choice((f"echo {quote(text)}", f"printf %s {quote(text)}", f"cat <<< {quote(text)}"))
    return Form(
        random.choice(
            (
                ["bash", f"<({echo})"],
                ["source", f"<({echo})"],
                [".", f"<({echo})"],
                ["cat", f"<({text}\n)"],
                ["bash", "<", f"<({echo})"],
                [echo, ">", ">(bash);", "sleep", "0.3"],
                ["true", ">", f">({text}\n);", "sleep", "0.3"],
                [echo, "|", "tee", ">(sh)", ">/dev/null;", "sleep", "0.3"],
                ["diff", f"<({text}\n)", "/dev/null"],
                ["sh", f"<({echo})"],
                ["eval", f'"$(cat <({echo}))"'],
                ["mapfile", "-t", "c", "<", f"<({echo});", "eval", '"${c[@]}"'],
                ["python3", f"<(echo {quote('import os; os.system(' + repr(text) + ')')})"],
                ["read", "-r", "c", "<", f"<({echo});", "eval", '"$c"'],
                ["while", "read", "-r", "c;", "do", "eval", '"$c";', "done", "<", f"<({echo})"],
                ["bash", "--rcfile", f"<({echo})", "-ic", ":"],
                ["BASH_ENV=" + f"<({echo})", "bash", "-c", ":"],
                ["xargs", "-a", f"<({echo})", "-0", "sh", "-c"],
                ["sed", "s/^//", f"<({echo})", "|", "sh"],
            )
        )
    )


def file_descriptors(random: Random, form: Form) -> Form:
    text = quote(form.text)
    return Form(
        [
            random.choice(
                (
                    f"exec 3<<< {text}; bash <&3",
                    f"bash /dev/fd/3 3<<< {text}",
                    f". /dev/fd/7 7<<< {text}",
                    f"exec 9<<< {text}; source /dev/fd/9",
                    f"{{ bash <&5; }} 5<<< {text}",
                    f"bash <&4 4<<< {text}",
                    f"exec {{fd}}<<< {text}; bash <&$fd",
                    f"exec {{fd}}<<< {text}; bash /dev/fd/$fd",
                    f'exec 3<<< {text}; eval "$(cat <&3)"',
                    f'exec 3<<< {text}; read -r -u 3 c; eval "$c"',
                    f'exec 3<<< {text}; mapfile -u 3 -t c; eval "${{c[*]}}"',
                    f"exec 3> zz; echo {text} >&3; sh zz",
                    f"echo {text} > zz; exec 3< zz; bash <&3",
                    f"exec 3<<< {text}; exec 0<&3; bash",
                    f"echo {text} | bash /dev/stdin",
                    f"echo {text} | bash /proc/self/fd/0",
                    f"exec 3<<< {text}; bash 0<&3-",
                    f"bash 0<<< {text}",
                    f"coproc {{ bash; }}; echo {text} >&${{COPROC[1]}}; exec {{COPROC[1]}}>&-; wait",
                    f"mkfifo zz; echo {text} > zz & bash zz",
                    f"exec 3<> zz; echo {text} >&3; bash zz",
                    f"echo {text} | {{ exec 6<&0; bash <&6; }}",
                    f"cat 4<<< {text} <&4 | sh",
                )
            )
        ]
    )
