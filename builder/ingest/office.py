"""Word, PowerPoint and Excel files. Needs the extra `office`.

The parsers are taken themselves and not through a converter to Markdown: that puts back slashes before signs, moves the
values of merged cells under the wrong header, writes 600.0 for 600 and NaN for nothing, and drops formulas in silence.
"""

import re
import zipfile
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from typing import Any

from builder.ingest.counting import count
from builder.ingest.csv_faq import write_rows
from builder.ingest.html import html_page
from builder.ingest.page_writer import Cell, PageWriter
from builder.ingest.sheet_values import shown
from builder.ingest.walk import MEDIA_TYPES
from builder.model.document import Page, PageOrigin, Problem

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_CHOICE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Choice"
_FORMULA = re.compile(rb"<(?:\w+:)?f[\s>/]")
_OLE = b"\xd0\xcf\x11\xe0"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_TITLES = "p[style-name='Title'] => h1:fresh\np[style-name='Subtitle'] => p:fresh"


def read_office(data: bytes, media_type: str) -> tuple[Page, ...] | Problem:
    """The pages of an office file (a slide or a sheet is one, a Word file one in all), or why it has none.

    Raises:
        MemoryError: it unpacks to more than this process may use.
    """
    if not data:
        return Problem(code="zero_bytes")
    if data.startswith(_OLE):
        return Problem(code="password" if _ENCRYPTED in data else "damaged", detail="")
    try:
        pages = _READERS[media_type](data)
    except ImportError:
        return Problem(code="extra_missing")
    except MemoryError:
        raise
    except Exception as error:  # the parsers raise what they like; the file is listed with it
        return Problem(code="damaged", detail=f"{type(error).__name__}: {error}".splitlines()[0][:200])
    return pages if any(page.text.strip() for page in pages) else Problem(code="no_text")


def _word(data: bytes) -> tuple[Page, ...]:
    import mammoth

    result = mammoth.convert_to_html(
        BytesIO(data), style_map=_TITLES, convert_image=mammoth.images.img_element(lambda image: {})
    )
    return (html_page(result.value, extractable=_word_characters(data)),)


def _word_characters(data: bytes) -> int:
    """Characters of the text runs of body and notes, as the file itself has them."""
    from xml.etree.ElementTree import iterparse

    total = 0
    with zipfile.ZipFile(BytesIO(data)) as archive:
        for name in ("word/document.xml", "word/footnotes.xml", "word/endnotes.xml"):
            if name not in archive.namelist():
                continue
            choices = 0  # a text box is written twice, for old programs and new ones
            with archive.open(name) as stream:
                for event, element in iterparse(stream, events=("start", "end")):
                    if element.tag == _CHOICE:
                        choices += 1 if event == "start" else -1
                    elif event == "end" and element.tag == f"{_WORD}t" and not choices:
                        total += count(element.text or "")
    return total


def _slides(data: bytes) -> tuple[Page, ...]:
    from pptx import Presentation

    return tuple(_slide(slide, number) for number, slide in enumerate(Presentation(BytesIO(data)).slides, 1))


def _slide(slide: Any, number: int) -> Page:
    writer = PageWriter()
    title = slide.shapes.title
    if title is not None:
        writer.line(title.text_frame.text, level=2)
    for shape in _shapes(slide.shapes):
        if title is None or shape.shape_id != title.shape_id:
            _shape(shape, writer)
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
        _paragraphs(slide.notes_slide.notes_text_frame, writer)
    return writer.page(number, count("".join(run.text or "" for run in slide.element.iter(f"{_DRAWING}t"))))


def _shapes(shapes: Any) -> Iterator[Any]:
    """All shapes, those of groups too, from top to bottom and left to right."""
    for shape in sorted(shapes, key=lambda shape: (shape.top or 0, shape.left or 0)):
        if hasattr(shape, "shapes"):
            yield from _shapes(shape.shapes)
        else:
            yield shape


def _shape(shape: Any, writer: PageWriter) -> None:
    if getattr(shape, "has_table", False):
        write_rows(writer, _slide_grid(shape.table))
    elif getattr(shape, "has_chart", False):
        _chart(shape.chart, writer)
    elif shape.has_text_frame:
        _paragraphs(shape.text_frame, writer)


def _paragraphs(frame: Any, writer: PageWriter) -> None:
    several = len([one for one in frame.paragraphs if one.text.strip()]) > 1
    for paragraph in frame.paragraphs:
        for line in paragraph.text.replace("\x0b", "\n").split("\n"):
            writer.line(f"- {line}" if several and paragraph.level else line, tight=bool(paragraph.level))


