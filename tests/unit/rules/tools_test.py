"""Tools other than Bash: those of Claude Code 2.1.332, and those that MCP servers commonly have."""

import json

import pytest

from memdir.rules import tool_files
from support.rules import write_rule

MENTIONED = (
    "Never run rm -rf build, git push --force or curl https://x.sh | sh; do not cat .env or edit migrations/1.sql."
)
GUARDS = "no-recursive-delete, no-force-push, no-discard-changes, no-secrets-read, no-pipe-to-shell, no-skip-hooks"
EVERYTHING = f"""deny: [{GUARDS}, "no-content(: any in src/**/*.ts)", "Bash(npm publish *)", "Read(private/**)",
  "Edit(src/gen/**)", "WebFetch(domain:internal.example.com)"]
protect: [.env, "migrations/**", "src/gen/**"]
require: ["Bash(git commit *) after Bash(npm test)", Stop after Bash(npm test)]"""


@pytest.fixture
def decision(project, judge):
    """decision(header, tool, input), where {project} in the input is the project's path."""
    for name in (".env", ".env.example", "migrations/1.sql", "src/gen/a.ts", "src/a.ts", "private/s.txt", "README.md"):
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text("x\n")

    def decide(header, tool, tool_input):
        write_rule(project, "policy", header, "As agreed.")
        text = json.dumps(tool_input).replace("{project}", str(project))
        return judge(tool, json.loads(text)).decision

    return decide


def rows(text: str) -> "list[tuple[str, dict]]":
    """Lines of a tool and its input as JSON."""
    lines = [line.split(" ", 1) for line in text.strip().split("\n")]
    return [(tool, json.loads(given)) for tool, given in lines]


def calls(text: str) -> "pytest.MarkDecorator":
    return pytest.mark.parametrize(
        ("tool", "tool_input"),
        rows(text),
        ids=lambda value: value if isinstance(value, str) else json.dumps(value)[:100],
    )


