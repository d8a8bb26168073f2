"""Quantities and negation."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.text.numbers import has_negation, quantities


def read(text: str) -> list[tuple[str, str]]:
    return [(str(found.value), found.unit) for found in quantities(text)]


@pytest.mark.parametrize(
    ("unit", "forms"),
    [
        ("24 month", "24个月|24 个月|24 months|２４个月|二十四个月|24-month|24\n个月|二十\n四个月"),
        ("24 month", "二十四（24）个月|twenty-four (24) months|24（二十四）个月"),
        ("3 workday", "3个工作日|三个工作日|3 business days|three consecutive working days|3 workdays"),
        ("7 day", "7天|七日|7 days|7个自然日|7 calendar days|7-day"),
        ("2 week", "2周|两个星期|2 weeks|两周"),
        ("0.5 year", "半年|0.5年"),
        ("1.5 year", "一年半|1.5 years|1.5年"),
        ("2.5 hour", "两个半小时|2.5h|2.5 小时"),
        ("30 minute", "30分钟|三十分钟|30 min"),
        ("1200.5 CNY", "￥1,200.50|¥1200.5|1,200.50元|人民币1,200.50元|RMB1,200.50|CNY 1,200.50|1200.50 yuan"),
        ("30000 CNY", "3万元|三万元|30,000元|￥3万"),
        ("5500000 USD", "$5.5 million|USD 5,500,000|550万美元"),
        ("160 EUR", "EUR 160|€160|160欧元"),
        ("10 %", "10%|１０％|百分之十|10 percent|10 per cent"),
        ("0.5 %", "千分之五|0.5%"),
        ("100 %", "百分之百|100%"),
        ("3 kg", "3kg|3 KG|三千克|3公斤"),
        ("5 km", "5千米|5公里|5 km"),
        ("-18 ℃", "-18℃|零下18℃|零下十八摄氏度|－１８℃|冷冻-18℃"),
        ("220 V", "220V|220 伏"),
        ("50 Hz", "50Hz|50 赫兹"),
        ("50 m2", "50㎡|50 m²|50平方米"),
        ("2.5 mm2", "2.5mm²|2.5 平方毫米"),
        ("3 次", "3次|三次|three times|3 times"),
        ("2 件", "2件|两件|two pieces"),
        ("20260101 date", "2026年1月1日|2026-01-01|2026/1/1|2026.01.01|二〇二六年一月一日|01/01/2026"),
        ("20260101 date", "January 1, 2026|1 January 2026|Jan. 1, 2026|1st January 2026"),
        ("20260731 date", "07/31/2026|31/07/2026|2026年7月31日"),
        ("202601 date", "2026年1月|2026-01|January 2026"),
        ("2026 date", "2026年|二零二六年"),
        ("331 date", "3月31日|三月三十一日|31 March|March 31"),
        ("830 time", "8:30|08:30|8点30分|8时30分|8点半|8:30 a.m.|周五8时30分"),
        ("1730 time", "17:30|5:30 p.m.|５：３０ pm"),
        ("12 article", "第十二条|第12条|Article 12|Section 12"),
        ("3.2 article", "第3.2条|Section 3.2|§ 3.2"),
        ("3.01 article", "第3.10条|Section 3.10"),
        ("5 ", "No. 5|5 items|No.5"),
        ("123 ", "一百二十三"),
    ],
)
def test_forms_of_one_quantity(unit: str, forms: str) -> None:
    for form in forms.split("|"):
        assert [" ".join(found) for found in read(form)] == [unit], form


@pytest.mark.parametrize(
    "text",
    [
        "GTE-3000Pro",
        "错误码E05",
        "RC-410型",
        "ISO9001",
        "400-810-6688",
        "13812345678",
        "010-62345678",
        "1-800-555-0147",
        "版本1.2.3",
        "v2.1",
        "3000Pro",
        "5-star",
        "房间3-7",
        "https://a.cn/24/5天",
        "li_5@qq.com",
        "1. Scope",
        "（1）整机（2）备件",
        "3.2 质保范围",
        "text [1]",
        "一个问题",
        "十分重要",
        "统一处理",
        "千万不要",
        "万一",
        "星期一",
        "一次性",
        "上半年",
        "半年度报告",
        "同一天",
        "零件",
        "one of the many",
        "the second one",
        "编号007",
    ],
)
def test_no_quantity(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3至7个工作日", "3 workday|7 workday"),
        ("３－７天", "3 day|7 day"),
        ("7 to 10 business days", "7 workday|10 workday"),
        ("between 3 and 7 days", "3 day|7 day"),
        ("Windows 10 and 5 days", "10 |5 day"),
        ("10-15%", "10 %|15 %"),
        ("-5~40℃", "-5 ℃|40 ℃"),
        ("¥500-800", "500 CNY|800 CNY"),
        ("3-5万元", "30000 CNY|50000 CNY"),
        ("三五天", "3 day|5 day"),
        ("8:30-17:30", "830 time|1730 time"),
        ("24个月至36个月", "24 month|36 month"),
        ("满10年不满20年的，年休假10天", "10 year|20 year|10 day"),
        ("2020-2021年", "2020 date|2021 date"),
        ("500元/晚，30多天", "500 CNY|30 day"),
        ("7×24小时", "7 |24 hour"),
    ],
)
def test_ranges_and_rows(text: str, expected: str) -> None:
    assert [" ".join(found) for found in read(text)] == expected.split("|")


def test_one_and_ten_are_not_equal_clauses() -> None:
    assert read("第3.1条") != read("第3.10条")
    assert read("第3.2.1条") != read("第3.21条")


def test_offsets_hold_number_and_unit() -> None:
    text = "整机（２４ 个月），价格￥1,200.50，备件三至七天"
    assert [text[found.start : found.end] for found in quantities(text)] == ["２４ 个月", "￥1,200.50", "三", "七天"]


def test_three_and_a_half_thousand_is_no_plain_thousand() -> None:
    assert read("一万二千元|三百五十元|三百零五元|一千零一夜|1.2亿元") == [
        ("12000", "CNY"),
        ("350", "CNY"),
        ("305", "CNY"),
        ("1001", ""),
        ("120000000", "CNY"),
    ]


DIGITS = "零一二三四五六七八九"


def in_chinese(value: int) -> str:
    """The usual Chinese form of 1-9999."""
    out, gap = "", False
    for size, sign in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = value // size % 10
        if digit:
            out += ("零" if gap and out else "") + DIGITS[digit] + sign
            gap = False
        else:
            gap = True
    return out.removeprefix("一") if 10 <= value < 20 else out


@given(st.integers(1, 9999))
def test_chinese_numerals_have_the_value_of_their_digits(value: int) -> None:
    assert read(in_chinese(value) + "天") == read(f"{value}天") == [(str(value), "day")]


@given(st.integers(1, 9999), st.integers(1, 9999))
def test_ten_thousands(high: int, low: int) -> None:
    zero = "零" if low < 1000 else ""
    assert read(f"{in_chinese(high)}万{zero}{in_chinese(low)}元") == [(str(high * 10000 + low), "CNY")]


@given(st.decimals(min_value=0, max_value=10**9, places=2))
def test_thousands_separators_and_zeros_do_not_count(value: Decimal) -> None:
    plain, grouped = f"{value:f}元", f"{value:,f}元"
    assert [found.value for found in quantities(plain)] == [found.value for found in quantities(grouped)] == [value]


@given(st.text(alphabet="0123456789.,-:/ 年月日个天一二十百千万点半至第条元%$¥aE(（)\n", max_size=40) | st.text())
def test_any_text_gives_ordered_spans(text: str) -> None:
    found = quantities(text)
    assert all(0 <= one.start < one.end <= len(text) for one in found)
    assert [one.start for one in found] == sorted(one.start for one in found)


@pytest.mark.parametrize("piece", ["one ", "twenty-", "a@", "1-", "1,", "十", "千万", "a-", "(", "1 ", "第"])
@pytest.mark.timeout(20)
def test_no_text_takes_long(piece: str) -> None:
    assert len(quantities(piece * 10_000)) <= 10_000


@pytest.mark.parametrize(
    "texts",
    [
        "不得退货|未经授权|非人为损坏|无发票|没有凭证|禁止拆机|人为损坏除外|除生鲜商品外均可退|不锈钢件不保修|请勿触摸",
        "Parts are not covered.|no refund|never|without receipt|except fresh goods|unless agreed|don't|It isn’t",
        "non-refundable|cannot|excluding batteries|No parts",
    ],
)
def test_negation(texts: str) -> None:
    assert [text for text in texts.split("|") if not has_negation(text)] == []


@pytest.mark.parametrize(
    "texts",
    [
        "不锈钢内胆|非常满意|无线网络|未来一年|不过如此|不仅如此|能不能退|有没有发票|七天无理由退货|不论何时|非洲",
        "No. 5|Nos. 3 and 4|not only parts|another note|noble knots",
    ],
)
def test_no_negation(texts: str) -> None:
    assert [text for text in texts.split("|") if has_negation(text)] == []
