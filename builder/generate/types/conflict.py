"""Two versions or two authorities that say different things: which one is right depends on the day of the question."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from builder.generate.evidence import evidence_at
from builder.generate.material import Material
from builder.generate.tasks import Call
from builder.generate.types import Accepted, Unit
from builder.generate.types.rivals import Point, Value, rivals, values_of
from builder.generate.types.versions import Window, family, outranked, ruling_day, same_readers, windows
from builder.model.case import Case, HardNegative, NegativeReason
from builder.model.chunk import Chunk
from builder.model.claim import Claim, NumberCheck
from builder.text.quotes import find_quote

_SIDES = ("1", "2")


def units(material: Material) -> Iterator[Unit]:
    """Pairs of sentences with another value in another version or authority, the one that holds later first.

    Facts: the two sentences, and the day on which each is right. An authority that is outranked is right on no day:
    then the pair gives one case, with the outranked sentence as what must not be said.
    """
    known = windows(material.corpus.chunks)
    for pair in rivals(material.allowed):
        if not same_readers(pair[0].chunk, pair[1].chunk):
            continue
        days = [(ruling_day(mine.chunk, other.chunk, known), mine) for mine, other in (pair, pair[::-1])]
        ruling = sorted(((day, mine) for day, mine in days if day), key=lambda row: row[0], reverse=True)
        if not ruling:
            continue
        points = [mine for _, mine in ruling] + [mine for day, mine in days if day is None]
        yield Unit(
            chunk_ids=tuple(point.chunk.chunk_id for point in points),
            asked=len(ruling),
            facts=_facts(points)
            | {f"_as_of_{side}": day.isoformat() for side, (day, _) in zip(_SIDES, ruling, strict=False)},
        )


def _facts(points: Sequence[Point]) -> dict[str, str]:
    return {f"point_{side}": " ".join(point.text.split()) for side, point in zip(_SIDES, points, strict=True)}


def accept(cases: Sequence[Case], call: Call, material: Material) -> Accepted:
    """One case for each version that is right on some day, all with the same question; else none.

    Refused: `no_conflict` (a case rests on neither passage, on both, or on one that is never right), `equal_values`
    (the sentences do not differ in a value), `outside_window` (the document does not hold on the day), `wrong_version`
    (the answer is the other one's), `no_rival_value` (the answer does not hold the value in which they differ),
    `names_version` (the question gives the version away), `half_pair`.
    """
    drops: Counter[str] = Counter()
    known = windows(material.corpus.chunks)
    sides = [side for side in _SIDES if f"_as_of_{side}" in call.task.facts]
    found: dict[str, Case] = {}
    for case in cases:
        side = _side(case, call, material)
        reason = _refusal(case, side, call, known)
        if reason or side in found:
            drops[reason or "no_conflict"] += 1
        else:
            found[side] = case
    if len(found) < len(sides):
        drops.update({"half_pair": len(found)} if found else {})
        return Accepted(cases=(), drops=dict(drops))
    first = found[sides[0]]
    made = tuple(_made(found[side], side, first, call) for side in sides)
    joined = first.case_id if len(made) > 1 else ""
    return Accepted(cases=tuple(case.replace(family=joined) for case in made), drops=dict(drops))


def _side(case: Case, call: Call, material: Material) -> str:
    """The passage on which all evidence of the case rests, and which holds on some day; else empty."""
    homes = {chunk.chunk_id if (chunk := material.corpus.index.chunk_of(e)) else "" for e in case.evidence}
    if len(homes) != 1:
        return ""
    return next((side for side, chunk in zip(_SIDES, call.chunks, strict=False) if {chunk.chunk_id} == homes), "")


def _refusal(case: Case, side: str, call: Call, known: Mapping[str, Window]) -> str:
    said = values_of(case.ground_truth)
    if not side or not case.answerable or f"_as_of_{side}" not in call.task.facts:
        # Where the named passage does not hold the facts of the answer, the case comes without evidence.
        rival = not case.evidence and any(said & _values(call, one)[0] for one in _SIDES)
        return "wrong_version" if rival else "no_conflict"
    mine, other = _values(call, side)
    if not mine or not other:
        return "equal_values"
    if not known[_chunk(call, side).doc_id].holds(_day(call, side)):
        return "outside_window"
    if said & other and not said & mine:
        return "wrong_version"
    if not said & mine or said & other:
        return "no_rival_value"
    return "names_version" if any(_names(case.question, chunk) for chunk in call.chunks) else ""


def _names(question: str, chunk: Chunk) -> bool:
    """True where a question names the version of a chunk; a label of one character is too short to tell."""
    label = chunk.metadata.version_label or ""
    pattern = rf"(?<![0-9A-Za-z]){re.escape(label)}(?![0-9A-Za-z])"
    return len(label) > 1 and re.search(pattern, question, re.IGNORECASE) is not None


def _made(case: Case, side: str, first: Case, call: Call) -> Case:
    rival = _other(side)
    text = call.task.facts[f"point_{rival}"]
    _, others = _values(call, side)
    return case.replace(
        question=first.question,
        as_of=_day(call, side),
        must_not_claims=tuple(
            Claim(text=text, critical=True, check=NumberCheck(value=value, unit=unit)) for value, unit in sorted(others)
        ),
        hard_negatives=_negatives(call, side),
    )


def _negatives(call: Call, side: str) -> tuple[HardNegative, ...]:
    """The sentence of the other passage."""
    mine, other = _chunk(call, side), _chunk(call, _other(side))
    match = find_quote(call.task.facts[f"point_{_other(side)}"], other.text)
    if match is None:
        return ()
    reason = NegativeReason.WRONG_TIME
    if family(mine) == family(other):
        reason = NegativeReason.WRONG_VERSION
    elif outranked(other, mine):
        reason = NegativeReason.LOW_AUTHORITY
    return (HardNegative(evidence=evidence_at(other, match.start, match.end), reason=reason),)


def _values(call: Call, side: str) -> tuple[frozenset[Value], frozenset[Value]]:
    """The values that only this side has, and those that only the other one has."""
    mine, other = (values_of(call.task.facts.get(f"point_{one}", "")) for one in (side, _other(side)))
    return mine - other, other - mine


def _other(side: str) -> str:
    return _SIDES[1 - _SIDES.index(side)]


def _chunk(call: Call, side: str) -> Chunk:
    return call.chunks[_SIDES.index(side)]


def _day(call: Call, side: str) -> date:
    return date.fromisoformat(call.task.facts[f"_as_of_{side}"])
