"""Cases and their revisions: every change is one revision in the same transaction, and is version-checked."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, and_, func, select, update

from builder.errors import Conflict, InputError
from builder.model.case import Case, CheckOutcome, DisabledReason, ReviewState, Revision, Source
from builder.store import schema
from builder.store.reading import read_only
from builder.store.rows import batched, from_row, to_row, told
from builder.text.ids import act_id

_CASE = (
    "case_id",
    "dataset",
    "source",
    "question",
    "ground_truth",
    "answerable",
    "review_state",
    "disabled_reason",
    "reject_reason",
    "revision",
)


class Change(NamedTuple):
    """One step from a case to the next."""

    before: Case
    after: Case
    """Its revision is set by the store."""
    action: str
    reason: str = ""


class Act(NamedTuple):
    """What one person did at one time."""

    act: str
    undoes: str | None


class PlannedAct(NamedTuple):
    """An act whose id is known before it is written: the same act is never written twice."""

    act: str
    who: str
    changes: Sequence[Change]


class Cases:
    """Cases, revisions and acts."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def add(self, cases: Iterable[Case], who: str, reason: str = "") -> tuple[Case, ...]:
        """Insert cases whose ids are new; the others are left as they are. Returns the new ones."""
        with self._engine.begin() as tx:
            return add_cases(tx, cases, who, reason)

    def get(self, case_id: str) -> Case:
        """One case.

        Raises:
            InputError: no such case.
        """
        with read_only(self._engine) as tx:
            return _get(tx, case_id)

    def get_many(self, case_ids: Iterable[str]) -> dict[str, Case]:
        """Those of the cases that there are, by id."""
        table = schema.cases
        with read_only(self._engine) as tx:
            found = (
                as_case(row)
                for ids in batched(case_ids)
                for row in tx.execute(select(table).where(table.c.case_id.in_(ids))).mappings()
            )
            return {case.case_id: case for case in found}

    def list(
        self,
        dataset: str,
        *,
        states: Sequence[ReviewState] = (),
        sources: Sequence[Source] = (),
        fields: Mapping[str, Sequence[str]] | None = None,
        limit: int | None = None,
    ) -> tuple[Case, ...]:
        """Cases of a dataset by id; empty filters let everything through.

        `fields`: values that a field of text may have, in upper or lower case.
        """
        query = select(schema.cases).where(schema.cases.c.dataset == dataset).order_by(schema.cases.c.case_id)
        if states:
            query = query.where(schema.cases.c.review_state.in_(states))
        if sources:
            query = query.where(schema.cases.c.source.in_(sources))
        for name, values in (fields or {}).items():
            # A field that has its default is not written.
            default = Case.model_fields[name].get_default()
            held = func.lower(func.coalesce(schema.cases.c.body[name].as_string(), default or ""))
            query = query.where(held.in_([value.lower() for value in values]))
        with read_only(self._engine) as tx:
            return tuple(as_case(row) for row in tx.execute(query.limit(limit)).mappings())

    def queue(
        self, dataset: str, states: Sequence[ReviewState], stale: Sequence[DisabledReason] = ()
    ) -> tuple[tuple[str, ...], ...]:
        """Ids of the cases in `states`, and of those approved that are disabled as `stale`; most urgent group first.

        Only an index is read, no case.
        """
        table = schema.cases.c
        # In the order of the index, so that nothing is sorted, and one row a group: to fetch 100,000 takes far longer.
        place = (table.review_state, table.disabled_reason, table.urgency)
        query = select(table.urgency, func.aggregate_strings(table.case_id, ",")).group_by(*place)
        waiting = query.where(table.dataset == dataset, table.review_state.in_(states))
        again = query.where(
            table.dataset == dataset,
            table.review_state == ReviewState.APPROVED,
            table.disabled_reason.in_(stale),
        )
        groups: dict[int, list[str]] = defaultdict(list)
        with read_only(self._engine) as tx:
            for level, ids in (*tx.execute(waiting), *tx.execute(again)):
                groups[level] += ids.split(",")
        return tuple(tuple(groups[level]) for level in sorted(groups))

    def datasets(self) -> tuple[str, ...]:
        """All datasets that hold a case, by name."""
        query = select(schema.cases.c.dataset).distinct().order_by(schema.cases.c.dataset)
        with read_only(self._engine) as tx:
            return tuple(tx.execute(query).scalars())

    def counts(self, dataset: str) -> dict[tuple[str, str, str | None], int]:
        """Cases by (source, review_state, disabled_reason)."""
        columns = (schema.cases.c.source, schema.cases.c.review_state, schema.cases.c.disabled_reason)
        query = select(*columns, func.count()).where(schema.cases.c.dataset == dataset).group_by(*columns)
        with read_only(self._engine) as tx:
            return {(row[0], row[1], row[2]): row[3] for row in tx.execute(query)}

    def apply(self, changes: Sequence[Change], who: str, *, undoes: str | None = None) -> str:
        """Write all `changes` as one act; all or nothing. Returns the act's id.

        Several changes may follow each other on one case: the next one's `before` is then the last one's `after`.

        Raises:
            Conflict: a case is not at the revision that its change starts from.
        """
        act = act_id()
        with self._engine.begin() as tx:
            _write(tx, changes, act=act, who=who, undoes=undoes)
        return act

    def apply_all(self, acts: Iterable[PlannedAct]) -> None:
        """Write several acts, each its own step for undo; all or nothing.

        Raises:
            Conflict: a case is not at the revision that its change starts from.
        """
        with self._engine.begin() as tx:
            for planned in acts:
                _write(tx, planned.changes, act=planned.act, who=planned.who, undoes=None)

    def history(self, case_id: str) -> tuple[Revision, ...]:
        """All revisions of a case, oldest first."""
        return self._revisions(schema.revisions.c.case_id == case_id)

    def approvers(self, case_ids: Iterable[str]) -> frozenset[str]:
        """Everybody whose act last brought one of the cases to `approved`."""
        wanted = set(case_ids)
        table = schema.revisions
        query = (
            select(table.c.case_id, table.c.who, table.c.after)
            .where(table.c.action.in_(("approve", "undo", "redo")))
            .order_by(table.c.case_id, table.c.number)
        )
        last: dict[str, str] = {}
        with read_only(self._engine) as tx:
            for case_id, who, after in tx.execute(query):
                if case_id in wanted and after.get("review_state") == ReviewState.APPROVED:
                    last[case_id] = who
        return frozenset(last.values())

    def revisions_of(self, act: str) -> tuple[Revision, ...]:
        """The revisions of one act, in the order of writing."""
        return self._revisions(schema.revisions.c.act == act)

    def acts(self, dataset: str, who: str) -> tuple[Act, ...]:
        """Everything that `who` decided in a dataset, oldest first."""
        table = schema.acts
        query = select(table.c.act, table.c.undoes).where(table.c.dataset == dataset, table.c.who == who)
        with read_only(self._engine) as tx:
            return tuple(Act(*row) for row in tx.execute(query.order_by(table.c.number)))

    def _revisions(self, condition: Any) -> tuple[Revision, ...]:
        query = (
            select(schema.revisions).where(condition).order_by(schema.revisions.c.case_id, schema.revisions.c.number)
        )
        with read_only(self._engine) as tx:
            return tuple(Revision(**row) for row in tx.execute(query).mappings())


