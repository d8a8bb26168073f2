"""Hard negatives by program: passages that look right for a question and are not, each with its reason.

A passage is one only where it does not carry the answer: no line of it holds the answer's facts about the same thing.
Two ways lead to one: the metadata of its document says that it speaks of another version, time, region or tenant, or is
worth less; or its wording says it: the rule without its exception, the opposite, another entity, a heading without the
answer.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from builder.checks import CheckContext
from builder.checks.corpus import Corpus
from builder.checks.reading.compare import facts, measures, stands
from builder.checks.reading.letters import letters, plain
from builder.checks.reading.lines import Line, about, evidence_of, lines
from builder.checks.reading.numerals import keys, numerals
from builder.checks.reading.wanted import Wanted, agrees, may_speak, other_version, turned, wanted_of
from builder.checks.reading.wording import Terms, coverage, terms
from builder.checks.siblings import siblings
from builder.model.case import Case, HardNegative, NegativeReason
from builder.model.chunk import Chunk
from builder.model.document import DocumentMetadata

_MOST = 3
_CANDIDATES = 12
"""Passages that BM25 gives for the question, and for question and answer."""
_GLANCE = 0.3
"""Share of the question that a passage and a line speak of to be looked at, headings included."""
_ON_TOPIC = 0.5
"""Share of the question, codes and numbers aside, that a passage speaks of (its line, its headings) to look right."""
_LIKE = 0.6
"""Share of the evidence's words, numbers and codes aside, that a line has whose wording is like it."""
_SAID = 0.35
"""Share of the words of an answer without facts from which a line may say the same."""
_HEADING = 0.6
"""Share of the question that a heading holds which promises the answer."""
_RANKS: Mapping[str, int] = MappingProxyType(
    {"official": 4, "manual": 3, "notice": 3, "reference": 2, "draft": 1, "官方": 4, "正式": 4, "参考": 2, "草稿": 1}
)
"""What `authority` is worth, by the words that sample documents and most rules use; any other word says nothing."""
# Where an exception begins, in the words of rules.
_EXCEPTION = re.compile(
    r"[，,；;。]?\s*(?:但是?(?!书)|除非|除[^，。；\n]{1,30}?外|[^，。；\n]{1,30}(?:除外|例外))|"
    r"[,;]?\s*\b(?:except|unless|excluding|however|but)\b",
    re.IGNORECASE,
)
_SHORT = 6
"""Least characters of a rule before its exception."""
_ORDER = tuple(NegativeReason)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """A line that looks right."""

    chunk: Chunk
    line: Line
    likeness: float


def propose(case: Case, context: CheckContext) -> tuple[HardNegative, ...]:
    """At most three passages that look right and are not, one a reason and one a passage; nothing without a corpus.

    The same case and corpus give the same passages: the likest first within each reason, reasons in their order.
    """
    if context.corpus is None or not case.answerable or not case.evidence_groups:
        return ()
    known = [*(one.evidence for one in case.hard_negatives), *case.evidence]
    taken = {sibling.chunk.chunk_id for sibling in siblings(case, context) if sibling.agrees}
    found: dict[NegativeReason, tuple[float, HardNegative]] = {}
    for wanted in wanted_of(case, context):
        for chunk in _candidates(wanted, context.corpus):
            if chunk.chunk_id in taken or any(chunk.holds(one.reading_id, one.parts) for one in known):
                continue
            for reason, place in _reasons(wanted, chunk):
                best = found.get(reason)
                if best is None or place.likeness > best[0]:
                    evidence = evidence_of(place.chunk, place.line.start, place.line.end)
                    if evidence is not None:
                        found[reason] = place.likeness, HardNegative(evidence=evidence, reason=reason)
    return tuple(_apart([found[reason][1] for reason in _ORDER if reason in found]))[:_MOST]


def _apart(rows: Sequence[HardNegative]) -> Iterator[HardNegative]:
    """Each passage once, with its first reason."""
    seen = set()
    for row in rows:
        if row.evidence not in seen:
            seen.add(row.evidence)
            yield row


def _candidates(wanted: Wanted, corpus: Corpus) -> Iterator[Chunk]:
    found = (
        *corpus.find(wanted.question, _CANDIDATES),
        *corpus.find(f"{wanted.question} {wanted.answer}", _CANDIDATES),
    )
    yield from {chunk.chunk_id: chunk for chunk, _ in found}.values()


