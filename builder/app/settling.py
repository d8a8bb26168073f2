"""From files to documents: ids, versions, metadata. Says which documents have to be read."""

from collections.abc import Iterable, Mapping, Sequence

from builder.app.ingest_report import IngestReport
from builder.app.reading import outdated
from builder.errors import InputError
from builder.ingest.front_matter import read_front_matter
from builder.ingest.metadata import read_metadata
from builder.ingest.sync import SyncPlan, file_hash
from builder.ingest.walk import FoundFile, Walk
from builder.model.document import Document, DocumentMetadata, Problem
from builder.settings import Workspace
from builder.store import Store
from builder.text.ids import doc_ids


def settle(
    workspace: Workspace, store: Store, walks: dict[str, Walk], plans: dict[str, SyncPlan], report: IngestReport
) -> tuple[list[tuple[FoundFile, Document]], IngestReport]:
    """Store what needs no reading. Returns the files to read with their documents.

    A file whose metadata is broken is left as it was: who may read it is not known.
    """
    to_read: list[tuple[FoundFile, Document]] = []
    retold = 0
    broken: list[tuple[str, Problem]] = []
    for root, plan in plans.items():
        store.documents.register_root(root)
        files = {file.source_path: file for file in walks[root].files}
        told, wrong = _metadata(workspace, files.values())
        broken += wrong
        to_read += _fresh(store, root, [file for file in plan.new if file.source_path in told], told)
        same = [(files[document.source_path], document) for document in plan.unchanged]
        kept = [
            (file, _located(file, document, told[file.source_path]), document)
            for file, document in (*same, *plan.renamed)
            if file.source_path in told
        ]
        store.documents.save(now for _, now, before in kept if now != before)
        retold += sum(now.metadata_revision != before.metadata_revision for _, now, before in kept)
        to_read += [(file, now) for file, now, _ in kept if outdated(workspace, now)]
        changed = [(file, document) for file, document in plan.changed if file.source_path in told]
        to_read += [(file, _changed(file, document, told[file.source_path])) for file, document in changed]
    return to_read, report.replace(metadata_changed=retold, problems=(*report.problems, *broken), broken=len(broken))


def _metadata(
    workspace: Workspace, files: Iterable[FoundFile]
) -> tuple[dict[str, DocumentMetadata], list[tuple[str, Problem]]]:
    """The metadata of each file by source path, and the files whose metadata is broken."""
    told: dict[str, DocumentMetadata] = {}
    broken: list[tuple[str, Problem]] = []
    for file in files:
        head = read_front_matter(file.path) if file.media_type == "text/markdown" else None
        try:
            told[file.source_path] = read_metadata(file, workspace.settings.metadata, head)
        except InputError as error:
            where = (error.values["file"], *(error.values[key] for key in ("key", "detail") if key in error.values))
            broken.append((file.source_path, Problem(code="metadata", detail=": ".join(map(str, where)))))
    return told, broken


def _fresh(
    store: Store, root: str, files: Sequence[FoundFile], told: Mapping[str, DocumentMetadata]
) -> list[tuple[FoundFile, Document]]:
    """Documents for files that were not known, or that came back to the place of a retired one."""
    known = store.documents.all(retired=True)
    retired = {doc.source_path: doc for doc in known if doc.root == root and doc.retired_at}
    back = [file for file in files if file.source_path in retired]
    unknown = [file for file in files if file.source_path not in retired]
    ids = doc_ids([file.source_path for file in unknown], [doc.doc_id for doc in known])
    return [(file, _changed(file, retired[file.source_path], told[file.source_path])) for file in back] + [
        (file, _new(root, file, ids[file.source_path], told[file.source_path])) for file in unknown
    ]


def _new(root: str, file: FoundFile, doc_id: str, metadata: DocumentMetadata) -> Document:
    return Document(
        doc_id=doc_id,
        root=root,
        source_path=file.source_path,
        sha256=file_hash(file.path),
        size=file.size,
        mtime_ns=file.mtime_ns,
        media_type=file.media_type,
        metadata=metadata,
    )


def _changed(file: FoundFile, document: Document, metadata: DocumentMetadata) -> Document:
    sha256 = file_hash(file.path)
    version = document.version + (sha256 != document.sha256)
    return _located(file, document, metadata).replace(sha256=sha256, version=version, retired_at=None)


def _located(file: FoundFile, document: Document, metadata: DocumentMetadata) -> Document:
    """The document at its place and with its metadata of today."""
    return document.replace(
        source_path=file.source_path,
        size=file.size,
        mtime_ns=file.mtime_ns,
        metadata=metadata,
        metadata_revision=document.metadata_revision + (metadata != document.metadata),
    )
