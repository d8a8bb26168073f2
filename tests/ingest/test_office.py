"""Word, PowerPoint, Excel, HTML and CSV: text, headings, tables with merged cells, nothing lost."""

import sys
from io import BytesIO
from pathlib import Path

import pytest

from builder.ingest.chunk import chunk_document
from builder.ingest.coverage import document_coverage
from builder.ingest.csv_faq import faq_columns, read_csv
from builder.ingest.html import read_html
from builder.ingest.office import read_office
from builder.ingest.read import read_file
from builder.ingest.sheet_values import shown
from builder.ingest.walk import MEDIA_TYPES
from builder.model.chunk import Chunk
from builder.model.document import Page, PageOrigin, Problem
from builder.settings import ChunkSettings
from builder.text.passages import assemble
from tests.ingest import office_files as made
from tests.make import document


def chunks(pages: tuple[Page, ...] | Problem) -> tuple[Chunk, ...]:
    """The chunks of pages that lose nothing."""
    assert not isinstance(pages, Problem), pages
    found = chunk_document("d", "r", pages, ChunkSettings())
    texts = {page.number: page.text for page in pages}
    assert all(assemble(chunk.parts, texts) == chunk.text for chunk in found)
    for page in document_coverage(document("d"), pages, found).pages:
        assert page.closes and page.lost == 0
    return found


def shape(found: tuple[Chunk, ...]) -> list[tuple[str, tuple[str, ...], str]]:
    return [(chunk.kind.value, chunk.section, chunk.text) for chunk in found]


# Word


WORD = made.docx(
    made.paragraph("售后政策", "1"),
    made.paragraph("保修", "2"),
    made.paragraph("型号 GTE_3000* 的整机保修期为 24 个月 [1] <含主板>。"),
    made.table([["项目", "期限"], ["保修", "24 个月"], ["", "6 个月 | 备件"]], merged=(0, 1, 2)),
    made.paragraph("退货", "2"),
    made.paragraph("生鲜商品除外。"),
)


def test_word() -> None:
    assert shape(chunks(read_office(WORD, MEDIA_TYPES[".docx"]))) == [
        ("text", ("售后政策", "保修"), "售后政策\n保修\n型号 GTE_3000* 的整机保修期为 24 个月 [1] <含主板>。"),
        ("table", ("售后政策", "保修"), "项目：保修；期限：24 个月\n项目：保修；期限：6 个月 | 备件"),
        ("text", ("售后政策", "退货"), "退货\n生鲜商品除外。"),
    ]


def test_text_that_the_parser_does_not_give_is_lost_and_said() -> None:
    """A run below an element that the parser does not know: the file has it, the page has not."""
    hidden = "<w:unknown><w:p><w:r><w:t>九个字没有被读出来</w:t></w:r></w:p></w:unknown>"
    pages = read_office(made.docx(made.paragraph("一句话。"), hidden), MEDIA_TYPES[".docx"])
    assert not isinstance(pages, Problem)
    found = chunk_document("d", "r", pages, ChunkSettings())
    coverage = document_coverage(document("d"), pages, found)
    assert (coverage.extractable, coverage.kept, coverage.lost) == (13, 4, 9)


# PowerPoint and Excel


def test_slides_are_pages() -> None:
    pages = read_office(made.pptx(), MEDIA_TYPES[".pptx"])
    found = chunks(pages)
    assert [chunk.pages for chunk in found] == [(1,), (2,)]
    assert shape(found) == [
        ("text", ("退货政策",), "退货政策\n自签收之日起 7 日内可以退货。\n生鲜商品除外。\n讲者备注。"),
        ("table", ("期限",), "期限\n项目：保修；期限：24 个月\n项目：保修；期限：6 个月"),
    ]


