"""Running lines are recognised, and body lines are not."""

from collections.abc import Sequence

from builder.ingest.boilerplate import mark_boilerplate
from builder.ingest.chunk import chunk_document
from builder.ingest.pdf.pages import read_pdf
from builder.model.document import Problem
from builder.settings import ChunkSettings
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
