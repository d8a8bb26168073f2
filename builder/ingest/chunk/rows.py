"""Table rows that can be read alone: each value with the names of its columns, all of it spans but for the glue."""

from collections.abc import Iterator, Sequence
from itertools import chain, pairwise

from builder.ingest.chunk.flow import PageTable
from builder.ingest.chunk.tables import head_rows, own_heads
from builder.model.document import TableCell
from builder.model.parts import Glue, Part, Parts, Span
from builder.text.language import language_of

_BAR = Glue(glue=" | ")
_BLANK = Glue(glue=" ")
_SIGNS = {"zh": (Glue(glue="："), Glue(glue="；")), "en": (Glue(glue=": "), Glue(glue="; "))}
_SENTENCE_ENDS = "。！？；.!?;"


def table_rows(tables: Sequence[PageTable]) -> list[Parts]:
    """The rows of a table over one page or several, in order.

    A part that repeats the header of the first uses its own; one without uses that of the part before it.
    Cells that no row has taken up (a title over all columns, names of empty columns) stand before the first row.
    """
    names: list[list[Span]] = []
    rows: list[Parts] = []
    covered: set[Span] = set()
    for number, item in enumerate(tables):
        skip = head_rows(tables[0], item) if number else own_heads(tables)
        names = _names(item, skip) if skip or number == 0 else names
        made = [row for cells in item.table.rows[skip:] if (row := _row(item, cells, names))]
        covered |= {part for part in chain.from_iterable(made) if isinstance(part, Span)}
        rest = list(dict.fromkeys(span for cells in item.table.rows for cell in cells if (span := _span(item, cell))))
        left = [span for span in rest if span not in covered]
        rows += [_joined([[span] for span in left], _BAR)] * bool(left) + made
    return rows


def _names(item: PageTable, count: int) -> list[list[Span]]:
    """The header cells above each column; one that reaches over all columns names none."""
    heads = [row for row in item.table.rows[:count] if len(row) == 1 or any(a != b for a, b in pairwise(row))]
    columns = zip(*heads, strict=True) if heads else [()] * len(item.table.rows[0])
    return [list(dict.fromkeys(span for cell in column if (span := _span(item, cell)))) for column in columns]


def _row(item: PageTable, cells: Sequence[TableCell], names: Sequence[Sequence[Span]]) -> Parts:
    if not any(names):
        return _joined([[span] for _, span in _values(item, cells, names)], _BAR)
    colon, comma = _SIGNS[language_of(item.text)]
    parts: list[Part] = []
    for name, span in _values(item, cells, names):
        parts += [*_field(name, span, colon), _BLANK if item.text[span.end - 1] in _SENTENCE_ENDS else comma]
    return tuple(parts[:-1])


def _values(
    item: PageTable, cells: Sequence[TableCell], names: Sequence[Sequence[Span]]
) -> Iterator[tuple[Sequence[Span], Span]]:
    """Name and value of each filled cell; a cell merged over columns comes once, by its first column's name."""
    seen: set[Span] = set()
    for column, cell in enumerate(cells):
        span = _span(item, cell)
        if span is None or span in seen:
            continue
        seen.add(span)
        name = names[column] if column < len(names) else []
        yield ([] if span in name else name), span


def _field(name: Sequence[Span], value: Span, colon: Glue) -> list[Part]:
    return [*_joined([[span] for span in name], _BLANK), colon, value] if name else [value]


def _joined(fields: Sequence[Sequence[Part]], glue: Glue) -> Parts:
    return tuple(chain.from_iterable([glue, *one] if number else one for number, one in enumerate(fields)))


def _span(item: PageTable, cell: TableCell) -> Span | None:
    return Span(page=item.page, start=cell.start, end=cell.end) if cell.start < cell.end else None
