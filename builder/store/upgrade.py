"""What an older store lacks. Tables are added by their absence; columns are added here."""

from typing import Any

from sqlalchemy import Connection, bindparam, inspect, select, update

from builder.store.cases import as_case, urgency
from builder.store.schema import cases


def upgrade(connection: Connection) -> None:
    """Add the urgency of cases."""
    connection.exec_driver_sql("ALTER TABLE cases ADD COLUMN urgency INTEGER NOT NULL DEFAULT 0")
    rows = connection.execute(select(cases)).mappings()
    if found := [{"id": row["case_id"], "found": urgency(as_case(row))} for row in rows]:
        connection.execute(
            update(cases).where(cases.c.case_id == bindparam("id")).values(urgency=bindparam("found")), found
        )
    known = {index["name"] for index in inspect(connection).get_indexes("cases")}
    missing: list[Any] = [index for index in cases.indexes if index.name not in known]
    for index in missing:
        index.create(connection)
