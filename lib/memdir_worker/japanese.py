"""Japanese: what in a sentence asks to remember something. The rule is told in `spoken`."""

import re

from memdir_worker.wording import clauses

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional

    from memdir_worker.wording import Span

_KEEP = (
    r"(?:覚えて(?:おいて|おけ)?|覚えといて|記憶して(?:おいて)?|記憶しといて|メモして(?:おいて)?|メモしといて"
    r"|メモリに(?:保存|追加|入れ)(?:して|て)?(?:おいて)?)"
)
_PLEASE = (
    r"(?:ください|下さい|くださいね|ほしい(?:です)?|欲しい(?:です)?|くれ|もらえますか|ね|よ|な|頂戴|ちょうだい"
    r"|(?:ん|の)?(?:だ|です)?(?:けど|が)(?=[、，,]))*"
)
_CLAUSE = re.compile("[、，,;；]")
OPENING = re.compile(
    r"(?:(?:はい|うん|いや|いいね|ありがとう(?:ございます)?|了解(?:です)?|OK|ok|あと|それと|それから|また|ちなみに"
    r"|じゃあ|では|なお|ただし|重要|注意|すみません|Claude"
    r"|だめ|ダメ|ちがう|違う|お願い|念のため|もう)[、，,。！!：:\s]*)+"
)
_ASKED = re.compile(r"(?P<content>.+?)(?:ちゃんと|しっかり|必ず|今後のために)*" + _KEEP + _PLEASE + r"$", re.DOTALL)
_TIE = re.compile(
    r"(?:(?:という)?(?:こと|の|点)(?:を|は)|ということ|というの|って(?:こと)?(?:を|は)?|と|ので|のを|から|ため|んで"
    r"|を"
    r"|は|[、，,。\s])+$"
)
# "テストを実行することを覚えておいて": an order for the task at hand, unless something says when, or that it lasts.
_TO_DO = re.compile(r"[^はがも]*(?:する|[うくすつぬむるぐぶ])(?:こと|の)[をは]?$")
_LASTS = re.compile(r"前に|後に|たび|とき|時[はに]|毎|いつも|必ず|常に|今後|ない|禁止")
_SAYS = re.compile(r"[はがも]|です|だ|ます|する|した|いる|ある|ない")
_FIRST = re.compile(
    r"(?:これ|以下|次|下記|この点)?(?:のこと|の点|の内容|のルール)?(?:を|は|も)?(?:今後のために)?"
    + _KEEP
    + _PLEASE
    + r"(?P<lead>[：:、，,\s]+|$)(?P<content>.*)",
    re.DOTALL,
)
_FROM_NOW = re.compile(
    r"(?:今後は?|これからは?|これ以降は?|以後は?|以降は?|次回(?:から|以降)は?|次からは?|(?:常に|いつも|毎回"
    r"|必ず毎回)(?=.*(?:コミット|プッシュ|push|テスト|lint|PR|確認|レビュー|答え|書い|説明|デプロイ|マージ"
    r"|付け)))(?P<content>.*)",
    re.DOTALL | re.IGNORECASE,
)
_ORDER = re.compile(
    r"(?:[てで](?:ください|下さい|ほしい|欲しい|くれ|もらえますか|いただけますか|もらいたい"
    r"|お願いします)?(?:です)?[ねよ]?"
    r"|(?:こと|ように|ましょう|お願いします|お願い|禁止|厳禁|必須|するな|すること)(?:です)?[ねよ]?)$"
)
_GENERAL = re.compile(
    r"(?P<before>[^、。]{0,24}?)(?P<how>二度と|絶対に?(?!パス|値|座標|位置|参照|URL)|決して|いかなる場合も"
    r"|何があっても)(?P<content>(?:.*?(?:やめて|だめ|ダメ|駄目)|.+?(?:ないで|ないこと|するな|[うくすつぬむるぐぶ]な"
    r"|禁止"
    r"|ないように))"
    r"(?:して)?(?:ください|下さい|ほしい|欲しい|くれ|いただけますか)?(?:です)?[ねよ]?)$",
    re.DOTALL,
)
_FORBIDS = re.compile(
    r"(?:ないで|ないこと|するな|[うくすつぬむるぐぶ]な|禁止|厳禁|ないように|やめて|だめ|ダメ"
    r"|駄目)(?:して)?(?:ください|下さい|ほしい|欲しい"
    r"|くれ)?(?:です)?[ねよ]?$"
)
_PRODUCT = re.compile(r"返さ|返す|表示|出力|起き|発生|エラー|クラッシュ|落ち|表示さ|切れ|なら|残ら|関数|メソッド")
# What Claude does while it works.
_WORK = re.compile(
    r"push|プッシュ|コミット|commit|マージ|merge|デプロイ|deploy|編集|触|いじ|動か|変え|実行|更新|変更|使|書|消"
    r"|削除|インストール"
    r"|リベース|rebase|force|直接|勝手|無断"
    r"|モック|mock|上書き|作|スキップ|飛ばさ",
    re.IGNORECASE,
)
_FOR_NOW = re.compile(
    r"今回|今日|今は|とりあえず|一旦|いったん|この(?:PR|タスク|ブランチ|件|作業|セッション)|ひとまず|当面|まだ"
)
_POINTS = re.compile(r"(?:この|その|あの)(?!プロジェクト|リポジトリ|チーム|会社)|これ|それ|あれ|ここ")
_UNSURE = re.compile(
    r"もし|場合は(?=.*ないなら)|言って|言われ|らしい|そうです|聞いた|と書いて(?!あ)|訳して|予定|検討|つもり|どう|なぜ"
    r"|なんで|何を|どの|べきか|原因|調べて|考えて|教えて"
)
_BECAUSE = re.compile(r"(?P<reason>.+?)(?:ので|ため|から)[、，,]\s*(?P<content>.+)$", re.DOTALL)
_REASON = re.compile(
    r"(?:なぜなら|理由は|というのも)、?(?P<reason>.+?)(?:から|ため|ので)?(?:です|だ)?$|(?P<short>.{2,60}?)(?:なので"
    r"|ので|から|ため)(?:です)?ね?$",
    re.DOTALL,
)


