"""OCR: the rules around an engine with a scripted one, and the real engines on a rendered page."""

import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from PIL import Image
from rapidfuzz.distance import Levenshtein

from builder.errors import InputError
from builder.ingest.coverage import page_coverage
from builder.ingest.joining import join
from builder.ingest.ocr import rapid, tesseract
from builder.ingest.ocr.engine import OcrEngine, OcrLine, OcrPage, available_engines, choose_engine, install_line
from builder.ingest.ocr.order import reading_order
from builder.ingest.ocr.pages import MOST_PIXELS, OcrJob, read_page, read_pages_ocr, scale_for, waiting
from builder.ingest.ocr.turning import turned, turned_back
from builder.ingest.ocr.words import joined
from builder.ingest.pdf.pages import read_pdf
from builder.model.document import Page, PageOrigin, Problem
from builder.settings import IngestSettings, OcrSettings
from tests.ingest import pdfs
from tests.ingest.doubles import scripted

WHITE = Image.new("L", (1654, 2339), 255)
ROOT = Path(__file__).parents[2]


def jobs(tmp_path: Path, data: bytes) -> list[OcrJob]:
    path = tmp_path / "scan.pdf"
    path.write_bytes(data)
    pages = read_pdf(data, "auto")
    assert not isinstance(pages, Problem)
    return waiting(path, "scan", pages)


def ocr(tmp_path: Path, lines: tuple[str, ...], confidence: int = 90, header: str = "") -> Page:
    [job] = jobs(tmp_path, pdfs.scan_pdf(WHITE, header))
    [result] = read_pages_ocr([job], IngestSettings(workers=1), OcrSettings(), partial(scripted, lines, confidence))
    return result.page


def test_a_read_page(tmp_path: Path) -> None:
    page = ocr(tmp_path, ("放假通知", "two words"), header="digital header 1")
    assert (page.origin, page.text, page.confidence, page.weak_share) == (PageOrigin.OCR, "放假通知\ntwo words", 90, 0)
    assert page.extractable == page.replaced_by_ocr == len("digitalheader1") and page.problem is None
    first = page.lines[0]
    assert first.box == pytest.approx((36, 36, page.width - 36, 50.4), abs=0.5) and first.size == pytest.approx(14.4)
    assert page.text[page.lines[1].start : page.lines[1].end] == "two words"
    coverage = page_coverage(page, [])
    assert coverage.closes and coverage.ocr_lost == 12 and coverage.lost == 0


def test_weak_and_empty_pages_say_so(tmp_path: Path) -> None:
    weak = ocr(tmp_path, ("maybe",), confidence=41)
    assert (weak.origin, weak.confidence, weak.confidence_low, weak.weak_share) == (PageOrigin.OCR, 41, 41, 100)
    assert weak.problem == Problem(code="weak_ocr", page=1)
    empty = ocr(tmp_path, (), header="digital header 1")
    assert (empty.origin, empty.problem) == (PageOrigin.FAILED, Problem(code="ocr_empty", page=1))
    assert page_coverage(empty, []).lost == len("digitalheader1")


def test_the_bar_is_the_users(tmp_path: Path) -> None:
    [job] = jobs(tmp_path, pdfs.scan_pdf(WHITE))
    unsure = scripted(("one two three",), confidence=59)
    assert read_page(job, unsure, OcrSettings(weak_mean=0, weak_share=101)).problem is None
    assert read_page(job, unsure, OcrSettings(weak_mean=60, weak_share=101)).problem is not None
    assert read_page(job, unsure, OcrSettings(weak_mean=0, weak_share=100)).problem is not None


def test_mean_quantile_and_share() -> None:
    line = OcrLine(text="x", box=(0, 0, 1, 1), height=1, confidences=(10, *[95] * 38, 70))
    read = OcrPage(lines=(line,))
    assert (read.mean, read.low, read.weak_share) == (92, 70, 2)
    assert OcrPage(lines=(line,), weak=80).weak_share == 5
    assert (OcrPage(lines=()).mean, OcrPage(lines=()).low, OcrPage(lines=()).weak_share) == (0, 0, 0)


