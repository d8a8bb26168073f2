"""Verdict files: append-only, undo is a later line, and another answer has no verdict."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from builder.errors import InputError
from builder.model.claim import Claim
from builder.model.run import RunRecord
from builder.model.verdict import AnswerVerdict, ClaimVerdict, Judgement, Verdict
from builder.score.verdict_file import (
    answer_hash,
    append_verdicts,
    case_hash,
    current,
    holds,
    read_verdicts,
    verdict_path,
)
from tests import make


def line(number: int, who: str = "lin", case_id: str = "g1", **fields: object) -> AnswerVerdict:
    known: dict[str, object] = {"id": f"v{number}", "run": "base", "case_id": case_id, "who": who}
    known |= {"at": datetime(2026, 3, 1, tzinfo=UTC)}
    if "undoes" not in fields:
        known["verdict"] = Verdict.WRONG
    return AnswerVerdict.model_validate(known | fields)


def undo(number: int, of: int) -> AnswerVerdict:
    return line(number, undoes=f"v{of}")


def test_round_trip(tmp_path: Path) -> None:
    path = verdict_path(tmp_path / "runs" / "base.jsonl")
    assert path.name == "base.verdicts.jsonl" and read_verdicts(path) == ()
    marks = (ClaimVerdict(index=0, must_not=True, text="x", verdict=Judgement.WRONG),)
    lines = (line(1, claims=marks, note="备注\u2028行"), undo(2, 1))
    append_verdicts(path, lines[:1])
    append_verdicts(path, lines[1:])
    assert read_verdicts(path) == lines
    append_verdicts(path, lines)
    assert read_verdicts(path) == lines, "a line that stands twice counts once"


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "base.verdicts.jsonl"
    append_verdicts(path, [line(1)])
    path.write_text(path.read_text(encoding="utf-8") + '{"id": "v2"}\n', encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_verdicts(path)
    assert caught.value.values["line"] == 2


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        ((line(1), line(2)), ["v2"]),
        ((line(1), line(2), undo(3, 2)), ["v1"]),
        ((line(1), line(2), undo(3, 2), undo(4, 1)), []),
        ((line(1), undo(2, 1), undo(3, 2)), ["v1"]),
        ((line(1), undo(2, 1), undo(3, 2), undo(4, 3)), []),
        ((line(1), line(2, "wang")), ["v1", "v2"]),
        ((line(1), line(2, "wang"), undo(3, 1)), ["v2"]),
        ((line(1), line(2, case_id="g2"), line(3, repeat=2)), ["v1", "v2", "v3"]),
        ((line(1), line(2, verdict=None)), []),
    ],
)
def test_what_holds(lines: tuple[AnswerVerdict, ...], wanted: list[str]) -> None:
    assert [one.id for one in current(lines)] == wanted


def test_an_undo_says_nothing_of_its_own() -> None:
    with pytest.raises(ValidationError):
        line(1, undoes="v0", note="x")


@given(steps=st.lists(st.sampled_from(["say", "undo"]), max_size=12))
def test_undo_goes_back_step_by_step(steps: list[str]) -> None:
    lines: list[AnswerVerdict] = []
    stack: list[str] = []
    for number, step in enumerate(steps):
        if step == "say":
            lines.append(line(number))
            stack.append(f"v{number}")
        elif stack:
            lines.append(line(number, undoes=stack.pop()))
        assert [one.id for one in current(lines)] == stack[-1:]


def test_a_verdict_holds_for_one_answer_and_one_reference() -> None:
    case, record = make.case(), RunRecord(case_id="m000000000001", answer="24 个月")
    said = line(1, answer_hash=answer_hash(record), case_hash=case_hash(case))
    assert holds(said, record, case)
    assert holds(said, record.replace(context_text="x", latency_ms=3), case.replace(note="x", revision=4))
    assert not holds(said, record.replace(answer="24个月"), case)
    assert not holds(said, record.replace(answer=None), case)
    assert not holds(said, record, case.replace(ground_truth="12 个月"))
    assert not holds(said, record, case.replace(claims=(Claim(text="x"),)))
    assert answer_hash(record.replace(answer=None)) != answer_hash(record.replace(answer=""))
