"""Records to rows and back: some fields are columns, the rest is one JSON body."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import RowMapping

from builder.model.record import Record


def to_row(record: Record, columns: Iterable[str], leave_out: Iterable[str] = ()) -> dict[str, Any]:
    """A row: `columns` as they are, all other fields that differ from their defaults in `body`."""
    names = set(columns)
    body = record.model_dump(mode="json", exclude=names | set(leave_out), exclude_defaults=True)
    return {name: getattr(record, name) for name in names} | {"body": body}


def from_row(row: RowMapping | dict[str, Any], columns: Iterable[str], **more: Any) -> dict[str, Any]:
    """The fields of a record, from a row that `to_row` made."""
    return {name: row[name] for name in columns} | dict(row["body"]) | more
