"""The hard rule that would hold what a person forbade, where one follows from the words: offered, never in force.

A statement is taken apart from both ends: what makes it a prohibition in front, what changes nothing behind ("again",
"in this repo", a reason). What is left has to be, to the last word, one of the acts below, or a list of them: all or
none. An exception ("unless …", 除非…) or a word that is not understood ends it: no proposal is better than a wrong one,
and a part of what was said is a wrong one. "Without asking me" makes a question of a refusal. A rule is what a header
would hold: `deny`, `ask`, `protect`, `require` and `examples`.
"""

import json
import re

from memdir.rules import entries
from memdir_worker import prohibited_acts as acts
from memdir_worker.commands_said import COMMAND, check, may_be_cut_short

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Optional

    from memdir_worker.prohibited_acts import Rule
    from memdir_worker.spoken import Statement

    Act = Callable[[re.Match[str]], Optional[Rule]]

KEY = "proposedRule"  # of a topic file's metadata
HARD = ("deny", "ask", "protect", "require")
_I = re.IGNORECASE
_HAN = re.compile("[\u3400-\u9fff]")

# Others than these are branches where it is said so: "production" is a place as well.
_BRANCH = (
    r"[`\"']?(?P<branch>main|master|trunk|develop|(?:release|hotfix)/\*"
    r"|(?!(?:an?|any|another|the|that|this|your|my|our|its|wrong|remote|default|protected|shared|other|same)\b)"
    r"[a-z][A-Za-z0-9_./-]*(?=[`\"']?\s*(?:branch|分支|ブランチ)))[`\"']?"
)
_ONE_PATH = r"(?:[A-Za-z0-9_./~*@-]+|lock files?)"
_PATH = rf"[`\"'“「]?(?P<path>{_ONE_PATH}(?:(?:\s*(?:、|和|或|と)\s*|\s+(?:and|or)\s+){_ONE_PATH})*?)[`\"'”」]?"
_COMMAND = rf"(?P<command>{COMMAND})"
_FORCED = r"(?:git push (?:--force|-f)|force[ -]?push(?:ing)?(?: anything)?|--force(?= ?push))"
_SECRET = r"(?:the |any )?[`\"']?(?P<secret>\.env[A-Za-z0-9_.*-]*)[`\"']?"

