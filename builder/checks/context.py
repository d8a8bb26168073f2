"""What a check may look at."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import TypeVar

from builder.checks.corpus import Corpus
from builder.checks.others import Others
from builder.model.chunk import Chunk
from builder.model.chunk_index import ChunkIndex

Found = TypeVar("Found")


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
    _known: dict[str, tuple[Hashable, object]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def once(self, name: str, case: Hashable, work: Callable[[], Found]) -> Found:
        """What `work` gives for `case`, worked out once: several checks of a case, and what is derived, ask for it.

        `case` is all of a case that `work` looks at. The last answer for each name is kept.
        """
        known = self._known.get(name)
        if known is None or known[0] != case:
            known = self._known[name] = case, work()
        return known[1]  # type: ignore[return-value]
