"""Columns and verdicts of the sheet, and their names in both languages."""

import re
from enum import StrEnum
from functools import cache

from builder.text.fold import folded
from builder.words import LANGUAGES, Words, words

LOCKED = ("question", "conversation", "comments", "system_answer")
"""What is only to be read, before the passages."""
FILLED = ("chosen", "answer", "facts", "verdict", "note")
"""What the expert fills."""
HIDDEN = ("id", "revision", "checksum", "passages", "reviewer")
"""What leads a row back to its case; these names are the same in all languages."""
NUMBER, REASON = "number", "reason"
NEEDED = (*FILLED, "id", "revision", "checksum", "passages")
"""Without these a table is no sheet."""
PASSAGES = 3
"""Columns of passages that every sheet has; more where a case has more evidence."""
_MOST_PASSAGES = 60
_PASSAGE = re.compile(r"passage_(\d+)")


class Verdict(StrEnum):
    """What an expert says of a case."""

    APPROVE = "approve"
    UNANSWERABLE = "unanswerable"
    """The documents do not hold the answer."""
    RIGHT = "right"
    """The complaint was wrong: the system answered rightly."""
    SPLIT = "split"
    """It depends: the case must become several."""
    LEAVE_OUT = "leave_out"


def passage_column(number: int) -> str:
    """The column of the passage with that number, from 1."""
    return f"passage_{number}"


def is_passage(column: str) -> bool:
    """The column holds a passage."""
    return _PASSAGE.fullmatch(column) is not None


def columns(passages: int) -> tuple[str, ...]:
    """All columns in order, for a sheet with so many passages a row."""
    shown = (passage_column(number) for number in range(1, passages + 1))
    return (NUMBER, *LOCKED, *shown, *FILLED, *HIDDEN)


def head(column: str, say: Words) -> str:
    """The name of a column as it stands in the first row."""
    if column in HIDDEN:
        return column
    found = _PASSAGE.fullmatch(column)
    return say("sheet.column.passage", number=found[1]) if found else say(f"sheet.column.{column}")


@cache
def heads() -> dict[str, tuple[str, str]]:
    """Column and language by the folded name of a column."""
    named = (*columns(_MOST_PASSAGES), REASON)
    return {folded(head(column, words(lang))): (column, lang) for lang in LANGUAGES for column in named}


@cache
def verdicts() -> dict[str, Verdict]:
    """Verdicts by their folded words in all languages, and by their own names."""
    known = {folded(verdict.value): verdict for verdict in Verdict}
    return known | {folded(words(lang)(f"sheet.verdict.{one}")): one for lang in LANGUAGES for one in Verdict}


@cache
def nones() -> frozenset[str]:
    """How one says that no passage fits, folded."""
    return frozenset({folded(words(lang)("sheet.none")) for lang in LANGUAGES} | {"none", "0", "无"})
