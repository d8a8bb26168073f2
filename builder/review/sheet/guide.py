"""The first tab: what it is about, how to fill it, one filled example, and why the answer is required."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from builder.review.sheet.columns import FILLED, Verdict
from builder.sheets import put
from builder.text.screen import cells
from builder.words import Words

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

_STEPS = ("step_open", "step_answer", "step_passage", "step_facts", "step_verdict")
_WIDTHS = (22, 100)
_LINE = 17


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What the first tab says of the file."""

    cases: int
    """Rows."""
    reviewer: str = ""
    """Who is asked; empty: nobody in particular."""
    part: int = 1
    """Which part it is."""
    parts: int = 1
    """Of how many."""
    levels: tuple[str, ...] = ()
    """What one must have to read the documents that it quotes, as `tenant:a`, `role:hr` or `deny`."""


def write_guide(sheet: "Worksheet", about: About, say: Words) -> None:
    """Fill the first tab."""
    number = 1
    for style, left, right in _lines(about, say):
        _row(sheet, number, style, left, right)
        number += 1
    for letter, width in zip("AB", _WIDTHS, strict=True):
        sheet.column_dimensions[letter].width = width
    sheet.sheet_view.showGridLines = False
    sheet.protection.enable()
    sheet.page_setup.paperSize = 9  # A4
    sheet.page_setup.orientation = "portrait"
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = 1, 1
    if sheet.sheet_properties.pageSetUpPr is not None:
        sheet.sheet_properties.pageSetUpPr.fitToPage = True


def _lines(about: About, say: Words) -> list[tuple[str, str, str]]:
    """(style, first column, second column) of every line; a title has no second."""
    lines = [("title", say("sheet.guide.title"), "")]
    lines += [("", say("sheet.guide.for"), about.reviewer)] if about.reviewer else []
    count = say("sheet.guide.part", part=about.part, parts=about.parts) if about.parts > 1 else ""
    lines.append(("", say("sheet.guide.holds"), say("sheet.guide.cases", cases=about.cases) + count))
    levels = ", ".join(about.levels) if about.levels else say("sheet.guide.public")
    lines.append(("warn" if about.levels else "", say("sheet.guide.access"), levels))
    lines += [("", "", ""), ("head", say("sheet.guide.how"), "")]
    tab = say("sheet.tab.cases")
    lines += [("", str(number), say(f"sheet.guide.{step}", tab=tab)) for number, step in enumerate(_STEPS, 1)]
    lines += [("", "", ""), ("head", say("sheet.guide.why"), ""), ("wide", say("sheet.guide.because"), "")]
    lines += [("", "", ""), ("head", say("sheet.column.verdict"), "")]
    lines += [("", say(f"sheet.verdict.{one}"), say(f"sheet.meaning.{one}")) for one in Verdict]
    lines += [("", "", ""), ("head", say("sheet.guide.example"), "")]
    shown = [(name, say(f"sheet.column.{name}")) for name in ("question", "system_answer")]
    shown.append(("passage", say("sheet.column.passage", number=1)))
    lines += [("", title, say(f"sheet.example.{name}")) for name, title in shown]
    lines += [("fill", say(f"sheet.column.{name}"), say(f"sheet.example.{name}")) for name in FILLED]
    return lines


def _row(sheet: "Worksheet", number: int, style: str, left: str, right: str) -> None:
    from openpyxl.styles import Alignment, Font, PatternFill

    for place, text in enumerate((left, right), 1):
        put(sheet.cell(number, place), text)
        sheet.cell(number, place).alignment = Alignment(wrap_text=style not in ("title", "head"), vertical="top")
    size = {"title": 16, "head": 12}.get(style, 11)
    colour = "B3261E" if style == "warn" else "000000"
    sheet.cell(number, 1).font = Font(size=size, bold=style not in ("", "wide"), color=colour)
    sheet.cell(number, 2).font = Font(size=11, color=colour)
    if style == "fill":
        sheet.cell(number, 2).fill = PatternFill("solid", fgColor="FFFBE6")
    if style == "wide":
        sheet.merge_cells(start_row=number, end_row=number, start_column=1, end_column=2)
    room = sum(_WIDTHS) if style == "wide" else _WIDTHS[1]
    text = left if style == "wide" else right
    lines = sum(max(1, -(-cells(line) // (room - 4))) for line in text.split("\n"))
    sheet.row_dimensions[number].height = max(lines * _LINE, size * 1.6)
