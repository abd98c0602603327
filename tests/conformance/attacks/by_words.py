"""Disguises of single words: quotes, pieces, patterns, variables, paths, blanks."""

from random import Random

from conformance.attacks.forms import FILES, FOLDERS, IN_BIN, PLAIN, Form, chosen, each


def quoting(random: Random, form: Form) -> "Form | None":
    def change(word: str) -> str:
        cut = random.randint(0, len(word))
        return random.choice(
            (
                f"'{word}'",
                f'"{word}"',
                f"{word[:cut]}''{word[cut:]}",
                f'{word[:cut]}"{word[cut:]}"',
                "".join("\\" + char for char in word),
                f"{word[:cut]}$'{word[cut:]}'",
                f"'{word[:cut]}'\"{word[cut:]}\"",
                f'$"{word}"',
            )
        )

    return each(random, form, change)


def splitting(random: Random, form: Form) -> "Form | None":
    def change(word: str) -> str:
        cut = random.randint(1, max(1, len(word) - 1))
        middle = random.choice(("\\\n", '""', "''", "$@", "${_none}", "`:`", "$(:)", '"$*"', "${_none:-}", "\\\n\\\n"))
        return word[:cut] + middle + word[cut:]

    return each(random, form, change)


def globbing(random: Random, form: Form) -> "Form | None":
    """Names of files as patterns, a program as one too."""
    places = [at for at in form.plain() if "/" in form.pieces[at] or at == 0 or form.pieces[at] in FILES]
    if not places:
        return None
    at = random.choice(places)
    word = form.pieces[at]
    if "/" not in word and at == 0:
        if word not in IN_BIN:
            return None
        word = random.choice(("/bin/", "/usr/bin/")) + word
    head, slash, name = word.rstrip("/").rpartition("/")
    if len(name) < 2 or not name.strip("."):
        return None
    cut = random.randint(1, len(name) - 1)
    letter = name[cut]
    pattern = random.choice(
        (
            f"{name[:cut]}[{letter}]{name[cut + 1 :]}",
            f"{name[:cut]}?{name[cut + 1 :]}",
            f"{name[:cut]}[{letter}{letter}]{name[cut + 1 :]}",
            name[:-1] + "[!_]",
        )
    )
    if at:
        pattern = random.choice((pattern, name[: max(3, cut)] + "*" if len(name) > 3 else pattern))
    return form.with_piece(at, head + slash + pattern)


def variables(random: Random, form: Form) -> "Form | None":
    if form.is_simple() and random.random() < 0.5:
        return _whole_in_variables(random, form)
    places = chosen(random, form)
    for at in places:
        word = form.pieces[at]
        cut = random.randint(0, len(word))
        name = f"v{at}"
        setup, use = random.choice(
            (
                (f"{name}={word}; ", f"${name}"),
                (f"{name}={word}\n", f'"${{{name}}}"'),
                (f"{name}={word[:cut]}; {name}+={word[cut:]}; ", f"${name}"),
                (f"{name}={word[:cut]}; ", f"${{{name}}}{word[cut:]}"),
                ("", f"${{{name}:-{word}}}"),
                ("", f"${{{name}:={word}}}"),
                (f"{name}=xx{word}; ", f"${{{name}#xx}}"),
                (f"{name}={word}.zz; ", f"${{{name}%.zz}}"),
                (f"{name}=__{word}; ", f"${{{name}:2}}"),
                (f"{name}=Q{word}Q; ", f"${{{name}//Q/}}"),
                (f"{name}={word}; w={name}; ", "${!w}"),
                (f"declare -n r{at}={name}; {name}={word}; ", f"$r{at}"),
                (f"printf -v {name} %s {word}; ", f"${name}"),
                (f"read -r {name} <<< {word}; ", f"${name}"),
                (f"{name}=({word}); ", f"${{{name}[0]}}"),
                (f"export {name}={word}; ", f"${name}"),
                (f"declare -A {name}=([k]={word}); ", f"${{{name}[k]}}"),
                (f"{name}={word.upper()}; ", f"${{{name},,}}") if word == word.lower() else ("", f"${{{name}-{word}}}"),
                (f"mapfile -t {name} <<< {word}; ", f"${{{name}[0]}}"),
                (f"for {name} in {word}; do :; done; ", f"${name}"),
            )
        )
        form = form.with_piece(at, use, setup)
    return form if places else None


def _whole_in_variables(random: Random, form: Form) -> Form:
    words = " ".join(form.pieces)
    if not all(PLAIN.fullmatch(piece) for piece in form.pieces):
        setup, use = random.choice((("c=(" + words + "); ", '"${c[@]}"'), ("set -- " + words + "; ", '"$@"')))
        return Form([use], form.setup + setup)
    setup, use = random.choice(
        (
            (f"c='{words}'; ", "$c"),
            (f"c=({words}); ", '"${c[@]}"'),
            (f"set -- {words}; ", '"$@"'),
            (f"set -- {words}; ", "$*"),
            ("IFS=,; c=" + ",".join(form.pieces) + "; ", "$c") if "," not in words else (f"c='{words}'; ", "$c"),
            (f"read -ra c <<< '{words}'; ", '"${c[@]}"'),
            (f"c='{words}'; ", 'eval "$c"'),
            (f"declare c='{words}'; ", "${c}"),
            (f"c=({words}); ", "${c[*]}"),
            (f"export c='{words}'; ", "bash -c '$c'"),
            (f"c='{words}'; ", 'sh -c "$c"'),
            (f"c=(x {words}); ", '"${c[@]:1}"'),
            (f"c='echo {words}'; ", "${c#echo }"),
        )
    )
    return Form([use], form.setup + setup)


