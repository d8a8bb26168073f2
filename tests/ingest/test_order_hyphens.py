"""Hyphens at line ends: those of the text stay, those of the layout go, and the accounting closes with both."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.ingest.boilerplate import mark_boilerplate
from builder.ingest.chunk import chunk_document
from builder.ingest.coverage import page_coverage
from builder.ingest.hyphens import CUT, hyphen_kind, settle_hyphens, vocabulary
from builder.ingest.joining import join
from builder.ingest.pdf.pages import read_pdf
from builder.model.document import Line, Page, PageOrigin, Problem, Table, TableCell
from builder.settings import ChunkSettings
from builder.text.passages import assemble
from builder.text.quotes import find_quote
from tests.ingest import pdfs
from tests.ingest.test_pdf_pages import assert_nothing_is_lost


def page_of(*lines: str) -> Page:
    """A page with these lines; all that counts is written or said to be garbage."""
    data = pdfs.lines_pdf([[(60, 100 + 14 * n, line) for n, line in enumerate(lines)]])
    pages = read_pdf(data, "auto")
    assert not isinstance(pages, Problem)
    assert_nothing_is_lost(data, pages)
    chunks = chunk_document("d", "r", pages, ChunkSettings())
    assert all(assemble(chunk.parts, {1: pages[0].text}) == chunk.text for chunk in chunks)
    coverage = page_coverage(pages[0], chunks)
    assert coverage.closes and coverage.lost == 0 and coverage.kept == coverage.extractable
    return pages[0]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("The repair is an alter-", "native to a new unit."), "The repair is an alternative to a new unit."),
        (("They tested the n-", "tridecanal sample."), "They tested the n-tridecanal sample."),
        (("This is a state-of-the-", "art unit, and art it is."), "This is a state-of-the-art unit, and art it is."),
        (("In the years of COVID-", "19 nobody came."), "In the years of COVID-19 nobody came."),
        (("He flew from Soekarno-", "Hatta to Tokyo."), "He flew from Soekarno-Hatta to Tokyo."),
        (("The short-", "and long-term loans."), "The short- and long-term loans."),
        (("A self-", "evident rule, a non-", "negotiable one."), "A self-evident rule, a non-negotiable one."),
        (("See https://example.com/a-", "b for more."), "See https://example.com/a-b for more."),
        (("The INFOR-", "MATION desk uses TF-", "IDF weights."), "The INFORMATION desk uses TF-IDF weights."),
    ],
)
def test_both_ways(lines: tuple[str, ...], expected: str) -> None:
    page = page_of(*lines)
    assert page.text == expected
    assert [page.text[line.start : line.end].strip(" ") for line in page.lines] == [
        page.text[line.start : line.end] for line in page.lines
    ]
    assert find_quote(expected, page.text) is not None


def test_the_document_knows_best() -> None:
    assert "a re-entry of" in page_of("The re-entry rule: a re-", "entry of goods.").text
    assert "a reentry of" in page_of("The reentry rule: a re-", "entry of goods.").text
    assert "TraceMonkey runs" in page_of("The TraceMonkey tool: Trace-", "Monkey runs.").text
    assert "language-independent" in page_of("A language is independent: language-", "independent code.").text


def test_a_document_that_cuts_no_words_has_only_real_hyphens() -> None:
    sure = ["non-normal", "all-Grade", "Knight-Commander", "x-ray", "self-styled"]
    lines = [part for word in sure for part in (f"They saw the {word.split('-')[0]}-", f"{word.split('-')[1]} item.")]
    assert "blood-scrawls" in page_of(*lines, "There were blood-", "scrawls.").text
    assert "bloodscrawls" in page_of("There were blood-", "scrawls.").text


def test_a_chinese_line_end() -> None:
    data = pdfs.prose_pdf([["请插入 U-", "盘后再开机，型号为 GTE-", "3000。"]], pdfs.chinese())
    [page] = read_pdf(data, "auto")
    assert isinstance(page, Page) and page.text == "请插入 U-盘后再开机，型号为 GTE-3000。"


def test_a_cell_joins_its_lines() -> None:
    rows = [["Part", "Rule"], ["Pump", "an alter-\nnative unit of type X-\n200"], ["Valve A-", "none"]]
    data = pdfs.table_pdf(rows)
    pages = read_pdf(data, "auto")
    assert not isinstance(pages, Problem)
    assert_nothing_is_lost(data, pages)
    assert "an alternative unit of type X-200" in pages[0].text and "Valve A-" in pages[0].text


def test_columns_drawn_in_turn() -> None:
    """Pdfium joins the line of one column with the next line of the other; a reader does not."""
    body = "words that fill a line of this column well"
    left = [*[f"left {n} {body}" for n in range(6)], f"and the alter- left {body}"[:30] + " the alter-", "native left"]
    right = [f"right {n} {body}" for n in range(8)]
    drawn = [
        (x, 100.0 + 14 * n, text)
        for n, (a, b) in enumerate(zip(left, right, strict=True))
        for x, text in ((60.0, a), (310.0, b))
    ]
    data = pdfs.lines_pdf([drawn], size=10)
    [page] = read_pdf(data, "auto")
    assert isinstance(page, Page)
    assert_nothing_is_lost(data, (page,))
    assert "the alternative left" in page.text


def laid_out(number: int, text: str, origin: PageOrigin) -> Page:
    lines: list[Line] = []
    at = 0
    for row, line in enumerate(text.split("\n")):
        box = (60.0, 100.0 + 14 * row, 500.0, 110.0 + 14 * row)
        lines.append(Line(start=at, end=at + len(line), box=box, size=10.0))
        at += len(line) + 1
    return Page(
        number=number,
        origin=origin,
        text=text,
        lines=tuple(lines),
        width=595,
        height=842,
        extractable=len("".join(text.split())),
    )


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        (("It is an alter-", "native to the old unit and to the new one."), "It is an alternative to the old unit"),
        (("He flew from Soekarno-", "Hatta to the old town."), "He flew from Soekarno-Hatta to"),
    ],
)
def test_a_word_that_a_page_end_cuts(pages: Sequence[str], expected: str) -> None:
    made = mark_boilerplate([laid_out(n, text, PageOrigin.TEXT) for n, text in enumerate(pages, 1)])
    chunks = chunk_document("d", "r", made, ChunkSettings())
    assert any(expected in chunk.text for chunk in chunks)
    coverage = [page_coverage(page, chunks) for page in made]
    assert all(page.closes and page.lost == 0 for page in coverage)


def test_words_cut_in_what_ocr_read() -> None:
    text = "The repair is an alter-\nnative to a new unit of type GTE-\n3000 and of no other kind at all."
    [page] = mark_boilerplate([laid_out(1, text, PageOrigin.OCR)])
    [chunk] = chunk_document("d", "r", [page], ChunkSettings())
    assert chunk.text == "The repair is an alternative to a new unit of type GTE-3000 and of no other kind at all."
    assert assemble(chunk.parts, {1: page.text}) == chunk.text and page.text == text


def test_a_dash_at_a_line_end() -> None:
    assert join("AD 2018–", "23–51") == "" and join("in 1999-", "2000") == ""
    assert join("a dash –", "and more") == " " and join("short-", "and long-term") == " "


def test_hyphens_are_settled_where_they_stand() -> None:
    text = f"alter{CUT}native\tCOVID{CUT}19\nshort{CUT}and long"
    lines = tuple(
        Line(start=start, end=end, box=(0, 0, 1, 1))
        for start, end in ((0, 6), (6, 12), (13, 19), (19, 21), (22, 28), (28, 36))
    )
    table = Table(rows=((TableCell(start=0, end=12), TableCell(start=13, end=21)),))
    page = Page(number=1, origin=PageOrigin.TEXT, text=text, lines=lines, tables=(table,), extractable=30)
    [settled] = settle_hyphens([page])
    assert settled.text == "alternative\tCOVID-19\nshort- and long" and settled.extractable == 32
    assert [settled.text[line.start : line.end] for line in settled.lines] == [
        "alter",
        "native",
        "COVID-",
        "19",
        "short-",
        "and long",
    ]
    cells = [settled.text[cell.start : cell.end] for cell in settled.tables[0].rows[0]]
    assert cells == ["alternative", "COVID-19"]


@given(st.text("ab-C1中 _'", max_size=12), st.text("ab-C1中 _'", max_size=12), st.lists(st.text("abC-", max_size=9)))
def test_every_hyphen_is_of_some_kind(before: str, after: str, words: list[str]) -> None:
    assert hyphen_kind(before, after, vocabulary(words)) in ("cut", "real", "hanging")
