"""install.sh and the real client: what it registered works, once, beside the plugin too, and its end hurts nobody."""

import json
import shutil

import pytest

from e2e.interactive import drive
from memdir import delivery, store
from support.checkout import copy_plugin
from support.memory import project_key
from support.rules import write_rule

pytestmark = pytest.mark.e2e

PROMPT = "when do staging deploys happen?"
BODY = "BODY-STAGING"
SAID = "Please remember that the sandbox database is wiped every Sunday."
FACT = "the sandbox database is wiped every Sunday"
WORK_S = 30  # for the worker that a run leaves behind
OFF = {"autoMemoryEnabled": False}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """What a person has cloned, in a path with a blank and a non-ASCII letter: running it writes bytecode."""
    return copy_plugin(tmp_path_factory.mktemp("clone") / "my checkout é" / "memdir")


@pytest.fixture
def install(client, checkout):
    """install(...) runs install.sh as a person would, without packages and demonstration."""

    def run(*args, env=None):
        command = ["/bin/sh", str(checkout / "install.sh"), "--no-venv", "--no-demo", *args]
        done = client.execute(command, env=env)
        assert done.rc == 0, done.report()
        return done

    return run


@pytest.fixture
def uninstall(client, home):
    def run(*args):
        done = client.execute([str(home / ".claude" / "memdir" / "app" / "bin" / "memdir"), "uninstall", *args])
        assert done.rc == 0, done.report()
        return done

    return run


@pytest.fixture
def topic(memory):
    memory.topic("staging-deploys", "Staging deploys only happen on Tuesdays", f"Never on Fridays. {BODY}")
    memory.file("MEMORY.md", "- [Staging](project_staging_deploys.md) — INDEX-LINE\n")
    return memory


@pytest.fixture
def log(home):
    """log() names the hooks that ran since it was asked last."""
    path = home / ".local" / "state" / "memdir" / "log.jsonl"

    def read():
        lines = path.read_text().splitlines() if path.exists() else []
        new = [json.loads(line)["hook"] for line in lines[len(seen) :]]
        seen.extend(new)
        return sorted(new)

    seen = []
    return read


def _with_plugin(client):
    assert client.cli("plugin", "marketplace", "add", str(client.plugin)).rc == 0
    done = client.cli("plugin", "install", "memdir@memdir")
    assert done.rc == 0, done.report()


def _session(client, *commands, prompt="go on", **options):
    """A session without any plugin directory, in which the model runs these commands; whether each was refused."""
    turns = [{"tool": "Bash", "input": {"command": command, "description": "d"}} for command in commands]
    result = client.run(
        prompt,
        scenario={"turns": [*turns, {"text": "done"}]},
        args=["--dangerously-skip-permissions"],
        env={"IS_SANDBOX": "1", **options.pop("env", {})},
        plugins=[],
        **options,
    )
    assert result.rc == 0, result.report()
    return result


def _answers(result):
    """What the model was told about its calls: (text, whether as an error)."""
    return [
        (json.dumps(block["content"], ensure_ascii=False), block.get("is_error", False))
        for message in result.main[-1].body["messages"]
        if message["role"] == "user" and isinstance(message["content"], list)
        for block in message["content"]
        if block["type"] == "tool_result"
    ]


def _delivered(result):
    """How often the topic is in the first request."""
    assert result.rc == 0, result.report()
    return result.main[0].text.count(BODY)


def _topics(memory):
    return [path.read_text() for path in sorted(memory.dir.glob("*.md")) if path.name != store.INDEX]


def test_after_one_command_a_memory_is_delivered(client, install, topic):
    install()
    assert _delivered(client.run(PROMPT, plugins=[])) == 1


def test_a_hard_rule_denies(client, install, project):
    (project / "victim").mkdir()
    write_rule(project, "policy", "deny: [no-recursive-delete]", "As agreed.")
    install()
    (denied, is_error), (_, failed) = _answers(_session(client, "cd . && rm -fr victim", "touch made"))
    assert (is_error, failed) == (True, False)
    assert "As agreed. memdir denied this" in denied
    assert (project / "victim").is_dir()
    assert (project / "made").exists()


def test_what_was_said_is_in_the_next_session(client, install, memory):
    install()
    client.run(SAID, plugins=[], linger_s=WORK_S)
    (topic,) = _topics(memory)
    assert FACT in topic
    text = client.run("when is the sandbox database wiped?", plugins=[]).main[0].text
    assert text.partition(delivery.PROVENANCE)[2].count(FACT) == 1


