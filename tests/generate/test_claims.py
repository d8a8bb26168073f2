"""Claims are proposed for what a program can tell: numbers, dates, amounts, negations."""

import pytest

from builder.generate.claims import propose
from builder.model.claim import LiteralCheck, NumberCheck


@pytest.mark.parametrize(
    ("answer", "checks"),
    [
        ("备件保修 6 个月。", [("备件保修 6 个月。", NumberCheck(value="6", unit="month"))]),
        ("二十四个月", [("二十四个月", NumberCheck(value="24", unit="month"))]),
        ("The fee is 1,200.50 yuan.", [("The fee is 1,200.50 yuan.", NumberCheck(value="1200.5", unit="CNY"))]),
        ("生鲜商品不适用退货。", [("生鲜商品不适用退货。", None)]),
        ("由消费者承担。", []),
        ("按照第八条换货。", []),
    ],
)
def test_one_fact(answer: str, checks: list[tuple[str, object]]) -> None:
    assert [(claim.text, claim.check) for claim in propose(answer)] == checks


def test_each_clause_has_its_own_claim() -> None:
    claims = propose("净饮机每台 199 元，冰箱每台 299 元，其他产品不收费。")
    assert [c.check for c in claims] == [
        NumberCheck(value="199", unit="CNY"),
        NumberCheck(value="299", unit="CNY"),
        None,
    ]
    assert all(claim.critical for claim in claims)


def test_a_range_is_compared_by_its_forms() -> None:
    (claim,) = propose("款项在 3 至 7 个工作日内原路退回。")
    assert isinstance(claim.check, LiteralCheck)
    assert {"3至7 个工作日", "3-7 个工作日"} <= set(claim.check.any_of)


def test_claims_of_the_model_come_first_and_stay() -> None:
    claims = propose("备件保修 6 个月。", ("备件有保修", "备件保修 6 个月。"))
    assert [claim.text for claim in claims] == ["备件有保修", "备件保修 6 个月。", "备件保修 6 个月。"]
    assert [claim.check is not None for claim in claims] == [False, False, True]
