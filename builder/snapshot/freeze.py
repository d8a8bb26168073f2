"""What goes into a snapshot: pure, nothing is written here."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from builder.errors import InputError
from builder.model.case import Case, Evidence, ReviewState
from builder.model.chunk import Chunk
from builder.model.document import Document
from builder.model.parts import covers
from builder.model.snapshot import FrozenDocument
from builder.snapshot.evidence import all_evidence, fault

BROKEN = "broken_evidence"
WHOLE = "whole_document"
_FEW = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A case that counts and still was not frozen."""

    case_id: str
    """The case."""
    reason: str
    """broken_evidence or whole_document; keys of the word lists below `snapshot.left_out.`."""
    detail: str
    """A key of the word lists below `snapshot.fault.`."""
    doc_id: str
    """The document that the evidence speaks of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frozen:
    """What a snapshot will hold; everything sorted by id."""

    cases: tuple[Case, ...]
    """Cases, without the verdicts of checks: these belong to the program's version, not to the ruler."""
    chunks: tuple[Chunk, ...]
    """The passages that the cases name, with the metadata of their documents."""
    documents: tuple[FrozenDocument, ...]
    """All documents."""
    left_out: Mapping[str, int]
    """Cases that are not in, by reason: a review state, a disabled reason, broken_evidence or whole_document."""
    problems: tuple[LeftOut, ...]
    """Those left out for their evidence, by name."""


def plan_freeze(
    cases: Iterable[Case],
    chunks: Iterable[Chunk],
    documents: Iterable[Document],
    *,
    include_unreviewed: bool,
    chunk_of: Callable[[Evidence], Chunk | None],
) -> Frozen:
    """Choose the cases that count and what they rest on.

    Args:
        cases: all cases of the dataset, of any state.
        chunks: all chunks of the documents that evidence speaks of.
        documents: all documents.
        include_unreviewed: unreviewed cases count too.
        chunk_of: the chunk that holds a piece of evidence today.

    Raises:
        InputError: no case would be in the snapshot.
    """
    by_document = _by_document(chunks)
    left: Counter[str] = Counter()
    kept: list[Case] = []
    used: dict[str, Chunk] = {}
    problems: list[LeftOut] = []
    for case in cases:
        if reason := why_not(case, include_unreviewed):
            left[reason] += 1
            continue
        found = _resolve(case, chunk_of, by_document)
        if isinstance(found, LeftOut):
            problems.append(found)
            continue
        kept.append(case.model_copy(update={"checks": ()}) if case.checks else case)
        used |= {chunk.chunk_id: chunk for chunk in found}
    left += Counter(problem.reason for problem in problems)
    if not kept:
        raise _nothing(left)
    listed = sorted((FrozenDocument.of(document) for document in documents), key=lambda document: document.doc_id)
    return Frozen(
        cases=tuple(sorted(kept, key=lambda case: case.case_id)),
        chunks=_with_metadata(used.values(), listed),
        documents=tuple(listed),
        left_out=dict(sorted(left.items())),
        problems=tuple(sorted(problems, key=lambda problem: problem.case_id)),
    )


def why_not(case: Case, include_unreviewed: bool) -> str | None:
    """Why the state of a case keeps it out: a review state or a disabled reason; None where it counts."""
    if case.disabled_reason is not None:
        return case.disabled_reason.value
    counts = case.review_state is ReviewState.APPROVED or (
        include_unreviewed and case.review_state is ReviewState.UNREVIEWED
    )
    return None if counts else case.review_state.value


def _resolve(
    case: Case, chunk_of: Callable[[Evidence], Chunk | None], by_document: Mapping[str, Sequence[Chunk]]
) -> list[Chunk] | LeftOut:
    """The chunks of all evidence of a case, or why it is left out."""
    for evidence in case.evidence:
        if _covers_all(evidence, by_document.get(evidence.doc_id, ())):
            return LeftOut(case_id=case.case_id, reason=WHOLE, detail="whole", doc_id=evidence.doc_id)
    found: list[Chunk] = []
    for evidence in all_evidence(case):
        chunk = chunk_of(evidence)
        wrong = fault(evidence, chunk)
        if chunk is None or wrong:
            return LeftOut(case_id=case.case_id, reason=BROKEN, detail=wrong or "no_chunk", doc_id=evidence.doc_id)
        found.append(chunk)
    whole = _together(case.evidence, by_document)
    return LeftOut(case_id=case.case_id, reason=WHOLE, detail="together", doc_id=whole) if whole else found


def _covers_all(evidence: Evidence, chunks: Sequence[Chunk]) -> bool:
    """One piece of evidence that spans all chunks of a document with more than one."""
    if len(chunks) < 2 or not covers(evidence.parts, chunks[-1].parts[:1]):
        return False  # nearly always, at the cost of one span
    return all(chunk.reading_id == evidence.reading_id and covers(evidence.parts, chunk.parts) for chunk in chunks)


def _together(evidence: Sequence[Evidence], by_document: Mapping[str, Sequence[Chunk]]) -> str | None:
    """The document that several pieces cover chunk by chunk: nine passages cited for what stands in one.

    Two chunks quoted in full may both be needed, so this starts at three.
    """
    if len(evidence) <= _FEW:
        return None
    for doc_id, pieces in Counter(item.doc_id for item in evidence).items():
        chunks = by_document.get(doc_id, ())
        if _FEW < len(chunks) <= pieces and all(_quoted_in_full(chunk, evidence) for chunk in chunks):
            return doc_id
    return None


def _quoted_in_full(chunk: Chunk, evidence: Sequence[Evidence]) -> bool:
    return any(item.reading_id == chunk.reading_id and covers(item.parts, chunk.parts) for item in evidence)


def _by_document(chunks: Iterable[Chunk]) -> dict[str, list[Chunk]]:
    found: dict[str, list[Chunk]] = {}
    for chunk in chunks:
        found.setdefault(chunk.doc_id, []).append(chunk)
    return found


def _with_metadata(chunks: Iterable[Chunk], documents: Iterable[FrozenDocument]) -> tuple[Chunk, ...]:
    """Chunks with the metadata that their documents have now."""
    known = {document.doc_id: document.metadata for document in documents}
    return tuple(
        chunk.model_copy(update={"metadata": known.get(chunk.doc_id, chunk.metadata)})
        for chunk in sorted(chunks, key=lambda chunk: chunk.chunk_id)
    )


def _nothing(left: Counter[str]) -> InputError:
    """Why there is no snapshot, and which command goes on."""
    unsound = left[BROKEN] + left[WHOLE]
    if unsound:
        return InputError("snapshot_unsound", cases=unsound)
    waiting = left[ReviewState.UNREVIEWED.value]
    return InputError("snapshot_empty", unreviewed=waiting, needs_answer=left[ReviewState.NEEDS_ANSWER.value])
