"""Rows of a list of questions and answers: each is a passage of its own."""

from collections.abc import Iterator, Sequence

from builder.ingest.chunk.flow import PageTable
from builder.model.document import TableCell
from builder.model.parts import Glue, Part, Parts, Span
from builder.text.language import language_of

_SIGNS = {"zh": ("问：", "\n答：", "\n", "："), "en": ("Q: ", "\nA: ", "\n", ": ")}


def is_faq(item: PageTable) -> bool:
    """The table's columns are questions and answers."""
    return item.table.faq is not None


def faq_rows(tables: Sequence[PageTable]) -> list[Parts]:
    """One passage a row: question, answer, then other columns with their names. Empty rows are left out."""
    return [parts for item in tables for cells in _body(item) if (parts := tuple(_pair(item, cells)))]


def _body(item: PageTable) -> Sequence[Sequence[TableCell]]:
    return item.table.rows[item.table.header_rows :]


def _pair(item: PageTable, cells: Sequence[TableCell]) -> Iterator[Part]:
    columns = item.table.faq or (0, 1)
    asked = [cells[column] for column in columns]
    text = "".join(item.text[cell.start : cell.end] for cell in asked)
    before_question, before_answer, new_line, colon = _SIGNS[language_of(text)]
    names = item.table.rows[0]
    first = True
    for glue, cell in zip((before_question, before_answer), asked, strict=True):
        if cell.start < cell.end:
            yield Glue(glue=glue.lstrip("\n") if first else glue)
            yield _span(item, cell)
            first = False
    for column, cell in enumerate(cells):
        if column in columns or cell.start >= cell.end:
            continue
        if not first:
            yield Glue(glue=new_line)
        if names[column].start < names[column].end:
            yield _span(item, names[column])
            yield Glue(glue=colon)
        yield _span(item, cell)
        first = False


def _span(item: PageTable, cell: TableCell) -> Span:
    return Span(page=item.page, start=cell.start, end=cell.end)
