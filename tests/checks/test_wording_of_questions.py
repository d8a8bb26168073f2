"""Checks of the wording: language, is a question, stands alone, keeps its answer back."""

import pytest

from builder.checks.language import spoken
from builder.checks.question import asks
from builder.checks.self_answered import given_away
from builder.checks.stands_alone import points_away
from builder.model.case import CheckOutcome, Turn
from builder.words import LANGUAGES, words
from tests.checks.looks import look

ZH = "云岚净饮机 GTE-3000 的滤芯每 6 个月更换一次，由用户自行更换。"
EN = "Filters of the GTE-3000 are replaced every 6 months by the user."


@pytest.mark.parametrize(
    ("text", "question", "answer", "detail"),
    [
        (ZH, "滤芯多久换一次？", "6 个月。", ""),
        (ZH, "滤芯多久换一次？", "GTE-3000", ""),
        (ZH, "How often is the filter replaced?", "6 个月。", "other_language_question"),
        (ZH, "滤芯多久换一次？", "The filter is replaced every 6 months.", "other_language_answer"),
        (EN, "How often are filters replaced?", "Every 6 months.", ""),
        (EN, "How often are filters replaced?", "每六个月更换一次。", "other_language_answer"),
    ],
)
def test_language(text: str, question: str, answer: str, detail: str) -> None:
    found = look("language", question, answer, text)
    assert found and found.detail == detail and (found.outcome is CheckOutcome.PASS) == (not detail)
    for language in LANGUAGES:
        assert not detail or words(language)(f"check.{detail}", **found.values)


def test_codes_and_names_have_no_language() -> None:
    assert spoken("GTE-3000Pro") == "" == spoken("Yunlan Home", "在 Yunlan Home 应用中添加设备")
    assert spoken("打开 Yunlan Home 应用") == "zh" and spoken("Open the app on your phone") == "en"


@pytest.mark.parametrize(
    "text",
    [
        "滤芯多久换一次",
        "退款几天到账？",
        "能不能自己换滤芯",
        "请说明换滤芯要准备什么",
        "是否需要预约",
        "拒收的话运费怎么算",
        "How often are filters replaced?",
        "can i replace the filter myself",
        "Tell me how long a repair takes.",
        "After what time is a claim paid",
        "My card was stolen. Do I pay?",
    ],
)
def test_questions(text: str) -> None:
    assert asks(text)


@pytest.mark.parametrize(
    "text",
    [
        "滤芯更换周期",
        "滤芯每六个月更换一次。",
        "请介绍退款流程。",
        "你好，在吗？",
        "谢谢！",
        "Filter replacement",
        "Filters are replaced every 6 months.",
        "Describe the refund process.",
        "The places where smoking is allowed.",
        "Hello, are you there?",
        "？",
    ],
)
def test_no_questions(text: str) -> None:
    assert not asks(text)
    found = look("question", text, "六个月", ZH)
    assert found and (found.outcome, found.detail) == (CheckOutcome.WARN, "no_question")


@pytest.mark.parametrize(
    "text",
    [
        "该表中 KT-35 的保修期是多久？",
        "根据上文，退款要几天？",
        "本条规定的期限是多久？",
        "前款所述的情形有哪些？",
        "文中提到的热线是多少？",
        "上述费用由谁承担？",
        "表 2 里 E05 是什么意思？",
        "它要多久换一次？",
        "According to the passage, who approves claims?",
        "What does this document say about leave?",
        "What fee is mentioned above?",
        "How long is the period in the table?",
        "Which rules does this section contain?",
    ],
)
def test_points_away(text: str) -> None:
    assert points_away(text)
    found = look("stands_alone", text, "六个月", ZH)
    assert found and (found.outcome, found.detail) == (CheckOutcome.WARN, "points_away")


@pytest.mark.parametrize(
    "text",
    [
        "2026 版售后政策里退款要几天？",
        "上门费怎么收？",
        "《员工手册》该文件何时生效？",
        "本公司的热线是多少？",
        "下午五点以后还能上门吗？",
        "上次修过的机器还保修吗？",
        "How long does it take to repair a GTE-3000?",
        "Is it allowed to use a private car?",
        "What does the employee handbook say about leave?",
        "Who may sit at the table of the directors?",
    ],
)
def test_stands_alone(text: str) -> None:
    assert points_away(text, "本公司热线 400") == ""


def test_a_follow_up_may_point_back() -> None:
    from builder.checks import CheckContext, run_checks
    from builder.model.chunk_index import ChunkIndex
    from tests.make import case

    one = case(question="它要多久换一次？", conversation=(Turn(role="user", text="滤芯多少钱？"),))
    (found,) = run_checks(one, CheckContext(chunks=ChunkIndex([])), ("stands_alone",))
    assert found.outcome is CheckOutcome.PASS


@pytest.mark.parametrize(
    ("question", "answer", "given"),
    [
        ("滤芯每 6 个月更换一次，那滤芯多久更换一次？", "每 6 个月更换一次。", True),
        ("滤芯多久换一次？", "每 6 个月更换一次。", False),
        ("超过 5000 元的由谁复核？", "超过 5000 元的由财务主管复核。", False),
        ("滤芯由用户自行更换，由谁更换？", "由用户自行更换。", True),
        ("滤芯能自己换吗？", "能自己换。", False),
        ("Filters are replaced every 6 months; how often are filters replaced?", "Every 6 months.", True),
        ("How often are filters replaced?", "Every 6 months.", False),
        ("Who approves claims up to 2,000 yuan?", "The manager approves claims up to 2,000 yuan.", False),
    ],
)
def test_self_answered(question: str, answer: str, given: bool) -> None:
    assert given_away(question, answer) is given
    found = look("self_answered", question, answer, ZH)
    assert found and (found.outcome is CheckOutcome.WARN) == given
