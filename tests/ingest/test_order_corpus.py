"""Real pages read in order: phrases in the order in which a reader of the printed page meets them."""

from functools import cache
from pathlib import Path

import pytest

from builder.ingest.boilerplate import mark_boilerplate
from builder.ingest.chunk import chunk_document
from builder.ingest.pdf.pages import read_pdf
from builder.model.document import Page, Problem
from builder.search import tokens
from builder.settings import ChunkSettings
from builder.text.quotes import find_quote
from tests.conftest import SHARED
from tests.folder import ROOT

CORPUS = SHARED / "corpus"
HANDBOOK = ROOT / "data" / "docs" / "employee-handbook.pdf"
needs_corpus = pytest.mark.skipif(not CORPUS.is_dir(), reason="the shared corpus is not beside the project")


@cache
def pages_of(path: Path) -> tuple[Page, ...]:
    pages = read_pdf(path.read_bytes(), "never")
    assert not isinstance(pages, Problem)
    return mark_boilerplate(pages)


@cache
def chunked(path: Path) -> str:
    """The chunks of a file, one after the other."""
    size = ChunkSettings(target=3000, maximum=6000)
    return " ".join(" ".join(chunk.text.split()) for chunk in chunk_document("d", "r", pages_of(path), size))


def text_of(path: Path, number: int) -> str:
    return " ".join(pages_of(path)[number - 1].text.split())


def assert_in_order(text: str, phrases: tuple[str, ...]) -> None:
    missing = [phrase for phrase in phrases if phrase not in text]
    assert missing == []
    places = [text.index(phrase) for phrase in phrases]
    assert places == sorted(places), sorted(zip(places, phrases, strict=True))


ORDERS = [
    (
        "en_two_column_paper_14p.pdf",
        1,
        (
            "Trace-based Just-in-Time",
            "Andreas Gal",
            "Abstract Dynamic languages",
            "1. Introduction",
            "web programming and is used for",
            "occur in subsequent loop iterations.",
            "Permission to make",
        ),
    ),
    ("en_two_column_paper_14p.pdf", 2, ("Hence, recording and", "Section 3 is", "1 for (var i = 2", "Figure 1. ")),
    (
        "en_two_column_paper_14p.pdf",
        13,
        (
            "Figure 12. ",
            "YETI, from",
            "Researchers have shown how to generate native code",
            "9. Conclusions",
            "10. Future Work",
        ),
    ),
    (
        "en_multicolumn_2p.pdf",
        1,
        (
            "Dense Passage Retrieval",
            "Abstract Open-domain",
            "1 Introduction",
            "improving retrieval. Retrieval in open-domain",
            "results on multiple open-domain",
            "Equal contribution",
            "arXiv:",
        ),
    ),
    (
        "en_multicolumn_2p.pdf",
        2,
        ("QA datasets, it", "2 Background", "we assume the extractive QA", "3.1 Overview", "Exceptions include"),
    ),
    (
        "en_latex_multicolumn.pdf",
        1,
        (
            "Two-Column Document",
            "Your Name",
            "Abstract",
            "Donec nonummy pellentesque ante",
            "Quisque ullamcorper",
            "Nam feugiat 1",
        ),
    ),
    (
        "en_federal_register_3col.pdf",
        1,
        (
            "47698",
            "Proposed Rules",
            "This section of the",
            "DEPARTMENT OF",
            "by any of the following methods: • Federal",
            "about this proposal. The most helpful comments reference a specific portion of the proposal, explain",
            "takeoff from Soekarno-",
            "VerDate",
        ),
    ),
    (
        "en_federal_register_3col.pdf",
        2,
        (
            "Hatta International",
            "airspeed disagree alert, and altitude disagree alert",
            "the operator, and the Ethiopian",
            "the FAA also proposes to",
            "Preliminary KNKT",
            "Stall warning indication",
            "Ethiopian Aircraft Accident",
        ),
    ),
    ("ja_vertical_text.pdf", 1, ("あいうえお", "日本語")),
    ("en_tagged_form.pdf", 1, ("PDF/UA form example", "Drop-down:")),
]


