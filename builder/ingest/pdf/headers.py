"""How many rows at the head of a table name its columns."""

import re
from collections.abc import Sequence

_NUMBER = re.compile(r"[\d.,%￥¥$€()+\-—/\s]*\d[\d.,%￥¥$€()+\-—/\s]*")


def header_rows(texts: Sequence[Sequence[str]], first_merged: bool) -> int:
    """0 to 2, from the texts of the cells by row.

    The first row names the columns unless it holds a number, leaves most columns unnamed, or is alone. The second
    row does so too where the first has cells merged over columns and the second only words.
    """
    if len(texts) < 2 or not _names(texts[0]):
        return 0
    return 2 if first_merged and len(texts) > 2 and _names(texts[1]) else 1


def _names(row: Sequence[str]) -> bool:
    filled = [text for text in row if text]
    return len(filled) * 2 > len(row) and not any(_NUMBER.fullmatch(text) for text in filled)
