"""What the model read: marks of evidence and citations, and the order of the queue."""

from hypothesis import given
from hypothesis import strategies as st

from builder.model.run import RunRecord
from builder.review.answers.desk import Key, Place, Why
from builder.review.answers.material import material
from builder.review.answers.order import Candidate, ordered
from tests.review.answers.desk import CHUNKS, RECORDS, REPAIR, TITLES, WARRANTY, warranty


def test_evidence_and_citations_are_marked_in_the_context() -> None:
    shown = material(warranty(), RECORDS[0], CHUNKS, TITLES)
    (block,) = shown.context
    assert [(mark.label, mark.gold) for mark in block.marks] == [("[1]", True)], "what is cited was cut off"
    (mark,) = block.marks
    assert block.text[mark.start : mark.end] == "享受 24 个月质保服务，电池与配件的质保期为 6 个月"
    assert [one.label for one in shown.lost] == ["[2]"]
    assert [one.place for one in shown.cited] == [Place.CONTEXT, Place.RETRIEVED, Place.NOWHERE]
    assert [one.gold for one in shown.cited] == [True, False, False]


def test_without_the_text_the_passages_of_the_context_are_shown() -> None:
    record = RunRecord.model_validate(
        {
            "case_id": "g1",
            "context": ["manual.pdf#1", {"id": "x", "text": "别的"}],
            "citations": ["manual.pdf#1", "policy.pdf#1"],
        }
    )
    shown = material(warranty(), record, CHUNKS, TITLES)
    assert [block.text for block in shown.context] == [WARRANTY, "别的"]
    assert "RC-410 用户手册.pdf" in shown.context[0].title
    assert sorted(mark.label for mark in shown.context[0].marks) == ["[1]", "[2]", "{1}"]
    assert shown.lost == () and [one.place for one in shown.cited] == [Place.CONTEXT, Place.CORPUS]


def test_of_a_cited_passage_that_was_cut_the_sentences_that_are_left_are_marked() -> None:
    text = "整机质保二十四个月，自购买之日起。维修后同一故障再保修三个月。电池质保六个月。"
    record = RunRecord.model_validate(
        {"case_id": "g1", "context_text": text[17:], "context": [{"id": "k", "text": text}], "citations": ["k"]}
    )
    (block,) = material(warranty(), record, {}, {}).context
    marked = [block.text[mark.start : mark.end] for mark in block.marks]
    assert marked == ["维修后同一故障再保修三个月。", "电池质保六个月。"]


def test_a_quote_of_a_citation_is_found_where_it_stands() -> None:
    record = RunRecord.model_validate(
        {"case_id": "g1", "context_text": WARRANTY + REPAIR, "citations": [{"id": "k", "quote": "需付费维修"}]}
    )
    shown = material(warranty(), record, CHUNKS, TITLES)
    (mark,) = [mark for mark in shown.context[0].marks if not mark.gold]
    assert shown.context[0].text[mark.start : mark.end] == "需付费维修" and shown.cited[0].place is Place.CONTEXT


def test_evidence_that_a_layout_changed_is_still_found() -> None:
    text = WARRANTY.replace("质保服务，", "质保\n服务,")
    shown = material(warranty(), RunRecord(case_id="g1", context_text=text), CHUNKS, TITLES)
    assert {mark.label for mark in shown.context[0].marks} == {"[1]", "[2]"}


def test_nothing_told_is_nothing_shown() -> None:
    shown = material(warranty(), RunRecord(case_id="g1"), {}, {})
    assert shown.context == () and shown.cited == () and len(shown.lost) == 2


candidates = st.lists(
    st.builds(
        Candidate,
        key=st.builds(Key, st.sampled_from("abcdefgh"), st.integers(1, 3)),
        risk=st.booleans(),
        unstable=st.booleans(),
        score=st.none() | st.integers(0, 100),
        passed=st.booleans(),
        critical=st.booleans(),
    ),
    unique_by=lambda one: one.key,
    max_size=20,
)


@given(found=candidates, sample=st.integers(0, 25), seed=st.integers(0, 3))
def test_the_order_of_the_queue(found: list[Candidate], sample: int, seed: int) -> None:
    rows = ordered(found, sample=sample, seed=seed)
    by_key = {one.key: one for one in found}
    assert len({key for key, _ in rows}) == len(rows)
    always = {one.key for one in found if one.critical or one.risk or one.unstable}
    assert always <= {key for key, _ in rows}
    assert len(rows) == len(always) + min(sample, len(found) - len(always))
    ranks = [[Why.CRITICAL, Why.RISK, Why.UNSTABLE].index(why) if by_key[key].key in always else 3 for key, why in rows]
    assert ranks == sorted(ranks)
    assert rows == ordered(list(reversed(found)), sample=sample, seed=seed)


def test_the_sample_takes_the_ends() -> None:
    scores = (("a", 90, False), ("b", 10, False), ("c", 20, True), ("d", 95, True), ("e", None, False))
    found = [Candidate(key=Key(name, 1), score=score, passed=passed) for name, score, passed in scores]
    rows = ordered(found, sample=3, seed=0)
    assert [(key.case_id, why) for key, why in rows] == [
        ("a", Why.HIGH_FAILURE),
        ("c", Why.LOW_PASS),
        ("e", Why.UNKNOWN),
    ]
