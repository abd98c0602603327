"""Chinese: what in a sentence asks to remember something. The rule is told in `spoken`."""

import re

from memdir_worker.wording import BEFORE, clauses, opened, without_task

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

    from memdir_worker.wording import Span

_I = re.IGNORECASE

_CLAUSE = re.compile("[，,；;—]")
OPENING = re.compile(
    r"(?:(?:好的?|行|可以|谢谢你?|謝謝|辛苦了|另外|还有|還有|对了|對了|顺便|順便|注意|嗯|哦|不对|不行|不是|停|请|請"
    r"|麻烦你?|拜托|所以|而且|并且|以及|那么|那|补充(?:一下|一点|个[^，,：:你]{0,4})|记得(?=以后|今后|每次|下次)"
    r"|提醒(?:你|一下)+|跟你说一下|强调一下|重要|ok|OK|Claude|claude|你|您|我说|再说一遍"
    r"|还有一点)[，,。！!：:、\s]*)+"
)
_ASKED = re.compile(
    r"(?:一定|务必|必须|要|得|需要)*(?:帮我|給我|给我|幫我)?(?:把(?:这一?点|这个|下面的?)?\s*)?"
    r"(?:记住|記住|牢记|牢記|谨记|记下来|记下|記下|记一下|記一下|记好了?|备忘一下|備忘|备忘|(?:[记存加写放]到|存入|写入|写进|存进|加进"
    r"|保存到|記到)\s*"
    r"(?:你的\s*)?(?:记忆|記憶|memory)\s*(?:里|中|裡)?)"
    r"(?P<rest>.*)",
    re.DOTALL,
)
_LEAD = re.compile(
    r"(?:这(?:一?点|些|个)(?=[，,：:。\s]|$)|哈|下面(?:这)?(?:几|两|三)?[点条]|[一两三]点|以下(?:几|两"
    r"|三)?[点条]?(?:内容)?"
    r"|几[点条]|了|哦|啊|吧|一下|[\s，,：:、—-])*"
)
_THAT = re.compile(
    r"(?P<before>.*?)(?:^|[，,。；;\s—])(?:请|請|麻烦|你|您|一定|务必|要|得|帮我|把这一?点|把这个)*(?:记住|記住|牢记"
    r"|记一下|记下来|记好)"
    r"(?:这一?点|这个|这条|了|哦|啊|吧|一下|它)*$",
    re.DOTALL,
)
_FEATURE = re.compile(
    r"(?:用户|密码|登录|登陆|登入|账号|账户|帳號|选择|选项|上次|上一次|状态|滚动|位置|我的(?:密码|登录|账号|选择)"
    r"|按钮"
    r"|功能)"
)
_SAYS = re.compile(r"[已是在用要叫有走需得能应禁别会放跑为只都归管改住不]|必须|位于")
# "记住跑一下测试": an order for the task at hand, unless something in it says when, or that it lasts.
_TO_DO = re.compile(
    r"(?:要|得|去|先|再)*(?:跑|运行|执行|推送?|重启|重新|看|改|修|删|加|写"
    r"|(?:提交|更新|检查|测试|部署|合并)(?=一下|一遍|代码|这|那|它|\s*[A-Za-z]|$))"
    r"(?![^，,；;]*(?:[前后時时里都每只用在是归为必再要]|一律|统一|永远))"
)
_FROM_NOW = re.compile(
    r"(?:以后|以後|今后|今後|往后|日后|下次|从现在(?:开始|起)|從現在(?:開始|起)|从今(?:以后|往后|天起|天开始)"
    r"|接下来所有(?:的)?(?:会话|任务)|后续(?:的)?会话"
    r"|每次(?=你?(?:提交(?!表单|订单|请求|数据|按钮|申请)|修?改|写(?!入)|发版|部署|推送|合并|跑|创建|新建|删|回答|重构|升级|更新依赖)))(?P<content>.*)",
    re.DOTALL,
)
_ORDER = re.compile(
    r"^(?:回答|回复|提交|写|解释|说明|给我|跟我|问|重构|改|删|建|命名|部署|发布|合并|运行|执行|测试|注释)|请(?!求)|請"
    r"|都|不要|别|別|不许|不准|禁止|一律|统一|統一|只能|只用|务必|必须|要|得|先|记得|記得|优先|尽量|默认|改用|永远"
    r"|千万|用|不能|勿"
)
_NO_ORDER = re.compile(
    r"用户(?!名)|再说|再看|再做|再|会|會|可能|还|還|有(?![^，,空]{1,12}(?:先|都|必须|务必))|如果|要是|万一|才|的|就会|看情况"
    r"|跳转|我会|我们会|自动"
)
_PLAN = re.compile(r"可能|也许|考虑|计划|打算|说不定|估计|再说|想要支持|会支持")
_GENERAL = re.compile(
    r"(?P<how>(?:永远|永遠|任何时候|任何情况下|无论如何|不管怎样|无论什么情况)都?(?:不要|不许|不准|不能|不可以|别|別"
    r"|勿)|绝对(?:不要|不能|不可以|不许|别|禁止)|絕對(?:不要|不能)|绝不(?:要|能|许|可以)|千万(?:不要|别|別)"
    r"|千萬(?:不要|別)|(?:不要|不许|不准|别"
    r"|別)再)(?P<object>.*)",
    re.DOTALL,
)
# Hands off a thing of the project. Without 永远 or 再 it lasts where the prompt says nothing else, names the thing by
# its path or name, and what follows is no task but the reason.
_HANDS_OFF = re.compile(
    r"(?:不要|别|別|不许|不准|禁止|勿)(?:随便|直接|手动|擅自|去)*(?:碰|动|動)\s*"
    r"(?:[A-Za-z0-9_.*-]*/[A-Za-z0-9_./*-]*|\.env[\w.]*|[A-Za-z][\w-]*(?:\.(?:ya?ml|toml|json|lock|ini|conf|cfg|pem"
    r"|key))?)"
    r"\s*(?:这个|那个)?(?:目录|文件夹|分支|表|文件|里的?(?:东西|文件|代码|内容)|下面?的?(?:东西|文件|代码"
    r"|内容)?)?[了啊哦吧]?"
    r"(?:[，,]\s*(?:因为|那个?是|那里?|这个?是|由|归|是|会|上次|否则|不然|线上|生产).*)?$",
    re.DOTALL,
)
_PRODUCT = re.compile(
    r"返回|显示|過期|过期|抛|出现|出現|为空|缓存|渲染|展示|弹|弹出|崩|重试|超时|报错|丢失|阻塞|相信|信任|发送|通知"
    r"|记录|显現|渲|跳转|触发|用户(?!名)|顾客|页面|弹窗|订单"
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
_COMMITS = re.compile("提交|推送|推到|commit|push", _I)  # nobody's product does these
# What is done now, behind a rule that nobody said to be for good.
_AT_HAND = re.compile(
    r"[，,；;]\s*(?:请|先|就)*(?:(?:改成|改为|换成)|把[^，,；;]{1,12}(?:改|删|补|加|换|去)|(?:改|修|加|实现|优化|检查"
    r"|处理|看)一?下|重新算|这个(?:文件|函数|类|方法)|这段|这里)"
)
_FOR_NOW = re.compile(
    r"今天|暂时|暫時|先不要|先别|这次|這次|本次|眼下|临时|臨時|这个(?:PR|分支|任务|版本|会话|提交)|这一版|等我|直到"
    r"|之前先别",
    _I,
)
_ASKS = re.compile("什么|什麼|哪|怎么|怎麼|为何|多少|几[点个号]|谁|是不是|有没有")
_NOW = re.compile("目前|现在|現在|眼下")
_POINTS = re.compile(
    r"(?:这|那|這|該|该)(?!么|麼|样)(?:个|個|里|裡|段|行|条|些|样|次)?(?!个?(?:项目|仓库|代码库|库|團隊|团队|專案"
    r"|公司))|它|刚才|上面"
)
_UNSURE = re.compile(
    r"如果|要是|假如|假设|倘若|万一|说|說|让我|要求|告诉|觉得|认为|据说|写上|写着|翻译|提示语|是否|能不能|能否"
)
_BECAUSE = re.compile(
    r"[，,]?\s*(?:因为|因為|原因是|否则|否則|不然|要不然)(?P<reason>[^。]+)$|[，,]\s*(?P<fact>(?:那个?"
    r"|这个?)是[^。]+)$",
    re.DOTALL,
)
_REASON = re.compile(r"(?:因为|因為|原因是|否则|否則|不然|要不然|理由是|上次)[，,：:]?(?P<reason>.+)$", re.DOTALL)
_CAUSE = re.compile(r"(?:因为|因為|由于|由於)(?P<reason>.+?)[，,]?\s*(?:所以|因此)?[，,]?\s*$", re.DOTALL)
_FORBIDS = re.compile(
    r"(?:请|請|都|千万|千萬|永远|绝对|任何时候|任何情况下|无论如何|，|\s)*(?:不要|别|別|不许|不准|禁止|绝不|勿|不得"
    r"|不能)|(?:写|提交|改|回答|合并|部署|重构|跑)[^，,。]{0,8}(?:不要|禁止|不许|不准|别(?![的人名处]))"
)


def heard(sentence: str, *, opens: bool, alone: bool, listed: bool) -> "Optional[Span]":
    """The words of a masked sentence that are to be remembered. `alone`: the prompt says nothing else."""
    stripped = sentence.rstrip(" \t。！!.？?")
    end = len(stripped)
    if sentence.rstrip().endswith(("?", "？")) or stripped.endswith(("吗", "嗎", "么", "呢")):
        return None
    if alone and _HANDS_OFF.match(stripped, opened(OPENING, stripped, 0)):
        return opened(OPENING, stripped, 0), end, "", True
    for start in clauses(OPENING, _CLAUSE, stripped):
        if start and _UNSURE.search(sentence, 0, start):
            break
        found = _asked(sentence, start, end) or _from_now(sentence, start, end)
        found = found or (None if listed else _in_general(sentence, start, end))
        if found:
            return found
    that = _THAT.match(stripped)
    if that is None or _UNSURE.search(that.group("before")):
        return None
    start = opened(OPENING, sentence, 0, that.end("before"))
    return (start, that.end("before"), "", False) if start < that.end("before") else BEFORE


def forbids(text: str) -> bool:
    return _FORBIDS.match(text) is not None


def reasoned(text: str) -> "tuple[str, str]":
    """A statement without its reason, and the reason."""
    found = _BECAUSE.search(text)
    return (
        (text[: found.start()], found.group("reason") or found.group("fact")) if found and found.start() else (text, "")
    )


def cause(before: str) -> str:
    """The reason in the part of a sentence that stands before the statement."""
    found = _CAUSE.match(before)
    return found.group("reason") if found else ""


def reason(sentence: str) -> str:
    """The reason that a sentence of its own gives for the one before; "" if it does not."""
    found = _REASON.match(sentence)
    return found.group("reason") if found else ""


def _asked(sentence: str, start: int, end: int) -> "Optional[Span]":
    found = _ASKED.match(sentence, start, end)
    if not found or _FOR_NOW.search(sentence, start, start + without_task(sentence[start:end], order=False)):
        return None
    lead = _LEAD.match(sentence, found.start("rest"), end)
    at = lead.end() if lead else found.start("rest")
    if _ASKS.search(re.split("[，,；;]", sentence[at:end])[0]):
        return None
    if at == end:
        return (end, end, "", False) if sentence[at - 1] in "：:" else None
    if lead and any([char in "，,：:—" for char in lead.group()]):
        return at, end, "", False
    if _FEATURE.match(sentence, at, end) or _TO_DO.match(sentence, at, end):
        return None
    says = _SAYS.search(re.split("[，,；;]", sentence[at:end])[0])
    return (at, end, "", False) if says else None


def _from_now(sentence: str, start: int, end: int) -> "Optional[Span]":
    found = _FROM_NOW.match(sentence, start, end)
    if not found:
        return None
    content = found.group("content").lstrip(" ，,：:、")
    at = end - len(content)
    order = _ORDER.search(content)
    if not content and sentence[end - 1] in "：:":
        return end, end, "", True
    if (
        order is None
        or _ASKS.search(re.split("[，,；;]", content)[0])
        or _NO_ORDER.match(content)
        or _PLAN.search(content)
        or _passing(content)
    ):
        return None
    return at, end, "", True


def _in_general(sentence: str, start: int, end: int) -> "Optional[Span]":
    found = _GENERAL.match(sentence, start, end)
    if not found:
        return None
    act = re.split("[，,；;]|因为|因為|否则", found.group("object"))[0]
    made = _PRODUCT.search(act) and not _COMMITS.search(act)
    if len(act.strip("了吧啊")) < 2 or made or _passing(found.group("object")):
        return None
    if _AT_HAND.search(sentence, found.end("how"), end):
        return None
    again = "再" in found.group("how")
    return None if again and (_AGAIN.match(act) or not _WORK.search(act)) else (start, end, "", True)


def _passing(content: str) -> bool:
    """Whether this is about the task at hand."""
    here = re.split("[，,；;]", content)[0]
    return any([_FOR_NOW.search(content), _NOW.search(content), _POINTS.search(here)])
