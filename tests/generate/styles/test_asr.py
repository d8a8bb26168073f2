"""Questions as speech recognition writes them down."""

import pytest

from builder.generate.styles.asr import refusal
from tests.generate.styles.make import EN, ZH, case

MONTHS = "整机保修期是 24 个月，到期后还能延长吗？"


@pytest.mark.parametrize(
    ("original", "text"),
    [
        (ZH, "GTE-3000Pro 整机宝修期是多久"),
        (ZH, "gte3000pro整机保修其是多九"),
        (MONTHS, "整机保修期是二十四个月到期后还能延长吗"),
        (MONTHS, "整机保修其是二十四个月到期后还能延长马"),
        (EN, "how long is the warrant he of the GTE-3000Pro after delivery"),
        ("Can I get 24 months, or is it less?", "can eye get twenty-four months or is it less"),
    ],
)
def test_taken(original: str, text: str) -> None:
    assert refusal(case(original), text, ()) == ""


@pytest.mark.parametrize(
    ("original", "text", "reason"),
    [
        (ZH, "GTE-3000Pro 整机宝修期是多久？", "punctuated"),
        (ZH, "GTE-3000Pro 整机保修期是多久", "same_question"),
        (ZH, "GTE-3000 整机宝修期是多久", "code_changed"),
        (ZH, "GTE-3000Pro 整机的宝修期是多久", "too_many_slips"),
        (ZH, "GTE-3000Pro 正机宝休其是多九", "too_many_slips"),
        (MONTHS, "整机保修期是十四个月到期后还能延长马", "numbers_changed"),
        ("未发货的订单怎么取消？", "喂发货的订单怎么取消", "negation_changed"),
        (EN, "how long is the warranty, of the GTE-3000Pro", "punctuated"),
        (EN, "how long is the warranty of the GTE-3000Pro after delivery", "same_question"),
        (EN, "house lung his da warranty of the GTE-3000Pro after livery", "too_many_slips"),
        ("Is alcohol not refunded?", "is alcohol now refunded", "negation_changed"),
    ],
)
def test_refused(original: str, text: str, reason: str) -> None:
    assert refusal(case(original), text, ()) == reason
