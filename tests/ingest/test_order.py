"""Reading order: columns, what runs across them, notes, running lines, other directions; and what must stay."""

from collections.abc import Sequence
from io import BytesIO
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from builder.ingest.counting import count
from builder.ingest.pdf.order import reading_order
from builder.ingest.pdf.order_groups import Piece, groups_of, same_row
from builder.ingest.pdf.order_settle import settled
from builder.ingest.pdf.pages import read_pdf
from builder.model.document import Page, Problem
from tests.ingest import pdfs
from tests.ingest.test_pdf_pages import assert_nothing_is_lost

WORDS = (
    "the",
    "board",
    "decides",
    "on",
    "each",
    "request",
    "within",
    "ten",
    "days",
    "and",
    "tells",
    "whom",
    "it",
    "granted",
)
LEFT, RIGHT, WIDE = 60.0, 310.0, 44
Line = pdfs.Line


def column(left: float, name: str, lines: int, top: float = 100.0, width: int = WIDE) -> list[Line]:
    """Lines of prose that begin with their number, up to `width` letters each."""
    words = Random(name)
    found: list[Line] = []
    for number in range(lines):
        text = f"{name}{number:02d}"
        while len(longer := f"{text} {words.choice(WORDS)}") <= width:
            text = longer
        found.append((left, top + 14 * number, text))
    return found


def first_page(data: bytes) -> Page:
    pages = read_pdf(data, "auto")
    assert not isinstance(pages, Problem)
    assert_nothing_is_lost(data, pages)
    return pages[0]


def read(lines: Sequence[Line], size: float = 10) -> Page:
    return first_page(pdfs.lines_pdf([lines], size=size))


def names(page: Page) -> list[str]:
    """The first word of each line."""
    return [line.split()[0] for line in page.text.splitlines()]


def firsts(*columns: Sequence[Line]) -> list[str]:
    return [text.split()[0] for lines in columns for _, _, text in lines]


def shuffled(lines: Sequence[Line], seed: int) -> list[Line]:
    return Random(seed).sample(list(lines), len(lines))


def test_two_columns_drawn_line_by_line() -> None:
    left, right = column(LEFT, "a", 20), column(RIGHT, "b", 20)
    drawn = [line for pair in zip(left, right, strict=True) for line in pair]
    assert names(read(drawn)) == firsts(left, right)


@pytest.mark.parametrize("seed", range(3))
def test_columns_in_any_order_of_drawing(seed: int) -> None:
    left, right = column(LEFT, "a", 16), column(RIGHT, "b", 18)
    assert names(read(shuffled(left, seed) + shuffled(right, seed))) == firsts(left, right)
    assert names(read([*right, *left])) == firsts(left, right)


def test_three_columns() -> None:
    sides = [column(left, name, 20, width=32) for left, name in ((45, "a"), (222, "b"), (399, "c"))]
    drawn = [line for row in zip(*sides, strict=True) for line in row]
    assert names(read(drawn, 9)) == firsts(*sides)


def test_what_runs_across_parts_the_columns() -> None:
    title: list[Line] = [(200, 90, "Title of all that stands below it on this page")]
    wide = column(LEFT, "w", 3, top=330, width=96)
    above = column(LEFT, "a", 12, 130), column(RIGHT, "b", 12, 130)
    below = column(LEFT, "c", 12, 400), column(RIGHT, "d", 12, 400)
    drawn = [*above[1], *below[1], *wide, *above[0], *below[0], *title]
    assert names(read(drawn)) == firsts(title, *above, wide, *below)


def test_running_lines_come_first_and_last() -> None:
    header: list[Line] = [(60, 40, "Header of the book")]
    footer: list[Line] = [(300, 810, "7")]
    left, right = column(LEFT, "a", 16), column(RIGHT, "b", 16)
    assert names(read([*footer, *left, *right, *header])) == ["Header", *firsts(left, right), "7"]


def test_a_line_that_is_too_long_does_not_part_a_column() -> None:
    left, right = column(LEFT, "a", 16), column(RIGHT, "b", 16)
    x, y, text = left[6]
    left[6] = (x, y, text + " https://example.com/a")
    right[6] = (right[6][0] + 80, right[6][1], right[6][2][:24])
    assert names(read([*left, *right])) == firsts(left, right)


def test_notes_stand_behind_the_columns() -> None:
    left, right = column(LEFT, "a", 16), column(RIGHT, "b", 22)
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=A4)
    for size, lines in (
        (10, left),
        (7, [(LEFT, 350 + 9 * n, f"n{n} a note in small print") for n in range(4)]),
        (10, right),
    ):
        canvas.setFont("Helvetica", size)
        for x, y, text in lines:
            canvas.drawString(x, A4[1] - y, text)
    canvas.save()
    page = first_page(buffer.getvalue())
    assert names(page) == [*firsts(left, right), "n0", "n1", "n2", "n3"]


