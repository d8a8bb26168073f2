"""Records to rows and back: some fields are columns, the rest is one JSON body."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import RowMapping

from builder.model.record import Record

Value = TypeVar("Value")
_BATCH = 5_000


def batched(values: Iterable[Value]) -> Iterator[list[Value]]:
    """Lists of at most 5,000 values: a statement takes only so many."""
    rest = iter(values)
    while batch := list(islice(rest, _BATCH)):
        yield batch


def to_row(record: Record, columns: Iterable[str], leave_out: Iterable[str] = ()) -> dict[str, Any]:
    """A row: `columns` as they are, all other fields that differ from their defaults in `body`."""
    names = set(columns)
    return {name: getattr(record, name) for name in names} | {"body": told(record, names | set(leave_out))}


def told(record: Record, leave_out: Iterable[str] = ()) -> dict[str, Any]:
    """The fields of a record that differ from their defaults, as JSON values; whole below the first level.

    Nested records are written out in full: a default that tells two kinds apart must be there when they are read.
    """
    empty = type(record).model_fields
    wanted = {
        name
        for name in empty.keys() - set(leave_out)
        if getattr(record, name) != empty[name].get_default(call_default_factory=True)
    }
    return record.model_dump(mode="json", include=wanted)


def from_row(row: RowMapping | dict[str, Any], columns: Iterable[str], **more: Any) -> dict[str, Any]:
    """The fields of a record, from a row that `to_row` made."""
    return {name: row[name] for name in columns} | dict(row["body"]) | more
