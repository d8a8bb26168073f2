"""Runs the checks over a case with what the store knows."""

from builder.checks import CheckContext, run_checks
from builder.model.case import Case
from builder.model.chunk_index import ChunkIndex
from builder.store import Store


def checked(store: Store, case: Case) -> Case:
    """The case with the verdicts of all checks as of now."""
    chunks = store.documents.chunks({evidence.doc_id for evidence in case.evidence})
    return case.replace(checks=run_checks(case, CheckContext(chunks=ChunkIndex(chunks))))
