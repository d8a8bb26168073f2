"""How the sheet looks: widths, heights, colours, drop-downs, locked cells, paper."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from builder.review.sheet.columns import FILLED, HIDDEN, LOCKED, NUMBER, REASON, Verdict, is_passage
from builder.text.screen import cells
from builder.words import Words

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

_WIDTHS = {
    REASON: 30,
    NUMBER: 6,
    "question": 30,
    "conversation": 26,
    "comments": 20,
    "system_answer": 34,
    "chosen": 12,
    "answer": 40,
    "facts": 32,
    "verdict": 19,
    "note": 26,
}
_PASSAGE_WIDTH = 50
_LINE, _MOST_HEIGHT = 13.5, 409.0
"""Points; no program shows a row that is higher."""
_HEAD, _HEAD_FILL, _LOCKED, _OPEN, _REASON = "E2E6EB", "FFE08A", "F5F6F7", "FFFBE6", "FBE3E0"
_FONT = 10


def dress(sheet: "Worksheet", order: Sequence[str], rows: Sequence[Mapping[str, str]], say: Words) -> None:
    """Make a sheet of texts one that is read, filled and printed with ease."""
    _columns(sheet, order, rows)
    _cells(sheet, order)
    sheet.row_dimensions[1].height = 2 * _LINE
    for number, row in enumerate(rows, 2):
        sheet.row_dimensions[number].height = _height(row)
    last = len(rows) + 1
    _choices(sheet, order, last, say)
    _lock(sheet)
    sheet.freeze_panes = sheet.cell(2, order.index("question") + 2 if "question" in order else 1).coordinate
    sheet.auto_filter.ref = f"A1:{sheet.cell(last, len(order)).coordinate}"
    _paper(sheet)


def dress_full(sheet: "Worksheet") -> None:
    """The tab of full texts."""
    from openpyxl.styles import Alignment, Font

    for place, width in enumerate((8, 20, 120), 1):
        sheet.column_dimensions["ABC"[place - 1]].width = width
        sheet.cell(1, place).font = Font(bold=True, size=_FONT)
    for line in sheet.iter_rows(min_row=2):
        for cell in line:
            cell.alignment = Alignment(wrap_text=True, vertical="top")
    sheet.freeze_panes = "A2"


def _columns(sheet: "Worksheet", order: Sequence[str], rows: Sequence[Mapping[str, str]]) -> None:
    """Widths; keys are hidden, and what no case has."""
    from openpyxl.utils import get_column_letter

    for place, column in enumerate(order, 1):
        shape = sheet.column_dimensions[get_column_letter(place)]
        shape.width = _width(column)
        unused = column in (*LOCKED[1:], *filter(is_passage, order)) and not any(row.get(column) for row in rows)
        shape.hidden = column in HIDDEN or unused


def _cells(sheet: "Worksheet", order: Sequence[str]) -> None:
    from openpyxl.styles import Alignment, Border, Font, PatternFill, Protection, Side

    line = Side(style="thin", color="C9CED6")
    border = Border(left=line, right=line, top=line, bottom=line)
    colours = {colour: PatternFill("solid", fgColor=colour) for colour in (_HEAD, _HEAD_FILL, _LOCKED, _OPEN, _REASON)}
    plain, bold = Font(size=_FONT), Font(size=_FONT, bold=True)
    top = Alignment(wrap_text=True, vertical="top")
    middle = Alignment(wrap_text=True, vertical="center")
    for number, row in enumerate(sheet.iter_rows(max_col=len(order)), 1):
        for cell, column in zip(row, order, strict=True):
            open_ = column in FILLED
            head = _HEAD_FILL if open_ else _HEAD
            body = _OPEN if open_ else _REASON if column == REASON else _LOCKED
            cell.font, cell.alignment, cell.border = (bold, middle, border) if number == 1 else (plain, top, border)
            cell.fill = colours[head if number == 1 else body]
            # Text: a program then takes what is typed as it is typed, 1/2 is no day and = no formula.
            cell.number_format = "@"
            cell.protection = Protection(locked=number == 1 or not open_)


def _choices(sheet: "Worksheet", order: Sequence[str], last: int, say: Words) -> None:
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.datavalidation import DataValidation

    numbers = ("1", "2", "3", "1+2", "1+3", "2+3", "1+2+3")
    lists = {"chosen": (*numbers, say("sheet.none")), "verdict": [say(f"sheet.verdict.{one}") for one in Verdict]}
    for column, choices in lists.items():
        if column not in order or last < 2:
            continue
        letter = get_column_letter(order.index(column) + 1)
        # Several passages may be written in other ways, so only the verdict is insisted on.
        rule = DataValidation(type="list", formula1=f'"{",".join(choices)}"', allow_blank=True)
        rule.showErrorMessage = column == "verdict"
        rule.errorTitle, rule.error = say(f"sheet.column.{column}"), say("sheet.choose", choices=" / ".join(choices))
        rule.showInputMessage = True
        rule.promptTitle, rule.prompt = say(f"sheet.column.{column}"), say(f"sheet.prompt.{column}")
        sheet.add_data_validation(rule)
        rule.add(f"{letter}2:{letter}{last}")


def _lock(sheet: "Worksheet") -> None:
    """Against slips, without a password: what is only to be read cannot be typed over."""
    protection: Any = sheet.protection
    protection.enable()
    for free in ("formatCells", "formatColumns", "formatRows", "autoFilter", "sort"):
        setattr(protection, free, False)  # False: not forbidden


def _paper(sheet: "Worksheet") -> None:
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.paperSize = 8  # A3
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = 1, 0
    sheet_properties: Any = sheet.sheet_properties
    sheet_properties.pageSetUpPr.fitToPage = True
    sheet.print_title_rows = "1:1"
    margins = sheet.page_margins
    margins.left = margins.right = margins.top = margins.bottom = 0.4
    footer: Any = sheet.oddFooter
    footer.center.text = "&P / &N"


def _width(column: str) -> int:
    return _PASSAGE_WIDTH if is_passage(column) else _WIDTHS.get(column, 12)


def _height(row: Mapping[str, str]) -> float:
    """Points for the column that takes the most lines."""
    lines = (_lines(text, _width(column)) for column, text in row.items() if column not in HIDDEN)
    return min(_MOST_HEIGHT, max(2, max(lines, default=1)) * _LINE + 4)


def _lines(text: str, width: int) -> int:
    room = max(2, width - 2)
    return sum(max(1, -(-cells(line) // room)) for line in text[:20_000].split("\n"))
