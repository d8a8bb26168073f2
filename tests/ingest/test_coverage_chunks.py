"""Chunks that will not serve, near-duplicates, exceptions cut from their rule, negations, metadata, rules."""

import random
import time

import pytest

from builder.ingest.chunk import chunk_document
from builder.ingest.coverage import Beside, measure_document, report
from builder.ingest.coverage.duplicates import near_duplicates
from builder.ingest.coverage.exceptions import cut_exceptions, refers_back
from builder.ingest.coverage.faults import chunk_faults
from builder.ingest.coverage.gaps import missing_metadata
from builder.ingest.plain import text_page
from builder.model.chunk import Chunk
from builder.model.coverage import CoverageReport
from builder.model.document import DocumentMetadata, DocumentStatus, Page, PageOrigin
from builder.model.parts import Span
from builder.settings import ChunkSettings, CoverageSettings, Settings
from tests.make import document

TEXT = "第一条 退货\n自签收之日起七日内可以退货，生鲜商品不适用。\n第二条 保修\n整机保修二十四个月，人为损坏除外。\n"


def chunk(text: str, ordinal: int = 0, start: int = 0, **fields: object) -> Chunk:
    known: dict[str, object] = {
        "chunk_id": f"d#{ordinal}",
        "doc_id": "d",
        "reading_id": "r",
        "text": text,
        "parts": (Span(page=1, start=start, end=start + max(1, len(text))),),
        "pages": (1,),
        "ordinal": ordinal,
    }
    return Chunk(**(known | fields))


def test_each_fault_is_found_by_its_chunk() -> None:
    page = "短。" + "长" * 1300 + "本段文字长度正好，因此没有什么可说的。"
    chunks = [
        chunk("短。", 0, 0),
        chunk("长" * 1300, 1, 2),
        chunk("本段文字长度正好，因此没有什么可说的。", 2, 1302, section=("一",)),
        chunk("  \n", 3, section=("一",)),
        chunk("与页面文字不符的一段话，长度足够，不算过短。", 4, section=("一",)),
        chunk(
            "页码不存在的一段话，长度足够，不应算作过短。", 5, section=("一",), parts=(Span(page=9, start=0, end=22),)
        ),
    ]
    found = chunk_faults(chunks, {1: page}, CoverageSettings(short=10), ChunkSettings())
    assert (found.empty, found.short, found.long) == (("d#3",), ("d#0",), ("d#1",))
    assert found.orphans == ("d#0", "d#1")
    assert found.irreversible == ("d#3", "d#4", "d#5")


def test_a_chunk_of_a_document_with_metadata_is_no_orphan() -> None:
    known = chunk("一段话。", metadata=DocumentMetadata(title="手册"))
    assert chunk_faults([known], {1: "一段话。"}, CoverageSettings(), ChunkSettings()).orphans == ()


def test_the_length_that_is_too_much_can_be_set() -> None:
    page = "一段话，二十个字左右，不多不少。"
    one = [chunk(page)]
    assert chunk_faults(one, {1: page}, CoverageSettings(long=5), ChunkSettings()).long == ("d#0",)
    assert chunk_faults(one, {1: page}, CoverageSettings(), ChunkSettings()).long == ()


# Near-duplicates


def text_of(number: int, length: int = 120) -> str:
    words = random.Random(number)
    return "".join(
        words.choice("退货保修期限商品服务用户签收申请材料审核标准规则条款客服电话地址物流") for _ in range(length)
    )


def test_near_duplicates_form_groups() -> None:
    base = text_of(1)
    texts = [base, text_of(2), base[:60] + "改" + base[61:], text_of(3), base.replace("货", " 货 "), ""]
    chunks = [chunk(text, number) for number, text in enumerate(texts)]
    assert near_duplicates(chunks, 90) == (("d#0", "d#2", "d#4"),) or near_duplicates(chunks, 90) == (
        ("d#0", "d#4", "d#2"),
    )
    assert near_duplicates(chunks, 100) == (("d#0", "d#4"),), "white space and width never count"


def test_ten_thousand_chunks_take_seconds() -> None:
    texts = [text_of(number, 300) for number in range(9_900)]
    texts += [text[:150] + "改" + text[151:] for text in texts[:100]]
    started = time.process_time()
    found = near_duplicates([chunk(text, number) for number, text in enumerate(texts)], 90)
    assert time.process_time() - started < 12
    assert len(found) == 100 and all(len(group) == 2 for group in found)


# Exceptions


@pytest.mark.parametrize(
    ("sentence", "wanted"),
    [
        ("生鲜商品和定制商品除外。", True),
        ("但生鲜商品不适用。", True),
        ("上述规定不适用于跨境商品。", True),
        ("However, custom goods are not refunded.", True),
        ("This does not apply to custom goods.", True),
        ("Custom goods are excluded.", True),
        ("除生鲜商品外，七日内可以退货。", False),
        ("七日内可以退货。", False),
        ("Refunds are given unless the seal is broken.", False),
        ("Except for gifts, all items may be returned.", False),
        ("But he was only biding his time.", False),
    ],
)
def test_a_sentence_that_excepts_from_what_stands_before(sentence: str, wanted: bool) -> None:
    assert refers_back(sentence) is wanted


