"""builder ingest --chunks: the chunks of the user's own RAG system, under their own ids."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from builder.app.settling import broken_metadata, located
from builder.errors import InputError
from builder.ingest.metadata import read_metadata
from builder.ingest.user_chunks import EXTRACTOR, UserChunk, chunks_of, content_hash, pages_of, read_user_chunks
from builder.ingest.walk import SIDECAR, USER_CHUNKS, FoundFile
from builder.model.document import Document, DocumentMetadata, DocumentStatus, Problem, Reading
from builder.settings import ChunkFields, Workspace
from builder.store import Store
from builder.text.canonical import canonical
from builder.text.ids import digest, doc_ids, reading_id
from builder.text.language import language_of

Given = tuple[Document, tuple[UserChunk, ...]]
"""A document with its chunks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkImport:
    """What a file of chunks means for the documents that are known from it."""

    root: str
    """The file, as it is registered."""
    new: tuple[Given, ...] = ()
    """Documents that were not known, or that came back."""
    changed: tuple[Given, ...] = ()
    """Documents whose chunks changed."""
    unchanged: int = 0
    """Documents as they were."""
    kept: tuple[Document, ...] = ()
    """Of these: with another time or metadata, to be stored anew."""
    retold: int = 0
    """Of these: with other metadata."""
    removed: tuple[Document, ...] = ()
    """Documents of which no chunk is left."""
    fields: Mapping[str, str]
    """Which field was taken for what; empty where the file was not read."""
    wrong: tuple[tuple[int, Problem], ...] = ()
    """Rows that are wrong. Then nothing is taken."""
    problem: Problem | None = None
    """Why the whole file was left alone."""

    @property
    def acts(self) -> bool:
        """Chunks change."""
        return bool(self.new or self.changed or self.removed)


def plan_import(workspace: Workspace, store: Store, root: str, known: Sequence[Document]) -> ChunkImport:
    """Compare a file of chunks with what is known from it; a file of the same size and time is not read."""
    path = workspace.root / root
    asked = workspace.settings.chunk_fields
    mine = {document.source_path: document for document in known if document.root == root}
    try:
        status = path.stat()
        sidecar = path.with_name(path.name + SIDECAR).is_file()
        file = FoundFile(
            path=path,
            source_path="",
            size=status.st_size,
            mtime_ns=status.st_mtime_ns,
            media_type=USER_CHUNKS,
            sidecar=sidecar,
        )
        if mine and all(_as_noted(file, document, _key(asked)) for document in mine.values()):
            return _told(workspace, file, root, mine)
        taken = {chunk: doc for chunk, doc in store.documents.chunk_ids().items() if doc not in _ids(mine)}
        found = read_user_chunks(path, asked, taken)
        if found.problems:
            return ChunkImport(root=root, fields=found.fields, wrong=found.problems)
        return _compared(workspace, store, file, root, mine, found.documents, found.fields)
    except OSError as error:
        return ChunkImport(root=root, fields={}, problem=Problem(code="unreadable", detail=error.strerror or ""))
    except InputError as error:
        return ChunkImport(root=root, fields={}, problem=broken_metadata(error))


def save_import(workspace: Workspace, store: Store, planned: ChunkImport) -> None:
    """Store the documents of an import; those removed are retired already.

    All old chunks go before the first new one comes: an id may have moved from one document to another. A document is
    marked as done last, so that an interrupted import is taken up again.
    """
    key = _key(workspace.settings.chunk_fields)
    given = [*planned.new, *planned.changed]
    for document, chunks in given:
        store.documents.save_reading(document.replace(chunked_with=""), _reading(document), pages_of(chunks))
    for document, chunks in given:
        done = document.replace(chunked_with=key)
        store.documents.replace_chunks(done, chunks_of(document.doc_id, document.reading_id or "", chunks))


def _key(asked: ChunkFields) -> str:
    """What a document is chunked with: how the file is read."""
    return digest(EXTRACTOR, canonical(asked.model_dump()), length=16)


def _as_noted(file: FoundFile, document: Document, key: str) -> bool:
    return (document.size, document.mtime_ns, document.chunked_with) == (file.size, file.mtime_ns, key)


