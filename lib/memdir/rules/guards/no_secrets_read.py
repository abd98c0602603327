"""Stops reading `.env`, private keys, credential files and keyrings; arguments are more paths, with blanks between.

Leaves alone: `.env.example`, public keys, `source .env`, `cut -d= -f1 .env`, `grep -q`, `TOKEN=$(gh auth token)
program`.
"""

from memdir.rules import tool_files
from memdir.rules.effects_list import joined
from memdir.rules.finding import ASK, DENY, Finding
from memdir.rules.globs import PathPattern
from memdir.rules.globs import problem as glob_problem
from memdir.rules.options import Options, parse
from memdir.rules.wildcards import alternatives
from memdir.shell.arguments import ANY, NAME, QUESTION, STAR, fits, known, shown, shown_line
from memdir.shell.wrappers import program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from memdir.shell.calls import Call, Machine

# Programs that read files (all of effects.READERS, and what git shows), and those that print secrets.
TOOLS = tool_files.READERS | {"Bash"}
KEYWORDS = frozenset(
    """. ack ag annotate awk base32 base64 bat batcat blame bsdtar bzcat bzip2 bzless cat cat-file cmp code colordiff
    column comm cp csplit curl cut dd diff docker ed egrep emacs ex expand fgrep fmt fold gawk git glow gpg grep gunzip
    gzcat gzip head hexdump hexyl iconv install join jq kubectl less link ln log mapfile mawk micro more most mv nano
    nawk nerdctl nl nvim od open openssl paste perl pico podman pr rev rg rsync ruby scp sdiff sed show shuf sort source
    sponge strings tac tail tar unexpand uniq vi view vim vimdiff w3m wget xdg-open xxd xz xzcat yq zcat zgrep zip
    zless zstd zstdcat
    ansible-vault aws az bw declare doppler env export gcloud gh git-credential heroku keyring oc op pass printenv
    secret-tool security set sops vault""".split()
)

# File names


_NOT_SECRET = frozenset("example sample template dist defaults schema test tests".split())
_KEY_NAMES = frozenset(f"id_{kind}" for kind in "rsa dsa ecdsa ed25519 ecdsa_sk ed25519_sk xmss".split())
_NAMES = frozenset(
    """.netrc _netrc .pgpass .pypirc .git-credentials .vault-token .htpasswd .my.cnf credentials.json
    credentials.tfrc.json secrets.yml secrets.yaml secrets.json secrets.toml .credentials.json
    application_default_credentials.json""".split()
)
_ENDINGS = (".p12", ".pfx", ".p8", ".keystore", ".jks", ".kdbx", ".ppk", ".tfstate", ".tfstate.backup")
_KEY_ENDINGS = (".pem", ".key")
_CERTIFICATES = ("cert", "chain", "public", "pubkey", "bundle", "dhparam", "csr")  # what .pem files hold besides keys
# What lies in a home directory, wherever that is; a slash at the end means all below.
_PLACES = (
    "/.aws/credentials", "/.aws/sso/cache/", "/.config/gcloud/", "/.kube/config", "/.docker/config.json", "/.gnupg/",
    "/.config/gh/hosts.yml", "/.azure/", "/.password-store/", "/.local/share/keyrings/", "/library/keychains/",
    "/.codex/auth.json",
)  # fmt: skip
_SYSTEM = ("/etc/shadow", "/etc/gshadow")
_OPEN = ("config", "authorized_keys", "known_hosts", "known_hosts.old", "environment", "allowed_signers")
_LIKELY = (".env", ".env.local", "id_rsa", "id_ed25519", "private.key", "key.pem")  # what a name with marks may be


def is_secret(path: str, home: str) -> bool:
    """Whether a file with this path holds secrets, by its name and place. Its folders may hold marks."""
    path = path.lower() if path[:1] == "/" else "/" + path.lower()
    folder, _, name = path.rpartition("/")
    if name in _NAMES or name in _KEY_NAMES or name.endswith(_ENDINGS):
        return "/templates" not in folder
    if path in _SYSTEM or (folder[:5] == "/proc" and name == "environ"):
        return True
    if name == ".npmrc" and home and folder == home.lower():
        return True
    if folder.endswith("/.ssh") or "/.ssh/" in folder:
        return name not in _OPEN and not name.endswith(".pub")
    if any([place in path + "/" if place[-1] == "/" else path.endswith(place) for place in _PLACES]):
        return not name.endswith((".conf", ".pub"))
    return _is_environment(name) or _is_key(name, folder) or _is_account(name)


