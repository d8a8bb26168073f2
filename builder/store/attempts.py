"""Attempts in the store: claimed before the call, stored after it, turned into cases once."""

import socket
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from importlib import import_module
from typing import Any

import psutil
from sqlalchemy import Connection, Engine, and_, delete, select, update

from builder.model.attempt import Attempt, AttemptState, Claimant, Reply
from builder.model.case import Case
from builder.store import schema
from builder.store.cases import add_cases
from builder.store.reading import read_only
from builder.store.rows import from_row, to_row

_ATTEMPT = ("dataset", "request_hash", "state", "writer", "model", "kept", "at")


class Attempts:
    """Model calls of all runs."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def claim(self, attempt: Attempt) -> Attempt | None:
        """Claim a call before it is made.

        Returns the attempt as it now stands: claimed by this process, or with its reply where that is there already;
        none where another living process makes it right now, or where it was sent out with a batch.
        """
        claimed = attempt.replace(state=AttemptState.CLAIMED, claimant=this_process(), at=datetime.now(UTC))
        with self._engine.begin() as tx:
            if _insert_new(tx, claimed):
                return claimed
            found = _find(tx, attempt.dataset, attempt.request_hash)
            if found and found.state in (AttemptState.REPLIED, AttemptState.DONE):
                return found
            if found and found.state is AttemptState.CLAIMED and not _mine_or_dead(found.claimant):
                return None
            if found and found.state is AttemptState.BATCHED:
                return None
            _write(tx, claimed)
            return claimed

    def get(self, dataset: str, request_hash: str) -> Attempt | None:
        """One attempt; none where that request was never made."""
        with read_only(self._engine) as tx:
            return _find(tx, dataset, request_hash)

    def batch(self, attempts: Iterable[Attempt], batch: str) -> tuple[Attempt, ...]:
        """Note that calls go out with a batch; those that are answered, or that somebody makes, are left out."""
        with self._engine.begin() as tx:
            free = [attempt for attempt in attempts if _is_free(_find(tx, attempt.dataset, attempt.request_hash))]
            sent = [a.replace(state=AttemptState.BATCHED, batch=batch, claimant=None, error="") for a in free]
            for attempt in sent:
                _write(tx, attempt)
            return tuple(sent)

    def rename_batch(self, dataset: str, old: str, new: str) -> None:
        """The server gave a batch its id."""
        for attempt in self.batched(dataset):
            if attempt.batch == old:
                self._change(dataset, attempt.request_hash, batch=new)

    def batched(self, dataset: str) -> tuple[Attempt, ...]:
        """Attempts that were sent out with a batch and are not back."""
        return tuple(attempt for attempt in self.list(dataset) if attempt.state is AttemptState.BATCHED)

    def change(self, attempt: Attempt, **changes: Any) -> Attempt:
        """Write `attempt` with `changes`, without looking at what is there: for whoever holds its claim."""
        after = attempt.replace(at=datetime.now(UTC), **changes)
        with self._engine.begin() as tx:
            _write(tx, after)
        return after

    def replied(self, dataset: str, request_hash: str, reply: Reply) -> None:
        """Store what came back, before anything is made of it."""
        self._change(dataset, request_hash, state=AttemptState.REPLIED, reply=reply, claimant=None, error="")

    def failed(self, dataset: str, request_hash: str, error: str) -> None:
        """Store why a call failed; it may be made again."""
        self._change(dataset, request_hash, state=AttemptState.FAILED, claimant=None, error=error)

    def finish(self, attempt: Attempt, cases: Sequence[Case], drops: Mapping[str, int], who: str) -> tuple[Case, ...]:
        """Store the cases of a reply and mark its attempt as done, in one transaction. Returns the new cases."""
        done = attempt.replace(
            state=AttemptState.DONE, kept=len(cases), drops=dict(drops), claimant=None, error="", at=datetime.now(UTC)
        )
        with self._engine.begin() as tx:
            new = add_cases(tx, cases, who)
            _write(tx, done)
            return new

    def list(self, dataset: str) -> tuple[Attempt, ...]:
        """All attempts of a dataset, oldest first."""
        query = select(schema.attempts).where(schema.attempts.c.dataset == dataset).order_by(schema.attempts.c.at)
        with read_only(self._engine) as tx:
            return tuple(_attempt(row) for row in tx.execute(query).mappings())

    def fingerprint(self, dataset: str) -> dict[str, str] | None:
        """What the last run of a dataset rested on, where it did not come to its end."""
        table = schema.generation_runs
        query = select(table.c.fingerprint).where(table.c.dataset == dataset, table.c.finished.is_(False))
        with read_only(self._engine) as tx:
            return tx.execute(query).scalar_one_or_none()

    def set_run(self, dataset: str, fingerprint: Mapping[str, str], *, finished: bool) -> None:
        """Remember what the run of a dataset rests on, and whether it came to its end."""
        table = schema.generation_runs
        with self._engine.begin() as tx:
            tx.execute(delete(table).where(table.c.dataset == dataset))
            row = {"dataset": dataset, "fingerprint": dict(fingerprint), "finished": finished}
            tx.execute(table.insert().values(**row, at=datetime.now(UTC)))

    def _change(self, dataset: str, request_hash: str, **changes: Any) -> None:
        with self._engine.begin() as tx:
            found = _find(tx, dataset, request_hash)
            if found is None:
                raise LookupError(f"no attempt {request_hash} in {dataset}")
            _write(tx, found.replace(at=datetime.now(UTC), **changes))


@cache
def this_process() -> Claimant:
    """The process that asks."""
    process = psutil.Process()
    return Claimant(host=socket.gethostname(), pid=process.pid, started=_started(process))


def _started(process: psutil.Process) -> int:
    return round(process.create_time() * 1000)


def _mine_or_dead(claimant: Claimant | None) -> bool:
    """A claim of this process, or of one that is gone. Of another host nothing is known, so its claim holds."""
    mine = this_process()
    if claimant is None or claimant == mine:
        return True
    if claimant.host != mine.host:
        return False
    try:
        process = psutil.Process(claimant.pid)
        # A few milliseconds of tolerance: the start is counted in clock ticks since boot.
        other = abs(_started(process) - claimant.started) > 50
        return other or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def _is_free(found: Attempt | None) -> bool:
    """Nobody has made the call, or makes it now."""
    if found is None or found.state is AttemptState.FAILED:
        return True
    return found.state is AttemptState.CLAIMED and _mine_or_dead(found.claimant)


def _find(tx: Connection, dataset: str, request_hash: str) -> Attempt | None:
    row = tx.execute(select(schema.attempts).where(_key(dataset, request_hash))).mappings().first()
    return _attempt(row) if row else None


def _key(dataset: str, request_hash: str) -> Any:
    return and_(schema.attempts.c.dataset == dataset, schema.attempts.c.request_hash == request_hash)


def _insert_new(tx: Connection, attempt: Attempt) -> bool:
    """Write an attempt that was never made before; false where it is there already."""
    # Of the dialects only the one in use is loaded: the other one costs each start some 40 ms.
    insert = import_module(f"sqlalchemy.dialects.{tx.dialect.name}").insert
    new = insert(schema.attempts).values(**to_row(attempt, _ATTEMPT)).on_conflict_do_nothing()
    return tx.execute(new.returning(schema.attempts.c.request_hash)).first() is not None


def _write(tx: Connection, attempt: Attempt) -> None:
    row = to_row(attempt, _ATTEMPT)
    changed = tx.execute(update(schema.attempts).where(_key(attempt.dataset, attempt.request_hash)).values(**row))
    if changed.rowcount == 0:
        tx.execute(schema.attempts.insert().values(**row))


def _attempt(row: Any) -> Attempt:
    return Attempt(**from_row(row, _ATTEMPT))
