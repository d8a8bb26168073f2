"""A small dataset to freeze: two documents, three chunks, cases of every state."""

from datetime import UTC, date, datetime
from pathlib import Path

from builder.model.access import Deny, UserContext
from builder.model.case import (
    Case,
    CheckOutcome,
    CheckResult,
    DisabledReason,
    Evidence,
    Grade,
    HardNegative,
    NegativeReason,
    RejectReason,
    ReviewState,
    Turn,
)
from builder.model.chunk import Chunk
from builder.model.chunk_index import ChunkIndex
from builder.model.claim import Claim, LiteralCheck, NumberCheck
from builder.model.document import Document, DocumentMetadata
from builder.model.parts import Glue, Span
from builder.model.snapshot import Manifest
from builder.snapshot.freeze import Frozen, plan_freeze
from builder.snapshot.write import Facts, write_snapshot
from tests import make

POLICY = make.document(
    "售后政策.pdf",
    metadata=DocumentMetadata(
        title="售后政策", tenant="a", roles=("hr", "cs"), deny=Deny(users=("x",)), valid_to=date(2026, 12, 31)
    ),
)
FAQ = make.document("faq.md")
REPAIR = make.chunk(POLICY, "备件保修 6 个月。有偿维修保修 3 个月。", ordinal=0)
TABLE = Chunk(
    chunk_id=f"{POLICY.doc_id}#0000000001",
    doc_id=POLICY.doc_id,
    reading_id=POLICY.reading_id or "",
    text="产品 | 保修期\n净饮机 | 24 个月",
    parts=(
        Span(page=1, start=100, end=102),
        Glue(glue=" | "),
        Span(page=1, start=103, end=106),
        Glue(glue="\n"),
        Span(page=2, start=0, end=3),
        Glue(glue=" | "),
        Span(page=2, start=4, end=9),
    ),
    ordinal=1,
    language="zh",
)
REFUND = make.chunk(POLICY, "退款 3 至 7 个工作日到账。", start=200, ordinal=2)
ONLY = make.chunk(FAQ, "问：几点下班？\n答：六点。")
CHUNKS = (REPAIR, TABLE, REFUND, ONLY)
DOCUMENTS = (POLICY, FAQ, make.document("unused.md", retired_at=datetime(2026, 1, 1, tzinfo=UTC)))

ROW = Evidence(doc_id=TABLE.doc_id, reading_id=TABLE.reading_id, quote="净饮机 | 24 个月", parts=TABLE.parts[4:])
SPARE = make.evidence(REPAIR, "备件保修 6 个月。")
PAID = make.evidence(REPAIR, "有偿维修保修 3 个月。")
SIX = make.evidence(ONLY, "答：六点。")

APPROVED = make.case(
    "g0000000000a1",
    question="净饮机保多久\u2028？",
    conversation=(Turn(role="user", text="你好"),),
    user_context=UserContext(tenant="a", roles=("cs",)),
    as_of=date(2026, 5, 1),
    claims=(
        Claim(text="24 个月", critical=True, check=NumberCheck(value="24", unit="月")),
        Claim(text="质保", weight=50, check=LiteralCheck(any_of=("质保", "保修"))),
    ),
    must_not_claims=(Claim(text="18 个月"),),
    evidence_groups=((ROW,), (SPARE, SIX)),
    grades=(Grade(evidence=SPARE, grade=1),),
    hard_negatives=(HardNegative(evidence=PAID, reason=NegativeReason.WRONG_ENTITY),),
    required_citations=(ROW,),
    review_state=ReviewState.APPROVED,
    checks=(CheckResult(name="quote", outcome=CheckOutcome.PASS),),
    revision=3,
)
REFUSED = make.case(
    "m0000000000b2", ground_truth="", answerable=False, review_state=ReviewState.APPROVED, question="老板电话？"
)
UNREVIEWED = make.case("f0000000000c3", evidence_groups=((PAID,),))
WAITING = make.case("f0000000000d4", ground_truth="", review_state=ReviewState.NEEDS_ANSWER)
STALE = make.case("g0000000000e5", review_state=ReviewState.APPROVED, disabled_reason=DisabledReason.STALE_CHANGED)
REJECTED = make.case("g0000000000f6", review_state=ReviewState.REJECTED, reject_reason=RejectReason.UNCLEAR)
CASES = (WAITING, UNREVIEWED, STALE, REFUSED, REJECTED, APPROVED)


def plan(
    cases: tuple[Case, ...] = CASES,
    chunks: tuple[Chunk, ...] = CHUNKS,
    documents: tuple[Document, ...] = DOCUMENTS,
    *,
    unreviewed: bool = False,
) -> Frozen:
    chunk_of = ChunkIndex(chunks).chunk_of
    return plan_freeze(cases, chunks, documents, include_unreviewed=unreviewed, chunk_of=chunk_of)


def facts(name: str = "v1", *, unreviewed: bool = False) -> Facts:
    return Facts(
        name=name,
        dataset="main",
        created_at=datetime(2026, 3, 1, 12, 30, 5, 123, tzinfo=UTC),
        created_by="李四",
        tool="builder test",
        include_unreviewed=unreviewed,
        approved_by=("李四", "王五"),
    )


def written(folder: Path, name: str = "v1", *, unreviewed: bool = False) -> Manifest:
    return write_snapshot(folder, plan(unreviewed=unreviewed), facts(name, unreviewed=unreviewed))
