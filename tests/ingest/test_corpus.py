"""Every file of the shared corpus: pages or a problem, no crash, no hang, and the accounting closes. Without OCR."""

import time

import pytest

from builder.ingest.chunk import chunk_document
from builder.ingest.counting import count
from builder.ingest.coverage import page_coverage
from builder.ingest.read import ReadJob, ReadResult, read_documents
from builder.ingest.walk import walk
from builder.model.document import PageOrigin
from builder.settings import ChunkSettings, IngestSettings, OcrSettings
from builder.text.passages import assemble
from tests.ingest.pdfs import SHARED
from tests.ingest.test_pdf_pages import offered

CORPUS = SHARED / "corpus"
pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason="the shared corpus is not beside the project")
PROBLEMS = {
    "aes256_r6_user_password.pdf": "password",
    "en_user_password_table.pdf": "password",
    "no_contents_stream.pdf": "no_text",
    "truncated_60pct.pdf": "truncated",
    "zero_bytes.pdf": "zero_bytes",
    "zero_pages.pdf": "zero_pages",
}
SCANS = ("cid_no_tounicode", "malformed", "zh_scan_book", "zh_scan_contract", "zh_scan_official", "en_scan_", "ocr_gt/")
COUNTED = ("en_two_column", "zh_annual", "zh_byd", "zh_gbt", "ar_right", "ja_vert", "garbled", "en_federal", "tables/")


@pytest.fixture(scope="module")
def corpus() -> dict[str, ReadResult]:
    """The whole corpus, read in one run."""
    started = time.monotonic()
    jobs = [ReadJob(path=file.path, doc_id=file.source_path, media_type=file.media_type) for file in walk(CORPUS).files]
    results = read_documents(jobs, IngestSettings(timeout=60), OcrSettings(mode="never"))
    found = {result.job.doc_id: result for result in results}
    assert len(found) == len(jobs)
    assert time.monotonic() - started < 60
    return found


def test_every_file_has_pages_or_a_problem(corpus: dict[str, ReadResult]) -> None:
    for name, result in corpus.items():
        assert result.problem or result.pages, name
    wrong = {name: corpus[name].problem for name, code in PROBLEMS.items() if _code(corpus[name]) != code}
    assert wrong == {}
    assert all(_code(corpus[name]) in (None, "needs_ocr", "truncated", *PROBLEMS.values()) for name in corpus)


def _code(result: ReadResult) -> str | None:
    return result.problem.code if result.problem else None


def test_scans_need_ocr_and_text_does_not(corpus: dict[str, ReadResult]) -> None:
    for name, result in corpus.items():
        if name.startswith(SCANS) and name.endswith(".pdf") and "hidden" not in name:
            assert _code(result) == "needs_ocr", name
    for name in (
        "en_619_pages.pdf",
        "zh_annual_report_excerpt_22p.pdf",
        "zh_byd_quarterly_report.pdf",
        "zh_poem_cid.pdf",
    ):
        assert {page.origin for page in corpus[name].pages} == {PageOrigin.TEXT}, name
    garbled = [page.origin for page in corpus["garbled_text_layer_23p.pdf"].pages]
    assert garbled.count(PageOrigin.FAILED) >= 21
    gbt = corpus["zh_gbt_standard_tables.pdf"].pages
    assert [page.number for page in gbt if page.origin is PageOrigin.FAILED] == [5, 6, 7, 8, 9]


def test_the_accounting_closes_and_nothing_is_lost(corpus: dict[str, ReadResult]) -> None:
    for name, result in corpus.items():
        chunks = chunk_document(name, "r", result.pages, ChunkSettings())
        texts = {page.number: page.text for page in result.pages}
        assert all(assemble(chunk.parts, texts) == chunk.text for chunk in chunks), name
        by_page = {number: [chunk for chunk in chunks if number in chunk.pages] for number in texts}
        for page in result.pages:
            coverage = page_coverage(page, by_page[page.number])
            assert coverage.closes, (name, coverage)
            assert coverage.lost == (page.extractable if page.origin is PageOrigin.FAILED else 0), (name, coverage)


def test_extractable_is_what_pdfium_offers(corpus: dict[str, ReadResult]) -> None:
    for name, result in corpus.items():
        if not (name.startswith(COUNTED) and result.pages and name.endswith(".pdf")):
            continue
        assert [page.extractable for page in result.pages] == offered(result.job.path.read_bytes(), result.pages), name
        for page in result.pages:
            if page.origin is not PageOrigin.FAILED:
                assert count(page.text) + page.discarded == page.extractable, (name, page.number)