def _is_environment(name: str) -> bool:
    """`.env`, `.env.local`, `prod.env`; not `.env.example`."""
    parts = name.split(".")
    return (name[:5] in (".env", ".env.") or parts[-1] == "env") and _NOT_SECRET.isdisjoint(parts)


def _is_key(name: str, folder: str) -> bool:
    if not name.endswith(_KEY_ENDINGS) or any([word in name for word in _CERTIFICATES]) or name[:2] == "ca":
        return False
    return not {"test", "tests", "testdata", "fixtures", "__tests__"} & set(folder.split("/"))


def _is_account(name: str) -> bool:
    plain = name.replace("_", "-").replace("serviceaccount", "service-account")
    return name.endswith(".json") and plain.startswith(("service-account", "client-secret"))


# Files that are read


class _Secrets:
    """What counts as secret under a rule."""

    def __init__(self, argument: str, base: str, machine: "Machine") -> None:
        self._machine = machine
        self._more = [PathPattern(word, base, machine.home) for word in argument.split() if not glob_problem(word)]

    def decision(self, path: str, *, tree: bool = False) -> str:
        """About reading a path, absolute or as it was written, which may hold marks; all below it if `tree`."""
        machine = self._machine
        name = path.rstrip("/").rsplit("/", 1)[-1]
        if not known(name):
            likely = name.strip(ANY + NAME) != "" and any([fits(name.lower(), text) for text in _LIKELY])
            inside = is_secret(path.rsplit("/", 1)[0] + "/x", machine.home)
            return ASK if (likely and len(name) > 2) or inside or self._added(path) else ""
        whole = path.rstrip("/") + "/x" if tree else path
        if is_secret(whole, machine.home) or self._added(path):
            return DENY
        return DENY if known(path) and path[:1] == "/" and is_secret(machine.real(whole), machine.home) else ""

    def _added(self, path: str) -> bool:
        return path.strip(ANY + NAME) != "" and any([more.matches(path, self._machine) for more in self._more])


def problem(argument: str) -> str:
    found = [glob_problem(word) for word in argument.split()]
    return next((f"no-secrets-read: {sentence}" for sentence in found if sentence), "")


def relevant(calls: "Sequence[Call]") -> "list[Call]":
    """The calls of a line that `judge` is to be asked about."""
    return [call for call in calls if not _is_loaded(call, calls)]


def judge(call: "Call", argument: str, machine: "Machine", *, base: str = "") -> "Finding | None":
    from memdir.rules import effects  # much to load for who only wants to know about a tool or an argument

    if _shows_nothing(call, machine):
        return None
    secrets = _Secrets(argument, base or call.cwd or "/", machine)
    for effect in effects.reads(call, machine):
        decision = secrets.decision(effect.path, tree=effect.tree)
        if decision:
            return _finding(decision if effect.sure else ASK, f"`{shown_line(call.argv)}`", effect.path)
    return None


def _finding(decision: str, who: str, path: str) -> Finding:
    name = path.rsplit("/", 1)[-1]
    instead = "Let the program that needs it read the file itself, or ask the user for what you need to know."
    if name[:4] == ".env":
        instead = "`set -a; . ./.env; set +a` gives a program the values without showing them; the names stand in "
        instead += "`cut -d= -f1 .env`."
    verb = "reads" if decision == DENY else "may read"
    return Finding(decision, f"{who} {verb} {shown(path)}, where secrets are kept", instead)


_COPIES = ("cp", "install", "rsync", "scp", "ln", "link", "mv")
# Programs that use a file without showing what is in it.
_USES = frozenset(
    """source . test [ [[ stat ls wc file chmod chown touch cmp md5sum sha1sum sha256sum sha512sum shasum cksum ssh
    ssh-add ssh-keygen ssh-copy-id docker podman nerdctl docker-compose kubectl helm rm shred gpg""".split()
)


def _shows_nothing(call: "Call", machine: "Machine") -> bool:
    name = program(call.argv)
    options = parse(call.argv[1:], "dfbc" if name == "cut" else "ABCefmdD", "fields delimiter regexp file")
    if name in ("grep", "egrep", "fgrep", "rg"):
        return options.has(*_ONLY_TELLING)
    if name == "cut":
        return options.value("d", "delimiter") == "=" and options.value("f", "fields") == "1"
    if name == "openssl":
        private = options.operands[:1] in (["rsa"], ["pkey"], ["ec"], ["dsa"], ["pkcs12"])
        return not private or "-noout" in call.argv or "-pubout" in call.argv
    if name in _COPIES:
        return _keeps_name(call.argv[-1], call.cwd, machine)
    return name in _USES


