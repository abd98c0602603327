"""Disguises by the shell's own constructs: arithmetic, substitutions, loops and conditions, scripts, traps."""

from random import Random
from shlex import quote

from conformance.attacks.forms import Form


def arithmetic(random: Random, form: Form) -> "Form | None":
    text = form.text
    if random.random() < 0.5 and form.plain():
        at = random.choice(form.plain())
        word = form.pieces[at]
        cut = random.randrange(len(word))
        code = ord(word[cut])
        char = random.choice(
            (
                f"$(printf \\\\$((({code - 30} + 30) / 64 * 100 + ({code} % 64) / 8 * 10 + {code} % 8)))",
                f'$(printf "\\\\x$(printf %x $(( {code // 2} * 2 + {code % 2} )))")',
            )
        )
        way = random.choice(("char", "slice", "index"))
        if way == "slice":
            return form.with_piece(at, f"${{q{at}:$((1 + 1)):$(({len(word)}))}}", f"q{at}=__{word}__; ")
        if way == "index":
            return form.with_piece(at, f"${{q{at}[3 - 2]}}", f"q{at}=(x {word} y); ")
        return form.with_piece(at, word[:cut] + char + word[cut + 1 :])
    return Form(
        [
            random.choice(
                (
                    f"if (( 1 + 1 == 2 )); then {text}\nfi",
                    f": $(( $({text}\n) + 0 ))",
                    f"a[$({text} >&2\n)]=1",
                    f"for (( i = 0; i < 1; i++ )); do {text}\ndone",
                    f"x={quote('a[$(' + text + ' >&2)]')}; echo $((x))",
                    f"let {quote('x=a[$(' + text + ' >&2)]')}",
                    f"(( 0 )) || {{ {text}\n}}",
                    f"while (( n++ < 1 )); do {text}\ndone",
                    f"[[ {quote('a[$(' + text + ' >&2)]')} -eq 0 ]]",
                    f"(( 1 )) && {text}",
                )
            )
        ]
    )


def substitutions(random: Random, form: Form) -> "Form | None":
    text = form.text
    if random.random() < 0.5 and form.plain():
        at = random.choice(form.plain())
        word = form.pieces[at]
        use = random.choice(
            (
                f"$(echo {word})",
                f"`echo {word}`",
                f'"$(printf %s {word})"',
                f"$(cat <<< {word})",
                f"$(basename x/{word})" if "/" not in word else f"$(echo {word})",
                f"$(echo {word[::-1]} | rev)",
                f"$(printf '%s' {word[:1]} {word[1:]})",
                f"$(echo {word} | tr -d Q)",
                f"$(echo $(echo {word}))",
                f"$(: ; echo {word})",
                f"$(head -n1 <<< {word})",
                f"$(sed s/Q// <<< Q{word})",
                f"$(echo Q{word} | cut -c2-)",
                f"$(awk '{{print $1}}' <<< '{word} x')",
            )
        )
        return form.with_piece(at, use)
    return Form(
        [
            random.choice(
                (
                    f'echo "$({text}\n)"',
                    f": `{text}`" if "`" not in text and "\\" not in text else f": $({text}\n)",
                    f"$({text} >&2\n)",
                    f'x=$({text}\n); echo "$x"',
                    f'[ -n "$({text}\n)" ]',
                    f"echo ${{x:-$({text}\n)}}",
                    f"case $({text}\n) in *) ;; esac",
                    f"for i in $({text}\n); do echo $i; done",
                    f"cat <<E\n$({text}\n)\nE\n",
                    f'echo > /dev/null "$({text} >&2\n)"',
                    f'local_x="$({text}\n)"; printf \'%s\' "$local_x"',
                    f'true && echo "$( ( {text}\n) )"',
                )
            )
        ]
    )


def control_flow(random: Random, form: Form) -> Form:
    text = form.text
    return Form(
        [
            random.choice(
                (
                    f"if true; then {text}\nfi",
                    f"if ! false; then :; {text}\nelse :; fi",
                    f"for i in 1; do {text}\ndone",
                    f"while true; do {text}\nbreak; done",
                    f"until false; do {text}\nbreak; done",
                    f"case x in x) {text}\n;; esac",
                    f"case x in y) ;; *) {text}\n;; esac",
                    f"{{ {text}\n}}",
                    f"( {text}\n)",
                    f"true && {{ {text}\n}}",
                    f"false || {{ {text}\n}}",
                    f": | {{ {text}\n}}",
                    f"{{ {text}\n}} | cat",
                    f"! {{ {text}\n}}",
                    f"time {{ {text}\n}}",
                    f"case x in y) ;; x) ;& z) {text}\n;; esac",
                    f"select x in a; do {text}\nbreak; done <<< 1",
                    f"[[ -e package.json ]] && {{ {text}\n}}",
                    f"if [ -d nowhere ]; then ls; elif true; then {text}\nfi",
                    f"{{ {text}\n}} 2>/dev/null",
                    f"test -f package.json && {{ {text}\n}}",
                )
            )
        ]
    )


