import pytest

from memdir import catalog, rank, recall

NOW = 1_790_000_000.0


class Known(rank.MemoryIndex):
    """A catalog in memory."""

    def __init__(self, *topics):
        super().__init__([rank.document(name, description, "") for name, description in topics])
        self.base = self.n
        self._topics = topics

    def record(self, doc):
        name, description = self._topics[doc]
        return f"{name}.md", (0, 0, 0), "project", description, NOW, 0


MANY = [(f"deploy-note-{number}", f"staging deploy note {number} about the gateway") for number in range(9)]
MANY += [(f"other-{number}", f"{word} of the web package") for number, word in enumerate(
    "colours fonts icons tests builds hooks routes forms dates money images caches cookies".split()
)]  # fmt: skip


@pytest.mark.parametrize(
    "prompt",
    ["/review src", "/plugin:command zebra", "  /clear", "", "   ", "<task-notification>\n<task-id>1</task-id>",
     "<local-command-stdout>x", "<command-name>/x</command-name>"],
)  # fmt: skip
def test_what_nobody_typed_is_no_question(prompt):
    assert not recall.is_question(prompt, "")


@pytest.mark.parametrize(
    "prompt", ["/etc/hosts is wrong", "fix it", "<div> is not closed", "部署前要做什么？", "1/2 of it"]
)
def test_what_a_person_typed_is_one(prompt):
    assert recall.is_question(prompt, "")


@pytest.mark.parametrize("source", ["system", "loop_wakeup", "schedule_wakeup", "poll_event"])
def test_the_client_s_own_prompts_are_none(source):
    assert not recall.is_question("fix it", source)
    assert recall.is_question("fix it", "user")


def test_no_more_than_the_limit_are_delivered():
    fates = [item.fate for item in recall.choose("staging deploy gateway", Known(*MANY), recall.Limits(5), keep=9)]
    assert fates.count(recall.DELIVER) == 5
    assert fates[5:] == ["over the limit"] * 4


def test_a_file_in_the_context_makes_room_for_the_next():
    known = Known(*MANY)
    first = [item.file for item in recall.choose("staging deploy gateway", known, recall.Limits(5))]
    again = recall.choose("staging deploy gateway", known, recall.Limits(5), set(first))
    assert [item.fate for item in again[:5]] == ["already in this session"] * 5
    assert [item.fate for item in again[5:]] == [recall.DELIVER] * 4


def test_only_the_newest_are_considered():
    known = Known(("new-lint", "eslint settings"), *MANY)
    found = recall.choose("staging deploy gateway", known, recall.Limits(newest=3))
    assert {item.file for item in found} == {"deploy-note-0.md", "deploy-note-1.md"}


def test_the_newest_count_even_where_many_older_ones_fit_better():
    old = [(f"staging-deploy-{number}", "staging deploy") for number in range(60)]
    known = Known(("ledger", "the ledger has a staging table"), *old)
    found = recall.choose("staging deploy", known, recall.Limits(newest=1), keep=5)
    assert [item.file for item in found] == ["ledger.md"]


def test_a_higher_threshold_delivers_less():
    known = Known(("lint", "eslint settings of the web package"), *MANY)
    assert [item.fate for item in recall.choose("eslint settings", known, recall.Limits(threshold=99.0))] == [
        "below the threshold"
    ]


def test_a_changed_file_is_delivered_as_it_is_now(tmp_path):
    path = tmp_path / "a.md"
    path.write_text("---\nname: a\ndescription: kubernetes ingress\n---\nold body\n")
    known = catalog.refresh(str(tmp_path), str(tmp_path / "state"), NOW)
    (item,) = recall.choose("kubernetes ingress", known, recall.Limits())
    assert recall.load(str(tmp_path), item, NOW).body.strip() == "old body"
    path.write_text("---\nname: a\ndescription: kubernetes ingress, longer than before\n---\nnew body\n")
    assert recall.load(str(tmp_path), item, NOW).body.strip() == "new body"
    path.unlink()
    assert recall.load(str(tmp_path), item, NOW) is None
