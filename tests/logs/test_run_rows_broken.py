"""Files of other tools that are broken, odd or packed: rows that cannot be read are counted, and nothing breaks off."""

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from builder.errors import InputError
from builder.logs.run_rows import RunRows, read_run_rows
from builder.model.run import RunRecord
from builder.score.json_lines import line_of

QUESTION = "整机质保多久？"
OTLP_SPAN = {
    "traceId": "t", "spanId": "s", "parentSpanId": "", "startTimeUnixNano": "5", "endTimeUnixNano": "9",
    "status": {"code": 1, "message": "m"},
    "events": [{"attributes": [{"key": "output.value", "value": {"stringValue": "24"}}]}],
    "attributes": [
        {"key": "input.value", "value": {"stringValue": QUESTION}},
        {"key": "gen_ai.usage.input_tokens", "value": {"intValue": "5"}},
        {"key": "retrieval.documents", "value": {"arrayValue": {"values": [{"kvlistValue": {"values": [
            {"key": "document.id", "value": {"stringValue": "a"}}]}}]}}},
    ],
}  # fmt: skip
WHOLE: dict[str, Any] = {
    "otel": {"resourceSpans": [{"scopeSpans": [{"spans": [OTLP_SPAN]}]}]},
    "langfuse": {
        "id": "t", "input": {"args": [QUESTION], "kwargs": {}}, "output": {"answer": "x"}, "latency": 1.5,
        "totalCost": 0.1, "metadata": {"case_id": "m1"},
        "observations": [{
            "id": "o", "type": "RETRIEVER", "name": "r", "output": [{"pageContent": "p", "metadata": {"id": "k"}}],
            "startTime": "2026-01-01T00:00:00Z", "endTime": "2026-01-01T00:00:01Z",
            "usageDetails": {"input": 3, "output": 2}, "usage": {"input": 3},
        }],
    },
    "phoenix": {"data": [{
        "context": {"trace_id": "t", "span_id": "s"}, "span_kind": "RETRIEVER", "parent_id": None,
        "status_code": "OK", "start_time": "2026-01-01T00:00:00Z", "end_time": "2026-01-01T00:00:01Z",
        "events": [{"attributes": {"a": 1}}],
        "attributes": {"input": {"value": QUESTION}, "retrieval.documents.0.document.content": "p"},
    }]},
    "deepeval": {"testCases": [{
        "name": "n", "input": QUESTION, "actualOutput": "x", "retrievalContext": ["p"], "completionTime": 1.5,
        "tokenCost": 0.1,
    }]},
    "ragas": [{
        "user_input": [{"content": QUESTION, "type": "human"}], "response": "x", "retrieved_contexts": ["p"],
        "retrieved_context_ids": ["i"],
    }],
    "plain": [{
        "question": QUESTION, "answer": "x", "retrieved": [{"id": "a", "score": 1, "span": {"start": 0, "end": 3}}],
        "citations": ["a"], "tool_calls": [{"name": "f"}], "usage": {"prompt_tokens": 3}, "latency_ms": {"a": 1},
        "status": "ok", "error": None, "ttft_ms": 3, "cost": 1, "filters": {}, "case_id": "m1",
    }],
}  # fmt: skip
JUNK: st.SearchStrategy[Any] = st.sampled_from(
    [
        None, True, -1, 10**400, 1.5, "", "x", "\ud800", "NaN", "[[", '{"a": [', "0001-01-01T00:00:00", "[" * 900,
        "[" * 300 + "]" * 300, [], {}, [None], ["x", 3], [[1]], {"id": ""}, {"a": {"b": []}}, {"text": 5}, {"value": 7},
    ]
)  # fmt: skip


def read(tmp_path: Path, text: str | bytes, format: str = "auto") -> RunRows:
    path = tmp_path / "file.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    return read_run_rows(path, format)


