"""Traces of Langfuse: a trace with its observations as the API gives it, several of them, or traces alone."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from builder.logs.files import Row
from builder.logs.otel import moment, objects
from builder.logs.record import RowProblem
from builder.logs.run_row import RunRow, kind_of, mapping, number_in, sequence, table_rows
from builder.logs.spans import Span, rows_of

_KINDS = {"RETRIEVER": "RETRIEVER", "GENERATION": "LLM", "RERANKER": "RERANKER"}


def fits(suffix: str, text: str) -> bool:
    """It speaks of observations, or of traces with Langfuse's own fields."""
    head = text[:20000]
    named = any(f'"{name}"' in head for name in ("observations", "bookmarked", "parentObservationId", "htmlPath"))
    return named and '"input"' in head


def rows(text: str) -> Iterator[RunRow | RowProblem]:
    """One row a trace."""
    for number, value in _found(text):
        if isinstance(value, RowProblem):
            yield value
            continue
        spans = list(_spans(number, value))
        for row in rows_of(spans):
            yield replace(row, values=dict(row.values) | _costs(value)) if isinstance(row, RunRow) else row


def _found(text: str) -> Iterator[tuple[int, Any]]:
    if kind_of(text) == "csv":
        for row in table_rows(text, "csv"):
            yield row.row if isinstance(row, RowProblem) else row.number, row.values if isinstance(row, Row) else row
        return
    for number, value in objects(text):
        inner = value.get("data", value) if isinstance(value, Mapping) else value
        for one in inner if isinstance(inner, list) else [inner]:
            yield number, one


def _spans(number: int, trace: Any) -> Iterator[Span]:
    if not isinstance(trace, Mapping):
        return
    name = str(trace.get("id", number))
    took = number_in(trace.get("latency"))
    whole = {"input": trace.get("input"), "output": trace.get("output"), "metadata": trace.get("metadata")}
    yield Span(
        number=number,
        trace=name,
        span=name,
        name=str(trace.get("name") or ""),
        begun=None if took is None else 0.0,
        ended=None if took is None else 1000 * took,  # Langfuse tells seconds
        attributes=whole,
    )
    for one in sequence(trace.get("observations")):
        if isinstance(one, Mapping):
            yield _step(number, name, one)


def _step(number: int, trace: str, one: Mapping[str, Any]) -> Span:
    usage = mapping(one.get("usageDetails")) or mapping(one.get("usage"))
    failed = one.get("level") == "ERROR"
    return Span(
        number=number,
        trace=trace,
        span=str(one.get("id", "")),
        parent=str(one.get("parentObservationId") or trace),
        name=str(one.get("name") or ""),
        kind=_kind(one),
        begun=moment(one.get("startTime")),
        ended=moment(one.get("endTime")),
        error=str(one.get("statusMessage") or "error") if failed else "",
        attributes={
            "input": one.get("input"),
            "output": one.get("output"),
            "metadata": one.get("metadata"),
            "gen_ai.usage.input_tokens": usage.get("input"),
            "gen_ai.usage.output_tokens": usage.get("output"),
            "gen_ai.usage.cache_read.input_tokens": usage.get("input_cached_tokens"),
        },
    )


def _kind(one: Mapping[str, Any]) -> str:
    """Its type; a plain span by its name, as older clients knew no other types."""
    kind = _KINDS.get(str(one.get("type", "")).upper(), "")
    name = str(one.get("name") or "").casefold()
    if kind or str(one.get("type", "")).upper() not in ("SPAN", ""):
        return kind
    return "RERANKER" if "rerank" in name else "RETRIEVER" if "retriev" in name else ""


def _costs(trace: Any) -> dict[str, Any]:
    cost = number_in(trace.get("totalCost")) if isinstance(trace, Mapping) else None
    return {} if cost is None else {"cost": {"total": cost}}
