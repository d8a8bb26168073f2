"""Questions that go on with a conversation."""

import pytest

from builder.generate.styles.follow_up import refusal
from builder.model.case import Turn
from tests.generate.styles.make import EN, ZH, case, talk

ORDER = "订单未发货时，怎么取消订单？"
TRIP = "Within how many days after a trip must travel claims be filed?"
HELLO_ZH = talk("你好，我买了一台 GTE-3000Pro", "您好，请问关于这台机器的整机有什么问题？")
HELLO_EN = talk("Hi, I bought a GTE-3000Pro", "Thanks! What would you like to know about the warranty?")


@pytest.mark.parametrize(
    ("original", "answer", "turns", "text"),
    [
        (ZH, "24 个月。", HELLO_ZH, "它的保修期是多久？"),
        (ORDER, "自助取消。", talk("我有个订单还没有发货", "好的，您想怎么处理这个订单？"), "未发货的话，怎么取消它？"),
        (EN, "12 months.", HELLO_EN, "How long is it after delivery?"),
        (
            TRIP,
            "30 days.",
            talk("I am back from a trip and have travel claims", "Fine."),
            "Within how many days must they be filed?",
        ),
    ],
)
def test_taken(original: str, answer: str, turns: tuple[Turn, ...], text: str) -> None:
    assert refusal(case(original, answer), text, turns) == ""


@pytest.mark.parametrize(
    ("original", "turns", "text", "reason"),
    [
        (ZH, (), "它的保修期是多久？", "no_conversation"),
        (ZH, HELLO_ZH[:1], "它的保修期是多久？", "no_conversation"),
        (ZH, HELLO_ZH[::-1], "它的保修期是多久？", "no_conversation"),
        (ZH, talk("你好", " "), "它的保修期是多久？", "no_conversation"),
        (ZH, HELLO_ZH, ZH, "same_question"),
        (ZH, HELLO_ZH, "保修期是多久？", "no_reference"),
        (ZH, HELLO_ZH, "那 GTE-3000Pro 的保修期是多久？", "names_subject"),
        (ZH, talk("你好，我买了一台净饮机", "您好，整机有什么问题？"), "它的保修期是多久？", "subject_missing"),
        (ZH, talk("我买了 GTE-3000Pro", "GTE-3000Pro 保修 24 个月。"), "它的保修期是多久？", "conversation_tells"),
        (ZH, talk("我 3 天前买了 GTE-3000Pro", "好的。"), "它的整机保修期是多久？", "conversation_tells"),
        (ZH, talk("我买了 GTE-3000Pro 和 BX-460", "好的。"), "它的整机保修期是多久？", "code_changed"),
        (ZH, HELLO_ZH, "它的保修期不是多久？", "negation_changed"),
        (ZH, HELLO_ZH, "它好用吗？", "meaning_lost"),
        (EN, (), "How long is it after delivery?", "no_conversation"),
        (EN, HELLO_EN, "How long after delivery?", "no_reference"),
        (EN, HELLO_EN, "How long is that of the GTE-3000Pro?", "names_subject"),
        (EN, talk("Hi, I bought a purifier", "And the warranty?"), "How long is it after delivery?", "subject_missing"),
        (EN, talk("I have a GTE-3000Pro", "It has 12 months."), "How long is it after delivery?", "conversation_tells"),
        (EN, HELLO_EN, "How long is it not after delivery?", "negation_changed"),
    ],
)
def test_refused(original: str, turns: tuple[Turn, ...], text: str, reason: str) -> None:
    answer = "12 months." if original == EN else "24 个月。"
    assert refusal(case(original, answer), text, turns) == reason
