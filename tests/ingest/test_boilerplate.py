"""Running lines are recognised, and body lines are not."""

from collections.abc import Sequence
from functools import cache

import pytest

from builder.ingest.boilerplate import mark_boilerplate
from builder.ingest.chunk import chunk_document
from builder.ingest.counting import count
from builder.ingest.coverage import page_coverage
from builder.ingest.pdf.pages import read_pdf
from builder.model.document import Page, Problem
from builder.settings import ChunkSettings
from tests.conftest import SHARED
from tests.ingest import pdfs


def marked(pages: Sequence[Sequence[pdfs.Line]]) -> list[list[str]]:
    """The running lines of each page."""
    read = read_pdf(pdfs.lines_pdf(pages), "auto")
    assert not isinstance(read, Problem)
    return [[page.text[start:end] for start, end in page.boilerplate] for page in mark_boilerplate(read)]


def page(
    number: int, header: str = "Handbook", footer: str = "{} / 9", body: str = "Body of page {}."
) -> list[pdfs.Line]:
    return [(60, 40, header), (60, 300, body.format(number)), (280, 810, footer.format(number))]


def test_headers_footers_and_numbers() -> None:
    assert marked([page(n) for n in range(1, 5)]) == [["Handbook", f"{n} / 9"] for n in range(1, 5)]


def test_bare_numbers_and_left_and_right_headers() -> None:
    pages = [page(n, header="Left" if n % 2 else "Right", footer="{}") for n in range(1, 7)]
    assert marked(pages) == [["Left" if n % 2 else "Right", str(n)] for n in range(1, 7)]


def test_what_stands_on_few_pages_is_body() -> None:
    pages = [
        page(n, header=f"Chapter {'ABCDEFG'[n]}", footer="note {}" if n < 3 else "other " + "xyz"[n - 3])
        for n in range(1, 6)
    ]
    assert marked(pages) == [[]] * 5


def test_the_same_line_in_the_middle_is_body() -> None:
    assert (
        marked([page(n, header=f"{'ABCD'[n]}", footer="end " + "abcd"[n], body="Same line") for n in range(4)])
        == [[]] * 4
    )


def test_two_pages_have_only_what_stands_at_the_very_edge() -> None:
    assert marked([page(n) for n in (1, 2)]) == [["Handbook", "1 / 9"], ["Handbook", "2 / 9"]]
    assert marked([[(60, 100, "Title"), (60, 300, f"Body {n}")] for n in "ab"]) == [[], []]


def test_one_page_has_none() -> None:
    assert marked([page(1)]) == [[]]


def test_a_header_that_a_table_repeats_is_no_running_line() -> None:
    rows = [["Part", "Months"], *([f"Pump {n}", str(n)] for n in range(200))]
    read = read_pdf(pdfs.table_pdf(rows), "auto")
    assert not isinstance(read, Problem) and len(read) > 2
    pages = mark_boilerplate(read)
    assert all(page.boilerplate == () for page in pages)
    assert all("Part: Pump" in chunk.text for chunk in chunk_document("d", "r", pages, ChunkSettings()))


CORPUS = SHARED / "corpus"
needs_corpus = pytest.mark.skipif(not CORPUS.is_dir(), reason="the shared corpus is not beside the project")


@cache
def marked_file(name: str) -> list[tuple[Page, list[str]]]:
    """The pages of a file of the corpus that have text, with their running lines."""
    read = read_pdf((CORPUS / name).read_bytes(), "never")
    assert not isinstance(read, Problem)
    return [(p, [p.text[a:b] for a, b in p.boilerplate]) for p in mark_boilerplate(read) if p.text]


@needs_corpus
def test_the_page_numbers_of_619_pages_and_no_line_of_the_body() -> None:
    pages = marked_file("en_619_pages.pdf")
    assert len(pages) == 619
    for page, running in pages:
        # One number at the foot of each page; it begins anew in the middle of the file.
        assert len(running) == 1 and running[0].isdecimal() and len(running[0]) <= 3
        [number] = [line for line in page.lines if (line.start, line.end) in page.boilerplate]
        assert number.box[1] > 770


@needs_corpus
def test_the_running_lines_of_an_annual_report() -> None:
    header = "东北电气发展股份有限公司 2018 年第一季度报告全文"
    assert [running for _, running in marked_file("zh_annual_report_excerpt_22p.pdf")] == [
        [header, str(number)] for number in range(1, 23)
    ]