def test_sheets_are_pages() -> None:
    pages = read_office(made.xlsx(), MEDIA_TYPES[".xlsx"])
    assert not isinstance(pages, Problem)
    assert [page.origin for page in pages] == [PageOrigin.TEXT, PageOrigin.TEXT, PageOrigin.BLANK]
    found = shape(chunks(pages))
    assert ("faq", ("问答",), "问答\n问：保修多久？\n答：24 个月。\n自出厂之日起。\n类别：售后") in found
    section, table = next((section, text) for kind, section, text in found if kind == "table")
    assert section == ("费用",)
    assert table.splitlines()[-3:] == [
        "地区：北京；上限：600；生效：2026-01-01；比例：10%",
        "地区：北京；上限：1,234.50元；比例：25%",
        "地区：GTE_3000*；上限：=B3*2",
    ]
    assert any("差旅标准（2026 版）" in text for _, _, text in found)


def test_a_sheet_is_as_large_as_what_it_holds() -> None:
    """A cell coloured far below, and a merged cell over a whole column."""
    from openpyxl import Workbook
    from openpyxl.styles import PatternFill

    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["区", "城市", "上限"], ["北", "北京", 600], [None, "天津", 500]):
        sheet.append(row)
    sheet.merge_cells("A2:A30000")
    sheet["XFD1048576"].fill = PatternFill("solid", fgColor="FF0000")
    buffer = BytesIO()
    book.save(buffer)
    [chunk] = chunks(read_office(buffer.getvalue(), MEDIA_TYPES[".xlsx"]))
    assert chunk.text == "Sheet\n区：北；城市：北京；上限：600\n区：北；城市：天津；上限：500"


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (600, "General", "600"),
        (600.0, "General", "600"),
        (0.1 + 0.2, "General", "0.3"),
        (12345678901234567, "0", "12345678901234567"),
        (0.125, "0.0%", "12.5%"),
        (0.5, "0%", "50%"),
        (1234567.891, "#,##0.00", "1,234,567.89"),
        (-1234.5, "#,##0.00;[Red]-#,##0.00", "-1,234.50"),
        (99, "¥#,##0", "¥99"),
        (3, '0"个月"', "3个月"),
        (1e-07, "General", "0.0000001"),
        (True, "General", "TRUE"),
        (None, "General", ""),
    ],
)
def test_values_as_they_are_shown(value: object, code: str, text: str) -> None:
    assert shown(value, code) == text


@pytest.mark.parametrize("ending", [".docx", ".pptx", ".xlsx"])
@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "zero_bytes"),
        (b"PK\x03\x04 no archive", "damaged"),
        (b"\xd0\xcf\x11\xe0" + "EncryptedPackage".encode("utf-16-le"), "password"),
        (made.docx()[:300], "damaged"),
    ],
)
def test_what_is_no_office_file(ending: str, data: bytes, code: str) -> None:
    found = read_office(data, MEDIA_TYPES[ending])
    assert isinstance(found, Problem) and found.code == code


def test_without_the_extra_the_file_is_listed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("mammoth", "pptx", "openpyxl"):
        monkeypatch.setitem(sys.modules, name, None)  # the import fails as if it were not installed
    for ending in (".docx", ".pptx", ".xlsx"):
        path = tmp_path / f"a{ending}"
        path.write_bytes(b"PK\x03\x04")
        content = read_file(path, MEDIA_TYPES[ending], "auto")
        assert (content.problem, len(content.sha256)) == (Problem(code="extra_missing"), 64)


# HTML


HTML = """<!doctype html><html><head><meta charset="{0}"><title>T</title><style>p{{}}</style></head><body>
<nav><a href=#>菜单</a></nav><h1>售后 政策</h1>
<p>型号 GTE_3000* 保修 <b>24</b> 个月&nbsp;&lt;含主板&gt;。<br>生鲜除外
<table><thead><tr><th>项目<th>期限</thead><tr><td rowspan=2>保修<td>24 个月<tr><td>6 | 个月</table>
<h2>退货</h2><ul><li>一<li>二<ol start=3><li>子项</ol></ul>
<pre>a = 1
  b = 2</pre><script>x = "no text"</script>
<footer>版权所有</footer></body></html>"""


