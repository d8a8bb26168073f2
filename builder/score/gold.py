"""What is to be found for one case: evidence that counts, grades, hard negatives, by the documents they come from."""

from collections.abc import Mapping
from datetime import date
from typing import Literal, NamedTuple

from builder.model.case import Case, Evidence, NegativeReason
from builder.score.passages import Library, Places, places_of, told_who
from builder.score.view import Target

Level = Literal["passage", "document"]
FULL = 3
"""The grade of evidence that nobody graded."""
Groups = tuple[tuple[Target, ...], ...]


class Piece(NamedTuple):
    """Something in a document that somebody judged."""

    evidence: Evidence
    """Where it stands."""
    places: Places
    """The same in short."""
    target: Target | None = None
    """Which evidence of the case it is, where it counts."""
    unit: int | None = None
    """The passage to be found that it belongs to."""
    negative: NegativeReason | None = None
    """Why it is wrong."""


class Gold(NamedTuple):
    """All of a case."""

    pieces: Mapping[str, list[Piece]]
    """By document."""
    groups: Groups
    """Evidence that counts."""
    units: Mapping[Target, int]
    """The passage of each."""
    gains: tuple[int, ...]
    """Grades of passages; those that are graded only come last."""
    doc_ids: tuple[str, ...]
    """Documents that the evidence comes from, also that which does not count."""
    excluded: str
    """Why the case has no figures of ranking; empty where it has."""


class _Numbers:
    """Numbers the passages that evidence stands in, from 0. Chunks are looked up only where two might be the same."""

    __slots__ = ("_by_document", "_known", "_library", "count")

    def __init__(self, library: Library, level: Level) -> None:
        self._library = library
        self._by_document = level == "document"
        self._known: dict[str, list[tuple[Evidence, Places, int]]] = {}
        self.count = 0

    def find(self, evidence: Evidence, places: Places) -> int | None:
        """The number of its passage; none where that has none yet."""
        known = self._known.get(evidence.doc_id if self._by_document else evidence.reading_id)
        if known is None:
            return None
        for other, others, number in known:
            if self._by_document or (others == places and other.doc_id == evidence.doc_id):
                return number
        key = self._key(evidence, places)
        return next((number for other, others, number in known if self._key(other, others) == key), None)

    def add(self, evidence: Evidence, places: Places) -> int:
        """The number of its passage, a new one where that has none yet."""
        number = self.find(evidence, places)
        if number is None:
            number = self.count
            self.count += 1
        name = evidence.doc_id if self._by_document else evidence.reading_id
        self._known.setdefault(name, []).append((evidence, places, number))
        return number

    def _key(self, evidence: Evidence, places: Places) -> object:
        """Its chunk, or itself where no chunk holds it."""
        chunk_id = self._library.chunk_at(evidence.reading_id, places)
        return chunk_id or (evidence.doc_id, evidence.reading_id, places)


def gold_of(case: Case, library: Library, level: Level, today: date | None) -> Gold:
    """What is to be found for a case. `today` stands for the day of the question where the case has none."""
    pieces: dict[str, list[Piece]] = {}
    numbers = _Numbers(library, level)
    units: dict[Target, int] = {}
    groups: list[tuple[Target, ...]] = []
    doc_ids: list[str] = []
    user = case.user_context
    for number, group in enumerate(case.evidence_groups):
        counting: list[Target] = []
        for place, evidence in enumerate(group):
            doc_id, places = evidence.doc_id, places_of(evidence.parts)
            target: Target | None = None
            unit: int | None = None
            # Where nobody knows who asks, or of whom the document is, evidence counts.
            if library.reads(user, doc_id) is not False:
                target = (number, place)
                unit = units[target] = numbers.add(evidence, places)
                counting.append(target)
            doc_ids.append(doc_id)
            pieces.setdefault(doc_id, []).append(Piece(evidence, places, target, unit))
        if counting:
            groups.append(tuple(counting))
    gains = _graded(case, library, numbers, pieces)
    for negative in case.hard_negatives:
        piece = Piece(negative.evidence, places_of(negative.evidence.parts), negative=negative.reason)
        pieces.setdefault(negative.evidence.doc_id, []).append(piece)
    return Gold(
        pieces=pieces,
        groups=tuple(groups),
        units=units,
        gains=gains,
        doc_ids=tuple(doc_ids),
        excluded=_excluded(case, bool(groups), today),
    )


def _graded(case: Case, library: Library, numbers: _Numbers, pieces: dict[str, list[Piece]]) -> tuple[int, ...]:
    """Grades of all passages; passages that are only graded are added behind those of evidence."""
    gains = [FULL] * numbers.count
    told: dict[int, int] = {}
    for grade in case.grades:
        evidence, value = grade.evidence, grade.grade
        places = places_of(evidence.parts)
        unit: int | None = None
        if library.reads(case.user_context, evidence.doc_id) is not False:
            unit = numbers.find(evidence, places)
            if unit is None and value:
                unit = numbers.add(evidence, places)
                gains.append(0)
            if unit is not None:
                told[unit] = max(value, told.get(unit, 0))
        _add_graded(pieces.setdefault(evidence.doc_id, []), evidence, places, unit)
    for unit, value in told.items():
        gains[unit] = value
    return tuple(gains)


def _add_graded(known: list[Piece], evidence: Evidence, places: Places, unit: int | None) -> None:
    for one in known:
        # Graded evidence stands there already.
        if one.unit == unit and one.places == places:
            return
    known.append(Piece(evidence, places, None, unit))


def _excluded(case: Case, counts: bool, today: date | None) -> str:
    if not case.answerable:
        return "unanswerable"
    if expired(case, today):
        return "expired"
    if not case.evidence_groups:
        return "no_evidence"
    return "" if counts else "acl_excluded"


def expired(case: Case, today: date | None) -> bool:
    """Asked on a day on which its answer does not hold."""
    day = case.as_of or today
    if day is None:
        return False
    return (case.valid_from is not None and day < case.valid_from) or (
        case.valid_to is not None and day > case.valid_to
    )


def access_told(case: Case, library: Library) -> bool:
    """It is known who asks, and something is not for everybody."""
    return library.restricted and told_who(case.user_context)
