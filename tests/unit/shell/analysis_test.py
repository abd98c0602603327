"""Which calls a command line makes: wrappers, nested shells, variables, directories; and what cannot be known."""

import pytest

from memdir.shell.analysis import analyse
from memdir.shell.arguments import ANY, NAME, QUESTION, STAR
from memdir.shell.calls import Machine

HOME = "/home/dev"
CWD = "/home/dev/shop"


class Disk(Machine):
    """A machine with a few directories, a repository and an alias."""

    home = HOME
    variables = {"CLAUDE_PROJECT_DIR": CWD}

    def kind(self, path):
        return "dir" if path in (CWD, CWD + "/sub", CWD + "/sub/deep", HOME, "/tmp") else ""

    def worktree(self, path):
        return (CWD, CWD) if path.startswith(CWD) else ("", "")

    def git_alias(self, name, cwd):
        return {"pf": "push --force", "wipe": "!rm -rf build"}.get(name, "")


def _line(text):
    return analyse(text, CWD, Disk())


def _argvs(text):
    return [call.argv for call in _line(text).calls]


RM = ["rm", "-rf", "victim"]

# Each makes the call `rm -rf victim`, sooner or later.
DELETES = {
    "another name for a variable": "declare -n r=c; c='rm -rf victim'; $r",
    "element that goes by a name": "declare -A c=([a]=-rf [b]=victim); rm ${c[a]} ${c[b]}",
    "default that is assigned": "${c:=rm} -rf victim",
    "arithmetic in a slice": "c=xrm; ${c:$((2 - 1)):$((2))} -rf victim",
    "parameters there are none of": 'r"$@"m -r$*f victim$1',
    "variable within a word": "r${_}m -rf victim; rm -r${nothing}f victim",
    "some of the parameters": 'f() { "$1" "${@:2}"; }; f rm -rf victim',
    "substitution in a substitution": """$(printf "\\\\x$(printf %x 114)")m -rf victim""",
    "alias in its array": "BASH_ALIASES[c]='rm -rf victim'; c",
    "input moved to another": "exec 3<<< 'rm -rf victim'; exec 0<&3; bash",
    "one line of xargs": "printf 'ls\\nrm -rf victim\\n' | xargs -I{} sh -c '{}'",
    "text of xargs": "echo 'rm -rf victim' | xargs -0 sh -c",
    "quotes of xargs": """echo "'rm' -rf victim" | xargs env""",
    "quotes of env": """env -S "sh -c 'rm -rf victim'" """,
    "words of bisect": "git bisect run sh -c 'rm -rf victim'",
    "blanks in a transport of git": "git ls-remote 'ext::sh -c rm% -rf% victim'",
    "options together": "python3 -Ic 'import os; os.system(\"rm -rf victim\")'",
    "program from a process": "python3 <(echo 'import os; os.system(\"rm -rf victim\")')",
    "lines in awk": "awk 'BEGIN{system(\"true\\nrm -rf victim\")}'",
    "setarch without an architecture": "setarch -R rm -rf victim",
    "plain": "rm -rf victim",
    "after a list": "git status -s && ls; true || rm -rf victim",
    "in the background": "sleep 0 & rm -rf victim",
    "after a comment": "true # nothing\nrm -rf victim",
    "sudo": "sudo -E -u root rm -rf victim",
    "sudo with a long option": "sudo --user=root -- rm -rf victim",
    "sudo with a variable": "sudo FOO=1 rm -rf victim",
    "doas": "doas -u root rm -rf victim",
    "env": "env -u FOO BAR=1 rm -rf victim",
    "env -i": "env -i PATH=/bin rm -rf victim",
    "env -S": "env -S 'rm -rf' victim",
    "env -S glued": "env '-Srm -rf victim'",
    "command": "command rm -rf victim",
    "builtin and exec": "builtin exec -a x rm -rf victim",
    "nohup and setsid": "nohup setsid -w rm -rf victim",
    "time": "time -p rm -rf victim",
    "external time": "/usr/bin/time -f %e -o log rm -rf victim",
    "timeout": "timeout -k 2 --signal KILL 5 nice -n 5 rm -rf victim",
    "nice with a bare number": "nice -10 rm -rf victim",
    "ionice and chrt": "ionice -c 3 chrt 5 rm -rf victim",
    "stdbuf": "stdbuf -oL rm -rf victim",
    "flock": "flock -w 3 /tmp/lock rm -rf victim",
    "flock -c": "flock /tmp/lock -c 'rm -rf victim'",
    "busybox": "busybox rm -rf victim",
    "uv, npx and the like": "uv run --with x npx -y pnpm exec rm -rf victim",
    "watch": "watch -n 1 'rm -rf victim'",
    "su": "su root -c 'rm -rf victim'",
    "script": "script -qc 'rm -rf victim' /dev/null",
    "xargs": "printf 'victim\\n' | xargs rm -rf",
    "xargs -I": "echo victim | xargs -I% rm -rf %",
    "xargs with a shell": "echo victim | xargs sh -c 'rm -rf \"$1\"' _",
    "find -exec": "find . -maxdepth 1 -exec rm -rf victim \\;",
    "bash -c": 'bash -c "rm -rf victim"',
    "bash -lc and sh -ec": "bash -lc 'sh -ec \"rm -rf victim\"'",
    "bash with options": "bash --norc -o pipefail -c 'rm -rf victim'",
    "positional parameters": "bash -c 'rm -rf \"$1\"' _ victim",
    "all positional parameters": "bash -c '\"$@\"' _ rm -rf victim",
    "here-document": "bash <<'EOF'\nset -e\nrm -rf victim\nEOF",
    "here-document through a block": "{ bash; } <<'EOF'\nrm -rf victim\nEOF",
    "here-string": "bash <<< 'rm -rf victim'",
    "bash -s": "bash -s -- a b <<< 'rm -rf victim'",
    "echo into a shell": "echo 'rm -rf victim' | sh",
    "printf into a shell": "printf '%s -rf %s\\n' rm victim | sh",
    "echo -e into a shell": "echo -e 'true\\nrm -rf victim' | sh",
    "cat into a shell": "cat <<'EOF' | sh\nrm -rf victim\nEOF",
    "a group into a shell": "{ echo true; echo rm -rf victim; } | sh",
    "echo into sudo -s": "echo rm -rf victim | sudo -s",
    "process substitution": "bash <(echo 'rm -rf victim')",
    "source": "source <(echo 'rm -rf victim')",
    "eval": "eval 'rm -rf' victim",
    "eval of a variable": "c='rm -rf victim'; eval \"$c\"",
    "trap": "trap 'rm -rf victim' EXIT; true",
    "substitution in quotes": 'echo "cleaning $(rm -rf victim)"',
    "backquotes": "git commit -m \"drop `rm -rf victim`\"",
    "substitution in a here-document": "cat <<EOF > out\n$(rm -rf victim)\nEOF",
    "nested substitutions": "echo $(echo $(rm -rf victim))",
    "in an assignment": "x=$(rm -rf victim)",
    "in a condition": "if rm -rf victim; then :; fi",
    "in an else": "if true; then :; else rm -rf victim; fi",
    "in a loop": "for i in 1 2; do rm -rf victim; done",
    "in a case": "case x in x) rm -rf victim ;; esac",
    "in a subshell": "(cd /tmp; rm -rf victim)",
    "in a function": "f() { rm -rf victim; }; f",
    "in a function that is not called": "f() { rm -rf victim; }",
    "function with arguments": "f() { rm -rf \"$1\"; }; f victim",
    "function with all arguments": "f() { \"$@\"; }; f rm -rf victim",
    "function in a function": "f() { rm -rf $1; }; g() { f victim; }; g",
    "alias": "alias x='rm -rf'\nx victim",
    "coproc": "coproc rm -rf victim",
    "variable": "x=rm; $x -rf victim",
    "variable with words": "x='rm -rf'; $x victim",
    "exported variable": "export x=victim; rm -rf $x",
    "variable in two pieces": "a=r b=m; $a$b -rf victim",
    "appended variable": "x=r; x+=m; $x -rf victim",
    "loop variable": "for i in victim other; do rm -rf $i; done",
    "variable of a branch": "if [ -f x ]; then d=victim; else d=y; fi; rm -rf $d",
    "set in a later round": "for i in 1 2; do $x -rf victim; x=rm; done",
    "array": "a=(rm -rf victim); \"${a[@]}\"",
    "element of an array": "a=(x rm); ${a[1]} -rf victim",
    "default value": "${UNSET_NAME:-rm} -rf victim",
    "indirect": "x=rm y=x; ${!y} -rf victim",
    "substring": "x=xrmx; ${x:1:2} -rf victim",
    "replaced": "x=ram; ${x/a/} -rf victim",
    "lower case": "x=RM; ${x,,} -rf victim",
    "positional parameters set": "set -- rm -rf victim; \"$@\"",
    "printf -v": "printf -v x '%s' rm; $x -rf victim",
    "read": "read -r x <<< rm; $x -rf victim",
    "echo in a substitution": "$(echo rm) -rf victim",
    "printf in a substitution": "$(printf 'r%s' m) -rf victim",
    "two echos in a substitution": "$(echo -n r; echo m) -rf victim",
    "braces": "{rm,-rf,victim}",
    "quotes inside": "r'm' -r\"f\" victim",
    "backslashes": "\\r\\m -rf victim",
    "line continuation": "r\\\nm -r\\\nf victim",
    "ANSI-C quotes": "$'\\x72m' -rf victim",
    "file made and run": "printf 'rm -rf victim\\n' > x.sh && sh ./x.sh",
    "file made by a here-document": "cat > x.sh <<'EOF'\n#!/bin/sh\nrm -rf victim\nEOF\nchmod +x x.sh\n./x.sh",
    "file made in two steps": "echo true > x; echo rm -rf victim >> x; . ./x",
    "file made by tee": "echo rm -rf victim | tee x.sh; bash < x.sh",
    "file made and copied": "echo rm -rf victim > a; cp a b; sh b",
    "alias of git": "git -c alias.x='!rm -rf victim' x",
    "setting of git": "git -c core.pager='rm -rf victim' log",
    "rebase --exec": "git rebase -x 'rm -rf victim' main",
    "submodule foreach": "git submodule foreach 'rm -rf victim'",
    "variable that holds a command": "GIT_EDITOR='rm -rf victim' git commit",
    "words split at commas": "IFS=,; x=rm,-rf,victim; $x",
    "front cut off": "x=xxxrm; ${x##*x} -rf victim",
    "end cut off": "x=rm.zip; ${x%.*} -rf victim",
    "default that is kept": ": ${z:=rm}; $z -rf victim",
    "callback of mapfile": "mapfile -t -C 'rm -rf victim' -c 1 c <<< x",
    "BASH_ENV": "BASH_ENV=<(echo rm -rf victim) bash -c true",
    "prompt": "PS4='$(rm -rf victim)'; set -x; true",
    "env -S with its own blanks": "env -S 'rm\\_-rf\\_victim'",
    "descriptor": "bash 3<<< 'rm -rf victim' <&3",
    "descriptor as a file": "bash /dev/fd/3 3<<< 'rm -rf victim'",
    "descriptor of exec": "exec 3<<< 'rm -rf victim'; . /dev/fd/3",
    "input of exec": "exec <<< 'rm -rf victim'; bash",
    "name of the script": "bash -c 'rm -rf \"$0\"' victim",
    "first file of bash": "bash --rcfile <(echo rm -rf victim) -i",
    "output into a shell": "echo rm -rf victim > >(sh)",
    "shell in a function": "f() { sh; }; echo rm -rf victim | f",
    "shell in a shell": "echo rm -rf victim | bash -c 'bash'",
    "output of a function": "f() { echo rm -rf victim; }; f | sh",
    "output of eval": "eval 'echo rm -rf victim' | sh",
    "script that was moved": "echo rm -rf victim > s.sh; mv s.sh sub; cd sub; bash s.sh",
    "script by another path": "echo rm -rf victim > s.sh; bash sub/../s.sh",
    "script by a pattern": "echo rm -rf victim > s.sh; bash *.sh",
    "script in PATH": "echo rm -rf victim > sub/zap; PATH=$PWD/sub:$PATH zap",
    "script by dd": "echo rm -rf victim | dd of=s.sh; bash s.sh",
    "alias set for git": "git config alias.x '!rm -rf victim'; git x",
    "alias in git's variables": (
        "export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='!rm -rf victim'; git x"
    ),
    "other end of git": "git ls-remote --upload-pack='rm -rf victim' .",
    "other end of git clone": "git clone -u 'rm -rf victim' . x",
    "transport of git": "git -c protocol.ext.allow=always ls-remote 'ext::rm -rf victim'",
    "helper of git": "git -c credential.helper='!rm -rf victim' fetch",
    "tar --to-command": "tar xf a.tar --to-command='rm -rf victim'",
    "tar --checkpoint-action": "tar cf a.tar b --checkpoint=1 --checkpoint-action=exec='rm -rf victim'",
    "ssh -o ProxyCommand": "ssh -oProxyCommand='rm -rf victim' host",
    "rsync -e": "rsync -e 'rm -rf victim' a host:b",
    "awk system": "awk 'BEGIN{system(\"rm -rf victim\")}'",
    "awk pipe": "awk '{print | \"rm -rf victim\"}' a",
    "awk getline": "awk 'BEGIN{\"rm -rf victim\" | getline}'",
    "sed e": "sed '1e rm -rf victim' a",
    "vim": "vim -es -c '!rm -rf victim' -c q",
    "ed": "ed -s a <<< '!rm -rf victim'",
    "makefile on standard input": "printf 'a:\n\trm -rf victim\n' | make -f -",
    "makefile made and run": "printf 'a:\n\t@rm -rf victim\n' > Makefile; make",
    "make --eval": "make --eval 'a:;rm -rf victim' a",
    "sqlite3": "sqlite3 :memory: '.shell rm -rf victim'",
    "alias that hides it": "alias rm=true; rm -rf victim",
    "function that may not be there": "false && rm() { :; }; rm -rf victim",
    "function behind a wrapper": "rm() { :; }; env rm -rf victim",
    "function defined again perhaps": "f() { rm \"$@\"; }; if false; then f() { ls; }; fi; f -rf victim",
    "variable unset perhaps": "c=rm; false && unset c; $c -rf victim",
    "function of the variable's name unset": "c=rm; unset -f c; $c -rf victim",
    "local variable": "c=rm; f() { local c=ls; }; f; $c -rf victim",
    "loop without a turn": "c=rm; for c in; do :; done; $c -rf victim",
    "loop over the parameters": "set -- 'rm -rf victim'; for c; do $c; done",
    "env with a dash": "env - rm -rf victim",
    "wrapped in everything": "sudo env A=1 nohup timeout 5 bash -c 'eval \"rm -rf victim\"'",
}  # fmt: skip