def _keeps_name(target: str, cwd: str, machine: "Machine") -> bool:
    """Whether a copy is still known for a secret: in a directory of this machine, such as another work tree."""
    if ":" in target.split("/", 1)[0]:
        return False
    if is_secret(target, "") or target.endswith(("/", "..")) or target in (".", NAME):
        return True
    return known(target) and machine.kind(joined(cwd, target, machine)) == "dir"


# Programs that print a secret


def judge_line(calls: "Sequence[Call]", argument: str, machine: "Machine", *, base: str = "") -> "Finding | None":
    """What is printed counts where it is seen, not where another call of the line takes it."""
    for call in calls:
        if _prints_environment(call) and _is_seen(call, calls, _shows_variables):
            instead = "`printenv NAME` shows one variable, `env | cut -d= -f1` the names."
            sentence = f"`{shown_line(call.argv)}` shows all variables, tokens and passwords among them"
            return Finding(ASK, sentence, instead)
        if _prints_secret(call) and _is_seen(call, calls, _is_filter):
            instead = "Let the program that needs it take it, as in `TOKEN=$(...) program` or `... | program`."
            return Finding(DENY, f"`{shown_line(call.argv)}` shows a secret", instead)
    return None


_FILTERS = frozenset("base64 jq yq cut tr sed awk grep head tail cat tee less more xxd od sort python3 python".split())


def _is_filter(call: "Call") -> bool:
    return program(call.argv) in _FILTERS


def _shows_variables(call: "Call") -> bool:
    """Whether a call that is fed with variables passes on the values of secret ones."""
    name = program(call.argv)
    if name not in ("grep", "egrep", "fgrep", "rg"):
        return name in ("sort", "cat", "tee", "less")
    options = parse(call.argv[1:], "efmABCDd", "regexp file max-count after-context before-context context")
    if options.has(*_ONLY_TELLING):
        return False
    patterns = options.values("e", "regexp") or options.operands[:1]
    speaks = any([word in pattern.lower() for pattern in patterns for word in _SPOKEN])
    if options.has("v", "invert-match"):
        return not speaks  # all but the secrets, or all but a few
    return speaks and not (options.has("o", "only-matching") and all([_is_of_names(one) for one in patterns]))


def _is_of_names(pattern: str) -> bool:
    """Whether what matches ends before the value: `^[A-Z_]*KEY[^=]*`."""
    text = pattern.replace("[^=]", "").rstrip("=")
    return not any([sign in text for sign in (".", "=", "[^", "\\S")])


_SPOKEN = ("key", "token", "secret", "pass", "api", "auth", "cred")
_ONLY_TELLING = ("q", "quiet", "silent", "c", "count", "l", "L", "files-with-matches", "files-without-match")


def _is_seen(call: "Call", calls: "Sequence[Call]", passes_on: "Callable[[Call], bool]") -> bool:
    """Whether what the call prints ends on the screen, passed on by nothing but filters."""
    waiting = [call]
    seen = set()
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        takers = [other for other in calls if one in other.feeders]
        around = [other for other in calls if other.start < one.start and one.end <= other.end]
        if not takers and not around and not one.writes:
            return True
        waiting += [other for other in takers if passes_on(other)]
        if not takers:
            waiting += [other for other in around if program(other.argv) in ("echo", "printf")]
    return False


def _is_loaded(call: "Call", calls: "Sequence[Call]") -> bool:
    """Whether what is read only becomes variables, as in `export $(grep -v '^#' .env | xargs)`, which shows as little
    as `source .env` does.
    """
    one = call
    while not one.writes:
        takers = [other for other in calls if one in other.feeders]
        if not takers:
            around = [other for other in calls if other.start < one.start and one.end < other.end]
            inner = max(around, key=lambda other: other.start, default=one)
            return program(inner.argv) == "export" and {ANY, NAME}.issuperset(inner.argv[1:])
        if len(takers) > 1 or program(takers[0].argv) not in _LOADERS:
            return False
        one = takers[0]
    return False


_LOADERS = frozenset("cat cut egrep grep head sed sort tail tr xargs".split())


def _prints_environment(call: "Call") -> bool:
    if call.argv in (["env"], ["printenv"], ["export"], ["set"], ["declare"]):
        return True
    return call.argv in (["export", "-p"], ["declare", "-p"], ["declare", "-x"], ["declare", "-px"], ["env", "-0"])