def test_an_exception_at_the_head_of_a_chunk_is_cut_from_its_rule() -> None:
    rule, exception = "自签收之日起七日内可以退货。", "生鲜商品除外。"
    apart = [chunk(rule, 0, section=("退货",)), chunk(exception, 1, section=("退货",))]
    assert cut_exceptions(apart) == (1, ("d#1",))
    assert cut_exceptions([chunk(rule + exception, 0)]) == (1, ())
    other = [apart[0], chunk(exception, 1, section=("保修",))]
    assert cut_exceptions(other) == (0, ()), "at the head of a section nothing stands before"


def test_a_sentence_cut_before_its_exception() -> None:
    text = "自签收之日起七日内可以退货，生鲜商品除外。"
    halves = [chunk(text[:12], 0, 0), chunk(text[12:], 1, 12)]
    assert cut_exceptions(halves) == (1, ("d#1",))


def test_the_fixed_size_cutter_cuts_exceptions_that_structure_keeps() -> None:
    rules = "".join(f"第{n}条\n本条所述商品自签收之日起{n}日内可以申请退货。定制商品除外。\n" for n in range(2, 40))
    page = text_page(rules)
    small = ChunkSettings(target=60, maximum=100)
    structure = chunk_document("d", "r", [page], small)
    fixed = [chunk(rules[at : at + 37], n, at) for n, at in enumerate(range(0, len(rules), 37))]
    kept, cut = cut_exceptions(structure), cut_exceptions(fixed)
    assert kept[0] == 38 and kept[1] == ()
    assert len(cut[1]) >= 5


# Negations, metadata and rules


def measured(chunks: int | None = None, settings: Settings | None = None, **fields: object) -> CoverageReport:
    """One document of TEXT; with `chunks` only so many of its chunks."""
    settings = settings or Settings()
    page = text_page(TEXT)
    of = document("d", **fields)
    cut = chunk_document("d", "r", [page], settings.chunk)[:chunks]
    return report([measure_document(of, [page], cut, Beside(), settings)], cut, settings)


def test_a_negation_that_no_chunk_holds_is_told_with_its_words() -> None:
    whole, less = measured().documents[0].negations, measured(1).documents[0].negations
    assert whole is not None and less is not None
    assert (whole.seen, whole.lost) == (2, ())
    assert [place.page for place in less.lost] == [1] and "人为损坏除外" in less.lost[0].text


def test_a_negation_cut_in_two_is_lost_and_one_in_a_page_header_is_no_matter() -> None:
    page = Page(number=1, origin=PageOrigin.TEXT, text="严禁复制\n严禁转让。", extractable=9, boilerplate=((0, 4),))
    halves = [chunk("严", 0, 5), chunk("禁转让。", 1, 6)]
    found = measure_document(document("d"), [page], halves, Beside(), Settings()).negations
    assert found is not None and (found.seen, len(found.lost)) == (1, 1)


def test_metadata_that_is_missing() -> None:
    bare = [chunk("一", 0), chunk("二", 1, section=("一",), pages=())]
    wanted = {"title": ("d",), "version": ("d",), "access": ("d",), "section": ("d#0",), "page": ("d#1",)}
    assert missing_metadata(document("d"), bare) == wanted
    told = DocumentMetadata(title="t", version_label="2", roles=("hr",), authority="总部", extra={"owner": "li"})
    full = document("d", metadata=told)
    assert missing_metadata(full, bare[1:], ["authority", "owner", "stage"]) == {"page": ("d#1",), "stage": ("d",)}
    public = DocumentMetadata(title="t", version_label="2", extra={"access": "public"})
    assert missing_metadata(document("d", metadata=public), []) == {}


ALL = CoverageSettings(
    required_metadata=("title",), failed_documents=0, documents=1, reversible=True, table_header=True, negation=True
)


def outcomes(found: CoverageReport) -> dict[str, str]:
    return {rule.name: rule.outcome.value for rule in found.rules}


def test_rules_pass_fail_or_have_nothing_to_measure() -> None:
    settings = Settings(coverage=ALL)
    good = measured(settings=settings, metadata=DocumentMetadata(title="t"))
    assert outcomes(good) == {
        "required_metadata": "pass",
        "failed_documents": "pass",
        "reversible": "pass",
        "table_header": "not_measured",
        "negation": "pass",
        "documents": "pass",
    }
    bad = measured(1, settings, status=DocumentStatus.FAILED)
    wanted = {"required_metadata": "fail", "failed_documents": "fail", "negation": "fail"}
    assert outcomes(bad) == outcomes(good) | wanted
    empty = report([], [], settings)
    assert set(outcomes(empty).values()) == {"not_measured", "fail"} and outcomes(empty)["documents"] == "fail"
    assert report([], [], Settings()).rules == (), "no rule is set, none is asked"


def test_shares_of_characters_and_pages() -> None:
    pages = [text_page(TEXT), Page(number=2, origin=PageOrigin.BLANK), Page(number=3, origin=PageOrigin.WAITING)]
    cut = chunk_document("d", "r", pages[:1], ChunkSettings())
    row = measure_document(document("d"), pages, cut, Beside(), Settings())
    share = row.page_share
    assert (share.expected, share.covered, share.blank, share.uncovered) == (2, 1, 1, (3,))
    assert row.kept_share == 100.0, "characters alone do not tell of a page that waits"
    less = measure_document(document("d"), pages, cut[1:], Beside(), Settings())
    assert less.kept_share is not None and 0 < less.kept_share < 100
