"""Colloquial questions."""

import pytest

from builder.generate.styles.colloquial import refusal
from tests.generate.styles.make import EN, ZH, case


@pytest.mark.parametrize(
    ("original", "text"),
    [
        (ZH, "那个GTE-3000Pro 整机能保多久啊"),
        (ZH, "GTE-3000Pro保修多久"),
        ("订单未发货时，如何取消订单？", "东西还没发货呢，咋取消订单啊"),
        ("退款审核通过后 7 个工作日内能到账吗？", "退款审核过了，七个工作日能到账吗啊"),
        (EN, "hey how long's the warranty on the GTE-3000Pro after delivery"),
        ("May employees smoke inside the buildings?", "so can I smoke inside the buildings or what"),
    ],
)
def test_taken(original: str, text: str) -> None:
    assert refusal(case(original), text, ()) == ""


@pytest.mark.parametrize(
    ("original", "text", "reason"),
    [
        (ZH, ZH, "same_question"),
        (ZH, "GTE-3000Pro整机保修期是多久", "same_question"),
        (ZH, "那个GTE-3000 整机能保多久啊", "code_changed"),
        (ZH, "整机能保多久啊", "code_changed"),
        (ZH, "GTE-3000Pro 整机不能保多久啊", "negation_changed"),
        (ZH, "GTE-3000Pro 整机保修期有 24 个月吗", "numbers_changed"),
        (ZH, "你好啊，我家前阵子买了一台你们的 GTE-3000Pro，想问一下整机保修期是多久呀，麻烦告诉我", "too_long"),
        (ZH, "GTE-3000Pro 好不好用啊", "meaning_lost"),
        ("订单未发货时，如何取消订单？", "订单发货时，咋取消订单啊", "negation_changed"),
        ("自签收之日起多少日内可以申请退货？", "签收日起多少天之内可以申请退货手续？", "not_colloquial"),
        (EN, "hey how long's the warranty on the GTE-3000 after delivery", "code_changed"),
        (EN, "hey the GTE-3000Pro, is it any good", "meaning_lost"),
        (EN, "hey how long's the warranty on the GTE-3000Pro not after delivery", "negation_changed"),
        (EN, "What is the length of the warranty of the GTE-3000Pro after delivery?", "not_colloquial"),
    ],
)
def test_refused(original: str, text: str, reason: str) -> None:
    assert refusal(case(original), text, ()) == reason
