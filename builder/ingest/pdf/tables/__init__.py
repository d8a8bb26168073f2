"""Tables of a page: `page_rules` finds the rules, `page_tables` the tables between them and by alignment.

All coordinates are those of the page as shown, so that a rotated page is no special case.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from builder.ingest.pdf.characters import Characters
from builder.ingest.pdf.frame import Box
from builder.ingest.pdf.tables.aligned import Sheet, tables_alone, tables_between
from builder.ingest.pdf.tables.bands import bars
from builder.ingest.pdf.tables.found import FoundCell, FoundTable, flat, inside
from builder.ingest.pdf.tables.opened import is_closed, opened
from builder.ingest.pdf.tables.pieces import letter_boxes, text_lines
from builder.ingest.pdf.tables.ruled import ruled_tables
from builder.ingest.pdf.tables.rules import Rules, page_rules
from builder.ingest.pdf.tables.signs import (
    is_contents,
    may_be_below,
    may_be_between,
    may_be_borderless,
    text_levels,
)
from builder.ingest.pdf.tables.split import may_hold_rows, split_rows

__all__ = ["FoundCell", "FoundTable", "Rules", "page_rules", "page_tables"]


def page_tables(rules: Rules, characters: Characters, objects: Iterable[Box] | None = None) -> tuple[FoundTable, ...]:
    """The tables of a page, top to bottom: ruled ones, then those that only horizontal rules or alignment show.

    `objects` are the boxes of the page's text objects, where they are known already.
    """
    ruled = ruled_tables(rules, characters)
    if any(is_closed(table) or may_hold_rows(table, characters.text) for table in ruled):
        letters = letter_boxes(characters)
        ruled = [split_rows(opened(table, letters), characters.text, letters) for table in ruled]
    boxes = characters.rects(0, len(characters.text)) if objects is None else objects
    found = [*ruled, *_aligned_tables(rules, characters, boxes, ruled)]
    return tuple(sorted(found, key=lambda table: table.box[1]))


def _aligned_tables(
    rules: Rules, characters: Characters, objects: Iterable[Box], ruled: Sequence[FoundTable]
) -> list[FoundTable]:
    """The tables beside the ruled ones, if cheap signs say that there may be some."""
    if is_contents(characters):
        return []
    taken = [table.box for table in ruled]
    drawn = bars(rules, taken)
    levels = text_levels(objects, taken)
    between = [one for one in drawn if len(one.levels) > 1 and may_be_between(one, levels, characters)]
    alone = may_be_borderless(levels) or any(len(one.levels) == 1 and may_be_below(one, characters) for one in drawn)
    if not between and not alone:
        return []
    letters = _free(letter_boxes(characters), ruled)
    sheet = Sheet(text=characters.text, letters=letters, lines=text_lines(letters), rules=rules.horizontal)
    between.sort(key=lambda one: -len(one.levels))
    found = _apart(chain.from_iterable(tables_between(sheet, one) for one in between))
    if alone and found:
        letters = _free(letters, found)
        sheet = replace(sheet, letters=letters, lines=text_lines(letters))
    return _apart([*found, *(tables_alone(sheet) if alone else ())])


def _free(letters: Mapping[int, Box], tables: Sequence[FoundTable]) -> dict[int, Box]:
    """The letters that are in none of the tables and stand in none."""
    members = {index for table in tables for cell in flat(table.rows) for index in cell.members}
    boxes = [table.box for table in tables]
    return {
        index: box
        for index, box in letters.items()
        if index not in members and not inside((box[0] + box[2]) / 2, (box[1] + box[3]) / 2, boxes)
    }


def _apart(tables: Iterable[FoundTable]) -> list[FoundTable]:
    """The tables that neither overlap one before them nor hold a character of one."""
    found: list[FoundTable] = []
    used: set[int] = set()
    for table in tables:
        x0, y0, x1, y1 = table.box
        members = {index for cell in flat(table.rows) for index in cell.members}
        boxes = (other.box for other in found)
        if members & used or any(x0 < b[2] and x1 > b[0] and y0 < b[3] and y1 > b[1] for b in boxes):
            continue
        found.append(table)
        used |= members
    return found
