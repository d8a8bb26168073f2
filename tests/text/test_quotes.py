"""Finding a quote: exactly, folded, nearly, or not at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.text.fold import folded
from builder.text.quotes import find_quote, occurrences

TEXT = (
    "第十二条 整机质保期为 24 个月，自出厂之日起计算；备件\n保修 6 个月。有偿维修保修 3 个月，未经授权拆机不予保修。"
    "错误码 E05 表示水温过高。价格 1,200.50 元。The ﬁrst service is free within 30 days."
)


@pytest.mark.parametrize(
    ("quote", "how", "place"),
    [
        ("整机质保期为 24 个月", "exact", "整机质保期为 24 个月"),
        ("  24 个月\n", "exact", "24 个月"),
        ("整机质保期为24个月", "folded", "整机质保期为 24 个月"),
        ("备件保修６个月", "folded", "备件\n保修 6 个月"),
        ("THE FIRST SERVICE", "folded", "The ﬁrst service"),
        ("irst", "folded", "ﬁrst"),
        ("1,200.50元", "folded", "1,200.50 元"),
        ("未经授权的拆机不予保修", "fuzzy", "未经授权拆机不予保修"),
        ("整机质保期为24个月,自出厂之日计算", "fuzzy", "整机质保期为 24 个月，自出厂之日起计算"),
        ("有偿维修保修三个月，未经授权拆机不予保修", "fuzzy", "有偿维修保修 3 个月，未经授权拆机不予保修"),
        ("The first services are free within 30 days", "fuzzy", "The ﬁrst service is free within 30 days"),
    ],
)
def test_found(quote: str, how: str, place: str) -> None:
    match = find_quote(quote, TEXT)
    assert match is not None
    assert (match.how, TEXT[match.start : match.end]) == (how, place)
    assert match.score == 100 if how != "fuzzy" else 90 <= match.score < 100


@pytest.mark.parametrize(
    "quote",
    [
        "",
        " \n",
        "。",
        "月",
        "整机质保期为 36 个月，自出厂之日起计算",
        "整机质保期为 24 天，自出厂之日起计算；备件保修 6 个月",
        "有偿维修保修 6 个月，未经授权拆机不予保修",
        "未经授权拆机予以保修。错误码 E05 表示水温过高",
        "错误码 E06 表示水温过高。价格 1,200.50 元",
        "4 个月",
        "价格 1,200",
        "200.50 元",
        "The first service is free within 3 days.",
        "完全没有写过的一句话",
    ],
)
def test_not_found(quote: str) -> None:
    assert find_quote(quote, TEXT) is None


def test_the_first_of_several_places() -> None:
    match = find_quote("保修", "甲保修，乙保修")
    assert match is not None
    assert match.start == 1


def test_a_cut_number_is_passed_over_for_a_whole_one() -> None:
    text = "整机 24 个月；十四个月；备件 4 个月，四个月"
    assert occurrences("4 个月", text) == ((17, 21),)
    assert occurrences("四个月", text) == ((22, 25),)


def test_a_quote_longer_than_the_text() -> None:
    text = "整机质保期为24个月，自出厂之日起计算"
    match = find_quote(text + "。", text)
    assert match is not None
    assert (match.how, match.start, match.end) == ("fuzzy", 0, len(text))
    assert find_quote(text * 2, text) is None


def test_occurrences_are_folded_and_do_not_overlap() -> None:
    assert occurrences("AA", "aａa aa") == ((0, 2), (2, 5))
    assert occurrences("", "abc") == occurrences(" ", "abc") == ()


@given(st.text(alphabet="质保修不个月ab ，。\n“”ﬁ", min_size=1, max_size=60), st.data())
def test_every_piece_of_a_text_is_found_in_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    quote = text[start : data.draw(st.integers(start + 1, len(text)))]
    match = find_quote(quote, text)
    if len(folded(quote.strip())) < 2:
        assert match is None
    else:
        assert match is not None
        assert text[match.start : match.end] == quote.strip()
        assert (match.how, match.score) == ("exact", 100)


@given(st.text(max_size=40), st.text(max_size=80))
def test_what_is_found_lies_in_the_text(quote: str, text: str) -> None:
    match = find_quote(quote, text)
    assert match is None or 0 <= match.start < match.end <= len(text)
    assert match is None or match.how == "fuzzy" or folded(quote) in folded(text[match.start : match.end])


@given(st.integers(1, 99), st.integers(1, 99))
def test_a_changed_number_never_matches(one: int, other: int) -> None:
    text = f"整机质保期为 {one} 个月，自出厂之日起计算，以购机发票上的日期为准，逾期按有偿维修办理"
    assert (find_quote(text.replace(str(one), str(other)), text) is not None) == (one == other)
