"""Tables of the shared corpus: cells and rows against what is expected, and none where there is none."""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from builder.ingest.chunk import chunk_document
from builder.ingest.chunk.blocks import TableBlock, blocks
from builder.ingest.chunk.flow import flow
from builder.ingest.chunk.paragraphs import paragraphs
from builder.ingest.read import read_file
from builder.model.chunk import Chunk, ChunkKind
from builder.model.document import Page
from builder.settings import ChunkSettings
from builder.text.passages import assemble
from tests.conftest import SHARED
from tests.folder import ROOT

CORPUS = SHARED / "corpus"
TABLES = CORPUS / "tables"
corpus = pytest.mark.skipif(not CORPUS.is_dir(), reason="the shared corpus is not beside the project")
Rows = list[list[str]]


@dataclass(frozen=True)
class Score:
    """How much of the expected tables was found."""

    cells: float
    """Share of the expected filled cells that are a cell of the table found on their pages, each once."""
    rows: float
    """Share of the expected rows whose cells all stand in one row found."""


@cache
def read(path: Path) -> tuple[Page, ...]:
    content = read_file(path, "application/pdf", "never")
    assert content.problem is None
    return content.pages


def bare(text: str) -> str:
    """Compared without white space and case, widths folded: the expected cells lack spaces here and there."""
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text)).casefold()


def found_rows(pages: tuple[Page, ...], numbers: list[int]) -> Rows:
    """The rows of all tables of some pages; a merged cell counts once, where it begins."""
    rows: Rows = []
    for page in pages:
        if page.number not in numbers:
            continue
        for table in page.tables:
            seen: set[tuple[int, int]] = set()
            for row in table.rows:
                new = [cell for cell in dict.fromkeys((c.start, c.end) for c in row) if cell not in seen]
                seen |= set(new)
                rows.append([bare(page.text[start:end]) for start, end in new])
    return rows


def score(expected: Rows, found: Rows) -> Score:
    wanted = [Counter(text for cell in row if (text := bare(cell))) for row in expected]
    have = [Counter(text for text in row if text) for row in found]
    cells, all_found = sum(wanted, Counter[str]()), sum(have, Counter[str]())
    rows = [row for row in wanted if row]
    return Score(
        cells=sum((cells & all_found).values()) / cells.total(),
        rows=sum(any(row <= other for other in have) for row in rows) / len(rows),
    )


def scored(name: str) -> Score:
    """The score over all expected tables of a file, each against the tables on its own pages."""
    expected = json.loads((TABLES / f"{name}.json").read_text(encoding="utf-8"))["tables"]
    pages = read(TABLES / f"{name}.pdf")
    scores = [(score(table["cells"], found_rows(pages, table["pages"])), table["cells"]) for table in expected]
    cells = [sum(bool(bare(cell)) for row in rows for cell in row) for _, rows in scores]
    lines = [sum(any(map(bare, row)) for row in rows) for _, rows in scores]
    return Score(
        cells=sum(one.cells * n for (one, _), n in zip(scores, cells, strict=True)) / sum(cells),
        rows=sum(one.rows * n for (one, _), n in zip(scores, lines, strict=True)) / sum(lines),
    )


@corpus
@pytest.mark.parametrize(
    ("name", "cells", "rows"),
    [
        ("t1_zh_ruled_0", 1.0, 1.0),
        ("t2_zh_two_pages_0", 1.0, 1.0),
        ("t3_en_merged_0", 1.0, 1.0),
        ("t6_zh_contract_clauses_0", 1.0, 1.0),
        ("icdar13_eu-005", 1.0, 1.0),
        ("icdar13_us-013", 1.0, 1.0),
        ("t4_zh_three_line_0", 0.95, 0.95),
        ("t5_en_zebra_0", 0.95, 0.95),
        ("icdar13_us-020", 0.90, 0.90),
        ("icdar13_eu-018", 0.70, 0.70),
    ],
)
def test_expected_cells_and_rows(
    name: str, cells: float, rows: float, record_property: Callable[[str, object], None]
) -> None:
    found = scored(name)
    record_property("score", f"{name}: cells {found.cells:.4f} rows {found.rows:.4f}")
    assert (found.cells >= cells, found.rows >= rows) == (True, True), found


@corpus
@pytest.mark.parametrize(("name", "rows"), [("t2_zh_two_pages_0", 51), ("t6_zh_contract_clauses_0", 30)])
def test_a_table_over_two_pages_is_one(name: str, rows: int) -> None:
    pages = read(TABLES / f"{name}.pdf")
    found = [block for block in blocks(paragraphs(flow(pages))) if isinstance(block, TableBlock)]
    assert [[part.page for part in block.tables] for block in found] == [[1, 2]]
    expected = json.loads((TABLES / f"{name}.json").read_text(encoding="utf-8"))["tables"][0]["cells"]
    lines = table_lines(pages)
    assert len(lines) == rows == len(expected) - 1
    for line, row in zip(lines, expected[1:], strict=True):
        for head, cell in zip(expected[0], row, strict=True):
            assert not cell or f"{bare(head)}:{bare(cell)}" in bare(line), (line, cell)


def table_chunks(pages: tuple[Page, ...]) -> list[Chunk]:
    chunks = chunk_document("d", "r", pages, ChunkSettings())
    texts = {page.number: page.text for page in pages}
    assert all(assemble(chunk.parts, texts) == chunk.text for chunk in chunks)
    return [chunk for chunk in chunks if chunk.kind is ChunkKind.TABLE]


