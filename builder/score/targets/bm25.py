"""The built-in floor: BM25 over the workspace's chunks. It retrieves, and answers nothing."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from builder.model.access import may_read
from builder.model.chunk import Chunk
from builder.score.targets.question import Ask, Question
from builder.search import Search, chunk_set_hash

TOP = 10
"""Passages where nobody asks for another number."""


@dataclass(frozen=True, kw_only=True)
class Bm25Target:
    """Finds the best passages that the user may read."""

    search: Search
    """The index over all chunks."""
    chunks: Mapping[str, Chunk]
    """All chunks by id."""
    top: int = TOP
    """Passages an answer."""
    departments: Mapping[str, str] = field(default_factory=dict)
    """The department above each department."""
    name: str = "bm25"

    @property
    def facts(self) -> Mapping[str, Any]:
        """What was searched, as a hash of ids and texts, and how many are shown."""
        rows = [(chunk.chunk_id, chunk.text) for chunk in self.chunks.values()]
        return {"target": self.name, "chunks": chunk_set_hash(rows), "top": self.top}

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Ask]:
        """Nothing to open."""
        yield self._ask

    async def _ask(self, question: Question) -> Mapping[str, Any]:
        items = [
            {"id": chunk.chunk_id, "doc_id": chunk.doc_id, "score": round(score, 6)}
            for chunk, score in self._found(question)
        ]
        return {"retrieved": items, "context": items}

    def _found(self, question: Question) -> Sequence[tuple[Chunk, float]]:
        """Asks for more until enough of them may be read, or there are no more."""
        limit = self.top
        while True:
            hits = self.search.find(question.question, limit)
            found = [(self.chunks[hit.chunk_id], hit.score) for hit in hits]
            allowed = [one for one in found if may_read(question.user, one[0].metadata, self.departments)]
            if len(allowed) >= self.top or len(hits) < limit or limit >= len(self.chunks):
                return allowed[: self.top]
            limit *= 4
