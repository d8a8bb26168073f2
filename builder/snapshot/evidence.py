"""Whether a piece of evidence still holds: its chunk is there, and its quote stands in it where it says."""

from collections.abc import Iterator

from builder.model.case import Case, Evidence
from builder.model.chunk import Chunk
from builder.model.parts import Glue, Span, spans


def all_evidence(case: Case) -> Iterator[Evidence]:
    """Every piece of evidence that a case names, also what is wrong on purpose."""
    yield from case.evidence
    yield from case.required_citations
    yield from (grade.evidence for grade in case.grades)
    yield from (negative.evidence for negative in case.hard_negatives)


def fault(evidence: Evidence, chunk: Chunk | None) -> str | None:
    """What is wrong with `evidence` in its `chunk`; None where it holds.

    The codes are keys of the word lists below `snapshot.fault.`.
    """
    if chunk is None or chunk.doc_id != evidence.doc_id or not spans(evidence.parts):
        return "no_chunk"
    text = text_of(evidence, chunk)
    if text is None or chunk.reading_id != evidence.reading_id:
        return "outside_chunk"
    return None if text == evidence.quote and text in chunk.text else "other_text"


def text_of(evidence: Evidence, chunk: Chunk) -> str | None:
    """The text at the parts of `evidence`, cut from the text of `chunk`; None where it does not hold them all."""
    pieces = [part.glue if isinstance(part, Glue) else _cut(part, chunk) for part in evidence.parts]
    return None if None in pieces else "".join(piece for piece in pieces if piece)


def _cut(span: Span, chunk: Chunk) -> str | None:
    at = 0
    for part in chunk.parts:
        if isinstance(part, Glue):
            at += len(part.glue)
            continue
        if part.page == span.page and part.start <= span.start and span.end <= part.end:
            return chunk.text[at + span.start - part.start : at + span.end - part.start]
        at += part.end - part.start
    return None
