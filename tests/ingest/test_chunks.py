"""Chunks: reversible, complete, and cut where a reader would cut."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builder.errors import InputError
from builder.ingest.boilerplate import mark_boilerplate
from builder.ingest.chunk import chunk_document, find_chunker
from builder.ingest.chunk.pack import fill
from builder.ingest.chunk.structure import structure
from builder.ingest.chunk.units import length_of, whole
from builder.ingest.counting import count
from builder.ingest.coverage import page_coverage
from builder.ingest.lines import text_lines
from builder.ingest.markdown import markdown_page
from builder.ingest.pdf.pages import read_pdf
from builder.ingest.plain import text_page
from builder.model.chunk import Chunk, ChunkKind
from builder.model.document import Line, Page, PageOrigin, Problem
from builder.model.parts import Span, spans
from builder.settings import ChunkSettings
from builder.text.passages import assemble
from tests.ingest import pdfs

SMALL = ChunkSettings(target=60, maximum=120)


def chunks(*pages: Page, size: ChunkSettings | None = None) -> tuple[Chunk, ...]:
    return chunk_document("d", "r", pages, size or ChunkSettings())


def texts(*pages: Page, size: ChunkSettings | None = None) -> list[str]:
    return [chunk.text for chunk in chunks(*pages, size=size)]


def laid_out(text: str, number: int, heading: int) -> Page:
    """A page of A4 with the text's lines below each other; every `heading`-th line is larger."""
    lines = tuple(
        line.replace(
            box=(60.0, 60.0 + 20 * n, 60.0 + 9 * (line.end - line.start), 72.0 + 20 * n),
            size=16.0 if n % heading == 0 else 11.0,
        )
        for n, line in enumerate(text_lines(text))
    )
    return Page(
        number=number, origin=PageOrigin.TEXT, text=text, lines=lines, width=595, height=842, extractable=count(text)
    )


_PIECES = """第一章 总则|第三条 退货|第七条自签收之日起|一、范围|（二）其他情形；|1.2 Scope|1. item|• point|# Head
自签收之日起 7 日内可以退货。|生鲜商品除外。|但定制商品不适用。|The warranty is 24 months.|Except for filters, which
are not covered|问：多久？|答：七天。|Q: How long?|A: Seven days.|第 1 页|key: value|注：见附表。|| |\t|\u3000x"""
PIECES = st.sampled_from(re.split(r"[|\n]", _PIECES)) | st.text("甲乙。，ab. \n：", max_size=60)
TEXTS = st.lists(PIECES, max_size=14).map("\n".join)
PAGES = st.lists(st.tuples(TEXTS, st.booleans(), st.integers(2, 5)), min_size=1, max_size=4)


@settings(deadline=None, max_examples=150)
@given(drawn=PAGES, target=st.integers(50, 200), spare=st.integers(0, 200))
def test_chunks_are_reversible_and_nothing_is_lost_or_doubled(
    drawn: list[tuple[str, bool, int]], target: int, spare: int
) -> None:
    made = [
        laid_out(text, number, heading) if box else text_page(text).replace(number=number)
        for number, (text, box, heading) in enumerate(drawn, 1)
    ]
    pages = mark_boilerplate(made)
    found = chunks(*pages, size=ChunkSettings(target=target, maximum=max(100, target + spare)))
    sources = {page.number: page.text for page in pages}
    assert all(assemble(chunk.parts, sources) == chunk.text and chunk.text.strip() for chunk in found)
    assert len({chunk.chunk_id for chunk in found}) == len(found)
    used = Counter(
        (span.page, at) for chunk in found for span in spans(chunk.parts) for at in range(span.start, span.end)
    )
    assert not used or max(used.values()) == 1
    for page in pages:
        coverage = page_coverage(page, found)
        assert coverage.closes and coverage.lost == 0
        assert coverage.kept + coverage.boilerplate == count(page.text)


