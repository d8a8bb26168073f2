"""A desk over a dict, a whole implementation of the door without a store, and the cases that the screens show."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from builder.curate.filters import matches, parse
from builder.curate.states import decide, missing
from builder.errors import Conflict, InputError
from builder.model.case import Case, CheckOutcome, CheckResult, Evidence, Origin, QuestionType, ReviewState, Source
from builder.model.claim import Claim
from builder.model.decision import Decision
from builder.model.parts import Span
from builder.review.desk import Deed, Item, Passage


@dataclass(frozen=True)
class Text:
    """A chunk of the little library that evidence points into."""

    doc_id: str
    title: str
    page: int
    section: tuple[str, ...]
    text: str

    def quote(self, quote: str) -> Evidence:
        start = self.text.index(quote)
        parts = (Span(page=self.page, start=start, end=start + len(quote)),)
        return Evidence(doc_id=self.doc_id, reading_id="r1", quote=quote, parts=parts)


WARRANTY = Text(
    "manual.pdf",
    "RC-410 用户手册.pdf",
    12,
    ("3 质保与退换", "3.1 质保期"),
    "3.1 质保期\n自购买之日起，凭有效购机凭证可在全国授权网点办理保修手续。\n"
    "本产品自购买之日起享受 24 个月质保服务，电池与配件的质保期为 6 个月；"
    "因人为损坏（如进水、摔落）造成的故障不在质保范围内。\n"
    "3.2 退换货\n签收后 7 日内如出现性能故障，可选择退货、换货或修理；15 日内可选择换货或修理。"
    "退换货须保留完整包装与全部附件。\n"
    "3.3 耗材更换周期\n滚刷组件建议每 6 个月更换一次，边刷每 3 个月更换一次，滤网每 2 个月更换一次。",
)
POLICY = Text(
    "policy.pdf",
    "售后政策 2026.pdf",
    3,
    ("二、付费维修",),
    "二、付费维修\n人为原因导致的损坏（包括进水、私拆）需付费维修，不享受保修；维修后同一故障保修 3 个月。",
)
FAQ = Text("faq.md", "常见问答.md", 1, (), "问：怎样清洁？\n答：机身支持清水箱，注意尘盒不可进水，滤网晾干后再装回。")
LIBRARY = (WARRANTY, POLICY, FAQ)


def passage(
    evidence: Evidence, *, marks: tuple[tuple[int, int], ...] | None = None, score: int | None = None
) -> Passage:
    """A passage as app makes it: the text around the evidence, with the quote marked."""
    text = next(one for one in LIBRARY if one.doc_id == evidence.doc_id)
    start = text.text.find(evidence.quote)
    found = ((start, start + len(evidence.quote)),) if start >= 0 else ()
    return Passage(
        evidence=evidence,
        title=text.title,
        pages=(text.page,),
        section=text.section,
        text=text.text,
        marks=found if marks is None else marks,
        score=score,
    )


Act = tuple[tuple[Case, Case], ...]
"""Cases before and after."""


@dataclass
class DictDesk:
    """Cases in a dict; acts are kept as cases before and after."""

    cases: dict[str, Case]
    reviewer: str = "lin"
    siblings: tuple[Passage, ...] = ()
    done: list[Act] = field(default_factory=list)
    undone: list[Act] = field(default_factory=list)
    others: dict[str, str] = field(default_factory=dict)
    """Cases that somebody else looks at."""
    deeds: list[tuple[int, Deed]] = field(default_factory=list)
    """What others did, with the revision that it led to."""

    def queue(self, expression: str = "") -> tuple[str, ...]:
        wanted = parse(expression)
        return tuple(case_id for case_id, case in self.cases.items() if matches(case, wanted))

    def held(self) -> tuple[str, ...]:
        return tuple(self.others)

    def waiting(self) -> int:
        return sum(case.review_state is ReviewState.NEEDS_ANSWER for case in self.cases.values())

    def load(self, case_id: str) -> Item:
        if case_id not in self.cases:
            raise InputError("no_case", case=case_id)
        case = self.cases[case_id]
        passages = tuple(passage(one) for one in case.evidence)
        proposals = () if passages or not case.answerable else self.search("进水 保", 3)
        return Item(
            case=case,
            passages=passages,
            proposals=proposals,
            siblings=self.siblings_of(case),
            missing=missing(case),
            held_by=self.others.get(case_id, ""),
        )

    def commit(self, case: Case, decisions: tuple[Decision, ...]) -> Item:
        now = self.cases[case.case_id]
        if now.revision != case.revision:
            raise Conflict("conflict", case=case.case_id, seen=case.revision, now=now.revision)
        after = case
        for decision in decisions:
            after = decide(after, decision)
        self._put(after)
        self.done.append(((case, after),))
        self.undone.clear()
        return self.load(case.case_id)

    def siblings_of(self, case: Case) -> tuple[Passage, ...]:
        return tuple(one for one in self.siblings if case.evidence and one.evidence not in case.evidence)

    def original(self, case_id: str) -> Case:
        before = (case for act in self.done for case, _ in act if case.case_id == case_id)
        return next(before, self.cases[case_id])

    def sweep(self, expression: str, case_ids: tuple[str, ...], decision: Decision) -> tuple[str, ...]:
        cases = [self.cases[case_id] for case_id in case_ids if case_id in self.queue(expression)]
        act = tuple((case, decide(case, decision)) for case in cases)
        for _, after in act:
            self._put(after)
        self.done += [act] if act else []
        self.undone.clear()
        return tuple(case.case_id for case in cases)

    def since(self, case: Case) -> tuple[Deed, ...]:
        return tuple(deed for number, deed in self.deeds if number > case.revision)

    def picture(self, evidence: Evidence) -> Path:
        if not evidence.doc_id.endswith(".pdf"):
            raise InputError("picture_no_pdf", document=evidence.doc_id)
        return Path(f"{evidence.doc_id}-{evidence.parts[0].model_dump()['page']}.png")

    def undo(self) -> tuple[str, ...]:
        return self._step(self.done, self.undone, 0)

    def redo(self) -> tuple[str, ...]:
        return self._step(self.undone, self.done, 1)

    def search(self, query: str, limit: int) -> tuple[Passage, ...]:
        hits = [(sum(text.text.count(word) for word in query.split()), text) for text in LIBRARY]
        best = sorted((hit for hit in hits if hit[0]), key=lambda hit: -hit[0])[:limit]
        return tuple(
            passage(text.quote(text.text), marks=_words(text.text, query.split()), score=min(99, 40 + 7 * count))
            for count, text in best
        )

    def _put(self, case: Case) -> None:
        self.cases[case.case_id] = case.replace(revision=self.cases[case.case_id].revision + 1)

    def _step(self, source: list[Act], target: list[Act], side: int) -> tuple[str, ...]:
        if not source:
            return ()
        act = source.pop()
        target.append(act)
        for pair in act:
            self._put(pair[side])
        return tuple(pair[side].case_id for pair in act)


def _words(text: str, words: Iterable[str]) -> tuple[tuple[int, int], ...]:
    found = [(at, at + len(word)) for word in words for at in range(len(text)) if text.startswith(word, at)]
    return tuple(sorted(found))


def generated() -> Case:
    """A complete case with two pieces of evidence, claims and checks."""
    return Case(
        case_id="g0c41d2a97e33",
        dataset="robot-vacuum",
        question="RC-410 的整机和电池分别质保多久？进水的情况能不能保修？",
        ground_truth="整机质保 24 个月，电池与配件 6 个月。进水属于人为损坏，不在质保范围内。",
        claims=(Claim(text="整机质保 24 个月", critical=True), Claim(text="电池与配件质保 6 个月")),
        evidence_groups=(
            (WARRANTY.quote("享受 24 个月质保服务，电池与配件的质保期为 6 个月"),),
            (WARRANTY.quote("人为损坏（如进水、摔落）造成的故障不在质保范围内"),),
        ),
        source=Source.GENERATED,
        question_type=QuestionType.MULTI_HOP,
        review_state=ReviewState.UNREVIEWED,
        checks=(
            CheckResult(name="quote", outcome=CheckOutcome.PASS),
            CheckResult(name="support", outcome=CheckOutcome.WARN),
        ),
    )


def feedback() -> Case:
    """A thumbs-down case that still needs its answer."""
    return Case(
        case_id="f5b8e10c6d274",
        dataset="robot-vacuum",
        question="扫地机进水了能保修吗？",
        source=Source.FEEDBACK,
        origin=Origin(system="dify", record_ids=("m-1",), comments=("说能修，结果售后说不保",)),
        rejected_output="您好，进水在质保范围内，可以联系客服免费维修。",
        review_state=ReviewState.NEEDS_ANSWER,
    )


def hostile() -> Case:
    """A case whose text tries to steer the terminal."""
    return Case(
        case_id="m9d27f4e1b0a5",
        dataset="robot-vacuum",
        question="\x1b[2J\x1b[31m清屏[red]红色[/red]？",
        ground_truth="右\u202e左翻\u200b转\x07",
        source=Source.MANUAL,
        review_state=ReviewState.UNREVIEWED,
    )


def desk() -> DictDesk:
    """Three cases: complete, to be filled, hostile."""
    return DictDesk({case.case_id: case for case in (generated(), feedback(), hostile())})
