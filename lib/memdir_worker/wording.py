"""What the languages share: how a find is given, what takes it back, and the type of a memory by its words."""

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

    # From where to where in the sentence the words stand that are to be remembered, what is put before them, and
    # whether they are an order to Claude (else their type is seen from them). No words: what follows is meant.
    Span = tuple[int, int, str, bool]

BEFORE = (-1, -1, "", False)  # the sentence before is meant; where there is none, what follows
ONLY_BEFORE = (-2, -2, "", False)  # the sentence before is meant

_I = re.IGNORECASE

MOCKING = re.compile(
    r"\b(?:lol|lmao|haha+|rofl|just kidding|jk|yeah,? right|what could go wrong|great idea|oh (?:yeah|sure|great))\b"
    r"|(?:^|[.!]\s+)sure,|(?<!\S)/s\b|🙄|🤡|呵呵|哈哈|开玩笑|開玩笑|才怪|多省事|（笑）|\(笑\)|冗談|なんてね|笑$",
    _I,
)
# The person tells Claude what it did; what follows is about Claude's work.
REPROACH = re.compile(
    r"\s*(?:(?:ok|no+|hey|wait|wtf|ugh|argh|omg|stop|seriously|again|and|but|so)\b[\s,.!]*)*(?:why (?:did|do|would"
    r"|are) (?:you|u)\b"
    r"|(?:did|have) (?:you|u) (?:just|really|again)\b|(?:you|u) (?:just|again|keep|always|broke|deleted|did"
    r"|removed)\b"
    r"|i(?:[’']ve)? (?:already )?told (?:you|u)\b|(?:that|this)(?:[’']?s| is| was) (?:wrong|not what)|\W*$)",
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
    r"(?:(?:please|also|just|only|first|always|never)\s+)*(?:please\b|you (?:must|should|need|have|can|may)\b"
    r"|prefer\b"
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

# What says that an order lasts, or what it is for.
_LASTS = re.compile(
    r"\b(?:always|never|every|each|any ?time|whenever|only|from now on|(?:before|after|when) (?:you|we|i|\w+ing)\b)"
    r"|每|都|一律|必须|永远|统一|(?<!目)前|(?<!然)[后後]|[时時]|必ず|毎|いつも|たび|今後",
    _I,
)
# The order for the task at hand that stands behind what is to be remembered: "…, and now fix the bug".
_TIES = r"(?:(?:and|so|but|then|also|ok(?:ay)?|please|pls|just)\b[\s,]*)*"
_NEXT = (
    r"(?:(?:fix|implement|compute|calculate|continue|proceed|finish|debug|investigate|refactor|rerun|redo|resume|solve"
    r"|correct) (?:it|this|them|these|those|the|my|that(?=\s*$))\b|(?:apply|run|kill|do|try|merge|check|review)"
    r" (?:it|this|these|my|that(?=\s*$))\b)"
)
_AT_HAND = r"(?:it|this|that|them|these|those|the|my)\b"
_TASK = re.compile(
    rf"(?:[,;:.—–]|\s-|\s(?=and\s|so\s))\s*{_TIES}"
    r"(?:(?P<now>(?:right )?now\b[\s,]*(?:please\s+|just\s+|go\s+|let[’']?s\s+|can you\s+)*"
    r"(?!(?:we|i|it|they|he|she|you|the|that|this|there|our|my|all|an?|in|on|at|with|only|also|part|remember"
    r"|memori[sz]e"
    r"|keep|bear|note|don|do not|never|always|from|\w+ed|\w+s)\b)[a-z]+\b"
    rf"|[a-z]+ {_AT_HAND}(?: [\w./-]+){{0,3}} (?:right )?(?:now|away|asap|immediately)\s*$)"
    r"|[a-z]+ (?:(?:it|that|them) (?:first|again)|the [\w./-]+ again)\s*$"
    r"|(?:go (?:on|ahead)|carry on|keep going|get started|let[’']?s (?:go|start|fix|do|continue|get)|(?:can"
    r"|could) you)\b"
    rf"|(?:fix|implement|compute|calculate|continue|proceed|debug|investigate|resume)\b(?! {_AT_HAND})"
    rf"|{_NEXT})",
    _I,
)
# The same behind a fact, where no order of its own is meant to last: "…, so await it", "… and skip it".
_ONCE = (
    r"(?:handle|remove|delete|drop|change|update|migrate|convert|adapt|adjust|port|rewrite|rename|rebase|move|replace"
    r"|skip|await|split|look|treat|catch|retry|add|finish|start|merge|hurry|deal|simplify|clean)"
)
_TASK_OF_FACT = re.compile(
    rf"(?:[,;.—–]\s*{_TIES}|\sso\s+(?:please |then |just )?){_ONCE}\s"
    r"(?:it|this|that|them|these|those|the|all|any|both|there|accordingly|with|up)\b"
    rf"|\sand\s+(?:please |then |just )?{_ONCE} (?:it|this|that|them)\s*$"
    r"|[,;]\s*(?:and |so )*then (?!\w+s\b)[a-z]+ (?:it|this|that|them|the)\b",
    _I,
)
# What begins with a subject is a fact, also behind "from now on"; what begins with a condition is an order for later.
_SAYS_FACT = re.compile(r"(?:we|all|every|each|the|our|use|no)\b", _I)
_CONDITION = re.compile(r"(?:\w+ )?(?:whenever|when|if|before|after|once|every time|each time|for|with|in)\b", _I)
_OF_MANY = re.compile(r"(?:we|they|i)\b", _I)  # "we review and fix the tickets": two things that are done
_TASK_WIDE = re.compile(
    r"[，,；;。、]\s*(?:(?:然后|好了?|那就?|所以|并且?|接着|再)[，,]?\s*)*"
    r"(?:(?P<now>(?:现在|接下来|马上|立刻)(?:请|麻烦|你|就|先|再|去|来|帮我|给我)*(?![是在用有都只归由改为，,])\S)"
    r"|(?:请|麻烦你?)?(?:帮我|给我)|(?:请|先|再|去|就)*(?:修复|修一?下|改一下|看一?下|实现|继续|开始吧|跑一?下|计算"
    r"|算一?下|把[它这]|重构一?下|优化一?下|处理一?下|检查一?下|加一?下|补一?下|看看|抓紧|都要改$|(?:改成|改为|换成)"
    r"|把[^，,；;]{1,12}(?:改|删|补|加|换|去)[^，,；;]{0,4}$))"
    r"|[、，。]\s*(?:(?:それ(?:と|で|では)?|あと|では|じゃあ|そして|次に|まず)[、は]?\s*)*(?:今(?:から|すぐ)[^、，]*"
    r"|[^、，はが]{1,24}(?:直して|修正して|実装して|進めて|続けて|レビューして|計算して|実行して|見て|止めて))"
    r"(?:ください|下さい|くれ|ね|よ)*$",
    _I,
)
_DO_IT = re.compile(r"[，,；;]\s*(?:请|先|再|去|就|把[^，,；;]{1,12})*(?:改|修|加|实现|优化|检查|处理|看)一?下[^，,]*$")
# The sentence behind a rule that shows it to be the product's: it is to be built now.
BUILDS = re.compile(
    r"\s*(?:(?:please|pls|now|then|also|and|so)[\s,]+)*(?:(?:implement|enforce|build|code) (?:this|that|it)\b"
    r"|(?:add|write) (?:an? |some )?(?:\w+ )?tests? (?:for|of) (?:this|that|it)\b|\w+ the [\w./-]+ accordingly)",
    _I,
)
# Of the moment: how somebody is, what was just done, where one is in the work, what is broken at the time, a role to
# play, and things without a name, which only the task at hand knows.
_BE = r"(?:[’']?m|[’']?re| am| are)"
_MOMENT = re.compile(
    rf"(?:i|we){_BE} (?:(?:really|very|quite|a bit|still|just) )*"
    r"(?:in (?:an?|the|some) (?:hurry|rush|meeting|call|middle)\b"
    r"|on (?:an?|the|my) (?:call|train|plane|phone|mobile|bus|clock)\b"
    r"|about to\b|going to\b|gonna\b|looking at\b|waiting\b|trying to\b|(?:almost|nearly) (?:done|there)\b"
    r"|(?:late|tired|busy|hungry|leaving|away|afk|back|done|finished|ready|short on time|out of time"
    r"|running (?:late|out of time))(?=\s*$|[,;]))"
    rf"|(?:i|we|you){_BE} (?:(?:now|still|currently) )*(?:on|in|at|inside) (?:the|an?|this|my|step|line"
    rf"|phase)\b.{{0,40}}"
    r"\b(?:branch|worktree|director(?:y|ies)|folder|file|step|phase|container|shell|venv|repl|debugger|\d+)\s*$"
    rf"|(?:i|we)(?:{_BE}| have| need| must| go| leave| ship| release)\b.*"
    r" in (?:an|\d+|a few|five|ten|fifteen|twenty|thirty) (?:min(?:ute)?s?|hours?)\s*$"
    r"|the (?:demo|meeting|call|presentation|interview|review|release|launch) (?:is|starts|begins) in (?:an|\d+|five"
    r"|ten|twenty) (?:min(?:ute)?s?|hours?)\s*$"
    r"|i(?:[’']ve| have)? already (?:\w+ed|ran|run|did|done|made|wrote|written|set|sent|built)\b"
    r"|the (?:prs?|mrs?|branch|task|ticket|demo|fix|feature|report)\b.*\bby (?:\d{1,2}(?::\d\d)?\s?(?:am|pm)?"
    r"|noon|eod|tonight|tomorrow)\s*$"
    r"|(?!.*\b(?:every|each|daily|always|never)\b).*\b(?:tomorrow|tonight|today)\b(?![’'])"
    r"|(?:the|this) current (?:branch|build|task|step|file|commit|pr|change)\b|the branch is called\b"
    r"|(?:step|phase|part|task|item) (?:\d+|one|two|three) (?:is|was) (?:done|finished|complete\w*|ready)\b"
    r"|(?:the )?(?:build|tests?|ci|pipeline) (?:just )?failed\b"
    r"|(?:on )?lines? \d+\b|.*\b(?:in|on|at) lines? \d+\s*$|the \w+ (?:can|may|might|could) be \w+ here\s*$"
    r"|there (?:are|is) (?:\d+|one|two|three|four|a few) (?:call sites?|callers?|places?|spots?)\s*$"
    r"|you (?:already|just)\b|you(?:[’']ve| have) (?:(?:already|just) )?(?:(?!limited)\w+ed|done|made|written|broken"
    r"|run"
    r"|seen|been)\b|you (?:(?!(?:need|feed|seed|embed)\b)\w+ed|did|had|were|broke|forgot|wrote|made|ran|took|said"
    r"|got)\b"
    r"|you(?:[’']re| are) (?:now )?(?:an?|the|my|our)\b"
    r"|(?:i|we)(?:[’']ve| have)? (?:(?:already|just) )*(?:asked|told|showed|gave|sent) you\b"
    r"|(?:i|we)(?:[’']ve| have)? just (?:renamed|changed|pushed|committed|fixed|merged|edited|deleted|removed|added"
    r"|saved"
    r"|ran|restarted|rebased|reverted|stashed|updated|pulled)\b"
    r"|(?:we|there|i)(?:[’']ve| have| are| is|[’']s)(?: got)?(?: still)? (?:\d+|an?|one|two|three|four|five|some"
    r"|several"
    r"|many)\b.*\b(?:failing|broken|left|remaining|open|missing|to (?:fix|do|go|review))\s*$"
    r"|(?:(?-i:[a-z])|the (?:loop|function|method|variable|line|parameter|argument|counter|bug|error|exception|file"
    r"|class"
    r"|diff|stack ?trace|input|array|list|string|answer|result|return value)(?: (?:above|below))?)"
    r"(?:[’']s| (?:is|are|was|has|starts|ends|returns|takes|throws|must|should|needs|does|fails"
    r"|equals))\b"
    r"|.*\b(?:a (?:minute|moment|second) ago|(?:a few|\d+) (?:minutes|hours|seconds) ago|an hour ago|moments ago"
    r"|just now"
    r"|last night|this (?:morning|afternoon|evening)|earlier)\s*$"
    r"|(?!.*\b(?:if|when|whenever|while|unless|until|never|always|on \w+days?)\b).*(?:\b(?:is|are)|[’'](?:s"
    r"|re)) (?:currently|already|still|again|now) (?:(?:all|completely|badly) )?(?:broken"
    r"|failing"
    r"|down(?! to)|red|in use|in progress|running(?! (?:on|in))|compiling|building|uncommitted|unfinished|half[- ]done"
    r"|open(?! source)|dirty|locked|taken)\b"
    r"|(?!.*\b(?:if|when|whenever|while|unless|until|never|always|on \w+days?)\b).*(?:\b(?:is|are)|[’'](?:s"
    r"|re)) (?:failing|down|red)\s*$",
    _I,
)
_MOMENT_WIDE = re.compile(
    r"我(?:现在)?(?:很|挺|有点|比较)?(?:赶时间|着急|急|忙|累|困)(?![的时])|我们?(?:现在|目前|正)(?:正?在)(?:用|.{0,20}分支)"
    r"|我们?(?:现在|目前)?正?在(?:开会|路上|外面|地铁|火车|高铁|飞机)|第?\s*[\d一二三四五]+\s*步(?:已经)?(?:完成|做完|好)|这里(?:有|是)|(?:输入|返回值|数组|列表)(?:是|要|有)|这个(?:接口|函数|变量|方法|类|文件|参数|字段|报错|错误)"
    r"|.*(?:明天|后天|今天|今晚|明早|明日|今夜)(?!から|以降|起|开始)|(?:我|你)(?:刚才|刚刚)|我(?:已经|刚)(?:把"
    r"|改|重命名"
    r"|提交|推"
    r"|删|修|加|合并|跑)|你(?:已经|都)?(?:改|删|写|用|跑|做|提交|修)(?:过|了|错)|你(?:已经|刚)"
    r"|你(?:现在)?是(?:一?[个名位只]|我的)"
    r"|.*(?:已经|还在|正在|仍然|还是)(?:被占用|挂|崩|坏|失败|报错|跑|运行|编译)|(?:我们)?还?(?:有|剩).*(?:失败|挂了?"
    r"|没过|报错"
    r"|没修)$|[a-z]\s*(?:是|等于)"
    r"|(?:私は|僕は|俺は|今)?、?(?:急いで|忙し|疲れ)(?!.*(?:時|とき))|.*(?:さっき|たった今|先ほど)|(?:あなた"
    r"|君)は?.*(?:した|ました)$"
    r"|[a-z]は"
    r"|.*(?:今|現在|もう|すでに|まだ|つ|個).*(?:落ちて|壊れて|失敗して|使われて|使用中)"
)


def without_task(seen: str, *, order: bool) -> int:
    """How many characters of a statement stand before the order for now that may follow it.

    `seen`: its words with quotations masked. Behind an order (`order`) another one is of it, unless it says "now".
    """
    length = len(seen)
    facts = [] if _CONDITION.match(seen) or (order and not _SAYS_FACT.match(seen)) else [*_TASK_OF_FACT.finditer(seen)]
    for found in facts:
        tied = seen[found.start()].isspace() and _OF_MANY.match(seen)
        if found.start() and not tied and not _LASTS.search(seen, found.start()):
            length = min(length, found.start())
    for found in [*_TASK.finditer(seen), *_TASK_WIDE.finditer(seen)]:
        if found.re is _TASK_WIDE and order and _DO_IT.search(seen, found.start()):
            length = min(length, found.start())
            continue
        ordered = order or type_of(seen[: found.start()]) == "feedback"
        tied = seen[found.start()].isspace() and _OF_MANY.match(seen)
        if (ordered or tied) and not found.group("now"):
            continue
        if found.start() and not _LASTS.search(seen, found.start()):
            length = min(length, found.start())
    return length


def is_passing(seen: str) -> bool:
    """Whether a statement is of the moment, and nothing for a later session."""
    return _MOMENT.match(seen) is not None or _MOMENT_WIDE.match(seen) is not None


def type_of(text: str) -> str:
    """The type of a memory in these words: about the person, how Claude should work, where something is, or a fact."""
    if _USER.match(text):
        return "user"
    if _PREFERS.match(text) or _ORDER.match(text):
        return "feedback"
    return "reference" if _REFERENCE.match(text) else "project"


def opened(opening: "re.Pattern[str]", sentence: str, start: int, end: "Optional[int]" = None) -> int:
    """Where the clause at `start` begins to say something, behind the words that match `opening`."""
    while start < len(sentence) and not sentence[start].isalnum() and sentence[start] not in "<#@/.~$\ufffc":
        start += 1
    found = opening.match(sentence, start, len(sentence) if end is None else end)
    return found.end() if found else start


def clauses(opening: "re.Pattern[str]", boundary: "re.Pattern[str]", sentence: str) -> "list[int]":
    """Where clauses may begin, behind the words that open them."""
    return sorted(
        {opened(opening, sentence, at) for at in [0, *[found.end() for found in boundary.finditer(sentence)]]}
    )
