"""What is wrong with the measurement itself; no figure makes up for it."""

from collections.abc import Iterable, Iterator
from datetime import date

from builder.model.gate import GateKind, GateOutcome, GateResult
from builder.score.gates.baseline import Baseline
from builder.score.gates.outcome import refused
from builder.score.gates.waivers import Waiver
from builder.score.measured import Measured

_KIND = GateKind.HYGIENE


def hygiene(run: Measured, baseline: Baseline | None, waivers: Iterable[Waiver], today: date) -> Iterator[GateOutcome]:
    """Nothing was scored; more calls failed than in the baseline, or it was scored otherwise; a waiver is over."""
    if not run.answers or not run.cases:
        yield refused("answers", _KIND, "empty", metric="-")
    unscored = run.cases.keys() - {answer.case_id for answer in run.answers}
    if unscored and run.answers:
        yield refused("answers", _KIND, "unscored", n=len(unscored)).replace(unknown=tuple(sorted(unscored)))
    if baseline is not None:
        yield from _errors(run, baseline)
        if baseline.level != run.level:
            yield refused("level", _KIND, "other_level", now=run.level, before=baseline.level)
    over = [waiver for waiver in waivers if waiver.expired(today)]
    if over:
        yield GateOutcome(
            gate="waivers",
            kind=_KIND,
            result=GateResult.FAIL,
            why="waiver_over",
            values={"n": str(len(over)), "owners": ", ".join(sorted({waiver.owner for waiver in over}))},
            n=len(over),
            cases=tuple(sorted({waiver.case for waiver in over})),
            because={waiver.case: "waiver_over" for waiver in over},
        )


def error_share(run: Measured) -> float:
    """Share of calls without an answer; 1 where there was no call."""
    return len(run.failed) / len(run.answers) if run.answers else 1.0


def _errors(run: Measured, baseline: Baseline) -> Iterator[GateOutcome]:
    before = baseline.failed / baseline.calls if baseline.calls else 0.0
    now = error_share(run)
    if now > before:
        found = refused("errors", _KIND, "more_errors", now=len(run.failed), before=baseline.failed)
        cases = tuple(sorted({case_id for case_id, _ in run.failed}))
        yield found.replace(cases=cases, figure=now, baseline=before, n=len(run.answers))
