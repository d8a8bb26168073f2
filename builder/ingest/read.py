"""Files -> pages, in isolated workers; what goes wrong costs one file and is said."""

import hashlib
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field

from builder.model.document import DocumentStatus, Page, PageOrigin, Problem
from builder.model.record import Record

if TYPE_CHECKING:
    from builder.settings import IngestSettings, OcrSettings

EXTRACTOR = "builder-2"
"""Goes up when the canonical text of a file may come out differently."""


class ReadJob(Record):
    """A file to read."""

    path: Path
    """The file."""
    doc_id: str
    """The document."""
    media_type: str
    """As in walk.MEDIA_TYPES."""


class Content(Record):
    """What a file holds."""

    sha256: str
    """Hash of the bytes that were read."""
    pages: tuple[Page, ...] = ()
    """Its pages, from 1."""
    problem: Problem | None = None
    """Why nothing could be read."""
    front_matter: dict[str, Any] = Field(default_factory=dict)
    """Fields at the head of a Markdown file."""


class ReadResult(Record):
    """How one job went."""

    job: ReadJob
    """The job."""
    sha256: str = ""
    """Hash of the bytes that were read; empty where the worker died."""
    pages: tuple[Page, ...] = ()
    """The pages, running lines marked; some may wait for OCR."""
    problem: Problem | None = None
    """Why the document as a whole could not be read. Problems of single pages stand with them."""
    language: str = "en"
    """zh or en."""
    front_matter: dict[str, Any] = Field(default_factory=dict)
    """Fields at the head of a Markdown file; dates as text."""


def read_documents(jobs: Sequence[ReadJob], settings: "IngestSettings", ocr: "OcrSettings") -> Iterator[ReadResult]:
    """Read files; results come as they are ready."""
    from builder.ingest.pool import Limits, run_isolated

    limits = Limits(workers=settings.workers, memory_mib=settings.memory_mib, timeout=settings.timeout)
    for job, answer in run_isolated(partial(_read_json, ocr=ocr.mode), jobs, limits):
        yield ReadResult(job=job, problem=answer) if isinstance(answer, Problem) else _result(job, answer)


def document_status(pages: Sequence[Page]) -> tuple[DocumentStatus, Problem | None]:
    """How a document stands, from its pages: failed without any text, partial where pages failed.

    The problem is that of the first page that failed, or `no_text`. Pages that wait for OCR count as text to come.
    """
    failed = [page for page in pages if page.origin is PageOrigin.FAILED]
    problem = failed[0].problem if failed else None
    if not any(page.text.strip() or page.origin is PageOrigin.WAITING for page in pages):
        return DocumentStatus.FAILED, problem or Problem(code="no_text")
    return (DocumentStatus.PARTIAL, problem) if failed else (DocumentStatus.OK, None)


def language_of_pages(pages: Sequence[Page]) -> str:
    """Return zh or en, from the text of all pages."""
    from builder.text.language import language_of

    return language_of("\n".join(page.text for page in pages))


def read_file(path: Path, media_type: str, ocr: str) -> Content:
    """Read one file in this process; for callers that isolate it themselves.

    Raises:
        OSError: the file cannot be read.
    """
    from builder.ingest.boilerplate import mark_boilerplate

    data = path.read_bytes()
    sha256 = hashlib.sha256(data).hexdigest()
    fields, pages = _parse(data, media_type, ocr)
    if isinstance(pages, Problem):
        return Content(sha256=sha256, problem=pages)
    marked = mark_boilerplate(pages) if media_type == "application/pdf" else pages
    return Content(sha256=sha256, pages=marked, front_matter=fields)


def _parse(data: bytes, media_type: str, ocr: Any) -> tuple[dict[str, Any], tuple[Page, ...] | Problem]:
    if media_type == "application/pdf":
        from builder.ingest.pdf.pages import read_pdf

        return {}, read_pdf(data, ocr)
    if media_type == "text/markdown":
        from builder.ingest.markdown import read_markdown

        found = read_markdown(data)
        return ({}, found) if isinstance(found, Problem) else (found.fields, (found.page,))
    return {}, _parse_other(data, media_type)


def _parse_other(data: bytes, media_type: str) -> tuple[Page, ...] | Problem:
    if media_type == "text/plain":
        from builder.ingest.plain import read_plain

        return read_plain(data)
    if media_type == "text/html":
        from builder.ingest.html import read_html

        return read_html(data)
    if media_type == "text/csv":
        from builder.ingest.csv_faq import read_csv

        return read_csv(data)
    from builder.ingest.office import read_office

    return read_office(data, media_type)


def _read_json(job: ReadJob, ocr: str) -> bytes:
    """In the worker. JSON goes back: smaller than pickled records, and nothing in it can run."""
    try:
        return read_file(job.path, job.media_type, ocr).model_dump_json().encode()
    except OSError as error:
        problem = Problem(code="unreadable", detail=error.strerror or str(error))
        return Content(sha256="", problem=problem).model_dump_json().encode()


def _result(job: ReadJob, answer: bytes) -> ReadResult:
    content = Content.model_validate_json(answer)
    status, problem = document_status(content.pages)
    failed = content.problem or (problem if status is DocumentStatus.FAILED else None)
    return ReadResult(
        job=job,
        sha256=content.sha256,
        pages=content.pages,
        problem=failed,
        language=language_of_pages(content.pages),
        front_matter=content.front_matter,
    )