@pytest.mark.parametrize("case", DELETES)
def test_the_call_is_found_wherever_it_hides(case):
    assert RM in _argvs(DELETES[case])


# None of these runs rm.
LEAVES = {
    "text of echo": 'echo "rm -rf victim"',
    "text of a commit": 'git commit -m "never run rm -rf victim"',
    "quoted here-document": "cat <<'EOF' > notes\nrm -rf victim\n$(rm -rf victim)\nEOF",
    "here-document of git": "git commit -F - <<'EOF'\nrm -rf victim\nEOF",
    "pattern of grep": "grep -rn 'rm -rf victim' .",
    "comment": "ls # rm -rf victim",
    "command -v": "command -v rm",
    "sudo -l": "sudo -l rm -rf victim",
    "only a syntax check": "bash -n -c 'rm -rf victim'",
    "a file that is written only": "echo 'rm -rf victim' > x.sh",
    "removed trap": "trap - EXIT",
    "assignment": "x='rm -rf victim'",
    "echo into a program": "echo 'rm -rf victim' | cat",
    "docker": "docker run --rm -v x:/w alpine ls",
    "single quotes in double quotes": "echo \"don't rm -rf victim, it's needed\"",
}


@pytest.mark.parametrize("case", LEAVES)
def test_text_that_is_not_run_is_no_call(case):
    assert not [argv for argv in _argvs(LEAVES[case]) if argv[:1] == ["rm"]]


