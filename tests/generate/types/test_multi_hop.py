"""Several hops: two chunks that are linked, both needed."""

from datetime import date

import pytest

from builder.generate.material import Material
from builder.generate.types import type_module
from builder.generate.types.links import links
from builder.model.case import QuestionType
from builder.model.chunk import Chunk
from builder.model.document import DocumentMetadata
from builder.text.language import language_of
from tests.generate.make import chunk
from tests.generate.types.scripted import Said, answered, chunks_for, said, served

TYPE = QuestionType.MULTI_HOP
GOOD = [
    said(
        "净饮机报进水电磁阀故障的代码时，要换的备件多少钱？",
        "更换进水电磁阀，备件号 P-2107，85 元。",
        "代码：E07",
        "备件号：P-2107；名称：进水电磁阀",
    ),
    said(
        "买来的定制刻字水壶开始生产后坏了，15 天内还能怎么处理？",
        "存在质量问题的可以换货，自签收之日起 15 日内出现性能故障的可以选择换货或者维修。",
        "开始生产前可以免费修改或者取消",
        "自签收之日起 15 日内出现性能故障的，消费者可以选择换货或者维修；7 日内",
    ),
    said(
        "How much notice must somebody give who discloses a colleague's pay outside the company?",
        "None: it is serious misconduct, and no notice is needed then.",
        "Anyone who discloses the pay",
        "No notice is needed in the case of serious misconduct",
    ),
    said(
        "Where is a contractor who must keep to the rules of section 7 to report an accident?",
        "To the safety officer within 24 hours.",
        "It does not apply to agency workers, interns or contractors",
        "Report every accident",
    ),
]
BAD = [
    (
        "one_chunk_enough",
        said("进水电磁阀 P-2107 多少钱？", "85 元。", "代码：E07", "备件号：P-2107；名称：进水电磁阀"),
    ),
    (
        "one_chunk_enough",
        said(
            "How fast is an accident reported?",
            "Within 24 hours.",
            "It does not apply to agency",
            "Report every accident",
        ),
    ),
    ("one_chunk", said("E07 是什么意思？", "进水电磁阀故障。", "代码：E07")),
    ("one_chunk", said("E01 和 E07 各是什么意思？", "进水压力低；进水电磁阀故障。", "代码：E01", "代码：E07")),
    ("one_chunk", said("How fast is an accident reported?", "Within 24 hours.", "Report every accident")),
]


def _chunks(one: Said, docs: Material) -> list[Chunk]:
    shown = said("", "", *one.evidence, *({"代码：E07": ["备件号：P-2107"]}.get(one.evidence[-1], [])))
    return chunks_for(docs, [shown])


@pytest.mark.parametrize("one", GOOD, ids=lambda one: one.question)
def test_taken_with_one_group_a_chunk(one: Said, docs: Material) -> None:
    chunks = _chunks(one, docs)
    found = answered(TYPE, docs, chunks, [one])
    (case,) = found.cases
    assert not found.drops and len(case.evidence_groups) == len(chunks) == 2
    homes = [docs.corpus.index.chunk_of(evidence) for evidence in case.evidence]
    assert [home and home.chunk_id for home in homes] == [chunk.chunk_id for chunk in chunks]


@pytest.mark.parametrize(("reason", "one"), BAD, ids=lambda one: getattr(one, "question", ""))
def test_refused(reason: str, one: Said, docs: Material) -> None:
    found = answered(TYPE, docs, _chunks(one, docs), [one])
    assert not found.cases and found.drops == {reason: 1}


def clues(*chunks: Chunk) -> list[tuple[str, str, str]]:
    return [(link.left.chunk_id, link.right.chunk_id, link.clue) for link in links(chunks)]


def test_what_joins_two_chunks() -> None:
    rules = [
        chunk("拒收的，按照第四条退货。", section=("政策", "第九条 取消"), ordinal=0),
        chunk("自签收之日起 7 日内可以退货。", section=("政策", "第四条 退货"), ordinal=1),
        chunk("（一）大件商品：单件超过 25 千克的商品。", section=("政策", "第三条 名词解释"), ordinal=2),
        chunk("大件商品另收拆机费。", section=("政策", "第五条 运费"), ordinal=3),
        chunk("报 E07 时更换电磁阀 P-2107。", section=("政策", "故障"), ordinal=4),
        chunk("P-2107：85 元。", section=("政策", "价格"), ordinal=5),
    ]
    ids = [one.chunk_id for one in rules]
    assert clues(*rules) == [
        (ids[0], ids[1], "第四条"),
        (ids[3], ids[2], "大件商品"),
        (ids[4], ids[5], "P-2107"),
    ]


