"""Killed while it reads, and while it does OCR: the same command goes on, and ends as if nothing had happened."""

import shutil
import signal
import sqlite3
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from tests.conftest import Wait
from tests.folder import Folder
from tests.ingest import pdfs

PAGES = 4


def ask(folder: Path, query: str) -> list[tuple[object, ...]]:
    """Rows of the store, while another process writes it; none while there is no store."""
    path = folder / "data" / "builder.db"
    if not path.is_file():
        return []
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=30)) as store:
        if not store.execute("SELECT 1 FROM sqlite_master WHERE name = 'chunks'").fetchone():
            return []
        return store.execute(query).fetchall()


def kill_when(folder: Folder, query: str, count: int, until: Wait, *arguments: str) -> None:
    """Start a command and kill it once `query` gives `count` rows."""
    process = folder.start(*arguments)
    try:
        until(lambda: len(ask(folder.path, query)) >= count or process.poll() is not None)
        assert process.poll() is None, "it ended before it could be killed"
        process.send_signal(signal.SIGKILL)
    finally:
        process.kill()
        process.communicate()


CHUNKS = "SELECT chunk_id, reading_id, ordinal, kind, text FROM chunks ORDER BY chunk_id"
DOCUMENTS = "SELECT doc_id, version, sha256, status, reading_id, chunked_with FROM documents ORDER BY doc_id"
PAGE_TEXTS = "SELECT reading_id, number, origin, text FROM pages ORDER BY reading_id, number"


def state(folder: Path) -> list[list[tuple[object, ...]]]:
    return [ask(folder, query) for query in (CHUNKS, DOCUMENTS, PAGE_TEXTS)]


def uninterrupted(folder: Folder, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> list[list[tuple[object, ...]]]:
    """The state after the same command on the same files elsewhere."""
    other = Folder(folder.path / "elsewhere", monkeypatch)
    shutil.copytree(folder.path / "docs", other.path / "docs")
    other.done(*arguments)
    found = state(other.path)
    shutil.rmtree(other.path)
    return found


def test_killed_while_it_reads(folder: Folder, until: Wait, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(80):
        body = "".join(f"第 {number} 份文档的第 {line} 条规定如下，自发布之日起施行。\n\n" for line in range(60))
        folder.write(f"docs/d{number}.md", f"# 文档 {number}\n\n{body}")
    command = ("ingest", "docs", "--workers", "1")
    expected = uninterrupted(folder, monkeypatch, *command)
    kill_when(folder, "SELECT 1 FROM documents WHERE reading_id IS NOT NULL", 5, until, *command)
    left = ask(folder.path, "SELECT 1 FROM documents")
    assert 5 <= len(left) < 80
    assert len(ask(folder.path, "SELECT DISTINCT doc_id FROM chunks")) >= 4, "chunked as soon as they are read"
    folder.done(*command)
    assert state(folder.path) == expected
    with folder.store() as store:
        assert not store.documents.cases_due()


def scan(pages: int) -> bytes:
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=A4)
    for page in range(1, pages + 1):
        lines = [
            f"Page {page} of the scanned handbook.",
            f"Clause {page}: hotel costs are refunded up to {page}00 yuan.",
        ]
        canvas.drawImage(ImageReader(pdfs.text_image(lines, pdfs.chinese_file())), 0, 0, A4[0], A4[1])
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="no tesseract: apt-get install tesseract-ocr")
def test_killed_while_it_does_ocr(folder: Folder, until: Wait, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.write("docs/scan.pdf", scan(PAGES))
    command = ("ingest", "docs", "--workers", "1", "--ocr-engine", "tesseract", "--ocr-lang", "eng")
    expected = uninterrupted(folder, monkeypatch, *command)
    assert any("Clause 4" in str(row[4]) for row in expected[0])
    kill_when(folder, "SELECT 1 FROM pages WHERE origin = 'ocr'", 1, until, *command)
    done = ask(folder.path, "SELECT number FROM pages WHERE origin = 'ocr'")
    assert 1 <= len(done) < PAGES
    with closing(sqlite3.connect(folder.path / "data" / "builder.db")) as store, store:
        store.execute("UPDATE pages SET body = json_set(body, '$.confidence', 1) WHERE origin = 'ocr'")
    folder.done(*command)
    assert state(folder.path) == expected
    kept = ask(folder.path, "SELECT number FROM pages WHERE json_extract(body, '$.confidence') = 1")
    assert kept == done, "pages that were done are not done again"
