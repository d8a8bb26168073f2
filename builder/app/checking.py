"""Runs the checks over cases with what the store knows."""

from builder.app.people import PROGRAM
from builder.checks import CheckContext, duplicate, run_checks
from builder.checks.corpus import Corpus
from builder.checks.others import Others
from builder.errors import Conflict
from builder.model.case import Case, CheckOutcome, CheckResult, ReviewState, Source
from builder.model.chunk_index import ChunkIndex
from builder.search import open_search
from builder.settings import Workspace
from builder.store import Store
from builder.store.cases import Change

_TRIES = 5
"""How often verdicts are put together anew because somebody decided meanwhile."""


def corpus_of(workspace: Workspace, store: Store) -> Corpus | None:
    """All chunks, where the workspace has a search index already; opened when a check first asks it something."""
    if not workspace.search_folder.is_dir():
        return None
    chunks = store.documents.chunks()
    rows = [(chunk.chunk_id, chunk.text) for chunk in chunks]
    return Corpus(chunks, lambda: open_search(workspace.search_folder, rows)) if chunks else None


def checked(store: Store, case: Case, corpus: Corpus | None = None) -> Case:
    """The case with the verdicts of all checks as of now; those that need the whole corpus only with `corpus`.

    What `duplicate` said stays until a whole dataset is looked at again (note_duplicates).
    """
    index = corpus.index if corpus else ChunkIndex(store.documents.chunks({one.doc_id for one in case.evidence}))
    verdicts = run_checks(case, CheckContext(chunks=index, corpus=corpus))
    told = {verdict.name for verdict in verdicts}
    kept = (verdict for verdict in case.checks if verdict.name == duplicate.NAME not in told)
    return case.replace(checks=(*verdicts, *kept))


def note_duplicates(store: Store, dataset: str) -> int:
    """Note which unreviewed generated cases of a dataset ask the same as another case; how many verdicts changed.

    Both sides are told of each other, whatever came first; what has not changed is not written again. A case that no
    longer repeats another one loses its warning. A case that was never warned of gets no verdict.
    """
    for attempt in range(_TRIES):
        changes = _changes(store, dataset)
        if not changes:
            return 0
        try:
            store.cases.apply(changes, PROGRAM)
            return len(changes)
        except Conflict:  # somebody decided about one of them meanwhile: a person goes before a program
            if attempt == _TRIES - 1:
                raise
    return 0


def _changes(store: Store, dataset: str) -> list[Change]:
    others = Others(store.cases.list(dataset))
    context = CheckContext(chunks=ChunkIndex(()), others=others)
    changes: list[Change] = []
    for case in others.cases.values():
        if case.source is Source.GENERATED and case.review_state is ReviewState.UNREVIEWED:
            verdict = duplicate.check(case, context)
            before = next((one for one in case.checks if one.name == duplicate.NAME), None)
            if verdict is not None and verdict != before and (before or verdict.outcome is not CheckOutcome.PASS):
                changes.append(Change(case, _with(case, verdict), "check"))
    return changes


def _with(case: Case, verdict: CheckResult) -> Case:
    return case.replace(checks=(*(one for one in case.checks if one.name != verdict.name), verdict))
