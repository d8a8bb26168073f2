"""Spans of Phoenix: what its REST interface gives (`data`), its client's data frames as JSONL or CSV."""

from collections.abc import Iterator, Mapping
from typing import Any

from builder.logs.files import Row
from builder.logs.otel import moment, objects, sdk_span
from builder.logs.record import RowProblem
from builder.logs.run_row import RunRow, kind_of, listed, table_rows
from builder.logs.spans import Span, rows_of

_PREFIX = "attributes."


def fits(suffix: str, text: str) -> bool:
    """It speaks of `context.trace_id` (a data frame), or of spans with a span_kind."""
    head = text[:20000]
    return "context.trace_id" in head or ('"span_kind"' in head and '"trace_id"' in head)


def rows(text: str) -> Iterator[RunRow | RowProblem]:
    """One row a trace."""
    spans: list[Span] = []
    for one in _found(text):
        if isinstance(one, RowProblem):
            yield one
        else:
            spans.append(one)
    yield from rows_of(spans)


def _found(text: str) -> Iterator[Span | RowProblem]:
    if kind_of(text) == "csv":
        for row in table_rows(text, "csv"):
            yield _framed(row.number, row.values) if isinstance(row, Row) else row
        return
    for number, value in objects(text):
        if isinstance(value, RowProblem):
            yield value
            continue
        for one in _listed(value):
            if isinstance(one.get("context"), Mapping):
                yield sdk_span(number, one)
            else:
                yield _framed(number, one)


def _listed(value: Any) -> list[Mapping[str, Any]]:
    inner = value.get("data") if isinstance(value, Mapping) else value
    found = inner if isinstance(inner, list) else [value]
    return [one for one in found if isinstance(one, Mapping)]


def _framed(number: int, values: Mapping[str, Any]) -> Span:
    """A row of a data frame: dotted columns."""
    attributes = {name.removeprefix(_PREFIX): value for name, value in values.items() if name.startswith(_PREFIX)}
    attributes = {name: listed(one) if name.endswith("documents") else one for name, one in attributes.items()}
    failed = str(values.get("status_code", "")).upper() == "ERROR"
    return Span(
        number=number,
        trace=str(values.get("context.trace_id", "")),
        span=str(values.get("context.span_id", "")),
        parent=str(values.get("parent_id") or ""),
        name=str(values.get("name", "")),
        kind=str(values.get("span_kind") or "").upper(),
        begun=moment(values.get("start_time")),
        ended=moment(values.get("end_time")),
        error=str(values.get("status_message") or "error") if failed else "",
        attributes=attributes,
    )
