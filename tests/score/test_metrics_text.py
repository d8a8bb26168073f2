"""Whether the text that the model read holds the evidence."""

from typing import Any

import pytest

from builder.score.records import Value
from builder.score.scoring import ScoredAnswers
from tests import make
from tests.score import small

RULE = "自签收之日起 7 日内，消费者可以申请退货。生鲜商品除外，一经签收不适用退货。"
OTHER = "电池不在保修范围内。"
CHUNKS = [make.chunk(make.document(name), f"第四条\n{text}") for name, text in (("a.md", RULE), ("b.md", OTHER))]
CORPUS = small.Corpus(tuple(CHUNKS), (small.frozen("a.md"), small.frozen("b.md")))
FIRST, BOTH = (
    ((make.evidence(CHUNKS[0], RULE),),),
    tuple((make.evidence(chunk, quote),) for chunk, quote in zip(CHUNKS, (RULE, OTHER), strict=True)),
)


def scored(*records: dict[str, Any], groups: Any = FIRST) -> ScoredAnswers:
    """As many cases as records; an empty record is an answer that is missing."""
    cases = [make.case(f"m{number:012}", evidence_groups=groups) for number in range(len(records))]
    told = [{"case_id": case.case_id} | record for case, record in zip(cases, records, strict=True) if record]
    return small.score(CORPUS, cases, *told)


def sufficiency(*records: dict[str, Any], groups: Any = FIRST) -> list[Value]:
    return [score.values["context_sufficiency"] for score in scored(*records, groups=groups).scores]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"[1] 第四条\n{RULE}", 1.0),
        (RULE.replace("不适用", "适用"), 0.0),
        (RULE.replace("7 日内", "限期内"), 0.0),
        (RULE.replace("生鲜商品除外", "生鲜商品同样"), 0.0),
        (RULE[:-6], 0.0),
        ("", 0.0),
    ],
)
def test_the_text_holds_the_evidence_or_not(text: str, expected: float) -> None:
    assert sufficiency({"context": [CHUNKS[0].chunk_id], "context_text": text}) == [Value(expected)]


def test_every_group_is_needed() -> None:
    assert sufficiency({"context_text": RULE + OTHER}, {"context_text": RULE}, groups=BOTH) == [Value(1.0), Value(0.0)]


def test_texts_of_passages_stand_for_it_where_all_are_told() -> None:
    told = {"context": [{"id": "x", "text": RULE}, {"id": "y", "text": OTHER}]}
    untold = {"context": [{"id": "x", "text": RULE}, {"id": "y"}]}
    assert sufficiency(told, untold) == [Value(1.0), Value(0.0, "not_told")]
    assert sufficiency(untold, untold) == [Value(None, "not_told")] * 2


@pytest.mark.parametrize("failed", [{}, {"error": "timeout"}])
def test_an_answer_that_failed_read_nothing(failed: dict[str, Any]) -> None:
    reason = "error" if failed else "missing_run"
    assert sufficiency({"context_text": RULE}, failed) == [Value(1.0), Value(0.0, reason)]
    only_ids = {"context": [CHUNKS[0].chunk_id]}
    assert sufficiency(only_ids, failed) == [Value(None, "not_told")] * 2, "no figure that rests on failures alone"
