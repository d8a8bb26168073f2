"""What gates over figures look at: `all`, or the slice `risk=refund`."""

from collections.abc import Iterator

from builder.model.gate import GateKind, GateOutcome
from builder.score.gates.outcome import refused
from builder.score.measured import Measured
from builder.score.records import ALL


def label(metric: str, part: str) -> str:
    """How a gate on a slice is called."""
    return metric if part == ALL else f"{metric} {part}"


def cases_in(run: Measured, part: str) -> frozenset[str]:
    """The cases of a slice; none where there is no such slice."""
    if part == ALL:
        return frozenset(run.cases)
    by, _, name = part.partition("=")
    return frozenset(case_id for case_id in run.cases if (by, name) in run.cuts.get(case_id, ()))


def faults(run: Measured, gate: str, kind: GateKind, metric: str, cases: frozenset[str]) -> Iterator[GateOutcome]:
    """Why a figure cannot be judged at all: no such metric, no case, no figure, or one that is no number."""
    if metric not in run.metrics:
        yield refused(gate, kind, "unknown_metric", metric=metric)
        return
    values = [answer.values.get(metric) for answer in run.answers if answer.case_id in cases]
    numbers = [value.number for value in values if value is not None and value.number is not None]
    if not numbers:
        yield refused(gate, kind, "empty", metric=metric)
    elif any(number != number or number in (float("inf"), float("-inf")) for number in numbers):
        yield refused(gate, kind, "not_a_number", metric=metric)
