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
    return drafts.updated(statement(text, **fields), "a.md", old, session_id=SESSION, now=NOW)


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
    described = frontmatter.parse(raw)
    assert not described.problems and not described.degraded
    wanted = draft.description.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert described.get("description") == wanted
    assert described.field("type") == type
    assert next(yaml.safe_load_all(raw.split("\n---\n")[0]))["description"] == wanted
    topic = store.Topic(draft.file, raw, NOW, NOW)
    assert (topic.type, topic.description) == (type, wanted)


def test_random_text_reads_back_from_new_and_updated_files():
    dice = random.Random(7)
    letters = "ab :#-'\"\\[]{}&*!|>%@`,?\t\u00a0é记録\u2028\U0001f600\x07\ufeff"
    for _ in range(400):
        text = "".join(dice.choices(letters, k=dice.randint(1, 60)))
        draft = new(text)
        assert frontmatter.parse(draft.text).get("description") == draft.description
        assert yaml.safe_load(draft.text.split("\n---\n")[0])["description"] == draft.description
        after = updated(text, "---\nname: a\ndescription: old thing\nextra: [1, 2]\n---\nbody\n")
        if after is not None:
            assert frontmatter.parse(after.text).get("description") == after.description
            assert yaml.safe_load(after.text.split("\n---\n")[0])["extra"] == [1, 2]


@pytest.mark.parametrize("session", ["0b5e-1", "123", "x: y", "true", ""])
def test_an_odd_session_id_stays_text(session):
    text = drafts.new(statement("ids are ulids"), session_id=session, now=NOW, taken=()).text
    assert yaml.safe_load(text.split("\n---\n")[0])["metadata"].get("originSessionId", "") == session


def test_a_description_is_one_line_of_at_most_250_characters():
    description = new("many words " * 80).description
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


OLD = (
    "---\nname: staging\ndescription: staging deploys only on Tuesdays\nowner: Priya # hand-written\nmetadata:\n"
    "  node_type: memory\n  type: project\n  modified: 2026-01-01T00:00:00.000Z\n  tags: [ops]\n---\n\n"
    "staging deploys only on Tuesdays\n\nSee the runbook.\n"
)


def test_an_update_leads_and_what_it_replaces_stays_below_under_its_date():
    draft = updated("staging deploys moved to Wednesdays", OLD)
    assert draft is not None
    body = frontmatter.parse(draft.text).body
    assert body.startswith("\nstaging deploys moved to Wednesdays\n\n**Why:**")
    assert body.endswith("Until 2026-05-28 this said:\n\nstaging deploys only on Tuesdays\n\nSee the runbook.\n")


def test_an_update_keeps_the_other_keys_and_sets_description_and_time():
    draft = updated("staging deploys moved to Wednesdays", OLD)
    assert draft is not None
    assert draft.text.split("---")[1] == OLD.split("---")[1].replace(
        "staging deploys only on Tuesdays", "staging deploys moved to Wednesdays"
    ).replace("2026-01-01T00:00:00.000Z", STAMP)


def test_an_update_keeps_byte_order_mark_and_line_ends():
    old = "\ufeff" + OLD.replace("\n", "\r\n")
    draft = updated("staging deploys moved to Wednesdays", old)
    assert draft is not None and draft.text[0] == "\ufeff"
    assert "\n" not in draft.text.replace("\r\n", "")
    mixed = OLD.replace("See the runbook.\n", "See\r\nthe\nrunbook.\n")
    draft = updated("staging deploys moved to Wednesdays", mixed)
    assert draft is not None and "See\r\nthe\nrunbook." in draft.text


@pytest.mark.parametrize(
    ("old", "where"),
    [
        ("---\nname: a\nmodified: 2026-01-01\n---\nx\n", "modified: " + STAMP),
        ("---\nname: a\nmetadata: \n  type: user\n---\nx\n", "  type: user\n  modified: " + STAMP + "\n---"),
        (
            "---\nname: a\nmetadata:\n    modified: 'x'\n    type: user\n---\nx\n",
            "    modified: " + STAMP + "\n    type",
        ),
    ],
)
def test_the_time_is_set_where_the_file_has_it(old, where):
    draft = updated("ids are ulids", old)
    assert draft is not None and where in draft.text
    assert draft.text.count("modified:") == 1


def test_no_time_is_added_to_a_header_without_metadata():
    draft = updated("ids are ulids", "---\nname: a\n---\nx\n")
    assert draft is not None and draft.text.startswith(
        "---\nname: a\ndescription: ids are ulids\n---\n\nids are ulids\n"
    )


@pytest.mark.parametrize(
    "description",
    [
        "|\n  block\n\n  # no comment",
        "plain",
        "'quoted'",
        '"two\n  lines"',
        ">-\n  folded\n  text",
        "|\n  block\n  # no comment",
        "several\n  lines\n\n  of text",
        "",
    ],
)
def test_a_description_of_any_form_is_replaced_whole(description):
    draft = updated("ids are ulids", f"---\ndescription: {description}\nname: a\nx: 1\n---\nold\n")
    assert draft is not None
    assert draft.text.split("\n---\n")[0] == "---\ndescription: ids are ulids\nname: a\nx: 1"


def test_a_file_without_a_header_never_gets_one():
    draft = updated("ids are ulids", "# Ids\n\nids are uuids\n")
    assert draft is not None
    assert draft.text.startswith("ids are ulids\n\n**Why:**")
    assert draft.text.endswith("this said:\n\n# Ids\n\nids are uuids\n")
    dashed = updated("---", "# Ids\n")
    assert (
        dashed is not None and not frontmatter.parse(dashed.text).meta and not frontmatter.parse(dashed.text).degraded
    )


def test_a_header_that_never_closes_stays_and_the_statement_comes_last():
    old = "---\nname: open\nno end here\n"
    draft = updated("ids are ulids", old)
    assert draft is not None
    assert draft.text.startswith(old) and "\n\nids are ulids\n" in draft.text


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
    once = updated("staging deploys moved to Wednesdays", OLD)
    assert once is not None
    again = updated("staging deploys only on Tuesdays", once.text)
    assert again is not None and again.description == "staging deploys only on Tuesdays"
    assert updated("staging deploys only on Tuesdays", again.text) is None


def test_the_opposite_is_not_the_same():
    assert (
        updated("push to main", "---\nname: a\ndescription: never push to main\n---\nnever push to main\n") is not None
    )


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
    assert len(PAIRS) >= 60 and len(missed) <= len(same) // 20, missed


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
