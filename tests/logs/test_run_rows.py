"""Answers out of the files of other tools: each format as its tool writes it."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from builder.errors import InputError, UsageError
from builder.logs.run_row import RunRow
from builder.logs.run_rows import FORMATS, read_run_rows
from builder.model.run import RunRecord

TEXT, OTHER = "整机保修期为 24 个月，含税。", 'It\'s "covered", says policy [2].'
QUESTION = "整机质保多久？"


def rows(tmp_path: Path, text: str, wanted: str, name: str = "file.txt") -> list[RunRow]:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    found = read_run_rows(path)
    assert found.format == wanted
    assert read_run_rows(path, wanted).rows == found.rows
    for row in found.rows:
        RunRecord(case_id="c", **row.values)
    return list(found.rows)


def ids(row: RunRow, stage: str = "retrieved") -> list[str]:
    return [item.get("id", "") for item in row.values[stage]]


def texts(row: RunRow, stage: str = "retrieved") -> list[str]:
    return [item.get("text", "") for item in row.values[stage]]


def test_trec_orders_by_score(tmp_path: Path) -> None:
    lines = (
        "m1 Q0 b#1 2 0.5 bm25\nm1 Q0 a%20b#1 1 0.9 bm25\nm2 Q0 c#1 1 3 bm25\nm1 Q0 d#1 3 0.5 bm25\n"
        "m1 Q0 e 1 9 other\nx y\n"
    )
    first, second = rows(tmp_path, lines, "trec", "bm25.run")
    assert (first.case_id, ids(first)) == ("m1", ["a b#1", "b#1", "d#1"])
    assert (second.case_id, ids(second), "context" in second.values) == ("m2", ["c#1"], False)
    problems = read_run_rows(tmp_path / "bm25.run").problems
    assert [(one.row, one.code) for one in problems] == [(5, "other_system"), (6, "bad_trec")]


RAGAS = {
    "user_input": QUESTION,
    "response": "24 个月",
    "retrieved_contexts": [TEXT, OTHER],
    "reference": "never taken",
    "faithfulness": 0.5,
}


def test_ragas_as_json_lines_and_json(tmp_path: Path) -> None:
    for text in (json.dumps(RAGAS), json.dumps([RAGAS]), json.dumps([RAGAS], indent=1)):
        (row,) = rows(tmp_path, text, "ragas")
        assert (row.question, row.values["answer"], texts(row)) == (QUESTION, "24 个月", [TEXT, OTHER])
        assert row.values["context"] == row.values["retrieved"]
        assert "never taken" not in json.dumps(row.values)


def test_ragas_as_a_data_frame_writes_it(tmp_path: Path) -> None:
    """A list in a cell is a Python literal there, with either kind of quotes."""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(RAGAS))
    writer.writeheader()
    writer.writerow(RAGAS | {"retrieved_contexts": repr([TEXT, OTHER])})
    (row,) = rows(tmp_path, out.getvalue(), "ragas", "r.csv")
    assert texts(row) == [TEXT, OTHER]


def test_ragas_with_ids_and_with_messages(tmp_path: Path) -> None:
    talk = [
        {"type": "human", "content": "你好"},
        {"type": "ai", "content": "?"},
        {"type": "human", "content": QUESTION},
    ]
    (row,) = rows(tmp_path, json.dumps(RAGAS | {"user_input": talk, "retrieved_context_ids": ["a#1", 7]}), "ragas")
    assert (row.question, ids(row), texts(row)) == (QUESTION, ["a#1", "7"], [TEXT, OTHER])
    (row,) = rows(tmp_path, json.dumps(RAGAS | {"retrieved_context_ids": ["a#1"]}), "ragas")
    assert (ids(row), texts(row)) == (["a#1"], [""])


def test_deepeval_test_cases_and_test_runs(tmp_path: Path) -> None:
    case = {
        "input": QUESTION,
        "actual_output": "24 个月",
        "retrieval_context": [TEXT],
        "context": ["never taken"],
        "expected_output": "never taken",
        "completion_time": 1.5,
        "additional_metadata": {"case_id": "m1"},
    }
    (row,) = rows(tmp_path, json.dumps([case]), "deepeval")
    assert (row.case_id, row.question, texts(row, "context")) == ("m1", QUESTION, [TEXT])
    assert row.values["latency_ms"] == {"total": 1500.0}
    assert "never taken" not in json.dumps(row.values)
    inner = {"name": "m1", "input": QUESTION, "actualOutput": "24", "retrievalContext": [TEXT], "tokenCost": 0.1}
    (row,) = rows(tmp_path, json.dumps({"testFile": "t.py", "testCases": [inner]}), "deepeval")
    assert (row.case_id, row.values["answer"], row.values["cost"]) == ("m1", "24", {"total": 0.1})


def test_the_usual_names(tmp_path: Path) -> None:
    (row,) = rows(tmp_path, json.dumps({"question": QUESTION, "answer": "24", "contexts": [TEXT]}), "plain")
    assert (row.question, row.values["answer"], texts(row, "context")) == (QUESTION, "24", [TEXT])
    (row,) = rows(tmp_path, "case_id,答案\nm1,24 个月\n", "plain", "a.csv")
    assert (row.case_id, row.values["answer"]) == ("m1", "24 个月")
    header, line = {"snapshot": "v1", "schema_version": 1}, {"case_id": "m1", "answer": "24", "retrieved": ["a#1"]}
    (row,) = rows(tmp_path, json.dumps(header) + "\n" + json.dumps(line), "plain")
    assert (row.case_id, ids(row)) == ("m1", ["a#1"])


def attribute(key: str, value: Any) -> dict[str, Any]:
    kind = "intValue" if isinstance(value, int) else "stringValue"
    return {"key": key, "value": {kind: str(value)}}


def span(name: str, parent: str, begun: int, ended: int, **attributes: Any) -> dict[str, Any]:
    return {
        "traceId": "t1",
        "spanId": name,
        "parentSpanId": parent,
        "name": name,
        "startTimeUnixNano": str(begun * 1_000_000),
        "endTimeUnixNano": str(ended * 1_000_000),
        "attributes": [attribute(key.replace("__", "."), value) for key, value in attributes.items()],
        "status": {},
    }


def test_opentelemetry_with_openinference_names(tmp_path: Path) -> None:
    documents = {
        "openinference__span__kind": "RETRIEVER",
        "retrieval__documents__1__document__id": "b#1",
        "retrieval__documents__0__document__id": "a#1",
        "retrieval__documents__0__document__content": TEXT,
        "retrieval__documents__10__document__content": OTHER,
    }
    ranked = {"openinference__span__kind": "RERANKER", "reranker__output_documents__0__document__id": "b#1"}
    model = {"openinference__span__kind": "LLM", "llm__token_count__prompt": 90, "llm__token_count__completion": 9}
    spans = [
        span("search", "root", 1, 21, **documents),
        span("root", "", 0, 500, input__value=QUESTION, output__value="24 个月", metadata='{"case_id": "m1"}'),
        span("rank", "root", 21, 30, **ranked),
        span("write", "root", 30, 480, **model),
    ]
    whole = {"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}
    split = "\n".join(json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [one]}]}]}) for one in spans)
    for text in (json.dumps(whole), json.dumps(whole, indent=2), split):
        (row,) = rows(tmp_path, text, "otel")
        assert (row.case_id, row.question, row.values["answer"]) == ("m1", QUESTION, "24 个月")
        assert (ids(row), texts(row)) == (["a#1", "b#1", ""], [TEXT, "", OTHER])
        assert ids(row, "reranked") == ["b#1"]
        assert row.values["latency_ms"] == {"total": 500.0, "retrieval": 20.0, "rerank": 9.0, "generation": 450.0}
        assert row.values["tokens"] == {"generation": {"input": 90, "output": 9}}
        assert "context" not in row.values


def test_opentelemetry_with_the_names_of_genai(tmp_path: Path) -> None:
    messages = [{"role": "user", "parts": [{"type": "text", "content": QUESTION}]}]
    said = [{"role": "assistant", "parts": [{"type": "text", "content": "24 个月"}]}]
    found = [{"id": "a#1", "score": 0.5}]
    spans = [
        span(
            "chat", "", 0, 100, gen_ai__operation__name="chat", gen_ai__input__messages=json.dumps(messages),
            gen_ai__output__messages=json.dumps(said), gen_ai__usage__input_tokens=12,
        ),
        span("find", "chat", 0, 10, gen_ai__retrieval__documents=json.dumps(found)),
    ]  # fmt: skip
    (row,) = rows(tmp_path, json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}), "otel")
    assert (row.question, row.values["answer"], ids(row)) == (QUESTION, "24 个月", ["a#1"])
    assert row.values["retrieved"][0]["score"] == 0.5


def test_spans_as_an_sdk_prints_them(tmp_path: Path) -> None:
    def printed(name: str, parent: str | None, **attributes: Any) -> str:
        value = {
            "name": name,
            "context": {"trace_id": "0x01", "span_id": f"0x{name}", "trace_state": "[]"},
            "kind": "SpanKind.INTERNAL",
            "parent_id": parent,
            "start_time": "2026-01-01T00:00:00.000000Z",
            "end_time": "2026-01-01T00:00:00.040000Z",
            "status": {"status_code": "UNSET"},
            "attributes": {key.replace("__", "."): one for key, one in attributes.items()},
        }
        return json.dumps(value, indent=4)

    found = printed("find", "0xroot", retrieval__documents=json.dumps([{"document.id": "a#1"}]))
    root = printed("root", None, traceloop__entity__input=QUESTION, traceloop__entity__output="24", case_id="m1")
    broken = '{"name": "cut off'
    path = tmp_path / "spans.log"
    path.write_text("\n".join((found, broken, root)), encoding="utf-8")
    read = read_run_rows(path)
    assert (read.format, [(one.row, one.code) for one in read.problems]) == ("otel", [(19, "bad_json")])
    (row,) = read.rows
    assert (row.case_id, row.question, row.values["answer"], ids(row)) == ("m1", QUESTION, "24", ["a#1"])
    assert row.values["latency_ms"] == {"total": 40.0, "retrieval": 40.0}


def test_a_failed_trace_is_an_error(tmp_path: Path) -> None:
    broken = span("root", "", 0, 5, input__value=QUESTION) | {"status": {"code": 2, "message": "no index"}}
    (row,) = rows(tmp_path, json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [broken]}]}]}), "otel")
    assert row.values["error"] == "no index"


def test_phoenix_spans_and_data_frames(tmp_path: Path) -> None:
    context = {"trace_id": "t1", "span_id": "s1"}
    root = {
        "id": "x", "name": "q", "context": context, "span_kind": "CHAIN", "parent_id": None, "status_code": "OK",
        "start_time": "2026-01-01T00:00:00+00:00", "end_time": "2026-01-01T00:00:00.250Z",
        "attributes": {"input.value": QUESTION, "output.value": "24 个月"},
    }  # fmt: skip
    found = {
        "id": "y", "name": "r", "context": {"trace_id": "t1", "span_id": "s2"}, "span_kind": "RETRIEVER",
        "parent_id": "s1", "start_time": "2026-01-01T00:00:00Z", "end_time": "2026-01-01T00:00:00.050Z",
        "attributes": {"retrieval.documents.0.document.content": TEXT},
    }  # fmt: skip
    (row,) = rows(tmp_path, json.dumps({"data": [root, found], "next_cursor": None}), "phoenix")
    assert (row.question, row.values["answer"], texts(row)) == (QUESTION, "24 个月", [TEXT])
    assert row.values["latency_ms"] == {"total": 250.0, "retrieval": 50.0}
    frame = [
        {"context.trace_id": "t1", "context.span_id": "s1", "parent_id": "", "span_kind": "CHAIN", "name": "q",
         "attributes.input.value": QUESTION, "attributes.output.value": "24", "attributes.retrieval.documents": ""},
        {"context.trace_id": "t1", "context.span_id": "s2", "parent_id": "s1", "span_kind": "RETRIEVER", "name": "r",
         "attributes.input.value": QUESTION, "attributes.output.value": "",
         "attributes.retrieval.documents": repr([{"document.content": OTHER, "document.score": 0.25}])},
    ]  # fmt: skip
    out = io.StringIO()
    writer = csv.DictWriter(out, list(frame[0]))
    writer.writeheader()
    writer.writerows(frame)
    for text in (out.getvalue(), "\n".join(map(json.dumps, frame))):
        (row,) = rows(tmp_path, text, "phoenix")
        assert (row.values["answer"], texts(row)) == ("24", [OTHER])


def test_langfuse_traces(tmp_path: Path) -> None:
    trace = {
        "id": "t1", "name": "rag", "input": {"question": QUESTION}, "output": {"answer": "24 个月"}, "latency": 0.8,
        "totalCost": 0.002, "metadata": {"case_id": "m1"}, "bookmarked": False,
        "observations": [
            {"id": "o1", "type": "SPAN", "name": "retrieval", "input": QUESTION,
             "output": [{"id": "a#1", "content": TEXT}], "startTime": "2026-01-01T00:00:00Z",
             "endTime": "2026-01-01T00:00:00.100Z"},
            {"id": "o2", "type": "GENERATION", "name": "llm", "input": "never", "output": "24",
             "usageDetails": {"input": 50, "output": 5}},
        ],
    }  # fmt: skip
    for text in (json.dumps(trace), json.dumps({"data": [trace], "meta": {}}), json.dumps([trace]), json.dumps(trace)):
        (row,) = rows(tmp_path, text, "langfuse")
        assert (row.case_id, row.question, row.values["answer"]) == ("m1", QUESTION, "24 个月")
        assert (ids(row), texts(row)) == (["a#1"], [TEXT])
        assert row.values["latency_ms"] == {"total": 800.0, "retrieval": 100.0}
        assert row.values["tokens"] == {"generation": {"input": 50, "output": 5}}
        assert row.values["cost"] == {"total": 0.002}


def test_everything_is_redacted_but_for_ids(tmp_path: Path) -> None:
    phone = "13800138000"
    path = tmp_path / "r.json"
    path.write_text(
        json.dumps([RAGAS | {"response": phone, "retrieved_contexts": [phone], "retrieved_context_ids": [phone]}])
    )
    found = read_run_rows(path)
    (row,) = found.rows
    assert (row.values["answer"], texts(row), ids(row)) == ("[PHONE]", ["[PHONE]"], [phone])
    assert found.redacted["phone"] >= 2


@pytest.mark.parametrize("text", ["", "hello", "[]", "{}", "[1, 2]", "a,b\n1,2\n", '{"resourceSpans": []}', "m1 Q0"])
@pytest.mark.parametrize("format", ["auto", *(one.name for one in FORMATS)])
def test_what_holds_no_answer_is_said_in_one_line(tmp_path: Path, text: str, format: str) -> None:
    path = tmp_path / "x.txt"
    path.write_text(text)
    with pytest.raises(InputError):
        read_run_rows(path, format)


def test_an_unknown_format(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("x")
    with pytest.raises(UsageError, match="trec"):
        read_run_rows(tmp_path / "x", "csv")
