"""Chinese: what in a sentence asks to remember something. The rule is told in `spoken`."""

import re

from memdir_worker.wording import BEFORE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

    from memdir_worker.wording import Span

_I = re.IGNORECASE

_OPENING = re.compile(
    r"(?:(?:好的?|行|可以|谢谢你?|謝謝|辛苦了|另外|还有|還有|对了|對了|顺便|順便|注意|嗯|哦|不对|不行|不是|停|请|請"
    r"|麻烦你?|拜托|所以|而且"
    r"|并且|以及|那么|那|补充一下|重要|ok|OK|Claude|claude|你|您|我说|再说一遍|还有一点)[，,。！!：:、\s]*)+"
)
_ASKED = re.compile(
    r"(?:一定|务必|必须|要|得|需要)*(?:帮我|給我|给我|幫我)?(?:把(?:这一?点|这个|下面的?)?)?"
    r"(?:记住|記住|牢记|牢記|谨记|记下来|记下|記下|记一下|記一下|记好了?|(?:记到|存到|加到|存入|写入|写进|保存到"
    r"|記到)(?:你的)?(?:记忆|記憶|memory)(?:里|中|裡)?)"
    r"(?P<rest>.*)",
    re.DOTALL,
)
_LEAD = re.compile(
    r"(?:这(?:一?点|些|个)(?=[，,：:。\s]|$)|哈|下面(?:这)?(?:几|两|三)?[点条]|以下(?:几|两|三)?[点条]?(?:内容)?"
    r"|几[点条]|了|哦|啊|吧|一下|[\s，,：:、—-])*"
)
_THAT = re.compile(
    r"(?P<before>.*?)(?:^|[，,。；;\s—])(?:请|請|麻烦|你|您|一定|务必|要|得|帮我|把这一?点|把这个)*(?:记住|記住|牢记"
    r"|记一下|记下来|记好)"
    r"(?:这一?点|这个|这条|了|哦|啊|吧|一下|它)*$",
    re.DOTALL,
)
_FEATURE = re.compile(
    r"(?:用户|密码|登录|登陆|登入|账号|账户|帳號|选择|选项|上次|上一次|状态|滚动|位置|我的(?:密码|登录|账号|选择)|按钮"
    r"|功能)"
)
_SAYS = re.compile(r"[是在用要叫有走需得能应禁别会放跑为只都归管改住不]|必须|位于")
_FROM_NOW = re.compile(
    r"(?:以后|以後|今后|今後|往后|日后|下次|从现在(?:开始|起)|從現在(?:開始|起)|从今(?:以后|往后|天起|天开始)"
    r"|接下来所有(?:的)?(?:会话|任务)|后续(?:的)?会话"
    r"|每次(?=你?(?:提交|修?改|写|发版|部署|推送|合并|跑|创建|新建|删|回答|重构|升级|更新依赖)))(?P<content>.*)",
    re.DOTALL,
)
_ORDER = re.compile(
    r"^(?:回答|回复|提交|写|解释|说明|给我|跟我|问|重构|改|删|建|命名|部署|发布|合并|运行|执行|测试|注释)|请(?!求)|請"
    r"|都|不要|别|別|不许|不准|禁止|一律|统一|統一|只能|只用|务必|必须|要|得|先|记得|記得|优先|尽量|默认|改用|永远"
    r"|千万|用|不能|勿"
)
_NO_ORDER = re.compile(r"再说|再看|再做|再|会|會|可能|还|還|有|如果|要是|万一|才|的|就会|看情况|跳转|我会|我们会|自动")
_PLAN = re.compile(r"可能|也许|考虑|计划|打算|说不定|估计|再说|想要支持|会支持")
_GENERAL = re.compile(
    r"(?P<how>(?:永远|永遠|任何时候|任何情况下|无论如何|不管怎样|无论什么情况)都?(?:不要|不许|不准|不能|不可以|别|別"
    r"|勿)|绝对(?:不要|不能|不可以|不许|别|禁止)"
    r"|絕對(?:不要|不能)|绝不(?:要|能|许|可以)|千万(?:不要|别|別)|千萬(?:不要|別)|(?:不要|不许|不准|别"
    r"|別)再)(?P<object>.*)",
    re.DOTALL,
)
_PRODUCT = re.compile(
    r"返回|显示|過期|过期|抛|出现|出現|为空|缓存|渲染|展示|弹|弹出|崩|重试|超时|报错|丢失|阻塞|相信|信任|发送|通知"
    r"|记录|显現|渲|跳转|触发"
)
# What Claude does while it works; "don't … again" about other things is about the task at hand.
_WORK = re.compile(
    r"推|提交|合并|commit|push|用|写|给我|自动|自作主张|擅自|直接|随便|乱|总结|注释|解释|道歉|emoji|英文|中文|mock"
    r"|跳过|装|升级|问我|动手|硬编码",
    _I,
)
_AGAIN = re.compile(
    r"(?:跑|试|問|问|说|看|等|查|重复|犯|弄|搞|纠结|改|动|想|管|提|讲)(?:了|一遍|一次|下去|一下|我|它|吧"
    r"|啦)*(?:[，,].*)?$",
    re.DOTALL,
)
_FOR_NOW = re.compile(
    r"今天|暂时|暫時|先不要|先别|这次|這次|本次|眼下|临时|臨時|这个(?:PR|分支|任务|版本|会话|提交)|这一版|等我|直到"
    r"|之前先别",
    _I,
)
_NOW = re.compile("目前|现在|現在|眼下")
_POINTS = re.compile(
    r"(?:这|那|這|該|该)(?!么|麼|样)(?:个|個|里|裡|段|行|条|些|样|次)?(?!个?(?:项目|仓库|代码库|库|團隊|团队|專案"
    r"|公司))|它|刚才|上面"
)
_UNSURE = re.compile(
    r"如果|要是|假如|假设|倘若|万一|说|說|让我|要求|告诉|觉得|认为|据说|写上|写着|翻译|提示语|是否|能不能|能否"
)
_BECAUSE = re.compile(r"[，,]?\s*(?:因为|因為|原因是|否则|否則|不然|要不然)(?P<reason>[^。]+)$", re.DOTALL)
_REASON = re.compile(r"(?:因为|因為|原因是|否则|否則|不然|要不然|理由是|上次)[，,：:]?(?P<reason>.+)$", re.DOTALL)
_CAUSE = re.compile(r"(?:因为|因為|由于|由於)(?P<reason>.+?)[，,]?\s*(?:所以|因此)?[，,]?\s*$", re.DOTALL)
_FORBIDS = re.compile(
    r"(?:请|請|都|千万|千萬|永远|绝对|任何时候|任何情况下|无论如何|，|\s)*(?:不要|别|別|不许|不准|禁止|绝不|勿|不得"
    r"|不能)"
)


