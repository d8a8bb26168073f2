"""People's verdicts on the answers of runs: append-only. No case need be here, a snapshot holds them too."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Engine, select

from builder.model.verdict import AnswerVerdict
from builder.store import schema
from builder.store.reading import read_only
from builder.store.rows import batched, from_row, to_row

_VERDICT = ("id", "run", "case_id", "repeat", "who", "at", "undoes")


class Verdicts:
    """The lines of all verdict files, in the order of writing."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def add(self, lines: Iterable[AnswerVerdict]) -> tuple[AnswerVerdict, ...]:
        """Add lines whose ids are new, all or none. Returns the new ones."""
        wanted = {line.id: line for line in lines}
        with self._engine.begin() as tx:
            known = {row for ids in batched(wanted) for row in tx.execute(_known(ids)).scalars()}
            new = tuple(line for line in wanted.values() if line.id not in known)
            if new:
                tx.execute(schema.verdicts.insert(), [to_row(line, _VERDICT) for line in new])
        return new

    def of_run(self, run: str) -> tuple[AnswerVerdict, ...]:
        """All lines about a run, oldest first."""
        query = select(schema.verdicts).where(schema.verdicts.c.run == run).order_by(schema.verdicts.c.number)
        with read_only(self._engine) as tx:
            return tuple(AnswerVerdict(**from_row(row, _VERDICT)) for row in tx.execute(query).mappings())


def _known(ids: list[str]) -> Any:
    return select(schema.verdicts.c.id).where(schema.verdicts.c.id.in_(ids))