def _ids(documents: Mapping[str, Document]) -> set[str]:
    return {document.doc_id for document in documents.values()}


def _told(workspace: Workspace, file: FoundFile, root: str, mine: Mapping[str, Document]) -> ChunkImport:
    """An unchanged file; its metadata may be told anew."""
    now = {name: located(_named(file, name), doc, _metadata(workspace, file, name)) for name, doc in mine.items()}
    return _kept(ChunkImport(root=root, fields={}), now, mine)


def _kept(planned: ChunkImport, now: Mapping[str, Document], mine: Mapping[str, Document]) -> ChunkImport:
    pairs = [(document, mine[name]) for name, document in now.items()]
    return ChunkImport(
        root=planned.root,
        new=planned.new,
        changed=planned.changed,
        unchanged=len(pairs),
        kept=tuple(new for new, old in pairs if new is not old),
        retold=sum(new.metadata_revision != old.metadata_revision for new, old in pairs),
        removed=planned.removed,
        fields=planned.fields,
    )


def _compared(
    workspace: Workspace,
    store: Store,
    file: FoundFile,
    root: str,
    mine: Mapping[str, Document],
    given: Mapping[str, tuple[UserChunk, ...]],
    fields: Mapping[str, str],
) -> ChunkImport:
    """Documents of a file that was read, each new, changed, unchanged or removed."""
    everyone = store.documents.all(retired=True)
    retired = {doc.source_path: doc for doc in everyone if doc.root == root and doc.retired_at}
    fresh = [name for name in given if name not in mine]
    ids = doc_ids([name for name in fresh if name not in retired], [doc.doc_id for doc in everyone])
    key = _key(workspace.settings.chunk_fields)
    new: list[Given] = []
    changed: list[Given] = []
    same: dict[str, Document] = {}
    for name, chunks in given.items():
        metadata = _metadata(workspace, file, name)
        before = mine.get(name) or retired.get(name) or _blank(file, root, name, ids.get(name, ""), metadata)
        now = located(_named(file, name), before, metadata)
        if name in mine and before.sha256 == content_hash(chunks) and before.chunked_with == key:
            same[name] = now
        else:
            (changed if name in mine else new).append((_filled(now, chunks), chunks))
    removed = tuple(document for name, document in mine.items() if name not in given)
    planned = ChunkImport(root=root, new=tuple(new), changed=tuple(changed), removed=removed, fields=fields)
    return _kept(planned, same, mine)


def _blank(file: FoundFile, root: str, name: str, doc_id: str, metadata: DocumentMetadata) -> Document:
    return Document(
        doc_id=doc_id,
        root=root,
        source_path=name,
        sha256="",
        size=file.size,
        mtime_ns=file.mtime_ns,
        media_type=USER_CHUNKS,
        metadata=metadata,
    )


def _filled(document: Document, chunks: Sequence[UserChunk]) -> Document:
    """The document with its chunks of today; its version goes up where they differ from those it had."""
    sha256 = content_hash(chunks)
    version = document.version + bool(document.sha256 and document.sha256 != sha256)
    filled = document.replace(
        sha256=sha256,
        version=version,
        page_count=len(chunks),
        language=language_of("\n".join(chunk.text for chunk in chunks)),
        status=DocumentStatus.OK,
        problem=None,
        retired_at=None,
    )
    return filled.replace(reading_id=_reading(filled).reading_id)


def _reading(document: Document) -> Reading:
    return Reading(
        reading_id=reading_id(document.doc_id, document.sha256, EXTRACTOR, ""),
        doc_id=document.doc_id,
        version=document.version,
        sha256=document.sha256,
        extractor=EXTRACTOR,
        settings_hash="",
    )


def _named(file: FoundFile, name: str) -> FoundFile:
    return FoundFile(
        path=file.path,
        source_path=name,
        size=file.size,
        mtime_ns=file.mtime_ns,
        media_type=file.media_type,
        sidecar=file.sidecar,
    )


def _metadata(workspace: Workspace, file: FoundFile, name: str) -> DocumentMetadata:
    """Rules by the document's name, and the sidecar of the file for all its documents."""
    return read_metadata(_named(file, name), workspace.settings.metadata, None)