@pytest.mark.parametrize(
    ("charset", "encoding"), [("utf-8", "utf-8"), ("gb2312", "gb18030"), ("utf-8", "utf-16"), ("big5x", "utf-8")]
)
def test_html(charset: str, encoding: str) -> None:
    pages = read_html(HTML.format(charset).encode(encoding))
    assert shape(chunks(pages)) == [
        ("text", ("售后 政策",), "售后 政策\n型号 GTE_3000* 保修 24 个月 <含主板>。\n生鲜除外"),
        ("table", ("售后 政策",), "项目：保修；期限：24 个月\n项目：保修；期限：6 | 个月"),
        ("text", ("售后 政策", "退货"), "退货\n- 一\n- 二\n3. 子项\na = 1\nb = 2"),
    ]
    assert not isinstance(pages, Problem)
    assert "a = 1\n  b = 2" in pages[0].text
    texts = [pages[0].text[start:end] for start, end in pages[0].boilerplate]
    assert texts == ["菜单", "版权所有"], "on the page, out of chunks"


def test_html_table_spans() -> None:
    source = """<table><tr><th colspan=2>年假<th rowspan=2>备注<tr><th>工龄<th>天数<tr><td>满 1 年<td>5<td>无</table>"""
    found = shape(chunks(read_html(source.encode())))
    assert found[0][2].splitlines()[-1] == "年假 工龄：满 1 年；年假 天数：5；备注：无"


def test_nested_tables_and_single_columns_are_text() -> None:
    source = "<table><tr><td>外<table><tr><td>内一<td>内二</table></table><p>后"
    assert [text for _, _, text in shape(chunks(read_html(source.encode())))] == ["外 内一 | 内二\n后"]


@pytest.mark.parametrize(
    ("data", "code"), [(b"", "zero_bytes"), (b"<script>x</script>", "no_text"), (b"\x00\x01\xff" * 9, "decode")]
)
def test_what_is_no_html(data: bytes, code: str) -> None:
    assert read_html(data) == Problem(code=code)


# CSV


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_a_list_of_questions(encoding: str, sign: str) -> None:
    rows = [
        ["类别", "问题", "答案"],
        ["售后", "保修多久？", '"24 个月。\n自出厂之日起，""含""备件"'],
        ["", "", ""],
        ["", "可以退吗？", "7 日内可以。"],
    ]
    source = "\r\n".join(sign.join(row) for row in rows)
    assert shape(chunks(read_csv(source.encode(encoding)))) == [
        ("faq", (), '问：保修多久？\n答：24 个月。\n自出厂之日起，"含"备件\n类别：售后'),
        ("faq", (), "问：可以退吗？\n答：7 日内可以。"),
    ]


def test_an_english_list_and_one_without_an_answer() -> None:
    found = shape(chunks(read_csv(b"Question,Answer\nHow long?,Two years.\nIs it open?,\n")))
    assert found == [("faq", (), "Q: How long?\nA: Two years."), ("faq", (), "Q: Is it open?")]


def test_another_csv_is_a_table_with_its_header() -> None:
    found = shape(chunks(read_csv("地区,上限（元）\n北京,600\n上海,500\n".encode())))
    assert found == [("table", (), "地区：北京；上限（元）：600\n地区：上海；上限（元）：500")]


def test_rows_of_unlike_length_and_no_header() -> None:
    found = shape(chunks(read_csv(b"1,2\n3,4,5\n6\n")))
    assert found == [("table", (), "1 | 2\n3 | 4 | 5\n6")]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["id", "question", "answer"], (1, 2)),
        (["标准问题", "标准答案"], (0, 1)),
        (["Title", "Answer"], (0, 1)),
        (["title", "question", "reply"], (1, 2)),
        (["问题：", "【答案】"], (0, 1)),
        (["地区", "答案"], None),
        (["name", "value"], None),
    ],
)
def test_columns_by_name(names: list[str], expected: tuple[int, int] | None) -> None:
    assert faq_columns(names) == expected


@pytest.mark.parametrize(("data", "code"), [(b"", "zero_bytes"), (b"\n\n", "no_text"), (b"\x00\xff\x01" * 9, "decode")])
def test_what_is_no_csv(data: bytes, code: str) -> None:
    assert read_csv(data) == Problem(code=code)
