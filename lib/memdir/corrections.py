"""Which sentences of a prompt correct or limit what Claude does, in English, Chinese and Japanese.

A guess by words, for what is shown first and what is left out first; nothing is refused or forgotten for it.
"""

# How such a sentence begins; the words in it; in languages without blanks between words, what it contains.
_BEGINNINGS = ("no,", "no.", "no:", "no i ", "nope", "wrong", "actually", "wait,", "that's wrong", "that is wrong")
_WORDS = (
    " must ", " mustn't ", " only ", " instead ", " don't ", " dont ", " do not ", " never ", " always ", " should ",
    " shouldn't ", " not to ", " rather than ", " avoid ", " without ", " make sure ", " revert ", " undo ", " except ",
    " keep the ", " may not ", " cannot use ", " no longer ", " at most ", " at least ", " be sure to ",
)  # fmt: skip
_PARTS = (
    "不要", "不对", "不對", "不是", "应该", "應該", "应当", "改成", "改为", "改為", "换成", "換成", "必须", "必須",
    "不能", "不可", "禁止", "别用", "別用", "别再", "別再", "别改", "别动", "别把", "只能", "只用", "只改", "只在",
    "只许", "总是", "一律", "务必", "不用", "不准", "不许", "错了", "撤销", "ではなく", "じゃなく", "ないで", "必ず",
    "だけ", "べき", "するな", "てはいけない", "てはならない", "代わりに", "違う", "違います", "間違", "やめて",
    "使わず",
)  # fmt: skip
_NO_LETTERS = {ord(char): " " for char in '.,;:!?()[]"“”*_`'}
MOST = 6  # of one prompt: a pasted text has many that sound so


def sentences(text: str) -> "list[str]":
    """The sentences of a prompt that correct or limit; questions and what stands in code fences do not."""
    found: "list[str]" = []
    fenced = False
    for line in text.split("\n"):
        fenced ^= line.lstrip().startswith("```")
        if not fenced:
            found += [sentence for sentence in _sentences(line) if _is_limit(sentence)]
    return found[:MOST]


def _sentences(line: str) -> "list[str]":
    for end in (". ", "! ", "? ", "; ", "。", "！", "？", "；"):
        line = line.replace(end, end + "\n")
    found: "list[str]" = []
    for sentence in line.split("\n"):
        if found and len(found[-1]) <= 5 and found[-1].isascii():
            sentence = f"{found.pop()} {sentence}"  # "No. Use pnpm."
        if sentence.strip():
            found.append(sentence.strip())
    return found


def _is_limit(sentence: str) -> bool:
    if sentence[-1] in "?？":
        return False
    lower = sentence.lower().replace("’", "'")
    words = f" {' '.join(lower.translate(_NO_LETTERS).split())} "
    return lower.startswith(_BEGINNINGS) or any([word in words for word in _WORDS + _PARTS])