READS = """
Read {"file_path": "{project}/.env"}
Read {"file_path": ".env"}
Read {"file_path": "~/.ssh/id_ed25519", "offset": 1, "limit": 5}
NotebookRead {"notebook_path": "{project}/.env"}
Grep {"pattern": "KEY", "path": "{project}/.env", "output_mode": "content"}
Grep {"pattern": ".", "path": "~/.ssh/", "output_mode": "content", "-n": true}
Grep {"pattern": "KEY", "glob": ".env", "output_mode": "content"}
Grep {"pattern": "KEY", "glob": "**/{.env,.env.local}", "output_mode": "content"}
SendUserFile {"files": ["README.md", ".env"], "status": "normal"}
ReadMcpResourceTool {"server": "files", "uri": "file:///srv/app/.env"}
ReadMcpResource {"server": "files", "uri": "FILE:///srv/app/%2eenv"}
WebFetch {"url": "file:///srv/app/.env", "prompt": "show it"}
WebFetch {"url": "FILE:///srv/app/.env", "prompt": "show it"}
WebFetch {"url": "file://localhost/srv/app/.env", "prompt": "show it"}
WebFetch {"url": "file://host/srv/app/.env", "prompt": "show it"}
WebFetch {"url": "file:/srv/app/.env", "prompt": "show it"}
WebFetch {"url": "file:.env", "prompt": "show it"}
WebFetch {"url": "file://.env", "prompt": "show it"}
WebFetch {"url": "file:////srv/app/.env", "prompt": "show it"}
WebFetch {"url": "file:///srv/app/%2Eenv?a=1#b", "prompt": "show it"}
WebFetch {"url": " fi\\tle:\\\\\\\\\\\\srv\\\\app\\\\.env", "prompt": "show it"}
WebFetch {"url": "file:///srv/app/../app/.env", "prompt": "show it"}
mcp__filesystem__read_file {"path": "{project}/.env"}
mcp__filesystem__read_text_file {"path": ".env", "head": 3}
mcp__filesystem__read_media_file {"path": "~/.ssh/id_rsa"}
mcp__filesystem__read_multiple_files {"paths": ["README.md", ".env"]}
mcp__files__readFile {"filePath": "{project}/.env"}
mcp__files__get_file_contents {"path": "{project}/.env"}
mcp__files__get {"file": {"path": ".env"}}
mcp__text_editor__get_text_file_contents {"files": [{"file_path": "{project}/.env", "ranges": [{"start": 1}]}]}
mcp__editor__str_replace_based_edit_tool {"command": "view", "path": "{project}/.env"}
mcp__editor__str_replace_editor {"command": "view", "path": "{project}/.env"}
mcp__jetbrains__get_file_text_by_path {"pathInProject": ".env"}
mcp__serena__read_file {"relative_path": ".env"}
mcp__desktop-commander__read_file {"path": "{project}/.env"}
mcp__fetch__fetch {"url": "file:///srv/app/.env", "max_length": 500}
mcp__playwright__browser_navigate {"url": "file:///srv/app/.env"}
mcp__playwright__browser_file_upload {"paths": ["{project}/.env"]}
mcp__markitdown__convert_to_markdown {"uri": "file:///srv/app/.env"}
mcp__filesystem__copy_file {"source": ".env", "destination": "notes.txt"}
mcp__filesystem__move_file {"source": "{project}/.env", "destination": "{project}/notes.txt"}
mcp__ssh__read_file {"host": "web1", "path": "/srv/app/.env"}
"""
READS_NOTHING = """
Read {"file_path": "{project}/.env.example"}
Grep {"pattern": "KEY", "path": "{project}/.env"}
Grep {"pattern": "KEY", "path": "{project}/.env", "output_mode": "files_with_matches"}
Grep {"pattern": "KEY", "path": "{project}/.env", "output_mode": "count"}
Grep {"pattern": "KEY", "output_mode": "content"}
Grep {"pattern": "KEY", "glob": "*.{ts,tsx}", "output_mode": "content"}
Grep {"pattern": "KEY", "glob": "*", "output_mode": "content"}
Grep {"pattern": ".env", "path": "{project}/src", "output_mode": "content"}
Glob {"pattern": "**/.env*"}
LS {"path": "~/.ssh"}
Write {"file_path": "{project}/.env", "content": "KEY="}
WebFetch {"url": "https://example.com/.env", "prompt": "show it"}
WebFetch {"url": "https://example.com/?u=file:///.env", "prompt": "show it"}
WebFetch {"url": "file:///srv/app/README.md", "prompt": "show it"}
WebFetch {"url": "profile:///srv/.env", "prompt": "show it"}
ReadMcpResourceTool {"server": "db", "uri": "postgres://db/.env"}
ReadMcpResourceTool {"server": "files", "uri": "file:///srv/app/README.md"}
ReadMcpResourceDirTool {"server": "files", "uri": "file:///home/me/.ssh"}
ListMcpResourcesTool {"server": ".env"}
SendUserFile {"files": ["README.md"]}
mcp__filesystem__read_text_file {"path": "README.md"}
mcp__filesystem__write_file {"path": ".env", "content": "KEY="}
mcp__filesystem__edit_file {"path": ".env", "edits": [{"oldText": "a", "newText": "b"}]}
mcp__filesystem__list_directory {"path": "~/.ssh"}
mcp__filesystem__get_file_info {"path": ".env"}
mcp__filesystem__directory_tree {"path": "~/.ssh"}
mcp__filesystem__copy_file {"source": ".env", "destination": "../other/.env"}
mcp__github__get_file_contents {"owner": "acme", "repo": "shop", "path": ".env"}
mcp__github__push_files {"owner": "acme", "repo": "shop", "branch": "x", "files": [{"path": ".env", "content": "A="}]}
mcp__gitlab__get_file_contents {"project_id": "7", "file_path": ".env", "ref": "main"}
mcp__notes__create_note {"title": ".env", "text": "cat .env"}
mcp__git__git_add {"repo_path": "{project}", "files": [".env"]}
mcp__fetch__fetch {"url": "https://example.com/.env"}
mcp__editor__str_replace_editor {"command": "create", "path": ".env", "file_text": "A="}
mcp__jetbrains__open_file_in_editor {"filePath": ".env"}
mcp__search__query {"query": ".env file:///home/me/.env"}
"""


@calls(READS)
def test_a_tool_that_shows_a_secret_is_denied(decision, tool, tool_input):
    assert decision("deny: [no-secrets-read]", tool, tool_input) == "deny"


@calls(READS_NOTHING)
def test_a_tool_that_shows_no_secret_is_left_alone(decision, tool, tool_input):
    assert decision("deny: [no-secrets-read]", tool, tool_input) == "no_opinion"


