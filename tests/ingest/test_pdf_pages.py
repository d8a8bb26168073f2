"""PDF pages: text, boxes, counts; and files that are broken or hostile."""

from collections.abc import Callable
from pathlib import Path

import pypdfium2 as pdfium
import pypdfium2.raw as raw
import pytest
from PIL import Image

from builder.ingest.counting import count
from builder.ingest.pdf.pages import read_pdf
from builder.ingest.read import ReadJob, ReadResult, document_status, read_documents
from builder.model.document import DocumentStatus, Page, PageOrigin, Problem
from builder.settings import IngestSettings, OcrSettings
from tests.ingest import pdfs


def read(data: bytes, ocr: str = "auto") -> tuple[Page, ...]:
    pages = read_pdf(data, ocr)  # type: ignore[arg-type]
    assert not isinstance(pages, Problem), pages
    return pages


def offered(data: bytes, pages: tuple[Page, ...]) -> list[int]:
    """The characters of each page, counted one by one from pdfium: no white space, none that it made itself.

    A hyphen at a line end, which pdfium takes out, counts where the page's text has it.
    """
    counts = []
    document = pdfium.PdfDocument(data)
    for source, page in zip(document, pages, strict=True):
        text = source.get_textpage()
        total = dashes = 0
        for index in range(text.count_chars()):
            char = chr(raw.FPDFText_GetUnicode(text.raw, index))
            own = raw.FPDFText_IsGenerated(text.raw, index) != 1 and raw.FPDFText_IsHyphen(text.raw, index) != 1
            total += own and not char.isspace()
            dashes += own and char == "-"
        counts.append(total + page.text.count("-") - dashes if page.text else total)
        text.close()
        source.close()
    document.close()
    return counts


def assert_nothing_is_lost(data: bytes, pages: tuple[Page, ...]) -> None:
    assert [page.extractable for page in pages] == offered(data, pages)
    for page in pages:
        assert count(page.text) + page.discarded == page.extractable
        assert sum(count(page.text[line.start : line.end]) for line in page.lines) == count(page.text)


def test_text_lines_and_boxes() -> None:
    data = pdfs.lines_pdf(
        [[(60, 100, "Spare parts: 6 months"), (60, 120, "Paid repair: 3 months")], [(60, 700, "end")]]
    )
    pages = read(data)
    assert [page.text for page in pages] == ["Spare parts: 6 months\nPaid repair: 3 months", "end"]
    assert pages[0].origin is PageOrigin.TEXT and (pages[0].width, pages[0].height) == (595.28, 841.89)
    first, second = pages[0].lines
    assert pages[0].text[second.start : second.end] == "Paid repair: 3 months"
    assert first.size == 11.0 and first.box[0] == pytest.approx(60, abs=2) and first.box[3] == pytest.approx(100, abs=4)
    assert_nothing_is_lost(data, pages)


def test_chinese_text() -> None:
    data = pdfs.prose_pdf([["备件保修 6 个月，自更换之日起计算。", "有偿维修保修３个月。"]], pdfs.chinese())
    pages = read(data)
    assert pages[0].text == "备件保修 6 个月，自更换之日起计算。\n有偿维修保修３个月。"
    assert_nothing_is_lost(data, pages)


@pytest.mark.parametrize(("turn", "corner"), [(0, (60, 100)), (90, (742, 60)), (180, (535, 742)), (270, (100, 535))])
def test_boxes_of_turned_pages_are_those_of_the_page_as_shown(turn: int, corner: tuple[float, float]) -> None:
    [page] = read(pdfs.turned_pdf(pdfs.lines_pdf([[(60, 100, "H")]], size=4), turn))
    left, top, right, bottom = page.lines[0].box
    assert (page.width > page.height) == (turn in (90, 270))
    assert ((left + right) / 2, (top + bottom) / 2) == pytest.approx(corner, abs=3)


def test_a_word_cut_by_a_line_end_is_one_word() -> None:
    data = pdfs.lines_pdf([[(60, 100, "The warranty is an alter-"), (60, 114, "native to the repair of the unit.")]])
    pages = read(data)
    assert pages[0].text == "The warranty is an alternative to the repair of the unit."
    assert len(pages[0].lines) == 2 and pages[0].lines[0].end == pages[0].lines[1].start
    assert_nothing_is_lost(data, pages)


def test_blank_pages_are_blank() -> None:
    pages = read(pdfs.lines_pdf([[(60, 100, "one")], []]), "always")
    assert [page.origin for page in pages] == [PageOrigin.WAITING, PageOrigin.BLANK]


