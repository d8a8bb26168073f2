"""What a passage must hold to be as good as one evidence group of a case; for siblings and for hard negatives."""

from collections.abc import Iterator
from dataclasses import dataclass

from builder.checks.context import CheckContext
from builder.checks.reading.compare import Fact, facts, stands
from builder.checks.reading.letters import glance, letters, plain, sought, spoken
from builder.checks.reading.lines import Line, about, lines
from builder.checks.reading.numerals import keys, numerals
from builder.checks.reading.polarity import contradicted
from builder.checks.reading.wording import Terms, coverage, terms
from builder.model.case import Case
from builder.model.chunk import Chunk
from builder.model.document import DocumentMetadata
from builder.text.negation import negations

_FIT = 0.75
"""A sibling speaks of the question at least so much as the evidence does (share of the evidence's own share)."""
_LEAST = 0.35
"""Share of the question that it speaks of in any case."""
_GLANCE = 0.6
"""Share of that from which a passage is read: words are first looked for as letters, which misses other forms."""
_SAID = 0.6
"""Share of the answer's words that it has where the answer has no facts to go by."""
Letters = tuple[tuple[str, float], ...]


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
    letters: Letters
    """The terms of `asked` as letters to look for."""
    whole: float
    """Their weight."""
    folded: str
    """The quote, folded."""
    numbers: tuple[frozenset[str], ...]
    """For each fact the numerals one of which is written where it stands."""
    wording: Letters
    """The terms of the quote, values aside, as letters to look for."""
    worded: float
    """Their weight."""


def wanted_of(case: Case, context: CheckContext) -> tuple[Wanted, ...]:
    """What is wanted of a sibling, by evidence group."""
    looked_at = (case.question, case.ground_truth, case.evidence_groups)
    return context.once("wanted", looked_at, lambda: tuple(_wanted(case, context)))


def _wanted(case: Case, context: CheckContext) -> Iterator[Wanted]:
    question, answer = plain(case.question), plain(case.ground_truth)
    said = [fact for fact in facts(answer) if not stands(fact, (question,))]
    for number, group in enumerate(case.evidence_groups):
        home = context.chunks.chunk_of(group[0])
        if home is None:
            continue
        quote = plain(group[0].quote)
        said_there = "\n".join(
            (quote, *(about(home, line) for line in lines(home) if line.text.strip() in group[0].quote))
        )
        asked = without(terms(question), "#")
        wording = without(terms(quote), "=")
        given = tuple(fact for fact in said if stands(fact, (quote,)))
        yield Wanted(
            question=question,
            answer=answer,
            quote=quote,
            facts=given,
            codes=tuple(fact for fact in facts(question) if fact.kind == "code" and stands(fact, (quote,))),
            asked=asked,
            least=max(_LEAST, _FIT * coverage(asked, terms(plain(said_there)))),
            home=home,
            group=number,
            letters=sought(asked),
            whole=sum(asked.values()),
            folded=letters(quote),
            wording=sought(wording),
            worded=sum(wording.values()),
            numbers=tuple(found for fact in given if (found := keys(fact))),
        )


def agrees(wanted: Wanted, chunk: Chunk, line: Line) -> bool:
    """True where a line holds the answer as well as the evidence does."""
    if wanted.folded in letters(line.text):
        return True
    if not may_hold(wanted, line.text):
        return False
    text, around = plain(line.text), plain(about(chunk, line))
    if not speaks_of(wanted, text, around):
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


def may_hold(wanted: Wanted, text: str) -> bool:
    """False where the text cannot hold the facts: a quick look, before facts are read out of it."""
    return not (wanted.numbers and any(map(numerals(text).isdisjoint, wanted.numbers)))


def speaks_of(wanted: Wanted, text: str, around: str) -> bool:
    """True where a line is about what the question asks: its words, and the codes that the evidence speaks of."""
    if not all(stands(code, (text, around)) for code in wanted.codes):
        return False
    return coverage(wanted.asked, terms(f"{text}\n{around}")) >= wanted.least


def may_speak(wanted: Wanted, chunk: Chunk, line: Line | None = None, least: float | None = None) -> bool:
    """True where a line, or a chunk, may speak of `least` of what the question asks: a quick look at letters."""
    held = spoken(line.text) + spoken(about(chunk, line)) if line else spoken(chunk.text) + spoken(_titles(chunk))
    return glance(wanted.letters, held, (_GLANCE * wanted.least if least is None else least) * wanted.whole)


def _titles(chunk: Chunk) -> str:
    return f"{chunk.metadata.title or ''}{''.join(chunk.section)}"


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


def without(found: Terms, mark: str) -> Terms:
    """Terms without those that `mark` begins: # codes, which are compared by themselves, = numbers."""
    return {term: weight for term, weight in found.items() if not term.startswith(mark)}
