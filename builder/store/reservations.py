"""Who looks at which case right now, so that two people are not shown the same one. Each ends by itself."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from sqlalchemy import Engine, delete, exists, or_, select, update
from sqlalchemy.exc import IntegrityError

from builder.errors import InputError
from builder.store.reading import passing, read_only
from builder.store.schema import cases, reservations


def utc_now() -> datetime:
    """The time, with its zone."""
    return datetime.now(UTC)


class Reservations:
    """Cases that are before somebody's eyes; a process that died holds its own until the time is up."""

    def __init__(self, engine: Engine, now: Callable[[], datetime] = utc_now) -> None:
        self._engine = engine
        self._now = now

    def take(self, case_id: str, who: str, seconds: int = 600) -> bool:
        """Reserve a case for `who`; false where somebody else holds it. What is one's own is renewed.

        Raises:
            InputError: no such case.
        """
        now = self._now()
        row = {"who": who, "until": now + timedelta(seconds=seconds)}
        free = or_(reservations.c.who == who, reservations.c.until <= now)
        try:
            with passing(self._engine) as tx:
                # Of two at once the second waits for the first, and then finds the row taken.
                own = update(reservations).where(reservations.c.case_id == case_id, free).values(**row)
                if tx.execute(own).rowcount == 0:
                    tx.execute(reservations.insert().values(case_id=case_id, **row))
        except IntegrityError as error:
            if not self._exists(case_id):
                raise InputError("no_case", case=case_id) from error
            return False
        return True

    def give_back(self, case_id: str, who: str) -> None:
        """Let go of a case; one that somebody else holds by now is left alone."""
        with passing(self._engine) as tx:
            tx.execute(delete(reservations).where(reservations.c.case_id == case_id, reservations.c.who == who))

    def held(self, dataset: str) -> dict[str, str]:
        """Who holds which case of a dataset, by case id."""
        # Not a join: without statistics SQLite would walk all cases of the dataset.
        ours = exists().where(cases.c.case_id == reservations.c.case_id, cases.c.dataset == dataset)
        query = select(reservations.c.case_id, reservations.c.who).where(reservations.c.until > self._now(), ours)
        with read_only(self._engine) as tx:
            return {case_id: who for case_id, who in tx.execute(query)}

    def _exists(self, case_id: str) -> bool:
        with read_only(self._engine) as tx:
            return tx.execute(select(cases.c.case_id).where(cases.c.case_id == case_id)).first() is not None
