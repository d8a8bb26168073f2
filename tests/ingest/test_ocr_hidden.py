"""Hidden text layers: compared with the image on a sample of pages, given up where they differ."""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import pytest
from PIL.Image import Image
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from builder.ingest.ocr import tesseract
from builder.ingest.ocr.engine import choose_engine
from builder.ingest.ocr.hidden import agreement, judged, to_compare
from builder.ingest.ocr.pages import OcrJob, read_page
from builder.ingest.pdf.pages import read_pdf
from builder.model.document import Page, PageOrigin, Problem, Table, TableCell
from builder.settings import OcrSettings
from builder.store import open_store
from tests.folder import Folder
from tests.ingest import pdfs
from tests.ingest.doubles import scripted

LANGUAGES = "chi_sim+eng"
NOTICE = (
    "Notice on service during the spring holidays",
    "The hotline is open daily from nine to seventeen.",
    "Spare parts carry a warranty of six months.",
    "Water heaters and gas appliances are repaired first.",
    "Requests by mail are answered within three days.",
)
SHREDDED = ("Hotioe cm serwce", "tbe spnng 1 ,", "Tiie hotlme 1s opeu dajly fr0m n1ne", "Spere p@rts c;irry vv")


def hidden_pdf(pages: Sequence[tuple[Image, Sequence[str]]]) -> bytes:
    """Images with invisible text over them."""
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=A4)
    for image, lines in pages:
        canvas.drawImage(ImageReader(image), 0, 0, A4[0], A4[1])
        text = canvas.beginText(65, A4[1] - 90)
        text.setTextRenderMode(3)
        text.setFont("Helvetica", 13)
        text.setLeading(25)
        text.textLines("\n".join(lines))
        canvas.drawText(text)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def layer(number: int, text: str = "the layer of this page", **more: object) -> Page:
    return Page(number=number, origin=PageOrigin.HIDDEN, text=text, extractable=len(text.replace(" ", ""))).replace(
        **more
    )


def read(number: int, text: str, confidence: int = 95) -> Page:
    return Page(
        number=number, origin=PageOrigin.OCR, text=text, confidence=confidence, replaced_by_ocr=3, extractable=3
    )


OCR = OcrSettings()
SAME, OTHER = "The layer of  this page", "what really stands there"


def test_a_sample_is_spread_and_taken_once() -> None:
    pages = [layer(number) for number in range(1, 11)]
    assert [page.number for page in to_compare(pages, OCR)] == [1, 5, 10]
    assert [page.number for page in to_compare(pages[:2], OCR)] == [1, 2]
    assert [page.number for page in to_compare(pages, OcrSettings(hidden_sample=1))] == [1]
    assert to_compare(pages, OcrSettings(hidden_sample=0)) == () == to_compare([], OCR)
    assert to_compare([*pages[:3], layer(4, agreement=97)], OCR) == ()


def test_agreement() -> None:
    assert agreement("保修期 24 个月\nＧＴＥ", "保修期24个月GTE") == 100
    assert agreement("left column right column", "right column left column") >= 90
    assert agreement("保修期二十四个月", "") == 0 and agreement("", "") == 100
    assert 40 < agreement("Tiie hotlme 1s opeu dajly", "The hotline is open daily") < 75


def test_a_layer_that_agrees_stays() -> None:
    pages = [layer(number) for number in (1, 2, 3)]
    assert judged(pages, [read(1, SAME), read(3, SAME)], OCR) == (layer(1, agreement=100), layer(3, agreement=100))


def test_a_layer_that_differs_goes_with_all_that_was_made_of_it() -> None:
    table = Table(rows=((TableCell(start=0, end=3),),))
    pages = [layer(number, boilerplate=((0, 3),), discarded=2, tables=(table,)) for number in (1, 2, 3)]
    new = {page.number: page for page in judged(pages, [read(1, OTHER), read(3, SAME)], OCR)}
    assert (new[1].origin, new[1].text) == (PageOrigin.OCR, OTHER) and new[1].agreement is not None
    for number in (2, 3):
        page = new[number]
        assert page.origin is PageOrigin.WAITING and page.agreement is None
        assert (page.text, page.tables, page.boilerplate, page.discarded) == ("", (), (), 0)


