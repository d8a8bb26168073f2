"""Transactions of a lighter kind: those that only read, and those that a power cut may take back."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine


@contextmanager
def read_only(engine: Engine) -> Iterator[Connection]:
    """A transaction that only reads; on SQLite it does not queue behind writers."""
    with engine.execution_options(reading=True).connect() as connection, connection.begin():
        yield connection


@contextmanager
def passing(engine: Engine) -> Iterator[Connection]:
    """A transaction whose outcome others see at once, but which does not wait for the disk: for what ends by itself."""
    with engine.execution_options(passing=True).begin() as connection:
        yield connection