@pytest.mark.parametrize(
    "header", ["GTE-3000", "Confidential. Building services, GTE-3000, revision 4 of 2024-05-01, copy 17"]
)
def test_a_digital_header_over_a_scanned_body_is_a_scan(header: str) -> None:
    [page] = read_pdf(pdfs.scan_pdf(WHITE, header), "auto")
    assert isinstance(page, Page) and page.origin is PageOrigin.WAITING and page.text == ""
    assert page.extractable == len(header.replace(" ", ""))


def test_a_page_that_cannot_be_rendered_costs_itself(tmp_path: Path) -> None:
    [job] = jobs(tmp_path, pdfs.scan_pdf(WHITE))
    gone = job.replace(path=tmp_path / "gone.pdf")
    results = read_pages_ocr([gone, job], IngestSettings(workers=1), OcrSettings(), partial(scripted, ("text",)))
    pages = {result.job.path.name: result.page for result in results}
    assert pages["scan.pdf"].origin is PageOrigin.OCR and pages["gone.pdf"].origin is PageOrigin.FAILED
    assert pages["gone.pdf"].problem is not None and pages["gone.pdf"].problem.page == 1


def test_huge_pages_are_rendered_smaller(tmp_path: Path) -> None:
    assert scale_for(595, 842, 200) == pytest.approx(200 / 72)
    scale = scale_for(2_000_000, 2_000_000, 200)
    assert (2_000_000 * scale) ** 2 == pytest.approx(MOST_PIXELS)
    path = tmp_path / "huge.pdf"
    path.write_bytes(pdfs.huge_page_pdf())
    job = OcrJob(path=path, doc_id="huge", page=Page(number=1, origin=PageOrigin.WAITING))
    assert read_page(job, scripted(("small",)), OcrSettings()).text == "small"


def test_joining() -> None:
    pairs = [
        ("备", "件"),
        ("件", "，"),
        ("，", "two"),
        ("two", "words"),
        ("件", "two"),
        ("", "a"),
        ("“a”", "b"),
        ("”", "备"),
    ]
    assert [join(left, right) for left, right in pairs] == ["", "", "", " ", " ", "", " ", ""]


def test_words_of_a_line() -> None:
    assert joined(["保", "修", "期", ":", "24", "个", "月", ",", "two", "words", "."]) == "保修期: 24 个月, two words ."
    assert joined(["第一章", "(", "续", ")"]) == "第一章(续)" and joined([]) == ""


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_boxes_come_back_from_a_turned_image(degrees: int) -> None:
    image = Image.new("L", (300, 200), 255)
    image.paste(0, (20, 30, 60, 50))
    box = tuple(map(float, Image.eval(turned(image, degrees), lambda value: 255 - value).getbbox() or ()))
    assert len(box) == 4
    read = OcrPage(lines=(OcrLine(text="x", box=box, height=20, confidences=(90,)),))
    assert turned_back(read, degrees, image.size).lines[0].box == (20, 30, 60, 50)


def test_reading_order_of_columns_and_rows() -> None:
    title = (100.0, 10.0, 900.0, 40.0)
    left = [(100.0, 60.0 + 30 * n, 460.0, 80.0 + 30 * n) for n in range(6)]
    right = [(540.0, 62.0 + 30 * n, 900.0, 82.0 + 30 * n) for n in range(6)]
    foot = (300.0, 400.0, 700.0, 420.0)
    mixed = [box for pair in zip(right, left, strict=True) for box in pair]
    boxes = [foot, *mixed, title]
    assert [boxes[index] for index in reading_order(boxes)] == [title, *left, *right, foot]
    rows = [(300.0, 12.0, 400.0, 30.0), (100.0, 10.0, 200.0, 30.0), (100.0, 50.0, 200.0, 70.0)]
    assert reading_order(rows) == [1, 0, 2] and reading_order([]) == []


