"""Whatever comes in, shares stay within 0 and 1, and more evidence in front is never worse."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from builder.model.case import Case, HardNegative, NegativeReason
from builder.score.records import AnswerScore
from tests.score import small

LETTERS = small.letters("abcdefgh")
names = st.sampled_from("abcdefgh")
groups = st.lists(st.lists(names, min_size=1, max_size=3), min_size=0, max_size=4)
order = st.none() | st.lists(names | st.sampled_from(["x", "y", "a#0123456789", "b#1"]), max_size=12)
grades = st.dictionaries(names, st.integers(0, 3), max_size=5)


def case_of(groups: list[list[str]], grades: dict[str, int], negatives: list[str]) -> Case:
    return small.asked(
        LETTERS,
        "",
        grades,
        evidence_groups=tuple(tuple(small.quote(LETTERS, name) for name in group) for group in groups),
        hard_negatives=tuple(
            HardNegative(evidence=small.quote(LETTERS, name), reason=NegativeReason.OPPOSITE) for name in negatives
        ),
    )


def wide(items: list[str]) -> list[dict[str, Any]]:
    """Passages of another chunker: each holds the passages of several letters."""
    text = {chunk.chunk_id: chunk.text for chunk in LETTERS.chunks}
    return [
        {"id": f"w{place}", "text": "".join(text.get(name, name) for name in items[place : place + 3])}
        for place in range(len(items))
    ]


def all_within(score: AnswerScore, metrics: Any) -> None:
    for name, value in score.values.items():
        low, high = metrics[name].range
        assert value.number is None or low <= value.number <= high, (name, value)
        assert value.number is not None or value.reason, name


@settings(max_examples=150, deadline=None)
@given(groups, grades, st.lists(names, max_size=2), order, order, order, order)
def test_every_share_is_a_share(
    groups: list[list[str]],
    grades: dict[str, int],
    negatives: list[str],
    retrieved: list[str] | None,
    reranked: list[str] | None,
    context: list[str] | None,
    cited: list[str] | None,
) -> None:
    case = case_of(groups, grades, negatives)
    told = {"retrieved": retrieved, "reranked": reranked, "context": context, "citations": cited}
    record = {name: value for name, value in told.items() if value is not None}
    for level in ("passage", "document"):
        scored = small.score(
            LETTERS, [case], {"case_id": case.case_id, "answer": "好的 [1]。"} | record, ks=(1, 2, 5), level=level
        )
        all_within(scored.scores[0], scored.metrics)


@settings(max_examples=60, deadline=None)
@given(groups.filter(bool), grades, st.lists(names, max_size=8))
def test_wide_passages_never_exceed_the_ideal(
    groups: list[list[str]], grades: dict[str, int], items: list[str]
) -> None:
    case = case_of(groups, grades, [])
    scored = small.score(LETTERS, [case], {"case_id": case.case_id, "retrieved": wide(items)}, ks=(1, 2, 5))
    all_within(scored.scores[0], scored.metrics)


@settings(max_examples=60, deadline=None)
@given(groups.filter(bool))
def test_all_evidence_in_front_is_a_full_score(groups: list[list[str]]) -> None:
    case = case_of(groups, {}, [])
    first = list(dict.fromkeys(name for group in groups for name in group))
    values = small.one(LETTERS, case, {"retrieved": first}, ks=(20,))
    for name in ("recall@20", "group_recall@20", "all_groups@20", "map", "mrr", "ndcg_exp@20", "ref_recall"):
        assert values[name].number == 1.0, name


@settings(max_examples=60, deadline=None)
@given(groups.filter(bool), st.lists(names, unique=True, max_size=8), names)
def test_a_passage_more_at_the_end_never_lowers_recall(groups: list[list[str]], items: list[str], more: str) -> None:
    case = case_of(groups, {}, [])
    before = small.one(LETTERS, case, {"retrieved": items}, ks=(20,))
    after = small.one(LETTERS, case, {"retrieved": [*items, more]}, ks=(20,))
    for name in ("recall@20", "group_recall@20", "map", "group_ndcg@20"):
        assert (after[name].number or 0) >= (before[name].number or 0) - 1e-12, name
