"""Check `rival`: a clause beside the evidence, with another value, that the question means rather than the evidence.

What small models do most: they read the neighbouring clause. The answer then stands in its evidence word for word, and
only the question's own words tell that another clause was meant.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from builder.checks.context import CheckContext
from builder.checks.reading.compare import Fact, facts, measures, same, stands
from builder.checks.reading.fit import ahead, for_others, like, outside
from builder.checks.reading.pieces import Piece, pieces
from builder.checks.reading.source import place_of
from builder.checks.reading.wording import shared, terms
from builder.checks.verdict import passed, warned
from builder.model.case import Case, CheckResult, Evidence
from builder.model.chunk import Chunk

NAME = "rival"
_SLIGHTLY = 0.5
"""By so much a clause with another value and like wording must fit the question better."""
_PARTLY = 0.6
"""The same for one of other wording in the same sentence."""
_CLEARLY = 1.2
"""The same for one of other wording elsewhere."""
_LIKE = 0.8
"""The same for one of like wording without a value to compare."""
_FAR = 2.5
"""The same for one of other wording without such a value."""
_WHEN = frozenset({"duration", "date"})
"""Either may answer when."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rival:
    """A clause that could be mistaken for the evidence."""

    chunk: Chunk
    """Where it stands."""
    piece: Piece
    """The clause."""
    facts: tuple[Fact, ...]
    """Its values that the answer has otherwise."""
    ahead: float
    """By how much it fits the question better than the evidence does; below 0: worse."""
    alike: bool
    """Its wording is like that of the evidence."""
    joined: bool
    """It stands in the same sentence or row."""

    @property
    def fits(self) -> bool:
        """The question means it rather than the evidence."""
        if self.facts:
            return self.ahead >= (_SLIGHTLY if self.alike else _PARTLY if self.joined else _CLEARLY)
        return self.ahead >= (_LIKE if self.alike else _FAR)


def check(case: Case, context: CheckContext) -> CheckResult | None:
    """Warn: the question fits a rival better than the evidence. A rival that it does not mean is named in a pass."""
    if not case.answerable or not case.evidence:
        return None
    found = rivals(case, context)
    if not found:
        return passed(NAME)
    best = next((one for one in found if one.fits), found[0])
    values = {"rival": best.piece.text[:120], "document": best.chunk.doc_id}
    if best.fits:
        return warned(NAME, "rival_fits", **values)
    return passed(NAME, "rival_beside", **values) if best.facts and best.alike else passed(NAME)


def rivals(case: Case, context: CheckContext) -> tuple[Rival, ...]:
    """The rivals of the evidence of a case, in its chunk, beside it and among the chunks sent; best fit first."""
    return context.once(NAME, (case.question, case.ground_truth, case.evidence), lambda: _all(case, context))


def _all(case: Case, context: CheckContext) -> tuple[Rival, ...]:
    stated = [fact for fact in facts(case.ground_truth) if not stands(fact, (case.question,))]
    found: list[Rival] = []
    for evidence in case.evidence:
        chunk = context.chunks.chunk_of(evidence)
        own = _own(case, evidence, chunk, stated) if chunk else []
        if chunk and own:
            for other in _near(chunk, context):
                found += _of_chunk(case, other, chunk, own, stated)
    return tuple(sorted(found, key=lambda one: (-one.ahead, one.chunk.chunk_id, one.piece.start)))


def _of_chunk(case: Case, chunk: Chunk, home: Chunk, own: Sequence[Piece], stated: Sequence[Fact]) -> Iterator[Rival]:
    asked = terms(case.question)
    for piece in pieces(chunk, stating=bool(stated)):
        values = _values(piece, own, stated, case)
        if values is not None:
            fit = min(ahead(asked, piece, chunk, one, home) for one in own)
            fit += outside(case, own) - outside(case, [piece]) + for_others(asked, piece, own)
            yield Rival(
                chunk=chunk,
                piece=piece,
                facts=values,
                ahead=fit,
                alike=any(like(piece, one) for one in own),
                joined=chunk is home and any(one.sentence == piece.sentence for one in own),
            )


def _own(case: Case, evidence: Evidence, chunk: Chunk, stated: Sequence[Fact]) -> list[Piece]:
    """The pieces of the evidence that the answer rests on: those with its facts, else those with its words."""
    start, end = place_of(evidence, chunk)
    stating = (
        [piece for piece in pieces(chunk, stating=True) if piece.start < end and piece.end > start] if stated else []
    )
    bearing = [piece for piece in stating if any(same(fact, one) for fact in stated for one in piece.facts)]
    if bearing:
        return bearing
    within = [piece for piece in pieces(chunk) if piece.start < end and piece.end > start]
    said = terms(case.ground_truth)
    scores = [shared(said, piece.own) + 0.3 * shared(terms(case.question), piece.own) for piece in within]
    best = max(scores, default=0)
    return [piece for piece, score in zip(within, scores, strict=True) if score >= best * 0.999]


def _near(chunk: Chunk, context: CheckContext) -> Iterator[Chunk]:
    """The chunk, its neighbours in the document, and what else was sent."""
    yield chunk
    seen = {chunk.chunk_id}
    index = context.corpus.index if context.corpus else context.chunks
    for other in (*index.beside(chunk), *context.sent):
        if other.chunk_id not in seen:
            seen.add(other.chunk_id)
            yield other


def _values(piece: Piece, own: Sequence[Piece], stated: Sequence[Fact], case: Case) -> tuple[Fact, ...] | None:
    """The values by which a piece is a rival, empty where the answer has none to compare; none where it is no rival."""
    if any(piece.text == one.text for one in own):
        return None
    if not stated:
        return None if any(piece.text in evidence.quote for evidence in case.evidence) or not piece.own else ()
    kinds = {measures(one) for piece in own for one in piece.facts if any(same(fact, one) for fact in stated)}
    kinds = kinds or {measures(fact) for fact in stated}
    kinds |= _WHEN if kinds & _WHEN else set()
    other = tuple(fact for fact in piece.facts if measures(fact) in kinds and not stands(fact, (case.question,)))
    said = facts(case.ground_truth)
    if not other or all(any(same(fact, one) or same(one, fact) for fact in said) for one in other):
        return None
    wanted = [fact for fact in stated if measures(fact) in kinds]
    met = wanted and all(any(same(fact, one) for one in piece.facts) for fact in wanted)
    return None if met or not piece.own else other
