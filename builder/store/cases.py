"""Cases and their revisions: every change is one revision in the same transaction, and is version-checked."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, and_, func, select, update

from builder.errors import Conflict, InputError
from builder.model.case import Case, ReviewState, Revision, Source
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

    def list(
        self,
        dataset: str,
        *,
        states: Sequence[ReviewState] = (),
        sources: Sequence[Source] = (),
        limit: int | None = None,
    ) -> tuple[Case, ...]:
        """Cases of a dataset by id; empty filters let everything through."""
        query = select(schema.cases).where(schema.cases.c.dataset == dataset).order_by(schema.cases.c.case_id)
        if states:
            query = query.where(schema.cases.c.review_state.in_(states))
        if sources:
            query = query.where(schema.cases.c.source.in_(sources))
        with read_only(self._engine) as tx:
            return tuple(_case(row) for row in tx.execute(query.limit(limit)).mappings())

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
        at = datetime.now(UTC)
        with self._engine.begin() as tx:
            number = {change.before.case_id: change.before.revision for change in reversed(changes)}
            for change in changes:
                case_id = change.before.case_id
                _step(tx, change, number[case_id], act=act, at=at, who=who, undoes=undoes)
                number[case_id] += 1
            _note_act(tx, act, changes[0].before.dataset, who, undoes)
        return act

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


def add_cases(tx: Connection, cases: Iterable[Case], who: str, reason: str = "") -> tuple[Case, ...]:
    """Insert new cases with their first revision, within a transaction of the caller."""
    wanted = {case.case_id: case for case in cases}
    known = {row for ids in batched(wanted) for row in tx.execute(_known(ids)).scalars()}
    new = tuple(case for case_id, case in wanted.items() if case_id not in known)
    if new:
        at, act = datetime.now(UTC), act_id()
        tx.execute(schema.cases.insert(), [to_row(case, _CASE) for case in new])
        tx.execute(schema.revisions.insert(), [_created(case, act, at, who, reason) for case in new])
    return new


def _known(case_ids: Sequence[str]) -> Any:
    return select(schema.cases.c.case_id).where(schema.cases.c.case_id.in_(case_ids))


def _created(case: Case, act: str, at: datetime, who: str, reason: str) -> dict[str, Any]:
    after = told(case)
    return Revision(
        case_id=case.case_id, number=1, act=act, at=at, who=who, action="create", after=after, reason=reason
    ).model_dump()


def _step(tx: Connection, change: Change, number: int, *, act: str, at: datetime, who: str, undoes: str | None) -> None:
    after = change.after.replace(revision=number + 1)
    key = and_(schema.cases.c.case_id == after.case_id, schema.cases.c.revision == number)
    if tx.execute(update(schema.cases).where(key).values(**to_row(after, _CASE))).rowcount != 1:
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
    return _case(row)


def _case(row: Any) -> Case:
    return Case(**from_row(row, _CASE))