# What makes it a prohibition, and what stands behind it without changing it.
_LEAD = {
    "en": re.compile(
        r"(?:(?:please|also|and|but|so|ok|no),?\s+)*(?:(?:you|claude) (?:must|should|may|can)\s+)?"
        r"(?:never|not|do\s+not|don[’']?t|stop|avoid|under no circumstances|i (?:never|don[’']?t ever) want you to)\s+"
        r"(?:(?:ever|again|even|directly|please)\s+)*",  # "never just run the tests" orders more than that
        _I,
    ),
    "zh": re.compile(
        r"(?:(?:提交|commit)(?:代码)?的?时候?|(?:未经|没有)我?的?(?:允许|同意|许可|确认)[，,]?"
        r"|请|請|都|千万|千萬|永远|永遠|绝对|絕對|任何时候|任何情况下|无论如何|，|\s)*"
        r"(?:不要|别|別|不许|不准|禁止|绝不能?|绝不要|勿|不得|不能|不可以)"
        r"(?:再|直接|随便|手动|擅自|自己|自动|自作主张|私自|去|给我|\s)*"
    ),
}
_TAIL = {
    "en": re.compile(
        r"\s+(?:yourself|again|any ?more|ever|please|directly|by hand|manually|for me|at all|under any circumstances"
        r"|(?:in|for|on|from) (?:this|our|my|the) (?:repo|repository|project|codebase))$",
        _I,
    ),
    "zh": re.compile(r"[了啊吧哦呀！。\s]$"),
    "ja": re.compile(r"[、。！\s]$"),
}
# Where a reason or what to do instead may begin, and with what words; anything else may be the next of a list.
_BREAK = {"en": re.compile(r"\s*(?:[,;—–(]|\s-\s)\s*(?:so\s+)?"), "zh": re.compile(r"\s*[，,；;。（(—]+\s*")}
_REASON = {
    "en": re.compile(
        r"(?:because|since|otherwise|or else|please|always|instead|reason|let|ask|use|run|make|leave|prefer|go through"
        r"|(?:it|that|there)[’']?s|it"
        r"|they(?:[’']?re)?|i(?:[’']?(?:m|ll|ve|d))?|we(?:[’']?(?:re|ll|ve))?|you(?:[’']?(?:re|ll|ve))?"
        r"|(?:th[ae]t|this|those|these|there|ci|(?:the|our|my|an?)(?: (?!that\b|which\b|who\b)[\w-]+)+?) (?:is|are|was"
        r"|were|has|have|does|do|did|will|can|must|should|would|broke|breaks|owns|runs|deploys|generates|takes|handles"
        r"|needs))\b(?!\s*$)|[^,;]+ instead$"
        r"|(?:open|create) an? (?:new )?(?:prs?|pull request|branch)$|(?:please|thanks|thank you|ok|period|seriously)$",
        _I,
    ),
    "zh": re.compile(
        r"(?:因为|由于|否则|不然|(?:这|那)(?:里|边|个|些)?(?:目录|文件|东西)?(?:马上|已经?|现在)?都?[是会要由归有在没不上下属]"
        r"|[它他]们?(?!的)|[我你](?!的)|会|都?是|由|归|请?(?:直接|统一|一律)?(?:改?用|要用|走|通过)|让|交给|应该|需要"
        r"|要|跑|(?:谢谢|拜托|谢了)$)"
    ),
}
# What forbids or names more, wherever it stands in what follows.
_MORE = re.compile(
    r"\b(?:never|nor|too|also|as well|either|neither|likewise|same for)\b"
    r"|(?:^|[,;—–(]|\b(?:and|or|but|so))\s*(?:please\s+)?(?:do not|don[’']?t|stop|avoid|no)\b"
    r"|不要|别(?!人|的)|不许|不准|禁止|不能|不可以|不得|勿|也|还有|以及|同样|包括|尤其|特别",
    _I,
)
# Between the parts of a list.
_JOINT = {
    "en": re.compile(r"\s*[,;]\s*(?:(?P<or>or|nor)\s+|and\s+)?|\s+(?:(?P<or_>or|nor)|and)\s+", _I),
    "zh": re.compile(r"\s*[，,、；;]\s*(?:也|还有|以及|(?P<or>或者?)|和)?\s*|\s*(?:以及|(?P<or_>或者?)|和|跟|与)\s*"),
    "ja": re.compile(r"\s*[、,]\s*|\s*(?:および|または|もしくは|や|と|か)\s*"),
}
_ARTICLE = re.compile(r"(?:the|our|any|my)\s+", _I)
_MOST = 5  # parts of a list
_EXCEPT = re.compile(
    r"\b(?:unless|except|if|when|while|until|without|but|only|during|before|after|instead of|whenever)\b"
    r"|除非|除了|如果|要是|但|只|才|之前|以外|場合|まで|ただし"
)
# What turns a refusal into a question.
_ASKING = {
    "en": re.compile(
        r",?\s+(?:(?:by yourself|on your own|automatically)|without (?:(?:first )?(?:asking|telling)(?: me)?"
        r"|(?:(?:my|explicit|prior|a|code)\s+)*(?:ok|okay|approval|permission|consent|go-ahead|confirmation|review)"
        r"|checking with me|showing me [\w ]+?)"
        r"(?: first)?|unless i (?:ask|say|tell)(?: you| so| for it)*)$",
        _I,
    ),
    "zh": re.compile("随便|擅自|自动|自己|自作主张|私自|未经|没有我"),
    "ja": re.compile("勝手に|無断で|許可なく|確認なしに|自分で|自動で|自動的に"),
}
# Straight away, without a review: of a commit that makes a question, and of a command nobody knows what. Whoever pushes
# to a branch or edits a file does so directly in any case.
_STRAIGHT = re.compile(r"\bdirectly\b|直接", _I)
_STRAIGHT_ANYWAY = frozenset(
    (acts.push_to, acts.force_push, acts.force_push_to, acts.skip_hooks, acts.discard, acts.read_secrets, None)
)
_WHILE = re.compile(r"(?:提交|commit)(?:代码)?的?时", _I)  # a condition, which only the hooks of a commit imply
_ADVERBS = re.compile(
    r"二度と|絶対に?|決して|勝手に|無断で|許可なくに?|確認なしに|直接|自分で|自動的に|自動で|手で|手動で"
    r"|いかなる場合も|何があっても|今後は?、?"
)
_NEGATION = re.compile(
    r"(?:[しわらさませかけれえ]?ない(?:で|こと|ように)|するな|[うくすつぬむるぐぶ]な"
    r"|(?:する|[うくすつぬむるぐぶ])?(?:の|こと)?(?:は|を)?(?:やめて|だめ|ダメ|駄目|禁止|厳禁))"
    r"(?:して)?(?:ください|下さい|ほしい|欲しい|くれ)?(?:です)?[ねよ]?$"
)


