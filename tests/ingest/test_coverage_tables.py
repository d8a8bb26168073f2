"""Table rows between page and chunk, against rows seen and rows written down."""

import json
from pathlib import Path

import pytest

from builder.errors import InputError
from builder.ingest.chunk import chunk_document
from builder.ingest.coverage.annotated import AnnotatedTable, annotated_rows, read_tables
from builder.ingest.coverage.characters import by_page
from builder.ingest.coverage.masks import PageMasks
from builder.ingest.coverage.tables import seen_rows
from builder.model.chunk import Chunk, ChunkKind
from builder.model.coverage import Place, TableRows
from builder.model.document import Page, PageOrigin, Table, TableCell
from builder.model.parts import Glue, Span
from builder.settings import ChunkSettings

HEAD = ("城市", "住宿标准", "餐补")
ROWS = [("一线城市", "650", "120"), ("二线城市", "500", "100"), ("其他", "350", "")]


def table_page(rows: list[tuple[str, ...]], number: int = 1, header_rows: int = 1) -> Page:
    """A page that is a table: cells apart by blanks, rows by line breaks."""
    text, cells = "", []
    for row in rows:
        line = []
        for cell in row:
            line.append(TableCell(start=len(text), end=len(text) + len(cell)))
            text += cell + " "
        cells.append(tuple(line))
        text += "\n"
    return Page(
        number=number,
        origin=PageOrigin.TEXT,
        text=text,
        tables=(Table(rows=tuple(cells), header_rows=header_rows),),
        extractable=len("".join(text.split())),
    )


def chunk_of(page: Page, *cells: TableCell, ordinal: int = 0) -> Chunk:
    """A chunk that holds these cells and nothing else."""
    parts: list[Span | Glue] = []
    for cell in cells:
        if cell.start < cell.end:
            parts += [Glue(glue=" | "), Span(page=page.number, start=cell.start, end=cell.end)]
    text = "".join(page.text[p.start : p.end] if isinstance(p, Span) else p.glue for p in parts[1:])
    return Chunk(
        chunk_id=f"d#{ordinal}",
        doc_id="d",
        reading_id="r",
        kind=ChunkKind.TABLE,
        text=text,
        parts=tuple(parts[1:]),
        pages=(page.number,),
        ordinal=ordinal,
    )


def seen(pages: list[Page], chunks: list[Chunk] | tuple[Chunk, ...]) -> TableRows:
    touching = by_page(pages, chunks)
    return seen_rows(pages, {page.number: PageMasks(page, touching[page.number]) for page in pages})


def test_rows_with_their_header_are_kept() -> None:
    page = table_page([HEAD, *ROWS])
    found = seen([page], chunk_document("d", "r", [page], ChunkSettings()))
    assert (found.rows, found.kept, found.headless, found.broken) == (3, 3, (), ())


def test_a_header_that_is_only_in_the_first_chunk_is_lost_to_the_others() -> None:
    page = table_page([HEAD, *ROWS])
    rows = page.tables[0].rows
    chunks = [chunk_of(page, *rows[0], *rows[1]), chunk_of(page, *rows[2], ordinal=1), chunk_of(page, rows[3][0])]
    found = seen([page], chunks)
    assert (found.rows, found.kept) == (3, 1)
    assert found.headless == (Place(page=1, table=1, row=3),)
    assert found.broken == (Place(page=1, table=1, row=4),)


def test_only_the_headers_above_filled_cells_are_needed() -> None:
    page = table_page([HEAD, ("其他", "350", "")])
    head, row = page.tables[0].rows
    assert seen([page], [chunk_of(page, head[0], row[0], head[1], row[1])]).kept == 1
    assert seen([page], [chunk_of(page, head[0], row[0], row[1])]).headless == (Place(page=1, table=1, row=2),)


def test_a_row_cut_in_two_is_broken() -> None:
    page = table_page([HEAD, ROWS[0]])
    head, row = page.tables[0].rows
    found = seen([page], [chunk_of(page, *head, row[0]), chunk_of(page, *head, *row[1:], ordinal=1)])
    assert (found.kept, found.broken) == (0, (Place(page=1, table=1, row=2),))


def test_a_title_over_all_columns_names_none() -> None:
    page = table_page([HEAD, *ROWS])
    title = TableCell(start=0, end=2)
    first = page.tables[0].model_copy(update={"rows": ((title,) * 3, *page.tables[0].rows[1:]), "header_rows": 1})
    page = page.replace(tables=(first,))
    assert seen([page], [chunk_of(page, *page.tables[0].rows[1])]).kept == 1


