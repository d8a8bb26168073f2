"""What a text has lost of the evidence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.score.compression import SAME, lost

RULE = "自签收之日起 7 日内，消费者可以申请无理由退货。生鲜商品除外，一经签收不适用无理由退货。"
ENGLISH = "The warranty does not cover filters, unless they are defective on delivery. Claims take 10 working days."


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        (RULE, f"第四条\n{RULE}\n第五条"),
        (RULE, RULE.replace(" ", "").replace("7", "７")),
        (RULE, "自签收之日起七日内，消费者可以申请无理由退货。生鲜商品除外，一经签收不适用无理由退货。"),
        (RULE, "消费者自签收起 7 日内可申请无理由退货。生鲜商品除外，签收后不适用无理由退货。"),
        (ENGLISH, "Filters are not covered by the warranty unless defective on delivery. Claims take 10 working days."),
        ("整机保修期为二十四个月", "整机的保修期是 24 个月。"),
        ("不得让儿童操作", "不得让儿童操作"),
    ],
)
def test_nothing_is_lost(quote: str, text: str) -> None:
    assert not lost(quote, text)


def test_a_negation() -> None:
    loss = lost(RULE, RULE.replace("不适用", "适用"))
    assert loss.negations == ("不",) and not loss.numbers and not loss.sentences and not loss.gone


def test_a_negation_elsewhere_replaces_none() -> None:
    assert lost(RULE, RULE.replace("不适用", "适用") + "电池不在保修范围内。").negations == ("不",)


def test_a_number() -> None:
    loss = lost(RULE, RULE.replace("7 日内", "限期内") + "退款 7 日内到账。")
    assert loss.numbers == ("7 日",) and not loss.negations


def test_another_number() -> None:
    assert lost("整机保修期为 24 个月。", "整机保修期为 18 个月。").numbers == ("24 个月",)


def test_an_exception() -> None:
    loss = lost(ENGLISH, ENGLISH.replace("unless they are", "also where they are"))
    assert loss.exceptions == ("unless",)


def test_a_sentence() -> None:
    first, second = RULE.split("。")[:2]
    loss = lost(RULE, f"{first}。退款原路退回。")
    assert loss.sentences == (f"{second}。",) and loss.of == 2 and not loss.gone and not loss.cut_off


def test_the_text_ends_within() -> None:
    loss = lost(RULE, f"[1] 第四条\n{RULE[:34]}")
    assert loss and loss.cut_off


def test_a_sentence_cut_behind_its_number() -> None:
    """Number and negation are there, the rest of the rule is not."""
    loss = lost("超过 100 元的，须经客服主管批准。", "[1] 内部处理口径\n超过 100 元的，须经客")
    assert loss.cut_off and loss.words == ("服主管批准",) and not loss.numbers


@given(st.sampled_from((RULE, ENGLISH)).flatmap(lambda text: st.tuples(st.just(text), st.integers(0, len(text) - 4))))
def test_a_text_that_ends_within_the_evidence_never_holds_it(case: tuple[str, int]) -> None:
    text, end = case
    assert lost(text, f"[1] {text[:end]}")


def test_all_is_gone() -> None:
    assert lost(RULE, "冰箱不制冷的优先处理。").gone
    assert lost(RULE, "").gone


def test_what_is_only_like_it_stands_for_it_where_its_passage_is_there() -> None:
    quote, other = (
        "确认重复扣款的，公司在 1 个工作日内原路退回多扣的款项",
        "确认重复扣款后 1 个工作日内原路退回，不需要退货",
    )
    assert not lost(quote, other)
    assert lost(quote, other, SAME).gone


@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=60))
def test_a_text_that_holds_the_quote_has_lost_nothing(before: str, quote: str, after: str) -> None:
    if quote.strip() and quote.strip().isalpha() and len(quote.strip()) > 2:
        assert not lost(quote, f"{before}\n{quote}\n{after}")


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_two_texts(quote: str, text: str) -> None:
    assert len(lost(quote, text).sentences) <= lost(quote, text).of