# (what is left of a statement, the rule that follows); None is a path to protect.
_ACTS: "dict[str, tuple[tuple[str, Optional[Act]], ...]]" = {
    "en": (
        (
            r"push(?:ing)?(?: (?:anything|code|straight|directly))* (?:to|on|into) (?:the )?"
            rf"{_BRANCH}(?: branch(?:es)?)?",
            acts.push_to,
        ),
        (rf"(?:do |use |run )?(?:a )?{_FORCED}", acts.force_push),
        (rf"{_FORCED} (?:to|on) (?:the )?{_BRANCH}(?: branch(?:es)?)?", acts.force_push_to),
        (r"(?:skip|bypass)(?:p?ing)? (?:the |any )?(?:git |pre-?commit |commit |pre-?push )*hooks?", acts.skip_hooks),
        (r"(?:commit(?:ting)? with|us(?:e|ing)) `?(?:git commit )?--no-verify`?", acts.skip_hooks),
        (r"(?:discard|throw away|throw out)(?:ing)? (?:(?:my|our|any|uncommitted|local) )+changes", acts.discard),
        (rf"(?:read|open|print|show|cat|look at|display)(?:ing)? {_SECRET}(?: files?)?", acts.read_secrets),
        (r"(?:delet|remov)(?:e|ing) (?:(?:git|any|my|our|(?P<remote>remote)) )*branch(?:es)?", acts.delete_branches),
        (r"amend(?:ing)? (?:any )?(?:git )?commits?", acts.amend),
        (r"commit(?:ting)?(?: (?:anything|code|changes|my changes))?", acts.commits),
        (r"push(?:ing)?(?: (?:anything|code|commits|changes))?", acts.pushes),
        (r"rebas(?:e|ing)(?: any(?:thing)?)?(?: (?:branch(?:es)?|commits?))?", acts.rebase),
        (
            r"(?P<act>merg(?:e|ing)|open(?:ing)?|creat(?:e|ing)) (?:a |any |my )?(?:prs?|pull requests?)",
            acts.pull_requests,
        ),
        (rf"(?:(?:run|execut|invok|call)(?:e|ning|ing)?|(?P<used>us(?:e|ing))) {_COMMAND}", acts.run),
        (
            r"(?:(?:edit|touch|modify|chang|alter|overwrit|rewrit|mess(?:ing)? with)(?:e|ing)?"
            r"|writ(?:e|ing) (?:in)?to) "
            r"(?P<inside>(?:anything|(?:the |any )?(?:files|code)) (?:in|under|inside|below) )?(?:the |our |any |my )?"
            rf"{_PATH}(?P<folder> (?:folder|directory|dir)s?)?(?: files?)?",
            None,
        ),
    ),
    "zh": (
        (rf"(?:推送?|push)(?:代码|任何东西)?\s*(?:到|至|上|进)?\s*(?:远程)?\s*{_BRANCH}\s*(?:分支)?上?", acts.push_to),
        (rf"(?:往|向|给)\s*{_BRANCH}\s*(?:分支)?上?(?:直接)?\s*(?:推送?|push)(?:代码|东西)?", acts.push_to),
        (rf"(?:使?用)?\s*(?:{_FORCED}|强推|强制推送|强制\s*push)(?:代码)?", acts.force_push),
        (r"(?:跳过|绕过)\s*(?:git\s*)?(?:pre-?commit|commit)?\s*(?:的\s*)?(?:hooks?|钩子)", acts.skip_hooks),
        (r"(?:使?用|加)\s*(?:git commit )?--no-verify(?:\s*(?:提交|参数))?", acts.skip_hooks),
        (rf"(?:读取?|查看|看|打开|cat)\s*{_SECRET}\s*(?:文件|的内容|里的内容)?", acts.read_secrets),
        (r"删除?(?:掉)?(?P<remote>远程)?(?:的)?分支", acts.delete_branches),
        (r"(?:提交|commit)(?:代码|改动|更改)?", acts.commits),
        (r"(?:推送|push)(?:代码|提交)?", acts.pushes),
        (r"(?:使?用)?\s*(?:git commit )?--amend|amend\s*(?:提交|commit)?", acts.amend),
        (rf"(?:(?:执行|运行|跑|调用)|(?P<used>使?用))\s*{_COMMAND}\s*(?:这个)?(?:命令)?", acts.run),
        (
            rf"(?:碰|动|动手改|改动?|修改|编辑|更改|触碰)\s*{_PATH}\s*(?:这个|那个|这[两几些]个?)?"
            r"(?P<folder>目录|文件夹)?(?P<inside>里|中|下)?面?(?:的)?(?:所有)?(?:文件|东西|代码|内容)?",
            None,
        ),
    ),
    "ja": (
        (rf"{_BRANCH}\s*(?:ブランチ)?(?:に|へ)は?\s*(?:git\s*)?(?:push|プッシュ)", acts.push_to),
        (
            rf"(?:{_FORCED}|強制プッシュ|強制push|フォースプッシュ)(?:を|は)?(?:使|実行)?",
            acts.force_push,
        ),
        (
            r"(?:git\s*)?(?:pre-?commit\s*)?(?:の)?(?:フック|hooks?)(?:を|は)\s*(?:スキップ|飛ば|回避)",
            acts.skip_hooks,
        ),
        (r"--no-verify(?:(?:を|は)\s*(?:使|付|つ)|で\s*(?:コミット|commit))", acts.skip_hooks),
        (
            rf"{_SECRET}\s*(?:ファイル|の中身)?(?:を|は)\s*(?:読|読み込|見|開|表示)",
            acts.read_secrets,
        ),
        (r"(?P<remote>リモート)?(?:の)?ブランチ(?:を|は)\s*(?:削除|消)", acts.delete_branches),
        (r"(?:コミット|commit)", acts.commits),
        (r"(?:プッシュ|push)", acts.pushes),
        (rf"{_COMMAND}\s*(?:コマンド)?(?:を|は)\s*(?:(?:実行|走ら|叩)|(?P<used>使用?))", acts.run),
        (
            rf"{_PATH}\s*(?P<folder>ディレクトリ|フォルダー?)?(?P<inside>以下|配下|の中)?(?:の)?(?:ファイル|コード)?"
            r"\s*(?:には?|を|は)\s*(?:触|編集|変更|いじ|変|書き換|修正|上書き)",
            None,
        ),
    ),
}
_COMPILED = {tongue: [(re.compile(pattern, _I), act) for pattern, act in known] for tongue, known in _ACTS.items()}
# What has to be run before a commit or a push.
_REQUIRED = [
    re.compile(pattern + r"[了啊吧。！!\s]*", _I)
    for pattern in (
        r"(?:(?:please|also|always|you must|you should|make sure (?:to|you))\s+)*run "
        rf"{_COMMAND}(?: (?:once|first))? before (?:you |every |each |any |a |making a )*"
        r"(?P<act>commit|push)(?:ting|ing|es|s)?(?: anything| code)?",
        r"(?:always )?before (?:you |every |each |any |a |making a )*(?P<act>commit|push)(?:ting|ing)?"
        rf"(?: anything| code)?,? (?:please |always |you must |first )*run {_COMMAND}(?: first)?",
        r"(?:you (?:must|should) )?(?:never|do not|don[’']?t(?: ever)?) (?P<act>commit|push)(?: anything| code)? "
        rf"without (?:first )?running {_COMMAND}(?: first)?",
        r"(?:每次)?(?:在)?(?P<act>提交|推送|commit|push)(?:代码)?之?前(?:必须|一定要|要|先|得|务必|请|都|记得|你|，|,)*"
        rf"(?:跑|运行|执行)(?:一下|一遍|一次)?\s*{_COMMAND}(?:一下|一遍)?",
        r"(?P<act>コミット|プッシュ|commit|push)(?:する)?(?:の)?前に(?:は)?(?:必ず|毎回|常に|まず|[、,\s])*"
        rf"{_COMMAND}\s*(?:を)(?:必ず|毎回)?\s*(?:実行|走らせ)(?:して|する)(?:ください|こと|ね)*",
    )
]


