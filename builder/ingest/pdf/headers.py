"""How many rows at the head of a table name its columns."""

import re
from collections.abc import Sequence
from itertools import pairwise

_NUMBER = re.compile(r"[\d.,%￥¥$€()+\-—/\s]*\d[\d.,%￥¥$€()+\-—/\s]*")
_DATE = re.compile(r"(?:19|20)\d\d(?:[-/.]\d{1,2}){0,2}")
_MOST = 4
_BELOW = 5


def header_rows(texts: Sequence[Sequence[str]], merged: Sequence[bool]) -> int:
    """0 to 4, from the texts of the cells by row; `merged` says which rows have a cell over several columns.

    The first row names the columns unless it holds a number, leaves most columns unnamed, or is alone; a year or date
    is a name, unless the cells below are such too. The row below it does so as well where it has merged cells, and so
    on.
    """
    found = 0
    for number in range(min(_MOST, len(texts) - 1)):
        if not _names(texts, number):
            break
        found = number + 1
        if not merged[number]:
            break
    return found


def merged_rows(rows: Sequence[Sequence[object]]) -> list[bool]:
    """Which rows have a cell over several columns; such a cell stands in each of them and is the same object."""
    return [any(left is right for left, right in pairwise(row)) for row in rows]


def _names(texts: Sequence[Sequence[str]], number: int) -> bool:
    row = texts[number]
    filled = [(column, text) for column, text in enumerate(row) if text]
    return len(filled) * 2 > len(row) and not any(_is_value(texts, number, column, text) for column, text in filled)


def _is_value(texts: Sequence[Sequence[str]], number: int, column: int, text: str) -> bool:
    if not _DATE.fullmatch(text):
        return bool(_NUMBER.fullmatch(text))
    below = [row[column] for row in texts[number + 1 : number + 1 + _BELOW] if column < len(row) and row[column]]
    dates = sum(bool(_DATE.fullmatch(other)) and other != text for other in below)
    return dates * 2 > len(below)
