"""builder cases: list, show, decide, edit, history."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, TypeVar

from builder.app.people import reviewer_name
from builder.curate.states import decide
from builder.errors import InputError, UsageError
from builder.model.case import Case, ReviewState, Revision, Source
from builder.model.chunk import Chunk
from builder.model.chunk_index import ChunkIndex
from builder.model.decision import Action, Decision
from builder.model.record import Record
from builder.settings import Workspace
from builder.store import Store, open_store
from builder.store.cases import Change

Member = TypeVar("Member", bound=StrEnum)


class CaseView(Record):
    """A case with what is derived from it."""

    case: Case
    """The case."""
    enabled: bool
    """It counts, as far as state and reason say."""
    reference_chunk_ids: tuple[str, ...]
    """Chunks that hold its evidence."""
    chunks: tuple[Chunk, ...]
    """Those chunks."""


def list_cases(
    workspace: Workspace,
    *,
    dataset: str | None = None,
    states: Sequence[str] = (),
    sources: Sequence[str] = (),
    limit: int | None = None,
) -> tuple[Case, ...]:
    """Cases of a dataset by id; empty filters let everything through.

    Raises:
        UsageError: no such state or source.
    """
    known = [_member(ReviewState, "--state", word) for word in states]
    origins = [_member(Source, "--source", word) for word in sources]
    with open_store(workspace.store_url) as store:
        return store.cases.list(dataset or workspace.settings.dataset, states=known, sources=origins, limit=limit)


def show_case(workspace: Workspace, case_id: str) -> CaseView:
    """One case with the chunks that its evidence stands in.

    Raises:
        InputError: no such case.
    """
    with open_store(workspace.store_url) as store:
        return view(store, store.cases.get(case_id))


def view(store: Store, case: Case) -> CaseView:
    """A case with the chunks that its evidence stands in."""
    index = ChunkIndex(store.documents.chunks({evidence.doc_id for evidence in case.evidence}))
    ids = index.reference_chunk_ids(case)
    chunks = tuple(chunk for chunk_id in ids if (chunk := index.get(chunk_id)))
    return CaseView(case=case, enabled=case.enabled, reference_chunk_ids=ids, chunks=chunks)


def decide_cases(
    workspace: Workspace, case_ids: Sequence[str], decision: Decision, *, who: str | None = None
) -> tuple[Case, ...]:
    """Apply one decision to each case, as one act: all or none. Returns the cases as they are now.

    Raises:
        InputError: no such case, or no name of a reviewer.
        Refused: the state of a case does not allow it.
    """
    name = reviewer_name(workspace, who)
    with open_store(workspace.store_url) as store:
        cases = [store.cases.get(case_id) for case_id in dict.fromkeys(case_ids)]
        changes = [Change(case, decide(case, decision), decision.action, reason_of(decision)) for case in cases]
        if changes:
            store.cases.apply(changes, name)
        return tuple(store.cases.get(case.case_id) for case in cases)


def edit_case(workspace: Workspace, case_id: str, changes: Mapping[str, Any], *, who: str | None = None) -> Case:
    """Change fields of a case; checks run again.

    Raises:
        InputError: no such case or field, an illegal value, or nothing to change.
    """
    if not changes:
        raise InputError("edit_nothing", case=case_id)
    from builder.app.checking import checked, corpus_of

    name = reviewer_name(workspace, who)
    with open_store(workspace.store_url) as store:
        case = store.cases.get(case_id)
        edited = decide(case, Decision(action=Action.EDIT, changes=dict(changes)))
        edited = checked(store, edited, corpus_of(workspace, store))
        store.cases.apply([Change(case, edited, Action.EDIT)], name)
        return store.cases.get(case_id)


def history(workspace: Workspace, case_id: str) -> tuple[Revision, ...]:
    """All revisions of a case, oldest first.

    Raises:
        InputError: no such case.
    """
    with open_store(workspace.store_url) as store:
        store.cases.get(case_id)
        return store.cases.history(case_id)


def _member(kind: type[Member], option: str, word: str) -> Member:
    try:
        return kind(word)
    except ValueError as error:
        raise UsageError("option_value", option=option, detail=", ".join(kind)) from error


def reason_of(decision: Decision) -> str:
    """What the revision says of the why: a reason code, words, or both."""
    return ": ".join(part for part in (decision.reason or decision.disabled_reason or "", decision.text) if part)