def rule(statement: "Statement", project: str) -> "Optional[Rule]":
    """What would hold a statement; None where no sound rule follows. `project` is the directory that paths are in."""
    words = " ".join(statement.text.split())
    made = _requirement(words) if statement.type == "feedback" else None
    if made is None and statement.kind == "forbid":
        han = statement.language == "en" and _HAN.match(words)  # a Chinese order about many English words
        made = _prohibition(words, "zh" if han else statement.language, project)
    if made is None:
        return None
    for key in HARD:
        listed = made.get(key, [])
        if any([entry.problem for entry in entries.read(key, listed, list(range(len(listed))))]):
            return None
    return {key: made[key] for key in (*HARD, "examples") if made.get(key)}


def text(made: "Optional[Rule]") -> str:
    """As the topic file holds it: JSON without blanks, in which no line can begin with a hard key; "" for None."""
    return json.dumps(made, ensure_ascii=False, separators=(",", ":")) if made else ""


def _requirement(words: str) -> "Optional[Rule]":
    for pattern in _REQUIRED:
        found = pattern.fullmatch(words)
        step = check(found["command"]) if found else ""
        if found and step:
            act = "push" if found["act"].lower() in ("push", "推送", "プッシュ") else "commit"
            return {"require": [f"Bash(git {act} *) after Bash({step})"]}
    return None


