"""Traditional and simplified characters: one for one, so that offsets stay, and alike when folded."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.text.fold import fold, folded
from builder.text.numbers import has_negation, quantities
from builder.text.quotes import find_quote
from builder.text.simplified import simplified, simplified_forms

FORMS = simplified_forms()


@pytest.mark.parametrize(
    ("traditional", "plain"),
    [
        ("備件保修六個月，自更換之日起計算。", "备件保修六个月，自更换之日起计算。"),
        ("「個人資訊」的刪除請求，應當在 15 個工作日內辦結", "“个人资讯”的删除请求，应当在15个工作日内办结"),
        ("無線網絡", "无线网络"),
        ("後臺與颱風", "后台与台风"),
    ],
)
def test_both_scripts_fold_alike(traditional: str, plain: str) -> None:
    assert folded(traditional) == folded(plain)


def test_words_are_not_converted() -> None:
    assert folded("軟體") != folded("软件")


def test_a_quote_in_one_script_is_found_in_the_other() -> None:
    text = "說明：備件 保修\n六個月。"
    found = find_quote("备件保修六个月", text)
    assert found is not None
    assert text[found.start : found.end] == "備件 保修\n六個月"


def test_the_table_is_one_for_one_and_leads_to_an_end() -> None:
    assert len(FORMS) > 2500
    assert all(len(old) == len(new) == 1 and old != new for old, new in FORMS.items())
    assert not FORMS.keys() & set(FORMS.values())


@given(st.text(alphabet=st.sampled_from(sorted(FORMS)) | st.characters(max_codepoint=0x9FFF)))
def test_offsets_stay(text: str) -> None:
    assert len(simplified(text)) == len(text)
    assert simplified(simplified(text)) == simplified(text)
    assert fold(text).text == folded(simplified(text)) == folded(text)
    assert fold(text).starts == fold(simplified(text)).starts


def test_numbers_and_negations_are_read_in_traditional_characters() -> None:
    assert [(q.value, q.unit) for q in quantities("整機保固二十四個月")] == [
        (q.value, q.unit) for q in quantities("整机保固二十四个月")
    ]
    assert quantities("整機保固二十四個月")[0].value == 24
    assert has_negation("無需繳費") and has_negation("不適用")
