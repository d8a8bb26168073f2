"""Tables of every drawing style, and pages that only look like tables; all pages are drawn here."""

import time
from collections.abc import Callable, Sequence
from io import BytesIO

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from builder.ingest.pdf.pages import read_pdf
from builder.ingest.pdf.tables.rules import Rules
from builder.model.document import Page, Problem
from tests.ingest import pdfs
from tests.ingest.test_pdf_pages import assert_nothing_is_lost

Rows = Sequence[Sequence[str]]
PRICES = [
    ["Plan", "Users", "Storage", "Price / month"],
    ["Free", "3", "5 GB", "0"],
    ["Team", "25", "200 GB", "49"],
    ["Business", "100", "1 TB", "199"],
    ["Enterprise", "500", "10 TB", "490"],
]
LEFT, TOP, WIDTH, HEIGHT = 70.0, 120.0, 110.0, 20.0


def drawn(draw: Callable[[Canvas], None], turn: int = 0) -> Page:
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=A4)
    if turn:
        canvas.setPageRotation(turn)
    canvas.setFont("Helvetica", 10)
    draw(canvas)
    canvas.save()
    data = buffer.getvalue()
    pages = read_pdf(data, "auto")
    assert not isinstance(pages, Problem)
    assert_nothing_is_lost(data, pages)
    [page] = pages
    return page


def y(row: float) -> float:
    """The height of the upper side of a row, points from below."""
    return float(A4[1] - TOP - row * HEIGHT)


def write(canvas: Canvas, rows: Rows, width: float = WIDTH, height: float = HEIGHT) -> None:
    for number, row in enumerate(rows):
        for column, text in enumerate(row):
            canvas.drawString(LEFT + 6 + column * width, A4[1] - TOP - number * height - 14, text)


def cells(page: Page) -> list[list[list[str]]]:
    return [[[page.text[cell.start : cell.end] for cell in row] for row in table.rows] for table in page.tables]


def line(canvas: Canvas, row: float, columns: int = 4) -> None:
    canvas.line(LEFT, y(row), LEFT + columns * WIDTH, y(row))


def stroked(canvas: Canvas) -> None:
    for row in range(len(PRICES) + 1):
        line(canvas, row)
    for column in range(5):
        canvas.line(LEFT + column * WIDTH, y(0), LEFT + column * WIDTH, y(len(PRICES)))


def curved(canvas: Canvas) -> None:
    """Each rule is a curve whose points lie on a line."""
    for row in range(len(PRICES) + 1):
        canvas.bezier(LEFT, y(row), LEFT + 90, y(row), LEFT + 200, y(row), LEFT + 4 * WIDTH, y(row))
    for column in range(5):
        x = LEFT + column * WIDTH
        canvas.bezier(x, y(0), x, y(1), x, y(3), x, y(len(PRICES)))


def rounded(canvas: Canvas) -> None:
    """A frame with round corners, and rules that end at it."""
    canvas.roundRect(LEFT, y(len(PRICES)), 4 * WIDTH, len(PRICES) * HEIGHT, 8)
    for row in range(1, len(PRICES)):
        line(canvas, row)
    for column in range(1, 4):
        canvas.line(LEFT + column * WIDTH, y(0), LEFT + column * WIDTH, y(len(PRICES)))


def bars(thick: float) -> Callable[[Canvas], None]:
    """Rules that are filled rectangles."""

    def draw(canvas: Canvas) -> None:
        for row in range(len(PRICES) + 1):
            canvas.rect(LEFT, y(row) - thick / 2, 4 * WIDTH, thick, stroke=0, fill=1)
        for column in range(5):
            x = LEFT + column * WIDTH
            canvas.rect(x - thick / 2, y(len(PRICES)), thick, len(PRICES) * HEIGHT, stroke=0, fill=1)

    return draw


def in_a_form(canvas: Canvas) -> None:
    """The rules stand in a form that is drawn moved and at half its size."""
    canvas.beginForm("grid", 0, 0, 2000, 2000)
    for row in range(len(PRICES) + 1):
        canvas.line(0, 2 * row * HEIGHT, 8 * WIDTH, 2 * row * HEIGHT)
    for column in range(5):
        canvas.line(2 * column * WIDTH, 0, 2 * column * WIDTH, 2 * len(PRICES) * HEIGHT)
    canvas.endForm()
    canvas.saveState()
    canvas.translate(LEFT, y(len(PRICES)))
    canvas.scale(0.5, 0.5)
    canvas.doForm("grid")
    canvas.restoreState()


