"""What is known of an answer before people have looked, and whether repeats differ."""

import pytest

from builder.model.case import Status
from builder.model.claim import Claim, LiteralCheck, NumberCheck
from builder.model.run import RunRecord
from builder.score.scored import Score, score_by_checks, scored_by_checks
from builder.score.stability import unstable
from tests import make

CASE = make.case(
    claims=(
        Claim(text="整机质保 24 个月", critical=True, weight=75, check=NumberCheck(value="24", unit="month")),
        Claim(text="可以寄修", weight=25, check=LiteralCheck(any_of=("可以寄修",))),
    ),
    must_not_claims=(Claim(text="免费上门", critical=True, check=LiteralCheck(any_of=("免费上门",))),),
)
UNANSWERABLE = make.case(answerable=False, ground_truth="")


def record(answer: str | None = "", **fields: object) -> RunRecord:
    return RunRecord.model_validate({"case_id": "m000000000001", "answer": answer} | fields)


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        ("整机质保 24 个月，可以寄修。", Score(100, True, False)),
        ("整机质保 24 个月。", Score(75, True, False)),
        ("整机质保 12 个月，可以寄修。", Score(25, False, True)),
        ("整机质保 24 个月，免费上门。", Score(75, False, True)),
        ("请咨询客服。", Score(0, True, False)),
    ],
)
def test_by_claims(answer: str, wanted: Score) -> None:
    assert score_by_checks(CASE, record(answer)) == wanted


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        (record(None), Score(0, False, False)),
        (record("x", error="timeout"), Score(0, False, False)),
        (record("无法回答", status=Status.REFUSE), Score(0, False, False)),
    ],
)
def test_no_answer_to_an_answerable_question(found: RunRecord, wanted: Score) -> None:
    assert score_by_checks(CASE, found) == wanted


def test_a_made_up_answer_is_critical() -> None:
    assert score_by_checks(UNANSWERABLE, record("13800000000", status=Status.ANSWER)) == Score(0, False, True)
    assert score_by_checks(UNANSWERABLE, record("无法回答", status=Status.REFUSE)) == Score(100, True, False)
    assert score_by_checks(UNANSWERABLE, record("无法回答")) is None, "nobody says what it did"


def test_nothing_to_tell_by() -> None:
    assert score_by_checks(make.case(claims=(Claim(text="质保"),)), record("质保")) is None
    lookup = scored_by_checks(lambda case_id: CASE, lambda case_id, repeat: record("整机质保 24 个月。"))
    assert lookup("m000000000001", 1) == Score(75, True, False)


@pytest.mark.parametrize(
    ("records", "wanted"),
    [
        ([record("整机质保 24 个月")], False),
        ([record("整机质保 24 个月。"), record("整机的质保是二十四个月")], False),
        ([record("整机质保 24 个月"), record("整机质保 12 个月")], True),
        ([record("可以退货"), record("很抱歉，生鲜商品售出后概不退换")], True),
        ([record("可以", status=Status.ANSWER), record("可以", status=Status.REFUSE)], True),
        ([record("可以"), record("可以", error="timeout")], True),
    ],
)
def test_unstable(records: list[RunRecord], wanted: bool) -> None:
    assert unstable(records) is wanted
