"""Tables that go on over pages: which are one, and which rows of them repeat the head."""

import re
from collections.abc import Sequence

from builder.ingest.chunk.flow import PageTable
from builder.model.document import TableCell

_SAME_PLACE = 10.0
_REPEATED = 3
_CONTINUED = re.compile(
    r"续\s*表|表\s*\d[\d.\-]*\s*[（(]?续|[（(]\s*续\s*[)）]|[—–\-(（,]\s*(?:continued|cont(?:[’']d|inued|\.))",
    re.IGNORECASE,
)
_POINTS_ON = re.compile(
    r"^(?:see notes? at end of table|（?接下页|（?转下页|（?续下页)|continued on (?:the )?next page", re.IGNORECASE
)
_LONGEST = 200


def goes_on(one: PageTable, other: PageTable, told: bool = False) -> bool:
    """True where `other` is `one`, continued on the next page; `told`: a line between says so.

    Both have as many columns. Where the head is repeated, or nearly, that is enough; else the columns must begin at
    the same places, where these are known.
    """
    if other.page != one.page + 1 or len(other.table.rows[0]) != len(one.table.rows[0]):
        return False
    return told or head_rows(one, other) > 0 or _same_places(one.columns, other.columns)


def is_continued(text: str) -> bool:
    """A caption that says a table goes on ("续表 2", "Table 3—Continued")."""
    return len(text) <= _LONGEST and bool(_CONTINUED.search(text))


def may_stand_between(text: str) -> bool:
    """A line that may stand between the parts of a table: it points to the next page, or names the table again."""
    return is_continued(text) or bool(_POINTS_ON.search(text))


def head_rows(first: PageTable, other: PageTable) -> int:
    """How many rows of `other` repeat the head of `first`, at least half of it; 0 where it has no such head.

    Where no row of `first` was taken for a head (it holds numbers), rows that are repeated word by word are one.
    """
    heads = first.table.header_rows
    if heads:
        one, two = _texts(first, heads), _texts(other, heads)
        pairs = [(a, b) for left, right in zip(one, two, strict=False) for a, b in zip(left, right, strict=True)]
        named = [(a, b) for a, b in pairs if a or b]
        alike = sum(a == b for a, b in named)
        return heads if len(two) == heads and alike * 2 >= len(named) > 0 and _words(two) else 0
    same = 0
    for row, same_row in zip(_texts(first, _REPEATED), _texts(other, _REPEATED), strict=False):
        if row != same_row or sum(map(bool, row)) < 2:
            break
        same += 1
    return same


def own_heads(tables: Sequence[PageTable]) -> int:
    """How many rows at the top of the first part name the columns."""
    heads = tables[0].table.header_rows
    return heads or max((head_rows(tables[0], other) for other in tables[1:]), default=0)


def _same_places(one: Sequence[float | None], other: Sequence[float | None]) -> bool:
    pairs = [(a, b) for a, b in zip(one, other, strict=False) if a is not None and b is not None]
    return all(abs(a - b) <= _SAME_PLACE for a, b in pairs)


def _texts(item: PageTable, rows: int) -> list[list[str]]:
    return [[_text(item, cell) for cell in row] for row in item.table.rows[:rows]]


def _text(item: PageTable, cell: TableCell) -> str:
    return "".join(item.text[cell.start : cell.end].split())


def _words(rows: Sequence[Sequence[str]]) -> bool:
    return any(any(map(str.isalpha, text)) for row in rows for text in row)