def test_references_in_english_and_to_another_document() -> None:
    a = chunk("Loss is reported, see section 8.3.", section=("Pay", "1 Scope"), doc_id="pay.pdf")
    b = chunk("Report it within 2 hours.", section=("Pay", "8.3 Devices"), doc_id="pay.pdf", ordinal=1)
    c = chunk(
        "As in section 4.1 of the Staff Handbook, no notice is due.", section=("Pay", "2 Notice"), doc_id="pay.pdf"
    )
    c = c.replace(chunk_id="pay.pdf#c", ordinal=2)
    d = chunk("Notice is 30 days.", section=("Staff Handbook 2026", "4.1 Notice"), doc_id="book.pdf")
    e = chunk("“Trade fair” means an event of the trade.", section=("Pay", "9 Terms"), doc_id="pay.pdf", ordinal=4)
    f = chunk("During a Trade fair limits are higher.", section=("Pay", "10 Limits"), doc_id="pay.pdf", ordinal=5)
    assert clues(a, b, c, d, e, f) == [
        (a.chunk_id, b.chunk_id, "section 8.3"),
        (c.chunk_id, d.chunk_id, "section 4.1 of the Staff Handbook"),
        (f.chunk_id, e.chunk_id, "Trade fair"),
    ]


def pair(left: DocumentMetadata, right: DocumentMetadata, text: str = "代码 E07：更换电磁阀。") -> list[Chunk]:
    return [chunk("出现 E07 时断电。", doc_id="a.pdf", metadata=left), chunk(text, doc_id="b.pdf", metadata=right)]


@pytest.mark.parametrize(
    ("left", "right", "joined"),
    [
        (DocumentMetadata(), DocumentMetadata(), True),
        (DocumentMetadata(family="x"), DocumentMetadata(family="x"), False),  # two versions: that is a conflict
        (DocumentMetadata(tenant="t"), DocumentMetadata(), True),
        (DocumentMetadata(tenant="t"), DocumentMetadata(tenant="t"), True),
        (DocumentMetadata(tenant="t"), DocumentMetadata(tenant="u"), False),  # nobody may read both
        (DocumentMetadata(valid_to=date(2025, 12, 31)), DocumentMetadata(valid_from=date(2026, 1, 1)), False),
        (DocumentMetadata(valid_to=date(2026, 12, 31)), DocumentMetadata(valid_from=date(2026, 1, 1)), True),
    ],
)
def test_only_what_one_reader_may_read_on_one_day_is_joined(
    left: DocumentMetadata, right: DocumentMetadata, joined: bool
) -> None:
    assert bool(clues(*pair(left, right))) is joined


def test_languages_are_not_joined_and_common_codes_join_nothing() -> None:
    plain = DocumentMetadata()
    assert not clues(*pair(plain, plain, "Code E07: replace the valve, then switch the unit on again."))
    assert not clues(*(chunk("报 E07 时断电。", ordinal=number) for number in range(9)))


def test_units_on_data_docs(docs: Material) -> None:
    found = {unit.facts["clue"] for unit in type_module(TYPE).units(docs)}
    assert {"P-2107", "section 4.1 of the Employee Handbook", "第八条", "大件商品"} <= found
    by_id = {one.chunk_id: one for one in docs.allowed}
    for unit in type_module(TYPE).units(docs):
        assert len({by_id[name].language for name in unit.chunk_ids}) == 1


def test_on_data_docs_through_the_server(docs: Material) -> None:
    good, bad = served(TYPE, docs, "good"), served(TYPE, docs, "bad")
    assert len(good.cases) >= 30 and {language_of(case.question) for case in good.cases} == {"zh", "en"}
    assert all(len({e.quote for e in case.evidence}) >= 2 for case in good.cases)
    assert not bad.cases and set(bad.drops) == {"one_chunk_enough"}