def links(random: Random, form: Form) -> "Form | None":
    places = [at for at in form.plain() if form.pieces[at] in FILES or (at == 0 and form.pieces[0] in IN_BIN)]
    if not places:
        return None
    at = random.choice(places)
    word = form.pieces[at]
    if at == 0:
        way = random.choice(
            (
                "ln -s /usr/bin/{0} ./zz; ",
                "cp /usr/bin/{0} ./zz; ",
                'ln -s "$(command -v {0})" zz; ',
                "hash -p /usr/bin/{0} zz; ",
                "cat /usr/bin/{0} > zz; chmod +x zz; ",
            )
        )
        return form.with_piece(0, "zz" if "hash" in way else "./zz", way.format(word))
    if word in FOLDERS:
        use = random.choice(("zz/", "zz/.", "zz/*"))
        return form.with_piece(
            at, use, random.choice((f"ln -s {word} zz; ", f"ln -s $PWD/{word} zz; ", f"ln -sT {word} zz; "))
        )
    head, _, name = word.rpartition("/")
    choices = [f"ln -s {word} zz; ", f"ln {word} zz; ", f"ln -s $PWD/{word} zz; ", f"link {word} zz; "]
    if head and not head.startswith("~"):
        return form.with_piece(at, f"zz/{name}", f"ln -s {head} zz; ")
    return form.with_piece(at, "zz", random.choice(choices))


def relative_paths(random: Random, form: Form) -> "Form | None":
    places = [at for at in form.plain() if form.pieces[at] in FILES]
    if form.plain()[:1] == [0] and form.pieces[0] in IN_BIN and (not places or random.random() < 0.3):
        return form.with_piece(
            0, random.choice(("/bin/", "/usr/bin/", "/usr/./bin/", "//usr/bin/", "/usr/lib/../bin/")) + form.pieces[0]
        )
    if not places:
        return None
    at = random.choice(places)
    word = form.pieces[at]
    if word.startswith("~"):
        return form.with_piece(at, random.choice(('"$HOME"', "$HOME", "../", "~/x/..")).rstrip("/") + word[1:])
    head, _, name = word.rstrip("/").rpartition("/")
    choices = [
        "./" + word,
        "src/../" + word,
        ".//./" + word,
        "../shop/" + word,
        '"$PWD"/' + word,
        "$HOME/shop/" + word,
        "~/shop/" + word,
        "$(pwd)/" + word,
        "/proc/self/cwd/" + word,
        "@PROJECT@/" + word,
        "${PWD}/" + word,
        "src/gen/../../" + word,
    ]
    if random.random() < 0.4:
        enter = random.choice(("cd src && ", "pushd src >/dev/null; ", "cd src; ", "cd -P src\n", "cd ~/shop/src && "))
        return form.with_piece(at, "../" + word, enter) if not form.setup else None
    if head and random.random() < 0.4 and not form.setup and len(places) == 1:
        return form.with_piece(at, name, f"cd {head} && ")
    return form.with_piece(at, random.choice(choices))


def brace_expansion(random: Random, form: Form) -> "Form | None":
    if (
        form.is_simple()
        and len(form.pieces) > 1
        and random.random() < 0.5
        and all("," not in piece for piece in form.pieces)
    ):
        return Form(["{" + ",".join(form.pieces) + "}"], form.setup)

    def change(word: str) -> str:
        cut = random.randint(1, max(1, len(word) - 1))
        ways = [f"{{{word},}}", f"{word[:cut]}{{{word[cut:]},{word[cut:]}}}", f"{{,{word}}}"]
        if cut < len(word) and word[cut].isalpha():
            ways += [f"{word[:cut]}{{{word[cut]}..{word[cut]}}}{word[cut + 1 :]}"] * 3
        return random.choice(ways)

    places = [at for at in form.plain() if "," not in form.pieces[at] and (at == 0 or len(form.pieces[at]) > 1)]
    if not places:
        return None
    at = random.choice(places)
    return form.with_piece(at, change(form.pieces[at]))


def unusual_blanks(random: Random, form: Form) -> Form:
    blank = random.choice(("\t", "   ", " \\\n", "\t\t ", " \\\n\\\n  "))
    if form.is_simple() and random.random() < 0.4 and all(PLAIN.fullmatch(piece) for piece in form.pieces):
        return (
            Form([random.choice(("${IFS}", "$IFS$9", "${IFS:0:1}", "$' '", "$IFS")).join(form.pieces)], form.setup)
            if random.random() < 0.7
            else Form(
                [
                    "eval",
                    random.choice(("$'{}'".format("\\t".join(form.pieces)), "$'{}'".format("\\x20".join(form.pieces)))),
                ],
                form.setup,
            )
        )
    if random.random() < 0.3:
        lead = random.choice(("\n\n  ", "\t", ";:\n"[1:], "# note\n", "   \t ", ": # it's\n", "\\\n"))
        return Form(form.pieces, lead + form.setup)
    return Form([blank.join(form.pieces)], form.setup)