@needs_corpus
def test_the_running_lines_of_a_standard() -> None:
    pages = marked_file("zh_gbt_standard_tables.pdf")
    assert [(page.number, running) for page, running in pages] == [
        (1, []),
        (2, ["GB/T3620.1—2016", "Ⅰ"]),
        (3, ["GB/T3620.1—2016", "1"]),
        (4, ["GB/T3620.1—2016", "2"]),
        (10, ["GB/T3620.1—2016", "8"]),
        (11, ["GB/T3620.1—2016", "9"]),
        (12, ["GB/T3620.1—2016", "10"]),
        (13, ["GB/T3620.1—2016"]),
    ]
    assert sum(page.text.count("GB/T3620.1—2016") for page, _ in pages) > 7


@needs_corpus
def test_headers_that_change_from_left_to_right_and_stamps_in_the_margin() -> None:
    pages = marked_file("en_federal_register_3col.pdf")
    for page, running in pages[1:14]:
        assert any("Federal Register / Vol. 85" in line for line in running), page.number
        assert any(line.startswith("jbell on") for line in running), page.number
        assert all(line in page.text for line in running)


@needs_corpus
def test_a_paper_without_running_lines_has_none() -> None:
    found = [running for _, running in marked_file("en_two_column_paper_14p.pdf")]
    # The hyphen at the end of page 10 cuts a word.
    assert [running for running in found if running] == [["-"]]
    assert all(not running for _, running in marked_file("en_multicolumn_2p.pdf"))


@needs_corpus
@pytest.mark.parametrize("name", ["en_619_pages.pdf", "zh_gbt_standard_tables.pdf", "zh_annual_report_excerpt_22p.pdf"])
def test_running_lines_are_in_no_chunk_and_all_else_is(name: str) -> None:
    pages = [page for page, _ in marked_file(name)][:40]
    chunks = chunk_document("d", "r", pages, ChunkSettings())
    for page in pages:
        coverage = page_coverage(page, chunks)
        running = sum(count(page.text[start:end]) for start, end in page.boilerplate)
        assert coverage.closes and coverage.lost == 0 and coverage.boilerplate == running


def headed(number: int, text: str, top: float = 40) -> list[pdfs.Line]:
    return [(60, top, text), (60, 300, f"Body {'abcdefghij'[number]} of the page")]


def test_steps_at_the_head_of_pages_are_body() -> None:
    assert marked([headed(n, f"Step {n}", 90) for n in range(1, 6)]) == [[]] * 5
    assert marked([headed(n, f"Step {n}") for n in (1, 2)]) == [[], []]


def test_headers_of_left_and_right_pages_and_of_chapters() -> None:
    sides = [headed(n, "Left" if n % 2 else "Right") for n in range(1, 10)]
    assert marked([*sides, headed(0, "Index")]) == [["Left" if n % 2 else "Right"] for n in range(1, 10)] + [[]]
    chapters = [headed(n, "Sales" if n < 3 else "Repair" if n < 7 else "Legal") for n in range(10)]
    assert marked(chapters) == [["Sales" if n < 3 else "Repair" if n < 7 else "Legal"] for n in range(10)]


def test_amounts_at_the_foot_of_pages_are_body() -> None:
    amounts = ["1,204.50", "88.10", "7,310.00", "512.75", "96.00"]
    assert marked([[(60, 100, f"Item {'abcde'[n]}"), (280, 780, amounts[n])] for n in range(5)]) == [[]] * 5
    years = ["2019", "2004", "2011", "1998", "2020"]
    assert marked([[(60, 100, f"Item {'abcde'[n]}"), (280, 780, years[n])] for n in range(5)]) == [[]] * 5


def test_the_number_of_the_page_beside_words() -> None:
    pages = [[*headed(n, "Policy · confidential"), (280, 810, f"HR-07 · Page {n} of 2")] for n in (1, 2)]
    assert marked(pages) == [["Policy · confidential", f"HR-07 · Page {n} of 2"] for n in (1, 2)]


def test_a_number_apart_from_a_short_page() -> None:
    pages = [[(60, 100, f"Body {'abc'[n]}"), (300, 700, str(n + 1))] for n in range(3)]
    assert marked(pages) == [["1"], ["2"], ["3"]]
