"""Documents to pages: text pages of all documents first, then the pages that need OCR, each committed as it comes.

A document that needs no OCR is chunked as soon as it is read.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from builder.app.chunking import chunk_read
from builder.ingest.read import EXTRACTOR, ReadJob, ReadResult, document_status, read_documents
from builder.ingest.walk import FoundFile, locate
from builder.model.document import Document, DocumentStatus, Page, PageOrigin, Problem, Reading
from builder.progress import Progress
from builder.settings import OcrSettings, Workspace
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
    """Read files in isolated workers; each document is committed as it comes, and chunked while others are read."""
    documents = {document.doc_id: document for _, document in files}
    jobs = [ReadJob(path=file.path, doc_id=document.doc_id, media_type=file.media_type) for file, document in files]
    progress.begin("read", len(jobs))
    for result in read_documents(jobs, workspace.settings.ingest, workspace.settings.ocr):
        document = _save_result(workspace, store, documents[result.job.doc_id], result)
        chunk_read(workspace, store, document, result.pages)
        progress.advance(note=result.job.doc_id)
    progress.end()


def _save_result(workspace: Workspace, store: Store, document: Document, result: ReadResult) -> Document:
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
    return document


_Pages = Sequence[tuple[Document, Page]]


def read_images(workspace: Workspace, store: Store, progress: Progress) -> tuple[tuple[str, Problem], ...]:
    """OCR of all pages that wait, page by page, after a look at hidden text layers.

    Without an engine they go on waiting. Returns the doubtful pages of this run: doc_id, and what is doubtful.
    """
    ocr = workspace.settings.ocr
    if ocr.mode == "never":
        return ()
    _ask_again(store)
    compared = _to_compare(store, ocr)
    if not compared and not store.documents.pages_by_origin(PageOrigin.WAITING):
        return ()
    from builder.ingest.ocr.engine import available_engines

    if ocr.engine == "auto" and not available_engines(ocr.languages):
        return ()
    pages = _compare_layers(workspace, store, compared, progress)
    readings = {document.doc_id: document.reading_id or "" for document in store.documents.all()}
    for doc_id, page in _read(workspace, store.documents.pages_by_origin(PageOrigin.WAITING), progress):
        store.documents.save_page(readings[doc_id], page)
        pages.append((doc_id, page))
    return tuple((doc_id, page.problem) for doc_id, page in pages if page.problem and page.origin in _READ)


_READ = (PageOrigin.OCR, PageOrigin.HIDDEN)


def _read(workspace: Workspace, pages: _Pages, progress: Progress) -> Iterator[tuple[str, Page]]:
    """OCR of pages whose file is there: doc_id and page, as they are ready."""
    from builder.ingest.ocr.pages import OcrJob, read_pages_ocr

    paths = {document.doc_id: _path_of(workspace, document) for document, _ in pages}
    jobs = [OcrJob(path=path, doc_id=doc.doc_id, page=page) for doc, page in pages if (path := paths[doc.doc_id])]
    progress.begin("ocr", len(jobs))
    for result in read_pages_ocr(jobs, workspace.settings.ingest, workspace.settings.ocr):
        yield result.job.doc_id, result.page
        progress.advance(note=f"{result.job.doc_id} {result.page.number}")
    progress.end()


def _to_compare(store: Store, ocr: OcrSettings) -> _Pages:
    """The pages whose hidden layer is to be compared with the image."""
    from builder.ingest.ocr.hidden import to_compare

    return [(document, page) for document, pages in _hidden(store).values() for page in to_compare(pages, ocr)]


def _compare_layers(workspace: Workspace, store: Store, compared: _Pages, progress: Progress) -> list[tuple[str, Page]]:
    """Give hidden layers up that differ from the image. A document of which pages change loses its chunks at once."""
    from builder.ingest.ocr.hidden import judged

    found = sorted(_read(workspace, compared, progress), key=lambda row: (row[0], row[1].number)) if compared else []
    hidden, changed = _hidden(store) if found else {}, []
    for doc_id, rows in groupby(found, key=lambda row: row[0]):
        document, pages = hidden[doc_id]
        new = judged(pages, [page for _, page in rows], workspace.settings.ocr)
        if any(page.origin is not PageOrigin.HIDDEN for page in new):
            store.documents.replace_chunks(document.replace(chunked_with=""), ())
        for page in new:
            store.documents.save_page(document.reading_id or "", page)
        changed += [(doc_id, page) for page in new]
    return changed


def _hidden(store: Store) -> dict[str, tuple[Document, list[Page]]]:
    """Pages with a hidden layer, by document."""
    found: dict[str, tuple[Document, list[Page]]] = {}
    for document, page in store.documents.pages_by_origin(PageOrigin.HIDDEN):
        found.setdefault(document.doc_id, (document, []))[1].append(page)
    return found


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
