"""The fixture of ten: eight answerable questions, two that the documents do not answer, and one run."""

from pathlib import Path

from builder.model.case import Case, QuestionType, ReviewState, Source, Status
from builder.model.chunk import Chunk
from builder.model.claim import Claim, NumberCheck
from builder.model.run import RunHeader, RunRecord
from builder.score.run_file import write_run
from builder.snapshot.write import write_snapshot
from tests import make
from tests.folder import Folder
from tests.snapshot.world import facts, plan

HOSTILE = "</script><img src=x onerror=alert(1)>"
TEXTS = tuple(f"第{number}款产品的整机保修期为 {number + 10} 个月。" for number in range(1, 9))
DOCUMENTS = tuple(make.document(f"policy{number}.md") for number in range(1, 10))
CHUNKS = tuple(make.chunk(of, text) for of, text in zip(DOCUMENTS, TEXTS, strict=False))
OTHER = "policy9.md#0000000000"


def _answerable(number: int, of: Chunk, text: str) -> Case:
    months = str(number + 10)
    return make.case(
        f"m0000000000{number:02}",
        question=f"第{number}款产品保修多久？",
        ground_truth=f"{months} 个月。",
        claims=(
            Claim(text=f"整机保修期为 {months} 个月", critical=True, check=NumberCheck(value=months, unit="month")),
        ),
        evidence_groups=((make.evidence(of, text),),),
        source=(Source.GENERATED, Source.MANUAL, Source.FEEDBACK)[number % 3],
        review_state=ReviewState.APPROVED,
        split="test" if number < 4 else "dev",
        risk="refund" if number == 8 else None,
    )


def _unanswerable(number: int) -> Case:
    return make.case(
        f"m0000000000{number:02}",
        question=f"老板的电话是多少？{number}",
        ground_truth="",
        answerable=False,
        question_type=QuestionType.UNANSWERABLE,
        review_state=ReviewState.APPROVED,
    )


CASES = (
    *(_answerable(number, of, text) for number, of, text in zip(range(1, 9), CHUNKS, TEXTS, strict=True)),
    _unanswerable(9),
    _unanswerable(10),
)


def _answered(number: int) -> RunRecord:
    """E06's passage stands at rank 2; E08's is not retrieved, and its answer cites nothing."""
    gold = CHUNKS[number - 1].chunk_id
    ids = {6: (OTHER, gold), 8: (OTHER,)}.get(number, (gold, OTHER))
    months = 99 if number == 8 else number + 10
    return RunRecord(
        case_id=f"m0000000000{number:02}",
        answer=f"第{number}款产品的整机保修期为 {months} 个月。{HOSTILE if number == 8 else ''}",
        status=Status.ANSWER,
        retrieved=ids,
        context=ids,
        context_text="\n".join([TEXTS[number - 1]] if number != 8 else ["别的产品。"]),
        citations=() if number == 8 else (gold,),
        latency_ms={"retrieve": 10.0 * number, "generate": 100.0 * number},
    )


RECORDS = (
    *(_answered(number) for number in range(1, 9)),
    RunRecord(case_id="m000000000009", answer="文档中没有。", status=Status.REFUSE, retrieved=(OTHER,), citations=()),
    RunRecord(case_id="m000000000010", answer="13800000000", status=Status.ANSWER, retrieved=(OTHER,), citations=()),
)


def write(folder: Folder, name: str = "base", records: tuple[RunRecord, ...] = RECORDS) -> Path:
    """The snapshot, where it is not there yet, and a run in a folder that is no workspace and has no database."""
    home = folder.path / "snapshots"
    if not home.exists():
        home.mkdir()
        write_snapshot(home, plan(CASES, CHUNKS, DOCUMENTS), facts())
    from builder.snapshot.listing import read_manifest

    header = RunHeader(
        snapshot="v1", snapshot_hash=read_manifest(home / "v1").content_hash, config={"model": "m", "top_k": 2}
    )
    path = folder.path / "runs" / f"{name}.jsonl"
    write_run(path, header, records)
    return path
