"""From evidence to chunks: ids are derived from spans, never stored beside them."""

from collections import defaultdict
from collections.abc import Iterable

from builder.model.case import Case, Evidence
from builder.model.chunk import Chunk
from builder.model.parts import Span, spans


class ChunkIndex:
    """Looks chunks up by id, and by the evidence that they hold."""

    def __init__(self, chunks: Iterable[Chunk]) -> None:
        self._by_id: dict[str, Chunk] = {}
        self._by_place: dict[tuple[str, int], Chunk] = {}
        self._by_page: dict[tuple[str, int], list[tuple[int, int, Chunk]]] = defaultdict(list)
        for chunk in chunks:
            self._by_id[chunk.chunk_id] = chunk
            self._by_place[chunk.reading_id, chunk.ordinal] = chunk
            for page, (start, end) in _stretches(chunk).items():
                self._by_page[chunk.reading_id, page].append((start, end, chunk))

    def get(self, chunk_id: str) -> Chunk | None:
        """The chunk with that id."""
        return self._by_id.get(chunk_id)

    def beside(self, chunk: Chunk) -> tuple[Chunk, ...]:
        """The chunks before and behind it in its reading, as far as they are known."""
        places = ((chunk.reading_id, chunk.ordinal + step) for step in (-1, 1))
        return tuple(self._by_place[place] for place in places if place in self._by_place)

    def chunk_of(self, evidence: Evidence) -> Chunk | None:
        """The first chunk, in reading order, that holds all of the evidence; none where it was cut or is gone."""
        first = next((part for part in evidence.parts if isinstance(part, Span)), None)
        if first is None:
            return None
        for start, end, chunk in self._by_page.get((evidence.reading_id, first.page), ()):
            if start <= first.start and first.end <= end and chunk.holds(evidence.reading_id, evidence.parts):
                return chunk
        return None

    def reference_chunk_ids(self, case: Case) -> tuple[str, ...]:
        """Ids of the chunks that hold the case's evidence, each once, in order; lost ones are left out."""
        found = [chunk.chunk_id for evidence in case.evidence if (chunk := self.chunk_of(evidence))]
        return tuple(dict.fromkeys(found))


def _stretches(chunk: Chunk) -> dict[int, tuple[int, int]]:
    """From the first to the last character that the chunk touches, by page."""
    found: dict[int, tuple[int, int]] = {}
    for span in spans(chunk.parts):
        start, end = found.get(span.page, (span.start, span.end))
        found[span.page] = min(start, span.start), max(end, span.end)
    return found
