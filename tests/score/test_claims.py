"""Which claims an answer states, as far as a program can tell."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.model.claim import Claim, LiteralCheck, NumberCheck
from builder.model.verdict import Judgement
from builder.score.claims import judge_claims
from tests import make

MONTHS = NumberCheck(value="24", unit="month")
WARRANTY = Claim(text="整机质保 24 个月", check=MONTHS, critical=True)
ENGLISH = Claim(text="The warranty is 24 months", check=MONTHS)
RETURN = Claim(text="可以退货", check=LiteralCheck(any_of=("可以退货", "能退")))
WATER = Claim(text="进水不在质保范围内", check=LiteralCheck(any_of=("不在质保范围", "不保修"), none_of=("免费维修",)))
DAYS = Claim(text="退款 3 至 7 个工作日到账", check=LiteralCheck(any_of=("3至7个工作日", "3 to 7 working days")))
START = Claim(text="2026年1月1日起施行", check=NumberCheck(value="20260101", unit="date"))
PRICE = Claim(text="上门费 50 元", check=NumberCheck(value="50", unit="CNY"))
WITHIN = Claim(text="7 日内可以退货", check=NumberCheck(value="7", unit="day"))
MONTHLY = Claim(text="每月收费 50 元", check=NumberCheck(value="50", unit="CNY"))
MODEL = Claim(text="GTE-3000 质保 24 个月", check=MONTHS)
FORBIDDEN = Claim(text="整机质保 18 个月", check=NumberCheck(value="18", unit="month"))
HOW_LONG = "整机质保多久？"
R, W, U = Judgement.RIGHT, Judgement.WRONG, Judgement.UNDECIDED


def judged(claim: Claim, question: str, answer: str) -> Judgement:
    case = make.case(question=question, claims=(claim,))
    return judge_claims(case, answer)[0].verdict


WARRANTIES = [
    ("整机质保二十四个月。", R),
    ("整机质保２４个月", R),
    ("两年", R),
    ("24 months", R),
    ("整机 24 个月，电池 6 个月", R),
    ("整机质保 24 个月，不含电池", R),
    ("整机质保 24 个月，自出厂之日起，凭凭证办理；滤网每 2 个月更换。", R),
    ("质保 12 个月。", W),
    ("12 个月", W),
    ("整机质保 124 个月", W),
    ("质保 24 小时", W),
    ("", W),
    ("  \n", W),
    ("整机质保 12 个月，电池 24 个月。", W),
    ("质保 12 个月，延长后 24 个月", U),
    ("普通用户整机质保 12 个月，会员整机质保 24 个月", U),
    ("整机质保 24 个月。整机质保 12 个月。", U),
    ("整机和电池质保分别为 24 个月和 6 个月。", U),
    ("电池质保 24 个月", U),
    ("电池质保 6 个月", U),
    ("不是 24 个月", U),
    ("整机质保不是 24 个月，而是 12 个月。", U),
    ("如果您是会员，整机质保 24 个月", U),
    ("有人说整机质保 24 个月，这是错误的。", U),
    ("整机质保 24 个月。这种说法是错误的。", U),
    ("已取消 24 个月质保", U),
    ("质保 24 个月吗？", U),
    ("质保大约 24 个月", U),
    ("质保期不超过 24 个月", U),
    ("质保不足 24 个月", U),
    ("请联系客服", U),
    ("GTE-24", U),
]


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        ("整机质保 24 个月，电池质保 12 个月", R),
        ("整机质保 12 个月，电池 24 个月", W),
        ("电池 24 个月", U),
        ("电池 12 个月", U),
        ("电池质保 12 个月", U),
    ],
)
def test_a_question_that_names_two_things(answer: str, wanted: Judgement) -> None:
    assert judged(WARRANTY, "整机和电池分别质保多久？", answer) is wanted


@pytest.mark.parametrize(("answer", "wanted"), WARRANTIES)
def test_a_duration(answer: str, wanted: Judgement) -> None:
    assert judged(WARRANTY, HOW_LONG, answer) is wanted


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        ("The warranty lasts two years.", R),
        ("It is twenty-four months.", R),
        ("Information about the warranty: 24 months", R),
        ("It is 12 months.", W),
        ("The warranty is not 24 months.", U),
        ("The warranty isn't 24 months.", U),
        ("About 24 months.", U),
        ("At least 24 months.", U),
        ("If you register, the warranty is 24 months.", U),
        ("The warranty is 24 months. That is not correct.", U),
        ("The battery is covered for 24 months and the machine for 12 months.", U),
    ],
)
def test_a_duration_in_english(answer: str, wanted: Judgement) -> None:
    assert judged(ENGLISH, "How long is the warranty?", answer) is wanted


@pytest.mark.parametrize(
    ("claim", "question", "answer", "wanted"),
    [
        (RETURN, "生鲜能退吗？", "可以退货", R),
        (RETURN, "生鲜能退吗？", "七天内能退。", R),
        (RETURN, "生鲜能退吗？", "不可以退货", U),
        (RETURN, "生鲜能退吗？", "不能退", U),
        (RETURN, "生鲜能退吗？", "能不能退？", U),
        (RETURN, "生鲜能退吗？", "是否可以退货请咨询客服", U),
        (RETURN, "生鲜能退吗？", "并非可以退货", U),
        (RETURN, "生鲜能退吗？", "除定制商品外可以退货", U),
        (WATER, "进水能保修吗？", "进水不在质保范围内", R),
        (WATER, "进水能保修吗？", "人为进水不保修，不能免费维修", R),
        (WATER, "进水能保修吗？", "进水在质保范围内，可以免费维修", W),
        (WATER, "进水能保修吗？", "并非不在质保范围内", U),
        (WATER, "进水能保修吗？", "不保修，但可以免费维修", U),
        (DAYS, "退款多久到账？", "3 to 7 working days", R),
        (DAYS, "退款多久到账？", "三到七个工作日", R),
        (DAYS, "how long?", "Refunds arrive within three to seven business days.", R),
        (DAYS, "退款多久到账？", "13至7个工作日", U),
        (DAYS, "how long?", "not within 3 to 7 working days", U),
        (START, "何时施行？", "自 2026-01-01 起施行", R),
        (START, "何时施行？", "2025年1月1日起施行", W),
        (START, "何时施行？", "1月1日起施行", U),
        (PRICE, "上门费多少？", "上门费￥50。", R),
        (PRICE, "上门费多少？", "上门费五十元", R),
        (PRICE, "上门费多少？", "上门费 80 元", W),
        (PRICE, "上门费多少？", "免上门费", U),
        (WITHIN, "几天内能退？", "签收后 7 日内可以退货", R),
        (WITHIN, "几天内能退？", "7 日后可以退货", U),
        (WITHIN, "几天内能退？", "超过 7 天可以退货", U),
        (WITHIN, "几天内能退？", "7 日内不能退货", U),
        (WITHIN, "几天内能退？", "一周内可以退货", R),
        (MONTHLY, "收多少？", "每月 50 元", R),
        (MONTHLY, "收多少？", "每年 50 元", U),
        (MODEL, "GTE-3000 质保多久？", "GTE-3000 质保 24 个月", R),
        (MODEL, "GTE-3000 质保多久？", "GTE-2000 质保 24 个月", U),
        (WARRANTY, HOW_LONG, "- 整机：12 个月\n- 电池：24 个月", W),
        (Claim(text="art", check=LiteralCheck(any_of=("art",))), "?", "We start at nine.", U),
        (Claim(text="整机质保 24 个月"), HOW_LONG, "整机质保 24 个月", U),
        (Claim(text="不用付费", check=LiteralCheck(none_of=("付费",))), "?", "免费", R),
    ],
)
def test_forms_amounts_and_dates(claim: Claim, question: str, answer: str, wanted: Judgement) -> None:
    assert judged(claim, question, answer) is wanted


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        ("整机质保 18 个月", W),
        ("一年半", W),
        ("24 个月", R),
        ("", R),
        ("不是 18 个月", U),
        ("电池质保 18 个月", U),
    ],
)
def test_what_must_not_be_there(answer: str, wanted: Judgement) -> None:
    case = make.case(question=HOW_LONG, must_not_claims=(FORBIDDEN,))
    (found,) = judge_claims(case, answer)
    assert (found.verdict, found.must_not, found.index) == (wanted, True, 0)


def test_every_claim_has_its_verdict_in_order() -> None:
    case = make.case(question=HOW_LONG, claims=(WARRANTY, RETURN), must_not_claims=(FORBIDDEN,))
    found = judge_claims(case, "整机质保 24 个月。")
    assert [(one.index, one.must_not, one.verdict) for one in found] == [(0, False, R), (1, False, U), (0, True, R)]
    assert [one.why for one in found] == ["said", "not_found", "not_found"]


SAID = ["整机质保 24 个月", "可以退货", "3至7个工作日", "进水不在质保范围内", "上门费 50 元"]


@given(
    claim=st.sampled_from([WARRANTY, RETURN, DAYS, WATER, PRICE]),
    said=st.sampled_from(SAID),
    head=st.sampled_from(["不是", "并非", "没有", "不", "从不", "绝非"]),
)
def test_a_denied_claim_is_never_right(claim: Claim, said: str, head: str) -> None:
    assert judged(claim, "怎么样？", f"{head}{said}。") is not R


@given(answer=st.text(max_size=80), claim=st.sampled_from([WARRANTY, RETURN, DAYS, WATER, START, PRICE, FORBIDDEN]))
def test_any_answer_gets_a_verdict(answer: str, claim: Claim) -> None:
    case = make.case(claims=(claim,), must_not_claims=(claim,))
    assert len(judge_claims(case, answer)) == 2


@given(filler=st.text("的了在是和与，。 abc", max_size=40))
def test_an_answer_without_the_number_is_never_right(filler: str) -> None:
    assert judged(WARRANTY, HOW_LONG, filler) is not R
