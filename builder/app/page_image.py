"""The page of a piece of evidence as a picture, kept for a day below data/."""

import hashlib
import time
from collections.abc import Sequence
from pathlib import Path

from builder.errors import InputError
from builder.ingest.pdf.picture import Box, PictureJob, page_picture
from builder.ingest.walk import locate
from builder.model.case import Evidence
from builder.model.document import Document, Page, Problem
from builder.model.parts import Span, spans
from builder.settings import Workspace
from builder.store import Store
from builder.text.ids import digest

_PDF = "application/pdf"
_KEPT = 24 * 3600
"""Seconds after which a picture goes: it holds text of a document."""


def page_image(workspace: Workspace, store: Store, evidence: Evidence) -> Path:
    """A PNG of the first page of `evidence`, with a box around each of its lines.

    Raises:
        InputError: the document is no PDF, is gone, has changed, or its page cannot be drawn.
    """
    document = _document(store, evidence.doc_id)
    first = next(iter(spans(evidence.parts)), None)
    if first is None:
        raise InputError("picture_no_page", document=evidence.doc_id)
    target = _target(workspace, evidence, first.page)
    if not target.exists():
        path = _source(workspace, store, document, evidence)
        boxes = boxes_of(store.documents.pages(evidence.reading_id), first.page, evidence)
        drawn = page_picture(PictureJob(path=path, page=first.page, boxes=boxes), workspace.settings.ingest)
        if isinstance(drawn, Problem):
            detail = f"{drawn.code} {drawn.detail}".strip()
            raise InputError("picture_failed", document=evidence.doc_id, page=first.page, detail=detail)
        _kept(target, drawn)
    return target


def boxes_of(pages: Sequence[Page], number: int, evidence: Evidence) -> tuple[Box, ...]:
    """Boxes of the lines of page `number` that the evidence touches, in points."""
    page = next((one for one in pages if one.number == number), None)
    wanted = [span for span in spans(evidence.parts) if span.page == number]
    return tuple(line.box for line in (page.lines if page else ()) if _touched(line.start, line.end, wanted))


def _touched(start: int, end: int, wanted: Sequence[Span]) -> bool:
    return any(span.start < end and start < span.end for span in wanted)


def _document(store: Store, doc_id: str) -> Document:
    document = next((one for one in store.documents.all(retired=True) if one.doc_id == doc_id), None)
    if document is None or document.retired_at is not None:
        raise InputError("picture_gone", document=doc_id)
    if document.media_type != _PDF:
        raise InputError("picture_no_pdf", document=doc_id)
    return document


def _source(workspace: Workspace, store: Store, document: Document, evidence: Evidence) -> Path:
    """The file, if it still holds the bytes that the evidence was read from."""
    reading = store.documents.reading(evidence.reading_id)
    try:
        path = locate(workspace.root / document.root, document.source_path)
        found = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise InputError("picture_gone", document=document.doc_id) from error
    if reading is None or found != reading.sha256:
        raise InputError("picture_changed", document=document.doc_id)
    return path


def _target(workspace: Workspace, evidence: Evidence, page: int) -> Path:
    name = digest(evidence.reading_id, str(page), *(part.model_dump_json() for part in evidence.parts), length=16)
    return workspace.root / "data" / "pages" / f"{name}.png"


def _kept(target: Path, data: bytes) -> None:
    """Write the picture whole, and let old ones go."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        for old in target.parent.glob("*.png"):
            if time.time() - old.stat().st_mtime > _KEPT:
                old.unlink(missing_ok=True)
        half = target.with_suffix(".part")
        half.write_bytes(data)
        half.replace(target)
    except OSError as error:
        raise InputError("not_writable", where=target.parent, detail=error.strerror or error) from error
