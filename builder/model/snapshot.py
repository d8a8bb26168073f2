"""Snapshots: frozen, hashed copies of the cases that count and of what they rest on."""

from datetime import datetime

from pydantic import Field

from builder.model.case import Case
from builder.model.chunk import Chunk
from builder.model.document import Document, DocumentMetadata, DocumentStatus
from builder.model.record import Record


class FrozenDocument(Record):
    """A document as a snapshot lists it: nothing that differs between two machines with the same files."""

    doc_id: str
    """The document."""
    source_path: str
    """Path below its root, POSIX form."""
    version: int = 1
    """Version when it was frozen."""
    sha256: str
    """Hash of the bytes, hex."""
    media_type: str
    """`application/pdf`, `text/markdown`, `text/plain`."""
    page_count: int = 0
    """Pages."""
    language: str = "en"
    """zh or en."""
    status: DocumentStatus = DocumentStatus.OK
    """How the last reading went."""
    retired: bool = False
    """The file was gone; its cases are stale."""
    metadata: DocumentMetadata = Field(default_factory=DocumentMetadata)
    """Title, family, access and validity."""

    @classmethod
    def of(cls, document: Document) -> "FrozenDocument":
        """The frozen form of `document`."""
        shared = {name: getattr(document, name) for name in cls.model_fields if name != "retired"}
        return cls(**shared, retired=document.retired_at is not None)


class FileEntry(Record):
    """One file of a snapshot."""

    name: str
    """File name."""
    sha256: str
    """Hash of its bytes, hex."""
    bytes: int
    """Its size."""
    rows: int
    """Its lines."""


class Manifest(Record):
    """What a snapshot holds and how it came about."""

    schema_version: int = 1
    """Version of the file format."""
    name: str
    """The snapshot's name."""
    dataset: str
    """The dataset that was frozen."""
    created_at: datetime
    """When, UTC; not part of the content hash."""
    created_by: str
    """Who froze it."""
    tool: str
    """Name and version of the program."""
    files: tuple[FileEntry, ...]
    """The files beside the manifest, by name."""
    content_hash: str
    """Hash over names and hashes of the files."""
    included: dict[str, int] = Field(default_factory=dict)
    """Frozen cases by review state."""
    include_unreviewed: bool = False
    """Unreviewed cases were let in by an explicit flag."""
    left_out: dict[str, int] = Field(default_factory=dict)
    """Cases that were not frozen, by reason."""
    approved_by: tuple[str, ...] = ()
    """Everybody whose approval stands in this snapshot."""
    access_levels: tuple[str, ...] = ()
    """Tenants and roles whose documents the snapshot quotes; empty where all is public."""
    seal: str = ""
    """Hash over all other fields of the manifest, so that a change of any of them shows."""


class Snapshot(Record):
    """A snapshot as read back."""

    manifest: Manifest
    """What it holds and how it came about."""
    cases: tuple[Case, ...]
    """The cases, by id."""
    chunks: tuple[Chunk, ...]
    """The passages that the cases rest on, by id, with the metadata of their documents."""
    documents: tuple[FrozenDocument, ...]
    """All documents, by id."""
