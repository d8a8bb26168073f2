"""Foreign files through the whole house. What each is was written down from a look at its pages, not from output."""

from collections.abc import Iterator
from itertools import groupby

import pytest

from builder.app.coverage import DocumentCoverage, coverage
from builder.app.ingest import ingest
from builder.app.workspace import init
from builder.model.document import Document
from builder.progress import Silent
from builder.settings import Workspace
from builder.store import open_store
from builder.text.passages import assemble
from tests.conftest import SHARED

CORPUS = SHARED / "corpus"
pytestmark = [
    pytest.mark.timeout(900),
    pytest.mark.skipif(not CORPUS.is_dir(), reason="the shared corpus is not beside the project"),
]

OK: dict[str, str] = {
    "annotations.pdf": "text",
    "ar_right_to_left.pdf": "text",
    "cid_no_tounicode.pdf": "ocr",
    "cjk_noembed_identity.pdf": "text",
    "decompression_bomb.pdf": "text",
    "en_619_pages.pdf": "619 text",
    "en_federal_register_3col.pdf": "7 text, ocr, 7 text",  # page 8 is a picture of text below a digital header
    "en_latex_multicolumn.pdf": "3 text",
    "en_multicolumn_2p.pdf": "2 text",
    "en_owner_password_copy_protected.pdf": "2 text",
    "en_rotate90_listing.pdf": "text",
    "en_rotated_table.pdf": "text",
    "en_scan_cardinal_4_rotations.pdf": "4 ocr",
    "en_scan_hidden_layer_poor.pdf": "ocr",  # the hidden layer is not what the image says
    "en_scan_rotated90_pageflag.pdf": "ocr",
    "en_scan_skew.pdf": "ocr",
    "en_scan_table_merged_cells.pdf": "ocr",
    "en_scan_two_column.pdf": "ocr",
    "en_table_16p_repeated_header.pdf": "16 text",
    "en_table_borderless.pdf": "2 text",
    "en_table_col_spans.pdf": "text",
    "en_table_over_2_pages.pdf": "2 text",
    "en_table_row_spans.pdf": "text",
    "en_tagged_form.pdf": "text",
    "en_two_column_paper_14p.pdf": "14 text",
    "evil_recursive_xobjects.pdf": "text",
    "garbled_text_layer_23p.pdf": "text, 21 ocr, text",  # the cover and the last page are typeset by somebody else
    "invisible_text_only.pdf": "text",
    "it_income_statement.pdf": "2 text",
    "ja_vertical_text.pdf": "text, 2 blank",
    "ligatures.pdf": "text",
    "malformed_bbox_strings.pdf": "ocr",  # a scanned page with a few stray characters
    "mixed_text_scan_garbled_5p.pdf": "3 text, 2 ocr",
    "ocr_gt/en_serif_a200.pdf": "ocr",
    "ocr_gt/en_serif_b150.pdf": "ocr",
    "ocr_gt/mix_sans_a200.pdf": "ocr",
    "ocr_gt/mix_sans_b150.pdf": "ocr",
    "ocr_gt/zh_sans_b150.pdf": "ocr",
    "ocr_gt/zh_serif_a200.pdf": "ocr",
    "ocr_gt/zh_serif_b150.pdf": "ocr",
    "pages_tree_loop_fuzzed.pdf": "text",
    "tables/icdar13_eu-005.pdf": "2 text",
    "tables/icdar13_eu-018.pdf": "text",
    "tables/icdar13_us-013.pdf": "3 text",
    "tables/icdar13_us-020.pdf": "6 text",
    "tables/t1_zh_ruled_0.pdf": "text",
    "tables/t2_zh_two_pages_0.pdf": "2 text",
    "tables/t3_en_merged_0.pdf": "text",
    "tables/t4_zh_three_line_0.pdf": "text",
    "tables/t5_en_zebra_0.pdf": "text",
    "tables/t6_zh_contract_clauses_0.pdf": "2 text",
    "truetype_no_mapping.pdf": "ocr",  # five signs of punctuation stand for the word that is seen
    "zh_annual_report_excerpt_22p.pdf": "22 text",
    "zh_byd_quarterly_report.pdf": "9 text",
    "zh_duplicate_chars_fakebold.pdf": "2 text",
    "zh_gbt_standard_tables.pdf": "4 text, 5 ocr, 4 text",
    "zh_poem_cid.pdf": "6 text",
    "zh_report_tables_1p.pdf": "text",
    "zh_scan_book_3p.pdf": "3 ocr",
    "zh_scan_contract_1p.pdf": "ocr",
    "zh_scan_hidden_text_layer.pdf": "ocr",  # its layer is in pieces: half of what is seen, out of order
    "zh_scan_official_notice_seal_4p.pdf": "4 ocr",
}
FAILED = {
    "aes256_r6_user_password.pdf": "password",
    "en_user_password_table.pdf": "password",
    "no_contents_stream.pdf": "no_text",
    "not_a_pdf.pdf": "truncated",  # 44 bytes that begin like a PDF
    "truncated_60pct.pdf": "truncated",
    "zero_bytes.pdf": "zero_bytes",
    "zero_pages.pdf": "zero_pages",
}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """The whole corpus, read once, with OCR."""
    made, _ = init(tmp_path_factory.mktemp("corpus"))
    ingest(made, [CORPUS], Silent())
    yield made


