"""Which of the evidence of a case a passage holds, and whether it comes from another version."""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from builder.model.case import Evidence, NegativeReason
from builder.score.compression import SAME, lost
from builder.score.gold import Gold, Level, Piece
from builder.score.passages import Library, Passage, Places, version_name, within
from builder.score.view import Target
from builder.text.quotes import find_quote


class Held(NamedTuple):
    """What one passage holds of a case."""

    hits: frozenset[Target]
    units: tuple[int, ...]
    negative: NegativeReason | None


class Holdings:
    """Lays passages over what is to be found."""

    def __init__(self, library: Library, level: Level, versions: bool) -> None:
        self.library = library
        self.level: Level = level
        self._versions = versions

    def held(self, passage: Passage, gold: Gold) -> Held | None:
        """What a passage holds of a case; none where nobody judged anything in it."""
        if passage.loose and passage.doc_id is None:
            pieces: Iterable[Piece] = (piece for some in gold.pieces.values() for piece in some)
        else:
            pieces = gold.pieces.get(passage.doc_id or "", ())
        found = [piece for piece in pieces if self.holds(passage, piece.evidence, piece.places)]
        if len(found) == 1:
            return _held(found[0])
        if not found:
            return None
        return Held(
            frozenset(piece.target for piece in found if piece.target is not None),
            tuple(sorted({piece.unit for piece in found if piece.unit is not None})),
            next((piece.negative for piece in found if piece.negative), None),
        )

    def holds(self, passage: Passage, evidence: Evidence, places: Places) -> bool:
        """True where a passage holds a piece of evidence whole: by its place, else by its text."""
        if self.level == "document":
            return evidence.doc_id == passage.doc_id or (passage.loose and _stands(evidence.quote, passage.text))
        reading_id = passage.reading_id
        if reading_id is not None and reading_id == evidence.reading_id:
            return passage.doc_id == evidence.doc_id and within(places, passage.spans)
        if passage.doc_id is not None and passage.doc_id != evidence.doc_id:
            return False
        if reading_id is None and passage.spans and not self.other_version(passage) and within(places, passage.spans):
            return not _lost_there(evidence.quote, passage)
        return _stands(evidence.quote, passage.text)

    def documents(self, passage: Passage, gold: Gold, held: Held | None) -> tuple[str, ...]:
        """Documents that a passage may come from."""
        if passage.doc_id is not None:
            return (passage.doc_id,)
        if held is None:
            return passage.doc_ids if passage.known else ()
        names = [
            doc_id
            for doc_id, some in gold.pieces.items()
            if any(self.holds(passage, one.evidence, one.places) for one in some)
        ]
        return tuple(dict.fromkeys((*passage.doc_ids, *names)))

    def other_version(self, passage: Passage) -> bool:
        """The system names another version than the frozen one, in the snapshot's own way of naming versions."""
        if passage.version is None or passage.doc_id is None or not self._versions:
            return False
        return version_name(passage.version) not in self.library.versions(passage.doc_id)

    def wrong_version(self, passage: Passage, gold: Gold, held: Held | None) -> bool:
        """It comes from another version of a document that the evidence comes from."""
        if held is not None and held.negative is NegativeReason.WRONG_VERSION and not held.hits:
            return True
        if passage.doc_id is None or not self._in_family(passage.doc_id, gold):
            return False
        evidence = any(piece.negative is None for piece in gold.pieces.get(passage.doc_id, ()))
        return self.other_version(passage) or not evidence

    def _in_family(self, doc_id: str, gold: Gold) -> bool:
        if doc_id in gold.doc_ids:
            return True
        family = self.library.family(doc_id)
        return any(self.library.family(name) == family for name in gold.doc_ids)


_NONE: frozenset[Target] = frozenset()


def _held(piece: Piece) -> Held:
    """What a passage holds that holds one piece only."""
    hits = _NONE if piece.target is None else frozenset((piece.target,))
    return Held(hits, () if piece.unit is None else (piece.unit,), piece.negative)


@lru_cache(maxsize=1 << 16)
def _found(quote: str, text: str) -> bool:
    return find_quote(quote, text) is not None


def _lost_there(quote: str, passage: Passage) -> bool:
    """Its text is told, and is no mere beginning of it, but nothing there is like the quote: the line was not read."""
    size = sum(end - start for _, start, end in passage.spans)
    text = passage.text
    return text is not None and 2 * len(text) >= size and lost(quote, text, SAME).gone


def _stands(quote: str, text: str | None) -> bool:
    return text is not None and _found(quote, text)
