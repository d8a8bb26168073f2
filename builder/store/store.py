"""The store: one door to everything that is kept."""

from contextlib import suppress
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Self

from sqlalchemy import Engine, select, update
from sqlalchemy.exc import IntegrityError

from builder.store.documents import Documents
from builder.store.engine import open_engine
from builder.store.reading import read_only
from builder.store.schema import meta

if TYPE_CHECKING:
    from builder.store.attempts import Attempts
    from builder.store.cases import Cases
    from builder.store.reservations import Reservations
    from builder.store.verdicts import Verdicts


class Store:
    """Documents, cases and attempts of one workspace."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.documents = Documents(engine)

    @cached_property
    def cases(self) -> "Cases":
        """Cases and their history; loaded when first asked for, many commands never do."""
        from builder.store.cases import Cases

        return Cases(self._engine)

    @cached_property
    def attempts(self) -> "Attempts":
        """What writers were asked."""
        from builder.store.attempts import Attempts

        return Attempts(self._engine)

    @cached_property
    def reservations(self) -> "Reservations":
        """Who looks at which case."""
        from builder.store.reservations import Reservations

        return Reservations(self._engine)

    @cached_property
    def verdicts(self) -> "Verdicts":
        """What people say of the answers of runs."""
        from builder.store.verdicts import Verdicts

        return Verdicts(self._engine)

    def note(self, key: str) -> str | None:
        """A small fact about the world that was remembered, such as what a server takes."""
        with read_only(self._engine) as tx:
            return tx.execute(select(meta.c.value).where(meta.c.key == key)).scalar_one_or_none()

    def set_note(self, key: str, value: str) -> None:
        """Remember a small fact."""
        with suppress(IntegrityError), self._engine.begin() as tx:  # another process noted it at this very moment
            if not tx.execute(update(meta).where(meta.c.key == key).values(value=value)).rowcount:
                tx.execute(meta.insert().values(key=key, value=value))

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def open_store(url: str) -> Store:
    """Open the store at `url` (sqlite:///… or postgresql://…); tables are made where there are none.

    Raises:
        InputError: it cannot be opened, is no database, or was made by a newer program.
    """
    return Store(open_engine(url))