def table_lines(pages: tuple[Page, ...]) -> list[str]:
    """The lines of table chunks that are rows: they name their columns."""
    lines = [line for chunk in table_chunks(pages) for line in chunk.text.split("\n")]
    return [line for line in lines if ("：" in line and "；" in line) or (": " in line and "; " in line)]


@corpus
def test_rows_of_every_kind_of_table_read_alone() -> None:
    assert table_lines(read(TABLES / "t4_zh_three_line_0.pdf"))[1] == (
        "指标：净利润；单位：万元；2022年：1,204.8；2023年：1,310.5；同比：8.8%"
    )
    assert table_lines(read(TABLES / "t5_en_zebra_0.pdf"))[0] == (
        "Plan: Free; Users: 3; Storage: 5 GB; Support: Community; Price / month: 0"
    )
    assert table_lines(read(TABLES / "t3_en_merged_0.pdf"))[1] == (
        "Region: North; Product: Sensor; Revenue (kUSD) Q1: 88; Revenue (kUSD) Q2: 92; Revenue (kUSD) Q3: 97"
    )
    [line] = [line for line in table_lines(read(TABLES / "icdar13_eu-018.pdf")) if line.startswith("Country: Austria")]
    assert "2007 % Pos: 0.9; 2006 N: 93" in line
    [line] = [
        line for line in table_lines(read(TABLES / "icdar13_us-020.pdf")) if "Hong Kong-CHN" in line and "%" not in line
    ][:1]
    assert line.startswith(
        "Education system: Hong Kong-CHN; Percentage of international desired population coverage: 100"
    )


@corpus
def test_a_continued_table_is_one_though_its_head_differs_in_one_name() -> None:
    """Table A-1 stands on pages 2 and 3, A-2 on 4 and 5; their second parts say "Continued"."""
    found = [b for b in blocks(paragraphs(flow(read(TABLES / "icdar13_us-020.pdf")))) if isinstance(b, TableBlock)]
    assert [[part.page for part in block.tables] for block in found] == [[2, 3], [4, 5]]


# Which pages of which files have tables, by a look at the pages (of the 619 ones at a sample: contents, prose). All
# others must have none.
WITH_TABLES: dict[str, set[int]] = {
    "en_619_pages.pdf": set(),
    "en_two_column_paper_14p.pdf": {8, 12},
    "en_multicolumn_2p.pdf": set(),
    "en_latex_multicolumn.pdf": {3},
    "en_federal_register_3col.pdf": {5, 6},
    "en_owner_password_copy_protected.pdf": set(),
    "en_tagged_form.pdf": set(),
    "en_scan_hidden_layer_poor.pdf": set(),
    "zh_scan_hidden_text_layer.pdf": set(),
    "zh_scan_contract_1p.pdf": set(),
    "zh_poem_cid.pdf": set(),
    "zh_duplicate_chars_fakebold.pdf": set(),
    "zh_annual_report_excerpt_22p.pdf": set(range(3, 23)),
    "zh_byd_quarterly_report.pdf": set(range(2, 9)),
    "zh_gbt_standard_tables.pdf": {10},
    "ar_right_to_left.pdf": set(),
    "ja_vertical_text.pdf": set(),
    "ligatures.pdf": set(),
    "annotations.pdf": set(),
    "tables/icdar13_us-013.pdf": {2},
    "tables/icdar13_eu-005.pdf": {2},
    "tables/icdar13_us-020.pdf": {2, 3, 4, 5},
}
SAMPLES: dict[str, set[int]] = {
    "GTE-3000系列产品说明书.pdf": {1, 2, 3, 4},
    "employee-handbook.pdf": {1, 2},
    "pay-policy-2026.pdf": {1, 2},
    "售后政策-2024.pdf": {2},
    "售后政策-2026.pdf": {3, 4},
    "tenants/beichen/售后政策-2026.pdf": {1},
}


@corpus
@pytest.mark.parametrize("name", WITH_TABLES)
def test_tables_stand_where_they_are_seen_and_nowhere_else(name: str) -> None:
    assert {page.number for page in read(CORPUS / name) if page.tables} == WITH_TABLES[name]


@pytest.mark.parametrize("name", SAMPLES)
def test_the_samples_have_their_tables_and_no_others(name: str) -> None:
    assert {page.number for page in read(ROOT / "data" / "docs" / name) if page.tables} == SAMPLES[name]


def test_the_three_line_table_of_the_manual_is_a_table_chunk() -> None:
    [chunk, *_] = table_chunks(read(ROOT / "data" / "docs" / "GTE-3000系列产品说明书.pdf"))
    assert "项目 Item：额定功率 Rated power；GTE-3000：2100 W；GTE-3000Pro：3000 W" in chunk.text
    assert "表 1 技术参数" in chunk.text and chunk.pages == (1,)


@corpus
def test_borderless_and_open_tables_of_the_corpus() -> None:
    """Found by alignment, or between rules that leave sides open: their number of rows and columns, counted by eye."""
    sizes = {
        name: [(len(t.rows), len(t.rows[0]), t.header_rows) for page in read(CORPUS / name) for t in page.tables]
        for name in ("en_two_column_paper_14p.pdf", "en_latex_multicolumn.pdf", "en_table_over_2_pages.pdf")
    }
    assert sizes["en_two_column_paper_14p.pdf"] == [(6, 3, 1), (27, 10, 1)]
    assert sizes["en_latex_multicolumn.pdf"] == [(6, 5, 1)]
    assert sizes["en_table_over_2_pages.pdf"] == [(5, 3, 1), (5, 3, 1)]
    federal = [t for page in read(CORPUS / "en_federal_register_3col.pdf") for t in page.tables]
    assert [(len(t.rows), len(t.rows[0])) for t in federal] == [(4, 5), (3, 5)]