def test_a_stamp_in_the_margin_comes_last() -> None:
    left, right = column(LEFT, "a", 16), column(RIGHT, "b", 16)
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=A4)
    canvas.saveState()
    canvas.translate(30, 300)
    canvas.rotate(90)
    canvas.drawString(0, 0, "stamp of the archive")
    canvas.restoreState()
    canvas.setFont("Helvetica", 10)
    for x, y, text in [*right, *left]:
        canvas.drawString(x, A4[1] - y, text)
    canvas.save()
    page = first_page(buffer.getvalue())
    assert names(page) == [*firsts(left, right), "stamp"]


def test_short_cells_beside_each_other_stay_in_their_rows() -> None:
    rows = [[(60.0, 100.0 + 14 * n, f"k{n} name"), (310.0, 100.0 + 14 * n, f"v{n} {n * 37}")] for n in range(20)]
    page = read([cell for row in rows for cell in row])
    order = [page.text.index(f"{sign}{n} ") for n in range(20) for sign in "kv"]
    assert order == sorted(order)


def test_cells_of_several_lines_stay_in_their_rows() -> None:
    drawn: list[Line] = []
    for number in range(6):
        top = 100 + 60 * number
        drawn += column(LEFT, f"k{number}", 3, top) + column(RIGHT, f"v{number}", 3, top)
    page = read(drawn)
    order = [page.text.index(f"{sign}{n}00") for n in range(6) for sign in "kv"]
    assert order == sorted(order)


def test_one_column_is_not_touched() -> None:
    lines = column(LEFT, "a", 30, width=90)
    assert names(read(lines)) == firsts(lines)


def piece(left: float, top: float, width: float = 200, height: float = 9, at: int = 0) -> Piece:
    return Piece(start=at, end=at + 30, box=(left, top, left + width, top + height), size=10.0)


def test_columns_of_a_text_from_right_to_left() -> None:
    left = [piece(60, 100 + 12 * n, at=31 * n) for n in range(12)]
    right = [piece(310, 100 + 12 * n, at=400 + 31 * n) for n in range(12)]
    assert reading_order([*left, *right], "\u05d0\u05d1 " * 300, (595, 842)) == [*right, *left]
    assert reading_order([*right, *left], "ab " * 300, (595, 842)) == [*left, *right]


def test_vertical_lines_go_from_right_to_left() -> None:
    lines = [piece(500 - 20 * n, 100, width=10, height=400, at=31 * n) for n in range(10)]
    text = "縦書きの文章は右から左へ" * 40
    assert reading_order(shuffled_pieces(lines, 1), text, (595, 842)) == lines
    assert reading_order(shuffled_pieces(lines, 2), text, (595, 842)) == lines


def shuffled_pieces(pieces: Sequence[Piece], seed: int) -> list[Piece]:
    return Random(seed).sample(list(pieces), len(pieces))


BOXES = st.tuples(st.integers(0, 500), st.integers(0, 800), st.integers(1, 400), st.integers(4, 30))


@given(st.lists(BOXES, max_size=40))
def test_every_piece_once_and_always_the_same(drawn: list[tuple[int, int, int, int]]) -> None:
    pieces = [piece(x, y, w, h, at=31 * n) for n, (x, y, w, h) in enumerate(drawn)]
    ordered = reading_order(pieces, "text " * 300, (595, 842))
    assert sorted(one.start for one in ordered) == [one.start for one in pieces]
    assert ordered == reading_order(pieces, "text " * 300, (595, 842))


@given(st.lists(BOXES, max_size=40))
def test_nothing_comes_before_what_stands_above_it(drawn: list[tuple[int, int, int, int]]) -> None:
    found = settled(groups_of([piece(x, y, w, h, at=31 * n) for n, (x, y, w, h) in enumerate(drawn)]))
    for index, one in enumerate(found):
        for later in found[index + 1 :]:
            shared = min(one.box[2], later.box[2]) - max(one.box[0], later.box[0])
            assert not (shared > 2 and later.middle < one.middle and not same_row(one.box, later.box))


def test_bold_print_drawn_twice_is_there_once() -> None:
    heading = "Heading in bold print"
    for again in ([(60.3, 100.0, heading)], [(60.3, 100.0, heading), (60.0, 100.3, heading), (60.3, 100.3, heading)]):
        page = read([(60, 100, heading), (60, 140, "Body"), *again])
        assert page.text.split("\n") == [heading, "Body"] and page.extractable == count(heading) + 4


def test_letters_that_are_doubled_in_the_text_stay_doubled() -> None:
    assert read([(60, 100, "bookkeeping committee"), (60, 120, "11 22 33")]).text == "bookkeeping committee\n11 22 33"
