"""Complaints become cases that wait for an answer; praise does not; the same log twice gives the same cases."""

import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from builder.logs.door import read_log
from builder.logs.feedback import FeedbackImport, feedback_cases
from builder.logs.record import LogRecord
from builder.model.case import QuestionType, ReviewState, Source, Style, Turn


def imported(folder: Path, rows: list[dict[str, Any]], name: str = "log.jsonl") -> FeedbackImport:
    (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return feedback_cases(read_log(folder / name).records, "main", name)


def total(found: FeedbackImport) -> int:
    return found.imported + found.not_negative + found.without_question + found.merged + found.repeated


def test_a_complaint_waits_for_its_answer(tmp_path: Path) -> None:
    row = {"id": "r1", "question": "保修多久", "answer": "三个月", "rating": "down", "comment": "错了", "link": "u"}
    case = imported(tmp_path, [row]).cases[0]
    assert (case.review_state, case.enabled, case.ground_truth) == (ReviewState.NEEDS_ANSWER, False, "")
    assert (case.question, case.rejected_output) == ("保修多久", "三个月")
    assert (case.source, case.style, case.question_type) == (
        Source.FEEDBACK,
        Style.COLLOQUIAL,
        QuestionType.SINGLE_FACT,
    )
    assert case.tags == ("thumbs_down",)
    assert case.case_id.startswith("f")
    assert case.origin is not None
    assert (case.origin.system, case.origin.record_ids, case.origin.comments) == ("log.jsonl", ("r1",), ("错了",))
    assert (case.origin.count, case.origin.link) == (1, "u")


def test_same_questions_merge_and_everything_is_counted(tmp_path: Path) -> None:
    rows = [
        {"id": "r1", "question": "保修多久？", "answer": "a", "rating": "down", "comment": "x", "time": "2026-01-02"},
        {"id": "r2", "question": " 保修 多久？", "answer": "b", "rating": "down", "comment": "y", "time": "2026-01-01"},
        {"id": "r3", "question": "保修多久？", "answer": "c", "rating": "up"},
        {"id": "r4", "question": "", "answer": "d", "rating": "down"},
        {"id": "r5", "question": "别的", "answer": "e", "rating": "down"},
        {"id": "r6", "question": "无评价", "answer": "f"},
        {"id": "r7", "question": "改主意", "answer": "g", "rating": "down"},
        {"id": "r7", "question": "改主意", "answer": "g", "rating": "up"},
    ]
    found = imported(tmp_path, rows)
    assert [case.question for case in found.cases] == [" 保修 多久？".strip(), "别的"]
    origin = found.cases[0].origin
    assert origin is not None
    assert (origin.record_ids, origin.comments, origin.count) == (("r1", "r2"), ("x", "y"), 2)
    assert found.cases[0].rejected_output == "b"
    assert (found.imported, found.not_negative, found.without_question) == (2, 3, 1)
    assert (found.merged, found.repeated) == (1, 1)
    assert total(found) == len(rows)


def test_a_follow_up_is_another_question_in_another_conversation(tmp_path: Path) -> None:
    rows = [
        {"id": str(n), "question": "那多久？", "rating": "down", "history": [{"role": "user", "content": text}]}
        for n, text in enumerate(["退款", "换货"])
    ]
    found = imported(tmp_path, rows)
    assert [case.style for case in found.cases] == [Style.FOLLOW_UP, Style.FOLLOW_UP]
    assert found.cases[0].conversation == (Turn(role="user", text="退款"),)
    assert len({case.case_id for case in found.cases}) == 2


def test_ids_hold_over_files_formats_and_order(tmp_path: Path) -> None:
    rows = [
        {"id": n, "question": f"问题 {n % 4}", "answer": "a", "rating": "down", "time": f"2026-01-{10 + n}"}
        for n in range(8)
    ]
    ids = {case.case_id for case in imported(tmp_path, rows).cases}
    assert len(ids) == 4
    assert {case.case_id for case in imported(tmp_path, rows, "other.jsonl").cases} == ids
    assert {case.case_id for case in imported(tmp_path, rows[::-1]).cases} == ids
    lines = ["id,question,answer,rating,time", *(",".join(map(str, row.values())) for row in rows)]
    (tmp_path / "log.csv").write_text("\n".join(lines))
    assert {case.case_id for case in feedback_cases(read_log(tmp_path / "log.csv").records, "main", "x").cases} == ids
    assert not ids & {case.case_id for case in feedback_cases(read_log(tmp_path / "log.csv").records, "b", "x").cases}


def test_row_numbers_of_another_file_are_other_records(tmp_path: Path) -> None:
    one = imported(tmp_path, [{"id": 1, "question": "a", "rating": "down"}], "a.jsonl")
    two = imported(tmp_path, [{"id": 1, "question": "b", "rating": "down"}], "b.jsonl")
    chat = imported(tmp_path, [{"id": 1, "question": text, "rating": "down"} for text in "ab"], "c.jsonl")
    assert [case.case_id for case in chat.cases] == [one.cases[0].case_id, two.cases[0].case_id]


def test_a_log_without_ids_is_the_same_log_twice(tmp_path: Path) -> None:
    rows = [{"question": "a", "answer": "b", "rating": "down"}, {"question": "c", "answer": "d", "rating": "down"}]
    assert imported(tmp_path, rows).cases == imported(tmp_path, rows[::-1]).cases[::-1]


records = st.builds(
    LogRecord,
    record_id=st.sampled_from("abc"),
    system=st.sampled_from(["log", "langfuse"]),
    time=st.none() | st.sampled_from(["1", "2"]),
    question=st.sampled_from(["", "x", "X ", "y"]),
    answer=st.sampled_from(["", "n"]),
    rating=st.sampled_from(["down", "up", None]),
)


@given(st.lists(records, max_size=12))
def test_counts_add_up_and_ids_are_unique(read: list[LogRecord]) -> None:
    found = feedback_cases(read, "main", "f")
    assert total(found) == len(read)
    assert len({case.case_id for case in found.cases}) == len(found.cases) == found.imported
    assert sum(case.origin.count for case in found.cases if case.origin) == found.imported + found.merged