# Where the call `touch f` runs.
FOLDERS = {
    "here": ("touch f", [CWD]),
    "below": ("cd sub && touch f", [CWD + "/sub"]),
    "two steps": ("cd sub; cd deep; touch f", [CWD + "/sub/deep"]),
    "and up": ("cd sub/deep && cd .. && touch f", [CWD + "/sub"]),
    "and back": ("cd sub; cd -; touch f", [CWD]),
    "home": ("cd; touch f", [HOME]),
    "tilde": ("cd ~ && touch f", [HOME]),
    "variable": ("cd $HOME && touch f", [HOME]),
    "project": ('cd "$CLAUDE_PROJECT_DIR" && touch f', [CWD]),
    "root of the repository": ("cd sub && cd $(git rev-parse --show-toplevel) && touch f", [CWD]),
    "pwd": ('cd sub; d="$(pwd)"; cd /tmp; cd "$d"; touch f', [CWD + "/sub"]),
    "subshell": ("(cd sub); touch f", [CWD]),
    "inside a subshell": ("(cd sub && touch f)", [CWD + "/sub"]),
    "pipeline": ("cd sub | cat; touch f", [CWD]),
    "group": ("{ cd sub; }; touch f", [CWD + "/sub"]),
    "perhaps": ("[ -d sub ] && cd sub; touch f", [CWD + "/sub", CWD]),
    "does not exist": ("cd nowhere; touch f", [CWD + "/nowhere", CWD]),
    "pushd and popd": ("pushd sub; popd; touch f", [CWD + "/sub", CWD]),
    "env -C": ("env -C sub touch f", [CWD + "/sub"]),
    "nested shell": ("cd sub; bash -c 'cd deep; touch f'", [CWD + "/sub/deep"]),
    "after a nested shell": ("bash -c 'cd sub'; touch f", [CWD]),
    "eval": ("eval 'cd sub'; touch f", [CWD + "/sub"]),
    "function": ("f() { cd sub; }; f; touch f", [CWD + "/sub"]),
    "loop": ("for d in sub /tmp; do cd $d; touch f; done", [CWD + "/sub", "/tmp"]),
    "unknown": ("cd $(cat where) && touch f", [""]),
}


