"""What the languages share: how a find is given, what takes it back, and the type of a memory by its words."""

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    # From where to where in the sentence the words stand that are to be remembered, what is put before them, and
    # whether they are an order to Claude (else their type is seen from them). No words: what follows is meant.
    Span = tuple[int, int, str, bool]

BEFORE = (-1, -1, "", False)  # the sentence before is meant

_I = re.IGNORECASE

MOCKING = re.compile(
    r"\b(?:lol|lmao|haha+|rofl|just kidding|jk|yeah,? right|what could go wrong|great idea|oh (?:yeah|sure|great))\b"
    r"|(?:^|[.!]\s+)sure,|(?<!\S)/s\b|🙄|🤡|呵呵|哈哈|开玩笑|開玩笑|才怪|多省事|（笑）|\(笑\)|冗談|なんてね|笑$",
    _I,
)
_USER = re.compile(
    r"(?:i[’']?m\b|i am\b|my (?:name|role|job|title|timezone|time zone|pronouns|background|native|first language"
    r"|team)\b|i work\b|i live\b"
    r"|i(?:[’']ve| have) (?:been|\d|\w+ years|never used|no experience|little experience)|i know\b|i don[’']?t know\b"
    r"|i speak\b|i lead\b|i own\b"
    r"|i come from\b|call me\b|i prefer to be called|i(?:[’']m| am) new\b|i[’']?m not)"
    r"|我是|我叫|我的(?:名字|角色|职位|时区|時區|工作|母语|背景)|我在|我负责|我不懂|我不(?:太)?(?:会|熟)|我(?:刚|剛)"
    r"|我主要|我做|我来自|叫我"
    r"|(?:私|僕|俺|自分)(?:は|の(?:名前|役割|仕事|担当|タイムゾーン))|.*と呼んで",
    _I,
)
_PREFERS = re.compile(
    r"i (?:really )?(?:want|prefer|like|hate|need|expect|love|dislike|can[’']?t stand|always want|never want|read"
    r"|review)\b|i[’']?d (?:like|rather|prefer)\b"
    r"|我(?:喜欢|希望|讨厌|更喜欢|想要?|不喜欢|习惯|偏好|要求)|.*(?:好み|好き|嫌い|苦手)(?:です|だ)?$",
    _I,
)
_PLACE = (
    r"(?:dashboard|grafana|notion|confluence|jira|linear|slack|discord|wiki|runbook|playbook|figma|miro|trello|asana"
    r"|sentry|datadog|kibana|google (?:doc|drive|sheet)s?"
    r"|spreadsheet|sharepoint|zendesk|pagerduty|sheet|board|channel|tickets?\b|docs? site|\#[a-z][\w-]+)"
)
_REFERENCE = re.compile(
    r".*https?://|(?=.*" + _PLACE + r").*\b(?:is|are|live|lives|found|documented|tracked|kept|at|in|under|on|see)\b.*"
    r"|(?=.*(?:看板|飞书|钉钉|语雀|文档|文件夹|工单|群|频道|知识库|手册|仪表盘|notion|confluence|jira|wiki"
    r"|figma)).*(?:在|见|地址是|链接是).*"
    r"|(?=.*(?:ダッシュボード|手順書|ドキュメント|資料|チケット|チャンネル|notion|confluence|jira|wiki|slack"
    r"|figma)).*(?:にあ|に書いて|にまとめ|参照|を見).*",
    _I | re.DOTALL,
)
_VERBS = (
    "use|run|ask|write|keep|avoid|prefer|show|tell|explain|answer|reply|commit|push|put|add|make|check|update|install"
    "|create|call|test|do"
    "|format|name|follow|start|stop|leave|read|deploy|merge|review|document|treat|store|split|skip|bump|include|import"
    "|wrap"
)
_ORDER = re.compile(
    r"(?:(?:please|also|just|only|first|always|never)\s+)*(?:please\b|you (?:must|should|need|have|can|may)\b|prefer\b"
    r"|avoid\b|(?:whenever|every time|each time|before|after|if|when) you\b"
    r"|(?:always|never|only)\s+(?:"
    + _VERBS
    + r")\b|(?:"
    + _VERBS
    + r")\b(?!\s+[^\x00-\xff]|\s+(?:[\w-]+\s+){0,3}(?:is|are|was|has|have|lives?|runs?|must|should|uses|goes"
    r"|needs?)\b))"
    r"|(?:请|請(?!求)|不要|别|別|禁止|永远|绝对|千万|不许|不准|务必|尽量|优先|先|用|每次|回答|回复)|.{0,12}(?:一律"
    r"|统一|統一)"
    r"|.*(?:[てで](?:ください|下さい|ほしい|くれ)?|ように|すること|ないこと|禁止)$",
    _I,
)


def type_of(text: str) -> str:
    """The type of a memory in these words: about the person, how Claude should work, where something is, or a fact."""
    if _USER.match(text):
        return "user"
    if _PREFERS.match(text) or _ORDER.match(text):
        return "feedback"
    return "reference" if _REFERENCE.match(text) else "project"
