"""Check `rival`: the clause beside the evidence that the question means, and no alarm where it does not."""

import pytest

from builder.checks import CheckContext
from builder.checks.rival import rivals
from builder.model.case import CheckOutcome
from builder.model.chunk_index import ChunkIndex
from tests.checks.looks import case, chunk, look

PARTS = "备件保修 6 个月，自更换之日起计算。有偿维修保修 3 个月，自维修完成之日起计算。"
SIZES = "拒收的，从退款中扣除运费，小件商品 12 元，大件商品 60 元。"
LEAVE = "Marriage leave is 3 days and maternity leave is 158 days. Bereavement leave is 5 days."
TERMS = "The trial period is 3 months for contracts of up to two years and 6 months for longer contracts."
ROWS = "型号：BX-460；整机保修（月）：36；上门费（元）：80\n型号：KT-72；整机保修（月）：60；上门费（元）：120"


@pytest.mark.parametrize(
    ("text", "quote", "question", "answer", "rival"),
    [
        (PARTS, "备件保修 6 个月，自更换之日起计算。", "花钱维修过的，保修几个月？", "6 个月。", "有偿维修保修 3 个月"),
        (SIZES, "大件商品 60 元", "小件商品拒收扣多少运费？", "60 元。", "小件商品 12 元"),
        (LEAVE, "Marriage leave is 3 days", "How long is maternity leave?", "3 days.", "maternity leave is 158 days"),
        (LEAVE, "Marriage leave is 3 days", "How long is bereavement leave?", "3 days.", "Bereavement leave is 5 days"),
        (
            TERMS,
            "The trial period is 3 months for contracts of up to two years",
            "How long is the trial period of a four-year contract?",
            "3 months.",
            "6 months for longer contracts",
        ),
        (ROWS, ROWS.split("\n")[0], "KT-72 整机保修多少个月？", "36 个月。", "整机保修（月）：60"),
    ],
)
def test_the_clause_that_was_meant_is_named(text: str, quote: str, question: str, answer: str, rival: str) -> None:
    found = look("rival", question, answer, text, quote=quote)
    assert found and (found.outcome, found.detail) == (CheckOutcome.WARN, "rival_fits")
    assert rival in found.values["rival"]


@pytest.mark.parametrize(
    ("text", "quote", "question", "answer"),
    [
        (PARTS, "备件保修 6 个月，自更换之日起计算。", "换过的零件保修多久？", "六个月。"),
        (PARTS, "有偿维修保修 3 个月，自维修完成之日起计算。", "有偿维修之后保修多久？", "3 个月。"),
        (SIZES, "小件商品 12 元", "小件商品拒收扣多少运费？", "12 元。"),
        (SIZES, SIZES, "大件商品拒收扣多少运费？", "60 元。"),
        (LEAVE, "Marriage leave is 3 days", "How many days off do I get for my wedding?", "Three days."),
        (TERMS, TERMS, "How long is the trial period of a one-year contract?", "3 months."),
        (ROWS, ROWS.split("\n")[1], "KT-72 的上门费是多少？", "120 元。"),
    ],
)
def test_the_right_clause_is_left_alone(text: str, quote: str, question: str, answer: str) -> None:
    found = look("rival", question, answer, text, quote=quote)
    assert found and found.outcome is CheckOutcome.PASS, found


def test_a_rival_in_the_next_chunk_is_seen_and_one_further_off_is_not() -> None:
    texts = ["备件保修 6 个月。", "这里说的是别的事。", "有偿维修保修 3 个月。"]
    question, answer = "有偿维修保修多久？", "6 个月。"
    beside = look("rival", question, answer, texts[0], others=(texts[2],))
    assert beside and beside.outcome is CheckOutcome.WARN
    apart = look("rival", question, answer, texts[0], others=tuple(texts[1:]))
    assert apart and apart.outcome is CheckOutcome.PASS


def test_a_rival_that_is_not_meant_is_named_in_a_pass() -> None:
    found = look("rival", "换过的备件保修多久？", "6 个月。", PARTS, quote="备件保修 6 个月，自更换之日起计算。")
    assert found and (found.detail, found.values["rival"]) == ("rival_beside", "有偿维修保修 3 个月")


def test_what_the_answer_says_itself_is_no_rival() -> None:
    of = chunk(PARTS)
    one = case("备件和有偿维修各保修多久？", "备件 6 个月，有偿维修 3 个月。", PARTS, of)
    assert not any(rival.facts for rival in rivals(one, CheckContext(chunks=ChunkIndex([of]))))
