"""One user who may read the document, one who may not."""

import pytest

from builder.generate.material import Material
from builder.generate.types.permission import insider, outsider
from builder.model.access import Access, Deny, UserContext, may_read
from builder.model.case import NegativeReason, QuestionType, Status
from builder.model.document import DocumentMetadata
from tests.generate.make import chunk, material
from tests.generate.types.by_unit import item, replied, units
from tests.generate.types.scripted import served

NAME = QuestionType.PERMISSION
SECRET_ZH = "客服人员可以自行决定给予会员不超过 100 元的补偿。"
SECRET_EN = "The target bonus of directors is 20 % of annual base pay."
ASK_ZH, ASK_EN = "北辰客服可以自行补偿会员多少？", "What is the target bonus of directors?"
RULES = (
    Access(tenant="beichen"),
    Access(roles=("hr", "finance")),
    Access(department="sales"),
    Access(region="north"),
    Access(tenant="beichen", roles=("hr", "finance"), region="north"),
    Access(roles=("hr", "finance"), deny=Deny(roles=("hr",))),
    Access(deny=Deny(roles=("guest",))),
    Access(deny=Deny(users=("eve",))),
    Access(tenant="beichen", deny=Deny(departments=("press",))),
)


def over(secret: str, *others: str, **access: object) -> Material:
    """A restricted chunk, and chunks that everybody may read."""
    rules = DocumentMetadata.model_validate(access)
    public = [chunk(text, doc_id=f"public-{n}.pdf") for n, text in enumerate(others)]
    return material([chunk(secret, doc_id="secret.pdf", metadata=rules), *public])


@pytest.mark.parametrize("rules", RULES, ids=repr)
def test_one_is_let_in_and_one_is_kept_out(rules: Access) -> None:
    assert may_read(insider(rules), rules)
    assert not may_read(outsider(rules), rules)


@pytest.mark.parametrize(
    ("secret", "question", "answer", "reason", "access"),
    [
        (
            SECRET_ZH,
            "北辰客服可以自行补偿会员多少？",
            "不超过 100 元。",
            NegativeReason.WRONG_TENANT,
            {"tenant": "beichen"},
        ),
        (
            SECRET_EN,
            "What is the target bonus of directors?",
            "20 % of base pay.",
            NegativeReason.OTHER,
            {"roles": ("hr",)},
        ),
    ],
    ids=["zh", "en"],
)
def test_two_cases_of_one_item(
    secret: str, question: str, answer: str, reason: NegativeReason, access: dict[str, object]
) -> None:
    made = over(secret, "备件保修 6 个月。", "Parts are covered for 90 days.", **access)
    (unit,) = units(NAME, made)
    found = replied(NAME, made, unit, item(question, answer))
    assert found.drops == {}
    allowed, refused = found.cases
    rules = made.allowed[0].metadata
    assert may_read(allowed.user_context, rules)
    assert not may_read(refused.user_context, rules)
    assert (allowed.answerable, allowed.ground_truth, bool(allowed.evidence)) == (True, answer, True)
    assert (refused.answerable, refused.ground_truth, refused.evidence) == (False, "", ())
    assert refused.acceptable_status == (Status.REFUSE,)
    assert refused.claims == ()
    assert refused.must_not_claims == allowed.claims != ()
    assert [(n.evidence, n.reason) for n in refused.hard_negatives] == [(allowed.evidence[0], reason)]
    assert refused.family == allowed.family == allowed.case_id != refused.case_id
    assert refused.question == allowed.question


@pytest.mark.parametrize(
    ("secret", "question", "answer", "public"),
    [
        (SECRET_ZH, "客服可以自行补偿会员多少？", "不超过 100 元。", "客服人员可以自行给予会员最多 100 元补偿。"),
        (SECRET_EN, "What is the target bonus of directors?", "20 % of pay.", "Directors have a target bonus of 20 %."),
        (SECRET_ZH, "客服可以给谁补偿？", "给予会员", "客服人员有权给予会员一定的补偿。"),
    ],
)
def test_what_stands_elsewhere_is_no_secret(secret: str, question: str, answer: str, public: str) -> None:
    made = over(secret, public, tenant="beichen")
    (unit,) = units(NAME, made)
    found = replied(NAME, made, unit, item(question, answer))
    assert (found.cases, found.drops) == ((), {"open_elsewhere": 1})


def test_the_same_number_of_another_matter_gives_nothing_away() -> None:
    made = over(SECRET_ZH, "大件商品拆机费每台 100 元。", tenant="beichen")
    (unit,) = units(NAME, made)
    found = replied(NAME, made, unit, item("客服可以自行补偿会员多少？", "不超过 100 元。"))
    assert len(found.cases) == 2


def test_a_document_for_everybody_is_refused() -> None:
    made = over(SECRET_ZH, tenant="beichen")
    (unit,) = units(NAME, made)
    assert units(NAME, over(SECRET_ZH)) == []
    found = replied(NAME, over(SECRET_ZH), unit, item("客服可以自行补偿会员多少？", "不超过 100 元。"))
    assert (found.cases, found.drops) == ((), {"no_restricted_evidence": 1})


def test_nobody_who_could_read_it() -> None:
    made = over(SECRET_EN, roles=("hr",), deny={"roles": ("hr",)})
    (unit,) = units(NAME, made)
    found = replied(NAME, made, unit, item("What is the target bonus of directors?", "20 % of base pay."))
    assert (found.cases, found.drops) == ((), {"no_reader": 1})


def test_over_the_sample_documents(docs: Material) -> None:
    good, bad = served(NAME, docs, "good"), served(NAME, docs, "bad")
    assert len(good.cases) == 2 * (good.asked - good.drops.total())
    assert good.asked >= 20
    assert good.drops.total() <= good.asked // 10
    assert bad.cases == []
    assert {case.user_context for case in good.cases if case.answerable} == {
        UserContext(tenant="beichen"),
        UserContext(roles=("hr",)),
    }