def three_line(canvas: Canvas) -> None:
    for row in (0, 1, len(PRICES)):
        line(canvas, row)


def row_lines(canvas: Canvas) -> None:
    for row in range(len(PRICES) + 1):
        line(canvas, row)


def cell_lines(canvas: Canvas) -> None:
    """Three lines, each drawn cell by cell with gaps between."""
    for row in (0, 1, len(PRICES)):
        for column in range(4):
            canvas.line(LEFT + column * WIDTH, y(row), LEFT + (column + 1) * WIDTH - 6, y(row))


def zebra(canvas: Canvas) -> None:
    canvas.setFillGray(0.85)
    for row in (0, 2, 4):
        canvas.rect(LEFT, y(row + 1), 4 * WIDTH, HEIGHT, stroke=0, fill=1)
    canvas.setFillGray(0)


def zebra_below_a_white_head(canvas: Canvas) -> None:
    canvas.setFillGray(0.85)
    for row in (1, 3):
        canvas.rect(LEFT, y(row + 1), 4 * WIDTH, HEIGHT, stroke=0, fill=1)
    canvas.setFillGray(0)


def open_sides(canvas: Canvas) -> None:
    row_lines(canvas)
    for column in range(1, 4):
        canvas.line(LEFT + column * WIDTH, y(0), LEFT + column * WIDTH, y(len(PRICES)))


def open_below(canvas: Canvas) -> None:
    """The table goes on over a page break, where it has no rule."""
    for row in range(len(PRICES)):
        line(canvas, row)
    for column in range(5):
        canvas.line(LEFT + column * WIDTH, y(0), LEFT + column * WIDTH, y(len(PRICES)))


def no_lines(canvas: Canvas) -> None:
    """Borderless: the columns of numbers say that it is a table."""


def between_rows(canvas: Canvas) -> None:
    """Vertical rules, and horizontal ones around the head and at the end only."""
    for row in (0, 1, len(PRICES)):
        line(canvas, row)
    for column in range(5):
        canvas.line(LEFT + column * WIDTH, y(0), LEFT + column * WIDTH, y(len(PRICES)))


STYLES = [
    stroked,
    curved,
    rounded,
    bars(1.5),
    bars(4.0),
    in_a_form,
    three_line,
    row_lines,
    cell_lines,
    zebra,
    zebra_below_a_white_head,
    open_sides,
    open_below,
    no_lines,
    between_rows,
]


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.__name__)
def test_every_style_gives_the_same_cells(style: Callable[[Canvas], None]) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(LEFT, A4[1] - 60, "Prices exclude tax. Annual plans are billed in advance.")
        style(canvas)
        write(canvas, PRICES)
        canvas.drawString(LEFT, A4[1] - 300, "Contact sales for volume discounts.")

    page = drawn(draw)
    assert cells(page) == [PRICES]
    assert page.tables[0].header_rows == 1
    assert page.text.startswith("Prices exclude tax.") and page.text.endswith("volume discounts.")


@pytest.mark.parametrize("style", [stroked, three_line, zebra], ids=lambda style: style.__name__)
@pytest.mark.parametrize("turn", [90, 180, 270])
def test_turned_pages_have_their_tables(style: Callable[[Canvas], None], turn: int) -> None:
    """The page is shown turned, and its content is drawn so that it is upright then."""

    def draw(canvas: Canvas) -> None:
        width, height = A4 if turn == 180 else A4[::-1]  # reportlab turns the sheet with it
        canvas.translate(width / 2, height / 2)
        canvas.rotate(turn)
        canvas.translate(-A4[0] / 2, -A4[1] / 2)
        style(canvas)
        write(canvas, PRICES)

    assert cells(drawn(draw, turn)) == [PRICES]


def test_a_head_of_two_rows_and_of_two_lines() -> None:
    def draw(canvas: Canvas) -> None:
        for row in (0, 2, 5):
            line(canvas, row)
        rows = [["", "", "Revenue", ""], ["Region", "Unit", "2025", "2026"], ["North", "kUSD", "12", "15"]]
        write(canvas, [*rows, ["South", "kUSD", "7", "9"], ["West", "kUSD", "1", "2"]])
        canvas.line(LEFT + 2 * WIDTH, y(1), LEFT + 4 * WIDTH - 60, y(1))
        canvas.drawString(LEFT + 2 * WIDTH + 50, y(0) - 14, "by year, audited")

    page = drawn(draw)
    [table] = cells(page)
    assert table[0] == ["Region", "Unit", "Revenue by year, audited", "Revenue by year, audited"]
    assert table[1][2:] == ["2025", "2026"]
    assert page.tables[0].header_rows == 2


