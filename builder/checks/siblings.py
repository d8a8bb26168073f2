"""Check `siblings`: other passages of the corpus that hold the same answer, or the same wording with other numbers.

A passage that carries the answer too must count as right: else a system that finds it is told that it missed. It is
looked for by the text of the quote, by the rarest fact of the answer and by BM25. It is one only where a single line of
it holds all facts that the evidence gives to the answer, speaks of what the question asks nearly as much as that does,
and denies nothing of it. One that says the like with another value is a conflict, unless it is another version.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from builder.checks.context import CheckContext
from builder.checks.corpus import Corpus
from builder.checks.reading.compare import facts, measures, same
from builder.checks.reading.letters import alike, glance, letters, plain, spoken
from builder.checks.reading.lines import Line, about, evidence_of, lines
from builder.checks.reading.numerals import numerals
from builder.checks.reading.wanted import (
    Wanted,
    agrees,
    may_hold,
    may_speak,
    other_version,
    speaks_of,
    wanted_of,
    without,
)
from builder.checks.reading.wording import Terms, coverage, terms
from builder.checks.verdict import passed, warned
from builder.model.access import may_read
from builder.model.case import Case, CheckResult, Evidence
from builder.model.chunk import Chunk

NAME = "siblings"
How = Literal["quote", "facts", "words", "conflict", "other_version"]

_CANDIDATES = 20
"""Passages that BM25 gives."""
_ALIKE = 40
"""Similarity of the letters of two lines from which their words are compared."""
_WORDING = 0.6
"""Of two lines in conflict each has so much of the other's words, facts aside."""
_GLANCE = 0.6 * _WORDING
"""Share of the evidence's words from which a passage is read for conflicts: letters miss other forms of words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sibling:
    """Another passage that holds the answer, or contradicts it."""

    evidence: Evidence
    """The line that holds it."""
    chunk: Chunk
    """Where it stands."""
    how: How
    """How it was found: by the quote, by facts, by words; or what is wrong with it: conflict, other_version."""
    agrees: bool
    """It holds the answer; false: it has other numbers."""
    group: int = 0
    """The evidence group that it would join or contradicts."""

    @property
    def proposed(self) -> bool:
        """It is as good as the evidence."""
        return self.agrees and self.how != "other_version"


def check(case: Case, context: CheckContext) -> CheckResult | None:
    """Warn: a passage contradicts the evidence. Passages that agree are named in a pass; none without a corpus."""
    if context.corpus is None or not case.answerable or not case.evidence:
        return None
    found = siblings(case, context)
    against = next((one for one in found if one.how == "conflict"), None)
    if against is not None:
        return warned(NAME, "sibling_conflict", quote=against.evidence.quote[:120], document=against.chunk.doc_id)
    same_answer = [one for one in found if one.proposed]
    if same_answer:
        documents = ", ".join(dict.fromkeys(one.chunk.doc_id for one in same_answer))
        return passed(NAME, "sibling_found", count=str(len(same_answer)), documents=documents)
    older = next((one for one in found), None)
    return passed(NAME, "sibling_version", document=older.chunk.doc_id) if older else passed(NAME)


def siblings(case: Case, context: CheckContext) -> tuple[Sibling, ...]:
    """The siblings of the evidence of a case: those that agree first, then conflicts, each in reading order.

    What the case names already, and what its user may not read, is left out; nothing without a corpus.
    """
    corpus = context.corpus
    if corpus is None or not case.answerable:
        return ()
    looked_at = (case.question, case.ground_truth, case.evidence_groups, case.user_context)
    return context.once(NAME, looked_at, lambda: _all(case, context, corpus))


def _all(case: Case, context: CheckContext, corpus: Corpus) -> tuple[Sibling, ...]:
    found = [one for wanted in wanted_of(case, context) for one in _siblings(case, wanted, corpus)]
    return tuple(sorted(found, key=lambda one: (one.group, not one.proposed, not one.agrees)))


def _siblings(case: Case, wanted: Wanted, corpus: Corpus) -> Iterator[Sibling]:
    own = {evidence for group in case.evidence_groups for evidence in group}
    for chunk, how in _candidates(wanted, corpus).values():
        if not may_read(case.user_context, chunk.metadata) or any(_within(chunk, evidence) for evidence in own):
            continue
        one = _in_chunk(wanted, chunk, how)
        if one is not None and one.evidence not in own:
            yield one


def _candidates(wanted: Wanted, corpus: Corpus) -> dict[str, tuple[Chunk, How]]:
    """Where a sibling may stand, by chunk; the surest way to have found it counts."""
    held = [corpus.writing(fact) for fact in wanted.facts]
    rarest = min((chunks for chunks in held if chunks), key=len, default=())
    by_words = (chunk for chunk, _ in corpus.find(f"{wanted.question} {wanted.answer}", _CANDIDATES))
    ways: Sequence[tuple[How, Iterable[Chunk]]] = (
        ("quote", corpus.quoting(wanted.quote)),
        ("facts", rarest),
        ("words", by_words),
    )
    found: dict[str, tuple[Chunk, How]] = {}
    for how, chunks in ways:
        for chunk in chunks:
            found.setdefault(chunk.chunk_id, (chunk, how))
    return found


def _within(chunk: Chunk, evidence: Evidence) -> bool:
    return chunk.doc_id == evidence.doc_id and chunk.holds(evidence.reading_id, evidence.parts)


def _in_chunk(wanted: Wanted, chunk: Chunk, how: How) -> Sibling | None:
    """The best line of a chunk that agrees; else one that is in conflict."""
    apart = other_version(wanted.home, chunk)
    against: Evidence | None = None
    best: tuple[float, Evidence] | None = None
    for line in _worth_reading(wanted, chunk):
        right = agrees(wanted, chunk, line)
        if not right and (against is not None or not conflicts(wanted, chunk, line)):
            continue
        evidence = evidence_of(chunk, line.start, line.end)
        if evidence is not None and right:
            share = coverage(wanted.asked, terms(plain(line.text)))
            best = max(best or (-1.0, evidence), (share, evidence), key=lambda row: row[0])
        elif evidence is not None:
            against = evidence
    if best is not None:
        way: How = "other_version" if apart else how
        return Sibling(evidence=best[1], chunk=chunk, how=way, agrees=True, group=wanted.group)
    if against is not None:
        way = "other_version" if apart else "conflict"
        return Sibling(evidence=against, chunk=chunk, how=way, agrees=False, group=wanted.group)
    return None


def _worth_reading(wanted: Wanted, chunk: Chunk) -> Iterator[Line]:
    """The lines of a chunk that may hold the answer, or another value instead of it; none where it has none at all."""
    if may_speak(wanted, chunk) and (wanted.folded in letters(chunk.text) or _may_answer(wanted, chunk)):
        yield from (line for line in lines(chunk) if may_speak(wanted, chunk, line))


def _may_answer(wanted: Wanted, chunk: Chunk) -> bool:
    """True where a chunk may hold the facts of the answer, or words that are like the evidence and other numbers."""
    if not wanted.facts or may_hold(wanted, chunk.text):
        return True
    return bool(numerals(chunk.text)) and glance(wanted.wording, spoken(chunk.text), _GLANCE * wanted.worded)


def conflicts(wanted: Wanted, chunk: Chunk, line: Line) -> bool:
    """True where a line says the like of the same thing with another value."""
    if not wanted.facts or not numerals(line.text) or not alike(wanted.quote, line.text, _ALIKE):
        return False
    text, around = plain(line.text), plain(about(chunk, line))
    kinds = {measures(fact) for fact in wanted.facts if fact.is_number}
    others = [fact for fact in facts(text) if measures(fact) in kinds]
    if not others or any(same(fact, one) for fact in wanted.facts for one in others):
        return False
    return speaks_of(wanted, text, around) and _like_wording(wanted, text)


def _like_wording(wanted: Wanted, text: str) -> bool:
    own, other = _worded(wanted.quote), _worded(text)
    return min(coverage(own, other), coverage(other, own)) >= _WORDING


def _worded(text: str) -> Terms:
    """The terms of a text without the values in it."""
    return without(terms(text), "=")
