"""OpenTelemetry traces as JSON: OTLP (`resourceSpans`, one object or one a line), or spans as SDKs write them."""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from builder.logs.fields import is_deep, look_up
from builder.logs.record import RowProblem
from builder.logs.run_row import RunRow, mapping, number_in, sequence
from builder.logs.spans import Span, rows_of

_GAP = re.compile("[ \\t\\r\\n,\ufeff]*")
_VALUES = ("stringValue", "boolValue", "doubleValue")


def fits(suffix: str, text: str) -> bool:
    """It speaks of resource spans, or of trace_id and attributes."""
    head = text[:20000]
    return '"resourceSpans"' in head or (
        '"trace_id"' in head and '"attributes"' in head and '"parent_id"' in head and '"0x' in head
    )


def rows(text: str) -> Iterator[RunRow | RowProblem]:
    """One row a trace."""
    spans: list[Span] = []
    for number, value in objects(text):
        if isinstance(value, RowProblem):
            yield value
        else:
            spans += _spans(number, value)
    yield from rows_of(spans)


def objects(text: str) -> Iterator[tuple[int, Any]]:
    """JSON values one behind the other, whatever stands between them: with the lines on which they begin."""
    decoder, at, line = json.JSONDecoder(), 0, 1
    while True:
        begin = _past_gap(text, at)
        line, at = line + text.count("\n", at, begin), begin
        if at >= len(text):
            return
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            yield line, RowProblem(row=line, code="bad_json", detail=str(error))
            end = text.find("\n{", at) % (len(text) + 1)  # none: the end
        else:
            yield line, RowProblem(row=line, code="too_deep") if is_deep(value) else value
        line, at = line + text.count("\n", at, end), end


def _past_gap(text: str, at: int) -> int:
    found = _GAP.match(text, at)
    return found.end() if found else at


def _spans(number: int, value: Any) -> Iterator[Span]:
    if isinstance(value, list):
        for one in value:
            yield from _spans(number, one)
    elif isinstance(value, Mapping) and isinstance(value.get("resourceSpans"), list):
        for resource in map(mapping, value["resourceSpans"]):
            for scope in sequence(resource.get("scopeSpans") or resource.get("instrumentationLibrarySpans")):
                yield from (_otlp(number, mapping(span)) for span in sequence(mapping(scope).get("spans")))
    elif isinstance(value, Mapping) and isinstance(value.get("context"), Mapping):
        yield sdk_span(number, value)


def _otlp(number: int, span: Mapping[str, Any]) -> Span:
    attributes = attributes_of(span.get("attributes"))
    for event in map(mapping, sequence(span.get("events"))):  # newer conventions put messages into events
        attributes = attributes_of(event.get("attributes")) | attributes
    status = mapping(span.get("status"))
    failed = status.get("code") in (2, "STATUS_CODE_ERROR")
    return Span(
        number=number,
        trace=str(span.get("traceId", "")),
        span=str(span.get("spanId", "")),
        parent=str(span.get("parentSpanId") or ""),
        name=str(span.get("name", "")),
        kind=kind_of(attributes),
        begun=_nano(span.get("startTimeUnixNano")),
        ended=_nano(span.get("endTimeUnixNano")),
        error=str(status.get("message") or "error") if failed else "",
        attributes=attributes,
    )


def sdk_span(number: int, span: Mapping[str, Any]) -> Span:
    """A span as SDKs write it: ids in `context`, attributes by dotted name."""
    attributes = dict(mapping(span.get("attributes")))
    for event in map(mapping, sequence(span.get("events"))):
        attributes = dict(mapping(event.get("attributes"))) | attributes
    status = mapping(span.get("status"))
    failed = str(status.get("status_code", span.get("status_code", ""))).upper() == "ERROR"
    said = status.get("description") or span.get("status_message")
    return Span(
        number=number,
        trace=str(span["context"].get("trace_id", "")),
        span=str(span["context"].get("span_id", "")),
        parent=str(span.get("parent_id") or ""),
        name=str(span.get("name", "")),
        kind=kind_of(attributes) or str(span.get("span_kind") or "").upper(),
        begun=moment(span.get("start_time")),
        ended=moment(span.get("end_time")),
        error=str(said or "error") if failed else "",
        attributes=attributes,
    )


def attributes_of(pairs: Any) -> dict[str, Any]:
    """OTLP's list of keys and typed values as a dictionary."""
    return {
        str(pair["key"]): _value(pair.get("value"))
        for pair in sequence(pairs)
        if isinstance(pair, Mapping) and "key" in pair
    }


def _value(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    if "intValue" in value:
        found = number_in(value["intValue"])
        return value["intValue"] if found is None else int(found)
    if isinstance(value.get("arrayValue"), Mapping):
        return [_value(one) for one in sequence(value["arrayValue"].get("values"))]
    if isinstance(value.get("kvlistValue"), Mapping):
        return attributes_of(value["kvlistValue"].get("values"))
    return next((value[name] for name in _VALUES if name in value), None)


def kind_of(attributes: Mapping[str, Any]) -> str:
    """What a span does, in capitals, where an attribute says it."""
    said = (look_up(attributes, f"{who}.span.kind") for who in ("openinference", "traceloop"))
    return next((str(kind).upper() for kind in said if kind), "")


def moment(value: Any) -> float | None:
    """A time as milliseconds."""
    if isinstance(value, int | float):
        return number_in(value)
    try:
        return 1000 * datetime.fromisoformat(str(value).replace("Z", "+00:00")).timestamp()
    except (ValueError, OverflowError, OSError):
        return None


def _nano(value: Any) -> float | None:
    found = number_in(value)
    return None if found is None else found / 1_000_000