@pytest.mark.parametrize("case", FOLDERS)
def test_the_directory_is_followed(case):
    text, folders = FOLDERS[case]
    assert [call.cwd for call in _line(text).calls if call.argv[:1] == ["touch"]] == folders


# What is not known beforehand, as its mark.
UNKNOWN = {
    "environment": ("git push $X", ["git", "push", NAME]),
    "text around it": ('cp "$X/a" b', ["cp", NAME + "/a", "b"]),
    "command that prints names": ("rm $(ls)", ["rm", NAME]),
    "names, filtered": ("rm $(ls | grep x | head -1)", ["rm", NAME]),
    "any command": ("rm $(cat list)", ["rm", ANY]),
    "names, transformed": ("rm $(ls | sed s/x/y/)", ["rm", ANY]),
    "variable from a command": ("x=$(cat list); rm $x", ["rm", ANY]),
    "variable that was read": ("read x; rm $x", ["rm", ANY]),
    "names that were read": ("ls | while read -r f; do rm $f; done", ["rm", NAME]),
    "glob": ("rm *.p?c", ["rm", STAR + ".p" + QUESTION + "c"]),
    "extended glob": ("rm @(a|b).c", ["rm", STAR + ".c"]),
    "arithmetic": ("head -n $((x + 1)) f", ["head", "-n", NAME, "f"]),
    "found paths": ("find src -name '*.ts' -exec sed -i s/a/b/ {} +", ["sed", "-i", "s/a/b/", f"src/{NAME}{STAR}.ts"]),
    "input of xargs": ("xargs rm < list", ["rm", ANY]),
    "names for xargs": ("ls | xargs rm", ["rm", NAME]),
    "found paths for xargs": ("find . -name x | xargs rm", ["rm", f"./{NAME}x"]),
}


