"""Taking acts back, of one case or of many, also those of earlier sessions."""

from collections.abc import Sequence
from itertools import groupby

from pydantic import ValidationError

from builder.curate.undo import before_act, redo_target, undo_target
from builder.errors import Conflict
from builder.model.case import Case, Revision
from builder.store import Store
from builder.store.cases import Change

_BESIDE = {"checks"}
"""Fields whose later change hinders no undo: a program writes them."""


def undo(store: Store, dataset: str, who: str) -> tuple[str, ...]:
    """Take back the last act of `who`. Returns its cases; none where nothing is left.

    Cases of the act that others have changed since stay as they are.

    Raises:
        Conflict: all of them were changed.
    """
    return _take_back(store, undo_target(store.cases.acts(dataset, who)), "undo", who)


def redo(store: Store, dataset: str, who: str) -> tuple[str, ...]:
    """Take back the last undo of `who`, as `undo` does."""
    return _take_back(store, redo_target(store.cases.acts(dataset, who)), "redo", who)


def _take_back(store: Store, act: str | None, action: str, who: str) -> tuple[str, ...]:
    if act is None:
        return ()
    revisions = groupby(store.cases.revisions_of(act), key=lambda revision: revision.case_id)
    own = {case_id: tuple(group) for case_id, group in revisions}
    cases = store.cases.get_many(own)
    before = {case_id: _before(store, cases[case_id], steps) for case_id, steps in own.items() if case_id in cases}
    changes = [Change(cases[case_id], case, action) for case_id, case in before.items() if case]
    if not changes:
        raise Conflict("undo_conflict", case=next(iter(own)))
    store.cases.apply(changes, who, undoes=act)
    return tuple(change.before.case_id for change in changes)


def _before(store: Store, case: Case, steps: Sequence[Revision]) -> Case | None:
    """The case as it was before `steps`; none where somebody else's decision stands on them."""
    if case.revision != steps[-1].number:
        later = (one for one in store.cases.history(case.case_id) if one.number > steps[-1].number)
        if {name for one in later for name in one.after} - _BESIDE:
            return None
    try:
        return before_act(case, steps)
    except ValidationError:
        return None  # what was changed since does not go with it
