#!/bin/sh
# Installs memdir into Claude Code. May be run again: that upgrades, and mends what is broken.
#
#   ./install.sh [--link] [--no-venv] [--no-demo] [--interactive] [--python PATH]
#
#   --link         register this checkout itself instead of a copy of it
#   --no-venv      do without the packages that the background worker can use
#   --no-demo      do not show at the end what memdir does
#   --interactive  ask before the settings are changed, and about the rest
#   --python PATH  use this interpreter instead of looking for one
#   --help         print this
#
# It finds a Python 3.9 or newer that is no shim and no virtual environment's; lib/memdir_cli/install.py does the rest.

self=$0
case $self in */*) ;; *) self=./$self ;; esac
while [ -L "$self" ]; do
    target=$(readlink "$self")
    case $target in /*) self=$target ;; *) self=${self%/*}/$target ;; esac
done
root=$(CDPATH='' cd "${self%/*}" && pwd -P) || exit 3
config=${CLAUDE_CONFIG_DIR-${HOME:+$HOME/.claude}}
case $config in /*) ;; *) config= ;; esac # one of the working directory's is refused later
project=
dir=$(pwd -P 2>/dev/null) # it may be gone
while [ -n "$dir" ] && [ "$dir" != "${HOME-}" ]; do
    [ -e "$dir/.git" ] && project=$dir && break
    dir=${dir%/*}
done

limit_s=10 # for an interpreter to say what it is
chosen=
expected=
for word; do
    case $expected$word in
    --help | -h) sed -n '2,/--help /s/^# \{0,1\}//p' "$root/install.sh" && exit 0 ;;
    --python=*) chosen=${word#--python=} ;;
    --python) expected=: ;;
    :*) chosen=$word && expected= ;;
    esac
done

ask() { # CANDIDATE MINOR: prints the executable behind it and "0", or the status with which it ended
    # In /, where no project says which version a shim is to start. An app launcher's variable would rename a Python.
    (cd / && unset __PYVENV_LAUNCHER__ && exec "$1" -I -S "$root/lib/memdir_cli/interpreter.py" "$2") </dev/null &
    asked=$!
    (
        trap 'kill $!; exit' TERM # before there is a clock that could outlive this
        sleep "$limit_s" &
        wait
        kill -9 "$asked"
    ) >/dev/null &
    wait "$asked"
    status=$?
    kill $! # before the last word: who reads may be gone then, and this with it
    echo $status
}

real() { # CANDIDATE MINOR: prints the executable behind it, if that is Python 3.MINOR or newer
    # One line is read: a shim that was killed may leave a process that keeps the pipe open.
    ask "$@" 2>/dev/null | {
        IFS= read -r answer
        case $answer in
        /*) printf '%s\n' "$answer" ;;
        137) echo "install.sh: $1 does not answer within $limit_s seconds; passed over" >&2 && false ;;
        *) false ;;
        esac
    }
}

is_stub() { # PATH: macOS has one in place of a missing Python, which opens a window
    case $1 in /usr/bin/*) ;; *) return 1 ;; esac
    [ -e /usr/bin/xcode-select ] && ! [ -e /Library/Developer/CommandLineTools/usr/bin/python3 ] &&
        ! [ -e /Applications/Xcode.app ]
}

consider() { # CANDIDATE: takes it, unless one is found or it will not do
    [ -z "$python" ] || return 0
    case $1 in
    "$root"/* | "${project:-//}"/*) return 0 ;; # what a project brings along is no place for an interpreter
    /*) ;;
    *) return 0 ;;
    esac
    { [ -f "$1" ] && [ -x "$1" ] && ! is_stub "$1"; } || return 0
    python=$(real "$1" "$minor") || python=
}

look_in_path() { # NAME...: in the directories of PATH, but not those of shims
    IFS=:
    set -f
    for name; do
        for dir in ${PATH-}; do
            case $dir in */shims) ;; *) consider "$dir/$name" ;; esac
        done
    done
    set +f
    unset IFS
}

find_python() {
    consider "${PYTHON-}"
    if [ -n "$config" ] && [ -f "$config/memdir/python" ]; then
        IFS= read -r recorded <"$config/memdir/python"
        consider "$recorded"
    fi
    look_in_path python3 python3.14 python3.13 python3.12 python3.11 python3.10 python3.9
    for dir in /usr/bin /opt/homebrew/bin /usr/local/bin; do
        consider "$dir/python3"
    done
    for candidate in "${HOME-}"/.pyenv/shims/python3 "${HOME-}"/.pyenv/versions/3.*/bin/python3 \
        "${HOME-}"/.local/share/uv/python/cpython-3.*/bin/python3 "${HOME-}"/.asdf/installs/python/3.*/bin/python3 \
        "${HOME-}"/.local/share/mise/installs/python/3.*/bin/python3; do
        consider "$candidate"
    done
}

how_to_get_one() {
    if [ "$(uname -s)" = Darwin ]; then
        echo 'xcode-select --install'
    elif command -v apt-get >/dev/null; then
        echo 'sudo apt-get install python3 python3-venv'
    elif command -v dnf >/dev/null; then
        echo 'sudo dnf install python3'
    elif command -v pacman >/dev/null; then
        echo 'sudo pacman -S python'
    elif command -v apk >/dev/null; then
        echo 'sudo apk add python3'
    else
        echo 'install Python 3.9 or newer'
    fi
}

python=
if [ -n "$chosen" ]; then
    case $chosen in
    /*) ;;
    */*) chosen=$PWD/$chosen ;;
    *) chosen=$(command -v "$chosen" || echo "$chosen") ;;
    esac
    python=$(real "$chosen" 9) || python=
    [ -n "$python" ] || {
        echo "install.sh: $chosen is no Python 3.9 or newer that runs; leave --python out to have one looked for" >&2
        exit 1
    }
else
    for minor in 10 9; do # the packages of the worker need 3.10
        [ -n "$python" ] || find_python
    done
fi
[ -n "$python" ] || {
    echo "install.sh: no Python 3.9 or newer found; get one, then run this again: $(how_to_get_one)" >&2
    exit 1
}
unset __PYVENV_LAUNCHER__
exec "$python" -I -S "$root/lib/memdir_cli/__main__.py" install "$@"
