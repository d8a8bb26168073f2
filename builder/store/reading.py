"""Transactions that only read: on SQLite they do not queue behind writers."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine


@contextmanager
def read_only(engine: Engine) -> Iterator[Connection]:
    """A transaction that only reads."""
    with engine.execution_options(reading=True).connect() as connection, connection.begin():
        yield connection