def _reasons(wanted: Wanted, chunk: Chunk) -> Iterator[tuple[NegativeReason, _Place]]:
    """Why a passage that does not carry the answer is wrong; nothing where it does, or where it does not look right."""
    if not may_speak(wanted, chunk, least=_GLANCE):
        return
    heading = letters("".join(chunk.section))
    held = [line for line in lines(chunk) if may_speak(wanted, chunk, line, _GLANCE)]
    if not held or any(_carries(wanted, chunk, line) for line in held) or _holds_facts(wanted, chunk):
        return
    said = [line for line in held if letters(line.text) not in heading]
    by_document = _by_document(wanted, chunk)
    if by_document is not None:
        place = _best(wanted, chunk, said) if said else None
        if place and place.likeness >= _ON_TOPIC:
            yield by_document, place
        return
    for line in said:
        reason = _by_wording(wanted, chunk, line)
        if reason is not None:
            yield reason, _place(wanted, chunk, line)
    if _title_only(wanted, chunk):
        yield NegativeReason.TITLE_ONLY, _best(wanted, chunk, said or held)


def _carries(wanted: Wanted, chunk: Chunk, line: Line) -> bool:
    """True where a line may hold the answer: it agrees, or where the answer has no facts, it has some of its words."""
    if agrees(wanted, chunk, line):
        return True
    text, said = plain(line.text), _plain(wanted.answer)
    return not wanted.facts and not turned(wanted.quote, text) and coverage(said, terms(text)) >= _SAID


def _holds_facts(wanted: Wanted, chunk: Chunk) -> bool:
    """True where a passage has all facts and codes: not one line of it perhaps, but nobody can say that it is wrong."""
    text = plain("\n".join((chunk.text, chunk.metadata.title or "", *chunk.section)))
    written = numerals(text)
    if not wanted.facts or any(keys(fact).isdisjoint(written) for fact in wanted.facts):
        return False
    return all(stands(fact, (text,)) for fact in (*wanted.facts, *wanted.codes))


def _best(wanted: Wanted, chunk: Chunk, held: Sequence[Line]) -> _Place:
    """The line that looks right most."""
    return max((_place(wanted, chunk, line) for line in held), key=lambda one: one.likeness)


def _place(wanted: Wanted, chunk: Chunk, line: Line) -> _Place:
    asked = _plain(wanted.question)
    share = coverage(asked, terms(plain(f"{line.text}\n{about(chunk, line)}"))) if asked else 0.0
    own = coverage(asked, terms(plain(line.text))) if asked else 0.0
    return _Place(chunk=chunk, line=line, likeness=(share + own) / 2)


def _by_document(wanted: Wanted, chunk: Chunk) -> NegativeReason | None:
    """What the metadata of two documents says of the difference; none where it says nothing."""
    home, other = wanted.home.metadata, chunk.metadata
    if wanted.home.doc_id == chunk.doc_id:
        return None
    if home.family and home.family == other.family and home.version_label != other.version_label:
        return NegativeReason.WRONG_VERSION
    if other_version(wanted.home, chunk):
        return NegativeReason.WRONG_TIME
    if other.region and other.region != home.region:
        return NegativeReason.WRONG_REGION
    if other.tenant and other.tenant != home.tenant:
        return NegativeReason.WRONG_TENANT
    return NegativeReason.LOW_AUTHORITY if _worth(other) < _worth(home) and _worth(other) else None


def _worth(metadata: DocumentMetadata) -> int:
    return _RANKS.get((metadata.authority or "").casefold(), 0)


def _by_wording(wanted: Wanted, chunk: Chunk, line: Line) -> NegativeReason | None:
    """What the words of a line say of the difference to the evidence; none where it is not like the evidence."""
    text, around = plain(line.text), plain(about(chunk, line))
    own, other = _plain(_rule(wanted.quote)), _plain(text)
    if not own or coverage(own, other) < _LIKE:
        return None
    if not all(stands(code, (text, around)) for code in wanted.codes):
        return NegativeReason.WRONG_ENTITY if _names_another(wanted, text) else None
    if _rule(wanted.quote) != wanted.quote and _rule(text) == text:
        return NegativeReason.MISSING_EXCEPTION
    opposite = turned(wanted.quote, text) and coverage(other, own) >= _LIKE
    return NegativeReason.OPPOSITE if opposite else None


def _rule(text: str) -> str:
    """A statement up to its exception; all of it where it makes none."""
    match = _EXCEPTION.search(text)
    return text[: match.start()] if match and match.start() >= _SHORT else text


def _names_another(wanted: Wanted, text: str) -> bool:
    """True where a line names another thing of the kind that the question names."""
    kinds = {measures(code) for code in wanted.codes}
    return any(fact.kind == "code" and measures(fact) in kinds for fact in facts(text))


def _title_only(wanted: Wanted, chunk: Chunk) -> bool:
    """True where a heading promises the answer and no line below it has one of the answer's facts."""
    heading = plain(chunk.section[-1]) if chunk.section else ""
    asked = _plain(wanted.question)
    if not wanted.facts or not heading or not asked or coverage(asked, terms(heading)) < _HEADING:
        return False
    return not any(stands(fact, (plain(chunk.text),)) for fact in wanted.facts)


def _plain(text: str) -> Terms:
    """The terms of a text, codes and numbers aside."""
    return {term: weight for term, weight in terms(text).items() if term[0] not in "#="}
