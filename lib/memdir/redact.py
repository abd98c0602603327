"""Takes what is private and what is secret out of text before it is written or leaves the machine.

`clean` is the one way out. What is clean stays as it is when it is cleaned again.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from re import Match, Pattern
    from typing import Optional

MARK = "[redacted]"  # stands where a secret was
PRIVATE = "[private]"  # stands where the person marked text as private
_ROUNDS = 8  # taking one thing out can bring another to light; every round finds less

# A tag is known by its beginning: one that was cut off counts as well.
_TAG = (
    r"(?P<glued>(?<=[A-Za-z0-9_]))?<\s{0,8}"
    r"(?:(?P<closes>/)\s{0,8}private\s{0,8}(?:>|\Z)|private(?=[\s>])(?!\s{0,8}/>))"
)

# Forms that are secrets wherever they stand, from the first letter of a word: the issuers' own.
_ISSUED = (
    r"(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b",  # AWS
    r"LTAI[A-Za-z0-9]{12,24}\b",  # Alibaba
    r"AKID[A-Za-z0-9]{32}\b",  # Tencent
    r"gh[pousr]_[A-Za-z0-9]{20,}",  # GitHub
    r"github_pat_[A-Za-z0-9_]{20,}",
    r"gl(?:pat|rt|ptt|dt|cbt|oas|soat|ffct|imt|agent)-[A-Za-z0-9_.-]{16,}",  # GitLab
    r"ATATT3[A-Za-z0-9_=-]{40,}",  # Atlassian
    r"ATBB[A-Za-z0-9]{24,}",
    r"sk-(?:ant|proj|svcacct|admin|or|lf)-[A-Za-z0-9_-]{8,}",  # Anthropic, OpenAI and their like
    r"sk-[A-Za-z0-9]{20,}",
    r"(?:gsk_|xai-|r8_|pplx-|nvapi-|fw_|csk-)[A-Za-z0-9_-]{20,}",
    r"hf_[A-Za-z0-9]{20,}",  # Hugging Face
    r"[rs]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{20,}",  # Stripe
    r"xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{20,}",  # Slack
    r"[MNO][A-Za-z0-9_-]{20,30}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45}\b",
    r"[0-9]{8,12}:AA[A-Za-z0-9_-]{32,35}(?![A-Za-z0-9_-])",  # Telegram
    r"npm_[A-Za-z0-9]{30,}",
    r"pypi-[A-Za-z0-9_-]{30,}",
    r"rubygems_[0-9a-f]{40,}",
    r"cio[A-Za-z0-9]{32}\b",  # crates.io
    r"dckr_[a-z]{2,5}_[A-Za-z0-9_-]{20,}",  # Docker
    r"AIza[A-Za-z0-9_-]{30,}|ya29\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}",  # Google
    r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}",  # SendGrid
    r"key-[0-9a-f]{32}\b|[0-9a-f]{32}-us[0-9]{1,2}\b",  # Mailgun, Mailchimp
    r"(?:SK|AC)[0-9a-f]{32}\b",  # Twilio
    r"do[opr]_v1_[0-9a-f]{40,}",  # DigitalOcean
    r"sh(?:pat|pca|ppa|pss)_[0-9a-fA-F]{32,}",  # Shopify
    r"sq0[a-z]{3}-[A-Za-z0-9_-]{20,}",  # Square
    r"dapi[0-9a-f]{32}",  # Databricks
    r"NRAK-[A-Z0-9]{20,}",  # New Relic
    r"sntry[su]_[A-Za-z0-9_=+/-]{20,}|glsa_[A-Za-z0-9_]{20,}|glc_[A-Za-z0-9+/=]{32,}",  # Sentry, Grafana
    r"(?:lin_api_|ntn_|figd_|PMAK-|sbp_|sb_secret_|pscale_(?:tkn|pw)_|dp\.[a-z]{2,6}\.|pat[A-Za-z0-9]{14}\.)[A-Za-z0-9_-]{20,}",
    r"hv[sbr]\.[A-Za-z0-9_-]{20,}",  # Vault
    r"fm[12][ar]?_[A-Za-z0-9+/=,_-]{40,}",  # Fly
    r"AGE-SECRET-KEY-1[A-Z0-9]{40,}",
    r"[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{30,}",  # Azure
    r"tfp_[A-Za-z0-9_.-]{30,}|snyk_[a-z]{3}\.[A-Za-z0-9._-]{30,}",  # Typeform, Snyk
    r"pat-(?:na|eu|ap)[0-9]-[0-9a-f-]{36}",  # HubSpot
    r"AKCp[A-Za-z0-9]{30,}",  # Artifactory
    # JSON Web Token; one begins where another could, or "eyJ-eyJ-..." would be read to its end from each
    r"eyJ(?=[A-Za-z0-9_-]{8})[A-Za-z0-9_]*(?:-(?!eyJ)[A-Za-z0-9_]*)*\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?",
)
_ELSEWHERE = (
    r"(?<=hooks\.slack\.com/)(?:services|workflows|triggers)/[A-Za-z0-9/]{20,}",
    r"(?<=/api/webhooks/)[0-9]{15,22}/[A-Za-z0-9_-]{40,}",  # Discord
    r"\.atlasv1\.[A-Za-z0-9_=-]{40,}",  # Terraform
    # the group `public` stays
    r"(?P<public>-----BEGIN (?:CERTIFICATE|[A-Z0-9 ]{0,30}PUBLIC KEY)-----[A-Za-z0-9+/=\s\\]{0,20000}-----END)",
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}-----|\Z)",
)
# Long and random, and no part of a path, an address or encoded data: those are hashes, ids and pictures.
_RANDOM = (
    r"(?P<random>(?<![A-Za-z0-9+/_.-])(?<!h1:)(?<!base64,)(?!sha[0-9]|AAAA[BCE]|I[0-9a-f]{40}\b)"
    r"(?=[A-Za-z0-9+_-]{0,99}[0-9])(?=[A-Za-z0-9+_-]{0,99}[A-Z])(?=[A-Za-z0-9+_-]{0,99}[a-z])"
    r"[A-Za-z0-9+_-]{40,}={0,2}(?![A-Za-z0-9/]))"
)

# What stands after a name: `name` and `how` stay, the value goes if it looks like one.
_BARE = r"(?P<bare>[^\s\"'`,;&|)>\\，。；、）】」』”’]{3,400})"
_VALUE = r"(?:\\*\"(?P<q1>[^\"\n]{3,400})\"|\\*'(?P<q2>[^'\n]{3,400})'|`(?P<q3>[^`\n]{3,400})`|\\*[\"']?" + _BARE + ")"
_NAME = (
    r"(?P<name>(?:(?<![a-z])(?:pass(?:code)?|pw)|pass(?:word|wd|phrase)|pwd|secret|token|credentials?"
    r"|(?:api|access|account|private|signing|encryption|master|license)[_ -]?key)(?:[_-]?(?:key|base|value)){0,2})"
)
_NAMED = (
    # headers
    r"(?P<name>(?:proxy-)?authorization[\"']?\s{0,4}[:=]\s{0,4}[\"']?(?:bearer|basic|token|digest)\s{1,4}"
    r"|(?:x-(?:api|auth)-(?:key|token)|private-token)[\"']?:\s{0,4}[\"']?|(?:set-)?cookie:\s{0,4}[^\s=;]{1,80}=)(?P<sure>[^\s\"'\\;]{4,4000})",
    r"(?P<name>\bbearer\s{1,4})(?P<sure>(?=\S{0,200}[0-9])[A-Za-z0-9._~+/-]{12,4000}={0,2})",
    # addresses
    r"(?P<name>\b[a-z][a-z0-9+.-]{0,20}://[^\s/:@\"']{0,80}:)(?P<sure>[^\s/@\"']{1,200})(?=@)",
    r"(?P<name>[?&](?:sig|signature|x-amz-signature|code|auth|key)=)(?P<sure>(?=[^\s&]{0,80}[0-9])[^\s&\"'<>]{16,400})",
    # options of commands
    r"(?P<name>(?:^|\s)(?:-u|--user|--proxy-user)(?:\s{1,4}|=)[\"']?[^\s:/\"']{1,80}:)(?P<sure>[^\s\"']{1,200})",
    r"(?P<name>\bsshpass\s{1,4}-p\s{0,4}|(?:^|\s)--?(?:pass(?:word|wd|phrase)?|secret|(?:auth-?)?token|(?:api|access)[_-]?key)"
    r"(?:\s{1,4}|=))" + _VALUE,
    # elements, assignments, sentences
    r"<" + _NAME + r">(?P<bare>[^<\s]{3,400})(?=</)",
    _NAME + r"(?P<assigned>\\*[\"'`]?\]?\s{0,20}(?:=>|:=|={1,3}|[:：])[ \t]{0,20})" + _VALUE,
    _NAME + r"(?P<said>[\"'`]?\s{1,4}(?:(?:is|was|to|as)(?:\s{1,4}now)?:?\s{1,4})?)" + _VALUE,
    r"(?P<name>(?:密码|密碼|口令|[密秘][钥鑰]|令牌|授权码|パスワード|パスフレーズ|パスコード|暗証番号|秘密鍵|シークレット|トークン"
    r"|(?:API|アクセス)\s?キー)\s{0,4}(?P<verb>[是为為はがを：:=]|[改换換設设][成为為])?\s{0,4}[“「『\"'`]?)"
    r"(?P<bare>[!#-&(-+./0-9:<-_a-z{}~-]{4,400})",
)

_FILLED_IN = (  # what is to be filled in, by a person or by a program
    r"[x*.•…#_-]+|.*(?:\.{3}|…).*|[<{\[(),;].*|\$(?:[A-Za-z_]\w*|[{(].*)|%(?:[sdr]|\(.*|\w+%)|#\{.*|@\w+@"
    r"|(?:your|my|the|some)[_-].*|.*[_-]here|change[_-]?me|example|placeholder|dummy"
)
_CODE = (  # what stands for a value in a program: a call, an access, a name with such a word in it
    r"[A-Za-z_][A-Za-z_.:?!]{2,80}[(\[<].*|[A-Za-z_]+(?:[?!]?(?:\.|->|::)[A-Za-z_]+)+[?!]?"
    r"|[A-Za-z_]*(?:pass|pwd|token|secret|key|cred|auth)[A-Za-z_]*"
)
_WORDS = frozenset(
    "none null nil undefined true false yes off str string bytes int integer number bool boolean any object text array"
    " varchar char optional required uuid unknown never void include omit same-origin bearer basic await new input"
    " field type sha1 sha256 sha512 md5 bcrypt scrypt argon2 argon2id pbkdf2 base64 oauth oauth2 hs256 rs256 utf8 utf-8"
    " http2 ed25519 1password".split()
)
# What a person makes up can be a word; what is issued, like a token, is none.
_CHOSEN = ("pass", "pwd", "pw", "secret", "credential", "密", "口令", "パス", "暗証")
# After "the password is": what is said of a password, and is none.
_TOLD = frozenset(
    "a an the in not no too only wrong incorrect invalid missing empty stored hashed set also still always now sent"
    " given kept well weak strong long short different same correct valid expired there here it that this what where"
    " when".split()
)

_compiled: "Optional[tuple[Pattern[str], Pattern[str], list[Pattern[str]], Pattern[str], Pattern[str]]]" = None
_detector: "Optional[Callable[[str], list[str]]]" = None


def clean(text: str) -> str:
    """The text with PRIVATE for each `<private>...</private>` and MARK for what looks like a password, key or token.

    A private part may be nested, never closed (it ends with the text) or never opened (it begins with the text, which
    was cut out of a longer one); in code it counts as well. Raises nothing, whatever the text.
    """
    for _ in range(_ROUNDS):
        before = text
        text = _without_secrets(_without_private(text))
        if text == before:
            break
    return text


def use(detector: "Callable[[str], list[str]]") -> None:
    """Adds a function that gives the secrets which it sees in a text, as they stand there."""
    global _detector
    _detector = detector


def _without_private(text: str) -> str:
    if "private" not in text.lower():
        return text
    tags = list(_patterns()[0].finditer(text))
    last_end = max((tag.start() for tag in tags if tag["closes"]), default=-1)
    kept, depth, start = [], 0, 0
    for tag in tags:
        if tag["closes"]:
            if depth == 0:
                kept = [PRIVATE]
            depth, start = max(depth - 1, 0), tag.end()
            continue
        is_type = tag["glued"] is not None and "Private" in tag[0] and tag.start() > last_end  # as in Sealed<Private>
        if depth or not is_type:
            if depth == 0:
                kept += [text[start : tag.start()], PRIVATE]
            depth += 1
    return "".join(kept) + ("" if depth else text[start:])


def _without_secrets(text: str) -> str:
    _, issued, named, _, _ = _patterns()
    text = issued.sub(_issued, text)
    for pattern in named:
        text = pattern.sub(_named, text)
    if _detector is not None:
        for secret in sorted(set(_detector(text)), key=len, reverse=True):
            if len(secret) >= 6 and secret not in MARK:
                text = text.replace(secret, MARK)
    return text


def _issued(found: "Match[str]") -> str:
    word, kind = found.group(), found.lastgroup
    return word if kind == "public" or (kind == "random" and not _is_random(word)) else MARK


def _is_random(word: str) -> bool:
    """Whether letters, capitals and digits change places as they do not in names of many words."""
    kinds = ["digit" if sign.isdigit() else "upper" if sign.isupper() else "lower" for sign in word]
    return sum(a != b for a, b in zip(kinds, kinds[1:])) >= len(word) * 0.4


def _named(found: "Match[str]") -> str:
    """The match without its value, if that is a secret and no placeholder, code or word of the sentence."""
    kind = found.lastgroup or ""
    value = found[kind]
    if kind == "bare":
        value = value.rstrip(".!?:")
    if not _is_secret(found, kind, value):
        return found[0]
    start = found.start(kind) - found.start()
    return found[0][:start] + MARK + found[0][start + len(value) :]


def _is_secret(found: "Match[str]", kind: str, value: str) -> bool:
    *_, filled_in, code = _patterns()
    if filled_in.fullmatch(value):
        return False
    if kind == "sure":
        return True
    parts = found.groupdict()
    name, assigned, said = found["name"].lower(), parts.get("assigned"), parts.get("said")
    quoted = kind != "bare"
    digit = any(sign.isdigit() for sign in value)
    if value.lower() in (*_WORDS, *_TOLD, name) or (not quoted and code.fullmatch(value)):
        return False
    if " " in value:
        return digit or "phrase" in name
    if not any(sign.isalnum() for sign in value):
        return False
    if value.isalpha() and value.lower() in (value, value.swapcase()) and not any(word in name for word in _CHOSEN):
        return False
    if value.isdigit() and len(value) < 6 and "pass" not in name[:-1] and "pwd" not in name:
        return False
    after = found.string[found.end(kind) : found.end(kind) + 2]
    if said is not None:
        return _is_said(name, said.split(), value, after, quoted=quoted)
    if assigned is not None:
        return quoted or "=" in assigned or not value.isalpha() or not (after[:1] == " " and after[1:].isalpha())
    if "verb" in parts and parts["verb"] is None:
        return _is_mixed(value) and "/" not in value
    return not value.isalpha() or after[:1] < "\u3000" or after in ("です", "だ。", "だっ")


def _is_said(name: str, verb: "list[str]", value: str, after: str, *, quoted: bool) -> bool:
    """Whether a value that merely follows its name, as in "the password is swordfish", is one."""
    mixed = _is_mixed(value)
    if value.partition("-")[0].lower() in _WORDS:
        return False
    if not [word for word in verb if word.isalpha()]:
        return mixed and "pass" in name
    if quoted or mixed or any(sign in "!@#$%^&*+=~" for sign in value):
        return True
    ends = not after.strip() or after[0] in ",;.!"
    return "pass" in name and ends and not value.lower().endswith(("ed", "ing", "able", "ible"))


def _is_mixed(value: str) -> bool:
    return len(value) > 5 and any(sign.isdigit() for sign in value) and not value.isdigit()


def _patterns() -> "tuple[Pattern[str], Pattern[str], list[Pattern[str]], Pattern[str], Pattern[str]]":
    global _compiled
    if _compiled is None:
        import re  # half an interpreter start, paid only where something is written or sent

        issued = re.compile("|".join([r"\b(?:" + "|".join(_ISSUED) + ")", *_ELSEWHERE, _RANDOM]))
        named = [re.compile(pattern, re.IGNORECASE) for pattern in _NAMED]
        filled_in, code = (re.compile(pattern, re.IGNORECASE | re.DOTALL) for pattern in (_FILLED_IN, _CODE))
        _compiled = re.compile(_TAG, re.IGNORECASE), issued, named, filled_in, code
    return _compiled
