"""The whole corpus as checks see it: all chunks, found by words or by the facts that they hold."""

from collections.abc import Iterable

from builder.model.chunk import Chunk
from builder.model.chunk_index import ChunkIndex
from builder.search import Search


class Corpus:
    """All chunks of a workspace and their BM25 index. Immutable."""

    def __init__(self, chunks: Iterable[Chunk], search: Search) -> None:
        self.chunks = tuple(chunks)
        self.index = ChunkIndex(self.chunks)
        self._search = search

    def find(self, query: str, limit: int = 10) -> tuple[tuple[Chunk, float], ...]:
        """The best chunks for `query` with their BM25 scores, best first."""
        found = ((self.index.get(hit.chunk_id), hit.score) for hit in self._search.find(query, limit))
        return tuple((chunk, score) for chunk, score in found if chunk)