def test_cells_that_wrap_between_three_lines() -> None:
    def draw(canvas: Canvas) -> None:
        for row in (0, 1, 5):
            line(canvas, row)
        write(canvas, [["Code", "Meaning", "Action", "Part"]])
        wrapped_rows: list[tuple[float, list[str]]] = [
            (1.0, ["E01", "Low inlet", "Open the valve", "P-1"]),
            (1.6, ["", "pressure", "", ""]),
            (2.6, ["E02", "Leak", "Cut the power and", "P-2"]),
            (3.2, ["", "", "call the service", ""]),
            (4.2, ["E03", "Overheating", "Cool down", "P-3"]),
        ]
        for at, texts in wrapped_rows:
            for column, text in enumerate(texts):
                canvas.drawString(LEFT + 6 + column * WIDTH, y(at) - 13, text)

    assert cells(drawn(draw)) == [
        [
            ["Code", "Meaning", "Action", "Part"],
            ["E01", "Low inlet pressure", "Open the valve", "P-1"],
            ["E02", "Leak", "Cut the power and call the service", "P-2"],
            ["E03", "Overheating", "Cool down", "P-3"],
        ]
    ]


def test_two_tables_between_lines_of_one_width_are_two() -> None:
    def draw(canvas: Canvas) -> None:
        three_line(canvas)
        write(canvas, PRICES)
        canvas.drawString(LEFT, A4[1] - 250, "Table 2. Prices of support")
        canvas.translate(0, -150)
        three_line(canvas)
        write(canvas, PRICES)

    page = drawn(draw)
    assert cells(page) == [PRICES, PRICES]
    assert "Table 2. Prices of support" in page.text


# What only looks like a table

PROSE = (
    "The warranty begins on the day of delivery and ends after the period that is named in the order, unless the "
    "goods were opened, changed or repaired by others than the maker or a service that the maker has named. "
) * 6


def wrapped(text: str, width: int) -> list[str]:
    lines, now = [], ""
    for word in text.split():
        if len(now) + len(word) >= width:
            lines.append(now)
            now = ""
        now = f"{now} {word}".strip()
    return [*lines, now]


