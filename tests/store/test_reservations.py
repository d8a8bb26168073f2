"""Reservations: one holder at a time, by the clock alone; on SQLite and on PostgreSQL."""

import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from builder.errors import InputError
from builder.store import Store, open_store
from builder.store.reservations import Reservations
from builder.store.schema import metadata
from tests import make
from tests.folder import ROOT

CASE = "m000000000001"


class Clock:
    """A clock that is put forward by hand."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def forward(self, seconds: int) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def filled(store: Store) -> Store:
    """Two cases of one dataset, one of another."""
    store.cases.add([make.case(CASE), make.case("m000000000002"), make.case("m000000000003", dataset="other")], "lin")
    return store


@pytest.fixture
def clock() -> Clock:
    """A clock of our own."""
    return Clock()


@pytest.fixture
def shelf(filled: Store, url: str, clock: Clock) -> Reservations:
    """Reservations by that clock."""
    return Reservations(filled._engine, clock)


def test_one_holder_at_a_time(shelf: Reservations) -> None:
    assert shelf.take(CASE, "lin")
    assert not shelf.take(CASE, "wang")
    assert shelf.take("m000000000002", "wang")
    assert shelf.take("m000000000003", "wang")
    assert shelf.held("main") == {CASE: "lin", "m000000000002": "wang"}
    assert shelf.held("other") == {"m000000000003": "wang"}


def test_given_back_is_free(shelf: Reservations) -> None:
    shelf.take(CASE, "lin")
    shelf.give_back(CASE, "wang")
    assert shelf.held("main") == {CASE: "lin"}, "only one's own"
    shelf.give_back(CASE, "lin")
    shelf.give_back(CASE, "lin")
    assert shelf.held("main") == {}
    assert shelf.take(CASE, "wang")


def test_it_ends_by_itself(shelf: Reservations, clock: Clock) -> None:
    shelf.take(CASE, "lin", seconds=60)
    clock.forward(59)
    assert not shelf.take(CASE, "wang")
    clock.forward(1)
    assert shelf.held("main") == {}
    assert shelf.take(CASE, "wang"), "nothing had to be cleaned"
    assert not shelf.take(CASE, "lin")


def test_ones_own_is_renewed(shelf: Reservations, clock: Clock) -> None:
    shelf.take(CASE, "lin", seconds=60)
    clock.forward(50)
    assert shelf.take(CASE, "lin", seconds=60)
    clock.forward(50)
    assert not shelf.take(CASE, "wang")


def test_a_case_that_is_not_there(shelf: Reservations) -> None:
    with pytest.raises(InputError, match="m-none"):
        shelf.take("m-none", "lin")


def test_a_purged_case_is_held_by_nobody(shelf: Reservations, url: str) -> None:
    shelf.take(CASE, "lin")
    engine = sa.create_engine(url)
    with engine.begin() as tx:
        if url.startswith("sqlite"):
            tx.exec_driver_sql("PRAGMA foreign_keys=ON")
        tx.exec_driver_sql(f"DELETE FROM revisions WHERE case_id = '{CASE}'")
        tx.exec_driver_sql(f"DELETE FROM cases WHERE case_id = '{CASE}'")
        assert tx.exec_driver_sql("SELECT count(*) FROM reservations").scalar_one() == 0
    engine.dispose()


def test_eight_at_once_one_gets_it(filled: Store, url: str) -> None:
    takers = [f"r{number}" for number in range(8)]
    got: dict[str, bool] = {}
    ready = threading.Barrier(8)

    def one(who: str) -> None:
        with open_store(url) as mine:
            ready.wait()
            got[who] = mine.reservations.take(CASE, who)

    threads = [threading.Thread(target=one, args=(who,)) for who in takers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(got.values()) == [False] * 7 + [True]
    assert got[filled.reservations.held("main")[CASE]]


def test_another_process_sees_it_and_dies_with_it(filled: Store, url: str) -> None:
    """What a killed process held is held until its time is up; nobody else has to clean after it."""
    program = (
        "import sys, os, signal; from builder.store import open_store\n"
        "assert open_store(sys.argv[1]).reservations.take(sys.argv[2], 'wang', seconds=600)\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    died = subprocess.run([sys.executable, "-c", program, url, CASE], cwd=ROOT, check=False)
    assert died.returncode == -9
    assert filled.reservations.held("main") == {CASE: "wang"}
    assert not filled.reservations.take(CASE, "lin")
    later = Reservations(filled._engine, lambda: datetime.now(UTC) + timedelta(seconds=601))
    assert later.take(CASE, "lin")


def test_a_store_of_before_gets_the_table(filled: Store, url: str) -> None:
    engine = sa.create_engine(url)
    metadata.tables["reservations"].drop(engine)
    engine.dispose()
    with open_store(url) as again:
        assert again.reservations.take(CASE, "lin")
        assert again.cases.get(CASE) == make.case(CASE), "the rest is as it was"