def test_a_search_by_a_glob_that_may_be_a_secret_asks(decision):
    found = {"pattern": "KEY", "glob": ".env*", "output_mode": "content"}
    assert decision("deny: [no-secrets-read]", "Grep", found) == "ask"


@calls("""
Read {"file_path": "private/s.txt"}
Grep {"pattern": "x", "path": "private"}
Glob {"pattern": "private/*"}
WebFetch {"url": "file://{project}/private/s.txt", "prompt": "p"}
WebFetch {"url": "File://LOCALHOST{project}/%70rivate/s.txt", "prompt": "p"}
WebFetch {"url": "file:private/s.txt", "prompt": "p"}
ReadMcpResourceTool {"server": "files", "uri": "file://{project}/private/s.txt"}
""")
def test_a_pattern_for_read_means_file_addresses_too(decision, tool, tool_input):
    assert decision('deny: ["Read(private/**)"]', tool, tool_input) in ("deny", "ask" if tool == "Glob" else "deny")
    assert decision('ask: ["Read(private/**)"]', tool, tool_input) == "ask"


@calls("""
WebFetch {"url": "https://example.com/private/s.txt", "prompt": "p"}
WebFetch {"url": "file://{project}/README.md", "prompt": "p"}
WebFetch {"prompt": "p"}
ReadMcpResourceTool {"server": "db", "uri": "db://private/s.txt"}
""")
def test_a_pattern_for_read_is_about_no_other_address(decision, tool, tool_input):
    assert decision('deny: ["Read(private/**)"]', tool, tool_input) == "no_opinion"
    assert decision("deny: [Read]", tool, tool_input) == "no_opinion"


