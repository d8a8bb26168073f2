"""The check list as a spreadsheet: out, and back with verdicts.

A row is known by its chunk id and the hash of its text in two hidden columns, so rows may be sorted or deleted.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from builder.errors import InputError
from builder.ingest.sample import wilson
from builder.model.chunk import Chunk
from builder.model.coverage import Checked, Drawn, SampleReport, Verdict
from builder.sheets import MOST, cut, put, seen, units
from builder.text.ids import digest
from builder.text.screen import inert
from builder.words import LANGUAGES, Words, words

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

COLUMNS = ("document", "pages", "section", "text", "verdict", "note", "stratum", "chunk_id", "text_hash")
"""In this order; the last three are hidden, the last two say which chunk a row speaks of."""
_WIDTHS = (24, 8, 24, 90, 12, 40, 12, 12, 12)
_HIDDEN = ("stratum", "chunk_id", "text_hash")


def write_sheet(path: Path, drawn: Sequence[Drawn], titles: Mapping[str, str], say: Words) -> None:
    """Write the check list. `titles` are document titles by id.

    Raises:
        InputError: the file is there already (it may hold verdicts), or cannot be written.
    """
    from openpyxl import Workbook

    if path.exists():
        raise InputError("sample_exists", file=path)
    book = Workbook()
    sheet: Worksheet = book.active  # type: ignore[assignment]
    sheet.title = say("sample.sheet")
    _fill(sheet, (COLUMNS, *(_row(one, titles, say) for one in drawn)), say)
    _dress(sheet, len(drawn), say)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        book.save(path)
    except OSError as error:
        raise InputError("not_writable", where=path, detail=error.strerror or error) from error


def _row(one: Drawn, titles: Mapping[str, str], say: Words) -> tuple[str, ...]:
    chunk = one.chunk
    title = titles.get(chunk.doc_id, "")
    name = chunk.doc_id if title in ("", chunk.doc_id) else f"{title}\n{chunk.doc_id}"
    return (
        name,
        ", ".join(map(str, chunk.pages)),
        " > ".join(chunk.section),
        chunk.text,
        "",
        "",
        one.stratum,
        chunk.chunk_id,
        _hash(chunk),
    )


def _hash(chunk: Chunk) -> str:
    return digest(chunk.text, length=16)


def _fill(sheet: "Worksheet", rows: Iterable[Sequence[str]], say: Words) -> None:
    for number, row in enumerate(rows, 1):
        for column, value in enumerate(row, 1):
            cell: Any = sheet.cell(number, column)
            put(cell, _fitted(say(f"sample.column.{value}") if number == 1 else value, say))


def _fitted(text: str, say: Words) -> str:
    """The text as a cell can hold it: harmless, and where it is too long cut with a mark that says so."""
    text = inert(text)
    if units(text) <= MOST:
        return text
    mark = say("sample.cut", characters=len(text))
    return cut(text, MOST - units(mark)) + mark


def _dress(sheet: "Worksheet", rows: int, say: Words) -> None:
    """Widths, wrapped text, a fixed head, hidden columns, and the drop-down of verdicts."""
    from openpyxl.styles import Alignment, Font, PatternFill
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.datavalidation import DataValidation

    for number, (name, width) in enumerate(zip(COLUMNS, _WIDTHS, strict=True), 1):
        column = sheet.column_dimensions[get_column_letter(number)]
        column.width, column.hidden = width, name in _HIDDEN
        head = sheet.cell(1, number)
        head.font, head.fill = Font(bold=True), PatternFill("solid", fgColor="E8EDF3")
    for line in sheet.iter_rows(min_row=2, max_row=rows + 1):
        for cell in line:
            cell.alignment = Alignment(wrap_text=True, vertical="top")
    sheet.freeze_panes = "A2"
    sheet.auto_filter.ref = f"A1:F{rows + 1}"
    choices = ",".join(say(f"sample.verdict.{verdict}") for verdict in Verdict)
    wanted = DataValidation(type="list", formula1=f'"{choices}"', allow_blank=True, showErrorMessage=True)
    wanted.errorTitle, wanted.error = say("sample.column.verdict"), say("sample.choose", choices=choices)
    sheet.add_data_validation(wanted)
    wanted.add(f"E2:E{rows + 1}")


def read_sheet(path: Path, chunks: Mapping[str, Chunk]) -> SampleReport:
    """Count the verdicts of a check list; rows whose chunk is gone or changed do not count.

    Raises:
        InputError: no such file, no check list, or a verdict that is none; the line names the row.
    """
    rows = [_checked(path, number, values, chunks) for number, values in _rows(path)]
    valid = [row for row in rows if not row.stale]
    counts = {verdict.value: sum(row.verdict is verdict for row in valid) for verdict in Verdict}
    judged = sum(counts.values())
    good = counts[Verdict.OK.value]
    interval = wilson(good, judged)
    return SampleReport(
        rows=len(rows),
        open=sum(row.verdict is None for row in valid),
        verdicts=counts,
        ok_percent=good * 100 / judged if judged else None,
        interval=interval and (round(interval[0], 1), round(interval[1], 1)),
        failures=tuple(row for row in valid if row.verdict not in (None, Verdict.OK)),
        stale=tuple(row for row in rows if row.stale),
    )


def _rows(path: Path) -> list[tuple[int, dict[str, str]]]:
    """The filled rows of the sheet by column; the head may be in any language."""
    from zipfile import BadZipFile

    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        book = load_workbook(path, read_only=True, data_only=True)
        lines = [[seen(value) for value in line] for line in book.worksheets[0].values]
        book.close()
    except FileNotFoundError as error:
        raise InputError("no_path", path=path) from error
    except (OSError, BadZipFile, InvalidFileException, KeyError, ValueError) as error:
        raise InputError("sample_unreadable", file=path, detail=error) from error
    known = {words(lang)(f"sample.column.{name}"): name for lang in LANGUAGES for name in COLUMNS}
    names = [known.get(head, "") for head in (lines[0] if lines else [])]
    if absent := [name for name in ("verdict", "chunk_id", "text_hash") if name not in names]:
        raise InputError("sample_no_column", file=path, column=absent[0])
    return [(number, dict(zip(names, line, strict=False))) for number, line in enumerate(lines[1:], 2) if any(line)]


def _checked(path: Path, number: int, values: Mapping[str, str], chunks: Mapping[str, Chunk]) -> Checked:
    chunk = chunks.get(values["chunk_id"])
    return Checked(
        row=number,
        chunk_id=values["chunk_id"],
        doc_id=values["chunk_id"].rsplit("#", 1)[0],
        stratum=values.get("stratum", ""),
        verdict=_verdict(path, number, values["verdict"]),
        note=values.get("note", "").strip(),
        stale=chunk is None or _hash(chunk) != values["text_hash"],
    )


def _verdict(path: Path, number: int, given: str) -> Verdict | None:
    """The verdict in any of the languages, or by its name."""
    known = {words(lang)(f"sample.verdict.{verdict}").casefold(): verdict for lang in LANGUAGES for verdict in Verdict}
    known |= {verdict.value: verdict for verdict in Verdict}
    text = given.strip().casefold()
    if text and text not in known:
        choices = ", ".join(verdict.value for verdict in Verdict)
        raise InputError("sample_verdict", file=path, row=number, text=given.strip(), choices=choices)
    return known.get(text)
