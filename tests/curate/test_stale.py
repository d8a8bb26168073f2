"""Cases after their documents changed: an enabled case never points at other text."""

from typing import Any

import pytest

from builder.curate.stale import Corpus, restate
from builder.model.case import Case, DisabledReason, ReviewState
from builder.model.chunk import Chunk
from builder.model.chunk_index import ChunkIndex
from tests import make

OLD = make.document()
NEW = OLD.replace(reading_id="r-new", version=2)
BEFORE = make.chunk(OLD, "整机质保 24 个月。电池 6 个月。")
HERE = frozenset({OLD.doc_id})


def resting(quote: str = "整机质保 24 个月。", **fields: Any) -> Case:
    return make.case(evidence_groups=((make.evidence(BEFORE, quote),),), **fields)


def after(case: Case, *chunks: Chunk, documents: frozenset[str] = HERE) -> Case:
    return restate(case, Corpus(chunks), documents, ChunkIndex([BEFORE]))


def test_nothing_changed() -> None:
    assert after(resting(), BEFORE) == resting()


def test_the_quote_moves_with_its_text() -> None:
    moved = make.chunk(NEW, "新版。整机质保 24 个月。电池 3 个月。", start=7)
    found = after(resting(), moved)
    assert found.enabled
    assert found.evidence[0].reading_id == "r-new"
    assert moved.holds("r-new", found.evidence[0].parts)
    assert found.evidence[0].quote == "整机质保 24 个月。"


@pytest.mark.parametrize(
    ("text", "reason"),
    [("新版。整机质保 24 个月。", DisabledReason.STALE_CHECK), (BEFORE.text, None)],
    ids=["text around it changed", "the same chunk at another place"],
)
def test_an_approved_case_is_confirmed_where_its_chunk_changed(text: str, reason: DisabledReason | None) -> None:
    moved = make.chunk(NEW, text, start=3, chunk_id=BEFORE.chunk_id if reason is None else "policy.md#other")
    found = after(resting(review_state=ReviewState.APPROVED), moved)
    assert (found.review_state, found.disabled_reason) == (ReviewState.APPROVED, reason)


@pytest.mark.parametrize("state", [ReviewState.UNREVIEWED, ReviewState.APPROVED])
def test_a_changed_passage_disables(state: ReviewState) -> None:
    found = after(resting(review_state=state), make.chunk(NEW, "整机质保 18 个月。"))
    assert found.disabled_reason is DisabledReason.STALE_CHANGED
    assert found.evidence == resting().evidence


def test_two_places_are_no_place() -> None:
    twice = [make.chunk(NEW, "整机质保 24 个月。", start=n * 20, ordinal=n) for n in range(2)]
    assert after(resting(), *twice).disabled_reason is DisabledReason.STALE_CHANGED


def test_a_document_that_is_gone() -> None:
    assert after(resting(), documents=frozenset()).disabled_reason is DisabledReason.STALE_GONE


def test_it_comes_back() -> None:
    gone = after(resting(), documents=frozenset())
    assert after(gone, BEFORE) == resting()


def test_a_hand_that_disabled_is_respected() -> None:
    case = resting(disabled_reason=DisabledReason.BY_HAND)
    moved = make.chunk(NEW, "整机质保 24 个月。", start=3)
    assert after(case, moved).disabled_reason is DisabledReason.BY_HAND


def test_nothing_is_said_while_pages_wait_for_ocr() -> None:
    corpus = Corpus([], unsettled=[OLD.doc_id])
    assert restate(resting(), corpus, HERE, ChunkIndex([BEFORE])) == resting()


@pytest.mark.parametrize("state", [ReviewState.NEEDS_ANSWER, ReviewState.REJECTED])
def test_cases_that_do_not_count_are_left_alone(state: ReviewState) -> None:
    reason = "other" if state is ReviewState.REJECTED else None
    case = resting(review_state=state, ground_truth="", reject_reason=reason)
    assert after(case, documents=frozenset()) == case
