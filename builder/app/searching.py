"""Passages found by BM25, or by evidence, as the reviewer shows them."""

from functools import cached_property
from typing import TYPE_CHECKING

from builder.model.case import Evidence
from builder.model.chunk import Chunk
from builder.model.chunk_index import ChunkIndex
from builder.model.document import Document
from builder.model.parts import spans
from builder.review.desk import Passage
from builder.settings import Workspace
from builder.store import Store

if TYPE_CHECKING:
    from builder.checks.corpus import Corpus
    from builder.search import Search


class Passages:
    """The chunks of the workspace, loaded and indexed when first asked for."""

    def __init__(self, workspace: Workspace, store: Store) -> None:
        self._folder = workspace.search_folder
        self._store = store
        self._loaded: dict[str, ChunkIndex] = {}

    @cached_property
    def chunks(self) -> tuple[Chunk, ...]:
        """All chunks."""
        return self._store.documents.chunks()

    @cached_property
    def index(self) -> ChunkIndex:
        """The chunks by id and by evidence."""
        return ChunkIndex(self.chunks)

    @cached_property
    def corpus(self) -> "Corpus":
        """The chunks as checks see them; the search index is opened when one of them searches."""
        from builder.checks.corpus import Corpus  # when it is used: the reviewer starts without it

        return Corpus(self.chunks, lambda: self._search)

    def _near(self, doc_id: str) -> ChunkIndex:
        """The chunks of one document: all of them are loaded only for what asks for all."""
        if "index" in self.__dict__:
            return self.index
        if doc_id not in self._loaded:
            self._loaded[doc_id] = ChunkIndex(self._store.documents.chunks({doc_id}))
        return self._loaded[doc_id]

    @cached_property
    def _documents(self) -> dict[str, Document]:
        return {document.doc_id: document for document in self._store.documents.all(retired=True)}

    @cached_property
    def _search(self) -> "Search":
        from builder.search import open_search

        return open_search(self._folder, [(chunk.chunk_id, chunk.text) for chunk in self.chunks])

    def hits(self, query: str, limit: int) -> tuple[tuple[Chunk, float], ...]:
        """The best chunks for `query` with their BM25 scores, best first."""
        found = ((self.index.get(hit.chunk_id), hit.score) for hit in self._search.find(query, limit))
        return tuple((chunk, score) for chunk, score in found if chunk)

    def search(self, query: str, limit: int) -> tuple[Passage, ...]:
        """The best chunks for `query`, each proposed as a whole; the score is per cent of the best one's."""
        best = self.hits(query, limit)
        return tuple(self._passage(chunk, _whole(chunk), round(100 * score / best[0][1])) for chunk, score in best)

    def of_evidence(self, evidence: Evidence) -> Passage:
        """The passage that holds `evidence`; its quote alone where the chunk is gone."""
        chunk = self._near(evidence.doc_id).chunk_of(evidence)
        if chunk is None:
            return Passage(
                evidence=evidence,
                title=self._title(evidence.doc_id),
                pages=tuple(dict.fromkeys(span.page for span in spans(evidence.parts))),
                section=(),
                text=evidence.quote,
                marks=((0, len(evidence.quote)),),
                score=None,
            )
        return self._passage(chunk, evidence, None)

    def of_chunk(self, chunk: Chunk) -> Passage:
        """A chunk, proposed as a whole."""
        return self._passage(chunk, _whole(chunk), None)

    def _passage(self, chunk: Chunk, evidence: Evidence, score: int | None) -> Passage:
        start = chunk.text.find(evidence.quote)
        marks = ((start, start + len(evidence.quote)),) if start >= 0 else ()
        return Passage(
            evidence=evidence,
            title=self._title(chunk.doc_id),
            pages=chunk.pages,
            section=chunk.section,
            text=chunk.text,
            marks=marks,
            score=score,
        )

    def _title(self, doc_id: str) -> str:
        return self._documents[doc_id].title if doc_id in self._documents else doc_id


def _whole(chunk: Chunk) -> Evidence:
    return Evidence(doc_id=chunk.doc_id, reading_id=chunk.reading_id, quote=chunk.text, parts=chunk.parts)
