"""Check `facts`: numbers, codes and negations of the answer stand in the evidence."""

import pytest

from builder.model.case import CheckOutcome
from builder.words import LANGUAGES, words
from tests.checks.looks import look

FEE = "首次检测每台收取 30 元，同意维修的免收。样机编号 P-2107。"


@pytest.mark.parametrize(
    ("question", "answer", "quote", "outcome", "detail"),
    [
        ("检测一台多少钱？", "30 元。", FEE, CheckOutcome.PASS, ""),
        ("检测一台多少钱？", "三十块钱。", "首次检测每台收取 30 元，同意维修的免收。", CheckOutcome.PASS, ""),
        ("检测一台多少钱？", "50 元。", FEE, CheckOutcome.FAIL, "facts_missing"),
        ("样机是哪一个？", "P-2106。", FEE, CheckOutcome.FAIL, "facts_missing"),
        ("样机是哪一个？", "P-2107。", "首次检测每台收取 30 元，同意维修的免收。", CheckOutcome.WARN, "facts_beside"),
        ("P-2108 也收 45 元吗？", "不是 45 元，检测收 30 元。", FEE, CheckOutcome.PASS, ""),
        ("同意维修还收检测费吗？", "照样收费。", FEE, CheckOutcome.FAIL, "negation_turned"),
    ],
)
def test_facts(question: str, answer: str, quote: str, outcome: CheckOutcome, detail: str) -> None:
    found = look("facts", question, answer, FEE, quote=quote)
    assert found and (found.outcome, found.detail) == (outcome, detail)
    for language in LANGUAGES:
        assert not detail or words(language)(f"check.{detail}", **found.values)


def test_a_repair_is_recorded() -> None:
    found = look("facts", "检测一台多少钱？", "30 元。", FEE, found="repaired:2>1")
    assert found and (found.outcome, found.detail) == (CheckOutcome.PASS, "sentence_repaired")
    assert found.values == {"old": "2", "new": "1"}


# Question, evidence, an answer that is right, and one that says the opposite.
PAIRS = [
    (
        "图书逾期可以续借吗？",
        "逾期图书不得续借，须先归还并缴清滞纳金。",
        "不可以，要先还书并交清滞纳金。",
        "可以，逾期图书也能续借。",
    ),
    (
        "访客能单独进机房吗？",
        "访客进入机房应当由管理员全程陪同，不得单独进入。",
        "不能，要由管理员陪同。",
        "可以单独进入。",
    ),
    (
        "宠物能带进餐厅吗？",
        "除导盲犬外，宠物不得进入餐厅。",
        "不能，只有导盲犬例外。",
        "可以，宠物能进餐厅。",
    ),
    (
        "丢了发票还能报销吗？",
        "遗失发票的，凭开票方证明可以报销。",
        "能，拿开票方的证明就行。",
        "不能报销。",
    ),
    (
        "押金会退吗？",
        "租期届满且房屋无损坏的，押金全额退还。",
        "会，房屋没有损坏就全额退。",
        "不会，押金概不退还。",
    ),
    (
        "试用期员工享受年假吗？",
        "试用期员工不享受带薪年假。",
        "不享受。",
        "享受，试用期员工也有带薪年假。",
    ),
    (
        "手续费要交吗？",
        "首次办理免收手续费。",
        "首次办理不用交。",
        "要交，首次办理也收手续费。",
    ),
    (
        "过期的优惠券还有效吗？",
        "优惠券过期作废，不予补发。",
        "没有效了，也不补发。",
        "有效，过期仍可以使用。",
    ),
    (
        "账号可以借给同事用吗？",
        "账号仅限本人使用，禁止转借他人。",
        "不行，账号只能本人用。",
        "可以，账号能转借给同事。",
    ),
    (
        "夜间上门要加钱吗？",
        "22:00 以后上门的，每次加收 30 元夜间服务费。",
        "要，每次多收 30 元。",
        "不要，夜间上门不加收费用。",
    ),
    (
        "赠品单独坏了保修吗？",
        "赠品不在保修范围内。",
        "赠品不保修。",
        "赠品也在保修范围内。",
    ),
    (
        "样品需要归还吗？",
        "样品检测后无需归还。",
        "不需要归还。",
        "需要归还。",
    ),
    (
        "培训期间发工资吗？",
        "岗前培训期间照常发放工资。",
        "发，培训期间工资照发。",
        "培训期间不发放工资。",
    ),
    (
        "Can I bring my dog?",
        "Dogs are not permitted on trains, except guide dogs.",
        "No, only guide dogs may travel.",
        "Yes, dogs are permitted on trains.",
    ),
    (
        "Is breakfast included?",
        "Breakfast is included in the room rate.",
        "Yes, the rate covers breakfast.",
        "No, breakfast is not included in the room rate.",
    ),
    (
        "Do visitors need a badge?",
        "Every visitor must wear a badge.",
        "Yes, visitors have to wear one.",
        "No, visitors need not wear a badge.",
    ),
    (
        "Are loans renewed automatically?",
        "Loans are renewed automatically unless another reader has reserved the book.",
        "Yes, as long as nobody else has reserved it.",
        "No, loans are never renewed automatically.",
    ),
    (
        "Is delivery free?",
        "Delivery is free of charge above 50 euros.",
        "Yes, above 50 euros it costs nothing.",
        "No, a delivery fee is charged above 50 euros.",
    ),
    (
        "Can the deposit be refunded?",
        "The deposit is non-refundable.",
        "No, it cannot be refunded.",
        "Yes, the deposit can be refunded.",
    ),
    (
        "Does the policy cover floods?",
        "Damage by floods is excluded.",
        "No, flood damage is not covered.",
        "Yes, damage by floods is covered.",
    ),
    (
        "Do I have to pay for parking?",
        "Guests park without charge.",
        "No, parking is free for guests.",
        "Yes, guests have to pay for parking.",
    ),
    (
        "Can I share my login?",
        "Logins must never be shared with anyone.",
        "No, that is forbidden.",
        "Yes, logins may be shared.",
    ),
    (
        "Is a visa required?",
        "No visa is required for stays of up to 90 days.",
        "Not for stays of up to 90 days.",
        "Yes, a visa is required for stays of up to 90 days.",
    ),
    (
        "Is overtime compulsory?",
        "Nobody is obliged to work overtime.",
        "No, nobody has to.",
        "Yes, employees are obliged to work overtime.",
    ),
    (
        "Does the lift run on Sundays?",
        "The lift is out of service on Sundays.",
        "It does not run on Sundays.",
        "The lift is in service on Sundays.",
    ),
]


