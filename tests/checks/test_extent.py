"""Check `extent`: a passage, not a document."""

from builder.checks import CheckContext, run_checks
from builder.model.case import CheckOutcome
from builder.model.chunk_index import ChunkIndex
from tests import make
from tests.checks.looks import chunk, look

LONG = "备件保修六个月，自更换之日起计算。" * 20


def test_a_whole_long_chunk_warns_and_a_sentence_or_a_short_chunk_does_not() -> None:
    found = look("extent", "备件保修多久？", "六个月。", LONG)
    assert found and (found.outcome, found.detail) == (CheckOutcome.WARN, "whole_chunk")
    for text, quote in ((LONG, LONG[:17]), ("备件保修六个月。", "备件保修六个月。")):
        found = look("extent", "备件保修多久？", "六个月。", text, quote=quote)
        assert found and found.outcome is CheckOutcome.PASS


def test_more_than_five_chunks_warn() -> None:
    chunks = [chunk(f"第 {number} 段说的是备件。", number) for number in range(6)]
    for many, outcome in ((5, CheckOutcome.PASS), (6, CheckOutcome.WARN)):
        groups = tuple((make.evidence(one, one.text),) for one in chunks[:many])
        (found,) = run_checks(make.case(evidence_groups=groups), CheckContext(chunks=ChunkIndex(chunks)), ("extent",))
        assert found.outcome is outcome