def places(value: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value within a value."""
    yield here
    for name, one in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(one, (*here, name))


def changed(value: Any, way: tuple[Any, ...], junk: Any) -> Any:
    if not way:
        return junk
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[way[0]] = changed(copy[way[0]], way[1:], junk)
    return copy


@pytest.mark.parametrize("format", WHOLE)
@given(data=st.data())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_stands_at_a_place_no_reader_breaks(format: str, data: st.DataObject, tmp_path: Path) -> None:
    value = WHOLE[format]
    for _ in range(data.draw(st.integers(1, 2))):
        value = changed(value, data.draw(st.sampled_from(list(places(value)))), data.draw(JUNK))
    try:
        found = read(tmp_path, json.dumps(value), format)
    except InputError:
        return
    for row in found.rows:
        try:
            record = RunRecord(case_id="c", **row.values)
        except ValidationError:
            continue  # run_from counts it
        assert RunRecord.model_validate_json(line_of(record).encode()).case_id == "c"


@pytest.mark.parametrize("format", WHOLE)
@pytest.mark.parametrize(
    "packed", [lambda data: b"\xef\xbb\xbf" + data, lambda data: data.replace(b"\n", b"\r\n"), gzip.compress]
)
def test_marks_line_ends_and_packing_change_nothing(
    tmp_path: Path, format: str, packed: Callable[[bytes], bytes]
) -> None:
    text = json.dumps(WHOLE[format], indent=1)
    plain = read(tmp_path, text)
    assert plain.format == format and plain.rows[0].question == QUESTION
    assert read(tmp_path, packed(text.encode())).rows == plain.rows


def test_a_broken_pack_is_said(tmp_path: Path) -> None:
    whole = gzip.compress(json.dumps(WHOLE["plain"]).encode())
    for data in (whole[:-9], whole[:12] + b"\xff\xff\xff" + whole[15:], whole[:20]):
        with pytest.raises(InputError):
            read(tmp_path, data)


def test_what_is_no_number_has_no_place_in_a_trec_run(tmp_path: Path) -> None:
    lines = "m1 Q0 a 1 nan t\nm1 Q0 b 2 0.5 t\nm1 Q0 c 3 inf t\nm1 Q0 d x 0.9 t\nm1 Q0 e 4 0.9 t\nm1 Q0 a 5 0.1 t\n"
    found = read(tmp_path, "\ufeff\r\n" + lines.replace("\n", "\r\n"))
    assert found.format == "trec"
    assert [item["id"] for item in found.rows[0].values["retrieved"]] == ["e", "b", "a"]
    assert [(one.row, one.code) for one in found.problems] == [(2, "bad_trec"), (4, "bad_trec"), (5, "bad_trec")]


def test_a_line_break_of_another_script_ends_no_line(tmp_path: Path) -> None:
    found = read(tmp_path, "m1 Q0 a 1 3 t\x0b\nm1 Q0 b 2 2 t\n")
    assert (len(found.rows[0].values["retrieved"]), found.problems) == (2, ())


def test_arrays_in_cells_have_no_commas(tmp_path: Path) -> None:
    cell = "\"['a, 1' 'b''c'\n \"\"it's\"\"]\""
    (row,) = read(tmp_path, f"user_input,retrieved_contexts,response\n{QUESTION},{cell},x\n").rows
    assert [item["text"] for item in row.values["retrieved"]] == ["a, 1", "b", "c", "it's"]


def test_what_a_traced_function_was_called_with(tmp_path: Path) -> None:
    trace = {"id": "t", "output": "x", "bookmarked": False}
    for told in ({"args": [{"top": 3}, QUESTION], "kwargs": {}}, {"args": [], "kwargs": {"question": QUESTION}}):
        (row,) = read(tmp_path, json.dumps(trace | {"input": told})).rows
        assert row.question == QUESTION


def test_traces_that_ask_nothing_are_counted(tmp_path: Path) -> None:
    asks = {"id": "t", "input": QUESTION, "output": "x", "bookmarked": False}
    found = read(tmp_path, json.dumps([asks, {"id": "health", "name": "ping", "bookmarked": False}]))
    assert len(found.rows) == 1
    assert [(one.code, one.detail) for one in found.problems] == [("no_question", "ping")]


def test_attributes_may_be_nested(tmp_path: Path) -> None:
    span = {
        "context": {"trace_id": "t", "span_id": "s"}, "span_kind": "UNKNOWN", "parent_id": None,
        "attributes": {
            "input": {"value": QUESTION, "mime_type": "text/plain"}, "output": {"value": "24"},
            "openinference": {"span": {"kind": "RETRIEVER"}},
            "retrieval": {"documents": [{"document": {"id": "a#1", "content": "p"}}]},
        },
    }  # fmt: skip
    (row,) = read(tmp_path, json.dumps({"data": [span]}), "phoenix").rows
    assert (row.question, row.values["answer"]) == (QUESTION, "24")
    assert row.values["retrieved"] == [{"id": "a#1", "text": "p"}]


def test_passages_of_deepeval_may_be_objects(tmp_path: Path) -> None:
    case = {"input": QUESTION, "actual_output": "x", "retrieval_context": [{"context": "p", "source": "s"}]}
    assert read(tmp_path, json.dumps([case])).rows[0].values["context"] == [{"id": "", "text": "p"}]
