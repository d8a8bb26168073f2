"""Cases after their documents changed: moved with their quote, or disabled. Never left pointing at other text."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from builder.model.case import Case, DisabledReason, Evidence, ReviewState
from builder.model.chunk import Chunk
from builder.model.chunk_index import ChunkIndex
from builder.text.fold import folded
from builder.text.passages import slice_parts

_STALE = (DisabledReason.STALE_CHANGED, DisabledReason.STALE_GONE)


class Corpus:
    """The chunks that there are now, by document."""

    def __init__(self, chunks: Iterable[Chunk], unsettled: Iterable[str] = ()) -> None:
        """`unsettled` are documents whose pages still wait for OCR: nothing is said about their cases yet."""
        self.by_document: dict[str, list[Chunk]] = defaultdict(list)
        for chunk in chunks:
            self.by_document[chunk.doc_id].append(chunk)
        self.index = ChunkIndex(chunk for found in self.by_document.values() for chunk in found)
        self.unsettled = frozenset(unsettled)


def restate(case: Case, corpus: Corpus, documents: frozenset[str], old: ChunkIndex) -> Case:
    """The case after its documents changed; the same case where nothing has to be done.

    `documents` are the ids that there are now, `old` the chunks from before. Evidence whose quote stands in exactly one
    place of the new text moves there; an approved case is to be confirmed by one key unless its whole chunk is
    unchanged. Otherwise the case is disabled, and enabled again when its passage comes back.
    """
    if case.review_state in (ReviewState.NEEDS_ANSWER, ReviewState.REJECTED) or not _concerned(case, corpus):
        return case
    moved = {evidence: _moved(evidence, corpus) for evidence in case.evidence}
    if lost := [evidence for evidence, new in moved.items() if new is None]:
        gone = any(evidence.doc_id not in documents for evidence in lost)
        return _disabled(case, DisabledReason.STALE_GONE if gone else DisabledReason.STALE_CHANGED)
    groups = tuple(tuple(moved[evidence] for evidence in group) for group in case.evidence_groups)
    changes: dict[str, Any] = {"evidence_groups": groups}
    if case.disabled_reason in _STALE:
        changes["disabled_reason"] = None
    if case.review_state is ReviewState.APPROVED and any(
        new is not None and _chunk_differs(evidence, new, old, corpus) for evidence, new in moved.items()
    ):
        changes["disabled_reason"] = case.disabled_reason or DisabledReason.STALE_CHECK
    return case if groups == case.evidence_groups and "disabled_reason" not in changes else case.replace(**changes)


def _concerned(case: Case, corpus: Corpus) -> bool:
    """Some evidence stands in no chunk of today, or the case waits for its passage to come back."""
    if any(evidence.doc_id in corpus.unsettled for evidence in case.evidence):
        return False
    return case.disabled_reason in _STALE or any(corpus.index.chunk_of(evidence) is None for evidence in case.evidence)


def _disabled(case: Case, reason: DisabledReason) -> Case:
    return case if case.disabled_reason in _STALE else case.replace(disabled_reason=reason)


def _moved(evidence: Evidence, corpus: Corpus) -> Evidence | None:
    if corpus.index.chunk_of(evidence) is not None:
        return evidence
    places = list(_places(evidence.quote, corpus.by_document.get(evidence.doc_id, ())))
    if len(places) != 1:
        return None
    chunk, start = places[0]
    parts = slice_parts(chunk.parts, start, start + len(evidence.quote))
    return evidence.replace(reading_id=chunk.reading_id, parts=parts)


def _places(quote: str, chunks: Sequence[Chunk]) -> Iterable[tuple[Chunk, int]]:
    for chunk in chunks:
        start = chunk.text.find(quote)
        while start >= 0:
            yield chunk, start
            start = chunk.text.find(quote, start + 1)


def _chunk_differs(evidence: Evidence, new: Evidence, old: ChunkIndex, corpus: Corpus) -> bool:
    if new == evidence:
        return False
    before, after = old.chunk_of(evidence), corpus.index.chunk_of(new)
    if before is None or after is None or before.chunk_id != after.chunk_id:
        return True
    return folded(before.text) != folded(after.text)  # the user's own ids may name other text than before
