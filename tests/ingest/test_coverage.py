"""Each character has gone somewhere, and is counted once."""

import pytest

from builder.ingest.chunk import chunk_document
from builder.ingest.coverage import Counts, document_coverage, page_coverage
from builder.ingest.plain import text_page
from builder.model.document import Page, PageOrigin
from builder.settings import ChunkSettings
from tests.make import document

TEXT = "第一条 退货\n自签收之日起七日内可以退货。\n第二条 保修\n整机保修二十四个月。\n"


def test_a_chunk_that_is_gone_makes_lost_rise() -> None:
    page = text_page(TEXT)
    chunks = chunk_document("d", "r", [page], ChunkSettings())
    whole, less = page_coverage(page, chunks), page_coverage(page, chunks[1:])
    assert (whole.lost, whole.kept) == (0, whole.extractable)
    assert less.lost == len("".join(chunks[0].text.split())) and less.closes
    assert less.kept + less.lost == whole.kept


def test_all_ways_of_a_text_page() -> None:
    page = text_page("header\nbody").replace(boilerplate=((0, 6),), discarded=3, extractable=15)
    chunks = chunk_document("d", "r", [page], ChunkSettings())
    got = page_coverage(page, chunks)
    assert (got.kept, got.boilerplate, got.discarded, got.lost, got.extractable) == (4, 6, 3, 2, 15)
    assert got.closes


def test_more_text_than_the_source_offers_does_not_close() -> None:
    page = text_page("body").replace(extractable=3)
    assert not page_coverage(page, chunk_document("d", "r", [page], ChunkSettings())).closes


def test_ocr_characters_are_counted_apart() -> None:
    page = text_page("read by ocr").replace(origin=PageOrigin.OCR, extractable=7, replaced_by_ocr=7, confidence=90)
    got = page_coverage(page, [])
    assert (got.extractable, got.replaced_by_ocr, got.kept, got.lost) == (7, 7, 0, 0)
    assert (got.ocr_extracted, got.ocr_kept, got.ocr_lost) == (9, 0, 9) and got.closes
    kept = page_coverage(page, chunk_document("d", "r", [page], ChunkSettings()))
    assert (kept.ocr_kept, kept.ocr_lost) == (9, 0)


@pytest.mark.parametrize("origin", [PageOrigin.WAITING, PageOrigin.FAILED])
def test_what_was_not_read_is_lost(origin: PageOrigin) -> None:
    got = page_coverage(Page(number=1, origin=origin, extractable=12), [])
    assert got.lost == 12 and got.closes


def test_sums_of_a_document() -> None:
    pages = [
        text_page(TEXT),
        Page(number=2, origin=PageOrigin.BLANK),
        Page(number=3, origin=PageOrigin.FAILED, extractable=5),
    ]
    chunks = chunk_document("d", "r", pages, ChunkSettings())
    got = document_coverage(document("d"), pages, chunks)
    assert got.origins == {"text": 1, "blank": 1, "failed": 1} and got.chunks == 2
    assert got.lost == 5 and got.extractable == pages[0].extractable + 5 and got.closes
    assert [row.number for row in got.pages] == [1, 2, 3]


def test_counts_that_do_not_add_up() -> None:
    assert not Counts(extractable=2, kept=1).closes
    assert not Counts(ocr_extracted=2, ocr_kept=1).closes
