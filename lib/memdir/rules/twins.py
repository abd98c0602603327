"""Short options and their long forms, for the programs whose options rules are written about."""

# program, or git and its subcommand: letter=long form
_LONG = {
    "rm": "r=recursive R=recursive f=force i=interactive v=verbose d=dir",
    "cp": "r=recursive R=recursive f=force a=archive p=preserve l=link s=symbolic-link t=target-directory",
    "mv": "f=force n=no-clobber t=target-directory",
    "ln": "s=symbolic f=force",
    "chmod": "R=recursive",
    "chown": "R=recursive",
    "chgrp": "R=recursive",
    "grep": "r=recursive R=recursive i=ignore-case l=files-with-matches v=invert-match",
    "mkdir": "p=parents",
    "sed": "i=in-place n=quiet E=regexp-extended r=regexp-extended",
    "tar": "x=extract c=create f=file C=directory",
    "curl": "k=insecure X=request o=output d=data H=header u=user T=upload-file",
    "wget": "O=output-document",
    "kill": "s=signal",
    "pkill": "f=full",
    "npm": "g=global f=force D=save-dev",
    "pnpm": "g=global r=recursive D=save-dev",
    "docker": "f=force v=volume a=all i=interactive t=tty p=publish e=env",
    "kubectl": "n=namespace f=filename A=all-namespaces l=selector",
    "git add": "A=all f=force u=update p=patch",
    "git branch": "d=delete f=force m=move",
    "git checkout": "f=force m=merge p=patch",
    "git clean": "f=force n=dry-run q=quiet",
    "git commit": "n=no-verify a=all m=message F=file C=reuse-message e=edit p=patch s=signoff",
    "git fetch": "f=force a=append p=prune t=tags",
    "git merge": "m=message n=no-stat",
    "git push": "f=force d=delete n=dry-run u=set-upstream o=push-option q=quiet v=verbose",
    "git rebase": "i=interactive x=exec n=no-stat",
    "git reset": "p=patch q=quiet",
    "git restore": "s=source S=staged W=worktree p=patch",
    "git rm": "r= f=force n=dry-run",
    "git stash": "u=include-untracked a=all p=patch",
    "git switch": "c=create f=force d=detach",
    "git tag": "d=delete f=force a=annotate m=message",
}

# Letters whose value is the rest of the word, or the next one.
_WITH_VALUE = {
    "cp": "tS", "mv": "tS", "ln": "tS", "tar": "fCTX", "grep": "efmABC", "sed": "efl", "curl": "XodHuTAbeFmrwxEKU",
    "wget": "OPoaU", "npm": "C", "docker": "epvwulh", "kubectl": "nfl", "git commit": "mFCct", "git merge": "msXF",
    "git push": "o", "git rebase": "xsX", "git restore": "s", "git switch": "cC", "git tag": "mFu", "git branch": "u",
    "git clean": "e", "git checkout": "bB", "git stash": "m",
}  # fmt: skip

# Their options have one dash and a whole word; nothing is clustered.
_WORDS = frozenset(
    "clang dotnet ffmpeg find gcc go java javac nomad openssl packer pwsh terraform tofu vault xcodebuild".split()
)

# Long options that begin others, and are what they say.
_WHOLE = frozenset(
    "--all --dir --file --force --help --name --no --path --prune --tags --user --verbose --version".split()
)


def long_of(program: str, letter: str) -> str:
    """`rm` and "f" give "force"; "" for what the table does not hold."""
    for pair in _LONG.get(program, "").split():
        if pair[0] == letter:
            return pair[2:]
    return ""


def shorts_of(program: str, long: str) -> str:
    """All letters that stand for the long form."""
    return "".join([pair[0] for pair in _LONG.get(program, "").split() if pair[2:] == long])


def takes_value(program: str, letter: str) -> bool:
    return letter in _WITH_VALUE.get(program, "")


def clusters(program: str) -> bool:
    """Whether `-rf` means `-r -f` to the program."""
    return program not in _WORDS


def abbreviates(word: str, option: str) -> bool:
    """Whether the word can be this long option cut short, as GNU programs and git take it."""
    return 4 < len(word) < len(option) and option.startswith(word) and word not in _WHOLE
