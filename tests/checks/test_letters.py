"""The quick looks of checks give what the slow ones give."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.checks import CheckContext
from builder.checks.reading.letters import alike, flat, glance, sought, spoken
from builder.model.chunk_index import ChunkIndex
from builder.text.fold import folded
from builder.text.similarity import similarity

TEXTS = st.text(alphabet=st.sampled_from("abIiße é 保修期萬ﬁ０１2，。“”—\u0301\u200b\u00ad\n"), max_size=24) | st.text(
    max_size=12
)


@given(TEXTS)
def test_a_text_is_folded_as_everywhere(text: str) -> None:
    assert flat(text) == folded(text)


@given(TEXTS, TEXTS, st.integers(1, 100))
def test_two_texts_are_alike_where_their_similarity_says_so(one: str, other: str, least: int) -> None:
    assert alike(one, other, least) == (similarity(one, other) >= least)


@pytest.mark.parametrize(
    ("least", "text", "found"),
    [
        (2.0, "整机保修两年。", True),
        (3.5, "整机保修两年。", False),
        (2.0, "Carried over days", False),
        (1.0, "Carried over days", True),
        (0.0, "", True),
    ],
)
def test_a_glance_weighs_the_letters_that_stand_there(least: float, text: str, found: bool) -> None:
    wanted = sought({"整机": 1.0, "保修": 1.0, "年限": 2.0, "carry": 1.0})
    assert glance(wanted, spoken(text), least) is found


def test_what_is_worked_out_for_a_case_is_worked_out_once_and_anew_for_another() -> None:
    context, asked = CheckContext(chunks=ChunkIndex([])), list[str]()

    def work(case: str) -> str:
        asked.append(case)
        return case.upper()

    def look(case: str) -> str:
        return context.once("name", case, lambda: work(case))

    assert [look("a"), look("a"), look("b"), look("a")] == ["A", "A", "B", "A"]
    assert asked == ["a", "b", "a"]
