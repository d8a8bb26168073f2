"""Which cases are frozen, which are left out, and with what they rest on."""

import pytest

from builder.errors import InputError
from builder.model.case import Case, Evidence, HardNegative, NegativeReason, ReviewState
from builder.model.parts import Glue, Span
from builder.snapshot.freeze import LeftOut
from tests import make
from tests.snapshot import world


def approved(case_id: str, *groups: tuple[Evidence, ...], **fields: object) -> Case:
    return make.case(case_id, evidence_groups=groups, review_state=ReviewState.APPROVED, **fields)


def test_approved_cases_and_what_they_name() -> None:
    frozen = world.plan()
    assert [case.case_id for case in frozen.cases] == [world.APPROVED.case_id, world.REFUSED.case_id]
    assert frozen.cases[0] == world.APPROVED.replace(checks=())
    assert [chunk.chunk_id for chunk in frozen.chunks] == sorted(
        chunk.chunk_id for chunk in (world.REPAIR, world.TABLE, world.ONLY)
    )
    assert [document.doc_id for document in frozen.documents] == ["faq.md", "unused.md", "售后政策.pdf"]
    assert frozen.documents[1].retired
    assert frozen.chunks[-1].metadata == world.POLICY.metadata
    assert frozen.left_out == {"needs_answer": 1, "rejected": 1, "stale_changed": 1, "unreviewed": 1}
    assert frozen.problems == ()


def test_unreviewed_cases_with_the_flag_even_alone() -> None:
    assert len(world.plan(unreviewed=True).cases) == 3
    frozen = world.plan((world.UNREVIEWED, world.WAITING), unreviewed=True)
    assert [case.case_id for case in frozen.cases] == [world.UNREVIEWED.case_id]


def test_no_case_says_how_many_wait_and_what_goes_on() -> None:
    with pytest.raises(InputError) as caught:
        world.plan((world.UNREVIEWED, world.WAITING, world.STALE))
    assert caught.value.key == "snapshot_empty"
    assert caught.value.values == {"unreviewed": 1, "needs_answer": 1}
    assert "builder review" in str(caught.value)


def test_only_broken_evidence_says_so() -> None:
    with pytest.raises(InputError) as caught:
        world.plan((world.APPROVED,), ())
    assert (caught.value.key, caught.value.values) == ("snapshot_unsound", {"cases": 1})


MOVED = world.SPARE.model_copy(update={"parts": (Span(page=1, start=1, end=11),)})
OTHER = world.SPARE.model_copy(update={"quote": "备件保修 9 个月。"})
GONE = world.SPARE.model_copy(update={"reading_id": "old"})
NOWHERE = world.SPARE.model_copy(update={"parts": (Glue(glue=world.SPARE.quote),)})
WRONG_GLUE = world.ROW.model_copy(update={"parts": (world.ROW.parts[0], Glue(glue=" : "), world.ROW.parts[2])})
WRONG_DOCUMENT = world.SPARE.model_copy(update={"doc_id": "faq.md"})
OUTSIDE = world.SPARE.model_copy(update={"parts": (Span(page=1, start=0, end=150),)})


@pytest.mark.parametrize(
    ("evidence", "detail"),
    [
        (MOVED, "other_text"),
        (OTHER, "other_text"),
        (WRONG_GLUE, "other_text"),
        (GONE, "no_chunk"),
        (NOWHERE, "no_chunk"),
        (WRONG_DOCUMENT, "no_chunk"),
        (OUTSIDE, "no_chunk"),
    ],
)
def test_broken_evidence_is_never_frozen(evidence: Evidence, detail: str) -> None:
    broken = approved("g1", (world.ROW,), (world.SPARE, evidence))
    negative = HardNegative(evidence=evidence, reason=NegativeReason.OTHER)
    also = approved("g2", (world.ROW,), hard_negatives=(negative,))
    frozen = world.plan((world.REFUSED, also, broken))
    assert [case.case_id for case in frozen.cases] == [world.REFUSED.case_id]
    assert frozen.left_out == {"broken_evidence": 2}
    assert frozen.problems == tuple(
        LeftOut(case_id=name, reason="broken_evidence", detail=detail, doc_id=evidence.doc_id) for name in ("g1", "g2")
    )


def test_a_chunk_that_does_not_hold_the_evidence_is_not_believed() -> None:
    from builder.snapshot.freeze import plan_freeze

    case = approved("g1", (world.PAID,))
    with pytest.raises(InputError, match="no longer holds"):
        plan_freeze((case,), world.CHUNKS, world.DOCUMENTS, include_unreviewed=False, chunk_of=lambda _: world.REFUND)


def test_a_whole_document_is_never_frozen() -> None:
    parts = tuple(part for chunk in (world.REPAIR, world.TABLE, world.REFUND) for part in chunk.parts)
    text = world.REPAIR.text + world.TABLE.text + world.REFUND.text
    everything = Evidence(doc_id=world.POLICY.doc_id, reading_id=world.REPAIR.reading_id, quote=text, parts=parts)
    three = [
        Evidence(doc_id=chunk.doc_id, reading_id=chunk.reading_id, quote=chunk.text, parts=chunk.parts)
        for chunk in (world.REPAIR, world.TABLE, world.REFUND)
    ]
    only = Evidence(doc_id="faq.md", reading_id=world.ONLY.reading_id, quote=world.ONLY.text, parts=world.ONLY.parts)
    frozen = world.plan(
        (
            approved("g1", (everything,)),
            approved("g2", tuple(three)),
            approved("g3", *((piece,) for piece in three)),
            approved("g4", (three[0],), (three[1],)),
            approved("g5", (only,)),
        )
    )
    assert [case.case_id for case in frozen.cases] == ["g4", "g5"]
    assert frozen.left_out == {"whole_document": 3}
    assert [(problem.case_id, problem.detail) for problem in frozen.problems] == [
        ("g1", "whole"),
        ("g2", "together"),
        ("g3", "together"),
    ]


def test_order_of_the_input_does_not_matter() -> None:
    assert world.plan(world.CASES[::-1], world.CHUNKS[::-1], world.DOCUMENTS[::-1]) == world.plan()
