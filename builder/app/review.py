"""builder review: the reviewer's desk over the store."""

import time
from collections.abc import Iterable
from pathlib import Path

from builder.app import undoing
from builder.app.cases import reason_of
from builder.app.claim_checks import checks_of
from builder.app.people import reviewer_name
from builder.app.review_queue import fitting, queue
from builder.app.searching import Passages
from builder.app.siblings import siblings_of
from builder.curate.filters import parse
from builder.curate.states import DECIDING, decide, missing
from builder.curate.undo import before_act
from builder.errors import InputError
from builder.model.case import Case, Evidence, ReviewState
from builder.model.decision import Decision
from builder.review.desk import Deed, Item, Passage
from builder.review.editor import edit
from builder.review.line_mode import LineTerminal, in_lines, printer
from builder.review.session import Session, run
from builder.review.summary import lines
from builder.review.terminal import TtyTerminal
from builder.settings import Workspace
from builder.store import Store, open_store
from builder.store.cases import Change
from builder.words import Words

_PROPOSALS = 3


def review(
    workspace: Workspace,
    say: Words,
    *,
    dataset: str | None = None,
    who: str | None = None,
    expression: str = "",
    seed: int = 0,
    blind: bool = False,
    plain: bool = False,
) -> tuple[str, ...]:
    """Let a person decide in the terminal: on a screen, or (`plain`, a simple terminal, a small window) line by line.

    Returns the lines of the summary.

    Raises:
        UsageError: no terminal.
        InputError: no case to look at, no name of a reviewer, or the filter is none.
    """
    parse(expression)
    by_line = plain or in_lines()
    terminal = LineTerminal() if by_line else TtyTerminal()
    with open_store(workspace.store_url) as store, StoreDesk(workspace, store, dataset, who, seed=seed) as desk:
        session = Session(
            desk=desk,
            terminal=terminal,
            say=say,
            edit=edit,
            clock=time.monotonic,
            expression=expression,
            blind=blind,
            risks=tuple(workspace.settings.risk),
            checks_of=checks_of,
            printer=printer(terminal) if isinstance(terminal, LineTerminal) else None,
        )
        found = run(session, guard=0.0) if by_line else run(session)
    return lines(found, say, workspace.settings.store)