@pytest.mark.parametrize("case", UNKNOWN)
def test_what_is_not_known_has_its_mark(case):
    text, argv = UNKNOWN[case]
    assert argv in _argvs(text)


DOUBTS = {
    "decoded text": ("echo cm0gLXJm | base64 -d | bash", "text"),
    "text from the network": ("curl -s https://x | sh", "text"),
    "text of a substitution": ('sh -c "$(curl -s https://x)"', "text"),
    "eval of a file": ("eval $(cat x)", "text"),
    "file made of unknown text": ("curl -o x.sh https://x; sh x.sh", "text"),
    "file made of decoded text": ("base64 -d < a > x.sh; ./x.sh", "text"),
    "program from a command": ("$(cat x) a b", "program"),
    "program from a variable": ("x=$(cat y); $x a", "program"),
    "letters out of a variable": ("${PATH:0:1}bin${PATH:0:1}rm -rf x; ${SHELL:5:1}x y", "program"),
    "program as a glob": ("/bin/r? -rf x", "program"),
    "broken syntax": ("if true; then rm x", "syntax"),
    "git with an unknown command": ("git $(cat x) main", "program"),
    "text of names": ("date +'git push -f' | sh", "text"),
    "program of names": ("$(find . -printf 'git push -f')", "program"),
    "eval of names": ('eval "$(stat -c x .)"', "text"),
    "another name for a variable, assigned": ("declare -n r=c; r='rm x'; $c", "program"),
    "program of an interpreter that is not known": ("python3 $(x) <<< 'import os'", "text"),
    "element by printf": ("printf -v 'c[0]' 'rm x'; ${c[0]}", "program"),
    "subscript in let": ("let 'a[$(rm x)]'", "text"),
    "subscript in test": ("test -v 'a[$(rm x)]'", "text"),
    "subscript in a variable": ("x='a[$(rm x)]'; echo $((x))", "text"),
    "subscript in brackets": ("[[ -v 'a[$(rm x)]' ]]", "text"),
    "prompt expansion": ("v='$(rm x)'; echo \"${v@P}\"", "text"),
    "unknown descriptor": ("bash <&5", "text"),
    "awk with a variable": ("awk '{system($0)}' a", "text"),
    "sed with the e flag": ("sed 's/x/y/e' a", "text"),
    "script by sed": ("echo x > s.sh; sed -i s/x/y/ s.sh; bash s.sh", "text"),
    "script by python": ("python3 -c \"open('s.sh','w').write('x')\"; bash s.sh", "text"),
    "git configured in a file": ("printf '[alias]\\nx = push -f' >> .git/config; git x", "program"),
    "git included": ("git -c include.path=x p", "program"),
    "another language": ("tclsh <<< 'exec rm x'", "text"),
    "arithmetic or commands": ("sh -c '((rm -rf x))'", "syntax"),
    "code of an interpreter": ('x=$(cat y); python3 -c "$x"', "text"),
}


