"""Every case has as many answers as it was to be asked for; what is not there is missing and counts."""

import pytest

from builder.model.run import RunHeader, RunRecord
from builder.score.run_file import Run
from builder.score.scoring import ScoredAnswers, score_answers
from tests.score import small

CORPUS = small.letters("ab")
CASES = [small.asked(CORPUS, "a", case_id=name) for name in ("m1", "m2")]


def scored(repeats: int, *asked: tuple[str, int]) -> ScoredAnswers:
    records = tuple(RunRecord(case_id=name, repeat=repeat, retrieved=("a",)) for name, repeat in asked)
    return score_answers(
        CASES, Run(name="r", header=RunHeader(snapshot="v1", repeats=repeats), records=records), CORPUS
    )


def missing(found: ScoredAnswers) -> list[tuple[str, int]]:
    return [(one.case_id, one.repeat) for one in found.scores if "missing_run" in one.flags]


def test_rounds_that_a_broken_off_run_never_came_to_are_missing() -> None:
    found = scored(3, ("m1", 1), ("m2", 1), ("m1", 2))
    assert [(one.case_id, one.repeat) for one in found.scores] == [
        (case, n) for case in ("m1", "m2") for n in (1, 2, 3)
    ]
    assert missing(found) == [("m1", 3), ("m2", 2), ("m2", 3)]
    assert small.mean(found, "mrr") == pytest.approx(0.5)


def test_more_rounds_than_were_to_be_asked_count_too() -> None:
    assert missing(scored(1, ("m1", 1), ("m1", 2), ("m2", 1))) == [("m2", 2)]
    assert missing(scored(1, ("m1", 1), ("m2", 1))) == []
    assert len(scored(2).scores) == 4
