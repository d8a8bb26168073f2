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
    families: frozenset[str]
    """Families of the documents that the evidence comes from."""
    excluded: str
    """Why the case has no figures of ranking; empty where it has."""


def gold_of(case: Case, library: Library, level: Level, today: date | None) -> Gold:
    """What is to be found for a case. `today` stands for the day of the question where the case has none."""
    pieces: dict[str, list[Piece]] = {}
    keys: dict[object, int] = {}
    units: dict[Target, int] = {}
    groups: list[tuple[Target, ...]] = []
    for number, group in enumerate(case.evidence_groups):
        counting: list[Target] = []
        for place, evidence in enumerate(group):
            spots = places_of(evidence.parts)
            target: Target | None = None
            # Where nobody knows who asks, or of whom the document is, evidence counts.
            if library.reads(case.user_context, evidence.doc_id) is not False:
                target = (number, place)
                units[target] = keys.setdefault(_unit(evidence, spots, library, level), len(keys))
                counting.append(target)
            unit = None if target is None else units[target]
            pieces.setdefault(evidence.doc_id, []).append(Piece(evidence, spots, target, unit))
        if counting:
            groups.append(tuple(counting))
    gains = _graded(case, library, level, keys, pieces)
    for negative in case.hard_negatives:
        piece = Piece(negative.evidence, places_of(negative.evidence.parts), negative=negative.reason)
        pieces.setdefault(negative.evidence.doc_id, []).append(piece)
    named = {evidence.doc_id for group in case.evidence_groups for evidence in group}
    return Gold(
        pieces=pieces,
        groups=tuple(groups),
        units=units,
        gains=gains,
        families=frozenset(library.family(doc_id) for doc_id in named),
        excluded=_excluded(case, bool(groups), today),
    )


def _graded(
    case: Case, library: Library, level: Level, keys: dict[object, int], pieces: dict[str, list[Piece]]
) -> tuple[int, ...]:
    """Grades of all passages; passages that are only graded are added behind those of evidence."""
    gains = [FULL] * len(keys)
    told: dict[int, int] = {}
    for grade in case.grades:
        evidence = grade.evidence
        spots = places_of(evidence.parts)
        unit: int | None = None
        if library.reads(case.user_context, evidence.doc_id) is not False:
            key = _unit(evidence, spots, library, level)
            unit = keys.get(key)
            if unit is None and grade.grade:
                unit = keys[key] = len(keys)
                gains.append(0)
            if unit is not None:
                told[unit] = max(grade.grade, told.get(unit, 0))
        known = pieces.setdefault(evidence.doc_id, [])
        # Graded evidence stands there already.
        if not any(one.unit == unit and one.places == spots for one in known):
            known.append(Piece(evidence, spots, None, unit))
    for unit, value in told.items():
        gains[unit] = value
    return tuple(gains)


def _unit(evidence: Evidence, places: Places, library: Library, level: Level) -> object:
    """What a piece of evidence is one of: its chunk, its document, or itself where no chunk holds it."""
    if level == "document":
        return evidence.doc_id
    return library.chunk_at(evidence.reading_id, places) or (evidence.doc_id, evidence.reading_id, places)


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
