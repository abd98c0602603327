"""Topic files that are written: new ones, and old ones brought up to date. PyYAML is the judge of the headers."""

import json
import random
import unicodedata
from pathlib import Path

import pytest
import yaml

from memdir import frontmatter, store
from memdir_worker import drafts
from memdir_worker.spoken import Statement

NOW = 1_780_000_000.123
SESSION = "01234567-89ab-4cde-8f01-23456789abcd"
STAMP = "2026-05-28T20:26:40.123Z"
PAIRS = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "data" / "extract" / "subjects.jsonl").read_text("utf-8").splitlines()
]
HOSTILE = [
    "key: value # not a comment",
    "- a list? [no]: {nor: this}",
    "yes",
    "1.10",
    "'single' and \"double\" \\d+ \\n",
    "--- three dashes ---",
    "---",
    "&anchor *alias !!python/object:os.system",
    "a\u2028b\u2029c\x85d\x00e\x1bf",
    "half a pair \ud83d and a whole one 😀",
    "%YAML 1.2",
    "| block\n> folded",
    "` backtick` @at",
    "记住：「冒号」#井号",
    "x" * 5_000,
]


def statement(
    text: str, *, type: str = "project", kind: str = "keep", language: str = "en", reason: str = ""
) -> Statement:
    return Statement(text, kind=kind, type=type, language=language, reason=reason)


def new(text: str, taken: "tuple[str, ...]" = (), **fields: str) -> drafts.Draft:
    return drafts.new(statement(text, **fields), session_id=SESSION, now=NOW, taken=taken)


def updated(text: str, old: str, **fields: str) -> "drafts.Draft | None":
    return drafts.updated(statement(text, **fields), "a.md", old, now=NOW)


def described(draft: drafts.Draft) -> str:
    return frontmatter.parse(draft.text).get("description")


def test_a_new_file_has_the_native_form():
    draft = new("staging deploys only on Tuesdays", type="feedback", reason="QA tests on Mondays")
    assert draft.file == "feedback_staging_deploys_only_tuesdays.md"
    assert draft.text == (
        "---\nname: staging-deploys-only-tuesdays\ndescription: staging deploys only on Tuesdays\n"
        f"metadata:\n  node_type: memory\n  type: feedback\n  originSessionId: {SESSION}\n  modified: {STAMP}\n---\n\n"
        "staging deploys only on Tuesdays\n\n**Why:** QA tests on Mondays\n\n"
        "**How to apply:** Follow this in every session, until the user says otherwise.\n"
    )


@pytest.mark.parametrize("type", ["user", "reference"])
def test_a_fact_about_the_person_or_a_place_needs_no_how(type):
    assert "**" not in new("the board is at https://x.example", type=type).text


def test_without_a_reason_the_file_says_who_asked_and_when_in_the_persons_language():
    assert "**Why:** The user asked to remember this (2026-05-28)." in new("ids are ulids").text
    assert "**Why:** 用户要求记住（2026-05-28）。" in new("端口是 8443", language="zh").text
    assert "**Why:** ユーザーが覚えておくように求めた（2026-05-28）。" in new("IDは文字列", language="ja").text


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:20]))
@pytest.mark.parametrize("type", ["user", "project"])
def test_any_text_reads_back(text, type):
    draft = new(text, type=type)
    raw = draft.text.encode("utf-8", "replace").decode("utf-8")
    read = frontmatter.parse(raw)
    assert not read.problems and not read.degraded
    wanted = drafts._cut(text, drafts.DESCRIPTION_CHARS).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert read.get("description") == wanted
    assert read.field("type") == type
    assert next(yaml.safe_load_all(raw.split("\n---\n")[0]))["description"] == wanted
    topic = store.Topic(draft.file, raw, NOW, NOW)
    assert (topic.type, topic.description) == (type, wanted)


def test_random_text_reads_back_from_new_and_updated_files():
    dice = random.Random(7)
    letters = "ab :#-'\"\\[]{}&*!|>%@`,?\t\u00a0é記録\u2028\U0001f600\x07\ufeff"
    for _ in range(400):
        text = "".join(dice.choices(letters, k=dice.randint(1, 60)))
        one_line = " ".join(text.split())
        draft = new(text)
        assert described(draft) == one_line
        assert yaml.safe_load(draft.text.split("\n---\n")[0])["description"] == one_line
        for old in (own(extra="extra: [1, 2]\n"), foreign("See the runbook.")):
            after = updated(text, old)
            if after is not None:
                assert described(after) == (one_line if "extra" in old else "staging deploys only on Tuesdays")
                assert yaml.safe_load(after.text.split("\n---\n")[0])["name"] == "staging"