@settings(deadline=None, max_examples=60)
@given(sizes=st.lists(st.integers(1, 300), max_size=30), target=st.integers(50, 300), overlap=st.integers(0, 100))
def test_units_are_filled_in_order_within_the_maximum(sizes: list[int], target: int, overlap: int) -> None:
    units = [whole((Span(page=1, start=n * 1000, end=n * 1000 + size),)) for n, size in enumerate(sizes)]
    limits = ChunkSettings(target=target, maximum=max(target, 100) + 100, overlap=overlap)
    groups = fill(units, limits)
    seen = [unit for group in groups for unit in group]
    assert sorted(set(unit[0].parts[0].start for unit in seen if isinstance(unit[0].parts[0], Span))) == [
        n * 1000 for n in range(len(sizes))
    ]
    assert all(len(group) == 1 or sum(map(length_of, group)) <= limits.maximum for group in groups)
    assert overlap or len(seen) == len(sizes)


def test_no_blanks_in_chinese_one_in_english() -> None:
    zh = ["备件保修六个月，自更换之日起计算；有偿维修保修三个月，自维修完", "成之日起计算。"]
    en = ["Spare parts are covered for six months from the day of", "replacement."]
    for font, lines, expected in (
        (pdfs.chinese(), zh, "".join(zh)),
        ("Helvetica", en, " ".join(en)),
    ):
        pages = read_pdf(pdfs.prose_pdf([lines], font), "auto")
        assert not isinstance(pages, Problem)
        assert texts(*pages) == [expected]


def test_a_paragraph_runs_over_the_page_and_leaves_headers_out() -> None:
    header, long = "售后政策 内部文件", "自签收之日起七日内商品完好的消费者可以申请七天无理由退货"
    body = [[long, long], [long, "结束。"], ["另一页的文字。"]]
    pages = read_pdf(
        pdfs.lines_pdf(
            [
                [
                    (60, 40, header),
                    *((60, 100 + 20 * n, text) for n, text in enumerate(page)),
                    (280, 810, f"第 {i} 页 共 3 页"),
                ]
                for i, page in enumerate(body, 1)
            ],
            pdfs.chinese(),
        ),
        "auto",
    )
    assert not isinstance(pages, Problem)
    marked = mark_boilerplate(pages)
    found = chunks(*marked)
    assert [chunk.text for chunk in found] == [f"{long * 3}结束。\n另一页的文字。"]
    assert found[0].pages == (1, 2, 3) and found[0].language == "zh"


CLAUSES = """第一章 总则
第一条 范围
本政策适用于全部商品。
第二条 退货
自签收之日起 7 日内可以退货。生鲜商品除外。
第二章 附则
第三条：本政策自发布之日起施行，由客户服务部负责解释；未尽事宜，另行通知。
（一）甲方负责送货的；
（二）乙方负责安装的。
"""


def test_clauses_have_their_path_and_their_headings() -> None:
    found = chunks(text_page(CLAUSES))
    assert [(chunk.section, chunk.text) for chunk in found] == [
        (("第一章 总则", "第一条 范围"), "第一章 总则\n第一条 范围\n本政策适用于全部商品。"),
        (("第一章 总则", "第二条 退货"), "第二条 退货\n自签收之日起 7 日内可以退货。生鲜商品除外。"),
        (
            ("第二章 附则", "第三条"),
            "第二章 附则\n第三条：本政策自发布之日起施行，由客户服务部负责解释；未尽事宜，另行通知。\n"
            "（一）甲方负责送货的；\n（二）乙方负责安装的。",
        ),
    ]


def test_a_reference_at_the_beginning_of_a_wrapped_line_is_no_heading() -> None:
    font = pdfs.chinese()
    lines = [
        "消费者签收以后发现商品有质量问题的，可以在十五日以内凭购货凭证按照",
        "第四条 的规定申请退货，公司承担运费。",
    ]
    pages = read_pdf(pdfs.prose_pdf([lines], font), "auto")
    assert not isinstance(pages, Problem)
    assert [(chunk.section, chunk.text) for chunk in chunks(*pages)] == [((), "".join(lines))]


