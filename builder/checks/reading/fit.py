"""How much of a question a clause speaks of, and by how much one clause does so more than another."""

import re
from collections.abc import Sequence

from builder.checks.reading.compare import Fact, facts, measures, same
from builder.checks.reading.letters import alike
from builder.checks.reading.pieces import Piece
from builder.checks.reading.statements import statements
from builder.checks.reading.wording import Terms, shared, stem, terms
from builder.model.case import Case
from builder.model.chunk import Chunk

_AROUND = 0.5
"""What a word counts that stands in the sentence or row of a clause and not in the clause itself."""
_ABOVE = 1.0
"""The same in the headings above it, where the clauses stand under different ones."""
_IN_ROW = 0.8
"""The same in a row of a table, which is about one thing."""
_CARRIED = 0.25
"""What a word counts that only the subject of the first of two clauses of a sentence says: it holds for the second one
too, unless they are worded alike."""
_ALIKE = 50
"""Least similarity of clauses that are like each other."""
_OUTSIDE = 2.0
"""What it counts that the question names a case which a clause leaves out."""
_OTHERS = frozenset({"其他", "其余", "其它", stem("other"), stem("others")})
_NOT = re.compile(r"[不没无未]|\b(?:no|not|never)\b|n['’]t\b", re.IGNORECASE)
_AT_MOST = re.compile(
    r"(?:不超过|不足|低于|未满|少于|最多|至多|\b(?:up to|at most|not more than|no more than|less than|under|"
    r"below|within))\s*$",
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


def ahead(asked: Terms, piece: Piece, chunk: Chunk, own: Piece, home: Chunk) -> float:
    """By how much the question speaks of `piece` more than of `own`.

    Within one sentence or row only their own words tell them apart; within one chunk the sentences too; else headings.
    """
    one_chunk = chunk.chunk_id == home.chunk_id
    if one_chunk and piece.sentence == own.sentence:
        gained, lost = _only_in(asked, piece, own), _only_in(asked, own, piece)
        if piece.start > own.start and not piece.label and not _VERB.search(piece.text):
            return gained - _CARRIED * lost
        if piece.label or like(piece, own):
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


def outside(case: Case, clauses: Sequence[Piece]) -> float:
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


def for_others(asked: Terms, piece: Piece, own: Sequence[Piece]) -> float:
    """_OUTSIDE where a clause is for all others and the question names nothing that the evidence alone is for."""
    if _OTHERS.isdisjoint({*piece.own, *piece.around}) or not all(
        _OTHERS.isdisjoint({*one.own, *one.around}) for one in own
    ):
        return 0.0
    named = {term for one in own for term in (*one.own, *one.around)} - {*piece.own, *piece.around}
    return 0.0 if shared(asked, named) else _OUTSIDE


def like(piece: Piece, own: Piece) -> bool:
    """True where two pieces are worded alike, or are cells of one column or of one row."""
    if own.label or piece.label:
        return own.label == piece.label or (bool(own.label and piece.label) and own.sentence == piece.sentence)
    return alike(own.text, piece.text, _ALIKE)


def _denies(piece: Piece) -> bool:
    return _NOT.search(piece.text) is not None


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
