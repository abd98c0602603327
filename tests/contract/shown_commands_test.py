"""What README and docs show is true: each command in them is run, and what it prints is compared with them."""

import json
import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from support.checkout import ROOT, copy_plugin, running_python
from support.installer import Installer
from support.memory import Memory
from support.rules import write_rule

HOME = "/home/dev"  # as the documents have it; the project is /home/dev/shop
DOCUMENTS = [ROOT / name for name in ("README.md", "README.zh-CN.md", "CONTRIBUTING.md")]
DOCUMENTS += sorted((ROOT / "docs").glob("*.md"))
_RULE = "These files are generated. Change api/openapi.yaml and run `make generate`."
_RULE_ZH = "这些文件是生成的：请改 api/openapi.yaml，再运行 make generate。"
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_ANY_BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`(memdir [^`\n]+)`")
_INDENTED = re.compile(r"^    ((?:(?:bin/)?memdir|\./install\.sh)(?: [^#\n]*)?)", re.MULTILINE)
_WHEN = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d  [0-9a-f]{8}")
_STAND_INS = {  # what a reader puts in, as the documents call it
    **dict.fromkeys(("PROMPT", "提示词"), "deploy"),
    **dict.fromkeys(("CALL", "调用"), "ls"),
    **dict.fromkeys(("SESSION", "会话"), "s"),
    **dict.fromkeys(("COMMAND", "命令"), "status"),
    **dict.fromkeys(("DIR", "目录"), "."),
    "URL": "https://api.example.com",
}


def _sessions():
    seen = set()  # what both languages show is run once
    for document in DOCUMENTS:
        text = document.read_text("utf-8")
        for found in _BLOCK.finditer(text):
            line = text[: found.start()].count("\n") + 2
            if found[1] in seen:
                continue
            seen.add(found[1])
            yield pytest.param(found[1], ".zh-CN." in document.name, id=f"{document.relative_to(ROOT)}:{line}")


def _steps(block):
    """(command, what it prints) of a console block."""
    steps = []
    for line in block.splitlines():
        if line.startswith("$ "):
            steps.append((line[2:], []))
        else:
            steps[-1][1].append(line)
    return steps


@pytest.fixture(scope="module")
def dev(tmp_path_factory):
    """A person with memdir installed and a project, as the documents tell of them: dev(command) -> (status, output)."""
    base = tmp_path_factory.mktemp("dev").resolve()
    home, shop = base / "home", base / "home" / "shop"
    shop.mkdir(parents=True)
    (home / ".local" / "bin").mkdir(parents=True)
    subprocess.run(["git", "init", "-q", "-b", "main", str(shop)], check=True)
    memory = Memory(home, shop)
    body = (
        "Staging deploys only happen on Tuesdays.\n\n**Why:** the shared database is rebuilt on Mondays.\n"
        "**How to apply:** refuse to deploy to staging on another day; ask first."
    )
    memory.topic("staging-deploys", "Staging deploys only happen on Tuesdays", body)
    memory.topic("backup-before-deploy", "部署前先备份数据库", "用 pg_dump。", type="feedback")
    memory.index(
        "- [Staging deploys](project_staging_deploys.md) — Tuesdays only",
        "- [部署前备份](feedback_backup_before_deploy.md) — 用 pg_dump",
    )
    (shop / "src" / "generated").mkdir(parents=True)
    (shop / "src" / "generated" / "client.ts").write_text("export {}\n")
    header = (
        'paths: ["src/generated/**"]\nprotect: ["src/generated/**"]\nexamples:\n'
        '  deny: ["Edit(src/generated/client.ts)", "sed -i s/v1/v2/ src/generated/client.ts"]\n'
        '  allow: ["cat src/generated/client.ts", make generate]'
    )
    installer = Installer(home, base)
    installer.env |= {"PATH": f"{home}/.local/bin:{installer.path}", "CLAUDE_PROJECT_DIR": str(shop)}
    checkout = copy_plugin(base / "memdir")
    installer.install(checkout)

    def run(command, *, chinese=False):
        write_rule(shop, "generated", header, _RULE_ZH if chinese else _RULE)
        done = installer.run("/bin/sh", "-c", command, cwd=checkout if "install.sh" in command else shop)
        return done.returncode, (done.stdout + done.stderr).replace(str(home), HOME)

    for call in (
        "rm -rf src/generated",
        "curl -H 'Authorization: Bearer ghp_0123456789abcdefghijABCDEFGHIJ012345' https://api.example.com"
        " -o src/generated/client.ts",
    ):
        payload = {"session_id": "0f3c9a21-0000-4000-8000-000000000000", "cwd": str(shop), "tool_name": "Bash"}
        line = json.dumps(payload | {"hook_event_name": "PreToolUse", "tool_input": {"command": call}})
        run(f"printf '%s\\n' {shlex.quote(line)} | ~/.claude/memdir/app/hooks/py pre_tool_use")
    return run


@pytest.mark.parametrize(("block", "chinese"), list(_sessions()))
def test_a_command_prints_what_is_shown(dev, block, chinese):
    for command, shown in _steps(block):
        code, printed = dev(command, chinese=chinese)
        assert code == 0, f"{command}: {printed}"
        assert "Traceback" not in printed
        if shown:
            assert _matches(shown, printed.rstrip("\n").splitlines()), f"$ {command}\n{printed}"


def _matches(shown, printed):
    """Whether lines are as shown. `…` alone on a line stands for any number of lines; times and sessions may differ."""
    pattern = "".join([".*" if line.strip() == "…" else re.escape(_timeless(line)) + "\n" for line in shown])
    return re.fullmatch(pattern, "".join([_timeless(line) + "\n" for line in printed]), re.DOTALL) is not None


def _timeless(line):
    return _WHEN.sub("TIME", line)


def _mentions():
    found = {}
    for document in DOCUMENTS:
        text = _ANY_BLOCK.sub("", document.read_text("utf-8"))
        for words in (*_INLINE.findall(text), *_INDENTED.findall(text)):
            found.setdefault(words.strip(), str(document.relative_to(ROOT)))
    return [pytest.param(words, id=words) for words in sorted(found)]


@pytest.mark.parametrize("words", _mentions())
def test_a_command_that_is_mentioned_exists(dev, words):
    """It is parsed as the command line parses it, with something in the place of what the reader puts in."""
    words = re.sub(r"^\./install\.sh", "memdir install", words)  # which hands its options on to that
    given = [_STAND_INS.get(word, word) for word in shlex.split(words.replace("…", "x"))[1:]]
    if given == ["x"]:
        return
    program = (
        "import sys, argparse, importlib; sys.path.insert(0, sys.argv[1]); from memdir_cli import main\n"
        "name, *rest = sys.argv[2:]\n"
        "if name.startswith('-'): sys.exit(main.main([name, *rest]))\n"
        "if '--help' in rest: sys.exit(main.main([name, *rest]))\n"
        "assert name in main.COMMANDS, name\n"
        "parser = argparse.ArgumentParser(); importlib.import_module('memdir_cli.' + name).add_arguments(parser)\n"
        "if rest: parser.parse_args(rest)\n"  # a command that wants one of its own may be named alone
    )
    command = [running_python(), "-I", "-S", "-c", program, str(ROOT / "lib"), *given]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ, check=False)
    assert done.returncode == 0, done.stderr


def _links():
    for document in DOCUMENTS:
        for target in sorted(set(re.findall(r"\]\(([^)\s]+)\)", _ANY_BLOCK.sub("", document.read_text("utf-8"))))):
            if not re.match(r"[a-z]+:", target):
                yield pytest.param(document, target, id=f"{document.relative_to(ROOT)} {target}")


@pytest.mark.parametrize(("document", "target"), list(_links()))
def test_a_link_leads_somewhere(document, target):
    file, _, anchor = target.partition("#")
    path = (document.parent / file) if file else document
    assert path.exists()
    if anchor:
        headings = re.findall(r"(?m)^#+ (.+)$", Path(path).read_text("utf-8"))
        assert anchor in [_anchor(heading) for heading in headings]


def _anchor(heading):
    """As GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
