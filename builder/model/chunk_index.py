"""From evidence to chunks: ids are derived from spans, never stored beside them."""

from collections import defaultdict
from collections.abc import Iterable

from builder.model.case import Case, Evidence
from builder.model.chunk import Chunk


class ChunkIndex:
    """Looks chunks up by id, and by the evidence that they hold."""

    def __init__(self, chunks: Iterable[Chunk]) -> None:
        self._by_id: dict[str, Chunk] = {}
        self._by_reading: dict[str, list[Chunk]] = defaultdict(list)
        for chunk in chunks:
            self._by_id[chunk.chunk_id] = chunk
            self._by_reading[chunk.reading_id].append(chunk)

    def get(self, chunk_id: str) -> Chunk | None:
        """The chunk with that id."""
        return self._by_id.get(chunk_id)

    def chunk_of(self, evidence: Evidence) -> Chunk | None:
        """The first chunk, in reading order, that holds all of the evidence; none where it was cut or is gone."""
        held = self._by_reading.get(evidence.reading_id, ())
        return next((chunk for chunk in held if chunk.holds(evidence.reading_id, evidence.parts)), None)

    def reference_chunk_ids(self, case: Case) -> tuple[str, ...]:
        """Ids of the chunks that hold the case's evidence, each once, in order; lost ones are left out."""
        found = [chunk.chunk_id for evidence in case.evidence if (chunk := self.chunk_of(evidence))]
        return tuple(dict.fromkeys(found))
