"""Check `rival`: a clause beside the evidence, with like wording and another value, that the question means just as well.

What small models do most: they read the neighbouring clause. The answer then stands in its evidence word for word, and
only the question's own words tell that another clause was meant.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from builder.checks.compare import Fact, facts, measures, same, stands
from builder.checks.context import CheckContext
from builder.checks.pieces import Piece, pieces
from builder.checks.polarity import statements
from builder.checks.source import place_of
from builder.checks.verdict import passed, warned
from builder.checks.wording import Terms, shared, stem, terms
from builder.model.case import Case, CheckResult, Evidence
from builder.model.chunk import Chunk
from builder.text.similarity import similarity

NAME = "rival"
_AROUND = 0.5
"""What a word counts that stands in the sentence or row of a clause and not in the clause itself."""
_ABOVE = 1.0
"""The same in the headings above it, where the clauses stand under different ones."""
_IN_ROW = 0.8
"""The same in a row of a table, which is about one thing."""
_CARRIED = 0.25
"""What a word counts that only the subject of the first of two clauses of a sentence says, where they are not worded
alike: it holds for the second one too."""
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
_ALIKE = 50
"""Least similarity of clauses that are like each other."""


_OUTSIDE = 2.0
"""What it counts that the question names a case which a clause leaves out."""
_OTHERS = frozenset({"其他", "其余", "其它", stem("other"), stem("others")})
_NOT = re.compile(r"[不没无未]|\b(?:no|not|never)\b|n['’]t\b", re.IGNORECASE)
_AT_MOST = re.compile(
    r"(?:不超过|不足|低于|未满|少于|最多|至多|\b(?:up to|at most|not more than|no more than|less than|under|below|within))\s*$",
    re.I,
)
_MORE_THAN = re.compile(
    r"(?:超过|高于|至少|不低于|多于|满|\b(?:more than|over|above|at least|exceed(?:s|ing)?|longer than))\s*$", re.I
)
_AND_BELOW = re.compile(r"\s*(?:以内|以下|之内|内)")
_AND_ABOVE = re.compile(r"\s*(?:以上|or (?:more|longer|older))")
_VERB = re.compile(
    r"\b(?:is|are|was|were|may|can|must|has|have|do|does|will|pays?|gets?|takes?|receives?|\w+ed)\b|[\u4e00-\u9fff]",
    re.I,
)


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
    asked, said = terms(case.question), facts(case.ground_truth)
    stated = [fact for fact in said if not stands(fact, (case.question,))]
    found: list[Rival] = []
    for evidence in case.evidence:
        chunk = context.chunks.chunk_of(evidence)
        own = chunk and _own(case, evidence, chunk, stated)
        if chunk is None or not own:
            continue
        for other in _near(chunk, context):
            for piece in pieces(other):
                rival = _rival(piece, own, stated, said, _quotes(case), case.question)
                if rival is not None:
                    ahead = min(_ahead(asked, piece, other, one, chunk) for one in own)
                    ahead += _outside(case, own) - _outside(case, [piece])
                    ahead += _for_others(asked, piece, own)
                    found.append(
                        Rival(
                            chunk=other,
                            piece=piece,
                            facts=rival,
                            ahead=ahead,
                            alike=any(_like(piece, one) for one in own),
                            joined=other is chunk and any(one.sentence == piece.sentence for one in own),
                        )
                    )
    return tuple(sorted(found, key=lambda one: (-one.ahead, one.chunk.chunk_id, one.piece.start)))


def _quotes(case: Case) -> tuple[str, ...]:
    return tuple(evidence.quote for evidence in case.evidence)


def _own(case: Case, evidence: Evidence, chunk: Chunk, stated: Sequence[Fact]) -> list[Piece]:
    """The pieces of the evidence that the answer rests on: those with its facts, else those with its words."""
    start, end = place_of(evidence, chunk)
    within = [piece for piece in pieces(chunk) if piece.start < end and piece.end > start]
    bearing = [piece for piece in within if any(same(fact, one) for fact in stated for one in piece.facts)]
    if bearing:
        return bearing
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


def _rival(
    piece: Piece,
    own: Sequence[Piece],
    stated: Sequence[Fact],
    said: Sequence[Fact],
    quotes: Sequence[str],
    question: str,
) -> tuple[Fact, ...] | None:
    """The values by which a piece is a rival; none where it is none."""
    if any(piece.text == one.text for one in own) or not piece.own:
        return None
    if not stated:
        return () if not any(piece.text in quote for quote in quotes) else None
    kinds = {measures(one) for piece in own for one in piece.facts if any(same(fact, one) for fact in stated)}
    kinds = kinds or {measures(fact) for fact in stated}
    if kinds & _WHEN:
        kinds |= _WHEN
    other = tuple(fact for fact in piece.facts if measures(fact) in kinds and not stands(fact, (question,)))
    if not other or all(any(same(fact, one) or same(one, fact) for fact in said) for one in other):
        return None
    wanted = [fact for fact in stated if measures(fact) in kinds]
    return None if wanted and all(any(same(fact, one) for one in piece.facts) for fact in wanted) else other


def _ahead(asked: Terms, piece: Piece, chunk: Chunk, own: Piece, home: Chunk) -> float:
    """By how much the question speaks of `piece` more than of `own`.

    Within one sentence or row only their own words tell them apart; within one chunk the sentences too; else headings.
    """
    one_chunk = chunk.chunk_id == home.chunk_id
    if one_chunk and piece.sentence == own.sentence:
        gained, lost = _only_in(asked, piece, own), _only_in(asked, own, piece)
        if piece.start > own.start and not piece.label and not _VERB.search(piece.text):
            return gained - _CARRIED * lost
        if piece.label or _like(piece, own):
            return gained - lost
        first, second = (piece, own) if piece.start < own.start else (own, piece)
        if _only_in(asked, second, first, subject=True) >= 1.0:
            return _CARRIED * gained - lost if second is own else gained - _CARRIED * lost
        if piece.start < own.start:
            return gained - (1 - _CARRIED) * _only_in(asked, piece, own, subject=True) - lost
        return gained - lost + (1 - _CARRIED) * _only_in(asked, own, piece, subject=True)
    if one_chunk:
        return _fit(asked, piece, {}) - _fit(asked, own, {})
    return _fit(asked, piece, _above(chunk)) - _fit(asked, own, _above(home))


def _outside(case: Case, clauses: Sequence[Piece]) -> float:
    """_OUTSIDE where the question names a case that the clauses leave out: four years, and contracts of up to three."""
    asked = [fact for fact in facts(case.question) if fact.kind == "number"]
    denied = [one.denied for one in statements(case.question) if one.denied]
    said = facts(case.ground_truth)
    for piece in clauses:
        for fact in piece.facts:
            if any(same(one, fact) for one in said):
                continue
            if any(_breaks(one, fact, piece) for one in asked):
                return _OUTSIDE
        if any(len(words) <= 2 and shared(words, piece.own) >= 1.0 for words in denied) and not _denies(piece):
            return _OUTSIDE
    return 0.0


def _denies(piece: Piece) -> bool:
    return _NOT.search(piece.text) is not None


def _for_others(asked: Terms, piece: Piece, own: Sequence[Piece]) -> float:
    """_OUTSIDE where a clause is for all others and the question names nothing that the evidence alone is for."""
    if _OTHERS.isdisjoint({*piece.own, *piece.around}) or not all(
        _OTHERS.isdisjoint({*one.own, *one.around}) for one in own
    ):
        return 0.0
    named = {term for one in own for term in (*one.own, *one.around)} - {*piece.own, *piece.around}
    return 0.0 if shared(asked, named) else _OUTSIDE


def _breaks(asked: Fact, bound: Fact, piece: Piece) -> bool:
    """True where a number of the question lies beyond a bound of the clause."""
    if measures(asked) != measures(bound):
        return False
    at = piece.text.find(bound.written)
    before, after = piece.text[max(0, at - 24) : at], piece.text[at + len(bound.written) :][:12]
    ours, theirs = (one.value * (86400 if one.unit == "workday" else 1) for one in (asked, bound))
    if _AT_MOST.search(before) or _AND_BELOW.match(after):
        return ours > theirs
    return (_MORE_THAN.search(before) or _AND_ABOVE.match(after)) is not None and ours < theirs


def _only_in(asked: Terms, piece: Piece, other: Piece, subject: bool = False) -> float:
    """How much of the question stands in `piece` (or in its subject) and not in the other."""
    words = piece.subject if subject else piece.own
    return sum(weight for term, weight in asked.items() if term in words and term not in other.own)


def _fit(asked: Terms, piece: Piece, above: Terms) -> float:
    near = _IN_ROW if piece.label else _AROUND
    fit = 0.0
    for term, weight in asked.items():
        share = 1.0 if term in piece.own else near if term in piece.around else _ABOVE if term in above else 0.0
        fit += weight * share
    return fit


def _above(chunk: Chunk) -> Terms:
    return terms("\n".join((chunk.metadata.title or "", *chunk.section)))


def _like(piece: Piece, own: Piece) -> bool:
    """True where two pieces are worded alike, or are cells of one column or of one row."""
    if own.label or piece.label:
        return own.label == piece.label or (bool(own.label and piece.label) and own.sentence == piece.sentence)
    return similarity(own.text, piece.text) >= _ALIKE