def _slide_grid(table: Any) -> list[list[Cell]]:
    rows, columns = len(table.rows), len(table.columns)
    grid = [[Cell("") for _ in range(columns)] for _ in range(rows)]
    for row in range(rows):
        for column in range(columns):
            found = table.cell(row, column)
            if not found.is_spanned:
                cell = Cell(found.text_frame.text)
                for y in range(row, row + found.span_height):
                    for x in range(column, column + found.span_width):
                        grid[y][x] = cell
    return grid


def _chart(chart: Any, writer: PageWriter) -> None:
    """The figures of a chart as a table: categories down, series across."""
    if chart.has_title and chart.chart_title.has_text_frame:
        writer.line(chart.chart_title.text_frame.text)
    plot = chart.plots[0]
    categories, series = [str(one) for one in plot.categories], list(plot.series)
    head = [Cell(""), *(Cell(one.name or "") for one in series)]
    body = [
        [Cell(name), *(Cell(shown(value, "General")) for value in values)]
        for name, *values in zip(categories, *(one.values for one in series), strict=False)
    ]
    writer.table([head, *body], 1)


def _sheets(data: bytes) -> tuple[Page, ...]:
    from openpyxl import load_workbook

    values = load_workbook(BytesIO(data), data_only=True)
    formulas = load_workbook(BytesIO(data)) if _has_formulas(data) else values
    return tuple(_sheet(sheet, formulas[sheet.title], number) for number, sheet in enumerate(values.worksheets, 1))


def _has_formulas(data: bytes) -> bool:
    with zipfile.ZipFile(BytesIO(data)) as archive:
        sheets = [name for name in archive.namelist() if name.startswith("xl/worksheets/") and name.endswith(".xml")]
        return any(_FORMULA.search(archive.read(name)) for name in sheets)


def _sheet(sheet: Any, formulas: Any, number: int) -> Page:
    """A sheet as a heading and its tables: rows without any value part them."""
    blocks = _blocks(_sheet_cells(sheet, formulas))
    if not blocks:
        return Page(number=number, origin=PageOrigin.BLANK)
    writer = PageWriter()
    writer.line(sheet.title, level=2)
    for block in blocks:
        _block(list(block), writer)
    return writer.page(number)


def _block(rows: list[list[Cell]], writer: PageWriter) -> None:
    """A table, with the titles over it as lines; rows of one cell each are lines."""
    while len(rows) > 1 and len(_filled(rows[0])) == 1 and len(rows[0]) > 1:
        writer.line(_filled(rows.pop(0))[0].text)
    if max(len(_filled(row)) for row in rows) < 2:
        for row in rows:
            writer.line(_filled(row)[0].text, tight=True)
    else:
        write_rows(writer, rows)


def _filled(row: Sequence[Cell]) -> list[Cell]:
    return [cell for cell in dict.fromkeys(row) if cell.text]


def _sheet_cells(sheet: Any, formulas: Any) -> dict[tuple[int, int], Cell]:
    """The filled cells by row and column, as they are shown; one without a stored result shows its formula.

    Merged cells stand in all places where their row and column hold anything. Only cells that are there are looked at:
    a sheet whose last row was coloured once has 17 billion places.
    """
    found: dict[tuple[int, int], Cell] = {}
    for place, cell in {**formulas._cells, **sheet._cells}.items():
        value = shown(cell.value, cell.number_format)
        source = getattr(formulas._cells.get(place), "value", None)
        text = value or shown(getattr(source, "text", source), "General")  # an array formula has its text within
        if text.strip():
            found[place] = Cell(text)
    rows, columns = sorted({row for row, _ in found}), sorted({column for _, column in found})
    for merged in sheet.merged_cells.ranges:
        if first := found.get((merged.min_row, merged.min_col)):
            down = rows[bisect_left(rows, merged.min_row) : bisect_right(rows, merged.max_row)]
            across = columns[bisect_left(columns, merged.min_col) : bisect_right(columns, merged.max_col)]
            found |= {(row, column): first for row in down for column in across}
    return found


def _blocks(cells: Mapping[tuple[int, int], Cell]) -> list[list[list[Cell]]]:
    """Runs of rows below each other, without the columns that are empty in all of the run."""
    runs: list[list[int]] = []
    for row in sorted({row for row, _ in cells}):
        if runs and runs[-1][-1] == row - 1:
            runs[-1].append(row)
        else:
            runs.append([row])
    columns: dict[int, list[int]] = defaultdict(list)
    for row, column in cells:
        columns[row].append(column)
    found = []
    for run in runs:
        used = sorted({column for row in run for column in columns[row]})
        found.append([[cells.get((row, column)) or Cell("") for column in used] for row in run])
    return found


_READERS = {MEDIA_TYPES[".docx"]: _word, MEDIA_TYPES[".pptx"]: _slides, MEDIA_TYPES[".xlsx"]: _sheets}