@pytest.mark.parametrize(
    ("rule", "exception"),
    [
        ("自签收之日起七日内商品完好的消费者可以申请七天无理由退货并由公司承担往返运费。", "生鲜商品和定制商品除外。"),
        ("消费者可以在整机保修期届满前购买延长保修服务每次延长十二个月最多购买两次。", "但已经停产的产品不能购买。"),
        (
            "家用产品用于商业场所的整机保修期按照附表所列期限减半计算超过部分不予免费维修。",
            "GTE-3000Pro 不适用减半规定。",
        ),
        (
            "Employees may start at any time between half past eight and half past nine.",
            "This does not apply to the call centre.",
        ),
        (
            "Overtime must be approved by your manager before it is worked.",
            "Except in an emergency, no other approval counts.",
        ),
        (
            "The booking may be cancelled until the day before departure free of charge.",
            "However, rail tickets cannot be returned.",
        ),
    ],
)
@pytest.mark.parametrize("between", ["", "\n\n"])
def test_an_exception_stays_with_its_rule(rule: str, exception: str, between: str) -> None:
    filler = "Other matters are explained here at length. " if rule.isascii() else "其他事项在此另行详细说明。"
    text = f"{filler * 3}{rule}{between or ' '}{exception}{' ' if rule.isascii() else ''}{filler * 3}"
    found = texts(text_page(text), size=ChunkSettings(target=50, maximum=200))
    assert len(found) > 1
    assert sum(rule in chunk and exception in chunk for chunk in found) == 1


def test_an_introduction_stays_with_its_first_item() -> None:
    text = (
        "以下情形由公司承担全部往返运费和拆机费并且在两个工作日内退款：\n（一）商品质量问题；\n（二）发错商品。\n"
        + "其他事项另行说明。" * 9
    )
    found = texts(text_page(text), size=ChunkSettings(target=50, maximum=120))
    assert any("退款：\n（一）商品质量问题；" in chunk for chunk in found)


FAQ = """# 常见问题

前言。

## 保修

问：保修多久？
答：24 个月。
自出厂之日起。

**问：换过的零件还有保修吗？**

答：6 个月：
- 备件；
- 主板。

## 其他

Q: Is it transferable?
A: Yes, once.

More text that is no answer.
"""


def test_one_chunk_a_question_with_its_answer() -> None:
    found = chunks(markdown_page(FAQ))
    assert [(chunk.kind, chunk.section[-1], chunk.text) for chunk in found] == [
        (ChunkKind.TEXT, "常见问题", "常见问题\n前言。"),
        (ChunkKind.FAQ, "保修", "保修\n问：保修多久？\n答：24 个月。\n自出厂之日起。"),
        (ChunkKind.FAQ, "保修", "**问：换过的零件还有保修吗？**\n答：6 个月：\n- 备件；\n- 主板。"),
        (ChunkKind.FAQ, "其他", "其他\nQ: Is it transferable?\nA: Yes, once."),
        (ChunkKind.TEXT, "其他", "More text that is no answer."),
    ]


def test_a_question_without_answer_is_text() -> None:
    [chunk] = chunks(text_page("问：谁来回答？\n没有人。\n"))
    assert chunk.kind is ChunkKind.TEXT


def test_headings_by_size() -> None:
    page = laid_out("Handbook of leave\nSick leave is 12 days.\nIt needs a note.\nOther leave\nNone is granted.", 1, 3)
    assert [(chunk.section, chunk.text) for chunk in chunks(page)] == [
        (("Handbook of leave",), "Handbook of leave\nSick leave is 12 days. It needs a note."),
        (("Other leave",), "Other leave\nNone is granted."),
    ]


def test_sizes_of_ocr_lines_make_no_headings() -> None:
    page = laid_out("第一行文字比较长一些。\n第二行文字。\n第三行文字。\n", 1, 2)
    found = chunks(page.replace(origin=PageOrigin.OCR, confidence=71, lines=[_ocr_size(line) for line in page.lines]))
    assert [(chunk.section, chunk.confidence) for chunk in found] == [((), 71)]


def _ocr_size(line: Line) -> Line:
    return line.replace(size=13.0 if line.size > 11 else 11.0)


def test_overlap_repeats_the_end_of_the_chunk_before() -> None:
    text = "".join(f"第{n}句话在这里说明一件事情。" for n in "甲乙丙丁戊己庚辛壬癸")
    found = texts(text_page(text), size=ChunkSettings(target=50, maximum=100, overlap=20))
    assert len(found) > 2
    assert all(_last_sentence(left) == right[: len(_last_sentence(left))] for left, right in _pairs(found))


def _last_sentence(text: str) -> str:
    return text[text[:-1].rfind("。") + 1 :]


def _pairs(found: Sequence[str]) -> list[tuple[str, str]]:
    return list(pairwise(found))


