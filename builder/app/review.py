"""builder review: the reviewer's desk over the store."""

import time
from collections.abc import Sequence

from builder.app.cases import reason_of
from builder.app.checking import checked
from builder.app.people import reviewer_name
from builder.app.searching import Passages
from builder.curate.states import decide, missing
from builder.curate.undo import before_act, redo_target, undo_target
from builder.errors import Conflict, InputError
from builder.model.case import Case, CheckOutcome, ReviewState, Revision
from builder.model.decision import Action, Decision
from builder.review.desk import Item, Passage
from builder.review.editor import edit
from builder.review.session import Session, run
from builder.review.summary import lines
from builder.review.terminal import TtyTerminal
from builder.settings import Workspace
from builder.store import Store, open_store
from builder.store.cases import Act, Change
from builder.text.ids import digest
from builder.words import Words

_PROPOSALS = 3
_RANK = {CheckOutcome.FAIL: 0, CheckOutcome.WARN: 1, CheckOutcome.PASS: 2}
_OPEN = (ReviewState.UNREVIEWED, ReviewState.NEEDS_ANSWER)


def review(workspace: Workspace, say: Words, *, dataset: str | None = None, who: str | None = None) -> tuple[str, ...]:
    """Let a person decide in the terminal. Returns the lines of the summary.

    Raises:
        UsageError: no terminal.
        InputError: no case to look at, or no name of a reviewer.
    """
    terminal = TtyTerminal()
    with open_store(workspace.store_url) as store:
        desk = StoreDesk(workspace, store, dataset=dataset, who=who)
        found = run(Session(desk=desk, terminal=terminal, say=say, edit=edit, clock=time.monotonic))
    return lines(found, say)


class StoreDesk:
    """Queue, load, commit, undo and search for one reviewer; every decision is in the store before it returns."""

    def __init__(
        self, workspace: Workspace, store: Store, *, dataset: str | None = None, who: str | None = None
    ) -> None:
        self.reviewer = reviewer_name(workspace, who)
        self._dataset = dataset or workspace.settings.dataset
        self._store = store
        self._passages = Passages(workspace, store)

    def queue(self) -> tuple[str, ...]:
        """Undecided cases: failed checks first, then warnings, then the rest, each by a fixed shuffle of ids.

        Raises:
            InputError: the dataset holds no case at all.
        """
        cases = self._store.cases.list(self._dataset, states=_OPEN)
        if not cases and not self._store.cases.counts(self._dataset):
            raise InputError("no_cases", dataset=self._dataset)
        return tuple(case.case_id for case in sorted(cases, key=_order))

    def load(self, case_id: str) -> Item:
        """A case with its passages, or with proposed ones where it has none."""
        case = self._store.cases.get(case_id)
        passages = tuple(self._passages.of_evidence(evidence) for evidence in case.evidence)
        proposals = () if passages or not case.answerable else self.search(_query(case), _PROPOSALS)
        return Item(case=case, passages=passages, proposals=proposals, missing=missing(case))

    def commit(self, case: Case, decisions: tuple[Decision, ...]) -> Item:
        """Store decisions on `case` as one act.

        Raises:
            Conflict: somebody else decided about it since it was loaded.
            Refused: its state does not allow it.
        """
        changes: list[Change] = []
        for decision in decisions:
            after = decide(case, decision)
            after = checked(self._store, after) if decision.action is Action.EDIT else after
            changes.append(Change(case, after, decision.action, reason_of(decision)))
            case = after
        self._store.cases.apply(changes, self.reviewer)
        return self.load(case.case_id)

    def undo(self) -> str | None:
        """Take back this reviewer's last act, also of an earlier session. Returns its (first) case, or none."""
        return self._take_back(undo_target(self._acts()), "undo")

    def redo(self) -> str | None:
        """Take back this reviewer's last undo."""
        return self._take_back(redo_target(self._acts()), "redo")

    def search(self, query: str, limit: int) -> tuple[Passage, ...]:
        """Passages of all documents for `query`, best first."""
        return self._passages.search(query, limit)

    def _acts(self) -> Sequence[Act]:
        return self._store.cases.acts(self._dataset, self.reviewer)

    def _take_back(self, act: str | None, action: str) -> str | None:
        if act is None:
            return None
        revisions = self._store.cases.revisions_of(act)
        case_ids = dict.fromkeys(revision.case_id for revision in revisions)
        changes = [self._reverse(case_id, revisions, action) for case_id in case_ids]
        self._store.cases.apply(changes, self.reviewer, undoes=act)
        return changes[0].before.case_id

    def _reverse(self, case_id: str, revisions: Sequence[Revision], action: str) -> Change:
        own = [revision for revision in revisions if revision.case_id == case_id]
        case = self._store.cases.get(case_id)
        if case.revision != own[-1].number:
            raise Conflict("undo_conflict", case=case_id)
        return Change(case, before_act(case, own), action)


def _order(case: Case) -> tuple[bool, int, str]:
    worst = min((_RANK[result.outcome] for result in case.checks), default=2)
    return case.risk is None, worst, digest(case.case_id)


def _query(case: Case) -> str:
    return " ".join((case.question, case.ground_truth)).strip()
