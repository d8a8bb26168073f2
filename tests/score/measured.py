"""Scored runs for tests: figures by hand, views by hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from builder.model.case import Case
from builder.model.verdict import Verdict
from builder.score.cuts import cuts_of
from builder.score.measured import Measured
from builder.score.records import AnswerScore, Scores, Value
from builder.score.slices import rows
from builder.score.view import View
from tests import make


@dataclass(frozen=True)
class Metric:
    """What statistics must know of a metric."""

    name: str
    better: str = "higher"
    layer: str = "retrieval"
    aggregate: str = "mean"


METRICS: dict[str, Metric] = {
    "group_recall@5": Metric("group_recall@5"),
    "refusal_accuracy": Metric("refusal_accuracy", layer="refusal"),
    "noise": Metric("noise", better="lower", layer="context"),
    "latency_ms": Metric("latency_ms", better="lower", layer="engineering"),
    "latency_p95.total": Metric("latency_p95.total", better="lower", layer="engineering", aggregate="p95"),
}


def ids(count: int) -> list[str]:
    return [f"m{number:012d}" for number in range(count)]


def answers(figures: Mapping[str, Mapping[str, float | None]]) -> tuple[AnswerScore, ...]:
    """Figures by case and metric; None is left out as no_evidence."""
    return tuple(
        AnswerScore(
            case_id=case_id,
            repeat=1,
            values={name: Value(number, "" if number is not None else "no_evidence") for name, number in known.items()},
        )
        for case_id, known in sorted(figures.items())
    )


def column(values: Sequence[float | None], name: str = "group_recall@5") -> tuple[AnswerScore, ...]:
    """One metric over cases m…0, m…1, …"""
    return answers({case_id: {name: value} for case_id, value in zip(ids(len(values)), values, strict=True)})


def run(
    scored: Sequence[AnswerScore],
    cases: Sequence[Case] = (),
    *,
    views: Sequence[View] = (),
    families: Mapping[str, str] | None = None,
    verdicts: Mapping[tuple[str, int], Verdict] | None = None,
    name: str = "now",
    metrics: Mapping[str, Metric] = METRICS,
    config: Mapping[str, Any] | None = None,
    resamples: int = 500,
) -> Measured:
    """A scored run; where no cases are given, plain ones with the ids of the answers."""
    known = {case.case_id: case for case in cases} or {one.case_id: make.case(one.case_id) for one in scored}
    groups = families or {case_id: case_id for case_id in known}
    table = rows(scored, known, groups, metrics, resamples=resamples) if scored else ()
    scores = Scores(run=name, snapshot="v1", snapshot_hash="h", cases=len(known), metrics=table)
    return Measured(
        scores=scores,
        answers=tuple(scored),
        cases=known,
        metrics=metrics,
        families=groups,
        cuts={case_id: cuts_of(case, {}) for case_id, case in known.items()},
        views=tuple(views),
        verdicts=verdicts or {},
        config=config or {},
    )