def scripts(random: Random, form: Form) -> Form:
    text = quote(form.text)
    return Form(
        [
            random.choice(
                (
                    f"echo {text} > zz.sh; sh zz.sh",
                    f"printf '%s\\n' {text} > zz; bash zz",
                    f"echo {text} > zz.sh && chmod +x zz.sh && ./zz.sh",
                    f"printf '#!/bin/sh\\n%s\\n' {text} > zz; chmod 755 zz; ./zz",
                    f"tee zz.sh <<< {text} >/dev/null; . ./zz.sh",
                    f"echo {text} | tee zz.sh >/dev/null; bash zz.sh",
                    f"echo {text} > zz.sh; source zz.sh",
                    f"echo {text} > $HOME/zz; sh ~/zz",
                    f"mkdir -p t; echo {text} > t/zz; cd t/..; bash t/zz",
                    f"echo {text} > a; cat a > b; sh b",
                    f"echo {text} > a; cp a b; sh b",
                    f"echo {text} > a; mv a b; sh ./b",
                    f"echo {text} > a; bash < a",
                    f"echo {text} > a; cat a | sh",
                    f't=$(mktemp); echo {text} > "$t"; sh "$t"',
                    f'echo {text} > a; eval "$(cat a)"',
                    f'echo {text} > a; bash -c "$(<a)"',
                    f"echo {text} >> a; xargs -0 sh -c < a",
                    f"dd of=zz status=none <<< {text}; sh zz",
                    f"sed '' <<< {text} > zz; sh zz",
                    f"python3 -c \"open('zz','w').write('''$0''')\" ; echo {text} > zz; sh zz",
                    f"printf %s {text} > zz; PATH=.:$PATH; chmod +x zz; zz",
                    f"cat > zz <<< {text}; env sh zz",
                    f"echo {text} > a; ln -s a b; sh b",
                    f"echo {text} | base64 > a; base64 -d a | sh",
                    f"echo {text} > a; gzip a; zcat a.gz | sh",
                    f"awk '{{print}}' <<< {text} > zz; sh zz",
                )
            )
        ]
    )


def traps_and_jobs(random: Random, form: Form) -> Form:
    text = form.text
    return Form(
        [
            random.choice(
                (
                    f"trap {quote(text)} EXIT",
                    f"trap {quote(text)} USR1; kill -USR1 $$",
                    f"trap {quote(text)} DEBUG; :",
                    f"trap {quote(text)} ERR; false",
                    f"{{ {text}\n}} & wait",
                    f"coproc {{ {text}\n}}; wait",
                    f"bash -c {quote('trap ' + quote(text) + ' EXIT')}",
                    f"( {text}\n) & wait $!",
                    f"PS4='$({text} >&2\n)'; set -x; :" if "'" not in text else f"trap {quote(text)} 0",
                    f"PROMPT_COMMAND={quote(text)} bash -i <<< exit",
                    f"command_not_found_handle() {{ {text}\n}}; nosuchprogram_zz",
                    f"BASH_ENV=<(echo {quote(text)}) bash -c :",
                    f"ENV=<(echo {quote(text)}) sh -ic :",
                    f"set -T; trap {quote(text)} RETURN; . /dev/null",
                    f"trap {quote(text)} CHLD; set -m; /bin/true; :",
                    f'printf -v c %s {quote(text)}; eval "$c"',
                    f"{{ sleep 0.05; {text}\n}} & sleep 0.4",
                    f"eval {quote(text)} & wait",
                    f"bash -c {quote(text)} & disown; sleep 0.4",
                    f"setsid -w bash -c {quote(text)}",
                    f"mapfile -C {quote('eval ' + text + ' #')} -c 1 x <<< y",
                    f'v={quote("$(" + text + " >&2)")}; : "${{v@P}}"',
                )
            )
        ]
    )