@pytest.fixture(scope="module")
def documents(workspace: Workspace) -> dict[str, Document]:
    """What was read, the true texts beside the scans left out."""
    with open_store(workspace.store_url) as store:
        return {found.doc_id: found for found in store.documents.all() if found.source_path.endswith(".pdf")}


@pytest.fixture(scope="module")
def rows(workspace: Workspace) -> dict[str, DocumentCoverage]:
    """Where every character went."""
    return {row.doc_id: row for row in coverage(workspace)}


def test_every_file_is_spoken_of() -> None:
    files = {path.relative_to(CORPUS).as_posix() for path in CORPUS.rglob("*.pdf")}
    assert files == OK.keys() | FAILED.keys()


@pytest.mark.parametrize("name", sorted(OK))
def test_what_is_readable_is_read(name: str, documents: dict[str, Document], rows: dict[str, DocumentCoverage]) -> None:
    document = documents[name]
    assert document.status == "ok", document.problem
    origins = [page.origin.value for page in rows[name].pages]
    runs = [(origin, len(list(same))) for origin, same in groupby(origins)]
    assert ", ".join(f"{count} {origin}" if count > 1 else origin for origin, count in runs) == OK[name]


@pytest.mark.parametrize("name", sorted(FAILED))
def test_what_is_not_says_why(name: str, documents: dict[str, Document]) -> None:
    document = documents[name]
    assert document.status == "failed"
    assert document.problem is not None
    assert document.problem.code == FAILED[name]


def test_the_sum_closes_on_every_page(rows: dict[str, DocumentCoverage]) -> None:
    open_ = [(name, page.number) for name, row in rows.items() for page in row.pages if not page.closes]
    assert open_ == []
    assert sum(len(row.pages) for row in rows.values()) > 800


def test_nothing_is_lost(rows: dict[str, DocumentCoverage]) -> None:
    assert {name: row.lost for name, row in rows.items() if row.lost or row.ocr_lost} == {}


def test_every_chunk_leads_back_to_its_pages(workspace: Workspace, documents: dict[str, Document]) -> None:
    with open_store(workspace.store_url) as store:
        chunks = store.documents.chunks()
        texts = {
            document.reading_id: {page.number: page.text for page in store.documents.pages(document.reading_id or "")}
            for document in store.documents.all()
        }
    assert len(chunks) > 2000
    assert [chunk.chunk_id for chunk in chunks if assemble(chunk.parts, texts[chunk.reading_id]) != chunk.text] == []