def columns(count: int) -> Callable[[Canvas], None]:
    """Prose in columns, below a rule and above one, as a page with a running header and footer has them."""

    def draw(canvas: Canvas) -> None:
        canvas.line(60, A4[1] - 50, 540, A4[1] - 50)
        canvas.line(60, 60, 540, 60)
        for column in range(count):
            for number, text in enumerate(wrapped(PROSE, 92 // count - 4)[:40]):
                canvas.drawString(60 + column * 484 / count, A4[1] - 80 - 14 * number, text)

    return draw


def contents(canvas: Canvas) -> None:
    for number in range(12):
        title = f"{number + 1}. Chapter about something"
        canvas.drawString(70, A4[1] - 100 - 18 * number, title)
        canvas.drawString(220, A4[1] - 100 - 18 * number, "." * 90)
        canvas.drawString(500, A4[1] - 100 - 18 * number, str(3 + 4 * number))


def contents_without_dots(canvas: Canvas) -> None:
    for number in range(12):
        canvas.drawString(70, A4[1] - 100 - 18 * number, f"{number + 1}.")
        canvas.drawString(95, A4[1] - 100 - 18 * number, "Chapter about something")
        canvas.drawString(500, A4[1] - 100 - 18 * number, str(3 + 4 * number))


def hanging_list(canvas: Canvas) -> None:
    canvas.line(60, A4[1] - 80, 540, A4[1] - 80)
    canvas.line(60, A4[1] - 400, 540, A4[1] - 400)
    for number in range(10):
        canvas.drawString(70, A4[1] - 100 - 18 * number, f"({number + 1})")
        canvas.drawString(100, A4[1] - 100 - 18 * number, "Check the valve, the pump and the hose before use.")


def form(canvas: Canvas) -> None:
    for number, (one, other) in enumerate([("Name:", "Date of birth:"), ("Street:", "Town:"), ("Phone:", "Mail:")] * 2):
        canvas.drawString(70, A4[1] - 100 - 30 * number, one)
        canvas.drawString(320, A4[1] - 100 - 30 * number, other)
        canvas.line(60, A4[1] - 106 - 30 * number, 540, A4[1] - 106 - 30 * number)


def filled_form(canvas: Canvas) -> None:
    fields = [("Name:", "A. Miller", "Born:", "1 May"), ("Street:", "High St", "Town:", "Leeds")] * 3
    for number, row in enumerate(fields):
        for column, text in enumerate(row):
            canvas.drawString(70 + 110 * column, A4[1] - 100 - 24 * number, text)
        canvas.line(60, A4[1] - 106 - 24 * number, 540, A4[1] - 106 - 24 * number)


def signatures(canvas: Canvas) -> None:
    for column, who in enumerate(["Chair", "Treasurer", "Secretary"]):
        canvas.drawString(70 + 160 * column, 200, who)
        canvas.line(70 + 160 * column, 216, 180 + 160 * column, 216)


def code(canvas: Canvas) -> None:
    canvas.line(60, A4[1] - 80, 540, A4[1] - 80)
    canvas.line(60, A4[1] - 400, 540, A4[1] - 400)
    for number, (one, other) in enumerate([("mov edx, ebx", "load it"), ("mov edi, edx", "store it to the stack")] * 6):
        canvas.drawString(70, A4[1] - 100 - 14 * number, one)
        canvas.drawString(200, A4[1] - 100 - 14 * number, "// " + other)


def sections(canvas: Canvas) -> None:
    """Titles with a rule below, as a curriculum has them."""
    for part in range(3):
        top = A4[1] - 100 - 120 * part
        canvas.drawString(70, top, "Education")
        canvas.line(60, top - 6, 540, top - 6)
        for number in range(4):
            canvas.drawString(70, top - 22 - 18 * number, "University of somewhere")
            canvas.drawString(440, top - 22 - 18 * number, f"20{10 + number}, June")


LOOKS = [
    columns(1),
    columns(2),
    columns(3),
    contents,
    contents_without_dots,
    hanging_list,
    form,
    filled_form,
    signatures,
    code,
    sections,
]


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.__name__)
def test_no_table_is_invented(look: Callable[[Canvas], None]) -> None:
    assert cells(drawn(look)) == []


# Bounds


def _grid(canvas: Canvas, across: int, down: int) -> None:
    for number in range(across):
        canvas.line(40, 40 + 700 * number / across, 560, 40 + 700 * number / across)
    for number in range(down):
        canvas.line(40 + 500 * number / down, 40, 40 + 500 * number / down, 780)


@pytest.mark.parametrize(("across", "down"), [(50_000, 50_000), (130, 130), (400, 400), (2_000, 2_000)])
def test_a_page_of_many_rules_does_not_hang(across: int, down: int) -> None:
    started = time.process_time()

    def draw(canvas: Canvas) -> None:
        _grid(canvas, across, down)
        canvas.drawString(60, 800, "A drawing")

    page = drawn(draw)
    assert page.text == "A drawing" and page.tables == ()
    assert time.process_time() - started < 30


def test_many_dashes_do_not_hang() -> None:
    def draw(canvas: Canvas) -> None:
        for number in range(2_000):
            canvas.line(40 + number % 50 * 10, 40 + number // 50 * 18, 44 + number % 50 * 10, 40 + number // 50 * 18)
            canvas.line(40 + number % 50 * 10, 40 + number // 50 * 18, 40 + number % 50 * 10, 44 + number // 50 * 18)
        canvas.drawString(60, 800, "A drawing")

    started = time.process_time()
    assert drawn(draw).text == "A drawing"
    assert time.process_time() - started < 30


def test_too_many_rules_are_no_table() -> None:
    boxes = tuple((0.0, 3.0 * n, 9.0, 3.0 * n) for n in range(300))
    assert not Rules(horizontal=boxes, vertical=tuple((3.0 * n, 0.0, 3.0 * n, 9.0) for n in range(300))).enough
    assert Rules(horizontal=boxes[:50], vertical=((0.0, 0.0, 0.0, 9.0), (5.0, 0.0, 5.0, 9.0))).enough


def test_chinese_columns_close_to_each_other() -> None:
    font = pdfs.chinese()

    def draw(canvas: Canvas) -> None:
        canvas.setFont(font, 10)
        three_line(canvas)
        rows = [["指标", "单位", "2025年", "说明"], ["营业收入（合并）", "万元", "12,345.6", "增长，已审计。"]]
        write(canvas, [*rows, ["净利润", "万元", "1,204.8", "增长"], ["研发投入", "万元", "980.0", ""]], width=95)

    [table] = cells(drawn(draw))
    assert [row[0] for row in table] == ["指标", "营业收入（合并）", "净利润", "研发投入"]
    assert table[1] == ["营业收入（合并）", "万元", "12,345.6", "增长，已审计。"]
    assert table[3] == ["研发投入", "万元", "980.0", ""]
