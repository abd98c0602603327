"""Marks of a sentence that are words of a command: the dot of `git add .` ends nothing.

A dot or a star that stands alone is taken for a word only behind a command that takes paths: "we use pnpm ." ends
there. The dots of `./...` and the star of `src/*` belong to their path wherever they stand.
"""

import re

_FAR = 160  # characters before a mark in which its command stands
_WORD = "_"  # stands for each character of such a mark: no end of a sentence, and no word that means anything
_MARK = re.compile(
    r"(?<=/)(?:\.{3}|\*{1,2}(?![\w/*.]))|(?<=[^\S\n])(?<![.*]\s)(?P<alone>\.{1,2}|\*{1,2})(?=[^\x00-\x7f]|[\s*,;:!?)\"'`]|$)",
    re.MULTILINE | re.ASCII,
)
# What tells that the sentence goes on behind a command, or ends before the mark: no argument.
_NO_VALUE = r"(?!(?:again|anymore|ever|first|here|instead|now|ok|please|pls|there|too|yourself|and|or|to|in|on|for)\b)"
_ARGUMENTS = rf"(?: (?:-\S*(?: {_NO_VALUE}[A-Za-z][A-Za-z-]*(?!\S))?|[\w@+~=-]*[./:=_*\d]\S*))*"
# These take a path behind a word that says what they are to do.
_WITH_TASK = (
    r"git(?: -\S+)* (?:add|stage|checkout|restore|rm|mv|diff|clean|reset(?! --hard)|log|status|blame|grep|ls-files"
    r"|commit(?: -\S+)* -m)|(?:docker|podman)(?: buildx)? build|go (?:test|vet|build|fmt|run|install|generate|get|list)"
    r"|ruff (?:check|format)|(?:pip3?|pipx|cargo|uv tool) install|npm pack|(?:kubectl|oc) (?:apply|delete)"
    r"|helm (?:install|upgrade|template|lint|package)|terraform fmt|golangci-lint run|vitest run|cargo (?:test|clippy)"
    r"|(?:deno|bun) (?:test|lint|fmt)|biome (?:check|lint|format)|make -C|tsc -p"
)
# These do by themselves; some of their names are words as well: only behind a word that has them run.
_TOOLS = (
    r"black|cmake|eslint|flake8|gofmt|goimports|golangci-lint|isort|jest|mypy|phpunit|prettier|pylint|pyright|pytest"
    r"|rspec|rubocop|ruff|semgrep|shellcheck|stylelint|vitest"
)
_SHELL = r"cd|ls|rm|du|chmod|chown|grep|rg|rsync|scp|cp|mv|ln|tar|find|cat|tree|code"
_RUN = (
    r"(?:(?:\A|[:：,，`(]|&&|\b(?:runs?|running|execut(?:e|ing)|call(?:ing)?|never|always|ever|do(?:n[’']?t| not)"
    r"|npx|uvx|bunx|exec|-m)|[跑行]|\. (?:and|or)) ?)"
)
_COMMAND = re.compile(
    rf"(?:(?<![\w./-])(?:{_WITH_TASK}|(?:{_TOOLS}|{_SHELL})(?= -))|{_RUN}(?:{_TOOLS}|{_SHELL}))(?![\w-])"
    rf"{_ARGUMENTS} +\Z"
    r"|(?<![\w./-])(?:cp|mv|ln|rsync|scp|chmod|chown|r?grep|rg)(?: -\S+)*(?: [\w./:@+=~*-]+){1,3} +\Z",
    re.IGNORECASE | re.ASCII,
)
# Behind the mark another sentence begins; "it" goes on with one that began with a condition.
_NEXT = re.compile(r"[^\S\n](?:(?:[A-Z][a-z]|I\b|[A-Z]+ (?:is|was|has)\b)|(?P<it>(?:it|they)\b))")
_CONDITION = re.compile(r"\b(?:if|when|whenever|before|after|while|once|until|time)\b", re.IGNORECASE)


def hide(said: str) -> str:
    """The text, as long as before, in which the marks that are words of a command look like words.

    Where another sentence begins behind one, the blank between is a full stop.
    """
    parts = []
    at = 0
    for found in _MARK.finditer(said):
        before = said[max(0, found.start() - _FAR) : found.start()].rpartition("\n")[2]
        if found["alone"] and not _COMMAND.search(before):
            continue
        parts += [said[at : found.start()], _WORD * len(found.group())]
        at = found.end()
        following = _NEXT.match(said, at)
        if following and not (following["it"] and _CONDITION.search(before)):
            parts.append("。")
            at += 1
    return "".join([*parts, said[at:]])


def strip(text: str, marks: str) -> str:
    """The text without these marks at its end, but for those that are words."""
    return text[: len(hide(text).rstrip(marks))]
