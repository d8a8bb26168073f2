"""Run files: every optional part optional, nothing unknown lost, a line there whole or not at all."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.errors import InputError
from builder.model.run import RunHeader, RunRecord, ToolCall
from builder.score.run_file import append_records, read_run, run_name, run_schema, write_run
from tests.folder import ROOT

HEADER = RunHeader(snapshot="v1", snapshot_hash="ab", config={"model": "m", "k": 5}, seed=3, concurrency=4)
FULL: dict[str, Any] = {
    "case_id": "g1",
    "repeat": 2,
    "question": "整机质保多久？\u2028",
    "rewritten_query": "整机 质保",
    "filters": {"tenant": "a"},
    "retrieved": [{"id": "a#1", "score": 1.5, "span": {"start": 0, "end": 4, "page": 2}}, "a#2", 7],
    "reranked": [],
    "context": [{"text": "整机质保 24 个月", "mine": {"x": 1}}],
    "context_text": "整机质保 24 个月",
    "answer": "24 个月",
    "status": "answer",
    "citations": ["a#1", {"id": "a#2", "marker": "[2]", "doc_version": 3}],
    "tool_calls": [{"name": "refund", "arguments": {"id": 1}, "side_effect": True}],
    "latency_ms": {"retrieve": 12.5, "generate": 900},
    "ttft_ms": 120,
    "tokens": {"input": 10, "cached": 4, "output": 5},
    "cost": 0.01,
    "trace_url": "https://trace.example/1",
}


def test_every_part_is_read(tmp_path: Path) -> None:
    write_run(tmp_path / "one.jsonl", HEADER, [RunRecord(**FULL)])
    run = read_run(tmp_path / "one.jsonl")
    (record,) = run.records
    assert (run.name, run.header) == ("one", HEADER)
    assert [item.id for item in record.retrieved or ()] == ["a#1", "a#2", "7"]
    assert record.reranked == () and (record.citations or ())[1].doc_version == "3"
    assert (record.tokens or {})["total"].cached == 4 and record.cost == {"total": 0.01}
    assert (record.tool_calls or ()) == (ToolCall(name="refund", arguments={"id": 1}, side_effect=True),)


def test_unknown_fields_are_kept(tmp_path: Path) -> None:
    record = RunRecord(**FULL)
    write_run(tmp_path / "one.jsonl", HEADER.replace(team="qa"), [record.replace(answer="x")])
    header, line = map(json.loads, (tmp_path / "one.jsonl").read_text(encoding="utf-8").strip().split("\n"))
    assert (header["team"], line["trace_url"], line["answer"]) == ("qa", "https://trace.example/1", "x")
    assert line["context"][0]["mine"] == {"x": 1}
    assert read_run(tmp_path / "one.jsonl").records == (record.replace(answer="x"),)


def test_only_the_case_is_needed(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    path.write_text('\ufeff{"snapshot": "v1"}\r\n\r\n{"case_id": "g1"}', encoding="utf-8")
    (record,) = read_run(path).records
    assert (record.repeat, record.answer, record.retrieved, record.status) == (1, None, None, None)


def test_of_several_lines_for_one_answer_the_last_holds(tmp_path: Path) -> None:
    records = [RunRecord(case_id="g1", error="timeout"), RunRecord(case_id="g2"), RunRecord(case_id="g1", answer="x")]
    write_run(tmp_path / "one.jsonl", HEADER, records)
    run = read_run(tmp_path / "one.jsonl")
    assert ([record.case_id for record in run.records], run.replaced) == (["g1", "g2"], 1)
    assert run.by_key["g1", 1].answer == "x"


@pytest.mark.parametrize(
    ("line", "detail"),
    [
        ("{", "EOF"),
        ("[]", "object"),
        ('{"repeat": 1}', "case_id"),
        ('{"case_id": "g1", "repeat": 0}', "repeat"),
        ('{"case_id": "g1", "status": "maybe"}', "status"),
        ('{"case_id": "g1", "retrieved": [{"score": 1}]}', "retrieved"),
        ('{"case_id": "g1", "retrieved": [{"id": "a", "span": {"start": 4, "end": 4}}]}', "span"),
        ('{"case_id": "g1", "schema_version": 9}', "schema_version"),
        ('{"case_id": "\xff"}', ""),
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, line: str, detail: str) -> None:
    path = tmp_path / "one.jsonl"
    path.write_bytes(b'{"snapshot": "v1"}\n{"case_id": "g0"}\n' + line.encode("latin-1") + b"\n")
    with pytest.raises(InputError) as caught:
        read_run(path)
    assert caught.value.key == "run_line" and caught.value.values["line"] == 3
    assert detail in str(caught.value) and len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "key"),
    [(None, "run_unreadable"), ("\n", "run_empty"), ('{"case_id": "g1"}\n', "run_header"), ("{\n", "run_header")],
)
def test_what_is_no_run(tmp_path: Path, text: str | None, key: str) -> None:
    path = tmp_path / "one.jsonl"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_run(path)
    assert caught.value.key == key


def test_a_run_is_never_overwritten(tmp_path: Path) -> None:
    write_run(tmp_path / "one.jsonl", HEADER)
    with pytest.raises(InputError):
        write_run(tmp_path / "one.jsonl", HEADER)


TORN = b'{"case_id": "g2", "answer": "' + "二".encode() + b'"}'
"""A line of which a crash leaves the beginning."""


@given(cut=st.integers(0, 40))
def test_after_a_crash_the_next_line_is_whole(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    path = tmp_path_factory.mktemp("runs") / "one.jsonl"
    write_run(path, HEADER, [RunRecord(case_id="g1", answer="一")])
    with path.open("ab") as file:
        file.write(TORN[:cut])
    append_records(path, [RunRecord(case_id="g3", answer="三")])
    found = [record.case_id for record in read_run(path).records]
    assert found == (["g1", "g2", "g3"] if cut >= len(TORN) else ["g1", "g3"])


def test_several_processes_append_at_once(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    write_run(path, HEADER)
    code = (
        "import sys, pathlib; from builder.model.run import RunRecord\n"
        "from builder.score.run_file import append_records\n"
        "for n in range(20): append_records(pathlib.Path(sys.argv[1]), [RunRecord(case_id=sys.argv[2] + str(n))])"
    )
    started = [subprocess.Popen([sys.executable, "-c", code, str(path), name], cwd=ROOT) for name in "abc"]
    assert [process.wait() for process in started] == [0, 0, 0]
    assert len(read_run(path).records) == 60


def test_the_schema_describes_both_kinds_of_line() -> None:
    schema = run_schema()
    assert {one["$ref"] for one in schema["anyOf"]} == {"#/$defs/RunHeader", "#/$defs/RunRecord"}
    record = schema["$defs"]["RunRecord"]
    assert record["required"] == ["case_id"] and set(FULL) - {"trace_url"} <= set(record["properties"])
    json.dumps(schema)


def test_the_published_schema_is_that_of_the_code() -> None:
    path = ROOT / "manual" / "run.schema.json"
    text = json.dumps(run_schema(), ensure_ascii=False, indent=2) + "\n"
    if os.environ.get("GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, "GOLDEN=write pytest tests/score/test_run_file.py"


def test_names(tmp_path: Path) -> None:
    assert run_name(tmp_path / "2026.03.jsonl") == "2026.03"


texts = st.text(max_size=12)
items = st.fixed_dictionaries(
    {"id": st.text(min_size=1, max_size=5)}, optional={"score": st.floats(0, 1), "text": texts}
)


@given(
    st.fixed_dictionaries(
        {"case_id": texts},
        optional={
            "answer": texts,
            "context_text": texts,
            "retrieved": st.lists(items, max_size=3),
            "citations": st.lists(st.text(min_size=1, max_size=4), max_size=3),
            "latency_ms": st.dictionaries(texts, st.floats(0, 1e6), max_size=2),
            "error": st.none() | texts,
        },
    )
)
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, values: dict[str, Any]) -> None:
    path = tmp_path_factory.mktemp("runs") / "one.jsonl"
    record = RunRecord(**values)
    write_run(path, HEADER, [record])
    assert read_run(path).records == (record,)


@given(cut=st.integers(0, 40))
def test_after_a_crash_what_is_whole_can_be_read(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    """Also by who adds nothing: scoring a run that was broken off."""
    path = tmp_path_factory.mktemp("runs") / "one.jsonl"
    write_run(path, HEADER, [RunRecord(case_id="g1", answer="一")])
    with path.open("ab") as file:
        file.write(TORN[:cut])
    assert [record.case_id for record in read_run(path).records] == (["g1", "g2"] if cut >= len(TORN) else ["g1"])


def test_a_broken_line_before_the_last_is_named(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    for broken in ('{"case_id": "g\n{"case_id": "g3"}\n', '{"case_id": "g\n'):
        path.write_text('{"snapshot": "v1"}\n{"case_id": "g1"}\n' + broken, encoding="utf-8")
        with pytest.raises(InputError) as caught:
            read_run(path)
        assert (caught.value.key, caught.value.values["line"]) == ("run_line", 3)


def test_a_run_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    """A limit on the size of files stands for a full disk."""
    code = (
        "import sys, pathlib, resource; from builder.errors import InputError\n"
        "from builder.model.run import RunHeader, RunRecord; from builder.score.run_file import write_run\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "records = [RunRecord(case_id=f'g{n}', answer='x' * 100) for n in range(100)]\n"
        "try: write_run(pathlib.Path(sys.argv[1]), RunHeader(snapshot='v1'), records)\n"
        "except InputError as error: sys.exit(error.key)\n"
    )
    path = tmp_path / "one.jsonl"
    found = subprocess.run([sys.executable, "-c", code, str(path)], cwd=ROOT, capture_output=True, text=True)
    assert found.stderr.strip() == "run_unwritable"
    assert list(tmp_path.iterdir()) == []
