"""Questions that the documents do not answer: near to what they hold (in-domain), or about something else."""

from collections import Counter
from collections.abc import Iterator, Sequence

from builder.generate.evidence import evidence_at
from builder.generate.material import Material
from builder.generate.tasks import Call
from builder.generate.terms import best_place, held, share, terms
from builder.generate.types import Accepted, Unit
from builder.generate.types.asked_kind import asked_kind, holds_kind
from builder.generate.types.variants import refusing
from builder.model.case import Case, HardNegative, NegativeReason
from builder.model.chunk import Chunk
from builder.text.sentences import sentences

IN_DOMAIN, OUT_OF_DOMAIN = "in_domain", "out_of_domain"
_LOOKED_AT = 10
"""Passages of the whole corpus that are read for an answer, best first by BM25."""
_NEGATIVES = 3
_PASSAGE, _SENTENCES = 50, 34
"""Per cent of the question's terms that a passage with its headings, and two neighbouring sentences in it, must hold
for a fact of the asked kind in them to count as an answer. Low on purpose, a doubtful question is refused: of 102
paraphrased questions with an answer in the sample documents 59 are seen (24 at 75 and 50), of 30 without one 9."""
_SENTENCES_ANY = 50
"""The same where the question does not tell which kind of fact it asks for: then its words alone must show it."""
_FOREIGN = 34
"""Per cent of the terms from which a question is not out of the domain."""
_EVERY = 4
"""One passage in so many gives a question out of the domain too."""


def units(material: Material) -> Iterator[Unit]:
    """Each passage, for a neighbouring fact that it does not hold; each fourth one also for another domain.

    Fact `_domain`: in_domain or out_of_domain; it becomes a tag of the case.
    """
    for chunk in material.allowed:
        yield Unit(chunk_ids=(chunk.chunk_id,), facts={"_domain": IN_DOMAIN})
        if chunk.ordinal % _EVERY == 0:
            yield Unit(chunk_ids=(chunk.chunk_id,), facts={"_domain": OUT_OF_DOMAIN})


def accept(cases: Sequence[Case], call: Call, material: Material) -> Accepted:
    """Questions for which no passage of the whole corpus holds an answer, as far as a program can tell.

    Refused: `answered` (the item has an answer), `no_terms` (nothing to look for), `answer_found` (a passage among the
    best holds the question's terms together with a fact of the asked kind), `not_in_domain` (no passage shares a term),
    `in_domain` (asked to be out of the domain, but a passage shares a third of the terms).
    """
    drops: Counter[str] = Counter()
    taken: list[Case] = []
    domain = call.task.facts.get("_domain", IN_DOMAIN)
    for case in cases:
        found = _best(case, material)
        reason = _refusal(case, found, domain)
        if reason:
            drops[reason] += 1
        else:
            taken.append(_made(case, found, domain, material))
    return Accepted(cases=tuple(taken), drops=dict(drops))


def best_passages(case: Case, material: Material, limit: int = 5) -> tuple[Chunk, ...]:
    """The passages in which an answer is likeliest, best first: those that may be sent and that the user may read.

    They follow from question and corpus alone, so that a later call that reads them can be made again.
    """
    allowed = {chunk.chunk_id for chunk in material.allowed}
    found = (chunk for chunk, _ in material.corpus.find(case.question, limit + _LOOKED_AT))
    readable = (c for c in found if c.chunk_id in allowed and material.may_read(case.user_context, c.metadata))
    return tuple(readable)[:limit]


def answer_in(question: str, chunk: Chunk) -> str:
    """The sentences of a passage that seem to answer a question; empty where none do. See `_PASSAGE` for the rule."""
    wanted, kind = terms(question), asked_kind(question)
    if share(wanted, _with_headings(chunk)) < _PASSAGE:
        return ""
    bar = _SENTENCES_ANY if kind == "any" else _SENTENCES
    places = list(sentences(chunk.text))
    for before, (start, end) in zip([(0, 0), *places], places, strict=False):
        near = chunk.text[before[0] : end] if before[1] else chunk.text[start:end]
        if holds_kind(chunk.text[start:end], kind) and share(wanted, near) >= bar:
            return near
    return ""


def _best(case: Case, material: Material) -> tuple[Chunk, ...]:
    """Of the whole corpus, also what the user may not read: strict, because rights change and documents stay."""
    return tuple(chunk for chunk, _ in material.corpus.find(case.question, _LOOKED_AT))


def _refusal(case: Case, found: Sequence[Chunk], domain: str) -> str:
    wanted = terms(case.question)
    if case.answerable:
        return "answered"
    if not wanted:
        return "no_terms"
    if any(answer_in(case.question, chunk) for chunk in found):
        return "answer_found"
    nearest = max((share(wanted, _with_headings(chunk)) for chunk in found), default=0)
    if domain == IN_DOMAIN:
        return "" if nearest else "not_in_domain"
    return "in_domain" if nearest >= _FOREIGN else ""


def _made(case: Case, found: Sequence[Chunk], domain: str, material: Material) -> Case:
    wanted = terms(case.question)
    near = [c for c in found if held(wanted, _with_headings(c)) and material.may_read(case.user_context, c.metadata)]
    return refusing(
        case,
        as_of=None,
        valid_from=None,
        valid_to=None,
        hard_negatives=tuple(_negative(wanted, chunk) for chunk in near[:_NEGATIVES]),
        tags=(*case.tags, domain),
    )


def _negative(wanted: Sequence[str], chunk: Chunk) -> HardNegative:
    start, end = best_place(wanted, chunk.text, sentences(chunk.text))
    body = "\n".join(line for line in chunk.text.splitlines() if line.strip() not in chunk.section)
    reason = NegativeReason.OTHER if held(wanted, body) else NegativeReason.TITLE_ONLY
    return HardNegative(evidence=evidence_at(chunk, start, end), reason=reason)


def _with_headings(chunk: Chunk) -> str:
    return "\n".join((chunk.metadata.title or "", *chunk.section, chunk.text))
