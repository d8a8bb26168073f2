"""Check `quote`: a case's quotes stand in their passages, or it says what is wrong."""

import pytest

from builder.checks import CheckContext, run_checks
from builder.model.case import Case, CheckOutcome, CheckResult, Evidence, ReviewState, Source
from builder.model.chunk import Chunk
from builder.model.chunk_index import ChunkIndex
from builder.model.parts import Span
from builder.text.ids import generated_case_id
from builder.words import LANGUAGES, words

TEXT = "备件保修 6 个月。有偿维修保修 3 个月。"
CHUNK = Chunk(
    chunk_id="p.pdf#1",
    doc_id="p.pdf",
    reading_id="r1",
    text=TEXT,
    parts=(Span(page=1, start=10, end=10 + len(TEXT)),),
    language="zh",
    ordinal=0,
)


def evidence(quote: str = TEXT[:10], *, start: int = 10, reading: str = "r1") -> Evidence:
    return Evidence(
        doc_id="p.pdf", reading_id=reading, quote=quote, parts=(Span(page=1, start=start, end=start + len(quote)),)
    )


def case(*found: Evidence, answerable: bool = True, checks: tuple[CheckResult, ...] = ()) -> Case:
    return Case(
        case_id=generated_case_id("main", "h", 0),
        question="备件保修多久？",
        ground_truth="6 个月" if answerable else "",
        answerable=answerable,
        evidence_groups=tuple((one,) for one in found),
        source=Source.GENERATED,
        review_state=ReviewState.UNREVIEWED,
        checks=checks,
    )


def verdict(one: Case, found: str | None = None) -> CheckResult:
    (result,) = run_checks(one, CheckContext(chunks=ChunkIndex([CHUNK]), found=found, sent=(CHUNK, CHUNK)), ("quote",))
    return result


@pytest.mark.parametrize(
    ("one", "found", "outcome", "detail"),
    [
        (case(evidence()), "sentences", CheckOutcome.PASS, ""),
        (case(evidence()), None, CheckOutcome.PASS, ""),
        (case(evidence()), "fuzzy", CheckOutcome.WARN, "quote_fuzzy"),
        (case(evidence(TEXT)), "whole", CheckOutcome.WARN, "quote_whole"),
        (case(), "none", CheckOutcome.WARN, "no_evidence"),
        (case(), None, CheckOutcome.WARN, "no_evidence"),
        (case(answerable=False), "none", CheckOutcome.PASS, ""),
        (case(), "elsewhere", CheckOutcome.FAIL, "quote_elsewhere"),
        (case(evidence()), "elsewhere", CheckOutcome.WARN, "quote_elsewhere"),
        (case(), "misattributed:2", CheckOutcome.FAIL, "misattributed"),
        (case(evidence()), "misattributed:2", CheckOutcome.WARN, "misattributed"),
        (case(evidence()), "repaired:1>2", CheckOutcome.PASS, ""),
        (case(evidence("备件保修 9 个月。")), None, CheckOutcome.FAIL, "quote_missing"),
        (case(evidence(), evidence("别处的话。")), None, CheckOutcome.FAIL, "quote_missing"),
        (case(evidence(reading="r2")), None, CheckOutcome.FAIL, "no_chunk"),
        (case(evidence(start=900)), None, CheckOutcome.FAIL, "no_chunk"),
    ],
)
def test_verdicts(one: Case, found: str | None, outcome: CheckOutcome, detail: str) -> None:
    result = verdict(one, found)
    assert (result.outcome, result.detail) == (outcome, detail)
    for language in LANGUAGES:
        assert not detail or words(language)(f"check.{detail}", **result.values)


def test_a_warning_of_birth_is_remembered_until_the_checks_are_emptied() -> None:
    born = case(evidence(TEXT), checks=(verdict(case(evidence(TEXT)), "whole"),))
    assert verdict(born).detail == "quote_whole"
    assert verdict(born.replace(checks=())).outcome is CheckOutcome.PASS


def test_the_right_passage_is_named_and_remembered() -> None:
    born = case(checks=(verdict(case(), "misattributed:2"),))
    assert born.checks[0].values == {"number": "2", "document": CHUNK.doc_id}
    later = verdict(born)
    assert (later.outcome, later.detail, later.values) == (CheckOutcome.FAIL, "misattributed", born.checks[0].values)
    assert verdict(born.replace(checks=())).detail == "no_evidence"
