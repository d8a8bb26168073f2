"""What a check may look at."""

from dataclasses import dataclass

from builder.checks.corpus import Corpus
from builder.checks.others import Others
from builder.model.chunk import Chunk
from builder.model.chunk_index import ChunkIndex


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckContext:
    """Chunks to look up, and what is known of how a case came about."""

    chunks: ChunkIndex
    """Those of the documents that the case rests on, at least."""
    found: str | None = None
    """At birth: how the evidence was found (generate.evidence.How); none later."""
    sent: tuple[Chunk, ...] = ()
    """At birth: the chunks of the call, number 1 first; none later."""
    corpus: Corpus | None = None
    """All chunks, searchable; checks that need it say nothing without it."""
    others: Others | None = None
    """The other cases of the dataset; checks that need them say nothing without them."""
