"""From files to documents: ids, versions, metadata. Says which documents have to be read."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec

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

Told = Mapping[str, DocumentMetadata]
"""Metadata by source path."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """What has to be done below one root beside retiring. Files whose metadata is broken are left out."""

    root: str
    """The root."""
    told: Told
    """Metadata of its files."""
    new: tuple[FoundFile, ...]
    """Files of new documents, or of retired ones that came back."""
    changed: tuple[tuple[FoundFile, Document], ...]
    """Files of other bytes."""
    outdated: tuple[tuple[FoundFile, Document], ...]
    """Files of the same bytes, read by an earlier program or with other settings."""
    kept: tuple[Document, ...]
    """Documents with another place, time or metadata, to be stored anew."""
    retold: int
    """Of these: with other metadata."""
    broken: tuple[tuple[str, Problem], ...]
    """Files whose metadata is broken. They are left as they were: who may read them is not known."""

    @property
    def reads(self) -> bool:
        """Something has to be read."""
        return bool(self.new or self.changed or self.outdated)


def settlement(workspace: Workspace, root: str, found: Walk, plan: SyncPlan) -> Settlement:
    """Look at the metadata of all files below a root; nothing is stored."""
    files = {file.source_path: file for file in found.files}
    told, broken = _metadata(workspace, files.values())
    same = [(files[document.source_path], document) for document in plan.unchanged]
    pairs = [
        (file, located(file, document, told[file.source_path]), document)
        for file, document in (*same, *plan.renamed)
        if file.source_path in told
    ]
    return Settlement(
        root=root,
        told=told,
        new=tuple(file for file in plan.new if file.source_path in told),
        changed=tuple((file, document) for file, document in plan.changed if file.source_path in told),
        outdated=tuple((file, now) for file, now, _ in pairs if outdated(workspace, now) or _curable(now)),
        kept=tuple(now for _, now, before in pairs if now is not before),
        retold=sum(now.metadata_revision != before.metadata_revision for _, now, before in pairs),
        broken=tuple(broken),
    )


def to_read(store: Store, settled: Settlement) -> list[tuple[FoundFile, Document]]:
    """The files to read, with their documents; new files are hashed here."""
    changed = [(file, _changed(file, document, settled.told[file.source_path])) for file, document in settled.changed]
    return [*_fresh(store, settled), *settled.outdated, *changed]


def located(file: FoundFile, document: Document, metadata: DocumentMetadata) -> Document:
    """The document at its place and with its metadata of today; the very same where nothing differs."""
    place = {"source_path": file.source_path, "size": file.size, "mtime_ns": file.mtime_ns}
    retold = metadata != document.metadata
    if not retold and all(getattr(document, name) == value for name, value in place.items()):
        return document
    return document.replace(**place, metadata=metadata, metadata_revision=document.metadata_revision + retold)


def _curable(document: Document) -> bool:
    """It failed for want of the extra, which is there now."""
    missing = document.problem is not None and document.problem.code == "extra_missing"
    return missing and find_spec("mammoth") is not None


def _metadata(
    workspace: Workspace, files: Iterable[FoundFile]
) -> tuple[dict[str, DocumentMetadata], list[tuple[str, Problem]]]:
    """The metadata of each file by source path, and the files whose metadata is broken."""
    told: dict[str, DocumentMetadata] = {}
    broken: list[tuple[str, Problem]] = []
    for file in files:
        try:
            head = read_front_matter(file.path) if file.media_type == "text/markdown" else None
            told[file.source_path] = read_metadata(file, workspace.settings.metadata, head)
        except InputError as error:
            broken.append((file.source_path, broken_metadata(error)))
        except OSError as error:
            broken.append((file.source_path, Problem(code="unreadable", detail=error.strerror or str(error))))
    return told, broken


def broken_metadata(error: InputError) -> Problem:
    """What is wrong with metadata, and where."""
    where = (error.values["file"], *(error.values[key] for key in ("key", "detail") if key in error.values))
    return Problem(code="metadata", detail=": ".join(map(str, where)))


def _fresh(store: Store, settled: Settlement) -> list[tuple[FoundFile, Document]]:
    """Documents for files that were not known, or that came back to the place of a retired one."""
    if not settled.new:
        return []
    root, told, files = settled.root, settled.told, settled.new
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
    return located(file, document, metadata).replace(sha256=sha256, version=version, retired_at=None)