def test_available_engines() -> None:
    found = available_engines("chi_sim+eng")
    assert ("rapidocr" in found, "tesseract" in found) == (rapid.available(), tesseract.available("chi_sim+eng"))
    assert "tesseract" not in available_engines("tlh")
    if found:
        assert choose_engine("auto", "chi_sim+eng").name == (found[0] if len(found) == 1 else "auto")


def test_engines_that_are_missing_say_how_they_come() -> None:
    with pytest.raises(InputError) as caught:
        choose_engine("tesseract", "tlh+eng")
    assert caught.value.key == "ocr_missing"
    assert caught.value.values["install"] == "apt-get install tesseract-ocr tesseract-ocr-tlh tesseract-ocr-eng"
    assert install_line("tesseract", "chi_sim") == "apt-get install tesseract-ocr tesseract-ocr-chi-sim"
    assert install_line("rapidocr", "eng") == install_line("auto", "eng") == "pip install 'golden-builder[rapidocr]'"


NOTICE = (
    "关于春节期间售后服务安排的通知",
    "各服务网点、各位用户：",
    "放假期间人工服务时间调整为每日九时至十七时，",
    "备件保修 6 个月，有偿维修保修 3 个月。",
    "热水器漏水和燃气类产品故障优先处理。",
    "The warranty of GTE-3000 is 24 months.",
    "请用户耐心等待，感谢支持。",
)


def engine(name: str) -> OcrEngine:
    if name == "tesseract" and not tesseract.available("chi_sim+eng"):
        pytest.skip("tesseract with chi_sim and eng is not installed")
    if name == "rapidocr" and not rapid.available():
        pytest.skip("rapidocr is not installed")
    return choose_engine(name, "chi_sim+eng")


def errors(found: OcrPage) -> float:
    expected = "".join("".join(NOTICE).split())
    got = "".join("".join(line.text for line in found.lines).split())
    return Levenshtein.distance(expected, got) / len(expected)


@pytest.mark.parametrize("degrees", [0, 90, 180])
@pytest.mark.parametrize("name", ["tesseract", "rapidocr"])
def test_real_engines_read_a_page_whichever_way_round(name: str, degrees: int) -> None:
    image = turned(pdfs.text_image(NOTICE, pdfs.chinese_file(), (1400, 800)), degrees)
    reader = engine(name)
    found = reader.read(image, "chi_sim+eng")
    assert reader.name == name and reader.version
    assert errors(found) <= 0.03, [line.text for line in found.lines]
    assert found.mean >= 80
    first = found.lines[0]
    assert first.text.replace(" ", "") == NOTICE[0] and " " not in first.text
    place = Image.new("L", (1400, 800), 0)
    place.paste(255, (180, 220, 740, 260))
    assert first.box == pytest.approx(turned(place, degrees).getbbox(), abs=40)


def test_rapidocr_asks_no_network() -> None:
    engine("rapidocr")
    code = (
        "import sys\n"
        "def hook(event, args):\n"
        "    if event in ('socket.connect', 'socket.getaddrinfo'): raise SystemExit(f'network: {args}')\n"
        "sys.addaudithook(hook)\n"
        "from PIL import Image\n"
        "from builder.ingest.ocr.rapid import Rapid\n"
        "print(len(Rapid().read(Image.new('L', (300, 100), 255), 'eng').lines))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout.strip()) == (0, "0"), done.stderr


@pytest.mark.parametrize("name", ["tesseract", "rapidocr"])
def test_real_engines_in_a_worker(tmp_path: Path, name: str) -> None:
    engine(name)
    [job] = jobs(tmp_path, pdfs.scan_pdf(pdfs.text_image(NOTICE, pdfs.chinese_file())))
    [result] = read_pages_ocr([job], IngestSettings(workers=1), OcrSettings(engine=name))
    assert result.page.origin is PageOrigin.OCR and NOTICE[0] in result.page.text
    assert result.page.lines[0].box[0] == pytest.approx(180 * 72 / 200, abs=3)
