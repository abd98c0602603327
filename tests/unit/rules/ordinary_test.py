"""The ordinary commands before every guard, patterns, protected paths and requirements at once, in a project."""

import re
import subprocess

import pytest

from support.checkout import ROOT
from support.rules import ordinary_commands, stopped_commands, write_rule

FILES = """.env .env.example .github/workflows/ci.yml CHANGELOG.md Cargo.lock Cargo.toml Dockerfile Makefile README.md
VERSION config.ini config/default.yml data.csv dist/app.js docker-compose.yml docs/notes.md go.mod go.sum k8s/web.yaml
manage.py migrations/001_init.sql migrations/002_orders.sql package-lock.json package.json packages/core/package.json
poetry.lock public/index.html pyproject.toml scripts/build.sh scripts/dev.sh src/app.py src/cart.ts src/generated/api.ts
src/index.ts tests/cart.test.ts tests/test_cart.py tsconfig.json values.yaml vendor/lib.js yarn.lock"""
HEADER = r"""
deny:
  - no-recursive-delete
  - no-force-push
  - no-discard-changes
  - no-secrets-read
  - no-pipe-to-shell
  - no-skip-hooks
  - "no-content(: any in src/**/*.ts)"
  - "no-content(/console\\.log/ in src/cart.ts)"
  - Bash(npm publish *)
  - Bash(git push origin main)
  - Bash(docker system prune *)
  - Bash(terraform apply *)
  - Bash(terraform destroy *)
  - Bash(kubectl delete *)
  - Bash(dropdb *)
  - Bash(aws s3 rm *)
  - Bash(chmod 777 *)
  - Edit(src/generated/**)
  - Read(private/**)
  - WebFetch(domain:internal.example.com)
  - mcp__db__drop*
ask: [Bash(gh pr merge *), Bash(helm uninstall *), Bash(sudo reboot *)]
protect: ["migrations/**", "*.lock", package-lock.json, ".env*", "dist/**", "src/generated/**", go.sum]
require: [Bash(gh release create *) after Bash(npm test), Stop after Bash(npm test)]
""".strip()
DOCUMENTED = re.compile(
    r"([\d,]+) are ordinary;.{1,250}?, (\d+) are denied and (\d+) asked about \((\d\.\d+) %\).+? other (\d+) do"
)


@pytest.fixture
def shop(project):
    """A project under way: committed files, some of them protected, and what git ignores."""
    for name in FILES.split():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text("x\n")
    (project / ".gitignore").write_text("node_modules/\ndist/\n.env\n")
    who = ["-c", "user.name=Ana", "-c", "user.email=ana@example.com"]
    subprocess.run(["git", "add", "."], cwd=project, check=True)
    subprocess.run(["git", *who, "commit", "-q", "-m", "Begin"], cwd=project, check=True)
    (project / "node_modules" / "react").mkdir(parents=True)
    (project / "node_modules" / "react" / "index.js").write_text("")
    write_rule(project, "policy", HEADER, "As agreed.")
    return project


def test_ordinary_commands_are_left_alone(shop, judge):
    found = {text: judge("Bash", {"command": text}) for text in ordinary_commands()}
    denied = {text: judgement.reason for text, judgement in found.items() if judgement.decision == "deny"}
    asked = {text: judgement.reason for text, judgement in found.items() if judgement.decision == "ask"}
    apart = len(stopped_commands())
    percent = 100 * len(asked) / len(found)
    print(f"{len(found)} commands, {len(denied)} denied, {len(asked)} asked about ({percent:.2f} %), {apart} apart")
    print("\n".join([f"ask: {text}\n     {reason}" for text, reason in asked.items()]))
    assert denied == {}
    assert len(found) > 1_300 and percent < 0.5 and apart < 0.03 * len(found)
    told = DOCUMENTED.search(" ".join((ROOT / "docs" / "rules.md").read_text("utf-8").split()))
    assert told and told.groups() == (f"{len(found):,}", "0", str(len(asked)), f"{percent:.2f}", str(apart))


@pytest.mark.parametrize(("entry", "command"), stopped_commands(), ids=lambda value: value[:60])
def test_a_command_that_does_what_a_rule_is_for_is_stopped(shop, judge, entry, command):
    judgement = judge("Bash", {"command": command})
    assert judgement.decision in ("deny", "ask")
    assert judgement.name == entry
