"""Which of two documents is right on which day: versions of one family, and authorities that say different things."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import NamedTuple

from builder.model.access import Access
from builder.model.chunk import Chunk
from builder.model.document import DocumentMetadata

# Words for a document's authority, highest rank first; a rank of 1 decides nothing by itself. Source: the hard
# negative `low_authority` of the design; notices rank below rules, answers to questions and drafts lowest.
_RANKS: tuple[tuple[int, frozenset[str]], ...] = (
    (3, frozenset(("official", "policy", "regulation", "law", "正式", "官方", "制度", "法规", "政策"))),
    (2, frozenset(("notice", "manual", "guideline", "通知", "公告", "说明书", "手册", "指引"))),
    (1, frozenset(("reference", "faq", "draft", "informal", "参考", "常见问题", "草案", "非正式"))),
)
_DAY = timedelta(days=1)


class Window(NamedTuple):
    """The days on which a document holds, both included; none: no border."""

    start: date | None
    end: date | None

    def holds(self, day: date) -> bool:
        """True where the day lies within it."""
        return (self.start is None or self.start <= day) and (self.end is None or day <= self.end)


def windows(chunks: Iterable[Chunk]) -> Mapping[str, Window]:
    """The window of each document, by doc_id: a version ends, at the latest, on the day before the next one begins."""
    families: dict[str, dict[str, DocumentMetadata]] = defaultdict(dict)
    for chunk in chunks:
        families[family(chunk)][chunk.doc_id] = chunk.metadata
    found: dict[str, Window] = {}
    for members in families.values():
        starts = sorted({data.valid_from for data in members.values() if data.valid_from})
        for doc_id, data in members.items():
            begins = data.valid_from or date.max  # undated: nobody knows which one comes later
            later = next((day - _DAY for day in starts if day > begins), None)
            ends = [day for day in (data.valid_to, later) if day]
            found[doc_id] = Window(data.valid_from, min(ends, default=None))
    return found


def family(chunk: Chunk) -> str:
    """The family of a chunk's document."""
    return chunk.metadata.family or chunk.doc_id


def same_readers(a: Chunk, b: Chunk) -> bool:
    """True where both documents ask the same of their readers: else each reader has one rule, and none conflicts."""
    return all(getattr(a.metadata, name) == getattr(b.metadata, name) for name in Access.model_fields)


def ruling_day(mine: Chunk, other: Chunk, known: Mapping[str, Window]) -> date | None:
    """A day on which `mine` is right and `other` is not; none where there is no such day.

    Within a family each version rules in its own window. Between families a temporary rule goes before the general one
    in its window, else the higher authority goes first; a rule that is outranked is right on no day.
    """
    here, there = known[mine.doc_id], known[other.doc_id]
    alone = [day for day in _days(here, there) if not there.holds(day)]
    if family(mine) == family(other) or _temporary(other, mine, known):
        return next(iter(alone), None)
    if _temporary(mine, other, known) or _rank(mine) > _rank(other) > 0:
        return next((day for day in _days(here, there) if there.holds(day)), None)
    return None


def outranked(mine: Chunk, other: Chunk) -> bool:
    """True where `mine` is of lower authority."""
    return 0 < _rank(mine) < _rank(other)


def _days(here: Window, there: Window) -> Iterable[date]:
    """Days that tell the two windows apart, those within `here`; of what is out of date, its last day comes first."""
    after = there.end + _DAY if there.end else None
    before = there.start - _DAY if there.start else None
    return (day for day in (here.end, here.start, after, before, there.start) if day and here.holds(day))


def _temporary(mine: Chunk, other: Chunk, known: Mapping[str, Window]) -> bool:
    """True where `mine` is a rule for a time within the window of `other`, and of some authority."""
    here, there = known[mine.doc_id], known[other.doc_id]
    if here.start is None or here.end is None or here == there or family(mine) == family(other) or _rank(mine) < 2:
        return False
    return there.holds(here.start) and there.holds(here.end)


def _rank(chunk: Chunk) -> int:
    """Rank of a document's authority; 0 where its word is not known."""
    word = (chunk.metadata.authority or "").casefold()
    return next((rank for rank, words in _RANKS if word in words), 0)
