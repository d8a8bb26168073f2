"""Lists written by hand: rows become cases, bad rows are named, twice is once."""

import json
from pathlib import Path
from typing import Any

import pytest

from builder.errors import InputError
from builder.logs.manual import ManualImport, read_manual
from builder.model.case import QuestionType, ReviewState, Source


def listed(folder: Path, rows: list[dict[str, Any]], name: str = "list.jsonl") -> ManualImport:
    (folder / name).write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return read_manual(folder / name, "main")


def test_rows_become_cases(tmp_path: Path) -> None:
    found = listed(
        tmp_path,
        [
            {
                "id": "m1",
                "query": "保修多久",
                "ground_truth": "24 个月",
                "answerable": True,
                "expected_ids": ["a#1", "b#2"],
            },
            {"id": "m2", "query": "老板电话", "answerable": False},
            {"id": "m3", "query": "还没写答案"},
        ],
    )
    done, none, waits = found.cases
    assert (done.review_state, done.ground_truth, done.source) == (ReviewState.UNREVIEWED, "24 个月", Source.MANUAL)
    assert (none.review_state, none.answerable, none.question_type) == (
        ReviewState.UNREVIEWED,
        False,
        QuestionType.UNANSWERABLE,
    )
    assert waits.review_state is ReviewState.NEEDS_ANSWER
    assert found.without_answer == 1
    assert found.expected == {done.case_id: ("a#1", "b#2")}
    assert found.rows == {done.case_id: 1, none.case_id: 2, waits.case_id: 3}
    assert done.origin is not None
    assert (done.origin.system, done.origin.record_ids) == ("list.jsonl", ("m1",))
    assert all(case.case_id.startswith("m") and len(case.case_id) == 13 for case in found.cases)


def test_bad_rows_are_numbered_and_the_others_go_on(tmp_path: Path) -> None:
    found = listed(
        tmp_path,
        [
            {"id": 1, "question": "a", "answer": "b"},
            {"id": 2, "question": " ", "answer": "b"},
            {"id": 3, "question": "c", "answer": "d", "answerable": "maybe"},
            {"id": 1, "question": "e", "answer": "f"},
            {"id": 5, "question": "g", "answer": "h", "answerable": "否"},
        ],
    )
    assert [case.question for case in found.cases] == ["a", "g"]
    assert [(problem.row, problem.code, problem.detail) for problem in found.problems] == [
        (2, "no_question", ""),
        (3, "unknown_answerable", "maybe"),
        (4, "repeated_id", "1"),
    ]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "gb18030"])
def test_spreadsheets(tmp_path: Path, encoding: str) -> None:
    text = '编号,问题,参考答案,是否可回答,片段编号\n1,退货几天,七天,是,"a#1；b#2"\n2,,x,,\n3,老板是谁,,否,\n'
    (tmp_path / "表.csv").write_bytes(text.encode(encoding))
    found = read_manual(tmp_path / "表.csv", "main")
    assert [(case.question, case.answerable) for case in found.cases] == [("退货几天", True), ("老板是谁", False)]
    assert found.expected[found.cases[0].case_id] == ("a#1", "b#2")
    assert [(problem.row, problem.code) for problem in found.problems] == [(3, "no_question")]
    assert found.taken["ground_truth"] == "参考答案"


def test_twice_is_once_and_another_list_is_another(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [{"id": 1, "question": "a", "answer": "b"}, {"question": "c", "answer": "d"}]
    ids = [case.case_id for case in listed(tmp_path, rows).cases]
    assert [case.case_id for case in listed(tmp_path, rows, "again.jsonl").cases] == ids
    assert listed(tmp_path, [{"id": 1, "question": "other", "answer": "b"}]).cases[0].case_id not in ids
    corrected = listed(tmp_path, [{"id": 1, "question": "a", "answer": "better"}]).cases[0]
    assert corrected.case_id == ids[0]


def test_personal_data_is_out(tmp_path: Path) -> None:
    found = listed(tmp_path, [{"id": "13800138000", "question": "打13800138000", "answer": "找li@qq.com"}])
    assert "13800138000" not in repr(found)
    assert "li@qq.com" not in repr(found)
    assert found.redacted == {"phone": 1, "email": 1}


def test_no_question_column(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="frage, answer"):
        listed(tmp_path, [{"frage": "a", "answer": "b"}])