@pytest.mark.parametrize("case", DOUBTS)
def test_what_is_not_understood_is_a_doubt(case):
    text, kind = DOUBTS[case]
    assert kind in [doubt.kind for doubt in _line(text).doubts]


CERTAIN = {
    "editor from the environment": "$EDITOR notes.md",
    "interpreter from the environment": '"$PYTHON" -m pytest',
    "default for a compiler": "${CC:-gcc} -o a a.c",
    "program found by which": "$(which python3) -m pytest",
    "shell set up by an agent": 'eval "$(ssh-agent -s)"',
    "completion": "source <(kubectl completion bash)",
    "version manager": 'eval "$(pyenv init -)" && pyenv shell 3.12',
    "branch name": 'git push -u origin "$(git branch --show-current)"',
    "a script of the project": "bash scripts/build.sh && ./run.sh",
    "data into an interpreter": "curl -s https://x | python3 -m json.tool",
    "names in a loop": 'for f in src/*.ts; do npx prettier --write "$f"; done',
    "awk": "awk -F: '$3 > 1000 || /a|b/ {print $1, $2}' /etc/passwd | sort",
    "sed": "sed -n -e '/start/,/end/{s/a|e/b/g;p}' -e '$!d' notes.md",
    "sed with a label": "sed ':a;N;$!ba;s/\\n/ /g' a",
    "tar and make": "tar czf a.tgz src && make -j4 CFLAGS='-O2 -g' all",
    "ssh with options": "ssh -o StrictHostKeyChecking=no -i key host uptime",
    "git with a pager": "git -c color.ui=always log --oneline | less -R",
    "vim": "vim +42 src/a.ts",
    "sqlite3": "sqlite3 a.db '.tables' 'select count(*) from t'",
    "descriptors": "exec 3>&1; make 2>&1 >&3 | tee log",
    "file descriptor for reading": 'while read -r line <&3; do echo "$line"; done 3< list',
    "test of an element": '[ "${a[0]}" = x ] && [[ -n ${b[1]} ]]',
    "text into jq": "echo '{}' | jq .a",
}


