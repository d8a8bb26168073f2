"""builder compare: runs against the first of them."""

from collections.abc import Sequence
from pathlib import Path

from builder.app.run_places import Places
from builder.app.score import headline_of
from builder.app.score_run import Asked, scored_run
from builder.errors import InputError
from builder.model.comparison import CompareRow, Comparison, RunDifference
from builder.score.compare import compare

__all__ = ["Asked", "CompareRow", "Comparison", "RunDifference", "compare_runs"]


def compare_runs(
    folder: Path, runs: Sequence[str], asked: Asked, *, declared: Sequence[str] = (), seed: int = 0
) -> Comparison:
    """Score the runs and compare each with the first, over common and equal cases.

    `declared` are the metrics whose p is corrected together; none: the headline figures.

    Raises:
        InputError: no such run or snapshot, fewer than two runs, a metric that there is not, or no common case.
    """
    if len(runs) < 2:
        raise InputError("compare_one")
    places = Places.around(folder)
    measured = [scored_run(places, name, asked).measured for name in runs]
    return compare(measured, declared=declared or headline_of(measured[0].metrics), seed=seed)
