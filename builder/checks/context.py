"""What a check may look at."""

from dataclasses import dataclass

from builder.model.chunk_index import ChunkIndex


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckContext:
    """Chunks to look up, and what is known of how a case came about."""

    chunks: ChunkIndex
    """Those of the documents that the case rests on, at least."""
    found: str | None = None
    """At birth: how the evidence was found (generate.evidence.How); none later."""
