"""What a program adds to a case: forbidden values, rules without their exception, grades, statuses."""

from pathlib import Path

from builder.checks import CheckContext
from builder.checks.corpus import Corpus
from builder.generate.enrich import enrich
from builder.generate.evidence import evidence_at
from builder.model.case import Case, Status
from builder.model.chunk import Chunk
from builder.model.chunk_index import ChunkIndex
from builder.model.claim import Claim, NumberCheck
from tests import make
from tests.generate.make import chunk


def enriched(question: str, answer: str, quote: str, source: Chunk) -> Case:
    start = source.text.index(quote)
    groups = ((evidence_at(source, start, start + len(quote)),),)
    one = make.case(question=question, ground_truth=answer, evidence_groups=groups)
    return enrich(one, CheckContext(chunks=ChunkIndex([source])), {"refund": ("退货",)})


def test_the_value_of_the_rival_is_forbidden() -> None:
    quote = "备件保修 6 个月，自更换之日起计算。"
    case = enriched("换过的备件保修多久？", "6 个月。", quote, chunk())
    assert case.must_not_claims == (
        Claim(text="有偿维修保修 3 个月", critical=True, check=NumberCheck(value="3", unit="month")),
    )


def test_nothing_is_forbidden_where_the_question_means_the_rival() -> None:
    case = enriched("有偿维修保修多久？", "6 个月。", "备件保修 6 个月，自更换之日起计算。", chunk())
    assert case.must_not_claims == ()


def test_a_cell_takes_its_unit_from_its_column() -> None:
    rows = "型号：BX-460；整机保修（月）：36；上门费（元）：80\n型号：KT-72；整机保修（月）：60；上门费（元）：120"
    case = enriched("KT-72 整机保修多久？", "60 个月。", rows.split("\n")[1], chunk(rows))
    assert NumberCheck(value="36", unit="month") in [claim.check for claim in case.must_not_claims]


def test_the_rule_without_its_exception_is_forbidden_where_the_exception_is_asked_for() -> None:
    quote = "自签收之日起 7 日内，消费者可以申请退货。生鲜商品除外。"
    asked = enriched("生鲜商品能退货吗？", "不能，生鲜商品除外。", quote, chunk())
    assert [claim.text for claim in asked.must_not_claims] == ["消费者可以申请退货（未说明：生鲜商品除外）"]
    assert asked.risk == "refund"
    other = enriched("收货几天内可以申请退货？", "7 日内。", quote, chunk())
    assert not any("除外" in claim.text for claim in other.must_not_claims)
    english = chunk("Laundry is refunded on long trips, except for suits.")
    case = enriched("Is the laundry of a suit refunded?", "No, suits are excluded.", english.text, english)
    assert case.must_not_claims[-1].text == "Laundry is refunded on long trips (without saying: except for suits)"


def test_sentences_about_the_same_thing_help_a_little() -> None:
    source = chunk("备件保修 6 个月。备件保修只针对所更换的备件本身。人工热线全天开通。")
    case = enriched("更换的备件保修多久？", "6 个月。", "备件保修 6 个月。", source)
    assert [(grade.evidence.quote, grade.grade) for grade in case.grades] == [("备件保修只针对所更换的备件本身。", 1)]


def test_what_cannot_be_answered_is_refused() -> None:
    context = CheckContext(chunks=ChunkIndex([chunk()]))
    one = make.case(ground_truth="", answerable=False)
    assert enrich(one, context, {}).acceptable_status == (Status.REFUSE,)
    handed = one.replace(acceptable_status=(Status.HANDOFF,))
    assert enrich(handed, context, {}).acceptable_status == (Status.HANDOFF,)
    assert enrich(make.case(), context, {}).acceptable_status == ()


def test_hard_negatives_come_from_the_corpus(tmp_path: Path) -> None:
    from builder.search import open_search

    source = chunk("备件保修 6 个月，自更换之日起计算。")
    old = chunk("备件保修 3 个月，自更换之日起计算。", doc_id="old.pdf")
    both = (source, old.replace(metadata=old.metadata.replace(version_label="2024")))
    corpus = Corpus(both, open_search(tmp_path, [(one.chunk_id, one.text) for one in both]))
    one = make.case(
        question="备件保修多久？",
        ground_truth="6 个月。",
        evidence_groups=((evidence_at(source, 0, len(source.text)),),),
    )
    case = enrich(one, CheckContext(chunks=corpus.index, corpus=corpus), {})
    assert all(negative.evidence.quote in old.text for negative in case.hard_negatives)