@needs_corpus
@pytest.mark.parametrize(("name", "number", "phrases"), ORDERS, ids=[f"{name} {number}" for name, number, _ in ORDERS])
def test_pages_in_order(name: str, number: int, phrases: tuple[str, ...]) -> None:
    assert_in_order(text_of(CORPUS / name, number), phrases)


def test_the_handbook_in_order() -> None:
    first, second = text_of(HANDBOOK, 1), text_of(HANDBOOK, 2)
    assert_in_order(
        first,
        (
            "Employee Handbook",
            "1. About this handbook",
            "1.1 Who",
            "2.3 Remote work",
            "2.5 Public holidays",
            "could not be taken because of",
        ),
    )
    assert_in_order(
        second,
        ("illness or at the request", "3.2 Sick leave", "4.1 Notice periods", "Garden leave", "4.2 Return of property"),
    )
    assert "could not be taken because of illness or at the request of the company" in chunked(HANDBOOK)


@needs_corpus
@pytest.mark.parametrize(
    ("name", "phrases"),
    [
        (
            "en_two_column_paper_14p.pdf",
            (
                "stop-the-world",
                "interpreter-to-trace",
                "IEEE-754",
                "TraceMonkey supports",
                "an alternative compilation",
            ),
        ),
        (
            "en_multicolumn_2p.pdf",
            ("simple dual-encoder", "strong Lucene-BM25", "d-dimensional", "without additional", "efficiently with"),
        ),
        ("en_latex_multicolumn.pdf", ("feugiat lacus vel est", "consectetuer adipiscing elit")),
        (
            "en_federal_register_3col.pdf",
            ("from Soekarno-Hatta", "AD 2018–23–51", "non-normal procedure", "existing FAA-approved"),
        ),
        ("en_619_pages.pdf", ("Knight-Commander", "one-on-one", "ever-changing")),
    ],
)
def test_words_over_lines_columns_and_pages(name: str, phrases: tuple[str, ...]) -> None:
    text = chunked(CORPUS / name)
    assert [phrase for phrase in phrases if phrase not in text] == []


@needs_corpus
def test_ligatures_are_letters() -> None:
    [page] = pages_of(CORPUS / "ligatures.pdf")
    assert page.text.startswith("abcdeffffiflffifflſtst") and "ﬁ" not in page.text
    assert "difficult" in chunked(CORPUS / "en_two_column_paper_14p.pdf")
    found = find_quote("find the office floor", "We ﬁnd the oﬃce ﬂoor.")
    assert found is not None and (found.start, found.end) == (3, 20)
    assert tokens("We ﬁnd the oﬃce ﬂoor.") == tokens("We find the office floor.")


@needs_corpus
def test_fake_bold_is_there_once() -> None:
    import pdfplumber

    path = CORPUS / "zh_duplicate_chars_fakebold.pdf"
    assert "项项" not in text_of(path, 1) and "项目描述" in text_of(path, 1)
    with pdfplumber.open(path) as document:
        for source, page in zip(document.pages, pages_of(path), strict=True):
            once = sorted(char["text"] for char in source.dedupe_chars().chars if char["text"].strip())
            assert sorted(char for char in page.text if not char.isspace()) == once
            source.close()


@needs_corpus
def test_arabic_is_complete_from_top_to_bottom() -> None:
    [page] = pages_of(CORPUS / "ar_right_to_left.pdf")
    tops = [line.box[1] for line in page.lines]
    assert tops == sorted(tops) and len(page.lines) == 16
    # One glyph for lam and alef; these words are in the headline and in the last line.
    assert "الإنتاجية" in page.text.split("\n")[0] and "الأداء" in page.text.split("\n")[-1]
    assert "اإل" not in page.text and "البرمجة" in page.text