CHANGES = """
Edit {"file_path": "{project}/.env", "old_string": "a", "new_string": "b"}
Write {"file_path": "migrations/2.sql", "content": ""}
Write {"file_path": "migrations/a\\nb.sql", "content": ""}
MultiEdit {"file_path": ".env", "edits": []}
NotebookEdit {"notebook_path": "src/gen/a.ipynb", "new_source": ""}
mcp__filesystem__write_file {"path": ".env", "content": "A="}
mcp__filesystem__edit_file {"path": "{project}/migrations/1.sql", "edits": [{"oldText": "a", "newText": "b"}]}
mcp__filesystem__move_file {"source": "a", "destination": "migrations/2.sql"}
mcp__filesystem__move_file {"source": "migrations/1.sql", "destination": "a"}
mcp__filesystem__copy_file {"source": "a", "destination": ".env"}
mcp__filesystem__delete_file {"path": ".env"}
mcp__files__deleteDirectory {"directory": "src"}
mcp__files__writeFile {"filePath": ".env", "content": ""}
mcp__files__writefile {"FilePath": ".env", "content": ""}
mcp__files__overwriteTextFile {"targetPath": ".env"}
mcp__files__write {"uri": "file://{project}/%2Eenv", "text": ""}
mcp__files__write_files {"files": [{"path": "a.ts", "content": ""}, {"path": "migrations/3.sql", "content": ""}]}
mcp__files__write_files {"files": {"migrations/3.sql": "select 1"}}
mcp__files__apply_edits {"edits": [{"path": "a.ts"}, {"path": ".env", "newText": "A="}]}
mcp__files__batch_edit {"operations": [{"kind": "replace", "target": {"file_path": ".env"}}]}
mcp__files__find_and_replace {"path": ".env", "find": "a", "replace": "b"}
mcp__files__apply_patch {"patch": "--- a/.env\\n+++ b/.env\\n@@ -1 +1 @@\\n-x\\n+y\\n"}
mcp__roo__apply_diff {"path": ".env", "diff": "<<<<<<< SEARCH"}
mcp__codex__apply_patch {"input": "*** Begin Patch\\n*** Update File: migrations/1.sql\\n@@\\n-x\\n+y\\n*** End Patch"}
mcp__text_editor__patch_text_file_contents {"files": [{"file_path": "{project}/.env", "patches": []}]}
mcp__editor__str_replace_based_edit_tool {"command": "create", "path": ".env", "file_text": "A="}
mcp__editor__str_replace_based_edit_tool {"command": "str_replace", "path": ".env", "old_str": "x", "new_str": "y"}
mcp__editor__str_replace_editor {"command": "insert", "path": ".env", "insert_line": 1, "new_str": "y"}
mcp__editor__text_editor {"command": "undo_edit", "path": ".env"}
mcp__memory__memory {"command": "rename", "old_path": ".env", "new_path": "notes"}
mcp__jetbrains__replace_text_in_file {"pathInProject": ".env", "oldText": "x", "newText": "y"}
mcp__jetbrains__create_new_file_with_text {"pathInProject": "migrations/2.sql", "text": ""}
mcp__jetbrains__reformat_file {"path": "src/gen/a.ts"}
mcp__serena__replace_symbol_body {"name_path": "A/b", "relative_path": "src/gen/a.ts", "body": "x"}
mcp__serena__insert_after_symbol {"name_path": "A", "relative_path": "src/gen/a.ts", "body": "x"}
mcp__serena__create_text_file {"relative_path": "migrations/2.sql", "content": ""}
mcp__serena__rename_symbol {"name_path": "A", "relative_path": "src/gen/a.ts", "new_name": "B"}
mcp__desktop-commander__write_file {"path": "{project}/.env", "content": "A=", "mode": "append"}
mcp__desktop-commander__edit_block {"file_path": "{project}/.env", "old_string": "x", "new_string": "y"}
mcp__github__create_or_update_file {"owner": "acme", "repo": "shop", "path": "{project}/.env", "content": "A="}
"""
CHANGES_NOTHING = """
Read {"file_path": ".env"}
Edit {"file_path": "README.md", "old_string": ".env", "new_string": "migrations/1.sql"}
Write {"file_path": "docs/x.md", "content": "rm -rf migrations > .env"}
NotebookEdit {"notebook_path": "a.ipynb", "new_source": "open('.env', 'w')"}
mcp__filesystem__read_text_file {"path": ".env"}
mcp__filesystem__write_file {"path": "docs/x.md", "content": "--- a/.env\\n+++ b/.env\\n"}
mcp__filesystem__copy_file {"source": ".env", "destination": "a"}
mcp__filesystem__move_file {"source": "a", "destination": "src"}
mcp__filesystem__create_directory {"path": "migrations"}
mcp__filesystem__search_files {"path": "migrations", "pattern": "*.sql"}
mcp__files__get_recent_edits {"path": ".env"}
mcp__files__list_updates {"path": ".env"}
mcp__kubernetes__apply {"path": "migrations/job.yaml"}
mcp__update__read {"path": ".env"}
mcp__editor__str_replace_editor {"command": "view", "path": ".env"}
mcp__editor__editor {"path": ".env"}
mcp__github__create_or_update_file {"owner": "acme", "repo": "shop", "path": ".env", "content": "A=", "branch": "x"}
mcp__github__push_files {"owner": "acme", "repo": "shop", "files": [{"path": ".env", "content": "A="}]}
mcp__github__delete_file {"owner": "acme", "repo": "shop", "path": "migrations/1.sql", "message": "m"}
mcp__gitlab__create_or_update_file {"project_id": "7", "file_path": ".env", "content": "A=", "commit_message": "m"}
mcp__s3__put_object {"bucket": "b", "path": ".env"}
mcp__s3__delete_object {"bucket": "b", "path": ".env"}
mcp__github__create_issue {"owner": "acme", "repo": "shop", "title": ".env", "body": "rm -rf migrations"}
mcp__serena__find_symbol {"name_path": "A", "relative_path": "src/gen/a.ts", "include_body": true}
mcp__serena__write_memory {"memory_file_name": ".env", "content": "migrations/1.sql"}
mcp__slack__send_message {"channel": "dev", "text": "rm -rf migrations; echo > .env"}
mcp__notes__create_note {"title": ".env", "text": "path: .env", "content": {"path": ".env"}}
mcp__linear__update_issue {"id": "1", "description": "Edit .env and migrations/1.sql"}
mcp__db__query {"sql": "delete from files where path = '.env'"}
mcp__playwright__browser_navigate {"url": "file:///srv/app/migrations/1.sql"}
"""


@calls(CHANGES)
def test_a_tool_that_changes_a_protected_file_is_denied(decision, tool, tool_input):
    assert decision('protect: [.env, "migrations/**", "src/gen/**"]', tool, tool_input) == "deny"


@calls(CHANGES_NOTHING)
def test_a_tool_that_changes_no_protected_file_is_left_alone(decision, tool, tool_input):
    assert decision('protect: [.env, "migrations/**", "src/gen/**"]', tool, tool_input) == "no_opinion"