_WORDS = {
    "gh": ("auth token",),
    "aws": ("configure export-credentials", "secretsmanager get-secret-value", "ecr get-login-password"),
    "gcloud": (
        "auth print-access-token", "auth print-identity-token", "auth application-default print-access-token",
        "secrets versions access",
    ),
    "az": ("account get-access-token", "keyvault secret show"),
    "pass": ("show",),
    "op": ("read",),
    "bw": ("get password", "get item", "get totp", "get notes"),
    "vault": ("kv get", "read", "print token"),
    "heroku": ("auth:token", "config"),
    "secret-tool": ("lookup",),
    "keyring": ("get",),
    "ansible-vault": ("view",),
    "doppler": ("secrets",),
    "git": ("credential fill",),
}  # fmt: skip
_SECRET_WORDS = ("secret", "token", "password", "passwd", "api_key", "apikey", "access_key", "private_key")
_FORMATS = ("json", "yaml", "go-template", "template")


def _prints_secret(call: "Call") -> bool:
    name = program(call.argv)
    if name == "git-credential":
        return call.argv[1:2] == ["fill"]
    long = "namespace context kubeconfig cluster user profile region project account output query name vault fields"
    options = parse(call.argv[1:], "nos" if name == "kubectl" else "", long)
    line = " ".join(options.operands) + " "
    if any([line.startswith(words + " ") for words in _WORDS.get(name, ())]):
        return not (name == "heroku" and options.has("help"))
    special = _SPECIAL.get(name)
    return special(options, line) if special else False


def _kubectl(options: Options, line: str) -> bool:
    shape = options.value("o", "output")
    return line.startswith(("get secret ", "get secrets ", "get secret/", "get secrets/")) and shape.startswith(
        (*_FORMATS, "jsonpath", "custom-columns")
    )


def _aws(options: Options, line: str) -> bool:
    if line.startswith("configure get "):
        return any([word in line for word in _SECRET_WORDS])
    return line.startswith("ssm get-parameter") and options.has("with-decryption")


_SPECIAL: "dict[str, Callable[[Options, str], bool]]" = {
    "kubectl": _kubectl,
    "oc": _kubectl,
    "aws": _aws,
    "security": lambda options, line: line.startswith(("find-generic-", "find-internet-")) and options.has("w", "g"),
    "gh": lambda options, line: line.startswith("auth status ") and options.has("t", "show-token"),
    "op": lambda options, line: line.startswith("item get ") and options.has("reveal", "fields"),
    "gpg": lambda options, line: any([name.startswith("export-secret") for name, _ in options.found]),
    "sops": lambda options, line: line.startswith("decrypt ") or options.has("d", "decrypt"),
    "printenv": lambda options, line: any([word in line.lower() for word in _SECRET_WORDS]),
}


# Tools


def judge_tool(
    tool: str, tool_input: "dict[str, Any]", argument: str, cwd: str, machine: "Machine", *, base: str = ""
) -> "Finding | None":
    secrets = _Secrets(argument, base or cwd or "/", machine)
    for path, tree in _paths(tool, tool_input, cwd, machine):
        decision = secrets.decision(path, tree=tree)
        if decision:
            return _finding(decision, tool, path)
    return None


def _paths(tool: str, tool_input: "dict[str, Any]", cwd: str, machine: "Machine") -> "list[tuple[str, bool]]":
    """What a tool reads, and whether that is all below it."""
    if tool == "Grep":
        return _searched(tool_input, cwd, machine) if tool_input.get("output_mode") == "content" else []
    found = [file.path for file in tool_files.named(tool, tool_input) if file.act == tool_files.READ]
    return [(path if path[:1] in ("/", "~") or not cwd else cwd + "/" + path, False) for path in found]


def _searched(tool_input: "dict[str, Any]", cwd: str, machine: "Machine") -> "list[tuple[str, bool]]":
    path, glob = tool_input.get("path"), tool_input.get("glob")
    path = path if isinstance(path, str) else ""
    folder = joined(cwd, machine.home + path[1:] if path[:2] == "~/" else path, machine) if path else cwd
    found = [(folder, False), (folder, machine.kind(folder) != "file")] if folder else []
    for pattern in _alternatives(glob) if isinstance(glob, str) and glob else []:
        marked = pattern.replace("**/", "").replace("*", STAR).replace("?", QUESTION)
        found.append((f"{folder}/{marked}", False))
    return found


def _alternatives(glob: str) -> "list[str]":
    try:
        return alternatives(glob)
    except ValueError:
        return [glob]