def test_a_table_that_goes_on_needs_the_header_of_the_page_before() -> None:
    one, two = table_page([HEAD, ROWS[0]]), table_page([ROWS[1]], number=2, header_rows=0)
    whole = seen([one, two], chunk_document("d", "r", [one, two], ChunkSettings()))
    assert (whole.rows, whole.kept) == (2, 2)
    alone = seen(
        [one, two],
        [
            chunk_of(one, *one.tables[0].rows[0], *one.tables[0].rows[1]),
            chunk_of(two, *two.tables[0].rows[0], ordinal=1),
        ],
    )
    assert alone.headless == (Place(page=2, table=1, row=1),)


def test_a_table_after_text_is_one_of_its_own() -> None:
    one = table_page([HEAD, ROWS[0]])
    one = one.replace(text=one.text + "另有一句话。", extractable=one.extractable + 6)
    two = table_page([ROWS[1]], number=2, header_rows=0)
    found = seen(
        [one, two],
        [
            chunk_of(one, *one.tables[0].rows[0], *one.tables[0].rows[1]),
            chunk_of(two, *two.tables[0].rows[0], ordinal=1),
        ],
    )
    assert (found.rows, found.kept) == (2, 2)


# Rows that the user wrote down


def test_annotated_rows_are_found_as_cells_or_in_one_piece() -> None:
    page = table_page([HEAD, *ROWS])
    chunks = chunk_document("d", "r", [page], ChunkSettings())
    table = AnnotatedTable(rows=(HEAD, *ROWS))
    assert annotated_rows([table], chunks).kept == 3
    plain = Chunk(
        chunk_id="d#1",
        doc_id="d",
        reading_id="r",
        text=page.text,
        parts=(Span(page=1, start=0, end=len(page.text)),),
        pages=(1,),
        ordinal=0,
    )
    assert annotated_rows([table], [plain]).kept == 3


def test_rows_that_were_never_seen_are_missed() -> None:
    page = table_page([HEAD, *ROWS])
    chunks = chunk_document("d", "r", [page], ChunkSettings())
    wanted = AnnotatedTable(rows=(HEAD, ROWS[0], ("三线城市", "300", "60"), ("一线城市", "500", "120")))
    found = annotated_rows([wanted], chunks)
    assert (found.base, found.rows, found.kept) == ("annotated", 3, 1)
    assert found.broken == (Place(table=1, row=3), Place(table=1, row=4)), "cells of two rows are no row"


def test_rows_under_a_header_of_two_rows_are_found_whatever_the_user_says_of_it() -> None:
    rows: list[tuple[str, ...]] = [
        ("城市", "2026", "2025"),
        ("城市", "住宿", "住宿"),
        ("一线城市", "650", "600"),
        ("其他", "350", "300"),
    ]
    page = table_page(rows, header_rows=2)
    chunks = chunk_document("d", "r", [page], ChunkSettings())
    assert annotated_rows([AnnotatedTable(rows=tuple(rows), header_rows=2)], chunks).kept == 2
    assert annotated_rows([AnnotatedTable(rows=(rows[0], *rows[2:]))], chunks).kept == 2


def test_a_cell_of_the_next_row_is_no_cell_of_this_one() -> None:
    page = table_page([("甲", "1"), ("乙", "2")], header_rows=0)
    chunks = chunk_document("d", "r", [page], ChunkSettings())
    found = annotated_rows([AnnotatedTable(rows=(("甲", "2"), ("乙", "2")), header_rows=0)], chunks)
    assert (found.kept, found.broken) == (1, (Place(table=1, row=1),))


def test_annotated_rows_without_their_header() -> None:
    page = table_page([HEAD, *ROWS])
    rows = page.tables[0].rows
    found = annotated_rows([AnnotatedTable(rows=(HEAD, ROWS[0]))], [chunk_of(page, *rows[1])])
    assert found.headless == (Place(table=1, row=2),)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "p.pdf.tables.json",
            json.dumps([[HEAD, *ROWS], {"header_rows": 0, "rows": [["a", "b"]]}], ensure_ascii=False),
        ),
        (
            "p.pdf.tables.json",
            json.dumps({"tables": [{"cells": [HEAD, *ROWS]}, {"rows": [["a", "b"]], "header_rows": 0}]}),
        ),
        ("p.pdf.tables.csv", "城市,住宿标准,餐补\n一线城市,650,120\n二线城市,500,100\n其他,350,\n\na,b\n"),
    ],
)
def test_tables_beside_a_document(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    tables = read_tables(tmp_path / "p.pdf")
    assert tables is not None
    assert tables[0].rows == (HEAD, *ROWS) and tables[0].header_rows == 1
    assert tables[1].rows == (("a", "b"),)


@pytest.mark.parametrize(
    "text", ["{", "3", "[3]", '[[["a", 1]]]', '[{"header_rows": 1}]', '[{"rows": [["a"]], "header_rows": -1}]']
)
def test_a_file_of_another_form_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "p.pdf.tables.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"p\.pdf\.tables\.json"):
        read_tables(tmp_path / "p.pdf")
    assert read_tables(tmp_path / "other.pdf") is None