def _prohibition(words: str, tongue: str, project: str) -> "Optional[Rule]":
    core, said, asks = _core(words, tongue)
    if not core or _EXCEPT.search(core) or (words.endswith(core) and may_be_cut_short(core)):
        return None
    parts = _parts(core, tongue)
    straight = _STRAIGHT.search(said) is not None
    made = []
    for found, act in parts:
        one = act(found) if act else acts.protect(found, project)
        doubtful = straight and act not in _STRAIGHT_ANYWAY
        if one is None or (doubtful and act is acts.run) or (_WHILE.match(said) and act is not acts.skip_hooks):
            return None
        made.append(acts.asked(one) if asks or doubtful else one)
    return acts.joined(made, alike=len({act for _, act in parts}) == 1) if made else None


def _core(words: str, tongue: str) -> "tuple[str, str, bool]":
    """What is forbidden, "" if that is not clear; the statement without its reason; whether it is only to be asked."""
    if tongue == "ja":
        plain = _ADVERBS.sub("", words)
        core = _NEGATION.sub("", plain)
        return "" if core == plain else _trimmed(core, tongue), words, _ASKING[tongue].search(words) is not None
    cut = _ASKING[tongue].search(words) if tongue == "en" else None
    words = words[: cut.start()] if cut else words
    lead = _LEAD[tongue].match(words)
    if lead is None:
        return "", words, False
    core = words[lead.end() :]
    for found in _BREAK[tongue].finditer(core):
        after = core[found.end() :]
        if _REASON[tongue].match(after) and not _EXCEPT.search(after) and not _MORE.search(after):
            core = core[: found.start()]
            break
    said = lead.group() + core
    asks = cut is not None or (tongue == "zh" and _ASKING[tongue].search(said) is not None)
    return _trimmed(core, tongue), said, asks


def _trimmed(core: str, tongue: str) -> str:
    """Without the words at its end that change nothing."""
    while True:
        shorter = _TAIL[tongue].sub("", core).strip()
        if shorter == core:
            return core
        core = shorter


def _parts(core: str, tongue: str) -> "list[tuple[re.Match[str], Optional[Act]]]":
    """The acts that a prohibition names; none where one of them is not understood.

    What stands before the first thing (in Japanese behind the last one) is said of all: "never edit a.ts or b.ts".
    """
    whole = _act(core, tongue)
    joints = list(_JOINT[tongue].finditer(core))
    if whole or not joints or len(joints) >= _MOST:
        return [whole] if whole else []
    edges = [0, *[at for joint in joints for at in joint.span()], len(core)]
    said = [_trimmed(core[start:end], tongue) for start, end in zip(edges[::2], edges[1::2])]
    said = said[::-1] if tongue == "ja" else said
    first = _act(said[0], tongue)
    if first is None:
        return []
    found = [first]
    either = any([name in joint.groupdict() and joint[name] for joint in joints for name in ("or", "or_")])
    for part in said[1:]:
        lead = _LEAD[tongue].match(part) if tongue != "ja" else None
        one = _act(part[lead.end() :], tongue) if lead else _act(_like(first[0], part, tongue), tongue)
        one = one or (_act(part, tongue) if either else None)
        if one is None:
            return []
        found.append(one)
    return found[::-1] if tongue == "ja" else found


def _like(first: "re.Match[str]", part: str, tongue: str) -> str:
    """A part of a list with what was said once for all."""
    named = [name for name in ("command", "branch", "path", "secret") if first.groupdict().get(name)]
    if not named:
        return ""
    if tongue == "ja":
        return part + first.string[first.end(named[0]) :].lstrip("`\"'」")
    return first.string[: first.start(named[0])].rstrip("`\"'“「") + _ARTICLE.sub("", part, count=1)


def _act(core: str, tongue: str) -> "Optional[tuple[re.Match[str], Optional[Act]]]":
    for pattern, act in _COMPILED[tongue]:
        found = pattern.fullmatch(core)
        if found and (act is not acts.run or acts.run(found)):
            return found, act
    return None
