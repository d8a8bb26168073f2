"""Questions with slips of the keyboard."""

import pytest

from builder.generate.styles.typo import refusal
from tests.generate.styles.make import EN, ZH, case

LONG = "自签收之日起 15 日内出现性能故障的商品可以选择退货还是换货？"


@pytest.mark.parametrize(
    ("original", "text"),
    [
        (ZH, "GTE-3000Pro 整机保休期是多久？"),
        (ZH, "GTE-3000Pro 整机保修期是多多久？"),
        (LONG, "自签收之日起 15 日内出现性能故章的商品可以选者退货还是换货？"),
        (EN, "How long is the waranty of the GTE-3000Pro after delivrey?"),
        (EN, "Hwo long is the warranty of the GTE-3000Pro after delivery?"),
    ],
)
def test_taken(original: str, text: str) -> None:
    assert refusal(case(original), text, ()) == ""


@pytest.mark.parametrize(
    ("original", "text", "reason"),
    [
        (ZH, ZH, "same_question"),
        (ZH, "GTE-3000Pro整机保修期是多久。", "same_question"),
        (ZH, "GTE-300Pro 整机保修期是多久？", "code_changed"),
        (LONG, LONG.replace("15", "51"), "numbers_changed"),
        (ZH, "GTE-3000Pro 整鸡宝休旗市多酒？", "too_many_slips"),
        ("未发货的订单怎么取消？", "末发货的订单怎么取消？", "negation_changed"),
        (EN, "How long is the warranty of the GTE-3000Por after delivery?", "code_changed"),
        (EN, "Ho lnog s the waranty of the GTE-3000Pro aftr delivry?", "too_many_slips"),
        ("Claims are due within 30 days, right?", "Claims are due within 3 days, right?", "numbers_changed"),
        ("Is alcohol not refunded?", "Is alcohol nt refunded?", "negation_changed"),
    ],
)
def test_refused(original: str, text: str, reason: str) -> None:
    assert refusal(case(original), text, ()) == reason
