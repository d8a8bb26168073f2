"""After an ingest: cases follow their quotes, or go out of use."""

from collections.abc import Sequence

from builder.app.people import PROGRAM
from builder.curate.stale import Corpus, restate
from builder.model.case import Case
from builder.model.chunk import Chunk
from builder.model.chunk_index import ChunkIndex
from builder.model.document import PageOrigin
from builder.model.record import Record
from builder.store import Store
from builder.store.cases import Change


class Restated(Record):
    """What became of cases whose documents changed."""

    moved: int = 0
    """Their evidence moved with its quote, or came back."""
    disabled: int = 0
    """Their passage changed or went."""

    def __add__(self, other: "Restated") -> "Restated":
        return Restated(moved=self.moved + other.moved, disabled=self.disabled + other.disabled)


def restate_cases(store: Store, before: Sequence[Chunk]) -> Restated:
    """Restate all cases of all datasets after documents changed; `before` are the chunks of before."""
    datasets = store.cases.datasets()
    if not datasets:
        return Restated()
    waiting = store.documents.pages_by_origin(PageOrigin.WAITING)
    corpus = Corpus(store.documents.chunks(), {document.doc_id for document, _ in waiting})
    documents = frozenset(document.doc_id for document in store.documents.all())
    old = ChunkIndex(before)
    total = Restated()
    for dataset in datasets:
        pairs = [(case, restate(case, corpus, documents, old)) for case in store.cases.list(dataset)]
        changes = [
            Change(case, after, "stale" if _went_stale(case, after) else "remap", after.disabled_reason or "")
            for case, after in pairs
            if after != case
        ]
        if changes:
            store.cases.apply(changes, PROGRAM)
        gone = sum(change.action == "stale" for change in changes)
        total += Restated(moved=len(changes) - gone, disabled=gone)
    return total


def _went_stale(before: Case, after: Case) -> bool:
    return before.enabled and not after.enabled