@pytest.mark.parametrize("session", ["0b5e-1", "123", "x: y", "true", ""])
def test_an_odd_session_id_stays_text(session):
    text = drafts.new(statement("ids are ulids"), session_id=session, now=NOW, taken=()).text
    assert yaml.safe_load(text.split("\n---\n")[0])["metadata"].get("originSessionId", "") == session


def test_a_description_is_one_line_of_at_most_250_characters():
    description = described(new("many words " * 80))
    assert len(description) <= 250 and description.endswith("…") and "\n" not in description


@pytest.mark.parametrize(
    ("text", "file"),
    [
        ("We use pnpm here, not npm", "project_use_pnpm_here_not_npm.md"),
        ("测试环境每天凌晨重置", "project_测试环境每天凌晨重置.md"),
        ("以后都用 pnpm", "project_以后都用_pnpm.md"),
        ("!!!", "project_note.md"),
    ],
)
def test_a_file_is_named_after_its_words(text, file):
    assert new(text).file == file


@pytest.mark.parametrize(
    "text", ["数据库" * 40, "word " * 60, "x" * 300, "../../etc/passwd", "a/b\\c:d\x00e", "ﬁﬁﬁ" * 60]
)
def test_a_file_name_is_short_and_stays_in_its_directory(text):
    file = new(text).file
    assert len(file.encode()) <= 60 and file.endswith(".md")
    assert not set("/\\:\x00 ") & set(file) and not file.startswith(".")
    assert store.is_topic(file)


def test_a_taken_name_gets_a_number_whatever_its_case_and_form():
    first = new("Café opening hours").file
    again = new("Café opening hours", taken=(unicodedata.normalize("NFD", first).upper(),))
    assert again.file == first.replace(".md", "_2.md")
    assert "name: cafe-opening-hours-2" in again.text
    third = new("Café opening hours", taken=(first, again.file))
    assert third.file == first.replace(".md", "_3.md")


def test_a_title_is_short_and_the_hook_then_has_the_whole():
    short = new("ids are ulids", reason="they sort by time")
    assert (short.title, short.hook) == ("Ids are ulids", "they sort by time")
    long = new(
        "the retry limit of the webhook sender is 7 because the partner's gateway blocks us after the eighth try"
    )
    assert len(long.title) <= 60 and long.title.endswith("…") and "eighth try" in long.hook


STAGING = "staging deploys only on Tuesdays"
WEDNESDAYS = "staging deploys moved to Wednesdays"
WHY_HOW = "\n\n**Why:** {}\n\n**How to apply:** Take this as given.\n"


def own(lead: str = STAGING, *, said: str = "", extra: str = "", body: str = "") -> str:
    """A file in the form that new ones have, with more of a header (`said`: its description as written) and body."""
    return (
        f"---\nname: staging\ndescription: {said or frontmatter.quote(lead)}\n{extra}metadata:\n  node_type: memory\n"
        f"  type: project\n  modified: 2026-01-01T00:00:00.000Z\n  tags: [ops]\n---\n\n"
        f"{lead}{WHY_HOW.format('QA')}{body}"
    )


def foreign(body: str, description: str = STAGING) -> str:
    """A file that a person wrote."""
    return f"---\nname: staging\ndescription: {frontmatter.quote(description)}\n---\n\n{body}\n"


OLD = own(extra="owner: Priya # hand-written\n")
SHAPES = {
    "lf": lambda head, body: head + body,
    "crlf": lambda head, body: (head + body).replace("\n", "\r\n"),
    "mark": lambda head, body: "\ufeff" + head + body,
    "no end": lambda head, body: head + body.rstrip("\n"),
    "crlf body": lambda head, body: head + body.replace("\n", "\r\n"),
    "crlf header": lambda head, body: head.replace("\n", "\r\n") + body,
}


def shaped(text: str, shape: str) -> str:
    at = text.rindex("\n---\n") + 5
    return SHAPES[shape](text[:at], text[at:])


def test_an_update_leads_and_what_it_replaces_stays_below_under_its_date():
    draft = updated(WEDNESDAYS, OLD)
    assert draft is not None
    body = frontmatter.parse(draft.text).body
    assert body.startswith(f"\n{WEDNESDAYS}\n\n**Why:**")
    assert body.endswith(f"Until 2026-05-28 this said:\n\n{STAGING}{WHY_HOW.format('QA')}")


