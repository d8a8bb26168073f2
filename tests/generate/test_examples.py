"""Examples and what to avoid: of other documents, never of the test split, never of what may not leave."""

from collections.abc import Sequence

import pytest

from builder.checks.corpus import Corpus
from builder.generate.evidence import evidence_at
from builder.generate.examples import approved_examples, rejected_lessons
from builder.generate.material import Material
from builder.generate.tasks import call_of
from builder.model.attempt import Task
from builder.model.case import Case, QuestionType, RejectReason, ReviewState, Source, Split, Style
from builder.model.chunk import Chunk
from builder.model.document import DocumentMetadata
from builder.words import words
from tests import make
from tests.generate.make import HANDBOOK, WARRANTY, chunk, material

POLICY = chunk(WARRANTY, doc_id="policy.pdf")
OLD = chunk(WARRANTY + "旧。", ordinal=1, doc_id="old.pdf", metadata=DocumentMetadata(family="policy.pdf"))
FEES = chunk("上门费 80 元。检测费 30 元。", ordinal=2, doc_id="fees.pdf")
FAQ = chunk("开票之日起 90 日内可以换开一次。", ordinal=3, doc_id="faq.pdf")
SECRET = chunk("总监月薪 9 万元。", ordinal=4, doc_id="pay.pdf", metadata=DocumentMetadata(roles=("hr",)))
STAFF = chunk(HANDBOOK, ordinal=5, doc_id="handbook.pdf")
TRAVEL = chunk("Hotel costs are refunded up to 600 yuan a night.", ordinal=6, doc_id="travel.pdf")
ALL = (POLICY, OLD, FEES, FAQ, SECRET, STAFF, TRAVEL)


def corpus() -> Corpus:
    return material(ALL).corpus


def case(number: int, of: Chunk, question: str, state: ReviewState = ReviewState.APPROVED, **more: object) -> Case:
    rejected = {"reject_reason": RejectReason.UNCLEAR} if state is ReviewState.REJECTED else {}
    made = make.case(
        f"g{number:012x}",
        source=Source.GENERATED,
        question=question,
        ground_truth="答案。" if of.language == "zh" else "The answer.",
        evidence_groups=((evidence_at(of, 0, 6),),),
    )
    return made.replace(**({"review_state": state} | rejected | more))


APPROVED = (
    case(1, POLICY, "备件保多久？"),
    case(2, FEES, "上门一次\n收多少钱？"),
    case(3, FEES, "检测费多少？"),
    case(4, FAQ, "发票抬头错了还能换吗？"),
    case(5, OLD, "旧版里备件保多久？"),
    case(6, TRAVEL, "What does a night cost at most?"),
)


def known(cases: Sequence[Case], allowed: Sequence[Chunk] = ALL) -> Material:
    whole = corpus()
    examples, avoid = approved_examples(cases, whole, allowed), rejected_lessons(cases, whole, allowed)
    return material(ALL, examples=examples, avoid=avoid)


def lines(of: Material, chunk_: Chunk, **more: object) -> list[str]:
    user = call_of(Task(chunk_ids=(chunk_.chunk_id,)).replace(**more), of).request.messages[1].content
    inside = user.split(">\n", 1)[1].rpartition("\n</")[0]
    return [row for row in inside.splitlines() if row.startswith(("范例", "退回", "Example", "Rejected 1"))]


def test_two_of_other_documents_in_the_same_language() -> None:
    found = known(APPROVED)
    assert lines(found, POLICY) == [
        "范例1 问：上门一次 收多少钱？ 答：答案。",
        "范例2 问：发票抬头错了还能换吗？ 答：答案。",
    ]
    assert lines(found, FEES) == ["范例1 问：备件保多久？ 答：答案。", "范例2 问：发票抬头错了还能换吗？ 答：答案。"]
    assert lines(found, STAFF) == ["Example 1 Q: What does a night cost at most? A: The answer."]
    assert lines(found, TRAVEL) == []


def test_the_same_approvals_are_the_same_prompt() -> None:
    task = Task(chunk_ids=(POLICY.chunk_id,))
    first = call_of(task, known(APPROVED)).request
    unreviewed = case(0, FAQ, "新来的题？", ReviewState.UNREVIEWED)
    assert call_of(task, known((*reversed(APPROVED), unreviewed))).request == first
    assert call_of(task, known(APPROVED[:1])).request != first


@pytest.mark.parametrize(
    "change",
    [
        {"split": Split.TEST},
        {"review_state": ReviewState.UNREVIEWED},
        {"style": Style.TYPO},
        {"source": Source.FEEDBACK},
        {"question_type": QuestionType.MULTI_HOP},
        {"evidence_groups": ()},
        {"question": "长" * 161},
    ],
)
def test_what_is_no_example(change: dict[str, object]) -> None:
    good = case(2, FEES, "上门费多少？")
    assert len(lines(known([good]), POLICY)) == 1
    assert lines(known([good.replace(**change)]), POLICY) == []


def test_of_the_same_type() -> None:
    hop = case(2, FEES, "哪个贵？", question_type=QuestionType.COMPARISON)
    assert lines(known([hop]), POLICY) == []
    assert len(approved_examples([hop], corpus(), ALL)[QuestionType.COMPARISON]) == 1


def test_restricted_text_leaves_with_no_example() -> None:
    free = tuple(one for one in ALL if one is not SECRET)
    approved = case(7, SECRET, "总监月薪多少？")
    rejected = case(8, SECRET, "总监挣多少？", ReviewState.REJECTED)
    unknown = case(9, FEES, "来历不明的题？", ReviewState.REJECTED, evidence_groups=())
    assert len(lines(known([approved, rejected, unknown]), POLICY)) == 3, "to this machine all may go"
    assert lines(known([approved, rejected, unknown], free), POLICY) == []


def rejected_cases() -> list[Case]:
    reasons = [RejectReason.UNCLEAR, RejectReason.UNCLEAR, RejectReason.PRIVATE, RejectReason.OTHER]
    reasons += [RejectReason.CLOSED_BOOK, RejectReason.UNCLEAR]
    return [
        case(number, FEES, f"第 {number} 道废题", ReviewState.REJECTED, reject_reason=reason)
        for number, reason in enumerate(reasons, 10)
    ]


def test_reasons_of_rejection_are_told_one_a_reason_first() -> None:
    english = case(30, TRAVEL, "What about it?", ReviewState.REJECTED)
    found = known([*rejected_cases(), english])
    assert lines(found, POLICY) == [
        f"退回1（{said('zh')}）第 10 道废题",
        f"退回2（{said('zh', 'closed_book')}）第 14 道废题",
        f"退回3（{said('zh')}）第 11 道废题",
    ]
    assert lines(found, STAFF) == [f"Rejected 1 ({said('en')}) What about it?"]


def said(language: str, reason: str = "unclear") -> str:
    return words(language)(f"reject.{reason}")


def test_with_nothing_decided_the_prompt_is_the_plain_one() -> None:
    task = Task(chunk_ids=(POLICY.chunk_id,))
    plain = call_of(task, material(ALL)).request
    undecided = case(1, FEES, "上门费多少？", ReviewState.UNREVIEWED)
    assert call_of(task, known([undecided])).request == plain
