"""Documents to pages: text pages of all documents first, then the pages that need OCR, each committed as it comes."""

from collections.abc import Sequence
from pathlib import Path

from builder.ingest.ocr.engine import available_engines
from builder.ingest.ocr.pages import OcrJob, read_pages_ocr
from builder.ingest.read import EXTRACTOR, ReadJob, ReadResult, document_status, read_documents
from builder.ingest.walk import FoundFile, locate
from builder.model.document import Document, DocumentStatus, PageOrigin, Reading
from builder.progress import Progress
from builder.settings import Workspace
from builder.store import Store
from builder.text.ids import digest, reading_id


def outdated(workspace: Workspace, document: Document) -> bool:
    """Read by another extractor or with other settings than those of today."""
    return document.reading_id != reading_of(workspace, document).reading_id


def reading_of(workspace: Workspace, document: Document) -> Reading:
    """The reading of a document with today's extractor and settings."""
    # OCR leaves its own trace page by page; only "always" changes what is read of a digital page.
    shaped = digest(str(workspace.settings.ocr.mode == "always"), length=16)
    return Reading(
        reading_id=reading_id(document.doc_id, document.sha256, EXTRACTOR, shaped),
        doc_id=document.doc_id,
        version=document.version,
        sha256=document.sha256,
        extractor=EXTRACTOR,
        settings_hash=shaped,
    )


def read_texts(
    workspace: Workspace, store: Store, files: Sequence[tuple[FoundFile, Document]], progress: Progress
) -> None:
    """Read files in isolated workers; each document is committed as it comes."""
    documents = {document.doc_id: document for _, document in files}
    jobs = [ReadJob(path=file.path, doc_id=document.doc_id, media_type=file.media_type) for file, document in files]
    progress.begin("read", len(jobs))
    for result in read_documents(jobs, workspace.settings.ingest, workspace.settings.ocr):
        _save_result(workspace, store, documents[result.job.doc_id], result)
        progress.advance(note=result.job.doc_id)
    progress.end()


def _save_result(workspace: Workspace, store: Store, document: Document, result: ReadResult) -> None:
    document = document.replace(sha256=result.sha256 or document.sha256)
    reading = reading_of(workspace, document)
    status, problem = document_status(result.pages)
    document = document.replace(
        reading_id=reading.reading_id,
        page_count=len(result.pages),
        language=result.language,
        chunked_with="",
        status=DocumentStatus.FAILED if result.problem else status,
        problem=result.problem or problem,
    )
    store.documents.save_reading(document, reading, result.pages)


def read_images(workspace: Workspace, store: Store, progress: Progress) -> None:
    """OCR of all pages that wait, page by page; without an engine they go on waiting."""
    ocr = workspace.settings.ocr
    if ocr.mode == "never":
        return
    _ask_again(store)
    waiting = store.documents.pages_by_origin(PageOrigin.WAITING)
    if not waiting or (ocr.engine == "auto" and not available_engines(ocr.languages)):
        return
    readings = {document.doc_id: document.reading_id or "" for document, _ in waiting}
    paths = {document.doc_id: _path_of(workspace, document) for document, _ in waiting}
    jobs = [OcrJob(path=path, doc_id=doc.doc_id, page=page) for doc, page in waiting if (path := paths[doc.doc_id])]
    progress.begin("ocr", len(jobs))
    for result in read_pages_ocr(jobs, workspace.settings.ingest, ocr):
        store.documents.save_page(readings[result.job.doc_id], result.page)
        progress.advance(note=f"{result.job.doc_id} {result.page.number}")
    progress.end()


def _ask_again(store: Store) -> None:
    """Pages that were given up because OCR was switched off wait for it again."""
    for document, page in store.documents.pages_by_origin(PageOrigin.FAILED):
        if page.problem is not None and page.problem.code == "needs_ocr":
            store.documents.save_page(document.reading_id or "", page.replace(origin=PageOrigin.WAITING, problem=None))
            store.documents.save([document.replace(chunked_with="")])


def _path_of(workspace: Workspace, document: Document) -> Path | None:
    """The file of a document; none where it is gone or not the one that was read: the next look at its folder tells."""
    try:
        path = locate(workspace.root / document.root, document.source_path)
        status = path.stat()
    except OSError:
        return None
    return path if (status.st_size, status.st_mtime_ns) == (document.size, document.mtime_ns) else None