@pytest.mark.parametrize("how", ["copy", "link"])
def test_with_the_plugin_too_everything_happens_once(client, checkout, install, topic, log, home, project, how):
    client.plugin = checkout
    _with_plugin(client)
    settings = home / ".claude" / "settings.json"
    settings.write_text(json.dumps({**json.loads(settings.read_bytes()), **OFF}))
    install(*["--link"] if how == "link" else [])
    write_rule(project, "policy", "deny: [no-recursive-delete]", "As agreed.")
    log()
    result = _session(client, "touch made", "rm -rf made", prompt=f"{SAID} And {PROMPT}", linger_s=WORK_S)
    text = result.main[0].text
    assert (_delivered(result), text.count("INDEX-LINE"), text.count(delivery.PROVENANCE)) == (1, 1, 2)
    assert [is_error for _, is_error in _answers(result)] == [False, True]
    assert len(_topics(topic)) == 2
    ran = [name for name in log() if name != "pre_tool_use"]
    once = ["session_end", "session_start", "session_start", "session_start", "stop", "user_prompt_submit", "worker"]
    assert [name for name in ran if name != "post_tool_use"] == once
    assert not list((home / ".local" / "state" / "memdir" / "queue").glob("*/*.json"))


def test_once_it_is_uninstalled_the_plugin_works_again(client, install, uninstall, topic):
    _with_plugin(client)
    install()
    assert _delivered(client.run(PROMPT, plugins=[])) == 1
    uninstall()
    assert _delivered(client.run(PROMPT, plugins=[])) == 1
    assert client.cli("plugin", "uninstall", "memdir@memdir").rc == 0
    assert _delivered(client.run(PROMPT, plugins=[])) == 0


def test_settings_that_lost_our_hooks_leave_the_work_to_the_plugin(client, install, topic, home):
    _with_plugin(client)
    install()
    path = home / ".claude" / "settings.json"
    settings = json.loads(path.read_bytes())
    path.write_text(json.dumps({key: value for key, value in settings.items() if key != "hooks"}))
    assert _delivered(client.run(PROMPT, plugins=[])) == 1


def test_a_session_that_does_not_read_the_settings_has_the_plugin_s_hooks(client, install, topic):
    install()
    assert _delivered(client.run(PROMPT, args=["--setting-sources", "project,local"])) == 1


def test_an_upgrade_under_a_session_blocks_nothing(client, install, checkout, project):
    write_rule(project, "policy", "deny: [no-recursive-delete]", "As agreed.")
    install()
    again = f"/bin/sh '{checkout}/install.sh' --no-venv --no-demo"
    result = _session(client, f"{again} >out 2>&1", "touch made", f"{again} >>out 2>&1; touch again", "rm -rf made")
    (_, first), (_, second), (_, third), (text, fourth) = _answers(result)
    assert (first, second, third, fourth) == (False, False, False, True), (project / "out").read_text()
    assert "As agreed." in text
    assert (project / "made").exists()
    assert (project / "again").exists()


def test_uninstalled_under_a_session_it_blocks_nothing(client, install, project, home):
    """The client reads changed settings anew after a second or two; so long the launcher has to be there."""
    write_rule(project, "policy", "deny: [no-recursive-delete]", "As agreed.")
    install()
    memdir = f"'{home}/.claude/memdir/app/bin/memdir' uninstall >out 2>&1"
    result = _session(client, "mkdir victim", memdir, "touch made", "rm -rf victim")
    assert [is_error for _, is_error in _answers(result)] == [False] * 4, _answers(result)
    assert (project / "made").exists()
    assert not (project / "victim").exists()
    assert not (home / ".claude" / "memdir").exists(), (project / "out").read_text()
    assert "hook error" not in result.stdout + result.stderr


