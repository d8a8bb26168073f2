"""The page of a piece of evidence as a picture, through the whole of ingest."""

from pathlib import Path

import pytest
from PIL import Image

from builder.app.page_image import page_image
from builder.errors import InputError
from builder.model.case import Evidence
from builder.store import Store
from tests.folder import Folder
from tests.ingest.pdfs import prose_pdf

PAGES = (["The first page says nothing of it."], ["Hotel costs are refunded up to 600 yuan.", "Claims within 30 days."])


def evidence(store: Store, quote: str) -> Evidence:
    chunk = next(one for one in store.documents.chunks() if quote in one.text)
    page = next(one for one in store.documents.pages(chunk.reading_id) if quote in one.text)
    start = page.text.index(quote)
    parts = ({"page": page.number, "start": start, "end": start + len(quote)},)
    return Evidence(doc_id=chunk.doc_id, reading_id=chunk.reading_id, quote=quote, parts=parts)


@pytest.fixture
def pdf(folder: Folder) -> Folder:
    folder.write("docs/costs.pdf", prose_pdf(PAGES))
    folder.write("docs/terms.md", "# Terms\n\nReturns are free for seven days after delivery of the goods.\n")
    folder.done("ingest", "docs")
    return folder


def marked_rows(path: Path) -> set[int]:
    """Rows of points in which a box was drawn."""
    image = Image.open(path).convert("RGB")
    found = set()
    for row in range(image.height):
        colours = {image.getpixel((column, row)) for column in range(0, image.width, 3)}
        if any(isinstance(one, tuple) and one[2] < 200 < one[0] and one[1] > 180 for one in colours):
            found.add(round(row * 842 / image.height))
    return found


def test_a_box_is_drawn_around_the_lines_of_the_evidence(pdf: Folder) -> None:
    with pdf.store() as store:
        first = page_image(pdf.workspace, store, evidence(store, "Hotel costs are refunded"))
        second = page_image(pdf.workspace, store, evidence(store, "within 30 days"))
        again = page_image(pdf.workspace, store, evidence(store, "within 30 days"))
    assert first.is_relative_to(pdf.path / "data") and second == again != first
    upper, lower = marked_rows(first), marked_rows(second)
    assert upper and lower and min(upper) < min(lower) and max(upper) < max(lower)
    assert 8 <= max(upper) - min(upper) <= 26, "one line, not the page"


@pytest.mark.parametrize("what", ["changed", "removed", "retired", "no_pdf"])
def test_why_there_is_none(pdf: Folder, what: str) -> None:
    quote = "Returns are free" if what == "no_pdf" else "Hotel costs"
    file = pdf.path / "docs" / "costs.pdf"
    with pdf.store() as store:
        wanted = evidence(store, quote)
    if what == "changed":
        file.write_bytes(prose_pdf((PAGES[1], PAGES[0])))
    elif what != "no_pdf":
        file.unlink()
    if what == "retired":
        pdf.done("ingest")
    with pdf.store() as store, pytest.raises(InputError) as caught:
        page_image(pdf.workspace, store, wanted)
    assert caught.value.key == {"changed": "picture_changed", "no_pdf": "picture_no_pdf"}.get(what, "picture_gone")


def test_a_file_that_was_only_touched_has_its_picture(pdf: Folder) -> None:
    file = pdf.path / "docs" / "costs.pdf"
    file.write_bytes(file.read_bytes())
    with pdf.store() as store:
        assert page_image(pdf.workspace, store, evidence(store, "Hotel costs")).exists()
