"""A desk over a list of lines, a whole implementation of the door without a store, and the answers that are shown."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from builder.curate.undo import redo_target, undo_target
from builder.errors import InputError
from builder.model.case import Case, Evidence, QuestionType, ReviewState, Source, Status, Turn
from builder.model.chunk import Chunk
from builder.model.claim import Claim, LiteralCheck, NumberCheck
from builder.model.parts import Span
from builder.model.run import RunRecord
from builder.model.verdict import AnswerVerdict, ClaimVerdict
from builder.review.answers.desk import Answer, Key, Saying, Why
from builder.review.answers.material import material
from builder.score.claims import judge_claims
from builder.score.verdict_file import answer_hash, current, holds

WARRANTY = (
    "3.1 质保期\n本产品自购买之日起享受 24 个月质保服务，电池与配件的质保期为 6 个月；"
    "因人为损坏（如进水、摔落）造成的故障不在质保范围内。"
)
REPAIR = "二、付费维修\n人为原因导致的损坏（包括进水、私拆）需付费维修，维修后同一故障保修 3 个月。"
TITLES = {"manual.pdf": "RC-410 用户手册.pdf", "policy.pdf": "售后政策 2026.pdf"}


def _chunk(doc_id: str, name: str, text: str) -> Chunk:
    parts = (Span(page=3, start=0, end=len(text)),)
    return Chunk(
        chunk_id=f"{doc_id}#{name}",
        doc_id=doc_id,
        reading_id="r1",
        text=text,
        parts=parts,
        pages=(3,),
        ordinal=0,
        language="zh",
    )


CHUNKS = {chunk.chunk_id: chunk for chunk in (_chunk("manual.pdf", "1", WARRANTY), _chunk("policy.pdf", "1", REPAIR))}


def quote(text: str, doc_id: str = "manual.pdf") -> Evidence:
    return Evidence(doc_id=doc_id, reading_id="r1", quote=text, parts=(Span(page=3, start=0, end=len(text)),))


def warranty() -> Case:
    """Two groups of evidence, three claims and one that must not be there."""
    return Case(
        case_id="g0c41d2a97e33",
        question="RC-410 的整机和电池分别质保多久？进水能不能保修？",
        ground_truth="整机质保 24 个月，电池与配件 6 个月。进水属于人为损坏，不在质保范围内。",
        claims=(
            Claim(text="整机质保 24 个月", critical=True, check=NumberCheck(value="24", unit="month")),
            Claim(text="电池与配件质保 6 个月", check=NumberCheck(value="6", unit="month")),
            Claim(text="进水不在质保范围内", critical=True),
        ),
        must_not_claims=(Claim(text="进水可以免费维修", check=LiteralCheck(any_of=("免费维修",))),),
        evidence_groups=(
            (quote("享受 24 个月质保服务，电池与配件的质保期为 6 个月"),),
            (quote("因人为损坏（如进水、摔落）造成的故障不在质保范围内"),),
        ),
        source=Source.GENERATED,
        question_type=QuestionType.MULTI_HOP,
        review_state=ReviewState.APPROVED,
        risk="refund",
    )


def unanswerable() -> Case:
    """A question that should be refused."""
    return Case(
        case_id="m9d27f4e1b0a5",
        question="老板的电话是多少？",
        conversation=(Turn(role="user", text="在吗？"),),
        answerable=False,
        source=Source.MANUAL,
        review_state=ReviewState.APPROVED,
    )


def many() -> Case:
    """More claims than digits."""
    return Case(
        case_id="f5b8e10c6d274",
        question="滤网、滚刷、边刷分别多久换一次？",
        ground_truth="见说明书。",
        claims=tuple(Claim(text=f"第{number}项每 {number} 个月更换一次") for number in range(1, 13)),
        source=Source.FEEDBACK,
        review_state=ReviewState.APPROVED,
    )


CASES = {case.case_id: case for case in (warranty(), unanswerable(), many())}
G, M, F = Key("g0c41d2a97e33", 1), Key("m9d27f4e1b0a5", 1), Key("f5b8e10c6d274", 1)
G2 = Key("g0c41d2a97e33", 2)

RECORDS = (
    RunRecord(
        case_id=G.case_id,
        question=warranty().question,
        retrieved=("manual.pdf#1", "policy.pdf#1"),
        context=("manual.pdf#1",),
        context_text=f"[1] {WARRANTY[: WARRANTY.index('；') + 1]}\n[2] 滚刷组件建议每 6 个月更换一次。",
        answer="整机质保 24 个月，电池质保 12 个月 [1]。进水也在质保范围内，可以免费维修 [2][3]。",
        status=Status.ANSWER,
        citations=({"id": "manual.pdf#1"}, {"id": "policy.pdf#1"}, {"id": "kb-77"}),
    ),
    RunRecord(
        case_id=G.case_id, repeat=2, answer="\x1b[2J抱歉，我无法回答。\u202e", status=Status.REFUSE, status_derived=True
    ),
    RunRecord(case_id=M.case_id, error="timeout after 30 s"),
    RunRecord(case_id=F.case_id, answer="", context=("policy.pdf#1",), citations=()),
)


@dataclass
class ListDesk:
    """Verdicts in a list; undo is one more line, as in the store."""

    lines: list[AnswerVerdict] = field(default_factory=list)
    cases: Mapping[str, Case] = field(default_factory=lambda: CASES)
    records: tuple[RunRecord, ...] = RECORDS
    reviewer: str = "lin"
    run: str = "rag-7b"
    made: int = 0

    def queue(self) -> tuple[Key, ...]:
        return tuple(Key(record.case_id, record.repeat) for record in self.records)

    def load(self, key: Key) -> Answer:
        found = [record for record in self.records if (record.case_id, record.repeat) == key]
        if not found:
            raise InputError("no_answer", run=self.run, case=key.case_id, repeat=key.repeat)
        record, case = found[0], self.cases[key.case_id]
        shown = material(case, record, CHUNKS, TITLES)
        said = [line for line in current(self.lines) if (line.case_id, line.repeat) == key]
        mine = next((line for line in said if line.who == self.reviewer), None)
        valid = mine is not None and holds(mine, record, case)
        return Answer(
            record=record,
            case=case,
            why=Why.CRITICAL if key == G else Why.SAMPLE,
            repeats=sum(other.case_id == key.case_id for other in self.records),
            checked=judge_claims(case, record.answer or ""),
            context=shown.context,
            cited=shown.cited,
            lost=shown.lost,
            mine=mine if valid else None,
            old=None if valid else mine,
            others=tuple(line for line in said if line.who != self.reviewer),
        )

    def judge(self, answer: Answer, saying: Saying) -> Answer:
        shift = len(answer.case.claims)
        claims = tuple(
            ClaimVerdict(
                index=place % shift if place < shift else place - shift, must_not=place >= shift, text="x", verdict=said
            )
            for place, said in saying.claims
        )
        record = answer.record
        self._add(record, verdict=saying.verdict, claims=claims, note=saying.note, answer_hash=answer_hash(record))
        return self.load(Key(record.case_id, record.repeat))

    def undo(self) -> Key | None:
        return self._back(undo_target(self.lines))

    def redo(self) -> Key | None:
        return self._back(redo_target(self.lines))

    def _back(self, target: str | None) -> Key | None:
        if target is None:
            return None
        line = next(line for line in self.lines if line.id == target)
        self._add(line, undoes=target)
        return Key(line.case_id, line.repeat)

    def _add(self, of: RunRecord | AnswerVerdict, **fields: object) -> None:
        self.made += 1
        known: dict[str, object] = {"run": self.run, "case_id": of.case_id, "repeat": of.repeat, "who": self.reviewer}
        known |= {"id": f"v{self.made}", "at": datetime(2026, 3, 1, tzinfo=UTC)}
        self.lines.append(AnswerVerdict.model_validate(known | fields))