FOREIGN = {"hooks": [{"type": "command", "command": 'touch "$HOME/foreign-ran"'}]}
SETTINGS = {
    "byte order mark, carriage returns, tabs": lambda text: (
        b"\xef\xbb\xbf" + text.replace("  ", "\t").replace("\n", "\r\n").encode()
    ),
    "one line": lambda text: json.dumps(json.loads(text)).encode(),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_the_client_accepts_the_settings_with_what_was_in_them(client, install, uninstall, topic, home, tmp_path, name):
    document = {
        "companyAnnouncements": ["größe 记忆 👋"],
        "env": {"SEEN": "größe"},
        "hooks": {"UserPromptSubmit": [FOREIGN]},
    }
    before = SETTINGS[name](json.dumps(document, indent=2, ensure_ascii=False) + "\n")
    (tmp_path / "dotfiles.json").write_bytes(before)
    (home / ".claude" / "settings.json").symlink_to(tmp_path / "dotfiles.json")
    install()
    result = _session(client, 'printf %s "$SEEN" >seen', prompt=PROMPT)
    assert _delivered(result) == 1
    assert (home / "foreign-ran").exists()
    assert (result.project / "seen").read_text() == "größe"
    assert (home / ".claude" / "settings.json").is_symlink()
    uninstall()
    assert (tmp_path / "dotfiles.json").read_bytes() == before


@pytest.fixture
def profile(tmp_path, project):
    """profile(name) makes a configuration directory with a memory of the project; its environment."""

    def make(name):
        folder = tmp_path / "profiles" / name / "projects" / project_key(project) / "memory"
        folder.mkdir(parents=True)
        header = "name: staging\ndescription: Staging deploys only happen on Tuesdays\nmetadata:\n  type: project\n"
        (folder / "project_staging.md").write_text(f"---\n{header}---\n\nNever on Fridays. {BODY}\n")
        return {"CLAUDE_CONFIG_DIR": str(tmp_path / "profiles" / name)}

    return make


@pytest.mark.parametrize("name", ["O'Brien größe (1)", "a$b `id`;x"])
def test_its_hooks_run_from_any_configuration_directory(client, install, project, profile, log, name):
    env = profile(name)
    write_rule(project, "policy", "deny: [no-recursive-delete]", "As agreed.")
    install(env=env)
    result = _session(client, "rm -rf x", prompt=PROMPT, env=env)
    assert _delivered(result) == 1
    assert "As agreed." in _answers(result)[0][0]
    assert {"session_start", "user_prompt_submit", "pre_tool_use", "stop", "session_end"} <= set(log())


def test_a_session_without_a_home_directory_has_them_too(client, install, project, profile, log):
    env = profile("service")
    write_rule(project, "policy", "deny: [no-recursive-delete]", "As agreed.")
    install(env=env)
    result = _session(client, "rm -rf x", prompt=PROMPT, env={**env, "HOME": ""}, linger_s=WORK_S)
    assert _delivered(result) == 1
    assert "As agreed." in _answers(result)[0][0]
    assert {"stop", "worker"} <= set(log())  # the state directory is on record


def test_two_profiles_have_memories_of_their_own(client, install, project, tmp_path):
    profiles = [{"CLAUDE_CONFIG_DIR": str(tmp_path / name)} for name in ("work", "private")]
    for env in profiles:
        install(env=env)
    client.run(SAID, plugins=[], env=profiles[0], linger_s=WORK_S)
    question = "when is the sandbox database wiped?"
    found = [FACT in client.run(question, plugins=[], env=env).main[0].text for env in profiles]
    assert found == [True, False]
    assert (
        client.execute(
            [str(tmp_path / "work" / "memdir" / "app" / "bin" / "memdir"), "uninstall", "--purge"], env=profiles[0]
        ).rc
        == 0
    )
    client.run(SAID, plugins=[], env=profiles[1], linger_s=WORK_S)
    assert FACT in client.run(question, plugins=[], env=profiles[1]).main[0].text


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux, which types for us, is not installed")
def test_in_the_terminal_interface_as_well(client, install, topic, home):
    install()
    client.plugin = home / "no-plugin"
    client.plugin.mkdir()
    steps = [["wait", "❯", 30], ["send", PROMPT], ["wait", "It works", 30], ["send", "/exit"], ["ended", 30]]
    result = drive(client, steps, scenario={"turns": [{"text": "It works."}]})
    assert _delivered(result) == 1


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux, which types for us, is not installed")
def test_uninstalled_under_a_session_in_the_terminal_it_blocks_nothing(client, install, project, home):
    install()
    client.plugin = home / "no-plugin"
    client.plugin.mkdir()
    memdir = f"'{home}/.claude/memdir/app/bin/memdir' uninstall >out 2>&1"
    turns = [{"tool": "Bash", "input": {"command": command, "description": "d"}} for command in (memdir, "touch made")]
    steps = [["wait", "❯", 30], ["send", "go on"], ["wait", "It is done", 60], ["send", "/exit"], ["ended", 30]]
    scenario = {"turns": [*turns, {"text": "It is done."}]}
    options = ("--permission-mode", "default", "--allowedTools", "Bash")
    result = drive(client, steps, *options, scenario=scenario)
    assert result.rc == 0, result.report()
    assert not (home / ".claude" / "memdir").exists(), (project / "out").read_text()
    assert (project / "made").exists(), result.report()
    assert "hook error" not in result.stdout
