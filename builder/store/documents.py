"""Documents, readings, pages and chunks in the store."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Engine, delete, func, select, update

from builder.model.chunk import Chunk
from builder.model.document import Document, DocumentMetadata, Page, PageOrigin, Reading
from builder.store import schema
from builder.store.reading import read_only
from builder.store.rows import batched, from_row, to_row, told

_PAGE = ("number", "origin", "text")
_DUE = "cases_due"
_CHUNK = ("chunk_id", "doc_id", "reading_id", "ordinal", "kind", "text")


class Documents:
    """Documents and what was read of them."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def register_root(self, root: str) -> None:
        """Remember a folder whose documents are kept in step. Again is no error."""
        with self._engine.begin() as tx:
            if tx.execute(select(schema.roots.c.root).where(schema.roots.c.root == root)).first() is None:
                tx.execute(schema.roots.insert().values(root=root, registered_at=datetime.now(UTC)))

    def roots(self) -> tuple[str, ...]:
        """Registered folders, in the order of their registration."""
        with read_only(self._engine) as tx:
            return tuple(tx.execute(select(schema.roots.c.root).order_by(schema.roots.c.registered_at)).scalars())

    def all(self, *, retired: bool = False) -> tuple[Document, ...]:
        """All documents by id; retired ones only where asked for."""
        query = select(schema.documents).order_by(schema.documents.c.doc_id)
        if not retired:
            query = query.where(schema.documents.c.retired_at.is_(None))
        with read_only(self._engine) as tx:
            return tuple(Document(**row._asdict()) for row in tx.execute(query))

    def cases_due(self) -> bool:
        """Chunks changed, and the cases that rest on them were not looked at since: an ingest was interrupted."""
        with read_only(self._engine) as tx:
            return tx.execute(select(schema.meta.c.key).where(schema.meta.c.key == _DUE)).first() is not None

    def mark_cases(self, *, due: bool) -> None:
        """Note that chunks are about to change, or that the cases that rest on them are true again."""
        with self._engine.begin() as tx:
            tx.execute(delete(schema.meta).where(schema.meta.c.key == _DUE))
            if due:
                tx.execute(schema.meta.insert().values(key=_DUE, value="yes"))

    def save(self, documents: Iterable[Document]) -> None:
        """Insert or replace document rows alone."""
        with self._engine.begin() as tx:
            for document in documents:
                _save_document(tx, document)

    def save_reading(self, document: Document, reading: Reading, pages: Sequence[Page]) -> None:
        """Store a reading with all its pages, and the document that now rests on it, in one transaction.

        The chunks of an earlier reading go; they come back with `replace_chunks`.
        """
        with self._engine.begin() as tx:
            _save_document(tx, document)
            tx.execute(delete(schema.chunks).where(schema.chunks.c.doc_id == document.doc_id))
            if tx.execute(_reading(reading.reading_id)).first() is None:
                tx.execute(schema.readings.insert().values(**reading.model_dump()))
            tx.execute(delete(schema.pages).where(schema.pages.c.reading_id == reading.reading_id))
            if pages:
                tx.execute(schema.pages.insert(), [_page_row(reading.reading_id, page) for page in pages])

    def save_page(self, reading_id: str, page: Page) -> None:
        """Replace one page: its OCR is done."""
        key = (schema.pages.c.reading_id == reading_id) & (schema.pages.c.number == page.number)
        with self._engine.begin() as tx:
            tx.execute(update(schema.pages).where(key).values(**_page_row(reading_id, page)))

    def replace_chunks(self, document: Document, chunks: Sequence[Chunk]) -> None:
        """Store the chunks of a document in place of all that it had."""
        with self._engine.begin() as tx:
            _save_document(tx, document)
            tx.execute(delete(schema.chunks).where(schema.chunks.c.doc_id == document.doc_id))
            if chunks:
                rows = [to_row(chunk, _CHUNK, leave_out=("metadata",)) for chunk in chunks]
                tx.execute(schema.chunks.insert(), rows)

    def retire(self, documents: Iterable[Document], at: datetime) -> int:
        """Mark documents as gone and drop their chunks at once. Returns how many chunks went."""
        gone = 0
        with self._engine.begin() as tx:
            for ids in batched(document.doc_id for document in documents):
                tx.execute(update(schema.documents).where(schema.documents.c.doc_id.in_(ids)).values(retired_at=at))
                gone += tx.execute(delete(schema.chunks).where(schema.chunks.c.doc_id.in_(ids))).rowcount
        return gone

    def reading(self, reading_id: str) -> Reading | None:
        """The reading of that id."""
        query = select(schema.readings).where(schema.readings.c.reading_id == reading_id)
        with read_only(self._engine) as tx:
            row = tx.execute(query).mappings().first()
        return Reading(**row) if row else None

    def pages(self, reading_id: str) -> tuple[Page, ...]:
        """The pages of a reading, in order."""
        query = select(schema.pages).where(schema.pages.c.reading_id == reading_id).order_by(schema.pages.c.number)
        with read_only(self._engine) as tx:
            return tuple(Page(**from_row(dict(row), _PAGE)) for row in tx.execute(query).mappings())

    def pages_by_origin(self, origin: PageOrigin) -> tuple[tuple[Document, Page], ...]:
        """Pages of today's readings that came from `origin`, with their documents; retired ones left out."""
        query = (
            select(schema.documents.c.doc_id, schema.pages)
            .join(schema.pages, schema.pages.c.reading_id == schema.documents.c.reading_id)
            .where(schema.pages.c.origin == origin, schema.documents.c.retired_at.is_(None))
            .order_by(schema.documents.c.doc_id, schema.pages.c.number)
        )
        with read_only(self._engine) as tx:
            rows = tx.execute(query).mappings().all()
        documents = {document.doc_id: document for document in self.all()} if rows else {}
        return tuple((documents[row["doc_id"]], Page(**from_row(dict(row), _PAGE))) for row in rows)

    def chunks(self, doc_ids: Iterable[str] | None = None) -> tuple[Chunk, ...]:
        """Chunks with the metadata of their documents, by document and place; `doc_ids` none means all."""
        query = (
            select(schema.chunks, schema.documents.c.metadata)
            .join(schema.documents, schema.documents.c.doc_id == schema.chunks.c.doc_id)
            .order_by(schema.chunks.c.doc_id, schema.chunks.c.ordinal)
        )
        if doc_ids is not None:
            query = query.where(schema.chunks.c.doc_id.in_(list(doc_ids)))
        with read_only(self._engine) as tx:
            return tuple(_chunk(dict(row)) for row in tx.execute(query).mappings())

    def chunk(self, chunk_id: str) -> Chunk | None:
        """The chunk of that id."""
        query = (
            select(schema.chunks, schema.documents.c.metadata)
            .join(schema.documents, schema.documents.c.doc_id == schema.chunks.c.doc_id)
            .where(schema.chunks.c.chunk_id == chunk_id)
        )
        with read_only(self._engine) as tx:
            row = tx.execute(query).mappings().first()
        return _chunk(dict(row)) if row else None

    def chunk_ids(self) -> dict[str, str]:
        """All chunk ids, each with the id of its document."""
        with read_only(self._engine) as tx:
            rows = tx.execute(select(schema.chunks.c.chunk_id, schema.chunks.c.doc_id))
            return {chunk_id: doc_id for chunk_id, doc_id in rows}

    def chunk_count(self) -> int:
        """How many chunks there are."""
        with read_only(self._engine) as tx:
            return tx.execute(select(func.count()).select_from(schema.chunks)).scalar_one()


def _reading(reading_id: str) -> Any:
    return select(schema.readings.c.reading_id).where(schema.readings.c.reading_id == reading_id)


def _page_row(reading_id: str, page: Page) -> dict[str, Any]:
    return {"reading_id": reading_id} | to_row(page, _PAGE)


def _chunk(row: dict[str, Any]) -> Chunk:
    return Chunk(**from_row(row, _CHUNK, metadata=DocumentMetadata(**row["metadata"])))


def _save_document(tx: Connection, document: Document) -> None:
    row = document.model_dump(exclude={"metadata", "problem"}) | {
        "metadata": told(document.metadata),
        "problem": document.problem.model_dump(mode="json") if document.problem else None,
    }
    table = schema.documents
    if tx.execute(update(table).where(table.c.doc_id == document.doc_id).values(**row)).rowcount == 0:
        tx.execute(table.insert().values(**row))