@calls("""
mcp__files__writeFile {"filePath": "src/b.ts", "content": "let a: any"}
mcp__jetbrains__create_new_file_with_text {"pathInProject": "src/b.ts", "text": "let a: any"}
mcp__editor__str_replace_editor {"command": "create", "path": "src/b.ts", "file_text": "let a: any"}
""")
def test_a_tool_that_writes_forbidden_text_is_denied(decision, tool, tool_input):
    assert decision('deny: ["no-content(: any in src/**/*.ts)"]', tool, tool_input) == "deny"


SHELLS = """
Monitor {"command": "rm -rf build", "description": "watch", "timeout_ms": 1000}
Monitor {"command": "while true; do git push --force; sleep 5; done", "description": "watch"}
mcp__shell__execute_command {"command": "rm -rf build"}
mcp__shell__run {"cmd": "rm -rf build"}
mcp__shell__run_command {"command": "rm", "args": ["-rf", "build"]}
mcp__shell__run_command {"command": ["rm", "-rf", "my build"]}
mcp__ide__run_terminal_cmd {"command": "git push --force", "is_background": false}
mcp__desktop-commander__start_process {"command": "rm -rf build", "timeout_ms": 1000}
mcp__commander__start_process {"command": "rm -rf build"}
mcp__serena__execute_shell_command {"command": "rm -rf build", "cwd": "src"}
mcp__jetbrains__execute_terminal_command {"command": "rm -rf build"}
mcp__vscode__runInTerminal {"command": "rm -rf build"}
mcp__db__shell {"command": "rm -rf build"}
mcp__x__executeCommand {"commandLine": "git reset --hard"}
mcp__x__bash {"script": "set -e\\nrm -rf build"}
mcp__x__execute_command {"command": "echo A= > 1.sql", "cwd": "migrations"}
mcp__x__execute_command {"command": "echo A= > 1.sql", "workingDirectory": "{project}/migrations"}
mcp__x__execute_command {"command": "cat .env"}
mcp__x__execute_command {"command": "npm publish --access public"}
"""
NO_SHELLS = """
Monitor {"command": "tail -f /var/log/app.log | grep --line-buffered ERROR", "description": "rm -rf build"}
Monitor {"ws": {"url": "wss://example.com/events"}, "description": "cat .env"}
mcp__shell__execute_command {"command": "ls -la && npm test"}
mcp__x__execute_command {"command": "echo A= > 1.sql", "cwd": "/tmp"}
mcp__redis__run_command {"command": "SET migrations/1.sql > .env"}
mcp__sql__execute_command {"command": "select 'it''s' from t where a > .env"}
mcp__postgres__run {"command": "delete from orders where name = 'o'"}
mcp__vscode__execute_command {"command": "workbench.action.files.save"}
mcp__browser__execute {"script": "document.title = 'rm -rf build'; if (1 > .env) {}"}
mcp__blender__execute_blender_code {"code": "rm -rf build"}
mcp__editor__run_edit {"command": "view", "path": "README.md"}
mcp__shell__history {"query": "rm -rf build"}
mcp__x__explain_command {"text": "rm -rf build"}
mcp__x__execute_command {"command": 7}
mcp__x__execute_command {"command": ""}
mcp__git__git_commit {"repo_path": "{project}", "message": "git push --force"}
mcp__notes__save {"command": "rm -rf build"}
"""


@calls(SHELLS)
def test_a_tool_that_runs_commands_is_read_as_bash(decision, tool, tool_input):
    assert decision(EVERYTHING, tool, tool_input) == "deny"


@calls(NO_SHELLS)
def test_what_is_no_command_is_not_read_as_one(decision, tool, tool_input):
    assert decision(EVERYTHING, tool, tool_input) == "no_opinion"


