"""`builder run --from`: answers that others collected become a run of the snapshot."""

import json
from pathlib import Path

import pytest

from builder.model.case import ReviewState, Split
from builder.score.run_file import Run, read_run
from builder.score.uses import read_uses
from builder.snapshot.write import write_snapshot
from tests import make
from tests.folder import Folder
from tests.snapshot.world import facts, plan

CASES = tuple(
    make.case(case_id, question=question, review_state=ReviewState.APPROVED, split=split)
    for case_id, question, split in (
        ("m000000000001", "整机质保多久？", Split.DEV),
        ("m000000000002", "How long is the ＷＡＲＲＡＮＴＹ?", Split.TEST),
        ("m000000000003", "谁能看？", None),
        ("m000000000004", "谁能看？", None),
    )
)


@pytest.fixture
def ready(folder: Folder) -> Folder:
    folder.write("builder.toml", "")
    (folder.path / "snapshots").mkdir()
    write_snapshot(folder.path / "snapshots", plan(CASES, (), ()), facts())
    return folder


def made(folder: Folder, name: str) -> Run:
    return read_run(Path(folder.path, "runs", f"{name}.jsonl"))


def results(*rows: tuple[str, str]) -> str:
    return json.dumps([{"user_input": asked, "response": said, "retrieved_contexts": []} for asked, said in rows])


def test_rows_are_mapped_by_question_and_what_is_not_mapped_is_said(ready: Folder) -> None:
    ready.write(
        "ragas.json",
        results(
            ("整机质保多久", "x"), ("整机质保 多久？", "24 个月"), ("how long is the warranty?", "24 months"),
            ("谁能看？", "?"), ("整机质保多久？", "两年，电话 13800138000"),
        ),
    )  # fmt: skip
    found = ready.done("run", "v1", "--from", "ragas.json", "--name", "old", "--config", "model=m1", "--json")
    assert found.json["format"] == "ragas"
    assert found.json["unmapped"] == {"no_case": 1, "several_cases": 1, "surplus": 1}
    assert [row[:2] for row in found.json["unmapped_rows"]] == [
        [1, "no_case"],
        [4, "several_cases"],
        [5, "surplus"],
    ]
    run = made(ready, "old")
    assert {key: record.answer for key, record in run.by_key.items()} == {
        ("m000000000001", 1): "24 个月",
        ("m000000000002", 1): "24 months",
    }
    assert [record.question for record in run.records] == [CASES[0].question, CASES[1].question]
    assert (run.header.repeats, run.header.config) == (1, {"target": "ragas:ragas.json", "model": "m1"})
    assert all(record.latency_ms is None for record in run.records)
    assert [use.run for use in read_uses(ready.path / "runs")] == ["old"]


def test_a_question_that_came_oftener_makes_no_failures_of_the_others(ready: Folder) -> None:
    """Scoring counts every repeat that is missing as a failure."""
    first, second = CASES[0].question, CASES[1].question
    for count, told in ((1, [first, second, first]), (2, [first, second, first, second, first])):
        ready.write("r.json", results(*((one, f"{number} 13800138000") for number, one in enumerate(told))))
        found = ready.done(
            "run", "v1", "--from", "r.json", "--name", f"a{count}", "--json", "--split", "dev", "--split", "test"
        )
        assert (found.json["repeats"], found.json["missing"], found.json["unmapped"]) == (count, 0, {"surplus": 1})
        run = made(ready, f"a{count}")
        assert sorted(run.by_key) == [(case.case_id, repeat) for case in CASES[:2] for repeat in range(1, count + 1)]
        assert all(record.answer == f"{number} [PHONE]" for number, record in enumerate(run.records))


def test_rows_that_failed_are_said_without_advice_that_does_not_fit(ready: Folder) -> None:
    ready.write("r.jsonl", "".join(
        json.dumps({"case_id": case.case_id, "answer": "x", "error": error}) + "\n"
        for case, error in zip(CASES, ("", "no index", False, None), strict=True)
    ))  # fmt: skip
    found = ready.done("run", "v1", "--from", "r.jsonl", "--name", "a")
    assert [record.error for record in made(ready, "a").records] == [None, "no index", None, None]
    assert "1 " in found.err and "--retry-failed" not in found.err


def test_the_id_of_a_case_goes_before_its_question(ready: Folder) -> None:
    ready.write("plain.jsonl", json.dumps({"case_id": "m000000000004", "question": "谁能看？", "answer": "人事"}))
    ready.done("run", "v1", "--from", "plain.jsonl", "--name", "a")
    assert [record.case_id for record in made(ready, "a").records] == ["m000000000004"]


def test_trec_runs_tell_what_was_retrieved(ready: Folder) -> None:
    ready.write("bm25.run", "m000000000001 Q0 policy.md#1 1 2.5 x\nm000000000009 Q0 policy.md#1 1 2.5 x\n")
    found = ready.done("run", "v1", "--from", "bm25.run", "--name", "a", "--lang", "zh")
    assert "快照里没有这道题" in found.err
    (record,) = made(ready, "a").records
    assert [item.id for item in record.retrieved or ()] == ["policy.md#1"]
    assert record.context is None and record.answer is None and record.error is None


def test_an_answer_that_is_there_is_never_overwritten(ready: Folder) -> None:
    ready.write("r.json", results(("整机质保多久？", "24")))
    ready.done("run", "v1", "--from", "r.json", "--name", "a")
    found = ready.run("run", "v1", "--from", "r.json", "--name", "a")
    assert (found.code, found.err.count("\n")) == (3, 1)


def test_a_file_that_answers_nothing_of_the_snapshot_is_refused(ready: Folder) -> None:
    ready.write("r.json", results(("天气如何？", "晴")))
    found = ready.run("run", "v1", "--from", "r.json", "--name", "a")
    assert found.code == 3 and "天气如何" in found.err
    assert ready.run("run", "v1", "--from", "r.json", "--format", "trec").code == 3
    assert ready.run("run", "v1", "--from", "r.json", "--format", "xml").code == 2
    assert ready.run("run", "v1", "--from", "none.json").code == 3
    assert not (ready.path / "runs").exists()