def test_an_update_keeps_the_other_keys_and_sets_description_and_time():
    draft = updated(WEDNESDAYS, OLD)
    assert draft is not None
    assert draft.text.split("---")[1] == OLD.split("---")[1].replace(STAGING, WEDNESDAYS).replace(
        "2026-01-01T00:00:00.000Z", STAMP
    )


@pytest.mark.parametrize("type", ["user", "feedback", "project", "reference"])
@pytest.mark.parametrize("shape", SHAPES)
def test_what_new_wrote_is_rewritten_again_and_again(type, shape):
    texts = ["the board is at b.example", "x" * 400, WEDNESDAYS, "记住：「冒号」#井号", STAGING]
    text = shaped(new(texts[0], type=type, reason="it is").text, shape)
    for number, statement_text in enumerate(texts[1:], 1):
        draft = updated(statement_text, text, type=type)
        assert draft is not None and described(draft)[:200] == statement_text[:200]
        assert len(drafts._UNTIL_LINE.findall(draft.text.replace("\r", ""))) == number
        assert updated(statement_text, draft.text, type=type) is None
        text = draft.text


RUNBOOK = """# Staging

## How to log in

1. Use the VPN.
2. ssh staging.

## Never

Never drop the database."""


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    "old",
    [
        foreign(RUNBOOK),
        foreign(f"{STAGING}\n\nSee the runbook."),
        foreign(f"{STAGING}. Never drop the database."),
        own(body="\nNever drop the database.\n"),
        own(said="deploys of staging"),
        own(said="[a, b]"),
        f"{STAGING}\n\n{RUNBOOK}\n\n---\n",
        "---\nname: a\n---\n",
    ],
    ids=["runbook", "two paragraphs", "two sentences", "added to", "described anew", "odd", "no header", "no body"],
)
def test_a_text_that_is_not_in_memdirs_form_stays_and_the_statement_stands_in_front(old, shape):
    old = shaped(old, shape)
    draft = updated(WEDNESDAYS, old)
    assert draft is not None
    before, after = frontmatter.parse(old), frontmatter.parse(draft.text)
    assert after.meta.get("description") == before.meta.get("description")
    front = f"On 2026-05-28 the user said: {WEDNESDAYS}"
    assert after.body.lstrip("\r\n").split("\n")[0].rstrip("\r") == front
    assert after.body.endswith(before.body.lstrip("\r\n")) and after.body.count(front) == 1
    assert "this said" not in draft.text and (draft.text[0] == "\ufeff") == (old[0] == "\ufeff")
    assert ("\r" in after.body) == ("\r" in (before.body if before.body.strip() else old))
    assert updated(WEDNESDAYS, draft.text) is None


def test_statements_in_front_of_a_persons_text_are_dated_the_newest_first():
    once = updated(WEDNESDAYS, foreign(RUNBOOK), reason="QA moved")
    assert once is not None
    assert f"\n\nOn 2026-05-28 the user said: {WEDNESDAYS} (why: QA moved)\n\n# Staging\n" in once.text
    assert updated(WEDNESDAYS, once.text) is None
    again = drafts.updated(statement(STAGING), "a.md", once.text, now=NOW + 86_400)
    assert again is not None
    assert f"\n\nOn 2026-05-29 the user said: {STAGING}\n\nOn 2026-05-28 the user said: {WEDNESDAYS}" in again.text
    assert updated(WEDNESDAYS, again.text) is not None
    assert updated(STAGING, again.text) is None


@pytest.mark.parametrize(
    ("language", "front"),
    [
        ("zh", "2026-05-28 用户说：端口是 9（原因：x）"),
        ("ja", "2026-05-28 にユーザーが言ったこと：端口是 9（理由：x）"),
    ],
)
def test_a_statement_in_front_is_told_in_the_persons_language(language, front):
    draft = updated("端口是 9", foreign("# 端口\n\n- 见手册"), language=language, reason="x")
    assert draft is not None and frontmatter.parse(draft.text).body.startswith(f"\n{front}\n\n# 端口")
    assert updated("端口是 9", draft.text, language=language) is None


def test_a_persons_text_is_known_by_what_stands_in_front_and_by_its_own_first_line():
    draft = updated(WEDNESDAYS, foreign(f"# {STAGING}\n\nSee there.", "notes on releases"))
    assert draft is not None
    noted = store.Topic("a.md", draft.text, NOW, NOW)
    for text in ("staging deploys moved to Fridays", "staging deploys only on Mondays"):
        assert drafts.same_subject(statement(text), [noted]) is noted


