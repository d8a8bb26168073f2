"""Facts are the same by value and unit, and no more than the source says."""

import pytest

from builder.checks.reading.compare import facts, measures, missing


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("两年", "24 个月"),
        ("二十四个月", "24 months"),
        ("半年", "6 个月"),
        ("一周内", "7 日内"),
        ("two weeks", "14 days"),
        ("一天之内", "24 小时内"),
        ("1.5 kW", "1500 W"),
        ("3 万元", "30,000 元"),
        ("¥299", "299 元"),
        ("1 January 2026", "2026-01-01"),
        ("3 月 5 日", "2026年3月5日"),
        ("2 月 15 日到 23 日", "2026年2月15日至2月23日"),
        ("2026-02-23", "2026 年 2 月 15 日至 2 月 23 日"),
        ("晚上 9 点", "8:30 至 21:00"),
        ("每天 9 点到 17 点", "每日9时至17时"),
        ("周三", "星期一至星期五"),
        ("Wednesday", "Monday to Friday"),
        ("五折", "减半收取"),
        ("half of the price", "50 %"),
        ("G3", "G1 to G6: 600 yuan"),
        ("3000Pro", "GTE-3000Pro"),
        ("GTE3000-Pro", "GTE-3000Pro"),
        ("5 days", "Days per year: 5"),
        ("24 个月", "整机保修（月）：24"),
        ("3 至 7 个", "3 至 7 个工作日"),
        ("once a year", "in each calendar year"),
        ("Twelve.", "12 failed attempts"),
        ("有以下三种情形", "情形如下"),
        ("再试一次", "补水后重试"),
    ],
)
def test_the_source_holds_it(answer: str, source: str) -> None:
    assert missing(answer, source) == ()


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("25 个月", "24 个月"),
        ("30 天", "一个月"),
        ("5 天", "5 个工作日"),
        ("24 元", "整机保修（月）：24"),
        ("2026 年 3 月 5 日", "2025 年 3 月 5 日"),
        ("2026-03-05", "3 月 5 日"),
        ("9:00", "21:00"),
        ("周六", "星期一至星期五"),
        ("G7", "G1 to G6"),
        ("E07", "E06"),
        ("GTE-3000Pro", "GTE-3000"),
        ("20 %", "12 %"),
        ("40 yuan a week", "up to 40 yuan a day"),
        ("twice", "once"),
        ("at least twenty characters", "at least 12 characters"),
    ],
)
def test_the_source_does_not_hold_it(answer: str, source: str) -> None:
    assert missing(answer, source)


def test_what_can_be_mistaken() -> None:
    kinds = [{measures(fact) for fact in facts(text)} for text in ("6 个月", "7 个工作日", "60 元", "P-2107", "P-2106")]
    assert kinds == [{"duration"}, {"duration"}, {"CNY"}, {"code:p"}, {"code:p"}]
