"""Pages with known text: character errors of each engine, each page read once by each."""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from builder.ingest.ocr import rapid, tesseract
from builder.ingest.ocr.engine import OcrEngine, choose_engine
from builder.ingest.ocr.pages import OcrJob, read_page
from builder.ingest.truth import errors
from builder.model.document import Page, PageOrigin
from builder.settings import OcrSettings
from tests.ingest.pdfs import SHARED

CORPUS = SHARED / "corpus"
TRUE = CORPUS / "ocr_gt"
LANGUAGES = "chi_sim+eng"
pytestmark = [
    pytest.mark.skipif(not TRUE.is_dir(), reason="the shared corpus is not beside the project"),
    pytest.mark.skipif(not tesseract.available(LANGUAGES), reason="tesseract with chi_sim and eng is not installed"),
]
needs_rapid = pytest.mark.skipif(not rapid.available(), reason="rapidocr is not installed")
_WIDE = "[\u3400-\u9fff\uf900-\ufaff，。、；：？！（）《》“”]"
GAP = re.compile(f"(?<={_WIDE})[ \u3000]+(?={_WIDE})")


def read(engine: OcrEngine, path: Path, number: int = 1, dpi: int = 200) -> Page:
    job = OcrJob(path=path, doc_id=path.stem, page=Page(number=number, origin=PageOrigin.WAITING))
    return read_page(job, engine, OcrSettings(dpi=dpi))


def read_all(engine: OcrEngine, names: Iterable[str]) -> dict[str, Page]:
    return {path.stem: read(engine, path) for name in names for path in sorted(TRUE.glob(f"{name}*.pdf"))}


def rates(pages: dict[str, Page], kind: str) -> dict[str, float]:
    """Character error rate of each page of a kind."""
    found = {}
    for name, page in pages.items():
        if name.startswith(kind):
            wrong, length = errors(page.text, (TRUE / f"{name}.txt").read_text(encoding="utf-8"))
            found[name] = wrong / length
    assert found
    return found


@pytest.fixture(scope="module")
def by_tesseract() -> dict[str, Page]:
    """All pages."""
    return read_all(choose_engine("tesseract", LANGUAGES), ("en", "mix", "zh"))


@pytest.fixture(scope="module")
def by_rapid() -> dict[str, Page]:
    """All Chinese and mixed pages, and the English one of which its classifier turns a line over."""
    return read_all(choose_engine("rapidocr", LANGUAGES), ("en_serif_a200", "mix", "zh"))


@pytest.mark.parametrize(("kind", "most"), [("en", 0.002), ("zh", 0.01), ("mix", 0.02)])
def test_tesseract(by_tesseract: dict[str, Page], kind: str, most: float) -> None:
    found = rates(by_tesseract, kind)
    assert max(found.values()) <= most, found
    codes = {page.read_by.rsplit(" ", 1)[-1] for name, page in by_tesseract.items() if name.startswith(kind)}
    assert codes == {"eng" if kind == "en" else "chi_sim"}


@needs_rapid
@pytest.mark.parametrize("kind", ["en", "zh", "mix"])
def test_rapidocr(by_rapid: dict[str, Page], kind: str) -> None:
    """English too: no line is turned over by a classifier that is wrong about it."""
    found = rates(by_rapid, kind)
    assert max(found.values()) <= 0.005, found


def test_no_blanks_between_chinese_characters(by_tesseract: dict[str, Page]) -> None:
    assert {name: GAP.findall(page.text) for name, page in by_tesseract.items() if GAP.search(page.text)} == {}


@needs_rapid
def test_no_blanks_between_chinese_characters_rapidocr(by_rapid: dict[str, Page]) -> None:
    assert {name: GAP.findall(page.text) for name, page in by_rapid.items() if GAP.search(page.text)} == {}


def test_good_pages_are_not_called_weak(by_tesseract: dict[str, Page]) -> None:
    assert {name: page.problem for name, page in by_tesseract.items() if page.problem} == {}
    for page in by_tesseract.values():
        assert page.confidence is not None and page.confidence_low is not None and page.weak_share is not None
        assert page.confidence_low <= page.confidence and page.weak_share < 10


@needs_rapid
def test_auto_takes_the_engine_for_the_page() -> None:
    engine = choose_engine("auto", LANGUAGES)
    taken = {
        name: read(engine, TRUE / f"{name}.pdf", dpi=120).read_by.split()[0]
        for name in ("en_serif_b150", "mix_sans_b150")
    }
    assert taken == {"en_serif_b150": "tesseract", "mix_sans_b150": "rapidocr"}


@needs_rapid
def test_auto_keeps_to_the_languages_that_were_asked_for() -> None:
    job = OcrJob(path=TRUE / "mix_sans_b150.pdf", doc_id="mix", page=Page(number=1, origin=PageOrigin.WAITING))
    page = read_page(job, choose_engine("auto", "eng"), OcrSettings(languages="eng", dpi=100))
    assert page.read_by.startswith("tesseract") and page.read_by.endswith(" eng")


def test_four_rotations_and_a_rotated_page_flag_are_read_upright() -> None:
    engine = choose_engine("tesseract", LANGUAGES)
    for number in (1, 2, 3, 4):
        page = read(engine, CORPUS / "en_scan_cardinal_4_rotations.pdf", number, dpi=100)
        assert page.text.startswith("The LinnSequencer\n32 Track MIDI Sequence Recorder"), number
        assert page.confidence is not None and page.confidence >= 80
        first = page.lines[0].box
        assert (first[3] - first[1] > first[2] - first[0]) == (number in (2, 4)), "the box stands as on the page"
    flagged = read(engine, CORPUS / "en_scan_rotated90_pageflag.pdf")
    assert flagged.text.startswith("Docling bundles PDF document conversion to\nJSON")