class StoreDesk:
    """Queue, load, commit, undo and search for one reviewer; every decision is in the store before it returns.

    The case at hand is reserved for some minutes, so that nobody else is shown it.
    """

    def __init__(
        self,
        workspace: Workspace,
        store: Store,
        dataset: str | None = None,
        who: str | None = None,
        *,
        seed: int = 0,
        seconds: int = 600,
    ) -> None:
        self.reviewer = reviewer_name(workspace, who)
        self._dataset = dataset or workspace.settings.dataset
        self._workspace = workspace
        self._store = store
        self._seed = seed
        self._seconds = seconds
        self._reserved = ""
        self._passages = Passages(workspace, store)

    def __enter__(self) -> "StoreDesk":
        return self

    def __exit__(self, *ending: object) -> None:
        self._reserve("")

    def queue(self, expression: str = "") -> tuple[str, ...]:
        """Cases that wait: risk first, then failed checks, then warnings, each by a fixed shuffle of ids.

        Raises:
            InputError: the expression is none, or the dataset holds no case at all.
        """
        found = queue(self._store, self._dataset, expression, self._seed)
        if not found and not self._store.cases.counts(self._dataset):
            raise InputError("no_cases", dataset=self._dataset)
        return found

    def held(self) -> tuple[str, ...]:
        """Cases that others look at."""
        held = self._store.reservations.held(self._dataset)
        return tuple(case_id for case_id, who in held.items() if who != self.reviewer)

    def waiting(self) -> int:
        """How many cases lack their answer."""
        return sum(map(len, self._store.cases.queue(self._dataset, (ReviewState.NEEDS_ANSWER,))))

    def load(self, case_id: str) -> Item:
        """A case with its passages, or with proposed ones where it has none; it is reserved from here on.

        Raises:
            InputError: the dataset holds no such case.
        """
        case = self._store.cases.get(case_id)
        if case.dataset != self._dataset:
            raise InputError("no_case", case=case_id)
        return self._item(case, held_by=self._reserve(case_id))

    def commit(self, case: Case, decisions: tuple[Decision, ...]) -> Item:
        """Store decisions on `case` as one act.

        Raises:
            Conflict: somebody else decided about it since it was loaded.
            Refused: its state does not allow it.
        """
        changes: list[Change] = []
        for decision in decisions:
            after = decide(case, decision)
            if decision.changes.keys() & DECIDING:  # a note or a mark changes no verdict
                from builder.app.checking import checked  # when it is used: the first screen comes without the checks

                after = checked(self._store, after, self._passages.corpus)
            changes.append(Change(case, after, decision.action, reason_of(decision)))
            case = after
        self._store.cases.apply(changes, self.reviewer)
        return self._item(self._store.cases.get(case.case_id))

    def sweep(self, expression: str, case_ids: tuple[str, ...], decision: Decision) -> tuple[str, ...]:
        """Store one decision about all those cases that still fit the expression, as one act.

        Raises:
            Refused: the state of a case does not allow it; then none is changed.
            Conflict: somebody else decided about one in this very moment; then none is changed.
        """
        found, held = self._store.cases.get_many(case_ids), set(self.held())
        there = (found[case_id] for case_id in case_ids if case_id in found and case_id not in held)
        cases = fitting(there, parse(expression))
        changes = [Change(case, decide(case, decision), decision.action, reason_of(decision)) for case in cases]
        if changes:
            self._store.cases.apply(changes, self.reviewer)
        return tuple(case.case_id for case in cases)

    def since(self, case: Case) -> tuple[Deed, ...]:
        """What was done to the case since the revision that was shown."""
        later = (one for one in self._store.cases.history(case.case_id) if one.number > case.revision)
        return tuple(
            Deed(who=one.who, action=one.action, at=one.at, after=one.after, reason=one.reason) for one in later
        )

    def siblings_of(self, case: Case) -> tuple[Passage, ...]:
        """Passages that hold the answer as well as its evidence does."""
        return siblings_of(case, self._passages)

    def original(self, case_id: str) -> Case:
        """The case as it was first written."""
        case = self._store.cases.get(case_id)
        return before_act(case, self._store.cases.history(case_id)[1:])

    def picture(self, evidence: Evidence) -> Path:
        """The page that holds `evidence` as a picture with boxes.

        Raises:
            InputError: there is none; the line says why.
        """
        from builder.app.page_image import page_image

        return page_image(self._workspace, self._store, evidence)

    def undo(self) -> tuple[str, ...]:
        """Take back this reviewer's last act, also of an earlier session. Returns its cases."""
        return undoing.undo(self._store, self._dataset, self.reviewer)

    def redo(self) -> tuple[str, ...]:
        """Take back this reviewer's last undo. Returns its cases."""
        return undoing.redo(self._store, self._dataset, self.reviewer)

    def search(self, query: str, limit: int) -> tuple[Passage, ...]:
        """Passages of all documents for `query`, best first."""
        return self._passages.search(query, limit)

    def _item(self, case: Case, held_by: str = "") -> Item:
        passages = tuple(self._passages.of_evidence(evidence) for evidence in case.evidence)
        proposals = () if passages or not case.answerable else self.search(_query(case), _PROPOSALS)
        return Item(
            case=case,
            passages=passages,
            proposals=proposals,
            unsought=bool(case.evidence_groups),
            missing=missing(case),
            note_by=self._note_by(case),
            held_by=held_by,
        )

    def _reserve(self, case_id: str) -> str:
        """Take a case in place of the one before. Returns who has it instead."""
        if self._reserved and self._reserved != case_id:
            self._store.reservations.give_back(self._reserved, self.reviewer)
        self._reserved = ""
        if not case_id:
            return ""
        if self._store.reservations.take(case_id, self.reviewer, self._seconds):
            self._reserved = case_id
            return ""
        return self._store.reservations.held(self._dataset).get(case_id, "")

    def _note_by(self, case: Case) -> str:
        if not case.note:
            return ""
        return _last(one.who for one in self._store.cases.history(case.case_id) if "note" in one.after)


def _last(names: Iterable[str]) -> str:
    return next(iter(tuple(names)[::-1]), "")


def _query(case: Case) -> str:
    return " ".join((case.question, case.ground_truth)).strip()