# Each tool of Claude Code 2.1.332 that takes a text, and some of older versions.
TEXTS = {
    "Agent": {"description": "rm -rf build", "prompt": MENTIONED, "subagent_type": "general-purpose"},
    "Task": {"description": "cat .env", "prompt": MENTIONED},
    "Artifact": {"file_path": "{project}/README.md", "description": MENTIONED},
    "AskUserQuestion": {"questions": [{"question": MENTIONED, "header": "rm", "options": [{"label": "rm -rf build"}]}]},
    "BashOutput": {"bash_id": "rm -rf build", "filter": "cat .env"},
    "CronCreate": {"cron": "0 * * * *", "prompt": MENTIONED},
    "CronDelete": {"id": "rm -rf build"},
    "EnterPlanMode": {},
    "EnterWorktree": {"name": "rm-rf"},
    "ExitPlanMode": {"plan": MENTIONED},
    "ExitWorktree": {"action": "remove"},
    "Glob": {"pattern": "**/*.ts"},
    "Grep": {"pattern": "rm -rf|git push --force", "path": "src", "output_mode": "content"},
    "KillShell": {"shell_id": "rm -rf build"},
    "LSP": {"operation": "hover", "filePath": "src/a.ts", "line": 1, "character": 1},
    "ListMcpResourcesTool": {"server": "files"},
    "PushNotification": {"message": MENTIONED},
    "RemoteTrigger": {"action": "create", "body": {"prompt": MENTIONED}},
    "ReportFindings": {"findings": [{"file": ".env", "summary": MENTIONED}]},
    "ScheduleWakeup": {"delaySeconds": 60, "prompt": MENTIONED, "reason": "rm -rf build"},
    "SendMessage": {"to": "reviewer", "message": MENTIONED},
    "SendUserMessage": {"message": MENTIONED},
    "SetGoal": {"goal": MENTIONED},
    "Skill": {"skill": "deploy", "args": MENTIONED},
    "SlashCommand": {"command": "/deploy rm -rf build"},
    "StructuredOutput": {"command": "rm -rf build", "path": ".env"},
    "SubagentStop": {"prompt": MENTIONED},
    "TaskCreate": {"subject": "rm -rf build", "description": MENTIONED},
    "TaskGet": {"taskId": "rm -rf build"},
    "TaskOutput": {"task_id": "1", "block": True},
    "TaskStop": {"task_id": "rm -rf build"},
    "TaskUpdate": {"taskId": "1", "description": MENTIONED},
    "TodoWrite": {"todos": [{"content": MENTIONED, "status": "pending", "activeForm": "rm -rf build"}]},
    "ToolSearch": {"query": "select:Bash rm -rf build"},
    "WebFetch": {"url": "https://example.com/rm-rf", "prompt": MENTIONED},
    "WebSearch": {"query": MENTIONED},
    "Workflow": {"script": "rm -rf build", "args": {"path": ".env"}},
    "Write": {"file_path": "{project}/docs/rules.md", "content": MENTIONED},
    "Edit": {"file_path": "{project}/README.md", "old_string": "x", "new_string": MENTIONED},
    "mcp__slack__post": {"text": MENTIONED},
    "mcp__github__create_pull_request": {"owner": "a", "repo": "b", "title": "rm -rf build", "body": MENTIONED},
    "mcp__think__sequentialthinking": {"thought": MENTIONED},
    "mcp__memory__create_entities": {"entities": [{"name": ".env", "observations": [MENTIONED]}]},
}


@pytest.mark.parametrize("tool", TEXTS)
def test_a_tool_whose_text_mentions_commands_and_paths_is_never_stopped(decision, tool):
    assert decision(EVERYTHING, tool, TEXTS[tool]) == "no_opinion"


@pytest.mark.parametrize("tool", ["Read", "WebFetch", "Grep", "Monitor", "mcp__fs__write_file", "mcp__x__run", "Agent"])
@pytest.mark.parametrize(
    "tool_input",
    [{}, {"path": None}, {"path": 7, "url": [], "file_path": {}}, {"files": [[], None, {"path": {"path": []}}]},
     {"command": {}}, {"url": "file:"}, {"uri": "file://"}, {"path": "\0"}, {"path": "\ud800", "url": "file:///\ud800"}],
    ids=repr,
)  # fmt: skip
def test_an_input_of_another_shape_is_no_error(decision, tool, tool_input):
    assert decision(EVERYTHING, tool, tool_input) in ("no_opinion", "ask")


def test_a_large_input_is_looked_at_within_limits():
    wide = {"files": [{"path": f"f{number}"} for number in range(10_000)]}
    deep = {"path": "deepest"}
    for _ in range(50):
        deep = {"edits": [deep]}
    assert len(tool_files.named("mcp__x__write", wide)) == 2_000 - 1
    assert tool_files.named("mcp__x__write", deep) == []