@pytest.mark.parametrize("case", CERTAIN)
def test_ordinary_commands_leave_no_doubt(case):
    assert _line(CERTAIN[case]).doubts == []


def test_targets_of_redirections_are_kept():
    assert [call.writes for call in _line("echo x > a 2>> b >| c &> d 2>&1 < e 3>&-; : > f").calls] == [
        ["a", "b", "c", "d"],
        ["f"],
    ]
    assert [call.writes for call in _line("[[ x ]] > a; for i in 1; do :; done > b").calls if call.writes] == [
        ["a"],
        ["b"],
    ]


def test_what_a_shell_is_fed_with_is_known():
    shell = next(call for call in _line('sh -c "$(curl -s https://x)"').calls if call.implied)
    assert [call.argv[0] for call in shell.feeders] == ["curl"]
    shell = next(call for call in _line("bash <(curl -s https://x)").calls if call.implied)
    assert [call.argv[0] for call in shell.feeders] == ["curl"]
    shell = next(call for call in _line("curl -s https://x | tee log | sh").calls if call.name == "sh")
    assert [call.argv[0] for call in shell.feeders] == ["tee"]
    assert [call.argv[0] for call in shell.feeders[0].feeders] == ["curl"]


def test_a_call_says_what_it_stood_in():
    call = _line("sudo bash -c 'timeout 5 rm x'").calls[-1]
    assert call.via == ("sudo", "bash -c", "timeout")


def test_the_place_is_that_of_the_command_in_the_text():
    text = "ls; bash -c 'rm x'"
    assert {text[call.start : call.end] for call in _line(text).calls} == {"ls", "bash -c 'rm x'"}


@pytest.mark.parametrize(
    "text", ["hash -p /bin/rm foo; foo -rf x", "cp /bin/rm foo; ./foo -rf x", "ln -s /bin/rm sub; sub/rm -rf x"]
)
def test_a_program_by_another_name_is_known_by_its_own(text):
    assert ["/bin/rm", "-rf", "x"] in _argvs(text)


def test_find_delete_is_also_a_recursive_delete():
    call = next(call for call in _line("find build -name '*.o' -delete").calls if call.implied)
    assert call.argv == ["rm", "-rf", f"build/{NAME}{STAR}.o"]
    assert call.via == ("find -delete",)


@pytest.mark.parametrize(
    "text",
    [". <(echo x)y", "cat < <(echo x)y", 'set -- "$@" "$@" x;' * 60, 'a=("${a[@]}" "${a[@]}");' * 60,
     "f() { f | f & }; f",
     "a=1; [ q ] && a=2; [ q ] && a=3; ls " + "$a " * 2_000, "find " + "a " * 100 + "-exec ls " + "{} " * 100 + "\\;",
     "ls" + " | cat" * 2_000, "$(ls) " * 2_700, "echo " + "> a " * 20_000, "x=$(echo $x$x);" * 600,
     "f() { f; }; f", "alias a=a\na", "eval eval eval eval true", "$(" * 30 + ")" * 30, "bash -c " * 50 + "true",
     "f() { g; g; }; g() { h; h; }; h() { f; f; }; f", "x=$x$x;" * 60 + "$x", "sudo " * 100 + "true",
     "while :; do x=$x$y y=$y$x; done; $x", "{a,b}{c,d}{e,f} $(a) " * 200, "echo '" + "a" * 200_000 + "'",
     "for a in 1 2 3 4 5 6 7 8 9; do for b in $a $a $a; do echo $a$b$a$b; done; done; $b"],
)  # fmt: skip
def test_hostile_text_ends_soon(text):
    assert len(_line(text).calls) <= 4_000