def heard(sentence: str, *, opens: bool, listed: bool) -> "Optional[Span]":
    """The words of a masked sentence that are to be remembered."""
    stripped = sentence.rstrip(" \t。！!.？?")
    end = len(stripped)
    if sentence.rstrip().endswith(("?", "？")) or stripped.endswith(("吗", "嗎", "么", "呢")):
        return None
    for start in _clauses(stripped):
        if start and _UNSURE.search(sentence, 0, start):
            break
        found = _asked(sentence, start, end) or _from_now(sentence, start, end)
        found = found or (None if listed else _in_general(sentence, start, end))
        if found:
            return found
    that = _THAT.match(stripped)
    if that is None or _UNSURE.search(that.group("before")):
        return None
    start = opened(sentence, 0, that.end("before"))
    return (start, that.end("before"), "", False) if start < that.end("before") else BEFORE


def forbids(text: str) -> bool:
    return _FORBIDS.match(text) is not None


def reasoned(text: str) -> "tuple[str, str]":
    """A statement without its reason, and the reason."""
    found = _BECAUSE.search(text)
    return (text[: found.start()], found.group("reason")) if found and found.start() else (text, "")


def cause(before: str) -> str:
    """The reason in the part of a sentence that stands before the statement."""
    found = _CAUSE.match(before)
    return found.group("reason") if found else ""


def reason(sentence: str) -> str:
    """The reason that a sentence of its own gives for the one before; "" if it does not."""
    found = _REASON.match(sentence)
    return found.group("reason") if found else ""


def opened(sentence: str, start: int, end: "Optional[int]" = None) -> int:
    """Where the clause at `start` begins to say something."""
    while start < len(sentence) and not sentence[start].isalnum() and sentence[start] not in "<#@/.~$\ufffc":
        start += 1
    found = _OPENING.match(sentence, start, len(sentence) if end is None else end)
    return found.end() if found else start


def _clauses(sentence: str) -> "list[int]":
    """Where clauses may begin, behind the words that open them."""
    commas = [at + 1 for at, char in enumerate(sentence) if char in "，,；;—"]
    return sorted({opened(sentence, start) for start in [0, *commas]})


def _asked(sentence: str, start: int, end: int) -> "Optional[Span]":
    found = _ASKED.match(sentence, start, end)
    if not found or _FOR_NOW.search(sentence, start, end):
        return None
    lead = _LEAD.match(sentence, found.start("rest"), end)
    at = lead.end() if lead else found.start("rest")
    if at == end:
        return (end, end, "", False) if sentence[at - 1] in "：:" else None
    if lead and any([char in "，,：:—" for char in lead.group()]):
        return at, end, "", False
    return (at, end, "", False) if _SAYS.search(sentence, at, end) and not _FEATURE.match(sentence, at, end) else None


def _from_now(sentence: str, start: int, end: int) -> "Optional[Span]":
    found = _FROM_NOW.match(sentence, start, end)
    if not found:
        return None
    content = found.group("content").lstrip(" ，,：:、")
    at = end - len(content)
    order = _ORDER.search(content)
    if not content and sentence[end - 1] in "：:":
        return end, end, "", True
    if order is None or _NO_ORDER.match(content) or _PLAN.search(content) or _passing(content):
        return None
    return at, end, "", True


def _in_general(sentence: str, start: int, end: int) -> "Optional[Span]":
    found = _GENERAL.match(sentence, start, end)
    if not found:
        return None
    act = re.split("[，,；;]|因为|因為|否则", found.group("object"))[0]
    if len(act.strip("了吧啊")) < 2 or _PRODUCT.search(act) or _passing(found.group("object")):
        return None
    again = "再" in found.group("how")
    return None if again and (_AGAIN.match(act) or not _WORK.search(act)) else (start, end, "", True)


def _passing(content: str) -> bool:
    """Whether this is about the task at hand."""
    here = re.split("[，,；;]", content)[0]
    return any([_FOR_NOW.search(content), _NOW.search(content), _POINTS.search(here)])