def test_a_long_sentence_is_never_cut() -> None:
    sentence = "A very long sentence " + "that goes on " * 30 + "ends here."
    assert texts(text_page(f"Short one. {sentence} Short two."), size=SMALL) == ["Short one.", sentence, "Short two."]


def test_pages_without_text_have_no_chunks() -> None:
    blank = Page(number=1, origin=PageOrigin.BLANK)
    assert chunks(blank) == () and chunks() == ()


def test_chunkers_have_names() -> None:
    assert find_chunker("structure") is structure
    with pytest.raises(InputError) as caught:
        find_chunker("nobody")
    assert caught.value.key == "no_chunker"


@pytest.mark.parametrize("numbers", [range(1, 4), range(98, 103), range(2024, 2027)], ids=["small", "over 99", "years"])
@pytest.mark.parametrize("form", ["第 {} 节", "第{}条", "{}", "{}. 说明。", "Section {}"])
def test_every_markdown_heading_is_one_whatever_its_number(numbers: range, form: str) -> None:
    """The file itself says what a heading is; its length, digits and punctuation say nothing."""
    heads = [form.format(number) for number in numbers]
    source = "# 价目\n\n" + "\n\n".join(
        f"## {head}\n\n收费 {number} 元。" for number, head in zip(numbers, heads, strict=True)
    )
    found = chunks(markdown_page(source))
    assert [chunk.section[-1] for chunk in found] == heads


def test_clause_numbers_over_99_in_plain_text() -> None:
    text = "\n".join(f"第 {number} 条\n收费 {number} 元，按月结算，不满一月的按日计算。" for number in (99, 100, 101))
    assert [chunk.section[-1] for chunk in chunks(text_page(text))] == ["第 99 条", "第 100 条", "第 101 条"]


ZH_RULE = "自签收之日起七日内商品完好的消费者可以申请七天无理由退货并由公司承担往返运费。"
EN_RULE = "Goods in their original condition may be returned within seven days of receipt."
LISTS = [
    (f"{ZH_RULE}\n以下商品除外：\n（一）生鲜商品；\n（二）定制商品；\n（三）已经拆封的软件。", "其他事项另行说明。"),
    (f"{ZH_RULE}\n\n1. 生鲜商品不适用；\n2. 但质量问题不在此列；\n3. 仅限境内订单。", "其他事项另行说明。"),
    (
        "满足下列条件的，可以延长保修：\n（一）在保修期内申请；\n（二）设备运行正常；\n（三）已经付清费用。",
        "其他事项另行说明。",
    ),
    (
        f"{EN_RULE} This does not apply to:\n- fresh food;\n- goods made to order;\n- opened software.",
        "Other matters. ",
    ),
    (
        f"{EN_RULE}\n\n- Except fresh food.\n- Provided that the seal is unbroken.\n- Only if paid in full.",
        "Other matters. ",
    ),
    (
        "A unit is repaired free of charge if:\n1. it is in warranty;\n2. it was used indoors;\n3. the seal is whole.",
        "Other. ",
    ),
]


@pytest.mark.parametrize(("block", "filler"), LISTS)
def test_all_conditions_and_exceptions_of_a_list_are_in_one_chunk(block: str, filler: str) -> None:
    text = f"{filler * 12}\n\n{block}\n\n{filler * 12}"
    found = texts(text_page(text), size=ChunkSettings(target=50, maximum=260))
    wanted = [" ".join(line.split()) for line in block.split("\n") if line.strip()]
    assert len(found) > 1
    assert sum(all(line in " ".join(chunk.split()) for line in wanted) for chunk in found) == 1, found


def test_a_list_that_does_not_fit_is_cut_between_items() -> None:
    items = "\n".join(f"（{n}）第{n}种情形下的商品因其自身性质不适宜退货的；" for n in "一二三四五六七八九十")
    found = texts(text_page(f"有下列情形之一的，不适用七天无理由退货：\n{items}"), size=SMALL)
    assert len(found) > 1
    assert all(len(chunk) <= SMALL.maximum and chunk.endswith("；") for chunk in found)


def test_a_plain_list_is_cut_where_the_size_says() -> None:
    items = "\n".join(f"- 第{n}项内容在这里写得长一些以便看出切分；" for n in "一二三四五六七八九十")
    found = texts(text_page(f"本公司提供的服务包括：\n{items}"), size=ChunkSettings(target=60, maximum=400))
    assert len(found) > 2
