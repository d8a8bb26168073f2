"""Tables over pages: which are one, and whose names their rows have."""

import pytest

from builder.ingest.chunk.flow import PageTable
from builder.ingest.chunk.rows import table_rows
from builder.ingest.chunk.tables import goes_on, head_rows, is_continued, may_stand_between
from builder.model.document import Table, TableCell
from builder.text.passages import assemble

Rows = list[list[str]]
NAMES = ["Item", "2024", "2025"]


def part(page: int, rows: Rows, heads: int, columns: tuple[float | None, ...] = ()) -> PageTable:
    """A table that is all of its page; cells apart by tabs."""
    text, cells = "", []
    for row in rows:
        line = []
        for cell in row:
            line.append(TableCell(start=len(text), end=len(text) + len(cell)))
            text += cell + "\t"
        cells.append(tuple(line))
    return PageTable(page=page, text=text, table=Table(rows=tuple(cells), header_rows=heads), size=10, columns=columns)


def lines(*parts: PageTable) -> list[str]:
    texts = {one.page: one.text for one in parts}
    return [assemble(row, texts) for row in table_rows(parts)]


def test_a_repeated_head_is_used_where_it_stands_and_never_a_row() -> None:
    one, other = part(1, [NAMES, ["a", "1", "2"]], 1), part(2, [NAMES, ["b", "3", "4"]], 1)
    assert goes_on(one, other) and head_rows(one, other) == 1
    assert lines(one, other) == ["Item: a; 2024: 1; 2025: 2", "Item: b; 2024: 3; 2025: 4"]


def test_a_part_without_head_has_the_names_of_the_first() -> None:
    one, other = part(1, [NAMES, ["a", "1", "2"]], 1), part(2, [["b", "3", "4"]], 0)
    assert goes_on(one, other) and head_rows(one, other) == 0
    assert lines(one, other)[1] == "Item: b; 2024: 3; 2025: 4"


def test_a_row_of_words_at_the_head_of_a_page_is_no_head() -> None:
    """By its words alone the first row of the second page could name columns."""
    one = part(1, [["Code", "Meaning"], ["E01", "Low inlet"]], 1, (50.0, 120.0))
    other = part(2, [["E05", "Filter expired"], ["E06", "Leak"]], 1, (50.5, 119.0))
    assert goes_on(one, other)
    assert lines(one, other) == [
        "Code: E01; Meaning: Low inlet",
        "Code: E05; Meaning: Filter expired",
        "Code: E06; Meaning: Leak",
    ]


def test_another_table_on_the_next_page_is_another_table() -> None:
    one = part(1, [["Code", "Meaning"], ["E01", "Low inlet"]], 1, (50.0, 120.0))
    other = part(2, [["Grade", "Notice"], ["G1", "30 days"]], 1, (50.0, 300.0))
    assert not goes_on(one, other)
    assert goes_on(one, other, told=True)
    assert not goes_on(one, part(3, [["Code", "Meaning"], ["E02", "x"]], 1, (50.0, 120.0)))
    assert not goes_on(one, part(2, [["Code", "Meaning", "Part"], ["E02", "x", "y"]], 1))


def test_a_head_of_numbers_shows_by_being_repeated() -> None:
    head = ["1", "2", "3"]
    one, other = part(1, [head, ["7", "8", "9"]], 0), part(2, [head, ["4", "5", "6"]], 0)
    assert head_rows(one, other) == 1
    assert lines(one, other) == ["1: 7; 2: 8; 3: 9", "1: 4; 2: 5; 3: 6"]


def test_a_head_with_one_other_name_is_its_own_head() -> None:
    one, other = (
        part(1, [["Country", "Rate", "Year"], ["a", "1", "2"]], 1),
        part(2, [["Region", "Rate", "Year"], ["b", "3", "4"]], 1),
    )
    assert lines(one, other) == ["Country: a; Rate: 1; Year: 2", "Region: b; Rate: 3; Year: 4"]


def test_empty_cells_make_no_heads_alike() -> None:
    one = part(1, [["Item", "", ""], ["a", "1", "2"]], 1)
    assert head_rows(one, part(2, [["Other", "", ""], ["b", "3", "4"]], 1)) == 0


@pytest.mark.parametrize(
    "text", ["续表 2", "表 3（续）", "表3 续", "Table 3—Continued", "Table A-1. Rates (cont'd)", "Table 4 (continued)"]
)
def test_captions_that_say_a_table_goes_on(text: str) -> None:
    assert is_continued(text) and may_stand_between(text)


@pytest.mark.parametrize(
    "text", ["手续费见下表", "Work continued until the end of the year.", "See note 4.", "后续工作"]
)
def test_other_lines_end_a_table(text: str) -> None:
    assert not may_stand_between(text)


def test_lines_that_point_to_the_next_page() -> None:
    assert may_stand_between("See notes at end of table.") and may_stand_between("（接下页）")
    assert not is_continued("See notes at end of table.")
