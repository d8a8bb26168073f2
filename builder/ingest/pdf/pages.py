"""A PDF file as pages."""

from itertools import chain
from typing import TYPE_CHECKING, Literal

import pypdfium2 as pdfium

from builder.ingest.hyphens import settle_hyphens
from builder.ingest.pdf.characters import Characters, around, characters_of
from builder.ingest.pdf.frame import frame_of
from builder.ingest.pdf.needs_ocr import Verdict, judge
from builder.ingest.pdf.objects import PageObjects, objects_of
from builder.ingest.pdf.opening import open_pdf
from builder.ingest.pdf.order_cut import ordered_pieces
from builder.ingest.pdf.sheet import line_ranges, write_page
from builder.ingest.pdf.tables import page_rules, page_tables
from builder.model.document import Page, PageOrigin, Problem

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfPage

OcrMode = Literal["auto", "always", "never"]
_ORIGINS = {Verdict.TEXT: PageOrigin.TEXT, Verdict.HIDDEN: PageOrigin.HIDDEN, Verdict.BLANK: PageOrigin.BLANK}


def read_pdf(data: bytes, ocr: OcrMode) -> "tuple[Page, ...] | Problem":
    """The pages of a PDF, or why it cannot be read.

    A page that needs OCR (all that are not blank, with `always`) comes back waiting; with `never` failed.
    """
    document = open_pdf(data)
    if isinstance(document, Problem):
        return document
    try:
        return settle_hyphens([_page(document, index, ocr) for index in range(len(document))])
    finally:
        document.close()


def extractable(page: "PdfPage") -> int:
    """How many characters the text layer of a page offers."""
    text = page.get_textpage()
    try:
        return characters_of(text, frame_of(page)).extractable
    finally:
        text.close()


def _page(document: "PdfDocument", index: int, ocr: OcrMode) -> Page:
    try:
        page = document[index]
    except pdfium.PdfiumError as error:
        problem = Problem(code="unreadable", detail=str(error), page=index + 1)
        return Page(number=index + 1, origin=PageOrigin.FAILED, problem=problem)
    text = page.get_textpage()
    try:
        frame = frame_of(page)
        return _read(index + 1, characters_of(text, frame), objects_of(page, frame), ocr)
    finally:
        text.close()
        page.close()


def _read(number: int, characters: Characters, objects: PageObjects, ocr: OcrMode) -> Page:
    width, height = characters.frame.size
    extractable = characters.extractable
    ranges = line_ranges(characters.text)
    rects = [characters.rects(start, end) for start, end in ranges]
    verdict = judge(characters, objects, map(around, rects))
    page = Page(
        number=number,
        origin=PageOrigin.WAITING,
        width=round(width, 2),
        height=round(height, 2),
        extractable=extractable,
    )
    if verdict.needs_ocr or (ocr == "always" and verdict is not Verdict.BLANK):
        return page if ocr != "never" else _not_read(page)
    tables = page_tables(page_rules(objects, characters.frame), characters, chain.from_iterable(rects))
    sheet = write_page(characters, ordered_pieces(characters, ranges, rects, tables), tables)
    return page.replace(
        origin=_ORIGINS[verdict],
        extractable=extractable + sheet.hyphens,
        text=sheet.text,
        lines=tuple(sheet.lines),
        tables=tuple(sheet.tables),
        discarded=sheet.discarded,
    )


def _not_read(page: Page) -> Page:
    return page.replace(origin=PageOrigin.FAILED, problem=Problem(code="needs_ocr", page=page.number))
