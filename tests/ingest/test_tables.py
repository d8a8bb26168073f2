"""Ruled tables: cells in the page text, merged cells, headers, rows that can be read alone."""

import pytest

from builder.ingest.chunk import chunk_document
from builder.ingest.counting import count
from builder.ingest.pdf.frame import Frame
from builder.ingest.pdf.headers import header_rows
from builder.ingest.pdf.objects import PageObjects
from builder.ingest.pdf.pages import read_pdf
from builder.ingest.pdf.tables import Rules, page_rules
from builder.model.chunk import Chunk, ChunkKind
from builder.model.document import Page, Problem
from builder.settings import ChunkSettings
from builder.text.passages import assemble
from tests.ingest import pdfs
from tests.ingest.test_pdf_pages import assert_nothing_is_lost

HEADER = ["产品", "型号", "整机保修（月）", "备注"]
ROWS = [["净饮机", f"GTE-{n}", str(n), "自签收之日起"] for n in range(100, 180)]


def read(data: bytes) -> tuple[Page, ...]:
    pages = read_pdf(data, "auto")
    assert not isinstance(pages, Problem)
    assert_nothing_is_lost(data, pages)
    return pages


def cells(page: Page) -> list[list[list[str]]]:
    return [[[page.text[cell.start : cell.end] for cell in row] for row in table.rows] for table in page.tables]


def chunks(pages: tuple[Page, ...]) -> tuple[Chunk, ...]:
    return chunk_document("d", "r", pages, ChunkSettings())


def test_cells_stand_row_by_row_in_the_text() -> None:
    [page] = read(pdfs.table_pdf([["Part", "Months"], ["Pump", "6"], ["Valve", ""]]))
    assert page.text == "Part\tMonths\nPump\t6\nValve"
    assert cells(page) == [[["Part", "Months"], ["Pump", "6"], ["Valve", ""]]]
    assert page.tables[0].header_rows == 1


def test_wrapped_cells_are_one_line() -> None:
    font = pdfs.chinese()
    [page] = read(
        pdfs.table_pdf([["条款", "内容"], ["备件", "备件保修六个月，\n自更换之日起"], ["Note", "two\nwords"]], font)
    )
    assert cells(page)[0][1:] == [["备件", "备件保修六个月，自更换之日起"], ["Note", "two words"]]


def test_merged_cells_are_repeated_and_written_once() -> None:
    rows = [["Region", "Revenue", ""], ["", "Q1", "Q2"], ["North", "1", "2"], ["", "3", "4"]]
    style = [("SPAN", (1, 0), (2, 0)), ("SPAN", (0, 0), (0, 1)), ("SPAN", (0, 2), (0, 3))]
    [page] = read(pdfs.table_pdf(rows, style=style))
    assert cells(page) == [
        [["Region", "Revenue", "Revenue"], ["Region", "Q1", "Q2"], ["North", "1", "2"], ["North", "3", "4"]]
    ]
    assert page.text.count("Revenue") == 1 and page.tables[0].header_rows == 2
    [chunk] = chunks((page,))
    assert chunk.text == "Region: North; Revenue Q1: 1; Revenue Q2: 2\nRegion: North; Revenue Q1: 3; Revenue Q2: 4"


@pytest.fixture(scope="module")
def long_table() -> tuple[tuple[Page, ...], tuple[Chunk, ...]]:
    pages = read(pdfs.table_pdf([HEADER, *ROWS], pdfs.chinese()))
    return pages, chunks(pages)


def test_a_table_over_pages_is_cut_by_rows_that_read_alone(
    long_table: tuple[tuple[Page, ...], tuple[Chunk, ...]],
) -> None:
    pages, found = long_table
    assert len(pages) > 1 and len(found) > 2
    lines = [line for chunk in found for line in chunk.text.split("\n")]
    assert lines == [f"产品：净饮机；型号：{row[1]}；整机保修（月）：{row[2]}；备注：自签收之日起" for row in ROWS]
    assert any(chunk.pages == (1, 2) for chunk in found)


def test_the_header_is_in_each_chunk_and_leads_back_to_its_page(
    long_table: tuple[tuple[Page, ...], tuple[Chunk, ...]],
) -> None:
    pages, found = long_table
    texts = {page.number: page.text for page in pages}
    for chunk in found:
        assert chunk.kind is ChunkKind.TABLE and all(name in chunk.text for name in HEADER)
        assert assemble(chunk.parts, texts) == chunk.text
    assert sum(count(text) for text in texts.values()) == sum(count(name) for name in HEADER) * len(pages) + sum(
        count(cell) for row in ROWS for cell in row
    )


def test_a_table_that_goes_on_without_header_uses_that_of_the_first_page() -> None:
    pages = read(pdfs.table_pdf([HEADER, *ROWS], pdfs.chinese(), repeat=0))
    assert len(pages) > 1
    assert all("型号：GTE-" in line for chunk in chunks(pages) for line in chunk.text.split("\n"))


def test_turned_pages_have_their_tables() -> None:
    data = pdfs.table_pdf([["Part", "Months"], ["Pump", "6"]])
    [page] = read(pdfs.turned_pdf(data, 90))
    assert sorted(text for row in cells(page)[0] for text in row) == ["6", "Months", "Part", "Pump"]


def test_prose_has_no_tables() -> None:
    [page] = read(pdfs.prose_pdf([["Some words in a row.", "More words, and a number 12."]]))
    assert page.tables == ()


def test_a_frame_around_text_is_no_table() -> None:
    text = ["A sentence of a long page that stands within a frame of lines."] * 40
    [page] = read(pdfs.table_pdf([["Title", ""], ["\n".join(text), ""]]))
    assert page.tables == ()
    assert page.text.count("sentence") == 40


def test_no_rules_no_tables() -> None:
    frame = Frame(left=0, bottom=0, right=100, top=100, turns=0)
    assert page_rules(PageObjects(), frame) == Rules(horizontal=(), vertical=())
    many = Rules(horizontal=((0, 0, 9, 0),) * 50_000, vertical=((0, 0, 0, 9),) * 50_000)
    assert not many.enough


@pytest.mark.parametrize(
    ("rows", "merged", "expected"),
    [
        ([["产品", "型号"], ["a", "1"]], [False, False], 1),
        ([["产品", "12"], ["a", "1"]], [False, False], 0),
        ([["产品", "型号"]], [False], 0),
        ([["", "", "型号"], ["a", "1", "2"]], [False, False], 0),
        ([["A", "B", "B"], ["A", "Q1", "Q2"], ["x", "1", "2"]], [True, False, False], 2),
        ([["A", "B", "B"], ["x", "1", "2"], ["y", "1", "2"]], [True, False, False], 1),
        ([["", "1996", "1993"], ["Austria", "59", "54"]], [False, False], 1),
        ([["", "1996"], ["Founded", "1997"], ["Moved", "1998"]], [False] * 3, 0),
        ([["T"] * 3, ["A", "B", "B"], ["A", "Q1", "Q2"], ["x", "1", "2"]], [True, True, False, False], 3),
    ],
)
def test_header_rows(rows: list[list[str]], merged: list[bool], expected: int) -> None:
    assert header_rows(rows, merged) == expected
