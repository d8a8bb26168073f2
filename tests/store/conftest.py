"""One store a test, on SQLite and on a real PostgreSQL server."""

from collections.abc import Iterator

import pytest

from builder.store import Store, open_store


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """An open store."""
    with open_store(url) as found:
        yield found