@pytest.mark.parametrize(
    ("mode", "origin"), [("auto", PageOrigin.WAITING), ("always", PageOrigin.WAITING), ("never", PageOrigin.FAILED)]
)
@pytest.mark.parametrize("header", ["", "Digital header: a stamp of the archive, printed over each page of the scan"])
def test_a_scan_needs_ocr_also_under_a_digital_header(mode: str, origin: PageOrigin, header: str) -> None:
    [page] = read(pdfs.scan_pdf(Image.new("L", (600, 800), 200), header), mode)
    assert page.origin is origin and page.text == "" and page.extractable == count(header)
    assert page.problem == (Problem(code="needs_ocr", page=1) if mode == "never" else None)


def test_garbled_text_needs_ocr() -> None:
    buffer = pdfs.prose_pdf([["abc" * 20]])
    assert read(buffer)[0].origin is PageOrigin.TEXT
    private = pdfs.prose_pdf([["".join(map(chr, range(0xE000, 0xE020)))]], pdfs.chinese())
    assert read(private)[0].origin in (PageOrigin.WAITING, PageOrigin.BLANK)


HOSTILE: dict[str, tuple[Callable[[], bytes], str | None]] = {
    "zero_bytes": (lambda: b"", "zero_bytes"),
    "not_a_pdf": (lambda: b"<html>login</html>", "not_a_pdf"),
    "truncated": (lambda: pdfs.prose_pdf([["text"]])[:300], "truncated"),
    "zero_pages": (pdfs.zero_pages_pdf, "zero_pages"),
    "password": (pdfs.locked_pdf, "password"),
    "form_loop": (pdfs.form_loop_pdf, "no_text"),
    "blank": (lambda: pdfs.lines_pdf([[]]), "no_text"),
    "bomb": (lambda: pdfs.bomb_pdf(600), "crashed"),
    "huge_page": (pdfs.huge_page_pdf, None),
    "good": (lambda: pdfs.prose_pdf([["good text"]]), None),
}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> dict[str, ReadResult]:
    """All hostile files read in one run."""
    folder = tmp_path_factory.mktemp("hostile")
    jobs = []
    for name, (make, _) in HOSTILE.items():
        path = folder / f"{name}.pdf"
        path.write_bytes(make())
        jobs.append(ReadJob(path=path, doc_id=name, media_type="application/pdf"))
    jobs.append(ReadJob(path=folder / "missing.pdf", doc_id="missing", media_type="application/pdf"))
    settings = IngestSettings(workers=2, memory_mib=512, timeout=20)
    return {result.job.doc_id: result for result in read_documents(jobs, settings, OcrSettings())}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_cost_themselves_only(hostile: dict[str, ReadResult], name: str) -> None:
    problem = hostile[name].problem
    expected = HOSTILE[name][1]
    if name == "bomb":
        assert problem is not None and problem.code in ("crashed", "memory", "timeout")
    else:
        assert (problem.code if problem else None) == expected


def test_a_missing_file_is_unreadable(hostile: dict[str, ReadResult]) -> None:
    assert hostile["missing"].problem == Problem(code="unreadable", detail="No such file or directory")


def test_a_good_file_beside_hostile_ones(hostile: dict[str, ReadResult]) -> None:
    good = hostile["good"]
    assert good.pages[0].text == "good text" and len(good.sha256) == 64 and good.language == "en"


def test_the_reason_is_not_that_of_an_earlier_file() -> None:
    locked = read_pdf(pdfs.locked_pdf(), "auto")
    assert locked == Problem(code="password")
    assert read_pdf(pdfs.zero_pages_pdf(), "auto") == Problem(code="zero_pages")
    assert read_pdf(pdfs.prose_pdf([["text"]])[:300], "auto") == Problem(code="truncated")


def test_status_of_a_document() -> None:
    text = Page(number=1, origin=PageOrigin.TEXT, text="a")
    waits = Page(number=1, origin=PageOrigin.WAITING)
    failed = Page(number=2, origin=PageOrigin.FAILED, problem=Problem(code="needs_ocr", page=2))
    blank = Page(number=3, origin=PageOrigin.BLANK)
    assert document_status([text, blank]) == (DocumentStatus.OK, None)
    assert document_status([text, failed]) == (DocumentStatus.PARTIAL, failed.problem)
    assert document_status([failed, blank]) == (DocumentStatus.FAILED, failed.problem)
    assert document_status([blank]) == (DocumentStatus.FAILED, Problem(code="no_text"))
    assert document_status([waits, blank]) == (DocumentStatus.OK, None)


def test_a_path_with_odd_characters(tmp_path: Path) -> None:
    path = tmp_path / "政策 #1 [x].pdf"
    path.write_bytes(pdfs.prose_pdf([["text"]]))
    [result] = read_documents(
        [ReadJob(path=path, doc_id="d", media_type="application/pdf")], IngestSettings(), OcrSettings()
    )
    assert result.pages[0].text == "text"