@pytest.mark.parametrize(("question", "evidence", "right", "turned"), PAIRS, ids=[row[0] for row in PAIRS])
def test_a_negation_that_is_turned_round_fails_and_other_words_for_the_same_pass(
    question: str, evidence: str, right: str, turned: str
) -> None:
    good = look("facts", question, right, evidence)
    assert good and good.outcome is CheckOutcome.PASS, good
    bad = look("facts", question, turned, evidence)
    assert bad and (bad.outcome, bad.detail) == (CheckOutcome.FAIL, "negation_turned")


def test_a_bare_yes_is_held_against_the_question_and_against_a_question_and_answer_pair() -> None:
    pair = "问：开封后的耗材能退吗？\n答：不能。未开封的可以退。"
    assert (found := look("facts", "开封后的耗材能退吗？", "不能。", pair)) and found.outcome is CheckOutcome.PASS
    assert (found := look("facts", "开封后的耗材能退吗？", "能。", pair)) and found.outcome is CheckOutcome.FAIL


@pytest.mark.parametrize(
    ("answer", "evidence", "right"),
    [
        ("EUR 160 per night", "Hotels are refunded up to EUR 160 a night. Meals are EUR 28 a day.", True),
        ("EUR 160 each night", "Hotels are refunded up to EUR 160/night; meals EUR 28 a day.", True),
        ("EUR 160 per night", "Up to EUR 160 nightly, and EUR 20 a week for the gym.", True),
        ("EUR 900 per year", "The fee is EUR 900 per annum, or EUR 80 a month.", True),
        ("EUR 160 per day", "Hotels are refunded up to EUR 160 a night.", False),
        ("EUR 160 per night", "Hotels are refunded up to EUR 160 a week.", False),
        ("每晚 160 元", "住宿费最高 160 元/晚，餐补每天 60 元。", True),
        ("每晚 160 元", "住宿每夜 160 元，餐补每天 60 元。", True),
        ("每月 200 元", "每个月收取 200 元，每年 2000 元。", True),
        ("每月 200 元", "按月收取 200 元，每年 2000 元。", True),
        ("每天 160 元", "住宿费最高 160 元/晚。", False),
        ("每周 200 元", "会员费 200 元/月。", False),
    ],
)
def test_a_period_is_the_same_in_other_words(answer: str, evidence: str, right: bool) -> None:
    question = "How much is it?" if answer.isascii() else "多少钱？"
    found = look("facts", question, answer, evidence)
    assert found and (found.outcome, found.detail) == (
        (CheckOutcome.PASS, "") if right else (CheckOutcome.FAIL, "facts_missing")
    )


LEFT = "A maximum of 5 unused days may be carried over and must be taken by 31 March"


@pytest.mark.parametrize(
    ("question", "answer", "evidence", "right"),
    [
        ("How many unused days can be carried over?", "5 unused days", f"{LEFT}, otherwise they lapse.", True),
        ("How many unused days can be carried over?", "5 unused days", f"{LEFT} (otherwise they lapse).", True),
        ("How many unused days can be carried over?", "5 unused days", f"{LEFT} or else they lapse.", True),
        ("How many unused days can be carried over?", "5 unused days", f"{LEFT}, after which they lapse.", True),
        ("What happens to them?", "The unused days do not lapse.", f"{LEFT}, otherwise the unused days lapse.", False),
        ("Can it be returned late?", "Yes.", "Report it within 7 days, otherwise it cannot be returned.", False),
        ("最多结转几天年假？", "最多结转 5 天年假", "年假最多可以结转 5 天，3 月底前须休完，否则不予结转。", True),
        ("几天内申请？", "可以在 7 天内申请退货", "退货可以在 7 天内申请，不然不予受理。", True),
        ("逾期还能退货吗？", "可以退货", "须在 7 天内申请，否则不予退货。", False),
        ("过期的年假呢？", "年假不作废", "年假须在 3 月 31 日前休完否则年假作废。", False),
    ],
)
def test_what_follows_otherwise_is_said_of_the_other_case(
    question: str, answer: str, evidence: str, right: bool
) -> None:
    found = look("facts", question, answer, evidence)
    assert found and (found.outcome, found.detail) == (
        (CheckOutcome.PASS, "") if right else (CheckOutcome.FAIL, "negation_turned")
    )


def test_nothing_to_judge_without_evidence() -> None:
    from builder.checks import CheckContext, run_checks
    from builder.model.chunk_index import ChunkIndex
    from tests.make import case

    assert run_checks(case(), CheckContext(chunks=ChunkIndex([])), ("facts",)) == ()