def test_an_update_keeps_byte_order_mark_and_line_ends():
    draft = updated(WEDNESDAYS, "\ufeff" + OLD.replace("\n", "\r\n"))
    assert draft is not None and draft.text[0] == "\ufeff"
    assert "\n" not in draft.text.replace("\r\n", "")
    draft = updated(WEDNESDAYS, foreign("See\r\nthe\nrunbook."))
    assert draft is not None and "See\r\nthe\nrunbook.\n" in draft.text


def test_a_header_and_a_body_with_other_line_ends_keep_their_own():
    for old in (shaped(OLD, "crlf body"), shaped(OLD, "crlf header")):
        draft = updated(WEDNESDAYS, old)
        assert draft is not None
        after = frontmatter.parse(draft.text).body
        assert ("\r" in after) == ("\r" in frontmatter.parse(old).body)
        assert after.count("\n") == after.count("\r\n" if "\r" in after else "\n")
        header = draft.text[: len(draft.text) - len(after)]
        assert header.count("\n") == header.count("\r\n" if old.startswith("---\r") else "\n")


TOPICS = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "data" / "recall" / "topics.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("shape", SHAPES)
def test_no_line_of_a_native_file_is_lost(shape):
    for one in TOPICS:
        old = shaped(
            f"---\nname: {one['id']}\ndescription: {frontmatter.quote(one['description'])} # by hand\nowner: Priya\n"
            "note: |\n  kept # text\nmetadata: \n  node_type: memory\n  # a comment\n  type: feedback\n---\n"
            f"\n{one['body']}\n",
            shape,
        )
        draft = updated(WEDNESDAYS, old)
        assert draft is not None
        for line in old.split("\n"):
            assert line in draft.text
        assert updated(WEDNESDAYS, draft.text) is None


@pytest.mark.parametrize("value", ["plain # why", "'it''s # not' # why", '"a # b"  # why'])
def test_a_comment_behind_a_description_stays(value):
    lead = frontmatter.parse(f"---\nx: {value}\n---\n").get("x")
    draft = updated("ids are ulids", own(lead, said=value))
    assert draft is not None
    assert (
        draft.text.split("\n")[2] == "description: ids are ulids" + value[value.rindex("# why") - 1 - ('"' in value) :]
    )


@pytest.mark.parametrize(
    ("header", "where"),
    [
        ("modified: 2026-01-01\n", "modified: " + STAMP),
        ("metadata: \n  type: user\n", "  type: user\n  modified: " + STAMP + "\n---"),
        ("metadata:\n    modified: 'x'\n    type: user\n", "    modified: " + STAMP + "\n    type"),
    ],
)
@pytest.mark.parametrize("description", ["x", "another"])
def test_the_time_is_set_where_the_file_has_it(header, where, description):
    draft = updated("ids are ulids", f"---\nname: a\ndescription: {description}\n{header}---\nx\n")
    assert draft is not None and where in draft.text
    assert draft.text.count("modified:") == 1


def test_a_text_within_metadata_that_looks_like_a_time_is_none():
    old = "---\nname: a\nmetadata:\n  note: |\n    modified: by hand\n  type: user\n---\nx\n"
    draft = updated("ids are ulids", old)
    assert draft is not None and "    modified: by hand\n  type: user\n  modified: " + STAMP in draft.text


def test_no_time_is_added_to_a_header_without_metadata():
    draft = updated("ids are ulids", "---\nname: a\ndescription: x\n---\nx\n")
    assert draft is not None and draft.text.startswith(
        "---\nname: a\ndescription: ids are ulids\n---\n\nids are ulids\n"
    )


@pytest.mark.parametrize(
    "description",
    [
        "|\n  several lines\n\n  of text",
        "several lines of text",
        "'several lines of text'",
        '"several lines\n  of text"',
        ">-\n  several lines\n  of text",
        "|\n  several lines of\n  text",
        "several\n  lines\n\n  of text",
    ],
)
def test_a_description_of_any_form_is_replaced_whole(description):
    draft = updated("ids are ulids", f"---\ndescription: {description}\nname: a\nx: 1\n---\nseveral lines of text\n")
    assert draft is not None
    assert draft.text.split("\n---\n")[0] == "---\ndescription: ids are ulids\nname: a\nx: 1"


def test_a_file_without_a_header_never_gets_one():
    for text in ("ids are ulids", "---"):
        draft = updated(text, "# Ids\n\nids are uuids\n")
        assert draft is not None
        read = frontmatter.parse(draft.text)
        assert not read.meta and not read.degraded
        assert draft.text == f"On 2026-05-28 the user said: {text}\n\n# Ids\n\nids are uuids\n"