def test_one_odd_page_of_three_is_replaced_alone() -> None:
    pages = [layer(number) for number in (1, 2, 3, 4)]
    new = judged(pages, [read(1, SAME), read(2, OTHER), read(4, SAME)], OCR)
    assert [(page.number, page.origin) for page in new] == [
        (1, PageOrigin.HIDDEN),
        (2, PageOrigin.OCR),
        (4, PageOrigin.HIDDEN),
    ]


@pytest.mark.parametrize(
    "unread", [read(1, OTHER, confidence=40), Page(number=1, origin=PageOrigin.FAILED, problem=Problem(code="timeout"))]
)
def test_ocr_that_is_unsure_proves_nothing(unread: Page) -> None:
    [page] = judged([layer(1)], [unread], OCR)
    assert (page.origin, page.text) == (PageOrigin.HIDDEN, layer(1).text)
    assert page.problem == Problem(code="hidden_unproven", page=1) and to_compare([page], OCR) == ()


def test_a_read_page_keeps_nothing_of_its_layer(tmp_path: Path) -> None:
    path = tmp_path / "hidden.pdf"
    path.write_bytes(hidden_pdf([(pdfs.text_image(NOTICE, pdfs.chinese_file()), NOTICE)]))
    pages = read_pdf(path.read_bytes(), "auto")
    assert not isinstance(pages, Problem) and pages[0].origin is PageOrigin.HIDDEN
    marked = pages[0].replace(boilerplate=((0, 6),), tables=(Table(rows=((TableCell(start=0, end=3),),)),))
    page = read_page(OcrJob(path=path, doc_id="hidden", page=marked), scripted(("short",)), OCR)
    assert (page.text, page.boilerplate, page.tables) == ("short", (), ())
    assert page.extractable == page.replaced_by_ocr > 100


needs_tesseract = pytest.mark.skipif(not tesseract.available(LANGUAGES), reason="tesseract is not installed")


@needs_tesseract
def test_ingest_gives_a_poor_layer_up_and_keeps_a_good_one(folder: Folder) -> None:
    image = pdfs.text_image(NOTICE, pdfs.chinese_file())
    folder.write("docs/note.md", "# Note\n\nSome text.\n")
    (folder.path / "docs" / "good.pdf").write_bytes(hidden_pdf([(image, NOTICE)]))
    (folder.path / "docs" / "poor.pdf").write_bytes(hidden_pdf([(image, SHREDDED)] * 2))
    folder.done("ingest", "docs", "--ocr-engine", "tesseract")
    with open_store(f"sqlite:///{folder.path / 'data' / 'builder.db'}") as store:
        readings = {
            document.doc_id: store.documents.pages(document.reading_id or "") for document in store.documents.all()
        }
        chunks = {doc_id: [chunk.text for chunk in store.documents.chunks([doc_id])] for doc_id in readings}
    [good] = readings["good.pdf"]
    assert good.origin is PageOrigin.HIDDEN and good.agreement is not None and good.agreement >= 95
    assert [page.origin for page in readings["poor.pdf"]] == [PageOrigin.OCR] * 2
    for page in readings["poor.pdf"]:
        assert page.replaced_by_ocr == page.extractable > 0 and NOTICE[1] in page.text
    assert any(NOTICE[1] in text for text in chunks["good.pdf"])
    assert any(NOTICE[1] in text for text in chunks["poor.pdf"])
    assert not any("opeu" in text for text in chunks["poor.pdf"])


@needs_tesseract
@pytest.mark.skipif(not (pdfs.SHARED / "corpus").is_dir(), reason="the shared corpus is not beside the project")
@pytest.mark.parametrize(
    ("name", "least", "most"), [("en_scan_hidden_layer_poor.pdf", 60, 84), ("zh_scan_hidden_text_layer.pdf", 20, 60)]
)
def test_layers_of_the_corpus_are_poor(name: str, least: int, most: int) -> None:
    """Both: the Chinese one lacks a third of its characters, and what is there stands in pieces."""
    path = pdfs.SHARED / "corpus" / name
    pages = read_pdf(path.read_bytes(), "auto")
    assert not isinstance(pages, Problem) and pages[0].origin is PageOrigin.HIDDEN
    job = OcrJob(path=path, doc_id=name, page=pages[0])
    [page] = judged(pages, [read_page(job, choose_engine("tesseract", LANGUAGES), OCR)], OCR)
    assert page.origin is PageOrigin.OCR and page.agreement is not None and least <= page.agreement <= most
    assert page.replaced_by_ocr == page.extractable
