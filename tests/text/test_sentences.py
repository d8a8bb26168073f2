"""Sentences: exact spans, and where they end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.text.sentences import sentences


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    "parts",
    [
        ["整机保修24个月。", "备件保修6个月！", "有问题吗？", "请拨打400-810-6688。"],
        ["他说：“好的。”", "然后离开了。", "“真的？！”", "她问。"],
        ["（见附件。）", "本条适用。[2]", "下一句。"],
        ["等等……", "然后呢？"],
        ["价格为3.5元……的情况。"],
        ["收费2.50元。", "其余不变"],
        ["保修24个月.", "请联系客服."],
        ["第3.2条适用。", "第 3.10 条除外。"],
        ["访问www.a.cn/x?y=1.2或a.b@c.cn。", "谢谢！"],
    ],
)
def test_chinese(parts: list[str]) -> None:
    assert split("".join(parts)) == parts


@pytest.mark.parametrize(
    "parts",
    [
        ["Dr. Smith paid approx. 3.5 USD, e.g. for No. 5.", "See Fig. 3.", "Visit https://a.b/c?d=1.2 now!", "Done."],
        ["Version 1.2.3 is out.", "Is it?", "Yes."],
        ['"Is it covered?" he asked.', '"Yes."', "Then he left."],
        ["The answer is No.", "You may go."],
        ["It opens at 9 a.m. and J. Smith closes it.", "The end."],
        ["Text cited.[1]", "Next one.[2, 3]", "Last"],
        ["Wait... what?", "Really?!", "Yes"],
        ["Scope ........ 5"],
        ["1. First of all.", "2. Second (see 3.2).", "A. Third."],
    ],
)
def test_english(parts: list[str]) -> None:
    assert split(" ".join(parts)) == parts


@pytest.mark.parametrize(
    "parts",
    [
        ["1. 总则", "1.1 本政策适用于所有用户", "1.2.3 范围"],
        ["（一）整机；", "（二）备件，", "（三）附件。"],
        ["一、范围", "二、职责"],
        ["第三章 质保与退换", "第十二条 整机质保期为 24 个月", "第十三条 备件质保期为 6 个月"],
        ["产品标准的牌号", "1 范围", "本标准规定了产品的牌号。"],
        ["Article 1. Scope", "Article 2. Terms"],
        ["# 标题", "正文一句"],
        ["- 甲", "- 乙", "• 丙"],
        ["联系电话：400-810-6688", "服务时间：8:30-17:30", "地址：北京市"],
        ["问：保修多久", "答：24个月"],
        ["| 型号 | 价格 |", "| A1 | 5 |"],
        ["质保说明", "本产品整机保修期为二十四个月，自出厂之日起计算，以购机发票为准，逾期不予受理。"],
    ],
)
def test_lines_that_end_a_sentence(parts: list[str]) -> None:
    assert split("\n".join(parts)) == parts


@pytest.mark.parametrize(
    "text",
    [
        "本产品整机保修期为\n24 个月，自出厂之日起计算。",
        "按照\n第3.2条的规定，用户应当\n在24个月内申请。",
        "用户应当妥善保管购机发票\n第3.2条的规定另行说明。",
        "用户应当妥善保管购机发票，在质保期\n内出现的非人为损坏，凭发票免费维修，收费标准见\n附件。",
        "屏幕尺寸为\n3.5 英寸的型号。",
        "屏幕价格约\n3.5万元的型号。",
        "Unopened accessories may be\nreturned within\n30 days of purchase for a full refund.",
        "The warranty covers Northwind\nAppliances and the parts of\nSection 3 of the policy.",
    ],
)
def test_lines_that_the_layout_broke(text: str) -> None:
    assert split(text) == [text]


def test_blank_lines_and_form_feeds_end_a_sentence() -> None:
    assert split("甲乙\n\n丙丁\f戊己\r\n \r\n庚") == ["甲乙", "丙丁", "戊己", "庚"]


def test_a_straight_quote_opens_where_none_is_open() -> None:
    assert split('他说好。"不行。"她说。') == ["他说好。", '"不行。"', "她说。"]


def test_nothing() -> None:
    assert sentences("") == sentences(" \n\t") == ()


SIGNS = st.text(alphabet='质保月a Bno1.2。！？…!?"”’）)]、，：:\n\r\f\t\u3000-|#第条（(', max_size=60)


@given(SIGNS | st.text())
def test_only_white_space_lies_between(text: str) -> None:
    at = 0
    for start, end in sentences(text):
        assert start < end
        assert text[at:start].strip() == ""
        assert text[start:end] == text[start:end].strip()
        at = end
    assert text[at:].strip() == ""


@given(st.lists(st.sampled_from(["整机保修24个月。", "真的吗？", "“好的。”", "价格3.5元！"]), min_size=1))
def test_joined_sentences_come_apart_again(parts: list[str]) -> None:
    assert split("".join(parts)) == parts


@pytest.mark.parametrize(
    "rows",
    [
        ["Years of service: Less than 1; Days per year: 5", "Years of service: 20 or more; Days per year: 18"],
        ["型号：BX-460；整机保修（月）：36", "型号：KT-72；整机保修（月）：60"],
    ],
)
def test_rows_of_a_table_are_sentences(rows: list[str]) -> None:
    assert split("\n".join(rows)) == rows
    assert split("Duties: cleaning; repairs\nof all machines.") == ["Duties: cleaning; repairs\nof all machines."]
