"""What can be derived for a new case: its risk, what must not be said, passages that look right and are not."""

from collections.abc import Iterator, Mapping, Sequence

from builder.checks import CheckContext
from builder.checks.reading.compare import Fact, facts, stands
from builder.checks.reading.source import place_of
from builder.checks.reading.statements import exceptions
from builder.checks.reading.wording import coverage, shared, terms
from builder.checks.rival import Rival, rivals
from builder.generate.evidence import evidence_at
from builder.generate.negatives import propose
from builder.model.case import Case, Grade, Status
from builder.model.chunk import Chunk, ChunkKind
from builder.model.claim import Claim, LiteralCheck, NumberCheck
from builder.text.fold import folded
from builder.text.numbers import quantities
from builder.text.sentences import sentences
from builder.words import words

_FORBIDDEN = 2
"""Values of rivals that are forbidden, at most: those worded most like the evidence."""
_HELPFUL = 2
"""Sentences beside the evidence that get a grade, at most."""
_ON_TOPIC = 0.4
"""Share of the question that a sentence speaks of which helps to understand the answer."""


def enrich(case: Case, context: CheckContext, risks: Mapping[str, tuple[str, ...]]) -> Case:
    """The case with everything that a program can add to it; what it has already stays."""
    case = case.replace(risk=case.risk or _risk(case, risks))
    if not case.answerable:
        return case.replace(acceptable_status=case.acceptable_status or (Status.REFUSE,))
    if not case.evidence:
        return case
    found = rivals(case, context)
    return case.replace(
        must_not_claims=_forbidden(case, context, found),
        grades=case.grades or tuple(_helpful(case, context, found)),
        hard_negatives=case.hard_negatives or propose(case, context),
    )


def _risk(case: Case, risks: Mapping[str, tuple[str, ...]]) -> str | None:
    """The first risk one of whose words stands in question or answer."""
    text = folded(f"{case.question} {case.ground_truth}")
    return next((risk for risk, words in risks.items() if any(folded(word) in text for word in words)), None)


def _forbidden(case: Case, context: CheckContext, found: Sequence[Rival]) -> tuple[Claim, ...]:
    """What the case forbids already, the values of rivals, and the rule without its exception; each once.

    Where the question means a rival (check `rival` warns), its value may be the right one: then none is forbidden.
    """
    wrong = [] if any(one.fits for one in found) else [one for one in found if one.facts and one.alike]
    claims = [
        *case.must_not_claims,
        *(claim for one in wrong[:_FORBIDDEN] for claim in _values(case, one)),
        *_bare_rules(case, context),
    ]
    # One claim a value: a type may have forbidden it already, in other words.
    return tuple({str(claim.check or claim.text): claim for claim in reversed(claims)}.values())[::-1]


def _values(case: Case, rival: Rival) -> Iterator[Claim]:
    for fact in rival.facts:
        if not stands(fact, (case.ground_truth, case.question)):
            yield Claim(text=rival.piece.text, critical=True, check=_check(fact))


def _check(fact: Fact) -> NumberCheck | LiteralCheck:
    """How a program tells that an answer states the fact."""
    found = quantities(fact.written)
    if fact.kind == "number" and len(found) == 1:
        unit = found[0].unit
        # A cell takes its unit from the name of its column.
        value, unit = (found[0].value, unit) if unit or not fact.unit else (fact.value, fact.unit)
        return NumberCheck(value=format(value, "f"), unit=unit)
    return LiteralCheck(any_of=(fact.written,))


def _bare_rules(case: Case, context: CheckContext) -> Iterator[Claim]:
    """The rule without its exception, where question or answer are about the exception."""
    meant = terms(f"{case.question}\n{case.ground_truth}")
    for evidence in case.evidence:
        chunk = context.chunks.chunk_of(evidence)
        for rule, exception in exceptions(evidence.quote):
            own = {term: weight for term, weight in terms(exception).items() if term not in terms(rule)}
            if chunk and shared(own, meant) >= 1.0:
                say = words(chunk.language)
                yield Claim(text=say("generate.without_exception", rule=rule, exception=exception), critical=True)


def _helpful(case: Case, context: CheckContext, found: Sequence[Rival]) -> Iterator[Grade]:
    """Sentences of the same passage that are about what is asked and do not answer it."""
    chunks = [chunk for evidence in case.evidence if (chunk := context.chunks.chunk_of(evidence))]
    for chunk in {chunk.chunk_id: chunk for chunk in chunks}.values():
        if chunk.kind is ChunkKind.TEXT:
            for start, end in _beside(case, chunk, found)[:_HELPFUL]:
                yield Grade(evidence=evidence_at(chunk, start, end), grade=1)


def _beside(case: Case, chunk: Chunk, found: Sequence[Rival]) -> list[tuple[int, int]]:
    taken = [place_of(one, chunk) for one in case.evidence]
    taken += [(one.piece.start, one.piece.end) for one in found if one.chunk.chunk_id == chunk.chunk_id and one.facts]
    rows = []
    for start, end in sentences(chunk.text):
        text = chunk.text[start:end]
        if text in chunk.section or any(start < high and low < end for low, high in taken):
            continue
        share = coverage(terms(case.question), terms(text))
        if share >= _ON_TOPIC and not any(stands(fact, (text,)) for fact in facts(case.ground_truth)):
            rows.append((-share, start, end))
    return [(start, end) for _, start, end in sorted(rows)]