def heard(sentence: str, *, opens: bool, alone: bool, listed: bool) -> "Optional[Span]":
    """The words of a masked sentence that are to be remembered."""
    stripped = sentence.rstrip(" \t。！!.？?")
    end = len(stripped)
    if sentence.rstrip().endswith(("?", "？")) or stripped.endswith("か"):
        return None
    for start in clauses(OPENING, _CLAUSE, stripped):
        if start and _UNSURE.search(sentence, 0, start):
            break
        found = _asked(sentence, start, end) or _from_now(sentence, start, end)
        found = found or (None if listed else _in_general(sentence, start, end))
        if found:
            return found
    return None


def forbids(text: str) -> bool:
    return _FORBIDS.search(text) is not None


def reasoned(text: str) -> "tuple[str, str]":
    """A statement without its reason, and the reason. A reason stands first in Japanese."""
    return text, ""


def cause(before: str) -> str:
    """The reason in the part of a sentence that stands before the statement."""
    found = _BECAUSE.match(before)
    return found.group("reason") if found else ""


def reason(sentence: str) -> str:
    """The reason that a sentence of its own gives for the one before; "" if it does not."""
    found = _REASON.match(sentence)
    return (found.group("reason") or found.group("short") or "") if found else ""


def _asked(sentence: str, start: int, end: int) -> "Optional[Span]":
    first = _FIRST.match(sentence, start, end)
    if first:
        at = first.start("content")
        if at < end:
            return at, end, "", False
        return (end, end, "", False) if first.group(0)[-1:] in "：:" or first.start() != first.end() else None
    found = _ASKED.match(sentence, start, end)
    if not found or _UNSURE.search(sentence, start, end) or _FOR_NOW.search(sentence, start, end):
        return None
    content = found.group("content")
    if _TO_DO.match(re.split("[、，]", content)[-1]) and not _LASTS.search(content):
        return None
    tie = _TIE.search(content)
    stop = start + (tie.start() if tie else len(content))
    says = _SAYS.search(sentence, start, stop) or _LASTS.search(sentence, start, stop)
    return (start, stop, "", False) if stop > start and says else None


def _from_now(sentence: str, start: int, end: int) -> "Optional[Span]":
    found = _FROM_NOW.match(sentence, start, end)
    if not found:
        return None
    content = found.group("content").lstrip(" 、，,：:")
    if content.startswith("の"):  # "the pull requests of the future are …": the order is about them
        content = content[1:]
        if not re.search("[はも]", content):
            return None
    if not content and sentence[end - 1] in "：:":
        return end, end, "", True
    return (end - len(content), end, "", True) if _ORDER.search(content) and not _passing(content) else None


def _in_general(sentence: str, start: int, end: int) -> "Optional[Span]":
    found = _GENERAL.match(sentence, start, end)
    if not found or not _WORK.search(found.group()) or _PRODUCT.search(found.group()) or _passing(found.group()):
        return None
    return start, end, "", True


def _passing(content: str) -> bool:
    """Whether this is about the task at hand."""
    return any([pattern.search(content) for pattern in (_FOR_NOW, _POINTS, _UNSURE)])