def urgency(case: Case) -> int:
    """Place in the order of review: cases with a risk first, then with a failed check, then with a warning."""
    found = {check.outcome for check in case.checks}
    return 4 * (case.risk is None) + 2 * (CheckOutcome.FAIL not in found) + (CheckOutcome.WARN not in found)


def add_cases(tx: Connection, cases: Iterable[Case], who: str, reason: str = "") -> tuple[Case, ...]:
    """Insert new cases with their first revision, within a transaction of the caller."""
    wanted = {case.case_id: case for case in cases}
    known = {row for ids in batched(wanted) for row in tx.execute(_known(ids)).scalars()}
    new = tuple(case for case_id, case in wanted.items() if case_id not in known)
    if new:
        at, act = datetime.now(UTC), act_id()
        tx.execute(schema.cases.insert(), [_row(case) for case in new])
        tx.execute(schema.revisions.insert(), [_created(case, act, at, who, reason) for case in new])
    return new


def _known(case_ids: Sequence[str]) -> Any:
    return select(schema.cases.c.case_id).where(schema.cases.c.case_id.in_(case_ids))


def _created(case: Case, act: str, at: datetime, who: str, reason: str) -> dict[str, Any]:
    after = told(case)
    return Revision(
        case_id=case.case_id, number=1, act=act, at=at, who=who, action="create", after=after, reason=reason
    ).model_dump()


def _write(tx: Connection, changes: Sequence[Change], *, act: str, who: str, undoes: str | None) -> None:
    at = datetime.now(UTC)
    number = {change.before.case_id: change.before.revision for change in reversed(changes)}
    for change in changes:
        case_id = change.before.case_id
        _step(tx, change, number[case_id], act=act, at=at, who=who, undoes=undoes)
        number[case_id] += 1
    _note_act(tx, act, changes[0].before.dataset, who, undoes)


def _step(tx: Connection, change: Change, number: int, *, act: str, at: datetime, who: str, undoes: str | None) -> None:
    after = change.after.replace(revision=number + 1)
    key = and_(schema.cases.c.case_id == after.case_id, schema.cases.c.revision == number)
    if tx.execute(update(schema.cases).where(key).values(**_row(after))).rowcount != 1:
        raise Conflict("conflict", case=after.case_id, seen=number, now=_get(tx, after.case_id).revision)
    before, now = _difference(change.before, after)
    revision = Revision(
        case_id=after.case_id,
        number=number + 1,
        act=act,
        at=at,
        who=who,
        action=change.action,
        before=before,
        after=now,
        reason=change.reason,
        undoes=undoes,
    )
    tx.execute(schema.revisions.insert().values(**revision.model_dump()))


def _difference(before: Case, after: Case) -> tuple[dict[str, Any], dict[str, Any]]:
    """The changed fields, as they were and as they are; the revision number is no field of its own change."""
    old, new = before.model_dump(mode="json"), after.model_dump(mode="json")
    changed = [name for name in old if old[name] != new[name] and name != "revision"]
    return {name: old[name] for name in changed}, {name: new[name] for name in changed}


def _note_act(tx: Connection, act: str, dataset: str, who: str, undoes: str | None) -> None:
    tx.execute(schema.acts.insert().values(act=act, dataset=dataset, who=who, undoes=undoes))


def _get(tx: Connection, case_id: str) -> Case:
    row = tx.execute(select(schema.cases).where(schema.cases.c.case_id == case_id)).mappings().first()
    if row is None:
        raise InputError("no_case", case=case_id)
    return as_case(row)


def _row(case: Case) -> dict[str, Any]:
    return to_row(case, _CASE) | {"urgency": urgency(case)}


def as_case(row: Any) -> Case:
    """The case of a row."""
    return Case(**from_row(row, _CASE))
