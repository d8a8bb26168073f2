"""Check `siblings`: other passages of the corpus that hold the same answer, or the same wording with other numbers.

A passage that carries the answer too must count as right: else a system that finds it is told that it missed. It is
looked for by the text of the quote, by the rarest fact of the answer and by BM25. It is one only where a single line of
it holds all facts that the evidence gives to the answer, speaks of what the question asks nearly as much as that does,
and denies nothing of it. One that says the like with another value is a conflict, unless it is another version.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from builder.checks.compare import Fact, facts, measures, same, stands
from builder.checks.context import CheckContext
from builder.checks.corpus import Corpus
from builder.checks.lines import Line, about, evidence_of, lines
from builder.checks.numerals import keys, numerals
from builder.checks.polarity import contradicted
from builder.checks.verdict import passed, warned
from builder.checks.wording import Terms, coverage, terms
from builder.model.access import may_read
from builder.model.case import Case, CheckResult, Evidence
from builder.model.chunk import Chunk
from builder.model.document import DocumentMetadata
from builder.text.fold import folded
from builder.text.negation import negations
from builder.text.similarity import similarity
from builder.text.simplified import simplified

NAME = "siblings"
How = Literal["quote", "facts", "words", "conflict", "other_version"]

_CANDIDATES = 20
"""Passages that BM25 gives."""
_FIT = 0.75
"""A sibling speaks of the question at least so much as the evidence does (share of the evidence's own share)."""
_LEAST = 0.35
"""Share of the question that it speaks of in any case."""
_GLANCE = 0.6
"""Share of that from which a passage is read: words are first looked for as letters, which misses other forms."""
_SAID = 0.6
"""Share of the answer's words that it has where the answer has no facts to go by."""
_ALIKE = 40
"""Similarity of the letters of two lines from which their words are compared."""
_WORDING = 0.6
"""Of two lines in conflict each has so much of the other's words, facts aside."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a line must hold to be as good as one evidence group."""

    question: str
    answer: str
    quote: str
    facts: tuple[Fact, ...]
    """Facts of the answer that the group gives, none of them told by the question."""
    codes: tuple[Fact, ...]
    """Codes of the question that the group speaks of."""
    asked: Terms
    """Terms of the question, codes aside."""
    least: float
    """Share of them that a line must speak of."""
    home: Chunk
    group: int


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
    if context.corpus is None or not case.answerable:
        return ()
    found = [one for wanted in wanted_of(case, context) for one in _siblings(case, wanted, context.corpus)]
    return tuple(sorted(found, key=lambda one: (one.group, not one.proposed, not one.agrees)))


def wanted_of(case: Case, context: CheckContext) -> Iterator[Wanted]:
    """What is wanted of a sibling, by evidence group."""
    question, answer = simplified(case.question), simplified(case.ground_truth)
    said = [fact for fact in facts(answer) if not stands(fact, (question,))]
    for number, group in enumerate(case.evidence_groups):
        home = context.chunks.chunk_of(group[0])
        if home is None:
            continue
        quote = simplified(group[0].quote)
        spoken = "\n".join((quote, *(about(home, line) for line in lines(home) if line.text.strip() in group[0].quote)))
        asked = _without(terms(question), "#")
        yield Wanted(
            question=question,
            answer=answer,
            quote=quote,
            facts=tuple(fact for fact in said if stands(fact, (quote,))),
            codes=tuple(fact for fact in facts(question) if fact.kind == "code" and stands(fact, (quote,))),
            asked=asked,
            least=max(_LEAST, _FIT * coverage(asked, terms(simplified(spoken)))),
            home=home,
            group=number,
        )


def agrees(wanted: Wanted, chunk: Chunk, line: Line) -> bool:
    """True where a line holds the answer as well as the evidence does."""
    text, around = simplified(line.text), simplified(about(chunk, line))
    if folded(wanted.quote) in folded(text):
        return True
    if _lacks_numbers(wanted, text) or not speaks_of(wanted, text, around):
        return False
    if not all(stands(fact, (text,)) for fact in wanted.facts):
        return False
    if not wanted.facts and turned(wanted.quote, text):
        return False
    least = 0.25 if wanted.facts else _SAID
    if coverage(terms(wanted.answer), terms(f"{text}\n{line.asked}")) < least:
        return False
    return contradicted(wanted.question, wanted.answer, text) is None


def turned(one: str, other: str) -> bool:
    """True where one of two texts denies once and the other never; of more negations nobody can tell by counting."""
    return sorted((negations(one), negations(other))) == [0, 1]


def _lacks_numbers(wanted: Wanted, text: str) -> bool:
    """True where the text cannot hold the facts: a quick look, before facts are read out of it."""
    needed = [found for fact in wanted.facts if (found := keys(fact))]
    return bool(needed) and any(map(numerals(text).isdisjoint, needed))


def speaks_of(wanted: Wanted, text: str, around: str) -> bool:
    """True where a line is about what the question asks: its words, and the codes that the evidence speaks of."""
    if not all(stands(code, (text, around)) for code in wanted.codes):
        return False
    return coverage(wanted.asked, terms(f"{text}\n{around}")) >= wanted.least


def glance(wanted: Wanted, text: str, least: float | None = None) -> bool:
    """True where a text may speak of `least` of what the question asks: a quick look for the letters of its words."""
    held = folded(text).replace("i", "y")
    share = sum(weight for term, weight in wanted.asked.items() if term.replace("i", "y") in held)
    return share >= (_GLANCE * wanted.least if least is None else least) * sum(wanted.asked.values())


def other_version(one: Chunk, other: Chunk) -> bool:
    """True where two chunks belong to versions of one document, or to documents that never hold on the same day."""
    left, right = one.metadata, other.metadata
    if one.doc_id == other.doc_id:
        return False
    if left.family and left.family == right.family:
        return True
    return _before(left, right) or _before(right, left)


def _before(one: DocumentMetadata, other: DocumentMetadata) -> bool:
    """True where the first no longer holds when the other begins to."""
    return bool(one.valid_to and other.valid_from and one.valid_to < other.valid_from)


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
    if not glance(wanted, f"{chunk.text}{chunk.metadata.title or ''}{''.join(chunk.section)}"):
        return None
    for line in lines(chunk):
        if not glance(wanted, f"{line.text}{about(chunk, line)}"):
            continue
        evidence = evidence_of(chunk, line.start, line.end)
        if evidence is None:
            continue
        if agrees(wanted, chunk, line):
            share = coverage(wanted.asked, terms(simplified(line.text)))
            best = max(best or (-1.0, evidence), (share, evidence), key=lambda row: row[0])
        elif against is None and conflicts(wanted, chunk, line):
            against = evidence
    if best is not None:
        way: How = "other_version" if apart else how
        return Sibling(evidence=best[1], chunk=chunk, how=way, agrees=True, group=wanted.group)
    if against is not None:
        way = "other_version" if apart else "conflict"
        return Sibling(evidence=against, chunk=chunk, how=way, agrees=False, group=wanted.group)
    return None


def conflicts(wanted: Wanted, chunk: Chunk, line: Line) -> bool:
    """True where a line says the like of the same thing with another value."""
    if not wanted.facts or similarity(wanted.quote, line.text) < _ALIKE or not numerals(line.text):
        return False
    text, around = simplified(line.text), simplified(about(chunk, line))
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
    return _without(terms(text), "=")


def _without(found: Terms, mark: str) -> Terms:
    """Terms without those that `mark` begins: # codes, which are compared by themselves, = numbers."""
    return {term: weight for term, weight in found.items() if not term.startswith(mark)}
