"""The whole corpus as checks see it: all chunks, found by words, by their very text, or by the facts that they hold."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache
from itertools import accumulate

from builder.checks.reading.compare import Fact, facts, same
from builder.checks.reading.letters import flat
from builder.checks.reading.numerals import keys, written_numerals
from builder.model.chunk import Chunk
from builder.model.chunk_index import ChunkIndex
from builder.search import Search
from builder.text.fold import folded
from builder.text.simplified import simplified

_BETWEEN = "\0"
"""Stands between the folded texts of two chunks: folding drops it from every text."""
_REMEMBERED = 512
"""Queries whose answers are kept: the checks of one case ask some of them again."""
_LEAST = 20
"""Passages that are looked for in any case: checks ask for fewer, then for more of one query."""

Found = tuple[tuple[Chunk, float], ...]


class Corpus:
    """All chunks of a workspace. Immutable; what it looks things up in is made when first asked for."""

    def __init__(self, chunks: Iterable[Chunk], search: Search | Callable[[], Search]) -> None:
        self.chunks = tuple(chunks)
        self._open = search
        self._find = lru_cache(maxsize=_REMEMBERED)(self._find_once)

    @cached_property
    def index(self) -> ChunkIndex:
        """The chunks by id and by evidence."""
        return ChunkIndex(self.chunks)

    def find(self, query: str, limit: int = 10) -> Found:
        """The best chunks for `query` with their BM25 scores, best first."""
        return self._find(query, max(limit, _LEAST))[:limit]

    def rank(self, query: str, chunk_id: str, limit: int = 20) -> int | None:
        """The place, from 1, of a chunk among the best `limit` for `query`; chunks that score alike share the best one.

        None where it is not among them.
        """
        found = self.find(query, limit)
        score = next((score for chunk, score in found if chunk.chunk_id == chunk_id), None)
        return None if score is None else 1 + sum(other > score for _, other in found)

    def quoting(self, quote: str, most: int = 50) -> tuple[Chunk, ...]:
        """The chunks in which `quote` stands, folded, in reading order; at most `most`."""
        wanted = folded(quote)
        found: list[Chunk] = []
        at = self._text.find(wanted) if wanted else -1
        while at >= 0 and len(found) < most:
            number = bisect_right(self._starts, at) - 1
            found.append(self.chunks[number])
            end = self._starts[number + 1] if number + 1 < len(self._starts) else len(self._text)
            at = self._text.find(wanted, end)
        return tuple(found)

    def holding(self, fact: Fact, most: int = 60) -> tuple[Chunk, ...]:
        """The chunks that state `fact`, in reading order; empty where more than `most` write its number."""
        chunks = self.writing(fact, most)
        return tuple(chunk for chunk in chunks if any(same(fact, one) for one in facts(simplified(chunk.text))))

    def writing(self, fact: Fact, most: int = 60) -> tuple[Chunk, ...]:
        """The chunks that write the number of `fact`, whatever its unit, in reading order.

        Empty where more than `most` do: the number then tells nothing of what is meant.
        """
        numbers = sorted({number for key in keys(fact) for number in self._by_numeral.get(key, ())})
        return tuple(self.chunks[number] for number in numbers) if len(numbers) <= most else ()

    def _find_once(self, query: str, limit: int) -> Found:
        found = ((self.index.get(hit.chunk_id), hit.score) for hit in self._search.find(query, limit))
        return tuple((chunk, score) for chunk, score in found if chunk)

    @cached_property
    def _search(self) -> Search:
        return self._open() if callable(self._open) else self._open

    @cached_property
    def _folded(self) -> tuple[str, ...]:
        return tuple(flat(chunk.text) for chunk in self.chunks)

    @cached_property
    def _text(self) -> str:
        return _BETWEEN.join(self._folded)

    @cached_property
    def _starts(self) -> list[int]:
        """Where the text of each chunk begins within `_text`."""
        return list(accumulate((len(text) + 1 for text in self._folded[:-1]), initial=0))

    @cached_property
    def _by_numeral(self) -> dict[str, list[int]]:
        found: defaultdict[str, list[int]] = defaultdict(list)
        for number, chunk in enumerate(self.chunks):
            for key in written_numerals(chunk.text):
                found[key].append(number)
        return dict(found)