def test_a_header_that_never_closes_stays_and_the_statement_comes_last():
    old = "---\nname: open\nno end here\n"
    draft = updated("ids are ulids", old)
    assert draft is not None
    assert draft.text == old + "\nOn 2026-05-28 the user said: ids are ulids\n"
    assert updated("ids are ulids", draft.text) is None


@pytest.mark.parametrize(
    "old",
    [
        "---\nname: a\ndescription: Ids are ULIDs!\n---\nwhatever\n",
        "# Notes\n\n- ids are **ulids**.\n",
        "---\nname: a\ndescription: x\n---\nFirst line. Ids are ulids. More.\n",
    ],
)
def test_a_file_that_says_so_already_is_left_alone(old):
    assert updated("ids are ulids", old) is None


def test_what_the_file_said_once_can_become_true_again():
    once = updated(WEDNESDAYS, OLD)
    assert once is not None
    again = updated(STAGING, once.text)
    assert again is not None and described(again) == STAGING
    assert updated(STAGING, again.text) is None


def test_the_opposite_is_not_the_same():
    assert (
        updated("push to main", "---\nname: a\ndescription: never push to main\n---\nnever push to main\n") is not None
    )


@pytest.mark.parametrize(
    ("said", "now"),
    [
        ("the retry timeout is 1.5 seconds", "the retry timeout is 15 seconds"),
        ("the standup is at 1:15", "the standup is at 11:5"),
        ("we use Node 1.12", "we use Node 11.2"),
        ("the offset is -5 degrees", "the offset is 5 degrees"),
        ("-5 is the offset", "5 is the offset"),
        ("uploads are < 5 GB", "uploads are > 5 GB"),
        ("a build takes 3-5 minutes", "a build takes 35 minutes"),
        ("the share is 1/2", "the share is 12"),
        ("a seat costs $5", "a seat costs €5"),
        ("sources are in src/ab", "sources are in src/a/b"),
        ("温度是 -5 度", "温度是 5 度"),
    ],
)
def test_another_number_is_never_taken_for_the_old_one(said, now):
    for old, statement_now in ((said, now), (now, said)):
        for text in (own(old), foreign(f"{old}. See the runbook.", "notes")):
            assert updated(old, text) is None
            assert updated(statement_now, text) is not None


@pytest.mark.parametrize(
    ("said", "again"),
    [("- **Uploads** are at most 5 GB.", "uploads are at most 5 GB"), ("the offset is \u22125", "The offset is -5")],
)
def test_marks_that_change_nothing_do_not_make_it_another(said, again):
    assert updated(again, foreign(said, "notes")) is None


def topic(text: str, file: str = "a.md") -> store.Topic:
    return store.Topic(file, f"---\nname: a\ndescription: {frontmatter.quote(text)}\n---\n\n{text}\n", NOW, NOW)


@pytest.mark.parametrize(
    "pair",
    [pair for pair in PAIRS if not pair["same"]],
    ids=lambda pair: f"{pair['first'][:30]} / {pair['second'][:30]}",
)
def test_two_facts_are_two_subjects(pair):
    for first, second in ((pair["first"], pair["second"]), (pair["second"], pair["first"])):
        assert drafts.same_subject(statement(second), [topic(first)]) is None


def test_one_fact_in_other_words_is_one_subject():
    same = [pair for pair in PAIRS if pair["same"]]
    missed = [pair for pair in same if drafts.same_subject(statement(pair["second"]), [topic(pair["first"])]) is None]
    assert len(PAIRS) >= 130 and len(missed) <= len(same) // 20, missed


def test_the_nearest_topic_is_taken_and_facts_of_the_set_do_not_meet():
    topics = [topic(pair["first"], f"{number}.md") for number, pair in enumerate(PAIRS) if pair["same"]]
    found = drafts.same_subject(statement("staging deploys moved to Wednesdays"), topics)
    assert found is not None and found.description in (
        "staging deploys only on Tuesdays",
        "only on Tuesdays staging deploys",
    )
    assert drafts.same_subject(statement("the cafeteria closes at three"), topics) is None


def test_a_topic_is_known_by_the_first_line_of_its_body_too():
    noted = store.Topic(
        "a.md", "---\nname: a\ndescription: notes on releases\n---\n\n# Staging deploys only on Tuesdays\n", NOW, NOW
    )
    assert drafts.same_subject(statement("staging deploys only on Fridays"), [noted]) is noted
